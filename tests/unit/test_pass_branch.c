/* SPDX-License-Identifier: Apache-2.0
 *
 * expand_all_early, lower_branch, alloc_queues, expand_all_final: shape of
 * what they make, by the rows of the contract; values by the interpreter.
 *
 * Run alone: build/default/test_pass_branch
 */
#include "tests/unit/pass.h"

#define F32 TPB_BIR_DTYPE_FLOAT32
#define I32 TPB_BIR_DTYPE_INT32

static struct bir_module *begin(struct bir_block **b)
{
	struct bir_module *m = module_new(b);

	m->engines = 1 << BIR_ENG_DVE | 1 << BIR_ENG_POOL | 1 << BIR_ENG_SP;
	return m;
}

/* Store a register as element k of `out`, by SP. */
static void store(struct bir_module *m, struct bir_block *b, struct bir_reg *r,
                  struct bir_loc *out, int k)
{
	struct bir_pair one = {1, 1};

	op2(m, b, BIR_IT_TENSOR_SAVE, NULL, BIR_ENG_SP, bir_use(m, r), NULL,
	    bir_ap(m, out, I32, 4 * k, 1, &one));
}

static int64_t load(struct bir_module *m, int k)
{
	struct bir_error bad;
	struct bir_interp *t = bir_interp_new(m, &bad);
	int32_t v[16];

	if (!t || !bir_interp_run(t, 100000, &bad) ||
	    !bir_interp_read(t, "out", v, sizeof v, &bad))
		fail_msg("%s: %s", bad.id, bad.text);
	bir_interp_free(t);
	return v[k];
}

static struct bir_loc *out_of(struct bir_module *m)
{
	return tensor(m, "out", BIR_DRAM, BIR_OUTPUT_T, I32, 1, 16);
}

/* ---- expand_all_early ---- */

/* An op on ALL lives where its value is read, first engine keeps the name. */
static void expansion(void **state)
{
	struct bir_block *b;
	struct bir_module *m = begin(&b);
	struct bir_loc *o = out_of(m);
	struct bir_loc *x = tensor(m, "x", BIR_SBUF, BIR_INTERNAL, F32, 32, 8);
	struct bir_reg *r = bir_reg_new(m, "r", BIR_ENG_ALL, 32);
	struct bir_reg *s = bir_reg_new(m, "s", BIR_ENG_ALL, 32);
	struct bir_pair row[2] = {{8, 32}, {1, 4}};
	struct bir_expr *e = bir_expr_new(m, 0);

	(void)state;
	bir_inst_rename(m, bir_reg_move(m, b, BIR_ENG_ALL, r, bir_int(m, 1)),
	                "mv");
	bir_inst_rename(m,
	                bir_reg_alu(m, b, BIR_ENG_ALL, TPB_BIR_ALU_ADD, s, r,
	                            bir_int(m, 2)),
	                "add");
	store(m, b, s, o, 0);
	bir_expr_add(m, e, 1, s);
	op2(m, b, BIR_IT_MEMSET, "use", BIR_ENG_DVE, NULL, NULL,
	    bir_sym(m, x, F32, 0, 2, row, e));
	bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
	pass_run(m, pass_expand_all_early);
	/* readers: SP and DVE; DVE comes first */
	const struct bir_inst *mv = named(m, "mv"), *add = named(m, "add");

	assert_int_equal(mv->engine, BIR_ENG_DVE);
	assert_ptr_equal(mv->next, named(m, "mv.SP0"));
	assert_int_equal(mv->next->engine, BIR_ENG_SP);
	assert_ptr_equal(mv->out[0]->reg, r);
	assert_int_equal(r->engine, BIR_ENG_DVE);
	const struct bir_reg *rs = mv->next->out[0]->reg;

	assert_string_equal(rs->name, "r.SP0");
	assert_ptr_equal(rs->origin, r);
	assert_ptr_equal(add->next->in[0]->reg, rs);
	assert_ptr_equal(named(m, "use")->out[0]->expr->term[0].reg, s);
	assert_null(bir_inst_find(m, "mv.Pool0"));
	assert_int_equal(load(m, 0), 3);
	bir_module_free(m);
}

