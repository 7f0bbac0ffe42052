/* SPDX-License-Identifier: Apache-2.0
 *
 * A DRAM place for a tensor that a later pass makes (spill slots).
 */
#ifndef PASSES_ALLOC_MEM_H
#define PASSES_ALLOC_MEM_H

#include "compiler/bir/bir.h"

/* Behind everything placed, 64-byte aligned, with a variable id. */
void alloc_mem_dram(struct bir_module *m, struct bir_loc *loc);

#endif
