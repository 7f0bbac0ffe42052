/* SPDX-License-Identifier: Apache-2.0
 *
 * The oracle of `tpb conform`: what a vector bundle does to memory, by the
 * host's own arithmetic and one element at a time.
 *
 *   conform_oracle.c      the serial loop of each op
 *   conform_job.c         operands of a bundle
 *   conform_oracle_num.c  ALU operations
 *   conform_oracle_cvt.c  dtypes to fp32 and back
 *
 * Written from docs/reference/vector.md and numerics.md; shares nothing with
 * the model, the RTL or the compiler.  Bundles must be legal.
 */
#ifndef HARNESS_CONFORM_ORACLE_H
#define HARNESS_CONFORM_ORACLE_H

#include "isa/isa.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	CONFORM_PSUM = 0x2000000, /* address of the first byte of PSUM */
	CONFORM_PSUM_BYTES = 16384,
	CONFORM_NAN = 0x7FC00000
};

/* fp8 configuration. */
enum { CONFORM_OCP = 1, CONFORM_SATURATE = 2, CONFORM_SUPPRESS = 4 };

/* What a vector bundle reads and writes besides itself. */
struct conform_machine {
	uint8_t *sbuf, *psum; /* partition after partition */
	uint32_t part_bytes;  /* of SBUF */
	uint32_t rf[TPB_REGS];
	uint32_t acc[TPB_PARTITIONS];
	uint32_t match[TPB_PARTITIONS][8];
	uint8_t flags; /* alu_flags */
	uint8_t fp8;
};

/* Execute a vector bundle, or a RegisterMove of 32-bit immediates. */
void conform_execute(struct conform_machine *m, const uint8_t *bundle);
/* Beats that it takes on so many lanes; 0 for other bundles. */
uint32_t conform_beats(const uint8_t *bundle, uint32_t lanes);

/* The byte at an on-chip address, moved by so many partitions. */
uint8_t *conform_at(struct conform_machine *m, uint32_t addr, int partition);
/* Little-endian element of 1, 2 or 4 bytes. */
uint32_t conform_get(const uint8_t *p, int size);
void conform_put(uint8_t *p, int size, uint32_t v);

/* fp32 words, as bits. */
uint32_t conform_fp(uint8_t op, uint32_t a, uint32_t b);
bool conform_equal(uint32_t a, uint32_t b);
bool conform_greater(uint32_t a, uint32_t b);
bool conform_nan(uint32_t a);
/* Has the integer path this operation? */
bool conform_has_int(uint8_t op);
/* Two 32-bit words under the tag of in0, stored under that of out.  A
 * division by 0 sets its bit in *flags. */
uint32_t conform_int(uint8_t op, uint32_t a, uint32_t b, uint8_t in,
                     uint8_t out, uint8_t *flags);
/* Raw bits of a width of 8, 16 or 32. */
uint32_t conform_bits(uint8_t op, uint32_t x, uint32_t y, int width);

/* An element of a dtype to fp32 bits, and back. */
uint32_t conform_widen(uint8_t tag, uint32_t bits, uint8_t fp8);
uint32_t conform_narrow(uint8_t tag, uint32_t f32, uint8_t fp8);

#endif
