/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the synchronizer share: the counts of one region.
 *
 * A region is all blocks that lower_branch made out of one block.  It is
 * entered at its first block with every counter at 0, and left only through
 * a fence, Return, Exit or Call.
 *
 * A count is static between two sync points: `since` posts were made since
 * the last one, `epoch` names it (0: none yet, the counter itself is
 * `since`).  Behind a sync point an engine that waits keeps the counter's
 * value at that point in a register T.
 */
#ifndef PASSES_SYNC_H
#define PASSES_SYNC_H

#include "compiler/passes/pass.h"

#define SYNC_EU 5      /* engine semaphores, by stream number */
#define SYNC_QUEUES 8  /* number of a region's first queue semaphore */
#define SYNC_LIMIT 253 /* the host keeps the rest */

struct sync_sem {
	int vid;
	enum bir_engine poster; /* whose code, or whose trigger, posts */
	struct bir_queue *queue;
	bool transfer;
};

struct sync_state {
	int since, epoch;
};

/* A producer or a consumer: where it stands. */
struct sync_mark {
	int block;     /* index in the region */
	int sem;       /* that it posts, -1: it does not post */
	int posted;    /* posts on sem in its block, its own included */
	bool producer; /* somebody waits for it */
};

/* What has to happen on a control edge. */
struct sync_edge {
	struct sync_edge *next;
	int from, to, sem;
	int pad; /* posts that this path lacks; 0: a sync point */
	struct sync_state at;
};

struct sync_region {
	struct bir_module *m;
	struct pass_ctx *c;
	struct bir_block **block; /* layout order; block->order is the index */
	int nblock;
	struct sync_sem *sem;
	int nsem;
	int *count;            /* [block][sem] posts */
	struct sync_state *in; /* [block][sem] at its start */
	bool *point;           /* [block][sem] its end is a sync point */
	struct sync_edge *edges;
	int epochs;
	struct bir_reg **t; /* [engine][sem], NULL: not needed */
	int waits, posts, pads, points;
};

/* Find loops and sync points, and the state of every semaphore at the start
 * of every block; joins that disagree get entries in `edges`. */
bool sync_counts(struct sync_region *r);

/* Edge blocks with pads and sync points, and the code that keeps T. */
void sync_emit(struct sync_region *r);

/* Make sure that Y keeps T for sem. */
struct bir_reg *sync_t(struct sync_region *r, enum bir_engine y, int sem);

#endif
