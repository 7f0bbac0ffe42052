/* SPDX-License-Identifier: Apache-2.0
 *
 * Code of the synchronizer besides waits and posts (sync.h): the registers T
 * at sync points, and the blocks that pad a path.
 *
 *   first sync point    T := count
 *   later ones          T := T + posts since the one before
 *
 * A pad adds what the other paths have posted.  For an engine's semaphore that
 * engine does it; for a queue's, the trigger's engine, after the posts that
 * this path did make: only then do the counts mean the same on every path.
 */
#include "compiler/passes/sync.h"

#include <stdio.h>

struct bir_reg *sync_t(struct sync_region *r, enum bir_engine y, int sem)
{
	struct bir_reg **t = &r->t[(int)y * r->nsem + sem];
	char name[160];

	if (!*t) {
		snprintf(name, sizeof name, "%s.T%d.%s", r->block[0]->name,
		         r->sem[sem].vid, pass_engine_suffix(y));
		*t = bir_reg_new(r->m, name, y, 32);
	}
	return *t;
}

static void keep(struct sync_region *r, struct bir_block *b, int s,
                 struct sync_state st)
{
	for (int y = 0; y < BIR_NENGINES; y++) {
		struct bir_reg *t = r->t[y * r->nsem + s];
		enum bir_engine e = (enum bir_engine)y;

		if (!t)
			continue;
		if (!st.epoch)
			pass_before_end(
			    b,
			    pass_new_move(r->m, e, t, bir_int(r->m, st.since)));
		else if (st.since)
			pass_before_end(
			    b, pass_new_alu(r->m, e, TPB_BIR_ALU_ADD, t, t,
			                    bir_int(r->m, st.since)));
	}
	r->points++;
}

/* The poster's EventSemaphore; for a queue behind a wait for the posts that
 * were made on this path. */
static void pad(struct sync_region *r, struct bir_block *b,
                const struct sync_edge *e)
{
	struct bir_module *m = r->m;
	const struct sync_sem *s = &r->sem[e->sem];
	struct bir_inst *i = bir_inst_new(m, BIR_IT_EVENT_SEM, NULL, s->poster);

	bir_update_add(m, i, s->vid, -1, TPB_BIR_UPDATE_ADD_IMM, e->pad);
	if (s->transfer && e->at.epoch) {
		struct bir_reg *t = sync_t(r, s->poster, e->sem), *v = t;

		if (e->at.since) {
			v = bir_reg_new(m, NULL, s->poster, 32);
			pass_before_end(
			    b, pass_new_alu(m, s->poster, TPB_BIR_ALU_ADD, v, t,
			                    bir_int(m, e->at.since)));
		}
		bir_wait_add(m, i, s->vid, -1, TPB_BIR_WAIT_GE_REG, 0, v, NULL);
	} else if (s->transfer && e->at.since) {
		bir_wait_add(m, i, s->vid, -1, TPB_BIR_WAIT_GE_IMM, e->at.since,
		             NULL, NULL);
	}
	pass_before_end(b, i);
	r->pads++;
}

void sync_emit(struct sync_region *r)
{
	for (const struct sync_edge *e = r->edges; e; e = e->next)
		if (e->pad && r->sem[e->sem].transfer && e->at.epoch)
			sync_t(r, r->sem[e->sem].poster, e->sem);
	for (int b = 0; b < r->nblock; b++)
		for (int s = 0; s < r->nsem; s++) {
			int k = b * r->nsem + s;
			struct sync_state st = r->in[k];

			st.since += r->count[k];
			if (r->point[k])
				keep(r, r->block[b], s, st);
		}
	/* all that happens on one edge shares a block */
	for (struct sync_edge *e = r->edges; e; e = e->next) {
		struct bir_block *eb;

		if (e->from < 0)
			continue;
		eb = pass_edge_block(r->m, r->block[e->from], r->block[e->to],
		                     "pad");
		for (struct sync_edge *o = e; o; o = o->next) {
			if (o != e && (o->from != e->from || o->to != e->to))
				continue;
			if (o->pad)
				pad(r, eb, o);
			else
				keep(r, eb, o->sem, o->at);
			if (o != e)
				o->from = -1;
		}
		e->from = -1;
	}
}
