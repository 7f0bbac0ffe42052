/* SPDX-License-Identifier: Apache-2.0
 *
 * Code generation: bundles of the sequencer.
 *
 * Facts: the sequencer sheet's bundles; branches by the compiler sheet's PC
 * map: the target is the pc of a block on the branch's own engine, the other
 * successor must follow in layout, and a branch to what follows anyway is no
 * bundle at all.
 */
#include "compiler/codegen/internal.h"

#include <string.h>

/* ---- registers ---- */

/* Does the operand stand for a whole pair? */
static bool is_pair(const struct bir_arg *a)
{
	return a->kind == BIR_ARG_REG && a->reg->bits == 64 &&
	       a->half == BIR_WHOLE;
}

static bool is_imm(const struct bir_arg *a)
{
	return a->kind == BIR_ARG_IMM;
}

static bool alu_takes(int dtype, bool wide)
{
	if (wide)
		return dtype == TPB_BIR_DTYPE_UINT64;
	return dtype == TPB_BIR_DTYPE_UINT32 || dtype == TPB_BIR_DTYPE_INT32 ||
	       dtype == TPB_BIR_DTYPE_UINT64 || dtype == TPB_BIR_DTYPE_INT64;
}

static void register_alu(struct codegen *c, const struct bir_inst *i)
{
	const struct bir_arg *dst = i->out[0], *a = i->in[0], *v = i->in[1];
	uint8_t *b = codegen_begin(c, TPB_OP_REGISTER_ALU);
	bool wide = is_pair(dst);
	int lo = codegen_reg(c, dst);

	if (!alu_takes(a->dtype, wide))
		codegen_fail(c, CGN_OPERAND,
		             "dtype %s in a %d-bit register op; use %s",
		             bir_dtype_text(a->dtype), wide ? 64 : 32,
		             wide ? "uint64" : "int32 or uint32");
	if (is_pair(a) != wide || (v && !is_imm(v) && is_pair(v) != wide))
		codegen_fail(c, CGN_OPERAND,
		             "a register and a pair in one op; use either");
	codegen_set(c, b, "alu",
	            codegen_wire(c, "ALU", i->u.alu.op0, "ALU op"));
	codegen_set(c, b, "wide", wide);
	codegen_set(c, b, "dtype", codegen_dtype(c, a->dtype));
	codegen_set(c, b, "dst", lo);
	codegen_set(c, b, "src1", codegen_reg(c, a));
	if (wide) {
		codegen_set(c, b, "dst_lo", lo);
		codegen_set(c, b, "dst_hi", lo + 1);
	}
	if (!v)
		return;
	codegen_set(c, b, "use_imm", is_imm(v));
	if (is_imm(v))
		codegen_set(c, b, "imm",
		            wide ? (int64_t)v->imm : (uint32_t)v->imm);
	else
		codegen_set(c, b, "src2", codegen_reg(c, v));
}

/* The word or double word that a move of an immediate or an address writes.
 */
static uint64_t move_value(struct codegen *c, const struct bir_arg *src,
                           bool wide)
{
	if (is_imm(src))
		return src->imm;
	if (!src->loc->placed) {
		if (!c->lenient)
			codegen_fail(c, CGN_STATE,
			             "tensor %.60s has no place; run alloc_mem",
			             src->loc->name);
		return 0;
	}
	if (wide)
		return bir_unified(src->loc, src->offset);
	if (!bir_on_chip(src->loc))
		codegen_fail(c, CGN_OPERAND,
		             "the address of a DRAM tensor needs a pair; use a "
		             "64-bit register");
	return bir_addr29(src->loc, src->offset);
}

static int move_dtype(const struct bir_arg *dst, const struct bir_arg *src)
{
	if (src->kind == BIR_ARG_ADDR)
		return TPB_BIR_DTYPE_UINT32;
	return is_imm(src) ? src->dtype : dst->dtype;
}

