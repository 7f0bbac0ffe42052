/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of the vector ops against other statements of it.
 *
 * Oracles: double arithmetic rounded once for add, subtract, mult, divide and
 * square root (a double is wide enough that the second rounding cannot hurt),
 * fmodf() for the remainder, whole numbers of 128 bits for the integer path,
 * single bits for the bit path, and for each narrow float format the nearest
 * value among all its codes, which are decoded by ldexp().  The arrays have an
 * odd length, so that vectorised loops and their tails are both seen.
 *
 * Run alone: test_vnum.  TPB_VNUM_PAIRS=n sets the random pairs of an op
 * (default 200000).
 */
#include "cmodel/vnum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define BATCH 37

__extension__ typedef __int128 wide;

static uint64_t rng = 0x9E3779B97F4A7C15;

static uint32_t draw(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 32);
}

static int pairs(void)
{
	const char *s = getenv("TPB_VNUM_PAIRS");

	return s ? atoi(s) : 200000;
}

static const uint32_t specials[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF,
    0x00800000, 0x80800000, 0x00800001, 0x3F7FFFFF, 0x3F800000, 0xBF800000,
    0x3F800001, 0x3F000000, 0xBF000000, 0x40000000, 0x40400000, 0xC0400000,
    0x4B000000, 0x4B7FFFFF, 0x4B800000, 0x4EFFFFFF, 0x4F000000, 0xCF000000,
    0xCF000001, 0x4F7FFFFF, 0x4F800000, 0x5F000000, 0x7F000000, 0x7F7FFFFF,
    0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F800001,
    0xFF812345, 0x42280000, 0x20000000, 0xA0000000, 0x00000003, 0x3EAAAAAB};
#define NSPECIALS ((int)(sizeof(specials) / sizeof(*specials)))

/* An operand: a special, any bits, or one near `other`. */
static uint32_t operand(uint32_t other)
{
	switch (draw() & 7) {
	case 0: return specials[draw() % NSPECIALS];
	case 1: return other + (draw() & 7) - 3;
	case 2: return (other ^ (draw() & 0x80000000)) + (draw() << 21);
	case 3: return (draw() & 0x807FFFFF) | 0x3F000000;
	default: return draw();
	}
}

static uint32_t canonical(double d)
{
	return isnan(d) ? VNUM_NAN : vnum_bits((float)d);
}

/* ------------------------------------------------------------------ *
 * fp32.                                                              *
 * ------------------------------------------------------------------ */

/* The left operand unless the right one is beyond it. */
static uint32_t extreme(double a, double b, bool larger)
{
	bool right = larger ? a < b : b < a;

	return canonical(right ? b : a);
}

static uint32_t floor_mod(uint32_t x, uint32_t y)
{
	float a = vnum_float(x), b = vnum_float(y), r = fmodf(a, b);

	if (isnan(r))
		return VNUM_NAN;
	if (r == 0)
		return vnum_bits(copysignf(0.0f, b));
	return vnum_bits(!signbit(r) == !signbit(b) ? r : r + b);
}

static uint32_t truth(bool b)
{
	return b ? 0x3F800000 : 0;
}

static uint32_t arith(uint8_t op, uint32_t x, uint32_t y)
{
	double a = (double)vnum_float(x), b = (double)vnum_float(y);

	switch (op) {
	case 0x00: return x;
	case 0x04: return canonical(a + b);
	case 0x05: return canonical(a - b);
	case 0x06: return canonical(a * b);
	case 0x07: return canonical(a / b);
	case 0x08: return extreme(a, b, true);
	case 0x09: return extreme(a, b, false);
	case 0x0D: return truth(a != 0 && b != 0);
	case 0x0E: return truth(a != 0 || b != 0);
	case 0x0F: return truth((a != 0) != (b != 0));
	case 0x12: return truth(a == b);
	case 0x13: return truth(a > b);
	case 0x14: return truth(a >= b);
	case 0x15: return truth(a <= b);
	case 0x16: return truth(a < b);
	case 0x18: return truth(!(a == b));
	case 0x19: return canonical(fabs(a));
	case 0x1B: return floor_mod(x, y);
	case 0x1D: return canonical(1.0 / (double)(float)sqrt(a));
	case 0x20: return extreme(fabs(a), fabs(b), true);
	case 0x21: return extreme(fabs(a), fabs(b), false);
	default: return 0;
	}
}

