/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of the interpreter that move, fill or choose elements: copies,
 * Reciprocal, Memset, Iota, CopyPredicated, Select.
 */
#include "compiler/bir/interp.h"

#include <inttypes.h>
#include <stdlib.h>

/* ------------------------------------------------------------ one source */

bool interp_unary(struct bir_interp *t, const struct bir_inst *i)
{
	struct interp_walk ws, wo, s, o;
	int64_t p, k, n = bir_ap_free(i->out[0]);
	uint64_t v;

	if (!interp_open(t, i, i->in[0], &ws, NULL) ||
	    !interp_open(t, i, i->out[0], &wo, NULL))
		return false;
	for (p = 0; p < wo.num[0]; p++) {
		s = interp_channel(&ws, p);
		o = interp_channel(&wo, p);
		for (k = 0; k < n; k++) {
			v = interp_get(&s);
			if (i->it == BIR_IT_RECIPROCAL)
				v = interp_store(
				    t, &o, num_recip(num_widen(s.dtype, v)));
			else
				v = interp_move(t, s.dtype, o.dtype, v);
			interp_put(&o, v);
			interp_next(&s);
			interp_next(&o);
		}
	}
	return true;
}

/* Elements in linear order, shapes apart; an immediate fills. */
bool interp_copy(struct bir_interp *t, const struct bir_inst *i,
                 const struct bir_arg *dst, const struct bir_arg *src,
                 bool skip)
{
	struct interp_walk s, d;
	int64_t k, n = bir_ap_count(dst), v;
	bool in = true, out = true;

	if (!interp_open(t, i, dst, &d, skip ? &out : NULL))
		return false;
	if (!bir_is_ap(src)) {
		struct bir_arg imm = *src;

		if (src->kind == BIR_ARG_SYMIMM) {
			if (!interp_expr(t, i, src->expr, &v))
				return false;
			imm.imm = (uint64_t)v;
		}
		for (k = 0; out && k < n; k++, interp_next(&d))
			interp_put(&d, interp_imm(t, &imm, d.dtype));
		return true;
	}
	if (!interp_open(t, i, src, &s, skip ? &in : NULL))
		return false;
	if (bir_ap_count(src) != n)
		return interp_fail(t, i, "BIR032",
		                   "sides differ in their elements");
	for (k = 0; in && out && k < n; k++) {
		interp_put(&d,
		           interp_move(t, s.dtype, d.dtype, interp_get(&s)));
		interp_next(&s);
		interp_next(&d);
	}
	return true;
}

bool interp_fill(struct bir_interp *t, const struct bir_inst *i)
{
	const struct bir_iota *u = &i->u.iota;
	struct interp_walk w, o;
	int64_t p, k, n = bir_ap_free(i->out[0]), rest;
	uint32_t v;
	bool word;
	int d;

	if (i->it == BIR_IT_MEMSET && i->u.memset.random)
		return interp_fail(t, i, "BIR033", "random is not built");
	if (!interp_open(t, i, i->out[0], &w, NULL))
		return false;
	word = bir_dtype_size(w.dtype) == 4 && !bir_dtype_float(w.dtype);
	for (p = 0; p < w.num[0]; p++) {
		o = interp_channel(&w, p);
		for (k = 0; k < n; k++, interp_next(&o)) {
			if (i->it == BIR_IT_MEMSET) {
				interp_put(&o, i->u.memset.fill);
				continue;
			}
			v = (uint32_t)u->base + (uint32_t)p * (uint32_t)u->mult;
			for (rest = k, d = u->npair - 1; d >= 0; d--) {
				v += (uint32_t)u->pair[d].step *
				     (uint32_t)(rest % u->pair[d].num);
				rest /= u->pair[d].num;
			}
			interp_put(
			    &o, word ? v
			             : interp_store(t, &o,
			                            num_from_int((int32_t)v)));
		}
	}
	return true;
}

/* ------------------------------------------------------------ predicates */

/* Element k of a source that may be an immediate or one element a channel. */
struct source {
	const struct bir_arg *arg;
	struct interp_walk all, w;
	bool moves;
	uint64_t imm;
};

