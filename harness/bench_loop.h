/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fast path is measured against: the loop that a C programmer would
 * write, built with -O3.  In a file of its own so that nothing is known of its
 * arrays where it is called.
 */
#ifndef HARNESS_BENCH_LOOP_H
#define HARNESS_BENCH_LOOP_H

#include <stddef.h>

/* out[i] = a[i] + b[i] */
void bench_loop(size_t n, const float *restrict a, const float *restrict b,
                float *restrict out);

#endif
