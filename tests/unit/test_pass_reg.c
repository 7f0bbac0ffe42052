/* SPDX-License-Identifier: Apache-2.0
 *
 * mem2reg, seq_inst_opt, lower_dve, lower_ap, regalloc.
 *
 * Addresses are judged by plain arithmetic on partition and byte, colours by a
 * check of every pair of registers that are alive together, found by walking
 * the straight line backwards.
 *
 * Run alone: build/default/test_pass_reg
 */
#include "tests/unit/pass.h"

#define F32 TPB_BIR_DTYPE_FLOAT32
#define I32 TPB_BIR_DTYPE_INT32

static struct bir_inst *save(struct bir_module *m, struct bir_block *b,
                             struct bir_reg *r, struct bir_loc *o, int k)
{
	struct bir_pair one = {1, 1};

	return op2(m, b, BIR_IT_TENSOR_SAVE, NULL, r->engine, bir_use(m, r),
	           NULL, bir_ap(m, o, I32, 4 * k, 1, &one));
}

static struct bir_loc *out_of(struct bir_module *m, int64_t n)
{
	struct bir_loc *o = tensor(m, "out", BIR_DRAM, BIR_OUTPUT_T, I32, 1, n);

	bir_loc_place_dram(o, 0x1000, 1);
	return o;
}

/* ---- mem2reg, seq_inst_opt ---- */

static void renaming(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *o = out_of(m, 8);
	struct bir_reg *r = bir_reg_new(m, "r", BIR_ENG_SP, 32);
	struct bir_inst *d1, *d2;

	(void)state;
	bir_reg_move(m, b, BIR_ENG_SP, r, bir_int(m, 1));
	save(m, b, r, o, 0);
	d1 = bir_reg_move(m, b, BIR_ENG_SP, r, bir_int(m, 2));
	d2 =
	    bir_reg_alu(m, b, BIR_ENG_SP, TPB_BIR_ALU_ADD, r, r, bir_int(m, 5));
	save(m, b, r, o, 1);
	bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_SP);
	uint64_t want = outcome(m);

	pass_run(m, pass_mem2reg);
	assert_string_equal(pass_stats, "registers renamed=2");
	assert_ptr_equal(b->first->out[0]->reg, r);
	assert_ptr_not_equal(d1->out[0]->reg, r);
	assert_ptr_equal(d2->in[0]->reg, d1->out[0]->reg);
	assert_ptr_not_equal(d2->out[0]->reg, d1->out[0]->reg);
	assert_true(outcome(m) == want);
	bir_module_free(m);
}

static void folding(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *o = out_of(m, 8);
	struct bir_reg *a = bir_reg_new(m, "a", BIR_ENG_SP, 32);
	struct bir_reg *c = bir_reg_new(m, "c", BIR_ENG_SP, 32);
	struct bir_reg *d = bir_reg_new(m, "d", BIR_ENG_SP, 32);
	struct bir_inst *s, *kept;

	(void)state;
	bir_reg_move(m, b, BIR_ENG_SP, a, bir_int(m, 1));
	bir_inst_rename(m, bir_reg_move(m, b, BIR_ENG_SP, c, bir_use(m, a)),
	                "fold");
	s = save(m, b, c, o, 0);
	/* d outlives a's value: must stay */
	kept = bir_reg_move(m, b, BIR_ENG_SP, d, bir_use(m, a));
	bir_reg_move(m, b, BIR_ENG_SP, a, bir_int(m, 2));
	save(m, b, d, o, 1);
	save(m, b, a, o, 2);
	bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_SP);
	uint64_t want = outcome(m);

	pass_run(m, pass_seq_inst_opt);
	assert_string_equal(pass_stats, "moves folded=1");
	assert_null(bir_inst_find(m, "fold"));
	assert_ptr_equal(s->in[0]->reg, a);
	assert_ptr_equal(kept->block, b);
	assert_true(outcome(m) == want);
	bir_module_free(m);
}

/* ---- lower_ap ---- */

