/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler: memory operands of load, save and dma.
 *
 * The address decides the opcode: a register pair or a unified address is
 * 0xAA / 0xAB, a variable 0xCE / 0xCD.  Layout: sequencer fact sheet 5.3.
 */
#include "compiler/asm/internal.h"

#include <string.h>

static void offset_of(struct asm_state *a, struct asm_inst *in)
{
	uint64_t v = 0;

	if (asm_at(a, '+') || asm_at(a, '-'))
		v = asm_value(a, 32, "offset");
	asm_put32(in->b + 0x14, (uint32_t)v);
}

static void variable(struct asm_state *a, struct asm_inst *in, bool save,
                     uint32_t id)
{
	in->b[0] = save ? TPB_OP_TENSOR_SAVE_VAR : TPB_OP_TENSOR_LOAD_VAR;
	asm_put32(in->b + 0x10, id);
	offset_of(a, in);
}

/* After the opening bracket. */
static void address(struct asm_state *a, struct asm_inst *in, bool save)
{
	struct asm_tok t = a->pos.tok;
	uint64_t v;
	int i = -1;

	if (asm_at_reg(a)) {
		in->b[0x10] = asm_reg(a);
		in->b[0x11] = (uint8_t)(in->b[0x10] + 1);
		in->b[0x17] = TPB_MARKER_REG;
		return;
	}
	if (asm_is(&t, "var") && asm_peek_punct(a) == '(') {
		asm_next(a);
		asm_next(a);
		v = asm_value(a, 32, "variable id");
		asm_expect(a, ')', "write var(ID)");
		variable(a, in, save, (uint32_t)v);
		return;
	}
	if (t.kind == TOK_NAME)
		i = asm_find(a, ASM_GLOBAL, t.text, t.len);
	if (i >= 0 && a->sym[i].kind == SYM_TENSOR) {
		asm_next(a);
		variable(a, in, save, a->tensor[a->sym[i].value].id);
		return;
	}
	v = asm_uint(a, (1ull << 56) - 1, "address");
	for (int k = 0; k < 7; k++)
		in->b[0x10 + k] = (uint8_t)(v >> (8 * k));
}

static void pair_of(struct asm_state *a, int64_t v[2])
{
	asm_expect(a, '(', "write (X, Y)");
	v[0] = asm_expr(a);
	asm_expect(a, ',', "write (X, Y)");
	v[1] = asm_expr(a);
	asm_expect(a, ')', "write (X, Y)");
}

static void dims(struct asm_state *a, struct asm_inst *in, int regs)
{
	int64_t n[2] = {regs, 1}, step[2] = {1, 1};
	struct asm_tok at = a->pos.tok;

	while (asm_accept(a, ',')) {
		at = a->pos.tok;
		asm_next(a);
		asm_expect(a, '=', "write n=(N0, N1) or step=(S0, S1)");
		if (asm_is(&at, "n"))
			pair_of(a, n);
		else if (asm_is(&at, "step"))
			pair_of(a, step);
		else
			asm_error(a, &at, ASM_UNKNOWN,
			          "unknown key; known: n step");
	}
	if (n[0] < 1 || n[0] > 32 || n[1] < 1 || n[1] > 32 ||
	    n[0] * n[1] != regs)
		asm_error(a, &at, ASM_RANGE,
		          "n must multiply to the %d registers of the list; "
		          "change n or the list",
		          regs);
	for (int i = 0; i < 2; i++)
		if (step[i] < INT32_MIN || step[i] > INT32_MAX)
			asm_error(a, &at, ASM_RANGE,
			          "step does not fit into 32 bits; "
			          "write a smaller one");
	if (a->failed)
		return;
	in->b[0x0E] = (uint8_t)n[0];
	in->b[0x0F] = (uint8_t)n[1];
	asm_put32(in->b + 0x18, (uint32_t)step[0]);
	asm_put32(in->b + 0x1C, (uint32_t)step[1]);
}

void asm_load_save(struct asm_state *a, struct asm_inst *in, bool save)
{
	int regs = 0;

	in->b[0x0C] = asm_dtype(a, in, TPB_DTYPE_INT32);
	if (!save) {
		regs = asm_reg_list(a, in->b + 0x20, 32);
		asm_expect(a, ',', "write load rD, [ADDRESS]");
	}
	asm_expect(a, '[', "an address in brackets goes here");
	address(a, in, save);
	asm_expect(a, ']', "close the address with ]");
	if (save) {
		asm_expect(a, ',', "write save [ADDRESS], rA");
		regs = asm_reg_list(a, in->b + 0x20, 32);
	}
	dims(a, in, regs);
}

/* ---- addresses of a dma ---- */

int64_t asm_variable_id(struct asm_state *a)
{
	struct asm_tok t = a->pos.tok;
	int64_t v;
	int i = -1;

	if (asm_is(&t, "var") && asm_peek_punct(a) == '(') {
		asm_next(a);
		asm_next(a);
		v = (int64_t)asm_uint(a, 0xFFFFFF, "variable id");
		asm_expect(a, ')', "write var(ID)");
		return v;
	}
	if (t.kind == TOK_NAME)
		i = asm_find(a, ASM_GLOBAL, t.text, t.len);
	if (i < 0 || a->sym[i].kind != SYM_TENSOR)
		return -1;
	asm_next(a);
	v = a->tensor[a->sym[i].value].id;
	if (v == 0 || v > 0xFFFFFF)
		asm_error(a, &t, ASM_RANGE,
		          "a dma takes variable ids of 1 to 0xFFFFFF; give "
		          "the tensor another id");
	return v;
}

/* dge(N) + OFFSET, dge(N) + rA, dge(N) + pair(rA). */
static void table_entry(struct asm_state *a, uint8_t *p)
{
	asm_next(a);
	asm_next(a);
	p[4] = (uint8_t)asm_uint(a, TPB_DGE_ENTRIES_GEN3 - 1, "DGE entry");
	asm_expect(a, ')', "write dge(ENTRY)");
	p[7] = TPB_ADDR8_TABLE;
	if (!asm_accept(a, '+'))
		return;
	if (asm_at_reg(a)) {
		p[0] = asm_reg(a);
		p[7] = TPB_ADDR8_REG;
	} else if (asm_is(&a->pos.tok, "pair") && asm_peek_punct(a) == '(') {
		asm_next(a);
		asm_next(a);
		p[0] = asm_reg(a);
		p[7] = TPB_ADDR8_PAIR;
		asm_expect(a, ')', "write pair(rA)");
	} else {
		asm_put32(p, (uint32_t)asm_value(a, 32, "offset"));
	}
}

void asm_addr8(struct asm_state *a, uint8_t *p)
{
	int64_t id;

	memset(p, 0, 8);
	if (!asm_accept(a, '[')) {
		asm_put64(p, asm_value(a, 64, "address"));
		return;
	}
	if (asm_is(&a->pos.tok, "dge") && asm_peek_punct(a) == '(') {
		table_entry(a, p);
	} else {
		id = asm_variable_id(a);
		if (id < 0 || asm_at(a, '+') || asm_at(a, '-'))
			asm_put32(p, (uint32_t)asm_value(a, 32, "offset"));
		asm_put32(p + 4, id < 0 ? 0 : (uint32_t)id);
		p[7] = TPB_ADDR8_STATIC;
	}
	asm_expect(a, ']', "close the address with ]");
}
