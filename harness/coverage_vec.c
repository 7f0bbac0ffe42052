/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage of what vector bundles are: operands, dtypes, operations.
 *
 * Where what stands in a bundle: docs/reference/vector.md, "Operands".
 */
#include "harness/coverage_vec.h"

#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* ------------------------------------------------------------------ *
 * A bundle taken apart.                                              *
 * ------------------------------------------------------------------ */

/* Place and dims of the three walks, byte of the channels. */
static const struct form {
	uint8_t op, walk[COVER_WALKS][2], ch;
} forms[] = {
    {TPB_OP_TT_ARITH, {{0x10, 3}, {0x20, 3}, {0x30, 3}}, 0x0F},
    {TPB_OP_TT_BITVEC, {{0x10, 3}, {0x20, 3}, {0x30, 3}}, 0x0F},
    {TPB_OP_COPY_PRED, {{0x10, 3}, {0x20, 3}, {0x30, 3}}, 0x0F},
    {TPB_OP_CAST_PRED, {{0x10, 3}, {0x20, 3}, {0x30, 3}}, 0x0F},
    {TPB_OP_TS_ARITH, {{0x10, 3}, {0}, {0x30, 3}}, 0x22},
    {TPB_OP_TS_BITVEC, {{0x10, 3}, {0}, {0x30, 3}}, 0x22},
    {TPB_OP_TS_REDUCE, {{0x10, 3}, {0}, {0x30, 3}}, 0x22},
    {TPB_OP_TS_CUMULATIVE, {{0x10, 3}, {0}, {0x30, 3}}, 0x22},
    {TPB_OP_COPY_PRED_SCALAR, {{0x10, 3}, {0}, {0x30, 3}}, 0x22},
    {TPB_OP_TR_ARITH, {{0x0C, 4}, {0}, {0x2C, 4}}, 0x22},
    {TPB_OP_TR_BITVEC, {{0x0C, 4}, {0}, {0x2C, 4}}, 0x22},
    {TPB_OP_COPY, {{0x0C, 4}, {0}, {0x2C, 4}}, 0x22},
    {TPB_OP_CAST, {{0x0C, 4}, {0}, {0x2C, 4}}, 0x22},
    {TPB_OP_RECIPROCAL, {{0x0C, 4}, {0}, {0x2C, 4}}, 0x22},
    {TPB_OP_MATCH_REPLACE8, {{0x0C, 4}, {0}, {0x2C, 4}}, 0x22},
    {TPB_OP_MEMSET, {{0}, {0}, {0x2C, 4}}, 0x22},
    {TPB_OP_MAX8, {{0x0C, 4}, {0}, {0x30, 2}}, 0x22},
    {TPB_OP_FIND_INDEX8, {{0x0C, 4}, {0}, {0x30, 2}}, 0x22},
    {TPB_OP_MATCH_LOAD, {{0x10, 2}, {0}, {0}}, 0x22},
    {TPB_OP_READ_ACC, {{0}, {0}, {0x2C, 1}}, 0x22},
    {TPB_OP_IOTA, {{0x0C, 4}, {0}, {0x2C, 4}}, 0x22},
};

static void find_tags(struct cover_vec *c)
{
	engine_t *q = c->q;
	struct cover_walk *w = c->walk;

	w[0].tag = byte(q, 0x20);
	w[1].tag = w[0].tag;
	w[2].tag = byte(q, 0x21);
	if (w[1].dims) {
		w[0].tag = byte(q, 0x0C) & 15;
		w[1].tag = byte(q, 0x0C) >> 4;
		w[2].tag = byte(q, 0x0D);
	} else if (c->op == TPB_OP_MEMSET || c->op == TPB_OP_READ_ACC) {
		w[2].tag = byte(q, 0x20);
	} else if (c->op == TPB_OP_COPY_PRED_SCALAR) {
		w[2].tag = byte(q, 0x2A);
	} else if (c->op == TPB_OP_MATCH_REPLACE8) {
		w[2].tag = w[0].tag;
	}
}

