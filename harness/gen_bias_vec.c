/* SPDX-License-Identifier: Apache-2.0
 *
 * What a coverage bin of the vector units or of the DMA unit asks of the
 * generator.
 */
#include "harness/gen_priv.h"

#include "harness/coverage.h"

enum { POOL_BIT = 1 << TPB_ENGINE_POOL, DVE_BIT = 1 << TPB_ENGINE_DVE };

static void types(struct gen_bias *b, int op, int in, int in1, int out)
{
	b->op = op;
	b->vec_in = in;
	b->vec_in1 = in1;
	b->vec_out = out;
}

static void type_bias(struct gen_bias *b, enum cover_row row, const uint8_t *v)
{
	switch (row) {
	case COVER_VEC_TT_IN: types(b, TPB_OP_TT_ARITH, v[0], v[1], -1); break;
	case COVER_VEC_TT: types(b, TPB_OP_TT_ARITH, v[0], -1, v[1]); break;
	case COVER_VEC_TS: types(b, TPB_OP_TS_ARITH, v[0], -1, v[1]); break;
	case COVER_VEC_TR: types(b, TPB_OP_TR_ARITH, v[0], -1, v[1]); break;
	case COVER_VEC_RECIP:
		types(b, TPB_OP_RECIPROCAL, v[0], -1, v[1]);
		break;
	case COVER_VEC_CAST: types(b, TPB_OP_CAST, v[0], -1, v[1]); break;
	case COVER_VEC_COPY:
		types(b, TPB_OP_COPY, v[0] ? -1 : v[1], -1, v[0] ? v[1] : -1);
		break;
	case COVER_VEC_FILL: types(b, v[0], -1, -1, v[1]); break;
	case COVER_VEC_BITS:
	case COVER_VEC_MATCH: types(b, v[0], v[1], -1, -1); break;
	case COVER_VEC_FOLD: types(b, v[0], v[1], -1, v[2]); break;
	case COVER_VEC_MAX8: types(b, TPB_OP_MAX8, v[0], -1, v[1]); break;
	case COVER_VEC_FIND:
		types(b, TPB_OP_FIND_INDEX8, v[0], -1, v[1]);
		break;
	case COVER_VEC_PRED:
		types(b, v[0], v[0] == TPB_OP_COPY_PRED ? v[2] : -1, v[1],
		      v[2]);
		break;
	case COVER_VEC_CASTPRED:
		types(b, TPB_OP_CAST_PRED, v[0], -1, v[1]);
		break;
	case COVER_VEC_ACC: types(b, TPB_OP_READ_ACC, -1, -1, v[0]); break;
	default: break;
	}
}

static void alu(struct gen_bias *b, int op, int alu0, int alu1)
{
	b->op = op;
	b->vec_alu = alu0;
	b->vec_alu1 = alu1;
}

static const uint8_t int_of[5] = {0, TPB_DTYPE_INT8, TPB_DTYPE_INT16, 0,
                                  TPB_DTYPE_INT32};

static void alu_bias(struct gen_bias *b, enum cover_row row, const uint8_t *v)
{
	switch (row) {
	case COVER_VEC_ALU_TT:
		alu(b, TPB_OP_TT_ARITH, v[0], -1);
		if (v[1])
			b->vec_in = b->vec_in1 = b->vec_out = TPB_DTYPE_INT32;
		break;
	case COVER_VEC_ALU_BAND: alu(b, TPB_OP_TT_ARITH, v[0], -1); break;
	case COVER_VEC_ALU_TS0:
		alu(b, TPB_OP_TS_ARITH, v[0], -1);
		b->vec_rev = v[1];
		break;
	case COVER_VEC_ALU_TS1:
		alu(b, TPB_OP_TS_ARITH, -1, v[0]);
		b->vec_rev = v[1] << 1;
		break;
	case COVER_VEC_ALU_TTB:
		alu(b, TPB_OP_TT_BITVEC, v[0], -1);
		b->vec_in = int_of[v[1]];
		break;
	case COVER_VEC_ALU_TSB0:
		alu(b, TPB_OP_TS_BITVEC, v[0], -1);
		b->vec_in = int_of[v[1]];
		b->vec_rev = v[2];
		break;
	case COVER_VEC_ALU_TSB1:
		alu(b, TPB_OP_TS_BITVEC, -1, v[0]);
		b->vec_in = int_of[v[1]];
		break;
	case COVER_VEC_ALU_F0: alu(b, v[1], v[0], -1); break;
	case COVER_VEC_ALU_F1:
		alu(b, v[2], -1, v[0]);
		b->vec_cmd = v[1];
		break;
	case COVER_VEC_ALU_TR:
		alu(b, TPB_OP_TR_ARITH, v[0], -1);
		if (v[1])
			b->vec_in = b->vec_out = TPB_DTYPE_INT32;
		break;
	case COVER_VEC_ALU_TRB:
		alu(b, TPB_OP_TR_BITVEC, v[0], -1);
		b->vec_in = int_of[v[1]];
		break;
	case COVER_VEC_RESULTS: b->op = TPB_OP_TS_REDUCE; break;
	default: break;
	}
}

static void scalar_bias(struct gen_bias *b, enum cover_row row,
                        const uint8_t *v)
{
	switch (row) {
	case COVER_VEC_SCALAR:
		b->op = v[0];
		*(v[1] ? &b->vec_kind1 : &b->vec_kind0) = v[2];
		b->vec_cmd = TPB_ACC_LOAD_ACC;
		break;
	case COVER_VEC_SCALARP:
		b->op = TPB_OP_COPY_PRED_SCALAR;
		b->vec_kind0 = v[0];
		break;
	case COVER_VEC_POINTER:
		b->op = TPB_OP_TS_ARITH;
		b->vec_mem = v[1] ? 8 << v[0] : 0;
		break;
	default: break;
	}
}

