/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside lockstep: what its files share.
 *
 *   load.c      memories and state before a run, memories after it
 *   lockstep.c  the loop, the comparison, the verdict
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
#define LANES 32
#define QUADRANTS 4

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
	uint64_t data[TPB_DRAM_LATENCY];   /* reads on their way, by the */
	uint8_t id[TPB_DRAM_LATENCY];      /* cycle modulo the latency */
	uint32_t valid;                    /* a bit a slot */
};

/* On-chip words written in a run, by unified address; may repeat. */
struct write_log {
	uint64_t *addr;
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
};

/* load.c */

/* Bring both sides into cycle 0 of the image under the options. */
bool lockstep_load(struct lockstep *ls, const struct image *img,
                   const struct lockstep_options *opt);
/* Note an on-chip write for the next load. */
void lockstep_log(struct lockstep *ls, uint64_t addr);
/* Words of the log, or all words, of both sides equal?  On a difference
 * false, with place and values in *res. */
bool lockstep_memories(struct lockstep *ls, bool whole,
                       struct lockstep_result *res);
/* The word of a side's on-chip memory; NULL: no such word. */
uint64_t *lockstep_word(struct lockstep *ls, enum side side, uint64_t addr);

/* lockstep.c */

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
const char *lockstep_waits(const struct tpb_state *s, int engine, char *buf,
                           size_t size);

extern const char *const lockstep_engine[TPB_ENGINES];

#endif
