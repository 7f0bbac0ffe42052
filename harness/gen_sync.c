/* SPDX-License-Identifier: Apache-2.0
 *
 * What engines say to each other, and fences between it.
 *
 * Each use of an id emits its posts before its waits, and what it waits for
 * holds in the end whatever the order in which the posts arrive: it cannot
 * be missed, unless the id is used again, which needs a fence.
 */
#include "harness/gen_priv.h"

/* ------------------------------------------------------------------ *
 * Talk.                                                              *
 * ------------------------------------------------------------------ */

/* Time for the others to get ahead. */
static void dawdle(struct gen *g, int e)
{
	if (rng_chance(&g->rng, 60))
		gen_straight(g, e, rng_range(&g->rng, 0, 5));
}

static uint8_t some(struct gen *g, uint8_t engines, int least)
{
	uint8_t m;

	do {
		m = engines & (uint8_t)rng_u32(&g->rng);
	} while (gen_count(m) < least);
	return m;
}

static uint8_t sem_update(struct gen *g)
{
	uint8_t m;

	do {
		m = gen_random_update(g);
	} while ((m & 0xF) < TPB_UPDATE_INC);
	return m;
}

/* Updates of a semaphore: any, of one engine, or sums, of several. */
static void produce(struct gen *g, struct region *r, uint8_t id)
{
	uint8_t left = some(g, r->engines, 1);
	bool one = rng_chance(&g->rng, 40);

	if (one)
		left = (uint8_t)(1u << gen_any(g, r->engines));
	while (left) {
		int e = gen_any(g, left);
		struct sync s = {.update_id = id};

		dawdle(g, e);
		s.update = one ? sem_update(g)
		               : gen_add_mode(g,
		                              rng_chance(&g->rng, 50) ? 1
		                              : rng_chance(&g->rng, 50)
		                                  ? -1
		                                  : (int32_t)gen_value(g),
		                              &s.update_v);
		if (one)
			s.update_v = gen_value(g);
		gen_filler(g, e, &s);
		g->val[id] = gen_updated(s.update, g->val[id], s.update_v);
		if (rng_chance(&g->rng, 70))
			left &= (uint8_t) ~(1u << e);
	}
}

static void counter(struct gen *g, struct region *r)
{
	int a = gen_take_sem(g, r), b = -1;
	uint8_t left = some(g, r->engines, 1);

	if (a < 0)
		return;
	produce(g, r, (uint8_t)a);
	if (rng_chance(&g->rng, 30))
		b = gen_take_sem(g, r);
	if (b >= 0)
		produce(g, r, (uint8_t)b);
	for (; left; left &= left - 1) {
		int e = __builtin_ctz(left);
		bool near = rng_chance(&g->rng, 70);
		struct sync s = {.wait_id = (uint8_t)a};

		s.wait = gen_wait_for(g, g->val[a], near, &s.wait_v);
		if (b >= 0) {
			s.wait2_id = (uint8_t)b;
			s.wait2 = gen_wait_for(g, g->val[b], near, &s.wait2_v);
		}
		gen_filler(g, e, &s);
	}
}

/* Start together, so that they meet. */
static void together(struct gen *g, struct region *r)
{
	if (rng_chance(&g->rng, g->bias.crowd > 0 ? 90 : 40))
		gen_fence(g, r);
}

/* A lock, one step down (or up) from the free value. */
static struct sync lock_sem(struct gen *g, uint8_t id, bool down)
{
	static const uint8_t mode[2][3] = {
	    {TPB_WAIT_EQ_IMM, TPB_WAIT_LE_IMM, TPB_WAIT_LT_IMM},
	    {TPB_WAIT_EQ_IMM, TPB_WAIT_GE_IMM, TPB_WAIT_GT_IMM}};
	struct sync s = {.wait_id = id, .update_id = id, .atomic = true};

	do {
		s.wait = mode[down][rng_below(&g->rng, 3)];
		s.wait |= rng_chance(&g->rng, 40) ? 0x80 : 0;
	} while (!gen_threshold(g, s.wait, g->val[id], true, &s.wait_v));
	s.update = gen_add_mode(g, down ? -1 : 1, &s.update_v);
	return s;
}

