/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of tensors and of patterns on them: is everything that is touched
 * inside of what exists.
 *
 * Memory sizes are those of the generation (isa/consts.def).  A pattern on
 * chip is [partition pair, free pairs]: the first pair steps by whole rows,
 * the others stay inside of one.  A run-time term is bounded when its register
 * is the counter of a loop with constant bounds; a pattern with another
 * register is checked for form only.
 */
#include "compiler/klr/internal.h"

#include <inttypes.h>

typedef __int128 wide; /* no sum of the numbers of a text overflows it */

static const struct {
	int64_t sbuf, psum;
} memory[] = {
    [2] = {TPB_SBUF_BYTES_GEN2, TPB_PSUM_BYTES_GEN2},
    [3] = {TPB_SBUF_BYTES_GEN3, TPB_PSUM_BYTES_GEN3},
    [4] = {TPB_SBUF_BYTES_GEN4, TPB_PSUM_BYTES_GEN4},
};

#define PARTITIONS TPB_SBUF_PARTITIONS_GEN3
#define MAX_PAIRS 5 /* partition and four axes */
#define MAX_BYTES ((int64_t)1 << 36)

int64_t klr_free_elements(const struct klr_tensor *t)
{
	int64_t n = 1;

	for (int i = 1; i < t->ndims; i++)
		n *= t->dims[i];
	return n;
}

bool klr_on_chip(const struct klr_tensor *t)
{
	return t->memory == KLR_SBUF || t->memory == KLR_PSUM;
}

/* ------------------------------------------------------------ tensors */

static void check_chip_tensor(struct klr_checker *c, const struct klr_tensor *t)
{
	bool psum = t->memory == KLR_PSUM;
	int64_t limit = psum ? memory[c->gen].psum : memory[c->gen].sbuf;
	int64_t bytes = klr_free_elements(t) * klr_dtype_size(t->dtype);
	const char *name = psum ? "PSUM" : "SBUF";
	int64_t part = t->part < 0 ? 0 : t->part;
	int64_t byte = t->byte < 0 ? 0 : t->byte;

	if (t->dims[0] > PARTITIONS)
		klr_error_at(&c->rep, t->pos, KLR_E_COUNT,
		             "'%.40s' has %" PRId64 " partitions, %s has "
		             "%d; the first dimension is the partition",
		             t->name, t->dims[0], name, PARTITIONS);
	else if (part + t->dims[0] > PARTITIONS)
		klr_error_at(&c->rep, t->pos, KLR_E_PLACE,
		             "'%.40s' needs partitions %" PRId64 " to %" PRId64
		             ", %s ends with %d; lower partition=",
		             t->name, part, part + t->dims[0] - 1, name,
		             PARTITIONS - 1);
	else if (byte + bytes > limit)
		klr_error_at(&c->rep, t->pos, KLR_E_PLACE,
		             "'%.40s' needs bytes %" PRId64 " to %" PRId64
		             " of a partition, %s has %" PRId64
		             "; make it smaller or lower its address",
		             t->name, byte, byte + bytes - 1, name, limit);
	else if (byte % klr_dtype_size(t->dtype))
		klr_error_at(
		    &c->rep, t->pos, KLR_E_PLACE,
		    "'%.40s' begins at byte %" PRId64
		    ", no multiple of the %d of its dtype; align byte=",
		    t->name, byte, klr_dtype_size(t->dtype));
	else if (t->part >= 0 && t->byte < 0)
		klr_error_at(&c->rep, t->pos, KLR_E_PLACE,
		             "'%.40s' has a partition but no byte; add "
		             "byte=",
		             t->name);
	else if (t->byte >= 0 && t->part < 0)
		klr_error_at(&c->rep, t->pos, KLR_E_PLACE,
		             "'%.40s' has a byte but no partition; add "
		             "partition=",
		             t->name);
}

