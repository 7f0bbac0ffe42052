/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast path: ops whose elements have nothing to do with each other, some
 * thousand values a time, so that the C compiler's vector loops (vnum.h) run
 * long.
 *
 * Values of a step stand in arrays of 32 bits.  In the usual layout element k
 * of lane j is at k * lanes + j.  *Straight* operands need no arrays: a row of
 * SBUF or PSUM holds the words of all lanes side by side, so where elements of
 * four bytes follow each other, the pattern begins at a word and all lanes take
 * part, memory itself is an array of values - two elements of lane 0, two of
 * lane 1, and so on.  All operands must then be straight, and the scalars are
 * laid out likewise.
 *
 * The order of elements is the machine's as far as it can be seen: sources are
 * apart from the destination, or the op is in place and no element comes twice
 * (docs/reference/vector.md, "Beats").  This file looks at words of memory as
 * pairs of 32 bits and is compiled with -fno-strict-aliasing.
 */
#include "cmodel/run_priv.h"

#define ROW_VALUES 2048 /* of a step; fits the first-level cache */

_Static_assert(ROW_VALUES % (2 * TPB_LANES) == 0, "whole rows of words");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "element 0 of a word is its first half");

/* ------------------------------------------------------------------ *
 * Which bundles.                                                     *
 * ------------------------------------------------------------------ */

static bool row_op(const struct vec_op *op)
{
	switch (op->code) {
	case TPB_OP_TT_ARITH: /* division sets flags */
		return !op->integer ||
		       (vnum_plain_op(op->alu[0]) != TPB_ALU_DIVIDE &&
		        vnum_plain_op(op->alu[0]) != TPB_ALU_MOD);
	case TPB_OP_TT_BITVEC:
	case TPB_OP_TS_ARITH:
	case TPB_OP_TS_BITVEC:
	case TPB_OP_COPY:
	case TPB_OP_CAST:
	case TPB_OP_RECIPROCAL:
	case TPB_OP_MEMSET: return true;
	default: return false;
	}
}

/* The elements of the two walks are the same, in the same order, and none of
 * them comes twice. */
static bool row_in_place(const struct vec_walk *a, const struct vec_walk *b)
{
	int64_t extent = a->size; /* of the lower dims */

	if (a->start.byte != b->start.byte || a->size != b->size)
		return false;
	for (int d = 0; d < VEC_DIMS; d++) {
		if (a->count[d] != b->count[d])
			return false;
		if (a->count[d] == 1)
			continue;
		if (a->step[d] != b->step[d] || a->step[d] < extent)
			return false;
		extent += (int64_t)a->step[d] * (a->count[d] - 1);
	}
	return true;
}