static const uint8_t arith_ops[] = {0x00, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09,
                                    0x0D, 0x0E, 0x0F, 0x12, 0x13, 0x14, 0x15,
                                    0x16, 0x18, 0x19, 0x1B, 0x1D, 0x20, 0x21};

static void arith_batch(uint8_t op, const uint32_t *a, const uint32_t *b)
{
	uint32_t out[BATCH];

	vnum_arith(op, BATCH, a, b, out);
	for (int i = 0; i < BATCH; i++) {
		uint32_t want = arith(op, a[i], b[i]);

		if (out[i] != want)
			fail_msg("op %02X a %08X b %08X: %08X, expected %08X",
			         op, a[i], b[i], out[i], want);
	}
}

static void fp32_ops(void **state)
{
	uint32_t a[BATCH], b[BATCH];

	(void)state;
	for (size_t o = 0; o < sizeof(arith_ops); o++) {
		for (int k = 0; k < NSPECIALS * NSPECIALS; k += BATCH) {
			for (int i = 0; i < BATCH; i++) {
				a[i] =
				    specials[(k + i) / NSPECIALS % NSPECIALS];
				b[i] = specials[(k + i) % NSPECIALS];
			}
			arith_batch(arith_ops[o], a, b);
		}
		for (int k = 0; k < pairs(); k += BATCH) {
			for (int i = 0; i < BATCH; i++) {
				a[i] = operand(draw());
				b[i] = operand(a[i]);
			}
			arith_batch(arith_ops[o], a, b);
		}
	}
}

/* Values that the text of the numbers states. */
static void fp32_stated(void **state)
{
	static const uint32_t v[][4] = {
	    {0x08, 0x7FC00001, 0x3F800000, 0x7FC00000}, /* max(NaN, 1) */
	    {0x08, 0x3F800000, 0x7FC00001, 0x3F800000},
	    {0x08, 0x80000000, 0x00000000, 0x80000000},
	    {0x08, 0x00000000, 0x80000000, 0x00000000},
	    {0x00, 0xFF812345, 0x3F800000, 0xFF812345}, /* bypass */
	    {0x1B, 0xA1800000, 0x3F800000, 0x3F800000}, /* mod(-2^-60, 1) */
	    {0x1B, 0xBF800000, 0x7F800000, 0x7F800000}, /* mod(-1, Inf) */
	    {0x1B, 0x80000000, 0x3F800000, 0x00000000}, /* mod(-0, 1) */
	    {0x1D, 0x80000000, 0x00000000, 0xFF800000}, /* rsqrt(-0) */
	    {0x1D, 0x7F800000, 0x00000000, 0x00000000},
	    {0x05, 0x3F800000, 0x3F800000, 0x00000000}, /* cancellation */
	    {0x1A, 0x40000000, 0x40000000, 0x00000000}, /* pow: not built */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++) {
		uint32_t out;

		vnum_arith((uint8_t)v[i][0], 1, &v[i][1], &v[i][2], &out);
		assert_int_equal(out, v[i][3]);
	}
}

static void comparisons(void **state)
{
	(void)state;
	for (int i = 0; i < NSPECIALS; i++)
		for (int j = 0; j < NSPECIALS; j++) {
			uint32_t a = specials[i], b = specials[j], gt, eq;
			float x = vnum_float(a), y = vnum_float(b);

			vnum_greater(1, &a, &b, &gt);
			vnum_equal(1, &a, &b, &eq);
			assert_int_equal(gt, x > y ? UINT32_MAX : 0);
			assert_int_equal(eq, x == y ? UINT32_MAX : 0);
		}
}

