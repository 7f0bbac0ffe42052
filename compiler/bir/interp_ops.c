/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector instructions that compute; those that move or fill are in
 * interp_move.c, the search in interp_search.c.  Each runs channel by channel,
 * element by element: read element k of all sources, compute, write what it
 * yields; scalars and masks of a channel are read where the text says so.
 */
#include "compiler/bir/interp.h"

static bool is_i32(int dtype)
{
	return dtype == TPB_BIR_DTYPE_INT32 || dtype == TPB_BIR_DTYPE_UINT32;
}

static bool not_built(struct bir_interp *t, const struct bir_inst *i, int op)
{
	return interp_fail(t, i, "BIR033",
	                   "%s is not built in this "
	                   "interpreter for these dtypes",
	                   bir_alu_text(op));
}

/* ------------------------------------------------------------ elementwise */

/* One element of TensorTensor, by the path that the dtypes select. */
static bool combine(struct bir_interp *t, const struct bir_inst *i, int op,
                    const struct interp_walk *a, const struct interp_walk *b,
                    const struct interp_walk *out)
{
	bool word = is_i32(a->dtype) && is_i32(b->dtype) && is_i32(out->dtype);
	uint32_t x, y, r;

	if (bir_alu_on_bits(op)) {
		if (!num_bits(op, a->size * 8, (uint32_t)interp_get(a),
		              (uint32_t)interp_get(b), &r))
			return not_built(t, i, op);
		interp_put(out, r);
		return true;
	}
	if (word && op != TPB_BIR_ALU_POW && op != TPB_BIR_ALU_RSQRT) {
		if (!num_i32(op, a->dtype, out->dtype, (uint32_t)interp_get(a),
		             (uint32_t)interp_get(b), &r))
			return not_built(t, i, op);
		interp_put(out, r);
		return true;
	}
	x = num_widen(a->dtype, interp_get(a));
	y = num_widen(b->dtype, interp_get(b));
	if (!num_f32(op, x, y, &r))
		return not_built(t, i, op);
	interp_put(out, interp_store(t, out, r));
	return true;
}

static bool tensor_tensor(struct bir_interp *t, const struct bir_inst *i)
{
	struct interp_walk wa, wb, wo, a, b, o;
	int64_t p, k, n = bir_ap_free(i->out[0]);

	if (!interp_open(t, i, i->in[0], &wa, NULL) ||
	    !interp_open(t, i, i->in[1], &wb, NULL) ||
	    !interp_open(t, i, i->out[0], &wo, NULL))
		return false;
	for (p = 0; p < wo.num[0]; p++) {
		a = interp_channel(&wa, p);
		b = interp_channel(&wb, p);
		o = interp_channel(&wo, p);
		for (k = 0; k < n; k++) {
			if (!combine(t, i, i->u.alu.op0, &a, &b, &o))
				return false;
			interp_next(&a);
			interp_next(&b);
			interp_next(&o);
		}
	}
	return true;
}

/* Scalar operand of channel p, as fp32 or as raw bits. */
static bool scalar(struct bir_interp *t, const struct bir_inst *i, int arg,
                   int64_t p, bool raw, uint32_t *v)
{
	const struct bir_arg *a = arg < i->nin ? i->in[arg] : NULL;
	struct interp_walk all, w;
	int64_t x;

	*v = 0;
	if (!a)
		return true;
	if (a->kind == BIR_ARG_SYMIMM) {
		if (!interp_expr(t, i, a->expr, &x))
			return false;
		*v = raw ? (uint32_t)x : num_from_int(x);
		return true;
	}
	if (a->kind == BIR_ARG_IMM) {
		*v = raw ? (uint32_t)a->imm : num_widen(a->dtype, a->imm);
		return true;
	}
	if (!interp_open(t, i, a, &all, NULL))
		return false;
	w = interp_channel(&all, p);
	*v =
	    raw ? (uint32_t)interp_get(&w) : num_widen(w.dtype, interp_get(&w));
	return true;
}

static bool apply(struct bir_interp *t, const struct bir_inst *i, int op,
                  int width, bool swap, uint32_t a, uint32_t b, uint32_t *r)
{
	uint32_t x = swap ? b : a, y = swap ? a : b;

	if (width ? num_bits(op, width, x, y, r) : num_f32(op, x, y, r))
		return true;
	return not_built(t, i, op);
}

