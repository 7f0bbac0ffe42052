/* SPDX-License-Identifier: Apache-2.0
 *
 * The lockstep loop; see lockstep.h and docs/reference/lockstep.md.
 *
 * The loop is compiled three times from one body: bare (nothing compared,
 * for the bench), plain, and with hooks (plant, stalls, retire callback,
 * observer).  Nobody pays for what is off.
 */
#include "harness/lockstep_priv.h"

#include "harness/clock.h"
#include "harness/cmd.h"
#include "harness/digest.h"
#include "harness/fill.h"
#include "harness/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

_Static_assert(TPB_DRAM_LATENCY >= 2 && TPB_DRAM_LATENCY <= 32,
               "slots of the answer ring");

const char *const lockstep_engine[TPB_ENGINES] = {"PE", "ACT", "POOL", "DVE",
                                                  "SP"};

struct lockstep *lockstep_new(void)
{
	struct tpb_config cfg = {.gen = rtl_gen(),
	                         .sbuf_part_bytes = rtl_sbuf_part_bytes()};
	const struct rtl_program nothing = {0};
	struct lockstep *ls = calloc(1, sizeof(*ls));

	if (!ls)
		return NULL;
	ls->rtl = rtl_new(&nothing);
	ls->model = tpb_new(&cfg);
	ls->dram[SIDE_RTL] = dram_new();
	ls->dram[SIDE_MODEL] = dram_new();
	if (!ls->rtl || !ls->model || !ls->dram[0] || !ls->dram[1]) {
		lockstep_free(ls);
		return NULL;
	}
	ls->model->dram = program_port(ls->dram[SIDE_MODEL]);
	return ls;
}

void lockstep_free(struct lockstep *ls)
{
	if (!ls)
		return;
	rtl_free(ls->rtl);
	tpb_free(ls->model);
	dram_free(ls->dram[0]);
	dram_free(ls->dram[1]);
	free(ls->log.at);
	segment_free(ls->crew);
	free(ls);
}

void lockstep_on_retire(struct lockstep *ls, lockstep_retire_fn *fn, void *ctx)
{
	ls->on_retire = fn;
	ls->retire_ctx = ctx;
}

void lockstep_dram(struct lockstep *ls, bool rtl, uint64_t addr, void *buf,
                   uint64_t size)
{
	dram_get(ls->dram[rtl ? SIDE_RTL : SIDE_MODEL], addr, buf, size);
}

void lockstep_state(struct lockstep *ls, enum side side, struct tpb_state *s)
{
	*s = ls->model->s;
	if (side == SIDE_MODEL)
		return;
	for (int f = 0; f < state_nfields; f++)
		memcpy((char *)s + state_fields[f].offset,
		       rtl_field(ls->rtl, f),
		       (size_t)state_fields[f].count *
		           (size_t)state_fields[f].bytes);
}

/* ------------------------------------------------------------------ *
 * The ports.                                                         *
 * ------------------------------------------------------------------ */

void lockstep_record_asked(struct lockstep *ls, uint32_t array, uint32_t index)
{
	static const uint8_t nothing[IMAGE_QUEUE_SIZE];
	const struct image_dma *d = &ls->img->dma;
	const struct {
		const void *at;
		uint32_t n, size;
	} arrays[4] = {{d->queue, d->nqueues, IMAGE_QUEUE_SIZE},
	               {d->instance, d->ninstances, IMAGE_INSTANCE_SIZE},
	               {d->block, d->nblocks, IMAGE_BLOCK_SIZE},
	               {d->descriptor, d->ndescriptors, IMAGE_DESC_SIZE}};
	uint32_t size = arrays[array & 3].size;

	ls->port.record_bytes = size;
	ls->port.record = nothing;
	if (index < arrays[array & 3].n)
		ls->port.record = (const uint8_t *)arrays[array & 3].at +
		                  (size_t)index * size;
}

/* Requests of this cycle into the port, answers into *in.  A request of
 * cycle t is answered before the edge that ends t + 1; a read handed over in
 * h is at the port in cycle h + TPB_DRAM_LATENCY - 1. */
