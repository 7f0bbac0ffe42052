/* SPDX-License-Identifier: Apache-2.0
 *
 * Waits of an engine; see waits.h.
 *
 * The reasons are looked at in the order in which the issue stage does: the
 * lanes of the bundle, its unit, its join.
 */
#include "harness/waits.h"

#include "harness/queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint32_t word_at(const uint8_t *b, int at)
{
	uint32_t w;

	memcpy(&w, b + at, 4);
	return w;
}

static bool on_event(uint8_t mode)
{
	return (mode & 0x7F) > TPB_WAIT_GE_IMM;
}

bool waits_compare(uint8_t mode, int32_t now, int32_t need)
{
	switch (mode & 0x7F) {
	case TPB_WAIT_EQ_IMM: return now == need;
	case TPB_WAIT_LT_IMM: return now < need;
	case TPB_WAIT_LE_IMM: return now <= need;
	case TPB_WAIT_GT_IMM: return now > need;
	case TPB_WAIT_GE_IMM: return now >= need;
	default: return now == need;
	}
}

/* The wait at byte `sync` of a bundle; false: it holds. */
static bool lane(const struct tpb_state *s, int engine, const uint8_t *b,
                 int sync, uint32_t value, struct waits *w)
{
	*w = (struct waits){.mode = b[sync], .id = b[sync + 1]};
	if (!w->mode)
		return false;
	if (on_event(w->mode)) {
		w->kind = WAITS_EVENT;
		w->now = (int32_t)(s->evt[w->id >> 5] >> (w->id & 31) & 1);
		w->need = w->mode == TPB_WAIT_EVT_SET ||
		          w->mode == TPB_WAIT_EVT_SET_CLR;
	} else {
		w->kind = WAITS_SEM;
		w->now = (int32_t)s->sem[w->id];
		w->need =
		    (int32_t)(w->mode & 0x80 ? s->engine[engine].rf[value & 63]
		                             : value);
	}
	return !waits_compare(w->mode, w->now, w->need);
}

static int lanes(const struct tpb_state *s, int engine, const uint8_t *b,
                 struct waits w[2])
{
	int n = lane(s, engine, b, 4, word_at(b, 8), &w[0]);

	if (b[0] == TPB_OP_EVENT_SEMAPHORE)
		n += lane(s, engine, b, 0x20, word_at(b, 0x24), &w[n]);
	return n;
}

uint8_t waits_join(const struct tpb_engine_state *e)
{
	const uint8_t *b = (const uint8_t *)e->bundle;

	if (b[0] == TPB_OP_BARRIER || b[0] == TPB_OP_EXIT)
		return b[0];
	return b[0] == TPB_OP_RETURN && !b[0x0C] && e->depth ? b[0] : 0;
}

const char *waits_join_name(uint8_t op)
{
	return op == TPB_OP_BARRIER  ? "barrier"
	       : op == TPB_OP_RETURN ? "return"
	                             : "exit";
}

static bool queue_bundle(const uint8_t *b)
{
	return b[0] == TPB_OP_DMA_TRIGGER || b[0] == TPB_OP_RESET_QUEUE ||
	       b[0] == TPB_OP_SWITCH_QUEUE;
}

static bool needs_drain(const struct tpb_engine_state *e, const uint8_t *b)
{
	switch (b[0]) {
	case TPB_OP_DRAIN: return b[0x28] != 0;
	case TPB_OP_RETURN: return e->depth != 0;
	case TPB_OP_HALT:
	case TPB_OP_BARRIER:
	case TPB_OP_CORE_BARRIER:
	case TPB_OP_EXIT: return true;
	default: return false;
	}
}

static bool on_queue(const struct tpb_state *s, enum waits_kind kind, int q,
                     struct waits *w)
{
	*w = (struct waits){.kind = (uint8_t)kind,
	                    .id = (uint8_t)q,
	                    .stopped = s->q_known[q] && s->q_stop[q]};
	return true;
}

/* Does the DMA unit keep the engine from its grant, or from the next push?
 * One that names no queue is ready, to fault. */
static bool unit(const struct tpb_state *s, int engine, const uint8_t *b,
                 struct waits *w)
{
	const struct tpb_engine_state *e = &s->engine[engine];
	int q = b[0x0C];

