/* SPDX-License-Identifier: Apache-2.0
 *
 * Endings by a fault.
 *
 * The code that must come is known from how the bundle was made; for bundles
 * that are broken at random it is the verdict of isa_check_machine(), which
 * shares nothing with the decoders of the two sides.
 */
#include "harness/gen_priv.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const uint8_t built[] = {TPB_OP_EVENT_SEMAPHORE,
                                TPB_OP_HALT,
                                TPB_OP_DRAIN,
                                TPB_OP_NOOP,
                                TPB_OP_REGISTER_MOVE,
                                TPB_OP_REGISTER_ALU,
                                TPB_OP_BRANCH,
                                TPB_OP_TENSOR_LOAD,
                                TPB_OP_TENSOR_SAVE,
                                TPB_OP_GROUP_RESET,
                                TPB_OP_RETURN,
                                TPB_OP_CALL,
                                TPB_OP_BARRIER,
                                TPB_OP_CORE_BARRIER,
                                TPB_OP_CUR_RANK,
                                TPB_OP_GLOBAL_RANK,
                                TPB_OP_BRANCH_HINT,
                                TPB_OP_COMPLETION,
                                TPB_OP_EXIT,
                                TPB_OP_DMA_TRIGGER,
                                TPB_OP_RESET_QUEUE,
                                TPB_OP_SWITCH_QUEUE};

static uint8_t any_op(struct gen *g, int e)
{
	uint8_t op;

	if (g->bias.fault_op >= 0 && rng_chance(&g->rng, 80) &&
	    gen_carries(g, e, (uint8_t)g->bias.fault_op))
		return (uint8_t)g->bias.fault_op;
	if (gen_has_unit(e) && rng_chance(&g->rng, 40))
		return gen_vector_op(g, e);
	do {
		op = built[rng_below(&g->rng, COUNT(built))];
	} while (op == TPB_OP_CORE_BARRIER && g->opt->gen == 2);
	return op;
}

static void end_at(struct gen *g, int e, uint8_t state, int fault)
{
	g->end[e] = (struct gen_end){state, (uint8_t)fault};
}

/* The last bundle of an engine, as it is. */
static void put_last(struct gen *g, int e, const uint8_t *b, int fault)
{
	image_emit(g->img, e, b, 0, 0);
	end_at(g, e, TPB_RUN_FAULTED, fault);
}

static int verdict(const struct gen *g, int e, const uint8_t *b)
{
	struct isa_verdict v;

	isa_check_machine(b, e, g->opt->gen, 1, &v);
	return v.fault;
}

/* ------------------------------------------------------------------ *
 * Bundles that no decoder takes.                                     *
 * ------------------------------------------------------------------ */

static void break_opcode(struct gen *g, uint8_t *b)
{
	const struct isa_opinfo *op;

	do {
		b[0] = (uint8_t)rng_u32(&g->rng);
		op = isa_op(b[0]);
	} while ((op && op->built) || b[0] == TPB_OP_TENSOR_SAVE_VAR ||
	         b[0] == TPB_OP_TENSOR_LOAD_VAR ||
	         (!op && rng_chance(&g->rng, 70)));
}

static void break_name(struct gen *g, uint8_t *b)
{
	static const uint8_t op[] = {TPB_OP_CALL, TPB_OP_CUR_RANK,
	                             TPB_OP_TENSOR_SAVE_VAR,
	                             TPB_OP_TENSOR_LOAD_VAR};

	b[0] = g->bias.fault_op >= 0 ? (uint8_t)g->bias.fault_op
	                             : op[rng_below(&g->rng, COUNT(op))];
	if (b[0] == TPB_OP_TENSOR_SAVE_VAR || b[0] == TPB_OP_TENSOR_LOAD_VAR)
		return;
	b[0x2F] = rng_chance(&g->rng, 50) ? 0 : 2;
}

