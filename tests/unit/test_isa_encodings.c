/* SPDX-License-Identifier: Apache-2.0
 *
 * Worked encodings.  The bytes were written by hand from the encoding tables
 * of the fact sheets; each must be legal, and the fields that the tables cut
 * out of it must be what the line says it means.
 *
 *   build/tests/unit/test_isa_encodings
 */
#include "isa/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* bytes: "offset:byte byte ..., offset:..."; all others 0.
 * fields: "name=value ..."; wait, wait_id, update, update_id, value are the
 * standard sync block. */
struct line {
	const char *meaning, *bytes, *fields;
	enum isa_form form;
};

static const struct line lines[] = {
    {"noop: wait s9 >= 2, s4 += 1", "00:A4 10 00 00 05 09 13 04 02 00 00 00",
     "wait=5 wait_id=9 update=0x13 update_id=4 value=2", ISA_FILE},
    {"wait s17 >= 3 and s18 >= r7, s20 += 1",
     "00:A0 10 00 00 05 11 00 00 03 00 00 00,"
     "20:85 12 13 14 07 00 00 00 00 00 00 00",
     "wait=5 wait_id=17 update=0 value=3 ext_wait=0x85 ext_wait_id=18 "
     "ext_update=0x13 ext_update_id=20 ext_wait_value=7 ext_update_value=0 "
     "remote=0",
     ISA_FILE},
    {"s20 = 5", "00:A0 10,20:00 00 19 14 00 00 00 00 05 00 00 00",
     "ext_wait=0 ext_update=0x19 ext_update_id=20 ext_update_value=5",
     ISA_FILE},
    {"s20 of core 1 += 1", "00:A0 10,22:13 14,2C:81",
     "ext_update=0x13 ext_update_id=20 remote=1 core=1", ISA_FILE},
    {"r4 := 0x12345678", "00:A7 10,0C:01 09 01,18:04,20:78 56 34 12",
     "count=1 dtype=9 source=1 dst0=4 imm0=0x12345678 imm1=0", ISA_FILE},
    {"r4 := r9", "00:A7 10,0C:01 08 00,10:09,18:04",
     "count=1 dtype=8 source=0 src0=9 dst0=4", ISA_FILE},
    {"r6:r7 := 1", "00:A7 10,0C:02 08 01,18:06 07,20:01 00 00 00 00 00 00 00",
     "count=2 dtype=8 source=1 dst0=6 dst1=7 imm0=1 imm1=0", ISA_FILE},
    {"r5 := r4 + 7", "00:A8 10,0C:04 01 02 08,10:05 04,18:07 00 00 00",
     "alu=4 present=1 wide=0 use_imm=1 dtype=8 dst=5 src1=4 src2=0 imm=7",
     ISA_FILE},
    {"r5 := r4 - r6", "00:A8 10,0C:05 01 00 08,10:05 04 06",
     "alu=5 wide=0 use_imm=0 dtype=8 dst=5 src1=4 src2=6 imm=0", ISA_FILE},
    {"r5 := r4 mod 48", "00:A8 10,0C:1B 01 02 08,10:05 04,18:30 00 00 00",
     "alu=0x1B wide=0 use_imm=1 dst=5 src1=4 imm=48", ISA_FILE},
    {"r6:r7 := r8:r9 + r10:r11", "00:A8 10,0C:04 01 01 01,10:06 08 0A 00 06 07",
     "alu=4 wide=1 use_imm=0 dtype=1 dst=6 src1=8 src2=10 src3=0 dst_lo=6 "
     "dst_hi=7",
     ISA_FILE},
    {"r6:r7 := r8:r9 + 2^32",
     "00:A8 10,0C:04 01 03 01,10:06 08 00 00 06 07,18:00 00 00 00 01 00 00 00",
     "alu=4 wide=1 use_imm=1 dtype=1 dst=6 src1=8 src2=0 imm=0x100000000",
     ISA_FILE},
    {"branch to 3 if r5 < 10",
     "00:A9 10,0C:01 08 03,10:0A 00 00 00,20:05,30:03 00 00 00 00 00 00 00",
     "cmp=1 dtype=8 target_mode=3 imm=10 lhs=5 rhs=0 target=3", ISA_FILE},
    {"branch to 3 if r5 >= r6", "00:A9 10,0C:0D 08 03,20:05 06,30:03",
     "cmp=13 dtype=8 imm=0 lhs=5 rhs=6 target=3", ISA_FILE},
    {"jump to 12", "00:A9 10,0C:00 00 03,30:0C", "cmp=0 dtype=0 target=12",
     ISA_FILE},
    {"save r5 at [r10:r11]",
     "00:AB 10,0C:08 00 01 01,10:0A 0B,17:80,18:01 00 00 00 01 00 00 00,20:05",
     "dtype=8 num0=1 num1=1 addr=0x0B0A marker=0x80 step0=1 step1=1 data0=5",
     ISA_FILE},
    {"load int64 at [r10:r11] to r6:r7",
     "00:AA 10,0C:08 00 02 01,10:0A 0B,17:80,18:01 00 00 00 01 00 00 00,"
     "20:06 07",
     "dtype=8 num0=2 num1=1 marker=0x80 data0=6 data1=7", ISA_FILE},
    {"load variable 7 + 0x20 to r5",
     "00:CE 10,0C:08 00 01 01,"
     "10:07 00 00 00 20 00 00 00 01 00 00 00 01 00 00 00,20:05",
     "dtype=8 var_id=7 var_offset=0x20 step0=1 step1=1 data0=5", ISA_FILE},
    {"the same loaded, variable 7 at 0x1000",
     "00:AA 10,0C:08 00 01 01,"
     "10:20 10 00 00 00 00 00 00 01 00 00 00 01 00 00 00,20:05",
     "addr=0x1020 marker=0 step0=1 step1=1 data0=5", ISA_LOADED},
    {"reset s10..s19", "00:B0 10,0C:01 0A 13", "mode=1 first=10 last=19",
     ISA_FILE},
    {"reset {s1, s33}", "00:B0 10,0C:02,20:02 00 00 00 02 00 00 00",
     "mode=2 first=0 last=0", ISA_FILE},
    {"barrier", "00:D5 10", "", ISA_FILE},
    {"drain", "00:A2 10,28:01", "count=1", ISA_FILE},
    {"core barrier 2, index 5", "00:D8 10,0C:02 00 00 00 05 00 00 00",
     "id=2 index=5", ISA_FILE},
    {"trigger q0, 2 blocks", "00:C1 10,0C:71 30,30:02 00 00 00", "count=2",
     ISA_FILE},
    {"the same loaded, queue 3 instance 0",
     "00:C1 10,0C:03 00,2F:01 02 00 00 00",
     "queue=3 instance=0 loaded=1 count=2", ISA_LOADED},
    {"switch to q0b, keep the cursor", "00:CF 10,0C:71 30 62,3B:01 01 00 00 00",
     "no_rearm=1 swap=1", ISA_FILE},
    {"the same loaded, queue 3 instance 1",
     "00:CF 10,0C:03 01,2F:01,3B:01 01 00 00 00",
     "queue=3 instance=1 loaded=1 no_rearm=1 swap=1", ISA_LOADED},
    {"call f", "00:D3 10,0C:66", "args=0", ISA_FILE},
    {"the same loaded, entry 40", "00:D3 10,2F:01 28 00 00 00 00 00 00 00",
     "loaded=1 target=40 args=0", ISA_LOADED},
    {"return", "00:D2 10", "", ISA_FILE},
    {"exit", "00:DF 10,0C:01", "datapath=1", ISA_FILE},
    {"global rank to r8", "00:DC 10,0C:01,17:08", "valid=1 dst=8", ISA_FILE},
    {"rank of group 2, channel 1, iteration 3, stream 5 to r8",
     "00:DB 10,0C:02 00 01 00 03 00 08 00 05 00",
     "group=2 channel=1 iteration=3 dst=8 stream=5", ISA_FILE},
    {"the same loaded, value 1",
     "00:DB 10,0C:02 00 01 00 03 00 08 00 05 00,18:01 00 00 00,2F:01",
     "group=2 channel=1 iteration=3 dst=8 stream=5 value=1 loaded=1",
     ISA_LOADED},
    {"out := x * 2 + 1, 64 floats from 0x400 to 0x800",
     "00:43 10,10:00 04 00 00 01 00 01 00 01 00 40 00 01 00 01 00 "
     "0A 0A 80 00 06 04 00 00 00 00 00 40 00 00 80 3F "
     "00 08 00 00 01 00 01 00 01 00 40 00 01 00 01 00",
     "acc=0 in_dtype=10 out_dtype=10 ch=128 imm0_kind=0 op0=6 op1=4 reverse=0 "
     "imm1_kind=0 imm0=0x40000000 imm1=0x3F800000",
     ISA_FILE},
    {"max8 of 64 floats, written backward",
     "00:6C 10,0C:00 04 00 00 01 00 01 00 01 00 01 00 40 00 01 00 01 00 01 00 "
     "0A 0A 80,30:1C 10 00 00 FF FF 00 00 08 00 01 00",
     "in_dtype=10 out_dtype=10 ch=128", ISA_FILE},
    {"match slots from there",
     "00:6D 10,10:1C 10 00 00 FF FF 00 00 08 00 01 00,20:0A 00 80",
     "dtype=10 ch=128", ISA_FILE},
    {"their indices",
     "00:6E 10,0C:00 04 00 00 01 00 01 00 01 00 01 00 40 00 01 00 01 00 01 00 "
     "0A 09 80,30:00 11 00 00 01 00 01 00 08 00 01 00",
     "in_dtype=10 out_dtype=9 ch=128", ISA_FILE},
    {"-1.0 where an uint8 mask is true",
     "00:E8 10,10:00 04 00 00 01 00 01 00 01 00 40 00 01 00 01 00 "
     "03 01 80 00 00 00 00 00 00 0A 0A 00 00 00 80 BF "
     "00 08 00 00 01 00 01 00 01 00 40 00 01 00 01 00",
     "mask_dtype=3 reversed=1 ch=128 imm0_dtype=10 out_dtype=10 imm0_kind=0 "
     "imm0=0xBF800000",
     ISA_FILE},
    {"iota 5 + 1000 p + i0 + 100 i1, 8 x 4",
     "00:7E 10,0C:05 00 00 00 01 00 64 00 01 00 01 00 08 00 04 00 01 00 01 00 "
     "00 08 80 00 E8 03 00 00 00 00 00 00 "
     "00 08 00 00 01 00 01 00 01 00 01 00 20 00 01 00 01 00 01 00",
     "base=5 step0=1 step1=100 step2=1 step3=1 num0=8 num1=4 num2=1 num3=1 "
     "out_dtype=8 ch=128 multiplier=1000",
     ISA_FILE},
    {"dropout 0.1 of 64 bf16",
     "00:7F 10,10:00 04 00 00 01 00 01 00 01 00 40 00 01 00 01 00 "
     "06 06 80 00 00 00 00 00 00 00 00 00 CD CC CC 3D "
     "00 08 00 00 01 00 01 00 01 00 40 00 01 00 01 00",
     "in_dtype=6 out_dtype=6 ch=128 rate_kind=0 rate_dtype=0 rate_type=0 "
     "rate=0x3DCCCCCD",
     ISA_FILE},
};

