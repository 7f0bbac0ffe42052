/* SPDX-License-Identifier: Apache-2.0
 *
 * Structured ops as blocks (lower_branch).  Of a carrier L inside block B:
 *
 *   B        code before
 *   L-pre    counter := lb (addLoopEntry, the last step)
 *   R1..Rk   the body
 *   L-latch  AllEngineBarrier L-join; counter += step; compare, back to R1
 *   L-exit   code after, B's terminator
 *
 * Counter and limit exist on every engine of U, work in the loop or not: the
 * join counts all of them.  The join is a draining one, so an iteration ends
 * with all its work and all its DMA complete.
 */
#include "compiler/passes/branch.h"

#include <stdio.h>

struct bir_inst *branch_jump(struct branch *s, struct bir_block *b,
                             struct bir_block *to, struct bir_pos pos,
                             const char *name)
{
	struct bir_inst *i = bir_emit(s->m, b, BIR_IT_JUMP, name, BIR_ENG_NONE);

	i->u.branch.on_true = to;
	i->pos = pos;
	return i;
}

static bool fail(struct branch *s, const struct bir_inst *i, const char *what)
{
	return pass_fail(s->c, s->m, i, "CMP017", "%s: %s", i->name, what);
}

/* Trips of a static loop. */
static int64_t trips(const struct bir_loop *l)
{
	int64_t span = l->step > 0 ? l->ub - l->lb : l->lb - l->ub;
	int64_t step = l->step > 0 ? l->step : -l->step;

	return span <= 0 || step == 0 ? 0 : (span - 1) / step + 1;
}

static bool check(struct branch *s, const struct bir_inst *i)
{
	const struct bir_loop *l = &i->u.loop;

	if (i->pred)
		return fail(s, i,
		            "a predicate on a loop is not built; branch "
		            "around its block");
	if (i->it == BIR_IT_DO_WHILE)
		return l->cond ? true
		               : fail(s, i,
		                      "a loop needs a condition; name "
		                      "its register");
	if (!l->iv || l->step == 0)
		return fail(s, i,
		            "a loop needs a counter and a step other "
		            "than 0");
	if (i->it == BIR_IT_DYN_LOOP && (l->step < 0 || !l->ubreg))
		return fail(s, i,
		            "a loop with a run-time bound counts up to "
		            "a register; use a positive step");
	if (l->lb < INT32_MIN || l->lb > INT32_MAX || l->ub < INT32_MIN ||
	    l->ub > INT32_MAX || l->step < INT32_MIN || l->step > INT32_MAX ||
	    (l->step > 0 && l->ub + l->step > INT32_MAX))
		return fail(s, i,
		            "bound plus step must stay below 2^31; use "
		            "smaller numbers");
	return true;
}

static bool drop_inst(struct bir_inst *i, void *ctx)
{
	struct branch *s = ctx;

	if (i->it == BIR_IT_DMA_TRIGGER && i->u.trigger.block)
		bir_inst_delete(s->m, i->u.trigger.block);
	if (!bir_is_body(i))
		bir_inst_delete(s->m, i);
	return true;
}

/* Values the counter takes in the body, on every copy of its register. */
static void set_range(struct branch *s, const struct bir_loop *l)
{
	enum bir_engine u[BIR_NENGINES];
	int n = pass_engines(s->m, u);
	int64_t last = l->lb + (trips(l) - 1) * l->step;
	int64_t lo = last < l->lb ? last : l->lb;
	int64_t hi = (last < l->lb ? l->lb : last) + 1;
	const struct bir_reg *root = l->iv->origin ? l->iv->origin : l->iv;

	for (int k = 0; k < n; k++) {
		struct bir_reg *r = pass_reg(s->m, l->iv, u[k]);

		if (s->leaks[root->id]) {
			r->lo = r->hi = 0;
		} else if (r->lo == r->hi) {
			r->lo = lo;
			r->hi = hi;
		} else {
			r->lo = r->lo < lo ? r->lo : lo;
			r->hi = r->hi > hi ? r->hi : hi;
		}
	}
}

