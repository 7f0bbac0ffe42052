/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a DMA queue stands, in words: from the state of one side and the
 * records of the image (docs/reference/dma.md, docs/reference/image.md).
 *
 * Serves the report, the wait chain of a deadlock and the timeline.
 */
#ifndef HARNESS_QUEUE_H
#define HARNESS_QUEUE_H

#include "image/image.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block record with its descriptors checked to be in the image. */
struct queue_block {
	uint32_t first, n; /* descriptors */
	uint8_t mode, id;  /* update behind the last, mode 0: none */
};

/* The name that the program gave it, or "?". */
const char *queue_name(const struct image *img, int q);
/* The engine whose queue it is, -1: not a queue of the program. */
int queue_owner(const struct image *img, int q);
/* Block record i of the program; false: there is none. */
bool queue_block(const struct image *img, uint64_t i, struct queue_block *b);
/* Block records of all instances of a queue, n from *first on. */
uint32_t queue_blocks(const struct image *img, int q, uint32_t *first);
/* Semaphore that a descriptor posts to, -1: to none. */
int queue_desc_post(const struct image *img, uint32_t descriptor);

/* "idle", "at block 1 of 2, descriptor 0 of 3", "stopped by ...".  The
 * numbers of blocks count in their instance, those of descriptors in their
 * block.  Returns buf. */
const char *queue_place(const struct image *img, const struct tpb_state *s,
                        int q, char *buf, size_t size);
/* Index of the descriptor that a queue is at, in the image; -1: none. */
int64_t queue_descriptor(const struct image *img, const struct tpb_state *s,
                         int q);

#endif
