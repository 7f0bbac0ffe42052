/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage of the vector units at work: hazards, stalled writes, reads that
 * were not granted.
 *
 * Who asks shows in the state in which a cycle begins, who was granted in the
 * next one: an issued beat moves the issue stage, the write pointers name who
 * wrote, an answer on its way the narrow read.  Facts:
 * docs/reference/vector.md.
 */
#include "harness/coverage_vec.h"

enum { NARROW, POOL, DVE };

/* ------------------------------------------------------------------ *
 * Hazards.                                                           *
 * ------------------------------------------------------------------ */

static bool meets(uint32_t a, int na, uint32_t b, int nb)
{
	return a < b + (uint32_t)nb && b < a + (uint32_t)na;
}

/* Does a write at a byte of a pass hold back walk k of the next beat? */
static bool holds(const struct cover_vec *c, int k, uint32_t addr, int pass)
{
	const struct tpb_vec_state *v = c->v;
	uint32_t dst = v->vbase[2], src = v->vbase[k];

	return cover_psum(dst) == cover_psum(src) &&
	       cover_part(dst) + pass * TPB_LANES ==
	           cover_part(src) + v->vpass * TPB_LANES &&
	       meets(addr, isa_dtype_size(c->walk[2].tag), v->vb[4 * k],
	             isa_dtype_size(c->walk[k].tag));
}

/* Any hazard of the next beat; counted where cov is given. */
static bool hazard(struct coverage *cov, const struct cover_vec *c, int e)
{
	const struct tpb_vec_state *v = c->v;
	const struct {
		bool on;
		uint32_t addr;
		int pass;
	} stage[3] = {{v->vx0_valid && v->vx0_emit, v->vx0_addr, v->vx0_pass},
	              {v->vx1_valid && v->vx1_emit, v->vx1_addr, v->vx1_pass},
	              {v->vw_valid, v->vw_addr, v->vw_pass}};
	bool any = false;

	if (v->vuop != TPB_VUOP_ELEM)
		return false;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 2; k++) {
			if (!stage[i].on || !c->walk[k].memory ||
			    !holds(c, k, stage[i].addr, stage[i].pass))
				continue;
			any = true;
			coverage_hit(cov, COVER_VEC_HAZARD, e, i, k);
		}
	return any;
}

/* ------------------------------------------------------------------ *
 * Who asks.                                                          *
 * ------------------------------------------------------------------ */

/* Memories that the next beat reads, a bit each: SBUF, PSUM. */
static uint8_t reads(const struct cover_vec *c)
{
	const uint32_t *a = c->v->vbase;
	uint8_t m = 0;

	if (c->v->vuop == TPB_VUOP_ELEM)
		for (int k = 0; k < 2; k++)
			if (c->walk[k].memory)
				m |= cover_psum(a[k]) ? 2 : 1;
	if (c->v->vuop == TPB_VUOP_SCAL)
		for (int k = 0; k < 2; k++)
			if (cover_scalar(c, k) > TPB_IMM_INLINE)
				m |= cover_psum(a[3 + k]) ? 2 : 1;
	return m;
}

/* The narrow candidate of a memory is a load of an engine. */
static bool narrow_reads(const struct tpb_state *s, int memory)
{
	int first = memory ? s->psum_rr : s->sbuf_rr;

	/* The DMA unit could be it, or not: nothing is known then. */
	if (s->dm_state == TPB_MOVER_MOVE)
		return false;
	for (int i = 0; i < 6; i++) {
		int e = (first + i) % 6;
		engine_t *q;

		if (e == 5)
			continue;
		q = &s->engine[e];
		if (q->state == TPB_RUN_RUN && q->phase == TPB_PHASE_REQ &&
		    memory_of(q->lsu_base) == memory)
			return byte(q, 0) == TPB_OP_TENSOR_LOAD;
	}
	return false;
}

