/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of lower_branch share.
 */
#ifndef PASSES_BRANCH_H
#define PASSES_BRANCH_H

#include "compiler/passes/pass.h"

/* A structured op whose body has been laid out; its entry comes last. */
struct branch_loop {
	struct branch_loop *next;
	struct bir_inst *carrier;
	struct bir_block *header, *latch, *exit;
	struct bir_reg *count; /* counter of the latch */
	int64_t trips;         /* static loop with a negative step */
};

struct branch {
	struct bir_module *m;
	struct pass_ctx *c;
	struct bir_func *f;
	struct branch_loop *loops, **end;
	bool *leaks; /* by register id: read outside of the loop it counts */
	int exits, nloops, splits, converts, entries, gone;
};

/* Loops: addBranchToLoop and addLoopEntry. */
bool branch_loops(struct branch *s);
bool branch_entries(struct branch *s);
/* Predicates: splitBBForPredicate and convertPredToBranch. */
bool branch_predicates(struct branch *s);

/* An unassigned jump at the end of a block; replicated over U at the end. */
struct bir_inst *branch_jump(struct branch *s, struct bir_block *b,
                             struct bir_block *to, struct bir_pos pos,
                             const char *name);

#endif
