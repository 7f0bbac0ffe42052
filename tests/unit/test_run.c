/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast path against the model stepped cycle by cycle: the same program,
 * loaded alike, must leave the same memories, registers, semaphores, events,
 * flags and faults behind.
 *
 * Kernels and conformance programs do not depend on timing: the stepped model
 * and four orders of the fast path must all agree.
 *
 * Random programs race: engines write the same words and update the same
 * semaphores without waiting for each other.  So the fast path executes them
 * bundle by bundle in a random order of engines, and the stepped model is made
 * to follow that order: all other engines are kept from issuing, as if their
 * fetch ports were slow, until the bundle has retired and DMA rests.  Then
 * everything must be equal, races or not.  One kind of program still depends on
 * timing and is left out, and counted: where a DMA descriptor moves bytes onto
 * its own source, how far the mover reads ahead is seen.
 *
 * Run alone: build/default/test_run
 */
#include "cmodel/run.h"
#include "compiler/asm/asm.h"
#include "harness/cmd.h"
#include "harness/dram.h"
#include "harness/fill.h"
#include "harness/gen.h"
#include "harness/program.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PART_BYTES 8192 /* of the random programs */
#define PROGRAMS 200
#define LIMIT 100000000
#define TOUCHED (1u << 20) /* entries of the table */

/* ------------------------------------------------------------------ *
 * Sides.                                                             *
 * ------------------------------------------------------------------ */

struct side {
	struct tpb *t;
	struct dram *dram;
};

/* DRAM words that somebody wrote: a hash table of their numbers + 1. */
static uint64_t touched[TOUCHED];
static size_t ntouched;

static void touch(uint64_t word)
{
	size_t i = fill_mix(word) % TOUCHED;

	while (touched[i] != 0 && touched[i] != word + 1)
		i = (i + 1) % TOUCHED;
	if (touched[i] != 0)
		return;
	touched[i] = word + 1;
	assert_true(++ntouched < TOUCHED / 2);
}

static void forget(void)
{
	memset(touched, 0, sizeof(touched));
	ntouched = 0;
}

static uint64_t read_dram(void *ctx, uint64_t word)
{
	return dram_read(ctx, word);
}

static void write_dram(void *ctx, uint64_t word, uint64_t data, uint8_t mask)
{
	touch(word);
	dram_write(ctx, word, data, mask);
}

/* What SBUF, and PSUM, hold before each program. */
static uint64_t *fill;

static struct side make(uint32_t part_bytes)
{
	struct tpb_config cfg = {.gen = 3, .sbuf_part_bytes = part_bytes};
	struct side s = {tpb_new(&cfg), dram_new()};

	assert_non_null(s.t);
	assert_non_null(s.dram);
	s.t->dram = (struct tpb_dram){s.dram, read_dram, write_dram};
	return s;
}

static void drop(struct side *s)
{
	tpb_free(s->t);
	dram_free(s->dram);
}

static void load(struct side *s, const struct image *img, uint64_t seed)
{
	struct tpb *t = s->t;

	program_model(&t->cfg, img);
	dram_clear(s->dram, FILL_RANDOM, seed);
	program_tensors(s->dram, img);
	memcpy(t->sbuf, fill, tpb_sbuf_words(t) * sizeof(*fill));
	memcpy(t->psum, fill, tpb_psum_words() * sizeof(*fill));
	fill_state(&t->s, FILL_RANDOM, seed);
	tpb_reset(t);
}

static struct tpb_run_count fast(struct tpb *t, struct tpb_run_order order)
{
	struct tpb_run_count count;

	assert_true(tpb_run(t, &order, &count));
	assert_true(tpb_done(t));
	return count;
}

/* ------------------------------------------------------------------ *
 * Comparing.                                                         *
 * ------------------------------------------------------------------ */

struct tally {
	uint64_t equal;    /* elements that are the same */
	uint64_t changed;  /* words of memory among them that were written */
	uint64_t elements; /* of vector bundles */
	uint64_t bytes;    /* of DMA */
};

static void judge(struct tally *sum, uint64_t stepped, uint64_t quick,
                  const char *what, uint64_t i, const char *program)
{
	if (stepped != quick)
		fail_msg("%s: %s[%llu] is 0x%llx stepped, 0x%llx fast", program,
		         what, (unsigned long long)i,
		         (unsigned long long)stepped,
		         (unsigned long long)quick);
	sum->equal++;
}

