/* SPDX-License-Identifier: Apache-2.0
 *
 * Scalar instructions, DMA and semaphores of the interpreter.
 *
 * Semaphores count what has been posted so far in the order of the text.  A
 * wait that asks for more can hold in no schedule that respects this order,
 * so it is an error.  With two cores the other core's posts are not seen, and
 * waits are let through.
 */
#include "compiler/bir/bir_build.h"
#include "compiler/bir/interp.h"

#include <inttypes.h>
#include <string.h>

/* ------------------------------------------------------------ semaphores */

static int64_t *vsem(struct bir_interp *t, int vid)
{
	return vid >= 0 && vid < t->nvsem ? &t->vsem[vid] : NULL;
}

bool interp_waits(struct bir_interp *t, const struct bir_inst *i)
{
	const struct bir_wait *w;
	int64_t have, need;

	for (w = i->wait; w; w = w->next) {
		if (w->event) {
			have = w->id >= 0 && w->id < 256 && t->event[w->id];
			need = 1;
			if (have)
				t->event[w->id] = false;
		} else {
			have = w->id >= 0        ? t->sem[w->id & 255]
			       : vsem(t, w->vid) ? *vsem(t, w->vid)
			                         : 0;
			need = w->reg
			           ? (int32_t)interp_reg(t, w->reg, BIR_WHOLE)
			           : w->value;
		}
		if (have < need && t->m->cores == 1)
			return interp_fail(
			    t, i, "BIR035",
			    "waits for %" PRId64 " of %s %d, but only %" PRId64
			    " are posted before it",
			    need, w->event ? "event" : "semaphore",
			    w->id >= 0 ? w->id : w->vid, have);
	}
	return true;
}

static bool post(struct bir_interp *t, const struct bir_inst *i, bool event,
                 int id, int vid, int mode, int64_t value)
{
	int64_t now, *virt = vsem(t, vid);

	if (event) {
		if (id >= 0 && id < 256)
			t->event[id] = true;
		return true;
	}
	if (id < 0 && !virt)
		return true;
	now = id >= 0 ? t->sem[id & 255] : *virt;
	switch (mode) {
	case TPB_BIR_UPDATE_INC: now += 1; break;
	case TPB_BIR_UPDATE_DEC: now -= 1; break;
	case TPB_BIR_UPDATE_ADD_IMM: now += value; break;
	case TPB_BIR_UPDATE_SUB_IMM: now -= value; break;
	case TPB_BIR_UPDATE_WR_IMM: now = value; break;
	default: return interp_fail(t, i, "BIR033", "update mode %d", mode);
	}
	if (id >= 0)
		t->sem[id & 255] = (int32_t)(uint32_t)now;
	else
		*virt = now;
	return true;
}

bool interp_updates(struct bir_interp *t, const struct bir_inst *i)
{
	const struct bir_update *u;

	for (u = i->update; u; u = u->next)
		if ((u->core < 0 || u->core == t->m->core) &&
		    !post(t, i, u->event, u->id, u->vid, u->mode, u->value))
			return false;
	return true;
}

void interp_clear(struct bir_interp *t)
{
	memset(t->sem, 0, sizeof t->sem);
	memset(t->vsem, 0, (size_t)t->nvsem * sizeof *t->vsem);
}

static void clear_mask(struct bir_interp *t, const uint8_t mask[32])
{
	int k;

	for (k = 0; k < 256; k++)
		if (mask[k / 8] >> (k % 8) & 1)
			t->sem[k] = 0;
}

static void group_reset(struct bir_interp *t, const struct bir_inst *i)
{
	const struct bir_greset *u = &i->u.greset;
	int k;

	if (u->range)
		for (k = u->first; k <= u->last && k < 256; k++)
			t->sem[k & 255] = 0;
	else
		clear_mask(t, u->mask);
	/* unbound ones belong to the region that ends here */
	for (k = 0; k < t->nvsem; k++)
		t->vsem[k] = 0;
}

/* ------------------------------------------------------------ DMA */

static bool run_dma_block(struct bir_interp *t, const struct bir_inst *b)
{
	const struct bir_inst *d;

	for (d = b->u.dmablock.first; d; d = d->next)
		if (!interp_copy(t, d, d->out[0], d->in[0], false))
			return false;
	return interp_updates(t, b);
}

static bool trigger(struct bir_interp *t, const struct bir_inst *i)
{
	const struct bir_trigger *u = &i->u.trigger;
	const struct bir_instance *n;
	struct interp_queue *q;
	struct bir_inst *b;
	int k;

	if (!u->queue) {
		if (!u->block)
			return interp_fail(t, i, "BIR038", "fires nothing");
		return run_dma_block(t, u->block);
	}
	q = &t->queue[u->queue->id];
	n = bir_instance_at(u->queue, q->instance);
	if (!n || !n->nblock)
		return interp_fail(t, i, "BIR038", "queue %s is empty",
		                   u->queue->name);
	for (k = 0; k < u->count; k++) {
		b = n->block[q->cursor];
		if (u->block && u->count == 1 && b != u->block)
			return interp_fail(t, i, "BIR038",
			                   "the cursor of %s is at %s, not at "
			                   "%s",
			                   u->queue->name, b->name,
			                   u->block->name);
		q->cursor = (q->cursor + 1) % n->nblock;
		if (!run_dma_block(t, b))
			return false;
	}
	return true;
}

