/* SPDX-License-Identifier: Apache-2.0
 *
 * DMA queues of a program, and the bundles that drive them; which kinds there
 * are and why nothing of it can deadlock: gen_dma.h.
 *
 * Facts: docs/reference/dma.md.
 */
#include "harness/gen_dma.h"

#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------------ *
 * Queues.                                                            *
 * ------------------------------------------------------------------ */

static void out_of_memory(void)
{
	fprintf(stderr, "tpb: error[GEN001]: generator: out of memory; free "
	                "some and try again\n");
	exit(2);
}

struct gen_block *dma_add_block(struct gen *g, int q, int inst)
{
	struct gen_dma *d = &g->dma;
	struct gen_block *b;

	if (d->nblocks == d->cap) {
		d->cap = d->cap ? 2 * d->cap : 64;
		b = realloc(d->block, (size_t)d->cap * sizeof(*b));
		if (!b)
			out_of_memory();
		d->block = b;
	}
	b = &d->block[d->nblocks++];
	memset(b, 0, sizeof(*b));
	b->queue = (uint8_t)q;
	b->inst = (uint8_t)inst;
	return b;
}

/* An id whose value nobody knows. */
static uint8_t loose_id(struct gen *g)
{
	if (rng_chance(&g->rng, 50))
		return (uint8_t)rng_range(&g->rng, IDS_END, 255);
	return gen_id(g, IDS_SCRATCH + rng_below(&g->rng, 4));
}

bool dma_has_operand(uint8_t mode)
{
	return (mode & 0xF) >= TPB_UPDATE_ADD_IMM;
}

/* A mode that a block may have: no register. */
uint8_t dma_block_mode(struct gen *g)
{
	int want = gen_wanted(g, g->bias.dma_mode);
	uint8_t m;

	if (want >= 0)
		return (uint8_t)want;
	do {
		m = gen_random_update(g) & 0x7F;
	} while (!isa_enum_text("update", m));
	return m;
}

/* Descriptors; returns their time. */
int dma_fill_block(struct gen *g, struct gen_block *b, int n)
{
	int time = 6;

	for (b->ndesc = 0; b->ndesc < n; b->ndesc++) {
		uint8_t *d = b->desc[b->ndesc];

		time += desc_good(g, d);
		if (rng_chance(&g->rng, 40)) {
			d[0x0D] = loose_id(g);
			d[0x0E] = (uint8_t)rng_range(&g->rng, 1, 255);
		}
	}
	return time;
}

/* An instance of a free queue: its blocks may be none, and empty. */
static void free_instance(struct gen *g, int q, int inst)
{
	struct gen_queue *u = &g->dma.queue[q];
	int n = rng_chance(&g->rng, 12) ? 0 : rng_range(&g->rng, 1, 4);

	for (int i = 0; i < n; i++) {
		struct gen_block *b = dma_add_block(g, q, inst);
		int time = dma_fill_block(g, b, rng_below(&g->rng, 4));

		if (time > u->time)
			u->time = time;
		if (rng_chance(&g->rng, 25))
			continue;
		b->mode = dma_block_mode(g);
		b->id = b->mode ? loose_id(g) : 0;
		b->operand = dma_has_operand(b->mode) ? gen_value(g) : 0;
	}
}

static void bad_instance(struct gen *g, int q)
{
	int good = rng_below(&g->rng, 3);
	struct gen_block *b = dma_add_block(g, q, 0);

	dma_fill_block(g, b, good);
	if (good && rng_chance(&g->rng, g->bias.dma_long > 0 ? 50 : 2))
		desc_long(g, b->desc[0]);
	desc_bad(g, b->desc[b->ndesc++]);
	/* What lies behind never moves. */
	if (rng_chance(&g->rng, 50))
		dma_fill_block(g, dma_add_block(g, q, 0), 1);
}

/* Semaphores that a switch clears: of those whose value nobody knows, or
 * that are always 0. */
static void choose_groups(struct gen *g, struct gen_queue *u)
{
	for (int m = 0; m < 2; m++)
		for (int i = IDS_STILL; i < IDS_PRIVATE; i++) {
			uint8_t id = gen_id(g, i);

			if (rng_chance(&g->rng, 20))
				u->group[m][id / 8] |= (uint8_t)(1 << id % 8);
		}
	u->group[rng_below(&g->rng, 2)][31] |= (uint8_t)rng_u32(&g->rng);
}

