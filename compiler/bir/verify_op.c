/* SPDX-License-Identifier: Apache-2.0
 *
 * What each op demands of its operands and fields beyond their roles: dtype
 * sets, equal element counts, classes of ALU operations, memories.  The sets
 * are those that the engines check (docs/reference/opcodes.md).
 */
#include "compiler/bir/verify.h"

#include <inttypes.h>

#define BIT(d) (1u << TPB_BIR_DTYPE_##d)
#define INTS                                                               \
	(BIT(UINT8) | BIT(INT8) | BIT(UINT16) | BIT(INT16) | BIT(UINT32) | \
	 BIT(INT32))
#define INT32S (BIT(UINT32) | BIT(INT32))
#define FLOATS                                                                 \
	(BIT(FP8E3) | BIT(FP8E4) | BIT(FP8E4FN) | BIT(FP8E5) | BIT(BFLOAT16) | \
	 BIT(FLOAT16) | BIT(FLOAT32))
#define DP (INTS | FLOATS)
#define ROUND BIT(FLOAT32R)

enum alu_class { ALU_NONE, ALU_ARITH, ALU_BITS };

static enum alu_class alu_class(int op)
{
	switch (op) {
	case TPB_BIR_ALU_BITWISE_NOT:
	case TPB_BIR_ALU_ARITH_SHL:
	case TPB_BIR_ALU_ARITH_SHR:
	case TPB_BIR_ALU_BITWISE_AND:
	case TPB_BIR_ALU_BITWISE_OR:
	case TPB_BIR_ALU_BITWISE_XOR:
	case TPB_BIR_ALU_LOGICAL_SHL:
	case TPB_BIR_ALU_LOGICAL_SHR: return ALU_BITS;
	case TPB_BIR_ALU_AVERAGE:
	case TPB_BIR_ALU_ELEMWISE_MUL: return ALU_NONE;
	default:
		return op >= 0 && op <= TPB_BIR_ALU_MOD_INT ? ALU_ARITH
		                                            : ALU_NONE;
	}
}

static bool dtype_in(const struct verify *v, const struct bir_inst *i,
                     const struct bir_arg *a, unsigned set, const char *role)
{
	if (a && !(set >> a->dtype & 1))
		return verify_fail(v, i, "BIR013", "%s cannot be %s", role,
		                   bir_dtype_text(a->dtype));
	return true;
}

static bool same_size(const struct verify *v, const struct bir_inst *i,
                      const struct bir_arg *a, const struct bir_arg *b)
{
	if (bir_dtype_size(a->dtype) != bir_dtype_size(b->dtype))
		return verify_fail(v, i, "BIR013", "%s and %s differ in size",
		                   bir_dtype_text(a->dtype),
		                   bir_dtype_text(b->dtype));
	return true;
}

static bool same_count(const struct verify *v, const struct bir_inst *i,
                       const struct bir_arg *a, const struct bir_arg *b)
{
	if (a->pair[0].num != b->pair[0].num)
		return verify_fail(v, i, "BIR014",
		                   "%" PRId64 " partitions and %" PRId64
		                   " differ",
		                   a->pair[0].num, b->pair[0].num);
	if (bir_ap_free(a) != bir_ap_free(b))
		return verify_fail(v, i, "BIR014",
		                   "%" PRId64 " elements a partition and "
		                   "%" PRId64 " differ",
		                   bir_ap_free(a), bir_ap_free(b));
	return true;
}

static bool has_count(const struct verify *v, const struct bir_inst *i,
                      const struct bir_arg *a, int64_t lo, int64_t hi,
                      const char *role)
{
	int64_t n = bir_ap_free(a);

	if (n < lo || n > hi)
		return verify_fail(v, i, "BIR014",
		                   "%s has %" PRId64 " elements a partition; "
		                   "%" PRId64 "..%" PRId64 " are legal",
		                   role, n, lo, hi);
	return true;
}

/* [P,1] beside data of P partitions. */
static bool scalar_ok(const struct verify *v, const struct bir_inst *i,
                      const struct bir_arg *s, const struct bir_arg *data,
                      unsigned set, const char *role)
{
	if (!s)
		return true;
	if (!dtype_in(v, i, s, set, role))
		return false;
	if (!bir_is_ap(s))
		return true;
	if (bir_ap_free(s) != 1 || s->pair[0].num != data->pair[0].num)
		return verify_fail(v, i, "BIR014",
		                   "%s must be one element a partition", role);
	return true;
}

