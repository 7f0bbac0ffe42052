/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of single operators: dtypes, element counts, start partitions,
 * memories, engines, ALU operations.  Only of operators that the compiler
 * builds; the others are refused by klr_lower().
 *
 * The rules are those of the engines: docs/reference/opcodes.md; the legal
 * start partitions and counts are the published ones.
 */
#include "compiler/klr/internal.h"

#include <inttypes.h>
#include <string.h>

/* Sets of dtypes, as bits of KLR's numbers. */
#define FLOATS                                                       \
	(1u << 0 | 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 5 | \
	 1u << 15 | 1u << 16)
#define INT32S (1u << 10 | 1u << 13)
#define INTS (1u << 7 | 1u << 8 | 1u << 11 | 1u << 12 | INT32S)
#define DP (FLOATS | INTS)
#define F32R (1u << 6)
#define NARROW (DP & ~INT32S)
#define F32 (1u << 5)
#define INDEX (1u << 13 | 1u << 12)
#define SCALARS (INTS | F32)
#define SIZED (DP | F32R)

struct ctx {
	struct klr_checker *c;
	const struct klr_stmt *s;
	const char *op;
};

static const struct klr_value *value(const struct ctx *x, const char *name)
{
	int i = klr_field_index(x->s->op, name);

	return i < 0 ? NULL : &x->s->value[i];
}

/* The reference in an operand, or NULL. */
static const struct klr_ref *ref(const struct ctx *x, const char *name)
{
	const struct klr_value *v = value(x, name);

	return v && v->kind == KLR_V_REF ? v->ref : NULL;
}

/* View of an operand that has one; false: leave the rest to the lowering. */
static bool view(const struct ctx *x, const char *name, struct klr_view *v)
{
	const struct klr_ref *r = ref(x, name);

	if (x->c->rep.failed || !r || !r->tensor || r->access == KLR_A_AXES ||
	    r->access == KLR_A_RAW)
		return false;
	klr_view(r, v);
	return true;
}

static struct klr_pos pos_of(const struct ctx *x, const char *name)
{
	const struct klr_value *v = value(x, name);

	return v && v->pos.line ? v->pos : x->s->pos;
}

/* ------------------------------------------------------------ operands */

static void start_rule(const struct ctx *x, const char *name,
                       const struct klr_view *v)
{
	int64_t unit = v->parts > 64 ? 128 : v->parts > 32 ? 64 : 32;

	if (ref(x, name)->terms)
		return; /* decided at run time */
	if (v->start % unit)
		klr_error_at(&x->c->rep, pos_of(x, name), KLR_E_START,
		             "%s of %s: %" PRId64 " partitions begin at "
		             "%" PRId64 "; %s",
		             name, x->op, v->parts, v->start,
		             unit == 128  ? "more than 64 begin at 0"
		             : unit == 64 ? "33 to 64 begin at 0 or 64"
		                          : "32 or fewer begin at 0, 32, 64 "
		                            "or 96");
}

static void engine_rule(const struct ctx *x, unsigned allowed)
{
	const struct klr_value *v = value(x, "engine");
	char names[64] = "";

	if (!v || !v->i || allowed >> v->i & 1)
		return;
	for (int i = 1; i <= 6; i++)
		if (allowed >> i & 1) {
			strcat(names, *names ? " or @" : "@");
			strcat(names, klr_enum_word(KLR_G_ENGINE, i));
		}
	klr_error_at(&x->c->rep, v->pos, KLR_E_ENGINE,
	             "%s does not run on %s; write %s", x->op,
	             klr_enum_word(KLR_G_ENGINE, v->i), names);
}

static bool on_pool(const struct ctx *x)
{
	const struct klr_value *v = value(x, "engine");

	return x->s->op == KLR_OP_iota || (v && v->i == 5);
}

