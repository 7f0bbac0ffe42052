/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb kfuzz`: random kernels, in the interpreter before and behind a pass and
 * compiled on the model; with --lockstep on the RTL too (gen_kernel.h).
 *
 * Kernel k of a campaign has the seed hash(S, k), and nothing else decides
 * what it is, so --replay makes it again.
 */
#include "harness/cmd.h"
#include "harness/fill.h"
#include "harness/gen_kernel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_IDS 32
#define LIMIT_PERCENT 5

struct args {
	uint64_t seed, count, first, replay;
	bool lockstep, replaying, print;
	const char *keep;
};

enum key { KEY_LOCKSTEP = 256, KEY_KEEP, KEY_FIRST, KEY_REPLAY, KEY_PRINT };

static const struct argp_option options[] = {
    {"seed", 's', "N", 0, "seed of the campaign (default 1)", 0},
    {"count", 'c', "N", 0, "so many kernels (default 1000)", 0},
    {"first", KEY_FIRST, "N", 0, "begin with kernel N of the campaign", 0},
    {"lockstep", KEY_LOCKSTEP, NULL, 0, "run each on RTL and model too", 0},
    {"replay", KEY_REPLAY, "SEED", 0, "the one kernel of this seed", 0},
    {"print", KEY_PRINT, NULL, 0, "print the text of each kernel", 0},
    {"keep", KEY_KEEP, "DIR", 0, "where a failing kernel goes (default .)", 0},
    {0}};

static error_t number(const char *option, const char *arg, uint64_t *v)
{
	if (cmd_u64(arg, v))
		return 0;
	cmd_error("USE040", option, "'%s' is not a value; write a whole number",
	          arg);
	return ECANCELED;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case 's': return number("--seed", arg, &a->seed);
	case 'c': return number("--count", arg, &a->count);
	case KEY_FIRST: return number("--first", arg, &a->first);
	case KEY_REPLAY:
		a->replaying = true;
		return number("--replay", arg, &a->replay);
	case KEY_LOCKSTEP: a->lockstep = true; return 0;
	case KEY_PRINT: a->print = true; return 0;
	case KEY_KEEP: a->keep = arg; return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

struct totals {
	uint64_t kernels, limits, lines, steps, cycles, bytes;
	struct {
		char id[16];
		uint64_t n;
	} id[MAX_IDS];
	int nids;
};

static void count_limit(struct totals *t, const char *id)
{
	int i = 0;

	t->limits++;
	while (i < t->nids && strcmp(t->id[i].id, id) != 0)
		i++;
	if (i == MAX_IDS)
		return;
	if (i == t->nids)
		snprintf(t->id[t->nids++].id, sizeof(t->id[0].id), "%s", id);
	t->id[i].n++;
}

static bool write_text(const char *path, const struct kernel_text *k,
                       const struct kernel_verdict *v)
{
	char *text = kernel_text_join(k);
	FILE *f = fopen(path, "w");
	bool ok = f && fprintf(f, "; %s\n%s", v->what, text) > 0;

	if (f)
		ok = fclose(f) == 0 && ok;
	free(text);
	if (!ok)
		cmd_error("FIL004", path, "cannot be written; see --keep");
	return ok;
}

/* Tell, keep the kernel, make it smaller and keep that. */
static int failed(struct kernel_bench *b, const struct args *a,
                  struct kernel_text *k, struct kernel_verdict *v)
{
	size_t n = strlen(a->keep) + 64;
	char *path = malloc(n);

	if (!path)
		abort();
	printf("kfuzz: %s\n", v->what);
	snprintf(path, n, "%s/kfuzz-%" PRIu64 ".klr", a->keep, k->seed);
	if (write_text(path, k, v)) {
		kernel_shrink(b, k, v);
		snprintf(path, n, "%s/kfuzz-%" PRIu64 "-small.klr", a->keep,
		         k->seed);
		write_text(path, k, v);
		printf("kfuzz: smaller, in %s: %s\n", path, v->what);
	}
	printf("repeat: tpb kfuzz --replay %" PRIu64 "%s\n", k->seed,
	       a->lockstep ? " --lockstep" : "");
	printf("FAIL kfuzz: seed=%" PRIu64 "\n", k->seed);
	free(path);
	return CMD_NEGATIVE;
}

static int one(struct kernel_bench *b, const struct args *a, uint64_t seed,
               struct totals *t)
{
	struct kernel_verdict v;
	struct kernel_text k;
	int status = CMD_OK;
	char *text;

	gen_kernel(&k, seed);
	text = kernel_text_join(&k);
	if (a->print)
		fputs(text, stdout);
	kernel_judge(b, text, seed, &v);
	free(text);
	t->kernels++;
	t->lines += (uint64_t)k.n;
	t->steps += v.steps;
	t->cycles += v.cycles;
	t->bytes += v.bytes;
	if (v.end == KERNEL_LIMIT)
		count_limit(t, v.id);
	else if (v.end != KERNEL_PASS)
		status = failed(b, a, &k, &v);
	kernel_text_free(&k);
	return status;
}

static int campaign(struct kernel_bench *b, const struct args *a)
{
	struct totals t = {0};
	int status = CMD_OK;

	if (a->replaying)
		status = one(b, a, a->replay, &t);
	for (uint64_t i = 0; !a->replaying && i < a->count && !status; i++)
		status = one(b, a, fill_hash(a->seed, a->first + i), &t);
	if (status)
		return status;
	for (int i = 0; i < t.nids; i++)
		printf("kfuzz: refused for a limit: %s %" PRIu64 "\n",
		       t.id[i].id, t.id[i].n);
	if (t.limits * 100 > t.kernels * LIMIT_PERCENT && !a->replaying) {
		printf("FAIL kfuzz: %" PRIu64 " of %" PRIu64
		       " kernels are refused for a limit, more than %d %%\n",
		       t.limits, t.kernels, LIMIT_PERCENT);
		return CMD_NEGATIVE;
	}
	printf("PASS kfuzz: kernels=%" PRIu64 " limits=%" PRIu64
	       " lines=%" PRIu64 " steps=%" PRIu64 " cycles=%" PRIu64
	       " bytes=%" PRIu64 " seed=%" PRIu64 "\n",
	       t.kernels, t.limits, t.lines, t.steps, t.cycles, t.bytes,
	       a->seed);
	return CMD_OK;
}

int cmd_kfuzz(int argc, char **argv)
{
	static const struct argp argp = {
	    options,
	    take,
	    NULL,
	    "Run random kernels in interpreter and model, and compare.",
	    NULL,
	    NULL,
	    NULL};
	struct args a = {.seed = 1, .count = 1000, .keep = "."};
	struct lockstep *ls = NULL;
	struct kernel_bench *b;
	int status;

	if (cmd_parse(&argp, argc, argv, &a))
		return CMD_BAD;
	if (a.lockstep)
		ls = lockstep_new();
	b = kernel_bench_new(ls);
	if (!b || (a.lockstep && !ls))
		status =
		    cmd_error("USE002", "kfuzz", "out of memory; try less");
	else
		status = campaign(b, &a);
	kernel_bench_free(b);
	if (ls)
		lockstep_free(ls);
	return status;
}
