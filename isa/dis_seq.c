/* SPDX-License-Identifier: Apache-2.0
 *
 * Disassembler: sequencer instructions and sync clauses.
 *
 * Only legal bundles come here, so bytes that an instruction does not use
 * are known to be 0; each form shows all the others.
 */
#include "isa/dis.h"

#include <string.h>

/* i32 is what the assembler takes without a suffix. */
static void suffix(struct dis *d, uint8_t dtype)
{
	if (dtype == 0)
		dis_put(d, ".none");
	else if (dtype != TPB_DTYPE_INT32)
		dis_put(d, ".%s", isa_enum_text("dtype", dtype));
}

static void imm_of(struct dis *d, uint8_t dtype, uint32_t v)
{
	switch (dtype) {
	case TPB_DTYPE_FLOAT32: dis_float(d, v); break;
	case TPB_DTYPE_UINT8:
	case TPB_DTYPE_UINT16:
	case TPB_DTYPE_UINT32:
	case TPB_DTYPE_UINT64: dis_number(d, v); break;
	default: dis_imm(d, v); break;
	}
}

static void regs(struct dis *d, const uint8_t *reg, int n)
{
	if (n == 1) {
		dis_put(d, "r%u", reg[0]);
		return;
	}
	for (int i = 0; i < n; i++)
		dis_put(d, "%sr%u", i ? ", " : "{", reg[i]);
	dis_put(d, "}");
}

static void seq_mov(struct dis *d)
{
	const uint8_t *b = d->b;
	int n = b[0x0C];

	dis_put(d, n == 2 ? "mov64" : "mov");
	suffix(d, b[0x0D]);
	dis_put(d, " ");
	if (n == 2) {
		dis_put(d, "r%u, ", b[0x18]);
		dis_number(d, dis_quad(b + 0x20));
		return;
	}
	regs(d, b + 0x18, n);
	dis_put(d, ", ");
	if (b[0x0E] == TPB_SOURCE_REG) {
		regs(d, b + 0x10, n);
		return;
	}
	for (int i = 0; i < n; i++) {
		if (n > 1)
			dis_put(d, i ? ", " : "{");
		imm_of(d, b[0x0D], dis_word(b + 0x20 + 4 * i));
	}
	if (n > 1)
		dis_put(d, "}");
}

static void seq_alu(struct dis *d)
{
	const uint8_t *b = d->b;
	bool wide = b[0x0E] & 1;
	uint8_t op = b[0x0C];
	bool unary = op == TPB_ALU_BYPASS || op == TPB_ALU_BITWISE_NOT ||
	             op == TPB_ALU_ABS || op == TPB_ALU_RSQRT;

	dis_put(d, "%s", isa_enum_text("alu", op));
	if (wide)
		dis_put(d, "64");
	else
		suffix(d, b[0x0F]);
	dis_put(d, " r%u, r%u", b[0x10], b[0x11]);
	if (b[0x0E] & 2) {
		dis_put(d, ", ");
		if (wide)
			dis_number(d, dis_quad(b + 0x18));
		else
			imm_of(d, b[0x0F], dis_word(b + 0x18));
	} else if (!unary || b[0x12]) {
		dis_put(d, ", r%u", b[0x12]);
	}
}

static void seq_branch(struct dis *d)
{
	const uint8_t *b = d->b;

	if (b[0x0C] == TPB_CMP_ALWAYS) {
		dis_put(d, "jmp ");
	} else {
		dis_put(d, "b%s", isa_enum_text("cmp", b[0x0C] & 7));
		suffix(d, b[0x0D]);
		dis_put(d, " r%u, ", b[0x20]);
		if (b[0x0C] & 8)
			dis_put(d, "r%u", b[0x21]);
		else
			imm_of(d, b[0x0D], dis_word(b + 0x10));
		dis_put(d, ", ");
	}
	dis_target(d, dis_word(b + 0x30));
}

static void address(struct dis *d)
{
	const uint8_t *b = d->b;

	if (b[0] == TPB_OP_TENSOR_LOAD_VAR || b[0] == TPB_OP_TENSOR_SAVE_VAR) {
		dis_put(d, "[var(%u)", dis_word(b + 0x10));
		if (dis_word(b + 0x14))
			dis_put(d, " + 0x%X", dis_word(b + 0x14));
		dis_put(d, "]");
	} else if (b[0x17] == TPB_MARKER_REG) {
		dis_put(d, "[r%u]", b[0x10]);
	} else {
		dis_put(d, "[0x%llX]", (unsigned long long)dis_quad(b + 0x10));
	}
}

