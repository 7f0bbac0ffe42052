/* SPDX-License-Identifier: Apache-2.0
 *
 * The IR interpreter: an oracle that runs a module between any two passes.
 *
 * Order is the text's: blocks by their terminators, instructions in block
 * order, engines only as owners of registers.  An instruction on ALL runs
 * once.  A branch that stands once for each engine must go the same way on
 * all of them.  DMA is done at its DMACopy or at its trigger, by the queue's
 * cursor.  Waits do not block; one that asks for more than has been posted
 * before it in this order is an error, since no schedule could satisfy it.
 *
 * A location without a place has bytes of its own; a placed one is a window
 * of the one SBUF, PSUM or DRAM, so that a bad allocation shows.
 *
 * The arithmetic is this folder's own (interp_num.c): nothing of the
 * reference model is used.
 */
#ifndef BIR_INTERP_H
#define BIR_INTERP_H

#include "compiler/bir/bir.h"

struct bir_interp;

/* The module must be one that bir_verify lets through, and stay as it is.
 * Memory of a module as it is now.  Inputs are zero, constants their bytes.
 * NULL on an error (a placed tensor outside of its memory, no main). */
struct bir_interp *bir_interp_new(struct bir_module *m, struct bir_error *err);
void bir_interp_free(struct bir_interp *t);

/* Set all bytes of a tensor (row-major: partitions * row_bytes). */
bool bir_interp_load(struct bir_interp *t, const char *tensor,
                     const void *bytes, size_t n, struct bir_error *err);
/* Run main; more than `steps` instructions is an error. */
bool bir_interp_run(struct bir_interp *t, int64_t steps, struct bir_error *err);
/* Copy all bytes of a tensor out. */
bool bir_interp_read(const struct bir_interp *t, const char *tensor,
                     void *bytes, size_t n, struct bir_error *err);
/* Bytes of a tensor. */
size_t bir_loc_bytes(const struct bir_loc *l);
/* Value of a register; 64-bit pairs whole. */
uint64_t bir_interp_reg(const struct bir_interp *t, const struct bir_reg *r);
/* Instructions executed. */
int64_t bir_interp_steps(const struct bir_interp *t);

#endif