ALWAYS_INLINE void serve_ports(struct lockstep *ls, uint64_t cycle,
                               const struct rtl_out *out, struct rtl_in *in)
{
	static const uint8_t nothing[TPB_BUNDLE];
	struct port *p = &ls->port;
	unsigned slot;

	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct image_stream *st = &ls->img->stream[e];
		in->fetch_data[e] = p->fetch[e];
		p->fetch[e] = NULL;
		if (out->fetch_en >> e & 1)
			p->fetch[e] = out->fetch_pc[e] < st->len
			                  ? st->bundle[out->fetch_pc[e]]
			                  : nothing;
	}
	in->dprog_data = p->record;
	in->dprog_bytes = p->record_bytes;
	p->record = NULL;
	if (out->dprog_en)
		lockstep_record_asked(ls, out->dprog_sel, out->dprog_idx);
	in->dram_rvalid = false;
	if (!out->dram_valid && !p->valid)
		return;
	slot = (unsigned)(cycle % TPB_DRAM_LATENCY);
	if (p->valid >> slot & 1) {
		in->dram_rvalid = true;
		in->dram_rid = p->id[slot];
		in->dram_rdata = p->data[slot];
		p->valid &= ~(1u << slot);
	}
	if (!out->dram_valid || !in->dram_ready)
		return;
	if (out->dram_we) {
		dram_write(ls->dram[SIDE_RTL], out->dram_addr, out->dram_data,
		           out->dram_mask);
		return;
	}
	slot = (unsigned)((cycle + TPB_DRAM_LATENCY - 1) % TPB_DRAM_LATENCY);
	p->data[slot] = dram_read(ls->dram[SIDE_RTL], out->dram_addr);
	p->id[slot] = out->dram_id;
	p->valid |= 1u << slot;
}

/* What nobody in the program decides: stalls of the DRAM port, a function
 * of seed and cycle for both sides. */
static void random_inputs(struct lockstep *ls, const struct run *run,
                          struct rtl_in *in)
{
	in->dram_ready = true;
	if (run->opt->stalls)
		in->dram_ready =
		    (fill_hash(~run->opt->stalls, run->cycle) & 3) != 0;
	ls->model->dram_ready = in->dram_ready;
}

static void plant(struct lockstep *ls, const struct plant *p)
{
	const struct state_field *d = &state_fields[p->field];
	uint64_t v = 0;
	char *at;

	if (p->model) {
		v = state_get(&ls->model->s, p->field, p->index);
		state_set(&ls->model->s, p->field, p->index, v ^ p->mask);
		return;
	}
	at = (char *)rtl_field(ls->rtl, p->field) + p->index * d->bytes;
	memcpy(&v, at, (size_t)d->bytes);
	v ^= p->mask;
	memcpy(at, &v, (size_t)d->bytes);
}

/* ------------------------------------------------------------------ *
 * The loop.                                                          *
 * ------------------------------------------------------------------ */

/* The DMA unit has a block to move or is at one; compared fields. */
static bool dma_works(const struct tpb_state *s)
{
	if (s->dm_state != TPB_MOVER_IDLE)
		return true;
	for (int q = 0; q < TPB_QUEUES; q++)
		if (s->q_busy[q] && !s->q_stop[q])
			return true;
	return false;
}

/* No engine is in RUN: has the run ended?  Both sides must say so. */
static bool ended(struct lockstep *ls, struct run *run)
{
	bool model = tpb_done(ls->model);
	bool rtl;

	for (int e = 0; e < TPB_ENGINES; e++)
		if (ls->model->s.engine[e].state == TPB_RUN_RUN) {
			run->running = e;
			return false;
		}
	/* States and dreq_valid are compared fields. */
	rtl = !ls->model->s.dreq_valid && !ls->port.valid &&
	      !dma_works(&ls->model->s);
	if (rtl != model && run->opt->compare)
		return compare_failed(run, run->cycle, "end_of_run", rtl,
		                      model);
	return model;
}

/* Bit e of n to bit 12 * e. */
#define SPREAD(n)                                                        \
	((n)&1ull) | ((n) >> 1 & 1ull) << 12 | ((n) >> 2 & 1ull) << 24 | \
	    ((n) >> 3 & 1ull) << 36 | ((n) >> 4 & 1ull) << 48
#define SPREAD4(n) SPREAD(n), SPREAD(n + 1), SPREAD(n + 2), SPREAD(n + 3)

static const uint64_t spread[32] = {SPREAD4(0),  SPREAD4(4),  SPREAD4(8),
                                    SPREAD4(12), SPREAD4(16), SPREAD4(20),
                                    SPREAD4(24), SPREAD4(28)};

/* Retired bundles are counted in 12-bit lanes of one word and drained
 * before a lane can overflow. */
void lockstep_count(struct run *run)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		run->res->retired[e] += run->retired >> (12 * e) & 0xFFF;
	run->retired = 0;
}

/* Count and digest the cycle that has ended; its writes are digested. */
ALWAYS_INLINE void account(struct run *run, const struct tpb *t)
{
	run->retired += spread[t->retired & 31];
	run->digest =
	    digest_fold(run->digest, (uint64_t)t->granted << 8 | t->retired);
	run->cycle++;
}

