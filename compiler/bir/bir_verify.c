/* SPDX-License-Identifier: Apache-2.0
 *
 * The verifier: is a module well formed?  Called between any two passes.
 * Here: lists, names, references, storage, blocks, sync records, edges, and
 * what the flags ask for.  Operands are in verify_args.c, the rules of each
 * op in verify_op.c, registers in verify_regs.c.
 *
 * BIR010 link or name    BIR011 operand count   BIR012 operand kind
 * BIR013 dtype           BIR014 element counts  BIR015 pattern range
 * BIR016 partitions      BIR017 engine          BIR018 block or terminator
 * BIR019 reference       BIR020 register        BIR021 place of a tensor
 * BIR022 field           BIR023 flag of caller  BIR024 sync record or edge
 */
#include "compiler/bir/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool verify_fail(const struct verify *v, const struct bir_inst *i,
                 const char *id, const char *format, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	return bir_fail(v->m, i->pos, v->err, id, "%s %.48s: %s",
	                bir_it_text(i->it), i->name, text);
}

/* ------------------------------------------------------------ storage */

static int64_t limit_of(const struct bir_module *m, enum bir_mem mem)
{
	if (mem == BIR_DRAM)
		return (int64_t)1 << 36;
	if (mem == BIR_PSUM)
		return TPB_PSUM_BYTES_GEN3;
	return m->gen == 2   ? TPB_SBUF_BYTES_GEN2
	       : m->gen == 4 ? TPB_SBUF_BYTES_GEN4
	                     : TPB_SBUF_BYTES_GEN3;
}

static bool verify_loc(const struct verify *v, const struct bir_loc *l)
{
	int64_t limit = limit_of(v->m, l->mem);
	int64_t first = bir_on_chip(l) ? l->byte : l->addr;
	int d;

	if (bir_loc_find(v->m, l->name) != l)
		return bir_fail(v->m, l->pos, v->err, "BIR010",
		                "tensor %s is not under its name", l->name);
	if (l->mem != BIR_DRAM && l->mem != BIR_SBUF && l->mem != BIR_PSUM)
		return bir_fail(v->m, l->pos, v->err, "BIR021",
		                "tensor %s is in no memory", l->name);
	if (!bir_dtype_size(l->dtype) || l->rank < 1 || l->rank > BIR_RANK)
		return bir_fail(v->m, l->pos, v->err, "BIR013",
		                "tensor %s: bad dtype or rank", l->name);
	for (d = 0; d < l->rank; d++)
		if (l->shape[d] < 1)
			return bir_fail(v->m, l->pos, v->err, "BIR015",
			                "tensor %s: dimension %d is %" PRId64,
			                l->name, d, l->shape[d]);
	if (bir_on_chip(l) && l->partitions > 128)
		return bir_fail(v->m, l->pos, v->err, "BIR016",
		                "tensor %s has %" PRId64
		                " partitions; there are 128",
		                l->name, l->partitions);
	if (l->row_bytes > limit)
		return bir_fail(
		    v->m, l->pos, v->err, "BIR021",
		    "tensor %s: %" PRId64 " bytes a row; %s has %" PRId64,
		    l->name, l->row_bytes, bir_mem_text(l->mem), limit);
	if (!l->placed)
		return !(v->flags & BIR_V_PLACED) ||
		       bir_fail(v->m, l->pos, v->err, "BIR023",
		                "tensor %s has no place", l->name);
	if (first < 0 || first + l->row_bytes > limit || l->part < 0 ||
	    l->part + (bir_on_chip(l) ? l->partitions : 1) > 128)
		return bir_fail(v->m, l->pos, v->err, "BIR021",
		                "tensor %s lies outside of %s", l->name,
		                bir_mem_text(l->mem));
	return true;
}

static bool verify_reg(const struct verify *v, const struct bir_reg *r)
{
	if (bir_reg_find(v->m, r->name) != r)
		return bir_fail(v->m, r->pos, v->err, "BIR010",
		                "register %s is not under its name", r->name);
	if (r->bits != 32 && r->bits != 64)
		return bir_fail(v->m, r->pos, v->err, "BIR020",
		                "register %s has %d bits; 32 or 64", r->name,
		                r->bits);
	if (r->phys < 0)
		return true;
	if (r->phys + r->bits / 32 > TPB_ALLOC_REGISTERS_GEN3 ||
	    (r->bits == 64 && r->phys % 2) || bir_engine_stream(r->engine) < 0)
		return bir_fail(v->m, r->pos, v->err, "BIR020",
		                "register %s: R%d of %s cannot hold it",
		                r->name, r->phys, bir_engine_text(r->engine));
	return true;
}

