/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of a KLR tree as a whole: names, registers, branches, loops, edges.
 * Tensors and patterns are in check_ref.c, the rules of operators in
 * check_op.c.  docs/reference/klr.md lists all of them.
 */
#include "compiler/klr/internal.h"

#include <inttypes.h>
#include <string.h>

static bool is_reg(const struct klr_checker *c, const char *name)
{
	return klr_check_loop(c, name) || klr_names_get(c->regs, name);
}

const struct klr_stmt *klr_check_loop(const struct klr_checker *c,
                                      const char *reg)
{
	for (int i = c->depth - 1; i >= 0; i--)
		if (!strcmp(c->loop[i]->var, reg))
			return c->loop[i];
	return NULL;
}

/* ------------------------------------------------------------ names */

static void tensor_and_register(struct klr_checker *c, const char *name,
                                struct klr_pos pos)
{
	if (klr_names_get(c->k->tensor_names, name))
		klr_error_at(&c->rep, pos, KLR_E_TWICE,
		             "'%.40s' is a tensor and a register; rename one",
		             name);
}

static void sets(struct klr_checker *c, struct klr_stmt *s,
                 const struct klr_value *v)
{
	if (klr_check_loop(c, v->s))
		klr_error_at(&c->rep, v->pos, KLR_E_LOOP,
		             "'%.40s' counts the loop around; set another "
		             "register",
		             v->s);
	klr_names_put(c->regs, v->s, s);
}

/* Registers that statements set, and names of statements. */
static void collect(struct klr_checker *c, struct klr_stmt *s)
{
	for (; s; s = s->next) {
		struct klr_field f[KLR_MAX_FIELDS];
		const struct klr_opinfo *op;
		int n;

		if (s->kind == KLR_S_LOOP) {
			tensor_and_register(c, s->var, s->pos);
			if (c->depth == KLR_MAX_DEPTH)
				return; /* the parser lets none pass */
			c->loop[c->depth++] = s;
			collect(c, s->body);
			c->depth--;
			continue;
		}
		if (s->name && klr_names_put(c->stmts, s->name, s))
			klr_error_at(&c->rep, s->pos, KLR_E_TWICE,
			             "two statements have the name '%.40s'; "
			             "rename one",
			             s->name);
		op = klr_op_info(s->op);
		n = klr_fields(op, f);
		for (int i = 0; i < n; i++)
			if (f[i].kind == KLR_K_REG && !strcmp(f[i].name, "dst"))
				sets(c, s, &s->value[i]);
	}
}

static void label_hint(struct klr_checker *c, const struct klr_body *body,
                       const struct klr_value *v)
{
	struct klr_near near;

	klr_near_start(&near, v->s);
	for (const struct klr_block *b = body->blocks; b; b = b->next)
		klr_near_try(&near, b->label);
	klr_error_at(&c->rep, v->pos, KLR_E_BRANCH, "no block '%.40s'%s", v->s,
	             klr_near_hint(&near, "a branch goes to a label of its "
	                                  "core"));
}

/* ------------------------------------------------------------ operands */

static void check_register(struct klr_checker *c, const struct klr_value *v)
{
	tensor_and_register(c, v->s, v->pos);
	if (!is_reg(c, v->s))
		klr_error_at(&c->rep, v->pos, KLR_E_REG,
		             "nothing sets register '%.40s'; add a "
		             "tensorLoad or registerMove, or a loop",
		             v->s);
}

static void check_value(struct klr_checker *c, const struct klr_value *v)
{
	if (v->kind == KLR_V_REF)
		klr_check_ref(c, v->ref);
	else if (v->kind == KLR_V_INT && (v->i < INT32_MIN || v->i > INT32_MAX))
		klr_error_at(&c->rep, v->pos, KLR_E_RANGE,
		             "%" PRId64 " does not fit into 32 bits with "
		             "sign; write the negative number of the same bits",
		             v->i);
	for (int i = 0; i < v->nitems; i++)
		check_value(c, &v->item[i]);
}

