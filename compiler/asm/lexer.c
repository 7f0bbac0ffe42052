/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler: text to tokens, and the error record.
 *
 * Contract: never reads at or past `end`; after an error every token is
 * TOK_END.  The language is docs/reference/assembly.md.
 */
#include "compiler/asm/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void asm_error(struct asm_state *a, const struct asm_tok *t, int id,
               const char *fmt, ...)
{
	if (!a->failed) {
		va_list ap;

		snprintf(a->err->id, sizeof(a->err->id), "ASM%03d", id);
		snprintf(a->err->place, sizeof(a->err->place), "%.120s:%u:%u",
		         a->place, t->line, t->col);
		va_start(ap, fmt);
		vsnprintf(a->err->text, sizeof(a->err->text), fmt, ap);
		va_end(ap);
	}
	a->failed = true;
	a->pos.tok.kind = TOK_END;
	a->pos.tok.punct = 0;
	a->pos.tok.len = 0;
}

const char *asm_show(const struct asm_tok *t, char buf[48])
{
	size_t n = t->len < 40 ? t->len : 40;
	size_t i;

	if (t->kind == TOK_EOL || t->kind == TOK_END)
		return "the end of the line";
	buf[0] = '\'';
	for (i = 0; i < n; i++) {
		char c = t->text[i];

		buf[i + 1] = c;
		if (c < ' ' || c > '~')
			buf[i + 1] = '?';
	}
	buf[n + 1] = '\'';
	buf[n + 2] = '\0';
	return buf;
}

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

/* Byte i after the read position, 0 past the end. */
static int ahead(const struct asm_state *a, size_t i)
{
	if ((size_t)(a->end - a->pos.p) <= i)
		return 0;
	return (unsigned char)a->pos.p[i];
}

static void finish(struct asm_state *a, enum asm_kind kind, const char *to)
{
	struct asm_tok *t = &a->pos.tok;

	t->kind = kind;
	t->len = (size_t)(to - t->text);
	a->pos.p = to;
}

/* Spaces, comments and joined lines. */
static void skip_space(struct asm_state *a)
{
	for (;;) {
		int c = ahead(a, 0);

		if (c == ' ' || c == '\t' || c == '\r') {
			a->pos.p++;
		} else if (c == ';' || c == '#') {
			while (a->pos.p < a->end && *a->pos.p != '\n')
				a->pos.p++;
		} else if (c == '\\' &&
		           (ahead(a, 1) == '\n' ||
		            (ahead(a, 1) == '\r' && ahead(a, 2) == '\n'))) {
			a->pos.p += ahead(a, 1) == '\n' ? 2 : 3;
			a->pos.line_start = a->pos.p;
			a->pos.line++;
		} else {
			return;
		}
	}
}

static void lex_name(struct asm_state *a)
{
	struct asm_tok *t = &a->pos.tok;
	const char *p = a->pos.p;
	enum asm_kind kind = *p == '.' ? TOK_DIRECTIVE : TOK_NAME;
	int id;

	for (p++; p < a->end; p++) {
		if (*p == '.' && a->end - p > 1 && p[1] == '.')
			break;
		if (!is_letter(*p) && !is_digit(*p) && *p != '.' && *p != '$')
			break;
	}
	finish(a, kind, p);
	id = asm_bank(t, 's', TPB_SEMS);
	if (id >= 0)
		a->sem_used[id] = true;
	id = asm_bank(t, 'e', TPB_EVENTS);
	if (id >= 0)
		a->evt_used[id] = true;
}

static int base_of(int c)
{
	switch (c) {
	case 'x':
	case 'X': return 16;
	case 'o':
	case 'O': return 8;
	case 'b':
	case 'B': return 2;
	default: return 10;
	}
}

/* Rest of a decimal number that turned out to be a float. */
static void lex_float(struct asm_state *a, const char *p)
{
	if (p < a->end && *p == '.')
		for (p++; p < a->end && is_digit(*p); p++)
			;
	if (p < a->end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < a->end && (*p == '+' || *p == '-'))
			p++;
		if (p == a->end || !is_digit(*p)) {
			asm_error(a, &a->pos.tok, ASM_LEX,
			          "exponent without digits; write 1e3");
			return;
		}
		while (p < a->end && is_digit(*p))
			p++;
	}
	finish(a, TOK_FLOAT, p);
}

