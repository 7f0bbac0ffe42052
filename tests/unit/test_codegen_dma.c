/* SPDX-License-Identifier: Apache-2.0
 *
 * Code generation: triggers, queues, blocks, descriptors, the DGE table.
 *
 * Descriptors are judged twice: the sides' fields against numbers worked out
 * here, and the bytes that a descriptor moves against a copy done element by
 * element with the patterns of the IR.
 *
 * Run alone: test_codegen_dma.
 */
#include "tests/unit/codegen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void again(void)
{
	teardown(NULL);
	setup(NULL);
}

static void generate(void)
{
	if (!codegen_module(m, 3, img, &err))
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
}

static void refused(const char *id, const char *part)
{
	assert_false(codegen_module(m, 3, img, &err));
	if (strcmp(err.id, id) || !strstr(err.text, part))
		fail_msg("want %s with '%s', have %s: %s", id, part, err.id,
		         err.text);
}

static void resolve(void)
{
	struct image_error e = {0};

	if (!image_resolve(img, &e))
		fail_msg("%s: %s: %s", e.id, e.place, e.text);
}

static struct bir_loc *dram(const char *name, enum bir_kind kind, int64_t rows,
                            int64_t cols)
{
	const int64_t shape[] = {rows, cols};

	return bir_loc_new(m, name, BIR_DRAM, kind, F32, 2, shape);
}

static struct bir_loc *chip(const char *name, enum bir_mem mem, int part,
                            int64_t byte, int64_t rows, int64_t cols)
{
	const int64_t shape[] = {rows, cols};
	struct bir_loc *l =
	    bir_loc_new(m, name, mem, BIR_INTERNAL, F32, 2, shape);

	bir_loc_place(l, part, byte);
	return l;
}

/* A queue of one instance with one block of one descriptor. */
static struct bir_inst *transfer(struct bir_arg *src, struct bir_arg *dst)
{
	struct bir_queue *q = bir_queue_new(m, "q0", BIR_ENG_SP);
	struct bir_inst *block =
	    bir_inst_new(m, BIR_IT_DMA_BLOCK, "block", BIR_ENG_NONE);
	struct bir_inst *t =
	    bir_emit(m, blk, BIR_IT_DMA_TRIGGER, NULL, BIR_ENG_SP);

	bir_instance_new(m, q, "q0.0");
	bir_instance_add(m, q, 0, block);
	bir_desc(m, block, src, dst);
	t->u.trigger.queue = q;
	t->u.trigger.block = block;
	t->u.trigger.count = 1;
	return block;
}

static uint64_t get(const uint8_t *b, const char *name)
{
	const struct isa_field *f =
	    isa_field_named(TPB_OP_DMA_DIRECT, ISA_LOADED, name, strlen(name));

	assert_non_null(f);
	return isa_get(b, f);
}

/* ---- what a side is ---- */

static void test_side(void **state)
{
	struct bir_loc *x = dram("x", BIR_INPUT, 100, 64);
	struct bir_loc *t = chip("t", BIR_SBUF, 3, 0x100, 100, 64);
	struct bir_loc *p = chip("p", BIR_PSUM, 0, 2048, 100, 64);
	const uint8_t *b;

	(void)state;
	transfer(bir_whole(m, x), bir_whole(m, t));
	bir_desc(m, m->queue->instance->block[0], bir_whole(m, t),
	         bir_whole(m, p));
	generate();
	b = img->descriptor[0];
	/* the tensor is one run, cut at the largest part of 25,600 bytes */
	assert_int_equal(get(b, "src_bytes"), 25600);
	assert_int_equal(get(b, "src_num0"), 1);
	assert_int_equal(get(b, "src"), 0x1000000100000000);
	/* rows of 256 bytes in partitions from 3 on */
	assert_int_equal(get(b, "dst_bytes"), 256);
	assert_int_equal(get(b, "dst_num0"), 100);
	assert_int_equal(get(b, "dst_step0"), 0x40000);
	assert_int_equal(get(b, "dst"), 0x10000000000C0100);
	b = img->descriptor[1];
	assert_int_equal(get(b, "dst"), 0x1000000002000800);
	assert_int_equal(get(b, "dst_step0"), 0x8000);
	resolve();
	assert_int_equal(get(img->dma.descriptor[0], "dst"), 0x10000C0100);
}

