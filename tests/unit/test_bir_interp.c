/* SPDX-License-Identifier: Apache-2.0
 *
 * The IR interpreter: whole programs.
 *
 * Expected values come from plain C in this file (sorting, host arithmetic)
 * and from the vectors of the numeric definitions.  Each program also runs
 * with its tensors placed in one flat memory, and must give the same bytes.
 * The arithmetic by itself is in test_bir_num.c.
 */
#include "compiler/bir/bir_build.h"
#include "compiler/bir/bir_interp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define F32 TPB_BIR_DTYPE_FLOAT32
#define I32 TPB_BIR_DTYPE_INT32
#define U32 TPB_BIR_DTYPE_UINT32
#define U8 TPB_BIR_DTYPE_UINT8

/* ------------------------------------------------------------ helpers */

static struct bir_module *m;
static struct bir_block *b;

static void begin(void)
{
	m = bir_module_new("t.klr", 3);
	b = bir_block_new(m, &bir_func_new(m, "main")->body, "entry");
}

static struct bir_loc *tensor(const char *name, enum bir_mem mem, int dtype,
                              int64_t parts, int64_t n)
{
	const int64_t shape[2] = {parts, n};

	return bir_loc_new(m, name, mem, BIR_INTERNAL, dtype, 2, shape);
}

static struct bir_loc *sb(const char *name, int dtype, int64_t parts, int64_t n)
{
	return tensor(name, BIR_SBUF, dtype, parts, n);
}

static struct bir_reg *reg(const char *name, int bits)
{
	return bir_reg_new(m, name, BIR_ENG_ALL, bits);
}

static struct bir_inst *op(enum bir_it it, struct bir_loc *dst,
                           struct bir_loc *src0, struct bir_loc *src1)
{
	struct bir_inst *i = bir_emit(m, b, it, NULL, BIR_ENG_DVE);

	if (src0)
		bir_in(i, bir_whole(m, src0));
	if (src1)
		bir_in(i, bir_whole(m, src1));
	if (dst)
		bir_out(i, bir_whole(m, dst));
	return i;
}

static void check(bool ok, const struct bir_error *err)
{
	if (!ok)
		fail_msg("%s: %s: %s", err->id, err->place, err->text);
}

static struct bir_interp *start(void)
{
	struct bir_error err = {"", "", ""};
	struct bir_interp *t;

	check(bir_verify(m, 0, &err), &err);
	t = bir_interp_new(m, &err);
	check(t != NULL, &err);
	return t;
}

static void load(struct bir_interp *t, struct bir_loc *l, const void *bytes)
{
	struct bir_error err;

	check(bir_interp_load(t, l->name, bytes, bir_loc_bytes(l), &err), &err);
}

static void run(struct bir_interp *t)
{
	struct bir_error err = {"", "", ""};

	check(bir_interp_run(t, 100000, &err), &err);
}

static void run_fails(struct bir_interp *t, const char *id, const char *text)
{
	struct bir_error err = {"", "", ""};

	assert_false(bir_interp_run(t, 10000, &err));
	if (strcmp(err.id, id) != 0 || !strstr(err.text, text))
		fail_msg("expected %s \"%s\", got %s \"%s\"", id, text, err.id,
		         err.text);
}

static void expect(struct bir_interp *t, struct bir_loc *l, const void *bytes)
{
	size_t n = bir_loc_bytes(l), k;
	uint8_t *got = malloc(n);
	struct bir_error err;

	assert_non_null(got);
	check(bir_interp_read(t, l->name, got, n, &err), &err);
	for (k = 0; k < n; k++)
		if (got[k] != ((const uint8_t *)bytes)[k])
			fail_msg("%s differs in byte %zu: %02X, expected %02X",
			         l->name, k, got[k],
			         ((const uint8_t *)bytes)[k]);
	free(got);
}

/* A place for each tensor, apart from one another. */
static void place_all(void)
{
	struct bir_loc *l;
	int64_t sbuf = 64, psum = 0, dram = 4096;
	int var = 1;

	for (l = m->loc; l; l = l->next) {
		if (l->mem == BIR_DRAM) {
			bir_loc_place_dram(l, dram, var++);
			dram += (l->row_bytes + 63) / 64 * 64;
		} else if (l->mem == BIR_PSUM) {
			bir_loc_place(l, 0, psum);
			psum += 2048;
		} else {
			bir_loc_place(l, 0, sbuf);
			sbuf += (l->row_bytes + 63) / 64 * 64;
		}
	}
}

static void end(struct bir_interp *t)
{
	bir_interp_free(t);
	bir_module_free(m);
	m = NULL;
}

static uint32_t rnd_state = 1;

static uint32_t rnd(void)
{
	rnd_state = rnd_state * 1664525u + 1013904223u;
	return rnd_state >> 8;
}

/* ------------------------------------------------------------ elementwise */

static void test_tensor_tensor(void **state)
{
	struct bir_loc *x, *y, *z;
	struct bir_interp *t;
	static float fx[8 * 40], fy[8 * 40], fz[8 * 40];
	int placed, k;

	(void)state;
	for (placed = 0; placed < 2; placed++) {
		begin();
		x = sb("x", F32, 8, 40);
		y = sb("y", F32, 8, 40);
		z = sb("z", F32, 8, 40);
		op(BIR_IT_TENSOR_TENSOR, z, x, y)->u.alu.op0 =
		    TPB_BIR_ALU_DIVIDE;
		op(BIR_IT_TENSOR_TENSOR, z, z, x)->u.alu.op0 = TPB_BIR_ALU_ADD;
		if (placed)
			place_all();
		for (k = 0; k < 8 * 40; k++) {
			fx[k] = (float)(int)(rnd() % 2000) - 1000;
			fy[k] = (float)(rnd() % 100 + 1);
			fz[k] = fx[k] / fy[k];
			fz[k] = fz[k] + fx[k];
		}
		t = start();
		load(t, x, fx);
		load(t, y, fy);
		run(t);
		expect(t, z, fz);
		end(t);
	}
}

