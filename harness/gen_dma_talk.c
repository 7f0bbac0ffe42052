/* SPDX-License-Identifier: Apache-2.0
 *
 * Posts of the DMA unit that engines wait for: an instance of its own for
 * each use, so that a switch to it makes known what a trigger fires.
 *
 * The owner goes on only when its queue is idle: then all posts are in the
 * bank, and a fence may give the ids away.  Facts: docs/reference/dma.md.
 */
#include "harness/gen_dma.h"

/* What an instance for talk posts to. */
struct talk {
	int e, q, inst, n;
	int sem, evt; /* -1: none */
};

/* Blocks that post; the last one posts to the event. */
static int talk_blocks(struct gen *g, struct talk *t)
{
	int time = 0;

	for (int i = 0; i < t->n; i++) {
		struct gen_block *b = dma_add_block(g, t->q, t->inst);
		int took = dma_fill_block(g, b, rng_range(&g->rng, 0, 2));

		time = took > time ? took : time;
		if (b->ndesc && t->sem >= 0 && rng_chance(&g->rng, 50)) {
			b->desc[0][0x0D] = (uint8_t)t->sem;
			b->desc[0][0x0E] = (uint8_t)rng_range(&g->rng, 1, 255);
		}
		if (t->evt >= 0 && i == t->n - 1) {
			b->mode = gen_event_update(g, !g->evt[t->evt]);
			b->id = (uint8_t)t->evt;
		} else if (t->sem >= 0 && rng_chance(&g->rng, 80)) {
			do {
				b->mode = dma_block_mode(g);
			} while ((b->mode & 0xF) < TPB_UPDATE_INC);
			b->id = (uint8_t)t->sem;
			b->operand =
			    dma_has_operand(b->mode) ? gen_value(g) : 0;
		}
	}
	return time;
}

/* What a trigger of so many blocks makes of the semaphore. */
static void talk_value(struct gen *g, const struct talk *t, int count)
{
	const struct gen_block *b = &g->dma.block[g->dma.nblocks - t->n];

	for (int i = 0; i < count; i++) {
		const struct gen_block *k = &b[i % t->n];

		for (int j = 0; j < k->ndesc; j++)
			if (t->sem >= 0 && k->desc[j][0x0E] &&
			    k->desc[j][0x0D] == t->sem)
				g->val[t->sem] += k->desc[j][0x0E];
		if (t->sem >= 0 && k->mode && k->id == t->sem &&
		    (k->mode & 0xF) >= TPB_UPDATE_INC)
			g->val[t->sem] =
			    gen_updated(k->mode, g->val[t->sem], k->operand);
	}
}

static void talk_fire(struct gen *g, struct talk *t)
{
	int time = talk_blocks(g, t), count = t->n;
	uint8_t b[TPB_BUNDLE];

	if (t->evt < 0 && rng_chance(&g->rng, 40))
		count = rng_range(&g->rng, 1, 2 * t->n);
	dma_begin(b, TPB_OP_SWITCH_QUEUE, t->q, t->inst);
	gen_put(g, t->e, b, NULL);
	dma_begin(b, TPB_OP_DMA_TRIGGER, t->q,
	          rng_chance(&g->rng, 50) ? 0xFF : t->inst);
	gen_word(b, 0x30, (uint32_t)count);
	g->trigger_time = (int64_t)count * time;
	gen_put(g, t->e, b, NULL);
	talk_value(g, t, count);
}

/* Engines that wait for the posts. */
static void talk_wait(struct gen *g, struct region *r, struct talk *t)
{
	uint8_t left = r->engines & (uint8_t)rng_u32(&g->rng);
	bool was = t->evt >= 0 && g->evt[t->evt];
	bool take =
	    t->evt >= 0 && gen_count(left) == 1 && rng_chance(&g->rng, 60);

	for (; left; left &= left - 1) {
		int e = __builtin_ctz(left);
		struct sync s = {0};

		if (t->evt >= 0 &&
		    (t->sem < 0 || rng_chance(&g->rng, 50) || take)) {
			s.wait = was ? TPB_WAIT_EVT_CLR : TPB_WAIT_EVT_SET;
			s.wait |= take ? 1 : 0;
			s.wait_id = (uint8_t)t->evt;
		} else if (t->sem >= 0) {
			s.wait_id = (uint8_t)t->sem;
			s.wait =
			    gen_wait_for(g, g->val[t->sem],
			                 rng_chance(&g->rng, 70), &s.wait_v);
		}
		gen_filler(g, e, s.wait ? &s : NULL);
	}
	if (t->evt >= 0)
		g->evt[t->evt] = take ? was : !was;
}

/* The owner goes on when the last post is in the bank: then a fence may
 * come. */
static void talk_done(struct gen *g, const struct talk *t)
{
	uint8_t b[TPB_BUNDLE];

	if (rng_chance(&g->rng, 50))
		gen_straight(g, t->e, 2);
	if (rng_chance(&g->rng, 30)) {
		dma_begin(b, TPB_OP_RESET_QUEUE, t->q,
		          rng_chance(&g->rng, 50) ? 0xFF : t->inst);
	} else {
		gen_begin(b, TPB_OP_DRAIN);
		b[0x28] = (uint8_t)rng_range(&g->rng, 1, 255);
	}
	gen_put(g, t->e, b, NULL);
}

void gen_dma_talk(struct gen *g, struct region *r)
{
	struct talk t = {.e = gen_any(g, r->engines), .sem = -1, .evt = -1};
	struct gen_queue *u;

	t.q = dma_find_queue(g, t.e, GEN_TALK, false);
	if (t.q < 0 || g->dma.queue[t.q].ninst > 200 ||
	    g->mult * 100 > g->opt->cycles)
		return;
	if (rng_chance(&g->rng, 80))
		t.sem = gen_take_sem(g, r);
	if (t.sem < 0 || rng_chance(&g->rng, 40))
		t.evt = gen_take_evt(g, r);
	if (t.sem < 0 && t.evt < 0)
		return;
	u = &g->dma.queue[t.q];
	t.inst = u->ninst++;
	t.n = rng_range(&g->rng, 1, 3);
	talk_fire(g, &t);
	talk_wait(g, r, &t);
	talk_done(g, &t);
}
