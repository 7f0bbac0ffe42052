/* SPDX-License-Identifier: Apache-2.0
 *
 * The decode rules of vector bundles: docs/reference/decode.md, "Vector
 * bundles".  A table says where each op has its operands; the rules that all
 * ops share work on it, the others are in one function a family.
 */
#include "cmodel/decode.h"

#define DECODE_WALKS 3
#define DECODE_DST 2
#define DECODE_PARTITIONS 128

#define POOL (1u << TPB_ENGINE_POOL)
#define DVE (1u << TPB_ENGINE_DVE)
#define B(x) DECODE_BYTE(x)
#define R(first, last) DECODE_RANGE(first, last)

/* Offsets of 0 mean "not there": byte 0 is the opcode. */
struct decode_layout {
	uint8_t op;
	uint8_t engines;
	uint8_t channels;
	struct {
		uint8_t off, dims;
	} walk[DECODE_WALKS];
	struct {
		uint8_t kind, word;
	} scalar[2];
	uint64_t named;
};

/* clang-format off */
#define TWO {0x10, 3}, {0x20, 3}, {0x30, 3}
#define ONE {0x10, 3}, {0, 0}, {0x30, 3}
#define FOUR {0x0C, 4}, {0, 0}, {0x2C, 4}
#define NONE {0, 0}
#define SCALARS {0x23, 0x28}, {0x27, 0x2C}
static const struct decode_layout decode_layouts[] = {
	{TPB_OP_TT_ARITH, POOL | DVE, 0x0F, {TWO}, {NONE}, R(0x0C, 0x3F)},
	{TPB_OP_TT_BITVEC, POOL | DVE, 0x0F, {TWO}, {NONE}, R(0x0C, 0x3F)},
	{TPB_OP_COPY_PRED, DVE, 0x0F, {TWO}, {NONE}, R(0x0C, 0x3F)},
	{TPB_OP_CAST_PRED, DVE, 0x0F, {TWO}, {NONE}, R(0x0C, 0x3F)},
	{TPB_OP_TS_ARITH, DVE, 0x22, {ONE}, {SCALARS}, B(0x0C) | R(0x10, 0x3F)},
	{TPB_OP_TS_BITVEC, DVE, 0x22, {ONE}, {SCALARS},
	 B(0x0C) | R(0x10, 0x3F)},
	{TPB_OP_TS_REDUCE, DVE, 0x22, {ONE}, {SCALARS},
	 B(0x0C) | R(0x10, 0x3F)},
	{TPB_OP_TS_CUMULATIVE, DVE, 0x22, {ONE}, {SCALARS},
	 B(0x0C) | R(0x10, 0x3F)},
	{TPB_OP_TR_ARITH, DVE, 0x22, {FOUR}, {NONE},
	 R(0x0C, 0x25) | R(0x2C, 0x3F)},
	{TPB_OP_TR_BITVEC, POOL | DVE, 0x22, {FOUR}, {NONE},
	 R(0x0C, 0x25) | R(0x2C, 0x3F)},
	{TPB_OP_COPY, POOL | DVE, 0x22, {FOUR}, {NONE},
	 R(0x0C, 0x22) | B(0x25) | R(0x2C, 0x3F)},
	{TPB_OP_CAST, POOL | DVE, 0x22, {FOUR}, {NONE},
	 R(0x0C, 0x22) | B(0x25) | R(0x2C, 0x3F)},
	{TPB_OP_RECIPROCAL, DVE, 0x22, {FOUR}, {NONE},
	 R(0x0C, 0x22) | B(0x25) | R(0x2C, 0x3F)},
	{TPB_OP_MEMSET, POOL | DVE, 0x22, {NONE, NONE, {0x2C, 4}}, {NONE},
	 R(0x1C, 0x20) | B(0x22) | B(0x24) | R(0x28, 0x3F)},
	{TPB_OP_MAX8, DVE, 0x22, {{0x0C, 4}, NONE, {0x30, 2}}, {NONE},
	 R(0x0C, 0x22) | R(0x30, 0x3B)},
	{TPB_OP_FIND_INDEX8, DVE, 0x22, {{0x0C, 4}, NONE, {0x30, 2}}, {NONE},
	 R(0x0C, 0x22) | R(0x30, 0x3B)},
	{TPB_OP_MATCH_LOAD, DVE, 0x22, {{0x10, 2}, NONE, NONE}, {NONE},
	 R(0x10, 0x1B) | B(0x20) | B(0x22)},
	{TPB_OP_MATCH_REPLACE8, DVE, 0x22, {FOUR}, {NONE},
	 R(0x0C, 0x22) | R(0x28, 0x3F)},
	{TPB_OP_COPY_PRED_SCALAR, DVE, 0x22, {ONE}, {{0x2B, 0x2C}},
	 R(0x10, 0x22) | R(0x29, 0x3F)},
	{TPB_OP_READ_ACC, DVE, 0x22, {NONE, NONE, {0x2C, 1}}, {NONE},
	 R(0x1C, 0x22) | R(0x2C, 0x33)},
	{TPB_OP_IOTA, POOL, 0x22, {FOUR}, {NONE},
	 R(0x0C, 0x1F) | B(0x21) | B(0x22) | R(0x24, 0x27) | R(0x2C, 0x3F)},
};
/* clang-format on */
#undef POOL
#undef DVE
#undef B
#undef R
#undef TWO
#undef ONE
#undef FOUR
#undef NONE
#undef SCALARS

