/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb compile K.klr -o K.tpb`, and the kernels of every other command.
 *
 * A kernel goes through front end, passes and code generation in memory; the
 * machine's programs are made from it as from assembly.
 */
#include "harness/cmd.h"
#include "harness/kernel.h"

#include "compiler/bir/bir_build.h"
#include "compiler/codegen/codegen.h"
#include "compiler/compile.h"
#include "compiler/klr/klr.h"

#include <stdlib.h>
#include <string.h>

struct bir_module *kernel_lower(const char *path, const char *data, int gen)
{
	struct klr_lower_opts opts = {.gen = gen, .data_dir = data};
	struct klr_error err = {0};
	struct bir_module *m = NULL;
	struct klr_kernel *k;
	size_t size = 0;
	char *text = cmd_read_file(path, &size);

	if (!text)
		return NULL;
	k = klr_parse(text, size, path, &err);
	free(text);
	if (k)
		m = klr_lower(k, &opts, &err);
	klr_free(k);
	if (!m)
		cmd_error(err.id, err.place, "%s", err.text);
	return m;
}

struct image *kernel_image(const char *path, const char *data,
                           const struct compile_opts *opts)
{
	struct bir_module *m = kernel_lower(path, data, opts->gen);
	struct compile_error err = {0};
	struct image *img;
	bool ok;

	if (!m)
		return NULL;
	img = image_new(m->name);
	ok = tpb_compile(m, opts, img, &err);
	bir_module_free(m);
	if (ok)
		return img;
	image_free(img);
	cmd_error(err.id, err.place, "%s", err.text);
	return NULL;
}

struct args {
	const char *in, *out, *data;
	struct compile_opts opt;
	uint64_t gen;
};

enum key {
	KEY_GEN = 256,
	KEY_DATA,
	KEY_BEFORE,
	KEY_AFTER,
	KEY_STATS,
	KEY_NO_VERIFY,
	KEY_PASSES
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "write the image to FILE", 0},
    {"data", KEY_DATA, "DIR", 0,
     "where the kernel's data files are (default: beside it)", 0},
    {"gen", KEY_GEN, "N", 0, "for this profile: 2, 3 (default) or 4", 0},
    {"dump-before", KEY_BEFORE, "PASS,...", 0,
     "print the IR before these passes, or before all", 0},
    {"dump-after", KEY_AFTER, "PASS,...", 0, "print it after these", 0},
    {"stats", KEY_STATS, NULL, 0, "print what each pass did", 0},
    {"no-verify", KEY_NO_VERIFY, NULL, 0,
     "do not check the IR between the passes", 0},
    {"list-passes", KEY_PASSES, NULL, 0, "print the passes in order", 0},
    {0}};

/* Prints them at once: there is nothing else to do. */
static void list_passes(void)
{
	for (int i = 0; compile_pass_name(i); i++)
		puts(compile_pass_name(i));
	exit(CMD_OK);
}

/* Every name of a list must be a pass, or "all". */
static int take_passes(const char *option, const char *list, const char **out)
{
	for (const char *p = list;; p++) {
		size_t n = strcspn(p, ",");
		bool known = n == 3 && !strncmp(p, "all", 3);

		for (int i = 0; !known && compile_pass_name(i); i++)
			known = strlen(compile_pass_name(i)) == n &&
			        !strncmp(compile_pass_name(i), p, n);
		if (!known) {
			cmd_error("USE010", option,
			          "no pass '%.*s'; see tpb compile "
			          "--list-passes",
			          (int)n, p);
			return ECANCELED;
		}
		p += n;
		if (!*p)
			break;
	}
	*out = list;
	return 0;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case 'o': a->out = arg; return 0;
	case KEY_DATA: a->data = arg; return 0;
	case KEY_GEN:
		if (cmd_u64(arg, &a->gen) && a->gen >= 2 && a->gen <= 4)
			return 0;
		cmd_error("USE010", "--gen",
		          "'%s' is no profile; write 2, 3 or 4", arg);
		return ECANCELED;
	case KEY_BEFORE:
		return take_passes("--dump-before", arg, &a->opt.dump_before);
	case KEY_AFTER:
		return take_passes("--dump-after", arg, &a->opt.dump_after);
	case KEY_STATS: a->opt.stats = true; return 0;
	case KEY_NO_VERIFY: a->opt.no_verify = true; return 0;
	case KEY_PASSES: list_passes(); return 0;
	case ARGP_KEY_ARG:
		if (a->in) {
			cmd_error("USE003", arg,
			          "one kernel at a time; remove this");
			return ECANCELED;
		}
		a->in = arg;
		return 0;
	case ARGP_KEY_END:
		if (a->in && a->out)
			return 0;
		cmd_error("USE004", "compile",
		          "kernel or output is missing; write tpb compile "
		          "K.klr -o K.tpb");
		return ECANCELED;
	default: return ARGP_ERR_UNKNOWN;
	}
}

int cmd_compile(int argc, char **argv)
{
	static const struct argp argp = {
	    options,
	    take,
	    "K.klr -o K.tpb",
	    "Compile a kernel (docs/reference/klr.md) to a program image.",
	    NULL,
	    NULL,
	    NULL};
	struct args a = {.gen = 3, .opt = {.log = stdout}};
	struct image_error err = {0};
	struct image *img;
	bool ok;

	if (cmd_parse(&argp, argc, argv, &a))
		return CMD_BAD;
	a.opt.gen = (int)a.gen;
	img = kernel_image(a.in, a.data, &a.opt);
	if (!img)
		return CMD_BAD;
	ok = image_write(img, a.out, &err);
	image_free(img);
	return ok ? CMD_OK : cmd_image_error(&err);
}
