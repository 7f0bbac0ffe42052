/* SPDX-License-Identifier: Apache-2.0
 *
 * What the bundle of an engine waits for, read from the state of one side.
 *
 * Serves the report, the wait chain of a deadlock and the timeline.  Facts:
 * docs/reference/timing.md, "Issue"; docs/reference/dma.md, "Queue bundles".
 */
#ifndef HARNESS_WAITS_H
#define HARNESS_WAITS_H

#include "image/image.h"
#include "isa/isa.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum waits_kind {
	WAITS_NOTHING,
	WAITS_SEM,    /* a semaphore */
	WAITS_EVENT,  /* an event */
	WAITS_LOOKUP, /* the first look at a queue */
	WAITS_IDLE,   /* an idle queue: reset and switch */
	WAITS_FULL,   /* a place in a queue */
	WAITS_DRAIN,  /* the engine's own queues */
	WAITS_JOIN,   /* the others, at a join */
	WAITS_CHECK,  /* the check of its addresses */
	WAITS_CLAIM   /* another engine that claims the same */
};

struct waits {
	uint8_t kind;
	uint8_t id;   /* semaphore, event, queue; of a join its opcode */
	uint8_t mode; /* of a semaphore or event: wire wait mode */
	bool stopped; /* of a queue: a bad descriptor stopped it */
	int32_t need, now;
};

/* Does the engine hold a bundle that waits, or did until the watchdog? */
bool waits_held(const struct tpb_engine_state *e);
/* What for; the number of reasons, at most 2.  Only the first kind that is
 * left of the enumeration is given, but both lanes of a bundle. */
int waits_why(const struct tpb_state *s, int engine, struct waits w[2]);
/* The same reason, whatever a semaphore's value is by now? */
bool waits_same(const struct waits *a, const struct waits *b);
/* "s5 >= 2", "room in queue load"; values: with "(is 1)".  Returns buf. */
const char *waits_text(const struct image *img, const struct waits *w,
                       bool values, char *buf, size_t size);

/* Would the comparison of a semaphore wait hold? */
bool waits_compare(uint8_t mode, int32_t now, int32_t need);
/* The join that a bundle is: its opcode, or 0. */
uint8_t waits_join(const struct tpb_engine_state *e);
const char *waits_join_name(uint8_t op);

#endif
