/* SPDX-License-Identifier: Apache-2.0
 *
 * The mover of the model: what descriptors move, convert and refuse.
 *
 * The expectation is a copy in plain C, compared over all bytes of all
 * memories, and conversions by the compiler and in 128-bit integers.
 *
 * Run alone: test_model_mover
 */
#include "tests/unit/dma.h"

/* ------------------------------------------------------------------ *
 * Copies.                                                            *
 * ------------------------------------------------------------------ */

/* A place with room for six by six runs around it; half: 0 source, 1
 * destination, which never meet. */
static struct side random_side(int memory, unsigned half)
{
	static const int64_t distance[MEMORIES] = {0, 0x40000, 0x8000};
	static const uint64_t base[MEMORIES] = {0, SBUF, PSUM};
	int64_t d = distance[memory];
	struct side s = {.tag = (uint8_t)dma_random(), .num = {1, 1}};

	if (memory == 0) {
		s.base = half * 0x20000 + 0x8000 + dma_below(0x8000);
		s.step[0] = (int32_t)dma_below(601) - 300;
		s.step[1] = (int32_t)dma_below(4001) - 2000;
		return s;
	}
	s.base = base[memory] + (uint64_t)d * (64 * half + 20 + dma_below(20)) +
	         4096 + dma_below(4096);
	s.step[0] = (int32_t)(d * ((int)dma_below(5) - 2)) +
	            (int32_t)dma_below(129) - 64;
	s.step[1] = (int32_t)(d * ((int)dma_below(3) - 1)) +
	            (int32_t)dma_below(129) - 64;
	return s;
}

static void random_descriptor(void)
{
	struct side src = random_side((int)dma_below(MEMORIES), 0);
	struct side dst = random_side((int)dma_below(MEMORIES), 1);
	uint64_t total;

	dst.tag = src.tag;
	src.num[0] = (uint16_t)(1 + dma_below(6));
	src.num[1] = (uint16_t)(1 + dma_below(6));
	src.es = 1 + dma_below(dma_below(2) ? 12 : 200);
	total = side_bytes(&src);
	do {
		dst.num[0] = (uint16_t)(1 + dma_below(6));
		dst.num[1] = (uint16_t)(1 + dma_below(6));
	} while (total % (dst.num[0] * dst.num[1]) != 0);
	dst.es = (uint32_t)total / (dst.num[0] * dst.num[1]);
	descriptor(&src, &dst, 0, 0);
	plain_copy(&src, &dst);
}

/* Blocks of descriptors between all memories, a stalling DRAM port. */
static void test_copies(void **state)
{
	(void)state;
	fill_plain();
	for (int round = 0; round < 24; round++) {
		uint8_t before[4] = {0};

		one_block(SP);
		trigger(SP, 0, 1);
		quit(SP);
		start_dma();
		load_plain();
		for (int i = 0; i < 16; i++)
			random_descriptor();
		t->cfg.dma = dma;
		while (!tpb_done(t)) {
			t->dram_ready = round % 3 != 0 || dma_below(3) != 0;
			tpb_step(t);
			assert_true(t->nwrites <= 3);
			assert_true(t->cycle < 500000);
		}
		assert_int_equal(t->s.dma_fault, 0);
		assert_int_equal(eng(SP)->state, TPB_RUN_EXITED);
		assert_memories();
		assert_memory_equal(before, t->s.q_stop, sizeof(before));
	}
}

/* Runs of every kind of length, between memories of different speed. */
static void test_run_lengths(void **state)
{
	static const uint32_t length[] = {
	    1,   2,   7,   8,    9,    63,   64,    65,    127,
	    255, 256, 257, 4095, 4096, 4097, 32768, 65535, 65536};

	(void)state;
	fill_plain();
	for (size_t i = 0; i < sizeof(length) / sizeof(*length); i++) {
		uint32_t n = length[i], odd = dma_below(8);
		struct side src = {odd, {0, 0}, {1, 1}, n, 9};
		struct side mid = {
		    ONCHIP(5, dma_below(64)), {0, 0}, {1, 1}, n, 9};
		struct side dst = {0x20000 + odd, {0, 0}, {1, 1}, n, 9};

		one_block(ACT);
		trigger(ACT, 0, 1);
		quit(ACT);
		start_dma();
		load_plain();
		descriptor(&src, &mid, 0, 0);
		plain_copy(&src, &mid);
		descriptor(&mid, &dst, 0, 0);
		plain_copy(&mid, &dst);
		src.base ^= 4; /* DRAM to DRAM */
		dst.base += 0x10000 - 8;
		descriptor(&src, &dst, 0, 0);
		plain_copy(&src, &dst);
		t->cfg.dma = dma;
		until_quiet();
		assert_int_equal(t->s.dma_fault, 0);
		assert_memories();
	}
}

