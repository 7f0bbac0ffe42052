/* SPDX-License-Identifier: Apache-2.0
 *
 * Lockstep itself: counts, reuse, plants, what each kind of difference is
 * called, the report and the wait chain.
 *
 * Expected cycle counts are worked out from docs/reference/timing.md by hand.
 * Differences are made by the test, in one side's storage only.
 */
#include "compiler/asm/asm.h"
#include "harness/fill.h"
#include "harness/lockstep_priv.h"
#include "harness/plant.h"

#include <ftw.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct lockstep *ls;

static int setup(void **state)
{
	(void)state;
	ls = lockstep_new();
	return ls ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	lockstep_free(ls);
	return 0;
}

static struct image *program(const char *text)
{
	struct image_error err = {0};
	struct image *img = asm_source(text, strlen(text), "t.s", &err);

	if (!img || !image_resolve(img, &err))
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
	return img;
}

static struct lockstep_options options(uint64_t seed)
{
	return (struct lockstep_options){.seed = seed,
	                                 .fill = FILL_RANDOM,
	                                 .max_cycles = 100000,
	                                 .compare = true};
}

static struct lockstep_result run(struct lockstep *on, const struct image *img,
                                  const struct lockstep_options *opt)
{
	struct lockstep_result res;

	assert_true(lockstep_run(on, img, opt, &res));
	return res;
}

/* Stores to SBUF and DRAM, a load of each, two engines. */
static const char busy[] = "\t.tensor out, size=64, addr=0x2000, output\n"
                           "\t.engine SP\n"
                           "\tmov64 r10, 0x10_0000_0000\n"
                           "\tmov64 r12, addr(out)\n"
                           "\tmov r4, 1\n"
                           "loop:\tmult r4, r4, 3\n"
                           "\tsave [r10], r4\n"
                           "\tload r5, [r10]\n"
                           "\tsave [r12], r5\n"
                           "\tadd r10, r10, 4\n"
                           "\tadd r12, r12, 4\n"
                           "\tblt r4, 10000000, loop\n"
                           "\tnoop | wait s7 >= 1\n"
                           "\texit\n"
                           "\t.engine ACT\n"
                           "\tmov r4, 5\n"
                           "\tnoop | post s7++\n"
                           "\texit\n";

/* ------------------------------------------------------------------ */

static void test_counts(void **state)
{
	/* Issue in cycles 2, 3 and 4; EXITED is seen in cycle 5. */
	struct image *img = program("\t.engine SP\n\tnoop\n\tnoop\n\texit\n");
	struct lockstep_options opt = options(1);
	struct lockstep_result res = run(ls, img, &opt);
	uint64_t elements = 0;

	(void)state;
	for (int f = 0; f < state_nfields; f++)
		elements += (uint64_t)state_fields[f].count;
	assert_int_equal(res.verdict, VERDICT_PASS);
	assert_int_equal(res.cycles, 5);
	assert_int_equal(res.compared, 5 * elements);
	assert_int_equal(res.writes, 0);
	assert_int_equal(res.retired[TPB_ENGINE_SP], 3);
	assert_int_equal(res.retired[TPB_ENGINE_PE], 0);
	image_free(img);
}

static void test_writes_and_outputs(void **state)
{
	/* 3, 9, ..., 3^15 = 14348907: 15 rounds, a word each in SBUF and in
	 * DRAM. */
	struct image *img = program(busy);
	struct lockstep_options opt = options(1);
	uint64_t cycles = 0;

	(void)state;
	for (int fill = FILL_ZERO; fill <= FILL_RANDOM; fill++) {
		struct lockstep_result res;
		uint32_t want = 1, have;

		opt.fill = (enum fill)fill;
		res = run(ls, img, &opt);
		assert_int_equal(res.verdict, VERDICT_PASS);
		assert_int_equal(res.writes, 30);
		assert_true(fill == FILL_ZERO || res.cycles == cycles);
		cycles = res.cycles;
		for (uint32_t i = 0; i < 15; i++) {
			want *= 3;
			lockstep_dram(ls, true, 0x2000 + 4 * i, &have, 4);
			assert_int_equal(have, want);
			lockstep_dram(ls, false, 0x2000 + 4 * i, &have, 4);
			assert_int_equal(have, want);
		}
		/* The 16th word was not written: fill. */
		lockstep_dram(ls, true, 0x203C, &have, 4);
		if (fill != FILL_RANDOM)
			assert_int_equal(have, fill ? 0xFFFFFFFF : 0);
	}
	image_free(img);
}

