/* SPDX-License-Identifier: Apache-2.0
 *
 * TensorLoad and TensorSave on the model alone: cycles, values, addresses,
 * arbiters and the DRAM port.  Expectations by hand, as in test_model.c.
 *
 * Run alone: test_model_memory
 */
#include "tests/unit/model.h"

/* ------------------------------------------------------------------ *
 * Load and store.                                                    *
 * ------------------------------------------------------------------ */

static uint64_t *sbuf(int partition, uint32_t byte)
{
	return &t->sbuf[tpb_sbuf_word(t, partition, byte)];
}

#define ONCHIP(partition, byte) (SBUF + ((uint64_t)(partition) << 18) + (byte))

/* n elements check for n cycles from 2 on, so the grant is in n + 1. */
static void test_access_cycles(void **state)
{
	static const struct {
		uint8_t op;
		uint64_t addr;
		int first, each; /* retire = grant + first + n * each */
	} row[] = {
	    {0xAA, SBUF + 16, 0, 3}, {0xAA, PSUM + 0x8000, 0, 3},
	    {0xAA, 64, 0, 10},       {0xAB, SBUF + 16, 0, 1},
	    {0xAB, 64, -1, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		for (int n = 1; n <= 32; n += n == 1 ? 2 : 29) {
			program();
			tensor(SP, row[i].op, 8, (uint8_t)n, row[i].addr, 1);
			start();
			assert_int_equal(until_grant(SP), n + 1);
			assert_int_equal(until_retire(SP), n + 1 +
			                                       row[i].first +
			                                       n * row[i].each);
			assert_int_equal(eng(SP)->phase, TPB_PHASE_ISSUE);
			assert_int_equal(eng(SP)->lsu_i0, 0);
		}
}

/* The check runs while the bundle still waits, and not a second time. */
static void test_check_while_waiting(void **state)
{
	(void)state;
	program();
	lane(tensor(SP, 0xAA, 8, 4, SBUF, 1), 4, 6, 0, 0, 0);
	start_at_issue();
	steps(3);
	assert_int_equal(eng(SP)->lsu_i0, 3);
	steps(5);
	assert_int_equal(eng(SP)->lsu_i0, 3);
	assert_int_equal(eng(SP)->phase, TPB_PHASE_ISSUE);
	t->s.evt[0] = 1;
	assert_int_equal(until_grant(SP), 10);
	assert_int_equal(eng(SP)->lsu_i0, 0);
	assert_int_equal(eng(SP)->lsu_base, SBUF);
}

static void test_load_values(void **state)
{
	static const struct {
		uint8_t tag, byte;
		uint32_t lo, hi;
	} row[] = {
	    {0x02, 1, 0xFFFFFF87, 0xFFFFFFFF},
	    {0x02, 6, 0xFFFFFF82, 0xFFFFFFFF},
	    {0x03, 1, 0x87, 0xFFFFFFFF},
	    {0x03, 7, 0x01, 0xFFFFFFFF},
	    {0x04, 2, 0xFFFF8586, 0xFFFFFFFF},
	    {0x04, 6, 0x0182, 0xFFFFFFFF},
	    {0x05, 2, 0x8586, 0xFFFFFFFF},
	    {0x08, 4, 0x01828384, 0xFFFFFFFF},
	    {0x09, 0, 0x85868788, 0xFFFFFFFF},
	    {0x0A, 0, 0x85868788, 0xFFFFFFFF},
	    {0x01, 0, 0x85868788, 0x01828384},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		for (int where = 0; where < 3; where++) {
			uint64_t base = where == 0   ? ONCHIP(77, 24)
			                : where == 1 ? PSUM + 0x8000 * 9 + 24
			                             : 24;

			program();
			tensor(SP, 0xAA, row[i].tag, 1, base + row[i].byte, 10);
			start();
			*sbuf(77, 24) = 0x0182838485868788;
			t->psum[tpb_psum_word(9, 24)] = 0x0182838485868788;
			dram[3] = 0x0182838485868788;
			until_retire(SP);
			assert_int_equal(eng(SP)->rf[10], row[i].lo);
			assert_int_equal(eng(SP)->rf[11], row[i].hi);
			assert_int_equal(t->nwrites, 0);
		}
}

/* Two dimensions, steps in elements, one of them backwards; the register
 * list in order, its last entry a repeat that wins. */
static void test_strides(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	b = tensor(SP, 0xAA, 9, 2, 0, 0);
	b[0x0F] = 2;
	b[0x10] = 20;
	b[0x11] = 21;
	b[0x17] = 0x80;
	put32(b, 0x18, 0xFFFFFFFE); /* -2 */
	put32(b, 0x1C, 4);
	memcpy(b + 0x20, "\x01\x02\x03\x01", 4);
	start_at_issue();
	eng(SP)->rf[20] = 40; /* byte 40: u32 elements 10, 8, 14, 12 */
	eng(SP)->rf[21] = 0;
	for (uint32_t i = 0; i < 16; i++)
		dram[i / 2] |= (uint64_t)(100 + i) << 32 * (i & 1);
	until_retire(SP);
	assert_int_equal(eng(SP)->rf[2], 108);
	assert_int_equal(eng(SP)->rf[3], 114);
	assert_int_equal(eng(SP)->rf[1], 112);
}

static void test_save_onchip(void **state)
{
	(void)state;
	program();
	tensor(SP, 0xAB, 4, 3, ONCHIP(33, 10), 1); /* i16 at 10, 12, 14 */
	start();
	*sbuf(33, 8) = 0x1111111111111111;
	eng(SP)->rf[1] = 0xAAAA2222;
	eng(SP)->rf[2] = 0xAAAA3333;
	eng(SP)->rf[3] = 0xAAAA4444;
	assert_int_equal(until_grant(SP), 4);
	tpb_step(t);
	assert_int_equal(t->nwrites, 1);
	assert_int_equal(t->write[0].addr, ONCHIP(33, 8));
	assert_int_equal(t->write[0].data, 0x22220000);
	assert_int_equal(t->write[0].mask, 0x0C);
	assert_int_equal(*sbuf(33, 8), 0x1111111122221111);
	steps(2);
	assert_int_equal(t->retired, 1 << SP);
	assert_int_equal(*sbuf(33, 8), 0x4444333322221111);
	tpb_step(t);
	assert_int_equal(t->nwrites, 0);
}

/* The array is made of rows: the words of TPB_LANES partitions side by side,
 * the rows of one group of partitions after another. */
static void test_layout(void **state)
{
	(void)state;
	program();
	quit(SP);
	start();
	assert_int_equal(tpb_sbuf_words(t), 128 * PART / 8);
	assert_int_equal(tpb_sbuf_word(t, 33, 15),
	                 (33 / TPB_LANES * PART / 8 + 1) * TPB_LANES +
	                     33 % TPB_LANES);
	assert_int_equal(tpb_psum_words(), 128 * 2048);
	assert_int_equal(tpb_psum_word(127, 0x3FFF), 128 * 2048 - 1);
}

static void test_save_dram(void **state)
{
	(void)state;
	program();
	tensor(SP, 0xAB, 1, 2, 0x10, 2); /* R2:R3 and R4:R5 */
	quit(SP);
	start();
	eng(SP)->rf[2] = 0x22222222;
	eng(SP)->rf[3] = 0x33333333;
	assert_int_equal(until_grant(SP), 3);
	tpb_step(t); /* 4: granted by the port's register */
	assert_int_equal(t->s.dreq_valid, 1);
	assert_int_equal(t->s.dreq_we, 1);
	assert_int_equal(t->s.dreq_addr, 2);
	assert_int_equal(t->s.dreq_mask, 0xFF);
	assert_int_equal(t->s.dreq_data, 0x3333333322222222);
	assert_int_equal(t->nwrites, 0);
	tpb_step(t); /* 5: handed over */
	assert_int_equal(t->s.dreq_valid, 0);
	assert_int_equal(t->nwrites, 1);
	assert_int_equal(t->write[0].addr, 0x10);
	assert_int_equal(dram[2], 0x3333333322222222);
	t->dram_ready = false;
	assert_int_equal(until_retire(SP), 6);
	steps(3); /* Exit in 7, but the write still stands at the port */
	assert_int_equal(eng(SP)->state, TPB_RUN_EXITED);
	assert_false(tpb_done(t));
	t->dram_ready = true;
	tpb_step(t);
	assert_true(tpb_done(t));
	assert_int_equal(dram[3], UINT64_MAX);
}

static void test_dram_read_timing(void **state)
{
	(void)state;
	program();
	tensor(SP, 0xAA, 9, 1, 0x24, 2);
	start();
	dram[4] = 0x0123456700000000;
	assert_int_equal(until_grant(SP), 2);
	tpb_step(t); /* 3 */
	assert_int_equal(t->s.dreq_valid, 1);
	assert_int_equal(t->s.dreq_mask, 0);
	assert_int_equal(t->s.dreq_data, 0);
	t->dram_ready = false;
	steps(5); /* 4 to 8: refused */
	t->dram_ready = true;
	tpb_step(t); /* 9: handed over, the data are those of now */
	dram[4] = 0;
	for (int i = 10; i < 9 + TPB_DRAM_LATENCY; i++) {
		assert_int_equal(t->s.dram_rsp_valid, 0);
		tpb_step(t);
	}
	assert_int_equal(t->s.dram_rsp_valid, 1);
	assert_int_equal(t->s.dram_rsp_id, SP);
	assert_int_equal(until_retire(SP), 9 + TPB_DRAM_LATENCY);
	assert_int_equal(t->s.dram_rsp_valid, 0);
	assert_int_equal(eng(SP)->rf[2], 0x01234567);
}

/* A read behind a write clears the write's data and byte enables. */
static void test_dram_read_after_write(void **state)
{
	(void)state;
	program();
	tensor(SP, 0xAB, 8, 1, 0, 1);
	tensor(SP, 0xAA, 8, 1, 0, 2);
	start();
	eng(SP)->rf[1] = 0xABCD;
	assert_int_equal(until_retire(SP), 3);
	assert_int_equal(t->s.dreq_mask, 0x0F);
	assert_int_equal(t->s.dreq_data, 0xABCD);
	assert_int_equal(until_grant(SP), 4);
	tpb_step(t);
	assert_int_equal(t->s.dreq_valid, 1);
	assert_int_equal(t->s.dreq_we, 0);
	assert_int_equal(t->s.dreq_mask, 0);
	assert_int_equal(t->s.dreq_data, 0);
	until_retire(SP);
	assert_int_equal(eng(SP)->rf[2], 0xABCD);
}

/* A reset forgets the answers on their way and what the last step did. */
static void test_reset_drops_answers(void **state)
{
	(void)state;
	program();
	tensor(SP, 0xAA, 8, 1, 0, 1);
	start();
	steps(3);
	assert_int_equal(t->granted, 1 << SP);
	steps(2); /* handed over in 4 */
	t->cfg.stream[SP].len = 0;
	tpb_reset(t);
	assert_int_equal(t->granted | t->retired, 0);
	assert_int_equal(t->cycle, 0);
	assert_true(tpb_done(t));
	for (int i = 0; i < 2 * TPB_DRAM_LATENCY; i++) {
		tpb_step(t);
		assert_int_equal(t->s.dram_rsp_valid, 0);
	}
}

/* PSUM has a pipeline and an arbiter of its own. */
static void test_psum_pipeline(void **state)
{
	(void)state;
	program();
	tensor(ACT, 0xAA, 8, 1, PSUM + 0x8000 * 45, 1);
	tensor(SP, 0xAA, 8, 1, ONCHIP(3, 0), 1);
	start();
	steps(4); /* both are granted in 3 */
	assert_int_equal(t->s.psum_s1_valid, 1);
	assert_int_equal(t->s.psum_s1_id, ACT);
	assert_int_equal(t->s.psum_s1_lane, 45 % TPB_LANES);
	assert_int_equal(t->s.psum_rr, 2);
	assert_int_equal(t->s.sbuf_s1_id, SP);
	tpb_step(t);
	assert_int_equal(t->s.psum_s1_valid, 0);
	assert_int_equal(t->s.psum_rsp_valid, 1);
	assert_int_equal(t->s.psum_rsp_id, ACT);
	tpb_step(t);
	assert_int_equal(t->retired, 1 << ACT | 1 << SP);
}

/* Three engines ask SBUF in cycle 3; the turn goes on behind the served. */
static void test_arbitration(void **state)
{
	(void)state;
	program();
	for (int e = 0; e < TPB_ENGINES; e++)
		if (e == PE || e == ACT || e == SP)
			tensor(e, 0xAA, 8, 1, ONCHIP(e, 0), 1);
	start();
	t->s.sbuf_rr = 1;
	steps(4);
	assert_int_equal(t->s.sbuf_s1_id, ACT);
	assert_int_equal(t->s.sbuf_s1_lane, 1);
	assert_int_equal(t->s.sbuf_rr, 2);
	tpb_step(t);
	assert_int_equal(t->s.sbuf_s1_id, SP);
	assert_int_equal(t->s.sbuf_rsp_valid, 1);
	assert_int_equal(t->s.sbuf_rsp_id, ACT);
	assert_int_equal(t->s.sbuf_rr, 5); /* the DMA unit's turn */
	tpb_step(t);                       /* 5 */
	assert_int_equal(t->retired, 1 << ACT);
	assert_int_equal(t->s.sbuf_s1_id, PE);
	assert_int_equal(t->s.sbuf_rr, 1);
	tpb_step(t);
	assert_int_equal(t->retired, 1 << SP);
	assert_int_equal(t->s.sbuf_s1_valid, 0);
	assert_int_equal(t->s.sbuf_s1_id, PE); /* keeps */
	tpb_step(t);
	assert_int_equal(t->retired, 1 << PE);
}

static int access_fault(int gen, uint8_t op, uint8_t tag, uint64_t addr,
                        uint32_t step)
{
	uint8_t *b;

	program();
	b = tensor(SP, op, tag, 2, addr, 2);
	lane(b, 4, 0x07, 1, 0x13, 1);
	put32(b, 0x18, step);
	start_gen(gen);
	steps(2);
	t->s.evt[0] = 2;
	assert_int_equal(until_grant(SP), 3);
	assert_int_equal(t->s.evt[0], eng(SP)->fault ? 2 : 0);
	steps(40);
	if (eng(SP)->fault == TPB_FAULT_END_OF_STREAM)
		return 0;
	assert_int_equal(eng(SP)->pc, 0);
	assert_int_equal(t->s.sem[1], 0);
	for (size_t i = 0; i < tpb_sbuf_words(t); i++)
		assert_int_equal(t->sbuf[i], 0);
	for (int i = 0; i < DRAM_WORDS; i++)
		assert_int_equal(dram[i], 0);
	return eng(SP)->fault;
}

static void test_access_faults(void **state)
{
	enum { LOAD = 0xAA, SAVE = 0xAB, ODD = 9, BAD = 10 };
	static const struct {
		int gen;
		uint8_t op, tag;
		uint64_t addr;
		uint32_t step;
		int fault;
	} row[] = {
	    {3, LOAD, 8, 2, 1, ODD},
	    {3, LOAD, 5, 2, 1, 0},
	    {3, LOAD, 5, 3, 1, ODD},
	    {3, LOAD, 1, 4, 1, ODD},
	    {3, LOAD, 3, 3, 1, 0},
	    {3, SAVE, 8, (1ull << 36) - 8, 1, 0},
	    {3, SAVE, 8, (1ull << 36) - 4, (PART + 4) / 4, BAD},
	    {3, SAVE, 8, ONCHIP(0, PART - 8), 1, 0},
	    {3, SAVE, 8, ONCHIP(0, PART - 4), 1, BAD},
	    {3, LOAD, 8, ONCHIP(0, PART), 0, BAD},
	    {3, LOAD, 8, ONCHIP(127, PART - 4), 0, 0},
	    {3, LOAD, 8, ONCHIP(127, PART - 4), 65536, 0}, /* into PSUM */
	    {3, LOAD, 8, PSUM + 0x3FFC, 0, 0},
	    {3, LOAD, 8, PSUM + 0x3FFC, 1, BAD},
	    {3, LOAD, 8, PSUM + 0x3F8000, 0, 0},
	    {3, LOAD, 8, PSUM + 0x400000, 0, BAD},
	    {3, LOAD, 8, SBUF + 0x4000000, 0, BAD},
	    {3, LOAD, 8, 2ull << 36, 0, BAD},
	    {3, LOAD, 8, 0xFFFFFFFFFFFFFC, 0, BAD},
	    {3, LOAD, 8, 0, 0xFFFFFFFF, BAD}, /* -4: wraps */
	    {3, SAVE, 8, PSUM, 0, BAD},
	    {3, SAVE, 8, PSUM + 2, 0, ODD},
	    {2, LOAD, 8, SBUF, 0, 0},
	    {2, SAVE, 8, SBUF, 0, BAD},
	    {2, SAVE, 8, 8, 0, 0},
	    {4, SAVE, 8, SBUF, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		int f = access_fault(row[i].gen, row[i].op, row[i].tag,
		                     row[i].addr, row[i].step);

		if (f != row[i].fault)
			fail_msg("row %zu: fault %d, expected %d", i, f,
			         row[i].fault);
	}
}

/* A faulting access holds its claim for its cycle and consumes nothing. */
static void test_fault_claims(void **state)
{
	(void)state;
	program();
	lane(tensor(PE, 0xAA, 8, 1, 2, 1), 4, 7, 1, 0, 0);
	noop(SP, 7, 1, 0, 0, 0);
	start_at_issue();
	t->s.evt[0] = 2;
	tpb_step(t);
	assert_int_equal(t->granted, 1 << PE);
	assert_faulted(PE, TPB_FAULT_MISALIGNED);
	assert_int_equal(t->s.evt[0], 2);
	tpb_step(t);
	assert_int_equal(t->granted, 1 << SP);
	assert_int_equal(t->s.evt[0], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_access_cycles),
	    cmocka_unit_test(test_check_while_waiting),
	    cmocka_unit_test(test_load_values),
	    cmocka_unit_test(test_strides),
	    cmocka_unit_test(test_save_onchip),
	    cmocka_unit_test(test_layout),
	    cmocka_unit_test(test_save_dram),
	    cmocka_unit_test(test_dram_read_timing),
	    cmocka_unit_test(test_dram_read_after_write),
	    cmocka_unit_test(test_reset_drops_answers),
	    cmocka_unit_test(test_psum_pipeline),
	    cmocka_unit_test(test_arbitration),
	    cmocka_unit_test(test_access_faults),
	    cmocka_unit_test(test_fault_claims),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	tpb_free(t);
	return failed;
}
