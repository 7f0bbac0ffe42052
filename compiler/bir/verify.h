/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the verifier share.
 */
#ifndef BIR_VERIFY_H
#define BIR_VERIFY_H

#include "compiler/bir/internal.h"

struct verify {
	struct bir_module *m;
	unsigned flags;
	struct bir_error *err;
};

/* "<op> <name>: <what>" at the instruction's source line; always false. */
bool verify_fail(const struct verify *v, const struct bir_inst *i,
                 const char *id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Operands against their roles, patterns, dtypes of the op. */
bool verify_args(const struct verify *v, const struct bir_inst *i);
bool verify_op(const struct verify *v, const struct bir_inst *i);
/* Definitions before uses, as far as it can be decided. */
bool verify_regs(const struct verify *v, struct bir_func *f);

#endif
