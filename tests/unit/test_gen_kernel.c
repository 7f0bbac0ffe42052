/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels: a seed is one text; a sample passes in interpreter and
 * model; a bit flipped on the model's side is noticed, and the kernel that
 * notices it shrinks.  Then kernels that once differed, and every kernel of
 * tests/klr/bad through `tpb compile`: its id and line, a hint, exit status 2,
 * no file.
 *
 * The oracle of a kernel is the interpreter of the IR as the front end leaves
 * it, whose arithmetic is neither the model's nor the passes'.
 */
#include "harness/cmd.h"
#include "harness/fill.h"
#include "harness/gen_kernel.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLE 80

static struct kernel_bench *bench;

static int set_up(void **state)
{
	(void)state;
	bench = kernel_bench_new(NULL);
	return bench ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	kernel_bench_free(bench);
	return 0;
}

/* ------------------------------------------------------------ the generator */

static void a_seed_is_one_text(void **state)
{
	struct kernel_text a, b, c;
	char *x, *y, *z;

	(void)state;
	gen_kernel(&a, 42);
	gen_kernel(&b, 42);
	gen_kernel(&c, 43);
	x = kernel_text_join(&a);
	y = kernel_text_join(&b);
	z = kernel_text_join(&c);
	assert_string_equal(x, y);
	assert_string_not_equal(x, z);
	free(x);
	free(y);
	free(z);
	kernel_text_free(&a);
	kernel_text_free(&b);
	kernel_text_free(&c);
}

static void a_sample_passes(void **state)
{
	int limits = 0;

	(void)state;
	for (uint64_t i = 0; i < SAMPLE; i++) {
		uint64_t seed = fill_hash(3, i);
		struct kernel_verdict v;
		struct kernel_text k;
		char *text;

		gen_kernel(&k, seed);
		text = kernel_text_join(&k);
		kernel_judge(bench, text, seed, &v);
		if (v.end == KERNEL_LIMIT)
			limits++;
		else if (v.end != KERNEL_PASS)
			fail_msg("kernel of seed %llu: %s\n%s",
			         (unsigned long long)seed, v.what, text);
		free(text);
		kernel_text_free(&k);
	}
	assert_in_range(limits, 0, SAMPLE / 20);
}

static int lines(const struct kernel_text *k)
{
	int n = 0;

	for (int i = 0; i < k->n; i++)
		n += !k->line[i].off;
	return n;
}

static void a_planted_bit_is_noticed(void **state)
{
	int noticed = 0;

	(void)state;
	kernel_bench_plant(bench, true);
	for (uint64_t i = 0; i < 12 && noticed < 2; i++) {
		struct kernel_verdict v;
		struct kernel_text k;
		char *text;
		int before;

		gen_kernel(&k, fill_hash(4, i));
		text = kernel_text_join(&k);
		kernel_judge(bench, text, k.seed, &v);
		free(text);
		before = lines(&k);
		if (v.end == KERNEL_MODEL) {
			noticed++;
			kernel_shrink(bench, &k, &v);
			assert_int_equal(v.end, KERNEL_MODEL);
			assert_true(lines(&k) < before);
			assert_non_null(strstr(v.what, "model: "));
		}
		kernel_text_free(&k);
	}
	kernel_bench_plant(bench, false);
	assert_int_equal(noticed, 2);
}

/* ------------------------------------------------------------ once wrong */

#define TWO_TILES                   \
	"kernel once\n"             \
	"input x: int32[4, 8]\n"    \
	"output y: int32[4, 8]\n"   \
	"sbuf t: int32[4, 8]\n"     \
	"sbuf u: int32[4, 8]\n"     \
	"entry:\n"                  \
	"ncDmaCopy(dst=t, src=x)\n" \
	"ncCopy(dst=u, src=t)\n"

