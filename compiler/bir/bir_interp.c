/* SPDX-License-Identifier: Apache-2.0
 *
 * The interpreter's control: blocks, terminators of several engines, loops,
 * calls, the step limit.  Scalars, DMA and semaphores are in interp_seq.c.
 *
 * BIR030 memory    BIR031 tensor by name   BIR032 address or operand
 * BIR033 not built BIR034 strict mask      BIR035 wait that cannot hold
 * BIR036 steps     BIR037 engines apart    BIR038 queue   BIR039 calls
 */
#include "compiler/bir/bir_build.h"
#include "compiler/bir/interp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How a block or a region was left. */
enum leave {
	LEAVE_FAIL,
	LEAVE_END,
	LEAVE_JUMP,
	LEAVE_BREAK,
	LEAVE_RETURN,
	LEAVE_EXIT
};

struct way {
	enum leave leave;
	struct bir_block *to;
};

static enum leave run_region(struct bir_interp *t, struct bir_region *r);

/* ------------------------------------------------------------ set-up */

static void count_vids(struct bir_inst *i, void *ctx)
{
	struct bir_interp *t = ctx;
	const struct bir_wait *w;
	const struct bir_update *u;

	for (w = i->wait; w; w = w->next)
		if (w->vid >= t->nvsem)
			t->nvsem = w->vid + 1;
	for (u = i->update; u; u = u->next)
		if (u->vid >= t->nvsem)
			t->nvsem = u->vid + 1;
	if (i->it == BIR_IT_DMA_TRIGGER && i->u.trigger.block)
		count_vids(i->u.trigger.block, ctx);
}

struct bir_interp *bir_interp_new(struct bir_module *m, struct bir_error *err)
{
	const struct bir_pos none = {0, 0};
	struct bir_interp *t = calloc(1, sizeof *t);
	struct bir_func *f;
	int k;

	if (!t)
		return NULL;
	t->m = m;
	t->err = err;
	t->num.fp8_saturate = m->fp8_saturate;
	t->num.fp8_nan_suppress = m->fp8_nan_suppress;
	if (!m->first) {
		bir_fail(m, none, err, "BIR031", "the module has no main");
		free(t);
		return NULL;
	}
	for (f = m->first; f; f = f->next)
		bir_walk(&f->body, count_vids, t);
	t->reg = calloc((size_t)m->nreg + 1, sizeof *t->reg);
	t->vsem = calloc((size_t)t->nvsem + 1, sizeof *t->vsem);
	t->queue = calloc((size_t)m->nqueue + 1, sizeof *t->queue);
	if (!t->reg || !t->vsem || !t->queue || !interp_memory_new(t)) {
		bir_interp_free(t);
		return NULL;
	}
	/* what the machine's registers hold at reset */
	memset(t->file, 0xFF, sizeof t->file);
	for (k = 0; k < m->nreg; k++)
		t->reg[k] = ~(uint64_t)0;
	return t;
}

void bir_interp_free(struct bir_interp *t)
{
	if (!t)
		return;
	interp_memory_free(t);
	free(t->reg);
	free(t->vsem);
	free(t->queue);
	free(t);
}

uint64_t bir_interp_reg(const struct bir_interp *t, const struct bir_reg *r)
{
	return interp_reg(t, r, BIR_WHOLE);
}

int64_t bir_interp_steps(const struct bir_interp *t)
{
	return t->steps;
}

/* ------------------------------------------------------------ loops */

static bool count_step(struct bir_interp *t, const struct bir_inst *i)
{
	if (t->steps++ < t->limit)
		return true;
	return interp_fail(t, i, "BIR036",
	                   "no end after %" PRId64
	                   " instructions; raise the limit or look for an "
	                   "endless loop",
	                   t->limit);
}

/* A loop counts in every engine's copy of its counter. */
static void set_counter(struct bir_interp *t, const struct bir_reg *iv,
                        int64_t v)
{
	const struct bir_reg *r;

	interp_set(t, iv, BIR_WHOLE, (uint64_t)v);
	for (r = iv->next; r; r = r->next)
		if (r->origin == iv)
			interp_set(t, r, BIR_WHOLE, (uint64_t)v);
}