/* Loads and stores of two engines go on beside the mover. */
static void test_with_loads(void **state)
{
	(void)state;
	fill_plain();
	one_block(SP);
	for (int k = 0; k < 8; k++) {
		tensor(PE, 0xAA, 9, 4, ONCHIP(1, 16), 4);
		tensor(PE, 0xAB, 9, 4, ONCHIP(1, 64), 4);
		tensor(ACT, 0xAA, 9, 4, 0x40, 4);
		tensor(ACT, 0xAB, 9, 4, 0x80, 4);
	}
	trigger(SP, 0, 1);
	for (int e = 0; e < TPB_ENGINES; e++)
		if (e == PE || e == ACT || e == SP)
			quit(e);
	start_dma();
	load_plain();
	for (int i = 0; i < 12; i++)
		random_descriptor();
	t->cfg.dma = dma;
	memcpy(plain(ONCHIP(1, 64)), plain(ONCHIP(1, 16)), 16);
	memcpy(plain(0x80), plain(0x40), 16);
	until_quiet();
	assert_int_equal(t->s.dma_fault, 0);
	assert_memories();
}

/* Copy of 4-byte elements, 32 partitions from 96 on. */
static void vector_copy(int e, uint32_t from, uint32_t to, uint16_t n)
{
	uint8_t *b = emit(e, 0x46);

	for (int at = 0x0C; at <= 0x2C; at += 0x20) {
		put32(b, at, at == 0x0C ? from : to);
		b[at + 4] = 1; /* step of the fast dim */
		b[at + 12] = (uint8_t)n;
		b[at + 13] = (uint8_t)(n >> 8);
		b[at + 14] = b[at + 16] = b[at + 18] = 1;
	}
	b[0x20] = b[0x21] = TPB_DTYPE_FLOAT32;
	b[0x22] = 32;
}

/* The vector units share ports with the mover; nobody loses anything. */
static void test_with_vectors(void **state)
{
	const uint32_t sbuf = 96u << 18, psum = 0x2000000 + (96u << 15);

	(void)state;
	fill_plain();
	one_block(SP);
	trigger(SP, 0, 1);
	for (int k = 0; k < 6; k++) {
		vector_copy(DVE, sbuf, psum, 200);
		vector_copy(DVE, psum, sbuf + 0x10000, 200);
		vector_copy(POOL, sbuf, sbuf + 0x10400, 200);
	}
	quit(SP);
	quit(DVE);
	quit(POOL);
	start_dma();
	load_plain();
	for (int i = 0; i < 24; i++)
		random_descriptor();
	t->cfg.dma = dma;
	for (int p = 96; p < 128; p++) {
		memcpy(&plain_psum[p][0], &plain_sbuf[p][0], 800);
		memcpy(&plain_sbuf[p][0x10000], &plain_sbuf[p][0], 800);
		memcpy(&plain_sbuf[p][0x10400], &plain_sbuf[p][0], 800);
	}
	until_quiet();
	for (int e = POOL; e <= SP; e++)
		assert_int_equal(eng(e)->state, TPB_RUN_EXITED);
	assert_int_equal(t->s.dma_fault, 0);
	assert_memories();
}

/* ------------------------------------------------------------------ *
 * Conversions.                                                       *
 * ------------------------------------------------------------------ */

static const uint8_t tags[] = {1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12};
#define NTAGS (int)sizeof(tags)
#define ELEMENTS 24

static unsigned tag_size(uint8_t tag)
{
	static const uint8_t size[] = {0, 8, 1, 1, 2, 2, 2, 2,
	                               4, 4, 4, 4, 8, 1, 1, 1};

	return size[tag];
}

