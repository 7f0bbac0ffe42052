/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler: initial contents of tensors, rank records, raw bundles.
 *
 * All of it acts in pass 2, when every size and address is known.  Buffers
 * are as large as their tensor and together at most ASM_MAX_INIT.
 */
#include "compiler/asm/internal.h"

#include <stdlib.h>
#include <string.h>

static void dir_data(struct asm_state *a)
{
	struct asm_tok t = a->pos.tok;
	struct asm_tensor *ten;
	char buf[48];
	int i = -1;

	if (t.kind == TOK_NAME)
		i = asm_find(a, ASM_GLOBAL, t.text, t.len);
	if (i < 0 || a->sym[i].kind != SYM_TENSOR) {
		asm_error(a, &t, ASM_UNKNOWN,
		          "unknown tensor %s; declare it with .tensor",
		          asm_show(&t, buf));
		return;
	}
	asm_next(a);
	a->data = (int)a->sym[i].value;
	ten = &a->tensor[a->data];
	a->data_at = 0;
	if (asm_accept(a, '+'))
		a->data_at = asm_uint(a, ten->size, "offset");
	if (ten->init || a->failed)
		return;
	a->init_total += ten->size;
	if (ten->size > ASM_MAX_INIT || a->init_total > ASM_MAX_INIT) {
		asm_error(a, &t, ASM_LIMIT,
		          "more than %llu bytes of initialised tensors; "
		          "fill large ones by a program",
		          ASM_MAX_INIT);
		return;
	}
	ten->init = calloc(1, ten->size);
	if (!ten->init)
		abort();
}

/* Where the next n bytes go; NULL after an error. */
static uint8_t *room(struct asm_state *a, const struct asm_tok *t, uint64_t n)
{
	struct asm_tensor *ten;
	uint64_t at = a->data_at;

	if (a->failed)
		return NULL;
	if (a->data < 0) {
		asm_error(a, t, ASM_ORDER,
		          "data outside a tensor; write .data NAME before");
		return NULL;
	}
	ten = &a->tensor[a->data];
	if (n > ten->size - at) {
		asm_error(a, t, ASM_RANGE,
		          "data past the %llu bytes of the tensor; "
		          "make it larger",
		          (unsigned long long)ten->size);
		return NULL;
	}
	a->data_at += n;
	return ten->init + at;
}

static void put(uint8_t *p, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

/* bytes 0: floats. */
static void values(struct asm_state *a, int bytes)
{
	do {
		struct asm_tok t = a->pos.tok;
		int n = bytes ? bytes : 4;
		uint64_t v =
		    bytes ? asm_value(a, 8 * bytes, "value") : asm_float(a);
		uint8_t *p = room(a, &t, (uint64_t)n);

		if (!p)
			return;
		put(p, v, n);
	} while (asm_accept(a, ','));
}

static void fill(struct asm_state *a, int bytes)
{
	struct asm_tok t = a->pos.tok;
	uint64_t count = asm_uint(a, ASM_MAX_INIT, "count");
	uint64_t v;
	uint8_t *p;

	asm_expect(a, ',', "write .fill COUNT, VALUE");
	v = asm_value(a, 8 * bytes, "value");
	p = room(a, &t, count * (uint64_t)bytes);
	if (!p)
		return;
	for (uint64_t i = 0; i < count; i++)
		put(p + i * (uint64_t)bytes, v, bytes);
}

static void ascii(struct asm_state *a)
{
	struct asm_tok t = a->pos.tok;
	size_t i = 0;
	uint8_t *p;
	int c;

	if (t.kind != TOK_STR) {
		asm_error(a, &t, ASM_SYNTAX,
		          "no quoted text; write .ascii \"text\"");
		return;
	}
	while ((c = asm_char(a, &t, &i)) >= 0) {
		p = room(a, &t, 1);
		if (!p)
			return;
		*p = (uint8_t)c;
	}
	asm_next(a);
}

static void rank_keys(struct asm_state *a, uint64_t key[4])
{
	static const char *const names[] = {"core", "group", "iterations",
	                                    "channels"};
	struct asm_tok t;
	int k;

	do {
		t = a->pos.tok;
		for (k = 0; k < 4; k++)
			if (asm_is(&t, names[k]))
				break;
		if (k == 4) {
			asm_error(a, &t, ASM_UNKNOWN,
			          "unknown key; known: core group "
			          "iterations channels");
			return;
		}
		asm_next(a);
		asm_expect(a, '=', "write KEY=VALUE");
		key[k] = asm_uint(a, 0xFFFF, names[k]);
	} while (asm_accept(a, ','));
	asm_expect(a, ':', "write : before the ranks");
}

void asm_rank_record(struct asm_state *a)
{
	uint64_t key[4] = {0, 0, 1, 1};
	struct asm_tok t = a->pos.tok;
	uint32_t *ranks = NULL;
	size_t n = 0, want;

	rank_keys(a, key);
	want = (size_t)(key[2] * key[3]);
	if (want == 0 || want > 65536) {
		asm_error(a, &t, ASM_RANGE,
		          "a rank record has 1 to 65536 values; change "
		          "iterations or channels");
		return;
	}
	if (a->failed)
		return;
	ranks = calloc(want, sizeof(*ranks));
	if (!ranks)
		abort();
	do {
		if (n == want) {
			n++;
			break;
		}
		ranks[n++] = (uint32_t)asm_uint(a, UINT32_MAX, "rank");
	} while (asm_accept(a, ','));
	if (n != want)
		asm_error(a, &t, ASM_RANGE,
		          "the record needs %zu ranks; give as many", want);
	if (!a->failed)
		image_add_rank(a->img, (uint32_t)key[0], (uint32_t)key[1],
		               (uint32_t)key[2], (uint32_t)key[3], ranks);
	free(ranks);
}

void asm_raw_bundle(struct asm_state *a, uint8_t b[TPB_BUNDLE])
{
	for (int i = 0; i < TPB_BUNDLE / 4; i++) {
		if (i)
			asm_expect(a, ',', "write 16 words with commas");
		asm_put32(b + 4 * i, (uint32_t)asm_value(a, 32, "word"));
	}
}

bool asm_data_directive(struct asm_state *a, const struct asm_tok *d)
{
	static const struct {
		const char *name;
		int bytes; /* unit; 0 floats */
		bool fill;
	} unit[] = {
	    {".byte", 1, false},     {".half", 2, false},
	    {".word", 4, false},     {".quad", 8, false},
	    {".f32", 0, false},      {".fill", 1, true},
	    {".fill.half", 2, true}, {".fill.word", 4, true},
	    {".fill.quad", 8, true},
	};
	const size_t n = sizeof(unit) / sizeof(unit[0]);
	size_t i;

	for (i = 0; i < n; i++)
		if (asm_is(d, unit[i].name))
			break;
	if (i == n && !asm_is(d, ".data") && !asm_is(d, ".ascii") &&
	    !asm_is(d, ".rank"))
		return false;
	if (a->pass == 1)
		asm_skip_line(a);
	else if (asm_is(d, ".data"))
		dir_data(a);
	else if (asm_is(d, ".ascii"))
		ascii(a);
	else if (asm_is(d, ".rank"))
		asm_rank_record(a);
	else if (unit[i].fill)
		fill(a, unit[i].bytes);
	else
		values(a, unit[i].bytes);
	return true;
}
