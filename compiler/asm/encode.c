/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler: the sequencer instructions that have a form of their own.
 *
 * Each encoder reads its operands and fills the payload of a zeroed bundle.
 * It checks what text can get wrong; whether the bundle is legal is left to
 * isa_check().  Layouts: isa/fields.def, docs/reference/decode.md.
 */
#include "compiler/asm/internal.h"

#include <string.h>

#define COMMA "separate operands with a comma"

void asm_put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

void asm_put64(uint8_t *p, uint64_t v)
{
	asm_put32(p, (uint32_t)v);
	asm_put32(p + 4, (uint32_t)(v >> 32));
}

uint8_t asm_dtype(struct asm_state *a, const struct asm_inst *in, uint8_t dflt)
{
	int64_t v;

	if (!in->suffix)
		return dflt;
	if (in->suffix_len == 4 && !memcmp(in->suffix, "none", 4))
		return 0;
	v = isa_enum_value("dtype", in->suffix, in->suffix_len);
	if (v < 0)
		asm_error(a, &in->name, ASM_UNKNOWN,
		          "unknown type .%.*s; known: .i32 .u32 .f32 .u8 .i8 "
		          ".u16 .i16 .u64 .i64",
		          (int)(in->suffix_len < 40 ? in->suffix_len : 40),
		          in->suffix);
	return (uint8_t)(v & 0xFF);
}

void asm_no_suffix(struct asm_state *a, const struct asm_inst *in)
{
	if (in->suffix)
		asm_error(a, &in->name, ASM_SYNTAX,
		          "this instruction takes no type; remove the .%.*s",
		          (int)(in->suffix_len < 40 ? in->suffix_len : 40),
		          in->suffix);
}

static uint32_t word_of(struct asm_state *a, uint8_t dtype)
{
	if (dtype == TPB_DTYPE_FLOAT32)
		return asm_float(a);
	return (uint32_t)asm_value(a, 32, "immediate");
}

static void mov_list(struct asm_state *a, struct asm_inst *in, uint8_t dtype)
{
	struct asm_tok at = a->pos.tok;
	int n = asm_reg_list(a, in->b + 0x18, 8), m = 0;

	asm_expect(a, ',', COMMA);
	in->b[0x0C] = (uint8_t)n;
	asm_expect(a, '{', "a list in braces goes with a list");
	in->b[0x0E] = !asm_at_reg(a);
	do {
		if (m == 8)
			break;
		if (in->b[0x0E])
			asm_put32(in->b + 0x20 + 4 * m, word_of(a, dtype));
		else
			in->b[0x10 + m] = asm_reg(a);
		m++;
	} while (asm_accept(a, ','));
	asm_expect(a, '}', "close the list with }; at most 8 entries");
	if (n == 2)
		asm_error(a, &at, ASM_KIND,
		          "a list of 2 is the 64-bit form; write mov64");
	else if (n != m)
		asm_error(a, &at, ASM_RANGE,
		          "%d registers but %d sources; give as many", n, m);
}

static void enc_mov(struct asm_state *a, struct asm_inst *in)
{
	uint8_t dtype = asm_dtype(a, in, TPB_DTYPE_INT32);

	in->b[0x0D] = dtype;
	if (asm_at(a, '{')) {
		mov_list(a, in, dtype);
		return;
	}
	in->b[0x0C] = 1;
	in->b[0x18] = asm_reg(a);
	asm_expect(a, ',', COMMA);
	in->b[0x0E] = !asm_at_reg(a);
	if (in->b[0x0E])
		asm_put32(in->b + 0x20, word_of(a, dtype));
	else
		in->b[0x10] = asm_reg(a);
}

static void enc_mov64(struct asm_state *a, struct asm_inst *in)
{
	in->b[0x0C] = 2;
	in->b[0x0D] = asm_dtype(a, in, TPB_DTYPE_INT32);
	in->b[0x0E] = 1;
	in->b[0x18] = asm_reg(a);
	in->b[0x19] = (uint8_t)(in->b[0x18] + 1);
	asm_expect(a, ',', COMMA);
	asm_put64(in->b + 0x20, asm_value(a, 64, "immediate"));
}

static void enc_alu(struct asm_state *a, struct asm_inst *in, uint8_t op,
                    bool wide)
{
	bool unary = op == TPB_ALU_BYPASS || op == TPB_ALU_BITWISE_NOT ||
	             op == TPB_ALU_ABS || op == TPB_ALU_RSQRT;

	in->b[0x0C] = op;
	in->b[0x0D] = 1;
	in->b[0x0E] = wide;
	in->b[0x0F] = asm_dtype(a, in, TPB_DTYPE_INT32);
	if (wide) {
		asm_no_suffix(a, in);
		in->b[0x0F] = TPB_DTYPE_UINT64;
	}
	in->b[0x10] = asm_reg(a);
	if (wide) {
		in->b[0x14] = in->b[0x10];
		in->b[0x15] = (uint8_t)(in->b[0x10] + 1);
	}
	asm_expect(a, ',', COMMA);
	in->b[0x11] = asm_reg(a);
	if (unary && !asm_at(a, ','))
		return;
	asm_expect(a, ',', COMMA);
	if (asm_at_reg(a)) {
		in->b[0x12] = asm_reg(a);
		return;
	}
	in->b[0x0E] |= 2;
	asm_put64(in->b + 0x18, asm_value(a, wide ? 64 : 32, "immediate"));
}

