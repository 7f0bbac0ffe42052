/* SPDX-License-Identifier: Apache-2.0
 *
 * KLR text to a tree: kernel, statements, blocks, loops, cores, edges.
 * Operands are in parse_value.c, declarations in parse_decl.c.
 *
 * The tree keeps what is written; defaults of operands are filled in.
 */
#include "compiler/klr/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------ operators */

static void unknown_op(struct klr_parser *p)
{
	struct klr_near near;

	klr_near_start(&near, p->tok.s);
	for (int i = 0; klr_op_at(i); i++)
		klr_near_try(&near, klr_op_at(i)->name);
	klr_error_at(&p->rep, p->tok.pos, KLR_E_OP, "no operator '%.40s'%s",
	             p->tok.s,
	             klr_near_hint(&near, "docs/reference/klr.md lists them"));
}

static void fill_default(const struct klr_field *f, struct klr_value *v)
{
	v->i = f->def;
	switch (f->kind) {
	case KLR_K_BOOL: v->kind = KLR_V_BOOL; break;
	case KLR_K_INT: v->kind = KLR_V_INT; break;
	case KLR_K_OOB: v->kind = KLR_V_SKIP; break;
	default: v->kind = KLR_V_ENUM; break;
	}
}

static void unknown_operand(struct klr_parser *p, const struct klr_opinfo *op,
                            const struct klr_field *f, int n)
{
	struct klr_near near;
	char names[160] = "";

	if (klr_word(p, "engine")) {
		klr_error_at(&p->rep, p->tok.pos, KLR_E_OPERAND,
		             "the engine stands behind the operator; write "
		             "%s @dve(...)",
		             op->name);
		return;
	}
	klr_near_start(&near, p->tok.s);
	for (int i = 0; i < n; i++) {
		size_t at = strlen(names);

		klr_near_try(&near, f[i].name);
		snprintf(names + at, sizeof(names) - at, "%s%s",
		         i ? ", " : "it has ", f[i].name);
	}
	klr_error_at(&p->rep, p->tok.pos, KLR_E_OPERAND,
	             "%s has no operand '%.40s'%s", op->name, p->tok.s,
	             klr_near_hint(&near, names));
}

static void one_operand(struct klr_parser *p, const struct klr_opinfo *op,
                        const struct klr_field *f, int n, struct klr_stmt *s)
{
	int i = 0;

	if (p->tok.kind != TOK_NAME) {
		char buf[48];

		klr_error_at(&p->rep, p->tok.pos, KLR_E_SYNTAX,
		             "%s where an operand must be; write name=value",
		             klr_show(&p->tok, buf));
		return;
	}
	while (i < n &&
	       (strcmp(f[i].name, p->tok.s) ||
	        (f[i].kind == KLR_K_ENUM && f[i].group == KLR_G_ENGINE)))
		i++;
	if (i == n) {
		unknown_operand(p, op, f, n);
		return;
	}
	if (s->value[i].kind != KLR_V_NONE) {
		klr_error_at(&p->rep, p->tok.pos, KLR_E_OPERAND,
		             "operand %s is there twice; remove one",
		             f[i].name);
		return;
	}
	klr_next(p);
	klr_need(p, '=', "behind the name of an operand");
	klr_parse_value(p, &f[i], &s->value[i]);
}

static void parse_engine(struct klr_parser *p, const struct klr_opinfo *op,
                         const struct klr_field *f, int n, struct klr_stmt *s)
{
	struct klr_pos pos = p->tok.pos;

	if (!klr_take(p, '@'))
		return;
	for (int i = 0; i < n; i++)
		if (f[i].group == KLR_G_ENGINE) {
			s->value[i].pos = pos;
			s->value[i].kind = KLR_V_ENUM;
			s->value[i].i = klr_parse_enum(p, KLR_G_ENGINE);
			return;
		}
	klr_error_at(&p->rep, pos, KLR_E_ENGINE,
	             "KLR's %s names no engine; remove @..", op->name);
}

/* Half of a place in another file. */
static int64_t place(struct klr_parser *p)
{
	struct klr_pos pos = p->tok.pos;
	int64_t v = klr_parse_int(p);

	if (v < 0)
		klr_error_at(&p->rep, pos, KLR_E_RANGE,
		             "line or column %" PRId64 "; they count from 0 "
		             "or 1",
		             v);
	return v;
}

/* at ["file"] line:col [- line:col] */
static void parse_at(struct klr_parser *p, struct klr_at *at)
{
	at->line_end = at->col_end = -1;
	if (!klr_word(p, "at"))
		return;
	klr_next(p);
	if (p->tok.kind == TOK_STR) {
		at->file = p->tok.s;
		klr_next(p);
	}
	at->line = place(p);
	klr_need(p, ':', "between line and column");
	at->col = place(p);
	if (klr_take(p, '-')) {
		at->line_end = place(p);
		klr_need(p, ':', "between line and column");
		at->col_end = place(p);
	}
}