static void check_operands(struct klr_checker *c, const struct klr_body *body,
                           const struct klr_stmt *s)
{
	struct klr_field f[KLR_MAX_FIELDS];
	int n = klr_fields(klr_op_info(s->op), f);

	for (int i = 0; i < n; i++) {
		const struct klr_value *v = &s->value[i];

		check_value(c, v);
		if (v->kind != KLR_V_NAME)
			continue;
		if (f[i].kind == KLR_K_LABEL) {
			if (!klr_names_get(c->labels, v->s))
				label_hint(c, body, v);
		} else {
			check_register(c, v);
		}
	}
}

/* Which operands a branch has depends on its compare. */
static void check_branch(struct klr_checker *c, const struct klr_stmt *s)
{
	enum { REG1, REG2, IMM, OP, TRUE_LABEL, FALSE_LABEL };
	bool always = s->value[OP].i == KLR_BRANCH_always;
	bool reg = s->value[OP].i > KLR_BRANCH_gt_imm;
	const char *op = klr_enum_word(KLR_G_BRANCH, s->value[OP].i);
	const char *bad = NULL;

	if ((s->value[REG1].kind == KLR_V_NONE) != always)
		bad = "reg1";
	else if ((s->value[REG2].kind == KLR_V_NONE) == reg)
		bad = "reg2";
	else if ((s->value[FALSE_LABEL].kind == KLR_V_NONE) != always)
		bad = "falseLabel";
	if (bad)
		klr_error_at(&c->rep, s->pos, KLR_E_OPERAND,
		             "cmpBranch with op=%s %s %s; see cmpBranch in "
		             "docs/reference/klr.md",
		             op,
		             strcmp(bad, "reg2") ? (always ? "has no" : "needs")
		                                 : (reg ? "needs" : "has no"),
		             bad);
	if (c->depth)
		klr_error_at(&c->rep, s->pos, KLR_E_BRANCH,
		             "branch out of a loop's body; branch behind it, "
		             "or write the loop with labels");
	else if (s->next)
		klr_error_at(&c->rep, s->next->pos, KLR_E_BRANCH,
		             "code behind a branch is never reached; put a "
		             "label in front");
}

static void check_stmts(struct klr_checker *c, const struct klr_body *body,
                        const struct klr_stmt *s);

static void check_bound(struct klr_checker *c, const struct klr_value *v)
{
	check_value(c, v);
	if (v->kind == KLR_V_NAME && !is_reg(c, v->s))
		klr_error_at(&c->rep, v->pos, KLR_E_REG,
		             "nothing sets register '%.40s'; bounds are "
		             "integers or registers that are set",
		             v->s);
}

static void check_loop(struct klr_checker *c, const struct klr_body *body,
                       const struct klr_stmt *s)
{
	check_bound(c, &s->lo);
	check_bound(c, &s->hi);
	if (s->lo.kind == KLR_V_NAME)
		klr_error_at(&c->rep, s->pos, KLR_E_LOOP,
		             "a loop begins at an integer; add the register "
		             "where it is used");
	else if (!s->step || s->step < INT32_MIN || s->step > INT32_MAX)
		klr_error_at(&c->rep, s->pos, KLR_E_LOOP,
		             "step %" PRId64 "; it must be 1 or more, or "
		             "negative",
		             s->step);
	else if (s->hi.kind == KLR_V_INT && (s->hi.i + s->step < INT32_MIN ||
	                                     s->hi.i + s->step > INT32_MAX))
		klr_error_at(&c->rep, s->pos, KLR_E_LOOP,
		             "the counter would pass 32 bits; lower the bound "
		             "or the step");
	else if (s->hi.kind == KLR_V_NAME && s->step < 0)
		klr_error_at(&c->rep, s->pos, KLR_E_LOOP,
		             "a loop to a register goes upwards; count up and "
		             "subtract in a register");
	else if (is_reg(c, s->var))
		klr_error_at(&c->rep, s->pos, KLR_E_TWICE,
		             "'%.40s' is set elsewhere too; a loop has a "
		             "register of its own",
		             s->var);
	if (c->rep.failed || c->depth == KLR_MAX_DEPTH)
		return;
	c->loop[c->depth++] = s;
	check_stmts(c, body, s->body);
	c->depth--;
}

