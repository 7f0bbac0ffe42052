/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector bundles: dtypes, operations and counts of each op.
 *
 * What is legal together: docs/reference/decode.md, "Vector bundles".
 */
#include "harness/gen_vec.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* Dtype sets.  The short ones are the beginning of the long ones. */
static const uint8_t ints[] = {TPB_DTYPE_INT8,  TPB_DTYPE_UINT8,
                               TPB_DTYPE_INT16, TPB_DTYPE_UINT16,
                               TPB_DTYPE_INT32, TPB_DTYPE_UINT32};
static const uint8_t all[] = {
    TPB_DTYPE_INT32,   TPB_DTYPE_UINT32,  TPB_DTYPE_INT8,     TPB_DTYPE_UINT8,
    TPB_DTYPE_INT16,   TPB_DTYPE_UINT16,  TPB_DTYPE_FP8E3,    TPB_DTYPE_FP8E4,
    TPB_DTYPE_FP8E5,   TPB_DTYPE_FLOAT16, TPB_DTYPE_BFLOAT16, TPB_DTYPE_FLOAT32,
    TPB_DTYPE_FLOAT32R};

struct tags {
	const uint8_t *tag;
	int n;
};

static const struct tags INT = {ints, 6};
static const struct tags DP = {all, 12};
static const struct tags DPR = {all, 13};
static const struct tags NW = {all + 2, 10};
static const struct tags NWR = {all + 2, 11};
static const struct tags ACC = {all + 6, 7};
static const struct tags WORD = {all, 2};

/* Operations. */
static const uint8_t arith[] = {
    TPB_ALU_BYPASS,      TPB_ALU_ADD,         TPB_ALU_SUBTRACT,
    TPB_ALU_MULT,        TPB_ALU_MAX,         TPB_ALU_MIN,
    TPB_ALU_IS_EQUAL,    TPB_ALU_IS_GT,       TPB_ALU_IS_GE,
    TPB_ALU_IS_LE,       TPB_ALU_IS_LT,       TPB_ALU_NOT_EQUAL,
    TPB_ALU_ABS,         TPB_ALU_LOGICAL_AND, TPB_ALU_LOGICAL_OR,
    TPB_ALU_LOGICAL_XOR, TPB_ALU_DIVIDE,      TPB_ALU_MOD,
    TPB_ALU_RSQRT};
enum { GENERAL = 16 }; /* of them */
static const uint8_t band[] = {TPB_ALU_ADD_INT, TPB_ALU_MULT_INT,
                               TPB_ALU_SUBTRACT_INT, TPB_ALU_DIVIDE_INT,
                               TPB_ALU_MOD_INT};
static const uint8_t bits[] = {TPB_ALU_BITWISE_NOT, TPB_ALU_ARITH_SHL,
                               TPB_ALU_ARITH_SHR,   TPB_ALU_BITWISE_AND,
                               TPB_ALU_BITWISE_OR,  TPB_ALU_BITWISE_XOR,
                               TPB_ALU_LOGICAL_SHL, TPB_ALU_LOGICAL_SHR};
static const uint8_t fold[] = {
    TPB_ALU_ADD, TPB_ALU_SUBTRACT,    TPB_ALU_MULT,       TPB_ALU_MAX,
    TPB_ALU_MIN, TPB_ALU_LOGICAL_AND, TPB_ALU_LOGICAL_OR, TPB_ALU_LOGICAL_XOR};
enum { FOLD = 5 };
static const uint8_t fold_bits[] = {TPB_ALU_BITWISE_AND, TPB_ALU_BITWISE_OR,
                                    TPB_ALU_BITWISE_XOR};

static bool is_in(const uint8_t *set, int n, int x)
{
	for (int i = 0; i < n; i++)
		if (set[i] == x)
			return true;
	return false;
}

/* One of a set, or what is wanted if it is one. */
static uint8_t pick(struct vec *v, const uint8_t *set, int n, int want)
{
	want = gen_wanted(v->g, want);
	if (want >= 0 && is_in(set, n, want))
		return (uint8_t)want;
	return set[rng_below(&v->g->rng, n)];
}

static uint8_t tag_of(struct vec *v, struct tags set, int want)
{
	return pick(v, set.tag, set.n, want);
}

static uint8_t in_tag(struct vec *v, struct tags set)
{
	return tag_of(v, set, v->g->bias.vec_in);
}

static uint8_t out_tag(struct vec *v, struct tags set)
{
	return tag_of(v, set, v->g->bias.vec_out);
}

