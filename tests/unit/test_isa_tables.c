/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables against themselves and against numbers that the fact sheets
 * state: no field overlaps another, names are unique, rosters and counts
 * are those of the sheets.
 *
 *   build/tests/unit/test_isa_tables
 */
#include "isa/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_opcodes_unique(void **state)
{
	const struct isa_opinfo *a, *b;

	(void)state;
	for (int i = 0; (a = isa_op_at(i)) != NULL; i++) {
		for (int j = 0; j < i; j++) {
			b = isa_op_at(j);
			assert_int_not_equal(a->code, b->code);
			assert_string_not_equal(a->name, b->name);
			assert_string_not_equal(a->mnemonic, b->mnemonic);
		}
		assert_ptr_equal(isa_op(a->code), a);
		assert_ptr_equal(isa_op_named(a->mnemonic, strlen(a->mnemonic)),
		                 a);
		assert_true(strspn(a->engines, "PAGDS") == strlen(a->engines));
		assert_true(strspn(a->gens, "234") == strlen(a->gens));
		assert_true(strlen(a->gens) > 0 && strlen(a->text) > 0);
	}
	assert_null(isa_op(0xFF));
	assert_null(isa_op_named("no", 2));
	assert_null(isa_op_at(-1));
}

/* Bits that the fields of a form take; fails on an overlap. */
static uint64_t bytes_taken(const struct isa_opinfo *op, int form)
{
	uint64_t bit[8] = {0}, bytes = 0;

	for (int i = 0; i < op->nfields; i++) {
		const struct isa_field *f = &op->field[i];
		if (!(f->forms >> form & 1))
			continue;
		for (unsigned k = 0; k < f->bits; k++) {
			unsigned at = 8u * f->off + f->lsb + k;
			if (at < 96 || at >= 512)
				fail_msg("%s.%s leaves the payload", op->name,
				         f->name);
			if (bit[at / 64] >> at % 64 & 1)
				fail_msg("%s.%s overlaps", op->name, f->name);
			bit[at / 64] |= 1ull << at % 64;
			bytes |= 1ull << at / 8;
		}
	}
	return bytes;
}

static void check_kind(const struct isa_opinfo *op, const struct isa_field *f)
{
	static const int sizes[] = {64, 96, 128, 160};

	assert_true(strspn(f->name, "abcdefghijklmnopqrstuvwxyz_0123456789") ==
	            strlen(f->name));
	assert_true(f->forms >= 1 && f->forms <= 3);
	assert_true(f->lsb < 8);
	switch (f->kind) {
	case ISA_ENUM: assert_non_null(f->group); break;
	case ISA_F32:
	case ISA_ADDR4:
	case ISA_TARGET: assert_int_equal(f->bits, 32); break;
	case ISA_ADDR8: assert_int_equal(f->bits, 64); break;
	case ISA_T1D:
	case ISA_T2D:
	case ISA_T3D:
	case ISA_T4D:
		assert_int_equal(f->bits, sizes[f->kind - ISA_T1D]);
		break;
	default:
		if (f->kind != ISA_NAME && f->kind != ISA_BYTES && f->bits > 64)
			fail_msg("%s.%s is too wide", op->name, f->name);
	}
	if (f->kind != ISA_ENUM)
		assert_null(f->group);
}

static void test_fields(void **state)
{
	const struct isa_opinfo *op;

	(void)state;
	for (int i = 0; (op = isa_op_at(i)) != NULL; i++) {
		for (int form = 0; form < 2; form++)
			assert_true(
			    (bytes_taken(op, form) | 0xFFF) ==
			    isa_named_bytes(op->code, (enum isa_form)form));
		for (int f = 0; f < op->nfields; f++) {
			const struct isa_field *a = &op->field[f];
			check_kind(op, a);
			for (int g = 0; g < f; g++) {
				const struct isa_field *b = &op->field[g];
				if (a->forms & b->forms)
					assert_string_not_equal(a->name,
					                        b->name);
			}
		}
	}
}

/* Every field keeps what is written to it and touches nothing else. */
static void test_get_set(void **state)
{
	static const uint64_t words[] = {0, ~0ull, 0x5A5A5A5A5A5A5A5A,
	                                 0x0123456789ABCDEF};
	const struct isa_opinfo *op;

	(void)state;
	for (int i = 0; (op = isa_op_at(i)) != NULL; i++) {
		for (int k = 0; k < op->nfields * 4; k++) {
			const struct isa_field *f = &op->field[k / 4];
			uint64_t v = words[k % 4], mask, want;
			uint8_t b[TPB_BUNDLE];
			if (f->bits > 64)
				continue;
			mask = f->bits < 64 ? (1ull << f->bits) - 1 : ~0ull;
			want = v & mask;
			if (f->kind == ISA_SINT && want >> (f->bits - 1))
				want |= ~mask;
			memset(b, 0xC3, sizeof(b));
			isa_set(b, f, v);
			assert_true(isa_get(b, f) == want);
			isa_set(b, f, 0xC3C3C3C3C3C3C3C3 >> f->lsb);
			for (int j = 0; j < TPB_BUNDLE; j++)
				assert_int_equal(b[j], 0xC3);
		}
	}
}

