/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases on RTL and model in lockstep, and in the oracle beside them.
 *
 * Many cases are one program of one engine.  When the last bundle of a case
 * has retired, the room with its destination, the accumulators and the ALU
 * flags of both sides are compared with the oracle's, and the elements of the
 * next case are put into the memories of all three: no bundle reads memory
 * before its second cycle.  At the end of the program SBUF and PSUM are
 * compared whole.
 */
#include "harness/conform.h"

#include "harness/fill.h"
#include "harness/lockstep_priv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Cycles around the beats of a bundle (docs/reference/vector.md, "W"). */
#define FIXED_CYCLES 7
/* A case that takes longer never ends. */
#define PATIENCE 20000

typedef char text_line[160];

struct conform_runner {
	struct lockstep *ls;
	struct conform_machine m;
	uint64_t seed, cycles;
	bool plant;
};

/* A program on its way. */
struct progress {
	struct conform_runner *r;
	struct lockstep *ls;
	struct conform_case *c;
	int n, at, bundle; /* cases, and where it stands */
	bool retires;
	uint64_t last;   /* cycle of the last retire */
	text_line *text; /* a case, "" when it passed */
};

/* ------------------------------------------------------------------ *
 * The oracle's memory.                                               *
 * ------------------------------------------------------------------ */

static uint64_t unified(uint32_t addr)
{
	return ADDR_SBUF + addr;
}

/* Address of a byte of a partition. */
static uint32_t address(bool psum, int part, uint32_t byte)
{
	return psum ? CONFORM_PSUM + ((uint32_t)part << 15) + byte
	            : ((uint32_t)part << 18) + byte;
}

static uint64_t oracle_word(struct conform_machine *m, uint32_t addr)
{
	const uint8_t *p = conform_at(m, addr, 0);

	return conform_get(p, 4) | (uint64_t)conform_get(p + 4, 4) << 32;
}

/* As before a run. */
static void refill(struct conform_runner *r, bool psum, uint32_t from,
                   uint32_t bytes)
{
	for (int p = 0; p < TPB_PARTITIONS; p++)
		for (uint32_t b = from; b < from + bytes; b += 8) {
			uint32_t a = address(psum, p, b);
			uint64_t w =
			    fill_word(FILL_RANDOM, r->seed, unified(a));

			conform_put(conform_at(&r->m, a, 0), 4, (uint32_t)w);
			conform_put(conform_at(&r->m, a + 4, 0), 4,
			            (uint32_t)(w >> 32));
		}
}

struct conform_runner *conform_runner_new(uint64_t seed, bool plant)
{
	struct conform_runner *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->seed = seed;
	r->plant = plant;
	r->ls = lockstep_new();
	r->m.part_bytes = rtl_sbuf_part_bytes();
	r->m.sbuf = malloc((size_t)TPB_PARTITIONS * r->m.part_bytes);
	r->m.psum = malloc((size_t)TPB_PARTITIONS * CONFORM_PSUM_BYTES);
	if (!r->ls || !r->m.sbuf || !r->m.psum) {
		conform_runner_free(r);
		return NULL;
	}
	refill(r, false, 0, r->m.part_bytes);
	refill(r, true, 0, CONFORM_PSUM_BYTES);
	return r;
}

void conform_runner_free(struct conform_runner *r)
{
	if (!r)
		return;
	lockstep_free(r->ls);
	free(r->m.sbuf);
	free(r->m.psum);
	free(r);
}

uint64_t conform_cycles(const struct conform_runner *r)
{
	return r->cycles;
}

/* The oracle after a reset.  Cases touch only their windows. */
static void reset_oracle(struct conform_runner *r, uint8_t fp8)
{
	for (int i = 0; i < 3; i++) {
		refill(r, false, conform_window(r->seed, i, r->m.part_bytes),
		       CONFORM_WINDOW);
		refill(r, true, conform_window(r->seed, i, CONFORM_PSUM_BYTES),
		       CONFORM_WINDOW);
	}
	memset(r->m.acc, 0, sizeof(r->m.acc));
	memset(r->m.match, 0, sizeof(r->m.match));
	r->m.flags = 0;
	r->m.fp8 = fp8;
}

