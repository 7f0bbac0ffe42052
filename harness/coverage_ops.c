/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage of what retires: payloads, and registers from one bundle to the
 * next.
 */
#include "harness/coverage_priv.h"

/* ------------------------------------------------------------------ *
 * Ops.                                                               *
 * ------------------------------------------------------------------ */

static int operand_class(uint64_t v, bool wide)
{
	uint64_t ones = wide ? UINT64_MAX : UINT32_MAX;

	if (v == 0 || v == 1)
		return (int)v;
	if (v == ones)
		return 2;
	if (v == ones / 2 + 1)
		return 3;
	return v == ones / 2 ? 4 : 5;
}

static void alu(struct coverage_watch *w, engine_t *q)
{
	uint8_t op = byte(q, 0x0C), mode = byte(q, 0x0E);
	bool wide = mode & 1, imm = mode & 2;
	uint64_t b = wide ? word(q, 0x18) | (uint64_t)word(q, 0x1C) << 32
	                  : word(q, 0x18);

	if (!imm)
		b = operand(q, 0x12, wide);
	coverage_hit(w->cov, COVER_ALU, op, wide ? 0x80 : byte(q, 0x0F), imm);
	coverage_hit(w->cov, COVER_ALU_B, op, wide, operand_class(b, wide));
	/* The destination may be the source, but the answer is written at
	 * the end of the cycle that this state begins. */
	coverage_hit(w->cov, COVER_ALU_A, op, wide,
	             operand_class(operand(q, 0x11, wide), wide));
}

static void branch(struct coverage_watch *w, engine_t *q)
{
	uint32_t lhs = q->rf[byte(q, 0x20) & 63];
	uint8_t cmp = byte(q, 0x0C);
	uint32_t rhs = cmp & 8 ? q->rf[byte(q, 0x21) & 63] : word(q, 0x10);

	if (cmp == TPB_CMP_ALWAYS || byte(q, 0x0D) != TPB_DTYPE_FLOAT32)
		return;
	if ((lhs & 0x7FFFFFFF) > 0x7F800000 || (rhs & 0x7FFFFFFF) > 0x7F800000)
		coverage_hit(w->cov, COVER_BRANCH_F32, cmp, 0, 0);
	if ((lhs ^ rhs) == 0x80000000u && !(lhs & 0x7FFFFFFF))
		coverage_hit(w->cov, COVER_BRANCH_F32, cmp, 1, 0);
}

static int step_kind(engine_t *q, int off, int n)
{
	int32_t step = (int32_t)word(q, off);

	return n < 2 ? 3 : step == 0 ? 0 : step > 0 ? 1 : 2;
}

static void touch(struct coverage_watch *w, engine_t *q, int e, bool save)
{
	uint64_t at = q->lsu_base >> 3;
	struct coverage_touch *t = &w->touch[at & 63];

	if (t->engine && t->engine != e + 1 && t->word == at &&
	    (t->save || save))
		coverage_hit(w->cov, COVER_SHARE,
		             !t->save ? 0
		             : save   ? 2
		                      : 1,
		             memory_of(q->lsu_base), 0);
	*t = (struct coverage_touch){at, (uint8_t)(e + 1), save};
}

static void access(struct coverage_watch *w, engine_t *q, int e)
{
	uint8_t op = byte(q, 0);
	int n0 = byte(q, 0x0E), n1 = byte(q, 0x0F);

	coverage_hit(w->cov, op == TPB_OP_TENSOR_LOAD ? COVER_LOAD : COVER_SAVE,
	             byte(q, 0x0C), memory_of(q->lsu_base),
	             byte(q, 0x17) != TPB_MARKER_IMM);
	coverage_hit(w->cov, COVER_ELEMENTS, op, n0 * n1, 0);
	coverage_hit(w->cov, COVER_STEPS, op, step_kind(q, 0x18, n0),
	             step_kind(q, 0x1C, n1));
	touch(w, q, e, op == TPB_OP_TENSOR_SAVE);
}

