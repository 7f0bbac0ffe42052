/* SPDX-License-Identifier: Apache-2.0
 *
 * The pipeline: every pass leaves what a module computes as it was.
 *
 * The oracle is the interpreter: outputs of the module before the first pass
 * against outputs after each, and a few of them against plain C.
 *
 * Run alone: build/default/test_pass_all
 */
#include "image/image.h"
#include "tests/unit/pass.h"

#define ROWS 128
#define COLS 16

typedef struct bir_module *build_fn(void);

#define F32 TPB_BIR_DTYPE_FLOAT32
#define I32 TPB_BIR_DTYPE_INT32

/* out = a + b: copies in, one op, copy out. */
static struct bir_module *straight(void)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *da =
	    tensor(m, "a", BIR_DRAM, BIR_INPUT, F32, ROWS, COLS);
	struct bir_loc *db =
	    tensor(m, "bb", BIR_DRAM, BIR_INPUT, F32, ROWS, COLS);
	struct bir_loc *dc =
	    tensor(m, "out", BIR_DRAM, BIR_OUTPUT_T, F32, ROWS, COLS);
	struct bir_loc *sa =
	    tensor(m, "sa", BIR_SBUF, BIR_INTERNAL, F32, ROWS, COLS);
	struct bir_loc *sb =
	    tensor(m, "sb", BIR_SBUF, BIR_INTERNAL, F32, ROWS, COLS);
	struct bir_loc *sc =
	    tensor(m, "sc", BIR_SBUF, BIR_INTERNAL, F32, ROWS, COLS);

	bir_dma_copy(m, b, bir_whole(m, sa), bir_whole(m, da));
	bir_dma_copy(m, b, bir_whole(m, sb), bir_whole(m, db));
	op2(m, b, BIR_IT_TENSOR_TENSOR, "add", BIR_ENG_NONE, bir_whole(m, sa),
	    bir_whole(m, sb), bir_whole(m, sc))
	    ->u.alu.op0 = TPB_BIR_ALU_ADD;
	bir_dma_copy(m, b, bir_whole(m, dc), bir_whole(m, sc));
	return m;
}

/* A row of a DRAM tensor by a register. */
static struct bir_arg *row(struct bir_module *m, struct bir_loc *l,
                           struct bir_reg *iv, int64_t cols)
{
	struct bir_pair p[2] = {{cols, 1}, {1, cols}};
	struct bir_expr *x = bir_expr_new(m, 0);

	bir_expr_add(m, x, cols, iv);
	return bir_sym(m, l, l->dtype, 0, 2, p, x);
}

/* Rows one by one: copy in, add to an accumulator, copy the sum out. */
static struct bir_module *looped(int64_t lb, int64_t ub, int64_t step)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *d = tensor(m, "a", BIR_DRAM, BIR_INPUT, F32, 12, COLS);
	struct bir_loc *o =
	    tensor(m, "out", BIR_DRAM, BIR_OUTPUT_T, F32, 12, COLS);
	struct bir_loc *s =
	    tensor(m, "s", BIR_SBUF, BIR_INTERNAL, F32, 1, COLS);
	struct bir_loc *t =
	    tensor(m, "t", BIR_SBUF, BIR_INTERNAL, F32, 1, COLS);
	struct bir_reg *iv = bir_reg_new(m, "i", BIR_ENG_ALL, 32);

	op2(m, b, BIR_IT_MEMSET, "zero", BIR_ENG_POOL, NULL, NULL,
	    bir_whole(m, t));
	struct bir_inst *l = bir_loop(m, b, iv, lb, ub, step);
	struct bir_block *r = bir_block_new(m, &l->u.loop.body, "body");

	bir_dma_copy(m, r, bir_whole(m, s), row(m, d, iv, COLS));
	op2(m, r, BIR_IT_TENSOR_TENSOR, "add", BIR_ENG_DVE, bir_whole(m, t),
	    bir_whole(m, s), bir_whole(m, t))
	    ->u.alu.op0 = TPB_BIR_ALU_ADD;
	bir_dma_copy(m, r, row(m, o, iv, COLS), bir_whole(m, t));
	return m;
}

static struct bir_module *loop_up(void)
{
	return looped(0, 12, 1);
}

static struct bir_module *loop_down(void)
{
	return looped(11, -1, -3);
}

static struct bir_module *loop_none(void)
{
	return looped(5, 5, 1);
}

