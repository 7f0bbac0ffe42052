/* SPDX-License-Identifier: Apache-2.0
 *
 * Code generation: bundles of vector and sequencer instructions, branches,
 * the PC map, sync records, errors.
 *
 * The expected bytes are the worked encodings of the numerics sheet (14), the
 * sequencer sheet (15) and of the design (3.1), typed in here.
 *
 * Run alone: test_codegen.
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

#define U32 TPB_BIR_DTYPE_UINT32
#define I32 TPB_BIR_DTYPE_INT32

static struct bir_inst *emit(enum bir_it it, enum bir_engine e)
{
	return bir_emit(m, blk, it, NULL, e);
}

static void again(void)
{
	teardown(NULL);
	setup(NULL);
}

/* 128 partitions of n elements at a byte of SBUF. */
static struct bir_loc *tile(const char *name, int dtype, int n, int64_t byte)
{
	const int64_t shape[] = {128, n};
	struct bir_loc *l =
	    bir_loc_new(m, name, BIR_SBUF, BIR_INTERNAL, dtype, 2, shape);

	bir_loc_place(l, 0, byte);
	return l;
}

static struct bir_arg *whole(const char *name, int dtype, int n, int64_t byte)
{
	return bir_whole(m, tile(name, dtype, n, byte));
}

static struct bir_reg *reg(const char *name, enum bir_engine e, int phys,
                           int bits)
{
	struct bir_reg *r = bir_reg_new(m, name, e, bits);

	r->phys = phys;
	return r;
}

static void generate(void)
{
	if (!codegen_module(m, 3, img, &err))
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
}

static void refused(const char *id, const char *part)
{
	assert_false(codegen_module(m, 3, img, &err));
	if (strcmp(err.id, id) || !strstr(err.text, part) ||
	    !strstr(err.text, "; "))
		fail_msg("want %s with '%s', have %s: %s", id, part, err.id,
		         err.text);
}

/* "at: bytes" groups, all other bytes 0. */
static void expect(int engine, uint32_t pc, const char *text)
{
	uint8_t b[64] = {0};
	unsigned long v;
	unsigned at = 0;
	char *end;

	while (*text) {
		v = strtoul(text, &end, 16);
		assert_true(end != text && at < 64);
		if (*end == ':')
			at = (unsigned)v;
		else
			b[at++] = (uint8_t)v;
		for (text = end; *text == ':' || *text == ' ';)
			text++;
	}
	assert_true(pc < img->stream[engine].len);
	for (int i = 0; i < 64; i++)
		if (b[i] != img->stream[engine].bundle[pc][i])
			fail_msg("bundle %u of engine %d: byte +0x%02X is "
			         "0x%02X, want 0x%02X",
			         pc, engine, i,
			         img->stream[engine].bundle[pc][i], b[i]);
}

/* ---- vector ---- */

static void test_tensor_scalar(void **state)
{
	struct bir_inst *i = emit(BIR_IT_TENSOR_SCALAR_PTR, BIR_ENG_DVE);

	(void)state;
	bir_in(i, whole("x", F32, 64, 0x400));
	bir_in(i, bir_float(m, 2.0F));
	bir_in(i, bir_float(m, 1.0F));
	bir_out(i, whole("y", F32, 64, 0x800));
	i->u.alu.op0 = TPB_BIR_ALU_MULT;
	i->u.alu.op1 = TPB_BIR_ALU_ADD;
	generate();
	expect(DVE, 0,
	       "00:43 10 10:00 04 00 00 01 00 01 00 01 00 40 00 01 00 01 00 "
	       "20:0A 0A 80 00 06 04 00 00 00 00 00 40 00 00 80 3F "
	       "30:00 08 00 00 01 00 01 00 01 00 40 00 01 00 01 00");
}

