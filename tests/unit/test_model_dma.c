/* SPDX-License-Identifier: Apache-2.0
 *
 * The DMA unit of the model: queues, the bundles that drive them, cycles.
 *
 * Cycle numbers and the order of events were worked out from
 * docs/reference/dma.md by hand.  What is moved: test_model_mover.
 *
 * Run alone: test_model_dma
 */
#include "tests/unit/dma.h"

#define TRIGGER_ADD 0x15 /* update mode: add, completion phase */

static int until_state(uint8_t state)
{
	for (int i = 0; i < 3000; i++) {
		if (t->s.dm_state == state)
			return (int)t->cycle;
		tpb_step(t);
	}
	fail_msg("the mover never is in state %d", state);
	return -1;
}

/* ------------------------------------------------------------------ *
 * Cycles.                                                            *
 * ------------------------------------------------------------------ */

/* One word copied, with two posts and a waiter, up to the look-up. */
static void one_word(void)
{
	begin();
	queue(SP);
	instance();
	block(TRIGGER_ADD, 5, 7);
	copy(ONCHIP(3, 8), ONCHIP(4, 16), 8, 4, 2);
	lane(trigger(SP, 0, 1), 4, 0, 0, 0x13, 9);
	noop(SP, 0x05, 5, 0, 0, 1);
	quit(SP);
	start_dma();
	t->s.q_inst[0] = 9; /* from before the reset */
	t->sbuf[tpb_sbuf_word(t, 3, 8)] = 0x1122334455667788;
}

/* One run of one word, and its posts. */
static void word_moves(const struct tpb_state *s)
{
	tpb_step(t); /* 14: the read is granted */
	assert_int_equal(s->sbuf_s1_id, 5);
	assert_int_equal(s->sbuf_rr, 0);
	assert_int_equal(s->sbuf_r_rr, 1);
	assert_int_equal(s->dm_room, 56);
	assert_int_equal(s->dm_rqn, 1);
	steps(2); /* 16: the answer */
	assert_int_equal(s->dm_cnt, 8);
	assert_int_equal(s->dm_rqn, 0);
	assert_int_equal(s->dm_fifo[0], 0x55667788);
	assert_int_equal(t->nwrites, 0);
	tpb_step(t); /* 17: the write */
	assert_int_equal(t->nwrites, 1);
	assert_int_equal(t->write[0].addr, ONCHIP(4, 16));
	assert_int_equal(t->write[0].data, 0x1122334455667788);
	assert_int_equal(s->sbuf_w_rr, 1);
	assert_int_equal(s->dm_state, TPB_MOVER_POST);
	assert_int_equal(s->sem[4], 0);
	tpb_step(t);
	assert_int_equal(s->sem[4], 2);
	assert_int_equal(s->sem[5], 0);
	assert_int_equal(s->q_busy[0], 1);
	tpb_step(t); /* 19: the block is done */
	assert_int_equal(s->sem[5], 7);
	assert_int_equal(s->q_busy[0], 0);
	assert_int_equal(s->dm_state, TPB_MOVER_IDLE);
	assert_int_equal(s->dm_rr, 1);
	assert_int_equal(s->wd, 0);
}

/* Look-up, push, block, descriptor, one run: each step in its cycle. */
static void test_cycles(void **state)
{
	const struct tpb_state *s;

	(void)state;
	one_word();
	s = &t->s;
	steps(3); /* 2: the look-up asks */
	assert_int_equal(s->wd, 0);
	assert_int_equal(s->dl_state, 1);
	assert_int_equal(s->dl_q, 0);
	tpb_step(t);
	assert_int_equal(s->dl_state, 2);
	assert_int_equal(s->q_owner[0], SP);
	assert_int_equal(s->q_ninst[0], 1);
	steps(2);
	assert_int_equal(s->wd, 0);
	assert_int_equal(s->dl_state, 0);
	assert_int_equal(s->q_known[0], 1);
	assert_int_equal(s->q_inst[0], 0);
	assert_int_equal(s->q_blocks[0], 1);
	assert_int_equal(until_grant(SP), 6);
	assert_int_equal(eng(SP)->phase, TPB_PHASE_DMA);
	assert_int_equal(eng(SP)->dq_left, 1);
	assert_int_equal(s->q_busy[0], 0);
	assert_int_equal(until_retire(SP), 7);
	assert_int_equal(s->q_busy[0], 1);
	assert_int_equal(s->sem[9], 1);
	assert_int_equal(until_state(TPB_MOVER_BLOCK), 9);
	assert_int_equal(s->wd, 0);
	assert_int_equal(until_state(TPB_MOVER_FETCH), 10);
	assert_int_equal(until_state(TPB_MOVER_DESC), 11);
	assert_int_equal(until_state(TPB_MOVER_CHECK), 12);
	assert_int_equal(until_state(TPB_MOVER_MOVE), 14);
	assert_int_equal(s->wd, 0);
	word_moves(s);
	assert_int_equal(until_retire(SP), 20); /* the waiter */
	assert_int_equal(until_quiet(), 22);
}