/* Static copies in a loop inside a loop, three engines, PSUM between. */
static struct bir_module *nested(void)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *d =
	    tensor(m, "a", BIR_DRAM, BIR_INPUT, F32, ROWS, COLS);
	struct bir_loc *o =
	    tensor(m, "out", BIR_DRAM, BIR_OUTPUT_T, F32, ROWS, COLS);
	struct bir_loc *s =
	    tensor(m, "s", BIR_SBUF, BIR_INTERNAL, F32, ROWS, COLS);
	struct bir_loc *p =
	    tensor(m, "p", BIR_PSUM, BIR_INTERNAL, F32, ROWS, COLS);
	struct bir_reg *i = bir_reg_new(m, "i", BIR_ENG_ALL, 32);
	struct bir_reg *j = bir_reg_new(m, "j", BIR_ENG_ALL, 32);

	op2(m, b, BIR_IT_MEMSET, "zero", BIR_ENG_DVE, NULL, NULL,
	    bir_whole(m, p));
	struct bir_inst *l1 = bir_loop(m, b, i, 0, 3, 1);
	struct bir_block *r1 = bir_block_new(m, &l1->u.loop.body, "outer");

	bir_dma_copy(m, r1, bir_whole(m, s), bir_whole(m, d));
	struct bir_inst *l2 = bir_loop(m, r1, j, 0, 2, 1);
	struct bir_block *r2 = bir_block_new(m, &l2->u.loop.body, "inner");

	op2(m, r2, BIR_IT_TENSOR_TENSOR, "add", BIR_ENG_DVE, bir_whole(m, p),
	    bir_whole(m, s), bir_whole(m, p))
	    ->u.alu.op0 = TPB_BIR_ALU_ADD;
	op2(m, r2, BIR_IT_TENSOR_TENSOR, "twice", BIR_ENG_POOL, bir_whole(m, s),
	    bir_whole(m, s), bir_whole(m, s))
	    ->u.alu.op0 = TPB_BIR_ALU_ADD;
	bir_dma_copy(m, r1, bir_whole(m, o), bir_whole(m, s));
	op2(m, b, BIR_IT_TENSOR_TENSOR, "last", BIR_ENG_DVE, bir_whole(m, p),
	    bir_whole(m, s), bir_whole(m, s))
	    ->u.alu.op0 = TPB_BIR_ALU_MULT;
	bir_dma_copy(m, b, bir_whole(m, o), bir_whole(m, s));
	return m;
}

/* A counter in DRAM: load, branch on it, loop over blocks, store. */
static struct bir_module *branches(void)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_region *f = &m->first->body;
	struct bir_loc *d = tensor(m, "a", BIR_DRAM, BIR_INPUT, I32, 1, 4);
	struct bir_loc *o = tensor(m, "out", BIR_DRAM, BIR_OUTPUT_T, I32, 1, 4);
	struct bir_loc *s = tensor(m, "s", BIR_SBUF, BIR_INTERNAL, I32, 1, 4);
	struct bir_reg *n = bir_reg_new(m, "n", BIR_ENG_ALL, 32);
	struct bir_reg *v = bir_reg_new(m, "v", BIR_ENG_ALL, 32);
	struct bir_pair one = {1, 1};
	struct bir_block *head = bir_block_new(m, f, "head");
	struct bir_block *odd = bir_block_new(m, f, "odd");
	struct bir_block *even = bir_block_new(m, f, "even");
	struct bir_block *next = bir_block_new(m, f, "next");
	struct bir_block *end = bir_block_new(m, f, "end");

	op2(m, b, BIR_IT_TENSOR_LOAD, "load", BIR_ENG_NONE,
	    bir_ap(m, d, I32, 4, 1, &one), NULL, bir_use(m, v));
	bir_reg_move(m, b, BIR_ENG_ALL, n, bir_int(m, 0));
	op2(m, b, BIR_IT_MEMSET, "zero", BIR_ENG_DVE, NULL, NULL,
	    bir_whole(m, s));
	struct bir_reg *bit = bir_reg_new(m, "bit", BIR_ENG_ALL, 32);

	bir_reg_alu(m, head, BIR_ENG_ALL, TPB_BIR_ALU_BITWISE_AND, bit, v,
	            bir_int(m, 1));
	bir_branch(m, head, BIR_ENG_NONE, TPB_BIR_CMP_EQ_IMM, bit,
	           bir_int(m, 1), odd, even);
	op2(m, odd, BIR_IT_TENSOR_SCALAR, "plus", BIR_ENG_DVE, bir_whole(m, s),
	    bir_float(m, 7), bir_whole(m, s))
	    ->u.alu.op0 = TPB_BIR_ALU_ADD;
	bir_jump(m, odd, BIR_ENG_NONE, next);
	op2(m, even, BIR_IT_TENSOR_TENSOR, "times", BIR_ENG_POOL,
	    bir_whole(m, s), bir_whole(m, s), bir_whole(m, s))
	    ->u.alu.op0 = TPB_BIR_ALU_ADD;
	bir_reg_alu(m, next, BIR_ENG_ALL, TPB_BIR_ALU_ADD, v, v, bir_int(m, 1));
	bir_reg_alu(m, next, BIR_ENG_ALL, TPB_BIR_ALU_ADD, n, n, bir_int(m, 1));
	bir_branch(m, next, BIR_ENG_NONE, TPB_BIR_CMP_LT_IMM, n, bir_int(m, 5),
	           head, end);
	bir_dma_copy(m, end, bir_whole(m, o), bir_whole(m, s));
	op2(m, end, BIR_IT_TENSOR_SAVE, "save", BIR_ENG_NONE, bir_use(m, n),
	    NULL, bir_ap(m, o, I32, 8, 1, &one));
	return m;
}

