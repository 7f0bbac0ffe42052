/* SPDX-License-Identifier: Apache-2.0
 *
 * bir_racecheck: two instructions of a block that touch the same bytes, one
 * of them writing, must be ordered by edges and engine order.  Checks what
 * the dependency passes and the reduction left; changes nothing.
 *
 * Skipped for what may read bytes nobody wrote on purpose: nothing today.
 * Cost: as build_fdeps and dep_reduction.
 */
#include "compiler/passes/hazards.h"
#include "compiler/passes/order.h"

struct race {
	struct bir_module *m;
	struct pass_ctx *c;
	int64_t pairs;
};

static bool found(void *ctx, struct bir_inst *earlier, bool earlier_w,
                  struct bir_inst *later, bool later_w)
{
	struct race *s = ctx;

	s->pairs++;
	if (earlier->engine == BIR_ENG_ALL || later->engine == BIR_ENG_ALL ||
	    order_knows(later, earlier) || bir_dep_find(s->m, later, earlier) ||
	    (!pass_is_transfer(earlier) &&
	     pass_stream(earlier) == pass_stream(later)))
		return true;
	return pass_fail(s->c, s->m, later, "CMP010",
	                 "data race: %s %s what %s %s, and nothing orders "
	                 "them; keep the dependency passes on",
	                 later->name, later_w ? "writes" : "reads",
	                 earlier->name, earlier_w ? "writes" : "reads");
}

bool pass_bir_racecheck(struct bir_module *m, struct pass_ctx *c)
{
	struct race s = {m, c, 0};

	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next) {
			order_of_block(m, c->scratch, b, false);
			if (!hazards_of_block(m, c->scratch, b, found, &s))
				return false;
		}
	pass_stat(c, "pairs=%lld", (long long)s.pairs);
	return true;
}
