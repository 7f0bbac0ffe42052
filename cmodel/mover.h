/* SPDX-License-Identifier: Apache-2.0
 *
 * The mover's view of its descriptor, for mover.c and mover_move.c.
 *
 * The fields of dm_desc by side, 0 source, 1 destination.  Facts:
 * docs/reference/dma.md, "Mover".
 */
#ifndef CMODEL_MOVER_H
#define CMODEL_MOVER_H

#include "cmodel/dma.h"

#define MOVER_BASE 0xFFFFFFFFFFFFFFull /* 56 bits */

enum { MOVER_SRC, MOVER_DST };

static inline uint8_t mover_byte(const struct tpb_state *s, unsigned off)
{
	return (uint8_t)(s->dm_desc[off >> 2] >> (off & 3) * 8);
}

static inline uint16_t mover_half(const struct tpb_state *s, unsigned off)
{
	return (uint16_t)(s->dm_desc[off >> 2] >> (off & 2) * 8);
}

/* Begin of the fields of a side. */
static inline unsigned mover_at(int side)
{
	return side == MOVER_SRC ? 0x10 : 0x28;
}

static inline uint64_t mover_base(const struct tpb_state *s, int side)
{
	const uint32_t *w = &s->dm_desc[mover_at(side) >> 2];

	return (w[0] | (uint64_t)w[1] << 32) & MOVER_BASE;
}

static inline uint32_t mover_step(const struct tpb_state *s, int side,
                                  unsigned dim)
{
	return s->dm_desc[(mover_at(side) + 8 + 4 * dim) >> 2];
}

static inline uint16_t mover_num(const struct tpb_state *s, int side,
                                 unsigned dim)
{
	return mover_half(s, mover_at(side) + 0x10 + 2 * dim);
}

static inline uint32_t mover_run(const struct tpb_state *s, int side)
{
	uint16_t es = mover_half(s, mover_at(side) + 0x14);

	return es == 0 ? 65536 : es;
}

static inline uint8_t mover_tag(const struct tpb_state *s, int side)
{
	return mover_byte(s, 0x3E + (unsigned)side);
}

static inline bool mover_converts(const struct tpb_state *s)
{
	return mover_tag(s, MOVER_SRC) != mover_tag(s, MOVER_DST);
}

/* Bytes of an element; 0: no dtype that can be converted. */
static inline uint8_t mover_size(uint8_t tag)
{
	static const uint8_t size[16] = {
	    [TPB_DTYPE_UINT64] = 8,   [TPB_DTYPE_INT8] = 1,
	    [TPB_DTYPE_UINT8] = 1,    [TPB_DTYPE_INT16] = 2,
	    [TPB_DTYPE_UINT16] = 2,   [TPB_DTYPE_BFLOAT16] = 2,
	    [TPB_DTYPE_FLOAT16] = 2,  [TPB_DTYPE_INT32] = 4,
	    [TPB_DTYPE_UINT32] = 4,   [TPB_DTYPE_FLOAT32] = 4,
	    [TPB_DTYPE_FLOAT32R] = 4, [TPB_DTYPE_INT64] = 8,
	    [TPB_DTYPE_FP8E3] = 1,    [TPB_DTYPE_FP8E4] = 1,
	    [TPB_DTYPE_FP8E5] = 1,
	};

	return tag < 16 ? size[tag] : 0;
}

/* mover_move.c, also for the fast path (run_dma.c). */

/* An element of the source as one of the destination. */
uint64_t mover_convert(const struct tpb *t, uint64_t raw);
/* n bytes of the side's run are done. */
void mover_advance(struct tpb_state *s, int side, unsigned n);

/* mover.c: the side steps to its next run, or is finished. */
void mover_next_run(struct tpb_state *s, int side);

#endif