static bool tensor_tensor(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *a = i->in[0], *b = i->in[1], *out = i->out[0];
	enum alu_class k = alu_class(i->u.alu.op0);
	unsigned in = k == ALU_BITS ? INTS : DP;

	if (k == ALU_NONE)
		return verify_fail(v, i, "BIR022", "no such operation");
	return dtype_in(v, i, a, in, "src0") && dtype_in(v, i, b, in, "src1") &&
	       dtype_in(v, i, out, k == ALU_BITS ? INTS : DP | ROUND, "dst") &&
	       (k != ALU_BITS ||
	        (same_size(v, i, a, b) && same_size(v, i, a, out))) &&
	       same_count(v, i, a, out) && same_count(v, i, b, out);
}

static bool left_shift(int op)
{
	return op == TPB_BIR_ALU_ARITH_SHL || op == TPB_BIR_ALU_LOGICAL_SHL;
}

static bool right_shift(int op)
{
	return op == TPB_BIR_ALU_ARITH_SHR || op == TPB_BIR_ALU_LOGICAL_SHR;
}

/* The accumulating form: op1 is a fold, no 32-bit integers. */
static bool accumulates(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_alu *u = &i->u.alu;
	bool fold = u->op1 == TPB_BIR_ALU_ADD ||
	            u->op1 == TPB_BIR_ALU_SUBTRACT ||
	            u->op1 == TPB_BIR_ALU_MULT || u->op1 == TPB_BIR_ALU_MAX ||
	            u->op1 == TPB_BIR_ALU_MIN;

	if (!fold || u->acc < TPB_BIR_ACC_ZERO_ACC ||
	    u->acc > TPB_BIR_ACC_LOAD_ACC || alu_class(u->op0) != ALU_ARITH)
		return verify_fail(v, i, "BIR022",
		                   "%s with accumulate command %d",
		                   bir_alu_text(u->op1), u->acc);
	return dtype_in(v, i, i->in[0], DP & ~INT32S, "src") &&
	       dtype_in(v, i, i->out[0], (DP & ~INT32S) | ROUND, "dst");
}

static bool tensor_scalar(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *src = i->in[0], *out = i->out[0];
	const struct bir_arg *s0 = i->in[1], *s1 = i->nin > 2 ? i->in[2] : NULL;
	int op0 = i->u.alu.op0, op1 = i->u.alu.op1;
	enum alu_class k = alu_class(op0);
	int acc = i->u.alu.acc;
	/* with an accumulator op1 folds, and scalar1 is what it starts from */
	bool two =
	    acc ? acc == TPB_BIR_ACC_LOAD_ACC : op1 != TPB_BIR_ALU_BYPASS;
	unsigned sc;

	if (acc && !accumulates(v, i))
		return false;
	if (k == ALU_NONE || (two && alu_class(op1) != k) || (two && !s1) ||
	    (op0 == TPB_BIR_ALU_BYPASS && two))
		return verify_fail(v, i, "BIR022",
		                   "%s and %s are no pair of operations",
		                   bir_alu_text(op0), bir_alu_text(op1));
	if (k == ALU_BITS && out->dtype != src->dtype)
		return verify_fail(v, i, "BIR013",
		                   "bit operations need equal dtypes");
	if (k == ALU_BITS && bir_dtype_size(out->dtype) != 4 &&
	    ((left_shift(op0) && right_shift(op1)) ||
	     (right_shift(op0) && left_shift(op1))))
		return verify_fail(v, i, "BIR013",
		                   "shifts both ways need 4-byte elements");
	sc = k == ALU_BITS ? INTS : BIT(FLOAT32);
	return dtype_in(v, i, src, k == ALU_BITS ? INTS : DP, "src") &&
	       dtype_in(v, i, out, k == ALU_BITS ? INTS : DP | ROUND, "dst") &&
	       ((acc && bir_ap_free(out) == 1) || same_count(v, i, src, out)) &&
	       scalar_ok(v, i, s0, src, sc, "scalar0") &&
	       scalar_ok(v, i, two ? s1 : NULL, src, sc, "scalar1");
}

