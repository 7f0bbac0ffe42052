/* SPDX-License-Identifier: Apache-2.0
 *
 * expand_all_final (L37): what is still on ALL becomes one op an engine of U,
 * in the order and with the names of expand_all_early: barriers, resets,
 * drains, core barriers, Exit, NoOp.  Return and Call stay, their encoders
 * write a bundle an engine.
 *
 * After: nothing else is on ALL or unassigned.  Cost: linear times engines.
 */
#include "compiler/passes/pass.h"

#include <stdio.h>

struct expand {
	struct bir_module *m;
	struct pass_ctx *c;
	int ops, clones;
};

static bool expands(const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_ALL_BARRIER:
	case BIR_IT_GROUP_RESET:
	case BIR_IT_DRAIN:
	case BIR_IT_CORE_BARRIER:
	case BIR_IT_EXIT:
	case BIR_IT_NOOP: return true;
	default: return false;
	}
}

static void clone(struct expand *s, struct bir_inst *i)
{
	enum bir_engine u[BIR_NENGINES];
	int n = pass_engines(s->m, u);
	struct bir_inst *last = i;
	char name[192];

	for (int k = 1; k < n; k++) {
		snprintf(name, sizeof name, "%s.%s", i->name,
		         pass_engine_suffix(u[k]));
		struct bir_inst *c = bir_inst_clone(s->m, i, name);

		c->engine = u[k];
		for (const struct bir_dep *d = i->preds; d; d = d->in_next)
			bir_dep_add(s->m, c, d->pred, d->kind, d->carried);
		for (const struct bir_dep *d = i->succs; d; d = d->out_next)
			bir_dep_add(s->m, d->succ, c, d->kind, d->carried);
		pass_rewire(s->m, c, u[k]);
		bir_inst_after(last, c);
		last = c;
		s->clones++;
	}
	i->engine = n ? u[0] : BIR_ENG_SP;
	pass_rewire(s->m, i, i->engine);
	s->ops++;
}

static bool visit(struct bir_inst *i, void *ctx)
{
	struct expand *s = ctx;

	if (i->engine == BIR_ENG_ALL && expands(i)) {
		if (i->update)
			return pass_fail(s->c, s->m, i, "CMP027",
			                 "%s: a post on all engines would be "
			                 "made once by each; name one engine",
			                 i->name);
		clone(s, i);
	}
	if ((BIR_ENG_STREAMS >> i->engine & 1) || i->it == BIR_IT_RETURN ||
	    i->it == BIR_IT_CALL)
		return true;
	return pass_fail(s->c, s->m, i, "CMP027",
	                 "%s: %s is on engine %s, which has no stream; name "
	                 "an engine",
	                 i->name, bir_it_text(i->it),
	                 bir_engine_text(i->engine));
}

bool pass_expand_all_final(struct bir_module *m, struct pass_ctx *c)
{
	struct expand s = {m, c, 0, 0};

	for (struct bir_func *f = m->first; f; f = f->next)
		if (!pass_each(&f->body, visit, &s))
			return false;
	pass_stat(c, "ops=%d clones=%d", s.ops, s.clones);
	return true;
}
