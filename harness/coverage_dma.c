/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage of the DMA unit: bundles that drive queues, blocks, descriptors.
 *
 * A descriptor is counted in the cycle of its posts, a block in that of its
 * update, a queue that stops in the cycle in which it does.  Facts:
 * docs/reference/dma.md.
 */
#include "harness/coverage_priv.h"

typedef const struct tpb_state state_t;

/* ------------------------------------------------------------------ *
 * Bundles.                                                           *
 * ------------------------------------------------------------------ */

void coverage_queue_op(struct coverage_watch *w, state_t *s, int e)
{
	engine_t *q = &s->engine[e];
	uint8_t queue = byte(q, 0x0C) & 15, inst = byte(q, 0x0D);
	uint32_t n = word(q, 0x30);

	switch (byte(q, 0)) {
	case TPB_OP_DMA_TRIGGER:
		coverage_hit(w->cov, COVER_DMA_TRIGGER,
		             n > 16  ? 3
		             : n > 1 ? 2
		                     : (int)n,
		             inst != 0xFF, 0);
		break;
	case TPB_OP_RESET_QUEUE:
		coverage_hit(w->cov, COVER_DMA_RESET, inst != 0xFF, 0, 0);
		break;
	case TPB_OP_SWITCH_QUEUE:
		coverage_hit(w->cov, COVER_DMA_SWITCH, byte(q, 0x3B),
		             inst != s->q_inst[queue], 0);
		break;
	default: break;
	}
}

static bool waits_hold(state_t *s, engine_t *q)
{
	return coverage_holds(s, q, wait_of(q, 0)) &&
	       coverage_holds(s, q, wait_of(q, 1));
}

bool coverage_undrained(state_t *s, int e)
{
	for (int i = 0; i < TPB_QUEUES; i++)
		if (s->q_known[i] && s->q_owner[i] == e && s->q_busy[i])
			return true;
	return false;
}

static bool drains(engine_t *q)
{
	switch (byte(q, 0)) {
	case TPB_OP_DRAIN: return byte(q, 0x28) != 0;
	case TPB_OP_RETURN: return q->depth > 0;
	case TPB_OP_HALT:
	case TPB_OP_BARRIER:
	case TPB_OP_CORE_BARRIER:
	case TPB_OP_EXIT: return true;
	default: return false;
	}
}

/* A bundle at the issue stage that is not granted. */
void coverage_queue_wait(struct coverage_watch *w, state_t *s, int e)
{
	engine_t *q = &s->engine[e];
	uint8_t op = byte(q, 0), queue = byte(q, 0x0C);
	bool queue_op = op == TPB_OP_DMA_TRIGGER || op == TPB_OP_RESET_QUEUE ||
	                op == TPB_OP_SWITCH_QUEUE;

	if (q->x_fault || (!queue_op && !drains(q)) || !waits_hold(s, q))
		return;
	if (!queue_op) {
		if (coverage_undrained(s, e))
			coverage_hit(w->cov, COVER_DMA_DRAINED, op, 0, 0);
	} else if (queue < TPB_QUEUES) {
		if (!s->q_known[queue])
			coverage_hit(w->cov, COVER_DMA_HELD, 3, 0, 0);
		else if (s->q_busy[queue] && op != TPB_OP_DMA_TRIGGER)
			coverage_hit(w->cov, COVER_DMA_HELD,
			             op == TPB_OP_RESET_QUEUE ? 1 : 2, 0, 0);
	}
}

static void pushes(struct coverage_watch *w, state_t *s)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		engine_t *q = &s->engine[e];

		if (q->phase == TPB_PHASE_DMA &&
		    byte(q, 0) == TPB_OP_DMA_TRIGGER &&
		    s->q_busy[byte(q, 0x0C) & 15] == TPB_QUEUE_DEPTH)
			coverage_hit(w->cov, COVER_DMA_HELD, 0, 0, 0);
	}
}

/* ------------------------------------------------------------------ *
 * Descriptors.                                                       *
 * ------------------------------------------------------------------ */

/* A side of the descriptor in the unit. */
struct side {
	uint64_t base;
	int32_t step[2];
	int num[2];
	uint32_t es;
	uint8_t tag;
};

static uint8_t at(state_t *s, int off)
{
	return (uint8_t)(s->dm_desc[off >> 2] >> (off & 3) * 8);
}

static int half(state_t *s, int off)
{
	return at(s, off) | at(s, off + 1) << 8;
}

static struct side side_of(state_t *s, int k)
{
	int off = k ? 0x28 : 0x10;
	struct side d = {.es = (uint32_t)half(s, off + 20),
	                 .tag = at(s, 0x3E + k)};

	for (int i = 6; i >= 0; i--)
		d.base = d.base << 8 | at(s, off + i);
	for (int i = 0; i < 2; i++) {
		d.step[i] = (int32_t)s->dm_desc[(off + 8) / 4 + i];
		d.num[i] = half(s, off + 16 + 2 * i);
	}
	d.es = d.es ? d.es : 0x10000;
	return d;
}

static int run_class(uint32_t es)
{
	return es < 8 ? 0 : es == 8 ? 1 : es <= 64 ? 2 : 3;
}

