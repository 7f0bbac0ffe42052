/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of an image: what image_write() asks for before it writes and
 * image_parse() after it has read.
 *
 * Places are those of the file: a record's index times its size, so that the
 * same message serves an image that was never in a file.
 */
#include "image/internal.h"

#include <stdlib.h>

/* A name can be printed and stands for itself in a message: no control
 * bytes, and no blanks unless it is a file's. */
static bool good_name(const char *s, size_t max, bool path)
{
	size_t n = strnlen(s, max + 1);

	if (n == 0 || n > max)
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c < 0x20 || c == 0x7F || (!path && (c == ' ' || c > 0x7F)))
			return false;
	}
	return true;
}

bool image_good_name(const char *s, size_t max)
{
	return good_name(s, max, false);
}

static bool check_head(const struct image *img, const struct where *w)
{
	if (!good_name(img->name, IMAGE_PATH_MAX, true))
		return IMAGE_FAIL(w, IMG_STRING, SEC_META, META_NAME,
		                  "the image's name is empty, too long or has "
		                  "control bytes; give it a printable name");
	if (img->gen < 2 || img->gen > 4)
		return IMAGE_FAIL(w, IMG_META, SEC_META, META_GEN,
		                  "no profile gen%d; use 2, 3 or 4", img->gen);
	return true;
}

static bool check_symbols(const struct image *img, const struct where *w)
{
	for (int i = 0; i < img->nsymbols; i++) {
		const struct image_symbol *s = &img->symbol[i];
		/* Entry 0 of a symbol table is the null symbol; 24 bytes
		 * each. */
		uint64_t off = ((uint64_t)i + 1) * 24;

		if (!good_name(s->name, IMAGE_NAME_MAX, false))
			return IMAGE_FAIL(
			    w, IMG_STRING, SEC_SYMTAB, off,
			    "symbol name is empty, longer than %u or "
			    "not printable; rename it",
			    IMAGE_NAME_MAX);
		if (s->engine >= TPB_ENGINES)
			return IMAGE_FAIL(
			    w, IMG_SYMBOL, SEC_SYMTAB, off,
			    "symbol '%.40s' is on no engine; put it "
			    "into a text section",
			    s->name);
		if (s->pc > img->stream[s->engine].len ||
		    s->len > img->stream[s->engine].len - s->pc)
			return IMAGE_FAIL(
			    w, IMG_SYMBOL, SEC_SYMTAB, off,
			    "symbol '%.40s' ends behind its stream of "
			    "%u bundles; correct its value and size",
			    s->name, img->stream[s->engine].len);
		if (!s->function && (s->keep_sems || s->len))
			return IMAGE_FAIL(
			    w, IMG_SYMBOL, SEC_SYMTAB, off,
			    "label '%.40s' has a size or a keep flag; "
			    "only functions have",
			    s->name);
	}
	return true;
}

static bool check_tensor(const struct image *img, int i, const struct where *w)
{
	const struct image_tensor *t = &img->tensor[i];
	uint64_t off = (uint64_t)i * TENSOR_SIZE;

	if (!good_name(t->name, IMAGE_NAME_MAX, false))
		return IMAGE_FAIL(w, IMG_STRING, SEC_TENSORS, off + TENSOR_NAME,
		                  "tensor name is empty, longer than %u or not "
		                  "printable; rename it",
		                  IMAGE_NAME_MAX);
	if (t->size == 0 || t->size > IMAGE_TENSOR_MAX)
		return IMAGE_FAIL(
		    w, IMG_RANGE, SEC_TENSORS, off + TENSOR_BYTES,
		    "tensor '%.40s' has 0x%llX bytes; 1 to 2^32 are "
		    "allowed",
		    t->name, (unsigned long long)t->size);
	if (t->addr % 8 != 0)
		return IMAGE_FAIL(
		    w, IMG_RANGE, SEC_TENSORS, off + TENSOR_ADDR,
		    "tensor '%.40s' is at 0x%llX; use a multiple of 8", t->name,
		    (unsigned long long)t->addr);
	if (t->addr >= IMAGE_DRAM_END || t->size > IMAGE_DRAM_END - t->addr)
		return IMAGE_FAIL(
		    w, IMG_RANGE, SEC_TENSORS, off + TENSOR_ADDR,
		    "tensor '%.40s' at 0x%llX leaves the 36-bit DRAM; "
		    "place it lower",
		    t->name, (unsigned long long)t->addr);
	return true;
}