static bool switch_queue(struct bir_interp *t, const struct bir_inst *i)
{
	const struct bir_sqi *u = &i->u.sqi;

	if (!u->queue || !bir_instance_at(u->queue, u->instance))
		return interp_fail(t, i, "BIR038", "no such instance");
	if (i->it == BIR_IT_SWITCH_QUEUE) {
		clear_mask(t, u->queue->special);
		clear_mask(t, u->queue->group);
		t->queue[u->queue->id].instance = u->instance;
	}
	if (i->it == BIR_IT_RESET_QUEUE || !u->no_rearm)
		t->queue[u->queue->id].cursor = 0;
	return true;
}

/* ------------------------------------------------------------ scalars */

static bool value(struct bir_interp *t, const struct bir_inst *i,
                  const struct bir_arg *a, uint64_t *v)
{
	int64_t x = 0;

	switch (a->kind) {
	case BIR_ARG_REG: *v = interp_reg(t, a->reg, a->half); return true;
	case BIR_ARG_IMM: *v = a->imm; return true;
	case BIR_ARG_SYMIMM:
		if (!interp_expr(t, i, a->expr, &x))
			return false;
		*v = (uint64_t)x;
		return true;
	case BIR_ARG_ADDR:
		if (!a->loc->placed)
			return interp_fail(t, i, "BIR032",
			                   "%s has no address yet",
			                   a->loc->name);
		*v = bir_unified(a->loc, a->offset);
		return true;
	default: return interp_fail(t, i, "BIR032", "is no scalar");
	}
}

static bool reg_alu(struct bir_interp *t, const struct bir_inst *i)
{
	const struct bir_arg *dst = i->out[0], *src = i->in[0];
	int bits = dst->reg->bits == 64 && dst->half == BIR_WHOLE ? 64 : 32;
	uint64_t a = 0, b = 0, r;

	if (!value(t, i, src, &a) || !value(t, i, i->in[1], &b))
		return false;
	if (!num_alu(i->u.alu.op0, bits,
	             bits == 32 && bir_dtype_signed(src->dtype), a, b, &r))
		return interp_fail(t, i, "BIR033", "%s is no scalar operation",
		                   bir_alu_text(i->u.alu.op0));
	interp_set(t, dst->reg, dst->half, r);
	return true;
}

static bool load_save(struct bir_interp *t, const struct bir_inst *i)
{
	bool load = i->it == BIR_IT_TENSOR_LOAD;
	const struct bir_arg *r = load ? i->out[0] : i->in[0];
	const struct bir_arg *m = load ? i->in[0] : i->out[0];
	struct interp_walk w;

	if (!interp_open(t, i, m, &w, NULL))
		return false;
	if (load)
		interp_set(t, r->reg, r->half,
		           (uint64_t)interp_signed(w.dtype, interp_get(&w)));
	else
		interp_put(&w, interp_reg(t, r->reg, r->half));
	return true;
}

bool interp_scalar(struct bir_interp *t, const struct bir_inst *i)
{
	uint64_t v = 0;

	switch (i->it) {
	case BIR_IT_REG_ALU: return reg_alu(t, i);
	case BIR_IT_REG_MOVE:
		if (!value(t, i, i->in[0], &v))
			return false;
		interp_set(t, i->out[0]->reg, i->out[0]->half, v);
		return true;
	case BIR_IT_TENSOR_LOAD:
	case BIR_IT_TENSOR_SAVE: return load_save(t, i);
	case BIR_IT_GLOBAL_RANK:
	case BIR_IT_PROC_RANK:
		interp_set(t, i->out[0]->reg, i->out[0]->half,
		           (uint64_t)t->m->core);
		return true;
	case BIR_IT_DMA_COPY:
	case BIR_IT_LOAD:
	case BIR_IT_SAVE:
		return interp_copy(t, i, i->out[0], i->in[0],
		                   i->u.dma.oob_skip);
	case BIR_IT_DMA_TRIGGER: return trigger(t, i);
	case BIR_IT_SWITCH_QUEUE:
	case BIR_IT_RESET_QUEUE: return switch_queue(t, i);
	case BIR_IT_GROUP_RESET: group_reset(t, i); return true;
	case BIR_IT_HALT:
		t->halted |= i->engine == BIR_ENG_ALL ? ~0u : 1u << i->engine;
		return true;
	case BIR_IT_NOOP:
	case BIR_IT_EVENT_SEM:
	case BIR_IT_ALL_BARRIER:
	case BIR_IT_DRAIN:
	case BIR_IT_CORE_BARRIER:
	case BIR_IT_BRANCH_HINT: return true;
	default:
		return interp_fail(t, i, "BIR033",
		                   "is not built in this "
		                   "interpreter");
	}
}
