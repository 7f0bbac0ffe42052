/* SPDX-License-Identifier: Apache-2.0
 *
 * What a beat does to its lanes: X0, the first ALU, and X1, the second one,
 * the folds and the way to the destination's dtype.
 *
 * Facts: docs/reference/vector.md, "X0" and "X1"; the arithmetic is in vnum.h.
 */
#include "cmodel/vec.h"

const uint32_t *vec_widen(const struct tpb *t, uint8_t tag, int n,
                          const uint32_t *raw, uint32_t *tmp)
{
	if (tag == TPB_DTYPE_FLOAT32 || tag == TPB_DTYPE_FLOAT32R)
		return raw;
	vnum_widen(tag, cycle_fp8(t), n, raw, tmp);
	return tmp;
}

void vec_narrow(const struct tpb *t, const struct vec_op *op, int n,
                const uint32_t *f32, uint32_t *out)
{
	vnum_narrow(op->walk[VEC_DST].tag, cycle_fp8(t), n, f32, out);
}

static void vec_copy(int n, const uint32_t *from, uint32_t *to)
{
	memcpy(to, from, sizeof(*to) * (size_t)n);
}

static void vec_fill(int n, uint32_t value, uint32_t *to)
{
	for (int i = 0; i < n; i++)
		to[i] = value;
}

void vec_low(const struct vec_op *op, int n, const uint32_t *from, uint32_t *to)
{
	/* A planted fault may have left any size. */
	uint32_t mask =
	    (uint32_t) ~(UINT64_MAX << 8 * (op->walk[VEC_DST].size & 7));

	for (int i = 0; i < n; i++)
		to[i] = from[i] & mask;
}

/* Scalar i of every lane. */
static const uint32_t *vec_scalar(const struct tpb *t, int u, int i)
{
	const struct tpb_vec_state *v = &t->s.vec[u];

	if (t->unit[u].op.scalar[i].kind == TPB_IMM_INLINE)
		return t->unit[u].inlined[i];
	return i ? v->vs1 : v->vs0;
}

void vec_alu(const struct vec_op *op, int i, int n, const uint32_t *x,
             const uint32_t *y, uint32_t *out)
{
	if (op->reverse >> i & 1)
		vnum_arith(op->alu[i], n, y, x, out);
	else
		vnum_arith(op->alu[i], n, x, y, out);
}

void vec_bits(const struct vec_op *op, int i, int n, const uint32_t *x,
              const uint32_t *y, uint32_t *out)
{
	int w = 8 * op->walk[0].size;

	if (op->reverse >> i & 1)
		vnum_bitvec(op->alu[i], w, n, y, x, out);
	else
		vnum_bitvec(op->alu[i], w, n, x, y, out);
}

static bool vec_is_signed(const struct vec_op *op, int walk)
{
	return op->walk[walk].tag == TPB_DTYPE_INT32;
}

/* ------------------------------------------------------------------ *
 * X0.                                                                *
 * ------------------------------------------------------------------ */

static void vec_tensor_tensor(struct tpb *t, int u, int n, const uint32_t *x,
                              const uint32_t *y)
{
	const struct vec_op *op = &t->unit[u].op;
	uint32_t *out = t->s.vec[u].vx1_t;
	uint32_t a[TPB_LANES], b[TPB_LANES];
	uint8_t plain = vnum_plain_op(op->alu[0]);

	if (!op->integer) {
		x = vec_widen(t, op->walk[0].tag, n, x, a);
		y = vec_widen(t, op->walk[1].tag, n, y, b);
		vnum_arith(op->alu[0], n, x, y, out);
		return;
	}
	vnum_integer(op->alu[0], vec_is_signed(op, 0),
	             vec_is_signed(op, VEC_DST), n, x, y, out);
	if (plain != TPB_ALU_DIVIDE && plain != TPB_ALU_MOD)
		return;
	for (int j = 0; j < n; j++)
		if (y[j] == 0)
			t->s.engine[vec_engine(u)].alu_flags |=
			    plain == TPB_ALU_DIVIDE ? 1 : 2;
}

static void vec_predicate(const struct vec_op *op, int n, const uint32_t *x,
                          uint32_t *out)
{
	uint32_t when = op->code != TPB_OP_COPY_PRED_SCALAR || op->polarity;

	for (int j = 0; j < n; j++)
		out[j] = (x[j] != 0) == when;
}

