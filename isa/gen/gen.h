/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the table generator.  Each prints one page to out.
 */
#ifndef ISA_GEN_GEN_H
#define ISA_GEN_GEN_H

#include <stdbool.h>
#include <stdio.h>

void gen_pkg(FILE *out);
void gen_opcodes(FILE *out);
void gen_enums(FILE *out);
void gen_constants(FILE *out);
void gen_state(FILE *out);

/* Names of the filters in order, NULL past the end: every enumeration, and
 * "opcode". */
const char *gen_filter_name(int i);
/* False when there is no such filter. */
bool gen_filter(FILE *out, const char *name);

#endif
