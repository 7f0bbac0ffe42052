/* SPDX-License-Identifier: Apache-2.0
 *
 * What a vector bundle does, channel by channel and element by element; see
 * conform_oracle.h.
 *
 * Facts: docs/reference/vector.md, tables of "X0" and "X1".
 */
#include "harness/conform_job.h"

#include <string.h>

/* ------------------------------------------------------------------ *
 * One result an element.                                             *
 * ------------------------------------------------------------------ */

static bool is_word(uint8_t tag)
{
	return tag == TPB_DTYPE_INT32 || tag == TPB_DTYPE_UINT32;
}

static uint32_t widen(const struct conform_machine *m, const struct job_walk *w,
                      uint32_t x)
{
	return conform_widen(w->tag, x, m->fp8);
}

static uint32_t narrow(const struct conform_machine *m,
                       const struct job_walk *w, uint32_t x)
{
	return conform_narrow(w->tag, x, m->fp8);
}

/* Through fp32, unless the dtype stays. */
static uint32_t cast(const struct conform_machine *m,
                     const struct job_walk *from, const struct job_walk *to,
                     uint32_t x)
{
	return from->tag == to->tag ? x : narrow(m, to, widen(m, from, x));
}

static uint32_t two(uint8_t op, uint32_t a, uint32_t b, bool swap)
{
	return swap ? conform_fp(op, b, a) : conform_fp(op, a, b);
}

static uint32_t two_bits(uint8_t op, uint32_t a, uint32_t b, bool swap, int w)
{
	return swap ? conform_bits(op, b, a, w) : conform_bits(op, a, b, w);
}

static uint32_t tensor_tensor(struct conform_machine *m, const struct job *j,
                              uint32_t x, uint32_t y)
{
	uint8_t op = j->b[0x0E];

	if (j->op == TPB_OP_TT_BITVEC)
		return conform_bits(op, x, y, 8 * j->src.size);
	if (is_word(j->src.tag) && is_word(j->src1.tag) &&
	    is_word(j->dst.tag) && conform_has_int(op))
		return conform_int(op, x, y, j->src.tag, j->dst.tag, &m->flags);
	x = widen(m, &j->src, x);
	y = widen(m, &j->src1, y);
	return narrow(m, &j->dst, conform_fp(op, x, y));
}

static uint32_t tensor_scalar(struct conform_machine *m, const struct job *j,
                              uint32_t x, const uint32_t s[2])
{
	uint8_t op0 = j->b[0x24], op1 = j->b[0x25], rev = j->b[0x26];
	int w = 8 * j->src.size;

	if (j->op == TPB_OP_TS_BITVEC) {
		x = two_bits(op0, x, s[0], rev & 1, w);
		return two_bits(op1, x, s[1], rev & 2, w);
	}
	x = two(op0, widen(m, &j->src, x), s[0], rev & 1);
	return narrow(m, &j->dst, two(op1, x, s[1], rev & 2));
}

/* Iota: the index of element k, then to the dtype. */
static uint32_t iota(struct conform_machine *m, const struct job *j, int p,
                     uint32_t k)
{
	const uint8_t *b = j->b;
	uint32_t v = job_word(b, 0x0C) + (uint32_t)p * job_word(b, 0x24);
	float x;
	uint32_t bits;

	for (int d = 0; d < 4; d++) {
		uint32_t count = conform_get(b + 0x18 + 2 * d, 2);
		int32_t step = (int16_t)conform_get(b + 0x10 + 2 * d, 2);

		v += (uint32_t)step * (k % count);
		k /= count;
	}
	if (is_word(j->dst.tag))
		return v;
	x = (float)(int32_t)v;
	memcpy(&bits, &x, sizeof(bits));
	return narrow(m, &j->dst, bits);
}

/* The result of element k; false: none is written. */
static bool result(struct conform_machine *m, const struct job *j, int p,
                   uint32_t k, const uint32_t s[2], uint32_t *r)
{
	uint32_t x = j->src.on ? job_fetch(m, &j->src, p, k) : 0;
	uint32_t y = j->src1.on ? job_fetch(m, &j->src1, p, k) : 0;

	switch (j->op) {
	case TPB_OP_TT_ARITH:
	case TPB_OP_TT_BITVEC: *r = tensor_tensor(m, j, x, y); return true;
	case TPB_OP_TS_ARITH:
	case TPB_OP_TS_BITVEC: *r = tensor_scalar(m, j, x, s); return true;
	case TPB_OP_COPY: *r = x; return true;
	case TPB_OP_CAST: *r = cast(m, &j->src, &j->dst, x); return true;
	case TPB_OP_RECIPROCAL:
		x = conform_fp(TPB_ALU_DIVIDE, 0x3F800000,
		               widen(m, &j->src, x));
		*r = narrow(m, &j->dst, x);
		return true;
	case TPB_OP_MEMSET: *r = job_word(j->b, 0x28); return true;
	case TPB_OP_IOTA: *r = iota(m, j, p, k); return true;
	case TPB_OP_COPY_PRED: *r = y; return x != 0;
	case TPB_OP_CAST_PRED:
		*r = cast(m, &j->src1, &j->dst, y);
		return x != 0;
	default: /* CopyPredicatedScalar */
		*r = s[0];
		return (x != 0) == (j->b[0x21] == 1);
	}
}