void coverage_payload(struct coverage_watch *w, engine_t *q, int e)
{
	uint8_t op = byte(q, 0), b = byte(q, 0x0C);

	switch (op) {
	case TPB_OP_REGISTER_ALU: alu(w, q); break;
	case TPB_OP_BRANCH: branch(w, q); break;
	case TPB_OP_TENSOR_LOAD:
	case TPB_OP_TENSOR_SAVE: access(w, q, e); break;
	case TPB_OP_REGISTER_MOVE:
		coverage_hit(w->cov,
		             byte(q, 0x0E) ? COVER_MOVE_IMM : COVER_MOVE_REG,
		             byte(q, 0x0D), b, 0);
		break;
	case TPB_OP_GROUP_RESET:
		coverage_hit(w->cov, COVER_GRESET, b, 0, 0);
		break;
	case TPB_OP_RETURN:
		coverage_hit(w->cov, COVER_RETURN, b, q->depth, 0);
		break;
	case TPB_OP_CALL:
		coverage_hit(w->cov, COVER_CALL, q->depth + 1, 0, 0);
		break;
	case TPB_OP_BRANCH_HINT:
		coverage_hit(w->cov, COVER_HINT, b, 0, 0);
		break;
	case TPB_OP_DRAIN:
		coverage_hit(w->cov, COVER_DRAIN, byte(q, 0x28) != 0, 0, 0);
		break;
	default: break;
	}
}

/* ------------------------------------------------------------------ *
 * Registers from one bundle to the next.                             *
 * ------------------------------------------------------------------ */

static uint64_t reg(engine_t *q, int off)
{
	return 1ull << (byte(q, off) & 63);
}

static uint64_t pair(engine_t *q, int off)
{
	return 3ull << (byte(q, off) & 62);
}

static uint64_t list(engine_t *q, int off, int n, bool pairs)
{
	uint64_t m = 0;

	for (int i = 0; i < n; i++)
		m |= pairs ? pair(q, off + i) : reg(q, off + i);
	return m;
}

static uint64_t data_of(engine_t *q)
{
	return list(q, 0x20, byte(q, 0x0E) * byte(q, 0x0F),
	            byte(q, 0x0C) == TPB_DTYPE_UINT64);
}

/* Registers that a bundle writes, and the item of `writer`. */
static uint64_t written(engine_t *q, int *writer)
{
	uint8_t alu_op = byte(q, 0x0C);

	switch (byte(q, 0)) {
	case TPB_OP_REGISTER_MOVE:
		*writer = 0;
		return list(q, 0x18, byte(q, 0x0C), false);
	case TPB_OP_REGISTER_ALU:
		*writer = alu_op == TPB_ALU_MULT || alu_op == TPB_ALU_DIVIDE ||
		                  alu_op == TPB_ALU_MOD || alu_op == TPB_ALU_POW
		              ? 2
		              : 1;
		return byte(q, 0x0E) & 1 ? pair(q, 0x10) : reg(q, 0x10);
	case TPB_OP_TENSOR_LOAD: *writer = 3; return data_of(q);
	case TPB_OP_CUR_RANK: *writer = 4; return reg(q, 0x12);
	case TPB_OP_GLOBAL_RANK: *writer = 5; return reg(q, 0x17);
	default: *writer = 0; return 0;
	}
}

static void read_by(struct coverage_watch *w, int e, int reader, uint64_t regs)
{
	const struct coverage_engine *c = &w->engine[e];

	if (regs & c->written)
		coverage_hit(w->cov, COVER_RAW, c->writer, reader, 0);
}

static void read_payload(struct coverage_watch *w, engine_t *q, int e)
{
	bool wide = byte(q, 0x0E) & 1;

	switch (byte(q, 0)) {
	case TPB_OP_REGISTER_MOVE:
		if (!byte(q, 0x0E))
			read_by(w, e, 0, list(q, 0x10, byte(q, 0x0C), false));
		break;
	case TPB_OP_REGISTER_ALU:
		read_by(w, e, 1, list(q, 0x11, 1, wide));
		if (!(byte(q, 0x0E) & 2))
			read_by(w, e, 1, list(q, 0x12, 1, wide));
		break;
	case TPB_OP_BRANCH:
		if (byte(q, 0x0C))
			read_by(w, e, 2, reg(q, 0x20));
		if (byte(q, 0x0C) & 8)
			read_by(w, e, 2, reg(q, 0x21));
		break;
	case TPB_OP_TENSOR_SAVE:
		read_by(w, e, 3, data_of(q));
		/* fallthrough */
	case TPB_OP_TENSOR_LOAD:
		if (byte(q, 0x17) == TPB_MARKER_REG)
			read_by(w, e, 4, pair(q, 0x10));
		break;
	default: break;
	}
}

void coverage_registers(struct coverage_watch *w, engine_t *q, int e)
{
	struct coverage_engine *c = &w->engine[e];
	struct wait u = update_of(q);

	if (c->written) {
		read_payload(w, q, e);
		for (int lane = 0; lane < 2; lane++) {
			struct wait a = wait_of(q, lane);
			if (a.mode & 0x80)
				read_by(w, e, 5, 1ull << (a.value & 63));
		}
		if (u.mode & 0x80)
			read_by(w, e, 6, 1ull << (u.value & 63));
	}
	c->written = written(q, &c->writer);
}
