/* SPDX-License-Identifier: Apache-2.0
 *
 * What each vector op demands of its operands and fields beyond their roles:
 * dtype sets, equal element counts, classes of ALU operations, memories.  The
 * sets are those that the engines check (docs/reference/vector.md).  Other
 * ops are in verify_seq.c.
 */
#include "compiler/bir/verify.h"

#include <inttypes.h>

enum alu_class { ALU_NONE, ALU_ARITH, ALU_BITS };

static enum alu_class alu_class(int op)
{
	if (bir_alu_on_bits(op))
		return ALU_BITS;
	if (op < 0 || op > TPB_BIR_ALU_MOD_INT || op == TPB_BIR_ALU_AVERAGE ||
	    op == TPB_BIR_ALU_ELEMWISE_MUL)
		return ALU_NONE;
	return ALU_ARITH;
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
	if (!verify_dtype(v, i, s, set, role))
		return false;
	if (!bir_is_ap(s))
		return true;
	if (bir_ap_free(s) != 1 || s->pair[0].num != data->pair[0].num)
		return verify_fail(v, i, "BIR014",
		                   "%s must be one element a partition", role);
	/* of bit operations: read in the width of the elements */
	if (set == INTS &&
	    bir_dtype_size(s->dtype) != bir_dtype_size(data->dtype))
		return verify_fail(
		    v, i, "BIR013", "%s of %s beside elements of %s", role,
		    bir_dtype_text(s->dtype), bir_dtype_text(data->dtype));
	return true;
}

