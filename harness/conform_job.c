/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a vector bundle has its operands, and where their elements are.
 *
 * Facts: docs/reference/vector.md, "Operands".
 */
#include "harness/conform_job.h"

/* ------------------------------------------------------------------ *
 * Memory.                                                            *
 * ------------------------------------------------------------------ */

uint32_t conform_get(const uint8_t *p, int size)
{
	uint32_t v = 0;

	for (int i = 0; i < size; i++)
		v |= (uint32_t)p[i] << (8 * i);
	return v;
}

void conform_put(uint8_t *p, int size, uint32_t v)
{
	for (int i = 0; i < size; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static bool is_psum(uint32_t addr)
{
	return addr >= CONFORM_PSUM;
}

/* Start partition of an operand. */
uint32_t job_start(uint32_t addr)
{
	return is_psum(addr) ? (addr - CONFORM_PSUM) >> 15 : addr >> 18;
}

uint8_t *conform_at(struct conform_machine *m, uint32_t addr, int partition)
{
	uint32_t p = job_start(addr) + (uint32_t)partition;

	if (is_psum(addr))
		return m->psum + p * CONFORM_PSUM_BYTES + (addr & 0x7FFF);
	return m->sbuf + (size_t)p * m->part_bytes + (addr & 0x3FFFF);
}

/* Element k of channel p. */
static uint8_t *element(struct conform_machine *m, const struct job_walk *w,
                        int p, uint32_t k)
{
	int64_t offset = 0;

	for (int d = 0; d < w->dims; d++) {
		offset += (int64_t)w->step[d] * (k % w->count[d]);
		k /= w->count[d];
	}
	return conform_at(m, w->addr, p) + offset * w->size;
}

uint32_t job_fetch(struct conform_machine *m, const struct job_walk *w, int p,
                   uint32_t k)
{
	return conform_get(element(m, w, p, k), w->size);
}

void job_store(struct conform_machine *m, const struct job_walk *w, int p,
               uint32_t k, uint32_t v)
{
	conform_put(element(m, w, p, k), w->size, v);
}

/* ------------------------------------------------------------------ *
 * Taking a bundle apart.                                             *
 * ------------------------------------------------------------------ */

uint32_t job_word(const uint8_t *b, int off)
{
	return conform_get(b + off, 4);
}

static struct job_walk pattern(const struct conform_machine *m,
                               const uint8_t *b, int off, int dims, uint8_t tag)
{
	struct job_walk w = {.on = true, .tag = tag, .dims = dims, .n = 1};

	w.size = isa_dtype_size(tag);
	w.addr = job_word(b, off);
	if (w.addr >> 31)
		w.addr = m->rf[w.addr & 0xFF];
	for (int d = 0; d < dims; d++) {
		w.step[d] = (int16_t)conform_get(b + off + 4 + 2 * d, 2);
		w.count[d] = conform_get(b + off + 4 + 2 * (dims + d), 2);
		w.n *= w.count[d];
	}
	return w;
}

static void scalars(struct job *j, int kind0, int word0, int kind1, int word1)
{
	j->kind[0] = j->b[kind0];
	j->word[0] = job_word(j->b, word0);
	j->kind[1] = kind1 ? j->b[kind1] : 0;
	j->word[1] = word1 ? job_word(j->b, word1) : 0;
	j->scalar_size = 4;
}

static void take_pairs(struct job *j, const struct conform_machine *m)
{
	const uint8_t *b = j->b;

	j->ch = b[0x0F];
	j->src = pattern(m, b, 0x10, 3, b[0x0C] & 15);
	j->src1 = pattern(m, b, 0x20, 3, b[0x0C] >> 4);
	j->dst = pattern(m, b, 0x30, 3, b[0x0D]);
}

static void take_scalars(struct job *j, const struct conform_machine *m)
{
	const uint8_t *b = j->b;

	j->src = pattern(m, b, 0x10, 3, b[0x20]);
	j->dst = pattern(m, b, 0x30, 3, b[0x21]);
	scalars(j, 0x23, 0x28, 0x27, 0x2C);
	if (j->op == TPB_OP_TS_BITVEC)
		j->scalar_size = j->src.size;
}

struct job job_take(const struct conform_machine *m, const uint8_t *b)
{
	struct job j = {.b = b, .op = b[0], .ch = b[0x22]};

	switch (j.op) {
	case TPB_OP_TT_ARITH:
	case TPB_OP_TT_BITVEC:
	case TPB_OP_COPY_PRED:
	case TPB_OP_CAST_PRED: take_pairs(&j, m); break;
	case TPB_OP_TS_ARITH:
	case TPB_OP_TS_BITVEC:
	case TPB_OP_TS_REDUCE:
	case TPB_OP_TS_CUMULATIVE: take_scalars(&j, m); break;
	case TPB_OP_COPY_PRED_SCALAR:
		j.src = pattern(m, b, 0x10, 3, b[0x20]);
		j.dst = pattern(m, b, 0x30, 3, b[0x2A]);
		scalars(&j, 0x2B, 0x2C, 0, 0);
		j.scalar_size = isa_dtype_size(b[0x29]);
		break;
	case TPB_OP_MEMSET: j.dst = pattern(m, b, 0x2C, 4, b[0x20]); break;
	case TPB_OP_READ_ACC: j.dst = pattern(m, b, 0x2C, 1, b[0x20]); break;
	case TPB_OP_MATCH_LOAD: j.src = pattern(m, b, 0x10, 2, b[0x20]); break;
	case TPB_OP_MAX8:
	case TPB_OP_FIND_INDEX8:
		j.src = pattern(m, b, 0x0C, 4, b[0x20]);
		j.dst = pattern(m, b, 0x30, 2, b[0x21]);
		break;
	case TPB_OP_IOTA: j.dst = pattern(m, b, 0x2C, 4, b[0x21]); break;
	default: /* Copy, Cast, Reciprocal, reduce, replace */
		j.src = pattern(m, b, 0x0C, 4, b[0x20]);
		j.dst = pattern(m, b, 0x2C, 4, b[0x21]);
		break;
	}
	return j;
}

/* Scalar i of channel p. */
uint32_t job_scalar(struct conform_machine *m, const struct job *j, int i,
                    int p)
{
	uint32_t addr = j->word[i];

	if (j->kind[i] == TPB_IMM_INLINE)
		return j->word[i];
	if (j->kind[i] == TPB_IMM_REG)
		addr = m->rf[addr];
	return conform_get(conform_at(m, addr, p), j->scalar_size);
}
