/* SPDX-License-Identifier: Apache-2.0
 *
 * alloc_queues (after L20): one queue for each block and trigger engine, with
 * one instance that lists the blocks in program order.
 *
 * A trigger fires the block at its queue's cursor and moves the cursor on,
 * round robin.  A basic block runs from top to bottom, so each execution fires
 * every block of the queue once and the cursor is back at 0: whatever path led
 * here, the n-th trigger meets its own block.  A queue that two basic blocks
 * share would give a branch the wrong one.
 *
 * Cost: linear.
 */
#include "compiler/passes/pass.h"

#include <stdio.h>
#include <string.h>

struct made {
	int queues, blocks;
};

static void trigger(struct bir_module *m, struct bir_inst *i,
                    struct bir_queue *own[BIR_NENGINES], struct made *n)
{
	struct bir_queue *q = own[i->engine];
	char name[32];

	if (!q) {
		snprintf(name, sizeof name, "q%d", m->nqueue);
		q = own[i->engine] = bir_queue_new(m, name, i->engine);
		q->type = TPB_QUEUE_TYPE_DATA;
		bir_instance_new(m, q, q->name);
		n->queues++;
	}
	bir_instance_add(m, q, 0, i->u.trigger.block);
	i->u.trigger.queue = q;
	n->blocks++;
}

bool pass_alloc_queues(struct bir_module *m, struct pass_ctx *c)
{
	struct bir_queue *own[BIR_NENGINES];
	struct made n = {0, 0};
	const struct bir_inst *last = NULL;

	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next) {
			memset(own, 0, sizeof own);
			for (struct bir_inst *i = b->first; i; i = i->next)
				if (i->it == BIR_IT_DMA_TRIGGER &&
				    i->u.trigger.block && !i->u.trigger.queue) {
					trigger(m, i, own, &n);
					last = i;
				}
		}
	if (m->nqueue > TPB_DMA_QUEUES_GEN3)
		return pass_fail(c, m, last, "CMP016",
		                 "the kernel needs %d DMA queues, limit %d: "
		                 "one a block and trigger engine; use fewer "
		                 "blocks with copies",
		                 m->nqueue, TPB_DMA_QUEUES_GEN3);
	pass_stat(c, "queues=%d blocks=%d", n.queues, n.blocks);
	return true;
}
