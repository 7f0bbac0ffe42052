/* SPDX-License-Identifier: Apache-2.0
 *
 * The IR: tables, construction, edges, questions, dump.
 *
 * Expected values are written by hand: ordinals and element sizes from the
 * compiler sheet (3.3, 3.4), address words from the memory sheet (1.2), and
 * the text of the dump.
 */
#include "tests/unit/bir_add.h"

/* ------------------------------------------------------------ tables */

/* Some of the 110 instruction types. */
static const struct {
	int ordinal;
	const char *text;
} types[] = {{1, "GenericCopy"},
             {10, "Memset"},
             {12, "NoOp"},
             {13, "EventSemaphore"},
             {14, "GroupResetSemaphores"},
             {15, "AllEngineBarrier"},
             {16, "Drain"},
             {21, "Reciprocal"},
             {23, "TensorCopy"},
             {27, "TensorReduce"},
             {29, "TensorScalarPtr"},
             {31, "TensorTensor"},
             {32, "DMACopy"},
             {51, "Select"},
             {52, "CopyPredicated"},
             {61, "Iota"},
             {67, "DMATrigger"},
             {69, "DMADescriptorCopy"},
             {73, "RegisterAlu"},
             {74, "RegisterMove"},
             {75, "TensorLoad"},
             {76, "TensorSave"},
             {78, "CompareAndBranch"},
             {79, "UnconditionalBranch"},
             {81, "Return"},
             {82, "Exit"},
             {84, "Call"},
             {88, "Max"},
             {89, "MaxIndex"},
             {90, "MatchReplace"},
             {102, "DveReadAccumulator"},
             {105, "Loop"},
             {107, "DMABlock"},
             {108, "DoWhile"}};

static void test_tables(void **state)
{
	static const int size[20] = {1, 1, 2, 1, 1, 1, 1, 1, 4, 4,
	                             2, 2, 2, 2, 4, 4, 4, 4, 8, 8};
	size_t k;
	int d;

	(void)state;
	for (k = 0; k < sizeof types / sizeof types[0]; k++) {
		assert_non_null(bir_op((enum bir_it)types[k].ordinal));
		assert_string_equal(bir_it_text((enum bir_it)types[k].ordinal),
		                    types[k].text);
		assert_int_equal(bir_it_of(types[k].text), types[k].ordinal);
	}
	assert_null(bir_op((enum bir_it)2));
	assert_null(bir_op((enum bir_it) - 1));
	assert_null(bir_op((enum bir_it)110));
	assert_int_equal(bir_it_of("Relu"), -1);
	for (d = 0; d < 20; d++) {
		assert_int_equal(bir_dtype_size(d), size[d]);
		assert_int_equal(isa_bir_extra("DTYPE", d), size[d]);
	}
	assert_int_equal(bir_dtype_size(20), 0);
	assert_int_equal(bir_engine_stream(BIR_ENG_PE), 0);
	assert_int_equal(bir_engine_stream(BIR_ENG_SP), 4);
	assert_int_equal(bir_engine_stream(BIR_ENG_DMA), -1);
	assert_int_equal(bir_engine_of("DVE"), BIR_ENG_DVE);
	/* datapath engines {1, 2, 3, 5, 6} */
	for (d = 0; d < BIR_NENGINES; d++)
		assert_int_equal(BIR_ENG_STREAMS >> d & 1,
		                 bir_engine_stream((enum bir_engine)d) >= 0);
}

static void test_arena(void **state)
{
	struct arena *a = arena_new();
	char *last = NULL, *p;
	int k, n;

	(void)state;
	for (n = 1; n < 200000; n = n * 3 + 1) {
		p = arena_alloc(a, (size_t)n);
		assert_int_equal((uintptr_t)p % 16, 0);
		for (k = 0; k < n; k++)
			assert_int_equal(p[k], 0);
		memset(p, 0xEE, (size_t)n);
		last = p;
	}
	assert_non_null(last);
	assert_string_equal(arena_printf(a, "%s-%d", "x", 12), "x-12");
	assert_true(arena_used(a) >= 132860);
	arena_free(a);
}

/* ------------------------------------------------------------ building */