static const struct {
	const char *what, *text;
} once[] = {
    {"a register that nobody reads, made from one that another engine reads",
     TWO_TILES "registerMove(dst=a, imm=1)\n"
               "registerMove(dst=r, imm=5)\n"
               "registerAluOp(dst=b, src=r, imm=3, op=bitwise_and)\n"
               "ncCopy @pool(dst=t[0; (8,4)(1,4)], src=u[0; (8,4)(1,4)] + a)\n"
               "registerAluOp(dst=a, src=r, imm=1, op=bitwise_and)\n"
               "ncDmaCopy(dst=y, src=t)\n"},
    {"a loop downwards whose body begins with a loop",
     TWO_TILES "for i in 3..0 step -1 {\n"
               "for j in 0..2 {\n"
               "ncCopy @pool(dst=t[0; (8,4)(1,1)] + i*2 + j, src=u[:, 7])\n"
               "}\n"
               "}\n"
               "ncDmaCopy(dst=y, src=t)\n"},
    {"onFalse of one element a partition",
     TWO_TILES "tensorScalar(dst=u, src=u, imm0=1, op0=bitwise_and)\n"
               "select(dst=t, predicate=u, onTrue=7, onFalse=t[:, 3])\n"
               "ncDmaCopy(dst=y, src=t)\n"},
    {"select in place, above partition 0",
     "kernel once\n"
     "input x: int32[64, 8]\n"
     "output y: int32[64, 8]\n"
     "sbuf t: int32[64, 8]\n"
     "sbuf u: int32[64, 8]\n"
     "entry:\n"
     "ncDmaCopy(dst=t, src=x)\n"
     "tensorScalar(dst=u, src=t, imm0=1, op0=bitwise_and)\n"
     "select(dst=t[32:64], predicate=u[32:64], onTrue=t[32:64], onFalse=3)\n"
     "ncDmaCopy(dst=y, src=t)\n"},
    {"a DMA that reads an element of a row again and again",
     TWO_TILES "ncDmaCopy(dst=u, src=t[7; (8,4)(-1,4)(0,2)])\n"
               "ncDmaCopy(dst=y, src=u)\n"},
    {"numbers into lanes of other dtypes",
     "kernel once\n"
     "input x: uint8[4, 8]\n"
     "output y: float16[4, 8]\n"
     "output z: int8[4, 8]\n"
     "sbuf t: uint8[4, 8]\n"
     "sbuf h: float16[4, 8]\n"
     "sbuf b: int8[4, 8]\n"
     "entry:\n"
     "ncDmaCopy(dst=t, src=x)\n"
     "memSet(dst=h, value=bits(0xFFC12345), dtype=float16)\n"
     "memSet(dst=b, value=1, dtype=int8)\n"
     "copyPredicated(dst=h[:, 0:4], src=-2.5, predicate=t[:, 0:4])\n"
     "copyPredicated(dst=b[:, 0:4], src=-5, predicate=t[:, 0:4])\n"
     "copyPredicated(dst=b[:, 4:8], src=nan, predicate=t[:, 0:4])\n"
     "ncDmaCopy(dst=y, src=h)\n"
     "ncDmaCopy(dst=z, src=b)\n"},
    {"a second operation that yields its scalar",
     TWO_TILES "tensorScalar(dst=t, src=t, imm0=1.0, op0=add, imm1=35.0,\n"
               "             op1=bypass, reverse=second)\n"
               "tensorScalar(dst=u, src=u, imm0=7, op0=bitwise_and,\n"
               "             imm1=5, op1=bypass, reverse=both)\n"
               "tensorTensor(dst=t, src0=t, src1=u, op=mult)\n"
               "ncDmaCopy(dst=y, src=t)\n"},
    {"reverse=second without a second operation",
     TWO_TILES "tensorScalar(dst=t, src=t, imm0=1.0, op0=add,\n"
               "             reverse=second)\n"
               "ncDmaCopy(dst=y, src=t)\n"},
    {"a fold of one large element",
     "kernel once\n"
     "output y: int32[4, 8]\n"
     "sbuf t: int32[4, 8]\n"
     "sbuf w: uint32[4, 8]\n"
     "entry:\n"
     "memSet(dst=w, value=0, dtype=uint32)\n"
     "tensorScalar(dst=w, src=w, imm0=-8, op0=bitwise_or)\n"
     "tensorReduce(dst=t, src=w[0; (8,4)(1,8)(1,1)], op=max,\n"
     "             opDim=X)\n"
     "ncDmaCopy(dst=y, src=t)\n"},
};

static void what_once_differed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(once) / sizeof(*once); i++)
		/* other seeds try other passes */
		for (uint64_t seed = 1; seed < 6; seed++) {
			struct kernel_verdict v;

			kernel_judge(bench, once[i].text, seed, &v);
			if (v.end != KERNEL_PASS)
				fail_msg("%s: %s", once[i].what, v.what);
			assert_in_range(v.outputs, 1, 2);
		}
}

