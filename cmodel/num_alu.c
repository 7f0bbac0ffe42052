/* SPDX-License-Identifier: Apache-2.0
 *
 * The ALU of the vector ops: fp32, 32-bit integer and bit path.
 *
 * One loop an op.  The fp32 path is the host's arithmetic with every NaN made
 * canonical; mod is exact, by integers.
 *
 * Facts: docs/reference/numerics.md.
 */
#include "cmodel/num.h"

/* ------------------------------------------------------------------ *
 * fp32 mod, floor.                                                   *
 * ------------------------------------------------------------------ */

/* A finite magnitude as integer * 2^(exponent - 150). */
static int num_split(uint32_t mag, uint64_t *integer)
{
	int e = (int)(mag >> 23);

	*integer = (mag & 0x7FFFFF) | (e ? 0x800000 : 0);
	return e ? e : 1;
}

/* The reverse, for an integer below 2^24 whose value is an fp32. */
static uint32_t num_join(uint64_t integer, int e)
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
static uint32_t num_remainder(uint32_t x, uint32_t y)
{
	uint64_t a, b;
	int ea = num_split(x, &a), eb = num_split(y, &b);

	if (ea < eb)
		return x; /* then y has its leading bit, and is the larger */
	a %= b;
	while (ea > eb) {
		/* a < 2^24, so 40 places at a time fit. */
		int k = ea - eb < 40 ? ea - eb : 40;

		a = (a << k) % b;
		ea -= k;
	}
	return num_join(a, eb);
}

static uint32_t num_mod(uint32_t a, uint32_t b)
{
	uint32_t x = a & 0x7FFFFFFF, y = b & 0x7FFFFFFF, r;

	if (x >= 0x7F800000 || y > 0x7F800000 || y == 0)
		return NUM_NAN;
	r = y == 0x7F800000 ? x : num_remainder(x, y);
	if (r == 0)
		return b & 0x80000000;
	r |= a & 0x80000000;
	if ((a ^ b) >> 31 == 0)
		return r;
	return num_bits(num_float(r) + num_float(b));
}

/* ------------------------------------------------------------------ *
 * fp32.                                                              *
 * ------------------------------------------------------------------ */

static inline uint32_t num_canonical(float f)
{
	return f != f ? NUM_NAN : num_bits(f);
}

static inline float num_abs(uint32_t bits)
{
	return num_float(bits & 0x7FFFFFFF);
}

/* out[i] = value, where A and B are the operands as fp32 numbers. */
#define A num_float(a[i])
#define B num_float(b[i])
#define NUM_EACH(value)                     \
	do {                                \
		for (int i = 0; i < n; i++) \
			out[i] = (value);   \
	} while (0)
#define NUM_IF(condition) NUM_EACH((condition) ? NUM_ONE : 0)

static void num_compare(uint8_t op, int n, const uint32_t *restrict a,
                        const uint32_t *restrict b, uint32_t *restrict out)
{
	switch (op) {
	case TPB_ALU_IS_EQUAL: NUM_IF(A == B); break;
	case TPB_ALU_NOT_EQUAL: NUM_IF(A != B); break;
	case TPB_ALU_IS_GT: NUM_IF(A > B); break;
	case TPB_ALU_IS_GE: NUM_IF(A >= B); break;
	case TPB_ALU_IS_LT: NUM_IF(A < B); break;
	case TPB_ALU_IS_LE: NUM_IF(A <= B); break;
	/* A NaN is not 0, and -0 is. */
	case TPB_ALU_LOGICAL_AND:
		NUM_IF((a[i] << 1 != 0) & (b[i] << 1 != 0));
		break;
	case TPB_ALU_LOGICAL_OR:
		NUM_IF((a[i] << 1 != 0) | (b[i] << 1 != 0));
		break;
	case TPB_ALU_LOGICAL_XOR:
		NUM_IF((a[i] << 1 != 0) ^ (b[i] << 1 != 0));
		break;
	default: NUM_EACH(0); break;
	}
}

