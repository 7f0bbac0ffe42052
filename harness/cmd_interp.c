/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb interp K.klr`: a kernel in the interpreter of the compiler's IR, before
 * the passes or after one of them, and its outputs beside expected files.
 *
 * Nothing of the machine is in it: what it says is another opinion than that
 * of model and RTL.
 */
#include "harness/cmd.h"
#include "harness/kernel.h"

#include "compiler/bir/bir_build.h"
#include "compiler/bir/bir_interp.h"
#include "compiler/compile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_STEPS 1000000000

struct args {
	const char *in, *data, *expect, *after, *save;
	uint64_t steps;
};

enum key { KEY_DATA = 256, KEY_EXPECT, KEY_AFTER, KEY_STEPS, KEY_SAVE };

static const struct argp_option options[] = {
    {"data", KEY_DATA, "DIR", 0,
     "where the kernel's data files are (default: that of --expect, or beside "
     "it)",
     0},
    {"expect", KEY_EXPECT, "DIR", 0,
     "compare each output tensor with DIR/NAME.bin", 0},
    {"after", KEY_AFTER, "PASS", 0,
     "run what this pass leaves (default: what the front end leaves)", 0},
    {"save", KEY_SAVE, "DIR", 0, "write each output tensor to DIR/NAME.bin", 0},
    {"steps", KEY_STEPS, "N", 0, "most instructions (default 1000000000)", 0},
    {0}};

static bool known_pass(const char *name)
{
	for (int i = 0; compile_pass_name(i); i++)
		if (!strcmp(compile_pass_name(i), name))
			return true;
	return false;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case KEY_DATA: a->data = arg; return 0;
	case KEY_EXPECT: a->expect = arg; return 0;
	case KEY_SAVE: a->save = arg; return 0;
	case KEY_AFTER:
		a->after = arg;
		if (known_pass(arg))
			return 0;
		cmd_error("USE010", "--after",
		          "no pass '%s'; see tpb compile --list-passes", arg);
		return ECANCELED;
	case KEY_STEPS:
		if (cmd_u64(arg, &a->steps) && a->steps <= INT64_MAX)
			return 0;
		cmd_error("USE010", "--steps",
		          "'%s' is no value; write a whole number", arg);
		return ECANCELED;
	case ARGP_KEY_ARG:
		if (a->in) {
			cmd_error("USE003", arg,
			          "one kernel at a time; remove this");
			return ECANCELED;
		}
		a->in = arg;
		return 0;
	case ARGP_KEY_END:
		if (a->in)
			return 0;
		cmd_error("USE004", "interp",
		          "no kernel; write tpb interp K.klr");
		return ECANCELED;
	default: return ARGP_ERR_UNKNOWN;
	}
}

static int bir_trouble(const struct bir_error *err)
{
	return cmd_error(err->id, err->place, "%s", err->text);
}

/* Inputs begin with their bytes. */
static int load_inputs(const struct bir_module *m, struct bir_interp *t)
{
	struct bir_error err = {0};

	for (const struct bir_loc *l = m->loc; l; l = l->next)
		if (l->kind == BIR_INPUT && l->init &&
		    !bir_interp_load(t, l->name, l->init, bir_loc_bytes(l),
		                     &err))
			return bir_trouble(&err);
	return CMD_OK;
}

static char *file_name(const char *dir, const char *tensor)
{
	size_t n = strlen(dir) + strlen(tensor) + sizeof("/.bin");
	char *path = malloc(n);

	if (!path)
		abort();
	snprintf(path, n, "%s/%s.bin", dir, tensor);
	return path;
}

/* 0 equal, CMD_NEGATIVE after telling the first byte that is not. */
static int compare(const struct bir_loc *l, const uint8_t *got, const char *dir)
{
	size_t n = bir_loc_bytes(l), size = 0, i = 0;
	char *path = file_name(dir, l->name);
	char *want = cmd_read_file(path, &size);
	int status = CMD_OK;

	if (!want)
		status = CMD_BAD;
	else if (size != n)
		status = cmd_error("EXP001", path,
		                   "has %zu bytes, tensor %s has %zu; make it "
		                   "again",
		                   size, l->name, n);
	while (status == CMD_OK && i < n && got[i] == (uint8_t)want[i])
		i++;
	if (status == CMD_OK && i < n) {
		printf("%s: byte 0x%zX is 0x%02X, expected 0x%02X\n", l->name,
		       i, got[i], (uint8_t)want[i]);
		status = CMD_NEGATIVE;
	}
	free(want);
	free(path);
	return status;
}

static int save(const struct bir_loc *l, const uint8_t *got, const char *dir)
{
	char *path = file_name(dir, l->name);
	FILE *f = fopen(path, "wb");
	size_t n = bir_loc_bytes(l);
	bool ok = f && fwrite(got, 1, n, f) == n;
	int status = CMD_OK;

	if (f)
		ok = fclose(f) == 0 && ok;
	if (!ok)
		status = cmd_error("FIL004", path,
		                   "cannot be written; check the folder");
	free(path);
	return status;
}

/* All outputs; *n of them were compared. */
static int judge(const struct bir_module *m, const struct bir_interp *t,
                 const struct args *a, int *n)
{
	int status = CMD_OK;

	for (const struct bir_loc *l = m->loc; l && status == CMD_OK;
	     l = l->next) {
		struct bir_error err = {0};
		uint8_t *got;

		if (l->kind != BIR_OUTPUT_T)
			continue;
		got = malloc(bir_loc_bytes(l));
		if (!got)
			abort();
		if (!bir_interp_read(t, l->name, got, bir_loc_bytes(l), &err))
			status = bir_trouble(&err);
		if (status == CMD_OK && a->save)
			status = save(l, got, a->save);
		if (status == CMD_OK && a->expect) {
			status = compare(l, got, a->expect);
			++*n;
		}
		free(got);
	}
	return status;
}

static int run(struct bir_module *m, const struct args *a)
{
	struct bir_error err = {0};
	struct bir_interp *t = bir_interp_new(m, &err);
	int status, n = 0;

	if (!t)
		return bir_trouble(&err);
	status = load_inputs(m, t);
	if (status == CMD_OK && !bir_interp_run(t, (int64_t)a->steps, &err))
		status = bir_trouble(&err);
	if (status == CMD_OK)
		status = judge(m, t, a, &n);
	if (status != CMD_BAD)
		printf("%s %s: steps=%" PRId64 " outputs=%d%s\n",
		       status == CMD_OK ? "PASS" : "FAIL", m->name,
		       bir_interp_steps(t), n,
		       status == CMD_OK ? "" : " differ");
	bir_interp_free(t);
	return status;
}

int cmd_interp(int argc, char **argv)
{
	static const struct argp argp = {
	    options, take,
	    "K.klr", "Run a kernel in the interpreter of the compiler's IR.",
	    NULL,    NULL,
	    NULL};
	struct args a = {.steps = DEFAULT_STEPS};
	struct compile_opts opt = {.stop_after = NULL};
	struct compile_error err = {0};
	struct bir_module *m;
	int status;

	if (cmd_parse(&argp, argc, argv, &a))
		return CMD_BAD;
	m = kernel_lower(a.in, a.data ? a.data : a.expect, 3);
	if (!m)
		return CMD_BAD;
	opt.stop_after = a.after;
	if (a.after && !compile_lower(m, &opt, &err))
		status = cmd_error(err.id, err.place, "%s", err.text);
	else
		status = run(m, &a);
	bir_module_free(m);
	return status;
}
