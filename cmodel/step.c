/* SPDX-License-Identifier: Apache-2.0
 *
 * One clock of the machine, in the order of docs/reference/timing.md.
 *
 * First every engine is sorted by what its issue stage does, then the
 * decisions that look across engines are taken, then the changes are made:
 * engines, memories, bank, fetch, watchdog.  An engine that waits costs no
 * more than the evaluation of its wait.
 */
#include "cmodel/sync.h"

#include <endian.h>
#include <string.h>

/* Sort the engines that do not stand at a good bundle in phase ISSUE. */
static void step_sort(const struct tpb *t, struct cycle *c, unsigned other)
{
	for (; other != 0; other &= other - 1) {
		int e = cycle_first(other);
		const struct tpb_engine_state *g = &t->s.engine[e];
		uint8_t bit = (uint8_t)(1u << e);

		if (!g->x_valid)
			c->empty |= bit;
		else if (g->phase == TPB_PHASE_ALU)
			c->alu |= bit;
		else if (g->phase == TPB_PHASE_REQ)
			c->req |= bit;
		else if (g->phase == TPB_PHASE_RESP)
			c->resp |= bit;
		else if (g->phase == TPB_PHASE_DMA)
			c->dma |= bit;
		else if (g->phase == TPB_PHASE_VEC && e == TPB_ENGINE_POOL)
			c->vec |= 1;
		else if (g->phase == TPB_PHASE_VEC && e == TPB_ENGINE_DVE)
			c->vec |= 2;
		else
			c->bad |= bit;
	}
}

/* Decode, once for each bundle of a run. */
static uint8_t step_verdict(struct tpb *t, int e, uint32_t pc)
{
	struct tpb_verdicts *v = &t->verdicts[e];
	uint8_t code;

	if (pc < v->len && v->code[pc] != TPB_VERDICT_UNKNOWN)
		return v->code[pc];
	code =
	    (uint8_t)tpb_decode(&t->cfg, e, t->cfg.stream[e].bundle[pc], false);
	if (pc < v->len)
		v->code[pc] = code;
	return code;
}

void step_enter(struct tpb *t, int e)
{
	struct tpb_engine_state *g = &t->s.engine[e];
	const struct tpb_stream *st = &t->cfg.stream[e];

	g->pc = g->fetch_pc - 1;
	g->x_valid = 1;
	if (g->pc >= st->len) {
		memset(g->bundle, 0, sizeof(g->bundle));
		g->x_fault = TPB_FAULT_END_OF_STREAM;
		return;
	}
	const uint8_t *b = st->bundle[g->pc];

	memcpy(g->bundle, b, TPB_BUNDLE);
	for (int i = 0; i < TPB_BUNDLE / 4; i++)
		g->bundle[i] = le32toh(g->bundle[i]);
	g->x_fault = step_verdict(t, e, g->pc);
}

static void step_fetch(struct tpb *t, const struct cycle *c)
{
	unsigned advance = c->empty | (c->retire & ~(unsigned)c->exit);

	for (; advance != 0; advance &= advance - 1) {
		int e = cycle_first(advance);
		struct tpb_engine_state *g = &t->s.engine[e];

		if (c->jump >> e & 1) {
			g->x_valid = 0;
			g->pc = c->target[e];
			g->fetch_pc = c->target[e];
		} else if (g->d_valid) {
			step_enter(t, e);
		} else {
			g->x_valid = 0;
		}
		g->fetch_pc++;
		g->d_valid = 1;
	}
}

void step_bank(struct tpb *t, const struct cycle *c)
{
	for (unsigned m = c->post; m != 0; m &= m - 1) {
		const struct cycle_update *u = &c->update[cycle_first(m)];

		bank_update(&t->s, u->mode, u->id, u->value);
	}
}

/* A cycle without life; `run` are the engines in RUN, at least one. */
static void step_idle(struct tpb *t, unsigned run)
{
	if (t->s.wd + 1 < TPB_WATCHDOG_LIMIT) {
		t->s.wd++;
		return;
	}
	t->s.wd = 0;
	for (; run != 0; run &= run - 1) {
		struct tpb_engine_state *g = &t->s.engine[cycle_first(run)];

		g->state = TPB_RUN_FAULTED;
		g->fault = TPB_FAULT_DEADLOCK;
	}
}

/* Bundles that leave the cycle's first look with a fault of decode. */
static void step_bad(struct tpb *t, unsigned bad)
{
	for (; bad != 0; bad &= bad - 1) {
		struct tpb_engine_state *g = &t->s.engine[cycle_first(bad)];

		g->state = TPB_RUN_FAULTED;
		g->fault = g->x_fault;
	}
}

/* A cycle in which some engine or memory does more than wait; true when the
 * watchdog counts it as active.  Apart from tpb_step(), so that a cycle of
 * waiting does not pay for its registers. */
__attribute__((noinline)) static bool step_busy(struct tpb *t, unsigned ready,
                                                unsigned special,
                                                unsigned other, unsigned look)
{
	uint8_t mover = t->s.dm_state;
	struct cycle c;

	memset(&c, 0, offsetof(struct cycle, target));
	c.look = (uint8_t)look;
	if (other)
		step_sort(t, &c, other);
	c.grant = (uint8_t)(ready & ~special);
	if (special)
		c.grant |= (uint8_t)sync_special(t, special);
	step_bad(t, c.bad); /* a join sees it in the next cycle */
	for (unsigned m = c.grant; m != 0; m &= m - 1)
		seq_grant(t, &c, cycle_first(m));
	for (unsigned m = c.alu; m != 0; m &= m - 1) {
		int e = cycle_first(m);

		if (alu_cycle(&t->s.engine[e]))
			seq_retire(t, &c, e);
	}
	if ((c.req | c.vec) != 0 || mover == TPB_MOVER_MOVE ||
	    cycle_memory_busy(t))
		memory_cycle(t, &c);
	if ((c.dma | c.look) != 0 || !dma_rests(&t->s))
		dma_cycle(t, &c, mover);
	if (c.post != 0)
		step_bank(t, &c);
	step_fetch(t, &c);
	t->granted = c.grant;
	t->retired = c.retire;
	return (c.grant | c.retire | c.vec) != 0 || c.moved;
}

void tpb_step(struct tpb *t)
{
	unsigned run = 0, ready = 0, special = 0, other = 0, look = 0;
	struct tpb_engine_state *g = t->s.engine;

	t->nwrites = 0;
	t->row[0].valid = false;
	t->row[1].valid = false;
	t->granted = 0;
	t->retired = 0;
	t->cycle++;
	for (unsigned bit = 1; bit < 1u << TPB_ENGINES; bit <<= 1, g++) {
		unsigned r;

		if (g->state != TPB_RUN_RUN)
			continue;
		run |= bit;
		if ((g->phase | g->x_fault | (g->x_valid ^ 1)) != 0) {
			other |= bit;
			continue;
		}
		r = sync_ready(t, g);
		if (r & SYNC_READY)
			ready |= bit;
		if (r & SYNC_SPECIAL)
			special |= bit;
		if (r & SYNC_LOOKUP)
			look |= bit;
	}
	bool moves = (ready | other | look) != 0 || !dma_rests(&t->s);

	if ((moves || cycle_memory_busy(t)) &&
	    step_busy(t, ready, special, other, look))
		run = 0;
	if (run == 0)
		t->s.wd = 0;
	else
		step_idle(t, run);
}
