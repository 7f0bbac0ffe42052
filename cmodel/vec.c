/* SPDX-License-Identifier: Apache-2.0
 *
 * Beats and pipeline of the vector units.
 *
 * A cycle of a busy unit has four parts, in the order in which memory.c calls
 * them: what it asks for (writes first, then reads, which depend on stalls),
 * its reads, and, after the reads of all clients, its write and the shift of
 * its pipeline.  So every read sees the arrays as they were at the start of
 * the cycle.  Facts: docs/reference/vector.md, "Beats" and "Pipeline".
 */
#include "cmodel/vec.h"

#define VEC_SBUF_BASE (1ull << 36)
#define VEC_PSUM_BASE (VEC_SBUF_BASE + 0x2000000)

/* ------------------------------------------------------------------ *
 * Hazards.                                                           *
 * ------------------------------------------------------------------ */

/* A beat in flight that will write. */
struct vec_flight {
	uint8_t pass;
	uint32_t addr;
};

static int vec_flights(const struct tpb_vec_state *v, struct vec_flight f[3])
{
	int n = 0;

	if (v->vx0_valid && v->vx0_emit)
		f[n++] = (struct vec_flight){v->vx0_pass, v->vx0_addr};
	if (v->vx1_valid && v->vx1_emit)
		f[n++] = (struct vec_flight){v->vx1_pass, v->vx1_addr};
	if (v->vw_valid)
		f[n++] = (struct vec_flight){v->vw_pass, v->vw_addr};
	return n;
}

/* Element of walk w waits for one of the writes in flight. */
static bool vec_waits(const struct tpb_vec_state *v, const struct vec_op *op,
                      int w, const struct vec_flight *f, int nf)
{
	const struct vec_walk *src = &op->walk[w], *dst = &op->walk[VEC_DST];
	uint32_t b = v->vb[VEC_DIMS * w];

	for (int i = 0; i < nf && src->meets; i++)
		if (f[i].pass == v->vpass && f[i].addr < b + src->size &&
		    b < f[i].addr + dst->size)
			return true;
	return false;
}

static bool vec_hazard(const struct tpb_vec_state *v, const struct vec_op *op)
{
	struct vec_flight f[3];
	int nf;

	if (!op->walk[0].meets && !op->walk[1].meets)
		return false;
	nf = vec_flights(v, f);
	return vec_waits(v, op, 0, f, nf) || vec_waits(v, op, 1, f, nf);
}

/* ------------------------------------------------------------------ *
 * Asking.                                                            *
 * ------------------------------------------------------------------ */

void vec_ask_write(const struct tpb *t, struct ports *p, unsigned busy)
{
	for (; busy != 0; busy &= busy - 1) {
		int u = cycle_first(busy);
		const struct vec_walk *dst = &t->unit[u].op.walk[VEC_DST];

		p->unit[u].write = t->s.vec[u].vw_valid;
		p->unit[u].write_psum = dst->start.psum;
	}
}

static void vec_want(struct ports_unit *q, const struct vec_place *at, int port)
{
	q->want[at->psum] |= (uint8_t)(1u << port);
}

static void vec_ask_beat(const struct tpb *t, struct ports_unit *q, int u)
{
	const struct vec_op *op = &t->unit[u].op;
	const struct tpb_vec_state *v = &t->s.vec[u];

	switch (v->vuop) {
	case TPB_VUOP_SCAL:
		q->beat = true;
		for (int i = 0; i < 2; i++)
			if (op->scalar[i].kind != TPB_IMM_INLINE)
				vec_want(q, &op->scalar[i].place, i);
		break;
	case TPB_VUOP_ELEM:
		if (vec_hazard(v, op))
			break;
		q->beat = true;
		for (int w = 0; w < VEC_DST; w++)
			if (op->walk[w].reads)
				vec_want(q, &op->walk[w].start, w);
		break;
	case TPB_VUOP_EMIT: q->beat = true; break;
	default: break;
	}
}

void vec_ask_read(const struct tpb *t, struct ports *p, unsigned busy)
{
	for (; busy != 0; busy &= busy - 1) {
		int u = cycle_first(busy);

		if (!p->unit[u].stalled)
			vec_ask_beat(t, &p->unit[u], u);
	}
}

