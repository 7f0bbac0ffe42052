/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of the IR interpreter.
 *
 * Oracles: the host's float operations, 128-bit integers, C's fmodf and
 * ldexp, a search for the nearest code over all codes of a format, and the
 * vectors and closed forms of the numeric definitions.
 */
#include "compiler/bir/bir.h"
#include "compiler/bir/interp_num.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define D(name) TPB_BIR_DTYPE_##name
#define A(name) TPB_BIR_ALU_##name

static const struct num_config plain = {true, false};
static const struct num_config over = {false, false};
static const struct num_config suppress = {true, true};

static uint64_t rnd(void)
{
	static uint64_t s = 88172645463325252u;

	s ^= s << 13;
	s ^= s >> 7;
	s ^= s << 17;
	return s;
}

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

static bool nan_bits(uint32_t u)
{
	return (u & 0x7FFFFFFF) > 0x7F800000;
}

/* Bits of all kinds: uniform, near a binade, small integers, specials. */
static uint32_t any_float(void)
{
	static const uint32_t special[] = {
	    0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
	    0xFFC00001, 0x7F800001, 0x00000001, 0x80000001, 0x007FFFFF,
	    0x00800000, 0x7F7FFFFF, 0x3F800000, 0xBF800000, 0x33800000};
	uint64_t r = rnd();

	switch (r & 3) {
	case 0: return special[(r >> 8) % 15];
	case 1: return u_of((float)(int)((r >> 8) % 2001) - 1000);
	default: return (uint32_t)(r >> 16);
	}
}

/* ------------------------------------------------------------ formats */

struct small {
	int dtype, bits, exp, frac, bias;
	bool inf;
	uint32_t max, top_code; /* largest finite; first code above it */
	uint32_t nan;
};

static const struct small formats[] = {
    {D(FLOAT16), 16, 5, 10, 15, true, 0x7BFF, 0x7C00, 0x7E00},
    {D(FP8E3), 8, 3, 4, 3, true, 0x6F, 0x70, 0x78},
    {D(FP8E4), 8, 4, 3, 7, true, 0x77, 0x78, 0x7C},
    {D(FP8E4FN), 8, 4, 3, 7, false, 0x7E, 0x7F, 0x7F},
    {D(FP8E5), 8, 5, 2, 15, true, 0x7B, 0x7C, 0x7E},
};

/* Value of a finite code, and of the codes above as if they went on. */
static double value(const struct small *f, uint32_t code)
{
	int e = (int)(code >> f->frac);
	int m = (int)(code & ((1u << f->frac) - 1));

	if (e)
		return ldexp((1 << f->frac) + m, e - f->bias - f->frac);
	return ldexp(m, 1 - f->bias - f->frac);
}

/* Nearest code by bisection of the finite codes; ties to the even one. */
static uint32_t nearest(const struct small *f, double x)
{
	uint32_t lo = 0, hi = f->top_code, mid;
	double a, b;

	if (x >= value(f, hi))
		return hi;
	while (hi - lo > 1) {
		mid = (lo + hi) / 2;
		if (value(f, mid) <= x)
			lo = mid;
		else
			hi = mid;
	}
	a = x - value(f, lo);
	b = value(f, hi) - x;
	return a < b || (a == b && !(lo & 1)) ? lo : hi;
}

static void test_widen_small(void **state)
{
	const struct small *f;
	uint32_t code, sign;
	size_t k;

	(void)state;
	for (k = 0; k < sizeof formats / sizeof formats[0]; k++) {
		f = &formats[k];
		sign = 1u << (f->bits - 1);
		for (code = 0; code <= f->max; code++) {
			assert_int_equal(num_widen(f->dtype, code),
			                 u_of((float)value(f, code)));
			assert_int_equal(num_widen(f->dtype, code | sign),
			                 u_of(-(float)value(f, code)));
		}
		for (; code < sign; code++)
			assert_int_equal(num_widen(f->dtype, code),
			                 f->inf && code == f->top_code
			                     ? 0x7F800000u
			                     : NUM_NAN);
	}
	assert_int_equal(num_widen(D(BFLOAT16), 0xFF81), 0xFF810000);
	assert_int_equal(num_widen(D(FLOAT32), 0x7F800001), 0x7F800001);
}

