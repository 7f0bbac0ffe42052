/* SPDX-License-Identifier: Apache-2.0
 *
 * Broken kernels.
 *
 *   mutate_kernel [--seed S] [--count N] [--first K] [--dump FILE]
 *
 * Takes the good kernels of tests/klr and kernels, breaks their text (bytes,
 * words, numbers, lines, splices of two kernels) and feeds it to the front
 * end, the passes with the verifier between them, and code generation.  Each
 * must end in an image or in a refusal with an id, a place and a hint; what
 * parses must survive its print.
 *
 * Meant for a build with ASan and UBSan, run at the top of the tree.  Case k
 * depends on S, k and the files alone: --first K --count 1 repeats it, --dump
 * writes it down.  Exit status 1 when a case breaks the rule, 2 for bad usage.
 */
#include "compiler/bir/bir_build.h"
#include "compiler/compile.h"
#include "compiler/klr/klr.h"
#include "harness/gen_rng.h"
#include "image/image.h"

#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES 32768
#define MAX_SEEDS 64
#define MAX_IDS 256
#define HANG_SECONDS 60
/* Larger tensors are refused or not by what is tested; their bytes would only
 * cost time. */
#define MAX_TENSOR ((int64_t)1 << 24)

static struct good {
	char *text;
	int size;
} good[MAX_SEEDS];
static int ngood;

static struct {
	uint64_t cases, parsed, lowered, compiled, large;
	struct {
		char id[16];
		uint64_t n;
	} id[MAX_IDS];
	int nids;
} stats;

static uint64_t seed = 1, case_number;
static struct rng rng;
static char work[MAX_BYTES + 1];
static int size;

/* ------------------------------------------------------------ trouble */

void __sanitizer_set_death_callback(void (*f)(void)) __attribute__((weak));

static void say_case(void)
{
	fprintf(stderr,
	        "mutate_kernel: case %llu; repeat with: mutate_kernel --seed "
	        "%llu --first %llu --count 1\n",
	        (unsigned long long)case_number, (unsigned long long)seed,
	        (unsigned long long)case_number);
}

static void die(const char *what)
{
	fprintf(stderr, "mutate_kernel: %s\n", what);
	say_case();
	exit(1);
}

static void on_alarm(int sig)
{
	static const char text[] = "mutate_kernel: a case does not end\n";

	(void)sig;
	/* Not safe in general; nothing is left to be saved. */
	if (write(STDERR_FILENO, text, sizeof(text) - 1) > 0)
		say_case();
	_exit(1);
}

/* A refusal has an id, a place, and a hint behind its text. */
static void refused(const char *id, const char *place, const char *text)
{
	int i = 0;

	if (!id[0] || !place[0])
		die("refused without id or place");
	if (!strpbrk(text, ";?")) {
		fprintf(stderr, "%s: %s: %s\n", id, place, text);
		die("refused without a hint");
	}
	if (strstr(text, "a defect of the compiler")) {
		fprintf(stderr, "%s: %s: %s\n", id, place, text);
		die("a pass left what the verifier refuses");
	}
	while (i < stats.nids && strcmp(stats.id[i].id, id) != 0)
		i++;
	if (i == MAX_IDS)
		die("too many error ids");
	if (i == stats.nids)
		snprintf(stats.id[stats.nids++].id, sizeof(stats.id[0].id),
		         "%s", id);
	stats.id[i].n++;
}

/* ------------------------------------------------------------ one text */

static void survives_print(const struct klr_kernel *k)
{
	struct klr_error err = {0};
	char *text = klr_print(k);
	struct klr_kernel *again;

	if (!text)
		die("no print");
	again = klr_parse(text, strlen(text), "printed.klr", &err);
	if (!again || !klr_equal(k, again))
		die("the print reads to another tree");
	klr_free(again);
	free(text);
}

static bool small(const struct bir_module *m)
{
	for (const struct bir_loc *l = m->loc; l; l = l->next)
		if (l->partitions * l->row_bytes > MAX_TENSOR)
			return false;
	return true;
}

static void compile(struct bir_module *m)
{
	struct compile_opts opts = {.gen = 3};
	struct compile_error err = {0};
	struct image_error bad = {0};
	struct image *img = image_new(m->name);

	if (!tpb_compile(m, &opts, img, &err))
		refused(err.id, err.place, err.text);
	else if (!image_resolve(img, &bad))
		refused(bad.id, bad.place, bad.text);
	else
		stats.compiled++;
	image_free(img);
}

