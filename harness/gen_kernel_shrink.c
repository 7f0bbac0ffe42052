/* SPDX-License-Identifier: Apache-2.0
 *
 * A failing kernel made smaller: lines go, largest pieces first, as long as
 * the rest ends in the same way.  Declarations and first values go last, when
 * nothing names them any more.
 */
#include "harness/gen_kernel.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool same(struct kernel_bench *b, const struct kernel_text *k,
                 const struct kernel_verdict *want, struct kernel_verdict *v)
{
	char *text = kernel_text_join(k);

	kernel_judge(b, text, k->seed, v);
	free(text);
	return v->end == want->end && !strcmp(v->id, want->id);
}

/* Try without lines at .. at + n - 1. */
static bool without(struct kernel_bench *b, struct kernel_text *k, int at,
                    int n, struct kernel_verdict *v)
{
	bool *was = malloc((size_t)n * sizeof(*was));
	struct kernel_verdict now;
	bool ok;

	if (!was)
		abort();
	for (int i = 0; i < n; i++) {
		was[i] = k->line[at + i].off;
		k->line[at + i].off = true;
	}
	ok = same(b, k, v, &now);
	if (ok)
		*v = now;
	for (int i = 0; !ok && i < n; i++)
		k->line[at + i].off = was[i];
	free(was);
	return ok;
}

static bool pass(struct kernel_bench *b, struct kernel_text *k,
                 struct kernel_verdict *v)
{
	bool any = false;

	/* from the end: what is made is used below */
	for (int i = k->n - 1; i >= 0; i--)
		if (!k->line[i].off && !k->line[i].fixed &&
		    i + k->line[i].span <= k->n)
			any |= without(b, k, i, k->line[i].span, v);
	return any;
}

/* The name that a declaration or a first value is about: the word in front of
 * a colon, or behind "dst=". */
static bool name_of(const char *text, char *name, size_t size)
{
	const char *p = strstr(text, "dst="), *end;
	size_t n;

	if (p) {
		p += strlen("dst=");
	} else {
		end = strchr(text, ':');
		if (!end || !end[1])
			return false;
		for (p = end; p > text && p[-1] != ' '; p--)
			;
	}
	for (n = 0; isalnum((unsigned char)p[n]); n++)
		;
	if (!n || n >= size)
		return false;
	memcpy(name, p, n);
	name[n] = '\0';
	return true;
}

static bool names(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = strstr(text, name); p; p = strstr(p + 1, name))
		if ((p == text || !isalnum((unsigned char)p[-1])) &&
		    !isalnum((unsigned char)p[n]))
			return true;
	return false;
}

/* All fixed lines about a name, if no other line has it. */
static void forget(struct kernel_bench *b, struct kernel_text *k,
                   const char *name, struct kernel_verdict *v)
{
	bool *mine = calloc((size_t)k->n, sizeof(*mine));
	struct kernel_verdict now;
	char other[16];
	bool used = false;

	if (!mine)
		abort();
	for (int i = 0; i < k->n; i++) {
		struct kernel_line *l = &k->line[i];

		if (l->off || !names(l->text, name))
			continue;
		mine[i] = l->fixed && name_of(l->text, other, sizeof(other)) &&
		          !strcmp(name, other);
		used |= !mine[i];
	}
	for (int i = 0; !used && i < k->n; i++)
		k->line[i].off |= mine[i];
	if (!used && !same(b, k, v, &now))
		for (int i = 0; i < k->n; i++)
			k->line[i].off &= !mine[i];
	else if (!used)
		*v = now;
	free(mine);
}

void kernel_shrink(struct kernel_bench *b, struct kernel_text *k,
                   struct kernel_verdict *v)
{
	char name[16];

	for (int i = 0; i < 4 && pass(b, k, v); i++)
		;
	for (int t = 0; t < 2; t++)
		for (int i = k->n - 1; i > 0; i--)
			if (k->line[i].fixed && !k->line[i].off &&
			    name_of(k->line[i].text, name, sizeof(name)))
				forget(b, k, name, v);
}
