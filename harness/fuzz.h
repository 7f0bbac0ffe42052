/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs in lockstep: one program, and a failing one made smaller.
 */
#ifndef HARNESS_FUZZ_H
#define HARNESS_FUZZ_H

#include "harness/coverage.h"
#include "harness/gen.h"
#include "harness/lockstep.h"

/* Everything that decides the course of a run. */
struct fuzz_program {
	uint64_t seed;
	int focus; /* coverage bin, -1: none */
	bool faults;
	struct lockstep_options opt;
};

enum fuzz_end {
	FUZZ_GOOD,    /* equal, and every engine ended as it must */
	FUZZ_DIFFERS, /* the two sides differ */
	FUZZ_ENDS,    /* an engine ended as it must not, or never */
	FUZZ_BROKEN   /* could not run */
};

struct fuzz_result {
	enum fuzz_end end;
	uint64_t cycles, compared, writes, retired, digest;
	struct gen_end wanted[TPB_ENGINES];
};

/* The program of a seed; percent of the programs end by faults. */
struct fuzz_program fuzz_program(uint64_t seed, int percent, int focus,
                                 enum fill fill, uint64_t fill_seed);

/* Generate and run it.  Coverage is counted in cov, of its end only or of
 * each cycle; NULL: not at all.  details and image, where not NULL, get the
 * result of lockstep and the image that ran, which the caller frees. */
struct fuzz_result fuzz_run(struct lockstep *ls, const struct fuzz_program *p,
                            struct coverage *cov, bool each_cycle,
                            struct lockstep_result *details,
                            struct image **image);

/* A smaller program that shows the same difference first; never fails, at
 * worst it is a copy.  Tells on out how it goes. */
struct image *fuzz_shrink(struct lockstep *ls, const struct image *img,
                          const struct lockstep_options *opt,
                          const struct lockstep_result *seen, FILE *out);

#endif
