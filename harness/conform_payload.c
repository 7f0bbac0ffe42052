/* SPDX-License-Identifier: Apache-2.0
 *
 * What each op asks for: its fields apart from addresses, steps and counts.
 *
 * Facts: docs/reference/decode.md, "Vector bundles"; vector.md, "Operands".
 */
#include "harness/conform_making.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const uint8_t arith[] = {
    TPB_ALU_BYPASS,       TPB_ALU_ADD,        TPB_ALU_SUBTRACT,
    TPB_ALU_MULT,         TPB_ALU_MAX,        TPB_ALU_MIN,
    TPB_ALU_LOGICAL_AND,  TPB_ALU_LOGICAL_OR, TPB_ALU_LOGICAL_XOR,
    TPB_ALU_IS_EQUAL,     TPB_ALU_IS_GT,      TPB_ALU_IS_GE,
    TPB_ALU_IS_LE,        TPB_ALU_IS_LT,      TPB_ALU_NOT_EQUAL,
    TPB_ALU_ABS,          TPB_ALU_DIVIDE,     TPB_ALU_MOD,
    TPB_ALU_RSQRT,        TPB_ALU_ADD_INT,    TPB_ALU_MULT_INT,
    TPB_ALU_SUBTRACT_INT, TPB_ALU_DIVIDE_INT, TPB_ALU_MOD_INT};
enum { GENERAL = 16, ARITH = 19, BAND = 24 }; /* of them */
static const uint8_t bits[] = {
    TPB_ALU_BITWISE_NOT, TPB_ALU_ARITH_SHL,   TPB_ALU_ARITH_SHR,
    TPB_ALU_BITWISE_AND, TPB_ALU_BITWISE_OR,  TPB_ALU_BITWISE_XOR,
    TPB_ALU_LOGICAL_SHL, TPB_ALU_LOGICAL_SHR, TPB_ALU_BYPASS};
enum { BITS = 8 }; /* bypass only as a second one */
static const uint8_t folds[] = {
    TPB_ALU_ADD, TPB_ALU_SUBTRACT,    TPB_ALU_MULT,       TPB_ALU_MAX,
    TPB_ALU_MIN, TPB_ALU_LOGICAL_AND, TPB_ALU_LOGICAL_OR, TPB_ALU_LOGICAL_XOR};
enum { FOLD = 5 };

static uint8_t pick(struct making *v, const uint8_t *set, int n)
{
	return set[rng_below(&v->rng, n)];
}

uint8_t making_fold(struct making *v)
{
	return pick(v, folds, FOLD);
}

static void walk(struct making *v, int i, int at, int dims, uint8_t tag)
{
	v->o[i].on = true;
	v->o[i].at = at;
	v->o[i].dims = dims;
	v->o[i].tag = tag;
	v->o[i].size = (uint8_t)isa_dtype_size(tag);
}

/* A scalar; its place is found later if it is in memory. */
static void scalar(struct making *v, int i, int kind_at, int word_at,
                   uint8_t tag)
{
	bool points =
	    rng_chance(&v->rng, v->c->class == CLASS_POINTER ? 75 : 5);

	if (v->c->class == CLASS_POINTER && i == 0)
		points = true;
	v->word[i] = conform_value(&v->rng, tag, &v->c->values);
	v->kind_at[i] = kind_at;
	v->s[i] = (struct conform_operand){
	    .on = true, .scalar = points, .tag = tag, .at = word_at};
	v->s[i].size = (uint8_t)isa_dtype_size(tag);
}

static bool is_word(uint8_t tag)
{
	return tag == TPB_DTYPE_INT32 || tag == TPB_DTYPE_UINT32;
}

static void pairs(struct making *v)
{
	const struct conform_combo *k = v->k;
	bool words = is_word(k->in0) && is_word(k->in1) && is_word(k->out);

	v->b[0x0C] = (uint8_t)(k->in0 | k->in1 << 4);
	v->b[0x0D] = k->out;
	v->b[0x0F] = (uint8_t)v->c->ch;
	if (k->op == TPB_OP_TT_BITVEC)
		v->b[0x0E] = pick(v, bits, BITS);
	if (k->op == TPB_OP_TT_ARITH)
		v->b[0x0E] = pick(v, arith, words ? BAND : ARITH);
	walk(v, 0, 0x10, 3, k->in0);
	walk(v, 1, 0x20, 3, k->in1);
	walk(v, 2, 0x30, 3, k->out);
}

static bool is_shift(uint8_t op, bool left)
{
	if (left)
		return op == TPB_ALU_ARITH_SHL || op == TPB_ALU_LOGICAL_SHL;
	return op == TPB_ALU_ARITH_SHR || op == TPB_ALU_LOGICAL_SHR;
}

static void bit_operations(struct making *v)
{
	uint8_t a, b;

	do {
		a = pick(v, bits, BITS);
		b = pick(v, bits, COUNT(bits));
	} while (isa_dtype_size(v->k->in0) < 4 &&
	         ((is_shift(a, true) && is_shift(b, false)) ||
	          (is_shift(a, false) && is_shift(b, true))));
	v->b[0x24] = a;
	v->b[0x25] = b;
}

