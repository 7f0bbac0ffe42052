/* SPDX-License-Identifier: Apache-2.0
 *
 * Watching a run: what each cycle adds to the coverage.
 *
 * Everything is read off the state: the bundle in an engine's issue stage is
 * the one that is granted or retires.  Whether a branch was taken shows in
 * the pc one cycle later.
 */
#include "harness/coverage_priv.h"

#include <string.h>

static bool is_access(uint8_t op)
{
	return op == TPB_OP_TENSOR_LOAD || op == TPB_OP_TENSOR_SAVE;
}

/* 0xD5, 0xDF, and 0xD2 that wipes. */
static bool is_join(engine_t *q)
{
	uint8_t op = byte(q, 0);

	return op == TPB_OP_BARRIER || op == TPB_OP_EXIT ||
	       (op == TPB_OP_RETURN && byte(q, 0x0C) == 0);
}

/* ------------------------------------------------------------------ *
 * Waits and updates.                                                 *
 * ------------------------------------------------------------------ */

static bool is_take(uint8_t mode)
{
	return mode == TPB_WAIT_EVT_SET_CLR || mode == TPB_WAIT_EVT_CLR_SET;
}

bool coverage_holds(const struct tpb_state *s, engine_t *q, struct wait w)
{
	int32_t v = (int32_t)s->sem[w.id];
	int32_t t = (int32_t)(w.mode & 0x80 ? q->rf[w.value & 63] : w.value);
	bool set = s->evt[w.id >> 5] >> (w.id & 31) & 1;

	switch (w.mode) {
	case TPB_WAIT_EVT_SET:
	case TPB_WAIT_EVT_SET_CLR: return set;
	case TPB_WAIT_EVT_CLR:
	case TPB_WAIT_EVT_CLR_SET: return !set;
	default: break;
	}
	switch (w.mode & 0x7F) {
	case TPB_WAIT_EQ_IMM: return v == t;
	case TPB_WAIT_LT_IMM: return v < t;
	case TPB_WAIT_LE_IMM: return v <= t;
	case TPB_WAIT_GT_IMM: return v > t;
	case TPB_WAIT_GE_IMM: return v >= t;
	default: return true;
	}
}

/* Item of semop of an update, or -1. */
static int sem_kind(uint8_t mode)
{
	switch (mode & 0xF) {
	case TPB_UPDATE_INC:
	case TPB_UPDATE_ADD_IMM: return 0;
	case TPB_UPDATE_DEC:
	case TPB_UPDATE_SUB_IMM: return 1;
	case TPB_UPDATE_WR_IMM: return 2;
	default: return -1;
	}
}

/* Item of evtop, or -1. */
static int evt_kind(uint8_t mode)
{
	uint8_t m = mode & 0xF;

	return m == TPB_UPDATE_EVT_SET ? 0 : m == TPB_UPDATE_EVT_CLR ? 1 : -1;
}

static void sync(struct coverage_watch *w, engine_t *q)
{
	struct wait a = wait_of(q, 0), b = wait_of(q, 1), u = update_of(q);
	uint8_t op = byte(q, 0);

	coverage_hit(w->cov, COVER_WAIT, op, a.mode, 0);
	coverage_hit(w->cov, COVER_WAIT_JOIN, op, a.mode, 0);
	coverage_hit(w->cov, COVER_UPDATE, op, u.mode, 0);
	coverage_hit(w->cov, COVER_SYNC, a.mode, u.mode, 0);
	if (op != TPB_OP_EVENT_SEMAPHORE)
		return;
	if (b.mode)
		coverage_hit(w->cov, COVER_SYNC, b.mode, u.mode, 0);
	coverage_hit(w->cov, COVER_LANES, a.mode, b.mode, 0);
	coverage_hit(w->cov, COVER_EXT, byte(q, 0x22), 0, 0);
}

/* ------------------------------------------------------------------ *
 * Transfers of control: the outcome is in the next cycle's pc.       *
 * ------------------------------------------------------------------ */

static void transfer(struct coverage_watch *w, engine_t *q, int e)
{
	struct coverage_engine *c = &w->engine[e];
	uint8_t op = byte(q, 0);

	c->before = c->transfer;
	c->transfer = 0;
	if (op != TPB_OP_BRANCH && op != TPB_OP_CALL && op != TPB_OP_RETURN)
		return;
	c->pending = op;
	c->cmp = op == TPB_OP_BRANCH ? byte(q, 0x0C) : 0;
	c->dtype = byte(q, 0x0D);
	c->pc = q->pc;
	c->target = word(q, 0x30);
}

