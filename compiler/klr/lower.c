/* SPDX-License-Identifier: Apache-2.0
 *
 * KLR to the compiler's IR: the module, its tensors, blocks, loops and edges.
 *
 * Contract: the kernel has passed klr_check().  One statement becomes one
 * instruction, in the same order, with the line of the text; a loop becomes a
 * structured Loop whose body is one block.  What the compiler does not build
 * is refused by name.
 */
#include "compiler/klr/lower.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------ tensors */

static void lower_tensor(struct klr_lowerer *l, const struct klr_tensor *t)
{
	static const enum bir_kind kind[] = {
	    [KLR_LOCAL] = BIR_INTERNAL,  [KLR_INPUT] = BIR_INPUT,
	    [KLR_OUTPUT] = BIR_OUTPUT_T, [KLR_CONST] = BIR_CONST,
	    [KLR_BUFFER] = BIR_INTERNAL,
	};
	enum bir_mem mem = t->memory == KLR_SBUF   ? BIR_SBUF
	                   : t->memory == KLR_PSUM ? BIR_PSUM
	                                           : BIR_DRAM;
	int64_t shape[BIR_RANK] = {t->dims[0], klr_free_elements(t)};
	int rank = t->ndims;
	struct bir_loc *loc;

	if (t->memory == KLR_REG)
		return; /* refused where it is used */
	if (rank > BIR_RANK)
		rank = 2;
	else
		memcpy(shape, t->dims, sizeof(*shape) * (size_t)rank);
	loc = bir_loc_new(l->m, t->name, mem, kind[t->class],
	                  klr_dtype_bir(t->dtype), rank, shape);
	loc->pos = (struct bir_pos){(int)t->pos.line, (int)t->pos.col};
	klr_names_put(l->tensors, t->name, loc);
	if (mem != BIR_DRAM && t->part >= 0) {
		bir_loc_place(loc, (int)t->part, t->byte);
		loc->fixed = true;
	}
	if (t->file)
		klr_lower_data(l, t, loc);
}

/* ------------------------------------------------------------ code */

/* Names as the original code generator gives them, a prefix and a running
 * number; ours where it is silent. */
static const char *prefix(enum bir_it it)
{
	switch (it) {
	case BIR_IT_MEMSET:
	case BIR_IT_GENERIC_COPY: return "memset";
	case BIR_IT_IOTA: return "iota";
	case BIR_IT_BRANCH: return "CmpAndBranch";
	default: return bir_it_text(it);
	}
}

struct bir_inst *klr_lower_inst(struct klr_lowerer *l, const struct klr_stmt *s,
                                enum bir_it it, enum bir_engine engine)
{
	struct bir_inst *i;
	char name[64];

	snprintf(name, sizeof(name), "%.40s-%d", prefix(it), l->running++);
	i = bir_emit(l->m, l->at, it, s->name ? s->name : name, engine);
	i->pos = (struct bir_pos){(int)s->pos.line, (int)s->pos.col};
	if (s->name)
		klr_names_put(l->insts, s->name, i);
	return i;
}

static void lower_stmts(struct klr_lowerer *l, const struct klr_stmt *s);

static void lower_loop(struct klr_lowerer *l, const struct klr_stmt *s)
{
	struct bir_block *around = l->at;
	struct bir_reg *iv = bir_reg_new(l->m, s->var, BIR_ENG_ALL, 32);
	struct bir_inst *i;
	char name[80];

	if (s->hi.kind == KLR_V_INT) {
		i = bir_loop(l->m, l->at, iv, s->lo.i, s->hi.i, s->step);
	} else {
		i = bir_emit(l->m, l->at, BIR_IT_DYN_LOOP, NULL, BIR_ENG_ALL);
		i->u.loop.iv = iv;
		i->u.loop.lb = s->lo.i;
		i->u.loop.step = s->step;
		i->u.loop.ubreg = klr_lower_reg(l, s->hi.s);
		i->u.loop.coef = 1;
	}
	i->pos = (struct bir_pos){(int)s->pos.line, (int)s->pos.col};
	iv->pos = i->pos;
	snprintf(name, sizeof(name), "%.40s-%.20s", around->name, s->var);
	l->at = bir_block_new(l->m, &i->u.loop.body, name);
	l->at->pos = i->pos;
	l->loop[l->depth].var = s->var;
	l->loop[l->depth++].reg = iv;
	lower_stmts(l, s->body);
	l->depth--;
	l->at = around;
}

