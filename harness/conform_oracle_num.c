/* SPDX-License-Identifier: Apache-2.0
 *
 * ALU operations of the vector ops on the host's FPU and 128-bit integers.
 *
 * Facts: docs/reference/numerics.md.  Each fp32 operation is one C operation
 * on floats, so that the host rounds exactly once; there is no expression of
 * two that a compiler could fuse.
 */
#include "harness/conform_oracle.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide;

static float value_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

bool conform_nan(uint32_t a)
{
	return isnan(value_of(a)) != 0;
}

bool conform_equal(uint32_t a, uint32_t b)
{
	return value_of(a) == value_of(b);
}

bool conform_greater(uint32_t a, uint32_t b)
{
	return value_of(a) > value_of(b);
}

/* The remainder has the sign of the divisor.  fmod of two floats is exact in
 * double and is itself a float. */
static float floor_mod(float a, float b)
{
	float r;

	if (isnan(a) || isnan(b) || isinf(a) || b == 0)
		return NAN;
	r = (float)fmod((double)a, (double)b);
	if (r == 0)
		return copysignf(0, b);
	return signbit(r) == signbit(b) ? r : r + b;
}

static float truth(bool x)
{
	return x ? 1 : 0;
}

/* Logic and comparisons: 1 or 0. */
static float logic(uint8_t op, float a, float b)
{
	switch (op) {
	case TPB_ALU_LOGICAL_AND: return truth(a != 0 && b != 0);
	case TPB_ALU_LOGICAL_OR: return truth(a != 0 || b != 0);
	case TPB_ALU_LOGICAL_XOR: return truth((a != 0) != (b != 0));
	case TPB_ALU_IS_EQUAL: return truth(a == b);
	case TPB_ALU_IS_GT: return truth(a > b);
	case TPB_ALU_IS_GE: return truth(a >= b);
	case TPB_ALU_IS_LE: return truth(a <= b);
	case TPB_ALU_IS_LT: return truth(a < b);
	default: return truth(a != b); /* not_equal */
	}
}

static float arithmetic(uint8_t op, float a, float b)
{
	float root;

	switch (op) {
	case TPB_ALU_ADD: return a + b;
	case TPB_ALU_SUBTRACT: return a - b;
	case TPB_ALU_MULT: return a * b;
	case TPB_ALU_DIVIDE: return a / b;
	case TPB_ALU_MAX: return a < b ? b : a;
	case TPB_ALU_MIN: return b < a ? b : a;
	case TPB_ALU_ABS: return fabsf(a);
	case TPB_ALU_MOD: return floor_mod(a, b);
	case TPB_ALU_RSQRT: root = sqrtf(a); return 1 / root;
	case TPB_ALU_ABS_MAX:
		return arithmetic(TPB_ALU_MAX, fabsf(a), fabsf(b));
	case TPB_ALU_ABS_MIN:
		return arithmetic(TPB_ALU_MIN, fabsf(a), fabsf(b));
	default: return logic(op, a, b);
	}
}

uint32_t conform_fp(uint8_t op, uint32_t a, uint32_t b)
{
	float r;

	if (op == TPB_ALU_BYPASS)
		return a;
	r = arithmetic(op, value_of(a), value_of(b));
	return isnan(r) ? CONFORM_NAN : bits_of(r);
}

/* ------------------------------------------------------------------ *
 * Integers.                                                          *
 * ------------------------------------------------------------------ */

bool conform_has_int(uint8_t op)
{
	return op != TPB_ALU_RSQRT && op != TPB_ALU_POW;
}

static wide magnitude(wide x)
{
	return x < 0 ? -x : x;
}

static wide whole_logic(uint8_t op, wide a, wide b)
{
	switch (op) {
	case TPB_ALU_LOGICAL_AND: return a != 0 && b != 0;
	case TPB_ALU_LOGICAL_OR: return a != 0 || b != 0;
	case TPB_ALU_LOGICAL_XOR: return (a != 0) != (b != 0);
	case TPB_ALU_IS_EQUAL: return a == b;
	case TPB_ALU_IS_GT: return a > b;
	case TPB_ALU_IS_GE: return a >= b;
	case TPB_ALU_IS_LE: return a <= b;
	case TPB_ALU_IS_LT: return a < b;
	default: return a != b; /* not_equal */
	}
}

static wide whole(uint8_t op, wide a, wide b)
{
	switch (op) {
	case TPB_ALU_BYPASS: return a;
	case TPB_ALU_ADD:
	case TPB_ALU_ADD_INT: return a + b;
	case TPB_ALU_SUBTRACT:
	case TPB_ALU_SUBTRACT_INT: return a - b;
	case TPB_ALU_MULT:
	case TPB_ALU_MULT_INT: return a * b;
	case TPB_ALU_DIVIDE:
	case TPB_ALU_DIVIDE_INT: return a / b;
	case TPB_ALU_MOD:
	case TPB_ALU_MOD_INT: return a % b;
	case TPB_ALU_MAX: return a > b ? a : b;
	case TPB_ALU_MIN: return a < b ? a : b;
	case TPB_ALU_ABS: return magnitude(a);
	case TPB_ALU_ABS_MAX:
		return whole(TPB_ALU_MAX, magnitude(a), magnitude(b));
	case TPB_ALU_ABS_MIN:
		return whole(TPB_ALU_MIN, magnitude(a), magnitude(b));
	default: return whole_logic(op, a, b);
	}
}

uint32_t conform_int(uint8_t op, uint32_t a, uint32_t b, uint8_t in,
                     uint8_t out, uint8_t *flags)
{
	bool is_signed = in == TPB_DTYPE_INT32;
	bool divides = op == TPB_ALU_DIVIDE || op == TPB_ALU_DIVIDE_INT;
	bool mods = op == TPB_ALU_MOD || op == TPB_ALU_MOD_INT;
	wide r;

	if (b == 0 && divides) {
		*flags |= 1;
		return 0xFFFFFFFF;
	}
	if (b == 0 && mods) {
		*flags |= 2;
		return a;
	}
	r = is_signed ? whole(op, (int32_t)a, (int32_t)b) : whole(op, a, b);
	if (out == TPB_DTYPE_INT32) {
		if (r > INT32_MAX)
			return INT32_MAX;
		if (r < INT32_MIN)
			return (uint32_t)INT32_MIN;
	}
	return (uint32_t)r;
}

/* ------------------------------------------------------------------ *
 * Bits.                                                              *
 * ------------------------------------------------------------------ */

uint32_t conform_bits(uint8_t op, uint32_t x, uint32_t y, int width)
{
	uint64_t mask = (1ull << width) - 1, a = x & mask, r;
	/* The element as a signed number of 64 bits. */
	int64_t extended = (int64_t)(a << (64 - width)) >> (64 - width);
	int n = (int)(y & 31);

	switch (op) {
	case TPB_ALU_BITWISE_NOT: r = ~a; break;
	case TPB_ALU_ARITH_SHL:
	case TPB_ALU_LOGICAL_SHL: r = a << n; break;
	case TPB_ALU_ARITH_SHR: r = (uint64_t)(extended >> n); break;
	case TPB_ALU_LOGICAL_SHR: r = a >> n; break;
	case TPB_ALU_BITWISE_AND: r = a & y; break;
	case TPB_ALU_BITWISE_OR: r = a | y; break;
	case TPB_ALU_BITWISE_XOR: r = a ^ y; break;
	default: r = a; break; /* bypass */
	}
	return (uint32_t)(r & mask);
}
