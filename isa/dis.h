/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the disassembler share.  Private to isa/dis*.c.
 */
#ifndef ISA_DIS_H
#define ISA_DIS_H

#include "isa/isa.h"

struct dis {
	const uint8_t *b;
	enum isa_form form;
	const struct isa_names *names;
	char *buf;
	size_t size, len;
};

/* Append; a full buffer truncates. */
void dis_put(struct dis *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
uint32_t dis_word(const uint8_t *p);
uint64_t dis_quad(const uint8_t *p);
void dis_number(struct dis *d, uint64_t v);
void dis_imm(struct dis *d, uint32_t v);
void dis_float(struct dis *d, uint32_t word);
void dis_target(struct dis *d, uint32_t pc);
/* Quoted text of up to n bytes. */
void dis_text(struct dis *d, const uint8_t *p, size_t n);

/* `mnemonic field=value, ...`. */
void dis_generic(struct dis *d, const struct isa_opinfo *op);
/* The form of its own of a sequencer instruction; false: it has none. */
bool dis_seq(struct dis *d);
/* The sync clauses. */
void dis_sync(struct dis *d);

#endif