void klr_check_tensor(struct klr_checker *c, const struct klr_tensor *t)
{
	int64_t bytes = klr_free_elements(t) * klr_dtype_size(t->dtype);

	if (klr_on_chip(t)) {
		check_chip_tensor(c, t);
		if (t->class != KLR_LOCAL && t->class != KLR_BUFFER)
			klr_error_at(&c->rep, t->pos, KLR_E_MEMORY,
			             "'%.40s' is an input, output or constant "
			             "on chip; declare it in hbm and copy",
			             t->name);
		return;
	}
	if (bytes > MAX_BYTES / t->dims[0])
		klr_error_at(&c->rep, t->pos, KLR_E_PLACE,
		             "'%.40s' has more than 2^36 bytes, the size of "
		             "the DRAM; make it smaller",
		             t->name);
	if (t->file && t->class != KLR_INPUT && t->class != KLR_CONST)
		klr_error_at(&c->rep, t->pos, KLR_E_FILE,
		             "'%.40s' has a file but is no input and no "
		             "constant; remove from",
		             t->name);
	if (t->class == KLR_CONST && !t->file)
		klr_error_at(&c->rep, t->pos, KLR_E_FILE,
		             "constant '%.40s' has no file; add from \"..\"",
		             t->name);
}

/* ------------------------------------------------------------ the view */

static void view_whole(const struct klr_tensor *t, struct klr_view *v)
{
	int64_t step = 1;

	/* too many dimensions: they are contiguous, two do */
	v->npairs = t->ndims <= MAX_PAIRS ? t->ndims : 2;
	if (t->ndims == 1)
		v->npairs = 2;
	if (v->npairs != t->ndims) {
		v->pair[0].num = t->dims[0];
		v->pair[0].step = v->pair[1].num = klr_free_elements(t);
		v->pair[1].step = 1;
		return;
	}
	for (int i = t->ndims - 1; i >= 0; i--) {
		v->pair[i].step = step;
		v->pair[i].num = t->dims[i];
		step *= t->dims[i];
	}
}

static void view_slices(const struct klr_ref *r, struct klr_view *v)
{
	const struct klr_tensor *t = r->tensor;
	int64_t step = 1;

	v->npairs = t->ndims;
	for (int i = t->ndims - 1; i >= 0; i--) {
		struct klr_slice s = {true, 0, t->dims[i], 1};

		if (i < r->ndims)
			s = r->slice[i];
		v->pair[i].step = step * s.step;
		v->pair[i].num =
		    s.range ? (s.u - s.l + s.step - 1) / s.step : 1;
		v->offset += step * s.l;
		step *= t->dims[i];
	}
}

void klr_view(const struct klr_ref *r, struct klr_view *v)
{
	const struct klr_tensor *t = r->tensor;
	int64_t bytes = klr_free_elements(t) * klr_dtype_size(t->dtype);

	*v = (struct klr_view){.dtype = r->dtype >= 0 ? r->dtype : t->dtype};
	v->size = klr_dtype_size(v->dtype);
	v->row = (klr_on_chip(t) ? bytes : bytes * t->dims[0]) / v->size;
	if (r->access == KLR_A_PAIRS) {
		v->offset = r->offset;
		v->npairs = r->ndims;
		for (int i = 0; i < r->ndims; i++)
			v->pair[i] = r->pair[i];
	} else if (r->access == KLR_A_BASIC) {
		view_slices(r, v);
	} else {
		view_whole(t, v);
	}
	if (v->npairs == 1)
		v->pair[v->npairs++] = (struct klr_pair){1, 1, 0};
	v->free = 1;
	for (int i = 1; i < v->npairs; i++)
		v->free *= v->pair[i].num;
	v->count = v->free * v->pair[0].num;
	v->parts = 1;
	if (klr_on_chip(t))
		v->parts = v->pair[0].num;
	else
		v->free = v->count;
	if (klr_on_chip(t)) {
		v->start = (t->part < 0 ? 0 : t->part) + v->offset / v->row;
		if (v->parts == 1)
			v->pair[0].step = v->row;
	}
}

/* ------------------------------------------------------------ patterns */

#define BAD(...) klr_error_at(&c->rep, r->pos, KLR_E_PATTERN, __VA_ARGS__)

