/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of a difference: it ends, has at most 40 lines of at most 100
 * columns, and names cycle, field and values, whatever the cycle, the first
 * one included; and the state of the vector unit or the DMA queue that the
 * difference is about.
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

/* All engines busy, both vector units, two queues. */
static const char crowd[] =
    ".tensor buf, size=256\n.queue load, engine=SP\n.block | post s3++\n"
    ".desc dma src=[buf], src_bytes=64, dst=[buf + 64], dst_bytes=64\n"
    ".queue store, engine=ACT\n.block | post s4++\n"
    ".desc dma src=[buf], src_bytes=64, dst=[buf + 128], dst_bytes=64\n"
    ".engine PE\na: add r4, r4, 1\nblt r5, 1, a\nexit\n"
    ".engine ACT\nb: trigger name=\"store\", count=1\njmp b\nexit\n"
    ".engine SP\nc: trigger name=\"load\", count=1\njmp c\nexit\n"
    ".engine POOL\nd: copy in_dtype=u32, out_dtype=u32, ch=64, "
    "src=[sbuf(0, 0), 1:8], dst=[sbuf(0, 0x100), 1:8]\njmp d\nexit\n"
    ".engine DVE\ne: tr.b in_dtype=u32, out_dtype=u32, alu=bitwise_or, axis=x, "
    "ch=64, src=[sbuf(0, 0), 1:8], dst=[sbuf(0, 0x200), 1:1]\njmp e\n"
    "exit\n";

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

static struct image *assemble(const char *text)
{
	struct image_error err = {0};
	struct image *img = asm_source(text, strlen(text), "report.s", &err);

	if (!img || !image_resolve(img, &err))
		fail_msg("%s %s", err.place, err.text);
	return img;
}

/* Plant in the crowd and look for lines that begin so. */
static void unit_of(const char *field, uint64_t cycle, const char *const want[])
{
	struct lockstep_options opt = {
	    .seed = 1, .compare = true, .fill = FILL_RANDOM};
	struct image *img = assemble(crowd);
	struct lockstep_result res;
	char line[512];
	int lines = 0, found = 0;
	FILE *f = tmpfile();

	assert_non_null(f);
	opt.plant = (struct plant){.on = true, .cycle = cycle, .mask = 1};
	opt.plant.field = state_find(field, &opt.plant.index);
	assert_true(opt.plant.field >= 0);
	assert_true(lockstep_run(bench, img, &opt, &res));
	assert_int_equal(res.bad_cycle, cycle);
	lockstep_report(bench, img, &opt, &res, f);
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		lines++;
		assert_true(strlen(line) <= 101);
		if (want[found] &&
		    !strncmp(line, want[found], strlen(want[found])))
			found++;
	}
	fclose(f);
	if (want[found])
		fail_msg("%s: no line '%s'", field, want[found]);
	assert_in_range(lines, 20, 40);
	image_free(img);
}

static void vector_units(void **state)
{
	static const char *const pool[] = {"vector unit of POOL:",
	                                   "  next ELEM, pass ",
	                                   "  model: ",
	                                   "  walk 0 (",
	                                   "  X0 ",
	                                   NULL};
	static const char *const dve[] = {"vector unit of DVE:", "  next ELEM",
	                                  "  walk 0 (",          "  X0 ELEM ",
	                                  "  model: X0 ELEM ",   NULL};

	(void)state;
	unit_of("POOL.vk", 100, pool);
	unit_of("DVE.vx0_idx", 100, dve);
	unit_of("DVE.rf[9]", 100,
	        (const char *const[]){"vector unit of DVE:", NULL});
}

static void queues(void **state)
{
	(void)state;
	unit_of("q_oldest[1]", 300,
	        (const char *const[]){"  engine  none",
	                              "DMA queue 1:", "  store: at block ",
	                              "  model: store: ", "  mover ",
	                              "  descriptor  dma ", NULL});
	unit_of("dm_o[0]", 300,
	        (const char *const[]){"DMA queue ", "  mover ",
	                              "  model: mover ", NULL});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_early_cycle),
	    cmocka_unit_test(late_cycle),
	    cmocka_unit_test(vector_units),
	    cmocka_unit_test(queues),
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
