/* SPDX-License-Identifier: Apache-2.0
 *
 * Liveness and interference of one engine's registers (regalloc.h).
 *
 * All functions are one graph: a Call goes to the callee's first block, a
 * Return to the blocks behind the calls, so what lives across a call does not
 * share a number with what the callee writes, and a register named in two
 * functions has one number.
 *
 * Writing half of a pair also reads it: the other half must survive.
 * Cost: blocks times registers / 64 a round of the fixpoint, and the edges.
 */
#include "compiler/passes/regalloc.h"

#include <string.h>

#define MAX_SUCC 64

struct live {
	int words;
	uint64_t *in, *out, *use, *def; /* by block */
};

static bool test(const uint64_t *set, int k)
{
	return set[k / 64] >> k % 64 & 1;
}

static void set(uint64_t *s, int k)
{
	s[k / 64] |= (uint64_t)1 << k % 64;
}

static void reset(uint64_t *s, int k)
{
	s[k / 64] &= ~((uint64_t)1 << k % 64);
}

/* ---- control flow with calls ---- */

static int successors(const struct reg_graph *g, const struct bir_block *b,
                      struct bir_block *out[MAX_SUCC])
{
	int n = bir_successors(b, out, MAX_SUCC - 1);
	const struct bir_inst *t = bir_first_terminator(b);

	n = n < MAX_SUCC - 1 ? n : MAX_SUCC - 1;
	for (const struct bir_inst *i = b->first; i; i = i->next)
		if (i->it == BIR_IT_CALL && i->u.callee)
			out[n++] = i->u.callee->body.first;
	if (!t || t->it != BIR_IT_RETURN)
		return n;
	for (int k = 0; k < g->ncall; k++)
		if (g->call[k]->u.callee == b->region->func && n < MAX_SUCC - 2)
			n += bir_successors(g->call[k]->block, out + n, 1);
	return n;
}

static void calls(struct reg_graph *g)
{
	for (int fill = 0; fill < 2; fill++) {
		g->ncall = 0;
		for (int b = 0; b < g->nblock; b++)
			for (struct bir_inst *i = g->block[b]->first; i;
			     i = i->next)
				if (i->it == BIR_IT_CALL) {
					if (fill)
						g->call[g->ncall] = i;
					g->ncall++;
				}
		if (!fill)
			g->call = arena_array(g->a, (size_t)g->ncall + 1,
			                      sizeof *g->call);
	}
}

static void depths(struct reg_graph *g)
{
	struct bir_block *s[MAX_SUCC];

	g->depth = arena_array(g->a, (size_t)g->nblock + 1, sizeof(int));
	for (int b = 0; b < g->nblock; b++) {
		int n = bir_successors(g->block[b], s, 4);

		for (int k = 0; k < n && k < 4; k++)
			for (int j = s[k]->order; j <= b; j++)
				g->depth[j]++;
	}
}

/* ---- nodes ---- */

static int refs_of(const struct reg_graph *g, struct bir_inst *i,
                   struct bir_regref *ref)
{
	int n = bir_reg_refs(i, ref, BIR_REFS), k = 0;

	n = n < BIR_REFS ? n : BIR_REFS;
	for (int j = 0; j < n; j++)
		if ((*ref[j].slot)->engine == g->e)
			ref[k++] = ref[j];
	return k;
}

static void add_node(struct reg_graph *g, struct bir_reg *r, bool temp)
{
	struct reg_node *v = &g->node[g->n];

	g->index[r->id] = g->n++;
	v->r = r;
	v->width = r->bits == 64 ? 2 : 1;
	v->temp = temp;
	v->fixed = r->phys >= 0;
	v->color = r->phys;
}

static void nodes(struct reg_graph *g, const bool *temp, int ntemp)
{
	struct bir_regref ref[BIR_REFS];

	g->index = arena_array(g->a, (size_t)g->m->nreg + 1, sizeof(int));
	memset(g->index, 0xFF, ((size_t)g->m->nreg + 1) * sizeof(int));
	g->node = arena_array(g->a, (size_t)g->m->nreg + 1, sizeof *g->node);
	for (int b = 0; b < g->nblock; b++) {
		double weight = 1;

		for (int d = g->depth[b] < 8 ? g->depth[b] : 8; d > 0; d--)
			weight *= 10;
		for (struct bir_inst *i = g->block[b]->first; i; i = i->next)
			for (int n = refs_of(g, i, ref), k = 0; k < n; k++) {
				struct bir_reg *r = *ref[k].slot;

				if (g->index[r->id] < 0)
					add_node(g, r,
					         r->id < ntemp && temp[r->id]);
				struct reg_node *v = &g->node[g->index[r->id]];

				v->cost += weight * v->width;
			}
	}
}

/* ---- liveness ---- */

static void block_sets(struct reg_graph *g, struct live *l, int b)
{
	struct bir_regref ref[BIR_REFS];
	uint64_t *use = l->use + (size_t)b * (size_t)l->words;
	uint64_t *def = l->def + (size_t)b * (size_t)l->words;

	for (struct bir_inst *i = g->block[b]->first; i; i = i->next) {
		int n = refs_of(g, i, ref);

		for (int k = 0; k < n; k++) {
			int v = g->index[(*ref[k].slot)->id];

			if ((!ref[k].def || ref[k].half != BIR_WHOLE) &&
			    !test(def, v))
				set(use, v);
		}
		for (int k = 0; k < n; k++)
			if (ref[k].def && ref[k].half == BIR_WHOLE)
				set(def, g->index[(*ref[k].slot)->id]);
	}
}

