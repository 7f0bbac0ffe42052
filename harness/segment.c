/* SPDX-License-Identifier: Apache-2.0
 *
 * A long run in segments that are run at the same time.
 *
 * The model alone is an order of magnitude faster than the core.  So a second
 * thread lets a model run ahead to some cycle, puts a core of its own into the
 * state that the model has there, and goes on from it in lockstep, while the
 * first thread is on its way to that cycle.  By induction every cycle is
 * compared as in one run: a segment that ends where the next began has shown
 * its core equal to the model there, state and memories, and its model has the
 * digest that the next one's model had.  Likewise for more than two.
 *
 * A segment begins where the state table, the memories and the ports say all
 * that is to be said: no beat of a vector unit is between the RAMs and X1.
 * The output registers of the RAMs are then dead but for the word of a narrow
 * read.  docs/reference/lockstep.md, "Segments".
 */
#include "harness/lockstep_priv.h"

#include "harness/digest.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENT_LEAST 32768u /* cycles worth a thread */
#define SEGMENT_CLAIM 1024u  /* cycles between two looks at the others */
/* What the model alone takes for a cycle, in cycles of lockstep: for the
 * balance only. */
#define SEGMENT_MODEL 0.08

enum stage { STAGE_AHEAD, STAGE_LIVE, STAGE_NONE };

struct segment {
	struct crew *crew;
	int index;
	struct lockstep *ls; /* of the first: the caller's */
	struct run run;
	struct lockstep_result res;
	pthread_t thread;
	bool threaded;
	/* Under the mutex. */
	enum stage stage;
	uint64_t start;   /* LIVE: its first cycle */
	uint64_t claimed; /* it runs to here before it looks again */
	/* Its own until it is joined. */
	uint64_t handed; /* the model's digest at the start */
	bool ended;      /* the run is over, or at its last cycle */
	bool over;       /* ... over */
};

struct crew {
	struct lockstep *mate[LOCKSTEP_MAX_JOBS]; /* [0] unused */
	/* How long a run of this image was: it will be as long again. */
	const struct image *image;
	uint64_t cycles;

	/* One run. */
	const struct image *img;
	const struct lockstep_options *opt;
	struct segment seg[LOCKSTEP_MAX_JOBS];
	int n;
	pthread_mutex_t mutex;
	pthread_cond_t known;
	uint64_t end; /* cycles of the run, 0: not known yet */
	int last;     /* later segments are not needed */
};

void segment_free(struct crew *crew)
{
	if (!crew)
		return;
	for (int i = 1; i < LOCKSTEP_MAX_JOBS; i++)
		lockstep_free(crew->mate[i]);
	pthread_mutex_destroy(&crew->mutex);
	pthread_cond_destroy(&crew->known);
	free(crew);
}

static struct crew *crew_new(void)
{
	struct crew *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	pthread_mutex_init(&c->mutex, NULL);
	pthread_cond_init(&c->known, NULL);
	return c;
}

/* ------------------------------------------------------------------ *
 * Who runs how far.                                                  *
 * ------------------------------------------------------------------ */

/* Edge limit of the next stretch; the present cycle when there is none: the
 * next segment begins here, or this one is not needed. */
static uint64_t claim(struct segment *s)
{
	struct crew *c = s->crew;
	uint64_t max = s->run.opt->max_cycles;
	uint64_t limit = s->run.cycle + SEGMENT_CLAIM;

	if (max && limit > max)
		limit = max;
	pthread_mutex_lock(&c->mutex);
	for (int j = s->index + 1; j < c->n; j++)
		if (c->seg[j].stage == STAGE_LIVE && c->seg[j].start < limit)
			limit = c->seg[j].start;
	if (s->index > c->last)
		limit = s->run.cycle;
	s->claimed = limit;
	pthread_mutex_unlock(&c->mutex);
	return limit;
}

/* Nobody needs the segments behind this one. */
static void end_here(struct segment *s)
{
	struct crew *c = s->crew;

	pthread_mutex_lock(&c->mutex);
	if (c->last > s->index)
		c->last = s->index;
	pthread_cond_broadcast(&c->known);
	pthread_mutex_unlock(&c->mutex);
}

