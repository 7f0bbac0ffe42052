/* SPDX-License-Identifier: Apache-2.0
 *
 * isa_check refuses every kind of illegal bundle with the right code and a
 * reason.  One legal bundle of every opcode, in both forms, is broken in all
 * the ways that its fields allow; then rules between fields, one by one.
 *
 *   build/tests/unit/test_isa_check
 */
#include "isa/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BOTH 3

/* "offset:byte byte, offset:byte ..." over what is there. */
static void patch(uint8_t *b, const char *text)
{
	size_t at = 0;

	while (*text) {
		char *end;
		unsigned long v = strtoul(text, &end, 16);
		if (*end == ':') {
			at = v;
			end++;
		} else {
			assert_true(at < TPB_BUNDLE && v < 256);
			b[at++] = (uint8_t)v;
		}
		text = end + strspn(end, " ,");
	}
}

/* What a bundle needs beside the first legal value of each field, 32
 * channels and patterns of 32 elements.  By hand from the layout lines. */
static const struct {
	uint8_t op;
	const char *bytes;
	unsigned forms;
} extra[] = {
    {0xA7, "0C:01", BOTH},
    {0xAA, "0E:01 01", BOTH},
    {0xAB, "0E:01 01", BOTH},
    {0xCD, "0E:01 01", BOTH},
    {0xCE, "0E:01 01", BOTH},
    {0xD4, "20:01 00 01 00 04,38:01 00 01 00 04", BOTH},
    {0xD4, "17:10,2F:10", 1},
    {0x7C, "24:01", BOTH},
    {0x7D, "24:01", BOTH},
    {0x45, "28:00 00 80 3F", BOTH},
    {0x49, "1C:20", BOTH},
    {0x4D, "1C:20", BOTH},
    {0xE9, "38:08", BOTH},
    {0x7E, "18:20 00 01 00 01 00 01 00", BOTH},
    {0x92, "2A:20 00 01 00 01 00", BOTH},
    {0x6C, "38:08", BOTH},
    {0x6D, "18:08", BOTH},
    {0x6E, "38:08", BOTH},
    {0x67, "28:20", BOTH},
    {0xF2, "36:21", BOTH},
    {0xBE, "2A:40", BOTH},
    {0x77, "38:06", BOTH},
    {0x78, "26:06", BOTH},
    {0xE2, "2C:00 00 80 3F", BOTH},
    {0x61, "38:06,28:00 00 80 41 00 00 80 41", BOTH},
    {0x82, "38:06,28:00 00 80 41 00 00 80 41", BOTH},
    {0x62, "18:21,38:02", BOTH},
    {0x63, "36:03", BOTH},
    {0x94, "36:03", BOTH},
    {0x64, "18:03", BOTH},
    {0x8E, "18:01", BOTH},
    {0x9B, "32:01", BOTH},
    {0x24, "32:01", BOTH},
};

static bool executed(const struct isa_opinfo *op)
{
	return *op->engines != '\0';
}

static bool pattern(const struct isa_field *f)
{
	return f->kind >= ISA_T1D && f->kind <= ISA_T4D;
}

static int gen_of(const struct isa_opinfo *op)
{
	return strchr(op->gens, '3') ? 3 : op->gens[0] - '0';
}

static void first_value(uint8_t *b, const struct isa_field *f, int gen)
{
	int dims = (int)(f->kind - ISA_T1D) + 1;
	uint64_t v = 0;

	switch (f->kind) {
	case ISA_CONST: isa_set(b, f, (uint64_t)f->arg); break;
	case ISA_NAME: b[f->off] = 'n'; break;
	case ISA_ENUM:
		while (v < 256 && !isa_field_allows(f, v, gen))
			v++;
		assert_true(v < 256);
		isa_set(b, f, v);
		break;
	default:
		if (!strcmp(f->name, "ch"))
			b[f->off] = 32;
		for (int i = 0; pattern(f) && i < dims; i++) {
			b[f->off + 4 + 2 * i] = 1;
			b[f->off + 4 + 2 * dims + 2 * i] = i ? 1 : 32;
		}
	}
}

