/* SPDX-License-Identifier: Apache-2.0
 *
 * Which vector op an engine gets, which values it meets, and how long a bundle
 * of it takes.
 *
 * Which unit has which op: isa/opcodes.def; beats of a bundle:
 * docs/reference/vector.md.
 */
#include "harness/gen_vec.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* Bits of zero, the smallest, the largest, infinity, quiet and signalling
 * NaN of the float dtypes; any number of an integer one. */
uint32_t vec_special(struct gen *g, uint8_t tag)
{
	static const struct {
		uint8_t tag;
		uint32_t bits[6];
	} of[] = {{TPB_DTYPE_FLOAT32,
	           {0, 1, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x7F800001}},
	          {TPB_DTYPE_FLOAT32R,
	           {0, 0x1000, 0x7F7FF000, 0x7F800000, 0x7FC00000, 0x7F800001}},
	          {TPB_DTYPE_BFLOAT16, {0, 1, 0x7F7F, 0x7F80, 0x7FC0, 0x7F81}},
	          {TPB_DTYPE_FLOAT16, {0, 1, 0x7BFF, 0x7C00, 0x7E00, 0x7C01}},
	          {TPB_DTYPE_FP8E3, {0, 1, 0x6F, 0x70, 0x78, 0x71}},
	          {TPB_DTYPE_FP8E4, {0, 1, 0x77, 0x78, 0x7C, 0x7E}},
	          {TPB_DTYPE_FP8E5, {0, 1, 0x7B, 0x7C, 0x7E, 0x7D}}};

	for (int i = 0; i < COUNT(of); i++) {
		int top = 8 * isa_dtype_size(tag) - 1;

		if (of[i].tag != tag)
			continue;
		return of[i].bits[rng_below(&g->rng, 6)] |
		       (uint32_t)rng_below(&g->rng, 2) << top;
	}
	return gen_value(g);
}

/* A word for a scalar or a fill. */
uint32_t vec_value(struct gen *g)
{
	static const uint8_t of[] = {TPB_DTYPE_FLOAT32,  TPB_DTYPE_FLOAT32,
	                             TPB_DTYPE_FLOAT32R, TPB_DTYPE_BFLOAT16,
	                             TPB_DTYPE_FLOAT16,  TPB_DTYPE_FP8E3,
	                             TPB_DTYPE_FP8E4,    TPB_DTYPE_FP8E5};

	return rng_chance(&g->rng, 40)
	           ? vec_special(g, of[rng_below(&g->rng, COUNT(of))])
	           : gen_value(g);
}

bool gen_is_vector(uint8_t op)
{
	const struct isa_opinfo *info = isa_op(op);

	return info && info->built && !strcmp(info->klass, "VEC");
}

bool gen_carries(const struct gen *g, int e, uint8_t op)
{
	static const char letter[] = "PAGDS"; /* in port order */
	const struct isa_opinfo *info = isa_op(op);

	return info && info->built && strchr(info->engines, letter[e]) &&
	       strchr(info->gens, '0' + g->opt->gen);
}

uint8_t gen_vector_op(struct gen *g, int e)
{
	static const uint8_t op[] = {
	    TPB_OP_TT_ARITH,    TPB_OP_TT_BITVEC,
	    TPB_OP_TS_ARITH,    TPB_OP_TS_BITVEC,
	    TPB_OP_TS_REDUCE,   TPB_OP_TS_CUMULATIVE,
	    TPB_OP_TR_ARITH,    TPB_OP_TR_BITVEC,
	    TPB_OP_COPY,        TPB_OP_CAST,
	    TPB_OP_RECIPROCAL,  TPB_OP_MEMSET,
	    TPB_OP_IOTA,        TPB_OP_MAX8,
	    TPB_OP_FIND_INDEX8, TPB_OP_MATCH_REPLACE8,
	    TPB_OP_MATCH_LOAD,  TPB_OP_COPY_PRED,
	    TPB_OP_CAST_PRED,   TPB_OP_COPY_PRED_SCALAR,
	    TPB_OP_READ_ACC};
	uint8_t o;

	do {
		o = op[rng_below(&g->rng, COUNT(op))];
	} while (!gen_carries(g, e, o));
	return o;
}

/* Elements of the pattern with so many dims at a place. */
static int64_t product(const uint8_t *b, int at, int dims)
{
	int64_t n = 1;

	for (int d = 0; d < dims; d++) {
		int off = at + 4 + 2 * (dims + d);
		n *= b[off] | b[off + 1] << 8;
	}
	return n;
}

int64_t gen_vector_cost(const uint8_t *b)
{
	int64_t n, ch = b[0x22];

	switch (b[0]) {
	case TPB_OP_TT_ARITH:
	case TPB_OP_TT_BITVEC:
	case TPB_OP_COPY_PRED:
	case TPB_OP_CAST_PRED: ch = b[0x0F]; /* fall through */
	case TPB_OP_TS_ARITH:
	case TPB_OP_TS_BITVEC:
	case TPB_OP_TS_REDUCE:
	case TPB_OP_TS_CUMULATIVE:
	case TPB_OP_COPY_PRED_SCALAR: n = product(b, 0x10, 3); break;
	case TPB_OP_MEMSET:
	case TPB_OP_IOTA: n = product(b, 0x2C, 4); break;
	case TPB_OP_MATCH_LOAD: n = 8; break;
	case TPB_OP_READ_ACC: n = 1; break;
	case TPB_OP_MAX8:
	case TPB_OP_FIND_INDEX8: n = product(b, 0x0C, 4) + 8; break;
	default: n = product(b, 0x0C, 4); break;
	}
	/* Of the usual number of lanes, so that a seed is one program. */
	return 8 + (n + 1) * ((ch + 31) / 32);
}