/* Row of the accumulator: the destination's partition. */
static uint32_t *acc_of(struct bir_interp *t, const struct bir_arg *dst,
                        const struct interp_walk *w)
{
	int64_t part =
	    w->flat / w->row + (dst->loc->placed ? dst->loc->part : 0);

	return &t->acc[part & 127];
}

/* What an accumulating op starts from; identity by its fold. */
static bool acc_start(struct bir_interp *t, const struct bir_inst *i,
                      uint32_t load, uint32_t *acc)
{
	if (i->u.alu.acc == TPB_BIR_ACC_LOAD_ACC)
		*acc = load;
	if (i->u.alu.acc != TPB_BIR_ACC_ZERO_ACC)
		return true;
	switch (i->u.alu.op1) {
	case TPB_BIR_ALU_ADD:
	case TPB_BIR_ALU_SUBTRACT: *acc = 0; return true;
	case TPB_BIR_ALU_MULT: *acc = 0x3F800000u; return true;
	case TPB_BIR_ALU_MAX: *acc = 0xFF800000u; return true;
	case TPB_BIR_ALU_MIN: *acc = 0x7F800000u; return true;
	default: return not_built(t, i, i->u.alu.op1);
	}
}

/* (x op0 s0) op1 s1, or with an accumulator op1 folds what op0 yields.  A
 * bypass with its operands reversed yields the scalar. */
static bool scalar_channel(struct bir_interp *t, const struct bir_inst *i,
                           int64_t p, struct interp_walk s,
                           struct interp_walk o)
{
	const struct bir_alu *u = &i->u.alu;
	bool raw = bir_alu_on_bits(u->op0), fold = u->acc != TPB_BIR_ACC_IDLE;
	int width = raw ? s.size * 8 : 0;
	int64_t k, n = bir_ap_free(i->in[0]);
	bool each = bir_ap_free(i->out[0]) == n;
	uint32_t s0, s1, x, r, *acc = acc_of(t, i->out[0], &o);

	if (!scalar(t, i, 1, p, raw, &s0) || !scalar(t, i, 2, p, raw, &s1) ||
	    (fold && !acc_start(t, i, s1, acc)))
		return false;
	for (k = 0; k < n; k++) {
		x = raw ? (uint32_t)interp_get(&s)
		        : num_widen(s.dtype, interp_get(&s));
		if (!apply(t, i, u->op0, width, u->rev0, x, s0, &r))
			return false;
		if (fold) {
			if (!apply(t, i, u->op1, 0, u->rev1, r, *acc, acc))
				return false;
		} else if (i->nin > 2 &&
		           !apply(t, i, u->op1, width, u->rev1, r, s1, &r)) {
			return false;
		}
		if (each) {
			interp_put(&o, raw ? r : interp_store(t, &o, r));
			interp_next(&o);
		}
		interp_next(&s);
	}
	if (!each)
		interp_put(&o, interp_store(t, &o, *acc));
	return true;
}

static bool tensor_scalar(struct bir_interp *t, const struct bir_inst *i)
{
	struct interp_walk ws, wo;
	int64_t p;

	if (i->u.alu.transpose)
		return interp_fail(t, i, "BIR033", "transpose is not built");
	if (!interp_open(t, i, i->in[0], &ws, NULL) ||
	    !interp_open(t, i, i->out[0], &wo, NULL))
		return false;
	for (p = 0; p < wo.num[0]; p++)
		if (!scalar_channel(t, i, p, interp_channel(&ws, p),
		                    interp_channel(&wo, p)))
			return false;
	return true;
}

/* ------------------------------------------------------------ reduce */

static bool fold_step(struct bir_interp *t, const struct bir_inst *i,
                      const struct interp_walk *s, const struct interp_walk *o,
                      uint32_t *acc)
{
	int op = i->u.alu.op0;
	uint32_t x = (uint32_t)interp_get(s);
	bool ok;

	if (bir_alu_on_bits(op))
		ok = num_bits(op, s->size * 8, *acc, x, acc);
	else if (is_i32(s->dtype) && is_i32(o->dtype))
		ok = num_i32(op, s->dtype, o->dtype, *acc, x, acc);
	else
		ok = num_f32(op, *acc, num_widen(s->dtype, interp_get(s)), acc);
	return ok || not_built(t, i, op);
}