/* int32 saturates, uint32 wraps, mixed dtypes go through fp32 */
static void test_integer_paths(void **state)
{
	static const int32_t a[4] = {0x7FFFFFFF, -5, 7, 16777217};
	static const int32_t c[4] = {1, 3, -2, 0};
	static const int32_t sum[4] = {0x7FFFFFFF, -2, 5, 16777217};
	static const int32_t quot[4] = {0x7FFFFFFF, -1, -3, -1};
	static const uint32_t wrap[4] = {0x80000000u, (uint32_t)-2, 5,
	                                 16777217};
	static const float hub[4] = {2147483648.0f, -2, 5, 16777216};
	struct bir_loc *x, *y, *s, *q, *w, *h;
	struct bir_interp *t;

	(void)state;
	begin();
	x = sb("x", I32, 1, 4);
	y = sb("y", I32, 1, 4);
	s = sb("s", I32, 1, 4);
	q = sb("q", I32, 1, 4);
	w = sb("w", U32, 1, 4);
	h = sb("h", F32, 1, 4);
	op(BIR_IT_TENSOR_TENSOR, s, x, y)->u.alu.op0 = TPB_BIR_ALU_ADD;
	op(BIR_IT_TENSOR_TENSOR, q, x, y)->u.alu.op0 = TPB_BIR_ALU_DIVIDE;
	op(BIR_IT_TENSOR_TENSOR, w, x, y)->u.alu.op0 = TPB_BIR_ALU_ADD;
	op(BIR_IT_TENSOR_TENSOR, h, x, y)->u.alu.op0 = TPB_BIR_ALU_ADD;
	t = start();
	load(t, x, a);
	load(t, y, c);
	run(t);
	expect(t, s, sum);
	expect(t, q, quot);
	expect(t, w, wrap);
	expect(t, h, hub);
	end(t);
}

/* (x op0 s0) op1 s1 with both reverse bits, a pointer scalar, bit ops */
static void test_tensor_scalar(void **state)
{
	struct bir_loc *x, *s, *z, *i, *j;
	struct bir_interp *t;
	struct bir_inst *n;
	float fx[2 * 5], fs[2] = {3, -0.5f}, fz[2 * 5];
	int32_t ix[3] = {1, -8, 12345}, iz[3];
	int k;

	(void)state;
	begin();
	x = sb("x", F32, 2, 5);
	s = sb("s", F32, 2, 1);
	z = sb("z", F32, 2, 5);
	i = sb("i", I32, 1, 3);
	j = sb("j", I32, 1, 3);
	n = op(BIR_IT_TENSOR_SCALAR_PTR, z, x, NULL);
	bir_in(n, bir_whole(m, s));
	bir_in(n, bir_float(m, 10.0f));
	n->u.alu.op0 = TPB_BIR_ALU_SUBTRACT;
	n->u.alu.rev0 = true;
	n->u.alu.op1 = TPB_BIR_ALU_DIVIDE;
	n->u.alu.rev1 = true;
	n = op(BIR_IT_TENSOR_SCALAR_PTR, j, i, NULL);
	bir_in(n, bir_int(m, 2));
	bir_in(n, bir_int(m, 0xFF));
	n->u.alu.op0 = TPB_BIR_ALU_ARITH_SHR;
	n->u.alu.op1 = TPB_BIR_ALU_BITWISE_AND;
	for (k = 0; k < 10; k++) {
		fx[k] = (float)k * 1.25f + 4;
		fz[k] = fs[k / 5] - fx[k];
		fz[k] = 10.0f / fz[k];
	}
	for (k = 0; k < 3; k++)
		iz[k] = (ix[k] >> 2) & 0xFF;
	t = start();
	load(t, x, fx);
	load(t, s, fs);
	load(t, i, ix);
	run(t);
	expect(t, z, fz);
	expect(t, j, iz);
	end(t);
}

/* tensor_scalar_reduce and its read-out: sums of x * 2 from a start of 100 */
static void test_accumulate(void **state)
{
	struct bir_loc *x, *z, *r;
	struct bir_interp *t;
	struct bir_inst *n;
	float fx[2 * 6], fz[2 * 6], fr[2] = {100, 100};
	int k;

	(void)state;
	begin();
	x = sb("x", F32, 2, 6);
	z = sb("z", F32, 2, 6);
	r = sb("r", F32, 2, 1);
	n = op(BIR_IT_TENSOR_SCALAR_PTR, z, x, NULL);
	bir_in(n, bir_float(m, 2));
	bir_in(n, bir_float(m, 100));
	n->u.alu.op0 = TPB_BIR_ALU_MULT;
	n->u.alu.op1 = TPB_BIR_ALU_ADD;
	n->u.alu.acc = TPB_BIR_ACC_LOAD_ACC;
	op(BIR_IT_DVE_READ_ACC, r, NULL, NULL);
	for (k = 0; k < 12; k++) {
		fx[k] = (float)k * 0.1f;
		fz[k] = fx[k] * 2;
		fr[k / 6] = fz[k] + fr[k / 6];
	}
	t = start();
	load(t, x, fx);
	run(t);
	expect(t, z, fz);
	expect(t, r, fr);
	end(t);
}

