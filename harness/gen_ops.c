/* SPDX-License-Identifier: Apache-2.0
 *
 * The payload of a bundle, and single bundles of any kind.
 *
 * Ranges of the fields are those of docs/reference/decode.md.
 */
#include "harness/gen_priv.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

uint32_t gen_value(struct gen *g)
{
	static const uint32_t special[] = {
	    0,           1,           0xFFFFFFFFu, 0x80000000u, 0x7FFFFFFFu,
	    2,           0xFFFFFFFEu, 0x80000001u, 31,          32,
	    33,          63,          64,          0xFF,        0x80,
	    0x7F,        0xFFFF,      0x8000,      0x7FFF,      0x10000,
	    0x7FC00000u, 0xFFC00001u, 0x7F800001u, 0x7F800000u, 0xFF800000u,
	    0x3F800000u, 0xBF800000u, 0x00800000u, 0x007FFFFFu, 0x7F7FFFFFu};

	switch (rng_below(&g->rng, 8)) {
	case 0:
	case 1:
	case 2: return special[rng_below(&g->rng, COUNT(special))];
	case 3: return 1u << rng_below(&g->rng, 32);
	case 4: return (uint32_t)rng_range(&g->rng, -8, 8);
	case 5: return (1u << rng_below(&g->rng, 32)) - 1;
	default: return rng_u32(&g->rng);
	}
}

static uint8_t data_reg(struct gen *g)
{
	if (rng_chance(&g->rng, 3))
		return (uint8_t)rng_range(&g->rng, 62, 63);
	return (uint8_t)rng_below(&g->rng, rng_chance(&g->rng, 60) ? 8 : NDATA);
}

/* Any register can be read. */
static uint8_t source_reg(struct gen *g)
{
	return rng_chance(&g->rng, 10) ? (uint8_t)rng_below(&g->rng, TPB_REGS)
	                               : data_reg(g);
}

/* Now and then the largest and the smallest number of 64 bits. */
static void wide_value(struct gen *g, uint8_t *b, int off)
{
	if (rng_chance(&g->rng, 20)) {
		bool largest = rng_chance(&g->rng, 60);

		gen_word(b, off, largest ? 0xFFFFFFFFu : 0);
		gen_word(b, off + 4, largest ? 0x7FFFFFFFu : 0x80000000u);
	} else if (rng_chance(&g->rng, 50)) {
		gen_word(b, off + 4, gen_value(g));
	} else {
		gen_word(b, off + 4, b[off + 3] & 0x80 ? 0xFFFFFFFFu : 0);
	}
}

static void move(struct gen *g, uint8_t *b)
{
	int wc = gen_wanted(g, g->bias.move_count);
	int ws = g->bias.move_source;
	int n = wc > 0 ? wc : rng_range(&g->rng, 1, 8);
	bool imm = wc > 0 && ws >= 0 ? ws : rng_chance(&g->rng, 60);

	if (n == 2)
		imm = true;
	b[0x0C] = (uint8_t)n;
	b[0x0D] =
	    (uint8_t)rng_range(&g->rng, TPB_DTYPE_INT32, TPB_DTYPE_FLOAT32);
	b[0x0E] = imm ? TPB_SOURCE_IMM : TPB_SOURCE_REG;
	for (int i = 0; i < n; i++) {
		b[0x18 + i] = data_reg(g);
		if (imm)
			gen_word(b, 0x20 + 4 * i, gen_value(g));
		else
			b[0x10 + i] = source_reg(g);
	}
	if (n == 2) {
		b[0x18] &= 0xFE;
		b[0x19] = b[0x18] + 1;
		wide_value(g, b, 0x20);
	}
}

static uint8_t alu_op(struct gen *g)
{
	int want = gen_wanted(g, g->bias.alu);
	uint8_t op;

	if (want >= 0)
		return (uint8_t)want;
	do {
		op = (uint8_t)rng_range(&g->rng, 0, TPB_ALU_RSQRT);
	} while (
	    op == 0x17 || op == 0x1C ||
	    /* long ones less often */
	    ((op == TPB_ALU_DIVIDE || op == TPB_ALU_MOD || op == TPB_ALU_POW) &&
	     rng_chance(&g->rng, 50)));
	return op;
}