static void account_state(struct run *run, const struct tpb_state *s)
{
	run->digest = digest_state(run->digest, s);
	lockstep_count(run);
}

static void call_retire(struct lockstep *ls, uint8_t retire)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		if (retire >> e & 1)
			ls->on_retire(ls->retire_ctx, e,
			              ls->model->s.engine[e].pc, &ls->model->s);
}

/* One cycle; true when the run is over. */
ALWAYS_INLINE bool cycle(struct lockstep *ls, struct run *run,
                         struct rtl_in *in, bool compare, bool hooks)
{
	struct tpb *t = ls->model;
	struct rtl_out out;

	rtl_outputs(ls->rtl, &out);
	if (hooks) {
		random_inputs(ls, run, in);
		if (ls->on_retire && out.retire)
			call_retire(ls, out.retire);
		if (ls->observer && ls->observer->before)
			ls->observer->before(ls->observer->ctx, ls, run->cycle,
			                     &out);
	}
	serve_ports(ls, run->cycle, &out, in);
	rtl_edge(ls->rtl, in);
	tpb_step(t);
	if (compare && !run->frozen) {
		if ((out.mon[0].valid | out.mon[1].valid | out.row |
		     out.dram_valid | (t->nwrites != 0) | t->row[0].valid |
		     t->row[1].valid) &&
		    compare_writes(ls, run, &out, in->dram_ready))
			return run->cycle++, true;
		if ((out.retire != t->retired || out.grant != t->granted) &&
		    compare_pulses(ls, run, &out))
			return run->cycle++, true;
	}
	account(run, t);
	if (hooks) {
		if (run->opt->plant.on && run->opt->plant.cycle == run->cycle)
			plant(ls, &run->opt->plant);
		if (ls->observer && ls->observer->after)
			ls->observer->after(ls->observer->ctx, ls,
			                    run->cycle - 1);
	}
	if (compare && !run->frozen) {
		run->compared += (uint64_t)run->nelements;
		if (rtl_differs(ls->rtl, &t->s) && compare_state(ls, run))
			return true;
	}
	if (run->cycle % DIGEST_PERIOD == 0)
		account_state(run, &t->s);
	return t->s.engine[run->running].state != TPB_RUN_RUN && !run->frozen &&
	       ended(ls, run);
}

#define DEFINE_LOOP(name, compare, hooks)                              \
	static bool name(struct lockstep *ls, struct run *run)         \
	{                                                              \
		struct rtl_in in = {.dram_ready = true};               \
		uint64_t limit = run->edges ? run->edges : UINT64_MAX; \
                                                                       \
		while (run->cycle < limit)                             \
			if (cycle(ls, run, &in, compare, hooks))       \
				return true;                           \
		return false;                                          \
	}

DEFINE_LOOP(loop_bare, false, false)
DEFINE_LOOP(loop_plain, true, false)
DEFINE_LOOP(loop_hooks, true, true)

bool lockstep_advance(struct lockstep *ls, struct run *run)
{
	const struct lockstep_options *opt = run->opt;

	if (opt->plant.on || opt->stalls || ls->on_retire || ls->observer)
		return loop_hooks(ls, run);
	return opt->compare ? loop_plain(ls, run) : loop_bare(ls, run);
}

bool lockstep_model_cycle(struct lockstep *ls, struct run *run)
{
	struct tpb *t = ls->model;

	tpb_step(t);
	if (t->nwrites != 0 || t->row[0].valid || t->row[1].valid)
		compare_note(ls, run);
	account(run, t);
	if (run->cycle % DIGEST_PERIOD == 0)
		account_state(run, &t->s);
	return tpb_done(t);
}

void lockstep_begin(struct lockstep *ls, struct run *run)
{
	ls->model->dram_ready = true;
	run->digest = DIGEST_SEED;
	run->nelements = rtl_nelements();
}

/* The check of cycle 0: both resets gave the same state.  It is not part of
 * the compared count, which has one comparison an edge. */
static bool start(struct lockstep *ls, struct run *run)
{
	const struct lockstep_options *opt = run->opt;

	lockstep_begin(ls, run);
	if (opt->plant.on && opt->plant.cycle == 0)
		plant(ls, &opt->plant);
	return run->frozen || !compare_state(ls, run);
}

