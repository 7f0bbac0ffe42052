/* SPDX-License-Identifier: Apache-2.0
 *
 * Wait and update modes as functions of values.
 */
#include "harness/gen_priv.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

bool gen_wait_needs(uint8_t mode)
{
	uint8_t m = mode & 0x7F;

	return m >= TPB_WAIT_EQ_IMM && m <= TPB_WAIT_GE_IMM;
}

bool gen_update_needs(uint8_t mode)
{
	uint8_t m = mode & 0xF;

	return m == TPB_UPDATE_ADD_IMM || m == TPB_UPDATE_SUB_IMM ||
	       m == TPB_UPDATE_WR_IMM;
}

/* A value that a register can get in more ways than by a move. */
static uint32_t held_value(struct gen *g)
{
	int i = rng_below(&g->rng, GEN_NCONSTANTS);

	return rng_chance(&g->rng, 40) ? g->img->rank : g->constant[i];
}

static bool holds(uint8_t mode, int32_t v, int32_t t)
{
	switch (mode & 0x7F) {
	case TPB_WAIT_EQ_IMM: return v == t;
	case TPB_WAIT_LT_IMM: return v < t;
	case TPB_WAIT_LE_IMM: return v <= t;
	case TPB_WAIT_GT_IMM: return v > t;
	case TPB_WAIT_GE_IMM: return v >= t;
	default: return false;
	}
}

bool gen_threshold(struct gen *g, uint8_t mode, uint32_t v, bool near,
                   uint32_t *t)
{
	int64_t s = (int32_t)v;
	int64_t d =
	    near ? 0 : rng_range(&g->rng, 0, 1 << rng_below(&g->rng, 31));

	if (!near && mode & 0x80 && rng_chance(&g->rng, 25)) {
		*t = held_value(g);
		if (holds(mode, (int32_t)v, (int32_t)*t))
			return true;
	}
	switch (mode & 0x7F) {
	case TPB_WAIT_EQ_IMM: break;
	case TPB_WAIT_LT_IMM: s += 1 + d; break;
	case TPB_WAIT_LE_IMM: s += d; break;
	case TPB_WAIT_GT_IMM: s -= 1 + d; break;
	case TPB_WAIT_GE_IMM: s -= d; break;
	default: return false;
	}
	*t = (uint32_t)s;
	return s >= INT32_MIN && s <= INT32_MAX;
}

uint8_t gen_wait_for(struct gen *g, uint32_t v, bool near, uint32_t *t)
{
	int want = gen_wanted(g, g->bias.wait);
	uint8_t mode;

	do {
		mode = (uint8_t)rng_range(&g->rng, TPB_WAIT_EQ_IMM,
		                          TPB_WAIT_GE_IMM);
		if (rng_chance(&g->rng, 40))
			mode |= 0x80;
		if (want > 0 && gen_wait_needs((uint8_t)want)) {
			mode = (uint8_t)want;
			want = -1;
		}
	} while (!gen_threshold(g, mode, v, near, t));
	return mode;
}

uint32_t gen_updated(uint8_t mode, uint32_t v, uint32_t operand)
{
	switch (mode & 0xF) {
	case TPB_UPDATE_INC: return v + 1;
	case TPB_UPDATE_DEC: return v - 1;
	case TPB_UPDATE_ADD_IMM: return v + operand;
	case TPB_UPDATE_SUB_IMM: return v - operand;
	case TPB_UPDATE_WR_IMM: return operand;
	default: return v;
	}
}

uint8_t gen_add_mode(struct gen *g, int32_t by, uint32_t *operand)
{
	bool add = rng_chance(&g->rng, 60);
	uint8_t mode = add ? TPB_UPDATE_ADD_IMM : TPB_UPDATE_SUB_IMM;

	*operand = add ? (uint32_t)by : 0u - (uint32_t)by;
	if (by == 1 && rng_chance(&g->rng, 60))
		mode = TPB_UPDATE_INC;
	else if (by == -1 && rng_chance(&g->rng, 60))
		mode = TPB_UPDATE_DEC;
	if (!gen_update_needs(mode))
		*operand = 0;
	else if (rng_chance(&g->rng, 35))
		mode |= 0x80;
	return mode | (rng_chance(&g->rng, 50) ? 0x10 : 0);
}

uint8_t gen_event_update(struct gen *g, bool set)
{
	return (uint8_t)((set ? TPB_UPDATE_EVT_SET : TPB_UPDATE_EVT_CLR) |
	                 (rng_chance(&g->rng, 50) ? 0x10 : 0));
}

uint8_t gen_random_update(struct gen *g)
{
	static const uint8_t all[] = {
	    TPB_UPDATE_EVT_SET,   TPB_UPDATE_EVT_CLR,   TPB_UPDATE_INC,
	    TPB_UPDATE_DEC,       TPB_UPDATE_ADD_IMM,   TPB_UPDATE_SUB_IMM,
	    TPB_UPDATE_WR_IMM,    TPB_UPDATE_EVT_SET_C, TPB_UPDATE_EVT_CLR_C,
	    TPB_UPDATE_INC_C,     TPB_UPDATE_DEC_C,     TPB_UPDATE_ADD_IMM_C,
	    TPB_UPDATE_SUB_IMM_C, TPB_UPDATE_WR_IMM_C,  TPB_UPDATE_ADD_REG,
	    TPB_UPDATE_SUB_REG,   TPB_UPDATE_WR_REG,    TPB_UPDATE_ADD_REG_C,
	    TPB_UPDATE_SUB_REG_C, TPB_UPDATE_WR_REG_C,
	};
	int want = gen_wanted(g, g->bias.update);

	if (want > 0)
		return (uint8_t)want;
	return all[rng_below(&g->rng, COUNT(all))];
}
