/* SPDX-License-Identifier: Apache-2.0
 *
 * asm(dis(x)) = x: random legal bundles of every opcode in both forms.
 *
 * Bundles are filled field by field from the tables; a field that isa_check()
 * complains of gets another value, until the bundle is legal.  The text must
 * assemble to the same 64 bytes.  A second test breaks legal bundles and
 * wants ".bundle" for what is no longer legal, and the same bytes again.
 */
#include "compiler/asm/asm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WANTED 200
#define TRIES 3000
#define STEPS 200

static uint64_t seed = 0x9E3779B97F4A7C15;

static uint64_t rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static unsigned below(unsigned n)
{
	return (unsigned)(rnd() >> 33) % n;
}

/* Mostly small, sometimes anything: both corners of a field. */
static uint64_t number(void)
{
	switch (below(4)) {
	case 0: return 0;
	case 1: return below(4);
	case 2: return below(64);
	default: return rnd();
	}
}

/* A random member of an enumeration. */
static uint64_t enum_member(const char *group)
{
	static struct {
		const char *name;
		int n;
		uint8_t value[256];
	} known[128];
	int g, v;

	for (g = 0; known[g].name && strcmp(known[g].name, group); g++)
		assert_true(g < 126);
	if (!known[g].name) {
		known[g].name = group;
		for (v = 0; v < 256; v++)
			if (isa_enum_text(group, (uint64_t)v))
				known[g].value[known[g].n++] = (uint8_t)v;
		assert_true(known[g].n > 0);
	}
	return known[g].value[below((unsigned)known[g].n)];
}

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static void lane(uint8_t *p, uint8_t *value, bool post)
{
	uint64_t mode = below(3) ? enum_member(post ? "update" : "wait") : 0;

	p[0] = (uint8_t)mode;
	if (mode == 0)
		return;
	p[1] = (uint8_t)rnd();
	if (mode & 0x80)
		put32(value, below(64));
	else if (value[0] == 0)
		put32(value, (uint32_t)number());
}

static void sync_block(uint8_t *b)
{
	memset(b + 4, 0, 8);
	lane(b + 4, b + 8, false);
	lane(b + 6, b + 8, true);
	if (b[0] != TPB_OP_EVENT_SEMAPHORE)
		return;
	memset(b + 0x20, 0, 13);
	lane(b + 0x20, b + 0x24, false);
	if (b[6] == 0)
		lane(b + 0x22, b + 0x28, true);
	if (b[0x22] && below(2))
		b[0x2C] = (uint8_t)(0x80 | below(2));
}

/* What the fields of one bundle should agree on. */
static struct {
	unsigned count; /* elements of its tensors */
	uint64_t dtype;
	int gen;
} common;

static void choose_common(const struct isa_opinfo *op)
{
	static const unsigned counts[] = {1, 2, 3, 6, 8, 32, 64, 96, 1024};

	common.count = counts[below(9)];
	common.dtype = enum_member("dtype");
	common.gen = op->gens[below((unsigned)strlen(op->gens))] - '0';
}

static void put16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

/* Counts of `dims` dimensions whose product is n. */
static void factors(uint8_t *p, int dims, unsigned n)
{
	for (int i = 0; i < dims; i++) {
		unsigned k = i + 1 == dims ? n : 1;

		if (i + 1 < dims && n % 2 == 0 && below(2))
			k = 2;
		else if (i + 1 < dims && below(2))
			k = n;
		put16(p + 2 * i, k);
		n = k ? n / k : 0;
	}
}

/* Mostly the common number of elements, or one that rules ask for. */
static unsigned elements(void)
{
	static const unsigned wanted[] = {1, 2, 3, 6, 8, 24};

	switch (below(8)) {
	case 0: return common.count + 1;
	case 1: return common.count * 2;
	case 2: return wanted[below(6)];
	default: return common.count;
	}
}

static void tensor(uint8_t *p, int dims)
{
	put32(p, below(3) ? below(0x4000) * 4u : 0x80000000u | below(64));
	for (int i = 0; i < dims; i++)
		put16(p + 4 + 2 * i, below(2) ? 1 : below(65536));
	factors(p + 4 + 2 * dims, dims, elements());
}

static void fill_enum(uint8_t *b, const struct isa_field *f)
{
	uint64_t v = enum_member(f->group);

	if (!strcmp(f->group, "dtype") && below(3))
		v = common.dtype;
	for (int i = 0; i < 64 && !isa_field_allows(f, v, common.gen); i++)
		v = below(8) ? enum_member(f->group) : 0;
	isa_set(b, f, v);
}

