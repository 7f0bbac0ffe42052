/* SPDX-License-Identifier: Apache-2.0
 *
 * The assembler: lines, the two passes, and the image they make.
 *
 * Pass 1 counts bundles and defines names, pass 2 encodes.  Before pass 2
 * every label, id and address is known.  Anything refused leaves no image.
 */
#include "compiler/asm/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char engine_letter[TPB_ENGINES] = {'P', 'A', 'G', 'D', 'S'};

/* `name field=...`: the generic form. */
static bool at_generic(struct asm_state *a)
{
	int punct;

	if (a->pos.tok.kind != TOK_NAME)
		return false;
	punct = asm_peek_punct(a);
	return punct == '=' || (punct == '[' && asm_is(&a->pos.tok, "b"));
}

static void encode(struct asm_state *a, struct asm_inst *in)
{
	const struct isa_opinfo *op;
	char buf[48];

	memset(in->b, 0, sizeof(in->b));
	in->b[1] = 0x10;
	in->name = a->pos.tok;
	for (in->base = 0; in->base < in->name.len; in->base++)
		if (in->name.text[in->base] == '.')
			break;
	in->suffix = NULL;
	in->suffix_len = 0;
	if (in->base < in->name.len) {
		in->suffix = in->name.text + in->base + 1;
		in->suffix_len = in->name.len - in->base - 1;
	}
	asm_next(a);
	op = isa_op_named(in->name.text, in->name.len);
	if (!(op && at_generic(a)) && asm_sugar(a, in)) {
		asm_sync_clauses(a, in);
	} else if (op) {
		asm_generic(a, in, op);
		asm_sync_clauses(a, in);
	} else {
		asm_error(a, &in->name, ASM_UNKNOWN,
		          "unknown instruction %s; see "
		          "docs/reference/assembly.md",
		          asm_show(&in->name, buf));
	}
}

static void check(struct asm_state *a, const struct asm_inst *in)
{
	enum isa_form form = a->loaded ? ISA_LOADED : ISA_FILE;
	struct isa_verdict v;

	if (a->failed || a->unchecked)
		return;
	if (!isa_check(in->b, form, a->gen, &v))
		asm_error(a, &in->name, ASM_ILLEGAL,
		          "illegal bundle: %s (%s); see "
		          "docs/reference/decode.md",
		          v.reason, isa_enum_text("fault", (uint64_t)v.fault));
}

static void check_engine(struct asm_state *a, const struct asm_inst *in)
{
	const struct isa_opinfo *op = isa_op(in->b[0]);

	if (a->failed || a->unchecked)
		return;
	if (op && !strchr(op->engines, engine_letter[a->engine]))
		asm_error(a, &in->name, ASM_ILLEGAL,
		          "engine %s has no %s; put it on another",
		          isa_enum_text("engine", (uint64_t)a->engine),
		          op->mnemonic);
}

static void emit(struct asm_state *a, const struct asm_inst *in)
{
	if (a->failed)
		return;
	image_emit(a->img, a->engine, in->b, (uint16_t)a->file, in->name.line);
	a->pc[a->engine]++;
}

void asm_bundle(struct asm_state *a, struct asm_inst *in)
{
	if (asm_is(&in->name, ".bundle")) {
		if (!a->unchecked)
			asm_error(a, &in->name, ASM_ORDER,
			          "raw bundles are not checked; write "
			          ".unchecked before");
		asm_next(a);
		asm_raw_bundle(a, in->b);
	} else {
		encode(a, in);
	}
	if (!asm_at_end(a)) {
		struct asm_tok t = a->pos.tok;
		char buf[48];

		asm_error(a, &t, ASM_SYNTAX,
		          "unexpected %s; end the line or begin a sync clause "
		          "with |",
		          asm_show(&t, buf));
	}
	check(a, in);
}

/* An instruction of a stream. */
static void bundle(struct asm_state *a)
{
	struct asm_inst in = {.name = a->pos.tok};

	if (a->pass == 1) {
		if (a->pc[a->engine] == ASM_MAX_BUNDLES)
			asm_error(a, &in.name, ASM_LIMIT,
			          "more than %u bundles in a stream; split "
			          "the program",
			          ASM_MAX_BUNDLES);
		a->pc[a->engine]++;
		asm_skip_line(a);
		return;
	}
	asm_bundle(a, &in);
	check_engine(a, &in);
	emit(a, &in);
}

static void line(struct asm_state *a)
{
	struct asm_tok t = a->pos.tok;
	char buf[48];

	while (t.kind == TOK_NAME && asm_peek_punct(a) == ':') {
		if (a->pass == 1)
			(void)asm_define(a, &t, a->engine, SYM_LABEL,
			                 a->pc[a->engine], true);
		asm_next(a);
		asm_next(a);
		t = a->pos.tok;
	}
	if (t.kind == TOK_NAME || asm_is(&t, ".bundle"))
		bundle(a);
	else if (t.kind == TOK_DIRECTIVE)
		asm_directive(a);
	t = a->pos.tok;
	if (!asm_at_end(a))
		asm_error(a, &t, ASM_SYNTAX,
		          "unexpected %s; begin a line with a label, an "
		          "instruction or a directive",
		          asm_show(&t, buf));
}

