/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler: names, and the ids and addresses behind them.
 *
 * Pass 1 defines everything; asm_allocate() then gives ids to semaphores,
 * events and tensors that have none, and places the tensors in DRAM.  Names
 * point into the source text, which outlives the assembler's state.
 */
#include "compiler/asm/internal.h"

#include <stdlib.h>
#include <string.h>

/* The compiler keeps these for itself (sheet of the reserved ids). */
#define SEM_AUTO_END 253
#define EVT_AUTO_END 244
/* What an image can hold. */
#define NAME_MAX_BYTES 255

static unsigned hash_of(int scope, const char *s, size_t len)
{
	uint32_t h = 2166136261u ^ (uint32_t)scope;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h % ASM_HASH;
}

int asm_find(const struct asm_state *a, int scope, const char *s, size_t len)
{
	int i;

	if (a->nsyms == 0)
		return -1;
	for (i = a->hash[hash_of(scope, s, len)]; i >= 0; i = a->sym[i].next)
		if (a->sym[i].scope == scope && a->sym[i].len == len &&
		    memcmp(a->sym[i].name, s, len) == 0)
			return i;
	return -1;
}

void asm_check_name(struct asm_state *a, const struct asm_tok *t)
{
	char buf[48];

	if (t->kind != TOK_NAME) {
		asm_error(a, t, ASM_SYNTAX, "unexpected %s; a name goes here",
		          asm_show(t, buf));
	} else if (asm_bank(t, 'r', TPB_REGS) != -1 ||
	           asm_bank(t, 's', TPB_SEMS) != -1 ||
	           asm_bank(t, 'e', TPB_EVENTS) != -1) {
		asm_error(a, t, ASM_KIND,
		          "%s is a register, semaphore or event; "
		          "choose another name",
		          asm_show(t, buf));
	}
}

int asm_define(struct asm_state *a, const struct asm_tok *t, int scope,
               enum asm_sym_kind kind, int64_t value, bool known)
{
	struct asm_sym *s;
	char buf[48];
	unsigned h;
	int old;

	asm_check_name(a, t);
	if (a->failed)
		return -1;
	if (t->len > NAME_MAX_BYTES) {
		asm_error(a, t, ASM_LIMIT,
		          "a name has at most %d bytes; shorten it",
		          NAME_MAX_BYTES);
		return -1;
	}
	old = asm_find(a, scope, t->text, t->len);
	if (old >= 0) {
		asm_error(a, t, ASM_DUPLICATE,
		          "%s is already defined at %u:%u; "
		          "choose another name",
		          asm_show(t, buf), a->sym[old].line, a->sym[old].col);
		return -1;
	}
	if (a->nsyms == (int)ASM_MAX_NAMES) {
		asm_error(a, t, ASM_LIMIT,
		          "more than %u names; split the program",
		          ASM_MAX_NAMES);
		return -1;
	}
	if (a->nsyms == a->sym_cap) {
		int cap = a->sym_cap ? a->sym_cap * 2 : 64;
		void *p = realloc(a->sym, (size_t)cap * sizeof(*a->sym));

		if (!p)
			abort();
		a->sym = p;
		a->sym_cap = cap;
	}
	h = hash_of(scope, t->text, t->len);
	s = &a->sym[a->nsyms];
	*s = (struct asm_sym){.name = t->text,
	                      .len = t->len,
	                      .scope = scope,
	                      .kind = kind,
	                      .known = known,
	                      .value = value,
	                      .line = t->line,
	                      .col = t->col,
	                      .next = a->hash[h]};
	a->hash[h] = a->nsyms;
	return a->nsyms++;
}

uint8_t asm_sync_ref(struct asm_state *a, bool *event)
{
	struct asm_tok t = a->pos.tok;
	int s = asm_bank(&t, 's', TPB_SEMS);
	int e = asm_bank(&t, 'e', TPB_EVENTS);
	char buf[48];
	int i = -1;

	*event = e != -1;
	if (s < 0 && e < 0 && t.kind == TOK_NAME)
		i = asm_find(a, ASM_GLOBAL, t.text, t.len);
	if (i >= 0 && a->sym[i].kind != SYM_SEM &&
	    a->sym[i].kind != SYM_EVENT) {
		asm_error(a, &t, ASM_KIND,
		          "%s is no semaphore or event; "
		          "name one, or write s9 or e3",
		          asm_show(&t, buf));
		return 0;
	}
	if (s == -2 || e == -2 || (s < 0 && e < 0 && i < 0)) {
		asm_error(a, &t, ASM_UNKNOWN,
		          "unknown semaphore or event %s; declare it with "
		          ".sem or .event, or write s0..s255, e0..e255",
		          asm_show(&t, buf));
		return 0;
	}
	asm_next(a);
	if (i < 0)
		return (uint8_t)(s >= 0 ? s : e);
	*event = a->sym[i].kind == SYM_EVENT;
	return (uint8_t)a->sym[i].value;
}

