/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor references of KLR text with their access patterns.
 *
 * Contract: the tensor of a reference exists and a slice has no more
 * dimensions than it; whether the pattern makes sense is klr_check()'s.
 */
#include "compiler/klr/internal.h"

/* (step,num[,offset]) ... */
int klr_parse_pairs(struct klr_parser *p, struct klr_pair *pair)
{
	int n = 0;

	while (klr_take(p, '(')) {
		if (n == KLR_MAX_DIMS) {
			klr_error_at(&p->rep, p->tok.pos, KLR_E_LIMIT,
			             "more than %d pairs; an access pattern "
			             "has partition and 4 axes",
			             KLR_MAX_DIMS);
			return n;
		}
		pair[n].step = klr_parse_int(p);
		klr_need(p, ',', "between step and count");
		pair[n].num = klr_parse_int(p);
		if (klr_take(p, ','))
			pair[n].offset = klr_parse_int(p);
		klr_need(p, ')', "behind a pair");
		n++;
	}
	if (!n)
		klr_expected(p, "a pair (step,num)");
	return n;
}

/* l:u:step, each may be missing; or one coordinate. */
static void parse_slice(struct klr_parser *p, struct klr_slice *s, int64_t dim)
{
	s->step = 1;
	s->u = dim;
	if (!klr_is(p, ':'))
		s->l = klr_parse_int(p);
	if (!klr_take(p, ':'))
		return;
	s->range = true;
	if (p->tok.kind == TOK_INT || klr_is(p, '-'))
		s->u = klr_parse_int(p);
	if (klr_take(p, ':'))
		s->step = klr_parse_int(p);
}

static void parse_slices(struct klr_parser *p, struct klr_ref *r)
{
	r->access = KLR_A_BASIC;
	do {
		int d = r->ndims;

		if (d >= r->tensor->ndims) {
			klr_error_at(&p->rep, p->tok.pos, KLR_E_PATTERN,
			             "'%.40s' has %d dimensions, here is one "
			             "more; remove it",
			             r->name, r->tensor->ndims);
			return;
		}
		parse_slice(p, &r->slice[d], r->tensor->dims[d]);
		r->ndims++;
	} while (klr_take(p, ','));
}

/* axes parNum; pairs; parOffset, freeOffset; axis, ... */
static void parse_axes(struct klr_parser *p, struct klr_ref *r)
{
	r->access = KLR_A_AXES;
	klr_next(p);
	r->par_num = klr_parse_int(p);
	klr_need(p, ';', "behind the number of partitions");
	r->ndims = klr_parse_pairs(p, r->pair);
	klr_need(p, ';', "behind the pairs");
	r->par_offset = klr_parse_int(p);
	klr_need(p, ',', "between the offsets");
	r->free_offset = klr_parse_int(p);
	if (!klr_take(p, ';'))
		return;
	do {
		if (r->naxes == KLR_MAX_DIMS) {
			klr_expected(p, "the end of the axes");
			return;
		}
		r->axis[r->naxes++] = klr_parse_int(p);
	} while (klr_take(p, ','));
}

/* What stands between the brackets behind a tensor's name. */
static void parse_access(struct klr_parser *p, struct klr_ref *r)
{
	struct klr_parser at = *p;

	if (klr_word(p, "axes")) {
		parse_axes(p, r);
		return;
	}
	if (p->tok.kind == TOK_INT || klr_is(p, '-')) {
		r->offset = klr_parse_int(p);
		if (klr_take(p, ';')) {
			r->access = KLR_A_PAIRS;
			r->ndims = klr_parse_pairs(p, r->pair);
			return;
		}
		if (p->rep.failed)
			return;
		*p = at;
		r->offset = 0;
	}
	parse_slices(p, r);
}

/* sbuf[name, dtype, parNum; pairs; parOffset, freeOffset], psum[...],
 * hbm[name, dtype, address; pairs] */
