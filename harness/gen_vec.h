/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector bundle being made: its operands before they are bytes.
 *
 *   gen_vec_ops.c   what each op asks for: dtypes, operations, shapes
 *   gen_vec.c       where the operands lie, and how they are addressed
 *   gen_vec_pick.c  which op and values, and how long it takes
 *   gen_vec_bad.c   the same with an address that faults, and which fault
 *
 * Facts: docs/reference/vector.md (operands, check), decode.md (fields).
 */
#ifndef HARNESS_GEN_VEC_H
#define HARNESS_GEN_VEC_H

#include "harness/gen_priv.h"

enum {
	VEC_WALKS = 3,
	VEC_SCALARS = 2,
	VEC_OPERANDS = VEC_WALKS + VEC_SCALARS,
	VEC_PSUM = 0x2000000,
	VEC_PSUM_WINDOW = 0x400000,
	VEC_PSUM_BYTES = 16384
};

/* A walk or a scalar behind a pointer. */
struct vec_operand {
	bool on;     /* the bundle has it, and it is in memory */
	bool gen;    /* steps and counts of Iota's index: no memory */
	bool scalar; /* one element, no steps */
	uint8_t at;  /* where its address word is in the bundle */
	uint8_t dims;
	uint8_t size; /* of an element */
	int16_t step[4];
	uint16_t count[4];
	/* Where it lies. */
	bool psum;
	int part;
	int64_t byte;
	/* How it is said: the word, and the register that it may name. */
	bool reg;
	uint8_t number;
	uint32_t word, value;
};

struct vec {
	struct gen *g;
	int e;
	uint8_t *b;
	int ch;
	bool brief; /* no long rows */
	struct vec_operand o[VEC_OPERANDS];
	int nregs; /* registers taken so far */
	int first; /* the first of them */
};

/* gen_vec_ops.c: everything but addresses. */
void vec_payload(struct vec *v, uint8_t op);

/* gen_vec_pick.c: special bits of a dtype; a word for a scalar or a fill. */
uint32_t vec_special(struct gen *g, uint8_t tag);
uint32_t vec_value(struct gen *g);

/* gen_vec.c */

/* Add walk k: descriptor of so many dims at byte `at`, n elements of a tag. */
void vec_walk(struct vec *v, int k, int at, int dims, uint8_t tag, int n);
/* Steps and counts of Iota's index. */
void vec_generator(struct vec *v, int n);
/* Scalar k (0, 1): kind byte, word, bytes of an element.  Returns the kind.
 * want: kind that is asked for, or -1. */
uint8_t vec_scalar(struct vec *v, int k, int kind_at, int word_at, int size,
                   int want);
/* An operand's place becomes its word and register. */
void vec_say(struct vec *v, struct vec_operand *o);
/* Registers and bytes of all operands. */
void vec_write(struct vec *v);
/* The place of every operand, legal. */
void vec_place(struct vec *v);
/* Lowest and highest element of an operand, in elements from its start. */
void vec_extent(const struct vec_operand *o, int64_t *low, int64_t *high);
/* A new bundle up to its places. */
void vec_new(struct vec *v, struct gen *g, int e, uint8_t op,
             uint8_t b[TPB_BUNDLE]);
/* Is a start partition allowed for so many channels? */
bool vec_start_ok(int part, int ch);

#endif
