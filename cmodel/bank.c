/* SPDX-License-Identifier: Apache-2.0
 *
 * The bank: 256 counting semaphores and 256 events.
 *
 * step.c calls these in the order of docs/reference/timing.md, "Bank", after
 * all waits of the cycle have been evaluated.  Each works on the running
 * value, so the order of the calls is the order of the table.
 */
#include "cmodel/cycle.h"

#include <string.h>

/* Step a: a granted wait takes its event.  Never sets the sticky flags. */
void bank_consume(struct tpb_state *s, uint8_t mode, uint8_t id)
{
	uint32_t bit = 1u << (id & 31);

	if (mode == TPB_WAIT_EVT_SET_CLR)
		s->evt[id >> 5] &= ~bit;
	else if (mode == TPB_WAIT_EVT_CLR_SET)
		s->evt[id >> 5] |= bit;
}

/* Step b: Return. */
void bank_wipe(struct tpb_state *s)
{
	memset(s->sem, 0, sizeof(s->sem));
}

/* Step b: GroupReset. */
void bank_reset(struct tpb_state *s, const struct tpb_engine_state *g)
{
	if (cycle_byte(g, 0x0C) == TPB_CLEAR_RANGE) {
		unsigned last = cycle_byte(g, 0x0E);

		for (unsigned i = cycle_byte(g, 0x0D); i <= last; i++)
			s->sem[i] = 0;
		return;
	}
	for (unsigned w = 0; w < 8; w++) {
		uint32_t mask = cycle_word(g, 0x20 + 4 * w);

		for (; mask != 0; mask &= mask - 1)
			s->sem[w * 32 + (unsigned)__builtin_ctz(mask)] = 0;
	}
}

/* An event that already has the value it is given: sticky, first id kept. */
static void bank_twice(struct tpb_state *s, uint8_t flag, uint8_t id)
{
	if ((s->core_flags & 3) == 0)
		s->evt_id = id;
	s->core_flags |= flag;
}

/* Steps c and d.  Both phases (bit 4) fire here; the caller has read the
 * register of a register form (bit 7). */
void bank_update(struct tpb_state *s, uint8_t mode, uint8_t id, uint32_t value)
{
	uint32_t *evt = &s->evt[id >> 5];
	uint32_t bit = 1u << (id & 31);

	switch (mode & 0x0F) {
	case TPB_UPDATE_EVT_SET:
		if (*evt & bit)
			bank_twice(s, 1, id);
		*evt |= bit;
		break;
	case TPB_UPDATE_EVT_CLR:
		if (!(*evt & bit))
			bank_twice(s, 2, id);
		*evt &= ~bit;
		break;
	case TPB_UPDATE_INC: s->sem[id]++; break;
	case TPB_UPDATE_DEC: s->sem[id]--; break;
	case TPB_UPDATE_ADD_IMM: s->sem[id] += value; break;
	case TPB_UPDATE_SUB_IMM: s->sem[id] -= value; break;
	case TPB_UPDATE_WR_IMM: s->sem[id] = value; break;
	default: break;
	}
}
