/* SPDX-License-Identifier: Apache-2.0
 *
 * Run a kernel of kernels/ on the IR interpreter, right behind the front end,
 * and compare its outputs with what its oracle writes.
 */
#ifndef TESTS_KLR_KERNEL_H
#define TESTS_KLR_KERNEL_H

#include "compiler/bir/bir_build.h"
#include "compiler/bir/bir_interp.h"
#include "compiler/klr/klr.h"
#include "tests/unit/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MAX_FILE (8u << 20) /* bytes of a file */

static struct bir_module *kernel_module(const char *name, const char *dir)
{
	struct klr_lower_opts opts = {.data_dir = dir};
	struct klr_error err;
	struct klr_kernel *k;
	struct bir_module *m;
	char file[256], path[4096], *text;
	size_t size;

	snprintf(file, sizeof(file), "kernels/%s/%s.klr", name, name);
	tree_path(file, path, sizeof(path));
	text = tree_contents(path, MAX_FILE, &size);
	k = klr_parse(text, size, path, &err);
	if (!k)
		fail_msg("%s: %s %s", err.place, err.id, err.text);
	m = klr_lower(k, &opts, &err);
	if (!m)
		fail_msg("%s: %s %s", err.place, err.id, err.text);
	klr_free(k);
	free(text);
	return m;
}

/* The output's bytes against its file; removes nothing. */
static void kernel_output(const struct bir_interp *t, const struct bir_loc *l,
                          const char *dir)
{
	size_t n = bir_loc_bytes(l), size;
	uint8_t *got = malloc(n);
	struct bir_error err;
	char path[4096], *want;

	assert_non_null(got);
	snprintf(path, sizeof(path), "%s/%s.bin", dir, l->name);
	want = tree_contents(path, MAX_FILE, &size);
	assert_int_equal(size, n);
	assert_true(bir_interp_read(t, l->name, got, n, &err));
	for (size_t i = 0; i < n; i++)
		if (got[i] != (uint8_t)want[i])
			fail_msg("%s: byte %zu is 0x%02x, the oracle has "
			         "0x%02x",
			         l->name, i, got[i], (uint8_t)want[i]);
	free(want);
	free(got);
}

/* Outputs compared. */
static int kernel_run(const char *name, int (*oracle)(int, char **))
{
	char dir[] = "/tmp/klr-kernel-XXXXXX", path[4096];
	char *argv[] = {(char *)"oracle", dir, NULL};
	struct bir_error err;
	struct bir_interp *t;
	struct bir_module *m;
	struct bir_loc *l;
	int outputs = 0;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(oracle(2, argv), 0);
	m = kernel_module(name, dir);
	t = bir_interp_new(m, &err);
	assert_non_null(t);
	for (l = m->loc; l; l = l->next)
		if (l->kind == BIR_INPUT)
			assert_true(bir_interp_load(t, l->name, l->init,
			                            bir_loc_bytes(l), &err));
	if (!bir_interp_run(t, 1000000, &err))
		fail_msg("%s: %s %s", err.place, err.id, err.text);
	for (l = m->loc; l; l = l->next)
		if (l->kind == BIR_OUTPUT_T) {
			kernel_output(t, l, dir);
			outputs++;
		}
	for (l = m->loc; l; l = l->next) {
		snprintf(path, sizeof(path), "%s/%s.bin", dir, l->name);
		unlink(path);
	}
	rmdir(dir);
	bir_interp_free(t);
	bir_module_free(m);
	return outputs;
}

#endif
