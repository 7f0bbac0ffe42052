/* SPDX-License-Identifier: Apache-2.0
 *
 * lnc_barriercheck: core barriers are numbered densely in module order, each
 * names all cores or none, and a module of one core has none of the fence's.
 * The comparison of two cores' modules is not part of this build.
 *
 * Changes nothing.  Cost: linear.
 */
#include "compiler/passes/pass.h"

struct check {
	struct bir_module *m;
	struct pass_ctx *c;
	int next;
};

static bool visit(struct bir_inst *i, void *ctx)
{
	struct check *s = ctx;

	if (i->it != BIR_IT_CORE_BARRIER)
		return true;
	if (i->u.cbar.ncore != 0 && i->u.cbar.ncore != s->m->cores)
		return pass_fail(s->c, s->m, i, "CMP011",
		                 "%s: core barrier of %d cores; it must join "
		                 "all %d or none",
		                 i->name, i->u.cbar.ncore, s->m->cores);
	if (s->m->cores > 1 && i->u.cbar.id != s->next)
		return pass_fail(s->c, s->m, i, "CMP011",
		                 "%s: core barrier number %d where %d is due; "
		                 "run lower_control",
		                 i->name, i->u.cbar.id, s->next);
	s->next++;
	return true;
}

bool pass_lnc_barriercheck(struct bir_module *m, struct pass_ctx *c)
{
	struct check s = {m, c, 0};

	for (struct bir_func *f = m->first; f; f = f->next)
		if (!pass_each(&f->body, visit, &s))
			return false;
	pass_stat(c, "core barriers=%d", s.next);
	return true;
}
