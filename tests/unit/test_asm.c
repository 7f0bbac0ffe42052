/* SPDX-License-Identifier: Apache-2.0
 *
 * The assembler: worked encodings, what a program becomes, and messages.
 *
 * The expected bytes are the worked encodings of the sequencer fact sheet
 * (section 15), written by hand, and the layouts of docs/reference/decode.md.
 */
#include "compiler/asm/asm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* "A4 10; 08: 02" -> 64 bytes, all others 0. */
static void bytes_of(const char *text, uint8_t b[TPB_BUNDLE])
{
	size_t at = 0;
	char *end;

	memset(b, 0, TPB_BUNDLE);
	while (*text) {
		unsigned long v = strtoul(text, &end, 16);

		assert_true(end != text && v < 256);
		if (*end == ':') {
			at = v;
			end++;
		} else {
			assert_true(at < TPB_BUNDLE);
			b[at++] = (uint8_t)v;
		}
		for (text = end; *text == ' ' || *text == ';'; text++)
			;
	}
}

static void same_bundle(const char *what, const uint8_t *got,
                        const uint8_t *want)
{
	for (int i = 0; i < TPB_BUNDLE; i++)
		if (got[i] != want[i])
			fail_msg("%s: byte +0x%02X is %02X, not %02X", what, i,
			         got[i], want[i]);
}