static void break_field(struct gen *g, uint8_t *b)
{
	int at = rng_chance(&g->rng, 50) ? 4 : 6;

	/* A byte that is no mode: neither group has one from 0xA0 up. */
	if (rng_chance(&g->rng, 60))
		b[at] = (uint8_t)(0xA0 | rng_u32(&g->rng));
	else
		b[rng_range(&g->rng, 0x0C, 0x3F)] = (uint8_t)rng_u32(&g->rng);
}

static void break_reg(struct gen *g, uint8_t *b)
{
	if (rng_chance(&g->rng, 60)) {
		b[4] = (uint8_t)rng_range(&g->rng, TPB_WAIT_EQ_REG,
		                          TPB_WAIT_GE_REG);
		gen_word(b, 8, 64 + (rng_u32(&g->rng) >> 1));
		b[6] = b[7] = 0;
	} else {
		b[rng_range(&g->rng, 0x0C, 0x3F)] =
		    (uint8_t)(64 | rng_u32(&g->rng));
	}
}

/* A byte that may hold a dtype. */
static int dtype_at(struct gen *g, const uint8_t *b)
{
	static const uint8_t vec[] = {0x0C, 0x0D, 0x20, 0x21, 0x29, 0x2A};

	return gen_is_vector(b[0]) ? vec[rng_below(&g->rng, COUNT(vec))]
	                           : rng_range(&g->rng, 0x0C, 0x0F);
}

static void break_bundle(struct gen *g, int code, uint8_t *b)
{
	switch (code) {
	case TPB_FAULT_ILLEGAL_OPCODE: break_opcode(g, b); break;
	case TPB_FAULT_BAD_HEADER:
		b[rng_range(&g->rng, 1, 3)] ^=
		    (uint8_t)rng_range(&g->rng, 1, 255);
		break;
	case TPB_FAULT_UNRESOLVED: break_name(g, b); break;
	case TPB_FAULT_RESERVED:
		b[rng_chance(&g->rng, 20) ? rng_range(&g->rng, 5, 11)
		                          : rng_range(&g->rng, 0x0C, 0x3F)] =
		    (uint8_t)rng_u32(&g->rng);
		break;
	case TPB_FAULT_BAD_FIELD: break_field(g, b); break;
	case TPB_FAULT_BAD_DTYPE:
		b[dtype_at(g, b)] = (uint8_t)rng_u32(&g->rng);
		break;
	case TPB_FAULT_BAD_REG: break_reg(g, b); break;
	default: /* anything at all */
		for (int n = rng_range(&g->rng, 1, 3); n > 0; n--)
			b[rng_below(&g->rng, TPB_BUNDLE)] =
			    (uint8_t)rng_u32(&g->rng);
	}
}

/* code 0: any. */
static void decode_fault(struct gen *g, int e, int code)
{
	uint8_t legal[TPB_BUNDLE], b[TPB_BUNDLE];
	int got;

	do {
		uint8_t op = any_op(g, e);

		if (code == TPB_FAULT_UNRESOLVED)
			op = g->bias.fault_op == TPB_OP_CALL ||
			             rng_chance(&g->rng, 50)
			         ? TPB_OP_CALL
			         : TPB_OP_CUR_RANK;
		gen_payload(g, e, op, legal);
		if (code == TPB_FAULT_UNRESOLVED)
			gen_begin(legal, op);
		for (int i = 0; i < 50; i++) {
			memcpy(b, legal, sizeof(b));
			break_bundle(g, code, b);
			got = verdict(g, e, b);
			if (code ? got == code : got != 0)
				break;
		}
	} while (code ? got != code : !got);
	put_last(g, e, b, got);
}

/* ------------------------------------------------------------------ *
 * Bundles that fault when they run.                                  *
 * ------------------------------------------------------------------ */

static void end_of_stream(struct gen *g, int e)
{
	uint8_t b[TPB_BUNDLE];

	if (rng_chance(&g->rng, 50)) {
		gen_begin(b, TPB_OP_BRANCH);
		b[0x0E] = 3;
		gen_word(b, 0x30,
		         gen_pc(g, e) + 1 +
		             (rng_u32(&g->rng) >> 1) %
		                 (rng_chance(&g->rng, 50) ? 4 : 0x7FFFFFFF));
		image_emit(g->img, e, b, 0, 0);
	}
	end_at(g, e, TPB_RUN_FAULTED, TPB_FAULT_END_OF_STREAM);
}