static bool float_follows(const struct asm_state *a, const char *p)
{
	if (p == a->end)
		return false;
	if (*p == 'e' || *p == 'E')
		return true;
	return *p == '.' && a->end - p > 1 && is_digit(p[1]);
}

static void lex_number(struct asm_state *a)
{
	struct asm_tok *t = &a->pos.tok;
	const char *p = a->pos.p;
	uint64_t v = 0, top;
	int base = *p == '0' ? base_of(ahead(a, 1)) : 10;
	bool any = false;

	if (base != 10)
		p += 2;
	for (; p < a->end; p++) {
		int d = digit_value(*p);

		if (*p == '_')
			continue;
		if (d >= base)
			break;
		top = v * (uint64_t)base;
		if (v > UINT64_MAX / (uint64_t)base ||
		    top > UINT64_MAX - (uint64_t)d) {
			asm_error(a, t, ASM_RANGE,
			          "number needs more than 64 bits; "
			          "write a smaller one");
			return;
		}
		v = top + (uint64_t)d;
		any = true;
	}
	if (base == 10 && float_follows(a, p)) {
		lex_float(a, p);
		return;
	}
	if (!any || (p < a->end && (is_letter(*p) || is_digit(*p)))) {
		asm_error(a, t, ASM_LEX,
		          "malformed number; write 12, 0x1F, 0b101 or 0o17");
		return;
	}
	t->value = v;
	finish(a, TOK_INT, p);
}

static void lex_quoted(struct asm_state *a, enum asm_kind kind, char quote)
{
	struct asm_tok *t = &a->pos.tok;
	const char *p = a->pos.p + (kind == TOK_HEX ? 2 : 1);
	const char *from = p;

	while (p < a->end && *p != quote && *p != '\n')
		p += *p == '\\' && a->end - p > 1 && p[1] != '\n' ? 2 : 1;
	if (p >= a->end || *p != quote) {
		asm_error(a, t, ASM_LEX,
		          "quoted text does not end on its line; add %c",
		          quote);
		return;
	}
	t->kind = kind;
	t->text = from;
	t->len = (size_t)(p - from);
	a->pos.p = p + 1;
}

int asm_char(struct asm_state *a, const struct asm_tok *t, size_t *i)
{
	const char *s = t->text;
	int hi, lo;

	if (*i >= t->len)
		return -1;
	if (s[*i] != '\\')
		return (unsigned char)s[(*i)++];
	*i += 2;
	switch (s[*i - 1]) {
	case 'n': return '\n';
	case 't': return '\t';
	case '0': return 0;
	case '\\':
	case '\'':
	case '"': return s[*i - 1];
	case 'x': break;
	default:
		asm_error(a, t, ASM_LEX,
		          "unknown escape in a quoted text; known: "
		          "\\n \\t \\0 \\\\ \\\" \\xHH");
		return -1;
	}
	hi = *i < t->len ? digit_value(s[*i]) : 99;
	lo = *i + 1 < t->len ? digit_value(s[*i + 1]) : 99;
	if (hi > 15 || lo > 15) {
		asm_error(a, t, ASM_LEX,
		          "\\x needs two hex digits; "
		          "write \\x0A");
		return -1;
	}
	*i += 2;
	return hi * 16 + lo;
}

/* 'a' is an integer. */
static void lex_char(struct asm_state *a)
{
	struct asm_tok *t = &a->pos.tok;
	size_t i = 0;
	int c;

	lex_quoted(a, TOK_STR, '\'');
	if (a->failed)
		return;
	c = asm_char(a, t, &i);
	if (a->failed)
		return;
	if (c < 0 || i != t->len) {
		asm_error(a, t, ASM_LEX,
		          "a character constant holds one character; "
		          "write 'a'");
		return;
	}
	t->kind = TOK_INT;
	t->value = (uint64_t)c;
}