static bool needed(struct segment *s)
{
	struct crew *c = s->crew;
	bool yes;

	pthread_mutex_lock(&c->mutex);
	yes = s->index <= c->last;
	pthread_mutex_unlock(&c->mutex);
	return yes;
}

/* The segment stands in its first cycle: may it go on from here? */
static bool go_live(struct segment *s)
{
	struct crew *c = s->crew;
	bool good = true;

	pthread_mutex_lock(&c->mutex);
	good = s->index <= c->last;
	for (int j = 0; j < c->n; j++) {
		const struct segment *o = &c->seg[j];

		if (o->stage != STAGE_LIVE)
			continue;
		good &= j < s->index ? o->claimed <= s->run.cycle
		                     : o->start > s->run.cycle;
	}
	s->stage = good ? STAGE_LIVE : STAGE_NONE;
	s->start = s->run.cycle;
	s->claimed = s->run.cycle;
	pthread_mutex_unlock(&c->mutex);
	return good;
}

/* In lockstep to the start of the next segment or the end of the run. */
static void advance(struct segment *s)
{
	uint64_t max = s->run.opt->max_cycles;

	while (!s->ended && (s->run.edges = claim(s)) > s->run.cycle) {
		s->over = lockstep_advance(s->ls, &s->run);
		s->ended = s->over || (max && s->run.cycle >= max);
	}
	lockstep_count(&s->run);
	if (s->ended)
		end_here(s);
	else if (s->run.opt->compare && needed(s) &&
	         !lockstep_memories(s->ls, !s->run.opt->quick_memory,
	                            &s->res)) {
		s->res.bad_cycle = s->run.cycle;
		s->ended = s->over = true;
		end_here(s);
	}
}

/* ------------------------------------------------------------------ *
 * The model runs ahead, and the core is put where it is.             *
 * ------------------------------------------------------------------ */

static bool quiet(const struct tpb_state *s)
{
	bool busy = false;

	for (int u = 0; u < TPB_VECS; u++)
		busy |= s->vec[u].vx0_valid || s->vec[u].vx1_valid ||
		        s->vec[u].vw_valid;
	return !busy;
}

/* Load, and let the model alone run to the first quiet cycle from goal on;
 * false: the run is over before, or nobody needs the segment. */
static bool run_ahead(struct segment *s, uint64_t goal)
{
	uint64_t max = s->crew->opt->max_cycles;

	memset(&s->res, 0, sizeof(s->res));
	s->run = (struct run){.opt = s->crew->opt,
	                      .res = &s->res,
	                      .digest = DIGEST_SEED,
	                      .nelements = rtl_nelements()};
	if (!lockstep_load(s->ls, s->crew->img, s->crew->opt))
		return false;
	s->ls->model->dram_ready = true;
	while (s->run.cycle < goal || !quiet(&s->ls->model->s)) {
		if (max && s->run.cycle >= max)
			return false;
		if (lockstep_model_cycle(s->ls, &s->run))
			return false;
		if (s->run.cycle % SEGMENT_CLAIM == 0 && !needed(s))
			return false;
	}
	return true;
}

/* How long is the run?  The first to ask finds out, the others wait. */
static uint64_t length(struct segment *s)
{
	struct crew *c = s->crew;
	uint64_t end;

	pthread_mutex_lock(&c->mutex);
	if (s->index == 1 && !c->end) {
		pthread_mutex_unlock(&c->mutex);
		run_ahead(s, UINT64_MAX);
		pthread_mutex_lock(&c->mutex);
		c->end = s->run.cycle;
		pthread_cond_broadcast(&c->known);
	}
	while (!c->end && s->index <= c->last)
		pthread_cond_wait(&c->known, &c->mutex);
	end = c->end;
	pthread_mutex_unlock(&c->mutex);
	return end;
}

/* Where the segment should begin, so that all are done at the same time: the
 * model runs ahead to S before a segment [S, T) can begin.  0: nowhere. */