static void vec_generate(struct tpb_vec_state *v, const struct vec_op *op,
                         int n)
{
	uint32_t channel = (uint32_t)v->vx0_pass * TPB_LANES;

	for (int j = 0; j < n; j++)
		v->vx1_t[j] = v->vx0_gen + (channel + (uint32_t)j) * op->word;
}

static void vec_reciprocal(int n, const uint32_t *x, uint32_t *out)
{
	uint32_t one[TPB_LANES];

	vec_fill(n, VNUM_ONE, one);
	vnum_arith(TPB_ALU_DIVIDE, n, one, x, out);
}

/* x, y: the elements as the RAM delivers them. */
static void vec_x0_lanes(struct tpb *t, int u, int n, const uint32_t *x,
                         const uint32_t *y)
{
	const struct vec_op *op = &t->unit[u].op;
	struct tpb_vec_state *v = &t->s.vec[u];
	uint32_t tmp[TPB_LANES];
	const uint32_t *wide;

	switch (op->code) {
	case TPB_OP_TT_ARITH: vec_tensor_tensor(t, u, n, x, y); return;
	case TPB_OP_TT_BITVEC: vec_bits(op, 0, n, x, y, v->vx1_t); return;
	case TPB_OP_TS_BITVEC:
		vec_bits(op, 0, n, x, vec_scalar(t, u, 0), v->vx1_t);
		return;
	case TPB_OP_TR_BITVEC:
	case TPB_OP_COPY: vec_copy(n, x, v->vx1_t); return;
	case TPB_OP_MEMSET: vec_fill(n, op->word, v->vx1_t); return;
	case TPB_OP_IOTA: vec_generate(v, op, n); return;
	case TPB_OP_READ_ACC: return;
	case TPB_OP_COPY_PRED:
		vec_copy(n, y, v->vx1_t);
		vec_predicate(op, n, x, v->vx1_b);
		return;
	case TPB_OP_COPY_PRED_SCALAR:
		vec_copy(n, vec_scalar(t, u, 0), v->vx1_t);
		vec_predicate(op, n, x, v->vx1_b);
		return;
	case TPB_OP_CAST_PRED:
		wide = op->same ? y : vec_widen(t, op->walk[1].tag, n, y, tmp);
		vec_copy(n, wide, v->vx1_t);
		vec_predicate(op, n, x, v->vx1_b);
		return;
	default: break;
	}
	wide = x;
	if (!op->integer && !(op->code == TPB_OP_CAST && op->same))
		wide = vec_widen(t, op->walk[0].tag, n, x, tmp);
	switch (op->code) {
	case TPB_OP_TS_ARITH:
	case TPB_OP_TS_REDUCE:
	case TPB_OP_TS_CUMULATIVE:
		vec_alu(op, 0, n, wide, vec_scalar(t, u, 0), v->vx1_t);
		break;
	case TPB_OP_RECIPROCAL: vec_reciprocal(n, wide, v->vx1_t); break;
	case TPB_OP_MATCH_REPLACE8: vec_copy(n, x, v->vx1_b); /* fallthrough */
	default: vec_copy(n, wide, v->vx1_t); break;
	}
}

void vec_x0(struct tpb *t, int u)
{
	struct vec_unit *unit = &t->unit[u];
	struct tpb_vec_state *v = &t->s.vec[u];
	int n = vec_lanes(&unit->op, v->vx0_pass);
	const uint32_t *x = unit->raw[unit->front][0];
	const uint32_t *y = unit->raw[unit->front][1];

	if (v->vx0_kind == TPB_VBEAT_ELEM) {
		vec_x0_lanes(t, u, n, x, y);
	} else if (v->vx0_kind == TPB_VBEAT_SCAL) {
		if (unit->op.scalar[0].kind != TPB_IMM_INLINE)
			vec_copy(n, x, v->vs0);
		if (unit->op.scalar[1].kind != TPB_IMM_INLINE)
			vec_copy(n, y, v->vs1);
	}
}

/* ------------------------------------------------------------------ *
 * X1.                                                                *
 * ------------------------------------------------------------------ */

/* Accumulators of the pass's partitions; not written since reset: 0. */
static void vec_read_acc(const struct tpb *t, int first, int n, uint32_t *out)
{
	for (int j = 0; j < n; j++) {
		unsigned p = (unsigned)(first + j) % TPB_PARTITIONS;
		bool ok = t->s.dve.vacc_ok[p >> 5] >> (p & 31) & 1;

		out[j] = ok ? t->vacc[p] : 0;
	}
}