/* A load is copied with its edges: the next write waits for all copies. */
static void expanded_edges(void **state)
{
	struct bir_block *b;
	struct bir_module *m = begin(&b);
	struct bir_loc *o = out_of(m);
	struct bir_loc *x = tensor(m, "x", BIR_SBUF, BIR_INTERNAL, I32, 1, 8);
	struct bir_block *n = bir_block_new(m, &m->first->body, "n");
	struct bir_reg *r = bir_reg_new(m, "r", BIR_ENG_ALL, 32);
	struct bir_pair el[2] = {{8, 1}, {1, 1}};

	(void)state;
	bir_loc_place(x, 0, 0);
	op2(m, b, BIR_IT_MEMSET, "w1", BIR_ENG_DVE, NULL, NULL,
	    bir_whole(m, x));
	op2(m, b, BIR_IT_TENSOR_LOAD, "ld", BIR_ENG_ALL,
	    bir_ap(m, x, I32, 0, 2, el), NULL, bir_use(m, r));
	op2(m, b, BIR_IT_MEMSET, "w2", BIR_ENG_DVE, NULL, NULL,
	    bir_whole(m, x));
	bir_branch(m, b, BIR_ENG_NONE, TPB_BIR_CMP_EQ_IMM, r, bir_int(m, 1), n,
	           n);
	store(m, n, r, o, 0);
	bir_emit(m, n, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
	pass_run(m, pass_build_fdeps);
	pass_run(m, pass_anti_dependency_analyzer);
	pass_run(m, pass_expand_all_early);
	assert_int_equal(count_of(&m->first->body, BIR_IT_TENSOR_LOAD), 3);
	assert_true(edge(m, "ld", "w1") && edge(m, "ld.SP0", "w1") &&
	            edge(m, "ld.DVE0", "w1"));
	assert_true(edge(m, "w2", "ld") && edge(m, "w2", "ld.SP0") &&
	            edge(m, "w2", "ld.DVE0"));
	bir_module_free(m);
}

/* ---- lower_branch ---- */

static struct bir_module *loop_of(int64_t lb, int64_t ub, int64_t step,
                                  struct bir_reg **iv)
{
	struct bir_block *b;
	struct bir_module *m = begin(&b);
	struct bir_loc *o = out_of(m);
	struct bir_reg *sum = bir_reg_new(m, "sum", BIR_ENG_SP, 32);
	struct bir_reg *n = bir_reg_new(m, "n", BIR_ENG_SP, 32);

	*iv = bir_reg_new(m, "i", BIR_ENG_ALL, 32);
	bir_reg_move(m, b, BIR_ENG_SP, sum, bir_int(m, 0));
	bir_reg_move(m, b, BIR_ENG_SP, n, bir_int(m, 0));
	struct bir_inst *l = bir_loop(m, b, *iv, lb, ub, step);

	bir_inst_rename(m, l, "L");
	struct bir_block *r = bir_block_new(m, &l->u.loop.body, "body");

	bir_reg_alu(m, r, BIR_ENG_SP, TPB_BIR_ALU_MULT, sum, sum,
	            bir_int(m, 3));
	bir_reg_alu(m, r, BIR_ENG_SP, TPB_BIR_ALU_ADD, sum, sum,
	            bir_use(m, *iv));
	bir_reg_alu(m, r, BIR_ENG_SP, TPB_BIR_ALU_ADD, n, n, bir_int(m, 1));
	store(m, b, sum, o, 0);
	store(m, b, n, o, 1);
	bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
	return m;
}

/* S003-04: trips and values by a plain loop. */
static void trips(void **state)
{
	static const int64_t row[][3] = {
	    {0, 5, 1},   {0, 5, 2},  {3, 3, 1}, {4, 1, 1},  {-3, 4, 3},
	    {9, -1, -1}, {9, 0, -4}, {0, 1, 7}, {2, 9, -1}, {-2, -9, -2}};

	(void)state;
	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		struct bir_reg *iv;
		struct bir_module *m =
		    loop_of(row[k][0], row[k][1], row[k][2], &iv);
		int32_t sum = 0, n = 0;

		for (int64_t i = row[k][0];
		     row[k][2] > 0 ? i < row[k][1] : i > row[k][1];
		     i += row[k][2]) {
			sum = sum * 3 + (int32_t)i;
			n++;
		}
		assert_int_equal(load(m, 0), sum);
		pass_run(m, pass_expand_all_early);
		pass_run(m, pass_lower_branch);
		assert_int_equal(load(m, 0), sum);
		assert_int_equal(load(m, 1), n);
		assert_int_equal(count_of(&m->first->body, BIR_IT_LOOP), 0);
		bir_module_free(m);
	}
}

