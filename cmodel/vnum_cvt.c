/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversions of the vector ops: every dtype to fp32 and back.
 *
 * Each format is one loop without branches.  Three properties of fp32 carry
 * them.  A small float becomes an fp32 by moving its fields into place and
 * one exact multiplication by a power of two, subnormals included.  A number
 * below the normal range of the target is rounded by adding a power of two
 * whose last place is the target's smallest step.  A number in the normal
 * range is rounded on its bits, where a carry out of the fraction lands in
 * the exponent, as it should.  The host rounds to nearest even.
 *
 * Facts: docs/reference/numerics.md, "Widening" and "Narrowing".
 */
#include "cmodel/vnum.h"

/* A float format narrower than fp32.  Codes are without the sign. */
struct vnum_format {
	int m;         /* bits of the fraction */
	int bias;      /* of the exponent */
	int sign;      /* bit of the sign in a raw element */
	uint32_t max;  /* largest number */
	uint32_t inf;  /* infinity; beyond the codes when there is none */
	uint32_t over; /* what an overflow becomes without saturation */
	uint32_t nan;  /* what a NaN becomes */
	bool small;    /* an 8-bit format: saturates when so configured */
	bool keep;     /* a NaN keeps its sign */
};

static const struct vnum_format vnum_bf16 = {
    7, 127, 15, 0x7F7F, 0x7F80, 0x7F80, 0x7FC0, false, false};
static const struct vnum_format vnum_fp16 = {
    10, 15, 15, 0x7BFF, 0x7C00, 0x7C00, 0x7E00, false, true};
static const struct vnum_format vnum_e3m4 = {4,    3,    7,    0x6F, 0x70,
                                             0x70, 0x78, true, false};
static const struct vnum_format vnum_e4m3 = {3,    7,    7,    0x77, 0x78,
                                             0x78, 0x7C, true, false};
static const struct vnum_format vnum_e4m3fn = {3,    7,    7,    0x7E, 0x80,
                                               0x7F, 0x7F, true, false};
static const struct vnum_format vnum_e5m2 = {2,    15,   7,    0x7B, 0x7C,
                                             0x7C, 0x7E, true, false};

/* c ? x : y without a branch: a compiler that must not run floating-point
 * operations in vain would make one, and not vectorise. */
static inline uint32_t vnum_pick(bool c, uint32_t x, uint32_t y)
{
	uint32_t m = 0 - (uint32_t)c;

	return (x & m) | (y & ~m);
}

/* ------------------------------------------------------------------ *
 * Widening.                                                          *
 * ------------------------------------------------------------------ */

/* Called with a constant format, so that its fields are constants below. */
static inline __attribute__((always_inline)) void vnum_widen_float(
    const struct vnum_format f, int n, const uint32_t *restrict raw,
    uint32_t *restrict out)
{
	float scale = vnum_float((uint32_t)(254 - f.bias) << 23);
	uint32_t mask = (1u << f.sign) - 1;

	for (int i = 0; i < n; i++) {
		uint32_t mag = raw[i] & mask;
		uint32_t sign = (raw[i] >> f.sign & 1) << 31;
		uint32_t v = vnum_bits(vnum_float(mag << (23 - f.m)) * scale);
		uint32_t special = mag == f.inf ? 0x7F800000 | sign : VNUM_NAN;

		out[i] = vnum_pick(mag > f.max, special, v | sign);
	}
}

static void vnum_widen_small(uint8_t tag, unsigned fp8, int n,
                             const uint32_t *restrict raw,
                             uint32_t *restrict out)
{
	if (tag == TPB_DTYPE_FP8E3)
		vnum_widen_float(vnum_e3m4, n, raw, out);
	else if (tag == TPB_DTYPE_FP8E5)
		vnum_widen_float(vnum_e5m2, n, raw, out);
	else if (fp8 & VNUM_FP8_OCP)
		vnum_widen_float(vnum_e4m3fn, n, raw, out);
	else
		vnum_widen_float(vnum_e4m3, n, raw, out);
}

#define VNUM_WIDEN(value)                   \
	do {                                \
		for (int i = 0; i < n; i++) \
			f32[i] = (value);   \
	} while (0)

