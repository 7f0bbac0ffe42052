/* SPDX-License-Identifier: Apache-2.0
 *
 * The sequencer's ops: what a granted bundle does.
 *
 * seq_grant() is the grant cycle, for most ops the only one; seq_retire()
 * ends a bundle that stayed longer.  Facts: docs/reference/timing.md,
 * "Issue" and "Retire"; branch compares: sequencer facts, 14.1.
 */
#include "cmodel/dma.h"
#include "cmodel/vec.h"

/* ------------------------------------------------------------------ *
 * Branch.                                                            *
 * ------------------------------------------------------------------ */

static bool seq_is_nan(uint32_t v)
{
	return (v & 0x7FFFFFFF) > 0x7F800000;
}

/* A number that orders like the value of v under the tag; not for NaN. */
static int64_t seq_order(uint8_t tag, uint32_t v)
{
	switch (tag) {
	case TPB_DTYPE_INT8: return (int8_t)v;
	case TPB_DTYPE_UINT8: return (uint8_t)v;
	case TPB_DTYPE_INT16: return (int16_t)v;
	case TPB_DTYPE_UINT16: return (uint16_t)v;
	case TPB_DTYPE_UINT32: return v;
	case TPB_DTYPE_FLOAT32:
		return v >> 31 ? -(int64_t)(v & 0x7FFFFFFF) : (int64_t)v;
	default: return (int32_t)v;
	}
}

static bool seq_branch_taken(struct tpb_engine_state *g)
{
	uint8_t cmp = cycle_byte(g, 0x0C), tag = cycle_byte(g, 0x0D);
	uint32_t lhs = *cycle_reg(g, 0x20), rhs = cycle_word(g, 0x10);
	int64_t a, b;

	if (cmp == TPB_CMP_ALWAYS)
		return true;
	if (cmp & 8)
		rhs = *cycle_reg(g, 0x21);
	if (tag == TPB_DTYPE_FLOAT32 && (seq_is_nan(lhs) || seq_is_nan(rhs)))
		return (cmp & 7) == TPB_CMP_NE_IMM;
	a = seq_order(tag, lhs);
	b = seq_order(tag, rhs);
	switch (cmp & 7) {
	case TPB_CMP_LT_IMM: return a < b;
	case TPB_CMP_LE_IMM: return a <= b;
	case TPB_CMP_EQ_IMM: return a == b;
	case TPB_CMP_NE_IMM: return a != b;
	case TPB_CMP_GE_IMM: return a >= b;
	case TPB_CMP_GT_IMM: return a > b;
	default: return false; /* refused by decode */
	}
}

/* ------------------------------------------------------------------ *
 * Registers, calls.                                                  *
 * ------------------------------------------------------------------ */

/* All sources are read before a destination is written. */
static void seq_move(struct tpb_engine_state *g)
{
	unsigned n = cycle_byte(g, 0x0C);
	uint32_t v[8];

	if (n > 8)
		n = 8;
	for (unsigned i = 0; i < n; i++)
		v[i] = cycle_byte(g, 0x0E) == TPB_SOURCE_IMM
		           ? cycle_word(g, 0x20 + 4 * i)
		           : *cycle_reg(g, 0x10 + i);
	for (unsigned i = 0; i < n; i++)
		*cycle_reg(g, 0x18 + i) = v[i];
}

static void seq_call(struct tpb_engine_state *g, struct cycle *c, int e)
{
	g->stack[g->depth & (TPB_STACK - 1)] = g->pc + 1;
	g->depth++;
	cycle_jump(c, e, cycle_word(g, 0x30));
}

static void seq_return(struct tpb *t, struct cycle *c, int e)
{
	struct tpb_engine_state *g = &t->s.engine[e];

	if (cycle_byte(g, 0x0C) == 0)
		bank_wipe(&t->s);
	g->depth--;
	cycle_jump(c, e, g->stack[g->depth & (TPB_STACK - 1)]);
}

/* ------------------------------------------------------------------ *
 * Grant and retire.                                                  *
 * ------------------------------------------------------------------ */

/* Run-time fault of the granted bundle; a load, a store or a vector bundle
 * without one has begun its work. */
static int seq_fault(struct tpb *t, int e, uint8_t op)
{
	struct tpb_engine_state *g = &t->s.engine[e];

	if (vec_is_op(op))
		return vec_grant(t, e);
	switch (op) {
	case TPB_OP_TENSOR_LOAD:
	case TPB_OP_TENSOR_SAVE: return lsu_grant(&t->cfg, g);
	case TPB_OP_DMA_TRIGGER:
	case TPB_OP_RESET_QUEUE:
	case TPB_OP_SWITCH_QUEUE: return dma_fault(t, g);
	case TPB_OP_CALL:
		return g->depth >= TPB_STACK ? TPB_FAULT_STACK_OVERFLOW : 0;
	case TPB_OP_RETURN:
		return g->depth == 0 ? TPB_FAULT_STACK_UNDERFLOW : 0;
	default: return TPB_FAULT_NONE;
	}
}