static void vec_write_acc(struct tpb *t, int first, int n, const uint32_t *v)
{
	for (int j = 0; j < n; j++) {
		unsigned p = (unsigned)(first + j) % TPB_PARTITIONS;

		t->s.dve.vacc_ok[p >> 5] |= 1u << (p & 31);
		t->vacc[p] = v[j];
	}
}

static uint32_t vec_identity(uint8_t op)
{
	switch (op) {
	case TPB_ALU_MULT: return VNUM_ONE;
	case TPB_ALU_MAX: return 0xFF800000;
	case TPB_ALU_MIN: return 0x7F800000;
	default: return 0;
	}
}

/* 9A, E6: one step of the fold in vfold. */
static void vec_accumulate(struct tpb *t, int u, int n)
{
	const struct vec_op *op = &t->unit[u].op;
	struct tpb_vec_state *v = &t->s.vec[u];
	int first = op->walk[VEC_DST].start.partition + v->vx1_pass * TPB_LANES;
	uint32_t c[TPB_LANES];

	if (!v->vx1_first)
		vec_copy(n, v->vfold, c);
	else if (op->command == TPB_ACC_ACCUMULATE)
		vec_read_acc(t, first, n, c);
	else if (op->command == TPB_ACC_LOAD_ACC)
		vec_copy(n, vec_scalar(t, u, 1), c);
	else
		vec_fill(n, vec_identity(op->alu[1]), c);
	vec_alu(op, 1, n, v->vx1_t, c, v->vfold);
	if (v->vx1_last)
		vec_write_acc(t, first, n, v->vfold);
}

/* 42, 52: one step of the fold of a group. */
static void vec_fold(struct tpb *t, int u, int n)
{
	const struct vec_op *op = &t->unit[u].op;
	struct tpb_vec_state *v = &t->s.vec[u];
	uint32_t c[TPB_LANES];

	if (v->vx1_first) {
		vec_copy(n, v->vx1_t, v->vfold);
		return;
	}
	vec_copy(n, v->vfold, c);
	if (op->code == TPB_OP_TR_BITVEC)
		vnum_bitvec(op->alu[0], 8 * op->walk[0].size, n, c, v->vx1_t,
		            v->vfold);
	else if (op->integer)
		vnum_integer(op->alu[0], vec_is_signed(op, 0),
		             vec_is_signed(op, VEC_DST), n, c, v->vx1_t,
		             v->vfold);
	else
		vnum_arith(op->alu[0], n, c, v->vx1_t, v->vfold);
}

static void vec_negate(int n, const uint32_t *from, uint32_t *to)
{
	for (int j = 0; j < n; j++)
		to[j] = vnum_is_nan(from[j]) ? VNUM_NAN : from[j] ^ 0x80000000;
}

/* 42, 52: the result of a group. */
static void vec_fold_result(const struct tpb *t, const struct vec_op *op, int n,
                            const uint32_t *fold, uint32_t *out)
{
	uint32_t tmp[TPB_LANES];

	if (op->integer && op->negate) {
		vec_fill(n, 0, tmp);
		vnum_integer(TPB_ALU_SUBTRACT, vec_is_signed(op, 0),
		             vec_is_signed(op, VEC_DST), n, tmp, fold, out);
	} else if (op->integer || op->code == TPB_OP_TR_BITVEC) {
		vec_low(op, n, fold, out);
	} else if (op->negate) {
		vec_negate(n, fold, tmp);
		vec_narrow(t, op, n, tmp, out);
	} else {
		vec_narrow(t, op, n, fold, out);
	}
}

static void vec_acc_result(const struct tpb *t, int u, int n, uint32_t *out)
{
	const struct vec_op *op = &t->unit[u].op;
	int first = op->walk[VEC_DST].start.partition +
	            t->s.vec[u].vx1_pass * TPB_LANES;
	uint32_t acc[TPB_LANES], tmp[TPB_LANES];

	vec_read_acc(t, first, n, acc);
	if (op->negate)
		vec_negate(n, acc, tmp);
	vec_narrow(t, op, n, op->negate ? tmp : acc, out);
}

static void vec_iota_result(const struct tpb *t, const struct vec_op *op, int n,
                            const uint32_t *value, uint32_t *out)
{
	uint8_t tag = op->walk[VEC_DST].tag;
	uint32_t tmp[TPB_LANES];

	if (tag == TPB_DTYPE_INT32 || tag == TPB_DTYPE_UINT32) {
		vec_copy(n, value, out);
		return;
	}
	vnum_widen(TPB_DTYPE_INT32, 0, n, value, tmp);
	vec_narrow(t, op, n, tmp, out);
}

