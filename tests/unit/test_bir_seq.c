/* SPDX-License-Identifier: Apache-2.0
 *
 * The IR interpreter: branches, loops, calls, registers, queues, semaphores,
 * and what it refuses.  Expected values are worked out by hand.
 */
#include "tests/unit/bir.h"

/* ------------------------------------------------------------ control */

static void save(struct bir_block *at, struct bir_reg *r, struct bir_loc *l,
                 int64_t offset)
{
	const struct bir_pair one[2] = {{1, 1}, {1, 1}};
	struct bir_inst *i =
	    bir_emit(m, at, BIR_IT_TENSOR_SAVE, NULL, BIR_ENG_SP);

	bir_in(i, bir_use(m, r));
	bir_out(i, bir_ap(m, l, I32, offset, 2, one));
}

/* 1 + 2 + ... + 10 by a branch loop; 1 + 3 + 5 + 7 by a structured one that
 * breaks in its fourth trip */
static void test_branches(void **state)
{
	struct bir_block *head, *out, *body, *next;
	struct bir_reg *i, *s, *q, *j;
	struct bir_interp *t;
	struct bir_inst *loop;
	struct bir_loc *o;

	(void)state;
	begin();
	o = tensor("o", BIR_DRAM, I32, 1, 2);
	i = reg("i", 32);
	s = reg("s", 32);
	j = reg("j", 32);
	q = reg("q", 32);
	head = bir_block_new(m, &m->first->body, "head");
	out = bir_block_new(m, &m->first->body, "out");
	bir_reg_move(m, b, BIR_ENG_ALL, i, bir_int(m, 1));
	bir_reg_move(m, b, BIR_ENG_ALL, s, bir_int(m, 0));
	bir_reg_alu(m, head, BIR_ENG_ALL, TPB_BIR_ALU_ADD, s, s, bir_use(m, i));
	bir_reg_alu(m, head, BIR_ENG_ALL, TPB_BIR_ALU_ADD, i, i, bir_int(m, 1));
	bir_branch(m, head, BIR_ENG_NONE, TPB_BIR_CMP_LE_IMM, i, bir_int(m, 10),
	           head, out);
	bir_reg_move(m, out, BIR_ENG_ALL, q, bir_int(m, 0));
	loop = bir_loop(m, out, j, 1, 100, 2);
	body = bir_block_new(m, &loop->u.loop.body, "body");
	next = bir_block_new(m, &loop->u.loop.body, "next");
	bir_reg_alu(m, body, BIR_ENG_ALL, TPB_BIR_ALU_ADD, q, q, bir_use(m, j));
	bir_branch(m, body, BIR_ENG_NONE, TPB_BIR_CMP_LT_IMM, j, bir_int(m, 7),
	           next, NULL);
	bir_emit(m, body, BIR_IT_BREAK, NULL, BIR_ENG_ALL);
	bir_emit(m, next, BIR_IT_NOOP, NULL, BIR_ENG_SP);
	save(out, s, o, 0);
	save(out, q, o, 4);
	t = start();
	run(t);
	expect(t, o, (const int32_t[]){55, 16});
	end(t);
}

