/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector bundles as jobs, and a serial loop that does them.
 *
 * A job is a vector bundle as the test thinks of it: patterns, dtypes and
 * operations.  It is written down as bytes and run by the model, and done by
 * the oracle below: one channel after the other, one element after the other,
 * each read and written in plain byte arrays before the next one.  That is
 * the rule that a pipeline must not be seen to break, so patterns overlap on
 * purpose.  Arithmetic on single values is that of vnum.h, which test_vnum
 * holds against the host.
 */
#ifndef TESTS_UNIT_VEC_JOB_H
#define TESTS_UNIT_VEC_JOB_H

#include "tests/unit/model.h"

#include "cmodel/vnum.h"

#define PSUM_PART 16384
#define FP8 (VNUM_FP8_OCP | VNUM_FP8_SATURATE)

struct pattern {
	bool there, psum;
	uint8_t tag;
	int part, start; /* partition, byte */
	int dims, step[4], count[4];
	int reg; /* register with the address, -1: none */
};

struct job {
	int engine;
	uint8_t op, alu[2], reverse, command, kind[2];
	bool negate, polarity;
	int n;
	struct pattern w[3], s[2]; /* s: behind pointer scalars */
	uint32_t word[2];          /* inline scalars; fill, replacement */
	uint32_t base, multiplier; /* of iota */
};

#define SBUF_PART 1024 /* PART, signed */

static uint8_t sb[128][SBUF_PART], ps[128][PSUM_PART];
static uint32_t acc[128], slots[128][8];
static uint64_t rng = 88172645463325252ull;

static uint32_t draw(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 32);
}

static int below(int n)
{
	return (int)(draw() % (unsigned)n);
}

static int size_of(uint8_t tag)
{
	return isa_dtype_size(tag);
}

/* ------------------------------------------------------------------ *
 * The oracle.                                                        *
 * ------------------------------------------------------------------ */

static int total(const struct pattern *w)
{
	int n = 1;

	for (int d = 0; d < w->dims; d++)
		n *= w->count[d];
	return n;
}

/* Sum of step * index at element k. */
static int offset(const struct pattern *w, int k)
{
	int sum = 0;

	for (int d = 0; d < w->dims; d++) {
		sum += w->step[d] * (k % w->count[d]);
		k /= w->count[d];
	}
	return sum;
}

static uint8_t *place(const struct pattern *w, int p, int k)
{
	int byte = w->start + offset(w, k) * size_of(w->tag);

	return w->psum ? &ps[w->part + p][byte] : &sb[w->part + p][byte];
}

static uint32_t get(const struct pattern *w, int p, int k)
{
	uint32_t v = 0;

	memcpy(&v, place(w, p, k), (size_t)size_of(w->tag));
	return v;
}

static void set(const struct pattern *w, int p, int k, uint32_t v)
{
	memcpy(place(w, p, k), &v, (size_t)size_of(w->tag));
}

static uint32_t wide(uint8_t tag, uint32_t raw)
{
	uint32_t f;

	vnum_widen(tag, FP8, 1, &raw, &f);
	return f;
}

static uint32_t narrow(uint8_t tag, uint32_t f)
{
	uint32_t raw;

	vnum_narrow(tag, FP8, 1, &f, &raw);
	return raw;
}

static uint32_t fp(uint8_t op, bool swap, uint32_t a, uint32_t b)
{
	uint32_t out;

	vnum_arith(op, 1, swap ? &b : &a, swap ? &a : &b, &out);
	return out;
}

static uint32_t bits(uint8_t op, int w, bool swap, uint32_t a, uint32_t b)
{
	uint32_t out;

	vnum_bitvec(op, w, 1, swap ? &b : &a, swap ? &a : &b, &out);
	return out;
}

static uint32_t whole(const struct job *j, uint8_t op, uint32_t a, uint32_t b)
{
	uint32_t out;

	vnum_integer(op, j->w[0].tag == 8, j->w[2].tag == 8, 1, &a, &b, &out);
	return out;
}

static bool int32(uint8_t tag)
{
	return tag == 8 || tag == 9;
}

static uint32_t flip(uint32_t f)
{
	return vnum_is_nan(f) ? VNUM_NAN : f ^ 0x80000000;
}

static uint32_t scalar(const struct job *j, int i, int p)
{
	return j->kind[i] ? get(&j->s[i], p, 0) : j->word[i];
}