static const struct {
	const char *text, *bytes;
} worked[] = {
    /* Sheet 1 section 15, in its order. */
    {"noop | wait s9 >= 2 | post s4++", "A4 10 00 00 05 09 13 04 02 00 00 00"},
    {"evsem | wait s17 >= 3 | wait s18 >= r7 | post s20++",
     "A0 10 00 00 05 11 00 00 03 00 00 00 "
     "20: 85 12 13 14 07 00 00 00 00 00 00 00"},
    {"evsem | post s20 = 5", "A0 10; 20: 00 00 19 14 00 00 00 00 05 00 00 00"},
    {"evsem | post s20++ @1", "A0 10; 22: 13 14; 2C: 81"},
    {"mov.u32 r4, 0x12345678", "A7 10; 0C: 01 09 01; 18: 04; 20: 78 56 34 12"},
    {"mov r4, r9", "A7 10; 0C: 01 08 00; 10: 09; 18: 04"},
    {"mov64 r6, 1",
     "A7 10; 0C: 02 08 01; 18: 06 07; 20: 01 00 00 00 00 00 00 00"},
    {"add r5, r4, 7", "A8 10; 0C: 04 01 02 08; 10: 05 04; 18: 07 00 00 00"},
    {"subtract r5, r4, r6", "A8 10; 0C: 05 01 00 08; 10: 05 04 06"},
    {"mod r5, r4, 48", "A8 10; 0C: 1B 01 02 08; 10: 05 04; 18: 30 00 00 00"},
    {"add64 r6, r8, r10", "A8 10; 0C: 04 01 01 01; 10: 06 08 0A 00 06 07"},
    {"add64 r6, r8, 1 << 32", "A8 10; 0C: 04 01 03 01; 10: 06 08 00 00 06 07; "
                              "18: 00 00 00 00 01 00 00 00"},
    {"blt r5, 10, 3", "A9 10; 0C: 01 08 03; 10: 0A 00 00 00; 20: 05; "
                      "30: 03 00 00 00 00 00 00 00"},
    {"bge r5, r6, 3", "A9 10; 0C: 0D 08 03; 20: 05 06; 30: 03"},
    {"jmp 12", "A9 10; 0C: 00 00 03; 30: 0C"},
    {"save [r10], r5", "AB 10; 0C: 08 00 01 01; 10: 0A 0B; 17: 80; "
                       "18: 01 00 00 00 01 00 00 00; 20: 05"},
    {"load {r6, r7}, [r10]", "AA 10; 0C: 08 00 02 01; 10: 0A 0B; 17: 80; "
                             "18: 01 00 00 00 01 00 00 00; 20: 06 07"},
    {"load r5, [var(7) + 0x20]",
     "CE 10; 0C: 08 00 01 01; "
     "10: 07 00 00 00 20 00 00 00 01 00 00 00 01 00 00 00; 20: 05"},
    {"load r5, [0x1020]",
     "AA 10; 0C: 08 00 01 01; "
     "10: 20 10 00 00 00 00 00 00 01 00 00 00 01 00 00 00; 20: 05"},
    {"greset s10..s19", "B0 10; 0C: 01 0A 13"},
    {"greset {s1, s33}", "B0 10; 0C: 02; 20: 02 00 00 00 02 00 00 00"},
    {"barrier", "D5 10"},
    {"drain 1", "A2 10; 28: 01"},
    {"cbarrier id=2, index=5", "D8 10; 0C: 02 00 00 00 05 00 00 00"},
    {"trigger name=\"q0\", count=2", "C1 10; 0C: 71 30; 30: 02 00 00 00"},
    {"trigger queue=3, instance=0, count=2",
     "C1 10; 0C: 03 00; 2F: 01 02 00 00 00"},
    {"squeue name=\"q0b\", no_rearm=1",
     "CF 10; 0C: 71 30 62; 3B: 01 01 00 00 00"},
    {"squeue queue=3, instance=1, no_rearm=1",
     "CF 10; 0C: 03 01; 2F: 01; 3B: 01 01 00 00 00"},
    {"call f", "D3 10; 0C: 66"},
    {"call @40", "D3 10; 2F: 01 28 00 00 00 00 00 00 00"},
    {"ret", "D2 10"},
    {"exit", "DF 10; 0C: 01"},
    {"rank r8", "DC 10; 0C: 01; 17: 08"},
    {"currank r8, group=2, channel=1, iteration=3, stream=5",
     "DB 10; 0C: 02 00 01 00 03 00 08 00 05 00"},
    {"currank r8, group=2, channel=1, iteration=3, stream=5, value=1",
     "DB 10; 0C: 02 00 01 00 03 00 08 00 05 00; 18: 01 00 00 00; "
     "2F: 01"},
    /* The other forms, from decode.md. */
    {"ret keep", "D2 10; 0C: 01"},
    {"halt | take e3", "A1 10 00 00 07 03"},
    {"noop | claim e255 | post !e4", "A4 10 00 00 0F FF 12 04"},
    {"noop | wait !e1 | post.early e2", "A4 10 00 00 0E 01 01 02"},
    {"noop | wait s1 == -1", "A4 10 00 00 01 01 00 00 FF FF FF FF"},
    {"noop | wait s1 < r2 | post s3 -= 2",
     "A4 10 00 00 82 01 17 03 02 00 00 00"},
    {"noop | wait s1 <= 9 | post.early s3 = 9",
     "A4 10 00 00 03 01 09 03 09 00 00 00"},
    {"noop | post s3 += r5 | wait s1 > r5",
     "A4 10 00 00 84 01 95 03 05 00 00 00"},
    {"noop | post.early s3--", "A4 10 00 00 00 00 04 03"},
    {"noop | post s3-- | val 0x11223344",
     "A4 10 00 00 00 00 14 03 44 33 22 11"},
    {"evsem | wait.ext e7 | post.std s1 -= r3 | val.wait 5",
     "A0 10 00 00 00 00 97 01 03 00 00 00; "
     "20: 06 07 00 00 05 00 00 00"},
    {"mov.f32 r4, -1.5", "A7 10; 0C: 01 0A 01; 18: 04; 20: 00 00 C0 BF"},
    {"mov.f32 r4, bits(0x7F800001)",
     "A7 10; 0C: 01 0A 01; 18: 04; 20: 01 00 80 7F"},
    {"mov r4, f32(1)", "A7 10; 0C: 01 08 01; 18: 04; 20: 00 00 80 3F"},
    {"mov {r1, r2, r3}, {5, -6, 0x7}",
     "A7 10; 0C: 03 08 01; 18: 01 02 03; "
     "20: 05 00 00 00 FA FF FF FF 07 00 00 00"},
    {"mov {r1, r2, r3}, {r3, r1, r2}",
     "A7 10; 0C: 03 08 00; 10: 03 01 02; 18: 01 02 03"},
    {"abs r5, r4", "A8 10; 0C: 19 01 00 08; 10: 05 04"},
    {"abs.u32 r5, r4, r7", "A8 10; 0C: 19 01 00 09; 10: 05 04 07"},
    {"max.none r5, r4, -2",
     "A8 10; 0C: 08 01 02 00; 10: 05 04; 18: FE FF FF FF"},
    {"beq.f32 r5, 1, 2",
     "A9 10; 0C: 03 0A 03; 10: 00 00 80 3F; 20: 05; 30: 02"},
    {"hint unlikely, 9", "DD 10; 0C: 01; 30: 09"},
    {"complete id=0x10203, ap=4", "DE 10; 0C: 03 02 01 00 04"},
    {"call f, args=9", "D3 10; 0C: 66; 30: 09"},
    {"call @40, args=9", "D3 10; 2F: 01 28; 38: 09"},
    {"save.u8 [0x10_0000_0040], {r1, r2, r3, r4}, n=(2, 2), "
     "step=(-1, 8)",
     "AB 10; 0C: 03 00 02 02; 10: 40 00 00 00 10; "
     "18: FF FF FF FF 08 00 00 00; 20: 01 02 03 04"},
    {"greset {}", "B0 10; 0C: 02"},
    {"greset {s3..s9, s0}", "B0 10; 0C: 02; 20: F9 03"},
    {"cbarrier id=1, tile=[0x400, 2:16, -1:3]",
     "D8 10; 0C: 01; 20: 00 04 00 00 02 00 FF FF 01 00 01 00 "
     "10 00 03 00 01 00 01 00"},
    {"drain count=3", "A2 10; 28: 03"},
    {"mov count=1, dtype=u32, source=imm, dst0=r4, imm0=7",
     "A7 10; 0C: 01 09 01; 18: 04; 20: 07"},
    {"drain b[0x28]=9 | wait e1", "A2 10 00 00 06 01; 28: 09"},
    {".bundle 0x10A4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -1",
     "A4 10 00 00 01; 08: 02; 0C: 03; 10: 04; 14: 05; 18: 06; 1C: 07; "
     "20: 08; 24: 09; 28: 0A; 2C: 0B; 30: 0C; 34: 0D; 38: 0E; "
     "3C: FF FF FF FF"},
};

