/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of the tree, for tests that read them: found from the tree's root,
 * where the suite runs, and from anywhere else.
 */
#ifndef TESTS_UNIT_TREE_H
#define TESTS_UNIT_TREE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A path of the tree: where this file was compiled, unless it runs in it. */
static inline void tree_path(const char *path, char *buf, size_t size)
{
	const char *end = strstr(__FILE__, "tests/unit/");
	FILE *f = fopen("docs/reference/errors.md", "rb");

	assert_non_null(end);
	if (f)
		fclose(f);
	snprintf(buf, size, "%.*s%s", f ? 0 : (int)(end - __FILE__), __FILE__,
	         path);
}

/* The first `room` - 1 bytes of a file behind which a zero stands; the buffer
 * has `room` bytes and is the caller's to free. */
static inline char *tree_contents(const char *path, size_t room, size_t *size)
{
	FILE *f = fopen(path, "rb");
	char *buf = calloc(1, room);

	if (!f)
		fail_msg("%s cannot be opened", path);
	assert_non_null(buf);
	*size = fread(buf, 1, room - 1, f);
	fclose(f);
	return buf;
}

#endif
