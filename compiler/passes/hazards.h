/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs of instructions of one top-level block that touch the same bytes, one
 * of them writing: what build_fdeps, the anti-dependency analyzer and the
 * race check are made of.
 */
#ifndef PASSES_HAZARDS_H
#define PASSES_HAZARDS_H

#include "compiler/passes/pass.h"

/* `later` follows `earlier` in layout order; w: whether it writes. */
typedef bool hazard_fn(void *ctx, struct bir_inst *earlier, bool earlier_w,
                       struct bir_inst *later, bool later_w);

/* Every conflicting pair that is not already ordered through a pair reported
 * before: an access covered by a later write that surely runs is forgotten,
 * and so is a read covered by a later read of the same engine.  A pair may be
 * reported more than once.  Stops at false and returns it. */
bool hazards_of_block(struct bir_module *m, struct arena *scratch,
                      struct bir_block *top, hazard_fn *f, void *ctx);

#endif
