/* SPDX-License-Identifier: Apache-2.0
 *
 * isa_check: rules between the fields of sequencer bundles, one function an
 * opcode, each a row of docs/reference/decode.md.
 */
#include "isa/check.h"

static void event_semaphore(struct check *c)
{
	const uint8_t *b = c->b;
	uint8_t wait = b[0x20], update = b[0x22], core = b[0x2C];

	if (!wait) {
		check_zero(c, 0x21, 0x21);
		check_zero(c, 0x24, 0x27);
	}
	if (!update) {
		check_zero(c, 0x23, 0x23);
		check_zero(c, 0x28, 0x2B);
	}
	if (wait & 0x80 && isa_enum_text("wait", wait) &&
	    check_word(c, 0x24) >= TPB_REGISTERS_GEN3)
		check_bad(c, TPB_FAULT_BAD_REG, 0x24,
		          "ext_wait_value names no register");
	if (update & 0x80 && isa_enum_text("update", update) &&
	    check_word(c, 0x28) >= TPB_REGISTERS_GEN3)
		check_bad(c, TPB_FAULT_BAD_REG, 0x28,
		          "ext_update_value names no register");
	if (b[6] && update)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x22,
		          "two updates, a bundle has one");
	if (core && (!(core & 0x80) || !update || (core & 0x7F) >= c->cores))
		check_bad(
		    c, TPB_FAULT_BAD_FIELD, 0x2C,
		    "core byte 0x%02X needs an extended update, bit 7 and "
		    "one of %d cores",
		    core, c->cores);
}

static void register_move(struct check *c)
{
	const uint8_t *b = c->b;
	int n = b[0x0C];

	if (!n)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x0C, "count is 0");
	if (n == 2 && b[0x0E] != TPB_SOURCE_IMM)
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x0E,
		          "a pair takes an immediate");
	if (n < 1 || n > 8)
		n = 1;
	if (n == 2) {
		check_pair(c, 0x18);
		if (b[0x19] != b[0x18] + 1)
			check_bad(c, TPB_FAULT_BAD_REG, 0x19,
			          "register %d does not follow %d", b[0x19],
			          b[0x18]);
	}
	check_zero(c, 0x18 + n, 0x1F);
	if (b[0x0E] == TPB_SOURCE_REG) {
		check_zero(c, 0x10 + n, 0x17);
		check_zero(c, 0x20, 0x3F);
	} else if (b[0x0E] == TPB_SOURCE_IMM) {
		check_zero(c, 0x10, 0x17);
		check_zero(c, 0x20 + 4 * n, 0x3F);
	}
}

static void register_alu(struct check *c)
{
	const uint8_t *b = c->b;
	bool wide = b[0x0E] & 1, imm = b[0x0E] & 2;

	if (wide && b[0x0F] != TPB_DTYPE_UINT64)
		check_bad(c, TPB_FAULT_BAD_DTYPE, 0x0F,
		          "dtype is 0x%02X, 64-bit operations take u64",
		          b[0x0F]);
	if (imm)
		check_zero(c, 0x12, 0x12);
	else
		check_zero(c, 0x18, 0x1F);
	check_zero(c, 0x13, 0x13);
	if (!wide) {
		if (imm)
			check_zero(c, 0x1C, 0x1F);
		check_zero(c, 0x14, 0x15);
		return;
	}
	check_pair(c, 0x10);
	check_pair(c, 0x11);
	if (!imm)
		check_pair(c, 0x12);
	if (b[0x14] != b[0x10] || b[0x15] != b[0x14] + 1)
		check_bad(c, TPB_FAULT_BAD_REG, 0x14,
		          "dst_lo, dst_hi are not the pair of dst");
}

static void branch(struct check *c)
{
	uint8_t cmp = c->b[0x0C];

	if (cmp == TPB_CMP_ALWAYS) {
		check_zero(c, 0x0D, 0x0D);
		check_zero(c, 0x10, 0x13);
		check_zero(c, 0x20, 0x21);
		return;
	}
	if (!c->b[0x0D])
		check_bad(c, TPB_FAULT_BAD_DTYPE, 0x0D,
		          "a compare needs a dtype");
	if (cmp & 8)
		check_zero(c, 0x10, 0x13);
	else
		check_zero(c, 0x21, 0x21);
}

/* The register list and the address of a load or save. */
static void memory_2d(struct check *c)
{
	const uint8_t *b = c->b;
	int n = b[0x0E] * b[0x0F];

	if (!n || n > 32) {
		check_bad(c, TPB_FAULT_BAD_FIELD, 0x0E,
		          "%d x %d elements, 1 to 32 are legal", b[0x0E],
		          b[0x0F]);
		n = 0;
	}
	for (int k = 0; b[0x0C] == TPB_DTYPE_UINT64 && k < n; k++)
		check_pair(c, 0x20 + k);
	check_zero(c, 0x20 + n, 0x3F);
	if (check_off(c, "marker") < 0 || b[0x17] != TPB_MARKER_REG)
		return;
	check_pair(c, 0x10);
	if (b[0x11] != b[0x10] + 1)
		check_bad(c, TPB_FAULT_BAD_REG, 0x11,
		          "register %d does not follow %d", b[0x11], b[0x10]);
	check_zero(c, 0x12, 0x16);
}

static void group_reset(struct check *c)
{
	const uint8_t *b = c->b;

	if (b[0x0C] == TPB_CLEAR_RANGE) {
		if (b[0x0D] > b[0x0E])
			check_bad(c, TPB_FAULT_BAD_FIELD, 0x0D,
			          "first %d is above last %d", b[0x0D],
			          b[0x0E]);
		check_zero(c, 0x20, 0x3F);
	} else if (b[0x0C] == TPB_CLEAR_MASK) {
		check_zero(c, 0x0D, 0x0E);
	}
}

void check_seq(struct check *c)
{
	switch (c->op->code) {
	case TPB_OP_EVENT_SEMAPHORE: event_semaphore(c); break;
	case TPB_OP_REGISTER_MOVE: register_move(c); break;
	case TPB_OP_REGISTER_ALU: register_alu(c); break;
	case TPB_OP_BRANCH: branch(c); break;
	case TPB_OP_TENSOR_LOAD:
	case TPB_OP_TENSOR_SAVE:
	case TPB_OP_TENSOR_LOAD_VAR:
	case TPB_OP_TENSOR_SAVE_VAR: memory_2d(c); break;
	case TPB_OP_GROUP_RESET: group_reset(c); break;
	default: break;
	}
}