static void test_reduce(void **state)
{
	struct bir_loc *x, *sum, *max, *neg;
	struct bir_interp *t;
	struct bir_inst *n;
	float fx[4 * 12], fsum[4 * 3], fmax_[4], fneg[4];
	int k;

	(void)state;
	begin();
	x = sb("x", F32, 4, 12);
	sum = sb("sum", F32, 4, 3);
	max = sb("max", F32, 4, 1);
	neg = sb("neg", F32, 4, 1);
	op(BIR_IT_TENSOR_REDUCE, sum, x, NULL)->u.alu.op0 = TPB_BIR_ALU_ADD;
	op(BIR_IT_TENSOR_REDUCE, max, x, NULL)->u.alu.op0 = TPB_BIR_ALU_MAX;
	n = op(BIR_IT_TENSOR_REDUCE, neg, x, NULL);
	n->u.alu.op0 = TPB_BIR_ALU_SUBTRACT;
	n->u.alu.negate = true;
	for (k = 0; k < 48; k++)
		fx[k] = (float)(rnd() % 1000) * 0.01f;
	for (k = 0; k < 48; k++) {
		fsum[k / 4] = k % 4 ? fsum[k / 4] + fx[k] : fx[k];
		if (k % 12 == 0 || fx[k] > fmax_[k / 12])
			fmax_[k / 12] = fx[k];
		fneg[k / 12] = k % 12 ? fneg[k / 12] - fx[k] : fx[k];
	}
	for (k = 0; k < 4; k++)
		fneg[k] = -fneg[k];
	t = start();
	load(t, x, fx);
	run(t);
	expect(t, sum, fsum);
	expect(t, max, fmax_);
	expect(t, neg, fneg);
	end(t);
}

static void test_fill(void **state)
{
	struct bir_loc *i, *f, *c, *d;
	struct bir_interp *t;
	struct bir_inst *n;
	int32_t ei[3 * 6];
	float ef[3 * 6];
	uint16_t ec[4] = {0x3F80, 0x3F80, 0x3F80, 0x3F80};
	float ed[4] = {1, 1, 1, 1};
	int p, k;

	(void)state;
	begin();
	i = sb("i", I32, 3, 6);
	f = sb("f", F32, 3, 6);
	c = sb("c", TPB_BIR_DTYPE_BFLOAT16, 2, 2);
	d = sb("d", F32, 2, 2);
	for (k = 0; k < 2; k++) {
		n = bir_emit(m, b, BIR_IT_IOTA, NULL, BIR_ENG_POOL);
		bir_out(n, bir_whole(m, k ? f : i));
		n->u.iota.base = -4;
		n->u.iota.mult = 1000;
		n->u.iota.npair = 2;
		n->u.iota.pair[0] = (struct bir_pair){7, 2};
		n->u.iota.pair[1] = (struct bir_pair){-1, 3};
	}
	op(BIR_IT_MEMSET, c, NULL, NULL)->u.memset.fill = 0x3F80;
	op(BIR_IT_TENSOR_COPY, d, c, NULL);
	for (p = 0; p < 3; p++)
		for (k = 0; k < 6; k++) {
			ei[p * 6 + k] = -4 + p * 1000 + 7 * (k / 3) - k % 3;
			ef[p * 6 + k] = (float)ei[p * 6 + k];
		}
	t = start();
	run(t);
	expect(t, i, ei);
	expect(t, f, ef);
	expect(t, c, ec);
	expect(t, d, ed);
	end(t);
}

/* ------------------------------------------------------------ search */

struct ranked {
	float v;
	uint32_t at;
};

static int by_rank(const void *a, const void *c)
{
	const struct ranked *x = a, *y = c;

	if (x->v != y->v)
		return x->v < y->v ? 1 : -1;
	return (x->at > y->at) - (x->at < y->at);
}

/* The published top-k loop equals a stable descending sort. */
static void test_top16(void **state)
{
	enum { N = 300, P = 5 };
	static float data[P * N], work[P * N], vals[P * 16];
	static uint32_t idx[P * 16];
	struct ranked r[N];
	struct bir_loc *x, *v, *w, *i;
	struct bir_interp *t;
	struct bir_inst *n;
	struct bir_arg *av, *ai;
	int p, k, placed;

	(void)state;
	for (k = 0; k < P * N; k++)
		data[k] = (float)(rnd() % 40) - 20; /* many ties */
	for (p = 0; p < P; p++) {
		for (k = 0; k < N; k++)
			r[k] = (struct ranked){data[p * N + k], (uint32_t)k};
		qsort(r, N, sizeof r[0], by_rank);
		memcpy(work + p * N, data + p * N, sizeof(float) * N);
		for (k = 0; k < 16; k++) {
			vals[p * 16 + k] = r[k].v;
			idx[p * 16 + k] = r[k].at;
			work[p * N + (int)r[k].at] = -INFINITY;
		}
	}
	for (placed = 0; placed < 2; placed++) {
		begin();
		x = sb("x", F32, P, N);
		w = sb("w", F32, P, N);
		v = sb("v", F32, P, 16);
		i = sb("i", U32, P, 16);
		for (k = 0; k < 2; k++) {
			av = bir_whole(m, v);
			ai = bir_whole(m, i);
			av->offset = ai->offset = k * 32;
			av->pair[1].num = ai->pair[1].num = 8;
			n = op(BIR_IT_MAX, NULL, k ? w : x, NULL);
			bir_out(n, bir_arg_copy(m, av));
			n = op(BIR_IT_MAX_INDEX, NULL, NULL, NULL);
			bir_in(n, bir_arg_copy(m, av));
			bir_in(n, bir_whole(m, k ? w : x));
			bir_out(n, ai);
			n = op(BIR_IT_MATCH_REPLACE, w, NULL, NULL);
			bir_in(n, av);
			bir_in(n, bir_whole(m, k ? w : x));
			n->u.replace = 0xFF800000u;
		}
		if (placed)
			place_all();
		t = start();
		load(t, x, data);
		run(t);
		expect(t, v, vals);
		expect(t, i, idx);
		expect(t, w, work);
		end(t);
	}
}