static void elements(struct conform_machine *m, const struct job *j, int p)
{
	uint32_t s[2] = {job_scalar(m, j, 0, p), job_scalar(m, j, 1, p)}, r;

	for (uint32_t k = 0; k < j->dst.n; k++)
		if (result(m, j, p, k, s, &r))
			job_store(m, &j->dst, p, k, r);
}

/* ------------------------------------------------------------------ *
 * Folds.                                                             *
 * ------------------------------------------------------------------ */

static uint32_t flip(uint32_t x)
{
	return conform_nan(x) ? CONFORM_NAN : x ^ 0x80000000;
}

/* TensorReduce of group g. */
static uint32_t reduce(struct conform_machine *m, const struct job *j, int p,
                       uint32_t g, uint32_t size)
{
	uint8_t op = j->b[0x24], in = j->src.tag, out = j->dst.tag;
	bool bits = j->op == TPB_OP_TR_BITVEC;
	bool words = !bits && is_word(in) && is_word(out);
	uint32_t acc = 0;

	for (uint32_t i = 0; i < size; i++) {
		uint32_t x = job_fetch(m, &j->src, p, g * size + i);
		if (!bits && !words)
			x = widen(m, &j->src, x);
		if (i == 0)
			acc = x;
		else if (bits)
			acc = conform_bits(op, acc, x, 8 * j->src.size);
		else if (words)
			acc = conform_int(op, acc, x, in, out, &m->flags);
		else
			acc = conform_fp(op, acc, x);
	}
	if (j->b[0x23] && words)
		acc = conform_int(TPB_ALU_SUBTRACT, 0, acc, in, out, &m->flags);
	else if (j->b[0x23])
		acc = flip(acc);
	return bits || words ? acc : narrow(m, &j->dst, acc);
}

static void tensor_reduce(struct conform_machine *m, const struct job *j, int p)
{
	uint32_t size = j->src.n / j->dst.n;

	for (uint32_t g = 0; g < j->dst.n; g++)
		job_store(m, &j->dst, p, g, reduce(m, j, p, g, size));
}

static uint32_t identity(uint8_t op)
{
	switch (op) {
	case TPB_ALU_MULT: return 0x3F800000;
	case TPB_ALU_MAX: return 0xFF800000;
	case TPB_ALU_MIN: return 0x7F800000;
	default: return 0;
	}
}

/* 0x9A and 0xE6.  The element stands left of the running value. */
static void fold(struct conform_machine *m, const struct job *j, int p)
{
	uint8_t op0 = j->b[0x24], op1 = j->b[0x25], rev = j->b[0x26];
	uint32_t *acc = &m->acc[job_start(j->dst.addr) + (uint32_t)p];
	uint32_t s0 = job_scalar(m, j, 0, p), c = *acc;

	if (j->b[0x0C] == TPB_ACC_ZERO_ACC)
		c = identity(op1);
	if (j->b[0x0C] == TPB_ACC_LOAD_ACC)
		c = job_scalar(m, j, 1, p);
	for (uint32_t k = 0; k < j->src.n; k++) {
		uint32_t x = widen(m, &j->src, job_fetch(m, &j->src, p, k));
		uint32_t t = two(op0, x, s0, rev & 1);

		c = two(op1, t, c, rev & 2);
		if (j->op == TPB_OP_TS_CUMULATIVE)
			job_store(m, &j->dst, p, k, narrow(m, &j->dst, c));
		else if (j->dst.n == j->src.n)
			job_store(m, &j->dst, p, k, narrow(m, &j->dst, t));
	}
	if (j->op == TPB_OP_TS_REDUCE && j->dst.n != j->src.n)
		job_store(m, &j->dst, p, 0, narrow(m, &j->dst, c));
	*acc = c;
}