void vnum_widen(uint8_t tag, unsigned fp8, int n, const uint32_t *restrict raw,
                uint32_t *restrict f32)
{
	switch (tag) {
	case TPB_DTYPE_FLOAT32:
	case TPB_DTYPE_FLOAT32R:
		memcpy(f32, raw, sizeof(*f32) * (size_t)n);
		break;
	case TPB_DTYPE_BFLOAT16: VNUM_WIDEN(raw[i] << 16); break;
	case TPB_DTYPE_FLOAT16: vnum_widen_float(vnum_fp16, n, raw, f32); break;
	case TPB_DTYPE_INT8:
		VNUM_WIDEN(vnum_bits((float)(int8_t)raw[i]));
		break;
	case TPB_DTYPE_UINT8:
		VNUM_WIDEN(vnum_bits((float)(uint8_t)raw[i]));
		break;
	case TPB_DTYPE_INT16:
		VNUM_WIDEN(vnum_bits((float)(int16_t)raw[i]));
		break;
	case TPB_DTYPE_UINT16:
		VNUM_WIDEN(vnum_bits((float)(uint16_t)raw[i]));
		break;
	case TPB_DTYPE_INT32:
		VNUM_WIDEN(vnum_bits((float)(int32_t)raw[i]));
		break;
	case TPB_DTYPE_UINT32: VNUM_WIDEN(vnum_bits((float)raw[i])); break;
	case TPB_DTYPE_FP8E3:
	case TPB_DTYPE_FP8E4:
	case TPB_DTYPE_FP8E5: vnum_widen_small(tag, fp8, n, raw, f32); break;
	default: VNUM_WIDEN(0); break;
	}
}

/* ------------------------------------------------------------------ *
 * Narrowing to floats.                                               *
 * ------------------------------------------------------------------ */

static inline __attribute__((always_inline)) void vnum_narrow_float(
    const struct vnum_format f, unsigned fp8, int n, const uint32_t *restrict x,
    uint32_t *restrict out)
{
	int drop = 23 - f.m;
	uint32_t shift = (uint32_t)(127 - f.bias) << 23,
	         half = 1u << (drop - 1);
	uint32_t step = (uint32_t)(151 - f.bias - f.m) << 23;
	uint32_t normal = f.bias == 127 ? 0 : (uint32_t)(128 - f.bias) << 23;
	bool suppress = f.small && (fp8 & VNUM_FP8_NAN_SUPPRESS);
	uint32_t nan = suppress ? 0 : f.nan;
	uint32_t nan_sign = suppress || f.keep;
	bool saturate = f.small && (fp8 & VNUM_FP8_SATURATE);
	/* e4m3fn has no infinity: its overflow is its NaN, by the NaN's rule.
	 */
	uint32_t over = saturate ? f.max : f.over == f.nan ? nan : f.over;
	uint32_t over_sign = saturate || f.over != f.nan ? 1 : nan_sign;

	for (int i = 0; i < n; i++) {
		uint32_t mag = x[i] & 0x7FFFFFFF, sign = x[i] >> 31;
		uint32_t odd = mag >> drop & 1;
		uint32_t big = (mag - shift + half - 1 + odd) >> drop;
		float sum = vnum_float(mag) + vnum_float(step);
		uint32_t tiny = vnum_bits(sum) - step;
		uint32_t code = vnum_pick(mag < normal, tiny, big);

		code =
		    vnum_pick(code > f.max, over | (sign & over_sign) << f.sign,
		              code | sign << f.sign);
		out[i] = vnum_pick(mag > 0x7F800000,
		                   nan | (sign & nan_sign) << f.sign, code);
	}
}

static void vnum_narrow_small(uint8_t tag, unsigned fp8, int n,
                              const uint32_t *restrict x,
                              uint32_t *restrict out)
{
	if (tag == TPB_DTYPE_FP8E3)
		vnum_narrow_float(vnum_e3m4, fp8, n, x, out);
	else if (tag == TPB_DTYPE_FP8E5)
		vnum_narrow_float(vnum_e5m2, fp8, n, x, out);
	else if (fp8 & VNUM_FP8_OCP)
		vnum_narrow_float(vnum_e4m3fn, fp8, n, x, out);
	else
		vnum_narrow_float(vnum_e4m3, fp8, n, x, out);
}

/* ------------------------------------------------------------------ *
 * Narrowing to integers.                                             *
 * ------------------------------------------------------------------ */

/* The nearest integer, ties to even, as an fp32; x is no NaN.  From 2^23 on
 * every fp32 is an integer. */
static inline float vnum_round(float x)
{
	float mag = vnum_float(vnum_bits(x) & 0x7FFFFFFF);
	float near = (mag + 8388608.0f) - 8388608.0f;
	uint32_t r =
	    vnum_pick(mag < 8388608.0f, vnum_bits(near), vnum_bits(mag));

	return vnum_float(r | (vnum_bits(x) & 0x80000000));
}