/* ------------------------------------------------------------------ *
 * Rows.                                                              *
 * ------------------------------------------------------------------ */

static void vec_read_row(struct tpb *t, const struct vec_place *at,
                         unsigned pass, uint32_t byte, uint8_t size, int n,
                         uint32_t *out)
{
	const uint64_t *row = memory_row(
	    t, at->psum, at->partition + (int)pass * TPB_LANES, byte);
	unsigned shift = 8 * (byte & 7);

	if (size == 4) {
		for (int j = 0; j < n; j++)
			out[j] = (uint32_t)(row[j] >> shift);
		return;
	}
	uint32_t mask = size == 2 ? 0xFFFF : 0xFF;

	for (int j = 0; j < n; j++)
		out[j] = (uint32_t)(row[j] >> shift) & mask;
}

/* Lanes outside vw_en keep their bytes. */
static void vec_write_lanes(const struct tpb_vec_state *v, uint64_t *row, int n,
                            uint8_t size)
{
	unsigned shift = 8 * (v->vw_addr & 7);
	/* A planted fault may have left any size. */
	uint64_t mask = ~(UINT64_MAX << 8 * (size & 7)) << shift;
	bool all = true;

	for (int k = 0; k < 4 && 32 * k < n; k++) {
		int left = n - 32 * k;
		uint32_t full = left >= 32 ? UINT32_MAX : (1u << left) - 1;

		all &= v->vw_en[k] == full;
	}
	if (all) {
		for (int j = 0; j < n; j++)
			row[j] = (row[j] & ~mask) | (uint64_t)v->vw_data[j]
			                                << shift;
		return;
	}
	for (int j = 0; j < n; j++)
		if (v->vw_en[j >> 5] >> (j & 31) & 1)
			row[j] = (row[j] & ~mask) | (uint64_t)v->vw_data[j]
			                                << shift;
}

static void vec_write(struct tpb *t, int u)
{
	const struct tpb_vec_state *v = &t->s.vec[u];
	const struct vec_op *op = &t->unit[u].op;
	const struct vec_walk *dst = &op->walk[VEC_DST];
	int partition = dst->start.partition + v->vw_pass * TPB_LANES;
	int n = vec_lanes(op, v->vw_pass);
	struct tpb_row_write *log = &t->row[u];

	vec_write_lanes(v,
	                memory_row(t, dst->start.psum, partition, v->vw_addr),
	                n, dst->size);
	log->valid = true;
	log->addr = dst->start.psum
	                ? VEC_PSUM_BASE + ((uint64_t)partition << 15)
	                : VEC_SBUF_BASE + ((uint64_t)partition << 18);
	log->addr += v->vw_addr;
	log->size = dst->size;
	memcpy(log->en, v->vw_en, sizeof(log->en));
	for (int j = 0; j < n; j++)
		log->data[j] = v->vw_data[j];
}

void vec_read(struct tpb *t, const struct ports *p, unsigned busy)
{
	for (; busy != 0; busy &= busy - 1) {
		int u = cycle_first(busy);
		struct vec_unit *unit = &t->unit[u];
		const struct vec_op *op = &unit->op;
		const struct tpb_vec_state *v = &t->s.vec[u];
		int n = vec_lanes(op, v->vpass);

		if (!p->unit[u].issued)
			continue;
		for (int i = 0; i < 2; i++) {
			const struct vec_scalar *s = &op->scalar[i];
			const struct vec_walk *w = &op->walk[i];
			uint32_t *out = unit->raw[!unit->front][i];

			if (v->vuop == TPB_VUOP_SCAL) {
				if (s->kind != TPB_IMM_INLINE)
					vec_read_row(t, &s->place, v->vpass,
					             s->place.byte, s->size, n,
					             out);
			} else if (v->vuop == TPB_VUOP_ELEM && w->reads) {
				vec_read_row(t, &w->start, v->vpass,
				             v->vb[VEC_DIMS * i], w->size, n,
				             out);
			}
		}
	}
}

/* ------------------------------------------------------------------ *
 * Walks.                                                             *
 * ------------------------------------------------------------------ */