/* Everything of the run was equal: settle the verdict. */
static void finish(struct lockstep *ls, struct run *run)
{
	const struct tpb_state *s = &ls->model->s;
	struct lockstep_result *res = run->res;
	uint64_t predicted = res->cycles * (uint64_t)state_nelements;

	if (run->opt->compare) {
		if (compare_state(ls, run) ||
		    !lockstep_memories(ls, !run->opt->quick_memory, res))
			return;
		if (res->compared != predicted) {
			compare_failed(run, run->cycle, "compared_count",
			               res->compared, predicted);
			return;
		}
	}
	if (res->verdict == VERDICT_TIMEOUT)
		return;
	for (int e = 0; e < TPB_ENGINES; e++)
		if (s->engine[e].state != TPB_RUN_EXITED &&
		    s->engine[e].state != TPB_RUN_ABSENT)
			res->verdict = VERDICT_FAULTED;
}

/* Is the difference the planted one? */
static bool planted(const struct lockstep_options *opt,
                    const struct lockstep_result *res)
{
	const struct plant *p = &opt->plant;

	return p->on && res->bad_cycle == p->cycle &&
	       res->bad_field == p->field && res->bad_index == p->index &&
	       (res->rtl ^ res->model) == p->mask;
}

bool lockstep_once(struct lockstep *ls, const struct image *img,
                   const struct lockstep_options *opt, uint64_t tail,
                   struct lockstep_result *res)
{
	struct run run = {.opt = opt, .res = res, .edges = opt->max_cycles};
	bool one = opt->jobs < 2 || tail || opt->stalls || ls->on_retire ||
	           ls->observer;

	memset(res, 0, sizeof(*res));
	if (!lockstep_load(ls, img, opt))
		return false;
	double begin = clock_seconds();
	if (start(ls, &run)) {
		bool over =
		    one ? lockstep_advance(ls, &run) : segment_run(ls, &run);

		if (!over)
			res->verdict = VERDICT_TIMEOUT;
	}
	res->seconds = clock_seconds() - begin;
	res->cycles = run.cycle;
	res->compared = run.compared;
	res->digest = digest_final(digest_state(run.digest, &ls->model->s));
	lockstep_count(&run);
	if (res->verdict != VERDICT_DIFFERS)
		finish(ls, &run);
	if (res->verdict != VERDICT_DIFFERS)
		return true;
	/* Nothing can have followed from a planted bit that was seen in its
	 * cycle.  Take it back, so that the core is what its last edge made
	 * of it.  After any other difference nobody knows what the memories
	 * hold. */
	if (planted(opt, res) && !tail)
		plant(ls, &opt->plant);
	else
		ls->clean = false;
	if (tail) {
		run.frozen = true;
		run.edges = run.cycle + tail;
		loop_hooks(ls, &run);
	}
	return true;
}

double lockstep_alone(struct lockstep *ls, const struct image *img,
                      const struct lockstep_options *opt, bool rtl,
                      uint64_t cycles)
{
	struct rtl_in in = {.dram_ready = true};
	struct rtl_out out;
	double begin;

	if (!lockstep_load(ls, img, opt))
		return -1;
	ls->model->dram_ready = true;
	begin = clock_seconds();
	for (uint64_t c = 0; c < cycles; c++) {
		if (!rtl) {
			tpb_step(ls->model);
			continue;
		}
		rtl_outputs(ls->rtl, &out);
		serve_ports(ls, c, &out, &in);
		rtl_edge(ls->rtl, &in);
	}
	ls->clean = false;
	return clock_seconds() - begin;
}

struct tpb *lockstep_model(struct lockstep *ls)
{
	return ls->model;
}

bool lockstep_replay(struct lockstep *ls, const struct image *img,
                     const struct lockstep_options *opt, uint64_t edges,
                     const struct observer *observer)
{
	struct lockstep_result res = {0};
	struct run run = {
	    .opt = opt, .res = &res, .edges = edges, .frozen = true};
	lockstep_retire_fn *retire = ls->on_retire;

	ls->on_retire = NULL;
	ls->observer = observer;
	if (lockstep_load(ls, img, opt)) {
		start(ls, &run);
		if (edges > 0) /* for the loop, 0 is no limit */
			loop_hooks(ls, &run);
	}
	ls->observer = NULL;
	ls->on_retire = retire;
	ls->clean = false;
	return run.cycle == edges;
}

bool lockstep_run(struct lockstep *ls, const struct image *img,
                  const struct lockstep_options *opt,
                  struct lockstep_result *res)
{
	struct lockstep_result again;

	if (!lockstep_once(ls, img, opt, 0, res))
		return false;
	if (!opt->waves && !opt->timeline)
		return true;
	if (!lockstep_record(ls, img, opt, res->cycles, &again))
		return false;
	/* Watching must not change the machine. */
	if (again.digest == res->digest && again.verdict == res->verdict &&
	    again.cycles == res->cycles)
		return true;
	cmd_error("RUN004", img->name,
	          "a repeated run took another course; "
	          "report this as a defect of tpb");
	return false;
}
