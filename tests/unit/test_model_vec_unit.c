/* SPDX-License-Identifier: Apache-2.0
 *
 * The vector units of the model, cycle by cycle: check and its faults,
 * pipeline, ports, flags, updates.
 *
 * Expected cycles and values are worked out by hand from
 * docs/reference/vector.md.  Results of whole bundles: test_model_vec.
 *
 * Run alone: test_model_vec_unit
 */
#include "tests/unit/model.h"

enum { UNIT_POOL, UNIT_DVE };
enum { F32 = 10, I32 = 8, U16 = 5, U8 = 3, BF16 = 6 };

#define PSUM29 0x2000000u

static struct tpb_vec_state *unit(int u)
{
	return &t->s.vec[u];
}

/* A pattern with x dims at +off: count elements, `step` apart. */
static void pattern(uint8_t *b, int off, int x, uint32_t word, int step,
                    int count)
{
	put32(b, off, word);
	b[off + 4] = (uint8_t)step;
	b[off + 5] = (uint8_t)(step >> 8);
	for (int d = 0; d < x; d++)
		b[off + 4 + 2 * (x + d)] = 1;
	b[off + 4 + 2 * x] = (uint8_t)count;
	b[off + 5 + 2 * x] = (uint8_t)(count >> 8);
}

/* out[k] = a[k] op b[k], all of one dtype. */
static uint8_t *tensor_tensor(int e, uint8_t op, uint8_t tag, int n, int count,
                              uint32_t a, uint32_t b, uint32_t out)
{
	uint8_t *p = emit(e, 0x41);

	p[0x0C] = (uint8_t)(tag | tag << 4);
	p[0x0D] = tag;
	p[0x0E] = op;
	p[0x0F] = (uint8_t)n;
	pattern(p, 0x10, 3, a, 1, count);
	pattern(p, 0x20, 3, b, 1, count);
	pattern(p, 0x30, 3, out, 1, count);
	return p;
}

static uint8_t *memset_op(int e, uint8_t tag, int n, int count, uint32_t out,
                          uint32_t word)
{
	uint8_t *p = emit(e, 0x49);

	put32(p, 0x1C, (uint32_t)count);
	p[0x20] = tag;
	p[0x22] = (uint8_t)n;
	put32(p, 0x28, word);
	pattern(p, 0x2C, 4, out, 1, count);
	return p;
}

static uint8_t *copy_op(int e, uint8_t tag, int n, int count, uint32_t in,
                        uint32_t out)
{
	uint8_t *p = emit(e, 0x46);

	p[0x20] = tag;
	p[0x21] = tag;
	p[0x22] = (uint8_t)n;
	pattern(p, 0x0C, 4, in, 1, count);
	pattern(p, 0x2C, 4, out, 1, count);
	return p;
}

static uint32_t word_at(int p, uint32_t byte)
{
	return (uint32_t)(t->sbuf[tpb_sbuf_word(t, p, byte)] >> 8 * (byte & 7));
}

static void set_word(int p, uint32_t byte, uint32_t v)
{
	uint64_t *w = &t->sbuf[tpb_sbuf_word(t, p, byte)];

	*w = (*w & ~(0xFFFFFFFFull << 8 * (byte & 7))) | (uint64_t)v
	                                                     << 8 * (byte & 7);
}

/* ------------------------------------------------------------------ *
 * One bundle.                                                        *
 * ------------------------------------------------------------------ */

