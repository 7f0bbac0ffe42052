/* SPDX-License-Identifier: Apache-2.0
 *
 * The operands of a vector bundle, from its bytes.
 *
 * The bundle has passed decode, but nothing here relies on that: any bytes
 * give some operands.  Facts: docs/reference/vector.md, "Operands".
 */
#include "cmodel/vec.h"

uint8_t vec_size(uint8_t tag)
{
	static const uint8_t size[16] = {
	    [TPB_DTYPE_INT8] = 1,     [TPB_DTYPE_UINT8] = 1,
	    [TPB_DTYPE_INT16] = 2,    [TPB_DTYPE_UINT16] = 2,
	    [TPB_DTYPE_BFLOAT16] = 2, [TPB_DTYPE_FLOAT16] = 2,
	    [TPB_DTYPE_INT32] = 4,    [TPB_DTYPE_UINT32] = 4,
	    [TPB_DTYPE_FLOAT32] = 4,  [TPB_DTYPE_FLOAT32R] = 4,
	    [TPB_DTYPE_FP8E3] = 1,    [TPB_DTYPE_FP8E4] = 1,
	    [TPB_DTYPE_FP8E5] = 1,
	};

	return size[tag & 15] ? size[tag & 15] : 1;
}

static uint16_t vec_half(const struct tpb_engine_state *g, unsigned off)
{
	return (uint16_t)(cycle_word(g, off & ~3u) >> (off & 2) * 8);
}

/* The pattern with x dims at +off: {word, x steps, x counts}. */
static void vec_pattern(const struct tpb_engine_state *g, struct vec_walk *w,
                        unsigned off, unsigned x, uint8_t size)
{
	w->there = true;
	w->size = size;
	w->word = cycle_word(g, off);
	w->total = 1;
	w->lowest = 0;
	w->highest = 0;
	for (unsigned d = 0; d < VEC_DIMS; d++) {
		int16_t step = 0;
		uint16_t count = 1;

		if (d < x) {
			step = (int16_t)vec_half(g, off + 4 + 2 * d);
			count = vec_half(g, off + 4 + 2 * (x + d));
		}
		w->count[d] = count;
		w->step[d] = step * size;
		w->total *= count;
		int64_t span = (int64_t)w->step[d] * (count - 1);

		if (span < 0)
			w->lowest += span;
		else
			w->highest += span;
	}
}

static void vec_source(const struct tpb_engine_state *g, struct vec_op *op,
                       int walk, unsigned off, unsigned x, uint8_t tag)
{
	struct vec_walk *w = &op->walk[walk];

	vec_pattern(g, w, off, x, vec_size(tag));
	w->tag = tag;
	w->reads = walk != VEC_DST;
}

static void vec_immediate(const struct tpb_engine_state *g,
                          struct vec_scalar *s, unsigned kind, unsigned word,
                          uint8_t size)
{
	s->kind = cycle_byte(g, kind);
	s->word = cycle_word(g, word);
	s->size = size;
}

static bool vec_is_int32(uint8_t tag)
{
	return tag == TPB_DTYPE_INT32 || tag == TPB_DTYPE_UINT32;
}

/* 41 51 72 99: two sources. */
static void vec_two_sources(const struct tpb_engine_state *g, struct vec_op *op)
{
	uint8_t tags = cycle_byte(g, 0x0C);

	vec_source(g, op, 0, 0x10, 3, tags & 15);
	vec_source(g, op, 1, 0x20, 3, tags >> 4);
	vec_source(g, op, VEC_DST, 0x30, 3, cycle_byte(g, 0x0D));
	op->alu[0] = cycle_byte(g, 0x0E);
	op->n = cycle_byte(g, 0x0F);
	op->same = op->walk[1].tag == op->walk[VEC_DST].tag;
	op->integer = op->code == TPB_OP_TT_ARITH &&
	              vec_is_int32(op->walk[0].tag) &&
	              vec_is_int32(op->walk[1].tag) &&
	              vec_is_int32(op->walk[VEC_DST].tag) &&
	              vnum_is_integer_op(op->alu[0]);
}

/* 43 53 9A E6: a source and two scalars. */
static void vec_with_scalars(const struct tpb_engine_state *g,
                             struct vec_op *op)
{
	uint8_t size = 4;

