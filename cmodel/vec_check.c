/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of a vector bundle's addresses, and its grant.
 *
 * A bundle is checked while it waits, a walk a cycle, then the scalars.  The
 * extremes of a pattern are known from its counts and steps, so that one
 * comparison at each end covers all elements.  Facts:
 * docs/reference/vector.md, "Check and grant".
 */
#include "cmodel/vec.h"

#define VEC_PSUM_BASE 0x2000000u
#define VEC_PSUM_SIZE 0x400000u
#define VEC_PSUM_BYTES 16384 /* backed, of a partition */
#define VEC_SBUF_SIZE 0x2000000u
#define VEC_ADDRESS 0x1FFFFFFFu /* 29 bits */

#define VEC_MISALIGNED 1u
#define VEC_BAD_ADDR 2u

/* An address as the bundle gives it in this cycle. */
struct vec_address {
	uint32_t addr; /* 29 bits */
	uint8_t bad;   /* malformed */
};

static uint32_t vec_register(const struct tpb_engine_state *g, uint32_t word)
{
	return g->rf[word & (TPB_REGS - 1)];
}

static struct vec_address vec_from_register(uint32_t value)
{
	return (struct vec_address){value & VEC_ADDRESS,
	                            value >> 29 ? VEC_BAD_ADDR : 0};
}

static struct vec_address vec_address(const struct tpb_engine_state *g,
                                      uint32_t word)
{
	struct vec_address a;

	if (!(word >> 31))
		return (struct vec_address){word & VEC_ADDRESS,
		                            word >> 29 ? VEC_BAD_ADDR : 0};
	a = vec_from_register(vec_register(g, word));
	if (word & 0x7FFFFF00)
		a.bad = VEC_BAD_ADDR;
	return a;
}

static bool vec_in_psum(uint32_t addr)
{
	return ((addr - VEC_PSUM_BASE) & VEC_ADDRESS) < VEC_PSUM_SIZE;
}

static struct vec_place vec_place(uint32_t addr)
{
	if (vec_in_psum(addr))
		return (struct vec_place){true, (int)(addr >> 15 & 127),
		                          addr & 0x7FFF};
	return (struct vec_place){false, (int)(addr >> 18 & 127),
	                          addr & 0x3FFFF};
}

/* n channels may start at this partition. */
static bool vec_may_start(int n, int partition)
{
	int quadrants = (n + 31) / 32;

	if (quadrants <= 1)
		return partition % 32 == 0;
	return quadrants == 2 ? partition % 64 == 0 : partition == 0;
}

/* Verdict of the bytes [lowest, highest] beside an address. */
static unsigned vec_bounds(const struct tpb *t, const struct vec_op *op,
                           uint32_t addr, int64_t lowest, int64_t highest)
{
	struct vec_place at = vec_place(addr);
	int64_t backed =
	    at.psum ? VEC_PSUM_BYTES : (int64_t)t->cfg.sbuf_part_bytes;
	bool bad = !at.psum && addr >= VEC_SBUF_SIZE;

	bad |= !vec_may_start(op->n, at.partition);
	bad |= at.byte + lowest < 0 || at.byte + highest >= backed;
	return bad ? VEC_BAD_ADDR : 0;
}

static unsigned vec_check_walk(struct tpb *t, int e, int i)
{
	int u = e == TPB_ENGINE_DVE;
	const struct tpb_engine_state *g = &t->s.engine[e];
	struct tpb_vec_state *v = &t->s.vec[u];
	const struct vec_op *op = &t->unit[u].op;
	const struct vec_walk *w = &op->walk[i];
	struct vec_address a;
	unsigned bad;

	if (!w->there)
		return 0;
	if (i != VEC_DST && !w->reads) { /* a generator */
		v->vbase[i] = w->word & VEC_ADDRESS;
		return 0;
	}
	a = vec_address(g, w->word);
	v->vbase[i] = a.addr;
	bad = a.bad |
	      vec_bounds(t, op, a.addr, w->lowest, w->highest + w->size - 1);
	if (vec_in_psum(a.addr)) {
		if (e == TPB_ENGINE_POOL || (i == VEC_DST && w->size != 4))
			bad |= VEC_BAD_ADDR;
		if (i == 1 && vec_in_psum(v->vbase[0]))
			bad |= VEC_BAD_ADDR;
	} else if (i == 1 && !vec_in_psum(v->vbase[0]) &&
	           (a.addr ^ v->vbase[0]) >> 18 & 127) {
		bad |= VEC_BAD_ADDR;
	}
	return bad | (a.addr & (w->size - 1u) ? VEC_MISALIGNED : 0);
}