/* An on-chip operand of a vector op with a dtype of the set. */
static void vector_operand(const struct ctx *x, const char *name, unsigned set)
{
	struct klr_view v;
	const struct klr_ref *r = ref(x, name);
	struct klr_pos pos = pos_of(x, name);
	bool dst = !strcmp(name, "dst");

	if (!view(x, name, &v))
		return;
	if (!klr_on_chip(r->tensor))
		klr_error_at(&x->c->rep, pos, KLR_E_MEMORY,
		             "%s of %s is in DRAM, which engines do not "
		             "reach; copy it to SBUF with ncDmaCopy",
		             name, x->op);
	else if (r->tensor->memory == KLR_PSUM && on_pool(x))
		klr_error_at(&x->c->rep, pos, KLR_E_MEMORY,
		             "%s of %s is in PSUM, which POOL does not "
		             "reach; use SBUF",
		             name, x->op);
	else if (!(set >> v.dtype & 1))
		klr_error_at(&x->c->rep, pos, KLR_E_DTYPE,
		             "%s of %s cannot be %s; cast it with ncCopy", name,
		             x->op, klr_enum_word(KLR_G_DTYPE, v.dtype));
	else if (dst && r->tensor->memory == KLR_PSUM && v.size != 4)
		klr_error_at(&x->c->rep, pos, KLR_E_DTYPE,
		             "PSUM is written in 4-byte elements, not in %s",
		             klr_enum_word(KLR_G_DTYPE, v.dtype));
	for (int i = 1; i < v.npairs && !x->c->rep.failed; i++)
		if (v.pair[i].num > 1 &&
		    (v.pair[i].num > UINT16_MAX || v.pair[i].step > INT16_MAX ||
		     v.pair[i].step < INT16_MIN))
			klr_error_at(&x->c->rep, pos, KLR_E_PATTERN,
			             "%s of %s: pair (%" PRId64 ",%" PRId64
			             ") does not fit into a descriptor; steps "
			             "have 16 bits with sign, counts 16",
			             name, x->op, v.pair[i].step,
			             v.pair[i].num);
	if (!x->c->rep.failed)
		start_rule(x, name, &v);
}

static void same_count(const struct ctx *x, const char *a, const char *b)
{
	struct klr_view va, vb;

	if (!view(x, a, &va) || !view(x, b, &vb))
		return;
	if (va.parts != vb.parts || va.free != vb.free)
		klr_error_at(&x->c->rep, pos_of(x, b), KLR_E_SHAPE,
		             "%s of %s has %" PRId64 "x%" PRId64
		             " elements, %s has %" PRId64 "x%" PRId64
		             "; they must be equal",
		             b, x->op, vb.parts, vb.free, a, va.parts, va.free);
}

static void has_count(const struct ctx *x, const char *name, int64_t lo,
                      int64_t hi)
{
	struct klr_view v;

	if (!view(x, name, &v) || (v.free >= lo && v.free <= hi))
		return;
	if (lo == hi)
		klr_error_at(&x->c->rep, pos_of(x, name), KLR_E_SHAPE,
		             "%s of %s has %" PRId64 " elements a partition; "
		             "it needs %" PRId64,
		             name, x->op, v.free, lo);
	else
		klr_error_at(&x->c->rep, pos_of(x, name), KLR_E_SHAPE,
		             "%s of %s has %" PRId64 " elements a partition; "
		             "%" PRId64 " to %" PRId64 " are possible",
		             name, x->op, v.free, lo, hi);
}

static void same_parts(const struct ctx *x, const char *a, const char *b)
{
	struct klr_view va, vb;

	if (view(x, a, &va) && view(x, b, &vb) && va.parts != vb.parts)
		klr_error_at(&x->c->rep, pos_of(x, b), KLR_E_SHAPE,
		             "%s of %s has %" PRId64 " partitions, %s has "
		             "%" PRId64,
		             b, x->op, vb.parts, a, va.parts);
}

static void same_dtype(const struct ctx *x, const char *a, const char *b)
{
	struct klr_view va, vb;

	if (view(x, a, &va) && view(x, b, &vb) && va.dtype != vb.dtype)
		klr_error_at(&x->c->rep, pos_of(x, b), KLR_E_DTYPE,
		             "%s of %s is %s, %s is %s; they must be equal", b,
		             x->op, klr_enum_word(KLR_G_DTYPE, vb.dtype), a,
		             klr_enum_word(KLR_G_DTYPE, va.dtype));
}

static void same_size(const struct ctx *x, const char *a, const char *b)
{
	struct klr_view va, vb;

	if (view(x, a, &va) && view(x, b, &vb) && va.size != vb.size)
		klr_error_at(&x->c->rep, pos_of(x, b), KLR_E_DTYPE,
		             "%s of %s has %d-byte elements, %s has %d-byte "
		             "ones; they must be equal",
		             b, x->op, vb.size, a, va.size);
}

