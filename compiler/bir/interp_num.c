/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of the interpreter, see interp_num.h.  Built with
 * -ffp-contract=off: each operation rounds once.  docs/reference/numerics.md
 * is the text; no function of libm is used.
 */
#include "compiler/bir/interp_num.h"

#include "compiler/bir/bir.h"

#include <string.h>

#define SIGN 0x80000000u
#define INF 0x7F800000u
#define ONE 0x3F800000u

static float f_of(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof f);
	return f;
}

static uint32_t u_of(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof u);
	return u;
}

bool num_is_nan(uint32_t a)
{
	return (a & ~SIGN) > INF;
}

static uint32_t canon(uint32_t a)
{
	return num_is_nan(a) ? NUM_NAN : a;
}

/* |a| = *m * 2^*q, a finite. */
static void split(uint32_t a, uint32_t *m, int *q)
{
	int e = (int)(a >> 23 & 0xFF);

	*m = a & 0x7FFFFF;
	if (e)
		*m |= 0x800000;
	*q = (e ? e : 1) - 150;
}

static int top_bit(uint64_t m)
{
	return 63 - __builtin_clzll(m);
}

/* m * 2^q for a value that fp32 holds exactly. */
static uint32_t join(uint32_t sign, uint64_t m, int q)
{
	if (!m)
		return sign;
	while (m >= 0x1000000) {
		m >>= 1;
		q++;
	}
	while (m < 0x800000 && q > -149) {
		m <<= 1;
		q--;
	}
	if (m < 0x800000)
		return sign | (uint32_t)m;
	return sign | (uint32_t)(q + 150) << 23 | ((uint32_t)m & 0x7FFFFF);
}

/* m / 2^shift to the nearest integer, ties to even. */
static uint64_t round_shift(uint64_t m, int shift)
{
	uint64_t half, rest, r;

	if (shift <= 0)
		return m << -shift;
	if (shift > 62)
		return 0;
	r = m >> shift;
	rest = m & (((uint64_t)1 << shift) - 1);
	half = (uint64_t)1 << (shift - 1);
	return r + (rest > half || (rest == half && (r & 1)));
}

/* ------------------------------------------------------------ formats */

struct format {
	int dtype;
	int bits, frac, bias;
	uint32_t max, over, nan; /* codes without sign */
	bool inf;                /* exponent of all ones: Inf and NaN */
	bool fp8;
};

static const struct format formats[] = {
    {TPB_BIR_DTYPE_BFLOAT16, 16, 7, 127, 0x7F7F, 0x7F80, 0x7FC0, true, false},
    {TPB_BIR_DTYPE_FLOAT16, 16, 10, 15, 0x7BFF, 0x7C00, 0x7E00, true, false},
    {TPB_BIR_DTYPE_FLOAT32R, 20, 11, 127, 0x7F7FF, 0x7F800, 0x7FC00, true,
     false},
    {TPB_BIR_DTYPE_FP8E3, 8, 4, 3, 0x6F, 0x70, 0x78, true, true},
    {TPB_BIR_DTYPE_FP8E4, 8, 3, 7, 0x77, 0x78, 0x7C, true, true},
    {TPB_BIR_DTYPE_FP8E4FN, 8, 3, 7, 0x7E, 0x7F, 0x7F, false, true},
    {TPB_BIR_DTYPE_FP8E5, 8, 2, 15, 0x7B, 0x7C, 0x7E, true, true},
};

static const struct format *format_of(int dtype)
{
	size_t k;

	for (k = 0; k < sizeof formats / sizeof formats[0]; k++)
		if (formats[k].dtype == dtype)
			return &formats[k];
	return NULL;
}

static uint32_t widen_format(const struct format *f, uint32_t code)
{
	uint32_t sign = code >> (f->bits - 1) & 1 ? SIGN : 0;
	uint32_t mag = code & ((1u << (f->bits - 1)) - 1);
	uint32_t frac = mag & ((1u << f->frac) - 1);
	int e = (int)(mag >> f->frac);
	int ones = (1 << (f->bits - 1 - f->frac)) - 1;

	if (f->inf && e == ones)
		return frac ? NUM_NAN : sign | INF;
	if (!f->inf && mag == f->nan)
		return NUM_NAN;
	if (e)
		frac |= 1u << f->frac;
	return join(sign, frac, (e ? e : 1) - f->bias - f->frac);
}