/* Two engines need the look-up at once; then nobody does. */
static void test_lookup_order(void **state)
{
	(void)state;
	begin();
	queue(SP);
	instance();
	block(0x13, 1, 0);
	queue(ACT);
	instance();
	block(0x13, 2, 0);
	trigger(ACT, 1, 1);
	trigger(ACT, 1, 1);
	trigger(SP, 0, 1);
	quit(ACT);
	quit(SP);
	start_dma();
	assert_int_equal(until_grant(ACT), 6);
	assert_int_equal(until_grant(ACT), 8);
	assert_int_equal(t->granted, 1 << ACT);
	/* 6 to 9 for queue 0, but the mover has the port in 8. */
	assert_int_equal(until_grant(SP), 11);
	until_quiet();
	assert_int_equal(t->s.sem[1], 1);
	assert_int_equal(t->s.sem[2], 2);
}

/* ------------------------------------------------------------------ *
 * Queues.                                                            *
 * ------------------------------------------------------------------ */

/* Descriptors of queues with work take turns; within a queue, and from block
 * to block, they keep their order. */
static void test_two_queues(void **state)
{
	char order[16];
	int n = 0;

	(void)state;
	begin();
	for (unsigned q = 0; q < 2; q++) {
		queue(q == 0 ? ACT : SP);
		instance();
		for (unsigned b = 0; b < 2; b++) {
			block(0x13, (uint8_t)(10 + q), 0);
			for (unsigned d = 0; d < 2; d++)
				copy(q * 64 + b * 16 + d * 8,
				     ONCHIP(q, b * 16 + d * 8), 8,
				     (uint8_t)(1 + 4 * q + 2 * b + d), 1);
		}
	}
	trigger(ACT, 0, 2);
	trigger(SP, 1, 2);
	quit(ACT);
	quit(SP);
	start_dma();
	for (int i = 0; i < 128; i++)
		port_dram[i] = (uint8_t)i;
	while (!tpb_done(t)) {
		uint8_t was = t->s.dm_state;
		uint32_t sem[8];

		memcpy(sem, t->s.sem + 1, sizeof(sem));
		tpb_step(t);
		for (int i = 0; i < 8; i++)
			if (t->s.sem[1 + i] != sem[i]) {
				assert_int_equal(was, TPB_MOVER_POST);
				order[n++] = (char)('0' + i);
			}
		assert_true(t->cycle < 3000);
	}
	order[n] = 0;
	assert_string_equal(order, "04152637");
	assert_int_equal(t->s.sem[10], 2);
	assert_int_equal(t->s.sem[11], 2);
	for (int q = 0; q < 2; q++)
		for (int i = 0; i < 4; i++)
			assert_int_equal(
			    t->sbuf[tpb_sbuf_word(t, q, (uint32_t)i * 8)],
			    plain_word(port_dram + q * 64 + i * 8));
}

/* More blocks than the queue holds: the trigger stays until all are pushed,
 * and block k is k modulo the blocks of the instance. */