/* Rows of the state table that a program sees. */
static const char *const seen[] = {
    "state",          "fault",      "pc",        "depth",
    "alu_flags",      "rf",         "sem",       "evt",
    "q_stop",         "core_flags", "dma_fault", "dma_fault_q",
    "dma_fault_desc", "q_inst",     "q_cursor",  "q_oldest",
    "q_busy",         "q_known",    "q_desc",    "vacc_ok",
    "vmatch_ok"};

static bool is_seen(const char *row)
{
	for (size_t i = 0; i < sizeof(seen) / sizeof(*seen); i++)
		if (!strcmp(row, seen[i]))
			return true;
	return false;
}

static void compare_state(struct tally *sum, const struct tpb *a,
                          const struct tpb *b, const char *program)
{
	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];

		if (!is_seen(d->row))
			continue;
		for (int i = 0; i < d->count; i++)
			judge(sum, state_get(&a->s, f, i),
			      state_get(&b->s, f, i), d->name, (uint64_t)i,
			      program);
	}
	for (int e = 0; e < TPB_ENGINES; e++)
		for (int i = 0; i < a->s.engine[e].depth; i++)
			judge(sum, a->s.engine[e].stack[i],
			      b->s.engine[e].stack[i], "stack", (uint64_t)i,
			      program);
}

/* The RAMs of DVE, where they are valid. */
static void compare_rams(struct tally *sum, const struct tpb *a,
                         const struct tpb *b, const char *program)
{
	const struct tpb_dve_state *d = &a->s.dve;

	for (unsigned p = 0; p < TPB_PARTITIONS; p++) {
		if (d->vacc_ok[p >> 5] >> (p & 31) & 1)
			judge(sum, a->vacc[p], b->vacc[p], "vacc", p, program);
		for (unsigned k = 0; k < 8; k++)
			if (d->vmatch_ok[p >> 5] >> (p & 31) & 1)
				judge(sum, a->vmatch[p][k], b->vmatch[p][k],
				      "vmatch", p * 8 + k, program);
	}
}

static void compare_words(struct tally *sum, const uint64_t *a,
                          const uint64_t *b, size_t n, const char *what,
                          const char *program)
{
	for (size_t i = 0; i < n; i++) {
		judge(sum, a[i], b[i], what, i, program);
		sum->changed += a[i] != fill[i];
	}
}

static void compare(struct tally *sum, const struct side *a,
                    const struct side *b, const char *program)
{
	compare_state(sum, a->t, b->t, program);
	compare_rams(sum, a->t, b->t, program);
	compare_words(sum, a->t->sbuf, b->t->sbuf, tpb_sbuf_words(a->t), "sbuf",
	              program);
	compare_words(sum, a->t->psum, b->t->psum, tpb_psum_words(), "psum",
	              program);
	for (size_t i = 0; i < TOUCHED; i++) {
		uint64_t w = touched[i] - 1;

		if (touched[i] == 0)
			continue;
		judge(sum, dram_read(a->dram, w), dram_read(b->dram, w), "dram",
		      w, program);
		sum->changed++;
	}
}

static void report(const char *what, const struct tally *sum)
{
	print_message("%s: %llu elements equal, %llu words of memory written; "
	              "%llu vector elements, %llu DMA bytes\n",
	              what, (unsigned long long)sum->equal,
	              (unsigned long long)sum->changed,
	              (unsigned long long)sum->elements,
	              (unsigned long long)sum->bytes);
}

static void begin(struct side *s, int n, uint32_t part_bytes)
{
	size_t words;

	for (int k = 0; k < n; k++)
		s[k] = make(part_bytes);
	words = tpb_sbuf_words(s[0].t);
	if (words < tpb_psum_words())
		words = tpb_psum_words();
	fill = malloc(words * sizeof(*fill));
	assert_non_null(fill);
	fill_words(fill, words, FILL_RANDOM, 1, 0);
}

static void end(struct side *s, int n)
{
	for (int k = 0; k < n; k++)
		drop(&s[k]);
	free(fill);
}

