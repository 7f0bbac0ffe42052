/* SPDX-License-Identifier: Apache-2.0
 *
 * DMA programs for tests of the model: queues, instances, blocks and
 * descriptors as records, and plain memories with a copy in plain C, which
 * says what a descriptor must do.  On top of tests/unit/model.h.
 *
 * Records and descriptors: docs/reference/image.md, docs/reference/dma.md.
 */
#ifndef TESTS_UNIT_DMA_H
#define TESTS_UNIT_DMA_H

#include "tests/unit/model.h"

#define DMA_PART 0x11000u /* SBUF bytes a partition in these tests */
#define DMA_DRAM 0x40000u /* bytes of DRAM that the plain memory has */
#define DMA_PSUM 16384u   /* backed bytes of a partition */
#define ONCHIP(p, byte) (SBUF + ((uint64_t)(p) << 18) + (uint64_t)(byte))
#define INPSUM(p, byte) (PSUM + ((uint64_t)(p) << 15) + (uint64_t)(byte))
#define MEMORIES 3

/* ------------------------------------------------------------------ *
 * Records.                                                           *
 * ------------------------------------------------------------------ */

static uint8_t dma_queue[16][96];
static uint8_t dma_instance[16][8];
static uint8_t dma_block[32][16];
static uint8_t dma_desc[64][64];
static struct tpb_dma_program dma;

static inline uint32_t get32(const uint8_t *b, int off)
{
	return (uint32_t)b[off] | (uint32_t)b[off + 1] << 8 |
	       (uint32_t)b[off + 2] << 16 | (uint32_t)b[off + 3] << 24;
}

static inline void no_queues(void)
{
	memset(dma_queue, 0, sizeof(dma_queue));
	memset(dma_instance, 0, sizeof(dma_instance));
	memset(dma_block, 0, sizeof(dma_block));
	memset(dma_desc, 0, sizeof(dma_desc));
	dma = (struct tpb_dma_program){
	    .queue = (const uint8_t(*)[96])dma_queue,
	    .instance = (const uint8_t(*)[8])dma_instance,
	    .block = (const uint8_t(*)[16])dma_block,
	    .descriptor = (const uint8_t(*)[64])dma_desc};
}

/* Each adds to the last one of the level above. */
static inline uint8_t *queue(int owner)
{
	uint8_t *b = dma_queue[dma.nqueues++];

	put32(b, 0, dma.ninstances);
	b[9] = (uint8_t)owner;
	return b;
}

static inline void instance(void)
{
	uint8_t *q = dma_queue[dma.nqueues - 1];

	put32(q, 4, get32(q, 4) + 1);
	put32(dma_instance[dma.ninstances++], 0, dma.nblocks);
}

static inline void block(uint8_t mode, uint8_t id, uint32_t operand)
{
	uint8_t *i = dma_instance[dma.ninstances - 1];
	uint8_t *b = dma_block[dma.nblocks++];

	put32(i, 4, get32(i, 4) + 1);
	put32(b, 0, dma.ndescriptors);
	b[8] = mode;
	b[9] = id;
	put32(b, 12, operand);
}

/* Empty program, no queues. */
static inline void begin(void)
{
	program();
	no_queues();
}

/* One queue of the engine with one instance of one block without update. */
static inline void one_block(int e)
{
	begin();
	queue(e);
	instance();
	block(0, 0, 0);
}

struct side {
	uint64_t base;
	int32_t step[2];
	uint16_t num[2];
	uint32_t es; /* 1..65536 */
	uint8_t tag;
};

static inline void put_side(uint8_t *b, int at, const struct side *s)
{
	for (int i = 0; i < 7; i++)
		b[at + i] = (uint8_t)(s->base >> 8 * i);
	for (int d = 0; d < 2; d++) {
		put32(b, at + 8 + 4 * d, (uint32_t)s->step[d]);
		b[at + 16 + 2 * d] = (uint8_t)s->num[d];
		b[at + 17 + 2 * d] = (uint8_t)(s->num[d] >> 8);
	}
	b[at + 20] = (uint8_t)s->es;
	b[at + 21] = (uint8_t)(s->es >> 8);
}