static void legal(const struct isa_opinfo *op, enum isa_form form, uint8_t *b)
{
	memset(b, 0, TPB_BUNDLE);
	b[0] = op->code;
	b[1] = 0x10;
	for (int i = 0; i < op->nfields; i++)
		if (op->field[i].forms >> form & 1)
			first_value(b, &op->field[i], gen_of(op));
	for (size_t i = 0; i < sizeof(extra) / sizeof(extra[0]); i++)
		if (extra[i].op == op->code && extra[i].forms >> form & 1)
			patch(b, extra[i].bytes);
}

/* Refused, with a code no higher than `fault` and a reason. */
static void refused(const uint8_t *b, enum isa_form form, int gen, int fault,
                    const char *what)
{
	struct isa_verdict v;

	if (isa_check(b, form, gen, &v))
		fail_msg("opcode 0x%02X: %s is accepted", b[0], what);
	if (v.fault > fault || v.fault < 1)
		fail_msg("opcode 0x%02X: %s gives code %d, %s", b[0], what,
		         v.fault, v.reason);
	assert_true(v.reason[0] != '\0');
	assert_in_range(v.off, 0, TPB_BUNDLE - 1);
}

/* ---- one bundle of every opcode, broken field by field ---- */

static void break_enum(uint8_t *b, const struct isa_field *f,
                       enum isa_form form, int gen)
{
	int fault = !strcmp(f->group, "dtype") ? TPB_FAULT_BAD_DTYPE
	                                       : TPB_FAULT_BAD_FIELD;
	uint64_t max = f->bits < 8 ? (1ull << f->bits) - 1 : 255;

	for (uint64_t v = 0; v <= max; v++) {
		if (isa_field_allows(f, v, gen))
			continue;
		isa_set(b, f, v);
		refused(b, form, gen, fault, f->name);
	}
}

static void break_pattern(uint8_t *b, const struct isa_field *f,
                          enum isa_form form, int gen)
{
	int dims = (int)(f->kind - ISA_T1D) + 1;

	for (int i = 0; i < dims; i++) {
		uint8_t *count = b + f->off + 4 + 2 * dims + 2 * i;
		uint8_t was = *count;
		*count = 0;
		refused(b, form, gen, TPB_FAULT_BAD_FIELD, f->name);
		*count = was;
	}
	b[f->off + 3] = 0x80;
	b[f->off] = 64;
	refused(b, form, gen, TPB_FAULT_BAD_REG, f->name);
}

static void break_field(const struct isa_opinfo *op, const struct isa_field *f,
                        enum isa_form form)
{
	uint8_t b[TPB_BUNDLE];
	int gen = gen_of(op), last = f->off + f->bits / 8 - 1;

	legal(op, form, b);
	switch (f->kind) {
	case ISA_CONST:
		isa_set(b, f, (uint64_t)f->arg ^ 1);
		refused(b, form, gen,
		        strcmp(f->name, "loaded") ? TPB_FAULT_BAD_FIELD
		                                  : TPB_FAULT_UNRESOLVED,
		        f->name);
		break;
	case ISA_ENUM: break_enum(b, f, form, gen); break;
	case ISA_REG:
		if (f->bits < 8)
			break;
		b[f->off] = 64;
		refused(b, form, gen, TPB_FAULT_BAD_REG, f->name);
		break;
	case ISA_UINT:
		if (f->arg) {
			isa_set(b, f, (uint64_t)f->arg + 1);
			refused(b, form, gen, TPB_FAULT_BAD_FIELD, f->name);
		}
		if (!strcmp(f->name, "ch")) {
			b[f->off] = 0;
			refused(b, form, gen, TPB_FAULT_BAD_FIELD, f->name);
		}
		break;
	case ISA_NAME:
		b[last] = 1;
		refused(b, form, gen, TPB_FAULT_BAD_FIELD, "long name");
		b[last] = 0;
		b[f->off + 2] = 'x';
		refused(b, form, gen, TPB_FAULT_BAD_FIELD, "name with a hole");
		b[f->off + 2] = 0;
		b[f->off] = 0x7F;
		refused(b, form, gen, TPB_FAULT_BAD_FIELD, "unprintable name");
		b[f->off] = 0;
		refused(b, form, gen, TPB_FAULT_BAD_FIELD, "empty name");
		break;
	default:
		if (pattern(f) && !strcmp(op->klass, "VEC"))
			break_pattern(b, f, form, gen);
	}
}

