/* SPDX-License-Identifier: Apache-2.0
 *
 * What differs: fields, writes, grants and retires of one cycle.
 *
 * The loop calls in here only when a write happened or when its fast check
 * has already seen a difference, so this is written for telling, not speed.
 */
#include "harness/digest.h"
#include "harness/lockstep_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool compare_failed(struct run *run, uint64_t cycle, const char *what,
                    uint64_t rtl, uint64_t model)
{
	struct lockstep_result *res = run->res;

	res->verdict = VERDICT_DIFFERS;
	res->bad_cycle = cycle;
	res->bad_field = -1;
	res->bad_index = 0;
	res->rtl = rtl;
	res->model = model;
	snprintf(res->what, sizeof(res->what), "%s", what);
	return true;
}

bool compare_state(struct lockstep *ls, struct run *run)
{
	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];
		const char *p = rtl_field(ls->rtl, f);

		for (int i = 0; i < d->count; i++) {
			uint64_t v = 0, m = state_get(&ls->model->s, f, i);
			char name[96];

			memcpy(&v, p + i * d->bytes, (size_t)d->bytes);
			if (v == m)
				continue;
			snprintf(name, sizeof(name),
			         d->count > 1 ? "%s[%d]" : "%s", d->name, i);
			compare_failed(run, run->cycle, name, v, m);
			run->res->bad_field = f;
			run->res->bad_index = i;
			return true;
		}
	}
	return false;
}

/* The writes of the ended cycle: at most one on chip and one in DRAM.  Their
 * order within the cycle is nothing that either side defines. */
struct writes {
	bool valid[2]; /* on chip, DRAM */
	struct tpb_write w[2];
};

static void rtl_writes(const struct rtl_out *out, bool ready, struct writes *w)
{
	w->valid[0] = out->mon_valid;
	w->w[0].addr = out->mon_addr;
	w->w[0].mask = out->mon_mask;
	w->w[0].data = out->mon_data & dram_mask_bits(out->mon_mask);
	w->valid[1] = out->dram_valid && out->dram_we && ready;
	w->w[1].addr = out->dram_addr * 8;
	w->w[1].mask = out->dram_mask;
	w->w[1].data = out->dram_data & dram_mask_bits(out->dram_mask);
}

/* False when the model wrote twice to one memory: it cannot. */
static bool model_writes(const struct tpb *t, struct writes *w)
{
	w->valid[0] = w->valid[1] = false;
	for (int i = 0; i < t->nwrites; i++) {
		int k = t->write[i].addr < ADDR_SBUF;
		if (w->valid[k])
			return false;
		w->valid[k] = true;
		w->w[k] = t->write[i];
	}
	return true;
}

/* One memory's write of one cycle.  True when the sides do not agree. */
static bool write_differs(struct run *run, const char *name,
                          const struct tpb_write *r, const struct tpb_write *m)
{
	char what[96];

	if (!r || !m) {
		const struct tpb_write *one = r ? r : m;

		snprintf(what, sizeof(what), "%s.only_%s@0x%" PRIx64, name,
		         r ? "rtl" : "model", one->addr);
		return compare_failed(run, run->cycle, what, r ? r->data : 0,
		                      m ? m->data : 0);
	}
	if (r->addr != m->addr) {
		snprintf(what, sizeof(what), "%s.addr", name);
		return compare_failed(run, run->cycle, what, r->addr, m->addr);
	}
	if (r->mask != m->mask) {
		snprintf(what, sizeof(what), "%s.mask@0x%" PRIx64, name,
		         r->addr);
		return compare_failed(run, run->cycle, what, r->mask, m->mask);
	}
	if (r->data != m->data) {
		snprintf(what, sizeof(what), "%s.data@0x%" PRIx64, name,
		         r->addr);
		return compare_failed(run, run->cycle, what, r->data, m->data);
	}
	return false;
}

bool compare_writes(struct lockstep *ls, struct run *run,
                    const struct rtl_out *out, bool ready)
{
	static const char *const name[2] = {"chip_write", "dram_write"};
	struct writes r, m;

	rtl_writes(out, ready, &r);
	if (!model_writes(ls->model, &m))
		return compare_failed(run, run->cycle, "model_writes", 0,
		                      (uint64_t)ls->model->nwrites);
	for (int k = 0; k < 2; k++) {
		const struct tpb_write *w = &r.w[k];

		if (!r.valid[k] && !m.valid[k])
			continue;
		if (write_differs(run, name[k], r.valid[k] ? w : NULL,
		                  m.valid[k] ? &m.w[k] : NULL))
			return true;
		if (k == 0)
			lockstep_log(ls, w->addr);
		run->res->writes++;
		run->digest = digest_fold(run->digest, w->addr);
		run->digest = digest_fold(run->digest, w->data);
		run->digest = digest_fold(run->digest, w->mask);
	}
	return false;
}

bool compare_pulses(struct lockstep *ls, struct run *run,
                    const struct rtl_out *out)
{
	if (out->retire != ls->model->retired)
		return compare_failed(run, run->cycle, "retire", out->retire,
		                      ls->model->retired);
	if (out->grant != ls->model->granted)
		return compare_failed(run, run->cycle, "grant", out->grant,
		                      ls->model->granted);
	return false;
}
