/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction set as C: constants from the tables, and the tables at
 * run time.  Knows nothing about RTL, model, compiler or files.
 *
 * A bundle is 64 bytes:
 *
 *    0    1    2    3    4    5    6    7    8..11   12..63
 *   +----+----+----+----+----+----+----+----+-------+---------+
 *   | op |0x10| 0  | 0  |wait| id |upd | id | value | payload |
 *   +----+----+----+----+----+----+----+----+-------+---------+
 */
#ifndef ISA_ISA_H
#define ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TPB_BUNDLE 64

/* Opcodes: TPB_OP_NOOP = 0xA4, ... */
enum tpb_op {
#define OP(NAME, byte, mnemonic, class, engines, gens, built, text) \
	TPB_OP_##NAME = byte,
#include "isa/opcodes.def"
#undef OP
};

/* Enumerations: TPB_FAULT_RESERVED = 5, TPB_WAIT_GE_IMM = 5, ... */
#define ENUM_BEGIN(group, bits, text) \
	enum tpb_##group              \
	{
#define ENUM_VALUE(GROUP, NAME, value, text, meaning) \
	TPB_##GROUP##_##NAME = value,
#define ENUM_END(group) \
	}               \
	;
#include "isa/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END

/* Timing constants: TPB_DRAM_LATENCY, ... */
enum tpb_timing {
#define TIMING(NAME, value, text) TPB_##NAME = value,
#include "isa/timing.def"
#undef TIMING
};

/* Numbers of the compiler's IR: TPB_BIR_ALU_POW = 26, ... */
enum tpb_bir {
#define BIR(GROUP, NAME, ordinal, wire, extra, text) \
	TPB_BIR_##GROUP##_##NAME = ordinal,
#include "isa/bir.def"
#undef BIR
};

/* Constants of a generation: TPB_SBUF_BYTES_GEN3, ... */
enum tpb_const {
#define CONST(NAME, gen1, gen2, gen3, gen4, text)           \
	TPB_##NAME##_GEN1 = gen1, TPB_##NAME##_GEN2 = gen2, \
	TPB_##NAME##_GEN3 = gen3, TPB_##NAME##_GEN4 = gen4,
#include "isa/consts.def"
#undef CONST
};

/* ------------------------------------------------------------------ *
 * The tables at run time.                                            *
 * ------------------------------------------------------------------ */

/* File form: the bytes a compiler writes; names and variable ids inside.
 * Loaded form: what the loader makes of it and the machine fetches. */
enum isa_form { ISA_FILE, ISA_LOADED };

enum isa_kind {
	ISA_UINT,   /* unsigned, `bits` wide at bit `lsb` of byte `off` */
	ISA_SINT,   /* signed */
	ISA_ENUM,   /* value of enumeration `group` */
	ISA_REG,    /* register id */
	ISA_F32,    /* IEEE word */
	ISA_TARGET, /* bundle index, shown as a label where known */
	ISA_CONST,  /* must be `arg` */
	ISA_BYTES,  /* bits/8 raw bytes */
	ISA_NAME,   /* NUL-padded text of bits/8 bytes, last byte NUL */
	ISA_ADDR4,  /* 32-bit operand address */
	ISA_ADDR8,  /* 64-bit DMA address */
	ISA_T1D,
	ISA_T2D,
	ISA_T3D,
	ISA_T4D /* tensor descriptors */
};

/* Subset of a group that an ENUM field may hold (its arg); the group keeps
 * every value that has a name. */
enum isa_set {
	ISA_SET_ANY,  /* the whole group */
	ISA_SET_FREE, /* no check: any value */
	/* dtypes of the sequencer */
	ISA_SET_MOVE,   /* RegisterMove */
	ISA_SET_REGALU, /* RegisterAlu, and 0 */
	ISA_SET_BRANCH, /* of a compare; 0 in a jump */
	ISA_SET_LOAD,   /* TensorLoad and TensorSave */
	/* dtypes of the datapaths; R at the end: and fp32r */
	ISA_SET_DP,
	ISA_SET_DPR,
	ISA_SET_NARROW, /* DP without 32-bit integers */
	ISA_SET_NARROWR,
	ISA_SET_FLOAT,
	ISA_SET_FLOATR,
	ISA_SET_INT,     /* 8, 16, 32-bit integers */
	ISA_SET_SIZED,   /* 1, 2 or 4 bytes */
	ISA_SET_WORD,    /* i32, u32 */
	ISA_SET_INDEX,   /* u32, u16 */
	ISA_SET_IDS,     /* i32, f32 */
	ISA_SET_I32,     /* i32 */
	ISA_SET_U32,     /* u32 */
	ISA_SET_F32,     /* f32 */
	ISA_SET_BIAS,    /* bf16, f16, f32 */
	ISA_SET_ACC,     /* and f32r */
	ISA_SET_ACC_DVE, /* and fp8 */
	ISA_SET_RATE,    /* threshold of a dropout, 0 is f32 */
	/* ALU operations */
	ISA_SET_INTEGER, /* the 28 of RegisterAlu */
	ISA_SET_ARITH,
	ISA_SET_ARITH_BAND, /* and the int32 band */
	ISA_SET_GENERAL,
	ISA_SET_BITVEC,
	ISA_SET_BITVEC_BYPASS,
	ISA_SET_COMPARE,
	ISA_SET_ORDER, /* COMPARE without not_equal */
	ISA_SET_FOLD,
	ISA_SET_REDUCE,
	ISA_SET_REDUCE_BITS,
	ISA_SET_MAX,
	/* others */
	ISA_SET_FOLD_CMD, /* acc: 2, 3, 4 */
	ISA_SET_MAX_CMD,  /* acc: 0, 2, 3 */
	ISA_SET_CROSS_ARITH,
	ISA_SET_CROSS_BITS,
	ISA_SET_POINTER, /* imm: pointer, reg */
};

