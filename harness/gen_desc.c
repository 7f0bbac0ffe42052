/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors of DMA queues: where the runs of both sides lie, and ones that
 * stop their queue.
 *
 * What makes a descriptor good or bad: docs/reference/dma.md, "Mover"; stated
 * here once more and asked of neither side of the lockstep.
 */
#include "harness/gen_dma.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))
#define SBUF (1ull << 36)
#define PSUM (SBUF + 0x2000000)
#define CHIP_END (PSUM + 0x400000)

enum memory { SBUF_MEM, PSUM_MEM, DRAM_MEM };

struct side {
	uint64_t base;
	int32_t step[2];
	int num[2];
	int es;  /* bytes of a run */
	int tag; /* dtype */
	enum memory mem;
};

/* ------------------------------------------------------------------ *
 * Where a side may lie.                                              *
 * ------------------------------------------------------------------ */

static uint64_t run_at(const struct side *s, int i, int j)
{
	return s->base + (uint64_t)((int64_t)i * s->step[0]) +
	       (uint64_t)((int64_t)j * s->step[1]);
}

/* Does the machine take this run? */
static bool inside(const struct gen *g, const struct side *s, uint64_t a)
{
	uint64_t n = (uint64_t)s->es;

	if (s->base < SBUF)
		return a < SBUF && a + n <= SBUF;
	if (a < SBUF || a >= CHIP_END)
		return false;
	if (a < PSUM)
		return (a & 0x3FFFF) + n <= g->opt->sbuf_part_bytes;
	return (a & 0x7FFF) + n <= 16384;
}

static bool all_inside(const struct gen *g, const struct side *s)
{
	for (int j = 0; j < s->num[1]; j++)
		for (int i = 0; i < s->num[0]; i++)
			if (!inside(g, s, run_at(s, i, j)))
				return false;
	return true;
}

/* And is it what programs may write?  In DRAM the pointers are not. */
static bool writable(const struct side *s)
{
	if (s->base >= SBUF)
		return true;
	for (int j = 0; j < s->num[1]; j++)
		for (int i = 0; i < s->num[0]; i++)
			if (run_at(s, i, j) < GEN_DRAM)
				return false;
	return true;
}

/* ------------------------------------------------------------------ *
 * Shapes and places.                                                 *
 * ------------------------------------------------------------------ */

static int divisor(struct gen *g, int n, int most)
{
	int d;

	do {
		d = rng_range(&g->rng, 1, n < most ? n : most);
	} while (n % d);
	return d;
}

/* n elements of a size as runs. */
static void shape(struct gen *g, struct side *s, int n, int size)
{
	int run = rng_chance(&g->rng, 25) ? n : divisor(g, n, 300 / size);

	s->es = run * size;
	n /= run;
	s->num[0] = rng_chance(&g->rng, 50) ? n : divisor(g, n, n);
	s->num[1] = n / s->num[0];
}

static int partition_step(enum memory m)
{
	return m == SBUF_MEM ? 1 << 18 : m == PSUM_MEM ? 1 << 15 : 4096;
}

static void choose_steps(struct gen *g, struct side *s, int size)
{
	struct rng *rng = &g->rng;
	int k = rng_below(rng, 10);

	s->step[0] = s->es;
	s->step[1] = s->es * s->num[0];
	switch (k) {
	case 3:
		s->step[0] += size * rng_range(rng, 1, 9);
		s->step[1] = s->step[0] * s->num[0];
		break;
	case 4:
		s->step[0] = -s->es;
		s->step[1] = -s->es * s->num[0];
		break;
	case 5: s->step[rng_below(rng, 2)] = 0; break;
	case 6:
		s->step[0] = partition_step(s->mem);
		s->step[1] = s->es;
		break;
	case 7: s->step[1] = -partition_step(s->mem); break;
	case 8:
		for (int d = 0; d < 2; d++)
			s->step[d] = size * rng_range(rng, -40, 40);
		break;
	case 9: /* from one on-chip memory into the other */
		if (s->mem == SBUF_MEM)
			s->step[rng_below(rng, 2)] = (int32_t)(PSUM - SBUF);
		break;
	default: break;
	}
}

