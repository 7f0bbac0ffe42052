/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels as a whole: tensors and their first values, then blocks of
 * statements, loops and branches, then every tensor copied to an output.
 */
#include "harness/gen_kernel_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TURNS 24 /* of all loops around a statement */
#define MAX_DEPTH 3

/* ------------------------------------------------------------ the text */

int gk_emit(struct gk *g, bool fixed, const char *format, ...)
{
	struct kernel_text *k = g->k;
	struct kernel_line *l;
	va_list ap;

	if (k->n == k->cap) {
		k->cap = k->cap ? 2 * k->cap : 64;
		k->line = realloc(k->line, (size_t)k->cap * sizeof(*k->line));
		if (!k->line)
			abort();
	}
	l = &k->line[k->n];
	*l = (struct kernel_line){.span = 1, .fixed = fixed};
	va_start(ap, format);
	vsnprintf(l->text, sizeof(l->text), format, ap);
	va_end(ap);
	return k->n++;
}

void kernel_text_free(struct kernel_text *k)
{
	free(k->line);
	*k = (struct kernel_text){.n = 0};
}

char *kernel_text_join(const struct kernel_text *k)
{
	size_t size = 1, at = 0;
	char *text;

	for (int i = 0; i < k->n; i++)
		size += strlen(k->line[i].text) + 1;
	text = malloc(size);
	if (!text)
		abort();
	for (int i = 0; i < k->n; i++) {
		size_t n = strlen(k->line[i].text);

		if (k->line[i].off)
			continue;
		memcpy(text + at, k->line[i].text, n);
		text[at + n] = '\n';
		at += n + 1;
	}
	text[at] = '\0';
	return text;
}

/* ------------------------------------------------------------ tensors */

static const char *shape(const struct gk_tensor *t)
{
	static char text[48];

	if (t->dims == 3)
		snprintf(text, sizeof(text), "%d, %d, %d", t->parts, t->dim[1],
		         t->dim[2]);
	else
		snprintf(text, sizeof(text), "%d, %d", t->parts, t->row);
	return text;
}

static struct gk_tensor *new_tensor(struct gk *g, const char *prefix)
{
	struct gk_tensor *t = &g->tensor[g->ntensors];

	*t = (struct gk_tensor){.dims = 2};
	snprintf(t->name, sizeof(t->name), "%s%d", prefix, g->ntensors++);
	return t;
}

static void some_size(struct gk *g, struct gk_tensor *t, int usual)
{
	t->parts = rng_chance(&g->r, 70)   ? usual
	           : rng_chance(&g->r, 85) ? rng_range(&g->r, 1, 12)
	                                   : rng_range(&g->r, 33, 128);
	t->row =
	    t->parts > 12 ? rng_range(&g->r, 1, 12) : rng_range(&g->r, 1, 40);
	if (rng_chance(&g->r, 20)) {
		t->dims = 3;
		t->dim[1] = rng_range(&g->r, 1, 5);
		t->dim[2] = rng_range(&g->r, 1, 8);
		t->row = t->dim[1] * t->dim[2];
	}
}

/* Placed tensors lie high, side by side, so nothing else meets them. */
static void place(struct gk *g, struct gk_tensor *t, char *buf, size_t size)
{
	buf[0] = '\0';
	if (!rng_chance(&g->r, 10))
		return;
	if (t->parts <= 32)
		t->base = 32 * rng_below(&g->r, 4);
	if (t->memory == GK_SBUF)
		snprintf(buf, size, ", partition=%d, byte=%d", t->base,
		         100000 + g->ntensors * 512);
	else
		snprintf(buf, size, ", partition=%d, bank=%d, byte=0", t->base,
		         g->ntensors % 8);
}