static void worked_encodings(void **state)
{
	struct image_error err;
	uint8_t got[TPB_BUNDLE], want[TPB_BUNDLE];

	(void)state;
	for (size_t i = 0; i < sizeof(worked) / sizeof(worked[0]); i++) {
		bytes_of(worked[i].bytes, want);
		if (asm_line(worked[i].text, got, &err))
			fail_msg("%s: %s: %s", worked[i].text, err.place,
			         err.text);
		same_bundle(worked[i].text, got, want);
	}
}

static struct image *source(const char *text)
{
	struct image_error err;
	struct image *img = asm_source(text, strlen(text), "dir/p.s", &err);

	if (!img)
		fail_msg("%s: %s", err.place, err.text);
	return img;
}

/* A bundle of the image against one line. */
static void holds(const struct image *img, int engine, uint32_t pc,
                  const char *line)
{
	struct image_error err;
	uint8_t want[TPB_BUNDLE];

	assert_int_equal(asm_line(line, want, &err), 0);
	assert_true(pc < img->stream[engine].len);
	same_bundle(line, img->stream[engine].bundle[pc], want);
}

static void program(void **state)
{
	struct image *img =
	    source("\t.gen 4\n"
	           "\t.global_rank 6\n"
	           "\t.sem b = 1\n"
	           "\t.sem a\n" /* 0 is written below: gets 2 */
	           "\t.sem c\n"
	           "\t.event go\n"
	           "\t.equ N = (1 | 2) * 3\n"
	           "loop:\n"
	           "first: add r5, r4, N - 2 | post s0++ ; comment\n"
	           "\tnoop | wait a >= 1 | post b++\n"
	           "\tnoop | wait c >= 1 # comment\n"
	           "\tblt r5, later, loop + 1\n"
	           "\tjmp . + 2\n"
	           "\tcall f | take go\n"
	           "\texit\n"
	           "\t.equ later = 9\n"
	           "\t.engine PE\n"
	           "loop:\tjmp loop\n"
	           "\t.func f keep\n"
	           "\tret\n"
	           "\t.engine SP\n"
	           "\t.func f keep\n"
	           "\tnoop\n"
	           "\tret\n"
	           "\t.endfunc\n"
	           "\tgreset {a, c}\n");

	(void)state;
	assert_int_equal(img->gen, 4);
	assert_int_equal(img->rank, 6);
	assert_string_equal(img->name, "p");
	assert_int_equal(img->stream[TPB_ENGINE_SP].len, 10);
	assert_int_equal(img->stream[TPB_ENGINE_PE].len, 2);
	assert_int_equal(img->stream[TPB_ENGINE_ACT].len, 0);
	holds(img, 4, 0, "add r5, r4, 7 | post s0++");
	holds(img, 4, 1, "noop | wait s2 >= 1 | post s1++");
	holds(img, 4, 2, "noop | wait s3 >= 1");
	holds(img, 4, 3, "blt r5, 9, 1");
	holds(img, 4, 4, "jmp 6");
	holds(img, 4, 5, "call f | take e0");
	holds(img, 4, 9, "greset {s2, s3}");
	holds(img, 0, 0, "jmp 0");
	assert_int_equal(img->stream[4].line[5].line, 14);
	assert_int_equal(img->nsymbols, 5);
	assert_string_equal(img->symbol[3].name, "f");
	assert_int_equal(img->symbol[3].engine, 0);
	assert_int_equal(img->symbol[3].len, 1);
	assert_true(img->symbol[4].function && img->symbol[4].keep_sems);
	assert_int_equal(img->symbol[4].pc, 7);
	assert_int_equal(img->symbol[4].len, 2);
	image_free(img);
}

