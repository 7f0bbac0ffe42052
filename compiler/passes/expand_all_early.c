/* SPDX-License-Identifier: Apache-2.0
 *
 * expand_all_early (L19): a scalar op on ALL becomes one op an engine that
 * needs its result, and a register on ALL one register an engine.
 *
 * need(r) = U where a branch, a loop bound, a condition or a predicate reads
 * r, else the streams of its readers, carried back through the expanded ops;
 * SP where nobody reads r.
 * The first engine of need(r) keeps r and the op itself, the others get
 * "<name>.<Engine>0" behind it.  Registers of branches and loops keep naming
 * the first copy: lower_branch replicates those.
 *
 * Every copy of a register holds the same value: immediates, ranks and
 * counters are equal everywhere, and the loads of one tensor see the same
 * bytes because the next write waits for all of them.
 *
 * Before: lower_dma.  After: no register op, TensorLoad or rank op on ALL, no
 * register on ALL.  Cost: linear in operands times engines.
 */
#include "compiler/passes/pass.h"

#include <stdio.h>
#include <string.h>

struct def {
	struct def *next;
	struct bir_inst *i;
};

struct expand {
	struct bir_module *m;
	struct pass_ctx *c;
	unsigned *need;    /* by register id: mask of engines */
	struct def **defs; /* by register id: expanded ops that write it */
	int *stack, depth;
	int ops, clones;
};

static bool scalar(const struct bir_inst *i)
{
	return i->it == BIR_IT_REG_ALU || i->it == BIR_IT_REG_MOVE ||
	       i->it == BIR_IT_TENSOR_LOAD || i->it == BIR_IT_GLOBAL_RANK ||
	       i->it == BIR_IT_PROC_RANK;
}

static bool control(const struct bir_inst *i)
{
	return i->it == BIR_IT_BRANCH || bir_is_body(i);
}

static void require(struct expand *s, const struct bir_reg *r, unsigned mask)
{
	if (r->engine != BIR_ENG_ALL || !(mask & ~s->need[r->id]))
		return;
	s->need[r->id] |= mask;
	s->stack[s->depth++] = r->id;
}

/* A register is on the stack at most once an engine bit. */
static void settle(struct expand *s)
{
	struct bir_regref ref[BIR_REFS];

	while (s->depth > 0) {
		int id = s->stack[--s->depth];

		for (const struct def *d = s->defs[id]; d; d = d->next) {
			int n = bir_reg_refs(d->i, ref, BIR_REFS);

			for (int k = 0; k < n && k < BIR_REFS; k++)
				if (!ref[k].def)
					require(s, *ref[k].slot, s->need[id]);
		}
	}
}

static bool collect(struct bir_inst *i, void *ctx)
{
	struct expand *s = ctx;
	struct bir_reg *r;

	if (!scalar(i) || i->nout < 1 || i->out[0]->kind != BIR_ARG_REG)
		return true;
	r = i->out[0]->reg;
	if (r->engine == BIR_ENG_ALL)
		i->engine = BIR_ENG_ALL;
	else if (i->engine == BIR_ENG_ALL)
		i->engine = r->engine;
	if (i->engine != BIR_ENG_ALL)
		return true;
	struct def *d = ARENA_NEW(s->c->scratch, struct def);

	d->i = i;
	d->next = s->defs[r->id];
	s->defs[r->id] = d;
	return true;
}

static bool readers(struct bir_inst *i, void *ctx)
{
	struct expand *s = ctx;
	struct bir_regref ref[BIR_REFS];
	unsigned u = s->m->engines & BIR_ENG_STREAMS, mask;
	struct bir_pred *pred = i->pred;

	if (scalar(i) && i->engine == BIR_ENG_ALL)
		mask = 0;
	else if (control(i) || i->engine == BIR_ENG_ALL)
		mask = u;
	else
		mask = 1u << pass_stream(i);
	i->pred = NULL;
	int n = bir_reg_refs(i, ref, BIR_REFS);

	i->pred = pred;
	for (int k = 0; k < n && k < BIR_REFS; k++)
		require(s, *ref[k].slot, mask);
	for (struct bir_pred *p = pred; p; p = p->next)
		for (int k = 0; k < p->expr->nterm; k++)
			if (p->expr->term[k].reg)
				require(s, p->expr->term[k].reg, u);
	settle(s);
	return true;
}

/* A result that nobody reads is computed on SP, which then needs what it is
 * computed from. */
static void unread(struct expand *s)
{
	for (struct bir_reg *r = s->m->reg; r; r = r->next)
		if (r->engine == BIR_ENG_ALL && s->defs[r->id] &&
		    !s->need[r->id]) {
			require(s, r, 1u << BIR_ENG_SP);
			settle(s);
		}
}

/* ---- the copies ---- */

struct copies {
	struct bir_inst *of[BIR_NENGINES];
};

static void edge_in(struct bir_module *m, struct copies *to,
                    const struct bir_dep *d)
{
	struct copies *from = d->pred->aux;

	for (int e = 0; e < BIR_NENGINES; e++) {
		struct bir_inst *p = from ? from->of[e] : d->pred;

		if (to->of[e] && p && p != to->of[e])
			bir_dep_add(m, to->of[e], p, d->kind, d->carried);
	}
}

