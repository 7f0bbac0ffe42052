/* SPDX-License-Identifier: Apache-2.0
 *
 * lower_sync (L27): waits that say nothing new go; the rest gets its place in
 * the stream.  Allocates no semaphore and removes no update.
 *
 *   b  of the waits on blocks of one queue, the largest block id stays: a
 *      queue completes in order
 *   a  of the immediate waits on one semaphore, the largest value stays; of
 *      those on one register, one
 *   c  in a block, an immediate wait not above one that the engine has done
 *      on that semaphore goes: counters only grow between resets
 *
 * Then, by class of instruction:
 *
 *   event      EventSemaphore: two waits and an update inside
 *   inline     NoOp, reset, barrier, drain, Halt, RegisterMove, hint, rank:
 *              the first wait and the update inside
 *   wait only  trigger, jump, Return, Exit: the first wait inside
 *   transfer   DMA ops in the stream: the update inside, waits before
 *   separate   all others: EventSemaphores before (two waits each) and behind
 *
 * Carriers are "<name>-wait<k>" and "<name>-post" on the same engine.
 * Cost: linear, plus the square of the waits of one instruction.
 */
#include "compiler/passes/pass.h"

#include <stdio.h>
#include <string.h>

enum place { EVENT, INLINE, WAIT_ONLY, TRANSFER, SEPARATE };

struct lower {
	struct bir_module *m;
	struct pass_ctx *c;
	int64_t done[BIR_NENGINES][256]; /* waited for in this block */
	int in, queue, value, repeat, carriers;
};

static enum place place_of(const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_EVENT_SEM: return EVENT;
	case BIR_IT_NOOP:
	case BIR_IT_GROUP_RESET:
	case BIR_IT_ALL_BARRIER:
	case BIR_IT_DRAIN:
	case BIR_IT_HALT:
	case BIR_IT_REG_MOVE:
	case BIR_IT_BRANCH_HINT:
	case BIR_IT_PROC_RANK: return INLINE;
	case BIR_IT_DMA_TRIGGER:
	case BIR_IT_JUMP:
	case BIR_IT_RETURN:
	case BIR_IT_EXIT: return WAIT_ONLY;
	default: return bir_is_dma(i) ? TRANSFER : SEPARATE;
	}
}

/* ---- elimination ---- */

static const struct bir_dmablock *block_of(const struct bir_wait *w)
{
	return w->from && w->from->it == BIR_IT_DMA_BLOCK ? &w->from->u.dmablock
	                                                  : NULL;
}

static void by_queue(struct lower *s, struct bir_inst *i)
{
	for (struct bir_wait *w = i->wait, *n; w; w = n) {
		const struct bir_dmablock *b = block_of(w);
		bool drop = false;

		n = w->next;
		for (const struct bir_wait *o = i->wait; b && o; o = o->next) {
			const struct bir_dmablock *c = block_of(o);

			drop |= c && o != w && c->queue == b->queue &&
			        c->id > b->id;
		}
		if (drop) {
			bir_wait_remove(i, w);
			s->queue++;
		}
	}
}

/* w is implied by o. */
static bool weaker(const struct bir_wait *w, const struct bir_wait *o)
{
	if (w->event != o->event || w->id != o->id || w->mode != o->mode ||
	    w->event)
		return false;
	if (w->mode == TPB_BIR_WAIT_GE_REG)
		return w->reg == o->reg;
	return w->value <= o->value;
}

static void by_value(struct lower *s, struct bir_inst *i)
{
	for (struct bir_wait *w = i->wait, *n; w; w = n) {
		bool drop = false, before = true;

		n = w->next;
		for (const struct bir_wait *o = i->wait; o; o = o->next) {
			if (o == w)
				before = false;
			/* of two equal ones the first stays */
			else if (weaker(w, o) && (before || !weaker(o, w)))
				drop = true;
		}
		if (drop) {
			bir_wait_remove(i, w);
			s->value++;
		}
	}
}

static void by_history(struct lower *s, struct bir_inst *i)
{
	enum bir_engine e = pass_stream(i);

	for (struct bir_wait *w = i->wait, *n; w; w = n) {
		n = w->next;
		if (w->mode != TPB_BIR_WAIT_GE_IMM || w->event || w->vid < 0 ||
		    w->id < 0 || w->id > 255)
			continue;
		if (w->value <= s->done[e][w->id]) {
			bir_wait_remove(i, w);
			s->repeat++;
		} else {
			s->done[e][w->id] = w->value;
		}
	}
}

/* ---- carriers ---- */

static bool dynamic(const struct bir_inst *i)
{
	for (int k = 0; k < i->nin && k < BIR_INS; k++)
		if (i->in[k] && i->in[k]->expr)
			return true;
	for (int k = 0; k < i->nout && k < BIR_OUTS; k++)
		if (i->out[k] && i->out[k]->expr)
			return true;
	return false;
}

