/* SPDX-License-Identifier: Apache-2.0
 *
 * Predicated instructions as branches (lower_branch).
 *
 * Neighbours with equal predicates form a block P; the block before ends in
 * one compare a predicate, to the next compare or P when it holds, to the
 * block behind P when not.  A condition is an affine expression against 0:
 *
 *   c + r      compare r with -c          immediate form
 *   r - q      compare r with q           register form
 *   others     compute, compare with 0    on each engine of its own
 */
#include "compiler/passes/branch.h"

#include <stdio.h>

/* Copies of one register are equal. */
static const struct bir_reg *root(const struct bir_reg *r)
{
	return r && r->origin ? r->origin : r;
}

static bool same_expr(const struct bir_expr *a, const struct bir_expr *b)
{
	if (a->c != b->c || a->nterm != b->nterm)
		return false;
	for (int k = 0; k < a->nterm; k++)
		if (a->term[k].coef != b->term[k].coef ||
		    root(a->term[k].reg) != root(b->term[k].reg) ||
		    a->term[k].index != b->term[k].index)
			return false;
	return true;
}

static bool same_preds(const struct bir_inst *a, const struct bir_inst *b)
{
	const struct bir_pred *p = a->pred, *q = b->pred;

	for (; p && q; p = p->next, q = q->next)
		if (p->cmp != q->cmp || !same_expr(p->expr, q->expr))
			return false;
	return !p && !q;
}

/* The expression in a register of each engine; returns the first. */
static struct bir_reg *compute(struct branch *s, struct bir_block *b,
                               const struct bir_expr *x, const char *name,
                               struct bir_pos pos)
{
	struct bir_module *m = s->m;
	enum bir_engine u[BIR_NENGINES];
	int n = pass_engines(m, u);
	struct bir_reg *root = bir_reg_new(m, name, u[0], 32);

	for (int k = 0; k < n; k++) {
		struct bir_reg *acc = pass_reg(m, root, u[k]);

		bir_reg_move(m, b, u[k], acc, bir_int(m, x->c))->pos = pos;
		for (int t = 0; t < x->nterm; t++) {
			struct bir_reg *v = pass_reg(m, x->term[t].reg, u[k]);
			struct bir_reg *tmp = bir_reg_new(m, NULL, u[k], 32);

			bir_reg_alu(m, b, u[k], TPB_BIR_ALU_MULT, tmp, v,
			            bir_int(m, x->term[t].coef))
			    ->pos = pos;
			bir_reg_alu(m, b, u[k], TPB_BIR_ALU_ADD, acc, acc,
			            bir_use(m, tmp))
			    ->pos = pos;
		}
	}
	return root;
}

static bool convert(struct branch *s, struct bir_block *b,
                    const struct bir_inst *i, const struct bir_pred *p,
                    struct bir_block *yes, struct bir_block *no)
{
	const struct bir_expr *x = p->expr;
	struct bir_reg *lhs;
	struct bir_arg *rhs;
	int cmp = p->cmp;
	char name[192];

	for (int k = 0; k < x->nterm; k++)
		if (!x->term[k].reg)
			cmp = TPB_BIR_CMP_UNSUPPORTED;
	if (cmp > TPB_BIR_CMP_GT_IMM || cmp < 0 || x->c < -INT32_MAX ||
	    x->c > INT32_MAX)
		return pass_fail(s->c, s->m, i, "CMP018",
		                 "%s: the predicate is no compare of registers "
		                 "with 0; load it to a register first",
		                 i->name);
	if (x->nterm == 1 && x->term[0].coef == 1) {
		lhs = x->term[0].reg;
		rhs = bir_int(s->m, -x->c);
	} else if (x->nterm == 2 && x->c == 0 && x->term[0].coef == 1 &&
	           x->term[1].coef == -1) {
		lhs = x->term[0].reg;
		rhs = bir_use(s->m, x->term[1].reg);
		cmp += TPB_BIR_CMP_LT_REG;
	} else {
		snprintf(name, sizeof name, "%s.cond", i->name);
		lhs = compute(s, b, x, name, i->pos);
		rhs = bir_int(s->m, 0);
	}
	snprintf(name, sizeof name, "%s-if", i->name);
	struct bir_inst *t =
	    bir_emit(s->m, b, BIR_IT_BRANCH, name, BIR_ENG_NONE);

	bir_in(t, bir_use(s->m, lhs));
	bir_in(t, rhs);
	t->pos = i->pos;
	t->u.branch = (struct bir_branch){cmp, yes, no};
	s->converts++;
	return true;
}

/* Cut P and what follows out of b.  When nothing follows, b waits for the
 * entry of a loop, and so does the empty block behind P. */
static bool cut(struct branch *s, struct bir_inst *first)
{
	struct bir_module *m = s->m;
	struct bir_block *b = first->block, *p, *after, *from = b;
	struct bir_inst *end = first;
	struct bir_pred *pred = first->pred;
	char name[192];

	while (end && end->pred && same_preds(first, end))
		end = end->next;
	snprintf(name, sizeof name, "%s-after", first->name);
	after =
	    end ? bir_block_split(m, end, name) : bir_block_after(m, b, name);
	after->origin = b->origin;
	snprintf(name, sizeof name, "%s-then", first->name);
	p = bir_block_split(m, first, name);
	for (struct bir_inst *i = p->first; i; i = i->next)
		i->pred = NULL;
	if (!bir_is_terminator(p->last))
		branch_jump(s, p, after, first->pos, NULL);
	s->splits++;
	for (; pred; pred = pred->next) {
		struct bir_block *yes = p;

		if (pred->next) {
			snprintf(name, sizeof name, "%s-and", first->name);
			yes = bir_block_after(m, from, name);
			yes->origin = b->origin;
		}
		if (!convert(s, from, first, pred, yes, after))
			return false;
		from = yes;
	}
	return true;
}

bool branch_predicates(struct branch *s)
{
	for (struct bir_block *b = s->f->body.first; b; b = b->next)
		for (struct bir_inst *i = b->first; i; i = i->next)
			if (i->pred) {
				if (!cut(s, i))
					return false;
				break; /* the rest is in later blocks */
			}
	return true;
}