static void lock(struct gen *g, struct region *r)
{
	bool sem = rng_chance(&g->rng, 55), down = rng_chance(&g->rng, 60);
	int id = sem ? gen_take_sem(g, r) : gen_take_evt(g, r);
	int rounds = rng_range(&g->rng, 1, 3);

	if (id < 0)
		return;
	together(g, r);
	(sem ? g->sem_user : g->evt_user)[id] = r;
	r->dirty = true;
	while (rounds--) {
		uint8_t left = some(g, r->engines, 2);
		for (; left; left &= left - 1) {
			int e = __builtin_ctz(left);
			struct sync in, out = {.update_id = (uint8_t)id};

			if (sem) {
				in = lock_sem(g, (uint8_t)id, down);
				out.update = gen_add_mode(g, down ? 1 : -1,
				                          &out.update_v);
			} else {
				in = (struct sync){
				    .wait = g->evt[id] ? TPB_WAIT_EVT_SET_CLR
				                       : TPB_WAIT_EVT_CLR_SET,
				    .wait_id = (uint8_t)id};
				out.update = gen_event_update(g, g->evt[id]);
			}
			gen_filler(g, e, &in);
			gen_straight(g, e, rng_range(&g->rng, 0, 3));
			gen_filler(g, e, &out);
		}
	}
}

/* An event changes; all may look, or one may take it back. */
static void one_shot(struct gen *g, struct region *r)
{
	int id = gen_take_evt(g, r);
	bool take = rng_chance(&g->rng, 50), was;
	uint8_t from = some(g, r->engines, 1), to = some(g, r->engines, 1);

	if (id < 0)
		return;
	was = g->evt[id];
	if (take) {
		from = (uint8_t)(1u << gen_any(g, from));
		to = (uint8_t)(1u << gen_any(g, to));
	}
	for (; from; from &= from - 1) {
		struct sync s = {.update = gen_event_update(g, !was),
		                 .update_id = (uint8_t)id};
		dawdle(g, __builtin_ctz(from));
		gen_filler(g, __builtin_ctz(from), &s);
	}
	for (; to; to &= to - 1) {
		struct sync s = {.wait =
		                     was ? TPB_WAIT_EVT_CLR : TPB_WAIT_EVT_SET,
		                 .wait_id = (uint8_t)id};
		s.wait |= take ? 1 : 0;
		gen_filler(g, __builtin_ctz(to), &s);
	}
	g->evt[id] = take ? was : !was;
}

/* A ball of two events goes to and fro. */
static void ping_pong(struct gen *g, struct region *r)
{
	uint8_t two = some(g, r->engines, 2);
	int id[2] = {gen_take_evt(g, r), gen_take_evt(g, r)}, e[2];
	int hits = 2 * rng_range(&g->rng, 1, 3);

	if (id[0] < 0 || id[1] < 0)
		return;
	e[0] = gen_any(g, two);
	e[1] = gen_any(g, two & (uint8_t) ~(1u << e[0]));
	for (int i = 0; i < hits; i++) {
		uint8_t ball = (uint8_t)id[i & 1];
		struct sync hit = {.update = gen_event_update(g, !g->evt[ball]),
		                   .update_id = ball};
		struct sync take = {.wait = g->evt[ball] ? TPB_WAIT_EVT_CLR_SET
		                                         : TPB_WAIT_EVT_SET_CLR,
		                    .wait_id = ball};
		gen_filler(g, e[i & 1], &hit);
		gen_filler(g, e[~i & 1], &take);
	}
}

/* One takes an event while another one changes it, to and fro or to what it
 * is: the taker comes through, and nobody knows the end. */
static void race(struct gen *g, struct region *r)
{
	int id = gen_take_evt(g, r), a, b;
	bool was, now = rng_chance(&g->rng, 50);
	struct sync s;

	if (id < 0)
		return;
	together(g, r);
	was = g->evt[id];
	a = gen_any(g, r->engines);
	b = gen_any(g, r->engines & (uint8_t) ~(1u << a));
	s = (struct sync){.wait =
	                      was ? TPB_WAIT_EVT_SET_CLR : TPB_WAIT_EVT_CLR_SET,
	                  .wait_id = (uint8_t)id};
	if (rng_chance(&g->rng, 50))
		gen_straight(g, a, 1);
	gen_filler(g, a, &s);
	for (int i = rng_below(&g->rng, 2); i < 2; i++) {
		s = (struct sync){.update = gen_event_update(g, was ^ !i),
		                  .update_id = (uint8_t)id};
		gen_filler(g, b, &s);
	}
	gen_fence(g, r);
	g->evt_user[id] = r;
	r->dirty = true;
	gen_put_evt(g, gen_any(g, r->engines), (uint8_t)id, now);
}

/* An update of a hot scratch id. */
static struct sync hot_update(struct gen *g)
{
	int id = IDS_SCRATCH + rng_below(&g->rng, 2);

