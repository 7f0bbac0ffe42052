/* SPDX-License-Identifier: Apache-2.0
 *
 * From a pc to names and source lines, from a name to a function.
 *
 * The symbols are kept as they came; the look-ups go through sorted lists of
 * their numbers, made at the first question and again whenever symbols were
 * added.  They are a cache: a const image may have it filled.
 */
#include "image/internal.h"

#include <stdlib.h>

struct image_index {
	int nsymbols; /* of the image when the lists were made */
	int *place;   /* all symbols by engine, pc, number */
	int *func;    /* functions by engine, pc, number */
	int *name;    /* functions by engine, name, number */
	int nfunc;
};

static int cmp_u(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int cmp_place(const struct image_symbol *a, const struct image_symbol *b)
{
	int c = cmp_u(a->engine, b->engine);

	if (c == 0)
		c = cmp_u(a->pc, b->pc);
	return c;
}

static int cmp_name(const struct image_symbol *a, const struct image_symbol *b)
{
	int c = cmp_u(a->engine, b->engine);

	return c ? c : strcmp(a->name, b->name);
}

/* Equal symbols keep the order in which they were added. */
static int by_place(const void *a, const void *b, void *table)
{
	const struct image_symbol *s = table;
	int i = *(const int *)a, j = *(const int *)b;
	int c = cmp_place(&s[i], &s[j]);

	return c ? c : (i > j) - (i < j);
}

static int by_name(const void *a, const void *b, void *table)
{
	const struct image_symbol *s = table;
	int i = *(const int *)a, j = *(const int *)b;
	int c = cmp_name(&s[i], &s[j]);

	return c ? c : (i > j) - (i < j);
}

void image_index_free(struct image *img)
{
	if (!img->index)
		return;
	free(img->index->place);
	free(img->index->func);
	free(img->index->name);
	free(img->index);
	img->index = NULL;
}

static const struct image_index *index_of(const struct image *img)
{
	struct image *cache = (struct image *)(uintptr_t)img;
	size_t n = (size_t)img->nsymbols;
	struct image_index *x;

	if (img->index && img->index->nsymbols == img->nsymbols)
		return img->index;
	image_index_free(cache);
	x = image_alloc(NULL, 1, sizeof(*x));
	x->nsymbols = img->nsymbols;
	x->place = image_alloc(NULL, n, sizeof(int));
	x->func = image_alloc(NULL, n, sizeof(int));
	x->name = image_alloc(NULL, n, sizeof(int));
	x->nfunc = 0;
	for (int i = 0; i < img->nsymbols; i++) {
		x->place[i] = i;
		if (img->symbol[i].function) {
			x->name[x->nfunc] = i;
			x->func[x->nfunc++] = i;
		}
	}
	qsort_r(x->place, n, sizeof(int), by_place, img->symbol);
	qsort_r(x->func, (size_t)x->nfunc, sizeof(int), by_place, img->symbol);
	qsort_r(x->name, (size_t)x->nfunc, sizeof(int), by_name, img->symbol);
	cache->index = x;
	return x;
}

typedef int symbol_cmp(const struct image_symbol *,
                       const struct image_symbol *);

/* How many of the n listed symbols come before the key; with `equal` those
 * that equal it count too. */
static int rank_of(const struct image *img, const int *list, int n,
                   const struct image_symbol *key, symbol_cmp *cmp, bool equal)
{
	int lo = 0, hi = n;

	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;
		int c = cmp(&img->symbol[list[mid]], key);

		if (c < 0 || (c == 0 && equal))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* First added of the symbols nearest at or before the pc, or NULL. */
static const struct image_symbol *nearest(const struct image *img,
                                          const int *list, int n, int engine,
                                          uint32_t pc)
{
	struct image_symbol key = {.engine = (uint8_t)engine, .pc = pc};
	int i = rank_of(img, list, n, &key, cmp_place, true);

	if (i == 0 || img->symbol[list[i - 1]].engine != engine)
		return NULL;
	key.pc = img->symbol[list[i - 1]].pc;
	i = rank_of(img, list, n, &key, cmp_place, false);
	return &img->symbol[list[i]];
}

const struct image_symbol *image_function_at(const struct image *img,
                                             int engine, uint32_t pc)
{
	const struct image_index *x = index_of(img);
	const struct image_symbol *s =
	    nearest(img, x->func, x->nfunc, engine, pc);

	if (s && s->len && pc - s->pc >= s->len)
		return NULL;
	return s;
}

int image_function_named(const struct image *img, int engine, const char *name,
                         const struct image_symbol **first)
{
	const struct image_index *x = index_of(img);
	struct image_symbol key = {.engine = (uint8_t)engine};
	char text[IMAGE_NAME_MAX + 1];
	int lo, hi;

	strncpy(text, name, sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	key.name = text;
	lo = rank_of(img, x->name, x->nfunc, &key, cmp_name, false);
	hi = rank_of(img, x->name, x->nfunc, &key, cmp_name, true);
	*first = lo < hi ? &img->symbol[x->name[lo]] : NULL;
	return hi - lo;
}

const char *image_place(const struct image *img, int engine, uint32_t pc,
                        char *buf, size_t size)
{
	const struct image_index *x = index_of(img);
	const struct image_symbol *s =
	    nearest(img, x->place, img->nsymbols, engine, pc);

	if (!s)
		snprintf(buf, size, "%u", pc);
	else if (s->pc == pc)
		snprintf(buf, size, "%s", s->name);
	else
		snprintf(buf, size, "%s+%u", s->name, pc - s->pc);
	return buf;
}

const char *image_source(const struct image *img, int engine, uint32_t pc,
                         char *buf, size_t size)
{
	const struct image_stream *s = &img->stream[engine];
	const struct image_line *l;

	if (size)
		buf[0] = '\0';
	if (pc >= s->len || !s->line)
		return buf;
	l = &s->line[pc];
	if (l->line && l->file < img->nfiles)
		snprintf(buf, size, "%s:%u", img->file[l->file], l->line);
	return buf;
}