/* With the two operations of gen4. */
static uint8_t alu_of(struct vec *v, const uint8_t *set, int n, int want)
{
	if (v->g->opt->gen == 4 && rng_chance(&v->g->rng, 10))
		return rng_chance(&v->g->rng, 50) ? TPB_ALU_ABS_MAX
		                                  : TPB_ALU_ABS_MIN;
	return pick(v, set, n, want);
}

/* Elements a channel: mostly few, a product more often than a prime. */
static int elements(struct vec *v)
{
	struct rng *rng = &v->g->rng;
	int n = 1, factors = rng_range(rng, 0, 3);

	if (!v->brief)
		return rng_chance(rng, 50) ? rng_range(rng, 64, 2000)
		                           : 1 << rng_range(rng, 6, 10);
	if (rng_chance(rng, 20))
		return rng_range(rng, 1, 24);
	while (factors-- > 0)
		n *= rng_range(rng, 2, 4);
	return n > 48 ? n / 6 : n;
}

/* Scalar k; its kind is wanted in the bias of the same number. */
static int scalar(struct vec *v, int k, int kind_at, int word_at, int size)
{
	int want = k ? v->g->bias.vec_kind1 : v->g->bias.vec_kind0;
	int kind =
	    vec_scalar(v, k, kind_at, word_at, size, gen_wanted(v->g, want));

	if (kind == TPB_IMM_INLINE && rng_chance(&v->g->rng, 60))
		v->o[VEC_WALKS + k].word = vec_value(v->g);
	return kind;
}

/* ------------------------------------------------------------------ *
 * Element by element.                                                *
 * ------------------------------------------------------------------ */

static void channels(struct vec *v, int at)
{
	v->b[at] = (uint8_t)v->ch;
}

static void tensor_tensor(struct vec *v, bool on_bits)
{
	struct gen *g = v->g;
	struct tags in = on_bits ? INT : DP, out = on_bits ? INT : DPR;
	bool words = !on_bits && rng_chance(&g->rng, 25);
	int n = elements(v);
	uint8_t a, b, c, op;

	op = on_bits ? pick(v, bits, COUNT(bits), g->bias.vec_alu)
	             : alu_of(v, arith, COUNT(arith), g->bias.vec_alu);
	if (!on_bits && is_in(band, COUNT(band), g->bias.vec_alu))
		words = true;
	if (words && g->bias.vec_in < 0)
		in = out = WORD;
	a = in_tag(v, in);
	do {
		b = tag_of(v, in, g->bias.vec_in1);
		c = out_tag(v, out);
	} while (on_bits && (isa_dtype_size(b) != isa_dtype_size(a) ||
	                     isa_dtype_size(c) != isa_dtype_size(a)));
	if (words && is_in(WORD.tag, 2, a) && is_in(WORD.tag, 2, b) &&
	    is_in(WORD.tag, 2, c) && rng_chance(&g->rng, 60))
		op = pick(v, band, COUNT(band), g->bias.vec_alu);
	v->b[0x0C] = (uint8_t)(a | b << 4);
	v->b[0x0D] = c;
	v->b[0x0E] = op;
	channels(v, 0x0F);
	vec_walk(v, 0, 0x10, 3, a, n);
	vec_walk(v, 1, 0x20, 3, b, n);
	vec_walk(v, 2, 0x30, 3, c, n);
}

static bool is_left(uint8_t op)
{
	return op == TPB_ALU_ARITH_SHL || op == TPB_ALU_LOGICAL_SHL;
}

static bool is_right(uint8_t op)
{
	return op == TPB_ALU_ARITH_SHR || op == TPB_ALU_LOGICAL_SHR;
}

static void tensor_scalar(struct vec *v, bool on_bits)
{
	struct gen *g = v->g;
	uint8_t a = in_tag(v, on_bits ? INT : DP);
	uint8_t c = on_bits ? a : out_tag(v, DPR);
	int n = elements(v), size = on_bits ? isa_dtype_size(a) : 4;
	int rev = gen_wanted(g, g->bias.vec_rev);
	uint8_t op0, op1;

	do {
		if (on_bits) {
			op0 = pick(v, bits, COUNT(bits), g->bias.vec_alu);
			op1 = pick(v, bits, COUNT(bits), g->bias.vec_alu1);
		} else {
			op0 = alu_of(v, arith, COUNT(arith), g->bias.vec_alu);
			op1 = alu_of(v, arith, COUNT(arith), g->bias.vec_alu1);
		}
		if (rng_chance(&g->rng, 15))
			op1 = 0;
		if (!op0)
			op1 = 0;
	} while (on_bits && size != 4 &&
	         ((is_left(op0) && is_right(op1)) ||
	          (is_right(op0) && is_left(op1))));
	v->b[0x20] = a;
	v->b[0x21] = c;
	v->b[0x24] = op0;
	v->b[0x25] = op1;
	v->b[0x26] = (uint8_t)(rev >= 0 ? rev : rng_below(&g->rng, 4));
	channels(v, 0x22);
	scalar(v, 0, 0x23, 0x28, size);
	scalar(v, 1, 0x27, 0x2C, size);
	vec_walk(v, 0, 0x10, 3, a, n);
	vec_walk(v, 2, 0x30, 3, c, n);
}

