/* SPDX-License-Identifier: Apache-2.0
 *
 * rtl/tpb_pkg.sv: the tables as SystemVerilog parameters.
 */
#include "isa/gen/gen.h"
#include "isa/isa.h"

#include <inttypes.h>

static void opcodes(FILE *out)
{
	const struct isa_opinfo *op;

	fputs("\n  // Opcodes.\n", out);
	for (int i = 0; (op = isa_op_at(i)) != NULL; i++)
		fprintf(out, "  localparam logic [7:0] OP_%s = 8'h%02X;\n",
		        op->name, op->code);
}

static void value(FILE *out, int bits, const char *name, unsigned v)
{
	fprintf(out, "  localparam logic [%d:0] %s = %d'h%X;\n", bits - 1, name,
	        bits, v);
}

static void enums(FILE *out)
{
	int width = 0;

#define ENUM_BEGIN(group, bits, text) \
	width = bits;                 \
	fprintf(out, "\n  // %s: %s.\n", #group, text);
#define ENUM_VALUE(GROUP, NAME, val, text, meaning) \
	value(out, width, #GROUP "_" #NAME, val);
#define ENUM_END(group)
#include "isa/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END
}

static void number(FILE *out, const char *name, long v)
{
	fprintf(out, "  localparam logic [31:0] %s = 32'd%ld;\n", name, v);
}

static void constants(FILE *out)
{
	fputs("\n  // Timing: docs/reference/timing.md.\n", out);
#define TIMING(NAME, val, text) number(out, #NAME, val);
#include "isa/timing.def"
#undef TIMING
	fputs("\n  // Constants of the generations.\n", out);
#define CONST(NAME, gen1, gen2, gen3, gen4, text) \
	number(out, #NAME "_GEN2", gen2);         \
	number(out, #NAME "_GEN3", gen3);         \
	number(out, #NAME "_GEN4", gen4);
#include "isa/consts.def"
#undef CONST
}

static void functions(FILE *out)
{
	const struct isa_opinfo *op;

	fputs("\n  // The machine of this tree executes the opcode.\n"
	      "  function automatic logic op_built(input logic [7:0] op);\n"
	      "    case (op)\n",
	      out);
	for (int i = 0; (op = isa_op_at(i)) != NULL; i++)
		if (op->built)
			fprintf(out, "      OP_%s: op_built = 1'b1;\n",
			        op->name);
	fputs("      default: op_built = 1'b0;\n"
	      "    endcase\n"
	      "  endfunction\n"
	      "\n  // Bytes that the loaded form of a built opcode names, a "
	      "bit a "
	      "byte, with 0..11.\n"
	      "  function automatic logic [63:0] op_named(input logic [7:0] "
	      "op);\n"
	      "    case (op)\n",
	      out);
	for (int i = 0; (op = isa_op_at(i)) != NULL; i++)
		if (op->built)
			fprintf(out,
			        "      OP_%s: op_named = 64'h%016" PRIX64 ";\n",
			        op->name,
			        isa_named_bytes(op->code, ISA_LOADED));
	fputs("      default: op_named = 64'h0;\n"
	      "    endcase\n"
	      "  endfunction\n",
	      out);
}

void gen_pkg(FILE *out)
{
	fputs("// SPDX-License-Identifier: Apache-2.0\n"
	      "//\n"
	      "// Opcodes, enumerations, timing and constants.\n"
	      "// generated from isa/*.def by tpbgen, do not edit\n"
	      "package tpb_pkg;\n"
	      "  // A table is whole whether or not a design uses all of it.\n"
	      "  /* verilator lint_off UNUSEDPARAM */\n",
	      out);
	opcodes(out);
	enums(out);
	constants(out);
	functions(out);
	fputs("\n  /* verilator lint_on UNUSEDPARAM */\nendpackage\n", out);
}
