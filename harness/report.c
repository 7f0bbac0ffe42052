/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of a difference: at most 40 lines, 100 columns.
 *
 * The run that found the difference recorded nothing.  It is a pure function
 * of image and options, so it is run once more up to the same edge, watched
 * by an observer that keeps the last bundles of each engine and the last
 * changes of the word that differs.
 *
 * Lines: head 8, changes 4, retired 13, unit 7, waits 6.
 */
#include "harness/lockstep_priv.h"

#include "harness/report_priv.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RETIRED 4 /* bundles shown of the engine that did it */
#define OTHERS 2  /* and of each other engine */
#define CHANGES 3 /* changes shown of the field */

struct change {
	uint64_t cycle, old[2], now[2];
	uint8_t retired;
	uint32_t pc[TPB_ENGINES];
	bool planted;
};

struct record {
	const struct image *img;
	const struct lockstep_options *opt;
	const struct lockstep_result *res;
	uint64_t addr; /* of the watched memory word, 0: none */
	bool dram;
	uint64_t value[2]; /* of the watched word now */

	/* The cycle under way, and after the replay the last one. */
	uint32_t pc[TPB_ENGINES];
	uint8_t busy, retire, phase[TPB_ENGINES];

	struct {
		uint64_t cycle;
		uint32_t pc;
	} last[TPB_ENGINES][RETIRED];
	uint64_t nlast[TPB_ENGINES];
	struct change change[CHANGES];
	uint64_t nchanges;
};

void report_line(FILE *out, const char *fmt, ...)
{
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (strlen(buf) > REPORT_COLUMNS)
		memcpy(buf + REPORT_COLUMNS - 3, "...", 4);
	fprintf(out, "%s\n", buf);
}

/* ------------------------------------------------------------------ *
 * Watching.                                                          *
 * ------------------------------------------------------------------ */

static uint64_t watched(const struct record *r, struct lockstep *ls,
                        enum side side)
{
	int f = r->res->bad_field, i = r->res->bad_index;
	uint64_t v = 0;

	if (f >= 0 && side == SIDE_MODEL)
		return state_get(&ls->model->s, f, i);
	if (f >= 0) {
		size_t bytes = (size_t)state_fields[f].bytes;
		memcpy(&v, (char *)rtl_field(ls->rtl, f) + (size_t)i * bytes,
		       bytes);
		return v;
	}
	if (r->dram)
		return dram_read(ls->dram[side], r->addr / 8);
	return r->addr ? *lockstep_word(ls, side, r->addr) : 0;
}

static void before(void *ctx, struct lockstep *ls, uint64_t cycle,
                   const struct rtl_out *out)
{
	struct record *r = ctx;

	if (cycle == 0)
		for (enum side s = SIDE_RTL; s <= SIDE_MODEL; s++)
			r->value[s] = watched(r, ls, s);
	r->retire = out->retire;
	r->busy = 0;
	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct tpb_engine_state *q = &ls->model->s.engine[e];
		r->pc[e] = q->pc;
		r->phase[e] = q->phase;
		if (q->x_valid && q->state == TPB_RUN_RUN)
			r->busy |= (uint8_t)(1 << e);
	}
}

static void after(void *ctx, struct lockstep *ls, uint64_t cycle)
{
	struct record *r = ctx;
	uint64_t v[2];

	r->retire |= ls->model->retired;
	for (int e = 0; e < TPB_ENGINES; e++)
		if (r->retire >> e & 1) {
			uint64_t n = r->nlast[e]++ % RETIRED;
			r->last[e][n].cycle = cycle;
			r->last[e][n].pc = r->pc[e];
		}
	for (enum side s = SIDE_RTL; s <= SIDE_MODEL; s++)
		v[s] = watched(r, ls, s);
	if (v[0] != r->value[0] || v[1] != r->value[1]) {
		struct change *c = &r->change[r->nchanges++ % CHANGES];

		c->cycle = cycle;
		memcpy(c->old, r->value, sizeof(c->old));
		memcpy(c->now, v, sizeof(c->now));
		memcpy(c->pc, r->pc, sizeof(c->pc));
		c->retired = r->retire;
		c->planted =
		    r->opt->plant.on && r->opt->plant.cycle == cycle + 1;
		memcpy(r->value, v, sizeof(r->value));
	}
}

