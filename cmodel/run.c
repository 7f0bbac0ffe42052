/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast path: engines take turns; see run.h.
 *
 * A turn ends when the engine waits or after so many bundles, lest a loop
 * that polls memory keep the engine from running that would end it.  A bundle
 * goes through the same functions as in tpb_step(): its check and waits
 * (sync_ready), joins (sync_special), grant (seq_grant) and retire; what takes
 * cycles in between is done at once.
 */
#include "cmodel/run_priv.h"

#define RUN_TURN 100000 /* bundles in a row, unless the order says */

struct run {
	struct tpb *t;
	const struct tpb_run_order *order;
	struct tpb_run_count *n;
};

/* Nothing but masks is looked at before it is written. */
static void run_clear(struct cycle *c)
{
	memset(c, 0, offsetof(struct cycle, target));
}

/* ------------------------------------------------------------------ *
 * Fetch.                                                             *
 * ------------------------------------------------------------------ */

static void run_enter(struct tpb *t, int e)
{
	step_enter(t, e);
	t->s.engine[e].fetch_pc++;
}

/* The fetch registers are left as a run cycle by cycle leaves them. */
static void run_fetch(struct tpb *t, const struct cycle *c)
{
	unsigned advance = c->retire & ~(unsigned)c->exit;

	for (; advance != 0; advance &= advance - 1) {
		int e = cycle_first(advance);
		struct tpb_engine_state *g = &t->s.engine[e];

		if (!(c->jump >> e & 1)) {
			run_enter(t, e);
			continue;
		}
		g->x_valid = 0;
		g->pc = c->target[e];
		g->fetch_pc = c->target[e] + 1;
	}
}

/* ------------------------------------------------------------------ *
 * A bundle.                                                          *
 * ------------------------------------------------------------------ */

/* Its updates take effect, the next one enters. */
static void run_retire(struct run *r, const struct cycle *c)
{
	step_bank(r->t, c);
	run_fetch(r->t, c);
	r->n->bundles += (uint64_t)__builtin_popcount(c->retire);
}

static void run_access(struct tpb *t, struct tpb_engine_state *g)
{
	do {
		uint64_t addr = lsu_address(g);

		if (cycle_byte(g, 0) == TPB_OP_TENSOR_SAVE) {
			uint8_t mask;
			uint64_t data = lsu_data(g, addr, &mask);

			run_store(t, addr, data, mask);
		} else {
			lsu_answer(g, run_load(t, addr));
		}
	} while (!lsu_next(g));
}

/* The work of a granted bundle that stays; one in phase DMA goes on with the
 * unit's steps. */
static void run_work(struct run *r, struct cycle *c, int e)
{
	struct tpb_engine_state *g = &r->t->s.engine[e];

	switch (g->phase) {
	case TPB_PHASE_ALU:
		while (!alu_cycle(g))
			;
		break;
	case TPB_PHASE_REQ: run_access(r->t, g); break;
	case TPB_PHASE_VEC:
		r->n->elements += run_vector(r->t, e);
		g->phase = TPB_PHASE_ISSUE;
		break;
	default: return;
	}
	seq_retire(r->t, c, e);
}

static void run_grant(struct run *r, unsigned grant)
{
	struct cycle c;

	run_clear(&c);
	for (unsigned m = grant; m != 0; m &= m - 1)
		seq_grant(r->t, &c, cycle_first(m));
	for (unsigned m = grant & ~(unsigned)c.retire; m != 0; m &= m - 1)
		run_work(r, &c, cycle_first(m));
	run_retire(r, &c);
}

static void run_dma_to_rest(struct run *r)
{
	struct cycle c;

	while (run_dma_busy(&r->t->s)) {
		run_clear(&c);
		run_dma_step(r->t, &c, r->n);
	}
}

/* All that an engine in phase DMA asks of the unit: a record asked for in one
 * step is there in the next only.  False: its queue is full for ever. */
static bool run_queue(struct run *r, int e)
{
	struct cycle c;
	bool moved = false;

	do {
		run_clear(&c);
		c.dma = (uint8_t)(1u << e);
		run_dma_step(r->t, &c, r->n);
		moved |= c.moved;
	} while (c.retire == 0 && c.moved);
	run_retire(r, &c);
	if (c.retire != 0 && !r->order->late)
		run_dma_to_rest(r);
	return moved;
}

/* ------------------------------------------------------------------ *
 * Waits and joins.                                                   *
 * ------------------------------------------------------------------ */

/* sync_ready() for a bundle whose check goes on beside its waits, and needs
 * more than one look. */
