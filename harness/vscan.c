/* SPDX-License-Identifier: Apache-2.0
 *
 * A scanner for registers and instances; see vscan.h.
 */
#include "harness/vscan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 64    /* of begin/end */
#define WALK_MAX 16 /* of instances */

/* The scanner stands on one token: a word, "<=", "::", or one character. */
struct scan {
	struct vscan *v;
	const char *at, *file;
	int line;
	char tok[VSCAN_NAME], prev[VSCAN_NAME];
	bool ok;

	char module[VSCAN_NAME];
	char label[DEPTH][VSCAN_NAME]; /* of open blocks, "" unnamed */
	int depth;
	int ff; /* depth of the open always_ff, -1: none */
};

static const char *skip_line(const char *p)
{
	while (*p && *p != '\n')
		p++;
	return p;
}

/* White space, comments, attributes and preprocessor lines. */
static void skip_blank(struct scan *s)
{
	for (;;) {
		const char *p = s->at;

		if (*p == '\n') {
			s->line++;
			s->at++;
		} else if (isspace((unsigned char)*p)) {
			s->at++;
		} else if (p[0] == '/' && p[1] == '/') {
			s->at = skip_line(p);
		} else if (*p == '`') {
			s->at = skip_line(p);
		} else if (p[0] == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");
			end = end ? end + 2 : p + strlen(p);
			for (; p < end; p++)
				s->line += *p == '\n';
			s->at = end;
		} else {
			return;
		}
	}
}

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The next token into tok, the old one into prev.  "" at the end. */
static void next(struct scan *s)
{
	size_t n = 1;
	const char *p;

	memcpy(s->prev, s->tok, sizeof(s->prev));
	skip_blank(s);
	p = s->at;
	if (!*p) {
		s->tok[0] = '\0';
		return;
	}
	if (word_char(*p) || *p == '\'') {
		while (word_char(p[n]) || p[n] == '\'')
			n++;
	} else if (*p == '"') {
		while (p[n] && p[n] != '"')
			n += p[n] == '\\' && p[n + 1] ? 2 : 1;
		n += p[n] == '"';
	} else if (!strncmp(p, "<=", 2) || !strncmp(p, "::", 2)) {
		n = 2;
	}
	s->at += n;
	n = n < sizeof(s->tok) ? n : sizeof(s->tok) - 1;
	memcpy(s->tok, p, n);
	s->tok[n] = '\0';
}

static bool is(const struct scan *s, const char *tok)
{
	return !strcmp(s->tok, tok);
}

static bool word(const char *t)
{
	return isalpha((unsigned char)t[0]) || t[0] == '_';
}

/* From an opening bracket past its closing one. */
static void skip_group(struct scan *s)
{
	int depth = 0;

	do {
		if (is(s, "(") || is(s, "[") || is(s, "{"))
			depth++;
		if (is(s, ")") || is(s, "]") || is(s, "}"))
			depth--;
		next(s);
	} while (depth > 0 && s->tok[0]);
}

/* The named blocks around, joined by dots, before a name. */
static void scoped(const struct scan *s, const char *name, char *buf)
{
	size_t n = 0;

	buf[0] = '\0';
	for (int i = 0; i < s->depth; i++)
		if (s->label[i][0] && n < VSCAN_PATH)
			n += (size_t)snprintf(buf + n, VSCAN_PATH - n, "%s.",
			                      s->label[i]);
	if (n < VSCAN_PATH)
		snprintf(buf + n, VSCAN_PATH - n, "%s", name);
}

/* Room for one more element in an array that grows by powers of two. */
static bool grow(void **array, size_t n, size_t size)
{
	void *p;

	if (n & (n - 1))
		return true;
	p = realloc(*array, (n ? 2 * n : 1) * size);
	if (!p)
		return false;
	*array = p;
	return true;
}

static bool known(const struct scan *s, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < s->v->nregs; i++) {
		const struct vscan_reg *r = &s->v->reg[i];
		size_t n = strlen(r->name);

		if (!strcmp(r->module, s->module) && n >= len &&
		    !strcmp(r->name + n - len, name) &&
		    (n == len || r->name[n - len - 1] == '.'))
			return true;
	}
	return false;
}

/* The first time a name is seen in a module is its declaration. */
static void add_reg(struct scan *s, const char *name, bool misnamed)
{
	struct vscan_reg *r;

	if (!s->module[0] || known(s, name))
		return;
	if (!grow((void **)&s->v->reg, s->v->nregs, sizeof(*r))) {
		s->ok = false;
		return;
	}
	r = &s->v->reg[s->v->nregs++];
	memset(r, 0, sizeof(*r));
	memcpy(r->module, s->module, sizeof(r->module));
	scoped(s, name, r->name);
	snprintf(r->file, sizeof(r->file), "%s", s->file);
	r->line = s->line;
	r->misnamed = misnamed;
}

