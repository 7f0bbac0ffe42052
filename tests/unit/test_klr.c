/* SPDX-License-Identifier: Apache-2.0
 *
 * The KLR front end by pieces: tables, references, lowering.  Expected values
 * are those of the published schema and of the IR's contract, written out
 * here.  Files and mutants are in test_klr_files.c.
 */
#include "compiler/bir/bir_build.h"
#include "compiler/klr/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char head[] = "kernel k\n"
                           "hbm d: float32[4, 3, 2]\n"
                           "hbm e: uint32[4, 3, 2]\n"
                           "sbuf a: float32[32, 64], partition=32, byte=128\n"
                           "sbuf b: float32[32, 64]\n"
                           "sbuf c: float32[32, 64]\n"
                           "sbuf i: int32[32, 64]\n"
                           "sbuf g: int8[32, 64]\n"
                           "sbuf m: uint8[32, 64]\n"
                           "sbuf z: bfloat16[32, 64]\n"
                           "sbuf v: float32[32, 8]\n"
                           "sbuf x: uint32[32, 8]\n"
                           "psum p: float32[32, 64], partition=64, bank=5, "
                           "byte=64\n";

static struct klr_kernel *parse(const char *body)
{
	struct klr_error err;
	char text[4096];
	struct klr_kernel *k;

	snprintf(text, sizeof(text), "%s%s", head, body);
	k = klr_parse(text, strlen(text), "k.klr", &err);
	if (!k)
		fail_msg("%s: %s %s", err.place, err.id, err.text);
	return k;
}

static struct bir_module *lower(const char *body)
{
	struct klr_kernel *k = parse(body);
	struct klr_error err;
	struct bir_error bad;
	struct bir_module *m = klr_lower(k, NULL, &err);

	if (!m)
		fail_msg("%s: %s %s", err.place, err.id, err.text);
	klr_free(k);
	if (!bir_verify(m, 0, &bad))
		fail_msg("%s: %s %s", bad.place, bad.id, bad.text);
	return m;
}

/* The only instruction of a one-line kernel. */
static struct bir_inst *only(struct bir_module *m)
{
	return m->first->body.first->first;
}

/* ------------------------------------------------------------ tables */

static void test_operators(void **state)
{
	static const char *const kinds[] = {
	    "ref",       "refs",     "operand", "imm",  "imms",   "int",
	    "ints",      "intss",    "f32",     "bool", "str",    "reg",
	    "regint",    "label",    "pattern", "oob",  "miss",   "group",
	    "dtype",     "perf",     "engine",  "alu",  "acc",    "func",
	    "affine",    "dge",      "reverse", "axes", "branch", "buffer",
	    "threshold", "transpose"};
	int seen = 0, n = 0;

	(void)state;
	for (; klr_op_at(n); n++) {
		const struct klr_opinfo *op = klr_op_at(n);
		struct klr_field f[KLR_MAX_FIELDS];
		const char *s = op->operands;

		if (op->op < 100)
			assert_int_equal(op->op, seen++);
		assert_ptr_equal(klr_op_named(op->name), op);
		assert_in_range(klr_fields(op, f), 1, 14);
		while ((s = strchr(s, ':'))) {
			size_t len = strcspn(++s, "?= "), i = 0;

			while (i < 32 && (strlen(kinds[i]) != len ||
			                  memcmp(kinds[i], s, len)))
				i++;
			if (i == 32)
				fail_msg("%s: kind %.*s", op->name, (int)len,
				         s);
		}
	}
	assert_int_equal(seen, 76);
}