/* The form of coverage's regdt: a tag, or 0x80 for 64-bit. */
static uint8_t alu_form(struct gen *g)
{
	static const uint8_t form[] = {0,    TPB_DTYPE_INT32, TPB_DTYPE_UINT32,
	                               0x80, TPB_DTYPE_INT64, TPB_DTYPE_UINT64,
	                               0x80};
	int want = gen_wanted(g, g->bias.alu_dtype);

	return want >= 0 ? (uint8_t)want : form[rng_below(&g->rng, 7)];
}

static void alu(struct gen *g, uint8_t *b)
{
	uint8_t form = alu_form(g);
	bool wide = form == 0x80;
	int want = gen_wanted(g, g->bias.alu_imm);
	bool imm = want >= 0 ? want : rng_chance(&g->rng, 50);
	uint8_t even = wide ? 0xFE : 0xFF;

	b[0x0C] = alu_op(g);
	b[0x0D] = 1;
	b[0x0E] = (uint8_t)((wide ? 1 : 0) | (imm ? 2 : 0));
	b[0x0F] = wide ? TPB_DTYPE_UINT64 : form;
	b[0x10] = data_reg(g) & even;
	b[0x11] = source_reg(g) & even;
	if (!imm)
		b[0x12] = source_reg(g) & even;
	else
		gen_word(b, 0x18, gen_value(g));
	if (imm && wide)
		wide_value(g, b, 0x18);
	if (wide) {
		b[0x14] = b[0x10];
		b[0x15] = b[0x10] + 1;
	}
}

/* Something that makes both outcomes likely: sides that are the same, or
 * special values. */
static void compare(struct gen *g, int e, uint8_t *b)
{
	static const uint8_t tag[] = {TPB_DTYPE_INT8,   TPB_DTYPE_UINT8,
	                              TPB_DTYPE_INT16,  TPB_DTYPE_UINT16,
	                              TPB_DTYPE_INT32,  TPB_DTYPE_UINT32,
	                              TPB_DTYPE_FLOAT32};
	int wc = gen_wanted(g, g->bias.cmp);
	int wd = gen_wanted(g, g->bias.cmp_dtype);
	uint32_t imm = gen_value(g);
	uint8_t c = (uint8_t)rng_range(&g->rng, 1, 6);
	uint8_t lhs = source_reg(g), rhs = source_reg(g);

	c |= rng_chance(&g->rng, 50) ? 8 : 0;
	if (wc > 0)
		c = (uint8_t)wc;
	if (rng_chance(&g->rng, 50)) {
		lhs = data_reg(g);
		gen_set_reg(g, e, lhs,
		            rng_chance(&g->rng, 50)   ? imm
		            : rng_chance(&g->rng, 20) ? imm ^ 0x80000000u
		                                      : gen_value(g));
		if (c & 8 && rng_chance(&g->rng, 60)) {
			rhs = (uint8_t)((lhs + 1) % 8);
			gen_set_reg(g, e, rhs, imm);
		}
	}
	b[0x0C] = c;
	b[0x0D] = wd > 0 ? (uint8_t)wd : tag[rng_below(&g->rng, 7)];
	b[0x20] = lhs;
	if (c & 8)
		b[0x21] = rhs;
	else
		gen_word(b, 0x10, imm);
}

static void branch(struct gen *g, int e, uint8_t *b)
{
	b[0x0E] = 3;
	if (rng_chance(&g->rng, 85))
		compare(g, e, b);
	gen_word(b, 0x30, gen_pc(g, e) + 1);
}

/* Of what nobody knows anything about. */
static void group_reset(struct gen *g, uint8_t *b)
{
	int first = rng_range(&g->rng, IDS_STILL, IDS_PRIVATE - 1);
	int last = rng_range(&g->rng, first, IDS_PRIVATE - 1);
	uint8_t lo = gen_id(g, first), hi = gen_id(g, last);

	b[0x0C] = rng_chance(&g->rng, 50) ? TPB_CLEAR_RANGE : TPB_CLEAR_MASK;
	if (b[0x0C] == TPB_CLEAR_RANGE) {
		b[0x0D] = lo;
		b[0x0E] = lo <= hi ? hi : lo; /* a rotation may part them */
		return;
	}
	for (int i = IDS_STILL; i < IDS_PRIVATE; i++)
		if (rng_chance(&g->rng, 50))
			b[0x20 + gen_id(g, i) / 8] |=
			    (uint8_t)(1 << gen_id(g, i) % 8);
	b[0x20 + 31] = (uint8_t)rng_u32(&g->rng); /* 248..255 */
}