/* inc != 0: adds it to semaphore sem when done. */
static inline uint8_t *descriptor(const struct side *src,
                                  const struct side *dst, uint8_t sem,
                                  uint8_t inc)
{
	uint8_t *k = dma_block[dma.nblocks - 1];
	uint8_t *b = dma_desc[dma.ndescriptors++];

	put32(k, 4, get32(k, 4) + 1);
	b[0] = 0xD4;
	b[1] = 0x10;
	b[0x0D] = sem;
	b[0x0E] = inc;
	put_side(b, 0x10, src);
	put_side(b, 0x28, dst);
	b[0x3E] = src->tag;
	b[0x3F] = dst->tag;
	return b;
}

/* n bytes from one place to another. */
static inline uint8_t *copy(uint64_t from, uint64_t to, uint32_t n, uint8_t sem,
                            uint8_t inc)
{
	struct side src = {from, {0, 0}, {1, 1}, n, 3};
	struct side dst = {to, {0, 0}, {1, 1}, n, 3};

	return descriptor(&src, &dst, sem, inc);
}

/* ------------------------------------------------------------------ *
 * Bundles.                                                           *
 * ------------------------------------------------------------------ */

static inline uint8_t *queue_op(int e, uint8_t op, uint8_t q, uint8_t i)
{
	uint8_t *b = emit(e, op);

	b[0x0C] = q;
	b[0x0D] = i;
	b[0x2F] = 1;
	return b;
}

static inline uint8_t *trigger(int e, uint8_t q, uint32_t count)
{
	uint8_t *b = queue_op(e, 0xC1, q, 0xFF);

	put32(b, 0x30, count);
	return b;
}

static inline uint8_t *switch_to(int e, uint8_t q, uint8_t i, uint8_t no_rearm)
{
	uint8_t *b = queue_op(e, 0xCF, q, i);

	b[0x3B] = no_rearm;
	b[0x3C] = 1;
	return b;
}

/* ------------------------------------------------------------------ *
 * The machine and its plain twin.                                    *
 * ------------------------------------------------------------------ */

static uint8_t plain_dram[DMA_DRAM], port_dram[DMA_DRAM];
static uint8_t plain_sbuf[128][DMA_PART], plain_psum[128][DMA_PSUM];

static inline uint64_t port_read(void *ctx, uint64_t word)
{
	uint64_t v;

	(void)ctx;
	assert_true(word < DMA_DRAM / 8);
	memcpy(&v, port_dram + word * 8, 8);
	return v;
}

static inline void port_write(void *ctx, uint64_t word, uint64_t data,
                              uint8_t mask)
{
	(void)ctx;
	assert_true(word < DMA_DRAM / 8);
	for (int i = 0; i < 8; i++)
		if (mask >> i & 1)
			port_dram[word * 8 + (uint64_t)i] =
			    (uint8_t)(data >> 8 * i);
}

static inline uint8_t *plain(uint64_t addr)
{
	uint64_t off = addr - SBUF;

	if (addr < DMA_DRAM)
		return &plain_dram[addr];
	assert_true(addr >= SBUF);
	if (off < PSUM - SBUF) {
		uint64_t byte = off & 0x3FFFF;

		assert_true(byte < DMA_PART);
		return plain_sbuf[off >> 18 & 127] + byte;
	}
	off -= PSUM - SBUF;
	assert_true((off & 0x7FFF) < DMA_PSUM);
	return &plain_psum[off >> 15 & 127][off & 0x7FFF];
}

static inline uint64_t dma_random(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x * 0x2545F4914F6CDD1D >> 8;
}

static inline uint32_t dma_below(uint32_t n)
{
	return (uint32_t)(dma_random() % n);
}

