/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb conform`: the vector ops on RTL and model against an oracle
 * (docs/developer/tests.md).
 *
 * Cases are sorted into programs by op, engine and fp8 configuration, and the
 * programs dealt out to processes.  Which cases there are depends on seed and
 * number alone.
 */
#include "harness/cmd.h"
#include "harness/conform.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_JOBS 64
#define PROGRAM_CASES 800
#define TOLD 20 /* failures told on the screen */

struct args {
	uint64_t seed, cases, jobs;
	const char *ops, *junit;
	const char *one; /* --case */
	bool plant;
};

/* What parent and workers share. */
struct shared {
	uint64_t cycles;
	uint32_t told, broken; /* workers that could not go on */
	struct conform_cell cell[];
};

struct campaign {
	const struct args *args;
	const struct conform_combo *combo;
	int ncombos;
	struct shared *shared;
	struct conform_runner *runner;
};

enum key { KEY_OPS = 256, KEY_CASES, KEY_JUNIT, KEY_CASE, KEY_PLANT };

static const struct argp_option options[] = {
    {"seed", 's', "N", 0, "seed of the cases (default 1)", 0},
    {"cases", KEY_CASES, "N", 0, "of each op, dtypes and class (default 20)",
     0},
    {"ops", KEY_OPS, "OP[,OP...]", 0, "these ops only, by mnemonic", 0},
    {"junit", KEY_JUNIT, "FILE", 0, "write the results as JUnit XML", 0},
    {"jobs", 'j', "N", 0, "processes (default: one a processor)", 0},
    {"case", KEY_CASE, "OP:DTYPES:CLASS:N", 0,
     "one case, as a failure names it", 0},
    {"plant", KEY_PLANT, NULL, 0,
     "flip a bit of what each case must give: all must fail", 0},
    {0}};

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case 's': return cmd_range("--seed", arg, 0, UINT64_MAX, &a->seed);
	case 'j': return cmd_range("--jobs", arg, 1, MAX_JOBS, &a->jobs);
	case KEY_CASES: return cmd_range("--cases", arg, 1, 4096, &a->cases);
	case KEY_OPS: a->ops = arg; return 0;
	case KEY_JUNIT: a->junit = arg; return 0;
	case KEY_CASE: a->one = arg; return 0;
	case KEY_PLANT: a->plant = true; return 0;
	case ARGP_KEY_ARG:
		cmd_error("USE042", arg,
		          "conform takes no program; remove this");
		return ECANCELED;
	default: return ARGP_ERR_UNKNOWN;
	}
}

/* ------------------------------------------------------------------ *
 * Which ops.                                                         *
 * ------------------------------------------------------------------ */

static bool in_list(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; p; p = strchr(p, ',')) {
		p += *p == ',';
		if (!strncmp(p, name, n) && (p[n] == ',' || !p[n]))
			return true;
	}
	return false;
}

static bool asked(const struct campaign *c, uint8_t op)
{
	return !c->args->ops || in_list(c->args->ops, isa_op(op)->mnemonic);
}

/* Every name of the list is an op that has cases. */
static int check_ops(const struct campaign *c)
{
	const char *p = c->args->ops;

	while (p && *p) {
		size_t n = strcspn(p, ",");
		bool known = false;

		for (int i = 0; i < c->ncombos && !known; i++) {
			const char *m = isa_op(c->combo[i].op)->mnemonic;
			known = strlen(m) == n && !strncmp(m, p, n);
		}
		if (!known)
			return cmd_error("USE043", "--ops",
			                 "'%.*s' has no cases; write mnemonics "
			                 "of vector ops, with commas",
			                 (int)n, p);
		p += n;
		p += *p == ',';
	}
	return CMD_OK;
}

/* ------------------------------------------------------------------ *
 * Results.                                                           *
 * ------------------------------------------------------------------ */

static void say_case(const struct conform_case *k,
                     const struct conform_combo *combo, char *buf, size_t size)
{
	char dtypes[48];

	snprintf(buf, size, "%s:%s:%s:%d", isa_op(combo->op)->mnemonic,
	         conform_dtypes(combo, dtypes, sizeof(dtypes)),
	         conform_class_name[k->class], k->index);
}

static void settle(void *ctx, const struct conform_case *k, const char *text)
{
	struct campaign *c = ctx;
	struct conform_cell *cell =
	    &c->shared->cell[k->combo * CLASSES + (int)k->class];
	char name[96];

	__atomic_fetch_add(&cell->cases, 1, __ATOMIC_RELAXED);
	if (!text)
		return;
	say_case(k, &c->combo[k->combo], name, sizeof(name));
	if (__atomic_fetch_add(&cell->failures, 1, __ATOMIC_RELAXED) == 0)
		snprintf(cell->text, sizeof(cell->text), "%s: %s", name, text);
	if (__atomic_fetch_add(&c->shared->told, 1, __ATOMIC_RELAXED) < TOLD)
		printf("FAILED %s: %s\n       again: %s conform --seed %" PRIu64
		       " --case '%s'\n",
		       name, text, program_invocation_name, c->args->seed,
		       name);
}

/* ------------------------------------------------------------------ *
 * Programs.                                                          *
 * ------------------------------------------------------------------ */

/* The cases of an op, from combination `from` on, that run on an engine in a
 * configuration; NULL: out of memory. */
static struct conform_case *collect(const struct campaign *c, int from,
                                    int engine, int fp8, int *n)
{
	struct conform_case *list = NULL, *more, k;
	int cap = 0;

	*n = 0;
	for (int i = from;
	     i < c->ncombos && c->combo[i].op == c->combo[from].op; i++)
		for (int at = 0; at < CLASSES * (int)c->args->cases; at++) {
			enum conform_class class =
			    (enum conform_class)(at / (int)c->args->cases);
			if (!conform_has(&c->combo[i], class))
				continue;
			conform_setup(&k, c->args->seed, i, class,
			              at % (int)c->args->cases);
			if (k.engine != engine || k.fp8 != fp8)
				continue;
			if (*n == cap) {
				cap = cap ? 2 * cap : 256;
				more = realloc(list, (size_t)cap * sizeof(k));
				if (!more) {
					free(list);
					return NULL;
				}
				list = more;
			}
			list[(*n)++] = k;
		}
	return list;
}

/* Programs of an op; those whose number modulo the jobs is j. */
static bool run_op(struct campaign *c, int from, uint64_t j, uint64_t *number_)
{
	static const int engines[] = {TPB_ENGINE_DVE, TPB_ENGINE_POOL};

	for (int at = 0; at < 16; at++) {
		int n;
		bool good = true;
		struct conform_case *list =
		    collect(c, from, engines[at >> 3], at & 7, &n);

		if (n && !list)
			return false;
		for (int i = 0; i < n && good; i += PROGRAM_CASES) {
			int size =
			    n - i < PROGRAM_CASES ? n - i : PROGRAM_CASES;
			if ((*number_)++ % c->args->jobs == j)
				good = conform_run(c->runner, list + i, size,
				                   settle, c);
		}
		free(list);
		if (!good)
			return false;
	}
	return true;
}

static bool run_share(struct campaign *c, uint64_t j)
{
	uint64_t number_ = 0;
	bool good;

	c->runner = conform_runner_new(c->args->seed, c->args->plant);
	good = c->runner != NULL;
	for (int i = 0; i < c->ncombos && good; i++) {
		if (i && c->combo[i].op == c->combo[i - 1].op)
			continue;
		if (asked(c, c->combo[i].op))
			good = run_op(c, i, j, &number_);
	}
	if (c->runner)
		__atomic_fetch_add(&c->shared->cycles,
		                   conform_cycles(c->runner), __ATOMIC_RELAXED);
	conform_runner_free(c->runner);
	return good;
}

/* A process a share; alone, it is this one. */
static bool run_all(struct campaign *c)
{
	pid_t pid[MAX_JOBS];
	bool good = true;
	int status;

	if (c->args->jobs == 1)
		return run_share(c, 0);
	for (uint64_t j = 0; j < c->args->jobs; j++) {
		fflush(NULL);
		pid[j] = fork();
		if (pid[j] == 0) {
			good = run_share(c, j);
			fflush(stdout);
			_exit(good ? 0 : 1);
		}
	}
	for (uint64_t j = 0; j < c->args->jobs; j++)
		good &= pid[j] > 0 && waitpid(pid[j], &status, 0) == pid[j] &&
		        status == 0;
	return good;
}

/* ------------------------------------------------------------------ *
 * One case.                                                          *
 * ------------------------------------------------------------------ */

static void print_case(const struct conform_case *k)
{
	char text[512];

	for (int i = 0; i < k->nbundles; i++)
		printf("%s\n", isa_dis(k->bundle[i], ISA_LOADED, NULL, text,
		                       sizeof(text)));
}

/* Case of a name as say_case() writes it; false when there is none. */
static bool find_case(const struct campaign *c, struct conform_case *k)
{
	const char *number_ = strrchr(c->args->one, ':');
	uint64_t index;
	char name[96];

	if (!number_ || !cmd_u64(number_ + 1, &index) || index >= 4096)
		return false;
	for (int i = 0; i < c->ncombos; i++)
		for (int at = 0; at < CLASSES; at++) {
			enum conform_class class = (enum conform_class)at;
			if (!conform_has(&c->combo[i], class))
				continue;
			conform_setup(k, c->args->seed, i, class, (int)index);
			say_case(k, &c->combo[i], name, sizeof(name));
			if (!strcmp(name, c->args->one))
				return true;
		}
	return false;
}

static int run_one(struct campaign *c)
{
	struct conform_case k;
	bool good;

	if (!find_case(c, &k))
		return cmd_error(
		    "USE044", "--case",
		    "no case '%s'; write it as a failure names it, "
		    "like ts:f32-i8:strided:3",
		    c->args->one);
	c->runner = conform_runner_new(c->args->seed, c->args->plant);
	good = c->runner && conform_run(c->runner, &k, 1, settle, c);
	conform_runner_free(c->runner);
	if (!good)
		return cmd_error("USE045", "conform",
		                 "out of memory; free some and try again");
	print_case(&k);
	if (!c->shared->told)
		printf("PASS conform: 1 case\n");
	return c->shared->told ? CMD_NEGATIVE : CMD_OK;
}

/* ------------------------------------------------------------------ *
 * The whole.                                                         *
 * ------------------------------------------------------------------ */

static int conclude(const struct campaign *c)
{
	const struct conform_cell *cell = c->shared->cell;
	uint64_t cases = 0, failures = 0;
	int groups = 0;

	for (int i = 0; i < c->ncombos * CLASSES; i++) {
		cases += cell[i].cases;
		failures += cell[i].failures;
		groups += cell[i].cases != 0;
	}
	conform_table(cell, stdout);
	if (c->args->junit &&
	    !conform_junit(cell, c->args->seed, c->args->junit))
		return cmd_error("FIL004", c->args->junit,
		                 "cannot be written; see where it goes");
	printf("%s conform: lanes=%d groups=%d cases=%" PRIu64
	       " failures=%" PRIu64 " cycles=%" PRIu64 " seed=%" PRIu64 "\n",
	       failures || !cases ? "FAIL" : "PASS", TPB_LANES, groups, cases,
	       failures, c->shared->cycles, c->args->seed);
	return failures || !cases ? CMD_NEGATIVE : CMD_OK;
}

static int run(struct campaign *c)
{
	int status = check_ops(c);

	if (status != CMD_OK)
		return status;
	if (c->args->one)
		return run_one(c);
	if (!run_all(c))
		return cmd_error("USE045", "conform",
		                 "a process of it ended; free memory, or look "
		                 "with --jobs 1");
	return conclude(c);
}

int cmd_conform(int argc, char **argv)
{
	struct args args = {.seed = 1, .cases = 20};
	const struct argp argp = {
	    options,
	    take,
	    NULL,
	    "Try each vector op with each dtype and pattern class on RTL and "
	    "model, against an oracle in plain C.",
	    NULL,
	    NULL,
	    NULL};
	struct campaign c = {.args = &args};
	size_t size;
	int status = cmd_parse(&argp, argc, argv, &args);

	if (status != CMD_OK)
		return status;
	if (args.jobs == 0)
		args.jobs = (uint64_t)cmd_cores(MAX_JOBS);
	c.combo = conform_combos(&c.ncombos);
	size = sizeof(*c.shared) +
	       (size_t)c.ncombos * CLASSES * sizeof(struct conform_cell);
	c.shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c.shared == MAP_FAILED)
		return cmd_error("USE045", "conform",
		                 "out of memory; free some and try again");
	status = run(&c);
	munmap(c.shared, size);
	return status;
}