static void test_search(void **state)
{
	struct bir_loc *x = tile("x", F32, 64, 0x400);
	struct bir_loc *top = tile("top", F32, 8, 0x1000);
	struct bir_inst *i = emit(BIR_IT_MAX, BIR_ENG_DVE);

	(void)state;
	bir_in(i, bir_whole(m, x));
	bir_out(i, bir_whole(m, top));
	i = emit(BIR_IT_MAX_INDEX, BIR_ENG_DVE);
	bir_in(i, bir_whole(m, top));
	bir_in(i, bir_whole(m, x));
	bir_out(i, whole("at", U32, 8, 0x1100));
	i = emit(BIR_IT_MATCH_REPLACE, BIR_ENG_DVE);
	bir_in(i, bir_whole(m, top));
	bir_in(i, bir_whole(m, x));
	bir_out(i, bir_whole(m, x));
	i->u.replace = 0xFF800000;
	generate();
	expect(DVE, 0,
	       "00:6C 10 0C:00 04 00 00 01 00 01 00 01 00 01 00 40 00 01 00 "
	       "01 00 01 00 20:0A 0A 80 30:1C 10 00 00 FF FF 00 00 08 00 01");
	expect(DVE, 1,
	       "00:6D 10 10:1C 10 00 00 FF FF 00 00 08 00 01 20:0A 00 80");
	expect(DVE, 2,
	       "00:6E 10 0C:00 04 00 00 01 00 01 00 01 00 01 00 40 00 01 00 "
	       "01 00 01 00 20:0A 09 80 "
	       "30:00 11 00 00 01 00 01 00 08 00 01");
	/* the values of a replacement run forward */
	expect(DVE, 3,
	       "00:6D 10 10:00 10 00 00 01 00 01 00 08 00 01 20:0A 00 80");
	expect(DVE, 4,
	       "00:6F 10 0C:00 04 00 00 01 00 01 00 01 00 01 00 40 00 01 00 "
	       "01 00 01 00 20:0A 0A 80 28:00 00 80 FF "
	       "2C:00 04 00 00 01 00 01 00 01 00 01 00 40 00 01 00 01 00 01");
	assert_int_equal(img->stream[DVE].len, 5);
}

static void test_copy_predicated_scalar(void **state)
{
	struct bir_arg *mask = whole("mask", U8, 64, 0x400);

	(void)state;
	for (int reverse = 0; reverse < 2; reverse++) {
		struct bir_inst *i = emit(BIR_IT_COPY_PREDICATED, BIR_ENG_DVE);

		bir_in(i, bir_arg_copy(m, mask));
		bir_in(i, bir_float(m, -1.0F));
		bir_out(i, whole(reverse ? "b" : "a", F32, 64, 0x800));
		i->u.cpred.reverse = reverse;
		/* the marker of the lowering has no bit */
		i->u.cpred.false_fill = !reverse;
	}
	generate();
	expect(DVE, 0,
	       "00:E8 10 10:00 04 00 00 01 00 01 00 01 00 40 00 01 00 01 00 "
	       "20:03 01 80 29:0A 0A 00 00 00 80 BF "
	       "30:00 08 00 00 01 00 01 00 01 00 40 00 01 00 01 00");
	expect(DVE, 1,
	       "00:E8 10 10:00 04 00 00 01 00 01 00 01 00 40 00 01 00 01 00 "
	       "20:03 00 80 29:0A 0A 00 00 00 80 BF "
	       "30:00 08 00 00 01 00 01 00 01 00 40 00 01 00 01 00");
}

static void test_iota(void **state)
{
	struct bir_inst *i = emit(BIR_IT_IOTA, BIR_ENG_POOL);

	(void)state;
	bir_out(i, whole("v", I32, 32, 0x800));
	i->u.iota = (struct bir_iota){
	    .base = 5, .mult = 1000, .npair = 2, .pair = {{100, 4}, {1, 8}}};
	generate();
	expect(POOL, 0,
	       "00:7E 10 0C:05 00 00 00 01 00 64 00 01 00 01 00 08 00 04 00 "
	       "01 00 01 00 21:08 80 00 E8 03 "
	       "2C:00 08 00 00 01 00 01 00 01 00 01 00 20 00 01 00 01 00 01");
}

