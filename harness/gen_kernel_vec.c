/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector statements of random kernels: every operator that the compiler
 * builds, with dtypes, shapes and engines that the checks of
 * docs/reference/klr.md allow.
 */
#include "harness/gen_kernel_priv.h"

#include <stdio.h>
#include <string.h>

#define CHIP (1u << GK_SBUF | 1u << GK_PSUM)
#define SBUF (1u << GK_SBUF)

static const char *const arith[] = {
    "add",        "subtract",    "mult",     "divide",    "max",
    "min",        "mod",         "is_equal", "not_equal", "is_gt",
    "is_ge",      "is_lt",       "is_le",    "abs",       "logical_and",
    "logical_or", "logical_xor", "rsqrt",    "bypass"};
static const char *const bits[] = {"bitwise_and",        "bitwise_or",
                                   "bitwise_xor",        "bitwise_not",
                                   "arith_shift_left",   "arith_shift_right",
                                   "logical_shift_left", "logical_shift_right"};
static const char *const fold[] = {"add",        "subtract",   "mult",
                                   "max",        "min",        "logical_and",
                                   "logical_or", "logical_xor"};

#define PICK(g, list) \
	((list)[rng_below(&(g)->r, (int)(sizeof(list) / sizeof(*(list))))])

/* A shape: partitions, elements, and what the destination is. */
struct shape {
	struct gk_wish w;
	struct gk_ref dst;
};

/* Partitions and elements that some tensor has; most are small. */
static void some_shape(struct gk *g, struct gk_wish *w)
{
	const struct gk_tensor *t = &g->tensor[rng_below(&g->r, g->ntensors)];

	w->start = -1;
	w->parts =
	    rng_chance(&g->r, 50) ? t->parts : rng_range(&g->r, 1, t->parts);
	w->n = rng_chance(&g->r, 50) ? t->row : rng_range(&g->r, 1, t->row);
}

/* The destination of a statement in such a shape. */
static bool destination(struct gk *g, unsigned dtypes, unsigned memories,
                        struct shape *s)
{
	bool four = s->w.four;

	memset(s, 0, sizeof(*s));
	s->w.four = four;
	some_shape(g, &s->w);
	s->w.dtypes = dtypes;
	s->w.memories = memories;
	s->w.dst = true;
	if (!gk_make(g, &s->w, &s->dst))
		return false;
	s->w.dst = false;
	s->w.other = &s->dst;
	return true;
}

/* A source of the same shape; in place too if `same`. */
static bool source(struct gk *g, struct shape *s, unsigned dtypes, bool same,
                   struct gk_ref *r)
{
	s->w.dtypes = dtypes;
	s->w.same = same ? &s->dst : NULL;
	return gk_make(g, &s->w, r);
}

/* Both sources of one statement: not both in PSUM, in SBUF at one start. */
static bool sources(struct gk *g, struct shape *s, unsigned d0, unsigned d1,
                    struct gk_ref *a, struct gk_ref *b)
{
	unsigned memories = s->w.memories;
	const struct gk_tensor *t;
	bool ok;

	if (!source(g, s, d0, true, a))
		return false;
	t = &g->tensor[a->tensor];
	if (t->memory == GK_PSUM)
		s->w.memories &= SBUF;
	else
		s->w.start = t->base + a->start;
	ok = source(g, s, d1, true, b);
	s->w.memories = memories;
	s->w.start = -1;
	return ok;
}

/* What is read beside another source begins at its partition. */
static void beside(struct gk *g, struct gk_wish *w, const struct gk_ref *other)
{
	const struct gk_tensor *t = &g->tensor[other->tensor];

	if (t->memory == GK_PSUM)
		w->memories = SBUF;
	else
		w->start = t->base + other->start;
}

/* One element a partition. */
static bool pointer(struct gk *g, struct shape *s, unsigned dtypes,
                    struct gk_ref *r)
{
	int n = s->w.n;
	bool ok;

