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
 * digest that the next one's model had.  A thread that is done takes half of
 * what is left of the longest segment.
 *
 * A segment begins where the state table, the memories and the ports say all
 * that is to be said: no beat of a vector unit is between the RAMs and its
 * write.  The output registers of the RAMs are then dead but for the word of a
 * narrow read.  docs/reference/lockstep.md, "Segments".
 */
#include "harness/lockstep_priv.h"

#include "harness/digest.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENT_LEAST 32768u /* cycles worth a segment */
#define SEGMENT_MOST 256     /* of a run */
#define SEGMENT_CLAIM 1024u  /* cycles between two looks at the others */
/* What the model alone takes for a cycle, in cycles of lockstep: for the
 * balance only. */
#define SEGMENT_MODEL 0.08

enum stage {
	STAGE_AHEAD, /* the model is on its way to the start */
	STAGE_LIVE,  /* begun; perhaps done */
	STAGE_NONE   /* came too late, or not at all */
};

/* Stage, start, claimed and done are under the mutex, the rest is the
 * thread's that runs the segment. */
struct segment {
	enum stage stage;
	uint64_t start;   /* first cycle; AHEAD: the one aimed at */
	uint64_t claimed; /* LIVE: has run, or will, to here */
	bool done;
	struct lockstep *ls;
	struct run run;
	struct lockstep_result res;
	uint64_t handed; /* the model's digest at the start */
	bool ended;      /* the run is over, or at its last cycle */
	bool over;       /* ... over */
};

/* A thread with a core and a model of its own, or the caller's. */
struct hand {
	struct crew *crew;
	struct lockstep *ls;
	pthread_t thread;
	bool threaded;
	/* Where its model stands: behind the last segment. */
	bool loaded;
	struct run at;
};

struct crew {
	struct lockstep *mate[LOCKSTEP_MAX_JOBS]; /* [0] unused */
	/* How long a run of this image was: it will be as long again. */
	const struct image *image;
	uint64_t cycles;

