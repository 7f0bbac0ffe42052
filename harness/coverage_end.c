/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage of how a run ended: faults and sticky flags.
 */
#include "harness/coverage_vec.h"

/* Class of the first element that nothing backs, -1: none. */
static int nowhere(const struct coverage_watch *w, engine_t *q)
{
	int size = isa_dtype_size(byte(q, 0x0C));
	bool save = byte(q, 0) == TPB_OP_TENSOR_SAVE;
	uint64_t base = word(q, 0x10) | (uint64_t)word(q, 0x14) << 32;

	if (byte(q, 0x17) == TPB_MARKER_REG)
		base = operand(q, 0x10, true);
	for (int i1 = 0; i1 < byte(q, 0x0F); i1++)
		for (int i0 = 0; i0 < byte(q, 0x0E); i0++) {
			int64_t i = (int64_t)(int32_t)word(q, 0x18) * i0 +
			            (int64_t)(int32_t)word(q, 0x1C) * i1;
			uint64_t a = base + (uint64_t)i * (uint64_t)size;
			if (a >= PSUM && a - PSUM < PSUM_WINDOW &&
			    (save || a & 0x4000))
				return 1;
			if (a >= PSUM + PSUM_WINDOW)
				return 2;
			if (a >= SBUF && a < PSUM &&
			    (a & 0x3FFFF) >= w->sbuf_part_bytes)
				return 0;
		}
	return -1;
}

/* The first thing that is wrong with the place of walk k, -1: nothing. */
static int wrong_place(const struct coverage_watch *w,
                       const struct cover_vec *c, int e, int k)
{
	bool reg = word(c->q, c->walk[k].at) >> 31;
	uint32_t said = word(c->q, c->walk[k].at), a = c->v->vbase[k];
	int size = isa_dtype_size(c->walk[k].tag), ch = c->ch;
	int64_t low = cover_byte(a), high = low + size;
	int64_t room = cover_psum(a) ? 16384 : w->sbuf_part_bytes;

	for (int d = 0; d < c->walk[k].dims; d++) {
		int64_t by = (int64_t)cover_step(c, k, d) * size *
		             (cover_count(c, k, d) - 1);
		*(by < 0 ? &low : &high) += by;
	}
	if (reg ? (said >> 8 & 0x7FFFFF) || c->q->rf[said & 63] >> 29
	        : said >> 29)
		return 0;
	if (!cover_psum(a) && a >> 25)
		return 1;
	if (cover_part(a) % 32 || (ch > 32 && cover_part(a) % 64) ||
	    (ch > 64 && cover_part(a)))
		return 2;
	if (low < 0 || high > room)
		return low < 0 ? 3 : 4;
	if (cover_psum(a) && e == TPB_ENGINE_POOL)
		return 5;
	return cover_psum(a) && k == 2 && size != 4 ? 6 : -1;
}

/* Channels and an illegal start as an item of `badstart`. */
static int bad_start(const struct cover_vec *c)
{
	for (int k = 0; k < COVER_WALKS; k++) {
		int part = cover_part(c->v->vbase[k]);

		if (!c->walk[k].memory || part == 0)
			continue;
		return (c->ch + 31) / 32 * 16 - 16 +
		       (part % 32 ? 0 : part / 32);
	}
	return -1;
}

static void vector_address(struct coverage_watch *w, const struct cover_vec *c,
                           int e)
{
	const uint32_t *a = c->v->vbase;
	int bad = -1;

	for (int k = 0; k < COVER_WALKS && bad < 0; k++)
		if (c->walk[k].memory)
			bad = wrong_place(w, c, e, k);
	if (bad < 0 && c->walk[0].memory && c->walk[1].memory) {
		if (cover_psum(a[0]) && cover_psum(a[1]))
			bad = 7;
		else if (cover_psum(a[0]) == cover_psum(a[1]) &&
		         cover_part(a[0]) != cover_part(a[1]))
			bad = 8;
	}
	coverage_hit(w->cov, COVER_FAULT_VADDR, bad, 0, 0);
	if (bad == 2)
		coverage_hit(w->cov, COVER_FAULT_VSTART, bad_start(c), 0, 0);
}

static bool vector_fault(struct coverage_watch *w, const struct tpb_state *s,
                         int e)
{
	struct cover_vec c;

	if (s->engine[e].fault == TPB_FAULT_ILLEGAL_OPCODE ||
	    !cover_vec_of(s, e, &c))
		return false;
	coverage_hit(w->cov, COVER_FAULT_VEC, c.q->fault, c.op, 0);
	if (c.q->fault == TPB_FAULT_BAD_ADDR)
		vector_address(w, &c, e);
	return true;
}

