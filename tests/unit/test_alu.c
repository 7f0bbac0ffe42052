/* SPDX-License-Identifier: Apache-2.0
 *
 * The scalar ALU three times over: the verilated core executing RegisterAlu
 * bundles, the model's value function, and the statement below in 128-bit
 * arithmetic, which shares nothing with either.
 *
 * Every op runs under every dtype tag and width: all pairs of 200 special
 * values and `count` random pairs, half of them with an immediate.  The five
 * engines of the core work side by side, fed bundle by bundle; the sticky
 * flags are cleared before each operation and compared after it.
 *
 *   test_alu              what `make test` runs
 *   test_alu 10000000     the campaign of `make alu` (args: count, then an op
 *                         number modulo and remainder to split it)
 */
#include "cmodel/tpb.h"
#include "harness/rtl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef __int128 wideint;

#define SPECIALS 200
#define SRC1 8
#define SRC2 10
#define DST 12
#define FLAG_DIVIDE 1
#define FLAG_MOD 2
#define FLAG_RSQRT 4

static const uint8_t ops[] = {
    TPB_ALU_BYPASS,      TPB_ALU_BITWISE_NOT, TPB_ALU_ARITH_SHL,
    TPB_ALU_ARITH_SHR,   TPB_ALU_ADD,         TPB_ALU_SUBTRACT,
    TPB_ALU_MULT,        TPB_ALU_DIVIDE,      TPB_ALU_MAX,
    TPB_ALU_MIN,         TPB_ALU_BITWISE_AND, TPB_ALU_BITWISE_OR,
    TPB_ALU_BITWISE_XOR, TPB_ALU_LOGICAL_AND, TPB_ALU_LOGICAL_OR,
    TPB_ALU_LOGICAL_XOR, TPB_ALU_LOGICAL_SHL, TPB_ALU_LOGICAL_SHR,
    TPB_ALU_IS_EQUAL,    TPB_ALU_NOT_EQUAL,   TPB_ALU_IS_GT,
    TPB_ALU_IS_GE,       TPB_ALU_IS_LE,       TPB_ALU_IS_LT,
    TPB_ALU_ABS,         TPB_ALU_POW,         TPB_ALU_MOD,
    TPB_ALU_RSQRT};

#define NOPS ((int)(sizeof(ops) / sizeof(*ops)))

/* Tag, width and sign of every encodable form. */
static const struct form {
	uint8_t tag;
	int width;
	bool is_signed;
} forms[] = {{0x00, 32, true},  {0x08, 32, true},  {0x0C, 32, true},
             {0x09, 32, false}, {0x01, 32, false}, {0x01, 64, false}};

#define NFORMS ((int)(sizeof(forms) / sizeof(*forms)))

static uint64_t count = 5000;
static int split = 1, part;
static uint64_t checked;