/* Random contents of all memories, the same on both. */
static inline void fill_plain(void)
{
	for (size_t i = 0; i < DMA_DRAM; i++)
		plain_dram[i] = (uint8_t)dma_random();
	for (size_t p = 0; p < 128; p++) {
		for (size_t i = 0; i < DMA_PART; i++)
			plain_sbuf[p][i] = (uint8_t)(p * 31 + i * 7 + i / 256);
		for (size_t i = 0; i < DMA_PSUM; i++)
			plain_psum[p][i] = (uint8_t)(p * 17 - i * 5 - i / 256);
	}
}

static inline uint64_t plain_word(const uint8_t *b)
{
	uint64_t v;

	memcpy(&v, b, 8); /* the tests' host is little-endian, as the port */
	return v;
}

static inline void load_plain(void)
{
	memcpy(port_dram, plain_dram, DMA_DRAM);
	for (int p = 0; p < 128; p++) {
		for (uint32_t i = 0; i < DMA_PART; i += 8)
			t->sbuf[tpb_sbuf_word(t, p, i)] =
			    plain_word(&plain_sbuf[p][i]);
		for (uint32_t i = 0; i < DMA_PSUM; i += 8)
			t->psum[tpb_psum_word(p, i)] =
			    plain_word(&plain_psum[p][i]);
	}
}

/* Every byte of every memory is as in the twin. */
static inline void assert_memories(void)
{
	for (uint32_t i = 0; i < DMA_DRAM; i++)
		if (port_dram[i] != plain_dram[i])
			fail_msg("DRAM byte 0x%x: 0x%02x, expected 0x%02x", i,
			         port_dram[i], plain_dram[i]);
	for (int p = 0; p < 128; p++) {
		for (uint32_t i = 0; i < DMA_PART; i += 8)
			if (t->sbuf[tpb_sbuf_word(t, p, i)] !=
			    plain_word(&plain_sbuf[p][i]))
				fail_msg("SBUF partition %d byte 0x%x", p, i);
		for (uint32_t i = 0; i < DMA_PSUM; i += 8)
			if (t->psum[tpb_psum_word(p, i)] !=
			    plain_word(&plain_psum[p][i]))
				fail_msg("PSUM partition %d byte 0x%x", p, i);
	}
}

/* A machine with the program and the queues; memories zero. */
static inline void start_dma(void)
{
	struct tpb_config cfg = {.gen = 3,
	                         .sbuf_part_bytes = DMA_PART,
	                         .fp8_saturate = true,
	                         .dma = dma};

	for (int e = 0; e < TPB_ENGINES; e++) {
		cfg.stream[e].bundle = (const uint8_t(*)[TPB_BUNDLE])prog[e];
		cfg.stream[e].len = len[e];
	}
	tpb_free(t);
	t = tpb_new(&cfg);
	assert_non_null(t);
	memset(port_dram, 0, sizeof(port_dram));
	t->dram = (struct tpb_dram){NULL, port_read, port_write};
	tpb_reset(t);
}

/* Address of byte k of the stream of a side. */
static inline uint64_t side_address(const struct side *s, uint64_t k)
{
	uint64_t run = k / s->es, i = run % s->num[0], j = run / s->num[0];

	return s->base + i * (uint64_t)(int64_t)s->step[0] +
	       j * (uint64_t)(int64_t)s->step[1] + k % s->es;
}

static inline uint64_t side_bytes(const struct side *s)
{
	return (uint64_t)s->num[0] * s->num[1] * s->es;
}

/* What a descriptor with equal tags does, in plain C. */
static inline void plain_copy(const struct side *src, const struct side *dst)
{
	for (uint64_t k = 0; k < side_bytes(src); k++)
		*plain(side_address(dst, k)) = *plain(side_address(src, k));
}

/* Step to the end of the run, however long; its cycles. */
static inline int until_quiet(void)
{
	while (!tpb_done(t)) {
		tpb_step(t);
		assert_true(t->cycle < 2000000);
	}
	return (int)t->cycle;
}

#endif
