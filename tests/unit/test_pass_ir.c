/* SPDX-License-Identifier: Apache-2.0
 *
 * The passes before control flow is lowered: lower_select, legalize,
 * assign_engines, alloc_mem, the dependency passes, cfg_normalize,
 * lower_control, lower_dma.  Expected results are the rows of the contract
 * (docs/reference/compiler.md); the copies are judged by plain loops.
 *
 * Run alone: build/default/test_pass_ir
 */
#include "compiler/passes/dma_cut.h"
#include "compiler/passes/legalize.h"
#include "tests/unit/pass.h"

#define F32 TPB_BIR_DTYPE_FLOAT32
#define I32 TPB_BIR_DTYPE_INT32
#define U8 TPB_BIR_DTYPE_UINT8

struct tile {
	struct bir_loc *k, *a, *b, *c;
};

static struct bir_module *begin(struct bir_block **b, struct tile *t)
{
	struct bir_module *m = module_new(b);

	t->k = tensor(m, "k", BIR_SBUF, BIR_INTERNAL, U8, 64, 8);
	t->a = tensor(m, "a", BIR_SBUF, BIR_INTERNAL, F32, 64, 8);
	t->b = tensor(m, "b", BIR_SBUF, BIR_INTERNAL, F32, 64, 8);
	t->c = tensor(m, "c", BIR_SBUF, BIR_INTERNAL, F32, 64, 8);
	return m;
}

static struct bir_inst *sel(struct bir_module *m, struct bir_block *b,
                            const char *name, struct bir_loc *mask,
                            struct bir_arg *yes, struct bir_arg *no,
                            struct bir_loc *out)
{
	struct bir_inst *i = bir_emit(m, b, BIR_IT_SELECT, name, BIR_ENG_DVE);

	bir_in(i, bir_whole(m, mask));
	bir_in(i, yes);
	bir_in(i, no);
	bir_out(i, bir_whole(m, out));
	i->pos.line = 7;
	return i;
}

static struct bir_inst *tt(struct bir_module *m, struct bir_block *b,
                           const char *name, enum bir_engine e,
                           struct bir_loc *x, struct bir_loc *y,
                           struct bir_loc *d)
{
	struct bir_inst *i =
	    op2(m, b, BIR_IT_TENSOR_TENSOR, name, e, bir_whole(m, x),
	        bir_whole(m, y), bir_whole(m, d));

	i->u.alu.op0 = TPB_BIR_ALU_ADD;
	return i;
}

/* ---- lower_select ---- */

/* S000-04 to S000-14, one Select of each kind, and two levels deep. */
static void select_rules(void **state)
{
	struct bir_block *b;
	struct tile t;
	struct bir_module *m = begin(&b, &t);
	struct bir_reg *i = bir_reg_new(m, "i", BIR_ENG_ALL, 32);
	struct bir_reg *j = bir_reg_new(m, "j", BIR_ENG_ALL, 32);

	(void)state;
	sel(m, b, "x", t.k, bir_whole(m, t.a), bir_whole(m, t.b), t.c);
	struct bir_inst *use = tt(m, b, "use", BIR_ENG_DVE, t.c, t.a, t.b);

	bir_dep_add(m, use, named(m, "x"), BIR_ORDERED, false);
	struct bir_inst *o = bir_loop(m, b, i, 0, 2, 1);
	struct bir_block *r1 = bir_block_new(m, &o->u.loop.body, "r1");
	struct bir_inst *n = bir_loop(m, r1, j, 0, 2, 1);
	struct bir_block *r2 = bir_block_new(m, &n->u.loop.body, "r2");

	sel(m, r2, "y", t.k, bir_float(m, 1), bir_float(m, 2), t.c);
	sel(m, r2, "z", t.k, bir_int(m, 1), bir_whole(m, t.b), t.c);
	pass_run(m, pass_lower_select);
	assert_string_equal(pass_stats, "selects=3 path_b=1");
	assert_int_equal(count_of(&m->first->body, BIR_IT_SELECT), 0);
	struct bir_inst *c = named(m, "x-copy"), *p = named(m, "x-predicated");

	assert_ptr_equal(b->first, c);
	assert_ptr_equal(c->next, p);
	assert_int_equal(c->it, BIR_IT_GENERIC_COPY);
	assert_int_equal(c->engine, BIR_ENG_NONE);
	assert_ptr_equal(c->in[0]->loc, t.b);
	assert_ptr_equal(c->out[0]->loc, t.c);
	assert_int_equal(p->it, BIR_IT_COPY_PREDICATED);
	assert_int_equal(p->engine, BIR_ENG_DVE);
	assert_ptr_equal(p->in[0]->loc, t.k);
	assert_ptr_equal(p->in[1]->loc, t.a);
	assert_ptr_equal(p->out[0]->loc, t.c);
	assert_true(p->u.cpred.can_read_uninit && !p->u.cpred.false_fill);
	assert_int_equal(c->pos.line, 7);
	assert_int_equal(p->pos.line, 7);
	assert_true(edge(m, "use", "x-copy") && edge(m, "use", "x-predicated"));
	assert_true(edge(m, "x-predicated", "x-copy"));
	/* scalar of the same class: path B, the copy is still there */
	p = named(m, "y-predicated");
	assert_true(p->u.cpred.false_fill && !p->u.cpred.can_read_uninit);
	assert_int_equal(named(m, "y-copy")->in[0]->kind, BIR_ARG_IMM);
	/* an integer for floats: path A */
	p = named(m, "z-predicated");
	assert_true(!p->u.cpred.false_fill && p->u.cpred.can_read_uninit);
	bir_module_free(m);
}

