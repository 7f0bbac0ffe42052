/* SPDX-License-Identifier: Apache-2.0
 *
 * Three decoders, written apart from docs/reference/decode.md: the one of the
 * verilated core, the model's, and the table-driven checker of isa/.  They
 * must give the same verdict on every bundle: legal ones, legal ones with up
 * to three bytes changed, and noise.
 *
 * The core decodes five bundles at a time, one on each engine: reset, fetch,
 * and x_fault is the verdict once the bundle stands in the issue stage.
 */
#include "cmodel/tpb.h"
#include "harness/rtl.h"
#include "isa/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Bundles tried; an argument replaces it. */
static uint64_t count = 400000;

static uint64_t seed = 1;

static uint64_t rnd(uint64_t below)
{
	uint64_t z = seed += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return (z ^ z >> 31) % below;
}

/* A legal bundle of each built opcode and form, as offset-value pairs after
 * the opcode; -1 ends a row.  The bytes are those of decode.md. */
static const int templates[][24] = {
    {0xA0, 0x04, 0x05, 0x05, 9, 0x20, 0x85, 0x24, 7, 0x22, 0x13, 0x23, 4, -1},
    {0xA0, 0x22, 0x13, 0x23, 20, 0x2C, 0x80, -1},
    {0xA0, 0x20, 0x07, 0x21, 3, -1},
    {0xA1, -1},
    {0xA2, 0x28, 1, -1},
    {0xA4, 0x04, 0x05, 0x05, 9, 0x06, 0x13, 0x07, 4, 0x08, 2, -1},
    {0xA4, 0x04, 0x85, 0x06, 0x99, 0x08, 63, -1},
    {0xA4, 0x04, 0x0F, 0x05, 200, -1},
    {0xA7, 0x0C, 1, 0x0D, 9, 0x0E, 1, 0x18, 4, 0x20, 0x78, 0x23, 0x12, -1},
    {0xA7, 0x0C, 1, 0x0D, 8, 0x10, 9, 0x18, 4, -1},
    {0xA7, 0x0C, 2, 0x0D, 8, 0x0E, 1, 0x18, 6, 0x19, 7, 0x27, 0x80, -1},
    {0xA7, 0x0C, 8, 0x0D, 10, 0x10, 63, 0x17, 5, 0x18, 1, 0x1F, 2, -1},
    {0xA7, 0x0C, 3, 0x0D, 10, 0x0E, 1, 0x18, 1, 0x1A, 2, 0x2B, 9, -1},
    {0xA8, 0x0C, 4, 0x0D, 1, 0x0E, 2, 0x0F, 8, 0x10, 5, 0x11, 4, 0x18, 7, -1},
    {0xA8, 0x0C, 0x1B, 0x0D, 1, 0x10, 5, 0x11, 4, 0x12, 6, -1},
    {0xA8, 0x0C, 4, 0x0D, 1,  0x0E, 1, 0x0F, 1, 0x10,
     6,    0x11, 8, 0x12, 10, 0x14, 6, 0x15, 7, -1},
    {0xA8, 0x0C, 4, 0x0D, 1, 0x0E, 3, 0x0F, 1, 0x10, 6, 0x14, 6, 0x15, 7, 0x1C,
     1, -1},
    {0xA9, 0x0C, 1, 0x0D, 8, 0x0E, 3, 0x10, 10, 0x20, 5, 0x30, 3, -1},
    {0xA9, 0x0C, 13, 0x0D, 10, 0x0E, 3, 0x20, 5, 0x21, 6, 0x30, 3, -1},
    {0xA9, 0x0E, 3, 0x30, 12, -1},
    {0xAA, 0x0C, 1, 0x0E, 1, 0x0F, 1, 0x10, 10, 0x11, 11, 0x17, 0x80, 0x20, 6,
     -1},
    {0xAB, 0x0C, 8, 0x0E, 2, 0x0F, 3, 0x10, 0x20, 0x14, 0x10, 0x25, 9, -1},
    {0xAA, 0x0C, 3, 0x0E, 32, 0x0F, 1, 0x17, 0x80, 0x11, 1, 0x3F, 63, -1},
    {0xB0, 0x0C, 1, 0x0D, 10, 0x0E, 19, -1},
    {0xB0, 0x0C, 2, 0x20, 2, 0x24, 2, 0x3F, 1, -1},
    {0xD2, -1},
    {0xD2, 0x0C, 1, -1},
    {0xD3, 0x2F, 1, 0x30, 40, 0x38, 7, -1},
    {0xD5, 0x04, 0x05, 0x05, 1, 0x08, 9, -1},
    {0xD8, 0x0C, 2, 0x10, 5, 0x20, 9, 0x33, 1, -1},
    {0xDB, 0x0C, 2, 0x0E, 1, 0x10, 3, 0x12, 8, 0x14, 5, 0x18, 1, 0x2F, 1, -1},
    {0xDC, 0x0C, 1, 0x17, 8, -1},
    {0xDD, 0x0C, 1, 0x30, 9, -1},
    {0xDE, 0x0C, 9, 0x10, 1, -1},
    {0xDF, 0x0C, 1, -1},
    {0xC1, 0x0C, 3, 0x0D, 0xFF, 0x2F, 1, 0x30, 2, -1},
    {0xC2, 0x0C, 15, 0x2F, 1, -1},
    {0xCF, 0x0C, 1, 0x0D, 2, 0x2F, 1, 0x3B, 1, 0x3C, 1, -1},
};

