/* SPDX-License-Identifier: Apache-2.0
 *
 * build_fdeps (74): a Flow edge from every read to the earlier writes of the
 * bytes it reads, unless a later write covers them.
 *
 * Edges stay inside a top-level block: lower_control would remove the others,
 * and its fence does their work.  Loop-carried hazards need none: every
 * iteration ends in a draining join.  Together with the edges of the
 * anti_dependency_analyzer every conflicting pair is ordered; alone these are
 * not enough.
 *
 * Before: every location has a place.  Cost: see hazards.c.
 */
#include "compiler/passes/hazards.h"

struct flow {
	struct bir_module *m;
	int edges;
};

static bool found(void *ctx, struct bir_inst *earlier, bool earlier_w,
                  struct bir_inst *later, bool later_w)
{
	struct flow *s = ctx;

	if (!earlier_w || later_w)
		return true;
	s->edges += !bir_dep_find(s->m, later, earlier);
	bir_dep_add(s->m, later, earlier, BIR_FLOW, false);
	return true;
}

bool pass_build_fdeps(struct bir_module *m, struct pass_ctx *c)
{
	struct flow s = {m, 0};

	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next)
			hazards_of_block(m, c->scratch, b, found, &s);
	pass_stat(c, "flow edges=%d", s.edges);
	return true;
}
