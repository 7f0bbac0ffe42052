/* SPDX-License-Identifier: Apache-2.0
 *
 * synchronizer (L21): dependency edges become waits and posts.
 *
 * Semaphores: one an engine, one a queue, and one for the transfers that an
 * engine has in its own stream.  An edge P -> C needs a wait unless P is no
 * transfer and both are on one engine.  P posts once, by 1; a transfer posts
 * from its block.  The threshold is the count of posts up to P:
 *
 *   no sync point yet            immediate
 *   P behind the last one        T + offset, in a register made in front of C
 *   P before it                  T
 *
 * No race: the posts of a semaphore come from one engine in its order or from
 * one queue in block order, so a count that includes P is reached only when P
 * is complete.  No deadlock: every threshold counts posts of instructions that
 * are earlier in the order of a sequential run, and the path taken makes that
 * many (pads, T).  Take the earliest instruction not yet done: all its waits
 * hold.
 *
 * Before: alloc_queues.  After: every edge is enforced by a wait, engine
 * order or a join; numbers are the synchronizer's own (vid).
 * Cost: linear in instructions and edges, plus sync_counts.c.
 */
#include "compiler/passes/sync.h"

#include <stdio.h>
#include <string.h>

static bool is_register_op(const struct bir_inst *i)
{
	return i->it == BIR_IT_REG_ALU || i->it == BIR_IT_REG_MOVE ||
	       bir_is_terminator(i);
}

/* The instruction whose place in the stream stands for i. */
static struct bir_inst *place_of(struct bir_inst *i)
{
	return i->it == BIR_IT_DMA_BLOCK ? i->u.dmablock.trigger : i;
}

static bool waits_for(const struct bir_dep *d)
{
	const struct bir_inst *c = d->succ, *p = d->pred;

	if (d->carried || c->engine == BIR_ENG_ALL || p->engine == BIR_ENG_ALL)
		return false;
	return pass_is_transfer(p) || pass_stream(p) != pass_stream(c);
}

static int sem_of(const struct sync_region *r, const struct bir_inst *p)
{
	if (p->it != BIR_IT_DMA_BLOCK && !bir_is_dma(p))
		return bir_engine_stream(pass_stream(p));
	for (int s = SYNC_EU; s < r->nsem; s++)
		if (p->it == BIR_IT_DMA_BLOCK
		        ? r->sem[s].queue == p->u.dmablock.queue
		        : !r->sem[s].queue && r->sem[s].poster == p->engine)
			return s;
	return -1;
}

/* ---- collecting ---- */

static struct sync_mark *mark(struct sync_region *r, struct bir_inst *i)
{
	if (!i->aux) {
		struct sync_mark *k =
		    ARENA_NEW(r->c->scratch, struct sync_mark);

		k->sem = -1;
		i->aux = k;
	}
	return i->aux;
}

static bool check_edge(struct sync_region *r, const struct bir_dep *d)
{
	const struct bir_inst *p = place_of(d->pred);

	if (is_register_op(d->pred))
		return pass_fail(r->c, r->m, d->succ, "CMP022",
		                 "%s waits for %s, a register op of another "
		                 "engine; registers do not cross engines",
		                 d->succ->name, d->pred->name);
	if (!p || !p->block || p->block->origin != r->block[0]->origin)
		return pass_fail(r->c, r->m, d->succ, "CMP022",
		                 "%s waits for %s in another block; the fence "
		                 "orders blocks, run lower_control",
		                 d->succ->name, d->pred->name);
	return true;
}

static bool find_producers(struct sync_region *r)
{
	for (int b = 0; b < r->nblock; b++)
		for (struct bir_inst *i = r->block[b]->first; i; i = i->next)
			for (struct bir_dep *d = i->preds; d; d = d->in_next) {
				if (!waits_for(d))
					continue;
				if (!check_edge(r, d))
					return false;
				mark(r, d->pred)->producer = true;
			}
	return true;
}