static void test_dynamic_loops(void **state)
{
	struct bir_reg *n, *i, *s, *c;
	struct bir_interp *t;
	struct bir_inst *loop, *dw;
	struct bir_block *body;

	(void)state;
	begin();
	n = reg("n", 32);
	i = reg("i", 32);
	s = reg("s", 32);
	c = reg("c", 32);
	bir_reg_move(m, b, BIR_ENG_ALL, n, bir_int(m, 3));
	bir_reg_move(m, b, BIR_ENG_ALL, s, bir_int(m, 0));
	/* i = 2 while i < 2n + 1 = 7: five trips */
	loop = bir_emit(m, b, BIR_IT_DYN_LOOP, NULL, BIR_ENG_ALL);
	loop->u.loop.iv = i;
	loop->u.loop.lb = 2;
	loop->u.loop.ub = 1;
	loop->u.loop.coef = 2;
	loop->u.loop.ubreg = n;
	body = bir_block_new(m, &loop->u.loop.body, NULL);
	bir_reg_alu(m, body, BIR_ENG_ALL, TPB_BIR_ALU_ADD, s, s, bir_int(m, 1));
	bir_reg_move(m, b, BIR_ENG_ALL, c, bir_int(m, 0));
	/* a body runs once before its condition is looked at */
	dw = bir_emit(m, b, BIR_IT_DO_WHILE, NULL, BIR_ENG_ALL);
	dw->u.loop.cond = c;
	body = bir_block_new(m, &dw->u.loop.body, NULL);
	bir_reg_alu(m, body, BIR_ENG_ALL, TPB_BIR_ALU_ADD, s, s,
	            bir_int(m, 10));
	t = start();
	run(t);
	assert_int_equal(bir_interp_reg(t, s), 15);
	/* no trip */
	b->first->in[0]->imm = 0;
	run(t);
	assert_int_equal(bir_interp_reg(t, s), 10);
	/* a condition that never falls meets the step limit */
	bir_reg_move(m, body, BIR_ENG_ALL, c, bir_int(m, 1));
	run_fails(t, "BIR036", "no end after 10000 instructions");
	end(t);
}

/* A branch that stands once an engine must go one way. */
static void test_engines_agree(void **state)
{
	struct bir_block *x, *y;
	struct bir_reg *sp, *dve;
	struct bir_interp *t;
	struct bir_inst *mv;

	(void)state;
	begin();
	x = bir_block_new(m, &m->first->body, "x");
	y = bir_block_new(m, &m->first->body, "y");
	sp = bir_reg_new(m, "c", BIR_ENG_SP, 32);
	dve = bir_reg_new(m, "c.DVE0", BIR_ENG_DVE, 32);
	dve->origin = sp;
	bir_reg_move(m, b, BIR_ENG_SP, sp, bir_int(m, 4));
	mv = bir_reg_move(m, b, BIR_ENG_DVE, dve, bir_int(m, 4));
	bir_branch(m, b, BIR_ENG_SP, TPB_BIR_CMP_EQ_IMM, sp, bir_int(m, 4), y,
	           x);
	bir_branch(m, b, BIR_ENG_DVE, TPB_BIR_CMP_EQ_IMM, dve, bir_int(m, 4), y,
	           x);
	bir_emit(m, x, BIR_IT_HALT, NULL, BIR_ENG_ALL);
	bir_emit(m, y, BIR_IT_EXIT, NULL, BIR_ENG_SP);
	bir_emit(m, y, BIR_IT_EXIT, NULL, BIR_ENG_DVE);
	t = start();
	run(t);
	mv->in[0]->imm = 5;
	run_fails(t, "BIR037", "DVE goes to x, other engines to y");
	end(t);
}