static uint64_t goal(struct segment *s)
{
	struct crew *c = s->crew;
	uint64_t end = length(s);
	double sum = 0, power = 1, at, share;

	pthread_mutex_lock(&c->mutex);
	at = (double)c->seg[0].claimed;
	pthread_mutex_unlock(&c->mutex);
	if ((double)end < at + (double)SEGMENT_LEAST * c->n)
		return 0;
	for (int i = 0; i < c->n; i++) {
		sum += power;
		if (i < c->n - 1)
			power *= 1 - SEGMENT_MODEL;
	}
	share = ((double)end - at * power) / sum;
	for (int i = 0; i < s->index; i++)
		at = share + (i ? at * (1 - SEGMENT_MODEL) : at);
	return (uint64_t)at;
}

/* What the harness holds for the core's ports in this cycle. */
static void enter_ports(struct lockstep *ls, uint64_t cycle, struct rtl_in *in)
{
	static const uint8_t nothing[TPB_BUNDLE];
	const struct tpb *t = ls->model;
	struct port *p = &ls->port;

	memset(p, 0, sizeof(*p));
	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct image_stream *st = &ls->img->stream[e];
		uint32_t at = t->s.engine[e].fetch_pc - 1;

		if (t->s.engine[e].d_valid)
			p->fetch[e] = at < st->len ? st->bundle[at] : nothing;
		in->fetch_data[e] = p->fetch[e];
	}
	if (t->dprog.valid)
		lockstep_record_asked(ls, t->dprog.sel, t->dprog.index);
	for (unsigned i = 0; i < TPB_DRAM_LATENCY; i++) {
		unsigned slot = (unsigned)((cycle + i) % TPB_DRAM_LATENCY);

		if (!t->answer[i].valid)
			continue;
		p->data[slot] = t->answer[i].data;
		p->id[slot] = t->answer[i].id;
		p->valid |= 1u << slot;
	}
}

/* Put core, its memories and its ports where the model stands. */
static void enter(struct segment *s)
{
	struct lockstep *ls = s->ls;
	const struct tpb *t = ls->model;
	struct rtl_in in = {.dram_ready = true};

	for (int f = 0; f < state_nfields; f++)
		memcpy(rtl_field(ls->rtl, f),
		       (const char *)&t->s + state_fields[f].offset,
		       (size_t)state_fields[f].count *
		           (size_t)state_fields[f].bytes);
	lockstep_copy_memories(ls);
	dram_copy(ls->dram[SIDE_RTL], ls->dram[SIDE_MODEL]);
	if (t->s.sbuf_s1_valid)
		rtl_ram_word(ls->rtl, false, t->s.sbuf_s1_lane, t->ram_word[0]);
	if (t->s.psum_s1_valid)
		rtl_ram_word(ls->rtl, true, t->s.psum_s1_lane, t->ram_word[1]);
	enter_ports(ls, s->run.cycle, &in);
	rtl_settle(ls->rtl, &in);
	/* What the model did alone was not compared. */
	memset(&s->res, 0, sizeof(s->res));
	s->run.retired = 0;
	s->handed = s->run.digest;
}

static bool ahead(struct segment *s)
{
	uint64_t at = goal(s);

	if (!at || !run_ahead(s, at))
		return false;
	enter(s);
	return true;
}

static void give_up(struct segment *s)
{
	pthread_mutex_lock(&s->crew->mutex);
	s->stage = STAGE_NONE;
	pthread_mutex_unlock(&s->crew->mutex);
}

static void *work(void *arg)
{
	struct segment *s = arg;

	if (ahead(s) && go_live(s))
		advance(s);
	else
		give_up(s);
	return NULL;
}

/* ------------------------------------------------------------------ *
 * The whole.                                                         *
 * ------------------------------------------------------------------ */

static void begin(struct crew *c, struct lockstep *ls, const struct run *run,
                  int n)
{
	c->img = ls->img;
	c->opt = run->opt;
	c->end = c->image == ls->img ? c->cycles : 0;
	c->n = n;
	c->last = n;
	for (int i = 0; i < n; i++)
		c->seg[i] = (struct segment){.crew = c, .index = i};
	c->seg[0].ls = ls;
	c->seg[0].run = *run;
	c->seg[0].res = *run->res;
	c->seg[0].run.res = &c->seg[0].res;
	c->seg[0].stage = STAGE_LIVE;
	c->seg[0].claimed = run->cycle;
	/* Not in their threads: Verilator leaves a string behind in each thread
	 * that makes a core. */
	for (int i = 1; i < n; i++) {
		if (!c->mate[i])
			c->mate[i] = lockstep_new();
		c->seg[i].ls = c->mate[i];
	}
	for (int i = 1; i < n; i++) {
		struct segment *s = &c->seg[i];

		s->threaded =
		    s->ls && !pthread_create(&s->thread, NULL, work, s);
		if (!s->threaded)
			give_up(s);
	}
}

