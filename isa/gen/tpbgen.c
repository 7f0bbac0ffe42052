/* SPDX-License-Identifier: Apache-2.0
 *
 * tpbgen: everything that is made from the .def tables.
 *
 *   tpbgen PAGE           prints one page: pkg opcodes enums constants state
 *   tpbgen filter GROUP   prints one wave filter
 *   tpbgen all ROOT       writes every generated file below ROOT
 *   tpbgen check ROOT     exits 1 and names the files that differ
 */
#include "isa/gen/gen.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct page {
	const char *what, *path;
	void (*print)(FILE *out);
} pages[] = {
    {"pkg", "rtl/tpb_pkg.sv", gen_pkg},
    {"opcodes", "docs/reference/opcodes.md", gen_opcodes},
    {"enums", "docs/reference/enums.md", gen_enums},
    {"constants", "docs/reference/constants.md", gen_constants},
    {"state", "docs/reference/state.md", gen_state},
};

#define PAGES (sizeof(pages) / sizeof(pages[0]))

static void usage(void)
{
	fputs("tpb: error[GEN001]: tpbgen: unknown arguments; use tpbgen all|"
	      "check ROOT, filter GROUP or one of:",
	      stderr);
	for (size_t i = 0; i < PAGES; i++)
		fprintf(stderr, " %s", pages[i].what);
	fputc('\n', stderr);
	exit(2);
}

static void fail(const char *path, const char *what)
{
	fprintf(stderr,
	        "tpb: error[GEN002]: %s: %s; check the path and the rights\n",
	        path, what);
	exit(2);
}

/* A page or a filter as text; the caller frees it. */
static char *text_of(const struct page *page, const char *filter, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		fail("tpbgen", "no memory");
	if (page)
		page->print(out);
	else
		gen_filter(out, filter);
	if (fclose(out))
		fail("tpbgen", "no memory");
	return text;
}

static bool equal(const char *path, const char *text, size_t size)
{
	FILE *in = fopen(path, "rb");
	bool ok = in != NULL;

	for (size_t i = 0; ok && i < size; i++)
		ok = fgetc(in) == (unsigned char)text[i];
	ok = ok && fgetc(in) == EOF;
	if (in)
		fclose(in);
	return ok;
}

static void write_file(const char *path, const char *text, size_t size)
{
	FILE *out = fopen(path, "wb");

	if (!out || fwrite(text, 1, size, out) != size || fclose(out))
		fail(path, "cannot be written");
}

/* 1 when the file differs and only a check is wanted.  Files that are
 * already right keep their time stamp. */
static int update_one(const char *root, const char *file, bool check,
                      const char *text, size_t size)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", root, file);
	if (equal(path, text, size))
		return 0;
	if (!check) {
		write_file(path, text, size);
		return 0;
	}
	printf("%s differs; run tpbgen all\n", file);
	return 1;
}

static int update(const char *root, bool check)
{
	const char *name;
	int differ = 0;

	for (size_t i = 0; i < PAGES; i++) {
		size_t size;
		char *text = text_of(&pages[i], NULL, &size);
		differ |= update_one(root, pages[i].path, check, text, size);
		free(text);
	}
	for (int i = 0; (name = gen_filter_name(i)) != NULL; i++) {
		char file[256];
		size_t size;
		char *text = text_of(NULL, name, &size);
		snprintf(file, sizeof(file), "waves/filters/%s.txt", name);
		differ |= update_one(root, file, check, text, size);
		free(text);
	}
	return differ;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "all"))
		return update(argv[2], false);
	if (argc == 3 && !strcmp(argv[1], "check"))
		return update(argv[2], true);
	if (argc == 3 && !strcmp(argv[1], "filter") &&
	    gen_filter(stdout, argv[2]))
		return ferror(stdout) != 0;
	if (argc == 2) {
		for (size_t i = 0; i < PAGES; i++) {
			if (strcmp(argv[1], pages[i].what))
				continue;
			pages[i].print(stdout);
			return ferror(stdout) != 0;
		}
	}
	usage();
}
