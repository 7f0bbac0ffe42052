/* SPDX-License-Identifier: Apache-2.0
 *
 * The lane functions of rtl/ against the oracle, and how fast they are.
 *
 *   lane_bench [--count N] [--bits B] [--seed S] [--part K --of M] [--rate]
 *              [--plant]
 *
 * A job is one function with one code and one configuration.
 *   fp32 ops      all pairs of special values, N random pairs
 *   integer ops   the same with N / 10 random pairs for each pair of tags
 *   bitvec ops    all pairs of bytes (width 8), else as integer ops
 *   widening      all 8- and 16-bit inputs; 32 bits: special and N random ones
 *   narrowing     special values and one random input out of each of 2^B
 *                 equal parts of all 2^32 (16-bit results; all inputs for
 *                 B = 32), for the other dtypes and for each fp8
 *                 configuration out of 2^(B - 5)
 * Of the jobs those with index = K modulo M are done.  --rate measures instead
 * of comparing: nanoseconds of processor time a lane and call, the least of 50
 * times, the bench's own share (as for bypass) included.
 * --plant flips one bit of the first result of each job: every job must see it.
 *
 * Each difference is printed (the first ten of a job); exit status 1 if there
 * is one, 2 for bad usage.
 */
#include "tests/lane/lane.h"
#include "tests/lane/oracle.h"

#include "isa/isa.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_SPECIAL 512

static struct {
	uint64_t count, seed, part, of;
	unsigned bits;
	bool rate, plant;
} want = {.count = 2000000, .seed = 1, .of = 1, .bits = 26};

static uint32_t special[MAX_SPECIAL];
static size_t specials;
static uint64_t jobs, compared, differences;

/* ---- inputs ---- */

static uint64_t rng;

