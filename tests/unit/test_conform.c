/* SPDX-License-Identifier: Apache-2.0
 *
 * The oracle of `tpb conform` on values that docs/reference/numerics.md
 * states, on bundles worked out by hand; and its cases: all legal, and every
 * pair of dtypes among them.
 */
#include "harness/conform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PART = 8192 };

#define F32(name, x)              \
	uint32_t name;            \
	float name##_value = (x); \
	memcpy(&name, &name##_value, 4)

static void left_operand_wins(void **state)
{
	(void)state;
	assert_int_equal(conform_fp(TPB_ALU_MAX, 0x80000000, 0), 0x80000000);
	assert_int_equal(conform_fp(TPB_ALU_MAX, 0, 0x80000000), 0);
	assert_int_equal(conform_fp(TPB_ALU_MAX, 0x3F800000, 0xFF800001),
	                 0x3F800000);
	assert_int_equal(conform_fp(TPB_ALU_MIN, 0xFF800001, 0x3F800000),
	                 0x7FC00000);
	assert_int_equal(conform_fp(TPB_ALU_BYPASS, 0xFF800001, 0), 0xFF800001);
}

static void modulo(void **state)
{
	F32(tiny, -0x1p-60f);
	F32(one, 1);
	F32(minus, -1);

	(void)state;
	assert_int_equal(conform_fp(TPB_ALU_MOD, tiny, one), one);
	assert_int_equal(conform_fp(TPB_ALU_MOD, minus, 0x7F800000),
	                 0x7F800000);
	assert_int_equal(conform_fp(TPB_ALU_MOD, 0x80000000, one), 0);
	assert_int_equal(conform_fp(TPB_ALU_MOD, one, 0), 0x7FC00000);
	assert_int_equal(conform_fp(TPB_ALU_RSQRT, 0x80000000, 0), 0xFF800000);
}

static void integers(void **state)
{
	uint8_t flags = 0;

	(void)state;
	assert_int_equal(
	    conform_int(TPB_ALU_DIVIDE, 0x80000000, 0xFFFFFFFF, 8, 8, &flags),
	    0x7FFFFFFF);
	assert_int_equal(
	    conform_int(TPB_ALU_DIVIDE, 0x80000000, 0xFFFFFFFF, 8, 9, &flags),
	    0x80000000);
	assert_int_equal(
	    conform_int(TPB_ALU_ADD_INT, 0xFFFFFFFF, 2, 9, 9, &flags), 1);
	assert_int_equal(
	    conform_int(TPB_ALU_MULT, 0xFFFFFFFF, 0xFFFFFFFF, 9, 8, &flags),
	    0x7FFFFFFF);
	assert_int_equal(flags, 0);
	assert_int_equal(conform_int(TPB_ALU_DIVIDE, 5, 0, 8, 8, &flags),
	                 0xFFFFFFFF);
	assert_int_equal(flags, 1);
	assert_int_equal(conform_int(TPB_ALU_MOD_INT, 5, 0, 8, 8, &flags), 5);
	assert_int_equal(flags, 3);
}

static void shifts(void **state)
{
	(void)state;
	assert_int_equal(conform_bits(TPB_ALU_LOGICAL_SHR, 0x80, 9, 8), 0);
	assert_int_equal(conform_bits(TPB_ALU_ARITH_SHR, 0x80, 31, 8), 0xFF);
	assert_int_equal(conform_bits(TPB_ALU_ARITH_SHL, 0x8001, 33, 16), 2);
	assert_int_equal(conform_bits(TPB_ALU_BITWISE_NOT, 0x0F, 0, 8), 0xF0);
}

static void narrow_values(void **state)
{
	static const struct {
		uint8_t tag, fp8;
		uint32_t x, want;
	} t[] = {
	    {TPB_DTYPE_FP8E4, CONFORM_SATURATE, 0x43800000, 0x77},
	    {TPB_DTYPE_FP8E4, 0, 0x43800000, 0x78},
	    {TPB_DTYPE_FP8E4, CONFORM_OCP | CONFORM_SATURATE, 0x43E80001, 0x7E},
	    {TPB_DTYPE_FP8E4, CONFORM_OCP, 0x43E80000, 0x7E}, /* 464: tie */
	    {TPB_DTYPE_FP8E4, CONFORM_OCP, 0x43E80001, 0x7F},
	    {TPB_DTYPE_FP8E4, CONFORM_OCP | CONFORM_SUPPRESS, 0xC3E80001, 0x80},
	    {TPB_DTYPE_FP8E3, CONFORM_SATURATE, 0xC1780001, 0xEF},
	    {TPB_DTYPE_FP8E5, CONFORM_SUPPRESS, 0xFF800001, 0x80},
	    {TPB_DTYPE_FP8E5, 0, 0xFF800001, 0x7E},
	    {TPB_DTYPE_FP8E5, 0, 0x37000001, 0x01}, /* over half the least */
	    {TPB_DTYPE_FLOAT16, 0, 0x477FF000, 0x7C00},
	    {TPB_DTYPE_FLOAT16, 0, 0xFFC00000, 0xFE00},
	    {TPB_DTYPE_BFLOAT16, 0, 0xFFC00000, 0x7FC0},
	    {TPB_DTYPE_FLOAT32R, 0, 0x3F800800, 0x3F800000},
	    {TPB_DTYPE_FLOAT32R, 0, 0x7F7FFFFF, 0x7F800000},
	    {TPB_DTYPE_INT8, 0, 0x40200000, 2}, /* 2.5 */
	    {TPB_DTYPE_INT8, 0, 0xFF800001, 0x80},
	    {TPB_DTYPE_UINT16, 0, 0x7FC00000, 0xFFFF},
	    {TPB_DTYPE_UINT32, 0, 0xBF800000, 0},
	    {TPB_DTYPE_INT32, 0, 0x4F000000, 0x7FFFFFFF}};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++)
		if (conform_narrow(t[i].tag, t[i].x, t[i].fp8) != t[i].want)
			fail_msg("row %zu: %X", i,
			         conform_narrow(t[i].tag, t[i].x, t[i].fp8));
}