static uint32_t bits_of(float f)
{
	uint32_t b;

	memcpy(&b, &f, 4);
	return b;
}

/* The compiler's own conversions: one rounding, to nearest even. */
static uint32_t to_fp32(uint8_t tag, uint64_t raw)
{
	switch (tag) {
	case 1: return bits_of((float)raw);
	case 2: return bits_of((float)(int8_t)raw);
	case 3: return bits_of((float)(uint8_t)raw);
	case 4: return bits_of((float)(int16_t)raw);
	case 5: return bits_of((float)(uint16_t)raw);
	case 6: return (uint32_t)raw << 16;
	case 8: return bits_of((float)(int32_t)raw);
	case 9: return bits_of((float)(uint32_t)raw);
	case 12: return bits_of((float)(int64_t)raw);
	default: return (uint32_t)raw;
	}
}

/* Magnitude of an fp32 as an integer, ties to even; at most 2^100. */
static unsigned __int128 magnitude(uint32_t f)
{
	int e = (int)(f >> 23 & 255) - 150;
	uint64_t m = (f & 0x7FFFFF) | 0x800000;

	if (e > 76) /* infinity and NaN too */
		return (unsigned __int128)1 << 100;
	if (e >= 0)
		return (unsigned __int128)m << e;
	if (e < -25)
		return 0;
	uint64_t whole = m >> -e, rest = m & ((1ull << -e) - 1);
	uint64_t half = 1ull << (-e - 1);

	return whole + (rest > half || (rest == half && (whole & 1)));
}

static uint64_t to_integer(unsigned bits, bool is_signed, uint32_t f)
{
	unsigned __int128 v = magnitude(f), one = 1;
	unsigned __int128 top = (one << (is_signed ? bits - 1 : bits)) - 1;
	uint64_t mask = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;

	if (!(f >> 31))
		return (uint64_t)(v > top ? top : v);
	if (!is_signed)
		return 0;
	return (uint64_t)(0 - (v > top + 1 ? top + 1 : v)) & mask;
}

static uint64_t from_fp32(uint8_t tag, uint32_t f)
{
	bool nan = (f & 0x7FFFFFFF) > 0x7F800000;

	switch (tag) {
	case 1: return to_integer(64, false, f);
	case 2: return to_integer(8, true, f);
	case 3: return to_integer(8, false, f);
	case 4: return to_integer(16, true, f);
	case 5: return to_integer(16, false, f);
	case 6:
		return nan ? 0x7FC0
		           : ((uint64_t)f + 0x7FFF + (f >> 16 & 1)) >> 16;
	case 8: return to_integer(32, true, f);
	case 9: return to_integer(32, false, f);
	case 11:
		return nan ? 0x7FC00000
		           : ((uint64_t)f + 0x7FF + (f >> 12 & 1)) & ~0xFFFull;
	case 12: return to_integer(64, true, f);
	default: return f;
	}
}

/* Element k of the source: corner cases first, then anything. */
static uint64_t source_value(uint8_t tag, int k)
{
	static const float corner[] = {0.5f,
	                               -0.5f,
	                               1.5f,
	                               2.5f,
	                               -2.5f,
	                               127.5f,
	                               -129.f,
	                               8388607.5f,
	                               65535.5f,
	                               2147483648.f,
	                               4294967296.f,
	                               -9223372036854775808.f,
	                               18446744073709551616.f,
	                               1e30f};
	static const uint32_t special[] = {0x7F800000, 0xFF800000, 0x7FC12345,
	                                   0xFFC00001};
	uint64_t r = dma_random();

	if (tag == 6 || tag == 10 || tag == 11) {
		uint32_t f = k < 14   ? bits_of(corner[k])
		             : k < 18 ? special[k - 14]
		                      : bits_of((float)(int32_t)r / 256.0f);
		return tag == 6 ? f >> 16 : f;
	}
	if (k == 0)
		return UINT64_MAX;
	if (k == 1)
		return 1ull << (8 * tag_size(tag) - 1);
	if (k == 2)
		return 0x0000008000004000; /* a tie at 24 bits */
	return k & 1 ? r : r << 8;
}