/* ------------------------------------------------------------------ *
 * A given order.                                                     *
 * ------------------------------------------------------------------ */

/* Take the bundle back out of the issue stage before anything of it has
 * begun, as if the fetch port had been slow. */
static void hold(struct tpb *t, int e)
{
	struct tpb_engine_state *g = &t->s.engine[e];

	if (g->state != TPB_RUN_RUN || !g->x_valid ||
	    g->phase != TPB_PHASE_ISSUE)
		return;
	assert_true(!g->lsu_i0 && !g->lsu_i1);
	g->x_valid = 0;
	g->fetch_pc = g->pc + 1;
}

static bool dma_moves(const struct tpb *t)
{
	unsigned pending = t->s.dm_state != TPB_MOVER_IDLE;

	for (int q = 0; q < TPB_QUEUES; q++)
		pending |= t->s.q_busy[q] != 0 && !t->s.q_stop[q];
	return pending != 0;
}

/* Step until each engine of the mask has done with its bundle; the others
 * stand still. */
static void step_only(struct tpb *t, unsigned mask, const char *program)
{
	for (int cycles = 0; mask != 0 || dma_moves(t); cycles++) {
		for (int e = 0; e < TPB_ENGINES; e++)
			if (!(mask >> e & 1))
				hold(t, e);
		t->s.wd = 0;
		tpb_step(t);
		mask &= ~(unsigned)t->retired;
		for (int e = 0; e < TPB_ENGINES; e++)
			if (t->s.engine[e].state == TPB_RUN_FAULTED)
				mask &= ~(1u << e);
		if (cycles > 1000000)
			fail_msg("%s: engines %#x do not go on", program, mask);
	}
}

/* The engines that did something between the two. */
static unsigned went_on(const struct tpb_state *a, const struct tpb_state *b)
{
	unsigned mask = 0;

	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct tpb_engine_state *g = &a->engine[e];
		const struct tpb_engine_state *h = &b->engine[e];

		/* A jump to itself leaves the issue stage empty. */
		if (g->state == TPB_RUN_RUN &&
		    (h->state != TPB_RUN_RUN || h->pc != g->pc ||
		     (!h->x_valid && g->x_valid)))
			mask |= 1u << e;
	}
	return mask;
}

/* b goes on by a bundle, or a join, then a follows; until the end. */
static void follow(struct tally *sum, struct side *a, struct side *b,
                   uint64_t seed, const char *program)
{
	struct tpb_state before;
	struct tpb_run_count count;
	bool done = false;

	for (uint64_t i = 0; !done; i++) {
		struct tpb_run_order order = {
		    .bundles = 1, .backwards = fill_hash(seed, i) & 1};
		unsigned deadlocked = 0;

		assert_true(i < LIMIT);
		before = b->t->s;
		done = tpb_run(b->t, &order, &count);
		sum->elements += count.elements;
		sum->bytes += count.bytes;
		for (int e = 0; e < TPB_ENGINES; e++)
			if (b->t->s.engine[e].fault == TPB_FAULT_DEADLOCK)
				deadlocked |= 1u << e;
		step_only(a->t, went_on(&before, &b->t->s) & ~deadlocked,
		          program);
	}
	while (!tpb_done(a->t)) /* until the watchdog strikes, if it must */
		tpb_step(a->t);
}

/* ------------------------------------------------------------------ *
 * Random programs.                                                   *
 * ------------------------------------------------------------------ */

static uint64_t field(const uint8_t *b, int bytes)
{
	uint64_t v = 0;

	for (int i = 0; i < bytes; i++)
		v |= (uint64_t)b[i] << 8 * i;
	return v;
}

/* A side of a descriptor. */
struct runs {
	uint64_t base;
	int64_t step[2];
	int num[2];
	uint64_t bytes; /* of a run */
};

static struct runs runs_of(const uint8_t *d)
{
	struct runs r = {.base = field(d, 7), .bytes = field(d + 0x14, 2)};

	for (int i = 0; i < 2; i++) {
		r.step[i] = (int32_t)field(d + 8 + 4 * i, 4);
		r.num[i] = (int)field(d + 0x10 + 2 * i, 2);
	}
	if (r.bytes == 0)
		r.bytes = 65536;
	return r;
}

