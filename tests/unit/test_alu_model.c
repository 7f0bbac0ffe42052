/* SPDX-License-Identifier: Apache-2.0
 *
 * The model's ALU against a third statement of the same text.
 *
 * The statement below is made of the plain meaning of each op on whole
 * numbers, in 128-bit arithmetic, and shares nothing with cmodel/alu.c.
 * Both ways through the model are held against it: tpb_alu() for values and
 * flags, and RegisterAlu bundles stepped through the machine, whose
 * multi-cycle ops arrive at their results bit by bit.  For those the number
 * of cycles is checked as well, from docs/reference/timing.md.
 *
 * Run alone: test_alu_model.  TPB_ALU_PAIRS=n sets the random pairs of an
 * op (default 100000).
 */
#include "cmodel/tpb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SPECIALS 200

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

static const uint8_t ops[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06,
                              0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D,
                              0x0E, 0x0F, 0x10, 0x11, 0x12, 0x13, 0x14,
                              0x15, 0x16, 0x18, 0x19, 0x1A, 0x1B, 0x1D};

/* An interpretation of operands, and the dtype bytes that select it. */
static const struct kind {
	int w;
	bool is_signed;
	int ntags; /* 0: no bundle can say it */
	uint8_t tag[3];
} kinds[] = {
    {32, true, 3, {0x00, 0x08, 0x0C}},
    {32, false, 2, {0x09, 0x01}},
    {64, false, 1, {0x01}},
    {64, true, 0, {0}},
};

/* ------------------------------------------------------------------ *
 * The third statement.                                               *
 * ------------------------------------------------------------------ */

static wide modulus(int w)
{
	return (wide)1 << w;
}

/* The bits as a number. */
static wide number(uint64_t bits, bool is_signed, int w)
{
	wide v = (wide)bits;

	if (is_signed && v >= modulus(w) / 2)
		v -= modulus(w);
	return v;
}

static uint64_t wrap(wide v, int w)
{
	wide r = v % modulus(w);

	return (uint64_t)(r < 0 ? r + modulus(w) : r);
}

static wide two_to(unsigned n)
{
	wide v = 1;

	while (n-- > 0)
		v *= 2;
	return v;
}

/* Largest whole number not above v / 2^n. */
static wide floor_shift(wide v, unsigned n)
{
	wide d = two_to(n), q = v / d;

	return q * d > v ? q - 1 : q;
}

/* Product of b copies of a modulo 2^w, from the top bit of b down. */
static uint64_t power(uint64_t a, uint64_t b, int w)
{
	uwide r = 1;

	for (int i = 63; i >= 0; i--) {
		r = r * r % (uwide)modulus(w);
		if (b >> i & 1)
			r = r * a % (uwide)modulus(w);
	}
	return (uint64_t)r;
}

static wide negative_power(wide a, wide b)
{
	if (a == 1)
		return 1;
	if (a == -1)
		return b % 2 == 0 ? 1 : -1;
	return 0;
}

/* Largest r with r * r * a <= 1. */
static wide inverse_root(wide a)
{
	wide r = 0;

	while ((r + 1) * (r + 1) * a <= 1)
		r++;
	return r;
}

static uint64_t bitwise(uint8_t op, uint64_t a, uint64_t b)
{
	uint64_t r = 0;

	for (int i = 0; i < 64; i++) {
		int x = (int)(a >> i & 1), y = (int)(b >> i & 1);
		int z = op == 0x0A ? x * y : op == 0x0B ? x + y > 0 : x != y;

		r |= (uint64_t)z << i;
	}
	return r;
}

