/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about the IR that several passes ask.
 */
#include "compiler/bir/bir_build.h"

#include <stdio.h>

bool bir_is_terminator(const struct bir_inst *i)
{
	const struct bir_opinfo *op = bir_op(i->it);

	return op && op->klass == BIR_CLASS_CTL;
}

bool bir_is_body(const struct bir_inst *i)
{
	return i->it == BIR_IT_LOOP || i->it == BIR_IT_DYN_LOOP ||
	       i->it == BIR_IT_DO_WHILE;
}

bool bir_is_dma(const struct bir_inst *i)
{
	return i->it == BIR_IT_DMA_COPY || i->it == BIR_IT_LOAD ||
	       i->it == BIR_IT_SAVE;
}

static int64_t product(const struct bir_arg *a, int from)
{
	int64_t n = 1;
	int d;

	for (d = from; d < a->npair; d++)
		if (__builtin_mul_overflow(n, a->pair[d].num, &n))
			return INT64_MAX;
	return n;
}

int64_t bir_ap_count(const struct bir_arg *a)
{
	return product(a, 0);
}

int64_t bir_ap_free(const struct bir_arg *a)
{
	return product(a, 1);
}

void bir_ap_span(const struct bir_arg *a, int64_t *lo, int64_t *hi)
{
	int64_t size = bir_dtype_size(a->dtype), far;
	int d;

	*lo = *hi = a->offset;
	for (d = 0; d < a->npair; d++) {
		far = a->pair[d].step * (a->pair[d].num - 1) * size;
		*(far < 0 ? lo : hi) += far;
	}
	*hi += size;
}

uint32_t bir_addr29(const struct bir_loc *l, int64_t flat)
{
	int64_t row = l->row_bytes > 0 ? l->row_bytes : 1;
	uint32_t part = (uint32_t)(l->part + flat / row);
	uint32_t byte = (uint32_t)(l->byte + flat % row);

	if (l->mem == BIR_PSUM)
		return 0x2000000u + (part << 15) + byte;
	return (part << 18) + byte;
}

uint64_t bir_unified(const struct bir_loc *l, int64_t flat)
{
	if (l->mem == BIR_DRAM)
		return (uint64_t)(l->addr + flat);
	return ((uint64_t)1 << 36) + bir_addr29(l, flat);
}

struct bir_inst *bir_first_terminator(const struct bir_block *b)
{
	struct bir_inst *i, *first = NULL;

	for (i = b->first; i && !first; i = i->next)
		if (bir_is_terminator(i))
			first = i;
	return first;
}

static int add_block(struct bir_block *b, struct bir_block **out, int n,
                     int max)
{
	int k;

	for (k = 0; k < n && k < max; k++)
		if (out[k] == b)
			return n;
	if (n < max)
		out[n] = b;
	return n + 1;
}

int bir_successors(const struct bir_block *b, struct bir_block **out, int max)
{
	const struct bir_inst *i;
	bool ends = false;
	int n = 0;

	for (i = bir_first_terminator(b); i; i = i->next)
		switch (i->it) {
		case BIR_IT_BRANCH:
			if (i->u.branch.on_false) {
				n = add_block(i->u.branch.on_false, out, n,
				              max);
				ends = true;
			}
			if (i->u.branch.on_true)
				n = add_block(i->u.branch.on_true, out, n, max);
			break;
		case BIR_IT_JUMP:
			if (i->u.branch.on_true)
				n = add_block(i->u.branch.on_true, out, n, max);
			ends = true;
			break;
		case BIR_IT_RETURN:
		case BIR_IT_EXIT:
		case BIR_IT_BREAK: ends = true; break;
		default: break;
		}
	if (!ends && b->next)
		n = add_block(b->next, out, n, max);
	return n;
}

/* ------------------------------------------------------------ registers */

struct refs {
	struct bir_regref *out;
	int n, max;
};

static void ref(struct refs *s, struct bir_reg **slot, bool def,
                enum bir_half half)
{
	if (!*slot)
		return;
	if (s->n < s->max) {
		s->out[s->n].slot = slot;
		s->out[s->n].def = def;
		s->out[s->n].half = half;
	}
	s->n++;
}

