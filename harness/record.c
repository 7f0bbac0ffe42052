/* SPDX-License-Identifier: Apache-2.0
 *
 * Recording waves and timeline: the run once more, watched.
 *
 * The first run found where it ends; so the waves need hold only the cycles
 * before that, and a few after a difference to show what it leads to.  The
 * timeline has the model's state and ends where the sides differ: what
 * follows from a difference is no longer a run of the program.
 */
#include "harness/lockstep_priv.h"
#include "harness/timeline.h"
#include "harness/waves.h"

#include <stdlib.h>

/* Automatic wave window: so many cycles before the end, and after it. */
#define WAVES_BEFORE 20000
#define WAVES_AFTER 32

struct watch {
	struct waves *waves; /* or NULL */
	struct timeline *timeline;
	uint64_t from, to;           /* of the waves */
	uint64_t line_from, line_to; /* of the timeline, to not included */
	struct tpb_state rtl, model; /* in the cycle that is to end */
	struct tpb_state end;
	uint8_t grant, retire;
};

static void watch_before(void *ctx, struct lockstep *ls, uint64_t cycle,
                         const struct rtl_out *out)
{
	struct watch *w = ctx;

	if (w->timeline && cycle >= w->line_from && cycle < w->line_to)
		timeline_sample(w->timeline, cycle, &ls->model->s, out->grant,
		                out->retire);
	/* The state in which the timeline ends. */
	if (w->timeline && cycle == w->line_to)
		w->end = ls->model->s;
	if (!w->waves || cycle < w->from || cycle > w->to)
		return;
	lockstep_state(ls, SIDE_RTL, &w->rtl);
	lockstep_state(ls, SIDE_MODEL, &w->model);
	w->grant = out->grant;
	w->retire = out->retire;
}

static void watch_after(void *ctx, struct lockstep *ls, uint64_t cycle)
{
	struct watch *w = ctx;
	struct waves_side rtl = {&w->rtl, w->grant, w->retire};
	struct waves_side model = {&w->model, ls->model->granted,
	                           ls->model->retired};

	if (w->waves && cycle >= w->from && cycle <= w->to)
		waves_sample(w->waves, cycle, &rtl, &model);
}

/* Nothing moves any more: the state at the end, without pulses. */
static void watch_end(struct watch *w, struct lockstep *ls, uint64_t cycle)
{
	struct waves_side rtl = {&w->rtl, 0, 0}, model = {&w->model, 0, 0};

	if (!w->waves || cycle < w->from || cycle > w->to)
		return;
	lockstep_state(ls, SIDE_RTL, &w->rtl);
	lockstep_state(ls, SIDE_MODEL, &w->model);
	waves_sample(w->waves, cycle, &rtl, &model);
}

/* Which cycles; end: where the first run ended. */
static void set_windows(struct watch *w, const struct lockstep_options *opt,
                        uint64_t end)
{
	w->from = opt->waves_from;
	w->to = opt->waves_to;
	if (!w->from && !w->to) {
		w->from = end > WAVES_BEFORE ? end - WAVES_BEFORE : 0;
		w->to = end + WAVES_AFTER;
	}
	w->line_from = opt->timeline_from;
	w->line_to = end;
	if (opt->timeline_to && opt->timeline_to < end)
		w->line_to = opt->timeline_to + 1;
}

/* Finish both files. */
static bool finish(struct watch *w, struct lockstep *ls,
                   const struct lockstep_result *res)
{
	bool ok = true;

	if (res->verdict != VERDICT_DIFFERS) {
		watch_end(w, ls, res->cycles);
		if (w->line_to >= res->cycles)
			w->end = ls->model->s;
	}
	if (w->waves)
		ok = waves_close(w->waves);
	if (!w->timeline)
		return ok;
	return timeline_close(w->timeline, w->line_to, &w->end,
	                      res->verdict == VERDICT_DIFFERS &&
	                              w->line_to == res->bad_cycle
	                          ? res->what
	                          : NULL) &&
	       ok;
}

bool lockstep_record(struct lockstep *ls, const struct image *img,
                     const struct lockstep_options *opt, uint64_t end,
                     struct lockstep_result *again)
{
	struct watch *w = calloc(1, sizeof(*w));
	struct observer o = {w, watch_before, watch_after};
	lockstep_retire_fn *retire = ls->on_retire;
	bool ok;

	if (!w)
		return false;
	w->waves = opt->waves ? waves_open(opt->waves, img) : NULL;
	w->timeline = opt->timeline ? timeline_open(opt->timeline, img) : NULL;
	set_windows(w, opt, end);
	ls->on_retire = NULL;
	ls->observer = &o;
	ok = lockstep_once(ls, img, opt, WAVES_AFTER, again);
	ls->observer = NULL;
	ls->on_retire = retire;
	ok &= (w->waves || !opt->waves) && (w->timeline || !opt->timeline);
	ok = finish(w, ls, again) && ok;
	free(w);
	return ok;
}
