/* SPDX-License-Identifier: Apache-2.0
 *
 * The model's decoder against isa_check_machine: two statements of
 * docs/reference/decode.md that share no line.  Random bundles, most of them
 * nearly legal, must get the same code from both.
 *
 *   build/tests/unit/test_isa_model
 */
#include "cmodel/tpb.h"
#include "isa/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 10000 /* an opcode */

static uint64_t seed = 0x9E3779B97F4A7C15;

static uint32_t draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 33) % below;
}

/* Bytes that some rule cares about. */
static uint8_t edge(void)
{
	static const uint8_t edges[] = {
	    0,    1,    2,    3,    4,    5,    6,    7,    8,    9,
	    0x0A, 0x0C, 0x0E, 0x10, 0x13, 0x14, 0x19, 0x20, 0x21, 0x3E,
	    0x3F, 0x40, 0x80, 0x81, 0x85, 0x95, 0x99, 0xFF};

	if (draw(4) == 0)
		return (uint8_t)draw(256);
	return edges[draw(sizeof(edges))];
}

static uint64_t field_value(const struct isa_field *f)
{
	uint64_t v = 0;

	switch (f->kind) {
	case ISA_CONST: return (uint64_t)f->arg;
	case ISA_REG: return draw(3) ? 2 * draw(32) : draw(66);
	case ISA_ENUM:
		for (int i = 0; i < 200; i++) {
			v = draw(256);
			if (isa_field_allows(f, v, 3))
				return v;
		}
		return v;
	case ISA_T1D:
	case ISA_T2D:
	case ISA_T3D:
	case ISA_T4D: return 0; /* wider than 64 bits: patterns() */
	default:
		if (draw(3) == 0)
			return 0;
		if (f->arg)
			return draw((uint32_t)f->arg + 1);
		return draw(2) ? edge() : seed;
	}
}

/* Turn a draw of fields into something closer to a legal bundle: pairs, and
 * zeroes where unused parts must be zero. */
static void tidy(uint8_t *b)
{
	int n = b[0x0C] ? b[0x0C] : 1;

	switch (b[0]) {
	case TPB_OP_REGISTER_MOVE:
		if (n == 2) {
			b[0x0E] = 1;
			b[0x18] &= 0x3E;
			b[0x19] = (uint8_t)(b[0x18] + 1);
		}
		if (b[0x0E])
			memset(b + 0x10, 0, 8);
		else
			memset(b + 0x20, 0, 32);
		for (int i = n; i < 8; i++)
			b[0x10 + i] = b[0x18 + i] = 0;
		for (int i = n; i < 8; i++)
			memset(b + 0x20 + 4 * i, 0, 4);
		break;
	case TPB_OP_REGISTER_ALU:
		b[0x13] = 0;
		if (b[0x0E] & 1) {
			b[0x0F] = 1;
			b[0x14] = b[0x10];
			b[0x15] = (uint8_t)(b[0x10] + 1);
		} else {
			memset(b + 0x14, 0, 2);
			memset(b + 0x1C, 0, 4);
		}
		if (b[0x0E] & 2)
			b[0x12] = 0;
		else
			memset(b + 0x18, 0, 8);
		break;
	case TPB_OP_BRANCH:
		if (b[0x0C] & 8)
			memset(b + 0x10, 0, 4);
		else
			b[0x21] = 0;
		break;
	case TPB_OP_TENSOR_LOAD:
	case TPB_OP_TENSOR_SAVE:
		b[0x0E] = (uint8_t)(1 + draw(6));
		b[0x0F] = (uint8_t)(1 + draw(6));
		for (int i = b[0x0E] * b[0x0F]; i < 32; i++)
			b[0x20 + i] = 0;
		if (b[0x17] == 0x80) {
			memset(b + 0x10, 0, 7);
			b[0x10] = (uint8_t)(2 * draw(32));
			b[0x11] = (uint8_t)(b[0x10] + 1);
		}
		break;
	case TPB_OP_GROUP_RESET:
		if (b[0x0C] == 1)
			memset(b + 0x20, 0, 32);
		else
			b[0x0D] = b[0x0E] = 0;
		break;
	default: break;
	}
}

static void sync_block(uint8_t *b, int at)
{
	static const uint8_t waits[] = {0, 0, 1, 5, 7, 0x0E, 0x81, 0x85};
	static const uint8_t updates[] = {0, 0, 1, 3, 0x13, 0x19, 0x85, 0x99};

	b[at] = waits[draw(8)];
	b[at + 1] = b[at] ? (uint8_t)draw(256) : 0;
	b[at + 2] = updates[draw(8)];
	b[at + 3] = b[at + 2] ? (uint8_t)draw(256) : 0;
}

/* Counts of the patterns of a datapath bundle: all alike, so that element
 * counts agree, with a slip now and then. */