static void test_digest(void **state)
{
	struct image *img = program(busy);
	struct lockstep_options opt = options(1);
	uint64_t one = run(ls, img, &opt).digest;

	(void)state;
	assert_true(run(ls, img, &opt).digest == one);
	opt.quick_memory = true;
	assert_true(run(ls, img, &opt).digest == one);
	opt.seed = 2;
	assert_true(run(ls, img, &opt).digest != one);
	image_free(img);
}

static void ignore_retire(void *ctx, int engine, uint32_t pc,
                          const struct tpb_state *before)
{
	uint64_t *n = ctx;

	assert_int_equal(before->engine[engine].pc, pc);
	(*n)++;
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void test_watching_changes_nothing(void **state)
{
	char dir[] = "test_lockstep_XXXXXX", path[64];
	struct image *img = program(busy);
	struct lockstep_options opt = options(1);
	struct lockstep_result bare = run(ls, img, &opt), res;
	uint64_t seen = 0;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/w.fst", dir);
	lockstep_on_retire(ls, ignore_retire, &seen);
	opt.waves = path;
	res = run(ls, img, &opt);
	lockstep_on_retire(ls, NULL, NULL);
	assert_true(res.digest == bare.digest);
	assert_int_equal(res.cycles, bare.cycles);
	assert_int_equal(seen, res.retired[TPB_ENGINE_SP] +
	                           res.retired[TPB_ENGINE_ACT]);
	assert_int_equal(access(path, R_OK), 0);
	assert_int_equal(nftw(dir, remove_one, 4, FTW_DEPTH | FTW_PHYS), 0);
	image_free(img);
}

/* Reads what the program before it wrote, and shows it in DRAM. */
static const char reader[] = "\t.tensor out, size=16, addr=0x3000, output\n"
                             "\t.engine SP\n"
                             "\tload r4, [0x10_0000_0008]\n"
                             "\tload r5, [0x2008]\n"
                             "\tsave [0x3000], r4\n"
                             "\tsave [0x3008], r5\n"
                             "\texit\n";

static void test_reuse_equals_fresh(void **state)
{
	struct image *a = program(busy), *b = program(reader);
	struct lockstep *fresh = lockstep_new();
	struct lockstep_options opt = options(5);
	uint64_t seeds[] = {5, 6, 5};

	(void)state;
	assert_non_null(fresh);
	for (int quick = 0; quick < 2; quick++)
		for (int i = 0; i < 3; i++) {
			uint64_t again, first;

			opt.quick_memory = quick;
			opt.seed = seeds[i];
			run(ls, a, &opt);
			again = run(ls, b, &opt).digest;
			if (i == 0) /* nothing ran there before */
				assert_true(run(fresh, b, &opt).digest ==
				            again);
			first = run(fresh, b, &opt).digest;
			assert_true(first == again);
		}
	lockstep_free(fresh);
	image_free(a);
	image_free(b);
}

static void test_memory_fill_seed(void **state)
{
	struct image *img = program(reader);
	struct lockstep_options opt = options(5);
	uint32_t a, b;

	(void)state;
	opt.fill_seed = 77;
	run(ls, img, &opt);
	lockstep_dram(ls, true, 0x3000, &a, 4);
	assert_int_equal(a, (uint32_t)fill_word(FILL_RANDOM, 77, 0x1000000008));
	opt.seed = 6;
	run(ls, img, &opt);
	lockstep_dram(ls, true, 0x3000, &b, 4);
	assert_int_equal(a, b);
	opt.fill_seed = 0;
	run(ls, img, &opt);
	lockstep_dram(ls, true, 0x3008, &b, 4);
	assert_int_equal(b, (uint32_t)fill_word(FILL_RANDOM, 6, 0x2008));
	image_free(img);
}

/* ------------------------------------------------------------------ */

static void check_plant(const struct image *img, const char *text,
                        const char *name)
{
	struct lockstep_options opt = options(3);
	struct lockstep_result res;
	char why[96];

	assert_true(plant_parse(text, &opt.plant, why, sizeof(why)));
	res = run(ls, img, &opt);
	assert_int_equal(res.verdict, VERDICT_DIFFERS);
	if (res.bad_cycle != opt.plant.cycle)
		fail_msg("%s: %s differs in cycle %" PRIu64, text, res.what,
		         res.bad_cycle);
	assert_int_equal(res.cycles, opt.plant.cycle);
	assert_string_equal(res.what, name);
	assert_int_equal(res.bad_field, opt.plant.field);
	assert_int_equal(res.bad_index, opt.plant.index);
	assert_true((res.rtl ^ res.model) == opt.plant.mask);
}

static void test_plants(void **state)
{
	struct image *img = program(busy);
	struct lockstep_options opt = options(3);
	uint64_t end = run(ls, img, &opt).cycles;
	char text[64];

	(void)state;
	check_plant(img, "SP.rf[3]@100", "SP.rf[3]");
	check_plant(img, "SP.rf#63@100:model^0x80000000", "SP.rf[63]");
	check_plant(img, "PE.state@0:model", "PE.state");
	check_plant(img, "PE.bundle[15]@1", "PE.bundle[15]");
	check_plant(img, "sem[255]@77:rtl^0x80000000", "sem[255]");
	check_plant(img, "evt[7]@77:model^0x80000000", "evt[7]");
	check_plant(img, "dreq_addr@50^0x100000000", "dreq_addr");
	check_plant(img, "dram_rsp_data@50^0x8000000000000000",
	            "dram_rsp_data");
	snprintf(text, sizeof(text), "wd@%" PRIu64 "^0x400", end);
	check_plant(img, text, "wd");
	/* Past the end nothing is planted, and it passes. */
	opt.plant = (struct plant){.on = true, .cycle = end + 1, .mask = 1};
	assert_int_equal(run(ls, img, &opt).verdict, VERDICT_PASS);
	image_free(img);
}

/* What a retire callback does to one side. */
struct attack {
	int engine;
	uint32_t pc;
	void (*hit)(void);
	bool done;
};

static void attack_retire(void *ctx, int engine, uint32_t pc,
                          const struct tpb_state *before)
{
	struct attack *a = ctx;

	(void)before;
	if (a->done || engine != a->engine || pc != a->pc)
		return;
	a->done = true;
	a->hit();
}

static struct lockstep_result attack(const struct image *img, uint32_t pc,
                                     void (*hit)(void),
                                     const struct lockstep_options *opt)
{
	struct attack a = {.engine = TPB_ENGINE_SP, .pc = pc, .hit = hit};
	struct lockstep_result res;

	lockstep_on_retire(ls, attack_retire, &a);
	res = run(ls, img, opt);
	lockstep_on_retire(ls, NULL, NULL);
	assert_true(a.done);
	return res;
}

static void hit_sbuf(void)
{
	*lockstep_word(ls, SIDE_RTL, ADDR_SBUF + (5 << 18) + 0x40) ^= 1;
}

static void hit_psum(void)
{
	*lockstep_word(ls, SIDE_MODEL, ADDR_PSUM + (127 << 15) + 0x3FF8) ^= 1;
}

static void hit_dram(void)
{
	dram_write(ls->dram[SIDE_RTL], 0xFFFFFFFFF8 / 8 % (1ull << 33),
	           ~dram_read(ls->dram[SIDE_RTL], (1ull << 33) - 1), 0x80);
}

/* The data of the save that retires in this very cycle, on the model. */
static void hit_save(void)
{
	ls->model->s.engine[TPB_ENGINE_SP].rf[4] ^= 0x100;
}

static void test_memory_differences(void **state)
{
	struct image *img = program(busy);
	struct lockstep_options opt = options(3);
	struct lockstep_result res;

	(void)state;
	res = attack(img, 3, hit_sbuf, &opt);
	assert_int_equal(res.verdict, VERDICT_DIFFERS);
	assert_string_equal(res.what, "SBUF[0x140040]");
	assert_true((res.rtl ^ res.model) == 1);
	res = attack(img, 3, hit_psum, &opt);
	assert_string_equal(res.what, "PSUM[0x3FBFF8]");
	res = attack(img, 3, hit_dram, &opt);
	assert_string_equal(res.what, "DRAM[0xFFFFFFFF8]");
	assert_true((res.rtl ^ res.model) == 0xFFull << 56);
	/* And nothing of it is left for the next run. */
	assert_int_equal(run(ls, img, &opt).verdict, VERDICT_PASS);
	image_free(img);
}

static void test_quick_memory(void **state)
{
	struct image *img = program(busy);
	struct lockstep_options opt = options(3);
	struct lockstep_result res;

	(void)state;
	opt.quick_memory = true;
	assert_int_equal(run(ls, img, &opt).verdict, VERDICT_PASS);
	assert_true(lockstep_check_memories(ls, &res));
	res = attack(img, 3, hit_sbuf, &opt);
	assert_int_equal(res.verdict, VERDICT_PASS);
	assert_int_equal(run(ls, img, &opt).verdict, VERDICT_PASS);
	assert_false(lockstep_check_memories(ls, &res));
	assert_string_equal(res.what, "SBUF[0x140040]");
	assert_int_equal(res.verdict, VERDICT_DIFFERS);
	run(ls, img, &opt);
	assert_true(lockstep_check_memories(ls, &res));
	image_free(img);
}

static void test_write_difference(void **state)
{
	struct image *img = program(busy);
	struct lockstep_options opt = options(3);
	struct lockstep_result res;

	(void)state;
	res = attack(img, 4, hit_save, &opt);
	assert_int_equal(res.verdict, VERDICT_DIFFERS);
	assert_int_equal(res.bad_field, -1);
	assert_string_equal(res.what, "sbuf_write.data@0x1000000000");
	assert_true(res.rtl == 3 && res.model == 0x103);
	assert_int_equal(res.cycles, res.bad_cycle + 1);
	image_free(img);
}

/* ------------------------------------------------------------------ */

static void test_ends(void **state)
{
	struct image *spin = program("\t.engine SP\nl:\tjmp l\n");
	struct image *halt = program("\t.engine SP\n\thalt\n");
	struct image *off = program("\t.engine SP\n\tnoop\n");
	struct lockstep_options opt = options(1);
	struct lockstep_result res;

	(void)state;
	opt.max_cycles = 100;
	res = run(ls, spin, &opt);
	assert_int_equal(res.verdict, VERDICT_TIMEOUT);
	assert_int_equal(res.cycles, 100);
	res = run(ls, halt, &opt);
	assert_int_equal(res.verdict, VERDICT_FAULTED);
	assert_int_equal(res.cycles, 3); /* issued in cycle 2 */
	res = run(ls, off, &opt);
	assert_int_equal(res.verdict, VERDICT_FAULTED);
	assert_int_equal(res.cycles, 4); /* faults in cycle 3 */
	image_free(spin);
	image_free(halt);
	image_free(off);
}

static void test_refused(void **state)
{
	struct image *img = program("\t.engine SP\n\texit\n");
	struct lockstep_options opt = options(1);
	struct lockstep_result res;

	(void)state;
	img->gen = rtl_gen() == 2 ? 3 : 2;
	assert_false(lockstep_run(ls, img, &opt, &res));
	img->gen = rtl_gen();
	img->loaded = false;
	assert_false(lockstep_run(ls, img, &opt, &res));
	img->loaded = true;
	img->stream[TPB_ENGINE_SP].len = 0;
	assert_false(lockstep_run(ls, img, &opt, &res));
	img->stream[TPB_ENGINE_SP].len = 1;
	assert_true(lockstep_run(ls, img, &opt, &res));
	image_free(img);
}

static void test_stalls(void **state)
{
	struct image *img = program(busy);
	struct lockstep_options opt = options(1);
	struct lockstep_result bare = run(ls, img, &opt), res;

	(void)state;
	opt.stalls = 4;
	res = run(ls, img, &opt);
	assert_int_equal(res.verdict, VERDICT_PASS);
	assert_true(res.digest != bare.digest); /* hand-overs move */
	assert_int_equal(res.writes, bare.writes);
	image_free(img);
}

/* ------------------------------------------------------------------ */

/* The report of *res, or without it the wait chain. */
static void capture(const struct image *img, const struct lockstep_options *opt,
                    const struct lockstep_result *res, char **text)
{
	static size_t size;
	FILE *f = open_memstream(text, &size);

	assert_non_null(f);
	if (res)
		lockstep_report(ls, img, opt, res, f);
	else
		lockstep_wait_chain(ls, img, f);
	fclose(f);
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in\n%s", part, text);
}

static void test_report(void **state)
{
	struct image *img = program(busy);
	struct lockstep_options opt = options(3);
	struct lockstep_result res;
	int lines = 0, width = 0;
	char why[96], *text;

	(void)state;
	assert_true(
	    plant_parse("SP.rf[5]@190:rtl^0x5", &opt.plant, why, sizeof(why)));
	res = run(ls, img, &opt);
	capture(img, &opt, &res, &text);
	for (const char *p = text; *p; p++) {
		width = *p == '\n' ? 0 : width + 1;
		lines += *p == '\n';
		assert_true(width <= 100);
	}
	assert_true(lines <= 40);
	has(text, "RTL and model differ in cycle 190 of t: SP.rf[5]\n");
	has(text, "  differ  0x5, bits 0 2\n");
	has(text, "  engine  SP, pc ");
	has(text, "  cycle 189      0x");
	has(text, "  planted  SP ");
	has(text, "-> 0x1853D3  SP loop+2  t.s:8\n"); /* 3^13, loaded */
	has(text, "last retired bundles:\n");
	has(text, "  ACT  cycle 3        1  t.s:");
	has(text, "  ACT  RUN pc 2 waits for the exit join\n");
	free(text);
	image_free(img);
}

static void test_wait_chain(void **state)
{
	struct image *img = program("\t.engine DVE\n\texit\n"
	                            "\t.engine POOL\n"
	                            "\tmov r4, 2\n"
	                            "\tnoop | wait s9 >= r4\n"
	                            "\texit\n"
	                            "\t.engine SP\n"
	                            "\tnoop | post s9++\n"
	                            "\tnoop | wait e3\n"
	                            "\tnoop | post s9++\n"
	                            "\texit\n"
	                            "\t.engine PE\n"
	                            "\tnoop | wait s9 >= 5\n"
	                            "\tnoop | post e3\n"
	                            "\texit\n");
	struct lockstep_options opt = options(3);
	char *text, *model;
	size_t half;

	(void)state;
	assert_int_equal(run(ls, img, &opt).verdict, VERDICT_FAULTED);
	capture(img, &opt, NULL, &text);
	has(text, "wait chain, from the RTL's state:\n");
	has(text, "wait chain, from the model's state:\n");
	half = (size_t)(strstr(text, "wait chain, from the model") - text);
	model = strdup(text + half);
	assert_non_null(model);
	text[half] = '\0';
	for (int side = 0; side < 2; side++) {
		const char *t = side ? model : text;

		has(t, "  POOL waits for s9 >= 2 (is 1), at 1 (t.s:5)\n");
		has(t, "  SP waits for e3 set (is 0), at 1 (t.s:9)\n");
		has(t, "  PE waits for s9 >= 5 (is 1), at 0 (t.s:13)\n");
		has(t, "could be signalled by PE at 1 (t.s:14);\n"
		       "      PE itself waits at 0 (t.s:13)\n");
		has(t, "could be signalled by SP at 0 (t.s:8), 2 (t.s:10);\n"
		       "      SP itself waits at 1 (t.s:9)\n");
		has(t, "  DVE waits for the exit join, at 0 (t.s:2)\n");
		has(t, "PE -> SP -> PE (a circle)\n");
	}
	free(model);
	free(text);
	image_free(img);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_counts),
	    cmocka_unit_test(test_writes_and_outputs),
	    cmocka_unit_test(test_digest),
	    cmocka_unit_test(test_watching_changes_nothing),
	    cmocka_unit_test(test_reuse_equals_fresh),
	    cmocka_unit_test(test_memory_fill_seed),
	    cmocka_unit_test(test_plants),
	    cmocka_unit_test(test_memory_differences),
	    cmocka_unit_test(test_quick_memory),
	    cmocka_unit_test(test_write_difference),
	    cmocka_unit_test(test_ends),
	    cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_stalls),
	    cmocka_unit_test(test_report),
	    cmocka_unit_test(test_wait_chain),
	};

	return cmocka_run_group_tests_name("lockstep", tests, setup, teardown);
}