static void register_move(struct codegen *c, const struct bir_inst *i)
{
	const struct bir_arg *dst = i->out[0], *src = i->in[0];
	uint8_t *b = codegen_begin(c, TPB_OP_REGISTER_MOVE);
	bool wide = is_pair(dst);
	int dtype = move_dtype(dst, src);

	codegen_set(c, b, "dst0", codegen_reg(c, dst));
	if (wide) {
		codegen_set(c, b, "count", 2);
		codegen_set(c, b, "dst1", codegen_reg(c, dst) + 1);
		dtype = TPB_BIR_DTYPE_INT32;
	} else {
		codegen_set(c, b, "count", 1);
	}
	if (dtype != TPB_BIR_DTYPE_INT32 && dtype != TPB_BIR_DTYPE_UINT32 &&
	    dtype != TPB_BIR_DTYPE_FLOAT32)
		codegen_fail(c, CGN_OPERAND,
		             "a register move of %s; only float32, uint32 and "
		             "int32 can be moved",
		             bir_dtype_text(dtype));
	codegen_set(c, b, "dtype", codegen_dtype(c, dtype));
	if (src->kind == BIR_ARG_REG) {
		if (wide || is_pair(src))
			codegen_fail(c, CGN_OPERAND,
			             "a pair cannot be moved to a pair; move "
			             "its halves");
		codegen_set(c, b, "source", TPB_SOURCE_REG);
		codegen_set(c, b, "src0", codegen_reg(c, src));
		return;
	}
	codegen_set(c, b, "source", TPB_SOURCE_IMM);
	codegen_put(codegen_at(b, "imm0"), move_value(c, src, wide),
	            wide ? 8 : 4);
}

/* ---- memory ---- */

/* One element and one register, or a pair as two words. */
static void memory_shape(struct codegen *c, uint8_t *b,
                         const struct bir_arg *mem, const struct bir_arg *reg)
{
	bool wide = is_pair(reg);
	int lo = codegen_reg(c, reg);

	if (bir_ap_count(mem) != 1)
		codegen_fail(c, CGN_OPERAND,
		             "%lld elements for one register; name one",
		             (long long)bir_ap_count(mem));
	if (wide != (bir_dtype_size(mem->dtype) == 8))
		codegen_fail(c, CGN_OPERAND,
		             "an element of %s and a register of %d bits; make "
		             "them equal",
		             bir_dtype_text(mem->dtype), wide ? 64 : 32);
	codegen_set(c, b, "dtype",
	            wide ? TPB_DTYPE_INT32 : codegen_dtype(c, mem->dtype));
	codegen_set(c, b, "num0", wide ? 2 : 1);
	codegen_set(c, b, "num1", 1);
	codegen_set(c, b, "step0", 1);
	codegen_set(c, b, "step1", 1);
	codegen_set(c, b, "data0", lo);
	if (wide)
		codegen_set(c, b, "data1", lo + 1);
}

/* By variable, by address, or by the pair that holds the address. */
static void memory(struct codegen *c, const struct bir_arg *mem,
                   const struct bir_arg *reg, bool save)
{
	uint8_t by_addr = save ? TPB_OP_TENSOR_SAVE : TPB_OP_TENSOR_LOAD;
	uint8_t by_var = save ? TPB_OP_TENSOR_SAVE_VAR : TPB_OP_TENSOR_LOAD_VAR;
	bool chip = bir_on_chip(mem->loc);
	uint8_t *b;

	if (mem->kind == BIR_ARG_REGAP) {
		b = codegen_begin(c, by_addr);
		if (mem->reg->bits != 64 || mem->offset)
			codegen_fail(c, CGN_OPERAND,
			             "the address is not in a pair, or has an "
			             "offset besides; compute it in a 64-bit "
			             "register");
		codegen_set(c, b, "marker", TPB_MARKER_REG);
		codegen_set(c, b, "addr",
		            codegen_phys(c, mem->reg) |
		                (codegen_phys(c, mem->reg) + 1) << 8);
	} else if (mem->kind != BIR_ARG_AP || !mem->loc->placed) {
		codegen_fail(c, CGN_STATE,
		             "tensor %.60s has no place or a symbolic address; "
		             "run alloc_mem and lower_ap",
		             mem->loc->name);
		return;
	} else if (chip) {
		b = codegen_begin(c, by_addr);
		codegen_set(c, b, "addr",
		            (int64_t)bir_unified(mem->loc, mem->offset));
	} else {
		b = codegen_begin(c, by_var);
		codegen_set(c, b, "var_id", mem->loc->var);
		codegen_set(c, b, "var_offset", mem->offset);
	}
	memory_shape(c, b, mem, reg);
}