bool run_rows_can(const struct vec_op *op)
{
	const struct vec_walk *dst = &op->walk[VEC_DST];

	if (!row_op(op))
		return false;
	for (int i = 0; i < VEC_DST; i++) {
		const struct vec_walk *w = &op->walk[i];

		if (!w->there)
			continue;
		if (w->total != dst->total)
			return false;
		if (w->meets && !row_in_place(w, dst))
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------ *
 * Walks.                                                             *
 * ------------------------------------------------------------------ */

/* An operand of the pass. */
struct row_walk {
	const struct vec_walk *walk;
	int partition; /* of lane 0 */
	uint16_t i[VEC_DIMS];
	int64_t byte; /* of the element, in its partition */
};

static void row_seek(struct row_walk *w, uint64_t k)
{
	w->byte = w->walk->start.byte;
	for (int d = 0; d < VEC_DIMS; d++) {
		uint64_t n = w->walk->count[d];

		w->i[d] = (uint16_t)(k % n);
		w->byte += w->walk->step[d] * (int64_t)w->i[d];
		k /= n;
	}
}

static void row_step(struct row_walk *w)
{
	for (int d = 0; d < VEC_DIMS; d++) {
		if (w->i[d] + 1 < w->walk->count[d]) {
			w->i[d]++;
			w->byte += w->walk->step[d];
			return;
		}
		w->byte -= (int64_t)w->walk->step[d] * w->i[d];
		w->i[d] = 0;
	}
}

static uint64_t *row_at(struct tpb *t, const struct row_walk *w)
{
	return memory_row(t, w->walk->start.psum, w->partition,
	                  (uint32_t)w->byte);
}

/* k elements of every lane into an array. */
static void row_gather(struct tpb *t, struct row_walk *w, int lanes, int k,
                       uint32_t *out)
{
	uint32_t mask = UINT32_MAX >> (32 - 8 * w->walk->size);

	for (; k-- != 0; out += lanes) {
		const uint64_t *row = row_at(t, w);
		unsigned shift = 8 * (w->byte & 7);

		for (int j = 0; j < lanes; j++)
			out[j] = (uint32_t)(row[j] >> shift) & mask;
		row_step(w);
	}
}

static void row_scatter(struct tpb *t, struct row_walk *w, int lanes, int k,
                        const uint32_t *from)
{
	for (; k-- != 0; from += lanes) {
		uint64_t *row = row_at(t, w);
		unsigned shift = 8 * (w->byte & 7);
		uint64_t mask = (UINT64_MAX >> (64 - 8 * w->walk->size))
		                << shift;

		for (int j = 0; j < lanes; j++)
			row[j] = (row[j] & ~mask) | (uint64_t)from[j] << shift;
		row_step(w);
	}
}

/* ------------------------------------------------------------------ *
 * Values.                                                            *
 * ------------------------------------------------------------------ */

struct row_pass {
	struct tpb *t;
	const struct vec_op *op;
	int lanes;
	uint64_t run; /* elements in a straight piece, 0: not straight */
	bool aside;   /* the destination is a source: results go aside first */
	struct row_walk w[VEC_WALKS];
	uint32_t scalar[2][ROW_VALUES]; /* as the values are laid out */
};

/* Elements from the first on that follow each other. */
static uint64_t row_straight(const struct vec_walk *w)
{
	uint64_t n = 1;
	int d = 0;

	if (w->size != 4 || w->start.byte % 8 != 0)
		return 0;
	for (; d < VEC_DIMS; d++) {
		if (w->count[d] != 1 && w->step[d] != 4 * (int64_t)n)
			break;
		n *= w->count[d];
	}
	for (; d < VEC_DIMS; d++)
		if (w->count[d] != 1 && w->step[d] % 8 != 0)
			return 0;
	return n % 2 == 0 ? n : 0;
}

/* The longest piece that is straight in all operands. */
static uint64_t row_run(const struct row_pass *p)
{
	uint64_t run = p->op->walk[VEC_DST].total;

	if (p->lanes != TPB_LANES)
		return 0;
	for (int i = 0; i < VEC_WALKS; i++) {
		uint64_t n;

		if (!p->op->walk[i].there)
			continue;
		n = row_straight(&p->op->walk[i]);
		run = n < run ? n : run;
	}
	for (int i = 0; i < VEC_WALKS && run != 0; i++)
		if (p->op->walk[i].there &&
		    row_straight(&p->op->walk[i]) % run != 0)
			return 0;
	return run;
}

/* A scalar of every lane, for n values. */
static void row_scalar(struct row_pass *p, int i, int n, const uint32_t *lane)
{
	int twice = p->run ? 2 : 1;

	for (int at = 0; at < n; at += twice * p->lanes)
		for (int k = 0; k < twice * p->lanes; k++)
			p->scalar[i][at + k] = lane[k / twice];
}

/* TensorTensor and TensorScalar on numbers. */
static void row_numbers(const struct row_pass *p, int n, const uint32_t *x,
                        const uint32_t *y, uint32_t *out)
{
	const struct vec_op *op = p->op;
	uint32_t a[ROW_VALUES], b[ROW_VALUES], r[ROW_VALUES];
	bool plain = op->walk[VEC_DST].tag == TPB_DTYPE_FLOAT32;
	uint32_t *to = plain ? out : r;

	x = vec_widen(p->t, op->walk[0].tag, n, x, a);
	if (op->code == TPB_OP_TT_ARITH) {
		y = vec_widen(p->t, op->walk[1].tag, n, y, b);
		vnum_arith(op->alu[0], n, x, y, to);
	} else {
		vec_alu(op, 0, n, x, p->scalar[0], b);
		vec_alu(op, 1, n, b, p->scalar[1], to);
	}
	if (!plain)
		vec_narrow(p->t, op, n, r, out);
}

/* Copy, Cast, Reciprocal, Memset. */
static void row_change(const struct row_pass *p, int n, const uint32_t *x,
                       uint32_t *out)
{
	const struct vec_op *op = p->op;
	uint32_t a[ROW_VALUES], r[ROW_VALUES];

	if (op->code == TPB_OP_COPY || op->code == TPB_OP_MEMSET ||
	    (op->code == TPB_OP_CAST && op->same)) {
		vec_low(op, n, x, out);
		return;
	}
	x = vec_widen(p->t, op->walk[0].tag, n, x, a);
	if (op->code == TPB_OP_RECIPROCAL) {
		vnum_arith(TPB_ALU_DIVIDE, n, p->scalar[0], x, r);
		x = r;
	}
	vec_narrow(p->t, op, n, x, out);
}

/* out: n elements of the destination. */
static void row_values(const struct row_pass *p, int n, const uint32_t *x,
                       const uint32_t *y, uint32_t *out)
{
	const struct vec_op *op = p->op;
	uint32_t r[ROW_VALUES];

	switch (op->code) {
	case TPB_OP_TT_BITVEC: vec_bits(op, 0, n, x, y, r); break;
	case TPB_OP_TS_BITVEC:
		vec_bits(op, 0, n, x, p->scalar[0], r);
		vec_bits(op, 1, n, r, p->scalar[1], out);
		return;
	case TPB_OP_TT_ARITH:
	case TPB_OP_TS_ARITH:
		if (!op->integer)
			row_numbers(p, n, x, y, out);
		else
			vnum_integer(op->alu[0],
			             op->walk[0].tag == TPB_DTYPE_INT32,
			             op->walk[VEC_DST].tag == TPB_DTYPE_INT32,
			             n, x, y, out);
		return;
	case TPB_OP_MEMSET: row_change(p, n, p->scalar[0], out); return;
	default: row_change(p, n, x, out); return;
	}
	vec_low(op, n, r, out);
}

/* ------------------------------------------------------------------ *
 * A pass.                                                            *
 * ------------------------------------------------------------------ */

static bool row_reads(const struct row_pass *p, int i)
{
	return p->op->walk[i].there;
}

/* k elements from `at` on, straight in all operands. */
static void row_direct(struct row_pass *p, uint64_t at, int k)
{
	uint32_t aside[ROW_VALUES], *v[VEC_WALKS] = {NULL};
	int n = k * p->lanes;

	for (int i = 0; i < VEC_WALKS; i++)
		if (row_reads(p, i)) {
			row_seek(&p->w[i], at);
			v[i] = (uint32_t *)row_at(p->t, &p->w[i]);
		}
	if (!p->aside) {
		row_values(p, n, v[0], v[1], v[VEC_DST]);
		return;
	}
	row_values(p, n, v[0], v[1], aside);
	if (v[VEC_DST]) /* always: such ops write */
		memcpy(v[VEC_DST], aside, sizeof(*aside) * (size_t)n);
}

/* k elements where the walks stand. */
static void row_apart(struct row_pass *p, int k)
{
	uint32_t x[2][ROW_VALUES], out[ROW_VALUES];

	for (int i = 0; i < VEC_DST; i++)
		if (row_reads(p, i))
			row_gather(p->t, &p->w[i], p->lanes, k, x[i]);
	row_values(p, k * p->lanes, x[0], x[1], out);
	row_scatter(p->t, &p->w[VEC_DST], p->lanes, k, out);
}

/* The values that go with each lane. */
static void row_scalars(struct row_pass *p, const struct tpb *t, int u, int n)
{
	const struct tpb_vec_state *v = &t->s.vec[u];
	const uint32_t *lane[2] = {v->vs0, v->vs1};
	uint32_t same[TPB_LANES] = {0};

	for (int i = 0; i < 2; i++) {
		const struct vec_scalar *s = &p->op->scalar[i];
		uint32_t word = s->word;

		if (p->op->code == TPB_OP_MEMSET)
			word = p->op->word;
		else if (p->op->code == TPB_OP_RECIPROCAL)
			word = VNUM_ONE;
		else if (p->op->code != TPB_OP_TS_ARITH &&
		         p->op->code != TPB_OP_TS_BITVEC)
			return;
		for (int j = 0; j < p->lanes; j++)
			same[j] = word;
		row_scalar(p, i, n, s->kind == TPB_IMM_INLINE ? same : lane[i]);
	}
}

void run_rows(struct tpb *t, int u)
{
	const struct tpb_vec_state *v = &t->s.vec[u];
	const struct vec_op *op = &t->unit[u].op;
	uint64_t total = op->walk[VEC_DST].total, most, k;
	struct row_pass p;

	memset(p.w, 0, sizeof(p.w));
	p.t = t;
	p.op = op;
	p.lanes = vec_lanes(op, v->vpass);
	p.run = row_run(&p);
	p.aside = op->walk[0].meets || op->walk[1].meets;
	for (int i = 0; i < VEC_WALKS; i++) {
		p.w[i].walk = &op->walk[i];
		p.w[i].partition =
		    op->walk[i].start.partition + v->vpass * TPB_LANES;
		if (op->walk[i].there)
			row_seek(&p.w[i], 0);
	}
	most = ROW_VALUES / (p.lanes > 1 ? (unsigned)p.lanes : 1);
	k = total < most ? total : most;
	row_scalars(&p, t, u, (int)k * p.lanes);
	for (uint64_t at = 0; at < total; at += k) {
		k = p.run ? p.run - at % p.run : total - at;
		k = k < most ? k : most;
		if (p.run)
			row_direct(&p, at, (int)k);
		else
			row_apart(&p, (int)k);
	}
}