/* ------------------------------------------------------------------ *
 * Integers and bits.                                                 *
 * ------------------------------------------------------------------ */

static uint32_t stored(wide r, bool is_signed)
{
	const wide lo = -((wide)1 << 31), hi = ((wide)1 << 31) - 1;

	if (is_signed)
		r = r < lo ? lo : r > hi ? hi : r;
	return (uint32_t)(r & 0xFFFFFFFF);
}

static wide magnitude(wide v)
{
	return v < 0 ? -v : v;
}

static uint32_t integer(uint8_t op, bool in, bool out, uint32_t x, uint32_t y)
{
	const wide two32 = (wide)1 << 32;
	wide a = in && x >> 31 ? x - two32 : x;
	wide b = in && y >> 31 ? y - two32 : y;
	wide ma = magnitude(a), mb = magnitude(b), r;

	switch (op) {
	case 0x00: r = a; break;
	case 0x04:
	case 0xC4: r = a + b; break;
	case 0x05:
	case 0xC6: r = a - b; break;
	case 0x06:
	case 0xC5: r = a * b; break;
	case 0x07:
	case 0xC7:
		if (b == 0)
			return 0xFFFFFFFF;
		r = a / b;
		break;
	case 0x1B:
	case 0xC8:
		if (b == 0)
			return x;
		r = a - b * (a / b);
		break;
	case 0x08: r = a > b ? a : b; break;
	case 0x09: r = a < b ? a : b; break;
	case 0x0D: r = a != 0 && b != 0; break;
	case 0x0E: r = a != 0 || b != 0; break;
	case 0x0F: r = (a != 0) != (b != 0); break;
	case 0x12: r = a == b; break;
	case 0x13: r = a > b; break;
	case 0x14: r = a >= b; break;
	case 0x15: r = a <= b; break;
	case 0x16: r = a < b; break;
	case 0x18: r = a != b; break;
	case 0x19: r = ma; break;
	case 0x20: r = ma > mb ? ma : mb; break;
	default: r = ma < mb ? ma : mb; break; /* 0x21 */
	}
	return stored(r, out);
}

static const uint8_t integer_ops[] = {0x00, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09,
                                      0x0D, 0x0E, 0x0F, 0x12, 0x13, 0x14, 0x15,
                                      0x16, 0x18, 0x19, 0x1B, 0x20, 0x21, 0xC4,
                                      0xC5, 0xC6, 0xC7, 0xC8};

static uint32_t whole(void)
{
	static const uint32_t edge[] = {0,          1,          2,
	                                0x7FFFFFFF, 0x80000000, 0x80000001,
	                                0xFFFFFFFF, 0xFFFFFFFE, 0x0000FFFF,
	                                0x00010000, 0xFFFF0000, 3};

	return draw() & 3 ? draw() >> (draw() & 31)
	                  : edge[draw() % (sizeof(edge) / sizeof(*edge))];
}

static void integer_ops_match(void **state)
{
	uint32_t a[BATCH], b[BATCH], out[BATCH];

	(void)state;
	for (size_t o = 0; o < sizeof(integer_ops); o++)
		for (int k = 0; k < pairs(); k += BATCH) {
			bool in = draw() & 1, sat = draw() & 1;
			uint8_t op = integer_ops[o];

			assert_true(vnum_is_integer_op(op));
			for (int i = 0; i < BATCH; i++) {
				a[i] = whole();
				b[i] = whole();
			}
			vnum_integer(op, in, sat, BATCH, a, b, out);
			for (int i = 0; i < BATCH; i++) {
				uint32_t want =
				    integer(op, in, sat, a[i], b[i]);

				if (out[i] != want)
					fail_msg("op %02X %d%d a %08X b %08X: "
					         "%08X, expected %08X",
					         op, in, sat, a[i], b[i],
					         out[i], want);
			}
		}
}