static int by_name(const void *a, const void *b)
{
	const struct image_tensor *const *x = a;
	const struct image_tensor *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int by_id(const void *a, const void *b)
{
	const struct image_tensor *const *x = a;
	const struct image_tensor *const *y = b;

	return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

static int by_addr(const void *a, const void *b)
{
	const struct image_tensor *const *x = a;
	const struct image_tensor *const *y = b;

	return ((*x)->addr > (*y)->addr) - ((*x)->addr < (*y)->addr);
}

/* Neighbours in three orders: same name, same id, overlap. */
static bool check_pairs(const struct image *img,
                        const struct image_tensor **order,
                        const struct where *w)
{
	size_t n = (size_t)img->ntensors;

	qsort(order, n, sizeof(*order), by_name);
	for (size_t i = 1; i < n; i++)
		if (!strcmp(order[i - 1]->name, order[i]->name))
			return IMAGE_FAIL(
			    w, IMG_SAME, SEC_TENSORS, -1,
			    "two tensors are named '%.40s'; rename one",
			    order[i]->name);
	qsort(order, n, sizeof(*order), by_id);
	for (size_t i = 1; i < n; i++)
		if (order[i - 1]->id == order[i]->id)
			return IMAGE_FAIL(
			    w, IMG_SAME, SEC_TENSORS, -1,
			    "tensors '%.40s' and '%.40s' both have id "
			    "%u; change one",
			    order[i - 1]->name, order[i]->name, order[i]->id);
	qsort(order, n, sizeof(*order), by_addr);
	for (size_t i = 1; i < n; i++)
		if (order[i]->addr - order[i - 1]->addr < order[i - 1]->size)
			return IMAGE_FAIL(
			    w, IMG_OVERLAP, SEC_TENSORS, -1,
			    "tensors '%.40s' and '%.40s' overlap at "
			    "0x%llX; move one",
			    order[i - 1]->name, order[i]->name,
			    (unsigned long long)order[i]->addr);
	return true;
}

static bool check_tensors(const struct image *img, const struct where *w)
{
	const struct image_tensor **order;
	bool ok;

	for (int i = 0; i < img->ntensors; i++)
		if (!check_tensor(img, i, w))
			return false;
	if (img->ntensors < 2)
		return true;
	order = image_alloc(NULL, (size_t)img->ntensors, sizeof(*order));
	for (int i = 0; i < img->ntensors; i++)
		order[i] = &img->tensor[i];
	ok = check_pairs(img, order, w);
	free(order);
	return ok;
}

static int by_group(const void *a, const void *b)
{
	const struct image_rank *const *x = a;
	const struct image_rank *const *y = b;

	if ((*x)->core != (*y)->core)
		return (*x)->core > (*y)->core ? 1 : -1;
	return ((*x)->group > (*y)->group) - ((*x)->group < (*y)->group);
}

static bool check_ranks(const struct image *img, const struct where *w)
{
	const struct image_rank **order;
	bool ok = true;

	for (int i = 0; i < img->nranks; i++) {
		const struct image_rank *r = &img->rank_table[i];
		uint64_t n = (uint64_t)r->iterations * r->channels;

		if (n == 0 || n > IMAGE_FILE_MAX / 4)
			return IMAGE_FAIL(
			    w, IMG_RANKS, SEC_RANKS, -1,
			    "rank record %d has %u iterations of %u "
			    "channels; give at least one of each",
			    i, r->iterations, r->channels);
	}
	if (img->nranks < 2)
		return true;
	order = image_alloc(NULL, (size_t)img->nranks, sizeof(*order));
	for (int i = 0; i < img->nranks; i++)
		order[i] = &img->rank_table[i];
	qsort(order, (size_t)img->nranks, sizeof(*order), by_group);
	for (int i = 1; i < img->nranks && ok; i++)
		if (by_group(&order[i - 1], &order[i]) == 0)
			ok = IMAGE_FAIL(
			    w, IMG_RANKS, SEC_RANKS, -1,
			    "core %u has two rank records of group %u; "
			    "remove one",
			    order[i]->core, order[i]->group);
	free(order);
	return ok;
}

static bool check_lines(const struct image *img, const struct where *w)
{
	uint64_t off = 0;

	if (img->nfiles > 0x10000)
		return IMAGE_FAIL(w, IMG_FILES, SEC_FILES, -1,
		                  "%d source files; at most 65536 can be named",
		                  img->nfiles);
	for (int i = 0; i < img->nfiles; i++)
		if (!good_name(img->file[i], IMAGE_PATH_MAX, true))
			return IMAGE_FAIL(
			    w, IMG_STRING, SEC_FILES, (uint64_t)i * FILE_SIZE,
			    "file name is empty, longer than %u or has "
			    "control bytes; rename the file",
			    IMAGE_PATH_MAX);
	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct image_stream *s = &img->stream[e];

		for (uint32_t i = 0; s->line && i < s->len; i++) {
			const struct image_line *l = &s->line[i];

			if (l->line ? l->file >= img->nfiles : l->file != 0)
				return IMAGE_FAIL(
				    w, IMG_LINES, SEC_LINES,
				    off + (uint64_t)i * LINE_SIZE,
				    "line %u of file %u of %d; name a "
				    "file of the table, or 0 of 0",
				    l->line, l->file, img->nfiles);
		}
		off += (uint64_t)s->len * LINE_SIZE;
	}
	return true;
}

bool image_check(const struct image *img, const char *file,
                 struct image_error *err)
{
	struct where w = {.file = file, .err = err};

	return check_head(img, &w) && check_symbols(img, &w) &&
	       check_tensors(img, &w) && check_ranks(img, &w) &&
	       check_lines(img, &w) && image_check_queues(img, file, err);
}
