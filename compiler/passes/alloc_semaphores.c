/* SPDX-License-Identifier: Apache-2.0
 *
 * alloc_semaphores (L22): the synchronizer's numbers become bank entries, and
 * every GroupResetSemaphores gets the set of all that are used.
 *
 * Engine semaphores are entries 0..4 and queues of a region 8 on, reused by
 * the next region behind its reset; 253 to 255 are the host's.  A kernel's own
 * waits keep their entries: none may be one of these, and each must have an
 * update somewhere, since nobody would ever let it through.
 *
 * After: every wait and update has an entry.  Cost: linear.
 */
#include "compiler/passes/sync.h"

#include <string.h>

struct bank {
	struct bir_module *m;
	struct pass_ctx *c;
	bool used[256];         /* the synchronizer's */
	bool signalled[2][256]; /* [event] the kernel's own updates */
	int bound;
};

static bool bind(struct bank *s, const struct bir_inst *i, int vid, int *id)
{
	if (vid >= 0)
		*id = vid;
	if (*id < 0 || *id > 255 || (vid >= 0 && vid >= SYNC_LIMIT))
		return pass_fail(s->c, s->m, i, "CMP023",
		                 "out of semaphores: %s needs number %d, limit "
		                 "%d; use fewer queues in one block",
		                 i->name, *id, SYNC_LIMIT);
	if (vid >= 0) {
		s->used[*id] = true;
		s->bound++;
	}
	return true;
}

static bool bind_inst(struct bank *s, struct bir_inst *i)
{
	for (struct bir_wait *w = i->wait; w; w = w->next)
		if (!bind(s, i, w->vid, &w->id))
			return false;
	for (struct bir_update *u = i->update; u; u = u->next) {
		if (!bind(s, i, u->vid, &u->id))
			return false;
		if (u->vid < 0)
			s->signalled[u->event][u->id] = true;
	}
	return true;
}

static bool visit(struct bir_inst *i, void *ctx)
{
	struct bank *s = ctx;

	if (i->it == BIR_IT_DMA_TRIGGER && i->u.trigger.block &&
	    !bind_inst(s, i->u.trigger.block))
		return false;
	return bind_inst(s, i);
}

static bool check(struct bir_inst *i, void *ctx)
{
	struct bank *s = ctx;

	for (const struct bir_wait *w = i->wait; w; w = w->next) {
		if (w->vid >= 0)
			continue;
		if (!w->event && s->used[w->id])
			return pass_fail(s->c, s->m, i, "CMP024",
			                 "%s: semaphore %d is the compiler's; "
			                 "use one from 240 to 252",
			                 i->name, w->id);
		/* cores signal each other: only one core can be judged */
		if (s->m->cores == 1 && !s->signalled[w->event][w->id])
			return pass_fail(
			    s->c, s->m, i, "CMP025",
			    "%s waits for %s %d, which is never "
			    "signalled; add an update or remove "
			    "the wait",
			    i->name, w->event ? "event" : "semaphore", w->id);
	}
	for (const struct bir_update *u = i->update; u; u = u->next)
		if (u->vid < 0 && !u->event && u->core < 0 && s->used[u->id])
			return pass_fail(s->c, s->m, i, "CMP024",
			                 "%s: semaphore %d is the compiler's; "
			                 "use one from 240 to 252",
			                 i->name, u->id);
	return true;
}

static bool fill_reset(struct bir_inst *i, void *ctx)
{
	struct bank *s = ctx;

	if (i->it != BIR_IT_GROUP_RESET || i->u.greset.range)
		return true;
	for (int k = 0; k < 256; k++)
		if (s->used[k])
			i->u.greset.mask[k / 8] |= (uint8_t)(1u << k % 8);
	return true;
}

bool pass_alloc_semaphores(struct bir_module *m, struct pass_ctx *c)
{
	struct bank s = {.m = m, .c = c};
	int ids = 0;

	for (struct bir_func *f = m->first; f; f = f->next)
		if (!pass_each(&f->body, visit, &s))
			return false;
	/* the engines' are in the set even when nobody posts on them */
	for (int k = 0; k < SYNC_EU; k++)
		s.used[k] = true;
	for (struct bir_func *f = m->first; f; f = f->next)
		if (!pass_each(&f->body, check, &s))
			return false;
	for (struct bir_queue *q = m->queue; q; q = q->next)
		if (q->sem_vid >= 0)
			q->sem_id = q->sem_vid;
	for (int k = 0; k < 256; k++)
		ids += s.used[k];
	for (struct bir_func *f = m->first; f; f = f->next)
		pass_each(&f->body, fill_reset, &s);
	pass_stat(c, "bound=%d entries=%d", s.bound, ids);
	return true;
}
