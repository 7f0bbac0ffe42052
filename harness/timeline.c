/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline of a run; see timeline.h.
 *
 * Engines, vector units and the bank; the DMA unit is in timeline_dma.c.  What
 * a bundle is, as text, is made once for each place of the program.
 */
#include "harness/timeline.h"

#include "harness/timeline_priv.h"
#include "harness/waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS 768 /* bytes of the arguments of a slice */

/* The bundle in an issue stage, and what it is waiting for. */
struct open_bundle {
	bool open, waiting;
	uint64_t from, wait_from;
	uint32_t pc;
	struct waits why[2];
	int nwhy;
};

/* A place of the program in words. */
struct text {
	char *args;    /* NULL: not made yet */
	char name[24]; /* first word of the assembly */
};

/* A vector unit at a bundle. */
struct open_unit {
	bool open;
	uint64_t from, step_from;
	uint8_t vuop, pass;
};

struct timeline {
	struct trace *out;
	const struct image *img;
	struct open_bundle engine[TPB_ENGINES];
	struct open_unit unit[TPB_VECS];
	struct timeline_dma dma;
	struct text *text[TPB_ENGINES]; /* of each bundle */
	bool started;
	uint64_t first; /* sampled cycle */
	uint32_t sem[TPB_SEMS], evt[TPB_EVENTS / 32];
	bool seen_sem[TPB_SEMS], seen_evt[TPB_EVENTS];
};

static const uint8_t unit_engine[TPB_VECS] = {TPB_ENGINE_POOL, TPB_ENGINE_DVE};

static const char *engine_name(int e)
{
	return isa_enum_text("engine", (uint64_t)e);
}

static void name_tracks(struct timeline *t)
{
	trace_process(t->out, PID_ENGINES, "engines");
	for (int e = 0; e < TPB_ENGINES; e++)
		if (t->img->stream[e].len)
			trace_track(t->out, PID_ENGINES, e, engine_name(e));
	trace_process(t->out, PID_UNITS, "vector units");
	for (int v = 0; v < TPB_VECS; v++)
		if (t->img->stream[unit_engine[v]].len)
			trace_track(t->out, PID_UNITS, v,
			            engine_name(unit_engine[v]));
	trace_process(t->out, PID_DMA, "DMA");
	trace_track(t->out, PID_DMA, 0, "mover");
	trace_process(t->out, PID_BANK, "semaphores and events");
}

static void free_timeline(struct timeline *t)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		for (uint32_t i = 0; t->text[e] && i <= t->img->stream[e].len;
		     i++)
			free(t->text[e][i].args);
		free(t->text[e]);
	}
	free(t);
}

struct timeline *timeline_open(const char *path, const struct image *img)
{
	struct timeline *t = calloc(1, sizeof(*t));
	bool ok = t != NULL;

	if (!t)
		return NULL;
	t->img = img;
	/* One more, for what is past the end of a stream. */
	for (int e = 0; e < TPB_ENGINES; e++) {
		t->text[e] =
		    calloc((size_t)img->stream[e].len + 1, sizeof(*t->text[e]));
		ok &= t->text[e] != NULL;
	}
	t->out = ok ? trace_open(path) : NULL;
	if (!t->out) {
		free_timeline(t);
		return NULL;
	}
	name_tracks(t);
	return t;
}

/* Name, and pc, place, source and assembly of a bundle.  Without memory for
 * them the arguments stay empty. */
static const struct text *bundle_text(struct timeline *t, int e, uint32_t pc)
{
	static char nothing[] = "";
	static const struct text none = {nothing, "?"};
	const struct image_stream *st = &t->img->stream[e];
	struct text *made = &t->text[e][pc < st->len ? pc : st->len];
	char args[ARGS] = "", text[512];

	if (made->args)
		return made;
	trace_number(args, sizeof(args), "pc", pc);
	trace_text(args, sizeof(args), "place",
	           image_place(t->img, e, pc, text, sizeof(text)));
	image_source(t->img, e, pc, text, sizeof(text));
	if (*text)
		trace_text(args, sizeof(args), "source", text);
	snprintf(text, sizeof(text), "past the end");
	if (pc < st->len)
		isa_dis(st->bundle[pc], ISA_LOADED, NULL, text, sizeof(text));
	trace_text(args, sizeof(args), "text", text);
	snprintf(made->name, sizeof(made->name), "%.*s",
	         (int)strcspn(text, pc < st->len ? " " : ""), text);
	made->args = strdup(args);
	return made->args ? made : &none;
}