static void lower_stmts(struct klr_lowerer *l, const struct klr_stmt *s)
{
	for (; s && !l->rep.failed; s = s->next) {
		if (s->kind == KLR_S_LOOP)
			lower_loop(l, s);
		else if (!klr_lower_vector(l, s) && !klr_lower_scalar(l, s))
			klr_error_at(
			    &l->rep, s->pos, KLR_E_BUILT,
			    "unsupported operator %s; docs/reference/klr.md "
			    "marks those that are built",
			    klr_op_info(s->op)->name);
	}
}

static void lower_body(struct klr_lowerer *l, const struct klr_body *body)
{
	const struct klr_block *b;

	for (b = body->blocks; b; b = b->next) {
		struct bir_block *n =
		    bir_block_new(l->m, &l->main->body, b->label);

		n->pos = (struct bir_pos){(int)b->pos.line, (int)b->pos.col};
		klr_names_put(l->blocks, b->label, n);
	}
	for (b = body->blocks; b && !l->rep.failed; b = b->next) {
		l->at = klr_names_get(l->blocks, b->label);
		lower_stmts(l, b->body);
	}
}

/* The explicit edges, replayed once: a statement waits for another. */
static void lower_edges(struct klr_lowerer *l)
{
	for (const struct klr_edge *e = l->k->edges; e; e = e->next)
		for (int i = 0; i < e->nto; i++) {
			struct bir_inst *from, *to;

			from = klr_names_get(l->insts, e->from);
			to = klr_names_get(l->insts, e->to[i]);
			if (from && to && from != to)
				bir_dep_add(l->m, to, from, BIR_ORDERED, false);
		}
}

static struct bir_module *refuse(struct klr_lowerer *l)
{
	bir_module_free(l->m);
	return NULL;
}

struct bir_module *klr_lower(const struct klr_kernel *k,
                             const struct klr_lower_opts *opts,
                             struct klr_error *err)
{
	static const struct klr_lower_opts none = {0};
	struct klr_lowerer l = {.k = k, .opts = opts ? opts : &none};
	const struct klr_body *body = k->bodies;
	int gen = l.opts->gen ? l.opts->gen : 3;

	l.rep.path = k->path;
	l.rep.err = err;
	if (!klr_check(k, gen, err))
		return NULL;
	l.m = bir_module_new(k->path, gen);
	l.m->name = arena_strdup(l.m->arena, k->name);
	l.m->cores = 0;
	for (const struct klr_body *b = body; b; b = b->next)
		l.m->cores++;
	l.m->core = l.opts->core;
	for (int i = 0; body && i < l.opts->core; i++)
		body = body->next;
	if (!body || l.m->cores > BIR_CORES) {
		klr_error_at(&l.rep, (struct klr_pos){1, 1}, KLR_E_EDGE,
		             "core %d of a kernel with %d; %d are possible",
		             l.opts->core, l.m->cores, BIR_CORES);
		return refuse(&l);
	}
	l.tensors = klr_names_new(l.m->arena);
	l.regs = klr_names_new(l.m->arena);
	l.blocks = klr_names_new(l.m->arena);
	l.insts = klr_names_new(l.m->arena);
	l.main = bir_func_new(l.m, "main");
	for (const struct klr_tensor *t = k->tensors; t && !l.rep.failed;
	     t = t->next)
		lower_tensor(&l, t);
	if (!l.rep.failed)
		lower_body(&l, body);
	if (l.rep.failed)
		return refuse(&l);
	lower_edges(&l);
	return l.m;
}
