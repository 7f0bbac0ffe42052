/* SPDX-License-Identifier: Apache-2.0
 *
 * The tools around lockstep: plants as text, sparse DRAM, fill, expected
 * faults and outputs, the register scanner, usage errors.
 */
#include "compiler/asm/asm.h"
#include "harness/cmd.h"
#include "harness/dram.h"
#include "harness/expect.h"
#include "harness/fill.h"
#include "harness/plant.h"
#include "harness/vscan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void test_plant_text(void **state)
{
	static const char *const bad[] = {"SP.rf[3]",
	                                  "SP.rf[64]@1",
	                                  "SP.rf[-1]@1",
	                                  "SP.none@1",
	                                  "@1",
	                                  "SP.pc@",
	                                  "SP.pc@x",
	                                  "SP.pc@1:both",
	                                  "SP.pc@1^",
	                                  "SP.pc@1^0",
	                                  "SP.pc@1:rtl^1x",
	                                  "SP.state@1^8",
	                                  "SP.pc@1^0x100000000",
	                                  "SP.pc@-1",
	                                  "SP.rf#3#4@1",
	                                  "SP.rf@99999999999999999999",
	                                  "sp.pc@1"};
	struct plant p, q;
	char why[96], text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (plant_parse(bad[i], &p, why, sizeof(why)))
			fail_msg("accepted: %s", bad[i]);
	assert_true(
	    plant_parse("ACT.stack[3]@0x20:model^0xF0", &p, why, sizeof(why)));
	assert_string_equal(state_fields[p.field].name, "ACT.stack");
	assert_int_equal(p.index, 3);
	assert_true(p.on && p.model && p.cycle == 32 && p.mask == 0xF0);
	assert_true(plant_parse("wd@7", &q, why, sizeof(why)));
	assert_true(q.on && !q.model && q.cycle == 7 && q.mask == 1);
	plant_text(&p, text, sizeof(text));
	assert_string_equal(text, "ACT.stack#3@32:model^0xf0");
	assert_true(plant_parse(text, &q, why, sizeof(why)));
	assert_true(q.field == p.field && q.index == p.index &&
	            q.cycle == p.cycle && q.mask == p.mask && q.model);
}

/* ------------------------------------------------------------------ */

static void test_dram(void **state)
{
	const uint64_t top = (1ull << 33) - 1;
	struct dram *a = dram_new(), *b = dram_new();
	uint8_t buf[5000], back[5000];
	uint64_t word = 0;

	(void)state;
	assert_true(a && b);
	dram_clear(a, FILL_ONES, 0);
	dram_clear(b, FILL_ONES, 9);
	assert_true(dram_read(a, 0) == ~0ull && dram_read(a, top) == ~0ull);
	dram_write(a, top, 0x1122334455667788, 0x81);
	assert_true(dram_read(a, top) == 0x11FFFFFFFFFFFF88);
	assert_true(dram_read(a, top - 1) == ~0ull);
	assert_false(dram_equal(a, b, &word));
	assert_true(word == top);
	assert_false(dram_equal(b, a, &word));
	dram_write(b, top, 0x1100000000000088, 0x81);
	assert_true(dram_equal(a, b, &word));
	/* Bytes over a page border, at odd ends. */
	for (size_t i = 0; i < sizeof(buf); i++)
		buf[i] = (uint8_t)(i * 7 + i / 256);
	dram_put(a, 0x1FFD, buf, sizeof(buf));
	dram_get(a, 0x1FFD, back, sizeof(back));
	assert_memory_equal(buf, back, sizeof(buf));
	dram_get(a, 0x1FFC, back, 2);
	assert_true(back[0] == 0xFF && back[1] == buf[0]);
	assert_true(dram_read(a, 0x400) ==
	            ((uint64_t)buf[3] | (uint64_t)buf[4] << 8 |
	             (uint64_t)buf[5] << 16 | (uint64_t)buf[6] << 24 |
	             (uint64_t)buf[7] << 32 | (uint64_t)buf[8] << 40 |
	             (uint64_t)buf[9] << 48 | (uint64_t)buf[10] << 56));
	/* A cleared DRAM forgets, and its pages take the new fill. */
	dram_clear(a, FILL_RANDOM, 3);
	assert_true(dram_read(a, 0x400) == fill_word(FILL_RANDOM, 3, 0x2000));
	dram_write(a, 0x400, 0, 0x01);
	assert_true(dram_read(a, 0x401) == fill_word(FILL_RANDOM, 3, 0x2008));
	assert_true(dram_read(a, 0x400) ==
	            (fill_word(FILL_RANDOM, 3, 0x2000) & ~0xFFull));
	dram_free(a);
	dram_free(b);
}

