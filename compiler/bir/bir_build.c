/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules, functions, blocks, storage, queues: their making, lists and names.
 * Instructions are in bir_inst.c, operands in bir_arg.c.
 */
#include "compiler/bir/internal.h"

/* Append to a doubly linked list with the members prev and next. */
#define APPEND(first, last_, x)              \
	do {                                 \
		(x)->prev = (last_);         \
		(x)->next = NULL;            \
		if (last_)                   \
			(last_)->next = (x); \
		else                         \
			(first) = (x);       \
		(last_) = (x);               \
	} while (0)

struct bir_module *bir_module_new(const char *path, int gen)
{
	struct arena *a = arena_new();
	struct bir_module *m = ARENA_NEW(a, struct bir_module);

	m->arena = a;
	m->path = arena_strdup(a, path ? path : "-");
	m->name = m->path;
	m->gen = gen;
	m->cores = 1;
	m->names = bir_names_new(a);
	return m;
}

void bir_module_free(struct bir_module *m)
{
	if (m)
		arena_free(m->arena);
}

struct bir_func *bir_func_new(struct bir_module *m, const char *name)
{
	struct bir_func *f = ARENA_NEW(m->arena, struct bir_func);

	f->name = bir_names_add(m, BIR_SPACE_FUNC, name, f);
	f->body.func = f;
	APPEND(m->first, m->last, f);
	m->nfunc++;
	return f;
}

/* ------------------------------------------------------------ blocks */

static struct bir_block *make_block(struct bir_module *m, const char *name)
{
	struct bir_block *b = ARENA_NEW(m->arena, struct bir_block);

	b->id = m->nblock++;
	if (!name)
		name = arena_printf(m->arena, "bb%d", b->id);
	b->name = bir_names_add(m, BIR_SPACE_BLOCK, name, b);
	b->origin = b;
	return b;
}

void bir_block_append(struct bir_region *r, struct bir_block *b)
{
	APPEND(r->first, r->last, b);
	b->region = r;
}

void bir_block_insert(struct bir_block *after, struct bir_block *b)
{
	b->region = after->region;
	b->prev = after;
	b->next = after->next;
	if (after->next)
		after->next->prev = b;
	else
		after->region->last = b;
	after->next = b;
}

struct bir_block *bir_block_new(struct bir_module *m, struct bir_region *r,
                                const char *name)
{
	struct bir_block *b = make_block(m, name);

	bir_block_append(r, b);
	return b;
}

struct bir_block *bir_block_after(struct bir_module *m, struct bir_block *after,
                                  const char *name)
{
	struct bir_block *b = make_block(m, name);

	bir_block_insert(after, b);
	return b;
}

void bir_block_unlink(struct bir_block *b)
{
	if (b->prev)
		b->prev->next = b->next;
	else
		b->region->first = b->next;
	if (b->next)
		b->next->prev = b->prev;
	else
		b->region->last = b->prev;
	b->prev = b->next = NULL;
	b->region = NULL;
}

struct bir_block *bir_block_split(struct bir_module *m, struct bir_inst *at,
                                  const char *name)
{
	struct bir_block *old = at->block;
	struct bir_block *b = bir_block_after(m, old, name);
	struct bir_inst *i;

	b->origin = old->origin;
	b->pos = at->pos;
	b->first = at;
	b->last = old->last;
	old->last = at->prev;
	if (at->prev)
		at->prev->next = NULL;
	else
		old->first = NULL;
	at->prev = NULL;
	for (i = at; i; i = i->next)
		i->block = b;
	return b;
}

/* ------------------------------------------------------------ storage */

struct bir_loc *bir_loc_new(struct bir_module *m, const char *name,
                            enum bir_mem mem, enum bir_kind kind, int dtype,
                            int rank, const int64_t *shape)
{
	struct bir_loc *l = ARENA_NEW(m->arena, struct bir_loc);
	int d;

	l->id = m->nloc++;
	l->name = bir_names_add(m, BIR_SPACE_LOC, name, l);
	l->mem = mem;
	l->kind = kind;
	l->dtype = dtype;
	l->rank = rank < BIR_RANK ? rank : BIR_RANK;
	l->row_bytes = bir_dtype_size(dtype);
	l->partitions = 1;
	for (d = 0; d < l->rank; d++) {
		l->shape[d] = shape[d];
		if (d == 0 && mem != BIR_DRAM)
			l->partitions = shape[0];
		/* a product past 2^62 stays there: the verifier sees it */
		else if (__builtin_mul_overflow(l->row_bytes, shape[d],
		                                &l->row_bytes))
			l->row_bytes = INT64_MAX / 2;
	}
	APPEND(m->loc, m->last_loc, l);
	return l;
}

