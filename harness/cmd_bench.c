/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb bench FILE.s ...`: what lockstep costs, as ratios within one run.
 *
 * Each program runs for a fixed number of cycles in some ways: the verilated
 * core alone behind the smallest loop that feeds it, the model alone, both
 * stepped without comparing, both compared, and compared in as many segments
 * as there are processors (harness/segment.c).  Then the fast path (`tpb run`),
 * for as many bundles as retire in those cycles; and where these have vector
 * elements, a plain C loop that adds as many numbers, in arrays as large as
 * those of bench/dve_stream.s.  Programs of the bench do not touch DRAM and
 * outlast the cycles.
 *
 * The ways take turns, round by round.  A ratio is that of two ways in one
 * round, so that a slow moment of the host hits both; the median of the rounds
 * is printed, and where the middle half of them lies.
 *
 * `tpb bench --data=DIR K.klr` takes a kernel instead, from reset to its end:
 * its core alone stands behind the DRAM and DMA ports of lockstep.  Loading is
 * never timed but for what a segment loads of its own.
 */
#include "harness/cmd.h"

#include "cmodel/run.h"
#include "harness/bench_loop.h"
#include "harness/clock.h"
#include "harness/lockstep.h"
#include "harness/program.h"
#include "harness/rtl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_DATA = 256 };
enum way { BARE, MODEL, NO_COMPARE, LOCKSTEP, SEGMENTS, FAST, PLAIN, WAYS };

#define MAX_ROUNDS 31
#define PLAIN_SIZE (128u * 512u) /* numbers of an array */

struct bench {
	uint64_t cycles;
	uint64_t bundles;  /* retired in these cycles */
	uint64_t elements; /* of them */
	int rounds;
	int jobs;
	const char *data; /* directory of a kernel's data */
	bool whole;       /* a kernel, run to its end */
	float *array;     /* three times PLAIN_SIZE */
	struct image *img;
	struct rtl *rtl;
	struct tpb *model;
	struct lockstep *lockstep;
};

/* The core alone: fetch answers and nothing else. */
static void run_bare(struct bench *b)
{
	static const uint8_t none[TPB_BUNDLE];
	struct rtl_in in = {.dram_ready = true};
	struct rtl_program p = program_rtl(b->img);
	struct rtl_out out;

	rtl_load(b->rtl, &p);
	rtl_reset(b->rtl);
	for (uint64_t c = 0; c < b->cycles; c++) {
		rtl_outputs(b->rtl, &out);
		rtl_edge(b->rtl, &in);
		for (int e = 0; e < TPB_ENGINES; e++) {
			uint32_t pc = out.fetch_pc[e];
			in.fetch_data[e] = NULL;
			if (out.fetch_en >> e & 1)
				in.fetch_data[e] =
				    pc < p.len[e] ? b->img->stream[e].bundle[pc]
				                  : none;
		}
	}
}

static void run_model(struct bench *b)
{
	tpb_reset(b->model);
	for (uint64_t c = 0; c < b->cycles; c++)
		tpb_step(b->model);
}

static void run_fast(struct bench *b)
{
	struct tpb_run_order order = {.bundles = b->bundles};
	struct tpb_run_count count;

	tpb_reset(b->model);
	tpb_run(b->model, &order, &count);
	b->elements = count.elements;
}

/* How much work the cycles are. */
static void weigh(struct bench *b)
{
	b->bundles = 0;
	tpb_reset(b->model);
	for (uint64_t c = 0; c < b->cycles; c++) {
		tpb_step(b->model);
		b->bundles += (uint64_t)__builtin_popcount(b->model->retired);
	}
	b->bundles += b->bundles == 0; /* 0 would mean no limit */
	run_fast(b);
}

static void run_plain(const struct bench *b)
{
	float *a = b->array;

	for (uint64_t left = b->elements; left != 0;) {
		uint64_t n = left < PLAIN_SIZE ? left : PLAIN_SIZE;

		bench_loop(n, a, a + PLAIN_SIZE, a + 2 * PLAIN_SIZE);
		left -= n;
	}
}

/* Seconds, negative on an error. */
static double run_both(struct bench *b, bool compare, int jobs)
{
	struct lockstep_options opt = {.seed = 1,
	                               .jobs = jobs,
	                               .max_cycles = b->whole ? 0 : b->cycles,
	                               .compare = compare,
	                               .quick_memory = true};
	struct lockstep_result res;

	if (!lockstep_run(b->lockstep, b->img, &opt, &res) ||
	    res.verdict != (b->whole ? VERDICT_PASS : VERDICT_TIMEOUT))
		return -1;
	b->cycles = res.cycles;
	return res.seconds;
}

static uint64_t no_read(void *ctx, uint64_t word)
{
	(void)ctx;
	(void)word;
	return 0;
}

static void no_write(void *ctx, uint64_t word, uint64_t data, uint8_t mask)
{
	(void)ctx;
	(void)word;
	(void)data;
	(void)mask;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool set_up(struct bench *b)
{
	struct tpb_config cfg = {.sbuf_part_bytes = rtl_sbuf_part_bytes()};
	struct rtl_program p = program_rtl(b->img);

	program_model(&cfg, b->img);
	b->rtl = rtl_new(&p);
	b->model = tpb_new(&cfg);
	b->lockstep = lockstep_new();
	b->array = calloc(3 * (size_t)PLAIN_SIZE, sizeof(*b->array));
	if (!b->rtl || !b->model || !b->lockstep || !b->array)
		return false;
	b->model->dram = (struct tpb_dram){.read = no_read, .write = no_write};
	b->model->dram_ready = true;
	return true;
}

/* The fast path from reset to the end of a kernel. */
static double run_kernel(struct bench *b, const struct lockstep_options *opt)
{
	struct tpb_run_order order = {0};
	struct tpb_run_count count;
	double start;

	if (lockstep_alone(b->lockstep, b->img, opt, false, 0) < 0)
		return -1;
	start = clock_seconds();
	tpb_run(lockstep_model(b->lockstep), &order, &count);
	b->elements = count.elements;
	return clock_seconds() - start;
}

/* Seconds of one way, negative on an error. */
static double seconds(struct bench *b, enum way w)
{
	struct lockstep_options opt = {.seed = 1};
	double start = clock_seconds();

	switch (w) {
	case NO_COMPARE:
	case LOCKSTEP: return run_both(b, w == LOCKSTEP, 1);
	case SEGMENTS: return run_both(b, true, b->jobs);
	case PLAIN: run_plain(b); break;
	case BARE:
	case MODEL:
		if (b->whole)
			return lockstep_alone(b->lockstep, b->img, &opt,
			                      w == BARE, b->cycles);
		if (w == BARE)
			run_bare(b);
		else
			run_model(b);
		break;
	default:
		if (b->whole)
			return run_kernel(b, &opt);
		run_fast(b);
	}
	return clock_seconds() - start;
}

/* Seconds of a way in a round. */
typedef double table[WAYS][MAX_ROUNDS];

static bool measure(struct bench *b, table t)
{
	if (b->whole ? run_both(b, true, 1) < 0 : (weigh(b), false))
		return false;
	for (int r = -1; r < b->rounds; r++) {
		for (int w = 0; w < WAYS; w++) {
			double s = seconds(b, (enum way)w);
			if (s < 0)
				return false;
			if (r >= 0) /* round -1 warms up */
				t[w][r] = s;
		}
	}
	return true;
}

/* Quartiles over the rounds of the time of way w, in times of way v (or, with
 * v == WAYS, in seconds). */
struct quartiles {
	double low, median, high;
};

static struct quartiles ratio(const struct bench *b, table t, int w, int v)
{
	double x[MAX_ROUNDS] = {0};
	int n = b->rounds;

	for (int r = 0; r < n; r++)
		x[r] = t[w][r] / (v == WAYS ? 1 : t[v][r]);
	qsort(x, (size_t)n, sizeof(double), ascending);
	return (struct quartiles){x[n / 4], x[n / 2], x[n - 1 - n / 4]};
}

static void print_ratio(const char *name, struct quartiles q, double base,
                        double scale, const char *unit)
{
	printf("  %-18s %21.2f %s (%.2f to %.2f)\n", name,
	       scale * (q.median - base), unit, scale * (q.low - base),
	       scale * (q.high - base));
}

static void print(const char *path, const struct bench *b, table t)
{
	char jobs[32];
	const char *const name[WAYS] = {
	    "bare RTL", "model alone", "both, no compare", "lockstep",
	    jobs,       "tpb run",     "plain C loop"};
	double cycles = 1e-6 * (double)b->cycles;

	snprintf(jobs, sizeof(jobs), "lockstep, %d jobs", b->jobs);
	printf("%s: %llu cycles, %d rounds\n", path,
	       (unsigned long long)b->cycles, b->rounds);
	printf("  %-18s %8s   %s\n", "", "Mcycle/s",
	       "x the time of bare RTL (middle half)");
	for (int w = 0; w < (b->elements ? WAYS : PLAIN); w++) {
		struct quartiles q = ratio(b, t, w, BARE);

		printf("  %-18s %8.3f   %8.3f x (%.3f to %.3f)\n", name[w],
		       cycles / ratio(b, t, w, WAYS).median, q.median, q.low,
		       q.high);
	}
	print_ratio("comparing adds", ratio(b, t, LOCKSTEP, NO_COMPARE), 1, 100,
	            "%");
	print_ratio("bare over model", ratio(b, t, BARE, MODEL), 0, 1, "x");
	print_ratio("bare over tpb run", ratio(b, t, BARE, FAST), 0, 1, "x");
	if (b->elements) {
		print_ratio("C loop over tpb run", ratio(b, t, PLAIN, FAST), 0,
		            1, "x");
		printf("  %-18s %21.0f M a second\n", "elements in tpb run",
		       1e-6 * (double)b->elements /
		           ratio(b, t, FAST, WAYS).median);
	}
	fflush(stdout);
}

static int bench_one(struct bench *b, const char *path)
{
	static table t;
	int status = CMD_BAD;

	size_t len = strlen(path);

	b->whole = len > 4 && !strcmp(path + len - 4, ".klr");
	b->img = cmd_load_data(path, b->data);
	if (!b->img)
		return CMD_BAD;
	if (!set_up(b)) {
		cmd_error("BEN001", path, "out of memory; free some");
	} else if (!measure(b, t)) {
		cmd_error("BEN002", path,
		          "the program ended or differed; use one that "
		          "outlasts the cycles");
	} else {
		print(path, b, t);
		status = CMD_OK;
	}
	rtl_free(b->rtl);
	tpb_free(b->model);
	lockstep_free(b->lockstep);
	free(b->array);
	image_free(b->img);
	return status;
}

struct arguments {
	struct bench bench;
	int status;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	uint64_t v;

	switch (key) {
	case 'c':
		if (!cmd_u64(arg, &a->bench.cycles) || !a->bench.cycles)
			return EINVAL;
		return 0;
	case 'r':
		if (!cmd_u64(arg, &v) || v < 1 || v > MAX_ROUNDS)
			return EINVAL;
		a->bench.rounds = (int)v;
		return 0;
	case 'j':
		if (cmd_range("--jobs", arg, 1, LOCKSTEP_MAX_JOBS, &v))
			return ECANCELED;
		a->bench.jobs = (int)v;
		return 0;
	case KEY_DATA: a->bench.data = arg; return 0;
	case ARGP_KEY_ARG:
		v = a->bench.cycles; /* a kernel puts its own there */
		a->status |= bench_one(&a->bench, arg);
		a->bench.cycles = v;
		return 0;
	case ARGP_KEY_NO_ARGS: return EINVAL;
	default: return ARGP_ERR_UNKNOWN;
	}
}

int cmd_bench(int argc, char **argv)
{
	static const struct argp_option options[] = {
	    {"cycles", 'c', "N", 0, "cycles a run (500000)", 0},
	    {"rounds", 'r', "N", 0, "rounds, 1..31 (11)", 0},
	    {"jobs", 'j', "N", 0, "segments at a time (the processors)", 0},
	    {"data", KEY_DATA, "DIR", 0, "where a kernel's data files are", 0},
	    {0}};
	static const struct argp argp = {
	    options, parse, "FILE...", "Measure what lockstep costs.",
	    NULL,    NULL,  NULL};
	struct arguments a = {.bench = {.cycles = 500000,
	                                .rounds = 11,
	                                .jobs = cmd_cores(LOCKSTEP_MAX_JOBS)}};

	if (cmd_parse(&argp, argc, argv, &a) != CMD_OK)
		return CMD_BAD;
	return a.status;
}
