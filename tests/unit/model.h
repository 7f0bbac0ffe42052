/* SPDX-License-Identifier: Apache-2.0
 *
 * The model as a test bench: programs written as raw bundles, a small DRAM,
 * and stepping.  One machine a test program, in `t`.
 */
#ifndef TESTS_UNIT_MODEL_H
#define TESTS_UNIT_MODEL_H

#include "cmodel/tpb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BUNDLES 48
#define DRAM_WORDS 4096
#define PART 1024u /* SBUF bytes a partition in these tests */
#define SBUF (1ull << 36)
#define PSUM (SBUF + 0x2000000)

enum { PE, ACT, POOL, DVE, SP };

static struct tpb *t;
static uint8_t prog[TPB_ENGINES][BUNDLES][TPB_BUNDLE];
static uint32_t len[TPB_ENGINES];
static uint64_t dram[DRAM_WORDS];

/* ------------------------------------------------------------------ *
 * Programs.                                                          *
 * ------------------------------------------------------------------ */

static inline void program(void)
{
	memset(prog, 0, sizeof(prog));
	memset(len, 0, sizeof(len));
	memset(dram, 0, sizeof(dram));
}

static inline void put32(uint8_t *b, int off, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		b[off + i] = (uint8_t)(v >> 8 * i);
}

/* Append a bundle; the caller fills the rest. */
static inline uint8_t *emit(int e, uint8_t op)
{
	uint8_t *b = prog[e][len[e]++];

	assert_true(len[e] <= BUNDLES);
	b[0] = op;
	b[1] = 0x10;
	return b;
}

/* Fill a sync lane: standard at 4, extended at 0x20. */
static inline void lane(uint8_t *b, int off, uint8_t wait, uint8_t wid,
                        uint8_t update, uint8_t uid)
{
	b[off] = wait;
	b[off + 1] = wid;
	b[off + 2] = update;
	b[off + 3] = uid;
}

/* NoOp with a standard lane. */
static inline void noop(int e, uint8_t wait, uint8_t wid, uint8_t update,
                        uint8_t uid, uint32_t value)
{
	uint8_t *b = emit(e, 0xA4);

	lane(b, 4, wait, wid, update, uid);
	put32(b, 8, value);
}

static inline void mov(int e, uint8_t reg, uint32_t v)
{
	uint8_t *b = emit(e, 0xA7);

	b[0x0C] = 1;
	b[0x0D] = 0x09;
	b[0x0E] = 1;
	b[0x18] = reg;
	put32(b, 0x20, v);
}

/* rf[dst] := rf[src] op immediate, int32 */
static inline uint8_t *alu(int e, uint8_t op, uint8_t dst, uint8_t src,
                           uint32_t imm)
{
	uint8_t *b = emit(e, 0xA8);

	b[0x0C] = op;
	b[0x0D] = 1;
	b[0x0E] = 2;
	b[0x0F] = 8;
	b[0x10] = dst;
	b[0x11] = src;
	put32(b, 0x18, imm);
	return b;
}

static inline uint8_t *jump(int e, uint32_t target)
{
	uint8_t *b = emit(e, 0xA9);

	b[0x0E] = 3;
	put32(b, 0x30, target);
	return b;
}

static inline uint8_t *call(int e, uint32_t target)
{
	uint8_t *b = emit(e, 0xD3);

	b[0x2F] = 1;
	put32(b, 0x30, target);
	return b;
}

static inline uint8_t *ret(int e, uint8_t keep)
{
	uint8_t *b = emit(e, 0xD2);

	b[0x0C] = keep;
	return b;
}

static inline uint8_t *quit(int e)
{
	uint8_t *b = emit(e, 0xDF);

	b[0x0C] = 1;
	return b;
}

/* TensorLoad 0xAA or TensorSave 0xAB with an immediate address and n0 * 1
 * elements one apart, registers from first up. */
static inline uint8_t *tensor(int e, uint8_t op, uint8_t tag, uint8_t n0,
                              uint64_t addr, uint8_t first)
{
	uint8_t *b = emit(e, op);

	b[0x0C] = tag;
	b[0x0E] = n0;
	b[0x0F] = 1;
	for (int i = 0; i < 7; i++)
		b[0x10 + i] = (uint8_t)(addr >> 8 * i);
	b[0x18] = 1;
	b[0x1C] = 1;
	for (int k = 0; k < n0 && n0 <= 32; k++)
		b[0x20 + k] = (uint8_t)(first + k * (tag == 1 ? 2 : 1));
	return b;
}

/* ------------------------------------------------------------------ *
 * The machine.                                                       *
 * ------------------------------------------------------------------ */

static inline uint64_t dram_read(void *ctx, uint64_t word)
{
	(void)ctx;
	return dram[word % DRAM_WORDS];
}

static inline void dram_write(void *ctx, uint64_t word, uint64_t data,
                              uint8_t mask)
{
	(void)ctx;
	for (int i = 0; i < 8; i++)
		if (mask >> i & 1) {
			uint64_t m = 0xFFull << 8 * i;
			uint64_t *w = &dram[word % DRAM_WORDS];

			*w = (*w & ~m) | (data & m);
		}
}

static inline void start_gen(int gen)
{
	struct tpb_config cfg = {
	    .gen = gen, .sbuf_part_bytes = PART, .rank = 7};

	for (int e = 0; e < TPB_ENGINES; e++) {
		cfg.stream[e].bundle = (const uint8_t(*)[TPB_BUNDLE])prog[e];
		cfg.stream[e].len = len[e];
	}
	tpb_free(t);
	t = tpb_new(&cfg);
	assert_non_null(t);
	t->dram = (struct tpb_dram){NULL, dram_read, dram_write};
	tpb_reset(t);
}

static inline void start(void)
{
	start_gen(3);
}

static inline void steps(int n)
{
	while (n-- > 0)
		tpb_step(t);
}

/* Start, and go on until the first bundles stand in the issue stage. */
static inline void start_at_issue(void)
{
	start();
	steps(2);
}

/* Step until engine e is granted (retires); the cycle in which it was. */
static inline int until_grant(int e)
{
	for (int i = 0; i < 3000; i++) {
		tpb_step(t);
		if (t->granted >> e & 1)
			return (int)t->cycle - 1;
	}
	fail_msg("engine %d is never granted", e);
	return -1;
}

static inline int until_retire(int e)
{
	for (int i = 0; i < 3000; i++) {
		tpb_step(t);
		if (t->retired >> e & 1)
			return (int)t->cycle - 1;
	}
	fail_msg("engine %d never retires", e);
	return -1;
}

static inline struct tpb_engine_state *eng(int e)
{
	return &t->s.engine[e];
}

static inline void assert_faulted(int e, int code)
{
	assert_int_equal(eng(e)->state, TPB_RUN_FAULTED);
	assert_int_equal(eng(e)->fault, code);
}

/* Step to the end of the run; its cycles. */
static inline int until_done(void)
{
	for (int i = 0; i < 20000; i++) {
		if (tpb_done(t))
			return (int)t->cycle;
		tpb_step(t);
	}
	fail_msg("the run does not end");
	return -1;
}

#endif