/* 64 KiB are a count of 0; more becomes equal parts. */
static void test_long_runs(void **state)
{
	static const struct {
		int64_t cols;
		unsigned bytes, num;
		unsigned step;
	} row[] = {
	    {16384, 0, 1, 0}, {32768, 0, 2, 65536}, {24576, 49152, 2, 49152}};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		const uint8_t *b;

		again();
		transfer(bir_whole(m, dram("x", BIR_INPUT, 1, row[i].cols)),
		         bir_whole(m, dram("y", BIR_OUTPUT_T, 1, row[i].cols)));
		generate();
		b = img->descriptor[0];
		assert_int_equal(get(b, "src_bytes"), row[i].bytes);
		assert_int_equal(get(b, "src_num0"), row[i].num);
		assert_int_equal(get(b, "src_step0"), row[i].step);
		resolve();
	}
}

/* ---- what a descriptor moves ---- */

/* The k-th byte of a side, as the DMA unit walks it. */
static uint64_t unit_byte(const uint8_t *b, bool dst, uint64_t k)
{
	uint64_t bytes = get(b, dst ? "dst_bytes" : "src_bytes");
	uint64_t n0 = get(b, dst ? "dst_num0" : "src_num0");
	uint64_t i = k / bytes % n0, j = k / bytes / n0;

	return get(b, dst ? "dst" : "src") +
	       i * get(b, dst ? "dst_step0" : "src_step0") +
	       j * get(b, dst ? "dst_step1" : "src_step1") + k % bytes;
}

/* The same by the pattern: element k / size, byte k % size of it. */
static uint64_t ir_byte(const struct bir_arg *a, uint64_t k)
{
	uint64_t size = (uint64_t)bir_dtype_size(a->dtype), e = k / size;
	int64_t flat = a->offset;

	for (int d = a->npair - 1; d >= 0; d--) {
		uint64_t n = (uint64_t)a->pair[d].num;

		flat += (int64_t)(e % n) * a->pair[d].step * (int64_t)size;
		e /= n;
	}
	return bir_unified(a->loc, flat) + k % size;
}