static void on_chip(struct gk *g, int usual)
{
	static const unsigned common[] = {GK(F32), GK(F32), GK(I32), GK(BF16)};
	struct gk_tensor *t = new_tensor(g, "t");
	char where[48];

	some_size(g, t, usual);
	t->memory = rng_chance(&g->r, 15) ? GK_PSUM : GK_SBUF;
	t->dtype = (enum gk_dtype)gk_member(
	    g, rng_chance(&g->r, 40) ? common[rng_below(&g->r, 4)] : GK_DATA);
	if (t->memory == GK_PSUM)
		t->dtype =
		    (enum gk_dtype)gk_member(g, GK(F32) | GK(I32) | GK(U32));
	place(g, t, where, sizeof(where));
	if (t->memory == GK_PSUM && where[0] == '\0' && t->row > 64)
		t->row = 64;
	gk_emit(g, true, "%s %s: %s[%s]%s",
	        t->memory == GK_PSUM ? "psum" : "sbuf", t->name,
	        gk_dtype_name[t->dtype], shape(t), where);
}

/* A DRAM tensor like another, or of any shape. */
static struct gk_tensor *in_dram(struct gk *g, const char *class,
                                 const char *prefix,
                                 const struct gk_tensor *like)
{
	struct gk_tensor *t = new_tensor(g, prefix);

	if (like) {
		t->parts = like->parts;
		t->row = like->row;
		t->dims = like->dims;
		memcpy(t->dim, like->dim, sizeof(t->dim));
		t->dtype = like->dtype;
	} else {
		some_size(g, t, 4);
		t->dtype = (enum gk_dtype)gk_member(g, GK_DATA);
	}
	t->memory = GK_HBM;
	t->input = class[0] == 'i';
	t->output = class[0] == 'o';
	gk_emit(g, true, "%s %s: %s[%s]", class, t->name,
	        gk_dtype_name[t->dtype], shape(t));
	return t;
}

/* ------------------------------------------------------------ first values */

static void first_value(struct gk *g, int tensor, int from)
{
	const struct gk_tensor *t = &g->tensor[tensor];

	if (from >= 0)
		gk_emit(g, true, "ncDmaCopy(dst=%s, src=%s)", t->name,
		        g->tensor[from].name);
	else if (t->memory == GK_PSUM || rng_chance(&g->r, 30) || t->base)
		gk_emit(g, true, "memSet(dst=%s, value=%s, dtype=%s)", t->name,
		        GK_INTS >> t->dtype & 1  ? "3"
		        : GK_FP8 >> t->dtype & 1 ? "0.0"
		                                 : "1.5",
		        gk_dtype_name[t->dtype]);
	else
		gk_emit(g, true, "iota(dst=%s, pattern=[%d; (%d,%d); %d])",
		        t->name, rng_range(&g->r, -9, 9),
		        rng_range(&g->r, -3, 3), t->row,
		        rng_range(&g->r, -9, 9));
}

/* from[i]: the input of tensor i, -1. */
static void declare(struct gk *g, int from[GK_TENSORS])
{
	int usual = rng_chance(&g->r, 80) ? rng_range(&g->r, 1, 8) : 32;
	int n = rng_range(&g->r, 2, 6);

	for (int i = 0; i < GK_TENSORS; i++)
		from[i] = -1;
	for (int i = 0; i < n; i++)
		on_chip(g, usual);
	for (int i = 0; i < n; i++)
		if (g->tensor[i].memory == GK_SBUF && rng_chance(&g->r, 65)) {
			from[i] = g->ntensors;
			in_dram(g, "input", "x", &g->tensor[i]);
		}
	if (rng_chance(&g->r, 40)) {
		int h = g->ntensors;

		in_dram(g, "hbm", "h", NULL);
		from[h] = g->ntensors;
		in_dram(g, "input", "x", &g->tensor[h]);
	}
	if (rng_chance(&g->r, 40))
		in_dram(g, "output", "z", NULL);
}

/* ------------------------------------------------------------ statements */

static void statements(struct gk *g, int n);