/* The memory sheet's two patterns: fp16 rows, and backwards in PSUM. */
static void test_patterns(void **state)
{
	const int64_t shape[] = {128, 16, 64}, psum[] = {4, 4, 64};
	struct bir_loc *a = bir_loc_new(m, "a", BIR_SBUF, BIR_INTERNAL,
	                                TPB_BIR_DTYPE_FLOAT16, 3, shape);
	struct bir_loc *p = bir_loc_new(m, "p", BIR_PSUM, BIR_INTERNAL,
	                                TPB_BIR_DTYPE_FLOAT16, 3, psum);
	struct bir_pair pa[] = {{1024, 128}, {64, 16}, {1, 32}};
	struct bir_pair pp[] = {{256, 4}, {-64, 4}, {1, 32}};
	struct bir_inst *i = emit(BIR_IT_TENSOR_TENSOR, BIR_ENG_DVE);

	(void)state;
	bir_loc_place(a, 0, 0x400);
	bir_loc_place(p, 32, 7 * 2048 - 3 * 128);
	bir_in(i, bir_ap(m, a, a->dtype, 0, 3, pa));
	bir_in(i, bir_ap(m, a, a->dtype, 0, 3, pa));
	bir_out(i, bir_ap(m, a, a->dtype, 0, 3, pa));
	i->u.alu.op0 = TPB_BIR_ALU_ADD;
	i = emit(BIR_IT_TENSOR_COPY, BIR_ENG_DVE);
	bir_in(i, bir_ap(m, p, p->dtype, 3 * 128, 3, pp));
	pa[0].num = 4;
	pa[1].num = 4;
	bir_out(i, bir_ap(m, a, a->dtype, 0, 3, pa));
	generate();
	expect(DVE, 0,
	       "00:41 10 0C:77 07 04 80 "
	       "10:00 04 00 00 01 00 40 00 01 00 20 00 10 00 01 00 "
	       "20:00 04 00 00 01 00 40 00 01 00 20 00 10 00 01 00 "
	       "30:00 04 00 00 01 00 40 00 01 00 20 00 10 00 01 00");
	expect(DVE, 1,
	       "00:46 10 0C:00 38 10 02 01 00 C0 FF 01 00 01 00 20 00 04 00 "
	       "01 00 01 00 20:07 07 04 "
	       "2C:00 04 00 00 01 00 40 00 01 00 01 00 20 00 04 00 01 00 01");
}

/* One input, or none, and an output. */
static struct bir_inst *op(enum bir_it it, struct bir_loc *src,
                           struct bir_loc *dst)
{
	struct bir_inst *i = emit(it, BIR_ENG_DVE);

	if (src)
		bir_in(i, bir_whole(m, src));
	bir_out(i, bir_whole(m, dst));
	return i;
}

static struct bir_inst *scalar_op(int alu, struct bir_loc *tensor,
                                  struct bir_arg *scalar)
{
	struct bir_inst *i = op(BIR_IT_TENSOR_SCALAR, tensor, tensor);

	bir_in(i, scalar);
	i->u.alu.op0 = alu;
	return i;
}

/* Two sources, reductions, scalars in place and in memory. */
static void test_arithmetic(void **state)
{
	struct bir_loc *f = tile("f", F32, 8, 0), *n = tile("n", I32, 8, 64);
	struct bir_loc *one = tile("one", F32, 1, 128);
	static const uint8_t want[] = {0x51, 0x53, 0x43, 0x42, 0x52, 0x9A};
	struct bir_inst *i;

	(void)state;
	i = op(BIR_IT_TENSOR_TENSOR, n, n);
	bir_in(i, bir_whole(m, n));
	i->u.alu.op0 = TPB_BIR_ALU_BITWISE_XOR;
	scalar_op(TPB_BIR_ALU_LOGICAL_SHR, n, bir_int(m, 3));
	scalar_op(TPB_BIR_ALU_SUBTRACT, f, bir_whole(m, one))->u.alu.rev0 =
	    true;
	i = op(BIR_IT_TENSOR_REDUCE, f, one);
	i->u.alu.op0 = TPB_BIR_ALU_ADD;
	i->u.alu.axis = TPB_BIR_AXIS_XY;
	op(BIR_IT_TENSOR_REDUCE, n, tile("n1", I32, 1, 132))->u.alu.op0 =
	    TPB_BIR_ALU_BITWISE_OR;
	i = scalar_op(TPB_BIR_ALU_MULT, f, bir_float(m, 1.0F));
	i->u.alu.op1 = TPB_BIR_ALU_ADD;
	i->u.alu.acc = TPB_BIR_ACC_ZERO_ACC;
	generate();
	assert_int_equal(img->stream[DVE].len, sizeof(want));
	for (size_t k = 0; k < sizeof(want); k++)
		assert_int_equal(img->stream[DVE].bundle[k][0], want[k]);
	/* a scalar in memory, its operands swapped */
	expect(DVE, 2,
	       "00:43 10 10:00 00 00 00 01 00 01 00 01 00 08 00 01 00 01 00 "
	       "20:0A 0A 80 01 05 00 01 00 80 00 00 00 "
	       "30:00 00 00 00 01 00 01 00 01 00 08 00 01 00 01 00");
	/* axis XY is 3, command ZeroAccumulate 3 */
	assert_int_equal(img->stream[DVE].bundle[3][0x25], 3);
	assert_int_equal(img->stream[DVE].bundle[5][0x0C], 3);
}

