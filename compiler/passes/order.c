/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocks (order.h).
 *
 * Sound because a sequencer starts its bundles in order and posts only when
 * all earlier work of its engine is visible: P complete means that every
 * earlier non-DMA op of P's engine is, and everything P waited for.
 *
 * What may not run says nothing.  A predicated instruction and a block of a
 * loop body give their knowledge only to their own block and the bodies
 * inside it: a loop may run no trip at all.  An edge with an end on ALL is
 * left alone, since knowing one clone complete says nothing of the others.
 */
#include "compiler/passes/order.h"

#include <stdlib.h>
#include <string.h>

/* More words than this for all clocks of a block: transfers are left out of
 * them, which only costs reductions. */
#define MAX_WORDS ((int64_t)1 << 26)

struct clock {
	int pos[BIR_NENGINES]; /* complete up to here, -1 none */
	uint64_t *dma;         /* complete transfers */
};

struct stamp {
	struct clock start; /* known when it starts */
	int pos;            /* on its stream */
	int dma;            /* number of a transfer, -1 */
};

struct order {
	struct bir_module *m;
	struct arena *scratch;
	bool drop;
	int dropped, words, clock;
	int pos[BIR_NENGINES];
	int ndma;
	struct bir_dep **edge; /* scratch for sorting */
	int cap;
};

static bool count(struct bir_inst *i, void *ctx)
{
	struct order *o = ctx;

	o->clock++;
	o->ndma += pass_is_transfer(i);
	return true;
}

static void join(const struct order *o, struct clock *a, const struct clock *b)
{
	for (int e = 0; e < BIR_NENGINES; e++)
		a->pos[e] = a->pos[e] > b->pos[e] ? a->pos[e] : b->pos[e];
	for (int w = 0; w < o->words; w++)
		a->dma[w] |= b->dma[w];
}

static void add(struct clock *a, const struct bir_inst *p)
{
	const struct stamp *s = p->aux;

	if (s->dma < 0) {
		enum bir_engine e = pass_stream(p);

		a->pos[e] = a->pos[e] > s->pos ? a->pos[e] : s->pos;
	} else if (a->dma) {
		a->dma[s->dma / 64] |= 1ull << s->dma % 64;
	}
}

static bool known(const struct clock *a, const struct bir_inst *p)
{
	const struct stamp *s = p->aux;

	if (s->dma >= 0)
		return a->dma && (a->dma[s->dma / 64] >> s->dma % 64 & 1);
	return a->pos[pass_stream(p)] >= s->pos;
}

bool order_knows(const struct bir_inst *later, const struct bir_inst *earlier)
{
	const struct stamp *s = later->aux;

	return s && earlier->aux && known(&s->start, earlier);
}

/* Does p surely run before c whenever c runs? */
static bool certain(const struct bir_inst *p, const struct bir_inst *c)
{
	const struct bir_block *b = c->block;

	if (p->pred)
		return false;
	while (b != p->block && b->region->owner)
		b = b->region->owner->block;
	return b == p->block;
}

static int latest_first(const void *a, const void *b)
{
	const struct bir_dep *x = *(struct bir_dep *const *)a;
	const struct bir_dep *y = *(struct bir_dep *const *)b;

	return y->pred->order - x->pred->order;
}

static int sorted_preds(struct order *o, struct bir_inst *i)
{
	int n = 0;

	for (struct bir_dep *d = i->preds; d; d = d->in_next) {
		if (d->carried || d->pred->engine == BIR_ENG_ALL ||
		    !d->pred->aux)
			continue;
		if (n == o->cap) {
			int cap = o->cap ? 2 * o->cap : 64;
			struct bir_dep **more =
			    arena_array(o->scratch, (size_t)cap, sizeof *more);

			if (n)
				memcpy(more, o->edge, (size_t)n * sizeof *more);
			o->edge = more;
			o->cap = cap;
		}
		o->edge[n++] = d;
	}
	qsort(o->edge ? o->edge : (struct bir_dep **)o, (size_t)n,
	      sizeof *o->edge, latest_first);
	return n;
}

/* last[e]: clock behind the last sure non-DMA instruction of engine e. */
static void visit(struct order *o, struct bir_inst *i,
                  struct clock last[BIR_NENGINES])
{
	struct stamp *s = ARENA_NEW(o->scratch, struct stamp);
	enum bir_engine e = pass_stream(i);

	s->start = last[e];
	s->start.dma = o->words ? arena_array(o->scratch, (size_t)o->words,
	                                      sizeof(uint64_t))
	                        : NULL;
	if (o->words && last[e].dma)
		memcpy(s->start.dma, last[e].dma,
		       (size_t)o->words * sizeof(uint64_t));
	s->dma = -1;
	i->order = o->clock++;
	if (i->engine != BIR_ENG_ALL) {
		int n = sorted_preds(o, i);

		for (int k = 0; k < n; k++) {
			struct bir_inst *p = o->edge[k]->pred;
			const struct stamp *ps = p->aux;

			if (o->drop && known(&s->start, p)) {
				bir_dep_remove(o->m, o->edge[k]);
				o->dropped++;
				continue;
			}
			if (certain(p, i)) {
				add(&s->start, p);
				join(o, &s->start, &ps->start);
			}
		}
	}
	if (pass_is_transfer(i))
		s->dma = o->ndma++;
	else
		s->pos = o->pos[e]++;
	i->aux = s;
	if (pass_is_transfer(i) || i->pred || i->engine == BIR_ENG_ALL)
		return;
	last[e] = s->start;
	last[e].pos[e] = s->pos;
}

static void region(struct order *o, struct bir_block *first,
                   const struct bir_block *end,
                   const struct clock start[BIR_NENGINES])
{
	struct clock last[BIR_NENGINES];

	for (struct bir_block *b = first; b != end; b = b->next) {
		memcpy(last, start, sizeof last);
		for (struct bir_inst *i = b->first; i; i = i->next) {
			visit(o, i, last);
			if (bir_is_body(i))
				region(o, i->u.loop.body.first, NULL, last);
		}
	}
}

static bool forget(struct bir_inst *i, void *ctx)
{
	(void)ctx;
	i->aux = NULL;
	return true;
}

int order_of_block(struct bir_module *m, struct arena *scratch,
                   struct bir_block *top, bool drop)
{
	struct order o = {.m = m, .scratch = scratch, .drop = drop};
	struct clock none[BIR_NENGINES];
	struct bir_region one = {top, top, top->region->func, NULL};
	struct bir_block *next = top->next;

	top->next = NULL;
	pass_each(&one, count, &o);
	pass_each(&one, forget, NULL);
	top->next = next;
	o.words = (o.ndma + 63) / 64;
	if ((int64_t)o.words * o.clock > MAX_WORDS)
		o.words = 0;
	o.ndma = o.clock = 0;
	memset(none, 0, sizeof none);
	for (int e = 0; e < BIR_NENGINES; e++)
		for (int k = 0; k < BIR_NENGINES; k++)
			none[e].pos[k] = -1;
	region(&o, top, next, none);
	return o.dropped;
}
