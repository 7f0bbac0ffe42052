/* SPDX-License-Identifier: Apache-2.0
 *
 * The ALU of the vector ops: fp32, 32-bit integer and bit path.
 *
 * One loop an op.  The fp32 path is the host's arithmetic with every NaN made
 * canonical; mod is exact, by integers.
 *
 * Facts: docs/reference/numerics.md.
 */
#include "cmodel/vnum.h"

/* ------------------------------------------------------------------ *
 * fp32 mod, floor.                                                   *
 * ------------------------------------------------------------------ */

/* A finite magnitude as integer * 2^(exponent - 150). */
static int vnum_split(uint32_t mag, uint64_t *integer)
{
	int e = (int)(mag >> 23);

	*integer = (mag & 0x7FFFFF) | (e ? 0x800000 : 0);
	return e ? e : 1;
}

/* The reverse, for an integer below 2^24 whose value is an fp32. */
static uint32_t vnum_join(uint64_t integer, int e)
{
	if (integer == 0)
		return 0;
	while (integer < 0x800000 && e > 1) {
		integer <<= 1;
		e--;
	}
	return integer < 0x800000
	           ? (uint32_t)integer
	           : (uint32_t)e << 23 | ((uint32_t)integer & 0x7FFFFF);
}

/* Exact remainder of two magnitudes, both finite, y not 0. */
static uint32_t vnum_remainder(uint32_t x, uint32_t y)
{
	uint64_t a, b;
	int ea = vnum_split(x, &a), eb = vnum_split(y, &b);

	if (ea < eb)
		return x; /* then y has its leading bit, and is the larger */
	a %= b;
	while (ea > eb) {
		/* a < 2^24, so 40 places at a time fit. */
		int k = ea - eb < 40 ? ea - eb : 40;

		a = (a << k) % b;
		ea -= k;
	}
	return vnum_join(a, eb);
}

static uint32_t vnum_mod(uint32_t a, uint32_t b)
{
	uint32_t x = a & 0x7FFFFFFF, y = b & 0x7FFFFFFF, r;

	if (x >= 0x7F800000 || y > 0x7F800000 || y == 0)
		return VNUM_NAN;
	r = y == 0x7F800000 ? x : vnum_remainder(x, y);
	if (r == 0)
		return b & 0x80000000;
	r |= a & 0x80000000;
	if ((a ^ b) >> 31 == 0)
		return r;
	return vnum_bits(vnum_float(r) + vnum_float(b));
}

/* ------------------------------------------------------------------ *
 * fp32.                                                              *
 * ------------------------------------------------------------------ */

static inline uint32_t vnum_canonical(float f)
{
	return f != f ? VNUM_NAN : vnum_bits(f);
}

static inline float vnum_abs(uint32_t bits)
{
	return vnum_float(bits & 0x7FFFFFFF);
}

/* out[i] = value, where A and B are the operands as fp32 numbers. */
#define A vnum_float(a[i])
#define B vnum_float(b[i])
#define VNUM_EACH(value)                    \
	do {                                \
		for (int i = 0; i < n; i++) \
			out[i] = (value);   \
	} while (0)
#define VNUM_IF(condition) VNUM_EACH((condition) ? VNUM_ONE : 0)

static void vnum_compare(uint8_t op, int n, const uint32_t *restrict a,
                         const uint32_t *restrict b, uint32_t *restrict out)
{
	switch (op) {
	case TPB_ALU_IS_EQUAL: VNUM_IF(A == B); break;
	case TPB_ALU_NOT_EQUAL: VNUM_IF(A != B); break;
	case TPB_ALU_IS_GT: VNUM_IF(A > B); break;
	case TPB_ALU_IS_GE: VNUM_IF(A >= B); break;
	case TPB_ALU_IS_LT: VNUM_IF(A < B); break;
	case TPB_ALU_IS_LE: VNUM_IF(A <= B); break;
	/* A NaN is not 0, and -0 is. */
	case TPB_ALU_LOGICAL_AND:
		VNUM_IF((a[i] << 1 != 0) & (b[i] << 1 != 0));
		break;
	case TPB_ALU_LOGICAL_OR:
		VNUM_IF((a[i] << 1 != 0) | (b[i] << 1 != 0));
		break;
	case TPB_ALU_LOGICAL_XOR:
		VNUM_IF((a[i] << 1 != 0) ^ (b[i] << 1 != 0));
		break;
	default: VNUM_EACH(0); break;
	}
}

