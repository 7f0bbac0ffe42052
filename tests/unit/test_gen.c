/* SPDX-License-Identifier: Apache-2.0
 *
 * The program generator against the model alone: every program is legal and
 * ends by itself, exactly as it says it will; a seed means one program.
 *
 * Legal is what isa_check_machine() says; that a program ends is seen by
 * running it, under different fills of memory, with a slow DRAM port and with
 * posts from outside, none of which may matter.
 *
 * Run alone: build/default/test_gen
 */
#include "cmodel/tpb.h"
#include "harness/coverage.h"
#include "harness/dram.h"
#include "harness/fill.h"
#include "harness/gen.h"
#include "harness/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PROGRAMS 400
#define LIMIT 1000000

struct bench {
	struct tpb *t;
	struct dram *dram;
};

static struct bench bench;

static int setup(void **state)
{
	struct tpb_config cfg = {.gen = 3,
	                         .sbuf_part_bytes = TPB_SBUF_BYTES_GEN3};

	(void)state;
	bench.t = tpb_new(&cfg);
	bench.dram = dram_new();
	if (!bench.t || !bench.dram)
		return -1;
	bench.t->dram = program_port(bench.dram);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tpb_free(bench.t);
	dram_free(bench.dram);
	return 0;
}

static void load(const struct image *img, enum fill fill, uint64_t seed)
{
	struct tpb *t = bench.t;

	program_model(&t->cfg, img);
	dram_clear(bench.dram, fill, seed);
	program_tensors(bench.dram, img);
	for (int i = 0; i < 64; i++) /* where many accesses go */
		t->sbuf[i] = fill_word(fill, seed, (uint64_t)i);
	fill_state(&t->s, fill, seed);
	tpb_reset(t);
}

/* Inputs that a program must not depend on. */
static void disturb(struct tpb *t, uint64_t seed)
{
	uint64_t h = fill_hash(seed, t->cycle);

	t->dram_ready = (h & 3) != 0;
}

/* disturbing: 0, or the seed of what disturbs. */
static void run(struct coverage *cov, uint64_t disturbing)
{
	struct tpb *t = bench.t;
	struct coverage_watch w;
	struct tpb_state before;

	t->dram_ready = true;
	coverage_begin(&w, cov, TPB_SBUF_BYTES_GEN3);
	while (!tpb_done(t) && t->cycle < LIMIT) {
		if (disturbing)
			disturb(t, disturbing);
		before = t->s;
		tpb_step(t);
		coverage_cycle(&w, &before, t->granted, t->retired);
	}
	coverage_end(&w, &t->s);
}

static void expect_ends(uint64_t seed, const struct gen_end *end)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct tpb_engine_state *q = &bench.t->s.engine[e];

		if (q->state != end[e].state || q->fault != end[e].fault)
			fail_msg("seed %llu, engine %d: ends in %s %s at %u, "
			         "should in %s %s",
			         (unsigned long long)seed, e,
			         isa_enum_text("run", q->state),
			         isa_enum_text("fault", q->fault), q->pc,
			         isa_enum_text("run", end[e].state),
			         isa_enum_text("fault", end[e].fault));
	}
}

static void programs_without_faults(void **state)
{
	struct coverage *cov = calloc(1, sizeof(*cov));
	struct gen_end end[TPB_ENGINES];

	(void)state;
	assert_non_null(cov);
	for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
		struct gen_options opt = GEN_DEFAULTS;
		struct image *img = gen_program(seed, &opt, end);

		load(img, (enum fill)(seed % 3), seed);
		run(cov, seed & 1 ? seed : 0);
		expect_ends(seed, end);
		for (int e = 0; e < TPB_ENGINES; e++)
			assert_true(end[e].state == TPB_RUN_EXITED ||
			            end[e].state == TPB_RUN_ABSENT);
		image_free(img);
	}
	free(cov);
}

