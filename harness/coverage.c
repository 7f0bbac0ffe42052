/* SPDX-License-Identifier: Apache-2.0
 *
 * Watching a run: what each cycle adds to the coverage.
 *
 * Everything is read off the state: the bundle in an engine's issue stage is
 * the one that is granted or retires.  Whether a branch was taken shows in
 * the pc one cycle later.
 */
#include "harness/coverage.h"

#include <string.h>

#define SBUF (1ull << 36)
#define PSUM (SBUF + 0x2000000)
#define PSUM_WINDOW 0x400000u

typedef const struct tpb_engine_state engine_t;

static uint8_t byte(engine_t *q, int off)
{
	return (uint8_t)(q->bundle[off >> 2] >> (off & 3) * 8);
}

static uint32_t word(engine_t *q, int off)
{
	return q->bundle[off >> 2];
}

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

static int memory_of(uint64_t addr)
{
	return addr < SBUF ? 2 : addr < PSUM ? 0 : 1;
}

/* ------------------------------------------------------------------ *
 * Waits and updates.                                                 *
 * ------------------------------------------------------------------ */

struct wait {
	uint8_t mode, id;
	uint32_t value;
};

static struct wait wait_of(engine_t *q, int lane)
{
	int at = lane ? 0x20 : 4, value = lane ? 0x24 : 8;

	if (lane && byte(q, 0) != TPB_OP_EVENT_SEMAPHORE)
		return (struct wait){0, 0, 0};
	return (struct wait){byte(q, at), byte(q, at + 1), word(q, value)};
}

static struct wait update_of(engine_t *q)
{
	if (byte(q, 0) == TPB_OP_EVENT_SEMAPHORE && byte(q, 0x22))
		return (struct wait){byte(q, 0x22), byte(q, 0x23),
		                     word(q, 0x28)};
	return (struct wait){byte(q, 6), byte(q, 7), word(q, 8)};
}

static bool is_take(uint8_t mode)
{
	return mode == TPB_WAIT_EVT_SET_CLR || mode == TPB_WAIT_EVT_CLR_SET;
}

static bool holds(const struct tpb_state *s, engine_t *q, struct wait w)
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

static uint64_t operand(engine_t *q, int off, bool wide)
{
	int r = byte(q, off) & 63;

	return q->rf[r] | (wide ? (uint64_t)q->rf[(r + 1) & 63] << 32 : 0);
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

static void payload(struct coverage_watch *w, engine_t *q, int e)
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

static void registers(struct coverage_watch *w, engine_t *q, int e)
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
	if (k >= 0 && holds(s, q, wait_of(q, 0)) && holds(s, q, wait_of(q, 1)))
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
		else if (q->phase == TPB_PHASE_ISSUE)
			idle(w, s, e, grant);
		if (!(retire >> e & 1))
			continue;
		coverage_hit(w->cov, COVER_OP, byte(q, 0), e, 0);
		sync(w, q);
		payload(w, q, e);
		registers(w, q, e);
		transfer(w, q, e);
		if (update_of(q).mode)
			edge(w, s, e, grant, retire);
	}
	if (asking)
		requests(w, s, asking);
}

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
		if (!holds(s, q, a))
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
