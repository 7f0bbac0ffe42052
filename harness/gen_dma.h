/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the generator: DMA queues being made.
 *
 *   gen_dma.c    queues, and the bundles that drive them
 *   gen_desc.c   descriptors
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

/* A good descriptor without post; returns its rough time. */
int desc_good(struct gen *g, uint8_t b[TPB_BUNDLE]);
/* One that breaks a rule. */
void desc_bad(struct gen *g, uint8_t b[TPB_BUNDLE]);

#endif
