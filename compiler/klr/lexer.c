/* SPDX-License-Identifier: Apache-2.0
 *
 * KLR text to tokens.
 *
 * Contract: never reads at or past `end`; after an error every token is
 * TOK_END.  Line ends are tokens outside of brackets only, so that an operand
 * list may go over several lines.  The language is docs/reference/klr.md.
 */
#include "compiler/klr/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static int digit_value(int c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

/* Byte i behind the read position, 0 past the end. */
static int ahead(const struct klr_lex *l, size_t i)
{
	if ((size_t)(l->end - l->p) <= i)
		return 0;
	return (unsigned char)l->p[i];
}

static void new_line(struct klr_lex *l)
{
	l->p++;
	l->line++;
	l->line_start = l->p;
}

static void skip_space(struct klr_lex *l)
{
	for (;;) {
		int c = ahead(l, 0);

		if (c == ' ' || c == '\t' || c == '\r') {
			l->p++;
		} else if (c == ';' && l->depth > 0 && l->square & 1) {
			return; /* separates inside of [] */
		} else if (c == ';' || c == '#') {
			while (l->p < l->end && *l->p != '\n')
				l->p++;
		} else if (c == '\n' && l->depth > 0) {
			new_line(l);
		} else {
			return;
		}
	}
}

/* Text between quotes, with \\ \' \" \n \xHH; NULL after an error. */
static const char *lex_quoted(struct klr_parser *p, struct klr_tok *t)
{
	struct klr_lex *l = &p->lex;
	char quote = *l->p++;
	const char *from = l->p;
	char *s, *out;

	while (l->p < l->end && *l->p != quote && *l->p != '\n')
		l->p += *l->p == '\\' && l->end - l->p > 1 ? 2 : 1;
	if (l->p >= l->end || *l->p != quote) {
		klr_error_at(&p->rep, t->pos, KLR_E_TOKEN,
		             "text without an end; close it with %c", quote);
		return NULL;
	}
	s = out = arena_alloc(p->k->arena, (size_t)(l->p - from) + 1);
	for (const char *i = from; i < l->p; i++) {
		int c = (unsigned char)*i;

		if (c == '\\') {
			c = (unsigned char)*++i;
			if (c == 'n') {
				c = '\n';
			} else if (c == 'x' && l->p - i > 2) {
				c = digit_value(i[1]) * 16 + digit_value(i[2]);
				i += 2;
			}
		}
		if (c <= 0 || c > 255) {
			klr_error_at(&p->rep, t->pos, KLR_E_TOKEN,
			             "byte that text cannot hold; write "
			             "\\x01 .. \\xff");
			return NULL;
		}
		*out++ = (char)c;
	}
	l->p++;
	return s;
}

static void lex_float(struct klr_parser *p, struct klr_tok *t, const char *from)
{
	struct klr_lex *l = &p->lex;
	size_t n = (size_t)(l->p - from);
	char buf[64], *end;
	float f;

	t->kind = TOK_FLOAT;
	if (n >= sizeof(buf)) {
		klr_error_at(&p->rep, t->pos, KLR_E_TOKEN,
		             "number of more than 63 characters; fp32 needs 9 "
		             "digits");
		return;
	}
	memcpy(buf, from, n);
	buf[n] = '\0';
	f = strtof(buf, &end);
	if (*end)
		klr_error_at(&p->rep, t->pos, KLR_E_TOKEN,
		             "'%.20s' is no number; write 1.5 or 2e-3", buf);
	memcpy(&t->bits, &f, 4);
}

static void lex_number(struct klr_parser *p, struct klr_tok *t)
{
	struct klr_lex *l = &p->lex;
	const char *from = l->p;
	bool hex = *from == '0' && (ahead(l, 1) | 32) == 'x';
	unsigned base = hex ? 16 : 10;

	t->kind = TOK_INT;
	if (hex)
		l->p += 2;
	for (; l->p < l->end; l->p++) {
		unsigned d = (unsigned)digit_value(*l->p);

		if (*l->p == '_')
			continue;
		if (d >= base)
			break;
		if (t->value > (UINT64_MAX - d) / base) {
			klr_error_at(&p->rep, t->pos, KLR_E_RANGE,
			             "number needs more than 64 bits; no value "
			             "needs them");
			return;
		}
		t->value = t->value * base + d;
	}
	if (hex || l->p == l->end)
		return;
	if ((*l->p == '.' && is_digit(ahead(l, 1))) || (*l->p | 32) == 'e') {
		l->p++;
		while (is_digit(ahead(l, 0)) || (ahead(l, 0) | 32) == 'e' ||
		       ((l->p[-1] | 32) == 'e' &&
		        (ahead(l, 0) == '+' || ahead(l, 0) == '-')))
			l->p++;
		lex_float(p, t, from);
	}
}