#define NSCALAR (sizeof(templates) / sizeof(*templates))

/* Bundles of the vector units: opcode, patterns as (offset, dims, elements),
 * then other bytes. */
struct vector {
	uint8_t op;
	uint8_t pattern[3][3];
	int set[20];
};

static const struct vector vectors[] = {
    {0x41,
     {{0x10, 3, 8}, {0x20, 3, 8}, {0x30, 3, 8}},
     {0x0C, 0xA6, 0x0D, 10, 0x0E, 0x1B, 0x0F, 128, -1}},
    {0x41,
     {{0x10, 3, 8}, {0x20, 3, 8}, {0x30, 3, 8}},
     {0x0C, 0x98, 0x0D, 8, 0x0E, 0xC7, 0x0F, 1, -1}},
    {0x51,
     {{0x10, 3, 8}, {0x20, 3, 8}, {0x30, 3, 8}},
     {0x0C, 0x54, 0x0D, 4, 0x0E, 0x0B, 0x0F, 33, -1}},
    {0x43,
     {{0x10, 3, 8}, {0x30, 3, 8}},
     {0x20, 10, 0x21, 11, 0x22, 128, 0x24, 6, 0x25, 4, 0x26, 3, 0x2B, 0x40,
      -1}},
    {0x43,
     {{0x10, 3, 8}, {0x30, 3, 8}},
     {0x20, 13, 0x21, 3, 0x22, 9, 0x23, 2, 0x24, 4, 0x27, 1, 0x28, 63, -1}},
    {0x53,
     {{0x10, 3, 8}, {0x30, 3, 8}},
     {0x20, 8, 0x21, 8, 0x22, 64, 0x24, 2, 0x25, 3, 0x28, 3, -1}},
    {0x9A,
     {{0x10, 3, 8}, {0x30, 3, 1}},
     {0x0C, 4, 0x20, 7, 0x21, 10, 0x22, 2, 0x24, 6, 0x25, 8, 0x2F, 0x3F, -1}},
    {0xE6,
     {{0x10, 3, 8}, {0x30, 3, 8}},
     {0x0C, 3, 0x20, 6, 0x21, 6, 0x22, 32, 0x24, 0x13, 0x25, 4, -1}},
    {0x42,
     {{0x0C, 4, 8}, {0x2C, 4, 2}},
     {0x20, 10, 0x21, 10, 0x22, 128, 0x23, 1, 0x24, 4, 0x25, 2, -1}},
    {0x52,
     {{0x0C, 4, 8}, {0x2C, 4, 8}},
     {0x20, 3, 0x21, 2, 0x22, 5, 0x24, 0x0C, 0x25, 5, -1}},
    {0x46, {{0x0C, 4, 9}, {0x2C, 4, 9}}, {0x20, 11, 0x21, 8, 0x22, 3, -1}},
    {0x47, {{0x0C, 4, 9}, {0x2C, 4, 9}}, {0x20, 14, 0x21, 9, 0x22, 3, -1}},
    {0x48, {{0x0C, 4, 9}, {0x2C, 4, 9}}, {0x20, 10, 0x21, 6, 0x22, 128, -1}},
    {0x49, {{0x2C, 4, 7}}, {0x1C, 7, 0x20, 11, 0x22, 128, 0x29, 0xFF, -1}},
    {0x6C, {{0x0C, 4, 64}, {0x30, 2, 8}}, {0x20, 10, 0x21, 11, 0x22, 1, -1}},
    {0x6D, {{0x10, 2, 8}}, {0x20, 10, 0x22, 128, -1}},
    {0x6E, {{0x0C, 4, 64}, {0x30, 2, 8}}, {0x20, 15, 0x21, 5, 0x22, 1, -1}},
    {0x6F,
     {{0x0C, 4, 64}, {0x2C, 4, 64}},
     {0x20, 10, 0x21, 10, 0x22, 128, 0x2A, 0x80, 0x2B, 0xFF, -1}},
    {0x72,
     {{0x10, 3, 8}, {0x20, 3, 8}, {0x30, 3, 8}},
     {0x0C, 0xA3, 0x0D, 10, 0x0F, 128, -1}},
    {0x99,
     {{0x10, 3, 8}, {0x20, 3, 8}, {0x30, 3, 8}},
     {0x0C, 0x68, 0x0D, 10, 0x0F, 96, -1}},
    {0xE8,
     {{0x10, 3, 8}, {0x30, 3, 8}},
     {0x20, 3, 0x21, 1, 0x22, 128, 0x29, 10, 0x2A, 10, 0x2F, 0xBF, -1}},
    {0x9B, {{0x2C, 1, 1}}, {0x1C, 1, 0x20, 11, 0x21, 1, 0x22, 128, -1}},
    {0x7E,
     {{0x2C, 4, 8}},
     {0x0C, 5, 0x10, 1, 0x18, 2, 0x1A, 4, 0x1C, 1, 0x1E, 1, 0x21, 8, 0x22, 128,
      0x25, 3, -1}},
};