static void bad_access(struct gen *g, int e, int code)
{
	uint8_t b[TPB_BUNDLE], op;

	op = rng_chance(&g->rng, 50) ? TPB_OP_TENSOR_LOAD : TPB_OP_TENSOR_SAVE;
	if (gen_has_unit(e) && rng_chance(&g->rng, 70))
		op = gen_vector_op(g, e);
	if (g->bias.fault_op >= 0 &&
	    gen_carries(g, e, (uint8_t)g->bias.fault_op))
		op = (uint8_t)g->bias.fault_op;
	if (gen_is_vector(op))
		gen_bad_vector(g, e, op, code, b);
	else
		gen_bad_access(g, e, op, code, b);
	gen_put(g, e, b, NULL);
	end_at(g, e, TPB_RUN_FAULTED, code);
}

/* What a queue bundle must not name. */
static void bad_queue(struct gen *g, int e)
{
	static const uint8_t op[] = {TPB_OP_DMA_TRIGGER, TPB_OP_RESET_QUEUE,
	                             TPB_OP_SWITCH_QUEUE};
	uint8_t b[TPB_BUNDLE], o = op[rng_below(&g->rng, 3)];

	if (g->bias.fault_op >= 0)
		o = (uint8_t)g->bias.fault_op;
	gen_bad_queue_op(g, e, o, b);
	gen_put(g, e, b, NULL);
	end_at(g, e, TPB_RUN_FAULTED, TPB_FAULT_DMA_QUEUE);
}

static void call_next(struct gen *g, int e)
{
	uint8_t b[TPB_BUNDLE];

	gen_payload(g, e, TPB_OP_CALL, b);
	gen_put(g, e, b, NULL);
	gen_land(g, e, gen_pc(g, e) - 1);
}

static void stack_fault(struct gen *g, int e, int code)
{
	uint8_t b[TPB_BUNDLE];

	if (code == TPB_FAULT_STACK_OVERFLOW) {
		for (int i = 0; i <= TPB_STACK; i++)
			call_next(g, e);
	} else {
		gen_payload(g, e, TPB_OP_RETURN, b);
		b[0x0C] = (uint8_t)rng_below(&g->rng, 2);
		gen_put(g, e, b, NULL);
	}
	end_at(g, e, TPB_RUN_FAULTED, code);
}

/* Wait for what nobody does, or for a queue that is stopped. */
static void dead_end(struct gen *g, int e, bool stopped)
{
	struct sync s = {.wait_id = gen_id(g, IDS_STILL)};
	uint8_t op = TPB_OP_NOOP, b[TPB_BUNDLE];
	int k = rng_below(&g->rng, 4);

	if (g->bias.fault_op >= 0)
		k = g->bias.fault_op & 3;
	if (stopped && rng_chance(&g->rng, 60)) {
		static const uint8_t drains[] = {TPB_OP_DRAIN, TPB_OP_HALT,
		                                 TPB_OP_BARRIER, TPB_OP_EXIT,
		                                 TPB_OP_CORE_BARRIER};
		do {
			op = drains[rng_below(&g->rng, COUNT(drains))];
		} while (!gen_carries(g, e, op));
		gen_payload(g, e, op, b);
		if (op == TPB_OP_DRAIN)
			b[0x28] = 1;
		gen_put(g, e, b, NULL);
		end_at(g, e, TPB_RUN_FAULTED, TPB_FAULT_DEADLOCK);
		return;
	}
	/* Alone in the core, an engine passes every join. */
	if (gen_count(g->all) == 1)
		k &= 1;
	if (k == 0) {
		s.wait =
		    rng_chance(&g->rng, 50) ? TPB_WAIT_GE_IMM : TPB_WAIT_GT_REG;
		s.wait_v = (uint32_t)rng_range(&g->rng, 1, 9);
	} else if (k == 1) {
		s.wait = TPB_WAIT_EVT_SET + (uint8_t)rng_below(&g->rng, 2);
	} else if (k == 2) {
		op = TPB_OP_BARRIER;
	} else {
		op = TPB_OP_RETURN;
		call_next(g, e);
	}
	gen_payload(g, e, op, b);
	if (op == TPB_OP_RETURN)
		b[0x0C] = 0;
	gen_put(g, e, b, &s);
	end_at(g, e, TPB_RUN_FAULTED, TPB_FAULT_DEADLOCK);
}