static uint64_t choose_base(struct gen *g, enum memory m, int size)
{
	struct rng *rng = &g->rng;
	bool hot = rng_chance(rng, 70);
	uint64_t p = (uint64_t)rng_below(rng, TPB_PARTITIONS);
	uint64_t off = hot ? (uint64_t)rng_below(rng, 96) : rng_u32(rng);
	uint64_t a;

	if (rng_chance(rng, 40))
		p = 32 * (p % 4);
	if (m == SBUF_MEM)
		a = SBUF + (p << 18) + off % g->opt->sbuf_part_bytes;
	else if (m == PSUM_MEM)
		a = PSUM + (p << 15) + off % 16384;
	else
		a = GEN_DRAM + (hot ? off * 8 : off);
	if (m == DRAM_MEM && rng_chance(rng, 3))
		a = SBUF - 1 - off % 512; /* near the end */
	return a - a % (uint64_t)size;
}

/* Places until all runs are good, at last plain ones. */
static void choose_place(struct gen *g, struct side *s, int size, bool write)
{
	for (int i = 0; i < 6; i++) {
		choose_steps(g, s, size);
		s->base = choose_base(g, s->mem, size);
		if (all_inside(g, s) && (!write || writable(s)))
			return;
	}
	s->step[0] = s->es;
	s->step[1] = 0;
	s->base = s->mem == SBUF_MEM   ? SBUF
	          : s->mem == PSUM_MEM ? PSUM
	                               : GEN_DRAM;
}

static enum memory choose_memory(struct gen *g, int want)
{
	int k = gen_wanted(g, want);

	if (k >= 0)
		return (enum memory)k;
	k = rng_below(&g->rng, 10);
	return k < 4 ? SBUF_MEM : k < 7 ? PSUM_MEM : DRAM_MEM;
}

/* ------------------------------------------------------------------ *
 * Bytes.                                                             *
 * ------------------------------------------------------------------ */

static void half(uint8_t *b, int off, int v)
{
	b[off] = (uint8_t)v;
	b[off + 1] = (uint8_t)(v >> 8);
}

static void put_side(uint8_t *b, int at, const struct side *s)
{
	for (int i = 0; i < 7; i++)
		b[at + i] = (uint8_t)(s->base >> 8 * i);
	for (int d = 0; d < 2; d++) {
		gen_word(b, at + 8 + 4 * d, (uint32_t)s->step[d]);
		half(b, at + 16 + 2 * d, s->num[d]);
	}
	half(b, at + 20, s->es);
}

static void put(struct gen *g, uint8_t *b, const struct side *src,
                const struct side *dst)
{
	memset(b, 0, TPB_BUNDLE);
	b[0] = TPB_OP_DMA_DIRECT;
	b[1] = 0x10;
	b[0x0C] = (uint8_t)rng_below(&g->rng, 5);
	put_side(b, 0x10, src);
	put_side(b, 0x28, dst);
	b[0x3E] = (uint8_t)src->tag;
	b[0x3F] = (uint8_t)dst->tag;
}

/* Rough time: accesses of the slower side, and the checks. */
static int time_of(const struct side *src, const struct side *dst)
{
	int runs[2] = {src->num[0] * src->num[1], dst->num[0] * dst->num[1]};
	int reads = runs[0] * (1 + src->es / 8);
	int writes = runs[1] * (1 + dst->es / 8);
	int most = runs[0] > runs[1] ? runs[0] : runs[1];

	return 12 + most + (reads > writes ? reads : writes) * 3 / 2;
}

static int elements(struct gen *g)
{
	int n = 1;

	if (rng_chance(&g->rng, 30))
		return rng_range(&g->rng, 1, 40);
	for (int i = rng_range(&g->rng, 1, 5); i > 0; i--)
		n *= rng_range(&g->rng, 1, 5);
	return rng_chance(&g->rng, 92) ? (n > 96 ? 96 : n) : n > 600 ? 600 : n;
}

static int dtype(struct gen *g, int want)
{
	int k = gen_wanted(g, want);

	return k > 0 ? k : rng_range(&g->rng, 1, 15);
}

int desc_good(struct gen *g, uint8_t b[TPB_BUNDLE])
{
	struct side src = {.mem = choose_memory(g, g->bias.dma_src)};
	struct side dst = {.mem = choose_memory(g, g->bias.dma_dst)};
	int n = elements(g), size[2] = {1, 1};

	src.tag = dtype(g, g->bias.dma_in);
	dst.tag = rng_chance(&g->rng, 45) && g->bias.dma_out < 0
	              ? src.tag
	              : dtype(g, g->bias.dma_out);
	if (src.tag != dst.tag) {
		size[0] = isa_dtype_size((uint64_t)src.tag);
		size[1] = isa_dtype_size((uint64_t)dst.tag);
	} else {
		n *= rng_chance(&g->rng, 50) ? 4 : 1;
	}
	shape(g, &src, n, size[0]);
	shape(g, &dst, n, size[1]);
	choose_place(g, &src, size[0], false);
	choose_place(g, &dst, size[1], true);
	put(g, b, &src, &dst);
	return time_of(&src, &dst);
}