static void pass(struct asm_state *a, int number, const char *text, size_t size)
{
	a->pass = number;
	a->engine = TPB_ENGINE_SP;
	a->unchecked = false;
	a->data = -1;
	memset(a->pc, 0, sizeof(a->pc));
	for (int e = 0; e < TPB_ENGINES; e++)
		a->func[e] = -1;
	asm_start(a, text, size);
	while (a->pos.tok.kind != TOK_END) {
		line(a);
		if (a->pos.tok.kind == TOK_EOL)
			asm_next(a);
	}
	for (int e = 0; e < TPB_ENGINES && number == 1; e++)
		if (a->func[e] >= 0)
			a->sym[a->func[e]].fn_len =
			    a->pc[e] - (uint32_t)a->sym[a->func[e]].value;
}

static char *text_of(const char *s, size_t len)
{
	char *p = malloc(len + 1);

	if (!p)
		abort();
	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

static void add_symbols(struct asm_state *a)
{
	for (int i = 0; i < a->nsyms; i++) {
		struct asm_sym *s = &a->sym[i];
		bool fn = s->kind == SYM_FUNC;
		bool keep = false;
		char *name;

		if (!fn && s->kind != SYM_LABEL)
			continue;
		if (fn)
			keep = a->sym[asm_find(a, ASM_FUNCS, s->name, s->len)]
			           .value;
		name = text_of(s->name, s->len);
		image_add_symbol(a->img, name, s->scope, (uint32_t)s->value, fn,
		                 keep);
		a->img->symbol[a->img->nsymbols - 1].len = s->fn_len;
		free(name);
	}
}

static void add_tensors(struct asm_state *a)
{
	for (int i = 0; i < a->ntensors; i++) {
		struct asm_tensor *t = &a->tensor[i];
		struct asm_sym *s = &a->sym[t->sym];
		char *name = text_of(s->name, s->len);
		int k = image_add_tensor(a->img, name, t->id, t->addr, t->size,
		                         NULL, t->output);

		a->img->tensor[k].init = t->init;
		t->init = NULL;
		free(name);
	}
}

/* "dir/sieve.s" -> "sieve". */
static char *program_name(const char *place)
{
	const char *slash = strrchr(place, '/');
	const char *from = slash ? slash + 1 : place;
	const char *dot = strrchr(from, '.');

	return text_of(from,
	               dot && dot > from ? (size_t)(dot - from) : strlen(from));
}

static void build(struct asm_state *a, const char *text, size_t size)
{
	struct asm_tok at = {.line = 1, .col = 1};
	char *name;

	if (size > ASM_MAX_TEXT) {
		asm_error(a, &at, ASM_LIMIT,
		          "text larger than %u bytes; split the program",
		          ASM_MAX_TEXT);
		return;
	}
	pass(a, 1, text, size);
	asm_allocate(a);
	if (a->failed)
		return;
	name = program_name(a->place);
	a->img = image_new(name);
	free(name);
	a->img->gen = a->gen;
	a->img->rank = a->rank;
	a->img->loaded = a->loaded;
	a->file = image_add_file(a->img, a->place);
	pass(a, 2, text, size);
	if (a->failed)
		return;
	add_symbols(a);
	add_tensors(a);
}

static struct asm_state *begin(const char *place, struct image_error *err)
{
	struct asm_state *a = calloc(1, sizeof(*a));

	if (!a)
		abort();
	a->place = place;
	a->err = err;
	a->gen = 3;
	a->engine = TPB_ENGINE_SP;
	a->data = -1;
	for (unsigned i = 0; i < ASM_HASH; i++)
		a->hash[i] = -1;
	return a;
}

static void finish(struct asm_state *a)
{
	for (int i = 0; i < a->ntensors; i++)
		free(a->tensor[i].init);
	free(a->tensor);
	free(a->sym);
	free(a);
}

struct image *asm_source(const char *text, size_t size, const char *place,
                         struct image_error *err)
{
	struct asm_state *a = begin(place, err);
	struct image *img;

	build(a, text, size);
	img = a->img;
	if (a->failed) {
		image_free(img);
		img = NULL;
	}
	finish(a);
	return img;
}

static void single(struct asm_state *a, uint8_t bundle_out[TPB_BUNDLE])
{
	struct asm_inst in = {.name = a->pos.tok};
	struct isa_verdict v = {0};
	struct asm_tok t;
	char buf[48];
	bool raw = asm_is(&a->pos.tok, ".bundle");
	bool legal = raw;

	if (raw) {
		asm_next(a);
		asm_raw_bundle(a, in.b);
	} else {
		encode(a, &in);
	}
	t = a->pos.tok;
	if (!asm_at_end(a))
		asm_error(a, &t, ASM_SYNTAX,
		          "unexpected %s; give one instruction",
		          asm_show(&t, buf));
	for (int gen = 4; gen >= 2 && !legal; gen--)
		legal = isa_check(in.b, ISA_FILE, gen, &v) ||
		        isa_check(in.b, ISA_LOADED, gen, &v);
	if (!legal && !a->failed)
		asm_error(a, &in.name, ASM_ILLEGAL,
		          "illegal bundle: %s; see docs/reference/decode.md",
		          v.reason);
	memcpy(bundle_out, in.b, TPB_BUNDLE);
}

int asm_line(const char *text, uint8_t bundle_out[TPB_BUNDLE],
             struct image_error *err)
{
	struct asm_state *a = begin("line", err);
	int status;

	asm_start(a, text, strlen(text));
	single(a, bundle_out);
	status = a->failed ? -1 : 0;
	finish(a);
	return status;
}
