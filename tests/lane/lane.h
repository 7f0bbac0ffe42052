/* SPDX-License-Identifier: Apache-2.0
 *
 * The lane functions of rtl/, verilated alone (lane_top.sv), behind one call.
 *
 * lane_open before, lane_close after; one instance, one thread.
 */
#ifndef TPB_TESTS_LANE_LANE_H
#define TPB_TESTS_LANE_LANE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LANE_WIDTH 32

/* Functions, with the numbers of lane_top.sv. */
enum lane_unit {
	LANE_ARITH,
	LANE_INT,
	LANE_BITVEC,
	LANE_WIDEN,
	LANE_NARROW,
	LANE_NEG,
	LANE_INT_NEG
};

/* Which function, and its arguments other than the operands. */
struct lane_op {
	enum lane_unit unit;
	uint8_t code; /* ALU byte or dtype tag */
	uint8_t cfg;  /* as lane_top.sv says */
};

void lane_open(void);
void lane_close(void);

/* LANE_WIDTH results; two flags a lane, lane 0 in the low bits. */
void lane_run(const struct lane_op *op, const uint32_t *a, const uint32_t *b,
              uint32_t *word, uint64_t *flags);

#ifdef __cplusplus
}
#endif

#endif