static bool verify_queue(const struct verify *v, const struct bir_queue *q)
{
	const struct bir_instance *n;
	const struct bir_inst *b;
	const struct bir_pos none = {0, 0};
	int k, at = 0;

	if (strlen(q->name) > 31 || bir_engine_stream(q->engine) < 0)
		return bir_fail(v->m, none, v->err, "BIR019",
		                "queue %s: name too long or no engine",
		                q->name);
	for (n = q->instance; n; n = n->next, at++)
		for (k = 0; k < n->nblock; k++) {
			b = n->block[k];
			if (b->it != BIR_IT_DMA_BLOCK ||
			    b->u.dmablock.queue != q ||
			    b->u.dmablock.instance != at ||
			    b->u.dmablock.id != k)
				return verify_fail(v, b, "BIR019",
				                   "not block %d of %s", k,
				                   q->name);
		}
	return true;
}

/* ------------------------------------------------------------ sync, edges */

/* Records that a bundle can hold: two waits and an update in an
 * EventSemaphore, one of each elsewhere, none in a datapath bundle. */
static bool verify_carrier(const struct verify *v, const struct bir_inst *i)
{
	int max = bir_op(i->it)->klass == BIR_CLASS_VEC ? 0
	          : i->it == BIR_IT_EVENT_SEM           ? 2
	                                                : 1;
	const struct bir_wait *w;
	const struct bir_update *u;
	int nwait = 0, nupdate = 0;

	for (w = i->wait; w; w = w->next)
		nwait++;
	for (u = i->update; u; u = u->next)
		nupdate++;
	if (nwait > max || nupdate > (max ? 1 : 0))
		return verify_fail(v, i, "BIR023",
		                   "%d waits and %d updates; it can carry %d "
		                   "and %d",
		                   nwait, nupdate, max, max ? 1 : 0);
	return true;
}

static bool verify_sync(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_wait *w;
	const struct bir_update *u;
	bool bound = v->flags & BIR_V_BOUND;

	if ((v->flags & BIR_V_CARRIERS) && !verify_carrier(v, i))
		return false;
	for (w = i->wait; w; w = w->next) {
		if (w->mode < 0 || w->mode > TPB_BIR_WAIT_GE_REG ||
		    (w->mode == TPB_BIR_WAIT_GE_REG) != (w->reg != NULL) ||
		    (w->mode == TPB_BIR_WAIT_EVT_SET_CLR) != w->event)
			return verify_fail(v, i, "BIR024", "malformed wait");
		if (w->id > 255 || (w->id < 0 && (bound || w->vid < 0)))
			return verify_fail(v, i, "BIR024",
			                   "wait on no semaphore");
		if (w->value < INT32_MIN || w->value > INT32_MAX)
			return verify_fail(
			    v, i, "BIR024",
			    "threshold %" PRId64 " is past 32 bits", w->value);
		if (w->from && bir_inst_find(v->m, w->from->name) != w->from)
			return verify_fail(v, i, "BIR019",
			                   "waits for %s, which is gone",
			                   w->from->name);
	}
	for (u = i->update; u; u = u->next) {
		if (u->mode < 0 || u->mode >= TPB_BIR_UPDATE_INVALID ||
		    (u->mode == TPB_BIR_UPDATE_EVT_SET) != u->event)
			return verify_fail(v, i, "BIR024", "malformed update");
		if (u->id > 255 || (u->id < 0 && (bound || u->vid < 0)))
			return verify_fail(v, i, "BIR024",
			                   "update of no semaphore");
		if (u->core >= v->m->cores)
			return verify_fail(v, i, "BIR024",
			                   "update of core %d of %d", u->core,
			                   v->m->cores);
	}
	return true;
}

/* A DMA block is alive when a trigger in a block or a queue names it. */
static bool alive(const struct bir_inst *i)
{
	const struct bir_inst *t = i->u.dmablock.trigger;

	if (i->it != BIR_IT_DMA_BLOCK)
		return i->block != NULL;
	return i->u.dmablock.queue ||
	       (t && t->block && t->u.trigger.block == i);
}

