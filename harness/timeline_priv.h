/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the timeline: the part of the DMA unit.
 */
#ifndef HARNESS_TIMELINE_PRIV_H
#define HARNESS_TIMELINE_PRIV_H

#include "harness/trace.h"
#include "image/image.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stdint.h>

enum { PID_ENGINES = 1, PID_UNITS, PID_DMA, PID_BANK };

struct dma_block {
	uint64_t from;  /* cycle of its push */
	uint32_t index; /* block of the instance */
	uint8_t inst, engine, lane;
};

/* One queue: its unfinished blocks, oldest first, and the tracks that they
 * lie on. */
struct dma_lane {
	struct dma_block block[TPB_QUEUE_DEPTH];
	int n;
	uint32_t busy, named; /* a bit a track */
};

struct timeline_dma {
	struct dma_lane queue[TPB_QUEUES];
	bool started;
	uint64_t from; /* of the descriptor at the mover */
	bool open;     /* there is one */
	int q;
	uint32_t descriptor; /* of the block */
};

void timeline_dma(struct timeline_dma *d, struct trace *out,
                  const struct image *img, uint64_t cycle,
                  const struct tpb_state *s);
void timeline_dma_end(struct timeline_dma *d, struct trace *out,
                      const struct image *img, uint64_t cycle,
                      const struct tpb_state *s);

#endif