/* Copies, casts, fills, the accumulator. */
static void test_moves(void **state)
{
	struct bir_loc *f = tile("f", F32, 8, 0), *n = tile("n", I32, 8, 64);
	struct bir_loc *one = tile("one", F32, 1, 128);
	static const uint8_t want[] = {0x46, 0x47, 0x48, 0x49,
	                               0x72, 0x99, 0x9B};

	(void)state;
	op(BIR_IT_TENSOR_COPY, n, n);
	op(BIR_IT_TENSOR_COPY, n, f);
	op(BIR_IT_RECIPROCAL, f, f);
	op(BIR_IT_MEMSET, NULL, f)->u.memset.fill = 0x3F800000;
	bir_in(op(BIR_IT_COPY_PREDICATED, n, f), bir_whole(m, f));
	bir_in(op(BIR_IT_COPY_PREDICATED, n, f), bir_whole(m, n));
	op(BIR_IT_DVE_READ_ACC, NULL, one);
	generate();
	assert_int_equal(img->stream[DVE].len, sizeof(want));
	for (size_t k = 0; k < sizeof(want); k++)
		assert_int_equal(img->stream[DVE].bundle[k][0], want[k]);
	expect(DVE, 3,
	       "00:49 10 1C:08 00 00 00 0A 00 80 28:00 00 80 3F "
	       "2C:00 00 00 00 01 00 01 00 01 00 01 00 08 00 01 00 01 00 01");
	expect(DVE, 6,
	       "00:9B 10 1C:01 00 00 00 0A 00 80 "
	       "2C:80 00 00 00 01 00 01 00");
}

/* An offset besides the register is added in one that nobody has. */
static void test_register_address(void **state)
{
	struct bir_loc *f = tile("f", F32, 8, 0);
	struct bir_reg *r = reg("r", BIR_ENG_DVE, 9, 32);
	struct bir_arg *all = bir_whole(m, f);
	struct bir_inst *i = emit(BIR_IT_TENSOR_COPY, BIR_ENG_DVE);

	(void)state;
	bir_in(i, bir_regap(m, f, F32, r, 0, all->npair, all->pair));
	bir_out(i, bir_regap(m, f, F32, r, 0x40, all->npair, all->pair));
	generate();
	expect(DVE, 0, "00:A8 10 0C:04 01 02 08 3F 09 18:40");
	expect(DVE, 1,
	       "00:46 10 0C:09 00 00 80 01 00 01 00 01 00 01 00 08 00 01 00 "
	       "01 00 01 00 20:0A 0A 80 "
	       "2C:3F 00 00 80 01 00 01 00 01 00 01 00 08 00 01 00 01 00 01");
}

/* ---- sequencer ---- */

static void test_registers(void **state)
{
	struct bir_reg *r4 = reg("r4", BIR_ENG_SP, 4, 32);
	struct bir_reg *r5 = reg("r5", BIR_ENG_SP, 5, 32);
	struct bir_reg *r6 = reg("r6", BIR_ENG_SP, 6, 32);
	struct bir_reg *r9 = reg("r9", BIR_ENG_SP, 9, 32);
	struct bir_reg *p6 = reg("p6", BIR_ENG_SP, 6, 64);
	struct bir_reg *p8 = reg("p8", BIR_ENG_SP, 8, 64);
	struct bir_reg *p10 = reg("p10", BIR_ENG_SP, 10, 64);
	struct bir_arg *imm = bir_imm(m, U32, 0x12345678);

	(void)state;
	bir_reg_alu(m, blk, BIR_ENG_SP, TPB_BIR_ALU_ADD, r5, r4, bir_int(m, 7));
	bir_reg_alu(m, blk, BIR_ENG_SP, TPB_BIR_ALU_SUBTRACT, r5, r4,
	            bir_use(m, r6));
	bir_reg_alu(m, blk, BIR_ENG_SP, TPB_BIR_ALU_MOD, r5, r4,
	            bir_int(m, 48));
	bir_reg_alu(m, blk, BIR_ENG_SP, TPB_BIR_ALU_ADD, p6, p8,
	            bir_use(m, p10));
	bir_reg_alu(m, blk, BIR_ENG_SP, TPB_BIR_ALU_ADD, p6, p8,
	            bir_imm(m, TPB_BIR_DTYPE_UINT64, 1ull << 32));
	bir_reg_move(m, blk, BIR_ENG_SP, r4, imm);
	bir_reg_move(m, blk, BIR_ENG_SP, r4, bir_use(m, r9));
	bir_reg_move(m, blk, BIR_ENG_SP, p6,
	             bir_imm(m, TPB_BIR_DTYPE_INT64, 1));
	generate();
	expect(SP, 0, "00:A8 10 0C:04 01 02 08 05 04 18:07");
	expect(SP, 1, "00:A8 10 0C:05 01 00 08 05 04 06");
	expect(SP, 2, "00:A8 10 0C:1B 01 02 08 05 04 18:30");
	expect(SP, 3, "00:A8 10 0C:04 01 01 01 06 08 0A 00 06 07");
	expect(SP, 4, "00:A8 10 0C:04 01 03 01 06 08 00 00 06 07 1C:01");
	expect(SP, 5, "00:A7 10 0C:01 09 01 18:04 20:78 56 34 12");
	expect(SP, 6, "00:A7 10 0C:01 08 00 10:09 18:04");
	expect(SP, 7, "00:A7 10 0C:02 08 01 18:06 07 20:01");
}