static void fill_uint(uint8_t *b, const struct isa_field *f)
{
	uint64_t v = f->arg ? below((unsigned)f->arg + 1) : number();

	if (!strcmp(f->name, "ch") && below(2))
		v = 32 * (1 + below(4));
	if (!strcmp(f->name, "count") && below(2))
		v = common.count;
	isa_set(b, f, v);
}

static void fill_name(uint8_t *p, unsigned room)
{
	unsigned n = 1 + below(room - 1);

	memset(p, 0, room);
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(below(4) ? 'a' + below(26) : ' ' + below(95));
}

static void fill_addr8(uint8_t *b, const struct isa_field *f)
{
	uint64_t mode = enum_member("addr8");
	uint64_t v = number() & 0xFFFFFFFFFFFF;

	if (mode == TPB_ADDR8_REG || mode == TPB_ADDR8_PAIR)
		v = (uint64_t)below(64) << 32 | below(32) * 2;
	isa_set(b, f, mode << 56 | v);
}

static void fill(uint8_t *b, const struct isa_field *f)
{
	uint8_t *p = b + f->off;

	switch (f->kind) {
	case ISA_CONST: isa_set(b, f, (uint64_t)f->arg); break;
	case ISA_ENUM: fill_enum(b, f); break;
	case ISA_REG:
		isa_set(b, f, below(3) ? below(32) * 2 : below(64));
		break;
	case ISA_UINT: fill_uint(b, f); break;
	case ISA_NAME: fill_name(p, f->bits / 8u); break;
	case ISA_BYTES:
		for (int i = 0; i < f->bits / 8; i++)
			p[i] = below(4) ? (uint8_t)number() : 0xFF;
		break;
	case ISA_ADDR8: fill_addr8(b, f); break;
	case ISA_T1D: tensor(p, 1); break;
	case ISA_T2D: tensor(p, 2); break;
	case ISA_T3D: tensor(p, 3); break;
	case ISA_T4D: tensor(p, 4); break;
	default: isa_set(b, f, number()); break;
	}
}

/* What decode.md demands of one field because of another. */
static void fix_mov(uint8_t *b)
{
	int n = b[0x0C] = (uint8_t)(1 + below(8));

	if (n == 2) {
		b[0x0E] = 1;
		b[0x18] &= 0x3E;
		b[0x19] = (uint8_t)(b[0x18] + 1);
	}
	memset(b + 0x18 + n, 0, (size_t)(8 - n));
	if (b[0x0E]) {
		memset(b + 0x10, 0, 8);
		memset(b + 0x20 + 4 * n, 0, (size_t)(32 - 4 * n));
	} else {
		memset(b + 0x10 + n, 0, (size_t)(8 - n));
		memset(b + 0x20, 0, 32);
	}
}

static void fix_alu(uint8_t *b)
{
	bool wide = b[0x0E] & 1, imm = b[0x0E] & 2;

	b[0x13] = b[0x14] = b[0x15] = 0;
	if (imm)
		b[0x12] = 0;
	else
		memset(b + 0x18, 0, 8);
	if (wide) {
		b[0x0F] = TPB_DTYPE_UINT64;
		b[0x10] &= 0x3E;
		b[0x11] &= 0x3E;
		b[0x12] &= 0x3E;
		b[0x14] = b[0x10];
		b[0x15] = (uint8_t)(b[0x10] + 1);
	} else {
		memset(b + 0x1C, 0, 4);
	}
}

static void fix_branch(uint8_t *b)
{
	if (b[0x0C] == 0) {
		b[0x0D] = b[0x20] = b[0x21] = 0;
		put32(b + 0x10, 0);
	} else if (b[0x0C] & 8) {
		put32(b + 0x10, 0);
	} else {
		b[0x21] = 0;
	}
}

static void fix_memory(uint8_t *b)
{
	static const uint8_t sizes[][2] = {{1, 1},  {2, 1}, {1, 2},  {4, 3},
	                                   {32, 1}, {4, 8}, {1, 32}, {5, 6}};
	unsigned k = below(8);
	int n = sizes[k][0] * sizes[k][1];

	b[0x0E] = sizes[k][0];
	b[0x0F] = sizes[k][1];
	if (b[0x0C] == TPB_DTYPE_UINT64)
		for (int i = 0; i < n; i++)
			b[0x20 + i] &= 0x3E;
	memset(b + 0x20 + n, 0, (size_t)(32 - n));
	if (below(3) == 0) {
		put32(b + 0x18, 1);
		put32(b + 0x1C, 1);
	}
	if (b[0] != TPB_OP_TENSOR_LOAD && b[0] != TPB_OP_TENSOR_SAVE)
		return;
	if (b[0x17]) {
		memset(b + 0x10, 0, 7);
		b[0x10] = (uint8_t)(below(32) * 2);
		b[0x11] = (uint8_t)(b[0x10] + 1);
	}
}