struct isa_field {
	const char *name;
	uint8_t off, lsb;
	uint16_t bits;
	enum isa_kind kind;
	const char *group;
	int64_t arg;
	uint8_t forms; /* bit 0: in the file form, bit 1: in the loaded */
};

struct isa_opinfo {
	uint8_t code;
	const char *name, *mnemonic, *klass, *engines, *gens, *text;
	bool built;
	const struct isa_field *field; /* payload only, not header and sync */
	int nfields;
};

/* NULL when the byte or the mnemonic is not in the table. */
const struct isa_opinfo *isa_op(uint8_t code);
const struct isa_opinfo *isa_op_named(const char *mnemonic, size_t len);
/* i-th row, NULL past the end. */
const struct isa_opinfo *isa_op_at(int i);

/* Value of a field in a bundle, zero extended (SINT: sign extended).  Fields
 * wider than 64 bits give 0. */
uint64_t isa_get(const uint8_t *bundle, const struct isa_field *field);
/* Store the low bits of v; fields wider than 64 bits are left alone. */
void isa_set(uint8_t *bundle, const struct isa_field *field, uint64_t v);
/* A field of an op in a form by its name; NULL when there is none. */
const struct isa_field *isa_field_named(uint8_t op, enum isa_form form,
                                        const char *name, size_t len);

/* Text of a value of an enumeration ("fault", 5 -> "RESERVED"), or NULL. */
const char *isa_enum_text(const char *group, uint64_t value);
/* Value of a text; -1 when unknown. */
int64_t isa_enum_value(const char *group, const char *text, size_t len);

/* A number of the IR ("ALU", "DTYPE", "CMP", ...) as on the wire, -1 when
 * it has no wire form.  The third column of isa/bir.def, -1 likewise. */
int isa_bir_wire(const char *group, int ordinal);
int isa_bir_extra(const char *group, int ordinal);

/* Bytes of an element of a dtype wire tag; 0 for a tag without a name.  x4
 * forms share tags with 1-byte types and are not told apart. */
int isa_dtype_size(uint64_t tag);

/* May an ENUM field hold the value on this profile? */
bool isa_field_allows(const struct isa_field *field, uint64_t value, int gen);

struct isa_verdict {
	int fault;       /* group fault; 0: legal */
	int off;         /* byte that breaks the rule, -1: none in particular */
	char reason[96]; /* "reserved byte +0x1C is not 0" */
};

/* Is the bundle legal in this form on this profile?  Fills *v with the
 * lowest fault code that applies.  Covers every opcode of the tables, built
 * or not; one that no engine carries is illegal.  Up to two cores from gen3. */
bool isa_check(const uint8_t *bundle, enum isa_form form, int gen,
               struct isa_verdict *v);

/* The verdict of the machine of this tree on a loaded bundle in the stream of
 * an engine (0..4), as docs/reference/decode.md has it: opcodes and ALU codes
 * that are not built are illegal, an update may name `cores` cores. */
bool isa_check_machine(const uint8_t *bundle, int engine, int gen, int cores,
                       struct isa_verdict *v);

/* Which payload bytes the op names, a bit a byte; the header and sync bytes
 * 0..11 are always included. */
uint64_t isa_named_bytes(uint8_t op, enum isa_form form);

/* Names an assembler or disassembler may use; all optional. */
struct isa_names {
	const void *ctx;
	/* Name of a pc of the bundle's stream, or NULL. */
	const char *(*label)(const void *ctx, uint32_t pc);
};

/* One line of assembly for a bundle, canonical: the assembler reads it back
 * to the same 64 bytes.  An illegal bundle prints as ".bundle" with hex
 * words.  Returns buf. */
const char *isa_dis(const uint8_t *bundle, enum isa_form form,
                    const struct isa_names *names, char *buf, size_t size);

#endif
