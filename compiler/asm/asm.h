/* SPDX-License-Identifier: Apache-2.0
 *
 * The assembler: text to image.  docs/reference/assembly.md is the language.
 */
#ifndef COMPILER_ASM_ASM_H
#define COMPILER_ASM_ASM_H

#include "image/image.h"

#include <stddef.h>
#include <stdint.h>

/* Assemble a source text; place is its file name for messages and the line
 * table.  Includes no other file.  On an error returns NULL and fills *err:
 * place is "name:line:column". */
struct image *asm_source(const char *text, size_t size, const char *place,
                         struct image_error *err);

/* Assemble one line that isa_dis printed, without labels.  0 on success,
 * -1 with *err filled otherwise. */
int asm_line(const char *text, uint8_t bundle[TPB_BUNDLE],
             struct image_error *err);

#endif