static uint32_t narrow_format(const struct num_config *c,
                              const struct format *f, uint32_t x)
{
	uint32_t sign = x & SIGN ? 1u << (f->bits - 1) : 0, m;
	uint32_t nan = f->nan, over;
	int64_t code;
	int q, e, emin = 1 - f->bias;

	if (f->dtype == TPB_BIR_DTYPE_FLOAT16)
		nan |= sign;
	if (f->fp8 && c->fp8_nan_suppress)
		nan = sign;
	over = sign | f->over;
	if (f->fp8 && c->fp8_saturate)
		over = sign | f->max;
	else if (f->over == f->nan)
		over = nan;
	if (num_is_nan(x))
		return nan;
	if ((x & ~SIGN) == INF)
		return over;
	split(x, &m, &q);
	if (!m)
		return sign;
	e = top_bit(m) + q;
	if (e < emin)
		e = emin;
	/* steps of the grid in this binade, on top of those below it */
	code = (int64_t)round_shift(m, e - f->frac - q) +
	       (int64_t)(e - emin) * (1 << f->frac);
	return code > (int64_t)f->max ? over : sign | (uint32_t)code;
}

uint32_t num_from_int(int64_t v)
{
	return u_of((float)v);
}

uint32_t num_widen(int dtype, uint64_t b)
{
	const struct format *f;

	switch (dtype) {
	case TPB_BIR_DTYPE_FLOAT32:
	case TPB_BIR_DTYPE_FLOAT32R: return (uint32_t)b;
	case TPB_BIR_DTYPE_BFLOAT16: return (uint32_t)(b & 0xFFFF) << 16;
	case TPB_BIR_DTYPE_FP8E8:
	case TPB_BIR_DTYPE_UINT8: return num_from_int((uint8_t)b);
	case TPB_BIR_DTYPE_INT8: return num_from_int((int8_t)b);
	case TPB_BIR_DTYPE_UINT16: return num_from_int((uint16_t)b);
	case TPB_BIR_DTYPE_INT16: return num_from_int((int16_t)b);
	case TPB_BIR_DTYPE_UINT32: return num_from_int((uint32_t)b);
	case TPB_BIR_DTYPE_INT32: return num_from_int((int32_t)b);
	case TPB_BIR_DTYPE_INT64: return num_from_int((int64_t)b);
	case TPB_BIR_DTYPE_UINT64: return u_of((float)b);
	default:
		f = format_of(dtype);
		return f ? widen_format(f, (uint32_t)b) : NUM_NAN;
	}
}

static void limits(int dtype, __int128 *lo, __int128 *hi)
{
	int size = bir_dtype_size(dtype) * 8;
	bool is_signed = bir_dtype_signed(dtype);

	*lo = is_signed ? -((__int128)1 << (size - 1)) : 0;
	*hi = ((__int128)1 << (is_signed ? size - 1 : size)) - 1;
}

uint64_t num_clamp(int dtype, __int128 v)
{
	__int128 lo, hi;

	limits(dtype, &lo, &hi);
	return (uint64_t)(v < lo ? lo : v > hi ? hi : v);
}

static uint64_t narrow_int(int dtype, uint32_t x)
{
	__int128 lo, hi, v;
	uint32_t m;
	int q;

	limits(dtype, &lo, &hi);
	if (num_is_nan(x))
		return (uint64_t)(x & SIGN ? lo : hi);
	if ((x & ~SIGN) >= (uint32_t)(127 + 70) << 23)
		return (uint64_t)(x & SIGN ? lo : hi);
	split(x, &m, &q);
	v = q >= 0 ? (__int128)m << q : (__int128)round_shift(m, -q);
	return num_clamp(dtype, x & SIGN ? -v : v);
}

uint64_t num_narrow(const struct num_config *c, int dtype, uint32_t x)
{
	const struct format *f;

	if (dtype == TPB_BIR_DTYPE_FLOAT32)
		return x;
	f = format_of(dtype);
	if (!f)
		return narrow_int(dtype, x);
	if (dtype == TPB_BIR_DTYPE_FLOAT32R)
		return (uint64_t)narrow_format(c, f, x) << 12;
	return narrow_format(c, f, x);
}

