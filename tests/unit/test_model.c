/* SPDX-License-Identifier: Apache-2.0
 *
 * The model alone: small programs as raw bundles, expectations by hand.
 *
 * What is expected here was worked out from docs/reference/decode.md and
 * docs/reference/timing.md, cycle numbers included; nothing comes from the
 * RTL or from another table of the tree.
 *
 * Run alone: test_model
 */
#include "tests/unit/model.h"

/* ------------------------------------------------------------------ *
 * Reset, fetch and issue.                                            *
 * ------------------------------------------------------------------ */

static void test_reset(void **state)
{
	(void)state;
	program();
	quit(SP);
	start();
	for (int e = 0; e < TPB_ENGINES; e++) {
		assert_int_equal(eng(e)->state,
		                 e == SP ? TPB_RUN_RUN : TPB_RUN_ABSENT);
		assert_int_equal(eng(e)->rf[0], 0xFFFFFFFF);
		assert_int_equal(eng(e)->rf[63], 0xFFFFFFFF);
	}
	assert_int_equal(t->cycle, 0);
	assert_false(tpb_done(t));
	eng(SP)->stack[2] = 5; /* KEEP */
	eng(SP)->depth = 3;    /* ZERO */
	assert_int_equal(until_retire(SP), 2);
	t->dprog.valid = true;
	t->nwrites = 1;
	tpb_reset(t);
	assert_int_equal(t->nwrites, 0);
	assert_false(t->dprog.valid);
	assert_int_equal(t->retired | t->granted, 0);
	assert_int_equal(t->cycle, 0);
	assert_int_equal(eng(SP)->stack[2], 5);
	assert_int_equal(eng(SP)->depth, 0);
	assert_int_equal(eng(SP)->state, TPB_RUN_RUN);
}

static void test_first_issue(void **state)
{
	(void)state;
	program();
	mov(SP, 1, 0x11);
	mov(SP, 2, 0x22);
	quit(SP);
	start();
	tpb_step(t); /* cycle 0 asks for bundle 0 */
	assert_int_equal(eng(SP)->fetch_pc, 1);
	assert_int_equal(eng(SP)->d_valid, 1);
	assert_int_equal(eng(SP)->x_valid, 0);
	tpb_step(t);
	assert_int_equal(eng(SP)->fetch_pc, 2);
	assert_int_equal(eng(SP)->x_valid, 1);
	assert_int_equal(eng(SP)->pc, 0);
	assert_int_equal(eng(SP)->bundle[8], 0x11);
	assert_int_equal(until_grant(SP), 2);
	assert_int_equal(eng(SP)->rf[1], 0x11);
	assert_int_equal(eng(SP)->pc, 1);
	assert_int_equal(until_grant(SP), 3);
	assert_int_equal(until_grant(SP), 4);
	assert_int_equal(eng(SP)->state, TPB_RUN_EXITED);
	assert_int_equal(eng(SP)->pc, 2);
	assert_int_equal(eng(SP)->fetch_pc, 4);
	assert_true(tpb_done(t));
}

static void test_taken_branch_loses_one(void **state)
{
	(void)state;
	program();
	jump(SP, 2);
	mov(SP, 1, 0xBAD);
	mov(SP, 2, 5);
	quit(SP);
	start();
	assert_int_equal(until_grant(SP), 2);
	assert_int_equal(eng(SP)->pc, 2);
	assert_int_equal(eng(SP)->x_valid, 0);
	assert_int_equal(eng(SP)->fetch_pc, 3);
	assert_int_equal(until_grant(SP), 4);
	assert_int_equal(eng(SP)->rf[1], 0xFFFFFFFF);
	assert_int_equal(eng(SP)->rf[2], 5);
}

static void test_end_of_stream(void **state)
{
	(void)state;
	program();
	mov(SP, 1, 1);
	start();
	steps(4); /* 2 issues bundle 0, 3 meets the zero bytes */
	assert_faulted(SP, TPB_FAULT_END_OF_STREAM);
	assert_int_equal(eng(SP)->pc, 1);
	assert_int_equal(eng(SP)->bundle[0], 0);
	program();
	jump(SP, 0xFFFFFFFF);
	start();
	steps(5);
	assert_faulted(SP, TPB_FAULT_END_OF_STREAM);
	assert_int_equal(eng(SP)->pc, 0xFFFFFFFF);
	assert_int_equal(eng(SP)->fetch_pc, 1);
}