static void test_long_trigger(void **state)
{
	int most = 0, pushes = 0;

	(void)state;
	begin();
	queue(SP);
	instance();
	for (int b = 0; b < 3; b++) {
		block(0x13, (uint8_t)b, 0);
		copy(0, ONCHIP(0, 0), 8, 9, 1);
	}
	lane(trigger(SP, 0, 40), 4, 0, 0, 0x13, 20);
	trigger(SP, 0, 1);
	quit(SP);
	start_dma();
	while (!tpb_done(t)) {
		int busy = t->s.q_busy[0];

		tpb_step(t);
		pushes += t->s.q_busy[0] > busy;
		if (t->s.q_busy[0] > most)
			most = t->s.q_busy[0];
		if (t->retired && t->s.sem[20] == 1 && pushes == 40)
			assert_true(t->s.sem[9] >= 24);
		assert_true(t->s.sem[20] == 0 || pushes >= 40);
		assert_true(t->cycle < 6000);
	}
	assert_int_equal(most, 16);
	assert_int_equal(t->s.sem[9], 41);
	assert_int_equal(t->s.sem[0], 14);
	assert_int_equal(t->s.sem[1], 14);
	assert_int_equal(t->s.sem[2], 13);
	assert_int_equal(t->s.q_cursor[0], 2);
	assert_int_equal(t->s.q_oldest[0], 2);
}

/* A push and a finished block in one cycle leave the count as it is. */
static void test_push_with_done(void **state)
{
	(void)state;
	begin();
	queue(SP);
	instance();
	block(0x13, 1, 0);
	trigger(SP, 0, 1);
	trigger(SP, 0, 20);
	quit(SP);
	start_dma();
	while (!(t->s.dm_state == TPB_MOVER_DONE &&
	         eng(SP)->phase == TPB_PHASE_DMA)) {
		tpb_step(t);
		assert_true(t->cycle < 100);
	}
	int busy = t->s.q_busy[0];

	tpb_step(t);
	assert_int_equal(t->s.q_busy[0], busy);
	until_quiet();
	assert_int_equal(t->s.sem[1], 21);
	/* At 16 there is no push even beside a finished block. */
	start_dma();
	until_grant(SP);
	steps(4);
	t->s.dm_state = TPB_MOVER_DONE;
	t->s.dm_q = 0;
	t->s.q_busy[0] = 16;
	eng(SP)->phase = TPB_PHASE_DMA;
	eng(SP)->dq_left = 2;
	tpb_step(t);
	assert_int_equal(t->s.q_busy[0], 15);
	assert_int_equal(eng(SP)->dq_left, 2);
}

static void test_empty_triggers(void **state)
{
	(void)state;
	begin();
	queue(SP);
	instance(); /* without blocks */
	lane(trigger(SP, 0, 0), 4, 0, 0, 0x13, 1);
	mov(SP, 1, 1);
	lane(trigger(SP, 0, 5), 4, 0, 0, 0x13, 1);
	quit(SP);
	start_dma();
	assert_int_equal(until_retire(SP), 6);
	assert_int_equal(t->s.core_flags, 0);
	assert_int_equal(t->s.sem[1], 1);
	assert_int_equal(until_retire(SP), 7);
	assert_int_equal(until_retire(SP), 8);
	assert_int_equal(t->s.core_flags, 4);
	assert_int_equal(t->s.sem[1], 2);
	assert_int_equal(t->s.q_busy[0], 0);
	until_quiet();
	assert_int_equal(eng(SP)->state, TPB_RUN_EXITED);
}

/* Two instances of four and two blocks; block b of instance i adds 1 to
 * semaphore 10 i + b.  Then one trigger, a switch, one more trigger. */