/* Bytes named in docs/reference/decode.md, per row of its table. */
static const struct {
	uint8_t op;
	uint8_t range[8][2];
} decode_rows[] = {
    {0xA0, {{0x20, 0x2C}}},
    {0xA1, {{0}}},
    {0xA2, {{0x28, 0x28}}},
    {0xA4, {{0}}},
    {0xA7, {{0x0C, 0x0E}, {0x10, 0x3F}}},
    {0xA8, {{0x0C, 0x15}, {0x18, 0x1F}}},
    {0xA9, {{0x0C, 0x0E}, {0x10, 0x13}, {0x20, 0x21}, {0x30, 0x37}}},
    {0xAA, {{0x0C, 0x3F}}},
    {0xAB, {{0x0C, 0x3F}}},
    {0xB0, {{0x0C, 0x0E}, {0x20, 0x3F}}},
    {0xD2, {{0x0C, 0x0C}}},
    {0xD3, {{0x2F, 0x3B}}},
    {0xD5, {{0}}},
    {0xD8, {{0x0C, 0x13}, {0x20, 0x33}}},
    {0xDB,
     {{0x0C, 0x0C},
      {0x0E, 0x0E},
      {0x10, 0x10},
      {0x12, 0x12},
      {0x14, 0x15},
      {0x18, 0x1B},
      {0x2F, 0x2F}}},
    {0xDC, {{0x0C, 0x0C}, {0x17, 0x17}}},
    {0xDD, {{0x0C, 0x0C}, {0x30, 0x37}}},
    {0xDE, {{0x0C, 0x10}}},
    {0xDF, {{0x0C, 0x0C}}},
    {0xC1, {{0x0C, 0x0D}, {0x2F, 0x33}}},
    {0xC2, {{0x0C, 0x0D}, {0x2F, 0x2F}}},
    {0xCF, {{0x0C, 0x0D}, {0x2F, 0x2F}, {0x3B, 0x3F}}},
    {0x41, {{0x0C, 0x3F}}},
    {0x51, {{0x0C, 0x3F}}},
    {0x43, {{0x0C, 0x0C}, {0x10, 0x3F}}},
    {0x53, {{0x0C, 0x0C}, {0x10, 0x3F}}},
    {0x9A, {{0x0C, 0x0C}, {0x10, 0x3F}}},
    {0xE6, {{0x0C, 0x0C}, {0x10, 0x3F}}},
    {0x42, {{0x0C, 0x25}, {0x2C, 0x3F}}},
    {0x52, {{0x0C, 0x25}, {0x2C, 0x3F}}},
    {0x46, {{0x0C, 0x22}, {0x25, 0x25}, {0x2C, 0x3F}}},
    {0x47, {{0x0C, 0x22}, {0x25, 0x25}, {0x2C, 0x3F}}},
    {0x48, {{0x0C, 0x22}, {0x25, 0x25}, {0x2C, 0x3F}}},
    {0x49, {{0x1C, 0x20}, {0x22, 0x22}, {0x24, 0x24}, {0x28, 0x3F}}},
    {0x6C, {{0x0C, 0x22}, {0x30, 0x3B}}},
    {0x6D, {{0x10, 0x1B}, {0x20, 0x20}, {0x22, 0x22}}},
    {0x6E, {{0x0C, 0x22}, {0x30, 0x3B}}},
    {0x6F, {{0x0C, 0x22}, {0x28, 0x3F}}},
    {0x72, {{0x0C, 0x3F}}},
    {0x99, {{0x0C, 0x3F}}},
    {0xE8, {{0x10, 0x22}, {0x29, 0x3F}}},
    {0x9B, {{0x1C, 0x22}, {0x2C, 0x33}}},
    {0x7E, {{0x0C, 0x1F}, {0x21, 0x22}, {0x24, 0x27}, {0x2C, 0x3F}}},
};

static void test_decode_rows(void **state)
{
	const struct isa_opinfo *op;
	int built = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(decode_rows) / sizeof(decode_rows[0]);
	     i++) {
		uint64_t want = 0xFFF;
		for (int r = 0; r < 8 && decode_rows[i].range[r][0]; r++)
			for (int b = decode_rows[i].range[r][0];
			     b <= decode_rows[i].range[r][1]; b++)
				want |= 1ull << b;
		assert_true(isa_named_bytes(decode_rows[i].op, ISA_LOADED) ==
		            want);
		assert_true(isa_op(decode_rows[i].op)->built);
	}
	for (int i = 0; (op = isa_op_at(i)) != NULL; i++)
		built += op->built;
	assert_int_equal(built, sizeof(decode_rows) / sizeof(decode_rows[0]));
}