/* Value of a register by running the code in front of an instruction. */
static uint64_t compute(struct bir_module *m, const struct bir_inst *i)
{
	struct bir_error bad;
	struct bir_interp *t = bir_interp_new(m, &bad);
	uint64_t v;

	if (!t || !bir_interp_run(t, 10000, &bad))
		fail_msg("%s: %s", bad.id, bad.text);
	v = bir_interp_reg(t, i->out[0]->reg);
	bir_interp_free(t);
	return v;
}

/* A one-row write at a run-time place of a tile; returns the instruction. */
static struct bir_module *dynamic(enum bir_mem mem, int64_t rows, int64_t cols,
                                  int64_t offset, int64_t coef, int64_t v,
                                  int64_t lo, int64_t hi, struct bir_inst **i,
                                  struct bir_loc **l)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_reg *r = bir_reg_new(m, "r", BIR_ENG_DVE, 32);
	struct bir_pair p[2] = {{cols, 1}, {1, 1}};
	struct bir_expr *e = bir_expr_new(m, 0);

	*l = tensor(m, "x", mem, BIR_INTERNAL, F32, rows, cols);
	bir_loc_place(*l, 32, 2048);
	r->lo = lo;
	r->hi = hi;
	bir_reg_move(m, b, BIR_ENG_DVE, r, bir_int(m, v));
	bir_expr_add(m, e, coef, r);
	*i = op2(m, b, BIR_IT_MEMSET, "w", BIR_ENG_DVE, NULL, NULL,
	         bir_sym(m, *l, F32, offset, 2, p, e));
	bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_DVE);
	return m;
}

/* S001-27, S001-28, S001-31, S001-35: the address of every iteration. */
static void addresses(void **state)
{
	static const struct {
		int64_t coef, offset, lo, hi, code;
	} row[] = {
	    {8, 0, 0, 32, 3}, /* by rows: move, mult, add */
	    {1, 0, 0, 8, 3},  /* inside a row, known from the range */
	    {1, 0, 0, 0, 8},  /* may leave its row: divide and mod */
	    {9, 0, 0, 8, 3},  /* both, in range */
	    {9, 0, 0, 20, 8}, /* both, carries */
	    {-8, 28 * 32, 0, 8, 3}, {3, 8, 0, 0, 8},
	};

	(void)state;
	for (size_t k = 0; k < sizeof row / sizeof *row; k++)
		for (int psum = 0; psum < 2; psum++) {
			int64_t n = row[k].hi ? row[k].hi : 20;

			for (int64_t v = 0; v < n; v++) {
				struct bir_inst *i;
				struct bir_loc *l;
				struct bir_module *m =
				    dynamic(psum ? BIR_PSUM : BIR_SBUF, 32, 8,
				            row[k].offset, row[k].coef, v,
				            row[k].lo, row[k].hi, &i, &l);
				int64_t flat =
				    row[k].offset + 4 * row[k].coef * v;
				int64_t part = 32 + flat / 32;
				int64_t byte = 2048 + flat % 32;
				int64_t want =
				    psum ? 0x2000000 + (part << 15) + byte
				         : (part << 18) + byte;

				pass_run(m, pass_lower_ap);
				assert_int_equal(i->out[0]->kind,
				                 BIR_ARG_REGAP);
				assert_int_equal(i->out[0]->reg->bits, 32);
				assert_int_equal(compute(m, i), want);
				/* behind the move that sets r */
				assert_int_equal(index_of(i->block, "w") - 1,
				                 row[k].code);
				bir_module_free(m);
			}
		}
}

