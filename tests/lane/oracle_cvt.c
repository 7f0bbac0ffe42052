/* SPDX-License-Identifier: Apache-2.0
 *
 * The oracle's conversions.  fp8 by a search for the nearest of all values of
 * the format; float16, bfloat16 and float32r by the host's rounding of a sum
 * with a number whose unit is that of the format; integers by the host's
 * conversions.
 *
 * Facts: docs/reference/numerics.md, the formats' table there.
 */
#include "tests/lane/oracle.h"

#include "isa/isa.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct format {
	uint8_t tag, ocp;
	bool fp8;
	unsigned width;    /* bits, sign included */
	int m, bias;       /* fraction bits, exponent bias */
	uint32_t top;      /* code of the largest number */
	uint32_t over;     /* of overflow */
	uint32_t nan;      /* of a NaN */
	unsigned shift;    /* zeros stored below the code */
	double value[130]; /* fp8: of the codes up to top + 1 */
};

static struct format formats[] = {
    {.tag = TPB_DTYPE_BFLOAT16,
     .width = 16,
     .m = 7,
     .bias = 127,
     .top = 0x7F7F,
     .over = 0x7F80,
     .nan = 0x7FC0},
    {.tag = TPB_DTYPE_FLOAT16,
     .width = 16,
     .m = 10,
     .bias = 15,
     .top = 0x7BFF,
     .over = 0x7C00,
     .nan = 0x7E00},
    {.tag = TPB_DTYPE_FLOAT32R,
     .width = 20,
     .m = 11,
     .bias = 127,
     .top = 0x7F7FF,
     .over = 0x7F800,
     .nan = 0x7FC00,
     .shift = 12},
    {.tag = TPB_DTYPE_FP8E3,
     .fp8 = true,
     .width = 8,
     .m = 4,
     .bias = 3,
     .top = 0x6F,
     .over = 0x70,
     .nan = 0x78},
    {.tag = TPB_DTYPE_FP8E4,
     .fp8 = true,
     .width = 8,
     .m = 3,
     .bias = 7,
     .top = 0x77,
     .over = 0x78,
     .nan = 0x7C},
    {.tag = TPB_DTYPE_FP8E4,
     .ocp = 1,
     .fp8 = true,
     .width = 8,
     .m = 3,
     .bias = 7,
     .top = 0x7E,
     .over = 0x7F,
     .nan = 0x7F},
    {.tag = TPB_DTYPE_FP8E5,
     .fp8 = true,
     .width = 8,
     .m = 2,
     .bias = 15,
     .top = 0x7B,
     .over = 0x7C,
     .nan = 0x7E},
};

static const struct format *format_of(uint8_t tag, uint8_t cfg)
{
	size_t i;

	for (i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i].tag == tag &&
		    (tag != TPB_DTYPE_FP8E4 || formats[i].ocp == (cfg & 1)))
			return &formats[i];
	return NULL;
}

/* The number that a code without sign means on a grid without end. */
static double code_value(const struct format *f, uint32_t code)
{
	int e = (int)(code >> f->m);
	int fraction = (int)(code & ((1u << f->m) - 1));

	if (e == 0)
		return ldexp(fraction, 1 - f->bias - f->m);
	return ldexp((1 << f->m) + fraction, e - f->bias - f->m);
}

void oracle_open(void)
{
	size_t i;
	uint32_t code;

	for (i = 0; i < sizeof formats / sizeof *formats; i++)
		for (code = 0; formats[i].fp8 && code <= formats[i].top + 1;
		     code++)
			formats[i].value[code] = code_value(&formats[i], code);
}

uint32_t oracle_widen(uint8_t tag, uint32_t bits, uint8_t cfg)
{
	const struct format *f;
	uint32_t code;
	double x;

	switch (tag) {
	case TPB_DTYPE_FLOAT32:
	case TPB_DTYPE_FLOAT32R: return bits;
	case TPB_DTYPE_BFLOAT16: return bits << 16;
	case TPB_DTYPE_INT8: return oracle_bits((float)(int8_t)bits);
	case TPB_DTYPE_UINT8: return oracle_bits((float)(uint8_t)bits);
	case TPB_DTYPE_INT16: return oracle_bits((float)(int16_t)bits);
	case TPB_DTYPE_UINT16: return oracle_bits((float)(uint16_t)bits);
	case TPB_DTYPE_INT32: return oracle_bits((float)(int32_t)bits);
	case TPB_DTYPE_UINT32: return oracle_bits((float)bits);
	default: break;
	}
	f = format_of(tag, cfg);
	if (f == NULL)
		return 0;
	code = bits & ((1u << (f->width - 1)) - 1);
	if (code <= f->top)
		x = code_value(f, code);
	else if (code == f->over && f->over != f->nan)
		x = (double)INFINITY;
	else
		return 0x7FC00000;
	return oracle_bits((float)x) | (bits >> (f->width - 1) & 1) << 31;
}

