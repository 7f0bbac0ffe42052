/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of single operators, one function a family.  Only of operators that
 * the compiler builds; the others are refused by klr_lower().
 */
#include "compiler/klr/check_rule.h"

#include <inttypes.h>

static void tensor_tensor(const struct klr_rule *x)
{
	const struct klr_value *op = klr_rule_value(x, "op");
	bool bits = klr_rule_bit_alu(op->i);

	klr_rule_alu(x, op);
	klr_rule_vector(x, "src0", bits ? INTS : DP);
	klr_rule_vector(x, "src1", bits ? INTS : DP);
	klr_rule_vector(x, "dst", bits ? INTS : DP | F32R);
	klr_rule_same_count(x, "dst", "src0");
	klr_rule_same_count(x, "dst", "src1");
	if (bits) {
		klr_rule_same_size(x, "dst", "src0");
		klr_rule_same_size(x, "dst", "src1");
	}
	klr_rule_two_sources(x, "src0", "src1");
}

static void tensor_scalar(const struct klr_rule *x)
{
	const struct klr_value *op0 = klr_rule_value(x, "op0");
	bool bits = klr_rule_bit_alu(op0->i);

	klr_rule_two_alus(x, op0, klr_rule_value(x, "op1"));
	klr_rule_vector(x, "src", bits ? INTS : DP);
	klr_rule_vector(x, "dst", bits ? INTS : DP | F32R);
	klr_rule_same_count(x, "dst", "src");
	if (bits)
		klr_rule_same_dtype(x, "dst", "src");
	klr_rule_scalar(x, "imm0", "src", bits ? INTS : F32);
	klr_rule_scalar(x, "imm1", "src", bits ? INTS : F32);
	/* the machine reads a scalar in the width of the elements */
	if (bits) {
		klr_rule_same_size(x, "src", "imm0");
		klr_rule_same_size(x, "src", "imm1");
	}
}

static void tensor_reduce(const struct klr_rule *x)
{
	static const unsigned reduce =
	    1u << KLR_ALU_add | 1u << KLR_ALU_subtract | 1u << KLR_ALU_mult |
	    1u << KLR_ALU_max | 1u << KLR_ALU_min | 1u << KLR_ALU_logical_and |
	    1u << KLR_ALU_logical_or | 1u << KLR_ALU_logical_xor |
	    1u << KLR_ALU_bitwise_and | 1u << KLR_ALU_bitwise_or |
	    1u << KLR_ALU_bitwise_xor;
	const struct klr_value *op = klr_rule_value(x, "op");
	bool bits = klr_rule_bit_alu(op->i);
	struct klr_view src, dst;
	int64_t fold = 1;
	int dims = 1 + (int)klr_rule_value(x, "opDim")->i;

	if (!(reduce >> op->i & 1))
		klr_error_at(&x->c->rep, op->pos, KLR_E_ALU,
		             "%s is no reduction; there are add, subtract, "
		             "mult, max, min, logical_and/or/xor, "
		             "bitwise_and/or/xor",
		             klr_rule_alu_word(op));
	else if (bits && klr_rule_value(x, "negated")->i)
		klr_error_at(&x->c->rep, op->pos, KLR_E_ALU,
		             "bits cannot be negated; remove negated");
	klr_rule_vector(x, "src", bits ? INTS : DP);
	klr_rule_vector(x, "dst", bits ? INTS : DP | F32R);
	klr_rule_same_parts(x, "src", "dst");
	if (bits)
		klr_rule_same_size(x, "src", "dst");
	if (!klr_rule_view(x, "src", &src) || !klr_rule_view(x, "dst", &dst))
		return;
	if (dims >= src.npairs)
		klr_error_at(
		    &x->c->rep, klr_rule_pos(x, "opDim"), KLR_E_SHAPE,
		    "%d axes of a src that has %d free ones; fold fewer", dims,
		    src.npairs - 1);
	for (int i = 0; i < dims && i < src.npairs; i++)
		fold *= src.pair[src.npairs - 1 - i].num;
	if (!x->c->rep.failed && src.free != fold * dst.free)
		klr_error_at(&x->c->rep, klr_rule_pos(x, "dst"), KLR_E_SHAPE,
		             "dst of %s has %" PRId64 " elements a partition; "
		             "%" PRId64 " folded by %" PRId64 " give %" PRId64,
		             x->op, dst.free, src.free, fold, src.free / fold);
}

