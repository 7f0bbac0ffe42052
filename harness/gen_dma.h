/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the generator: DMA queues being made.
 *
 *   gen_dma.c        queues, and the bundles that drive them
 *   gen_dma_talk.c   posts that engines wait for
 *   gen_desc.c       descriptors
 *
 * An engine owns up to three kinds of queues.  Free ones post to what nobody
 * waits for, so anything may be done with them anywhere.  The one for talk
 * gets an instance each time somebody is to wait for its posts: a switch to
 * it makes known what a trigger fires, as often as the code runs.  A
 * bad one is stopped by a descriptor that breaks a rule; its owner ends by a
 * fault right after and so need not be drained.
 *
 * The mover needs nothing of the engines, so it always goes on: a bundle
 * that waits for it waits for a post that comes.
 */
#ifndef HARNESS_GEN_DMA_H
#define HARNESS_GEN_DMA_H

#include "harness/gen_priv.h"

/* gen_dma.c */

struct gen_block *dma_add_block(struct gen *g, int q, int inst);
/* Good descriptors with posts to what nobody waits for; returns their time. */
int dma_fill_block(struct gen *g, struct gen_block *b, int n);
/* A mode that a block may have: no register. */
uint8_t dma_block_mode(struct gen *g);
bool dma_has_operand(uint8_t mode);
/* A queue of the kind that the engine owns, or of others; -1: none. */
int dma_find_queue(struct gen *g, int e, enum gen_queue_kind kind, bool others);
void dma_begin(uint8_t *b, uint8_t op, int q, int inst);

/* gen_desc.c */

/* A good descriptor without post; returns its rough time. */
int desc_good(struct gen *g, uint8_t b[TPB_BUNDLE]);
/* The longest run there is; its time. */
int desc_long(struct gen *g, uint8_t b[TPB_BUNDLE]);
/* One that breaks a rule. */
void desc_bad(struct gen *g, uint8_t b[TPB_BUNDLE]);

#endif
