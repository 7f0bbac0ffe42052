/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files that decode bundles.
 *
 * All rules of a bundle are tested; each one that is broken sets the bit of
 * its code, and the lowest bit is the verdict.  Rules about zero bytes work
 * on a map with one bit a byte.  Facts: docs/reference/decode.md.
 */
#ifndef CMODEL_DECODE_H
#define CMODEL_DECODE_H

#include "cmodel/tpb.h"

struct decode {
	const uint8_t *b;
	uint64_t nonzero; /* bit i: byte i is not 0 */
	uint32_t faults;  /* bit i: code i applies */
};

/* Maps of one byte, and of the bytes first..last, for constants. */
#define DECODE_BYTE(x) (1ull << (x))
#define DECODE_RANGE(first, last)                                 \
	(((last) == 63 ? 0ull : DECODE_BYTE(((last) + 1) & 63)) - \
	 DECODE_BYTE(first))

static inline uint32_t decode_word(const struct decode *d, unsigned off)
{
	const uint8_t *b = d->b + off;

	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
	       (uint32_t)b[3] << 24;
}

static inline void decode_if(struct decode *d, bool broken, int code)
{
	d->faults |= (uint32_t)broken << code;
}

/* decode_vec.c: bytes of the payload that a vector op names, 0 when the
 * engine has no such op in this profile. */
uint64_t decode_vec_named(int gen, int engine, uint8_t op);
/* The rules between them. */
void decode_vec(struct decode *d, int gen);

#endif