static bool tensor_reduce(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *src = i->in[0], *out = i->out[0];
	int64_t n = bir_ap_free(src), r = bir_ap_free(out);
	bool bits = false;

	switch (i->u.alu.op0) {
	case TPB_BIR_ALU_ADD:
	case TPB_BIR_ALU_SUBTRACT:
	case TPB_BIR_ALU_MULT:
	case TPB_BIR_ALU_MAX:
	case TPB_BIR_ALU_MIN:
	case TPB_BIR_ALU_LOGICAL_AND:
	case TPB_BIR_ALU_LOGICAL_OR:
	case TPB_BIR_ALU_LOGICAL_XOR: break;
	case TPB_BIR_ALU_BITWISE_AND:
	case TPB_BIR_ALU_BITWISE_OR:
	case TPB_BIR_ALU_BITWISE_XOR: bits = true; break;
	default:
		return verify_fail(v, i, "BIR022", "%s is no reduction",
		                   bir_alu_text(i->u.alu.op0));
	}
	if (i->u.alu.axis < TPB_BIR_AXIS_X ||
	    i->u.alu.axis > TPB_BIR_AXIS_XYZW || (bits && i->u.alu.negate))
		return verify_fail(v, i, "BIR022",
		                   "axis %d is not a free axis, or negate with "
		                   "bits",
		                   i->u.alu.axis);
	if (src->pair[0].num != out->pair[0].num || n % r)
		return verify_fail(v, i, "BIR014",
		                   "%" PRId64 " elements a partition do not "
		                   "fold to %" PRId64,
		                   n, r);
	return dtype_in(v, i, src, bits ? INTS : DP, "src") &&
	       dtype_in(v, i, out, bits ? INTS : DP | ROUND, "dst") &&
	       (!bits || same_size(v, i, src, out));
}

static bool copy(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *src = i->in[0], *out = i->out[0];

	if (src->kind == BIR_ARG_IMM || src->kind == BIR_ARG_SYMIMM)
		return true;
	if (i->it == BIR_IT_TENSOR_COPY) {
		if (!same_count(v, i, src, out))
			return false;
		if (src->dtype != out->dtype)
			return dtype_in(v, i, src, DP | ROUND, "src") &&
			       dtype_in(v, i, out, DP | ROUND, "dst");
		return bir_dtype_size(out->dtype) <= 4 ||
		       verify_fail(v, i, "BIR013", "8-byte elements");
	}
	if (bir_ap_count(src) != bir_ap_count(out))
		return verify_fail(v, i, "BIR014",
		                   "%" PRId64 " elements and %" PRId64
		                   " differ",
		                   bir_ap_count(src), bir_ap_count(out));
	return true;
}

static bool dma(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *src = i->in[0], *out = i->out[0];
	int64_t ssize = bir_dtype_size(src->dtype);
	int64_t dsize = bir_dtype_size(out->dtype);
	bool convert = src->dtype != out->dtype;

	if (src->loc->mem == BIR_PSUM || out->loc->mem == BIR_PSUM)
		return verify_fail(v, i, "BIR012",
		                   "DMA does not reach PSUM; copy to SBUF");
	if (bir_ap_count(src) * (convert ? 1 : ssize) !=
	    bir_ap_count(out) * (convert ? 1 : dsize))
		return verify_fail(
		    v, i, "BIR014",
		    "%" PRId64 " elements of %s and %" PRId64 " of %s",
		    bir_ap_count(src), bir_dtype_text(src->dtype),
		    bir_ap_count(out), bir_dtype_text(out->dtype));
	return true;
}

static bool predicated(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *mask = i->in[0], *out = i->out[0];
	const struct bir_arg *src;
	bool scalar;
	int k, n = i->it == BIR_IT_SELECT ? 3 : 2;

	if (!dtype_in(v, i, mask, INTS, "mask") ||
	    !dtype_in(v, i, out, DP, "dst") || !same_count(v, i, mask, out))
		return false;
	for (k = 1; k < n; k++) {
		src = i->in[k];
		scalar = !bir_is_ap(src) || bir_ap_free(src) == 1;
		if (!dtype_in(v, i, src, DP, "source"))
			return false;
		if (!scalar && !same_count(v, i, src, out))
			return false;
		if (bir_is_ap(src) && src->pair[0].num != out->pair[0].num)
			return verify_fail(v, i, "BIR014",
			                   "partitions of the source");
		if (i->it == BIR_IT_COPY_PREDICATED && i->u.cpred.reverse &&
		    !scalar)
			return verify_fail(v, i, "BIR022",
			                   "a reversed predicate needs a "
			                   "scalar source");
	}
	if (i->it == BIR_IT_COPY_PREDICATED && i->u.cpred.reduce)
		return verify_fail(v, i, "BIR022", "reduce is not built");
	return true;
}