static void convert(uint8_t from, uint8_t to)
{
	unsigned a = tag_size(from), b = tag_size(to);
	struct side src = {
	    0x1008, {(int32_t)(8 * a), (int32_t)(32 * a)}, {3, 2}, 4 * a, from};
	struct side dst = {ONCHIP(9, 0x40) - 8 * b,
	                   {0x40000, (int32_t)(16 * b)},
	                   {2, 2},
	                   6 * b,
	                   to};

	one_block(SP);
	descriptor(&src, &dst, 7, 3);
	trigger(SP, 0, 1);
	quit(SP);
	start_dma();
	memset(plain_dram, 0, 0x2000);
	for (int k = 0; k < ELEMENTS; k++) {
		uint64_t v = source_value(from, k);

		memcpy(plain(side_address(&src, (uint64_t)k * a)), &v, a);
	}
	memcpy(port_dram, plain_dram, 0x2000);
	until_quiet();
	assert_int_equal(t->s.dma_fault, 0);
	assert_int_equal(t->s.sem[7], 3);
	for (uint64_t k = 0; k < ELEMENTS; k++) {
		uint64_t in = 0, want = 0, got = 0;

		memcpy(&in, plain(side_address(&src, k * a)), a);
		want = from_fp32(to, to_fp32(from, in));
		for (uint64_t i = 0; i < b; i++) {
			uint64_t at = side_address(&dst, k * b + i) - SBUF;
			uint64_t w = t->sbuf[tpb_sbuf_word(t, (int)(at >> 18),
			                                   at & 0x3FFFF)];

			got |= (w >> 8 * (at & 7) & 0xFF) << 8 * i;
		}
		if (got != want)
			fail_msg("tag %d to %d, 0x%llx: 0x%llx, expected "
			         "0x%llx",
			         from, to, (unsigned long long)in,
			         (unsigned long long)got,
			         (unsigned long long)want);
	}
}

static void test_conversions(void **state)
{
	(void)state;
	for (int i = 0; i < NTAGS; i++)
		for (int j = 0; j < NTAGS; j++)
			if (i != j)
				convert(tags[i], tags[j]);
}

/* The configuration of fp8 reaches the mover. */
static void test_fp8(void **state)
{
	static const struct {
		bool ocp, saturate, suppress;
		uint8_t big, nan;
	} row[] = {{false, true, false, 0x77, 0x7C},
	           {false, false, false, 0x78, 0x7C},
	           {true, true, false, 0x7E, 0x7F},
	           {true, false, false, 0x7F, 0x7F},
	           {false, true, true, 0x77, 0x00}};
	struct side src = {0, {0, 0}, {1, 1}, 8, 10};
	struct side dst = {ONCHIP(0, 3), {0, 0}, {1, 1}, 2, 14};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		one_block(SP);
		descriptor(&src, &dst, 0, 0);
		trigger(SP, 0, 1);
		quit(SP);
		start_dma();
		t->cfg.fp8_ocp = row[i].ocp;
		t->cfg.fp8_saturate = row[i].saturate;
		t->cfg.fp8_nan_suppress = row[i].suppress;
		put32(port_dram, 0, bits_of(1e6f));
		put32(port_dram, 4, 0x7FC00000);
		until_quiet();
		assert_int_equal(t->sbuf[0], (uint64_t)row[i].big << 24 |
		                                 (uint64_t)row[i].nan << 32);
	}
}

/* ------------------------------------------------------------------ *
 * Bad descriptors.                                                   *
 * ------------------------------------------------------------------ */

struct bad_row {
	bool bad;
	struct side src, dst;
	uint8_t set[8]; /* byte, value, ... of the descriptor, ended by 0 */
};

#define HIGH ((1ull << 36) - 8)
#define ONE          \
	{0, 0},      \
	{            \
		1, 1 \
	}