/* The dtype operand says what dst has. */
static void dtype_operand(const struct ctx *x)
{
	const struct klr_value *d = value(x, "dtype");
	struct klr_view v;

	if (d && d->kind == KLR_V_ENUM && view(x, "dst", &v) && d->i != v.dtype)
		klr_error_at(&x->c->rep, d->pos, KLR_E_DTYPE,
		             "dtype of %s is %s, dst is %s; write the "
		             "same or remove dtype",
		             x->op, klr_enum_word(KLR_G_DTYPE, d->i),
		             klr_enum_word(KLR_G_DTYPE, v.dtype));
}

/* A scalar: immediate, or [P,1] beside data. */
static void scalar(const struct ctx *x, const char *name, const char *data,
                   unsigned set)
{
	const struct klr_value *v = value(x, name);
	bool arith = set == F32;

	if (!v || v->kind == KLR_V_NONE || x->c->rep.failed)
		return;
	if (v->kind == KLR_V_REF) {
		vector_operand(x, name, set);
		has_count(x, name, 1, 1);
		same_parts(x, data, name);
		return;
	}
	if (v->kind != KLR_V_INT && v->kind != KLR_V_FLOAT)
		klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
		             "%s of %s is a number or a tensor of one element "
		             "a partition",
		             name, x->op);
	else if (arith && v->kind == KLR_V_INT)
		klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
		             "%s of %s is float32; write %" PRId64 ".0", name,
		             x->op, v->i);
	else if (!arith && v->kind == KLR_V_FLOAT)
		klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
		             "%s of a bit operation is an integer", name);
}

/* Two sources: not both in PSUM, in one quadrant of SBUF. */
static void two_sources(const struct ctx *x, const char *a, const char *b)
{
	struct klr_view va, vb;
	const struct klr_ref *ra = ref(x, a), *rb = ref(x, b);

	if (!view(x, a, &va) || !view(x, b, &vb))
		return;
	if (ra->tensor->memory == KLR_PSUM && rb->tensor->memory == KLR_PSUM)
		klr_error_at(&x->c->rep, pos_of(x, b), KLR_E_MEMORY,
		             "both sources of %s are in PSUM; copy one to SBUF",
		             x->op);
	else if (ra->tensor->memory == rb->tensor->memory && !ra->terms &&
	         !rb->terms && va.start / 32 != vb.start / 32)
		klr_error_at(&x->c->rep, pos_of(x, b), KLR_E_START,
		             "sources of %s begin at partitions %" PRId64
		             " and %" PRId64 "; both must be in one quadrant "
		             "of 32",
		             x->op, va.start, vb.start);
}

/* ------------------------------------------------------------ ALU */

static bool bit_alu(int64_t op)
{
	return op == 2 || op == 3 || (op >= 5 && op <= 8) || op == 18 ||
	       op == 19;
}

#define ALU_AVERAGE 4
#define ALU_BYPASS 9

static const char *alu_word(const struct klr_value *v)
{
	return klr_enum_word(KLR_G_ALU, v->i);
}

static void check_alu(const struct ctx *x, const struct klr_value *v)
{
	if (v->kind == KLR_V_ENUM && v->i == ALU_AVERAGE)
		klr_error_at(&x->c->rep, v->pos, KLR_E_ALU,
		             "average is no operation of %s; add, then "
		             "multiply by 1/n",
		             x->op);
}

/* The two operations of tensorScalar are of one class. */
static void two_alus(const struct ctx *x, const struct klr_value *a,
                     const struct klr_value *b)
{
	const struct klr_value *imm1 = value(x, "imm1");

	check_alu(x, a);
	check_alu(x, b);
	if ((b->kind == KLR_V_NONE) != (imm1->kind == KLR_V_NONE))
		klr_error_at(&x->c->rep, x->s->pos, KLR_E_OPERAND,
		             "op1 and imm1 come together; add or remove one");
	else if (b->kind == KLR_V_ENUM && b->i != ALU_BYPASS &&
	         (bit_alu(a->i) != bit_alu(b->i) || a->i == ALU_BYPASS))
		klr_error_at(&x->c->rep, b->pos, KLR_E_ALU,
		             "%s and %s are no pair; both must be arithmetic "
		             "or both bit operations, and bypass comes last",
		             alu_word(a), alu_word(b));
}

