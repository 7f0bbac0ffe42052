/* SPDX-License-Identifier: Apache-2.0
 *
 * anti_dependency_analyzer (76): a write waits for the earlier reads (Anti)
 * and the earlier writes (Output) of its bytes.  By bytes, not by tensors, so
 * memory that alloc_mem gave to two tensors is covered.
 *
 * Before: build_fdeps.  After: every conflicting pair of a top-level block is
 * ordered by edges and engine order.  Cost: see hazards.c.
 */
#include "compiler/passes/hazards.h"

struct anti {
	struct bir_module *m;
	int anti, output;
};

static bool found(void *ctx, struct bir_inst *earlier, bool earlier_w,
                  struct bir_inst *later, bool later_w)
{
	struct anti *s = ctx;

	if (!later_w)
		return true;
	if (!bir_dep_find(s->m, later, earlier)) {
		s->output += earlier_w;
		s->anti += !earlier_w;
	}
	bir_dep_add(s->m, later, earlier, earlier_w ? BIR_OUTPUT : BIR_ANTI,
	            false);
	return true;
}

bool pass_anti_dependency_analyzer(struct bir_module *m, struct pass_ctx *c)
{
	struct anti s = {m, 0, 0};

	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next)
			hazards_of_block(m, c->scratch, b, found, &s);
	pass_stat(c, "anti edges=%d output edges=%d", s.anti, s.output);
	return true;
}