	if (queue_bundle(b)) {
		if (q >= TPB_QUEUES)
			return false;
		if (e->phase == TPB_PHASE_DMA)
			return b[0] == TPB_OP_DMA_TRIGGER &&
			       s->q_busy[q] >= TPB_QUEUE_DEPTH &&
			       on_queue(s, WAITS_FULL, q, w);
		if (!s->q_known[q])
			return on_queue(s, WAITS_LOOKUP, q, w);
		return b[0] != TPB_OP_DMA_TRIGGER && s->q_busy[q] &&
		       on_queue(s, WAITS_IDLE, q, w);
	}
	if (!needs_drain(e, b))
		return false;
	*w = (struct waits){0};
	for (q = 0; q < TPB_QUEUES; q++)
		if (s->q_known[q] && s->q_owner[q] == engine && s->q_busy[q] &&
		    (!w->kind || s->q_stop[q])) {
			on_queue(s, WAITS_DRAIN, q, w);
			if (w->stopped)
				break;
		}
	return w->kind != WAITS_NOTHING;
}

static bool checked(const uint8_t *b)
{
	const struct isa_opinfo *op = isa_op(b[0]);

	return b[0] == TPB_OP_TENSOR_LOAD || b[0] == TPB_OP_TENSOR_SAVE ||
	       (op && !strcmp(op->klass, "VEC"));
}

bool waits_held(const struct tpb_engine_state *e)
{
	const uint8_t *b = (const uint8_t *)e->bundle;

	return e->x_valid && !e->x_fault &&
	       (e->phase == TPB_PHASE_ISSUE ||
	        (e->phase == TPB_PHASE_DMA && b[0] == TPB_OP_DMA_TRIGGER)) &&
	       (e->state == TPB_RUN_RUN || (e->state == TPB_RUN_FAULTED &&
	                                    e->fault == TPB_FAULT_DEADLOCK));
}

int waits_why(const struct tpb_state *s, int engine, struct waits w[2])
{
	const struct tpb_engine_state *e = &s->engine[engine];
	const uint8_t *b = (const uint8_t *)e->bundle;
	int n = 0;

	if (!waits_held(e))
		return 0;
	if (e->phase == TPB_PHASE_ISSUE)
		n = lanes(s, engine, b, w);
	if (n || unit(s, engine, b, w))
		return n ? n : 1;
	if (e->phase != TPB_PHASE_ISSUE)
		return 0;
	*w = (struct waits){.kind = WAITS_CLAIM};
	if (waits_join(e))
		*w = (struct waits){.kind = WAITS_JOIN, .id = waits_join(e)};
	else if (checked(b))
		w->kind = WAITS_CHECK;
	return 1;
}

bool waits_same(const struct waits *a, const struct waits *b)
{
	return a->kind == b->kind && a->id == b->id && a->mode == b->mode &&
	       a->need == b->need && a->stopped == b->stopped;
}

static void bank_text(const struct waits *w, bool values, char *buf,
                      size_t size)
{
	static const char *const sign[] = {"", "==", "<", "<=", ">", ">="};
	char now[24] = "";

	if (values)
		snprintf(now, sizeof(now), " (is %" PRId32 ")", w->now);
	if (w->kind == WAITS_EVENT)
		snprintf(buf, size, "e%d %s%s", w->id,
		         w->need ? "set" : "clear", now);
	else
		snprintf(buf, size, "s%d %s %" PRId32 "%s", w->id,
		         sign[w->mode & 7], w->need, now);
}

const char *waits_text(const struct image *img, const struct waits *w,
                       bool values, char *buf, size_t size)
{
	const char *queue = queue_name(img, w->id);
	const char *stopped = w->stopped ? ", which is stopped" : "";

	switch (w->kind) {
	case WAITS_SEM:
	case WAITS_EVENT: bank_text(w, values, buf, size); break;
	case WAITS_LOOKUP:
		snprintf(buf, size, "the look-up of queue %s", queue);
		break;
	case WAITS_IDLE:
		snprintf(buf, size, "idle queue %s%s", queue, stopped);
		break;
	case WAITS_FULL:
		snprintf(buf, size, "room in queue %s%s", queue, stopped);
		break;
	case WAITS_DRAIN:
		snprintf(buf, size, "its queue %s%s", queue, stopped);
		break;
	case WAITS_JOIN:
		snprintf(buf, size, "the %s join", waits_join_name(w->id));
		break;
	case WAITS_CHECK: snprintf(buf, size, "its address check"); break;
	case WAITS_CLAIM: snprintf(buf, size, "its grant"); break;
	default: *buf = '\0';
	}
	return buf;
}