/* S000-17: an operand that the copy would destroy is saved. */
static void select_alias(void **state)
{
	struct bir_block *b;
	struct tile t;
	struct bir_module *m = begin(&b, &t);

	(void)state;
	sel(m, b, "x", t.k, bir_whole(m, t.a), bir_whole(m, t.b), t.a);
	sel(m, b, "y", t.k, bir_whole(m, t.a), bir_whole(m, t.b), t.b);
	pass_run(m, pass_lower_select);
	assert_ptr_equal(named(m, "x-save-true")->in[0]->loc, t.a);
	assert_ptr_equal(named(m, "x-predicated")->in[1]->loc,
	                 named(m, "x-save-true")->out[0]->loc);
	assert_int_equal(index_of(b, "x-save-true"), 0);
	assert_int_equal(index_of(b, "y-copy"), 3);
	bir_module_free(m);
	m = begin(&b, &t);
	struct bir_inst *bad = bir_emit(m, b, BIR_IT_NOOP, "odd", BIR_ENG_SP);

	bad->it = (enum bir_it)200;
	assert_false(pass_try(m, pass_lower_select));
	assert_string_equal(pass_err.id, "CMP001");
	bir_module_free(m);
}

/* ---- legalize ---- */

static void fills(void **state)
{
	static const struct {
		int from;
		uint64_t imm;
		int to;
		uint32_t want;
	} row[] = {
	    {I32, (uint64_t)-5, I32, 0xFFFFFFFB},
	    {I32, 300, U8, 255},
	    {I32, (uint64_t)-300, TPB_BIR_DTYPE_INT8, 0x80},
	    {F32, 0x40200000, I32, 2},          /* 2.5: to even */
	    {F32, 0x40600000, I32, 4},          /* 3.5 */
	    {F32, 0xC0200000, I32, 0xFFFFFFFE}, /* -2.5 */
	    {F32, 0x7F800000, I32, 0x7FFFFFFF},
	    {I32, 3, F32, 0x40400000},
	    {F32, 0x3F800000, TPB_BIR_DTYPE_FLOAT16, 0x3C00},
	    {F32, 0x477FE000, TPB_BIR_DTYPE_FLOAT16, 0x7BFF},
	    {F32, 0x477FF000, TPB_BIR_DTYPE_FLOAT16, 0x7C00},
	    {F32, 0x33800000, TPB_BIR_DTYPE_FLOAT16, 0x0001},
	    {F32, 0x33000000, TPB_BIR_DTYPE_FLOAT16, 0x0000},
	    {F32, 0x3F808000, TPB_BIR_DTYPE_BFLOAT16, 0x3F80},
	    {F32, 0x3F818000, TPB_BIR_DTYPE_BFLOAT16, 0x3F82},
	    {F32, 0xFF800000, TPB_BIR_DTYPE_BFLOAT16, 0xFF80},
	    {I32, 0, TPB_BIR_DTYPE_FP8E4, 0},
	};
	uint32_t bits;

	(void)state;
	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		assert_true(
		    legalize_fill(row[k].from, row[k].imm, row[k].to, &bits));
		if (bits != row[k].want)
			fail_msg("row %d: %08X, not %08X", (int)k, bits,
			         row[k].want);
	}
	assert_false(legalize_fill(I32, 1, TPB_BIR_DTYPE_FP8E4, &bits));
}