static unsigned run_ready(struct run *r, int e)
{
	struct tpb *t = r->t;
	struct tpb_engine_state *g = &t->s.engine[e];
	uint8_t op = cycle_byte(g, 0);
	unsigned ready;

	if (op == TPB_OP_TENSOR_LOAD || op == TPB_OP_TENSOR_SAVE)
		while (!lsu_check(&t->cfg, g))
			;
	else if (vec_is_op(op))
		while (!vec_check(t, e))
			;
	while ((ready = sync_ready(t, g)) & SYNC_LOOKUP) {
		struct cycle c;

		run_clear(&c);
		c.look = (uint8_t)(1u << e);
		run_dma_step(t, &c, r->n);
	}
	return ready;
}

/* Engines that stand at a join; all of them when it is complete, else 0.  One
 * alone at a join that it shares is not granted, any other bundle is. */
static unsigned run_joined(struct run *r)
{
	struct tpb *t = r->t;
	unsigned at = 0, both = SYNC_READY | SYNC_SPECIAL;

	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct tpb_engine_state *g = &t->s.engine[e];

		if (g->state == TPB_RUN_RUN && g->x_valid && !g->x_fault &&
		    g->phase == TPB_PHASE_ISSUE &&
		    (run_ready(r, e) & both) == both &&
		    sync_special(t, 1u << e) == 0)
			at |= 1u << e;
	}
	return at ? sync_special(t, at) : 0;
}

/* Engine e goes on; false: it waits. */
static bool run_bundle(struct run *r, int e)
{
	struct tpb_engine_state *g = &r->t->s.engine[e];
	unsigned ready, grant = 1u << e;

	if (!g->x_valid)
		run_enter(r->t, e);
	if (g->x_fault) {
		g->state = TPB_RUN_FAULTED;
		g->fault = g->x_fault;
		return true;
	}
	if (g->phase == TPB_PHASE_DMA)
		return run_queue(r, e);
	ready = run_ready(r, e);
	if (!(ready & SYNC_READY))
		return false;
	if (ready & SYNC_SPECIAL) {
		grant = sync_special(r->t, grant);
		if (grant == 0)
			grant = run_joined(r);
		if (grant == 0)
			return false;
	}
	run_grant(r, grant);
	return true;
}

/* ------------------------------------------------------------------ *
 * Turns.                                                             *
 * ------------------------------------------------------------------ */

static bool run_limit(const struct run *r)
{
	return r->order->bundles != 0 && r->n->bundles >= r->order->bundles;
}

/* True: something went on. */
static bool run_turn(struct run *r, int e)
{
	uint32_t left = r->order->turn ? r->order->turn : RUN_TURN;
	bool moved = false;

	while (left-- != 0 && r->t->s.engine[e].state == TPB_RUN_RUN &&
	       !run_limit(r) && run_bundle(r, e))
		moved = true;
	return moved;
}

/* The cycle before the first bundle: every fetch port has answered. */
static void run_begin(struct tpb *t)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		struct tpb_engine_state *g = &t->s.engine[e];

		if (g->state != TPB_RUN_RUN || g->d_valid)
			continue;
		g->d_valid = 1;
		g->fetch_pc++;
	}
}

static void run_deadlock(struct tpb *t)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		struct tpb_engine_state *g = &t->s.engine[e];

		if (g->state != TPB_RUN_RUN)
			continue;
		g->state = TPB_RUN_FAULTED;
		g->fault = TPB_FAULT_DEADLOCK;
	}
}

/* No engine goes on: DMA does, for a descriptor; false: it rests. */
static bool run_dma_turn(struct run *r)
{
	struct cycle c;

	if (!run_dma_busy(&r->t->s))
		return false;
	do {
		run_clear(&c);
		run_dma_step(r->t, &c, r->n);
	} while (r->t->s.dm_state != TPB_MOVER_IDLE);
	return true;
}

bool tpb_run(struct tpb *t, const struct tpb_run_order *order,
             struct tpb_run_count *count)
{
	struct run r = {t, order, count};
	bool moved;

	memset(count, 0, sizeof(*count));
	run_begin(t);
	do {
		moved = false;
		for (int i = 0; i < TPB_ENGINES; i++) {
			int e = order->backwards ? TPB_ENGINES - 1 - i : i;

			moved |= run_turn(&r, e);
		}
		if (run_limit(&r))
			return false;
		if (!moved)
			moved = run_dma_turn(&r);
	} while (moved);
	run_deadlock(t);
	return true;
}