/* Two engines, one register id: two values.  Pairs and halves. */
static void test_registers(void **state)
{
	struct bir_reg *a, *c, *p;
	struct bir_interp *t;
	struct bir_inst *n;

	(void)state;
	begin();
	a = bir_reg_new(m, "a", BIR_ENG_SP, 32);
	c = bir_reg_new(m, "c", BIR_ENG_DVE, 32);
	p = bir_reg_new(m, "p", BIR_ENG_SP, 64);
	a->phys = 6;
	c->phys = 6;
	p->phys = 8;
	bir_reg_move(m, b, BIR_ENG_SP, a, bir_int(m, 11));
	bir_reg_move(m, b, BIR_ENG_DVE, c, bir_int(m, 22));
	bir_reg_move(m, b, BIR_ENG_SP, p,
	             bir_imm(m, TPB_BIR_DTYPE_UINT64, 0x1FFFFFFFF));
	n = bir_emit(m, b, BIR_IT_REG_ALU, NULL, BIR_ENG_SP);
	n->u.alu.op0 = TPB_BIR_ALU_ADD;
	bir_in(n, bir_use(m, p));
	bir_in(n, bir_imm(m, TPB_BIR_DTYPE_UINT64, 1));
	bir_out(n, bir_use(m, p));
	n = bir_reg_move(m, b, BIR_ENG_SP, p, bir_use(m, a));
	n->out[0] = bir_use_half(m, p, BIR_LO);
	/* one half alone is 32 bits: 11 - 12 does not borrow from the other */
	n = bir_reg_alu(m, b, BIR_ENG_SP, TPB_BIR_ALU_SUBTRACT, p, p,
	                bir_int(m, 12));
	n->in[0] = bir_use_half(m, p, BIR_LO);
	n->out[0] = bir_use_half(m, p, BIR_LO);
	t = start();
	run(t);
	assert_int_equal(bir_interp_reg(t, a), 11);
	assert_int_equal(bir_interp_reg(t, c), 22);
	assert_int_equal(bir_interp_reg(t, p), 0x2FFFFFFFF);
	end(t);
}

/* Addresses in registers: on chip, and unified for scalars. */
static void test_register_addresses(void **state)
{
	static const struct bir_pair row[2] = {{4, 2}, {1, 4}};
	static const struct bir_pair one[2] = {{4, 1}, {1, 1}};
	float fx[16 * 4], fz[2 * 4];
	struct bir_loc *x, *z, *d;
	struct bir_reg *a, *u, *v;
	struct bir_interp *t;
	struct bir_inst *n;
	int k;

	(void)state;
	begin();
	x = sb("x", F32, 16, 4);
	z = sb("z", F32, 2, 4);
	d = tensor("d", BIR_DRAM, I32, 1, 8);
	bir_loc_place(x, 32, 0x200);
	bir_loc_place(z, 0, 0x100);
	bir_loc_place_dram(d, 0x4000, 1);
	a = bir_reg_new(m, "a", BIR_ENG_DVE, 32);
	u = bir_reg_new(m, "u", BIR_ENG_DVE, 64);
	v = bir_reg_new(m, "v", BIR_ENG_DVE, 32);
	/* rows 3 and 4 of x */
	bir_reg_move(m, b, BIR_ENG_DVE, a, bir_int(m, (35 << 18) + 0x200));
	n = op(BIR_IT_TENSOR_COPY, z, NULL, NULL);
	bir_in(n, bir_regap(m, x, F32, a, 0, 2, row));
	bir_reg_move(m, b, BIR_ENG_DVE, u, bir_addr(m, d, 12));
	n = bir_emit(m, b, BIR_IT_TENSOR_LOAD, NULL, BIR_ENG_DVE);
	bir_in(n, bir_regap(m, d, I32, u, 4, 2, one));
	bir_out(n, bir_use(m, v));
	for (k = 0; k < 64; k++)
		fx[k] = (float)k;
	for (k = 0; k < 8; k++)
		fz[k] = fx[12 + k];
	t = start();
	load(t, x, fx);
	load(t, d, (const int32_t[]){0, 1, 2, 3, -44, 5, 6, 7});
	run(t);
	expect(t, z, fz);
	assert_int_equal(bir_interp_reg(t, u), 0x400C);
	assert_int_equal((int32_t)bir_interp_reg(t, v), -44);
	b->first->in[0]->imm = (47 << 18) + 0x200; /* row 15 and one beyond */
	run_fails(t, "BIR032", "leaves x");
	end(t);
}

/* ------------------------------------------------------------ queues, sync */

