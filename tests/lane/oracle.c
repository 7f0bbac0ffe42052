/* SPDX-License-Identifier: Apache-2.0
 *
 * The oracle's arithmetic: fp32 on the host's FPU with the NaN rule applied to
 * its result, integers in 128 bits, mod by modular powers of 2.
 *
 * Facts: docs/reference/numerics.md.
 */
#include "tests/lane/oracle.h"

#include "isa/isa.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The NaN rule. */
static uint32_t arith(float x)
{
	return isnan(x) ? 0x7FC00000 : oracle_bits(x);
}

static uint32_t truth(bool x)
{
	return oracle_bits(x ? 1.0f : 0.0f);
}

/* Significand times 2^(exponent - 1), both positive, in units of 2^-149. */
static uint64_t integer_of(uint32_t x, unsigned *exponent)
{
	unsigned e = x >> 23 & 0xFF;

	*exponent = e == 0 ? 1 : e;
	return (x & 0x7FFFFF) | (e == 0 ? 0u : 0x800000u);
}

/* |a| mod |b|, finite, b not 0: (ma 2^d) mod mb with 2^d by squaring. */
static float remainder_of(float a, float b)
{
	unsigned ea, eb, d;
	uint64_t ma = integer_of(oracle_bits(a), &ea);
	uint64_t mb = integer_of(oracle_bits(b), &eb);
	uint64_t power = 1, square = 2;

	if (fabsf(a) < fabsf(b))
		return a;
	for (d = ea - eb; d != 0; d >>= 1) {
		square %= mb;
		if ((d & 1) != 0)
			power = power * square % mb;
		square *= square;
	}
	ma = ma % mb * (power % mb) % mb;
	/* Exact: 24 bits, and no smaller than the unit of b. */
	return copysignf((float)ldexp((double)ma, (int)eb - 150), a);
}

static uint32_t mod(float a, float b)
{
	float r;

	if (isnan(a) || isnan(b) || isinf(a) || b == 0)
		return 0x7FC00000;
	r = remainder_of(a, b);
	if (r == 0)
		return oracle_bits(copysignf(0.0f, b));
	return oracle_bits(signbit(r) == signbit(b) ? r : r + b);
}

static uint32_t fp32(uint8_t op, uint32_t ua, uint32_t ub)
{
	float a = oracle_value(ua), b = oracle_value(ub);
	float p = fabsf(a), q = fabsf(b);

	switch (op) {
	case TPB_ALU_BYPASS: return ua;
	case TPB_ALU_ADD: return arith(a + b);
	case TPB_ALU_SUBTRACT: return arith(a - b);
	case TPB_ALU_MULT: return arith(a * b);
	case TPB_ALU_DIVIDE: return arith(a / b);
	case TPB_ALU_MAX: return arith(a < b ? b : a);
	case TPB_ALU_MIN: return arith(b < a ? b : a);
	case TPB_ALU_LOGICAL_AND: return truth(a != 0 && b != 0);
	case TPB_ALU_LOGICAL_OR: return truth(a != 0 || b != 0);
	case TPB_ALU_LOGICAL_XOR: return truth((a != 0) != (b != 0));
	case TPB_ALU_IS_EQUAL: return truth(a == b);
	case TPB_ALU_NOT_EQUAL: return truth(a != b);
	case TPB_ALU_IS_GT: return truth(a > b);
	case TPB_ALU_IS_GE: return truth(a >= b);
	case TPB_ALU_IS_LE: return truth(a <= b);
	case TPB_ALU_IS_LT: return truth(a < b);
	case TPB_ALU_ABS: return arith(p);
	case TPB_ALU_MOD: return mod(a, b);
	case TPB_ALU_RSQRT: return arith(1.0f / sqrtf(a));
	case TPB_ALU_ABS_MAX: return arith(p < q ? q : p);
	case TPB_ALU_ABS_MIN: return arith(q < p ? q : p);
	default: return 0;
	}
}

static uint32_t store(bool out_signed, __int128 r)
{
	if (out_signed && r > INT32_MAX)
		return INT32_MAX;
	if (out_signed && r < INT32_MIN)
		return (uint32_t)INT32_MIN;
	return (uint32_t)r;
}

static __int128 reading(bool is_signed, uint32_t word)
{
	return is_signed ? (__int128)(int32_t)word : (__int128)word;
}