static uint64_t run_at(const struct runs *r, int64_t k)
{
	return r->base + (uint64_t)(k % r->num[0] * r->step[0] +
	                            k / r->num[0] * r->step[1]);
}

/* Do source and destination share a byte? */
static bool overlaps(const uint8_t *descriptor)
{
	struct runs s = runs_of(descriptor + 0x10);
	struct runs d = runs_of(descriptor + 0x28);

	for (int64_t i = 0; i < (int64_t)s.num[0] * s.num[1]; i++)
		for (int64_t k = 0; k < (int64_t)d.num[0] * d.num[1]; k++) {
			uint64_t a = run_at(&s, i), b = run_at(&d, k);

			if (a < b + d.bytes && b < a + s.bytes)
				return true;
		}
	return false;
}

/* How far the mover reads ahead of its writes is a matter of timing. */
static bool moves_onto_itself(const struct image *img)
{
	for (uint32_t i = 0; i < img->dma.ndescriptors; i++)
		if (overlaps(img->dma.descriptor[i]))
			return true;
	return false;
}

static void expect_ends(const struct side *s, const struct image *img,
                        const struct gen_end *want)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct tpb_engine_state *g = &s->t->s.engine[e];

		if (g->state != want[e].state || g->fault != want[e].fault)
			fail_msg("%s, engine %d: %s %s, should be %s %s",
			         img->name, e, isa_enum_text("run", g->state),
			         isa_enum_text("fault", g->fault),
			         isa_enum_text("run", want[e].state),
			         isa_enum_text("fault", want[e].fault));
	}
}

static const struct tpb_run_order orders[] = {{0},
                                              {.backwards = true, .late = true},
                                              {.turn = 1, .late = true},
                                              {.turn = 7, .backwards = true}};

#define ORDERS (sizeof(orders) / sizeof(*orders))

/* Whole runs: whatever races, the engines end as the generator says. */
static void run_whole(struct side *s, const struct image *img, uint64_t seed,
                      const struct gen_end *want)
{
	for (size_t i = 0; i < ORDERS; i++) {
		load(s, img, seed);
		fast(s->t, orders[i]);
		expect_ends(s, img, want);
	}
}

static void random_programs(void **state)
{
	struct gen_end want[TPB_ENGINES];
	struct tally sum = {0};
	struct side s[2];
	int found = 0, onto = 0;

	(void)state;
	begin(s, 2, PART_BYTES);
	for (uint64_t seed = 0; found < PROGRAMS; seed++) {
		struct gen_options opt = GEN_DEFAULTS;
		struct image *img;

		opt.sbuf_part_bytes = PART_BYTES;
		opt.cycles = 5000;
		opt.faults = seed % 3 == 2;
		img = gen_program(seed, &opt, want);
		run_whole(&s[1], img, seed, want);
		if (moves_onto_itself(img)) {
			onto++;
		} else {
			forget();
			load(&s[0], img, seed);
			load(&s[1], img, seed);
			follow(&sum, &s[0], &s[1], seed, img->name);
			compare(&sum, &s[0], &s[1], img->name);
			found++;
		}
		image_free(img);
	}
	end(s, 2);
	report("random programs", &sum);
	print_message("%d programs compared, %d more have DMA onto its own "
	              "source\n",
	              found, onto);
	assert_true(sum.elements > 0 && sum.bytes > 0 && sum.changed > 0);
}

/* ------------------------------------------------------------------ *
 * Programs that do not depend on timing.                             *
 * ------------------------------------------------------------------ */

static void compare_orders(struct tally *sum, struct side s[2],
                           const struct image *img)
{
	forget();
	load(&s[0], img, 1);
	while (!tpb_done(s[0].t)) {
		tpb_step(s[0].t);
		assert_true(s[0].t->cycle < LIMIT);
	}
	for (size_t i = 0; i < ORDERS; i++) {
		struct tpb_run_count count;

		load(&s[1], img, 1);
		count = fast(s[1].t, orders[i]);
		sum->elements += count.elements;
		sum->bytes += count.bytes;
		compare(sum, &s[0], &s[1], img->name);
	}
}

/* A kernel with its data, which its oracle makes. */
static struct image *kernel(const char *name)
{
	char path[64], data[64], command[96];
	FILE *f;