static bool vec_at_end(const struct tpb_vec_state *v, const struct vec_op *op,
                       int w)
{
	const uint16_t *i = &v->vi[VEC_DIMS * w];
	const uint16_t *count = op->walk[w].count;

	return i[0] + 1 >= count[0] && i[1] + 1 >= count[1] &&
	       i[2] + 1 >= count[2] && i[3] + 1 >= count[3];
}

static void vec_step_walk(struct tpb_vec_state *v, const struct vec_op *op,
                          int w)
{
	uint16_t *i = &v->vi[VEC_DIMS * w];
	uint32_t *b = &v->vb[VEC_DIMS * w];
	const struct vec_walk *walk = &op->walk[w];

	if (!walk->there)
		return;
	for (int d = 0; d < VEC_DIMS; d++) {
		if (i[d] + 1 >= walk->count[d])
			continue;
		i[d]++;
		b[d] += (uint32_t)walk->step[d];
		while (d-- > 0) {
			i[d] = 0;
			b[d] = b[d + 1];
		}
		return;
	}
}

static void vec_rewind_walk(struct tpb_vec_state *v, const struct vec_op *op,
                            int w)
{
	const struct vec_walk *walk = &op->walk[w];

	if (!walk->there)
		return;
	for (int d = 0; d < VEC_DIMS; d++) {
		v->vi[VEC_DIMS * w + d] = 0;
		v->vb[VEC_DIMS * w + d] =
		    w == VEC_DST || walk->reads ? walk->start.byte : walk->word;
	}
}

/* ------------------------------------------------------------------ *
 * The issue stage.                                                   *
 * ------------------------------------------------------------------ */

void vec_end_of_pass(struct tpb_vec_state *v, const struct vec_op *op)
{
	if ((v->vpass + 1) * TPB_LANES >= op->n) {
		v->vuop = TPB_VUOP_DRAIN;
		return;
	}
	v->vpass = (v->vpass + 1) & 15;
	v->vuop = vec_first_step(op);
}

/* Does the element at the issue stage write? */
static bool vec_emits(const struct vec_op *op, bool last)
{
	if (op->results || !op->walk[VEC_DST].there)
		return false;
	return op->grouped || op->sparse ? last : true;
}

static void vec_issue_scalars(struct tpb_vec_state *v, const struct vec_op *op)
{
	v->vx0_kind = TPB_VBEAT_SCAL;
	v->vx0_first = 0;
	v->vx0_last = 0;
	v->vx0_emit = 0;
	if (op->scalar[0].kind != TPB_IMM_INLINE)
		v->vx0_off0 = op->scalar[0].place.byte & 7;
	if (op->scalar[1].kind != TPB_IMM_INLINE)
		v->vx0_off1 = op->scalar[1].place.byte & 7;
	v->vuop = TPB_VUOP_ELEM;
}

/* What the element of this cycle is. */
static void vec_issue_element(struct tpb_vec_state *v, const struct vec_op *op,
                              bool end)
{
	v->vx0_kind = TPB_VBEAT_ELEM;
	v->vx0_first = op->grouped ? v->vr == 0 : v->vk == 0;
	v->vx0_last = op->grouped ? v->vr + 1 == v->vlen : end;
	v->vx0_emit = vec_emits(op, v->vx0_last);
	v->vx0_idx = v->vk;
	if (op->walk[0].reads)
		v->vx0_off0 = v->vb[0] & 7;
	else if (op->walk[0].there)
		v->vx0_gen = v->vb[0];
	if (op->walk[1].reads)
		v->vx0_off1 = v->vb[VEC_DIMS] & 7;
	if (v->vx0_emit)
		v->vx0_addr = v->vb[VEC_DIMS * VEC_DST] & 0x3FFFF;
}

/* What the next one is. */
static void vec_next_element(struct tpb_vec_state *v, const struct vec_op *op,
                             bool end)
{
	if (op->grouped)
		v->vr = v->vx0_last ? 0 : v->vr + 1;
	if (!end) {
		v->vk++;
		vec_step_walk(v, op, 0);
		vec_step_walk(v, op, 1);
		if (v->vx0_emit)
			vec_step_walk(v, op, VEC_DST);
		return;
	}
	v->vk = 0;
	vec_rewind_walk(v, op, 0);
	vec_rewind_walk(v, op, 1);
	if (op->results) {
		v->vuop = TPB_VUOP_EMIT;
		return;
	}
	vec_rewind_walk(v, op, VEC_DST);
	vec_end_of_pass(v, op);
}