void vnum_arith(uint8_t op, int n, const uint32_t *restrict a,
                const uint32_t *restrict b, uint32_t *restrict out)
{
	switch (op) {
	case TPB_ALU_BYPASS: VNUM_EACH(a[i]); break;
	case TPB_ALU_ADD: VNUM_EACH(vnum_canonical(A + B)); break;
	case TPB_ALU_SUBTRACT: VNUM_EACH(vnum_canonical(A - B)); break;
	case TPB_ALU_MULT: VNUM_EACH(vnum_canonical(A * B)); break;
	case TPB_ALU_DIVIDE: VNUM_EACH(vnum_canonical(A / B)); break;
	case TPB_ALU_MAX: VNUM_EACH(vnum_canonical(A < B ? B : A)); break;
	case TPB_ALU_MIN: VNUM_EACH(vnum_canonical(B < A ? B : A)); break;
	case TPB_ALU_ABS: VNUM_EACH(vnum_canonical(vnum_abs(a[i]))); break;
	case TPB_ALU_ABS_MAX:
		VNUM_EACH(vnum_canonical(vnum_abs(a[i]) < vnum_abs(b[i])
		                             ? vnum_abs(b[i])
		                             : vnum_abs(a[i])));
		break;
	case TPB_ALU_ABS_MIN:
		VNUM_EACH(vnum_canonical(vnum_abs(b[i]) < vnum_abs(a[i])
		                             ? vnum_abs(b[i])
		                             : vnum_abs(a[i])));
		break;
	case TPB_ALU_RSQRT:
		VNUM_EACH(vnum_canonical(1.0f / __builtin_sqrtf(A)));
		break;
	case TPB_ALU_MOD: VNUM_EACH(vnum_mod(a[i], b[i])); break;
	default: vnum_compare(op, n, a, b, out); break;
	}
}

void vnum_greater(int n, const uint32_t *restrict a, const uint32_t *restrict b,
                  uint32_t *restrict out)
{
	VNUM_EACH(A > B ? UINT32_MAX : 0);
}

void vnum_equal(int n, const uint32_t *restrict a, const uint32_t *restrict b,
                uint32_t *restrict out)
{
	VNUM_EACH(A == B ? UINT32_MAX : 0);
}

#undef A
#undef B
#undef VNUM_IF

/* ------------------------------------------------------------------ *
 * Integers.                                                          *
 * ------------------------------------------------------------------ */

uint8_t vnum_plain_op(uint8_t op)
{
	switch (op) {
	case TPB_ALU_ADD_INT: return TPB_ALU_ADD;
	case TPB_ALU_MULT_INT: return TPB_ALU_MULT;
	case TPB_ALU_SUBTRACT_INT: return TPB_ALU_SUBTRACT;
	case TPB_ALU_DIVIDE_INT: return TPB_ALU_DIVIDE;
	case TPB_ALU_MOD_INT: return TPB_ALU_MOD;
	default: return op;
	}
}

