/* SPDX-License-Identifier: Apache-2.0
 *
 * Making and changing the IR.
 *
 * A constructor puts its result at the place of a cursor and never fails on
 * a legal call; names are made unique by "#2", "#3" ...; a NULL name gets the
 * op's text and a running number ("TensorTensor-12").  Strings are copied.
 */
#ifndef BIR_BUILD_H
#define BIR_BUILD_H

#include "compiler/bir/bir.h"

struct bir_module *bir_module_new(const char *path, int gen);
void bir_module_free(struct bir_module *m);

struct bir_func *bir_func_new(struct bir_module *m, const char *name);
/* At the end of a region, or behind `after`. */
struct bir_block *bir_block_new(struct bir_module *m, struct bir_region *r,
                                const char *name);
struct bir_block *bir_block_after(struct bir_module *m, struct bir_block *after,
                                  const char *name);
void bir_block_unlink(struct bir_block *b);
void bir_block_append(struct bir_region *r, struct bir_block *b);
/* Place an unlinked block behind `after`. */
void bir_block_insert(struct bir_block *after, struct bir_block *b);

/* Storage.  shape[0] of an on-chip tensor: partitions. */
struct bir_loc *bir_loc_new(struct bir_module *m, const char *name,
                            enum bir_mem mem, enum bir_kind kind, int dtype,
                            int rank, const int64_t *shape);
void bir_loc_place(struct bir_loc *l, int part, int64_t byte); /* on chip */
void bir_loc_place_dram(struct bir_loc *l, int64_t addr, int var);
struct bir_reg *bir_reg_new(struct bir_module *m, const char *name,
                            enum bir_engine engine, int bits);
struct bir_queue *bir_queue_new(struct bir_module *m, const char *name,
                                enum bir_engine engine);
struct bir_instance *bir_instance_new(struct bir_module *m, struct bir_queue *q,
                                      const char *name);
/* Append a DMA block; sets its queue, instance and id. */
void bir_instance_add(struct bir_module *m, struct bir_queue *q, int instance,
                      struct bir_inst *block);

/* By name, NULL when there is none. */
struct bir_func *bir_func_find(const struct bir_module *m, const char *name);
struct bir_block *bir_block_find(const struct bir_module *m, const char *name);
struct bir_inst *bir_inst_find(const struct bir_module *m, const char *name);
struct bir_loc *bir_loc_find(const struct bir_module *m, const char *name);
struct bir_reg *bir_reg_find(const struct bir_module *m, const char *name);
struct bir_queue *bir_queue_find(const struct bir_module *m, const char *name);
struct bir_instance *bir_instance_at(const struct bir_queue *q, int index);

/* ------------------------------------------------------------ operands */

/* The whole tensor in its own dtype. */
struct bir_arg *bir_whole(struct bir_module *m, struct bir_loc *l);
struct bir_arg *bir_ap(struct bir_module *m, struct bir_loc *l, int dtype,
                       int64_t offset, int npair, const struct bir_pair *pair);
struct bir_arg *bir_sym(struct bir_module *m, struct bir_loc *l, int dtype,
                        int64_t offset, int npair, const struct bir_pair *pair,
                        struct bir_expr *expr);
struct bir_arg *bir_regap(struct bir_module *m, struct bir_loc *l, int dtype,
                          struct bir_reg *reg, int64_t offset, int npair,
                          const struct bir_pair *pair);
struct bir_arg *bir_int(struct bir_module *m, int64_t v); /* int32 */
struct bir_arg *bir_float(struct bir_module *m, float v); /* float32 */
struct bir_arg *bir_imm(struct bir_module *m, int dtype, uint64_t bits);
struct bir_arg *bir_symimm(struct bir_module *m, int dtype,
                           struct bir_expr *expr);
/* dtype int32 for 32-bit registers, uint64 for pairs. */
struct bir_arg *bir_use(struct bir_module *m, struct bir_reg *r);
struct bir_arg *bir_use_half(struct bir_module *m, struct bir_reg *r,
                             enum bir_half half);
struct bir_arg *bir_addr(struct bir_module *m, struct bir_loc *l,
                         int64_t offset);
struct bir_expr *bir_expr_new(struct bir_module *m, int64_t c);
void bir_expr_add(struct bir_module *m, struct bir_expr *e, int64_t coef,
                  struct bir_reg *reg);
void bir_expr_add_index(struct bir_module *m, struct bir_expr *e, int64_t coef,
                        struct bir_arg *index);
/* Deep copies: no two instructions share an operand. */
struct bir_arg *bir_arg_copy(struct bir_module *m, const struct bir_arg *a);
struct bir_expr *bir_expr_copy(struct bir_module *m, const struct bir_expr *e);