static void place_bias(struct gen_bias *b, enum cover_row row, const uint8_t *v)
{
	switch (row) {
	case COVER_VEC_SRC3:
	case COVER_VEC_SRC4:
	case COVER_VEC_SCAN:
	case COVER_VEC_DST3:
	case COVER_VEC_DST4:
		b->op = v[0];
		b->vec_dims = v[1];
		break;
	case COVER_VEC_SRC_STEP:
	case COVER_VEC_DST_STEP:
		b->op = v[0];
		b->vec_step = v[1];
		break;
	case COVER_VEC_CH32:
	case COVER_VEC_CH64:
		b->vec_start = v[2];
		/* fall through */
	case COVER_VEC_CH128:
		b->vec_ch = v[1];
		b->must = 1 << v[0];
		break;
	case COVER_VEC_MEM1: b->vec_mem = v[0] | v[1] << 2; break;
	case COVER_VEC_MEM2:
		b->op = TPB_OP_TT_ARITH;
		b->vec_mem = v[0] | v[1] << 2;
		break;
	case COVER_VEC_FORM:
		b->must = 1 << v[0];
		b->vec_reg = v[2];
		break;
	case COVER_VEC_OVERLAP:
	case COVER_VEC_HAZARD:
	case COVER_VEC_STALL:
	case COVER_VEC_LENGTH: b->must = 1 << v[0]; break;
	case COVER_VEC_WAIT:
		b->must = 1 << v[0];
		b->wait = v[1];
		break;
	case COVER_VEC_UPDATE:
		b->must = 1 << v[0];
		b->update = v[1];
		break;
	case COVER_VEC_POOL:
	case COVER_VEC_DVE: b->op = v[0]; break;
	case COVER_VEC_WLOST:
	case COVER_VEC_RSBUF:
	case COVER_VEC_RPSUM: b->engines = TPB_ENGINES; break;
	default: break;
	}
}

static void dma_bias(struct gen_bias *b, enum cover_row row, const uint8_t *v)
{
	if (row >= COVER_DMA_TRIGGER && row <= COVER_DMA_BAD)
		b->dma = 1;
	switch (row) {
	case COVER_DMA_TRIGGER: b->op = TPB_OP_DMA_TRIGGER; break;
	case COVER_DMA_RESET: b->op = TPB_OP_RESET_QUEUE; break;
	case COVER_DMA_SWITCH: b->op = TPB_OP_SWITCH_QUEUE; break;
	case COVER_DMA_HELD:
		b->op = v[0] == 1   ? TPB_OP_RESET_QUEUE
		        : v[0] == 2 ? TPB_OP_SWITCH_QUEUE
		                    : TPB_OP_DMA_TRIGGER;
		break;
	case COVER_DMA_DRAINED: b->op = v[0]; break;
	case COVER_DMA_PENDING: b->engines = TPB_ENGINES; break;
	case COVER_DMA_BLOCK: b->dma_mode = v[0]; break;
	case COVER_DMA_MEM:
		b->dma_src = v[0];
		b->dma_dst = v[1];
		break;
	case COVER_DMA_TYPE:
		b->dma_in = v[0];
		b->dma_out = v[1];
		break;
	case COVER_DMA_LONG: b->dma_long = 1; /* fall through */
	case COVER_DMA_BAD: b->fault = TPB_FAULT_END_OF_STREAM; break;
	default: break;
	}
}

static void fault_bias(struct gen_bias *b, enum cover_row row, const uint8_t *v)
{
	switch (row) {
	case COVER_FAULT_VEC:
		b->fault = v[0];
		b->fault_op = v[1];
		b->must =
		    strchr(isa_op(v[1])->engines, 'D') ? DVE_BIT : POOL_BIT;
		b->culprit = b->must;
		break;
	case COVER_FAULT_VADDR:
		b->fault = TPB_FAULT_BAD_ADDR;
		b->bad_place = v[0];
		b->fault_op = v[0] == 6 ? TPB_OP_MEMSET : TPB_OP_TT_ARITH;
		b->must = v[0] == 5 ? POOL_BIT : DVE_BIT;
		b->culprit = b->must;
		break;
	case COVER_FAULT_VSTART:
		b->fault = TPB_FAULT_BAD_ADDR;
		b->fault_op = TPB_OP_MEMSET;
		b->bad_place = 2;
		b->bad_start = v[0] & 15;
		b->vec_ch = 32 * (v[0] >> 4) + 32;
		b->must = DVE_BIT;
		b->culprit = b->must;
		b->sure = 1;
		break;
	case COVER_FAULT_QUEUE:
		b->fault = TPB_FAULT_DMA_QUEUE;
		b->fault_op = v[1];
		b->dma = 1;
		b->engines = v[0] == 1 ? 2 : -1;
		break;
	case COVER_FAULT_QINST:
		b->fault = TPB_FAULT_DMA_QUEUE;
		b->fault_op = v[0];
		b->dma = 1;
		break;
	default: break;
	}
}

void gen_bias_units(struct gen_bias *b, int row, const uint8_t v[3])
{
	type_bias(b, (enum cover_row)row, v);
	alu_bias(b, (enum cover_row)row, v);
	scalar_bias(b, (enum cover_row)row, v);
	place_bias(b, (enum cover_row)row, v);
	dma_bias(b, (enum cover_row)row, v);
	fault_bias(b, (enum cover_row)row, v);
	if (b->op >= 0 && gen_is_vector((uint8_t)b->op) && b->must < 0)
		b->must = strchr(isa_op((uint8_t)b->op)->engines, 'D')
		              ? DVE_BIT
		              : POOL_BIT;
}
