/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/reference/opcodes.md: every opcode with its fields.
 */
#include "isa/gen/gen.h"
#include "isa/isa.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static const char *const kinds[] = {
    [ISA_UINT] = "number",
    [ISA_SINT] = "signed number",
    [ISA_ENUM] = "",
    [ISA_REG] = "register",
    [ISA_F32] = "float",
    [ISA_TARGET] = "target",
    [ISA_CONST] = "constant",
    [ISA_BYTES] = "bytes",
    [ISA_NAME] = "name",
    [ISA_ADDR4] = "32-bit address",
    [ISA_ADDR8] = "DMA address",
    [ISA_T1D] = "tensor, 1 dimension",
    [ISA_T2D] = "tensor, 2 dimensions",
    [ISA_T3D] = "tensor, 3 dimensions",
    [ISA_T4D] = "tensor, 4 dimensions",
};

static const char *engines(const struct isa_opinfo *op)
{
	static char text[64];
	static const char *const name[] = {"PE", "ACT", "POOL", "DVE", "SP"};

	if (!*op->engines)
		return "none";
	text[0] = '\0';
	for (size_t i = 0; i < 5; i++) {
		if (!strchr(op->engines, "PAGDS"[i]))
			continue;
		if (*text)
			strcat(text, " ");
		strcat(text, name[i]);
	}
	return text;
}

static void index_table(FILE *out)
{
	const struct isa_opinfo *op;

	fputs("| byte | mnemonic | class | engines | gen | built | meaning |\n"
	      "|---|---|---|---|---|---|---|\n",
	      out);
	for (int code = 0; code < 256; code++) {
		op = isa_op((uint8_t)code);
		if (!op)
			continue;
		fprintf(out, "| 0x%02X | [%s](#", code, op->mnemonic);
		for (const char *n = op->name; *n; n++)
			fputc(tolower((unsigned char)*n), out);
		fprintf(out, ") | %s | %s | ", op->klass, engines(op));
		for (const char *g = op->gens; *g; g++)
			fprintf(out, g > op->gens ? " %c" : "%c", *g);
		fprintf(out, " | %s | %s |\n", op->built ? "yes" : "no",
		        op->text);
	}
}

static void place(FILE *out, const struct isa_field *f)
{
	unsigned last = f->off + (f->lsb + f->bits - 1u) / 8;

	if (f->lsb == 0 && f->bits % 8 == 0) {
		fprintf(out, last > f->off ? "+%02X..%02X" : "+%02X", f->off,
		        last);
		return;
	}
	fprintf(out, "+%02X ", f->off);
	if (f->bits == 1)
		fprintf(out, "bit %d", f->lsb);
	else
		fprintf(out, "bits %d:%d", f->lsb + f->bits - 1, f->lsb);
}

/* Values of an ENUM field: all of the group, or the subset by name. */
static void values(FILE *out, const struct isa_field *f, int gen)
{
	fprintf(out, "[%s](enums.md#%s)", f->group, f->group);
	if (f->arg == ISA_SET_FREE)
		fputs(", any value", out);
	if (f->arg == ISA_SET_ANY || f->arg == ISA_SET_FREE)
		return;
	fputc(':', out);
	for (uint64_t v = 0; v < 256; v++) {
		const char *text = isa_enum_text(f->group, v);
		if (!isa_field_allows(f, v, gen) ||
		    (f->bits < 8 && v >> f->bits))
			continue;
		if (text)
			fprintf(out, " %s", text);
		else
			fprintf(out, " %" PRIu64, v);
	}
}

static void field_row(FILE *out, const struct isa_field *f, int gen)
{
	static const char *const forms[] = {"", "file", "loaded", ""};

	fputs("| ", out);
	place(out, f);
	fprintf(out, " | `%s` | ", f->name);
	if (f->kind == ISA_ENUM)
		values(out, f, gen);
	else
		fputs(kinds[f->kind], out);
	if (f->kind == ISA_CONST)
		fprintf(out, " 0x%" PRIX64, (uint64_t)f->arg);
	else if (f->kind == ISA_UINT && f->arg)
		fprintf(out, ", at most %" PRId64, f->arg);
	fprintf(out, " | %s |\n", forms[f->forms]);
}

static void section(FILE *out, const struct isa_opinfo *op)
{
	int gen = strchr(op->gens, '3') ? 3 : 4;

	fprintf(out, "\n## %s\n\n0x%02X `%s`: %s.\n", op->name, op->code,
	        op->mnemonic, op->text);
	if (!op->nfields)
		fputs("\nNo payload fields.\n", out);
	else
		fputs("\n| bytes | field | value | form |\n|---|---|---|---|\n",
		      out);
	for (int i = 0; i < op->nfields; i++)
		field_row(out, &op->field[i], gen);
}

void gen_opcodes(FILE *out)
{
	const struct isa_opinfo *op;

	fputs(
	    "# Opcodes\n\n"
	    "<!-- generated from isa/opcodes.def and isa/fields.def by "
	    "tpbgen, do not edit -->\n\n"
	    "Every opcode byte that has a name. *Built*: the machine of this "
	    "tree executes it; any\nother byte is ILLEGAL_OPCODE. *Engines "
	    "none*: named by some source, carried by no\nengine of ours. All "
	    "bundles begin with the opcode, 0x10, 0 (or the mask byte of a\n"
	    "DVE bundle), 0 and the sync block +04..0B; bytes of +0C..3F that "
	    "no field covers are 0.\nRules between fields: "
	    "[decode.md](decode.md). A field without a form is the same in\n"
	    "the file and loaded.\n\n",
	    out);
	index_table(out);
	for (int code = 0; code < 256; code++)
		if ((op = isa_op((uint8_t)code)) != NULL)
			section(out, op);
}