static wide expect_number(uint8_t op, bool is_signed, int w, uint64_t abits,
                          uint64_t bbits, unsigned *flags)
{
	wide a = number(abits, is_signed, w), b = number(bbits, is_signed, w);
	unsigned n = (unsigned)(bbits % (uint64_t)w);

	switch (op) {
	case 0x00: return a;
	case 0x01: return -a - 1;
	case 0x02:
	case 0x10:
		return (wide)((uwide)abits * (uwide)two_to(n) %
		              (uwide)modulus(w));
	case 0x03: return floor_shift(number(abits, true, w), n);
	case 0x11: return floor_shift(number(abits, false, w), n);
	case 0x04: return a + b;
	case 0x05: return a - b;
	case 0x06: return (wide)((uwide)abits * bbits % (uwide)modulus(w));
	case 0x07: *flags |= b == 0; return b == 0 ? -1 : a / b;
	case 0x1B: *flags |= b == 0 ? 2 : 0; return b == 0 ? a : a % b;
	case 0x08: return a > b ? a : b;
	case 0x09: return a < b ? a : b;
	case 0x0A:
	case 0x0B:
	case 0x0C: return (wide)bitwise(op, abits, bbits);
	case 0x0D: return a && b ? 1 : 0;
	case 0x0E: return a || b ? 1 : 0;
	case 0x0F: return (a == 0) + (b == 0) == 1;
	case 0x12: return a == b;
	case 0x13: return a > b;
	case 0x14: return a >= b;
	case 0x15: return a <= b;
	case 0x16: return a < b;
	case 0x18: return a != b;
	case 0x19: return a < 0 ? -a : a;
	case 0x1A:
		return b < 0 ? negative_power(a, b)
		             : (wide)power(abits, bbits, w);
	case 0x1D:
		*flags |= a <= 0 ? 4 : 0;
		return a <= 0 ? -1 : inverse_root(a);
	default: fail_msg("op %02X is not of the table", op); return 0;
	}
}

/* Grant to retire, both counted. */
static int expect_cycles(uint8_t op, bool is_signed, int w, uint64_t b)
{
	int bits = 0;

	switch (op) {
	case 0x06: return TPB_MULT_CYCLES;
	case 0x07:
	case 0x1B:
		if (b == 0)
			return 1;
		return w == 32 ? TPB_DIV32_CYCLES : TPB_DIV64_CYCLES;
	case 0x1A:
		if (number(b, is_signed, w) < 0)
			return 1;
		for (; b != 0; b /= 2)
			bits++;
		return 2 + bits;
	default: return 1;
	}
}

/* ------------------------------------------------------------------ *
 * Operands.                                                          *
 * ------------------------------------------------------------------ */

/* 200 values: around the powers of two and their negatives, small ones. */
static void specials(int w, uint64_t v[SPECIALS])
{
	int n = 0;

	for (int k = 0; k < w; k++) {
		uint64_t p = 1ull << k;

		v[n++] = p;
		v[n++] = p - 1;
		v[n++] = 0 - p;
		if (w == 32) {
			v[n++] = p + 1;
			v[n++] = ~p;
		}
	}
	for (uint64_t k = 3; n < SPECIALS; k += 7, n++)
		v[n] = n & 1 ? k : 0 - k;
	if (w == 32)
		for (int i = 0; i < SPECIALS; i++)
			v[i] &= UINT32_MAX;
}

static uint64_t next_random(uint64_t *seed)
{
	uint64_t z = *seed += 0x9E3779B97F4A7C15;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
	z = (z ^ z >> 27) * 0x94D049BB133111EB;
	return z ^ z >> 31;
}

/* Uniform bits of a random length, so that small values are as likely. */
static uint64_t random_operand(uint64_t *seed, int w)
{
	uint64_t r = next_random(seed), v = next_random(seed) >> (r & 63);

	if (r & 64)
		v = ~v;
	return w == 32 ? v & UINT32_MAX : v;
}

static int random_pairs(void)
{
	const char *s = getenv("TPB_ALU_PAIRS");

	return s ? atoi(s) : 100000;
}

/* ------------------------------------------------------------------ *
 * The two ways through the model.                                    *
 * ------------------------------------------------------------------ */

static void check_value(uint8_t op, const struct kind *k, uint64_t a,
                        uint64_t b)
{
	unsigned flags = 0;
	wide v = expect_number(op, k->is_signed, k->w, a, b, &flags);
	uint64_t want = wrap(v, k->w), got;
	uint8_t got_flags = 0;

	got = tpb_alu(op, k->is_signed, k->w, a, b, &got_flags);
	if (got != want || got_flags != flags)
		fail_msg("op %02X w %d signed %d a %llx b %llx: got %llx/%x, "
		         "expected %llx/%x",
		         op, k->w, k->is_signed, (unsigned long long)a,
		         (unsigned long long)b, (unsigned long long)got,
		         got_flags, (unsigned long long)want, flags);
}

