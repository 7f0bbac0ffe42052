/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes an access pattern may touch, as a rectangle of partitions and
 * bytes: never too small, and exact but for the gaps between strides.
 *
 * A run-time address may go anywhere in its tensor.  A tensor without a place
 * overlaps only itself; placed ones are compared by their bytes, so aliases
 * and reused memory are seen.
 */
#ifndef PASSES_FOOTPRINT_H
#define PASSES_FOOTPRINT_H

#include "compiler/bir/bir.h"

struct pass_rect {
	int space;      /* equal spaces can overlap */
	int64_t p0, p1; /* partitions; DRAM: 0..1 */
	int64_t b0, b1; /* bytes of the partition; DRAM: addresses */
};

void pass_footprint(const struct bir_arg *a, struct pass_rect *r);

static inline bool pass_rect_meet(const struct pass_rect *a,
                                  const struct pass_rect *b)
{
	return a->space == b->space && a->p0 < b->p1 && b->p0 < a->p1 &&
	       a->b0 < b->b1 && b->b0 < a->b1;
}

/* a holds all of b. */
static inline bool pass_rect_holds(const struct pass_rect *a,
                                   const struct pass_rect *b)
{
	return a->space == b->space && a->p0 <= b->p0 && b->p1 <= a->p1 &&
	       a->b0 <= b->b0 && b->b1 <= a->b1;
}

static inline bool pass_overlap(const struct bir_arg *a,
                                const struct bir_arg *b)
{
	struct pass_rect x, y;

	if (!bir_is_ap(a) || !bir_is_ap(b))
		return false;
	pass_footprint(a, &x);
	pass_footprint(b, &y);
	return pass_rect_meet(&x, &y);
}

/* Same bytes in the same order. */
bool pass_same_pattern(const struct bir_arg *a, const struct bir_arg *b);

#endif
