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

/* An engine that does not stand in phase ISSUE with a good bundle. */
static void step_other(struct tpb_engine_state *g, struct cycle *c,
                       unsigned bit)
{
	if (g->phase == TPB_PHASE_RESP)
		c->resp |= (uint8_t)bit;
	if (g->state != TPB_RUN_RUN)
		return;
	c->run |= (uint8_t)bit;
	if (!g->x_valid) {
		c->empty |= (uint8_t)bit;
	} else if (g->phase == TPB_PHASE_ISSUE) {
		g->state = TPB_RUN_FAULTED;
		g->fault = g->x_fault;
	} else if (g->phase == TPB_PHASE_ALU) {
		c->alu |= (uint8_t)bit;
	} else if (g->phase == TPB_PHASE_REQ) {
		c->req |= (uint8_t)bit;
	}
}

/* Sort the engines by what they do in this cycle. */
static void step_sort(struct tpb *t, struct cycle *c)
{
	unsigned run = 0, ready = 0;

	for (unsigned e = 0; e < TPB_ENGINES; e++) {
		struct tpb_engine_state *g = &t->s.engine[e];

		/* RUN, ISSUE and no fault are all 0: one test for most. */
		if ((g->state | g->phase | g->x_fault | (g->x_valid ^ 1)) !=
		    0) {
			step_other(g, c, 1u << e);
			continue;
		}
		run |= 1u << e;
		ready |= (unsigned)sync_ready(t, g) << e;
	}
	c->run |= (uint8_t)run;
	c->ready = (uint8_t)ready;
}

/* Decode, once for each bundle of a run. */
static uint8_t step_verdict(struct tpb *t, int e, uint32_t pc)
{
	struct tpb_verdicts *v = &t->verdicts[e];
	uint8_t code;

	if (pc < v->len && v->code[pc] != TPB_VERDICT_UNKNOWN)
		return v->code[pc];
	code = (uint8_t)tpb_decode(&t->cfg, t->cfg.stream[e].bundle[pc], false);
	if (pc < v->len)
		v->code[pc] = code;
	return code;
}

/* The bundle at the fetch port enters the issue stage. */
static void step_enter(struct tpb *t, int e)
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

static void step_bank(struct tpb *t, const struct cycle *c)
{
	for (unsigned m = c->post; m != 0; m &= m - 1) {
		const struct cycle_update *u = &c->update[cycle_first(m)];

		bank_update(&t->s, u->mode, u->id, u->value);
	}
	if (t->post.valid) {
		bank_update(&t->s, t->post.mode, t->post.id, t->post.value);
		t->post.valid = false;
	}
}

static void step_watchdog(struct tpb *t, const struct cycle *c)
{
	if (c->run == 0 || (c->grant | c->retire) != 0 || c->moved) {
		t->s.wd = 0;
		return;
	}
	if (t->s.wd + 1 < TPB_WATCHDOG_LIMIT) {
		t->s.wd++;
		return;
	}
	t->s.wd = 0;
	for (unsigned m = c->run; m != 0; m &= m - 1) {
		struct tpb_engine_state *g = &t->s.engine[cycle_first(m)];

		g->state = TPB_RUN_FAULTED;
		g->fault = TPB_FAULT_DEADLOCK;
	}
}

/* Something in the memory subsystem moves, or may move, in this cycle. */
static bool step_memory_busy(const struct tpb_state *s, const struct cycle *c)
{
	return (c->req | c->resp | s->sbuf_s1_valid | s->sbuf_rsp_valid |
	        s->psum_s1_valid | s->psum_rsp_valid | s->dreq_valid |
	        s->dram_rsp_valid) != 0;
}

void tpb_step(struct tpb *t)
{
	struct cycle c;

	memset(&c, 0, offsetof(struct cycle, target));
	t->nwrites = 0;
	step_sort(t, &c);
	if (c.ready != 0)
		sync_grant(t, &c);
	for (unsigned m = c.grant; m != 0; m &= m - 1)
		seq_grant(t, &c, cycle_first(m));
	for (unsigned m = c.alu; m != 0; m &= m - 1) {
		int e = cycle_first(m);

		if (alu_cycle(&t->s.engine[e]))
			seq_retire(t, &c, e);
	}
	if (step_memory_busy(&t->s, &c))
		memory_cycle(t, &c);
	if (c.post != 0 || t->post.valid)
		step_bank(t, &c);
	step_fetch(t, &c);
	step_watchdog(t, &c);
	t->granted = c.grant;
	t->retired = c.retire;
	t->cycle++;
}
