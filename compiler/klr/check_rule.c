/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules that operators share (check_rule.h).
 *
 * The rules are those of the engines: docs/reference/opcodes.md; the legal
 * start partitions and counts are the published ones.
 */
#include "compiler/klr/check_rule.h"

#include <inttypes.h>
#include <string.h>

const struct klr_value *klr_rule_value(const struct klr_rule *x,
                                       const char *name)
{
	int i = klr_field_index(x->s->op, name);

	return i < 0 ? NULL : &x->s->value[i];
}

/* The reference in an operand, or NULL. */
const struct klr_ref *klr_rule_ref(const struct klr_rule *x, const char *name)
{
	const struct klr_value *v = klr_rule_value(x, name);

	return v && v->kind == KLR_V_REF ? v->ref : NULL;
}

/* View of an operand that has one; false: leave the rest to the lowering. */
bool klr_rule_view(const struct klr_rule *x, const char *name,
                   struct klr_view *v)
{
	const struct klr_ref *r = klr_rule_ref(x, name);

	if (x->c->rep.failed || !r || !r->tensor || r->access == KLR_A_AXES ||
	    r->access == KLR_A_RAW)
		return false;
	klr_view(r, v);
	return true;
}

struct klr_pos klr_rule_pos(const struct klr_rule *x, const char *name)
{
	const struct klr_value *v = klr_rule_value(x, name);

	return v && v->pos.line ? v->pos : x->s->pos;
}

/* ------------------------------------------------------------ operands */

static void start_rule(const struct klr_rule *x, const char *name,
                       const struct klr_view *v)
{
	int64_t unit = v->parts > 64 ? 128 : v->parts > 32 ? 64 : 32;

	if (klr_rule_ref(x, name)->terms)
		return; /* decided at run time */
	if (v->start % unit)
		klr_error_at(&x->c->rep, klr_rule_pos(x, name), KLR_E_START,
		             "%s of %s: %" PRId64 " partitions begin at "
		             "%" PRId64 "; %s",
		             name, x->op, v->parts, v->start,
		             unit == 128  ? "more than 64 begin at 0"
		             : unit == 64 ? "33 to 64 begin at 0 or 64"
		                          : "32 or fewer begin at 0, 32, 64 "
		                            "or 96");
}

void klr_rule_engine(const struct klr_rule *x, unsigned allowed)
{
	const struct klr_value *v = klr_rule_value(x, "engine");
	char names[64] = "";

	if (!v || !v->i || allowed >> v->i & 1)
		return;
	for (int i = 1; i <= KLR_ENGINE_sp; i++)
		if (allowed >> i & 1) {
			strcat(names, *names ? " or @" : "@");
			strcat(names, klr_enum_word(KLR_G_ENGINE, i));
		}
	klr_error_at(&x->c->rep, v->pos, KLR_E_ENGINE,
	             "%s does not run on %s; write %s", x->op,
	             klr_enum_word(KLR_G_ENGINE, v->i), names);
}

static bool on_pool(const struct klr_rule *x)
{
	const struct klr_value *v = klr_rule_value(x, "engine");

	return x->s->op == KLR_OP_iota || (v && v->i == KLR_ENGINE_pool);
}

