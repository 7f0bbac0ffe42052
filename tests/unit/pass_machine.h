/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine for lowered modules that knows only order: engines, their
 * datapaths and the DMA queues run at random speeds, and every start and end
 * is written down.  Values exist only in registers and in cells of TensorSave.
 * Written from the order rules of docs/reference/compiler.md, not from any
 * pass: two runs of conflicting bytes out of program order are a race, no
 * progress is a deadlock.
 */
#ifndef TESTS_UNIT_PASS_MACHINE_H
#define TESTS_UNIT_PASS_MACHINE_H

#include "compiler/passes/footprint.h"
#include "tests/unit/pass.h"

#define MAX_RUNS 4096
#define CELLS 128
#define DEPTH 64

struct run { /* one execution of an instruction or a DMA block */
	const struct bir_inst *i;
	int64_t key; /* place in the sequential order */
	int start, end;
};

struct fifo {
	int run[DEPTH], n;
	bool busy; /* the first has started */
};

struct engine {
	struct bir_block *b;
	struct bir_inst *i;
	int visits;
	bool exited, joined;
	struct fifo path, own; /* datapath; DMA of its stream */
};

struct machine {
	struct bir_module *m;
	uint64_t rng;
	int now, nrun;
	struct run run[MAX_RUNS];
	struct engine e[BIR_NENGINES];
	struct fifo q[64];
	int cursor[64];
	int64_t sem[256];
	uint64_t *reg; /* by id */
	uint64_t (*cell)[CELLS];
	int total;
};

static inline unsigned rnd(struct machine *s, unsigned n)
{
	s->rng = s->rng * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(s->rng >> 33) % n;
}

static inline bool used(const struct machine *s, int e)
{
	return (s->m->engines & BIR_ENG_STREAMS) >> e & 1;
}

static inline int new_run(struct machine *s, const struct engine *e,
                          const struct bir_inst *i, const struct bir_inst *at)
{
	assert_true(s->nrun < MAX_RUNS);
	struct run *r = &s->run[s->nrun];

	r->i = i;
	r->key = (int64_t)e->visits * 1000000 + at->order;
	r->start = r->end = -1;
	return s->nrun++;
}

static inline void post(struct machine *s, const struct bir_inst *i)
{
	for (const struct bir_update *u = i->update; u; u = u->next)
		s->sem[u->id] +=
		    u->mode == TPB_BIR_UPDATE_ADD_IMM ? u->value : 1;
}

static inline bool waits_hold(const struct machine *s, const struct bir_inst *i)
{
	for (const struct bir_wait *w = i->wait; w; w = w->next)
		if (s->sem[w->id] <
		    (w->reg ? (int32_t)s->reg[w->reg->id] : w->value))
			return false;
	return true;
}

static inline uint64_t value_of(const struct machine *s,
                                const struct bir_arg *a)
{
	if (a->kind == BIR_ARG_IMM)
		return a->imm;
	if (a->kind == BIR_ARG_ADDR)
		return bir_unified(a->loc, a->offset);
	return s->reg[a->reg->id];
}

static inline void assign(struct machine *s, const struct bir_arg *d,
                          uint64_t v)
{
	uint64_t *r = &s->reg[d->reg->id];

	if (d->half == BIR_LO)
		*r = (*r & ~(uint64_t)UINT32_MAX) | (uint32_t)v;
	else if (d->half == BIR_HI)
		*r = (*r & UINT32_MAX) | v << 32;
	else
		*r = d->reg->bits == 64 ? v : (uint32_t)v;
}

static inline void scalar(struct machine *s, const struct bir_inst *i)
{
	uint64_t x = i->nin > 0 ? value_of(s, i->in[0]) : 0, y;

	if (i->it == BIR_IT_REG_MOVE) {
		assign(s, i->out[0], x);
		return;
	}
	y = value_of(s, i->in[1]);
	switch (i->u.alu.op0) {
	case TPB_BIR_ALU_ADD: x += y; break;
	case TPB_BIR_ALU_MULT: x *= y; break;
	case TPB_BIR_ALU_BITWISE_AND: x &= y; break;
	case TPB_BIR_ALU_DIVIDE: x = (uint32_t)x / y; break;
	case TPB_BIR_ALU_MOD: x = (uint32_t)x % y; break;
	default: fail_msg("op %d is not for this machine", i->u.alu.op0);
	}
	assign(s, i->out[0], x);
}

static inline void memory(struct machine *s, struct engine *e,
                          const struct bir_inst *i)
{
	bool load = i->it == BIR_IT_TENSOR_LOAD;
	const struct bir_arg *mem = load ? i->in[0] : i->out[0];
	uint64_t *c = &s->cell[mem->loc->id][mem->offset / 4 % CELLS];
	int r = new_run(s, e, i, i);

	if (load)
		assign(s, i->out[0], *c);
	else
		*c = value_of(s, i->in[0]);
	s->run[r].start = s->run[r].end = s->now;
}