static void vec_issue_result(struct tpb_vec_state *v, const struct vec_op *op)
{
	v->vx0_kind = TPB_VBEAT_EMIT;
	v->vx0_first = v->ve == 0;
	v->vx0_last = v->ve == 7;
	v->vx0_emit = 1;
	v->vx0_idx = v->ve;
	v->vx0_addr = v->vb[VEC_DIMS * VEC_DST] & 0x3FFFF;
	if (!v->vx0_last) {
		v->ve++;
		vec_step_walk(v, op, VEC_DST);
		return;
	}
	v->ve = 0;
	vec_rewind_walk(v, op, VEC_DST);
	vec_end_of_pass(v, op);
}

static void vec_issue(struct tpb *t, int u)
{
	struct tpb_vec_state *v = &t->s.vec[u];
	struct vec_unit *unit = &t->unit[u];
	const struct vec_op *op = &unit->op;
	bool end;

	unit->front = !unit->front;
	v->vx0_pass = v->vpass;
	switch (v->vuop) {
	case TPB_VUOP_SCAL: vec_issue_scalars(v, op); break;
	case TPB_VUOP_ELEM:
		end = vec_at_end(v, op, op->lead);
		vec_issue_element(v, op, end);
		vec_next_element(v, op, end);
		break;
	default: vec_issue_result(v, op); break;
	}
}

/* ------------------------------------------------------------------ *
 * The pipeline.                                                      *
 * ------------------------------------------------------------------ */

/* W takes over from X1; its own write is done. */
static void vec_shift_x1(struct tpb *t, int u)
{
	struct tpb_vec_state *v = &t->s.vec[u];

	v->vw_valid = v->vx1_valid & v->vx1_emit;
	if (v->vw_valid) {
		v->vw_pass = v->vx1_pass;
		v->vw_addr = v->vx1_addr;
	}
	if (v->vx1_valid)
		vec_x1(t, u);
}

static void vec_shift_x0(struct tpb *t, int u)
{
	struct tpb_vec_state *v = &t->s.vec[u];

	v->vx1_valid = v->vx0_valid && v->vx0_kind != TPB_VBEAT_SCAL;
	if (v->vx1_valid) {
		v->vx1_kind = v->vx0_kind;
		v->vx1_first = v->vx0_first;
		v->vx1_last = v->vx0_last;
		v->vx1_emit = v->vx0_emit;
		v->vx1_pass = v->vx0_pass;
		v->vx1_idx = v->vx0_idx;
		if (v->vx0_emit)
			v->vx1_addr = v->vx0_addr;
	}
	if (v->vx0_valid)
		vec_x0(t, u);
}

void vec_beat(struct tpb *t, int u)
{
	struct tpb_vec_state *v = &t->s.vec[u];
	struct ports p = {.narrow = {{0}}};

	p.unit[u].issued = true;
	vec_read(t, &p, 1u << u);
	vec_issue(t, u);
	v->vx0_valid = 1;
	vec_shift_x0(t, u);
	vec_shift_x1(t, u);
	if (v->vw_valid)
		vec_write(t, u);
	v->vx0_valid = 0;
	v->vx1_valid = 0;
	v->vw_valid = 0;
}

void vec_cycle(struct tpb *t, struct cycle *c, const struct ports *p,
               unsigned busy)
{
	for (; busy != 0; busy &= busy - 1) {
		int u = cycle_first(busy), e = vec_engine(u);
		struct tpb_vec_state *v = &t->s.vec[u];
		bool done =
		    v->vuop == TPB_VUOP_DRAIN && !v->vx0_valid && !v->vx1_valid;

		if (p->unit[u].stalled)
			continue;
		if (v->vw_valid)
			vec_write(t, u);
		vec_shift_x1(t, u);
		vec_shift_x0(t, u);
		v->vx0_valid = p->unit[u].issued;
		if (p->unit[u].issued)
			vec_issue(t, u);
		if (!done)
			continue;
		v->vuop = TPB_VUOP_IDLE;
		t->s.engine[e].phase = TPB_PHASE_ISSUE;
		seq_retire(t, c, e);
	}
}