/* S000-35 to S000-38, S000-43. */
static void loop_shape(void **state)
{
	static const char *const order[] = {"entry", "L-pre", "body", "L-latch",
	                                    "L-exit"};
	struct bir_reg *iv;
	struct bir_module *m = loop_of(0, 5, 1, &iv);
	const struct bir_block *b = m->first->body.first;

	(void)state;
	pass_run(m, pass_expand_all_early);
	pass_run(m, pass_lower_branch);
	assert_string_equal(pass_stats, "exits=0 loops=1 splits=0 converts=0 "
	                                "entries=1 deleted=0 elses=0");
	for (int k = 0; k < 5; k++, b = b->next) {
		assert_string_equal(b->name, order[k]);
		assert_ptr_equal(b->origin, m->first->body.first);
	}
	const struct bir_block *pre = bir_block_find(m, "L-pre");
	const struct bir_block *latch = bir_block_find(m, "L-latch");
	int moves = 0, adds = 0, compares = 0;

	for (const struct bir_inst *i = pre->first; i; i = i->next)
		moves += i->it == BIR_IT_REG_MOVE;
	assert_int_equal(moves, 3); /* a counter on each engine of U */
	assert_int_equal(latch->first->it, BIR_IT_ALL_BARRIER);
	assert_int_equal(latch->first->engine, BIR_ENG_ALL);
	assert_string_equal(latch->first->name, "L-join");
	for (const struct bir_inst *i = latch->first; i; i = i->next) {
		adds += i->it == BIR_IT_REG_ALU;
		if (i->it != BIR_IT_BRANCH)
			continue;
		compares++;
		assert_int_equal(i->u.branch.cmp, TPB_BIR_CMP_LT_IMM);
		assert_ptr_equal(i->u.branch.on_true,
		                 bir_block_find(m, "body"));
		assert_ptr_equal(i->u.branch.on_false,
		                 bir_block_find(m, "L-exit"));
		assert_int_equal(i->in[0]->reg->engine, i->engine);
		assert_int_equal(i->in[1]->imm, 5);
	}
	assert_int_equal(adds, 3);
	assert_int_equal(compares, 3);
	assert_int_equal(named(m, "L-back")->engine, BIR_ENG_SP);
	assert_int_equal(named(m, "L-back.DVE0")->engine, BIR_ENG_DVE);
	assert_int_equal(pass_reg(m, iv, BIR_ENG_SP)->lo, 0);
	assert_int_equal(pass_reg(m, iv, BIR_ENG_SP)->hi, 5);
	bir_module_free(m);
}

/* A loop that counts its trips, bound by a register that holds n; the trips
 * by a plain loop go to *want. */
static struct bir_module *bound_loop(int64_t n, bool do_while, int64_t *want)
{
	struct bir_block *b;
	struct bir_module *m = begin(&b);
	struct bir_loc *o = out_of(m);
	struct bir_reg *bound = bir_reg_new(m, "bound", BIR_ENG_ALL, 32);
	struct bir_reg *iv = bir_reg_new(m, "i", BIR_ENG_ALL, 32);
	struct bir_reg *c = bir_reg_new(m, "c", BIR_ENG_ALL, 32);

	bir_reg_move(m, b, BIR_ENG_ALL, bound, bir_int(m, n));
	bir_reg_move(m, b, BIR_ENG_ALL, c, bir_int(m, 0));
	struct bir_inst *l =
	    bir_emit(m, b, do_while ? BIR_IT_DO_WHILE : BIR_IT_DYN_LOOP, "L",
	             BIR_ENG_ALL);
	struct bir_block *r = bir_block_new(m, &l->u.loop.body, "body");

	bir_reg_alu(m, r, BIR_ENG_ALL, TPB_BIR_ALU_ADD, c, c, bir_int(m, 1));
	*want = 0;
	if (do_while) {
		l->u.loop.cond = bound;
		bir_reg_alu(m, r, BIR_ENG_ALL, TPB_BIR_ALU_ADD, bound, bound,
		            bir_int(m, -1));
		do
			++*want;
		while (--n != 0);
	} else {
		l->u.loop = (struct bir_loop){.body = l->u.loop.body,
		                              .iv = iv,
		                              .ubreg = bound,
		                              .lb = 1,
		                              .ub = 2,
		                              .step = 2,
		                              .coef = 3};
		for (int64_t i = 1; i < 2 + 3 * n; i += 2)
			++*want;
	}
	store(m, b, c, o, 0);
	bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
	return m;
}

/* S003-03: bound from a register, none or some trips; and do-while. */
static void run_time_loops(void **state)
{
	(void)state;
	for (int64_t n = -2; n < 5; n++)
		for (int kind = n < 1 ? 0 : 1; kind >= 0; kind--) {
			int64_t want;
			struct bir_module *m = bound_loop(n, kind, &want);

			assert_int_equal(load(m, 0), want);
			pass_run(m, pass_expand_all_early);
			pass_run(m, pass_lower_branch);
			assert_int_equal(load(m, 0), want);
			bir_module_free(m);
		}
}