static void switched(uint8_t to, uint8_t no_rearm, uint32_t first,
                     const char *expected)
{
	char seen[8];
	int n = 0;
	uint8_t *b;

	begin();
	queue(PE); /* another one before, so that numbers differ */
	instance();
	block(0, 0, 0);
	b = queue(SP);
	b[0x20 + 100 / 8] = 1 << (100 & 7);
	b[0x40 + 255 / 8] = 1 << (255 & 7);
	for (int i = 0; i < 2; i++) {
		instance();
		for (int k = 0; k < (i ? 2 : 4); k++)
			block(0x13, (uint8_t)(10 * i + k), 0);
	}
	trigger(SP, 1, first);
	lane(switch_to(SP, 1, to, no_rearm), 4, 0, 0, 0x13, 100);
	trigger(SP, 1, 1);
	quit(SP);
	start_dma();
	t->s.sem[99] = t->s.sem[100] = t->s.sem[101] = 5;
	t->s.sem[254] = t->s.sem[255] = 5;
	while (!tpb_done(t)) {
		uint32_t sem[20];

		memcpy(sem, t->s.sem, sizeof(sem));
		tpb_step(t);
		for (int i = 0; i < 20; i++)
			if (t->s.sem[i] != sem[i])
				seen[n++] = (char)('a' + i);
		assert_true(t->cycle < 1000 && n < 8);
	}
	seen[n] = 0;
	assert_string_equal(seen, expected);
	assert_int_equal(t->s.q_inst[1], to);
	assert_int_equal(t->s.sem[99], 5);
	assert_int_equal(t->s.sem[100], 1); /* cleared, then the update */
	assert_int_equal(t->s.sem[101], 5);
	assert_int_equal(t->s.sem[254], 5);
	assert_int_equal(t->s.sem[255], 0);
}

static void test_switch(void **state)
{
	(void)state;
	switched(1, 0, 1, "ak");  /* begins anew */
	switched(1, 1, 1, "al");  /* goes on at block 1 */
	switched(1, 1, 2, "abk"); /* which the instance does not have */
	switched(0, 0, 3, "abca");
	switched(0, 1, 3, "abcd");
}

/* The four cycles of a switch of a known, idle queue. */
static void test_switch_cycles(void **state)
{
	int granted;

	(void)state;
	one_block(SP);
	trigger(SP, 0, 0);
	switch_to(SP, 0, 0, 0);
	quit(SP);
	start_dma();
	until_retire(SP);
	granted = until_grant(SP);
	assert_int_equal(granted, 7);
	assert_int_equal(eng(SP)->dq_step, 0);
	for (int i = 1; i < 4; i++) {
		tpb_step(t);
		assert_int_equal(eng(SP)->dq_step, i);
	}
	assert_int_equal(until_retire(SP), granted + 4);
	assert_int_equal(eng(SP)->dq_step, 0);
	assert_int_equal(eng(SP)->phase, TPB_PHASE_ISSUE);
}

/* Reset waits until the queue is idle and begins at block 0 again. */
static void test_reset_queue(void **state)
{
	(void)state;
	begin();
	queue(SP);
	instance();
	for (int b = 0; b < 4; b++) {
		block(0x13, (uint8_t)b, 0);
		copy(0, ONCHIP(0, 0), 64, 0, 0);
	}
	trigger(SP, 0, 2);
	queue_op(SP, 0xC2, 0, 0xFF);
	trigger(SP, 0, 1);
	quit(SP);
	start_dma();
	until_retire(SP);
	assert_true(t->s.q_busy[0] > 0);
	until_grant(SP);
	assert_int_equal(t->retired, 1 << SP);
	assert_int_equal(t->s.sem[1], 1);
	assert_int_equal(t->s.q_cursor[0], 0);
	until_quiet();
	assert_int_equal(t->s.sem[0], 2);
	assert_int_equal(t->s.sem[1], 1);
	assert_int_equal(t->s.sem[2], 0);
}

