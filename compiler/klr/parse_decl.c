/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of tensors in KLR text:
 *
 *   [input|output|constant|buffer] [hbm|sbuf|psum|reg|shared_hbm|private_hbm]
 *       NAME: DTYPE[DIM, ...] [from "FILE"] {, ATTRIBUTE}
 *
 * A PSUM address is written bank=, byte= (in the bank) and kept as bytes from
 * the start of the partition, as KLR has it.
 */
#include "compiler/klr/internal.h"

#include <string.h>

static const char *const classes[] = {
    [KLR_LOCAL] = "local",    [KLR_INPUT] = "input",   [KLR_OUTPUT] = "output",
    [KLR_CONST] = "constant", [KLR_BUFFER] = "buffer",
};

static int class_of(const char *word)
{
	for (int i = KLR_INPUT; i <= KLR_BUFFER; i++)
		if (!strcmp(classes[i], word))
			return i;
	return -1;
}

/* A class or memory in front of another word of a declaration. */
bool klr_is_decl(const struct klr_parser *p)
{
	if (p->tok.kind != TOK_NAME || p->tok.quoted)
		return false;
	return class_of(p->tok.s) >= 0 || !strcmp(p->tok.s, "dram") ||
	       klr_enum_value(KLR_G_MEMORY, p->tok.s) >= 0;
}

static int64_t parse_in(struct klr_parser *p, int64_t lo, int64_t hi,
                        const char *what)
{
	struct klr_pos pos = p->tok.pos;
	int64_t v = klr_parse_int(p);

	if (v < lo || v > hi)
		klr_error_at(&p->rep, pos, KLR_E_RANGE,
		             "%s is %lld; it can be %lld to %lld", what,
		             (long long)v, (long long)lo, (long long)hi);
	return v;
}

static void parse_shape(struct klr_parser *p, struct klr_tensor *t)
{
	int64_t all = 1;

	klr_need(p, '[', "in front of the shape");
	do {
		struct klr_pos pos = p->tok.pos;
		int64_t d = parse_in(p, 1, (int64_t)1 << 36, "a dimension");

		if (t->ndims == KLR_MAX_DIMS) {
			klr_error_at(&p->rep, pos, KLR_E_LIMIT,
			             "more than %d dimensions; merge some",
			             KLR_MAX_DIMS);
			return;
		}
		if (p->rep.failed)
			return;
		t->dims[t->ndims++] = d;
		if (d > ((int64_t)1 << 36) / all) {
			klr_error_at(&p->rep, pos, KLR_E_RANGE,
			             "tensor of more than 2^36 elements; make "
			             "it smaller");
			return;
		}
		all *= d;
	} while (klr_take(p, ','));
	klr_need(p, ']', "behind the shape");
}

static void parse_number_attribute(struct klr_parser *p, struct klr_tensor *t,
                                   const char *name)
{
	int64_t v;

	klr_need(p, '=', "behind the attribute");
	if (!strcmp(name, "address")) {
		t->address = klr_parse_name(p, "a name");
		return;
	}
	v = parse_in(p, 0, (int64_t)1 << 36, name);
	if (!strcmp(name, "partition"))
		t->part = v;
	else if (!strcmp(name, "bank"))
		t->byte =
		    (t->byte < 0 ? 0 : t->byte) + v * TPB_PSUM_BANK_BYTES_GEN3;
	else if (!strcmp(name, "byte"))
		t->byte = (t->byte < 0 ? 0 : t->byte) + v;
	else if (!strcmp(name, "parSize"))
		t->par_size = v;
	else
		t->free_size = v;
}

static void parse_attribute(struct klr_parser *p, struct klr_tensor *t)
{
	static const char *const names[] = {"partition", "bank",     "byte",
	                                    "parSize",   "freeSize", "address",
	                                    "shared",    "rotation"};
	struct klr_near near;
	struct klr_pos pos = p->tok.pos;
	const char *name = klr_parse_name(p, "an attribute");

	if (p->rep.failed)
		return;
	if (!strcmp(name, "shared")) {
		t->shared = true;
		return;
	}
	if (!strcmp(name, "rotation")) {
		t->rotation = true;
		return;
	}
	klr_near_start(&near, name);
	for (int i = 0; i < 8; i++) {
		klr_near_try(&near, names[i]);
		if (!strcmp(names[i], name)) {
			if (i == 1 && t->memory != KLR_PSUM)
				break;
			parse_number_attribute(p, t, name);
			return;
		}
	}
	if (!strcmp(name, "bank"))
		klr_error_at(&p->rep, pos, KLR_E_WORD,
		             "only PSUM has banks; write byte=");
	else
		klr_error_at(&p->rep, pos, KLR_E_WORD, "no attribute '%.40s'%s",
		             name,
		             klr_near_hint(&near, "there are partition, bank, "
		                                  "byte"));
}

static void parse_place_words(struct klr_parser *p, struct klr_tensor *t)
{
	int c = class_of(p->tok.s);

	t->memory = KLR_HBM;
	if (c >= 0) {
		t->class = (enum klr_class)c;
		klr_next(p);
	}
	if (klr_is_decl(p) && class_of(p->tok.s) < 0) {
		struct klr_tok next = klr_peek(p);

		if (next.kind == TOK_NAME)
			t->memory =
			    (enum klr_memory)klr_parse_enum(p, KLR_G_MEMORY);
	}
}

void klr_parse_decl(struct klr_parser *p)
{
	struct klr_tensor *t = ARENA_NEW(p->k->arena, struct klr_tensor);
	struct klr_tensor **last = &p->k->tensors;
	struct klr_pos pos;

	t->part = t->byte = t->par_size = t->free_size = -1;
	parse_place_words(p, t);
	pos = p->tok.pos;
	t->pos = pos;
	t->name = klr_parse_name(p, "the tensor's name");
	klr_need(p, ':', "behind the tensor's name");
	t->dtype = klr_parse_enum(p, KLR_G_DTYPE);
	parse_shape(p, t);
	if (klr_word(p, "from")) {
		klr_next(p);
		t->file = p->tok.s;
		if (p->tok.kind != TOK_STR)
			klr_error_at(&p->rep, p->tok.pos, KLR_E_SYNTAX,
			             "no file behind from; write from "
			             "\"x.bin\"");
		klr_next(p);
	}
	while (klr_take(p, ','))
		parse_attribute(p, t);
	if (p->rep.failed)
		return;
	if (klr_names_put(p->k->tensor_names, t->name, t)) {
		klr_error_at(&p->rep, pos, KLR_E_TWICE,
		             "tensor '%.40s' is declared twice; rename one",
		             t->name);
		return;
	}
	t->next = NULL;
	if (p->last_tensor)
		last = &p->last_tensor->next;
	*last = t;
	p->last_tensor = t;
}
