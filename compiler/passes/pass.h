/* SPDX-License-Identifier: Apache-2.0
 *
 * What the passes share.  One pass is one file and one function
 *
 *     bool pass_<name>(struct bir_module *m, struct pass_ctx *c)
 *
 * which changes the module in place.  false: c->err is filled.  A pass leaves
 * one line of statistics in c->stat.  docs/reference/compiler.md says what
 * each does; compiler/compile.c is their order.
 */
#ifndef PASSES_PASS_H
#define PASSES_PASS_H

#include "compiler/bir/bir.h"
#include "compiler/bir/bir_build.h"
#include "compiler/compile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pass_ctx {
	const struct compile_opts *opts;
	struct compile_error *err;
	struct arena *scratch; /* emptied after each pass */
	char stat[160];
};

/* ---- what a pass is given ---- */

#define PASS_LIST(X)                \
	X(lower_select)             \
	X(legalize)                 \
	X(assign_engines)           \
	X(alloc_mem)                \
	X(build_fdeps)              \
	X(anti_dependency_analyzer) \
	X(dep_reduction)            \
	X(cfg_normalize)            \
	X(lower_control)            \
	X(lnc_barriercheck)         \
	X(bir_racecheck)            \
	X(lower_dma)                \
	X(expand_all_early)         \
	X(lower_branch)             \
	X(alloc_queues)             \
	X(synchronizer)             \
	X(alloc_semaphores)         \
	X(mem2reg)                  \
	X(seq_inst_opt)             \
	X(lower_sync)               \
	X(lower_dve)                \
	X(lower_ap)                 \
	X(regalloc)                 \
	X(expand_all_final)

#define PASS_DECLARE(name) \
	bool pass_##name(struct bir_module *m, struct pass_ctx *c);
PASS_LIST(PASS_DECLARE)
#undef PASS_DECLARE

/* Fill *c->err; the place is the instruction's source line, or the module's.
 * i may be NULL.  Always false. */
bool pass_fail(struct pass_ctx *c, const struct bir_module *m,
               const struct bir_inst *i, const char *id, const char *format,
               ...) __attribute__((format(printf, 5, 6)));
void pass_stat(struct pass_ctx *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Backed bytes of a partition on the module's generation. */
int64_t pass_sbuf_bytes(const struct bir_module *m, const struct pass_ctx *c);
int64_t pass_psum_bytes(const struct bir_module *m);
int64_t pass_dram_bytes(const struct bir_module *m);

/* ---- walking ---- */

/* Block of the function's own region that holds a block at any depth. */
struct bir_block *pass_top(struct bir_block *b);

/* Every instruction of the region in layout order, bodies of carriers right
 * after them; false as soon as f is false. */
bool pass_each(struct bir_region *r, bool (*f)(struct bir_inst *i, void *ctx),
               void *ctx);

/* Engines of U in ascending order; returns how many. */
int pass_engines(const struct bir_module *m, enum bir_engine out[BIR_NENGINES]);

/* Suffix of a clone: "Pool0", "DVE0", ... */
const char *pass_engine_suffix(enum bir_engine e);

/* Engine whose stream holds the instruction: SP for an unbound DMA. */
enum bir_engine pass_stream(const struct bir_inst *i);

/* A transfer that completes later than its bundle: a DMA block, or a DMA op
 * that stays in its engine's stream. */
static inline bool pass_is_transfer(const struct bir_inst *i)
{
	return i->it == BIR_IT_DMA_BLOCK || bir_is_dma(i);
}

/* ---- registers of one value on several engines ---- */

/* Copy of a register for an engine, as expand_all_early made them; NULL when
 * there is none. */
struct bir_reg *pass_reg_find(struct bir_module *m, struct bir_reg *r,
                              enum bir_engine e);
/* The same, minted where missing. */
struct bir_reg *pass_reg(struct bir_module *m, struct bir_reg *r,
                         enum bir_engine e);
/* Replace every register of i by the copy of the engine; a structured op's
 * are left alone. */
void pass_rewire(struct bir_module *m, struct bir_inst *i, enum bir_engine e);

/* ---- small code ---- */

struct bir_inst *pass_new_move(struct bir_module *m, enum bir_engine e,
                               struct bir_reg *dst, struct bir_arg *src);
struct bir_inst *pass_new_alu(struct bir_module *m, enum bir_engine e, int op,
                              struct bir_reg *dst, struct bir_reg *a,
                              struct bir_arg *b);
/* Put in front of the block's first terminator, or at its end. */
void pass_before_end(struct bir_block *b, struct bir_inst *i);

/* A block between `from` and the block before which it is placed; all control
 * edges of `from` to `to` lead through it, on every engine. */
struct bir_block *pass_edge_block(struct bir_module *m, struct bir_block *from,
                                  struct bir_block *to, const char *suffix);
/* UnconditionalBranch on every engine of U. */
void pass_jump_all(struct bir_module *m, struct bir_block *b,
                   struct bir_block *to, struct bir_pos pos);
/* Give every compare with neither successor next an "-else" block. */
int pass_fix_layout(struct bir_module *m, struct bir_func *f);

#endif