/* Queue and instance numbers, owners. */
static void test_queue_faults(void **state)
{
	static const struct {
		uint8_t op, q, i;
		int fault;
	} row[] = {
	    {0xC1, 0, 0, 0},     {0xC1, 0, 0xFF, 0},   {0xC1, 0, 1, 13},
	    {0xC1, 0, 2, 13},    {0xC1, 0, 254, 13},   {0xC1, 1, 0xFF, 13},
	    {0xC1, 2, 0xFF, 13}, {0xC1, 16, 0xFF, 13}, {0xC1, 255, 0, 13},
	    {0xC2, 0, 0, 0},     {0xC2, 0, 0xFF, 0},   {0xC2, 0, 1, 13},
	    {0xC2, 1, 0, 13},    {0xC2, 2, 0, 13},     {0xCF, 0, 0, 0},
	    {0xCF, 0, 1, 0},     {0xCF, 0, 2, 13},     {0xCF, 0, 0xFF, 13},
	    {0xCF, 1, 0, 13},    {0xCF, 77, 0, 13},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		uint8_t *b;

		begin();
		for (int q = 0; q < 2; q++) {
			queue(q ? ACT : SP);
			instance();
			block(0, 0, 0);
			instance();
			block(0, 0, 0);
		}
		b = row[i].op == 0xCF
		        ? switch_to(SP, row[i].q, row[i].i, 0)
		        : queue_op(SP, row[i].op, row[i].q, row[i].i);
		if (row[i].op == 0xC1)
			put32(b, 0x30, 1);
		lane(b, 4, 0, 0, 0x13, 3);
		quit(SP);
		start_dma();
		until_quiet();
		if (row[i].fault)
			assert_faulted(SP, TPB_FAULT_DMA_QUEUE);
		else
			assert_int_equal(eng(SP)->state, TPB_RUN_EXITED);
		assert_int_equal(t->s.sem[3], row[i].fault ? 0 : 1);
	}
}

/* An index past the end of an array gives zeros: blocks without descriptors,
 * instances without blocks.  More queues than the unit has are none of its. */
static void test_past_the_end(void **state)
{
	(void)state;
	begin();
	queue(SP);
	instance();
	for (int b = 0; b < 3; b++)
		block(0x13, 1, 0);
	trigger(SP, 0, 3);
	trigger(SP, 16, 1);
	dma.nblocks = 1;
	dma.nqueues = 20;
	start_dma();
	until_quiet();
	assert_int_equal(t->s.sem[1], 1);
	assert_int_equal(t->s.q_busy[0], 0);
	assert_faulted(SP, TPB_FAULT_DMA_QUEUE);
	dma.ninstances = 0;
	start_dma();
	until_retire(SP);
	assert_int_equal(t->s.core_flags, 4);
	dma.ninstances = 1;
	dma.nqueues = 0;
	start_dma();
	assert_int_equal(until_grant(SP), 2);
	assert_faulted(SP, TPB_FAULT_DMA_QUEUE);
}

/* A descriptor past the end is not one. */
static void test_no_descriptor(void **state)
{
	(void)state;
	one_block(SP);
	copy(0, ONCHIP(0, 0), 8, 0, 0);
	trigger(SP, 0, 1);
	dma.ndescriptors = 0;
	start_dma();
	until_retire(SP);
	steps(20);
	assert_int_equal(t->s.q_stop[0], 1);
	assert_int_equal(t->s.dma_fault_desc, 0);
}

/* A queue bundle that faults does not wait for the queue to be idle. */
static void test_fault_does_not_wait(void **state)
{
	(void)state;
	one_block(SP);
	copy(0, ONCHIP(0, 0), 4096, 0, 0);
	trigger(SP, 0, 1);
	queue_op(SP, 0xC2, 0, 7);
	start_dma();
	until_retire(SP);
	tpb_step(t);
	assert_faulted(SP, TPB_FAULT_DMA_QUEUE);
	assert_int_equal(t->s.q_busy[0], 1);
	assert_false(tpb_done(t)); /* the transfer goes on by itself */
	until_quiet();
	assert_int_equal(t->s.q_busy[0], 0);
}

/* ------------------------------------------------------------------ *
 * Completion and drain.                                              *
 * ------------------------------------------------------------------ */

/* The increment comes when the last byte is there, the block's update later;
 * both after what an engine updates in the same cycle. */
static void test_completion(void **state)
{
	bool counted = false;

	(void)state;
	begin();
	queue(SP);
	instance();
	block(0x01, 33, 0); /* sets event 33 */
	copy(3, ONCHIP(7, 5), 100, 6, 200);
	trigger(SP, 0, 1);
	quit(SP);
	start_dma();
	memset(port_dram, 0xA5, 256);
	while (!tpb_done(t)) {
		tpb_step(t);
		if (t->s.sem[6] != 0 && !counted) {
			counted = true;
			assert_int_equal(t->s.sem[6], 200);
			assert_int_equal(t->s.evt[1], 0);
			assert_int_equal(t->sbuf[tpb_sbuf_word(t, 7, 96)],
			                 0xA5A5A5A5A5A5A5A5);
			assert_int_equal(t->sbuf[tpb_sbuf_word(t, 7, 104)],
			                 0xA5);
		}
	}
	assert_true(counted);
	assert_int_equal(t->s.evt[1], 2);
	assert_int_equal(t->s.core_flags, 0);
}

