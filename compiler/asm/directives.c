/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler: directives that declare, and that steer the assembler.
 *
 * Declarations act in pass 1 and are skipped in pass 2; `.engine`,
 * `.unchecked` and `.checked` act in both; data acts in pass 2 (data.c).
 */
#include "compiler/asm/internal.h"

#include <stdlib.h>
#include <string.h>

static bool any_bundle(const struct asm_state *a)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		if (a->pc[e])
			return true;
	return false;
}

static void must_be_first(struct asm_state *a, const struct asm_tok *d)
{
	char buf[48];

	if (a->pass == 1 && any_bundle(a))
		asm_error(a, d, ASM_ORDER,
		          "%s after an instruction; move it to the top",
		          asm_show(d, buf));
}

static void dir_gen(struct asm_state *a, const struct asm_tok *d)
{
	struct asm_tok t = a->pos.tok;
	uint64_t v = asm_uint(a, 4, "profile");

	must_be_first(a, d);
	if (v < 2)
		asm_error(a, &t, ASM_RANGE, "no profile %llu; write 2, 3 or 4",
		          (unsigned long long)v);
	a->gen = (int)v;
}

static void dir_global_rank(struct asm_state *a, const struct asm_tok *d)
{
	(void)d;
	a->rank = (uint32_t)asm_uint(a, UINT32_MAX, "rank");
}

static void dir_loaded(struct asm_state *a, const struct asm_tok *d)
{
	must_be_first(a, d);
	a->loaded = true;
}

static void dir_engine(struct asm_state *a, const struct asm_tok *d)
{
	struct asm_tok t = a->pos.tok;
	int64_t v = -1;
	char buf[48];

	(void)d;
	if (t.kind == TOK_NAME)
		v = isa_enum_value("engine", t.text, t.len);
	if (v < 0) {
		asm_error(a, &t, ASM_UNKNOWN,
		          "unknown engine %s; write PE, ACT, POOL, DVE or SP",
		          asm_show(&t, buf));
		return;
	}
	asm_next(a);
	a->engine = (int)v;
}

static void dir_unchecked(struct asm_state *a, const struct asm_tok *d)
{
	(void)d;
	a->unchecked = true;
}

static void dir_checked(struct asm_state *a, const struct asm_tok *d)
{
	(void)d;
	a->unchecked = false;
}

static void end_function(struct asm_state *a)
{
	int f = a->func[a->engine];

	if (f >= 0)
		a->sym[f].fn_len = a->pc[a->engine] - (uint32_t)a->sym[f].value;
	a->func[a->engine] = -1;
}

static void dir_func(struct asm_state *a, const struct asm_tok *d)
{
	struct asm_tok t = a->pos.tok;
	bool keep;
	char buf[48];
	int i;

	(void)d;
	asm_next(a);
	keep = asm_accept_name(a, "keep");
	if (a->failed)
		return;
	if (t.len > 35)
		asm_error(a, &t, ASM_RANGE,
		          "a function name has at most 35 bytes; "
		          "shorten it");
	end_function(a);
	a->func[a->engine] =
	    asm_define(a, &t, a->engine, SYM_FUNC, a->pc[a->engine], true);
	if (a->failed)
		return;
	i = asm_find(a, ASM_FUNCS, t.text, t.len);
	if (i < 0)
		(void)asm_define(a, &t, ASM_FUNCS, SYM_KEEP, keep, true);
	else if (a->sym[i].value != keep)
		asm_error(a, &t, ASM_KIND,
		          "%s has another keep flag at line %u; "
		          "make them equal",
		          asm_show(&t, buf), a->sym[i].line);
}

static void dir_endfunc(struct asm_state *a, const struct asm_tok *d)
{
	if (a->func[a->engine] < 0)
		asm_error(a, d, ASM_ORDER,
		          "no function is open on this engine; remove it");
	else
		end_function(a);
}

static void dir_equ(struct asm_state *a, const struct asm_tok *d)
{
	struct asm_tok t = a->pos.tok;
	int64_t v;

	(void)d;
	asm_next(a);
	asm_expect(a, '=', "write .equ NAME = EXPR");
	v = asm_expr(a);
	if (!a->failed)
		(void)asm_define(a, &t, ASM_GLOBAL, SYM_EQU, v, true);
}

