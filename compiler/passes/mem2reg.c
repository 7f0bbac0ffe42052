/* SPDX-License-Identifier: Apache-2.0
 *
 * mem2reg (L25): one name, one value, where that needs no phi.
 *
 * A register that no block reads before it writes it holds unrelated values;
 * each definition but the first gets a register of its own, which frees the
 * colouring and lets seq_inst_opt fold copies.  Registers that carry values
 * between blocks keep their name: the machine has no phis, and colouring
 * takes them as they are.  Pairs that are written by halves are left alone.
 *
 * Cost: linear in operands.
 */
#include "compiler/passes/pass.h"

struct rename {
	struct bir_module *m;
	bool *keep;           /* by register id */
	struct bir_reg **now; /* current name */
	int *seen;            /* block that wrote it, as a number from 1 */
	bool *named;          /* its own name is taken by a definition */
	int n, made, block;
};

static struct bir_reg *current(const struct rename *s, const struct bir_reg *r)
{
	return s->seen[r->id] == s->block ? s->now[r->id] : NULL;
}

static void set(struct rename *s, const struct bir_reg *r, struct bir_reg *now)
{
	s->now[r->id] = now;
	s->seen[r->id] = s->block;
}

/* Mark what is read before it is written, and half-written pairs. */
static void judge(struct rename *s, struct bir_block *b)
{
	struct bir_regref ref[BIR_REFS];

	s->block++;
	for (struct bir_inst *i = b->first; i; i = i->next) {
		int n = bir_reg_refs(i, ref, BIR_REFS);

		n = n < BIR_REFS ? n : BIR_REFS;
		for (int k = 0; k < n; k++) {
			struct bir_reg *r = *ref[k].slot;

			if (ref[k].half != BIR_WHOLE ||
			    (!ref[k].def && !current(s, r)))
				s->keep[r->id] = true;
		}
		for (int k = 0; k < n; k++)
			if (ref[k].def)
				set(s, *ref[k].slot, *ref[k].slot);
	}
}

static void define(struct rename *s, struct bir_reg **slot)
{
	struct bir_reg *r = *slot;

	if (s->named[r->id]) {
		struct bir_reg *n =
		    bir_reg_new(s->m, r->name, r->engine, r->bits);

		n->pos = r->pos;
		*slot = n;
		s->made++;
	}
	s->named[r->id] = true;
	set(s, r, *slot);
}

static void rename_block(struct rename *s, struct bir_block *b)
{
	struct bir_regref ref[BIR_REFS];

	s->block++;
	for (struct bir_inst *i = b->first; i; i = i->next) {
		int n = bir_reg_refs(i, ref, BIR_REFS);

		n = n < BIR_REFS ? n : BIR_REFS;
		for (int def = 0; def < 2; def++)
			for (int k = 0; k < n; k++) {
				struct bir_reg *r = *ref[k].slot;

				/* a definition of this instruction's own loop
				 * over refs may be new already */
				if (ref[k].def != (def == 1) || r->id >= s->n ||
				    s->keep[r->id])
					continue;
				if (def)
					define(s, ref[k].slot);
				else if (current(s, r))
					*ref[k].slot = current(s, r);
			}
	}
}

bool pass_mem2reg(struct bir_module *m, struct pass_ctx *c)
{
	struct rename s = {.m = m, .n = m->nreg};
	size_t n = (size_t)m->nreg + 1;

	s.keep = arena_array(c->scratch, n, sizeof *s.keep);
	s.now = arena_array(c->scratch, n, sizeof *s.now);
	s.seen = arena_array(c->scratch, n, sizeof *s.seen);
	s.named = arena_array(c->scratch, n, sizeof *s.named);
	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next)
			judge(&s, b);
	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next)
			rename_block(&s, b);
	pass_stat(c, "registers renamed=%d", s.made);
	return true;
}
