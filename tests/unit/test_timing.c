/* SPDX-License-Identifier: Apache-2.0
 *
 * The figures of docs/reference/timing.md, measured by programs in lockstep:
 * how many cycles a run takes, against the count that the page gives.  The
 * constants come from isa/timing.def; what one program costs is worked out
 * here by hand.  An empty program (Exit alone) takes FIRST_ISSUE + 1 cycles.
 */
#include "compiler/asm/asm.h"
#include "harness/lockstep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct lockstep *bench;

/* Cycles from reset to the end of a program that must pass. */
static uint64_t cycles_of(const char *source)
{
	struct lockstep_options opt = {.seed = 1, .compare = true};
	struct lockstep_result res;
	struct image_error err;
	struct image *img;
	bool ran;

	img = asm_source(source, strlen(source), "timing.s", &err);
	if (!img)
		fail_msg("%s: %s", err.place, err.text);
	assert_true(image_resolve(img, &err));
	ran = lockstep_run(bench, img, &opt, &res);
	image_free(img);
	assert_true(ran);
	assert_int_equal(res.verdict, VERDICT_PASS);
	return res.cycles;
}

/* Cycles that `body` adds to an empty SP program. */
static uint64_t cost(const char *body)
{
	char source[4096];

	snprintf(source, sizeof(source), ".engine SP\n%s\nexit\n", body);
	return cycles_of(source) - (TPB_FIRST_ISSUE + 1);
}

static void empty_program(void **state)
{
	(void)state;
	assert_int_equal(cycles_of(".engine SP\nexit\n"), TPB_FIRST_ISSUE + 1);
}

static void scalar_bundles_take_one_cycle(void **state)
{
	char body[4096] = "";

	(void)state;
	for (int i = 0; i < 100; i++)
		strcat(body, i % 2 ? "noop\n" : "add r4, r4, 1\n");
	assert_int_equal(cost(body), 100);
}

static void taken_branch_loses(void **state)
{
	(void)state;
	assert_int_equal(cost("jmp . + 1"), 1 + TPB_BRANCH_LOST);
	/* Not taken: nothing lost. */
	assert_int_equal(cost("mov r4, 1\nbeq r4, 0, 0"), 2);
	/* 50 turns of two bundles, 49 taken branches, one mov. */
	assert_int_equal(cost("mov r4, 0\n"
	                      "l: add r4, r4, 1\nblt r4, 50, l"),
	                 1 + 50 * 2 + 49 * TPB_BRANCH_LOST);
}

static void call_and_return_lose(void **state)
{
	(void)state;
	assert_int_equal(cycles_of(".engine SP\ncall f\nexit\n"
	                           ".func f keep\nret\n"),
	                 TPB_FIRST_ISSUE + 1 + 2 * (1 + TPB_BRANCH_LOST));
}

/* ACT posts in its 41st bundle; SP waits for it and exits. */
static void post_to_issue(void **state)
{
	char source[4096] = ".engine ACT\n";

	(void)state;
	for (int i = 0; i < 40; i++)
		strcat(source, "noop\n");
	strcat(source, "noop | post s0++\nexit\n"
	               ".engine SP\nnoop | wait s0 >= 1\nexit\n");
	assert_int_equal(cycles_of(source),
	                 TPB_FIRST_ISSUE + 40 + TPB_POST_TO_ISSUE + 2);
}

static void multi_cycle_alu(void **state)
{
	(void)state;
	assert_int_equal(cost("mov r4, 7\nmult r5, r4, 3"),
	                 1 + TPB_MULT_CYCLES);
	assert_int_equal(cost("mov64 r4, 7\nmult64 r6, r4, 3"),
	                 1 + TPB_MULT_CYCLES);
	assert_int_equal(cost("mov r4, 7\ndivide r5, r4, 3"),
	                 1 + TPB_DIV32_CYCLES);
	assert_int_equal(cost("mov r4, 7\nmod.u32 r5, r4, 3"),
	                 1 + TPB_DIV32_CYCLES);
	assert_int_equal(cost("mov64 r4, 7\nmod64 r6, r4, 3"),
	                 1 + TPB_DIV64_CYCLES);
	assert_int_equal(cost("mov r4, 7\ndivide r5, r4, 0"), 2);
	/* pow: 2 + significant bits of the exponent. */
	assert_int_equal(cost("mov r4, 7\npow r5, r4, 0"), 1 + 2);
	assert_int_equal(cost("mov r4, 7\npow r5, r4, 5"), 1 + 2 + 3);
	assert_int_equal(cost("mov r4, 7\npow r5, r4, -1"), 1 + 1);
	assert_int_equal(cost("mov r4, 7\npow.u32 r5, r4, -1"), 1 + 2 + 32);
}

