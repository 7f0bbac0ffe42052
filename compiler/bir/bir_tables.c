/* SPDX-License-Identifier: Apache-2.0
 *
 * Run-time forms of the IR's tables: op rows, names, sizes of elements.  The
 * rows come from bir_ops.def and isa/bir.def.
 */
#include "compiler/bir/bir.h"

#include <string.h>

#define SEQ BIR_CLASS_SEQ
#define VEC BIR_CLASS_VEC
#define DMA BIR_CLASS_DMA
#define CTL BIR_CLASS_CTL
#define BODY BIR_CLASS_BODY
#define PART BIR_CLASS_PART

struct row {
	struct bir_opinfo info;
	const char *letters;
};

static const struct row rows[] = {
#define BIR_OP(NAME, ordinal, text, class, engines, ins, outs) \
	{{BIR_IT_##NAME, #NAME, text, class, 0, ins, outs}, engines},
#include "compiler/bir/bir_ops.def"
#undef BIR_OP
};

#define NROWS ((int)(sizeof rows / sizeof rows[0]))

static unsigned engine_mask(const char *letters)
{
	static const char of[BIR_NENGINES + 1] = "NPATDVS*";
	unsigned mask = 1u << BIR_ENG_NONE;
	const char *at;

	for (; *letters; letters++) {
		at = strchr(of, *letters);
		if (at)
			mask |= 1u << (at - of);
	}
	return mask;
}

const struct bir_opinfo *bir_op(enum bir_it it)
{
	static struct bir_opinfo table[BIR_NIT];
	static bool made;
	int k;

	if (!made) {
		for (k = 0; k < NROWS; k++) {
			table[rows[k].info.it] = rows[k].info;
			table[rows[k].info.it].engines =
			    engine_mask(rows[k].letters);
		}
		made = true;
	}
	if ((int)it < 0 || it >= BIR_NIT || !table[it].text)
		return NULL;
	return &table[it];
}

const char *bir_it_text(enum bir_it it)
{
	const struct bir_opinfo *op = bir_op(it);

	return op ? op->text : "?";
}

int bir_it_of(const char *text)
{
	int k;

	for (k = 0; k < NROWS; k++)
		if (strcmp(rows[k].info.text, text) == 0)
			return (int)rows[k].info.it;
	return -1;
}

static const char *const engines[BIR_NENGINES] = {
    "Unassigned", "Pool", "Activation", "PE", "DMA", "DVE", "SP", "ALL"};

const char *bir_engine_text(enum bir_engine e)
{
	return (int)e >= 0 && e < BIR_NENGINES ? engines[e] : "?";
}

int bir_engine_of(const char *text)
{
	int k;

	for (k = 0; k < BIR_NENGINES; k++)
		if (strcmp(engines[k], text) == 0)
			return k;
	return -1;
}

int bir_engine_stream(enum bir_engine e)
{
	switch (e) {
	case BIR_ENG_PE: return TPB_ENGINE_PE;
	case BIR_ENG_ACT: return TPB_ENGINE_ACT;
	case BIR_ENG_POOL: return TPB_ENGINE_POOL;
	case BIR_ENG_DVE: return TPB_ENGINE_DVE;
	case BIR_ENG_SP: return TPB_ENGINE_SP;
	default: return -1;
	}
}

const char *bir_edge_text(enum bir_edge kind)
{
	static const char *const text[] = {"Invalid", "Ordered", "Anti",
	                                   "Output", "Flow"};

	return (int)kind >= 0 && kind <= BIR_FLOW ? text[kind] : "?";
}

const char *bir_mem_text(enum bir_mem mem)
{
	switch (mem) {
	case BIR_DRAM: return "dram";
	case BIR_SBUF: return "sbuf";
	case BIR_PSUM: return "psum";
	}
	return "?";
}

struct number {
	const char *group;
	int ordinal, extra;
	const char *text;
};

static const struct number numbers[] = {
#define BIR(GROUP, NAME, ordinal, wire, extra, text) \
	{#GROUP, ordinal, extra, text},
#include "isa/bir.def"
#undef BIR
};

static const struct number *number_of(const char *group, int ordinal)
{
	size_t k;

	for (k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
		if (numbers[k].ordinal == ordinal &&
		    strcmp(numbers[k].group, group) == 0)
			return &numbers[k];
	return NULL;
}

static const char *number_text(const char *group, int ordinal)
{
	const struct number *n = number_of(group, ordinal);

	return n ? n->text : "?";
}

const char *bir_alu_text(int op)
{
	return number_text("ALU", op);
}

const char *bir_dtype_text(int dtype)
{
	return number_text("DTYPE", dtype);
}

const char *bir_cmp_text(int cmp)
{
	return number_text("CMP", cmp);
}

int bir_dtype_size(int dtype)
{
	/* asked for each element: a table, and 0 for what is no dtype */
	static const uint8_t size[20] = {1, 1, 2, 1, 1, 1, 1, 1, 4, 4,
	                                 2, 2, 2, 2, 4, 4, 4, 4, 8, 8};

	return dtype >= 0 && dtype < 20 ? size[dtype] : 0;
}

bool bir_dtype_float(int dtype)
{
	switch (dtype) {
	case TPB_BIR_DTYPE_FP8E3:
	case TPB_BIR_DTYPE_FP8E4:
	case TPB_BIR_DTYPE_FP8E4FN:
	case TPB_BIR_DTYPE_FP8E5:
	case TPB_BIR_DTYPE_BFLOAT16:
	case TPB_BIR_DTYPE_FLOAT16:
	case TPB_BIR_DTYPE_FLOAT32:
	case TPB_BIR_DTYPE_FLOAT32R: return true;
	default: return false;
	}
}

bool bir_dtype_signed(int dtype)
{
	switch (dtype) {
	case TPB_BIR_DTYPE_INT8:
	case TPB_BIR_DTYPE_INT16:
	case TPB_BIR_DTYPE_INT32:
	case TPB_BIR_DTYPE_INT64: return true;
	default: return false;
	}
}

bool bir_alu_on_bits(int op)
{
	switch (op) {
	case TPB_BIR_ALU_BITWISE_NOT:
	case TPB_BIR_ALU_ARITH_SHL:
	case TPB_BIR_ALU_ARITH_SHR:
	case TPB_BIR_ALU_BITWISE_AND:
	case TPB_BIR_ALU_BITWISE_OR:
	case TPB_BIR_ALU_BITWISE_XOR:
	case TPB_BIR_ALU_LOGICAL_SHL:
	case TPB_BIR_ALU_LOGICAL_SHR: return true;
	default: return false;
	}
}
