/* SPDX-License-Identifier: Apache-2.0
 *
 * lower_select (64): Select(mask, on_true, on_false) becomes
 *
 *     GenericCopy   <n>-copy        dst := on_false
 *     CopyPredicated <n>-predicated where mask: dst := on_true
 *
 * at the same place.  An on_false of one element a partition is read with step
 * 0.  The mask is used as it is, strictly 0 or 1.  Path B
 * marks a scalar on_true of the type class of on_false (`false_fill`), path A
 * everything else (`can_read_uninit`); the lane rule is the same in both.
 *
 * The first step destroys an operand that shares bytes with dst, so such an
 * operand is first copied into a fresh tensor (<n>-save-true, -save-mask,
 * -save-false).
 *
 * Before: any module.  After: no Select; nothing later may make one.
 * Cost: linear.
 */
#include "compiler/passes/footprint.h"
#include "compiler/passes/pass.h"

#include <stdio.h>

struct select {
	struct bir_module *m;
	struct pass_ctx *c;
	int found, path_b;
};

/* Partition that an operand begins at; the allocator puts tensors at 0. */
static int64_t start(const struct bir_arg *a)
{
	if (!bir_is_ap(a) || !bir_on_chip(a->loc))
		return 0;
	return (a->loc->fixed ? a->loc->part : 0) +
	       a->offset / a->loc->row_bytes;
}

/* A fresh SBUF tensor for the elements of an operand, which begin at the
 * partition of `beside`: mask and on_true are read by one bundle. */
static struct bir_arg *fresh(struct bir_module *m, const struct bir_arg *a,
                             const struct bir_arg *beside, const char *name)
{
	int64_t first = start(beside), parts = a->npair ? a->pair[0].num : 1;
	int64_t n = bir_ap_free(a), shape[2] = {first + parts, n};
	struct bir_loc *l =
	    bir_loc_new(m, name, BIR_SBUF, BIR_INTERNAL, a->dtype, 2, shape);
	struct bir_pair pair[2] = {{n, parts}, {1, n}};

	return bir_ap(m, l, a->dtype, first * l->row_bytes, 2, pair);
}

/* Copy operand k of the Select aside, in front of it. */
static void save(struct select *s, struct bir_inst *i, int k, const char *what)
{
	char name[192];

	snprintf(name, sizeof name, "%s-save-%s", i->name, what);
	struct bir_arg *to = fresh(s->m, i->in[k], i->in[k == 0], name);
	struct bir_inst *copy =
	    bir_inst_new(s->m, BIR_IT_TENSOR_COPY, name, BIR_ENG_DVE);

	copy->pos = i->pos;
	copy->pred = i->pred;
	bir_in(copy, i->in[k]);
	bir_out(copy, to);
	bir_inst_before(i, copy);
	for (struct bir_dep *d = i->preds; d; d = d->in_next)
		bir_dep_add(s->m, copy, d->pred, d->kind, d->carried);
	bir_dep_add(s->m, i, copy, BIR_FLOW, false);
	i->in[k] = bir_arg_copy(s->m, to);
}

static bool int_dtype(int dtype)
{
	return !bir_dtype_float(dtype);
}

static void edges(struct bir_module *m, struct bir_inst *old,
                  struct bir_inst *copy, struct bir_inst *pred)
{
	for (struct bir_dep *d = old->preds; d; d = d->in_next) {
		bir_dep_add(m, copy, d->pred, d->kind, d->carried);
		bir_dep_add(m, pred, d->pred, d->kind, d->carried);
	}
	for (struct bir_dep *d = old->succs; d; d = d->out_next) {
		bir_dep_add(m, d->succ, copy, d->kind, d->carried);
		bir_dep_add(m, d->succ, pred, d->kind, d->carried);
	}
	bir_dep_add(m, pred, copy, BIR_FLOW, false);
}

/* One element a partition, read again for each element of dst. */
static struct bir_arg *spread(struct bir_module *m, struct bir_arg *a,
                              const struct bir_arg *dst)
{
	int64_t n = bir_ap_free(dst);

	if (!bir_is_ap(a) || bir_ap_free(a) != 1 || n == 1)
		return a;
	a = bir_arg_copy(m, a);
	a->npair = 2;
	a->pair[1] = (struct bir_pair){0, n};
	return a;
}

static void rewrite(struct select *s, struct bir_inst *i)
{
	struct bir_module *m = s->m;
	struct bir_arg *mask = i->in[0], *yes = i->in[1], *no = i->in[2];
	char name[192];
	struct bir_inst *copy, *pred;

	snprintf(name, sizeof name, "%s-copy", i->name);
	copy = bir_inst_new(m, BIR_IT_GENERIC_COPY, name, BIR_ENG_NONE);
	bir_in(copy, spread(m, no, i->out[0]));
	bir_out(copy, i->out[0]);
	snprintf(name, sizeof name, "%s-predicated", i->name);
	pred = bir_inst_new(m, BIR_IT_COPY_PREDICATED, name, i->engine);
	bir_in(pred, mask);
	bir_in(pred, yes);
	bir_out(pred, bir_arg_copy(m, i->out[0]));
	pred->engine_id = i->engine_id;
	copy->pos = pred->pos = i->pos;
	copy->pred = i->pred;
	for (const struct bir_pred *p = i->pred; p; p = p->next)
		bir_predicate(m, pred, bir_expr_copy(m, p->expr), p->cmp);
	copy->wait = i->wait;
	pred->update = i->update;
	if (!bir_is_ap(yes) && int_dtype(yes->dtype) == int_dtype(no->dtype)) {
		pred->u.cpred.false_fill = true;
		s->path_b++;
	} else {
		pred->u.cpred.can_read_uninit = true;
	}
	bir_inst_before(i, copy);
	bir_inst_after(copy, pred);
	edges(m, i, copy, pred);
	bir_inst_delete(m, i);
}

static bool visit(struct bir_inst *i, void *ctx)
{
	struct select *s = ctx;

	if (!bir_op(i->it))
		return pass_fail(s->c, s->m, i, "CMP001",
		                 "%s: unknown instruction type %d; the table "
		                 "of types ends at 109",
		                 i->name, (int)i->it);
	if (i->it != BIR_IT_SELECT)
		return true;
	if (i->nin != 3 || i->nout != 1)
		return pass_fail(s->c, s->m, i, "CMP002",
		                 "%s: Select has %d inputs and %d outputs; "
		                 "give mask, on_true, on_false and one output",
		                 i->name, i->nin, i->nout);
	if (pass_overlap(i->in[1], i->out[0]))
		save(s, i, 1, "true");
	if (pass_overlap(i->in[0], i->out[0]))
		save(s, i, 0, "mask");
	if (pass_overlap(i->in[2], i->out[0]) &&
	    !pass_same_pattern(i->in[2], i->out[0]))
		save(s, i, 2, "false");
	rewrite(s, i);
	s->found++;
	return true;
}

bool pass_lower_select(struct bir_module *m, struct pass_ctx *c)
{
	struct select s = {m, c, 0, 0};

	for (struct bir_func *f = m->first; f; f = f->next)
		if (!pass_each(&f->body, visit, &s))
			return false;
	pass_stat(c, "selects=%d path_b=%d", s.found, s.path_b);
	return true;
}
