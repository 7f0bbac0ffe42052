/* SPDX-License-Identifier: Apache-2.0
 *
 * lower_branch (L20): structured ops and predicates become blocks and
 * branches, and every branch stands once on each engine of U.
 *
 * Five steps a function, in this order: every block gets an explicit exit;
 * loops are laid out with their latches (branch_loop.c); blocks are cut at
 * predicates and the predicates become compares (branch_pred.c); loop
 * entries.  Then unassigned branches are replicated: the original is SP's,
 * the others "<name>.<Engine>0" with that engine's registers.
 *
 * All engines therefore take the same path: their operands are equal.  Blocks
 * made out of one block keep it as their origin, which is the region of the
 * synchronizer.
 *
 * Before: expand_all_early.  After: no structured op, Break or predicate; a
 * compare has one of its successors next.  Cost: linear, plus loop depth
 * times operands.
 */
#include "compiler/passes/branch.h"

#include <stdio.h>

/* A counter read outside of its loop, or written inside, has no range. */
static bool leak(struct bir_inst *i, void *ctx)
{
	struct branch *s = ctx;
	struct bir_regref ref[BIR_REFS];
	int n = bir_reg_refs(i, ref, BIR_REFS);

	for (int k = 0; k < n && k < BIR_REFS; k++) {
		const struct bir_reg *r = *ref[k].slot;
		bool counted = bir_is_body(i) && i->u.loop.iv == r;
		const struct bir_block *b = i->block;

		r = r->origin ? r->origin : r;
		while (!counted && !ref[k].def && b->region->owner) {
			const struct bir_reg *iv = b->region->owner->u.loop.iv;

			counted = iv && (iv->origin ? iv->origin : iv) == r;
			b = b->region->owner->block;
		}
		if (!counted)
			s->leaks[r->id] = true;
	}
	return true;
}

/* addBBExit, bodies included; the last block of a body gets its exit when it
 * is laid out. */
static void add_exits(struct branch *s, struct bir_region *r)
{
	for (struct bir_block *b = r->first; b; b = b->next) {
		struct bir_inst *t = b->last;

		for (struct bir_inst *i = b->first; i; i = i->next)
			if (bir_is_body(i))
				add_exits(s, &i->u.loop.body);
		if (b->next && !(t && bir_is_terminator(t) && !t->pred)) {
			branch_jump(s, b, b->next, t ? t->pos : b->pos, NULL);
			s->exits++;
		}
	}
}

static void replicate(struct branch *s)
{
	enum bir_engine u[BIR_NENGINES];
	int n = pass_engines(s->m, u);
	char name[192];

	for (struct bir_block *b = s->f->body.first; b; b = b->next)
		for (struct bir_inst *i = b->first, *next; i; i = next) {
			struct bir_inst *last = i;

			next = i->next;
			if ((i->it != BIR_IT_BRANCH && i->it != BIR_IT_JUMP) ||
			    (i->engine != BIR_ENG_NONE &&
			     i->engine != BIR_ENG_ALL))
				continue;
			for (int k = 0; k < n; k++) {
				if (u[k] == BIR_ENG_SP)
					continue;
				snprintf(name, sizeof name, "%s.%s", i->name,
				         pass_engine_suffix(u[k]));
				struct bir_inst *c =
				    bir_inst_clone(s->m, i, name);

				c->engine = u[k];
				pass_rewire(s->m, c, u[k]);
				bir_inst_after(last, c);
				last = c;
			}
			i->engine = BIR_ENG_SP;
			pass_rewire(s->m, i, BIR_ENG_SP);
		}
}

bool pass_lower_branch(struct bir_module *m, struct pass_ctx *c)
{
	struct branch s = {.m = m, .c = c};
	int elses = 0;

	if (m->gen < 2)
		return pass_fail(c, m, NULL, "CMP019",
		                 "generation %d has no branches; compile for "
		                 "2, 3 or 4",
		                 m->gen);
	s.leaks = arena_array(c->scratch, (size_t)m->nreg + 1, sizeof(bool));
	for (struct bir_func *f = m->first; f; f = f->next)
		pass_each(&f->body, leak, &s);
	for (struct bir_func *f = m->first; f; f = f->next) {
		s.f = f;
		s.loops = NULL;
		s.end = &s.loops;
		add_exits(&s, &f->body);
		if (!branch_loops(&s) || !branch_predicates(&s) ||
		    !branch_entries(&s))
			return false;
		replicate(&s);
		elses += pass_fix_layout(m, f);
	}
	pass_stat(c,
	          "exits=%d loops=%d splits=%d converts=%d entries=%d "
	          "deleted=%d elses=%d",
	          s.exits, s.nloops, s.splits, s.converts, s.entries, s.gone,
	          elses);
	return true;
}
