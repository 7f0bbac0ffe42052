/* SPDX-License-Identifier: Apache-2.0
 *
 * Waits: does a lane of a bundle hold.
 *
 * Inline because every waiting engine asks in every cycle.  Evaluated on the
 * bank and the registers as they are at the start of the cycle; compares are
 * signed.  Facts: docs/reference/timing.md, "Issue".
 */
#ifndef CMODEL_SYNC_H
#define CMODEL_SYNC_H

#include "cmodel/cycle.h"

/* Mode and id are the low bytes of `lane`. */
static inline bool sync_holds(const struct tpb_state *s,
                              const struct tpb_engine_state *g, uint32_t lane,
                              uint32_t value)
{
	unsigned mode = lane & 0xFF, id = lane >> 8 & 0xFF;
	int32_t sem = (int32_t)s->sem[id];
	int32_t limit;

	if (mode == TPB_WAIT_NONE)
		return true;
	limit = (int32_t)(mode & 0x80 ? g->rf[value & 63] : value);
	switch (mode & 0x7F) {
	case TPB_WAIT_EQ_IMM: return sem == limit;
	case TPB_WAIT_LT_IMM: return sem < limit;
	case TPB_WAIT_LE_IMM: return sem <= limit;
	case TPB_WAIT_GT_IMM: return sem > limit;
	case TPB_WAIT_GE_IMM: return sem >= limit;
	case TPB_WAIT_EVT_SET:
	case TPB_WAIT_EVT_SET_CLR:
		return (s->evt[id >> 5] >> (id & 31) & 1) != 0;
	case TPB_WAIT_EVT_CLR:
	case TPB_WAIT_EVT_CLR_SET:
		return (s->evt[id >> 5] >> (id & 31) & 1) == 0;
	default: return false; /* refused by decode */
	}
}

/* Both lanes, and the address check of a load or store, which goes on
 * whatever the waits. */
static inline bool sync_ready(struct tpb *t, struct tpb_engine_state *g)
{
	bool ready = sync_holds(&t->s, g, g->bundle[1], g->bundle[2]);
	uint8_t op = cycle_byte(g, 0);

	if (op == TPB_OP_EVENT_SEMAPHORE)
		ready &= sync_holds(&t->s, g, g->bundle[8], g->bundle[9]);
	else if (op == TPB_OP_TENSOR_LOAD || op == TPB_OP_TENSOR_SAVE)
		ready &= lsu_check(&t->cfg, g);
	return ready;
}

#endif