static void bytes_of(const char *text, uint8_t *b)
{
	size_t at = 0;

	memset(b, 0, TPB_BUNDLE);
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

static uint64_t sync_field(const uint8_t *b, const char *name, size_t len,
                           bool *found)
{
	static const char *const names[] = {"wait", "wait_id", "update",
	                                    "update_id"};

	*found = true;
	for (size_t i = 0; i < 4; i++)
		if (strlen(names[i]) == len && !strncmp(names[i], name, len))
			return b[4 + i];
	*found = len == 5 && !strncmp(name, "value", 5);
	return b[8] | (uint32_t)b[9] << 8 | (uint32_t)b[10] << 16 |
	       (uint32_t)b[11] << 24;
}

static void check_fields(const struct line *l, const uint8_t *b)
{
	const char *s = l->fields;

	while (*s) {
		size_t len = strcspn(s, "=");
		char *end;
		uint64_t want = strtoull(s + len + 1, &end, 0), have;
		const struct isa_field *f =
		    isa_field_named(b[0], l->form, s, len);
		bool sync = false;
		have = f ? isa_get(b, f) : sync_field(b, s, len, &sync);
		if (!f && !sync)
			fail_msg("%s: no field %.*s", l->meaning, (int)len, s);
		if (have != want)
			fail_msg("%s: %.*s is %llu", l->meaning, (int)len, s,
			         (unsigned long long)have);
		s = end + strspn(end, " ");
	}
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct isa_verdict v;
		uint8_t b[TPB_BUNDLE];
		bytes_of(lines[i].bytes, b);
		if (!isa_check(b, lines[i].form, 3, &v))
			fail_msg("%s: %s", lines[i].meaning, v.reason);
		assert_int_equal(v.fault, TPB_FAULT_NONE);
		check_fields(&lines[i], b);
	}
}