bool cover_vec_of(const struct tpb_state *s, int e, struct cover_vec *c)
{
	const struct form *f = forms;

	if (e != TPB_ENGINE_POOL && e != TPB_ENGINE_DVE)
		return false;
	c->q = &s->engine[e];
	c->v = &s->vec[e == TPB_ENGINE_DVE];
	c->op = byte(c->q, 0);
	while (f < forms + COUNT(forms) && f->op != c->op)
		f++;
	if (f == forms + COUNT(forms))
		return false;
	c->ch = byte(c->q, f->ch);
	for (int k = 0; k < COVER_WALKS; k++) {
		c->walk[k].at = f->walk[k][0];
		c->walk[k].dims = f->walk[k][1];
		c->walk[k].memory =
		    f->walk[k][1] && (k || c->op != TPB_OP_IOTA);
	}
	find_tags(c);
	return true;
}

int cover_scalar(const struct cover_vec *c, int k)
{
	switch (c->op) {
	case TPB_OP_TS_ARITH:
	case TPB_OP_TS_BITVEC:
	case TPB_OP_TS_REDUCE:
	case TPB_OP_TS_CUMULATIVE: return byte(c->q, k ? 0x27 : 0x23);
	case TPB_OP_COPY_PRED_SCALAR: return k ? -1 : byte(c->q, 0x2B);
	default: return -1;
	}
}

static int half(engine_t *q, int off)
{
	return byte(q, off) | byte(q, off + 1) << 8;
}

int cover_step(const struct cover_vec *c, int k, int d)
{
	return (int16_t)half(c->q, c->walk[k].at + 4 + 2 * d);
}

int cover_count(const struct cover_vec *c, int k, int d)
{
	const struct cover_walk *w = &c->walk[k];

	return half(c->q, w->at + 4 + 2 * (w->dims + d));
}

uint64_t cover_elements(const struct cover_vec *c, int k)
{
	uint64_t n = 1;

	for (int d = 0; d < c->walk[k].dims; d++)
		n *= (uint64_t)cover_count(c, k, d);
	return n;
}

/* ------------------------------------------------------------------ *
 * Operations.                                                        *
 * ------------------------------------------------------------------ */

static bool is_word(uint8_t tag)
{
	return tag == TPB_DTYPE_INT32 || tag == TPB_DTYPE_UINT32;
}

static void operations(struct coverage *cov, const struct cover_vec *c)
{
	const struct cover_walk *w = c->walk;
	int op0 = byte(c->q, w[1].dims ? 0x0E : 0x24), op1 = byte(c->q, 0x25);
	int rev = byte(c->q, 0x26), size = isa_dtype_size(w[0].tag);
	bool words = is_word(w[0].tag) && is_word(w[2].tag);

	switch (c->op) {
	case TPB_OP_TT_ARITH:
		words &= is_word(w[1].tag);
		coverage_hit(cov, COVER_VEC_ALU_TT, op0, words, 0);
		coverage_hit(cov, COVER_VEC_ALU_BAND, op0, 0, 0);
		break;
	case TPB_OP_TT_BITVEC:
		coverage_hit(cov, COVER_VEC_ALU_TTB, op0, size, 0);
		break;
	case TPB_OP_TS_ARITH:
		coverage_hit(cov, COVER_VEC_ALU_TS0, op0, rev & 1, 0);
		coverage_hit(cov, COVER_VEC_ALU_TS1, op1, rev >> 1, 0);
		break;
	case TPB_OP_TS_BITVEC:
		coverage_hit(cov, COVER_VEC_ALU_TSB0, op0, size, rev & 1);
		coverage_hit(cov, COVER_VEC_ALU_TSB1, op1, size, 0);
		break;
	case TPB_OP_TS_REDUCE:
		coverage_hit(cov, COVER_VEC_RESULTS,
		             cover_elements(c, 2) == 1 &&
		                 cover_elements(c, 0) > 1,
		             0, 0);
		/* fall through */
	case TPB_OP_TS_CUMULATIVE:
		coverage_hit(cov, COVER_VEC_ALU_F0, op0, c->op, 0);
		coverage_hit(cov, COVER_VEC_ALU_F1, op1, byte(c->q, 0x0C),
		             c->op);
		break;
	case TPB_OP_TR_ARITH:
		coverage_hit(cov, COVER_VEC_ALU_TR, op0, words,
		             byte(c->q, 0x23));
		break;
	case TPB_OP_TR_BITVEC:
		coverage_hit(cov, COVER_VEC_ALU_TRB, op0, size, 0);
		break;
	default: break;
	}
}