static void test_memory(void **state)
{
	const int64_t shape[] = {16};
	struct bir_loc *v =
	    bir_loc_new(m, "v", BIR_DRAM, BIR_INTERNAL, I32, 1, shape);
	struct bir_loc *w = bir_loc_new(m, "w", BIR_DRAM, BIR_INTERNAL,
	                                TPB_BIR_DTYPE_UINT64, 1, shape);
	struct bir_pair one = {1, 1};
	struct bir_inst *i = emit(BIR_IT_TENSOR_LOAD, BIR_ENG_SP);

	(void)state;
	bir_loc_place_dram(v, 0x1000, 7);
	bir_loc_place_dram(w, 0x2000, 8);
	bir_in(i, bir_ap(m, v, I32, 0x20, 1, &one));
	bir_out(i, bir_use(m, reg("r5", BIR_ENG_SP, 5, 32)));
	i = emit(BIR_IT_TENSOR_SAVE, BIR_ENG_SP);
	bir_in(i, bir_use(m, reg("s5", BIR_ENG_SP, 5, 32)));
	bir_out(i,
	        bir_regap(m, v, I32, reg("a", BIR_ENG_SP, 10, 64), 0, 1, &one));
	i = emit(BIR_IT_TENSOR_LOAD, BIR_ENG_SP);
	bir_in(i, bir_ap(m, w, TPB_BIR_DTYPE_UINT64, 8, 1, &one));
	bir_out(i, bir_use(m, reg("p6", BIR_ENG_SP, 6, 64)));
	bir_reg_move(m, blk, BIR_ENG_SP, reg("p12", BIR_ENG_SP, 12, 64),
	             bir_addr(m, v, 0x10));
	generate();
	expect(SP, 0,
	       "00:CE 10 0C:08 00 01 01 07 00 00 00 20 00 00 00 01 00 00 00 "
	       "01 00 00 00 05");
	expect(SP, 1,
	       "00:AB 10 0C:08 00 01 01 0A 0B 17:80 01 00 00 00 01 00 00 00 "
	       "05");
	expect(SP, 2,
	       "00:CE 10 0C:08 00 02 01 08 00 00 00 08 00 00 00 01 00 00 00 "
	       "01 00 00 00 06 07");
	expect(SP, 3, "00:A7 10 0C:02 08 01 18:0C 0D 20:10 10");
	assert_int_equal(img->ntensors, 2);
	assert_int_equal(img->tensor[0].id, 7);
	assert_int_equal(img->tensor[0].addr, 0x1000);
	assert_int_equal(img->tensor[1].size, 128);
}