static const struct decode_layout *decode_layout(uint8_t op)
{
	for (size_t i = 0; i < sizeof(decode_layouts) / sizeof(*decode_layouts);
	     i++)
		if (decode_layouts[i].op == op)
			return &decode_layouts[i];
	return NULL;
}

uint64_t decode_vec_named(int gen, int engine, uint8_t op)
{
	const struct decode_layout *l = decode_layout(op);
	bool late = op == TPB_OP_TS_REDUCE || op == TPB_OP_READ_ACC ||
	            op == TPB_OP_TS_CUMULATIVE;

	if (!l || !(l->engines >> engine & 1) || (late && gen == 2))
		return 0;
	return l->named;
}

/* ------------------------------------------------------------------ *
 * Sets.                                                              *
 * ------------------------------------------------------------------ */

/* Dtype tags, bit i: tag i. */
#define SET_I 0x033Cu
#define SET_DP 0xE7FCu
#define SET_DPR 0xEFFCu
#define SET_NW 0xE4FCu
#define SET_NWR 0xECFCu
#define SET_ACC 0xECC0u
#define SET_INDEX 0x0220u

/* ALU bytes, bit i: byte i.  The int32 band is apart. */
#define SET_GEN4 0x300000000ull
#define SET_ARITH 0x2B7CE3F1ull
#define SET_GENERAL 0x037CE371ull
#define SET_BITVEC 0x00031C0Eull
#define SET_FOLD 0x00000370ull
#define SET_REDUCE 0x0000E370ull
#define SET_REDUCE_BITS 0x00001C00ull

static bool decode_in(uint64_t set, unsigned value)
{
	return value < 64 && (set >> value & 1);
}

static void decode_dtype(struct decode *d, unsigned tag, unsigned set)
{
	decode_if(d, !decode_in(set, tag), TPB_FAULT_BAD_DTYPE);
}

static void decode_alu_byte(struct decode *d, unsigned off, uint64_t set)
{
	decode_if(d, !decode_in(set, d->b[off]), TPB_FAULT_BAD_FIELD);
}

/* The set with what gen4 adds to it. */
static uint64_t decode_late(int gen, uint64_t set)
{
	return gen >= 4 ? set | SET_GEN4 : set;
}

static void decode_field(struct decode *d, bool broken)
{
	decode_if(d, broken, TPB_FAULT_BAD_FIELD);
}

static int decode_size(unsigned tag)
{
	if (tag == TPB_DTYPE_INT8 || tag == TPB_DTYPE_UINT8 ||
	    (tag >= TPB_DTYPE_FP8E3 && tag <= TPB_DTYPE_FP8E5))
		return 1;
	return tag >= TPB_DTYPE_INT16 && tag <= TPB_DTYPE_FLOAT16 ? 2 : 4;
}