/* ------------------------------------------------------------------ *
 * Dtypes.                                                            *
 * ------------------------------------------------------------------ */

static void dtypes(struct coverage *cov, const struct cover_vec *c)
{
	uint8_t a = c->walk[0].tag, b = c->walk[1].tag, o = c->walk[2].tag;

	switch (c->op) {
	case TPB_OP_TT_ARITH:
		coverage_hit(cov, COVER_VEC_TT_IN, a, b, 0);
		coverage_hit(cov, COVER_VEC_TT, a, o, 0);
		break;
	case TPB_OP_TS_ARITH: coverage_hit(cov, COVER_VEC_TS, a, o, 0); break;
	case TPB_OP_TR_ARITH: coverage_hit(cov, COVER_VEC_TR, a, o, 0); break;
	case TPB_OP_RECIPROCAL:
		coverage_hit(cov, COVER_VEC_RECIP, a, o, 0);
		break;
	case TPB_OP_CAST: coverage_hit(cov, COVER_VEC_CAST, a, o, 0); break;
	case TPB_OP_COPY:
		coverage_hit(cov, COVER_VEC_COPY, 0, a, 0);
		coverage_hit(cov, COVER_VEC_COPY, 1, o, 0);
		break;
	case TPB_OP_MEMSET:
	case TPB_OP_IOTA: coverage_hit(cov, COVER_VEC_FILL, c->op, o, 0); break;
	case TPB_OP_MAX8: coverage_hit(cov, COVER_VEC_MAX8, a, o, 0); break;
	case TPB_OP_FIND_INDEX8:
		coverage_hit(cov, COVER_VEC_FIND, a, o, 0);
		break;
	case TPB_OP_CAST_PRED:
		coverage_hit(cov, COVER_VEC_CASTPRED, b, o, 0);
		break;
	case TPB_OP_READ_ACC:
		coverage_hit(cov, COVER_VEC_ACC, o, byte(c->q, 0x21), 0);
		break;
	default: /* a value that is no item counts nowhere */
		coverage_hit(cov, COVER_VEC_BITS, c->op, a, 0);
		coverage_hit(cov, COVER_VEC_FOLD, c->op, a, o);
		coverage_hit(cov, COVER_VEC_MATCH, c->op, a, 0);
		coverage_hit(cov, COVER_VEC_PRED, c->op, a, o);
		break;
	}
}

/* ------------------------------------------------------------------ *
 * Patterns and places.                                               *
 * ------------------------------------------------------------------ */

/* Dimensions with more than one element, and the class of their steps. */
static int shape(const struct cover_vec *c, int k, int *step)
{
	int n = 0, up = 0, down = 0, zero = 0;

	for (int d = 0; d < c->walk[k].dims; d++) {
		int by = cover_step(c, k, d);

		if (cover_count(c, k, d) < 2)
			continue;
		n++;
		up += by > 0;
		down += by < 0;
		zero += by == 0;
	}
	*step = zero ? 0 : down == 0 ? 1 : up == 0 ? 2 : 3;
	if (!n)
		*step = -1;
	return n;
}

static void patterns(struct coverage *cov, const struct cover_vec *c)
{
	int step, n;

	if (c->walk[0].memory) {
		n = shape(c, 0, &step);
		coverage_hit(cov, COVER_VEC_SRC3, c->op, n, 0);
		coverage_hit(cov, COVER_VEC_SRC4, c->op, n, 0);
		coverage_hit(cov, COVER_VEC_SCAN, c->op, n, 0);
		coverage_hit(cov, COVER_VEC_SRC_STEP, c->op, step, 0);
	}
	if (c->walk[2].memory) {
		n = shape(c, 2, &step);
		coverage_hit(cov, COVER_VEC_DST3, c->op, n, 0);
		coverage_hit(cov, COVER_VEC_DST4, c->op, n, 0);
		coverage_hit(cov, COVER_VEC_DST_STEP, c->op, step, 0);
	}
}