static void bank(struct asm_state *a, enum asm_sym_kind kind, bool *used)
{
	struct asm_tok t = a->pos.tok;
	bool known;
	uint64_t id = 0;

	asm_next(a);
	known = asm_accept(a, '=');
	if (known && (asm_bank(&a->pos.tok, 's', TPB_SEMS) >= 0 ||
	              asm_bank(&a->pos.tok, 'e', TPB_EVENTS) >= 0))
		asm_error(a, &a->pos.tok, ASM_KIND,
		          "the id is a number; leave out the letter");
	if (known)
		id = asm_uint(a, 255, "id");
	if (a->failed)
		return;
	if (known)
		used[id] = true;
	(void)asm_define(a, &t, ASM_GLOBAL, kind, (int64_t)id, known);
}

static void dir_sem(struct asm_state *a, const struct asm_tok *d)
{
	(void)d;
	bank(a, SYM_SEM, a->sem_used);
}

static void dir_event(struct asm_state *a, const struct asm_tok *d)
{
	(void)d;
	bank(a, SYM_EVENT, a->evt_used);
}

static void tensor_key(struct asm_state *a, struct asm_tensor *t)
{
	struct asm_tok k = a->pos.tok;
	struct asm_tok v;
	char buf[48];

	asm_next(a);
	if (asm_is(&k, "output")) {
		t->output = true;
		return;
	}
	asm_expect(a, '=', "write KEY=VALUE");
	v = a->pos.tok;
	if (asm_is(&k, "size")) {
		t->size = asm_uint(a, ASM_DRAM_END, "size");
	} else if (asm_is(&k, "addr")) {
		t->addr = asm_uint(a, ASM_DRAM_END - 8, "address");
		t->has_addr = true;
		if (t->addr == 0 || t->addr % 8)
			asm_error(a, &v, ASM_RANGE,
			          "address is 0 or no multiple of 8; "
			          "change it");
	} else if (asm_is(&k, "id")) {
		t->id = (uint32_t)asm_uint(a, UINT32_MAX, "variable id");
		t->has_id = true;
	} else {
		asm_error(a, &k, ASM_UNKNOWN,
		          "unknown key %s; known: size addr id output",
		          asm_show(&k, buf));
	}
}

static void dir_tensor(struct asm_state *a, const struct asm_tok *d)
{
	struct asm_tok name = a->pos.tok;
	struct asm_tensor t = {.line = name.line, .col = name.col};

	(void)d;
	asm_next(a);
	while (asm_accept(a, ','))
		tensor_key(a, &t);
	if (a->failed)
		return;
	if (t.size == 0)
		asm_error(a, &name, ASM_SYNTAX,
		          "a tensor needs a size; write size=BYTES");
	if (t.has_addr && t.addr + t.size > ASM_DRAM_END)
		asm_error(a, &name, ASM_RANGE,
		          "tensor ends past DRAM; move it or make it "
		          "smaller");
	t.sym = asm_define(a, &name, ASM_GLOBAL, SYM_TENSOR, a->ntensors, true);
	if (a->failed)
		return;
	if (a->ntensors == a->tensor_cap) {
		int cap = a->tensor_cap ? a->tensor_cap * 2 : 16;
		void *p = realloc(a->tensor, (size_t)cap * sizeof(t));

		if (!p)
			abort();
		a->tensor = p;
		a->tensor_cap = cap;
	}
	a->tensor[a->ntensors++] = t;
}

static const struct directive {
	const char *name;
	int passes; /* 1, 2 or 3: both */
	void (*act)(struct asm_state *a, const struct asm_tok *d);
} table[] = {
    {".gen", 1, dir_gen},
    {".global_rank", 1, dir_global_rank},
    {".loaded", 1, dir_loaded},
    {".engine", 3, dir_engine},
    {".unchecked", 3, dir_unchecked},
    {".checked", 3, dir_checked},
    {".func", 1, dir_func},
    {".endfunc", 1, dir_endfunc},
    {".equ", 1, dir_equ},
    {".sem", 1, dir_sem},
    {".event", 1, dir_event},
    {".tensor", 1, dir_tensor},
};

void asm_directive(struct asm_state *a)
{
	struct asm_tok d = a->pos.tok;
	char buf[48];

	asm_next(a);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (!asm_is(&d, table[i].name))
			continue;
		if (table[i].passes & a->pass)
			table[i].act(a, &d);
		else
			asm_skip_line(a);
		return;
	}
	if (!asm_data_directive(a, &d) && !asm_queue_directive(a, &d))
		asm_error(a, &d, ASM_UNKNOWN,
		          "unknown directive %s; see "
		          "docs/reference/assembly.md",
		          asm_show(&d, buf));
}