static void narrow_one(const struct small *f, uint32_t x)
{
	uint32_t sign = x >> 31 << (f->bits - 1), want;
	bool fp8 = f->bits == 8;

	if (nan_bits(x)) {
		want = fp8 ? f->nan : sign | f->nan;
		assert_int_equal(num_narrow(&plain, f->dtype, x), want);
		assert_int_equal(num_narrow(&suppress, f->dtype, x),
		                 fp8 ? sign : want);
		return;
	}
	want = nearest(f, fabs((double)f_of(x)));
	if (want < f->top_code) {
		assert_int_equal(num_narrow(&plain, f->dtype, x), sign | want);
		assert_int_equal(num_narrow(&over, f->dtype, x), sign | want);
		return;
	}
	assert_int_equal(num_narrow(&plain, f->dtype, x),
	                 sign | (fp8 ? f->max : f->top_code));
	/* e4m3fn has no infinity: its NaN, without sign */
	assert_int_equal(num_narrow(&over, f->dtype, x),
	                 f->inf ? sign | f->top_code : f->nan);
}

static void test_narrow_small(void **state)
{
	const struct small *f;
	uint32_t code;
	size_t k;
	int n;

	(void)state;
	for (k = 0; k < sizeof formats / sizeof formats[0]; k++) {
		f = &formats[k];
		for (n = 0; n < 20000; n++)
			narrow_one(f, any_float());
		/* every code, the ties between codes, and their neighbours */
		for (code = 0; code <= f->max; code++) {
			uint32_t at = u_of((float)value(f, code));
			uint32_t tie = u_of(
			    (float)((value(f, code) + value(f, code + 1)) / 2));

			narrow_one(f, at);
			narrow_one(f, tie - 1);
			narrow_one(f, tie);
			narrow_one(f, tie + 1);
			narrow_one(f, tie | 0x80000000u);
		}
	}
}

/* The closed forms for bf16 and fp32r, right for all but NaN. */
static void test_narrow_closed(void **state)
{
	uint32_t x;
	int n;

	(void)state;
	for (n = 0; n < 200000; n++) {
		x = any_float();
		if (nan_bits(x)) {
			assert_int_equal(num_narrow(&plain, D(BFLOAT16), x),
			                 0x7FC0);
			assert_int_equal(num_narrow(&plain, D(FLOAT32R), x),
			                 0x7FC00000);
			continue;
		}
		assert_int_equal(num_narrow(&plain, D(BFLOAT16), x),
		                 (x + 0x7FFF + (x >> 16 & 1)) >> 16);
		assert_int_equal(num_narrow(&plain, D(FLOAT32R), x),
		                 (x + 0x7FF + (x >> 12 & 1)) >> 12 << 12);
		assert_int_equal(num_narrow(&plain, D(FLOAT32), x), x);
	}
}

static void test_integers(void **state)
{
	static const struct {
		int dtype, bits;
		double lo, hi;
	} type[] = {{D(UINT8), 8, 0, 255},
	            {D(INT8), 8, -128, 127},
	            {D(UINT16), 16, 0, 65535},
	            {D(INT16), 16, -32768, 32767},
	            {D(UINT32), 32, 0, 4294967295.0},
	            {D(INT32), 32, -2147483648.0, 2147483647.0}};
	uint64_t mask, want;
	double v;
	uint32_t x;
	size_t k;
	int n;

	(void)state;
	for (k = 0; k < sizeof type / sizeof type[0]; k++) {
		mask = ((uint64_t)1 << type[k].bits) - 1;
		for (n = 0; n < 40000; n++) {
			x = any_float();
			if (n & 1) /* ties and what lies around them */
				x = u_of(
				    (float)((int)(rnd() % 140000) - 70000) / 2);
			/* rint rounds to nearest even by default */
			v = rint((double)f_of(x));
			if (nan_bits(x))
				v = x >> 31 ? type[k].lo : type[k].hi;
			if (v < type[k].lo)
				v = type[k].lo;
			if (v > type[k].hi)
				v = type[k].hi;
			want = (uint64_t)(int64_t)v & mask;
			assert_int_equal(
			    num_narrow(&plain, type[k].dtype, x) & mask, want);
			assert_int_equal(num_widen(type[k].dtype, want),
			                 u_of((float)(int64_t)v));
		}
	}
	assert_int_equal(num_narrow(&plain, D(INT64), 0x5F000000),
	                 INT64_MAX); /* 2^63 */
	assert_int_equal(num_narrow(&plain, D(INT64), 0xDF000000),
	                 (uint64_t)INT64_MIN);
	assert_int_equal(num_narrow(&plain, D(UINT64), 0x5F000000),
	                 (uint64_t)1 << 63);
	assert_true(num_narrow(&plain, D(UINT64), 0x7F800000) == UINT64_MAX);
	assert_int_equal(num_widen(D(UINT64), UINT64_MAX), 0x5F800000);
	assert_int_equal(num_clamp(D(INT8), 300), 127);
	assert_int_equal(num_clamp(D(INT8), -300) & 0xFF, 0x80);
}