/* ------------------------------------------------------------ rules */

#define DVE (1u << 3)
#define POOL (1u << 5)

static void tensor_tensor(const struct ctx *x)
{
	const struct klr_value *op = value(x, "op");
	bool bits = bit_alu(op->i);

	check_alu(x, op);
	vector_operand(x, "src0", bits ? INTS : DP);
	vector_operand(x, "src1", bits ? INTS : DP);
	vector_operand(x, "dst", bits ? INTS : DP | F32R);
	same_count(x, "dst", "src0");
	same_count(x, "dst", "src1");
	if (bits) {
		same_size(x, "dst", "src0");
		same_size(x, "dst", "src1");
	}
	two_sources(x, "src0", "src1");
}

static void tensor_scalar(const struct ctx *x)
{
	const struct klr_value *op0 = value(x, "op0");
	bool bits = bit_alu(op0->i);

	two_alus(x, op0, value(x, "op1"));
	vector_operand(x, "src", bits ? INTS : DP);
	vector_operand(x, "dst", bits ? INTS : DP | F32R);
	same_count(x, "dst", "src");
	if (bits)
		same_dtype(x, "dst", "src");
	scalar(x, "imm0", "src", bits ? INTS : F32);
	scalar(x, "imm1", "src", bits ? INTS : F32);
}

static void tensor_reduce(const struct ctx *x)
{
	static const char reduce[] = {1, 28, 24, 21, 22, 16, 17, 20, 5, 7, 8};
	const struct klr_value *op = value(x, "op");
	bool bits = bit_alu(op->i);
	struct klr_view src, dst;
	int64_t fold = 1;
	int dims = 1 + (int)value(x, "opDim")->i;

	if (!memchr(reduce, (int)op->i, sizeof(reduce)))
		klr_error_at(&x->c->rep, op->pos, KLR_E_ALU,
		             "%s is no reduction; there are add, subtract, "
		             "mult, max, min, logical_and/or/xor, "
		             "bitwise_and/or/xor",
		             alu_word(op));
	else if (bits && value(x, "negated")->i)
		klr_error_at(&x->c->rep, op->pos, KLR_E_ALU,
		             "bits cannot be negated; remove negated");
	vector_operand(x, "src", bits ? INTS : DP);
	vector_operand(x, "dst", bits ? INTS : DP | F32R);
	same_parts(x, "src", "dst");
	if (bits)
		same_size(x, "src", "dst");
	if (!view(x, "src", &src) || !view(x, "dst", &dst))
		return;
	if (dims >= src.npairs)
		klr_error_at(&x->c->rep, pos_of(x, "opDim"), KLR_E_SHAPE,
		             "%d axes of a src that has %d free ones", dims,
		             src.npairs - 1);
	for (int i = 0; i < dims && i < src.npairs; i++)
		fold *= src.pair[src.npairs - 1 - i].num;
	if (!x->c->rep.failed && src.free != fold * dst.free)
		klr_error_at(&x->c->rep, pos_of(x, "dst"), KLR_E_SHAPE,
		             "dst of %s has %" PRId64 " elements a partition; "
		             "%" PRId64 " folded by %" PRId64 " give %" PRId64,
		             x->op, dst.free, src.free, fold, src.free / fold);
}

static void nc_copy(const struct ctx *x)
{
	vector_operand(x, "src", SIZED);
	vector_operand(x, "dst", SIZED);
	same_count(x, "dst", "src");
	engine_rule(x, DVE | POOL);
}

static void reciprocal(const struct ctx *x)
{
	vector_operand(x, "src", DP);
	vector_operand(x, "dst", DP | F32R);
	same_count(x, "dst", "src");
}

static void fits_integer(const struct ctx *x, const struct klr_value *v,
                         const struct klr_view *dst)
{
	bool with_sign = dst->dtype == 7 || dst->dtype == 8 || dst->dtype == 10;
	int64_t all = (int64_t)1 << 8 * dst->size;
	int64_t lo = with_sign ? -all / 2 : 0;

	if (v->kind == KLR_V_FLOAT)
		klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
		             "dst of memSet has integers; write one");
	else if (v->i < lo || v->i >= lo + all)
		klr_error_at(&x->c->rep, v->pos, KLR_E_RANGE,
		             "%" PRId64 " does not fit into %s", v->i,
		             klr_enum_word(KLR_G_DTYPE, dst->dtype));
}