static void descriptor(struct coverage_watch *w, state_t *s)
{
	struct side d[2] = {side_of(s, 0), side_of(s, 1)};
	struct coverage *cov = w->cov;

	coverage_hit(cov, COVER_DMA_POST, at(s, 0x0E) != 0, 0, 0);
	coverage_hit(cov, COVER_DMA_MEM, memory_of(d[0].base),
	             memory_of(d[1].base), 0);
	coverage_hit(cov, COVER_DMA_TYPE, d[0].tag, d[1].tag, 0);
	coverage_hit(cov, COVER_DMA_RUN, run_class(d[0].es), run_class(d[1].es),
	             0);
	if (d[0].es == 0x10000 && d[1].es == 0x10000)
		coverage_hit(cov, COVER_DMA_LONG, 0, 0, 0);
	if (d[0].tag == d[1].tag)
		coverage_hit(cov, COVER_DMA_OFF, (int)(d[0].base & 7),
		             (int)(d[1].base & 7), 0);
	for (int k = 0; k < 2; k++) {
		coverage_hit(cov, COVER_DMA_DIMS, k,
		             (d[k].num[0] > 1) + 2 * (d[k].num[1] > 1), 0);
		for (int i = 0; i < 2; i++)
			if (d[k].num[i] > 1)
				coverage_hit(cov, COVER_DMA_STEP, k, i,
				             d[k].step[i] == 0  ? 0
				             : d[k].step[i] > 0 ? 1
				                                : 2);
	}
}

/* ------------------------------------------------------------------ *
 * What stops a queue.                                                *
 * ------------------------------------------------------------------ */

static bool bad_bits(state_t *s)
{
	return at(s, 0) != TPB_OP_DMA_DIRECT || at(s, 0x0C) >> 3 ||
	       at(s, 0x0F) || at(s, 0x26) || at(s, 0x27) || at(s, 0x17) ||
	       at(s, 0x2F) || (!at(s, 0x0E) && at(s, 0x0D));
}

static bool bad_tag(uint8_t tag)
{
	return !isa_dtype_size(tag) || tag > TPB_DTYPE_FP8E5;
}

static bool unaligned(const struct side *d)
{
	uint32_t size = (uint32_t)isa_dtype_size(d->tag);

	return d->base % size || (uint32_t)d->step[0] % size ||
	       (uint32_t)d->step[1] % size || d->es % size;
}

static uint64_t total(const struct side *d, bool converts)
{
	uint64_t size = converts ? (uint64_t)isa_dtype_size(d->tag) : 1;

	return (uint64_t)d->num[0] * (uint64_t)d->num[1] * d->es / size;
}

static bool outside(const struct coverage_watch *w, const struct side *d,
                    uint64_t a)
{
	if (d->base < SBUF || a < SBUF)
		return d->base >= SBUF || a + d->es > SBUF;
	if (a >= PSUM + PSUM_WINDOW)
		return true;
	return a < PSUM ? (a & 0x3FFFF) + d->es > w->sbuf_part_bytes
	                : (a & 0x7FFF) + d->es > 16384;
}

static bool leaves(const struct coverage_watch *w, const struct side *d)
{
	for (int j = 0; j < d->num[1]; j++)
		for (int i = 0; i < d->num[0]; i++)
			if (outside(w, d,
			            d->base +
			                (uint64_t)((int64_t)i * d->step[0] +
			                           (int64_t)j * d->step[1])))
				return true;
	return false;
}

static void stopped(struct coverage_watch *w, state_t *s)
{
	struct side d[2] = {side_of(s, 0), side_of(s, 1)};
	bool converts = d[0].tag != d[1].tag;
	int k;

	if (bad_bits(s))
		k = 0;
	else if (!d[0].num[0] || !d[0].num[1] || !d[1].num[0] || !d[1].num[1])
		k = 1;
	else if (converts && (bad_tag(d[0].tag) || bad_tag(d[1].tag)))
		k = 3;
	else if (converts && (unaligned(&d[0]) || unaligned(&d[1])))
		k = 4;
	else if (total(&d[0], converts) != total(&d[1], converts))
		k = 2;
	else
		k = leaves(w, &d[0]) ? 5 : 6;
	coverage_hit(w->cov, COVER_DMA_BAD, k, 0, 0);
}

/* ------------------------------------------------------------------ *
 * A cycle.                                                           *
 * ------------------------------------------------------------------ */

void coverage_dma(struct coverage_watch *w, state_t *s)
{
	int n = 0;

	switch (s->dm_state) {
	case TPB_MOVER_IDLE:
		for (int i = 0; i < TPB_QUEUES; i++)
			n += s->q_busy[i] && !s->q_stop[i];
		coverage_hit(w->cov, COVER_DMA_PENDING, n > 4 ? 4 : n, 0, 0);
		break;
	case TPB_MOVER_CHECK:
		if (s->dm_bad)
			stopped(w, s);
		break;
	case TPB_MOVER_POST: descriptor(w, s); break;
	case TPB_MOVER_DONE:
		coverage_hit(w->cov, COVER_DMA_BLOCK, s->dm_mode, 0, 0);
		coverage_hit(w->cov, COVER_DMA_DESCS, s->dm_ndesc, 0, 0);
		break;
	default: break;
	}
	if (s->dm_state != TPB_MOVER_IDLE)
		pushes(w, s);
}