/* Two elements, one lane: every cycle from the check to the retire. */
static void test_pipeline(void **state)
{
	const struct tpb_vec_state *v;

	(void)state;
	program();
	tensor_tensor(DVE, 0x04, I32, 1, 2, 0, 64, 128);
	start_at_issue();
	v = unit(UNIT_DVE);
	for (uint32_t k = 0; k < 2; k++) {
		set_word(0, 4 * k, 100 + k);
		set_word(0, 64 + 4 * k, 10 * k);
	}
	steps(3); /* cycles 2, 3, 4: three walks */
	assert_int_equal(v->vchk, 3);
	assert_int_equal(v->vbase[2], 128);
	tpb_step(t); /* 5: scalars, grant */
	assert_int_equal(t->granted, 1 << DVE);
	assert_int_equal(eng(DVE)->phase, TPB_PHASE_VEC);
	assert_int_equal(v->vuop, TPB_VUOP_ELEM);
	assert_int_equal(v->vchk, 0);
	assert_int_equal(v->vb[4], 64);
	tpb_step(t); /* 6: element 0 is issued */
	assert_int_equal(v->vx0_valid, 1);
	assert_int_equal(v->vx0_first, 1);
	assert_int_equal(v->vx0_last, 0);
	assert_int_equal(v->vx0_addr, 128);
	assert_int_equal(v->vk, 1);
	assert_int_equal(v->vb[0], 4);
	assert_int_equal(v->vb[8], 132);
	tpb_step(t); /* 7: its X0, element 1 is issued */
	assert_int_equal(v->vx1_t[0], 100);
	assert_int_equal(v->vx0_off1, 4);
	assert_int_equal(v->vx0_last, 1);
	assert_int_equal(v->vuop, TPB_VUOP_DRAIN);
	assert_int_equal(v->vb[0], 0);
	tpb_step(t); /* 8 */
	assert_int_equal(v->vw_valid, 1);
	assert_int_equal(v->vw_en[0], 1);
	assert_int_equal(v->vw_data[0], 100);
	assert_int_equal(v->vx1_t[0], 111);
	assert_false(t->row[UNIT_DVE].valid);
	tpb_step(t); /* 9: write 0 */
	assert_true(t->row[UNIT_DVE].valid);
	assert_int_equal(t->row[UNIT_DVE].addr, SBUF + 128);
	assert_int_equal(t->row[UNIT_DVE].size, 4);
	assert_int_equal(t->row[UNIT_DVE].data[0], 100);
	assert_int_equal(word_at(0, 128), 100);
	assert_int_equal(t->retired, 0);
	tpb_step(t); /* 10: write 1, retire: 7 + 2 cycles from cycle 2 on */
	assert_int_equal(word_at(0, 132), 111);
	assert_int_equal(t->retired, 1 << DVE);
	assert_int_equal(eng(DVE)->phase, TPB_PHASE_ISSUE);
	assert_int_equal(v->vuop, TPB_VUOP_IDLE);
	tpb_step(t);
	assert_false(t->row[UNIT_DVE].valid);
}

/* An element that reads what the one before it writes waits for the write:
 * issue in cycle t, write in t + 3, so the next is issued in t + 4. */
static void test_hazard(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	b = tensor_tensor(DVE, 0x04, I32, 128, 5, 0, 64, 4);
	pattern(b, 0x20, 3, 64, 0, 5); /* out[k] = out[k - 1] + c */
	start_at_issue();
	for (int p = 0; p < 128; p++) {
		set_word(p, 0, (uint32_t)p);
		set_word(p, 64, 3);
	}
	int passes = (128 + TPB_LANES - 1) / TPB_LANES;

	assert_int_equal(until_retire(DVE), 2 + 3 + passes * (1 + 4 * 4) + 3);
	for (int p = 0; p < 128; p++)
		for (uint32_t k = 0; k <= 5; k++)
			assert_int_equal(word_at(p, 4 * k),
			                 (uint32_t)p + 3 * k);
}

static void test_long_bundle(void **state)
{
	(void)state;
	program();
	memset_op(POOL, I32, 128, 200, 0, 7);
	noop(SP, 0x05, 1, 0, 0, 1); /* waits all the time */
	start();
	int passes = (128 + TPB_LANES - 1) / TPB_LANES;

	for (int i = 0; i < 4000 && !(t->retired >> POOL & 1); i++) {
		tpb_step(t);
		if (eng(POOL)->phase == TPB_PHASE_VEC && t->cycle > 8)
			assert_int_equal(t->s.wd, 0);
	}
	assert_int_equal(t->cycle - 1, 2 + 6 + passes * 200);
}

/* The check goes on while the bundle waits; the update comes with the retire,
 * with its operand as it was at the grant. */
static void test_sync(void **state)
{
	uint8_t *b;

	(void)state;
	program();
	b = memset_op(DVE, I32, 1, 1, 0, 7);
	lane(b, 4, 0x05, 9, 0x95, 8); /* sem 9 >= r40; sem 8 += r40 */
	put32(b, 8, 40);
	b[4] = 0x85;
	start_at_issue();
	eng(DVE)->rf[40] = 3;
	steps(20);
	assert_int_equal(unit(UNIT_DVE)->vchk, 3);
	assert_int_equal(t->granted, 0);
	t->s.sem[9] = 3;
	tpb_step(t);
	assert_int_equal(t->granted, 1 << DVE);
	assert_int_equal(eng(DVE)->upd_val, 3);
	steps(3);
	assert_int_equal(t->s.sem[8], 0);
	tpb_step(t); /* issue, X0, X1, W */
	assert_int_equal(t->retired, 1 << DVE);
	assert_int_equal(t->s.sem[8], 3);
}