static void lex_punct(struct asm_state *a)
{
	static const struct {
		char text[3];
		int punct;
	} two[] = {
	    {"<<", P_SHL},   {">>", P_SHR}, {"<=", P_LE},    {">=", P_GE},
	    {"==", P_EQ},    {"!=", P_NE},  {"&&", P_AND},   {"||", P_OR},
	    {"++", P_INC},   {"--", P_DEC}, {"+=", P_ADDEQ}, {"-=", P_SUBEQ},
	    {"..", P_RANGE},
	};
	struct asm_tok *t = &a->pos.tok;
	int c = ahead(a, 0);
	char buf[48];

	for (size_t i = 0; i < sizeof(two) / sizeof(two[0]); i++)
		if (c == two[i].text[0] && ahead(a, 1) == two[i].text[1]) {
			t->punct = two[i].punct;
			finish(a, TOK_PUNCT, a->pos.p + 2);
			return;
		}
	t->len = 1;
	if (c == 0 || !strchr("{}[](),:=+-*/%&|^~!<>@.", c)) {
		t->kind = TOK_PUNCT;
		asm_error(a, t, ASM_LEX, "unexpected character %s; remove it",
		          asm_show(t, buf));
		return;
	}
	t->punct = c;
	finish(a, TOK_PUNCT, a->pos.p + 1);
}

void asm_next(struct asm_state *a)
{
	struct asm_tok *t = &a->pos.tok;
	int c;

	if (a->failed)
		return;
	skip_space(a);
	t->text = a->pos.p;
	t->len = 0;
	t->punct = 0;
	t->value = 0;
	t->line = a->pos.line;
	t->col = (uint32_t)(a->pos.p - a->pos.line_start) + 1;
	if (a->pos.p == a->end) {
		t->kind = TOK_END;
		return;
	}
	c = ahead(a, 0);
	if (c == '\n') {
		finish(a, TOK_EOL, a->pos.p + 1);
		a->pos.line_start = a->pos.p;
		a->pos.line++;
	} else if (c == 'x' && ahead(a, 1) == '"') {
		lex_quoted(a, TOK_HEX, '"');
	} else if (is_letter(c) || (c == '.' && is_letter(ahead(a, 1)))) {
		lex_name(a);
	} else if (is_digit(c)) {
		lex_number(a);
	} else if (c == '"') {
		lex_quoted(a, TOK_STR, '"');
	} else if (c == '\'') {
		lex_char(a);
	} else {
		lex_punct(a);
	}
}

void asm_start(struct asm_state *a, const char *text, size_t size)
{
	a->end = text + size;
	a->pos.p = text;
	a->pos.line_start = text;
	a->pos.line = 1;
	a->pos.tok.text = text;
	a->pos.tok.line = 1;
	a->pos.tok.col = 1;
	asm_next(a);
}

bool asm_at(const struct asm_state *a, int punct)
{
	return a->pos.tok.kind == TOK_PUNCT && a->pos.tok.punct == punct;
}

bool asm_at_end(const struct asm_state *a)
{
	return a->pos.tok.kind == TOK_EOL || a->pos.tok.kind == TOK_END;
}

void asm_skip_line(struct asm_state *a)
{
	while (!asm_at_end(a))
		asm_next(a);
}

bool asm_accept(struct asm_state *a, int punct)
{
	if (!asm_at(a, punct))
		return false;
	asm_next(a);
	return true;
}

void asm_expect(struct asm_state *a, int punct, const char *hint)
{
	char buf[48];

	if (!asm_accept(a, punct))
		asm_error(a, &a->pos.tok, ASM_SYNTAX, "unexpected %s; %s",
		          asm_show(&a->pos.tok, buf), hint);
}

bool asm_is(const struct asm_tok *t, const char *text)
{
	return (t->kind == TOK_NAME || t->kind == TOK_DIRECTIVE) &&
	       t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

bool asm_accept_name(struct asm_state *a, const char *text)
{
	if (!asm_is(&a->pos.tok, text))
		return false;
	asm_next(a);
	return true;
}

int asm_bank(const struct asm_tok *t, char letter, int limit)
{
	int v = 0;

	if (t->kind != TOK_NAME || t->len < 2 || t->text[0] != letter)
		return -1;
	for (size_t i = 1; i < t->len; i++) {
		if (!is_digit(t->text[i]))
			return -1;
		if (v < 10000)
			v = v * 10 + (t->text[i] - '0');
	}
	if (v >= limit || (t->text[1] == '0' && t->len > 2))
		return -2;
	return v;
}

int asm_peek_punct(struct asm_state *a)
{
	struct image_error *err = a->err, ignored;
	struct asm_pos keep = a->pos;
	bool failed = a->failed;
	int punct;

	a->err = &ignored;
	asm_next(a);
	punct = a->pos.tok.kind == TOK_PUNCT ? a->pos.tok.punct : 0;
	a->err = err;
	a->failed = failed;
	a->pos = keep;
	return punct;
}
