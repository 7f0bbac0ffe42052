/* SPDX-License-Identifier: Apache-2.0
 *
 * An arena: memory that is given out piece by piece and freed at once.
 * Everything of a module lives in its arena, so no pass frees anything.
 * Pieces are zeroed and aligned for any type.  Out of memory ends the
 * program with a message: no caller could go on without its IR.
 */
#ifndef BIR_ARENA_H
#define BIR_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a);
/* n bytes, zeroed. */
void *arena_alloc(struct arena *a, size_t n);
/* n elements of `size` bytes, zeroed; the product is checked. */
void *arena_array(struct arena *a, size_t n, size_t size);
void *arena_copy(struct arena *a, const void *p, size_t n);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *format, va_list ap)
    __attribute__((format(printf, 2, 0)));
/* Bytes given out so far. */
size_t arena_used(const struct arena *a);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))

#endif