/* Only lanes of channels divide; the flags stay. */
static void test_flags(void **state)
{
	(void)state;
	program();
	tensor_tensor(DVE, 0x07, I32, 2, 1, 0, 64, 128);
	tensor_tensor(DVE, 0xC8, I32, 3, 1, 0, 64, 128);
	quit(DVE);
	start();
	set_word(0, 64, 1);
	set_word(1, 64, 1); /* partition 2 has a divisor of 0 */
	set_word(2, 0, 77);
	until_retire(DVE);
	assert_int_equal(eng(DVE)->alu_flags, 0);
	until_retire(DVE);
	assert_int_equal(eng(DVE)->alu_flags, 2);
	assert_int_equal(word_at(2, 128), 77);
	until_done();
	assert_int_equal(eng(DVE)->alu_flags, 2);
}

/* ------------------------------------------------------------------ *
 * Addresses.                                                         *
 * ------------------------------------------------------------------ */

enum { OK = 0, ODD = TPB_FAULT_MISALIGNED, BAD = TPB_FAULT_BAD_ADDR };

static uint32_t at(int partition, uint32_t byte)
{
	return ((uint32_t)partition << 18) + byte;
}

static uint32_t in_psum(int partition, uint32_t byte)
{
	return PSUM29 + ((uint32_t)partition << 15) + byte;
}

/* Fault of a copy; nothing may be written then. */
static int copy_fault(int e, uint8_t tag, int n, int count, int step,
                      uint32_t in, uint32_t out)
{
	uint8_t *b;

	program();
	b = copy_op(e, tag, n, count, in, out);
	put32(b, 0x10, (uint32_t)step & 0xFFFF);
	start();
	eng(e)->rf[5] = at(0, 2);
	eng(e)->rf[6] = at(32, 0) | 1u << 29;
	eng(e)->rf[7] = at(32, 8);
	until_grant(e);
	if (eng(e)->state != TPB_RUN_FAULTED)
		return OK;
	assert_int_equal(t->cycle, 6);
	assert_int_equal(unit(e == DVE)->vbad, 0);
	steps(10);
	assert_int_equal(t->retired, 0);
	for (size_t i = 0; i < tpb_sbuf_words(t); i++)
		assert_int_equal(t->sbuf[i], 0);
	return eng(e)->fault;
}

static void test_address_faults(void **state)
{
	static const struct {
		int fault, e;
		uint8_t tag;
		int n, count, step;
		uint32_t in, out;
	} row[] = {
	    {OK, DVE, F32, 128, 4, 1, 0, 64},
	    {ODD, DVE, F32, 1, 1, 1, 2, 64},
	    {ODD, DVE, F32, 1, 1, 1, 0, 62},
	    {OK, DVE, U16, 1, 1, 1, 2, 62},
	    {ODD, DVE, U16, 1, 1, 1, 3, 62},
	    {ODD, DVE, F32, 1, 1, 1, 2, PART}, /* both: the lower code */
	    {OK, DVE, F32, 1, 1, 1, PART - 4, 0},
	    {BAD, DVE, F32, 1, 1, 1, PART, 0},
	    {OK, DVE, U8, 1, 1, 1, PART - 1, 0},
	    {BAD, DVE, U8, 1, 1, 1, PART, 0},
	    {OK, DVE, F32, 1, 4, 1, PART - 16, 0},
	    {BAD, DVE, F32, 1, 5, 1, PART - 16, 0},
	    {OK, DVE, F32, 1, 5, -1, 16, 0},
	    {BAD, DVE, F32, 1, 6, -1, 16, 0},
	    {BAD, DVE, F32, 1, 2, -32768, 64, 0},
	    {OK, DVE, F32, 32, 1, 1, 0, 96u << 18},
	    {BAD, DVE, F32, 33, 1, 1, 0, 96u << 18},
	    {BAD, DVE, F32, 33, 1, 1, 0, 32u << 18},
	    {OK, DVE, F32, 64, 1, 1, 0, 64u << 18},
	    {BAD, DVE, F32, 65, 1, 1, 0, 64u << 18},
	    {BAD, DVE, F32, 1, 1, 1, 1u << 18, 0},
	    {BAD, DVE, F32, 1, 1, 1, 0x02400000, 0}, /* behind PSUM */
	    {BAD, DVE, F32, 1, 1, 1, 0x04000000, 0},
	    {BAD, DVE, F32, 1, 1, 1, 0x20000000, 0},
	    {BAD, DVE, F32, 1, 1, 1, 0x40000000, 0},
	    {OK, DVE, F32, 32, 1, 1, PSUM29 + (32 << 15) + 16380, 0},
	    {BAD, DVE, F32, 32, 1, 1, PSUM29 + (32 << 15) + 16384, 0},
	    {BAD, DVE, F32, 32, 2, 1, PSUM29 + (32 << 15) + 16380, 0},
	    {OK, DVE, F32, 32, 1, 1, 0, PSUM29 + (96u << 15)},
	    {OK, DVE, U16, 1, 1, 1, PSUM29, 0},
	    {BAD, DVE, U16, 1, 1, 1, 0, PSUM29}, /* not 4 bytes wide */
	    {BAD, POOL, F32, 1, 1, 1, PSUM29, 0},
	    {BAD, POOL, F32, 1, 1, 1, 0, PSUM29},
	    {OK, POOL, F32, 1, 1, 1, 0, 64},
	    {ODD, DVE, F32, 1, 1, 1, 0x80000005, 0},
	    {OK, DVE, U16, 1, 1, 1, 0x80000005, 0},
	    {BAD, DVE, F32, 1, 1, 1, 0x80000006, 0}, /* bit 29 of a register */
	    {OK, DVE, F32, 1, 1, 1, 0x80000007, 0},
	    {BAD, DVE, F32, 1, 1, 1, 0x80000107, 0}, /* bits beside it */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		int fault =
		    copy_fault(row[i].e, row[i].tag, row[i].n, row[i].count,
		               row[i].step, row[i].in, row[i].out);

		if (fault != row[i].fault)
			fail_msg("row %zu: fault %d, expected %d", i, fault,
			         row[i].fault);
	}
}

