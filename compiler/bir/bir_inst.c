/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions: making, linking, cloning, and the shortcuts for the ones that
 * passes emit by the dozen.
 */
#include "compiler/bir/internal.h"

/* Fields whose neutral value is not zero. */
static void neutral(struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_CORE_BARRIER: i->u.cbar.id = -1; break;
	case BIR_IT_DMA_COPY:
	case BIR_IT_LOAD:
	case BIR_IT_SAVE: i->u.dma.dge = BIR_DGE_UNASSIGNED; break;
	case BIR_IT_DMA_TRIGGER: i->u.trigger.count = 1; break;
	case BIR_IT_DMA_BLOCK: i->u.dmablock.id = -1; break;
	case BIR_IT_DRAIN: i->u.drain = 1; break;
	case BIR_IT_LOOP:
	case BIR_IT_DYN_LOOP:
	case BIR_IT_DO_WHILE:
		i->u.loop.step = 1;
		i->u.loop.coef = 1;
		i->u.loop.body.owner = i;
		break;
	default: break;
	}
}

struct bir_inst *bir_inst_new(struct bir_module *m, enum bir_it it,
                              const char *name, enum bir_engine engine)
{
	struct bir_inst *i = ARENA_NEW(m->arena, struct bir_inst);

	i->id = m->ninst++;
	i->it = it;
	i->engine = engine;
	if (!name)
		name = arena_printf(m->arena, "%s-%d", bir_it_text(it), i->id);
	i->name = bir_names_add(m, BIR_SPACE_INST, name, i);
	neutral(i);
	return i;
}

/* Blocks of a body belong to the function that its carrier stands in. */
static void owned_by(struct bir_inst *i, struct bir_region *r)
{
	if (bir_is_body(i))
		i->u.loop.body.func = r ? r->func : NULL;
}

void bir_inst_append(struct bir_block *b, struct bir_inst *i)
{
	i->block = b;
	i->next = NULL;
	i->prev = b->last;
	if (b->last)
		b->last->next = i;
	else
		b->first = i;
	b->last = i;
	owned_by(i, b->region);
}

void bir_inst_after(struct bir_inst *at, struct bir_inst *i)
{
	i->block = at->block;
	i->prev = at;
	i->next = at->next;
	if (at->next)
		at->next->prev = i;
	else
		at->block->last = i;
	at->next = i;
	owned_by(i, i->block->region);
}

void bir_inst_before(struct bir_inst *at, struct bir_inst *i)
{
	i->block = at->block;
	i->next = at;
	i->prev = at->prev;
	if (at->prev)
		at->prev->next = i;
	else
		at->block->first = i;
	at->prev = i;
	owned_by(i, i->block->region);
}

void bir_inst_unlink(struct bir_inst *i)
{
	if (!i->block)
		return;
	if (i->prev)
		i->prev->next = i->next;
	else
		i->block->first = i->next;
	if (i->next)
		i->next->prev = i->prev;
	else
		i->block->last = i->prev;
	i->prev = i->next = NULL;
	i->block = NULL;
}

void bir_inst_delete(struct bir_module *m, struct bir_inst *i)
{
	while (i->preds)
		bir_dep_remove(m, i->preds);
	while (i->succs)
		bir_dep_remove(m, i->succs);
	bir_inst_unlink(i);
	bir_names_remove(m, BIR_SPACE_INST, i->name);
}

void bir_inst_rename(struct bir_module *m, struct bir_inst *i, const char *name)
{
	bir_names_remove(m, BIR_SPACE_INST, i->name);
	i->name = bir_names_add(m, BIR_SPACE_INST, name, i);
}

struct bir_inst *bir_emit(struct bir_module *m, struct bir_block *b,
                          enum bir_it it, const char *name,
                          enum bir_engine engine)
{
	struct bir_inst *i = bir_inst_new(m, it, name, engine);

	bir_inst_append(b, i);
	return i;
}

/* One operand more than there is room for is dropped; nin says how many were
 * given, and the verifier refuses that. */
void bir_in(struct bir_inst *i, struct bir_arg *a)
{
	if (i->nin < BIR_INS)
		i->in[i->nin] = a;
	i->nin++;
}

void bir_out(struct bir_inst *i, struct bir_arg *a)
{
	if (i->nout < BIR_OUTS)
		i->out[i->nout] = a;
	i->nout++;
}

void bir_predicate(struct bir_module *m, struct bir_inst *i,
                   struct bir_expr *expr, int cmp)
{
	struct bir_pred *p = ARENA_NEW(m->arena, struct bir_pred), **at;

	p->expr = expr;
	p->cmp = cmp;
	for (at = &i->pred; *at; at = &(*at)->next)
		;
	*at = p;
}

