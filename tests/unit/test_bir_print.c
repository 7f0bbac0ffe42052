/* SPDX-License-Identifier: Apache-2.0
 *
 * The dump of the IR: one line of every kind, compared with text written by
 * hand.
 */
#include "compiler/bir/bir_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define F32 TPB_BIR_DTYPE_FLOAT32
#define I32 TPB_BIR_DTYPE_INT32

static struct bir_module *m;
static struct bir_block *b;
static struct bir_loc *x, *d;
static struct bir_reg *r, *p;

static int set_up(void **state)
{
	const int64_t shape[3] = {4, 2, 8};

	(void)state;
	m = bir_module_new("dump.klr", 3);
	b = bir_block_new(m, &bir_func_new(m, "main")->body, "bb");
	x = bir_loc_new(m, "x", BIR_SBUF, BIR_INTERNAL, F32, 3, shape);
	d = bir_loc_new(m, "d", BIR_DRAM, BIR_INPUT, I32, 1, shape);
	r = bir_reg_new(m, "r", BIR_ENG_SP, 32);
	p = bir_reg_new(m, "p", BIR_ENG_SP, 64);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	bir_module_free(m);
	return 0;
}

static struct bir_inst *op(enum bir_it it, enum bir_engine e)
{
	return bir_emit(m, b, it, "n", e);
}

/* Print, compare, take away. */
static void is(struct bir_inst *i, const char *want)
{
	char *text = bir_print_inst(m, i);

	assert_non_null(text);
	assert_string_equal(text, want);
	free(text);
	bir_inst_delete(m, i);
}

static void test_operands(void **state)
{
	static const struct bir_pair pair[2] = {{16, 4}, {-1, 8}};
	struct bir_expr *e = bir_expr_new(m, -3);
	struct bir_inst *i;

	(void)state;
	bir_expr_add(m, e, 16, r);
	bir_expr_add_index(m, e, 2, bir_whole(m, d));
	i = op(BIR_IT_TENSOR_COPY, BIR_ENG_DVE);
	bir_in(i, bir_sym(m, x, F32, 28, 2, pair, e));
	bir_out(i, bir_regap(m, x, I32, r, 4, 2, pair));
	is(i, "n @DVE TensorCopy dst=x+4@%r{[16,4][-1,8]}:int32"
	      " src=x+28(-3 + 16*%r + 2*d{[1,4]}:int32){[16,4][-1,8]}:float32");
	i = op(BIR_IT_REG_MOVE, BIR_ENG_SP);
	bir_in(i, bir_addr(m, d, 8));
	bir_out(i, bir_use(m, p));
	is(i, "n @SP RegisterMove dst=%p src=&d+8");
	i = op(BIR_IT_REG_MOVE, BIR_ENG_SP);
	bir_in(i, bir_symimm(m, I32, bir_expr_new(m, 5)));
	bir_out(i, bir_use_half(m, p, BIR_HI));
	is(i, "n @SP RegisterMove dst=%p.hi src=(5):int32");
}