/* A NaN saturates by its sign, as an infinity does. */
static inline float vnum_number(uint32_t x)
{
	uint32_t inf = 0x7F800000 | (x & 0x80000000);

	return vnum_float(vnum_is_nan(x) ? inf : x);
}

static inline float vnum_clamp(float x, float lo, float hi)
{
	uint32_t v = vnum_pick(x < lo, vnum_bits(lo), vnum_bits(x));

	return vnum_float(vnum_pick(x > hi, vnum_bits(hi), v));
}

/* lo and hi are exact in fp32 and in int32. */
static inline __attribute__((always_inline)) void vnum_narrow_int(
    float lo, float hi, uint32_t mask, int n, const uint32_t *restrict x,
    uint32_t *restrict out)
{
	for (int i = 0; i < n; i++) {
		float r = vnum_clamp(vnum_round(vnum_number(x[i])), lo, hi);

		out[i] = (uint32_t)(int32_t)r & mask;
	}
}

static void vnum_narrow_i32(int n, const uint32_t *restrict x,
                            uint32_t *restrict out)
{
	for (int i = 0; i < n; i++) {
		float r = vnum_round(vnum_number(x[i]));
		/* 2^31 - 128 is the largest fp32 below 2^31. */
		float c = vnum_clamp(r, -2147483648.0f, 2147483520.0f);

		out[i] = vnum_pick(r >= 2147483648.0f, INT32_MAX,
		                   (uint32_t)(int32_t)c);
	}
}

/* In two halves of the range, each of which an int32 can hold. */
static void vnum_narrow_u32(int n, const uint32_t *restrict x,
                            uint32_t *restrict out)
{
	for (int i = 0; i < n; i++) {
		float r = vnum_round(vnum_number(x[i]));
		float lo = vnum_clamp(r, 0.0f, 2147483520.0f);
		float hi = vnum_clamp(r - 2147483648.0f, 0.0f, 2147483520.0f);
		uint32_t v = vnum_pick(r >= 2147483648.0f,
		                       (uint32_t)(int32_t)hi | 0x80000000,
		                       (uint32_t)(int32_t)lo);

		out[i] = vnum_pick(r >= 4294967296.0f, UINT32_MAX, v);
	}
}

static void vnum_narrow_fp32r(int n, const uint32_t *restrict x,
                              uint32_t *restrict out)
{
	for (int i = 0; i < n; i++) {
		uint32_t v = (x[i] + 0x7FF + (x[i] >> 12 & 1)) & ~0xFFFu;

		out[i] = vnum_is_nan(x[i]) ? VNUM_NAN : v;
	}
}

void vnum_narrow(uint8_t tag, unsigned fp8, int n, const uint32_t *restrict f32,
                 uint32_t *restrict raw)
{
	switch (tag) {
	case TPB_DTYPE_FLOAT32:
		memcpy(raw, f32, sizeof(*raw) * (size_t)n);
		break;
	case TPB_DTYPE_FLOAT32R: vnum_narrow_fp32r(n, f32, raw); break;
	case TPB_DTYPE_BFLOAT16:
		vnum_narrow_float(vnum_bf16, fp8, n, f32, raw);
		break;
	case TPB_DTYPE_FLOAT16:
		vnum_narrow_float(vnum_fp16, fp8, n, f32, raw);
		break;
	case TPB_DTYPE_INT8:
		vnum_narrow_int(-128.0f, 127.0f, 0xFF, n, f32, raw);
		break;
	case TPB_DTYPE_UINT8:
		vnum_narrow_int(0.0f, 255.0f, 0xFF, n, f32, raw);
		break;
	case TPB_DTYPE_INT16:
		vnum_narrow_int(-32768.0f, 32767.0f, 0xFFFF, n, f32, raw);
		break;
	case TPB_DTYPE_UINT16:
		vnum_narrow_int(0.0f, 65535.0f, 0xFFFF, n, f32, raw);
		break;
	case TPB_DTYPE_INT32: vnum_narrow_i32(n, f32, raw); break;
	case TPB_DTYPE_UINT32: vnum_narrow_u32(n, f32, raw); break;
	case TPB_DTYPE_FP8E3:
	case TPB_DTYPE_FP8E4:
	case TPB_DTYPE_FP8E5: vnum_narrow_small(tag, fp8, n, f32, raw); break;
	default: memset(raw, 0, sizeof(*raw) * (size_t)n); break;
	}
}