static void test_plain_and_sync(void **state)
{
	struct bir_inst *i = emit(BIR_IT_NOOP, BIR_ENG_SP);
	struct bir_reg *r7 = reg("r7", BIR_ENG_SP, 7, 32);

	(void)state;
	bir_wait_add(m, i, 0, 9, TPB_BIR_WAIT_GE_IMM, 2, NULL, NULL);
	bir_update_add(m, i, 0, 4, TPB_BIR_UPDATE_INC, 1);
	i = emit(BIR_IT_EVENT_SEM, BIR_ENG_SP);
	bir_wait_add(m, i, 0, 17, TPB_BIR_WAIT_GE_IMM, 3, NULL, NULL);
	bir_wait_add(m, i, 0, 18, TPB_BIR_WAIT_GE_REG, 0, r7, NULL);
	bir_update_add(m, i, 0, 20, TPB_BIR_UPDATE_INC, 1);
	i = emit(BIR_IT_EVENT_SEM, BIR_ENG_SP);
	bir_update_add(m, i, 0, 20, TPB_BIR_UPDATE_WR_IMM, 5);
	i = emit(BIR_IT_EVENT_SEM, BIR_ENG_SP);
	bir_update_add(m, i, 0, 20, TPB_BIR_UPDATE_INC, 1)->core = 1;
	i = emit(BIR_IT_GROUP_RESET, BIR_ENG_SP);
	i->u.greset = (struct bir_greset){true, 10, 19, {0}};
	i = emit(BIR_IT_GROUP_RESET, BIR_ENG_SP);
	i->u.greset.mask[0] = 2;
	i->u.greset.mask[4] = 2;
	emit(BIR_IT_ALL_BARRIER, BIR_ENG_SP);
	emit(BIR_IT_DRAIN, BIR_ENG_SP)->u.drain = 1;
	i = emit(BIR_IT_GLOBAL_RANK, BIR_ENG_SP);
	bir_out(i, bir_use(m, reg("r8", BIR_ENG_SP, 8, 32)));
	emit(BIR_IT_RETURN, BIR_ENG_ALL);
	emit(BIR_IT_EXIT, BIR_ENG_SP);
	generate();
	expect(SP, 0, "00:A4 10 00 00 05 09 13 04 02");
	expect(SP, 1, "00:A0 10 00 00 05 11 00 00 03 20:85 12 13 14 07");
	expect(SP, 2, "00:A0 10 20:00 00 19 14 00 00 00 00 05");
	expect(SP, 3, "00:A0 10 22:13 14 2C:81");
	expect(SP, 4, "00:B0 10 0C:01 0A 13");
	expect(SP, 5, "00:B0 10 0C:02 20:02 00 00 00 02");
	expect(SP, 6, "00:D5 10");
	expect(SP, 7, "00:A2 10 28:01");
	expect(SP, 8, "00:DC 10 0C:01 17:08");
	expect(SP, 9, "00:D2 10");
	expect(SP, 10, "00:DF 10 0C:01");
}

/* ---- branches ---- */

/* entry; loop: (ACT has one more bundle) branch back; out: exit. */
static void test_branches(void **state)
{
	struct bir_block *loop = bir_block_after(m, blk, "loop");
	struct bir_block *out = bir_block_after(m, loop, "out");
	static const enum bir_engine eng[] = {BIR_ENG_SP, BIR_ENG_ACT};
	static const int lanes[] = {SP, ACT};

	(void)state;
	bir_emit(m, blk, BIR_IT_NOOP, NULL, BIR_ENG_ACT);
	for (int k = 0; k < 2; k++) {
		struct bir_reg *r = reg(k ? "ra" : "rs", eng[k], 5, 32);

		bir_jump(m, blk, eng[k], loop);
		bir_branch(m, loop, eng[k], TPB_BIR_CMP_LT_IMM, r,
		           bir_int(m, 10), loop, out);
		/* on_true is next: negated, to the other */
		bir_branch(m, loop, eng[k], TPB_BIR_CMP_LT_REG, r,
		           bir_use(m, reg(k ? "qa" : "qs", eng[k], 6, 32)), out,
		           loop);
		/* both are next */
		bir_branch(m, loop, eng[k], TPB_BIR_CMP_EQ_IMM, r,
		           bir_int(m, 0), out, out);
		bir_emit(m, out, BIR_IT_EXIT, NULL, eng[k]);
	}
	generate();
	for (int k = 0; k < 2; k++) {
		char want[80];

		assert_int_equal(img->stream[lanes[k]].len, 3 + k);
		snprintf(want, sizeof(want),
		         "00:A9 10 0C:01 08 03 10:0A 20:05 30:%02X", k);
		expect(lanes[k], (uint32_t)k, want);
		snprintf(want, sizeof(want),
		         "00:A9 10 0C:0D 08 03 20:05 06 30:%02X", k);
		expect(lanes[k], (uint32_t)k + 1, want);
	}
	/* labels of both engines, and the function on both */
	assert_int_equal(img->nsymbols, 2 * 4);
}

