/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast path: a program from reset to its end, without counting cycles.
 *
 * tpb_run() executes the bundles of an engine one after the other until it
 * waits, then those of the next engine; vector bundles and DMA blocks are
 * executed whole.  What a bundle does is what it does in tpb_step(): decode,
 * waits, ALU, lanes and mover are the same functions.  A program whose result
 * does not depend on timing ends with the same memories, registers,
 * semaphores, events, flags and faults; registers of pipelines, counters of
 * arbiters and the like do not mean anything afterwards.
 *
 * Where nothing can go on the machine's watchdog would strike: then every
 * engine in RUN ends FAULTED with DEADLOCK.
 *
 * Facts: docs/reference/timing.md, dma.md and vector.md.
 */
#ifndef CMODEL_RUN_H
#define CMODEL_RUN_H

#include "cmodel/tpb.h"

/* Who goes on when several could; the zero order is the usual one.  The
 * others exist to find out whether a program depends on timing. */
struct tpb_run_order {
	uint64_t bundles; /* stop after about so many, 0: at the end */
	uint32_t turn;    /* bundles of an engine in a row, 0: many */
	bool backwards;   /* the last engine first */
	bool late;        /* DMA moves only when no engine can go on */
};

struct tpb_run_count {
	uint64_t bundles;  /* retired */
	uint64_t elements; /* of vector bundles, over all channels */
	uint64_t bytes;    /* written by DMA */
};

/* Go on from where the model stands: reset, or the end of a tpb_run() that
 * stopped after its bundles.  False when that happens; count is set anew. */
bool tpb_run(struct tpb *t, const struct tpb_run_order *order,
             struct tpb_run_count *count);

#endif
