/* SPDX-License-Identifier: Apache-2.0
 *
 * Dtypes to fp32 and back, by the host's double arithmetic.
 *
 * Facts: docs/reference/numerics.md, "Widening" and "Narrowing".  A double
 * holds every value of every dtype, and dividing by a power of two is exact,
 * so the one rounding is that of nearbyint() to the grid of the format.
 */
#include "harness/conform_oracle.h"

#include <math.h>
#include <string.h>

/* A float format; codes without the sign. */
struct format {
	uint8_t tag, ocp; /* ocp 2: both configurations */
	int width, fraction, bias;
	uint32_t top;  /* the largest finite value */
	uint32_t over; /* what stands for too large a value */
	uint32_t nan;
	bool fp8;
	int pad; /* bits that are stored below the code */
};

static const struct format formats[] = {
    {TPB_DTYPE_BFLOAT16, 2, 16, 7, 127, 0x7F7F, 0x7F80, 0x7FC0, false, 0},
    {TPB_DTYPE_FLOAT16, 2, 16, 10, 15, 0x7BFF, 0x7C00, 0x7E00, false, 0},
    {TPB_DTYPE_FLOAT32R, 2, 20, 11, 127, 0x7F7FF, 0x7F800, 0x7FC00, false, 12},
    {TPB_DTYPE_FP8E3, 2, 8, 4, 3, 0x6F, 0x70, 0x78, true, 0},
    {TPB_DTYPE_FP8E4, 0, 8, 3, 7, 0x77, 0x78, 0x7C, true, 0},
    {TPB_DTYPE_FP8E4, 1, 8, 3, 7, 0x7E, 0x7F, 0x7F, true, 0},
    {TPB_DTYPE_FP8E5, 2, 8, 2, 15, 0x7B, 0x7C, 0x7E, true, 0}};

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

static const struct format *format_of(uint8_t tag, uint8_t fp8)
{
	for (int i = 0; i < FORMATS; i++)
		if (formats[i].tag == tag &&
		    (formats[i].ocp == 2 || formats[i].ocp == (fp8 & 1)))
			return &formats[i];
	return NULL;
}

static uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

/* Value of a finite code without sign. */
static double code_value(const struct format *f, uint32_t code)
{
	int exponent = (int)(code >> f->fraction);
	uint32_t fraction = code & ((1u << f->fraction) - 1);

	if (exponent == 0)
		return ldexp(fraction, 1 - f->bias - f->fraction);
	return ldexp(fraction + (1u << f->fraction),
	             exponent - f->bias - f->fraction);
}

static uint32_t widen_float(const struct format *f, uint32_t bits)
{
	uint32_t sign = bits >> (f->width - 1) & 1;
	uint32_t code = bits & ((1u << (f->width - 1)) - 1);
	double x;

	if (code <= f->top)
		x = code_value(f, code);
	else if (code == f->over && f->over != f->nan)
		x = (double)INFINITY;
	else
		return CONFORM_NAN;
	return bits_of((float)(sign ? -x : x));
}

uint32_t conform_widen(uint8_t tag, uint32_t bits, uint8_t fp8)
{
	switch (tag) {
	case TPB_DTYPE_FLOAT32:
	case TPB_DTYPE_FLOAT32R: return bits;
	case TPB_DTYPE_BFLOAT16: return bits << 16;
	case TPB_DTYPE_INT8: return bits_of((float)(int8_t)bits);
	case TPB_DTYPE_UINT8: return bits_of((float)(uint8_t)bits);
	case TPB_DTYPE_INT16: return bits_of((float)(int16_t)bits);
	case TPB_DTYPE_UINT16: return bits_of((float)(uint16_t)bits);
	case TPB_DTYPE_INT32: return bits_of((float)(int32_t)bits);
	case TPB_DTYPE_UINT32: return bits_of((float)bits);
	default: return widen_float(format_of(tag, fp8), bits);
	}
}

/* |x| finite, rounded to the grid of the format, which has no end above. */
static double to_grid(const struct format *f, double x)
{
	int exponent = x == 0 ? 1 - f->bias : ilogb(x);
	double unit;

	if (exponent < 1 - f->bias)
		exponent = 1 - f->bias;
	unit = ldexp(1, exponent - f->fraction);
	return nearbyint(x / unit) * unit;
}

/* The code of a value on the grid, at most the largest. */
static uint32_t code_of(const struct format *f, double x)
{
	int exponent = x == 0 ? -f->bias : ilogb(x);

	if (exponent < 1 - f->bias)
		return (uint32_t)(x / ldexp(1, 1 - f->bias - f->fraction));
	return ((uint32_t)(exponent + f->bias) << f->fraction) +
	       (uint32_t)(ldexp(x, f->fraction - exponent)) -
	       (1u << f->fraction);
}

static uint32_t nan_code(const struct format *f, uint32_t sign, uint8_t fp8)
{
	if (f->fp8 && fp8 & CONFORM_SUPPRESS)
		return sign << (f->width - 1);
	if (f->tag == TPB_DTYPE_FLOAT16)
		return sign << (f->width - 1) | f->nan;
	return f->nan;
}

static uint32_t narrow_float(const struct format *f, float x, uint8_t fp8)
{
	uint32_t sign = signbit(x) ? 1 : 0;
	double r;

	if (isnan(x))
		return nan_code(f, sign, fp8);
	if (!isinf(x)) {
		r = to_grid(f, fabs((double)x));
		if (r <= code_value(f, f->top))
			return sign << (f->width - 1) | code_of(f, r);
	}
	if (f->fp8 && fp8 & CONFORM_SATURATE)
		return sign << (f->width - 1) | f->top;
	if (f->over == f->nan) /* no infinity */
		return nan_code(f, sign, fp8);
	return sign << (f->width - 1) | f->over;
}

static uint32_t narrow_int(double low, double high, float x)
{
	double r = (double)x;

	if (isnan(x))
		r = signbit(x) ? low : high;
	r = nearbyint(r);
	r = r < low ? low : r > high ? high : r;
	return (uint32_t)(int64_t)r;
}

uint32_t conform_narrow(uint8_t tag, uint32_t f32, uint8_t fp8)
{
	const struct format *f = format_of(tag, fp8);
	float x;

	memcpy(&x, &f32, sizeof(x));
	switch (tag) {
	case TPB_DTYPE_FLOAT32: return f32;
	case TPB_DTYPE_INT8: return narrow_int(INT8_MIN, INT8_MAX, x) & 0xFF;
	case TPB_DTYPE_UINT8: return narrow_int(0, UINT8_MAX, x);
	case TPB_DTYPE_INT16:
		return narrow_int(INT16_MIN, INT16_MAX, x) & 0xFFFF;
	case TPB_DTYPE_UINT16: return narrow_int(0, UINT16_MAX, x);
	case TPB_DTYPE_INT32: return narrow_int(INT32_MIN, INT32_MAX, x);
	case TPB_DTYPE_UINT32: return narrow_int(0, UINT32_MAX, x);
	default: return narrow_float(f, x, fp8) << f->pad;
	}
}
