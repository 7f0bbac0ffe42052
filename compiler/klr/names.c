/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the KLR front end: a hash table, the nearest name to a wrong one,
 * and the error record.
 */
#include "compiler/klr/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct entry {
	const char *name;
	uint32_t hash;
	void *thing;
	struct entry *next;
};

struct klr_names { /* buckets: a power of two */
	struct arena *arena;
	uint32_t buckets, used;
	struct entry **bucket;
};

static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h ^ h >> 16;
}

struct klr_names *klr_names_new(struct arena *a)
{
	struct klr_names *n = ARENA_NEW(a, struct klr_names);

	n->arena = a;
	n->buckets = 256;
	n->bucket = arena_array(a, n->buckets, sizeof(struct entry *));
	return n;
}

void *klr_names_get(const struct klr_names *n, const char *name)
{
	uint32_t h = hash(name);
	struct entry *e;

	for (e = n->bucket[h & (n->buckets - 1)]; e; e = e->next)
		if (e->hash == h && !strcmp(e->name, name))
			return e->thing;
	return NULL;
}

static void link_entry(struct klr_names *n, struct entry *e)
{
	struct entry **at = &n->bucket[e->hash & (n->buckets - 1)];

	e->next = *at;
	*at = e;
}

/* The old buckets stay in the arena: all of them together are smaller than
 * the new ones. */
static void grow(struct klr_names *n)
{
	struct entry **old = n->bucket;
	uint32_t count = n->buckets;

	n->buckets *= 4;
	n->bucket = arena_array(n->arena, n->buckets, sizeof(struct entry *));
	for (uint32_t i = 0; i < count; i++)
		for (struct entry *e = old[i], *next; e; e = next) {
			next = e->next;
			link_entry(n, e);
		}
}

void *klr_names_put(struct klr_names *n, const char *name, void *thing)
{
	void *before = klr_names_get(n, name);
	struct entry *e;

	if (before)
		return before;
	if (n->used >= n->buckets && n->buckets < 1u << 28)
		grow(n);
	n->used++;
	e = ARENA_NEW(n->arena, struct entry);
	e->name = name;
	e->hash = hash(name);
	e->thing = thing;
	link_entry(n, e);
	return NULL;
}

/* ------------------------------------------------------------ nearest */

/* Words of other languages for things of this one. */
static const char *const other_words[][2] = {
    {"dram", "hbm"},
    {"dma", "ncDmaCopy"},
    {"tensor_copy", "ncCopy"},
    {"dma_copy", "ncDmaCopy"},
    {"cast", "ncCopy"},
    {"tensor_copy_predicated", "copyPredicated"},
    {"jump", "cmpBranch"},
    {"branch", "cmpBranch"},
    {"gpsimd", "pool"},
    {"vector", "dve"},
    {"scalar", "act"},
    {"multiply", "mult"},
    {"nc_find_index8", "findIndex8"},
    {"nc_match_replace8", "matchReplace8"},
    {"float", "float32"},
    {"fp32", "float32"},
    {"bf16", "bfloat16"},
    {"fp16", "float16"},
};

/* Case and underscores do not count. */
static void plain(const char *s, char out[48])
{
	int n = 0;

	for (; *s && n < 47; s++)
		if (*s != '_')
			out[n++] = (char)tolower((unsigned char)*s);
	out[n] = '\0';
}

static int distance(const char *a, const char *b)
{
	int row[48], la = (int)strlen(a), lb = (int)strlen(b);

	for (int j = 0; j <= lb; j++)
		row[j] = j;
	for (int i = 1; i <= la; i++) {
		int diag = row[0];

		row[0] = i;
		for (int j = 1; j <= lb; j++) {
			int best = diag + (a[i - 1] != b[j - 1]);

			diag = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[lb];
}

void klr_near_start(struct klr_near *n, const char *want)
{
	plain(want, n->want);
	n->best[0] = '\0';
	n->score = 1 + (int)strlen(n->want) / 3;
	for (size_t i = 0; i < sizeof(other_words) / sizeof(other_words[0]);
	     i++)
		if (!strcmp(other_words[i][0], want))
			plain(other_words[i][1], n->want);
}

void klr_near_try(struct klr_near *n, const char *candidate)
{
	char c[48] = "";
	int d;

	plain(candidate, c);
	d = distance(n->want, c);
	if (d < n->score) {
		n->score = d;
		snprintf(n->best, sizeof(n->best), "%.47s", candidate);
	}
}

const char *klr_near_hint(struct klr_near *n, const char *otherwise)
{
	if (!n->best[0])
		snprintf(n->text, sizeof(n->text), "; %s", otherwise);
	else
		snprintf(n->text, sizeof(n->text), "; did you mean '%s'?",
		         n->best);
	return n->text;
}

/* ------------------------------------------------------------ errors */

void klr_error_at(struct klr_report *r, struct klr_pos pos, enum klr_id id,
                  const char *fmt, ...)
{
	struct klr_error *e = r->err;
	va_list ap;

	if (r->failed)
		return;
	r->failed = true;
	if (r->tok)
		memset(r->tok, 0, sizeof(*r->tok));
	if (!e)
		return;
	memset(e, 0, sizeof(*e));
	snprintf(e->id, sizeof(e->id), "KLR%03d", (int)id);
	snprintf(e->place, sizeof(e->place), "%.120s:%u:%u", r->path, pos.line,
	         pos.col);
	e->line = pos.line;
	e->col = pos.col;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	for (char *s = e->text; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 127)
			*s = '?';
}