static bool tensor_tensor(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *a = i->in[0], *b = i->in[1], *out = i->out[0];
	enum alu_class k = alu_class(i->u.alu.op0);
	unsigned in = k == ALU_BITS ? INTS : DP;

	if (k == ALU_NONE)
		return verify_fail(v, i, "BIR022", "no such operation");
	return verify_dtype(v, i, a, in, "src0") &&
	       verify_dtype(v, i, b, in, "src1") &&
	       verify_dtype(v, i, out, k == ALU_BITS ? INTS : DP | ROUND,
	                    "dst") &&
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
	return verify_dtype(v, i, i->in[0], DP & ~INT32S, "src") &&
	       verify_dtype(v, i, i->out[0], (DP & ~INT32S) | ROUND, "dst");
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
	return verify_dtype(v, i, src, k == ALU_BITS ? INTS : DP, "src") &&
	       verify_dtype(v, i, out, k == ALU_BITS ? INTS : DP | ROUND,
	                    "dst") &&
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
	return verify_dtype(v, i, src, bits ? INTS : DP, "src") &&
	       verify_dtype(v, i, out, bits ? INTS : DP | ROUND, "dst") &&
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
			return verify_dtype(v, i, src, DP | ROUND, "src") &&
			       verify_dtype(v, i, out, DP | ROUND, "dst");
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

static bool predicated(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *mask = i->in[0], *out = i->out[0];
	const struct bir_arg *src;
	bool scalar;
	int k, n = i->it == BIR_IT_SELECT ? 3 : 2;

	if (!verify_dtype(v, i, mask, INTS, "mask") ||
	    !verify_dtype(v, i, out, DP, "dst") || !same_count(v, i, mask, out))
		return false;
	for (k = 1; k < n; k++) {
		src = i->in[k];
		scalar = !bir_is_ap(src) || bir_ap_free(src) == 1;
		if (!verify_dtype(v, i, src, DP, "source"))
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
	return verify_dtype(v, i, i->out[0], DP | ROUND, "dst") &&
	       has_count(v, i, i->out[0], n, n, "dst");
}

static bool search(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *data = i->in[i->it == BIR_IT_MAX ? 0 : 1];
	const struct bir_arg *out = i->out[0];
	unsigned narrow = DP & ~INT32S;

	if (!verify_dtype(v, i, data, narrow, "src") ||
	    !has_count(v, i, data, 8, 16384, "src"))
		return false;
	if (data->pair[0].num != out->pair[0].num)
		return verify_fail(v, i, "BIR014", "partitions differ");
	if (i->it == BIR_IT_MAX)
		return verify_dtype(v, i, out, narrow | ROUND, "dst") &&
		       has_count(v, i, out, 8, 8, "dst");
	if (!verify_dtype(v, i, i->in[0], narrow, "values") ||
	    !has_count(v, i, i->in[0], 8, 8, "values"))
		return false;
	if (i->in[0]->pair[0].num != data->pair[0].num)
		return verify_fail(v, i, "BIR014", "partitions differ");
	if (i->it == BIR_IT_MAX_INDEX)
		return verify_dtype(v, i, out, BIT(UINT32) | BIT(UINT16),
		                    "dst") &&
		       has_count(v, i, out, 8, 8, "dst");
	if (out->dtype != data->dtype)
		return verify_fail(v, i, "BIR013", "dtypes must be equal");
	return same_count(v, i, data, out);
}

/* Do the partitions of two operands start alike?  What a register addresses
 * is left to the engine. */
static bool same_start(const struct verify *v, const struct bir_inst *i,
                       const struct bir_arg *a, const struct bir_arg *b)
{
	if (!bir_is_ap(a) || !bir_is_ap(b) || a->kind == BIR_ARG_REGAP ||
	    b->kind == BIR_ARG_REGAP || verify_start(a) == verify_start(b))
		return true;
	return verify_fail(v, i, "BIR016",
	                   "%s starts at partition %" PRId64 ", %s at %" PRId64
	                   "; they must be equal",
	                   a->loc->name, verify_start(a), b->loc->name,
	                   verify_start(b));
}

/* Two tensors read by one bundle: not both in PSUM, in SBUF side by side.  A
 * scalar operand is no such tensor. */
static bool two_sources(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *a = i->in[0], *b = i->in[1];

	if (!bir_is_ap(a) || !bir_is_ap(b) ||
	    (i->it != BIR_IT_TENSOR_TENSOR && bir_ap_free(b) == 1) ||
	    a->loc->mem != b->loc->mem)
		return true;
	if (a->loc->mem == BIR_PSUM)
		return verify_fail(v, i, "BIR012",
		                   "two sources in PSUM; copy one to SBUF");
	return same_start(v, i, a, b);
}

/* Where the operands of an op must lie. */
static bool side_by_side(const struct verify *v, const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_TENSOR_TENSOR:
	case BIR_IT_COPY_PREDICATED: return two_sources(v, i);
	case BIR_IT_MAX_INDEX:
	case BIR_IT_MATCH_REPLACE:
		/* two bundles, and state between them that is by partition */
		return same_start(v, i, i->in[0], i->in[1]) &&
		       same_start(v, i, i->in[0], i->out[0]);
	default: return true;
	}
}

/* Memories of a vector op: four-byte elements into PSUM, no PSUM for POOL,
 * and what two sources must keep. */
static bool memories(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *a;
	bool psum = false;
	int k;

	for (k = 0; k < i->nin; k++) {
		a = i->in[k];
		psum |= a && bir_is_ap(a) && a->loc->mem == BIR_PSUM;
	}
	for (k = 0; k < i->nout; k++) {
		a = i->out[k];
		if (!a || !bir_is_ap(a) || a->loc->mem != BIR_PSUM)
			continue;
		psum = true;
		if (bir_dtype_size(a->dtype) != 4)
			return verify_fail(v, i, "BIR013",
			                   "PSUM takes 4-byte elements only");
	}
	if (psum && i->engine == BIR_ENG_POOL)
		return verify_fail(v, i, "BIR012", "POOL does not reach PSUM");
	return side_by_side(v, i);
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
		return verify_dtype(v, i, i->in[0], DP, "src") &&
		       verify_dtype(v, i, i->out[0], DP | ROUND, "dst") &&
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
		return verify_dtype(v, i, i->out[0], FLOATS | ROUND, "dst") &&
		       has_count(v, i, i->out[0], 1, 1, "dst");
	case BIR_IT_DMA_COPY:
	case BIR_IT_LOAD:
	case BIR_IT_SAVE:
	case BIR_IT_DMA_DESC_COPY: return verify_dma(v, i);
	case BIR_IT_LOOP:
	case BIR_IT_DYN_LOOP:
	case BIR_IT_DO_WHILE: return verify_loop(v, i);
	default: return verify_scalar(v, i);
	}
}
