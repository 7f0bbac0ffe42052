/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb run`: a program on the fast path of the model (cmodel/run.h), without
 * RTL, comparison or cycles.
 *
 * The last line is
 *   RUN <name>: bundles=<n> elements=<n> outputs=<n> seconds=<s> seed=<n>
 * or FAIL and the reason.  Memories and registers hold the same fill as in
 * `tpb cosim --fill random`.
 */
#include "harness/cmd.h"

#include "cmodel/run.h"
#include "harness/clock.h"
#include "harness/dram.h"
#include "harness/fill.h"
#include "harness/lockstep_priv.h"
#include "harness/program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SEED 1
/* A program that spins for ever waits for nothing: nothing else ends it. */
#define DEFAULT_BUNDLES 10000000000

struct args {
	const char *file, *expect, *data;
	uint64_t seed, bundles;
};

struct fast {
	struct tpb *t;
	struct dram *dram;
	struct tpb_run_count count;
	double seconds;
};

/* ------------------------------------------------------------------ *
 * Loading.                                                           *
 * ------------------------------------------------------------------ */

/* One memory, row-major as the model has it (cmodel/tpb.h). */
static void fill_memory(uint64_t *m, size_t words, uint64_t base,
                        uint64_t stride, uint64_t seed)
{
	size_t part = words / TPB_PARTITIONS;

	for (size_t row = 0; row < TPB_PARTITIONS; row += TPB_LANES) {
		uint64_t lane[TPB_LANES];

		for (size_t l = 0; l < TPB_LANES; l++)
			lane[l] = base + (row + l) * stride;
		fill_rows(m + row * part, part, FILL_RANDOM, seed, lane);
	}
}

static bool load(struct fast *f, const struct image *img, uint64_t seed)
{
	struct tpb_config cfg = {.sbuf_part_bytes = rtl_sbuf_part_bytes()};

	program_model(&cfg, img);
	f->t = tpb_new(&cfg);
	f->dram = dram_new();
	if (!f->t || !f->dram) {
		cmd_error("MEM003", img->name,
		          "out of memory for the model; free some");
		return false;
	}
	f->t->dram = program_port(f->dram);
	fill_memory(f->t->sbuf, tpb_sbuf_words(f->t), ADDR_SBUF, 1u << 18,
	            seed);
	fill_memory(f->t->psum, tpb_psum_words(), ADDR_PSUM, 1u << 15, seed);
	dram_clear(f->dram, FILL_RANDOM, seed);
	program_tensors(f->dram, img);
	fill_state(&f->t->s, FILL_RANDOM, seed);
	tpb_reset(f->t);
	return true;
}

/* ------------------------------------------------------------------ *
 * The verdict.                                                       *
 * ------------------------------------------------------------------ */

/* 1: as expected, CMD_BAD or CMD_NEGATIVE negated otherwise, after saying
 * why. */
static int check_output(const struct fast *f, const struct image_tensor *t,
                        const char *dir)
{
	size_t size = 0, len = strlen(dir) + strlen(t->name) + 6;
	char *path = malloc(len), *want = NULL;
	uint8_t *have = malloc(t->size);
	uint64_t i = 0;
	int r = -CMD_BAD;

	if (!path || !have) {
		cmd_error("MEM002", t->name,
		          "out of memory; expect smaller outputs");
	} else {
		snprintf(path, len, "%s/%s.bin", dir, t->name);
		want = cmd_read_file(path, &size);
	}
	if (want && size != t->size) {
		cmd_error("EXP001", path,
		          "%zu bytes, the tensor has %" PRIu64 "; make it anew",
		          size, t->size);
	} else if (want) {
		dram_get(f->dram, t->addr, have, t->size);
		while (i < t->size && have[i] == (uint8_t)want[i])
			i++;
		r = i == t->size ? 1 : -CMD_NEGATIVE;
	}
	if (r == -CMD_NEGATIVE)
		printf("output %s, byte %" PRIu64 " (DRAM 0x%" PRIx64
		       "): has 0x%02x, expected 0x%02x\n",
		       t->name, i, t->addr + i, have[i], (uint8_t)want[i]);
	free(path);
	free(have);
	free(want);
	return r;
}

/* Number of outputs that are as expected, or as above. */
static int check_outputs(const struct fast *f, const struct image *img,
                         const char *dir)
{
	int checked = 0;

	for (int i = 0; dir && i < img->ntensors; i++) {
		int r;

		if (!img->tensor[i].output)
			continue;
		r = check_output(f, &img->tensor[i], dir);
		if (r < 0)
			return r;
		checked++;
	}
	return checked;
}

/* Every engine that did not exit, with its place; true when there is none. */
static bool all_exited(const struct fast *f, const struct image *img)
{
	bool good = true;

	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct tpb_engine_state *g = &f->t->s.engine[e];
		char place[96];

		if (g->state == TPB_RUN_EXITED || g->state == TPB_RUN_ABSENT)
			continue;
		good = false;
		printf("%s %s%s%s at %s\n", lockstep_engine[e],
		       isa_enum_text("run", g->state), g->fault ? " " : "",
		       g->fault ? isa_enum_text("fault", g->fault) : "",
		       image_place(img, e, g->pc, place, sizeof(place)));
	}
	return good;
}

static int fail(const struct fast *f, const struct image *img,
                const struct args *a, const char *why)
{
	printf("FAIL %s: bundles=%" PRIu64 " %s seed=%" PRIu64 "\n", img->name,
	       f->count.bundles, why, a->seed);
	return CMD_NEGATIVE;
}

static int judge(const struct fast *f, const struct image *img,
                 const struct args *a, bool ended)
{
	int outputs;

	if (!all_exited(f, img))
		return fail(f, img, a,
		            ended ? "end=not_all_exited" : "end=not_reached");
	outputs = check_outputs(f, img, a->expect);
	if (outputs == -CMD_BAD)
		return CMD_BAD;
	if (outputs < 0)
		return fail(f, img, a, "outputs=differ");
	printf("RUN %s: bundles=%" PRIu64 " elements=%" PRIu64
	       " outputs=%d seconds=%.6f seed=%" PRIu64 "\n",
	       img->name, f->count.bundles, f->count.elements, outputs,
	       f->seconds, a->seed);
	return CMD_OK;
}

static int run(const struct image *img, const struct args *a)
{
	struct tpb_run_order order = {.bundles = a->bundles};
	struct fast f = {0};
	int status = CMD_BAD;
	double start;
	bool ended;

	if (!lockstep_runnable(img))
		return CMD_BAD;
	if (load(&f, img, a->seed)) {
		start = clock_seconds();
		ended = tpb_run(f.t, &order, &f.count);
		f.seconds = clock_seconds() - start;
		status = judge(&f, img, a, ended);
	}
	tpb_free(f.t);
	dram_free(f.dram);
	return status;
}

/* ------------------------------------------------------------------ *
 * The command.                                                       *
 * ------------------------------------------------------------------ */

enum key { KEY_EXPECT = 256, KEY_DATA, KEY_BUNDLES };

static const struct argp_option options[] = {
    {"seed", 's', "N", 0, "seed of the fill (default 1)", 0},
    {"expect", KEY_EXPECT, "DIR", 0,
     "compare each output tensor with DIR/NAME.bin", 0},
    {"data", KEY_DATA, "DIR", 0,
     "where a kernel's data files are (default: that of --expect, or beside "
     "it)",
     0},
    {"max-bundles", KEY_BUNDLES, "N", 0,
     "give up after N bundles (default 10000000000, 0 never)", 0},
    {0}};

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case 's': return cmd_number("--seed", arg, &a->seed);
	case KEY_EXPECT: a->expect = arg; return 0;
	case KEY_DATA: a->data = arg; return 0;
	case KEY_BUNDLES: return cmd_number("--max-bundles", arg, &a->bundles);
	case ARGP_KEY_ARG:
		if (a->file) {
			cmd_error("USE012", arg,
			          "one program at a time; remove this");
			return ECANCELED;
		}
		a->file = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		cmd_error("USE013", "run",
		          "no program; write tpb run FILE.klr, FILE.s or "
		          "FILE.tpb");
		return ECANCELED;
	default: return ARGP_ERR_UNKNOWN;
	}
}

int cmd_run(int argc, char **argv)
{
	static const struct argp argp = {
	    options,
	    take,
	    "FILE.klr|FILE.s|FILE.tpb",
	    "Execute a program on the model without counting cycles, fast.",
	    NULL,
	    NULL,
	    NULL};
	struct args a = {.seed = DEFAULT_SEED, .bundles = DEFAULT_BUNDLES};
	int status = cmd_parse(&argp, argc, argv, &a);
	struct image *img;

	if (status != CMD_OK)
		return status;
	img = cmd_load_data(a.file, a.data ? a.data : a.expect);
	if (!img)
		return CMD_BAD;
	status = run(img, &a);
	image_free(img);
	return status;
}
