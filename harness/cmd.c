/* SPDX-License-Identifier: Apache-2.0
 *
 * What the subcommands share: errors, argument parsing, loading a program.
 */
#include "harness/cmd.h"

#include "compiler/asm/asm.h"
#include "compiler/compile.h"
#include "harness/kernel.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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

/* Under ARGP_NO_ERRS argp is silent about everything, its help included. */
static void help_if_asked(const struct argp *argp, int argc, char **argv)
{
	unsigned flags = 0;
	char name[64];

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-?"))
			flags =
			    ARGP_HELP_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC;
		else if (!strcmp(argv[i], "--usage"))
			flags = ARGP_HELP_USAGE;
	}
	if (!flags)
		return;
	snprintf(name, sizeof(name), "tpb %s", argv[0]);
	argp_help(argp, stdout, flags, name);
	exit(CMD_OK);
}

/* The first long option that the command does not have, or NULL. */
static const char *unknown_option(const struct argp *argp, int argc,
                                  char **argv)
{
	for (int i = 1; i < argc; i++) {
		size_t len = strcspn(argv[i], "=");
		bool known = strncmp(argv[i], "--", 2) != 0 || len == 2;

		for (const struct argp_option *o = argp->options;
		     !known && o && o->name; o++)
			known = !strncmp(o->name, argv[i] + 2, len - 2);
		if (!known)
			return argv[i];
	}
	return NULL;
}

int cmd_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	const char *unknown;
	int at = 0;
	error_t e;

	help_if_asked(argp, argc, argv);
	/* argp prints its own form of errors unless told not to. */
	e = argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_IN_ORDER, &at,
	               input);
	if (e == ECANCELED) /* the parser has said why */
		return CMD_BAD;
	if (e == ENOMEM)
		return cmd_error("USE002", argv[0], "out of memory; try less");
	/* It stops without an error at an argument that nobody takes. */
	if (e == 0 && at < argc)
		return cmd_error("USE001", argv[0],
		                 "'%s' is one argument too many; see 'tpb %s "
		                 "--help'",
		                 argv[at], argv[0]);
	if (e == 0)
		return CMD_OK;
	unknown = unknown_option(argp, argc, argv);
	return cmd_error("USE001", argv[0], "%s%s; see 'tpb %s --help'",
	                 unknown ? "no option "
	                         : "an option has no value or "
	                           "is not known",
	                 unknown ? unknown : "", argv[0]);
}

int cmd_cores(int most)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > most ? most : (int)n;
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

error_t cmd_number(const char *option, const char *arg, uint64_t *v)
{
	if (cmd_u64(arg, v))
		return 0;
	cmd_error("USE010", option, "'%s' is not a value; write a whole number",
	          arg);
	return ECANCELED;
}

error_t cmd_range(const char *option, const char *arg, uint64_t low,
                  uint64_t high, uint64_t *v)
{
	if (cmd_u64(arg, v) && *v >= low && *v <= high)
		return 0;
	cmd_error("USE040", option,
	          "'%s' is not a value; write a whole number from %" PRIu64
	          " to %" PRIu64,
	          arg, low, high);
	return ECANCELED;
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

static bool ends_in(const char *path, const char *suffix)
{
	size_t len = strlen(path), n = strlen(suffix);

	return len > n && !strcmp(path + len - n, suffix);
}

struct image *cmd_load_data(const char *path, const char *data)
{
	struct compile_opts opts = {.gen = 3};
	struct image_error err = {0};
	struct image *img;
	size_t size = 0;

	if (ends_in(path, ".klr")) {
		img = kernel_image(path, data, &opts);
		if (!img)
			return NULL;
	} else if (ends_in(path, ".s")) {
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

struct image *cmd_load(const char *path)
{
	return cmd_load_data(path, NULL);
}
