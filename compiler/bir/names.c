/* SPDX-License-Identifier: Apache-2.0
 *
 * Two hash tables of a module: names to objects, and pairs of instructions
 * to edges.  Open addressing, at most half full, so that each operation is
 * O(1) whatever a kernel is called.  A removed entry stays as a grave until
 * the table grows.
 */
#include "compiler/bir/internal.h"

#include <string.h>

struct name {
	const char *text; /* NULL: free, never used */
	void *object;     /* NULL: removed */
	uint64_t hash;
	enum bir_space space;
	int clash; /* last number tried behind this name */
};

struct edge {
	uint64_t key; /* succ << 32 | pred */
	struct bir_dep *dep;
	bool used;
};

struct bir_names {
	struct arena *arena;
	struct name *name;
	size_t nname, names; /* entries with graves, slots */
	struct edge *edge;
	size_t nedge, edges;
};

static uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xFF51AFD7ED558CCDu;
	x ^= x >> 33;
	x *= 0xC4CEB9FE1A85EC53u;
	return x ^ x >> 33;
}

static uint64_t hash_name(enum bir_space space, const char *text)
{
	uint64_t h = 0xCBF29CE484222325u + (uint64_t)space;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001B3u;
	return mix(h);
}

struct bir_names *bir_names_new(struct arena *a)
{
	struct bir_names *t = ARENA_NEW(a, struct bir_names);

	t->arena = a;
	t->names = t->edges = 256;
	t->name = arena_array(a, t->names, sizeof *t->name);
	t->edge = arena_array(a, t->edges, sizeof *t->edge);
	return t;
}

/* Slot of a name: its own or the free one where it belongs. */
static struct name *slot_of(const struct bir_names *t, enum bir_space space,
                            const char *text, uint64_t hash)
{
	size_t i = hash & (t->names - 1);
	struct name *n;

	for (;; i = (i + 1) & (t->names - 1)) {
		n = &t->name[i];
		if (!n->text || (n->hash == hash && n->space == space &&
		                 strcmp(n->text, text) == 0))
			return n;
	}
}

static void grow_names(struct bir_names *t)
{
	struct name *old = t->name, *n;
	size_t i, count = t->names;

	t->names *= 2;
	t->name = arena_array(t->arena, t->names, sizeof *t->name);
	for (i = 0; i < count; i++)
		if (old[i].text) {
			n = slot_of(t, old[i].space, old[i].text, old[i].hash);
			*n = old[i];
		}
}

const char *bir_names_add(struct bir_module *m, enum bir_space space,
                          const char *name, void *object)
{
	struct bir_names *t = m->names;
	uint64_t hash = hash_name(space, name);
	struct name *n = slot_of(t, space, name, hash), *base = NULL;
	const char *text = name;

	if (n->object) {
		base = n;
		if (base->clash == 0)
			base->clash = 1;
		do {
			text = arena_printf(t->arena, "%s#%d", name,
			                    ++base->clash);
			hash = hash_name(space, text);
			n = slot_of(t, space, text, hash);
		} while (n->object);
	}
	if (!n->text) {
		n->text = base ? text : arena_strdup(t->arena, text);
		n->hash = hash;
		n->space = space;
		t->nname++;
	}
	n->object = object;
	text = n->text;
	if (t->nname * 2 > t->names)
		grow_names(t);
	return text;
}

void *bir_names_find(const struct bir_module *m, enum bir_space space,
                     const char *name)
{
	return slot_of(m->names, space, name, hash_name(space, name))->object;
}

void bir_names_remove(struct bir_module *m, enum bir_space space,
                      const char *name)
{
	slot_of(m->names, space, name, hash_name(space, name))->object = NULL;
}

/* ------------------------------------------------------------ edges */

static uint64_t edge_key(int succ, int pred)
{
	return (uint64_t)(uint32_t)succ << 32 | (uint32_t)pred;
}

static struct edge *edge_slot(const struct bir_names *t, uint64_t key)
{
	size_t i = mix(key) & (t->edges - 1);

	while (t->edge[i].used && t->edge[i].key != key)
		i = (i + 1) & (t->edges - 1);
	return &t->edge[i];
}

struct bir_dep *bir_edges_find(const struct bir_module *m, int succ, int pred)
{
	return edge_slot(m->names, edge_key(succ, pred))->dep;
}

static void grow_edges(struct bir_names *t)
{
	struct edge *old = t->edge;
	size_t i, count = t->edges, live = 0;

	for (i = 0; i < count; i++)
		live += old[i].dep != NULL;
	if (live * 4 > t->edges)
		t->edges *= 2;
	t->edge = arena_array(t->arena, t->edges, sizeof *t->edge);
	t->nedge = live;
	for (i = 0; i < count; i++)
		if (old[i].dep)
			*edge_slot(t, old[i].key) = old[i];
}

void bir_edges_add(struct bir_module *m, struct bir_dep *d)
{
	struct bir_names *t = m->names;
	struct edge *e;

	if ((t->nedge + 1) * 2 > t->edges)
		grow_edges(t);
	e = edge_slot(t, edge_key(d->succ->id, d->pred->id));
	if (!e->used)
		t->nedge++;
	e->used = true;
	e->key = edge_key(d->succ->id, d->pred->id);
	e->dep = d;
}

void bir_edges_remove(struct bir_module *m, const struct bir_dep *d)
{
	edge_slot(m->names, edge_key(d->succ->id, d->pred->id))->dep = NULL;
}
