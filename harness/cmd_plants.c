/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb plants`: is the comparison blind anywhere?
 *
 * For every field of the state table, arrays at their first, last and a
 * random element, and on each side, a random bit is flipped in a random
 * cycle of a random program.  The comparison must stop in that cycle, name that
 * field and element, and show exactly that bit.
 */
#include "harness/cmd.h"
#include "harness/fill.h"
#include "harness/gen.h"
#include "harness/lockstep.h"
#include "harness/plant.h"
#include "harness/rtl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM_CYCLES 3000

struct args {
	uint64_t seed;
	const char *file;
};

struct plants {
	struct lockstep *ls;
	const struct image *img;
	const struct args *args;
	uint64_t cycles; /* of the unplanted run */
	uint64_t random; /* state of the generator */
	int planted, caught;
};

enum { KEY_SEED = 's' };

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case KEY_SEED:
		if (cmd_u64(arg, &a->seed))
			return 0;
		cmd_error("USE010", "--seed",
		          "'%s' is not a value; write a whole number", arg);
		return ECANCELED;
	case ARGP_KEY_ARG:
		if (a->file)
			return ARGP_ERR_UNKNOWN;
		a->file = arg;
		return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

static uint64_t draw(struct plants *p, uint64_t n)
{
	p->random += 0x9E3779B97F4A7C15ull;
	return fill_mix(p->random) % n;
}

static bool caught(const struct lockstep_result *res, const struct plant *pl)
{
	return res->verdict == VERDICT_DIFFERS && res->bad_cycle == pl->cycle &&
	       res->bad_field == pl->field && res->bad_index == pl->index &&
	       (res->rtl ^ res->model) == pl->mask;
}

/* false when a run was not possible at all. */
static bool try_plant(struct plants *p, int field, int index, bool model)
{
	const struct state_field *d = &state_fields[field];
	struct lockstep_options opt = {.seed = p->args->seed,
	                               .fill = FILL_RANDOM,
	                               .compare = true,
	                               .quick_memory = true};
	struct lockstep_result res;
	char text[128];

	opt.plant = (struct plant){.on = true,
	                           .model = model,
	                           .field = field,
	                           .index = index,
	                           .cycle = draw(p, p->cycles + 1),
	                           .mask = 1ull << draw(p, (uint64_t)d->width)};
	if (!lockstep_run(p->ls, p->img, &opt, &res))
		return false;
	p->planted++;
	if (caught(&res, &opt.plant)) {
		p->caught++;
		return true;
	}
	printf("not caught: %s; cycle %" PRIu64 " shows %s\n",
	       plant_text(&opt.plant, text, sizeof(text)), res.cycles,
	       res.verdict == VERDICT_DIFFERS ? res.what : "no difference");
	return true;
}

static bool plant_field(struct plants *p, int field)
{
	int count = state_fields[field].count;
	int index[3] = {0, count - 1, (int)draw(p, (uint64_t)count)};

	for (int i = 0; i < (count > 1 ? 3 : 1); i++)
		if (!try_plant(p, field, index[i], false) ||
		    !try_plant(p, field, index[i], true))
			return false;
	return true;
}

static int plant_all(struct plants *p)
{
	struct lockstep_options opt = {.seed = p->args->seed,
	                               .fill = FILL_RANDOM,
	                               .max_cycles = 1000000,
	                               .compare = true};
	struct lockstep_result res;

	if (!lockstep_run(p->ls, p->img, &opt, &res))
		return CMD_BAD;
	if (res.verdict == VERDICT_DIFFERS) {
		printf("not planted: the program itself shows %s in cycle "
		       "%" PRIu64 "\n",
		       res.what, res.bad_cycle);
		return CMD_NEGATIVE;
	}
	p->cycles = res.cycles;
	for (int f = 0; f < state_nfields; f++)
		if (!plant_field(p, f))
			return CMD_BAD;
	printf("plants: %d planted, %d caught\n", p->planted, p->caught);
	return p->caught == p->planted ? CMD_OK : CMD_NEGATIVE;
}

/* The program of the caller, or a random one that all engines take part in
 * as well as they do in a campaign. */
static struct image *load(const struct args *a)
{
	struct gen_options opt = GEN_DEFAULTS;
	struct gen_end end[TPB_ENGINES];

	if (a->file)
		return cmd_load(a->file);
	opt.cycles = PROGRAM_CYCLES;
	opt.gen = rtl_gen();
	opt.sbuf_part_bytes = rtl_sbuf_part_bytes();
	return gen_program(a->seed, &opt, end);
}

int cmd_plants(int argc, char **argv)
{
	static const struct argp_option options[] = {
	    {"seed", KEY_SEED, "N", 0, "seed of cycles and bits (default 1)",
	     0},
	    {0}};
	static const struct argp argp = {
	    options,
	    take,
	    "[FILE.tpb|FILE.s]",
	    "Flip a bit of every compared field on each side and show that "
	    "the comparison catches it in its cycle under its name.",
	    NULL,
	    NULL,
	    NULL};
	struct args a = {.seed = 1};
	struct plants p = {.args = &a};
	struct image *img;
	int status = cmd_parse(&argp, argc, argv, &a);

	if (status != CMD_OK)
		return status;
	img = load(&a);
	if (!img)
		return CMD_BAD;
	p.img = img;
	p.random = a.seed;
	p.ls = lockstep_new();
	status = p.ls ? plant_all(&p)
	              : cmd_error("MEM003", "plants",
	                          "out of memory for both sides; free some");
	lockstep_free(p.ls);
	image_free(img);
	return status;
}