static bool iota(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_iota *u = &i->u.iota;
	int64_t n = 1;
	int d;

	if (u->npair < 1 || u->npair > 4)
		return verify_fail(v, i, "BIR022", "ramp of %d pairs",
		                   u->npair);
	for (d = 0; d < u->npair; d++) {
		if (u->pair[d].num < 1 || u->pair[d].num > 65535 ||
		    u->pair[d].step < INT16_MIN || u->pair[d].step > INT16_MAX)
			return verify_fail(v, i, "BIR022",
			                   "pair %d of the ramp is past 16 "
			                   "bits",
			                   d);
		n *= u->pair[d].num;
	}
	return dtype_in(v, i, i->out[0], DP | ROUND, "dst") &&
	       has_count(v, i, i->out[0], n, n, "dst");
}

static bool search(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *data = i->in[i->it == BIR_IT_MAX ? 0 : 1];
	const struct bir_arg *out = i->out[0];
	unsigned narrow = DP & ~INT32S;

	if (!dtype_in(v, i, data, narrow, "src") ||
	    !has_count(v, i, data, 8, 16384, "src"))
		return false;
	if (data->pair[0].num != out->pair[0].num)
		return verify_fail(v, i, "BIR014", "partitions differ");
	if (i->it == BIR_IT_MAX)
		return dtype_in(v, i, out, narrow | ROUND, "dst") &&
		       has_count(v, i, out, 8, 8, "dst");
	if (!dtype_in(v, i, i->in[0], narrow, "values") ||
	    !has_count(v, i, i->in[0], 8, 8, "values"))
		return false;
	if (i->in[0]->pair[0].num != data->pair[0].num)
		return verify_fail(v, i, "BIR014", "partitions differ");
	if (i->it == BIR_IT_MAX_INDEX)
		return dtype_in(v, i, out, BIT(UINT32) | BIT(UINT16), "dst") &&
		       has_count(v, i, out, 8, 8, "dst");
	if (out->dtype != data->dtype)
		return verify_fail(v, i, "BIR013", "dtypes must be equal");
	return same_count(v, i, data, out);
}

static bool scalar_op(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *r = i->nout ? i->out[0] : NULL;
	const struct bir_arg *m =
	    i->it == BIR_IT_TENSOR_LOAD ? i->in[0] : i->out[0];
	bool wide;

	switch (i->it) {
	case BIR_IT_BRANCH:
		if ((i->in[1]->kind == BIR_ARG_IMM) !=
		    (i->u.branch.cmp <= TPB_BIR_CMP_GT_IMM))
			return verify_fail(v, i, "BIR022",
			                   "the compare and its right side "
			                   "differ");
		return true;
	case BIR_IT_REG_ALU:
		if (isa_bir_wire("ALU", i->u.alu.op0) < 0 ||
		    i->u.alu.op0 >= TPB_BIR_ALU_ABS_MAX)
			return verify_fail(v, i, "BIR022",
			                   "%s is no scalar operation",
			                   bir_alu_text(i->u.alu.op0));
		wide = r->reg->bits == 64 && r->half == BIR_WHOLE;
		if (wide != (i->in[0]->reg->bits == 64 &&
		             i->in[0]->half == BIR_WHOLE) ||
		    (i->in[1]->kind == BIR_ARG_REG &&
		     wide != (i->in[1]->reg->bits == 64 &&
		              i->in[1]->half == BIR_WHOLE)))
			return verify_fail(v, i, "BIR020",
			                   "32 and 64 bits are mixed");
		return true;
	case BIR_IT_TENSOR_LOAD:
	case BIR_IT_TENSOR_SAVE:
		if (bir_ap_count(m) != 1)
			return verify_fail(v, i, "BIR014",
			                   "moves one element, not %" PRId64,
			                   bir_ap_count(m));
		return dtype_in(v, i, m,
		                INTS | BIT(FLOAT32) | BIT(UINT64) | BIT(INT64),
		                "element");
	default: return true;
	}
}