/* An edge from a register op to a reader on one engine is that engine's; one
 * from a load or a rank op leaves from all. */
static void edge_out(struct bir_module *m, struct copies *from,
                     const struct bir_dep *d)
{
	bool reg =
	    d->pred->it == BIR_IT_REG_ALU || d->pred->it == BIR_IT_REG_MOVE;

	if (d->succ->aux)
		return; /* done by edge_in of the other */
	for (int e = 0; e < BIR_NENGINES; e++)
		if (from->of[e] && (!reg || e == (int)pass_stream(d->succ) ||
		                    d->succ->engine == BIR_ENG_ALL))
			bir_dep_add(m, d->succ, from->of[e], d->kind,
			            d->carried);
}

static bool clone_op(struct bir_inst *i, void *ctx)
{
	struct expand *s = ctx;
	struct bir_inst *last = i;
	unsigned mask;
	char name[192];

	i->aux = NULL;
	if (!scalar(i) || i->engine != BIR_ENG_ALL || i->order < 0)
		return true;
	struct bir_reg *r = i->out[0]->reg;

	mask = s->need[r->id] & s->m->engines & BIR_ENG_STREAMS;
	mask = mask ? mask : 1u << BIR_ENG_SP;
	struct copies *cp = ARENA_NEW(s->c->scratch, struct copies);

	for (int e = 0; e < BIR_NENGINES; e++) {
		if (!(mask >> e & 1))
			continue;
		if (last == i && !cp->of[r->engine] && (int)r->engine == e) {
			cp->of[e] = i;
			continue;
		}
		snprintf(name, sizeof name, "%s.%s", i->name,
		         pass_engine_suffix((enum bir_engine)e));
		struct bir_inst *n = bir_inst_clone(s->m, i, name);

		n->engine = (enum bir_engine)e;
		n->order = -1; /* made here */
		bir_inst_after(last, n);
		cp->of[e] = last = n;
		s->clones++;
	}
	s->ops++;
	i->aux = cp;
	return true;
}

static bool connect(struct bir_inst *i, void *ctx)
{
	struct expand *s = ctx;
	struct copies *cp = i->aux;
	struct bir_dep *next;

	if (!cp)
		return true;
	for (struct bir_dep *d = i->preds; d; d = next) {
		next = d->in_next;
		edge_in(s->m, cp, d);
	}
	for (struct bir_dep *d = i->succs; d; d = next) {
		next = d->out_next;
		edge_out(s->m, cp, d);
	}
	return true;
}

/* Edges of the original that belong to other engines' copies. */
static void prune(struct bir_module *m, struct bir_inst *i)
{
	struct bir_dep *next;
	bool reg = i->it == BIR_IT_REG_ALU || i->it == BIR_IT_REG_MOVE;

	for (struct bir_dep *d = i->preds; d; d = next) {
		struct copies *from = d->pred->aux;

		next = d->in_next;
		if (from && from->of[i->engine] != d->pred)
			bir_dep_remove(m, d);
	}
	for (struct bir_dep *d = i->succs; d; d = next) {
		next = d->out_next;
		if (reg && !d->succ->aux && d->succ->engine != BIR_ENG_ALL &&
		    pass_stream(d->succ) != i->engine)
			bir_dep_remove(m, d);
	}
}

static bool rewire(struct bir_inst *i, void *ctx)
{
	struct expand *s = ctx;
	struct copies *cp = i->aux;

	i->order = 0;
	if (cp)
		i->engine = i->out[0]->reg->engine;
	if (cp)
		prune(s->m, i);
	if (control(i) || i->engine == BIR_ENG_ALL || i->engine == BIR_ENG_NONE)
		return true;
	pass_rewire(s->m, i, pass_stream(i));
	return true;
}

static bool clear(struct bir_inst *i, void *ctx)
{
	(void)ctx;
	i->aux = NULL;
	i->order = 0;
	return true;
}

static void each(struct bir_module *m, bool (*f)(struct bir_inst *, void *),
                 struct expand *s)
{
	for (struct bir_func *fn = m->first; fn; fn = fn->next)
		pass_each(&fn->body, f, s);
}

bool pass_expand_all_early(struct bir_module *m, struct pass_ctx *c)
{
	struct expand s = {.m = m, .c = c};
	size_t n = (size_t)m->nreg + 1;
	int regs = 0;

	s.need = arena_array(c->scratch, n, sizeof *s.need);
	s.defs = arena_array(c->scratch, n, sizeof *s.defs);
	s.stack = arena_array(c->scratch, n * BIR_NENGINES, sizeof *s.stack);
	each(m, clear, &s);
	each(m, collect, &s);
	each(m, readers, &s);
	unread(&s);
	for (struct bir_reg *r = m->reg; r; r = r->next) {
		if (r->engine != BIR_ENG_ALL)
			continue;
		unsigned mask = s.need[r->id] & m->engines & BIR_ENG_STREAMS;

		r->engine =
		    mask ? (enum bir_engine)__builtin_ctz(mask) : BIR_ENG_SP;
		regs++;
	}
	each(m, clone_op, &s);
	each(m, connect, &s);
	each(m, rewire, &s);
	each(m, clear, &s);
	pass_stat(c, "ops=%d clones=%d registers=%d copies=%d", s.ops, s.clones,
	          regs, m->nreg - (int)(n - 1));
	return true;
}
