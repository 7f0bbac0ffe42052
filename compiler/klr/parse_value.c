/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of KLR statements: numbers, words, ramps and lists.  Tensor
 * references are in parse_ref.c.
 *
 * Contract: what is read here is well formed and its tensors exist; whether it
 * makes sense is klr_check()'s.
 */
#include "compiler/klr/internal.h"

#include <string.h>

#define KLR_MAX_INT ((int64_t)1 << 40)
#define KLR_MAX_LIST 4096

void klr_expected(struct klr_parser *p, const char *what)
{
	char buf[48];

	klr_error_at(
	    &p->rep, p->tok.pos, KLR_E_SYNTAX,
	    "%s where %s must be; docs/reference/klr.md has the grammar",
	    klr_show(&p->tok, buf), what);
}

int64_t klr_parse_int(struct klr_parser *p)
{
	struct klr_pos pos = p->tok.pos;
	bool minus = klr_take(p, '-');
	uint64_t v = p->tok.value;

	if (p->tok.kind != TOK_INT) {
		klr_expected(p, "an integer");
		return 0;
	}
	klr_next(p);
	if (v > (uint64_t)KLR_MAX_INT) {
		klr_error_at(&p->rep, pos, KLR_E_RANGE,
		             "integer beyond 2^40; no size or step needs it");
		return 0;
	}
	return minus ? -(int64_t)v : (int64_t)v;
}

const char *klr_parse_name(struct klr_parser *p, const char *what)
{
	const char *s = p->tok.s;

	if (p->tok.kind != TOK_NAME) {
		klr_expected(p, what);
		return "";
	}
	klr_next(p);
	return s;
}

int klr_parse_enum(struct klr_parser *p, enum klr_group g)
{
	struct klr_near near;
	int v;

	if (p->tok.kind != TOK_NAME) {
		char buf[48];

		klr_error_at(&p->rep, p->tok.pos, KLR_E_SYNTAX,
		             "%s where a word of %s must be; "
		             "docs/reference/klr.md lists them",
		             klr_show(&p->tok, buf), klr_group_text(g));
		return 0;
	}
	v = klr_enum_value(g, p->tok.s);
	if (v < 0) {
		klr_near_start(&near, p->tok.s);
		klr_enum_near(g, &near);
		klr_error_at(&p->rep, p->tok.pos, KLR_E_WORD,
		             "'%.40s' is no %s%s", p->tok.s, klr_group_text(g),
		             klr_near_hint(&near, "docs/reference/klr.md "
		                                  "lists the words"));
		return 0;
	}
	klr_next(p);
	return v;
}

/* ------------------------------------------------------------ values */

static bool parse_float_word(struct klr_parser *p, struct klr_value *v,
                             bool minus)
{
	static const struct {
		const char *word;
		uint32_t bits;
	} names[] = {{"inf", 0x7F800000}, {"nan", 0x7FC00000}};

	v->kind = KLR_V_FLOAT;
	for (int i = 0; i < 2; i++)
		if (klr_word(p, names[i].word)) {
			v->bits = names[i].bits ^ (minus ? 0x80000000u : 0);
			klr_next(p);
			return true;
		}
	if (minus || !klr_word(p, "bits") || klr_peek(p).punct != '(')
		return false;
	klr_next(p);
	klr_next(p);
	if (p->tok.kind != TOK_INT || p->tok.value > UINT32_MAX) {
		klr_expected(p, "a 32-bit word");
		return true;
	}
	v->bits = (uint32_t)p->tok.value;
	klr_next(p);
	klr_need(p, ')', "behind the word");
	return true;
}

/* int, float, `reg N`, `pointer`; false if nothing of these is there. */
static bool parse_imm(struct klr_parser *p, struct klr_value *v)
{
	bool minus = klr_is(p, '-');
	struct klr_tok next;

	if (klr_word(p, "pointer")) {
		v->kind = KLR_V_POINTER;
		klr_next(p);
		return true;
	}
	if (minus)
		next = klr_peek(p);
	else
		next = p->tok;
	if (next.kind == TOK_INT) {
		v->kind = KLR_V_INT;
		v->i = klr_parse_int(p);
		return true;
	}
	if (next.kind == TOK_FLOAT) {
		if (minus)
			klr_next(p);
		v->kind = KLR_V_FLOAT;
		v->bits = p->tok.bits ^ (minus ? 0x80000000u : 0);
		klr_next(p);
		return true;
	}
	if (minus)
		klr_next(p);
	if (!minus && klr_word(p, "reg") && klr_peek(p).kind == TOK_INT) {
		klr_next(p);
		v->kind = KLR_V_REGISTER;
		v->i = klr_parse_int(p);
		return true;
	}
	return parse_float_word(p, v, minus);
}

/* [offset; (step,num)...; multiplier] */
static void parse_ramp(struct klr_parser *p, struct klr_value *v)
{
	v->kind = KLR_V_PATTERN;
	v->ramp = ARENA_NEW(p->k->arena, struct klr_ramp);
	klr_need(p, '[', "in front of a ramp [offset; (step,num)..; mult]");
	v->ramp->offset = klr_parse_int(p);
	klr_need(p, ';', "behind the offset");
	v->ramp->npairs = klr_parse_pairs(p, v->ramp->pair);
	klr_need(p, ';', "in front of the channel multiplier");
	v->ramp->multiplier = klr_parse_int(p);
	klr_need(p, ']', "behind a ramp");
}

