/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the compiler's passes share: a context to run one pass or
 * the pipeline, and the interpreter as judge: outputs before and after.
 */
#ifndef TESTS_UNIT_PASS_H
#define TESTS_UNIT_PASS_H

#include "compiler/bir/bir_interp.h"
#include "compiler/compile.h"
#include "compiler/passes/pass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef bool pass_fn(struct bir_module *m, struct pass_ctx *c);

static struct compile_opts pass_opts;
static struct compile_error pass_err;
static char pass_stats[160];

/* Run one pass; its statistics line is in pass_stats. */
static inline bool pass_try(struct bir_module *m, pass_fn *f)
{
	struct pass_ctx c = {.opts = &pass_opts, .err = &pass_err};

	memset(&pass_err, 0, sizeof pass_err);
	c.scratch = arena_new();
	bool ok = f(m, &c);

	arena_free(c.scratch);
	memcpy(pass_stats, c.stat, sizeof pass_stats);
	return ok;
}

static inline void pass_run(struct bir_module *m, pass_fn *f)
{
	struct bir_error bad;

	if (!pass_try(m, f))
		fail_msg("%s %s: %s", pass_err.id, pass_err.place,
		         pass_err.text);
	if (!bir_verify(m, 0, &bad))
		fail_msg("%s %s: %s", bad.id, bad.place, bad.text);
}

static inline void pass_refuses(struct bir_module *m, pass_fn *f,
                                const char *id, const char *words)
{
	if (pass_try(m, f))
		fail_msg("no error where %s is due", id);
	assert_string_equal(pass_err.id, id);
	if (!strstr(pass_err.text, words))
		fail_msg("\"%s\" is not in: %s", words, pass_err.text);
}

/* The whole pipeline up to a pass. */
static inline void pass_until(struct bir_module *m, const char *last)
{
	struct compile_opts o = {.stop_after = last};

	if (!compile_lower(m, &o, &pass_err))
		fail_msg("%s %s: %s", pass_err.id, pass_err.place,
		         pass_err.text);
}

/* ---- small constructors ---- */

static inline struct bir_module *module_new(struct bir_block **b)
{
	struct bir_module *m = bir_module_new("test.klr", 3);
	struct bir_func *f = bir_func_new(m, "main");

	*b = bir_block_new(m, &f->body, "entry");
	return m;
}

static inline struct bir_loc *tensor(struct bir_module *m, const char *name,
                                     enum bir_mem mem, enum bir_kind kind,
                                     int dtype, int64_t rows, int64_t cols)
{
	int64_t shape[2] = {rows, cols};

	return bir_loc_new(m, name, mem, kind, dtype, 2, shape);
}

static inline struct bir_inst *op2(struct bir_module *m, struct bir_block *b,
                                   enum bir_it it, const char *name,
                                   enum bir_engine e, struct bir_arg *x,
                                   struct bir_arg *y, struct bir_arg *dst)
{
	struct bir_inst *i = bir_emit(m, b, it, name, e);

	if (x)
		bir_in(i, x);
	if (y)
		bir_in(i, y);
	bir_out(i, dst);
	return i;
}

/* Place in the block, from 0; -1 when it is not there. */
static inline int index_of(const struct bir_block *b, const char *name)
{
	int k = 0;

	for (const struct bir_inst *i = b->first; i; i = i->next, k++)
		if (!strcmp(i->name, name))
			return k;
	return -1;
}

static inline struct bir_inst *named(struct bir_module *m, const char *name)
{
	struct bir_inst *i = bir_inst_find(m, name);

	if (!i)
		fail_msg("there is no instruction %s", name);
	return i;
}

static inline bool edge(struct bir_module *m, const char *succ,
                        const char *pred)
{
	return bir_dep_find(m, named(m, succ), named(m, pred)) != NULL;
}

static inline int count_of(const struct bir_region *r, enum bir_it it)
{
	int n = 0;

	for (const struct bir_block *b = r->first; b; b = b->next)
		for (const struct bir_inst *i = b->first; i; i = i->next) {
			n += i->it == it;
			if (bir_is_body(i))
				n += count_of(&i->u.loop.body, it);
		}
	return n;
}

/* ---- the judge ---- */

/* Run on inputs that depend on the tensor's name only; returns a sum over all
 * outputs' bytes. */
static inline uint64_t outcome(struct bir_module *m)
{
	struct bir_error bad;
	struct bir_interp *t = bir_interp_new(m, &bad);
	uint64_t sum = 1469598103934665603u;

	if (!t)
		fail_msg("%s: %s", bad.id, bad.text);
	for (const struct bir_loc *l = m->loc; l; l = l->next) {
		size_t n = bir_loc_bytes(l);
		uint8_t *bytes = calloc(1, n);
		uint32_t x = (uint32_t)strlen(l->name) * 77u + 5u;

		for (size_t k = 0; k < n; k++) {
			x = x * 1664525u + 1013904223u;
			/* floats stay normal: no exponent of all ones */
			bytes[k] =
			    (uint8_t)(x >> 24) & (k % 4 == 3 ? 0x3F : 0xFF);
		}
		if (l->dtype == TPB_BIR_DTYPE_INT32)
			for (size_t k = 0; k < n; k++)
				bytes[k] = k % 4 ? 0 : bytes[k] % 4;
		if (l->dtype == TPB_BIR_DTYPE_UINT8)
			for (size_t k = 0; k < n; k++)
				bytes[k] &= 1;
		if (l->kind == BIR_INPUT &&
		    !bir_interp_load(t, l->name, bytes, n, &bad))
			fail_msg("%s: %s", bad.id, bad.text);
		free(bytes);
	}
	if (!bir_interp_run(t, 1000000, &bad))
		fail_msg("%s %s: %s", bad.id, bad.place, bad.text);
	for (const struct bir_loc *l = m->loc; l; l = l->next) {
		if (l->kind != BIR_OUTPUT_T)
			continue;
		size_t n = bir_loc_bytes(l);
		uint8_t *bytes = calloc(1, n);

		if (!bir_interp_read(t, l->name, bytes, n, &bad))
			fail_msg("%s: %s", bad.id, bad.text);
		for (size_t k = 0; k < n; k++)
			sum = (sum ^ bytes[k]) * 1099511628211u;
		free(bytes);
	}
	bir_interp_free(t);
	return sum;
}

#endif
