/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler: the generic form `mnemonic field=value, ...`, driven by the
 * field tables of isa/.
 *
 * Constant fields are set by themselves.  A line that names a field of the
 * loaded form only is in loaded form; it is then read a second time.
 */
#include "compiler/asm/internal.h"

#include <string.h>

static void raw_bytes(struct asm_state *a, uint8_t *p, size_t n)
{
	struct asm_tok t = a->pos.tok;
	int64_t v;

	if (t.kind != TOK_HEX || t.len % 2 || t.len / 2 > n) {
		asm_error(a, &t, ASM_SYNTAX,
		          "raw bytes are up to %zu pairs of hex digits; "
		          "write x\"00ff\"",
		          n);
		return;
	}
	memset(p, 0, n);
	for (size_t i = 0; i < t.len; i++) {
		char c = t.text[i];

		v = c >= '0' && c <= '9'   ? c - '0'
		    : c >= 'a' && c <= 'f' ? c - 'a' + 10
		    : c >= 'A' && c <= 'F' ? c - 'A' + 10
		                           : -1;
		if (v < 0) {
			asm_error(a, &t, ASM_LEX,
			          "raw bytes are hex digits; "
			          "write x\"00ff\"");
			return;
		}
		p[i / 2] = (uint8_t)(p[i / 2] << 4 | v);
	}
	asm_next(a);
}

static void text_bytes(struct asm_state *a, uint8_t *p, size_t room)
{
	struct asm_tok t = a->pos.tok;
	size_t i = 0, n = 0;
	int c;

	if (t.kind != TOK_STR) {
		asm_error(a, &t, ASM_SYNTAX,
		          "no quoted name; write NAME=\"text\"");
		return;
	}
	memset(p, 0, room);
	while ((c = asm_char(a, &t, &i)) >= 0) {
		if (n + 1 >= room || c == 0) {
			asm_error(a, &t, ASM_RANGE,
			          "a name has at most %zu bytes, none of "
			          "them 0; shorten it",
			          room - 1);
			return;
		}
		p[n++] = (uint8_t)c;
	}
	asm_next(a);
}

/* Operand address: a number, or a register in register mode. */
static uint32_t addr4(struct asm_state *a)
{
	if (asm_at_reg(a))
		return 0x80000000u | asm_reg(a);
	return (uint32_t)asm_value(a, 32, "address");
}