static void test_post_comes_last(void **state)
{
	(void)state;
	one_block(SP);
	noop(PE, 0, 0, 0x19, 5, 3);
	noop(SP, 0, 0, 0x15, 5, 2);
	start_dma();
	steps(2);
	t->s.sem[5] = 7;
	t->s.dm_state = TPB_MOVER_DONE;
	t->s.dm_mode = 0x13;
	t->s.dm_id = 5;
	t->s.q_busy[0] = 1;
	tpb_step(t);
	assert_int_equal(t->s.sem[5], 6);
}

/* Which bundles wait for the queues of their own engine. */
static void test_drain(void **state)
{
	static const struct {
		uint8_t op, at, value;
		bool waits;
	} row[] = {{0xA1, 0, 0xA1, true},  {0xA2, 0x28, 1, true},
	           {0xA2, 0x28, 0, false}, {0xD5, 0, 0xD5, true},
	           {0xD8, 0, 0xD8, true},  {0xDF, 0x0C, 1, true},
	           {0xD2, 0x0C, 1, true},  {0xD2, 0x0C, 0, true},
	           {0xDE, 0, 0xDE, false}, {0xA4, 0, 0xA4, false}};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		one_block(SP);
		copy(0, ONCHIP(0, 0), 512, 0, 0);
		trigger(SP, 0, 1);
		emit(SP, row[i].op)[row[i].at] = row[i].value;
		start_dma();
		until_retire(SP);
		eng(SP)->depth = 1;
		until_grant(SP);
		assert_int_equal(t->s.q_busy[0], row[i].waits ? 0 : 1);
		if (row[i].op != 0xD2)
			continue;
		start_dma();
		until_retire(SP);
		assert_int_equal(until_grant(SP), 8); /* to fault */
		assert_faulted(SP, TPB_FAULT_STACK_UNDERFLOW);
	}
	/* Another engine's queue does not matter. */
	one_block(SP);
	copy(0, ONCHIP(0, 0), 512, 0, 0);
	trigger(SP, 0, 1);
	noop(PE, 0x05, 1, 0, 0, 1);
	emit(PE, 0xA1);
	start_dma();
	until_retire(SP);
	t->s.sem[1] = 1;
	until_grant(PE);
	until_grant(PE);
	assert_int_equal(t->s.q_busy[0], 1);
}

/* A transfer longer than the watchdog's limit is no deadlock. */
static void test_watchdog(void **state)
{
	(void)state;
	one_block(SP);
	copy(0, 0x20000, 32768, 1, 1);
	trigger(SP, 0, 1);
	noop(SP, 0x05, 1, 0, 0, 1);
	quit(SP);
	start_dma();
	until_quiet();
	assert_true(t->cycle > 4 * TPB_WATCHDOG_LIMIT);
	assert_int_equal(eng(SP)->state, TPB_RUN_EXITED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cycles),
	    cmocka_unit_test(test_lookup_order),
	    cmocka_unit_test(test_two_queues),
	    cmocka_unit_test(test_long_trigger),
	    cmocka_unit_test(test_push_with_done),
	    cmocka_unit_test(test_empty_triggers),
	    cmocka_unit_test(test_switch),
	    cmocka_unit_test(test_switch_cycles),
	    cmocka_unit_test(test_reset_queue),
	    cmocka_unit_test(test_queue_faults),
	    cmocka_unit_test(test_past_the_end),
	    cmocka_unit_test(test_no_descriptor),
	    cmocka_unit_test(test_fault_does_not_wait),
	    cmocka_unit_test(test_completion),
	    cmocka_unit_test(test_post_comes_last),
	    cmocka_unit_test(test_drain),
	    cmocka_unit_test(test_watchdog),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	tpb_free(t);
	return failed;
}
