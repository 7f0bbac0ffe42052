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

#include "cmodel/dma.h"
#include "cmodel/vec.h"

/* Which of less (1), equal (2), greater (4) a compare mode accepts, a hex
 * digit a mode: GE 6, GT 4, LE 3, LT 1, EQ 2, and none for mode 0. */
#define SYNC_ACCEPTS 0x643120u

/* Does a lane hold whose mode is not NONE?  Mode and id are the low bytes. */
static inline bool sync_holds(const struct tpb_state *s,
                              const struct tpb_engine_state *g, uint32_t lane,
                              uint32_t value)
{
	unsigned mode = lane & 0x7F, id = lane >> 8 & 0xFF;

	if (mode <= TPB_WAIT_GE_IMM) {
		int32_t sem = (int32_t)s->sem[id];
		int32_t limit =
		    (int32_t)(lane & 0x80 ? g->rf[value & 63] : value);
		unsigned is = sem < limit ? 1 : sem == limit ? 2 : 4;

		return (SYNC_ACCEPTS >> 4 * mode & is) != 0;
	}
	uint32_t event = s->evt[id >> 5] >> (id & 31) & 1;

	if (mode == TPB_WAIT_EVT_SET || mode == TPB_WAIT_EVT_SET_CLR)
		return event == 1;
	if (mode == TPB_WAIT_EVT_CLR || mode == TPB_WAIT_EVT_CLR_SET)
		return event == 0;
	return false; /* refused by decode */
}

enum { SYNC_READY = 1, SYNC_SPECIAL = 2, SYNC_LOOKUP = DMA_LOOKUP };

/* NoOp, moves, ALU and branch, the body of every loop: no unit has a say. */
static inline bool sync_is_plain(uint8_t op)
{
	return (uint8_t)(op - TPB_OP_NOOP) <= TPB_OP_BRANCH - TPB_OP_NOOP;
}

/* Both lanes, and the address check of a load, a store or a vector bundle,
 * which goes on whatever the waits.  SPECIAL: the bundle may join or claim.
 * Those without a wait and outside the joins do not; they are granted when
 * ready.  LOOKUP: its DMA queue must be looked up. */
static inline unsigned sync_ready(struct tpb *t, struct tpb_engine_state *g)
{
	uint32_t lane = g->bundle[1];
	uint8_t op = cycle_byte(g, 0);
	bool special = op >= TPB_OP_RETURN, ready = true;
	unsigned look = 0;

	if (lane & 0xFF) {
		special = true;
		ready = sync_holds(&t->s, g, lane, g->bundle[2]);
	}
	if (sync_is_plain(op)) {
		/* the lane is all */
	} else if (op == TPB_OP_EVENT_SEMAPHORE) {
		special = true;
		if (g->bundle[8] & 0xFF)
			ready &=
			    sync_holds(&t->s, g, g->bundle[8], g->bundle[9]);
	} else if (op == TPB_OP_TENSOR_LOAD || op == TPB_OP_TENSOR_SAVE) {
		ready &= lsu_check(&t->cfg, g);
	} else if (vec_is_op(op)) {
		ready &= vec_check(t, (int)(g - t->s.engine));
	} else if (dma_gates(op)) {
		unsigned r = dma_ready(t, g);

		ready &= r == DMA_READY;
		look = r & DMA_LOOKUP;
	}
	if (!ready)
		return look;
	return special ? SYNC_READY | SYNC_SPECIAL : SYNC_READY;
}

#endif
