/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside of isa_check: what the rule files share.  Only isa/check*.c include
 * it.
 */
#ifndef ISA_CHECK_H
#define ISA_CHECK_H

#include "isa/isa.h"

struct check {
	const uint8_t *b;
	const struct isa_opinfo *op;
	enum isa_form form;
	int gen;
	int cores;    /* cores that an update may name */
	bool machine; /* only what this tree builds is legal */
	struct isa_verdict *v;
};

/* Note a broken rule; the lowest code stays, of equals the first. */
void check_bad(struct check *c, int fault, int off, const char *text, ...)
    __attribute__((format(printf, 4, 5)));

/* Bytes first..last must be 0; else RESERVED. */
void check_zero(struct check *c, int first, int last);
/* Byte off names a register, an even register of a pair; else BAD_REG. */
void check_reg(struct check *c, int off);
void check_pair(struct check *c, int off);

uint32_t check_word(const struct check *c, int off);
/* Value of a field by name, 0 when the form has no such field. */
uint64_t check_get(const struct check *c, const char *name);
/* First byte of a field; -1 when the form has no such field. */
int check_off(const struct check *c, const char *name);

/* What one field demands of another. */
void check_seq(struct check *c);
void check_dma(struct check *c);
void check_vec(struct check *c);
void check_pred(struct check *c);

#endif
