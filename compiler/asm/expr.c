/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler: expressions and the small operands.
 *
 * Integers are 64 bits wide and wrap.  `|` is an operator only inside
 * parentheses, because a bare one begins a sync clause.  Nesting is limited
 * to ASM_MAX_DEPTH, so hostile text cannot exhaust the stack.
 */
#include "compiler/asm/internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t binary(struct asm_state *a, int level, int depth, bool paren);

static int64_t function_of(struct asm_state *a, const struct asm_tok *fn)
{
	struct asm_tok t = a->pos.tok;
	const struct asm_tensor *ten;
	char buf[48];
	int i = -1;

	if (t.kind == TOK_NAME)
		i = asm_find(a, ASM_GLOBAL, t.text, t.len);
	if (i < 0) {
		asm_error(a, &t, ASM_UNKNOWN,
		          "unknown name %s; declare it "
		          "with .tensor, .sem or .event",
		          asm_show(&t, buf));
		return 0;
	}
	asm_next(a);
	if (asm_is(fn, "id") &&
	    (a->sym[i].kind == SYM_SEM || a->sym[i].kind == SYM_EVENT)) {
		if (!a->sym[i].known)
			asm_error(a, &t, ASM_ORDER,
			          "the number of %s is not known in a "
			          "directive; declare it with = ID",
			          asm_show(&t, buf));
		return a->sym[i].value;
	}
	if (a->sym[i].kind != SYM_TENSOR) {
		asm_error(a, &t, ASM_KIND, "%s is no tensor; name one",
		          asm_show(&t, buf));
		return 0;
	}
	ten = &a->tensor[a->sym[i].value];
	if (asm_is(fn, "size"))
		return (int64_t)ten->size;
	if (a->pass == 1 && !(asm_is(fn, "id") ? ten->has_id : ten->has_addr))
		asm_error(a, &t, ASM_ORDER,
		          "place of %s is not known in a directive; "
		          "declare it with addr= and id=",
		          asm_show(&t, buf));
	return asm_is(fn, "id") ? (int64_t)ten->id : (int64_t)ten->addr;
}

/* sbuf(P, BYTE), psum(P, BANK, BYTE): 29-bit on-chip address. */
static int64_t on_chip(struct asm_state *a, bool psum)
{
	uint64_t v = asm_uint(a, TPB_SBUF_PARTITIONS_GEN3 - 1, "partition")
	             << (psum ? 15 : 18);

	asm_expect(a, ',',
	           "write sbuf(PARTITION, BYTE) or psum(PARTITION, "
	           "BANK, BYTE)");
	if (psum) {
		v |= asm_uint(a, TPB_PSUM_BANKS_GEN3 - 1, "bank") << 11;
		asm_expect(a, ',', "write psum(PARTITION, BANK, BYTE)");
		v |= asm_uint(a, TPB_PSUM_BANK_BYTES_GEN3 - 1, "byte");
		v += TPB_PSUM_BASE_GEN3;
	} else {
		v |= asm_uint(a, TPB_SBUF_STRIDE_GEN3 - 1, "byte");
	}
	return (int64_t)v;
}

static int64_t call(struct asm_state *a)
{
	struct asm_tok fn = a->pos.tok;
	char buf[48];
	int64_t v = 0;

	asm_next(a);
	asm_next(a);
	if (asm_is(&fn, "f32"))
		v = asm_float(a);
	else if (asm_is(&fn, "sbuf") || asm_is(&fn, "psum"))
		v = on_chip(a, asm_is(&fn, "psum"));
	else if (asm_is(&fn, "addr") || asm_is(&fn, "size") ||
	         asm_is(&fn, "id"))
		v = function_of(a, &fn);
	else
		asm_error(
		    a, &fn, ASM_UNKNOWN,
		    "unknown function %s; known: addr size id f32 sbuf psum",
		    asm_show(&fn, buf));
	asm_expect(a, ')', "close the function with )");
	return v;
}

static int64_t name(struct asm_state *a)
{
	struct asm_tok t = a->pos.tok;
	char buf[48];
	int i = -1;

	if (a->labels_ok)
		i = asm_find(a, a->engine, t.text, t.len);
	if (i < 0)
		i = asm_find(a, ASM_GLOBAL, t.text, t.len);
	if (i < 0) {
		asm_error(a, &t, ASM_UNKNOWN, "unknown %s %s; %s",
		          a->labels_ok ? "label" : "name", asm_show(&t, buf),
		          a->labels_ok ? "define it on this engine"
		                       : "define it with .equ before");
		return 0;
	}
	if (a->sym[i].kind == SYM_SEM || a->sym[i].kind == SYM_EVENT ||
	    a->sym[i].kind == SYM_TENSOR) {
		asm_error(a, &t, ASM_KIND,
		          "%s is no number; use id(), addr() or size()",
		          asm_show(&t, buf));
		return 0;
	}
	asm_next(a);
	return a->sym[i].value;
}

