/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators and enumerations of KLR by name and number, and what the words
 * are in the compiler's IR.  The tables: klr_ops.def, klr_enums.def, and
 * isa/bir.def, with which dtypes and ALU ops are matched by name.
 */
#include "compiler/klr/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct klr_opinfo ops[] = {
#define KLR_OP(number, name, built, operands) {number, #name, built, operands},
#include "compiler/klr/klr_ops.def"
#undef KLR_OP
};
#define NOPS ((int)(sizeof(ops) / sizeof(ops[0])))

static const struct word {
	enum klr_group group;
	int value;
	const char *text;
} words[] = {
#define KLR_ENUM(GROUP, value, word) {KLR_G_##GROUP, value, #word},
#include "compiler/klr/klr_enums.def"
#undef KLR_ENUM
};
#define NWORDS (sizeof(words) / sizeof(words[0]))

/* The kinds of klr_ops.def; the enumerations behind them. */
static const struct {
	const char *text;
	enum klr_kind kind;
	enum klr_group group;
} kinds[] = {
    {"ref", KLR_K_REF, KLR_G_NONE},
    {"refs", KLR_K_REFS, KLR_G_NONE},
    {"operand", KLR_K_OPERAND, KLR_G_NONE},
    {"imm", KLR_K_IMM, KLR_G_NONE},
    {"imms", KLR_K_IMMS, KLR_G_NONE},
    {"int", KLR_K_INT, KLR_G_NONE},
    {"ints", KLR_K_INTS, KLR_G_NONE},
    {"intss", KLR_K_INTSS, KLR_G_NONE},
    {"f32", KLR_K_F32, KLR_G_NONE},
    {"bool", KLR_K_BOOL, KLR_G_NONE},
    {"str", KLR_K_STR, KLR_G_NONE},
    {"reg", KLR_K_REG, KLR_G_NONE},
    {"regint", KLR_K_REGINT, KLR_G_NONE},
    {"label", KLR_K_LABEL, KLR_G_NONE},
    {"pattern", KLR_K_PATTERN, KLR_G_NONE},
    {"oob", KLR_K_OOB, KLR_G_NONE},
    {"miss", KLR_K_MISS, KLR_G_NONE},
    {"group", KLR_K_GROUP, KLR_G_NONE},
    {"memory", KLR_K_ENUM, KLR_G_MEMORY},
    {"dtype", KLR_K_ENUM, KLR_G_DTYPE},
    {"perf", KLR_K_ENUM, KLR_G_PERF},
    {"engine", KLR_K_ENUM, KLR_G_ENGINE},
    {"alu", KLR_K_ENUM, KLR_G_ALU},
    {"threshold", KLR_K_ENUM, KLR_G_THRESHOLD},
    {"acc", KLR_K_ENUM, KLR_G_ACC},
    {"func", KLR_K_ENUM, KLR_G_FUNC},
    {"affine", KLR_K_ENUM, KLR_G_AFFINE},
    {"dge", KLR_K_ENUM, KLR_G_DGE},
    {"reverse", KLR_K_ENUM, KLR_G_REVERSE},
    {"axes", KLR_K_ENUM, KLR_G_AXES},
    {"transpose", KLR_K_ENUM, KLR_G_TRANSPOSE},
    {"branch", KLR_K_ENUM, KLR_G_BRANCH},
    {"buffer", KLR_K_ENUM, KLR_G_BUFFER},
};
#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

const struct klr_opinfo *klr_op_at(int index)
{
	return index >= 0 && index < NOPS ? &ops[index] : NULL;
}

const struct klr_opinfo *klr_op_named(const char *name)
{
	for (int i = 0; i < NOPS; i++)
		if (!strcmp(ops[i].name, name))
			return &ops[i];
	return NULL;
}

const struct klr_opinfo *klr_op_info(int op)
{
	for (int i = 0; i < NOPS; i++)
		if (ops[i].op == op)
			return &ops[i];
	return NULL;
}

