/* SPDX-License-Identifier: Apache-2.0
 *
 * The scalar ALU: its values, and the cycles of mult, divide, mod and pow.
 *
 * tpb_alu() states what each op yields; alu_grant() and alu_cycle() move the
 * compared registers of a multi-cycle op as docs/reference/timing.md says,
 * and arrive at the same values by themselves.  Values: sequencer facts,
 * section 14.3.
 */
#include "cmodel/cycle.h"

static uint64_t alu_mask(int w)
{
	return w == 32 ? UINT32_MAX : UINT64_MAX;
}

static bool alu_negative(uint64_t v, int w)
{
	return (v >> (w - 1) & 1) != 0;
}

/* v as a signed w-bit number. */
static int64_t alu_extend(uint64_t v, int w)
{
	return w == 32 ? (int32_t)(uint32_t)v : (int64_t)v;
}

static uint64_t alu_magnitude(uint64_t v, int w)
{
	return (alu_negative(v, w) ? 0 - v : v) & alu_mask(w);
}

static bool alu_less(bool is_signed, int w, uint64_t a, uint64_t b)
{
	return is_signed ? alu_extend(a, w) < alu_extend(b, w) : a < b;
}

static uint64_t alu_divide(bool is_signed, int w, uint64_t a, uint64_t b,
                           uint8_t *flags)
{
	uint64_t q;

	if (b == 0) {
		*flags |= 1;
		return UINT64_MAX;
	}
	if (!is_signed)
		return a / b;
	q = alu_magnitude(a, w) / alu_magnitude(b, w);
	return alu_negative(a ^ b, w) ? 0 - q : q;
}

static uint64_t alu_mod(bool is_signed, int w, uint64_t a, uint64_t b,
                        uint8_t *flags)
{
	uint64_t r;

	if (b == 0) {
		*flags |= 2;
		return a;
	}
	if (!is_signed)
		return a % b;
	r = alu_magnitude(a, w) % alu_magnitude(b, w);
	return alu_negative(a, w) ? 0 - r : r;
}

static uint64_t alu_pow(bool is_signed, int w, uint64_t a, uint64_t b)
{
	uint64_t r = 1;

	if (is_signed && alu_negative(b, w)) {
		if (a == 1)
			return 1;
		if (a == alu_mask(w))
			return b & 1 ? a : 1;
		return 0;
	}
	for (; b != 0; b >>= 1) {
		if (b & 1)
			r *= a;
		a *= a;
	}
	return r;
}

static uint64_t alu_rsqrt(bool is_signed, int w, uint64_t a, uint8_t *flags)
{
	if (a == 0 || (is_signed && alu_negative(a, w))) {
		*flags |= 4;
		return UINT64_MAX;
	}
	return a == 1;
}

uint64_t tpb_alu(uint8_t op, bool is_signed, int w, uint64_t a, uint64_t b,
                 uint8_t *flags)
{
	uint64_t mask = alu_mask(w), r = 0;
	unsigned n = (unsigned)b & (unsigned)(w - 1);

	a &= mask;
	b &= mask;
	switch (op) {
	case TPB_ALU_BYPASS: r = a; break;
	case TPB_ALU_BITWISE_NOT: r = ~a; break;
	case TPB_ALU_ARITH_SHL:
	case TPB_ALU_LOGICAL_SHL: r = a << n; break;
	case TPB_ALU_ARITH_SHR: r = (uint64_t)(alu_extend(a, w) >> n); break;
	case TPB_ALU_LOGICAL_SHR: r = a >> n; break;
	case TPB_ALU_ADD: r = a + b; break;
	case TPB_ALU_SUBTRACT: r = a - b; break;
	case TPB_ALU_MULT: r = a * b; break;
	case TPB_ALU_DIVIDE: r = alu_divide(is_signed, w, a, b, flags); break;
	case TPB_ALU_MOD: r = alu_mod(is_signed, w, a, b, flags); break;
	case TPB_ALU_MAX: r = alu_less(is_signed, w, a, b) ? b : a; break;
	case TPB_ALU_MIN: r = alu_less(is_signed, w, b, a) ? b : a; break;
	case TPB_ALU_BITWISE_AND: r = a & b; break;
	case TPB_ALU_BITWISE_OR: r = a | b; break;
	case TPB_ALU_BITWISE_XOR: r = a ^ b; break;
	case TPB_ALU_LOGICAL_AND: r = a != 0 && b != 0; break;
	case TPB_ALU_LOGICAL_OR: r = a != 0 || b != 0; break;
	case TPB_ALU_LOGICAL_XOR: r = (a != 0) != (b != 0); break;
	case TPB_ALU_IS_EQUAL: r = a == b; break;
	case TPB_ALU_NOT_EQUAL: r = a != b; break;
	case TPB_ALU_IS_GT: r = alu_less(is_signed, w, b, a); break;
	case TPB_ALU_IS_GE: r = !alu_less(is_signed, w, a, b); break;
	case TPB_ALU_IS_LE: r = !alu_less(is_signed, w, b, a); break;
	case TPB_ALU_IS_LT: r = alu_less(is_signed, w, a, b); break;
	case TPB_ALU_ABS: r = is_signed ? alu_magnitude(a, w) : a; break;
	case TPB_ALU_POW: r = alu_pow(is_signed, w, a, b); break;
	case TPB_ALU_RSQRT: r = alu_rsqrt(is_signed, w, a, flags); break;
	default: break; /* refused by decode */
	}
	return r & mask;
}

