/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of the vector ops, as pure functions on arrays of lanes.
 *
 * Nothing here knows bundles, engines or cycles: tpb_step() calls these with
 * the lanes of one beat, the fast path with a whole row.  Each op is one
 * tight loop over n values, so that the C compiler can vectorise it.
 *
 * A value travels as 32 bits: "raw" is an element of memory, zero extended
 * from the size of its dtype; "f32" is the bits of an fp32.  Outputs must not
 * overlap inputs.  The host's fp32 add, subtract, multiply, divide and square
 * root are used as they are, in round-to-nearest-even with denormals; no
 * other function of a math library, and no expression that could be
 * contracted into a fused one.
 *
 * Facts: docs/reference/numerics.md.
 */
#ifndef CMODEL_VNUM_H
#define CMODEL_VNUM_H

#include "isa/isa.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The one NaN that arithmetic yields, and what compares yield. */
#define VNUM_NAN 0x7FC00000u
#define VNUM_ONE 0x3F800000u

/* Configuration of the 8-bit float formats, a set of bits. */
#define VNUM_FP8_OCP 1u          /* tag 14 is e4m3fn, not the legacy E4M3 */
#define VNUM_FP8_SATURATE 2u     /* overflow gives the largest number */
#define VNUM_FP8_NAN_SUPPRESS 4u /* a NaN is written as a zero */
#define VNUM_FP8_DEFAULT VNUM_FP8_SATURATE

static inline float vnum_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static inline uint32_t vnum_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static inline bool vnum_is_nan(uint32_t f32)
{
	return (f32 & 0x7FFFFFFF) > 0x7F800000;
}

/* vnum_cvt.c: raw elements of dtype `tag` to fp32 and back.  Tags of the
 * datapath: 2..11 and 13..15; any other yields zeros. */
void vnum_widen(uint8_t tag, unsigned fp8, int n, const uint32_t *restrict raw,
                uint32_t *restrict f32);
void vnum_narrow(uint8_t tag, unsigned fp8, int n, const uint32_t *restrict f32,
                 uint32_t *restrict raw);

/* vnum_alu.c: out[i] = a[i] op b[i].  `op` is an ALU wire byte. */

/* The fp32 path.  Every NaN that an op yields is VNUM_NAN; bypass hands a's
 * bits on.  pow and the bit ops are no ops of this path: they yield zeros. */
void vnum_arith(uint8_t op, int n, const uint32_t *restrict a,
                const uint32_t *restrict b, uint32_t *restrict out);

/* The 32-bit integer path, plain codes or those of the int32 band.  Both
 * operands are read as in_signed says; the exact result is clamped to int32
 * when out_signed, else taken modulo 2^32.  A zero divisor gives all ones
 * (divide) or a (mod): see vnum_zeros(). */
void vnum_integer(uint8_t op, bool in_signed, bool out_signed, int n,
                  const uint32_t *restrict a, const uint32_t *restrict b,
                  uint32_t *restrict out);
bool vnum_is_integer_op(uint8_t op);
/* The plain code that a code of the int32 band means, or the code itself. */
uint8_t vnum_plain_op(uint8_t op);
/* Bit i set: b[i] is 0; n <= 64. */
uint64_t vnum_zeros(int n, const uint32_t *b);

/* The bit path on elements of w = 8, 16 or 32 bits. */
void vnum_bitvec(uint8_t op, int w, int n, const uint32_t *restrict a,
                 const uint32_t *restrict b, uint32_t *restrict out);
bool vnum_is_bitvec_op(uint8_t op);

/* fp32 comparison a > b and a == b, false with a NaN, as masks of all ones. */
void vnum_greater(int n, const uint32_t *restrict a, const uint32_t *restrict b,
                  uint32_t *restrict out);
void vnum_equal(int n, const uint32_t *restrict a, const uint32_t *restrict b,
                uint32_t *restrict out);

#endif
