/* SPDX-License-Identifier: Apache-2.0
 *
 * What a coverage bin asks of the generator.  A bias makes things likely,
 * never certain, and changes nothing about what is legal.
 */
#include "harness/gen_priv.h"

#include "harness/coverage.h"

/* Rows about what one bundle is. */
static void bundle_bias(struct gen_bias *b, enum cover_row row,
                        const uint8_t *v)
{
	switch (row) {
	case COVER_WAIT:
	case COVER_WAIT_JOIN:
		b->op = v[0];
		b->wait = v[1];
		break;
	case COVER_UPDATE:
		b->op = v[0];
		b->update = v[1];
		break;
	case COVER_LANES:
		b->op = TPB_OP_EVENT_SEMAPHORE;
		b->wait = v[0];
		b->wait2 = v[1];
		break;
	case COVER_EXT:
		b->op = TPB_OP_EVENT_SEMAPHORE;
		b->update = v[0];
		break;
	case COVER_SYNC:
		b->wait = v[0];
		b->update = v[1];
		break;
	case COVER_STALL: b->wait = v[0]; break;
	case COVER_OP:
		b->op = v[0];
		b->engines = TPB_ENGINES;
		break;
	default: break;
	}
}

static void payload_bias(struct gen_bias *b, enum cover_row row,
                         const uint8_t *v)
{
	switch (row) {
	case COVER_ALU:
		b->op = TPB_OP_REGISTER_ALU;
		b->alu = v[0];
		b->alu_dtype = v[1];
		b->alu_imm = v[2];
		break;
	case COVER_ALU_A:
	case COVER_ALU_B:
		b->op = TPB_OP_REGISTER_ALU;
		b->alu = v[0];
		b->alu_dtype = v[1] ? 0x80 : TPB_DTYPE_INT32;
		break;
	case COVER_BRANCH:
		b->op = TPB_OP_BRANCH;
		b->cmp = v[0];
		b->cmp_dtype = v[1];
		break;
	case COVER_BRANCH_F32:
		b->op = TPB_OP_BRANCH;
		b->cmp = v[0];
		b->cmp_dtype = TPB_DTYPE_FLOAT32;
		break;
	case COVER_LOAD:
	case COVER_SAVE:
		b->op =
		    row == COVER_LOAD ? TPB_OP_TENSOR_LOAD : TPB_OP_TENSOR_SAVE;
		b->ls_dtype = v[0];
		b->ls_mem = v[1];
		b->ls_reg = v[2];
		break;
	case COVER_ELEMENTS:
		b->op = v[0];
		b->ls_count = v[1];
		break;
	case COVER_STEPS: b->op = v[0]; break;
	case COVER_MOVE_IMM:
	case COVER_MOVE_REG:
		b->op = TPB_OP_REGISTER_MOVE;
		b->move_count = v[1];
		b->move_source = row == COVER_MOVE_IMM;
		break;
	case COVER_GRESET: b->op = TPB_OP_GROUP_RESET; break;
	case COVER_HINT: b->op = TPB_OP_BRANCH_HINT; break;
	case COVER_DRAIN: b->op = TPB_OP_DRAIN; break;
	default: break;
	}
}

static void hazard_bias(struct gen_bias *b, enum cover_row row,
                        const uint8_t *v)
{
	static const uint8_t writer[] = {
	    TPB_OP_REGISTER_MOVE, TPB_OP_REGISTER_ALU, TPB_OP_REGISTER_ALU,
	    TPB_OP_TENSOR_LOAD,   TPB_OP_CUR_RANK,     TPB_OP_GLOBAL_RANK};

	switch (row) {
	case COVER_RAW: b->op = writer[v[0]]; break;
	case COVER_EDGE_SEM:
	case COVER_EDGE_EVT:
	case COVER_EDGE_TAKE:
	case COVER_EDGE_WIPE:
	case COVER_CLAIM:
		b->crowd = 1;
		b->engines = TPB_ENGINES;
		break;
	case COVER_JOIN:
		b->engines = v[1];
		b->calls = 1;
		break;
	case COVER_RETURN:
	case COVER_CALL:
	case COVER_CHAIN: b->calls = 1; break;
	case COVER_CONFLICT:
		b->crowd = 1;
		b->engines = TPB_ENGINES;
		b->op = TPB_OP_TENSOR_LOAD;
		b->ls_mem = v[0];
		break;
	case COVER_SHARE:
		b->crowd = 1;
		b->op = TPB_OP_TENSOR_SAVE;
		b->ls_mem = v[1];
		break;
	default: break;
	}
}

static void end_bias(struct gen_bias *b, enum cover_row row, const uint8_t *v)
{
	switch (row) {
	case COVER_FAULT:
		b->fault = v[0];
		b->fault_op = v[1];
		break;
	case COVER_FAULT_DTYPE:
		b->fault = TPB_FAULT_BAD_DTYPE;
		b->fault_op = v[0];
		break;
	case COVER_FAULT_NAME:
		b->fault = TPB_FAULT_UNRESOLVED;
		b->fault_op = v[0];
		break;
	case COVER_FAULT_OP: b->fault = TPB_FAULT_ILLEGAL_OPCODE; break;
	case COVER_FAULT_END: b->fault = TPB_FAULT_END_OF_STREAM; break;
	case COVER_FAULT_ALIGN:
		b->fault = TPB_FAULT_MISALIGNED;
		b->fault_op = v[0];
		b->ls_mem = v[1];
		break;
	case COVER_FAULT_ADDR:
		b->fault = TPB_FAULT_BAD_ADDR;
		b->fault_op = v[0];
		break;
	case COVER_FAULT_STACK: b->fault = v[0]; break;
	case COVER_FAULT_DEAD:
		b->fault = TPB_FAULT_DEADLOCK;
		b->fault_op = v[0];
		b->engines = TPB_ENGINES;
		break;
	case COVER_HALTED: b->fault = GEN_HALT; break;
	default: break;
	}
	if (b->op == TPB_OP_HALT)
		b->fault = GEN_HALT;
	if (b->op == TPB_OP_DMA_TRIGGER || b->op == TPB_OP_RESET_QUEUE ||
	    b->op == TPB_OP_SWITCH_QUEUE)
		b->dma = 1;
}

void gen_bias(struct gen_bias *bias, int bin)
{
	uint8_t v[3];
	enum cover_row row;

	memset(bias, 0xFF, sizeof(*bias));
	if (bin < 0 || bin >= COVERAGE_BINS)
		return;
	row = coverage_bin(bin, v);
	bundle_bias(bias, row, v);
	payload_bias(bias, row, v);
	hazard_bias(bias, row, v);
	end_bias(bias, row, v);
	gen_bias_units(bias, (int)row, v);
}

bool gen_focus_faults(int bin)
{
	struct gen_bias bias;

	gen_bias(&bias, bin);
	return bias.fault >= 0;
}