/* The code of the nearest value, the even one of two; top + 1 beyond top. */
static uint32_t nearest(const struct format *f, double x)
{
	uint32_t low = 0, high = f->top + 1, mid;

	if (x >= f->value[high])
		return high;
	while (high - low > 1) {
		mid = (low + high) / 2;
		if (x >= f->value[mid])
			low = mid;
		else
			high = mid;
	}
	if (x - f->value[low] < f->value[high] - x)
		return low;
	if (x - f->value[low] > f->value[high] - x)
		return high;
	return (low & 1) == 0 ? low : high;
}

static int exponent(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return (int)(bits >> 52 & 0x7FF) - 1023;
}

/* x rounded to a multiple of 2^unit, |x| < 2^(unit + 51). */
static double rounded(double x, int unit)
{
	uint64_t bits = (uint64_t)(unit + 52 + 1023) << 52 | 1ull << 51;
	double big;

	memcpy(&big, &bits, sizeof big);
	return (x + big) - big;
}

/* The code of x rounded on the format's grid, by the host. */
static uint32_t host_code(const struct format *f, double x)
{
	int low = 1 - f->bias, e = exponent(x);
	double r = rounded(x, (e > low ? e : low) - f->m);
	uint64_t bits;

	if (r == 0)
		return 0;
	e = exponent(r);
	if (e < low)
		return (uint32_t)ldexp(r, f->m - low);
	memcpy(&bits, &r, sizeof bits);
	return (uint32_t)(e + f->bias) << f->m |
	       (uint32_t)(bits >> (52 - f->m) & ((1u << f->m) - 1));
}

static uint32_t narrow_float(const struct format *f, uint32_t bits, uint8_t cfg)
{
	bool saturate = f->fp8 && (cfg & 2) != 0;
	bool suppress = f->fp8 && (cfg & 4) != 0;
	uint32_t sign = (bits >> 31) << (f->width - 1), code;
	double x = fabs((double)oracle_value(bits));
	bool nan = isnan(x), over = isinf(x);

	if (!nan && !over) {
		code = f->fp8 ? nearest(f, x) : host_code(f, x);
		if (code <= f->top)
			return sign | code;
	}
	if (!nan && saturate)
		return sign | f->top;
	if (!nan && f->over != f->nan)
		return sign | f->over;
	if (suppress)
		return sign;
	return f->nan | (f->tag == TPB_DTYPE_FLOAT16 ? sign : 0);
}

static uint32_t narrow_int(uint32_t bits, double low, double high)
{
	double x = (double)oracle_value(bits);

	if (isnan(x))
		x = bits >> 31 != 0 ? low : high;
	if (x < low)
		x = low;
	if (x > high)
		x = high;
	return (uint32_t)(int64_t)rounded(x, 0);
}

uint32_t oracle_narrow(uint8_t tag, uint32_t bits, uint8_t cfg)
{
	const struct format *f;

	switch (tag) {
	case TPB_DTYPE_FLOAT32: return bits;
	case TPB_DTYPE_INT8: return narrow_int(bits, -128, 127) & 0xFF;
	case TPB_DTYPE_UINT8: return narrow_int(bits, 0, 255);
	case TPB_DTYPE_INT16: return narrow_int(bits, -32768, 32767) & 0xFFFF;
	case TPB_DTYPE_UINT16: return narrow_int(bits, 0, 65535);
	case TPB_DTYPE_INT32: return narrow_int(bits, INT32_MIN, INT32_MAX);
	case TPB_DTYPE_UINT32: return narrow_int(bits, 0, UINT32_MAX);
	default: break;
	}
	f = format_of(tag, cfg);
	return f == NULL ? 0 : narrow_float(f, bits, cfg) << f->shift;
}
