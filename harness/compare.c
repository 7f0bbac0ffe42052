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

/* The 8-byte writes of the ended cycle: at most one a memory.  Their order
 * within the cycle is nothing that either side defines. */
enum { W_SBUF, W_PSUM, W_DRAM, W_COUNT };

struct writes {
	bool valid[W_COUNT];
	struct tpb_write w[W_COUNT];
};

static void rtl_writes(const struct rtl_out *out, bool ready, struct writes *w)
{
	for (int k = W_SBUF; k <= W_PSUM; k++) {
		const struct rtl_mon *m = &out->mon[k];

		w->valid[k] = m->valid;
		if (!m->valid)
			continue;
		w->w[k] = (struct tpb_write){
		    m->addr, m->data & dram_mask_bits(m->mask), m->mask};
	}
	w->valid[W_DRAM] = out->dram_valid && out->dram_we && ready;
	if (!w->valid[W_DRAM])
		return;
	w->w[W_DRAM] = (struct tpb_write){
	    out->dram_addr * 8, out->dram_data & dram_mask_bits(out->dram_mask),
	    out->dram_mask};
}

/* False when the model wrote twice to one memory: it cannot. */
static bool model_writes(const struct tpb *t, struct writes *w)
{
	memset(w->valid, 0, sizeof(w->valid));
	for (int i = 0; i < t->nwrites; i++) {
		uint64_t a = t->write[i].addr;
		int k = a < ADDR_SBUF   ? W_DRAM
		        : a < ADDR_PSUM ? W_SBUF
		                        : W_PSUM;

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

/* Row writes of the vector units.  Address, lanes and bytes stood in the W
 * registers, which are compared fields; what is left is that both sides wrote.
 */
static bool rows_differ(const struct lockstep *ls, struct run *run, uint8_t rtl)
{
	const struct tpb_row_write *row = ls->model->row;
	uint8_t model = (uint8_t)(row[0].valid | row[1].valid << 1);

	return rtl != model &&
	       compare_failed(run, run->cycle, "row_write", rtl, model);
}

/* 32 lanes of a row, or all there are: their sum and the sum of the running
 * sums, two lanes a word, so that it counts where a value stands. */
static uint64_t digest_lanes(uint64_t digest, const uint32_t *data, uint32_t en,
                             int lanes)
{
	uint32_t enabled[32];
	uint64_t sum = 0, sums = 0, w;

	if (en != UINT32_MAX) {
		for (int j = 0; j < lanes; j++)
			enabled[j] = data[j] & -(en >> j & 1u);
		data = enabled;
	}
	for (int j = 0; j < lanes; j += 2) {
		memcpy(&w, data + j, sizeof(w));
		sum += w;
		sums += sum;
	}
	return digest_fold(digest_fold(digest, sum), sums);
}

static void note_row(struct lockstep *ls, struct run *run,
                     const struct tpb_row_write *w)
{
	uint32_t lanes = 0;

	run->digest = digest_fold(run->digest, w->addr);
	for (int j = 0; j < TPB_LANES; j += 32) {
		uint32_t en = w->en[j >> 5];
		int n = TPB_LANES - j < 32 ? TPB_LANES - j : 32;

		if (!en)
			continue;
		lanes = (uint32_t)(j + 32 - __builtin_clz(en));
		run->res->writes += (uint64_t)__builtin_popcount(en);
		run->digest = digest_lanes(run->digest, w->data + j, en, n);
	}
	if (lanes)
		lockstep_log(ls, w->addr, lanes);
}

static void note(struct lockstep *ls, struct run *run, const struct writes *m)
{
	for (int k = 0; k < W_COUNT; k++) {
		const struct tpb_write *w = &m->w[k];

		if (!m->valid[k])
			continue;
		if (k != W_DRAM)
			lockstep_log(ls, w->addr, 1);
		run->res->writes++;
		run->digest = digest_fold(run->digest, w->addr);
		run->digest = digest_fold(run->digest, w->data);
		run->digest = digest_fold(run->digest, w->mask);
	}
	for (int u = 0; u < TPB_VECS; u++)
		if (ls->model->row[u].valid)
			note_row(ls, run, &ls->model->row[u]);
}

bool compare_writes(struct lockstep *ls, struct run *run,
                    const struct rtl_out *out, bool ready)
{
	static const char *const name[W_COUNT] = {"sbuf_write", "psum_write",
	                                          "dram_write"};
	struct writes r, m;

	rtl_writes(out, ready, &r);
	if (!model_writes(ls->model, &m))
		return compare_failed(run, run->cycle, "model_writes", 0,
		                      (uint64_t)ls->model->nwrites);
	for (int k = 0; k < W_COUNT; k++) {
		if (!r.valid[k] && !m.valid[k])
			continue;
		if (write_differs(run, name[k], r.valid[k] ? &r.w[k] : NULL,
		                  m.valid[k] ? &m.w[k] : NULL))
			return true;
	}
	if (rows_differ(ls, run, out->row))
		return true;
	note(ls, run, &m);
	return false;
}

void compare_note(struct lockstep *ls, struct run *run)
{
	struct writes m;

	if (model_writes(ls->model, &m))
		note(ls, run, &m);
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
