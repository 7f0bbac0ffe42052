/* SPDX-License-Identifier: Apache-2.0
 *
 * Immediates as bit patterns of a dtype, for legalize and its test.
 */
#ifndef PASSES_LEGALIZE_H
#define PASSES_LEGALIZE_H

#include <stdbool.h>
#include <stdint.h>

/* Bits of an immediate (integer sign-extended, or a float32 pattern) in dtype
 * `to`: rounded to nearest even, saturated for integers.  false: no rule for
 * that dtype (8-bit floats other than zero, 64-bit integers, packed forms). */
bool legalize_fill(int from, uint64_t imm, int to, uint32_t *bits);

#endif