static void add_sem(struct sync_region *r, enum bir_engine poster,
                    struct bir_queue *q)
{
	struct sync_sem *s = &r->sem[r->nsem];

	*s =
	    (struct sync_sem){SYNC_QUEUES + r->nsem - SYNC_EU, poster, q, true};
	if (q)
		q->sem_vid = s->vid;
	r->nsem++;
}

static bool find_sems(struct sync_region *r)
{
	static const enum bir_engine eu[SYNC_EU] = {
	    BIR_ENG_PE, BIR_ENG_ACT, BIR_ENG_POOL, BIR_ENG_DVE, BIR_ENG_SP};
	bool own[BIR_NENGINES] = {false};

	r->sem = arena_array(r->c->scratch,
	                     (size_t)(SYNC_EU + r->m->nqueue + BIR_NENGINES),
	                     sizeof *r->sem);
	for (int s = 0; s < SYNC_EU; s++)
		r->sem[s] = (struct sync_sem){s, eu[s], NULL, false};
	r->nsem = SYNC_EU;
	for (int b = 0; b < r->nblock; b++)
		for (struct bir_inst *i = r->block[b]->first; i; i = i->next) {
			struct bir_queue *q = i->it == BIR_IT_DMA_TRIGGER
			                          ? i->u.trigger.queue
			                          : NULL;

			if (q && q->sem_vid < 0)
				add_sem(r, q->engine, q);
			if (bir_is_dma(i))
				own[i->engine] = true;
		}
	for (int e = 0; e < BIR_NENGINES; e++)
		if (own[e])
			add_sem(r, (enum bir_engine)e, NULL);
	if (r->nsem - SYNC_EU + SYNC_QUEUES > SYNC_LIMIT)
		return pass_fail(r->c, r->m, r->block[0]->first, "CMP023",
		                 "out of semaphores: block %.60s needs %d, "
		                 "limit %d; use fewer queues in one block",
		                 r->block[0]->name,
		                 r->nsem - SYNC_EU + SYNC_QUEUES, SYNC_LIMIT);
	return true;
}

/* Positions of the posts, block by block. */
static void count_posts(struct sync_region *r)
{
	for (int b = 0; b < r->nblock; b++)
		for (struct bir_inst *i = r->block[b]->first; i; i = i->next) {
			struct bir_inst *p =
			    i->it == BIR_IT_DMA_TRIGGER && i->u.trigger.block
			        ? i->u.trigger.block
			        : i;
			struct sync_mark *k = p->aux;

			if (!k || !k->producer)
				continue;
			k->block = b;
			k->sem = sem_of(r, p);
			k->posted = ++r->count[b * r->nsem + k->sem];
			bir_update_add(r->m, p, r->sem[k->sem].vid, -1,
			               TPB_BIR_UPDATE_INC, 1);
			r->posts++;
		}
}

/* ---- waits ---- */

/* Threshold of P for a consumer in block b: T needed, and what is added. */
static bool by_register(const struct sync_region *r, const struct sync_mark *p,
                        int b, int *offset)
{
	struct sync_state at = r->in[p->block * r->nsem + p->sem];
	struct sync_state now = r->in[b * r->nsem + p->sem];

	*offset = at.since + p->posted;
	if (!now.epoch)
		return false;
	if (at.epoch != now.epoch)
		*offset = 0;
	return true;
}

/* T + the largest offset that C asks of the semaphore; C waits for the
 * later producer anyway, so its waits on one semaphore share a register. */
