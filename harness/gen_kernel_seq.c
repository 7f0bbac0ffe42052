/* SPDX-License-Identifier: Apache-2.0
 *
 * Register statements, loads, stores and DMA copies of random kernels.
 *
 * Registers r0..r5 hold anything.  An address takes a register of its own, cut
 * to 0..1, 3 or 7 right in front of the statement that uses it.
 */
#include "harness/gen_kernel_priv.h"

#include <stdio.h>
#include <string.h>

#define PICK(g, list) \
	((list)[rng_below(&(g)->r, (int)(sizeof(list) / sizeof(*(list))))])
#define SCALARS (GK_INTS | GK(F32))

void gk_address(struct gk *g, struct gk_var *v)
{
	static const int mask[] = {1, 3, 7};

	v->max = PICK(g, mask);
	snprintf(v->name, sizeof(v->name), "a%d", g->naddrs++ % GK_VARS);
	gk_emit(g, false,
	        "registerAluOp(dst=%s, src=r%d, imm=%d, op=bitwise_and)",
	        v->name, rng_below(&g->r, GK_REGS), v->max);
}

static int some_tensor(struct gk *g, unsigned memories, unsigned dtypes)
{
	for (int i = 0; i < 20; i++) {
		int t = rng_below(&g->r, g->ntensors);

		if (memories >> g->tensor[t].memory & 1 &&
		    dtypes >> g->tensor[t].dtype & 1)
			return t;
	}
	return -1;
}

static void source(struct gk *g, char *buf, size_t size)
{
	if (g->nvars && rng_chance(&g->r, 30))
		snprintf(buf, size, "%s",
		         g->var[rng_below(&g->r, g->nvars)].name);
	else
		snprintf(buf, size, "r%d", rng_below(&g->r, GK_REGS));
}

static void alu(struct gk *g)
{
	static const char *const op[] = {"add",
	                                 "subtract",
	                                 "mult",
	                                 "divide",
	                                 "mod",
	                                 "max",
	                                 "min",
	                                 "is_equal",
	                                 "not_equal",
	                                 "is_gt",
	                                 "is_ge",
	                                 "is_lt",
	                                 "is_le",
	                                 "bitwise_and",
	                                 "bitwise_or",
	                                 "bitwise_xor",
	                                 "logical_shift_left",
	                                 "logical_shift_right",
	                                 "arith_shift_right"};
	char src[12], imm[16];

	source(g, src, sizeof(src));
	if (rng_chance(&g->r, 40))
		source(g, imm, sizeof(imm));
	else
		snprintf(imm, sizeof(imm), "%d", rng_range(&g->r, -20, 300));
	gk_emit(g, false, "registerAluOp(dst=r%d, src=%s, imm=%s, op=%s)",
	        rng_below(&g->r, GK_REGS), src, imm, PICK(g, op));
}

static void move(struct gk *g)
{
	char src[16];

	if (rng_chance(&g->r, 10)) {
		gk_emit(g, false, "rankId(dst=r%d)", rng_below(&g->r, GK_REGS));
		return;
	}
	if (rng_chance(&g->r, 50))
		source(g, src, sizeof(src));
	else
		snprintf(src, sizeof(src), "%d",
		         (int)(rng_u32(&g->r) >> rng_below(&g->r, 32)));
	gk_emit(g, false, "registerMove(dst=r%d, imm=%s)",
	        rng_below(&g->r, GK_REGS), src);
}

/* Load a counter, add, store it back; or a part of that. */
static bool counter(struct gk *g)
{
	bool store = rng_chance(&g->r, 60);
	int t = some_tensor(
	    g, 1u << GK_HBM | 1u << GK_SBUF | (unsigned)!store << GK_PSUM,
	    SCALARS);
	int reg = rng_below(&g->r, GK_REGS);
	struct gk_ref r;

	if (t < 0)
		return false;
	store = store && !g->tensor[t].input;
	gk_make_one(g, t, &r);
	if (!store || rng_chance(&g->r, 60))
		gk_emit(g, false, "tensorLoad(dst=r%d, src=%s)", reg, r.text);
	if (!store)
		return true;
	if (rng_chance(&g->r, 60))
		gk_emit(g, false,
		        "registerAluOp(dst=r%d, src=r%d, imm=1, op=add)", reg,
		        reg);
	gk_emit(g, false, "tensorStore(dst=%s, src=r%d)", r.text, reg);
	return true;
}

bool gk_scalar(struct gk *g)
{
	if (rng_chance(&g->r, 35))
		alu(g);
	else if (rng_chance(&g->r, 25))
		move(g);
	else
		return counter(g);
	return true;
}

/* ------------------------------------------------------------ DMA */

static const char *trigger(struct gk *g)
{
	static const char *const text[] = {"",
	                                   "",
	                                   "",
	                                   " @act|, dgeMode=2",
	                                   " @dve|, dgeMode=2",
	                                   " @sp|, dgeMode=2",
	                                   " @pool|, dgeMode=1",
	                                   " @dma",
	                                   "|, dgeMode=3",
	                                   "|, oobMode=error",
	                                   "|, queue=\"q0\"",
	                                   "|, queue=\"q1\""};

	return PICK(g, text);
}

bool gk_dma(struct gk *g)
{
	unsigned memories = 1u << GK_HBM | 1u << GK_SBUF;
	int a = some_tensor(g, memories, ~0u), b, most, count;
	struct gk_ref src, dst;
	const char *how = trigger(g), *rest = strchr(how, '|');
	const struct gk_tensor *s, *d;

	b = a < 0 ? -1 : some_tensor(g, memories, 1u << g->tensor[a].dtype);
	if (b < 0 || a == b || g->tensor[b].input)
		return false;
	s = &g->tensor[a];
	d = &g->tensor[b];
	most = s->parts * s->row;
	if (d->parts * d->row < most)
		most = d->parts * d->row;
	count = rng_chance(&g->r, 50) ? most : rng_range(&g->r, 1, most);
	if (!gk_make_dma(g, a, count, false, &src) ||
	    !gk_make_dma(g, b, count, true, &dst))
		return false;
	gk_emit(g, false, "ncDmaCopy%.*s(dst=%s, src=%s%s)",
	        rest ? (int)(rest - how) : (int)strlen(how), how, dst.text,
	        src.text, rest ? rest + 1 : "");
	return true;
}