static void read_acc(struct conform_machine *m, const struct job *j, int p)
{
	uint32_t acc = m->acc[job_start(j->dst.addr) + (uint32_t)p];

	job_store(m, &j->dst, p, 0,
	          narrow(m, &j->dst, j->b[0x21] ? flip(acc) : acc));
}

/* ------------------------------------------------------------------ *
 * Search.                                                            *
 * ------------------------------------------------------------------ */

static void max8(struct conform_machine *m, const struct job *j, int p)
{
	uint32_t slot[8] = {0}, used = 0;

	for (uint32_t k = 0; k < j->src.n; k++) {
		uint32_t c = widen(m, &j->src, job_fetch(m, &j->src, p, k)), i;

		for (i = 0; i < used; i++)
			if (conform_greater(c, slot[i])) {
				uint32_t was = slot[i];
				slot[i] = c;
				c = was;
			}
		if (used < 8)
			slot[used++] = c;
	}
	for (uint32_t k = 0; k < 8; k++)
		job_store(m, &j->dst, p, k, narrow(m, &j->dst, slot[7 - k]));
}

static void match_load(struct conform_machine *m, const struct job *j, int p)
{
	uint32_t *slot = m->match[job_start(j->src.addr) + (uint32_t)p];

	for (uint32_t k = 0; k < 8; k++)
		slot[7 - k] = widen(m, &j->src, job_fetch(m, &j->src, p, k));
}

static void search(struct conform_machine *m, const struct job *j, int p)
{
	const uint32_t *slot = m->match[job_start(j->dst.addr) + (uint32_t)p];
	uint32_t index[8], by = narrow(m, &j->dst, job_word(j->b, 0x28));
	bool replaces = j->op == TPB_OP_MATCH_REPLACE8, hit[8] = {false};

	memset(index, 0xFF, sizeof(index));
	for (uint32_t k = 0; k < j->src.n; k++) {
		uint32_t raw = job_fetch(m, &j->src, p, k);
		uint32_t x = widen(m, &j->src, raw);
		int i = 0;

		while (i < 8 && (hit[i] || !conform_equal(slot[i], x)))
			i++;
		if (i < 8) {
			hit[i] = true;
			index[i] = k;
		}
		if (replaces)
			job_store(m, &j->dst, p, k, i < 8 ? by : raw);
	}
	for (uint32_t k = 0; k < 8 && !replaces; k++)
		job_store(m, &j->dst, p, k, index[k]);
}

/* ------------------------------------------------------------------ *
 * A bundle.                                                          *
 * ------------------------------------------------------------------ */

static void channel(struct conform_machine *m, const struct job *j, int p)
{
	switch (j->op) {
	case TPB_OP_TR_ARITH:
	case TPB_OP_TR_BITVEC: tensor_reduce(m, j, p); break;
	case TPB_OP_TS_REDUCE:
	case TPB_OP_TS_CUMULATIVE: fold(m, j, p); break;
	case TPB_OP_READ_ACC: read_acc(m, j, p); break;
	case TPB_OP_MAX8: max8(m, j, p); break;
	case TPB_OP_MATCH_LOAD: match_load(m, j, p); break;
	case TPB_OP_FIND_INDEX8:
	case TPB_OP_MATCH_REPLACE8: search(m, j, p); break;
	default: elements(m, j, p); break;
	}
}

void conform_execute(struct conform_machine *m, const uint8_t *bundle)
{
	struct job j;

	if (bundle[0] == TPB_OP_REGISTER_MOVE) {
		for (int i = 0; i < bundle[0x0C]; i++)
			m->rf[bundle[0x18 + i]] =
			    job_word(bundle, 0x20 + 4 * i);
		return;
	}
	j = job_take(m, bundle);
	for (int p = 0; p < j.ch; p++)
		channel(m, &j, p);
}

uint32_t conform_beats(const uint8_t *bundle, uint32_t lanes)
{
	static const struct conform_machine nothing;
	struct job j;
	uint32_t passes, beats;

	if (bundle[0] == TPB_OP_REGISTER_MOVE || bundle[0] == TPB_OP_EXIT)
		return 0;
	j = job_take(&nothing, bundle);
	passes = ((uint32_t)j.ch + lanes - 1) / lanes;
	beats = j.src.on ? j.src.n : j.dst.n;
	if (j.op == TPB_OP_MAX8 || j.op == TPB_OP_FIND_INDEX8)
		beats += 8;
	if (j.kind[0] != TPB_IMM_INLINE || j.kind[1] != TPB_IMM_INLINE)
		beats++;
	return passes * beats;
}
