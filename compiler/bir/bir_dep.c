/* SPDX-License-Identifier: Apache-2.0
 *
 * Dependency edges and sync records.  An edge is on the list of edges into
 * its successor and on the list of edges out of its predecessor, and in the
 * table of pairs; adding, finding and removing are O(1).
 */
#include "compiler/bir/internal.h"

#include <assert.h>

struct bir_dep *bir_dep_find(const struct bir_module *m,
                             const struct bir_inst *succ,
                             const struct bir_inst *pred)
{
	return bir_edges_find(m, succ->id, pred->id);
}

struct bir_dep *bir_dep_add(struct bir_module *m, struct bir_inst *succ,
                            struct bir_inst *pred, enum bir_edge kind,
                            bool carried)
{
	struct bir_dep *d;

	assert(succ != pred);
	d = bir_dep_find(m, succ, pred);
	if (d) {
		if (kind > d->kind)
			d->kind = kind;
		/* an edge inside the iteration is the stronger one */
		d->carried = d->carried && carried;
		return d;
	}
	d = ARENA_NEW(m->arena, struct bir_dep);
	d->succ = succ;
	d->pred = pred;
	d->kind = kind;
	d->carried = carried;
	d->in_next = succ->preds;
	if (succ->preds)
		succ->preds->in_prev = d;
	succ->preds = d;
	d->out_next = pred->succs;
	if (pred->succs)
		pred->succs->out_prev = d;
	pred->succs = d;
	bir_edges_add(m, d);
	return d;
}

void bir_dep_remove(struct bir_module *m, struct bir_dep *d)
{
	if (d->in_prev)
		d->in_prev->in_next = d->in_next;
	else
		d->succ->preds = d->in_next;
	if (d->in_next)
		d->in_next->in_prev = d->in_prev;
	if (d->out_prev)
		d->out_prev->out_next = d->out_next;
	else
		d->pred->succs = d->out_next;
	if (d->out_next)
		d->out_next->out_prev = d->out_prev;
	bir_edges_remove(m, d);
}

void bir_dep_bypass(struct bir_module *m, struct bir_inst *i)
{
	const struct bir_dep *in, *out;

	for (in = i->preds; in; in = in->in_next)
		for (out = i->succs; out; out = out->out_next)
			if (in->pred != out->succ)
				bir_dep_add(m, out->succ, in->pred,
				            in->kind < out->kind ? in->kind
				                                 : out->kind,
				            in->carried || out->carried);
	while (i->preds)
		bir_dep_remove(m, i->preds);
	while (i->succs)
		bir_dep_remove(m, i->succs);
}

struct bir_wait *bir_wait_add(struct bir_module *m, struct bir_inst *i, int vid,
                              int id, int mode, int64_t value,
                              struct bir_reg *reg, struct bir_inst *from)
{
	struct bir_wait *w = ARENA_NEW(m->arena, struct bir_wait), **at;

	w->vid = vid;
	w->id = id;
	w->mode = mode;
	w->value = value;
	w->reg = reg;
	w->from = from;
	w->event = mode == TPB_BIR_WAIT_EVT_SET_CLR;
	for (at = &i->wait; *at; at = &(*at)->next)
		;
	*at = w;
	return w;
}

struct bir_update *bir_update_add(struct bir_module *m, struct bir_inst *i,
                                  int vid, int id, int mode, int64_t value)
{
	struct bir_update *u = ARENA_NEW(m->arena, struct bir_update), **at;

	u->vid = vid;
	u->id = id;
	u->mode = mode;
	u->value = value;
	u->core = -1;
	u->event = mode == TPB_BIR_UPDATE_EVT_SET;
	for (at = &i->update; *at; at = &(*at)->next)
		;
	*at = u;
	return u;
}

void bir_wait_remove(struct bir_inst *i, struct bir_wait *w)
{
	struct bir_wait **at = &i->wait;

	while (*at && *at != w)
		at = &(*at)->next;
	if (*at)
		*at = w->next;
}