static void tensor_scalar(struct making *v)
{
	const struct conform_combo *k = v->k;
	uint8_t tag = k->op == TPB_OP_TS_BITVEC ? k->in0 : TPB_DTYPE_FLOAT32;
	bool fold = k->op == TPB_OP_TS_REDUCE || k->op == TPB_OP_TS_CUMULATIVE;

	v->b[0x20] = k->in0;
	v->b[0x21] = k->out;
	v->b[0x26] = (uint8_t)rng_below(&v->rng, 4);
	if (k->op == TPB_OP_TS_BITVEC) {
		bit_operations(v);
	} else if (fold) {
		v->b[0x0C] = (uint8_t)rng_range(&v->rng, TPB_ACC_ACCUMULATE,
		                                TPB_ACC_LOAD_ACC);
		v->b[0x24] = pick(v, arith, GENERAL);
		v->b[0x25] = pick(v, folds, FOLD);
	} else {
		v->b[0x24] = pick(v, arith, ARITH);
		if (v->b[0x24] != TPB_ALU_BYPASS)
			v->b[0x25] = pick(v, arith, ARITH);
	}
	scalar(v, 0, 0x23, 0x28, tag);
	if (!fold || v->b[0x0C] == TPB_ACC_LOAD_ACC)
		scalar(v, 1, 0x27, 0x2C, tag);
	walk(v, 0, 0x10, 3, k->in0);
	walk(v, 2, 0x30, 3, k->out);
}

static void reduce(struct making *v)
{
	if (v->k->op == TPB_OP_TR_BITVEC) {
		v->b[0x24] =
		    (uint8_t)(TPB_ALU_BITWISE_AND + rng_below(&v->rng, 3));
	} else {
		v->b[0x24] = pick(v, folds, COUNT(folds));
		v->b[0x23] = (uint8_t)rng_below(&v->rng, 2);
	}
	v->b[0x25] = (uint8_t)rng_range(&v->rng, 2, 5);
}

/* Steps and counts of Iota's index, and where it starts. */
static void iota(struct making *v)
{
	struct conform_operand o = {.at = 0x0C, .dims = 4};
	uint32_t by = rng_u32(&v->rng) >> rng_below(&v->rng, 32);

	conform_shape(&v->rng, &o, v->n, CLASS_TRANSPOSE);
	for (int d = 0; d < 4; d++)
		if (rng_chance(&v->rng, 50))
			o.step[d] = (int16_t)(rng_u32(&v->rng) >> 16);
	conform_write(v->b, &o, rng_u32(&v->rng) >> rng_below(&v->rng, 32));
	conform_put(v->b + 0x24, 4, rng_chance(&v->rng, 50) ? by : 0 - by);
	v->b[0x21] = v->k->out;
}

static void describe(struct making *v)
{
	const struct conform_combo *k = v->k;

	v->b[0x22] = (uint8_t)v->c->ch;
	v->b[0x20] = k->in0 ? k->in0 : k->out;
	v->b[0x21] = k->in0 ? k->out : 0;
	switch (k->op) {
	case TPB_OP_MEMSET:
		conform_put(v->b + 0x1C, 4, (uint32_t)v->n);
		conform_put(v->b + 0x28, 4,
		            conform_value(&v->rng, k->out, &v->c->values));
		break;
	case TPB_OP_READ_ACC:
		v->b[0x21] = (uint8_t)rng_below(&v->rng, 2);
		conform_put(v->b + 0x1C, 4, 1);
		walk(v, 2, 0x2C, 1, k->out);
		return;
	case TPB_OP_MATCH_LOAD:
		v->b[0x21] = 0;
		walk(v, 0, 0x10, 2, k->in0);
		return;
	case TPB_OP_MAX8:
	case TPB_OP_FIND_INDEX8:
		walk(v, 0, 0x0C, 4, k->in0);
		walk(v, 2, 0x30, 2, k->out);
		return;
	case TPB_OP_MATCH_REPLACE8:
		conform_put(
		    v->b + 0x28, 4,
		    conform_value(&v->rng, TPB_DTYPE_FLOAT32, &v->c->values));
		break;
	case TPB_OP_IOTA:
		v->b[0x20] = 0;
		iota(v);
		break;
	case TPB_OP_TR_ARITH:
	case TPB_OP_TR_BITVEC: reduce(v); break;
	case TPB_OP_COPY_PRED_SCALAR:
		v->b[0x21] = (uint8_t)rng_below(&v->rng, 2);
		v->b[0x29] = v->b[0x2A] = k->out;
		scalar(v, 0, 0x2B, 0x2C, k->out);
		walk(v, 0, 0x10, 3, k->in0);
		walk(v, 2, 0x30, 3, k->out);
		return;
	default: break; /* Copy, Cast, Reciprocal */
	}
	if (k->in0)
		walk(v, 0, 0x0C, 4, k->in0);
	walk(v, 2, 0x2C, 4, k->out);
}

void making_payload(struct making *v)
{
	switch (v->k->op) {
	case TPB_OP_TT_ARITH:
	case TPB_OP_TT_BITVEC:
	case TPB_OP_COPY_PRED:
	case TPB_OP_CAST_PRED: pairs(v); return;
	case TPB_OP_TS_ARITH:
	case TPB_OP_TS_BITVEC:
	case TPB_OP_TS_REDUCE:
	case TPB_OP_TS_CUMULATIVE:
		v->b[0x22] = (uint8_t)v->c->ch;
		tensor_scalar(v);
		return;
	default: describe(v); return;
	}
}
