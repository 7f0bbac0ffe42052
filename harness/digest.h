/* SPDX-License-Identifier: Apache-2.0
 *
 * The run digest: 64 bits over what a run did, cycle by cycle.
 *
 * Folded in, in this order: for every cycle the retired and granted engines
 * and each memory write; every DIGEST_PERIOD cycles and at the end the whole
 * state.  Nothing about the host, the options or the way of watching goes
 * in, so it is equal for equal runs whatever else is switched on.
 */
#ifndef HARNESS_DIGEST_H
#define HARNESS_DIGEST_H

#include "isa/state.h"

#include <stdint.h>

#define DIGEST_SEED 0x243F6A8885A308D3ull
#define DIGEST_PERIOD 1024

/* One value into the digest: xor, multiply by an odd number, rotate. */
static inline uint64_t digest_fold(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9E3779B97F4A7C15ull;
	return h << 27 | h >> 37;
}

/* Every element of the state table into the digest. */
uint64_t digest_state(uint64_t h, const struct tpb_state *s);

/* The digest as printed: one last mix over the folded value. */
uint64_t digest_final(uint64_t h);

#endif
