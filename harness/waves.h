/* SPDX-License-Identifier: Apache-2.0
 *
 * Waves: the compared state of both sides as one FST file, and a GTKWave
 * layout that opens on the first wrong cycle.
 *
 * One time unit is one cycle.  Scopes: cosim (mismatch line, name of the
 * first differing field), rtl and model (every row of the state table, the
 * decoded bundle and its source place as text, an engine a scope, in it its
 * vector unit as scope vec).
 */
#ifndef HARNESS_WAVES_H
#define HARNESS_WAVES_H

#include "image/image.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stdint.h>

struct waves;

/* One cycle of one side. */
struct waves_side {
	const struct tpb_state *s;
	uint8_t grant, retire; /* a bit an engine, of this cycle */
};

/* NULL when the file cannot be made; text on stderr. */
struct waves *waves_open(const char *path, const struct image *img);

/* The state in a cycle; cycles must ascend. */
void waves_sample(struct waves *w, uint64_t cycle, const struct waves_side *rtl,
                  const struct waves_side *model);

/* Finish the file and write its layout beside it: <path without .fst>.gtkw
 * and the value filters in <path without .fst>.filters/.  The layout opens on
 * the first cycle with a mismatch, else on the last sampled cycle.  false
 * when something could not be written.  Frees w. */
bool waves_close(struct waves *w);

#endif
