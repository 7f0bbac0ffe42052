/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast path: words of memories, and the DMA unit.
 *
 * Queues, blocks, descriptors and their checks are those of dma.c and
 * mover.c, driven as fast as they go; only the state in which the mover waits
 * for memories is replaced by moving all bytes at once.  A descriptor whose
 * destination overlaps its source depends on how far the machine reads ahead
 * (docs/reference/dma.md, "Moving"): here it is read word by word.
 */
#include "cmodel/mover.h"
#include "cmodel/run_priv.h"

/* ------------------------------------------------------------------ *
 * Words.                                                             *
 * ------------------------------------------------------------------ */

static size_t run_index(const struct tpb *t, uint64_t addr, enum lsu_memory m)
{
	if (m == LSU_SBUF)
		return tpb_sbuf_word(t, (int)(addr >> 18 & 127),
		                     addr & 0x3FFFF);
	return tpb_psum_word((int)(addr >> 15 & 127), addr & 0x3FFF);
}

uint64_t run_load(const struct tpb *t, uint64_t addr)
{
	enum lsu_memory m = lsu_memory(&t->cfg, addr);

	switch (m) {
	case LSU_DRAM: return t->dram.read(t->dram.ctx, addr >> 3);
	case LSU_SBUF: return t->sbuf[run_index(t, addr, m)];
	case LSU_PSUM: return t->psum[run_index(t, addr, m)];
	default: return 0; /* refused by the checks */
	}
}

void run_store(struct tpb *t, uint64_t addr, uint64_t data, uint8_t mask)
{
	enum lsu_memory m = lsu_memory(&t->cfg, addr);
	uint64_t bits = 0, *word;

	if (m == LSU_DRAM) {
		t->dram.write(t->dram.ctx, addr >> 3, data, mask);
		return;
	}
	if (m == LSU_NOWHERE)
		return;
	word = (m == LSU_SBUF ? t->sbuf : t->psum) + run_index(t, addr, m);
	if (mask == 0xFF) {
		*word = data;
		return;
	}
	for (int i = 0; i < 8; i++)
		if (mask >> i & 1)
			bits |= 0xFFull << 8 * i;
	*word = (*word & ~bits) | (data & bits);
}

/* ------------------------------------------------------------------ *
 * Moving.                                                            *
 * ------------------------------------------------------------------ */

/* n bytes, 1 to 8, at any address of one run. */
static uint64_t run_bytes(const struct tpb *t, uint64_t addr, unsigned n)
{
	unsigned at = addr & 7;
	uint64_t v = run_load(t, addr) >> 8 * at;

	if (at + n > 8)
		v |= run_load(t, addr + 8) << 8 * (8 - at);
	return v;
}

/* The next n bytes of the destination, in one word of it. */
static void run_put(struct tpb *t, unsigned n, uint64_t v)
{
	struct tpb_state *s = &t->s;
	uint64_t addr = s->dm_a[MOVER_DST] + s->dm_o[MOVER_DST];
	unsigned at = addr & 7;

	run_store(t, addr, v << 8 * at, (uint8_t)(((1u << n) - 1) << at));
	mover_advance(s, MOVER_DST, n);
}

static uint32_t run_left(const struct tpb_state *s, int side)
{
	return mover_run(s, side) - s->dm_o[side];
}

/* The next n bytes of the source, which may be of several runs. */
static uint64_t run_take(struct tpb *t, unsigned n)
{
	struct tpb_state *s = &t->s;
	uint64_t v = 0;

	for (unsigned got = 0; got < n;) {
		uint32_t left = run_left(s, MOVER_SRC);
		unsigned k = left < n - got ? left : n - got;
		uint64_t b =
		    run_bytes(t, s->dm_a[MOVER_SRC] + s->dm_o[MOVER_SRC], k);

		if (k < 8)
			b &= (1ull << 8 * k) - 1;
		v |= b << 8 * got;
		got += k;
		mover_advance(s, MOVER_SRC, k);
	}
	return v;
}

static uint64_t run_move(struct tpb *t)
{
	struct tpb_state *s = &t->s;
	bool converts = mover_converts(s);
	unsigned from = mover_size(mover_tag(s, MOVER_SRC));
	unsigned to = mover_size(mover_tag(s, MOVER_DST));
	uint64_t bytes = 0;

	while (!s->dm_fin[MOVER_DST]) {
		uint64_t addr = s->dm_a[MOVER_DST] + s->dm_o[MOVER_DST];
		uint32_t left = run_left(s, MOVER_DST);
		unsigned n = 8 - (addr & 7);

		n = n < left ? n : left;
		if (converts) {
			n = to;
			run_put(t, n, mover_convert(t, run_take(t, from)));
		} else {
			run_put(t, n, run_take(t, n));
		}
		bytes += n;
	}
	return bytes;
}

void run_dma_step(struct tpb *t, struct cycle *c, struct tpb_run_count *n)
{
	uint8_t mover = t->s.dm_state;
	struct cycle post;

	if (mover == TPB_MOVER_MOVE) {
		n->bytes += run_move(t);
		t->s.dm_state = TPB_MOVER_POST;
	}
	dma_cycle(t, c, mover);
	if (!(c->post >> DMA_CLIENT & 1))
		return;
	/* The unit's update is not the caller's to make. */
	post.post = 1u << DMA_CLIENT;
	post.update[DMA_CLIENT] = c->update[DMA_CLIENT];
	c->post &= (uint8_t) ~(1u << DMA_CLIENT);
	step_bank(t, &post);
}
