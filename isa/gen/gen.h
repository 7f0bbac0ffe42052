/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the table generator.  Each prints one page to out.
 */
#ifndef ISA_GEN_GEN_H
#define ISA_GEN_GEN_H

#include <stdio.h>

void gen_pkg(FILE *out);

#endif