static void test_names(void **state)
{
	struct bir_module *m = bir_module_new("n", 3);
	struct bir_reg *r[3];
	char name[16];
	int k;

	(void)state;
	for (k = 0; k < 3; k++)
		r[k] = bir_reg_new(m, "i", BIR_ENG_SP, 32);
	assert_string_equal(r[0]->name, "i");
	assert_string_equal(r[1]->name, "i#2");
	assert_string_equal(r[2]->name, "i#3");
	assert_ptr_equal(bir_reg_find(m, "i#2"), r[1]);
	assert_null(bir_reg_find(m, "i#4"));
	/* one name in two spaces, and many of them */
	sbuf(m, "i", F32, 1, 1);
	assert_non_null(bir_loc_find(m, "i"));
	assert_ptr_equal(bir_reg_find(m, "i"), r[0]);
	for (k = 0; k < 3000; k++) {
		snprintf(name, sizeof name, "v%d", k);
		bir_reg_new(m, name, BIR_ENG_SP, 32);
	}
	for (k = 0; k < 3000; k++) {
		snprintf(name, sizeof name, "v%d", k);
		assert_int_equal(bir_reg_find(m, name)->id, k + 3);
	}
	bir_module_free(m);
}

static void test_lists(void **state)
{
	struct add a = make_add();
	struct bir_inst *n1 = bir_inst_new(a.m, BIR_IT_NOOP, "n1", BIR_ENG_SP);
	struct bir_inst *n2 = bir_inst_new(a.m, BIR_IT_NOOP, "n2", BIR_ENG_SP);
	struct bir_block *tail;

	(void)state;
	bir_inst_before(a.add, n1);
	bir_inst_after(a.add, n2);
	assert_ptr_equal(a.b->first, n1);
	assert_ptr_equal(n1->next, a.add);
	assert_ptr_equal(a.add->next, n2);
	assert_ptr_equal(n2->next, a.exit);
	good(a.m, BIR_V_TERMINATED);
	tail = bir_block_split(a.m, n2, "tail");
	assert_ptr_equal(a.b->last, a.add);
	assert_ptr_equal(tail->first, n2);
	assert_ptr_equal(tail->last, a.exit);
	assert_ptr_equal(a.exit->block, tail);
	assert_ptr_equal(a.f->body.last, tail);
	assert_ptr_equal(tail->origin, a.b);
	good(a.m, 0);
	bad(a.m, BIR_V_TERMINATED, "BIR018", "entry has no terminator");
	bir_inst_delete(a.m, n1);
	assert_ptr_equal(a.b->first, a.add);
	assert_null(bir_inst_find(a.m, "n1"));
	bir_inst_rename(a.m, n2, "other");
	assert_ptr_equal(bir_inst_find(a.m, "other"), n2);
	assert_null(bir_inst_find(a.m, "n2"));
	bir_module_free(a.m);
}

static void test_clone_is_deep(void **state)
{
	struct add a = make_add();
	struct bir_reg *r = bir_reg_new(a.m, "r", BIR_ENG_DVE, 32);
	struct bir_expr *e = bir_expr_new(a.m, 2);
	struct bir_inst *c;

	(void)state;
	bir_expr_add(a.m, e, 5, r);
	a.add->in[0]->kind = BIR_ARG_SYM;
	a.add->in[0]->expr = e;
	bir_wait_add(a.m, a.add, 1, -1, TPB_BIR_WAIT_GE_IMM, 4, NULL, a.exit);
	bir_update_add(a.m, a.add, 2, -1, TPB_BIR_UPDATE_INC, 1);
	c = bir_inst_clone(a.m, a.add, "copy");
	assert_int_equal(c->u.alu.op0, TPB_BIR_ALU_ADD);
	assert_int_equal(c->nin, 2);
	assert_int_equal(c->nout, 1);
	assert_ptr_equal(c->out[0]->loc, a.out);
	assert_ptr_not_equal(c->out[0], a.add->out[0]);
	assert_int_equal(c->pos.line, 7);
	c->in[0]->expr->term[0].coef = 9;
	c->in[1]->offset = 64;
	c->wait->value = 1;
	assert_int_equal(a.add->in[0]->expr->term[0].coef, 5);
	assert_int_equal(a.add->in[1]->offset, 0);
	assert_int_equal(a.add->wait->value, 4);
	assert_int_equal(c->update->vid, 2);
	assert_null(c->block);
	assert_null(c->preds);
	bir_module_free(a.m);
}

