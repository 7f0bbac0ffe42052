/* SPDX-License-Identifier: Apache-2.0
 *
 * The IR: tables, construction, edges, questions, dump and verifier.
 *
 * Expected values are written by hand: ordinals and element sizes from the
 * compiler sheet (3.3, 3.4), address words from the memory sheet (1.2), and
 * the text of the dump.
 */
#include "compiler/bir/bir_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define F32 TPB_BIR_DTYPE_FLOAT32
#define I32 TPB_BIR_DTYPE_INT32

/* x, y -> out = x + y, all 64 x 16 in SBUF, then Exit. */
struct add {
	struct bir_module *m;
	struct bir_func *f;
	struct bir_block *b;
	struct bir_loc *x, *y, *out;
	struct bir_inst *add, *exit;
};

static struct bir_loc *sbuf(struct bir_module *m, const char *name, int dtype,
                            int64_t parts, int64_t n)
{
	const int64_t shape[2] = {parts, n};

	return bir_loc_new(m, name, BIR_SBUF, BIR_INTERNAL, dtype, 2, shape);
}

static struct add make_add(void)
{
	struct add a;

	a.m = bir_module_new("add.klr", 3);
	a.f = bir_func_new(a.m, "main");
	a.b = bir_block_new(a.m, &a.f->body, "entry");
	a.x = sbuf(a.m, "x", F32, 64, 16);
	a.y = sbuf(a.m, "y", F32, 64, 16);
	a.out = sbuf(a.m, "out", F32, 64, 16);
	a.add = bir_emit(a.m, a.b, BIR_IT_TENSOR_TENSOR, "sum", BIR_ENG_DVE);
	a.add->pos.line = 7;
	a.add->pos.col = 3;
	a.add->u.alu.op0 = TPB_BIR_ALU_ADD;
	bir_in(a.add, bir_whole(a.m, a.x));
	bir_in(a.add, bir_whole(a.m, a.y));
	bir_out(a.add, bir_whole(a.m, a.out));
	a.exit = bir_emit(a.m, a.b, BIR_IT_EXIT, "end", BIR_ENG_ALL);
	return a;
}

static void good(struct bir_module *m, unsigned flags)
{
	struct bir_error err = {"", "", ""};

	if (!bir_verify(m, flags, &err))
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
}

static void bad(struct bir_module *m, unsigned flags, const char *id,
                const char *text)
{
	struct bir_error err = {"", "", ""};

	assert_false(bir_verify(m, flags, &err));
	if (strcmp(err.id, id) != 0 || !strstr(err.text, text))
		fail_msg("expected %s \"%s\", got %s \"%s\"", id, text, err.id,
		         err.text);
}

/* ------------------------------------------------------------ tables */