/* Both paths of Select, in place too. */
static struct bir_module *selects(void)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *dm = tensor(m, "mask", BIR_DRAM, BIR_INPUT,
	                            TPB_BIR_DTYPE_UINT8, ROWS, COLS);
	struct bir_loc *da =
	    tensor(m, "a", BIR_DRAM, BIR_INPUT, F32, ROWS, COLS);
	struct bir_loc *db =
	    tensor(m, "bb", BIR_DRAM, BIR_INPUT, F32, ROWS, COLS);
	struct bir_loc *o1 =
	    tensor(m, "o1", BIR_DRAM, BIR_OUTPUT_T, F32, ROWS, COLS);
	struct bir_loc *o2 =
	    tensor(m, "o2", BIR_DRAM, BIR_OUTPUT_T, F32, ROWS, COLS);
	struct bir_loc *k = tensor(m, "k", BIR_SBUF, BIR_INTERNAL,
	                           TPB_BIR_DTYPE_UINT8, ROWS, COLS);
	struct bir_loc *x =
	    tensor(m, "x", BIR_SBUF, BIR_INTERNAL, F32, ROWS, COLS);
	struct bir_loc *y =
	    tensor(m, "y", BIR_SBUF, BIR_INTERNAL, F32, ROWS, COLS);

	bir_dma_copy(m, b, bir_whole(m, k), bir_whole(m, dm));
	bir_dma_copy(m, b, bir_whole(m, x), bir_whole(m, da));
	bir_dma_copy(m, b, bir_whole(m, y), bir_whole(m, db));
	/* out is on_true: the copy alone would destroy it */
	struct bir_inst *s = bir_emit(m, b, BIR_IT_SELECT, "s1", BIR_ENG_DVE);

	bir_in(s, bir_whole(m, k));
	bir_in(s, bir_whole(m, x));
	bir_in(s, bir_whole(m, y));
	bir_out(s, bir_whole(m, x));
	bir_dma_copy(m, b, bir_whole(m, o1), bir_whole(m, x));
	s = bir_emit(m, b, BIR_IT_SELECT, "s2", BIR_ENG_DVE);
	bir_in(s, bir_whole(m, k));
	bir_in(s, bir_float(m, 2.5f));
	bir_in(s, bir_float(m, -1.0f));
	bir_out(s, bir_whole(m, y));
	bir_dma_copy(m, b, bir_whole(m, o2), bir_whole(m, y));
	return m;
}

/* Seventy registers live at once, and a copy between the sums. */
static struct bir_module *pressure(void)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *d = tensor(m, "a", BIR_DRAM, BIR_INPUT, I32, 1, 80);
	struct bir_loc *o =
	    tensor(m, "out", BIR_DRAM, BIR_OUTPUT_T, I32, 1, 80);
	struct bir_reg *r[70], *sum = bir_reg_new(m, "sum", BIR_ENG_SP, 32);
	struct bir_pair one = {1, 1};
	char name[16];

	for (int k = 0; k < 70; k++) {
		snprintf(name, sizeof name, "v%02d", k);
		r[k] = bir_reg_new(m, name, BIR_ENG_SP, 32);
		op2(m, b, BIR_IT_TENSOR_LOAD, NULL, BIR_ENG_SP,
		    bir_ap(m, d, I32, 4 * k, 1, &one), NULL, bir_use(m, r[k]));
	}
	bir_reg_move(m, b, BIR_ENG_SP, sum, bir_int(m, 1));
	for (int k = 0; k < 70; k++) {
		bir_reg_alu(m, b, BIR_ENG_SP, TPB_BIR_ALU_MULT, sum, sum,
		            bir_int(m, 3));
		bir_reg_alu(m, b, BIR_ENG_SP, TPB_BIR_ALU_ADD, sum, sum,
		            bir_use(m, r[k]));
		op2(m, b, BIR_IT_TENSOR_SAVE, NULL, BIR_ENG_SP, bir_use(m, sum),
		    NULL, bir_ap(m, o, I32, 4 * k, 1, &one));
	}
	return m;
}

