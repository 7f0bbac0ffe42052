/* SPDX-License-Identifier: Apache-2.0
 *
 * seq_inst_opt (L26): fold register copies inside a block.
 *
 * A RegisterMove d := s goes away when it is d's only definition, every use
 * of d follows it in its block, and s is not written before the last of them:
 * the uses read s instead.  Moves of immediates, halves of pairs and moves
 * with waits or posts stay.
 *
 * Cost: linear in operands.
 */
#include "compiler/passes/pass.h"

#include <string.h>

struct use {
	struct use *next;
	struct bir_reg **slot;
};

struct fold {
	struct fold *next; /* of one source, or of the block */
	struct fold *all;
	struct bir_inst *move;
	struct bir_reg *src, *dst;
	struct use *uses;
	int nuse;
	bool live; /* src still holds the value */
};

struct opt {
	struct bir_module *m;
	struct arena *a;
	int *defs, *uses;     /* by register id, whole module */
	struct fold **of_dst; /* candidate that defines the register */
	struct fold **of_src; /* live candidates that read it */
	int folded;
};

static bool count(struct bir_inst *i, void *ctx)
{
	struct opt *s = ctx;
	struct bir_regref ref[BIR_REFS];
	int n = bir_reg_refs(i, ref, BIR_REFS);

	for (int k = 0; k < n && k < BIR_REFS; k++)
		(ref[k].def ? s->defs : s->uses)[(*ref[k].slot)->id]++;
	return true;
}

static bool candidate(const struct opt *s, const struct bir_inst *i)
{
	const struct bir_arg *a = i->in[0], *d = i->out[0];

	return i->it == BIR_IT_REG_MOVE && !i->wait && !i->update &&
	       a->kind == BIR_ARG_REG && a->half == BIR_WHOLE &&
	       d->half == BIR_WHOLE && a->reg != d->reg &&
	       a->reg->bits == d->reg->bits &&
	       a->reg->engine == d->reg->engine && s->defs[d->reg->id] == 1 &&
	       !s->of_dst[a->reg->id];
}

static void scan(struct opt *s, struct bir_inst *i, struct fold **all)
{
	struct bir_regref ref[BIR_REFS];
	int n = bir_reg_refs(i, ref, BIR_REFS);

	n = n < BIR_REFS ? n : BIR_REFS;
	for (int k = 0; k < n; k++) {
		struct fold *f = s->of_dst[(*ref[k].slot)->id];

		if (ref[k].def || !f || !f->live || ref[k].half != BIR_WHOLE)
			continue;
		struct use *u = ARENA_NEW(s->a, struct use);

		*u = (struct use){f->uses, ref[k].slot};
		f->uses = u;
		f->nuse++;
	}
	for (int k = 0; k < n; k++) {
		if (!ref[k].def)
			continue;
		int id = (*ref[k].slot)->id;

		for (struct fold *f = s->of_src[id]; f; f = f->next)
			f->live = false;
		s->of_src[id] = NULL;
	}
	if (!candidate(s, i))
		return;
	struct fold *f = ARENA_NEW(s->a, struct fold);

	f->move = i;
	f->src = i->in[0]->reg;
	f->dst = i->out[0]->reg;
	f->live = true;
	f->next = s->of_src[f->src->id];
	s->of_src[f->src->id] = f;
	s->of_dst[f->dst->id] = f;
	f->all = *all;
	*all = f;
}

static void block(struct opt *s, struct bir_block *b)
{
	struct fold *all = NULL;

	for (struct bir_inst *i = b->first; i; i = i->next)
		scan(s, i, &all);
	for (struct fold *f = all; f; f = f->all) {
		s->of_src[f->src->id] = NULL;
		s->of_dst[f->dst->id] = NULL;
		if (f->nuse != s->uses[f->dst->id])
			continue;
		for (struct use *u = f->uses; u; u = u->next)
			*u->slot = f->src;
		bir_dep_bypass(s->m, f->move);
		bir_inst_delete(s->m, f->move);
		s->folded++;
	}
}

bool pass_seq_inst_opt(struct bir_module *m, struct pass_ctx *c)
{
	struct opt s = {.m = m, .a = c->scratch};
	size_t n = (size_t)m->nreg + 1;

	s.defs = arena_array(c->scratch, n, sizeof(int));
	s.uses = arena_array(c->scratch, n, sizeof(int));
	s.of_dst = arena_array(c->scratch, n, sizeof *s.of_dst);
	s.of_src = arena_array(c->scratch, n, sizeof *s.of_src);
	for (struct bir_func *f = m->first; f; f = f->next)
		pass_each(&f->body, count, &s);
	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next)
			block(&s, b);
	pass_stat(c, "moves folded=%d", s.folded);
	return true;
}