static void parse_raw(struct klr_parser *p, struct klr_ref *r,
                      enum klr_memory memory)
{
	r->access = KLR_A_RAW;
	r->memory = memory;
	klr_next(p);
	klr_need(p, '[', "behind the memory");
	r->name = klr_parse_name(p, "a name");
	klr_need(p, ',', "behind the name");
	r->dtype = klr_parse_enum(p, KLR_G_DTYPE);
	klr_need(p, ',', "behind the dtype");
	if (memory == KLR_HBM)
		r->offset = klr_parse_int(p);
	else
		r->par_num = klr_parse_int(p);
	klr_need(p, ';', "in front of the pairs");
	r->ndims = klr_parse_pairs(p, r->pair);
	if (memory != KLR_HBM) {
		klr_need(p, ';', "behind the pairs");
		r->par_offset = klr_parse_int(p);
		klr_need(p, ',', "between the offsets");
		r->free_offset = klr_parse_int(p);
	}
	klr_need(p, ']', "behind the place");
}

/* scalar(reg|ref, dim), vector(ref, dim), reg[*stride] */
static struct klr_term *parse_term(struct klr_parser *p)
{
	struct klr_term *t = ARENA_NEW(p->k->arena, struct klr_term);
	struct klr_tok next = klr_peek(p);
	bool form = next.kind == TOK_PUNCT && next.punct == '(';

	t->pos = p->tok.pos;
	t->stride = 1;
	if (form && (klr_word(p, "scalar") || klr_word(p, "vector"))) {
		t->kind = klr_word(p, "vector") ? KLR_T_VECTOR : KLR_T_SCALAR;
		klr_next(p);
		klr_next(p);
		if (t->kind == KLR_T_SCALAR && p->tok.kind == TOK_NAME &&
		    !klr_names_get(p->k->tensor_names, p->tok.s))
			t->reg = klr_parse_name(p, "a register");
		else
			t->ref = klr_parse_ref(p);
		klr_need(p, ',', "in front of the dimension");
		t->dim = klr_parse_int(p);
		klr_need(p, ')', "behind the dimension");
		return t;
	}
	t->kind = KLR_T_STRIDE;
	t->reg = klr_parse_name(p, "a register");
	if (klr_take(p, '*'))
		t->stride = klr_parse_int(p);
	return t;
}

static void unknown_tensor(struct klr_parser *p, const struct klr_tok *t)
{
	struct klr_near near;

	klr_near_start(&near, t->s);
	for (struct klr_tensor *i = p->k->tensors; i; i = i->next)
		klr_near_try(&near, i->name);
	klr_error_at(&p->rep, t->pos, KLR_E_TENSOR, "no tensor '%.40s'%s", t->s,
	             klr_near_hint(&near, "declare it in front of the code"));
}

struct klr_ref *klr_parse_ref(struct klr_parser *p)
{
	struct klr_ref *r = ARENA_NEW(p->k->arena, struct klr_ref);
	struct klr_term **last = &r->terms;
	struct klr_tok t = p->tok;
	struct klr_tok next = klr_peek(p);

	r->pos = t.pos;
	r->dtype = -1;
	r->name = "";
	if (++p->nesting > KLR_MAX_DEPTH) {
		klr_error_at(&p->rep, t.pos, KLR_E_LIMIT,
		             "index tensors nested deeper than %d; load the "
		             "index into a register",
		             KLR_MAX_DEPTH);
		return r;
	}
	if (next.kind == TOK_PUNCT && next.punct == '[') {
		static const enum klr_memory raw[] = {KLR_HBM, KLR_SBUF,
		                                      KLR_PSUM};

		for (int i = 0; i < 3; i++)
			if (klr_word(p, klr_enum_word(KLR_G_MEMORY, raw[i]))) {
				parse_raw(p, r, raw[i]);
				p->nesting--;
				return r;
			}
	}
	r->name = klr_parse_name(p, "a tensor");
	r->tensor = klr_names_get(p->k->tensor_names, r->name);
	if (!p->rep.failed && !r->tensor)
		unknown_tensor(p, &t);
	if (r->tensor && klr_take(p, '[')) {
		parse_access(p, r);
		klr_need(p, ']', "behind the access pattern");
	}
	while (klr_take(p, '+')) {
		*last = parse_term(p);
		last = &(*last)->next;
	}
	if (klr_take(p, ':'))
		r->dtype = klr_parse_enum(p, KLR_G_DTYPE);
	p->nesting--;
	return r;
}