static bool verify_edges(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_dep *d;

	for (d = i->preds; d; d = d->in_next) {
		if (d->succ != i || bir_dep_find(v->m, i, d->pred) != d ||
		    d->kind < BIR_ORDERED || d->kind > BIR_FLOW)
			return verify_fail(v, i, "BIR024", "malformed edge");
		if (!alive(d->pred))
			return verify_fail(v, i, "BIR019",
			                   "depends on %s, which is gone",
			                   d->pred->name);
		if ((v->flags & BIR_V_NO_CROSS) && i->block && d->pred->block &&
		    i->block->origin != d->pred->block->origin)
			return verify_fail(v, i, "BIR023",
			                   "depends on %s of another block",
			                   d->pred->name);
	}
	return true;
}

/* ------------------------------------------------------------ blocks */

static bool target_ok(const struct verify *v, const struct bir_inst *i,
                      const struct bir_block *b)
{
	if (!b)
		return verify_fail(v, i, "BIR019", "has no target");
	if (bir_block_find(v->m, b->name) != b || b->region != i->block->region)
		return verify_fail(v, i, "BIR019",
		                   "target %s is not in its region", b->name);
	return true;
}

/* A queue has one owner. */
static bool on_engine_of(const struct verify *v, const struct bir_inst *i,
                         const struct bir_queue *q)
{
	if (q && bir_engine_stream(i->engine) >= 0 && i->engine != q->engine)
		return verify_fail(v, i, "BIR017",
		                   "queue %s belongs to %s, not to %s", q->name,
		                   bir_engine_text(q->engine),
		                   bir_engine_text(i->engine));
	return true;
}

static bool verify_refs(const struct verify *v, const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_BRANCH:
		if (i->u.branch.cmp < 0 ||
		    i->u.branch.cmp >= TPB_BIR_CMP_UNSUPPORTED)
			return verify_fail(v, i, "BIR022",
			                   "compare cannot be encoded");
		return target_ok(v, i, i->u.branch.on_true) &&
		       (!i->u.branch.on_false ||
		        target_ok(v, i, i->u.branch.on_false));
	case BIR_IT_JUMP: return target_ok(v, i, i->u.branch.on_true);
	case BIR_IT_BREAK:
		return i->block->region->owner ||
		       verify_fail(v, i, "BIR018", "is outside of a loop");
	case BIR_IT_CALL:
		if (!i->u.callee ||
		    bir_func_find(v->m, i->u.callee->name) != i->u.callee)
			return verify_fail(v, i, "BIR019", "has no callee");
		return true;
	case BIR_IT_DMA_TRIGGER:
		if (i->u.trigger.count < 1)
			return verify_fail(v, i, "BIR022", "fires nothing");
		if (!i->u.trigger.queue && !i->u.trigger.block)
			return verify_fail(v, i, "BIR019",
			                   "has neither queue nor block");
		return on_engine_of(v, i, i->u.trigger.queue);
	case BIR_IT_SWITCH_QUEUE:
	case BIR_IT_RESET_QUEUE:
		if (!i->u.sqi.queue ||
		    !bir_instance_at(i->u.sqi.queue, i->u.sqi.instance))
			return verify_fail(v, i, "BIR019",
			                   "names no queue instance");
		return on_engine_of(v, i, i->u.sqi.queue);
	default: return true;
	}
}

static bool verify_flags(const struct verify *v, const struct bir_inst *i)
{
	unsigned f = v->flags;
	const char *what = NULL;

	if ((f & BIR_V_LOWERED) &&
	    (i->it == BIR_IT_SELECT || i->it == BIR_IT_GENERIC_COPY ||
	     i->it == BIR_IT_ABSTRACT_COPY))
		what = "must have been lowered";
	else if ((f & BIR_V_FLAT) &&
	         (bir_is_body(i) || i->it == BIR_IT_BREAK || i->pred))
		what = "structure must have been lowered";
	else if ((f & BIR_V_ENGINES) && i->engine == BIR_ENG_NONE)
		what = "has no engine";
	else if ((f & BIR_V_NO_ALL) && i->engine == BIR_ENG_ALL &&
	         i->it != BIR_IT_RETURN && i->it != BIR_IT_CALL)
		/* the encoders of those two write a bundle an engine */
		what = "is still on ALL";
	return !what || verify_fail(v, i, "BIR023", "%s", what);
}

static bool verify_region(const struct verify *v, const struct bir_region *r);

