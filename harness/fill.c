/* SPDX-License-Identifier: Apache-2.0
 *
 * Fill bytes; see fill.h.
 */
#include "harness/fill.h"

#include <string.h>

/* Places of state elements lie above all memory addresses. */
#define STATE_PLACE (1ull << 60)

void fill_words(uint64_t *w, size_t n, enum fill kind, uint64_t seed,
                uint64_t addr)
{
	for (size_t i = 0; i < n; i++)
		w[i] = fill_word(kind, seed, addr + 8 * i);
}

void fill_rows(uint64_t *w, size_t n, enum fill kind, uint64_t seed,
               const uint64_t lane[TPB_LANES])
{
	uint64_t base = fill_mix(seed + 0x9E3779B97F4A7C15ull);

	if (kind != FILL_RANDOM) {
		memset(w, kind == FILL_ONES ? 0xFF : 0,
		       n * TPB_LANES * sizeof(*w));
		return;
	}
	/* fill_word() with its first half hoisted out of the loop. */
	for (size_t i = 0; i < n; i++)
		for (int l = 0; l < TPB_LANES; l++)
			*w++ = fill_mix(base + lane[l] + 8 * i);
}

void fill_state(struct tpb_state *s, enum fill kind, uint64_t seed)
{
	for (int f = 0; f < state_nfields; f++) {
		if (state_fields[f].reset != STATE_KEEP)
			continue;
		for (int i = 0; i < state_fields[f].count; i++) {
			uint64_t place = (uint64_t)f << 16 | (uint64_t)i;
			state_set(s, f, i,
			          fill_word(kind, seed, STATE_PLACE + place));
		}
	}
}

const char *fill_name(enum fill kind)
{
	return kind == FILL_ZERO ? "0" : kind == FILL_ONES ? "1" : "random";
}