static inline bool taken(const struct machine *s, const struct bir_inst *i)
{
	int32_t x = (int32_t)value_of(s, i->in[0]);
	int32_t y = (int32_t)value_of(s, i->in[1]);

	switch (i->u.branch.cmp % 6) {
	case 0: return x < y;
	case 1: return x <= y;
	case 2: return x == y;
	case 3: return x != y;
	case 4: return x >= y;
	default: return x > y;
	}
}

/* ---- one step of each part ---- */

static inline bool fifo_step(struct machine *s, struct fifo *f)
{
	if (!f->n)
		return false;
	struct run *r = &s->run[f->run[0]];

	if (!f->busy) {
		r->start = s->now;
		f->busy = true;
		return true;
	}
	r->end = s->now;
	post(s, r->i);
	memmove(f->run, f->run + 1, sizeof f->run - sizeof *f->run);
	f->n--;
	f->busy = false;
	return true;
}

static inline void enter(struct engine *e, struct bir_block *b)
{
	e->b = b;
	e->i = b->first;
	e->visits++;
}

static inline bool drained(const struct machine *s, int k)
{
	if (s->e[k].path.n || s->e[k].own.n)
		return false;
	for (const struct bir_queue *q = s->m->queue; q; q = q->next)
		if ((int)q->engine == k && s->q[q->id].n)
			return false;
	return true;
}

/* All engines stand at a join of the same kind. */
static inline bool join_step(struct machine *s)
{
	enum bir_it it = BIR_IT_NOOP;

	for (int k = 0; k < BIR_NENGINES; k++) {
		if (!used(s, k))
			continue;
		if (!s->e[k].joined ||
		    (it != BIR_IT_NOOP && s->e[k].i->it != it))
			return false;
		it = s->e[k].i->it;
	}
	for (int k = 0; k < BIR_NENGINES; k++) {
		if (!used(s, k))
			continue;
		s->e[k].joined = false;
		if (it == BIR_IT_EXIT)
			s->e[k].exited = true;
		else
			s->e[k].i = s->e[k].i->next;
	}
	return true;
}

static inline bool trigger(struct machine *s, struct engine *e,
                           struct bir_inst *i)
{
	const struct bir_queue *q = i->u.trigger.queue;
	struct fifo *f = &s->q[q->id];

	if (f->n == 16)
		return false;
	const struct bir_instance *in = q->instance;
	int c = s->cursor[q->id];

	s->cursor[q->id] = (c + 1) % in->nblock;
	/* the block at the cursor must be the trigger's own */
	assert_ptr_equal(in->block[c], i->u.trigger.block);
	f->run[f->n++] = new_run(s, e, in->block[c], i);
	return true;
}

enum seq { SEQ_LATER, SEQ_DONE, SEQ_AWAY };

/* A sequencer op whose waits hold: not yet, done, or gone elsewhere (to another
 * block, or into a join). */
static inline enum seq sequencer_step(struct machine *s, int k,
                                      struct bir_inst *i)
{
	struct engine *e = &s->e[k];

	switch (i->it) {
	case BIR_IT_REG_MOVE:
	case BIR_IT_REG_ALU: scalar(s, i); break;
	case BIR_IT_TENSOR_LOAD:
	case BIR_IT_TENSOR_SAVE: memory(s, e, i); break;
	case BIR_IT_DMA_TRIGGER:
		if (!trigger(s, e, i))
			return SEQ_LATER;
		break;
	case BIR_IT_BRANCH:
		enter(e,
		      taken(s, i) ? i->u.branch.on_true : i->u.branch.on_false);
		return SEQ_AWAY;
	case BIR_IT_JUMP: enter(e, i->u.branch.on_true); return SEQ_AWAY;
	case BIR_IT_ALL_BARRIER:
	case BIR_IT_EXIT:
		e->joined = drained(s, k);
		return e->joined ? SEQ_AWAY : SEQ_LATER;
	case BIR_IT_DRAIN:
		if (!drained(s, k))
			return SEQ_LATER;
		break;
	case BIR_IT_GROUP_RESET:
		for (int n = 0; n < 256; n++)
			if (i->u.greset.mask[n / 8] >> n % 8 & 1)
				s->sem[n] = 0;
		break;
	case BIR_IT_EVENT_SEM:
	case BIR_IT_NOOP: break;
	default: fail_msg("%s is not for this machine", i->name);
	}
	post(s, i);
	return SEQ_DONE;
}

