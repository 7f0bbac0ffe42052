/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules that operators share, for check_op.c: dtype sets, counts, start
 * partitions, memories, engines, ALU classes.  Each reports a breach once and
 * does nothing after an error.
 */
#ifndef COMPILER_KLR_CHECK_RULE_H
#define COMPILER_KLR_CHECK_RULE_H

#include "compiler/klr/internal.h"

/* Sets of dtypes, as bits of KLR's numbers. */
#define DTYPE(word) (1u << KLR_DTYPE_##word)
#define FLOATS                                                                 \
	(DTYPE(bfloat16) | DTYPE(float16) | DTYPE(float32) | DTYPE(float8e3) | \
	 DTYPE(float8e4) | DTYPE(float8e5) | DTYPE(float8_e4m3) |              \
	 DTYPE(float8_e4m3fn))
#define INT32S (DTYPE(int32) | DTYPE(uint32))
#define INTS \
	(DTYPE(int8) | DTYPE(int16) | DTYPE(uint8) | DTYPE(uint16) | INT32S)
#define DP (FLOATS | INTS)
#define F32 DTYPE(float32)
#define F32R DTYPE(float32r)
#define NARROW (DP & ~INT32S)
#define INDEX (DTYPE(uint32) | DTYPE(uint16))
#define SCALARS (INTS | F32)
#define SIZED (DP | F32R)

/* Bits of KLR's engine numbers. */
#define DVE (1u << KLR_ENGINE_dve)
#define POOL (1u << KLR_ENGINE_pool)

struct klr_rule { /* the statement that is checked */
	struct klr_checker *c;
	const struct klr_stmt *s;
	const char *op;
};

/* An operand by name, NULL if the operator has none. */
const struct klr_value *klr_rule_value(const struct klr_rule *x,
                                       const char *name);
/* The reference in an operand, or NULL. */
const struct klr_ref *klr_rule_ref(const struct klr_rule *x, const char *name);
/* View of an operand that is a declared tensor; false after an error. */
bool klr_rule_view(const struct klr_rule *x, const char *name,
                   struct klr_view *v);
/* Where an operand stands. */
struct klr_pos klr_rule_pos(const struct klr_rule *x, const char *name);
/* The engine named, if any, is in the set. */
void klr_rule_engine(const struct klr_rule *x, unsigned allowed);
/* On chip, reachable, of a dtype of the set, in a descriptor. */
void klr_rule_vector(const struct klr_rule *x, const char *name, unsigned set);
/* Equal partitions and elements a partition. */
void klr_rule_same_count(const struct klr_rule *x, const char *a,
                         const char *b);
/* Elements a partition. */
void klr_rule_has_count(const struct klr_rule *x, const char *name, int64_t lo,
                        int64_t hi);
void klr_rule_same_parts(const struct klr_rule *x, const char *a,
                         const char *b);
void klr_rule_same_dtype(const struct klr_rule *x, const char *a,
                         const char *b);
void klr_rule_same_size(const struct klr_rule *x, const char *a, const char *b);
/* The operand dtype says what dst has. */
void klr_rule_dtype(const struct klr_rule *x);
/* An immediate, or [P,1] beside data. */
void klr_rule_scalar(const struct klr_rule *x, const char *name,
                     const char *data, unsigned set);
/* Two sources: not both in PSUM, from one partition of SBUF on. */
void klr_rule_two_sources(const struct klr_rule *x, const char *a,
                          const char *b);
/* From one partition on, in whatever memories. */
void klr_rule_same_start(const struct klr_rule *x, const char *a,
                         const char *b);
/* Is it an operation on bits? */
bool klr_rule_bit_alu(int64_t op);
const char *klr_rule_alu_word(const struct klr_value *v);
void klr_rule_alu(const struct klr_rule *x, const struct klr_value *v);
/* The two operations of tensorScalar are of one class. */
void klr_rule_two_alus(const struct klr_rule *x, const struct klr_value *a,
                       const struct klr_value *b);

#endif