static void ask(struct coverage_watch *w, const struct tpb_state *s)
{
	struct coverage_ports *p = &w->ports;

	for (int u = 0; u < TPB_VECS; u++) {
		int e = u ? TPB_ENGINE_DVE : TPB_ENGINE_POOL;
		struct coverage_unit *t = &p->unit[u];
		struct cover_vec c;

		*t = (struct coverage_unit){.asks = 0};
		if (s->engine[e].phase != TPB_PHASE_VEC ||
		    !cover_vec_of(s, e, &c))
			continue;
		if (!hazard(w->cov, &c, e))
			t->asks = reads(&c);
		t->writes = c.v->vw_valid ? cover_psum(c.v->vbase[2]) + 1 : 0;
		t->full = c.v->vx0_valid;
		t->vk = c.v->vk;
		t->vpass = c.v->vpass;
		t->vuop = c.v->vuop;
		p->any = true;
	}
	for (int m = 0; m < 2 && p->any; m++)
		p->narrow[m] = narrow_reads(s, m);
}

/* ------------------------------------------------------------------ *
 * Who got what.                                                      *
 * ------------------------------------------------------------------ */

/* The unit's write was not granted. */
static bool lost_write(struct coverage_watch *w, const struct tpb_state *s,
                       int u)
{
	int who = u ? DVE : POOL, winner;

	switch (w->ports.unit[u].writes) {
	case 1:
		winner = (s->sbuf_w_rr + 2) % 3;
		if (winner == who)
			return false;
		coverage_hit(w->cov, COVER_VEC_WLOST,
		             u == 0 ? winner == DVE : 2 + (winner == POOL), 0,
		             0);
		return true;
	case 2:
		if (!s->psum_w_rr) /* the last one was DVE */
			return false;
		coverage_hit(w->cov, COVER_VEC_WLOST, 4, 0, 0);
		return true;
	default: return false;
	}
}

static void lost_reads(struct coverage_watch *w, const struct tpb_state *s,
                       const bool stalled[TPB_VECS], bool blocked)
{
	const struct coverage_ports *p = &w->ports;

	for (int u = 0; u < TPB_VECS; u++) {
		const struct coverage_unit *t = &p->unit[u];
		const struct tpb_vec_state *v = &s->vec[u];
		int who = u ? DVE : POOL;

		if (!t->asks || stalled[u] || v->vk != t->vk ||
		    v->vpass != t->vpass || v->vuop != t->vuop)
			continue;
		/* Asking both memories, either one may be the reason. */
		if (t->asks != 2)
			coverage_hit(w->cov, COVER_VEC_RSBUF, who, blocked, 0);
		if (t->asks != 1)
			coverage_hit(w->cov, COVER_VEC_RPSUM, who, blocked, 0);
	}
	if (p->narrow[0] && !s->sbuf_s1_valid)
		coverage_hit(w->cov, COVER_VEC_RSBUF, NARROW, blocked, 0);
	if (p->narrow[1] && !s->psum_s1_valid)
		coverage_hit(w->cov, COVER_VEC_RPSUM, NARROW, blocked, 0);
}

void coverage_units(struct coverage_watch *w, const struct tpb_state *s)
{
	bool stalled[TPB_VECS], blocked = false;

	if (w->ports.any) {
		for (int u = 0; u < TPB_VECS; u++) {
			stalled[u] = lost_write(w, s, u);
			blocked |= stalled[u] && w->ports.unit[u].full;
			if (stalled[u])
				coverage_hit(
				    w->cov, COVER_VEC_STALL,
				    u ? TPB_ENGINE_DVE : TPB_ENGINE_POOL, 0, 0);
		}
		lost_reads(w, s, stalled, blocked);
		w->ports.any = false;
	}
	if (s->engine[TPB_ENGINE_POOL].phase == TPB_PHASE_VEC ||
	    s->engine[TPB_ENGINE_DVE].phase == TPB_PHASE_VEC)
		ask(w, s);
}
