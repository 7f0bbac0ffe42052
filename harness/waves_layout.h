/* SPDX-License-Identifier: Apache-2.0
 *
 * The GTKWave layout of a wave file.
 */
#ifndef HARNESS_WAVES_LAYOUT_H
#define HARNESS_WAVES_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/* Write <fst without .fst>.gtkw, opening with the marker on `cycle`, and the
 * enumeration filters that it uses into <fst without .fst>.filters/.  The
 * element named `field` ("SP.rf[3]", "" for none) stands on top. */
bool waves_layout(const char *fst, uint64_t cycle, const char *field);

/* Has an engine rows of a vector unit? */
bool waves_has_vec(int engine);

#endif