static void liveness(struct reg_graph *g, struct live *l)
{
	struct bir_block *s[MAX_SUCC];
	size_t w, total;

	l->words = (g->n + 63) / 64;
	w = (size_t)l->words;
	total = w * (size_t)g->nblock + 1;
	l->in = arena_array(g->a, total, sizeof(uint64_t));
	l->out = arena_array(g->a, total, sizeof(uint64_t));
	l->use = arena_array(g->a, total, sizeof(uint64_t));
	l->def = arena_array(g->a, total, sizeof(uint64_t));
	for (int b = 0; b < g->nblock; b++)
		block_sets(g, l, b);
	for (bool again = true; again;) {
		again = false;
		for (int b = g->nblock - 1; b >= 0; b--) {
			uint64_t *in = l->in + (size_t)b * w;
			uint64_t *out = l->out + (size_t)b * w;
			int n = successors(g, g->block[b], s);

			for (int k = 0; k < n; k++)
				for (size_t j = 0; j < w; j++)
					out[j] |=
					    l->in[(size_t)s[k]->order * w + j];
			for (size_t j = 0; j < w; j++) {
				uint64_t v =
				    l->use[(size_t)b * w + j] |
				    (out[j] & ~l->def[(size_t)b * w + j]);

				again |= v != in[j];
				in[j] = v;
			}
		}
	}
}

/* ---- edges ---- */

struct pairs {
	uint64_t *key;
	size_t cap, n;
};

static bool pair_add(struct arena *a, struct pairs *p, uint64_t key)
{
	if (p->n * 2 >= p->cap) {
		struct pairs q = {NULL, p->cap ? p->cap * 2 : 1024, 0};

		q.key = arena_array(a, q.cap, sizeof *q.key);
		for (size_t k = 0; k < p->cap; k++)
			if (p->key[k])
				pair_add(a, &q, p->key[k]);
		*p = q;
	}
	size_t at = (size_t)((key * 0x9E3779B97F4A7C15u) >> 20) & (p->cap - 1);

	for (; p->key[at]; at = (at + 1) & (p->cap - 1))
		if (p->key[at] == key)
			return false;
	p->key[at] = key;
	p->n++;
	return true;
}

static void neighbour(struct reg_graph *g, int u, int v)
{
	struct reg_node *x = &g->node[u];

	if (x->nadj == x->cap) {
		int cap = x->cap ? 2 * x->cap : 8;
		int *more = arena_array(g->a, (size_t)cap, sizeof(int));

		if (x->nadj)
			memcpy(more, x->adj, (size_t)x->nadj * sizeof(int));
		x->adj = more;
		x->cap = cap;
	}
	x->adj[x->nadj++] = v;
}

static void interfere(struct reg_graph *g, struct pairs *p, int u, int v)
{
	int lo = u < v ? u : v, hi = u < v ? v : u;

	if (u == v ||
	    !pair_add(g->a, p,
	              ((uint64_t)(unsigned)lo + 1) << 32 | (unsigned)hi))
		return;
	neighbour(g, u, v);
	neighbour(g, v, u);
}

/* A copy does not keep its two sides apart. */
static int copied(const struct reg_graph *g, const struct bir_inst *i)
{
	const struct bir_arg *a = i->it == BIR_IT_REG_MOVE ? i->in[0] : NULL;

	if (!a || a->kind != BIR_ARG_REG || a->half != BIR_WHOLE ||
	    i->out[0]->half != BIR_WHOLE || a->reg->engine != g->e)
		return -1;
	return g->index[a->reg->id];
}

static void edges(struct reg_graph *g, const struct live *l, struct pairs *p,
                  int b, uint64_t *now)
{
	struct bir_regref ref[BIR_REFS];

	memcpy(now, l->out + (size_t)b * (size_t)l->words,
	       (size_t)l->words * sizeof *now);
	for (struct bir_inst *i = g->block[b]->last; i; i = i->prev) {
		int n = refs_of(g, i, ref), same = copied(g, i);

		for (int k = 0; k < n; k++) {
			int d = g->index[(*ref[k].slot)->id];

			if (!ref[k].def)
				continue;
			for (int w = 0; w < l->words; w++)
				for (uint64_t x = now[w]; x; x &= x - 1) {
					int v = w * 64 + __builtin_ctzll(x);

					if (v != same)
						interfere(g, p, d, v);
				}
			if (ref[k].half == BIR_WHOLE)
				reset(now, d);
		}
		for (int k = 0; k < n; k++)
			if (!ref[k].def || ref[k].half != BIR_WHOLE)
				set(now, g->index[(*ref[k].slot)->id]);
	}
}

void reg_graph_build(struct reg_graph *g, const bool *temp, int ntemp)
{
	struct live l = {0, NULL, NULL, NULL, NULL};
	struct pairs p = {NULL, 0, 0};
	uint64_t *now;

	calls(g);
	depths(g);
	nodes(g, temp, ntemp);
	if (!g->n)
		return;
	liveness(g, &l);
	now = arena_array(g->a, (size_t)l.words, sizeof *now);
	for (int b = 0; b < g->nblock; b++)
		edges(g, &l, &p, b, now);
}