/* Where the result lies on its first source. */
static int overlap(const struct cover_vec *c)
{
	uint32_t a = c->v->vbase[0], b = c->v->vbase[2];
	int32_t size = isa_dtype_size(c->walk[2].tag);
	int32_t off = (int32_t)(b - a);

	if (cover_psum(a) != cover_psum(b) || cover_part(a) != cover_part(b) ||
	    off < -256 || off > 256)
		return -1;
	return off == 0 ? 0 : off == size ? 1 : off == -size ? 2 : 3;
}

static void memories(struct coverage *cov, const struct cover_vec *c, int e)
{
	const struct cover_walk *w = c->walk;
	const uint32_t *a = c->v->vbase;
	int first = w[0].memory && cover_psum(a[0]) ? 1 : 0;

	if (w[0].memory && w[1].memory && w[2].memory)
		coverage_hit(cov, COVER_VEC_MEM2, cover_psum(a[1]) ? 2 : first,
		             cover_psum(a[2]), 0);
	else if (w[0].memory && w[2].memory)
		coverage_hit(cov, COVER_VEC_MEM1, first, cover_psum(a[2]), 0);
	if (w[0].memory && w[2].memory)
		coverage_hit(cov, COVER_VEC_OVERLAP, e, overlap(c), 0);
	for (int k = 0; k < COVER_WALKS; k++)
		if (w[k].memory)
			coverage_hit(cov, COVER_VEC_FORM, e, k,
			             (int)(word(c->q, w[k].at) >> 31));
}

static void scalars(struct coverage *cov, const struct cover_vec *c)
{
	for (int k = 0; k < 2; k++) {
		int kind = cover_scalar(c, k);

		if (kind < 0)
			continue;
		coverage_hit(cov, COVER_VEC_SCALAR, c->op, k, kind);
		if (c->op == TPB_OP_COPY_PRED_SCALAR)
			coverage_hit(cov, COVER_VEC_SCALARP, kind, 0, 0);
		if (kind != TPB_IMM_INLINE)
			coverage_hit(cov, COVER_VEC_POINTER, k,
			             cover_psum(c->v->vbase[3 + k]), 0);
	}
}

static void channels(struct coverage *cov, const struct cover_vec *c, int e)
{
	int k = c->walk[2].memory ? 2 : 0;
	int part = cover_part(c->v->vbase[k]);
	uint64_t n = cover_elements(c, k);

	if (c->walk[0].dims && cover_elements(c, 0) > n)
		n = cover_elements(c, 0);
	coverage_hit(cov, COVER_VEC_CH32, e, c->ch, part);
	coverage_hit(cov, COVER_VEC_CH64, e, c->ch, part);
	coverage_hit(cov, COVER_VEC_CH128, e, c->ch, 0);
	coverage_hit(cov, COVER_VEC_LENGTH, e,
	             n == 1     ? 0
	             : n <= 8   ? 1
	             : n <= 64  ? 2
	             : n <= 512 ? 3
	                        : 4,
	             0);
}

void coverage_vector(struct coverage_watch *w, const struct tpb_state *s, int e)
{
	struct coverage *cov = w->cov;
	struct cover_vec c;

	if (!cover_vec_of(s, e, &c))
		return;
	coverage_hit(cov, e == TPB_ENGINE_POOL ? COVER_VEC_POOL : COVER_VEC_DVE,
	             c.op, 0, 0);
	coverage_hit(cov, COVER_VEC_WAIT, e, byte(c.q, 4), 0);
	coverage_hit(cov, COVER_VEC_UPDATE, e, byte(c.q, 6), 0);
	operations(cov, &c);
	dtypes(cov, &c);
	patterns(cov, &c);
	memories(cov, &c, e);
	scalars(cov, &c);
	channels(cov, &c, e);
}