/* clang-format off */
static const struct bad_row bad_rows[] = {
	{false, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 8, 3}, {0}},
	{false, {0, ONE, 8, 99}, {ONCHIP(0, 0), ONE, 8, 99}, {0x0C, 7}},
	{true, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 8, 3}, {0x0C, 8}},
	{true, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 8, 3}, {0x0F, 1}},
	{true, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 8, 3}, {0x26, 1}},
	{true, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 8, 3}, {0x27, 0x80}},
	{true, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 8, 3}, {0x17, 1}},
	{true, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 8, 3}, {0x2F, 0x20}},
	{true, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 8, 3}, {0x0D, 1}},
	{false, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 8, 3}, {0x0D, 1, 0x0E, 1}},
	{true, {0, {0, 0}, {0, 1}, 8, 3},
	 {ONCHIP(0, 0), {0, 0}, {0, 1}, 8, 3}, {0}},
	{true, {0, {0, 0}, {1, 0}, 8, 3},
	 {ONCHIP(0, 0), {0, 0}, {1, 0}, 8, 3}, {0}},
	{true, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 9, 3}, {0}},
	{false, {0, {4, 0}, {6, 1}, 2, 3}, {ONCHIP(0, 0), ONE, 12, 3}, {0}},
	/* conversions */
	{false, {0, ONE, 8, 10}, {ONCHIP(0, 0), ONE, 4, 6}, {0}},
	{true, {0, ONE, 8, 10}, {ONCHIP(0, 0), ONE, 8, 6}, {0}},
	{true, {0, ONE, 8, 0}, {ONCHIP(0, 0), ONE, 8, 3}, {0}},
	{true, {0, ONE, 8, 3}, {ONCHIP(0, 0), ONE, 8, 16}, {0}},
	{true, {0, ONE, 8, 0x83}, {ONCHIP(0, 0), ONE, 8, 3}, {0}},
	{true, {2, ONE, 8, 10}, {ONCHIP(0, 0), ONE, 4, 6}, {0}},
	{true, {0, ONE, 6, 10}, {ONCHIP(0, 0), ONE, 3, 6}, {0}},
	{true, {0, {2, 0}, {2, 1}, 4, 10}, {ONCHIP(0, 0), ONE, 4, 6}, {0}},
	{true, {0, {4, 2}, {2, 1}, 4, 10}, {ONCHIP(0, 0), ONE, 4, 6}, {0}},
	{true, {0, ONE, 8, 10}, {ONCHIP(0, 1), ONE, 4, 6}, {0}},
	{true, {0, ONE, 8, 3}, {ONCHIP(0, 4), ONE, 64, 1}, {0}},
	{false, {0, ONE, 8, 3}, {ONCHIP(0, 8), ONE, 64, 1}, {0}},
	/* memories */
	{false, {0, ONE, 8, 3}, {ONCHIP(127, DMA_PART - 8), ONE, 8, 3}, {0}},
	{true, {0, ONE, 8, 3}, {ONCHIP(127, DMA_PART - 7), ONE, 8, 3}, {0}},
	{true, {0, ONE, 8, 3}, {ONCHIP(1, DMA_PART), ONE, 8, 3}, {0}},
	{true, {0, ONE, 8, 3}, {ONCHIP(1, 0x3FFFC), ONE, 8, 3}, {0}},
	{false, {0, ONE, 8, 3}, {INPSUM(127, 16376), ONE, 8, 3}, {0}},
	{true, {0, ONE, 8, 3}, {INPSUM(0, 16377), ONE, 8, 3}, {0}},
	{true, {0, ONE, 8, 3}, {INPSUM(0, 16384), ONE, 8, 3}, {0}},
	{true, {0, ONE, 8, 3}, {INPSUM(128, 0), ONE, 8, 3}, {0}},
	{true, {ONCHIP(0, 0), ONE, 8, 3}, {HIGH + 1, ONE, 8, 3}, {0}},
	{true, {0, ONE, 8, 3}, {0xFFFFFFFFFFFFF8, ONE, 8, 3}, {0}},
	{true, {8, {-16, 0}, {2, 1}, 8, 3}, {ONCHIP(0, 0), ONE, 16, 3}, {0}},
	{true, {0, ONE, 16, 3}, {8, {0, -16}, {1, 2}, 8, 3}, {0}},
	{true, {0, ONE, 16, 3},
	 {ONCHIP(0, 0), {0x10FFC, 0}, {2, 1}, 8, 3}, {0}},
	{false, {0, ONE, 16, 3},
	 {ONCHIP(0, 0), {0x10FF8, 0}, {2, 1}, 8, 3}, {0}},
	/* from DRAM to the chip, from SBUF to PSUM */
	{true, {HIGH, {8, 0}, {2, 1}, 8, 3}, {ONCHIP(9, 0), ONE, 16, 3}, {0}},
	{true, {0, ONE, 16, 3}, {ONCHIP(0, 0), {-8, 0}, {2, 1}, 8, 3}, {0}},
	{false, {0, ONE, 16, 3},
	 {ONCHIP(127, 0), {0x40000, 0}, {2, 1}, 8, 3}, {0}},
};
/* clang-format on */