/* NaN takes a slot only among the first eight; zeros of both signs match */
static void test_search_corners(void **state)
{
	static const uint32_t data[10] = {
	    0x3F800000, 0x7FC12345, 0x40000000, 0x80000000, 0x00000000,
	    0x40000000, 0xC0000000, 0x7F800000, 0x40400000, 0x7FC00000};
	/* by hand: a displaced -0 does not exceed the 0 behind it and passes */
	static const uint32_t max[8] = {0x7F800000, 0x7FC12345, 0x40400000,
	                                0x40000000, 0x40000000, 0x3F800000,
	                                0x00000000, 0x80000000};
	/* the NaN never matches; the zeros match in order of arrival */
	static const uint32_t index[8] = {7, 0xFFFFFFFF, 8, 2, 5, 0, 3, 4};
	struct bir_loc *x, *v, *i;
	struct bir_interp *t;

	(void)state;
	begin();
	x = sb("x", F32, 1, 10);
	v = sb("v", F32, 1, 8);
	i = sb("i", U32, 1, 8);
	op(BIR_IT_MAX, v, x, NULL);
	op(BIR_IT_MAX_INDEX, i, v, x);
	t = start();
	load(t, x, data);
	run(t);
	expect(t, v, max);
	expect(t, i, index);
	end(t);
}

/* ------------------------------------------------------------ predicates */

static void test_select(void **state)
{
	struct bir_loc *k8, *x, *y, *z, *w;
	struct bir_interp *t;
	struct bir_inst *n;
	uint8_t mask[6] = {1, 0, 1, 1, 0, 0};
	float fx[6] = {1, 2, 3, 4, 5, 6}, fy[6] = {-1, -2, -3, -4, -5, -6};
	float fz[6], fw[6];
	int k;

	(void)state;
	begin();
	k8 = sb("k", U8, 2, 3);
	x = sb("x", F32, 2, 3);
	y = sb("y", F32, 2, 3);
	z = sb("z", F32, 2, 3);
	w = sb("w", F32, 2, 3);
	n = op(BIR_IT_SELECT, z, k8, x);
	bir_in(n, bir_whole(m, y));
	n = op(BIR_IT_SELECT, w, k8, NULL);
	bir_in(n, bir_int(m, 42));
	bir_in(n, bir_whole(m, y));
	for (k = 0; k < 6; k++) {
		fz[k] = mask[k] ? fx[k] : fy[k];
		fw[k] = mask[k] ? 42 : fy[k];
	}
	t = start();
	load(t, k8, mask);
	load(t, x, fx);
	load(t, y, fy);
	run(t);
	expect(t, z, fz);
	expect(t, w, fw);
	mask[4] = 2;
	load(t, k8, mask);
	run_fails(t, "BIR034", "mask holds 0x2");
	end(t);
}

static void test_copy_predicated(void **state)
{
	struct bir_loc *k8, *x, *z, *w;
	struct bir_interp *t;
	struct bir_inst *n;
	static const uint8_t mask[4] = {0, 2, 0, 0x80};
	static const float fx[4] = {1, 2, 3, 4}, fo[4] = {9, 8, 7, 6};
	static const float fz[4] = {9, 2, 7, 4}, fw[4] = {5, 8, 5, 6};

	(void)state;
	begin();
	k8 = sb("k", U8, 1, 4);
	x = sb("x", F32, 1, 4);
	z = sb("z", F32, 1, 4);
	w = sb("w", F32, 1, 4);
	op(BIR_IT_COPY_PREDICATED, z, k8, x);
	n = op(BIR_IT_COPY_PREDICATED, w, k8, NULL);
	bir_in(n, bir_float(m, 5));
	n->u.cpred.reverse = true;
	t = start();
	load(t, k8, mask);
	load(t, x, fx);
	load(t, z, fo);
	load(t, w, fo);
	run(t);
	expect(t, z, fz);
	expect(t, w, fw);
	end(t);
}

/* ------------------------------------------------------------ patterns */

/* In place and shifted: the serial element rule, dst[k+1] = dst[k] + 1. */
static void test_serial_overlap(void **state)
{
	static const struct bir_pair p7[2] = {{8, 1}, {1, 7}};
	float fx[8] = {5, 0, 0, 0, 0, 0, 0, 0};
	static const float fz[8] = {5, 6, 7, 8, 9, 10, 11, 12};
	struct bir_loc *x;
	struct bir_interp *t;
	struct bir_inst *n;

	(void)state;
	begin();
	x = sb("x", F32, 1, 8);
	n = op(BIR_IT_TENSOR_SCALAR_PTR, NULL, NULL, NULL);
	bir_in(n, bir_ap(m, x, F32, 0, 2, p7));
	bir_in(n, bir_float(m, 1));
	bir_out(n, bir_ap(m, x, F32, 4, 2, p7));
	n->u.alu.op0 = TPB_BIR_ALU_ADD;
	t = start();
	load(t, x, fx);
	run(t);
	expect(t, x, fz);
	end(t);
}

