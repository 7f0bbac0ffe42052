/* SPDX-License-Identifier: Apache-2.0
 *
 * Scalar operators, branches and DMA copies of KLR as instructions of the IR.
 *
 * Register operations stand on ALL, branches on no engine; who executes them
 * is decided later.
 */
#include "compiler/klr/lower.h"

static void reg_move(struct klr_lowerer *l, const struct klr_stmt *s)
{
	struct bir_inst *i = klr_lower_inst(l, s, BIR_IT_REG_MOVE, BIR_ENG_ALL);

	bir_in(i, klr_lower_operand(l, s, "imm"));
	bir_out(i, klr_lower_operand(l, s, "dst"));
}

static void reg_alu(struct klr_lowerer *l, const struct klr_stmt *s)
{
	struct bir_inst *i = klr_lower_inst(l, s, BIR_IT_REG_ALU, BIR_ENG_ALL);

	bir_out(i, klr_lower_operand(l, s, "dst"));
	bir_in(i, klr_lower_operand(l, s, "src"));
	bir_in(i, klr_lower_operand(l, s, "imm"));
	i->u.alu.op0 = klr_alu_bir((int)klr_operand(s, "op")->i);
}

static void load(struct klr_lowerer *l, const struct klr_stmt *s)
{
	struct bir_inst *i =
	    klr_lower_inst(l, s, BIR_IT_TENSOR_LOAD, BIR_ENG_NONE);

	bir_out(i, klr_lower_operand(l, s, "dst"));
	bir_in(i, klr_lower_operand(l, s, "src"));
}

static void store(struct klr_lowerer *l, const struct klr_stmt *s)
{
	struct bir_inst *i =
	    klr_lower_inst(l, s, BIR_IT_TENSOR_SAVE, BIR_ENG_NONE);

	bir_in(i, klr_lower_operand(l, s, "src"));
	bir_out(i, klr_lower_operand(l, s, "dst"));
}

static struct bir_block *block(struct klr_lowerer *l, const struct klr_stmt *s,
                               const char *name)
{
	return klr_names_get(l->blocks, klr_operand(s, name)->s);
}

static void branch(struct klr_lowerer *l, const struct klr_stmt *s)
{
	int op = (int)klr_operand(s, "op")->i;
	struct bir_inst *i;

	i = klr_lower_inst(l, s, op ? BIR_IT_BRANCH : BIR_IT_JUMP,
	                   BIR_ENG_NONE);
	i->u.branch.on_true = block(l, s, "trueLabel");
	if (!op)
		return;
	i->u.branch.on_false = block(l, s, "falseLabel");
	i->u.branch.cmp = op - 1; /* KLR's `always` is not in the IR's list */
	bir_in(i, klr_lower_operand(l, s, "reg1"));
	bir_in(i, klr_lower_operand(l, s,
	                            op <= KLR_BRANCH_gt_imm ? "imm" : "reg2"));
}

static void rank_id(struct klr_lowerer *l, const struct klr_stmt *s)
{
	struct bir_inst *i =
	    klr_lower_inst(l, s, BIR_IT_GLOBAL_RANK, BIR_ENG_ALL);

	i->u.rank.world = l->m->cores;
	bir_out(i, klr_lower_operand(l, s, "dst"));
}

/* The tile is operand and result, so that the barrier is ordered with all
 * that touches it.  Its number is given later. */
static void core_barrier(struct klr_lowerer *l, const struct klr_stmt *s)
{
	const struct klr_value *cores = klr_operand(s, "cores");
	const struct klr_value *data = klr_operand(s, "data");
	struct bir_inst *i;

	if (l->m->gen < 3) {
		klr_error_at(&l->rep, s->pos, KLR_E_BUILT,
		             "gen2 has no coreBarrier; compile for gen3");
		return;
	}
	if (l->m->cores != 2 || cores->nitems != 2 || cores->item[0].i != 0 ||
	    cores->item[1].i != 1) {
		klr_error_at(&l->rep, s->pos, KLR_E_EDGE,
		             "coreBarrier joins cores=[0, 1] of a kernel with "
		             "core 0 { } and core 1 { }; write both");
		return;
	}
	if (data->kind != KLR_V_REF || !data->ref->tensor ||
	    data->ref->tensor->memory != KLR_SBUF) {
		klr_error_at(&l->rep, s->pos, KLR_E_MEMORY,
		             "data of coreBarrier is a tensor in SBUF; declare "
		             "it in sbuf");
		return;
	}
	i = klr_lower_inst(l, s, BIR_IT_CORE_BARRIER, klr_lower_engine(s));
	bir_in(i, klr_lower_operand(l, s, "data"));
	bir_out(i, klr_lower_operand(l, s, "data"));
	i->u.cbar.id = -1;
	for (int n = 0; n < cores->nitems; n++)
		i->u.cbar.core[i->u.cbar.ncore++] = (int)cores->item[n].i;
}

static void dma_copy(struct klr_lowerer *l, const struct klr_stmt *s)
{
	static const enum bir_dge dge[] = {BIR_DGE_UNASSIGNED, BIR_DGE_SW,
	                                   BIR_DGE_HW, BIR_DGE_NONE};
	const struct klr_value *priority = klr_operand(s, "priority");
	const struct klr_value *queue = klr_operand(s, "queue");
	enum bir_engine e = klr_lower_engine(s);
	struct bir_inst *i;

	if (klr_operand(s, "compute_op")->i) {
		klr_error_at(&l->rep, klr_operand(s, "compute_op")->pos,
		             KLR_E_BUILT,
		             "a DMA that adds is not built; copy to SBUF and "
		             "use tensorTensor");
		return;
	}
	if (klr_operand(s, "oobMode")->kind == KLR_V_REGISTER) {
		klr_error_at(&l->rep, klr_operand(s, "oobMode")->pos,
		             KLR_E_BUILT,
		             "a bound in a register is not built; write skip "
		             "or error");
		return;
	}
	/* unassigned and dma both mean: no engine given */
	i = klr_lower_inst(l, s, BIR_IT_DMA_COPY,
	                   e == BIR_ENG_NONE ? BIR_ENG_DMA : e);
	i->u.dma.dge = dge[klr_operand(s, "dgeMode")->i];
	i->u.dma.oob_skip = klr_operand(s, "oobMode")->kind == KLR_V_SKIP;
	if (priority->kind != KLR_V_NONE)
		i->u.dma.qos = (int)priority->i;
	if (queue->kind != KLR_V_NONE)
		i->u.dma.queue = arena_strdup(l->m->arena, queue->s);
	bir_in(i, klr_lower_operand(l, s, "src"));
	bir_out(i, klr_lower_operand(l, s, "dst"));
}

bool klr_lower_scalar(struct klr_lowerer *l, const struct klr_stmt *s)
{
	switch (s->op) {
	case KLR_OP_registerMove: reg_move(l, s); break;
	case KLR_OP_registerAluOp: reg_alu(l, s); break;
	case KLR_OP_tensorLoad: load(l, s); break;
	case KLR_OP_tensorStore: store(l, s); break;
	case KLR_OP_cmpBranch: branch(l, s); break;
	case KLR_OP_rankId: rank_id(l, s); break;
	case KLR_OP_coreBarrier: core_barrier(l, s); break;
	case KLR_OP_ncDmaCopy: dma_copy(l, s); break;
	default: return false;
	}
	return true;
}