static void load_and_save(void **state)
{
	(void)state;
	assert_int_equal(cost("load r4, [0x1000000000]"), TPB_SRAM_LOAD_CYCLES);
	assert_int_equal(cost("load r4, [0x1002000000]"), TPB_SRAM_LOAD_CYCLES);
	assert_int_equal(cost("load r4, [0x1000]"), TPB_DRAM_LOAD_CYCLES);
	assert_int_equal(cost("save [0x1000000000], r4"), TPB_SRAM_SAVE_CYCLES);
	/* n elements: n - 1 cycles of checks, then 1 + 3n or 1 + n. */
	assert_int_equal(cost("load {r4, r5, r6}, [0x1000000000]"),
	                 2 + 1 + 3 * 3);
	assert_int_equal(cost("save [0x1000000000], {r4, r5, r6}"), 2 + 1 + 3);
	/* DRAM takes a request every second cycle. */
	assert_int_equal(cost("save [0x1000], {r4, r5, r6}"), 2 + 1 + 5);
}

/* Two engines in one cycle on one memory: the second waits for the first. */
static void contention(void **state)
{
	(void)state;
	assert_int_equal(cycles_of(".engine ACT\nsave [0x1000000000], r4\n"
	                           "exit\n"
	                           ".engine SP\nsave [0x1000000008], r4\n"
	                           "exit\n"),
	                 TPB_FIRST_ISSUE + 1 + TPB_SRAM_SAVE_CYCLES + 1);
}

/* Rows of 512 elements on 128 partitions: each op takes the beats of its row
 * and VEC_FIXED_CYCLES more (docs/reference/vector.md).  A beat is an element
 * of TPB_LANES partitions, so a row has 512 * 128 / TPB_LANES of them. */
static void vector_rows(void **state)
{
	enum { PASSES = 128 / TPB_LANES, ROW = 512 * PASSES };
	static const struct {
		const char *bundle;
		uint64_t beats;
	} rows[] = {
	    {"tt in0_dtype=f32, in1_dtype=f32, out_dtype=f32, alu=add, "
	     "ch=128, src0=[0x1000, 1:512], src1=[0x2000, 1:512], "
	     "dst=[0x3000, 1:512]",
	     ROW},
	    {"ts src=[0x1000, 1:512], in_dtype=f32, out_dtype=bf16, ch=128, "
	     "op0=mult, op1=add, imm0=0x40000000, imm1=0x3F800000, "
	     "dst=[0x3000, 1:512]",
	     ROW},
	    /* Scalars through pointers: one beat a pass more. */
	    {"ts src=[0x1000, 1:512], in_dtype=f32, out_dtype=f32, ch=128, "
	     "op0=mult, op1=add, imm0_kind=pointer, imm0=0x800, "
	     "imm1_kind=pointer, imm1=0x804, dst=[0x3000, 1:512]",
	     ROW + PASSES},
	    {"tr src=[0x1000, 1:512], in_dtype=f32, out_dtype=f32, ch=128, "
	     "alu=add, axis=x, dst=[0x3000, 1:1]",
	     ROW},
	    {"copy src=[0x1000, 1:512], in_dtype=f32, out_dtype=f32, ch=128, "
	     "dst=[0x3000, 1:512]",
	     ROW},
	    /* In place. */
	    {"recip src=[0x1000, 1:512], in_dtype=f32, out_dtype=f32, "
	     "ch=128, dst=[0x1000, 1:512]",
	     ROW},
	    /* Eight results a pass more. */
	    {"max8 src=[0x1000, 1:512], in_dtype=f32, out_dtype=f32, ch=128, "
	     "dst=[0x301C, -1:8, 0:1]",
	     ROW + 8 * PASSES},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char source[4096];
		uint64_t cycles;

		snprintf(source, sizeof(source), ".engine DVE\n%s\nexit\n",
		         rows[i].bundle);
		cycles = cycles_of(source) - (TPB_FIRST_ISSUE + 1);
		if (cycles != rows[i].beats + TPB_VEC_FIXED_CYCLES)
			fail_msg("%s: %llu cycles", rows[i].bundle,
			         (unsigned long long)cycles);
		assert_true(cycles <= rows[i].beats * 105 / 100);
		assert_true(cycles - rows[i].beats <= 16);
	}
}

static void watchdog(void **state)
{
	struct lockstep_options opt = {.seed = 1, .compare = true};
	const char *source = ".engine SP\nnoop | wait s0 == 1\nexit\n";
	struct lockstep_result res;
	struct image_error err;
	struct image *img = asm_source(source, strlen(source), "w.s", &err);

	(void)state;
	assert_non_null(img);
	assert_true(image_resolve(img, &err));
	assert_true(lockstep_run(bench, img, &opt, &res));
	image_free(img);
	assert_int_equal(res.verdict, VERDICT_FAULTED);
	/* Idle from cycle 0 on: the fetches before the first issue count. */
	assert_int_equal(res.cycles, TPB_WATCHDOG_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(empty_program),
	    cmocka_unit_test(scalar_bundles_take_one_cycle),
	    cmocka_unit_test(taken_branch_loses),
	    cmocka_unit_test(call_and_return_lose),
	    cmocka_unit_test(post_to_issue),
	    cmocka_unit_test(multi_cycle_alu),
	    cmocka_unit_test(load_and_save),
	    cmocka_unit_test(contention),
	    cmocka_unit_test(vector_rows),
	    cmocka_unit_test(watchdog),
	};
	int failed;

	bench = lockstep_new();
	if (!bench)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	lockstep_free(bench);
	return failed;
}
