/* SPDX-License-Identifier: Apache-2.0
 *
 * The IR: tables, questions that several passes ask, dump and verifier.
 * Included by bir.h, which declares the data.
 */
#ifndef BIR_QUERY_H
#define BIR_QUERY_H

#include "compiler/bir/bir.h"

/* ------------------------------------------------------------ tables */

struct bir_opinfo {
	enum bir_it it;
	const char *name, *text; /* "TENSOR_TENSOR", "TensorTensor" */
	enum bir_class klass;
	unsigned engines; /* 1 << engine, NONE included */
	const char *ins, *outs;
};

/* NULL for a type that the table lacks. */
const struct bir_opinfo *bir_op(enum bir_it it);
const char *bir_it_text(enum bir_it it);
/* Type of a text, -1 when unknown. */
int bir_it_of(const char *text);
const char *bir_engine_text(enum bir_engine e);
int bir_engine_of(const char *text);
const char *bir_edge_text(enum bir_edge kind);
const char *bir_mem_text(enum bir_mem mem);
const char *bir_alu_text(int op);
const char *bir_dtype_text(int dtype);
const char *bir_cmp_text(int cmp);
/* Index of hardware engine ("PE" 0 ... "SP" 4), -1: owns no stream. */
int bir_engine_stream(enum bir_engine e);
/* Bytes of an element. */
int bir_dtype_size(int dtype);
bool bir_dtype_float(int dtype);
bool bir_dtype_signed(int dtype);
/* An ALU operation on bits: such instructions have opcodes of their own. */
bool bir_alu_on_bits(int op);

/* ------------------------------------------------------------ questions */

static inline bool bir_is_ap(const struct bir_arg *a)
{
	return a && a->kind <= BIR_ARG_REGAP;
}

static inline bool bir_on_chip(const struct bir_loc *l)
{
	return l->mem != BIR_DRAM;
}

bool bir_is_terminator(const struct bir_inst *i);
bool bir_is_body(const struct bir_inst *i);
/* DMACopy, Load, Save: moves bytes by DMA at its own place. */
bool bir_is_dma(const struct bir_inst *i);
/* Elements of a pattern: all, and without pair 0. */
int64_t bir_ap_count(const struct bir_arg *a);
int64_t bir_ap_free(const struct bir_arg *a);
/* First byte in flat space of an AP without its expression, and one past its
 * last byte over the pattern. */
void bir_ap_span(const struct bir_arg *a, int64_t *lo, int64_t *hi);
/* 29-bit address of byte `flat` of an on-chip location that has a place. */
uint32_t bir_addr29(const struct bir_loc *l, int64_t flat);
/* Unified 64-bit address: DRAM below 2^36, 2^36 + addr29 on chip. */
uint64_t bir_unified(const struct bir_loc *l, int64_t flat);

/* First terminator of a block (those of other engines follow), or NULL. */
struct bir_inst *bir_first_terminator(const struct bir_block *b);
/* Blocks that can follow; at most max are stored, the number is returned.
 * A block without terminator falls through to the next of its region. */
int bir_successors(const struct bir_block *b, struct bir_block **out, int max);

/* Registers an instruction reads and writes: operands, expressions, index
 * loads, waits, predicates, loop fields.  Slots may be rewritten. */
struct bir_regref {
	struct bir_reg **slot;
	bool def;
	enum bir_half half;
};
/* Stores at most max, returns the number there is. */
int bir_reg_refs(struct bir_inst *i, struct bir_regref *out, int max);
#define BIR_REFS 64 /* enough for any instruction the builder lets through */

/* Memory an instruction itself touches, index loads of expressions included;
 * CopyPredicated and Select also read what they keep.  DMA blocks: those of
 * their descriptors.  Same convention. */
struct bir_access {
	struct bir_arg *arg;
	bool write;
};
int bir_accesses(const struct bir_inst *i, struct bir_access *out, int max);

/* ------------------------------------------------------------ text, check */

/* Text of a module, function, instruction, operand; stable, a line an
 * instruction.  The string is the caller's (free). */
char *bir_print(const struct bir_module *m);
char *bir_print_inst(const struct bir_module *m, const struct bir_inst *i);
char *bir_print_arg(const struct bir_arg *a);

enum {
	BIR_V_TERMINATED = 1, /* every block ends in a terminator */
	BIR_V_LOWERED = 2,    /* no Select, GenericCopy, AbstractCopy */
	BIR_V_PLACED = 4,     /* every location has a place */
	BIR_V_FLAT = 8,       /* no structured op, Break, predicate */
	BIR_V_ENGINES = 16,  /* every instruction on a concrete engine or ALL */
	BIR_V_NO_ALL = 32,   /* none on ALL */
	BIR_V_NO_SYM = 64,   /* no symbolic operand */
	BIR_V_COLORED = 128, /* every register physical */
	BIR_V_NO_CROSS = 256, /* no edge between blocks */
	BIR_V_BOUND = 512,    /* every semaphore bound to the bank */
	BIR_V_CARRIERS = 1024 /* sync records where a bundle has room */
};

/* Is the module well formed?  Always: links, names, operand roles, dtypes of
 * the op, patterns inside their tensor, placed tensors inside their memory,
 * engines, definitions before uses where that can be decided.  false: *err
 * says what, with the instruction and its source line.  Overwrites the order
 * of blocks. */
bool bir_verify(struct bir_module *m, unsigned flags, struct bir_error *err);

/* Fill *err; always false. */
bool bir_fail(const struct bir_module *m, struct bir_pos pos,
              struct bir_error *err, const char *id, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