static void enc_branch(struct asm_state *a, struct asm_inst *in, uint8_t cmp)
{
	uint8_t dtype = asm_dtype(a, in, TPB_DTYPE_INT32);

	in->b[0x0C] = cmp;
	in->b[0x0D] = dtype;
	in->b[0x0E] = 3;
	in->b[0x20] = asm_reg(a);
	asm_expect(a, ',', COMMA);
	if (asm_at_reg(a)) {
		in->b[0x0C] |= 8;
		in->b[0x21] = asm_reg(a);
	} else {
		asm_put32(in->b + 0x10, word_of(a, dtype));
	}
	asm_expect(a, ',', COMMA);
	asm_put32(in->b + 0x30, asm_target(a));
}

static void enc_jmp(struct asm_state *a, struct asm_inst *in)
{
	asm_no_suffix(a, in);
	in->b[0x0E] = 3;
	asm_put32(in->b + 0x30, asm_target(a));
}

static void enc_hint(struct asm_state *a, struct asm_inst *in)
{
	struct asm_tok t = a->pos.tok;
	int64_t v = -1;

	asm_no_suffix(a, in);
	if (t.kind == TOK_NAME)
		v = isa_enum_value("hint", t.text, t.len);
	if (v < 0)
		asm_error(a, &t, ASM_SYNTAX,
		          "a hint is likely or unlikely; write one of them");
	asm_next(a);
	in->b[0x0C] = (uint8_t)(v & 0xFF);
	asm_expect(a, ',', COMMA);
	asm_put32(in->b + 0x30, asm_target(a));
}

/* Copy a name into a NUL-padded field of `room` bytes. */
static void callee(struct asm_state *a, struct asm_inst *in)
{
	struct asm_tok t = a->pos.tok;
	size_t i = 0, n = 0;
	char buf[48];
	int c;

	if (t.kind != TOK_NAME && t.kind != TOK_STR) {
		asm_error(a, &t, ASM_SYNTAX,
		          "unexpected %s; a function name goes here",
		          asm_show(&t, buf));
		return;
	}
	while ((c = asm_char(a, &t, &i)) >= 0) {
		if (n == 35 || c == 0) {
			asm_error(a, &t, ASM_RANGE,
			          "a function name has 1 to 35 bytes, none "
			          "of them 0; shorten it");
			return;
		}
		in->b[0x0C + n++] = (uint8_t)c;
	}
	if (a->pass == 2 && !a->unchecked &&
	    (asm_find(a, a->engine, t.text, t.len) < 0 ||
	     asm_find(a, ASM_FUNCS, t.text, t.len) < 0))
		asm_error(a, &t, ASM_UNKNOWN,
		          "no function %s on this engine; add .func there",
		          asm_show(&t, buf));
	asm_next(a);
}

static void enc_call(struct asm_state *a, struct asm_inst *in)
{
	uint8_t *args = in->b + 0x30;

	asm_no_suffix(a, in);
	if (asm_at(a, '@')) {
		if (a->pass == 2 && !a->loaded && !a->unchecked)
			asm_error(a, &a->pos.tok, ASM_KIND,
			          "a call by number is the loaded form; name "
			          "the function or write .loaded at the top");
		asm_next(a);
		in->b[0x2F] = 1;
		asm_put32(in->b + 0x30, asm_target(a));
		args = in->b + 0x38;
	} else {
		callee(a, in);
	}
	if (!asm_accept(a, ','))
		return;
	if (!asm_accept_name(a, "args"))
		asm_error(a, &a->pos.tok, ASM_SYNTAX,
		          "only args=V can follow; write it or remove it");
	asm_expect(a, '=', "write args=V");
	asm_put32(args, (uint32_t)asm_value(a, 32, "args"));
}

static void enc_ret(struct asm_state *a, struct asm_inst *in)
{
	asm_no_suffix(a, in);
	in->b[0x0C] = asm_accept_name(a, "keep");
}

static void enc_drain(struct asm_state *a, struct asm_inst *in)
{
	asm_no_suffix(a, in);
	in->b[0x28] = (uint8_t)asm_uint(a, 255, "drain count");
}

static uint8_t semaphore(struct asm_state *a)
{
	struct asm_tok t = a->pos.tok;
	bool event;
	uint8_t id = asm_sync_ref(a, &event);

	if (event)
		asm_error(a, &t, ASM_KIND,
		          "an event where a semaphore goes; name one");
	return id;
}

