/* SPDX-License-Identifier: Apache-2.0
 *
 * isa_check: bundles of the predicate machine.  Each sub-operation uses some
 * of the fields; what it does not use must be 0.
 */
#include "isa/check.h"

#include <string.h>

/* Fields that a sub-operation uses, a letter each: d Pd, a Pa or Pc, b Pb,
 * c compare, k operands, i imm or trip count, l target and its flag, u up. */
static const char *const pred_uses[] = {
    [TPB_PRED_OP_CMP] = "dcki",  [TPB_PRED_OP_AND] = "dab",
    [TPB_PRED_OP_OR] = "dab",    [TPB_PRED_OP_ANDN] = "dab",
    [TPB_PRED_OP_XOR] = "dab",   [TPB_PRED_OP_NOT] = "da",
    [TPB_PRED_OP_MOV] = "da",    [TPB_PRED_OP_CLR] = "d",
    [TPB_PRED_OP_SET] = "di",    [TPB_PRED_OP_TAIL] = "dk",
    [TPB_PRED_OP_SBF] = "da",    [TPB_PRED_OP_FIRST] = "da",
    [TPB_PRED_OP_COUNT] = "da",  [TPB_PRED_OP_FROMTILE] = "dk",
    [TPB_PRED_OP_TOTILE] = "ak",
};

static const char *const exec_uses[] = {
    [TPB_EXEC_OP_SAVE_AND] = "dal", [TPB_EXEC_OP_SAVE_ANDN] = "dal",
    [TPB_EXEC_OP_ELSE] = "dl",      [TPB_EXEC_OP_RESTORE] = "d",
    [TPB_EXEC_OP_BREAK] = "dal",    [TPB_EXEC_OP_EXIT] = "al",
    [TPB_EXEC_OP_AND] = "al",       [TPB_EXEC_OP_READ] = "d",
    [TPB_EXEC_OP_BZ] = "l",         [TPB_EXEC_OP_BNZ] = "l",
};

static const char *const cf_uses[] = {
    [TPB_CF_OP_IF] = "al",     [TPB_CF_OP_IFN] = "al",
    [TPB_CF_OP_ELSE] = "l",    [TPB_CF_OP_LOOP] = "",
    [TPB_CF_OP_LOOPN] = "i",   [TPB_CF_OP_TEST] = "al",
    [TPB_CF_OP_BREAK] = "alu", [TPB_CF_OP_CONT] = "alu",
    [TPB_CF_OP_LATCH] = "l",   [TPB_CF_OP_NEXT] = "l",
    [TPB_CF_OP_END] = "",
};

static const char *uses_of(const struct check *c)
{
	uint8_t sub = c->b[0x0C];

#define USES(table) \
	(sub < sizeof(table) / sizeof(table[0]) ? (table)[sub] : NULL)
	switch (c->op->code) {
	case TPB_OP_PRED: return USES(pred_uses);
	case TPB_OP_EXEC: return USES(exec_uses);
	case TPB_OP_CF: return USES(cf_uses);
	default: return NULL;
	}
#undef USES
}

static void check_operand(struct check *c, uint8_t kind, int off)
{
	if (kind == TPB_OPERAND_REG)
		check_reg(c, off);
	else if (kind == TPB_OPERAND_IMM)
		check_zero(c, off, off);
	if (kind != TPB_OPERAND_TILE)
		check_zero(c, off + 1, off + 11);
	else if (c->b[off + 3] & 0x80)
		check_reg(c, off);
}

static void pred(struct check *c, const char *uses)
{
	uint8_t sub = c->b[0x0C], kinds = c->b[0x11];

	if (sub != TPB_PRED_OP_FIRST && sub != TPB_PRED_OP_COUNT &&
	    c->b[0x0E] > 7)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x0E,
		          "predicate %d, there are 8", c->b[0x0E]);
	if ((c->b[0x0D] & 0xF) == TPB_CC_UNO &&
	    c->b[0x0D] >> 4 != TPB_CMP_TYPE_FLOAT)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x0D,
		          "uno compares floats only");
	if (!strchr(uses, 'k')) {
		check_zero(c, 0x11, 0x11);
		check_zero(c, 0x18, 0x2F);
		return;
	}
	check_operand(c, kinds & 0xF, 0x18);
	if (sub == TPB_PRED_OP_CMP) {
		check_operand(c, kinds >> 4, 0x24);
		return;
	}
	check_zero(c, 0x24, 0x2F);
	if (kinds !=
	    (sub == TPB_PRED_OP_TAIL ? TPB_OPERAND_REG : TPB_OPERAND_TILE))
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x11,
		          "operand kinds 0x%02X, not legal here", kinds);
}

void check_pred(struct check *c)
{
	const char *uses = uses_of(c);

	if (!uses)
		return;
	if (!strchr(uses, 'd'))
		check_zero(c, 0x0E, 0x0E);
	if (!strchr(uses, 'a'))
		check_zero(c, 0x0F, 0x0F);
	if (!strchr(uses, 'b') && !strchr(uses, 'u'))
		check_zero(c, 0x10, 0x10);
	if (!strchr(uses, 'i'))
		check_zero(c, 0x14, 0x17);
	if (c->op->code == TPB_OP_PRED) {
		if (!strchr(uses, 'c'))
			check_zero(c, 0x0D, 0x0D);
		pred(c, uses);
	} else if (!strchr(uses, 'l')) {
		check_zero(c, 0x0D, 0x0D);
		check_zero(c, 0x30, 0x33);
	}
}
