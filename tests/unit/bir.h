/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the IR interpreter share: one module under construction,
 * running it, comparing tensors.  Include after cmocka's headers.
 */
#ifndef TESTS_UNIT_BIR_H
#define TESTS_UNIT_BIR_H

#include "compiler/bir/bir_build.h"
#include "compiler/bir/bir_interp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define F32 TPB_BIR_DTYPE_FLOAT32
#define I32 TPB_BIR_DTYPE_INT32
#define U32 TPB_BIR_DTYPE_UINT32
#define U8 TPB_BIR_DTYPE_UINT8

/* ------------------------------------------------------------ helpers */

static struct bir_module *m;
static struct bir_block *b;

static inline void begin(void)
{
	m = bir_module_new("t.klr", 3);
	b = bir_block_new(m, &bir_func_new(m, "main")->body, "entry");
}

static inline struct bir_loc *tensor(const char *name, enum bir_mem mem,
                                     int dtype, int64_t parts, int64_t n)
{
	const int64_t shape[2] = {parts, n};

	return bir_loc_new(m, name, mem, BIR_INTERNAL, dtype, 2, shape);
}

static inline struct bir_loc *sb(const char *name, int dtype, int64_t parts,
                                 int64_t n)
{
	return tensor(name, BIR_SBUF, dtype, parts, n);
}

static inline struct bir_reg *reg(const char *name, int bits)
{
	return bir_reg_new(m, name, BIR_ENG_ALL, bits);
}

static inline struct bir_inst *op(enum bir_it it, struct bir_loc *dst,
                                  struct bir_loc *src0, struct bir_loc *src1)
{
	struct bir_inst *i = bir_emit(m, b, it, NULL, BIR_ENG_DVE);

	if (src0)
		bir_in(i, bir_whole(m, src0));
	if (src1)
		bir_in(i, bir_whole(m, src1));
	if (dst)
		bir_out(i, bir_whole(m, dst));
	return i;
}

static inline void check(bool ok, const struct bir_error *err)
{
	if (!ok)
		fail_msg("%s: %s: %s", err->id, err->place, err->text);
}

static inline struct bir_interp *start(void)
{
	struct bir_error err = {"", "", ""};
	struct bir_interp *t;

	check(bir_verify(m, 0, &err), &err);
	t = bir_interp_new(m, &err);
	check(t != NULL, &err);
	return t;
}

static inline void load(struct bir_interp *t, struct bir_loc *l,
                        const void *bytes)
{
	struct bir_error err;

	check(bir_interp_load(t, l->name, bytes, bir_loc_bytes(l), &err), &err);
}

static inline void run(struct bir_interp *t)
{
	struct bir_error err = {"", "", ""};

	check(bir_interp_run(t, 100000, &err), &err);
}

static inline void run_fails(struct bir_interp *t, const char *id,
                             const char *text)
{
	struct bir_error err = {"", "", ""};

	assert_false(bir_interp_run(t, 10000, &err));
	if (strcmp(err.id, id) != 0 || !strstr(err.text, text))
		fail_msg("expected %s \"%s\", got %s \"%s\"", id, text, err.id,
		         err.text);
}

static inline void expect(struct bir_interp *t, struct bir_loc *l,
                          const void *bytes)
{
	size_t n = bir_loc_bytes(l), k;
	uint8_t *got = malloc(n);
	struct bir_error err;

	assert_non_null(got);
	check(bir_interp_read(t, l->name, got, n, &err), &err);
	for (k = 0; k < n; k++)
		if (got[k] != ((const uint8_t *)bytes)[k])
			fail_msg("%s differs in byte %zu: %02X, expected %02X",
			         l->name, k, got[k],
			         ((const uint8_t *)bytes)[k]);
	free(got);
}

/* A place for each tensor, apart from one another. */
static inline void place_all(void)
{
	struct bir_loc *l;
	int64_t sbuf = 64, psum = 0, dram = 4096;
	int var = 1;

	for (l = m->loc; l; l = l->next) {
		if (l->mem == BIR_DRAM) {
			bir_loc_place_dram(l, dram, var++);
			dram += (l->row_bytes + 63) / 64 * 64;
		} else if (l->mem == BIR_PSUM) {
			bir_loc_place(l, 0, psum);
			psum += 2048;
		} else {
			bir_loc_place(l, 0, sbuf);
			sbuf += (l->row_bytes + 63) / 64 * 64;
		}
	}
}

static inline void end(struct bir_interp *t)
{
	bir_interp_free(t);
	bir_module_free(m);
	m = NULL;
}

static uint32_t rnd_state = 1;

static inline uint32_t rnd(void)
{
	rnd_state = rnd_state * 1664525u + 1013904223u;
	return rnd_state >> 8;
}

#endif