/* ------------------------------------------------------------------ *
 * Telling.                                                           *
 * ------------------------------------------------------------------ */

/* "0x0000002A (42)", "FAULTED (3)". */
static const char *value_text(const struct lockstep_result *res, uint64_t v,
                              char *buf, size_t size)
{
	const struct state_field *d =
	    res->bad_field >= 0 ? &state_fields[res->bad_field] : NULL;
	int digits = d ? (d->width + 3) / 4 : 16;
	const char *name = NULL;

	if (d && !strncmp(d->show, "ENUM_", 5))
		name = isa_enum_text(d->show + 5, v);
	if (name)
		snprintf(buf, size, "0x%0*" PRIX64 " (%s)", digits, v, name);
	else
		snprintf(buf, size, "0x%0*" PRIX64 " (%" PRIu64 ")", digits, v,
		         v);
	return buf;
}

/* "loop+3 sieve.s:41" */
static const char *where(const struct image *img, int e, uint32_t pc, char *buf,
                         size_t size)
{
	char p[96], src[160];

	snprintf(buf, size, "%s  %s", image_place(img, e, pc, p, sizeof(p)),
	         image_source(img, e, pc, src, sizeof(src)));
	return buf;
}

static const char *bundle(const struct image *img, int e, uint32_t pc,
                          char *buf, size_t size)
{
	if (pc >= img->stream[e].len)
		snprintf(buf, size, "past the end of the stream");
	else
		isa_dis(img->stream[e].bundle[pc], ISA_LOADED, NULL, buf, size);
	return buf;
}

/* The engine whose bundle did it: the field's; else one that retired with
 * an update of that semaphore, one that retired, one that loads or saves. */
static int culprit(const struct record *r)
{
	const struct lockstep_result *res = r->res;
	int f = res->bad_field, found = -1;

	if (f >= 0 && state_fields[f].engine >= 0)
		return state_fields[f].engine;
	if (report_of_dma(f))
		return -1;
	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct image_stream *st = &r->img->stream[e];
		const uint8_t *b;

		if (!(r->retire >> e & 1) || r->pc[e] >= st->len)
			continue;
		b = st->bundle[r->pc[e]];
		if (f >= 0 && !strcmp(state_fields[f].row, "sem") &&
		    ((b[6] && b[7] == res->bad_index) ||
		     (b[0x22] && b[0x23] == res->bad_index)))
			return e;
		found = found < 0 ? e : found;
	}
	/* A memory moves for an engine that does not retire yet. */
	for (int e = 0; f >= 0 && found < 0 && e < TPB_ENGINES; e++)
		if (strstr(state_fields[f].rtl, "u_mem") && r->busy >> e & 1 &&
		    r->phase[e] >= TPB_PHASE_REQ)
			found = e;
	return found;
}

static void tell_bits(uint64_t x, FILE *out)
{
	char buf[REPORT_COLUMNS];
	int n = 0;

	for (int b = 0; b < 64 && n < 64; b++)
		if (x >> b & 1)
			n += snprintf(buf + n, sizeof(buf) - (size_t)n, " %d",
			              b);
	report_line(out, "  differ  0x%" PRIX64 ", bits%s", x,
	            n ? buf : " none");
}

