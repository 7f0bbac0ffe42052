/* SPDX-License-Identifier: Apache-2.0
 *
 * Reference pages made from the tables: enumerations, constants, state.
 */
#include "isa/gen/gen.h"
#include "isa/isa.h"
#include "isa/state.h"

#include <inttypes.h>
#include <string.h>

/* A cell of a table: "|" would end it. */
static void cell(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputs(" |", out);
}

static void enum_row(FILE *out, int bits, unsigned value, const char *name,
                     const char *text, const char *meaning)
{
	fprintf(out, "| 0x%0*X | `%s` | `%s` | ", (bits + 3) / 4, value, text,
	        name);
	cell(out, meaning);
	fputc('\n', out);
}

static void bir_rows(FILE *out)
{
	const char *group = "";
	static const struct {
		const char *group, *name, *text;
		int ordinal, wire, extra;
	} rows[] = {
#define BIR(GROUP, NAME, ordinal, wire, extra, text) \
	{#GROUP, #NAME, text, ordinal, wire, extra},
#include "isa/bir.def"
#undef BIR
	};

	fputs("\n## Numbers of the compiler's IR\n\n"
	      "Ordinals of the IR and their bytes on the wire; `none`: no "
	      "encoding. Last column:\nbytes of an element (dtypes), ordinal "
	      "of the negation (compares).\n",
	      out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(group, rows[i].group))
			fprintf(out,
			        "\n### %s\n\n| ordinal | name | wire | |\n"
			        "|---|---|---|---|\n",
			        rows[i].group);
		group = rows[i].group;
		fprintf(out, "| %d | `%s` | ", rows[i].ordinal, rows[i].text);
		if (rows[i].wire < 0)
			fputs("none | ", out);
		else
			fprintf(out, "0x%02X | ", (unsigned)rows[i].wire);
		if (!strcmp(group, "DTYPE") ||
		    (!strcmp(group, "CMP") && rows[i].extra >= 0))
			fprintf(out, "%d ", rows[i].extra);
		fputs("|\n", out);
	}
}

void gen_enums(FILE *out)
{
	int width = 0;

	fputs("# Enumerations\n\n"
	      "<!-- generated from isa/enums.def and isa/bir.def by tpbgen, do "
	      "not edit -->\n\n"
	      "C: `TPB_<NAME>`, SystemVerilog: `<NAME>` in `tpb_pkg`. The text "
	      "is what assembler,\ndisassembler and wave viewer show.\n",
	      out);
#define ENUM_BEGIN(group, bits, text)                                     \
	width = bits;                                                     \
	fprintf(out, "\n## %s\n\n%s (%d bits)\n\n", #group, text, width); \
	fputs("| value | text | name | meaning |\n"                       \
	      "|---|---|---|---|\n",                                      \
	      out);
#define ENUM_VALUE(GROUP, NAME, value, text, meaning) \
	enum_row(out, width, value, #GROUP "_" #NAME, text, meaning);
#define ENUM_END(group)
#include "isa/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END
	bir_rows(out);
}

void gen_constants(FILE *out)
{
	fputs(
	    "# Constants\n\n"
	    "<!-- generated from isa/timing.def and isa/consts.def by tpbgen, "
	    "do not edit -->\n\n"
	    "## Timing\n\n"
	    "[timing.md](timing.md) says how each is counted.\n\n"
	    "| name | value | meaning |\n|---|---|---|\n",
	    out);
#define TIMING(NAME, value, text) \
	fprintf(out, "| `%s` | %d | %s |\n", #NAME, value, text);
#include "isa/timing.def"
#undef TIMING
	fputs(
	    "\n## Generations\n\n"
	    "C: `TPB_<NAME>_GEN3`, SystemVerilog: `<NAME>_GEN3`. 0: no source "
	    "says.\n\n"
	    "| name | gen1 | gen2 | gen3 | gen4 | meaning |\n"
	    "|---|---|---|---|---|---|\n",
	    out);
#define CONST(NAME, gen1, gen2, gen3, gen4, text)                              \
	fprintf(out, "| `%s` | %d | %d | %d | %d | %s |\n", #NAME, gen1, gen2, \
	        gen3, gen4, text);
#include "isa/consts.def"
#undef CONST
}

static void state_rows(FILE *out, int engine)
{
	static const char *const resets[] = {"0", "ones", "kept"};

	fputs("| field | bits | elements | reset | RTL register | meaning |\n"
	      "|---|---|---|---|---|---|\n",
	      out);
	for (int i = 0; i < state_nfields; i++) {
		const struct state_field *f = &state_fields[i];
		const char *rtl = f->rtl;
		if (f->engine != engine)
			continue;
		fprintf(out, "| `%s` | %d | %d | %s | `", f->row, f->width,
		        f->count, resets[f->reset]);
		while (*rtl) {
			if (!strncmp(rtl, "__DOT__", 7)) {
				fputc('.', out);
				rtl += 7;
			} else {
				fputc(*rtl++, out);
			}
		}
		fputs("` | ", out);
		cell(out, f->text);
		fputc('\n', out);
	}
}

void gen_state(FILE *out)
{
	fprintf(out,
	        "# Compared state\n\n"
	        "<!-- generated from isa/state.def by tpbgen, do not edit "
	        "-->\n\n"
	        "RTL and model are compared in every field after every cycle: "
	        "%d fields,\n%d elements. *kept*: reset leaves the fill of the "
	        "run.\n\n"
	        "## One per engine\n\n"
	        "Reported as `SP.pc`, `DVE.rf[3]`; registers below "
	        "`tpb_core.gen_engine[e].u_seq`.\n\n",
	        state_nfields, state_nelements);
	state_rows(out, 0);
	fputs("\n## One per core\n\n"
	      "Registers below `tpb_core`.\n\n",
	      out);
	state_rows(out, -1);
}