/* ------------------------------------------------------------ fp32 */

bool num_eq(uint32_t a, uint32_t b)
{
	return f_of(a) == f_of(b);
}

bool num_gt(uint32_t a, uint32_t b)
{
	return f_of(a) > f_of(b);
}

uint32_t num_neg(uint32_t a)
{
	return canon(a ^ SIGN);
}

uint32_t num_recip(uint32_t a)
{
	return canon(u_of(1.0f / f_of(a)));
}

/* Remainder of |a| by |b|, both finite, b not 0: exact, by shifting. */
static uint32_t remainder_of(uint32_t a, uint32_t b)
{
	uint32_t ma, mb;
	uint64_t r;
	int qa, qb;

	split(a, &ma, &qa);
	split(b, &mb, &qb);
	if (qa < qb) {
		/* b in units of a's last place; past 2^24 it exceeds a */
		if (qb - qa >= 32)
			return join(0, ma, qa);
		return join(0, ma % ((uint64_t)mb << (qb - qa)), qa);
	}
	for (r = ma % mb; qa > qb; qa--)
		r = 2 * r % mb;
	return join(0, r, qb);
}

static uint32_t floor_mod(uint32_t a, uint32_t b)
{
	uint32_t r;

	if (num_is_nan(a) || num_is_nan(b) || (a & ~SIGN) == INF ||
	    !(b & ~SIGN))
		return NUM_NAN;
	r = (b & ~SIGN) == INF ? a & ~SIGN : remainder_of(a, b);
	if (!r)
		return b & SIGN;
	r |= a & SIGN;
	if (((r ^ b) & SIGN) == 0)
		return r;
	return canon(u_of(f_of(r) + f_of(b)));
}

static uint32_t truth(bool x)
{
	return x ? ONE : 0;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return f_of(a) < f_of(b) ? b : a;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return f_of(b) < f_of(a) ? b : a;
}

bool num_f32(int op, uint32_t a, uint32_t b, uint32_t *r)
{
	float x = f_of(a), y = f_of(b);
	uint32_t u;

	switch (op) {
	case TPB_BIR_ALU_BYPASS: *r = a; return true;
	case TPB_BIR_ALU_ADD: u = u_of(x + y); break;
	case TPB_BIR_ALU_SUBTRACT: u = u_of(x - y); break;
	case TPB_BIR_ALU_ELEMWISE_MUL:
	case TPB_BIR_ALU_MULT: u = u_of(x * y); break;
	case TPB_BIR_ALU_DIVIDE: u = u_of(x / y); break;
	case TPB_BIR_ALU_MAX: u = larger(a, b); break;
	case TPB_BIR_ALU_MIN: u = smaller(a, b); break;
	case TPB_BIR_ALU_LOGICAL_AND: u = truth(x != 0 && y != 0); break;
	case TPB_BIR_ALU_LOGICAL_OR: u = truth(x != 0 || y != 0); break;
	case TPB_BIR_ALU_LOGICAL_XOR: u = truth((x != 0) != (y != 0)); break;
	case TPB_BIR_ALU_IS_EQUAL: u = truth(x == y); break;
	case TPB_BIR_ALU_NOT_EQUAL: u = truth(x != y); break;
	case TPB_BIR_ALU_IS_GT: u = truth(x > y); break;
	case TPB_BIR_ALU_IS_GE: u = truth(x >= y); break;
	case TPB_BIR_ALU_IS_LT: u = truth(x < y); break;
	case TPB_BIR_ALU_IS_LE: u = truth(x <= y); break;
	case TPB_BIR_ALU_MOD: u = floor_mod(a, b); break;
	case TPB_BIR_ALU_RSQRT: u = u_of(1.0f / __builtin_sqrtf(x)); break;
	case TPB_BIR_ALU_ABS: u = a & ~SIGN; break;
	case TPB_BIR_ALU_ABS_MAX: u = larger(a & ~SIGN, b & ~SIGN); break;
	case TPB_BIR_ALU_ABS_MIN: u = smaller(a & ~SIGN, b & ~SIGN); break;
	default: return false; /* pow among them: not built */
	}
	*r = canon(u);
	return true;
}