static void test_halt(void **state)
{
	(void)state;
	program();
	lane(emit(SP, 0xA1), 4, 0, 0, 0x13, 8);
	mov(SP, 1, 1);
	start();
	assert_int_equal(until_retire(SP), 2);
	assert_int_equal(eng(SP)->state, TPB_RUN_HALTED);
	assert_int_equal(eng(SP)->pc, 1);
	assert_int_equal(eng(SP)->fetch_pc, 3);
	assert_int_equal(t->s.sem[8], 1);
	steps(5);
	assert_int_equal(eng(SP)->rf[1], 0xFFFFFFFF);
	assert_true(tpb_done(t));
}

/* ------------------------------------------------------------------ *
 * Waits.                                                             *
 * ------------------------------------------------------------------ */

/* Does the NoOp of SP hold with this semaphore value? */
static bool holds(uint8_t mode, uint32_t sem, uint32_t limit)
{
	program();
	noop(SP, mode, 200, 0, 0, mode & 0x80 ? 17 : limit);
	start_at_issue();
	t->s.sem[200] = sem;
	eng(SP)->rf[17] = limit;
	tpb_step(t);
	assert_int_equal(t->s.sem[200], sem);
	return t->granted == 1u << SP;
}

static void test_semaphore_waits(void **state)
{
	/* sem, limit; then eq lt le gt ge as signed numbers */
	static const struct {
		uint32_t sem, limit;
		bool r[5];
	} row[] = {
	    {4, 5, {0, 1, 1, 0, 0}},
	    {5, 5, {1, 0, 1, 0, 1}},
	    {6, 5, {0, 0, 0, 1, 1}},
	    {0xFFFFFFFF, 0, {0, 1, 1, 0, 0}},
	    {0x80000000, 0x7FFFFFFF, {0, 1, 1, 0, 0}},
	    {0, 0x80000000, {0, 0, 0, 1, 1}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		for (int m = 0; m < 5; m++)
			for (int reg = 0; reg < 2; reg++)
				assert_int_equal(
				    holds((uint8_t)(1 + m + 0x80 * reg),
				          row[i].sem, row[i].limit),
				    row[i].r[m]);
}

static void test_event_waits(void **state)
{
	static const struct {
		uint8_t mode;
		int event;
		bool granted;
		int after;
	} row[] = {
	    {0x06, 0, false, 0}, {0x06, 1, true, 1},  {0x07, 0, false, 0},
	    {0x07, 1, true, 0},  {0x0E, 0, true, 0},  {0x0E, 1, false, 1},
	    {0x0F, 0, true, 1},  {0x0F, 1, false, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		program();
		noop(SP, row[i].mode, 0x47, 0, 0, 0);
		start_at_issue();
		t->s.evt[2] = (uint32_t)row[i].event << 7;
		tpb_step(t);
		assert_int_equal(t->granted != 0, row[i].granted);
		assert_int_equal(t->s.evt[2], (uint32_t)row[i].after << 7);
		assert_int_equal(t->s.core_flags, 0);
	}
}

/* Both lanes of an EventSemaphore at once; nothing is latched. */
static void test_two_lanes(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	b = emit(SP, 0xA0);
	lane(b, 4, 5, 1, 0, 0);
	put32(b, 8, 3);
	lane(b, 0x20, 7, 9, 0x19, 30);
	put32(b, 0x28, 77);
	start_at_issue();
	t->s.sem[1] = 3;
	tpb_step(t);
	assert_int_equal(t->granted, 0);
	t->s.sem[1] = 2;
	t->s.evt[0] = 1u << 9;
	tpb_step(t);
	assert_int_equal(t->granted, 0);
	assert_int_equal(t->s.evt[0], 1u << 9);
	t->s.sem[1] = 4;
	tpb_step(t);
	assert_int_equal(t->granted, 1 << SP);
	assert_int_equal(t->s.evt[0], 0);
	assert_int_equal(t->s.sem[30], 77);
}

/* The post of cycle 2 is seen by a wait in cycle 3. */
static void test_post_to_issue(void **state)
{
	(void)state;
	program();
	noop(SP, 0, 0, 0x13, 5, 0);
	noop(PE, 5, 5, 0, 0, 1);
	start();
	steps(3);
	assert_int_equal(t->granted, 1 << SP);
	tpb_step(t);
	assert_int_equal(t->granted & 1 << PE, 1 << PE);
}

/* ------------------------------------------------------------------ *
 * Updates.                                                           *
 * ------------------------------------------------------------------ */

static void test_semaphore_updates(void **state)
{
	static const struct {
		uint8_t mode;
		uint32_t before, value, after;
	} row[] = {
	    {0x03, 41, 0, 42},
	    {0x04, 0, 0, 0xFFFFFFFF},
	    {0x05, 0xFFFFFFFF, 3, 2},
	    {0x07, 2, 3, 0xFFFFFFFF},
	    {0x09, 2, 0x80000001, 0x80000001},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		for (int form = 0; form < 4; form++) {
			uint8_t mode = (uint8_t)(row[i].mode | (form & 1) << 4 |
			                         (form & 2) << 6);
			bool reg = form & 2;

			if (reg && row[i].mode < 5)
				continue;
			program();
			noop(SP, 0, 0, mode, 255, reg ? 62 : row[i].value);
			if (!reg && row[i].mode < 5)
				put32(prog[SP][0], 8, 0xDEAD);
			start_at_issue();
			t->s.sem[255] = row[i].before;
			eng(SP)->rf[62] = row[i].value;
			tpb_step(t);
			assert_int_equal(t->s.sem[255], row[i].after);
		}
}

static void test_event_updates(void **state)
{
	static const struct {
		uint8_t mode;
		int before, after, flags, id;
	} row[] = {
	    {0x01, 0, 1, 0, 0},    {0x11, 0, 1, 0, 0},    {0x01, 1, 1, 1, 0xE3},
	    {0x11, 1, 1, 1, 0xE3}, {0x02, 1, 0, 0, 0},    {0x12, 1, 0, 0, 0},
	    {0x02, 0, 0, 2, 0xE3}, {0x12, 0, 0, 2, 0xE3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		program();
		noop(SP, 0, 0, row[i].mode, 0xE3, 0);
		start_at_issue();
		t->s.evt[7] = (uint32_t)row[i].before << 3;
		tpb_step(t);
		assert_int_equal(t->s.evt[7], (uint32_t)row[i].after << 3);
		assert_int_equal(t->s.core_flags, row[i].flags);
		assert_int_equal(t->s.evt_id, row[i].id);
	}
}

/* One edge: the first hit in port order names evt_id, flags collect. */
static void test_sticky_order(void **state)
{
	(void)state;
	program();
	noop(ACT, 0, 0, 0x01, 10, 0);  /* sets 10: was 0 */
	noop(POOL, 0, 0, 0x11, 10, 0); /* sets it again: flag 0 */
	noop(SP, 0, 0, 0x02, 11, 0);   /* clears a 0: flag 1 */
	start_at_issue();
	tpb_step(t);
	assert_int_equal(t->s.core_flags, 3);
	assert_int_equal(t->s.evt_id, 10);
	assert_int_equal(t->s.evt[0], 1u << 10);
}

/* A SET on the edge that consumes the event is a new token. */
static void test_consume_then_set(void **state)
{
	(void)state;
	program();
	noop(SP, 0x07, 3, 0, 0, 0);
	noop(PE, 0, 0, 0x01, 3, 0);
	start_at_issue();
	t->s.evt[0] = 8;
	tpb_step(t);
	assert_int_equal(t->granted, 1 << SP | 1 << PE);
	assert_int_equal(t->s.evt[0], 8);
	assert_int_equal(t->s.core_flags, 0);
}

/* The worked example: S5 = 7, a reset, WR 3, +2.  (That the DMA unit's post
 * of +1 comes last: test_model_dma.) */
static void reset_and_posts(bool with_reset, bool swapped)
{
	uint8_t *b = emit(DVE, 0xB0);

	b[0x0C] = 1;
	b[0x0D] = with_reset ? 5 : 6;
	b[0x0E] = 6;
	noop(swapped ? SP : PE, 0, 0, 0x19, 5, 3);
	noop(swapped ? PE : SP, 0, 0, 0x15, 5, 2);
	start_at_issue();
	t->s.sem[5] = 7;
	t->s.sem[6] = 1;
	tpb_step(t);
	assert_int_equal(t->s.sem[5], swapped ? 3 : 5);
	assert_int_equal(t->s.sem[6], 0);
	tpb_step(t);
	assert_int_equal(t->s.sem[5], swapped ? 3 : 5); /* posted once */
}

static void test_order_on_one_edge(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		program();
		reset_and_posts(i & 1, i & 2);
	}
}

static void test_group_reset_mask(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	b = emit(SP, 0xB0);
	b[0x0C] = 2;
	b[0x20] = 0x02; /* 1 */
	b[0x24] = 0x02; /* 33 */
	b[0x3F] = 0x80; /* 255 */
	lane(b, 4, 0, 0, 0x13, 33);
	start_at_issue();
	for (int i = 0; i < TPB_SEMS; i++)
		t->s.sem[i] = 9;
	tpb_step(t);
	for (int i = 0; i < TPB_SEMS; i++)
		assert_int_equal(t->s.sem[i], i == 33              ? 1
		                              : i == 1 || i == 255 ? 0
		                                                   : 9);
}

/* The operand of a register form is read at the grant, before the op. */
static void test_update_operand(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	b = alu(SP, 0x04, 4, 4, 1); /* R4 += 1, post R4 */
	lane(b, 4, 0, 0, 0x99, 1);
	put32(b, 8, 4);
	b = alu(SP, 0x06, 4, 4, 10); /* two cycles: latched */
	lane(b, 4, 0, 0, 0x99, 2);
	put32(b, 8, 4);
	start_at_issue();
	eng(SP)->rf[4] = 100;
	eng(SP)->upd_val = 0x55;
	tpb_step(t);
	assert_int_equal(t->s.sem[1], 100);
	assert_int_equal(eng(SP)->rf[4], 101);
	assert_int_equal(eng(SP)->upd_val, 0x55); /* one cycle: untouched */
	tpb_step(t);
	assert_int_equal(eng(SP)->upd_val, 101);
	assert_int_equal(t->s.sem[2], 0);
	tpb_step(t);
	assert_int_equal(t->s.sem[2], 101);
	assert_int_equal(eng(SP)->rf[4], 1010);
}

/* ------------------------------------------------------------------ *
 * Claims.                                                            *
 * ------------------------------------------------------------------ */

static void test_event_claims(void **state)
{
	(void)state;
	program();
	noop(ACT, 0x07, 20, 0, 0, 0);
	noop(DVE, 0x07, 20, 0, 0, 0);
	noop(SP, 0x06, 20, 0, 0, 0); /* only looks */
	start_at_issue();
	t->s.evt[0] = 1u << 20;
	tpb_step(t);
	assert_int_equal(t->granted, 1 << ACT | 1 << SP);
	tpb_step(t);
	assert_int_equal(t->granted & 1 << DVE, 0);
}

static void test_event_claims_of_any_op(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	b = emit(PE, 0xA0); /* second lane takes it */
	lane(b, 0x20, 0x0F, 21, 0, 0);
	lane(alu(POOL, 0x04, 1, 1, 1), 4, 0x0F, 21, 0, 0);
	start_at_issue();
	tpb_step(t);
	assert_int_equal(t->granted, 1 << PE);
	assert_int_equal(t->s.evt[0], 1u << 21);
}

/* Wait >= 1 and decrement as a lock: one a cycle while the count lasts. */
static void test_semaphore_claims(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	noop(PE, 4, 50, 0x14, 50, 0); /* sem > 0, -= 1 */
	b = emit(ACT, 0xA0);          /* wait and update in different lanes */
	lane(b, 4, 4, 50, 0, 0);
	lane(b, 0x20, 0, 0, 0x14, 50);
	noop(SP, 4, 50, 0x14, 50, 0);
	start_at_issue();
	t->s.sem[50] = 2;
	tpb_step(t);
	assert_int_equal(t->granted, 1 << PE);
	tpb_step(t);
	assert_int_equal(t->granted & ~(1 << PE), 1 << ACT);
	steps(3);
	assert_int_equal(t->granted & 1 << SP, 0);
	assert_int_equal(t->s.sem[50], 0);
	assert_int_equal(eng(SP)->x_valid, 1);
}

/* Others claim no semaphore, and a different one is no conflict. */
static void test_no_claims(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	noop(PE, 5, 50, 0x13, 50, 0);
	b = alu(ACT, 0x00, 1, 1, 0);
	lane(b, 4, 5, 50, 0x13, 50);
	noop(POOL, 5, 50, 0x13, 51, 0);
	noop(DVE, 5, 51, 0x13, 51, 0);
	noop(SP, 0x0E, 50, 0x11, 50, 0); /* an event of the same number */
	start_at_issue();
	tpb_step(t);
	assert_int_equal(t->granted, 0x1F);
	assert_int_equal(t->s.sem[50], 2);
	assert_int_equal(t->s.sem[51], 2);
}

/* ------------------------------------------------------------------ *
 * Joins, calls.                                                      *
 * ------------------------------------------------------------------ */

static void test_barrier(void **state)
{
	(void)state;
	program();
	lane(emit(PE, 0xD5), 4, 0, 0, 0x13, 1);
	quit(PE);
	alu(SP, 0x07, 1, 1, 3); /* 34 cycles: 2 to 35 */
	emit(SP, 0xD5);
	quit(SP);
	start();
	assert_int_equal(until_grant(PE), 36);
	assert_int_equal(t->granted, 1 << PE | 1 << SP);
	assert_int_equal(t->s.sem[1], 1);
	steps(1);
	assert_int_equal(eng(PE)->state, TPB_RUN_EXITED);
	assert_int_equal(eng(SP)->state, TPB_RUN_EXITED);
}

/* A halted engine lets Exit pass and stops a barrier for ever. */
static void test_join_with_halted(void **state)
{
	(void)state;
	program();
	emit(PE, 0xA1);
	quit(SP);
	start();
	assert_int_equal(until_grant(SP), 3); /* PE is HALTED from 3 on */
	assert_int_equal(eng(PE)->state, TPB_RUN_HALTED);
	assert_int_equal(eng(SP)->state, TPB_RUN_EXITED);
	program();
	emit(PE, 0xA1);
	emit(SP, 0xD5);
	start();
	until_done();
	assert_faulted(SP, TPB_FAULT_DEADLOCK);
}

/* Different kinds never join, a faulted engine counts for Exit. */
static void test_join_kinds(void **state)
{
	(void)state;
	program();
	emit(PE, 0xD5);
	quit(SP);
	start();
	steps(100);
	assert_int_equal(eng(PE)->state, TPB_RUN_RUN);
	assert_int_equal(eng(SP)->state, TPB_RUN_RUN);
	program();
	emit(PE, 0x00);
	quit(SP);
	start();
	assert_int_equal(until_grant(SP), 3);
	assert_faulted(PE, TPB_FAULT_ILLEGAL_OPCODE);
}

static void test_call_return(void **state)
{
	(void)state;
	program();
	call(SP, 3);   /* 0: cycle 2 */
	mov(SP, 2, 2); /* 1 */
	quit(SP);      /* 2 */
	mov(SP, 1, 1); /* 3: cycle 4 */
	ret(SP, 1);    /* 4: cycle 5 */
	start();
	assert_int_equal(until_grant(SP), 2);
	assert_int_equal(eng(SP)->depth, 1);
	assert_int_equal(eng(SP)->stack[0], 1);
	t->s.sem[7] = 5;
	assert_int_equal(until_grant(SP), 4);
	assert_int_equal(until_grant(SP), 5);
	assert_int_equal(eng(SP)->depth, 0);
	assert_int_equal(eng(SP)->stack[0], 1);
	assert_int_equal(t->s.sem[7], 5); /* kept */
	assert_int_equal(until_grant(SP), 7);
	assert_int_equal(eng(SP)->rf[2], 2);
}

/* A joining Return wipes semaphores, keeps events, then posts. */
static void test_return_wipe(void **state)
{
	(void)state;
	program();
	for (int e = PE; e <= SP; e += SP - PE) {
		call(e, 2);
		quit(e);
		if (e == SP)
			mov(SP, 1, 1); /* SP arrives one later */
		lane(ret(e, 0), 4, 0, 0, 0x13, 40);
	}
	start();
	steps(4);
	t->s.sem[40] = 10;
	t->s.sem[41] = 10;
	t->s.evt[1] = 0xF0;
	assert_int_equal(until_grant(PE), 5);
	assert_int_equal(t->granted, 1 << PE | 1 << SP);
	assert_int_equal(t->s.sem[40], 2);
	assert_int_equal(t->s.sem[41], 0);
	assert_int_equal(t->s.evt[1], 0xF0);
	steps(3);
	assert_int_equal(eng(PE)->state, TPB_RUN_EXITED);
}

static void test_stack_faults(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	for (uint32_t i = 0; i < 5; i++) {
		b = call(SP, i + 1);
		lane(b, 4, 0, 0, 0x13, 1);
	}
	start();
	until_done();
	assert_faulted(SP, TPB_FAULT_STACK_OVERFLOW);
	assert_int_equal(eng(SP)->pc, 4);
	assert_int_equal(eng(SP)->depth, 4);
	assert_int_equal(eng(SP)->stack[3], 4);
	assert_int_equal(t->s.sem[1], 4); /* the fifth posts nothing */
	program();
	lane(ret(SP, 0), 4, 7, 2, 0x13, 1);
	noop(PE, 5, 99, 0, 0, 1); /* never joins */
	start_at_issue();
	tpb_step(t);
	assert_int_equal(eng(SP)->state, TPB_RUN_FAULTED);
	assert_int_equal(eng(SP)->fault, TPB_FAULT_BAD_FIELD);
	put32(prog[SP][0], 4, 0x01130006);
	start_at_issue();
	tpb_step(t);
	assert_int_equal(eng(SP)->state, TPB_RUN_RUN); /* its wait first */
	t->s.evt[0] = 1;
	tpb_step(t);
	assert_faulted(SP, TPB_FAULT_STACK_UNDERFLOW);
	assert_int_equal(t->granted, 1 << SP);
	assert_int_equal(t->retired, 0);
	assert_int_equal(t->s.sem[1], 0);
}

/* ------------------------------------------------------------------ *
 * Register ops.                                                      *
 * ------------------------------------------------------------------ */

static void test_moves(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	b = emit(SP, 0xA7); /* R1, R2, R3 := R2, R1, R2; R3 := R5 wins */
	b[0x0C] = 4;
	b[0x0D] = 0x0A;
	memcpy(b + 0x10, "\x02\x01\x02\x05", 4);
	memcpy(b + 0x18, "\x01\x02\x03\x03", 4);
	b = emit(SP, 0xA7); /* R6:R7 */
	b[0x0C] = 2;
	b[0x0D] = 0x08;
	b[0x0E] = 1;
	b[0x18] = 6;
	b[0x19] = 7;
	put32(b, 0x20, 0x66);
	put32(b, 0x24, 0x77);
	b = emit(SP, 0xDC); /* R8 := rank */
	b[0x0C] = 1;
	b[0x17] = 8;
	b = emit(SP, 0xDB); /* R9 := value of the loader */
	b[0x12] = 9;
	b[0x2F] = 1;
	put32(b, 0x18, 0x1234);
	start_at_issue();
	for (uint32_t i = 1; i < 6; i++)
		eng(SP)->rf[i] = 0x100 + i;
	steps(4);
	assert_int_equal(eng(SP)->rf[0], 0xFFFFFFFF);
	assert_int_equal(eng(SP)->rf[1], 0x102);
	assert_int_equal(eng(SP)->rf[2], 0x101);
	assert_int_equal(eng(SP)->rf[3], 0x105);
	assert_int_equal(eng(SP)->rf[6], 0x66);
	assert_int_equal(eng(SP)->rf[7], 0x77);
	assert_int_equal(eng(SP)->rf[8], 7);
	assert_int_equal(eng(SP)->rf[9], 0x1234);
}

static bool taken(uint8_t cmp, uint8_t tag, uint32_t a, uint32_t b)
{
	uint8_t *x;

	program();
	x = jump(SP, 9);
	x[0x0C] = cmp;
	x[0x0D] = tag;
	x[0x20] = 3;
	if (cmp & 8)
		x[0x21] = 4;
	else
		put32(x, 0x10, b);
	start_at_issue();
	eng(SP)->rf[3] = a;
	eng(SP)->rf[4] = b;
	tpb_step(t);
	assert_int_equal(t->retired, 1 << SP);
	return eng(SP)->pc == 9;
}

static void test_branches(void **state)
{
	static const struct {
		uint8_t tag;
		uint32_t a, b;
		int order; /* -1, 0, 1; 2: unordered */
	} row[] = {
	    {0x02, 0x1FF, 0x200, -1},
	    {0x02, 0x17F, 0x280, 1},
	    {0x03, 0x1FF, 0x200, 1},
	    {0x03, 0xA05, 0xB05, 0},
	    {0x04, 0x18000, 0x27FFF, -1},
	    {0x05, 0x18000, 0x27FFF, 1},
	    {0x05, 0x10000, 0x20000, 0},
	    {0x08, 0x80000000, 0, -1},
	    {0x08, 7, 7, 0},
	    {0x09, 0x80000000, 0, 1},
	    {0x0A, 0x3F800000, 0x40000000, -1}, /* 1 < 2 */
	    {0x0A, 0xBF800000, 0xC0000000, 1},  /* -1 > -2 */
	    {0x0A, 0x80000000, 0, 0},           /* -0 = 0 */
	    {0x0A, 0x80000001, 0, -1},          /* denormal */
	    {0x0A, 0xFF800000, 0xFF7FFFFF, -1}, /* -inf */
	    {0x0A, 0x7F800000, 0x7F800000, 0},  /* inf = inf */
	    {0x0A, 0x7FC00000, 0x7FC00000, 2},  /* NaN */
	    {0x0A, 0, 0xFF800001, 2},
	    {0x0A, 0x7F800001, 0, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		for (int reg = 0; reg < 16; reg += 8) {
			int o = row[i].order;
			bool want[7] = {false,  o == -1, o == -1 || o == 0,
			                o == 0, o != 0,  o == 1 || o == 0,
			                o == 1};

			for (int c = 1; c <= 6; c++)
				assert_int_equal(taken((uint8_t)(c + reg),
				                       row[i].tag, row[i].a,
				                       row[i].b),
				                 want[c]);
		}
}

/* ------------------------------------------------------------------ *
 * Watchdog.                                                          *
 * ------------------------------------------------------------------ */

static void test_watchdog(void **state)
{
	(void)state;
	program();
	noop(SP, 5, 1, 0, 0, 1);
	emit(PE, 0xA1);
	start();
	steps(2);
	assert_int_equal(t->s.wd, 2);
	tpb_step(t); /* PE issues its Halt */
	assert_int_equal(t->s.wd, 0);
	steps(1023);
	assert_int_equal(t->s.wd, 1023);
	assert_int_equal(eng(SP)->state, TPB_RUN_RUN);
	tpb_step(t);
	assert_int_equal(t->s.wd, 0);
	assert_faulted(SP, TPB_FAULT_DEADLOCK);
	assert_int_equal(eng(PE)->state, TPB_RUN_HALTED);
	assert_int_equal(eng(SP)->pc, 0);
	assert_int_equal(eng(SP)->x_valid, 1);
	steps(10);
	assert_int_equal(t->s.wd, 0);
}

/* Steps of a divide are idle; its grant and its retire are not. */
static void test_watchdog_counts_alu_steps(void **state)
{
	(void)state;
	program();
	alu(SP, 0x07, 1, 1, 3);
	start_at_issue();
	tpb_step(t);
	assert_int_equal(t->s.wd, 0);
	assert_int_equal(eng(SP)->alu_cnt, 32);
	steps(32);
	assert_int_equal(t->s.wd, 32);
	assert_int_equal(eng(SP)->alu_cnt, 0);
	assert_int_equal(eng(SP)->phase, TPB_PHASE_ALU);
	tpb_step(t);
	assert_int_equal(t->s.wd, 0);
	assert_int_equal(t->retired, 1 << SP);
}

/* A memory's grant and its answer count as life, the way between does not.
 * Two elements, so that the first answer retires nothing. */
static void test_watchdog_and_memories(void **state)
{
	/* wd after the cycles from 4 on of a load that is granted in 3 */
	static const struct {
		uint64_t addr;
		int cycles, wd[11];
	} row[] = {{SBUF, 6, {0, 1, 0, 0, 1, 0}},
	           {PSUM, 6, {0, 1, 0, 0, 1, 0}},
	           {0, 11, {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0}}};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		program();
		tensor(SP, 0xAA, 8, 2, row[i].addr, 1);
		noop(SP, 5, 1, 0, 0, 1);
		start();
		steps(4);
		assert_int_equal(t->granted, 1 << SP);
		for (int k = 0; k < row[i].cycles; k++) {
			tpb_step(t);
			assert_int_equal(t->s.wd, row[i].wd[k]);
		}
	}
	assert_int_equal(until_retire(SP), 23);
	tpb_step(t);
	assert_int_equal(t->granted | t->retired, 0);
}

/* ------------------------------------------------------------------ *
 * Decode as part of the machine; its rules: test_model_decode.c.     *
 * ------------------------------------------------------------------ */

/* The verdict is taken before any wait and stops the engine for ever. */
static void test_decode_fault(void **state)
{
	(void)state;
	program();
	noop(SP, 5, 1, 0x13, 2, 99);
	prog[SP][0][0x3F] = 1;
	start_at_issue();
	assert_int_equal(eng(SP)->x_fault, TPB_FAULT_RESERVED);
	tpb_step(t);
	assert_faulted(SP, TPB_FAULT_RESERVED);
	assert_int_equal(t->granted, 0);
	steps(20);
	assert_int_equal(eng(SP)->pc, 0);
	assert_int_equal(eng(SP)->fetch_pc, 2);
	assert_int_equal(t->s.sem[2], 0);
	assert_true(tpb_done(t));
}

/* A model may be given other streams before a reset. */
static void test_new_streams(void **state)
{
	static const uint8_t other[2][TPB_BUNDLE] = {{0xA4, 0x10},
	                                             {0xAF, 0x10}};

	(void)state;
	program();
	prog[SP][len[SP]++][0] = 1;
	start();
	until_done();
	assert_faulted(SP, TPB_FAULT_ILLEGAL_OPCODE);
	assert_int_equal(eng(SP)->pc, 0);
	t->cfg.stream[SP] = (struct tpb_stream){other, 2};
	tpb_reset(t);
	until_done();
	assert_faulted(SP, TPB_FAULT_ILLEGAL_OPCODE);
	assert_int_equal(eng(SP)->pc, 1);
}

/* ------------------------------------------------------------------ *
 * Any state at all.                                                  *
 * ------------------------------------------------------------------ */

static uint64_t random_bits(void)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x * 0x2545F4914F6CDD1D;
}

/* Random contents of every field, then a few cycles: the step must neither
 * crash nor touch what is not its own (seen by the sanitizers), and must
 * leave no bit outside a field's width. */
static void test_any_state(void **state)
{
	(void)state;
	program();
	for (int e = 0; e < TPB_ENGINES; e++)
		for (int i = 0; i < 8; i++)
			noop(e, 0, 0, 0x13, (uint8_t)i, 0);
	start();
	for (int round = 0; round < 2000; round++) {
		for (int f = 0; f < state_nfields; f++)
			for (int i = 0; i < state_fields[f].count; i++)
				state_set(&t->s, f, i, random_bits());
		for (int e = 0; e < TPB_ENGINES; e++) {
			uint64_t r = random_bits();

			/* Mostly alive, with a built op: far more paths. */
			if (r & 7)
				eng(e)->state = TPB_RUN_RUN;
			if (r & 8)
				eng(e)->x_fault = 0;
			eng(e)->bundle[0] = 0x10A0 + (r >> 8) % 0x40;
			if (r & 16)
				eng(e)->bundle[1] = 0;
			if (r & 32)
				eng(e)->lsu_base >>= 27 + (r >> 20 & 15);
		}
		for (int i = 0; i < 6; i++) {
			t->dram_ready = random_bits() & 1;
			tpb_step(t);
			assert_true(t->nwrites <= 4);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_reset),
	    cmocka_unit_test(test_first_issue),
	    cmocka_unit_test(test_taken_branch_loses_one),
	    cmocka_unit_test(test_end_of_stream),
	    cmocka_unit_test(test_halt),
	    cmocka_unit_test(test_semaphore_waits),
	    cmocka_unit_test(test_event_waits),
	    cmocka_unit_test(test_two_lanes),
	    cmocka_unit_test(test_post_to_issue),
	    cmocka_unit_test(test_semaphore_updates),
	    cmocka_unit_test(test_event_updates),
	    cmocka_unit_test(test_sticky_order),
	    cmocka_unit_test(test_consume_then_set),
	    cmocka_unit_test(test_order_on_one_edge),
	    cmocka_unit_test(test_group_reset_mask),
	    cmocka_unit_test(test_update_operand),
	    cmocka_unit_test(test_event_claims),
	    cmocka_unit_test(test_event_claims_of_any_op),
	    cmocka_unit_test(test_semaphore_claims),
	    cmocka_unit_test(test_no_claims),
	    cmocka_unit_test(test_barrier),
	    cmocka_unit_test(test_join_with_halted),
	    cmocka_unit_test(test_join_kinds),
	    cmocka_unit_test(test_call_return),
	    cmocka_unit_test(test_return_wipe),
	    cmocka_unit_test(test_stack_faults),
	    cmocka_unit_test(test_moves),
	    cmocka_unit_test(test_branches),
	    cmocka_unit_test(test_watchdog),
	    cmocka_unit_test(test_watchdog_counts_alu_steps),
	    cmocka_unit_test(test_watchdog_and_memories),
	    cmocka_unit_test(test_decode_fault),
	    cmocka_unit_test(test_new_streams),
	    cmocka_unit_test(test_any_state),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	tpb_free(t);
	return failed;
}