/* ------------------------------------------------------------ fp32 */

static uint32_t fp(int op, uint32_t a, uint32_t b)
{
	uint32_t r = 0;

	assert_true(num_f32(op, a, b, &r));
	return r;
}

static uint32_t quiet(float x)
{
	return isnan(x) ? 0x7FC00000u : u_of(x);
}

static void test_f32(void **state)
{
	volatile float x, y, z;
	uint32_t a, b;
	int n;

	(void)state;
	for (n = 0; n < 200000; n++) {
		a = any_float();
		b = any_float();
		x = f_of(a);
		y = f_of(b);
		z = x + y;
		assert_int_equal(fp(A(ADD), a, b), quiet(z));
		z = x - y;
		assert_int_equal(fp(A(SUBTRACT), a, b), quiet(z));
		z = x * y;
		assert_int_equal(fp(A(MULT), a, b), quiet(z));
		z = x / y;
		assert_int_equal(fp(A(DIVIDE), a, b), quiet(z));
		z = sqrtf(x);
		z = 1 / z;
		assert_int_equal(fp(A(RSQRT), a, b), quiet(z));
		z = 1 / x;
		assert_int_equal(num_recip(a), quiet(z));
		assert_int_equal(fp(A(ABS), a, b), quiet(fabsf(x)));
		assert_int_equal(num_neg(a), quiet(-x));
		assert_int_equal(fp(A(IS_GE), a, b), x >= y ? 0x3F800000 : 0);
		assert_int_equal(
		    fp(A(NOT_EQUAL), a, b),
		    isnan(x) || isnan(y) || x < y || x > y ? 0x3F800000 : 0);
		assert_int_equal(fp(A(BYPASS), a, b), a);
	}
}

/* The definition's own consequences: ties and NaN go by the left operand. */
static void test_f32_corners(void **state)
{
	const uint32_t one = 0x3F800000, nan = 0x7FC00001, nz = 0x80000000;
	uint32_t r;

	(void)state;
	assert_int_equal(fp(A(MAX), nan, one), NUM_NAN);
	assert_int_equal(fp(A(MAX), one, nan), one);
	assert_int_equal(fp(A(MAX), nz, 0), nz);
	assert_int_equal(fp(A(MAX), 0, nz), 0);
	assert_int_equal(fp(A(MIN), nz, 0), nz);
	assert_int_equal(fp(A(MIN), nan, one), NUM_NAN);
	assert_int_equal(fp(A(ABS_MAX), 0xC0000000, one), 0x40000000);
	assert_int_equal(fp(A(ABS_MIN), 0xC0000000, one), one);
	assert_int_equal(fp(A(ABS), 0xFFC00001, 0), NUM_NAN);
	assert_int_equal(fp(A(LOGICAL_AND), nan, one), one);
	assert_int_equal(fp(A(LOGICAL_OR), nz, 0), 0);
	assert_int_equal(fp(A(LOGICAL_XOR), nan, nz), one);
	assert_int_equal(fp(A(RSQRT), nz, 0), 0xFF800000);
	assert_int_equal(num_neg(nan), NUM_NAN);
	assert_false(num_f32(A(POW), one, one, &r));
	assert_false(num_f32(A(BITWISE_AND), one, one, &r));
}

/* Floor modulo from C's exact truncating one. */
static void test_mod(void **state)
{
	volatile float r;
	uint32_t a, b, want;
	float x, y;
	int n;

	(void)state;
	assert_int_equal(fp(A(MOD), 0xBF800000, 0x7F800000), 0x7F800000);
	assert_int_equal(fp(A(MOD), 0xA1800000, 0x3F800000), 0x3F800000);
	for (n = 0; n < 100000; n++) {
		a = any_float();
		b = any_float();
		x = f_of(a);
		y = f_of(b);
		if (isnan(x) || isnan(y) || isinf(x) || y == 0) {
			want = NUM_NAN;
		} else {
			r = fmodf(x, y);
			if (r == 0)
				want = b & 0x80000000u;
			else if ((u_of(r) ^ b) >> 31) {
				r = r + y;
				want = u_of(r);
			} else
				want = u_of(r);
		}
		assert_int_equal(fp(A(MOD), a, b), want);
	}
}

/* ------------------------------------------------------------ integers */