static void zero_divisors(void **state)
{
	uint32_t b[40] = {0};

	(void)state;
	for (int i = 0; i < 40; i++)
		b[i] = i == 3 || i == 36 ? 0 : 0x80000000u >> (i & 31);
	assert_int_equal(vnum_zeros(40, b), 1ull << 3 | 1ull << 36);
	assert_int_equal(vnum_zeros(3, b), 0);
}

/* Bit i of the result, from bits of the operands. */
static uint32_t bit(uint8_t op, int w, uint32_t x, uint32_t y, int i)
{
	int n = (int)(y % 32), from;

	switch (op) {
	case 0x01: return !(x >> i & 1);
	case 0x0A: return x >> i & y >> i & 1;
	case 0x0B: return (x >> i | y >> i) & 1;
	case 0x0C: return (x >> i ^ y >> i) & 1;
	case 0x02:
	case 0x10: from = i - n; return from < 0 ? 0 : x >> from & 1;
	case 0x11: from = i + n; return from >= w ? 0 : x >> from & 1;
	case 0x03: from = i + n; return x >> (from >= w ? w - 1 : from) & 1;
	default: return x >> i & 1;
	}
}

static void bit_ops(void **state)
{
	static const uint8_t ops[] = {0x00, 0x01, 0x02, 0x03, 0x0A,
	                              0x0B, 0x0C, 0x10, 0x11};

	(void)state;
	for (size_t o = 0; o < sizeof(ops); o++)
		for (int k = 0; k < 3000; k++) {
			int w = 8 << k % 3;
			uint32_t mask = (uint32_t)((1ull << w) - 1), want = 0;
			uint32_t x = draw() & mask, y = draw() & mask, out;

			vnum_bitvec(ops[o], w, 1, &x, &y, &out);
			for (int i = 0; i < w; i++)
				want |= bit(ops[o], w, x, y, i) << i;
			assert_int_equal(out, want);
			assert_int_equal(vnum_is_bitvec_op(ops[o]),
			                 ops[o] != 0);
		}
}

/* ------------------------------------------------------------------ *
 * Conversions.                                                       *
 * ------------------------------------------------------------------ */

/* A format as the table of the page has it. */
struct format {
	uint8_t tag;
	unsigned fp8;
	int m, bias, bits;
	uint32_t maxf, over, nan;
	int place; /* codes stand this many bits up in the element */
};

static const struct format formats[] = {
    {6, 0, 7, 127, 16, 0x7F7F, 0x7F80, 0x7FC0, 0},
    {7, 0, 10, 15, 16, 0x7BFF, 0x7C00, 0x7E00, 0},
    {11, 0, 11, 127, 20, 0x7F7FF, 0x7F800, 0x7FC00, 12},
    {13, 2, 4, 3, 8, 0x6F, 0x6F, 0x78, 0},
    {13, 0, 4, 3, 8, 0x6F, 0x70, 0x78, 0},
    {13, 6, 4, 3, 8, 0x6F, 0x6F, 0x00, 0},
    {14, 2, 3, 7, 8, 0x77, 0x77, 0x7C, 0},
    {14, 0, 3, 7, 8, 0x77, 0x78, 0x7C, 0},
    {14, 4, 3, 7, 8, 0x77, 0x78, 0x00, 0},
    {14, 3, 3, 7, 8, 0x7E, 0x7E, 0x7F, 0},
    {14, 1, 3, 7, 8, 0x7E, 0x7F, 0x7F, 0}, /* overflow is the NaN */
    {14, 5, 3, 7, 8, 0x7E, 0x00, 0x00, 0},
    {15, 2, 2, 15, 8, 0x7B, 0x7B, 0x7E, 0},
    {15, 0, 2, 15, 8, 0x7B, 0x7C, 0x7E, 0},
};
#define NFORMATS ((int)(sizeof(formats) / sizeof(*formats)))

