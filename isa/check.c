/* SPDX-License-Identifier: Apache-2.0
 *
 * isa_check: is a bundle legal?
 *
 * The frame of the check: header, sync block, bytes that nobody names, and
 * each field by its kind.  What one field demands of another is in
 * check_seq.c, check_dma.c, check_vec.c and check_pred.c.  Loaded sequencer
 * bundles follow docs/reference/decode.md, the rest the fact sheets.  Rules
 * that need registers or the state of an engine (codes 9 up, but for what a
 * DMA descriptor shows by itself) are the machine's, not ours.
 */
#include "isa/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void check_bad(struct check *c, int fault, int off, const char *text, ...)
{
	va_list ap;

	if (c->v->fault && c->v->fault <= fault)
		return;
	c->v->fault = fault;
	c->v->off = off;
	va_start(ap, text);
	vsnprintf(c->v->reason, sizeof(c->v->reason), text, ap);
	va_end(ap);
}

uint32_t check_word(const struct check *c, int off)
{
	const uint8_t *p = c->b + off;

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

uint64_t check_get(const struct check *c, const char *name)
{
	const struct isa_field *f =
	    isa_field_named(c->op->code, c->form, name, strlen(name));

	return f ? isa_get(c->b, f) : 0;
}

int check_off(const struct check *c, const char *name)
{
	const struct isa_field *f =
	    isa_field_named(c->op->code, c->form, name, strlen(name));

	return f ? f->off : -1;
}

void check_zero(struct check *c, int first, int last)
{
	for (int i = first; i <= last; i++)
		if (c->b[i])
			check_bad(c, TPB_FAULT_RESERVED, i,
			          "byte +0x%02X is 0x%02X, must be 0 here", i,
			          c->b[i]);
}

void check_reg(struct check *c, int off)
{
	if (c->b[off] >= TPB_REGISTERS_GEN3)
		check_bad(c, TPB_FAULT_BAD_REG, off,
		          "byte +0x%02X names register %d, there are 64", off,
		          c->b[off]);
}

void check_pair(struct check *c, int off)
{
	check_reg(c, off);
	if (c->b[off] & 1)
		check_bad(c, TPB_FAULT_BAD_REG, off,
		          "byte +0x%02X names register %d, a pair is even", off,
		          c->b[off]);
}

/* ---- header and sync block ---- */

/* Byte +0x02 of a bundle that the vector engine can carry and that has
 * channels; check_vec.c has the rule of the trap bit. */
static bool mask_legal(const struct check *c)
{
	uint8_t m = c->b[2];

	if (strcmp(c->op->klass, "VEC") || !strchr(c->op->engines, 'D') ||
	    check_off(c, "ch") < 0 || m >> 6)
		return false;
	return (m & 3) == TPB_MASK_PRED || !(m >> 2 & 7);
}

static void check_header(struct check *c)
{
	if (c->b[1] != TPB_BUNDLE / 4)
		check_bad(c, TPB_FAULT_BAD_HEADER, 1,
		          "length byte +0x01 is 0x%02X, must be 0x10", c->b[1]);
	/* Lane masks are not built yet. */
	if (c->b[2] && (c->machine || !mask_legal(c)))
		check_bad(c, TPB_FAULT_BAD_HEADER, 2,
		          "mask byte +0x02 is 0x%02X, not legal here", c->b[2]);
	if (c->b[3])
		check_bad(c, TPB_FAULT_BAD_HEADER, 3,
		          "byte +0x03 is 0x%02X, must be 0", c->b[3]);
}

static bool takes_event(uint8_t wait)
{
	return wait == TPB_WAIT_EVT_SET_CLR || wait == TPB_WAIT_EVT_CLR_SET;
}

static void check_sync(struct check *c)
{
	uint8_t wait = c->b[4], update = c->b[6], op = c->op->code;
	uint32_t value = check_word(c, 8);

	if (!isa_enum_text("wait", wait))
		check_bad(c, TPB_FAULT_BAD_FIELD, 4,
		          "wait mode 0x%02X does not exist", wait);
	if (!isa_enum_text("update", update))
		check_bad(c, TPB_FAULT_BAD_FIELD, 6,
		          "update mode 0x%02X does not exist", update);
	if (!wait)
		check_zero(c, 5, 5);
	if (!update)
		check_zero(c, 7, 7);
	if (!wait && !update)
		check_zero(c, 8, 11);
	if (((wait & 0x80 && isa_enum_text("wait", wait)) ||
	     (update & 0x80 && isa_enum_text("update", update))) &&
	    value >= TPB_REGISTERS_GEN3)
		check_bad(c, TPB_FAULT_BAD_REG, 8,
		          "sync value %u names no register, there are 64",
		          (unsigned)value);
	if (takes_event(wait) &&
	    (op == TPB_OP_BARRIER || op == TPB_OP_RETURN ||
	     op == TPB_OP_CORE_BARRIER || op == TPB_OP_EXIT))
		check_bad(c, TPB_FAULT_BAD_FIELD, 4,
		          "wait mode 0x%02X consumes an event, a join cannot",
		          wait);
}

/* ---- fields by kind ---- */

static void check_name(struct check *c, const struct isa_field *f)
{
	const uint8_t *p = c->b + f->off;
	int size = f->bits / 8, len = 0;

	if (p[size - 1])
		check_bad(c, TPB_FAULT_BAD_FIELD, f->off + size - 1,
		          "%s is longer than %d bytes", f->name, size - 1);
	while (len < size && p[len])
		len++;
	if (!len)
		check_bad(c, TPB_FAULT_BAD_FIELD, f->off, "%s is empty",
		          f->name);
	for (int i = 0; i < size; i++)
		if (i < len ? p[i] < 0x20 || p[i] > 0x7E : p[i] != 0)
			check_bad(c, TPB_FAULT_BAD_FIELD, f->off + i,
			          i < len ? "%s has the byte 0x%02X"
			                  : "%s has 0x%02X after its end",
			          f->name, p[i]);
}

static void check_addr4(struct check *c, const struct isa_field *f)
{
	uint32_t w = check_word(c, f->off);

	if (w >> 31 && (w & 0xFF) >= TPB_REGISTERS_GEN3)
		check_bad(c, TPB_FAULT_BAD_REG, f->off,
		          "%s names register %u, there are 64", f->name,
		          (unsigned)(w & 0xFF));
}

static void check_pattern(struct check *c, const struct isa_field *f, int dims)
{
	uint64_t n = 1;

	check_addr4(c, f);
	for (int i = 0; i < dims; i++) {
		int off = f->off + 4 + 2 * dims + 2 * i;
		if (!c->b[off] && !c->b[off + 1])
			check_bad(c, TPB_FAULT_BAD_FIELD, off,
			          "count %d of %s is 0", i, f->name);
		n *= (uint64_t)(c->b[off] | c->b[off + 1] << 8);
	}
	if (n >> 32)
		check_bad(c, TPB_FAULT_BAD_FIELD, f->off,
		          "%s has 2^32 elements or more", f->name);
}

static void check_enum(struct check *c, const struct isa_field *f, uint64_t v)
{
	bool dtype = !strcmp(f->group, "dtype");
	/* Known, but not built on the vector engines yet. */
	bool pow = c->machine && v == TPB_ALU_POW && !strcmp(f->group, "alu") &&
	           !strcmp(c->op->klass, "VEC");

	if (pow || !isa_field_allows(f, v, c->gen))
		check_bad(c, dtype ? TPB_FAULT_BAD_DTYPE : TPB_FAULT_BAD_FIELD,
		          f->off, "%s is 0x%02X, not legal here", f->name,
		          (unsigned)v);
}

static void check_const(struct check *c, const struct isa_field *f, uint64_t v)
{
	bool loaded = !strcmp(f->name, "loaded");

	if (v != (uint64_t)f->arg)
		check_bad(c,
		          loaded ? TPB_FAULT_UNRESOLVED : TPB_FAULT_BAD_FIELD,
		          f->off, "%s is 0x%X, must be 0x%X", f->name,
		          (unsigned)v, (unsigned)f->arg);
}

static void check_uint(struct check *c, const struct isa_field *f, uint64_t v)
{
	if (f->arg && v > (uint64_t)f->arg)
		check_bad(c, TPB_FAULT_BAD_FIELD, f->off,
		          "%s is %llu, at most %lld", f->name,
		          (unsigned long long)v, (long long)f->arg);
	if (!v && !strcmp(f->name, "ch"))
		check_bad(c, TPB_FAULT_BAD_FIELD, f->off, "ch is 0");
}

static void check_field(struct check *c, const struct isa_field *f)
{
	uint64_t v = isa_get(c->b, f);
	bool vec = !strcmp(c->op->klass, "VEC");

	switch (f->kind) {
	case ISA_CONST: check_const(c, f, v); break;
	case ISA_ENUM: check_enum(c, f, v); break;
	case ISA_UINT: check_uint(c, f, v); break;
	case ISA_NAME: check_name(c, f); break;
	case ISA_ADDR4: check_addr4(c, f); break;
	case ISA_REG:
		if (f->bits == 8)
			check_reg(c, f->off);
		break;
	case ISA_T1D:
	case ISA_T2D:
	case ISA_T3D:
	case ISA_T4D:
		if (vec)
			check_pattern(c, f, (int)(f->kind - ISA_T1D) + 1);
		break;
	default: break;
	}
}

static void check_reserved(struct check *c)
{
	uint64_t named = isa_named_bytes(c->op->code, c->form);

	for (int i = 12; i < TPB_BUNDLE; i++)
		if (c->b[i] && !(named >> i & 1))
			check_bad(c, TPB_FAULT_RESERVED, i,
			          "reserved byte +0x%02X is 0x%02X, must be 0",
			          i, c->b[i]);
}

static bool in_profile(const struct check *c)
{
	return c->op && strchr(c->op->gens, '0' + c->gen) &&
	       *c->op->engines != '\0';
}

static bool variable_form(uint8_t op)
{
	return op == TPB_OP_TENSOR_LOAD_VAR || op == TPB_OP_TENSOR_SAVE_VAR;
}

static void check_payload(struct check *c)
{
	check_sync(c);
	check_reserved(c);
	for (int i = 0; i < c->op->nfields; i++)
		if (c->op->field[i].forms >> c->form & 1)
			check_field(c, &c->op->field[i]);
	check_seq(c);
	check_dma(c);
	check_vec(c);
	check_pred(c);
}

static bool run(struct check *c)
{
	static const struct isa_opinfo unknown = {
	    .name = "", .klass = "", .engines = ""};
	bool known = in_profile(c);

	memset(c->v, 0, sizeof(*c->v));
	c->v->off = -1;
	if (!known) {
		if (!c->op)
			c->op = &unknown;
		check_bad(c, TPB_FAULT_ILLEGAL_OPCODE, 0,
		          "opcode 0x%02X %s is not executed on gen%d", c->b[0],
		          c->op->name, c->gen);
		return false;
	}
	check_header(c);
	if (c->form == ISA_LOADED && variable_form(c->b[0]))
		check_bad(c, TPB_FAULT_UNRESOLVED, 0,
		          "%s reached the machine, the loader resolves it",
		          c->op->mnemonic);
	else
		check_payload(c);
	return c->v->fault == 0;
}

bool isa_check(const uint8_t *bundle, enum isa_form form, int gen,
               struct isa_verdict *v)
{
	struct check c = {bundle,
	                  isa_op(bundle[0]),
	                  form,
	                  gen,
	                  gen >= 3 ? TPB_LNC_GEN3 : TPB_LNC_GEN2,
	                  false,
	                  v};

	return run(&c);
}

bool isa_check_machine(const uint8_t *bundle, int engine, int gen, int cores,
                       struct isa_verdict *v)
{
	static const char letter[] = "PAGDS"; /* in port order */
	struct check c = {
	    bundle, isa_op(bundle[0]), ISA_LOADED, gen, cores, true, v};

	if (c.op && !variable_form(bundle[0]) &&
	    (!c.op->built || !strchr(c.op->engines, letter[engine])))
		c.op = NULL;
	return run(&c);
}
