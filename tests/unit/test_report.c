/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of a difference: it ends, has at most 40 lines, and names cycle,
 * field and values, whatever the cycle, the first one included.
 */
#include "compiler/asm/asm.h"
#include "harness/lockstep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char source[] = ".engine ACT\nnoop | wait s0 >= 9\nexit\n"
                             ".engine SP\nmov r4, 0\n"
                             "l: add r4, r4, 1 | post s0++\n"
                             "blt r4, 30, l\nexit\n";

static struct lockstep *bench;
static struct image *program;

/* Plant a bit in SP.rf[4] of the RTL in a cycle and count the report. */
static void report_of(uint64_t cycle)
{
	struct lockstep_options opt = {.seed = 1, .compare = true};
	struct lockstep_result res;
	char line[512], want[64];
	bool named = false;
	int lines = 0;
	FILE *f = tmpfile();

	assert_non_null(f);
	opt.plant.on = true;
	opt.plant.field = state_find("SP.rf[4]", &opt.plant.index);
	opt.plant.cycle = cycle;
	opt.plant.mask = 1;
	assert_true(lockstep_run(bench, program, &opt, &res));
	assert_int_equal(res.verdict, VERDICT_DIFFERS);
	assert_int_equal(res.bad_cycle, cycle);
	lockstep_report(bench, program, &opt, &res, f);
	snprintf(want, sizeof(want), "in cycle %d", (int)cycle);
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		lines++;
		if (strstr(line, want) && strstr(line, "SP.rf[4]"))
			named = true;
	}
	fclose(f);
	assert_true(named);
	assert_in_range(lines, 5, 40);
}

static void every_early_cycle(void **state)
{
	(void)state;
	for (uint64_t cycle = 0; cycle < 12; cycle++)
		report_of(cycle);
}

static void late_cycle(void **state)
{
	(void)state;
	report_of(50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_early_cycle),
	    cmocka_unit_test(late_cycle),
	};
	struct image_error err;
	int failed;

	program = asm_source(source, sizeof(source) - 1, "report.s", &err);
	bench = lockstep_new();
	if (!program || !bench || !image_resolve(program, &err))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	lockstep_free(bench);
	image_free(program);
	return failed;
}
