/* SPDX-License-Identifier: Apache-2.0
 *
 * References of random kernels: a tensor, a range of its partitions, and a
 * pattern of steps inside of a row, with what is added at run time.
 *
 * Patterns of a destination are made from the inside out with steps that clear
 * what lies below, so no element is hit twice; sources may also stand still
 * (step 0).  Run-time terms get only what the pattern leaves of the row.
 */
#include "harness/gen_kernel_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const gk_dtype_name[GK_DTYPES] = {
    "float32",  "float32r", "bfloat16", "float16", "float8e3",
    "float8e4", "float8e5", "int8",     "uint8",   "int16",
    "uint16",   "int32",    "uint32"};

const int gk_dtype_size[GK_DTYPES] = {4, 4, 2, 2, 1, 1, 1, 1, 1, 2, 2, 4, 4};

int gk_member(struct gk *g, unsigned set)
{
	int n = rng_below(&g->r, __builtin_popcount(set)), i = 0;

	for (;; i++)
		if (set >> i & 1 && n-- == 0)
			return i;
}

int gk_unit(int parts)
{
	return parts > 64 ? 128 : parts > 32 ? 64 : 32;
}

static void add(struct gk_ref *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct gk_ref *r, const char *format, ...)
{
	size_t n = strlen(r->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(r->text + n, sizeof(r->text) - n, format, ap);
	va_end(ap);
}

/* ------------------------------------------------------------ patterns */

struct pattern {
	int naxes, num[GK_AXES], step[GK_AXES]; /* the last is the fastest */
	int lo, hi;                             /* what it spans */
};

/* n as a product of one to `most` numbers. */
static void split(struct gk *g, struct pattern *p, int n, int most)
{
	p->naxes = 0;
	while (p->naxes < most - 1 && n > 1 && rng_chance(&g->r, 45)) {
		int f = rng_range(&g->r, 1, 6);

		if (n % f)
			continue;
		p->num[p->naxes++] = f;
		n /= f;
	}
	p->num[p->naxes++] = n;
	for (int i = p->naxes - 1; i > 0; i--) {
		int j = rng_below(&g->r, i + 1), t = p->num[i];

		p->num[i] = p->num[j];
		p->num[j] = t;
	}
}

/* Steps for the axes, made in a random order of the axes. */
static void choose_steps(struct gk *g, struct pattern *p, bool dst)
{
	int order[GK_AXES] = {0}, extent = 1;
	bool mixed = rng_chance(&g->r, 25);

	for (int i = 0; i < p->naxes; i++)
		order[i] = p->naxes - 1 - i;
	for (int i = p->naxes - 1; mixed && i > 0; i--) {
		int j = rng_below(&g->r, i + 1), t = order[i];

		order[i] = order[j];
		order[j] = t;
	}
	p->lo = p->hi = 0;
	for (int i = 0; i < p->naxes; i++) {
		int a = order[i], s = extent, reach;

		if (rng_chance(&g->r, 25))
			s += rng_range(&g->r, 1, 3);
		if (rng_chance(&g->r, 20))
			s = -s;
		if (!dst && rng_chance(&g->r, 12))
			s = 0;
		p->step[a] = s;
		reach = s * (p->num[a] - 1);
		p->lo += reach < 0 ? reach : 0;
		p->hi += reach > 0 ? reach : 0;
		extent = p->hi - p->lo + 1;
	}
}

/* A pattern of n elements that fits into a row; false when none was found. */
static bool choose(struct gk *g, const struct gk_wish *w, int row,
                   struct pattern *p)
{
	for (int t = 0; t < 6; t++) {
		if (w->naxes) {
			p->naxes = w->naxes;
			memcpy(p->num, w->axis, sizeof(p->num));
		} else if (t < 5) {
			split(g, p, w->n, w->four ? 4 : 3);
		} else {
			p->naxes = 1;
			p->num[0] = w->n;
		}
		choose_steps(g, p, w->dst);
		if (p->hi - p->lo < row)
			return true;
	}
	if (w->naxes || w->n > row)
		return false;
	*p = (struct pattern){1, {w->n}, {1}, 0, w->n - 1};
	return true;
}

/* ------------------------------------------------------------ run time */

static bool some_var(struct gk *g, struct gk_var *v)
{
	if (g->nvars && rng_chance(&g->r, 65)) {
		*v = g->var[rng_below(&g->r, g->nvars)];
		return true;
	}
	if (!rng_chance(&g->r, 50))
		return false;
	gk_address(g, v);
	return true;
}

/* What of `room` elements (or rows, each `unit` long) a variable may use. */
static int add_term(struct gk *g, struct gk_ref *r, int room, int unit)
{
	struct gk_var v;
	int stride;

	if (room < 1 || !some_var(g, &v) || v.max > room)
		return 0;
	stride = v.max ? rng_range(&g->r, 1, room / v.max) : 1;
	if (stride * unit == 1)
		add(r, " + %s", v.name);
	else
		add(r, " + %s*%d", v.name, stride * unit);
	r->dynamic = true;
	return stride * v.max;
}

/* KLR's form: a register times the step of a pair. */
static bool add_scalar(struct gk *g, struct gk_ref *r, const struct pattern *p,
                       int room, int first)
{
	int d = rng_below(&g->r, p->naxes);
	struct gk_var v;

	if (p->step[d] < 1 || !some_var(g, &v) || v.max * p->step[d] > room)
		return false;
	add(r, " + scalar(%s, %d)", v.name, d + first);
	r->dynamic = true;
	return true;
}

static void add_pairs(struct gk_ref *r, const struct pattern *p)
{
	for (int i = 0; i < p->naxes; i++)
		add(r, "(%d,%d)", p->step[i], p->num[i]);
}

/* ------------------------------------------------------------ on chip */

/* Slices say the same where a row is one dimension and its step is upwards. */
static bool slices(struct gk *g, struct gk_ref *r, const struct gk_tensor *t,
                   const struct pattern *p, int first)
{
	int end = first + p->step[0] * (p->num[0] - 1) + 1;

	if (t->dims != 2 || p->naxes != 1 || p->step[0] < 1 ||
	    rng_chance(&g->r, 30))
		return false;
	if (r->start == 0 && r->parts == t->parts && p->num[0] == t->row &&
	    rng_chance(&g->r, 70)) {
		add(r, "%s", t->name);
		return true;
	}
	add(r, "%s[%d:%d", t->name, r->start, r->start + r->parts);
	if (p->num[0] < t->row || p->step[0] > 1 || rng_chance(&g->r, 30))
		add(r, ", %d:%d", first, end);
	if (p->step[0] > 1)
		add(r, ":%d", p->step[0]);
	add(r, "]");
	return true;
}

/* A pattern on rows that start at r->start of the tensor. */
static bool on_rows(struct gk *g, const struct gk_wish *w, struct gk_ref *r)
{
	const struct gk_tensor *t = &g->tensor[r->tensor];
	int size = gk_dtype_size[t->dtype], row = t->row * size, first, room;
	struct pattern p;

	row /= gk_dtype_size[r->dtype];
	if (!choose(g, w, row, &p))
		return false;
	room = row - 1 - (p.hi - p.lo);
	first = rng_chance(&g->r, 40) ? 0 : rng_below(&g->r, room + 1);
	room -= first;
	r->text[0] = '\0';
	if (t->dims > 2 && !w->naxes && w->n == t->row &&
	    t->dtype == r->dtype && rng_chance(&g->r, 40)) {
		add(r, "%s[%d:%d]", t->name, r->start, r->start + r->parts);
		return true;
	}
	first -= p.lo;
	if (t->dtype == r->dtype && slices(g, r, t, &p, first)) {
		if (!w->plain && rng_chance(&g->r, 20))
			add_term(g, r, room, 1);
		return true;
	}
	add(r, "%s[%d; (%d,%d)", t->name, r->start * row + first, row,
	    r->parts);
	add_pairs(r, &p);
	add(r, "]");
	if (!w->plain && rng_chance(&g->r, 15) && add_scalar(g, r, &p, room, 1))
		;
	else if (!w->plain && rng_chance(&g->r, 30))
		add_term(g, r, room - add_term(g, r, room / 2, 1), 1);
	if (t->dtype != r->dtype)
		add(r, ":%s", gk_dtype_name[r->dtype]);
	return true;
}

/* A first partition of the tensor from which `parts` may be used. */
static bool choose_start(struct gk *g, const struct gk_wish *w,
                         const struct gk_tensor *t, struct gk_ref *r)
{
	int unit = gk_unit(w->parts), last = t->base + t->parts - w->parts;
	int lo = (t->base + unit - 1) / unit, at;

	if (last < lo * unit)
		return false;
	at =
	    w->start >= 0 ? w->start : unit * rng_range(&g->r, lo, last / unit);
	r->start = at - t->base;
	return at % unit == 0 && r->start >= 0 && at <= last;
}

/* Another dtype on the same bytes, now and then. */
static bool choose_dtype(struct gk *g, const struct gk_wish *w,
                         const struct gk_tensor *t, struct gk_ref *r)
{
	int row = t->row * gk_dtype_size[t->dtype];

	r->dtype = t->dtype;
	if (rng_chance(&g->r, 8) || !(w->dtypes >> r->dtype & 1))
		r->dtype = (enum gk_dtype)gk_member(g, w->dtypes);
	if (w->dst && t->memory == GK_PSUM && gk_dtype_size[r->dtype] != 4)
		return false;
	return row % gk_dtype_size[r->dtype] == 0;
}

/* Is the tensor another one than the destination's?  A source that may be in
 * place may also meet it crosswise in the same rows: the machine works through
 * a row element by element. */
static bool apart(struct gk *g, const struct gk_wish *w, const struct gk_ref *r)
{
	if (!w->other || w->other->tensor != r->tensor)
		return true;
	return w->same && w->other->start == r->start &&
	       w->other->parts == r->parts && rng_chance(&g->r, 30);
}

bool gk_make(struct gk *g, const struct gk_wish *w, struct gk_ref *r)
{
	/* in place: exactly the elements that are written */
	if (w->same && !w->naxes && rng_chance(&g->r, 15) &&
	    w->same->parts == w->parts && w->same->n == w->n &&
	    w->dtypes >> w->same->dtype & 1 &&
	    (w->start < 0 ||
	     w->start == g->tensor[w->same->tensor].base + w->same->start) &&
	    w->memories >> g->tensor[w->same->tensor].memory & 1 &&
	    !(w->plain && w->same->dynamic)) {
		*r = *w->same;
		return true;
	}
	for (int i = 0; i < 16; i++) {
		const struct gk_tensor *t;

		*r = (struct gk_ref){.tensor = rng_below(&g->r, g->ntensors),
		                     .parts = w->parts,
		                     .n = w->n};
		t = &g->tensor[r->tensor];
		if (!(w->memories >> t->memory & 1) ||
		    (i < 12 && !(w->dtypes >> t->dtype & 1)) ||
		    !choose_start(g, w, t, r) || !choose_dtype(g, w, t, r) ||
		    !apart(g, w, r))
			continue;
		if (on_rows(g, w, r))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------ DMA, scalars */

/* DRAM is one long row. */
static bool on_dram(struct gk *g, const struct gk_wish *w, struct gk_ref *r)
{
	const struct gk_tensor *t = &g->tensor[r->tensor];
	int all = t->parts * t->row, room, first;
	struct pattern p;

	r->text[0] = '\0';
	if (w->n == all && rng_chance(&g->r, 50)) {
		add(r, "%s", t->name);
		return true;
	}
	if (!choose(g, w, all, &p))
		return false;
	room = all - 1 - (p.hi - p.lo);
	first = rng_below(&g->r, room + 1);
	room -= first;
	add(r, "%s[%d; ", t->name, first - p.lo);
	add_pairs(r, &p);
	add(r, "]");
	if (!w->plain && rng_chance(&g->r, 15) && add_scalar(g, r, &p, room, 0))
		;
	else if (!w->plain && rng_chance(&g->r, 35))
		add_term(g, r, room, 1);
	return true;
}

/* DMA begins at any partition and counts elements, not rows. */
bool gk_make_dma(struct gk *g, int tensor, int count, bool dst,
                 struct gk_ref *r)
{
	const struct gk_tensor *t = &g->tensor[tensor];
	struct gk_wish w = {.dst = dst,
	                    .n = count,
	                    .start = -1,
	                    .plain = !g->streams,
	                    .four = true};
	int parts[128], n = 0;

	*r = (struct gk_ref){.tensor = tensor, .dtype = t->dtype};
	if (t->memory == GK_HBM)
		return on_dram(g, &w, r);
	for (int p = 1; p <= t->parts; p++)
		if (count % p == 0 && count / p <= t->row)
			parts[n++] = p;
	if (!n)
		return false;
	r->parts = parts[rng_below(&g->r, n)];
	r->start = rng_range(&g->r, 0, t->parts - r->parts);
	w.n = count / r->parts;
	return on_rows(g, &w, r);
}

void gk_make_one(struct gk *g, int tensor, struct gk_ref *r)
{
	const struct gk_tensor *t = &g->tensor[tensor];
	int row = rng_below(&g->r, t->parts), at = rng_below(&g->r, t->row);

	*r = (struct gk_ref){.tensor = tensor, .dtype = t->dtype};
	if (t->dims == 2)
		add(r, "%s[%d, %d]", t->name, row, at);
	else if (t->memory == GK_HBM)
		add(r, "%s[%d; (1,1)]", t->name, row * t->row + at);
	else
		add(r, "%s[%d; (%d,1)(1,1)]", t->name, row * t->row + at,
		    t->row);
	if (rng_chance(&g->r, 50)) {
		int used = add_term(g, r, t->row - 1 - at, 1);

		/* by rows too */
		if (used + at < t->row && rng_chance(&g->r, 40))
			add_term(g, r, t->parts - 1 - row, t->row);
	}
}