static void resolve(struct coverage_watch *w, engine_t *q, int e)
{
	struct coverage_engine *c = &w->engine[e];
	bool taken = q->pc != c->pc + 1 || c->pending != TPB_OP_BRANCH;
	bool back = c->target <= c->pc;

	if (c->pending == TPB_OP_BRANCH && c->target != c->pc + 1) {
		if (c->cmp == TPB_CMP_ALWAYS)
			coverage_hit(w->cov, COVER_JUMP, back, 0, 0);
		else
			coverage_hit(w->cov, COVER_TAKEN, back, taken, 0);
		coverage_hit(w->cov, COVER_BRANCH, c->cmp, c->dtype, taken);
	}
	if (taken) {
		coverage_hit(w->cov, COVER_CHAIN, c->before, c->pending, 0);
		c->transfer = c->pending;
	}
	c->pending = 0;
}

/* ------------------------------------------------------------------ *
 * What engines do to each other on one edge.                         *
 * ------------------------------------------------------------------ */

static bool clears(engine_t *q, uint8_t id)
{
	if (byte(q, 0) == TPB_OP_RETURN)
		return byte(q, 0x0C) == 0;
	if (byte(q, 0) != TPB_OP_GROUP_RESET)
		return false;
	if (byte(q, 0x0C) == TPB_CLEAR_RANGE)
		return id >= byte(q, 0x0D) && id <= byte(q, 0x0E);
	return byte(q, 0x20 + id / 8) >> id % 8 & 1;
}

/* The update of engine e against everything else of this edge. */
static void edge(struct coverage_watch *w, const struct tpb_state *s, int e,
                 uint8_t grant, uint8_t retire)
{
	struct wait u = update_of(&s->engine[e]);
	int sem = sem_kind(u.mode), evt = evt_kind(u.mode);

	for (int f = 0; f < TPB_ENGINES; f++) {
		engine_t *q = &s->engine[f];
		struct wait v = update_of(q);

		if (grant >> f & 1 && evt >= 0)
			for (int lane = 0; lane < 2; lane++) {
				struct wait t = wait_of(q, lane);
				if (is_take(t.mode) && t.id == u.id)
					coverage_hit(w->cov, COVER_EDGE_TAKE,
					             t.mode, evt, 0);
			}
		if (!(retire >> f & 1))
			continue;
		if (sem >= 0 && clears(q, u.id))
			coverage_hit(w->cov, COVER_EDGE_WIPE, byte(q, 0), sem,
			             0);
		if (f <= e || !v.mode || v.id != u.id)
			continue;
		if (sem >= 0 && sem_kind(v.mode) >= 0)
			coverage_hit(w->cov, COVER_EDGE_SEM, sem,
			             sem_kind(v.mode), 0);
		if (evt >= 0 && evt_kind(v.mode) >= 0)
			coverage_hit(w->cov, COVER_EDGE_EVT, evt,
			             evt_kind(v.mode), 0);
	}
}

/* Is the id claimed by the bundle? */
static bool claims(engine_t *q, bool sem, uint8_t id)
{
	uint8_t op = byte(q, 0);
	struct wait u = update_of(q);

	if (sem && (sem_kind(u.mode) < 0 || u.id != id ||
	            (op != TPB_OP_EVENT_SEMAPHORE && op != TPB_OP_NOOP)))
		return false;
	for (int lane = 0; lane < 2; lane++) {
		struct wait a = wait_of(q, lane);
		bool on_sem = a.mode && (a.mode & 0x7F) <= TPB_WAIT_GE_IMM;
		if (a.id == id && (sem ? on_sem : is_take(a.mode)))
			return true;
	}
	return false;
}