static void legal_copies(void **state)
{
	struct bir_block *b;
	struct tile t;
	struct bir_module *m = begin(&b, &t);
	struct bir_loc *d = tensor(m, "d", BIR_DRAM, BIR_OUTPUT_T, F32, 64, 8);

	(void)state;
	op2(m, b, BIR_IT_GENERIC_COPY, "imm", BIR_ENG_NONE, bir_float(m, 1),
	    NULL, bir_whole(m, t.a));
	op2(m, b, BIR_IT_GENERIC_COPY, "chip", BIR_ENG_NONE, bir_whole(m, t.a),
	    NULL, bir_whole(m, t.b));
	op2(m, b, BIR_IT_ABSTRACT_COPY, "out", BIR_ENG_NONE, bir_whole(m, t.b),
	    NULL, bir_whole(m, d));
	op2(m, b, BIR_IT_GENERIC_COPY, "self", BIR_ENG_NONE, bir_whole(m, t.b),
	    NULL, bir_whole(m, t.b));
	pass_run(m, pass_legalize);
	assert_int_equal(named(m, "imm")->it, BIR_IT_MEMSET);
	assert_int_equal(named(m, "imm")->u.memset.fill, 0x3F800000);
	assert_int_equal(named(m, "chip")->it, BIR_IT_TENSOR_COPY);
	assert_int_equal(named(m, "out")->it, BIR_IT_DMA_COPY);
	assert_null(bir_inst_find(m, "self"));
	bir_module_free(m);
	m = begin(&b, &t);
	d = tensor(m, "in", BIR_DRAM, BIR_INPUT, F32, 64, 8);
	op2(m, b, BIR_IT_GENERIC_COPY, "bad", BIR_ENG_NONE, bir_whole(m, t.a),
	    NULL, bir_whole(m, d));
	pass_refuses(m, pass_legalize, "CMP003", "read-only tensor in");
	bir_module_free(m);
}

/* ---- assign_engines ---- */

static void engines(void **state)
{
	struct bir_block *b;
	struct tile t;
	struct bir_module *m = begin(&b, &t);
	struct bir_inst *i = tt(m, b, "add", BIR_ENG_NONE, t.a, t.b, t.c);
	struct bir_inst *n = bir_emit(m, b, BIR_IT_IOTA, "iota", BIR_ENG_NONE);

	(void)state;
	bir_out(n, bir_whole(m, t.a));
	n->u.iota.npair = 1;
	n->u.iota.pair[0] = (struct bir_pair){1, 8};
	assert_true(pass_try(m, pass_assign_engines));
	assert_int_equal(i->engine, BIR_ENG_DVE);
	assert_int_equal(n->engine, BIR_ENG_POOL);
	assert_int_equal(m->engines, 1 << BIR_ENG_DVE | 1 << BIR_ENG_POOL |
	                                 1 << BIR_ENG_SP);
	i->engine = BIR_ENG_PE;
	i->pos.line = 12;
	pass_refuses(m, pass_assign_engines, "CMP005", "does not run");
	assert_string_equal(pass_err.place, "test.klr:12");
	bir_module_free(m);
}

/* ---- alloc_mem ---- */

/* Tiles whose lives do not meet share bytes; others never do. */
static void placement(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *d = tensor(m, "d", BIR_DRAM, BIR_INPUT, F32, 64, 8);
	struct bir_loc *o = tensor(m, "o", BIR_DRAM, BIR_OUTPUT_T, F32, 64, 8);
	struct bir_loc *x = tensor(m, "x", BIR_SBUF, BIR_INTERNAL, F32, 64, 8);
	struct bir_loc *y = tensor(m, "y", BIR_SBUF, BIR_INTERNAL, F32, 64, 8);
	struct bir_loc *z = tensor(m, "z", BIR_SBUF, BIR_INTERNAL, F32, 64, 8);
	struct bir_loc *p = tensor(m, "p", BIR_PSUM, BIR_INTERNAL, F32, 64, 8);
	struct bir_loc *q =
	    tensor(m, "q", BIR_PSUM, BIR_INTERNAL, F32, 64, 513);

	(void)state;
	bir_dma_copy(m, b, bir_whole(m, x), bir_whole(m, d));
	tt(m, b, NULL, BIR_ENG_DVE, x, x, y);
	tt(m, b, NULL, BIR_ENG_DVE, y, y, z);
	bir_dma_copy(m, b, bir_whole(m, o), bir_whole(m, z));
	pass_run(m, pass_alloc_mem);
	assert_int_equal(x->byte, 0);
	assert_int_equal(y->byte, 64);
	assert_int_equal(z->byte, 0); /* x is dead */
	assert_int_equal(x->part, 0);
	assert_int_equal(d->addr % 64, 0);
	assert_int_equal(d->addr, 0x1000);
	assert_int_equal(o->addr, 0x1000 + 64 * 32);
	assert_int_equal(d->var, 1);
	assert_int_equal(o->var, 2);
	assert_int_equal(p->byte % 2048, 0);
	assert_int_equal(q->byte % 2048, 0);
	bir_module_free(m);
}