static struct klr_stmt *parse_op(struct klr_parser *p)
{
	struct klr_stmt *s = ARENA_NEW(p->k->arena, struct klr_stmt);
	const struct klr_opinfo *op;
	struct klr_field f[KLR_MAX_FIELDS];
	int n;

	s->kind = KLR_S_OP;
	s->pos = p->tok.pos;
	if (p->tok.kind != TOK_NAME)
		return s; /* after an error */
	op = klr_op_named(p->tok.s);
	if (!op) {
		unknown_op(p);
		return s;
	}
	s->op = op->op;
	n = klr_fields(op, f);
	klr_next(p);
	parse_engine(p, op, f, n, s);
	klr_need(p, '(', "behind the operator");
	if (!klr_take(p, ')')) {
		do {
			one_operand(p, op, f, n, s);
		} while (klr_take(p, ','));
		klr_need(p, ')', "behind the operands");
	}
	for (int i = 0; i < n; i++)
		if (s->value[i].kind == KLR_V_NONE) {
			if (f[i].has_default)
				fill_default(&f[i], &s->value[i]);
			else if (!f[i].optional)
				klr_error_at(&p->rep, s->pos, KLR_E_OPERAND,
				             "%s lacks its operand %s; add "
				             "%s=...",
				             op->name, f[i].name, f[i].name);
		}
	if (klr_word(p, "as")) {
		klr_next(p);
		s->name = klr_parse_name(p, "a name");
	}
	parse_at(p, &s->at);
	return s;
}

/* ------------------------------------------------------------ structure */

static void parse_bound(struct klr_parser *p, struct klr_value *v)
{
	struct klr_field f = {.kind = KLR_K_REGINT};

	klr_parse_value(p, &f, v);
}

static struct klr_stmt *parse_loop(struct klr_parser *p)
{
	struct klr_stmt *s = ARENA_NEW(p->k->arena, struct klr_stmt);

	s->kind = KLR_S_LOOP;
	s->pos = p->tok.pos;
	s->step = 1;
	klr_next(p);
	s->var = klr_parse_name(p, "the loop's register");
	if (klr_word(p, "in"))
		klr_next(p);
	else
		klr_expected(p, "`in`: for i in 0..8 { }");
	parse_bound(p, &s->lo);
	klr_need(p, P_RANGE, "between the bounds");
	parse_bound(p, &s->hi);
	if (klr_word(p, "step")) {
		klr_next(p);
		s->step = klr_parse_int(p);
	}
	klr_need(p, '{', "in front of the loop's body");
	if (++p->nesting > KLR_MAX_DEPTH) {
		klr_error_at(
		    &p->rep, s->pos, KLR_E_LIMIT,
		    "loops nested deeper than %d; use one loop for two of them",
		    KLR_MAX_DEPTH);
		return s;
	}
	s->body = klr_parse_stmts(p);
	p->nesting--;
	klr_need(p, '}', "behind the loop's body");
	return s;
}

static bool is_label(struct klr_parser *p)
{
	struct klr_tok next;

	if (p->tok.kind != TOK_NAME)
		return false;
	next = klr_peek(p);
	return next.kind == TOK_PUNCT && next.punct == ':';
}

static bool is_loop(struct klr_parser *p)
{
	return klr_word(p, "for") && klr_peek(p).kind == TOK_NAME;
}

static void end_of_line(struct klr_parser *p)
{
	char buf[48];

	if (p->tok.kind == TOK_EOL)
		klr_next(p);
	else if (p->tok.kind != TOK_END && !klr_is(p, '}'))
		klr_error_at(&p->rep, p->tok.pos, KLR_E_SYNTAX,
		             "%s behind the end of a statement; begin a new "
		             "line",
		             klr_show(&p->tok, buf));
}

/* Statements up to a label, a '}', a word of the upper level or the end. */
struct klr_stmt *klr_parse_stmts(struct klr_parser *p)
{
	struct klr_stmt *first = NULL, **last = &first;

	for (;;) {
		while (p->tok.kind == TOK_EOL)
			klr_next(p);
		if (p->tok.kind != TOK_NAME || is_label(p) || klr_is_decl(p) ||
		    klr_word(p, "edge") || klr_word(p, "core"))
			break;
		*last = is_loop(p) ? parse_loop(p) : parse_op(p);
		last = &(*last)->next;
		end_of_line(p);
	}
	return first;
}