/* counter += step, compare, back to the header. */
static void latch(struct branch *s, struct branch_loop *rec)
{
	struct bir_module *m = s->m;
	const struct bir_inst *i = rec->carrier;
	const struct bir_loop *l = &i->u.loop;
	enum bir_engine u[BIR_NENGINES];
	int n = pass_engines(m, u), cmp = TPB_BIR_CMP_LT_IMM;
	struct bir_reg *lhs = rec->count;
	struct bir_arg *rhs;
	char name[192];
	struct bir_inst *join, *t;

	snprintf(name, sizeof name, "%s-join", i->name);
	join = bir_emit(m, rec->latch, BIR_IT_ALL_BARRIER, name, BIR_ENG_ALL);
	join->pos = i->pos;
	if (i->it == BIR_IT_DO_WHILE) {
		lhs = l->cond;
		rhs = bir_int(m, 0);
		cmp = TPB_BIR_CMP_NE_IMM;
	} else {
		for (int k = 0; k < n; k++)
			bir_reg_alu(m, rec->latch, u[k], TPB_BIR_ALU_ADD,
			            pass_reg(m, rec->count, u[k]),
			            pass_reg(m, rec->count, u[k]),
			            bir_int(m, rec->trips ? 1 : l->step))
			    ->pos = i->pos;
		rhs = bir_int(m, rec->trips ? rec->trips : l->ub);
	}
	if (i->it == BIR_IT_DYN_LOOP) {
		snprintf(name, sizeof name, "%s.limit", i->name);
		rhs = bir_use(m, bir_reg_find(m, name));
		cmp = TPB_BIR_CMP_LT_REG;
	}
	snprintf(name, sizeof name, "%s-back", i->name);
	t = bir_emit(m, rec->latch, BIR_IT_BRANCH, name, BIR_ENG_NONE);
	bir_in(t, bir_use(m, lhs));
	bir_in(t, rhs);
	t->pos = i->pos;
	t->u.branch.cmp = cmp;
	t->u.branch.on_true = rec->header;
	t->u.branch.on_false = rec->exit;
}

/* A root register on the first engine of U; pass_reg makes the others. */
static struct bir_reg *new_root(struct branch *s, const struct bir_inst *i,
                                const char *suffix)
{
	enum bir_engine u[BIR_NENGINES];
	char name[192];

	pass_engines(s->m, u);
	snprintf(name, sizeof name, "%s.%s", i->name, suffix);
	return bir_reg_new(s->m, name, u[0], 32);
}

/* Blocks of the body behind `at`, in order; breaks and fall-through get
 * their targets. */
static void lay_out(struct branch *s, struct branch_loop *rec,
                    struct bir_block *at)
{
	struct bir_region *body = &rec->carrier->u.loop.body;
	struct bir_block *origin = at->origin;

	while (body->first) {
		struct bir_block *b = body->first;
		bool last = b == body->last;

		bir_block_unlink(b);
		bir_block_insert(at, b);
		b->origin = origin;
		at = b;
		for (struct bir_inst *i = b->first; i; i = i->next)
			if (i->it == BIR_IT_BREAK) {
				i->it = BIR_IT_JUMP;
				i->engine = BIR_ENG_NONE;
				i->u.branch =
				    (struct bir_branch){0, rec->exit, NULL};
			}
		if (last &&
		    !(b->last && bir_is_terminator(b->last) && !b->last->pred))
			branch_jump(s, b, rec->latch, rec->carrier->pos, NULL);
	}
}

/* A compare in the body without on_false falls to the next block. */
static void complete(struct branch *s, struct branch_loop *rec)
{
	for (struct bir_block *b = rec->carrier->u.loop.body.first; b;
	     b = b->next) {
		struct bir_inst *t = bir_first_terminator(b);

		if (!t || t->it != BIR_IT_BRANCH || t->u.branch.on_false)
			continue;
		if (t->next && t->next->it == BIR_IT_JUMP)
			t->u.branch.on_false = t->next->u.branch.on_true;
		else
			t->u.branch.on_false = b->next ? b->next : rec->latch;
		while (t->next && t->next->it == BIR_IT_JUMP)
			bir_inst_delete(s->m, t->next);
	}
}

static bool open_loop(struct branch *s, struct bir_inst *i)
{
	struct bir_block *b = i->block;
	char name[192];

	if (!check(s, i))
		return false;
	if (i->it == BIR_IT_LOOP && trips(&i->u.loop) == 0) {
		pass_each(&i->u.loop.body, drop_inst, s);
		bir_inst_delete(s->m, i);
		s->gone++;
		return true;
	}
	struct branch_loop *rec = ARENA_NEW(s->c->scratch, struct branch_loop);

	rec->carrier = i;
	if (!i->u.loop.body.first)
		bir_block_new(s->m, &i->u.loop.body, NULL);
	rec->header = i->u.loop.body.first;
	snprintf(name, sizeof name, "%s-exit", i->name);
	rec->exit = i->next ? bir_block_split(s->m, i->next, name)
	                    : bir_block_after(s->m, b, name);
	snprintf(name, sizeof name, "%s-latch", i->name);
	rec->latch = bir_block_after(s->m, b, name);
	rec->exit->origin = rec->latch->origin = b->origin;
	rec->latch->pos = rec->exit->pos = i->pos;
	rec->count = i->u.loop.iv;
	if (i->it == BIR_IT_LOOP) {
		set_range(s, &i->u.loop);
		if (i->u.loop.step < 0) {
			rec->trips = trips(&i->u.loop);
			rec->count = new_root(s, i, "trip");
		}
	} else if (i->it == BIR_IT_DYN_LOOP) {
		new_root(s, i, "limit");
	}
	complete(s, rec);
	lay_out(s, rec, b);
	latch(s, rec);
	bir_inst_unlink(i); /* the entry still needs it */
	*s->end = rec;
	s->end = &rec->next;
	s->nloops++;
	return true;
}