/* Blocks fire by the cursor: 0, 1, 0; Switch without no_rearm rewinds. */
static void test_queue(void **state)
{
	struct bir_queue *q;
	struct bir_loc *x, *y, *z;
	struct bir_inst *blk[2], *tr, *sw;
	struct bir_interp *t;
	int k;

	(void)state;
	begin();
	x = tensor("x", BIR_DRAM, I32, 1, 2);
	y = tensor("y", BIR_DRAM, I32, 1, 2);
	z = tensor("z", BIR_DRAM, I32, 1, 2);
	q = bir_queue_new(m, "q0", BIR_ENG_SP);
	bir_instance_new(m, q, "q0.i0");
	for (k = 0; k < 2; k++) {
		blk[k] = bir_inst_new(m, BIR_IT_DMA_BLOCK, NULL, BIR_ENG_NONE);
		bir_desc(m, blk[k], bir_whole(m, k ? y : x),
		         bir_whole(m, k ? z : y));
		bir_update_add(m, blk[k], -1, 9, TPB_BIR_UPDATE_INC, 1);
		bir_instance_add(m, q, 0, blk[k]);
	}
	tr = bir_emit(m, b, BIR_IT_DMA_TRIGGER, NULL, BIR_ENG_SP);
	tr->u.trigger.queue = q;
	tr->u.trigger.count = 3;
	tr = bir_emit(m, b, BIR_IT_NOOP, NULL, BIR_ENG_SP);
	bir_wait_add(m, tr, -1, 9, TPB_BIR_WAIT_GE_IMM, 3, NULL, blk[0]);
	t = start();
	load(t, x, (const int32_t[]){5, 6});
	run(t);
	expect(t, z, (const int32_t[]){5, 6});
	/* the cursor is at block 1 now; a trigger meant for 0 says so */
	bir_inst_delete(m, tr);
	b->first->u.trigger.count = 1;
	b->first->u.trigger.block = blk[0];
	blk[0]->u.dmablock.trigger = b->first;
	run_fails(t, "BIR038", "the cursor of q0 is at");
	sw = bir_inst_new(m, BIR_IT_SWITCH_QUEUE, NULL, BIR_ENG_SP);
	sw->u.sqi.queue = q;
	bir_inst_before(b->first, sw);
	run(t);
	end(t);
}

static void test_waits(void **state)
{
	struct bir_inst *p, *w;
	struct bir_interp *t;

	(void)state;
	begin();
	p = bir_emit(m, b, BIR_IT_EVENT_SEM, NULL, BIR_ENG_DVE);
	bir_update_add(m, p, -1, 7, TPB_BIR_UPDATE_ADD_IMM, 2);
	w = bir_emit(m, b, BIR_IT_EVENT_SEM, NULL, BIR_ENG_SP);
	bir_wait_add(m, w, -1, 7, TPB_BIR_WAIT_GE_IMM, 2, NULL, p);
	p = bir_emit(m, b, BIR_IT_GROUP_RESET, NULL, BIR_ENG_ALL);
	p->u.greset.mask[0] = 0x80;
	t = start();
	run(t);
	run(t); /* the reset made it repeatable */
	w->wait->value = 3;
	run_fails(t, "BIR035", "waits for 3 of semaphore 7, but only 2");
	end(t);
}

