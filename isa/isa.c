/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction tables at run time: opcodes, fields, enumerations.
 *
 * All of it comes from opcodes.def, fields.def and enums.def; this file adds
 * no fact of its own.
 */
#include "isa/isa.h"

#include <string.h>

/* An array for each opcode; the last entry keeps it from being empty. */
#define FIELDS(OP) static const struct isa_field fields_##OP[] = {
#define FIELD(OP, name, off, lsb, bits, KIND, group, arg, forms) \
	{#name, off, lsb, bits, ISA_##KIND, group, arg, forms},
#define FIELDS_END(OP)                         \
	{NULL, 0, 0, 0, ISA_UINT, NULL, 0, 0}, \
	}                                      \
	;
#include "isa/fields.def"
#undef FIELDS
#undef FIELD
#undef FIELDS_END

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const struct isa_opinfo ops[] = {
#define OP(NAME, byte, mnemonic, class, engines, gens, built, text) \
	{byte, #NAME, mnemonic, #class,        engines,             \
	 gens, text,  built,    fields_##NAME, COUNT(fields_##NAME) - 1},
#include "isa/opcodes.def"
#undef OP
};

struct value {
	uint64_t value;
	const char *text;
};

#define ENUM_BEGIN(group, bits, text) static const struct value v_##group[] = {
#define ENUM_VALUE(GROUP, NAME, value, text, meaning) {value, text},
#define ENUM_END(group) \
	}               \
	;
#include "isa/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END

static const struct group {
	const char *name;
	const struct value *value;
	int n;
} groups[] = {
#define ENUM_BEGIN(group, bits, text) {#group, v_##group, COUNT(v_##group)},
#define ENUM_VALUE(GROUP, NAME, value, text, meaning)
#define ENUM_END(group)
#include "isa/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END
};

const struct isa_opinfo *isa_op_at(int i)
{
	return i >= 0 && i < COUNT(ops) ? &ops[i] : NULL;
}

const struct isa_opinfo *isa_op(uint8_t code)
{
	for (int i = 0; i < COUNT(ops); i++)
		if (ops[i].code == code)
			return &ops[i];
	return NULL;
}

static bool same(const char *a, const char *b, size_t len)
{
	return strlen(a) == len && !memcmp(a, b, len);
}

const struct isa_opinfo *isa_op_named(const char *mnemonic, size_t len)
{
	for (int i = 0; i < COUNT(ops); i++)
		if (same(ops[i].mnemonic, mnemonic, len))
			return &ops[i];
	return NULL;
}

static const struct group *find_group(const char *name)
{
	for (int i = 0; i < COUNT(groups); i++)
		if (!strcmp(groups[i].name, name))
			return &groups[i];
	return NULL;
}

const char *isa_enum_text(const char *group, uint64_t value)
{
	const struct group *g = find_group(group);

	for (int i = 0; g && i < g->n; i++)
		if (g->value[i].value == value)
			return g->value[i].text;
	return NULL;
}

int64_t isa_enum_value(const char *group, const char *text, size_t len)
{
	const struct group *g = find_group(group);

	for (int i = 0; g && i < g->n; i++)
		if (same(g->value[i].text, text, len))
			return (int64_t)g->value[i].value;
	return -1;
}

uint64_t isa_get(const uint8_t *bundle, const struct isa_field *field)
{
	uint64_t v = 0;

	if (field->bits < 1 || field->bits > 64)
		return 0;
	for (unsigned i = 0; i < field->bits; i++) {
		unsigned bit = field->lsb + i;
		unsigned byte = bundle[field->off + bit / 8];
		v |= (uint64_t)(byte >> bit % 8 & 1) << i;
	}
	if (field->kind == ISA_SINT && field->bits < 64 &&
	    v >> (field->bits - 1))
		v |= ~0ull << field->bits;
	return v;
}

void isa_set(uint8_t *bundle, const struct isa_field *field, uint64_t v)
{
	if (field->bits > 64)
		return;
	for (unsigned i = 0; i < field->bits; i++) {
		unsigned bit = field->lsb + i;
		uint8_t *byte = &bundle[field->off + bit / 8];
		unsigned mask = 1u << bit % 8;
		*byte = (uint8_t)(v >> i & 1 ? *byte | mask : *byte & ~mask);
	}
}

const struct isa_field *isa_field_named(uint8_t op, enum isa_form form,
                                        const char *name, size_t len)
{
	const struct isa_opinfo *info = isa_op(op);

	for (int i = 0; info && i < info->nfields; i++) {
		const struct isa_field *f = &info->field[i];
		if (f->forms >> form & 1 && same(f->name, name, len))
			return f;
	}
	return NULL;
}

uint64_t isa_named_bytes(uint8_t op, enum isa_form form)
{
	const struct isa_opinfo *info = isa_op(op);
	uint64_t mask = 0xFFF;

	for (int i = 0; info && i < info->nfields; i++) {
		const struct isa_field *f = &info->field[i];
		if (!(f->forms >> form & 1))
			continue;
		unsigned last = f->off + (f->lsb + f->bits - 1u) / 8;
		for (unsigned b = f->off; b <= last; b++)
			mask |= 1ull << b;
	}
	return mask;
}