	vec_source(g, op, 0, 0x10, 3, cycle_byte(g, 0x20));
	vec_source(g, op, VEC_DST, 0x30, 3, cycle_byte(g, 0x21));
	if (op->code == TPB_OP_TS_BITVEC)
		size = op->walk[0].size;
	vec_immediate(g, &op->scalar[0], 0x23, 0x28, size);
	vec_immediate(g, &op->scalar[1], 0x27, 0x2C, size);
	op->alu[0] = cycle_byte(g, 0x24);
	op->alu[1] = cycle_byte(g, 0x25);
	op->reverse = cycle_byte(g, 0x26);
	op->command = cycle_byte(g, 0x0C);
	op->sparse = op->code == TPB_OP_TS_REDUCE &&
	             op->walk[0].total != op->walk[VEC_DST].total;
}

/* 42 52 46 47 48 6F: a source of four dims to a destination of four. */
static void vec_one_source(const struct tpb_engine_state *g, struct vec_op *op)
{
	vec_source(g, op, 0, 0x0C, 4, cycle_byte(g, 0x20));
	vec_source(g, op, VEC_DST, 0x2C, 4, cycle_byte(g, 0x21));
	op->same = op->walk[0].tag == op->walk[VEC_DST].tag;
	op->word = cycle_word(g, 0x28);
	if (op->code != TPB_OP_TR_ARITH && op->code != TPB_OP_TR_BITVEC)
		return;
	op->grouped = true;
	op->alu[0] = cycle_byte(g, 0x24);
	op->negate = cycle_byte(g, 0x23) != 0;
	op->integer = op->code == TPB_OP_TR_ARITH &&
	              vec_is_int32(op->walk[0].tag) &&
	              vec_is_int32(op->walk[VEC_DST].tag);
}

/* E8: a mask and a scalar. */
static void vec_mask_scalar(const struct tpb_engine_state *g, struct vec_op *op)
{
	vec_source(g, op, 0, 0x10, 3, cycle_byte(g, 0x20));
	vec_source(g, op, VEC_DST, 0x30, 3, cycle_byte(g, 0x2A));
	vec_immediate(g, &op->scalar[0], 0x2B, 0x2C,
	              vec_size(cycle_byte(g, 0x29)));
	op->polarity = cycle_byte(g, 0x21);
}

static void vec_iota(const struct tpb_engine_state *g, struct vec_op *op)
{
	vec_pattern(g, &op->walk[0], 0x0C, 4, 1);
	vec_source(g, op, VEC_DST, 0x2C, 4, cycle_byte(g, 0x21));
	op->word = cycle_word(g, 0x24);
}

void vec_operands(const struct tpb_engine_state *g, struct vec_op *op)
{
	*op =
	    (struct vec_op){.code = cycle_byte(g, 0), .n = cycle_byte(g, 0x22)};
	switch (op->code) {
	case TPB_OP_TT_ARITH:
	case TPB_OP_TT_BITVEC:
	case TPB_OP_COPY_PRED:
	case TPB_OP_CAST_PRED: vec_two_sources(g, op); break;
	case TPB_OP_TS_ARITH:
	case TPB_OP_TS_BITVEC:
	case TPB_OP_TS_REDUCE:
	case TPB_OP_TS_CUMULATIVE: vec_with_scalars(g, op); break;
	case TPB_OP_COPY_PRED_SCALAR: vec_mask_scalar(g, op); break;
	case TPB_OP_MEMSET:
		vec_source(g, op, VEC_DST, 0x2C, 4, cycle_byte(g, 0x20));
		op->word = cycle_word(g, 0x28);
		op->lead = VEC_DST;
		break;
	case TPB_OP_MAX8:
	case TPB_OP_FIND_INDEX8:
		vec_source(g, op, 0, 0x0C, 4, cycle_byte(g, 0x20));
		vec_source(g, op, VEC_DST, 0x30, 2, cycle_byte(g, 0x21));
		op->results = true;
		break;
	case TPB_OP_MATCH_LOAD:
		vec_source(g, op, 0, 0x10, 2, cycle_byte(g, 0x20));
		break;
	case TPB_OP_READ_ACC:
		vec_source(g, op, VEC_DST, 0x2C, 1, cycle_byte(g, 0x20));
		op->negate = cycle_byte(g, 0x21) != 0;
		op->lead = VEC_DST;
		break;
	case TPB_OP_IOTA: vec_iota(g, op); break;
	default: vec_one_source(g, op); break;
	}
}
