/* SPDX-License-Identifier: Apache-2.0
 *
 * A run in segments is the run in one piece, whatever the program, the fill and
 * the cycle at which a segment begins; and what differs in a later segment is
 * found there as it would be found in one piece.
 *
 * The oracle is the run in one piece.
 */
#include "harness/cmd.h"
#include "harness/fill.h"
#include "harness/gen.h"
#include "harness/lockstep_priv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct lockstep *one, *many;

static int setup(void **state)
{
	(void)state;
	one = lockstep_new();
	many = lockstep_new();
	return one && many ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	lockstep_free(one);
	lockstep_free(many);
	return 0;
}

static struct image *program(const char *path)
{
	struct image *img = cmd_load(path);

	assert_non_null(img);
	return img;
}

static void equal(const struct lockstep_result *a,
                  const struct lockstep_result *b)
{
	if (a->verdict != b->verdict)
		fail_msg("%s in cycle %llu", b->what,
		         (unsigned long long)b->bad_cycle);
	assert_true(a->cycles == b->cycles);
	assert_true(a->compared == b->compared);
	assert_true(a->writes == b->writes);
	assert_true(a->digest == b->digest);
	for (int e = 0; e < TPB_ENGINES; e++)
		assert_true(a->retired[e] == b->retired[e]);
}

/* Programs that end, that spin, that wait for ever; with DMA and the vector
 * units at work where segments meet. */
static const struct {
	const char *path;
	uint64_t max_cycles;
} programs[] = {
    {"kernels/pingpong/pingpong.s", 250000},
    {"kernels/collatz/collatz.s", 0},
    {"bench/five_busy.s", 150000},
    {"bench/dve_stream.s", 120000},
    {"bench/idle.s", 200000},
};

static void test_equal_runs(void **state)
{
	int segments = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		struct image *img = program(programs[i].path);
		struct lockstep_options opt = {.seed = i + 1,
		                               .max_cycles =
		                                   programs[i].max_cycles,
		                               .compare = true};

		struct lockstep_result a;

		opt.fill = (enum fill)(i % 3);
		assert_true(lockstep_run(one, img, &opt, &a));
		for (int jobs = 2; jobs <= 3; jobs++) {
			struct lockstep_result b;

			opt.quick_memory = jobs == 3;
			/* The second of these knows how long the run is. */
			opt.jobs = jobs;
			assert_true(lockstep_run(many, img, &opt, &b));
			equal(&a, &b);
			segments += b.segments;
		}
		image_free(img);
	}
	/* A thread may come too late on a busy host, but not each time. */
	assert_true(segments > 0);
	print_message("%d segments begun in 10 runs\n", segments);
}

/* Random programs, each begun at some cycle of its own: the core goes on from
 * there as the one that came there by itself. */
static void test_any_cycle(void **state)
{
	struct gen_options gen = GEN_DEFAULTS;
	int begun = 0;

	(void)state;
	gen.cycles = 3000;
	gen.sbuf_part_bytes = rtl_sbuf_part_bytes();
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct gen_end end[TPB_ENGINES];
		struct lockstep_options opt = {.seed = seed,
		                               .fill = FILL_RANDOM,
		                               .fill_seed = 1,
		                               .max_cycles = 100000,
		                               .quick_memory = true,
		                               .compare = true};
		struct lockstep_result a, b;
		struct image *img;

		gen.faults = seed % 4 == 0;
		img = gen_program(seed, &gen, end);
		assert_true(lockstep_run(one, img, &opt, &a));
		assert_int_not_equal(a.verdict, VERDICT_DIFFERS);
		for (int k = 0; k < 8; k++) {
			uint64_t at =
			    fill_hash(seed, (uint64_t)k) % (a.cycles + 1);

			if (!segment_from(many, img, &opt, at, &b))
				continue;
			begun++;
			assert_int_not_equal(b.verdict, VERDICT_DIFFERS);
			assert_true(a.cycles == b.cycles);
			assert_true(a.digest == b.digest);
		}
		image_free(img);
	}
	assert_true(begun > 400); /* of 480: few begin behind the end */
}

/* A planted fault in each part of the run, on either side. */
static void test_differences(void **state)
{
	struct image *img = program("kernels/collatz/collatz.s");
	struct lockstep_options opt = {.seed = 3, .compare = true};
	int field, index;

	(void)state;
	field = state_find("SP.rf[9]", &index);
	for (int i = 0; i < 6; i++) {
		struct lockstep_result a, b;

		opt.plant = (struct plant){
		    .on = true,
		    .model = i & 1,
		    .field = field,
		    .index = index,
		    .cycle = 1000 + 70000 * (uint64_t)i,
		    .mask = 1u << i,
		};
		opt.jobs = 1;
		assert_true(lockstep_run(one, img, &opt, &a));
		opt.jobs = 3;
		assert_true(lockstep_run(many, img, &opt, &b));
		assert_int_equal(b.verdict, VERDICT_DIFFERS);
		assert_true(b.bad_cycle == opt.plant.cycle);
		assert_int_equal(b.bad_field, field);
		assert_int_equal(b.bad_index, index);
		assert_true(a.rtl == b.rtl && a.model == b.model);
		assert_true(a.cycles == b.cycles && a.compared == b.compared);
	}
	image_free(img);
	/* A program without end, whose length is being looked for. */
	lockstep_free(many);
	many = lockstep_new();
	assert_non_null(many);
	img = program("bench/sp_loop.s");
	opt.plant.cycle = 150000;
	opt.jobs = 2;
	for (int known = 0; known < 2; known++) {
		struct lockstep_result b;

		assert_true(lockstep_run(many, img, &opt, &b));
		assert_int_equal(b.verdict, VERDICT_DIFFERS);
		assert_true(b.bad_cycle == opt.plant.cycle);
	}
	image_free(img);
	img = program("kernels/collatz/collatz.s");
	/* And the machine is fit for a run that is equal. */
	opt.plant.on = false;
	for (int jobs = 1; jobs <= 2; jobs++) {
		struct lockstep_result b;

		opt.jobs = jobs;
		assert_true(lockstep_run(many, img, &opt, &b));
		assert_int_equal(b.verdict, VERDICT_PASS);
	}
	image_free(img);
}

/* The fast comparison looks at every bit of every element. */
static void test_every_bit(void **state)
{
	struct image *img = program("bench/idle.s");
	struct lockstep_options opt = {
	    .seed = 5, .fill = FILL_RANDOM, .max_cycles = 100, .compare = true};
	struct lockstep_result res;

	(void)state;
	assert_true(lockstep_run(one, img, &opt, &res));
	assert_true(!rtl_differs(one->rtl, &one->model->s));
	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];

		for (int i = 0; i < d->count * d->bytes * 8; i++) {
			uint8_t *at = (uint8_t *)rtl_field(one->rtl, f) + i / 8;

			*at ^= (uint8_t)(1 << i % 8);
			if (!rtl_differs(one->rtl, &one->model->s))
				fail_msg("bit %d of %s is not seen", i,
				         d->name);
			*at ^= (uint8_t)(1 << i % 8);
		}
	}
	assert_true(!rtl_differs(one->rtl, &one->model->s));
	image_free(img);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_equal_runs),
	    cmocka_unit_test(test_any_cycle),
	    cmocka_unit_test(test_differences),
	    cmocka_unit_test(test_every_bit),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