static void add_queue(struct gen *g, int e, enum gen_queue_kind kind)
{
	struct gen_dma *d = &g->dma;
	struct gen_queue *u;
	int q;

	if (d->nqueues == d->limit)
		return;
	do { /* their numbers are in no order */
		q = rng_below(&g->rng, d->limit);
	} while (d->queue[q].kind != GEN_NO_QUEUE);
	d->nqueues++;
	u = &d->queue[q];
	u->owner = (uint8_t)e;
	u->kind = (uint8_t)kind;
	u->ninst = kind == GEN_FREE ? rng_range(&g->rng, 1, 3) : 1;
	choose_groups(g, u);
	if (kind == GEN_BAD)
		bad_instance(g, q);
	for (int i = 0; i < u->ninst && kind != GEN_BAD; i++)
		free_instance(g, q, i);
}

/* Every number below the limit is a queue in the end. */
void gen_queues(struct gen *g)
{
	struct gen_dma *d = &g->dma;

	d->limit = rng_range(&g->rng, 1, TPB_QUEUES);
	if (g->bias.dma > 0)
		d->limit = rng_range(&g->rng, 10, TPB_QUEUES);
	else if (rng_chance(&g->rng, 15))
		d->limit = 0;
	for (int e = 0; e < TPB_ENGINES; e++) {
		if (!gen_has(g->all, e))
			continue;
		if (rng_chance(&g->rng, 80))
			add_queue(g, e, GEN_TALK);
		if (g->opt->faults && rng_chance(&g->rng, 60))
			add_queue(g, e, GEN_BAD);
	}
	while (d->nqueues < d->limit)
		add_queue(g, gen_any(g, g->all), GEN_FREE);
}

/* A queue of the kind that the engine owns, or of others; -1: none. */
int dma_find_queue(struct gen *g, int e, enum gen_queue_kind kind, bool others)
{
	int first = rng_below(&g->rng, TPB_QUEUES);

	for (int i = 0; i < g->dma.limit; i++) {
		int q = (first + i) % g->dma.limit;
		const struct gen_queue *u = &g->dma.queue[q];

		if (others ? u->owner != e : u->owner == e && u->kind == kind)
			return q;
	}
	return -1;
}

bool gen_has_queue(struct gen *g, int e)
{
	return dma_find_queue(g, e, GEN_FREE, false) >= 0;
}

/* ------------------------------------------------------------------ *
 * Bundles.                                                           *
 * ------------------------------------------------------------------ */

void dma_begin(uint8_t *b, uint8_t op, int q, int inst)
{
	gen_begin(b, op);
	b[0x0C] = (uint8_t)q;
	b[0x0D] = (uint8_t)inst;
	b[0x2F] = 1;
	if (op == TPB_OP_SWITCH_QUEUE)
		gen_word(b, 0x3C, 1);
}

/* Is this code run once, and always? */
static bool once(const struct gen *g)
{
	return g->mult == 1 && !g->arms && !g->frame;
}

static bool knows_instance(const struct gen *g, const struct gen_queue *u)
{
	return u->ninst == 1 || !g->frame;
}

/* Blocks that a trigger fires: few where that takes long. */
static uint32_t choose_count(struct gen *g, const struct gen_queue *u)
{
	int most = rng_chance(&g->rng, 15) ? 20 : 3;
	int64_t room = g->opt->cycles / 12;

	if (rng_chance(&g->rng, 6))
		return 0;
	if (g->bias.dma > 0 && g->mult < 4 && rng_chance(&g->rng, 30))
		room *= 4;
	while (most > 1 && most * u->time * g->mult > room)
		most--;
	if (most == 1 && u->time * g->mult > room)
		return 0;
	return (uint32_t)(most == 20 && rng_chance(&g->rng, 60)
	                      ? rng_range(&g->rng, 16, 20)
	                      : rng_range(&g->rng, 1, most));
}