struct bir_inst *bir_inst_clone(struct bir_module *m, const struct bir_inst *i,
                                const char *name)
{
	struct bir_inst *c = bir_inst_new(m, i->it, name, i->engine);
	const struct bir_pred *p;
	const struct bir_wait *w;
	const struct bir_update *u;
	int k;

	c->engine_id = i->engine_id;
	c->pos = i->pos;
	c->u = i->u;
	c->nin = i->nin;
	c->nout = i->nout;
	for (k = 0; k < i->nin && k < BIR_INS; k++)
		c->in[k] = bir_arg_copy(m, i->in[k]);
	for (k = 0; k < i->nout && k < BIR_OUTS; k++)
		c->out[k] = bir_arg_copy(m, i->out[k]);
	for (p = i->pred; p; p = p->next)
		bir_predicate(m, c, bir_expr_copy(m, p->expr), p->cmp);
	for (w = i->wait; w; w = w->next) {
		struct bir_wait *n = bir_wait_add(m, c, w->vid, w->id, w->mode,
		                                  w->value, w->reg, w->from);

		n->event = w->event;
	}
	for (u = i->update; u; u = u->next) {
		struct bir_update *n =
		    bir_update_add(m, c, u->vid, u->id, u->mode, u->value);

		n->event = u->event;
		n->core = u->core;
	}
	return c;
}

/* ------------------------------------------------------------ shortcuts */

struct bir_inst *bir_desc(struct bir_module *m, struct bir_inst *block,
                          struct bir_arg *src, struct bir_arg *dst)
{
	struct bir_dmablock *b = &block->u.dmablock;
	struct bir_inst *d =
	    bir_inst_new(m, BIR_IT_DMA_DESC_COPY, NULL, BIR_ENG_NONE);

	bir_in(d, src);
	bir_out(d, dst);
	d->pos = block->pos;
	d->prev = b->last;
	if (b->last)
		b->last->next = d;
	else
		b->first = d;
	b->last = d;
	b->ndesc++;
	return d;
}

struct bir_inst *bir_reg_move(struct bir_module *m, struct bir_block *b,
                              enum bir_engine e, struct bir_reg *dst,
                              struct bir_arg *src)
{
	struct bir_inst *i = bir_emit(m, b, BIR_IT_REG_MOVE, NULL, e);

	bir_in(i, src);
	bir_out(i, bir_use(m, dst));
	return i;
}

struct bir_inst *bir_reg_alu(struct bir_module *m, struct bir_block *b,
                             enum bir_engine e, int op, struct bir_reg *dst,
                             struct bir_reg *src0, struct bir_arg *src1)
{
	struct bir_inst *i = bir_emit(m, b, BIR_IT_REG_ALU, NULL, e);

	i->u.alu.op0 = op;
	bir_in(i, bir_use(m, src0));
	bir_in(i, src1);
	bir_out(i, bir_use(m, dst));
	return i;
}

struct bir_inst *bir_branch(struct bir_module *m, struct bir_block *b,
                            enum bir_engine e, int cmp, struct bir_reg *lhs,
                            struct bir_arg *rhs, struct bir_block *on_true,
                            struct bir_block *on_false)
{
	struct bir_inst *i = bir_emit(m, b, BIR_IT_BRANCH, NULL, e);

	i->u.branch.cmp = cmp;
	i->u.branch.on_true = on_true;
	i->u.branch.on_false = on_false;
	bir_in(i, bir_use(m, lhs));
	bir_in(i, rhs);
	return i;
}

struct bir_inst *bir_jump(struct bir_module *m, struct bir_block *b,
                          enum bir_engine e, struct bir_block *target)
{
	struct bir_inst *i = bir_emit(m, b, BIR_IT_JUMP, NULL, e);

	i->u.branch.on_true = target;
	return i;
}

struct bir_inst *bir_dma_copy(struct bir_module *m, struct bir_block *b,
                              struct bir_arg *dst, struct bir_arg *src)
{
	struct bir_inst *i = bir_emit(m, b, BIR_IT_DMA_COPY, NULL, BIR_ENG_DMA);

	bir_in(i, src);
	bir_out(i, dst);
	return i;
}

struct bir_inst *bir_loop(struct bir_module *m, struct bir_block *b,
                          struct bir_reg *iv, int64_t lb, int64_t ub,
                          int64_t step)
{
	struct bir_inst *i = bir_emit(m, b, BIR_IT_LOOP, NULL, BIR_ENG_ALL);

	i->u.loop.iv = iv;
	i->u.loop.lb = lb;
	i->u.loop.ub = ub;
	i->u.loop.step = step;
	return i;
}
