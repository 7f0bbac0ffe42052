/* SPDX-License-Identifier: Apache-2.0
 *
 * Ids, fences, and values that go back to what they were.
 *
 * A fence frees the ids that its region used.  It is a barrier, or made of
 * a semaphore that counts the engines in and an event for each to let them
 * go on; it leaves those as they were, so it may come again at once.
 */
#include "harness/gen_priv.h"

/* ------------------------------------------------------------------ *
 * Ids.                                                               *
 * ------------------------------------------------------------------ */

void gen_mark(uint32_t *bits, int id)
{
	bits[id >> 5] |= 1u << (id & 31);
}

/* A free id of the region, -1: none found. */
static int take_id(struct gen *g, struct region *r, const struct region **user,
                   uint32_t *used)
{
	for (int i = 0; i < 12 && r->end > r->first; i++) {
		int id = gen_id(g, rng_range(&g->rng, r->first, r->end - 1));
		if (user[id])
			continue;
		user[id] = r;
		gen_mark(used, id);
		r->dirty = true;
		return id;
	}
	return -1;
}

int gen_take_sem(struct gen *g, struct region *r)
{
	return take_id(g, r, g->sem_user, r->used_sem);
}

int gen_take_evt(struct gen *g, struct region *r)
{
	return take_id(g, r, g->evt_user, r->used_evt);
}

/* The semaphore of a fence is 0: then nothing that clears semaphores, or
 * puts values back, has anything to do with it. */
static int take_zero(struct gen *g, struct region *r)
{
	int n = r->end - r->first;
	int start = rng_below(&g->rng, n);

	for (int i = 0; i < n; i++) {
		int id = gen_id(g, r->first + (start + i) % n);
		if (g->sem_user[id] || g->val[id])
			continue;
		g->sem_user[id] = r;
		gen_mark(r->used_sem, id);
		return id;
	}
	return -1;
}

bool gen_fence_ids(struct gen *g, struct region *r)
{
	int id;

	r->can_fence = true;
	if (gen_count(r->engines) == 1)
		return true;
	/* What a region uses, its parent must be able to fence off. */
	id = r->end - r->first < 8 || (r->parent && !r->parent->can_fence)
	         ? -1
	         : take_zero(g, r);
	r->can_fence = id >= 0;
	r->fence_sem = (uint8_t)id;
	for (int e = 0; e < TPB_ENGINES && r->can_fence; e++) {
		if (!gen_has(r->engines, e))
			continue;
		id = gen_take_evt(g, r);
		r->can_fence = id >= 0;
		r->fence_evt[e] = (uint8_t)id;
	}
	r->dirty = false;
	return r->can_fence;
}

static bool keeps(const struct region *r, int id, bool sem)
{
	if (gen_count(r->engines) == 1 || !r->can_fence)
		return false;
	if (sem)
		return r->fence_sem == id;
	for (int e = 0; e < TPB_ENGINES; e++)
		if (gen_has(r->engines, e) && r->fence_evt[e] == id)
			return true;
	return false;
}

/* ------------------------------------------------------------------ *
 * Fences.                                                            *
 * ------------------------------------------------------------------ */

/* The engines tell the hub that they are there, each one step. */
static int32_t arrive(struct gen *g, struct region *r, int hub)
{
	int32_t sign = rng_chance(&g->rng, 60) ? 1 : -1, total = 0;
	uint8_t left = r->engines & (uint8_t) ~(1u << hub);

	while (left) {
		int e = gen_any(g, left);
		int32_t by =
		    rng_chance(&g->rng, 60) ? 1 : rng_range(&g->rng, 1, 1000);
		struct sync s = {.update_id = r->fence_sem};

		s.update = gen_add_mode(g, sign * by, &s.update_v);
		gen_filler(g, e, &s);
		total += sign * by;
		left &= (uint8_t) ~(1u << e);
	}
	return total;
}

/* The hub waits for all and takes the semaphore back to its value v. */
static void gather(struct gen *g, struct region *r, int hub, int32_t total)
{
	static const uint8_t up[] = {TPB_WAIT_EQ_IMM, TPB_WAIT_GE_IMM,
	                             TPB_WAIT_GT_IMM};
	static const uint8_t down[] = {TPB_WAIT_EQ_IMM, TPB_WAIT_LE_IMM,
	                               TPB_WAIT_LT_IMM};
	uint32_t v = g->val[r->fence_sem];
	struct sync s = {.wait_id = r->fence_sem}, back = {0};

	s.wait = (total > 0 ? up : down)[rng_below(&g->rng, 3)];
	s.wait |= rng_chance(&g->rng, 40) ? 0x80 : 0;
	gen_threshold(g, s.wait, v + (uint32_t)total, true, &s.wait_v);
	back.update = gen_add_mode(g, -total, &back.update_v);
	if (rng_chance(&g->rng, 30)) {
		back.update = TPB_UPDATE_WR_IMM_C;
		back.update_v = v;
	}
	back.update_id = r->fence_sem;
	if (rng_chance(&g->rng, 50)) {
		s.update = back.update;
		s.update_id = back.update_id;
		s.update_v = back.update_v;
		gen_filler(g, hub, &s);
	} else {
		gen_filler(g, hub, &s);
		gen_filler(g, hub, &back);
	}
}