/* R8(:9) := R2(:3) op R4(:5), or the immediate. */
static void encode(uint8_t *bundle, uint8_t op, const struct kind *k,
                   uint8_t tag, bool imm, uint64_t b)
{
	bool is64 = k->w == 64;

	memset(bundle, 0, TPB_BUNDLE);
	bundle[0x00] = 0xA8;
	bundle[0x01] = 0x10;
	bundle[0x0C] = op;
	bundle[0x0D] = 1;
	bundle[0x0E] = (uint8_t)(is64 | imm << 1);
	bundle[0x0F] = tag;
	bundle[0x10] = 8;
	bundle[0x11] = 2;
	bundle[0x12] = imm ? 0 : 4;
	bundle[0x14] = is64 ? 8 : 0;
	bundle[0x15] = is64 ? 9 : 0;
	for (int i = 0; imm && i < k->w / 8; i++)
		bundle[0x18 + i] = (uint8_t)(b >> 8 * i);
}

struct machine {
	struct tpb *t;
	uint8_t bundle[1][TPB_BUNDLE];
};

/* Run the bundle from cycle 2 to its retire; the machine is reused, so the
 * reset part is only what the bundle depends on. */
static int run_bundle(struct machine *m, uint64_t a, uint64_t b)
{
	struct tpb_engine_state *g = &m->t->s.engine[TPB_ENGINE_SP];

	tpb_reset(m->t);
	g->rf[2] = (uint32_t)a;
	g->rf[3] = (uint32_t)(a >> 32);
	g->rf[4] = (uint32_t)b;
	g->rf[5] = (uint32_t)(b >> 32);
	for (int i = 0; i < TPB_FIRST_ISSUE; i++)
		tpb_step(m->t);
	for (int cycles = 1; cycles < 100; cycles++) {
		tpb_step(m->t);
		if (m->t->retired)
			return cycles;
	}
	return -1;
}

static void check_bundle(struct machine *m, uint8_t op, const struct kind *k,
                         uint8_t tag, bool imm, uint64_t a, uint64_t b)
{
	const struct tpb_engine_state *g = &m->t->s.engine[TPB_ENGINE_SP];
	unsigned flags = 0;
	wide v = expect_number(op, k->is_signed, k->w, a, b, &flags);
	uint64_t want = wrap(v, k->w), got;
	int cycles, want_cycles = expect_cycles(op, k->is_signed, k->w, b);

	encode(m->bundle[0], op, k, tag, imm, b);
	cycles = run_bundle(m, a, b);
	got = g->rf[8];
	if (k->w == 64)
		got |= (uint64_t)g->rf[9] << 32;
	else if (g->rf[9] != UINT32_MAX)
		fail_msg("op %02X: a 32-bit op wrote the next register", op);
	if (got != want || g->alu_flags != flags || cycles != want_cycles)
		fail_msg("op %02X tag %02X imm %d a %llx b %llx: "
		         "got %llx/%x in %d, expected %llx/%x in %d",
		         op, tag, imm, (unsigned long long)a,
		         (unsigned long long)b, (unsigned long long)got,
		         g->alu_flags, cycles, (unsigned long long)want, flags,
		         want_cycles);
}

static void machine_new(struct machine *m)
{
	struct tpb_config cfg = {.gen = 3, .sbuf_part_bytes = 64};

	cfg.stream[TPB_ENGINE_SP].bundle =
	    (const uint8_t(*)[TPB_BUNDLE])m->bundle;
	cfg.stream[TPB_ENGINE_SP].len = 1;
	m->t = tpb_new(&cfg);
	assert_non_null(m->t);
}

/* ------------------------------------------------------------------ *
 * Tests.                                                             *
 * ------------------------------------------------------------------ */

static void test_values_special(void **state)
{
	uint64_t v[SPECIALS];

	(void)state;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		specials(kinds[k].w, v);
		for (size_t o = 0; o < sizeof(ops); o++)
			for (int i = 0; i < SPECIALS * SPECIALS; i++)
				check_value(ops[o], &kinds[k], v[i / SPECIALS],
				            v[i % SPECIALS]);
	}
}