/* ------------------------------------------------------------ instructions */

/* Unlinked; payload zero, but op1 BYPASS, ids -1, DGE unassigned. */
struct bir_inst *bir_inst_new(struct bir_module *m, enum bir_it it,
                              const char *name, enum bir_engine engine);
/* New instruction at the end of a block. */
struct bir_inst *bir_emit(struct bir_module *m, struct bir_block *b,
                          enum bir_it it, const char *name,
                          enum bir_engine engine);
void bir_inst_append(struct bir_block *b, struct bir_inst *i);
void bir_inst_before(struct bir_inst *at, struct bir_inst *i);
void bir_inst_after(struct bir_inst *at, struct bir_inst *i);
/* Take out of its block; edges stay. */
void bir_inst_unlink(struct bir_inst *i);
/* Unlink and drop edges and name. */
void bir_inst_delete(struct bir_module *m, struct bir_inst *i);
/* Full copy (operands, payload, sync records, predicates; no edges, not
 * linked; not for structured ops), under another name. */
struct bir_inst *bir_inst_clone(struct bir_module *m, const struct bir_inst *i,
                                const char *name);
void bir_inst_rename(struct bir_module *m, struct bir_inst *i,
                     const char *name);
void bir_in(struct bir_inst *i, struct bir_arg *a);  /* append an input */
void bir_out(struct bir_inst *i, struct bir_arg *a); /* append an output */
void bir_predicate(struct bir_module *m, struct bir_inst *i,
                   struct bir_expr *expr, int cmp);
/* Move from `at` to the end of its block into a new block behind it. */
struct bir_block *bir_block_split(struct bir_module *m, struct bir_inst *at,
                                  const char *name);
/* Append a descriptor to a DMA block. */
struct bir_inst *bir_desc(struct bir_module *m, struct bir_inst *block,
                          struct bir_arg *src, struct bir_arg *dst);

/* Shortcuts, all at the end of b; engine as given. */
struct bir_inst *bir_reg_move(struct bir_module *m, struct bir_block *b,
                              enum bir_engine e, struct bir_reg *dst,
                              struct bir_arg *src);
struct bir_inst *bir_reg_alu(struct bir_module *m, struct bir_block *b,
                             enum bir_engine e, int op, struct bir_reg *dst,
                             struct bir_reg *src0, struct bir_arg *src1);
struct bir_inst *bir_branch(struct bir_module *m, struct bir_block *b,
                            enum bir_engine e, int cmp, struct bir_reg *lhs,
                            struct bir_arg *rhs, struct bir_block *on_true,
                            struct bir_block *on_false);
struct bir_inst *bir_jump(struct bir_module *m, struct bir_block *b,
                          enum bir_engine e, struct bir_block *target);
struct bir_inst *bir_dma_copy(struct bir_module *m, struct bir_block *b,
                              struct bir_arg *dst, struct bir_arg *src);
/* Loop with an empty body region; add blocks to &i->u.loop.body. */
struct bir_inst *bir_loop(struct bir_module *m, struct bir_block *b,
                          struct bir_reg *iv, int64_t lb, int64_t ub,
                          int64_t step);

/* ------------------------------------------------------------ sync, edges */

struct bir_wait *bir_wait_add(struct bir_module *m, struct bir_inst *i, int vid,
                              int id, int mode, int64_t value,
                              struct bir_reg *reg, struct bir_inst *from);
struct bir_update *bir_update_add(struct bir_module *m, struct bir_inst *i,
                                  int vid, int id, int mode, int64_t value);
void bir_wait_remove(struct bir_inst *i, struct bir_wait *w);

/* succ waits for pred.  One edge an ordered pair: again keeps the larger
 * kind.  No edge from an instruction to itself.  O(1). */
struct bir_dep *bir_dep_add(struct bir_module *m, struct bir_inst *succ,
                            struct bir_inst *pred, enum bir_edge kind,
                            bool carried);
struct bir_dep *bir_dep_find(const struct bir_module *m,
                             const struct bir_inst *succ,
                             const struct bir_inst *pred);
void bir_dep_remove(struct bir_module *m, struct bir_dep *d);
/* Join predecessors of i with its successors by the weaker of the two kinds,
 * then drop all edges of i. */
void bir_dep_bypass(struct bir_module *m, struct bir_inst *i);

/* Call f on every instruction of a function in layout order, bodies of
 * structured ops right after their carrier; f may remove its argument. */
void bir_walk(struct bir_region *r, void (*f)(struct bir_inst *, void *),
              void *ctx);

#endif