static void break_op(const struct isa_opinfo *op, enum isa_form form)
{
	static const uint8_t header[][2] = {
	    {1, 0x11}, {1, 0}, {2, 0x40}, {2, 4}, {3, 1}};
	uint8_t b[TPB_BUNDLE];
	struct isa_verdict v;
	int gen = gen_of(op);

	legal(op, form, b);
	if (!isa_check(b, form, gen, &v))
		fail_msg("%s form %d: %s", op->mnemonic, form, v.reason);
	for (size_t i = 0; i < sizeof(header) / sizeof(header[0]); i++) {
		legal(op, form, b);
		b[header[i][0]] = header[i][1];
		refused(b, form, gen, TPB_FAULT_BAD_HEADER, "header");
		isa_check(b, form, gen, &v);
		assert_int_equal(v.off, header[i][0]);
	}
	for (int i = 12; i < TPB_BUNDLE; i++) {
		if (isa_named_bytes(op->code, form) >> i & 1)
			continue;
		legal(op, form, b);
		b[i] = 0x80;
		isa_check(b, form, gen, &v);
		assert_int_equal(v.fault, TPB_FAULT_RESERVED);
		assert_int_equal(v.off, i);
	}
	for (int i = 0; i < op->nfields; i++)
		if (op->field[i].forms >> form & 1)
			break_field(op, &op->field[i], form);
}

static void test_every_op(void **state)
{
	const struct isa_opinfo *op;
	int n = 0;

	(void)state;
	for (int i = 0; (op = isa_op_at(i)) != NULL; i++) {
		bool variable = op->code == 0xCD || op->code == 0xCE;
		if (!executed(op))
			continue;
		n++;
		break_op(op, ISA_FILE);
		if (!variable)
			break_op(op, ISA_LOADED);
	}
	assert_true(n > 80);
}

static void test_unknown(void **state)
{
	struct isa_verdict v;
	uint8_t b[TPB_BUNDLE] = {0, 0x10};

	(void)state;
	for (int op = 0; op < 256; op++) {
		const struct isa_opinfo *info = isa_op((uint8_t)op);
		b[0] = (uint8_t)op;
		for (int gen = 2; gen <= 4; gen++) {
			bool here = info && executed(info) &&
			            strchr(info->gens, '0' + gen);
			isa_check(b, ISA_LOADED, gen, &v);
			assert_int_equal(v.fault == TPB_FAULT_ILLEGAL_OPCODE,
			                 !here);
			for (int e = 0; e < 5; e++) {
				isa_check_machine(b, e, gen, 1, &v);
				here =
				    info && strchr(info->gens, '0' + gen) &&
				    (info->built || op == 0xCD || op == 0xCE) &&
				    strchr(info->engines, "PAGDS"[e]);
				assert_int_equal(
				    v.fault == TPB_FAULT_ILLEGAL_OPCODE, !here);
			}
		}
	}
}

/* ---- sync block ---- */

static void test_sync(void **state)
{
	static const uint8_t waits[] = {
	    0, 1, 2, 3, 4, 5, 6, 7, 0x0E, 0x0F, 0x81, 0x82, 0x83, 0x84, 0x85};
	static const uint8_t updates[] = {
	    0,    1,    2,    3,    4,    5,    7,    9,    0x11, 0x12, 0x13,
	    0x14, 0x15, 0x17, 0x19, 0x85, 0x87, 0x89, 0x95, 0x97, 0x99};
	struct isa_verdict v;

	(void)state;
	for (int m = 0; m < 256; m++) {
		uint8_t w[TPB_BUNDLE] = {0xA4, 0x10, 0, 0, (uint8_t)m};
		uint8_t u[TPB_BUNDLE] = {0xA4, 0x10, 0, 0, 0, 0, (uint8_t)m};
		bool wait = memchr(waits, m, sizeof(waits)) != NULL;
		bool update = memchr(updates, m, sizeof(updates)) != NULL;
		assert_int_equal(isa_check(w, ISA_LOADED, 3, &v), wait);
		assert_int_equal(v.fault, wait ? 0 : TPB_FAULT_BAD_FIELD);
		assert_int_equal(isa_check(u, ISA_LOADED, 3, &v), update);
		assert_int_equal(v.fault, update ? 0 : TPB_FAULT_BAD_FIELD);
		w[8] = u[8] = 64;
		isa_check(w, ISA_LOADED, 3, &v);
		if (wait && m)
			assert_int_equal(v.fault,
			                 m & 0x80 ? TPB_FAULT_BAD_REG : 0);
		isa_check(u, ISA_LOADED, 3, &v);
		if (update && m)
			assert_int_equal(v.fault,
			                 m & 0x80 ? TPB_FAULT_BAD_REG : 0);
	}
}