static void loop(struct gk *g)
{
	struct gk_var *v = &g->var[g->nvars];
	int turns = rng_range(&g->r, 0, 4), first = rng_below(&g->r, 3);
	int step = rng_range(&g->r, 1, 3), at, name = g->nloops++;
	struct gk_var bound;

	if (turns < 1 && rng_chance(&g->r, 80))
		turns = 2;
	snprintf(v->name, sizeof(v->name), "i%d", name);
	v->max = first + (turns ? turns - 1 : 0) * step;
	if (rng_chance(&g->r, 25)) {
		g->naddrs = 0;
		gk_address(g, &bound);
		if (bound.max > 3)
			gk_emit(g, false,
			        "registerAluOp(dst=%s, src=%s, imm=3, "
			        "op=bitwise_and)",
			        bound.name, bound.name);
		at =
		    gk_emit(g, false, "for %s in 0..%s {", v->name, bound.name);
		v->max = 2;
		turns = 3;
	} else if (rng_chance(&g->r, 25)) {
		at = gk_emit(g, false, "for %s in %d..%d step %d {", v->name,
		             v->max, first - (turns ? 1 : -v->max), -step);
	} else {
		at = gk_emit(g, false, "for %s in %d..%d step %d {", v->name,
		             first, first + turns * step, step);
	}
	g->nvars++;
	g->depth++;
	g->turns *= turns ? turns : 1;
	statements(g, rng_range(&g->r, 1, 4));
	g->turns /= turns ? turns : 1;
	g->depth--;
	g->nvars--;
	gk_emit(g, true, "}");
	g->k->line[at].span = g->k->n - at;
	/* the brace goes with its loop only */
	g->k->line[at].fixed = false;
}

static void statements(struct gk *g, int n)
{
	for (int made = 0, tries = 0; made < n && tries < 12 * n; tries++) {
		int kind = rng_below(&g->r, 100);
		bool ok = true;

		g->naddrs = 0;
		if (kind < 12 && g->depth < MAX_DEPTH && g->left > 0 &&
		    g->turns * 4 <= MAX_TURNS)
			loop(g);
		else if (kind < 32)
			ok = gk_dma(g);
		else if (kind < 48)
			ok = gk_scalar(g);
		else
			ok = gk_vector(g);
		made += ok;
		g->left -= ok;
	}
}

/* ------------------------------------------------------------ branches */

static void compare(struct gk *g, const char *yes, const char *no)
{
	static const char *const cmp[] = {"lt", "le", "eq", "ne", "ge", "gt"};
	const char *c = cmp[rng_below(&g->r, 6)];
	int a = rng_below(&g->r, GK_REGS), b = rng_below(&g->r, GK_REGS);

	if (rng_chance(&g->r, 50))
		gk_emit(g, true,
		        "cmpBranch(reg1=r%d, imm=%d, op=%s_imm, trueLabel=%s, "
		        "falseLabel=%s)",
		        a, rng_range(&g->r, -5, 20), c, yes, no);
	else
		gk_emit(g, true,
		        "cmpBranch(reg1=r%d, reg2=r%d, op=%s_reg, "
		        "trueLabel=%s, falseLabel=%s)",
		        a, b, c, yes, no);
}

/* if (r) .. else .. */
static void diamond(struct gk *g)
{
	char yes[12], no[12], end[12];
	int at = g->k->n, n = g->nlabels++;
	bool other = rng_chance(&g->r, 70);

	snprintf(yes, sizeof(yes), "yes%d", n);
	snprintf(no, sizeof(no), "no%d", n);
	snprintf(end, sizeof(end), "end%d", n);
	compare(g, yes, other ? no : end);
	gk_emit(g, true, "%s:", yes);
	statements(g, rng_range(&g->r, 1, 3));
	gk_emit(g, true, "cmpBranch(op=always, trueLabel=%s)", end);
	if (other) {
		gk_emit(g, true, "%s:", no);
		statements(g, rng_range(&g->r, 0, 3));
	}
	gk_emit(g, true, "%s:", end);
	g->k->line[at].span = g->k->n - at;
	g->k->line[at].fixed = false;
}