static void no_place(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *x =
	    tensor(m, "wide", BIR_SBUF, BIR_INTERNAL, F32, 64, 50000);
	struct bir_loc *y =
	    tensor(m, "more", BIR_SBUF, BIR_INTERNAL, F32, 64, 20000);

	(void)state;
	tt(m, b, NULL, BIR_ENG_DVE, x, x, x);
	tt(m, b, NULL, BIR_ENG_DVE, y, x, y);
	pass_refuses(m, pass_alloc_mem, "CMP006", "wide 200000");
	bir_module_free(m);
	m = module_new(&b);
	x = tensor(m, "off", BIR_SBUF, BIR_INTERNAL, F32, 64, 8);
	bir_loc_place(x, 96, 0);
	assert_false(pass_try(m, pass_alloc_mem));
	assert_string_equal(pass_err.id, "CMP007");
	bir_module_free(m);
}

/* A value that a loop carries round keeps its bytes for all of it. */
static void carried_value(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_reg *iv = bir_reg_new(m, "i", BIR_ENG_ALL, 32);
	struct bir_loc *s = tensor(m, "s", BIR_SBUF, BIR_INTERNAL, F32, 64, 8);
	struct bir_loc *t = tensor(m, "t", BIR_SBUF, BIR_INTERNAL, F32, 64, 8);
	struct bir_loc *u = tensor(m, "u", BIR_SBUF, BIR_INTERNAL, F32, 64, 8);

	(void)state;
	op2(m, b, BIR_IT_MEMSET, NULL, BIR_ENG_DVE, NULL, NULL,
	    bir_whole(m, s));
	struct bir_inst *l = bir_loop(m, b, iv, 0, 3, 1);
	struct bir_block *r = bir_block_new(m, &l->u.loop.body, "r");

	op2(m, r, BIR_IT_MEMSET, NULL, BIR_ENG_DVE, NULL, NULL,
	    bir_whole(m, t));
	tt(m, r, NULL, BIR_ENG_DVE, s, t, s);
	op2(m, r, BIR_IT_MEMSET, NULL, BIR_ENG_DVE, NULL, NULL,
	    bir_whole(m, u));
	tt(m, r, NULL, BIR_ENG_DVE, s, u, s);
	pass_run(m, pass_alloc_mem);
	assert_true(s->byte != t->byte && s->byte != u->byte);
	/* both live for the whole carrier */
	assert_true(t->byte != u->byte);
	bir_module_free(m);
}

/* ---- dependencies ---- */

static struct bir_module *placed(struct bir_block **b, struct tile *t)
{
	struct bir_module *m = begin(b, t);

	bir_loc_place(t->k, 0, 0);
	bir_loc_place(t->a, 0, 64);
	bir_loc_place(t->b, 0, 128);
	bir_loc_place(t->c, 0, 192);
	return m;
}

static enum bir_edge kind(struct bir_module *m, const char *succ,
                          const char *pred)
{
	struct bir_dep *d = bir_dep_find(m, named(m, succ), named(m, pred));

	return d ? d->kind : 0;
}