static int64_t primary(struct asm_state *a, int depth, bool paren)
{
	struct asm_tok t = a->pos.tok;
	char buf[48];
	int64_t v;

	if (depth > ASM_MAX_DEPTH) {
		asm_error(a, &t, ASM_LIMIT,
		          "expression nested too deeply; use .equ");
		return 0;
	}
	if (t.kind == TOK_INT) {
		asm_next(a);
		return (int64_t)t.value;
	}
	if (t.kind == TOK_NAME)
		return asm_peek_punct(a) == '(' ? call(a) : name(a);
	if (asm_accept(a, '(')) {
		v = binary(a, 0, depth + 1, true);
		asm_expect(a, ')', "close the parenthesis");
		return v;
	}
	if (asm_accept(a, '-'))
		return (int64_t)(0 - (uint64_t)primary(a, depth + 1, paren));
	if (asm_accept(a, '+'))
		return primary(a, depth + 1, paren);
	if (asm_accept(a, '~'))
		return ~primary(a, depth + 1, paren);
	if (asm_accept(a, '!'))
		return !primary(a, depth + 1, paren);
	if (a->labels_ok && asm_accept(a, '.'))
		return (int64_t)a->pc[a->engine];
	if (t.kind == TOK_FLOAT)
		asm_error(a, &t, ASM_KIND,
		          "a float where an integer goes; "
		          "write f32(...) for its word");
	else
		asm_error(a, &t, ASM_SYNTAX,
		          "unexpected %s; an expression goes here",
		          asm_show(&t, buf));
	return 0;
}

/* Binding strength of a binary operator, -1: none. */
static int level_of(const struct asm_state *a, bool paren)
{
	if (a->pos.tok.kind != TOK_PUNCT)
		return -1;
	switch (a->pos.tok.punct) {
	case P_OR: return 0;
	case P_AND: return 1;
	case '|': return paren ? 2 : -1;
	case '^': return 3;
	case '&': return 4;
	case P_EQ:
	case P_NE: return 5;
	case '<':
	case '>':
	case P_LE:
	case P_GE: return 6;
	case P_SHL:
	case P_SHR: return 7;
	case '+':
	case '-': return 8;
	case '*':
	case '/':
	case '%': return 9;
	default: return -1;
	}
}

static int64_t divide(struct asm_state *a, const struct asm_tok *op, int64_t x,
                      int64_t y)
{
	if (y == 0) {
		asm_error(a, op, ASM_RANGE,
		          "division by zero; change the divisor");
		return 0;
	}
	if (y == -1)
		return op->punct == '/' ? (int64_t)(0 - (uint64_t)x) : 0;
	return op->punct == '/' ? x / y : x % y;
}

static int64_t shift(struct asm_state *a, const struct asm_tok *op, int64_t x,
                     int64_t y)
{
	if (y < 0 || y > 63) {
		asm_error(a, op, ASM_RANGE,
		          "shift by less than 0 or more than 63; change it");
		return 0;
	}
	return op->punct == P_SHL ? (int64_t)((uint64_t)x << y) : x >> y;
}

static int64_t apply(struct asm_state *a, const struct asm_tok *op, int64_t x,
                     int64_t y)
{
	uint64_t ux = (uint64_t)x, uy = (uint64_t)y;

	switch (op->punct) {
	case P_OR: return x || y;
	case P_AND: return x && y;
	case '|': return x | y;
	case '^': return x ^ y;
	case '&': return x & y;
	case P_EQ: return x == y;
	case P_NE: return x != y;
	case '<': return x < y;
	case '>': return x > y;
	case P_LE: return x <= y;
	case P_GE: return x >= y;
	case P_SHL:
	case P_SHR: return shift(a, op, x, y);
	case '+': return (int64_t)(ux + uy);
	case '-': return (int64_t)(ux - uy);
	case '*': return (int64_t)(ux * uy);
	default: return divide(a, op, x, y);
	}
}

static int64_t binary(struct asm_state *a, int level, int depth, bool paren)
{
	int64_t v = primary(a, depth, paren);

	for (;;) {
		int l = level_of(a, paren);
		struct asm_tok op = a->pos.tok;
		int64_t y;

		if (l < level)
			return v;
		asm_next(a);
		y = binary(a, l + 1, depth, paren);
		if (a->failed)
			return 0;
		v = apply(a, &op, v, y);
	}
}

