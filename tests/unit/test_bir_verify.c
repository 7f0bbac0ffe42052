/* SPDX-License-Identifier: Apache-2.0
 *
 * The verifier of the IR: for each rule a module that keeps it and the same
 * one that breaks it, with the id and the text of the error.
 */
#include "tests/unit/bir_add.h"

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

/* Rows of a DRAM tensor by two counters: every trip must stay inside. */
static void test_verify_symbolic(void **state)
{
	static const struct bir_pair row[2] = {{16, 1}, {1, 16}};
	const int64_t shape[2] = {64, 16};
	struct add a = make_add();
	struct bir_loc *d =
	    bir_loc_new(a.m, "d", BIR_DRAM, BIR_INPUT, F32, 2, shape);
	struct bir_loc *r = sbuf(a.m, "r", F32, 1, 16);
	struct bir_reg *i = bir_reg_new(a.m, "i", BIR_ENG_ALL, 32);
	struct bir_reg *j = bir_reg_new(a.m, "j", BIR_ENG_ALL, 32);
	struct bir_expr *e = bir_expr_new(a.m, 16);
	struct bir_inst *outer, *inner;
	struct bir_block *b;

	(void)state;
	bir_inst_unlink(a.exit);
	outer = bir_loop(a.m, a.b, i, 0, 8, 1);
	b = bir_block_new(a.m, &outer->u.loop.body, "outer");
	inner = bir_loop(a.m, b, j, 6, -1, -2); /* 6, 4, 2, 0 */
	b = bir_block_new(a.m, &inner->u.loop.body, "inner");
	/* rows 1 + 8i + j - 1: at most 1 + 56 + 6 = 63 */
	bir_expr_add(a.m, e, 128, i);
	bir_expr_add(a.m, e, 16, j);
	bir_dma_copy(a.m, b, bir_whole(a.m, r),
	             bir_sym(a.m, d, F32, 0, 2, row, e));
	good(a.m, 0);
	inner->u.loop.lb = 7; /* 7, 5, 3, 1 */
	bad(a.m, 0, "BIR015", "bytes 128..4159 of d in some trip");
	inner->u.loop.ub = 7; /* no trip */
	good(a.m, 0);
	inner->u.loop.lb = 6;
	inner->u.loop.ub = -1;
	e->c = 0;
	good(a.m, 0);
	e->c = -1;
	bad(a.m, 0, "BIR015", "bytes -4..");
	e->term[1].coef = -16;
	e->c = 6 * 16;
	good(a.m, 0);
	e->c = 6 * 16 - 1;
	bad(a.m, 0, "BIR015", "bytes -4..");
	bir_module_free(a.m);
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
	i->out[0]->dtype = TPB_BIR_DTYPE_UINT32;
	bir_loc_place(vals, 64, 0);
	bad(a.m, 0, "BIR016", "vals starts at partition 64, x at 0");
	vals->placed = false;
	/* two bundles: both may come from PSUM */
	vals->mem = a.x->mem = BIR_PSUM;
	good(a.m, 0);
	vals->mem = a.x->mem = BIR_SBUF;
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
	bir_module_free(a.m);
}

static void test_verify_tensor_scalar(void **state)
{
	struct add a = make_add();
	struct bir_inst *i;

	(void)state;
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
	    cmocka_unit_test(test_verify_operands),
	    cmocka_unit_test(test_verify_places),
	    cmocka_unit_test(test_verify_links),
	    cmocka_unit_test(test_verify_flow),
	    cmocka_unit_test(test_verify_symbolic),
	    cmocka_unit_test(test_verify_rules),
	    cmocka_unit_test(test_verify_tensor_scalar),
	    cmocka_unit_test(test_verify_carriers),
	    cmocka_unit_test(test_verify_scalars),
	    cmocka_unit_test(test_verify_dma),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
