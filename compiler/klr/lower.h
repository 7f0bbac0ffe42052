/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of klr_lower() share.
 *
 * The lowering binds structure only: it makes one IR instruction of a
 * statement, chooses no engine that the statement does not name, numbers no
 * barrier and allocates nothing.  Tensors, registers and blocks are bound by
 * name.
 */
#ifndef COMPILER_KLR_LOWER_H
#define COMPILER_KLR_LOWER_H

#include "compiler/bir/bir_build.h"
#include "compiler/klr/internal.h"

struct klr_lowerer {
	struct klr_report rep;
	const struct klr_kernel *k;
	const struct klr_lower_opts *opts;
	struct bir_module *m;
	struct bir_func *main;
	struct bir_block *at; /* instructions go to its end */
	struct klr_names *tensors, *regs, *blocks, *insts;
	struct {
		const char *var;
		struct bir_reg *reg;
	} loop[KLR_MAX_DEPTH];
	int depth;
	int running; /* number of the next instruction's name */
};

/* lower_arg.c */
const struct klr_value *klr_operand(const struct klr_stmt *s, const char *name);
struct bir_reg *klr_lower_reg(struct klr_lowerer *l, const char *name);
struct bir_arg *klr_lower_ref(struct klr_lowerer *l, const struct klr_ref *r);
/* A number or a reference. */
struct bir_arg *klr_lower_value(struct klr_lowerer *l,
                                const struct klr_value *v);
struct bir_arg *klr_lower_operand(struct klr_lowerer *l,
                                  const struct klr_stmt *s, const char *name);
enum bir_engine klr_lower_engine(const struct klr_stmt *s);

/* lower_op.c, lower_seq.c: false when the operator is not theirs. */
bool klr_lower_vector(struct klr_lowerer *l, const struct klr_stmt *s);
bool klr_lower_scalar(struct klr_lowerer *l, const struct klr_stmt *s);
/* A new instruction of statement s at the end of the block. */
struct bir_inst *klr_lower_inst(struct klr_lowerer *l, const struct klr_stmt *s,
                                enum bir_it it, enum bir_engine engine);

/* lower_data.c: bytes of an input, into loc->init. */
void klr_lower_data(struct klr_lowerer *l, const struct klr_tensor *t,
                    struct bir_loc *loc);

#endif