static void test_vector(void **state)
{
	struct bir_inst *i;

	(void)state;
	i = op(BIR_IT_TENSOR_SCALAR_PTR, BIR_ENG_DVE);
	bir_in(i, bir_whole(m, x));
	bir_in(i, bir_float(m, 1.0f));
	bir_out(i, bir_whole(m, x));
	i->u.alu.op0 = TPB_BIR_ALU_SUBTRACT;
	i->u.alu.rev0 = true;
	i->u.alu.op1 = TPB_BIR_ALU_MAX;
	i->u.alu.acc = TPB_BIR_ACC_ADD_ACC;
	is(i, "n @DVE TensorScalarPtr dst=x{[16,4][8,2][1,8]}:float32"
	      " src=x{[16,4][8,2][1,8]}:float32 scalar0=0x3F800000:float32"
	      " op=subtract op1=max reverse0 acc=4");
	i = op(BIR_IT_TENSOR_REDUCE, BIR_ENG_NONE);
	i->u.alu.op0 = TPB_BIR_ALU_ADD;
	i->u.alu.axis = TPB_BIR_AXIS_XY;
	i->u.alu.negate = true;
	is(i, "n @Unassigned TensorReduce op=add axis=1 negate");
	i = op(BIR_IT_MEMSET, BIR_ENG_POOL);
	i->u.memset.fill = 0xFF;
	is(i, "n @Pool Memset fill=0x000000FF");
	i = op(BIR_IT_MEMSET, BIR_ENG_POOL);
	i->u.memset.random = true;
	is(i, "n @Pool Memset random");
	i = op(BIR_IT_IOTA, BIR_ENG_POOL);
	i->u.iota.base = -1;
	i->u.iota.mult = 2;
	i->u.iota.npair = 1;
	i->u.iota.pair[0] = (struct bir_pair){3, 4};
	is(i, "n @Pool Iota base=-1 mult=2 ramp={[3,4]}");
	i = op(BIR_IT_MATCH_REPLACE, BIR_ENG_DVE);
	i->u.replace = 0xFF800000;
	is(i, "n @DVE MatchReplace replace=0xFF800000");
	i = op(BIR_IT_COPY_PREDICATED, BIR_ENG_DVE);
	i->u.cpred.reverse = i->u.cpred.false_fill = true;
	is(i, "n @DVE CopyPredicated reverse false_fill");
	i = op(BIR_IT_GENERIC_COPY, BIR_ENG_NONE);
	i->u.can_read_uninit = true;
	is(i, "n @Unassigned GenericCopy can_read_uninit");
	i = op(BIR_IT_DVE_READ_ACC, BIR_ENG_DVE);
	i->u.negated = true;
	is(i, "n @DVE DveReadAccumulator negated");
}

static void test_control(void **state)
{
	struct bir_block *to = bir_block_new(m, &m->first->body, "to");
	struct bir_inst *i;

	(void)state;
	is(bir_branch(m, b, BIR_ENG_SP, TPB_BIR_CMP_GE_REG, r, bir_use(m, r),
	              to, b),
	   "CompareAndBranch-0 @SP CompareAndBranch lhs=%r rhs=%r"
	   " cmp=\"ge reg\" on_true=to on_false=bb");
	is(bir_jump(m, b, BIR_ENG_ALL, to),
	   "UnconditionalBranch-1 @ALL UnconditionalBranch target=to");
	i = op(BIR_IT_CALL, BIR_ENG_ALL);
	i->u.callee = m->first;
	is(i, "n @ALL Call callee=main");
	i = op(BIR_IT_GROUP_RESET, BIR_ENG_ALL);
	i->u.greset.mask[0] = 0x09;
	i->u.greset.mask[31] = 0x80;
	is(i, "n @ALL GroupResetSemaphores mask=80000000000000000000000000"
	      "00000000000000000000000000000000000009");
	i = op(BIR_IT_GROUP_RESET, BIR_ENG_ALL);
	i->u.greset.range = true;
	i->u.greset.last = 7;
	is(i, "n @ALL GroupResetSemaphores range=0..7");
	is(op(BIR_IT_DRAIN, BIR_ENG_ALL), "n @ALL Drain count=1");
	i = op(BIR_IT_CORE_BARRIER, BIR_ENG_POOL);
	i->u.cbar.ncore = 2;
	is(i, "n @Pool CoreBarrier id=-1 cores=2");
	i = op(BIR_IT_PROC_RANK, BIR_ENG_ALL);
	bir_out(i, bir_use(m, r));
	is(i, "n @ALL GetCurProcessingRankID dst=%r world=0 iter=0 channel=0");
	is(bir_loop(m, b, r, 2, 10, 3), "Loop-8 @ALL Loop iv=%r lb=2 ub=10"
	                                " step=3");
	i = op(BIR_IT_DYN_LOOP, BIR_ENG_ALL);
	i->u.loop.iv = i->u.loop.ubreg = r;
	i->u.loop.coef = 4;
	is(i, "n @ALL DynamicForLoop iv=%r lb=0 ub=0+4*%r step=1");
	i = op(BIR_IT_DO_WHILE, BIR_ENG_ALL);
	i->u.loop.cond = r;
	is(i, "n @ALL DoWhile cond=%r");
}

