/* SPDX-License-Identifier: Apache-2.0
 *
 * One random program in lockstep.
 */
#include "harness/fuzz.h"

#include "harness/digest.h"
#include "harness/fill.h"
#include "harness/lockstep_priv.h"

/* A program that runs so many times longer than it should never ends. */
#define PATIENCE 100

struct fuzz_program fuzz_program(uint64_t seed, int percent, int focus,
                                 enum fill fill, uint64_t fill_seed)
{
	uint64_t h = fill_hash(seed, UINT64_MAX);
	struct fuzz_program p = {.seed = seed, .focus = focus};

	p.faults =
	    (int)(h % 100) < percent || (focus >= 0 && gen_focus_faults(focus));
	p.opt.seed = seed;
	p.opt.fill = fill;
	p.opt.fill_seed = fill_seed;
	p.opt.compare = true;
	p.opt.quick_memory = true;
	/* Some meet a slow DRAM. */
	p.opt.stalls = h >> 10 & 3 ? 0 : h >> 24 | 1;
	return p;
}

static void watch_before(void *ctx, struct lockstep *ls, uint64_t cycle,
                         const struct rtl_out *out)
{
	(void)cycle;
	coverage_cycle(ctx, &ls->model->s, out->grant, out->retire);
}

static bool ends_well(const struct tpb_state *s, const struct gen_end *end)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		if (s->engine[e].state != end[e].state ||
		    s->engine[e].fault != end[e].fault)
			return false;
	return true;
}

static void summarize(const struct lockstep_result *d,
                      const struct tpb_state *s, struct fuzz_result *res)
{
	res->cycles = d->cycles;
	res->compared = d->compared;
	res->writes = d->writes;
	res->digest = d->digest;
	for (int e = 0; e < TPB_ENGINES; e++)
		res->retired += d->retired[e];
	if (d->verdict == VERDICT_DIFFERS)
		res->end = FUZZ_DIFFERS;
	else if (d->verdict == VERDICT_TIMEOUT || !ends_well(s, res->wanted))
		res->end = FUZZ_ENDS;
	else
		res->end = FUZZ_GOOD;
}

struct fuzz_result fuzz_run(struct lockstep *ls, const struct fuzz_program *p,
                            struct coverage *cov, bool each_cycle,
                            struct lockstep_result *details,
                            struct image **image)
{
	struct gen_options gen = GEN_DEFAULTS;
	struct fuzz_result res = {.end = FUZZ_BROKEN};
	struct lockstep_options opt = p->opt;
	struct coverage_watch w;
	struct observer observer = {&w, watch_before, NULL};
	struct lockstep_result d = {0};
	struct image *img;

	gen.gen = rtl_gen();
	gen.sbuf_part_bytes = rtl_sbuf_part_bytes();
	gen.faults = p->faults;
	gen.focus = p->focus;
	opt.max_cycles = (uint64_t)gen.cycles * PATIENCE;
	img = gen_program(p->seed, &gen, res.wanted);
	if (cov)
		coverage_begin(&w, cov, gen.sbuf_part_bytes);
	if (cov && each_cycle)
		ls->observer = &observer;
	if (lockstep_run(ls, img, &opt, &d))
		summarize(&d, &ls->model->s, &res);
	ls->observer = NULL;
	if (cov && res.end == FUZZ_GOOD)
		coverage_end(&w, &ls->model->s);
	if (details)
		*details = d;
	if (image)
		*image = img;
	else
		image_free(img);
	return res;
}