static void test_queues(void **state)
{
	struct add a = make_add();
	struct bir_queue *q0 = bir_queue_new(a.m, "q0", BIR_ENG_SP);
	struct bir_queue *q1 = bir_queue_new(a.m, "q1", BIR_ENG_DVE);
	struct bir_inst *blk[20];
	int k;

	(void)state;
	assert_int_equal(q0->id, 0);
	assert_int_equal(q1->id, 1);
	assert_ptr_equal(bir_queue_find(a.m, "q1"), q1);
	bir_instance_new(a.m, q0, "q0.a");
	bir_instance_new(a.m, q0, "q0.b");
	assert_int_equal(q0->ninstance, 2);
	assert_string_equal(bir_instance_at(q0, 0)->name, "q0.a");
	assert_string_equal(bir_instance_at(q0, 1)->name, "q0.b");
	assert_null(bir_instance_at(q0, 2));
	assert_null(bir_instance_at(q0, -1));
	assert_null(bir_instance_at(q1, 0));
	for (k = 0; k < 20; k++) {
		blk[k] =
		    bir_inst_new(a.m, BIR_IT_DMA_BLOCK, NULL, BIR_ENG_NONE);
		bir_instance_add(a.m, q0, 1, blk[k]);
	}
	for (k = 0; k < 20; k++) {
		assert_ptr_equal(bir_instance_at(q0, 1)->block[k], blk[k]);
		assert_int_equal(blk[k]->u.dmablock.id, k);
		assert_int_equal(blk[k]->u.dmablock.instance, 1);
	}
	good(a.m, 0);
	blk[3]->u.dmablock.id = 4;
	bad(a.m, 0, "BIR019", "not block 3 of q0");
	bir_module_free(a.m);
}

static void test_edges(void **state)
{
	struct bir_module *m = bir_module_new("e", 3);
	struct bir_inst *i[4];
	struct bir_dep *d;
	char name[8];
	int k, j;

	(void)state;
	for (k = 0; k < 4; k++) {
		snprintf(name, sizeof name, "i%d", k);
		i[k] = bir_inst_new(m, BIR_IT_NOOP, name, BIR_ENG_SP);
	}
	d = bir_dep_add(m, i[1], i[0], BIR_ANTI, true);
	assert_ptr_equal(bir_dep_add(m, i[1], i[0], BIR_FLOW, false), d);
	assert_int_equal(d->kind, BIR_FLOW);
	assert_false(d->carried);
	bir_dep_add(m, i[1], i[0], BIR_ORDERED, false);
	assert_int_equal(d->kind, BIR_FLOW);
	assert_null(bir_dep_find(m, i[0], i[1]));
	bir_dep_add(m, i[2], i[1], BIR_ANTI, false);
	bir_dep_add(m, i[3], i[1], BIR_FLOW, false);
	/* the weaker kind joins what i1 stood between */
	bir_dep_bypass(m, i[1]);
	assert_null(i[1]->preds);
	assert_null(i[1]->succs);
	assert_int_equal(bir_dep_find(m, i[2], i[0])->kind, BIR_ANTI);
	assert_int_equal(bir_dep_find(m, i[3], i[0])->kind, BIR_FLOW);
	bir_dep_remove(m, bir_dep_find(m, i[2], i[0]));
	assert_null(bir_dep_find(m, i[2], i[0]));
	assert_ptr_equal(i[0]->succs->succ, i[3]);
	assert_null(i[0]->succs->out_next);
	/* a removed pair can come back, whatever the table went through */
	for (j = 0; j < 2000; j++) {
		d = bir_dep_add(m, i[2], i[0], BIR_FLOW, false);
		bir_dep_remove(m, d);
	}
	assert_null(bir_dep_find(m, i[2], i[0]));
	assert_non_null(bir_dep_find(m, i[3], i[0]));
	bir_module_free(m);
}