static int sources_fault(uint32_t a, uint32_t b)
{
	program();
	tensor_tensor(DVE, 0x04, F32, 32, 1, a, b, at(0, 256));
	start();
	until_grant(DVE);
	return eng(DVE)->fault;
}

/* Where two sources may stand to each other. */
static void test_source_faults(void **state)
{
	(void)state;
	assert_int_equal(sources_fault(at(32, 0), at(32, 8)), OK);
	assert_int_equal(sources_fault(at(32, 0), at(64, 8)), BAD);
	assert_int_equal(sources_fault(at(32, 0), in_psum(0, 8)), OK);
	assert_int_equal(sources_fault(in_psum(64, 0), at(32, 8)), OK);
	assert_int_equal(sources_fault(in_psum(0, 0), in_psum(0, 8)), BAD);
}

static int scalar_fault(uint8_t op, uint8_t tag, uint8_t kind, uint32_t word)
{
	uint8_t *b;

	program();
	b = emit(DVE, op);
	b[0x20] = tag;
	b[0x21] = tag;
	b[0x22] = 40;
	b[0x24] = op == 0x43 ? 0x04 : 0x0A;
	b[0x25] = b[0x24];
	b[0x27] = kind;
	put32(b, 0x2C, word);
	pattern(b, 0x10, 3, 0, 1, 2);
	pattern(b, 0x30, 3, 64, 1, 2);
	start();
	eng(DVE)->rf[5] = at(64, 2);
	until_grant(DVE);
	if (eng(DVE)->fault == 0)
		assert_int_equal(unit(UNIT_DVE)->vuop,
		                 kind ? TPB_VUOP_SCAL : TPB_VUOP_ELEM);
	return eng(DVE)->fault;
}

static void test_scalar_faults(void **state)
{
	(void)state;
	assert_int_equal(scalar_fault(0x43, F32, 0, 0xFFFFFFFF), OK);
	assert_int_equal(scalar_fault(0x43, F32, 1, at(64, 4)), OK);
	assert_int_equal(scalar_fault(0x43, BF16, 1, at(64, 2)), ODD);
	assert_int_equal(scalar_fault(0x53, U16, 1, at(64, 2)), OK);
	assert_int_equal(scalar_fault(0x53, U16, 2, 5), OK);
	assert_int_equal(scalar_fault(0x43, F32, 2, 5), ODD);
	assert_int_equal(scalar_fault(0x43, F32, 1, at(32, 0)), BAD);
	assert_int_equal(scalar_fault(0x43, F32, 1, at(0, PART)), BAD);
	assert_int_equal(scalar_fault(0x43, F32, 1, in_psum(64, 0)), OK);
}