/* ------------------------------------------------------------------ *
 * Engines.                                                           *
 * ------------------------------------------------------------------ */

static void end_wait(struct timeline *t, int e, uint64_t to)
{
	struct open_bundle *b = &t->engine[e];
	char name[192] = "wait ";

	if (!b->waiting)
		return;
	b->waiting = false;
	for (int i = 0; i < b->nwhy; i++) {
		size_t n = strlen(name);
		char one[96];

		snprintf(
		    name + n, sizeof(name) - n, "%s%s", i ? " and " : "",
		    waits_text(t->img, &b->why[i], false, one, sizeof(one)));
	}
	trace_slice(t->out, PID_ENGINES, e, name, b->wait_from, to, "");
}

static void end_bundle(struct timeline *t, int e, uint64_t to, const char *end)
{
	struct open_bundle *b = &t->engine[e];
	const struct text *text = bundle_text(t, e, b->pc);
	const char *args = text->args;
	char more[ARGS + 64];

	end_wait(t, e, to);
	b->open = false;
	if (*end) {
		snprintf(more, sizeof(more), "%s", args);
		trace_text(more, sizeof(more), "end", end);
		args = more;
	}
	trace_slice(t->out, PID_ENGINES, e, text->name, b->from, to, args);
}

static bool same_reasons(const struct open_bundle *b, const struct waits *w,
                         int n)
{
	if (n != b->nwhy)
		return false;
	for (int i = 0; i < n; i++)
		if (!waits_same(&w[i], &b->why[i]))
			return false;
	return true;
}

static void watch_wait(struct timeline *t, int e, uint64_t cycle,
                       const struct tpb_state *s, bool granted)
{
	struct open_bundle *b = &t->engine[e];
	struct waits w[2];
	int n = granted ? 0 : waits_why(s, e, w);

	if (b->waiting && same_reasons(b, w, n))
		return;
	end_wait(t, e, cycle);
	if (!n)
		return;
	b->waiting = true;
	b->wait_from = cycle;
	memcpy(b->why, w, (size_t)n * sizeof(*w));
	b->nwhy = n;
}

/* Why an engine that is no longer in RUN holds a bundle. */
static const char *stopped(const struct tpb_engine_state *g)
{
	const char *text = g->state == TPB_RUN_FAULTED
	                       ? isa_enum_text("fault", g->fault)
	                       : isa_enum_text("run", g->state);

	return text ? text : "stopped";
}

static void watch_engine(struct timeline *t, int e, uint64_t cycle,
                         const struct tpb_state *s, bool granted, bool retired)
{
	const struct tpb_engine_state *g = &s->engine[e];
	struct open_bundle *b = &t->engine[e];

	if (g->state != TPB_RUN_RUN || !g->x_valid) {
		if (b->open)
			end_bundle(t, e, cycle, stopped(g));
		return;
	}
	if (!b->open) {
		*b = (struct open_bundle){
		    .open = true, .from = cycle, .pc = g->pc};
	}
	watch_wait(t, e, cycle, s, granted);
	if (retired)
		end_bundle(t, e, cycle + 1, "");
}

/* ------------------------------------------------------------------ *
 * Vector units.                                                      *
 * ------------------------------------------------------------------ */

static void end_step(struct timeline *t, int v, uint64_t to)
{
	struct open_unit *u = &t->unit[v];
	const char *vuop = isa_enum_text("vuop", u->vuop);
	char name[48];

	if (u->step_from == to)
		return;
	snprintf(name, sizeof(name), "%s pass %d", vuop ? vuop : "?", u->pass);
	trace_slice(t->out, PID_UNITS, v, name, u->step_from, to, "");
}

static void end_unit(struct timeline *t, int v, uint64_t to)
{
	int e = unit_engine[v];
	const struct text *text = bundle_text(t, e, t->engine[e].pc);

	end_step(t, v, to);
	t->unit[v].open = false;
	trace_slice(t->out, PID_UNITS, v, text->name, t->unit[v].from, to,
	            text->args);
}