static void seq_memory(struct dis *d, bool save)
{
	const uint8_t *b = d->b;
	int n = b[0x0E] * b[0x0F];
	int32_t s0 = (int32_t)dis_word(b + 0x18);
	int32_t s1 = (int32_t)dis_word(b + 0x1C);

	dis_put(d, save ? "save" : "load");
	suffix(d, b[0x0C]);
	dis_put(d, " ");
	if (save)
		address(d);
	else
		regs(d, b + 0x20, n);
	dis_put(d, ", ");
	if (save)
		regs(d, b + 0x20, n);
	else
		address(d);
	if (b[0x0F] != 1)
		dis_put(d, ", n=(%u, %u)", b[0x0E], b[0x0F]);
	if (s0 != 1 || s1 != 1)
		dis_put(d, ", step=(%d, %d)", s0, s1);
}

static bool in_mask(const uint8_t *mask, unsigned id)
{
	return id < 256 && mask[id / 8] >> id % 8 & 1;
}

/* Ids of a mask, runs as ranges.  A mask of many runs has a shorter text in
 * the generic form: false then. */
static bool seq_greset(struct dis *d)
{
	const uint8_t *b = d->b, *mask = b + 0x20;
	const char *sep = "";
	unsigned i, end, runs = 0;

	if (b[0x0C] == TPB_CLEAR_RANGE) {
		dis_put(d, "greset s%u..s%u", b[0x0D], b[0x0E]);
		return true;
	}
	for (i = 0; i < 256; i++)
		runs += in_mask(mask, i) && !in_mask(mask, i + 1);
	if (runs > 16)
		return false;
	dis_put(d, "greset {");
	for (i = 0; i < 256; i++) {
		if (!in_mask(mask, i))
			continue;
		for (end = i; in_mask(mask, end + 1); end++)
			;
		dis_put(d, "%ss%u", sep, i);
		if (end > i)
			dis_put(d, "%ss%u", end > i + 1 ? ".." : ", ", end);
		i = end;
		sep = ", ";
	}
	dis_put(d, "}");
	return true;
}

/* Can the bytes stand without quotes? */
static bool plain(const uint8_t *p)
{
	for (int i = 0; p[i]; i++) {
		bool letter = (p[i] >= 'a' && p[i] <= 'z') ||
		              (p[i] >= 'A' && p[i] <= 'Z') || p[i] == '_';

		if (!letter && (i == 0 || p[i] < '0' || p[i] > '9'))
			return false;
	}
	return p[0] != 0;
}

static void seq_call(struct dis *d)
{
	const uint8_t *b = d->b;
	uint32_t args = dis_word(b + 0x30);

	dis_put(d, "call ");
	if (d->form == ISA_LOADED) {
		dis_put(d, "@");
		dis_target(d, dis_word(b + 0x30));
		args = dis_word(b + 0x38);
	} else if (plain(b + 0x0C)) {
		dis_put(d, "%s", (const char *)b + 0x0C);
	} else {
		dis_text(d, b + 0x0C, 36);
	}
	if (args) {
		dis_put(d, ", args=");
		dis_number(d, args);
	}
}

static void seq_currank(struct dis *d)
{
	const uint8_t *b = d->b;

	dis_put(d, "currank r%u, group=%u, channel=%u, iteration=%u", b[0x12],
	        b[0x0C], b[0x0E], b[0x10]);
	dis_put(d, ", stream=%u", b[0x14] | b[0x15] << 8);
	if (d->form == ISA_LOADED)
		dis_put(d, ", value=%u", dis_word(b + 0x18));
}