/* ------------------------------------------------------------------ *
 * What all ops share.                                                *
 * ------------------------------------------------------------------ */

/* Elements of each walk; 0 for one that is not there. */
struct decode_counts {
	uint64_t n[DECODE_WALKS];
};

static uint64_t decode_pattern(struct decode *d, unsigned off, unsigned dims)
{
	uint64_t total = 1;

	for (unsigned i = 0; i < dims; i++) {
		const uint8_t *c = d->b + off + 4 + 2 * (dims + i);

		total *= (uint64_t)c[0] | (uint64_t)c[1] << 8;
	}
	decode_field(d, total == 0 || total > UINT32_MAX);
	return total;
}

static struct decode_counts decode_operands(struct decode *d,
                                            const struct decode_layout *l)
{
	struct decode_counts k = {{0}};
	uint8_t channels = d->b[l->channels];

	decode_field(d, channels == 0 || channels > DECODE_PARTITIONS);
	for (int i = 0; i < DECODE_WALKS; i++) {
		unsigned off = l->walk[i].off;
		uint32_t word = decode_word(d, off);

		if (off == 0)
			continue;
		k.n[i] = decode_pattern(d, off, l->walk[i].dims);
		if (l->op == TPB_OP_IOTA && i != DECODE_DST)
			continue; /* a base, no address */
		decode_if(d, word >> 31 && (word & 0xFF) >= TPB_REGS,
		          TPB_FAULT_BAD_REG);
	}
	for (int i = 0; i < 2; i++) {
		uint8_t kind = d->b[l->scalar[i].kind];

		if (l->scalar[i].kind == 0)
			continue;
		decode_field(d, kind > TPB_IMM_REG);
		decode_if(d,
		          kind == TPB_IMM_REG &&
		              decode_word(d, l->scalar[i].word) >= TPB_REGS,
		          TPB_FAULT_BAD_REG);
	}
	return k;
}

/* ------------------------------------------------------------------ *
 * Families.                                                          *
 * ------------------------------------------------------------------ */

static bool decode_int32(unsigned tag)
{
	return tag == TPB_DTYPE_INT32 || tag == TPB_DTYPE_UINT32;
}

static void decode_tensor_tensor(struct decode *d, int gen)
{
	unsigned in0 = d->b[0x0C] & 15u, in1 = d->b[0x0C] >> 4u;
	unsigned out = d->b[0x0D], op = d->b[0x0E];
	bool words =
	    decode_int32(in0) && decode_int32(in1) && decode_int32(out);

	if (d->b[0] == TPB_OP_TT_BITVEC) {
		decode_dtype(d, in0, SET_I);
		decode_dtype(d, in1, SET_I);
		decode_dtype(d, out, SET_I);
		decode_if(d,
		          decode_size(in0) != decode_size(in1) ||
		              decode_size(in0) != decode_size(out),
		          TPB_FAULT_BAD_DTYPE);
		decode_alu_byte(d, 0x0E, SET_BITVEC);
		return;
	}
	decode_dtype(d, in0, SET_DP);
	decode_dtype(d, in1, SET_DP);
	decode_dtype(d, out, SET_DPR);
	if (op >= TPB_ALU_ADD_INT && op <= TPB_ALU_MOD_INT)
		decode_if(d, !words, TPB_FAULT_BAD_DTYPE);
	else
		decode_alu_byte(d, 0x0E, decode_late(gen, SET_ARITH));
}

static bool decode_shifts_left(unsigned op)
{
	return op == TPB_ALU_ARITH_SHL || op == TPB_ALU_LOGICAL_SHL;
}

static bool decode_shifts_right(unsigned op)
{
	return op == TPB_ALU_ARITH_SHR || op == TPB_ALU_LOGICAL_SHR;
}