#define NVECTOR (sizeof(vectors) / sizeof(*vectors))
#define NTEMPLATES (NSCALAR + NVECTOR)

static void set_bytes(uint8_t b[TPB_BUNDLE], const int *p)
{
	for (; p[0] >= 0; p += 2)
		b[p[0]] = (uint8_t)p[1];
}

static void from_vector(uint8_t b[TPB_BUNDLE], const struct vector *v)
{
	b[0] = v->op;
	for (int i = 0; i < 3 && v->pattern[i][0]; i++) {
		uint8_t *p = b + v->pattern[i][0];
		int dims = v->pattern[i][1];

		for (int d = 0; d < dims; d++) {
			p[4 + 2 * d] = 1;
			p[4 + 2 * dims + 2 * d] = 1;
		}
		p[4 + 2 * dims] = v->pattern[i][2];
	}
	set_bytes(b, v->set);
}

static void from_template(uint8_t b[TPB_BUNDLE], size_t t)
{
	memset(b, 0, TPB_BUNDLE);
	b[1] = 0x10;
	if (t >= NSCALAR) {
		from_vector(b, &vectors[t - NSCALAR]);
		return;
	}
	b[0] = (uint8_t)templates[t][0];
	set_bytes(b, templates[t] + 1);
}

/* Change one byte: to any value, a small one, or by a bit. */
static void mutate(uint8_t b[TPB_BUNDLE])
{
	uint8_t *p = b + rnd(TPB_BUNDLE);

	switch (rnd(4)) {
	case 0: *p = (uint8_t)rnd(256); break;
	case 1: *p = (uint8_t)rnd(16); break;
	case 2: *p ^= (uint8_t)(1u << rnd(8)); break;
	default: *p = (uint8_t)(*p + 1); break;
	}
}

