/* SPDX-License-Identifier: Apache-2.0
 *
 * The counts of a region (sync.h).
 *
 * Loops are found in the layout: an edge to an earlier or the same block is a
 * back edge; the loop is everything between, the block in front of its header
 * is its only entry.  A loop that posts on S has sync points of S at the end
 * of its entry block, of its latch and of every block that breaks out of it.
 *
 * At a join the states must be equal.  Same epoch, different counts: the
 * short edges are padded.  Different epochs: every edge that does not come
 * straight from a sync point gets one.
 *
 * Cost: blocks times semaphores, plus loops times blocks.
 */
#include "compiler/passes/sync.h"

#include <string.h>

#define MAX_SUCC 8

struct preds {
	int *first, *list; /* forward predecessors, by block */
};

/* Blocks of the region that can follow.  The first one is entered through a
 * fence only, from this region too: counters start again there. */
static int successors(const struct sync_region *r, int b, int out[MAX_SUCC])
{
	struct bir_block *s[MAX_SUCC];
	int n = bir_successors(r->block[b], s, MAX_SUCC), k = 0;

	for (int j = 0; j < n && j < MAX_SUCC; j++)
		if (s[j]->origin == r->block[0]->origin && s[j]->order > 0 &&
		    s[j]->order < r->nblock && r->block[s[j]->order] == s[j])
			out[k++] = s[j]->order;
	return k;
}

static bool has_join(const struct bir_block *b)
{
	for (const struct bir_inst *i = b->first; i; i = i->next)
		if (i->it == BIR_IT_ALL_BARRIER)
			return true;
	return false;
}

static bool posts_in(const struct sync_region *r, int from, int to, int sem)
{
	for (int b = from; b <= to; b++)
		if (r->count[b * r->nsem + sem])
			return true;
	return false;
}

static bool mark_loop(struct sync_region *r, int header, int latch)
{
	int succ[MAX_SUCC];
	const struct bir_inst *t = bir_first_terminator(r->block[latch]);

	if (header == 0 || !has_join(r->block[latch]))
		return pass_fail(r->c, r->m, t, "CMP021",
		                 "%s: a branch back inside of a block's "
		                 "region without a join; use a loop",
		                 t ? t->name : r->block[latch]->name);
	for (int s = 0; s < r->nsem; s++) {
		if (!posts_in(r, header, latch, s))
			continue;
		r->point[(header - 1) * r->nsem + s] = true;
		r->point[latch * r->nsem + s] = true;
		for (int b = header; b < latch; b++) {
			int n = successors(r, b, succ), out = 0;

			for (int k = 0; k < n; k++)
				out += succ[k] < header || succ[k] > latch;
			if (out && n > 1)
				return pass_fail(
				    r->c, r->m,
				    bir_first_terminator(r->block[b]), "CMP021",
				    "%s: a compare that leaves a loop; break "
				    "from a block of its own",
				    r->block[b]->name);
			if (out)
				r->point[b * r->nsem + s] = true;
		}
	}
	return true;
}

static bool find_loops(struct sync_region *r)
{
	int succ[MAX_SUCC];

	for (int b = 0; b < r->nblock; b++) {
		int n = successors(r, b, succ);

		for (int k = 0; k < n; k++)
			if (succ[k] <= b && !mark_loop(r, succ[k], b))
				return false;
	}
	return true;
}

static void forward_preds(struct sync_region *r, struct preds *p)
{
	int succ[MAX_SUCC], total = 0;
	size_t nb = (size_t)r->nblock;
	int *fill = arena_array(r->c->scratch, nb + 1, sizeof(int));

	p->first = arena_array(r->c->scratch, nb + 1, sizeof(int));
	for (int b = 0; b < r->nblock; b++)
		for (int n = successors(r, b, succ), k = 0; k < n; k++)
			if (succ[k] > b)
				p->first[succ[k] + 1]++, total++;
	for (int b = 0; b < r->nblock; b++)
		p->first[b + 1] += p->first[b];
	p->list = arena_array(r->c->scratch, (size_t)total + 1, sizeof(int));
	for (int b = 0; b < r->nblock; b++)
		for (int n = successors(r, b, succ), k = 0; k < n; k++)
			if (succ[k] > b)
				p->list[p->first[succ[k]] + fill[succ[k]]++] =
				    b;
}

/* State at the end of a block, behind its sync point. */
static struct sync_state out_of(const struct sync_region *r, int b, int s,
                                const int *point_epoch)
{
	int k = b * r->nsem + s;
	struct sync_state st = r->in[k];

	if (r->point[k])
		return (struct sync_state){0, point_epoch[k]};
	st.since += r->count[k];
	return st;
}

static void on_edge(struct sync_region *r, int from, int to, int sem, int pad,
                    struct sync_state at)
{
	struct sync_edge *e = ARENA_NEW(r->c->scratch, struct sync_edge);

	*e = (struct sync_edge){r->edges, from, to, sem, pad, at};
	r->edges = e;
}

static struct sync_state join(struct sync_region *r, const int *pred, int n,
                              int to, int s, const int *point_epoch)
{
	struct sync_state first = out_of(r, pred[0], s, point_epoch);
	int most = first.since;
	bool mixed = false;

	for (int k = 1; k < n; k++) {
		struct sync_state st = out_of(r, pred[k], s, point_epoch);

		mixed |= st.epoch != first.epoch;
		most = st.since > most ? st.since : most;
	}
	for (int k = 0; k < n; k++) {
		struct sync_state st = out_of(r, pred[k], s, point_epoch);

		if (mixed && (st.since || !st.epoch))
			on_edge(r, pred[k], to, s, 0, st);
		else if (!mixed && st.since < most)
			on_edge(r, pred[k], to, s, most - st.since, st);
	}
	if (mixed)
		return (struct sync_state){0, ++r->epochs};
	return (struct sync_state){most, first.epoch};
}

bool sync_counts(struct sync_region *r)
{
	size_t n = (size_t)r->nblock * (size_t)r->nsem;
	int *point_epoch = arena_array(r->c->scratch, n + 1, sizeof(int));
	struct preds p;

	if (!find_loops(r))
		return false;
	forward_preds(r, &p);
	for (int b = 0; b < r->nblock; b++) {
		const int *pred = p.list + p.first[b];
		int np = p.first[b + 1] - p.first[b];

		for (int s = 0; s < r->nsem; s++) {
			int k = b * r->nsem + s;

			if (np > 0)
				r->in[k] = join(r, pred, np, b, s, point_epoch);
			if (r->point[k])
				point_epoch[k] = ++r->epochs;
		}
	}
	return true;
}