static void edge_kinds(void **state)
{
	struct bir_block *b;
	struct tile t;
	struct bir_module *m = placed(&b, &t);

	(void)state;
	tt(m, b, "w1", BIR_ENG_DVE, t.a, t.a, t.b);
	tt(m, b, "r1", BIR_ENG_POOL, t.b, t.b, t.c);
	tt(m, b, "w2", BIR_ENG_DVE, t.a, t.a, t.b);
	tt(m, b, "r2", BIR_ENG_POOL, t.b, t.a, t.a);
	pass_run(m, pass_build_fdeps);
	assert_int_equal(kind(m, "r1", "w1"), BIR_FLOW);
	assert_int_equal(kind(m, "r2", "w2"), BIR_FLOW);
	assert_int_equal(kind(m, "r2", "w1"), 0); /* covered */
	assert_int_equal(kind(m, "w2", "w1"), 0);
	pass_run(m, pass_anti_dependency_analyzer);
	assert_int_equal(kind(m, "w2", "r1"), BIR_ANTI);
	assert_int_equal(kind(m, "w2", "w1"), BIR_OUTPUT);
	assert_int_equal(kind(m, "r2", "w2"), BIR_FLOW);
	pass_run(m, pass_bir_racecheck);
	/* engine order implies w2 -> w1; r1 keeps its wait */
	pass_run(m, pass_dep_reduction);
	assert_int_equal(kind(m, "w2", "w1"), 0);
	assert_int_equal(kind(m, "r1", "w1"), BIR_FLOW);
	assert_int_equal(kind(m, "w2", "r1"), BIR_ANTI);
	pass_run(m, pass_bir_racecheck);
	/* a race is found when its edge is taken away */
	bir_dep_remove(m, bir_dep_find(m, named(m, "w2"), named(m, "r1")));
	pass_refuses(m, pass_bir_racecheck, "CMP010", "data race: w2");
	bir_module_free(m);
}

/* Two half writes and one read: both are waited for. */
static void parts(void **state)
{
	struct bir_block *b;
	struct tile t;
	struct bir_module *m = placed(&b, &t);
	struct bir_pair half[2] = {{8, 64}, {1, 4}};

	(void)state;
	op2(m, b, BIR_IT_MEMSET, "lo", BIR_ENG_DVE, NULL, NULL,
	    bir_ap(m, t.a, F32, 0, 2, half));
	op2(m, b, BIR_IT_MEMSET, "hi", BIR_ENG_POOL, NULL, NULL,
	    bir_ap(m, t.a, F32, 16, 2, half));
	tt(m, b, "use", BIR_ENG_DVE, t.a, t.a, t.b);
	pass_run(m, pass_build_fdeps);
	pass_run(m, pass_anti_dependency_analyzer);
	assert_int_equal(kind(m, "use", "lo"), BIR_FLOW);
	assert_int_equal(kind(m, "use", "hi"), BIR_FLOW);
	assert_int_equal(kind(m, "hi", "lo"), 0);
	bir_module_free(m);
}

/* A DMA on the same engine is not ordered by engine order; one that another
 * path waits for is. */
static void dma_edges(void **state)
{
	struct bir_block *b;
	struct tile t;
	struct bir_module *m = placed(&b, &t);
	struct bir_loc *d = tensor(m, "d", BIR_DRAM, BIR_INPUT, F32, 64, 8);
	struct bir_inst *i;

	(void)state;
	bir_loc_place_dram(d, 4096, 1);
	i = bir_dma_copy(m, b, bir_whole(m, t.a), bir_whole(m, d));
	bir_inst_rename(m, i, "in");
	i->engine = BIR_ENG_DVE;
	tt(m, b, "p", BIR_ENG_DVE, t.a, t.a, t.b);
	tt(m, b, "q", BIR_ENG_POOL, t.a, t.b, t.c);
	pass_run(m, pass_build_fdeps);
	assert_int_equal(kind(m, "q", "in"), BIR_FLOW);
	pass_run(m, pass_dep_reduction);
	assert_int_equal(kind(m, "p", "in"), BIR_FLOW);
	assert_int_equal(kind(m, "q", "p"), BIR_FLOW);
	assert_int_equal(kind(m, "q", "in"), 0);
	bir_module_free(m);
}

/* What may not run implies nothing: the loop may have no trips. */
static void unsure_edges(void **state)
{
	struct bir_block *b;
	struct tile t;
	struct bir_module *m = placed(&b, &t);
	struct bir_reg *iv = bir_reg_new(m, "i", BIR_ENG_ALL, 32);

	(void)state;
	tt(m, b, "w", BIR_ENG_DVE, t.b, t.b, t.a);
	struct bir_inst *l = bir_loop(m, b, iv, 0, 0, 1);
	struct bir_block *r = bir_block_new(m, &l->u.loop.body, "r");

	tt(m, r, "in", BIR_ENG_POOL, t.a, t.a, t.c);
	tt(m, b, "use", BIR_ENG_POOL, t.a, t.a, t.b);
	pass_run(m, pass_build_fdeps);
	pass_run(m, pass_dep_reduction);
	assert_int_equal(kind(m, "in", "w"), BIR_FLOW);
	assert_int_equal(kind(m, "use", "w"), BIR_FLOW);
	bir_module_free(m);
}

