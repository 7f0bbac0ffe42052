/* SPDX-License-Identifier: Apache-2.0
 *
 * lower_control (128): what orders one block after another.
 *
 * Edges between top-level blocks go; instead a block that is left by a branch
 * gets a fence in front of its first terminator T:
 *
 *   <T>-barrier1    AllEngineBarrier       everybody's work is done
 *   <T>-sema-reset  GroupResetSemaphores   counters start at 0 again
 *   <T>-barrier0    AllEngineBarrier       nobody posts before the reset
 *   <T>-drain       Drain                  queues are empty
 *   <T>-end-cb      CoreBarrier            with two cores: the cores meet
 *
 * All are on ALL and chained by edges: every leaf of the block before the
 * first, T behind the last.  Return, Exit and Break need no fence.  From T on
 * nothing may have successors; only compares keep the edges they came with.
 *
 * Makes no branches and no register ops.  Cost: linear in instructions and
 * edges.
 */
#include "compiler/passes/pass.h"

#include <stdio.h>

struct control {
	struct bir_module *m;
	struct pass_ctx *c;
	struct bir_block *top; /* being fenced */
	struct bir_inst *first;
	int removed, fences, next_id;
};

static bool cut(struct bir_inst *i, void *ctx)
{
	struct control *s = ctx;

	for (struct bir_dep *d = i->preds, *n; d; d = n) {
		n = d->in_next;
		if (!d->pred->block ||
		    pass_top(d->pred->block) == pass_top(i->block))
			continue;
		bir_dep_remove(s->m, d);
		s->removed++;
	}
	return true;
}

/* The six that end a block are no leaves; a hint and a Call may be. */
static bool is_end(const struct bir_inst *i)
{
	return bir_is_terminator(i);
}

static bool has_successor(const struct bir_inst *i)
{
	for (const struct bir_dep *d = i->succs; d; d = d->out_next)
		if (!d->carried)
			return true;
	return false;
}

static bool leaf(struct bir_inst *i, void *ctx)
{
	struct control *s = ctx;

	if (i->order < 0 || is_end(i) || bir_is_body(i) || has_successor(i))
		return true;
	bir_dep_add(s->m, s->first, i, BIR_ORDERED, false);
	return true;
}

static struct bir_inst *fence_op(struct control *s, struct bir_inst *t,
                                 enum bir_it it, const char *suffix,
                                 struct bir_inst *behind)
{
	char name[192];

	snprintf(name, sizeof name, "%s-%s", t->name, suffix);
	struct bir_inst *i = bir_inst_new(s->m, it, name, BIR_ENG_ALL);

	i->pos = t->pos;
	bir_inst_before(t, i);
	if (behind)
		bir_dep_add(s->m, i, behind, BIR_ORDERED, false);
	return i;
}

/* Nothing from T on may be waited for; compares keep their predecessors. */
static bool detach(struct control *s, struct bir_inst *t)
{
	for (struct bir_inst *i = t; i; i = i->next) {
		if (has_successor(i))
			return pass_fail(s->c, s->m, i, "CMP013",
			                 "%s: a terminator that other "
			                 "instructions depend on; move the "
			                 "dependency before the branch",
			                 i->name);
		if (i->it == BIR_IT_BRANCH)
			continue;
		while (i->preds)
			bir_dep_remove(s->m, i->preds);
	}
	return true;
}

static void number(struct bir_block *b)
{
	for (struct bir_inst *i = b->first; i; i = i->next)
		i->order = 0;
	for (struct bir_inst *t = bir_first_terminator(b); t; t = t->next)
		t->order = -1;
}

static void fence(struct control *s, struct bir_block *b, struct bir_inst *t)
{
	struct bir_region one = {b, b, b->region->func, NULL};
	struct bir_block *next = b->next;
	struct bir_inst *i;

	i = fence_op(s, t, BIR_IT_ALL_BARRIER, "barrier1", NULL);
	s->first = i;
	i->order = -1;
	b->next = NULL;
	pass_each(&one, leaf, s);
	b->next = next;
	i = fence_op(s, t, BIR_IT_GROUP_RESET, "sema-reset", i);
	i = fence_op(s, t, BIR_IT_ALL_BARRIER, "barrier0", i);
	i = fence_op(s, t, BIR_IT_DRAIN, "drain", i);
	i->u.drain = 1;
	if (s->m->cores > 1) {
		i = fence_op(s, t, BIR_IT_CORE_BARRIER, "end-cb", i);
		i->u.cbar.id = 0;
		i->u.cbar.ncore = s->m->cores;
		for (int k = 0; k < s->m->cores; k++)
			i->u.cbar.core[k] = k;
	}
	bir_dep_add(s->m, t, i, BIR_ORDERED, false);
	s->fences++;
}

static bool renumber(struct bir_inst *i, void *ctx)
{
	struct control *s = ctx;

	if (i->it == BIR_IT_CORE_BARRIER)
		i->u.cbar.id = s->next_id++;
	return true;
}

static bool clear_order(struct bir_inst *i, void *ctx)
{
	(void)ctx;
	i->order = 0;
	return true;
}

bool pass_lower_control(struct bir_module *m, struct pass_ctx *c)
{
	struct control s = {.m = m, .c = c};

	for (struct bir_func *f = m->first; f; f = f->next) {
		pass_each(&f->body, cut, &s);
		pass_each(&f->body, clear_order, &s);
		f->control_lowered = true;
	}
	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next) {
			struct bir_inst *t = bir_first_terminator(b);

			if (!t)
				continue;
			number(b);
			if (!detach(&s, t))
				return false;
			if (t->it == BIR_IT_BRANCH || t->it == BIR_IT_JUMP)
				fence(&s, b, t);
		}
	if (m->cores > 1)
		for (struct bir_func *f = m->first; f; f = f->next)
			pass_each(&f->body, renumber, &s);
	pass_stat(c, "removed %d inter-BB deps, fences=%d", s.removed,
	          s.fences);
	return true;
}