/* Many edges: each is found, none that is not there. */
static void test_many_edges(void **state)
{
	enum { N = 40 };
	struct bir_module *m = bir_module_new("e", 3);
	struct bir_inst *i[N];
	struct bir_dep *d;
	int a, b, n = 0;

	(void)state;
	for (a = 0; a < N; a++)
		i[a] = bir_inst_new(m, BIR_IT_NOOP, NULL, BIR_ENG_SP);
	for (a = 0; a < N; a++)
		for (b = 0; b < a; b++)
			if ((a * 7 + b * 3) % 5 < 3)
				bir_dep_add(m, i[a], i[b], BIR_ANTI, false);
	for (a = 0; a < N; a++)
		for (b = 0; b < N; b++)
			assert_int_equal(bir_dep_find(m, i[a], i[b]) != NULL,
			                 b < a && (a * 7 + b * 3) % 5 < 3);
	for (d = i[N - 1]->preds; d; d = d->in_next)
		n++;
	for (a = 0, b = 0; b < N - 1; b++)
		a += ((N - 1) * 7 + b * 3) % 5 < 3;
	assert_int_equal(n, a);
	bir_module_free(m);
}

static void test_questions(void **state)
{
	struct add a = make_add();
	struct bir_block *t = bir_block_new(a.m, &a.f->body, "t");
	struct bir_block *e = bir_block_new(a.m, &a.f->body, "e"), *succ[4];
	struct bir_reg *r = bir_reg_new(a.m, "r", BIR_ENG_SP, 32);
	struct bir_reg *q = bir_reg_new(a.m, "q", BIR_ENG_SP, 32);
	const struct bir_pair pair[2] = {{16, 4}, {-2, 3}};
	struct bir_arg *ap;
	struct bir_inst *br;
	int64_t lo, hi;

	(void)state;
	/* flat bytes 12 + 4*(16*i - 2*j): first byte -4, last 12 + 192 + 3 */
	ap = bir_ap(a.m, a.x, F32, 12, 2, pair);
	bir_ap_span(ap, &lo, &hi);
	assert_int_equal(lo, -4);
	assert_int_equal(hi, 12 + 192 + 4);
	assert_int_equal(bir_ap_count(ap), 12);
	assert_int_equal(bir_ap_free(ap), 3);
	bir_loc_place(a.x, 32, 0x1000);
	assert_int_equal(bir_addr29(a.x, 64 + 8), (33 << 18) + 0x1008);
	assert_int_equal(bir_unified(a.x, 0),
	                 0x1000000000 + (32 << 18) + 0x1000);
	a.y->mem = BIR_PSUM;
	bir_loc_place(a.y, 3, 2 * 2048 + 4);
	assert_int_equal(bir_addr29(a.y, 64),
	                 0x2000000 + (4 << 15) + (2 << 11) + 4);

	bir_inst_unlink(a.exit);
	assert_int_equal(bir_successors(a.b, succ, 4), 1);
	assert_ptr_equal(succ[0], t);
	br = bir_branch(a.m, a.b, BIR_ENG_SP, TPB_BIR_CMP_LT_REG, r,
	                bir_use(a.m, q), e, t);
	assert_int_equal(bir_successors(a.b, succ, 4), 2);
	assert_ptr_equal(succ[0], t);
	assert_ptr_equal(succ[1], e);
	assert_ptr_equal(bir_first_terminator(a.b), br);
	assert_int_equal(bir_successors(e, succ, 4), 0);
	bir_module_free(a.m);
}

