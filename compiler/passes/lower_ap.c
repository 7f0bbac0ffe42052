/* SPDX-License-Identifier: Apache-2.0
 *
 * lower_ap (L32): symbolic operands become register operands and the code that
 * computes the address, right before the consumer, on its engine.
 *
 *   index from memory       TensorLoad into a fresh register first
 *   SBUF, PSUM              32 bits: the 29-bit address of the first element
 *   DRAM side of a DMA      64 bits: bytes from the start of the tensor
 *   TensorLoad, TensorSave  64 bits: the unified address
 *
 * On chip a byte of the flat space is  row * PSTRIDE + byte in row  of the
 * address.  Where no carry from bytes to rows can happen, each term is one
 * multiply and one add with rows and bytes split at compile time; else the
 * flat byte is computed and split by divide and mod.  No carry happens when
 * every term moves by whole rows, when the counters' ranges prove it, or when
 * the pattern takes all partitions, so that any carry would leave the tensor.
 *
 * A symbolic immediate must have one value.  Equal operands of an instruction
 * share their code.
 *
 * Before: alloc_mem, lower_sync.  After: no symbolic operand; new registers
 * are virtual.  Cost: linear in terms.
 */
#include "compiler/passes/pass.h"

#include <string.h>

#define MAX_SHARED (BIR_INS + BIR_OUTS)

struct shared {
	const struct bir_loc *loc;
	struct bir_expr *expr;
	int64_t offset;
	int size;
	bool wide;
	struct bir_reg *reg;
};

struct lower {
	struct bir_module *m;
	struct pass_ctx *c;
	struct bir_inst *i; /* the consumer */
	enum bir_engine e;
	struct shared done[MAX_SHARED];
	int ndone, patterns, code;
	bool failed;
};

static void put(struct lower *s, struct bir_inst *n)
{
	n->pos = s->i->pos;
	bir_inst_before(
	    bir_is_terminator(s->i) ? bir_first_terminator(s->i->block) : s->i,
	    n);
	s->code++;
}

static struct bir_reg *fresh(struct lower *s, int bits)
{
	return bir_reg_new(s->m, NULL, s->e, bits);
}

static bool fail(struct lower *s, const char *what)
{
	s->failed = true;
	return pass_fail(s->c, s->m, s->i, "CMP029", "%s: %s", s->i->name,
	                 what);
}

/* The register of a term; an index is loaded first. */
static struct bir_reg *value(struct lower *s, const struct bir_term *t)
{
	if (t->reg)
		return t->reg;
	struct bir_inst *n = bir_inst_new(s->m, BIR_IT_TENSOR_LOAD, NULL, s->e);
	struct bir_reg *r = fresh(s, 32);

	if (bir_dtype_size(t->index->dtype) > 4 || t->index->kind != BIR_ARG_AP)
		fail(s, "an index is one element of 32 bits or less at a fixed "
		        "place; load it to a register first");
	bir_in(n, bir_arg_copy(s->m, t->index));
	bir_out(n, bir_use(s->m, r));
	put(s, n);
	return r;
}

/* acc += k * v */
static void add_term(struct lower *s, struct bir_reg *acc, struct bir_reg *v,
                     int64_t k)
{
	struct bir_reg *t = v;

	if (k == 0)
		return;
	if (k != 1) {
		t = fresh(s, 32);
		put(s, pass_new_alu(s->m, s->e, TPB_BIR_ALU_MULT, t, v,
		                    bir_int(s->m, (int32_t)(uint32_t)k)));
	}
	put(s, pass_new_alu(s->m, s->e, TPB_BIR_ALU_ADD, acc, acc,
	                    bir_use(s->m, t)));
}