/* True if the numbers of a pattern can be computed with. */
static bool check_form(struct klr_checker *c, const struct klr_ref *r)
{
	const struct klr_tensor *t = r->tensor;
	int64_t row = klr_free_elements(t) * klr_dtype_size(t->dtype);
	int64_t count = 1;

	if (r->dtype >= 0 && r->access != KLR_A_PAIRS)
		BAD("another dtype needs a pattern of pairs; write "
		    "%.40s[offset; (step,num)..]",
		    r->name);
	else if (r->dtype >= 0 && row % klr_dtype_size(r->dtype))
		BAD("rows of %" PRId64 " bytes are no whole number of %s; take "
		    "a dtype whose size divides them",
		    row, klr_enum_word(KLR_G_DTYPE, r->dtype));
	for (int i = 0; r->access == KLR_A_BASIC && i < r->ndims; i++) {
		const struct klr_slice *s = &r->slice[i];
		int64_t last = s->range ? s->u - 1 : s->l;

		if (s->step < 1)
			BAD("slice with step %" PRId64 "; write pairs to go "
			    "backwards",
			    s->step);
		else if (s->l < 0 || s->l > last || last >= t->dims[i])
			BAD("slice %" PRId64 ":%" PRId64 " of dimension %d of "
			    "'%.40s', which has %" PRId64 "; stay inside",
			    s->l, last + 1, i, t->name, t->dims[i]);
	}
	for (int i = 0; r->access == KLR_A_PAIRS && i < r->ndims; i++) {
		int64_t n = r->pair[i].num;

		if (n < 1)
			BAD("pair %d has %" PRId64 " elements; it needs at "
			    "least 1",
			    i, n);
		else if (n > MAX_BYTES / count)
			BAD("pattern of more than 2^36 elements; make it "
			    "smaller");
		else
			count *= n;
	}
	if (r->access == KLR_A_PAIRS && r->offset < 0)
		BAD("offset %" PRId64
		    " is in front of '%.40s'; begin at 0 or behind",
		    r->offset, t->name);
	if ((r->access == KLR_A_PAIRS && r->ndims > MAX_PAIRS) ||
	    (r->access == KLR_A_BASIC && t->ndims > MAX_PAIRS))
		BAD("pattern of more than %d pairs; a partition and four "
		    "axes are possible",
		    MAX_PAIRS);
	return !c->rep.failed;
}

/* Smallest and largest of a sum. */
struct span {
	wide lo, hi;
};

static void add_span(struct span *s, wide step, wide first, wide last)
{
	wide a = step * first, b = step * last;

	s->lo += a < b ? a : b;
	s->hi += a < b ? b : a;
}

/* What run-time terms add, split into rows and the place in a row; false when
 * a term has no known bounds. */
static bool term_spans(const struct klr_checker *c, const struct klr_ref *r,
                       const struct klr_view *v, struct span *rows,
                       struct span *in)
{
	for (const struct klr_term *t = r->terms; t; t = t->next) {
		int64_t stride =
		    t->kind == KLR_T_STRIDE ? t->stride : v->pair[t->dim].step;
		const struct klr_stmt *l;
		int64_t n;

		if (!t->reg)
			return false;
		l = klr_check_loop(c, t->reg);
		if (!l || l->lo.kind != KLR_V_INT || l->hi.kind != KLR_V_INT)
			return false;
		n = (l->hi.i - l->lo.i + l->step - (l->step > 0 ? 1 : -1)) /
		    l->step;
		if (n <= 0)
			return false; /* never runs */
		if (klr_on_chip(r->tensor) && stride % v->row == 0)
			add_span(rows, stride / v->row, l->lo.i,
			         l->lo.i + (n - 1) * l->step);
		else
			add_span(in, stride, l->lo.i,
			         l->lo.i + (n - 1) * l->step);
	}
	return true;
}

