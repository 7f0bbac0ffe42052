/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of the interpreter: conversions, the fp32, integer and bit
 * operations of the vector engine, the scalar ALU.  Values travel as bit
 * patterns; fp32 is a uint32_t.  Written from the numeric definitions alone,
 * with the host's IEEE single precision for add, mult, divide and sqrt.
 */
#ifndef BIR_INTERP_NUM_H
#define BIR_INTERP_NUM_H

#include <stdbool.h>
#include <stdint.h>

#define NUM_NAN 0x7FC00000u /* what every operation makes of a NaN */

struct num_config {
	bool fp8_saturate, fp8_nan_suppress;
};

/* Element bits of a dtype (TPB_BIR_DTYPE_...) to fp32 and back. */
uint32_t num_widen(int dtype, uint64_t bits);
uint64_t num_narrow(const struct num_config *c, int dtype, uint32_t f);
/* Value of an integer to an integer type: clamped, no detour. */
uint64_t num_clamp(int dtype, __int128 v);
/* Integer to fp32, nearest even. */
uint32_t num_from_int(int64_t v);

/* fp32: TPB_BIR_ALU_...; false: the op has no fp32 form here. */
bool num_f32(int op, uint32_t a, uint32_t b, uint32_t *r);
uint32_t num_neg(uint32_t a);
uint32_t num_recip(uint32_t a);
bool num_is_nan(uint32_t a);
/* fp32 compares: false with a NaN, -0 equals +0. */
bool num_eq(uint32_t a, uint32_t b);
bool num_gt(uint32_t a, uint32_t b);

/* 32-bit integers: operands read as the in dtype, result stored as the out
 * dtype (int32 clamps, uint32 wraps); false: no integer form. */
bool num_i32(int op, int in, int out, uint32_t a, uint32_t b, uint32_t *r);
/* Raw bits of `width` 8, 16 or 32. */
bool num_bits(int op, int width, uint32_t a, uint32_t b, uint32_t *r);
/* Scalar ALU, 32 or 64 bits; is_signed by the dtype. */
bool num_alu(int op, int bits, bool is_signed, uint64_t a, uint64_t b,
             uint64_t *r);

#endif