	return (struct sync){.update = gen_random_update(g) & 0x7F,
	                     .update_id = gen_id(g, id),
	                     .update_v = gen_value(g)};
}

/* One element of one memory, at an immediate address, in the same cycle. */
static void rush(struct gen *g, struct region *r)
{
	struct gen_bias bias = g->bias;
	uint8_t b[TPB_BUNDLE];

	g->bias.sure = 1;
	g->bias.ls_count = 1;
	g->bias.ls_reg = 0;
	if (bias.ls_mem < 0)
		g->bias.ls_mem = rng_below(&g->rng, 3);
	for (int e = 0; e < TPB_ENGINES; e++) {
		bool load = g->bias.ls_mem == 1 || rng_chance(&g->rng, 60);
		if (!gen_has(r->engines, e))
			continue;
		gen_payload(g, e,
		            load ? TPB_OP_TENSOR_LOAD : TPB_OP_TENSOR_SAVE, b);
		gen_put(g, e, b, NULL);
	}
	g->bias = bias;
}

/* All at once on few scratch ids, or one memory, and nothing else on the
 * way. */
static void crowd(struct gen *g, struct region *r)
{
	int n = rng_range(&g->rng, 1, 5);
	bool plain = g->plain, memory = rng_chance(&g->rng, 30);

	gen_fence(g, r);
	g->plain = true;
	if (memory)
		rush(g, r);
	for (int e = 0; e < TPB_ENGINES && !memory; e++)
		for (int i = 0; i < n && gen_has(r->engines, e); i++) {
			struct sync s = hot_update(g);
			uint8_t b[TPB_BUNDLE], op = TPB_OP_NOOP;

			if (rng_chance(&g->rng, 15))
				op = TPB_OP_GROUP_RESET;
			gen_payload(g, e, op, b);
			gen_put(g, e, b, &s);
		}
	g->plain = plain;
}

/* ------------------------------------------------------------------ *
 * GroupReset of what is known.                                       *
 * ------------------------------------------------------------------ */

static bool resettable(const struct gen *g, int id)
{
	return !g->sem_user[id];
}

static void reset(struct gen *g, struct region *r, uint8_t id)
{
	g->sem_user[id] = r;
	gen_mark(r->used_sem, id);
	r->dirty = true;
	g->val[id] = 0;
}

static void group_reset(struct gen *g, struct region *r, int e)
{
	bool range = rng_chance(&g->rng, 50), stateless = g->stateless;
	uint8_t b[TPB_BUNDLE], cleared[TPB_SEMS];
	int n = 0, first;

	if (r->end - r->first < 2)
		return;
	gen_begin(b, TPB_OP_GROUP_RESET);
	b[0x0C] = range ? TPB_CLEAR_RANGE : TPB_CLEAR_MASK;
	first = rng_range(&g->rng, r->first, r->end - 1);
	for (int id = range ? first : r->first; id < r->end; id++) {
		uint8_t p = gen_id(g, id);
		bool free = resettable(g, p);

		if (range && (!free || (n && !p)))
			break;
		if (!free || (!range && rng_chance(&g->rng, 60)))
			continue;
		cleared[n++] = p;
	}
	if (!n)
		return;
	b[0x0D] = range ? cleared[0] : 0;
	b[0x0E] = range ? cleared[n - 1] : 0;
	for (int i = 0; i < n && !range; i++)
		b[0x20 + cleared[i] / 8] |= (uint8_t)(1 << cleared[i] % 8);
	/* A private id may be among what its own update touches: keep away. */
	g->stateless = true;
	gen_put(g, e, b, NULL);
	g->stateless = stateless;
	for (int i = 0; i < n; i++)
		reset(g, r, cleared[i]);
}

void gen_talk(struct gen *g, struct region *r)
{
	if (gen_count(r->engines) < 2 || !r->can_fence) {
		gen_straight(g, gen_any(g, r->engines), 4);
		return;
	}
	if (rng_chance(&g->rng, g->bias.dma > 0 ? 40 : 12)) {
		gen_dma_talk(g, r);
		return;
	}
	switch (rng_below(&g->rng, g->bias.crowd > 0 ? 20 : 12)) {
	case 0:
	case 1:
	case 2:
	case 3: counter(g, r); break;
	case 4:
	case 5: lock(g, r); break;
	case 6:
	case 7: one_shot(g, r); break;
	case 8: ping_pong(g, r); break;
	case 9: race(g, r); break;
	case 10: crowd(g, r); break;
	default:
		if (g->bias.crowd > 0) {
			crowd(g, r);
			break;
		}
		group_reset(g, r, gen_any(g, r->engines));
		break;
	}
}