/* ---- control ---- */

static void normalize(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_func *f = bir_func_new(m, "sub");
	struct bir_block *s = bir_block_new(m, &f->body, "s0");
	struct bir_block *c = bir_block_new(m, &m->first->body, "b1");
	struct bir_inst *call;

	(void)state;
	bir_emit(m, s, BIR_IT_NOOP, NULL, BIR_ENG_SP);
	bir_emit(m, c, BIR_IT_NOOP, "one", BIR_ENG_SP);
	call = bir_emit(m, c, BIR_IT_CALL, "go", BIR_ENG_ALL);
	call->u.callee = f;
	bir_emit(m, c, BIR_IT_NOOP, "two", BIR_ENG_SP);
	pass_run(m, pass_cfg_normalize);
	assert_int_equal(b->last->it, BIR_IT_JUMP);
	assert_string_equal(b->last->name, "entry-next");
	assert_ptr_equal(call->block->first, call);
	assert_int_equal(call->next->it, BIR_IT_JUMP);
	assert_null(call->next->next);
	assert_int_equal(m->first->body.last->last->it, BIR_IT_EXIT);
	assert_int_equal(s->last->it, BIR_IT_RETURN);
	bir_module_free(m);
}

/* S000-18 to S000-30. */
static void fences(void **state)
{
	static const char *const want[] = {"t-barrier1", "t-sema-reset",
	                                   "t-barrier0", "t-drain", "t"};
	static const enum bir_it it[] = {BIR_IT_ALL_BARRIER, BIR_IT_GROUP_RESET,
	                                 BIR_IT_ALL_BARRIER, BIR_IT_DRAIN};
	struct bir_block *b;
	struct tile t;
	struct bir_module *m = placed(&b, &t);
	struct bir_block *n = bir_block_new(m, &m->first->body, "next");

	(void)state;
	tt(m, b, "p", BIR_ENG_DVE, t.a, t.a, t.b);
	tt(m, b, "q", BIR_ENG_DVE, t.b, t.b, t.c);
	bir_dep_add(m, named(m, "q"), named(m, "p"), BIR_FLOW, false);
	bir_inst_rename(m, bir_jump(m, b, BIR_ENG_NONE, n), "t");
	tt(m, n, "r", BIR_ENG_POOL, t.c, t.c, t.a);
	bir_dep_add(m, named(m, "r"), named(m, "q"), BIR_FLOW, false);
	bir_emit(m, n, BIR_IT_EXIT, "e", BIR_ENG_ALL);
	pass_run(m, pass_lower_control);
	assert_string_equal(pass_stats, "removed 1 inter-BB deps, fences=1");
	assert_true(m->first->control_lowered);
	const struct bir_inst *i = named(m, "q")->next;

	for (int k = 0; k < 5; k++, i = i->next) {
		assert_string_equal(i->name, want[k]);
		if (k < 4) {
			assert_int_equal(i->it, it[k]);
			assert_int_equal(i->engine, BIR_ENG_ALL);
		}
		if (k > 0)
			assert_true(edge(m, want[k], want[k - 1]));
	}
	assert_int_equal(named(m, "t-drain")->u.drain, 1);
	assert_false(named(m, "t-sema-reset")->u.greset.range);
	assert_true(edge(m, "t-barrier1", "q"));
	assert_false(edge(m, "t-barrier1", "p"));
	assert_int_equal(count_of(&m->first->body, BIR_IT_CORE_BARRIER), 0);
	assert_int_equal(index_of(n, "e"), 1); /* no fence before Exit */
	bir_module_free(m);
}

