/* SPDX-License-Identifier: Apache-2.0
 *
 * The mover of the DMA unit: blocks, descriptors and their runs.
 *
 * A descriptor names a set of runs on each side.  They are walked twice, once
 * to check that every run lies in its memory and once to move the bytes
 * (mover_move.c).  Facts: docs/reference/dma.md, "Mover".
 */
#include "cmodel/mover.h"

#define MOVER_ONCHIP (1ull << 36) /* DRAM ends, SBUF begins */
#define MOVER_SBUF_SIZE 0x2000000u
#define MOVER_SBUF_PART 0x40000u /* distance of partitions */
#define MOVER_PSUM_SIZE 0x400000u
#define MOVER_PSUM_PART 0x8000u
#define MOVER_PSUM_BYTES 16384u /* backed, of a partition */

/* ------------------------------------------------------------------ *
 * Check.                                                             *
 * ------------------------------------------------------------------ */

static uint64_t mover_total(const struct tpb_state *s, int side)
{
	return (uint64_t)mover_num(s, side, 0) * mover_num(s, side, 1) *
	       mover_run(s, side);
}

/* Base, steps and run are whole elements. */
static bool mover_aligned(const struct tpb_state *s, int side, unsigned size)
{
	uint64_t all = mover_base(s, side) | mover_step(s, side, 0) |
	               mover_step(s, side, 1) | mover_run(s, side);

	return (all & (size - 1)) == 0;
}

/* What the descriptor alone tells. */
static bool mover_static_bad(const struct tpb_state *s)
{
	uint64_t total[2];

	if (mover_byte(s, 0) != TPB_OP_DMA_DIRECT || mover_byte(s, 0x0C) >> 3)
		return true;
	if (mover_byte(s, 0x0F) | mover_half(s, 0x26) | mover_byte(s, 0x17) |
	    mover_byte(s, 0x2F))
		return true;
	if (mover_byte(s, 0x0E) == 0 && mover_byte(s, 0x0D) != 0)
		return true;
	for (int side = 0; side < 2; side++) {
		total[side] = mover_total(s, side);
		if (total[side] == 0)
			return true;
		if (mover_converts(s)) {
			unsigned size = mover_size(mover_tag(s, side));

			if (size == 0 || !mover_aligned(s, side, size))
				return true;
			total[side] /= size;
		}
	}
	return total[MOVER_SRC] != total[MOVER_DST];
}

/* The run that the side is at lies in one memory, on chip in one partition.
 * A side keeps to DRAM or to the chip: the reads of the one would overtake
 * those of the other. */
static bool mover_inside(const struct tpb *t, int side)
{
	uint64_t addr = t->s.dm_a[side], off = addr - MOVER_ONCHIP;
	uint32_t es = mover_run(&t->s, side);

	if ((addr < MOVER_ONCHIP) != (mover_base(&t->s, side) < MOVER_ONCHIP))
		return false;
	if (addr < MOVER_ONCHIP)
		return es <= MOVER_ONCHIP - addr;
	if (off < MOVER_SBUF_SIZE)
		return off % MOVER_SBUF_PART + es <= t->cfg.sbuf_part_bytes;
	if (off < MOVER_SBUF_SIZE + MOVER_PSUM_SIZE)
		return off % MOVER_PSUM_PART + es <= MOVER_PSUM_BYTES;
	return false;
}

/* ------------------------------------------------------------------ *
 * Runs.                                                              *
 * ------------------------------------------------------------------ */

static uint64_t mover_signed(uint32_t step)
{
	return (uint64_t)(int64_t)(int32_t)step;
}

void mover_next_run(struct tpb_state *s, int side)
{
	if (s->dm_i[side] + 1u < mover_num(s, side, 0)) {
		s->dm_i[side]++;
		s->dm_a[side] += mover_signed(mover_step(s, side, 0));
	} else if (s->dm_j[side] + 1u < mover_num(s, side, 1)) {
		s->dm_i[side] = 0;
		s->dm_j[side]++;
		s->dm_r[side] += mover_signed(mover_step(s, side, 1));
		s->dm_a[side] = s->dm_r[side];
	} else {
		s->dm_fin[side] = 1;
	}
}

static void mover_rewind(struct tpb_state *s)
{
	for (int side = 0; side < 2; side++) {
		s->dm_a[side] = mover_base(s, side);
		s->dm_r[side] = mover_base(s, side);
		s->dm_i[side] = 0;
		s->dm_j[side] = 0;
		s->dm_fin[side] = 0;
	}
}

/* ------------------------------------------------------------------ *
 * States other than MOVE.                                            *
 * ------------------------------------------------------------------ */

static void mover_leave(struct tpb_state *s)
{
	s->dm_rr = (s->dm_q + 1) & DMA_QUEUE_MASK;
	s->dm_state = TPB_MOVER_IDLE;
}

