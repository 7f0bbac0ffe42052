/* SPDX-License-Identifier: Apache-2.0
 *
 * Code generation: operands as wire numbers and tensor descriptors.
 *
 * A descriptor takes the free dimensions from the innermost out, without
 * those of one element; the partition dimension is in the address and the
 * channel count.  Facts: the memory sheet's packing of patterns.
 */
#include "compiler/codegen/internal.h"

#include <string.h>

/* ---- registers ---- */

int codegen_phys(struct codegen *c, const struct bir_reg *r)
{
	if (r->phys < 0 || r->phys >= TPB_REGISTERS_GEN3) {
		if (!c->lenient)
			codegen_fail(c, CGN_STATE,
			             "register %.60s has no number; run the "
			             "register allocation",
			             r->name);
		return 0;
	}
	return r->phys;
}

int codegen_reg(struct codegen *c, const struct bir_arg *a)
{
	if (!a || a->kind != BIR_ARG_REG) {
		codegen_fail(c, CGN_OPERAND,
		             "an operand is no register; move it to one");
		return 0;
	}
	return codegen_phys(c, a->reg) + (a->half == BIR_HI ? 1 : 0);
}

/* ---- numbers ---- */

int codegen_wire(struct codegen *c, const char *group, int ordinal,
                 const char *what)
{
	int wire = isa_bir_wire(group, ordinal);

	if (wire < 0) {
		codegen_fail(c, CGN_ALU,
		             "%s %d has no code on the wire; use another", what,
		             ordinal);
		return 0;
	}
	return wire;
}

int codegen_dtype(struct codegen *c, int dtype)
{
	/* Its tag came with gen4; before, another type's stood for it. */
	if (dtype == TPB_BIR_DTYPE_FP4X4 && c->gen < 4)
		return TPB_DTYPE_UINT16;
	return codegen_wire(c, "DTYPE", dtype, "dtype");
}

/* ---- addresses ---- */

/* Register := register + constant, in front of the instruction. */
static int add_constant(struct codegen *c, int reg, int64_t k)
{
	uint8_t *b;
	int scratch = CODEGEN_SCRATCH - c->npre, n = c->nb;

	if (c->npre == CODEGEN_SCRATCHES) {
		codegen_fail(c, CGN_PATTERN,
		             "more than %d operands with an address in a "
		             "register and an offset; add it in a register of "
		             "its own",
		             CODEGEN_SCRATCHES);
		return 0;
	}
	if (k < INT32_MIN || k > INT32_MAX) {
		codegen_fail(c, CGN_RANGE,
		             "offset %lld to an address has more than 32 bits; "
		             "use a smaller one",
		             (long long)k);
		return 0;
	}
	b = codegen_begin(c, TPB_OP_REGISTER_ALU);
	codegen_set(c, b, "alu", TPB_ALU_ADD);
	codegen_set(c, b, "use_imm", 1);
	codegen_set(c, b, "dtype", TPB_DTYPE_INT32);
	codegen_set(c, b, "dst", scratch);
	codegen_set(c, b, "src1", reg);
	codegen_set(c, b, "imm", (uint32_t)k);
	memcpy(c->pre[c->npre++], b, TPB_BUNDLE);
	c->nb = n;
	return scratch;
}

int codegen_addr_reg(struct codegen *c, const struct bir_arg *a, int64_t add)
{
	int reg = codegen_phys(c, a->reg);

	if (a->reg->bits != 32)
		codegen_fail(c, CGN_OPERAND,
		             "an on-chip address in a pair; use a 32-bit "
		             "register");
	add += a->offset;
	return add == 0 || c->lenient ? reg : add_constant(c, reg, add);
}

static bool on_chip(struct codegen *c, const struct bir_arg *a)
{
	if (!bir_is_ap(a) || !a->loc || !bir_on_chip(a->loc))
		return codegen_fail(c, CGN_OPERAND,
		                    "an operand is not in SBUF or PSUM; copy "
		                    "it there by DMA");
	if (c->lenient)
		return true;
	if (a->kind == BIR_ARG_SYM)
		return codegen_fail(c, CGN_STATE,
		                    "an operand has a symbolic address; run "
		                    "lower_ap");
	if (a->kind == BIR_ARG_AP && !a->loc->placed)
		return codegen_fail(c, CGN_STATE,
		                    "tensor %.60s has no place; run alloc_mem",
		                    a->loc->name);
	return true;
}

