/* SPDX-License-Identifier: Apache-2.0
 *
 * lower_dma (L17): a DMA op becomes a block of descriptors and a trigger in
 * its place.
 *
 *   edges into the op     to the trigger: they gate the issue
 *   edges out of the op   from the block: it is what completes
 *
 * The patterns of both sides are cut into pieces that one descriptor can
 * say (dma_cut.c).  An op with a run-time address is no block: it stays in
 * the stream of its trigger engine, as one op a piece; edges into it go to
 * the first, edges out of it leave from the last.
 *
 * After: DMA ops only with symbolic sides, of one piece each, on a concrete
 * engine.  Cost: linear in instructions, edges and descriptors.
 */
#include "compiler/passes/dma_cut.h"
#include "compiler/passes/pass.h"

#include <stdio.h>

struct lower {
	struct bir_module *m;
	struct pass_ctx *c;
	int blocks, descs, streamed, n;
};

static void move_edges(struct bir_module *m, struct bir_inst *from,
                       struct bir_inst *in, struct bir_inst *out)
{
	for (struct bir_dep *d = from->preds; d; d = d->in_next)
		bir_dep_add(m, in, d->pred, d->kind, d->carried);
	for (struct bir_dep *d = from->succs; d; d = d->out_next)
		bir_dep_add(m, d->succ, out, d->kind, d->carried);
}

static bool refuse(struct lower *s, struct bir_inst *i, const char *what)
{
	return pass_fail(s->c, s->m, i, "CMP014", "%s: %s", i->name, what);
}

static bool check_sides(struct lower *s, struct bir_inst *i)
{
	const struct bir_arg *a = i->in[0], *b = i->out[0];

	if (i->nin != 1 || i->nout != 1 || !bir_is_ap(a) || !bir_is_ap(b))
		return refuse(s, i, "a DMA has one source and one destination");
	if (bir_ap_count(a) != bir_ap_count(b))
		return pass_fail(s->c, s->m, i, "CMP014",
		                 "%s: source has %lld elements, destination "
		                 "%lld; make them equal",
		                 i->name, (long long)bir_ap_count(a),
		                 (long long)bir_ap_count(b));
	if (b->loc->kind == BIR_INPUT || b->loc->kind == BIR_CONST)
		return pass_fail(s->c, s->m, i, "CMP003",
		                 "%s: copy to read-only tensor %s; copy to an "
		                 "internal or output tensor",
		                 i->name, b->loc->name);
	return true;
}

static void make_block(struct lower *s, struct bir_inst *i,
                       const struct dma_piece *piece, int n)
{
	struct bir_module *m = s->m;
	char name[192];
	struct bir_inst *block, *trigger;

	snprintf(name, sizeof name, "%s-trigger", i->name);
	trigger = bir_inst_new(m, BIR_IT_DMA_TRIGGER, name, pass_stream(i));
	snprintf(name, sizeof name, "%s-block", i->name);
	block = bir_inst_new(m, BIR_IT_DMA_BLOCK, name, BIR_ENG_NONE);
	trigger->pos = block->pos = i->pos;
	trigger->pred = i->pred;
	trigger->wait = i->wait;
	trigger->u.trigger.count = 1;
	trigger->u.trigger.block = block;
	block->u.dmablock.trigger = trigger;
	for (int k = 0; k < n; k++) {
		struct bir_inst *d =
		    bir_desc(m, block, piece[k].src, piece[k].dst);

		d->u.dma = i->u.dma;
		d->pos = i->pos;
	}
	bir_inst_before(i, trigger);
	move_edges(m, i, trigger, block);
	bir_inst_delete(m, i);
	s->blocks++;
	s->descs += n;
}

/* A run-time address: one op a piece, in the stream. */
static void make_stream(struct lower *s, struct bir_inst *i,
                        const struct dma_piece *piece, int n)
{
	struct bir_module *m = s->m;
	struct bir_inst *first = i, *last = i;
	char name[192];

	i->engine = pass_stream(i);
	for (int k = 1; k < n; k++) {
		snprintf(name, sizeof name, "%s-part%d", i->name, k);
		struct bir_inst *p = bir_inst_new(m, i->it, name, i->engine);

		p->pos = i->pos;
		p->u.dma = i->u.dma;
		for (const struct bir_pred *q = i->pred; q; q = q->next)
			bir_predicate(m, p, bir_expr_copy(m, q->expr), q->cmp);
		bir_in(p, piece[k].src);
		bir_out(p, piece[k].dst);
		bir_inst_after(last, p);
		last = p;
	}
	for (struct bir_dep *d = i->succs, *next; d && last != first;
	     d = next) {
		next = d->out_next;
		bir_dep_add(m, d->succ, last, d->kind, d->carried);
		bir_dep_remove(m, d);
	}
	i->in[0] = piece[0].src;
	i->out[0] = piece[0].dst;
	s->streamed += n;
}

static bool visit(struct bir_inst *i, void *ctx)
{
	struct lower *s = ctx;
	struct dma_piece *piece;
	int n;

	if (!bir_is_dma(i))
		return true;
	if (!check_sides(s, i))
		return false;
	n = dma_cut(s->m, s->c->scratch, i->in[0], i->out[0], &piece);
	if (n > TPB_HWDGE_BLOCK_DESCS_GEN3)
		return pass_fail(s->c, s->m, i, "CMP015",
		                 "%s: the copy needs %d descriptors, limit %d; "
		                 "make the innermost axis contiguous on both "
		                 "sides or split the copy",
		                 i->name, n, TPB_HWDGE_BLOCK_DESCS_GEN3);
	if (n < 1)
		return refuse(s, i,
		              "the copy moves nothing; give it at least "
		              "one element");
	if (i->in[0]->kind == BIR_ARG_AP && i->out[0]->kind == BIR_ARG_AP)
		make_block(s, i, piece, n);
	else
		make_stream(s, i, piece, n);
	return true;
}

bool pass_lower_dma(struct bir_module *m, struct pass_ctx *c)
{
	struct lower s = {m, c, 0, 0, 0, 0};

	for (struct bir_func *f = m->first; f; f = f->next)
		if (!pass_each(&f->body, visit, &s))
			return false;
	pass_stat(c, "blocks=%d descriptors=%d in streams=%d", s.blocks,
	          s.descs, s.streamed);
	return true;
}
