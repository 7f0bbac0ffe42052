/* SPDX-License-Identifier: Apache-2.0
 *
 * What the lane functions must give, by means that the RTL does not have: the
 * host's FPU, 128-bit integers, modular powers, a search for the nearest value.
 *
 * Facts: docs/reference/numerics.md.  No state; built with
 * -ffp-contract=off.
 */
#ifndef TPB_TESTS_LANE_ORACLE_H
#define TPB_TESTS_LANE_ORACLE_H

#include "tests/lane/lane.h"

#include <string.h>

struct oracle_result {
	uint32_t word;
	uint32_t flags;
};

/* The result of any lane function. */
struct oracle_result oracle_run(const struct lane_op *op, uint32_t a,
                                uint32_t b);

/* The conversions (oracle_cvt.c). */
uint32_t oracle_widen(uint8_t tag, uint32_t bits, uint8_t cfg);
uint32_t oracle_narrow(uint8_t tag, uint32_t bits, uint8_t cfg);

/* Fill the tables of the nearest-value search; once, before any of these. */
void oracle_open(void);

/* The host's number of a word, and back. */
static inline float oracle_value(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static inline uint32_t oracle_bits(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

#endif
