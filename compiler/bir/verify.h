/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the verifier share.
 */
#ifndef BIR_VERIFY_H
#define BIR_VERIFY_H

#include "compiler/bir/internal.h"

/* Sets of dtypes. */
#define BIT(d) (1u << TPB_BIR_DTYPE_##d)
#define INTS                                                               \
	(BIT(UINT8) | BIT(INT8) | BIT(UINT16) | BIT(INT16) | BIT(UINT32) | \
	 BIT(INT32))
#define INT32S (BIT(UINT32) | BIT(INT32))
#define FLOATS                                                                 \
	(BIT(FP8E3) | BIT(FP8E4) | BIT(FP8E4FN) | BIT(FP8E5) | BIT(BFLOAT16) | \
	 BIT(FLOAT16) | BIT(FLOAT32))
#define DP (INTS | FLOATS)
#define ROUND BIT(FLOAT32R)

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
bool verify_dma(const struct verify *v, const struct bir_inst *i);
bool verify_loop(const struct verify *v, const struct bir_inst *i);
bool verify_scalar(const struct verify *v, const struct bir_inst *i);
/* Is the operand's dtype in a set of bits?  NULL is. */
bool verify_dtype(const struct verify *v, const struct bir_inst *i,
                  const struct bir_arg *a, unsigned set, const char *role);
/* First partition of a static operand on chip. */
int64_t verify_start(const struct bir_arg *a);
/* Definitions before uses, as far as it can be decided. */
bool verify_regs(const struct verify *v, struct bir_func *f);

#endif
