/* SPDX-License-Identifier: Apache-2.0
 *
 * What the subcommands share: errors, argument parsing, loading a program.
 */
#include "harness/cmd.h"

#include "compiler/asm/asm.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A program file larger than this is refused before it is read. */
#define MAX_FILE (1ull << 30)

int cmd_error(const char *id, const char *place, const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fprintf(stderr, "tpb: error[%s]: %s: ", id, place);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return CMD_BAD;
}

int cmd_image_error(const struct image_error *err)
{
	return cmd_error(err->id, err->place, "%s", err->text);
}

int cmd_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	/* argp prints its own form of errors unless told not to. */
	int at = 0;
	error_t e = argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_IN_ORDER,
	                       &at, input);

	/* argp stops without an error at an argument that nobody takes. */
	if (e == 0 && at < argc)
		return cmd_error("USE001", argv[0],
		                 "'%s' is one argument too many; see 'tpb %s "
		                 "--help'",
		                 argv[at], argv[0]);
	if (e == 0)
		return CMD_OK;
	if (e == ECANCELED) /* the parser has said why */
		return CMD_BAD;
	if (e == ENOMEM)
		return cmd_error("USE002", argv[0], "out of memory; try less");
	return cmd_error("USE001", argv[0],
	                 "bad or incomplete arguments near '%s'; see 'tpb %s "
	                 "--help'",
	                 at > 1 && at <= argc ? argv[at - 1] : "the end",
	                 argv[0]);
}

bool cmd_u64(const char *text, uint64_t *v)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	*v = strtoull(text, &end, 0);
	return errno == 0 && *end == '\0';
}

char *cmd_read_file(const char *path, size_t *size)
{
	struct stat st;
	FILE *f = fopen(path, "rb");
	char *buf = NULL;

	if (!f || fstat(fileno(f), &st)) {
		cmd_error("FIL001", path, "%s; give a file that can be read",
		          strerror(errno));
	} else if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > MAX_FILE) {
		cmd_error("FIL002", path,
		          "not a regular file below 1 GiB; give another");
	} else if (!(buf = malloc((size_t)st.st_size + 1)) ||
	           fread(buf, 1, (size_t)st.st_size, f) != (size_t)st.st_size) {
		cmd_error("FIL003", path, "cannot be read whole; try again");
		free(buf);
		buf = NULL;
	} else {
		buf[st.st_size] = '\0';
		*size = (size_t)st.st_size;
	}
	if (f)
		fclose(f);
	return buf;
}

struct image *cmd_load(const char *path)
{
	struct image_error err = {0};
	struct image *img;
	size_t len = strlen(path), size = 0;

	if (len > 2 && !strcmp(path + len - 2, ".s")) {
		char *text = cmd_read_file(path, &size);
		if (!text)
			return NULL;
		img = asm_source(text, size, path, &err);
		free(text);
	} else {
		img = image_read(path, &err);
	}
	if (img && image_resolve(img, &err))
		return img;
	image_free(img);
	cmd_image_error(&err);
	return NULL;
}