static void tell_others(struct lockstep *ls, const struct record *r, FILE *out)
{
	char buf[REPORT_COLUMNS + 64] = "";
	int others = 0;

	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];
		const char *m = (const char *)&ls->model->s + d->offset;

		if (f == r->res->bad_field ||
		    !memcmp(rtl_field(ls->rtl, f), m,
		            (size_t)d->count * (size_t)d->bytes))
			continue;
		if (++others <= 4)
			snprintf(buf + strlen(buf), sizeof(buf) - strlen(buf),
			         " %s", d->name);
	}
	if (others)
		report_line(out, "  also    %d other field%s:%s%s", others,
		            others > 1 ? "s" : "", buf,
		            others > 4 ? " ..." : "");
}

static void tell_head(struct lockstep *ls, const struct record *r, FILE *out)
{
	const struct lockstep_result *res = r->res;
	int e = culprit(r);
	char a[256], b[256];

	report_line(out, "RTL and model differ in cycle %" PRIu64 " of %s: %s",
	            res->bad_cycle, r->img->name, res->what);
	if (res->bad_field >= 0)
		report_line(out, "  field   %s",
		            state_fields[res->bad_field].text);
	report_line(out, "  rtl     %s",
	            value_text(res, res->rtl, a, sizeof(a)));
	report_line(out, "  model   %s",
	            value_text(res, res->model, a, sizeof(a)));
	tell_bits(res->rtl ^ res->model, out);
	if (e < 0) {
		report_line(out, "  engine  none: %s",
		            report_of_dma(res->bad_field)
		                ? "a field of the DMA unit"
		                : "no bundle retired in the cycle before");
	} else {
		report_line(out, "  engine  %s, pc %" PRIu32 ": %s%s",
		            lockstep_engine[e], r->pc[e],
		            where(r->img, e, r->pc[e], a, sizeof(a)),
		            r->retire >> e & 1 ? "  retired"
		            : r->busy >> e & 1 ? ""
		                               : "  not in the issue stage");
		report_line(out, "  bundle  %s",
		            bundle(r->img, e, r->pc[e], b, sizeof(b)));
	}
	tell_others(ls, r, out);
}

/* Can a bundle that retired have changed the field? */
static bool can_write(const struct record *r, int e, uint32_t pc)
{
	const struct image_stream *st = &r->img->stream[e];

	return !report_of_dma(r->res->bad_field) ||
	       (pc < st->len && report_queue_bundle(st->bundle[pc]));
}

/* The engines that can have made a change, with their places. */
static void writers(const struct record *r, const struct change *c, FILE *out)
{
	int f = r->res->bad_field;
	int owner = f >= 0 ? state_fields[f].engine : -1;

	for (int e = 0; e < TPB_ENGINES; e++) {
		char w[256];

		if (owner >= 0
		        ? e == owner
		        : c->retired >> e & 1 && can_write(r, e, c->pc[e]))
			fprintf(out, "  %s %s", lockstep_engine[e],
			        where(r->img, e, c->pc[e], w, sizeof(w)));
	}
}

/* On which side, when not the same on both. */
static const char *sides(const struct change *c)
{
	if (c->planted)
		return "  planted";
	if (c->old[SIDE_RTL] == c->now[SIDE_RTL])
		return "  model only";
	if (c->old[SIDE_MODEL] == c->now[SIDE_MODEL])
		return "  rtl only";
	return c->now[SIDE_RTL] != c->now[SIDE_MODEL] ? "  rtl" : "";
}

static void tell_changes(const struct record *r, FILE *out)
{
	uint64_t n = r->nchanges < CHANGES ? r->nchanges : CHANGES;

	if (r->res->bad_field < 0 && !r->addr && !r->dram)
		return;
	report_line(out, "last changes of %s:%s", r->res->what,
	            n ? "" : " none since reset");
	for (uint64_t i = 1; i <= n; i++) {
		const struct change *c =
		    &r->change[(r->nchanges - i) % CHANGES];
		enum side s = c->old[SIDE_RTL] == c->now[SIDE_RTL];
		char who[512] = "";
		FILE *text = fmemopen(who, sizeof(who), "w");

		if (text) {
			writers(r, c, text);
			fclose(text);
		}
		report_line(out,
		            "  cycle %-8" PRIu64 " 0x%" PRIX64 " -> 0x%" PRIX64
		            "%s%s",
		            c->cycle, c->old[s], c->now[s], sides(c), who);
	}
}