bool vnum_is_integer_op(uint8_t op)
{
	switch (vnum_plain_op(op)) {
	case TPB_ALU_BYPASS:
	case TPB_ALU_ADD:
	case TPB_ALU_SUBTRACT:
	case TPB_ALU_MULT:
	case TPB_ALU_DIVIDE:
	case TPB_ALU_MAX:
	case TPB_ALU_MIN:
	case TPB_ALU_LOGICAL_AND:
	case TPB_ALU_LOGICAL_OR:
	case TPB_ALU_LOGICAL_XOR:
	case TPB_ALU_IS_EQUAL:
	case TPB_ALU_NOT_EQUAL:
	case TPB_ALU_IS_GT:
	case TPB_ALU_IS_GE:
	case TPB_ALU_IS_LT:
	case TPB_ALU_IS_LE:
	case TPB_ALU_ABS:
	case TPB_ALU_MOD:
	case TPB_ALU_ABS_MAX:
	case TPB_ALU_ABS_MIN: return true;
	default: return false;
	}
}

/* The value of an operand. */
static inline int64_t vnum_int(uint32_t v, bool is_signed)
{
	return is_signed ? (int32_t)v : (int64_t)v;
}

/* The word that holds an exact result. */
static inline uint32_t vnum_store(int64_t r, bool is_signed)
{
	if (!is_signed)
		return (uint32_t)r;
	r = r < INT32_MIN ? INT32_MIN : r;
	return (uint32_t)(r > INT32_MAX ? INT32_MAX : r);
}

/* Both operands unsigned: the product needs all of 64 bits. */
static inline uint32_t vnum_mult_u32(uint32_t x, uint32_t y, bool clamp)
{
	uint64_t r = (uint64_t)x * y;

	return (uint32_t)(clamp && r > INT32_MAX ? INT32_MAX : r);
}

static inline int64_t vnum_iabs(int64_t v)
{
	return v < 0 ? -v : v;
}

/* y is 0: the result is stored as it is, whatever the tag. */
static inline uint32_t vnum_idivide(int64_t x, int64_t y, bool out_signed)
{
	return y == 0 ? UINT32_MAX : vnum_store(x / y, out_signed);
}

static inline uint32_t vnum_imod(int64_t x, int64_t y, bool out_signed)
{
	return y == 0 ? (uint32_t)x : vnum_store(x % y, out_signed);
}

/* Called with constant signs: four sets of loops. */
#define X vnum_int(a[i], in)
#define Y vnum_int(b[i], in)
#define VNUM_INT(value) VNUM_EACH(vnum_store((value), sat))
static inline __attribute__((always_inline)) void vnum_integer_as(
    uint8_t op, bool in, bool sat, int n, const uint32_t *restrict a,
    const uint32_t *restrict b, uint32_t *restrict out)
{
	switch (op) {
	case TPB_ALU_BYPASS: VNUM_INT(X); break;
	case TPB_ALU_ADD: VNUM_INT(X + Y); break;
	case TPB_ALU_SUBTRACT: VNUM_INT(X - Y); break;
	case TPB_ALU_MULT:
		if (in)
			VNUM_INT(X * Y);
		else
			VNUM_EACH(vnum_mult_u32(a[i], b[i], sat));
		break;
	case TPB_ALU_DIVIDE: VNUM_EACH(vnum_idivide(X, Y, sat)); break;
	case TPB_ALU_MOD: VNUM_EACH(vnum_imod(X, Y, sat)); break;
	case TPB_ALU_MAX: VNUM_INT(X < Y ? Y : X); break;
	case TPB_ALU_MIN: VNUM_INT(Y < X ? Y : X); break;
	case TPB_ALU_ABS: VNUM_INT(vnum_iabs(X)); break;
	case TPB_ALU_ABS_MAX:
		VNUM_INT(vnum_iabs(X) < vnum_iabs(Y) ? vnum_iabs(Y)
		                                     : vnum_iabs(X));
		break;
	case TPB_ALU_ABS_MIN:
		VNUM_INT(vnum_iabs(Y) < vnum_iabs(X) ? vnum_iabs(Y)
		                                     : vnum_iabs(X));
		break;
	case TPB_ALU_LOGICAL_AND: VNUM_EACH((a[i] != 0) & (b[i] != 0)); break;
	case TPB_ALU_LOGICAL_OR: VNUM_EACH((a[i] != 0) | (b[i] != 0)); break;
	case TPB_ALU_LOGICAL_XOR: VNUM_EACH((a[i] != 0) ^ (b[i] != 0)); break;
	case TPB_ALU_IS_EQUAL: VNUM_EACH(a[i] == b[i]); break;
	case TPB_ALU_NOT_EQUAL: VNUM_EACH(a[i] != b[i]); break;
	case TPB_ALU_IS_GT: VNUM_EACH(X > Y); break;
	case TPB_ALU_IS_GE: VNUM_EACH(X >= Y); break;
	case TPB_ALU_IS_LT: VNUM_EACH(X < Y); break;
	case TPB_ALU_IS_LE: VNUM_EACH(X <= Y); break;
	default: VNUM_EACH(0); break;
	}
}
#undef X
#undef Y
#undef VNUM_INT