void num_arith(uint8_t op, int n, const uint32_t *restrict a,
               const uint32_t *restrict b, uint32_t *restrict out)
{
	switch (op) {
	case TPB_ALU_BYPASS: NUM_EACH(a[i]); break;
	case TPB_ALU_ADD: NUM_EACH(num_canonical(A + B)); break;
	case TPB_ALU_SUBTRACT: NUM_EACH(num_canonical(A - B)); break;
	case TPB_ALU_MULT: NUM_EACH(num_canonical(A * B)); break;
	case TPB_ALU_DIVIDE: NUM_EACH(num_canonical(A / B)); break;
	case TPB_ALU_MAX: NUM_EACH(num_canonical(A < B ? B : A)); break;
	case TPB_ALU_MIN: NUM_EACH(num_canonical(B < A ? B : A)); break;
	case TPB_ALU_ABS: NUM_EACH(num_canonical(num_abs(a[i]))); break;
	case TPB_ALU_ABS_MAX:
		NUM_EACH(num_canonical(num_abs(a[i]) < num_abs(b[i])
		                           ? num_abs(b[i])
		                           : num_abs(a[i])));
		break;
	case TPB_ALU_ABS_MIN:
		NUM_EACH(num_canonical(num_abs(b[i]) < num_abs(a[i])
		                           ? num_abs(b[i])
		                           : num_abs(a[i])));
		break;
	case TPB_ALU_RSQRT:
		NUM_EACH(num_canonical(1.0f / __builtin_sqrtf(A)));
		break;
	case TPB_ALU_MOD: NUM_EACH(num_mod(a[i], b[i])); break;
	default: num_compare(op, n, a, b, out); break;
	}
}

void num_greater(int n, const uint32_t *restrict a, const uint32_t *restrict b,
                 uint32_t *restrict out)
{
	NUM_EACH(A > B ? UINT32_MAX : 0);
}

void num_equal(int n, const uint32_t *restrict a, const uint32_t *restrict b,
               uint32_t *restrict out)
{
	NUM_EACH(A == B ? UINT32_MAX : 0);
}

#undef A
#undef B
#undef NUM_IF

/* ------------------------------------------------------------------ *
 * Integers.                                                          *
 * ------------------------------------------------------------------ */

uint8_t num_plain_op(uint8_t op)
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