static struct bir_reg *threshold(struct sync_region *r, struct bir_inst *c,
                                 int b, int sem)
{
	struct bir_reg *t = sync_t(r, pass_stream(c), sem), *v;
	int most = 0, offset;

	for (const struct bir_dep *d = c->preds; d; d = d->in_next) {
		const struct sync_mark *p = d->pred->aux;

		if (waits_for(d) && p->sem == sem &&
		    by_register(r, p, b, &offset) && offset > most)
			most = offset;
	}
	if (!most)
		return t;
	v = bir_reg_new(r->m, NULL, t->engine, 32);
	struct bir_inst *add = pass_new_alu(r->m, t->engine, TPB_BIR_ALU_ADD, v,
	                                    t, bir_int(r->m, most));

	add->pos = c->pos;
	bir_inst_before(c, add);
	return v;
}

static void add_waits(struct sync_region *r, struct bir_inst *c, int b)
{
	struct bir_reg **reg = NULL;

	for (const struct bir_dep *d = c->preds; d; d = d->in_next) {
		const struct sync_mark *p = d->pred->aux;
		int offset;

		if (!waits_for(d))
			continue;
		r->waits++;
		if (!by_register(r, p, b, &offset)) {
			bir_wait_add(r->m, c, r->sem[p->sem].vid, -1,
			             TPB_BIR_WAIT_GE_IMM, offset, NULL,
			             d->pred);
			continue;
		}
		if (!reg)
			reg = arena_array(r->c->scratch, (size_t)r->nsem,
			                  sizeof(struct bir_reg *));
		if (!reg[p->sem])
			reg[p->sem] = threshold(r, c, b, p->sem);
		bir_wait_add(r->m, c, r->sem[p->sem].vid, -1,
		             TPB_BIR_WAIT_GE_REG, 0, reg[p->sem], d->pred);
	}
}

/* ---- regions ---- */

static bool region(struct sync_region *r)
{
	struct arena *a = r->c->scratch;
	size_t n;

	if (!find_producers(r) || !find_sems(r))
		return false;
	n = (size_t)r->nblock * (size_t)r->nsem;
	r->count = arena_array(a, n, sizeof *r->count);
	r->in = arena_array(a, n, sizeof *r->in);
	r->point = arena_array(a, n, sizeof *r->point);
	r->t = arena_array(a, BIR_NENGINES * (size_t)r->nsem, sizeof *r->t);
	count_posts(r);
	if (!sync_counts(r))
		return false;
	for (int b = 0; b < r->nblock; b++)
		for (struct bir_inst *i = r->block[b]->first; i; i = i->next)
			add_waits(r, i, b);
	sync_emit(r);
	return true;
}

static void clear(struct bir_func *f)
{
	for (struct bir_block *b = f->body.first; b; b = b->next)
		for (struct bir_inst *i = b->first; i; i = i->next) {
			i->aux = NULL;
			if (i->it == BIR_IT_DMA_TRIGGER && i->u.trigger.block)
				i->u.trigger.block->aux = NULL;
		}
}

static bool function(struct bir_module *m, struct pass_ctx *c,
                     struct bir_func *f, struct sync_region *sum)
{
	struct bir_block *b = f->body.first;

	clear(f);
	while (b) {
		struct sync_region r = {.m = m, .c = c};
		struct bir_block *end = b;

		for (; end && end->origin == b->origin; end = end->next)
			r.nblock++;
		r.block = arena_array(c->scratch, (size_t)r.nblock,
		                      sizeof(struct bir_block *));
		for (int k = 0; k < r.nblock; k++, b = b->next) {
			r.block[k] = b;
			b->order = k;
		}
		if (!region(&r))
			return false;
		b = end;
		sum->waits += r.waits;
		sum->posts += r.posts;
		sum->pads += r.pads;
		sum->points += r.points;
	}
	pass_fix_layout(m, f);
	return true;
}

bool pass_synchronizer(struct bir_module *m, struct pass_ctx *c)
{
	struct sync_region sum = {.m = m};

	for (struct bir_func *f = m->first; f; f = f->next)
		if (!function(m, c, f, &sum))
			return false;
	pass_stat(c, "waits=%d posts=%d pads=%d sync points=%d", sum.waits,
	          sum.posts, sum.pads, sum.points);
	return true;
}