	s->w.n = 1;
	s->w.plain = rng_chance(&g->r, 70);
	ok = source(g, s, dtypes, false, r);
	s->w.n = n;
	s->w.plain = false;
	return ok;
}

/* Integers as wide as one. */
static unsigned same_size(enum gk_dtype d)
{
	return gk_dtype_size[d] == 4   ? GK_WORDS
	       : gk_dtype_size[d] == 2 ? GK(I16) | GK(U16)
	                               : GK(I8) | GK(U8);
}

static const char *dve(struct gk *g)
{
	return rng_chance(&g->r, 30) ? " @dve" : "";
}

/* " @pool" goes with SBUF only. */
static const char *engine(struct gk *g, unsigned *memories)
{
	*memories = CHIP;
	if (rng_chance(&g->r, 60))
		return dve(g);
	*memories = SBUF;
	return " @pool";
}

/* The operand dtype repeats what dst is. */
static const char *dtype(struct gk *g, const struct gk_ref *dst)
{
	static char text[40];

	text[0] = '\0';
	if (rng_chance(&g->r, 10))
		snprintf(text, sizeof(text), ", dtype=%s",
		         gk_dtype_name[dst->dtype]);
	return text;
}

static const char *number(struct gk *g, char *buf, size_t size)
{
	static const char *const special[] = {
	    "0.0", "-0.0", "1.0", "-1.0",  "inf",  "-inf",
	    "nan", "0.5",  "2.0", "255.0", "1e30", "bits(0x00000001)"};

	if (rng_chance(&g->r, 40))
		return PICK(g, special);
	if (rng_chance(&g->r, 30))
		snprintf(buf, size, "bits(0x%08X)", (unsigned)rng_u32(&g->r));
	else
		snprintf(buf, size, "%d.%02d", rng_range(&g->r, -99, 99),
		         rng_below(&g->r, 100));
	return buf;
}

static const char *integer(struct gk *g, char *buf, size_t size)
{
	int32_t v = (int32_t)(rng_u32(&g->r) >> rng_below(&g->r, 32));

	snprintf(buf, size, "%d", rng_chance(&g->r, 30) ? ~v : v);
	return buf;
}

/* ------------------------------------------------------------ fills */

static bool mem_set(struct gk *g)
{
	unsigned memories;
	const char *e = engine(g, &memories), *value;
	struct shape s = {.w.four = true};
	char buf[32];
	int size, v;

	if (!destination(g, GK_DATA | GK(F32R), memories, &s))
		return false;
	size = gk_dtype_size[s.dst.dtype];
	if (GK_FP8 >> s.dst.dtype & 1) {
		value = "0.0";
	} else if (!(GK_INTS >> s.dst.dtype & 1)) {
		value = number(g, buf, sizeof(buf));
	} else {
		v = (int)(rng_u32(&g->r) & (0xFFFFFFFFu >> (32 - 8 * size)));
		value = buf;
		if (s.dst.dtype == GK_U32)
			snprintf(buf, sizeof(buf), "%d", v & 0x7FFFFFFF);
		else if (s.dst.dtype == GK_I8 || s.dst.dtype == GK_I16)
			snprintf(buf, sizeof(buf), "%d",
			         v - (1 << (8 * size - 1)));
		else
			snprintf(buf, sizeof(buf), "%d", v);
	}
	gk_emit(g, false, "memSet%s(dst=%s, value=%s, dtype=%s)", e, s.dst.text,
	        value, gk_dtype_name[s.dst.dtype]);
	return true;
}