static void parse_list(struct klr_parser *p, struct klr_value *v,
                       enum klr_kind kind)
{
	struct klr_field f = {.kind = kind};
	int cap = 0;

	v->kind = KLR_V_LIST;
	klr_need(p, '[', "in front of a list");
	if (klr_take(p, ']'))
		return;
	do {
		if (v->nitems == KLR_MAX_LIST) {
			klr_error_at(&p->rep, p->tok.pos, KLR_E_LIMIT,
			             "list of more than %d; split it",
			             KLR_MAX_LIST);
			return;
		}
		if (v->nitems == cap) {
			int more = cap ? 2 * cap : 8;
			struct klr_value *n =
			    arena_array(p->k->arena, (size_t)more, sizeof(*n));

			if (cap)
				memcpy(n, v->item, (size_t)cap * sizeof(*n));
			v->item = n;
			cap = more;
		}
		klr_parse_value(p, &f, &v->item[v->nitems++]);
	} while (klr_take(p, ','));
	klr_need(p, ']', "behind a list");
}

static void parse_bool(struct klr_parser *p, struct klr_value *v)
{
	v->kind = KLR_V_BOOL;
	v->i = klr_word(p, "true");
	if (!v->i && !klr_word(p, "false"))
		klr_expected(p, "true or false");
	else
		klr_next(p);
}

/* Word of a field that is one of several things. */
static bool take_word(struct klr_parser *p, struct klr_value *v,
                      const char *word, enum klr_value_kind kind)
{
	if (!klr_word(p, word))
		return false;
	v->kind = kind;
	klr_next(p);
	return true;
}

static void parse_oob(struct klr_parser *p, struct klr_value *v)
{
	if (take_word(p, v, "skip", KLR_V_SKIP) ||
	    take_word(p, v, "error", KLR_V_ERROR) ||
	    (klr_word(p, "reg") && parse_imm(p, v)))
		return;
	klr_expected(p, "skip, error or reg N");
}

static void parse_name(struct klr_parser *p, struct klr_value *v,
                       const char *what)
{
	v->kind = KLR_V_NAME;
	v->s = klr_parse_name(p, what);
}

static void parse_str(struct klr_parser *p, struct klr_value *v)
{
	v->kind = KLR_V_STR;
	v->s = p->tok.s;
	if (p->tok.kind != TOK_STR)
		klr_expected(p, "a text in \"\"");
	else
		klr_next(p);
}

static void parse_imm_or(struct klr_parser *p, struct klr_value *v,
                         enum klr_kind kind)
{
	if (parse_imm(p, v))
		return;
	if (kind == KLR_K_OPERAND) {
		v->kind = KLR_V_REF;
		v->ref = klr_parse_ref(p);
	} else {
		klr_expected(p, "an immediate: 3, 1.5, inf, bits(0x..)");
	}
}

static void parse_f32(struct klr_parser *p, struct klr_value *v)
{
	if (!parse_imm(p, v) || v->kind != KLR_V_FLOAT)
		klr_expected(p, "a floating-point number, such as 1.0");
}

static void parse_ref_value(struct klr_parser *p, struct klr_value *v)
{
	/* KLR's numbered register in the place of a tensor */
	if (klr_word(p, "reg") && klr_peek(p).kind == TOK_INT) {
		parse_imm(p, v);
		return;
	}
	v->kind = KLR_V_REF;
	v->ref = klr_parse_ref(p);
}

void klr_parse_value(struct klr_parser *p, const struct klr_field *f,
                     struct klr_value *v)
{
	v->pos = p->tok.pos;
	switch (f->kind) {
	case KLR_K_REF: parse_ref_value(p, v); break;
	case KLR_K_REFS: parse_list(p, v, KLR_K_REF); break;
	case KLR_K_IMMS: parse_list(p, v, KLR_K_IMM); break;
	case KLR_K_INTS: parse_list(p, v, KLR_K_INT); break;
	case KLR_K_INTSS: parse_list(p, v, KLR_K_INTS); break;
	case KLR_K_OPERAND:
	case KLR_K_IMM: parse_imm_or(p, v, f->kind); break;
	case KLR_K_INT:
		v->kind = KLR_V_INT;
		v->i = klr_parse_int(p);
		break;
	case KLR_K_F32: parse_f32(p, v); break;
	case KLR_K_BOOL: parse_bool(p, v); break;
	case KLR_K_STR: parse_str(p, v); break;
	case KLR_K_REG: parse_name(p, v, "a register"); break;
	case KLR_K_LABEL: parse_name(p, v, "a label"); break;
	case KLR_K_REGINT:
		if (p->tok.kind == TOK_NAME)
			parse_name(p, v, "a register");
		else if (!parse_imm(p, v) || v->kind != KLR_V_INT)
			klr_expected(p, "a register or an integer");
		break;
	case KLR_K_PATTERN: parse_ramp(p, v); break;
	case KLR_K_OOB: parse_oob(p, v); break;
	case KLR_K_MISS:
		if (!take_word(p, v, "skip", KLR_V_SKIP))
			parse_imm_or(p, v, KLR_K_IMM);
		break;
	case KLR_K_GROUP:
		if (p->tok.kind == TOK_STR)
			parse_str(p, v);
		else if (!take_word(p, v, "unspecified", KLR_V_SKIP))
			parse_list(p, v, KLR_K_INTS);
		break;
	case KLR_K_ENUM:
		v->kind = KLR_V_ENUM;
		v->i = klr_parse_enum(p, f->group);
		break;
	}
}