static void programs_with_faults(void **state)
{
	struct coverage *cov = calloc(1, sizeof(*cov));
	struct gen_end end[TPB_ENGINES];
	bool seen[TPB_FAULT_DEADLOCK + 1] = {false};

	(void)state;
	assert_non_null(cov);
	for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
		struct gen_options opt = GEN_DEFAULTS;
		struct image *img;
		int stopped = 0;

		opt.faults = true;
		opt.cycles = 3000;
		img = gen_program(seed, &opt, end);
		load(img, (enum fill)(seed % 3), seed);
		run(cov, seed & 1 ? seed : 0);
		expect_ends(seed, end);
		for (int e = 0; e < TPB_ENGINES; e++) {
			stopped += end[e].state == TPB_RUN_FAULTED ||
			           end[e].state == TPB_RUN_HALTED;
			seen[end[e].fault] = true;
		}
		assert_true(stopped > 0);
		image_free(img);
	}
	/* 14 is of the DMA unit, of no engine. */
	for (int f = 0; f <= TPB_FAULT_DEADLOCK; f++)
		assert_true(seen[f] || f == TPB_FAULT_DMA_DESC);
	free(cov);
}

static void every_bundle_is_legal(void **state)
{
	static const int profile[] = {2, 3, 4};
	struct gen_end end[TPB_ENGINES];

	(void)state;
	for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
		struct gen_options opt = GEN_DEFAULTS;
		struct image *img;
		struct isa_verdict v;

		opt.gen = profile[seed % 3];
		img = gen_program(seed, &opt, end);
		assert_true(img->loaded);
		assert_int_equal(img->gen, opt.gen);
		for (int e = 0; e < TPB_ENGINES; e++)
			for (uint32_t i = 0; i < img->stream[e].len; i++)
				if (!isa_check_machine(img->stream[e].bundle[i],
				                       e, opt.gen, 1, &v))
					fail_msg("seed %llu, engine %d, "
					         "bundle %u: %s",
					         (unsigned long long)seed, e, i,
					         v.reason);
		image_free(img);
	}
}

static void expect_same(const struct image *a, const struct image *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->rank, b->rank);
	assert_int_equal(a->ntensors, b->ntensors);
	assert_int_equal(a->dma.nqueues, b->dma.nqueues);
	assert_int_equal(a->dma.nblocks, b->dma.nblocks);
	assert_int_equal(a->dma.ndescriptors, b->dma.ndescriptors);
	if (a->dma.nqueues)
		assert_memory_equal(a->dma.queue, b->dma.queue,
		                    a->dma.nqueues * IMAGE_QUEUE_SIZE);
	if (a->dma.nblocks)
		assert_memory_equal(a->dma.block, b->dma.block,
		                    a->dma.nblocks * IMAGE_BLOCK_SIZE);
	if (a->dma.ndescriptors)
		assert_memory_equal(a->dma.descriptor, b->dma.descriptor,
		                    a->dma.ndescriptors * IMAGE_DESC_SIZE);
	for (int e = 0; e < TPB_ENGINES; e++) {
		assert_int_equal(a->stream[e].len, b->stream[e].len);
		if (a->stream[e].len)
			assert_memory_equal(
			    a->stream[e].bundle, b->stream[e].bundle,
			    (size_t)a->stream[e].len * TPB_BUNDLE);
	}
}