/* 0x9A, 0xE6. */
static void tensor_scalar_fold(struct vec *v, bool reduce)
{
	struct gen *g = v->g;
	uint8_t a = in_tag(v, NW), c = out_tag(v, NWR);
	int n = elements(v), rev = gen_wanted(g, g->bias.vec_rev);
	int cmd = gen_wanted(g, g->bias.vec_cmd);
	bool one = reduce && rng_chance(&g->rng, 60);

	v->b[0x0C] = (uint8_t)(cmd >= 0 ? cmd
	                                : rng_range(&g->rng, TPB_ACC_ACCUMULATE,
	                                            TPB_ACC_LOAD_ACC));
	v->b[0x20] = a;
	v->b[0x21] = c;
	v->b[0x24] = alu_of(v, arith, GENERAL, g->bias.vec_alu);
	v->b[0x25] = pick(v, fold, FOLD, g->bias.vec_alu1);
	v->b[0x26] = (uint8_t)(rev >= 0 ? rev : rng_below(&g->rng, 4));
	channels(v, 0x22);
	scalar(v, 0, 0x23, 0x28, 4);
	if (v->b[0x0C] == TPB_ACC_LOAD_ACC)
		scalar(v, 1, 0x27, 0x2C, 4);
	vec_walk(v, 0, 0x10, 3, a, n);
	vec_walk(v, 2, 0x30, 3, c, one ? 1 : n);
}

/* 0x46, 0x47, 0x48. */
static void copy(struct vec *v, uint8_t op)
{
	uint8_t a = in_tag(v, op == TPB_OP_RECIPROCAL ? DP : DPR), c;
	int n = elements(v);

	do {
		c = out_tag(v, DPR);
	} while (op == TPB_OP_COPY && isa_dtype_size(a) != isa_dtype_size(c));
	v->b[0x20] = a;
	v->b[0x21] = c;
	channels(v, 0x22);
	vec_walk(v, 0, 0x0C, 4, a, n);
	vec_walk(v, 2, 0x2C, 4, c, n);
}

static void memset_(struct vec *v)
{
	uint8_t c = out_tag(v, DPR);
	int n = elements(v);

	v->b[0x20] = c;
	channels(v, 0x22);
	gen_word(v->b, 0x1C, (uint32_t)n);
	gen_word(v->b, 0x28,
	         rng_chance(&v->g->rng, 70) ? vec_special(v->g, c)
	                                    : gen_value(v->g));
	vec_walk(v, 2, 0x2C, 4, c, n);
}

static void iota(struct vec *v)
{
	uint8_t c = out_tag(v, DPR);
	int n = elements(v);

	v->b[0x21] = c;
	channels(v, 0x22);
	gen_word(v->b, 0x24, gen_value(v->g));
	vec_generator(v, n);
	vec_walk(v, 2, 0x2C, 4, c, n);
}

/* ------------------------------------------------------------------ *
 * Folds.                                                             *
 * ------------------------------------------------------------------ */

static void tensor_reduce(struct vec *v, bool on_bits)
{
	struct gen *g = v->g;
	uint8_t a = in_tag(v, on_bits ? INT : DP), c = 0;
	int n = elements(v), m = 1;

	do {
		c = out_tag(v, on_bits ? INT : DPR);
		if (!on_bits && is_in(WORD.tag, 2, a) && g->bias.vec_out < 0 &&
		    rng_chance(&g->rng, 40))
			c = tag_of(v, WORD, -1);
	} while (on_bits && isa_dtype_size(a) != isa_dtype_size(c));
	do {
		m = rng_chance(&g->rng, 40) ? 1 : rng_range(&g->rng, 1, n);
	} while (n % m);
	v->b[0x20] = a;
	v->b[0x21] = c;
	channels(v, 0x22);
	v->b[0x24] = on_bits ? pick(v, fold_bits, 3, g->bias.vec_alu)
	                     : alu_of(v, fold, COUNT(fold), g->bias.vec_alu);
	v->b[0x23] = on_bits ? 0 : (uint8_t)rng_below(&g->rng, 2);
	v->b[0x25] = (uint8_t)rng_range(&g->rng, 2, 5);
	vec_walk(v, 0, 0x0C, 4, a, n);
	vec_walk(v, 2, 0x2C, 4, c, m);
}