/* DRAM: 64 bits, relative for a DMA, unified for a scalar access. */
static void dram_addresses(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *o = out_of(m, 64);
	struct bir_loc *x = tensor(m, "x", BIR_SBUF, BIR_INTERNAL, I32, 1, 4);
	struct bir_reg *r = bir_reg_new(m, "r", BIR_ENG_SP, 32);
	struct bir_pair one[2] = {{1, 1}, {1, 4}};
	struct bir_expr *e = bir_expr_new(m, 2), *f = bir_expr_new(m, 1);
	struct bir_inst *d, *s;

	(void)state;
	bir_loc_place(x, 3, 64);
	bir_reg_move(m, b, BIR_ENG_SP, r, bir_int(m, 5));
	bir_expr_add(m, e, 4, r);
	bir_expr_add(m, f, 1, r);
	d = bir_dma_copy(m, b, bir_sym(m, o, I32, 16, 2, one, e),
	                 bir_whole(m, x));
	d->engine = BIR_ENG_SP;
	s = op2(m, b, BIR_IT_TENSOR_SAVE, NULL, BIR_ENG_SP, bir_use(m, r), NULL,
	        bir_sym(m, o, I32, 0, 1, &one[0], f));
	bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_SP);
	pass_run(m, pass_lower_ap);
	assert_int_equal(d->out[0]->reg->bits, 64);
	assert_int_equal(compute(m, d), 16 + 4 * (2 + 4 * 5));
	assert_int_equal(s->out[0]->reg->bits, 64);
	assert_int_equal(compute(m, s), 0x1000 + 4 * (1 + 5));
	bir_module_free(m);
}

/* S001-29, S001-30, S001-32. */
static void sharing(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *x = tensor(m, "x", BIR_SBUF, BIR_INTERNAL, F32, 32, 8);
	struct bir_loc *n = tensor(m, "n", BIR_SBUF, BIR_INTERNAL, I32, 1, 1);
	struct bir_reg *r = bir_reg_new(m, "r", BIR_ENG_DVE, 32);
	struct bir_pair p[2] = {{8, 1}, {1, 8}}, el[2] = {{1, 1}, {1, 1}};
	struct bir_expr *e = bir_expr_new(m, 0), *k = bir_expr_new(m, 7);
	struct bir_inst *i;

	(void)state;
	bir_loc_place(x, 0, 0);
	bir_loc_place(n, 0, 64);
	bir_reg_move(m, b, BIR_ENG_DVE, r, bir_int(m, 1));
	bir_expr_add(m, e, 8, r);
	i = op2(m, b, BIR_IT_TENSOR_TENSOR, "tt", BIR_ENG_DVE,
	        bir_sym(m, x, F32, 0, 2, p, e),
	        bir_sym(m, x, F32, 0, 2, p, bir_expr_copy(m, e)),
	        bir_ap(m, x, F32, 0, 2, p));
	i->u.alu.op0 = TPB_BIR_ALU_ADD;
	assert_true(pass_try(m, pass_lower_ap));
	assert_ptr_equal(i->in[0]->reg, i->in[1]->reg);
	assert_int_equal(index_of(b, "tt"), 4); /* one sequence of three */
	assert_int_equal(i->out[0]->kind, BIR_ARG_AP);
	/* an index from memory is loaded first */
	struct bir_expr *g = bir_expr_new(m, 0);

	bir_expr_add_index(m, g, 8, bir_ap(m, n, I32, 0, 2, el));
	i = op2(m, b, BIR_IT_MEMSET, "ix", BIR_ENG_DVE, NULL, NULL,
	        bir_sym(m, x, F32, 0, 2, p, g));
	assert_true(pass_try(m, pass_lower_ap));
	assert_int_equal(count_of(&m->first->body, BIR_IT_TENSOR_LOAD), 1);
	/* a symbolic immediate with one value, and with several */
	i = op2(m, b, BIR_IT_TENSOR_SCALAR, "ts", BIR_ENG_DVE,
	        bir_ap(m, x, F32, 0, 2, p), bir_symimm(m, I32, k),
	        bir_ap(m, x, F32, 0, 2, p));
	assert_true(pass_try(m, pass_lower_ap));
	assert_int_equal(i->in[1]->kind, BIR_ARG_IMM);
	assert_int_equal(i->in[1]->imm, 7);
	bir_expr_add(m, k, 1, r);
	i->in[1] = bir_symimm(m, I32, k);
	assert_false(pass_try(m, pass_lower_ap));
	assert_string_equal(pass_err.id, "CMP029");
	assert_non_null(strstr(pass_err.text, "single value"));
	bir_module_free(m);
}

/* ---- regalloc ---- */