/* One "name:kind[?|=n]"; the table is checked by a test, not here. */
static void one_field(const char *s, size_t n, struct klr_field *f)
{
	const char *colon = memchr(s, ':', n), *end = s + n, *kind = colon + 1;
	const char *stop = kind;

	snprintf(f->name, sizeof(f->name), "%.*s", (int)(colon - s), s);
	while (stop < end && *stop != '?' && *stop != '=')
		stop++;
	f->optional = stop < end && *stop == '?';
	f->has_default = stop < end && *stop == '=';
	if (f->has_default)
		f->def = atoi(stop + 1);
	for (size_t i = 0; i < NKINDS; i++)
		if (strlen(kinds[i].text) == (size_t)(stop - kind) &&
		    !memcmp(kinds[i].text, kind, (size_t)(stop - kind))) {
			f->kind = kinds[i].kind;
			f->group = kinds[i].group;
		}
}

int klr_fields(const struct klr_opinfo *op,
               struct klr_field field[KLR_MAX_FIELDS])
{
	const char *s = op->operands;
	bool ours = op->op >= 100;
	int n = 0;

	while (*s && n < KLR_MAX_FIELDS) {
		size_t len = strcspn(s, " ");

		if (*s == '|') {
			ours = true;
		} else {
			memset(&field[n], 0, sizeof(field[n]));
			one_field(s, len, &field[n]);
			field[n++].ours = ours;
		}
		s += len;
		s += strspn(s, " ");
	}
	return n;
}

/* Reads the row, does not build it: the checks ask this dozens of times a
 * statement. */
int klr_field_index(int op, const char *name)
{
	const char *s = klr_op_info(op)->operands;
	size_t len = strlen(name);

	for (int i = 0; *s; i++) {
		if (*s == '|')
			s += 2;
		if (!strncmp(s, name, len) && s[len] == ':')
			return i;
		s += strcspn(s, " ");
		s += *s == ' ';
	}
	return -1;
}

int klr_enum_value(enum klr_group g, const char *word)
{
	for (size_t i = 0; i < NWORDS; i++)
		if (words[i].group == g && !strcmp(words[i].text, word))
			return words[i].value;
	return -1;
}

const char *klr_enum_word(enum klr_group g, int64_t value)
{
	for (size_t i = 0; i < NWORDS; i++)
		if (words[i].group == g && words[i].value == value)
			return words[i].text;
	return NULL;
}

const char *klr_group_text(enum klr_group g)
{
	if (g == KLR_G_ALU)
		return "ALU operation";
	for (size_t i = 0; i < NKINDS; i++)
		if (kinds[i].group == g)
			return kinds[i].text;
	return "";
}

void klr_enum_near(enum klr_group g, struct klr_near *n)
{
	for (size_t i = 0; i < NWORDS; i++)
		if (words[i].group == g)
			klr_near_try(n, words[i].text);
}

/* ------------------------------------------------------------ the IR */

static const struct bir_word {
	bool dtype;
	int value, bytes;
	const char *text;
} bir_words[] = {
#define GROUP_DTYPE 1
#define GROUP_ALU 0
#define GROUP_CMP -1
#define GROUP_WAIT -1
#define GROUP_UPDATE -1
#define GROUP_ACC -1
#define GROUP_AXIS -1
#define GROUP_CLEAR -1
#define BIR(GROUP, NAME, ordinal, wire, extra, text) \
	{GROUP_##GROUP == 1, ordinal, extra, GROUP_##GROUP < 0 ? "" : text},
#include "isa/bir.def"
#undef BIR
};

static const struct bir_word *bir_word(bool dtype, const char *text)
{
	for (size_t i = 0; i < sizeof(bir_words) / sizeof(bir_words[0]); i++)
		if (bir_words[i].dtype == dtype &&
		    !strcmp(bir_words[i].text, text))
			return &bir_words[i];
	return NULL;
}

int klr_dtype_bir(int dtype)
{
	const char *text = klr_enum_word(KLR_G_DTYPE, dtype);
	const struct bir_word *w;

	/* KLR has two words for the old e4m3. */
	w = bir_word(true, strcmp(text, "float8_e4m3") ? text : "float8e4");
	return w->value;
}

int klr_dtype_size(int dtype)
{
	const char *text = klr_enum_word(KLR_G_DTYPE, dtype);

	return bir_word(true, strcmp(text, "float8_e4m3") ? text : "float8e4")
	    ->bytes;
}

int klr_alu_bir(int op)
{
	return bir_word(false, klr_enum_word(KLR_G_ALU, op))->value;
}