static void test_tables(void **state)
{
	static const int size[20] = {1, 1, 2, 1, 1, 1, 1, 1, 4, 4,
	                             2, 2, 2, 2, 4, 4, 4, 4, 8, 8};
	static const struct {
		int ordinal;
		const char *text;
	} op[] = {{1, "GenericCopy"},
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
	size_t k;
	int d;

	(void)state;
	for (k = 0; k < sizeof op / sizeof op[0]; k++) {
		assert_non_null(bir_op((enum bir_it)op[k].ordinal));
		assert_string_equal(bir_it_text((enum bir_it)op[k].ordinal),
		                    op[k].text);
		assert_int_equal(bir_it_of(op[k].text), op[k].ordinal);
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

/* ------------------------------------------------------------ verifier */

static void test_verify_operands(void **state)
{
	struct add a = make_add();
	struct bir_error err;

	(void)state;
	good(a.m, BIR_V_TERMINATED | BIR_V_LOWERED | BIR_V_FLAT);

	a.add->nin = 1;
	bad(a.m, 0, "BIR011", "input 1 is missing");
	a.add->nin = 3;
	bad(a.m, 0, "BIR011", "3 inputs");
	a.add->nin = 2;
	a.x->mem = BIR_DRAM;
	bad(a.m, 0, "BIR012", "not in DRAM");
	a.x->mem = BIR_SBUF;
	a.add->in[0]->dtype = TPB_BIR_DTYPE_UINT64;
	a.add->in[0]->pair[0].step = 8;
	a.add->in[0]->pair[1].num = 8;
	bad(a.m, 0, "BIR013", "src0 cannot be uint64");
	a.add->in[0] = bir_whole(a.m, a.x);
	a.add->in[0]->pair[1].num = 15;
	bad(a.m, 0, "BIR014", "15 elements a partition and 16");
	a.add->in[0]->pair[1].num = 17;
	bad(a.m, 0, "BIR015", "touches bytes");
	a.add->in[0]->pair[0].num = 32;
	bad(a.m, 0, "BIR015", "leaves its partition row");
	a.add->in[0] = bir_whole(a.m, a.x);
	a.add->in[0]->pair[0].step = 32;
	bad(a.m, 0, "BIR015", "must be a partition row, 16 elements");
	a.add->in[0] = bir_whole(a.m, a.x);
	a.add->in[1]->offset = 16 * 64;
	a.add->in[1]->pair[0].num = 40;
	bad(a.m, 0, "BIR016", "40 partitions of y start at 16");
	a.add->in[1] = bir_whole(a.m, a.y);
	a.add->engine = BIR_ENG_PE;
	bad(a.m, 0, "BIR017", "cannot run on PE");
	a.add->engine = BIR_ENG_NONE;
	good(a.m, 0);
	bad(a.m, BIR_V_ENGINES, "BIR023", "has no engine");
	a.add->engine = BIR_ENG_DVE;
	a.add->u.alu.op0 = TPB_BIR_ALU_AVERAGE;
	bad(a.m, 0, "BIR022", "no such operation");
	a.add->u.alu.op0 = TPB_BIR_ALU_BITWISE_AND;
	bad(a.m, 0, "BIR013", "src0 cannot be float32");
	a.add->u.alu.op0 = TPB_BIR_ALU_ADD;
	a.x->mem = BIR_PSUM;
	a.y->mem = BIR_PSUM;
	bad(a.m, 0, "BIR012", "two sources in PSUM");
	a.y->mem = BIR_SBUF;
	good(a.m, 0);
	a.add->engine = BIR_ENG_POOL;
	bad(a.m, 0, "BIR012", "POOL");
	assert_false(bir_verify(a.m, 0, &err));
	assert_string_equal(err.place, "add.klr:7");
	assert_non_null(strstr(err.text, "TensorTensor sum"));
	bir_module_free(a.m);
}

static void test_verify_places(void **state)
{
	struct add a = make_add();

	(void)state;
	bad(a.m, BIR_V_PLACED, "BIR023", "x has no place");
	bir_loc_place(a.x, 0, 229376 - 64);
	good(a.m, 0);
	bir_loc_place(a.x, 0, 229376 - 60);
	bad(a.m, 0, "BIR021", "x lies outside of sbuf");
	bir_loc_place(a.x, 65, 0);
	bad(a.m, 0, "BIR021", "x lies outside of sbuf");
	bir_loc_place(a.x, 32, 0);
	bad(a.m, 0, "BIR016", "64 partitions of x start at 32");
	bir_loc_place(a.x, 64, 0);
	bad(a.m, 0, "BIR016", "x starts at partition 64, y at 0");
	bir_loc_place(a.y, 64, 64);
	good(a.m, 0);
	bir_module_free(a.m);
}

static void test_verify_links(void **state)
{
	struct add a = make_add();
	struct bir_reg *r = bir_reg_new(a.m, "r", BIR_ENG_SP, 32);
	struct bir_inst *alu, *gone, *jump;
	struct bir_block *lost;

	(void)state;
	/* a jump to a block that is in no function */
	lost = bir_block_new(a.m, &a.f->body, "lost");
	bir_block_unlink(lost);
	bir_inst_unlink(a.exit);
	jump = bir_jump(a.m, a.b, BIR_ENG_ALL, lost);
	bad(a.m, 0, "BIR019", "target lost");
	bir_inst_delete(a.m, jump);
	bir_inst_append(a.b, a.exit);
	good(a.m, 0);
	/* behind the end */
	jump = bir_jump(a.m, a.b, BIR_ENG_ALL, a.b);
	bad(a.m, 0, "BIR018", "stands behind the end of block entry");
	bir_inst_delete(a.m, jump);
	/* register before its definition */
	alu = bir_reg_alu(a.m, a.b, BIR_ENG_SP, TPB_BIR_ALU_ADD, r, r,
	                  bir_int(a.m, 1));
	bir_inst_unlink(alu);
	bir_inst_before(a.add, alu);
	bad(a.m, 0, "BIR020", "r is read before it is written");
	gone = bir_reg_move(a.m, a.b, BIR_ENG_SP, r, bir_int(a.m, 1));
	bir_inst_unlink(gone);
	bir_inst_before(alu, gone);
	good(a.m, 0);
	bad(a.m, BIR_V_COLORED, "BIR023", "r is still virtual");
	r->phys = 62;
	bad(a.m, BIR_V_COLORED, "BIR020", "R62 of SP cannot hold it");
	r->phys = 61;
	good(a.m, BIR_V_COLORED);
	/* another engine's register */
	r->engine = BIR_ENG_DVE;
	bad(a.m, 0, "BIR020", "r is on DVE, not on SP");
	r->engine = BIR_ENG_SP;
	/* an edge from what was taken out */
	bir_dep_add(a.m, a.add, alu, BIR_FLOW, false);
	good(a.m, 0);
	bir_inst_unlink(alu);
	bad(a.m, 0, "BIR019", "is gone");
	bir_inst_delete(a.m, alu);
	good(a.m, 0);
	/* sync records */
	bir_wait_add(a.m, a.add, 2, -1, TPB_BIR_WAIT_GE_IMM, 1, NULL, NULL);
	good(a.m, 0);
	bad(a.m, BIR_V_BOUND, "BIR024", "wait on no semaphore");
	a.add->wait->id = 255;
	good(a.m, BIR_V_BOUND);
	a.add->wait->mode = TPB_BIR_WAIT_GE_REG;
	bad(a.m, 0, "BIR024", "malformed wait");
	bir_module_free(a.m);
}

/* A definition on only one path is let through, none at all is not; a loop
 * carries definitions of an earlier trip. */
static void test_verify_flow(void **state)
{
	struct bir_module *m = bir_module_new("f", 3);
	struct bir_func *f = bir_func_new(m, "main");
	struct bir_block *b0 = bir_block_new(m, &f->body, "b0");
	struct bir_block *b1 = bir_block_new(m, &f->body, "b1");
	struct bir_block *b2 = bir_block_new(m, &f->body, "b2"), *body;
	struct bir_reg *a = bir_reg_new(m, "a", BIR_ENG_ALL, 32);
	struct bir_reg *b = bir_reg_new(m, "b", BIR_ENG_ALL, 32);
	struct bir_reg *c = bir_reg_new(m, "c", BIR_ENG_ALL, 32);
	struct bir_inst *use, *loop;

	(void)state;
	bir_reg_move(m, b0, BIR_ENG_ALL, a, bir_int(m, 1));
	bir_branch(m, b0, BIR_ENG_NONE, TPB_BIR_CMP_EQ_IMM, a, bir_int(m, 1),
	           b2, b1);
	bir_reg_move(m, b1, BIR_ENG_ALL, b, bir_int(m, 2));
	loop = bir_loop(m, b2, c, 0, 3, 1);
	body = bir_block_new(m, &loop->u.loop.body, "body");
	bir_reg_move(m, body, BIR_ENG_ALL, a, bir_use(m, c));
	use = bir_reg_move(m, b2, BIR_ENG_ALL, a, bir_use(m, b));
	bir_emit(m, b2, BIR_IT_EXIT, NULL, BIR_ENG_ALL);
	good(m, 0);
	bad(m, BIR_V_FLAT, "BIR023", "structure must have been lowered");
	bir_inst_delete(m, b1->first);
	bad(m, 0, "BIR020", "b is read before it is written");
	bir_inst_delete(m, use);
	good(m, 0);
	loop->u.loop.step = 0;
	bad(m, 0, "BIR022", "counter, a step");
	loop->u.loop.step = 1;
	bir_emit(m, b1, BIR_IT_BREAK, NULL, BIR_ENG_ALL);
	bad(m, 0, "BIR018", "outside of a loop");
	bir_module_free(m);
}

static void test_verify_rules(void **state)
{
	struct add a = make_add();
	struct bir_loc *vals = sbuf(a.m, "vals", F32, 64, 8);
	struct bir_loc *idx = sbuf(a.m, "idx", TPB_BIR_DTYPE_UINT32, 64, 8);
	struct bir_loc *mask = sbuf(a.m, "mask", TPB_BIR_DTYPE_UINT8, 64, 16);
	struct bir_inst *i;

	(void)state;
	i = bir_inst_new(a.m, BIR_IT_MAX, NULL, BIR_ENG_DVE);
	bir_in(i, bir_whole(a.m, a.x));
	bir_out(i, bir_whole(a.m, vals));
	bir_inst_before(a.exit, i);
	good(a.m, 0);
	i->out[0] = bir_whole(a.m, a.out);
	bad(a.m, 0, "BIR014", "dst has 16 elements");
	bir_inst_delete(a.m, i);

	i = bir_inst_new(a.m, BIR_IT_MAX_INDEX, NULL, BIR_ENG_DVE);
	bir_in(i, bir_whole(a.m, vals));
	bir_in(i, bir_whole(a.m, a.x));
	bir_out(i, bir_whole(a.m, idx));
	bir_inst_before(a.exit, i);
	good(a.m, 0);
	i->out[0]->dtype = I32;
	bad(a.m, 0, "BIR013", "dst cannot be int32");
	bir_inst_delete(a.m, i);

	i = bir_inst_new(a.m, BIR_IT_SELECT, NULL, BIR_ENG_DVE);
	bir_in(i, bir_whole(a.m, mask));
	bir_in(i, bir_float(a.m, 1.0f));
	bir_in(i, bir_whole(a.m, a.y));
	bir_out(i, bir_whole(a.m, a.out));
	bir_inst_before(a.exit, i);
	good(a.m, 0);
	bad(a.m, BIR_V_LOWERED, "BIR023", "must have been lowered");
	i->in[0] = bir_whole(a.m, a.x);
	bad(a.m, 0, "BIR013", "mask cannot be float32");
	bir_inst_delete(a.m, i);

	i = bir_inst_new(a.m, BIR_IT_TENSOR_SCALAR_PTR, NULL, BIR_ENG_DVE);
	bir_in(i, bir_whole(a.m, a.x));
	bir_in(i, bir_float(a.m, 1.0f));
	bir_out(i, bir_whole(a.m, a.out));
	i->u.alu.op0 = TPB_BIR_ALU_MULT;
	bir_inst_before(a.exit, i);
	good(a.m, 0);
	i->u.alu.op1 = TPB_BIR_ALU_ADD;
	bad(a.m, 0, "BIR022", "mult and add");
	i->u.alu.op1 = TPB_BIR_ALU_BYPASS;
	i->in[1] = bir_int(a.m, 1);
	bad(a.m, 0, "BIR013", "scalar0 cannot be int32");
	i->in[1] = bir_whole(a.m, a.y);
	bad(a.m, 0, "BIR014", "one element a partition");
	bir_module_free(a.m);
}

/* Sync records in bundles: an EventSemaphore carries two waits and an update,
 * a datapath op none, others one of each. */
static void test_verify_carriers(void **state)
{
	struct add a = make_add();
	struct bir_inst *e =
	    bir_inst_new(a.m, BIR_IT_EVENT_SEM, NULL, BIR_ENG_DVE);
	int k;

	(void)state;
	bir_inst_before(a.add, e);
	for (k = 0; k < 2; k++)
		bir_wait_add(a.m, e, -1, k, TPB_BIR_WAIT_GE_IMM, 1, NULL, NULL);
	bir_update_add(a.m, e, -1, 3, TPB_BIR_UPDATE_INC, 1);
	bir_wait_add(a.m, a.exit, -1, 1, TPB_BIR_WAIT_GE_IMM, 1, NULL, NULL);
	good(a.m, BIR_V_CARRIERS | BIR_V_BOUND);
	bir_wait_add(a.m, e, -1, 2, TPB_BIR_WAIT_GE_IMM, 1, NULL, NULL);
	bad(a.m, BIR_V_CARRIERS, "BIR023", "3 waits and 1 updates");
	bir_wait_remove(e, e->wait);
	bir_update_add(a.m, a.add, -1, 3, TPB_BIR_UPDATE_INC, 1);
	bad(a.m, BIR_V_CARRIERS, "BIR023", "can carry 0 and 0");
	good(a.m, 0);
	a.add->update = NULL;
	bir_wait_add(a.m, a.exit, -1, 1, TPB_BIR_WAIT_GE_IMM, 1, NULL, NULL);
	bad(a.m, BIR_V_CARRIERS, "BIR023", "2 waits");
	bir_module_free(a.m);
}

/* Widths of registers, memories of scalars, owners of queues. */
static void test_verify_scalars(void **state)
{
	static const struct bir_pair one[2] = {{16, 1}, {1, 1}};
	struct add a = make_add();
	struct bir_reg *r = bir_reg_new(a.m, "r", BIR_ENG_SP, 32);
	struct bir_reg *p = bir_reg_new(a.m, "p", BIR_ENG_SP, 64);
	struct bir_queue *q = bir_queue_new(a.m, "q", BIR_ENG_SP);
	struct bir_block *b = a.b;
	struct bir_inst *i, *trigger;

	(void)state;
	bir_inst_unlink(a.exit);
	bir_reg_move(a.m, b, BIR_ENG_SP, r, bir_int(a.m, 1));
	bir_reg_move(a.m, b, BIR_ENG_SP, p, bir_addr(a.m, a.x, 0));
	good(a.m, 0);
	i = bir_reg_move(a.m, b, BIR_ENG_SP, p, bir_use(a.m, p));
	bad(a.m, 0, "BIR020", "moved by halves");
	i->in[0] = bir_use(a.m, r);
	bad(a.m, 0, "BIR020", "moved by halves");
	i->out[0] = bir_use_half(a.m, p, BIR_HI);
	good(a.m, 0);
	i = bir_reg_alu(a.m, b, BIR_ENG_SP, TPB_BIR_ALU_ADD, p, r,
	                bir_int(a.m, 4));
	bad(a.m, 0, "BIR020", "32 and 64 bits are mixed");
	i->in[0] = bir_use(a.m, p);
	good(a.m, 0);
	i->u.alu.op0 = TPB_BIR_ALU_AVERAGE;
	bad(a.m, 0, "BIR022", "no scalar operation");
	i->u.alu.op0 = TPB_BIR_ALU_ADD;
	i = bir_emit(a.m, b, BIR_IT_TENSOR_SAVE, NULL, BIR_ENG_SP);
	bir_in(i, bir_use(a.m, r));
	bir_out(i, bir_ap(a.m, a.x, I32, 0, 2, one));
	good(a.m, 0);
	i->in[0] = bir_use(a.m, p);
	bad(a.m, 0, "BIR020", "int32 does not go with the width of p");
	i->in[0] = bir_use(a.m, r);
	a.x->mem = BIR_PSUM;
	bad(a.m, 0, "BIR012", "cannot be stored to PSUM");
	a.x->mem = BIR_SBUF;
	i->out[0]->pair[1].num = 2;
	bad(a.m, 0, "BIR014", "moves one element, not 2");
	i->out[0]->pair[1].num = 1;
	bir_instance_new(a.m, q, "q.i0");
	trigger = bir_emit(a.m, b, BIR_IT_DMA_TRIGGER, NULL, BIR_ENG_SP);
	bad(a.m, 0, "BIR019", "neither queue nor block");
	trigger->u.trigger.queue = q;
	good(a.m, 0);
	trigger->engine = BIR_ENG_DVE;
	bad(a.m, 0, "BIR017", "queue q belongs to SP, not to DVE");
	bir_module_free(a.m);
}

/* A DMA block: descriptors, sides, and no waits. */
static void test_verify_dma(void **state)
{
	struct add a = make_add();
	struct bir_inst *blk, *t;
	int64_t shape[2] = {64, 16};
	struct bir_loc *d =
	    bir_loc_new(a.m, "d", BIR_DRAM, BIR_INPUT, F32, 2, shape);

	(void)state;
	blk = bir_inst_new(a.m, BIR_IT_DMA_BLOCK, "blk", BIR_ENG_NONE);
	t = bir_inst_new(a.m, BIR_IT_DMA_TRIGGER, NULL, BIR_ENG_SP);
	t->u.trigger.block = blk;
	blk->u.dmablock.trigger = t;
	bir_inst_before(a.add, t);
	bir_desc(a.m, blk, bir_whole(a.m, d), bir_whole(a.m, a.x));
	bir_dep_add(a.m, a.add, blk, BIR_FLOW, false);
	good(a.m, 0);
	blk->u.dmablock.first->in[0]->pair[0].num = 63;
	bad(a.m, 0, "BIR019", "1008 elements of float32 and 1024");
	blk->u.dmablock.first->in[0]->pair[0].num = 64;
	a.x->mem = BIR_PSUM;
	bad(a.m, 0, "BIR019", "DMA does not reach PSUM");
	a.x->mem = BIR_SBUF;
	bir_wait_add(a.m, blk, 0, -1, TPB_BIR_WAIT_GE_IMM, 1, NULL, NULL);
	bad(a.m, 0, "BIR024", "a DMA block cannot wait");
	blk->wait = NULL;
	t->u.trigger.block = NULL;
	t->u.trigger.queue = bir_queue_new(a.m, "q", BIR_ENG_SP);
	bad(a.m, 0, "BIR019", "depends on blk, which is gone");
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
	    cmocka_unit_test(test_verify_operands),
	    cmocka_unit_test(test_verify_places),
	    cmocka_unit_test(test_verify_links),
	    cmocka_unit_test(test_verify_flow),
	    cmocka_unit_test(test_verify_rules),
	    cmocka_unit_test(test_verify_carriers),
	    cmocka_unit_test(test_verify_scalars),
	    cmocka_unit_test(test_verify_dma),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