static inline bool engine_step(struct machine *s, int k)
{
	struct engine *e = &s->e[k];
	struct bir_inst *i;
	bool vec, stays;

	if (!used(s, k) || e->exited || e->joined)
		return false;
	while (e->i && (int)e->i->engine != k)
		e->i = e->i->next;
	i = e->i;
	if (!i)
		fail_msg("engine %d runs off the end of %s", k, e->b->name);
	vec = bir_op(i->it)->klass == BIR_CLASS_VEC;
	if (!waits_hold(s, i))
		return false;
	stays = i->update || i->it == BIR_IT_TENSOR_LOAD ||
	        i->it == BIR_IT_TENSOR_SAVE || i->it == BIR_IT_DMA_TRIGGER ||
	        i->it == BIR_IT_GROUP_RESET || bir_is_dma(i);
	if (stays && !vec && e->path.n)
		return false;
	if (vec) {
		if (e->path.n == 2)
			return false;
		e->path.run[e->path.n++] = new_run(s, e, i, i);
	} else if (bir_is_dma(i)) {
		if (e->own.n)
			return false;
		e->own.run[e->own.n++] = new_run(s, e, i, i);
		e->i = i->next;
		return true; /* its update is the transfer's */
	} else {
		enum seq r = sequencer_step(s, k, i);

		if (r != SEQ_DONE)
			return r == SEQ_AWAY;
	}
	e->i = i->next;
	return true;
}

static inline bool part_step(struct machine *s, int k)
{
	if (k < BIR_NENGINES)
		return engine_step(s, k);
	k -= BIR_NENGINES;
	if (k < BIR_NENGINES)
		return fifo_step(s, &s->e[k].path);
	k -= BIR_NENGINES;
	if (k < BIR_NENGINES)
		return fifo_step(s, &s->e[k].own);
	k -= BIR_NENGINES;
	return k < s->m->nqueue ? fifo_step(s, &s->q[k]) : join_step(s);
}

/* ---- the verdict ---- */

static inline bool conflict(const struct bir_inst *a, const struct bir_inst *b)
{
	struct bir_access x[512], y[512];
	int n = bir_accesses(a, x, 512), k = bir_accesses(b, y, 512);

	for (int i = 0; i < n; i++)
		for (int j = 0; j < k; j++)
			if ((x[i].write || y[j].write) &&
			    pass_overlap(x[i].arg, y[j].arg))
				return true;
	return false;
}

/* Runs that touch the same bytes out of order: the later one's name. */
static inline const char *race(const struct machine *s)
{
	for (int a = 0; a < s->nrun; a++)
		for (int b = 0; b < s->nrun; b++)
			if (s->run[a].key < s->run[b].key &&
			    s->run[b].start < s->run[a].end &&
			    conflict(s->run[a].i, s->run[b].i))
				return s->run[b].i->name;
	return NULL;
}

enum verdict { CLEAN, RACE, DEADLOCK };

/* One run at random speeds; some parts are slow for the whole of it. */
static inline enum verdict machine_run(struct bir_module *m, uint64_t seed,
                                       const char **where)
{
	struct machine *s = calloc(1, sizeof *s);
	int parts = 3 * BIR_NENGINES + m->nqueue + 1, idle = 0, k = 0;
	enum verdict v = CLEAN;

	s->m = m;
	s->rng = seed * 0x9E3779B97F4A7C15u + 1;
	s->reg = calloc((size_t)m->nreg + 1, sizeof *s->reg);
	s->cell = calloc((size_t)m->nloc + 1, sizeof *s->cell);
	for (int l = 0; l < m->nloc; l++)
		for (int c = 0; c < CELLS; c++)
			s->cell[l][c] = 1;
	for (struct bir_block *b = m->first->body.first; b; b = b->next) {
		k = 0;
		for (struct bir_inst *i = b->first; i; i = i->next)
			i->order = k++;
	}
	unsigned slow[128];

	for (int p = 0; p < parts; p++)
		slow[p] = rnd(s, 3) ? 1 : 1 + rnd(s, 40);
	for (int e = 0; e < BIR_NENGINES; e++)
		enter(&s->e[e], m->first->body.first);
	while (v == CLEAN) {
		int p = (int)rnd(s, (unsigned)parts);
		bool all = true;

		s->now++;
		if (idle < 50 * parts && rnd(s, slow[p])) {
			idle++;
			continue;
		}
		if (part_step(s, p))
			idle = 0;
		else if (++idle > 200 * parts)
			v = DEADLOCK;
		for (int e = 0; e < BIR_NENGINES; e++)
			all &= !used(s, e) || s->e[e].exited;
		if (all)
			break;
	}
	*where = v == CLEAN ? race(s) : "no progress";
	if (*where && v == CLEAN)
		v = RACE;
	free(s->reg);
	free(s->cell);
	free(s);
	return v;
}

#endif
