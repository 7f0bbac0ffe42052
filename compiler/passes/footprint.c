/* SPDX-License-Identifier: Apache-2.0
 *
 * Rectangles of access patterns (footprint.h).
 */
#include "compiler/passes/footprint.h"

/* Spaces of tensors without a place start here. */
#define OWN_SPACE 256

/* Partitions and bytes within a row, relative to the tensor.  A pair moves
 * either by whole rows or inside a row; a pattern that leaves its row by a
 * step of the second kind is given all bytes of the rows it spans. */
static void on_chip(const struct bir_arg *a, struct pass_rect *r)
{
	int64_t row = a->loc->row_bytes, size = bir_dtype_size(a->dtype);
	int64_t p0, p1, b0, b1, lo, hi;

	p0 = p1 = a->offset / row;
	b0 = b1 = a->offset % row;
	for (int d = 0; d < a->npair; d++) {
		int64_t by = a->pair[d].step * size;
		int64_t far = by * (a->pair[d].num - 1);

		if (by % row == 0)
			*(far < 0 ? &p0 : &p1) += far / row;
		else
			*(far < 0 ? &b0 : &b1) += far;
	}
	b1 += size;
	p1++;
	if (b0 < 0 || b1 > row) {
		bir_ap_span(a, &lo, &hi);
		p0 = lo / row;
		p1 = (hi + row - 1) / row;
		b0 = 0;
		b1 = row;
	}
	r->p0 = p0;
	r->p1 = p1;
	r->b0 = b0;
	r->b1 = b1;
}

void pass_footprint(const struct bir_arg *a, struct pass_rect *r)
{
	const struct bir_loc *l = a->loc;

	r->space = l->placed ? (int)l->mem : OWN_SPACE + l->id;
	if (a->kind != BIR_ARG_AP) {
		r->p0 = 0;
		r->p1 = l->partitions;
		r->b0 = 0;
		r->b1 = l->row_bytes;
	} else if (bir_on_chip(l) && l->row_bytes > 0) {
		on_chip(a, r);
	} else {
		r->p0 = 0;
		r->p1 = 1;
		bir_ap_span(a, &r->b0, &r->b1);
	}
	if (l->placed && bir_on_chip(l)) {
		r->p0 += l->part;
		r->p1 += l->part;
		r->b0 += l->byte;
		r->b1 += l->byte;
	} else if (l->placed) {
		r->b0 += l->addr;
		r->b1 += l->addr;
	}
}

bool pass_same_pattern(const struct bir_arg *a, const struct bir_arg *b)
{
	if (a->kind != BIR_ARG_AP || b->kind != BIR_ARG_AP ||
	    a->loc != b->loc || a->dtype != b->dtype ||
	    a->offset != b->offset || a->npair != b->npair)
		return false;
	for (int d = 0; d < a->npair; d++)
		if (a->pair[d].num != b->pair[d].num ||
		    (a->pair[d].num > 1 && a->pair[d].step != b->pair[d].step))
			return false;
	return true;
}