static void test_negations(void **state)
{
	/* LT LE EQ NE GE GT as immediates, then as registers */
	static const uint8_t as_is[] = {1, 2,  3,  4,  5,  6,
	                                9, 10, 11, 12, 13, 14};
	static const uint8_t negated[] = {5,  6,  4,  3,  1, 2,
	                                  13, 14, 12, 11, 9, 10};

	(void)state;
	for (int cmp = 0; cmp < 12; cmp++)
		for (int swap = 0; swap < 2; swap++) {
			struct bir_block *next, *far;
			struct bir_reg *r;

			again();
			next = bir_block_after(m, blk, "next");
			far = bir_block_after(m, next, "far");
			r = reg("r", BIR_ENG_SP, 5, 32);
			bir_branch(m, blk, BIR_ENG_SP, cmp, r,
			           cmp < 6 ? bir_int(m, 1) : bir_use(m, r),
			           swap ? next : far, swap ? far : next);
			bir_emit(m, next, BIR_IT_EXIT, NULL, BIR_ENG_SP);
			bir_emit(m, far, BIR_IT_EXIT, NULL, BIR_ENG_SP);
			generate();
			assert_int_equal(img->stream[SP].bundle[0][0x0C],
			                 swap ? negated[cmp] : as_is[cmp]);
			assert_int_equal(img->stream[SP].bundle[0][0x30], 2);
		}
}

static void test_calls(void **state)
{
	struct bir_func *f = bir_func_new(m, "f");
	struct bir_block *body = bir_block_new(m, &f->body, "f.entry");

	(void)state;
	emit(BIR_IT_NOOP, BIR_ENG_ACT);
	emit(BIR_IT_CALL, BIR_ENG_ALL)->u.callee = f;
	emit(BIR_IT_EXIT, BIR_ENG_ACT);
	emit(BIR_IT_EXIT, BIR_ENG_SP);
	bir_emit(m, body, BIR_IT_RETURN, NULL, BIR_ENG_ALL);
	generate();
	expect(ACT, 1, "00:D3 10 0C:66");
	expect(SP, 0, "00:D3 10 0C:66");
	expect(ACT, 3, "00:D2 10");
	expect(SP, 2, "00:D2 10");
	if (!image_resolve(img, &(struct image_error){0}))
		fail_msg("the call does not resolve");
	expect(ACT, 1, "00:D3 10 2F:01 03");
	expect(SP, 0, "00:D3 10 2F:01 02");
}

/* ---- modes ---- */

static void test_lines(void **state)
{
	struct bir_inst *i = emit(BIR_IT_NOOP, BIR_ENG_SP);
	char buf[64];

	(void)state;
	i->pos.line = 41;
	generate();
	assert_string_equal(image_source(img, SP, 0, buf, sizeof(buf)),
	                    "k.klr:41");
}

/* Symbolic operands and virtual registers do not matter yet. */
static void test_collect(void **state)
{
	struct bir_loc *f = tile("f", F32, 8, 0);
	struct bir_arg *all = bir_whole(m, f);
	struct bir_expr *e = bir_expr_new(m, 0);
	struct bir_inst *i = emit(BIR_IT_MAX_INDEX, BIR_ENG_DVE);
	struct codegen_count count;

	(void)state;
	bir_expr_add(m, e, 8, bir_reg_new(m, "iv", BIR_ENG_DVE, 32));
	f->placed = false;
	bir_in(i, bir_sym(m, f, F32, 0, all->npair, all->pair, e));
	bir_in(i, bir_whole(m, f));
	bir_out(i, whole("n", U32, 8, 64));
	assert_true(codegen_collect(m, 3, &count, &err));
	assert_int_equal(count.n[DVE][0x6D], 1);
	assert_int_equal(count.n[DVE][0x6E], 1);
	refused("CGN001", "symbolic");
}

/* ---- errors ---- */

static struct bir_inst *copy_of(struct bir_arg *src, struct bir_arg *dst)
{
	struct bir_inst *i = emit(BIR_IT_TENSOR_COPY, BIR_ENG_DVE);

	bir_in(i, src);
	bir_out(i, dst);
	return i;
}

