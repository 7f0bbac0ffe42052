/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims and joins: which ready bundles are granted in a cycle.
 *
 * Everything is decided on the bank and the registers as they are at the
 * start of the cycle.  Facts: docs/reference/timing.md, "Issue".
 */
#include "cmodel/cycle.h"

/* ------------------------------------------------------------------ *
 * Claims.                                                            *
 * ------------------------------------------------------------------ */

#define SYNC_FREE (-1) /* no claim; differs from every id */

struct sync_claim {
	int event[2];
	int sem;
};

static bool sync_consumes(unsigned mode)
{
	return mode == TPB_WAIT_EVT_SET_CLR || mode == TPB_WAIT_EVT_CLR_SET;
}

/* Lane waits on semaphore id. */
static bool sync_waits_on(uint32_t lane, unsigned id)
{
	unsigned mode = lane & 0x7F;

	return mode >= TPB_WAIT_EQ_IMM && mode <= TPB_WAIT_GE_IMM &&
	       (lane >> 8 & 0xFF) == id;
}

/* A semaphore, not an event, is updated. */
static bool sync_updates_sem(unsigned mode)
{
	return (mode & 0x0F) >= TPB_UPDATE_INC;
}

static struct sync_claim sync_claims(const struct tpb_engine_state *g)
{
	struct sync_claim k = {{SYNC_FREE, SYNC_FREE}, SYNC_FREE};
	uint32_t lane[2] = {g->bundle[1], 0};
	uint8_t op = cycle_byte(g, 0);

	if (op == TPB_OP_EVENT_SEMAPHORE)
		lane[1] = g->bundle[8];
	for (int i = 0; i < 2; i++)
		if (sync_consumes(lane[i] & 0xFF))
			k.event[i] = (int)(lane[i] >> 8 & 0xFF);
	if (op != TPB_OP_EVENT_SEMAPHORE && op != TPB_OP_NOOP)
		return k;
	/* With one core a named core is this one: every update is local. */
	for (int i = 0; i < 2; i++) {
		unsigned id = lane[i] >> 24;

		if (sync_updates_sem(lane[i] >> 16 & 0xFF) &&
		    (sync_waits_on(lane[0], id) || sync_waits_on(lane[1], id)))
			k.sem = (int)id;
	}
	return k;
}

static bool sync_share(const struct sync_claim *a, const struct sync_claim *b)
{
	if (a->sem != SYNC_FREE && a->sem == b->sem)
		return true;
	for (int i = 0; i < 2; i++)
		if (a->event[i] != SYNC_FREE &&
		    (a->event[i] == b->event[0] || a->event[i] == b->event[1]))
			return true;
	return false;
}

/* Engines of `ready` that share nothing with a granted one before them. */
static unsigned sync_arbitrate(const struct tpb *t, unsigned ready)
{
	struct sync_claim taken[TPB_ENGINES];
	int ntaken = 0;
	unsigned grant = 0;

	for (unsigned m = ready; m != 0; m &= m - 1) {
		int e = cycle_first(m);
		struct sync_claim k = sync_claims(&t->s.engine[e]);
		bool free = true;

		for (int i = 0; i < ntaken; i++)
			free &= !sync_share(&k, &taken[i]);
		if (!free)
			continue;
		taken[ntaken++] = k;
		grant |= 1u << e;
	}
	return grant;
}

/* ------------------------------------------------------------------ *
 * Joins.                                                             *
 * ------------------------------------------------------------------ */

enum sync_kind { SYNC_BARRIER, SYNC_RETURN, SYNC_EXIT, SYNC_NONE };

static inline enum sync_kind sync_kind(const struct tpb_engine_state *g)
{
	uint8_t op = cycle_byte(g, 0);

	if (op < TPB_OP_RETURN)
		return SYNC_NONE;
	switch (op) {
	case TPB_OP_BARRIER: return SYNC_BARRIER;
	case TPB_OP_EXIT: return SYNC_EXIT;
	case TPB_OP_RETURN:
		return cycle_byte(g, 0x0C) == 0 && g->depth > 0 ? SYNC_RETURN
		                                                : SYNC_NONE;
	default: return SYNC_NONE;
	}
}

/* Engines of `at` that may join: all of them or none. */
static unsigned sync_join(const struct tpb *t, unsigned at, enum sync_kind kind)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		uint8_t state = t->s.engine[e].state;
		bool stopped =
		    state == TPB_RUN_HALTED || state == TPB_RUN_FAULTED;

		if (at >> e & 1 || state == TPB_RUN_ABSENT)
			continue;
		if (!(kind == SYNC_EXIT && stopped))
			return 0;
	}
	return at;
}

unsigned sync_special(const struct tpb *t, unsigned ready)
{
	unsigned at[SYNC_NONE + 1] = {0};
	unsigned grant;

	for (unsigned m = ready; m != 0; m &= m - 1) {
		int e = cycle_first(m);

		at[sync_kind(&t->s.engine[e])] |= 1u << e;
	}
	grant = at[SYNC_NONE];
	if (grant & (grant - 1))
		grant = sync_arbitrate(t, grant);
	for (int k = SYNC_BARRIER; k < SYNC_NONE; k++)
		if (at[k] != 0)
			grant |= sync_join(t, at[k], (enum sync_kind)k);
	return grant;
}