static enum leave run_loop(struct bir_interp *t, struct bir_inst *i)
{
	struct bir_loop *l = &i->u.loop;
	int64_t iv = l->lb, ub = l->ub;
	enum leave how;

	if (i->it == BIR_IT_DYN_LOOP)
		ub += l->coef * (int32_t)interp_reg(t, l->ubreg, BIR_WHOLE);
	set_counter(t, l->iv, iv);
	while (l->step > 0 ? iv < ub : iv > ub) {
		set_counter(t, l->iv, iv);
		if (!count_step(t, i))
			return LEAVE_FAIL;
		how = run_region(t, &l->body);
		if (how == LEAVE_BREAK)
			break;
		if (how != LEAVE_END)
			return how;
		iv += l->step;
	}
	return LEAVE_END;
}

static enum leave run_do_while(struct bir_interp *t, struct bir_inst *i)
{
	enum leave how;

	do {
		if (!count_step(t, i))
			return LEAVE_FAIL;
		how = run_region(t, &i->u.loop.body);
		if (how == LEAVE_BREAK)
			break;
		if (how != LEAVE_END)
			return how;
	} while (interp_reg(t, i->u.loop.cond, BIR_WHOLE) != 0);
	return LEAVE_END;
}

/* ------------------------------------------------------------ terminators */

static bool compare(int cmp, int dtype, uint64_t a, uint64_t b)
{
	int64_t x = interp_signed(dtype, a), y = interp_signed(dtype, b);
	bool less = x<y, same = x == y, more = x> y;

	if (dtype == TPB_BIR_DTYPE_FLOAT32) {
		less = num_gt((uint32_t)b, (uint32_t)a);
		same = num_eq((uint32_t)a, (uint32_t)b);
		more = num_gt((uint32_t)a, (uint32_t)b);
	}
	switch (cmp % 6) {
	case TPB_BIR_CMP_LT_IMM: return less;
	case TPB_BIR_CMP_LE_IMM: return less || same;
	case TPB_BIR_CMP_EQ_IMM: return same;
	case TPB_BIR_CMP_NE_IMM: return !same;
	case TPB_BIR_CMP_GE_IMM: return more || same;
	default: return more;
	}
}

static bool taken(struct bir_interp *t, const struct bir_inst *i)
{
	const struct bir_arg *lhs = i->in[0], *rhs = i->in[1];
	uint64_t a = interp_reg(t, lhs->reg, lhs->half), b = rhs->imm;

	if (rhs->kind == BIR_ARG_REG)
		b = interp_reg(t, rhs->reg, rhs->half);
	return compare(i->u.branch.cmp, lhs->dtype, a, b);
}

/* Where a terminator leads; END: a branch that is not taken and goes on with
 * the next terminator. */
static struct way way_of(struct bir_interp *t, const struct bir_inst *i)
{
	struct way w = {LEAVE_JUMP, NULL};

	switch (i->it) {
	case BIR_IT_BRANCH:
		w.to = taken(t, i) ? i->u.branch.on_true : i->u.branch.on_false;
		if (!w.to)
			w.leave = LEAVE_END;
		return w;
	case BIR_IT_JUMP: w.to = i->u.branch.on_true; return w;
	case BIR_IT_BREAK: w.leave = LEAVE_BREAK; return w;
	case BIR_IT_RETURN: w.leave = LEAVE_RETURN; return w;
	default: w.leave = LEAVE_EXIT; return w;
	}
}

/* A terminator may stand once for each engine: all must agree. */
static bool decide(struct bir_interp *t, const struct bir_inst *i,
                   struct way *way, unsigned *left)
{
	struct way w = way_of(t, i);

