/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the fast path: what its files share.
 *
 *   run.c      engines: turns, joins, what a granted bundle goes through
 *   run_vec.c  a vector bundle whole
 *   run_row.c  ops without memory from element to element, many rows a time
 *   run_dma.c  loads and stores of words, the DMA unit
 */
#ifndef CMODEL_RUN_PRIV_H
#define CMODEL_RUN_PRIV_H

#include "cmodel/run.h"
#include "cmodel/sync.h"

/* run_vec.c: the bundle that engine e was granted; returns its elements, over
 * all channels. */
uint64_t run_vector(struct tpb *t, int e);

/* run_row.c: may the elements be taken many at a time? */
bool run_rows_can(const struct vec_op *op);
/* All elements of the unit's pass; it stands at the first of them. */
void run_rows(struct tpb *t, int u);

/* run_dma.c: a word of a memory that addr lies in. */
uint64_t run_load(const struct tpb *t, uint64_t addr);
void run_store(struct tpb *t, uint64_t addr, uint64_t data, uint8_t mask);

/* Has the DMA unit something to do without an engine? */
static inline bool run_dma_busy(const struct tpb_state *s)
{
	return s->dm_state != TPB_MOVER_IDLE || dma_pending(s) != 0;
}

/* A step of the DMA unit: of its mover, and what the engines in c->dma and
 * c->look ask of it.  c->moved: something happened. */
void run_dma_step(struct tpb *t, struct cycle *c, struct tpb_run_count *n);

#endif
