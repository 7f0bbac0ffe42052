/* SPDX-License-Identifier: Apache-2.0
 *
 * cfg_normalize: every block with a successor ends in a terminator.
 *
 *   a block that falls through   gets an UnconditionalBranch, <block>-next
 *   a compare without on_false   takes the branch behind it, or the next block
 *   the last block               gets Exit in main, Return in the others
 *   a Call                       stands alone in its block
 *
 * lower_control fences the blocks that have a terminator; this makes sure that
 * only blocks without a successor have none of the fenced kinds.  Bodies of
 * structured ops are left alone.
 *
 * Cost: linear.
 */
#include "compiler/passes/pass.h"

#include <stdio.h>

struct norm {
	struct bir_module *m;
	struct pass_ctx *c;
	int jumps, ends, splits;
};

static void isolate_calls(struct norm *s, struct bir_block *b)
{
	char name[192];

	for (struct bir_inst *i = b->first; i; i = i->next) {
		if (i->it != BIR_IT_CALL)
			continue;
		if (i->prev) {
			snprintf(name, sizeof name, "%s-call", i->name);
			bir_block_split(s->m, i, name)->origin = i->block;
			s->splits++;
			return; /* the new block is visited next */
		}
		if (i->next && !bir_is_terminator(i->next)) {
			snprintf(name, sizeof name, "%s-after", i->name);
			struct bir_block *n =
			    bir_block_split(s->m, i->next, name);

			n->origin = n;
			s->splits++;
		}
		return;
	}
}

/* One compare and its two edges: what stands behind a complete one cannot be
 * reached. */
static void complete_compare(struct norm *s, struct bir_inst *t)
{
	struct bir_inst *j = t->next;

	if (!t->u.branch.on_false)
		t->u.branch.on_false = j && j->it == BIR_IT_JUMP
		                           ? j->u.branch.on_true
		                           : t->block->next;
	if (t->u.branch.on_false)
		while (t->next && t->next->it == BIR_IT_JUMP)
			bir_inst_delete(s->m, t->next);
}

static bool end_block(struct norm *s, struct bir_func *f, struct bir_block *b)
{
	struct bir_inst *t = bir_first_terminator(b);
	char name[192];

	if (t && t->it == BIR_IT_BRANCH) {
		complete_compare(s, t);
		if (!t->u.branch.on_false)
			return pass_fail(s->c, s->m, t, "CMP012",
			                 "%s: the block can fall off the end "
			                 "of %s; add a branch or an exit",
			                 t->name, f->name);
	}
	if (t)
		return true;
	if (b->next) {
		snprintf(name, sizeof name, "%s-next", b->name);
		t = bir_emit(s->m, b, BIR_IT_JUMP, name, BIR_ENG_NONE);
		t->u.branch.on_true = b->next;
		s->jumps++;
	} else {
		bool whole = f == s->m->first;

		snprintf(name, sizeof name, "%s-%s", b->name,
		         whole ? "exit" : "return");
		t = bir_emit(s->m, b, whole ? BIR_IT_EXIT : BIR_IT_RETURN, name,
		             BIR_ENG_ALL);
		s->ends++;
	}
	t->pos = t->prev ? t->prev->pos : b->pos;
	return true;
}

bool pass_cfg_normalize(struct bir_module *m, struct pass_ctx *c)
{
	struct norm s = {m, c, 0, 0, 0};

	for (struct bir_func *f = m->first; f; f = f->next) {
		if (!f->body.first)
			bir_block_new(m, &f->body, NULL);
		for (struct bir_block *b = f->body.first; b; b = b->next) {
			isolate_calls(&s, b);
			if (!end_block(&s, f, b))
				return false;
		}
	}
	pass_stat(c, "jumps=%d ends=%d splits=%d", s.jumps, s.ends, s.splits);
	return true;
}