/* Straight line: walk backwards with the set of live numbers. */
static void check_colors(const struct bir_block *b)
{
	const struct bir_reg *live[64] = {NULL};
	struct bir_regref ref[BIR_REFS];

	for (struct bir_inst *i = b->last; i; i = i->prev) {
		int n = bir_reg_refs(i, ref, BIR_REFS);

		for (int def = 1; def >= 0; def--)
			for (int k = 0; k < n; k++) {
				const struct bir_reg *r = *ref[k].slot;
				int w = r->bits / 32;

				if (ref[k].def != def)
					continue;
				assert_in_range(r->phys, 0, 62 - w);
				assert_int_equal(r->phys % w, 0);
				for (int h = 0; h < w; h++) {
					const struct bir_reg **at =
					    &live[r->phys + h];

					if (*at && *at != r)
						fail_msg("%s and %s share %d",
						         r->name, (*at)->name,
						         r->phys + h);
					*at = def && ref[k].half == BIR_WHOLE
					          ? NULL
					          : r;
				}
			}
	}
}

/* S003-07, S003-09, S003-10, S003-12: n 32-bit and w 64-bit registers. */
static struct bir_module *pressure(int n, int w, uint64_t *want)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *o = out_of(m, 2 * (n + w) + 2);
	struct bir_reg **r = calloc((size_t)(n + w), sizeof *r);
	struct bir_pair one = {1, 1};

	m->engines = 1 << BIR_ENG_SP;
	for (int k = 0; k < n + w; k++) {
		r[k] = bir_reg_new(m, NULL, BIR_ENG_SP, k < n ? 32 : 64);
		bir_reg_move(m, b, BIR_ENG_SP, r[k],
		             k < n ? bir_int(m, 3 * k + 1)
		                   : bir_imm(m, TPB_BIR_DTYPE_UINT64,
		                             ((uint64_t)k << 33) + 5));
	}
	for (int k = 0; k < n + w; k++)
		op2(m, b, BIR_IT_TENSOR_SAVE, NULL, BIR_ENG_SP,
		    bir_use(m, r[k]), NULL,
		    bir_ap(m, o, k < n ? I32 : TPB_BIR_DTYPE_UINT64, 8 * k, 1,
		           &one));
	bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_SP);
	free(r);
	*want = outcome(m);
	return m;
}

static void colors(void **state)
{
	static const int row[][3] = {/* 32 bits, 64 bits, spills at least */
	                             {10, 0, 0},  {62, 0, 0},  {0, 31, 0},
	                             {20, 21, 0}, {63, 0, 1},  {70, 0, 8},
	                             {0, 40, 9},  {40, 40, 28}};

	(void)state;
	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		uint64_t want;
		struct bir_module *m = pressure(row[k][0], row[k][1], &want);
		int spilled = -1;

		pass_run(m, pass_regalloc);
		sscanf(pass_stats, "Number of registers spilled = %d",
		       &spilled);
		if (row[k][2] ? spilled < row[k][2] : spilled != 0)
			fail_msg("row %d: %s", (int)k, pass_stats);
		check_colors(m->first->body.first);
		assert_true(outcome(m) == want);
		bir_module_free(m);
	}
}

/* S003-13: another engine's registers are another file. */
static void two_files(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *o = out_of(m, 4);
	struct bir_reg *x = bir_reg_new(m, "x", BIR_ENG_SP, 32);
	struct bir_reg *y = bir_reg_new(m, "y", BIR_ENG_DVE, 32);

	(void)state;
	m->engines = 1 << BIR_ENG_SP | 1 << BIR_ENG_DVE;
	bir_reg_move(m, b, BIR_ENG_SP, x, bir_int(m, 1));
	bir_reg_move(m, b, BIR_ENG_DVE, y, bir_int(m, 2));
	save(m, b, x, o, 0);
	save(m, b, y, o, 1);
	bir_emit(m, b, BIR_IT_EXIT, NULL, BIR_ENG_SP);
	pass_run(m, pass_regalloc);
	assert_int_equal(x->phys, 0);
	assert_int_equal(y->phys, 0);
	bir_module_free(m);
}