/* Called before the bundle of its engine ends. */
static void watch_unit(struct timeline *t, int v, uint64_t cycle,
                       const struct tpb_state *s, bool retired)
{
	const struct tpb_engine_state *g = &s->engine[unit_engine[v]];
	const struct tpb_vec_state *q = &s->vec[v];
	struct open_unit *u = &t->unit[v];
	bool on = g->state == TPB_RUN_RUN && g->phase == TPB_PHASE_VEC;

	if (!on) {
		if (u->open)
			end_unit(t, v, cycle);
		return;
	}
	if (!u->open) {
		*u = (struct open_unit){.open = true,
		                        .from = cycle,
		                        .step_from = cycle,
		                        .vuop = q->vuop,
		                        .pass = q->vpass};
	} else if (u->vuop != q->vuop || u->pass != q->vpass) {
		end_step(t, v, cycle);
		u->step_from = cycle;
		u->vuop = q->vuop;
		u->pass = q->vpass;
	}
	if (retired)
		end_unit(t, v, cycle + 1);
}

/* ------------------------------------------------------------------ *
 * The bank.                                                          *
 * ------------------------------------------------------------------ */

/* A counter gets its old value at the start before its first change. */
static void count(struct timeline *t, bool *seen, char kind, int id,
                  uint64_t cycle, int64_t old, int64_t now)
{
	char name[16];

	snprintf(name, sizeof(name), "%c%d", kind, id);
	if (!*seen && t->first < cycle)
		trace_counter(t->out, PID_BANK, name, t->first, old);
	*seen = true;
	trace_counter(t->out, PID_BANK, name, cycle, now);
}

static void watch_bank(struct timeline *t, uint64_t cycle,
                       const struct tpb_state *s)
{
	if (memcmp(t->sem, s->sem, sizeof(t->sem)) != 0) {
		for (int i = 0; i < TPB_SEMS; i++)
			if (t->sem[i] != s->sem[i])
				count(t, &t->seen_sem[i], 's', i, cycle,
				      (int32_t)t->sem[i], (int32_t)s->sem[i]);
		memcpy(t->sem, s->sem, sizeof(t->sem));
	}
	for (int w = 0; w < TPB_EVENTS / 32; w++) {
		uint32_t x = t->evt[w] ^ s->evt[w];

		for (int i = 0; x; i++, x >>= 1)
			if (x & 1)
				count(t, &t->seen_evt[32 * w + i], 'e',
				      32 * w + i, cycle, t->evt[w] >> i & 1,
				      s->evt[w] >> i & 1);
		t->evt[w] = s->evt[w];
	}
}

/* ------------------------------------------------------------------ */

void timeline_sample(struct timeline *t, uint64_t cycle,
                     const struct tpb_state *s, uint8_t grant, uint8_t retire)
{
	if (!t->started) {
		t->started = true;
		t->first = cycle;
		memcpy(t->sem, s->sem, sizeof(t->sem));
		memcpy(t->evt, s->evt, sizeof(t->evt));
	}
	watch_bank(t, cycle, s);
	timeline_dma(&t->dma, t->out, t->img, cycle, s);
	for (int v = 0; v < TPB_VECS; v++)
		watch_unit(t, v, cycle, s, retire >> unit_engine[v] & 1);
	for (int e = 0; e < TPB_ENGINES; e++)
		watch_engine(t, e, cycle, s, grant >> e & 1, retire >> e & 1);
}

bool timeline_close(struct timeline *t, uint64_t cycle,
                    const struct tpb_state *s, const char *differs)
{
	char note[128];
	bool ok;

	if (t->started)
		watch_bank(t, cycle, s);
	for (int v = 0; v < TPB_VECS; v++)
		if (t->unit[v].open)
			end_unit(t, v, cycle);
	for (int e = 0; e < TPB_ENGINES; e++)
		if (t->engine[e].open)
			end_bundle(t, e, cycle,
			           s->engine[e].state == TPB_RUN_RUN
			               ? "end of the timeline"
			               : stopped(&s->engine[e]));
	timeline_dma_end(&t->dma, t->out, t->img, cycle, s);
	if (differs) {
		snprintf(note, sizeof(note), "RTL and model differ: %s",
		         differs);
		trace_mark(t->out, PID_ENGINES, note, cycle);
	}
	ok = trace_close(t->out);
	free_timeline(t);
	return ok;
}