void gen_queue_op(struct gen *g, int e, uint8_t op, uint8_t b[TPB_BUNDLE])
{
	int q = dma_find_queue(g, e, GEN_FREE, false);
	struct gen_queue *u = &g->dma.queue[q < 0 ? 0 : q];

	if (q < 0 || (op == TPB_OP_SWITCH_QUEUE && !knows_instance(g, u))) {
		gen_begin(b, TPB_OP_NOOP);
		return;
	}
	dma_begin(b, op, q, 0xFF);
	if (knows_instance(g, u) && rng_chance(&g->rng, 50))
		b[0x0D] = u->inst;
	if (op == TPB_OP_DMA_TRIGGER) {
		uint32_t n = choose_count(g, u);

		gen_word(b, 0x30, n);
		g->trigger_time = (int64_t)n * u->time;
	} else if (op == TPB_OP_SWITCH_QUEUE) {
		if (once(g))
			u->inst = (uint8_t)rng_below(&g->rng, u->ninst);
		b[0x0D] = u->inst;
		b[0x3B] = (uint8_t)rng_below(&g->rng, 2);
	}
}

/* Fault 13, by a rule that is broken. */
void gen_bad_queue_op(struct gen *g, int e, uint8_t op, uint8_t b[TPB_BUNDLE])
{
	int own = dma_find_queue(g, e, GEN_FREE, false);
	int other = dma_find_queue(g, e, GEN_FREE, true);
	const struct gen_queue *u = &g->dma.queue[own < 0 ? 0 : own];
	int k = rng_below(&g->rng, 4);

	dma_begin(b, op, rng_range(&g->rng, g->dma.limit, 255),
	          rng_chance(&g->rng, 50) ? 0xFF : 0);
	if (k == 1 && other >= 0)
		b[0x0C] = (uint8_t)other;
	if (k > 1 && own >= 0) {
		b[0x0C] = (uint8_t)own;
		b[0x0D] = (uint8_t)rng_range(&g->rng, u->ninst, 254);
		if (op == TPB_OP_SWITCH_QUEUE && rng_chance(&g->rng, 30))
			b[0x0D] = 0xFF;
		else if (op != TPB_OP_SWITCH_QUEUE && k == 3 && u->ninst > 1)
			b[0x0D] = (uint8_t)((u->inst + 1) % u->ninst);
	}
	if (op == TPB_OP_DMA_TRIGGER)
		gen_word(b, 0x30, (uint32_t)rng_below(&g->rng, 4));
}

bool gen_stop_queue(struct gen *g, int e)
{
	int q = dma_find_queue(g, e, GEN_BAD, false);
	uint8_t b[TPB_BUNDLE];

	if (q < 0)
		return false;
	dma_begin(b, TPB_OP_DMA_TRIGGER, q, rng_chance(&g->rng, 50) ? 0xFF : 0);
	gen_word(b, 0x30, (uint32_t)rng_range(&g->rng, 1, 3));
	g->trigger_time = 100;
	gen_put(g, e, b, NULL);
	return true;
}

/* ------------------------------------------------------------------ *
 * Into the image.                                                    *
 * ------------------------------------------------------------------ */

static void put_instance(struct gen *g, int q, int inst)
{
	char name[24];

	snprintf(name, sizeof(name), "q%d.%d", q, inst);
	image_add_instance(g->img, name);
	for (int i = 0; i < g->dma.nblocks; i++) {
		const struct gen_block *b = &g->dma.block[i];

		if (b->queue != q || b->inst != inst)
			continue;
		image_add_block(g->img, b->mode, b->id, b->operand);
		for (int k = 0; k < b->ndesc; k++)
			image_add_descriptor(g->img, b->desc[k]);
	}
}

void gen_put_queues(struct gen *g)
{
	struct image_error err;

	for (int q = 0; q < g->dma.limit; q++) {
		const struct gen_queue *u = &g->dma.queue[q];
		char name[24];

		snprintf(name, sizeof(name), "q%d", q);
		image_add_queue(g->img, name, (uint8_t)(q % 9), u->owner,
		                u->group[0], u->group[1]);
		for (int i = 0; i < u->ninst; i++)
			put_instance(g, q, i);
	}
	free(g->dma.block);
	if (image_resolve(g->img, &err))
		return;
	fprintf(stderr,
	        "tpb: error[GEN002]: %s: %s; report the seed, the generator "
	        "is wrong\n",
	        err.place, err.text);
	exit(2);
}