static void random_bytes(struct gen *g, uint8_t *b, int first, int last)
{
	if (rng_chance(&g->rng, 50))
		return;
	for (int i = first; i <= last; i++)
		b[i] = (uint8_t)rng_u32(&g->rng);
}

void gen_payload(struct gen *g, int e, uint8_t op, uint8_t b[TPB_BUNDLE])
{
	gen_begin(b, op);
	switch (op) {
	case TPB_OP_DRAIN: random_bytes(g, b, 0x28, 0x28); break;
	case TPB_OP_REGISTER_MOVE: move(g, b); break;
	case TPB_OP_REGISTER_ALU: alu(g, b); break;
	case TPB_OP_BRANCH: branch(g, e, b); break;
	case TPB_OP_TENSOR_LOAD:
	case TPB_OP_TENSOR_SAVE: gen_access(g, e, op, b); break;
	case TPB_OP_GROUP_RESET: group_reset(g, b); break;
	case TPB_OP_RETURN: b[0x0C] = 1; break;
	case TPB_OP_CALL:
		b[0x2F] = 1;
		gen_word(b, 0x30, gen_pc(g, e) + 1);
		random_bytes(g, b, 0x38, 0x3B);
		break;
	case TPB_OP_CORE_BARRIER:
		b[0x0C] = (uint8_t)rng_below(&g->rng, 256);
		random_bytes(g, b, 0x10, 0x13);
		random_bytes(g, b, 0x20, 0x33);
		break;
	case TPB_OP_CUR_RANK:
		b[0x0C] = (uint8_t)rng_below(&g->rng, 256);
		b[0x0E] = (uint8_t)rng_below(&g->rng, 256);
		b[0x12] = data_reg(g);
		b[0x2F] = 1;
		random_bytes(g, b, 0x14, 0x15);
		gen_word(b, 0x18, gen_value(g));
		break;
	case TPB_OP_GLOBAL_RANK:
		b[0x0C] = 1;
		b[0x17] = data_reg(g);
		break;
	case TPB_OP_BRANCH_HINT:
		b[0x0C] = (uint8_t)rng_below(&g->rng, 2);
		gen_word(b, 0x30, rng_u32(&g->rng));
		break;
	case TPB_OP_COMPLETION: random_bytes(g, b, 0x0C, 0x10); break;
	case TPB_OP_EXIT: b[0x0C] = 1; break;
	case TPB_OP_DMA_TRIGGER:
	case TPB_OP_RESET_QUEUE:
	case TPB_OP_SWITCH_QUEUE: gen_queue_op(g, e, op, b); break;
	default:
		if (gen_is_vector(op))
			gen_vector(g, e, op, b);
		break;
	}
}

/* ------------------------------------------------------------------ *
 * Single bundles and conditional code.                               *
 * ------------------------------------------------------------------ */

/* if, if-else, or a jump to and fro; the arms know nothing and change
 * nothing that is known. */
static void conditional(struct gen *g, int e, const struct sync *s)
{
	uint8_t b[TPB_BUNDLE];
	uint32_t at, end;
	bool outer = g->stateless;

	gen_payload(g, e, TPB_OP_BRANCH, b);
	at = gen_put(g, e, b, s);
	g->stateless = true;
	g->arms++;
	gen_straight(g, e, rng_range(&g->rng, 1, 3));
	if (rng_chance(&g->rng, 50)) {
		gen_begin(b, TPB_OP_BRANCH);
		b[0x0E] = 3;
		end = gen_put(g, e, b, NULL);
		gen_land(g, e, at);
		at = end;
		gen_straight(g, e, rng_range(&g->rng, 1, 2));
	}
	gen_land(g, e, at);
	g->arms--;
	g->stateless = outer;
}