static void test_moves(void **state)
{
	/* shapes of both sides; the DRAM tensor is 64 x 64, the tile 64 x 32
	 */
	static const struct {
		int nsrc, ndst;
		struct bir_pair src[4], dst[4];
		int64_t offset;
	} row[] = {
	    {2, 2, {{64, 16}, {1, 32}}, {{32, 16}, {1, 32}}, 0},
	    {2, 2, {{64, 16}, {1, 8}}, {{32, 16}, {1, 8}}, 16},
	    {3, 3, {{64, 4}, {16, 2}, {1, 4}}, {{32, 4}, {8, 2}, {1, 4}}, 4},
	    {2, 2, {{-64, 16}, {1, 8}}, {{32, 16}, {1, 8}}, 4 * 64 * 20},
	    {2, 2, {{1, 8}, {64, 8}}, {{32, 8}, {1, 8}}, 0},
	    {2, 3, {{64, 1}, {1, 64}}, {{32, 4}, {8, 2}, {1, 8}}, 0},
	    {2, 2, {{0, 16}, {1, 32}}, {{32, 16}, {1, 32}}, 0},
	    {3, 2, {{64, 8}, {8, 1}, {1, 32}}, {{32, 8}, {1, 32}}, 128},
	    {1, 2, {{1, 1}}, {{32, 1}, {1, 1}}, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct bir_loc *x, *t;
		struct bir_arg *src, *dst;
		const uint8_t *b;
		uint64_t n;

		again();
		x = dram("x", BIR_INPUT, 64, 64);
		t = chip("t", BIR_SBUF, 32, 64, 64, 32);
		src = bir_ap(m, x, F32, row[i].offset, row[i].nsrc, row[i].src);
		dst = bir_ap(m, t, F32, 0, row[i].ndst, row[i].dst);
		transfer(src, dst);
		generate();
		resolve();
		b = img->dma.descriptor[0];
		n = get(b, "src_bytes") * get(b, "src_num0") *
		    get(b, "src_num1");
		assert_int_equal(n, 4 * bir_ap_count(src));
		for (uint64_t k = 0; k < n; k++) {
			assert_int_equal(unit_byte(b, false, k),
			                 ir_byte(src, k));
			assert_int_equal(unit_byte(b, true, k),
			                 ir_byte(dst, k));
		}
	}
}

/* ---- queues ---- */

static void test_queues(void **state)
{
	struct bir_loc *x = dram("x", BIR_INPUT, 1, 16);
	struct bir_loc *y = dram("y", BIR_OUTPUT_T, 1, 16);
	struct bir_inst *block = transfer(bir_whole(m, x), bir_whole(m, y));
	struct bir_queue *q = bir_queue_new(m, "q1", BIR_ENG_ACT);
	struct bir_inst *i;

	(void)state;
	bir_update_add(m, block, 0, 8, TPB_BIR_UPDATE_ADD_IMM, 5);
	bir_instance_new(m, q, "q1.0");
	bir_instance_new(m, q, "q1.1");
	q->type = 1;
	q->special[1] = 4;
	q->group[31] = 0x80;
	i = bir_emit(m, blk, BIR_IT_SWITCH_QUEUE, NULL, BIR_ENG_ACT);
	i->u.sqi = (struct bir_sqi){q, 1, true};
	/* the name is that of the instance switched to */
	i = bir_emit(m, blk, BIR_IT_DMA_TRIGGER, NULL, BIR_ENG_ACT);
	i->u.trigger.queue = q;
	i->u.trigger.count = 3;
	i = bir_emit(m, blk, BIR_IT_RESET_QUEUE, NULL, BIR_ENG_ACT);
	i->u.sqi = (struct bir_sqi){q, 1, false};
	m->feature_no_rearm = true;
	generate();
	assert_false(m->feature_no_rearm);
	assert_string_equal((char *)img->stream[SP].bundle[0] + 12, "q0.0");
	assert_string_equal((char *)img->stream[ACT].bundle[0] + 12, "q1.1");
	assert_int_equal(img->stream[ACT].bundle[0][0x3B], 1);
	assert_string_equal((char *)img->stream[ACT].bundle[1] + 12, "q1.1");
	assert_int_equal(img->stream[ACT].bundle[1][0x30], 3);
	resolve();
	assert_int_equal(img->dma.nqueues, 2);
	assert_int_equal(img->dma.ninstances, 3);
	assert_int_equal(img->dma.nblocks, 1);
	assert_int_equal(img->dma.queue[0][9], SP);
	assert_int_equal(img->dma.queue[1][0], 1);
	assert_int_equal(img->dma.queue[1][4], 2);
	assert_int_equal(img->dma.queue[1][8], 1);
	assert_int_equal(img->dma.queue[1][9], ACT);
	assert_int_equal(img->dma.queue[1][0x21], 4);
	assert_int_equal(img->dma.queue[1][0x5F], 0x80);
	assert_int_equal(img->dma.block[0][8], 0x15);
	assert_int_equal(img->dma.block[0][9], 8);
	assert_int_equal(img->dma.block[0][12], 5);
	assert_int_equal(img->stream[ACT].bundle[0][0x0C], 1);
	assert_int_equal(img->stream[ACT].bundle[0][0x0D], 1);
}

/* A transfer with a run-time address is a bundle of the stream. */
static void test_run_time_address(void **state)
{
	struct bir_loc *x = dram("x", BIR_INPUT, 64, 64);
	struct bir_loc *t = chip("t", BIR_SBUF, 0, 64, 64, 32);
	struct bir_pair ps[] = {{64, 16}, {1, 32}}, pd[] = {{32, 16}, {1, 32}};
	struct bir_reg *r = bir_reg_new(m, "r", BIR_ENG_SP, 64);
	struct bir_reg *k = bir_reg_new(m, "k", BIR_ENG_SP, 32);
	struct bir_inst *i;
	uint8_t *b;

	(void)state;
	r->phys = 10;
	k->phys = 5;
	i = bir_emit(m, blk, BIR_IT_DMA_COPY, NULL, BIR_ENG_SP);
	bir_in(i, bir_regap(m, x, F32, r, 0, 2, ps));
	bir_out(i, bir_ap(m, t, F32, 0, 2, pd));
	bir_update_add(m, i, 0, 9, TPB_BIR_UPDATE_INC, 1);
	i = bir_emit(m, blk, BIR_IT_DMA_COPY, NULL, BIR_ENG_SP);
	bir_in(i, bir_ap(m, x, F32, 0, 2, ps));
	bir_out(i, bir_regap(m, t, F32, k, 0, 2, pd));
	if (!isa_op(TPB_OP_DMA_DIRECT)->built) {
		refused("CGN010", "has no dma");
		return;
	}
	generate();
	b = img->stream[SP].bundle[0];
	assert_int_equal(b[0], 0xD4);
	assert_int_equal(b[6], 0x13);
	assert_int_equal(b[7], 9);
	assert_int_equal(get(b, "src"), 0x2C0000000000000A);
	assert_int_equal(get(b, "dst"), 0x1000000000000040);
	b = img->stream[SP].bundle[1];
	assert_int_equal(get(b, "dst"), 0x2800000100000005);
	assert_int_equal(img->ndge, 2);
	resolve();
	b = img->dma.dge[0];
	assert_int_equal(b[1], 0x10); /* x at 0x1000, 16 KiB */
	assert_int_equal(b[9], 0x40);
	assert_int_equal(img->dma.dge[1][4], 0x10);
}

/* ---- tensors ---- */

static void test_tensors(void **state)
{
	static const uint8_t bytes[16] = "fifteen bytes..";
	const int64_t shape[] = {4};
	struct bir_loc *l[4];

	(void)state;
	l[0] = bir_loc_new(m, "in", BIR_DRAM, BIR_INPUT, F32, 1, shape);
	l[1] = bir_loc_new(m, "c", BIR_DRAM, BIR_CONST, F32, 1, shape);
	l[2] = bir_loc_new(m, "out", BIR_DRAM, BIR_OUTPUT_T, F32, 1, shape);
	l[3] = bir_loc_new(m, "tmp", BIR_DRAM, BIR_INTERNAL, F32, 1, shape);
	l[1]->init = bytes;
	bir_loc_place_dram(l[2], 0x8000, 12);
	bir_emit(m, blk, BIR_IT_EXIT, NULL, BIR_ENG_SP);
	generate();
	assert_int_equal(img->ntensors, 4);
	for (int i = 0; i < 4; i++) {
		assert_string_equal(img->tensor[i].name, l[i]->name);
		assert_int_equal(img->tensor[i].id, l[i]->var);
		assert_int_equal(img->tensor[i].addr, l[i]->addr);
		assert_int_equal(img->tensor[i].output, i == 2);
	}
	assert_int_equal(img->tensor[2].id, 12);
	assert_int_equal(img->tensor[0].id, 13);
	assert_memory_equal(img->tensor[1].init, bytes, 16);
	assert_non_null(img->tensor[0].init);
	for (int i = 0; i < 16; i++)
		assert_int_equal(img->tensor[0].init[i], 0);
	assert_null(img->tensor[2].init);
	assert_null(img->tensor[3].init);
}

/* ---- errors ---- */

static void test_errors(void **state)
{
	struct bir_pair four[] = {{1024, 2}, {256, 2}, {64, 2}, {2, 8}};
	struct bir_pair flat[] = {{32, 64}};
	struct bir_loc *x = dram("x", BIR_INPUT, 64, 64);
	struct bir_loc *t = chip("t", BIR_SBUF, 0, 64, 64, 32);
	struct bir_inst *i, *block;

	(void)state;
	transfer(bir_ap(m, x, F32, 0, 4, four), bir_ap(m, t, F32, 0, 1, flat));
	refused("CGN009", "more than two");
	again();
	x = dram("x", BIR_INPUT, 1, 16);
	t = dram("y", BIR_OUTPUT_T, 1, 15);
	transfer(bir_whole(m, x), bir_whole(m, t));
	refused("CGN011", "different numbers");
	again();
	x = dram("x", BIR_INPUT, 1, 16);
	block = transfer(bir_whole(m, x), bir_whole(m, x));
	bir_wait_add(m, block, 0, 1, TPB_BIR_WAIT_GE_IMM, 1, NULL, NULL);
	refused("CGN006", "waits");
	again();
	i = bir_emit(m, blk, BIR_IT_DMA_TRIGGER, NULL, BIR_ENG_SP);
	refused("CGN008", "without a queue");
	again();
	x = dram("x", BIR_INPUT, 1, 16);
	transfer(bir_whole(m, x), bir_whole(m, x));
	i = bir_emit(m, blk, BIR_IT_RESET_QUEUE, NULL, BIR_ENG_SP);
	i->u.sqi.queue = m->queue;
	refused("CGN008", "no_rearm");
	again();
	x = dram("x", BIR_INPUT, 1, 16);
	transfer(bir_whole(m, x), bir_whole(m, x));
	m->queue->instance->name = "a name of 32 bytes, one too many";
	refused("CGN005", "32 bytes");
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(test_side),   T(test_long_runs),        T(test_moves),
	    T(test_queues), T(test_run_time_address), T(test_tensors),
	    T(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