/* A claim of engine e that a granted engine had: item of `claim`, or -1. */
static int lost_claim(const struct tpb_state *s, int e, uint8_t grant)
{
	engine_t *q = &s->engine[e];
	uint8_t op = byte(q, 0);
	int k = op == TPB_OP_EVENT_SEMAPHORE ? 0 : op == TPB_OP_NOOP ? 1 : 2;

	for (int lane = 0; lane < 2; lane++) {
		struct wait a = wait_of(q, lane);
		bool sem = (a.mode & 0x7F) <= TPB_WAIT_GE_IMM;

		if (!a.mode || !claims(q, sem, a.id))
			continue;
		for (int f = 0; f < TPB_ENGINES; f++)
			if (grant >> f & 1 && claims(&s->engine[f], sem, a.id))
				return sem ? k : k + 2;
	}
	return -1;
}

/* Engines that have a bundle and were not granted. */
static void idle(struct coverage_watch *w, const struct tpb_state *s, int e,
                 uint8_t grant)
{
	engine_t *q = &s->engine[e];
	int k;

	w->engine[e].stalled = true;
	if (!grant || q->x_fault || is_access(byte(q, 0)))
		return;
	k = lost_claim(s, e, grant);
	if (k >= 0 && coverage_holds(s, q, wait_of(q, 0)) &&
	    coverage_holds(s, q, wait_of(q, 1)))
		coverage_hit(w->cov, COVER_CLAIM, k, 0, 0);
}

static void granted(struct coverage_watch *w, const struct tpb_state *s, int e,
                    uint8_t grant)
{
	struct wait a = wait_of(&s->engine[e], 0),
	            b = wait_of(&s->engine[e], 1);
	bool stalled = w->engine[e].stalled;
	uint8_t op = byte(&s->engine[e], 0);

	w->engine[e].stalled = false;
	if (is_join(&s->engine[e])) {
		/* All joined engines are granted in one cycle. */
		if (!(grant & ((1u << e) - 1)))
			coverage_hit(w->cov, COVER_JOIN, op,
			             __builtin_popcount(grant), 0);
		if (stalled && !a.mode)
			coverage_hit(w->cov, COVER_HELD, op, 0, 0);
	} else if (!is_access(op) && !a.mode != !b.mode) {
		coverage_hit(w->cov, COVER_STALL, a.mode | b.mode, stalled, 0);
	}
}

static void requests(struct coverage_watch *w, const struct tpb_state *s,
                     uint8_t asking)
{
	int n[3] = {0, 0, 0};

	for (int e = 0; e < TPB_ENGINES; e++)
		if (asking >> e & 1)
			n[memory_of(s->engine[e].lsu_base)]++;
	for (int m = 0; m < 3; m++)
		coverage_hit(w->cov, COVER_CONFLICT, m, n[m], 0);
	if (n[2] && s->dreq_valid)
		coverage_hit(w->cov, COVER_BUSY, 0, 0, 0);
}

/* ------------------------------------------------------------------ *
 * The watch.                                                         *
 * ------------------------------------------------------------------ */

void coverage_begin(struct coverage_watch *w, struct coverage *cov,
                    uint32_t sbuf_part_bytes)
{
	memset(w, 0, sizeof(*w));
	w->cov = cov;
	w->sbuf_part_bytes = sbuf_part_bytes;
}

void coverage_cycle(struct coverage_watch *w, const struct tpb_state *s,
                    uint8_t grant, uint8_t retire)
{
	uint8_t asking = 0;

	for (int e = 0; e < TPB_ENGINES; e++) {
		engine_t *q = &s->engine[e];

		if (w->engine[e].pending)
			resolve(w, q, e);
		if (q->state != TPB_RUN_RUN || !q->x_valid)
			continue;
		if (q->phase == TPB_PHASE_REQ)
			asking |= (uint8_t)(1u << e);
		if (grant >> e & 1)
			granted(w, s, e, grant);
		else if (q->phase == TPB_PHASE_ISSUE) {
			idle(w, s, e, grant);
			coverage_queue_wait(w, s, e);
		}
		if (!(retire >> e & 1))
			continue;
		coverage_hit(w->cov, COVER_OP, byte(q, 0), e, 0);
		sync(w, q);
		coverage_payload(w, q, e);
		coverage_vector(w, s, e);
		coverage_queue_op(w, s, e);
		coverage_registers(w, q, e);
		transfer(w, q, e);
		if (update_of(q).mode)
			edge(w, s, e, grant, retire);
	}
	if (asking)
		requests(w, s, asking);
	coverage_units(w, s);
	coverage_dma(w, s);
}
