/* SPDX-License-Identifier: Apache-2.0
 *
 * What the encoders share.
 *
 * An encoder opens each bundle with codegen_begin(), which sets header and
 * constant fields, and fills it by field name from isa/fields.def: no byte
 * offset is written here.  The first error stays; after it encoders may go on
 * and nothing is written.
 */
#ifndef COMPILER_CODEGEN_INTERNAL_H
#define COMPILER_CODEGEN_INTERNAL_H

#include "compiler/codegen/codegen.h"
#include "compiler/bir/bir_build.h"
#include "isa/isa.h"

/* Most bundles of an instruction. */
#define CODEGEN_BUNDLES 4
/* Registers that the allocator leaves free: the encoder adds constants to
 * addresses in them, right before the bundle that uses the sum. */
#define CODEGEN_SCRATCH 63
#define CODEGEN_SCRATCHES 2

/* The number in "CGN007". */
enum codegen_errno {
	CGN_STATE = 1,    /* a thing that an earlier pass must have lowered */
	CGN_PATTERN = 2,  /* pattern */
	CGN_OPERAND = 3,  /* operand of another kind or type */
	CGN_ALU = 4,      /* ALU op, compare, axis without a code */
	CGN_RANGE = 5,    /* value does not fit its field */
	CGN_SYNC = 6,     /* waits and updates */
	CGN_BRANCH = 7,   /* targets, layout */
	CGN_QUEUE = 8,    /* queues and their names */
	CGN_DMA = 9,      /* sides of a transfer */
	CGN_ENGINE = 10,  /* engine */
	CGN_ILLEGAL = 11, /* isa_check() refuses the bundle */
	CGN_WALK = 12,    /* the walks disagree: a defect of tpb */
	CGN_TENSOR = 13   /* tensors of the image */
};

struct codegen {
	struct bir_module *m;
	int gen;
	enum codegen_mode mode;
	bool lenient; /* collect only: operands may lack their place */
	struct image *img;
	struct compile_error *err;
	bool failed;
	struct codegen_count *count;
	unsigned streams; /* engines with code, 1 << stream */
	int file;
	/* PC map of the first walk: by block id, by instruction id. */
	uint32_t (*block_pc)[TPB_ENGINES];
	uint32_t *inst_pc;
	uint32_t pc[TPB_ENGINES];
	uint32_t end[TPB_ENGINES]; /* bundles of each stream */
	/* Queue by id: the instance that a trigger names. */
	const struct bir_instance **current;
	bool no_rearm; /* a reset is still allowed */
	/* Location behind each entry of the DGE table, NULL: on chip. */
	const struct bir_loc *dge[TPB_DGE_ENTRIES_GEN3];
	int ndge;
	/* The instruction at hand: additions to addresses, then its bundles. */
	struct bir_inst *inst;
	uint8_t pre[CODEGEN_SCRATCHES][TPB_BUNDLE];
	uint8_t b[CODEGEN_BUNDLES][TPB_BUNDLE];
	int npre, nb;
};

/* ---- emit.c ---- */
/* Record the first error, at the instruction at hand; always false. */
bool codegen_fail(struct codegen *c, enum codegen_errno id, const char *fmt,
                  ...) __attribute__((format(printf, 3, 4)));
/* Another bundle of the instruction, zeros but for header and constants. */
uint8_t *codegen_begin(struct codegen *c, uint8_t op);
void codegen_set(struct codegen *c, uint8_t *b, const char *field, int64_t v);
/* First byte of a field. */
uint8_t *codegen_at(uint8_t *b, const char *field);
void codegen_text(struct codegen *c, uint8_t *b, const char *field,
                  const char *text);
void codegen_put(uint8_t *p, uint64_t v, int bytes);
/* Add the sync records to the bundles of the instruction and hand them to
 * the stream of an engine. */
void codegen_flush(struct codegen *c, int stream);
/* The wire bytes of an update: mode, id, operand. */
void codegen_update(struct codegen *c, const struct bir_update *u,
                    uint8_t *mode, uint8_t *id, uint32_t *operand);

/* ---- operand.c ---- */
/* Physical number of a register operand. */
int codegen_reg(struct codegen *c, const struct bir_arg *a);
int codegen_phys(struct codegen *c, const struct bir_reg *r);
/* Wire tag. */
int codegen_dtype(struct codegen *c, int dtype);
/* Wire number of an IR number, or an error naming `what`. */
int codegen_wire(struct codegen *c, const char *group, int ordinal,
                 const char *what);
/* Operand address word of an on-chip access pattern. */
uint32_t codegen_addr4(struct codegen *c, const struct bir_arg *a);
/* Register that holds the address of a register access pattern. */
int codegen_addr_reg(struct codegen *c, const struct bir_arg *a, int64_t add);
/* Tensor descriptor in a field. */
void codegen_pattern(struct codegen *c, uint8_t *b, const char *field,
                     const struct bir_arg *a);
/* Eight elements from the last to the first. */
void codegen_backward(struct codegen *c, uint8_t *b, const char *field,
                      const struct bir_arg *a);
/* Channels of a pattern. */
int64_t codegen_channels(const struct bir_arg *a);

/* ---- vec.c, seq.c, dma.c: false: not one of theirs ---- */
bool codegen_vec(struct codegen *c, const struct bir_inst *i);
bool codegen_seq(struct codegen *c, const struct bir_inst *i);
bool codegen_dma(struct codegen *c, const struct bir_inst *i);
/* Is the branch elided, and if not, where does it go? */
bool codegen_elided(const struct bir_inst *i);
/* Queues, their blocks and descriptors. */
void codegen_queues(struct codegen *c);
void codegen_dge(struct codegen *c);

#endif