static void test_errors(void **state)
{
	struct bir_pair far[] = {{40000, 128}, {40000, 2}};
	struct bir_loc *l;
	struct bir_inst *i;

	(void)state;
	l = tile("l", U8, 80000, 0);
	far[0].step = 80000;
	copy_of(bir_ap(m, l, U8, 0, 2, far), whole("d", U8, 2, 0x18000))
	    ->pos.line = 12;
	refused("CGN002", "step 40000");
	assert_string_equal(err.place, "k.klr:12");
	again();
	l = tile("l", U8, 64, 0);
	far[0].step = 128;
	far[0].num = 64;
	far[1].step = 1;
	copy_of(bir_ap(m, l, U8, 0, 2, far), whole("d", U8, 2, 64));
	refused("CGN002", "partition step");
	again();
	i = emit(BIR_IT_MAX, BIR_ENG_DVE);
	bir_in(i, whole("x", F32, 64, 0));
	bir_out(i, whole("y", F32, 9, 0x400));
	refused("CGN002", "8 elements");
	again();
	i = copy_of(whole("x", F32, 8, 0), whole("y", F32, 8, 64));
	i->engine = BIR_ENG_SP;
	refused("CGN010", "SP");
	again();
	i = copy_of(whole("x", F32, 8, 0), whole("y", F32, 8, 64));
	i->engine = BIR_ENG_ALL;
	refused("CGN010", "ALL");
	again();
	scalar_op(TPB_BIR_ALU_POW, tile("f", F32, 8, 0), bir_float(m, 2.0F));
	refused("CGN010", "no pow");
	again();
	i = copy_of(whole("x", F32, 8, 0), whole("y", F32, 8, 2));
	(void)i;
	generate(); /* alignment is a matter of run time */
}

static void test_sequencer_errors(void **state)
{
	struct bir_inst *i;

	(void)state;
	bir_reg_alu(m, blk, BIR_ENG_SP, TPB_BIR_ALU_AVERAGE,
	            reg("a", BIR_ENG_SP, 1, 32), reg("b", BIR_ENG_SP, 2, 32),
	            bir_int(m, 1));
	refused("CGN004", "ALU");
	again();
	bir_reg_alu(m, blk, BIR_ENG_SP, TPB_BIR_ALU_ADD,
	            bir_reg_new(m, "v", BIR_ENG_SP, 32),
	            reg("b", BIR_ENG_SP, 2, 32), bir_int(m, 1));
	refused("CGN001", "no number");
	again();
	bir_reg_move(m, blk, BIR_ENG_SP, reg("a", BIR_ENG_SP, 2, 64),
	             bir_use(m, reg("b", BIR_ENG_SP, 4, 64)));
	refused("CGN003", "pair");
	again();
	i = emit(BIR_IT_NOOP, BIR_ENG_SP);
	bir_wait_add(m, i, 0, 1, TPB_BIR_WAIT_GE_IMM, 2, NULL, NULL);
	bir_update_add(m, i, 0, 1, TPB_BIR_UPDATE_ADD_IMM, 3);
	refused("CGN006", "different values");
	again();
	i = emit(BIR_IT_NOOP, BIR_ENG_SP);
	bir_wait_add(m, i, 3, -1, TPB_BIR_WAIT_GE_IMM, 2, NULL, NULL);
	refused("CGN006", "not bound");
	again();
	emit(BIR_IT_BREAK, BIR_ENG_SP);
	refused("CGN001", "no bundle");
	again();
	bir_jump(m, blk, BIR_ENG_SP, bir_block_after(m, blk, "next"));
	bir_block_after(m, blk->next, "end");
	blk->first->u.branch.on_true = blk->next->next;
	refused("CGN007", "end of the stream");
}

static void test_long_callee(void **state)
{
	char name[40];

	(void)state;
	for (int len = 35; len <= 36; len++) {
		struct bir_func *f;

		again();
		memset(name, 'f', sizeof(name));
		name[len] = '\0';
		f = bir_func_new(m, name);
		bir_emit(m, bir_block_new(m, &f->body, "b"), BIR_IT_RETURN,
		         NULL, BIR_ENG_ALL);
		emit(BIR_IT_CALL, BIR_ENG_ALL)->u.callee = f;
		emit(BIR_IT_EXIT, BIR_ENG_SP);
		if (len == 35)
			generate();
		else
			refused("CGN005", "36 bytes");
	}
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(test_tensor_scalar),
	    T(test_search),
	    T(test_copy_predicated_scalar),
	    T(test_iota),
	    T(test_patterns),
	    T(test_arithmetic),
	    T(test_moves),
	    T(test_register_address),
	    T(test_registers),
	    T(test_memory),
	    T(test_plain_and_sync),
	    T(test_branches),
	    T(test_negations),
	    T(test_calls),
	    T(test_lines),
	    T(test_collect),
	    T(test_errors),
	    T(test_sequencer_errors),
	    T(test_long_callee),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