/* Ops that make each element from the elements of the same number. */
static void each(const struct job *j, int p)
{
	const struct pattern *x = &j->w[0], *y = &j->w[1], *out = &j->w[2];
	uint32_t s0 = scalar(j, 0, p), s1 = scalar(j, 1, p);
	bool words = int32(x->tag) && int32(out->tag);

	for (int k = 0; k < total(out); k++) {
		uint32_t a = x->there ? get(x, p, k) : 0;
		uint32_t b = y->there ? get(y, p, k) : 0, r;

		switch (j->op) {
		case 0x41:
			r = words && int32(y->tag) &&
			            vnum_is_integer_op(j->alu[0])
			        ? whole(j, j->alu[0], a, b)
			        : narrow(out->tag,
			                 fp(j->alu[0], false, wide(x->tag, a),
			                    wide(y->tag, b)));
			break;
		case 0x51:
			r = bits(j->alu[0], 8 * size_of(x->tag), false, a, b);
			break;
		case 0x43:
			r = fp(j->alu[0], j->reverse & 1, wide(x->tag, a), s0);
			r = narrow(out->tag,
			           fp(j->alu[1], j->reverse & 2, r, s1));
			break;
		case 0x53:
			r = bits(j->alu[0], 8 * size_of(x->tag), j->reverse & 1,
			         a, s0);
			r = bits(j->alu[1], 8 * size_of(x->tag), j->reverse & 2,
			         r, s1);
			break;
		case 0x46: r = a; break;
		case 0x47:
			r = x->tag == out->tag
			        ? a
			        : narrow(out->tag, wide(x->tag, a));
			break;
		case 0x48:
			r = narrow(out->tag,
			           fp(7, false, VNUM_ONE, wide(x->tag, a)));
			break;
		default: r = j->word[0]; break; /* 49 */
		}
		set(out, p, k, r);
	}
}

/* 72, 99, E8: elements of the destination may stay. */
static void predicated(const struct job *j, int p)
{
	const struct pattern *mask = &j->w[0], *y = &j->w[1], *out = &j->w[2];
	uint32_t s0 = scalar(j, 0, p);

	for (int k = 0; k < total(out); k++) {
		bool on = get(mask, p, k) != 0;
		uint32_t b = y->there ? get(y, p, k) : s0;

		if (on != (j->op == 0xE8 ? j->polarity : true))
			continue;
		if (y->there && y->tag != out->tag)
			b = narrow(out->tag, wide(y->tag, b));
		set(out, p, k, b);
	}
}

static void reduce(const struct job *j, int p)
{
	const struct pattern *x = &j->w[0], *out = &j->w[2];
	int group = total(x) / total(out);
	bool words = int32(x->tag) && int32(out->tag);

	for (int k = 0; k < total(out); k++) {
		uint32_t c = 0;

		for (int i = 0; i < group; i++) {
			uint32_t a = get(x, p, k * group + i);

			if (j->op == 0x42 && !words)
				a = wide(x->tag, a);
			if (i == 0)
				c = a;
			else if (j->op == 0x52)
				c = bits(j->alu[0], 8 * size_of(x->tag), false,
				         c, a);
			else
				c = words ? whole(j, j->alu[0], c, a)
				          : fp(j->alu[0], false, c, a);
		}
		if (j->negate)
			c = words ? whole(j, 5, 0, c) : flip(c);
		if (j->op == 0x42 && !words)
			c = narrow(out->tag, c);
		set(out, p, k, c);
	}
}

/* 9A, E6 */
static void accumulate(const struct job *j, int p)
{
	const struct pattern *x = &j->w[0], *out = &j->w[2];
	static const uint32_t identity[10] = {
	    [6] = VNUM_ONE, [8] = 0xFF800000, [9] = 0x7F800000};
	uint32_t s0 = scalar(j, 0, p), s1 = scalar(j, 1, p);
	uint32_t c = j->command == 2   ? acc[out->part + p]
	             : j->command == 3 ? identity[j->alu[1]]
	                               : s1;
	int last = total(x) - 1;

	for (int k = 0; k <= last; k++) {
		uint32_t v = fp(j->alu[0], j->reverse & 1,
		                wide(x->tag, get(x, p, k)), s0);

		c = fp(j->alu[1], j->reverse & 2, v, c);
		if (j->op == 0xE6)
			set(out, p, k, narrow(out->tag, c));
		else if (total(out) == total(x))
			set(out, p, k, narrow(out->tag, v));
		else if (k == last)
			set(out, p, 0, narrow(out->tag, c));
	}
	acc[out->part + p] = c;
}

