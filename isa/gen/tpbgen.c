/* SPDX-License-Identifier: Apache-2.0
 *
 * tpbgen: everything that is made from the .def tables.
 *
 *   tpbgen pkg            prints one page
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
};

#define PAGES (sizeof(pages) / sizeof(pages[0]))

static void usage(void)
{
	fputs("tpb: error[GEN001]: tpbgen: unknown arguments; use tpbgen all|"
	      "check ROOT or one of:",
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

/* The page as text; the caller frees it. */
static char *text_of(const struct page *page, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		fail(page->path, "no memory");
	page->print(out);
	if (fclose(out))
		fail(page->path, "no memory");
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

/* Files that are already right keep their time stamp. */
static int update(const char *root, bool check)
{
	int differ = 0;

	for (size_t i = 0; i < PAGES; i++) {
		char path[4096];
		size_t size;
		char *text = text_of(&pages[i], &size);
		snprintf(path, sizeof(path), "%s/%s", root, pages[i].path);
		if (!equal(path, text, size)) {
			differ = 1;
			if (check)
				printf("%s differs; run tpbgen all\n",
				       pages[i].path);
			else
				write_file(path, text, size);
		}
		free(text);
	}
	return check ? differ : 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "all"))
		return update(argv[2], false);
	if (argc == 3 && !strcmp(argv[1], "check"))
		return update(argv[2], true);
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