static void a_seed_is_one_program(void **state)
{
	struct gen_end end[2][TPB_ENGINES];

	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct gen_options opt = GEN_DEFAULTS;
		struct image *a, *b;

		opt.faults = seed & 1;
		opt.focus = seed & 2 ? (int)seed * 31 % COVERAGE_BINS : -1;
		a = gen_program(seed, &opt, end[0]);
		b = gen_program(seed, &opt, end[1]);
		expect_same(a, b);
		assert_memory_equal(end[0], end[1], sizeof(end[0]));
		image_free(b);
		b = gen_program(seed + 1000, &opt, end[1]);
		assert_string_not_equal(a->name, b->name);
		image_free(a);
		image_free(b);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Rows and bins as in isa/coverage.def, each with a name of its own. */
static void names_are_unique(void **state)
{
	char(*name)[96] = calloc(COVERAGE_BINS, sizeof(*name));
	struct coverage *cov = calloc(1, sizeof(*cov));

	(void)state;
	assert_non_null(name);
	assert_non_null(cov);
	for (int i = 0; i < COVERAGE_BINS; i++) {
		uint8_t v[3];
		enum cover_row row = coverage_bin(i, v);

		coverage_name(i, name[i], sizeof(name[i]));
		coverage_hit(cov, row, v[0], v[1], v[2]);
		assert_int_equal(cov->hits[i], 1);
		assert_int_equal(coverage_count(cov), i + 1);
	}
	qsort(name, COVERAGE_BINS, sizeof(*name), by_name);
	for (int i = 1; i < COVERAGE_BINS; i++)
		assert_string_not_equal(name[i - 1], name[i]);
	free(name);
	free(cov);
}

static bool hit(const char *wanted, const struct coverage *cov)
{
	char name[96];

	for (int i = 0; i < COVERAGE_BINS; i++)
		if (!strcmp(coverage_name(i, name, sizeof(name)), wanted))
			return cov->hits[i] != 0;
	fail_msg("no bin %s", wanted);
	return false;
}

/* These bins are met, those are not. */
static void expect_bins(const struct coverage *cov, const char *const *yes,
                        const char *const *no)
{
	for (; *yes; yes++)
		if (!hit(*yes, cov))
			fail_msg("%s was not counted", *yes);
	for (; *no; no++)
		if (hit(*no, cov))
			fail_msg("%s was counted", *no);
}

/* Count a program of one engine written by hand; only these bins. */
static void counts_what_runs(void **state)
{
	static const uint8_t text[][TPB_BUNDLE] = {
	    /* r2 := 1, 2 set at once: no */
	    {0xA7, 0x10, [0x0C] = 1, 8, 1, [0x18] = 2, [0x20] = 1},
	    /* r3 := r2 + 5 */
	    {0xA8, 0x10, [0x0C] = 4, 1, 2, 8, 3, 2, [0x18] = 5},
	    /* if r3 == 6 goto 4 */
	    {0xA9, 0x10, [0x0C] = 3, 8, 3, [0x10] = 6, [0x20] = 3, [0x30] = 4},
	    {0xA1, 0x10},
	    {0xDF, 0x10, [0x0C] = 1}};
	static const char *const yes[] = {
	    "op.mov.SP",           "op.alu.SP",
	    "op.branch.SP",        "op.exit.SP",
	    "alu.add.i32.imm",     "alu.a.add.32.one",
	    "alu.b.add.32.other",  "raw.mov.alu",
	    "raw.alu.branch",      "branch.eq.i32.taken",
	    "taken.forward.taken", "mov.imm.i32.1",
	    "join.exit.1",         NULL};
	static const char *const no[] = {
	    "op.halt.SP",     "op.exit.PE",      "branch.eq.i32.not_taken",
	    "halted",         "claim.sem.noop",  "held.exit",
	    "raw.mov.branch", "conflict.sbuf.2", NULL};
	struct coverage *cov = calloc(1, sizeof(*cov));
	struct image *img = image_new("hand");

	(void)state;
	assert_non_null(cov);
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		image_emit(img, TPB_ENGINE_SP, text[i], 0, 0);
	load(img, FILL_ZERO, 0);
	run(cov, 0);
	expect_bins(cov, yes, no);
	image_free(img);
	free(cov);
}

/* A queue of DVE with one block: 16 bytes from SBUF to DRAM, then a post. */
static void one_block(struct image *img)
{
	static const uint8_t copy[TPB_BUNDLE] = {
	    0xD4,       0x10,        [0x14] = 0x10, [0x20] = 1,
	    [0x22] = 1, [0x24] = 16, [0x29] = 0x40, [0x38] = 1,
	    [0x3A] = 1, [0x3C] = 16, [0x3E] = 3,    [0x3F] = 3};
	struct image_error err;

	image_add_queue(img, "q", 0, TPB_ENGINE_DVE, NULL, NULL);
	image_add_instance(img, "q.0");
	image_add_block(img, TPB_UPDATE_INC_C, 250, 0);
	image_add_descriptor(img, copy);
	img->loaded = true;
	assert_true(image_resolve(img, &err));
}

/* An engine that copies, adds and triggers, and what it must count. */
static const uint8_t units_text[][TPB_BUNDLE] = {
    {0xC1, 0x10, [0x0D] = 0xFF, [0x2F] = 1, [0x30] = 1},
    /* [0..3] += [0x40..], in place */
    {0x41, 0x10, [0x0C] = 0xAA, 0x0A, 0x04, 32, [0x14] = 1, [0x1A] = 4,
     [0x1C] = 1, [0x1E] = 1, [0x20] = 0x40, [0x24] = 1, [0x2A] = 4, [0x2C] = 1,
     [0x2E] = 1, [0x34] = 1, [0x3A] = 4, [0x3C] = 1, [0x3E] = 1},
    /* each element to the next one */
    {0x46, 0x10, [0x10] = 1, [0x18] = 4, [0x1A] = 1, [0x1C] = 1, [0x1E] = 1, 0,
     0x0A, 0x0A,
     1, [0x2C] = 4, [0x30] = 1, [0x38] = 4, [0x3A] = 1, [0x3C] = 1, [0x3E] = 1},
    {0xDF, 0x10, [0x0C] = 1}};
static const char *const units_yes[] = {"vec.dve.tt",
                                        "vec.tt.in.f32.f32",
                                        "vec.tt.f32.f32",
                                        "vec.alu.tt.add.f32",
                                        "vec.src3.tt.1",
                                        "vec.dst4.copy.1",
                                        "vec.src.step.tt.up",
                                        "vec.ch.DVE.32.0",
                                        "vec.ch.DVE.1.0",
                                        "vec.mem.sbuf_sbuf.sbuf",
                                        "vec.mem.sbuf.sbuf",
                                        "vec.address.DVE.src1.static",
                                        "vec.length.DVE.8",
                                        "vec.overlap.DVE.in_place",
                                        "vec.overlap.DVE.ahead",
                                        "vec.copy.in.f32",
                                        "vec.hazard.DVE.x0.src0",
                                        "vec.hazard.DVE.w.src0",
                                        "dma.trigger.1.current",
                                        "dma.held.lookup",
                                        "dma.pending.1",
                                        "dma.block.inc_c",
                                        "dma.descs.1",
                                        "dma.post.none",
                                        "dma.mem.sbuf.dram",
                                        "dma.type.u8.u8",
                                        "dma.offset.0.0",
                                        "dma.run.64.64",
                                        "dma.dims.src.one",
                                        NULL};
static const char *const units_no[] = {"vec.pool.tt",
                                       "vec.dve.copypred",
                                       "vec.tt.in.f32.bf16",
                                       "vec.ch.POOL.32.0",
                                       "vec.ch.DVE.32.32",
                                       "vec.mem.psum.sbuf",
                                       "vec.overlap.DVE.behind",
                                       "vec.hazard.DVE.x0.src1",
                                       "vec.hazard.POOL.x0.src0",
                                       "vec.stall.DVE",
                                       "vec.write.sbuf.DVE.POOL",
                                       "vec.read.psum.DVE.ports",
                                       "dma.held.full",
                                       "dma.post.inc",
                                       "dma.stop.src",
                                       "dma.mem.dram.sbuf",
                                       NULL};

/* The same for a vector unit and the DMA unit. */
static void counts_units(void **state)
{
	struct coverage *cov = calloc(1, sizeof(*cov));
	struct image *img = image_new("hand");

	(void)state;
	assert_non_null(cov);
	for (size_t i = 0; i < sizeof(units_text) / sizeof(*units_text); i++)
		image_emit(img, TPB_ENGINE_DVE, units_text[i], 0, 0);
	one_block(img);
	load(img, FILL_ZERO, 0);
	run(cov, 0);
	assert_int_equal(bench.t->s.engine[TPB_ENGINE_DVE].state,
	                 TPB_RUN_EXITED);
	assert_int_equal(bench.t->s.sem[250], 1);
	expect_bins(cov, units_yes, units_no);
	image_free(img);
	free(cov);
}

/* Aimed at what is missing, a few programs meet nearly all of the list. */
static void aiming_helps(void **state)
{
	struct coverage *cov = calloc(1, sizeof(*cov));
	struct gen_end end[TPB_ENGINES];
	int aim = 0;

	(void)state;
	assert_non_null(cov);
	for (uint64_t seed = 0; seed < 500; seed++) {
		struct gen_options opt = GEN_DEFAULTS;
		struct image *img;

		for (int i = 0; i < COVERAGE_BINS && cov->hits[aim]; i++)
			aim = (aim + 1) % COVERAGE_BINS;
		opt.focus = aim;
		opt.faults = gen_focus_faults(aim);
		opt.cycles = 5000;
		img = gen_program(seed, &opt, end);
		load(img, FILL_RANDOM, seed);
		run(cov, 0);
		expect_ends(seed, end);
		image_free(img);
		aim = (aim + 1) % COVERAGE_BINS;
	}
	assert_true(coverage_count(cov) > COVERAGE_BINS * 97 / 100);
	free(cov);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(programs_without_faults),
	    cmocka_unit_test(programs_with_faults),
	    cmocka_unit_test(every_bundle_is_legal),
	    cmocka_unit_test(a_seed_is_one_program),
	    cmocka_unit_test(names_are_unique),
	    cmocka_unit_test(counts_what_runs),
	    cmocka_unit_test(counts_units),
	    cmocka_unit_test(aiming_helps),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