static bool iota(struct gk *g)
{
	char pairs[96] = "";
	struct shape s = {.w.four = false};
	size_t at = 0;
	int n;

	if (!destination(g, GK_DATA | GK(F32R), SBUF, &s))
		return false;
	n = s.w.n;
	for (int i = 0; i < 3 && n > 1; i++) {
		int f = rng_range(&g->r, 1, 5);

		if (n % f)
			continue;
		n /= f;
		at += (size_t)snprintf(pairs + at, sizeof(pairs) - at,
		                       "(%d,%d)", rng_range(&g->r, -40, 40), f);
	}
	snprintf(pairs + at, sizeof(pairs) - at, "(%d,%d)",
	         rng_range(&g->r, -3, 3), n);
	gk_emit(g, false, "iota(dst=%s, pattern=[%d; %s; %d]%s)", s.dst.text,
	        rng_range(&g->r, -1000, 1000), pairs, rng_range(&g->r, -9, 70),
	        dtype(g, &s.dst));
	return true;
}

/* ------------------------------------------------------------ one source */

static bool nc_copy(struct gk *g)
{
	unsigned memories;
	const char *e = engine(g, &memories);
	struct gk_ref a;
	struct shape s = {.w.four = true};

	if (!destination(g, GK_DATA | GK(F32R), memories, &s) ||
	    !source(g, &s, GK_DATA | GK(F32R), true, &a))
		return false;
	gk_emit(g, false, "ncCopy%s(dst=%s, src=%s%s)", e, s.dst.text, a.text,
	        dtype(g, &s.dst));
	return true;
}

static bool reciprocal(struct gk *g)
{
	struct gk_ref a;
	struct shape s = {.w.four = true};

	if (!destination(g, GK_DATA | GK(F32R), CHIP, &s) ||
	    !source(g, &s, GK_DATA, true, &a))
		return false;
	gk_emit(g, false, "reciprocal(dst=%s, src=%s%s)", s.dst.text, a.text,
	        dtype(g, &s.dst));
	return true;
}

static bool scalar(struct gk *g, struct shape *s, bool bit, char *buf,
                   size_t size)
{
	struct gk_ref r;
	char num[32];

	if (rng_chance(&g->r, 35) &&
	    pointer(g, s, bit ? same_size(s->dst.dtype) : GK(F32), &r))
		snprintf(buf, size, "%s", r.text);
	else
		snprintf(buf, size, "%s",
		         bit ? integer(g, num, sizeof(num))
		             : number(g, num, sizeof(num)));
	return true;
}

/* Shifts to both sides need elements of 4 bytes. */
static bool both_ways(const char *a, const char *b)
{
	bool left = strstr(a, "left") || strstr(b, "left");
	bool right = strstr(a, "right") || strstr(b, "right");

	return left && right;
}

static bool tensor_scalar(struct gk *g)
{
	static const char *const reverse[] = {"none", "first", "second",
	                                      "both"};
	bool bit = rng_chance(&g->r, 30);
	const char *op0, *op1 = NULL;
	char imm0[130], imm1[130];
	struct gk_ref a;
	struct shape s = {.w.four = false};

	if (!destination(g, bit ? GK_INTS : GK_DATA | GK(F32R), CHIP, &s) ||
	    !source(g, &s, bit ? 1u << s.dst.dtype : GK_DATA, true, &a))
		return false;
	op0 = bit ? PICK(g, bits) : PICK(g, arith);
	scalar(g, &s, bit, imm0, sizeof(imm0));
	if (rng_chance(&g->r, 45) && strcmp(op0, "bypass") != 0) {
		op1 = bit ? PICK(g, bits) : PICK(g, arith);
		scalar(g, &s, bit, imm1, sizeof(imm1));
		if (gk_dtype_size[s.dst.dtype] < 4 && both_ways(op0, op1))
			op1 = NULL;
	}
	if (op1)
		gk_emit(g, false,
		        "tensorScalar%s(dst=%s, src=%s, imm0=%s, op0=%s, "
		        "imm1=%s, op1=%s, reverse=%s%s)",
		        dve(g), s.dst.text, a.text, imm0, op0, imm1, op1,
		        PICK(g, reverse), dtype(g, &s.dst));
	else
		gk_emit(g, false,
		        "tensorScalar%s(dst=%s, src=%s, imm0=%s, op0=%s%s)",
		        dve(g), s.dst.text, a.text, imm0, op0,
		        rng_chance(&g->r, 30) ? ", reverse=first" : "");
	return true;
}

