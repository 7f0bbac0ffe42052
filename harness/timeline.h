/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline of a run: who did what when, as a file for ui.perfetto.dev or
 * chrome://tracing (trace.h).  One cycle is one microsecond there.
 *
 *   engines       a slice a bundle, from the issue stage to the retire; in it
 *                 a slice "wait s8 >= 1" for each time without a grant.  A
 *                 bundle that did not retire says in its argument "end" why
 *   vector units  a slice a bundle from the grant on, in it what its issue
 *                 stage does in each pass
 *   DMA           the mover: a slice a descriptor.  A queue: a slice a block
 *                 from its push to its end, in it its descriptors; blocks that
 *                 overlap lie on tracks of their own, "load", "load (2)", ...
 *   bank          a counter for each semaphore and event that changes
 *
 * Made from the state of one side and the pulses of its cycle, one call a
 * cycle; cycles must follow one another.
 */
#ifndef HARNESS_TIMELINE_H
#define HARNESS_TIMELINE_H

#include "image/image.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stdint.h>

struct timeline;

/* NULL when the file cannot be made; text on stderr. */
struct timeline *timeline_open(const char *path, const struct image *img);

/* The state in a cycle, and the engines granted and retired in it. */
void timeline_sample(struct timeline *t, uint64_t cycle,
                     const struct tpb_state *s, uint8_t grant, uint8_t retire);

/* The state behind the last sampled cycle, from which nothing goes on; differs:
 * a note to be put there, or NULL.  Finishes the file and frees t.  false when
 * something could not be written. */
bool timeline_close(struct timeline *t, uint64_t cycle,
                    const struct tpb_state *s, const char *differs);

#endif