static void soft_fence(struct gen *g, struct region *r)
{
	int hub = gen_any(g, r->engines);
	uint8_t spokes = r->engines & (uint8_t) ~(1u << hub);
	uint8_t left = spokes;

	gather(g, r, hub, arrive(g, r, hub));
	for (; left; left &= left - 1) {
		uint8_t id = r->fence_evt[__builtin_ctz(left)];
		struct sync s = {.update = gen_event_update(g, !g->evt[id]),
		                 .update_id = id};
		gen_filler(g, hub, &s);
	}
	for (left = spokes; left; left &= left - 1) {
		int e = __builtin_ctz(left);
		uint8_t id = r->fence_evt[e];
		struct sync s = {.wait = g->evt[id] ? TPB_WAIT_EVT_CLR_SET
		                                    : TPB_WAIT_EVT_SET_CLR,
		                 .wait_id = id};
		gen_filler(g, e, &s);
	}
}

static void barrier(struct gen *g, uint8_t engines)
{
	uint8_t b[TPB_BUNDLE];

	for (int e = 0; e < TPB_ENGINES; e++)
		if (gen_has(engines, e)) {
			gen_payload(g, e, TPB_OP_BARRIER, b);
			gen_put(g, e, b, NULL);
		}
}

void gen_fence(struct gen *g, struct region *r)
{
	int64_t latest = 0;

	/* Without ids for it there is nothing to keep apart either. */
	if (!r->can_fence && r->engines != g->all)
		return;
	if (gen_count(r->engines) > 1 || rng_chance(&g->rng, 20)) {
		if (r->engines == g->all &&
		    (rng_chance(&g->rng, 55) || !r->can_fence))
			barrier(g, g->all);
		else if (gen_count(r->engines) > 1)
			soft_fence(g, r);
	}
	for (int i = 0; i < TPB_SEMS; i++) {
		if (g->sem_user[i] == r && !keeps(r, i, true))
			g->sem_user[i] = NULL;
		if (g->evt_user[i] == r && !keeps(r, i, false))
			g->evt_user[i] = NULL;
	}
	r->dirty = false;
	for (int e = 0; e < TPB_ENGINES; e++)
		if (gen_has(r->engines, e) && g->est[e] > latest)
			latest = g->est[e];
	for (int e = 0; e < TPB_ENGINES; e++)
		if (gen_has(r->engines, e))
			g->est[e] = latest;
}

/* ------------------------------------------------------------------ *
 * Values back to what they were.                                     *
 * ------------------------------------------------------------------ */

static void put_sem(struct gen *g, int e, uint8_t id, uint32_t v)
{
	struct sync s = {.update_id = id};

	s.update = gen_add_mode(g, (int32_t)(v - g->val[id]), &s.update_v);
	if (rng_chance(&g->rng, 50)) {
		s.update = rng_chance(&g->rng, 50) ? TPB_UPDATE_WR_REG
		                                   : TPB_UPDATE_WR_IMM;
		s.update |= rng_chance(&g->rng, 50) ? 0x10 : 0;
		s.update_v = v;
	}
	gen_filler(g, e, &s);
	g->val[id] = v;
}

void gen_put_evt(struct gen *g, int e, uint8_t id, bool v)
{
	struct sync s = {.update = gen_event_update(g, v), .update_id = id};

	gen_filler(g, e, &s);
	g->evt[id] = v;
}

/* True when something had to be done. */
static bool put_back(struct gen *g, uint8_t engines, int id,
                     const uint32_t *val, const bool *evt, bool semaphores)
{
	uint8_t p = gen_id(g, id);
	bool done = false;

	if (semaphores && g->val[p] != val[p]) {
		put_sem(g, gen_any(g, engines), p, val[p]);
		done = true;
	}
	if (g->evt[p] != evt[p]) {
		gen_put_evt(g, gen_any(g, engines), p, evt[p]);
		done = true;
	}
	return done;
}

void gen_restore(struct gen *g, struct region *r, const uint32_t *val,
                 const bool *evt, bool semaphores)
{
	bool done = false, stateless = g->stateless;

	if (r->dirty)
		gen_fence(g, r);
	/* Nothing that is put back may be used on the way. */
	g->stateless = true;
	for (int id = r->first; id < r->end; id++)
		done |= put_back(g, r->engines, id, val, evt, semaphores);
	for (int e = 0; e < TPB_ENGINES; e++)
		for (int i = 0; i < NPRIVATE && gen_has(r->engines, e); i++)
			put_back(g, (uint8_t)(1u << e),
			         IDS_PRIVATE +
			             (g->frame * TPB_ENGINES + e) * NPRIVATE +
			             i,
			         val, evt, semaphores);
	if (done)
		gen_fence(g, r);
	g->stateless = stateless;
}

void gen_wiped(struct gen *g)
{
	memset(g->val, 0, sizeof(g->val));
}
