/* SPDX-License-Identifier: Apache-2.0
 *
 * assign_engines (66): an engine for every instruction without one, and U,
 * the set of engines that own code (with SP always).
 *
 * Elementwise ops, copies, reductions, search and Memset go to DVE, Iota and
 * core barriers to Pool, scalar ops and all-engine ops to ALL, TensorSave and
 * the queue ops to SP; a DMA stays on DMA and SP triggers it.  Branches stay
 * unassigned: lower_branch replicates them over U.
 *
 * After: every instruction but branches has an engine that may run it.
 * Cost: linear.
 */
#include "compiler/passes/pass.h"

struct assign {
	struct bir_module *m;
	struct pass_ctx *c;
	int assigned;
};

static enum bir_engine preferred(const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_IOTA:
	case BIR_IT_CORE_BARRIER: return BIR_ENG_POOL;
	case BIR_IT_LOAD:
	case BIR_IT_SAVE:
	case BIR_IT_DMA_COPY: return BIR_ENG_DMA;
	case BIR_IT_TENSOR_SAVE:
	case BIR_IT_DMA_TRIGGER:
	case BIR_IT_SWITCH_QUEUE:
	case BIR_IT_RESET_QUEUE:
	case BIR_IT_EVENT_SEM:
	case BIR_IT_NOOP:
	case BIR_IT_HALT: return BIR_ENG_SP;
	case BIR_IT_BRANCH:
	case BIR_IT_JUMP: return BIR_ENG_NONE;
	default: break;
	}
	switch (bir_op(i->it)->klass) {
	case BIR_CLASS_VEC: return BIR_ENG_DVE;
	case BIR_CLASS_PART: return BIR_ENG_NONE;
	default: return BIR_ENG_ALL;
	}
}

static bool visit(struct bir_inst *i, void *ctx)
{
	struct assign *s = ctx;
	const struct bir_opinfo *op = bir_op(i->it);

	if (!op)
		return pass_fail(s->c, s->m, i, "CMP001",
		                 "%s: unknown instruction type %d; the table "
		                 "of types ends at 109",
		                 i->name, (int)i->it);
	if (i->engine == BIR_ENG_NONE) {
		i->engine = preferred(i);
		s->assigned += i->engine != BIR_ENG_NONE;
	}
	if (!(op->engines >> i->engine & 1))
		return pass_fail(s->c, s->m, i, "CMP005",
		                 "%s: %s does not run %s; choose another "
		                 "engine or leave it out",
		                 i->name, bir_engine_text(i->engine), op->text);
	if (i->engine != BIR_ENG_ALL)
		s->m->engines |= 1u << pass_stream(i) & BIR_ENG_STREAMS;
	return true;
}

bool pass_assign_engines(struct bir_module *m, struct pass_ctx *c)
{
	struct assign s = {m, c, 0};

	m->engines |= 1u << BIR_ENG_SP;
	for (struct bir_reg *r = m->reg; r; r = r->next)
		if (r->engine == BIR_ENG_NONE)
			r->engine = BIR_ENG_ALL;
	for (struct bir_func *f = m->first; f; f = f->next)
		if (!pass_each(&f->body, visit, &s))
			return false;
	pass_stat(c, "assigned=%d engines=%d", s.assigned,
	          __builtin_popcount(m->engines));
	return true;
}