static void nc_copy(const struct klr_rule *x)
{
	klr_rule_vector(x, "src", SIZED);
	klr_rule_vector(x, "dst", SIZED);
	klr_rule_same_count(x, "dst", "src");
	klr_rule_engine(x, DVE | POOL);
}

static void reciprocal(const struct klr_rule *x)
{
	klr_rule_vector(x, "src", DP);
	klr_rule_vector(x, "dst", DP | F32R);
	klr_rule_same_count(x, "dst", "src");
}

static void fits_integer(const struct klr_rule *x, const struct klr_value *v,
                         const struct klr_view *dst)
{
	bool with_sign = dst->dtype == KLR_DTYPE_int8 ||
	                 dst->dtype == KLR_DTYPE_int16 ||
	                 dst->dtype == KLR_DTYPE_int32;
	int64_t all = (int64_t)1 << 8 * dst->size;
	int64_t lo = with_sign ? -all / 2 : 0;

	if (v->kind == KLR_V_FLOAT)
		klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
		             "dst of memSet has integers; write one");
	else if (v->i < lo || v->i >= lo + all)
		klr_error_at(&x->c->rep, v->pos, KLR_E_RANGE,
		             "%" PRId64
		             " does not fit into %s; write one that does",
		             v->i, klr_enum_word(KLR_G_DTYPE, dst->dtype));
}

static void mem_set(const struct klr_rule *x)
{
	const struct klr_value *v = klr_rule_value(x, "value");
	struct klr_view dst;

	klr_rule_vector(x, "dst", SIZED);
	if (v->kind != KLR_V_INT && v->kind != KLR_V_FLOAT)
		klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
		             "value of memSet is a number; write one");
	else if (klr_rule_view(x, "dst", &dst) && INTS >> dst.dtype & 1)
		fits_integer(x, v, &dst);
	klr_rule_engine(x, DVE | POOL);
}

static void iota(const struct klr_rule *x)
{
	const struct klr_ramp *r = klr_rule_value(x, "pattern")->ramp;
	struct klr_pos pos = klr_rule_pos(x, "pattern");
	struct klr_view dst;
	int64_t n = 1;

	klr_rule_vector(x, "dst", DP | F32R);
	if (x->c->rep.failed)
		return;
	if (r->npairs > 4 || r->offset < INT32_MIN || r->offset > INT32_MAX ||
	    r->multiplier < INT32_MIN || r->multiplier > INT32_MAX)
		klr_error_at(&x->c->rep, pos, KLR_E_PATTERN,
		             "ramp of %d pairs; 4 are possible, offset and "
		             "multiplier have 32 bits",
		             r->npairs);
	for (int i = 0; i < r->npairs && !x->c->rep.failed; i++) {
		if (r->pair[i].num < 1 || r->pair[i].num > UINT16_MAX ||
		    r->pair[i].step < INT16_MIN || r->pair[i].step > INT16_MAX)
			klr_error_at(&x->c->rep, pos, KLR_E_PATTERN,
			             "pair %d of the ramp; steps have 16 bits "
			             "with sign, counts are 1 to 65535",
			             i);
		else
			n = n > (1 << 20) ? n : n * r->pair[i].num;
	}
	if (klr_rule_view(x, "dst", &dst) && dst.free != n)
		klr_error_at(&x->c->rep, pos, KLR_E_SHAPE,
		             "ramp of %" PRId64 " values for %" PRId64
		             " elements a partition; they must be equal",
		             n, dst.free);
}

