/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for conflicting pairs (hazards.h).
 *
 * Memory is cut into granules (2 KiB of an SBUF or PSUM partition, 1/1024 of
 * the DRAM in use, at least 4 KiB); each keeps the accesses that a later one
 * may still have to wait for.  Cost: accesses times granules touched times what
 * is live in one, which is a handful unless many tensors' parts are written and
 * never covered again; with a single list it would be the square of a block.
 *
 * Why forgetting is safe: let X be a write that holds all of A (within the
 * granule).  Whatever meets A meets X and is reported with X, and (A, X) was
 * reported; so A is ordered before it through X, if X runs whenever A and the
 * later one do.  That is so when X has no predicate and stands in the
 * top-level block itself or in A's own block.
 */
#include "compiler/passes/hazards.h"

#include "compiler/passes/footprint.h"

#define MAX_ACCESS 64
#define CHIP_SHIFT 11
#define DRAM_GRAINS 1024
#define SBUF_GRAINS 128
#define PSUM_GRAINS 8

struct rec {
	struct rec *next;
	struct bir_inst *i;
	struct pass_rect r;
	bool write;
};

struct grains {
	struct bir_module *m;
	struct arena *scratch;
	struct bir_block *top;
	hazard_fn *f;
	void *ctx;
	/* SBUF, PSUM, DRAM, one for the rest; reads and writes apart */
	struct rec *(*list)[2];
	int dram_shift;
};

static void granules(const struct grains *s, const struct pass_rect *r,
                     int *first, int *last, int *base, int *shift)
{
	int64_t n;

	*shift = CHIP_SHIFT;
	if (r->space == BIR_SBUF) {
		*base = 0;
		n = SBUF_GRAINS;
	} else if (r->space == BIR_PSUM) {
		*base = SBUF_GRAINS;
		n = PSUM_GRAINS;
	} else if (r->space == BIR_DRAM) {
		*base = SBUF_GRAINS + PSUM_GRAINS;
		*shift = s->dram_shift;
		n = DRAM_GRAINS;
	} else {
		*base = SBUF_GRAINS + PSUM_GRAINS + DRAM_GRAINS;
		*shift = 62;
		n = 1;
	}
	int64_t a = r->b0 < 0 ? 0 : r->b0 >> *shift;
	int64_t b = r->b1 < 1 ? 0 : (r->b1 - 1) >> *shift;

	*first = *base + (int)(a < n ? a : n - 1);
	*last = *base + (int)(b < n ? b : n - 1);
}

/* The part of a rectangle inside a granule; the last granule of a space also
 * holds what lies beyond. */
static struct pass_rect clip(const struct pass_rect *r, int64_t lo, int64_t hi)
{
	struct pass_rect c = *r;

	c.b0 = c.b0 < lo ? lo : c.b0;
	c.b1 = c.b1 > hi ? hi : c.b1;
	return c;
}

static bool forgets(const struct grains *s, const struct rec *x,
                    const struct rec *a, int64_t lo, int64_t hi)
{
	struct pass_rect xr = clip(&x->r, lo, hi), ar = clip(&a->r, lo, hi);

	if (x->i->pred || (x->i->block != s->top && x->i->block != a->i->block))
		return false;
	if (!pass_rect_holds(&xr, &ar))
		return false;
	if (x->write)
		return true;
	return !a->write && x->i->engine == a->i->engine &&
	       x->i->engine != BIR_ENG_ALL && !pass_is_transfer(x->i) &&
	       !pass_is_transfer(a->i);
}

static bool meet(struct grains *s, const struct rec *x)
{
	int first, last, base, shift;

	granules(s, &x->r, &first, &last, &base, &shift);
	for (int g = first; g <= last; g++)
		for (int w = x->write ? 0 : 1; w < 2; w++)
			for (const struct rec *a = s->list[g][w]; a;
			     a = a->next)
				if (a->i != x->i &&
				    pass_rect_meet(&a->r, &x->r) &&
				    !s->f(s->ctx, a->i, a->write, x->i,
				          x->write))
					return false;
	return true;
}

static void filter(struct grains *s, struct rec **at, const struct rec *x,
                   int64_t lo, int64_t hi)
{
	while (*at)
		if ((*at)->i != x->i && forgets(s, x, *at, lo, hi))
			*at = (*at)->next;
		else
			at = &(*at)->next;
}

static void remember(struct grains *s, const struct rec *x)
{
	int first, last, base, shift;

	granules(s, &x->r, &first, &last, &base, &shift);
	for (int g = first; g <= last; g++) {
		int64_t lo =
		    shift == 62 ? INT64_MIN : (int64_t)(g - base) << shift;
		int64_t hi =
		    shift == 62 ? INT64_MAX : lo + ((int64_t)1 << shift);

		/* a transfer's read replaces nobody's */
		if (x->write || !pass_is_transfer(x->i))
			filter(s, &s->list[g][0], x, lo, hi);
		if (x->write)
			filter(s, &s->list[g][1], x, lo, hi);
		struct rec *copy = arena_copy(s->scratch, x, sizeof *x);

		copy->next = s->list[g][x->write];
		s->list[g][x->write] = copy;
	}
}

static bool visit(struct bir_inst *i, void *ctx)
{
	struct grains *s = ctx;
	struct bir_access x[MAX_ACCESS];
	struct rec r[MAX_ACCESS];
	int n = bir_accesses(i, x, MAX_ACCESS);

	n = n < MAX_ACCESS ? n : MAX_ACCESS;
	for (int k = 0; k < n; k++) {
		r[k] = (struct rec){NULL, i, {0, 0, 0, 0, 0}, x[k].write};
		pass_footprint(x[k].arg, &r[k].r);
		if (!meet(s, &r[k]))
			return false;
	}
	for (int k = 0; k < n; k++)
		remember(s, &r[k]);
	return true;
}

bool hazards_of_block(struct bir_module *m, struct arena *scratch,
                      struct bir_block *top, hazard_fn *f, void *ctx)
{
	struct grains s = {m, scratch, top, f, ctx, NULL, 12};
	struct bir_region one = {top, top, top->region->func, NULL};
	struct bir_block *next = top->next;
	int64_t end = 1;

	for (const struct bir_loc *l = m->loc; l; l = l->next)
		if (l->mem == BIR_DRAM && l->placed &&
		    l->addr + l->row_bytes > end)
			end = l->addr + l->row_bytes;
	while ((end >> s.dram_shift) >= DRAM_GRAINS)
		s.dram_shift++;
	s.list =
	    arena_array(scratch, SBUF_GRAINS + PSUM_GRAINS + DRAM_GRAINS + 1,
	                sizeof *s.list);
	top->next = NULL; /* a region of this block alone */
	bool ok = pass_each(&one, visit, &s);

	top->next = next;
	return ok;
}