static void tell_retired(const struct record *r, FILE *out)
{
	report_line(out, "last retired bundles:");
	for (int e = 0; e < TPB_ENGINES; e++) {
		uint64_t most = e == culprit(r) ? RETIRED : OTHERS;
		uint64_t n = r->nlast[e] < most ? r->nlast[e] : most;

		for (uint64_t i = n; i > 0; i--) {
			uint64_t k = (r->nlast[e] - i) % RETIRED;
			uint32_t pc = r->last[e][k].pc;
			char w[256], b[256];

			report_line(out, "  %-4s cycle %-8" PRIu64 " %-22s  %s",
			            lockstep_engine[e], r->last[e][k].cycle,
			            where(r->img, e, pc, w, sizeof(w)),
			            bundle(r->img, e, pc, b, sizeof(b)));
		}
	}
}

static void tell_waits(const struct tpb_state s[2], const struct record *r,
                       FILE *out)
{
	report_line(out,
	            "engines in cycle %" PRIu64 ", and what they wait for:",
	            r->res->bad_cycle);
	for (int e = 0; e < TPB_ENGINES; e++) {
		char text[2][192];

		if (s[SIDE_MODEL].engine[e].state == TPB_RUN_ABSENT &&
		    s[SIDE_RTL].engine[e].state == TPB_RUN_ABSENT)
			continue;
		for (int i = 0; i < 2; i++) {
			const struct tpb_engine_state *q = &s[i].engine[e];
			const char *run = isa_enum_text("run", q->state);
			char w[128];

			lockstep_waits(r->img, &s[i], e, w, sizeof(w));
			snprintf(text[i], sizeof(text[i]),
			         "%s pc %" PRIu32 "%s%s", run ? run : "?",
			         q->pc, *w ? " waits for " : "", w);
		}
		report_line(out, "  %-4s %s%s%s", lockstep_engine[e],
		            text[SIDE_RTL],
		            strcmp(text[0], text[1]) ? " | model: " : "",
		            strcmp(text[0], text[1]) ? text[SIDE_MODEL] : "");
	}
}

/* Which memory word a whole comparison named. */
static void find_word(struct record *r)
{
	uint64_t a;

	if (r->res->bad_field >= 0)
		return;
	if (sscanf(r->res->what, "SBUF[0x%" SCNx64 "]", &a) == 1)
		r->addr = ADDR_SBUF + a;
	else if (sscanf(r->res->what, "PSUM[0x%" SCNx64 "]", &a) == 1)
		r->addr = ADDR_PSUM + a;
	else if (sscanf(r->res->what, "DRAM[0x%" SCNx64 "]", &a) == 1) {
		r->addr = a;
		r->dram = true;
	}
}

void lockstep_report(struct lockstep *ls, const struct image *img,
                     const struct lockstep_options *opt,
                     const struct lockstep_result *res, FILE *out)
{
	struct record *r = calloc(1, sizeof(*r));
	struct observer o = {r, before, after};
	struct tpb_state s[2];

	if (!r) {
		report_line(out, "no report: out of memory");
		return;
	}
	r->img = img;
	r->opt = opt;
	r->res = res;
	find_word(r);
	if (!lockstep_replay(ls, img, opt, res->cycles, &o)) {
		report_line(out, "no report: the run cannot be repeated");
	} else {
		tell_head(ls, r, out);
		tell_changes(r, out);
		tell_retired(r, out);
		lockstep_state(ls, SIDE_RTL, &s[SIDE_RTL]);
		lockstep_state(ls, SIDE_MODEL, &s[SIDE_MODEL]);
		report_unit(img, s, res->bad_field, res->bad_index, culprit(r),
		            out);
		tell_waits(s, r, out);
	}
	free(r);
}
