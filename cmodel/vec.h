/* SPDX-License-Identifier: Apache-2.0
 *
 * The vector units POOL and DVE, shared by their files.
 *
 * The machine's registers are in struct tpb_vec_state and tpb_dve_state; what
 * is here follows from them and from the bundle, and is kept only for speed:
 * the operands of the bundle (struct vec_op), and the elements that a read
 * port delivers in the next cycle.  It is written when a check begins, at the
 * grant and at an issue, and is never read before.
 *
 * Facts: docs/reference/vector.md, whose names are used.
 */
#ifndef CMODEL_VEC_H
#define CMODEL_VEC_H

#include "cmodel/cycle.h"
#include "cmodel/vnum.h"

#define VEC_DIMS 4
#define VEC_WALKS 3
#define VEC_DST 2 /* the walk that writes */
#define VEC_SLOTS 8

/* Places of an address, split. */
struct vec_place {
	bool psum;
	int partition;
	uint32_t byte; /* of the partition */
};

/* A pattern of elements. */
struct vec_walk {
	bool there; /* the op has it */
	bool reads; /* ... and its elements come from memory */
	uint8_t tag, size;
	uint16_t count[VEC_DIMS];
	int32_t step[VEC_DIMS];  /* bytes */
	uint64_t total;          /* elements */
	int64_t lowest, highest; /* byte beside the start */
	uint32_t word;           /* address, or base of a generator */
	struct vec_place start;  /* from the grant on */
	bool meets;              /* may read what the bundle writes */
};

struct vec_scalar {
	uint8_t kind; /* group imm_src: inline, pointer, register */
	uint8_t size; /* of the element behind a pointer */
	uint32_t word;
	struct vec_place place; /* from the grant on, of a pointer */
};

struct vec_op {
	uint8_t code;     /* opcode */
	uint8_t alu[2];   /* op0, op1 */
	uint8_t reverse;  /* bit i: swap the operands of op i */
	uint8_t command;  /* of the accumulator */
	uint8_t polarity; /* of a predicate */
	bool negate;
	bool integer;  /* integer path */
	bool same;     /* source and destination have one tag */
	bool grouped;  /* folds groups of elements */
	bool sparse;   /* writes only the last element of a pass */
	bool results;  /* eight results after the elements */
	int n;         /* channels */
	int lead;      /* walk that says where the last element is */
	uint32_t word; /* fill, replacement, multiplier */
	struct vec_walk walk[VEC_WALKS];
	struct vec_scalar scalar[2];
};

struct vec_unit {
	struct vec_op op;
	/* Elements from R0 and R1: of the beat in X0, and of the next one. */
	uint32_t raw[2][2][TPB_LANES];
	int front;
	/* Inline scalars, one copy a lane. */
	uint32_t inlined[2][TPB_LANES];
};

/* Who asks for which port of SBUF (0) and PSUM (1) in a cycle, and who gets
 * it.  Bit 0 of want is R0, bit 1 R1. */
struct ports {
	struct ports_narrow {
		bool read, write; /* asked: the candidate's access */
		bool granted;
	} narrow[2];
	struct ports_unit {
		bool write, write_psum; /* asked */
		bool written;           /* ... and granted */
		bool stalled;
		bool beat; /* asked: a beat stands at the issue stage */
		uint8_t want[2];
		bool issued; /* the beat is issued */
	} unit[TPB_VECS];
};

static inline int vec_engine(int u)
{
	return u ? TPB_ENGINE_DVE : TPB_ENGINE_POOL;
}

/* Lanes of a pass. */
static inline int vec_lanes(const struct vec_op *op, unsigned pass)
{
	int left = op->n - (int)pass * TPB_LANES;

	return left < 0 ? 0 : left < TPB_LANES ? left : TPB_LANES;
}

/* Is the opcode one of a vector unit? */
static inline bool vec_is_op(uint8_t op)
{
	return op < TPB_OP_EVENT_SEMAPHORE || op > TPB_OP_EXIT;
}

/* What a pass begins with. */
static inline uint8_t vec_first_step(const struct vec_op *op)
{
	return op->scalar[0].kind != TPB_IMM_INLINE ||
	               op->scalar[1].kind != TPB_IMM_INLINE
	           ? TPB_VUOP_SCAL
	           : TPB_VUOP_ELEM;
}

/* vec_op.c: the operands of the bundle, except places. */
void vec_operands(const struct tpb_engine_state *g, struct vec_op *op);
/* Bytes of an element with a tag of the datapath. */
uint8_t vec_size(uint8_t tag);

/* vec_check.c: one step of the check; true when the unit is ready. */
bool vec_check(struct tpb *t, int e);
/* Fault of a granted bundle, 0: none and the unit begins. */
int vec_grant(struct tpb *t, int e);

/* vec.c: what the units in the mask ask for, and their cycle. */
void vec_ask_write(const struct tpb *t, struct ports *p, unsigned busy);
void vec_ask_read(const struct tpb *t, struct ports *p, unsigned busy);
void vec_read(struct tpb *t, const struct ports *p, unsigned busy);
void vec_cycle(struct tpb *t, struct cycle *c, const struct ports *p,
               unsigned busy);

/* For the fast path: a beat from its reads to its write, with nothing else in
 * the pipeline; and the end of a pass whose elements are done. */
void vec_beat(struct tpb *t, int u);
void vec_end_of_pass(struct tpb_vec_state *v, const struct vec_op *op);

/* vec_lane.c: steps of an op on n values, of one beat or of many.  Outputs
 * are apart from inputs; vec_widen() may return its input instead. */
const uint32_t *vec_widen(const struct tpb *t, uint8_t tag, int n,
                          const uint32_t *raw, uint32_t *tmp);
/* To the dtype of the destination. */
void vec_narrow(const struct tpb *t, const struct vec_op *op, int n,
                const uint32_t *f32, uint32_t *out);
/* to[i] := the low bytes of from[i] that the destination takes. */
void vec_low(const struct vec_op *op, int n, const uint32_t *from,
             uint32_t *to);
/* ALU i of the op, in fp32 or on bits: x on the left unless reversed. */
void vec_alu(const struct vec_op *op, int i, int n, const uint32_t *x,
             const uint32_t *y, uint32_t *out);
void vec_bits(const struct vec_op *op, int i, int n, const uint32_t *x,
              const uint32_t *y, uint32_t *out);

/* vec_lane.c: what a beat does to its lanes in X0 and in X1.  X1 returns
 * with the results in vw_data when the beat emits. */
void vec_x0(struct tpb *t, int u);
void vec_x1(struct tpb *t, int u);

/* vec_slot.c: the search slots of DVE, in X1. */
void vec_max8(struct tpb *t, int n);
void vec_match_load(struct tpb *t, const struct vec_op *op, int n);
/* hit[i]: the element of lane i matches a slot. */
void vec_match(struct tpb *t, const struct vec_op *op, int n, uint32_t *hit);
/* What an emitting beat reads from the slots. */
void vec_result(const struct tpb *t, const struct vec_op *op, int n,
                uint32_t *out);

/* ports.c: both decide on what is asked and turn the pointers. */
void ports_write(struct tpb *t, struct ports *p);
void ports_read(struct tpb *t, struct ports *p);
/* Both at once, when unit u is the only client that may ask. */
void ports_alone(struct tpb *t, struct ports *p, int u);

/* memory.c: the word of a partition; those of the next partitions of its row
 * follow it. */
uint64_t *memory_row(struct tpb *t, bool psum, int partition, uint32_t byte);

#endif