static bool source_open(struct bir_interp *t, const struct bir_inst *i,
                        const struct bir_arg *a, int dtype, struct source *s)
{
	int64_t v;

	s->arg = a;
	s->moves = bir_is_ap(a) && bir_ap_free(a) > 1;
	if (bir_is_ap(a))
		return interp_open(t, i, a, &s->all, NULL);
	if (a->kind == BIR_ARG_SYMIMM) {
		struct bir_arg imm = *a;

		if (!interp_expr(t, i, a->expr, &v))
			return false;
		imm.imm = (uint64_t)v;
		s->imm = interp_imm(t, &imm, dtype);
		return true;
	}
	s->imm = interp_imm(t, a, dtype);
	return true;
}

static uint64_t source_get(struct bir_interp *t, const struct source *s,
                           int dtype)
{
	if (!bir_is_ap(s->arg))
		return s->imm;
	return interp_move(t, s->w.dtype, dtype, interp_get(&s->w));
}

static void source_channel(struct source *s, int64_t p)
{
	/* only the walk is reset: an immediate has none */
	if (bir_is_ap(s->arg))
		s->w = interp_channel(&s->all, p);
}

/* Lanes whose mask is true, or false with `reverse`, take the source; the
 * others keep what they hold. */
bool interp_predicated(struct bir_interp *t, const struct bir_inst *i)
{
	struct interp_walk wm, wo, m, o;
	struct source src = {0};
	int64_t p, k, n = bir_ap_free(i->out[0]);

	if (!interp_open(t, i, i->in[0], &wm, NULL) ||
	    !interp_open(t, i, i->out[0], &wo, NULL) ||
	    !source_open(t, i, i->in[1], wo.dtype, &src))
		return false;
	if (i->u.cpred.reduce)
		return interp_fail(t, i, "BIR033", "reduce is not built");
	for (p = 0; p < wo.num[0]; p++) {
		m = interp_channel(&wm, p);
		o = interp_channel(&wo, p);
		source_channel(&src, p);
		for (k = 0; k < n; k++) {
			if ((interp_get(&m) != 0) != i->u.cpred.reverse)
				interp_put(&o, source_get(t, &src, o.dtype));
			if (src.moves)
				interp_next(&src.w);
			interp_next(&m);
			interp_next(&o);
		}
	}
	return true;
}

/* One channel of a Select to `row`: nothing is written before all is read. */
static bool select_channel(struct bir_interp *t, const struct bir_inst *i,
                           struct interp_walk m, int dtype,
                           struct source src[2], uint64_t *row)
{
	int64_t k, n = bir_ap_free(i->out[0]);
	uint64_t mask;
	int s;

	for (k = 0; k < n; k++, interp_next(&m)) {
		mask = interp_get(&m);
		if (mask > 1)
			return interp_fail(t, i, "BIR034",
			                   "mask holds 0x%" PRIX64
			                   "; it must be 0 or 1",
			                   mask);
		row[k] = source_get(t, &src[!mask], dtype);
		for (s = 0; s < 2; s++)
			if (src[s].moves)
				interp_next(&src[s].w);
	}
	return true;
}

bool interp_select(struct bir_interp *t, const struct bir_inst *i)
{
	struct interp_walk wm, wo, o;
	struct source src[2] = {{0}, {0}};
	int64_t p, k, n = bir_ap_free(i->out[0]);
	uint64_t *row;
	bool ok = true;

	if (!interp_open(t, i, i->in[0], &wm, NULL) ||
	    !interp_open(t, i, i->out[0], &wo, NULL) ||
	    !source_open(t, i, i->in[1], wo.dtype, &src[0]) ||
	    !source_open(t, i, i->in[2], wo.dtype, &src[1]))
		return false;
	row = calloc((size_t)n, sizeof *row);
	for (p = 0; row && ok && p < wo.num[0]; p++) {
		source_channel(&src[0], p);
		source_channel(&src[1], p);
		ok = select_channel(t, i, interp_channel(&wm, p), wo.dtype, src,
		                    row);
		o = interp_channel(&wo, p);
		for (k = 0; ok && k < n; k++, interp_next(&o))
			interp_put(&o, row[k]);
	}
	ok = ok && row;
	free(row);
	return ok;
}