/* The number that a magnitude code means, as if exponents had no end. */
static double code_value(const struct format *f, uint32_t code)
{
	int e = (int)(code >> f->m);
	double frac = (double)(code & ((1u << f->m) - 1));

	return e ? ldexp(frac + ldexp(1, f->m), e - f->bias - f->m)
	         : ldexp(frac, 1 - f->bias - f->m);
}

/* The code nearest to a magnitude, the even one of two; one past the largest
 * number when that is nearer. */
static uint32_t nearest(const struct format *f, double v)
{
	uint32_t lo = 0, hi = f->maxf + 1;

	while (hi - lo > 1) {
		uint32_t mid = (lo + hi) / 2;

		if (code_value(f, mid) <= v)
			lo = mid;
		else
			hi = mid;
	}
	double below = v - code_value(f, lo), above = code_value(f, hi) - v;

	if (below == above)
		return lo & 1 ? hi : lo;
	return below < above ? lo : hi;
}

static uint32_t narrowed(const struct format *f, uint32_t x)
{
	double v = fabs((double)vnum_float(x));
	uint32_t sign = (x >> 31) << (f->bits - 1), code;
	bool suppress = f->bits == 8 && (f->fp8 & 4);

	if (isnan(v))
		return f->tag == 7 || suppress ? f->nan | sign : f->nan;
	code = isinf(v) ? f->maxf + 1 : nearest(f, v);
	if (code <= f->maxf)
		return code | sign;
	return f->tag == 14 && f->fp8 == 1 ? f->over : f->over | sign;
}

static void narrow_check(const struct format *f, const uint32_t *x, int n)
{
	uint32_t raw[BATCH];

	vnum_narrow(f->tag, f->fp8, n, x, raw);
	for (int i = 0; i < n; i++) {
		uint32_t want = narrowed(f, x[i]) << f->place;

		if (raw[i] != want)
			fail_msg("tag %d fp8 %u: %08X gives %X, expected %X",
			         f->tag, f->fp8, x[i], raw[i], want);
	}
}

/* Every midpoint of two neighbours and the fp32 around it, then any bits. */
static void narrow_floats(void **state)
{
	uint32_t x[BATCH];

	(void)state;
	for (int k = 0; k < NFORMATS; k++) {
		const struct format *f = &formats[k];
		uint32_t step = f->bits == 20 ? 7 : 1;

		for (uint32_t c = 0; c <= f->maxf; c += step) {
			double mid =
			    code_value(f, c) / 2 + code_value(f, c + 1) / 2;
			uint32_t b = vnum_bits((float)mid);

			for (uint32_t i = 0; i < 6; i++)
				x[i] = (b + i % 3 - 1) ^ (i / 3) << 31;
			narrow_check(f, x, 6);
		}
		narrow_check(f, specials, BATCH);
		for (int j = 0; j < pairs(); j += BATCH) {
			for (int i = 0; i < BATCH; i++)
				x[i] = j & 1
				           ? operand(draw())
				           : (draw() & 0x8FFFFFFF) | 0x38000000;
			narrow_check(f, x, BATCH);
		}
	}
}

/* All codes of the formats of 16 and 8 bits. */
static void widen_floats(void **state)
{
	(void)state;
	for (int k = 0; k < NFORMATS; k++) {
		const struct format *f = &formats[k];
		uint32_t all = 1u << (f->bits == 20 ? 0 : f->bits);
		uint32_t inf = f->tag == 14 && f->fp8 & 1 ? 0x100 : f->maxf + 1;

		for (uint32_t c = 0; c < all; c++) {
			uint32_t mag = c & (all / 2 - 1), out, want;
			uint32_t sign = mag == c ? 0 : 0x80000000;

			want = vnum_bits((float)code_value(f, mag)) | sign;
			if (mag > f->maxf)
				want =
				    mag == inf ? 0x7F800000 | sign : VNUM_NAN;
			if (f->tag == 6 || f->tag == 11)
				want = c << 16;
			vnum_widen(f->tag, f->fp8, 1, &c, &out);
			assert_int_equal(out, want);
		}
	}
}

