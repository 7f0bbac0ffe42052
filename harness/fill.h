/* SPDX-License-Identifier: Apache-2.0
 *
 * Fill bytes: what every register without reset and every memory byte holds
 * before a run.  A pure function of kind, seed and place, so that both sides
 * and any later replay see the same bytes in any order of evaluation.
 */
#ifndef HARNESS_FILL_H
#define HARNESS_FILL_H

#include "harness/lockstep.h"

#include <stddef.h>
#include <stdint.h>

/* A 64-bit finaliser: every input bit reaches every output bit. */
static inline uint64_t fill_mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xBF58476D1CE4E5B9ull;
	x ^= x >> 27;
	x *= 0x94D049BB133111EBull;
	return x ^ (x >> 31);
}

/* The hash of a place under a seed. */
static inline uint64_t fill_hash(uint64_t seed, uint64_t place)
{
	return fill_mix(fill_mix(seed + 0x9E3779B97F4A7C15ull) + place);
}

/* The 8-byte memory word at a unified byte address (a multiple of 8). */
static inline uint64_t fill_word(enum fill kind, uint64_t seed, uint64_t addr)
{
	if (kind == FILL_RANDOM)
		return fill_hash(seed, addr);
	return kind == FILL_ONES ? ~0ull : 0;
}

/* n consecutive memory words. */
void fill_words(uint64_t *w, size_t n, enum fill kind, uint64_t seed,
                uint64_t addr);

/* Where the RAMs of DVE begin among the places: above all addresses. */
#define FILL_SLOTS (1ull << 59)

/* n consecutive words of TPB_LANES partitions, the lanes of a word side by
 * side; lane[l] is the address of the first word of partition l. */
void fill_rows(uint64_t *w, size_t n, enum fill kind, uint64_t seed,
               const uint64_t lane[TPB_LANES]);

/* Every KEEP field of the state table; the others stay. */
void fill_state(struct tpb_state *s, enum fill kind, uint64_t seed);

/* "0", "1", "random". */
const char *fill_name(enum fill kind);

#endif
