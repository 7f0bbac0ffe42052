/* SPDX-License-Identifier: Apache-2.0
 *
 * What sequencer ops, DMA and loops demand beyond their operands' roles.
 */
#include "compiler/bir/verify.h"

#include <inttypes.h>

bool verify_dtype(const struct verify *v, const struct bir_inst *i,
                  const struct bir_arg *a, unsigned set, const char *role)
{
	if (a && !(set >> a->dtype & 1))
		return verify_fail(v, i, "BIR013", "%s cannot be %s", role,
		                   bir_dtype_text(a->dtype));
	return true;
}

bool verify_dma(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_arg *src = i->in[0], *out = i->out[0];
	int64_t ssize = bir_dtype_size(src->dtype);
	int64_t dsize = bir_dtype_size(out->dtype);
	bool convert = src->dtype != out->dtype;

	if (src->loc->mem == BIR_PSUM || out->loc->mem == BIR_PSUM)
		return verify_fail(v, i, "BIR012",
		                   "DMA does not reach PSUM; copy to SBUF");
	if (bir_ap_count(src) * (convert ? 1 : ssize) !=
	    bir_ap_count(out) * (convert ? 1 : dsize))
		return verify_fail(
		    v, i, "BIR014",
		    "%" PRId64 " elements of %s and %" PRId64 " of %s",
		    bir_ap_count(src), bir_dtype_text(src->dtype),
		    bir_ap_count(out), bir_dtype_text(out->dtype));
	return true;
}

/* A pair as a whole? */
static bool wide(const struct bir_arg *a)
{
	return a->kind == BIR_ARG_REG && a->reg->bits == 64 &&
	       a->half == BIR_WHOLE;
}

static bool reg_alu(const struct verify *v, const struct bir_inst *i)
{
	bool w = wide(i->out[0]);

	if (isa_bir_wire("ALU", i->u.alu.op0) < 0 ||
	    i->u.alu.op0 >= TPB_BIR_ALU_ABS_MAX)
		return verify_fail(v, i, "BIR022", "%s is no scalar operation",
		                   bir_alu_text(i->u.alu.op0));
	if (w != wide(i->in[0]) ||
	    (i->in[1]->kind == BIR_ARG_REG && w != wide(i->in[1])))
		return verify_fail(v, i, "BIR020", "32 and 64 bits are mixed");
	return true;
}

static bool reg_move(const struct verify *v, const struct bir_inst *i)
{
	if (wide(i->out[0]) && i->in[0]->kind == BIR_ARG_REG)
		return verify_fail(v, i, "BIR020",
		                   "a pair is moved by halves or from an "
		                   "immediate");
	if (wide(i->in[0]) ||
	    (i->in[0]->kind == BIR_ARG_ADDR && !wide(i->out[0])))
		return verify_fail(v, i, "BIR020",
		                   "64 bits do not fit the register");
	return true;
}

static bool load_save(const struct verify *v, const struct bir_inst *i)
{
	bool load = i->it == BIR_IT_TENSOR_LOAD;
	const struct bir_arg *m = load ? i->in[0] : i->out[0];
	const struct bir_arg *r = load ? i->out[0] : i->in[0];

	if (bir_ap_count(m) != 1)
		return verify_fail(v, i, "BIR014",
		                   "moves one element, not %" PRId64,
		                   bir_ap_count(m));
	if (!verify_dtype(v, i, m,
	                  INTS | BIT(FLOAT32) | BIT(UINT64) | BIT(INT64),
	                  "element"))
		return false;
	if (wide(r) != (bir_dtype_size(m->dtype) == 8))
		return verify_fail(v, i, "BIR020",
		                   "%s does not go with the width of %s",
		                   bir_dtype_text(m->dtype), r->reg->name);
	if (!load && m->loc->mem == BIR_PSUM)
		return verify_fail(v, i, "BIR012",
		                   "a register cannot be stored to PSUM");
	return true;
}

bool verify_scalar(const struct verify *v, const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_BRANCH:
		if ((i->in[1]->kind != BIR_ARG_REG) !=
		    (i->u.branch.cmp <= TPB_BIR_CMP_GT_IMM))
			return verify_fail(v, i, "BIR022",
			                   "the compare and its right side "
			                   "differ");
		if (wide(i->in[0]) || wide(i->in[1]))
			return verify_fail(v, i, "BIR020", "compares 32 bits");
		return true;
	case BIR_IT_REG_ALU: return reg_alu(v, i);
	case BIR_IT_REG_MOVE: return reg_move(v, i);
	case BIR_IT_TENSOR_LOAD:
	case BIR_IT_TENSOR_SAVE: return load_save(v, i);
	case BIR_IT_CORE_BARRIER:
		if (v->m->gen < 3 || i->u.cbar.ncore < 0 ||
		    i->u.cbar.ncore > BIR_CORES)
			return verify_fail(v, i, "BIR017",
			                   "needs gen3 and at most %d cores",
			                   BIR_CORES);
		return true;
	case BIR_IT_GROUP_RESET:
		if (i->u.greset.range &&
		    (i->u.greset.first < 0 || i->u.greset.last > 255 ||
		     i->u.greset.first > i->u.greset.last))
			return verify_fail(v, i, "BIR022", "range %d..%d",
			                   i->u.greset.first, i->u.greset.last);
		return true;
	default: return true;
	}
}

static bool fits(int64_t v)
{
	return v >= INT32_MIN && v <= INT32_MAX;
}

bool verify_loop(const struct verify *v, const struct bir_inst *i)
{
	const struct bir_loop *l = &i->u.loop;

	if (!l->body.first)
		return verify_fail(v, i, "BIR018", "has no body");
	if (i->it == BIR_IT_DO_WHILE)
		return l->cond ||
		       verify_fail(v, i, "BIR020", "has no condition");
	if (!l->iv || l->iv->bits != 32 || l->step == 0 ||
	    (i->it == BIR_IT_DYN_LOOP && !l->ubreg))
		return verify_fail(v, i, "BIR022",
		                   "needs a 32-bit counter, a step and a "
		                   "bound");
	if (!fits(l->lb) || !fits(l->ub) || !fits(l->step) ||
	    !fits(l->ub + l->step) || !fits(l->coef))
		return verify_fail(v, i, "BIR022",
		                   "bounds %" PRId64 "..%" PRId64
		                   " do not fit the counter",
		                   l->lb, l->ub);
	return true;
}