static void search(const struct klr_rule *x)
{
	const struct klr_value *v = klr_rule_value(x, "replaceValue");
	bool find = x->s->op == KLR_OP_findIndex8;
	bool max = x->s->op == KLR_OP_max8;

	klr_rule_vector(x, "src", NARROW);
	klr_rule_has_count(x, "src", 8, 16384);
	klr_rule_vector(x, "dst", find ? INDEX : max ? NARROW | F32R : NARROW);
	klr_rule_same_parts(x, "src", "dst");
	if (!max) {
		klr_rule_vector(x, "vals", NARROW);
		klr_rule_has_count(x, "vals", 8, 8);
		klr_rule_same_parts(x, "src", "vals");
		/* what is found is kept by partition between two bundles */
		klr_rule_same_start(x, "vals", "src");
		klr_rule_same_start(x, "vals", "dst");
	}
	if (v) {
		klr_rule_same_count(x, "src", "dst");
		klr_rule_same_dtype(x, "src", "dst");
		klr_rule_vector(x, "dstIdx", INDEX);
		klr_rule_has_count(x, "dstIdx", 8, 8);
		if (v->kind != KLR_V_FLOAT)
			klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
			             "replaceValue is a float32; write 0.0 or "
			             "-inf");
	} else {
		klr_rule_has_count(x, "dst", 8, 8);
	}
}

/* One side of a choice: a tensor like dst, one element a partition, or a
 * number. */
static void choice(const struct klr_rule *x, const char *name)
{
	const struct klr_value *v = klr_rule_value(x, name);
	struct klr_view view_of;

	if (v->kind != KLR_V_REF) {
		if (v->kind != KLR_V_INT && v->kind != KLR_V_FLOAT)
			klr_error_at(
			    &x->c->rep, v->pos, KLR_E_IMM,
			    "%s of %s is a number or a tensor; write one", name,
			    x->op);
		return;
	}
	klr_rule_vector(x, name, DP);
	if (klr_rule_view(x, name, &view_of) && view_of.free == 1)
		klr_rule_same_parts(x, "dst", name);
	else
		klr_rule_same_count(x, "dst", name);
}

static void predicated(const struct klr_rule *x)
{
	const struct klr_value *rev = klr_rule_value(x, "reversePred");
	const struct klr_value *src = klr_rule_value(x, "src");

	klr_rule_vector(x, "dst", DP);
	klr_rule_vector(x, "predicate", INTS);
	klr_rule_same_count(x, "dst", "predicate");
	if (x->s->op == KLR_OP_select) {
		choice(x, "onTrue");
		choice(x, "onFalse");
		klr_rule_two_sources(x, "predicate", "onTrue");
		klr_rule_engine(x, DVE);
		return;
	}
	choice(x, "src");
	klr_rule_two_sources(x, "predicate", "src");
	if (rev->i && src->kind == KLR_V_REF)
		klr_error_at(&x->c->rep, rev->pos, KLR_E_OPERAND,
		             "reversePred needs a scalar src; swap the "
		             "operands, or invert the mask");
}