/* S003-11: what cannot be spilled has numbers already. */
static void nothing_to_spill(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *o = out_of(m, 80);
	struct bir_reg *r[63];

	(void)state;
	m->engines = 1 << BIR_ENG_SP;
	for (int k = 0; k < 63; k++) {
		r[k] = bir_reg_new(m, NULL, BIR_ENG_SP, 32);
		r[k]->phys = k < 62 ? k : -1;
		bir_reg_move(m, b, BIR_ENG_SP, r[k], bir_int(m, k));
	}
	for (int k = 0; k < 63; k++)
		save(m, b, r[k], o, k);
	pass_refuses(m, pass_regalloc, "CMP030", "too many live registers");
	r[62]->phys = 62;
	assert_false(pass_try(m, pass_regalloc));
	assert_string_equal(pass_err.id, "CMP031");
	bir_module_free(m);
}

/* A value that a call passes over survives what the callee writes. */
static void across_calls(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_func *f = bir_func_new(m, "sub");
	struct bir_block *s = bir_block_new(m, &f->body, "s");
	struct bir_block *call = bir_block_new(m, &m->first->body, "call");
	struct bir_block *end = bir_block_new(m, &m->first->body, "end");
	struct bir_loc *o = out_of(m, 4);
	struct bir_reg *x = bir_reg_new(m, "x", BIR_ENG_SP, 32);
	struct bir_reg *y = bir_reg_new(m, "y", BIR_ENG_SP, 32);

	(void)state;
	m->engines = 1 << BIR_ENG_SP;
	bir_reg_move(m, b, BIR_ENG_SP, x, bir_int(m, 1));
	bir_jump(m, b, BIR_ENG_SP, call);
	bir_emit(m, call, BIR_IT_CALL, NULL, BIR_ENG_ALL)->u.callee = f;
	bir_jump(m, call, BIR_ENG_SP, end);
	save(m, end, x, o, 0);
	bir_emit(m, end, BIR_IT_EXIT, NULL, BIR_ENG_SP);
	bir_reg_move(m, s, BIR_ENG_SP, y, bir_int(m, 2));
	save(m, s, y, o, 1);
	bir_emit(m, s, BIR_IT_RETURN, NULL, BIR_ENG_ALL);
	pass_run(m, pass_regalloc);
	assert_int_not_equal(x->phys, y->phys);
	bir_module_free(m);
}

/* ---- lower_dve ---- */

/* S001-21, S001-22. */
static void profiles(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_loc *x = tensor(m, "x", BIR_SBUF, BIR_INTERNAL, F32, 32, 8);

	(void)state;
	bir_loc_place(x, 0, 0);
	op2(m, b, BIR_IT_MEMSET, NULL, BIR_ENG_DVE, NULL, NULL,
	    bir_whole(m, x));
	pass_run(m, pass_lower_dve);
	assert_string_equal(m->dve_profile, "default");
	/* the accumulator read is in gen2's transformer set only */
	struct bir_pair one[2] = {{8, 32}, {1, 1}};
	struct bir_inst *i =
	    bir_emit(m, b, BIR_IT_DVE_READ_ACC, NULL, BIR_ENG_DVE);

	bir_out(i, bir_ap(m, x, F32, 0, 2, one));
	pass_run(m, pass_lower_dve);
	assert_string_equal(m->dve_profile, "default");
	m->gen = 2;
	assert_true(pass_try(m, pass_lower_dve));
	assert_string_equal(m->dve_profile, "transformer");
	/* with a search op, which that set lacks, none is left */
	op2(m, b, BIR_IT_MAX, NULL, BIR_ENG_DVE, bir_whole(m, x), NULL,
	    bir_whole(m, x));
	pass_refuses(m, pass_lower_dve, "CMP028", "readacc");
	bir_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(renaming),     cmocka_unit_test(folding),
	    cmocka_unit_test(addresses),    cmocka_unit_test(dram_addresses),
	    cmocka_unit_test(sharing),      cmocka_unit_test(colors),
	    cmocka_unit_test(two_files),    cmocka_unit_test(nothing_to_spill),
	    cmocka_unit_test(across_calls), cmocka_unit_test(profiles),
	};

	return cmocka_run_group_tests_name("pass_reg", tests, NULL, NULL);
}
