/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the IR share: a small module, and what the verifier says
 * of it.
 */
#ifndef TESTS_UNIT_BIR_ADD_H
#define TESTS_UNIT_BIR_ADD_H

#include "compiler/bir/bir_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define F32 TPB_BIR_DTYPE_FLOAT32
#define I32 TPB_BIR_DTYPE_INT32

/* x, y -> out = x + y, all 64 x 16 in SBUF, then Exit. */
struct add {
	struct bir_module *m;
	struct bir_func *f;
	struct bir_block *b;
	struct bir_loc *x, *y, *out;
	struct bir_inst *add, *exit;
};

static inline struct bir_loc *sbuf(struct bir_module *m, const char *name,
                                   int dtype, int64_t parts, int64_t n)
{
	const int64_t shape[2] = {parts, n};

	return bir_loc_new(m, name, BIR_SBUF, BIR_INTERNAL, dtype, 2, shape);
}

static inline struct add make_add(void)
{
	struct add a;

	a.m = bir_module_new("add.klr", 3);
	a.f = bir_func_new(a.m, "main");
	a.b = bir_block_new(a.m, &a.f->body, "entry");
	a.x = sbuf(a.m, "x", F32, 64, 16);
	a.y = sbuf(a.m, "y", F32, 64, 16);
	a.out = sbuf(a.m, "out", F32, 64, 16);
	a.add = bir_emit(a.m, a.b, BIR_IT_TENSOR_TENSOR, "sum", BIR_ENG_DVE);
	a.add->pos.line = 7;
	a.add->pos.col = 3;
	a.add->u.alu.op0 = TPB_BIR_ALU_ADD;
	bir_in(a.add, bir_whole(a.m, a.x));
	bir_in(a.add, bir_whole(a.m, a.y));
	bir_out(a.add, bir_whole(a.m, a.out));
	a.exit = bir_emit(a.m, a.b, BIR_IT_EXIT, "end", BIR_ENG_ALL);
	return a;
}

static inline void good(struct bir_module *m, unsigned flags)
{
	struct bir_error err = {"", "", ""};

	if (!bir_verify(m, flags, &err))
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
}

static inline void bad(struct bir_module *m, unsigned flags, const char *id,
                       const char *text)
{
	struct bir_error err = {"", "", ""};

	assert_false(bir_verify(m, flags, &err));
	if (strcmp(err.id, id) != 0 || !strstr(err.text, text))
		fail_msg("expected %s \"%s\", got %s \"%s\"", id, text, err.id,
		         err.text);
}

#endif
