/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values of an enumeration a field may hold, and the IR numbers.
 *
 * Sets of dtype tags and ALU bytes as the fact sheets name them: DP is the
 * datapath set, ARITH, GENERAL, BITVEC, COMPARE and FOLD are the classes of
 * the vector engine.
 */
#include "isa/isa.h"

#include <string.h>

#define T(x) (1u << TPB_DTYPE_##x)
#define A(x) (1ull << TPB_ALU_##x)

#define I32 (T(INT32) | T(UINT32))
#define INT (T(INT8) | T(UINT8) | T(INT16) | T(UINT16) | I32)
#define FLOAT \
	(T(BFLOAT16) | T(FLOAT16) | T(FLOAT32) | T(FP8E3) | T(FP8E4) | T(FP8E5))
#define R T(FLOAT32R)

/* Bit n: tag n.  0: not a dtype set. */
static const uint32_t dtypes[] = {
    [ISA_SET_MOVE] = I32 | T(FLOAT32),
    [ISA_SET_REGALU] = 1 | I32 | T(UINT64) | T(INT64),
    [ISA_SET_BRANCH] = 1 | INT | T(FLOAT32),
    [ISA_SET_LOAD] = INT | T(FLOAT32) | T(UINT64),
    [ISA_SET_DP] = INT | FLOAT,
    [ISA_SET_DPR] = INT | FLOAT | R,
    [ISA_SET_NARROW] = (INT | FLOAT) & ~I32,
    [ISA_SET_NARROWR] = ((INT | FLOAT) & ~I32) | R,
    [ISA_SET_FLOAT] = FLOAT,
    [ISA_SET_FLOATR] = FLOAT | R,
    [ISA_SET_INT] = INT,
    [ISA_SET_SIZED] = INT | FLOAT | R,
    [ISA_SET_WORD] = I32,
    [ISA_SET_INDEX] = T(UINT32) | T(UINT16),
    [ISA_SET_IDS] = T(INT32) | T(FLOAT32),
    [ISA_SET_I32] = T(INT32),
    [ISA_SET_U32] = T(UINT32),
    [ISA_SET_F32] = T(FLOAT32),
    [ISA_SET_BIAS] = T(BFLOAT16) | T(FLOAT16) | T(FLOAT32),
    [ISA_SET_ACC] = T(BFLOAT16) | T(FLOAT16) | T(FLOAT32) | R,
    [ISA_SET_ACC_DVE] = FLOAT | R,
    [ISA_SET_RATE] = 1 | T(BFLOAT16) | T(FLOAT16) | T(FLOAT32),
};

#define FOLD (A(ADD) | A(SUBTRACT) | A(MULT) | A(MAX) | A(MIN))
#define LOGICAL (A(LOGICAL_AND) | A(LOGICAL_OR) | A(LOGICAL_XOR))
#define ORDER (A(IS_EQUAL) | A(IS_GT) | A(IS_GE) | A(IS_LE) | A(IS_LT))
#define GENERAL \
	(A(BYPASS) | FOLD | LOGICAL | ORDER | A(NOT_EQUAL) | A(ABS) | GEN4)
#define HARD (A(DIVIDE) | A(POW) | A(MOD) | A(RSQRT))
#define BITS (A(BITWISE_AND) | A(BITWISE_OR) | A(BITWISE_XOR))
#define BITVEC                                                 \
	(A(BITWISE_NOT) | BITS | A(ARITH_SHL) | A(ARITH_SHR) | \
	 A(LOGICAL_SHL) | A(LOGICAL_SHR))
/* In a class, but only on gen4. */
#define GEN4 (A(ABS_MAX) | A(ABS_MIN))