/* Operand of an update with this mode: the dword, or the register it names. */
static uint32_t seq_operand(const struct tpb_engine_state *g, unsigned mode,
                            uint32_t dword)
{
	return mode & 0x80 ? g->rf[dword & 63] : dword;
}

/* The update of the standard lane, or the second of an EventSemaphore. */
static void seq_post(const struct tpb_engine_state *g, struct cycle *c, int e,
                     uint8_t op)
{
	uint8_t mode = cycle_byte(g, 6);

	if (mode != TPB_UPDATE_NONE) {
		cycle_post(c, e, mode, cycle_byte(g, 7),
		           seq_operand(g, mode, cycle_word(g, 8)));
		return;
	}
	if (op != TPB_OP_EVENT_SEMAPHORE)
		return;
	mode = cycle_byte(g, 0x22);
	if (mode != TPB_UPDATE_NONE)
		cycle_post(c, e, mode, cycle_byte(g, 0x23),
		           seq_operand(g, mode, cycle_word(g, 0x28)));
}

static void seq_consume(struct tpb_state *s, const struct tpb_engine_state *g,
                        uint8_t op)
{
	bank_consume(s, cycle_byte(g, 4), cycle_byte(g, 5));
	if (op == TPB_OP_EVENT_SEMAPHORE)
		bank_consume(s, cycle_byte(g, 0x20), cycle_byte(g, 0x21));
}

/* The op's own effect; false: the bundle stays. */
static bool seq_execute(struct tpb *t, struct cycle *c, int e, uint8_t op)
{
	struct tpb_engine_state *g = &t->s.engine[e];

	switch (op) {
	case TPB_OP_REGISTER_ALU: return alu_grant(g);
	case TPB_OP_TENSOR_LOAD:
	case TPB_OP_TENSOR_SAVE: return false;
	case TPB_OP_DMA_TRIGGER:
	case TPB_OP_RESET_QUEUE:
	case TPB_OP_SWITCH_QUEUE: return dma_grant(t, g);
	case TPB_OP_REGISTER_MOVE: seq_move(g); break;
	case TPB_OP_BRANCH:
		if (seq_branch_taken(g))
			cycle_jump(c, e, cycle_word(g, 0x30));
		break;
	case TPB_OP_HALT: g->state = TPB_RUN_HALTED; break;
	case TPB_OP_GROUP_RESET: bank_reset(&t->s, g); break;
	case TPB_OP_RETURN: seq_return(t, c, e); break;
	case TPB_OP_CALL: seq_call(g, c, e); break;
	case TPB_OP_CUR_RANK: *cycle_reg(g, 0x12) = cycle_word(g, 0x18); break;
	case TPB_OP_GLOBAL_RANK: *cycle_reg(g, 0x17) = t->cfg.rank; break;
	case TPB_OP_EXIT:
		g->state = TPB_RUN_EXITED;
		c->exit |= (uint8_t)(1u << e);
		break;
	default:
		if (vec_is_op(op))
			return false;
		break; /* carriers of waits and updates, markers, barriers */
	}
	return true;
}

void seq_grant(struct tpb *t, struct cycle *c, int e)
{
	struct tpb_engine_state *g = &t->s.engine[e];
	uint8_t op = cycle_byte(g, 0);
	int fault = op >= TPB_OP_EVENT_SEMAPHORE && op < TPB_OP_TENSOR_LOAD
	                ? 0
	                : seq_fault(t, e, op);

	if (fault != TPB_FAULT_NONE) {
		g->state = TPB_RUN_FAULTED;
		g->fault = (uint8_t)fault;
		return;
	}
	/* Most bundles have an empty sync block: no mode, nothing to do. */
	if (g->bundle[1] != 0 || op == TPB_OP_EVENT_SEMAPHORE) {
		seq_consume(&t->s, g, op);
		seq_post(g, c, e, op); /* reads before the op writes */
	}
	if (seq_execute(t, c, e, op)) {
		cycle_retire(c, e);
		return;
	}
	/* It stays, and has written no register yet: the update waits for the
	 * retire with its operand latched. */
	c->post &= (uint8_t) ~(1u << e);
	g->upd_val = seq_operand(g, cycle_byte(g, 6), cycle_word(g, 8));
}

void seq_retire(const struct tpb *t, struct cycle *c, int e)
{
	const struct tpb_engine_state *g = &t->s.engine[e];
	uint8_t mode = cycle_byte(g, 6);

	cycle_retire(c, e);
	if (mode != TPB_UPDATE_NONE)
		cycle_post(c, e, mode, cycle_byte(g, 7), g->upd_val);
}
