/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of KLR statements as operands of the IR.
 *
 * Offsets become bytes, terms an affine expression that counts elements.  A
 * constant stays an inline immediate: int32 or float32.
 */
#include "compiler/klr/lower.h"

#include <string.h>

const struct klr_value *klr_operand(const struct klr_stmt *s, const char *name)
{
	return &s->value[klr_field_index(s->op, name)];
}

/* KLR's numbers to the IR's. */
enum bir_engine klr_lower_engine(const struct klr_stmt *s)
{
	static const enum bir_engine map[] = {
	    BIR_ENG_NONE, BIR_ENG_ACT,  BIR_ENG_DMA, BIR_ENG_DVE,
	    BIR_ENG_PE,   BIR_ENG_POOL, BIR_ENG_SP,
	};
	int i = klr_field_index(s->op, "engine");

	return i < 0 ? BIR_ENG_NONE : map[s->value[i].i];
}

/* Registers live on ALL until the compiler knows who needs them. */
struct bir_reg *klr_lower_reg(struct klr_lowerer *l, const char *name)
{
	struct bir_reg *r;

	for (int i = l->depth - 1; i >= 0; i--)
		if (!strcmp(l->loop[i].var, name))
			return l->loop[i].reg;
	r = klr_names_get(l->regs, name);
	if (!r) {
		r = bir_reg_new(l->m, name, BIR_ENG_ALL, 32);
		klr_names_put(l->regs, name, r);
	}
	return r;
}

static void add_term(struct klr_lowerer *l, struct bir_expr *e,
                     const struct klr_term *t, const struct klr_view *v)
{
	int64_t coef =
	    t->kind == KLR_T_STRIDE ? t->stride : v->pair[t->dim].step;

	if (t->kind == KLR_T_VECTOR)
		klr_error_at(&l->rep, t->pos, KLR_E_BUILT,
		             "an offset a partition is not built; use "
		             "scalar(), or one statement a partition");
	else if (t->reg)
		bir_expr_add(l->m, e, coef, klr_lower_reg(l, t->reg));
	else
		bir_expr_add_index(l->m, e, coef, klr_lower_ref(l, t->ref));
}

struct bir_arg *klr_lower_ref(struct klr_lowerer *l, const struct klr_ref *r)
{
	struct bir_pair pair[BIR_PAIRS];
	struct bir_expr *e;
	struct bir_loc *loc;
	struct klr_view v;
	int dtype;

	if (r->access == KLR_A_RAW || r->access == KLR_A_AXES) {
		klr_error_at(&l->rep, r->pos, KLR_E_BUILT,
		             "the compiler takes declared tensors with slices "
		             "or pairs only; write %.40s[offset; (step,num)..]",
		             r->name);
		return bir_int(l->m, 0);
	}
	klr_view(r, &v);
	loc = klr_names_get(l->tensors, r->name);
	if (!loc) {
		klr_error_at(&l->rep, r->pos, KLR_E_BUILT,
		             "tensor '%.40s' is in memory `reg`, which is not "
		             "built; declare it in sbuf or hbm",
		             r->name);
		return bir_int(l->m, 0);
	}
	for (int i = 0; i < v.npairs; i++)
		pair[i] = (struct bir_pair){v.pair[i].step, v.pair[i].num};
	dtype = klr_dtype_bir(v.dtype);
	if (!r->terms)
		return bir_ap(l->m, loc, dtype, v.offset * v.size, v.npairs,
		              pair);
	e = bir_expr_new(l->m, 0);
	for (const struct klr_term *t = r->terms; t; t = t->next)
		add_term(l, e, t, &v);
	return bir_sym(l->m, loc, dtype, v.offset * v.size, v.npairs, pair, e);
}

struct bir_arg *klr_lower_value(struct klr_lowerer *l,
                                const struct klr_value *v)
{
	switch (v->kind) {
	case KLR_V_REF: return klr_lower_ref(l, v->ref);
	case KLR_V_INT: return bir_int(l->m, v->i);
	case KLR_V_FLOAT: return bir_imm(l->m, TPB_BIR_DTYPE_FLOAT32, v->bits);
	case KLR_V_NAME: return bir_use(l->m, klr_lower_reg(l, v->s));
	default:
		klr_error_at(&l->rep, v->pos, KLR_E_BUILT,
		             "unsupported immediate type; numbers and tensors "
		             "are built");
		return bir_int(l->m, 0);
	}
}

struct bir_arg *klr_lower_operand(struct klr_lowerer *l,
                                  const struct klr_stmt *s, const char *name)
{
	return klr_lower_value(l, klr_operand(s, name));
}