/* Names, masks and patterns are wider than a number. */
static void test_wide_fields(void **state)
{
	static const struct {
		uint8_t op;
		const char *name;
		enum isa_kind kind;
		int off, bytes;
	} wide[] = {
	    {0xC1, "name", ISA_NAME, 0x0C, 32},
	    {0xD3, "callee", ISA_NAME, 0x0C, 36},
	    {0xB0, "mask", ISA_BYTES, 0x20, 32},
	    {0x69, "mask", ISA_BYTES, 0x20, 32},
	    {0x43, "src", ISA_T3D, 0x10, 16},
	    {0x43, "dst", ISA_T3D, 0x30, 16},
	    {0x41, "src1", ISA_T3D, 0x20, 16},
	    {0x6C, "src", ISA_T4D, 0x0C, 20},
	    {0x6C, "dst", ISA_T2D, 0x30, 12},
	    {0x7E, "dst", ISA_T4D, 0x2C, 20},
	    {0x9B, "dst", ISA_T1D, 0x2C, 8},
	    {0xD8, "tile", ISA_T4D, 0x20, 20},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		const struct isa_field *f = isa_field_named(
		    wide[i].op, ISA_FILE, wide[i].name, strlen(wide[i].name));
		assert_non_null(f);
		assert_int_equal(f->kind, wide[i].kind);
		assert_int_equal(f->off, wide[i].off);
		assert_int_equal(f->bits, 8 * wide[i].bytes);
	}
}