/* ------------------------------------------------------------------ *
 * Ones that stop their queue.                                        *
 * ------------------------------------------------------------------ */

/* Of a conversion: something is no multiple of the element size. */
static void misalign(struct gen *g, uint8_t *b)
{
	static const uint8_t at[] = {0x10, 0x18, 0x1C, 0x24,
	                             0x28, 0x30, 0x34, 0x3C};
	int k;

	do {
		desc_good(g, b);
		k = at[rng_below(&g->rng, COUNT(at))];
	} while (b[0x3E] == b[0x3F] ||
	         isa_dtype_size(b[k < 0x28 ? 0x3E : 0x3F]) == 1);
	b[k] ^= 1;
}

/* Out of its memory, or from DRAM onto the chip. */
static void leave(struct gen *g, uint8_t *b)
{
	int at = rng_chance(&g->rng, 50) ? 0x10 : 0x28;
	uint64_t a = rng_chance(&g->rng, 50) ? CHIP_END : SBUF - 8;

	/* Two runs of 16 bytes, and steps that no memory has room for. */
	desc_good(g, b);
	b[0x3E] = b[0x3F] = TPB_DTYPE_UINT8;
	for (int k = 0x10; k <= 0x28; k += 0x18) {
		half(b, k + 16, 2);
		half(b, k + 18, 1);
		half(b, k + 20, 16);
	}
	if (rng_chance(&g->rng, 15)) /* 65536 bytes each */
		for (int k = 0x10; k <= 0x28; k += 0x18) {
			half(b, k + 16, 1);
			half(b, k + 20, 0);
		}
	if (rng_chance(&g->rng, 30))
		a = SBUF + g->opt->sbuf_part_bytes - 8;
	else if (rng_chance(&g->rng, 30))
		a = PSUM + 16384 - 15;
	for (int i = 0; i < 7; i++)
		b[at + i] = (uint8_t)(a >> 8 * i);
}

/* A run of 65536 bytes, which says 0, within SBUF. */
int desc_long(struct gen *g, uint8_t b[TPB_BUNDLE])
{
	struct side src = {.num = {1, 1}, .tag = TPB_DTYPE_UINT8}, dst = src;
	uint64_t p = (uint64_t)rng_below(&g->rng, TPB_PARTITIONS - 1);

	src.base = SBUF + (p << 18) + rng_u32(&g->rng) % 64;
	dst.base = SBUF + ((p + 1) << 18) + rng_u32(&g->rng) % 64;
	put(g, b, &src, &dst);
	return 10000;
}

void desc_bad(struct gen *g, uint8_t b[TPB_BUNDLE])
{
	static const uint8_t zero[] = {0x0F, 0x26, 0x27, 0x17, 0x2F};
	static const uint8_t num[] = {0x20, 0x22, 0x38, 0x3A};
	struct rng *rng = &g->rng;
	int k = rng_below(rng, 8);

	desc_good(g, b);
	switch (k) {
	case 0: b[0x0C] |= (uint8_t)(8 << rng_below(rng, 5)); break;
	case 1:
		b[zero[rng_below(rng, COUNT(zero))]] |=
		    (uint8_t)(1 << rng_below(rng, 8));
		break;
	case 2: b[0x0D] = (uint8_t)rng_range(rng, 1, 255); break;
	case 3: half(b, num[rng_below(rng, COUNT(num))], 0); break;
	case 4: /* totals differ */
		k = rng_chance(rng, 50) ? 0x22 : 0x3A;
		half(b, k, (b[k] | b[k + 1] << 8) + 1);
		break;
	case 5: /* a conversion of no dtype */
		b[rng_chance(rng, 50) ? 0x3E : 0x3F] =
		    (uint8_t)(rng_chance(rng, 50) ? 0
		                                  : rng_range(rng, 16, 255));
		break;
	case 6: misalign(g, b); break;
	default: leave(g, b); break;
	}
}
