/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage: which bins of isa/coverage.def a run has met.
 *
 * A watch looks at the state in which each cycle begins and at who is granted
 * and retires in it.  Nothing is asked of either side beyond that, so the
 * counts are those of a run that lockstep has compared.
 */
#ifndef HARNESS_COVERAGE_H
#define HARNESS_COVERAGE_H

#include "isa/isa.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Items of each dimension: COVER_N_op, ... */
#define COVER_DIM(dim) enum { COVER_N_##dim = 0
#define COVER_ITEM(dim, value, text) +1
#define COVER_DIM_END(dim) \
	}                  \
	;
#define COVER(NAME, prefix, d0, d1, d2, text)
#include "isa/coverage.def"
#undef COVER_DIM
#undef COVER_ITEM
#undef COVER_DIM_END
#undef COVER

/* Rows, and the bins of each: COVER_AT_OP..COVER_TO_OP. */
#define COVER_DIM(dim)
#define COVER_ITEM(dim, value, text)
#define COVER_DIM_END(dim)
enum cover_row {
#define COVER(NAME, prefix, d0, d1, d2, text) COVER_##NAME,
#include "isa/coverage.def"
#undef COVER
	COVER_ROWS
};

enum cover_bin {
#define COVER(NAME, prefix, d0, d1, d2, text)   \
	COVER_AT_##NAME,                        \
	    COVER_TO_##NAME = COVER_AT_##NAME + \
	                      COVER_N_##d0 * COVER_N_##d1 * COVER_N_##d2 - 1,
#include "isa/coverage.def"
#undef COVER
	COVERAGE_BINS
};
#undef COVER_DIM
#undef COVER_ITEM
#undef COVER_DIM_END

struct coverage {
	uint64_t hits[COVERAGE_BINS];
};

/* A run being watched; the fields are those of coverage.c. */
struct coverage_watch {
	struct coverage *cov;
	uint32_t sbuf_part_bytes;
	struct coverage_engine {
		uint64_t written; /* registers, by the last bundle */
		int writer;       /* item of `writer` */
		bool stalled;     /* the bundle was not granted at once */
		uint8_t transfer; /* the last bundle was one, and taken */
		uint8_t pending;  /* one whose outcome is not known yet */
		uint8_t before;   /* `transfer` of the bundle before it */
		uint8_t cmp, dtype;
		uint32_t pc, target;
	} engine[TPB_ENGINES];
	struct coverage_ports {
		bool any; /* asked in the last cycle */
		struct coverage_unit {
			uint8_t asks;   /* bit 0: a read of SBUF, 1: PSUM */
			uint8_t writes; /* 1: SBUF, 2: PSUM */
			bool full;      /* a beat in X0 */
			uint8_t vpass, vuop;
			uint32_t vk;
		} unit[TPB_VECS];
		bool narrow[2]; /* a load asks SBUF, PSUM */
	} ports;
	struct coverage_touch {
		uint64_t word;
		uint8_t engine; /* + 1, 0: none */
		bool save;
	} touch[64];
};

/* Start to watch a run that is in cycle 0. */
void coverage_begin(struct coverage_watch *w, struct coverage *cov,
                    uint32_t sbuf_part_bytes);
/* The state in which a cycle begins, and what happens in it: a bit an
 * engine. */
void coverage_cycle(struct coverage_watch *w, const struct tpb_state *s,
                    uint8_t grant, uint8_t retire);
/* The state at the end of the run. */
void coverage_end(struct coverage_watch *w, const struct tpb_state *s);

/* Row and item values of a bin. */
enum cover_row coverage_bin(int bin, uint8_t value[3]);
/* "alu.add.i32.imm".  Returns buf. */
const char *coverage_name(int bin, char *buf, size_t size);
/* Bins that were met. */
int coverage_count(const struct coverage *cov);
/* A line for each row, then the bins that were missed by name, then
 * "coverage: H of N bins". */
void coverage_print(const struct coverage *cov, FILE *out);

/* Count in a bin, by item values; a value that is no item of its dimension
 * counts nowhere. */
void coverage_hit(struct coverage *cov, enum cover_row row, int v0, int v1,
                  int v2);

#endif