/* The formulas of the page, and every code there and back. */
static void narrow_all(void **state)
{
	static const uint8_t small[] = {TPB_DTYPE_FLOAT16, TPB_DTYPE_FP8E3,
	                                TPB_DTYPE_FP8E4, TPB_DTYPE_FP8E5};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 7);
	for (int i = 0; i < 200000; i++) {
		uint32_t x = rng_u32(&rng);
		if (conform_nan(x))
			continue;
		assert_int_equal(conform_narrow(TPB_DTYPE_BFLOAT16, x, 0),
		                 (x + 0x7FFF + (x >> 16 & 1)) >> 16);
		assert_int_equal(conform_narrow(TPB_DTYPE_FLOAT32R, x, 0),
		                 (x + 0x7FF + (x >> 12 & 1)) >> 12 << 12);
	}
	for (uint32_t i = 0; i < 8; i++) {
		uint8_t tag = small[i / 2], ocp = i & 1;
		for (uint32_t x = 0; x >> 8 * isa_dtype_size(tag) == 0; x++) {
			uint32_t f = conform_widen(tag, x, ocp);
			if (!conform_nan(f))
				assert_int_equal(conform_narrow(tag, f, ocp),
				                 x);
		}
	}
}

/* ------------------------------------------------------------------ *
 * Bundles.                                                           *
 * ------------------------------------------------------------------ */

static struct conform_machine machine;

static int new_machine(void **state)
{
	(void)state;
	machine = (struct conform_machine){.part_bytes = PART};
	machine.sbuf = calloc(TPB_PARTITIONS, PART);
	machine.psum = calloc(TPB_PARTITIONS, CONFORM_PSUM_BYTES);
	return machine.sbuf && machine.psum ? 0 : -1;
}

static int no_machine(void **state)
{
	(void)state;
	free(machine.sbuf);
	free(machine.psum);
	return 0;
}

/* A copy to itself, one element on: the first element everywhere. */
static void copy_meets_its_own_writes(void **state)
{
	uint8_t b[TPB_BUNDLE] = {TPB_OP_COPY, 0x10};

	(void)state;
	b[0x20] = b[0x21] = TPB_DTYPE_UINT8;
	b[0x22] = 2;
	conform_put(b + 0x0C, 4, 64 << 18 | 16);
	conform_put(b + 0x2C, 4, 64 << 18 | 17);
	b[0x10] = b[0x30] = 1;
	for (int d = 0; d < 4; d++)
		b[0x18 + 2 * d] = b[0x38 + 2 * d] = d == 0 ? 5 : 1;
	for (int i = 0; i < 8; i++)
		machine.sbuf[65 * PART + 16 + i] = (uint8_t)(i + 1);
	conform_execute(&machine, b);
	assert_memory_equal(machine.sbuf + 65 * PART + 16, "\1\1\1\1\1\1\7\10",
	                    8);
	assert_int_equal(machine.sbuf[66 * PART + 17], 0);
	assert_int_equal(conform_beats(b, 1), 10);
	assert_int_equal(conform_beats(b, 32), 5);
}

