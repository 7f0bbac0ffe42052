/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector bundle taken apart for the oracle: its operands, and access to
 * their elements.  Private to conform_oracle.c and conform_job.c.
 */
#ifndef HARNESS_CONFORM_JOB_H
#define HARNESS_CONFORM_JOB_H

#include "harness/conform_oracle.h"

/* A pattern. */
struct job_walk {
	bool on;
	uint8_t tag;
	int size, dims;
	uint32_t addr;
	int32_t step[4];
	uint32_t count[4];
	uint32_t n; /* elements */
};

/* A bundle taken apart. */
struct job {
	const uint8_t *b;
	uint8_t op;
	int ch;
	struct job_walk src, src1, dst;
	uint8_t kind[2]; /* of the scalars */
	uint32_t word[2];
	int scalar_size;
};

struct job job_take(const struct conform_machine *m, const uint8_t *bundle);

/* Element k of channel p of a pattern. */
uint32_t job_fetch(struct conform_machine *m, const struct job_walk *w, int p,
                   uint32_t k);
void job_store(struct conform_machine *m, const struct job_walk *w, int p,
               uint32_t k, uint32_t v);
/* Scalar i (0, 1) of channel p. */
uint32_t job_scalar(struct conform_machine *m, const struct job *j, int i,
                    int p);
/* Start partition of the operand at an address. */
uint32_t job_start(uint32_t addr);
/* The word at byte `off` of a bundle. */
uint32_t job_word(const uint8_t *b, int off);

#endif