/* Bit n: ALU byte n; the int32 band is apart. */
static const uint64_t alus[] = {
    [ISA_SET_INTEGER] = (GENERAL | HARD | BITVEC) & ~GEN4,
    [ISA_SET_ARITH] = GENERAL | HARD,
    [ISA_SET_ARITH_BAND] = GENERAL | HARD,
    [ISA_SET_GENERAL] = GENERAL,
    [ISA_SET_BITVEC] = BITVEC,
    [ISA_SET_BITVEC_BYPASS] = BITVEC | A(BYPASS),
    [ISA_SET_COMPARE] = ORDER | A(NOT_EQUAL),
    [ISA_SET_ORDER] = ORDER,
    [ISA_SET_FOLD] = FOLD,
    [ISA_SET_REDUCE] = FOLD | LOGICAL | GEN4,
    [ISA_SET_REDUCE_BITS] = BITS,
    [ISA_SET_MAX] = A(MAX),
};

/* Bit n: value n of the field's group. */
static const uint32_t others[] = {
    [ISA_SET_FOLD_CMD] = 1u << 2 | 1u << 3 | 1u << 4,
    [ISA_SET_MAX_CMD] = 1u << 0 | 1u << 2 | 1u << 3,
    [ISA_SET_CROSS_ARITH] = 1u << 0 | 1u << 1 | 1u << 2,
    [ISA_SET_CROSS_BITS] = 1u << 3 | 1u << 4 | 1u << 5,
    [ISA_SET_POINTER] = 1u << TPB_IMM_POINTER | 1u << TPB_IMM_REG,
};

#define COUNT(a) ((int64_t)(sizeof(a) / sizeof((a)[0])))

static bool alu_allows(int64_t set, uint64_t v, int gen)
{
	if (v >= TPB_ALU_ADD_INT && v <= TPB_ALU_MOD_INT)
		return set == ISA_SET_ARITH_BAND;
	if (v >= 64 || !(alus[set] >> v & 1))
		return false;
	return gen >= 4 || !(GEN4 >> v & 1);
}

bool isa_field_allows(const struct isa_field *field, uint64_t value, int gen)
{
	int64_t set = field->arg;

	if (set == ISA_SET_FREE)
		return true;
	if (set == ISA_SET_ANY)
		return isa_enum_text(field->group, value) != NULL;
	if (!strcmp(field->group, "dtype"))
		return set < COUNT(dtypes) && value < 32 &&
		       dtypes[set] >> value & 1;
	if (!strcmp(field->group, "alu"))
		return set < COUNT(alus) && alu_allows(set, value, gen);
	return set < COUNT(others) && value < 32 && others[set] >> value & 1;
}

int isa_dtype_size(uint64_t tag)
{
	switch (tag) {
	case TPB_DTYPE_INT8:
	case TPB_DTYPE_UINT8:
	case TPB_DTYPE_FP8E3:
	case TPB_DTYPE_FP8E4:
	case TPB_DTYPE_FP8E5: return 1;
	case TPB_DTYPE_INT16:
	case TPB_DTYPE_UINT16:
	case TPB_DTYPE_BFLOAT16:
	case TPB_DTYPE_FLOAT16:
	case TPB_DTYPE_FP4X4: return 2;
	case TPB_DTYPE_INT32:
	case TPB_DTYPE_UINT32:
	case TPB_DTYPE_FLOAT32:
	case TPB_DTYPE_FLOAT32R: return 4;
	case TPB_DTYPE_UINT64:
	case TPB_DTYPE_INT64: return 8;
	default: return 0;
	}
}

static const struct bir {
	const char *group;
	int ordinal, wire, extra;
} birs[] = {
#define BIR(GROUP, NAME, ordinal, wire, extra, text) \
	{#GROUP, ordinal, wire, extra},
#include "isa/bir.def"
#undef BIR
};

static const struct bir *bir(const char *group, int ordinal)
{
	for (int i = 0; i < COUNT(birs); i++)
		if (birs[i].ordinal == ordinal && !strcmp(birs[i].group, group))
			return &birs[i];
	return NULL;
}

int isa_bir_wire(const char *group, int ordinal)
{
	const struct bir *b = bir(group, ordinal);

	return b ? b->wire : -1;
}

int isa_bir_extra(const char *group, int ordinal)
{
	const struct bir *b = bir(group, ordinal);

	return b ? b->extra : -1;
}