/* Broadcast, negative step, another start partition, reinterpreted dtype. */
static void test_patterns(void **state)
{
	static const struct bir_pair rev[2] = {{4, 32}, {-1, 4}};
	static const struct bir_pair one[2] = {{4, 32}, {0, 4}};
	static const struct bir_pair half[3] = {{8, 32}, {2, 2}, {1, 2}};
	float fx[64 * 4], fz[64 * 4];
	uint16_t h[64 * 8], eh[32 * 4];
	struct bir_loc *x, *z, *y;
	struct bir_interp *t;
	struct bir_inst *n;
	int p, k;

	(void)state;
	begin();
	x = sb("x", F32, 64, 4);
	z = sb("z", F32, 64, 4);
	y = sb("y", TPB_BIR_DTYPE_UINT16, 32, 4);
	/* z[32..63] = reverse of x[32..63] + its third column */
	n = op(BIR_IT_TENSOR_TENSOR, NULL, NULL, NULL);
	bir_in(n, bir_ap(m, x, F32, 32 * 16 + 12, 2, rev));
	bir_in(n, bir_ap(m, x, F32, 32 * 16 + 8, 2, one));
	bir_out(n, bir_ap(m, z, F32, 32 * 16, 2,
	                  (const struct bir_pair[]){{4, 32}, {1, 4}}));
	n->u.alu.op0 = TPB_BIR_ALU_ADD;
	/* the words of x as 16-bit halves 2, 3, 4, 5 */
	n = op(BIR_IT_TENSOR_COPY, y, NULL, NULL);
	bir_in(n, bir_ap(m, x, TPB_BIR_DTYPE_UINT16, 4, 3, half));
	for (k = 0; k < 256; k++)
		fx[k] = (float)k + 0.5f;
	memset(fz, 0, sizeof fz);
	memcpy(h, fx, sizeof h);
	for (p = 0; p < 32; p++)
		for (k = 0; k < 4; k++) {
			fz[(32 + p) * 4 + k] =
			    fx[(32 + p) * 4 + 3 - k] + fx[(32 + p) * 4 + 2];
			eh[p * 4 + k] = h[p * 8 + 2 + k];
		}
	t = start();
	load(t, x, fx);
	run(t);
	expect(t, z, fz);
	expect(t, y, eh);
	end(t);
}

/* A transposing DMA, a cast, a symbolic side in a loop, out of range. */
static void test_dma(void **state)
{
	static const struct bir_pair col[2] = {{1, 6}, {6, 4}};
	static const struct bir_pair row[2] = {{6, 1}, {1, 6}};
	struct bir_loc *d, *s, *o, *r;
	struct bir_interp *t;
	struct bir_expr *e;
	struct bir_inst *loop;
	struct bir_block *body;
	struct bir_reg *i;
	float fd[24], fs[24];
	int32_t eo[24];
	int k, placed;

	(void)state;
	for (k = 0; k < 24; k++)
		fd[k] = (float)k * 1.5f;
	for (k = 0; k < 24; k++)
		fs[k] = fd[k % 4 * 6 + k / 4];
	for (k = 0; k < 24; k++)
		eo[k] = (int32_t)lrintf(fd[k / 6 * 6 + k % 6]);
	for (placed = 0; placed < 2; placed++) {
		begin();
		d = tensor("d", BIR_DRAM, F32, 4, 6);
		s = sb("s", F32, 6, 4);
		r = sb("r", F32, 1, 6);
		o = tensor("o", BIR_DRAM, I32, 4, 6);
		bir_dma_copy(m, b, bir_whole(m, s),
		             bir_ap(m, d, F32, 0, 2, col));
		i = reg("i", 32);
		loop = bir_loop(m, b, i, 0, 4, 1);
		body = bir_block_new(m, &loop->u.loop.body, "body");
		e = bir_expr_new(m, 0);
		bir_expr_add(m, e, 6, i);
		bir_dma_copy(m, body, bir_whole(m, r),
		             bir_sym(m, d, F32, 0, 2, row, e));
		bir_dma_copy(m, body,
		             bir_sym(m, o, I32, 0, 2, row, bir_expr_copy(m, e)),
		             bir_whole(m, r));
		if (placed)
			place_all();
		t = start();
		load(t, d, fd);
		run(t);
		expect(t, s, fs);
		expect(t, o, eo);
		loop->u.loop.ub = 5;
		run_fails(t, "BIR032", "the pattern leaves d");
		end(t);
	}
}

/* ------------------------------------------------------------ control */

static void save(struct bir_block *at, struct bir_reg *r, struct bir_loc *l,
                 int64_t offset)
{
	const struct bir_pair one[2] = {{1, 1}, {1, 1}};
	struct bir_inst *i =
	    bir_emit(m, at, BIR_IT_TENSOR_SAVE, NULL, BIR_ENG_SP);

	bir_in(i, bir_use(m, r));
	bir_out(i, bir_ap(m, l, I32, offset, 2, one));
}

/* 1 + 2 + ... + 10 by a branch loop; 1 + 3 + 5 + 7 by a structured one that
 * breaks in its fourth trip */
static void test_branches(void **state)
{
	struct bir_block *head, *out, *body, *next;
	struct bir_reg *i, *s, *q, *j;
	struct bir_interp *t;
	struct bir_inst *loop;
	struct bir_loc *o;

	(void)state;
	begin();
	o = tensor("o", BIR_DRAM, I32, 1, 2);
	i = reg("i", 32);
	s = reg("s", 32);
	j = reg("j", 32);
	q = reg("q", 32);
	head = bir_block_new(m, &m->first->body, "head");
	out = bir_block_new(m, &m->first->body, "out");
	bir_reg_move(m, b, BIR_ENG_ALL, i, bir_int(m, 1));
	bir_reg_move(m, b, BIR_ENG_ALL, s, bir_int(m, 0));
	bir_reg_alu(m, head, BIR_ENG_ALL, TPB_BIR_ALU_ADD, s, s, bir_use(m, i));
	bir_reg_alu(m, head, BIR_ENG_ALL, TPB_BIR_ALU_ADD, i, i, bir_int(m, 1));
	bir_branch(m, head, BIR_ENG_NONE, TPB_BIR_CMP_LE_IMM, i, bir_int(m, 10),
	           head, out);
	bir_reg_move(m, out, BIR_ENG_ALL, q, bir_int(m, 0));
	loop = bir_loop(m, out, j, 1, 100, 2);
	body = bir_block_new(m, &loop->u.loop.body, "body");
	next = bir_block_new(m, &loop->u.loop.body, "next");
	bir_reg_alu(m, body, BIR_ENG_ALL, TPB_BIR_ALU_ADD, q, q, bir_use(m, j));
	bir_branch(m, body, BIR_ENG_NONE, TPB_BIR_CMP_LT_IMM, j, bir_int(m, 7),
	           next, NULL);
	bir_emit(m, body, BIR_IT_BREAK, NULL, BIR_ENG_ALL);
	bir_emit(m, next, BIR_IT_NOOP, NULL, BIR_ENG_SP);
	save(out, s, o, 0);
	save(out, q, o, 4);
	t = start();
	run(t);
	expect(t, o, (const int32_t[]){55, 16});
	end(t);
}