/* One id, or first..last, of a mask. */
static void mask_entry(struct asm_state *a, struct asm_inst *in)
{
	struct asm_tok t = a->pos.tok;
	unsigned first = semaphore(a), last = first;

	if (asm_accept(a, P_RANGE))
		last = semaphore(a);
	if (first > last)
		asm_error(a, &t, ASM_RANGE,
		          "s%u..s%u is empty; write the lower id first", first,
		          last);
	for (unsigned id = first; id <= last; id++)
		in->b[0x20 + id / 8] |= (uint8_t)(1u << id % 8);
}

static void enc_greset(struct asm_state *a, struct asm_inst *in)
{
	asm_no_suffix(a, in);
	if (!asm_accept(a, '{')) {
		in->b[0x0C] = TPB_CLEAR_RANGE;
		in->b[0x0D] = semaphore(a);
		asm_expect(a, P_RANGE, "write s10..s19 or {s10, s12}");
		in->b[0x0E] = semaphore(a);
		return;
	}
	in->b[0x0C] = TPB_CLEAR_MASK;
	if (asm_accept(a, '}'))
		return;
	do {
		mask_entry(a, in);
	} while (asm_accept(a, ','));
	asm_expect(a, '}', "close the list with }");
}

static void enc_rank(struct asm_state *a, struct asm_inst *in)
{
	asm_no_suffix(a, in);
	in->b[0x0C] = 1;
	in->b[0x17] = asm_reg(a);
}

static void enc_currank(struct asm_state *a, struct asm_inst *in)
{
	static const char *const keys[] = {"group", "channel", "iteration",
	                                   "stream", "value"};
	static const uint8_t offs[] = {0x0C, 0x0E, 0x10, 0x14, 0x18};
	static const uint8_t bytes[] = {1, 1, 1, 2, 4};
	uint64_t v;
	size_t k;

	asm_no_suffix(a, in);
	in->b[0x12] = asm_reg(a);
	while (asm_accept(a, ',')) {
		for (k = 0; k < 5; k++)
			if (asm_is(&a->pos.tok, keys[k]))
				break;
		if (k == 5) {
			asm_error(a, &a->pos.tok, ASM_UNKNOWN,
			          "unknown key; known: group channel "
			          "iteration stream value");
			return;
		}
		asm_next(a);
		asm_expect(a, '=', "write KEY=VALUE");
		v = asm_value(a, 8 * bytes[k], keys[k]);
		for (int i = 0; i < bytes[k]; i++)
			in->b[offs[k] + i] = (uint8_t)(v >> (8 * i));
		if (k == 4)
			in->b[0x2F] = 1;
	}
}

static void enc_load(struct asm_state *a, struct asm_inst *in)
{
	asm_load_save(a, in, false);
}

static void enc_save(struct asm_state *a, struct asm_inst *in)
{
	asm_load_save(a, in, true);
}

static const struct sugar {
	const char *name;
	uint8_t op;
	void (*encode)(struct asm_state *a, struct asm_inst *in);
} table[] = {
    {"mov", TPB_OP_REGISTER_MOVE, enc_mov},
    {"mov64", TPB_OP_REGISTER_MOVE, enc_mov64},
    {"jmp", TPB_OP_BRANCH, enc_jmp},
    {"hint", TPB_OP_BRANCH_HINT, enc_hint},
    {"call", TPB_OP_CALL, enc_call},
    {"ret", TPB_OP_RETURN, enc_ret},
    {"drain", TPB_OP_DRAIN, enc_drain},
    {"greset", TPB_OP_GROUP_RESET, enc_greset},
    {"rank", TPB_OP_GLOBAL_RANK, enc_rank},
    {"currank", TPB_OP_CUR_RANK, enc_currank},
    {"load", TPB_OP_TENSOR_LOAD, enc_load},
    {"save", TPB_OP_TENSOR_SAVE, enc_save},
};

static bool alu_sugar(struct asm_state *a, struct asm_inst *in)
{
	const char *s = in->name.text;
	size_t n = in->base;
	bool wide = n > 2 && s[n - 2] == '6' && s[n - 1] == '4';
	int64_t v = isa_enum_value("alu", s, wide ? n - 2 : n);

	if (v < 0 || v >= 0x20)
		return false;
	in->b[0] = TPB_OP_REGISTER_ALU;
	enc_alu(a, in, (uint8_t)v, wide);
	return true;
}

static bool branch_sugar(struct asm_state *a, struct asm_inst *in)
{
	int64_t v;

	if (in->base != 3 || in->name.text[0] != 'b')
		return false;
	v = isa_enum_value("cmp", in->name.text + 1, 2);
	if (v < 0)
		return false;
	in->b[0] = TPB_OP_BRANCH;
	enc_branch(a, in, (uint8_t)v);
	return true;
}

bool asm_sugar(struct asm_state *a, struct asm_inst *in)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strlen(table[i].name) == in->base &&
		    !memcmp(table[i].name, in->name.text, in->base)) {
			in->b[0] = table[i].op;
			table[i].encode(a, in);
			return true;
		}
	return branch_sugar(a, in) || alu_sugar(a, in);
}
