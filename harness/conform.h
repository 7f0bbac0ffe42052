/* SPDX-License-Identifier: Apache-2.0
 *
 * Conformance of the vector ops: cases, and runs of cases against the oracle
 * (docs/developer/tests.md).
 *
 *   conform_list.c    ops x dtypes, and which pattern classes each has
 *   conform_case.c    a case: its bundles and what memory holds before it
 *   conform_payload.c what the op asks for
 *   conform_shape.c   patterns of a class, places of operands, values
 *   conform_run.c     cases on RTL and model, compared with the oracle
 *   conform_report.c  table and JUnit file
 *
 * A case is a function of seed, combination, class and number alone, so each
 * can be run by itself.
 */
#ifndef HARNESS_CONFORM_H
#define HARNESS_CONFORM_H

#include "harness/conform_oracle.h"
#include "harness/gen_rng.h"

#include <stdio.h>

/* Pattern classes. */
enum conform_class {
	CLASS_CONTIGUOUS,
	CLASS_STRIDED,
	CLASS_NEGATIVE,
	CLASS_BROADCAST,
	CLASS_2D,
	CLASS_TRANSPOSE, /* a walk over all dims in another order */
	CLASS_IN_PLACE,
	CLASS_SHIFTED, /* destination a few elements off the source */
	CLASS_PSUM_SRC,
	CLASS_PSUM_DST,
	CLASS_REGISTER, /* addresses in registers */
	CLASS_PARTIAL,  /* any channels from any legal start partition */
	CLASS_POINTER,  /* scalars in memory */
	CLASSES
};

extern const char *const conform_class_name[CLASSES];

/* An op with dtypes.  What in0 and in1 are depends on the op: mask and source
 * of the predicated ones; in1 is 0 where there is one source. */
struct conform_combo {
	uint8_t op, in0, in1, out;
};

/* All of a profile; *n of them. */
const struct conform_combo *conform_combos(int *n);
/* Has the combination cases of a class? */
bool conform_has(const struct conform_combo *c, enum conform_class class);
/* "f32,bf16->i8" into buf; returns it. */
const char *conform_dtypes(const struct conform_combo *c, char *buf,
                           size_t size);

/* How elements of a case are drawn. */
struct conform_values {
	int mode, centre;
	uint64_t alphabet; /* 0: any values, else a few by this seed */
};

/* Elements that a case sets before it runs. */
struct conform_fill {
	uint32_t addr;
	uint8_t tag, ch, dims;
	bool mask; /* half of them zero */
	int16_t step[4];
	uint16_t count[4];
};

enum {
	CONFORM_BUNDLES = 4,
	CONFORM_FILLS = 6,
	CONFORM_ROOM = 1024, /* bytes an operand may lie in */
	CONFORM_WINDOW = 4 * CONFORM_ROOM
};

struct conform_case {
	int combo;
	enum conform_class class;
	int index;
	int engine;
	uint8_t fp8;
	uint64_t seed;
	struct conform_values values;
	uint8_t bundle[CONFORM_BUNDLES][TPB_BUNDLE];
	int nbundles;
	struct conform_fill fill[CONFORM_FILLS];
	int nfills;
	/* Reads what it writes: may wait for itself. */
	bool hazards;
	/* What is looked at first: so many channels of the part of the window
	 * that has the destination. */
	uint32_t dst;
	int ch;
	uint32_t window[2]; /* byte of a partition, in SBUF and in PSUM */
};

/* Engine and fp8 configuration: cases that share them can share a program. */
void conform_setup(struct conform_case *c, uint64_t seed, int combo,
                   enum conform_class class, int index);
/* Bundles and fills of a case that is set up, for so many bytes a partition. */
void conform_make(struct conform_case *c, uint32_t part_bytes);
/* Where window i of 3 begins in a partition of so many bytes: cases of a seed
 * touch nothing else. */
uint32_t conform_window(uint64_t seed, int i, uint32_t bytes);

void conform_values(struct rng *rng, uint8_t op, struct conform_values *v);
uint32_t conform_value(struct rng *rng, uint8_t tag,
                       const struct conform_values *v);

/* conform_shape.c */

/* An operand being made. */
struct conform_operand {
	bool on, psum, scalar;
	uint8_t tag, size;
	int at, dims; /* in the bundle */
	int16_t step[4];
	uint16_t count[4];
	int part;
	int64_t byte; /* in the partition */
};

void conform_shape(struct rng *rng, struct conform_operand *o, int n,
                   enum conform_class class);
void conform_extent(const struct conform_operand *o, int64_t *low,
                    int64_t *high);
int conform_start(struct rng *rng, int ch);
uint32_t conform_addr(const struct conform_operand *o);
/* Put the address word, steps and counts into a bundle. */
void conform_write(uint8_t *b, const struct conform_operand *o, uint32_t word);

/* conform_run.c */

struct conform_runner;

/* Called once a case: text NULL when it passed. */
typedef void conform_result_fn(void *ctx, const struct conform_case *c,
                               const char *text);

/* plant: flip a bit of what the oracle wants, in each case. */
struct conform_runner *conform_runner_new(uint64_t seed, bool plant);
void conform_runner_free(struct conform_runner *r);
/* Run cases that share engine and fp8, in order.  false: out of memory. */
bool conform_run(struct conform_runner *r, struct conform_case *c, int n,
                 conform_result_fn *fn, void *ctx);
uint64_t conform_cycles(const struct conform_runner *r);

/* conform_report.c */

/* Results of a combination in a class. */
struct conform_cell {
	uint32_t cases, failures;
	char text[160]; /* of the first failure */
};

void conform_table(const struct conform_cell *cell, FILE *out);
/* false: cannot be written. */
bool conform_junit(const struct conform_cell *cell, uint64_t seed,
                   const char *path);

#endif