void vnum_integer(uint8_t op, bool in_signed, bool out_signed, int n,
                  const uint32_t *restrict a, const uint32_t *restrict b,
                  uint32_t *restrict out)
{
	op = vnum_plain_op(op);
	if (in_signed && out_signed)
		vnum_integer_as(op, true, true, n, a, b, out);
	else if (in_signed)
		vnum_integer_as(op, true, false, n, a, b, out);
	else if (out_signed)
		vnum_integer_as(op, false, true, n, a, b, out);
	else
		vnum_integer_as(op, false, false, n, a, b, out);
}

uint64_t vnum_zeros(int n, const uint32_t *b)
{
	uint64_t mask = 0;

	for (int i = 0; i < n; i++)
		mask |= (uint64_t)(b[i] == 0) << i;
	return mask;
}

/* ------------------------------------------------------------------ *
 * Bits.                                                              *
 * ------------------------------------------------------------------ */

bool vnum_is_bitvec_op(uint8_t op)
{
	switch (op) {
	case TPB_ALU_BITWISE_NOT:
	case TPB_ALU_ARITH_SHL:
	case TPB_ALU_ARITH_SHR:
	case TPB_ALU_BITWISE_AND:
	case TPB_ALU_BITWISE_OR:
	case TPB_ALU_BITWISE_XOR:
	case TPB_ALU_LOGICAL_SHL:
	case TPB_ALU_LOGICAL_SHR: return true;
	default: return false;
	}
}

void vnum_bitvec(uint8_t op, int w, int n, const uint32_t *restrict a,
                 const uint32_t *restrict b, uint32_t *restrict out)
{
	uint32_t mask = w >= 32 ? UINT32_MAX : (1u << w) - 1;
	int up = 32 - w;

	switch (op) {
	case TPB_ALU_BYPASS: VNUM_EACH(a[i] & mask); break;
	case TPB_ALU_BITWISE_NOT: VNUM_EACH(~a[i] & mask); break;
	case TPB_ALU_BITWISE_AND: VNUM_EACH(a[i] & b[i] & mask); break;
	case TPB_ALU_BITWISE_OR: VNUM_EACH((a[i] | b[i]) & mask); break;
	case TPB_ALU_BITWISE_XOR: VNUM_EACH((a[i] ^ b[i]) & mask); break;
	case TPB_ALU_ARITH_SHL:
	case TPB_ALU_LOGICAL_SHL: VNUM_EACH(a[i] << (b[i] & 31) & mask); break;
	case TPB_ALU_LOGICAL_SHR:
		VNUM_EACH((a[i] & mask) >> (b[i] & 31));
		break;
	case TPB_ALU_ARITH_SHR:
		VNUM_EACH(
		    (uint32_t)((int32_t)(a[i] << up) >> up >> (b[i] & 31)) &
		    mask);
		break;
	default: VNUM_EACH(0); break;
	}
}