static void tensors(void **state)
{
	static const uint8_t want[24] = {0,    0,    1,   2,   3,    0,   0xFE,
	                                 0xFF, 4,    0,   0,   0,    0,   0,
	                                 0x80, 0xBF, 'h', '"', 0x10, 0x10};
	struct image *img = source(
	    ".tensor t, size=24, output\n"
	    ".tensor u, size=100, addr=0x1010\n"
	    ".tensor v, size=8, id=1\n"
	    ".data t + 2\n"
	    ".byte 1, 2, 'a' - 94\n"
	    ".data t\n.data t + 6\n"
	    ".half -2\n.word 4\n.f32 0, -1\n"
	    ".data t + 12\n.f32 -1\n"
	    ".ascii \"h\\\"\"\n"
	    ".fill.half 1, 0x1010\n"
	    ".rank core=1, group=2, iterations=2, channels=3 : 0, 1, 2, \\\n"
	    " 3, 4, 5\n"
	    "load.u16 r1, [t + 4]\n"
	    "mov64 r2, addr(v)\n"
	    "mov r4, size(u) + id(u)\n");

	(void)state;
	assert_int_equal(img->ntensors, 3);
	/* t does not fit below u, v goes behind it */
	assert_int_equal(img->tensor[0].addr, 0x1080);
	assert_int_equal(img->tensor[0].id, 2);
	assert_int_equal(img->tensor[1].id, 3);
	assert_int_equal(img->tensor[2].addr, 0x10C0);
	assert_true(img->tensor[0].output && !img->tensor[1].output);
	assert_null(img->tensor[1].init);
	assert_memory_equal(img->tensor[0].init, want, sizeof(want));
	holds(img, 4, 0, "load.u16 r1, [var(2) + 4]");
	holds(img, 4, 1, "mov64 r2, 0x10C0");
	holds(img, 4, 2, "mov r4, 103");
	assert_int_equal(img->nranks, 1);
	assert_int_equal(img->rank_table[0].iterations, 2);
	assert_int_equal(img->rank_table[0].ranks[5], 5);
	image_free(img);
}

static void loaded_form(void **state)
{
	struct image *img = source(".loaded\nf: call @f\nret keep\n"
	                           "currank r1, value=7\nload r1, [0x40]\n");

	(void)state;
	assert_true(img->loaded);
	holds(img, 4, 0, "call @0");
	image_free(img);
}