/* A bad one moves nothing and stops its queue, and only that. */
static void bad_descriptor(size_t i)
{
	const struct bad_row *r = &bad_rows[i];
	uint8_t *b;

	begin();
	queue(SP);
	instance();
	block(0x13, 1, 0);
	copy(0x100, 0x200, 8, 2, 1);
	b = descriptor(&r->src, &r->dst, 0, 0);
	for (int k = 0; r->set[k] != 0; k += 2)
		b[r->set[k]] = r->set[k + 1];
	copy(0x100, 0x300, 8, 3, 1);
	queue(ACT);
	instance();
	block(0x13, 4, 0);
	copy(0x100, 0x400, 8, 5, 1);
	trigger(SP, 0, 1);
	trigger(ACT, 1, 2);
	quit(ACT);
	emit(SP, 0); /* ends in a fault by itself */
	start_dma();
	port_dram[0x100] = 0x77;
	t->s.engine[ACT].state = TPB_RUN_RUN;
	for (int k = 0; k < 1500 && !tpb_done(t); k++)
		tpb_step(t);
	assert_true(tpb_done(t));
	if (t->s.q_stop[0] != r->bad)
		fail_msg("row %zu: stopped %d", i, t->s.q_stop[0]);
	assert_int_equal(t->s.sem[2], 1);
	assert_int_equal(t->s.sem[3], !r->bad);
	assert_int_equal(t->s.sem[5], 2);
	assert_int_equal(t->s.q_stop[1], 0);
	assert_int_equal(t->s.q_busy[0], r->bad);
	assert_int_equal(t->s.q_busy[1], 0);
	assert_int_equal(t->s.dma_fault, r->bad ? TPB_FAULT_DMA_DESC : 0);
	assert_int_equal(port_dram[0x400], 0x77);
	if (!r->bad)
		return;
	assert_int_equal(t->s.dma_fault_q, 0);
	assert_int_equal(t->s.dma_fault_desc, 1);
	assert_int_equal(t->s.sem[1], 0);
	for (size_t w = 0; w < tpb_sbuf_words(t); w++)
		assert_true(t->sbuf[w] == 0);
	for (size_t w = 0; w < tpb_psum_words(); w++)
		assert_true(t->psum[w] == 0);
}

static void test_bad_descriptors(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_rows) / sizeof(*bad_rows); i++)
		bad_descriptor(i);
}

/* An opcode that is no descriptor; the first fault is kept; an engine that
 * owns a stopped queue never drains. */
static void test_first_fault_stays(void **state)
{
	(void)state;
	begin();
	for (int q = 0; q < 2; q++) {
		queue(SP);
		instance();
		block(0, 0, 0);
		copy(0, 0x80, 8, 0, 0)[0] = 0xD5;
	}
	trigger(SP, 1, 1);
	trigger(SP, 0, 1);
	quit(SP);
	start_dma();
	until_quiet();
	assert_int_equal(t->s.q_stop[0], 1);
	assert_int_equal(t->s.q_stop[1], 1);
	assert_int_equal(t->s.dma_fault, TPB_FAULT_DMA_DESC);
	assert_int_equal(t->s.dma_fault_q, 1);
	assert_int_equal(t->s.dma_fault_desc, 1);
	assert_faulted(SP, TPB_FAULT_DEADLOCK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_copies),
	    cmocka_unit_test(test_run_lengths),
	    cmocka_unit_test(test_with_loads),
	    cmocka_unit_test(test_with_vectors),
	    cmocka_unit_test(test_conversions),
	    cmocka_unit_test(test_fp8),
	    cmocka_unit_test(test_bad_descriptors),
	    cmocka_unit_test(test_first_fault_stays),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	tpb_free(t);
	return failed;
}