/* ---- numbers of the sheets ---- */

static int allowed(uint8_t op, const char *field)
{
	const struct isa_field *f =
	    isa_field_named(op, ISA_FILE, field, strlen(field));
	int n = 0;

	assert_non_null(f);
	for (uint64_t v = 0; v < 256; v++)
		n += isa_field_allows(f, v, 3);
	return n;
}

static int named(const char *group)
{
	int n = 0;

	for (uint64_t v = 0; v < 256; v++)
		n += isa_enum_text(group, v) != NULL;
	return n;
}

static void test_counts(void **state)
{
	(void)state;
	assert_int_equal(allowed(0xA8, "alu"), 28);
	assert_int_equal(allowed(0xA8, "dtype"), 5);
	assert_int_equal(allowed(0xA9, "cmp"), 13);  /* jump, 12 predicates */
	assert_int_equal(allowed(0xA9, "dtype"), 8); /* 7, and 0 of a jump */
	assert_int_equal(allowed(0xA7, "dtype"), 3);
	assert_int_equal(allowed(0xAA, "dtype"), 8);
	assert_int_equal(allowed(0x41, "in0_dtype"), 12);
	assert_int_equal(allowed(0x41, "out_dtype"), 13);
	assert_int_equal(allowed(0x41, "alu"), 20 + 5);
	assert_int_equal(allowed(0x43, "op0"), 20);
	assert_int_equal(allowed(0x9D, "op0"), 16);
	assert_int_equal(allowed(0x51, "alu"), 8);
	assert_int_equal(allowed(0x9A, "op1"), 5);
	assert_int_equal(allowed(0x92, "cmp"), 6);
	assert_int_equal(named("wait"), 15);
	assert_int_equal(named("update"), 21);
	assert_int_equal(named("fault"), 18);
	assert_int_equal(named("dtype"), 16);
	assert_int_equal(named("act"), 30);
	assert_int_equal(named("cross"), 6);
	assert_int_equal(named("queue_type"), 9);
}

/* Opcodes of an engine in a profile: the rosters of the vector sheet. */
static void test_rosters(void **state)
{
	static const uint8_t dve3[] = {
	    0x41, 0x42, 0x43, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4D, 0x51, 0x52,
	    0x53, 0x61, 0x62, 0x63, 0x64, 0x65, 0x69, 0x6A, 0x6B, 0x6C, 0x6D,
	    0x6E, 0x6F, 0x72, 0x7F, 0x82, 0x83, 0x84, 0x8E, 0x93, 0x94, 0x99,
	    0x9A, 0x9B, 0x9D, 0x9E, 0xBC, 0xE5, 0xE6, 0xE8, 0xE9, 0xEA, 0x78};
	static const uint8_t pool3[] = {
	    0x41, 0x45, 0x46, 0x47, 0x49, 0x4D, 0x51, 0x52, 0x67, 0x68,
	    0x77, 0x78, 0x7C, 0x7D, 0x7E, 0x7F, 0x92, 0xBE, 0xF2};
	static const uint8_t act3[] = {0x21, 0x23, 0x24};
	static const uint8_t not_gen2[] = {0xBC, 0xBE, 0xE9, 0xF2, 0x77,
	                                   0x93, 0x9A, 0x9B, 0xE6};
	const struct isa_opinfo *op;

	(void)state;
	for (int i = 0; (op = isa_op_at(i)) != NULL; i++) {
		bool g3 = strchr(op->gens, '3') != NULL;
		bool on_dve = memchr(dve3, op->code, sizeof(dve3)) != NULL;
		bool on_pool = memchr(pool3, op->code, sizeof(pool3)) != NULL;
		if (strcmp(op->klass, "VEC"))
			continue;
		/* 0x77 is on the vector engine from gen4 on */
		if (g3 && op->code != 0x77)
			assert_int_equal(strchr(op->engines, 'D') != NULL,
			                 on_dve);
		if (g3)
			assert_int_equal(strchr(op->engines, 'G') != NULL,
			                 on_pool);
		assert_int_equal(strchr(op->engines, 'A') != NULL,
		                 memchr(act3, op->code, 3) != NULL);
		assert_null(strchr(op->engines, 'P'));
		if (memchr(not_gen2, op->code, sizeof(not_gen2)))
			assert_null(strchr(op->gens, '2'));
		else if (*op->engines && g3)
			assert_non_null(strchr(op->gens, '2'));
	}
}