	if (w.leave == LEAVE_END)
		return true;
	if (*left && (w.leave != way->leave || w.to != way->to))
		return interp_fail(
		    t, i, "BIR037", "%s goes to %s, other engines to %s",
		    bir_engine_text(i->engine), w.to ? w.to->name : "the end",
		    way->to ? way->to->name : "the end");
	*way = w;
	*left |= i->engine == BIR_ENG_NONE || i->engine == BIR_ENG_ALL
	             ? ~0u
	             : 1u << i->engine;
	return true;
}

/* ------------------------------------------------------------ blocks */

static bool run_call(struct bir_interp *t, const struct bir_inst *i,
                     enum leave *how)
{
	if (t->depth >= 4)
		return interp_fail(t, i, "BIR039",
		                   "calls are nested deeper than 4");
	t->depth++;
	*how = run_region(t, &i->u.callee->body);
	t->depth--;
	if (*how == LEAVE_END || *how == LEAVE_BREAK)
		return interp_fail(t, i, "BIR039",
		                   "function %s ends without Return",
		                   i->u.callee->name);
	if (*how == LEAVE_RETURN)
		*how = LEAVE_END;
	return *how != LEAVE_FAIL;
}

static bool predicates(struct bir_interp *t, const struct bir_inst *i,
                       bool *runs)
{
	const struct bir_pred *p;
	int64_t v;

	*runs = true;
	for (p = i->pred; p; p = p->next) {
		if (!interp_expr(t, i, p->expr, &v))
			return false;
		*runs = *runs &&
		        compare(p->cmp, TPB_BIR_DTYPE_INT64, (uint64_t)v, 0);
	}
	return true;
}

/* Everything but terminators. */
static enum leave run_inst(struct bir_interp *t, struct bir_inst *i)
{
	const struct bir_opinfo *op = bir_op(i->it);
	enum leave how = LEAVE_END;
	bool runs, ok = false;

	if (!predicates(t, i, &runs))
		return LEAVE_FAIL;
	if (!runs)
		return LEAVE_END;
	if (!interp_waits(t, i))
		return LEAVE_FAIL;
	if (i->it == BIR_IT_LOOP || i->it == BIR_IT_DYN_LOOP)
		how = run_loop(t, i);
	else if (i->it == BIR_IT_DO_WHILE)
		how = run_do_while(t, i);
	else if (i->it == BIR_IT_CALL)
		ok = run_call(t, i, &how);
	else if (op && op->klass == BIR_CLASS_VEC)
		ok = interp_vector(t, i);
	else
		ok = interp_scalar(t, i);
	if (!bir_is_body(i) && !ok)
		return LEAVE_FAIL;
	if (how == LEAVE_END && !interp_updates(t, i))
		return LEAVE_FAIL;
	return how;
}

static struct way run_block(struct bir_interp *t, struct bir_block *b)
{
	const struct way fail = {LEAVE_FAIL, NULL};
	struct way way = {LEAVE_END, NULL};
	struct bir_inst *i;
	unsigned left = 0;
	enum leave how;

	for (i = b->first; i; i = i->next) {
		if ((t->halted | left) >> i->engine & 1)
			continue;
		if (!count_step(t, i))
			return fail;
		if (bir_is_terminator(i)) {
			if (!interp_waits(t, i) || !decide(t, i, &way, &left) ||
			    !interp_updates(t, i))
				return fail;
			continue;
		}
		how = run_inst(t, i);
		if (how != LEAVE_END) {
			way.leave = how;
			way.to = NULL;
			return way;
		}
	}
	return way;
}

static enum leave run_region(struct bir_interp *t, struct bir_region *r)
{
	struct bir_block *b = r->first;
	struct way way;

	while (b) {
		way = run_block(t, b);
		if (way.leave == LEAVE_RETURN)
			interp_clear(t);
		if (way.leave != LEAVE_JUMP && way.leave != LEAVE_END)
			return way.leave;
		b = way.leave == LEAVE_JUMP ? way.to : b->next;
	}
	return LEAVE_END;
}

bool bir_interp_run(struct bir_interp *t, int64_t steps, struct bir_error *err)
{
	t->err = err;
	t->limit = steps;
	t->steps = 0;
	return run_region(t, &t->m->first->body) != LEAVE_FAIL;
}