/* Of the live segments in their order, the one that the run ended in; the
 * counts of those before it go into its own. */
static struct segment *gather(struct crew *c)
{
	struct segment *s = &c->seg[0];

	for (int i = 1; i < c->n && !s->ended; i++) {
		struct segment *next = &c->seg[i];

		if (next->stage != STAGE_LIVE)
			continue;
		if (next->handed != s->run.digest) {
			compare_failed(&s->run, s->run.cycle, "handover",
			               s->run.digest, next->handed);
			s->over = true;
			break;
		}
		next->run.compared += s->run.compared;
		next->res.writes += s->res.writes;
		for (int e = 0; e < TPB_ENGINES; e++)
			next->res.retired[e] += s->res.retired[e];
		next->res.segments = s->res.segments + 1;
		s = next;
	}
	return s;
}

/* The machine of segment s is now the caller's. */
static void take_over(struct lockstep *ls, struct lockstep *mate)
{
	struct lockstep mine = *ls;

	*ls = *mate;
	ls->crew = mine.crew;
	ls->on_retire = mine.on_retire;
	ls->retire_ctx = mine.retire_ctx;
	ls->observer = mine.observer;
	mine.crew = NULL;
	*mate = mine;
}

bool segment_from(struct lockstep *ls, const struct image *img,
                  const struct lockstep_options *opt, uint64_t cycle,
                  struct lockstep_result *res)
{
	struct crew *c = crew_new();
	struct segment *s;
	bool good = false;

	if (!c)
		return false;
	c->img = img;
	c->opt = opt;
	c->n = 1;
	s = &c->seg[0];
	s->crew = c;
	s->ls = ls;
	if (run_ahead(s, cycle)) {
		enter(s);
		advance(s);
		*res = s->res;
		res->cycles = s->run.cycle;
		res->compared = s->run.compared;
		res->digest =
		    digest_final(digest_state(s->run.digest, &ls->model->s));
		good = true;
	}
	ls->clean = false;
	segment_free(c);
	return good;
}

/* A run of so many segments, 1 and up, that stands in its first cycle. */
static bool run_segments(struct lockstep *ls, struct run *run, int n)
{
	struct lockstep_result *res = run->res;
	struct crew *c = ls->crew;
	struct segment *s;

	begin(c, ls, run, n);
	advance(&c->seg[0]);
	for (int i = 1; i < n; i++)
		if (c->seg[i].threaded)
			pthread_join(c->seg[i].thread, NULL);
	s = gather(c);
	*run = s->run;
	*res = s->res;
	run->res = res;
	if (s->ls != ls)
		take_over(ls, s->ls);
	return s->over;
}

bool segment_run(struct lockstep *ls, struct run *run)
{
	uint64_t limit = run->edges, known;
	int n = run->opt->jobs;
	bool over = false;

	if (!ls->crew)
		ls->crew = crew_new();
	if (!ls->crew)
		return lockstep_advance(ls, run);
	known = ls->crew->image == ls->img ? ls->crew->cycles : 0;
	if (!known) {
		/* Many runs are short. */
		run->edges = 2 * SEGMENT_LEAST;
		if (limit && run->edges > limit)
			run->edges = limit;
		over = lockstep_advance(ls, run);
	} else if (known / SEGMENT_LEAST < (uint64_t)n) {
		n = (int)(known / SEGMENT_LEAST);
	}
	n = n > LOCKSTEP_MAX_JOBS ? LOCKSTEP_MAX_JOBS : n < 1 ? 1 : n;
	if (!over && (!limit || run->cycle < limit))
		over = run_segments(ls, run, n);
	run->edges = limit;
	ls->crew->image = ls->img;
	ls->crew->cycles = run->cycle;
	return over;
}
