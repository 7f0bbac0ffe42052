/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors, geometry, walks and small pieces of code that several passes need.
 */
#include "compiler/passes/pass.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool pass_fail(struct pass_ctx *c, const struct bir_module *m,
               const struct bir_inst *i, const char *id, const char *format,
               ...)
{
	va_list ap;

	snprintf(c->err->id, sizeof c->err->id, "%s", id);
	if (i && i->pos.line > 0)
		snprintf(c->err->place, sizeof c->err->place, "%s:%d",
		         m->path ? m->path : "?", i->pos.line);
	else
		snprintf(c->err->place, sizeof c->err->place, "%s",
		         m->path ? m->path : "?");
	va_start(ap, format);
	vsnprintf(c->err->text, sizeof c->err->text, format, ap);
	va_end(ap);
	return false;
}

void pass_stat(struct pass_ctx *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(c->stat, sizeof c->stat, format, ap);
	va_end(ap);
}

int64_t pass_sbuf_bytes(const struct bir_module *m, const struct pass_ctx *c)
{
	if (c->opts->sbuf_bytes)
		return c->opts->sbuf_bytes;
	return m->gen == 2   ? TPB_SBUF_BYTES_GEN2
	       : m->gen == 4 ? TPB_SBUF_BYTES_GEN4
	                     : TPB_SBUF_BYTES_GEN3;
}

int64_t pass_psum_bytes(const struct bir_module *m)
{
	return m->gen == 2   ? TPB_PSUM_BYTES_GEN2
	       : m->gen == 4 ? TPB_PSUM_BYTES_GEN4
	                     : TPB_PSUM_BYTES_GEN3;
}

int64_t pass_dram_bytes(const struct bir_module *m)
{
	int64_t gib = m->gen == 2   ? TPB_HBM_CORE_GIB_GEN2
	              : m->gen == 4 ? TPB_HBM_CORE_GIB_GEN4
	                            : TPB_HBM_CORE_GIB_GEN3;

	return gib << 30;
}

struct bir_block *pass_top(struct bir_block *b)
{
	while (b->region->owner)
		b = b->region->owner->block;
	return b;
}

bool pass_each(struct bir_region *r, bool (*f)(struct bir_inst *i, void *ctx),
               void *ctx)
{
	for (struct bir_block *b = r->first, *nb; b; b = nb) {
		nb = b->next;
		for (struct bir_inst *i = b->first, *ni; i; i = ni) {
			ni = i->next;
			if (!f(i, ctx))
				return false;
			if (bir_is_body(i) &&
			    !pass_each(&i->u.loop.body, f, ctx))
				return false;
		}
	}
	return true;
}

int pass_engines(const struct bir_module *m, enum bir_engine out[BIR_NENGINES])
{
	int n = 0;

	for (int e = 0; e < BIR_NENGINES; e++)
		if ((m->engines & BIR_ENG_STREAMS) >> e & 1)
			out[n++] = (enum bir_engine)e;
	return n;
}

const char *pass_engine_suffix(enum bir_engine e)
{
	static const char *const text[BIR_NENGINES] = {
	    "None0", "Pool0", "Activation0", "PE0",
	    "DMA0",  "DVE0",  "SP0",         "ALL0"};

	return text[e];
}

enum bir_engine pass_stream(const struct bir_inst *i)
{
	if (i->it == BIR_IT_DMA_BLOCK)
		return i->u.dmablock.trigger ? i->u.dmablock.trigger->engine
		                             : BIR_ENG_SP;
	return i->engine == BIR_ENG_DMA ? BIR_ENG_SP : i->engine;
}

struct bir_reg *pass_reg_find(struct bir_module *m, struct bir_reg *r,
                              enum bir_engine e)
{
	struct bir_reg *root = r->origin ? r->origin : r;

	if (r->engine == e || r->engine == BIR_ENG_ALL ||
	    r->engine == BIR_ENG_NONE)
		return r;
	if (root->engine == e)
		return root;
	char name[160];

	snprintf(name, sizeof name, "%s.%s", root->name, pass_engine_suffix(e));
	struct bir_reg *copy = bir_reg_find(m, name);

	return copy && copy->origin == root ? copy : NULL;
}

struct bir_reg *pass_reg(struct bir_module *m, struct bir_reg *r,
                         enum bir_engine e)
{
	struct bir_reg *root = r->origin ? r->origin : r;
	struct bir_reg *copy = pass_reg_find(m, r, e);