static uint32_t narrowed_int(uint32_t x, int w, bool is_signed)
{
	double lo = is_signed ? -ldexp(1, w - 1) : 0;
	double hi = ldexp(1, is_signed ? w - 1 : w) - 1;
	double v = (double)vnum_float(x);

	if (isnan(v))
		v = x >> 31 ? lo : hi;
	v = nearbyint(v);
	v = v < lo ? lo : v > hi ? hi : v;
	return (uint32_t)((int64_t)v & ((1ll << w) - 1));
}

static const struct {
	uint8_t tag;
	int w;
	bool is_signed;
} integers[] = {{2, 8, true},   {3, 8, false}, {4, 16, true},
                {5, 16, false}, {8, 32, true}, {9, 32, false}};

static void narrow_integers(void **state)
{
	uint32_t x[BATCH], raw[BATCH];

	(void)state;
	for (int t = 0; t < 6; t++) {
		int w = integers[t].w;

		for (int k = 0; k < pairs(); k += BATCH) {
			/* around the ends of the range, with halves */
			for (int i = 0; i < BATCH; i++) {
				float near =
				    (float)(draw() >> (draw() & 31)) / 4;

				x[i] =
				    k & 1 ? operand(draw()) : vnum_bits(near);
				x[i] ^= draw() & 0x80000000;
			}
			vnum_narrow(integers[t].tag, 2, BATCH, x, raw);
			for (int i = 0; i < BATCH; i++)
				assert_int_equal(
				    raw[i],
				    narrowed_int(x[i], w,
				                 integers[t].is_signed));
		}
		vnum_narrow(integers[t].tag, 2, BATCH, specials, raw);
		for (int i = 0; i < BATCH; i++)
			assert_int_equal(raw[i],
			                 narrowed_int(specials[i], w,
			                              integers[t].is_signed));
	}
}

static void widen_integers(void **state)
{
	uint32_t x[BATCH], f[BATCH];

	(void)state;
	for (int t = 0; t < 6; t++)
		for (int k = 0; k < pairs(); k += BATCH) {
			int w = integers[t].w;

			for (int i = 0; i < BATCH; i++)
				x[i] = whole() & (uint32_t)((1ull << w) - 1);
			vnum_widen(integers[t].tag, 2, BATCH, x, f);
			for (int i = 0; i < BATCH; i++) {
				double v = x[i];

				if (integers[t].is_signed && x[i] >> (w - 1))
					v -= ldexp(1, w);
				assert_int_equal(f[i], vnum_bits((float)v));
			}
		}
}

/* fp32 passes both ways untouched, fp32r only when read. */
static void identity(void **state)
{
	uint32_t out[BATCH];

	(void)state;
	vnum_widen(10, 2, BATCH, specials, out);
	assert_memory_equal(out, specials, sizeof(out));
	vnum_widen(11, 2, BATCH, specials, out);
	assert_memory_equal(out, specials, sizeof(out));
	vnum_narrow(10, 2, BATCH, specials, out);
	assert_memory_equal(out, specials, sizeof(out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(fp32_ops),
	    cmocka_unit_test(fp32_stated),
	    cmocka_unit_test(comparisons),
	    cmocka_unit_test(integer_ops_match),
	    cmocka_unit_test(zero_divisors),
	    cmocka_unit_test(bit_ops),
	    cmocka_unit_test(narrow_floats),
	    cmocka_unit_test(widen_floats),
	    cmocka_unit_test(narrow_integers),
	    cmocka_unit_test(widen_integers),
	    cmocka_unit_test(identity),
	};

	return cmocka_run_group_tests_name("vnum", tests, NULL, NULL);
}