static unsigned vec_check_scalar(struct tpb *t, int e, int i)
{
	int u = e == TPB_ENGINE_DVE;
	const struct tpb_engine_state *g = &t->s.engine[e];
	const struct vec_op *op = &t->unit[u].op;
	const struct vec_scalar *s = &op->scalar[i];
	struct vec_address a;
	unsigned bad;

	if (s->kind == TPB_IMM_INLINE)
		return 0;
	a = s->kind == TPB_IMM_POINTER
	        ? vec_address(g, s->word)
	        : vec_from_register(vec_register(g, s->word));
	t->s.vec[u].vbase[3 + i] = a.addr;
	bad = a.bad | vec_bounds(t, op, a.addr, 0, s->size - 1);
	if (vec_in_psum(a.addr) && e == TPB_ENGINE_POOL)
		bad |= VEC_BAD_ADDR;
	return bad | (a.addr & (s->size - 1u) ? VEC_MISALIGNED : 0);
}

static unsigned vec_check_scalars(struct tpb *t, int e)
{
	return vec_check_scalar(t, e, 0) | vec_check_scalar(t, e, 1);
}

bool vec_check(struct tpb *t, int e)
{
	int u = e == TPB_ENGINE_DVE;
	struct tpb_vec_state *v = &t->s.vec[u];

	if (v->vchk == 0)
		vec_operands(&t->s.engine[e], &t->unit[u].op);
	if (v->vchk >= VEC_WALKS) {
		vec_check_scalars(t, e); /* writes its bases each cycle */
		return true;
	}
	v->vbad |= (uint8_t)vec_check_walk(t, e, v->vchk);
	v->vchk++;
	return false;
}

/* ------------------------------------------------------------------ *
 * Grant.                                                             *
 * ------------------------------------------------------------------ */

static void vec_begin_walk(struct tpb_vec_state *v, struct vec_walk *w, int i)
{
	uint32_t start;

	if (!w->there)
		return;
	w->start = vec_place(v->vbase[i]);
	start = i == VEC_DST || w->reads ? w->start.byte : w->word;
	for (int d = 0; d < VEC_DIMS; d++)
		v->vb[VEC_DIMS * i + d] = start;
}

static void vec_begin_scalar(struct vec_unit *unit, struct tpb_vec_state *v,
                             int i)
{
	struct vec_scalar *s = &unit->op.scalar[i];

	if (s->kind != TPB_IMM_INLINE)
		s->place = vec_place(v->vbase[3 + i]);
	for (int j = 0; j < TPB_LANES; j++)
		unit->inlined[i][j] = s->word;
}

/* Walk w may read bytes that the bundle writes: the partitions of two operands
 * are the same or disjoint, so only equal starts meet. */
static bool vec_meets(const struct vec_op *op, int w)
{
	const struct vec_walk *src = &op->walk[w], *dst = &op->walk[VEC_DST];
	int64_t s = src->start.byte, d = dst->start.byte;

	return src->reads && dst->there && src->start.psum == dst->start.psum &&
	       src->start.partition == dst->start.partition &&
	       s + src->lowest < d + dst->highest + dst->size &&
	       d + dst->lowest < s + src->highest + src->size;
}

/* Elements of a group; decode refuses an empty destination. */
static uint32_t vec_group(const struct vec_op *op)
{
	uint64_t groups = op->walk[VEC_DST].total;

	return groups ? (uint32_t)(op->walk[0].total / groups) : 0;
}

int vec_grant(struct tpb *t, int e)
{
	int u = e == TPB_ENGINE_DVE;
	struct tpb_vec_state *v = &t->s.vec[u];
	struct vec_op *op = &t->unit[u].op;
	unsigned bad = v->vbad | vec_check_scalars(t, e);

	v->vchk = 0;
	v->vbad = 0;
	if (bad)
		return bad & VEC_MISALIGNED ? TPB_FAULT_MISALIGNED
		                            : TPB_FAULT_BAD_ADDR;
	t->s.engine[e].phase = TPB_PHASE_VEC;
	v->vpass = 0;
	v->vk = 0;
	v->vr = 0;
	v->ve = 0;
	if (op->grouped)
		v->vlen = vec_group(op);
	for (int i = 0; i < VEC_WALKS; i++)
		vec_begin_walk(v, &op->walk[i], i);
	for (int i = 0; i < VEC_DST; i++)
		op->walk[i].meets = vec_meets(op, i);
	for (int i = 0; i < VEC_WALKS * VEC_DIMS; i++)
		v->vi[i] = 0;
	vec_begin_scalar(&t->unit[u], v, 0);
	vec_begin_scalar(&t->unit[u], v, 1);
	v->vuop = vec_first_step(op);
	return TPB_FAULT_NONE;
}