/* Field counts of records as the schema has them, by operator. */
static void test_field_counts(void **state)
{
	static const struct {
		int op, n;
	} want[] = {{0, 7},  {1, 9},   {4, 6},   {9, 5},   {11, 8}, {12, 7},
	            {13, 5}, {14, 4},  {15, 3},  {21, 9},  {22, 6}, {24, 3},
	            {25, 4}, {26, 10}, {27, 12}, {32, 7},  {33, 9}, {34, 6},
	            {35, 9}, {37, 10}, {39, 9},  {43, 2},  {46, 6}, {47, 4},
	            {49, 7}, {51, 9},  {58, 9},  {60, 5},  {69, 6}, {70, 9},
	            {72, 4}, {73, 3},  {74, 6},  {75, 14}, {63, 3}, {68, 2}};

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct klr_field f[KLR_MAX_FIELDS];
		int n = klr_fields(klr_op_info(want[i].op), f), own = 0;

		for (int k = 0; k < n; k++)
			own += f[k].ours;
		if (n - own != want[i].n)
			fail_msg("operator %d has %d operands, not %d",
			         want[i].op, n - own, want[i].n);
	}
}

static void test_words(void **state)
{
	/* KLR's number, the IR's number, bytes of an element */
	static const int dtypes[20][2] = {
	    {12, 2}, {3, 1},  {4, 1},  {7, 1},  {13, 2}, {16, 4}, {17, 4},
	    {1, 1},  {11, 2}, {19, 8}, {15, 4}, {0, 1},  {10, 2}, {14, 4},
	    {18, 8}, {4, 1},  {5, 1},  {9, 4},  {8, 4},  {2, 2}};
	static const int alus[29] = {29, 4,  2,  3,  24, 10, 1,  11, 12, 0,
	                             7,  18, 21, 20, 23, 22, 13, 14, 16, 17,
	                             15, 8,  9,  27, 6,  19, 26, 28, 5};

	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_int_equal(klr_dtype_bir(i), dtypes[i][0]);
		assert_int_equal(klr_dtype_size(i), dtypes[i][1]);
	}
	for (int i = 0; i < 29; i++)
		assert_int_equal(klr_alu_bir(i), alus[i]);
	assert_null(klr_enum_word(KLR_G_ALU, 29));
	assert_int_equal(klr_enum_value(KLR_G_FUNC, "gelu_apprx_sigmoid_dx"),
	                 24);
	assert_int_equal(klr_enum_value(KLR_G_BRANCH, "gt_reg"), 12);
	assert_int_equal(klr_enum_value(KLR_G_TRANSPOSE, "XZYW"), 11);
}

/* ------------------------------------------------------------ references */

