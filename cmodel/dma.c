/* SPDX-License-Identifier: Apache-2.0
 *
 * DMA queues: the look-up at their first use, and the bundles that trigger,
 * rewind and switch them.
 *
 * A queue's owner is the only engine that pushes blocks, and the mover the
 * only one that takes them away; Reset and Switch wait for an idle queue.  So
 * within a cycle the two sides meet in q_busy alone, and what an engine may
 * do is decided on q_busy before the mover's part.  Facts:
 * docs/reference/dma.md.
 */
#include "cmodel/dma.h"

#define DMA_ANY_INSTANCE 0xFF
#define DMA_EMPTY_TRIGGER 4 /* bit 2 of core_flags */

/* ------------------------------------------------------------------ *
 * The program port.                                                  *
 * ------------------------------------------------------------------ */

const uint8_t *dma_record(const struct tpb *t, enum dma_array sel)
{
	static const uint8_t none[TPB_DMA_QUEUE_SIZE];
	const struct tpb_dma_program *d = &t->cfg.dma;
	uint32_t i = t->dprog.index;

	if (!t->dprog.valid || t->dprog.sel != sel)
		return none;
	switch (sel) {
	case DMA_QUEUES: return i < d->nqueues ? d->queue[i] : none;
	case DMA_INSTANCES: return i < d->ninstances ? d->instance[i] : none;
	case DMA_BLOCKS: return i < d->nblocks ? d->block[i] : none;
	case DMA_DESCRIPTORS:
		return i < d->ndescriptors ? d->descriptor[i] : none;
	}
	return none;
}

bool dma_ask(struct tpb_dprog *next, enum dma_array sel, uint32_t index)
{
	if (next->valid)
		return false;
	*next = (struct tpb_dprog){index, (uint8_t)sel, true};
	return true;
}

/* ------------------------------------------------------------------ *
 * Ready and grant.                                                   *
 * ------------------------------------------------------------------ */

static bool dma_is_queue(const struct tpb *t, unsigned q)
{
	return q < t->cfg.dma.nqueues && q < TPB_QUEUES;
}

static unsigned dma_engine(const struct tpb *t,
                           const struct tpb_engine_state *g)
{
	return (unsigned)(g - t->s.engine);
}

/* Nothing unfinished in the queues of the engine. */
static bool dma_drained(const struct tpb *t, const struct tpb_engine_state *g)
{
	const struct tpb_state *s = &t->s;
	unsigned e = dma_engine(t, g);

	if (dma_rests(s))
		return true;
	for (int q = 0; q < TPB_QUEUES; q++)
		if (s->q_busy[q] != 0 && s->q_known[q] && s->q_owner[q] == e)
			return false;
	return true;
}

unsigned dma_ready(const struct tpb *t, const struct tpb_engine_state *g)
{
	unsigned q = cycle_byte(g, 0x0C);

	switch (cycle_byte(g, 0)) {
	case TPB_OP_DRAIN:
		if (cycle_byte(g, 0x28) == 0)
			return DMA_READY;
		break;
	case TPB_OP_RETURN:
		if (g->depth == 0)
			return DMA_READY;
		break;
	case TPB_OP_HALT:
	case TPB_OP_BARRIER:
	case TPB_OP_CORE_BARRIER:
	case TPB_OP_EXIT: break;
	case TPB_OP_DMA_TRIGGER:
	case TPB_OP_RESET_QUEUE:
	case TPB_OP_SWITCH_QUEUE:
		if (!dma_is_queue(t, q))
			return DMA_READY;
		if (!t->s.q_known[q])
			return DMA_LOOKUP;
		if (cycle_byte(g, 0) == TPB_OP_DMA_TRIGGER ||
		    t->s.q_busy[q] == 0 || dma_fault(t, g))
			return DMA_READY;
		return 0;
	default: return DMA_READY;
	}
	return dma_drained(t, g) ? DMA_READY : 0;
}

int dma_fault(const struct tpb *t, const struct tpb_engine_state *g)
{
	const struct tpb_state *s = &t->s;
	unsigned q = cycle_byte(g, 0x0C), i = cycle_byte(g, 0x0D);
	bool any =
	    i == DMA_ANY_INSTANCE && cycle_byte(g, 0) != TPB_OP_SWITCH_QUEUE;

	if (!dma_is_queue(t, q) || s->q_owner[q] != dma_engine(t, g))
		return TPB_FAULT_DMA_QUEUE;
	if (any)
		return TPB_FAULT_NONE;
	if (i >= s->q_ninst[q])
		return TPB_FAULT_DMA_QUEUE;
	if (cycle_byte(g, 0) != TPB_OP_SWITCH_QUEUE && i != s->q_inst[q])
		return TPB_FAULT_DMA_QUEUE;
	return TPB_FAULT_NONE;
}

bool dma_grant(struct tpb *t, struct tpb_engine_state *g)
{
	struct tpb_state *s = &t->s;
	unsigned q = cycle_byte(g, 0x0C) & DMA_QUEUE_MASK;

	switch (cycle_byte(g, 0)) {
	case TPB_OP_DMA_TRIGGER:
		if (cycle_word(g, 0x30) == 0)
			return true;
		if (s->q_blocks[q] == 0) {
			s->core_flags |= DMA_EMPTY_TRIGGER;
			return true;
		}
		g->dq_left = cycle_word(g, 0x30);
		break;
	case TPB_OP_RESET_QUEUE:
		s->q_cursor[q] = 0;
		s->q_oldest[q] = 0;
		return true;
	default: g->dq_step = 0; break;
	}
	g->phase = TPB_PHASE_DMA;
	return false;
}

/* ------------------------------------------------------------------ *
 * Phase DMA.                                                         *
 * ------------------------------------------------------------------ */