	snprintf(command, sizeof(command),
	         "scripts/oracle.sh kernels/%s >/dev/null", name);
	assert_int_equal(system(command), 0);
	snprintf(data, sizeof(data), "build/kernels/%s", name);
	snprintf(path, sizeof(path), "kernels/%s/%s.klr", name, name);
	f = fopen(path, "r");
	if (f)
		fclose(f);
	else
		snprintf(path, sizeof(path), "kernels/%s/%s.s", name, name);
	return cmd_load_data(path, data);
}

static void kernels(void **state)
{
	static const char *const name[] = {"sieve",    "collatz",  "matchmaker",
	                                   "top8",     "select",   "digits",
	                                   "pingpong", "histogram"};
	struct side s[2];

	(void)state;
	begin(s, 2, TPB_SBUF_BYTES_GEN3);
	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++) {
		struct image *img = kernel(name[i]);
		struct tally sum = {0};

		assert_non_null(img);
		compare_orders(&sum, s, img);
		report(name[i], &sum);
		image_free(img);
	}
	end(s, 2);
}

/* Every ending: exits, halts, each fault, deadlocks. */
static void conformance(void **state)
{
	struct tally sum = {0};
	struct side s[2];
	size_t refused = 0;
	glob_t g;

	(void)state;
	begin(s, 2, PART_BYTES);
	assert_int_equal(glob("tests/conformance/*.s", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct image *img = cmd_load(g.gl_pathv[i]);

		refused += !img || img->gen != 3;
		if (img && img->gen == 3) {
			forget();
			load(&s[0], img, i);
			load(&s[1], img, i);
			follow(&sum, &s[0], &s[1], i, img->name);
			compare(&sum, &s[0], &s[1], img->name);
		}
		image_free(img);
	}
	end(s, 2);
	report("conformance", &sum);
	print_message("%zu programs, %zu refused\n", g.gl_pathc, refused);
	assert_true(refused * 10 < g.gl_pathc);
	globfree(&g);
}

/* Patterns between straight ones and any: rows that begin in the middle of a
 * word, an odd run, pieces of different lengths, in place, a shift by one. */
static void patterns(void **state)
{
	static const char text[] =
	    "\t.engine DVE\n"
	    "\ttt in0_dtype=f32, in1_dtype=f32, out_dtype=f32, alu=add, "
	    "ch=128, src0=[0x400, 1:8, 9:4], src1=[0x800, 1:32], "
	    "dst=[0xC00, 1:8, 8:4]\n"
	    "\ttt in0_dtype=f32, in1_dtype=f32, out_dtype=f32, alu=mult, "
	    "ch=128, src0=[0x400, 1:7, 8:4], src1=[0x800, 1:28], "
	    "dst=[0xD00, 1:28]\n"
	    "\ttt in0_dtype=f32, in1_dtype=f32, out_dtype=f32, alu=max, "
	    "ch=128, src0=[0x400, 1:6, 8:4], src1=[0x800, 1:8, 10:3], "
	    "dst=[0xE00, 1:24]\n"
	    "\ttt in0_dtype=f32, in1_dtype=f32, out_dtype=f32, alu=subtract, "
	    "ch=128, src0=[0x400, 1:500], src1=[0x400, 1:500], "
	    "dst=[0x400, 1:500]\n"
	    "\ttt in0_dtype=f32, in1_dtype=f32, out_dtype=f32, alu=add, "
	    "ch=128, src0=[0x1000, 1:64], src1=[0x400, 1:64], "
	    "dst=[0x1004, 1:64]\n"
	    "\texit\n";
	struct image_error err = {0};
	struct image *img = asm_source(text, strlen(text), "patterns.s", &err);
	struct tally sum = {0};
	struct side s[2];

	(void)state;
	if (!img || !image_resolve(img, &err))
		fail_msg("%s: %s", err.place, err.text);
	begin(s, 2, PART_BYTES);
	compare_orders(&sum, s, img);
	assert_true(s[0].t->s.engine[TPB_ENGINE_DVE].state == TPB_RUN_EXITED);
	assert_true(sum.elements > 0);
	end(s, 2);
	image_free(img);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(patterns),
	    cmocka_unit_test(random_programs),
	    cmocka_unit_test(conformance),
	    cmocka_unit_test(kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
