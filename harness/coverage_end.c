/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage of how a run ended: faults and sticky flags.
 */
#include "harness/coverage_priv.h"

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

static void faulted(struct coverage_watch *w, engine_t *q)
{
	uint8_t op = byte(q, 0);
	struct coverage *cov = w->cov;
	uint64_t base;

	switch (q->fault) {
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
                       engine_t *q)
{
	uint8_t op = byte(q, 0);
	int k = op == TPB_OP_BARRIER ? 2 : op == TPB_OP_RETURN ? 3 : 4;

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
			deadlocked(w, s, q);
		else
			faulted(w, q);
	}
	for (int i = 0; i < 2; i++)
		if (s->core_flags >> i & 1)
			coverage_hit(w->cov, COVER_CORE_FLAG, i, 0, 0);
}