bool dis_seq(struct dis *d)
{
	const uint8_t *b = d->b;

	switch (b[0]) {
	case TPB_OP_REGISTER_MOVE: seq_mov(d); return true;
	case TPB_OP_REGISTER_ALU: seq_alu(d); return true;
	case TPB_OP_BRANCH: seq_branch(d); return true;
	case TPB_OP_TENSOR_LOAD:
	case TPB_OP_TENSOR_LOAD_VAR: seq_memory(d, false); return true;
	case TPB_OP_TENSOR_SAVE:
	case TPB_OP_TENSOR_SAVE_VAR: seq_memory(d, true); return true;
	case TPB_OP_GROUP_RESET: return seq_greset(d);
	case TPB_OP_CALL: seq_call(d); return true;
	case TPB_OP_CUR_RANK: seq_currank(d); return true;
	case TPB_OP_DRAIN: dis_put(d, "drain %u", b[0x28]); return true;
	case TPB_OP_GLOBAL_RANK: dis_put(d, "rank r%u", b[0x17]); return true;
	case TPB_OP_RETURN:
		dis_put(d, b[0x0C] ? "ret keep" : "ret");
		return true;
	case TPB_OP_BRANCH_HINT:
		dis_put(d, "hint %s, ", isa_enum_text("hint", b[0x0C]));
		dis_target(d, dis_word(b + 0x30));
		return true;
	case TPB_OP_EVENT_SEMAPHORE: /* all of it is sync clauses */
		dis_put(d, "evsem");
		return true;
	default: return false;
	}
}

/* ---- sync clauses ---- */

static void operand(struct dis *d, bool reg, uint32_t v)
{
	dis_put(d, reg ? "r%d" : "%d", (int32_t)v);
}

/* p: mode, id.  True when the mode uses the dword. */
static bool wait_clause(struct dis *d, const uint8_t *p, const char *lane,
                        uint32_t v)
{
	static const char *const cmp[] = {"", "==", "<", "<=", ">", ">="};

	switch (p[0]) {
	case TPB_WAIT_NONE: return false;
	case TPB_WAIT_EVT_SET:
		dis_put(d, " | wait%s e%u", lane, p[1]);
		return false;
	case TPB_WAIT_EVT_CLR:
		dis_put(d, " | wait%s !e%u", lane, p[1]);
		return false;
	case TPB_WAIT_EVT_SET_CLR:
		dis_put(d, " | take%s e%u", lane, p[1]);
		return false;
	case TPB_WAIT_EVT_CLR_SET:
		dis_put(d, " | claim%s e%u", lane, p[1]);
		return false;
	default:
		dis_put(d, " | wait%s s%u %s ", lane, p[1], cmp[p[0] & 7]);
		operand(d, p[0] & 0x80, v);
		return true;
	}
}

static bool post_clause(struct dis *d, const uint8_t *p, const char *lane,
                        uint32_t v)
{
	const char *op = "=";

	if (p[0] == TPB_UPDATE_NONE)
		return false;
	dis_put(d, " | post%s%s ", p[0] & 0x10 ? "" : ".early", lane);
	switch (p[0] & 0x0F) {
	case TPB_UPDATE_EVT_SET: dis_put(d, "e%u", p[1]); return false;
	case TPB_UPDATE_EVT_CLR: dis_put(d, "!e%u", p[1]); return false;
	case TPB_UPDATE_INC: dis_put(d, "s%u++", p[1]); return false;
	case TPB_UPDATE_DEC: dis_put(d, "s%u--", p[1]); return false;
	case TPB_UPDATE_ADD_IMM: op = "+="; break;
	case TPB_UPDATE_SUB_IMM: op = "-="; break;
	default: break;
	}
	dis_put(d, "s%u %s ", p[1], op);
	operand(d, p[0] & 0x80, v);
	return true;
}

static void val_clause(struct dis *d, const char *which, bool used, uint32_t v)
{
	if (!used && v)
		dis_put(d, " | val%s 0x%X", which, v);
}

void dis_sync(struct dis *d)
{
	const uint8_t *b = d->b;
	bool evsem = b[0] == TPB_OP_EVENT_SEMAPHORE;
	uint32_t v = dis_word(b + 0x08);
	bool used = wait_clause(d, b + 0x04, "", v);

	if (evsem)
		val_clause(d, ".wait",
		           wait_clause(d, b + 0x20, b[4] ? "" : ".ext",
		                       dis_word(b + 0x24)),
		           dis_word(b + 0x24));
	if (post_clause(d, b + 0x06, evsem ? ".std" : "", v))
		used = true;
	val_clause(d, "", used, v);
	if (!evsem)
		return;
	used = post_clause(d, b + 0x22, "", dis_word(b + 0x28));
	if (b[0x2C])
		dis_put(d, " @%u", b[0x2C] & 0x7F);
	val_clause(d, ".post", used, dis_word(b + 0x28));
}
