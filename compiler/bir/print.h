/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two files of the dump share.
 */
#ifndef BIR_PRINT_H
#define BIR_PRINT_H

#include "compiler/bir/bir_build.h"

#include <stdio.h>

/* " op=add axis=0": the payload as named fields. */
void print_payload(FILE *f, const struct bir_inst *i);

#endif