static void tensor_save(struct codegen *c, const struct bir_inst *i)
{
	if (i->in[0]->kind != BIR_ARG_REG) {
		codegen_fail(c, CGN_OPERAND,
		             "only a register can be saved; move the value to "
		             "one");
		return;
	}
	memory(c, i->out[0], i->in[0], true);
}

/* ---- branches ---- */

static const struct bir_block *or_next(const struct bir_inst *i,
                                       const struct bir_block *b)
{
	return b ? b : i->block->next;
}

bool codegen_elided(const struct bir_inst *i)
{
	const struct bir_block *next = i->block->next;
	const struct bir_branch *u = &i->u.branch;

	if (i->it == BIR_IT_JUMP)
		return u->on_true && u->on_true == next;
	return i->it == BIR_IT_BRANCH && next &&
	       or_next(i, u->on_true) == next &&
	       or_next(i, u->on_false) == next;
}

static void target(struct codegen *c, uint8_t *b, const struct bir_block *to)
{
	int stream = bir_engine_stream(c->inst->engine);
	uint32_t pc;

	if (!to) {
		codegen_fail(c, CGN_BRANCH,
		             "a branch behind the last block; end the function "
		             "with Return or Exit");
		return;
	}
	if (c->mode == CODEGEN_COLLECT || stream < 0)
		return;
	pc = c->block_pc[to->id][stream];
	if (pc >= c->end[stream])
		codegen_fail(c, CGN_BRANCH,
		             "block %.60s is at the end of the stream; end it "
		             "with Return or Exit",
		             to->name);
	codegen_set(c, b, "target", pc);
}

static void branch(struct codegen *c, const struct bir_inst *i)
{
	const struct bir_branch *u = &i->u.branch;
	const struct bir_arg *rhs = i->in[1];
	const struct bir_block *to = or_next(i, u->on_true);
	uint8_t *b;
	int cmp = u->cmp;

	if (or_next(i, u->on_false) != i->block->next) {
		if (to != i->block->next) {
			codegen_fail(c, CGN_BRANCH,
			             "neither successor is the next block; put "
			             "one behind");
			return;
		}
		to = u->on_false;
		cmp = isa_bir_extra("CMP", cmp);
	}
	b = codegen_begin(c, TPB_OP_BRANCH);
	codegen_set(c, b, "cmp", codegen_wire(c, "CMP", cmp, "compare"));
	codegen_set(c, b, "dtype", codegen_dtype(c, i->in[0]->dtype));
	codegen_set(c, b, "lhs", codegen_reg(c, i->in[0]));
	if ((cmp >= TPB_BIR_CMP_LT_REG) != (rhs->kind == BIR_ARG_REG))
		codegen_fail(c, CGN_OPERAND,
		             "compare and operand are of different kinds; use "
		             "an _IMM compare with a number, a _REG one with "
		             "a register");
	else if (rhs->kind == BIR_ARG_REG)
		codegen_set(c, b, "rhs", codegen_reg(c, rhs));
	else
		codegen_set(c, b, "imm", (uint32_t)rhs->imm);
	target(c, b, to);
}

static void hint(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b = codegen_begin(c, TPB_OP_BRANCH_HINT);

	codegen_set(c, b, "hint", i->u.hint.hint);
	if (c->mode != CODEGEN_COLLECT && i->u.hint.branch)
		codegen_set(c, b, "target", c->inst_pc[i->u.hint.branch->id]);
}

