/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb fuzz`: random programs in lockstep (docs/user/fuzzing.md).
 *
 * The campaign goes in rounds.  What a round runs depends on the seed and
 * on the coverage of the rounds before it, never on the number of processes:
 * program i of the campaign is the same program always, and digests and
 * counts are put together in the order of i.
 */
#include "harness/cmd.h"
#include "harness/digest.h"
#include "harness/fill.h"
#include "harness/fuzz.h"
#include "harness/lockstep_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUND 96
#define MAX_JOBS 64
/* One program in so many is watched in each cycle and aims at a bin: to
 * watch all would cost more than it tells. */
#define WATCHED 4
#define USUAL_CYCLES 8500 /* of a program: sizes the rounds */

struct args {
	uint64_t seed, cycles, programs, faults, jobs;
	uint64_t replay, focus;
	const char *keep;
	bool replaying, shrink, quiet;
	int fill; /* of a replay */
	uint64_t fill_seed;
};

/* What parent and workers share. */
struct shared {
	struct fuzz_program program[ROUND];
	struct fuzz_result result[ROUND];
	int n;       /* programs of this round */
	bool memory; /* the memories as a whole differ after a round */
	/* The last one is the sum. */
	struct coverage coverage[MAX_JOBS + 1];
};

struct worker {
	pid_t pid;
	int to, from; /* pipes: a byte starts a round, a byte ends it */
};

struct campaign {
	const struct args *args;
	struct shared *shared;
	struct worker worker[MAX_JOBS];
	int jobs;
	struct lockstep *ls; /* of a campaign without workers */
	uint64_t programs, cycles, compared, writes, retired, digest;
	int rounds;
	int aim; /* next bin to aim at */
};

enum key {
	KEY_FAULTS = 256,
	KEY_KEEP,
	KEY_REPLAY,
	KEY_FOCUS,
	KEY_FILL,
	KEY_FILL_SEED,
	KEY_SHRINK
};

static const struct argp_option options[] = {
    {"seed", 's', "N", 0, "seed of the campaign (default 1)", 0},
    {"cycles", 'c', "N", 0, "at least so many cycles (default 1000000)", 0},
    {"programs", 'p', "N", 0, "at least so many programs (default 1)", 0},
    {"faults", KEY_FAULTS, "PCT", 0,
     "percent of the programs that end by faults (default 20)", 0},
    {"jobs", 'j', "N", 0, "processes (default: one a processor)", 0},
    {"quiet", 'q', NULL, 0, "no progress, no coverage list", 0},
    {"keep", KEY_KEEP, "DIR", 0,
     "where the image of a failing program goes (default .)", 0},
    {"shrink", KEY_SHRINK, NULL, 0, "make a failing program smaller", 0},
    {"replay", KEY_REPLAY, "SEED", 0, "run one program of a campaign", 0},
    {"focus", KEY_FOCUS, "BIN", 0, "coverage bin the replayed one aims at", 0},
    {"fill", KEY_FILL, "0|1|random", 0, "fill of a replay", 0},
    {"fill-seed", KEY_FILL_SEED, "N", 0, "its fill seed", 0},
    {0}};

static error_t take_fill(struct args *a, const char *arg)
{
	for (int f = FILL_ZERO; f <= FILL_RANDOM; f++)
		if (!strcmp(arg, fill_name((enum fill)f))) {
			a->fill = f;
			return 0;
		}
	cmd_error("USE040", "--fill",
	          "'%s' is not a value; write 0, 1 or "
	          "random",
	          arg);
	return ECANCELED;
}

static error_t take_keep(struct args *a, const char *arg)
{
	struct stat st;

	a->keep = arg;
	if (!stat(arg, &st) && S_ISDIR(st.st_mode))
		return 0;
	cmd_error("USE041", arg, "no such directory; make it first");
	return ECANCELED;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case 's': return cmd_range("--seed", arg, 0, UINT64_MAX, &a->seed);
	case 'c': return cmd_range("--cycles", arg, 0, UINT64_MAX, &a->cycles);
	case 'p':
		return cmd_range("--programs", arg, 0, UINT64_MAX,
		                 &a->programs);
	case 'j': return cmd_range("--jobs", arg, 1, MAX_JOBS, &a->jobs);
	case 'q': a->quiet = true; return 0;
	case KEY_FAULTS: return cmd_range("--faults", arg, 0, 100, &a->faults);
	case KEY_KEEP: return take_keep(a, arg);
	case KEY_SHRINK: a->shrink = true; return 0;
	case KEY_REPLAY:
		a->replaying = true;
		return cmd_range("--replay", arg, 0, UINT64_MAX, &a->replay);
	case KEY_FOCUS:
		return cmd_range("--focus", arg, 0, COVERAGE_BINS - 1,
		                 &a->focus);
	case KEY_FILL: return take_fill(a, arg);
	case KEY_FILL_SEED:
		return cmd_range("--fill-seed", arg, 0, UINT64_MAX,
		                 &a->fill_seed);
	case ARGP_KEY_ARG:
		cmd_error("USE042", arg, "fuzz takes no program; remove this");
		return ECANCELED;
	default: return ARGP_ERR_UNKNOWN;
	}
}

/* ------------------------------------------------------------------ *
 * Workers.                                                           *
 * ------------------------------------------------------------------ */

/* Run the share of job j. */
static void work(struct shared *s, struct lockstep *ls, int j, int jobs)
{
	struct lockstep_result whole;

	for (int i = j; i < s->n; i += jobs) {
		s->result[i] = fuzz_run(ls, &s->program[i], &s->coverage[j],
		                        i % WATCHED == 0, NULL, NULL);
		if (s->result[i].end != FUZZ_GOOD)
			return;
	}
	if (!lockstep_check_memories(ls, &whole))
		s->memory = true;
}

static void worker_main(struct shared *s, int to, int from, int j, int jobs)
{
	struct lockstep *ls = lockstep_new();
	char c = 0;

	while (ls && read(to, &c, 1) == 1) {
		work(s, ls, j, jobs);
		if (write(from, &c, 1) != 1)
			break;
	}
	/* The parent's buffers are not ours to write out. */
	_exit(ls ? 0 : 1);
}

static bool start_worker(struct campaign *c, int j)
{
	struct worker *w = &c->worker[j];
	int down[2], up[2];

	if (pipe(down) || pipe(up))
		return false;
	fflush(NULL);
	w->pid = fork();
	if (w->pid < 0)
		return false;
	if (w->pid == 0) {
		/* Ends of the others would keep them alive. */
		for (int k = 0; k < j; k++) {
			close(c->worker[k].to);
			close(c->worker[k].from);
		}
		close(down[1]);
		close(up[0]);
		worker_main(c->shared, down[0], up[1], j, c->jobs);
	}
	close(down[0]);
	close(up[1]);
	w->to = down[1];
	w->from = up[0];
	return true;
}

static void stop_workers(struct campaign *c)
{
	for (int j = 0; j < c->jobs && c->jobs > 1; j++) {
		if (!c->worker[j].pid)
			continue;
		close(c->worker[j].to);
		close(c->worker[j].from);
		waitpid(c->worker[j].pid, NULL, 0);
	}
}

/* Alone, a campaign is one process: easier to look into. */
static bool start(struct campaign *c)
{
	c->shared = mmap(NULL, sizeof(*c->shared), PROT_READ | PROT_WRITE,
	                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->shared == MAP_FAILED)
		return false;
	if (c->jobs == 1)
		return (c->ls = lockstep_new()) != NULL;
	/* A worker that is gone shall be reported, not end this process. */
	signal(SIGPIPE, SIG_IGN);
	for (int j = 0; j < c->jobs; j++)
		if (!start_worker(c, j))
			return false;
	return true;
}

/* A round on all workers; false when one of them is gone. */
static bool run_round(struct campaign *c)
{
	bool alive = true;
	char byte = 0;

	if (c->jobs == 1) {
		work(c->shared, c->ls, 0, 1);
		return true;
	}
	for (int j = 0; j < c->jobs; j++)
		alive &= write(c->worker[j].to, &byte, 1) == 1;
	for (int j = 0; j < c->jobs; j++)
		alive &= read(c->worker[j].from, &byte, 1) == 1;
	return alive;
}

/* ------------------------------------------------------------------ *
 * Rounds.                                                            *
 * ------------------------------------------------------------------ */

static uint64_t left_of(uint64_t goal, uint64_t done)
{
	return goal > done ? goal - done : 0;
}

/* Enough for the rest, at least three rounds: each fill once. */
static int round_size(const struct campaign *c)
{
	uint64_t want = left_of(c->args->cycles, c->cycles) / USUAL_CYCLES;
	uint64_t more = left_of(c->args->programs, c->programs);

	want = want > more ? want : more;
	if (c->rounds < 3)
		want /= (uint64_t)(3 - c->rounds);
	return want < 1 ? 1 : want > ROUND ? ROUND : (int)want;
}

/* The next bin that was met least often so far. */
static int next_aim(struct campaign *c)
{
	const struct coverage *sum = &c->shared->coverage[MAX_JOBS];
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < COVERAGE_BINS; i++)
		if (sum->hits[i] < least)
			least = sum->hits[i];
	for (int i = 0; i < COVERAGE_BINS; i++) {
		c->aim = (c->aim + 1) % COVERAGE_BINS;
		if (sum->hits[c->aim] <= 2 * least)
			return c->aim;
	}
	return -1;
}

static void plan_round(struct campaign *c)
{
	struct shared *s = c->shared;

	s->n = round_size(c);
	memset(s->result, 0, sizeof(s->result));
	for (int i = 0; i < s->n; i++) {
		uint64_t seed =
		    fill_hash(c->args->seed, c->programs + (uint64_t)i);
		int focus = i % WATCHED == 0 && c->rounds ? next_aim(c) : -1;

		s->result[i].end = FUZZ_BROKEN;
		s->program[i] =
		    fuzz_program(seed, (int)c->args->faults, focus,
		                 (enum fill)(c->rounds % 3), c->args->seed);
	}
}

/* Sum up the round; the index of the first program that failed, or -1. */
static int merge_round(struct campaign *c)
{
	struct shared *s = c->shared;
	struct coverage *sum = &s->coverage[MAX_JOBS];

	for (int i = 0; i < s->n; i++) {
		const struct fuzz_result *r = &s->result[i];

		if (r->end != FUZZ_GOOD)
			return i;
		c->programs++;
		c->cycles += r->cycles;
		c->compared += r->compared;
		c->writes += r->writes;
		c->retired += r->retired;
		c->digest = digest_fold(c->digest, r->digest);
	}
	for (int j = 0; j < c->jobs; j++) {
		for (int i = 0; i < COVERAGE_BINS; i++)
			sum->hits[i] += s->coverage[j].hits[i];
		memset(&s->coverage[j], 0, sizeof(s->coverage[j]));
	}
	c->rounds++;
	return -1;
}

/* ------------------------------------------------------------------ *
 * A failing program.                                                 *
 * ------------------------------------------------------------------ */

static void print_replay(const struct args *a, const struct fuzz_program *p)
{
	printf("repeat: tpb fuzz --replay %" PRIu64 " --faults %" PRIu64,
	       p->seed, a->faults);
	if (p->focus >= 0)
		printf(" --focus %d", p->focus);
	printf(" --fill %s --fill-seed %" PRIu64 "\n", fill_name(p->opt.fill),
	       p->opt.fill_seed);
}

static void print_cosim(const struct fuzz_program *p, const char *path)
{
	const struct lockstep_options *o = &p->opt;

	printf("repeat: tpb cosim %s --seed %" PRIu64
	       " --fill %s --fill-seed %" PRIu64,
	       path, o->seed, fill_name(o->fill), o->fill_seed);
	if (o->stalls)
		printf(" --stalls %" PRIu64, o->stalls);
	putchar('\n');
}

static const char *save(const struct args *a, const struct image *img,
                        const char *suffix, char *path, size_t size)
{
	struct image_error err;

	snprintf(path, size, "%s/%s%s.tpb", a->keep, img->name, suffix);
	if (image_write(img, path, &err))
		return path;
	cmd_image_error(&err);
	return NULL;
}

/* How engines ended, how they should have, and who waited for whom. */
static void print_ends(struct lockstep *ls, const struct image *img,
                       const struct gen_end *wanted)
{
	const struct tpb_state *s = &ls->model->s;
	bool deadlock = false;

	for (int e = 0; e < TPB_ENGINES; e++) {
		if (!img->stream[e].len)
			continue;
		printf("%s %s %s at %" PRIu32 ", should be %s %s\n",
		       lockstep_engine[e],
		       isa_enum_text("run", s->engine[e].state),
		       isa_enum_text("fault", s->engine[e].fault),
		       s->engine[e].pc, isa_enum_text("run", wanted[e].state),
		       isa_enum_text("fault", wanted[e].fault));
		deadlock |= s->engine[e].fault == TPB_FAULT_DEADLOCK;
	}
	if (deadlock)
		lockstep_wait_chain(ls, img, stdout);
}

static void shrink(struct lockstep *ls, const struct args *a,
                   const struct image *img, const struct fuzz_program *p,
                   const struct lockstep_result *seen)
{
	struct image *small = fuzz_shrink(ls, img, &p->opt, seen, stdout);
	char path[4096];

	if (save(a, small, "-small", path, sizeof(path)))
		print_cosim(p, path);
	image_free(small);
}

/* Run it again, alone, and tell. */
static int explain(const struct args *a, const struct fuzz_program *program,
                   struct lockstep *ls)
{
	struct fuzz_program p = *program;
	struct lockstep_result d;
	struct image *img;
	struct fuzz_result r;
	char path[4096];
	const char *kept;

	p.opt.quick_memory = false;
	r = fuzz_run(ls, &p, NULL, false, &d, &img);
	kept = save(a, img, "", path, sizeof(path));
	if (r.end == FUZZ_DIFFERS) {
		lockstep_report(ls, img, &p.opt, &d, stdout);
		if (a->shrink)
			shrink(ls, a, img, &p, &d);
		printf("FAIL fuzz: cycle=%" PRIu64 " field=%s rtl=0x%" PRIx64
		       " model=0x%" PRIx64 " seed=%" PRIu64 "\n",
		       d.bad_cycle, d.what, d.rtl, d.model, p.seed);
	} else if (r.end == FUZZ_ENDS) {
		print_ends(ls, img, r.wanted);
		printf("FAIL fuzz: cycle=%" PRIu64 " end=%s seed=%" PRIu64 "\n",
		       d.cycles,
		       d.verdict == VERDICT_TIMEOUT ? "not_reached"
		                                    : "unexpected",
		       p.seed);
	} else {
		printf("FAIL fuzz: not seen again when run alone, seed=%" PRIu64
		       "\n",
		       p.seed);
	}
	print_replay(a, &p);
	if (kept)
		print_cosim(&p, kept);
	image_free(img);
	return CMD_NEGATIVE;
}

/* Only the memories as a whole told: find the program. */
static int find_memory(const struct campaign *c, struct lockstep *ls)
{
	for (int i = 0; i < c->shared->n; i++) {
		struct fuzz_program p = c->shared->program[i];
		p.opt.quick_memory = false;
		if (fuzz_run(ls, &p, NULL, false, NULL, NULL).end != FUZZ_GOOD)
			return explain(c->args, &p, ls);
	}
	printf("FAIL fuzz: memories differ after round %d, of no program "
	       "alone, seed=%" PRIu64 "\n",
	       c->rounds, c->args->seed);
	return CMD_NEGATIVE;
}

/* ------------------------------------------------------------------ *
 * The campaign.                                                      *
 * ------------------------------------------------------------------ */

static void progress(const struct campaign *c, int *tenths)
{
	int now =
	    c->args->cycles ? (int)(10 * c->cycles / c->args->cycles) : 10;

	if (c->args->quiet || now <= *tenths || now >= 10)
		return;
	*tenths = now;
	printf("fuzz: %d0 %%: programs=%" PRIu64 " cycles=%" PRIu64
	       " coverage: %d of %d bins\n",
	       now, c->programs, c->cycles,
	       coverage_count(&c->shared->coverage[MAX_JOBS]), COVERAGE_BINS);
	fflush(stdout);
}

static bool more(const struct campaign *c)
{
	return c->cycles < c->args->cycles || c->programs < c->args->programs;
}

/* Something is wrong with this round: tell what. */
static int fail_round(struct campaign *c, int bad, bool alive)
{
	struct lockstep *ls = c->ls ? c->ls : lockstep_new();
	int status = CMD_BAD;

	if (!alive)
		printf("fuzz: a worker ended before its round\n");
	if (ls && bad >= 0)
		status = explain(c->args, &c->shared->program[bad], ls);
	else if (ls)
		status = find_memory(c, ls);
	if (!c->ls)
		lockstep_free(ls);
	return status;
}

/* Rounds to the end.  CMD_OK, or the exit status of a failure. */
static int rounds(struct campaign *c)
{
	int tenths = 0;

	while (more(c)) {
		bool alive;
		int bad;

		plan_round(c);
		alive = run_round(c);
		bad = merge_round(c);
		if (bad >= 0 || !alive || c->shared->memory)
			return fail_round(c, bad, alive);
		progress(c, &tenths);
	}
	return CMD_OK;
}

static int campaign(const struct args *a)
{
	struct campaign c = {
	    .args = a, .jobs = (int)a->jobs, .digest = DIGEST_SEED};
	int status;

	if (!start(&c)) {
		stop_workers(&c);
		return cmd_error("MEM040", "fuzz",
		                 "no memory or processes; use --jobs 1");
	}
	status = rounds(&c);
	stop_workers(&c);
	if (status == CMD_OK) {
		if (!a->quiet)
			coverage_print(&c.shared->coverage[MAX_JOBS], stdout);
		printf("PASS fuzz: programs=%" PRIu64 " cycles=%" PRIu64
		       " bundles=%" PRIu64 " compared=%" PRIu64
		       " writes=%" PRIu64 " digest=%016" PRIx64 " seed=%" PRIu64
		       "\n",
		       c.programs, c.cycles, c.retired, c.compared, c.writes,
		       digest_final(c.digest), a->seed);
	}
	lockstep_free(c.ls);
	munmap(c.shared, sizeof(*c.shared));
	return status;
}

static int replay(const struct args *a)
{
	int focus = a->focus == UINT64_MAX ? -1 : (int)a->focus;
	struct fuzz_program p = fuzz_program(a->replay, (int)a->faults, focus,
	                                     (enum fill)a->fill, a->fill_seed);
	struct lockstep *ls = lockstep_new();
	struct fuzz_result r;
	int status = CMD_OK;

	if (!ls)
		return cmd_error("MEM040", "fuzz", "out of memory; free some");
	p.opt.quick_memory = false;
	r = fuzz_run(ls, &p, NULL, false, NULL, NULL);
	if (r.end == FUZZ_GOOD)
		printf("PASS fuzz: programs=1 cycles=%" PRIu64
		       " bundles=%" PRIu64 " compared=%" PRIu64
		       " writes=%" PRIu64 " digest=%016" PRIx64 " seed=%" PRIu64
		       "\n",
		       r.cycles, r.retired, r.compared, r.writes, r.digest,
		       a->replay);
	else
		status = explain(a, &p, ls);
	lockstep_free(ls);
	return status;
}

int cmd_fuzz(int argc, char **argv)
{
	static const struct argp argp = {
	    options,
	    take,
	    NULL,
	    "Run random programs on RTL and model in lockstep "
	    "(docs/user/fuzzing.md).",
	    NULL,
	    NULL,
	    NULL};
	struct args a = {.seed = 1,
	                 .cycles = 1000000,
	                 .programs = 1,
	                 .faults = 20,
	                 .focus = UINT64_MAX,
	                 .jobs = (uint64_t)cmd_cores(MAX_JOBS),
	                 .keep = ".",
	                 .fill = FILL_RANDOM,
	                 .fill_seed = 1};
	int status;

	status = cmd_parse(&argp, argc, argv, &a);
	if (status != CMD_OK)
		return status;
	return a.replaying ? replay(&a) : campaign(&a);
}