/* A loop of labels, with the test behind, in a register of its own. */
static void label_loop(struct gk *g)
{
	int n = g->nlabels++, turns = rng_range(&g->r, 1, 4);
	int at = gk_emit(g, false, "registerMove(dst=c%d, imm=0)", n);

	gk_emit(g, true, "again%d:%s", n, "");
	g->turns *= turns;
	statements(g, rng_range(&g->r, 1, 3));
	g->turns /= turns;
	gk_emit(g, true, "registerAluOp(dst=c%d, src=c%d, imm=1, op=add)", n,
	        n);
	gk_emit(g, true,
	        "cmpBranch(reg1=c%d, imm=%d, op=lt_imm, trueLabel=again%d, "
	        "falseLabel=done%d)",
	        n, turns, n, n);
	gk_emit(g, true, "done%d:", n);
	g->k->line[at].span = g->k->n - at;
}

static void body(struct gk *g)
{
	int parts = rng_chance(&g->r, 55) ? 1 : rng_range(&g->r, 2, 3);

	g->left = rng_range(&g->r, 4, 16);
	for (int i = 0; i < parts; i++) {
		statements(g, rng_range(&g->r, 1, 1 + g->left / parts));
		if (parts > 1 && rng_chance(&g->r, 60))
			diamond(g);
		else if (parts > 1)
			label_loop(g);
	}
}

/* Everything that is left shows. */
static void finish(struct gk *g, int outputs)
{
	for (int i = 0, out = outputs; i < outputs; i++) {
		const struct gk_tensor *t = &g->tensor[i];

		if (t->input || t->output)
			continue;
		if (t->memory == GK_PSUM) {
			/* by way of its copy in SBUF */
			gk_emit(g, false, "ncCopy(dst=%s, src=%s)",
			        g->tensor[out + 1].name, t->name);
			gk_emit(g, false, "ncDmaCopy(dst=%s, src=%s)",
			        g->tensor[out].name, g->tensor[out + 1].name);
			out += 2;
		} else {
			gk_emit(g, false, "ncDmaCopy(dst=%s, src=%s)",
			        g->tensor[out++].name, t->name);
		}
	}
}

/* An output for each tensor that is none; statements do not see these. */
static void outputs_of(struct gk *g, int n)
{
	for (int i = 0; i < n; i++) {
		const struct gk_tensor t = g->tensor[i];
		struct gk_tensor *s;

		if (t.input || t.output)
			continue;
		in_dram(g, "output", "y", &t);
		if (t.memory != GK_PSUM)
			continue;
		s = new_tensor(g, "s");
		gk_emit(g, true, "sbuf %s: %s[%s]", s->name,
		        gk_dtype_name[t.dtype], shape(&t));
	}
}

void gen_kernel(struct kernel_text *k, uint64_t seed)
{
	struct gk g = {.k = k, .turns = 1};
	int from[GK_TENSORS], visible;

	*k = (struct kernel_text){.seed = seed};
	rng_seed(&g.r, seed);
	gk_emit(&g, true, "kernel random%u", (unsigned)(seed % 1000000));
	g.streams = rng_chance(&g.r, 4);
	declare(&g, from);
	visible = g.ntensors;
	outputs_of(&g, visible);
	gk_emit(&g, true, "entry:");
	for (int i = 0; i < GK_REGS; i++)
		gk_emit(&g, true, "registerMove(dst=r%d, imm=%d)", i,
		        rng_range(&g.r, -4, 12));
	for (int i = 0; i < GK_VARS; i++)
		gk_emit(&g, true, "registerMove(dst=a%d, imm=0)", i);
	for (int i = 0; i < visible; i++)
		if (!g.tensor[i].input && !g.tensor[i].output)
			first_value(&g, i, from[i]);
	g.ntensors = visible;
	body(&g);
	finish(&g, visible);
}