static void test_sync(void **state)
{
	struct bir_inst *i = op(BIR_IT_EVENT_SEM, BIR_ENG_DVE);
	struct bir_expr *e = bir_expr_new(m, 0);

	(void)state;
	bir_expr_add(m, e, 1, r);
	bir_predicate(m, i, e, TPB_BIR_CMP_NE_IMM);
	bir_wait_add(m, i, 4, -1, TPB_BIR_WAIT_GE_REG, 0, r, NULL);
	bir_wait_add(m, i, -1, 6, TPB_BIR_WAIT_EVT_SET_CLR, 0, NULL, NULL);
	bir_update_add(m, i, -1, 5, TPB_BIR_UPDATE_ADD_IMM, 3)->core = 1;
	bir_update_add(m, i, -1, 8, TPB_BIR_UPDATE_EVT_SET, 0);
	is(i, "n @DVE EventSemaphore if(0 + 1*%r):\"ne imm\""
	      " wait(sem?4 >= %r) wait(evt6) post(sem5 add 3 core 1)"
	      " post(evt8 set)");
}

static void test_module(void **state)
{
	struct bir_queue *q = bir_queue_new(m, "q0", BIR_ENG_SP);
	struct bir_inst *blk, *t, *loop;
	struct bir_reg *copy = bir_reg_new(m, "r.DVE0", BIR_ENG_DVE, 32);
	char *text;

	(void)state;
	copy->origin = r;
	copy->phys = 3;
	x->fixed = true;
	bir_loc_place(x, 0, 128);
	bir_loc_place_dram(d, 0x1000, 2);
	bir_instance_new(m, q, "q0.i0");
	t = bir_emit(m, b, BIR_IT_DMA_TRIGGER, "t", BIR_ENG_SP);
	blk = bir_inst_new(m, BIR_IT_DMA_BLOCK, "blk", BIR_ENG_NONE);
	blk->u.dmablock.trigger = t;
	t->u.trigger.block = blk;
	t->u.trigger.queue = q;
	bir_desc(m, blk, bir_whole(m, d), bir_whole(m, d));
	bir_instance_add(m, q, 0, blk);
	q->sem_id = 8;
	loop = bir_loop(m, b, r, 0, 2, 1);
	bir_block_new(m, &loop->u.loop.body, "body")->origin = b;
	text = bir_print(m);
	assert_string_equal(
	    text,
	    "module dump.klr gen3 cores=1\n"
	    "loc x sbuf internal float32[4,2,8] part=0 byte=128 fixed\n"
	    "loc d dram input int32[4] addr=0x1000 var=2\n"
	    "reg r SP 32\n"
	    "reg p SP 64\n"
	    "reg r.DVE0 DVE 32 R3 of r\n"
	    "queue q0 SP type=0 sem8\n"
	    "  instance q0.i0\n"
	    "    blk @Unassigned DMABlock trigger=t queue=q0 instance=0 id=0\n"
	    "      DMADescriptorCopy-2 @Unassigned DMADescriptorCopy"
	    " dst=d{[1,4]}:int32 src=d{[1,4]}:int32\n"
	    "func main\n"
	    "bb:\n"
	    "  t @SP DMATrigger queue=q0 block=blk count=1\n"
	    "  Loop-3 @ALL Loop iv=%r lb=0 ub=2 step=1\n"
	    "    body: ; of bb\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_operands, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_vector, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_control, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_sync, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_module, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