static void fence_of_two_cores(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_block *n = bir_block_new(m, &m->first->body, "next");
	struct bir_inst *user =
	    bir_emit(m, n, BIR_IT_CORE_BARRIER, "user", BIR_ENG_POOL);

	(void)state;
	m->cores = 2;
	user->u.cbar.ncore = 2;
	user->u.cbar.core[1] = 1;
	user->u.cbar.id = 77;
	bir_inst_rename(m, bir_jump(m, b, BIR_ENG_NONE, n), "t");
	bir_emit(m, n, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
	pass_run(m, pass_lower_control);
	const struct bir_inst *cb = named(m, "t-end-cb");

	assert_string_equal(cb->prev->name, "t-drain");
	assert_int_equal(cb->u.cbar.ncore, 2);
	assert_int_equal(cb->u.cbar.core[1], 1);
	assert_int_equal(cb->u.cbar.id, 0);
	assert_int_equal(user->u.cbar.id, 1);
	pass_run(m, pass_lnc_barriercheck);
	user->u.cbar.id = 5;
	pass_refuses(m, pass_lnc_barriercheck, "CMP011", "number 5");
	bir_module_free(m);
}

static void terminator_with_users(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_block *n = bir_block_new(m, &m->first->body, "next");
	struct bir_inst *t = bir_jump(m, b, BIR_ENG_NONE, n);

	(void)state;
	struct bir_inst *x = bir_emit(m, b, BIR_IT_JUMP, "x", BIR_ENG_NONE);

	x->u.branch.on_true = n;
	bir_dep_add(m, x, t, BIR_ORDERED, false);
	assert_false(pass_try(m, pass_lower_control));
	assert_string_equal(pass_err.id, "CMP013");
	bir_module_free(m);
}

/* ---- lower_dma ---- */

/* Element numbers that a side's bytes have, in stream order, by plain
 * loops. */
static void walk(const struct bir_arg *a, int64_t *out, int64_t *n)
{
	int64_t i[BIR_PAIRS] = {0};
	int64_t size = bir_dtype_size(a->dtype), total = bir_ap_count(a);

	for (int64_t k = 0; k < total; k++) {
		int64_t at = a->offset;

		for (int d = 0; d < a->npair; d++)
			at += i[d] * a->pair[d].step * size;
		out[(*n)++] = at;
		for (int d = a->npair - 1; d >= 0; d--) {
			if (++i[d] < a->pair[d].num)
				break;
			i[d] = 0;
		}
	}
}

static unsigned pick(uint64_t *x, unsigned n)
{
	*x = *x * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*x >> 33) % n;
}

/* Cut a count into up to four axes with steps that stay apart. */
static struct bir_arg *random_side(struct bir_module *m, struct bir_loc *l,
                                   int64_t count, uint64_t *x)
{
	struct bir_pair p[BIR_PAIRS];
	int n = 0;

	if (bir_on_chip(l)) {
		int64_t rows = 1;

		for (int64_t k = 2; k <= 32; k++)
			if (count % k == 0 && pick(x, 3) == 0)
				rows = k;
		p[n++] = (struct bir_pair){
		    l->row_bytes / bir_dtype_size(l->dtype), rows};
		count /= rows;
	}
	while (n < 4 && count > 1) {
		int64_t f = n == 3 ? count : 1;

		for (int64_t k = 2; f == 1 && k <= count; k++)
			if (count % k == 0 && pick(x, 2))
				f = k;
		f = f == 1 ? count : f;
		p[n++] = (struct bir_pair){pick(x, 4) ? 1 : 3, f};
		count /= f;
	}
	if (!n)
		p[n++] = (struct bir_pair){1, 1};
	int64_t span = 1;

	for (int d = n - 1; d >= (bir_on_chip(l) ? 1 : 0); d--) {
		p[d].step *= span;
		span = p[d].step * p[d].num;
	}
	return bir_ap(m, l, l->dtype, 0, n, p);
}

static void cuts(void **state)
{
	static int64_t want[2][4096], got[2][4096];
	uint64_t x = 42;
	int worst = 0;

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct bir_block *b;
		struct bir_module *m = module_new(&b);
		struct bir_loc *c =
		    tensor(m, "c", BIR_SBUF, BIR_INTERNAL, F32, 128, 40000);
		struct bir_loc *d =
		    tensor(m, "d", BIR_DRAM, BIR_INPUT, F32, 1024, 1024);
		int64_t count = 2 * (1 + pick(&x, 20)) * (1 + pick(&x, 20));
		struct bir_arg *s =
		    random_side(m, pick(&x, 2) ? c : d, count, &x);
		struct bir_arg *t =
		    random_side(m, pick(&x, 2) ? c : d, count, &x);
		struct arena *a = arena_new();
		struct dma_piece *piece;
		int n = dma_cut(m, a, s, t, &piece);
		int64_t w[2] = {0, 0}, g[2] = {0, 0};

		walk(s, want[0], &w[0]);
		walk(t, want[1], &w[1]);
		for (int k = 0; k < n; k++) {
			const struct bir_arg *side[2] = {piece[k].src,
			                                 piece[k].dst};

			for (int j = 0; j < 2; j++) {
				const struct bir_arg *p = side[j];
				int axes = 0;

				for (int q = 0; q < p->npair - 1; q++)
					axes += p->pair[q].num > 1;
				assert_true(axes <= 2);
				assert_int_equal(p->pair[p->npair - 1].step, 1);
				assert_true(p->pair[p->npair - 1].num <= 16384);
				walk(p, got[j], &g[j]);
			}
		}
		for (int j = 0; j < 2; j++) {
			assert_int_equal(g[j], w[j]);
			assert_memory_equal(got[j], want[j],
			                    (size_t)w[j] * sizeof(int64_t));
		}
		worst = n > worst ? n : worst;
		arena_free(a);
		bir_module_free(m);
	}
	print_message("most descriptors of a copy: %d\n", worst);
}