static void test_dynamic_loops(void **state)
{
	struct bir_reg *n, *i, *s, *c;
	struct bir_interp *t;
	struct bir_inst *loop, *dw;
	struct bir_block *body;

	(void)state;
	begin();
	n = reg("n", 32);
	i = reg("i", 32);
	s = reg("s", 32);
	c = reg("c", 32);
	bir_reg_move(m, b, BIR_ENG_ALL, n, bir_int(m, 3));
	bir_reg_move(m, b, BIR_ENG_ALL, s, bir_int(m, 0));
	/* i = 2 while i < 2n + 1 = 7: five trips */
	loop = bir_emit(m, b, BIR_IT_DYN_LOOP, NULL, BIR_ENG_ALL);
	loop->u.loop.iv = i;
	loop->u.loop.lb = 2;
	loop->u.loop.ub = 1;
	loop->u.loop.coef = 2;
	loop->u.loop.ubreg = n;
	body = bir_block_new(m, &loop->u.loop.body, NULL);
	bir_reg_alu(m, body, BIR_ENG_ALL, TPB_BIR_ALU_ADD, s, s, bir_int(m, 1));
	bir_reg_move(m, b, BIR_ENG_ALL, c, bir_int(m, 0));
	/* a body runs once before its condition is looked at */
	dw = bir_emit(m, b, BIR_IT_DO_WHILE, NULL, BIR_ENG_ALL);
	dw->u.loop.cond = c;
	body = bir_block_new(m, &dw->u.loop.body, NULL);
	bir_reg_alu(m, body, BIR_ENG_ALL, TPB_BIR_ALU_ADD, s, s,
	            bir_int(m, 10));
	t = start();
	run(t);
	assert_int_equal(bir_interp_reg(t, s), 15);
	/* no trip */
	b->first->in[0]->imm = 0;
	run(t);
	assert_int_equal(bir_interp_reg(t, s), 10);
	/* a condition that never falls meets the step limit */
	bir_reg_move(m, body, BIR_ENG_ALL, c, bir_int(m, 1));
	run_fails(t, "BIR036", "no end after 10000 instructions");
	end(t);
}

/* A branch that stands once an engine must go one way. */
static void test_engines_agree(void **state)
{
	struct bir_block *x, *y;
	struct bir_reg *sp, *dve;
	struct bir_interp *t;
	struct bir_inst *mv;

	(void)state;
	begin();
	x = bir_block_new(m, &m->first->body, "x");
	y = bir_block_new(m, &m->first->body, "y");
	sp = bir_reg_new(m, "c", BIR_ENG_SP, 32);
	dve = bir_reg_new(m, "c.DVE0", BIR_ENG_DVE, 32);
	dve->origin = sp;
	bir_reg_move(m, b, BIR_ENG_SP, sp, bir_int(m, 4));
	mv = bir_reg_move(m, b, BIR_ENG_DVE, dve, bir_int(m, 4));
	bir_branch(m, b, BIR_ENG_SP, TPB_BIR_CMP_EQ_IMM, sp, bir_int(m, 4), y,
	           x);
	bir_branch(m, b, BIR_ENG_DVE, TPB_BIR_CMP_EQ_IMM, dve, bir_int(m, 4), y,
	           x);
	bir_emit(m, x, BIR_IT_HALT, NULL, BIR_ENG_ALL);
	bir_emit(m, y, BIR_IT_EXIT, NULL, BIR_ENG_SP);
	bir_emit(m, y, BIR_IT_EXIT, NULL, BIR_ENG_DVE);
	t = start();
	run(t);
	mv->in[0]->imm = 5;
	run_fails(t, "BIR037", "DVE goes to x, other engines to y");
	end(t);
}

/* Two engines, one register id: two values.  Pairs and halves. */
static void test_registers(void **state)
{
	struct bir_reg *a, *c, *p;
	struct bir_interp *t;
	struct bir_inst *n;

	(void)state;
	begin();
	a = bir_reg_new(m, "a", BIR_ENG_SP, 32);
	c = bir_reg_new(m, "c", BIR_ENG_DVE, 32);
	p = bir_reg_new(m, "p", BIR_ENG_SP, 64);
	a->phys = 6;
	c->phys = 6;
	p->phys = 8;
	bir_reg_move(m, b, BIR_ENG_SP, a, bir_int(m, 11));
	bir_reg_move(m, b, BIR_ENG_DVE, c, bir_int(m, 22));
	bir_reg_move(m, b, BIR_ENG_SP, p,
	             bir_imm(m, TPB_BIR_DTYPE_UINT64, 0x1FFFFFFFF));
	n = bir_emit(m, b, BIR_IT_REG_ALU, NULL, BIR_ENG_SP);
	n->u.alu.op0 = TPB_BIR_ALU_ADD;
	bir_in(n, bir_use(m, p));
	bir_in(n, bir_imm(m, TPB_BIR_DTYPE_UINT64, 1));
	bir_out(n, bir_use(m, p));
	n = bir_reg_move(m, b, BIR_ENG_SP, p, bir_use(m, a));
	n->out[0] = bir_use_half(m, p, BIR_LO);
	t = start();
	run(t);
	assert_int_equal(bir_interp_reg(t, a), 11);
	assert_int_equal(bir_interp_reg(t, c), 22);
	assert_int_equal(bir_interp_reg(t, p), 0x20000000B);
	end(t);
}