/* S000-40, S000-41, S000-44. */
static void predicates(void **state)
{
	static const int64_t coef[][3] = {
	    /* c, i, j */ {-2, 1, 0}, {0, 1, -1}, {1, 2, -3}};

	(void)state;
	for (int k = 0; k < 3; k++)
		for (int cmp = 0; cmp < 6; cmp++) {
			struct bir_block *b;
			struct bir_module *m = begin(&b);
			struct bir_loc *o = out_of(m);
			struct bir_reg *i =
			    bir_reg_new(m, "i", BIR_ENG_ALL, 32);
			struct bir_reg *j =
			    bir_reg_new(m, "j", BIR_ENG_ALL, 32);
			struct bir_reg *x = bir_reg_new(m, "x", BIR_ENG_SP, 32);
			struct bir_expr *e = bir_expr_new(m, coef[k][0]);
			int64_t v =
			    coef[k][0] + 4 * coef[k][1] + 2 * coef[k][2];
			bool yes[] = {
			    v<0, v <= 0, v == 0, v != 0, v >= 0, v> 0};

			bir_expr_add(m, e, coef[k][1], i);
			if (coef[k][2])
				bir_expr_add(m, e, coef[k][2], j);
			bir_reg_move(m, b, BIR_ENG_ALL, i, bir_int(m, 4));
			bir_reg_move(m, b, BIR_ENG_ALL, j, bir_int(m, 2));
			bir_reg_move(m, b, BIR_ENG_SP, x, bir_int(m, 10));
			bir_predicate(m,
			              bir_reg_alu(m, b, BIR_ENG_SP,
			                          TPB_BIR_ALU_ADD, x, x,
			                          bir_int(m, 5)),
			              e, cmp);
			bir_reg_alu(m, b, BIR_ENG_SP, TPB_BIR_ALU_ADD, x, x,
			            bir_int(m, 1));
			store(m, b, x, o, 0);
			bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
			pass_run(m, pass_expand_all_early);
			pass_run(m, pass_lower_branch);
			assert_int_equal(load(m, 0), yes[cmp] ? 16 : 11);
			int got = -1;

			for (b = m->first->body.first; b; b = b->next)
				for (const struct bir_inst *t = b->first; t;
				     t = t->next)
					if (t->it == BIR_IT_BRANCH)
						got = t->u.branch.cmp;
			assert_int_equal(got, k == 1 ? cmp + 6 : cmp);
			bir_module_free(m);
		}
}

/* A register compare is no predicate. */
static void bad_predicate(void **state)
{
	struct bir_block *b;
	struct bir_module *m = begin(&b);
	struct bir_reg *x = bir_reg_new(m, "x", BIR_ENG_SP, 32);
	struct bir_expr *e = bir_expr_new(m, 0);

	(void)state;
	bir_reg_move(m, b, BIR_ENG_SP, x, bir_int(m, 0));
	bir_expr_add(m, e, 1, x);
	bir_predicate(m, bir_reg_move(m, b, BIR_ENG_SP, x, bir_int(m, 1)), e,
	              TPB_BIR_CMP_LT_REG);
	bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
	assert_false(pass_try(m, pass_lower_branch));
	assert_string_equal(pass_err.id, "CMP018");
	bir_module_free(m);
}

