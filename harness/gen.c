/* SPDX-License-Identifier: Apache-2.0
 *
 * A random program as a whole.
 *
 *   0:  jump to main          (with functions)
 *       functions
 *   main:
 *       constants, data, events that stay set, fence
 *       one region of all engines
 *       Exit, or a fault
 *
 * An engine that is to fault leaves the region of all early: from there on
 * the others go on without it.
 */
#include "harness/gen_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t choose_engines(struct gen *g)
{
	static const int number[] = {1, 2, 2, 3, 3, 4, 4, 5, 5, 5};
	int n = g->bias.engines > 0 ? g->bias.engines
	                            : number[rng_below(&g->rng, 10)];
	uint8_t m = g->bias.must > 0 ? (uint8_t)g->bias.must : 0;

	while (gen_count(m) < n)
		m |= (uint8_t)(1u << rng_below(&g->rng, TPB_ENGINES));
	return m;
}

static void choose_known(struct gen *g, int e)
{
	static const uint32_t fixed[] = {0, 1,           0xFFFFFFFFu,
	                                 2, 0x7FFFFFFFu, 0x80000000u};

	for (int i = 0; i < NKNOWN; i++)
		g->known[e][i] = i < 6 ? fixed[i] : gen_value(g);
}

static void put_known(struct gen *g, int e)
{
	uint8_t b[TPB_BUNDLE];

	gen_begin(b, TPB_OP_REGISTER_MOVE);
	b[0x0C] = NKNOWN;
	b[0x0D] = TPB_DTYPE_INT32;
	b[0x0E] = TPB_SOURCE_IMM;
	for (int i = 0; i < NKNOWN; i++) {
		b[0x18 + i] = (uint8_t)(R_KNOWN + i);
		gen_word(b, 0x20 + 4 * i, g->known[e][i]);
	}
	gen_put(g, e, b, NULL);
}

/* Interesting values in most data registers. */
static void put_data(struct gen *g, int e)
{
	uint8_t b[TPB_BUNDLE];

	for (int r = 0; r < NDATA; r += 8) {
		gen_begin(b, TPB_OP_REGISTER_MOVE);
		b[0x0C] = 8;
		b[0x0D] = TPB_DTYPE_UINT32;
		b[0x0E] = TPB_SOURCE_IMM;
		for (int i = 0; i < 8; i++) {
			b[0x18 + i] = (uint8_t)(r + i);
			gen_word(b, 0x20 + 4 * i, gen_value(g));
		}
		gen_put(g, e, b, NULL);
	}
}

/* Events 4..7 of the still ones are set before anybody looks. */
static void put_still(struct gen *g)
{
	uint8_t b[TPB_BUNDLE];

	for (int i = 4; i < 8; i++) {
		uint8_t id = gen_id(g, IDS_STILL + i);
		struct sync s = {.update = TPB_UPDATE_EVT_SET_C,
		                 .update_id = id};
		g->evt[id] = true;
		gen_begin(b, TPB_OP_NOOP);
		gen_put(g, gen_any(g, g->all), b, &s);
	}
}

/* Fillers look at the still events: the fence must do without. */
static void first_fence(struct gen *g)
{
	uint8_t b[TPB_BUNDLE];

	for (int e = 0; e < TPB_ENGINES; e++)
		if (gen_has(g->all, e)) {
			gen_begin(b, TPB_OP_BARRIER);
			gen_put(g, e, b, NULL);
		}
}

static void prologue(struct gen *g)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		if (!gen_has(g->all, e))
			continue;
		put_known(g, e);
		put_data(g, e);
	}
	put_still(g);
	first_fence(g);
}

/* Jump over the functions. */
static void functions(struct gen *g)
{
	uint8_t b[TPB_BUNDLE];

	g->plain = true;
	for (int e = 0; e < TPB_ENGINES; e++)
		if (gen_has(g->all, e)) {
			gen_begin(b, TPB_OP_BRANCH);
			b[0x0E] = 3;
			gen_put(g, e, b, NULL);
		}
	g->plain = false;
	gen_functions(g);
	for (int e = 0; e < TPB_ENGINES; e++)
		if (gen_has(g->all, e)) {
			gen_land(g, e, 0);
			image_add_symbol(g->img, "main", e, gen_pc(g, e), false,
			                 false);
		}
}

