/* SPDX-License-Identifier: Apache-2.0
 *
 * Lockstep: the verilated core and the model run one image side by side and
 * are compared after every clock.
 *
 * Both sides get the same loaded image, the same fill bytes in every KEEP
 * field and every memory byte, and the same inputs.  After each edge all
 * fields of the state table and all memory writes of the cycle are compared;
 * SBUF, PSUM and DRAM are compared whole at the end.  The first difference
 * ends the run.
 */
#ifndef HARNESS_LOCKSTEP_H
#define HARNESS_LOCKSTEP_H

#include "image/image.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stdint.h>

#define LOCKSTEP_MAX_JOBS 64

enum fill { FILL_ZERO, FILL_ONES, FILL_RANDOM };

/* Flip bits of one element of one field on one side, right after the edge
 * that ends cycle `cycle` - 1: it is seen by the comparison of that cycle. */
struct plant {
	bool on, model;
	int field, index;
	uint64_t cycle, mask;
};

struct lockstep_options {
	uint64_t seed;
	enum fill fill;
	uint64_t max_cycles; /* 0: no limit besides the watchdog */
	struct plant plant;
	const char *waves;                   /* FST file to write, or NULL */
	uint64_t waves_from, waves_to;       /* window; 0, 0: automatic */
	const char *timeline;                /* trace file to write, or NULL */
	uint64_t timeline_from, timeline_to; /* window; to 0: the end */
	bool compare;                        /* false only in the benchmark */

	/* Seed of the memories' fill, 0: as seed.  A campaign that keeps it
	 * constant saves filling all memories anew for each program. */
	uint64_t fill_seed;
	/* At the end compare only the words that this run wrote; the caller
	 * calls lockstep_check_memories() now and then and at its end. */
	bool quick_memory;
	/* Segments of a long run that are run at the same time, 0 and 1: one
	 * (docs/reference/lockstep.md, "Segments").  Nothing but the time that
	 * it takes depends on it. */
	int jobs;
	uint64_t stalls; /* seed of random DRAM back-pressure, 0: none */
};

enum verdict {
	VERDICT_PASS,    /* all participants EXITED, everything equal */
	VERDICT_DIFFERS, /* a field, write or memory byte differs */
	VERDICT_FAULTED, /* equal, but an engine halted or faulted */
	VERDICT_TIMEOUT  /* equal, max_cycles reached */
};

struct lockstep_result {
	enum verdict verdict;
	uint64_t cycles;   /* edges after reset */
	uint64_t compared; /* field elements compared */
	uint64_t writes;   /* memory writes compared */
	uint64_t digest;
	uint64_t retired[TPB_ENGINES];
	/* VERDICT_DIFFERS */
	uint64_t bad_cycle;
	int bad_field, bad_index; /* field -1: memory, see what */
	uint64_t rtl, model;
	char what[96];  /* "SP.rf[3]", "write", "SBUF[0x40000]" */
	double seconds; /* of the cycles alone, without loading */
	int segments;   /* begun while an earlier one ran */
};

struct lockstep;

/* Holds one verilated core and one model; reused over many images. */
struct lockstep *lockstep_new(void);
void lockstep_free(struct lockstep *ls);

/* Run a loaded image.  false: could not run (error text on stderr). */
bool lockstep_run(struct lockstep *ls, const struct image *img,
                  const struct lockstep_options *opt,
                  struct lockstep_result *res);

/* Compare SBUF, PSUM and DRAM whole, after runs with quick_memory.  On a
 * difference false, with verdict, values and place in *res. */
bool lockstep_check_memories(struct lockstep *ls, struct lockstep_result *res);

/* DRAM bytes of either side after a run (rtl: true = the RTL's copy). */
void lockstep_dram(struct lockstep *ls, bool rtl, uint64_t addr, void *buf,
                   uint64_t size);

/* Called for each retired bundle of each engine when set: coverage. */
typedef void lockstep_retire_fn(void *ctx, int engine, uint32_t pc,
                                const struct tpb_state *before);
void lockstep_on_retire(struct lockstep *ls, lockstep_retire_fn *fn, void *ctx);

/* The report of a difference (at most 40 lines), replaying the run. */
void lockstep_report(struct lockstep *ls, const struct image *img,
                     const struct lockstep_options *opt,
                     const struct lockstep_result *res, FILE *out);

/* The wait chain of a deadlock, from each side's state. */
void lockstep_wait_chain(struct lockstep *ls, const struct image *img,
                         FILE *out);

/* Load a program and let one side alone run so many cycles, nothing compared:
 * the core behind the ports that feed it, or the model.  For the bench;
 * returns the seconds of the cycles, negative when the image cannot run. */
double lockstep_alone(struct lockstep *ls, const struct image *img,
                      const struct lockstep_options *opt, bool rtl,
                      uint64_t cycles);
/* The model as loaded last, for the fast path. */
struct tpb *lockstep_model(struct lockstep *ls);

#endif