/* ------------------------------------------------------------ two sources */

static bool tensor_tensor(struct gk *g)
{
	bool bit = rng_chance(&g->r, 30);
	unsigned memories, d = GK_DATA;
	const char *e = engine(g, &memories);
	struct gk_ref a, b;
	struct shape s = {.w.four = false};

	if (!destination(g, bit ? GK_INTS : GK_DATA | GK(F32R), memories, &s))
		return false;
	if (bit)
		d = same_size(s.dst.dtype);
	if (!sources(g, &s, d, d, &a, &b))
		return false;
	gk_emit(g, false, "tensorTensor%s(dst=%s, src0=%s, src1=%s, op=%s%s)",
	        e, s.dst.text, a.text, b.text,
	        bit ? PICK(g, bits) : PICK(g, arith), dtype(g, &s.dst));
	return true;
}

/* A source that is a tensor, a pointer or a number. */
static bool choice(struct gk *g, struct shape *s, struct gk_ref *r, char *buf,
                   size_t size)
{
	char num[32];

	r->tensor = -1;
	if (rng_chance(&g->r, 30) && !(GK_FP8 >> s->dst.dtype & 1)) {
		if (GK_INTS >> s->dst.dtype & 1)
			snprintf(buf, size, "%d", rng_range(&g->r, 0, 127));
		else
			snprintf(buf, size, "%s", number(g, num, sizeof(num)));
		return true;
	}
	if (rng_chance(&g->r, 20) ? !pointer(g, s, 1u << s->dst.dtype, r)
	                          : !source(g, s, GK_DATA, true, r))
		return false;
	snprintf(buf, size, "%s", r->text);
	return true;
}

static bool copy_predicated(struct gk *g)
{
	char src[130];
	struct gk_ref m, r;
	struct shape s = {.w.four = false};

	if (!destination(g, GK_DATA, CHIP, &s) ||
	    !source(g, &s, GK_INTS, false, &m))
		return false;
	beside(g, &s.w, &m);
	if (!choice(g, &s, &r, src, sizeof(src)))
		return false;
	gk_emit(g, false, "copyPredicated(dst=%s, src=%s, predicate=%s%s%s)",
	        s.dst.text, src, m.text,
	        r.tensor < 0 && rng_chance(&g->r, 40) ? ", reversePred=true"
	                                              : "",
	        dtype(g, &s.dst));
	return true;
}

static bool select(struct gk *g)
{
	char on[130], off[130];
	struct gk_ref m, r;
	struct shape s = {.w.four = false};

	if (!destination(g, GK_DATA, CHIP, &s))
		return false;
	s.w.memories = SBUF;
	if (!source(g, &s, GK_INTS, false, &m))
		return false;
	s.w.memories = CHIP;
	beside(g, &s.w, &m);
	if (!choice(g, &s, &r, on, sizeof(on)))
		return false;
	s.w.start = -1;
	s.w.memories = CHIP;
	if (!choice(g, &s, &r, off, sizeof(off)))
		return false;
	/* a mask of select is 0 or 1 */
	gk_emit(g, false,
	        "tensorScalar(dst=%s, src=%s, imm0=1, op0=bitwise_and)", m.text,
	        m.text);
	gk_emit(g, false,
	        "select%s(dst=%s, predicate=%s, onTrue=%s, onFalse=%s)", dve(g),
	        s.dst.text, m.text, on, off);
	return true;
}

/* ------------------------------------------------------------ folds */