/* A block with neither successor next gets one that jumps. */
static void layout(void **state)
{
	struct bir_block *b;
	struct bir_module *m = begin(&b);
	struct bir_region *f = &m->first->body;
	struct bir_reg *r = bir_reg_new(m, "r", BIR_ENG_ALL, 32);
	struct bir_block *x = bir_block_new(m, f, "x");
	struct bir_block *y = bir_block_new(m, f, "y");
	struct bir_block *z = bir_block_new(m, f, "z");

	(void)state;
	bir_reg_move(m, b, BIR_ENG_ALL, r, bir_int(m, 0));
	bir_branch(m, b, BIR_ENG_NONE, TPB_BIR_CMP_EQ_IMM, r, bir_int(m, 0), y,
	           z);
	bir_emit(m, x, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
	bir_emit(m, y, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
	bir_emit(m, z, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
	pass_run(m, pass_expand_all_early);
	pass_run(m, pass_lower_branch);
	assert_string_equal(b->next->name, "entry-else");
	assert_ptr_equal(b->next->first->u.branch.on_true, z);
	for (const struct bir_inst *i = b->first; i; i = i->next)
		if (i->it == BIR_IT_BRANCH)
			assert_ptr_equal(i->u.branch.on_false, b->next);
	bir_module_free(m);
}

static void refusals(void **state)
{
	struct bir_reg *iv;
	struct bir_module *m = loop_of(0, 0x7FFFFFFF, 2, &iv);

	(void)state;
	assert_true(pass_try(m, pass_expand_all_early));
	pass_refuses(m, pass_lower_branch, "CMP017", "below 2^31");
	bir_module_free(m);
	m = loop_of(0, 5, 1, &iv);
	m->gen = 1;
	assert_false(pass_try(m, pass_lower_branch));
	assert_string_equal(pass_err.id, "CMP019");
	bir_module_free(m);
}

/* ---- alloc_queues ---- */

/* One queue a block and engine, blocks in program order. */
static void queues(void **state)
{
	struct bir_block *b;
	struct bir_module *m = begin(&b);
	struct bir_loc *d = tensor(m, "d", BIR_DRAM, BIR_INPUT, F32, 32, 8);
	struct bir_loc *x = tensor(m, "x", BIR_SBUF, BIR_INTERNAL, F32, 32, 8);
	struct bir_block *n = bir_block_new(m, &m->first->body, "n");
	char name[16];

	(void)state;
	bir_loc_place(x, 0, 0);
	bir_loc_place_dram(d, 4096, 1);
	for (int k = 0; k < 4; k++) {
		struct bir_inst *i = bir_dma_copy(
		    m, k < 3 ? b : n, bir_whole(m, x), bir_whole(m, d));

		snprintf(name, sizeof name, "c%d", k);
		bir_inst_rename(m, i, name);
		i->engine = k == 1 ? BIR_ENG_DVE : BIR_ENG_SP;
	}
	pass_run(m, pass_lower_dma);
	pass_run(m, pass_alloc_queues);
	assert_int_equal(m->nqueue, 3);
	const struct bir_queue *q = named(m, "c0-trigger")->u.trigger.queue;

	assert_ptr_equal(named(m, "c2-trigger")->u.trigger.queue, q);
	assert_int_equal(q->instance->nblock, 2);
	assert_ptr_equal(q->instance->block[1], named(m, "c2-block"));
	assert_int_equal(named(m, "c2-block")->u.dmablock.id, 1);
	assert_int_equal(named(m, "c1-trigger")->u.trigger.queue->engine,
	                 BIR_ENG_DVE);
	assert_ptr_not_equal(named(m, "c3-trigger")->u.trigger.queue, q);
	bir_module_free(m);
}

/* ---- expand_all_final ---- */

/* S003-14, S003-16. */
static void final_clones(void **state)
{
	struct bir_block *b;
	struct bir_module *m = begin(&b);
	struct bir_inst *r =
	    bir_emit(m, b, BIR_IT_GROUP_RESET, "r", BIR_ENG_ALL);

	(void)state;
	r->u.greset.mask[1] = 0x55;
	bir_emit(m, b, BIR_IT_EXIT, "e", BIR_ENG_ALL);
	pass_run(m, pass_expand_all_final);
	assert_string_equal(pass_stats, "ops=2 clones=4");
	assert_int_equal(r->engine, BIR_ENG_POOL);
	assert_int_equal(named(m, "r.DVE0")->u.greset.mask[1], 0x55);
	assert_int_equal(named(m, "r.SP0")->engine, BIR_ENG_SP);
	assert_ptr_equal(r->next, named(m, "r.DVE0"));
	assert_int_equal(count_of(&m->first->body, BIR_IT_EXIT), 3);
	bir_module_free(m);
	m = begin(&b);
	r = bir_emit(m, b, BIR_IT_NOOP, "n", BIR_ENG_ALL);
	bir_update_add(m, r, -1, 240, TPB_BIR_UPDATE_INC, 1);
	assert_false(pass_try(m, pass_expand_all_final));
	assert_string_equal(pass_err.id, "CMP027");
	bir_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(expansion),      cmocka_unit_test(expanded_edges),
	    cmocka_unit_test(trips),          cmocka_unit_test(loop_shape),
	    cmocka_unit_test(run_time_loops), cmocka_unit_test(predicates),
	    cmocka_unit_test(bad_predicate),  cmocka_unit_test(layout),
	    cmocka_unit_test(refusals),       cmocka_unit_test(queues),
	    cmocka_unit_test(final_clones),
	};

	return cmocka_run_group_tests_name("pass_branch", tests, NULL, NULL);
}