/* Max8 stores the smallest first, and drops what is smaller still. */
static void max8_order(void **state)
{
	uint8_t b[TPB_BUNDLE] = {TPB_OP_MAX8, 0x10};

	(void)state;
	b[0x20] = TPB_DTYPE_INT8;
	b[0x21] = TPB_DTYPE_UINT8;
	b[0x22] = 1;
	b[0x0C] = 32;
	conform_put(b + 0x30, 4, CONFORM_PSUM + 8);
	b[0x10] = b[0x34] = 1;
	b[0x18] = 9;
	b[0x1A] = b[0x1C] = b[0x1E] = b[0x3A] = 1;
	b[0x38] = 8;
	for (int i = 0; i < 9; i++)
		machine.sbuf[32 + i] = (uint8_t)(i * 7 % 9);
	conform_execute(&machine, b);
	assert_memory_equal(machine.psum + 8, "\1\2\3\4\5\6\7\10", 8);
	assert_int_equal(conform_beats(b, 32), 9 + 8);
}

/* ------------------------------------------------------------------ *
 * Cases.                                                             *
 * ------------------------------------------------------------------ */

static void cases_are_legal(void **state)
{
	int n;
	const struct conform_combo *combo = conform_combos(&n);
	struct isa_verdict v;
	struct conform_case c;

	(void)state;
	for (int i = 0; i < n * CLASSES; i++)
		for (int k = 0; k < 4; k++) {
			enum conform_class class =
			    (enum conform_class)(i % CLASSES);
			if (!conform_has(&combo[i / CLASSES], class))
				continue;
			conform_setup(&c, 3, i / CLASSES, class, k);
			conform_make(&c, PART);
			for (int b = 0; b < c.nbundles; b++)
				if (!isa_check_machine(c.bundle[b], c.engine, 3,
				                       1, &v))
					fail_msg("combo %d class %d: %s",
					         i / CLASSES, (int)class,
					         v.reason);
		}
}

/* Each pair of two of the three dtypes of an op with two sources. */
static void pairs_of(uint8_t op, int want)
{
	static uint8_t seen[3][16][16];
	int n, count = 0;
	const struct conform_combo *c = conform_combos(&n);

	memset(seen, 0, sizeof(seen));
	for (int i = 0; i < n; i++) {
		if (c[i].op != op)
			continue;
		seen[0][c[i].in0][c[i].in1] = 1;
		seen[1][c[i].in0][c[i].out] = 1;
		seen[2][c[i].in1][c[i].out] = 1;
	}
	for (int i = 0; i < 3 * 256; i++)
		count += seen[i / 256][i / 16 % 16][i % 16];
	assert_int_equal(count, want);
}

static void every_pair_of_dtypes(void **state)
{
	(void)state;
	pairs_of(TPB_OP_TT_ARITH, 12 * 12 + 12 * 13 + 12 * 13);
	pairs_of(TPB_OP_TT_BITVEC, 3 * (4 + 4 + 4));
	pairs_of(TPB_OP_CAST_PRED, 6 * 12 + 6 * 12 + 12 * 12);
	pairs_of(TPB_OP_COPY_PRED, 6 * 12 + 6 * 12 + 12);
	/* in1 is 0 where there is none. */
	pairs_of(TPB_OP_CAST, 13 + 13 * 13 + 13);
	pairs_of(TPB_OP_TS_ARITH, 12 + 12 * 13 + 13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(left_operand_wins),
	    cmocka_unit_test(modulo),
	    cmocka_unit_test(integers),
	    cmocka_unit_test(shifts),
	    cmocka_unit_test(narrow_values),
	    cmocka_unit_test(narrow_all),
	    cmocka_unit_test_setup_teardown(copy_meets_its_own_writes,
	                                    new_machine, no_machine),
	    cmocka_unit_test_setup_teardown(max8_order, new_machine,
	                                    no_machine),
	    cmocka_unit_test(cases_are_legal),
	    cmocka_unit_test(every_pair_of_dtypes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
