/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb cosim`: one program on RTL and model in lockstep, and the verdict.
 *
 * The last line is the PASS line, or a report is followed by a FAIL line and
 * one line that repeats the run (docs/reference/lockstep.md).
 */
#include "harness/cmd.h"
#include "harness/expect.h"
#include "harness/fill.h"
#include "harness/lockstep_priv.h"
#include "harness/plant.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SEED 1
/* A program that spins for ever is not a deadlock: no watchdog ends it. */
#define DEFAULT_MAX_CYCLES 1000000000
/* Each further job has a core and a model of its own, 60 MB. */
#define DEFAULT_MAX_JOBS 4
#define MAX_FAULTS 16

struct args {
	const char *file, *expect, *data, *save, *plant;
	struct lockstep_options opt;
	bool all_fills, list;
	struct expect_fault fault[MAX_FAULTS];
	const char *fault_text[MAX_FAULTS];
	int nfaults;
};

enum key {
	KEY_FILL = 256,
	KEY_EXPECT,
	KEY_EXPECT_FAULT,
	KEY_PLANT,
	KEY_WAVES,
	KEY_WAVES_FROM,
	KEY_WAVES_TO,
	KEY_TIMELINE,
	KEY_TIMELINE_FROM,
	KEY_TIMELINE_TO,
	KEY_MAX_CYCLES,
	KEY_LIST,
	KEY_STALLS,
	KEY_FILL_SEED,
	KEY_DATA,
	KEY_SAVE,
	KEY_JOBS
};

static const struct argp_option options[] = {
    {"seed", 's', "N", 0, "seed of the fill (default 1)", 0},
    {"fill", KEY_FILL, "0|1|random|all", 0,
     "what registers and memories hold at first (default all, one after "
     "the other)",
     0},
    {"fill-seed", KEY_FILL_SEED, "N", 0, "another seed for the memories' fill",
     0},
    {"expect", KEY_EXPECT, "DIR", 0,
     "compare each output tensor with DIR/NAME.bin", 0},
    {"data", KEY_DATA, "DIR", 0,
     "where a kernel's data files are (default: that of --expect, or beside "
     "it)",
     0},
    {"save", KEY_SAVE, "DIR", 0, "write each output tensor to DIR/NAME.bin", 0},
    {"expect-fault", KEY_EXPECT_FAULT, "ENGINE=CODE[@PC]", 0,
     "pass when the engine ends so; repeatable; HALTED is a code", 0},
    {"plant", KEY_PLANT, "FIELD[#I]@CYCLE[:rtl|model][^MASK]", 0,
     "flip bits of one field on one side", 0},
    {"waves", KEY_WAVES, "FILE.fst", 0,
     "write waves and a GTKWave layout of the end of the run", 0},
    {"waves-from", KEY_WAVES_FROM, "CYCLE", 0, "first cycle in the waves", 0},
    {"waves-to", KEY_WAVES_TO, "CYCLE", 0, "last cycle in the waves", 0},
    {"timeline", KEY_TIMELINE, "FILE.json", 0,
     "write who did what when, for ui.perfetto.dev", 0},
    {"timeline-from", KEY_TIMELINE_FROM, "CYCLE", 0,
     "first cycle in the timeline", 0},
    {"timeline-to", KEY_TIMELINE_TO, "CYCLE", 0, "last cycle in the timeline",
     0},
    {"max-cycles", KEY_MAX_CYCLES, "N", 0,
     "give up after N cycles (default 1000000000, 0 never)", 0},
    {"list-fields", KEY_LIST, NULL, 0, "print the compared fields", 0},
    {"stalls", KEY_STALLS, "SEED", 0, "random stalls of the DRAM port", 0},
    {"jobs", KEY_JOBS, "N", 0,
     "run a long program in N segments at a time (default: the processors, at "
     "most 4)",
     0},
    {0}};

static int bad_value(const char *option, const char *arg, const char *form)
{
	cmd_error("USE010", option, "'%s' is not a value; write %s", arg, form);
	return ECANCELED;
}

static int take_fill(struct args *a, const char *arg)
{
	a->all_fills = !strcmp(arg, "all");
	if (!strcmp(arg, "0"))
		a->opt.fill = FILL_ZERO;
	else if (!strcmp(arg, "1"))
		a->opt.fill = FILL_ONES;
	else if (!strcmp(arg, "random"))
		a->opt.fill = FILL_RANDOM;
	else if (!a->all_fills)
		return bad_value("--fill", arg, "0, 1, random or all");
	return 0;
}

static int take_fault(struct args *a, const char *arg)
{
	if (a->nfaults == MAX_FAULTS ||
	    !expect_fault_parse(arg, &a->fault[a->nfaults]))
		return bad_value("--expect-fault", arg,
		                 "as SP=DEADLOCK@12, at most 16 times");
	a->fault_text[a->nfaults++] = arg;
	return 0;
}

static int take_plant(struct args *a, const char *arg)
{
	char why[96];

	a->plant = arg;
	if (plant_parse(arg, &a->opt.plant, why, sizeof(why)))
		return 0;
	cmd_error("USE011", "--plant",
	          "'%s': %s; write FIELD[#I]@CYCLE[:rtl|model][^MASK]", arg,
	          why);
	return ECANCELED;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;
	uint64_t v;

	switch (key) {
	case 's': return cmd_number("--seed", arg, &a->opt.seed);
	case KEY_FILL: return take_fill(a, arg);
	case KEY_FILL_SEED:
		return cmd_number("--fill-seed", arg, &a->opt.fill_seed);
	case KEY_EXPECT: a->expect = arg; return 0;
	case KEY_DATA: a->data = arg; return 0;
	case KEY_SAVE: a->save = arg; return 0;
	case KEY_EXPECT_FAULT: return take_fault(a, arg);
	case KEY_PLANT: return take_plant(a, arg);
	case KEY_WAVES: a->opt.waves = arg; return 0;
	case KEY_WAVES_FROM:
		return cmd_number("--waves-from", arg, &a->opt.waves_from);
	case KEY_WAVES_TO:
		return cmd_number("--waves-to", arg, &a->opt.waves_to);
	case KEY_TIMELINE: a->opt.timeline = arg; return 0;
	case KEY_TIMELINE_FROM:
		return cmd_number("--timeline-from", arg,
		                  &a->opt.timeline_from);
	case KEY_TIMELINE_TO:
		return cmd_number("--timeline-to", arg, &a->opt.timeline_to);
	case KEY_MAX_CYCLES:
		return cmd_number("--max-cycles", arg, &a->opt.max_cycles);
	case KEY_LIST: a->list = true; return 0;
	case KEY_JOBS:
		if (cmd_range("--jobs", arg, 1, LOCKSTEP_MAX_JOBS, &v))
			return ECANCELED;
		a->opt.jobs = (int)v;
		return 0;
	case KEY_STALLS: return cmd_number("--stalls", arg, &a->opt.stalls);
	case ARGP_KEY_ARG:
		if (a->file) {
			cmd_error("USE012", arg,
			          "one program at a time; remove this");
			return ECANCELED;
		}
		a->file = arg;
		return 0;
	case ARGP_KEY_END:
		if (a->file || a->list)
			return 0;
		cmd_error("USE013", "cosim",
		          "no program; write tpb cosim FILE.klr, FILE.s or "
		          "FILE.tpb");
		return ECANCELED;
	default: return ARGP_ERR_UNKNOWN;
	}
}

/* The line that repeats the run, with everything that decides its course. */
static void print_repeat(const struct args *a)
{
	const struct lockstep_options *o = &a->opt;

	printf("repeat: tpb cosim %s --seed %" PRIu64 " --fill %s", a->file,
	       o->seed, fill_name(o->fill));
	if (o->fill_seed)
		printf(" --fill-seed %" PRIu64, o->fill_seed);
	if (o->max_cycles != DEFAULT_MAX_CYCLES)
		printf(" --max-cycles %" PRIu64, o->max_cycles);
	if (o->stalls)
		printf(" --stalls %" PRIu64, o->stalls);
	if (a->plant)
		printf(" --plant '%s'", a->plant);
	if (a->data)
		printf(" --data %s", a->data);
	if (a->expect)
		printf(" --expect %s", a->expect);
	for (int i = 0; i < a->nfaults; i++)
		printf(" --expect-fault %s", a->fault_text[i]);
	putchar('\n');
}

static int fail_differs(struct lockstep *ls, const struct image *img,
                        const struct args *a, const struct lockstep_result *res)
{
	lockstep_report(ls, img, &a->opt, res, stdout);
	printf("FAIL %s: cycle=%" PRIu64 " field=%s rtl=0x%" PRIx64
	       " model=0x%" PRIx64 " seed=%" PRIu64 "\n",
	       img->name, res->bad_cycle, res->what, res->rtl, res->model,
	       a->opt.seed);
	print_repeat(a);
	return CMD_NEGATIVE;
}

/* Every engine that did not end by its Exit, and why; then who waits for
 * whom when that is the reason. */
static void print_ends(struct lockstep *ls, const struct image *img)
{
	bool deadlock = false;
	struct tpb_state s;

	lockstep_state(ls, SIDE_RTL, &s);
	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct tpb_engine_state *q = &s.engine[e];
		char p[128], src[192], b[512] = "";

		if (q->state == TPB_RUN_EXITED || q->state == TPB_RUN_ABSENT)
			continue;
		if (q->pc < img->stream[e].len)
			isa_dis(img->stream[e].bundle[q->pc], ISA_LOADED, NULL,
			        b, sizeof(b));
		image_source(img, e, q->pc, src, sizeof(src));
		printf("%s %s%s%s at %s%s%s%s%.200s\n", lockstep_engine[e],
		       isa_enum_text("run", q->state), q->fault ? " " : "",
		       q->fault ? isa_enum_text("fault", q->fault) : "",
		       image_place(img, e, q->pc, p, sizeof(p)),
		       *src ? " " : "", src, *b ? ": " : "", b);
		deadlock |= q->fault == TPB_FAULT_DEADLOCK;
	}
	if (deadlock)
		lockstep_wait_chain(ls, img, stdout);
}

static int fail_ends(struct lockstep *ls, const struct image *img,
                     const struct args *a, const struct lockstep_result *res)
{
	struct tpb_state s;
	int e = 0;

	lockstep_state(ls, SIDE_RTL, &s);
	if (a->nfaults)
		expect_faults(ls, a->fault, a->nfaults, stdout);
	printf("FAIL %s: cycle=%" PRIu64, img->name, res->cycles);
	while (e < TPB_ENGINES - 1 && s.engine[e].state != TPB_RUN_FAULTED &&
	       s.engine[e].state != TPB_RUN_HALTED)
		e++;
	if (res->verdict == VERDICT_TIMEOUT)
		printf(" end=not_reached");
	else if (res->verdict == VERDICT_PASS)
		printf(" end=exited expected=fault");
	else
		printf(" engine=%s end=%s pc=%" PRIu32, lockstep_engine[e],
		       s.engine[e].state == TPB_RUN_HALTED
		           ? "HALTED"
		           : isa_enum_text("fault", s.engine[e].fault),
		       s.engine[e].pc);
	printf(" seed=%" PRIu64 "\n", a->opt.seed);
	print_repeat(a);
	return CMD_NEGATIVE;
}

/* All equal: do the ends of the engines and the outputs stand? */
static int judge(struct lockstep *ls, const struct image *img,
                 const struct args *a, const struct lockstep_result *res,
                 bool last, int *outputs)
{
	bool good = res->verdict == VERDICT_PASS;

	*outputs = 0;
	if (a->nfaults && res->verdict != VERDICT_TIMEOUT) {
		FILE *null = fopen("/dev/null", "w");
		good = null && expect_faults(ls, a->fault, a->nfaults, null);
		if (null)
			fclose(null);
	}
	if (res->verdict != VERDICT_PASS && (last || !good))
		print_ends(ls, img);
	if (!good)
		return fail_ends(ls, img, a, res);
	if (a->save && !expect_save(ls, img, a->save))
		return CMD_BAD;
	if (a->expect)
		*outputs = expect_outputs(ls, img, a->expect, stdout);
	if (*outputs == -1)
		return CMD_BAD;
	if (*outputs == -2) {
		printf("FAIL %s: cycle=%" PRIu64 " outputs=differ seed=%" PRIu64
		       "\n",
		       img->name, res->cycles, a->opt.seed);
		print_repeat(a);
		return CMD_NEGATIVE;
	}
	return CMD_OK;
}

static int run_fill(struct lockstep *ls, const struct image *img,
                    struct args *a, bool last)
{
	const char *waves = a->opt.waves, *timeline = a->opt.timeline;
	struct lockstep_result res;
	int outputs, status;
	bool ok;

	/* Waves and timeline show the last fill, or the one that fails. */
	if (!last)
		a->opt.waves = a->opt.timeline = NULL;
	ok = lockstep_run(ls, img, &a->opt, &res);
	a->opt.waves = waves;
	a->opt.timeline = timeline;
	if (ok && !last && (waves || timeline) &&
	    (res.verdict == VERDICT_DIFFERS ||
	     (res.verdict == VERDICT_FAULTED && !a->nfaults)))
		ok = lockstep_run(ls, img, &a->opt, &res);
	if (!ok)
		return CMD_BAD;
	if (res.verdict == VERDICT_DIFFERS)
		return fail_differs(ls, img, a, &res);
	if (a->opt.plant.on)
		return cmd_error("USE014", "--plant",
		                 "cycle %" PRIu64 " is not reached, the run "
		                 "has %" PRIu64 "; plant earlier",
		                 a->opt.plant.cycle, res.cycles);
	status = judge(ls, img, a, &res, last, &outputs);
	if (status != CMD_OK)
		return status;
	if (last)
		printf("PASS %s: cycles=%" PRIu64 " fields=%d compared=%" PRIu64
		       " writes=%" PRIu64 " outputs=%d digest=%016" PRIx64
		       " seed=%" PRIu64 "\n",
		       img->name, res.cycles, state_nelements, res.compared,
		       res.writes, outputs, res.digest, a->opt.seed);
	else
		printf("fill=%s: cycles=%" PRIu64 " writes=%" PRIu64
		       " outputs=%d digest=%016" PRIx64 "\n",
		       fill_name(a->opt.fill), res.cycles, res.writes, outputs,
		       res.digest);
	return CMD_OK;
}

static int run_all(const struct image *img, struct args *a)
{
	struct lockstep *ls = lockstep_new();
	int status = CMD_OK;

	if (!ls)
		return cmd_error("MEM003", a->file,
		                 "out of memory for both sides; free some");
	if (!a->all_fills) {
		status = run_fill(ls, img, a, true);
	} else {
		for (int f = FILL_ZERO; f <= FILL_RANDOM; f++) {
			a->opt.fill = (enum fill)f;
			status = run_fill(ls, img, a, f == FILL_RANDOM);
			if (status != CMD_OK)
				break;
		}
	}
	lockstep_free(ls);
	return status;
}

int cmd_cosim(int argc, char **argv)
{
	static const struct argp argp = {
	    options,
	    take,
	    "FILE.klr|FILE.s|FILE.tpb",
	    "Run a program on RTL and model in lockstep and compare them after "
	    "every cycle (docs/reference/lockstep.md).",
	    NULL,
	    NULL,
	    NULL};
	struct args a = {.all_fills = true,
	                 .opt = {.seed = DEFAULT_SEED,
	                         .max_cycles = DEFAULT_MAX_CYCLES,
	                         .jobs = cmd_cores(DEFAULT_MAX_JOBS),
	                         .compare = true}};
	struct image *img;
	int status = cmd_parse(&argp, argc, argv, &a);

	if (status != CMD_OK)
		return status;
	if (a.list)
		return cmd_fields(1, (char *[]){"fields", NULL});
	/* One fill is enough for a plant. */
	if (a.opt.plant.on && a.all_fills) {
		a.all_fills = false;
		a.opt.fill = FILL_RANDOM;
	}
	img = cmd_load_data(a.file, a.data ? a.data : a.expect);
	if (!img)
		return CMD_BAD;
	status = run_all(img, &a);
	image_free(img);
	return status;
}