/* All elements, whatever the shape. */
static void dma_copy(const struct klr_rule *x)
{
	const struct klr_value *e = klr_rule_value(x, "engine");
	int64_t mode = klr_rule_value(x, "dgeMode")->i;
	struct klr_view src, dst;

	if (mode < 0 || mode > 3)
		klr_error_at(&x->c->rep, klr_rule_pos(x, "dgeMode"),
		             KLR_E_RANGE,
		             "dgeMode %" PRId64 "; there are 0 unknown, "
		             "1 software, 2 hardware, 3 none",
		             mode);
	else if (e->i != KLR_ENGINE_unassigned && e->i != KLR_ENGINE_dma &&
	         !(mode == 2 &&
	           (e->i == KLR_ENGINE_act || e->i == KLR_ENGINE_dve ||
	            e->i == KLR_ENGINE_sp)) &&
	         !(mode == 1 && e->i == KLR_ENGINE_pool))
		klr_error_at(&x->c->rep, e->pos, KLR_E_ENGINE,
		             "a DMA names @act, @dve or @sp with dgeMode=2, "
		             "@pool with dgeMode=1, else none; write that");
	if (!klr_rule_view(x, "src", &src) || !klr_rule_view(x, "dst", &dst))
		return;
	if (src.dtype != dst.dtype && src.size != dst.size)
		klr_error_at(&x->c->rep, klr_rule_pos(x, "src"), KLR_E_DTYPE,
		             "a DMA copies bytes: src is %s, dst is %s; cast "
		             "with ncCopy",
		             klr_enum_word(KLR_G_DTYPE, src.dtype),
		             klr_enum_word(KLR_G_DTYPE, dst.dtype));
	else if (src.count != dst.count)
		klr_error_at(&x->c->rep, klr_rule_pos(x, "src"), KLR_E_SHAPE,
		             "src of %s has %" PRId64 " elements, dst has "
		             "%" PRId64 "; they must be equal",
		             x->op, src.count, dst.count);
}

static void load_store(const struct klr_rule *x, const char *name)
{
	struct klr_view v;

	if (!klr_rule_view(x, name, &v))
		return;
	if (v.count != 1)
		klr_error_at(&x->c->rep, klr_rule_pos(x, name), KLR_E_SHAPE,
		             "%s moves one element, not %" PRId64
		             "; write an index, %s[0, 0]",
		             x->op, v.count, klr_rule_ref(x, name)->name);
	else if (!(SCALARS >> v.dtype & 1))
		klr_error_at(&x->c->rep, klr_rule_pos(x, name), KLR_E_DTYPE,
		             "%s moves integers and float32 of 32 bits or "
		             "fewer, not %s; cast it first",
		             x->op, klr_enum_word(KLR_G_DTYPE, v.dtype));
	else if (x->s->op == KLR_OP_tensorStore &&
	         klr_rule_ref(x, name)->tensor->memory == KLR_PSUM)
		klr_error_at(&x->c->rep, klr_rule_pos(x, name), KLR_E_MEMORY,
		             "tensorStore does not reach PSUM; store to SBUF "
		             "or hbm");
}

void klr_check_op(struct klr_checker *c, const struct klr_stmt *s)
{
	struct klr_rule x = {c, s, klr_op_info(s->op)->name};

	switch (s->op) {
	case KLR_OP_tensorTensor:
		tensor_tensor(&x);
		klr_rule_engine(&x, DVE | POOL);
		break;
	case KLR_OP_tensorScalar:
		tensor_scalar(&x);
		klr_rule_engine(&x, DVE);
		break;
	case KLR_OP_tensorReduce: tensor_reduce(&x); break;
	case KLR_OP_ncCopy: nc_copy(&x); break;
	case KLR_OP_reciprocal: reciprocal(&x); break;
	case KLR_OP_memSet: mem_set(&x); break;
	case KLR_OP_iota: iota(&x); break;
	case KLR_OP_max8:
	case KLR_OP_findIndex8:
	case KLR_OP_matchReplace8: search(&x); break;
	case KLR_OP_copyPredicated:
	case KLR_OP_select: predicated(&x); break;
	case KLR_OP_ncDmaCopy: dma_copy(&x); return;
	case KLR_OP_tensorLoad: load_store(&x, "src"); return;
	case KLR_OP_tensorStore: load_store(&x, "dst"); return;
	case KLR_OP_registerAluOp:
		klr_rule_alu(&x, klr_rule_value(&x, "op"));
		return;
	default: return;
	}
	klr_rule_dtype(&x);
}
