/* SPDX-License-Identifier: Apache-2.0
 *
 * A case being made.  Private to conform_case.c and conform_payload.c.
 */
#ifndef HARNESS_CONFORM_MAKING_H
#define HARNESS_CONFORM_MAKING_H

#include "harness/conform.h"

enum { SCALARS = 2, WALKS = 3, LAST_ROOM = 3 };

struct making {
	struct conform_case *c;
	const struct conform_combo *k;
	struct rng rng;
	uint8_t b[TPB_BUNDLE];
	struct conform_operand o[WALKS], s[SCALARS];
	int kind_at[SCALARS];
	uint32_t word[SCALARS]; /* inline scalars */
	int n, m;               /* elements in and out */
	uint32_t reg[8];
	int nregs;
};

/* conform_payload.c: dtypes, operations and scalars of the op; which walks it
 * has.  Shapes and places come later. */
void making_payload(struct making *v);
/* An operation that an accumulator folds by. */
uint8_t making_fold(struct making *v);

#endif