	/* One run. */
	const struct image *img;
	const struct lockstep_options *opt;
	struct hand hand[LOCKSTEP_MAX_JOBS];
	struct segment seg[SEGMENT_MOST];
	int nsegs;
	pthread_mutex_t mutex;
	pthread_cond_t known;
	uint64_t end;   /* cycles of the run, 0: not known yet */
	uint64_t bound; /* no segment behind this cycle is needed */
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

static void lock(struct crew *c)
{
	pthread_mutex_lock(&c->mutex);
}

static void unlock(struct crew *c)
{
	pthread_mutex_unlock(&c->mutex);
}

/* ------------------------------------------------------------------ *
 * Who runs how far.                                                  *
 * ------------------------------------------------------------------ */

/* Under the mutex: the first start behind a cycle of a segment that is live,
 * or also of one that will be; UINT64_MAX: there is none. */
static uint64_t next_start(const struct crew *c, uint64_t cycle, bool ahead)
{
	uint64_t next = UINT64_MAX;

	for (int i = 0; i < c->nsegs; i++) {
		const struct segment *s = &c->seg[i];
		bool counts = s->stage == STAGE_LIVE ||
		              (ahead && s->stage == STAGE_AHEAD);

		if (counts && s->start > cycle && s->start < next)
			next = s->start;
	}
	return next;
}

/* Edge limit of the next stretch; the present cycle when there is none: the
 * next segment begins here, or this one is not needed. */
static uint64_t claim(struct crew *c, struct segment *s)
{
	uint64_t max = c->opt->max_cycles, next;
	uint64_t limit = s->run.cycle + SEGMENT_CLAIM;

	if (max && limit > max)
		limit = max;
	lock(c);
	next = next_start(c, s->start, false);
	limit = next < limit ? next : limit;
	if (s->start > c->bound)
		limit = s->run.cycle;
	s->claimed = limit;
	unlock(c);
	return limit;
}

static bool needed(struct crew *c, const struct segment *s)
{
	bool yes;

	lock(c);
	yes = s->start <= c->bound;
	unlock(c);
	return yes;
}

/* The segment stands in its first cycle: has nobody been here? */
static bool go_live(struct crew *c, struct segment *s)
{
	uint64_t cycle = s->run.cycle;
	bool good;

	lock(c);
	good = cycle <= c->bound;
	for (int i = 0; i < c->nsegs; i++) {
		const struct segment *o = &c->seg[i];

		if (o->stage == STAGE_LIVE)
			good &= o->start < cycle ? o->claimed <= cycle
			                         : o->start > cycle;
	}
	s->stage = good ? STAGE_LIVE : STAGE_NONE;
	s->start = s->claimed = cycle;
	unlock(c);
	return good;
}

/* In lockstep to the start of the next segment or the end of the run. */
static void advance(struct crew *c, struct segment *s)
{
	uint64_t max = c->opt->max_cycles;

	while (!s->ended && (s->run.edges = claim(c, s)) > s->run.cycle) {
		s->over = lockstep_advance(s->ls, &s->run);
		s->ended = s->over || (max && s->run.cycle >= max);
	}
	lockstep_count(&s->run);
	if (!s->ended && c->opt->compare && needed(c, s) &&
	    !lockstep_memories(s->ls, !c->opt->quick_memory, &s->res)) {
		s->res.bad_cycle = s->run.cycle;
		s->ended = s->over = true;
	}
	lock(c);
	s->done = true;
	if (s->ended && c->bound > s->start)
		c->bound = s->start;
	pthread_cond_broadcast(&c->known);
	unlock(c);
}

/* ------------------------------------------------------------------ *
 * The model runs ahead, and the core is put where it is.             *
 * ------------------------------------------------------------------ */

/* No beat of a vector unit is between the RAMs and its write. */
static bool quiet(const struct tpb_state *s)
{
	bool busy = false;

	for (int u = 0; u < TPB_VECS; u++)
		busy |= s->vec[u].vx0_valid || s->vec[u].vx1_valid ||
		        s->vec[u].vw_valid;
	return !busy;
}

static bool load(struct hand *h)
{
	h->at = (struct run){.opt = h->crew->opt};
	h->loaded = lockstep_load(h->ls, h->crew->img, h->crew->opt);
	lockstep_begin(h->ls, &h->at);
	return h->loaded;
}

/* Let the model alone run to the first quiet cycle from `cycle` on; false: the
 * run is over before, or nobody needs the segment. */
static bool run_ahead(struct hand *h, struct segment *s, uint64_t cycle)
{
	uint64_t max = h->crew->opt->max_cycles;
	struct lockstep_result nothing = {0};
	bool there = true;

	h->at.res = &nothing;
	while (there && (h->at.cycle < cycle || !quiet(&h->ls->model->s))) {
		there = !(max && h->at.cycle >= max) &&
		        !lockstep_model_cycle(h->ls, &h->at);
		if (h->at.cycle % SEGMENT_CLAIM == 0)
			there &= needed(h->crew, s);
	}
	h->loaded &= there;
	return there;
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

/* Put core, its memories and its ports where the model stands; a segment
 * begins there. */
static void enter(struct hand *h, struct segment *s)
{
	struct lockstep *ls = h->ls;
	const struct tpb *t = ls->model;
	struct rtl_in in = {.dram_ready = true};

	lockstep_copy(ls);
	if (t->s.sbuf_s1_valid)
		rtl_ram_word(ls->rtl, false, t->s.sbuf_s1_lane, t->ram_word[0]);
	if (t->s.psum_s1_valid)
		rtl_ram_word(ls->rtl, true, t->s.psum_s1_lane, t->ram_word[1]);
	enter_ports(ls, h->at.cycle, &in);
	rtl_settle(ls->rtl, &in);
	s->ls = ls;
	s->run = h->at;
	s->run.res = &s->res;
	/* What the model did alone does not count. */
	s->run.retired = 0;
	s->run.compared = 0;
	s->handed = s->run.digest;
}

/* ------------------------------------------------------------------ *
 * Who runs what.                                                     *
 * ------------------------------------------------------------------ */

/* How long is the run?  The first hand but the caller's finds out, the others
 * wait. */
static void find_length(struct hand *h)
{
	struct crew *c = h->crew;
	/* Needed until the run has ended. */
	struct segment search = {.start = UINT64_MAX};
	bool mine = h == &c->hand[1];

	lock(c);
	if (mine && !c->end) {
		unlock(c);
		if (load(h))
			run_ahead(h, &search, UINT64_MAX);
		h->loaded = false;
		lock(c);
		c->end = h->at.cycle ? h->at.cycle : 1;
		pthread_cond_broadcast(&c->known);
	}
	while (!c->end && c->bound == UINT64_MAX)
		pthread_cond_wait(&c->known, &c->mutex);
	unlock(c);
}

/* Under the mutex: the running segment with most before it, NULL when it is
 * not worth a segment; *next: where that ends. */
static struct segment *longest(struct crew *c, uint64_t *next)
{
	struct segment *best = NULL;
	uint64_t most = 2 * SEGMENT_LEAST;

	for (int i = 0; i < c->nsegs; i++) {
		struct segment *s = &c->seg[i];
		uint64_t to = next_start(c, s->start, true);

		if (c->end && to > c->end)
			to = c->end;
		if (s->stage == STAGE_LIVE && !s->done && to > s->claimed &&
		    to - s->claimed >= most && s->start <= c->bound) {
			most = to - s->claimed;
			*next = to;
			best = s;
		}
	}
	return best;
}

/* The second half of what is longest, as a segment of hand h: begun where
 * both halves are done at the same time.  NULL: nothing is worth it. */
static struct segment *take_half(struct hand *h)
{
	struct crew *c = h->crew;
	struct segment *s = NULL, *o;
	uint64_t next = 0;
	double at, mine = h->loaded ? (double)h->at.cycle : 0;

	lock(c);
	o = c->nsegs < SEGMENT_MOST ? longest(c, &next) : NULL;
	if (o) {
		at = (double)o->claimed + (double)next - SEGMENT_MODEL * mine;
		s = &c->seg[c->nsegs++];
		*s = (struct segment){.stage = STAGE_AHEAD};
		s->start = (uint64_t)(at / (2 - SEGMENT_MODEL));
	}
	unlock(c);
	return s;
}

/* A segment, when one is worth it; false: there will be no further. */
static bool work_once(struct hand *h)
{
	struct crew *c = h->crew;
	struct segment *s = take_half(h);
	uint64_t goal;

	if (!s)
		return false;
	goal = s->start;
	if (h->at.cycle > goal)
		h->loaded = false;
	if ((!h->loaded && !load(h)) || !run_ahead(h, s, goal)) {
		lock(c);
		s->stage = STAGE_NONE;
		unlock(c);
		return needed(c, s);
	}
	enter(h, s);
	if (!go_live(c, s))
		return true;
	advance(c, s);
	h->at = s->run;
	return !s->ended;
}

static void *work(void *arg)
{
	struct hand *h = arg;

	find_length(h);
	while (work_once(h))
		;
	return NULL;
}

/* ------------------------------------------------------------------ *
 * The whole.                                                         *
 * ------------------------------------------------------------------ */

/* The first segment begins where *run stands. */
static struct segment *begin(struct crew *c, struct lockstep *ls,
                             const struct run *run, int hands)
{
	struct segment *s = &c->seg[0];

	c->img = ls->img;
	c->opt = run->opt;
	c->bound = UINT64_MAX;
	c->nsegs = 1;
	*s = (struct segment){.stage = STAGE_LIVE,
	                      .start = run->cycle,
	                      .claimed = run->cycle,
	                      .ls = ls,
	                      .run = *run,
	                      .res = *run->res};
	s->run.res = &s->res;
	for (int i = 0; i < hands; i++)
		c->hand[i] = (struct hand){.crew = c, .ls = ls};
	/* Not in their threads: Verilator leaves a string behind in each thread
	 * that makes a core. */
	for (int i = 1; i < hands; i++) {
		if (!c->mate[i])
			c->mate[i] = lockstep_new();
		c->hand[i].ls = c->mate[i];
	}
	return s;
}

/* Hands get to work; the first of them must, for it finds the length. */
static void start_hands(struct crew *c, int hands)
{
	for (int i = 1; i < hands; i++) {
		struct hand *h = &c->hand[i];

		h->threaded =
		    h->ls && !pthread_create(&h->thread, NULL, work, h);
		if (!h->threaded)
			break;
	}
}

/* The live segment that begins at a cycle. */
static struct segment *begun_at(struct crew *c, uint64_t cycle)
{
	for (int i = 0; i < c->nsegs; i++)
		if (c->seg[i].stage == STAGE_LIVE && c->seg[i].start == cycle)
			return &c->seg[i];
	return NULL;
}

/* From the first segment on, the one that the run ended in; the counts of
 * those before it go into its own. */
static struct segment *gather(struct crew *c)
{
	struct segment *s = &c->seg[0];

	while (!s->ended) {
		struct segment *next = begun_at(c, s->run.cycle);

		if (!next || next->handed != s->run.digest) {
			compare_failed(&s->run, s->run.cycle, "handover",
			               s->run.digest, next ? next->handed : 0);
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
	struct hand *h;
	bool good;

	if (!c)
		return false;
	c->img = img;
	c->opt = opt;
	c->bound = UINT64_MAX;
	c->nsegs = 1;
	s = &c->seg[0];
	h = &c->hand[0];
	*h = (struct hand){.crew = c, .ls = ls};
	good = load(h) && run_ahead(h, s, cycle);
	if (good) {
		enter(h, s);
		advance(c, s);
		*res = s->res;
		res->cycles = s->run.cycle;
		res->compared = s->run.compared;
		res->digest =
		    digest_final(digest_state(s->run.digest, &ls->model->s));
	}
	ls->clean = false;
	segment_free(c);
	return good;
}

/* A run that stands in its first cycle, by so many hands. */
static bool run_segments(struct lockstep *ls, struct run *run, int hands)
{
	struct lockstep_result *res = run->res;
	struct crew *c = ls->crew;
	struct segment *s = begin(c, ls, run, hands);

	start_hands(c, hands);
	advance(c, s);
	c->hand[0].at = s->run;
	c->hand[0].loaded = true;
	while (!s->ended && work_once(&c->hand[0]))
		;
	for (int i = 1; i < hands; i++)
		if (c->hand[i].threaded)
			pthread_join(c->hand[i].thread, NULL);
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
	struct crew *c;
	int n = run->opt->jobs;
	bool over = false;

	if (!ls->crew)
		ls->crew = crew_new();
	c = ls->crew;
	if (!c)
		return lockstep_advance(ls, run);
	known = c->image == ls->img ? c->cycles : 0;
	c->end = known;
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
	c->image = ls->img;
	c->cycles = run->cycle;
	return over;
}