/* Address words: place by the constants of the tables, word by hand. */
static void test_addresses(void **state)
{
	static const struct {
		uint32_t word;
		bool psum;
		uint32_t partition, bank, byte;
	} at[] = {
	    {0x00000400, false, 0, 0, 0x400},
	    {0x00141000, false, 5, 0, 0x1000},
	    {0x00800080, false, 32, 0, 0x80},
	    {0x01FEFFFC, false, 127, 0, 0x2FFFC},
	    {0x02001800, true, 0, 3, 0},
	    {0x02103840, true, 32, 7, 0x40},
	    {0x023FBFFC, true, 127, 7, 0x7FC},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		uint32_t w = at[i].byte;
		if (at[i].psum)
			w += TPB_PSUM_BASE_GEN3 +
			     at[i].partition * TPB_PSUM_STRIDE_GEN3 +
			     at[i].bank * TPB_PSUM_BANK_BYTES_GEN3;
		else
			w += at[i].partition * TPB_SBUF_STRIDE_GEN3;
		assert_int_equal(w, at[i].word);
	}
}

/* A register in an address word; 0x20000200 is the index word of a gather. */
static void test_register_address(void **state)
{
	static const uint8_t word[] = {0x11, 0, 0, 0x80};
	struct isa_verdict v;
	uint8_t b[TPB_BUNDLE];

	(void)state;
	bytes_of(lines[35].bytes, b);
	assert_int_equal(b[0], 0x43);
	memcpy(b + 0x10, word, 4);
	assert_true(isa_check(b, ISA_LOADED, 3, &v));
	b[0x10] = 64;
	assert_false(isa_check(b, ISA_LOADED, 3, &v));
	assert_int_equal(v.fault, TPB_FAULT_BAD_REG);
	assert_int_equal(v.off, 0x10);
	assert_int_equal(isa_enum_value("addr4", "reg", 3), 0x80);
	assert_int_equal(isa_enum_value("addr4", "indirect", 8), 0x20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_lines),
	    cmocka_unit_test(test_wide_fields),
	    cmocka_unit_test(test_addresses),
	    cmocka_unit_test(test_register_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