static uint64_t rnd64(void)
{
	uint64_t z = rng += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

/* Values at the edges of the formats and of the rules, both signs. */
static void make_specials(void)
{
	static const uint32_t exponents[] = {0,   1,   2,   24,  64,  103, 112,
	                                     113, 117, 118, 126, 127, 128, 130,
	                                     131, 134, 135, 142, 143, 149, 150,
	                                     151, 157, 158, 159, 253, 254};
	static const uint32_t fractions[] = {0, 1, 0x400000, 0x7FFFFF,
	                                     0x555555};
	static const uint32_t others[] = {
	    0x7F800000, 0x7F800001, 0x7FBFFFFF, 0x7FC00000, 0x7FC12345,
	    0x7FFFFFFF, 2,          3,          0x000000FF, 0x00000100,
	    0x0000FFFF, 0x00008000, 0x00FFFFFF, 0x7FFFFFFE};
	size_t i, j;

	for (i = 0; i < sizeof exponents / sizeof *exponents; i++)
		for (j = 0; j < sizeof fractions / sizeof *fractions; j++)
			special[specials++] = exponents[i] << 23 | fractions[j];
	for (i = 0; i < sizeof others / sizeof *others; i++)
		special[specials++] = others[i];
	for (i = specials; i > 0; i--)
		special[specials++] = special[i - 1] | 0x80000000;
}

/* A pair: uniform bits, near exponents, near values, few bits, edges. */
static void random_pair(uint32_t *a, uint32_t *b)
{
	uint64_t r = rnd64(), s = rnd64();
	uint32_t x = (uint32_t)r, y = (uint32_t)(r >> 32);
	unsigned n = (unsigned)(s >> 8 & 31);

	switch (s & 7) {
	case 0:
	case 1: break;
	case 2:
	case 3: /* exponents at most 31 apart */
		y = (y & 0x807FFFFF) |
		    (((x >> 23) - n + 15 + (unsigned)(s >> 16 & 1)) & 0xFF)
		        << 23;
		break;
	case 4: /* values a few units apart, either sign */
		y = (x + n - 15) ^ (y & 0x80000000);
		break;
	case 5: /* exponents near that of 1.0 */
		x = (x & 0x87FFFFFF) | 0x38000000;
		y = (y & 0x87FFFFFF) | 0x38000000;
		break;
	case 6: /* short significands: exact results and ties */
		x &= 0xFFFFFFFF << (n % 24);
		y &= 0xFFFFFFFF << (s >> 16 & 15);
		break;
	default: /* denormals and small integers */
		x &= 0x80FFFFFF >> (n & 15);
		y &= 0x807FFFFF;
		break;
	}
	*a = x;
	*b = y;
}

/* ---- comparing ---- */

static uint32_t in_a[LANE_WIDTH], in_b[LANE_WIDTH];
static unsigned filled;
static struct lane_op job;
static unsigned job_differences;
static uint64_t job_results;

static void compare_filled(void)
{
	uint32_t word[LANE_WIDTH];
	uint64_t flags;
	unsigned j;

	lane_run(&job, in_a, in_b, word, &flags);
	if (want.plant && job_results == 0)
		word[0] ^= 1;
	job_results += filled;
	for (j = 0; j < filled; j++) {
		struct oracle_result r = oracle_run(&job, in_a[j], in_b[j]);

		if (r.word == word[j] && r.flags == (flags >> 2 * j & 3))
			continue;
		differences++;
		if (job_differences++ >= 10)
			continue;
		printf("unit %d code %02X cfg %u: %08X %08X -> %08X (%u), "
		       "oracle %08X (%u)\n",
		       (int)job.unit, job.code, job.cfg, in_a[j], in_b[j],
		       word[j], (unsigned)(flags >> 2 * j & 3), r.word,
		       r.flags);
	}
	compared += filled;
	filled = 0;
}

static void compare(uint32_t a, uint32_t b)
{
	in_a[filled] = a;
	in_b[filled] = b;
	if (++filled == LANE_WIDTH)
		compare_filled();
}

/* Is the next job one of ours?  Then it is the one that compare() does. */
static bool begin(enum lane_unit unit, unsigned code, unsigned cfg)
{
	job = (struct lane_op){unit, (uint8_t)code, (uint8_t)cfg};
	job_differences = 0;
	job_results = 0;
	rng = want.seed * 0x9E3779B97F4A7C15u + jobs * 0xD1B54A32D192ED03u;
	return jobs++ % want.of == want.part;
}

static void end(void)
{
	if (filled > 0)
		compare_filled();
}

static void pairs(uint64_t count)
{
	uint32_t a, b;
	size_t i, j;

	for (i = 0; i < specials; i++)
		for (j = 0; j < specials; j++)
			compare(special[i], special[j]);
	while (count-- > 0) {
		random_pair(&a, &b);
		compare(a, b);
	}
	end();
}

/* One input out of each of 2^bits parts. */
static void spread(unsigned bits)
{
	uint64_t i;
	size_t k;

	for (k = 0; k < specials; k++)
		compare(special[k], 0);
	for (i = 0; i < 1ull << bits; i++)
		compare((uint32_t)((i << (32 - bits)) |
		                   (rnd64() & ((1ull << (32 - bits)) - 1))),
		        0);
	end();
}

/* All of the low bits, whatever stands above them. */
static void all_low(unsigned width)
{
	uint32_t i;

	for (i = 0; i < 1u << width; i++)
		compare(i | (uint32_t)(rnd64() << width), 0);
	end();
}

static void byte_pairs(void)
{
	uint32_t i;

	for (i = 0; i < 65536; i++)
		compare((i & 0xFF) | (uint32_t)rnd64() << 8,
		        i >> 8 | (uint32_t)rnd64() << 8);
	end();
}

/* ---- the jobs ---- */

static const uint8_t arith_ops[] = {
    TPB_ALU_BYPASS,      TPB_ALU_ADD,         TPB_ALU_SUBTRACT,
    TPB_ALU_MULT,        TPB_ALU_DIVIDE,      TPB_ALU_MAX,
    TPB_ALU_MIN,         TPB_ALU_LOGICAL_AND, TPB_ALU_LOGICAL_OR,
    TPB_ALU_LOGICAL_XOR, TPB_ALU_IS_EQUAL,    TPB_ALU_NOT_EQUAL,
    TPB_ALU_IS_GT,       TPB_ALU_IS_GE,       TPB_ALU_IS_LE,
    TPB_ALU_IS_LT,       TPB_ALU_ABS,         TPB_ALU_ABS_MAX,
    TPB_ALU_ABS_MIN,     TPB_ALU_MOD,         TPB_ALU_RSQRT};
/* The integer path has all of these but rsqrt, and these. */
static const uint8_t band_ops[] = {TPB_ALU_ADD_INT, TPB_ALU_MULT_INT,
                                   TPB_ALU_SUBTRACT_INT, TPB_ALU_DIVIDE_INT,
                                   TPB_ALU_MOD_INT};
static const uint8_t bitvec_ops[] = {
    TPB_ALU_BYPASS,      TPB_ALU_BITWISE_NOT, TPB_ALU_ARITH_SHL,
    TPB_ALU_ARITH_SHR,   TPB_ALU_BITWISE_AND, TPB_ALU_BITWISE_OR,
    TPB_ALU_BITWISE_XOR, TPB_ALU_LOGICAL_SHL, TPB_ALU_LOGICAL_SHR};

#define COUNT(x) (sizeof(x) / sizeof *(x))

static void job_arith(void)
{
	size_t i;

	for (i = 0; i < COUNT(arith_ops); i++)
		if (begin(LANE_ARITH, arith_ops[i], 0))
			pairs(want.count);
	if (begin(LANE_NEG, 0, 0))
		pairs(want.count);
}

static void job_integer(void)
{
	unsigned cfg;
	size_t i;

	for (cfg = 0; cfg < 4; cfg++) {
		for (i = 0; i < COUNT(arith_ops); i++)
			if (arith_ops[i] != TPB_ALU_RSQRT &&
			    begin(LANE_INT, arith_ops[i], cfg))
				pairs(want.count / 10);
		for (i = 0; i < COUNT(band_ops); i++)
			if (begin(LANE_INT, band_ops[i], cfg))
				pairs(want.count / 10);
		if (begin(LANE_INT_NEG, 0, cfg))
			pairs(want.count / 10);
	}
}

static void job_bitvec(void)
{
	unsigned width;
	size_t i;

	for (width = 0; width < 3; width++)
		for (i = 0; i < COUNT(bitvec_ops); i++) {
			if (!begin(LANE_BITVEC, bitvec_ops[i], width))
				continue;
			if (width == 0)
				byte_pairs();
			else
				pairs(want.count / 10);
		}
}

/* Bits of a dtype's element. */
static unsigned width_of(unsigned tag)
{
	switch (tag) {
	case TPB_DTYPE_INT8:
	case TPB_DTYPE_UINT8:
	case TPB_DTYPE_FP8E3:
	case TPB_DTYPE_FP8E4:
	case TPB_DTYPE_FP8E5: return 8;
	case TPB_DTYPE_INT16:
	case TPB_DTYPE_UINT16:
	case TPB_DTYPE_BFLOAT16:
	case TPB_DTYPE_FLOAT16: return 16;
	default: return 32;
	}
}

/* fp8 depends on three bits of configuration, nothing else does. */
static unsigned configurations(unsigned tag)
{
	return tag >= TPB_DTYPE_FP8E3 ? 8 : 1;
}

static void job_widen(unsigned tag)
{
	unsigned cfg;

	for (cfg = 0; cfg < configurations(tag); cfg++) {
		if (!begin(LANE_WIDEN, tag, cfg))
			continue;
		if (width_of(tag) < 32)
			all_low(width_of(tag));
		else
			pairs(want.count);
	}
}

static void job_narrow(unsigned tag)
{
	unsigned cfg;

	for (cfg = 0; cfg < configurations(tag); cfg++)
		if (begin(LANE_NARROW, tag, cfg))
			spread(width_of(tag) == 16 ? want.bits : want.bits - 5);
}

static void all_jobs(void)
{
	unsigned tag;

	job_arith();
	job_integer();
	job_bitvec();
	for (tag = TPB_DTYPE_INT8; tag <= TPB_DTYPE_FP8E5; tag++)
		if (tag != TPB_DTYPE_INT64)
			job_widen(tag);
	for (tag = TPB_DTYPE_INT8; tag <= TPB_DTYPE_FP8E5; tag++)
		if (tag != TPB_DTYPE_INT64)
			job_narrow(tag);
}

/* ---- rates ---- */

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* `alike`: exponents near that of 1.0, as in a kernel; else as in the jobs. */
static void rate(enum lane_unit unit, unsigned code, unsigned cfg, bool alike)
{
	enum { SETS = 256, ROUNDS = 50 };
	static uint32_t a[SETS][LANE_WIDTH], b[SETS][LANE_WIDTH];
	struct lane_op op = {unit, (uint8_t)code, (uint8_t)cfg};
	uint32_t word[LANE_WIDTH];
	uint64_t flags;
	double start, took, best = 1;
	unsigned i, j;

	for (i = 0; i < SETS; i++)
		for (j = 0; j < LANE_WIDTH; j++) {
			random_pair(&a[i][j], &b[i][j]);
			if (!alike)
				continue;
			a[i][j] = (a[i][j] & 0x81FFFFFF) | 0x3E000000;
			b[i][j] = (b[i][j] & 0x81FFFFFF) | 0x3E000000;
		}
	for (i = 0; i < ROUNDS; i++) {
		start = seconds(CLOCK_PROCESS_CPUTIME_ID);
		for (j = 0; j < SETS; j++)
			lane_run(&op, a[j], b[j], word, &flags);
		took = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
		if (took < best)
			best = took;
	}
	printf("unit %d code %02X cfg %u %-6s %6.2f ns\n", (int)unit, code, cfg,
	       alike ? "alike" : "mixed", best * 1e9 / (SETS * LANE_WIDTH));
}

static void rates(void)
{
	unsigned tag;
	size_t i;

	for (i = 0; i < COUNT(arith_ops); i++) {
		rate(LANE_ARITH, arith_ops[i], 0, true);
		rate(LANE_ARITH, arith_ops[i], 0, false);
	}
	for (i = 0; i < COUNT(band_ops); i++)
		rate(LANE_INT, band_ops[i], 3, false);
	rate(LANE_BITVEC, TPB_ALU_BITWISE_AND, 2, false);
	for (tag = TPB_DTYPE_INT8; tag <= TPB_DTYPE_FP8E5; tag++) {
		rate(LANE_WIDEN, tag, 2, false);
		rate(LANE_NARROW, tag, 2, true);
	}
}

/* ---- the command ---- */

static int usage(void)
{
	fputs(
	    "tpb: error[LNB001]: lane_bench: bad option; use [--count N] "
	    "[--bits 5..32] [--seed S] [--part K --of M] [--rate] [--plant]\n",
	    stderr);
	return 2;
}

static bool number(const char *text, uint64_t *value)
{
	char *rest;

	errno = 0;
	*value = strtoull(text, &rest, 0);
	return errno == 0 && rest != text && *rest == '\0' && *text != '-';
}

static bool options(int argc, char **argv)
{
	static const struct option known[] = {
	    {"count", required_argument, NULL, 'c'},
	    {"bits", required_argument, NULL, 'b'},
	    {"seed", required_argument, NULL, 's'},
	    {"part", required_argument, NULL, 'p'},
	    {"of", required_argument, NULL, 'o'},
	    {"rate", no_argument, NULL, 'r'},
	    {"plant", no_argument, NULL, 'x'},
	    {NULL, 0, NULL, 0}};
	uint64_t bits = want.bits;
	bool good = true;
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (c) {
		case 'c': good &= number(optarg, &want.count); break;
		case 'b': good &= number(optarg, &bits); break;
		case 's': good &= number(optarg, &want.seed); break;
		case 'p': good &= number(optarg, &want.part); break;
		case 'o': good &= number(optarg, &want.of); break;
		case 'r': want.rate = true; break;
		case 'x': want.plant = true; break;
		default: good = false; break;
		}
	}
	want.bits = (unsigned)bits;
	return good && optind == argc && bits >= 5 && bits <= 32 &&
	       want.part < want.of;
}

int main(int argc, char **argv)
{
	double start = seconds(CLOCK_MONOTONIC);

	if (!options(argc, argv))
		return usage();
	oracle_open();
	lane_open();
	make_specials();
	if (want.rate) {
		rates();
		lane_close();
		return 0;
	}
	all_jobs();
	lane_close();
	printf("lanes: %llu jobs, %zu special values, %llu results compared, "
	       "%llu differences, %.0f s\n",
	       (unsigned long long)((jobs + want.of - 1 - want.part) / want.of),
	       specials, (unsigned long long)compared,
	       (unsigned long long)differences,
	       seconds(CLOCK_MONOTONIC) - start);
	return differences == 0 ? 0 : 1;
}