/* ------------------------------------------------------------------ *
 * Ports.                                                             *
 * ------------------------------------------------------------------ */

/* Both units read two rows an element: they take turns, POOL first, and the
 * writes fall into different cycles by themselves. */
static void test_reads_take_turns(void **state)
{
	(void)state;
	program();
	tensor_tensor(POOL, 0x04, I32, 32, 20, 0, 128, 256);
	tensor_tensor(DVE, 0x04, I32, 32, 20, 0, 128, 512);
	start();
	if (TPB_LANES < 32)
		skip();
	steps(6);
	assert_int_equal(eng(DVE)->phase, TPB_PHASE_VEC);
	for (int k = 0; k < 20; k++) {
		tpb_step(t);
		assert_int_equal(unit(UNIT_DVE)->vx0_valid, 0);
		assert_int_equal(t->s.sbuf_r_rr, 2);
		tpb_step(t);
		assert_int_equal(unit(UNIT_POOL)->vx0_valid, 0);
		assert_int_equal(t->s.sbuf_r_rr, 0);
	}
	/* issue of the last beat in 6 + 38, its write three cycles later */
	assert_int_equal(until_retire(POOL), 47);
	assert_int_equal(t->s.sbuf_w_rr, 2);
	assert_int_equal(until_retire(DVE), 48);
}

/* Both write an element a cycle: the one that is not granted stalls whole. */
static void test_writes_take_turns(void **state)
{
	struct tpb_vec_state old[TPB_VECS];

	(void)state;
	program();
	memset_op(POOL, I32, 32, 20, 0, 1);
	memset_op(DVE, I32, 32, 20, 512, 2);
	start();
	if (TPB_LANES < 32)
		skip();
	steps(9);
	assert_int_equal(unit(UNIT_POOL)->vw_valid, 1);
	assert_int_equal(unit(UNIT_DVE)->vw_valid, 1);
	for (int k = 0; k < 30; k++) {
		int u = k % 2; /* writes in this cycle */

		memcpy(old, t->s.vec, sizeof(old));
		tpb_step(t);
		assert_int_equal(t->row[u].valid, 1);
		assert_int_equal(t->row[!u].valid, 0);
		assert_int_equal(t->s.sbuf_w_rr, (u + 2) % 3);
		assert_memory_equal(&old[!u], unit(!u), sizeof(old[0]));
	}
	assert_int_equal(until_retire(POOL), 47);
	assert_int_equal(until_retire(DVE), 48);
}

/* A stalled unit with a beat in X0 holds the outputs of the RAMs: nobody
 * reads in that cycle, neither the other unit nor a load.  (POOL reads
 * nothing.) */
static void test_blocked_reads(void **state)
{
	int blocked = 0;

	(void)state;
	program();
	memset_op(POOL, I32, 32, 60, 256, 1);
	copy_op(DVE, I32, 32, 60, 0, 512);
	for (int i = 0; i < 6; i++)
		tensor(SP, 0xAA, 9, 8, SBUF, 1);
	start();
	if (TPB_LANES < 32)
		skip();
	for (int k = 0; k < 200; k++) {
		bool both = unit(0)->vw_valid && unit(1)->vw_valid;
		int loser = t->s.sbuf_w_rr == 2 ? UNIT_POOL : UNIT_DVE;
		bool held = both && unit(loser)->vx0_valid;
		uint32_t vk = unit(UNIT_DVE)->vk;

		tpb_step(t);
		if (!held)
			continue;
		blocked++;
		assert_int_equal(t->s.sbuf_s1_valid, 0);
		assert_int_equal(unit(UNIT_DVE)->vk, vk);
	}
	assert_true(blocked > 5);
}

/* A store that meets a unit's write takes its turn with it. */
static void test_store_and_unit(void **state)
{
	(void)state;
	program();
	memset_op(DVE, I32, 32, 20, 512, 2);
	for (int i = 0; i < 12; i++)
		noop(SP, 0, 0, 0, 0, 0);
	tensor(SP, 0xAB, 9, 4, SBUF, 1);
	start();
	if (TPB_LANES < 32)
		skip();
	for (int i = 0; i < 4; i++)
		eng(SP)->rf[1 + i] = 5;
	while (eng(SP)->phase != TPB_PHASE_REQ)
		tpb_step(t);
	assert_int_equal(unit(UNIT_DVE)->vw_valid, 1);
	assert_int_equal(t->s.sbuf_w_rr, 0); /* DVE was the last to write */
	for (int k = 0; k < 4; k++) {
		tpb_step(t);
		assert_int_equal(t->nwrites, 1);
		assert_false(t->row[UNIT_DVE].valid);
		assert_int_equal(t->s.sbuf_w_rr, 1);
		tpb_step(t);
		assert_int_equal(t->nwrites, 0);
		assert_true(t->row[UNIT_DVE].valid);
	}
	assert_int_equal(until_retire(DVE), 2 + 6 + 20 + 4);
}