static void refs_of_arg(struct refs *s, struct bir_arg *a, bool out)
{
	int k;

	if (!a)
		return;
	if (a->kind == BIR_ARG_REG)
		ref(s, &a->reg, out, a->half);
	else if (a->kind == BIR_ARG_REGAP)
		ref(s, &a->reg, false, BIR_WHOLE);
	if (a->expr)
		for (k = 0; k < a->expr->nterm; k++) {
			ref(s, &a->expr->term[k].reg, false, BIR_WHOLE);
			refs_of_arg(s, a->expr->term[k].index, false);
		}
}

static void refs_of_expr(struct refs *s, struct bir_expr *e)
{
	struct bir_arg whole = {.kind = BIR_ARG_SYMIMM, .expr = e};

	refs_of_arg(s, &whole, false);
}

int bir_reg_refs(struct bir_inst *i, struct bir_regref *out, int max)
{
	struct refs s = {out, 0, max};
	struct bir_pred *p;
	struct bir_wait *w;
	struct bir_loop *l = &i->u.loop;
	int k;

	for (k = 0; k < i->nin && k < BIR_INS; k++)
		refs_of_arg(&s, i->in[k], false);
	for (w = i->wait; w; w = w->next)
		ref(&s, &w->reg, false, BIR_WHOLE);
	for (p = i->pred; p; p = p->next)
		refs_of_expr(&s, p->expr);
	if (bir_is_body(i)) {
		ref(&s, &l->ubreg, false, BIR_WHOLE);
		ref(&s, &l->cond, false, BIR_WHOLE);
		ref(&s, &l->iv, true, BIR_WHOLE);
	}
	for (k = 0; k < i->nout && k < BIR_OUTS; k++)
		refs_of_arg(&s, i->out[k], true);
	return s.n;
}

/* ------------------------------------------------------------ memory */

struct accesses {
	struct bir_access *out;
	int n, max;
};

static void touch(struct accesses *s, struct bir_arg *a, bool write)
{
	int k;

	if (!a)
		return;
	if (a->expr)
		for (k = 0; k < a->expr->nterm; k++)
			touch(s, a->expr->term[k].index, false);
	if (!bir_is_ap(a))
		return;
	if (s->n < s->max) {
		s->out[s->n].arg = a;
		s->out[s->n].write = write;
	}
	s->n++;
}

static void touches(struct accesses *s, const struct bir_inst *i)
{
	const struct bir_pred *p;
	int k, t;

	for (p = i->pred; p; p = p->next)
		for (t = 0; t < p->expr->nterm; t++)
			touch(s, p->expr->term[t].index, false);
	for (k = 0; k < i->nin && k < BIR_INS; k++)
		touch(s, i->in[k], false);
	for (k = 0; k < i->nout && k < BIR_OUTS; k++) {
		if (i->it == BIR_IT_COPY_PREDICATED)
			touch(s, i->out[k], false);
		touch(s, i->out[k], true);
	}
}

int bir_accesses(const struct bir_inst *i, struct bir_access *out, int max)
{
	struct accesses s = {out, 0, max};
	const struct bir_inst *d;

	if (i->it == BIR_IT_DMA_BLOCK)
		for (d = i->u.dmablock.first; d; d = d->next)
			touches(&s, d);
	else
		touches(&s, i);
	return s.n;
}

/* ------------------------------------------------------------ others */

void bir_walk(struct bir_region *r, void (*f)(struct bir_inst *, void *),
              void *ctx)
{
	struct bir_block *b;
	struct bir_inst *i, *next;

	for (b = r->first; b; b = b->next)
		for (i = b->first; i; i = next) {
			next = i->next;
			f(i, ctx);
			/* a body that f took out is not entered */
			if (i->block == b && bir_is_body(i))
				bir_walk(&i->u.loop.body, f, ctx);
		}
}

bool bir_fail(const struct bir_module *m, struct bir_pos pos,
              struct bir_error *err, const char *id, const char *format, ...)
{
	va_list ap;

	snprintf(err->id, sizeof err->id, "%s", id);
	if (pos.line)
		snprintf(err->place, sizeof err->place, "%s:%d", m->path,
		         pos.line);
	else
		snprintf(err->place, sizeof err->place, "%s", m->path);
	va_start(ap, format);
	vsnprintf(err->text, sizeof err->text, format, ap);
	va_end(ap);
	return false;
}