static uint32_t addr4_at(struct codegen *c, const struct bir_arg *a,
                         int64_t add)
{
	if (!on_chip(c, a) || c->lenient)
		return 0;
	if (a->kind == BIR_ARG_REGAP)
		return 0x80000000u | (uint32_t)codegen_addr_reg(c, a, add);
	return bir_addr29(a->loc, a->offset + add);
}

uint32_t codegen_addr4(struct codegen *c, const struct bir_arg *a)
{
	return addr4_at(c, a, 0);
}

/* ---- patterns ---- */

int64_t codegen_channels(const struct bir_arg *a)
{
	return a->npair ? a->pair[0].num : 1;
}

/* Channels are neighbouring partitions: nothing in a bundle could say
 * otherwise. */
static void check_partitions(struct codegen *c, const struct bir_arg *a)
{
	int size = bir_dtype_size(a->dtype);

	if (a->npair < 1 || a->pair[0].num < 1 || a->pair[0].num > 128)
		codegen_fail(c, CGN_PATTERN,
		             "a pattern has %lld channels, 1 to 128 are "
		             "possible; cut it",
		             a->npair ? (long long)a->pair[0].num : 0LL);
	else if (a->pair[0].num > 1 &&
	         a->pair[0].step * size != a->loc->row_bytes)
		codegen_fail(c, CGN_PATTERN,
		             "partition step %lld of %.60s, only neighbouring "
		             "partitions are possible (step %lld); copy first",
		             (long long)a->pair[0].step, a->loc->name,
		             (long long)(a->loc->row_bytes / size));
}

static void put_dim(struct codegen *c, uint8_t *p, int dims, int d,
                    int64_t step, int64_t num)
{
	if (step < INT16_MIN || step > INT16_MAX)
		codegen_fail(c, CGN_PATTERN,
		             "step %lld of a pattern has more than 16 bits; "
		             "use a smaller one",
		             (long long)step);
	if (num < 1 || num > UINT16_MAX)
		codegen_fail(c, CGN_PATTERN,
		             "count %lld of a pattern, 1 to 65535 are "
		             "possible; cut it",
		             (long long)num);
	codegen_put(p + 4 + 2 * d, (uint64_t)step, 2);
	codegen_put(p + 4 + 2 * dims + 2 * d, (uint64_t)num, 2);
}

/* Dimensions of the descriptor in a field: 8 bytes have one, 12 two, ... */
static int dims_of(const uint8_t *b, const char *name)
{
	const struct isa_field *f =
	    isa_field_named(b[0], ISA_FILE, name, strlen(name));

	return f->bits / 32 - 1;
}

void codegen_pattern(struct codegen *c, uint8_t *b, const char *field,
                     const struct bir_arg *a)
{
	uint8_t *p = codegen_at(b, field);
	int dims = dims_of(b, field), out = 0;

	codegen_put(p, addr4_at(c, a, 0), 4);
	if (c->failed || c->lenient)
		return;
	check_partitions(c, a);
	for (int d = a->npair - 1; d >= 1; d--) {
		if (a->pair[d].num == 1)
			continue;
		if (out == dims) {
			codegen_fail(c, CGN_PATTERN,
			             "%s has more than %d free dimensions of "
			             "more than one element; join or cut them",
			             field, dims);
			return;
		}
		put_dim(c, p, dims, out++, a->pair[d].step, a->pair[d].num);
	}
	while (out < dims)
		put_dim(c, p, dims, out++, 1, 1);
}

void codegen_backward(struct codegen *c, uint8_t *b, const char *field,
                      const struct bir_arg *a)
{
	uint8_t *p = codegen_at(b, field);
	int size = bir_dtype_size(a->dtype), long_dims = 0;
	int64_t step = 1, num = 1;

	if (!on_chip(c, a) || c->lenient)
		return;
	check_partitions(c, a);
	for (int d = 1; d < a->npair; d++)
		if (a->pair[d].num != 1) {
			step = a->pair[d].step;
			num = a->pair[d].num;
			long_dims++;
		}
	if (long_dims != 1 || num != 8) {
		codegen_fail(c, CGN_PATTERN,
		             "%s must be one free dimension of 8 elements; "
		             "change its pattern",
		             field);
		return;
	}
	codegen_put(p, addr4_at(c, a, 7 * step * size), 4);
	put_dim(c, p, 2, 0, -step, 8);
	put_dim(c, p, 2, 1, 0, 1);
}