static void patterns(uint8_t *b, const struct isa_opinfo *op)
{
	static const uint8_t counts[] = {1, 1, 2, 4, 8, 8, 16};
	uint8_t n = counts[draw(sizeof(counts))];

	for (int i = 0; i < op->nfields; i++) {
		const struct isa_field *f = &op->field[i];
		int dims = (int)(f->kind - ISA_T1D) + 1;
		uint8_t *p = b + f->off;

		if (f->kind < ISA_T1D || f->kind > ISA_T4D)
			continue;
		memset(p, 0, (size_t)(4 + 4 * dims));
		p[draw(3)] = edge();
		if (draw(4) == 0)
			p[3] = 0x80;
		for (int d = 0; d < dims; d++) {
			p[4 + 2 * d] = edge();
			p[4 + 2 * dims + 2 * d] = 1;
		}
		p[4 + 2 * dims + 2 * (int)draw((uint32_t)dims)] =
		    draw(8) ? n : edge();
		if (draw(64) == 0)
			memset(p + 4 + 2 * dims, 0xFF, (size_t)(2 * dims));
	}
	if (op->code == TPB_OP_MEMSET)
		memcpy(b + 0x1C, &(uint32_t){n}, 4);
	if (op->code == TPB_OP_IOTA) {
		memset(b + 0x18, 0, 8);
		b[0x18] = n;
		b[0x1A] = b[0x1C] = b[0x1E] = 1;
	}
	/* Equal dtypes and widths come up too seldom by chance. */
	if (draw(2) && isa_field_named(op->code, ISA_LOADED, "out_dtype", 9) &&
	    b[0x22])
		b[0x21] = b[0x20];
	if (draw(2) && op->code == TPB_OP_COPY_PRED_SCALAR)
		b[0x2A] = b[0x29];
}

static void random_bundle(uint8_t *b, uint8_t code)
{
	const struct isa_opinfo *op = isa_op(code);

	memset(b, 0, TPB_BUNDLE);
	b[0] = code;
	b[1] = 0x10;
	sync_block(b, 4);
	if (b[4] || b[6])
		b[8] = (uint8_t)draw(70);
	for (int i = 0; op && i < op->nfields; i++) {
		const struct isa_field *f = &op->field[i];
		if (f->forms >> ISA_LOADED & 1)
			isa_set(b, f, field_value(f));
	}
	if (op && !strcmp(op->klass, "VEC"))
		patterns(b, op);
	if (code == TPB_OP_EVENT_SEMAPHORE && draw(2)) {
		memset(b + 0x20, 0, 13);
		sync_block(b, 0x20);
		if (b[0x20])
			b[0x24] = (uint8_t)draw(70);
		if (b[0x22])
			b[0x28] = (uint8_t)draw(70);
		if (draw(3) == 0)
			b[0x2C] = (uint8_t)(0x80 + draw(2));
	}
	if (draw(4))
		tidy(b);
	for (uint32_t n = draw(3); n > 0; n--)
		b[1 + draw(TPB_BUNDLE - 1)] = edge();
}

/* An engine that can carry the op, or now and then any. */
static int engine_for(const struct isa_opinfo *op)
{
	for (;;) {
		int e = (int)draw(TPB_ENGINES);
		if (!op || draw(16) == 0 || !*op->engines ||
		    strchr(op->engines, "PAGDS"[e]))
			return e;
	}
}

static void compare(const struct tpb_config *cfg, const uint8_t *b, long *legal,
                    bool *seen)
{
	int engine = engine_for(isa_op(b[0]));
	struct isa_verdict v;
	int model = tpb_decode(cfg, engine, b, false);

	isa_check_machine(b, engine, cfg->gen, 1, &v);
	if (model == v.fault) {
		*legal += model == TPB_FAULT_NONE;
		seen[model] = true;
		return;
	}
	for (int i = 0; i < TPB_BUNDLE; i++)
		print_error("%02X%s", b[i], i % 16 == 15 ? "\n" : " ");
	fail_msg("model %d, isa_check %d: %s", model, v.fault, v.reason);
}

static void test_random(void **state)
{
	bool seen[32] = {false};

	(void)state;
	for (int gen = 2; gen <= 4; gen++) {
		struct tpb_config cfg = {
		    .gen = gen, .sbuf_part_bytes = TPB_SBUF_BYTES_GEN3};
		for (int code = 0; code < 256; code++) {
			const struct isa_opinfo *op = isa_op((uint8_t)code);
			bool built = op && op->built;
			long legal = 0;
			for (int i = 0; i < (built ? ROUNDS : 50); i++) {
				uint8_t b[TPB_BUNDLE];
				random_bundle(b, (uint8_t)code);
				compare(&cfg, b, &legal, seen);
			}
			/* the draw is worth something: legal ones too */
			if (built && strchr(op->gens, '0' + gen) &&
			    legal < ROUNDS / 100)
				fail_msg("%s: only %ld legal", op->name, legal);
		}
	}
	for (int f = TPB_FAULT_ILLEGAL_OPCODE; f <= TPB_FAULT_BAD_REG; f++)
		assert_true(seen[f]);
}

/* Every value of every byte, one at a time, on plain bundles. */
static void test_bytes(void **state)
{
	const struct tpb_config cfg = {.gen = 3,
	                               .sbuf_part_bytes = TPB_SBUF_BYTES_GEN3};
	const struct isa_opinfo *op;
	bool seen[32] = {false};
	long legal = 0;

	(void)state;
	for (int i = 0; (op = isa_op_at(i)) != NULL; i++) {
		for (int k = 0; op->built && k < 2 * TPB_BUNDLE * 256; k++) {
			static uint8_t base[TPB_BUNDLE];
			uint8_t b[TPB_BUNDLE];
			if (k % (TPB_BUNDLE * 256) == 0)
				random_bundle(base, op->code);
			memcpy(b, base, sizeof(b));
			b[k / 256 % TPB_BUNDLE] = (uint8_t)k;
			compare(&cfg, b, &legal, seen);
		}
	}
}

static void test_end_of_stream(void **state)
{
	const struct tpb_config cfg = {.gen = 3};
	uint8_t b[TPB_BUNDLE] = {0};

	(void)state;
	assert_int_equal(tpb_decode(&cfg, 4, b, true), TPB_FAULT_END_OF_STREAM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random),
	    cmocka_unit_test(test_bytes),
	    cmocka_unit_test(test_end_of_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