/* A unit without rivals turns the pointers all the same. */
static void test_alone(void **state)
{
	(void)state;
	program();
	copy_op(POOL, I32, 1, 1, 0, 256);
	noop(DVE, 0x05, 1, 0, 0, 1);
	start();
	until_retire(POOL);
	assert_int_equal(t->s.sbuf_r_rr, 2);
	assert_int_equal(t->s.sbuf_w_rr, 2);
	program();
	copy_op(DVE, I32, 1, 1, in_psum(0, 0), in_psum(0, 256));
	start();
	t->s.psum_r_rr = 1;
	t->s.psum_w_rr = 1;
	until_retire(DVE);
	assert_int_equal(t->s.psum_r_rr, 0);
	assert_int_equal(t->s.psum_w_rr, 0);
	assert_int_equal(t->s.sbuf_r_rr, 0);
	assert_int_equal(t->s.sbuf_w_rr, 0);
}

/* A beat that needs both memories and gets one waits, and stays the first in
 * the memory that would have served it. */
static void test_half_served(void **state)
{
	(void)state;
	program();
	tensor_tensor(DVE, 0x04, I32, 32, 8, 0, in_psum(0, 0), 256);
	for (int i = 0; i < 3; i++)
		noop(SP, 0, 0, 0, 0, 0);
	tensor(SP, 0xAA, 9, 1, PSUM, 1);
	start();
	steps(6); /* both ask in cycle 6 */
	assert_int_equal(eng(DVE)->phase, TPB_PHASE_VEC);
	assert_int_equal(eng(SP)->phase, TPB_PHASE_REQ);
	tpb_step(t);
	assert_int_equal(t->s.psum_s1_valid, 1);
	assert_int_equal(t->s.psum_r_rr, 1);
	assert_int_equal(unit(UNIT_DVE)->vx0_valid, 0);
	assert_int_equal(t->s.sbuf_r_rr, 2);
	tpb_step(t);
	assert_int_equal(unit(UNIT_DVE)->vx0_valid, 1);
	assert_int_equal(t->s.psum_r_rr, 0);
	assert_int_equal(t->s.sbuf_r_rr, 0);
}

/* Fields of any value may come from a planted fault; the model must survive
 * the step that follows. */
static void test_plants(void **state)
{
	uint64_t seed = 12345;

	(void)state;
	program();
	tensor_tensor(DVE, 0x04, I32, 100, 20, 0, 128, 256);
	copy_op(POOL, U16, 128, 60, 0, 512);
	jump(DVE, 0);
	jump(POOL, 0);
	for (int k = 0; k < 3000; k++) {
		if (k % 50 == 0)
			start();
		steps(1 + k % 7);
		for (int i = 0; i < 3; i++) {
			seed = seed * 6364136223846793005ull + 1;
			int f = (int)((seed >> 33) % (uint64_t)state_nfields);
			const struct state_field *d = &state_fields[f];

			state_set(&t->s, f,
			          (int)((seed >> 20) % (uint64_t)d->count),
			          seed >> 7);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pipeline),
	    cmocka_unit_test(test_hazard),
	    cmocka_unit_test(test_long_bundle),
	    cmocka_unit_test(test_sync),
	    cmocka_unit_test(test_flags),
	    cmocka_unit_test(test_address_faults),
	    cmocka_unit_test(test_source_faults),
	    cmocka_unit_test(test_scalar_faults),
	    cmocka_unit_test(test_reads_take_turns),
	    cmocka_unit_test(test_writes_take_turns),
	    cmocka_unit_test(test_blocked_reads),
	    cmocka_unit_test(test_store_and_unit),
	    cmocka_unit_test(test_alone),
	    cmocka_unit_test(test_half_served),
	    cmocka_unit_test(test_plants),
	};
	int failed =
	    cmocka_run_group_tests_name("model_vec_unit", tests, NULL, NULL);

	tpb_free(t);
	return failed;
}