static void mover_pick(struct tpb *t, struct cycle *c, struct tpb_dprog *next)
{
	struct tpb_state *s = &t->s;
	unsigned pending = dma_pending(s);
	unsigned q = s->dm_rr & DMA_QUEUE_MASK;

	if (pending == 0)
		return;
	while (!(pending >> q & 1))
		q = (q + 1) & DMA_QUEUE_MASK;
	dma_ask(next, DMA_BLOCKS, s->q_first[q] + s->q_oldest[q]);
	s->dm_q = (uint8_t)q;
	s->dm_state = TPB_MOVER_BLOCK;
	c->moved = true;
}

static void mover_block(struct tpb *t)
{
	const uint8_t *r = dma_record(t, DMA_BLOCKS);
	struct tpb_state *s = &t->s;

	s->dm_first = dma_word(r, 0);
	s->dm_ndesc = (uint16_t)dma_word(r, 4);
	s->dm_mode = r[8];
	s->dm_id = r[9];
	s->dm_operand = dma_word(r, 0x0C);
	s->dm_state = s->dm_ndesc == 0 ? TPB_MOVER_DONE : TPB_MOVER_FETCH;
}

static void mover_descriptor(struct tpb *t)
{
	const uint8_t *r = dma_record(t, DMA_DESCRIPTORS);
	struct tpb_state *s = &t->s;

	for (unsigned i = 0; i < TPB_BUNDLE / 4; i++)
		s->dm_desc[i] = dma_word(r, 4 * i);
	mover_rewind(s);
	s->dm_o[MOVER_SRC] = 0;
	s->dm_o[MOVER_DST] = 0;
	s->dm_bad = mover_static_bad(s);
	s->dm_room = TPB_DMA_FIFO;
	s->dm_cnt = 0;
	s->dm_head = 0;
	s->dm_rqn = 0;
	s->dm_rqh = 0;
	s->dm_state = TPB_MOVER_CHECK;
}

/* A bad descriptor ends the queue; the first one of all is reported. */
static void mover_stop(struct tpb_state *s)
{
	unsigned q = s->dm_q & DMA_QUEUE_MASK;

	s->q_stop[q] = 1;
	if (s->dma_fault == TPB_FAULT_NONE) {
		s->dma_fault = TPB_FAULT_DMA_DESC;
		s->dma_fault_q = s->dm_q;
		s->dma_fault_desc = s->dm_first + s->q_desc[q];
	}
	mover_leave(s);
}

static void mover_check(struct tpb *t)
{
	struct tpb_state *s = &t->s;

	if (s->dm_bad) {
		mover_stop(s);
		return;
	}
	if (s->dm_fin[MOVER_SRC] && s->dm_fin[MOVER_DST]) {
		mover_rewind(s);
		s->dm_state = TPB_MOVER_MOVE;
		return;
	}
	for (int side = 0; side < 2; side++) {
		if (s->dm_fin[side])
			continue;
		if (!mover_inside(t, side))
			s->dm_bad = 1;
		mover_next_run(s, side);
	}
}

static void mover_post(struct tpb *t, struct cycle *c)
{
	struct tpb_state *s = &t->s;
	unsigned q = s->dm_q & DMA_QUEUE_MASK;

	if (mover_byte(s, 0x0E) != 0)
		cycle_post(c, DMA_CLIENT, TPB_UPDATE_ADD_IMM,
		           mover_byte(s, 0x0D), mover_byte(s, 0x0E));
	if (s->q_desc[q] + 1u == s->dm_ndesc) {
		s->dm_state = TPB_MOVER_DONE;
		return;
	}
	s->q_desc[q]++;
	mover_leave(s);
}

static void mover_done(struct tpb *t, struct cycle *c)
{
	struct tpb_state *s = &t->s;
	unsigned q = s->dm_q & DMA_QUEUE_MASK;

	if (s->dm_mode != TPB_UPDATE_NONE)
		cycle_post(c, DMA_CLIENT, s->dm_mode, s->dm_id, s->dm_operand);
	s->q_desc[q] = 0;
	s->q_oldest[q] = dma_next_block(s->q_oldest[q], s->q_blocks[q]);
	s->q_busy[q] = (s->q_busy[q] - 1) & 31;
	mover_leave(s);
}

void mover_cycle(struct tpb *t, struct cycle *c, uint8_t state,
                 struct tpb_dprog *next)
{
	struct tpb_state *s = &t->s;

	c->moved |= state != TPB_MOVER_IDLE;
	switch (state) {
	case TPB_MOVER_IDLE: mover_pick(t, c, next); break;
	case TPB_MOVER_BLOCK: mover_block(t); break;
	case TPB_MOVER_FETCH:
		dma_ask(next, DMA_DESCRIPTORS,
		        s->dm_first + s->q_desc[s->dm_q & DMA_QUEUE_MASK]);
		s->dm_state = TPB_MOVER_DESC;
		break;
	case TPB_MOVER_DESC: mover_descriptor(t); break;
	case TPB_MOVER_CHECK: mover_check(t); break;
	case TPB_MOVER_POST: mover_post(t, c); break;
	case TPB_MOVER_DONE: mover_done(t, c); break;
	default: break; /* MOVE goes on with what the memories grant */
	}
}