/* ---- the rest ---- */

static void group_reset(struct codegen *c, const struct bir_inst *i)
{
	const struct bir_greset *u = &i->u.greset;
	uint8_t *b = codegen_begin(c, TPB_OP_GROUP_RESET);

	codegen_set(c, b, "mode", u->range ? TPB_CLEAR_RANGE : TPB_CLEAR_MASK);
	if (u->range) {
		codegen_set(c, b, "first", u->first);
		codegen_set(c, b, "last", u->last);
	} else {
		memcpy(codegen_at(b, "mask"), u->mask, sizeof(u->mask));
	}
}

static void core_barrier(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b = codegen_begin(c, TPB_OP_CORE_BARRIER);
	int id = i->u.cbar.id;

	if (id < 0)
		codegen_fail(c, CGN_STATE,
		             "a core barrier without a number; number them");
	/* One hardware barrier an engine, reused in turn. */
	codegen_set(c, b, "id", (id * 8 + (int)i->engine) & 0xFF);
	codegen_set(c, b, "index", id);
	if (i->nin && i->in[0])
		codegen_pattern(c, b, "tile", i->in[0]);
}

static void current_rank(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b = codegen_begin(c, TPB_OP_CUR_RANK);

	codegen_set(c, b, "group", i->u.rank.world);
	codegen_set(c, b, "channel", i->u.rank.channel);
	codegen_set(c, b, "iteration", i->u.rank.iter);
	codegen_set(c, b, "dst", codegen_reg(c, i->out[0]));
}

static bool plain(struct codegen *c, const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_NOOP: codegen_begin(c, TPB_OP_NOOP); return true;
	case BIR_IT_HALT: codegen_begin(c, TPB_OP_HALT); return true;
	case BIR_IT_EVENT_SEM:
		codegen_begin(c, TPB_OP_EVENT_SEMAPHORE);
		return true;
	case BIR_IT_ALL_BARRIER: codegen_begin(c, TPB_OP_BARRIER); return true;
	case BIR_IT_RETURN: codegen_begin(c, TPB_OP_RETURN); return true;
	case BIR_IT_EXIT: codegen_begin(c, TPB_OP_EXIT); return true;
	case BIR_IT_DRAIN:
		codegen_set(c, codegen_begin(c, TPB_OP_DRAIN), "count",
		            i->u.drain);
		return true;
	case BIR_IT_CALL:
		codegen_text(c, codegen_begin(c, TPB_OP_CALL), "callee",
		             i->u.callee->name);
		return true;
	case BIR_IT_GLOBAL_RANK:
		codegen_set(c, codegen_begin(c, TPB_OP_GLOBAL_RANK), "dst",
		            codegen_reg(c, i->out[0]));
		return true;
	default: return false;
	}
}

bool codegen_seq(struct codegen *c, const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_REG_ALU: register_alu(c, i); return true;
	case BIR_IT_REG_MOVE: register_move(c, i); return true;
	case BIR_IT_TENSOR_LOAD:
		memory(c, i->in[0], i->out[0], false);
		return true;
	case BIR_IT_TENSOR_SAVE: tensor_save(c, i); return true;
	case BIR_IT_BRANCH:
		if (!codegen_elided(i))
			branch(c, i);
		return true;
	case BIR_IT_JUMP:
		if (!codegen_elided(i))
			target(c, codegen_begin(c, TPB_OP_BRANCH),
			       i->u.branch.on_true);
		return true;
	case BIR_IT_BRANCH_HINT: hint(c, i); return true;
	case BIR_IT_GROUP_RESET: group_reset(c, i); return true;
	case BIR_IT_CORE_BARRIER: core_barrier(c, i); return true;
	case BIR_IT_PROC_RANK: current_rank(c, i); return true;
	default: return plain(c, i);
	}
}