/* jump there; back: ...; jump on; there: jump back; on: */
static void to_and_fro(struct gen *g, int e, const struct sync *s)
{
	uint8_t b[TPB_BUNDLE];
	uint32_t there, on, back;
	bool outer = g->stateless;

	gen_begin(b, TPB_OP_BRANCH);
	b[0x0E] = 3;
	there = gen_put(g, e, b, s);
	g->stateless = true;
	back = gen_pc(g, e);
	gen_straight(g, e, rng_range(&g->rng, 0, 2));
	gen_begin(b, TPB_OP_BRANCH);
	b[0x0E] = 3;
	on = gen_put(g, e, b, NULL);
	gen_land(g, e, there);
	gen_begin(b, TPB_OP_BRANCH);
	b[0x0E] = 3;
	gen_word(b, 0x30, back);
	gen_put(g, e, b, NULL);
	gen_land(g, e, on);
	g->stateless = outer;
}

static uint8_t filler_op(struct gen *g, int e, const struct sync *s)
{
	static const struct {
		uint8_t op, weight;
	} ops[] = {{TPB_OP_REGISTER_ALU, 26},
	           {TPB_OP_REGISTER_MOVE, 12},
	           {TPB_OP_TENSOR_LOAD, 8},
	           {TPB_OP_TENSOR_SAVE, 9},
	           {TPB_OP_BRANCH, 9},
	           {TPB_OP_NOOP, 8},
	           {TPB_OP_EVENT_SEMAPHORE, 10},
	           {TPB_OP_GROUP_RESET, 3},
	           {TPB_OP_DRAIN, 3},
	           {TPB_OP_CORE_BARRIER, 3},
	           {TPB_OP_CUR_RANK, 2},
	           {TPB_OP_GLOBAL_RANK, 2},
	           {TPB_OP_BRANCH_HINT, 2},
	           {TPB_OP_COMPLETION, 3}};
	static const uint8_t queue[] = {TPB_OP_DMA_TRIGGER, TPB_OP_DMA_TRIGGER,
	                                TPB_OP_DMA_TRIGGER, TPB_OP_RESET_QUEUE,
	                                TPB_OP_SWITCH_QUEUE};
	int want = gen_wanted(g, g->bias.op);
	int k = rng_below(&g->rng, 100);

	if (gen_has_queue(g, e)) {
		for (int i = 2; i < COUNT(queue); i++)
			if (want == queue[i])
				return queue[i];
		if (rng_chance(&g->rng, 4))
			return queue[rng_below(&g->rng, COUNT(queue))];
	}
	for (int i = 0; i < COUNT(ops); i++)
		if (want == ops[i].op)
			return ops[i].op;
	if (want >= 0 && gen_is_vector((uint8_t)want) &&
	    gen_carries(g, e, (uint8_t)want))
		return (uint8_t)want;
	if (gen_has_unit(e) &&
	    rng_chance(&g->rng, e == TPB_ENGINE_DVE ? 40 : 20))
		return gen_vector_op(g, e);
	for (int i = 0; i < COUNT(ops); i++) {
		k -= ops[i].weight;
		if (k < 0)
			return ops[i].op;
	}
	return s ? TPB_OP_NOOP : TPB_OP_REGISTER_ALU;
}

static bool takes(uint8_t wait)
{
	return wait == TPB_WAIT_EVT_SET_CLR || wait == TPB_WAIT_EVT_CLR_SET;
}

void gen_filler(struct gen *g, int e, const struct sync *s)
{
	uint8_t op = filler_op(g, e, s), b[TPB_BUNDLE];

	if (op == TPB_OP_CORE_BARRIER &&
	    (g->opt->gen == 2 || (s && takes(s->wait))))
		op = TPB_OP_DRAIN;
	if (g->stopped && (op == TPB_OP_DRAIN || op == TPB_OP_CORE_BARRIER))
		op = TPB_OP_NOOP;
	if (s && !gen_fits(s))
		op = TPB_OP_EVENT_SEMAPHORE;
	else if (s && s->atomic && op != TPB_OP_EVENT_SEMAPHORE)
		op = TPB_OP_NOOP;
	if (op == TPB_OP_BRANCH && g->arms < 2 && rng_chance(&g->rng, 80)) {
		if (rng_chance(&g->rng, 85))
			conditional(g, e, s);
		else
			to_and_fro(g, e, s);
		return;
	}
	gen_payload(g, e, op, b);
	/* Registers for waits are loaded just before the bundle. */
	gen_put(g, e, b, s);
	if (op == TPB_OP_BRANCH)
		gen_land(g, e, gen_pc(g, e) - 1);
}

void gen_straight(struct gen *g, int e, int n)
{
	while (n-- > 0)
		gen_filler(g, e, NULL);
}