static void decode_scalar_bits(struct decode *d)
{
	unsigned op0 = d->b[0x24], op1 = d->b[0x25], tag = d->b[0x20];
	bool both = (decode_shifts_left(op0) && decode_shifts_right(op1)) ||
	            (decode_shifts_right(op0) && decode_shifts_left(op1));

	decode_dtype(d, tag, SET_I);
	decode_dtype(d, d->b[0x21], SET_I);
	decode_field(d, d->b[0x0C] != 0);
	decode_alu_byte(d, 0x24, SET_BITVEC);
	decode_alu_byte(d, 0x25, SET_BITVEC | 1);
	decode_if(d, tag != d->b[0x21] || (both && decode_size(tag) != 4),
	          TPB_FAULT_BAD_DTYPE);
}

static void decode_tensor_scalar(struct decode *d, int gen,
                                 const struct decode_counts *k)
{
	uint8_t op = d->b[0];
	bool one = op == TPB_OP_TS_REDUCE && k->n[DECODE_DST] == 1;

	decode_field(d, d->b[0x26] > 3);
	decode_field(d, k->n[0] != k->n[DECODE_DST] && !one);
	if (op == TPB_OP_TS_BITVEC) {
		decode_scalar_bits(d);
	} else if (op == TPB_OP_TS_ARITH) {
		decode_dtype(d, d->b[0x20], SET_DP);
		decode_dtype(d, d->b[0x21], SET_DPR);
		decode_field(d, d->b[0x0C] != 0);
		decode_alu_byte(d, 0x24, decode_late(gen, SET_ARITH));
		decode_alu_byte(d, 0x25, decode_late(gen, SET_ARITH));
		decode_field(d, d->b[0x24] == TPB_ALU_BYPASS &&
		                    d->b[0x25] != TPB_ALU_BYPASS);
	} else {
		unsigned command = d->b[0x0C];

		decode_dtype(d, d->b[0x20], SET_NW);
		decode_dtype(d, d->b[0x21], SET_NWR);
		decode_field(d, command < TPB_ACC_ACCUMULATE ||
		                    command > TPB_ACC_LOAD_ACC);
		decode_field(
		    d, command != TPB_ACC_LOAD_ACC &&
		           (d->b[0x27] != 0 || decode_word(d, 0x2C) != 0));
		decode_alu_byte(d, 0x24, decode_late(gen, SET_GENERAL));
		decode_alu_byte(d, 0x25, SET_FOLD);
	}
}

static void decode_tensor_reduce(struct decode *d, int gen,
                                 const struct decode_counts *k)
{
	uint64_t in = k->n[0], out = k->n[DECODE_DST];

	if (d->b[0] == TPB_OP_TR_ARITH) {
		decode_dtype(d, d->b[0x20], SET_DP);
		decode_dtype(d, d->b[0x21], SET_DPR);
		decode_field(d, d->b[0x23] > 1);
		decode_alu_byte(d, 0x24, decode_late(gen, SET_REDUCE));
	} else {
		decode_dtype(d, d->b[0x20], SET_I);
		decode_dtype(d, d->b[0x21], SET_I);
		decode_field(d, d->b[0x23] != 0);
		decode_alu_byte(d, 0x24, SET_REDUCE_BITS);
		decode_if(d, decode_size(d->b[0x20]) != decode_size(d->b[0x21]),
		          TPB_FAULT_BAD_DTYPE);
	}
	decode_field(d, d->b[0x25] < 2 || d->b[0x25] > 5);
	decode_field(d, out > in || (out != 0 && in % out != 0));
}

static void decode_move_out(struct decode *d, const struct decode_counts *k)
{
	unsigned in = d->b[0x20], out = d->b[0x21];

	decode_field(d, d->b[0x25] != 0);
	decode_field(d, k->n[0] != k->n[DECODE_DST]);
	decode_dtype(d, in, d->b[0] == TPB_OP_RECIPROCAL ? SET_DP : SET_DPR);
	decode_dtype(d, out, SET_DPR);
	if (d->b[0] == TPB_OP_COPY)
		decode_if(d, decode_size(in) != decode_size(out),
		          TPB_FAULT_BAD_DTYPE);
}