static void read_acc(struct vec *v)
{
	uint8_t c = out_tag(v, ACC);

	v->b[0x20] = c;
	v->b[0x21] = (uint8_t)rng_below(&v->g->rng, 2);
	channels(v, 0x22);
	gen_word(v->b, 0x1C, 1);
	vec_walk(v, 2, 0x2C, 1, c, 1);
}

/* ------------------------------------------------------------------ *
 * Search.                                                            *
 * ------------------------------------------------------------------ */

/* 0x6C, 0x6E, 0x6F. */
static void search(struct vec *v, uint8_t op)
{
	static const uint8_t index[] = {TPB_DTYPE_UINT16, TPB_DTYPE_UINT32};
	uint8_t a = in_tag(v, NW), c = a;
	int n;

	do {
		n = elements(v);
	} while (n < 8);
	if (op == TPB_OP_MAX8)
		c = out_tag(v, NWR);
	else if (op == TPB_OP_FIND_INDEX8)
		c = pick(v, index, 2, v->g->bias.vec_out);
	v->b[0x20] = a;
	v->b[0x21] = c;
	channels(v, 0x22);
	vec_walk(v, 0, 0x0C, 4, a, n);
	if (op != TPB_OP_MATCH_REPLACE8) {
		vec_walk(v, 2, 0x30, 2, c, 8);
		return;
	}
	gen_word(v->b, 0x28, vec_value(v->g));
	vec_walk(v, 2, 0x2C, 4, c, n);
}

static void match_load(struct vec *v)
{
	uint8_t a = in_tag(v, NW);

	v->b[0x20] = a;
	channels(v, 0x22);
	vec_walk(v, 0, 0x10, 2, a, 8);
}

/* ------------------------------------------------------------------ *
 * Under a mask.                                                      *
 * ------------------------------------------------------------------ */

static void copy_predicated(struct vec *v, uint8_t op)
{
	uint8_t m = tag_of(v, INT, v->g->bias.vec_in1), a = in_tag(v, DP);
	uint8_t c = op == TPB_OP_COPY_PRED ? a : out_tag(v, DP);
	int n = elements(v);

	v->b[0x0C] = (uint8_t)(m | a << 4);
	v->b[0x0D] = c;
	channels(v, 0x0F);
	vec_walk(v, 0, 0x10, 3, m, n);
	vec_walk(v, 1, 0x20, 3, a, n);
	vec_walk(v, 2, 0x30, 3, c, n);
}

static void copy_predicated_scalar(struct vec *v)
{
	uint8_t m = tag_of(v, INT, v->g->bias.vec_in1), c = out_tag(v, DP);
	int n = elements(v);

	v->b[0x20] = m;
	v->b[0x21] = (uint8_t)rng_below(&v->g->rng, 2);
	v->b[0x29] = v->b[0x2A] = c;
	channels(v, 0x22);
	scalar(v, 0, 0x2B, 0x2C, isa_dtype_size(c));
	vec_walk(v, 0, 0x10, 3, m, n);
	vec_walk(v, 2, 0x30, 3, c, n);
}

void vec_payload(struct vec *v, uint8_t op)
{
	switch (op) {
	case TPB_OP_TT_ARITH: tensor_tensor(v, false); break;
	case TPB_OP_TT_BITVEC: tensor_tensor(v, true); break;
	case TPB_OP_TS_ARITH: tensor_scalar(v, false); break;
	case TPB_OP_TS_BITVEC: tensor_scalar(v, true); break;
	case TPB_OP_TS_REDUCE: tensor_scalar_fold(v, true); break;
	case TPB_OP_TS_CUMULATIVE: tensor_scalar_fold(v, false); break;
	case TPB_OP_TR_ARITH: tensor_reduce(v, false); break;
	case TPB_OP_TR_BITVEC: tensor_reduce(v, true); break;
	case TPB_OP_COPY:
	case TPB_OP_CAST:
	case TPB_OP_RECIPROCAL: copy(v, op); break;
	case TPB_OP_MEMSET: memset_(v); break;
	case TPB_OP_IOTA: iota(v); break;
	case TPB_OP_MAX8:
	case TPB_OP_FIND_INDEX8:
	case TPB_OP_MATCH_REPLACE8: search(v, op); break;
	case TPB_OP_MATCH_LOAD: match_load(v); break;
	case TPB_OP_COPY_PRED:
	case TPB_OP_CAST_PRED: copy_predicated(v, op); break;
	case TPB_OP_COPY_PRED_SCALAR: copy_predicated_scalar(v); break;
	case TPB_OP_READ_ACC: read_acc(v); break;
	default: break;
	}
}
