/* SPDX-License-Identifier: Apache-2.0
 *
 * The disassembler: a bundle to one line of assembly.
 *
 * Contract: the assembler reads the line back to the same 64 bytes, for
 * every legal bundle in both forms.  Sequencer instructions print in their
 * own form (dis_seq.c), all others as `mnemonic field=value`; bytes that no
 * field covers are added as b[0xNN]=0xNN, so that nothing can be lost.  A
 * buffer of 1,024 bytes holds every line with labels of up to 255 bytes.
 * The language is docs/reference/assembly.md.
 */
#include "isa/dis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dis_put(struct dis *d, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(d->buf + d->len, d->size - d->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		d->len += (size_t)n;
	if (d->len >= d->size)
		d->len = d->size - 1;
}

uint32_t dis_word(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

uint64_t dis_quad(const uint8_t *p)
{
	return dis_word(p) | (uint64_t)dis_word(p + 4) << 32;
}

void dis_number(struct dis *d, uint64_t v)
{
	dis_put(d, v < 10000 ? "%llu" : "0x%llX", (unsigned long long)v);
}

/* 32-bit immediate: small negative numbers as such. */
void dis_imm(struct dis *d, uint32_t v)
{
	if (v > 0xFFFF0000u)
		dis_put(d, "-%u", 0u - v);
	else
		dis_number(d, v);
}

/* Shortest decimal text that reads back to the same word. */
void dis_float(struct dis *d, uint32_t word)
{
	static const int digits[] = {6, 7, 8, 9};
	char text[32];
	float f, g;

	memcpy(&f, &word, sizeof(f));
	if ((word & 0x7FFFFFFF) == 0x7F800000) {
		dis_put(d, "%sinf", word >> 31 ? "-" : "");
		return;
	}
	if (word == 0x7FC00000) {
		dis_put(d, "nan");
		return;
	}
	for (int i = 0; i < 4 && (word & 0x7F800000) != 0x7F800000; i++) {
		snprintf(text, sizeof(text), "%.*g", digits[i], (double)f);
		g = strtof(text, NULL);
		if (memcmp(&g, &f, sizeof(g)) == 0) {
			dis_put(d, "%s", text);
			return;
		}
	}
	dis_put(d, "bits(0x%08X)", word);
}

void dis_target(struct dis *d, uint32_t pc)
{
	const char *name = NULL;

	if (d->names && d->names->label)
		name = d->names->label(d->names->ctx, pc);
	if (name)
		dis_put(d, "%s", name);
	else
		dis_put(d, "%u", pc);
}

void dis_text(struct dis *d, const uint8_t *p, size_t n)
{
	dis_put(d, "\"");
	for (size_t i = 0; i < n && p[i]; i++) {
		if (p[i] == '"' || p[i] == '\\')
			dis_put(d, "\\%c", p[i]);
		else if (p[i] < ' ' || p[i] > '~')
			dis_put(d, "\\x%02X", p[i]);
		else
			dis_put(d, "%c", p[i]);
	}
	dis_put(d, "\"");
}

/* Address words in register mode print as the register. */
static void addr4(struct dis *d, uint32_t w)
{
	if (w >> 31 && (w & 0x7FFFFFFF) < 64)
		dis_put(d, "r%u", w & 63);
	else
		dis_put(d, "0x%X", w);
}

/* [ADDRESS, STEP:NUM, ...] without its trailing 1:1 dimensions. */
static void tensor(struct dis *d, const uint8_t *p, int dims)
{
	int16_t step[4];
	uint16_t num[4];
	int n = dims;

	for (int i = 0; i < dims; i++) {
		const uint8_t *s = p + 4 + 2 * i, *c = s + 2 * dims;

		step[i] = (int16_t)(s[0] | s[1] << 8);
		num[i] = (uint16_t)(c[0] | c[1] << 8);
	}
	while (n > 0 && step[n - 1] == 1 && num[n - 1] == 1)
		n--;
	dis_put(d, "[");
	addr4(d, dis_word(p));
	for (int i = 0; i < n; i++)
		dis_put(d, ", %d:%u", step[i], num[i]);
	dis_put(d, "]");
}

/* A place by variable or table entry; a unified address is a number. */
static void addr8(struct dis *d, const uint8_t *p)
{
	uint32_t low = dis_word(p), id = dis_word(p + 4) & 0xFFFFFF;
	bool reg = low < 64 && id < TPB_DGE_ENTRIES_GEN3;

	if (p[7] == TPB_ADDR8_STATIC && id) {
		dis_put(d, "[var(%u) + 0x%X]", id, low);
	} else if (p[7] == TPB_ADDR8_STATIC) {
		dis_put(d, "[0x%X]", low);
	} else if (p[7] == TPB_ADDR8_TABLE && id < TPB_DGE_ENTRIES_GEN3) {
		dis_put(d, "[dge(%u) + 0x%X]", id, low);
	} else if (p[7] == TPB_ADDR8_REG && reg) {
		dis_put(d, "[dge(%u) + r%u]", id, low);
	} else if (p[7] == TPB_ADDR8_PAIR && reg) {
		dis_put(d, "[dge(%u) + pair(r%u)]", id, low);
	} else {
		dis_number(d, dis_quad(p));
	}
}

static void enum_value(struct dis *d, const struct isa_field *f, uint64_t v)
{
	const char *text = isa_enum_text(f->group, v);

	if (text)
		dis_put(d, "%s", text);
	else
		dis_number(d, v);
}

static void field_value(struct dis *d, const struct isa_field *f)
{
	const uint8_t *p = d->b + f->off;
	uint64_t v = isa_get(d->b, f);

	switch (f->kind) {
	case ISA_ENUM: enum_value(d, f, v); break;
	case ISA_REG: dis_put(d, v < 64 ? "r%u" : "%u", (unsigned)v); break;
	case ISA_F32: dis_float(d, (uint32_t)v); break;
	case ISA_TARGET: dis_target(d, (uint32_t)v); break;
	case ISA_NAME: dis_text(d, p, f->bits / 8u); break;
	case ISA_BYTES:
		dis_put(d, "x\"");
		for (int i = 0; i < f->bits / 8; i++)
			dis_put(d, "%02x", p[i]);
		dis_put(d, "\"");
		break;
	case ISA_ADDR4: addr4(d, (uint32_t)v); break;
	case ISA_ADDR8: addr8(d, p); break;
	case ISA_T1D: tensor(d, p, 1); break;
	case ISA_T2D: tensor(d, p, 2); break;
	case ISA_T3D: tensor(d, p, 3); break;
	case ISA_T4D: tensor(d, p, 4); break;
	case ISA_SINT: dis_put(d, "%lld", (long long)v); break;
	default: dis_number(d, v); break;
	}
}

/* Copy a field as the assembler would write it. */
static void copy_field(uint8_t *to, const struct dis *d,
                       const struct isa_field *f)
{
	size_t n = f->bits / 8u, len;

	switch (f->kind) {
	case ISA_NAME:
		len = strnlen((const char *)d->b + f->off, n - 1);
		memset(to + f->off, 0, n);
		memcpy(to + f->off, d->b + f->off, len);
		break;
	case ISA_BYTES:
	case ISA_T1D:
	case ISA_T2D:
	case ISA_T3D:
	case ISA_T4D: memcpy(to + f->off, d->b + f->off, n); break;
	default: isa_set(to, f, isa_get(d->b, f)); break;
	}
}

static bool zero(const struct dis *d, const struct isa_field *f)
{
	if (f->bits <= 64)
		return isa_get(d->b, f) == 0;
	for (int i = 0; i < f->bits / 8; i++)
		if (d->b[f->off + i])
			return false;
	return true;
}

/* Does the field appear in the text?  A field that only the loaded form has
 * tells the forms apart and is always shown. */
static bool shown(const struct dis *d, const struct isa_field *f)
{
	if (f->kind == ISA_CONST || !(f->forms >> d->form & 1))
		return false;
	return !zero(d, f) || (d->form == ISA_LOADED && f->forms == 2);
}

void dis_generic(struct dis *d, const struct isa_opinfo *op)
{
	uint8_t made[TPB_BUNDLE] = {op->code, 0x10};
	const char *sep = " ";

	dis_put(d, "%s", op->mnemonic);
	for (int i = 0; i < op->nfields; i++)
		if (op->field[i].kind == ISA_CONST &&
		    (op->field[i].forms >> d->form & 1))
			isa_set(made, &op->field[i],
			        (uint64_t)op->field[i].arg);
	for (int i = 0; i < op->nfields; i++) {
		const struct isa_field *f = &op->field[i];

		if (!shown(d, f))
			continue;
		dis_put(d, "%s%s=", sep, f->name);
		field_value(d, f);
		copy_field(made, d, f);
		sep = ", ";
	}
	for (int i = 1; i < TPB_BUNDLE; i++) {
		if ((i >= 4 && i < 12) || made[i] == d->b[i])
			continue;
		dis_put(d, "%sb[0x%02X]=0x%02X", sep, i, d->b[i]);
		sep = ", ";
	}
}

const char *isa_dis(const uint8_t *bundle, enum isa_form form,
                    const struct isa_names *names, char *buf, size_t size)
{
	struct dis d = {bundle, form, names, buf, size, 0};
	const struct isa_opinfo *op = isa_op(bundle[0]);
	struct isa_verdict v;
	bool legal = false;

	if (size == 0)
		return buf;
	buf[0] = '\0';
	for (int gen = 4; gen >= 2 && op && !legal; gen--)
		legal = isa_check(bundle, form, gen, &v);
	if (!legal) {
		dis_put(&d, ".bundle");
		for (int i = 0; i < TPB_BUNDLE; i += 4)
			dis_put(&d, "%s0x%08X", i ? ", " : " ",
			        dis_word(bundle + i));
		return buf;
	}
	if (!dis_seq(&d))
		dis_generic(&d, op);
	dis_sync(&d);
	return buf;
}
