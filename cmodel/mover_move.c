/* SPDX-License-Identifier: Apache-2.0
 *
 * The mover in state MOVE: chunks, elements and bytes.
 *
 * Bytes pass through a ring of 64; reads run ahead of writes as far as it has
 * room for what is on its way.  When the dtypes of the sides differ an element
 * is converted as it enters the ring.  Facts: docs/reference/dma.md, "Moving".
 */
#include "cmodel/mover.h"
#include "cmodel/vnum.h"

#define MOVER_READS 8 /* on their way at a time */

/* ------------------------------------------------------------------ *
 * Elements.                                                          *
 * ------------------------------------------------------------------ */

static uint32_t mover_widen(uint8_t tag, unsigned fp8, uint64_t raw)
{
	uint32_t low = (uint32_t)raw, f32;

	if (tag == TPB_DTYPE_UINT64)
		return vnum_bits((float)raw);
	if (tag == TPB_DTYPE_INT64)
		return vnum_bits((float)(int64_t)raw);
	vnum_widen(tag, fp8, 1, &low, &f32);
	return f32;
}

/* To a 64-bit integer: nearest even, clamped; a NaN goes by its sign.  From
 * 2^23 on every fp32 is an integer. */
static uint64_t mover_integer(bool is_signed, uint32_t f32)
{
	bool minus = f32 >> 31;
	uint64_t most = minus ? (is_signed ? 1ull << 63 : 0)
	                      : (is_signed ? INT64_MAX : UINT64_MAX);
	float mag = vnum_float(f32 & 0x7FFFFFFF);
	float limit = is_signed ? 9223372036854775808.0f /* 2^63 */
	                        : 18446744073709551616.0f /* 2^64 */;
	uint64_t v;

	if (!(mag < limit))
		return most;
	if (mag < 8388608.0f)
		mag = (mag + 8388608.0f) - 8388608.0f;
	v = (uint64_t)mag;
	if (!minus)
		return v;
	return is_signed ? 0 - v : 0;
}

static uint64_t mover_narrow(uint8_t tag, unsigned fp8, uint32_t f32)
{
	uint32_t raw;

	if (tag == TPB_DTYPE_UINT64 || tag == TPB_DTYPE_INT64)
		return mover_integer(tag == TPB_DTYPE_INT64, f32);
	vnum_narrow(tag, fp8, 1, &f32, &raw);
	return raw;
}

uint64_t mover_convert(const struct tpb *t, uint64_t raw)
{
	unsigned fp8 = cycle_fp8(t);

	return mover_narrow(mover_tag(&t->s, MOVER_DST), fp8,
	                    mover_widen(mover_tag(&t->s, MOVER_SRC), fp8, raw));
}

/* ------------------------------------------------------------------ *
 * Bytes.                                                             *
 * ------------------------------------------------------------------ */

static uint8_t mover_fifo_get(const struct tpb_state *s, unsigned at)
{
	return (uint8_t)(s->dm_fifo[at >> 2 & 15] >> (at & 3) * 8);
}

static void mover_fifo_put(struct tpb_state *s, unsigned at, uint8_t byte)
{
	uint32_t *w = &s->dm_fifo[at >> 2 & 15];
	unsigned shift = (at & 3) * 8;

	*w = (*w & ~(0xFFu << shift)) | (uint32_t)byte << shift;
}

/* Bytes of the next chunk: what is left of the word or of the run. */
static unsigned mover_chunk(const struct tpb_state *s, int side)
{
	unsigned in_word = 8 - ((s->dm_a[side] + s->dm_o[side]) & 7);
	uint32_t left = mover_run(s, side) - s->dm_o[side];

	return left < in_word ? left : in_word;
}

static unsigned mover_read_chunk(const struct tpb_state *s)
{
	return mover_converts(s) ? mover_size(mover_tag(s, MOVER_SRC))
	                         : mover_chunk(s, MOVER_SRC);
}