static void check_stmts(struct klr_checker *c, const struct klr_body *body,
                        const struct klr_stmt *s)
{
	for (; s && !c->rep.failed; s = s->next) {
		if (s->kind == KLR_S_LOOP) {
			check_loop(c, body, s);
			continue;
		}
		check_operands(c, body, s);
		if (s->op == KLR_OP_cmpBranch)
			check_branch(c, s);
		if (!c->rep.failed)
			klr_check_op(c, s);
	}
}

/* ------------------------------------------------------------ the whole */

static void check_block(struct klr_checker *c, const struct klr_body *body,
                        const struct klr_block *b)
{
	const struct klr_stmt *last = b->body;

	check_stmts(c, body, b->body);
	if (!b->no_reorder)
		return;
	while (last && last->next)
		last = last->next;
	if (!last || last->kind != KLR_S_OP || last->op != KLR_OP_cmpBranch ||
	    last->value[klr_field_index(last->op, "op")].i != KLR_BRANCH_always)
		klr_error_at(&c->rep, b->pos, KLR_E_BRANCH,
		             "a noReorder block ends with cmpBranch("
		             "op=always, trueLabel=..); add one");
}

static void check_body(struct klr_checker *c, struct klr_body *body)
{
	struct klr_block *b;

	c->labels = klr_names_new(c->k->arena);
	c->regs = klr_names_new(c->k->arena);
	c->stmts = klr_names_new(c->k->arena);
	for (b = body->blocks; b; b = b->next) {
		if (klr_names_put(c->labels, b->label, b))
			klr_error_at(&c->rep, b->pos, KLR_E_TWICE,
			             "two blocks have the label '%.40s'; "
			             "rename one",
			             b->label);
		collect(c, b->body);
	}
	for (b = body->blocks; b && !c->rep.failed; b = b->next)
		check_block(c, body, b);
	for (struct klr_edge *e = c->k->edges; e && !c->rep.failed; e = e->next)
		for (int i = -1; i < e->nto; i++) {
			const char *name = i < 0 ? e->from : e->to[i];

			if (!klr_names_get(c->stmts, name))
				klr_error_at(&c->rep, e->pos, KLR_E_EDGE,
				             "no statement is called '%.40s'; "
				             "name it with `as`",
				             name);
		}
}

/* All cores have the same blocks in the same order. */
static void check_cores(struct klr_checker *c)
{
	const struct klr_body *first = c->k->bodies;

	for (const struct klr_body *b = first->next; b; b = b->next) {
		const struct klr_block *x = first->blocks, *y = b->blocks;

		while (x && y && !strcmp(x->label, y->label)) {
			x = x->next;
			y = y->next;
		}
		if (x || y)
			klr_error_at(&c->rep, y ? y->pos : x->pos, KLR_E_EDGE,
			             "the cores have different blocks; give "
			             "them the same labels in the same order");
	}
}

bool klr_check(const struct klr_kernel *k, int gen, struct klr_error *err)
{
	struct klr_checker c = {.k = k, .gen = gen};
	struct klr_pos top = {1, 1};

	c.rep.path = k->path;
	c.rep.err = err;
	if (gen < 2 || gen > 4) {
		klr_error_at(&c.rep, top, KLR_E_BUILT,
		             "no generation %d; there are 2, 3 and 4", gen);
		return false;
	}
	for (struct klr_tensor *t = k->tensors; t && !c.rep.failed; t = t->next)
		klr_check_tensor(&c, t);
	if (!k->bodies)
		klr_error_at(&c.rep, top, KLR_E_SYNTAX,
		             "kernel without code; add a statement");
	for (struct klr_body *b = k->bodies; b && !c.rep.failed; b = b->next)
		check_body(&c, b);
	if (!c.rep.failed && k->bodies)
		check_cores(&c);
	return !c.rep.failed;
}
