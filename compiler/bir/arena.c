/* SPDX-License-Identifier: Apache-2.0
 *
 * The arena: a list of chunks, each at least twice the default when a piece
 * is large.  Freed pieces do not exist, so there is nothing to keep of them.
 */
#include "compiler/bir/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 16)

struct chunk {
	struct chunk *next;
	size_t size, used;
	alignas(max_align_t) unsigned char data[];
};

struct arena {
	struct chunk *first;
	size_t used;
};

static void *must(void *p)
{
	if (!p) {
		fputs("tpb: error[BIR001]: out of memory; "
		      "compile a smaller kernel\n",
		      stderr);
		exit(2);
	}
	return p;
}

struct arena *arena_new(void)
{
	return must(calloc(1, sizeof(struct arena)));
}

void arena_free(struct arena *a)
{
	struct chunk *c, *next;

	if (!a)
		return;
	for (c = a->first; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

void *arena_alloc(struct arena *a, size_t n)
{
	const size_t align = alignof(max_align_t);
	struct chunk *c = a->first;
	size_t size;
	void *p;

	if (n > SIZE_MAX / 4)
		must(NULL);
	n = (n + align - 1) / align * align;
	if (!c || c->size - c->used < n) {
		size = n > CHUNK / 4 ? n : CHUNK;
		c = must(calloc(1, sizeof *c + size));
		c->size = size;
		if (size == n && a->first) {
			/* full at once: behind the one being filled */
			c->next = a->first->next;
			a->first->next = c;
		} else {
			c->next = a->first;
			a->first = c;
		}
	}
	p = c->data + c->used;
	c->used += n;
	a->used += n;
	return p;
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / 4 / size)
		must(NULL);
	return arena_alloc(a, n * size);
}

void *arena_copy(struct arena *a, const void *p, size_t n)
{
	void *copy = arena_alloc(a, n);

	if (n)
		memcpy(copy, p, n);
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_copy(a, s, strlen(s) + 1);
}

char *arena_vprintf(struct arena *a, const char *format, va_list ap)
{
	va_list again;
	char *text;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = arena_alloc(a, (size_t)(n < 0 ? 0 : n) + 1);
	if (n > 0)
		vsnprintf(text, (size_t)n + 1, format, ap);
	return text;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = arena_vprintf(a, format, ap);
	va_end(ap);
	return text;
}

size_t arena_used(const struct arena *a)
{
	return a->used;
}
