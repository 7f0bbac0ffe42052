/* SPDX-License-Identifier: Apache-2.0
 *
 * Immediates as bit patterns (legalize.h).  Written with integers so that the
 * host's rounding mode and libm have no part in it.
 */
#include "compiler/passes/legalize.h"

#include "compiler/bir/bir.h"

#include <string.h>

/* A float32 pattern in a shorter binary format with Inf and NaN: e exponent
 * bits, f fraction bits; to nearest, ties to even. */
static uint32_t shorten(uint32_t x, int e, int f)
{
	uint32_t sign = (x >> 31) << (e + f);
	int32_t exp = (int32_t)(x >> 23 & 0xFF) - 127;
	uint64_t man = (x & 0x7FFFFF) | (exp > -127 ? 0x800000u : 0);
	uint32_t inf = ((1u << e) - 1) << f;
	int bias = (1 << (e - 1)) - 1;

	/* a NaN keeps its sign in float16 only */
	if ((x & 0x7FFFFFFF) > 0x7F800000)
		return (e == 5 ? sign : 0) | inf | 1u << (f - 1);
	if ((x & 0x7FFFFFFF) == 0x7F800000)
		return sign | inf;
	if (exp == -127)
		exp = -126;
	/* bits dropped: 23 - f, and more below the normal range */
	int drop = 23 - f + (exp < 1 - bias ? 1 - bias - exp : 0);

	if (drop > 40)
		return sign;
	uint64_t keep = man >> drop, rest = man & ((1ull << drop) - 1);
	uint64_t half = 1ull << (drop - 1);

	if (rest > half || (rest == half && (keep & 1)))
		keep++;
	/* a carry runs into the exponent by itself */
	uint64_t out =
	    exp < 1 - bias ? keep : keep + ((uint64_t)(exp + bias - 1) << f);

	return sign | (out >= inf ? inf : (uint32_t)out);
}

static uint32_t float_of_int(int64_t v)
{
	float f = (float)v;
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits;
}

/* Nearest even integer of a float32 pattern, saturated to 40 bits and more
 * than any 32-bit range; a NaN goes by its sign (numerics.md). */
static int64_t int_of_float(uint32_t x)
{
	int exp = (int)(x >> 23 & 0xFF) - 150;
	int64_t man = (x & 0x7FFFFF) | (x >> 23 & 0xFF ? 0x800000 : 0), v;

	if (exp >= 16)
		v = (int64_t)1 << 40;
	else if (exp >= 0)
		v = man << exp;
	else if (exp < -25)
		v = 0;
	else {
		int64_t half = (int64_t)1 << (-exp - 1), mask = (half << 1) - 1;

		v = man >> -exp;
		if ((man & mask) > half || ((man & mask) == half && (v & 1)))
			v++;
	}
	return x >> 31 ? -v : v;
}

static bool clamp(int64_t v, int64_t lo, int64_t hi, uint32_t mask,
                  uint32_t *bits)
{
	*bits = (uint32_t)(v < lo ? lo : v > hi ? hi : v) & mask;
	return true;
}

bool legalize_fill(int from, uint64_t imm, int to, uint32_t *bits)
{
	bool flt = bir_dtype_float(from);
	uint32_t f32 = flt ? (uint32_t)imm : float_of_int((int64_t)imm);
	int64_t v = flt ? int_of_float((uint32_t)imm) : (int64_t)imm;

	*bits = 0;
	switch (to) {
	case TPB_BIR_DTYPE_UINT8: return clamp(v, 0, 0xFF, 0xFF, bits);
	case TPB_BIR_DTYPE_INT8: return clamp(v, -128, 127, 0xFF, bits);
	case TPB_BIR_DTYPE_UINT16: return clamp(v, 0, 0xFFFF, 0xFFFF, bits);
	case TPB_BIR_DTYPE_INT16: return clamp(v, -32768, 32767, 0xFFFF, bits);
	case TPB_BIR_DTYPE_UINT32:
		return clamp(v, 0, UINT32_MAX, UINT32_MAX, bits);
	case TPB_BIR_DTYPE_INT32:
		return clamp(v, INT32_MIN, INT32_MAX, UINT32_MAX, bits);
	case TPB_BIR_DTYPE_BFLOAT16: *bits = shorten(f32, 8, 7); return true;
	case TPB_BIR_DTYPE_FLOAT16: *bits = shorten(f32, 5, 10); return true;
	case TPB_BIR_DTYPE_FLOAT32: *bits = f32; return true;
	case TPB_BIR_DTYPE_FLOAT32R:
		*bits = shorten(f32, 8, 11) << 12;
		return true;
	default: return f32 == 0 && bir_dtype_size(to) <= 4;
	}
}