/* ------------------------------------------------------------------ *
 * Before a case.                                                     *
 * ------------------------------------------------------------------ */

/* A word of the oracle to both sides. */
static void give(struct progress *g, uint32_t addr)
{
	uint64_t w = oracle_word(&g->r->m, addr & ~7u);
	uint64_t a = unified(addr & ~7u);

	*lockstep_word(g->ls, SIDE_RTL, a) = w;
	*lockstep_word(g->ls, SIDE_MODEL, a) = w;
	lockstep_log(g->ls, a, 1);
}

static uint32_t drawn(struct rng *rng, const struct conform_fill *f,
                      const struct conform_values *v)
{
	if (f->mask && rng_chance(rng, 50))
		return 0;
	/* A mask with a single bit set is true too. */
	if (f->mask && rng_chance(rng, 50))
		return 1u << rng_below(rng, 8 * isa_dtype_size(f->tag));
	return conform_value(rng, f->tag, v);
}

static void fill_channel(struct progress *g, const struct conform_fill *f,
                         struct rng *rng, int p)
{
	const struct conform_case *c = &g->c[g->at];
	int size = isa_dtype_size(f->tag);
	uint32_t n = 1;

	for (int d = 0; d < f->dims; d++)
		n *= f->count[d];
	for (uint32_t k = 0; k < n; k++) {
		uint32_t left = k, a = f->addr;

		for (int d = 0; d < f->dims; d++) {
			uint32_t i = left % f->count[d];
			left /= f->count[d];
			a += (uint32_t)(f->step[d] * size) * i;
		}
		conform_put(conform_at(&g->r->m, a, p), size,
		            drawn(rng, f, &c->values));
		a += (uint32_t)p << (a >= CONFORM_PSUM ? 15 : 18);
		give(g, a);
	}
}

static void begin_case(struct progress *g)
{
	const struct conform_case *c = &g->c[g->at];
	struct rng rng;

	rng_seed(&rng, fill_hash(c->seed, (uint64_t)c->combo << 20 |
	                                      (uint64_t)c->class << 12 |
	                                      (uint64_t)c->index));
	g->bundle = 0;
	for (int i = 0; i < c->nfills; i++)
		for (int p = 0; p < c->fill[i].ch; p++)
			fill_channel(g, &c->fill[i], &rng, p);
}

/* ------------------------------------------------------------------ *
 * After a case.                                                      *
 * ------------------------------------------------------------------ */

/* Only the first thing that is wrong with a case is told. */
static void failed(struct progress *g, const char *what, uint32_t place,
                   uint64_t machine, uint64_t oracle)
{
	if (!g->text[g->at][0])
		snprintf(g->text[g->at], sizeof(*g->text),
		         "%s 0x%" PRIX32 ": machine 0x%" PRIX64
		         ", oracle 0x%" PRIX64,
		         what, place, machine, oracle);
}

/* So many bytes from an address on, multiples of 8.  The words of a partition
 * are TPB_LANES apart on both sides. */
static void check_bytes(struct progress *g, uint32_t addr, uint32_t bytes)
{
	const uint8_t *oracle = conform_at(&g->r->m, addr, 0);
	uint64_t a = unified(addr);
	const uint64_t *rtl = lockstep_word(g->ls, SIDE_RTL, a);
	const uint64_t *model = lockstep_word(g->ls, SIDE_MODEL, a);

	for (uint32_t b = 0; b < bytes; b += 8) {
		uint64_t want, got = rtl[b / 8 * TPB_LANES];

		memcpy(&want, oracle + b, sizeof(want));
		if (got == want)
			got = model[b / 8 * TPB_LANES];
		if (got == want)
			continue;
		failed(g, "memory", addr + b, got, want);
		/* The cases after it start from what is right. */
		give(g, addr + b);
	}
}