bool num_is_integer_op(uint8_t op)
{
	switch (num_plain_op(op)) {
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
static inline int64_t num_int(uint32_t v, bool is_signed)
{
	return is_signed ? (int32_t)v : (int64_t)v;
}

/* The word that holds an exact result. */
static inline uint32_t num_store(int64_t r, bool is_signed)
{
	if (!is_signed)
		return (uint32_t)r;
	r = r < INT32_MIN ? INT32_MIN : r;
	return (uint32_t)(r > INT32_MAX ? INT32_MAX : r);
}

/* Both operands unsigned: the product needs all of 64 bits. */
static inline uint32_t num_mult_u32(uint32_t x, uint32_t y, bool clamp)
{
	uint64_t r = (uint64_t)x * y;

	return (uint32_t)(clamp && r > INT32_MAX ? INT32_MAX : r);
}

static inline int64_t num_iabs(int64_t v)
{
	return v < 0 ? -v : v;
}

/* y is 0: the result is stored as it is, whatever the tag. */
static inline uint32_t num_idivide(int64_t x, int64_t y, bool out_signed)
{
	return y == 0 ? UINT32_MAX : num_store(x / y, out_signed);
}

static inline uint32_t num_imod(int64_t x, int64_t y, bool out_signed)
{
	return y == 0 ? (uint32_t)x : num_store(x % y, out_signed);
}

/* Called with constant signs: four sets of loops. */
#define X num_int(a[i], in)
#define Y num_int(b[i], in)
#define NUM_INT(value) NUM_EACH(num_store((value), sat))
static inline __attribute__((always_inline)) void num_integer_as(
    uint8_t op, bool in, bool sat, int n, const uint32_t *restrict a,
    const uint32_t *restrict b, uint32_t *restrict out)
{
	switch (op) {
	case TPB_ALU_BYPASS: NUM_INT(X); break;
	case TPB_ALU_ADD: NUM_INT(X + Y); break;
	case TPB_ALU_SUBTRACT: NUM_INT(X - Y); break;
	case TPB_ALU_MULT:
		if (in)
			NUM_INT(X * Y);
		else
			NUM_EACH(num_mult_u32(a[i], b[i], sat));
		break;
	case TPB_ALU_DIVIDE: NUM_EACH(num_idivide(X, Y, sat)); break;
	case TPB_ALU_MOD: NUM_EACH(num_imod(X, Y, sat)); break;
	case TPB_ALU_MAX: NUM_INT(X < Y ? Y : X); break;
	case TPB_ALU_MIN: NUM_INT(Y < X ? Y : X); break;
	case TPB_ALU_ABS: NUM_INT(num_iabs(X)); break;
	case TPB_ALU_ABS_MAX:
		NUM_INT(num_iabs(X) < num_iabs(Y) ? num_iabs(Y) : num_iabs(X));
		break;
	case TPB_ALU_ABS_MIN:
		NUM_INT(num_iabs(Y) < num_iabs(X) ? num_iabs(Y) : num_iabs(X));
		break;
	case TPB_ALU_LOGICAL_AND: NUM_EACH((a[i] != 0) & (b[i] != 0)); break;
	case TPB_ALU_LOGICAL_OR: NUM_EACH((a[i] != 0) | (b[i] != 0)); break;
	case TPB_ALU_LOGICAL_XOR: NUM_EACH((a[i] != 0) ^ (b[i] != 0)); break;
	case TPB_ALU_IS_EQUAL: NUM_EACH(a[i] == b[i]); break;
	case TPB_ALU_NOT_EQUAL: NUM_EACH(a[i] != b[i]); break;
	case TPB_ALU_IS_GT: NUM_EACH(X > Y); break;
	case TPB_ALU_IS_GE: NUM_EACH(X >= Y); break;
	case TPB_ALU_IS_LT: NUM_EACH(X < Y); break;
	case TPB_ALU_IS_LE: NUM_EACH(X <= Y); break;
	default: NUM_EACH(0); break;
	}
}
#undef X
#undef Y
#undef NUM_INT

void num_integer(uint8_t op, bool in_signed, bool out_signed, int n,
                 const uint32_t *restrict a, const uint32_t *restrict b,
                 uint32_t *restrict out)
{
	op = num_plain_op(op);
	if (in_signed && out_signed)
		num_integer_as(op, true, true, n, a, b, out);
	else if (in_signed)
		num_integer_as(op, true, false, n, a, b, out);
	else if (out_signed)
		num_integer_as(op, false, true, n, a, b, out);
	else
		num_integer_as(op, false, false, n, a, b, out);
}

uint64_t num_zeros(int n, const uint32_t *b)
{
	uint64_t mask = 0;

	for (int i = 0; i < n; i++)
		mask |= (uint64_t)(b[i] == 0) << i;
	return mask;
}

/* ------------------------------------------------------------------ *
 * Bits.                                                              *
 * ------------------------------------------------------------------ */

bool num_is_bitvec_op(uint8_t op)
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

void num_bitvec(uint8_t op, int w, int n, const uint32_t *restrict a,
                const uint32_t *restrict b, uint32_t *restrict out)
{
	uint32_t mask = w >= 32 ? UINT32_MAX : (1u << w) - 1;
	int up = 32 - w;

	switch (op) {
	case TPB_ALU_BYPASS: NUM_EACH(a[i] & mask); break;
	case TPB_ALU_BITWISE_NOT: NUM_EACH(~a[i] & mask); break;
	case TPB_ALU_BITWISE_AND: NUM_EACH(a[i] & b[i] & mask); break;
	case TPB_ALU_BITWISE_OR: NUM_EACH((a[i] | b[i]) & mask); break;
	case TPB_ALU_BITWISE_XOR: NUM_EACH((a[i] ^ b[i]) & mask); break;
	case TPB_ALU_ARITH_SHL:
	case TPB_ALU_LOGICAL_SHL: NUM_EACH(a[i] << (b[i] & 31) & mask); break;
	case TPB_ALU_LOGICAL_SHR: NUM_EACH((a[i] & mask) >> (b[i] & 31)); break;
	case TPB_ALU_ARITH_SHR:
		NUM_EACH(
		    (uint32_t)((int32_t)(a[i] << up) >> up >> (b[i] & 31)) &
		    mask);
		break;
	default: NUM_EACH(0); break;
	}
}