/* Addresses in registers: on chip, and unified for scalars. */
static void test_register_addresses(void **state)
{
	static const struct bir_pair row[2] = {{4, 2}, {1, 4}};
	static const struct bir_pair one[2] = {{4, 1}, {1, 1}};
	float fx[16 * 4], fz[2 * 4];
	struct bir_loc *x, *z, *d;
	struct bir_reg *a, *u, *v;
	struct bir_interp *t;
	struct bir_inst *n;
	int k;

	(void)state;
	begin();
	x = sb("x", F32, 16, 4);
	z = sb("z", F32, 2, 4);
	d = tensor("d", BIR_DRAM, I32, 1, 8);
	bir_loc_place(x, 32, 0x200);
	bir_loc_place(z, 0, 0x100);
	bir_loc_place_dram(d, 0x4000, 1);
	a = bir_reg_new(m, "a", BIR_ENG_DVE, 32);
	u = bir_reg_new(m, "u", BIR_ENG_DVE, 64);
	v = bir_reg_new(m, "v", BIR_ENG_DVE, 32);
	/* rows 3 and 4 of x */
	bir_reg_move(m, b, BIR_ENG_DVE, a, bir_int(m, (35 << 18) + 0x200));
	n = op(BIR_IT_TENSOR_COPY, z, NULL, NULL);
	bir_in(n, bir_regap(m, x, F32, a, 0, 2, row));
	bir_reg_move(m, b, BIR_ENG_DVE, u, bir_addr(m, d, 12));
	n = bir_emit(m, b, BIR_IT_TENSOR_LOAD, NULL, BIR_ENG_DVE);
	bir_in(n, bir_regap(m, d, I32, u, 4, 2, one));
	bir_out(n, bir_use(m, v));
	for (k = 0; k < 64; k++)
		fx[k] = (float)k;
	for (k = 0; k < 8; k++)
		fz[k] = fx[12 + k];
	t = start();
	load(t, x, fx);
	load(t, d, (const int32_t[]){0, 1, 2, 3, -44, 5, 6, 7});
	run(t);
	expect(t, z, fz);
	assert_int_equal(bir_interp_reg(t, u), 0x400C);
	assert_int_equal((int32_t)bir_interp_reg(t, v), -44);
	b->first->in[0]->imm = (47 << 18) + 0x200; /* row 15 and one beyond */
	run_fails(t, "BIR032", "leaves x");
	end(t);
}

/* ------------------------------------------------------------ queues, sync */

/* Blocks fire by the cursor: 0, 1, 0; Switch without no_rearm rewinds. */
static void test_queue(void **state)
{
	struct bir_queue *q;
	struct bir_loc *x, *y, *z;
	struct bir_inst *blk[2], *tr, *sw;
	struct bir_interp *t;
	int k;

	(void)state;
	begin();
	x = tensor("x", BIR_DRAM, I32, 1, 2);
	y = tensor("y", BIR_DRAM, I32, 1, 2);
	z = tensor("z", BIR_DRAM, I32, 1, 2);
	q = bir_queue_new(m, "q0", BIR_ENG_SP);
	bir_instance_new(m, q, "q0.i0");
	for (k = 0; k < 2; k++) {
		blk[k] = bir_inst_new(m, BIR_IT_DMA_BLOCK, NULL, BIR_ENG_NONE);
		bir_desc(m, blk[k], bir_whole(m, k ? y : x),
		         bir_whole(m, k ? z : y));
		bir_update_add(m, blk[k], -1, 9, TPB_BIR_UPDATE_INC, 1);
		bir_instance_add(m, q, 0, blk[k]);
	}
	tr = bir_emit(m, b, BIR_IT_DMA_TRIGGER, NULL, BIR_ENG_SP);
	tr->u.trigger.queue = q;
	tr->u.trigger.count = 3;
	tr = bir_emit(m, b, BIR_IT_NOOP, NULL, BIR_ENG_SP);
	bir_wait_add(m, tr, -1, 9, TPB_BIR_WAIT_GE_IMM, 3, NULL, blk[0]);
	t = start();
	load(t, x, (const int32_t[]){5, 6});
	run(t);
	expect(t, z, (const int32_t[]){5, 6});
	/* the cursor is at block 1 now; a trigger meant for 0 says so */
	bir_inst_delete(m, tr);
	b->first->u.trigger.count = 1;
	b->first->u.trigger.block = blk[0];
	blk[0]->u.dmablock.trigger = b->first;
	run_fails(t, "BIR038", "the cursor of q0 is at");
	sw = bir_inst_new(m, BIR_IT_SWITCH_QUEUE, NULL, BIR_ENG_SP);
	sw->u.sqi.queue = q;
	bir_inst_before(b->first, sw);
	run(t);
	end(t);
}

