/* SPDX-License-Identifier: Apache-2.0
 *
 * legalize (65): the copies that stand for several machine ops become one.
 *
 *   GenericCopy, AbstractCopy
 *     of an immediate          Memset, the value in the dtype of dst
 *     on chip, onto itself     nothing; predecessors join successors
 *     on chip                  TensorCopy
 *     to or from DRAM          DMACopy
 *
 * The number of a predicated copy becomes one of the dtype of dst, which is
 * what the machine's scalar has.
 *
 * The copy that lower_select pairs with a predicated copy goes to the engine
 * of that one: on one engine they need no semaphore between them.
 *
 * After: no GenericCopy, no AbstractCopy.  Cost: linear.
 */
#include "compiler/passes/legalize.h"
#include "compiler/passes/pass.h"
#include "compiler/passes/footprint.h"

struct legal {
	struct bir_module *m;
	struct pass_ctx *c;
	int memset, copy, dma, gone;
};

static enum bir_engine partner(const struct bir_inst *i)
{
	const struct bir_inst *n = i->next;

	if (i->engine != BIR_ENG_NONE)
		return i->engine;
	if (n && n->it == BIR_IT_COPY_PREDICATED && n->nout == 1 &&
	    pass_same_pattern(n->out[0], i->out[0]))
		return n->engine;
	return BIR_ENG_NONE;
}

static bool to_memset(struct legal *s, struct bir_inst *i)
{
	const struct bir_arg *src = i->in[0];
	uint32_t fill = 0;

	if (src->kind != BIR_ARG_IMM)
		return pass_fail(s->c, s->m, i, "CMP004",
		                 "%s: copy of a symbolic value; move it to a "
		                 "register and use a scalar operand",
		                 i->name);
	if (bir_on_chip(i->out[0]->loc) == false)
		return pass_fail(s->c, s->m, i, "CMP004",
		                 "%s: fill of DRAM tensor %s; fill an SBUF "
		                 "tensor and copy it by DMA",
		                 i->name, i->out[0]->loc->name);
	if (!legalize_fill(src->dtype, src->imm, i->out[0]->dtype, &fill))
		return pass_fail(s->c, s->m, i, "CMP004",
		                 "%s: no fill value of dtype %s is made from "
		                 "an immediate; memset another dtype and cast",
		                 i->name, bir_dtype_text(i->out[0]->dtype));
	i->it = BIR_IT_MEMSET;
	i->u.memset = (struct bir_memset){.random = false, .fill = fill};
	i->nin = 0;
	i->in[0] = NULL;
	s->memset++;
	return true;
}

/* The machine fills lanes with a scalar of their own dtype. */
static bool scalar_source(struct legal *s, struct bir_inst *i)
{
	const struct bir_arg *src = i->in[1];
	int dtype = i->out[0]->dtype;
	uint32_t fill = 0;

	if (src->kind != BIR_ARG_IMM || src->dtype == dtype)
		return true;
	if (!legalize_fill(src->dtype, src->imm, dtype, &fill))
		return pass_fail(s->c, s->m, i, "CMP004",
		                 "%s: no value of dtype %s is made from an "
		                 "immediate; fill a tensor and cast it",
		                 i->name, bir_dtype_text(dtype));
	i->in[1] = bir_imm(s->m, dtype, fill);
	return true;
}

static bool visit(struct bir_inst *i, void *ctx)
{
	struct legal *s = ctx;

	if (i->it == BIR_IT_COPY_PREDICATED)
		return scalar_source(s, i);
	if (i->it != BIR_IT_GENERIC_COPY && i->it != BIR_IT_ABSTRACT_COPY)
		return true;
	if (i->nin != 1 || i->nout != 1 || !bir_is_ap(i->out[0]))
		return pass_fail(s->c, s->m, i, "CMP002",
		                 "%s: a copy has one input and one output",
		                 i->name);
	if (i->out[0]->loc->kind == BIR_INPUT ||
	    i->out[0]->loc->kind == BIR_CONST)
		return pass_fail(s->c, s->m, i, "CMP003",
		                 "%s: copy to read-only tensor %s; copy to an "
		                 "internal or output tensor",
		                 i->name, i->out[0]->loc->name);
	i->engine = partner(i);
	if (!bir_is_ap(i->in[0]))
		return to_memset(s, i);
	if (pass_same_pattern(i->in[0], i->out[0])) {
		bir_dep_bypass(s->m, i);
		bir_inst_delete(s->m, i);
		s->gone++;
	} else if (bir_on_chip(i->in[0]->loc) && bir_on_chip(i->out[0]->loc)) {
		i->it = BIR_IT_TENSOR_COPY;
		i->u.can_read_uninit = false;
		s->copy++;
	} else {
		i->it = BIR_IT_DMA_COPY;
		i->engine = BIR_ENG_DMA;
		i->u.dma = (struct bir_dma){.dge = BIR_DGE_UNASSIGNED};
		s->dma++;
	}
	return true;
}

bool pass_legalize(struct bir_module *m, struct pass_ctx *c)
{
	struct legal s = {m, c, 0, 0, 0, 0};

	for (struct bir_func *f = m->first; f; f = f->next)
		if (!pass_each(&f->body, visit, &s))
			return false;
	pass_stat(c, "memset=%d copy=%d dma=%d deleted=%d", s.memset, s.copy,
	          s.dma, s.gone);
	return true;
}