/* A source of one to four axes, the last ones folded. */
static bool tensor_reduce(struct gk *g)
{
	static const char *const dims[] = {"X", "XY", "XYZ", "XYZW"};
	bool bit = rng_chance(&g->r, 25),
	     negated = !bit && rng_chance(&g->r, 25);
	int naxes = rng_range(&g->r, 1, GK_AXES), nfold;
	unsigned d = GK_DATA;
	struct gk_ref a;
	struct shape s = {.w.n = 1};

	nfold = rng_range(&g->r, 1, naxes);
	s.w.dtypes = bit ? GK_INTS : GK_DATA | GK(F32R);
	s.w.memories = CHIP;
	s.w.start = -1;
	s.w.parts = g->tensor[rng_below(&g->r, g->ntensors)].parts;
	s.w.dst = true;
	for (int i = 0; i < naxes; i++) {
		s.w.axis[i] = rng_range(&g->r, 1, naxes > 2 ? 3 : 6);
		if (i < naxes - nfold)
			s.w.n *= s.w.axis[i];
	}
	if (!gk_make(g, &s.w, &s.dst))
		return false;
	if (bit)
		d = same_size(s.dst.dtype);
	s.w.dst = false;
	s.w.other = &s.dst;
	s.w.naxes = naxes;
	if (!source(g, &s, d, false, &a))
		return false;
	gk_emit(
	    g, false, "tensorReduce(dst=%s, src=%s, op=%s, opDim=%s%s%s)",
	    s.dst.text, a.text, bit ? bits[rng_below(&g->r, 3)] : PICK(g, fold),
	    dims[nfold - 1], negated ? ", negated=true" : "", dtype(g, &s.dst));
	return true;
}

/* ------------------------------------------------------------ searches */

static bool eight(struct gk *g, struct gk_wish w, unsigned dtypes, bool dst,
                  struct gk_ref *r)
{
	w.dtypes = dtypes;
	w.n = 8;
	w.naxes = 1;
	w.axis[0] = 8;
	w.dst = dst;
	return gk_make(g, &w, r);
}

static bool search(struct gk *g)
{
	struct gk_ref src, vals, at, dst;
	struct gk_wish w = {.dtypes = GK_NARROW, .memories = CHIP};
	int kind = rng_below(&g->r, 3);
	char num[32];

	some_shape(g, &w);
	if (w.n < 8)
		w.n = 8;
	if (!gk_make(g, &w, &src))
		return false;
	w.other = &src;
	w.start = g->tensor[src.tensor].base + src.start;
	if (!eight(g, w, GK_NARROW, kind == 0, &vals))
		return false;
	if (kind == 0) {
		gk_emit(g, false, "max8(dst=%s, src=%s%s)", vals.text, src.text,
		        dtype(g, &vals));
		if (rng_chance(&g->r, 50))
			return true;
	}
	if (kind == 1) {
		if (!eight(g, w, GK(U16) | GK(U32), true, &at) ||
		    at.tensor == vals.tensor)
			return false;
		gk_emit(g, false, "findIndex8(dst=%s, src=%s, vals=%s%s)",
		        at.text, src.text, vals.text, dtype(g, &at));
		return true;
	}
	w.dtypes = 1u << src.dtype;
	w.dst = true;
	if (!gk_make(g, &w, &dst) || dst.tensor == vals.tensor ||
	    dst.dtype != src.dtype)
		return false;
	if (strchr(vals.text, '+') && kind == 0)
		return true; /* its address registers may have moved on */
	gk_emit(g, false,
	        "matchReplace8(dst=%s, src=%s, vals=%s, replaceValue=%s)",
	        dst.text, src.text, vals.text, number(g, num, sizeof(num)));
	return true;
}

bool gk_vector(struct gk *g)
{
	static bool (*const make[])(struct gk *) = {
	    mem_set,         iota,          nc_copy,       nc_copy,
	    reciprocal,      tensor_scalar, tensor_scalar, tensor_tensor,
	    tensor_tensor,   select,        tensor_reduce, search,
	    copy_predicated, tensor_scalar, tensor_tensor, tensor_reduce};

	return PICK(g, make)(g);
}