static void decode_search(struct decode *d, const struct decode_counts *k)
{
	unsigned in = d->b[0x20], out = d->b[0x21];

	decode_dtype(d, in, SET_NW);
	switch (d->b[0]) {
	case TPB_OP_MATCH_LOAD: decode_field(d, k->n[0] != 8); return;
	case TPB_OP_MAX8: decode_dtype(d, out, SET_NWR); break;
	case TPB_OP_FIND_INDEX8: decode_dtype(d, out, SET_INDEX); break;
	default:
		decode_dtype(d, out, SET_NW);
		decode_if(d, in != out, TPB_FAULT_BAD_DTYPE);
		break;
	}
	decode_field(d, k->n[0] < 8 || k->n[0] > 16384);
	decode_field(d, k->n[DECODE_DST] !=
	                    (d->b[0] == TPB_OP_MATCH_REPLACE8 ? k->n[0] : 8));
}

static void decode_predicated(struct decode *d, const struct decode_counts *k)
{
	unsigned in = d->b[0x0C] >> 4u, out = d->b[0x0D];

	decode_dtype(d, d->b[0x0C] & 15u, SET_I);
	decode_dtype(d, in, SET_DP);
	decode_dtype(d, out, SET_DP);
	decode_field(d, d->b[0x0E] != 0);
	if (d->b[0] == TPB_OP_COPY_PRED)
		decode_if(d, in != out, TPB_FAULT_BAD_DTYPE);
	decode_field(d, k->n[0] != k->n[1] || k->n[0] != k->n[DECODE_DST]);
}

static void decode_predicated_scalar(struct decode *d,
                                     const struct decode_counts *k)
{
	decode_dtype(d, d->b[0x20], SET_I);
	decode_dtype(d, d->b[0x29], SET_DP);
	decode_dtype(d, d->b[0x2A], SET_DP);
	decode_if(d, d->b[0x29] != d->b[0x2A], TPB_FAULT_BAD_DTYPE);
	decode_field(d, d->b[0x21] > 1);
	decode_field(d, k->n[0] != k->n[DECODE_DST]);
}

void decode_vec(struct decode *d, int gen)
{
	const struct decode_layout *l = decode_layout(d->b[0]);
	struct decode_counts k;

	if (!l)
		return;
	k = decode_operands(d, l);
	switch (d->b[0]) {
	case TPB_OP_TT_ARITH:
	case TPB_OP_TT_BITVEC:
		decode_tensor_tensor(d, gen);
		decode_field(d, k.n[0] != k.n[1] || k.n[0] != k.n[DECODE_DST]);
		break;
	case TPB_OP_TS_ARITH:
	case TPB_OP_TS_BITVEC:
	case TPB_OP_TS_REDUCE:
	case TPB_OP_TS_CUMULATIVE: decode_tensor_scalar(d, gen, &k); break;
	case TPB_OP_TR_ARITH:
	case TPB_OP_TR_BITVEC: decode_tensor_reduce(d, gen, &k); break;
	case TPB_OP_COPY:
	case TPB_OP_CAST:
	case TPB_OP_RECIPROCAL: decode_move_out(d, &k); break;
	case TPB_OP_MEMSET:
		decode_dtype(d, d->b[0x20], SET_DPR);
		decode_field(d, d->b[0x24] != 0);
		decode_field(d, decode_word(d, 0x1C) != k.n[DECODE_DST]);
		break;
	case TPB_OP_COPY_PRED:
	case TPB_OP_CAST_PRED: decode_predicated(d, &k); break;
	case TPB_OP_COPY_PRED_SCALAR: decode_predicated_scalar(d, &k); break;
	case TPB_OP_READ_ACC:
		decode_dtype(d, d->b[0x20], SET_ACC);
		decode_field(d, decode_word(d, 0x1C) != 1);
		decode_field(d, d->b[0x21] > 1 || k.n[DECODE_DST] != 1);
		break;
	case TPB_OP_IOTA:
		decode_dtype(d, d->b[0x21], SET_DPR);
		decode_field(d, k.n[0] != k.n[DECODE_DST]);
		break;
	default: decode_search(d, &k); break;
	}
}
