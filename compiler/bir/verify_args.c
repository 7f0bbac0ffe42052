/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands: their number and kinds as the op's row says, patterns inside
 * their tensor, partitions by the start rule of the compute engines.
 */
#include "compiler/bir/verify.h"

#include <inttypes.h>
#include <string.h>

static bool pattern_ok(const struct verify *v, const struct bir_inst *i,
                       const struct bir_arg *a)
{
	const struct bir_loc *l = a->loc;
	int64_t size = bir_dtype_size(a->dtype);
	int d;

	if (a->npair < 1 || a->npair > BIR_PAIRS ||
	    (bir_on_chip(l) && a->npair < 2))
		return verify_fail(v, i, "BIR015", "pattern of %s has %d pairs",
		                   l->name, a->npair);
	for (d = 0; d < a->npair; d++)
		if (a->pair[d].num < 1 || a->pair[d].num > INT32_MAX ||
		    a->pair[d].step > INT64_C(1) << 40 ||
		    a->pair[d].step < -(INT64_C(1) << 40))
			return verify_fail(v, i, "BIR015",
			                   "pattern of %s: pair %d is "
			                   "[%" PRId64 ",%" PRId64 "]",
			                   l->name, d, a->pair[d].step,
			                   a->pair[d].num);
	if (!bir_on_chip(l))
		return true;
	if (a->pair[0].num > 1 && a->pair[0].step * size != l->row_bytes)
		return verify_fail(v, i, "BIR015",
		                   "pattern of %s: the first step must be a "
		                   "partition row, %" PRId64 " elements",
		                   l->name, l->row_bytes / size);
	if (a->pair[0].num > 128)
		return verify_fail(v, i, "BIR016",
		                   "%" PRId64 " partitions of %s; at most 128",
		                   a->pair[0].num, l->name);
	return true;
}

/* Bytes of the pattern inside the tensor; on chip also inside a row. */
static bool range_ok(const struct verify *v, const struct bir_inst *i,
                     const struct bir_arg *a)
{
	const struct bir_loc *l = a->loc;
	struct bir_arg row = *a;
	int64_t lo, hi, all = l->partitions * l->row_bytes;

	bir_ap_span(a, &lo, &hi);
	if (lo < 0 || hi > all)
		return verify_fail(v, i, "BIR015",
		                   "pattern touches bytes %" PRId64 "..%" PRId64
		                   " of %s, which has %" PRId64,
		                   lo, hi - 1, l->name, all);
	if (!bir_on_chip(l))
		return true;
	row.pair[0].num = 1;
	row.offset %= l->row_bytes;
	bir_ap_span(&row, &lo, &hi);
	if (lo < 0 || hi > l->row_bytes)
		return verify_fail(v, i, "BIR015",
		                   "pattern of %s leaves its partition row",
		                   l->name);
	return true;
}

/* First partition of a static operand. */
int64_t verify_start(const struct bir_arg *a)
{
	return (a->loc->placed ? a->loc->part : 0) +
	       a->offset / a->loc->row_bytes;
}

static bool start_ok(const struct verify *v, const struct bir_inst *i,
                     const struct bir_arg *a)
{
	int64_t n = a->pair[0].num, start = verify_start(a);
	int64_t unit = n > 64 ? 128 : n > 32 ? 64 : 32;

	if (start % unit || start + n > 128)
		return verify_fail(v, i, "BIR016",
		                   "%" PRId64 " partitions of %s start at "
		                   "%" PRId64 "; a multiple of %" PRId64
		                   " is needed",
		                   n, a->loc->name, start, unit);
	return true;
}

/* Values of a counter inside of its loop; false when i is not in a static
 * loop that counts r, or the loop has no trip. */
static bool counter_range(const struct bir_inst *i, const struct bir_reg *r,
                          int64_t *lo, int64_t *hi)
{
	const struct bir_block *b = i->block;
	const struct bir_loop *l;
	int64_t trips;

	for (; b && b->region->owner; b = b->region->owner->block) {
		l = &b->region->owner->u.loop;
		if (b->region->owner->it != BIR_IT_LOOP || l->step == 0 ||
		    (l->iv != r && l->iv != r->origin))
			continue;
		trips = (l->ub - l->lb + l->step - (l->step > 0 ? 1 : -1)) /
		        l->step;
		if (trips < 1)
			return false;
		*lo = *hi = l->lb;
		*(l->step > 0 ? hi : lo) += (trips - 1) * l->step;
		return true;
	}
	return false;
}

/* The pattern of a symbolic operand over all values of its counters, when
 * every variable is a counter of a static loop around it. */
static bool symbolic_range_ok(const struct verify *v, const struct bir_inst *i,
                              const struct bir_arg *a)
{
	int64_t lo = a->expr->c, hi = lo, first, last, coef, at, end;
	int64_t size = bir_dtype_size(a->dtype);
	int64_t all = a->loc->partitions * a->loc->row_bytes;
	int k;

	for (k = 0; k < a->expr->nterm; k++) {
		coef = a->expr->term[k].coef;
		if (!a->expr->term[k].reg || coef > INT32_MAX ||
		    coef < INT32_MIN ||
		    !counter_range(i, a->expr->term[k].reg, &first, &last))
			return true;
		lo += coef * (coef < 0 ? last : first);
		hi += coef * (coef < 0 ? first : last);
	}
	bir_ap_span(a, &at, &end);
	if (at + lo * size < 0 || end + hi * size > all)
		return verify_fail(v, i, "BIR015",
		                   "pattern touches bytes %" PRId64 "..%" PRId64
		                   " of %s in some trip; it has %" PRId64,
		                   at + lo * size, end + hi * size - 1,
		                   a->loc->name, all);
	return true;
}

