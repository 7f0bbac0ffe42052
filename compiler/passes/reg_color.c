/* SPDX-License-Identifier: Apache-2.0
 *
 * Briggs colouring with pairs (regalloc.h).
 *
 * A neighbour takes one number from a 32-bit node, or two if it is a pair; it
 * takes one even pair from a pair.  A node is sure of a number while fewer are
 * taken than there are (62, or 31 pairs).  Sure nodes go on the stack first;
 * else the cheapest by cost over neighbours goes, in the hope that it finds
 * one.  Numbers are given lowest first when the stack is taken down.
 *
 * Cost: edges, plus nodes times the nodes pushed without being sure.
 */
#include "compiler/passes/regalloc.h"

#include <string.h>

struct color {
	struct reg_graph *g;
	int *taken; /* by node: numbers its neighbours can take */
	bool *gone; /* on the stack */
	int *stack, depth;
	int *sure, nsure; /* nodes to push, lowest last */
};

static int takes(const struct reg_node *from, const struct reg_node *by)
{
	return from->width == 1 ? by->width : 1;
}

static bool is_sure(const struct color *s, int v)
{
	const struct reg_node *n = &s->g->node[v];

	return s->taken[v] < s->g->limit / n->width;
}

static void push(struct color *s, int v)
{
	struct reg_graph *g = s->g;

	s->gone[v] = true;
	s->stack[s->depth++] = v;
	for (int k = 0; k < g->node[v].nadj; k++) {
		int u = g->node[v].adj[k];
		bool before = is_sure(s, u);

		if (s->gone[u] || g->node[u].fixed)
			continue;
		s->taken[u] -= takes(&g->node[u], &g->node[v]);
		if (!before && is_sure(s, u))
			s->sure[s->nsure++] = u;
	}
}

/* Cheapest to spill among what is left; temporaries last, ties by name. */
static int candidate(const struct color *s)
{
	const struct reg_graph *g = s->g;
	int best = -1;

	for (int v = 0; v < g->n; v++) {
		const struct reg_node *n = &g->node[v], *b;

		if (s->gone[v] || n->fixed)
			continue;
		if (best < 0) {
			best = v;
			continue;
		}
		b = &g->node[best];
		double x = n->cost * (b->nadj + 1), y = b->cost * (n->nadj + 1);

		if (n->temp != b->temp ? b->temp
		    : x < y            ? true
		    : x > y            ? false
		                       : strcmp(n->r->name, b->r->name) < 0)
			best = v;
	}
	return best;
}

static int lowest(const struct reg_graph *g, int v)
{
	const struct reg_node *n = &g->node[v];
	uint64_t used = 0;

	for (int k = 0; k < n->nadj; k++) {
		const struct reg_node *u = &g->node[n->adj[k]];

		if (u->color >= 0)
			used |= (uint64_t)(u->width == 2 ? 3 : 1) << u->color;
	}
	for (int c = 0; c + n->width <= g->limit; c += n->width)
		if (!(used >> c & (n->width == 2 ? 3u : 1u)))
			return c;
	return -1;
}

int reg_color(struct reg_graph *g, int **left)
{
	struct color s = {.g = g};
	size_t n = (size_t)g->n + 1;
	int nleft = 0, todo = 0;

	s.taken = arena_array(g->a, n, sizeof(int));
	s.gone = arena_array(g->a, n, sizeof(bool));
	s.stack = arena_array(g->a, n, sizeof(int));
	s.sure = arena_array(g->a, n, sizeof(int));
	*left = arena_array(g->a, n, sizeof(int));
	for (int v = 0; v < g->n; v++)
		for (int k = 0; k < g->node[v].nadj; k++)
			s.taken[v] +=
			    takes(&g->node[v], &g->node[g->node[v].adj[k]]);
	for (int v = g->n - 1; v >= 0; v--) {
		if (g->node[v].fixed)
			continue;
		todo++;
		if (is_sure(&s, v))
			s.sure[s.nsure++] = v;
	}
	while (s.depth < todo) {
		int v = s.nsure ? s.sure[--s.nsure] : candidate(&s);

		push(&s, v);
	}
	while (s.depth > 0) {
		int v = s.stack[--s.depth];

		g->node[v].color = lowest(g, v);
		if (g->node[v].color < 0)
			(*left)[nleft++] = v;
	}
	return nleft;
}