bool branch_loops(struct branch *s)
{
	for (struct bir_block *b = s->f->body.first; b; b = b->next)
		for (struct bir_inst *i = b->first, *n; i; i = n) {
			n = i->next;
			if (bir_is_body(i) && !open_loop(s, i))
				return false;
			/* the rest of b is in L-exit now and met there */
			if (n && n->block != b)
				n = NULL;
		}
	return true;
}

/* ---- addLoopEntry ---- */

/* In front of `at`; NULL: the body begins with a loop of its own, which has
 * been taken out of the block. */
static void at_head(struct bir_block *b, struct bir_inst *at,
                    struct bir_inst *i)
{
	if (at)
		bir_inst_before(at, i);
	else
		bir_inst_append(b, i);
}

static void counter_start(struct branch *s, const struct branch_loop *rec,
                          struct bir_block *pre, enum bir_engine e)
{
	struct bir_module *m = s->m;
	const struct bir_loop *l = &rec->carrier->u.loop;
	struct bir_reg *iv, *k, *limit;
	char name[192];
	struct bir_inst *at = rec->header->first, *a, *b;

	if (rec->carrier->it == BIR_IT_DO_WHILE)
		return;
	iv = pass_reg(m, l->iv, e);
	k = pass_reg(m, rec->count, e);
	bir_reg_move(m, pre, e, k, bir_int(m, rec->trips ? 0 : l->lb))->pos =
	    rec->carrier->pos;
	if (rec->trips) {
		/* iv := lb + step * k at the start of the body */
		a = pass_new_alu(m, e, TPB_BIR_ALU_MULT, iv, k,
		                 bir_int(m, l->step));
		b = pass_new_alu(m, e, TPB_BIR_ALU_ADD, iv, iv,
		                 bir_int(m, l->lb));
		a->pos = b->pos = rec->carrier->pos;
		at_head(rec->header, at, a);
		at_head(rec->header, at, b);
	}
	if (rec->carrier->it != BIR_IT_DYN_LOOP)
		return;
	snprintf(name, sizeof name, "%s.limit", rec->carrier->name);
	limit = pass_reg(m, bir_reg_find(m, name), e);
	bir_reg_alu(m, pre, e, TPB_BIR_ALU_MULT, limit,
	            pass_reg(m, l->ubreg, e), bir_int(m, l->coef))
	    ->pos = rec->carrier->pos;
	bir_reg_alu(m, pre, e, TPB_BIR_ALU_ADD, limit, limit, bir_int(m, l->ub))
	    ->pos = rec->carrier->pos;
}

bool branch_entries(struct branch *s)
{
	enum bir_engine u[BIR_NENGINES];
	int n = pass_engines(s->m, u);
	char name[192];

	for (struct branch_loop *r = s->loops; r; r = r->next) {
		struct bir_inst *i = r->carrier, *t;
		struct bir_block *before = r->header->prev, *pre;

		snprintf(name, sizeof name, "%s-pre", i->name);
		pre = bir_block_after(s->m, before, name);
		pre->origin = r->latch->origin;
		pre->pos = i->pos;
		if (!before->last || !bir_is_terminator(before->last))
			branch_jump(s, before, pre, i->pos, NULL);
		for (int k = 0; k < n; k++)
			counter_start(s, r, pre, u[k]);
		if (i->it == BIR_IT_DYN_LOOP) {
			snprintf(name, sizeof name, "%s-enter", i->name);
			t = bir_emit(s->m, pre, BIR_IT_BRANCH, name,
			             BIR_ENG_NONE);
			snprintf(name, sizeof name, "%s.limit", i->name);
			bir_in(t, bir_use(s->m, i->u.loop.iv));
			bir_in(t, bir_use(s->m, bir_reg_find(s->m, name)));
			t->u.branch.cmp = TPB_BIR_CMP_LT_REG;
			t->u.branch.on_true = r->header;
			t->u.branch.on_false = r->exit;
			t->pos = i->pos;
		} else {
			snprintf(name, sizeof name, "%s-enter", i->name);
			branch_jump(s, pre, r->header, i->pos, name);
		}
		bir_inst_delete(s->m, i);
		s->entries++;
	}
	return true;
}