/* Whole tensors are one descriptor, long rows too. */
static void one_descriptor(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *c =
	    tensor(m, "c", BIR_SBUF, BIR_INTERNAL, F32, 128, 16384);
	struct bir_loc *d =
	    tensor(m, "d", BIR_DRAM, BIR_INPUT, F32, 128, 16384);
	struct arena *a = arena_new();
	struct dma_piece *p;

	(void)state;
	assert_int_equal(dma_cut(m, a, bir_whole(m, d), bir_whole(m, c), &p),
	                 1);
	assert_int_equal(p->dst->npair, 2);
	assert_int_equal(p->dst->pair[1].num, 16384);
	assert_int_equal(p->src->pair[0].num, 128);
	arena_free(a);
	bir_module_free(m);
}

static void dma_blocks(void **state)
{
	struct bir_block *b;
	struct tile t;
	struct bir_module *m = placed(&b, &t);
	struct bir_loc *d = tensor(m, "d", BIR_DRAM, BIR_INPUT, F32, 64, 8);
	struct bir_inst *i;

	(void)state;
	bir_loc_place_dram(d, 4096, 1);
	tt(m, b, "p", BIR_ENG_DVE, t.b, t.b, t.a);
	i = bir_dma_copy(m, b, bir_whole(m, t.a), bir_whole(m, d));
	bir_inst_rename(m, i, "in");
	tt(m, b, "q", BIR_ENG_DVE, t.a, t.a, t.b);
	pass_run(m, pass_build_fdeps);
	pass_run(m, pass_anti_dependency_analyzer);
	pass_run(m, pass_lower_dma);
	const struct bir_inst *g = named(m, "in-trigger");

	assert_null(bir_inst_find(m, "in"));
	assert_int_equal(g->engine, BIR_ENG_SP);
	assert_int_equal(g->u.trigger.count, 1);
	assert_ptr_equal(g->u.trigger.block, named(m, "in-block"));
	assert_int_equal(g->u.trigger.block->u.dmablock.ndesc, 1);
	assert_true(edge(m, "in-trigger", "p"));
	assert_true(edge(m, "q", "in-block"));
	assert_false(edge(m, "q", "in-trigger"));
	pass_run(m, pass_alloc_queues);
	assert_int_equal(m->nqueue, 1);
	assert_string_equal(m->queue->name, "q0");
	assert_ptr_equal(m->queue->instance->block[0], g->u.trigger.block);
	bir_module_free(m);
	m = placed(&b, &t);
	struct bir_pair two[2] = {{8, 64}, {1, 7}};

	d = tensor(m, "d", BIR_DRAM, BIR_INPUT, F32, 64, 8);
	bir_loc_place_dram(d, 4096, 1);
	bir_dma_copy(m, b, bir_ap(m, t.a, F32, 0, 2, two), bir_whole(m, d));
	assert_false(pass_try(m, pass_lower_dma));
	assert_string_equal(pass_err.id, "CMP014");
	bir_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(select_rules),
	    cmocka_unit_test(select_alias),
	    cmocka_unit_test(fills),
	    cmocka_unit_test(legal_copies),
	    cmocka_unit_test(engines),
	    cmocka_unit_test(placement),
	    cmocka_unit_test(no_place),
	    cmocka_unit_test(carried_value),
	    cmocka_unit_test(edge_kinds),
	    cmocka_unit_test(parts),
	    cmocka_unit_test(dma_edges),
	    cmocka_unit_test(unsure_edges),
	    cmocka_unit_test(normalize),
	    cmocka_unit_test(fences),
	    cmocka_unit_test(fence_of_two_cores),
	    cmocka_unit_test(terminator_with_users),
	    cmocka_unit_test(cuts),
	    cmocka_unit_test(one_descriptor),
	    cmocka_unit_test(dma_blocks),
	};

	return cmocka_run_group_tests_name("pass_ir", tests, NULL, NULL);
}