static int choose(struct gen *g)
{
	static const uint8_t code[] = {0, /* broken at random */
	                               TPB_FAULT_END_OF_STREAM,
	                               TPB_FAULT_ILLEGAL_OPCODE,
	                               TPB_FAULT_BAD_HEADER,
	                               TPB_FAULT_UNRESOLVED,
	                               TPB_FAULT_RESERVED,
	                               TPB_FAULT_BAD_FIELD,
	                               TPB_FAULT_BAD_DTYPE,
	                               TPB_FAULT_BAD_REG,
	                               TPB_FAULT_MISALIGNED,
	                               TPB_FAULT_BAD_ADDR,
	                               TPB_FAULT_BAD_ADDR,
	                               TPB_FAULT_BAD_ADDR,
	                               TPB_FAULT_BAD_ADDR,
	                               TPB_FAULT_STACK_OVERFLOW,
	                               TPB_FAULT_STACK_UNDERFLOW,
	                               TPB_FAULT_DMA_QUEUE,
	                               TPB_FAULT_DEADLOCK,
	                               GEN_HALT};

	return g->bias.fault >= 0 ? g->bias.fault
	                          : code[rng_below(&g->rng, COUNT(code))];
}

static bool end_engine(struct gen *g, int e)
{
	int code = choose(g);
	bool stopped = rng_chance(&g->rng, g->bias.dma > 0 ? 80 : 40) &&
	               gen_stop_queue(g, e);
	uint8_t b[TPB_BUNDLE];

	g->stopped = stopped;
	/* A halt needs a drained engine. */
	if (stopped && code == GEN_HALT)
		code = TPB_FAULT_DEADLOCK;
	if (stopped && rng_chance(&g->rng, 50))
		gen_straight(g, e, 3);
	switch (code) {
	case TPB_FAULT_END_OF_STREAM: end_of_stream(g, e); break;
	case TPB_FAULT_MISALIGNED:
	case TPB_FAULT_BAD_ADDR: bad_access(g, e, code); break;
	case TPB_FAULT_STACK_OVERFLOW:
	case TPB_FAULT_STACK_UNDERFLOW: stack_fault(g, e, code); break;
	case TPB_FAULT_DMA_QUEUE: bad_queue(g, e); break;
	case TPB_FAULT_DEADLOCK: dead_end(g, e, stopped); break;
	case GEN_HALT:
		gen_payload(g, e, TPB_OP_HALT, b);
		gen_put(g, e, b, NULL);
		end_at(g, e, TPB_RUN_HALTED, TPB_FAULT_NONE);
		break;
	default: decode_fault(g, e, code); break;
	}
	/* What lies behind is never reached. */
	if (code != TPB_FAULT_END_OF_STREAM && rng_chance(&g->rng, 30))
		gen_straight(g, e, 2);
	g->stopped = false;
	return code == TPB_FAULT_DEADLOCK;
}

/* One engine ends by what is wanted, others by anything. */
bool gen_fault(struct gen *g, int e)
{
	struct gen_bias bias = g->bias;
	bool dead;

	if (g->bias.culprit > 0 ? !gen_has((uint8_t)g->bias.culprit, e)
	                        : g->aimed)
		g->bias.fault = g->bias.fault_op = -1;
	g->aimed = true;
	dead = end_engine(g, e);
	g->bias = bias;
	return dead;
}
