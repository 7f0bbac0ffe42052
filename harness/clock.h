/* SPDX-License-Identifier: Apache-2.0
 *
 * Seconds of a clock that only runs forward, for figures; no result of a run
 * may depend on them.
 */
#ifndef HARNESS_CLOCK_H
#define HARNESS_CLOCK_H

#include <time.h>

static inline double clock_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