/* Bytes that a chunk read will put into the buffer. */
static unsigned mover_read_room(const struct tpb_state *s)
{
	return mover_converts(s) ? mover_size(mover_tag(s, MOVER_DST))
	                         : mover_chunk(s, MOVER_SRC);
}

void mover_advance(struct tpb_state *s, int side, unsigned n)
{
	s->dm_o[side] += n;
	if (s->dm_o[side] == mover_run(s, side)) {
		s->dm_o[side] = 0;
		mover_next_run(s, side);
	}
}

unsigned mover_asks(const struct tpb *t, struct mover_access ask[LSU_NOWHERE])
{
	const struct tpb_state *s = &t->s;
	unsigned asked = 0, n;
	struct mover_access a;
	enum lsu_memory m;

	if (s->dm_state != TPB_MOVER_MOVE)
		return 0;
	if (!s->dm_fin[MOVER_SRC] && s->dm_rqn < MOVER_READS &&
	    s->dm_room >= mover_read_room(s)) {
		a = (struct mover_access){.addr = s->dm_a[MOVER_SRC] +
		                                  s->dm_o[MOVER_SRC]};
		m = lsu_memory(&t->cfg, a.addr);
		if (m != LSU_NOWHERE) {
			ask[m] = a;
			asked |= 1u << m;
		}
	}
	n = mover_chunk(s, MOVER_DST);
	if (s->dm_fin[MOVER_DST] || s->dm_cnt < n)
		return asked;
	a = (struct mover_access){
	    .addr = s->dm_a[MOVER_DST] + s->dm_o[MOVER_DST], .write = true};
	m = lsu_memory(&t->cfg, a.addr);
	if (m == LSU_NOWHERE)
		return asked;
	for (unsigned k = 0; k < n; k++) {
		unsigned lane = (unsigned)(a.addr + k) & 7;

		a.data |= (uint64_t)mover_fifo_get(s, s->dm_head + k)
		          << 8 * lane;
		a.mask |= (uint8_t)(1u << lane);
	}
	ask[m] = a; /* before a read of the same memory */
	return asked | 1u << m;
}

void mover_grant(struct tpb *t, const struct mover_access *a)
{
	struct tpb_state *s = &t->s;
	unsigned n, slot;

	if (a->write) {
		n = mover_chunk(s, MOVER_DST);
		s->dm_head = (s->dm_head + n) & (TPB_DMA_FIFO - 1);
		s->dm_cnt = (s->dm_cnt - n) & 127;
		s->dm_room = (s->dm_room + n) & 127;
		mover_advance(s, MOVER_DST, n);
		if (s->dm_fin[MOVER_DST])
			s->dm_state = TPB_MOVER_POST;
		return;
	}
	n = mover_read_chunk(s);
	slot = (s->dm_rqh + s->dm_rqn) & (MOVER_READS - 1);
	s->dm_rqo[slot] = a->addr & 7;
	s->dm_rql[slot] = n & 15;
	s->dm_rqn = (s->dm_rqn + 1) & 15;
	s->dm_room = (s->dm_room - mover_read_room(s)) & 127;
	mover_advance(s, MOVER_SRC, n);
}

void mover_answer(struct tpb *t, uint64_t word)
{
	struct tpb_state *s = &t->s;
	unsigned slot = s->dm_rqh & (MOVER_READS - 1);
	unsigned n = s->dm_rql[slot];
	uint64_t bytes = word >> 8 * (s->dm_rqo[slot] & 7);

	if (mover_converts(s)) {
		if (n < 8)
			bytes &= (1ull << 8 * n) - 1;
		n = mover_size(mover_tag(s, MOVER_DST));
		bytes = mover_convert(t, bytes);
	}
	for (unsigned k = 0; k < n && k < 8; k++)
		mover_fifo_put(s, s->dm_head + s->dm_cnt + k,
		               (uint8_t)(bytes >> 8 * k));
	s->dm_cnt = (s->dm_cnt + n) & 127;
	s->dm_rqh = (s->dm_rqh + 1) & (MOVER_READS - 1);
	s->dm_rqn = (s->dm_rqn - 1) & 15;
}
