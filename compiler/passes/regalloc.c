/* SPDX-License-Identifier: Apache-2.0
 *
 * regalloc (L33): a number below 62 for every register, on each engine alone;
 * a 64-bit register takes an even number and the next.
 *
 * What finds no number is spilled: a DRAM slot "<reg>-spill", a TensorSave
 * behind each definition and a TensorLoad before each instruction that reads
 * it, into a fresh register that lives across one instruction.  Store and
 * reload are on one engine and in order, so they need no semaphore.  Each
 * round spills at least one register of the source and what it makes is never
 * spilled, so there are no more rounds than registers.
 *
 * Before: lower_ap.  After: every register that is used is physical.
 * Cost: per round as reg_graph.c and reg_color.c.
 */
#include "compiler/passes/regalloc.h"

#include "compiler/passes/alloc_mem.h"

#include <stdio.h>
#include <string.h>

struct alloc {
	struct bir_module *m;
	struct pass_ctx *c;
	struct bir_block **block;
	int nblock;
	bool *temp; /* by register id */
	int ntemp;
	int spilled, rounds, most;
};

static void mark_temp(struct alloc *s, const struct bir_reg *r)
{
	if (r->id >= s->ntemp) {
		int n = 2 * (r->id + 1);
		bool *more =
		    arena_array(s->c->scratch, (size_t)n, sizeof *more);

		if (s->ntemp)
			memcpy(more, s->temp, (size_t)s->ntemp);
		s->temp = more;
		s->ntemp = n;
	}
	s->temp[r->id] = true;
}

/* ---- spill code ---- */

struct spill {
	struct bir_loc *slot;
	int loads, saves;
};

static struct bir_inst *access(struct alloc *s, const struct bir_inst *i,
                               struct bir_reg *r, struct bir_reg *t,
                               struct spill *p, bool save)
{
	struct bir_module *m = s->m;
	const struct bir_pair one = {1, 1};
	char name[192];
	struct bir_arg *mem =
	    bir_ap(m, p->slot,
	           r->bits == 64 ? TPB_BIR_DTYPE_UINT64 : TPB_BIR_DTYPE_INT32,
	           0, 1, &one);

	snprintf(name, sizeof name, "%s-%s%d", r->name, save ? "st" : "ld",
	         save ? p->saves++ : p->loads++);
	struct bir_inst *n = bir_inst_new(
	    m, save ? BIR_IT_TENSOR_SAVE : BIR_IT_TENSOR_LOAD, name, r->engine);

	n->pos = i->pos;
	bir_in(n, save ? bir_use(m, t) : mem);
	bir_out(n, save ? mem : bir_use(m, t));
	return n;
}

static void rewrite(struct alloc *s, struct bir_inst *i, struct bir_reg *r,
                    struct spill *p)
{
	struct bir_regref ref[BIR_REFS];
	int n = bir_reg_refs(i, ref, BIR_REFS);
	struct bir_reg *t = NULL;
	bool read = false, write = false;

	for (int k = 0; k < n && k < BIR_REFS; k++) {
		if (*ref[k].slot != r)
			continue;
		if (!t) {
			t = bir_reg_new(s->m, NULL, r->engine, r->bits);
			mark_temp(s, t);
		}
		*ref[k].slot = t;
		read |= !ref[k].def || ref[k].half != BIR_WHOLE;
		write |= ref[k].def;
	}
	if (read)
		bir_inst_before(
		    bir_is_terminator(i) ? bir_first_terminator(i->block) : i,
		    access(s, i, r, t, p, false));
	if (write)
		bir_inst_after(i, access(s, i, r, t, p, true));
}

static void spill(struct alloc *s, struct bir_reg *r)
{
	const int64_t one = 1;
	char name[192];
	struct spill p = {NULL, 0, 0};

	snprintf(name, sizeof name, "%s-spill", r->name);
	p.slot = bir_loc_new(s->m, name, BIR_DRAM, BIR_INTERNAL,
	                     TPB_BIR_DTYPE_UINT64, 1, &one);
	alloc_mem_dram(s->m, p.slot);
	for (int b = 0; b < s->nblock; b++)
		for (struct bir_inst *i = s->block[b]->first, *n; i; i = n) {
			n = i->next;
			rewrite(s, i, r, &p);
		}
	s->spilled++;
}