static void put16(uint8_t *p, uint64_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

/* [ADDRESS, STEP:NUM, ...]: address, all steps, all nums. */
static void tensor(struct asm_state *a, uint8_t *p, int dims)
{
	int n = 0;

	asm_expect(a, '[', "write [ADDRESS, STEP:NUM, ...]");
	asm_put32(p, addr4(a));
	for (int i = 0; i < dims; i++) {
		put16(p + 4 + 2 * i, 1);
		put16(p + 4 + 2 * (dims + i), 1);
	}
	if (!asm_at(a, ']'))
		asm_expect(a, ',', "separate dimensions with a comma");
	while (!asm_at(a, ']') && !a->failed) {
		if (n == dims) {
			asm_error(a, &a->pos.tok, ASM_RANGE,
			          "this descriptor has %d dimensions; "
			          "remove the others",
			          dims);
			return;
		}
		put16(p + 4 + 2 * n, asm_value(a, 16, "step"));
		asm_expect(a, ':', "write STEP:NUM");
		put16(p + 4 + 2 * (dims + n), asm_value(a, 16, "num"));
		n++;
		if (!asm_accept(a, ','))
			break;
	}
	asm_expect(a, ']', "close the tensor with ]");
}

static void field_enum(struct asm_state *a, uint8_t *b,
                       const struct isa_field *f)
{
	struct asm_tok t = a->pos.tok;
	int64_t v = -1;

	if (t.kind == TOK_NAME)
		v = isa_enum_value(f->group, t.text, t.len);
	if (v >= 0)
		asm_next(a);
	else
		v = (int64_t)asm_value(a, f->bits, f->name);
	isa_set(b, f, (uint64_t)v);
}

static void field_value(struct asm_state *a, uint8_t *b,
                        const struct isa_field *f)
{
	switch (f->kind) {
	case ISA_ENUM: field_enum(a, b, f); return;
	case ISA_REG:
		if (asm_at_reg(a))
			isa_set(b, f, asm_reg(a));
		else
			isa_set(b, f, asm_value(a, f->bits, f->name));
		return;
	case ISA_F32: isa_set(b, f, asm_float(a)); return;
	case ISA_TARGET: isa_set(b, f, asm_target(a)); return;
	case ISA_BYTES: raw_bytes(a, b + f->off, f->bits / 8u); return;
	case ISA_NAME: text_bytes(a, b + f->off, f->bits / 8u); return;
	case ISA_ADDR4: isa_set(b, f, addr4(a)); return;
	case ISA_ADDR8: asm_addr8(a, b + f->off); return;
	case ISA_T1D: tensor(a, b + f->off, 1); return;
	case ISA_T2D: tensor(a, b + f->off, 2); return;
	case ISA_T3D: tensor(a, b + f->off, 3); return;
	case ISA_T4D: tensor(a, b + f->off, 4); return;
	default: isa_set(b, f, asm_value(a, f->bits, f->name)); return;
	}
}

/* b[0x2C]=0x81, after the b. */
static void raw_byte(struct asm_state *a, uint8_t *b)
{
	struct asm_tok t;
	uint64_t i;

	asm_expect(a, '[', "write b[OFFSET]=VALUE");
	t = a->pos.tok;
	i = asm_uint(a, TPB_BUNDLE - 1, "byte offset");
	if (i == 0 || (i >= 4 && i < 12))
		asm_error(a, &t, ASM_RANGE,
		          "the opcode and the sync block are not raw bytes; "
		          "use the mnemonic and sync clauses");
	asm_expect(a, ']', "write b[OFFSET]=VALUE");
	asm_expect(a, '=', "write b[OFFSET]=VALUE");
	b[i] = (uint8_t)asm_value(a, 8, "byte");
}

/* One field=value; false: the field is of the other form. */
static bool field(struct asm_state *a, struct asm_inst *in, enum isa_form form,
                  const struct isa_opinfo *op, uint64_t *seen)
{
	struct asm_tok t = a->pos.tok;
	const struct isa_field *f = NULL;
	char buf[48];
	uint64_t bit;

	if (t.kind == TOK_NAME && asm_is(&t, "b") && asm_peek_punct(a) == '[') {
		asm_next(a);
		raw_byte(a, in->b);
		return true;
	}
	if (t.kind == TOK_NAME)
		f = isa_field_named(op->code, form, t.text, t.len);
	if (!f && t.kind == TOK_NAME &&
	    isa_field_named(op->code, form == ISA_FILE ? ISA_LOADED : ISA_FILE,
	                    t.text, t.len))
		return false;
	if (!f) {
		asm_error(a, &t, ASM_UNKNOWN,
		          "%s has no field %s; see its reference page",
		          op->mnemonic, asm_show(&t, buf));
		return true;
	}
	bit = 1ull << ((f - op->field) & 63);
	if (op->nfields <= 64 && (*seen & bit))
		asm_error(a, &t, ASM_DUPLICATE,
		          "field %s is given twice; remove one",
		          asm_show(&t, buf));
	*seen |= bit;
	asm_next(a);
	asm_expect(a, '=', "write FIELD=VALUE");
	field_value(a, in->b, f);
	return true;
}

/* No count of a dma can be 0: left out, it is 1. */
static void one_each(uint8_t *b, const struct isa_opinfo *op)
{
	static const char *const counts[] = {"src_num0", "src_num1", "dst_num0",
	                                     "dst_num1"};

	for (int i = 0; i < 4 && op->code == TPB_OP_DMA_DIRECT; i++)
		isa_set(b, isa_field_named(op->code, ISA_FILE, counts[i], 8),
		        1);
}

static bool read_form(struct asm_state *a, struct asm_inst *in,
                      enum isa_form form, const struct isa_opinfo *op)
{
	uint64_t seen = 0;

	memset(in->b + 1, 0, TPB_BUNDLE - 1);
	in->b[1] = 0x10;
	for (int i = 0; i < op->nfields; i++)
		if (op->field[i].kind == ISA_CONST &&
		    (op->field[i].forms >> form & 1))
			isa_set(in->b, &op->field[i],
			        (uint64_t)op->field[i].arg);
	one_each(in->b, op);
	if (a->pos.tok.kind != TOK_NAME)
		return true;
	do {
		if (!field(a, in, form, op, &seen))
			return false;
	} while (asm_accept(a, ','));
	return true;
}

void asm_generic(struct asm_state *a, struct asm_inst *in,
                 const struct isa_opinfo *op)
{
	struct asm_pos from = a->pos;
	enum isa_form form = a->loaded ? ISA_LOADED : ISA_FILE;
	struct asm_tok t;

	in->b[0] = op->code;
	if (read_form(a, in, form, op))
		return;
	a->pos = from;
	form = form == ISA_FILE ? ISA_LOADED : ISA_FILE;
	if (read_form(a, in, form, op))
		return;
	t = a->pos.tok;
	asm_error(a, &t, ASM_KIND,
	          "fields of the file form and of the loaded form are mixed; "
	          "keep one kind");
}