static void test_fill(void **state)
{
	struct tpb_state s, t;
	uint64_t w[32], ones = 0;

	(void)state;
	fill_words(w, 32, FILL_RANDOM, 42, 0x1000);
	for (size_t i = 0; i < 32; i++) {
		assert_true(w[i] == fill_word(FILL_RANDOM, 42, 0x1000 + 8 * i));
		ones += (uint64_t)__builtin_popcountll(w[i]);
	}
	/* 2048 fair coins: six deviations either way. */
	assert_in_range(ones, 1024 - 136, 1024 + 136);
	fill_words(w, 2, FILL_ONES, 42, 0);
	assert_true(w[0] == ~0ull && w[1] == ~0ull);
	/* Only KEEP fields, within their width. */
	memset(&s, 0, sizeof(s));
	fill_state(&s, FILL_ONES, 1);
	for (int f = 0; f < state_nfields; f++)
		for (int i = 0; i < state_fields[f].count; i++) {
			int n = state_fields[f].reset == STATE_KEEP
			            ? state_fields[f].width
			            : 0;
			assert_int_equal(
			    __builtin_popcountll(state_get(&s, f, i)), n);
		}
	memset(&t, 0, sizeof(t));
	fill_state(&s, FILL_RANDOM, 1);
	fill_state(&t, FILL_RANDOM, 2);
	assert_memory_not_equal(&s, &t, sizeof(s));
}

/* ------------------------------------------------------------------ */

static void test_expect_fault_text(void **state)
{
	static const char *const bad[] = {"",
	                                  "SP",
	                                  "SP=",
	                                  "SP=NONE",
	                                  "SP=NOTHING",
	                                  "XX=DEADLOCK",
	                                  "SP=DEADLOCK@",
	                                  "SP=DEADLOCK@x",
	                                  "SP=DEADLOCK@4294967296"};
	struct expect_fault f;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (expect_fault_parse(bad[i], &f))
			fail_msg("accepted: %s", bad[i]);
	assert_true(expect_fault_parse("ACT=BAD_ADDR@12", &f));
	assert_true(f.engine == 1 && f.code == 10 && f.has_pc && f.pc == 12 &&
	            !f.halted);
	assert_true(expect_fault_parse("POOL=HALTED", &f));
	assert_true(f.engine == 2 && f.halted && !f.has_pc);
}

static struct image *program(const char *text)
{
	struct image_error err = {0};
	struct image *img = asm_source(text, strlen(text), "t.s", &err);

	if (!img || !image_resolve(img, &err))
		fail_msg("%s: %s: %s", err.id, err.place, err.text);
	return img;
}

static void write_file(const char *dir, const char *name, const void *data,
                       size_t size)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	fclose(f);
}

static void test_expect(void **state)
{
	struct image *img = program("\t.tensor out, size=5, output\n"
	                            "\t.tensor other, size=8\n"
	                            "\t.engine SP\n"
	                            "\tmov r4, 0x44332211\n"
	                            "\tmov r5, 0x55\n"
	                            "\tsave [out], r4\n"
	                            "\tsave.u8 [out + 4], r5\n"
	                            "\thalt\n"
	                            "\t.engine ACT\n"
	                            "\tload r4, [2]\n");
	struct lockstep_options opt = {.compare = true};
	struct lockstep *ls = lockstep_new();
	struct expect_fault f[2];
	struct lockstep_result res;
	char dir[] = "test_harness_XXXXXX", path[128];
	FILE *out = tmpfile();

	(void)state;
	assert_true(ls && out && mkdtemp(dir));
	assert_true(lockstep_run(ls, img, &opt, &res));
	assert_int_equal(res.verdict, VERDICT_FAULTED);
	write_file(dir, "out.bin", "\x11\x22\x33\x44\x55", 5);
	assert_int_equal(expect_outputs(ls, img, dir, out), 1);
	write_file(dir, "out.bin", "\x11\x22\x33\x44\x54", 5);
	assert_int_equal(expect_outputs(ls, img, dir, out), -2);
	write_file(dir, "out.bin", "\x11\x22\x33\x44\x55\x66", 6);
	assert_int_equal(expect_outputs(ls, img, dir, out), -1);
	snprintf(path, sizeof(path), "%s/out.bin", dir);
	unlink(path);
	assert_int_equal(expect_outputs(ls, img, dir, out), -1);
	/* What is saved is what was made. */
	assert_true(expect_save(ls, img, dir));
	assert_int_equal(expect_outputs(ls, img, dir, out), 1);
	unlink(path);
	rmdir(dir);
	assert_false(expect_save(ls, img, dir));
	/* Both ends must be named, with the right pc. */
	assert_true(expect_fault_parse("SP=HALTED", &f[0]));
	assert_true(expect_fault_parse("ACT=MISALIGNED@0", &f[1]));
	assert_true(expect_faults(ls, f, 2, out));
	assert_false(expect_faults(ls, f, 1, out));
	assert_false(expect_faults(ls, f + 1, 1, out));
	f[1].pc = 1;
	assert_false(expect_faults(ls, f, 2, out));
	f[1].pc = 0;
	f[1].code = TPB_FAULT_BAD_ADDR;
	assert_false(expect_faults(ls, f, 2, out));
	fclose(out);
	lockstep_free(ls);
	image_free(img);
}