static void try_text(void)
{
	struct klr_lower_opts opts = {.gen = 3, .no_data = true};
	struct klr_error err = {0};
	struct klr_kernel *k;
	struct bir_module *m;

	stats.cases++;
	k = klr_parse(work, (size_t)size, "mutant.klr", &err);
	if (!k) {
		refused(err.id, err.place, err.text);
		return;
	}
	stats.parsed++;
	survives_print(k);
	m = klr_lower(k, &opts, &err);
	klr_free(k);
	if (!m) {
		refused(err.id, err.place, err.text);
		return;
	}
	stats.lowered++;
	if (small(m))
		compile(m);
	else
		stats.large++;
	bir_module_free(m);
}

/* ------------------------------------------------------------ breaking */

static void cut(int at, int n)
{
	if (n > size - at)
		n = size - at;
	memmove(work + at, work + at + n, (size_t)(size - at - n));
	size -= n;
}

static void paste(int at, const char *text, int n)
{
	if (n > MAX_BYTES - size)
		return;
	memmove(work + at + n, work + at, (size_t)(size - at));
	memcpy(work + at, text, (size_t)n);
	size += n;
}

static bool in_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z');
}

/* A word of a text near a random place; its length. */
static int word_at(const char *text, int all, int *len)
{
	int at = rng_below(&rng, all), end;

	while (at < all - 1 && !in_word(text[at]))
		at++;
	while (at > 0 && in_word(text[at - 1]))
		at--;
	for (end = at; end < all && in_word(text[end]); end++)
		;
	*len = end - at;
	return at;
}

static int line_at(const char *text, int all, int *len)
{
	int at = rng_below(&rng, all), end;

	while (at > 0 && text[at - 1] != '\n')
		at--;
	for (end = at; end < all && text[end] != '\n'; end++)
		;
	*len = end < all ? end + 1 - at : end - at;
	return at;
}

/* Numbers at which checks go wrong. */
static void break_number(void)
{
	static const char *const edge[] = {
	    "0",           "1",
	    "-1",          "2",
	    "3",           "7",
	    "8",           "31",
	    "32",          "33",
	    "63",          "64",
	    "65",          "96",
	    "127",         "128",
	    "129",         "255",
	    "256",         "16384",
	    "32767",       "32768",
	    "65535",       "65536",
	    "2147483647",  "2147483648",
	    "-2147483648", "0x1000",
	    "1.5",         "1e30",
	    "nan",         "-inf",
	    "bits(1)",     "1099511627776",
	};
	const char *e = edge[rng_below(&rng, sizeof(edge) / sizeof(*edge))];
	int len, at = 0;

	for (int i = 0; i < 30; i++) {
		at = word_at(work, size, &len);
		if (len && work[at] >= '0' && work[at] <= '9')
			break;
	}
	cut(at, len);
	paste(at, e, (int)strlen(e));
}

/* Words and marks of the language. */
static void some_token(int at)
{
	static const char *const token[] = {
	    "input ",  "output ",  "sbuf ",    "psum ",      "hbm ",
	    "for ",    " in ",     "..",       " step ",     "entry:",
	    " @pool",  " @dve",    " @act",    " @sp",       "kernel ",
	    "scalar(", "vector(",  ", dtype=", "float32",    "uint8",
	    "int32",   "bfloat16", "float8e4", "float32r",   "int64",
	    "mult",    "subtract", "pow",      "bitwise_or", "always",
	    "[",       "]",        "(",        ")",          "{",
	    "}",       ":",        ";",        ",",          "=",
	    "+",       "*",        "-",        "'",          "\"",
	    "\n",      " + i*64",  "reg 3",    "noReorder",  "core 1 {"};
	const char *t = token[rng_below(&rng, sizeof(token) / sizeof(*token))];

	paste(at, t, (int)strlen(t));
}

static void break_text(void)
{
	const struct good *other = &good[rng_below(&rng, ngood)];
	int at = rng_below(&rng, size), n, from;

	switch (rng_below(&rng, 16)) {
	case 0: work[at] ^= (char)(1 << rng_below(&rng, 8)); break;
	case 1: cut(at, 1 + rng_below(&rng, 8)); break;
	case 2: some_token(at); break;
	case 3:
		at = word_at(work, size, &n);
		cut(at, n);
		some_token(at);
		break;
	case 4:
	case 5:
	case 6:
	case 7: break_number(); break;
	case 8:
	case 9: /* a word of another kernel for one of this */
		at = word_at(work, size, &n);
		cut(at, n);
		from = word_at(other->text, other->size, &n);
		paste(at, other->text + from, n);
		break;
	case 10: /* two words of this one */
		from = word_at(work, size, &n);
		if (n < 64) {
			char word[64];
			int len;

			memcpy(word, work + from, (size_t)n);
			at = word_at(work, size, &len);
			cut(at, len);
			paste(at, word, n);
		}
		break;
	case 11:
	case 12:
		at = line_at(work, size, &n);
		cut(at, n);
		break;
	case 13: /* a line twice, somewhere else */
		from = line_at(work, size, &n);
		if (n < 512) {
			char line[512];

			memcpy(line, work + from, (size_t)n);
			paste(line_at(work, size, &at), line, n);
		}
		break;
	case 14:
		from = line_at(other->text, other->size, &n);
		paste(line_at(work, size, &at), other->text + from, n);
		break;
	default: size = at; break;
	}
}

