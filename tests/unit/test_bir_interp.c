/* SPDX-License-Identifier: Apache-2.0
 *
 * The IR interpreter: vector instructions and DMA.
 *
 * Expected values come from plain C in this file (sorting, host arithmetic)
 * and from the vectors of the numeric definitions.  Some programs also run
 * with their tensors placed in one flat memory, and must give the same bytes.
 * The arithmetic by itself is in test_bir_num.c, control in test_bir_seq.c.
 */
#include "tests/unit/bir.h"

#include <math.h>

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

/* From the fold's identity, then on top of it; only the last value out. */
static void test_accumulate_commands(void **state)
{
	static const struct {
		int op, acc;
		float want;
	} c[] = {{TPB_BIR_ALU_MULT, TPB_BIR_ACC_ZERO_ACC, 24},
	         {TPB_BIR_ALU_ADD, TPB_BIR_ACC_ADD_ACC, 34},
	         {TPB_BIR_ALU_MIN, TPB_BIR_ACC_ZERO_ACC, 1},
	         {TPB_BIR_ALU_MAX, TPB_BIR_ACC_ZERO_ACC, 4},
	         {TPB_BIR_ALU_ADD, TPB_BIR_ACC_ZERO_ACC, 10},
	         /* t = v - c: 1-0, 2-1, 3-1, 4-2 */
	         {TPB_BIR_ALU_SUBTRACT, TPB_BIR_ACC_ZERO_ACC, 2}};
	struct bir_loc *x, *z[6];
	struct bir_interp *t;
	struct bir_inst *n;
	char name[2] = "a";
	int k;

	(void)state;
	begin();
	x = sb("x", F32, 1, 4);
	for (k = 0; k < 6; k++, name[0]++) {
		z[k] = sb(name, F32, 1, 1);
		n = op(BIR_IT_TENSOR_SCALAR_PTR, z[k], x, NULL);
		bir_in(n, bir_float(m, 1));
		n->u.alu.op0 = TPB_BIR_ALU_MULT;
		n->u.alu.op1 = c[k].op;
		n->u.alu.acc = c[k].acc;
	}
	t = start();
	load(t, x, (const float[]){1, 2, 3, 4});
	run(t);
	for (k = 0; k < 6; k++)
		expect(t, z[k], &c[k].want);
	end(t);
}

static void test_reduce(void **state)
{
	struct bir_loc *x, *sum, *max, *neg;
	struct bir_interp *t;
	struct bir_inst *n;
	float fx[4 * 12], fsum[4 * 3] = {0}, fmax_[4] = {0}, fneg[4] = {0};
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

/* Folds of integers and of bits; a subtracting fold of int32, negated. */
static void test_reduce_words(void **state)
{
	static const int32_t in[2][3] = {{0x7FFFFFFF, 1, -3}, {12, 10, 6}};
	/* the running value is clamped at each step, and so is the negation */
	static const int32_t sum[2] = {0x7FFFFFFC, 28};
	static const int32_t and_[2] = {0x7FFFFFFF & 1 & -3, 12 & 10 & 6};
	struct bir_loc *x, *s, *n, *a;
	struct bir_interp *t;
	struct bir_inst *i;

	(void)state;
	begin();
	x = sb("x", I32, 2, 3);
	s = sb("s", I32, 2, 1);
	n = sb("n", I32, 2, 1);
	a = sb("a", I32, 2, 1);
	op(BIR_IT_TENSOR_REDUCE, s, x, NULL)->u.alu.op0 = TPB_BIR_ALU_ADD;
	i = op(BIR_IT_TENSOR_REDUCE, n, x, NULL);
	i->u.alu.op0 = TPB_BIR_ALU_SUBTRACT;
	i->u.alu.negate = true;
	op(BIR_IT_TENSOR_REDUCE, a, x, NULL)->u.alu.op0 =
	    TPB_BIR_ALU_BITWISE_AND;
	t = start();
	load(t, x, in);
	run(t);
	expect(t, s, sum);
	/* 7FFFFFFF - 1 + 3 clamps to 7FFFFFFF; 12 - 10 - 6 = -4 */
	expect(t, n, (const int32_t[]){-0x7FFFFFFF, 4});
	expect(t, a, and_);
	end(t);
}

/* 16-bit bit operations, and copies through PSUM and from an immediate. */
static void test_bits_and_copies(void **state)
{
	static const uint16_t in[4] = {0xF0F0, 0x1234, 0xFFFF, 0x0001};
	static const uint16_t by[4] = {0x0FF0, 4, 0x8000, 16};
	struct bir_loc *x, *y, *z, *w, *f, *g;
	struct bir_interp *t;
	struct bir_inst *n;
	uint16_t ez[4];
	uint32_t ew[4];
	int k;

	(void)state;
	begin();
	x = sb("x", TPB_BIR_DTYPE_UINT16, 1, 4);
	y = sb("y", TPB_BIR_DTYPE_UINT16, 1, 4);
	z = sb("z", TPB_BIR_DTYPE_UINT16, 1, 4);
	w = tensor("w", BIR_PSUM, U32, 1, 4);
	f = sb("f", TPB_BIR_DTYPE_FLOAT16, 1, 2);
	g = sb("g", TPB_BIR_DTYPE_INT8, 1, 2);
	op(BIR_IT_TENSOR_TENSOR, z, x, y)->u.alu.op0 = TPB_BIR_ALU_BITWISE_XOR;
	op(BIR_IT_TENSOR_COPY, w, z, NULL);
	n = op(BIR_IT_GENERIC_COPY, f, NULL, NULL);
	bir_in(n, bir_float(m, -0.5f));
	n = op(BIR_IT_GENERIC_COPY, g, NULL, NULL);
	bir_in(n, bir_int(m, -1000));
	for (k = 0; k < 4; k++) {
		ez[k] = (uint16_t)(in[k] ^ by[k]);
		ew[k] = ez[k];
	}
	place_all();
	t = start();
	load(t, x, in);
	load(t, y, by);
	run(t);
	expect(t, z, ez);
	expect(t, w, ew);
	expect(t, f, (const uint16_t[]){0xB800, 0xB800});
	expect(t, g, (const int8_t[]){-128, -128});
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tensor_tensor),
	    cmocka_unit_test(test_integer_paths),
	    cmocka_unit_test(test_tensor_scalar),
	    cmocka_unit_test(test_accumulate),
	    cmocka_unit_test(test_accumulate_commands),
	    cmocka_unit_test(test_reduce),
	    cmocka_unit_test(test_reduce_words),
	    cmocka_unit_test(test_bits_and_copies),
	    cmocka_unit_test(test_fill),
	    cmocka_unit_test(test_top16),
	    cmocka_unit_test(test_search_corners),
	    cmocka_unit_test(test_select),
	    cmocka_unit_test(test_copy_predicated),
	    cmocka_unit_test(test_serial_overlap),
	    cmocka_unit_test(test_patterns),
	    cmocka_unit_test(test_dma),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
