/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside lockstep: what its files share.
 *
 *   load.c      memories and state before a run, memories after it
 *   lockstep.c  the loop and the verdict
 *   segment.c   a long run in segments at the same time
 *   compare.c   what differs in a cycle
 *   record.c    replays a run into a wave file
 *   report.c    replays a run up to a difference and tells what happened
 *   deadlock.c  who waits for whom
 */
#ifndef HARNESS_LOCKSTEP_PRIV_H
#define HARNESS_LOCKSTEP_PRIV_H

#include "harness/lockstep.h"

#include "cmodel/tpb.h"
#include "harness/dram.h"
#include "harness/rtl.h"

enum side { SIDE_RTL, SIDE_MODEL };

/* Unified byte addresses (docs/reference/timing.md, load and store). */
#define ADDR_SBUF (1ull << 36)
#define ADDR_PSUM (ADDR_SBUF + 0x2000000)
#define PSUM_WORDS 2048u /* a partition */

/* Watches a run cycle by cycle. */
struct observer {
	void *ctx;
	/* Both sides stand in `cycle`; out: what the core drives in it. */
	void (*before)(void *ctx, struct lockstep *ls, uint64_t cycle,
	               const struct rtl_out *out);
	/* After the edge that ended `cycle`. */
	void (*after)(void *ctx, struct lockstep *ls, uint64_t cycle);
};

/* The harness's side of the RTL's fetch and DRAM ports. */
struct port {
	const uint8_t *fetch[TPB_ENGINES]; /* answers of the last requests */
	const uint8_t *record;             /* of the DMA program, likewise */
	uint32_t record_bytes;
	uint64_t data[TPB_DRAM_LATENCY]; /* reads on their way, by the */
	uint8_t id[TPB_DRAM_LATENCY];    /* cycle modulo the latency */
	uint32_t valid;                  /* a bit a slot */
};

/* On-chip words written in a run; may repeat.  A row write of a vector unit
 * is one entry: words of neighbouring partitions. */
struct logged {
	uint64_t addr; /* unified, of the first partition */
	uint32_t lanes;
};
struct write_log {
	struct logged *at;
	size_t n, cap;
};

struct lockstep {
	struct rtl *rtl;
	struct tpb *model;
	struct dram *dram[2];
	struct port port;
	const struct image *img;

	/* What SBUF and PSUM of both sides hold besides the logged words;
	 * clean: nothing else can differ from the fill. */
	bool clean;
	enum fill fill;
	uint64_t fill_seed;
	struct write_log log;

	lockstep_retire_fn *on_retire;
	void *retire_ctx;
	const struct observer *observer;

	struct crew *crew; /* of segment.c; NULL until it is needed */
};

/* A run in progress. */
struct run {
	const struct lockstep_options *opt;
	struct lockstep_result *res;
	uint64_t cycle;    /* both sides stand in this one */
	uint64_t edges;    /* stop after so many, 0: at the end of the run */
	uint64_t digest;   /* folded so far */
	uint64_t compared; /* elements */
	uint64_t retired;  /* an engine a lane of 12 bits */
	int nelements;     /* what one comparison covers */
	int running;       /* an engine in RUN, as far as known */
	bool frozen;       /* a replay: differences do not stop it */
};

/* load.c */

/* Can this build run the image?  false after a message on stderr. */
bool lockstep_runnable(const struct image *img);
/* Bring both sides into cycle 0 of the image under the options. */
bool lockstep_load(struct lockstep *ls, const struct image *img,
                   const struct lockstep_options *opt);
/* State and memories of the core := those of the model. */
void lockstep_copy(struct lockstep *ls);
/* Note an on-chip write of so many lanes for the next load. */
void lockstep_log(struct lockstep *ls, uint64_t addr, uint32_t lanes);
/* Words of the log, or all words, of both sides equal?  On a difference
 * false, with place and values in *res. */
bool lockstep_memories(struct lockstep *ls, bool whole,
                       struct lockstep_result *res);
/* The word of a side's on-chip memory; NULL: no such word. */
uint64_t *lockstep_word(struct lockstep *ls, enum side side, uint64_t addr);

/* compare.c: true when something differs, with all about it in the result */

/* Put down a difference outside the state table; always true. */
bool compare_failed(struct run *run, uint64_t cycle, const char *what,
                    uint64_t rtl, uint64_t model);
/* The first field of the table that differs. */
bool compare_state(struct lockstep *ls, struct run *run);
/* The memory writes of the ended cycle; logs and digests them. */
bool compare_writes(struct lockstep *ls, struct run *run,
                    const struct rtl_out *out, bool ready);
/* Log and digest those of a model that runs alone. */
void compare_note(struct lockstep *ls, struct run *run);
/* Engines granted and retired in it. */
bool compare_pulses(struct lockstep *ls, struct run *run,
                    const struct rtl_out *out);

/* segment.c */

/* lockstep_advance() in opt->jobs segments: *ls and *run are then what they
 * would be after it. */
bool segment_run(struct lockstep *ls, struct run *run);
void segment_free(struct crew *crew);
/* A segment alone: the model to the first cycle from `cycle` on where it can
 * begin, then both to the end; the result counts what was compared, its digest
 * is that of the whole run.  false: the run ends before. */
bool segment_from(struct lockstep *ls, const struct image *img,
                  const struct lockstep_options *opt, uint64_t cycle,
                  struct lockstep_result *res);

/* record.c */

/* Run again with waves; end: where the run ended.  *again is its result. */
bool lockstep_record(struct lockstep *ls, const struct image *img,
                     const struct lockstep_options *opt, uint64_t end,
                     struct lockstep_result *again);

/* lockstep.c */

/* What a run in its first cycle begins with. */
void lockstep_begin(struct lockstep *ls, struct run *run);
/* Run on to the end of the run, a difference (true) or run->edges (false). */
bool lockstep_advance(struct lockstep *ls, struct run *run);
/* Take the bundles retired since the last call into the result. */
void lockstep_count(struct run *run);
/* The DMA unit has asked for a record: zeros past the end of its array. */
void lockstep_record_asked(struct lockstep *ls, uint32_t array, uint32_t index);
/* The model alone: a cycle; true when it ended the run. */
bool lockstep_model_cycle(struct lockstep *ls, struct run *run);

/* A run up to its verdict; tail: so many cycles more after a difference. */
bool lockstep_once(struct lockstep *ls, const struct image *img,
                   const struct lockstep_options *opt, uint64_t tail,
                   struct lockstep_result *res);
/* The state of a side, copied from the core when it is the RTL's. */
void lockstep_state(struct lockstep *ls, enum side side, struct tpb_state *s);
/* Run the same again under an observer, for `edges` edges whatever the
 * comparison says. */
bool lockstep_replay(struct lockstep *ls, const struct image *img,
                     const struct lockstep_options *opt, uint64_t edges,
                     const struct observer *observer);

/* deadlock.c */

/* One line about what the bundle of an engine waits for: "s5 >= 2 (is
 * 1)", "" when it waits for nothing.  Returns buf. */
const char *lockstep_waits(const struct image *img, const struct tpb_state *s,
                           int engine, char *buf, size_t size);

extern const char *const lockstep_engine[TPB_ENGINES];

#endif