static void parse_blocks(struct klr_parser *p, struct klr_body *body)
{
	struct klr_block **last = &body->blocks;

	while (*last)
		last = &(*last)->next;
	for (;;) {
		struct klr_block *b;

		while (p->tok.kind == TOK_EOL)
			klr_next(p);
		if (p->tok.kind != TOK_NAME ||
		    (!is_label(p) && (klr_is_decl(p) || klr_word(p, "edge") ||
		                      klr_word(p, "core"))))
			return;
		b = ARENA_NEW(p->k->arena, struct klr_block);
		b->pos = p->tok.pos;
		b->label = "entry";
		if (is_label(p)) {
			b->label = p->tok.s;
			klr_next(p);
			klr_next(p);
			b->no_reorder = klr_word(p, "noReorder");
			if (b->no_reorder)
				klr_next(p);
		}
		b->body = klr_parse_stmts(p);
		*last = b;
		last = &b->next;
	}
}

static void parse_core(struct klr_parser *p)
{
	struct klr_body **last = &p->k->bodies;
	struct klr_pos pos = p->tok.pos;
	int64_t number = 0;

	klr_next(p);
	while (*last) {
		last = &(*last)->next;
		number++;
	}
	if (klr_parse_int(p) != number)
		klr_error_at(&p->rep, pos, KLR_E_EDGE,
		             "cores are 0, 1, .. in this order; this is core "
		             "%lld",
		             (long long)number);
	*last = ARENA_NEW(p->k->arena, struct klr_body);
	klr_need(p, '{', "in front of a core's blocks");
	parse_blocks(p, *last);
	klr_need(p, '}', "behind a core's blocks");
	end_of_line(p);
}

static void parse_edge(struct klr_parser *p, struct klr_edge ***last)
{
	struct klr_edge *e = ARENA_NEW(p->k->arena, struct klr_edge);
	const char *to[64];

	e->pos = p->tok.pos;
	klr_next(p);
	e->from = klr_parse_name(p, "a statement's name");
	klr_need(p, P_ARROW, "behind the first statement");
	do {
		if (e->nto == 64) {
			klr_error_at(&p->rep, e->pos, KLR_E_LIMIT,
			             "more than 64 ends; write two edges");
			return;
		}
		to[e->nto++] = klr_parse_name(p, "a statement's name");
	} while (klr_take(p, ','));
	e->to = arena_copy(p->k->arena, to, sizeof(*to) * (size_t)e->nto);
	**last = e;
	*last = &e->next;
	end_of_line(p);
}

static void parse_kernel(struct klr_parser *p)
{
	struct klr_edge **edge = &p->k->edges;
	char buf[48];

	while (p->tok.kind == TOK_EOL)
		klr_next(p);
	if (!klr_word(p, "kernel")) {
		klr_error_at(&p->rep, p->tok.pos, KLR_E_SYNTAX,
		             "%s where a kernel must begin; write kernel NAME",
		             klr_show(&p->tok, buf));
		return;
	}
	klr_next(p);
	p->k->name = klr_parse_name(p, "the kernel's name");
	end_of_line(p);
	while (p->tok.kind != TOK_END) {
		if (p->tok.kind == TOK_EOL) {
			klr_next(p);
		} else if (p->tok.kind != TOK_NAME) {
			klr_error_at(&p->rep, p->tok.pos, KLR_E_SYNTAX,
			             "%s where a line must begin; write a "
			             "declaration or a statement",
			             klr_show(&p->tok, buf));
		} else if (!is_label(p) && klr_is_decl(p)) {
			klr_parse_decl(p);
			end_of_line(p);
		} else if (!is_label(p) && klr_word(p, "core")) {
			parse_core(p);
		} else if (!is_label(p) && klr_word(p, "edge")) {
			parse_edge(p, &edge);
		} else {
			if (!p->k->bodies)
				p->k->bodies =
				    ARENA_NEW(p->k->arena, struct klr_body);
			if (p->k->bodies->next)
				klr_error_at(&p->rep, p->tok.pos, KLR_E_EDGE,
				             "code outside of the cores; put "
				             "it into core N { }");
			parse_blocks(p, p->k->bodies);
		}
	}
}

struct klr_kernel *klr_parse(const char *text, size_t len, const char *path,
                             struct klr_error *err)
{
	struct arena *arena = arena_new();
	struct klr_kernel *k = ARENA_NEW(arena, struct klr_kernel);
	struct klr_parser p = {.k = k};

	k->arena = arena;
	k->tensor_names = klr_names_new(arena);
	k->name = "";
	k->path = arena_strdup(arena, path);
	p.rep.path = k->path;
	p.rep.err = err;
	p.rep.tok = &p.tok;
	p.lex.p = p.lex.line_start = text;
	p.lex.end = text + len;
	p.lex.line = 1;
	if (len > KLR_MAX_TEXT)
		klr_error_at(&p.rep, (struct klr_pos){1, 1}, KLR_E_LIMIT,
		             "text of more than 16 MiB; split the kernel");
	klr_next(&p);
	if (!p.rep.failed)
		parse_kernel(&p);
	if (!p.rep.failed && klr_check(k, 3, err))
		return k;
	klr_free(k);
	return NULL;
}

void klr_free(struct klr_kernel *k)
{
	if (k)
		arena_free(k->arena);
}