static void check_chip(struct klr_checker *c, const struct klr_ref *r,
                       const struct klr_view *v)
{
	struct span rows = {0, 0}, in = {0, 0};
	wide first = v->offset / v->row, at = v->offset % v->row;
	const struct klr_tensor *t = r->tensor;
	bool known = term_spans(c, r, v, &rows, &in);

	if (v->parts > PARTITIONS) {
		klr_error_at(&c->rep, r->pos, KLR_E_COUNT,
		             "%" PRId64 " partitions of '%.40s', a pattern "
		             "can have %d; the first pair is the partition",
		             v->parts, t->name, PARTITIONS);
		return;
	}
	if (v->pair[0].step != v->row) {
		BAD("the first pair steps by %" PRId64 ", a partition of "
		    "'%.40s' has %" PRId64 " elements; partitions cannot be "
		    "skipped",
		    v->pair[0].step, t->name, v->row);
		return;
	}
	for (int i = 1; i < v->npairs; i++)
		add_span(&in, v->pair[i].step, 0, v->pair[i].num - 1);
	if (!known)
		return;
	if (first + rows.lo < 0 || first + rows.hi + v->parts > t->dims[0])
		BAD("partitions %lld to %lld of '%.40s', which has %" PRId64
		    "; stay inside",
		    (long long)(first + rows.lo),
		    (long long)(first + rows.hi + v->parts - 1), t->name,
		    t->dims[0]);
	else if (at + in.lo < 0 || at + in.hi >= v->row)
		BAD("elements %lld to %lld of a partition of '%.40s', which "
		    "has %" PRId64 "; stay inside",
		    (long long)(at + in.lo), (long long)(at + in.hi), t->name,
		    v->row);
}

static void check_dram(struct klr_checker *c, const struct klr_ref *r,
                       const struct klr_view *v)
{
	struct span rows = {0, 0}, in = {0, 0};

	if (!term_spans(c, r, v, &rows, &in))
		return;
	for (int i = 0; i < v->npairs; i++)
		add_span(&in, v->pair[i].step, 0, v->pair[i].num - 1);
	if (v->offset + in.lo < 0 || v->offset + in.hi >= v->row)
		BAD("elements %lld to %lld of '%.40s', which has %" PRId64
		    "; stay inside",
		    (long long)(v->offset + in.lo),
		    (long long)(v->offset + in.hi), r->tensor->name, v->row);
}

static void check_terms(struct klr_checker *c, const struct klr_ref *r,
                        const struct klr_view *v)
{
	int forms = 0, n = 0;

	for (const struct klr_term *t = r->terms; t; t = t->next) {
		n++;
		forms += t->kind != KLR_T_STRIDE;
		if (t->ref)
			klr_check_ref(c, t->ref);
		if (t->kind != KLR_T_STRIDE &&
		    (t->dim < 0 || t->dim >= v->npairs))
			klr_error_at(&c->rep, t->pos, KLR_E_PATTERN,
			             "dimension %" PRId64 " of a pattern that "
			             "has %d; dimension 0 is the first pair",
			             t->dim, v->npairs);
		if (t->reg && !klr_check_loop(c, t->reg) &&
		    !klr_names_get(c->regs, t->reg))
			klr_error_at(&c->rep, t->pos, KLR_E_REG,
			             "nothing sets register '%.40s'; add a "
			             "tensorLoad or registerMove, or a loop",
			             t->reg);
	}
	if (forms > 0 && n > 1)
		BAD("scalar() and vector() stand alone; write reg*stride for "
		    "the others");
	if (n > 4)
		BAD("more than 4 run-time terms; add them in a register");
}

void klr_check_ref(struct klr_checker *c, const struct klr_ref *r)
{
	struct klr_view v;

	if (c->rep.failed || r->access == KLR_A_RAW ||
	    r->access == KLR_A_AXES || !r->tensor || !check_form(c, r))
		return;
	klr_view(r, &v);
	check_terms(c, r, &v);
	if (c->rep.failed)
		return;
	if (klr_on_chip(r->tensor))
		check_chip(c, r, &v);
	else
		check_dram(c, r, &v);
}