static bool expr_ok(const struct verify *v, const struct bir_inst *i,
                    const struct bir_expr *e);

static bool ap_ok(const struct verify *v, const struct bir_inst *i,
                  const struct bir_arg *a)
{
	const struct bir_opinfo *op = bir_op(i->it);

	if (!a->loc || bir_loc_find(v->m, a->loc->name) != a->loc)
		return verify_fail(v, i, "BIR019", "operand without tensor");
	if (!bir_dtype_size(a->dtype))
		return verify_fail(v, i, "BIR013", "operand %s has dtype %d",
		                   a->loc->name, a->dtype);
	if (a->dtype ==
	    (v->m->fp8_ocp ? TPB_BIR_DTYPE_FP8E4 : TPB_BIR_DTYPE_FP8E4FN))
		return verify_fail(
		    v, i, "BIR013", "operand %s: %s needs fp8_ocp = %d",
		    a->loc->name, bir_dtype_text(a->dtype), !v->m->fp8_ocp);
	if (!pattern_ok(v, i, a))
		return false;
	if (a->kind == BIR_ARG_REGAP)
		return a->reg ||
		       verify_fail(v, i, "BIR020", "operand %s: no register",
		                   a->loc->name);
	if (a->kind == BIR_ARG_SYM)
		return expr_ok(v, i, a->expr) && symbolic_range_ok(v, i, a);
	return range_ok(v, i, a) && (op->klass != BIR_CLASS_VEC ||
	                             !bir_on_chip(a->loc) || start_ok(v, i, a));
}

static bool expr_ok(const struct verify *v, const struct bir_inst *i,
                    const struct bir_expr *e)
{
	int k;

	if (!e)
		return verify_fail(v, i, "BIR019", "no expression");
	for (k = 0; k < e->nterm; k++) {
		if (!e->term[k].reg == !e->term[k].index)
			return verify_fail(v, i, "BIR019",
			                   "term %d has not one variable", k);
		if (e->term[k].index && (!bir_is_ap(e->term[k].index) ||
		                         bir_ap_count(e->term[k].index) != 1 ||
		                         !ap_ok(v, i, e->term[k].index)))
			return verify_fail(v, i, "BIR015",
			                   "term %d is no element", k);
	}
	return true;
}

static bool arg_ok(const struct verify *v, const struct bir_inst *i,
                   const struct bir_arg *a, const char *kinds)
{
	bool on_chip = a->loc && bir_on_chip(a->loc);
	bool sym = a->kind == BIR_ARG_SYM || a->kind == BIR_ARG_SYMIMM;
	char kind = '?';

	switch (a->kind) {
	case BIR_ARG_AP:
	case BIR_ARG_SYM:
	case BIR_ARG_REGAP:
		kind = on_chip && strchr(kinds, 'a') ? 'a' : 'm';
		break;
	case BIR_ARG_IMM:
	case BIR_ARG_SYMIMM: kind = 'i'; break;
	case BIR_ARG_REG: kind = 'r'; break;
	case BIR_ARG_ADDR: kind = 'd'; break;
	}
	if (!strchr(kinds, kind))
		return verify_fail(
		    v, i, "BIR012", "operand of kind %d where \"%s\" is due%s",
		    (int)a->kind, kinds, kind == 'm' ? " (not in DRAM)" : "");
	if (sym && (v->flags & BIR_V_NO_SYM))
		return verify_fail(v, i, "BIR023", "symbolic operand is left");
	if (a->kind == BIR_ARG_REG && !a->reg)
		return verify_fail(v, i, "BIR020", "operand without register");
	if (a->kind == BIR_ARG_REG && a->half != BIR_WHOLE && a->reg->bits < 64)
		return verify_fail(v, i, "BIR020",
		                   "half of %s, which is no "
		                   "pair",
		                   a->reg->name);
	if (a->kind == BIR_ARG_SYMIMM)
		return expr_ok(v, i, a->expr);
	if (a->kind == BIR_ARG_ADDR && !a->loc)
		return verify_fail(v, i, "BIR019", "address of nothing");
	return !bir_is_ap(a) || ap_ok(v, i, a);
}

/* roles: "src:a scalar0:ai ?scalar1:ai" */
static bool list_ok(const struct verify *v, const struct bir_inst *i,
                    struct bir_arg *const *arg, int n, int max,
                    const char *roles, const char *what)
{
	char kinds[8];
	size_t len;
	bool optional;
	int k = 0;

	for (; *roles; k++) {
		optional = *roles == '?';
		roles += strcspn(roles, ":");
		roles += *roles == ':';
		len = strcspn(roles, " ");
		if (len >= sizeof kinds)
			len = sizeof kinds - 1;
		memcpy(kinds, roles, len);
		kinds[len] = '\0';
		roles += strcspn(roles, " ");
		roles += *roles == ' ';
		if (k >= n || k >= max || !arg[k]) {
			if (!optional)
				return verify_fail(v, i, "BIR011",
				                   "%s %d is missing", what, k);
			continue;
		}
		if (!arg_ok(v, i, arg[k], kinds))
			return false;
	}
	if (n > k)
		return verify_fail(v, i, "BIR011", "%d %ss; at most %d", n,
		                   what, k);
	return true;
}

bool verify_args(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_opinfo *op = bir_op(i->it);
	const struct bir_pred *p;

	for (p = i->pred; p; p = p->next)
		if (!expr_ok(v, i, p->expr) || p->cmp < 0 ||
		    p->cmp > TPB_BIR_CMP_GT_IMM)
			return verify_fail(v, i, "BIR022",
			                   "predicate cannot be encoded");
	return list_ok(v, i, i->in, i->nin, BIR_INS, op->ins, "input") &&
	       list_ok(v, i, i->out, i->nout, BIR_OUTS, op->outs, "output");
}