/* The block that a trigger is meant to fire, with its descriptors. */
static bool verify_dmablock(const struct verify *v, const struct bir_inst *b)
{
	const struct bir_inst *d;

	if (b->it != BIR_IT_DMA_BLOCK)
		return verify_fail(v, b, "BIR019", "is no DMA block");
	if (b->wait)
		return verify_fail(v, b, "BIR024",
		                   "a DMA block cannot wait; its trigger can");
	for (d = b->u.dmablock.first; d; d = d->next)
		if (d->it != BIR_IT_DMA_DESC_COPY || !verify_args(v, d) ||
		    !verify_op(v, d))
			return verify_fail(v, b, "BIR019",
			                   "descriptor %.40s: %.80s", d->name,
			                   v->err->text);
	return verify_sync(v, b) && verify_edges(v, b);
}

static bool verify_inst(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_opinfo *op = bir_op(i->it);

	if (!op)
		return verify_fail(v, i, "BIR022", "unknown type %d",
		                   (int)i->it);
	if (bir_inst_find(v->m, i->name) != i)
		return verify_fail(v, i, "BIR010", "is not under its name");
	if ((int)i->engine < 0 || i->engine >= BIR_NENGINES ||
	    !(op->engines >> i->engine & 1))
		return verify_fail(v, i, "BIR017", "cannot run on %s",
		                   bir_engine_text(i->engine));
	if (!verify_flags(v, i) || !verify_refs(v, i) || !verify_args(v, i) ||
	    !verify_op(v, i) || !verify_sync(v, i) || !verify_edges(v, i))
		return false;
	if (i->it == BIR_IT_DMA_TRIGGER && i->u.trigger.block)
		return verify_dmablock(v, i->u.trigger.block);
	if (bir_is_body(i))
		return verify_region(v, &i->u.loop.body);
	return true;
}

/* After a terminator only code of engines that have not left yet: their own
 * terminators and what computes their conditions. */
static bool verify_block(const struct verify *v, const struct bir_block *b)
{
	const struct bir_inst *i, *prev = NULL;
	unsigned left = 0;

	if (bir_block_find(v->m, b->name) != b)
		return bir_fail(v->m, b->pos, v->err, "BIR010",
		                "block %s is not under its name", b->name);
	for (i = b->first; i; prev = i, i = i->next) {
		if (i->prev != prev || i->block != b)
			return verify_fail(v, i, "BIR010", "broken list");
		if (!verify_inst(v, i))
			return false;
		if (left >> i->engine & 1 ||
		    (left && bir_op(i->it)->klass != BIR_CLASS_CTL &&
		     bir_op(i->it)->klass != BIR_CLASS_SEQ))
			return verify_fail(v, i, "BIR018",
			                   "stands behind the end of block %s",
			                   b->name);
		if (bir_is_terminator(i) &&
		    (i->it != BIR_IT_BRANCH || i->u.branch.on_false))
			left |= i->engine == BIR_ENG_NONE ||
			                i->engine == BIR_ENG_ALL
			            ? ~0u
			            : 1u << i->engine;
	}
	if (prev != b->last)
		return bir_fail(v->m, b->pos, v->err, "BIR010",
		                "block %s: broken list", b->name);
	if (!left && (v->flags & BIR_V_TERMINATED))
		return bir_fail(v->m, b->pos, v->err, "BIR018",
		                "block %s has no terminator", b->name);
	return true;
}

static bool verify_region(const struct verify *v, const struct bir_region *r)
{
	const struct bir_block *b, *prev = NULL;

	for (b = r->first; b; prev = b, b = b->next) {
		if (b->prev != prev || b->region != r)
			return bir_fail(v->m, b->pos, v->err, "BIR010",
			                "block %s: broken list", b->name);
		if (!verify_block(v, b))
			return false;
	}
	return true;
}

bool bir_verify(struct bir_module *m, unsigned flags, struct bir_error *err)
{
	const struct verify v = {m, flags, err};
	const struct bir_pos none = {0, 0};
	const struct bir_loc *l;
	const struct bir_reg *r;
	const struct bir_queue *q;
	struct bir_func *f;

	if (!m->first || strcmp(m->first->name, "main") != 0)
		return bir_fail(m, none, err, "BIR019",
		                "the first function must be main");
	for (l = m->loc; l; l = l->next)
		if (!verify_loc(&v, l))
			return false;
	for (r = m->reg; r; r = r->next)
		if (!verify_reg(&v, r))
			return false;
	for (q = m->queue; q; q = q->next)
		if (!verify_queue(&v, q))
			return false;
	for (f = m->first; f; f = f->next)
		if (!verify_region(&v, &f->body) || !verify_regs(&v, f))
			return false;
	return true;
}
