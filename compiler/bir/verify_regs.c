/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers: no use that no definition can reach.  Forward dataflow over the
 * blocks of a function, value = registers that some path has defined; so an
 * error is certain, and a use that only some paths define is let through.
 * A structured body counts as able to define all that it defines before any
 * of its uses (an earlier trip may have).  A function that is called, or that
 * calls, is left out: the other side may define.
 *
 * Cost: blocks * registers / 64 a round, rounds at most loop depth + 2 in
 * layout order.
 */
#include "compiler/bir/verify.h"

#include <stdlib.h>
#include <string.h>

struct flow {
	const struct verify *v;
	uint64_t *now; /* defined at the current place */
};

static bool has(const uint64_t *set, int id)
{
	return set[id / 64] >> (id % 64) & 1;
}

static void add(uint64_t *set, int id)
{
	set[id / 64] |= (uint64_t)1 << (id % 64);
}

/* A loop counts in every engine's copy of its counter. */
static void add_copies(const struct bir_inst *i, uint64_t *set)
{
	const struct bir_reg *r;

	if (!bir_is_body(i) || !i->u.loop.iv)
		return;
	for (r = i->u.loop.iv->next; r; r = r->next)
		if (r->origin == i->u.loop.iv)
			add(set, r->id);
}

static void add_block(struct bir_block *b, uint64_t *set)
{
	struct bir_regref ref[BIR_REFS];
	struct bir_block *inner;
	struct bir_inst *i;
	int k, n;

	for (i = b->first; i; i = i->next) {
		n = bir_reg_refs(i, ref, BIR_REFS);
		for (k = 0; k < n && k < BIR_REFS; k++)
			if (ref[k].def)
				add(set, (*ref[k].slot)->id);
		add_copies(i, set);
		if (!bir_is_body(i))
			continue;
		for (inner = i->u.loop.body.first; inner; inner = inner->next)
			add_block(inner, set);
	}
}

static void add_body(struct bir_inst *i, uint64_t *set)
{
	for (struct bir_block *b = i->u.loop.body.first; b; b = b->next)
		add_block(b, set);
}

static bool check_region(struct flow *f, struct bir_region *r);

static bool check_inst(struct flow *f, struct bir_inst *i)
{
	struct bir_regref ref[BIR_REFS];
	const struct bir_reg *r;
	int k, n = bir_reg_refs(i, ref, BIR_REFS);

	if (n > BIR_REFS)
		return verify_fail(f->v, i, "BIR020",
		                   "names %d registers; at most %d", n,
		                   BIR_REFS);
	/* the body of a DoWhile defines its condition; bounds of other loops
	 * are read in front of the body */
	if (i->it == BIR_IT_DO_WHILE)
		add_body(i, f->now);
	for (k = 0; k < n; k++) {
		r = *ref[k].slot;
		if (bir_reg_find(f->v->m, r->name) != r)
			return verify_fail(f->v, i, "BIR019",
			                   "register %s is not of this module",
			                   r->name);
		if (r->phys < 0 && (f->v->flags & BIR_V_COLORED))
			return verify_fail(f->v, i, "BIR023",
			                   "register %s is still virtual",
			                   r->name);
		if (r->engine != i->engine && r->engine != BIR_ENG_ALL &&
		    bir_engine_stream(i->engine) >= 0)
			return verify_fail(f->v, i, "BIR020",
			                   "register %s is on %s, not on %s",
			                   r->name, bir_engine_text(r->engine),
			                   bir_engine_text(i->engine));
		if (!ref[k].def && !has(f->now, r->id))
			return verify_fail(f->v, i, "BIR020",
			                   "register %s is read before it is "
			                   "written",
			                   r->name);
		if (ref[k].def)
			add(f->now, r->id);
	}
	add_copies(i, f->now);
	if (bir_is_body(i))
		add_body(i, f->now);
	return !bir_is_body(i) || check_region(f, &i->u.loop.body);
}

static bool check_region(struct flow *f, struct bir_region *r)
{
	struct bir_block *b;
	struct bir_inst *i;

	for (b = r->first; b; b = b->next)
		for (i = b->first; i; i = i->next)
			if (!check_inst(f, i))
				return false;
	return true;
}

/* One round over the blocks; in[order] are their sets.  Did one grow? */
static bool spread(const struct bir_func *f, size_t words, uint64_t *in,
                   uint64_t *out)
{
	struct bir_block *b, *succ[64];
	bool grown = false;
	uint64_t *to;
	int k, n;
	size_t w;

	for (b = f->body.first; b; b = b->next) {
		memcpy(out, in + (size_t)b->order * words, words * 8);
		add_block(b, out);
		n = bir_successors(b, succ, 64);
		for (k = 0; k < n && k < 64; k++) {
			to = in + (size_t)succ[k]->order * words;
			for (w = 0; w < words; w++) {
				grown |= (out[w] & ~to[w]) != 0;
				to[w] |= out[w];
			}
		}
	}
	return grown;
}

bool verify_regs(const struct verify *v, struct bir_func *f)
{
	struct flow flow = {v, NULL};
	size_t words = (size_t)v->m->nreg / 64 + 1, n = 0;
	uint64_t *in, *out;
	struct bir_block *b;
	struct bir_inst *i;
	bool ok = true;

	if (v->m->nfunc > 1)
		return true;
	for (b = f->body.first; b; b = b->next)
		b->order = (int)n++;
	in = calloc(n + 1, words * 8);
	out = calloc(words, 8);
	if (in && out) {
		while (spread(f, words, in, out))
			;
		for (b = f->body.first; b && ok; b = b->next) {
			flow.now = in + (size_t)b->order * words;
			for (i = b->first; i && ok; i = i->next)
				ok = check_inst(&flow, i);
		}
	}
	free(in);
	free(out);
	return ok;
}