/* Memories of a vector op: not two sources in PSUM, two in SBUF side by side,
 * four-byte elements into PSUM, no PSUM for POOL. */
static bool memories(const struct verify *v, const struct bir_inst *i)
{
	int k, psum = 0;

	for (k = 0; k < i->nin; k++)
		if (i->in[k] && bir_is_ap(i->in[k]))
			psum += i->in[k]->loc->mem == BIR_PSUM;
	if (psum > 1)
		return verify_fail(v, i, "BIR012",
		                   "two sources in PSUM; copy one to SBUF");
	for (k = 0; k < i->nout; k++) {
		if (!i->out[k] || i->out[k]->loc->mem != BIR_PSUM)
			continue;
		psum++;
		if (bir_dtype_size(i->out[k]->dtype) != 4)
			return verify_fail(v, i, "BIR013",
			                   "PSUM takes 4-byte elements only");
	}
	if (psum && i->engine == BIR_ENG_POOL)
		return verify_fail(v, i, "BIR012", "POOL does not reach PSUM");
	return true;
}

static bool loop(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_loop *l = &i->u.loop;

	if (!l->body.first)
		return verify_fail(v, i, "BIR018", "has no body");
	if (i->it == BIR_IT_DO_WHILE)
		return l->cond ||
		       verify_fail(v, i, "BIR020", "has no condition");
	if (!l->iv || l->iv->bits != 32 || l->step == 0 ||
	    (i->it == BIR_IT_DYN_LOOP && !l->ubreg))
		return verify_fail(v, i, "BIR022",
		                   "needs a 32-bit counter, a step and a "
		                   "bound");
	if (l->lb < INT32_MIN || l->lb > INT32_MAX || l->ub < INT32_MIN ||
	    l->ub + l->step > INT32_MAX || l->ub + l->step < INT32_MIN)
		return verify_fail(v, i, "BIR022",
		                   "bounds %" PRId64 "..%" PRId64
		                   " do not fit the counter",
		                   l->lb, l->ub);
	return true;
}

bool verify_op(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_opinfo *op = bir_op(i->it);

	if (op->klass == BIR_CLASS_VEC && i->it != BIR_IT_GENERIC_COPY &&
	    i->it != BIR_IT_ABSTRACT_COPY && !memories(v, i))
		return false;
	switch (i->it) {
	case BIR_IT_TENSOR_TENSOR: return tensor_tensor(v, i);
	case BIR_IT_TENSOR_SCALAR:
	case BIR_IT_TENSOR_SCALAR_PTR: return tensor_scalar(v, i);
	case BIR_IT_TENSOR_REDUCE: return tensor_reduce(v, i);
	case BIR_IT_RECIPROCAL:
		return dtype_in(v, i, i->in[0], DP, "src") &&
		       dtype_in(v, i, i->out[0], DP | ROUND, "dst") &&
		       same_count(v, i, i->in[0], i->out[0]);
	case BIR_IT_GENERIC_COPY:
	case BIR_IT_ABSTRACT_COPY:
	case BIR_IT_TENSOR_COPY: return copy(v, i);
	case BIR_IT_MEMSET:
		return bir_dtype_size(i->out[0]->dtype) <= 4 ||
		       verify_fail(v, i, "BIR013", "8-byte elements");
	case BIR_IT_IOTA: return iota(v, i);
	case BIR_IT_SELECT:
	case BIR_IT_COPY_PREDICATED: return predicated(v, i);
	case BIR_IT_MAX:
	case BIR_IT_MAX_INDEX:
	case BIR_IT_MATCH_REPLACE: return search(v, i);
	case BIR_IT_DVE_READ_ACC:
		return dtype_in(v, i, i->out[0], FLOATS | ROUND, "dst") &&
		       has_count(v, i, i->out[0], 1, 1, "dst");
	case BIR_IT_DMA_COPY:
	case BIR_IT_LOAD:
	case BIR_IT_SAVE:
	case BIR_IT_DMA_DESC_COPY: return dma(v, i);
	case BIR_IT_LOOP:
	case BIR_IT_DYN_LOOP:
	case BIR_IT_DO_WHILE: return loop(v, i);
	default: return scalar_op(v, i);
	}
}