static uint64_t next_random(uint64_t *s)
{
	uint64_t z = *s += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

/* ---------------------------------------------------------------- *
 * The third statement.                                             *
 * ---------------------------------------------------------------- */

static wideint power(wideint a, wideint b, wideint modulus)
{
	wideint r = 1;

	if (b < 0)
		return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
	/* Square and multiply from the top bit down, unsigned residues. */
	a = ((a % modulus) + modulus) % modulus;
	for (int i = 63; i >= 0; i--) {
		unsigned __int128 u = (unsigned __int128)r;
		u = u * u % (unsigned __int128)modulus;
		if (b >> i & 1)
			u = (u * (unsigned __int128)a) %
			    (unsigned __int128)modulus;
		r = (wideint)u;
	}
	return r;
}

static wideint shift(uint8_t op, wideint a, unsigned n, int w, wideint modulus)
{
	/* The sign bit counts for the arithmetic shift whatever the dtype. */
	wideint u = ((a % modulus) + modulus) % modulus;
	wideint s = u >= modulus / 2 ? u - modulus : u;
	wideint scale = (wideint)1 << (n & (unsigned)(w - 1));

	switch (op) {
	case TPB_ALU_ARITH_SHR:
		/* Division that rounds to minus infinity. */
		return s >= 0 ? s / scale : -((-s + scale - 1) / scale);
	case TPB_ALU_LOGICAL_SHR: return u / scale;
	default: return (u % (modulus / scale)) * scale;
	}
}

static wideint compute(uint8_t op, wideint a, wideint b, const struct form *f,
                       int *flag)
{
	wideint modulus = (wideint)1 << f->width;

	switch (op) {
	case TPB_ALU_BYPASS: return a;
	case TPB_ALU_BITWISE_NOT: return -a - 1;
	case TPB_ALU_ARITH_SHL:
	case TPB_ALU_LOGICAL_SHL:
	case TPB_ALU_ARITH_SHR:
	case TPB_ALU_LOGICAL_SHR:
		return shift(op, a, (unsigned)(b & 63), f->width, modulus);
	case TPB_ALU_ADD: return a + b;
	case TPB_ALU_SUBTRACT: return a - b;
	case TPB_ALU_MULT:
		return (wideint)((unsigned __int128)a * (unsigned __int128)b %
		                 (unsigned __int128)modulus);
	case TPB_ALU_DIVIDE:
		*flag = b == 0 ? FLAG_DIVIDE : 0;
		return b == 0 ? -1 : a / b;
	case TPB_ALU_MOD:
		*flag = b == 0 ? FLAG_MOD : 0;
		return b == 0 ? a : a - b * (a / b);
	case TPB_ALU_MAX: return a > b ? a : b;
	case TPB_ALU_MIN: return a < b ? a : b;
	case TPB_ALU_BITWISE_AND: return a & b;
	case TPB_ALU_BITWISE_OR: return a + b - (a & b);
	case TPB_ALU_BITWISE_XOR: return a + b - 2 * (a & b);
	case TPB_ALU_LOGICAL_AND: return a != 0 && b != 0;
	case TPB_ALU_LOGICAL_OR: return a != 0 || b != 0;
	case TPB_ALU_LOGICAL_XOR: return (a != 0) + (b != 0) == 1;
	case TPB_ALU_IS_EQUAL: return a - b == 0;
	case TPB_ALU_NOT_EQUAL: return a - b != 0;
	case TPB_ALU_IS_GT: return a - b > 0;
	case TPB_ALU_IS_GE: return a - b >= 0;
	case TPB_ALU_IS_LE: return a - b <= 0;
	case TPB_ALU_IS_LT: return a - b < 0;
	case TPB_ALU_ABS: return a < 0 ? -a : a;
	case TPB_ALU_POW: return power(a, b, modulus);
	case TPB_ALU_RSQRT:
		*flag = a <= 0 ? FLAG_RSQRT : 0;
		return a <= 0 ? -1 : a == 1;
	default: fail_msg("op %02X", op); return 0;
	}
}

/* A w-bit pattern as the number it stands for. */
static wideint number(uint64_t x, const struct form *f)
{
	wideint v = x;

	if (f->is_signed && (x >> (f->width - 1) & 1))
		v -= (wideint)1 << f->width;
	return v;
}

static uint64_t trim(uint64_t x, int width)
{
	return width == 64 ? x : x & 0xFFFFFFFFu;
}

static uint64_t third(uint8_t op, uint64_t a, uint64_t b, const struct form *f,
                      int *flag)
{
	*flag = 0;
	return trim((uint64_t)compute(op, number(a, f), number(b, f), f, flag),
	            f->width);
}

/* ---------------------------------------------------------------- *
 * Operands.                                                        *
 * ---------------------------------------------------------------- */

static void add_special(uint64_t *v, int *n, uint64_t x)
{
	for (int i = 0; i < *n; i++)
		if (v[i] == x)
			return;
	if (*n < SPECIALS)
		v[(*n)++] = x;
}

/* 200 different patterns: small numbers, powers of two and their
 * neighbours, both signs, then stripes and random fill. */
static void specials(uint64_t v[SPECIALS], int width)
{
	static const uint64_t stripes[] = {
	    0x5555555555555555u, 0xAAAAAAAAAAAAAAAAu, 0x00FF00FF00FF00FFu,
	    0xFFFF0000FFFF0000u, 0x0123456789ABCDEFu, 0x7F8000007F800000u};
	uint64_t seed = 200;
	int n = 0;

	for (uint64_t i = 0; i < 10; i++) {
		add_special(v, &n, i);
		add_special(v, &n, trim(-i, width));
	}
	for (size_t i = 0; i < sizeof(stripes) / sizeof(*stripes); i++)
		add_special(v, &n, trim(stripes[i], width));
	for (int k = width - 1; k >= 0; k -= width == 64 ? 2 : 1) {
		uint64_t p = 1ull << k;
		add_special(v, &n, p);
		add_special(v, &n, p - 1);
		add_special(v, &n, p + 1);
		add_special(v, &n, trim(-p, width));
		add_special(v, &n, trim(~p, width));
	}
	while (n < SPECIALS)
		add_special(v, &n, trim(next_random(&seed), width));
}

/* Random operands of random length, so that small ones are frequent. */
static uint64_t operand(uint64_t *seed, int width)
{
	uint64_t x = next_random(seed), r = next_random(seed);

	x >>= r & 63;
	return trim(r & 64 ? -x : x, width);
}

/* ---------------------------------------------------------------- *
 * The core, fed bundle by bundle.                                  *
 * ---------------------------------------------------------------- */

struct test {
	uint64_t a, b, want;
	int flag;
	bool imm;
};

/* One engine: its next bundles, and the tests on their way. */
struct feed {
	uint8_t bundle[TPB_BUNDLE];
	struct test making;    /* being fed */
	int step;              /* next bundle of it: 0, 1 moves, 2 alu */
	struct test queue[4];  /* ALU bundle fed, not yet retired */
	uint8_t kind[8];       /* of the bundles on their way: is it the ALU */
	unsigned fed, retired; /* bundles */
	unsigned made, done;   /* tests */
	uint32_t *rf;
	uint8_t *flags;
};

/* Source of pairs of one op and form. */
struct source {
	uint8_t op;
	const struct form *form;
	uint64_t special[SPECIALS];
	uint64_t at, end; /* tests given out; specials first */
	uint64_t seed;
};

static struct test next_test(struct source *s)
{
	uint64_t i = s->at++;
	struct test t;
	uint8_t flags = 0;

	if (i < SPECIALS * SPECIALS) {
		t.a = s->special[i / SPECIALS];
		t.b = s->special[i % SPECIALS];
	} else {
		t.a = operand(&s->seed, s->form->width);
		t.b = operand(&s->seed, s->form->width);
	}
	t.imm = (i ^ i / SPECIALS) & 1;
	t.want = third(s->op, t.a, t.b, s->form, &t.flag);
	if (tpb_alu(s->op, s->form->is_signed, s->form->width, t.a, t.b,
	            &flags) != t.want ||
	    flags != t.flag)
		fail_msg("model: op %02X tag %02X w %d: %llx, %llx", s->op,
		         s->form->tag, s->form->width, (unsigned long long)t.a,
		         (unsigned long long)t.b);
	return t;
}

static void put64(uint8_t *p, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static void make_move(uint8_t *b, int dst, uint64_t v)
{
	memset(b, 0, TPB_BUNDLE);
	b[0x00] = TPB_OP_REGISTER_MOVE;
	b[0x01] = 0x10;
	b[0x0C] = 2;
	b[0x0D] = TPB_DTYPE_INT32;
	b[0x0E] = TPB_SOURCE_IMM;
	b[0x18] = (uint8_t)dst;
	b[0x19] = (uint8_t)(dst + 1);
	put64(b + 0x20, v);
}

static void make_alu(uint8_t *b, const struct source *s, const struct test *t)
{
	bool wide = s->form->width == 64;

	memset(b, 0, TPB_BUNDLE);
	b[0x00] = TPB_OP_REGISTER_ALU;
	b[0x01] = 0x10;
	b[0x0C] = s->op;
	b[0x0D] = 1;
	b[0x0E] = (uint8_t)((wide ? 1 : 0) | (t->imm ? 2 : 0));
	b[0x0F] = s->form->tag;
	b[0x10] = DST;
	b[0x11] = SRC1;
	b[0x12] = t->imm ? 0 : SRC2;
	b[0x14] = wide ? DST : 0;
	b[0x15] = wide ? DST + 1 : 0;
	if (t->imm)
		put64(b + 0x18, t->b);
}

/* The next bundle of an engine; past the last test, moves for ever. */
static const uint8_t *next_bundle(struct feed *f, struct source *s)
{
	bool alu = false;

	if (f->step == 0 && s->at < s->end) {
		f->making = next_test(s);
		make_move(f->bundle, SRC1, f->making.a);
		f->step = f->making.imm ? 2 : 1;
	} else if (f->step == 1) {
		make_move(f->bundle, SRC2, f->making.b);
		f->step = 2;
	} else if (f->step == 2) {
		make_alu(f->bundle, s, &f->making);
		f->queue[f->made++ % 4] = f->making;
		f->step = 0;
		alu = true;
	} else {
		make_move(f->bundle, SRC1, 0);
	}
	f->kind[f->fed++ % 8] = alu;
	return f->bundle;
}

/* An engine's bundle has retired. */
static void retire(struct feed *f, const struct source *s)
{
	const struct test *t = &f->queue[f->done % 4];
	uint64_t got;

	if (!f->kind[f->retired++ % 8])
		return;
	got = f->rf[DST];
	if (s->form->width == 64)
		got |= (uint64_t)f->rf[DST + 1] << 32;
	if (got != t->want || *f->flags != t->flag)
		fail_msg("rtl: op %02X tag %02X w %d: %llx, %llx gives %llx "
		         "flags %d, not %llx flags %d",
		         s->op, s->form->tag, s->form->width,
		         (unsigned long long)t->a, (unsigned long long)t->b,
		         (unsigned long long)got, *f->flags,
		         (unsigned long long)t->want, t->flag);
	*f->flags = 0;
	f->done++;
	checked++;
}

static bool finished(const struct feed *f, const struct source *s)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		if (f[e].step != 0 || f[e].done != f[e].made)
			return false;
	return s->at == s->end;
}

static void run(struct rtl *r, struct source *s)
{
	struct rtl_in in = {.dram_ready = true};
	struct feed feed[TPB_ENGINES] = {0};
	struct rtl_out out;
	int i;

	rtl_reset(r);
	for (int e = 0; e < TPB_ENGINES; e++) {
		char name[16];
		static const char *const engine[] = {"PE", "ACT", "POOL", "DVE",
		                                     "SP"};
		snprintf(name, sizeof(name), "%s.rf", engine[e]);
		feed[e].rf = rtl_field(r, state_find(name, &i));
		snprintf(name, sizeof(name), "%s.alu_flags", engine[e]);
		feed[e].flags = rtl_field(r, state_find(name, &i));
	}
	while (!finished(feed, s)) {
		rtl_outputs(r, &out);
		rtl_edge(r, &in);
		for (int e = 0; e < TPB_ENGINES; e++) {
			if (out.retire >> e & 1)
				retire(&feed[e], s);
			in.fetch_data[e] = NULL;
			if (out.fetch_en >> e & 1)
				in.fetch_data[e] = next_bundle(&feed[e], s);
		}
	}
}

static void all_ops_all_forms(void **state)
{
	static const struct rtl_program endless = {
	    .len = {~0u, ~0u, ~0u, ~0u, ~0u}};
	struct rtl *r = rtl_new(&endless);
	uint64_t want = 0;

	(void)state;
	assert_non_null(r);
	assert_int_equal(NOPS, 28);
	checked = 0;
	for (int o = 0; o < NOPS; o++) {
		if (o % split != part)
			continue;
		for (int f = 0; f < NFORMS; f++) {
			struct source s = {.op = ops[o], .form = &forms[f]};
			s.seed = (uint64_t)(o * NFORMS + f);
			s.end = SPECIALS * SPECIALS + count;
			specials(s.special, forms[f].width);
			run(r, &s);
			want += s.end;
		}
	}
	rtl_free(r);
	assert_int_equal(checked, want);
	print_message("alu: %llu operations, RTL = model = 128-bit\n",
	              (unsigned long long)checked);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_ops_all_forms),
	};

	if (argc > 1)
		count = strtoull(argv[1], NULL, 0);
	if (argc > 3) {
		split = atoi(argv[2]);
		part = atoi(argv[3]);
		if (split < 1 || part < 0 || part >= split)
			return 2;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