/* Every update mode, bound and unbound, events, a range reset. */
static void test_updates(void **state)
{
	static const struct {
		int mode, value, after;
	} u[] = {{TPB_BIR_UPDATE_WR_IMM, 10, 10},
	         {TPB_BIR_UPDATE_INC, 1, 11},
	         {TPB_BIR_UPDATE_ADD_IMM, 5, 16},
	         {TPB_BIR_UPDATE_DEC, 1, 15},
	         {TPB_BIR_UPDATE_SUB_IMM, 7, 8}};
	struct bir_inst *n = NULL, *w;
	struct bir_interp *t;
	struct bir_reg *r;
	int bound, k;

	(void)state;
	for (bound = 0; bound < 2; bound++) {
		begin();
		r = bir_reg_new(m, "r", BIR_ENG_SP, 32);
		for (k = 0; k < 5; k++) {
			n = bir_emit(m, b, BIR_IT_EVENT_SEM, NULL, BIR_ENG_DVE);
			bir_update_add(m, n, bound ? -1 : 3, bound ? 40 : -1,
			               u[k].mode, u[k].value);
			w = bir_emit(m, b, BIR_IT_NOOP, NULL, BIR_ENG_SP);
			bir_wait_add(m, w, bound ? -1 : 3, bound ? 40 : -1,
			             TPB_BIR_WAIT_GE_IMM, u[k].after, NULL, n);
		}
		bir_reg_move(m, b, BIR_ENG_SP, r, bir_int(m, 8));
		w = bir_emit(m, b, BIR_IT_NOOP, NULL, BIR_ENG_SP);
		bir_wait_add(m, w, bound ? -1 : 3, bound ? 40 : -1,
		             TPB_BIR_WAIT_GE_REG, 0, r, n);
		t = start();
		run(t);
		b->last->prev->in[0]->imm = 9;
		run_fails(t, "BIR035", "waits for 9");
		end(t);
	}
}

static void test_events_and_ranges(void **state)
{
	struct bir_inst *n, *w;
	struct bir_interp *t;

	(void)state;
	begin();
	n = bir_emit(m, b, BIR_IT_EVENT_SEM, NULL, BIR_ENG_DVE);
	bir_update_add(m, n, -1, 12, TPB_BIR_UPDATE_EVT_SET, 0);
	w = bir_emit(m, b, BIR_IT_EVENT_SEM, NULL, BIR_ENG_SP);
	bir_wait_add(m, w, -1, 12, TPB_BIR_WAIT_EVT_SET_CLR, 0, NULL, n);
	n = bir_emit(m, b, BIR_IT_EVENT_SEM, NULL, BIR_ENG_DVE);
	bir_update_add(m, n, -1, 12, TPB_BIR_UPDATE_INC, 1);
	n = bir_emit(m, b, BIR_IT_GROUP_RESET, NULL, BIR_ENG_ALL);
	n->u.greset.range = true;
	n->u.greset.first = 13;
	n->u.greset.last = 20;
	w = bir_emit(m, b, BIR_IT_NOOP, NULL, BIR_ENG_SP);
	bir_wait_add(m, w, -1, 12, TPB_BIR_WAIT_GE_IMM, 1, NULL, NULL);
	t = start();
	run(t);
	n->u.greset.first = 12;
	run_fails(t, "BIR035", "waits for 1 of semaphore 12");
	/* the event was cleared by its wait: a second one cannot hold */
	w->wait->event = true;
	w->wait->mode = TPB_BIR_WAIT_EVT_SET_CLR;
	run_fails(t, "BIR035", "waits for 1 of event 12");
	end(t);
}