/* Registers and memory that instructions touch. */
static void test_references(void **state)
{
	struct add a = make_add();
	struct bir_reg *r = bir_reg_new(a.m, "r", BIR_ENG_SP, 32);
	struct bir_reg *q = bir_reg_new(a.m, "q", BIR_ENG_SP, 32);
	struct bir_reg *wide = bir_reg_new(a.m, "w", BIR_ENG_SP, 64);
	const struct bir_pair pair[2] = {{16, 4}, {-2, 3}};
	struct bir_expr *expr = bir_expr_new(a.m, 0);
	struct bir_regref ref[BIR_REFS];
	struct bir_access acc[8];
	struct bir_inst *use;

	(void)state;
	assert_int_equal(bir_use(a.m, r)->dtype, I32);
	assert_int_equal(bir_use(a.m, wide)->dtype, TPB_BIR_DTYPE_UINT64);
	assert_int_equal(bir_use_half(a.m, wide, BIR_HI)->dtype, I32);
	/* an expression reads its registers, an index its tensor; a register
	 * address is read although its operand is written */
	bir_expr_add(a.m, expr, 4, r);
	bir_expr_add_index(a.m, expr, 1, bir_whole(a.m, a.y));
	use = bir_inst_new(a.m, BIR_IT_TENSOR_COPY, NULL, BIR_ENG_SP);
	bir_in(use, bir_sym(a.m, a.x, F32, 0, 2, pair, expr));
	bir_out(use, bir_regap(a.m, a.out, F32, q, 0, 2, pair));
	assert_int_equal(bir_reg_refs(use, ref, BIR_REFS), 2);
	assert_ptr_equal(*ref[0].slot, r);
	assert_false(ref[0].def);
	assert_ptr_equal(*ref[1].slot, q);
	assert_false(ref[1].def);
	assert_int_equal(bir_accesses(use, acc, 8), 3);
	assert_ptr_equal(acc[0].arg->loc, a.y);
	assert_false(acc[0].write);
	assert_ptr_equal(acc[1].arg->loc, a.x);
	assert_true(acc[2].write);
	use = bir_reg_move(a.m, a.b, BIR_ENG_SP, r, bir_use(a.m, q));
	assert_int_equal(bir_reg_refs(use, ref, BIR_REFS), 2);
	assert_ptr_equal(*ref[0].slot, q);
	assert_false(ref[0].def);
	assert_true(ref[1].def);
	assert_int_equal(bir_reg_refs(use, ref, 1), 2);
	assert_int_equal(bir_accesses(a.add, acc, 8), 3);
	assert_ptr_equal(acc[2].arg->loc, a.out);
	assert_true(acc[2].write);
	assert_false(acc[0].write);
	bir_module_free(a.m);
}

static void test_print(void **state)
{
	struct add a = make_add();
	struct bir_inst *n = bir_inst_new(a.m, BIR_IT_NOOP, "n", BIR_ENG_SP);
	char *text;

	(void)state;
	bir_inst_before(a.add, n);
	bir_dep_add(a.m, a.add, n, BIR_FLOW, false);
	bir_wait_add(a.m, a.add, 0, 3, TPB_BIR_WAIT_GE_IMM, 2, NULL, n);
	bir_update_add(a.m, a.add, 5, -1, TPB_BIR_UPDATE_INC, 1);
	bir_loc_place(a.x, 0, 64);
	text = bir_print(a.m);
	assert_string_equal(
	    text, "module add.klr gen3 cores=1\n"
	          "loc x sbuf internal float32[64,16] part=0 byte=64\n"
	          "loc y sbuf internal float32[64,16]\n"
	          "loc out sbuf internal float32[64,16]\n"
	          "func main\n"
	          "entry:\n"
	          "  n @SP NoOp\n"
	          "  sum @DVE TensorTensor dst=out{[16,64][1,16]}:float32"
	          " src0=x{[16,64][1,16]}:float32 src1=y{[16,64][1,16]}:float32"
	          " op=add wait(sem3 >= 2 from n) post(sem?5 inc) after(n:Flow)"
	          " ; 7:3\n"
	          "  end @ALL Exit\n");
	free(text);
	bir_module_free(a.m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tables),
	    cmocka_unit_test(test_arena),
	    cmocka_unit_test(test_names),
	    cmocka_unit_test(test_lists),
	    cmocka_unit_test(test_clone_is_deep),
	    cmocka_unit_test(test_queues),
	    cmocka_unit_test(test_edges),
	    cmocka_unit_test(test_many_edges),
	    cmocka_unit_test(test_questions),
	    cmocka_unit_test(test_references),
	    cmocka_unit_test(test_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
