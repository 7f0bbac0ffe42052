/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands and affine expressions: constructors and deep copies.
 */
#include "compiler/bir/bir_build.h"

#include <string.h>

static struct bir_arg *make(struct bir_module *m, enum bir_arg_kind kind,
                            int dtype)
{
	struct bir_arg *a = ARENA_NEW(m->arena, struct bir_arg);

	a->kind = kind;
	a->dtype = dtype;
	return a;
}

struct bir_arg *bir_ap(struct bir_module *m, struct bir_loc *l, int dtype,
                       int64_t offset, int npair, const struct bir_pair *pair)
{
	struct bir_arg *a = make(m, BIR_ARG_AP, dtype);
	int d;

	a->loc = l;
	a->offset = offset;
	a->npair = npair < BIR_PAIRS ? npair : BIR_PAIRS;
	for (d = 0; d < a->npair; d++)
		a->pair[d] = pair[d];
	return a;
}

struct bir_arg *bir_whole(struct bir_module *m, struct bir_loc *l)
{
	struct bir_arg *a = make(m, BIR_ARG_AP, l->dtype);
	int64_t step = 1;
	int d;

	a->loc = l;
	a->npair = l->rank;
	for (d = l->rank - 1; d >= 0; d--) {
		a->pair[d].step = step;
		a->pair[d].num = l->shape[d];
		if (__builtin_mul_overflow(step, l->shape[d], &step))
			step = INT64_MAX / 2;
	}
	/* a partition axis and a free axis at least */
	if (a->npair < 2 && bir_on_chip(l)) {
		a->npair = 2;
		a->pair[1].step = 1;
		a->pair[1].num = 1;
	}
	return a;
}

struct bir_arg *bir_sym(struct bir_module *m, struct bir_loc *l, int dtype,
                        int64_t offset, int npair, const struct bir_pair *pair,
                        struct bir_expr *expr)
{
	struct bir_arg *a = bir_ap(m, l, dtype, offset, npair, pair);

	a->kind = BIR_ARG_SYM;
	a->expr = expr;
	return a;
}

struct bir_arg *bir_regap(struct bir_module *m, struct bir_loc *l, int dtype,
                          struct bir_reg *reg, int64_t offset, int npair,
                          const struct bir_pair *pair)
{
	struct bir_arg *a = bir_ap(m, l, dtype, offset, npair, pair);

	a->kind = BIR_ARG_REGAP;
	a->reg = reg;
	return a;
}

struct bir_arg *bir_imm(struct bir_module *m, int dtype, uint64_t bits)
{
	struct bir_arg *a = make(m, BIR_ARG_IMM, dtype);

	a->imm = bits;
	return a;
}

struct bir_arg *bir_int(struct bir_module *m, int64_t v)
{
	return bir_imm(m, TPB_BIR_DTYPE_INT32, (uint64_t)v);
}

struct bir_arg *bir_float(struct bir_module *m, float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bir_imm(m, TPB_BIR_DTYPE_FLOAT32, bits);
}

struct bir_arg *bir_symimm(struct bir_module *m, int dtype,
                           struct bir_expr *expr)
{
	struct bir_arg *a = make(m, BIR_ARG_SYMIMM, dtype);

	a->expr = expr;
	return a;
}

struct bir_arg *bir_use_half(struct bir_module *m, struct bir_reg *r,
                             enum bir_half half)
{
	bool wide = r->bits == 64 && half == BIR_WHOLE;
	struct bir_arg *a = make(
	    m, BIR_ARG_REG, wide ? TPB_BIR_DTYPE_UINT64 : TPB_BIR_DTYPE_INT32);

	a->reg = r;
	a->half = half;
	return a;
}

struct bir_arg *bir_use(struct bir_module *m, struct bir_reg *r)
{
	return bir_use_half(m, r, BIR_WHOLE);
}

struct bir_arg *bir_addr(struct bir_module *m, struct bir_loc *l,
                         int64_t offset)
{
	struct bir_arg *a = make(m, BIR_ARG_ADDR, TPB_BIR_DTYPE_UINT64);

	a->loc = l;
	a->offset = offset;
	return a;
}

struct bir_expr *bir_expr_new(struct bir_module *m, int64_t c)
{
	struct bir_expr *e = ARENA_NEW(m->arena, struct bir_expr);

	e->c = c;
	return e;
}

static struct bir_term *add_term(struct bir_module *m, struct bir_expr *e)
{
	struct bir_term *more =
	    arena_array(m->arena, (size_t)e->nterm + 1, sizeof *more);

	if (e->nterm)
		memcpy(more, e->term, (size_t)e->nterm * sizeof *more);
	e->term = more;
	return &e->term[e->nterm++];
}

void bir_expr_add(struct bir_module *m, struct bir_expr *e, int64_t coef,
                  struct bir_reg *reg)
{
	struct bir_term *t = add_term(m, e);

	t->coef = coef;
	t->reg = reg;
}

void bir_expr_add_index(struct bir_module *m, struct bir_expr *e, int64_t coef,
                        struct bir_arg *index)
{
	struct bir_term *t = add_term(m, e);

	t->coef = coef;
	t->index = index;
}

struct bir_expr *bir_expr_copy(struct bir_module *m, const struct bir_expr *e)
{
	struct bir_expr *copy;
	int k;

	if (!e)
		return NULL;
	copy = arena_copy(m->arena, e, sizeof *e);
	copy->term = arena_copy(m->arena, e->nterm ? (void *)e->term : "",
	                        (size_t)e->nterm * sizeof *e->term);
	for (k = 0; k < e->nterm; k++)
		if (e->term[k].index)
			copy->term[k].index = bir_arg_copy(m, e->term[k].index);
	return copy;
}

struct bir_arg *bir_arg_copy(struct bir_module *m, const struct bir_arg *a)
{
	struct bir_arg *copy;

	if (!a)
		return NULL;
	copy = arena_copy(m->arena, a, sizeof *a);
	copy->expr = bir_expr_copy(m, a->expr);
	return copy;
}