/* Widths of loads and stores; halves; ranks; a loop that counts down. */
static void test_scalars(void **state)
{
	static const struct bir_pair one[2] = {{1, 1}, {1, 1}};
	static const uint8_t bytes[16] = {0xFE, 0xFF, 1, 0, 0, 0, 0, 0x80,
	                                  1,    2,    3, 4, 5, 6, 7, 8};
	static const struct {
		int dtype;
		uint64_t want;
	} c[] = {{TPB_BIR_DTYPE_INT8, 0xFFFFFFFE},
	         {TPB_BIR_DTYPE_UINT8, 0xFE},
	         {TPB_BIR_DTYPE_INT16, 0xFFFFFFFE},
	         {TPB_BIR_DTYPE_UINT16, 0xFFFE},
	         {TPB_BIR_DTYPE_INT32, 0x1FFFE},
	         {TPB_BIR_DTYPE_UINT64, 0x800000000001FFFE}};
	struct bir_reg *v[6], *i, *s, *rank;
	struct bir_loc *d;
	struct bir_inst *n;
	struct bir_interp *t;
	uint8_t want[16];
	char name[2] = "a";
	int k;

	(void)state;
	begin();
	d = tensor("d", BIR_DRAM, U8, 1, 16);
	for (k = 0; k < 6; k++, name[0]++) {
		v[k] = bir_reg_new(m, name, BIR_ENG_SP, k == 5 ? 64 : 32);
		n = bir_emit(m, b, BIR_IT_TENSOR_LOAD, NULL, BIR_ENG_SP);
		bir_in(n, bir_ap(m, d, c[k].dtype, 0, 2, one));
		bir_out(n, bir_use(m, v[k]));
	}
	n = bir_emit(m, b, BIR_IT_TENSOR_SAVE, NULL, BIR_ENG_SP);
	bir_in(n, bir_use(m, v[4]));
	bir_out(n, bir_ap(m, d, TPB_BIR_DTYPE_UINT16, 8, 2, one));
	n = bir_emit(m, b, BIR_IT_TENSOR_SAVE, NULL, BIR_ENG_SP);
	bir_in(n, bir_use_half(m, v[5], BIR_HI));
	bir_out(n, bir_ap(m, d, I32, 12, 2, one));
	i = reg("i", 32);
	s = reg("s", 32);
	rank = reg("rank", 32);
	bir_reg_move(m, b, BIR_ENG_ALL, s, bir_int(m, 0));
	n = bir_loop(m, b, i, 5, -4, -3);
	bir_reg_alu(m, bir_block_new(m, &n->u.loop.body, NULL), BIR_ENG_ALL,
	            TPB_BIR_ALU_ADD, s, s, bir_use(m, i));
	n = bir_emit(m, b, BIR_IT_GLOBAL_RANK, NULL, BIR_ENG_ALL);
	bir_out(n, bir_use(m, rank));
	t = start();
	load(t, d, bytes);
	run(t);
	for (k = 0; k < 6; k++)
		assert_true(bir_interp_reg(t, v[k]) == c[k].want);
	/* 5 + 2 - 1 */
	assert_int_equal(bir_interp_reg(t, s), 6);
	assert_int_equal(bir_interp_reg(t, rank), 0);
	memcpy(want, bytes, 16);
	memcpy(want + 8, "\xFE\xFF", 2);
	memcpy(want + 12, "\x00\x00\x00\x80", 4);
	expect(t, d, want);
	end(t);
}

/* Halt of one engine skips the rest of its code only. */
static void test_halt(void **state)
{
	struct bir_reg *a, *c;
	struct bir_interp *t;

	(void)state;
	begin();
	a = bir_reg_new(m, "a", BIR_ENG_SP, 32);
	c = bir_reg_new(m, "c", BIR_ENG_DVE, 32);
	bir_emit(m, b, BIR_IT_HALT, NULL, BIR_ENG_SP);
	bir_reg_move(m, b, BIR_ENG_SP, a, bir_int(m, 1));
	bir_reg_move(m, b, BIR_ENG_DVE, c, bir_int(m, 2));
	t = start();
	run(t);
	assert_int_equal(bir_interp_reg(t, a), 0xFFFFFFFF);
	assert_int_equal(bir_interp_reg(t, c), 2);
	assert_int_equal(bir_interp_steps(t), 2);
	end(t);
}

static void test_call(void **state)
{
	struct bir_func *f;
	struct bir_block *fb;
	struct bir_reg *r;
	struct bir_interp *t;
	int k;

	(void)state;
	begin();
	f = bir_func_new(m, "twice");
	fb = bir_block_new(m, &f->body, NULL);
	r = reg("r", 32);
	bir_reg_move(m, b, BIR_ENG_ALL, r, bir_int(m, 3));
	for (k = 0; k < 2; k++)
		bir_emit(m, b, BIR_IT_CALL, NULL, BIR_ENG_ALL)->u.callee = f;
	bir_reg_alu(m, fb, BIR_ENG_ALL, TPB_BIR_ALU_MULT, r, r, bir_int(m, 2));
	bir_emit(m, fb, BIR_IT_RETURN, NULL, BIR_ENG_ALL);
	t = start();
	run(t);
	assert_int_equal(bir_interp_reg(t, r), 12);
	bir_inst_before(fb->first,
	                bir_inst_new(m, BIR_IT_CALL, NULL, BIR_ENG_ALL));
	fb->first->u.callee = f;
	run_fails(t, "BIR039", "nested deeper than 4");
	end(t);
}