static void add_inst(struct scan *s, const char *module, const char *name)
{
	struct vscan_inst *i;

	if (!grow((void **)&s->v->inst, s->v->ninsts, sizeof(*i))) {
		s->ok = false;
		return;
	}
	i = &s->v->inst[s->v->ninsts++];
	memset(i, 0, sizeof(*i));
	memcpy(i->parent, s->module, sizeof(i->parent));
	snprintf(i->module, sizeof(i->module), "%s", module);
	scoped(s, name, i->name);
}

static bool register_name(const char *t)
{
	size_t n = strlen(t);

	return word(t) && n > 2 && !strcmp(t + n - 2, "_q");
}

/* Can a statement begin after this token? */
static bool starts(const char *prev)
{
	return !strcmp(prev, ";") || !strcmp(prev, "begin") ||
	       !strcmp(prev, "end") || !strcmp(prev, "else") ||
	       !strcmp(prev, ")") || !strcmp(prev, ":");
}

static bool keyword(const char *t)
{
	static const char *const words[] = {
	    "if",      "else",    "case",   "unique",      "for",
	    "begin",   "end",     "assign", "always_comb", "always_ff",
	    "endcase", "default", "return", "priority",    "logic"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(t, words[i]))
			return true;
	return false;
}

/* On `begin`: open a block, and take its label. */
static void open_block(struct scan *s)
{
	char *label = s->label[s->depth < DEPTH ? s->depth : DEPTH - 1];

	s->depth += s->depth < DEPTH - 1;
	label[0] = '\0';
	next(s);
	if (!is(s, ":"))
		return;
	next(s);
	memcpy(label, s->tok, VSCAN_NAME);
	next(s);
	strcpy(s->prev, "begin"); /* a statement can begin here */
}

/* On a word where a statement can begin: an assignment to a register, or an
 * instance.  Leaves the scanner behind what it looked at. */
static void statement(struct scan *s)
{
	char first[VSCAN_NAME], name[VSCAN_NAME];

	memcpy(first, s->tok, sizeof(first));
	next(s);
	if (s->ff >= 0) {
		while (is(s, "["))
			skip_group(s);
		if (is(s, "<=") && !register_name(first))
			add_reg(s, first, true);
		return;
	}
	if (is(s, "#")) {
		next(s);
		skip_group(s);
	}
	if (!word(s->tok) || keyword(s->tok))
		return;
	memcpy(name, s->tok, sizeof(name));
	if (register_name(name))
		return; /* the caller's loop takes it */
	next(s);
	if (is(s, "(") && strncmp(name, "u_", 2) == 0)
		add_inst(s, first, name);
}

static void module_token(struct scan *s)
{
	if (register_name(s->tok) && strcmp(s->prev, ".")) {
		add_reg(s, s->tok, false);
		next(s);
	} else if (is(s, "begin")) {
		open_block(s);
	} else if (is(s, "end")) {
		s->depth -= s->depth > 0;
		if (s->ff >= s->depth)
			s->ff = -1;
		next(s);
	} else if (is(s, "always_ff")) {
		s->ff = s->depth;
		next(s);
	} else if (is(s, ";") && s->ff == s->depth) {
		s->ff = -1; /* an always_ff of one statement */
		next(s);
	} else if (word(s->tok) && !keyword(s->tok) && starts(s->prev)) {
		statement(s);
	} else {
		next(s);
	}
}

bool vscan_text(struct vscan *v, const char *text, const char *file)
{
	struct scan s = {
	    .v = v, .at = text, .file = file, .line = 1, .ok = true, .ff = -1};

	next(&s);
	while (s.tok[0] && s.ok) {
		if (is(&s, "module")) {
			next(&s);
			memcpy(s.module, s.tok, sizeof(s.module));
			s.depth = 0;
			s.ff = -1;
			next(&s);
		} else if (is(&s, "endmodule")) {
			s.module[0] = '\0';
			next(&s);
		} else if (s.module[0]) {
			module_token(&s);
		} else {
			next(&s);
		}
	}
	return s.ok;
}

void vscan_free(struct vscan *v)
{
	free(v->reg);
	free(v->inst);
	memset(v, 0, sizeof(*v));
}

static void walk(const struct vscan *v, const char *module, const char *prefix,
                 int depth, vscan_fn *fn, void *ctx)
{
	char path[2 * VSCAN_PATH];

	for (size_t i = 0; i < v->nregs; i++)
		if (!strcmp(v->reg[i].module, module)) {
			snprintf(path, sizeof(path), "%s%s", prefix,
			         v->reg[i].name);
			fn(ctx, path, &v->reg[i]);
		}
	for (size_t i = 0; depth < WALK_MAX && i < v->ninsts; i++)
		if (!strcmp(v->inst[i].parent, module)) {
			snprintf(path, sizeof(path), "%s%s.", prefix,
			         v->inst[i].name);
			walk(v, v->inst[i].module, path, depth + 1, fn, ctx);
		}
}

void vscan_walk(const struct vscan *v, const char *module, vscan_fn *fn,
                void *ctx)
{
	walk(v, module, "", 0, fn, ctx);
}