static void mem_set(const struct ctx *x)
{
	const struct klr_value *v = value(x, "value");
	struct klr_view dst;

	vector_operand(x, "dst", SIZED);
	if (v->kind != KLR_V_INT && v->kind != KLR_V_FLOAT)
		klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
		             "value of memSet is a number");
	else if (view(x, "dst", &dst) && INTS >> dst.dtype & 1)
		fits_integer(x, v, &dst);
	engine_rule(x, DVE | POOL);
}

static void iota(const struct ctx *x)
{
	const struct klr_ramp *r = value(x, "pattern")->ramp;
	struct klr_pos pos = pos_of(x, "pattern");
	struct klr_view dst;
	int64_t n = 1;

	vector_operand(x, "dst", DP | F32R);
	if (x->c->rep.failed)
		return;
	if (r->npairs > 4 || r->offset < INT32_MIN || r->offset > INT32_MAX ||
	    r->multiplier < INT32_MIN || r->multiplier > INT32_MAX)
		klr_error_at(&x->c->rep, pos, KLR_E_PATTERN,
		             "ramp of %d pairs; 4 are possible, offset and "
		             "multiplier have 32 bits",
		             r->npairs);
	for (int i = 0; i < r->npairs && !x->c->rep.failed; i++) {
		if (r->pair[i].num < 1 || r->pair[i].num > UINT16_MAX ||
		    r->pair[i].step < INT16_MIN || r->pair[i].step > INT16_MAX)
			klr_error_at(&x->c->rep, pos, KLR_E_PATTERN,
			             "pair %d of the ramp; steps have 16 bits "
			             "with sign, counts are 1 to 65535",
			             i);
		else
			n = n > (1 << 20) ? n : n * r->pair[i].num;
	}
	if (view(x, "dst", &dst) && dst.free != n)
		klr_error_at(&x->c->rep, pos, KLR_E_SHAPE,
		             "ramp of %" PRId64 " values for %" PRId64
		             " elements a partition",
		             n, dst.free);
}

static void search(const struct ctx *x)
{
	const struct klr_value *v = value(x, "replaceValue");
	bool find = x->s->op == KLR_OP_findIndex8;
	bool max = x->s->op == KLR_OP_max8;

	vector_operand(x, "src", NARROW);
	has_count(x, "src", 8, 16384);
	vector_operand(x, "dst", find ? INDEX : max ? NARROW | F32R : NARROW);
	same_parts(x, "src", "dst");
	if (!max) {
		vector_operand(x, "vals", NARROW);
		has_count(x, "vals", 8, 8);
		same_parts(x, "src", "vals");
	}
	if (v) {
		same_count(x, "src", "dst");
		same_dtype(x, "src", "dst");
		vector_operand(x, "dstIdx", INDEX);
		has_count(x, "dstIdx", 8, 8);
		if (v->kind != KLR_V_FLOAT)
			klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
			             "replaceValue is a float32; write 0.0 or "
			             "-inf");
	} else {
		has_count(x, "dst", 8, 8);
	}
}

/* One side of a choice: a tensor like dst, one element a partition, or a
 * number. */
static void choice(const struct ctx *x, const char *name)
{
	const struct klr_value *v = value(x, name);
	struct klr_view view_of;

	if (v->kind != KLR_V_REF) {
		if (v->kind != KLR_V_INT && v->kind != KLR_V_FLOAT)
			klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
			             "%s of %s is a number or a tensor", name,
			             x->op);
		return;
	}
	vector_operand(x, name, DP);
	if (view(x, name, &view_of) && view_of.free == 1)
		same_parts(x, "dst", name);
	else
		same_count(x, "dst", name);
}

static void predicated(const struct ctx *x)
{
	const struct klr_value *rev = value(x, "reversePred");
	const struct klr_value *src = value(x, "src");

	vector_operand(x, "dst", DP);
	vector_operand(x, "predicate", INTS);
	same_count(x, "dst", "predicate");
	if (x->s->op == KLR_OP_select) {
		choice(x, "onTrue");
		choice(x, "onFalse");
		two_sources(x, "predicate", "onTrue");
		engine_rule(x, DVE);
		return;
	}
	choice(x, "src");
	two_sources(x, "predicate", "src");
	if (rev->i && src->kind == KLR_V_REF)
		klr_error_at(&x->c->rep, rev->pos, KLR_E_OPERAND,
		             "reversePred needs a scalar src; swap the "
		             "operands, or invert the mask");
}