/* ---- rules between fields ---- */

/* A legal bundle of op, patched: the verdict must have this code and byte. */
struct rule {
	uint8_t op;
	const char *bytes;
	int fault, off;
	enum isa_form form;
};

#define F(op, bytes, fault, off)                            \
	{                                                   \
		op, bytes, TPB_FAULT_##fault, off, ISA_FILE \
	}
#define L(op, bytes, fault, off)                              \
	{                                                     \
		op, bytes, TPB_FAULT_##fault, off, ISA_LOADED \
	}

static const struct rule rules[] = {
    /* sync */
    F(0xA4, "05:01", RESERVED, 5),
    F(0xA4, "07:01", RESERVED, 7),
    F(0xA4, "0B:01", RESERVED, 11),
    F(0xA4, "04:07", NONE, -1),
    F(0xD5, "04:07", BAD_FIELD, 4),
    F(0xD2, "04:0F", BAD_FIELD, 4),
    F(0xD8, "04:07", BAD_FIELD, 4),
    F(0xDF, "04:0F", BAD_FIELD, 4),
    F(0x45, "04:07", NONE, -1),
    /* event semaphore */
    F(0xA0, "20:08", BAD_FIELD, 0x20),
    F(0xA0, "21:01", RESERVED, 0x21),
    F(0xA0, "24:01", RESERVED, 0x24),
    F(0xA0, "23:01", RESERVED, 0x23),
    F(0xA0, "2B:01", RESERVED, 0x2B),
    F(0xA0, "20:85,24:40", BAD_REG, 0x24),
    F(0xA0, "22:99,28:40", BAD_REG, 0x28),
    F(0xA0, "06:13,22:13", BAD_FIELD, 0x22),
    F(0xA0, "2C:80", BAD_FIELD, 0x2C),
    F(0xA0, "22:13,2C:01", BAD_FIELD, 0x2C),
    F(0xA0, "22:13,2C:82", BAD_FIELD, 0x2C),
    F(0xA0, "22:13,2C:81", NONE, -1),
    /* move */
    F(0xA7, "0C:00", BAD_FIELD, 0x0C),
    F(0xA7, "0C:09", BAD_FIELD, 0x0C),
    F(0xA7, "0C:02", BAD_FIELD, 0x0E),
    F(0xA7, "0C:02,0E:01,18:07 08", BAD_REG, 0x18),
    F(0xA7, "0C:02,0E:01,18:06 08", BAD_REG, 0x19),
    F(0xA7, "0C:02,0E:01,18:06 07", NONE, -1),
    F(0xA7, "19:01", RESERVED, 0x19),
    F(0xA7, "11:01", RESERVED, 0x11),
    F(0xA7, "20:01", RESERVED, 0x20),
    F(0xA7, "0E:01,10:01", RESERVED, 0x10),
    F(0xA7, "0E:01,24:01", RESERVED, 0x24),
    F(0xA7, "0C:08,18:00 01 02 03 04 05 06 07", NONE, -1),
    /* alu */
    F(0xA8, "0C:17", BAD_FIELD, 0x0C),
    F(0xA8, "0C:20", BAD_FIELD, 0x0C),
    F(0xA8, "0E:04", BAD_FIELD, 0x0E),
    F(0xA8, "0F:0A", BAD_DTYPE, 0x0F),
    F(0xA8, "0E:01,0F:09,15:01", BAD_DTYPE, 0x0F),
    F(0xA8, "18:01", RESERVED, 0x18),
    F(0xA8, "0E:02,12:01", RESERVED, 0x12),
    F(0xA8, "0E:02,1C:01", RESERVED, 0x1C),
    F(0xA8, "13:01", RESERVED, 0x13),
    F(0xA8, "14:01", RESERVED, 0x14),
    F(0xA8, "0E:01,0F:01", BAD_REG, 0x14),
    F(0xA8, "0E:01,0F:01,11:01,15:01", BAD_REG, 0x11),
    F(0xA8, "0E:01,0F:01,12:01,15:01", BAD_REG, 0x12),
    F(0xA8, "0E:01,0F:01,15:01", NONE, -1),
    F(0xA8, "0E:03,0F:01,15:01,1F:01", NONE, -1),
    /* branch */
    F(0xA9, "0D:08", RESERVED, 0x0D),
    F(0xA9, "13:01", RESERVED, 0x13),
    F(0xA9, "20:01", RESERVED, 0x20),
    F(0xA9, "0C:01", BAD_DTYPE, 0x0D),
    F(0xA9, "0C:01,0D:01", BAD_DTYPE, 0x0D),
    F(0xA9, "0C:01,0D:08,21:01", RESERVED, 0x21),
    F(0xA9, "0C:09,0D:08,10:01", RESERVED, 0x10),
    F(0xA9, "0C:09,0D:08,21:40", BAD_REG, 0x21),
    F(0xA9, "0E:01", BAD_FIELD, 0x0E),
    F(0xA9, "34:01", BAD_FIELD, 0x34),
    F(0xA9, "0C:07", BAD_FIELD, 0x0C),
    /* load, save */
    F(0xAA, "0E:00", BAD_FIELD, 0x0E),
    F(0xAB, "0E:03 0B", BAD_FIELD, 0x0E),
    F(0xAA, "20:01", BAD_REG, 0x20),
    F(0xAA, "21:02", RESERVED, 0x21),
    F(0xAA, "0D:01", BAD_FIELD, 0x0D),
    F(0xAA, "17:40", BAD_FIELD, 0x17),
    F(0xAA, "17:80", BAD_REG, 0x11),
    F(0xAA, "17:80,10:01 02", BAD_REG, 0x10),
    F(0xAA, "17:80,10:02 03,12:01", RESERVED, 0x12),
    F(0xAA, "17:80,10:02 03", NONE, -1),
    F(0xAA, "0C:0C", BAD_DTYPE, 0x0C),
    F(0xCE, "20:01", BAD_REG, 0x20),
    F(0xCE, "10:FF", NONE, -1),
    L(0xCE, "", UNRESOLVED, 0),
    L(0xCD, "0E:00", UNRESOLVED, 0),
    L(0xCE, "03:01", BAD_HEADER, 3),
    /* reset, return, rest */
    F(0xB0, "0D:05 04", BAD_FIELD, 0x0D),
    F(0xB0, "20:01", RESERVED, 0x20),
    F(0xB0, "0C:02 01", RESERVED, 0x0D),
    F(0xB0, "0C:03", BAD_FIELD, 0x0C),
    F(0xD2, "0C:01", RESERVED, 0x0C),
    L(0xD2, "0C:01", NONE, -1),
    L(0xD2, "0C:02", BAD_FIELD, 0x0C),
    L(0xD3, "2F:00", UNRESOLVED, 0x2F),
    L(0xD3, "34:01", BAD_FIELD, 0x34),
    L(0xDB, "2F:00", UNRESOLVED, 0x2F),
    F(0xDB, "18:01", RESERVED, 0x18),
    F(0xD8, "0D:01", BAD_FIELD, 0x0D),
    F(0xDD, "0C:02", BAD_FIELD, 0x0C),
    F(0xDF, "0C:02", BAD_FIELD, 0x0C),
    F(0xDC, "0C:00", BAD_FIELD, 0x0C),
    /* DMA */
    L(0xC1, "0C:B0", DMA_QUEUE, 0x0C),
    L(0xCF, "3B:02", BAD_FIELD, 0x3B),
    F(0xD4, "17:30", BAD_FIELD, 0x17),
    F(0xD4, "17:00", BAD_FIELD, 0x17),
    L(0xD4, "17:10", UNRESOLVED, 0x17),
    L(0xD4, "2F:20", UNRESOLVED, 0x2F),
    L(0xD4, "17:40", BAD_FIELD, 0x17),
    L(0xD4, "17:28,10:40", BAD_REG, 0x10),
    L(0xD4, "17:2C,10:03", BAD_REG, 0x10),
    L(0xD4, "17:28,10:03 01", BAD_REG, 0x10),
    L(0xD4, "17:28,14:40", BAD_FIELD, 0x14),
    L(0xD4, "17:28,16:01", RESERVED, 0x16),
    L(0xD4, "17:28,10:03", NONE, -1),
    L(0xD4, "0F:01", DMA_DESC, 0x0F),
    L(0xD4, "0D:01", DMA_DESC, 0x0D),
    L(0xD4, "26:01", DMA_DESC, 0x26),
    L(0xD4, "24:05", DMA_DESC, 0x24),
    L(0xD4, "20:00", DMA_DESC, 0x20),
    L(0xD4, "0C:08", BAD_FIELD, 0x0C),
    /* mask byte */
    F(0x41, "02:03", NONE, -1),
    F(0x41, "02:1E", NONE, -1),
    F(0x41, "02:1F", BAD_HEADER, 2),
    F(0x41, "02:80", BAD_HEADER, 2),
    F(0x69, "02:03", BAD_HEADER, 2),
    F(0x67, "02:03", BAD_HEADER, 2),
    F(0x41, "02:20", BAD_FIELD, 2),
    F(0x41, "02:20,0C:88 08 07,1A:01,2A:01,3A:01", NONE, -1),
    F(0x41, "02:20,0C:88 08 07", BAD_FIELD, 2),
    F(0x43, "02:20", BAD_FIELD, 2),
    /* elementwise */
    F(0x41, "1A:10", BAD_FIELD, 0x20),
    F(0x41, "0E:C4", BAD_DTYPE, 0x0C),
    F(0x41, "0E:C4,0C:88 09", NONE, -1),
    F(0x41, "0E:0A", BAD_FIELD, 0x0E),
    F(0x41, "0E:20", BAD_FIELD, 0x0E),
    F(0x41, "0C:B2", BAD_DTYPE, 0x0C),
    F(0x41, "0D:0B", NONE, -1),
    F(0x51, "0C:42", BAD_DTYPE, 0x0C),
    F(0x51, "0D:05", BAD_DTYPE, 0x0D),
    F(0x43, "25:04", BAD_FIELD, 0x25),
    F(0x43, "3A:10", BAD_FIELD, 0x30),
    F(0x43, "23:02,28:40", BAD_REG, 0x28),
    F(0x43, "27:02,2D:01", BAD_REG, 0x2C),
    F(0x43, "26:04", BAD_FIELD, 0x26),
    F(0x53, "21:03", BAD_DTYPE, 0x21),
    F(0x53, "24:02 03", BAD_DTYPE, 0x20),
    F(0x53, "24:02 03,20:08 08", NONE, -1),
    F(0x93, "22:21", BAD_FIELD, 0x22),
    F(0x93, "1A:10,3A:10", BAD_FIELD, 0x10),
    F(0x9A, "27:01", BAD_FIELD, 0x2C),
    F(0x9A, "0C:04,2C:01", NONE, -1),
    F(0x9A, "3A:02", BAD_FIELD, 0x30),
    F(0x9A, "3A:01", NONE, -1),
    F(0xE6, "3A:01", BAD_FIELD, 0x30),
    F(0x9A, "24:07", BAD_FIELD, 0x24),
    F(0x9A, "25:00", BAD_FIELD, 0x25),
    F(0x9D, "2B:06", BAD_DTYPE, 0x2B),
    F(0x9D, "24:1A", BAD_FIELD, 0x24),
    F(0x9E, "28:43", BAD_DTYPE, 0x28),
    F(0x9E, "2B:03", BAD_DTYPE, 0x2B),
    F(0xE5, "2C:02", BAD_FIELD, 0x2C),
    /* folds */
    F(0x42, "38:05", BAD_FIELD, 0x2C),
    F(0x42, "38:08", NONE, -1),
    F(0x42, "38:40", BAD_FIELD, 0x2C),
    F(0x52, "23:01", BAD_FIELD, 0x23),
    F(0x52, "21:05", BAD_DTYPE, 0x21),
    F(0x83, "22:10", BAD_FIELD, 0x22),
    F(0x7C, "23:03", BAD_FIELD, 0x23),
    F(0x7C, "24:00", BAD_FIELD, 0x2C),
    F(0x7C, "28:01", BAD_FIELD, 0x28),
    F(0x7C, "23:01,28:01", NONE, -1),
    F(0x7D, "21:08", BAD_DTYPE, 0x21),
    F(0x45, "28:01", BAD_FIELD, 0x28),
    F(0x45, "24:02,28:01", NONE, -1),
    /* copies */
    F(0x46, "21:0A", BAD_DTYPE, 0x21),
    F(0x46, "20:08 0B", NONE, -1),
    F(0x47, "20:02 0B", NONE, -1),
    F(0x72, "0D:03", BAD_DTYPE, 0x0D),
    F(0x99, "0D:03", NONE, -1),
    F(0xE8, "2A:03", BAD_DTYPE, 0x2A),
    F(0xEA, "0E:00,18:00,25:09", BAD_FIELD, 0x25),
    F(0xEA, "27:02,3C:50", BAD_REG, 0x3C),
    F(0x6A, "22:30", BAD_FIELD, 0x22),
    F(0x6A, "21:03", BAD_DTYPE, 0x21),
    F(0x6B, "1E:02", BAD_FIELD, 0x2C),
    F(0x6B, "1E:02,3E:02", BAD_FIELD, 0x1E),
    F(0xBC, "10:00 00 00 3F", BAD_FIELD, 0x10),
    F(0xBC, "10:00 00 80 4B", BAD_FIELD, 0x10),
    F(0xBC, "10:00 00 80 BF", BAD_FIELD, 0x10),
    F(0xBC, "10:00 00 C0 7F", BAD_FIELD, 0x10),
    F(0xBC, "10:00 00 00 4B", NONE, -1),
    F(0xBC, "24:18", BAD_FIELD, 0x24),
    /* search, gather, fills */
    F(0x6C, "18:07", BAD_FIELD, 0x0C),
    F(0x6C, "38:07", BAD_FIELD, 0x30),
    F(0x6C, "18:01 40", BAD_FIELD, 0x0C),
    F(0x6C, "20:08", BAD_DTYPE, 0x20),
    F(0x6D, "18:09", BAD_FIELD, 0x10),
    F(0x6F, "21:03", BAD_DTYPE, 0x21),
    F(0x67, "28:21", BAD_FIELD, 0x28),
    F(0x67, "18:01 02,28:01 02", BAD_FIELD, 0x28),
    F(0x68, "38:21", BAD_FIELD, 0x2C),
    F(0x49, "1C:21", BAD_FIELD, 0x2C),
    F(0x49, "20:0C", BAD_DTYPE, 0x20),
    F(0x7E, "1A:00", BAD_FIELD, 0x1A),
    F(0x7E, "1A:02", BAD_FIELD, 0x2C),
    F(0x92, "2C:02", BAD_FIELD, 0x0C),
    F(0x92, "23:04", BAD_FIELD, 0x23),
    F(0xF2, "36:20", BAD_FIELD, 0x2C),
    F(0xBE, "2A:20", BAD_FIELD, 0x20),
    F(0xE9, "38:07", BAD_FIELD, 0x2C),
    /* random, batch normalization, activation */
    F(0x77, "38:18", BAD_FIELD, 0x2C),
    F(0x78, "26:01", BAD_FIELD, 0x20),
    F(0x78, "26:01,0E:01", NONE, -1),
    F(0x7F, "24:06", BAD_DTYPE, 0x24),
    F(0x7F, "24:06,20:07 07,23:01", NONE, -1),
    F(0x7F, "21:03", BAD_DTYPE, 0x21),
    F(0x61, "28:01", BAD_FIELD, 0x28),
    F(0x61, "38:05", BAD_FIELD, 0x30),
    F(0x62, "18:20", BAD_FIELD, 0x0C),
    F(0x63, "36:02", BAD_FIELD, 0x30),
    F(0x63, "0C:50 00 00 80", BAD_REG, 0x0C),
    F(0x94, "3E:01", BAD_FIELD, 0x3E),
    F(0x64, "18:02", BAD_FIELD, 0x10),
    F(0x8E, "24:00", BAD_FIELD, 0x24),
    F(0x65, "1A:10", BAD_FIELD, 0x20),
    F(0x9B, "32:02", BAD_FIELD, 0x2C),
    F(0x24, "20:0D", BAD_DTYPE, 0x20),
    F(0x21, "0F:01", BAD_DTYPE, 0x20),
    F(0x21, "0F:01,20:A2", NONE, -1),
    F(0x21, "0C:02", BAD_FIELD, 0x0C),
    F(0x21, "0E:04,23:04", BAD_FIELD, 0x0E),
    F(0x21, "0C:02,23:04,2C:40", BAD_REG, 0x2C),
    F(0x21, "23:0B", BAD_FIELD, 0x23),
    /* predicate machine */
    F(0xF4, "0E:08", BAD_FIELD, 0x0E),
    F(0xF4, "0D:06", BAD_FIELD, 0x0D),
    F(0xF4, "0D:26", NONE, -1),
    F(0xF4, "0C:01,14:01", RESERVED, 0x14),
    F(0xF4, "0C:0B,0E:3F,1C:00 00 00 00 00 00 00 00,28:00 00 00 00 00 00 00 00",
      NONE, -1),
    F(0xF4, "0C:0B,0E:40,1C:00 00 00 00 00 00 00 00,28:00 00 00 00 00 00 00 00",
      BAD_FIELD, 0x0E),
    F(0xF4, "11:01,18:40,1C:00 00 00 00 00 00 00 00", BAD_REG, 0x18),
    F(0xF4, "11:01,19:01,1C:00 00 00 00 00 00 00 00", RESERVED, 0x19),
    F(0xF5, "0C:03,0F:01", RESERVED, 0x0F),
    F(0xF6, "0C:03,30:01", RESERVED, 0x30),
    F(0xF6, "0C:06,10:08", BAD_FIELD, 0x10),
    F(0xF7, "11:10", BAD_FIELD, 0x11),
};