/* More registers than an engine has: some live in DRAM for a while. */
static void a_hundred_registers(void **state)
{
	struct kernel_verdict v;
	size_t size = 32768, at = 0;
	char *text = malloc(size);

	(void)state;
	assert_non_null(text);
	at += (size_t)snprintf(text, size,
	                       "kernel many\ninput x: int32[1, 100]\n"
	                       "output y: int32[1, 100]\nentry:\n");
	for (int i = 0; i < 100; i++)
		at += (size_t)snprintf(text + at, size - at,
		                       "tensorLoad(dst=r%d, src=x[0, %d])\n", i,
		                       i);
	for (int i = 0; i < 100; i++)
		at += (size_t)snprintf(text + at, size - at,
		                       "tensorStore(dst=y[0, %d], src=r%d)\n",
		                       99 - i, i);
	kernel_judge(bench, text, 1, &v);
	free(text);
	if (v.end != KERNEL_PASS)
		fail_msg("%s", v.what);
}

/* The bound of a loop is read before the body that would set it. */
static void a_bound_that_the_body_sets(void **state)
{
	struct kernel_verdict v;

	(void)state;
	kernel_judge(bench,
	             "kernel late\n"
	             "output y: int32[1, 4]\n"
	             "entry:\n"
	             "registerMove(dst=a, imm=1)\n"
	             "for i in 0..b {\n"
	             "registerMove(dst=b, imm=2)\n"
	             "}\n"
	             "tensorStore(dst=y[0, 0], src=a)\n",
	             1, &v);
	assert_int_equal(v.end, KERNEL_COMPILE);
	assert_string_equal(v.id, "BIR020");
	assert_non_null(strstr(v.what, "random.klr:5: "));
	assert_non_null(strstr(v.what, "; change the statement"));
}

/* ------------------------------------------------------------ bad kernels */

/* What `tpb compile` says on stderr; returns its exit status. */
static int compile(const char *klr, const char *data, const char *out,
                   char *text, size_t size)
{
	char *argv[] = {
	    "compile", (char *)(uintptr_t)klr,  "-o", (char *)(uintptr_t)out,
	    "--data",  (char *)(uintptr_t)data, NULL};
	FILE *f = tmpfile();
	int status = 0;
	pid_t pid;

	assert_non_null(f);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		dup2(fileno(f), STDERR_FILENO);
		_exit(cmd_compile(6, argv));
	}
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	rewind(f);
	text[fread(text, 1, size - 1, f)] = '\0';
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Id and line of "; expect-error: KLR003 line 18". */
static void expectation(const char *path, char id[16], unsigned *line)
{
	FILE *f = fopen(path, "r");
	char buf[200];
	bool found = false;

	assert_non_null(f);
	while (!found && fgets(buf, sizeof(buf), f))
		found =
		    sscanf(buf, "; expect-error: %15s line %u", id, line) == 2;
	fclose(f);
	if (!found)
		fail_msg("%s expects nothing", path);
}

static void write_input(const char *dir)
{
	static const char zero[128 * 64 * 4];
	char path[80];
	FILE *f;

	snprintf(path, sizeof(path), "%s/x.bin", dir);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(zero, 1, sizeof(zero), f), sizeof(zero));
	fclose(f);
}

static void bad_kernels_are_refused(void **state)
{
	char dir[] = "/tmp/test_gen_kernel.XXXXXX", out[80], input[80];
	glob_t g;

	(void)state;
	assert_non_null(mkdtemp(dir));
	write_input(dir);
	snprintf(input, sizeof(input), "%s/x.bin", dir);
	snprintf(out, sizeof(out), "%s/out.tpb", dir);
	assert_int_equal(glob("tests/klr/bad/*.klr", 0, NULL, &g), 0);
	assert_in_range(g.gl_pathc, 100, 1000);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		const char *path = g.gl_pathv[i], *hint;
		char text[600], want[200], id[16];
		unsigned line = 0;

		expectation(path, id, &line);
		snprintf(want, sizeof(want), "tpb: error[%s]: %s:%u:", id, path,
		         line);
		if (compile(path, dir, out, text, sizeof(text)) != CMD_BAD ||
		    strncmp(text, want, strlen(want)))
			fail_msg("%s: expected %s, not: %s", path, want, text);
		hint = strpbrk(text + strlen(want), ";?");
		if (!hint || !hint[1])
			fail_msg("no hint: %s", text);
		if (!access(out, F_OK))
			fail_msg("%s: an image was written", path);
	}
	globfree(&g);
	remove(input);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_seed_is_one_text),
	    cmocka_unit_test(a_sample_passes),
	    cmocka_unit_test(a_planted_bit_is_noticed),
	    cmocka_unit_test(what_once_differed),
	    cmocka_unit_test(a_hundred_registers),
	    cmocka_unit_test(a_bound_that_the_body_sets),
	    cmocka_unit_test(bad_kernels_are_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