/* An on-chip operand of a vector op with a dtype of the set. */
void klr_rule_vector(const struct klr_rule *x, const char *name, unsigned set)
{
	struct klr_view v;
	const struct klr_ref *r = klr_rule_ref(x, name);
	struct klr_pos pos = klr_rule_pos(x, name);
	bool dst = !strcmp(name, "dst");

	if (!klr_rule_view(x, name, &v))
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
		             "PSUM is written in 4-byte elements, not in %s; "
		             "use float32 or int32",
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

void klr_rule_same_count(const struct klr_rule *x, const char *a, const char *b)
{
	struct klr_view va, vb;

	if (!klr_rule_view(x, a, &va) || !klr_rule_view(x, b, &vb))
		return;
	if (va.parts != vb.parts || va.free != vb.free)
		klr_error_at(&x->c->rep, klr_rule_pos(x, b), KLR_E_SHAPE,
		             "%s of %s has %" PRId64 "x%" PRId64
		             " elements, %s has %" PRId64 "x%" PRId64
		             "; they must be equal",
		             b, x->op, vb.parts, vb.free, a, va.parts, va.free);
}

void klr_rule_has_count(const struct klr_rule *x, const char *name, int64_t lo,
                        int64_t hi)
{
	struct klr_view v;

	if (!klr_rule_view(x, name, &v) || (v.free >= lo && v.free <= hi))
		return;
	if (lo == hi)
		klr_error_at(&x->c->rep, klr_rule_pos(x, name), KLR_E_SHAPE,
		             "%s of %s has %" PRId64 " elements a partition; "
		             "it needs %" PRId64,
		             name, x->op, v.free, lo);
	else
		klr_error_at(&x->c->rep, klr_rule_pos(x, name), KLR_E_SHAPE,
		             "%s of %s has %" PRId64 " elements a partition; "
		             "%" PRId64 " to %" PRId64 " are possible",
		             name, x->op, v.free, lo, hi);
}

void klr_rule_same_parts(const struct klr_rule *x, const char *a, const char *b)
{
	struct klr_view va, vb;

	if (klr_rule_view(x, a, &va) && klr_rule_view(x, b, &vb) &&
	    va.parts != vb.parts)
		klr_error_at(&x->c->rep, klr_rule_pos(x, b), KLR_E_SHAPE,
		             "%s of %s has %" PRId64 " partitions, %s has "
		             "%" PRId64 "; they must be equal",
		             b, x->op, vb.parts, a, va.parts);
}

void klr_rule_same_dtype(const struct klr_rule *x, const char *a, const char *b)
{
	struct klr_view va, vb;

	if (klr_rule_view(x, a, &va) && klr_rule_view(x, b, &vb) &&
	    va.dtype != vb.dtype)
		klr_error_at(&x->c->rep, klr_rule_pos(x, b), KLR_E_DTYPE,
		             "%s of %s is %s, %s is %s; they must be equal", b,
		             x->op, klr_enum_word(KLR_G_DTYPE, vb.dtype), a,
		             klr_enum_word(KLR_G_DTYPE, va.dtype));
}

void klr_rule_same_size(const struct klr_rule *x, const char *a, const char *b)
{
	struct klr_view va, vb;

	if (klr_rule_view(x, a, &va) && klr_rule_view(x, b, &vb) &&
	    va.size != vb.size)
		klr_error_at(&x->c->rep, klr_rule_pos(x, b), KLR_E_DTYPE,
		             "%s of %s has %d-byte elements, %s has %d-byte "
		             "ones; they must be equal",
		             b, x->op, vb.size, a, va.size);
}

/* The dtype operand says what dst has. */
void klr_rule_dtype(const struct klr_rule *x)
{
	const struct klr_value *d = klr_rule_value(x, "dtype");
	struct klr_view v;

	if (d && d->kind == KLR_V_ENUM && klr_rule_view(x, "dst", &v) &&
	    d->i != v.dtype)
		klr_error_at(&x->c->rep, d->pos, KLR_E_DTYPE,
		             "dtype of %s is %s, dst is %s; write the "
		             "same or remove dtype",
		             x->op, klr_enum_word(KLR_G_DTYPE, d->i),
		             klr_enum_word(KLR_G_DTYPE, v.dtype));
}

/* A scalar: immediate, or [P,1] beside data. */
void klr_rule_scalar(const struct klr_rule *x, const char *name,
                     const char *data, unsigned set)
{
	const struct klr_value *v = klr_rule_value(x, name);
	bool arith = set == F32;

	if (!v || v->kind == KLR_V_NONE || x->c->rep.failed)
		return;
	if (v->kind == KLR_V_REF) {
		klr_rule_vector(x, name, set);
		klr_rule_has_count(x, name, 1, 1);
		klr_rule_same_parts(x, data, name);
		return;
	}
	if (v->kind != KLR_V_INT && v->kind != KLR_V_FLOAT)
		klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
		             "%s of %s is a number or a tensor of one element "
		             "a partition; write one",
		             name, x->op);
	else if (arith && v->kind == KLR_V_INT)
		klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
		             "%s of %s is float32; write %" PRId64 ".0", name,
		             x->op, v->i);
	else if (!arith && v->kind == KLR_V_FLOAT)
		klr_error_at(&x->c->rep, v->pos, KLR_E_IMM,
		             "%s of a bit operation is an integer; write one",
		             name);
}

