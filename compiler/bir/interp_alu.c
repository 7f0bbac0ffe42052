/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer arithmetic of the interpreter: the 32-bit and the raw-bit path of
 * the vector engine, and the scalar ALU.  See interp_num.h.
 */
#include "compiler/bir/bir.h"
#include "compiler/bir/interp_num.h"

static __int128 magnitude(__int128 v)
{
	return v < 0 ? -v : v;
}

static bool compare(int op, __int128 a, __int128 b, bool *r)
{
	switch (op) {
	case TPB_BIR_ALU_LOGICAL_AND: *r = a && b; return true;
	case TPB_BIR_ALU_LOGICAL_OR: *r = a || b; return true;
	case TPB_BIR_ALU_LOGICAL_XOR: *r = !a != !b; return true;
	case TPB_BIR_ALU_IS_EQUAL: *r = a == b; return true;
	case TPB_BIR_ALU_NOT_EQUAL: *r = a != b; return true;
	case TPB_BIR_ALU_IS_GT: *r = a > b; return true;
	case TPB_BIR_ALU_IS_GE: *r = a >= b; return true;
	case TPB_BIR_ALU_IS_LT: *r = a < b; return true;
	case TPB_BIR_ALU_IS_LE: *r = a <= b; return true;
	default: return false;
	}
}

bool num_i32(int op, int in, int out, uint32_t ua, uint32_t ub, uint32_t *r)
{
	bool is_signed = in == TPB_BIR_DTYPE_INT32, t;
	__int128 a = is_signed ? (int32_t)ua : (__int128)ua;
	__int128 b = is_signed ? (int32_t)ub : (__int128)ub, v;

	if (compare(op, a, b, &t)) {
		*r = t;
		return true;
	}
	switch (op) {
	case TPB_BIR_ALU_BYPASS: v = a; break;
	case TPB_BIR_ALU_ADD: v = a + b; break;
	case TPB_BIR_ALU_SUBTRACT: v = a - b; break;
	case TPB_BIR_ALU_ELEMWISE_MUL:
	case TPB_BIR_ALU_MULT: v = a * b; break;
	case TPB_BIR_ALU_DIVIDE:
		if (!b) {
			*r = 0xFFFFFFFFu;
			return true;
		}
		v = a / b;
		break;
	case TPB_BIR_ALU_MOD_INT:
	case TPB_BIR_ALU_MOD:
		if (!b) {
			*r = ua;
			return true;
		}
		v = a % b;
		break;
	case TPB_BIR_ALU_MAX: v = a > b ? a : b; break;
	case TPB_BIR_ALU_MIN: v = a < b ? a : b; break;
	case TPB_BIR_ALU_ABS: v = magnitude(a); break;
	case TPB_BIR_ALU_ABS_MAX:
		v = magnitude(a) > magnitude(b) ? magnitude(a) : magnitude(b);
		break;
	case TPB_BIR_ALU_ABS_MIN:
		v = magnitude(a) < magnitude(b) ? magnitude(a) : magnitude(b);
		break;
	default: return false;
	}
	*r = out == TPB_BIR_DTYPE_INT32 ? (uint32_t)num_clamp(out, v)
	                                : (uint32_t)v;
	return true;
}

static uint64_t shift_right(uint64_t a, int width, unsigned n, bool fill)
{
	uint64_t r = n < 64 ? a >> n : 0;
	unsigned k;

	if (fill && a >> (width - 1) & 1)
		for (k = 0; k < n && k < (unsigned)width; k++)
			r |= (uint64_t)1 << ((unsigned)width - 1 - k);
	return r;
}

bool num_bits(int op, int width, uint32_t a, uint32_t b, uint32_t *r)
{
	uint32_t mask = width == 32 ? 0xFFFFFFFFu : (1u << width) - 1;
	unsigned n;
	uint32_t v;

	a &= mask;
	b &= mask;
	n = b & 31;
	switch (op) {
	case TPB_BIR_ALU_BYPASS: v = a; break;
	case TPB_BIR_ALU_BITWISE_NOT: v = ~a; break;
	case TPB_BIR_ALU_BITWISE_AND: v = a & b; break;
	case TPB_BIR_ALU_BITWISE_OR: v = a | b; break;
	case TPB_BIR_ALU_BITWISE_XOR: v = a ^ b; break;
	case TPB_BIR_ALU_ARITH_SHL:
	case TPB_BIR_ALU_LOGICAL_SHL: v = a << n; break;
	case TPB_BIR_ALU_LOGICAL_SHR:
		v = (uint32_t)shift_right(a, width, n, false);
		break;
	case TPB_BIR_ALU_ARITH_SHR:
		v = (uint32_t)shift_right(a, width, n, true);
		break;
	default: return false;
	}
	*r = v & mask;
	return true;
}

/* ------------------------------------------------------------ scalar ALU */

static uint64_t power(__int128 a, __int128 b)
{
	uint64_t base = (uint64_t)a, r = 1;

	if (b < 0)
		return a == 1 ? 1 : a == -1 ? (b & 1 ? ~(uint64_t)0 : 1) : 0;
	for (; b; b >>= 1) {
		if (b & 1)
			r *= base;
		base *= base;
	}
	return r;
}

bool num_alu(int op, int bits, bool is_signed, uint64_t ua, uint64_t ub,
             uint64_t *r)
{
	uint64_t mask = bits == 64 ? ~(uint64_t)0 : 0xFFFFFFFFu, v;
	unsigned n = (unsigned)ub & (unsigned)(bits - 1);
	__int128 a, b;
	bool t;

	ua &= mask;
	ub &= mask;
	a = ua;
	b = ub;
	if (is_signed && ua >> (bits - 1))
		a -= (__int128)mask + 1;
	if (is_signed && ub >> (bits - 1))
		b -= (__int128)mask + 1;
	if (compare(op, a, b, &t)) {
		*r = t;
		return true;
	}
	switch (op) {
	case TPB_BIR_ALU_BYPASS: v = ua; break;
	case TPB_BIR_ALU_BITWISE_NOT: v = ~ua; break;
	case TPB_BIR_ALU_ARITH_SHL:
	case TPB_BIR_ALU_LOGICAL_SHL: v = ua << n; break;
	case TPB_BIR_ALU_ARITH_SHR: v = shift_right(ua, bits, n, true); break;
	case TPB_BIR_ALU_LOGICAL_SHR:
		v = shift_right(ua, bits, n, false);
		break;
	case TPB_BIR_ALU_ADD: v = ua + ub; break;
	case TPB_BIR_ALU_SUBTRACT: v = ua - ub; break;
	case TPB_BIR_ALU_MULT: v = ua * ub; break;
	case TPB_BIR_ALU_DIVIDE: v = ub ? (uint64_t)(a / b) : mask; break;
	case TPB_BIR_ALU_MOD: v = ub ? (uint64_t)(a % b) : ua; break;
	case TPB_BIR_ALU_MAX: v = a > b ? ua : ub; break;
	case TPB_BIR_ALU_MIN: v = a < b ? ua : ub; break;
	case TPB_BIR_ALU_BITWISE_AND: v = ua & ub; break;
	case TPB_BIR_ALU_BITWISE_OR: v = ua | ub; break;
	case TPB_BIR_ALU_BITWISE_XOR: v = ua ^ ub; break;
	case TPB_BIR_ALU_ABS: v = (uint64_t)magnitude(a); break;
	case TPB_BIR_ALU_POW: v = power(a, b); break;
	case TPB_BIR_ALU_RSQRT: v = a == 1 ? 1 : a > 1 ? 0 : mask; break;
	default: return false;
	}
	*r = v & mask;
	return true;
}