static int64_t pstride(const struct bir_loc *l)
{
	return l->mem == BIR_PSUM ? TPB_PSUM_STRIDE_GEN3 : TPB_SBUF_STRIDE_GEN3;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Can the byte part never leave its row? */
static bool stays(const struct bir_arg *a, int64_t size, int64_t bytes)
{
	const struct bir_loc *l = a->loc;
	int64_t row = l->row_bytes, lo, hi;
	bool flat = true, ranged = true, whole;

	lo = hi = bytes - floor_div(bytes, row) * row;
	whole = bytes >= 0 && bytes < row;
	for (int k = 0; k < a->expr->nterm; k++) {
		const struct bir_term *t = &a->expr->term[k];
		int64_t by = t->coef * size, b = by % row;

		whole &= by / row == 0;
		if (b == 0)
			continue;
		flat = false;
		if (!t->reg || t->reg->lo == t->reg->hi) {
			ranged = false;
			continue;
		}
		int64_t x = b * t->reg->lo, y = b * (t->reg->hi - 1);

		lo += x < y ? x : y;
		hi += x < y ? y : x;
	}
	if (flat || (ranged && lo >= 0 && hi < row))
		return true;
	return whole && (l->partitions == 1 ||
	                 (a->npair && a->pair[0].num == l->partitions &&
	                  a->pair[0].step * size == row));
}

static struct bir_reg *chip_address(struct lower *s, const struct bir_arg *a)
{
	int64_t size = bir_dtype_size(a->dtype), row = a->loc->row_bytes;
	int64_t bytes = a->offset + size * a->expr->c;
	int64_t ps = pstride(a->loc), base = bir_addr29(a->loc, 0);
	struct bir_reg *acc = fresh(s, 32), *q, *r;
	bool split = stays(a, size, bytes);

	if (split) {
		int64_t rows = floor_div(bytes, row);

		bytes = base + rows * ps + bytes - rows * row;
	} else if (bytes < 0) {
		fail(s,
		     "a negative offset; count from the start of the tensor");
	}
	put(s, pass_new_move(s->m, s->e, acc,
	                     bir_int(s->m, (int32_t)(uint32_t)bytes)));
	for (int k = 0; k < a->expr->nterm; k++) {
		const struct bir_term *t = &a->expr->term[k];
		int64_t by = t->coef * size;

		add_term(s, acc, value(s, t),
		         split ? by / row * ps + by % row : by);
	}
	if (split)
		return acc;
	q = fresh(s, 32);
	r = fresh(s, 32);
	put(s, pass_new_alu(s->m, s->e, TPB_BIR_ALU_DIVIDE, q, acc,
	                    bir_int(s->m, row)));
	put(s, pass_new_alu(s->m, s->e, TPB_BIR_ALU_MOD, r, acc,
	                    bir_int(s->m, row)));
	put(s, pass_new_alu(s->m, s->e, TPB_BIR_ALU_ADD, r, r,
	                    bir_int(s->m, base)));
	add_term(s, r, q, ps);
	return r;
}

/* value in the low half of a pair that starts as k. */
static struct bir_reg *pair_of(struct lower *s, struct bir_reg *low, uint64_t k)
{
	struct bir_module *m = s->m;
	struct bir_reg *p = fresh(s, 64);
	struct bir_inst *n;

	put(s, pass_new_move(m, s->e, p, bir_imm(m, TPB_BIR_DTYPE_UINT64, k)));
	n = bir_inst_new(m, BIR_IT_REG_MOVE, NULL, s->e);
	bir_in(n, bir_use(m, low));
	bir_out(n, bir_use_half(m, p, BIR_LO));
	put(s, n);
	return p;
}

static struct bir_reg *dram_address(struct lower *s, const struct bir_arg *a,
                                    bool unified)
{
	struct bir_module *m = s->m;
	int64_t size = bir_dtype_size(a->dtype);
	int64_t bytes = a->offset + size * a->expr->c;
	struct bir_reg *acc = fresh(s, 64);

	if (bytes < 0)
		fail(s, "a negative offset in DRAM; count from the start of "
		        "the tensor");
	put(s, pass_new_move(m, s->e, acc,
	                     unified ? bir_addr(m, a->loc, bytes)
	                             : bir_imm(m, TPB_BIR_DTYPE_UINT64,
	                                       (uint64_t)bytes)));
	for (int k = 0; k < a->expr->nterm; k++) {
		const struct bir_term *t = &a->expr->term[k];
		struct bir_reg *p;

		if (t->coef == 0)
			continue;
		if (t->coef < 0)
			fail(s, "a negative stride in DRAM; count up");
		p = pair_of(s, value(s, t), 0);
		if (t->coef * size != 1)
			put(s,
			    pass_new_alu(m, s->e, TPB_BIR_ALU_MULT, p, p,
			                 bir_imm(m, TPB_BIR_DTYPE_UINT64,
			                         (uint64_t)(t->coef * size))));
		put(s, pass_new_alu(m, s->e, TPB_BIR_ALU_ADD, acc, acc,
		                    bir_use(m, p)));
	}
	return acc;
}

static bool same_expr(const struct bir_expr *a, const struct bir_expr *b)
{
	if (a->c != b->c || a->nterm != b->nterm)
		return false;
	for (int k = 0; k < a->nterm; k++)
		if (a->term[k].coef != b->term[k].coef ||
		    a->term[k].reg != b->term[k].reg || a->term[k].index ||
		    b->term[k].index)
			return false;
	return true;
}

static void pattern(struct lower *s, struct bir_arg *a)
{
	bool scalar =
	    s->i->it == BIR_IT_TENSOR_LOAD || s->i->it == BIR_IT_TENSOR_SAVE;
	struct shared x = {.loc = a->loc,
	                   .expr = a->expr,
	                   .offset = a->offset,
	                   .size = bir_dtype_size(a->dtype),
	                   .wide = scalar};

	for (int k = 0; k < s->ndone && !x.reg; k++) {
		const struct shared *d = &s->done[k];

		if (d->loc == x.loc && d->offset == x.offset &&
		    d->size == x.size && same_expr(d->expr, x.expr))
			x.reg = d->reg;
	}
	if (!x.reg && bir_on_chip(a->loc)) {
		x.reg = chip_address(s, a);
		if (scalar)
			x.reg = pair_of(s, x.reg, (uint64_t)1 << 36);
	} else if (!x.reg) {
		x.reg = dram_address(s, a, scalar);
	}
	if (s->ndone < MAX_SHARED)
		s->done[s->ndone++] = x;
	a->kind = BIR_ARG_REGAP;
	a->reg = x.reg;
	a->offset = 0;
	a->expr = NULL;
	s->patterns++;
}

static void operand(struct lower *s, struct bir_arg *a)
{
	if (!a)
		return;
	if (a->kind == BIR_ARG_SYM) {
		if (bir_is_dma(s->i) || bir_on_chip(a->loc) ||
		    s->i->it == BIR_IT_TENSOR_LOAD ||
		    s->i->it == BIR_IT_TENSOR_SAVE)
			pattern(s, a);
		else
			fail(s, "a compute op with an operand in DRAM; copy it "
			        "to SBUF by DMA");
	} else if (a->kind == BIR_ARG_SYMIMM) {
		for (int k = 0; k < a->expr->nterm; k++)
			if (a->expr->term[k].coef) {
				fail(s, "a symbolic immediate must evaluate to "
				        "a single value; use a register "
				        "operand");
				return;
			}
		a->kind = BIR_ARG_IMM;
		a->imm = (uint64_t)a->expr->c;
		a->expr = NULL;
	}
}

bool pass_lower_ap(struct bir_module *m, struct pass_ctx *c)
{
	struct lower s = {.m = m, .c = c};

	if (m->gen < 2)
		return pass_fail(c, m, NULL, "CMP019",
		                 "generation %d has no register addresses; "
		                 "compile for 2, 3 or 4",
		                 m->gen);
	for (struct bir_func *f = m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next)
			for (struct bir_inst *i = b->first; i; i = i->next) {
				s.i = i;
				s.e = pass_stream(i);
				s.ndone = 0;
				for (int k = 0; k < i->nin && k < BIR_INS; k++)
					operand(&s, i->in[k]);
				for (int k = 0; k < i->nout && k < BIR_OUTS;
				     k++)
					operand(&s, i->out[k]);
				if (s.failed)
					return false;
			}
	pass_stat(c, "patterns=%d instructions=%d", s.patterns, s.code);
	return true;
}
