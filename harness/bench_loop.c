/* SPDX-License-Identifier: Apache-2.0
 *
 * See bench_loop.h.
 */
#include "harness/bench_loop.h"

void bench_loop(size_t n, const float *restrict a, const float *restrict b,
                float *restrict out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = a[i] + b[i];
}