static void queue_fault(struct coverage_watch *w, const struct tpb_state *s,
                        int e)
{
	engine_t *q = &s->engine[e];
	uint8_t op = byte(q, 0), queue = byte(q, 0x0C), i = byte(q, 0x0D);

	if (queue >= TPB_QUEUES || !s->q_known[queue])
		coverage_hit(w->cov, COVER_FAULT_QUEUE, 0, op, 0);
	else if (s->q_owner[queue] != e)
		coverage_hit(w->cov, COVER_FAULT_QUEUE, 1, op, 0);
	else if (i >= s->q_ninst[queue])
		coverage_hit(w->cov, COVER_FAULT_QUEUE, 2, op, 0);
	else
		coverage_hit(w->cov, COVER_FAULT_QINST, op, 0, 0);
}

static void faulted(struct coverage_watch *w, const struct tpb_state *s, int e)
{
	engine_t *q = &s->engine[e];
	uint8_t op = byte(q, 0);
	struct coverage *cov = w->cov;
	uint64_t base;

	if (vector_fault(w, s, e))
		return;
	switch (q->fault) {
	case TPB_FAULT_DMA_QUEUE: queue_fault(w, s, e); break;
	case TPB_FAULT_END_OF_STREAM:
		coverage_hit(cov, COVER_FAULT_END, 0, 0, 0);
		break;
	case TPB_FAULT_ILLEGAL_OPCODE:
		coverage_hit(cov, COVER_FAULT_OP, isa_op(op) == NULL, 0, 0);
		break;
	case TPB_FAULT_UNRESOLVED:
		coverage_hit(cov, COVER_FAULT_NAME, op, 0, 0);
		break;
	case TPB_FAULT_BAD_DTYPE:
		coverage_hit(cov, COVER_FAULT_DTYPE, op, 0, 0);
		break;
	case TPB_FAULT_MISALIGNED:
		base = byte(q, 0x17) == TPB_MARKER_REG
		           ? operand(q, 0x10, true)
		           : word(q, 0x10) | (uint64_t)word(q, 0x14) << 32;
		coverage_hit(cov, COVER_FAULT_ALIGN, op, memory_of(base), 0);
		break;
	case TPB_FAULT_BAD_ADDR:
		coverage_hit(cov, COVER_FAULT_ADDR, op, nowhere(w, q), 0);
		break;
	case TPB_FAULT_STACK_OVERFLOW:
	case TPB_FAULT_STACK_UNDERFLOW:
		coverage_hit(cov, COVER_FAULT_STACK, q->fault, 0, 0);
		break;
	default: coverage_hit(cov, COVER_FAULT, q->fault, op, 0); break;
	}
}

/* What held an engine that a deadlock caught: a wait if it has one. */
static void deadlocked(struct coverage_watch *w, const struct tpb_state *s,
                       int e)
{
	engine_t *q = &s->engine[e];
	uint8_t op = byte(q, 0);
	int k = op == TPB_OP_BARRIER ? 2 : op == TPB_OP_RETURN ? 3 : 4;

	if (coverage_undrained(s, e))
		k = 5;
	for (int lane = 0; lane < 2; lane++) {
		struct wait a = wait_of(q, lane);
		if (!coverage_holds(s, q, a))
			k = (a.mode & 0x7F) > TPB_WAIT_GE_IMM;
	}
	coverage_hit(w->cov, COVER_FAULT_DEAD, k, 0, 0);
}

void coverage_end(struct coverage_watch *w, const struct tpb_state *s)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		engine_t *q = &s->engine[e];

		for (int i = 0; i < 3; i++)
			if (q->alu_flags >> i & 1)
				coverage_hit(w->cov, COVER_ALU_FLAG, i, 0, 0);
		if (q->state == TPB_RUN_HALTED)
			coverage_hit(w->cov, COVER_HALTED, 0, 0, 0);
		if (q->state != TPB_RUN_FAULTED)
			continue;
		if (q->fault == TPB_FAULT_DEADLOCK)
			deadlocked(w, s, e);
		else
			faulted(w, s, e);
	}
	for (int i = 0; i < 3; i++)
		if (s->core_flags >> i & 1)
			coverage_hit(w->cov, COVER_CORE_FLAG, i, 0, 0);
}