static void one_case(uint64_t k, const char *dump)
{
	const struct good *g;
	int times;

	case_number = k;
	rng_seed(&rng, fill_hash(seed, k));
	g = &good[rng_below(&rng, ngood)];
	size = g->size;
	memcpy(work, g->text, (size_t)size);
	times = 1 + rng_below(&rng, rng_chance(&rng, 75) ? 2 : 8);
	while (times-- && size > 0)
		break_text();
	if (dump) {
		FILE *f = fopen(dump, "wb");

		if (!f || fwrite(work, 1, (size_t)size, f) != (size_t)size ||
		    fclose(f)) {
			fprintf(stderr,
			        "tpb: error[FUZ001]: %s: %s; choose another "
			        "file\n",
			        dump, strerror(errno));
			exit(2);
		}
	}
	try_text();
}

/* ------------------------------------------------------------ good kernels */

static void read_good(const char *pattern)
{
	glob_t g;

	if (glob(pattern, 0, NULL, &g)) {
		fprintf(stderr,
		        "tpb: error[FUZ003]: %s: no kernels; run at the top of "
		        "the tree\n",
		        pattern);
		exit(2);
	}
	for (size_t i = 0; i < g.gl_pathc && ngood < MAX_SEEDS; i++) {
		FILE *f = fopen(g.gl_pathv[i], "rb");
		struct good *new = &good[ngood++];

		new->text = malloc(MAX_BYTES);
		if (!f || !new->text)
			die("a good kernel cannot be read");
		new->size = (int)fread(new->text, 1, MAX_BYTES / 2, f);
		fclose(f);
		/* they must be good, or what follows would test nothing */
		size = new->size;
		memcpy(work, new->text, (size_t)size);
		try_text();
		if (stats.parsed != (uint64_t)ngood)
			die("a good kernel does not parse");
	}
	globfree(&g);
}

static uint64_t number(const char *text)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(text, &end, 0);
	if (errno || *end || end == text || *text == '-') {
		fprintf(stderr,
		        "tpb: error[FUZ002]: %s: not a number; give one\n",
		        text);
		exit(2);
	}
	return v;
}

static int by_id(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void report(void)
{
	printf("mutate_kernel: kernels=%llu parsed=%llu lowered=%llu "
	       "compiled=%llu large=%llu seed=%llu\n",
	       (unsigned long long)stats.cases,
	       (unsigned long long)stats.parsed,
	       (unsigned long long)stats.lowered,
	       (unsigned long long)stats.compiled,
	       (unsigned long long)stats.large, (unsigned long long)seed);
	qsort(stats.id, (size_t)stats.nids, sizeof(*stats.id), by_id);
	for (int i = 0; i < stats.nids; i++)
		printf("mutate_kernel: %s=%llu\n", stats.id[i].id,
		       (unsigned long long)stats.id[i].n);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
	    {"seed", required_argument, NULL, 's'},
	    {"count", required_argument, NULL, 'c'},
	    {"first", required_argument, NULL, 'f'},
	    {"dump", required_argument, NULL, 'd'},
	    {0},
	};
	uint64_t count = 10000, first = 0;
	const char *dump = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 's': seed = number(optarg); break;
		case 'c': count = number(optarg); break;
		case 'f': first = number(optarg); break;
		case 'd': dump = optarg; break;
		default: return 2;
		}
	}
	signal(SIGALRM, on_alarm);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(say_case);
	read_good("tests/klr/*.klr");
	read_good("kernels/*/*.klr");
	memset(&stats, 0, sizeof(stats));
	for (uint64_t k = 0; k < count; k++) {
		if (k % 64 == 0)
			alarm(HANG_SECONDS);
		one_case(first + k, dump);
	}
	report();
	for (int i = 0; i < ngood; i++)
		free(good[i].text);
	return 0;
}