static void lex_punct(struct klr_parser *p, struct klr_tok *t)
{
	struct klr_lex *l = &p->lex;
	int c = (unsigned char)*l->p;

	t->kind = TOK_PUNCT;
	t->punct = c;
	if (c == '.' && ahead(l, 1) == '.')
		t->punct = P_RANGE;
	else if (c == '-' && ahead(l, 1) == '>')
		t->punct = P_ARROW;
	else if (!strchr("()[]{}=,;:@+-*|", c)) {
		klr_error_at(&p->rep, t->pos, KLR_E_TOKEN,
		             c > ' ' && c <= '~'
		                 ? "'%c' means nothing here; remove it"
		                 : "byte 0x%02x means nothing here; remove it",
		             (unsigned)c);
		return;
	}
	l->p += t->punct >= P_RANGE ? 2 : 1;
	if (c == '(' || c == '[') {
		l->depth++;
		l->square = l->square << 1 | (c == '[');
	} else if ((c == ')' || c == ']') && l->depth > 0) {
		l->depth--;
		l->square >>= 1;
	}
}

static void lex_name(struct klr_parser *p, struct klr_tok *t)
{
	struct klr_lex *l = &p->lex;
	const char *from = l->p;
	char *s;

	for (l->p++; l->p < l->end; l->p++) {
		if (*l->p == '.' && ahead(l, 1) == '.')
			break;
		if (!is_letter(*l->p) && !is_digit(*l->p) && *l->p != '.' &&
		    *l->p != '$')
			break;
	}
	s = arena_alloc(p->k->arena, (size_t)(l->p - from) + 1);
	memcpy(s, from, (size_t)(l->p - from));
	t->kind = TOK_NAME;
	t->s = s;
}

static void lex(struct klr_parser *p, struct klr_tok *t)
{
	struct klr_lex *l = &p->lex;
	int c;

	skip_space(l);
	memset(t, 0, sizeof(*t));
	t->pos.line = l->line;
	t->pos.col = (uint32_t)(l->p - l->line_start) + 1;
	if (l->p >= l->end || p->rep.failed)
		return;
	c = (unsigned char)*l->p;
	if (c == '\n') {
		t->kind = TOK_EOL;
		new_line(l);
	} else if (is_letter(c)) {
		lex_name(p, t);
	} else if (is_digit(c)) {
		lex_number(p, t);
	} else if (c == '"' || c == '\'') {
		t->kind = c == '"' ? TOK_STR : TOK_NAME;
		t->quoted = true;
		t->s = lex_quoted(p, t);
		if (t->s && c == '\'' && !*t->s)
			klr_error_at(&p->rep, t->pos, KLR_E_TOKEN,
			             "name without a letter; write 'x'");
	} else {
		lex_punct(p, t);
	}
	if (p->rep.failed)
		memset(t, 0, sizeof(*t));
}

void klr_next(struct klr_parser *p)
{
	lex(p, &p->tok);
}

struct klr_tok klr_peek(struct klr_parser *p)
{
	struct klr_lex at = p->lex;
	struct klr_tok t;

	lex(p, &t);
	p->lex = at;
	return t;
}

bool klr_is(const struct klr_parser *p, int punct)
{
	return p->tok.kind == TOK_PUNCT && p->tok.punct == punct;
}

bool klr_word(const struct klr_parser *p, const char *word)
{
	return p->tok.kind == TOK_NAME && !p->tok.quoted &&
	       !strcmp(p->tok.s, word);
}

bool klr_take(struct klr_parser *p, int punct)
{
	if (!klr_is(p, punct))
		return false;
	klr_next(p);
	return true;
}

void klr_need(struct klr_parser *p, int punct, const char *where)
{
	const char *mark = punct == P_RANGE   ? ".."
	                   : punct == P_ARROW ? "->"
	                                      : NULL;
	char buf[48];

	if (klr_take(p, punct))
		return;
	if (mark)
		klr_error_at(&p->rep, p->tok.pos, KLR_E_SYNTAX,
		             "%s instead of '%s' %s; add it",
		             klr_show(&p->tok, buf), mark, where);
	else
		klr_error_at(&p->rep, p->tok.pos, KLR_E_SYNTAX,
		             "%s instead of '%c' %s; add it",
		             klr_show(&p->tok, buf), punct, where);
}

const char *klr_show(const struct klr_tok *t, char buf[48])
{
	switch (t->kind) {
	case TOK_END: return "the end of the file";
	case TOK_EOL: return "the end of the line";
	case TOK_INT:
		snprintf(buf, 48, "%llu", (unsigned long long)t->value);
		return buf;
	case TOK_FLOAT: return "a floating-point number";
	case TOK_NAME:
	case TOK_STR: snprintf(buf, 48, "'%.40s'", t->s); return buf;
	default: break;
	}
	if (t->punct >= P_RANGE)
		return t->punct == P_RANGE ? "'..'" : "'->'";
	snprintf(buf, 48, "'%c'", t->punct);
	return buf;
}