/* ------------------------------------------------------------------ */

struct found {
	char text[1024];
};

static void collect(void *ctx, const char *path, const struct vscan_reg *r)
{
	struct found *f = ctx;
	size_t n = strlen(f->text);

	snprintf(f->text + n, sizeof(f->text) - n, "%s%s:%d ", path,
	         r->misnamed ? "!" : "", r->line);
}

static void test_vscan(void **state)
{
	static const char text[] =
	    "// a_q in a comment\n"
	    "module top (input logic clk_i);\n"
	    "  /* b_q\n"
	    "  */ logic [3:0] x_q, x_d;\n"
	    "  for (genvar e = 0; e < 2; e++) begin : gen_e\n"
	    "    leaf #(.N(3), .P(a ? b : c)) u_leaf (.clk_i, .y_q(x_q));\n"
	    "    logic local_q;\n"
	    "    always_ff @(posedge clk_i) begin\n"
	    "      if (x_q <= 3) local_q <= 1'b0;\n"
	    "      else begin : named\n"
	    "        x_q <= x_d; bad[1] <= x_q[0];\n"
	    "      end\n"
	    "    end\n"
	    "  end\n"
	    "  leaf u_other (.clk_i);\n"
	    "endmodule\n"
	    "module leaf (input logic clk_i);\n"
	    "  logic m_q [4];\n"
	    "  always_ff @(posedge clk_i) m_q[0] <= 1;\n"
	    "  assign z = m_q[1] <= 2;\n"
	    "endmodule\n"
	    "module unused; logic u_q; endmodule\n";
	struct found f = {""};
	struct vscan v = {0};

	(void)state;
	assert_true(vscan_text(&v, text, "t.sv"));
	vscan_walk(&v, "top", collect, &f);
	assert_string_equal(f.text, "x_q:4 gen_e.local_q:7 "
	                            "gen_e.named.bad!:11 "
	                            "gen_e.u_leaf.m_q:18 u_other.m_q:18 ");
	vscan_free(&v);
}

/* ------------------------------------------------------------------ */

static int status_of(int (*cmd)(int, char **), char *arg0, char *arg1)
{
	char *argv[] = {arg0, arg1, NULL};

	return cmd(2, argv);
}

static void test_usage(void **state)
{
	char cosim[] = "cosim", fields[] = "fields", plants[] = "plants";
	char nope[] = "--nope", extra[] = "extra", bare[] = "--seed";
	char help[] = "--help", missing[] = "missing.tpb";
	int status = -1;
	pid_t child;

	(void)state;
	assert_int_equal(status_of(cmd_cosim, cosim, nope), CMD_BAD);
	assert_int_equal(status_of(cmd_cosim, cosim, bare), CMD_BAD);
	assert_int_equal(status_of(cmd_cosim, cosim, missing), CMD_BAD);
	assert_int_equal(status_of(cmd_plants, plants, missing), CMD_BAD);
	assert_int_equal(status_of(cmd_fields, fields, extra), CMD_BAD);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		if (!freopen("/dev/null", "w", stdout))
			_exit(99);
		status_of(cmd_cosim, cosim, help);
		_exit(98); /* --help does not return */
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_plant_text),
	    cmocka_unit_test(test_dram),
	    cmocka_unit_test(test_fill),
	    cmocka_unit_test(test_expect_fault_text),
	    cmocka_unit_test(test_expect),
	    cmocka_unit_test(test_vscan),
	    cmocka_unit_test(test_usage),
	};

	return cmocka_run_group_tests_name("harness", tests, NULL, NULL);
}