static __int128 exact(int op, __int128 a, __int128 b)
{
	switch (op) {
	case A(ADD): return a + b;
	case A(SUBTRACT): return a - b;
	case A(MULT): return a * b;
	case A(MAX): return a > b ? a : b;
	case A(MIN): return a < b ? a : b;
	case A(DIVIDE): return a / b;
	case A(MOD): return a - a / b * b;
	case A(ABS): return a < 0 ? -a : a;
	case A(IS_LT): return a < b;
	case A(LOGICAL_AND): return a != 0 && b != 0;
	default: return a;
	}
}

static uint32_t any_word(void)
{
	static const uint32_t edge[] = {0,          1,          0xFFFFFFFF,
	                                0x80000000, 0x7FFFFFFF, 2};
	uint64_t r = rnd();

	return r & 1 ? edge[(r >> 8) % 6] : (uint32_t)(r >> 8);
}

static void test_i32(void **state)
{
	static const int ops[] = {A(ADD),   A(SUBTRACT),    A(MULT),  A(MAX),
	                          A(MIN),   A(DIVIDE),      A(MOD),   A(ABS),
	                          A(IS_LT), A(LOGICAL_AND), A(BYPASS)};
	uint32_t a, b, r;
	__int128 x, y, v;
	size_t k;
	int n, in;

	(void)state;
	for (k = 0; k < sizeof ops / sizeof ops[0]; k++)
		for (n = 0; n < 20000; n++) {
			a = any_word();
			b = any_word();
			in = n & 1 ? D(INT32) : D(UINT32);
			x = n & 1 ? (int32_t)a : (__int128)a;
			y = n & 1 ? (int32_t)b : (__int128)b;
			if (!b && (ops[k] == A(DIVIDE) || ops[k] == A(MOD)))
				continue;
			v = exact(ops[k], x, y);
			assert_true(num_i32(ops[k], in, D(UINT32), a, b, &r));
			assert_int_equal(r, (uint32_t)v);
			if (v > INT32_MAX)
				v = INT32_MAX;
			if (v < INT32_MIN)
				v = INT32_MIN;
			assert_true(num_i32(ops[k], in, D(INT32), a, b, &r));
			assert_int_equal(r, (uint32_t)v);
		}
	/* a zero divisor: all ones, or the dividend, and no clamp */
	assert_true(num_i32(A(DIVIDE), D(INT32), D(INT32), 5, 0, &r));
	assert_int_equal(r, 0xFFFFFFFF);
	assert_true(num_i32(A(MOD), D(INT32), D(INT32), 0xFFFFFFFB, 0, &r));
	assert_int_equal(r, 0xFFFFFFFB);
	assert_false(num_i32(A(POW), D(INT32), D(INT32), 2, 2, &r));
}

static void test_bits(void **state)
{
	uint32_t r, a, b;
	int n;

	(void)state;
	for (n = 0; n < 20000; n++) {
		a = any_word();
		b = any_word();
		assert_true(num_bits(A(ARITH_SHR), 8, a, b, &r));
		assert_int_equal(r, (uint8_t)((int8_t)a >> (b & 31)));
		assert_true(num_bits(A(ARITH_SHR), 32, a, b, &r));
		assert_int_equal(r, (uint32_t)((int32_t)a >> (b & 31)));
		assert_true(num_bits(A(LOGICAL_SHR), 16, a, b, &r));
		assert_int_equal(r, (uint16_t)a >> (b & 31));
		assert_true(num_bits(A(LOGICAL_SHL), 8, a, b, &r));
		assert_int_equal(r, (uint8_t)((uint32_t)a << (b & 31)));
		assert_true(num_bits(A(BITWISE_NOT), 8, a, b, &r));
		assert_int_equal(r, (uint8_t)~a);
		assert_true(num_bits(A(BITWISE_XOR), 16, a, b, &r));
		assert_int_equal(r, (uint16_t)(a ^ b));
	}
	assert_false(num_bits(A(ADD), 8, 1, 1, &r));
}

static uint64_t alu(int op, int bits, bool is_signed, uint64_t a, uint64_t b)
{
	uint64_t r = 0;

	assert_true(num_alu(op, bits, is_signed, a, b, &r));
	return r;
}