/* The same bytes of so many partitions, line by line of the cache. */
static void check_area(struct progress *g, uint32_t addr, uint32_t bytes,
                       int partitions)
{
	uint32_t stride = addr >= CONFORM_PSUM ? 1u << 15 : 1u << 18;

	for (uint32_t b = 0; b < bytes; b += 64)
		for (int p = 0; p < partitions; p++)
			check_bytes(g, addr + (uint32_t)p * stride + b, 64);
}

static void check_units(struct progress *g)
{
	const struct conform_case *c = &g->c[g->at];
	const struct tpb_state *s = &g->ls->model->s;
	const uint32_t *acc = rtl_vacc(g->ls->rtl);
	uint8_t flags = s->engine[c->engine].alu_flags;

	if (flags != g->r->m.flags) {
		failed(g, "alu_flags", 0, flags, g->r->m.flags);
		g->r->m.flags = flags;
	}
	for (uint32_t p = 0; p < TPB_PARTITIONS; p++)
		if (s->dve.vacc_ok[p >> 5] >> (p & 31) & 1 &&
		    acc[p] != g->r->m.acc[p]) {
			failed(g, "accumulator", p, acc[p], g->r->m.acc[p]);
			g->r->m.acc[p] = acc[p];
		}
}

/* A wrong bit in what the oracle wants of some channel. */
static void plant(struct progress *g)
{
	const struct conform_case *c = &g->c[g->at];
	uint64_t h = fill_hash(c->seed, (uint64_t)c->index << 20 | c->dst);

	*conform_at(&g->r->m, c->dst, (int)(h % (uint64_t)c->ch)) ^=
	    (uint8_t)(1 << (h >> 32 & 7));
}

static void check_case(struct progress *g)
{
	const struct conform_case *c = &g->c[g->at];
	bool psum = c->dst >= CONFORM_PSUM;
	uint32_t stride = psum ? 1u << 15 : 1u << 18;
	uint32_t byte = (c->dst & (stride - 1)) - c->window[psum];
	/* The room that it lies in. */
	uint32_t from = c->dst - byte % CONFORM_ROOM;

	check_area(g, from, CONFORM_ROOM, c->ch);
	check_units(g);
}

/* ------------------------------------------------------------------ *
 * The run.                                                           *
 * ------------------------------------------------------------------ */

static void before_edge(void *ctx, struct lockstep *ls, uint64_t cycle,
                        const struct rtl_out *out)
{
	struct progress *g = ctx;

	(void)ls;
	if (cycle == 0)
		begin_case(g);
	g->retires = g->at < g->n && out->retire >> g->c[g->at].engine & 1;
}

static void after_edge(void *ctx, struct lockstep *ls, uint64_t cycle)
{
	struct progress *g = ctx;
	const struct conform_case *c = &g->c[g->at];
	const uint8_t *b;
	uint32_t beats;

	(void)ls;
	if (!g->retires)
		return;
	b = c->bundle[g->bundle];
	beats = conform_beats(b, TPB_LANES);
	if (beats && cycle - g->last != FIXED_CYCLES + beats &&
	    (!c->hazards || cycle - g->last < FIXED_CYCLES + beats))
		failed(g, "cycles of bundle", (uint32_t)g->bundle,
		       cycle - g->last, FIXED_CYCLES + beats);
	g->last = cycle;
	conform_execute(&g->r->m, b);
	if (++g->bundle < c->nbundles)
		return;
	if (g->r->plant)
		plant(g);
	check_case(g);
	if (++g->at < g->n)
		begin_case(g);
}

/* All cases in one stream; the last one wrong when it is not legal. */
static struct image *make_image(struct progress *g)
{
	uint8_t exit_bundle[TPB_BUNDLE] = {TPB_OP_EXIT, 0x10, [0x0C] = 1};
	struct image *img = image_new("conform");
	int e = g->c[0].engine;