static void vec_replace(const struct tpb *t, const struct vec_op *op, int n,
                        const uint32_t *hit, const uint32_t *raw, uint32_t *out)
{
	uint32_t value;

	vec_narrow(t, op, 1, &op->word, &value);
	for (int j = 0; j < n; j++)
		out[j] = hit[j] ? value : raw[j];
	vec_low(op, n, out, out);
}

/* The search ops; they exist on DVE only. */
static void vec_search(struct tpb *t, int u, int n, uint32_t *out)
{
	const struct vec_op *op = &t->unit[u].op;
	const struct tpb_vec_state *v = &t->s.vec[u];
	uint32_t tmp[TPB_LANES];

	if (v->vx1_kind == TPB_VBEAT_EMIT) {
		vec_result(t, op, n, tmp);
		if (op->code == TPB_OP_MAX8)
			vec_narrow(t, op, n, tmp, out);
		else
			vec_low(op, n, tmp, out);
	} else if (op->code == TPB_OP_MAX8) {
		vec_max8(t, n);
	} else if (op->code == TPB_OP_MATCH_LOAD) {
		vec_match_load(t, op, n);
	} else {
		vec_match(t, op, n, tmp);
		if (op->code == TPB_OP_MATCH_REPLACE8)
			vec_replace(t, op, n, tmp, v->vx1_b, out);
	}
}

static void vec_enable(struct tpb_vec_state *v, const struct vec_op *op, int n)
{
	bool predicated = op->code == TPB_OP_COPY_PRED ||
	                  op->code == TPB_OP_CAST_PRED ||
	                  op->code == TPB_OP_COPY_PRED_SCALAR;

	for (int k = 0; k < 4; k++) {
		int left = n - 32 * k;

		v->vw_en[k] = left >= 32 ? UINT32_MAX
		              : left > 0 ? (1u << left) - 1
		                         : 0;
	}
	if (!predicated)
		return;
	for (int j = 0; j < n; j++)
		if (v->vx1_b[j] != 1)
			v->vw_en[j >> 5] &= ~(1u << (j & 31));
}

void vec_x1(struct tpb *t, int u)
{
	const struct vec_op *op = &t->unit[u].op;
	struct tpb_vec_state *v = &t->s.vec[u];
	int n = vec_lanes(op, v->vx1_pass);
	uint32_t tmp[TPB_LANES], unused[TPB_LANES];
	uint32_t *out = v->vx1_emit ? v->vw_data : unused;

	if (v->vx1_emit)
		vec_enable(v, op, n);
	switch (op->code) {
	case TPB_OP_TT_ARITH:
		if (op->integer)
			vec_copy(n, v->vx1_t, out);
		else
			vec_narrow(t, op, n, v->vx1_t, out);
		break;
	case TPB_OP_RECIPROCAL: vec_narrow(t, op, n, v->vx1_t, out); break;
	case TPB_OP_TT_BITVEC:
	case TPB_OP_COPY:
	case TPB_OP_MEMSET:
	case TPB_OP_COPY_PRED:
	case TPB_OP_COPY_PRED_SCALAR: vec_low(op, n, v->vx1_t, out); break;
	case TPB_OP_TS_ARITH:
		vec_alu(op, 1, n, v->vx1_t, vec_scalar(t, u, 1), tmp);
		vec_narrow(t, op, n, tmp, out);
		break;
	case TPB_OP_TS_BITVEC:
		vec_bits(op, 1, n, v->vx1_t, vec_scalar(t, u, 1), out);
		break;
	case TPB_OP_CAST:
	case TPB_OP_CAST_PRED:
		if (op->same)
			vec_low(op, n, v->vx1_t, out);
		else
			vec_narrow(t, op, n, v->vx1_t, out);
		break;
	case TPB_OP_TS_REDUCE:
	case TPB_OP_TS_CUMULATIVE:
		vec_accumulate(t, u, n);
		if (v->vx1_emit)
			vec_narrow(t, op, n,
			           op->code == TPB_OP_TS_REDUCE && !op->sparse
			               ? v->vx1_t
			               : v->vfold,
			           out);
		break;
	case TPB_OP_TR_ARITH:
	case TPB_OP_TR_BITVEC:
		vec_fold(t, u, n);
		if (v->vx1_emit)
			vec_fold_result(t, op, n, v->vfold, out);
		break;
	case TPB_OP_READ_ACC: vec_acc_result(t, u, n, out); break;
	case TPB_OP_IOTA: vec_iota_result(t, op, n, v->vx1_t, out); break;
	default: vec_search(t, u, n, out); break;
	}
}