/* Two sources: not both in PSUM, from one partition of SBUF on. */
void klr_rule_two_sources(const struct klr_rule *x, const char *a,
                          const char *b)
{
	struct klr_view va, vb;
	const struct klr_ref *ra = klr_rule_ref(x, a), *rb = klr_rule_ref(x, b);

	if (!klr_rule_view(x, a, &va) || !klr_rule_view(x, b, &vb))
		return;
	if (ra->tensor->memory == KLR_PSUM && rb->tensor->memory == KLR_PSUM)
		klr_error_at(&x->c->rep, klr_rule_pos(x, b), KLR_E_MEMORY,
		             "both sources of %s are in PSUM; copy one to SBUF",
		             x->op);
	else if (ra->tensor->memory == rb->tensor->memory && !ra->terms &&
	         !rb->terms && va.start != vb.start)
		klr_error_at(&x->c->rep, klr_rule_pos(x, b), KLR_E_START,
		             "sources of %s begin at partitions %" PRId64
		             " and %" PRId64 "; in SBUF both begin at one",
		             x->op, va.start, vb.start);
}

void klr_rule_same_start(const struct klr_rule *x, const char *a, const char *b)
{
	const struct klr_ref *ra = klr_rule_ref(x, a), *rb = klr_rule_ref(x, b);
	struct klr_view va, vb;

	if (!klr_rule_view(x, a, &va) || !klr_rule_view(x, b, &vb) ||
	    ra->terms || rb->terms || va.start == vb.start)
		return;
	klr_error_at(&x->c->rep, klr_rule_pos(x, b), KLR_E_START,
	             "%s of %s begins at partition %" PRId64 ", %s at "
	             "%" PRId64 "; they begin at one",
	             b, x->op, vb.start, a, va.start);
}

/* ------------------------------------------------------------ ALU */

bool klr_rule_bit_alu(int64_t op)
{
	switch (op) {
	case KLR_ALU_arith_shift_left:
	case KLR_ALU_arith_shift_right:
	case KLR_ALU_bitwise_and:
	case KLR_ALU_bitwise_not:
	case KLR_ALU_bitwise_or:
	case KLR_ALU_bitwise_xor:
	case KLR_ALU_logical_shift_left:
	case KLR_ALU_logical_shift_right: return true;
	default: return false;
	}
}

const char *klr_rule_alu_word(const struct klr_value *v)
{
	return klr_enum_word(KLR_G_ALU, v->i);
}

void klr_rule_alu(const struct klr_rule *x, const struct klr_value *v)
{
	if (v->kind == KLR_V_ENUM && v->i == KLR_ALU_average)
		klr_error_at(&x->c->rep, v->pos, KLR_E_ALU,
		             "average is no operation of %s; add, then "
		             "multiply by 1/n",
		             x->op);
}

/* The two operations of tensorScalar are of one class. */
void klr_rule_two_alus(const struct klr_rule *x, const struct klr_value *a,
                       const struct klr_value *b)
{
	const struct klr_value *imm1 = klr_rule_value(x, "imm1");

	klr_rule_alu(x, a);
	klr_rule_alu(x, b);
	if ((b->kind == KLR_V_NONE) != (imm1->kind == KLR_V_NONE))
		klr_error_at(&x->c->rep, x->s->pos, KLR_E_OPERAND,
		             "op1 and imm1 come together; add or remove one");
	else if (b->kind == KLR_V_ENUM && b->i != KLR_ALU_bypass &&
	         (klr_rule_bit_alu(a->i) != klr_rule_bit_alu(b->i) ||
	          a->i == KLR_ALU_bypass))
		klr_error_at(&x->c->rep, b->pos, KLR_E_ALU,
		             "%s and %s are no pair; both must be arithmetic "
		             "or both bit operations, and bypass comes last",
		             klr_rule_alu_word(a), klr_rule_alu_word(b));
}