static void make(uint8_t b[TPB_BUNDLE])
{
	uint64_t how = rnd(64);

	if (how == 0) {
		for (int i = 0; i < TPB_BUNDLE; i++)
			b[i] = (uint8_t)rnd(256);
		return;
	}
	from_template(b, rnd(NTEMPLATES));
	if (how == 1)
		b[0] = (uint8_t)rnd(256);
	/* Bytes 0..3 seldom: a bad header hides every higher code. */
	for (uint64_t n = rnd(4); n > 0; n--) {
		uint8_t keep[4];
		memcpy(keep, b, 4);
		mutate(b);
		if (rnd(8))
			memcpy(b, keep, 4);
	}
}

static int checked(int engine, const uint8_t b[TPB_BUNDLE])
{
	struct isa_verdict v;

	isa_check_machine(b, engine, 3, 1, &v);
	return v.fault;
}

static void core_verdicts(struct rtl *r, uint8_t b[][TPB_BUNDLE], int *verdict)
{
	struct rtl_in in = {.dram_ready = true};

	rtl_reset(r);
	rtl_edge(r, &in); /* cycle 0: bundle 0 is asked for */
	for (int e = 0; e < TPB_ENGINES; e++)
		in.fetch_data[e] = b[e];
	rtl_edge(r, &in); /* cycle 1: it enters the issue stage */
	for (int e = 0; e < TPB_ENGINES; e++) {
		static const char *const name[] = {"PE.x_fault", "ACT.x_fault",
		                                   "POOL.x_fault",
		                                   "DVE.x_fault", "SP.x_fault"};
		int i;
		verdict[e] = *(uint8_t *)rtl_field(r, state_find(name[e], &i));
	}
}

static void fail_on(const uint8_t b[TPB_BUNDLE], int core, int model, int isa)
{
	char hex[3 * TPB_BUNDLE + 1];

	for (int i = 0; i < TPB_BUNDLE; i++)
		snprintf(hex + 3 * i, 4, "%02X ", b[i]);
	fail_msg("core %d, model %d, checker %d: %s", core, model, isa, hex);
}

static void three_opinions(void **state)
{
	static const struct rtl_program endless = {.len = {9, 9, 9, 9, 9}};
	struct tpb_config cfg = {.gen = 3,
	                         .sbuf_part_bytes = rtl_sbuf_part_bytes()};
	struct rtl *r = rtl_new(&endless);
	uint64_t seen[32] = {0};

	(void)state;
	assert_non_null(r);
	for (uint64_t n = 0; n < count; n += TPB_ENGINES) {
		uint8_t b[TPB_ENGINES][TPB_BUNDLE];
		int core[TPB_ENGINES];
		for (int e = 0; e < TPB_ENGINES; e++)
			make(b[e]);
		core_verdicts(r, b, core);
		for (int e = 0; e < TPB_ENGINES; e++) {
			int model = tpb_decode(&cfg, e, b[e], false);
			int isa = checked(e, b[e]);
			if (core[e] != model || model != isa)
				fail_on(b[e], core[e], model, isa);
			seen[model & 31]++;
		}
	}
	rtl_free(r);
	/* Every decode verdict must have come up, and often. */
	for (int code = TPB_FAULT_NONE; code <= TPB_FAULT_BAD_REG; code++)
		if (code != TPB_FAULT_END_OF_STREAM)
			assert_true(seen[code] > count / 1000);
}

/* The templates themselves are legal on all three sides. */
static void templates_are_legal(void **state)
{
	struct tpb_config cfg = {.gen = 3};

	(void)state;
	for (size_t t = 0; t < NTEMPLATES; t++) {
		uint8_t b[TPB_BUNDLE];
		from_template(b, t);
		int e = strchr(isa_op(b[0])->engines, 'D') ? 3 : 2;
		int model = tpb_decode(&cfg, e, b, false), isa = checked(e, b);
		if (model || isa)
			fail_on(b, -1, model, isa);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(templates_are_legal),
	    cmocka_unit_test(three_opinions),
	};

	if (argc > 1)
		count = strtoull(argv[1], NULL, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