static void put_exit(struct gen *g, int e)
{
	uint8_t b[TPB_BUNDLE];

	gen_payload(g, e, TPB_OP_EXIT, b);
	gen_put(g, e, b, NULL);
	g->end[e] = (struct gen_end){TPB_RUN_EXITED, TPB_FAULT_NONE};
}

static uint8_t choose_faulting(struct gen *g)
{
	uint8_t m = (uint8_t)(1u << gen_any(g, g->all));

	if (g->bias.culprit > 0)
		m = (uint8_t)(g->bias.culprit & g->all);
	if (rng_chance(&g->rng, g->bias.fault >= 0 ? 60 : 25))
		m |= g->all & (uint8_t)rng_u32(&g->rng);
	return m;
}

/* The rest of a run in which the engines of `bad` fault, one by one. */
static void fault_run(struct gen *g, struct region *r, uint8_t bad,
                      int64_t until)
{
	int64_t now = gen_time(g, g->all), room = until - now;
	uint8_t good = g->all & (uint8_t)~bad;
	bool dead = false;

	if (good) {
		struct region c = gen_open(g, r, good);
		gen_fence_ids(g, &c);
		gen_region(g, &c, until);
		gen_close(g, &c);
	}
	for (int e = 0; e < TPB_ENGINES; e++) {
		if (!gen_has(g->all, e))
			continue;
		if (gen_has(good, e)) {
			put_exit(g, e);
			continue;
		}
		struct region c = gen_open(g, r, (uint8_t)(1u << e));
		gen_fence_ids(g, &c);
		gen_region(g, &c, now + room * rng_below(&g->rng, 101) / 100);
		gen_close(g, &c);
		dead |= gen_fault(g, e);
	}
	for (int e = 0; e < TPB_ENGINES && dead; e++)
		if (gen_has(good, e))
			g->end[e] = (struct gen_end){TPB_RUN_FAULTED,
			                             TPB_FAULT_DEADLOCK};
}

static void body(struct gen *g)
{
	struct region r = {.engines = g->all,
	                   .first = IDS_MAIN,
	                   .end = IDS_END,
	                   .wipe_ok = true};
	int64_t until = g->opt->cycles;

	/* What counts is the end. */
	if (g->bias.fault >= 0)
		until /= 4;
	gen_fence_ids(g, &r);
	if (g->opt->faults) {
		uint8_t bad = choose_faulting(g);
		gen_region(g, &r, until * rng_below(&g->rng, 80) / 100);
		fault_run(g, &r, bad, until);
		return;
	}
	gen_region(g, &r, until);
	for (int e = 0; e < TPB_ENGINES; e++)
		if (gen_has(g->all, e))
			put_exit(g, e);
}

struct image *gen_program(uint64_t seed, const struct gen_options *opt,
                          struct gen_end end[TPB_ENGINES])
{
	struct gen *g = calloc(1, sizeof(*g));
	struct image *img;
	char name[32];

	if (!g) {
		fprintf(stderr, "tpb: error[GEN001]: generator: out of "
		                "memory; free some and try again\n");
		exit(2);
	}
	snprintf(name, sizeof(name), "fuzz-%016" PRIx64, seed);
	img = g->img = image_new(name);
	img->gen = opt->gen;
	img->loaded = true;
	img->fp8_ocp = seed & 8;
	img->fp8_saturate = seed >> 4 & 3;
	img->fp8_nan_suppress = !(seed >> 6 & 3);
	g->opt = opt;
	g->end = end;
	g->mult = 1;
	rng_seed(&g->rng, seed);
	gen_bias(&g->bias, opt->focus);
	for (int e = 0; e < TPB_ENGINES; e++)
		end[e] = (struct gen_end){TPB_RUN_ABSENT, TPB_FAULT_NONE};
	/* An aligned address too: gen_mem.c uses it as one. */
	img->rank = (rng_u32(&g->rng) & ~7u) | GEN_DRAM;
	g->all = choose_engines(g);
	g->rotate = rng_below(&g->rng, IDS_END);
	for (int e = 0; e < TPB_ENGINES; e++)
		choose_known(g, e);
	gen_pointers(g);
	gen_queues(g);
	functions(g);
	g->plain = true;
	prologue(g);
	g->plain = false;
	body(g);
	gen_put_queues(g);
	free(g);
	return img;
}
