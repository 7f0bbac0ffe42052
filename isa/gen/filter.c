/* SPDX-License-Identifier: Apache-2.0
 *
 * GTKWave file filters: a value as the viewer prints it in hexadecimal, a
 * blank, its text.  waves/filters/<group>.txt.
 */
#include "isa/gen/gen.h"
#include "isa/isa.h"

#include <string.h>

static const struct {
	const char *name;
	int bits;
} groups[] = {
#define ENUM_BEGIN(group, bits, text) {#group, bits},
#define ENUM_VALUE(GROUP, NAME, value, text, meaning)
#define ENUM_END(group)
#include "isa/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END
    {"opcode", 8},
};

#define GROUPS ((int)(sizeof(groups) / sizeof(groups[0])))

const char *gen_filter_name(int i)
{
	return i >= 0 && i < GROUPS ? groups[i].name : NULL;
}

static const char *text_of(const char *group, unsigned v)
{
	const struct isa_opinfo *op;

	if (strcmp(group, "opcode"))
		return isa_enum_text(group, v);
	op = isa_op((uint8_t)v);
	return op ? op->mnemonic : NULL;
}

bool gen_filter(FILE *out, const char *name)
{
	for (int i = 0; i < GROUPS; i++) {
		if (strcmp(groups[i].name, name))
			continue;
		int digits = (groups[i].bits + 3) / 4;
		for (unsigned v = 0; v < 1u << groups[i].bits; v++) {
			const char *text = text_of(name, v);
			if (text)
				fprintf(out, "%0*X %s\n", digits, v, text);
		}
		return true;
	}
	return false;
}
