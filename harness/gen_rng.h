/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers of the program generator: xoshiro256**, a generator that is
 * the same everywhere.  Nothing else may decide what a seed means.
 */
#ifndef HARNESS_GEN_RNG_H
#define HARNESS_GEN_RNG_H

#include "harness/fill.h"

#include <stdbool.h>
#include <stdint.h>

struct rng {
	uint64_t s[4];
};

static inline void rng_seed(struct rng *r, uint64_t seed)
{
	for (uint64_t i = 0; i < 4; i++)
		r->s[i] = fill_hash(seed, i);
	r->s[0] |= 1; /* never all zero */
}

static inline uint64_t rng_u64(struct rng *r)
{
	uint64_t *s = r->s, x = s[1] * 5, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = s[3] << 45 | s[3] >> 19;
	return (x << 7 | x >> 57) * 9;
}

static inline uint32_t rng_u32(struct rng *r)
{
	return (uint32_t)(rng_u64(r) >> 32);
}

/* 0..n-1; n below 2^31, and the bias of the last bits is of no concern. */
static inline int rng_below(struct rng *r, int n)
{
	return (int)((uint64_t)rng_u32(r) * (uint64_t)n >> 32);
}

/* lo..hi */
static inline int rng_range(struct rng *r, int lo, int hi)
{
	return lo + rng_below(r, hi - lo + 1);
}

static inline bool rng_chance(struct rng *r, int percent)
{
	return rng_below(r, 100) < percent;
}

#endif