/* The eight largest by insertion before the first smaller one. */
static void max8(const struct job *j, int p)
{
	uint32_t slot[9];
	int used = 0;

	for (int k = 0; k < total(&j->w[0]); k++) {
		uint32_t c = wide(j->w[0].tag, get(&j->w[0], p, k));

		for (int i = 0; i < used; i++)
			if (vnum_float(c) > vnum_float(slot[i])) {
				uint32_t old = slot[i];

				slot[i] = c;
				c = old;
			}
		if (used < 8)
			slot[used++] = c;
	}
	for (int i = 0; i < 8; i++)
		set(&j->w[2], p, i, narrow(j->w[2].tag, slot[7 - i]));
}

static void find(const struct job *j, int p)
{
	const struct pattern *x = &j->w[0], *out = &j->w[2];
	const uint32_t *value = slots[out->part + p];
	uint32_t index[8];
	bool hit[8] = {false};

	memset(index, 0xFF, sizeof(index));
	for (int k = 0; k < total(x); k++) {
		uint32_t raw = get(x, p, k), f = wide(x->tag, raw);
		int i = 0;

		while (i < 8 &&
		       (hit[i] || vnum_float(value[i]) != vnum_float(f)))
			i++;
		if (i < 8) {
			hit[i] = true;
			index[i] = (uint32_t)k;
		}
		if (j->op == 0x6F)
			set(out, p, k,
			    i < 8 ? narrow(out->tag, j->word[0]) : raw);
	}
	for (int i = 0; i < 8 && j->op == 0x6E; i++)
		set(out, p, i, index[i]);
}

static void iota(const struct job *j, int p)
{
	const struct pattern *g = &j->w[0], *out = &j->w[2];

	for (int k = 0; k < total(out); k++) {
		uint32_t v = j->base + (uint32_t)p * j->multiplier +
		             (uint32_t)offset(g, k);

		set(out, p, k,
		    int32(out->tag) ? v : narrow(out->tag, wide(8, v)));
	}
}

static void oracle(const struct job *j)
{
	for (int p = 0; p < j->n; p++) {
		uint32_t *a = &acc[j->w[2].part + p];

		switch (j->op) {
		case 0x42:
		case 0x52: reduce(j, p); break;
		case 0x9A:
		case 0xE6: accumulate(j, p); break;
		case 0x9B:
			set(&j->w[2], p, 0,
			    narrow(j->w[2].tag, j->negate ? flip(*a) : *a));
			break;
		case 0x6C: max8(j, p); break;
		case 0x6D:
			for (int k = 0; k < 8; k++)
				slots[j->w[0].part + p][7 - k] =
				    wide(j->w[0].tag, get(&j->w[0], p, k));
			break;
		case 0x6E:
		case 0x6F: find(j, p); break;
		case 0x7E: iota(j, p); break;
		case 0x72:
		case 0x99:
		case 0xE8: predicated(j, p); break;
		default: each(j, p); break;
		}
	}
}

/* ------------------------------------------------------------------ *
 * Jobs as bundles.                                                   *
 * ------------------------------------------------------------------ */

static uint32_t address(const struct pattern *w)
{
	uint32_t at = (uint32_t)w->start;

	return w->psum ? 0x2000000 + ((uint32_t)w->part << 15) + at
	               : ((uint32_t)w->part << 18) + at;
}

static void put16(uint8_t *b, int off, int v)
{
	b[off] = (uint8_t)v;
	b[off + 1] = (uint8_t)(v >> 8);
}

static void put_pattern(uint8_t *b, int off, int x, const struct pattern *w)
{
	put32(b, off, w->reg < 0 ? address(w) : 0x80000000 | (uint32_t)w->reg);
	for (int d = 0; d < x; d++) {
		put16(b, off + 4 + 2 * d, d < w->dims ? w->step[d] : 0);
		put16(b, off + 4 + 2 * (x + d), d < w->dims ? w->count[d] : 1);
	}
}

/* Dims of the pattern that an op has at each walk, 0: none. */
struct layout {
	uint8_t op, dims[3], off[3];
};