static struct bir_inst *carrier(struct lower *s, const struct bir_inst *i,
                                const char *suffix, int k)
{
	char name[192];

	if (k < 0)
		snprintf(name, sizeof name, "%s-%s", i->name, suffix);
	else
		snprintf(name, sizeof name, "%s-%s%d", i->name, suffix, k);
	struct bir_inst *n =
	    bir_inst_new(s->m, BIR_IT_EVENT_SEM, name, pass_stream(i));

	n->pos = i->pos;
	s->carriers++;
	return n;
}

/* Where code in front of i goes: never between terminators. */
static struct bir_inst *front(struct bir_inst *i)
{
	return bir_is_terminator(i) ? bir_first_terminator(i->block) : i;
}

/* All waits behind the first `keep` move to carriers in front. */
static void move_waits(struct lower *s, struct bir_inst *i, int keep)
{
	struct bir_wait **at = &i->wait, *w;
	struct bir_inst *c = NULL;
	int k = 0, held = 2;

	while (*at && keep-- > 0)
		at = &(*at)->next;
	w = *at;
	*at = NULL;
	while (w) {
		struct bir_wait *next = w->next;

		if (held == 2) {
			c = carrier(s, i, "wait", k++);
			bir_inst_before(front(i), c);
			held = 0;
		}
		w->next = NULL;
		*(held ? &c->wait->next : &c->wait) = w;
		held++;
		w = next;
	}
}

static void move_updates(struct lower *s, struct bir_inst *i, int keep)
{
	struct bir_update **at = &i->update, *u;
	struct bir_inst *last = i;

	while (*at && keep-- > 0)
		at = &(*at)->next;
	u = *at;
	*at = NULL;
	for (int k = -1; u; k++) {
		struct bir_update *next = u->next;
		struct bir_inst *c = carrier(s, i, "post", k);

		u->next = NULL;
		c->update = u;
		bir_inst_after(last, c);
		last = c;
		u = next;
	}
}

/* An update with an operand needs the value field that a wait may have. */
static bool shares_value(const struct bir_inst *i)
{
	return i->wait && i->update && i->it != BIR_IT_EVENT_SEM &&
	       i->update->mode != TPB_BIR_UPDATE_INC &&
	       i->update->mode != TPB_BIR_UPDATE_DEC &&
	       i->update->mode != TPB_BIR_UPDATE_EVT_SET;
}

static bool carry(struct lower *s, struct bir_inst *i)
{
	static const int waits[] = {[EVENT] = 2,
	                            [INLINE] = 1,
	                            [WAIT_ONLY] = 1,
	                            [TRANSFER] = 0,
	                            [SEPARATE] = 0};
	static const int updates[] = {[EVENT] = 1,
	                              [INLINE] = 1,
	                              [WAIT_ONLY] = 0,
	                              [TRANSFER] = 1,
	                              [SEPARATE] = 0};
	enum place p = place_of(i);

	if (p == WAIT_ONLY && i->update)
		return pass_fail(s->c, s->m, i, "CMP026",
		                 "%s: %s cannot post; post from an event op "
		                 "behind it",
		                 i->name, bir_it_text(i->it));
	move_waits(s, i, dynamic(i) ? 0 : waits[p]);
	move_updates(s, i, shares_value(i) ? 0 : updates[p]);
	return true;
}

static void relink(struct bir_module *m, struct bir_inst *i)
{
	for (const struct bir_wait *w = i->wait; w; w = w->next)
		if (w->from && w->from != i)
			bir_dep_add(m, i, w->from, BIR_ORDERED, false);
}

static bool instruction(struct lower *s, struct bir_inst *i)
{
	if (!i->wait && !i->update)
		return true;
	if (!(BIR_ENG_STREAMS >> i->engine & 1) && i->engine != BIR_ENG_ALL)
		return pass_fail(s->c, s->m, i, "CMP026",
		                 "%s: waits or posts without an engine; run "
		                 "assign_engines",
		                 i->name);
	for (const struct bir_wait *w = i->wait; w; w = w->next)
		s->in++;
	by_queue(s, i);
	by_value(s, i);
	if (i->engine != BIR_ENG_ALL)
		by_history(s, i);
	relink(s->m, i);
	return carry(s, i);
}

bool pass_lower_sync(struct bir_module *m, struct pass_ctx *c)
{
	struct lower *s = ARENA_NEW(c->scratch, struct lower);

	s->m = m;
	s->c = c;
	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next) {
			memset(s->done, 0, sizeof s->done);
			for (struct bir_inst *i = b->first, *n; i; i = n) {
				n = i->next;
				if (i->it == BIR_IT_GROUP_RESET)
					memset(s->done, 0, sizeof s->done);
				if (!instruction(s, i))
					return false;
			}
		}
	pass_stat(c, "waits=%d dropped b=%d a=%d c=%d carriers=%d", s->in,
	          s->queue, s->value, s->repeat, s->carriers);
	return true;
}