static void test_rules(void **state)
{
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *r = &rules[i];
		const struct isa_opinfo *op = isa_op(r->op);
		struct isa_verdict v;
		uint8_t b[TPB_BUNDLE];
		assert_non_null(op);
		legal(op, r->form, b);
		patch(b, r->bytes);
		isa_check(b, r->form, gen_of(op), &v);
		assert_int_equal(v.reason[0] != '\0', v.fault != 0);
		if (v.fault == r->fault && v.off == r->off)
			continue;
		print_error("0x%02X %s: code %d at 0x%02X, %s\n", r->op,
		            r->bytes, v.fault, (unsigned)v.off, v.reason);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/* What a profile lacks. */
static void test_profiles(void **state)
{
	struct isa_verdict v;
	uint8_t b[TPB_BUNDLE];

	(void)state;
	legal(isa_op(0x41), ISA_FILE, b);
	b[0x0E] = TPB_ALU_ABS_MAX;
	assert_false(isa_check(b, ISA_FILE, 3, &v));
	assert_true(isa_check(b, ISA_FILE, 4, &v));
	legal(isa_op(0x77), ISA_FILE, b);
	b[0x38] = 24;
	assert_false(isa_check(b, ISA_FILE, 3, &v));
	assert_true(isa_check(b, ISA_FILE, 4, &v));
	legal(isa_op(0xD8), ISA_FILE, b);
	assert_false(isa_check(b, ISA_FILE, 2, &v));
	assert_int_equal(v.fault, TPB_FAULT_ILLEGAL_OPCODE);
	legal(isa_op(0xA0), ISA_FILE, b);
	patch(b, "22:13,2C:81");
	assert_true(isa_check(b, ISA_FILE, 3, &v));
	assert_false(isa_check(b, ISA_FILE, 2, &v));
	assert_false(isa_check_machine(b, 4, 3, 1, &v));
	assert_true(isa_check_machine(b, 4, 3, 2, &v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_op), cmocka_unit_test(test_unknown),
	    cmocka_unit_test(test_sync),     cmocka_unit_test(test_rules),
	    cmocka_unit_test(test_profiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
