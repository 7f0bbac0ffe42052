/* SPDX-License-Identifier: Apache-2.0
 *
 * dep_reduction (130, run early): drop the edges that engine order and the
 * other edges imply.  What is left costs a wait each.
 *
 * An edge from a DMA transfer is dropped only if another path waits for that
 * transfer; engine order never implies it.
 *
 * Cost: edges * (engines + transfers of the block / 64), and sorting each
 * instruction's edges.
 */
#include "compiler/passes/order.h"

bool pass_dep_reduction(struct bir_module *m, struct pass_ctx *c)
{
	int dropped = 0;

	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next)
			dropped += order_of_block(m, c->scratch, b, true);
	pass_stat(c, "edges dropped=%d", dropped);
	return true;
}