	if (!img)
		return NULL;
	img->gen = rtl_gen();
	img->loaded = true;
	img->fp8_ocp = g->c[0].fp8 & CONFORM_OCP;
	img->fp8_saturate = g->c[0].fp8 & CONFORM_SATURATE;
	img->fp8_nan_suppress = g->c[0].fp8 & CONFORM_SUPPRESS;
	for (int i = 0; i < g->n; i++) {
		conform_make(&g->c[i], g->r->m.part_bytes);
		for (int k = 0; k < g->c[i].nbundles; k++)
			image_emit(img, e, g->c[i].bundle[k], 0, 0);
	}
	image_emit(img, e, exit_bundle, 0, 0);
	return img;
}

/* How a program ended before its end: the case at fault. */
static void blame(struct progress *g, const struct lockstep_result *res)
{
	const struct tpb_state *s = &g->ls->model->s;
	char *text = g->text[g->at];

	if (res->verdict == VERDICT_DIFFERS)
		snprintf(text, sizeof(*g->text),
		         "%s in cycle %" PRIu64 ": RTL 0x%" PRIX64
		         ", model 0x%" PRIX64,
		         res->what, res->bad_cycle, res->rtl, res->model);
	else if (res->verdict == VERDICT_FAULTED)
		snprintf(text, sizeof(*g->text), "fault %d of bundle %d",
		         s->engine[g->c[g->at].engine].fault, g->bundle);
	else
		snprintf(text, sizeof(*g->text), "does not end");
}

/* SBUF and PSUM of both sides against the oracle's; false with the place and
 * values in the text of case `at`. */
static bool check_whole(struct progress *g)
{
	for (int p = 0; p < TPB_PARTITIONS; p += TPB_LANES) {
		check_area(g, address(false, p, 0), g->r->m.part_bytes,
		           TPB_LANES);
		check_area(g, address(true, p, 0), CONFORM_PSUM_BYTES,
		           TPB_LANES);
	}
	return !g->text[g->at][0];
}

/* Cases from the first on; how many were settled, -1: out of memory.
 * *whole: the memories are right all over. */
static int run_program(struct progress *g, bool *whole)
{
	struct lockstep_options opt = {.seed = g->r->seed,
	                               .fill = FILL_RANDOM,
	                               .fill_seed = g->r->seed,
	                               .compare = true,
	                               .quick_memory = true};
	struct observer observer = {g, before_edge, after_edge};
	struct lockstep_result res;
	struct image *img = make_image(g);
	bool ran;

	if (!img)
		return -1;
	reset_oracle(g->r, g->c[0].fp8);
	opt.max_cycles = (uint64_t)g->n * PATIENCE;
	g->at = 0;
	g->last = 1; /* the first bundle issues in cycle 2 */
	g->ls->observer = &observer;
	ran = lockstep_run(g->ls, img, &opt, &res);
	g->ls->observer = NULL;
	image_free(img);
	if (!ran)
		return -1;
	g->r->cycles += res.cycles;
	*whole = true;
	if (res.verdict == VERDICT_PASS && g->at == g->n) {
		g->at = g->n - 1;
		if (!g->text[g->at][0])
			*whole = check_whole(g);
		return g->n;
	}
	if (g->at == g->n)
		g->at--;
	blame(g, &res);
	return g->at + 1;
}

static bool run_cases(struct conform_runner *r, struct conform_case *c, int n,
                      text_line *text)
{
	struct progress g = {.r = r, .ls = r->ls};
	bool whole;

	for (int i = 0, k; i < n; i += k) {
		g.c = c + i;
		g.n = n - i;
		g.text = text + i;
		memset(g.text, 0, (size_t)g.n * sizeof(*text));
		k = run_program(&g, &whole);
		if (k < 0)
			return false;
		/* Which of them wrote where it should not? */
		for (int j = 0; j < k && !whole && n > 1; j++)
			if (!run_cases(r, c + i + j, 1, text + i + j))
				return false;
	}
	return true;
}

bool conform_run(struct conform_runner *r, struct conform_case *c, int n,
                 conform_result_fn *fn, void *ctx)
{
	text_line *text = calloc((size_t)n, sizeof(*text));
	bool good = text && run_cases(r, c, n, text);

	for (int i = 0; i < n && good; i++)
		fn(ctx, &c[i], text[i][0] ? text[i] : NULL);
	free(text);
	return good;
}