/* ------------------------------------------------------------------ *
 * RegisterAlu in the issue stage.                                    *
 * ------------------------------------------------------------------ */

struct alu_op {
	uint64_t a, b;
	int w;
	uint8_t op;
	bool is_signed;
};

static inline struct alu_op alu_read(const struct tpb_engine_state *g)
{
	unsigned mode = cycle_byte(g, 0x0E), dtype = cycle_byte(g, 0x0F);
	unsigned src1 = cycle_byte(g, 0x11), src2 = cycle_byte(g, 0x12);
	struct alu_op o = {.op = cycle_byte(g, 0x0C)};

	o.is_signed = dtype != TPB_DTYPE_UINT32 && dtype != TPB_DTYPE_UINT64;
	if (mode & 1) {
		o.w = 64;
		o.a = cycle_pair(g, src1);
		o.b = mode & 2 ? cycle_word(g, 0x18) |
		                     (uint64_t)cycle_word(g, 0x1C) << 32
		               : cycle_pair(g, src2);
	} else {
		o.w = 32;
		o.a = g->rf[src1 & 63];
		o.b = mode & 2 ? cycle_word(g, 0x18) : g->rf[src2 & 63];
	}
	return o;
}

static void alu_write(struct tpb_engine_state *g, int w, uint64_t r)
{
	if (w == 64)
		cycle_set_pair(g, cycle_byte(g, 0x10), r);
	else
		*cycle_reg(g, 0x10) = (uint32_t)r;
}

/* Ops that may need more than one cycle. */
static bool alu_is_long(uint8_t op)
{
	return op == TPB_ALU_MULT || op == TPB_ALU_DIVIDE ||
	       op == TPB_ALU_MOD || op == TPB_ALU_POW;
}

/* True when these operands need more: then the op's registers are set. */
static bool alu_start(struct tpb_engine_state *g, const struct alu_op *o)
{
	switch (o->op) {
	case TPB_ALU_MULT:
		g->alu_a = o->a;
		g->alu_b = o->b;
		g->alu_cnt = 0;
		return true;
	case TPB_ALU_DIVIDE:
	case TPB_ALU_MOD:
		if (o->b == 0)
			return false;
		g->alu_acc = 0;
		g->alu_a = o->is_signed ? alu_magnitude(o->a, o->w) : o->a;
		g->alu_b = o->is_signed ? alu_magnitude(o->b, o->w) : o->b;
		g->alu_cnt = (uint8_t)o->w;
		return true;
	case TPB_ALU_POW:
		if (o->is_signed && alu_negative(o->b, o->w))
			return false;
		g->alu_acc = 1;
		g->alu_a = o->a;
		g->alu_b = o->b;
		g->alu_cnt = (uint8_t)(o->b ? 64 - __builtin_clzll(o->b) : 0);
		return true;
	default: return false;
	}
}

bool alu_grant(struct tpb_engine_state *g)
{
	struct alu_op o = alu_read(g);

	if (alu_is_long(o.op) && alu_start(g, &o)) {
		g->phase = TPB_PHASE_ALU;
		return false;
	}
	alu_write(g, o.w,
	          tpb_alu(o.op, o.is_signed, o.w, o.a, o.b, &g->alu_flags));
	return true;
}

/* One bit of the quotient, most significant first. */
static void alu_divide_step(struct tpb_engine_state *g, int w)
{
	bool carry = g->alu_acc >> 63 != 0;

	g->alu_acc = g->alu_acc << 1 | (g->alu_a >> (w - 1) & 1);
	g->alu_a = g->alu_a << 1 & alu_mask(w);
	if (carry || g->alu_acc >= g->alu_b) {
		g->alu_acc -= g->alu_b;
		g->alu_a |= 1;
	}
}

static void alu_pow_step(struct tpb_engine_state *g)
{
	if (g->alu_b & 1)
		g->alu_acc *= g->alu_a;
	g->alu_a *= g->alu_a;
	g->alu_b >>= 1;
}

/* The result that the registers hold when no step is left. */
static uint64_t alu_result(const struct tpb_engine_state *g,
                           const struct alu_op *o)
{
	bool neg1 = o->is_signed && alu_negative(o->a, o->w);
	bool neg2 = o->is_signed && alu_negative(o->b, o->w);

	switch (o->op) {
	case TPB_ALU_MULT: return g->alu_a * g->alu_b;
	case TPB_ALU_DIVIDE: return neg1 != neg2 ? 0 - g->alu_a : g->alu_a;
	case TPB_ALU_MOD: return neg1 ? 0 - g->alu_acc : g->alu_acc;
	default: return g->alu_acc;
	}
}

bool alu_cycle(struct tpb_engine_state *g)
{
	uint8_t op = cycle_byte(g, 0x0C);

	if (g->alu_cnt != 0) {
		g->alu_cnt--;
		if (op == TPB_ALU_DIVIDE || op == TPB_ALU_MOD)
			alu_divide_step(g, cycle_byte(g, 0x0E) & 1 ? 64 : 32);
		else if (op == TPB_ALU_POW)
			alu_pow_step(g);
		return false;
	}
	struct alu_op o = alu_read(g);

	alu_write(g, o.w, alu_result(g, &o));
	g->phase = TPB_PHASE_ISSUE;
	return true;
}