/* A push; the bundle retires with the last one. */
static void dma_push(struct tpb *t, struct cycle *c, int e, unsigned q)
{
	struct tpb_engine_state *g = &t->s.engine[e];
	struct tpb_state *s = &t->s;

	c->moved = true;
	s->q_busy[q] = (s->q_busy[q] + 1) & 31;
	s->q_cursor[q] = dma_next_block(s->q_cursor[q], s->q_blocks[q]);
	if (--g->dq_left == 0) {
		g->phase = TPB_PHASE_ISSUE;
		seq_retire(t, c, e);
	}
}

/* Blocks of the instance whose record is at the port. */
static void dma_take_instance(struct tpb *t, unsigned q)
{
	const uint8_t *r = dma_record(t, DMA_INSTANCES);

	t->s.q_first[q] = dma_word(r, 0);
	t->s.q_blocks[q] = (uint16_t)dma_word(r, 4);
}

/* The queue record is at the port: its semaphores are cleared, the instance
 * begins at its first block, or goes on when it need not be armed again. */
static void dma_switched(struct tpb *t, const struct tpb_engine_state *g,
                         unsigned q)
{
	const uint8_t *r = dma_record(t, DMA_QUEUES);
	struct tpb_state *s = &t->s;
	bool keep = cycle_byte(g, 0x3B) == 1 && s->q_cursor[q] < s->q_blocks[q];

	for (unsigned id = 0; id < TPB_SEMS; id++)
		if ((r[0x20 + id / 8] | r[0x40 + id / 8]) >> (id & 7) & 1)
			s->sem[id] = 0;
	s->q_inst[q] = cycle_byte(g, 0x0D);
	if (!keep)
		s->q_cursor[q] = 0;
	s->q_oldest[q] = s->q_cursor[q];
}

static void dma_switch(struct tpb *t, struct cycle *c, int e, unsigned q,
                       struct tpb_dprog *next)
{
	struct tpb_engine_state *g = &t->s.engine[e];

	c->moved = true;
	switch (g->dq_step) {
	case 0:
		g->dq_step = dma_ask(next, DMA_INSTANCES,
		                     t->s.q_finst[q] + cycle_byte(g, 0x0D));
		break;
	case 1:
		dma_take_instance(t, q);
		g->dq_step = 2;
		break;
	case 2: g->dq_step = dma_ask(next, DMA_QUEUES, q) ? 3 : 2; break;
	default:
		dma_switched(t, g, q);
		g->dq_step = 0;
		g->phase = TPB_PHASE_ISSUE;
		seq_retire(t, c, e);
		break;
	}
}

/* full: bit q set, queue q had no room at the start of the cycle. */
static void dma_engines(struct tpb *t, struct cycle *c, unsigned full,
                        struct tpb_dprog *next)
{
	for (unsigned m = c->dma; m != 0; m &= m - 1) {
		int e = cycle_first(m);
		const struct tpb_engine_state *g = &t->s.engine[e];
		unsigned q = cycle_byte(g, 0x0C) & DMA_QUEUE_MASK;

		if (cycle_byte(g, 0) == TPB_OP_SWITCH_QUEUE)
			dma_switch(t, c, e, q, next);
		else if (!(full >> q & 1))
			dma_push(t, c, e, q);
	}
}

/* ------------------------------------------------------------------ *
 * Look-up.                                                           *
 * ------------------------------------------------------------------ */

static void dma_lookup(struct tpb *t, struct cycle *c, struct tpb_dprog *next)
{
	struct tpb_state *s = &t->s;
	unsigned q = s->dl_q & DMA_QUEUE_MASK;
	const uint8_t *r;

	switch (s->dl_state) {
	case 0:
		if (c->look == 0)
			return;
		q = cycle_byte(&s->engine[cycle_first(c->look)], 0x0C);
		if (!dma_ask(next, DMA_QUEUES, q))
			return;
		s->dl_q = q & DMA_QUEUE_MASK;
		s->dl_state = 1;
		break;
	case 1:
		r = dma_record(t, DMA_QUEUES);
		s->q_owner[q] = r[9] & 7;
		s->q_ninst[q] = r[4];
		s->q_finst[q] = dma_word(r, 0);
		s->dl_state = 2;
		break;
	case 2:
		if (dma_ask(next, DMA_INSTANCES, s->q_finst[q]))
			s->dl_state = 3;
		break;
	default:
		dma_take_instance(t, q);
		s->q_inst[q] = 0;
		s->q_known[q] = 1;
		s->dl_state = 0;
		break;
	}
	c->moved = true;
}

/* ------------------------------------------------------------------ *
 * The cycle.                                                         *
 * ------------------------------------------------------------------ */

unsigned dma_pending(const struct tpb_state *s)
{
	unsigned pending = 0;

	for (unsigned q = 0; q < TPB_QUEUES; q++)
		pending |= (unsigned)(s->q_busy[q] != 0 && !s->q_stop[q]) << q;
	return pending;
}

static unsigned dma_full(const struct tpb_state *s)
{
	unsigned full = 0;

	for (unsigned q = 0; q < TPB_QUEUES; q++)
		full |= (unsigned)(s->q_busy[q] >= TPB_QUEUE_DEPTH) << q;
	return full;
}

void dma_cycle(struct tpb *t, struct cycle *c, uint8_t mover)
{
	unsigned full = c->dma ? dma_full(&t->s) : 0;
	struct tpb_dprog next = {0};

	mover_cycle(t, c, mover, &next);
	if (c->dma)
		dma_engines(t, c, full, &next);
	if (c->look | t->s.dl_state)
		dma_lookup(t, c, &next);
	t->dprog = next;
}