int64_t asm_expr(struct asm_state *a)
{
	return binary(a, 0, 0, false);
}

uint64_t asm_value(struct asm_state *a, int bits, const char *what)
{
	struct asm_tok t = a->pos.tok;
	int64_t v = asm_expr(a);
	uint64_t mask = bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;

	if (bits < 64 && (v < -(int64_t)(mask / 2 + 1) || v > (int64_t)mask))
		asm_error(a, &t, ASM_RANGE,
		          "%s %lld does not fit into %d bits; "
		          "write a value of that range",
		          what, (long long)v, bits);
	return (uint64_t)v & mask;
}

uint64_t asm_uint(struct asm_state *a, uint64_t max, const char *what)
{
	struct asm_tok t = a->pos.tok;
	int64_t v = asm_expr(a);

	if ((uint64_t)v > max)
		asm_error(a, &t, ASM_RANGE,
		          "%s %lld is not in 0..%llu; "
		          "write a value of that range",
		          what, (long long)v, (unsigned long long)max);
	return a->failed ? 0 : (uint64_t)v;
}

uint32_t asm_target(struct asm_state *a)
{
	uint64_t v;

	a->labels_ok = true;
	v = asm_uint(a, UINT32_MAX, "branch target");
	a->labels_ok = false;
	return (uint32_t)v;
}

static uint32_t float_word(float f)
{
	uint32_t w;

	memcpy(&w, &f, sizeof(w));
	return w;
}

static float float_literal(struct asm_state *a, const struct asm_tok *t)
{
	char text[64];
	size_t n = 0;
	float f;

	for (size_t i = 0; i < t->len && n < sizeof(text) - 1; i++)
		if (t->text[i] != '_')
			text[n++] = t->text[i];
	text[n] = '\0';
	if (t->len >= sizeof(text) || strpbrk(text, "xXbBoO")) {
		asm_error(a, t, ASM_LEX,
		          "a float is written in decimal, up to 63 "
		          "characters; write bits(...) for a word");
		return 0;
	}
	f = strtof(text, NULL);
	if (isinf(f))
		asm_error(a, t, ASM_RANGE,
		          "float too large for 32 bits; write inf");
	return f;
}

uint32_t asm_float(struct asm_state *a)
{
	struct asm_tok t;
	bool minus = false;
	char buf[48];
	uint32_t w;

	if (asm_accept(a, '-'))
		minus = true;
	else
		(void)asm_accept(a, '+');
	t = a->pos.tok;
	if (t.kind == TOK_INT || t.kind == TOK_FLOAT) {
		w = float_word(float_literal(a, &t));
		asm_next(a);
	} else if (asm_accept_name(a, "inf")) {
		w = 0x7F800000;
	} else if (!minus && asm_accept_name(a, "nan")) {
		w = 0x7FC00000;
	} else if (!minus && asm_is(&t, "bits")) {
		asm_next(a);
		asm_expect(a, '(', "write bits(0x3F800000)");
		w = (uint32_t)asm_value(a, 32, "word");
		asm_expect(a, ')', "close bits( with )");
	} else {
		asm_error(a, &t, ASM_SYNTAX,
		          "unexpected %s; a float goes here: 1.5, inf, nan "
		          "or bits(0x3F800000)",
		          asm_show(&t, buf));
		return 0;
	}
	return minus ? w ^ 0x80000000u : w;
}

bool asm_at_reg(const struct asm_state *a)
{
	return asm_bank(&a->pos.tok, 'r', TPB_REGS) != -1;
}

uint8_t asm_reg(struct asm_state *a)
{
	int r = asm_bank(&a->pos.tok, 'r', TPB_REGS);
	char buf[48];

	if (r < 0) {
		asm_error(a, &a->pos.tok, r == -2 ? ASM_RANGE : ASM_SYNTAX,
		          r == -2 ? "no register %s; write r0 to r63"
		                  : "unexpected %s; a register goes here",
		          asm_show(&a->pos.tok, buf));
		return 0;
	}
	asm_next(a);
	return (uint8_t)r;
}

int asm_reg_list(struct asm_state *a, uint8_t *reg, int max)
{
	struct asm_tok t = a->pos.tok;
	int n = 0;

	if (!asm_accept(a, '{')) {
		reg[0] = asm_reg(a);
		return 1;
	}
	do {
		if (n == max) {
			asm_error(a, &t, ASM_RANGE,
			          "more than %d registers; split the line",
			          max);
			return n;
		}
		reg[n++] = asm_reg(a);
	} while (asm_accept(a, ','));
	asm_expect(a, '}', "close the list with }");
	return n;
}
