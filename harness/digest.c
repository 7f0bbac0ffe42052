/* SPDX-License-Identifier: Apache-2.0
 *
 * The run digest; see digest.h.
 */
#include "harness/digest.h"

#include "harness/fill.h"

uint64_t digest_state(uint64_t h, const struct tpb_state *s)
{
	/* By element: padding of the struct must not count. */
	for (int f = 0; f < state_nfields; f++)
		for (int i = 0; i < state_fields[f].count; i++)
			h = digest_fold(h, state_get(s, f, i));
	return h;
}

uint64_t digest_final(uint64_t h)
{
	return fill_mix(h);
}