/* Predicated instructions, and index terms from memory. */
static void test_predicates_and_indices(void **state)
{
	static const struct bir_pair one[2] = {{1, 1}, {1, 1}};
	struct bir_loc *d, *ix;
	struct bir_reg *r, *s;
	struct bir_expr *e;
	struct bir_interp *t;
	struct bir_inst *n;

	(void)state;
	begin();
	d = tensor("d", BIR_DRAM, I32, 1, 8);
	ix = tensor("ix", BIR_DRAM, I32, 1, 1);
	r = reg("r", 32);
	s = reg("s", 32);
	e = bir_expr_new(m, 1);
	bir_expr_add_index(m, e, 2, bir_ap(m, ix, I32, 0, 2, one));
	n = bir_emit(m, b, BIR_IT_TENSOR_LOAD, NULL, BIR_ENG_SP);
	bir_in(n, bir_sym(m, d, I32, 0, 2, one, e));
	bir_out(n, bir_use(m, r));
	bir_reg_move(m, b, BIR_ENG_ALL, s, bir_int(m, 1));
	n = bir_reg_move(m, b, BIR_ENG_ALL, s, bir_int(m, 2));
	e = bir_expr_new(m, -70);
	bir_expr_add(m, e, 1, r);
	bir_predicate(m, n, e, TPB_BIR_CMP_EQ_IMM);
	t = start();
	load(t, d, (const int32_t[]){0, 10, 20, 30, 40, 50, 60, 70});
	load(t, ix, (const int32_t[]){3});
	run(t);
	assert_int_equal(bir_interp_reg(t, r), 70);
	assert_int_equal(bir_interp_reg(t, s), 2);
	load(t, ix, (const int32_t[]){2});
	run(t);
	assert_int_equal(bir_interp_reg(t, r), 50);
	assert_int_equal(bir_interp_reg(t, s), 1);
	load(t, ix, (const int32_t[]){4});
	run_fails(t, "BIR032", "leaves d");
	end(t);
}

static void test_refusals(void **state)
{
	struct bir_error err = {"", "", ""};
	struct bir_interp *t;
	struct bir_loc *x;

	(void)state;
	begin();
	x = sb("x", F32, 1, 4);
	op(BIR_IT_TENSOR_TENSOR, x, x, x)->u.alu.op0 = TPB_BIR_ALU_POW;
	t = start();
	assert_false(bir_interp_load(t, "y", "", 1, &err));
	assert_string_equal(err.id, "BIR031");
	assert_false(bir_interp_load(t, "x", "", 1, &err));
	assert_non_null(strstr(err.text, "has 16 bytes, not 1"));
	run_fails(t, "BIR033", "pow is not built");
	bir_interp_free(t);
	bir_loc_place(x, 0, 229376 - 8);
	assert_null(bir_interp_new(m, &err));
	assert_string_equal(err.id, "BIR030");
	bir_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_branches),
	    cmocka_unit_test(test_dynamic_loops),
	    cmocka_unit_test(test_engines_agree),
	    cmocka_unit_test(test_registers),
	    cmocka_unit_test(test_register_addresses),
	    cmocka_unit_test(test_queue),
	    cmocka_unit_test(test_waits),
	    cmocka_unit_test(test_updates),
	    cmocka_unit_test(test_events_and_ranges),
	    cmocka_unit_test(test_scalars),
	    cmocka_unit_test(test_halt),
	    cmocka_unit_test(test_call),
	    cmocka_unit_test(test_predicates_and_indices),
	    cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