void bir_loc_place(struct bir_loc *l, int part, int64_t byte)
{
	l->placed = true;
	l->part = part;
	l->byte = byte;
}

void bir_loc_place_dram(struct bir_loc *l, int64_t addr, int var)
{
	l->placed = true;
	l->addr = addr;
	l->var = var;
}

struct bir_reg *bir_reg_new(struct bir_module *m, const char *name,
                            enum bir_engine engine, int bits)
{
	struct bir_reg *r = ARENA_NEW(m->arena, struct bir_reg);

	r->id = m->nreg++;
	if (!name)
		name = arena_printf(m->arena, "r%d", r->id);
	r->name = bir_names_add(m, BIR_SPACE_REG, name, r);
	r->engine = engine;
	r->bits = bits;
	r->phys = -1;
	APPEND(m->reg, m->last_reg, r);
	return r;
}

/* ------------------------------------------------------------ queues */

struct bir_queue *bir_queue_new(struct bir_module *m, const char *name,
                                enum bir_engine engine)
{
	struct bir_queue *q = ARENA_NEW(m->arena, struct bir_queue);

	q->id = m->nqueue++;
	q->name = bir_names_add(m, BIR_SPACE_QUEUE, name, q);
	q->engine = engine;
	q->sem_vid = q->sem_id = -1;
	APPEND(m->queue, m->last_queue, q);
	return q;
}

struct bir_instance *bir_instance_new(struct bir_module *m, struct bir_queue *q,
                                      const char *name)
{
	struct bir_instance *n = ARENA_NEW(m->arena, struct bir_instance);
	struct bir_instance **at = &q->instance;

	n->name = arena_strdup(m->arena, name);
	while (*at)
		at = &(*at)->next;
	*at = n;
	q->ninstance++;
	return n;
}

struct bir_instance *bir_instance_at(const struct bir_queue *q, int index)
{
	struct bir_instance *n = index < 0 ? NULL : q->instance;

	while (n && index-- > 0)
		n = n->next;
	return n;
}

void bir_instance_add(struct bir_module *m, struct bir_queue *q, int instance,
                      struct bir_inst *block)
{
	struct bir_instance *n = bir_instance_at(q, instance);
	struct bir_inst **more;

	if (n->nblock == n->cap) {
		n->cap = n->cap ? n->cap * 2 : 8;
		more = arena_array(m->arena, (size_t)n->cap, sizeof(*more));
		for (int k = 0; k < n->nblock; k++)
			more[k] = n->block[k];
		n->block = more;
	}
	block->u.dmablock.queue = q;
	block->u.dmablock.instance = instance;
	block->u.dmablock.id = n->nblock;
	n->block[n->nblock++] = block;
}

/* ------------------------------------------------------------ names */

struct bir_func *bir_func_find(const struct bir_module *m, const char *name)
{
	return bir_names_find(m, BIR_SPACE_FUNC, name);
}

struct bir_block *bir_block_find(const struct bir_module *m, const char *name)
{
	return bir_names_find(m, BIR_SPACE_BLOCK, name);
}

struct bir_inst *bir_inst_find(const struct bir_module *m, const char *name)
{
	return bir_names_find(m, BIR_SPACE_INST, name);
}

struct bir_loc *bir_loc_find(const struct bir_module *m, const char *name)
{
	return bir_names_find(m, BIR_SPACE_LOC, name);
}

struct bir_reg *bir_reg_find(const struct bir_module *m, const char *name)
{
	return bir_names_find(m, BIR_SPACE_REG, name);
}

struct bir_queue *bir_queue_find(const struct bir_module *m, const char *name)
{
	return bir_names_find(m, BIR_SPACE_QUEUE, name);
}
