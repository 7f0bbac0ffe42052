/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector operators of KLR as instructions of the IR: which opcode, which
 * operand in which role, which fields.
 */
#include "compiler/klr/lower.h"

#include <string.h>

static void in(struct klr_lowerer *l, const struct klr_stmt *s,
               struct bir_inst *i, const char *name)
{
	bir_in(i, klr_lower_operand(l, s, name));
}

static void out(struct klr_lowerer *l, const struct klr_stmt *s,
                struct bir_inst *i)
{
	bir_out(i, klr_lower_operand(l, s, "dst"));
}

static int alu(const struct klr_stmt *s, const char *name)
{
	return klr_alu_bir((int)klr_operand(s, name)->i);
}

/* dst and the named inputs; a NULL ends them. */
static struct bir_inst *simple(struct klr_lowerer *l, const struct klr_stmt *s,
                               enum bir_it it, const char *a, const char *b,
                               const char *c)
{
	struct bir_inst *i = klr_lower_inst(l, s, it, klr_lower_engine(s));
	const char *names[] = {a, b, c};

	for (int n = 0; n < 3 && names[n]; n++)
		in(l, s, i, names[n]);
	out(l, s, i);
	return i;
}

static void tensor_scalar(struct klr_lowerer *l, const struct klr_stmt *s)
{
	struct bir_inst *i =
	    simple(l, s, BIR_IT_TENSOR_SCALAR_PTR, "src", "imm0", NULL);
	int64_t reverse = klr_operand(s, "reverse")->i;

	i->u.alu.op0 = alu(s, "op0");
	i->u.alu.op1 = TPB_BIR_ALU_BYPASS;
	i->u.alu.rev0 = reverse & 1;
	if (klr_operand(s, "op1")->kind == KLR_V_NONE)
		return;
	i->u.alu.rev1 = reverse >> 1 & 1;
	i->u.alu.op1 = alu(s, "op1");
	in(l, s, i, "imm1");
}

static void tensor_reduce(struct klr_lowerer *l, const struct klr_stmt *s)
{
	struct bir_inst *i =
	    simple(l, s, BIR_IT_TENSOR_REDUCE, "src", NULL, NULL);

	i->u.alu.op0 = alu(s, "op");
	i->u.alu.axis = TPB_BIR_AXIS_X + (int)klr_operand(s, "opDim")->i;
	i->u.alu.negate = klr_operand(s, "negated")->i != 0;
}

/* The fill is the bit pattern of dst's dtype.  Where that takes a rounding
 * the statement becomes a copy of an immediate, which legalize turns into a
 * Memset. */
static void mem_set(struct klr_lowerer *l, const struct klr_stmt *s)
{
	const struct klr_value *v = klr_operand(s, "value");
	struct bir_arg *dst = klr_lower_operand(l, s, "dst");
	bool flt = bir_dtype_float(dst->dtype);
	int size = bir_dtype_size(dst->dtype);
	struct bir_inst *i;

	if (flt &&
	    (v->kind == KLR_V_INT || dst->dtype != TPB_BIR_DTYPE_FLOAT32)) {
		i = klr_lower_inst(l, s, BIR_IT_GENERIC_COPY,
		                   klr_lower_engine(s));
		in(l, s, i, "value");
	} else {
		i = klr_lower_inst(l, s, BIR_IT_MEMSET, klr_lower_engine(s));
		i->u.memset.fill =
		    flt ? v->bits
		        : (uint32_t)v->i & (UINT32_MAX >> (32 - 8 * size));
	}
	bir_out(i, dst);
}

static void iota(struct klr_lowerer *l, const struct klr_stmt *s)
{
	const struct klr_ramp *r = klr_operand(s, "pattern")->ramp;
	struct bir_inst *i = simple(l, s, BIR_IT_IOTA, NULL, NULL, NULL);

	i->u.iota.base = (int32_t)r->offset;
	i->u.iota.mult = (int32_t)r->multiplier;
	i->u.iota.npair = r->npairs;
	for (int n = 0; n < r->npairs; n++)
		i->u.iota.pair[n] =
		    (struct bir_pair){r->pair[n].step, r->pair[n].num};
}

static void match_replace(struct klr_lowerer *l, const struct klr_stmt *s)
{
	if (klr_operand(s, "dstIdx")->kind != KLR_V_NONE) {
		klr_error_at(&l->rep, s->pos, KLR_E_BUILT,
		             "matchReplace8 with dstIdx is not built; use "
		             "findIndex8, then matchReplace8 without it");
		return;
	}
	simple(l, s, BIR_IT_MATCH_REPLACE, "vals", "src", NULL)->u.replace =
	    klr_operand(s, "replaceValue")->bits;
}

bool klr_lower_vector(struct klr_lowerer *l, const struct klr_stmt *s)
{
	switch (s->op) {
	case KLR_OP_tensorTensor:
		simple(l, s, BIR_IT_TENSOR_TENSOR, "src0", "src1", NULL)
		    ->u.alu.op0 = alu(s, "op");
		break;
	case KLR_OP_tensorScalar: tensor_scalar(l, s); break;
	case KLR_OP_tensorReduce: tensor_reduce(l, s); break;
	case KLR_OP_ncCopy:
		simple(l, s, BIR_IT_TENSOR_COPY, "src", NULL, NULL);
		break;
	case KLR_OP_reciprocal:
		simple(l, s, BIR_IT_RECIPROCAL, "src", NULL, NULL);
		break;
	case KLR_OP_memSet: mem_set(l, s); break;
	case KLR_OP_iota: iota(l, s); break;
	case KLR_OP_max8: simple(l, s, BIR_IT_MAX, "src", NULL, NULL); break;
	case KLR_OP_findIndex8:
		simple(l, s, BIR_IT_MAX_INDEX, "vals", "src", NULL);
		break;
	case KLR_OP_matchReplace8: match_replace(l, s); break;
	case KLR_OP_copyPredicated:
		simple(l, s, BIR_IT_COPY_PREDICATED, "predicate", "src", NULL)
		    ->u.cpred.reverse = klr_operand(s, "reversePred")->i != 0;
		break;
	case KLR_OP_select:
		simple(l, s, BIR_IT_SELECT, "predicate", "onTrue", "onFalse");
		break;
	default: return false;
	}
	return true;
}