static const struct layout layouts[] = {
    {0x41, {3, 3, 3}, {0x10, 0x20, 0x30}},
    {0x51, {3, 3, 3}, {0x10, 0x20, 0x30}},
    {0x72, {3, 3, 3}, {0x10, 0x20, 0x30}},
    {0x99, {3, 3, 3}, {0x10, 0x20, 0x30}},
    {0x43, {3, 0, 3}, {0x10, 0, 0x30}},
    {0x53, {3, 0, 3}, {0x10, 0, 0x30}},
    {0x9A, {3, 0, 3}, {0x10, 0, 0x30}},
    {0xE6, {3, 0, 3}, {0x10, 0, 0x30}},
    {0xE8, {3, 0, 3}, {0x10, 0, 0x30}},
    {0x42, {4, 0, 4}, {0x0C, 0, 0x2C}},
    {0x52, {4, 0, 4}, {0x0C, 0, 0x2C}},
    {0x46, {4, 0, 4}, {0x0C, 0, 0x2C}},
    {0x47, {4, 0, 4}, {0x0C, 0, 0x2C}},
    {0x48, {4, 0, 4}, {0x0C, 0, 0x2C}},
    {0x6F, {4, 0, 4}, {0x0C, 0, 0x2C}},
    {0x49, {0, 0, 4}, {0, 0, 0x2C}},
    {0x6C, {4, 0, 2}, {0x0C, 0, 0x30}},
    {0x6E, {4, 0, 2}, {0x0C, 0, 0x30}},
    {0x6D, {2, 0, 0}, {0x10, 0, 0}},
    {0x9B, {0, 0, 1}, {0, 0, 0x2C}},
    {0x7E, {4, 0, 4}, {0x0C, 0, 0x2C}},
};
#define NLAYOUTS ((int)(sizeof(layouts) / sizeof(*layouts)))

static bool two_sources(uint8_t op)
{
	return op == 0x41 || op == 0x51 || op == 0x72 || op == 0x99;
}

static bool has_scalars(uint8_t op)
{
	return op == 0x43 || op == 0x53 || op == 0x9A || op == 0xE6;
}

static void put_scalar(uint8_t *b, const struct job *j, int i, int kind,
                       int word)
{
	b[kind] = j->kind[i];
	put32(b, word,
	      j->kind[i] == 0   ? j->word[i]
	      : j->kind[i] == 1 ? address(&j->s[i])
	                        : (uint32_t)j->s[i].reg);
}

static void put_control(uint8_t *b, const struct job *j)
{
	if (two_sources(j->op)) {
		b[0x0C] = (uint8_t)(j->w[0].tag | j->w[1].tag << 4);
		b[0x0D] = j->w[2].tag;
		b[0x0E] = j->alu[0];
		b[0x0F] = (uint8_t)j->n;
		return;
	}
	b[0x22] = (uint8_t)j->n;
	b[0x20] = j->w[0].tag;
	b[0x21] = j->w[2].tag;
	if (has_scalars(j->op)) {
		put_scalar(b, j, 0, 0x23, 0x28);
		put_scalar(b, j, 1, 0x27, 0x2C);
		b[0x24] = j->alu[0];
		b[0x25] = j->alu[1];
		b[0x26] = j->reverse;
		b[0x0C] = j->command;
	} else if (j->op == 0x42 || j->op == 0x52) {
		b[0x23] = j->negate;
		b[0x24] = j->alu[0];
		b[0x25] = 2;
	} else if (j->op == 0xE8) {
		b[0x21] = j->polarity;
		b[0x29] = j->w[2].tag;
		b[0x2A] = j->w[2].tag;
		put_scalar(b, j, 0, 0x2B, 0x2C);
	} else if (j->op == 0x49) {
		put32(b, 0x1C, (uint32_t)total(&j->w[2]));
		b[0x20] = j->w[2].tag;
		b[0x21] = 0;
		put32(b, 0x28, j->word[0]);
	} else if (j->op == 0x6F) {
		put32(b, 0x28, j->word[0]);
	} else if (j->op == 0x6D) {
		b[0x21] = 0;
	} else if (j->op == 0x9B) {
		put32(b, 0x1C, 1);
		b[0x20] = j->w[2].tag;
		b[0x21] = j->negate;
	} else if (j->op == 0x7E) {
		b[0x20] = 0;
		put32(b, 0x24, j->multiplier);
	}
}

static const struct layout *layout_of(uint8_t op)
{
	for (int i = 0; i < NLAYOUTS; i++)
		if (layouts[i].op == op)
			return &layouts[i];
	fail_msg("op %02X has no layout", op);
	return NULL;
}

static uint8_t *put_job(const struct job *j)
{
	const struct layout *l = layout_of(j->op);
	uint8_t *b;

	for (int i = 0; i < 3; i++)
		if (l->dims[i] && j->w[i].reg >= 0)
			mov(j->engine, (uint8_t)j->w[i].reg, address(&j->w[i]));
	for (int i = 0; i < 2; i++)
		if (j->kind[i] == 2)
			mov(j->engine, (uint8_t)j->s[i].reg, address(&j->s[i]));
	b = emit(j->engine, j->op);
	for (int i = 0; i < 3; i++)
		if (l->dims[i])
			put_pattern(b, l->off[i], l->dims[i], &j->w[i]);
	if (j->op == 0x7E)
		put32(b, 0x0C, j->base);
	put_control(b, j);
	return b;
}

#endif