static void unchecked(void **state)
{
	struct image *img = source(".unchecked\n"
	                           "mov.u8 r1, 2\n"
	                           ".bundle 0xFF, 0, 0, 0, 0, 0, 0, 0, \\\n"
	                           " 0, 0, 0, 0, 0, 0, 0, 0x80000000\n"
	                           ".checked\nexit\n");

	(void)state;
	assert_int_equal(img->stream[4].len, 3);
	assert_int_equal(img->stream[4].bundle[0][0x0D], 3);
	assert_int_equal(img->stream[4].bundle[1][0], 0xFF);
	assert_int_equal(img->stream[4].bundle[1][63], 0x80);
	image_free(img);
}

static const struct {
	const char *text, *id, *place, *part;
} refused[] = {
    {"noop\n  frob r1\n", "ASM003", "2:3", "'frob'"},
    {"mov r64, 1", "ASM005", "1:5", "r63"},
    {"mov r4 1", "ASM002", "1:8", "comma"},
    {"mov r4, 0x100000000", "ASM005", "1:9", "32 bits"},
    {"mov r4, -0x80000001", "ASM005", "1:9", "32 bits"},
    {"mov r4, 99999999999999999999", "ASM005", "1:9", "64 bits"},
    {"mov r4, 1.5", "ASM006", "1:9", "f32("},
    {"mov.f32 r4, 0x10", "ASM001", "1:13", "bits("},
    {"mov.f32 r4, 1e99", "ASM005", "1:13", "inf"},
    {"mov.q r4, 1", "ASM003", "1:1", ".i32"},
    {"mov.u8 r4, 1", "ASM008", "1:1", "BAD_DTYPE"},
    {"mov64 r5, 1", "ASM008", "1:1", "BAD_REG"},
    {"mov {r1, r2}, {1, 2}", "ASM006", "1:5", "mov64"},
    {"mov {r1, r2, r3}, {1, 2}", "ASM005", "1:5", "as many"},
    {"mov r4, 1 / (2 - 2)", "ASM005", "1:11", "zero"},
    {"mov r4, 1 << 64", "ASM005", "1:11", "63"},
    {"mov r4, X", "ASM003", "1:9", ".equ"},
    {"mov r4, 12ab", "ASM001", "1:9", "number"},
    {"mov r4, 'ab'", "ASM001", "1:9", "character"},
    {"mov r4, \"ab", "ASM001", "1:9", "quoted"},
    {"mov r4, (1", "ASM002", "1:11", "parenthesis"},
    {"mov r4, 1 extra", "ASM002", "1:11", "'extra'"},
    {"add.f32 r1, r2, r3", "ASM008", "1:1", "BAD_DTYPE"},
    {"add64.u32 r2, r4, r6", "ASM002", "1:1", "no type"},
    {"jmp nowhere", "ASM003", "1:5", "label"},
    {"x: noop\ny: noop\nx: noop", "ASM004", "3:1", "1:1"},
    {"x: noop\n.engine ACT\njmp x", "ASM003", "3:5", "engine"},
    {"s3: noop", "ASM006", "1:1", "another name"},
    {".sem a\n.event a", "ASM004", "2:8", "1:6"},
    {"noop | wait q >= 1", "ASM003", "1:13", ".sem"},
    {"noop | wait s256 >= 1", "ASM003", "1:13", "s255"},
    {"noop | wait s1 != 1", "ASM007", "1:16", ">="},
    {"noop | wait s1 >= 1 | wait s2 >= 1", "ASM007", "1:23", "evsem"},
    {"noop | wait s1 >= 1 | post s2 += 2", "ASM007", "1:28", "evsem"},
    {"noop | wait.ext s1 >= 1", "ASM007", "1:8", "evsem"},
    {"noop | post s1++ @1", "ASM007", "1:18", "evsem"},
    {"noop | take s1", "ASM007", "1:13", "event"},
    {"noop | post !s1", "ASM007", "1:13", "event"},
    {"noop | frob s1", "ASM007", "1:8", "known"},
    {"evsem | post s1++ | post.std s2++", "ASM008", "1:1", "BAD_FIELD"},
    {"barrier | take e1", "ASM008", "1:1", "BAD_FIELD"},
    {"call g", "ASM003", "1:6", ".func"},
    {".func f\nret\n.engine PE\n.func f keep\nret", "ASM006", "4:7", "keep"},
    {"call @4", "ASM006", "1:6", ".loaded"},
    {"load r1, [t]", "ASM003", "1:11", "'t'"},
    {"load r1, [-1]", "ASM005", "1:11", "address"},
    {"load {r1, r2}, [r4], n=(3, 1)", "ASM005", "1:22", "multiply"},
    {"greset s5..s4", "ASM008", "1:1", "BAD_FIELD"},
    {"greset {s5..s4}", "ASM005", "1:9", "lower"},
    {"greset e5..e6", "ASM006", "1:8", "event"},
    {".tensor t", "ASM002", "1:9", "size"},
    {".tensor t, size=8, addr=4", "ASM005", "1:25", "multiple of 8"},
    {".tensor t, size=9, addr=8\n.tensor u, size=8, addr=16", "ASM005", "2:9",
     "overlaps"},
    {".tensor t, size=8, id=3\n.tensor u, size=8, id=3", "ASM004", "2:9",
     "id 3"},
    {".tensor t, size=2\n.data t\n.byte 1, 2, 3", "ASM005", "3:13", "past"},
    {".byte 1", "ASM010", "1:7", ".data"},
    {".byte 256", "ASM005", "1:7", "8 bits"},
    {".rank core=0, group=0, iterations=2, channels=1 : 1", "ASM005", "1:7",
     "needs 2"},
    {"noop\n.gen 2", "ASM010", "2:1", "top"},
    {".gen 5", "ASM005", "1:6", "0..4"},
    {".gen 2\ncbarrier id=1", "ASM008", "2:1", "ILLEGAL_OPCODE"},
    {".engine SPX", "ASM003", "1:9", "POOL"},
    {".frob", "ASM003", "1:1", "directive"},
    {".bundle 1", "ASM010", "1:1", ".unchecked"},
    {".endfunc", "ASM010", "1:1", "function"},
    {".equ A = B\n.equ B = 1", "ASM003", "1:10", "'B'"},
    {"drain frob=1", "ASM003", "1:7", "'frob'"},
    {"drain count=1, count=2", "ASM004", "1:16", "twice"},
    {"noop b[5]=1", "ASM005", "1:8", "sync"},
    {"noop b[0x20]=1", "ASM008", "1:1", "RESERVED"},
    {"noop @", "ASM002", "1:6", "'@'"},
    {"noop \x80", "ASM001", "1:6", "character"},
};

