/* SPDX-License-Identifier: Apache-2.0
 *
 * The assembler on files: tests/asm/ *.s must assemble and survive
 * asm(dis(x)) bundle by bundle; tests/asm/bad/ *.s must be refused as a
 * comment says ("; expect ID line:column"); the examples of
 * docs/reference/assembly.md must assemble.
 */
#include "compiler/asm/asm.h"
#include "tests/unit/tree.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_SIZE (1 << 20) /* bytes of a file */

static void survives(const struct image *img, const char *path)
{
	enum isa_form form = img->loaded ? ISA_LOADED : ISA_FILE;
	struct image_error err;
	uint8_t back[TPB_BUNDLE];
	char text[1024];

	for (int e = 0; e < TPB_ENGINES; e++)
		for (uint32_t i = 0; i < img->stream[e].len; i++) {
			const uint8_t *b = img->stream[e].bundle[i];

			isa_dis(b, form, NULL, text, sizeof(text));
			if (asm_line(text, back, &err) ||
			    memcmp(b, back, TPB_BUNDLE))
				fail_msg("%s: %s", path, text);
		}
}

static int each(const char *pattern, void (*one)(const char *path))
{
	char buf[4096];
	glob_t g;
	int n;

	tree_path(pattern, buf, sizeof(buf));
	assert_int_equal(glob(buf, 0, NULL, &g), 0);
	n = (int)g.gl_pathc;
	for (int i = 0; i < n; i++)
		one(g.gl_pathv[i]);
	globfree(&g);
	return n;
}

static void one_good(const char *path)
{
	struct image_error err;
	size_t size;
	char *text = tree_contents(path, MAX_SIZE, &size);
	struct image *img = asm_source(text, size, path, &err);

	if (!img)
		fail_msg("%s: %s", err.place, err.text);
	survives(img, path);
	image_free(img);
	free(text);
}

static void one_bad(const char *path)
{
	struct image_error err;
	char id[16], place[32], got[32];
	const char *expect;
	size_t size;
	char *text = tree_contents(path, MAX_SIZE, &size);

	expect = strstr(text, "; expect ");
	assert_non_null(expect);
	assert_int_equal(sscanf(expect, "; expect %15s %31s", id, place), 2);
	assert_null(asm_source(text, size, "x.s", &err));
	snprintf(got, sizeof(got), "%.31s", err.place + 4);
	if (strcmp(err.id, id) || strcmp(got, place))
		fail_msg("%s: %s %s: %s", path, err.id, got, err.text);
	free(text);
}

static void good_files(void **state)
{
	(void)state;
	assert_true(each("tests/asm/*.s", one_good) >= 4);
}

static void bad_files(void **state)
{
	(void)state;
	assert_true(each("tests/asm/bad/*.s", one_bad) >= 10);
}

static void doc_examples(void **state)
{
	static const char mark[] = "```asm\n", head[] = ".event ready\n";
	struct image_error err;
	struct image *img;
	char path[4096], text[4096];
	char *doc, *at, *end;
	size_t size;
	int n = 0;

	(void)state;
	tree_path("docs/reference/assembly.md", path, sizeof(path));
	doc = tree_contents(path, MAX_SIZE, &size);
	for (at = strstr(doc, mark); at; at = strstr(end, mark)) {
		at += sizeof(mark) - 1;
		end = strstr(at, "```");
		assert_non_null(end);
		snprintf(text, sizeof(text), "%s%.*s", head, (int)(end - at),
		         at);
		img = asm_source(text, strlen(text), "assembly.md", &err);
		if (!img)
			fail_msg("%s: %s", err.place, err.text);
		image_free(img);
		n++;
	}
	assert_int_equal(n, 3);
	free(doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(good_files),
	    cmocka_unit_test(bad_files),
	    cmocka_unit_test(doc_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