/* R neighbours of the stream to one element, accumulator on the left. */
static bool reduce_channel(struct bir_interp *t, const struct bir_inst *i,
                           struct interp_walk s, struct interp_walk o)
{
	bool bits = bir_alu_on_bits(i->u.alu.op0);
	bool word = is_i32(s.dtype) && is_i32(o.dtype);
	int64_t j, k, n = bir_ap_free(i->out[0]);
	int64_t r = bir_ap_free(i->in[0]) / n;
	uint32_t acc = 0;

	for (j = 0; j < n; j++) {
		for (k = 0; k < r; k++) {
			if (k)
				fold_step(t, i, &s, &o, &acc);
			else /* the first one as it is, no clamp */
				acc = bits || word
				          ? (uint32_t)interp_get(&s)
				          : num_widen(s.dtype, interp_get(&s));
			interp_next(&s);
		}
		if (word && i->u.alu.negate)
			num_i32(TPB_BIR_ALU_SUBTRACT, s.dtype, o.dtype, 0, acc,
			        &acc);
		else if (i->u.alu.negate)
			acc = num_neg(acc);
		interp_put(&o, bits || word ? acc : interp_store(t, &o, acc));
		interp_next(&o);
	}
	return true;
}

static bool tensor_reduce(struct bir_interp *t, const struct bir_inst *i)
{
	struct interp_walk ws, wo;
	uint32_t none = 0;
	int64_t p;

	if (i->u.alu.transpose)
		return interp_fail(t, i, "BIR033", "transpose is not built");
	if (!interp_open(t, i, i->in[0], &ws, NULL) ||
	    !interp_open(t, i, i->out[0], &wo, NULL))
		return false;
	/* once, so that the loops below need not look */
	if (!fold_step(t, i, &ws, &wo, &none))
		return false;
	if (bir_ap_free(i->in[0]) % bir_ap_free(i->out[0]))
		return interp_fail(t, i, "BIR032", "does not fold evenly");
	for (p = 0; p < wo.num[0]; p++)
		if (!reduce_channel(t, i, interp_channel(&ws, p),
		                    interp_channel(&wo, p)))
			return false;
	return true;
}

static bool read_acc(struct bir_interp *t, const struct bir_inst *i)
{
	struct interp_walk w, o;
	uint32_t v;
	int64_t p;

	if (!interp_open(t, i, i->out[0], &w, NULL))
		return false;
	for (p = 0; p < w.num[0]; p++) {
		o = interp_channel(&w, p);
		v = *acc_of(t, i->out[0], &o);
		interp_put(&o,
		           interp_store(t, &o, i->u.negated ? num_neg(v) : v));
	}
	return true;
}

bool interp_vector(struct bir_interp *t, const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_TENSOR_TENSOR: return tensor_tensor(t, i);
	case BIR_IT_TENSOR_SCALAR:
	case BIR_IT_TENSOR_SCALAR_PTR: return tensor_scalar(t, i);
	case BIR_IT_TENSOR_REDUCE: return tensor_reduce(t, i);
	case BIR_IT_TENSOR_COPY:
	case BIR_IT_RECIPROCAL: return interp_unary(t, i);
	case BIR_IT_GENERIC_COPY:
	case BIR_IT_ABSTRACT_COPY:
		return interp_copy(t, i, i->out[0], i->in[0], false);
	case BIR_IT_MEMSET:
	case BIR_IT_IOTA: return interp_fill(t, i);
	case BIR_IT_DVE_READ_ACC: return read_acc(t, i);
	case BIR_IT_SELECT: return interp_select(t, i);
	case BIR_IT_COPY_PREDICATED: return interp_predicated(t, i);
	case BIR_IT_MAX:
	case BIR_IT_MAX_INDEX:
	case BIR_IT_MATCH_REPLACE: return interp_search(t, i);
	default:
		return interp_fail(t, i, "BIR033",
		                   "is not built in this "
		                   "interpreter");
	}
}
