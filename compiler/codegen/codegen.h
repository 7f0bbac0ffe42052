/* SPDX-License-Identifier: Apache-2.0
 *
 * Code generation: a lowered module to a program image in file form.
 *
 * Before: every block flat and terminated, no operand symbolic, every
 * register physical, every semaphore bound, every tensor placed, no op on
 * ALL but Call and Return.  After: streams, labels, functions, line table,
 * tensors, queues; every bundle is legal by isa_check().
 *
 * The walk over the module has three modes: the first counts opcodes and
 * bundles, which gives the pc of every block on every engine, the second
 * writes the bundles, the third makes them once more and checks the bytes
 * written.  docs/reference/errors.md lists the CGN errors.
 */
#ifndef COMPILER_CODEGEN_H
#define COMPILER_CODEGEN_H

#include "compiler/bir/bir.h"
#include "compiler/compile.h"
#include "image/image.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stdint.h>

enum codegen_mode {
	CODEGEN_COLLECT = 0,
	CODEGEN_GENERATE = 1,
	CODEGEN_CHECK = 2
};

/* Bundles by engine (PE 0 ... SP 4) and opcode. */
struct codegen_count {
	uint32_t n[TPB_ENGINES][256];
};

/* The whole of it, into an image without bundles. */
bool codegen_module(struct bir_module *m, int gen, struct image *img,
                    struct compile_error *err);

/* The opcodes that a module will use, without places: symbolic operands and
 * virtual registers do not matter.  For choosing tables before they are
 * known. */
bool codegen_collect(struct bir_module *m, int gen, struct codegen_count *count,
                     struct compile_error *err);

#endif