static void fix_greset(uint8_t *b)
{
	uint8_t t = b[0x0D];

	if (b[0x0C] == TPB_CLEAR_MASK) {
		b[0x0D] = b[0x0E] = 0;
		return;
	}
	memset(b + 0x20, 0, 32);
	if (b[0x0D] > b[0x0E]) {
		b[0x0D] = b[0x0E];
		b[0x0E] = t;
	}
}

static void put_float(uint8_t *p, float f)
{
	uint32_t w;

	memcpy(&w, &f, sizeof(w));
	put32(p, w);
}

/* Elements of the tensor field `name`. */
static unsigned elements_of(const uint8_t *b, const char *name)
{
	const struct isa_field *f =
	    isa_field_named(b[0], ISA_FILE, name, strlen(name));
	int dims = f ? (int)(f->kind - ISA_T1D) + 1 : 0;
	unsigned n = 1;

	for (int i = 0; i < dims; i++) {
		const uint8_t *p = b + f->off + 4 + 2 * dims + 2 * i;

		n *= (unsigned)(p[0] | p[1] << 8);
	}
	return n;
}

static void fix_dma(uint8_t *b)
{
	memcpy(b + 0x38, b + 0x20, 6);
	b[0x3F] = b[0x3E];
	b[0x0F] = 0;
}

static void fix(uint8_t *b)
{
	unsigned n = elements_of(b, "src");

	switch (b[0]) {
	case TPB_OP_REGISTER_MOVE: fix_mov(b); break;
	case TPB_OP_REGISTER_ALU: fix_alu(b); break;
	case TPB_OP_BRANCH: fix_branch(b); break;
	case TPB_OP_GROUP_RESET: fix_greset(b); break;
	case TPB_OP_TENSOR_LOAD:
	case TPB_OP_TENSOR_SAVE:
	case TPB_OP_TENSOR_LOAD_VAR:
	case TPB_OP_TENSOR_SAVE_VAR: fix_memory(b); break;
	case TPB_OP_DMA_DIRECT: fix_dma(b); break;
	case TPB_OP_IOTA: factors(b + 0x18, 4, elements_of(b, "dst")); break;
	case TPB_OP_AFFINE_SELECT: factors(b + 0x2A, 3, n); break;
	case TPB_OP_RANGE_SELECT:
		put_float(b + 0x10, (float)(b[0x10] * 256));
		break;
	case TPB_OP_BN_STATS:
	case TPB_OP_BN_STATS_T:
		put_float(b + 0x28, (float)(n - n / 2));
		put_float(b + 0x2C, (float)(n / 2));
		break;
	case TPB_OP_TRANSPOSE:
		factors(b + 0x18, 3, n);
		put16(b + 0x1E, 1);
		break;
	default: break;
	}
}

static void make(uint8_t *b, const struct isa_opinfo *op, enum isa_form form)
{
	choose_common(op);
	memset(b, 0, TPB_BUNDLE);
	b[0] = op->code;
	b[1] = 0x10;
	if (below(8) == 0) /* the mask byte of the vector engine */
		b[2] = (uint8_t)below(64);
	for (int i = 0; i < op->nfields; i++)
		if (op->field[i].forms >> form & 1)
			fill(b, &op->field[i]);
	sync_block(b);
	fix(b);
}

static bool legal(const uint8_t *b, enum isa_form form)
{
	struct isa_verdict v;

	for (int gen = 2; gen <= 4; gen++)
		if (isa_check(b, form, gen, &v))
			return true;
	return false;
}

/* Give the field that the verdict complains of, or any other, a new value,
 * until the bundle is legal. */
static void mend(uint8_t *b, const struct isa_opinfo *op, enum isa_form form,
                 int off)
{
	for (int i = 0; i < op->nfields; i++) {
		const struct isa_field *f = &op->field[i];
		bool hit =
		    off >= f->off && off <= f->off + (f->lsb + f->bits - 1) / 8;

		if ((f->forms >> form & 1) && below(hit ? 2 : 16) == 0)
			fill(b, f);
	}
}

static bool repair(uint8_t *b, const struct isa_opinfo *op, enum isa_form form)
{
	struct isa_verdict v;

	for (int step = 0; step < STEPS; step++) {
		if (isa_check(b, form, common.gen, &v))
			return true;
		if (v.off >= 1 && v.off < 4)
			b[v.off] = v.off == 1 ? 0x10 : 0;
		else if (v.off >= 4 && v.off < 12)
			sync_block(b);
		else if (v.off >= 12 && below(3) == 0)
			b[v.off] = 0;
		else
			mend(b, op, form, v.off);
		fix(b);
	}
	return false;
}

