/* SPDX-License-Identifier: Apache-2.0
 *
 * Recording waves: the run once more, watched.
 *
 * The first run found where it ends; so the waves need hold only the cycles
 * before that, and a few after a difference to show what it leads to.
 */
#include "harness/lockstep_priv.h"
#include "harness/waves.h"

#include <stdlib.h>

/* Automatic wave window: so many cycles before the end, and after it. */
#define WAVES_BEFORE 20000
#define WAVES_AFTER 32

struct watch {
	struct waves *waves;
	uint64_t from, to;
	struct tpb_state rtl, model; /* in the cycle that is to end */
	uint8_t grant, retire;
};

static void watch_before(void *ctx, struct lockstep *ls, uint64_t cycle,
                         const struct rtl_out *out)
{
	struct watch *w = ctx;

	if (cycle < w->from || cycle > w->to)
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

	if (cycle >= w->from && cycle <= w->to)
		waves_sample(w->waves, cycle, &rtl, &model);
}

/* Nothing moves any more: the state at the end, without pulses. */
static void watch_end(struct watch *w, struct lockstep *ls, uint64_t cycle)
{
	struct waves_side rtl = {&w->rtl, 0, 0}, model = {&w->model, 0, 0};

	if (cycle < w->from || cycle > w->to)
		return;
	lockstep_state(ls, SIDE_RTL, &w->rtl);
	lockstep_state(ls, SIDE_MODEL, &w->model);
	waves_sample(w->waves, cycle, &rtl, &model);
}

bool lockstep_record(struct lockstep *ls, const struct image *img,
                     const struct lockstep_options *opt, uint64_t end,
                     struct lockstep_result *again)
{
	struct watch *w = calloc(1, sizeof(*w));
	struct observer o = {w, watch_before, watch_after};
	lockstep_retire_fn *retire = ls->on_retire;
	bool ok;

	if (!w || !(w->waves = waves_open(opt->waves, img))) {
		free(w);
		return false;
	}
	w->from = opt->waves_from;
	w->to = opt->waves_to;
	if (!w->from && !w->to) {
		w->from = end > WAVES_BEFORE ? end - WAVES_BEFORE : 0;
		w->to = end + WAVES_AFTER;
	}
	ls->on_retire = NULL;
	ls->observer = &o;
	ok = lockstep_once(ls, img, opt, WAVES_AFTER, again);
	ls->observer = NULL;
	ls->on_retire = retire;
	if (ok && again->verdict != VERDICT_DIFFERS)
		watch_end(w, ls, again->cycles);
	ok = waves_close(w->waves) && ok;
	free(w);
	return ok;
}
