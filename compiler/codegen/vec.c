/* SPDX-License-Identifier: Apache-2.0
 *
 * Code generation: bundles of the datapaths, one encoder a family.
 *
 * Facts: the numerics sheet's encodings, op by op.  What an operand may be is
 * the verifier's matter; what the bytes may be is isa_check()'s.
 */
#include "compiler/codegen/internal.h"

#include <string.h>

static bool is_float32(int dtype)
{
	return dtype == TPB_BIR_DTYPE_FLOAT32;
}

static int alu(struct codegen *c, int op)
{
	if (op == TPB_BIR_ALU_POW && !c->lenient)
		codegen_fail(c, CGN_ENGINE,
		             "the vector units of this version have no pow; "
		             "multiply, or take the values from a tensor");
	return codegen_wire(c, "ALU", op, "ALU op");
}

/* in_dtype, out_dtype, ch of the records that have them so. */
static void types(struct codegen *c, uint8_t *b, const struct bir_arg *src,
                  const struct bir_arg *dst)
{
	codegen_set(c, b, "in_dtype", codegen_dtype(c, src->dtype));
	codegen_set(c, b, "out_dtype", codegen_dtype(c, dst->dtype));
	codegen_set(c, b, "ch", codegen_channels(dst));
}

static void tensor_tensor(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b =
	    codegen_begin(c, bir_alu_on_bits(i->u.alu.op0) ? TPB_OP_TT_BITVEC
	                                                   : TPB_OP_TT_ARITH);

	codegen_set(c, b, "in0_dtype", codegen_dtype(c, i->in[0]->dtype));
	codegen_set(c, b, "in1_dtype", codegen_dtype(c, i->in[1]->dtype));
	codegen_set(c, b, "out_dtype", codegen_dtype(c, i->out[0]->dtype));
	codegen_set(c, b, "alu", alu(c, i->u.alu.op0));
	codegen_set(c, b, "ch", codegen_channels(i->out[0]));
	codegen_pattern(c, b, "src0", i->in[0]);
	codegen_pattern(c, b, "src1", i->in[1]);
	codegen_pattern(c, b, "dst", i->out[0]);
}

/* ---- scalars ---- */

/* An inline scalar of an arithmetic op is an fp32 word. */
static uint32_t inline_word(struct codegen *c, const struct bir_arg *a,
                            bool bits)
{
	float f;
	uint32_t w;

	if (bits || is_float32(a->dtype))
		return (uint32_t)a->imm;
	if (a->dtype != TPB_BIR_DTYPE_INT32)
		codegen_fail(c, CGN_OPERAND,
		             "a scalar of dtype %s; write a float32",
		             bir_dtype_text(a->dtype));
	f = (float)(int32_t)a->imm;
	memcpy(&w, &f, sizeof(w));
	return w;
}

/* Kind and word of a scalar; bits: it is not widened but taken as it is. */
static void scalar(struct codegen *c, uint8_t *b, int n,
                   const struct bir_arg *a, bool bits)
{
	const char *kind = n ? "imm1_kind" : "imm0_kind";
	const char *word = n ? "imm1" : "imm0";

	if (a->kind == BIR_ARG_IMM) {
		codegen_set(c, b, kind, TPB_IMM_INLINE);
		codegen_set(c, b, word, inline_word(c, a, bits));
		return;
	}
	if (!bir_is_ap(a) || bir_ap_free(a) != 1) {
		codegen_fail(c, CGN_OPERAND,
		             "a scalar is neither an immediate nor one element "
		             "a partition; load it into a tile");
		return;
	}
	if (!bits && !is_float32(a->dtype))
		codegen_fail(c, CGN_OPERAND,
		             "a scalar in memory of dtype %s; store a float32",
		             bir_dtype_text(a->dtype));
	if (a->kind == BIR_ARG_REGAP) {
		codegen_set(c, b, kind, TPB_IMM_REG);
		codegen_set(c, b, word, codegen_addr_reg(c, a, 0));
	} else {
		codegen_set(c, b, kind, TPB_IMM_POINTER);
		codegen_set(c, b, word, codegen_addr4(c, a));
	}
}

static uint8_t scalar_opcode(struct codegen *c, const struct bir_alu *u)
{
	if (u->acc != TPB_BIR_ACC_IDLE)
		return TPB_OP_TS_REDUCE;
	if (bir_alu_on_bits(u->op0)) {
		if (u->transpose)
			codegen_fail(c, CGN_OPERAND,
			             "a transposing bit operation; transpose "
			             "by itself");
		return TPB_OP_TS_BITVEC;
	}
	return u->transpose ? TPB_OP_TS_ARITH_T : TPB_OP_TS_ARITH;
}