/* The line must come back as the same bytes. */
static void there_and_back(const uint8_t *b, enum isa_form form, char *text,
                           size_t size)
{
	struct image_error err;
	uint8_t back[TPB_BUNDLE];

	isa_dis(b, form, NULL, text, size);
	assert_true(strlen(text) < size - 1);
	if (asm_line(text, back, &err))
		fail_msg("%s: %s: %s", text, err.place, err.text);
	for (int i = 0; i < TPB_BUNDLE; i++)
		if (b[i] != back[i])
			fail_msg("%s: byte +0x%02X was %02X, is %02X", text, i,
			         b[i], back[i]);
}

/* Opcodes that have no legal bundle in a form: those without an engine. */
static bool never(const struct isa_opinfo *op, enum isa_form form)
{
	if (op->engines[0] == '\0')
		return true;
	return form == ISA_LOADED && (op->code == TPB_OP_TENSOR_LOAD_VAR ||
	                              op->code == TPB_OP_TENSOR_SAVE_VAR);
}

static void one_opcode(const struct isa_opinfo *op, enum isa_form form)
{
	int wanted = never(op, form) ? 0 : WANTED;
	int tries = wanted ? TRIES : 20, kept = 0;
	uint8_t b[TPB_BUNDLE];
	char text[1024];

	for (int t = 0; t < tries && (kept < wanted || !wanted); t++) {
		make(b, op, form);
		if (!repair(b, op, form))
			continue;
		there_and_back(b, form, text, sizeof(text));
		assert_true(text[0] != '.');
		kept++;
	}
	if (kept != wanted)
		fail_msg("%s, form %d: %d accepted", op->name, (int)form, kept);
}

static void every_opcode(void **state)
{
	const struct isa_opinfo *op;

	(void)state;
	for (int i = 0; (op = isa_op_at(i)); i++) {
		one_opcode(op, ISA_FILE);
		one_opcode(op, ISA_LOADED);
	}
}

/* A legal bundle with one byte changed: whatever it is now, no bit of it may
 * be lost, and only a legal one has a mnemonic. */
static void broken_bundles(void **state)
{
	const struct isa_opinfo *op;
	uint8_t b[TPB_BUNDLE];
	char text[1024];
	int raw = 0;

	(void)state;
	for (int i = 0; (op = isa_op_at(i)); i++)
		for (int t = 0; t < 200; t++) {
			enum isa_form form = below(2) ? ISA_FILE : ISA_LOADED;

			make(b, op, form);
			(void)repair(b, op, form);
			b[below(TPB_BUNDLE)] ^= (uint8_t)(1u << below(8));
			there_and_back(b, form, text, sizeof(text));
			assert_int_equal(text[0] == '.', !legal(b, form));
			raw += text[0] == '.';
		}
	assert_true(raw > 1000);
}

/* No buffer is overrun and a short one still ends in NUL. */
static void short_buffers(void **state)
{
	const struct isa_opinfo *op;
	uint8_t b[TPB_BUNDLE];
	char text[1024], part[1025];

	(void)state;
	for (int i = 0; (op = isa_op_at(i)); i++) {
		make(b, op, ISA_FILE);
		isa_dis(b, ISA_FILE, NULL, text, sizeof(text));
		for (size_t n = 1; n <= strlen(text) + 1; n++) {
			memset(part, '~', sizeof(part));
			isa_dis(b, ISA_FILE, NULL, part, n);
			assert_int_equal(strlen(part), n - 1);
			assert_memory_equal(part, text, n - 1);
			assert_int_equal(part[n], '~');
		}
	}
}

/* Masks around the change from a list of ids to the generic form. */
static void masks(void **state)
{
	static const uint8_t patterns[] = {0xDB, 0x55, 0x6D, 0xFE, 0x01, 0xFF};
	uint8_t b[TPB_BUNDLE] = {TPB_OP_GROUP_RESET, 0x10};
	char text[512];

	(void)state;
	b[0x0C] = TPB_CLEAR_MASK;
	for (size_t p = 0; p < sizeof(patterns); p++)
		for (int i = 0; i < 32; i++) {
			memset(b + 0x20, 0, 32);
			memset(b + 0x20, patterns[p], (size_t)i + 1);
			there_and_back(b, ISA_FILE, text, sizeof(text));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_opcode),
	    cmocka_unit_test(broken_bundles),
	    cmocka_unit_test(short_buffers),
	    cmocka_unit_test(masks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