/* The published vectors of a 4x3x2 tensor, as slices: offset, pairs. */
static void test_slices(void **state)
{
	static const struct {
		const char *ref;
		int64_t offset, pair[3][2];
	} want[] = {
	    {"d", 0, {{6, 4}, {2, 3}, {1, 2}}},
	    {"d[1]", 6, {{6, 1}, {2, 3}, {1, 2}}},
	    {"d[1:3]", 6, {{6, 2}, {2, 3}, {1, 2}}},
	    {"d[:, 1]", 2, {{6, 4}, {2, 1}, {1, 2}}},
	    {"d[0:4, 1:3, :]", 2, {{6, 4}, {2, 2}, {1, 2}}},
	    {"d[:, :, 1]", 1, {{6, 4}, {2, 3}, {1, 1}}},
	    {"d[1:3, 1:2, 1]", 9, {{6, 2}, {2, 1}, {1, 1}}},
	    {"d[0:4:3, 0:3:2]", 0, {{18, 2}, {4, 2}, {1, 2}}},
	    {"d[7; (6,2)(0,3)(-1,2)]", 7, {{6, 2}, {0, 3}, {-1, 2}}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		char body[128];
		struct bir_module *m;
		struct bir_arg *a;

		snprintf(body, sizeof(body), "ncDmaCopy(dst=%s, src=%s)\n",
		         want[i].ref, want[i].ref);
		m = lower(body);
		a = only(m)->in[0];
		assert_int_equal(a->kind, BIR_ARG_AP);
		assert_int_equal(a->npair, 3);
		assert_int_equal(a->offset, 4 * want[i].offset);
		for (int d = 0; d < 3; d++) {
			assert_int_equal(a->pair[d].step, want[i].pair[d][0]);
			assert_int_equal(a->pair[d].num, want[i].pair[d][1]);
		}
		bir_module_free(m);
	}
}

static void test_places(void **state)
{
	struct bir_module *m = lower("ncCopy(dst=a, src=p)\n");
	struct bir_loc *a = bir_loc_find(m, "a"), *p = bir_loc_find(m, "p");

	(void)state;
	assert_true(a->placed && a->fixed);
	assert_int_equal(a->part, 32);
	assert_int_equal(a->byte, 128);
	assert_int_equal(p->mem, BIR_PSUM);
	assert_int_equal(p->part, 64);
	assert_int_equal(p->byte, 5 * 2048 + 64);
	assert_false(bir_loc_find(m, "b")->placed);
	assert_int_equal(bir_loc_find(m, "d")->mem, BIR_DRAM);
	bir_module_free(m);
}

/* The float32 rows of b are 128 bfloat16 elements: offset and steps count
 * those. */
static void test_override(void **state)
{
	struct bir_module *m =
	    lower("ncCopy(dst=z, src=b[6; (128,32)(1,64)]:bfloat16)\n");
	struct bir_arg *a = only(m)->in[0];

	(void)state;
	assert_int_equal(a->dtype, 12);
	assert_int_equal(a->offset, 12);
	assert_int_equal(a->pair[0].step, 128);
	assert_int_equal(a->pair[1].num, 64);
	bir_module_free(m);
}

static void test_terms(void **state)
{
	struct bir_module *m =
	    lower("registerMove(dst=r, imm=1)\n"
	          "for q in 0..2 {\n"
	          "ncDmaCopy(dst=d[0; (6,1)(1,2)] + q*6 + r, "
	          "src=d[2; (6,1)(1,2)] + scalar(r, 0))\n"
	          "ncDmaCopy(dst=d[0; (6,1)(1,2)], "
	          "src=d[0; (6,1)(1,2)] + scalar(e[1, 2, 0], 1))\n}\n");
	struct bir_inst *loop = only(m)->next, *dma;
	struct bir_expr *x;

	(void)state;
	assert_int_equal(loop->it, BIR_IT_LOOP);
	dma = loop->u.loop.body.first->first;
	x = dma->out[0]->expr;
	assert_int_equal(dma->out[0]->kind, BIR_ARG_SYM);
	assert_int_equal(x->nterm, 2);
	assert_int_equal(x->term[0].coef, 6);
	assert_ptr_equal(x->term[0].reg, loop->u.loop.iv);
	assert_int_equal(x->term[1].coef, 1);
	assert_ptr_equal(x->term[1].reg, bir_reg_find(m, "r"));
	assert_int_equal(dma->in[0]->offset, 8);
	assert_int_equal(dma->in[0]->expr->term[0].coef, 6);
	x = dma->next->in[0]->expr;
	assert_int_equal(x->term[0].coef, 1);
	assert_int_equal(x->term[0].index->offset, (6 + 4) * 4);
	bir_module_free(m);
}

/* ------------------------------------------------------------ operators */

static void test_search(void **state)
{
	struct bir_module *m =
	    lower("max8(dst=v, src=b)\nfindIndex8(dst=x, src=b, vals=v)\n"
	          "matchReplace8(dst=b, src=b, vals=v, replaceValue=-inf)\n");
	struct bir_inst *i = only(m);

	(void)state;
	assert_int_equal(i->it, 88);
	assert_string_equal(i->in[0]->loc->name, "b");
	assert_string_equal(i->out[0]->loc->name, "v");
	assert_string_equal(i->name, "Max-0");
	i = i->next;
	assert_int_equal(i->it, 89);
	assert_int_equal(i->nin, 2);
	assert_string_equal(i->in[0]->loc->name, "v");
	assert_string_equal(i->in[1]->loc->name, "b");
	assert_string_equal(i->out[0]->loc->name, "x");
	i = i->next;
	assert_int_equal(i->it, 90);
	assert_string_equal(i->in[0]->loc->name, "v");
	assert_int_equal(i->u.replace, 0xFF800000);
	assert_int_equal(i->pos.line, 16);
	bir_module_free(m);
}

static void test_arithmetic(void **state)
{
	struct bir_module *m =
	    lower("tensorScalar @dve(dst=b, src=b, imm0=2.0, op0=subtract, "
	          "imm1=v[:, 3], op1=max, reverse=second)\n"
	          "tensorTensor @pool(dst=b, src0=b, src1=g, op=is_le)\n"
	          "tensorReduce(dst=v[:, 0], src=b, op=mult, opDim=X, "
	          "negated=true)\n"
	          "iota(dst=i, pattern=[-3; (0,8)(5,8); 7])\n");
	struct bir_inst *i = only(m);

	(void)state;
	assert_int_equal(i->it, 29);
	assert_int_equal(i->engine, 5);
	assert_int_equal(i->u.alu.op0, 5);
	assert_int_equal(i->u.alu.op1, 8);
	assert_false(i->u.alu.rev0);
	assert_true(i->u.alu.rev1);
	assert_int_equal(i->in[1]->kind, BIR_ARG_IMM);
	assert_int_equal(i->in[1]->dtype, 16);
	assert_int_equal(i->in[1]->imm, 0x40000000);
	assert_int_equal(i->in[2]->offset, 12);
	i = i->next;
	assert_int_equal(i->it, 31);
	assert_int_equal(i->engine, 1);
	assert_int_equal(i->u.alu.op0, 23);
	assert_string_equal(i->in[1]->loc->name, "g");
	i = i->next;
	assert_int_equal(i->it, 27);
	assert_int_equal(i->engine, 0);
	assert_int_equal(i->u.alu.op0, 6);
	assert_int_equal(i->u.alu.axis, 0);
	assert_true(i->u.alu.negate);
	i = i->next;
	assert_int_equal(i->it, 61);
	assert_int_equal(i->u.iota.base, -3);
	assert_int_equal(i->u.iota.mult, 7);
	assert_int_equal(i->u.iota.npair, 2);
	assert_int_equal(i->u.iota.pair[1].step, 5);
	bir_module_free(m);
}

static void test_memset(void **state)
{
	struct bir_module *m =
	    lower("memSet @pool(dst=g, value=-1, dtype=int8)\n"
	          "memSet(dst=i, value=-2, dtype=int32)\n"
	          "memSet(dst=b, value=-0.0, dtype=float32)\n"
	          "memSet(dst=z, value=1.0, dtype=bfloat16)\n");
	struct bir_inst *i = only(m);

	(void)state;
	assert_int_equal(i->it, 10);
	assert_int_equal(i->engine, 1);
	assert_int_equal(i->u.memset.fill, 0xFF);
	assert_false(i->u.memset.random);
	assert_string_equal(i->name, "memset-0");
	assert_int_equal(i->next->u.memset.fill, 0xFFFFFFFE);
	assert_int_equal(i->next->next->u.memset.fill, 0x80000000);
	i = i->next->next->next;
	assert_int_equal(i->it, 1);
	assert_int_equal(i->in[0]->imm, 0x3F800000);
	bir_module_free(m);
}

static void test_predicates(void **state)
{
	struct bir_module *m =
	    lower("copyPredicated(dst=b, src=c[:, 0:64], predicate=m)\n"
	          "copyPredicated(dst=b, src=3.0, predicate=m, "
	          "reversePred=true)\n"
	          "select(dst=b, predicate=m, onTrue=1.5, onFalse=b) as s\n");
	struct bir_inst *i = only(m);

	(void)state;
	assert_int_equal(i->it, 52);
	assert_string_equal(i->in[0]->loc->name, "m");
	assert_string_equal(i->in[1]->loc->name, "c");
	assert_false(i->u.cpred.reverse || i->u.cpred.false_fill);
	i = i->next;
	assert_true(i->u.cpred.reverse);
	assert_int_equal(i->in[1]->imm, 0x40400000);
	i = i->next;
	assert_int_equal(i->it, 51);
	assert_string_equal(i->name, "s");
	assert_string_equal(i->in[0]->loc->name, "m");
	assert_int_equal(i->in[1]->kind, BIR_ARG_IMM);
	assert_string_equal(i->in[2]->loc->name, "b");
	bir_module_free(m);
}

static void test_scalars(void **state)
{
	struct bir_module *m =
	    lower("one:\n"
	          "tensorLoad(dst=r, src=e[0, 1, 0])\n"
	          "registerAluOp(dst=q, src=r, imm=-4, op=mult)\n"
	          "registerMove(dst=w, imm=q)\n"
	          "tensorStore(dst=e[0, 0, 0], src=q)\n"
	          "cmpBranch(reg1=q, reg2=r, op=le_reg, trueLabel=one, "
	          "falseLabel=two)\n"
	          "two:\n"
	          "cmpBranch(reg1=q, imm=9, op=ne_imm, trueLabel=one, "
	          "falseLabel=three)\n"
	          "three:\n"
	          "cmpBranch(op=always, trueLabel=one)\n");
	struct bir_block *b = m->first->body.first;
	struct bir_inst *i = b->first;

	(void)state;
	assert_int_equal(i->it, 75);
	assert_int_equal(i->engine, 0);
	i = i->next;
	assert_int_equal(i->it, 73);
	assert_int_equal(i->engine, 7);
	assert_int_equal(i->u.alu.op0, 6);
	assert_int_equal((int64_t)i->in[1]->imm, -4);
	assert_int_equal(i->out[0]->reg->engine, 7);
	assert_int_equal(i->out[0]->reg->bits, 32);
	i = i->next;
	assert_int_equal(i->it, 74);
	assert_int_equal(i->in[0]->kind, BIR_ARG_REG);
	i = i->next;
	assert_int_equal(i->it, 76);
	i = i->next;
	assert_int_equal(i->it, 78);
	assert_int_equal(i->engine, 0);
	assert_int_equal(i->u.branch.cmp, 7);
	assert_ptr_equal(i->u.branch.on_true, b);
	assert_ptr_equal(i->u.branch.on_false, b->next);
	i = b->next->first;
	assert_int_equal(i->u.branch.cmp, 3);
	assert_int_equal(i->in[1]->imm, 9);
	i = b->next->next->first;
	assert_int_equal(i->it, 79);
	assert_ptr_equal(i->u.branch.on_true, b);
	bir_module_free(m);
}

static void test_dma(void **state)
{
	static const char *const line[] = {
	    "ncDmaCopy(dst=b[0:4, 0:6], src=d)\n",
	    "ncDmaCopy @pool(dst=d, src=b[0:4, 0:6], dgeMode=1)\n",
	    ("ncDmaCopy @act(dst=d, src=b[0:4, 0:6], dgeMode=2, "
	     "oobMode=error, priority=2, queue=\"q\")\n"),
	    "ncDmaCopy @dma(dst=d, src=d, dgeMode=3)\n"};
	static const int engine[] = {4, 1, 2, 4}, dge[] = {3, 1, 2, 0};

	(void)state;
	for (int n = 0; n < 4; n++) {
		struct bir_module *m = lower(line[n]);
		struct bir_inst *i = only(m);

		assert_int_equal(i->it, 32);
		assert_int_equal(i->engine, engine[n]);
		assert_int_equal((int)i->u.dma.dge, dge[n]);
		assert_int_equal(i->u.dma.oob_skip, n != 2);
		if (n == 2) {
			assert_string_equal(i->u.dma.queue, "q");
			assert_int_equal(i->u.dma.qos, 2);
		}
		bir_module_free(m);
	}
}

static void test_loops_and_edges(void **state)
{
	struct bir_module *m = lower("max8(dst=v, src=b) as early\n"
	                             "registerMove(dst=n, imm=3)\n"
	                             "for j in 6..-2 step -2 {\n"
	                             "for h in 1..n {\n"
	                             "max8(dst=v, src=b)\n}\n}\n"
	                             "reciprocal(dst=a, src=a) as late\n"
	                             "edge early -> late\n");
	struct bir_inst *i = only(m)->next->next, *in;
	struct bir_dep *d;

	(void)state;
	assert_int_equal(i->it, 105);
	assert_int_equal(i->u.loop.lb, 6);
	assert_int_equal(i->u.loop.ub, -2);
	assert_int_equal(i->u.loop.step, -2);
	in = i->u.loop.body.first->first;
	assert_int_equal(in->it, 106);
	assert_int_equal(in->u.loop.lb, 1);
	assert_int_equal(in->u.loop.ub, 0);
	assert_int_equal(in->u.loop.coef, 1);
	assert_string_equal(in->u.loop.ubreg->name, "n");
	assert_int_equal(in->u.loop.body.first->first->it, 88);
	assert_string_equal(i->next->name, "late");
	d = bir_dep_find(m, i->next, only(m));
	assert_non_null(d);
	assert_int_equal(d->kind, BIR_ORDERED);
	assert_false(d->carried);
	bir_module_free(m);
}

/* Printing is exact for every fp32 word. */
static void test_floats(void **state)
{
	uint32_t bits = 1;

	(void)state;
	for (int n = 0; n < 3000; n++) {
		char body[96];
		struct klr_kernel *a, *b;
		struct klr_error err;
		char *text;

		bits = bits * 1664525u + 1013904223u;
		if (n < 16)
			bits = (uint32_t)(n & 1) << 31 | 0x7F800000u >> n / 2;
		snprintf(body, sizeof(body),
		         "memSet(dst=b, value=bits(0x%x), dtype=float32)\n",
		         bits);
		a = parse(body);
		text = klr_print(a);
		b = klr_parse(text, strlen(text), "again", &err);
		assert_non_null(b);
		assert_int_equal(b->bodies->blocks->body->value[1].bits, bits);
		free(text);
		klr_free(a);
		klr_free(b);
	}
}

static void test_data(void **state)
{
	char dir[] = "/tmp/klr-XXXXXX", path[64];
	static const char text[] = "kernel k\ninput t: uint16[2, 3] from "
	                           "\"t.bin\"\noutput o: uint16[2, 3]\n"
	                           "ncDmaCopy(dst=o, src=t)\n";
	struct klr_lower_opts opts = {.data_dir = dir};
	struct klr_error err;
	struct klr_kernel *k = klr_parse(text, strlen(text), "k.klr", &err);
	struct bir_module *m;
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/t.bin", dir);
	f = fopen(path, "wb");
	assert_non_null(f);
	fputs("abcdefghijkl", f);
	fclose(f);
	m = klr_lower(k, &opts, &err);
	assert_non_null(m);
	assert_memory_equal(bir_loc_find(m, "t")->init, "abcdefghijkl", 12);
	assert_int_equal(bir_loc_find(m, "t")->kind, BIR_INPUT);
	assert_int_equal(bir_loc_find(m, "o")->kind, BIR_OUTPUT_T);
	bir_module_free(m);
	opts.core = 1;
	assert_null(klr_lower(k, &opts, &err));
	assert_string_equal(err.id, "KLR022");
	opts.core = 0;
	remove(path);
	assert_null(klr_lower(k, &opts, &err));
	assert_string_equal(err.id, "KLR018");
	klr_free(k);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_operators),
	    cmocka_unit_test(test_field_counts),
	    cmocka_unit_test(test_words),
	    cmocka_unit_test(test_slices),
	    cmocka_unit_test(test_places),
	    cmocka_unit_test(test_override),
	    cmocka_unit_test(test_terms),
	    cmocka_unit_test(test_search),
	    cmocka_unit_test(test_arithmetic),
	    cmocka_unit_test(test_memset),
	    cmocka_unit_test(test_predicates),
	    cmocka_unit_test(test_scalars),
	    cmocka_unit_test(test_dma),
	    cmocka_unit_test(test_loops_and_edges),
	    cmocka_unit_test(test_floats),
	    cmocka_unit_test(test_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