static void allocate_bank(struct asm_state *a, enum asm_sym_kind kind,
                          const bool *used, int end)
{
	int id = 0;

	for (int i = 0; i < a->nsyms; i++) {
		struct asm_sym *s = &a->sym[i];
		struct asm_tok t = {.line = s->line, .col = s->col};

		if (s->kind != kind || s->known)
			continue;
		while (id < end && used[id])
			id++;
		if (id == end) {
			asm_error(a, &t, ASM_LIMIT,
			          "no free %s is left below %d; "
			          "give fewer names or an id",
			          kind == SYM_SEM ? "semaphore" : "event", end);
			return;
		}
		s->value = id++;
		s->known = true;
	}
}

static int by_id(const void *x, const void *y)
{
	const struct asm_tensor *s = *(struct asm_tensor *const *)x;
	const struct asm_tensor *t = *(struct asm_tensor *const *)y;

	if (s->id != t->id)
		return s->id < t->id ? -1 : 1;
	return s->line < t->line ? -1 : s->line > t->line;
}

static int by_addr(const void *x, const void *y)
{
	const struct asm_tensor *s = *(struct asm_tensor *const *)x;
	const struct asm_tensor *t = *(struct asm_tensor *const *)y;

	if (s->addr != t->addr)
		return s->addr < t->addr ? -1 : 1;
	return s->line < t->line ? -1 : s->line > t->line;
}

static void allocate_ids(struct asm_state *a, struct asm_tensor **v)
{
	uint32_t next = 1;
	int n = 0, k = 0;

	for (int i = 0; i < a->ntensors; i++)
		if (a->tensor[i].has_id)
			v[n++] = &a->tensor[i];
	qsort(v, (size_t)n, sizeof(*v), by_id);
	for (int i = 1; i < n; i++) {
		struct asm_tok t = {.line = v[i]->line, .col = v[i]->col};

		if (v[i]->id == v[i - 1]->id)
			asm_error(a, &t, ASM_DUPLICATE,
			          "variable id %u is also that of the tensor "
			          "at line %u; choose another",
			          v[i]->id, v[i - 1]->line);
	}
	for (int i = 0; i < a->ntensors; i++) {
		if (a->tensor[i].has_id)
			continue;
		for (;; next++) {
			while (k < n && v[k]->id < next)
				k++;
			if (k == n || v[k]->id != next)
				break;
		}
		a->tensor[i].id = next++;
	}
}

/* Tensors without an address go upward, around those that have one. */
static void allocate_addrs(struct asm_state *a, struct asm_tensor **v)
{
	uint64_t at = ASM_DRAM_BASE;
	int n = 0, k = 0;

	for (int i = 0; i < a->ntensors; i++)
		if (a->tensor[i].has_addr)
			v[n++] = &a->tensor[i];
	qsort(v, (size_t)n, sizeof(*v), by_addr);
	for (int i = 1; i < n; i++) {
		struct asm_tok t = {.line = v[i]->line, .col = v[i]->col};

		if (v[i - 1]->addr + v[i - 1]->size > v[i]->addr)
			asm_error(a, &t, ASM_RANGE,
			          "tensor overlaps that of line %u; "
			          "move one of them",
			          v[i - 1]->line);
	}
	for (int i = 0; i < a->ntensors; i++) {
		struct asm_tensor *t = &a->tensor[i];
		struct asm_tok tok = {.line = t->line, .col = t->col};

		if (t->has_addr)
			continue;
		at = (at + 63) & ~63ull;
		for (; k < n && at + t->size > v[k]->addr; k++)
			if (at < v[k]->addr + v[k]->size)
				at = (v[k]->addr + v[k]->size + 63) & ~63ull;
		if (at + t->size > ASM_DRAM_END) {
			asm_error(a, &tok, ASM_LIMIT,
			          "no DRAM is left for this tensor; "
			          "make it smaller");
			return;
		}
		t->addr = at;
		t->has_addr = true;
		at += t->size;
	}
}

void asm_allocate(struct asm_state *a)
{
	struct asm_tensor **v;

	allocate_bank(a, SYM_SEM, a->sem_used, SEM_AUTO_END);
	allocate_bank(a, SYM_EVENT, a->evt_used, EVT_AUTO_END);
	if (a->ntensors == 0)
		return;
	v = calloc((size_t)a->ntensors, sizeof(*v));
	if (!v)
		abort();
	allocate_ids(a, v);
	allocate_addrs(a, v);
	free(v);
}