static void tensor_scalar(struct codegen *c, const struct bir_inst *i)
{
	const struct bir_alu *u = &i->u.alu;
	uint8_t op = scalar_opcode(c, u);
	uint8_t *b = codegen_begin(c, op);

	types(c, b, i->in[0], i->out[0]);
	if (op == TPB_OP_TS_REDUCE)
		codegen_set(c, b, "acc",
		            codegen_wire(c, "ACC", u->acc, "accumulation"));
	codegen_set(c, b, "op0", alu(c, u->op0));
	codegen_set(c, b, "op1", alu(c, u->op1));
	codegen_set(c, b, "reverse", (u->rev0 ? 1 : 0) | (u->rev1 ? 2 : 0));
	scalar(c, b, 0, i->in[1], bir_alu_on_bits(u->op0));
	if (i->nin > 2 && i->in[2])
		scalar(c, b, 1, i->in[2], bir_alu_on_bits(u->op0));
	codegen_pattern(c, b, "src", i->in[0]);
	codegen_pattern(c, b, "dst", i->out[0]);
}

/* ---- one source ---- */

static void tensor_reduce(struct codegen *c, const struct bir_inst *i)
{
	const struct bir_alu *u = &i->u.alu;
	bool bits = bir_alu_on_bits(u->op0);
	uint8_t *b;

	if (u->transpose)
		b = codegen_begin(c, bits ? TPB_OP_TR_BITVEC_T
		                          : TPB_OP_TR_ARITH_T);
	else
		b = codegen_begin(c, bits ? TPB_OP_TR_BITVEC : TPB_OP_TR_ARITH);
	types(c, b, i->in[0], i->out[0]);
	if (!bits)
		codegen_set(c, b, "negate", u->negate);
	else if (u->negate)
		codegen_fail(c, CGN_OPERAND,
		             "a negated bit operation; leave out the negation");
	codegen_set(c, b, "alu", alu(c, u->op0));
	codegen_set(c, b, "axis", codegen_wire(c, "AXIS", u->axis, "axis"));
	codegen_pattern(c, b, "src", i->in[0]);
	codegen_pattern(c, b, "dst", i->out[0]);
}

static void unary(struct codegen *c, const struct bir_inst *i, uint8_t op)
{
	uint8_t *b = codegen_begin(c, op);

	types(c, b, i->in[0], i->out[0]);
	codegen_pattern(c, b, "src", i->in[0]);
	codegen_pattern(c, b, "dst", i->out[0]);
}

static void copy(struct codegen *c, const struct bir_inst *i)
{
	unary(c, i,
	      i->in[0]->dtype == i->out[0]->dtype ? TPB_OP_COPY : TPB_OP_CAST);
}

/* ---- fills ---- */

static void fill(struct codegen *c, const struct bir_inst *i)
{
	const struct bir_arg *dst = i->out[0];
	uint8_t *b =
	    codegen_begin(c, i->u.memset.random ? TPB_OP_RNG : TPB_OP_MEMSET);

	codegen_set(c, b, "dtype", codegen_dtype(c, dst->dtype));
	codegen_set(c, b, "ch", codegen_channels(dst));
	codegen_set(c, b, "count", bir_ap_free(dst));
	if (!i->u.memset.random)
		codegen_set(c, b, "fill", i->u.memset.fill);
	codegen_pattern(c, b, "dst", dst);
}

static void iota(struct codegen *c, const struct bir_inst *i)
{
	static const char *const step[] = {"step0", "step1", "step2", "step3"};
	static const char *const num[] = {"num0", "num1", "num2", "num3"};
	const struct bir_iota *u = &i->u.iota;
	uint8_t *b = codegen_begin(c, TPB_OP_IOTA);

	codegen_set(c, b, "base", u->base);
	for (int d = 0; d < 4; d++) {
		bool used = d < u->npair;

		codegen_set(c, b, step[d],
		            used ? u->pair[u->npair - 1 - d].step : 1);
		codegen_set(c, b, num[d],
		            used ? u->pair[u->npair - 1 - d].num : 1);
	}
	codegen_set(c, b, "out_dtype", codegen_dtype(c, i->out[0]->dtype));
	codegen_set(c, b, "ch", codegen_channels(i->out[0]));
	codegen_set(c, b, "multiplier", u->mult);
	codegen_pattern(c, b, "dst", i->out[0]);
}

/* ---- search ---- */

static void max8(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b = codegen_begin(c, TPB_OP_MAX8);

	types(c, b, i->in[0], i->out[0]);
	codegen_pattern(c, b, "src", i->in[0]);
	/* The smallest leaves the engine first. */
	codegen_backward(c, b, "dst", i->out[0]);
}

static void match_load(struct codegen *c, const struct bir_arg *values,
                       bool backward)
{
	uint8_t *b = codegen_begin(c, TPB_OP_MATCH_LOAD);

	codegen_set(c, b, "dtype", codegen_dtype(c, values->dtype));
	codegen_set(c, b, "ch", codegen_channels(values));
	if (backward)
		codegen_backward(c, b, "values", values);
	else
		codegen_pattern(c, b, "values", values);
}

/* Backward, so that slot r is values[r]. */
static void max_index(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b;

	match_load(c, i->in[0], true);
	b = codegen_begin(c, TPB_OP_FIND_INDEX8);
	types(c, b, i->in[1], i->out[0]);
	codegen_pattern(c, b, "src", i->in[1]);
	codegen_pattern(c, b, "dst", i->out[0]);
}

