/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the interpreter share.
 */
#ifndef BIR_INTERP_PRIVATE_H
#define BIR_INTERP_PRIVATE_H

#include "compiler/bir/bir_interp.h"
#include "compiler/bir/interp_num.h"

/* Bytes of a location: its row r begins at base + r * pitch. */
struct interp_view {
	uint8_t *base;
	int64_t pitch;
	bool own; /* base is not a window of a flat memory */
};

struct interp_queue {
	int instance, cursor;
};

struct bir_interp {
	struct bir_module *m;
	struct bir_error *err;
	struct num_config num;
	struct interp_view *view; /* by location id */
	int nview;
	uint8_t *sbuf, *psum, *dram;
	int64_t sbuf_pitch, psum_pitch, dram_bytes;
	uint64_t *reg; /* virtual registers, by id */
	uint32_t file[BIR_NENGINES][64];
	int32_t sem[256];
	int64_t *vsem; /* unbound semaphores, by vid */
	int nvsem;
	bool event[256];
	struct interp_queue *queue; /* by id */
	uint32_t acc[128];          /* the accumulator of DVE */
	int64_t steps, limit;
	unsigned halted; /* engines that met Halt */
	int depth;       /* of calls */
};

/* An operand while it is walked: its elements in linear order. */
struct interp_walk {
	const struct interp_view *view;
	int64_t row; /* row_bytes of the location */
	int64_t flat0, flat;
	int size, dtype;
	int n; /* dimensions */
	int64_t step[BIR_PAIRS], num[BIR_PAIRS], at[BIR_PAIRS];
};

/* Always false; the message names the instruction. */
bool interp_fail(struct bir_interp *t, const struct bir_inst *i, const char *id,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

bool interp_memory_new(struct bir_interp *t);
void interp_memory_free(struct bir_interp *t);

uint64_t interp_reg(const struct bir_interp *t, const struct bir_reg *r,
                    enum bir_half half);
void interp_set(struct bir_interp *t, const struct bir_reg *r,
                enum bir_half half, uint64_t v);
bool interp_expr(struct bir_interp *t, const struct bir_inst *i,
                 const struct bir_expr *e, int64_t *v);

/* All elements of an operand: checked to lie inside its tensor.  *inside is
 * told instead of failing when it is given. */
bool interp_open(struct bir_interp *t, const struct bir_inst *i,
                 const struct bir_arg *a, struct interp_walk *w, bool *inside);
/* Restrict an opened on-chip operand to one channel (pair 0). */
struct interp_walk interp_channel(const struct interp_walk *w, int64_t p);
uint64_t interp_get(const struct interp_walk *w);
void interp_put(const struct interp_walk *w, uint64_t bits);
void interp_next(struct interp_walk *w);
/* Integer with the sign of its dtype. */
int64_t interp_signed(int dtype, uint64_t bits);
/* An immediate as bits of a dtype: RNE, saturating. */
uint64_t interp_imm(struct bir_interp *t, const struct bir_arg *a, int dtype);
/* fp32 as bits of the walk's dtype. */
uint64_t interp_store(struct bir_interp *t, const struct interp_walk *w,
                      uint32_t f);
/* From one dtype to another: raw when equal, else through fp32. */
uint64_t interp_move(struct bir_interp *t, int from, int to, uint64_t bits);

/* One vector instruction, one copy between two operands. */
bool interp_vector(struct bir_interp *t, const struct bir_inst *i);
bool interp_copy(struct bir_interp *t, const struct bir_inst *i,
                 const struct bir_arg *dst, const struct bir_arg *src,
                 bool skip);
bool interp_search(struct bir_interp *t, const struct bir_inst *i);
bool interp_unary(struct bir_interp *t, const struct bir_inst *i);
bool interp_fill(struct bir_interp *t, const struct bir_inst *i);
bool interp_predicated(struct bir_interp *t, const struct bir_inst *i);
bool interp_select(struct bir_interp *t, const struct bir_inst *i);
/* Everything of the sequencers but terminators, calls and loops. */
bool interp_scalar(struct bir_interp *t, const struct bir_inst *i);
/* Sync records before and after an instruction. */
bool interp_waits(struct bir_interp *t, const struct bir_inst *i);
bool interp_updates(struct bir_interp *t, const struct bir_inst *i);
/* All semaphores to zero: what Return does. */
void interp_clear(struct bir_interp *t);

#endif
