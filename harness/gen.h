/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs for lockstep.
 *
 * gen_program() makes a legal image in loaded form on one to five engines
 * that ends by itself: no wait of it can be missed, however the engines run
 * against each other (docs/user/fuzzing.md says why).  It is a function of
 * the seed and the options.
 */
#ifndef HARNESS_GEN_H
#define HARNESS_GEN_H

#include "image/image.h"

#include <stdbool.h>
#include <stdint.h>

struct gen_options {
	int cycles;               /* about so long a run */
	int gen;                  /* 2, 3 or 4 */
	uint32_t sbuf_part_bytes; /* backed bytes a partition */
	bool faults;              /* end one engine or more by a fault */
	int focus;                /* a coverage bin to aim at, -1: none */
};

/* How an engine must end. */
struct gen_end {
	uint8_t state; /* group run */
	uint8_t fault; /* group fault */
};

/* About 9,500 cycles on the default profile, without faults. */
#define GEN_DEFAULTS                                                     \
	{                                                                \
		.cycles = 9500, .gen = 3,                                \
		.sbuf_part_bytes = TPB_SBUF_BYTES_GEN3, .faults = false, \
		.focus = -1                                              \
	}

/* Never fails: out of memory ends the program.  The caller frees. */
struct image *gen_program(uint64_t seed, const struct gen_options *opt,
                          struct gen_end end[TPB_ENGINES]);

/* Does a coverage bin need a program with faults? */
bool gen_focus_faults(int bin);

#endif