static void test_waits(void **state)
{
	struct bir_inst *p, *w;
	struct bir_interp *t;

	(void)state;
	begin();
	p = bir_emit(m, b, BIR_IT_EVENT_SEM, NULL, BIR_ENG_DVE);
	bir_update_add(m, p, -1, 7, TPB_BIR_UPDATE_ADD_IMM, 2);
	w = bir_emit(m, b, BIR_IT_EVENT_SEM, NULL, BIR_ENG_SP);
	bir_wait_add(m, w, -1, 7, TPB_BIR_WAIT_GE_IMM, 2, NULL, p);
	p = bir_emit(m, b, BIR_IT_GROUP_RESET, NULL, BIR_ENG_ALL);
	p->u.greset.mask[0] = 0x80;
	t = start();
	run(t);
	run(t); /* the reset made it repeatable */
	w->wait->value = 3;
	run_fails(t, "BIR035", "waits for 3 of semaphore 7, but only 2");
	end(t);
}

static void test_call(void **state)
{
	struct bir_func *f;
	struct bir_block *fb;
	struct bir_reg *r;
	struct bir_interp *t;
	int k;

	(void)state;
	begin();
	f = bir_func_new(m, "twice");
	fb = bir_block_new(m, &f->body, NULL);
	r = reg("r", 32);
	bir_reg_move(m, b, BIR_ENG_ALL, r, bir_int(m, 3));
	for (k = 0; k < 2; k++)
		bir_emit(m, b, BIR_IT_CALL, NULL, BIR_ENG_ALL)->u.callee = f;
	bir_reg_alu(m, fb, BIR_ENG_ALL, TPB_BIR_ALU_MULT, r, r, bir_int(m, 2));
	bir_emit(m, fb, BIR_IT_RETURN, NULL, BIR_ENG_ALL);
	t = start();
	run(t);
	assert_int_equal(bir_interp_reg(t, r), 12);
	bir_inst_before(fb->first,
	                bir_inst_new(m, BIR_IT_CALL, NULL, BIR_ENG_ALL));
	fb->first->u.callee = f;
	run_fails(t, "BIR039", "nested deeper than 4");
	end(t);
}

/* Predicated instructions, and index terms from memory. */
static void test_predicates_and_indices(void **state)
{
	static const struct bir_pair one[2] = {{1, 1}, {1, 1}};
	struct bir_loc *d, *ix;
	struct bir_reg *r, *s;
	struct bir_expr *e;
	struct bir_interp *t;
	struct bir_inst *n;

	(void)state;
	begin();
	d = tensor("d", BIR_DRAM, I32, 1, 8);
	ix = tensor("ix", BIR_DRAM, I32, 1, 1);
	r = reg("r", 32);
	s = reg("s", 32);
	e = bir_expr_new(m, 1);
	bir_expr_add_index(m, e, 2, bir_ap(m, ix, I32, 0, 2, one));
	n = bir_emit(m, b, BIR_IT_TENSOR_LOAD, NULL, BIR_ENG_SP);
	bir_in(n, bir_sym(m, d, I32, 0, 2, one, e));
	bir_out(n, bir_use(m, r));
	bir_reg_move(m, b, BIR_ENG_ALL, s, bir_int(m, 1));
	n = bir_reg_move(m, b, BIR_ENG_ALL, s, bir_int(m, 2));
	e = bir_expr_new(m, -70);
	bir_expr_add(m, e, 1, r);
	bir_predicate(m, n, e, TPB_BIR_CMP_EQ_IMM);
	t = start();
	load(t, d, (const int32_t[]){0, 10, 20, 30, 40, 50, 60, 70});
	load(t, ix, (const int32_t[]){3});
	run(t);
	assert_int_equal(bir_interp_reg(t, r), 70);
	assert_int_equal(bir_interp_reg(t, s), 2);
	load(t, ix, (const int32_t[]){2});
	run(t);
	assert_int_equal(bir_interp_reg(t, r), 50);
	assert_int_equal(bir_interp_reg(t, s), 1);
	load(t, ix, (const int32_t[]){4});
	run_fails(t, "BIR032", "leaves d");
	end(t);
}

static void test_refusals(void **state)
{
	struct bir_error err = {"", "", ""};
	struct bir_interp *t;
	struct bir_loc *x;

	(void)state;
	begin();
	x = sb("x", F32, 1, 4);
	op(BIR_IT_TENSOR_TENSOR, x, x, x)->u.alu.op0 = TPB_BIR_ALU_POW;
	t = start();
	assert_false(bir_interp_load(t, "y", "", 1, &err));
	assert_string_equal(err.id, "BIR031");
	assert_false(bir_interp_load(t, "x", "", 1, &err));
	assert_non_null(strstr(err.text, "has 16 bytes, not 1"));
	run_fails(t, "BIR033", "pow is not built");
	bir_interp_free(t);
	bir_loc_place(x, 0, 229376 - 8);
	assert_null(bir_interp_new(m, &err));
	assert_string_equal(err.id, "BIR030");
	bir_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tensor_tensor),
	    cmocka_unit_test(test_integer_paths),
	    cmocka_unit_test(test_tensor_scalar),
	    cmocka_unit_test(test_accumulate),
	    cmocka_unit_test(test_reduce),
	    cmocka_unit_test(test_fill),
	    cmocka_unit_test(test_top16),
	    cmocka_unit_test(test_search_corners),
	    cmocka_unit_test(test_select),
	    cmocka_unit_test(test_copy_predicated),
	    cmocka_unit_test(test_serial_overlap),
	    cmocka_unit_test(test_patterns),
	    cmocka_unit_test(test_dma),
	    cmocka_unit_test(test_branches),
	    cmocka_unit_test(test_dynamic_loops),
	    cmocka_unit_test(test_engines_agree),
	    cmocka_unit_test(test_registers),
	    cmocka_unit_test(test_register_addresses),
	    cmocka_unit_test(test_queue),
	    cmocka_unit_test(test_waits),
	    cmocka_unit_test(test_call),
	    cmocka_unit_test(test_predicates_and_indices),
	    cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