static void match_replace(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b;

	match_load(c, i->in[0], false);
	b = codegen_begin(c, TPB_OP_MATCH_REPLACE8);
	types(c, b, i->in[1], i->out[0]);
	codegen_set(c, b, "value", i->u.replace);
	codegen_pattern(c, b, "src", i->in[1]);
	codegen_pattern(c, b, "dst", i->out[0]);
}

/* ---- predicated copies ---- */

static bool is_scalar(const struct bir_inst *i)
{
	const struct bir_arg *src = i->in[1];

	return src->kind == BIR_ARG_IMM ||
	       (bir_is_ap(src) && bir_ap_free(src) == 1 &&
	        bir_ap_free(i->out[0]) != 1);
}

/* The wire bit has the sense of "where true"; the IR's `reverse` the other.
 * The marker of lower_select changes nothing (design 3.1). */
static void copy_scalar(struct codegen *c, const struct bir_inst *i)
{
	const struct bir_arg *mask = i->in[0], *src = i->in[1];
	uint8_t *b = codegen_begin(c, TPB_OP_COPY_PRED_SCALAR);

	if (src->dtype != i->out[0]->dtype)
		codegen_fail(c, CGN_OPERAND,
		             "scalar of dtype %s for a destination of %s; "
		             "convert it",
		             bir_dtype_text(src->dtype),
		             bir_dtype_text(i->out[0]->dtype));
	codegen_set(c, b, "mask_dtype", codegen_dtype(c, mask->dtype));
	codegen_set(c, b, "reversed", i->u.cpred.reverse ? 0 : 1);
	codegen_set(c, b, "ch", codegen_channels(i->out[0]));
	codegen_set(c, b, "imm0_dtype", codegen_dtype(c, src->dtype));
	codegen_set(c, b, "out_dtype", codegen_dtype(c, i->out[0]->dtype));
	scalar(c, b, 0, src, true);
	codegen_pattern(c, b, "mask", mask);
	codegen_pattern(c, b, "dst", i->out[0]);
}

static void copy_predicated(struct codegen *c, const struct bir_inst *i)
{
	const struct bir_arg *mask = i->in[0], *src = i->in[1];
	uint8_t *b;

	if (i->u.cpred.reduce) {
		codegen_fail(c, CGN_OPERAND,
		             "a reducing predicated copy is not built; reduce "
		             "by itself");
		return;
	}
	if (is_scalar(i)) {
		copy_scalar(c, i);
		return;
	}
	if (i->u.cpred.reverse)
		codegen_fail(c, CGN_OPERAND,
		             "a reversed predicate takes a scalar source; "
		             "invert the mask");
	b = codegen_begin(c, src->dtype == i->out[0]->dtype ? TPB_OP_COPY_PRED
	                                                    : TPB_OP_CAST_PRED);
	codegen_set(c, b, "mask_dtype", codegen_dtype(c, mask->dtype));
	codegen_set(c, b, "src_dtype", codegen_dtype(c, src->dtype));
	codegen_set(c, b, "out_dtype", codegen_dtype(c, i->out[0]->dtype));
	codegen_set(c, b, "ch", codegen_channels(i->out[0]));
	codegen_pattern(c, b, "mask", mask);
	codegen_pattern(c, b, "src", src);
	codegen_pattern(c, b, "dst", i->out[0]);
}

static void read_accumulator(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b = codegen_begin(c, TPB_OP_READ_ACC);

	codegen_set(c, b, "dtype", codegen_dtype(c, i->out[0]->dtype));
	codegen_set(c, b, "negate", i->u.negated);
	codegen_set(c, b, "ch", codegen_channels(i->out[0]));
	codegen_pattern(c, b, "dst", i->out[0]);
}

bool codegen_vec(struct codegen *c, const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_TENSOR_TENSOR: tensor_tensor(c, i); return true;
	case BIR_IT_TENSOR_SCALAR:
	case BIR_IT_TENSOR_SCALAR_PTR: tensor_scalar(c, i); return true;
	case BIR_IT_TENSOR_REDUCE: tensor_reduce(c, i); return true;
	case BIR_IT_TENSOR_COPY: copy(c, i); return true;
	case BIR_IT_RECIPROCAL: unary(c, i, TPB_OP_RECIPROCAL); return true;
	case BIR_IT_MEMSET: fill(c, i); return true;
	case BIR_IT_IOTA: iota(c, i); return true;
	case BIR_IT_MAX: max8(c, i); return true;
	case BIR_IT_MAX_INDEX: max_index(c, i); return true;
	case BIR_IT_MATCH_REPLACE: match_replace(c, i); return true;
	case BIR_IT_COPY_PREDICATED: copy_predicated(c, i); return true;
	case BIR_IT_DVE_READ_ACC: read_accumulator(c, i); return true;
	default: return false;
	}
}