static struct oracle_result integer(uint8_t op, uint8_t cfg, uint32_t ua,
                                    uint32_t ub)
{
	__int128 a = reading(cfg & 1, ua), b = reading(cfg & 1, ub), r;
	__int128 p = a < 0 ? -a : a, q = b < 0 ? -b : b;

	switch (op) {
	case TPB_ALU_BYPASS: r = a; break;
	case TPB_ALU_ADD:
	case TPB_ALU_ADD_INT: r = a + b; break;
	case TPB_ALU_SUBTRACT:
	case TPB_ALU_SUBTRACT_INT: r = a - b; break;
	case TPB_ALU_MULT:
	case TPB_ALU_MULT_INT: r = a * b; break;
	case TPB_ALU_DIVIDE:
	case TPB_ALU_DIVIDE_INT:
		if (b == 0)
			return (struct oracle_result){UINT32_MAX, 1};
		r = a / b;
		break;
	case TPB_ALU_MOD:
	case TPB_ALU_MOD_INT:
		if (b == 0)
			return (struct oracle_result){ua, 2};
		r = a % b;
		break;
	case TPB_ALU_MAX: r = a > b ? a : b; break;
	case TPB_ALU_MIN: r = a < b ? a : b; break;
	case TPB_ALU_LOGICAL_AND: r = a != 0 && b != 0; break;
	case TPB_ALU_LOGICAL_OR: r = a != 0 || b != 0; break;
	case TPB_ALU_LOGICAL_XOR: r = (a != 0) != (b != 0); break;
	case TPB_ALU_IS_EQUAL: r = a == b; break;
	case TPB_ALU_NOT_EQUAL: r = a != b; break;
	case TPB_ALU_IS_GT: r = a > b; break;
	case TPB_ALU_IS_GE: r = a >= b; break;
	case TPB_ALU_IS_LE: r = a <= b; break;
	case TPB_ALU_IS_LT: r = a < b; break;
	case TPB_ALU_ABS: r = p; break;
	case TPB_ALU_ABS_MAX: r = p > q ? p : q; break;
	case TPB_ALU_ABS_MIN: r = p < q ? p : q; break;
	default: r = 0; break;
	}
	return (struct oracle_result){store(cfg & 2, r), 0};
}

/* w bits of x as a signed number. */
static int64_t extended(uint32_t x, unsigned w)
{
	int64_t r = (int64_t)(x & (uint32_t)((1ull << w) - 1));

	return r >= (int64_t)1 << (w - 1) ? r - ((int64_t)1 << w) : r;
}

static uint32_t bitvec(uint8_t op, uint8_t width, uint32_t a, uint32_t b)
{
	unsigned w = 8u << width, n = b & 31;
	uint64_t mask = (1ull << w) - 1, x = a & mask, y = b & mask, r;

	switch (op) {
	case TPB_ALU_BYPASS: r = x; break;
	case TPB_ALU_BITWISE_NOT: r = mask - x; break;
	case TPB_ALU_ARITH_SHL:
	case TPB_ALU_LOGICAL_SHL: r = x * (1ull << n); break;
	case TPB_ALU_LOGICAL_SHR: r = x / (1ull << n); break;
	case TPB_ALU_ARITH_SHR:
		/* floor division of the signed number */
		r = (uint64_t)((extended(a, w) -
		                (extended(a, w) & ((1ll << n) - 1))) /
		               (1ll << n));
		break;
	case TPB_ALU_BITWISE_AND: r = x & y; break;
	case TPB_ALU_BITWISE_OR: r = x | y; break;
	case TPB_ALU_BITWISE_XOR: r = (x | y) - (x & y); break;
	default: r = 0; break;
	}
	return (uint32_t)(r & mask);
}

struct oracle_result oracle_run(const struct lane_op *op, uint32_t a,
                                uint32_t b)
{
	struct oracle_result r = {0, 0};

	switch (op->unit) {
	case LANE_ARITH: r.word = fp32(op->code, a, b); break;
	case LANE_INT: return integer(op->code, op->cfg, a, b);
	case LANE_BITVEC: r.word = bitvec(op->code, op->cfg, a, b); break;
	case LANE_WIDEN: r.word = oracle_widen(op->code, a, op->cfg); break;
	case LANE_NARROW: r.word = oracle_narrow(op->code, a, op->cfg); break;
	case LANE_NEG: r.word = arith(-oracle_value(a)); break;
	case LANE_INT_NEG:
		r.word = store(op->cfg & 2, -reading(op->cfg & 1, a));
		break;
	}
	return r;
}