	if (copy)
		return copy;
	char name[160];

	snprintf(name, sizeof name, "%s.%s", root->name, pass_engine_suffix(e));
	copy = bir_reg_new(m, name, e, root->bits);
	copy->origin = root;
	copy->pos = root->pos;
	copy->lo = root->lo;
	copy->hi = root->hi;
	return copy;
}

void pass_rewire(struct bir_module *m, struct bir_inst *i, enum bir_engine e)
{
	struct bir_regref ref[BIR_REFS];
	int n = bir_is_body(i) ? 0 : bir_reg_refs(i, ref, BIR_REFS);

	for (int k = 0; k < n && k < BIR_REFS; k++)
		*ref[k].slot = pass_reg(m, *ref[k].slot, e);
}

struct bir_inst *pass_new_move(struct bir_module *m, enum bir_engine e,
                               struct bir_reg *dst, struct bir_arg *src)
{
	struct bir_inst *i = bir_inst_new(m, BIR_IT_REG_MOVE, NULL, e);

	bir_in(i, src);
	bir_out(i, bir_use(m, dst));
	return i;
}

struct bir_inst *pass_new_alu(struct bir_module *m, enum bir_engine e, int op,
                              struct bir_reg *dst, struct bir_reg *a,
                              struct bir_arg *b)
{
	struct bir_inst *i = bir_inst_new(m, BIR_IT_REG_ALU, NULL, e);

	i->u.alu.op0 = op;
	bir_in(i, bir_use(m, a));
	bir_in(i, b);
	bir_out(i, bir_use(m, dst));
	return i;
}

void pass_before_end(struct bir_block *b, struct bir_inst *i)
{
	struct bir_inst *t = bir_first_terminator(b);

	if (t)
		bir_inst_before(t, i);
	else
		bir_inst_append(b, i);
	if (t && !i->pos.line)
		i->pos = t->pos;
}

void pass_jump_all(struct bir_module *m, struct bir_block *b,
                   struct bir_block *to, struct bir_pos pos)
{
	enum bir_engine u[BIR_NENGINES];
	int n = pass_engines(m, u);
	char name[160];
	struct bir_inst *sp = bir_jump(m, b, BIR_ENG_SP, to);

	sp->pos = pos;
	for (int k = 0; k < n; k++) {
		if (u[k] == BIR_ENG_SP)
			continue;
		snprintf(name, sizeof name, "%s.%s", sp->name,
		         pass_engine_suffix(u[k]));
		struct bir_inst *i = bir_emit(m, b, BIR_IT_JUMP, name, u[k]);

		i->u.branch.on_true = to;
		i->pos = pos;
	}
}

struct bir_block *pass_edge_block(struct bir_module *m, struct bir_block *from,
                                  struct bir_block *to, const char *suffix)
{
	char name[160];

	snprintf(name, sizeof name, "%s-%s-%s", from->name, to->name, suffix);
	struct bir_block *e = to->prev ? bir_block_after(m, to->prev, name)
	                               : bir_block_after(m, to, name);
	struct bir_inst *t = bir_first_terminator(from);

	e->origin = from->origin;
	pass_jump_all(m, e, to, t ? t->pos : from->pos);
	for (; t; t = t->next) {
		if (t->it != BIR_IT_BRANCH && t->it != BIR_IT_JUMP)
			continue;
		if (t->u.branch.on_true == to)
			t->u.branch.on_true = e;
		if (t->it == BIR_IT_BRANCH && t->u.branch.on_false == to)
			t->u.branch.on_false = e;
	}
	return e;
}

int pass_fix_layout(struct bir_module *m, struct bir_func *f)
{
	int made = 0;
	char name[160];

	for (struct bir_block *b = f->body.first; b; b = b->next) {
		struct bir_inst *t = bir_first_terminator(b);

		if (!t || t->it != BIR_IT_BRANCH ||
		    t->u.branch.on_true == b->next ||
		    t->u.branch.on_false == b->next)
			continue;
		struct bir_block *old = t->u.branch.on_false;

		snprintf(name, sizeof name, "%s-else", b->name);
		struct bir_block *e = bir_block_after(m, b, name);

		e->origin = b->origin;
		pass_jump_all(m, e, old, t->pos);
		for (; t; t = t->next)
			if (t->it == BIR_IT_BRANCH)
				t->u.branch.on_false = e;
		made++;
	}
	return made;
}
