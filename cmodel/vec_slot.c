/* SPDX-License-Identifier: Apache-2.0
 *
 * The search slots of DVE: the eight largest, and the places of values.
 *
 * vslot holds eight words a lane; what they are depends on the op: values
 * for Max8, match values that turn into places for FindIndex8 and
 * MatchReplace8.  Facts: docs/reference/vector.md, "X1", and
 * docs/reference/numerics.md, "Max8, FindIndex8, MatchReplace8".
 */
#include "cmodel/vec.h"

#define VEC_DVE 1 /* the unit that has slots */

static int vec_partition(const struct tpb *t, const struct vec_walk *w, int j)
{
	int p = w->start.partition + t->s.vec[VEC_DVE].vx1_pass * TPB_LANES + j;

	return p % TPB_PARTITIONS;
}

void vec_max8(struct tpb *t, int n)
{
	const struct tpb_vec_state *v = &t->s.vec[VEC_DVE];

	for (int j = 0; j < n; j++) {
		uint32_t *slot = &t->s.dve.vslot[VEC_SLOTS * j];
		uint32_t c = v->vx1_t[j];
		uint32_t used = v->vx1_idx < VEC_SLOTS ? v->vx1_idx : VEC_SLOTS;

		for (uint32_t k = 0; k < used; k++) {
			uint32_t old = slot[k];
			bool more = vnum_float(c) > vnum_float(old);

			slot[k] = more ? c : old;
			c = more ? old : c;
		}
		if (used < VEC_SLOTS)
			slot[used] = c;
	}
}

void vec_match_load(struct tpb *t, const struct vec_op *op, int n)
{
	const struct tpb_vec_state *v = &t->s.vec[VEC_DVE];
	unsigned k = 7 - (v->vx1_idx & 7);

	for (int j = 0; j < n; j++) {
		uint32_t *slot = &t->s.dve.vslot[VEC_SLOTS * j];
		int p = vec_partition(t, &op->walk[0], j);

		slot[k] = v->vx1_t[j];
		if (!v->vx1_last)
			continue;
		memcpy(t->vmatch[p], slot, sizeof(t->vmatch[p]));
		t->s.dve.vmatch_ok[p >> 5] |= 1u << (p & 31);
	}
}

/* The first beat of a search takes the match slots of its partitions. */
static void vec_match_begin(struct tpb *t, const struct vec_op *op, int n)
{
	for (int j = 0; j < n; j++) {
		uint32_t *slot = &t->s.dve.vslot[VEC_SLOTS * j];
		int p = vec_partition(t, &op->walk[VEC_DST], j);
		bool ok = t->s.dve.vmatch_ok[p >> 5] >> (p & 31) & 1;

		for (int k = 0; k < VEC_SLOTS; k++)
			slot[k] = ok ? t->vmatch[p][k] : 0;
		t->s.dve.vhit[j] = 0;
	}
}

void vec_match(struct tpb *t, const struct vec_op *op, int n, uint32_t *hit)
{
	const struct tpb_vec_state *v = &t->s.vec[VEC_DVE];

	if (v->vx1_first)
		vec_match_begin(t, op, n);
	for (int j = 0; j < n; j++) {
		uint32_t *slot = &t->s.dve.vslot[VEC_SLOTS * j];
		float x = vnum_float(v->vx1_t[j]);
		unsigned equal = 0;

		for (unsigned k = 0; k < VEC_SLOTS; k++)
			equal |= (unsigned)(vnum_float(slot[k]) == x) << k;
		equal &= ~(unsigned)t->s.dve.vhit[j];
		hit[j] = equal != 0;
		if (equal == 0)
			continue;
		slot[__builtin_ctz(equal)] = v->vx1_idx;
		t->s.dve.vhit[j] |= (uint8_t)(equal & -equal);
	}
}

void vec_result(const struct tpb *t, const struct vec_op *op, int n,
                uint32_t *out)
{
	unsigned k = t->s.vec[VEC_DVE].vx1_idx & 7;

	for (int j = 0; j < n; j++) {
		const uint32_t *slot = &t->s.dve.vslot[VEC_SLOTS * j];

		if (op->code == TPB_OP_MAX8)
			out[j] = slot[7 - k];
		else
			out[j] =
			    t->s.dve.vhit[j] >> k & 1 ? slot[k] : UINT32_MAX;
	}
}