static const struct {
	const char *name;
	build_fn *build;
} modules[] = {
    {"straight", straight},   {"loop_up", loop_up},   {"loop_down", loop_down},
    {"loop_none", loop_none}, {"nested", nested},     {"branches", branches},
    {"selects", selects},     {"pressure", pressure},
};

/* S000-16, S003-04, S003-10 and every pass between: i before = i after. */
static void same_outcome(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof modules / sizeof *modules; k++) {
		struct bir_module *m = modules[k].build();
		uint64_t want = outcome(m);

		bir_module_free(m);
		for (int p = 0; compile_pass_name(p); p++) {
			m = modules[k].build();
			pass_until(m, compile_pass_name(p));
			if (outcome(m) != want)
				fail_msg("%s computes something else after %s",
				         modules[k].name, compile_pass_name(p));
			bir_module_free(m);
		}
	}
}

/* Every module becomes an image whose bundles the checker lets through, and
 * the loader takes it. */
static void images(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof modules / sizeof *modules; k++) {
		struct bir_module *m = modules[k].build();
		struct image *img = image_new(modules[k].name);
		struct compile_opts o = {.gen = 3};
		struct image_error bad;
		uint32_t bundles = 0;

		if (!tpb_compile(m, &o, img, &pass_err)) {
			/* a copy with a run-time address may be one that the
			 * machine of this version cannot do */
			if (strncmp(modules[k].name, "loop_", 5) != 0 ||
			    strcmp(pass_err.id, "CGN010") != 0)
				fail_msg("%s: %s %s", modules[k].name,
				         pass_err.id, pass_err.text);
			image_free(img);
			bir_module_free(m);
			continue;
		}
		for (int e = 0; e < TPB_ENGINES; e++)
			bundles += img->stream[e].len;
		assert_true(bundles > 3);
		if (!image_resolve(img, &bad))
			fail_msg("%s: %s %s", modules[k].name, bad.id,
			         bad.text);
		image_free(img);
		bir_module_free(m);
	}
}

/* Options: a pass that is not there, and dumps of those that are. */
static void options(void **state)
{
	struct compile_opts o = {.dump_after = "lower_selekt"};
	struct bir_module *m = straight();
	char *text = NULL;
	size_t size = 0;

	(void)state;
	assert_false(compile_lower(m, &o, &pass_err));
	assert_string_equal(pass_err.id, "CMP040");
	bir_module_free(m);
	m = straight();
	o = (struct compile_opts){.dump_before = "legalize",
	                          .dump_after = "lower_dma,lower_sync",
	                          .stats = true,
	                          .log = open_memstream(&text, &size)};
	assert_true(compile_lower(m, &o, &pass_err));
	fclose(o.log);
	assert_non_null(strstr(text, "; before legalize\n"));
	assert_non_null(strstr(text, "; after lower_dma\n"));
	assert_non_null(strstr(text, "; after lower_sync\n"));
	assert_null(strstr(text, "; after legalize\n"));
	assert_non_null(strstr(text, "lower_dma: blocks=3 descriptors=3"));
	free(text);
	bir_module_free(m);
	/* S000-02: without lower_select there is no encoder */
	m = selects();
	o = (struct compile_opts){.skip = "lower_select"};
	assert_false(compile_lower(m, &o, &pass_err));
	bir_module_free(m);
}

/* S000-01, S001-01, S001-03: the order of the passes. */
static void order(void **state)
{
	static const char *const want[] = {
	    "lower_select",     "lower_control", "lower_dma",
	    "expand_all_early", "lower_branch",  "synchronizer",
	    "alloc_semaphores", "lower_sync",    "lower_dve",
	    "lower_ap",         "regalloc",      "expand_all_final"};
	int at = -1, ap = -1;

	(void)state;
	for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
		int p = 0;

		while (compile_pass_name(p) &&
		       strcmp(compile_pass_name(p), want[k]) != 0)
			p++;
		assert_non_null(compile_pass_name(p));
		assert_true(p > at);
		at = p;
		if (!strcmp(want[k], "lower_ap"))
			ap = p;
	}
	assert_string_equal(compile_pass_name(ap + 1), "regalloc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(same_outcome), cmocka_unit_test(images),
	    cmocka_unit_test(options), cmocka_unit_test(order)};

	return cmocka_run_group_tests_name("pass_all", tests, NULL, NULL);
}