static void test_scalar_alu(void **state)
{
	uint64_t r, a, b;
	int n;

	(void)state;
	for (n = 0; n < 50000; n++) {
		a = rnd();
		b = n & 1 ? rnd() : rnd() % 70;
		assert_true(alu(A(ADD), 64, false, a, b) == a + b);
		assert_true(alu(A(MULT), 64, false, a, b) == a * b);
		assert_true(alu(A(ARITH_SHR), 64, false, a, b) ==
		            (uint64_t)((int64_t)a >> (b & 63)));
		assert_int_equal(alu(A(ADD), 32, true, a, b),
		                 (uint32_t)(a + b));
		assert_int_equal(alu(A(LOGICAL_SHR), 32, true, a, b),
		                 (uint32_t)a >> (b & 31));
		assert_int_equal(alu(A(IS_LT), 32, true, a, b),
		                 (int32_t)a < (int32_t)b);
		assert_int_equal(alu(A(IS_LT), 32, false, a, b),
		                 (uint32_t)a < (uint32_t)b);
		assert_int_equal(alu(A(MAX), 32, true, a, b),
		                 (uint32_t)((int32_t)a > (int32_t)b ? a : b));
		if ((uint32_t)b && !((uint32_t)a == 0x80000000u &&
		                     (uint32_t)b == 0xFFFFFFFFu)) {
			assert_int_equal(alu(A(DIVIDE), 32, true, a, b),
			                 (uint32_t)((int32_t)a / (int32_t)b));
			assert_int_equal(alu(A(MOD), 32, true, a, b),
			                 (uint32_t)((int32_t)a % (int32_t)b));
		}
	}
	assert_int_equal(alu(A(BITWISE_NOT), 32, true, 5, 0), 0xFFFFFFFA);
	assert_int_equal(alu(A(BITWISE_AND), 32, true, 12, 10), 8);
	assert_int_equal(alu(A(BITWISE_OR), 32, true, 12, 10), 14);
	assert_int_equal(alu(A(BITWISE_XOR), 32, true, 12, 10), 6);
	assert_int_equal(alu(A(LOGICAL_XOR), 32, true, 12, 0), 1);
	assert_int_equal(alu(A(LOGICAL_OR), 32, true, 0, 0), 0);
	assert_int_equal(alu(A(IS_EQUAL), 64, false, 7, 7), 1);
	assert_int_equal(alu(A(NOT_EQUAL), 64, false, 7, 7), 0);
	assert_int_equal(alu(A(IS_GT), 32, true, 7, 0xFFFFFFFF), 1);
	assert_int_equal(alu(A(IS_GE), 32, false, 7, 0xFFFFFFFF), 0);
	assert_int_equal(alu(A(IS_LE), 32, true, 7, 7), 1);
	assert_int_equal(alu(A(MIN), 32, false, 7, 0xFFFFFFFF), 7);
	assert_int_equal(alu(A(SUBTRACT), 32, true, 7, 9), 0xFFFFFFFE);
	assert_int_equal(alu(A(LOGICAL_SHL), 32, true, 3, 33), 6);
	assert_int_equal(alu(A(BYPASS), 32, true, 3, 33), 3);
	assert_int_equal(alu(A(DIVIDE), 32, true, 7, 0), 0xFFFFFFFF);
	assert_int_equal(alu(A(MOD), 32, true, 7, 0), 7);
	assert_int_equal(alu(A(DIVIDE), 32, true, 0x80000000, 0xFFFFFFFF),
	                 0x80000000);
	assert_int_equal(alu(A(MOD), 32, true, 0x80000000, 0xFFFFFFFF), 0);
	assert_int_equal(alu(A(ABS), 32, true, 0x80000000, 0), 0x80000000);
	assert_int_equal(alu(A(ABS), 32, false, 0x80000001, 0), 0x80000001);
	assert_int_equal(alu(A(POW), 32, true, 3, 5), 243);
	assert_int_equal(alu(A(POW), 32, true, 0, 0), 1);
	assert_int_equal(alu(A(POW), 32, true, 0xFFFFFFFF, 0xFFFFFFFD),
	                 0xFFFFFFFF);
	assert_int_equal(alu(A(POW), 32, true, 2, 0xFFFFFFFF), 0);
	assert_int_equal(alu(A(RSQRT), 32, true, 1, 0), 1);
	assert_int_equal(alu(A(RSQRT), 32, true, 9, 0), 0);
	assert_int_equal(alu(A(RSQRT), 32, true, 0, 0), 0xFFFFFFFF);
	assert_false(num_alu(A(AVERAGE), 32, true, 1, 1, &r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_widen_small),
	    cmocka_unit_test(test_narrow_small),
	    cmocka_unit_test(test_narrow_closed),
	    cmocka_unit_test(test_integers),
	    cmocka_unit_test(test_f32),
	    cmocka_unit_test(test_f32_corners),
	    cmocka_unit_test(test_mod),
	    cmocka_unit_test(test_i32),
	    cmocka_unit_test(test_bits),
	    cmocka_unit_test(test_scalar_alu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