/* All elements, whatever the shape. */
static void dma_copy(const struct ctx *x)
{
	const struct klr_value *e = value(x, "engine");
	int64_t mode = value(x, "dgeMode")->i;
	struct klr_view src, dst;

	if (mode < 0 || mode > 3)
		klr_error_at(&x->c->rep, pos_of(x, "dgeMode"), KLR_E_RANGE,
		             "dgeMode %" PRId64 "; there are 0 unknown, "
		             "1 software, 2 hardware, 3 none",
		             mode);
	else if (e->i && e->i != 2 &&
	         !(mode == 2 && (e->i == 1 || e->i == 3 || e->i == 6)) &&
	         !(mode == 1 && e->i == 5))
		klr_error_at(&x->c->rep, e->pos, KLR_E_ENGINE,
		             "a DMA names @act, @dve or @sp with dgeMode=2, "
		             "@pool with dgeMode=1, else none");
	if (!view(x, "src", &src) || !view(x, "dst", &dst))
		return;
	if (src.dtype != dst.dtype && src.size != dst.size)
		klr_error_at(&x->c->rep, pos_of(x, "src"), KLR_E_DTYPE,
		             "a DMA copies bytes: src is %s, dst is %s; cast "
		             "with ncCopy",
		             klr_enum_word(KLR_G_DTYPE, src.dtype),
		             klr_enum_word(KLR_G_DTYPE, dst.dtype));
	else if (src.count != dst.count)
		klr_error_at(&x->c->rep, pos_of(x, "src"), KLR_E_SHAPE,
		             "src of %s has %" PRId64 " elements, dst has "
		             "%" PRId64 "; they must be equal",
		             x->op, src.count, dst.count);
}

static void load_store(const struct ctx *x, const char *name)
{
	struct klr_view v;

	if (!view(x, name, &v))
		return;
	if (v.count != 1)
		klr_error_at(&x->c->rep, pos_of(x, name), KLR_E_SHAPE,
		             "%s moves one element, not %" PRId64
		             "; write an index, %s[0, 0]",
		             x->op, v.count, ref(x, name)->name);
	else if (!(SCALARS >> v.dtype & 1))
		klr_error_at(&x->c->rep, pos_of(x, name), KLR_E_DTYPE,
		             "%s moves integers and float32 of 32 bits or "
		             "fewer, not %s",
		             x->op, klr_enum_word(KLR_G_DTYPE, v.dtype));
	else if (x->s->op == KLR_OP_tensorStore &&
	         ref(x, name)->tensor->memory == KLR_PSUM)
		klr_error_at(&x->c->rep, pos_of(x, name), KLR_E_MEMORY,
		             "tensorStore does not reach PSUM; store to SBUF "
		             "or hbm");
}

void klr_check_op(struct klr_checker *c, const struct klr_stmt *s)
{
	struct ctx x = {c, s, klr_op_info(s->op)->name};

	switch (s->op) {
	case KLR_OP_tensorTensor:
		tensor_tensor(&x);
		engine_rule(&x, DVE | POOL);
		break;
	case KLR_OP_tensorScalar:
		tensor_scalar(&x);
		engine_rule(&x, DVE);
		break;
	case KLR_OP_tensorReduce: tensor_reduce(&x); break;
	case KLR_OP_ncCopy: nc_copy(&x); break;
	case KLR_OP_reciprocal: reciprocal(&x); break;
	case KLR_OP_memSet: mem_set(&x); break;
	case KLR_OP_iota: iota(&x); break;
	case KLR_OP_max8:
	case KLR_OP_findIndex8:
	case KLR_OP_matchReplace8: search(&x); break;
	case KLR_OP_copyPredicated:
	case KLR_OP_select: predicated(&x); break;
	case KLR_OP_ncDmaCopy: dma_copy(&x); return;
	case KLR_OP_tensorLoad: load_store(&x, "src"); return;
	case KLR_OP_tensorStore: load_store(&x, "dst"); return;
	case KLR_OP_registerAluOp: check_alu(&x, value(&x, "op")); return;
	default: return;
	}
	dtype_operand(&x);
}