static void messages(void **state)
{
	struct image_error err;
	char place[32];

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		const char *t = refused[i].text;
		struct image *img = asm_source(t, strlen(t), "x.s", &err);

		if (img) {
			image_free(img);
			fail_msg("accepted: %s", t);
		}
		snprintf(place, sizeof(place), "x.s:%s", refused[i].place);
		if (strcmp(err.id, refused[i].id) || strcmp(err.place, place) ||
		    !strstr(err.text, refused[i].part) ||
		    !strchr(err.text, ';'))
			fail_msg("%s: %s %s %s", t, err.id, err.place,
			         err.text);
	}
}

static void limits(void **state)
{
	static char text[40000];
	struct image_error err;
	size_t n;

	(void)state;
	n = (size_t)snprintf(text, sizeof(text), "mov r1, ");
	memset(text + n, '(', 30000);
	assert_null(asm_source(text, n + 30000, "x.s", &err));
	assert_string_equal(err.id, "ASM009");
	memset(text + n, '-', 30000);
	assert_null(asm_source(text, n + 30000, "x.s", &err));
	/* 254 auto semaphores: 253 exist */
	n = 0;
	for (int i = 0; i < 254; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, ".sem q%d\n",
		                      i);
	assert_null(asm_source(text, n, "x.s", &err));
	assert_string_equal(err.id, "ASM009");
	assert_string_equal(err.place, "x.s:254:6");
	n = (size_t)snprintf(text, sizeof(text),
	                     ".tensor t, size=1<<29\n.data t\n");
	assert_null(asm_source(text, n, "x.s", &err));
	assert_string_equal(err.id, "ASM009");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(worked_encodings), cmocka_unit_test(program),
	    cmocka_unit_test(tensors),          cmocka_unit_test(loaded_form),
	    cmocka_unit_test(unchecked),        cmocka_unit_test(messages),
	    cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