static void test_values_random(void **state)
{
	uint64_t seed = 1;
	int pairs = random_pairs();

	(void)state;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (size_t o = 0; o < sizeof(ops); o++)
			for (int i = 0; i < pairs; i++) {
				uint64_t a = random_operand(&seed, kinds[k].w);
				uint64_t b = random_operand(&seed, kinds[k].w);

				check_value(ops[o], &kinds[k], a, b);
			}
}

/* Ops of more than one cycle have a second way to their result: they take
 * all pairs; the others prove their wiring on fewer. */
static bool is_long(uint8_t op)
{
	return op == 0x06 || op == 0x07 || op == 0x1A || op == 0x1B;
}

static void test_bundles_special(void **state)
{
	struct machine m = {0};
	uint64_t v[SPECIALS];

	(void)state;
	machine_new(&m);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		const struct kind *q = &kinds[k];

		specials(q->w, v);
		for (size_t o = 0; q->ntags && o < sizeof(ops); o++) {
			int step = is_long(ops[o]) ? 1 : 7;

			for (int i = 0; i < SPECIALS * SPECIALS; i += step)
				check_bundle(&m, ops[o], q,
				             q->tag[i % q->ntags], i & 1,
				             v[i / SPECIALS], v[i % SPECIALS]);
		}
	}
	tpb_free(m.t);
}

static void test_bundles_random(void **state)
{
	struct machine m = {0};
	uint64_t seed = 2;
	int pairs = random_pairs() / 5;

	(void)state;
	machine_new(&m);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		const struct kind *q = &kinds[k];

		for (size_t o = 0; q->ntags && o < sizeof(ops); o++)
			for (int i = 0; i < pairs; i++) {
				uint64_t a = random_operand(&seed, q->w);
				uint64_t b = random_operand(&seed, q->w);

				check_bundle(&m, ops[o], q,
				             q->tag[i % q->ntags], i & 1, a, b);
			}
	}
	tpb_free(m.t);
}

/* A few values by hand, so that the statement above is not alone. */
static void test_values_by_hand(void **state)
{
	static const struct {
		uint8_t op;
		bool is_signed;
		int w;
		uint64_t a, b, r;
		uint8_t flags;
	} row[] = {
	    {0x07, true, 32, 0x80000000, 0xFFFFFFFF, 0x80000000, 0},
	    {0x1B, true, 32, 0x80000000, 0xFFFFFFFF, 0, 0},
	    {0x07, true, 32, 0xFFFFFFF9, 2, 0xFFFFFFFD, 0},
	    {0x1B, true, 32, 0xFFFFFFF9, 2, 0xFFFFFFFF, 0},
	    {0x07, false, 32, 5, 0, 0xFFFFFFFF, 1},
	    {0x1B, false, 64, 5, 0, 5, 2},
	    {0x1A, true, 32, 0, 0, 1, 0},
	    {0x1A, true, 32, 3, 40, 0x291FE821, 0},
	    {0x1A, true, 32, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF, 0},
	    {0x1A, true, 32, 0xFFFFFFFF, 0xFFFFFFFC, 1, 0},
	    {0x1A, true, 32, 2, 0xFFFFFFFF, 0, 0},
	    {0x1D, true, 32, 0x80000000, 0, 0xFFFFFFFF, 4},
	    {0x1D, false, 32, 0x80000000, 0, 0, 0},
	    {0x1D, false, 64, 0, 0, UINT64_MAX, 4},
	    {0x1D, true, 32, 1, 0, 1, 0},
	    {0x03, false, 32, 0x80000000, 33, 0xC0000000, 0},
	    {0x11, true, 32, 0x80000000, 33, 0x40000000, 0},
	    {0x02, true, 64, 1, 127, 1ull << 63, 0},
	    {0x19, true, 32, 0x80000000, 0, 0x80000000, 0},
	    {0x08, true, 32, 0x80000000, 1, 1, 0},
	    {0x08, false, 32, 0x80000000, 1, 0x80000000, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		uint8_t flags = 0;
		uint64_t r = tpb_alu(row[i].op, row[i].is_signed, row[i].w,
		                     row[i].a, row[i].b, &flags);

		assert_int_equal(r, row[i].r);
		assert_int_equal(flags, row[i].flags);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values_by_hand),
	    cmocka_unit_test(test_values_special),
	    cmocka_unit_test(test_values_random),
	    cmocka_unit_test(test_bundles_special),
	    cmocka_unit_test(test_bundles_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