/* The one to spill for a node that found no number: itself, or the cheapest
 * neighbour when it is a temporary. */
static int victim(const struct reg_graph *g, int v)
{
	const struct reg_node *n = &g->node[v];
	int best = -1;

	if (!n->temp)
		return v;
	for (int k = 0; k < n->nadj; k++) {
		int u = n->adj[k];
		const struct reg_node *x = &g->node[u];

		if (!x->temp && !x->fixed &&
		    (best < 0 || x->cost < g->node[best].cost))
			best = u;
	}
	return best;
}

static bool spill_round(struct alloc *s, struct reg_graph *g, const int *left,
                        int nleft)
{
	bool *done = arena_array(s->c->scratch, (size_t)g->n + 1, sizeof *done);

	for (int k = 0; k < nleft; k++) {
		int v = victim(g, left[k]);

		if (v < 0)
			return pass_fail(
			    s->c, s->m, NULL, "CMP030",
			    "too many live registers on %s: %s finds none of "
			    "%d and nothing is left to spill; use fewer "
			    "registers at once",
			    bir_engine_text(g->e), g->node[left[k]].r->name,
			    g->limit);
		if (done[v])
			continue;
		done[v] = true;
		spill(s, g->node[v].r);
	}
	return true;
}

/* ---- one engine ---- */

static bool engine(struct alloc *s, enum bir_engine e)
{
	for (;;) {
		struct arena *a = arena_new();
		struct reg_graph g = {.m = s->m,
		                      .a = a,
		                      .e = e,
		                      .limit = TPB_ALLOC_REGISTERS_GEN3,
		                      .block = s->block,
		                      .nblock = s->nblock};
		int *left, nleft;
		bool ok = true;

		reg_graph_build(&g, s->temp, s->ntemp);
		nleft = reg_color(&g, &left);
		for (int v = 0; v < g.n && !nleft; v++) {
			int top = g.node[v].color + g.node[v].width;

			g.node[v].r->phys = g.node[v].color;
			s->most = s->most > top ? s->most : top;
		}
		s->rounds++;
		if (nleft)
			ok = spill_round(s, &g, left, nleft);
		arena_free(a);
		if (!nleft || !ok)
			return ok;
	}
}

static void list_blocks(struct alloc *s)
{
	int n = 0;

	for (struct bir_func *f = s->m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next)
			n++;
	s->block = arena_array(s->c->scratch, (size_t)n + 1,
	                       sizeof(struct bir_block *));
	for (struct bir_func *f = s->m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next) {
			b->order = s->nblock;
			s->block[s->nblock++] = b;
		}
}

bool pass_regalloc(struct bir_module *m, struct pass_ctx *c)
{
	struct alloc s = {.m = m, .c = c};
	enum bir_engine u[BIR_NENGINES];
	int n = pass_engines(m, u);

	for (const struct bir_reg *r = m->reg; r; r = r->next)
		if (r->phys + (r->bits == 64 ? 2 : 1) >
		        TPB_ALLOC_REGISTERS_GEN3 ||
		    (r->bits == 64 && r->phys >= 0 && r->phys % 2))
			return pass_fail(c, m, NULL, "CMP031",
			                 "register %s has number %d; use 0 to "
			                 "61, even for pairs",
			                 r->name, r->phys);
	list_blocks(&s);
	for (int k = 0; k < n; k++)
		if (!engine(&s, u[k]))
			return false;
	pass_stat(c,
	          "Number of registers spilled = %d, rounds=%d, most numbers "
	          "used=%d of %d",
	          s.spilled, s.rounds, s.most, TPB_ALLOC_REGISTERS_GEN3);
	return true;
}
