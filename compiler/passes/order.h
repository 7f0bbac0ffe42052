/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known to be complete when an instruction starts, from dependency
 * edges and engine order: a clock per instruction (highest complete position
 * of each engine, and the set of complete transfers).
 */
#ifndef PASSES_ORDER_H
#define PASSES_ORDER_H

#include "compiler/passes/pass.h"

/* Number the instructions of a top-level block and give each a clock
 * (inst->aux).  drop: remove edges that the rest implies; their number is
 * returned. */
int order_of_block(struct bir_module *m, struct arena *scratch,
                   struct bir_block *top, bool drop);

/* After order_of_block: is `earlier` complete when `later` starts? */
bool order_knows(const struct bir_inst *later, const struct bir_inst *earlier);

#endif