/* Numbers of the IR: bytes and negations of the enumeration pages. */
static void test_bir(void **state)
{
	static const uint8_t dtype[] = {3, 2, 16, 13, 14, 14, 3,  15, 14, 15,
	                                5, 4, 6,  7,  9,  8,  10, 11, 1,  12};
	static const uint8_t bytes[] = {1, 1, 2, 1, 1, 1, 1, 1, 4, 4,
	                                2, 2, 2, 2, 4, 4, 4, 4, 8, 8};
	static const int alu[] = {
	    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A,
	    0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, 0x18, 0x13, 0x14,
	    0x16, 0x15, -1,   -1,   0x1A, 0x1B, 0x1D, 0x19, 0x20, 0x21, 0xC8};

	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_int_equal(isa_bir_wire("DTYPE", i), dtype[i]);
		assert_int_equal(isa_bir_extra("DTYPE", i), bytes[i]);
		if (i != TPB_BIR_DTYPE_FP8E4X4 && i != TPB_BIR_DTYPE_FP8E5X4)
			assert_int_equal(isa_dtype_size(dtype[i]), bytes[i]);
	}
	for (int i = 0; i < 33; i++)
		assert_int_equal(isa_bir_wire("ALU", i), alu[i]);
	for (int i = 0; i < 12; i++) {
		/* wire: immediate forms 1..6, register forms 8 more */
		int wire = isa_bir_wire("CMP", i);
		int not = isa_bir_extra("CMP", i);
		assert_int_equal(wire, i < 6 ? i + 1 : i + 3);
		assert_int_equal(isa_bir_extra("CMP", not ), i);
		assert_int_equal(not < 6, i < 6);
	}
	assert_int_equal(isa_bir_extra("CMP", TPB_BIR_CMP_LT_REG), 10);
	assert_int_equal(isa_bir_wire("WAIT", 0), 0x07);
	assert_int_equal(isa_bir_wire("WAIT", 2), 0x85);
	assert_int_equal(isa_bir_wire("UPDATE", 3), 0x13);
	assert_int_equal(isa_bir_wire("UPDATE", 6), -1);
	assert_int_equal(isa_bir_wire("ALU", 33), -1);
	assert_int_equal(isa_bir_wire("NONE", 0), -1);
}

/* A text means one value of its group, and a value one text. */
static void test_enums_unique(void **state)
{
	static const char *const groups[] = {
#define ENUM_BEGIN(group, bits, text) #group,
#define ENUM_VALUE(GROUP, NAME, value, text, meaning)
#define ENUM_END(group)
#include "isa/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END
	};
	static const struct {
		const char *group, *text;
		int64_t value;
	} values[] = {
#define ENUM_BEGIN(group, bits, text) {#group, "", bits},
#define ENUM_VALUE(GROUP, NAME, value, text, meaning) {NULL, text, value},
#define ENUM_END(group)
#include "isa/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END
	};
	const char *group = NULL;
	int64_t bits = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (values[i].group) {
			group = values[i].group;
			bits = values[i].value;
			continue;
		}
		const char *t = values[i].text;
		int64_t v = values[i].value;
		assert_int_equal(isa_enum_value(group, t, strlen(t)), v);
		assert_string_equal(isa_enum_text(group, (uint64_t)v), t);
		assert_true(v >= 0 && v >> bits == 0);
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(groups[i], groups[j]);
}

static void test_enum_text(void **state)
{
	(void)state;
	assert_string_equal(isa_enum_text("fault", 5), "RESERVED");
	assert_string_equal(isa_enum_text("engine", 4), "SP");
	assert_null(isa_enum_text("fault", 31));
	assert_null(isa_enum_text("nothing", 0));
	assert_int_equal(isa_enum_value("alu", "rsqrt", 5), 0x1D);
	assert_int_equal(isa_enum_value("alu", "rsqr", 4), -1);
	assert_int_equal(isa_enum_value("nothing", "x", 1), -1);
	assert_int_equal(TPB_SBUF_BYTES_GEN3, 0x38000);
	assert_int_equal(TPB_SBUF_BYTES_GEN4, 0x40000);
	assert_int_equal(TPB_PSUM_BASE_GEN2, 0x2000000);
	assert_int_equal(TPB_PSUM_BYTES_GEN3,
	                 TPB_PSUM_BANKS_GEN3 * TPB_PSUM_BANK_BYTES_GEN3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_opcodes_unique),
	    cmocka_unit_test(test_fields),
	    cmocka_unit_test(test_get_set),
	    cmocka_unit_test(test_decode_rows),
	    cmocka_unit_test(test_counts),
	    cmocka_unit_test(test_rosters),
	    cmocka_unit_test(test_bir),
	    cmocka_unit_test(test_enums_unique),
	    cmocka_unit_test(test_enum_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
