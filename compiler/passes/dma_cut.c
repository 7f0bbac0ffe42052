/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting a copy into descriptors (dma_cut.h).
 *
 * A side is a run of contiguous elements and up to five axes around it, a
 * mixed-radix number that counts elements in stream order.  From any position
 * on, a descriptor can take the low axes whole and a few steps of the next
 * one.  Both sides cut the same stream on their own, so a piece is as long as
 * the shorter of the two offers; the lengths are brought together from above.
 *
 * Cost: linear in the pieces.
 */
#include "compiler/passes/dma_cut.h"

#define MAX_RUN 65536 /* bytes of a run */
#define MAX_NUM 65535 /* repeats of an axis */
#define MAX_AXIS 8
#define PIECE_AXES 3

struct side {
	const struct bir_arg *a;
	int64_t size; /* of an element */
	int n;        /* axes, [0] the run */
	struct bir_pair axis[MAX_AXIS];
};

/* Does an axis of the operand go from partition to partition?  One that stands
 * still (step 0) does not. */
static bool by_rows(const struct bir_arg *a, int64_t step)
{
	return bir_on_chip(a->loc) && step &&
	       step * bir_dtype_size(a->dtype) % a->loc->row_bytes == 0;
}

/* Axes from the innermost outwards, those of one step dropped, neighbours
 * that make one longer axis joined.  On chip the partition axis stays alone:
 * rows of different partitions are no neighbours in memory. */
static void open_side(const struct bir_arg *a, struct side *s)
{
	s->a = a;
	s->size = bir_dtype_size(a->dtype);
	s->n = 1;
	s->axis[0] = (struct bir_pair){1, 1};
	for (int d = a->npair - 1; d >= 0; d--) {
		struct bir_pair p = a->pair[d], *in = &s->axis[s->n - 1];
		bool rows = by_rows(a, p.step);

		if (p.num == 1)
			continue;
		if (!rows && in->num > 1 && p.step == in->step * in->num)
			in->num *= p.num;
		else if (!rows && s->n == 1 && in->num == 1 && p.step == 1)
			in->num = p.num;
		else if (s->n < MAX_AXIS)
			s->axis[s->n++] = p;
	}
	int64_t most = MAX_RUN / s->size, k;

	if (s->axis[0].num <= most || s->n == MAX_AXIS)
		return;
	/* a run too long for one descriptor becomes equal runs, if it can */
	for (k = most; k > most / 2 && s->axis[0].num % k; k--)
		;
	if (s->axis[0].num % k)
		return;
	for (int d = s->n++; d > 1; d--)
		s->axis[d] = s->axis[d - 1];
	s->axis[1] = (struct bir_pair){k, s->axis[0].num / k};
	s->axis[0].num = k;
}

/* The longest piece from element `at` on that has at most `len` elements;
 * its axes go to p, its first byte to *offset. */
static int64_t take(const struct side *s, int64_t at, int64_t len,
                    struct bir_pair p[PIECE_AXES], int64_t *offset)
{
	int64_t whole = 1, rest = at, got = 0;

	for (int k = 0; k < PIECE_AXES; k++)
		p[k] = (struct bir_pair){1, 1};
	*offset = s->a->offset;
	for (int d = 0; d < s->n; d++) {
		int64_t digit = rest % s->axis[d].num;
		int64_t left = s->axis[d].num - digit, num = len / whole;
		int64_t most = d == 0 ? MAX_RUN / s->size : MAX_NUM;

		rest /= s->axis[d].num;
		*offset += digit * s->axis[d].step * s->size;
		/* this axis can be the piece's last if all below are whole */
		if (d < PIECE_AXES && got == (d ? whole : 0) && num > 0 &&
		    (d == 0 || at % whole == 0)) {
			num = num < left ? num : left;
			num = num < most ? num : most;
			p[d] = (struct bir_pair){s->axis[d].step, num};
			got = whole * num;
		}
		whole *= s->axis[d].num;
	}
	return got;
}

/* Axes of one step are left out, but for the run; on chip the first pair is
 * the partition axis, of one row if the piece has no other. */
static struct bir_arg *piece_arg(struct bir_module *m, const struct side *s,
                                 const struct bir_pair p[PIECE_AXES],
                                 int64_t offset)
{
	struct bir_arg *a = bir_arg_copy(m, s->a);
	const struct bir_loc *l = a->loc;
	int n = 0;

	for (int k = PIECE_AXES - 1; k >= 0; k--) {
		if (n == 0 && bir_on_chip(l) && (p[k].num > 1 || k == 0) &&
		    (k == 0 || !by_rows(a, p[k].step)))
			a->pair[n++] =
			    (struct bir_pair){l->row_bytes / s->size, 1};
		if (p[k].num > 1 || k == 0)
			a->pair[n++] = p[k];
	}
	a->offset = offset;
	a->npair = n;
	return a;
}

int dma_cut(struct bir_module *m, struct arena *scratch,
            const struct bir_arg *src, const struct bir_arg *dst,
            struct dma_piece **out)
{
	struct side s, d;
	struct bir_pair ps[PIECE_AXES], pd[PIECE_AXES];
	int64_t total = bir_ap_count(src), os, od;
	int n = 0, cap = 4;
	struct dma_piece *list = arena_array(scratch, 4, sizeof *list);

	open_side(src, &s);
	open_side(dst, &d);
	for (int64_t at = 0; at < total;) {
		int64_t len = total - at, got = 0;

		while (got != len) {
			got = take(&s, at, len, ps, &os);
			len = take(&d, at, got, pd, &od);
		}
		if (n == cap) {
			struct dma_piece *more =
			    arena_array(scratch, 2 * (size_t)cap, sizeof *more);

			for (int k = 0; k < n; k++)
				more[k] = list[k];
			list = more;
			cap *= 2;
		}
		list[n].src = piece_arg(m, &s, ps, os);
		list[n++].dst = piece_arg(m, &d, pd, od);
		at += len;
		if (n > TPB_HWDGE_BLOCK_DESCS_GEN3)
			break; /* the caller refuses it */
	}
	*out = list;
	return n;
}
