/* SPDX-License-Identifier: Apache-2.0
 *
 * KLR files: the .klr files of tests/klr and kernels must parse, survive
 * parse(print(x)), lower and verify; those with a comment
 * "; expect-error: ID line N" must be refused there and so; the examples of
 * docs/reference/klr.md must parse, and show every operator.  2,000 mutants of
 * all of them must neither crash nor break the round trip.
 */
#include "compiler/bir/bir_build.h"
#include "compiler/klr/internal.h"
#include "tests/unit/tree.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_FILES 256
#define MAX_SIZE 65536

static struct sample {
	char name[160];
	char *text;
	size_t len;
} samples[MAX_FILES];
static int nsamples, ngood;

static void keep(const char *name, char *text, size_t len)
{
	assert_in_range(nsamples, 0, MAX_FILES - 1);
	snprintf(samples[nsamples].name, sizeof(samples[0].name), "%s", name);
	samples[nsamples].text = text;
	samples[nsamples++].len = len;
}

/* parse(print(k)) is k. */
static void round_trip(const struct klr_kernel *k, const char *name)
{
	struct klr_error err;
	char *text = klr_print(k);
	struct klr_kernel *again;

	assert_non_null(text);
	again = klr_parse(text, strlen(text), "printed", &err);
	if (!again)
		fail_msg("%s: printed text: %s %s %s\n%s", name, err.place,
		         err.id, err.text, text);
	if (!klr_equal(k, again))
		fail_msg("%s: printed text differs\n%s", name, text);
	klr_free(again);
	free(text);
}

/* Parse, and lower if `compile`; what was expected must happen. */
static void one_text(const char *name, const char *text, size_t len,
                     bool compile)
{
	const char *want = strstr(text, "; expect-error: ");
	struct klr_lower_opts opts = {.no_data = !strstr(name, "/file_")};
	struct klr_error err = {"", "", "", 0, 0};
	struct klr_kernel *k = klr_parse(text, len, name, &err);
	struct bir_module *m = NULL;
	struct bir_error bad;
	char got[40];

	if (k) {
		round_trip(k, name);
		if (compile)
			m = klr_lower(k, &opts, &err);
		if (m && !bir_verify(m, 0, &bad))
			fail_msg("%s: verifier: %s %s", bad.place, bad.id,
			         bad.text);
		if (m)
			bir_module_free(m);
	}
	klr_free(k);
	if (want) {
		want += strlen("; expect-error: ");
		snprintf(got, sizeof(got), "%s line %u\n", err.id, err.line);
		if (m || strncmp(want, got, strlen(got)))
			fail_msg("%s: %.20s was expected, not %s %s", name,
			         want, got, err.text);
		if (!strpbrk(err.text, ";?"))
			fail_msg("%s: no hint: %s", name, err.text);
	} else if (!k || (compile && !m)) {
		fail_msg("%s: %s: %s", err.place, err.id, err.text);
	}
}

static int each(const char *pattern)
{
	char buf[4096];
	glob_t g;
	int n;

	tree_path(pattern, buf, sizeof(buf));
	assert_int_equal(glob(buf, 0, NULL, &g), 0);
	n = (int)g.gl_pathc;
	for (int i = 0; i < n; i++) {
		size_t len;
		char *text = tree_contents(g.gl_pathv[i], MAX_SIZE, &len);

		one_text(g.gl_pathv[i], text, len, true);
		keep(g.gl_pathv[i], text, len);
	}
	globfree(&g);
	return n;
}

static void test_good(void **state)
{
	(void)state;
	assert_in_range(each("tests/klr/*.klr"), 11, 100);
	assert_in_range(each("kernels/*/*.klr"), 2, 100);
	ngood = nsamples;
}

static void test_bad(void **state)
{
	int first = nsamples, ids[32] = {0};

	(void)state;
	assert_in_range(each("tests/klr/bad/*.klr"), 100, 200);
	for (int i = first; i < nsamples; i++) {
		const char *id = strstr(samples[i].text, "KLR0");

		assert_non_null(id);
		ids[atoi(id + 3)]++;
	}
	for (int i = KLR_E_TOKEN; i <= KLR_E_ALU; i++)
		if (!ids[i])
			fail_msg("KLR%03d has no example", i);
}

/* Fenced blocks of the page. */
static void test_page(void **state)
{
	char path[4096], *page, *at;
	size_t size;

	(void)state;
	tree_path("docs/reference/klr.md", path, sizeof(path));
	page = at = tree_contents(path, MAX_SIZE, &size);
	for (int i = 0; klr_op_at(i); i++) {
		char call[64];

		snprintf(call, sizeof(call), "\t%s", klr_op_at(i)->name);
		if (!strstr(page, call))
			fail_msg("%s has no example", call);
	}
	for (int i = KLR_E_TOKEN; i <= KLR_E_ALU; i++) {
		char id[16];

		snprintf(id, sizeof(id), "| KLR%03d |", i);
		if (!strstr(page, id))
			fail_msg("%s is not on the page", id);
	}
	while ((at = strstr(at, "\n```klr\n"))) {
		char *end = strstr(at += 8, "\n```\n");
		size_t len;
		char *text;

		assert_non_null(end);
		len = (size_t)(end + 1 - at);
		text = calloc(1, len + 1);
		assert_non_null(text);
		memcpy(text, at, len);
		one_text("klr.md", text, len, false);
		keep("klr.md", text, len);
	}
	free(page);
}

/* ------------------------------------------------------------ mutants */

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static uint32_t draw(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 33) % below;
}

static const char *const bits[] = {
    "0",
    "-1",
    "128",
    "129",
    "65536",
    "2147483648",
    "1099511627776",
    "99999999999999999999",
    "(1,1)",
    "[",
    "]",
    "(",
    ")",
    ";",
    ",",
    ":",
    "..",
    "->",
    "\n",
    "'",
    "\"",
    "+ r*7",
    "for i in 0..3 {",
    "}",
    "inf",
    "reg 3",
    "pointer",
    "x",
    "s",
    "float16",
    "uint8",
    "int64",
    "psum ",
    "hbm ",
    "core 0 {",
    "entry:\n",
    "=",
    "@pool",
    "\\x00",
    "\xff",
    "noReorder",
};

/* One change of buf, which has room for MAX_SIZE bytes. */
static size_t mutate(char *buf, size_t n)
{
	size_t at = n ? draw((uint32_t)n) : 0, len;
	const char *s;

	switch (draw(6)) {
	case 0: /* another byte */
		if (n)
			buf[at] = (char)draw(256);
		return n;
	case 1: /* a piece less */
		len = draw(40);
		if (len > n - at)
			len = n - at;
		memmove(buf + at, buf + at + len, n - at - len);
		return n - len;
	case 2: /* a piece twice */
		len = draw(60);
		if (len > n - at)
			len = n - at;
		if (n + len >= MAX_SIZE)
			return n;
		memmove(buf + at + len, buf + at, n - at);
		return n + len;
	case 3: /* another digit */
		for (size_t i = at; i < n; i++)
			if (buf[i] >= '0' && buf[i] <= '9') {
				buf[i] = (char)('0' + draw(10));
				break;
			}
		return n;
	case 4: /* the end is missing */ return draw(4) ? n : at;
	default: /* something put in */
		s = bits[draw(sizeof(bits) / sizeof(bits[0]))];
		len = strlen(s);
		if (n + len >= MAX_SIZE)
			return n;
		memmove(buf + at + len, buf + at, n - at);
		memcpy(buf + at, s, len);
		return n + len;
	}
}

static void test_mutants(void **state)
{
	struct klr_lower_opts opts = {.no_data = true};
	int parsed = 0, lowered = 0, verified = 0, changes;

	(void)state;
	assert_in_range(nsamples, 100, MAX_FILES);
	for (int n = 0; n < 2000; n++) {
		/* mostly of good ones: few mutants of bad ones parse */
		int from = draw(4) ? ngood : nsamples;
		struct sample *s = &samples[draw((uint32_t)from)];
		char *buf = malloc(MAX_SIZE), *text;
		struct klr_kernel *k;
		struct klr_error err;
		struct bir_error bad;
		struct bir_module *m;
		size_t len = s->len;

		assert_non_null(buf);
		memcpy(buf, s->text, len);
		for (changes = 1 + (int)draw(3); changes > 0; changes--)
			len = mutate(buf, len);
		/* exactly as long as the text: a read behind it shows */
		text = malloc(len ? len : 1);
		assert_non_null(text);
		memcpy(text, buf, len);
		free(buf);
		k = klr_parse(text, len, "mutant", &err);
		free(text);
		if (!k)
			continue;
		parsed++;
		round_trip(k, s->name);
		m = klr_lower(k, &opts, &err);
		klr_free(k);
		if (!m)
			continue;
		lowered++;
		if (bir_verify(m, 0, &bad))
			verified++;
		else
			print_message("mutant of %s: %s %s\n", s->name, bad.id,
			              bad.text);
		bir_module_free(m);
	}
	print_message("2000 mutants: %d parsed, %d lowered, %d verified\n",
	              parsed, lowered, verified);
	/* a mutation that refuses all, or nothing, tests nothing */
	assert_in_range(parsed, 100, 1900);
	assert_in_range(lowered, 50, 1900);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_good),
	    cmocka_unit_test(test_bad),
	    cmocka_unit_test(test_page),
	    cmocka_unit_test(test_mutants),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	for (int i = 0; i < nsamples; i++)
		free(samples[i].text);
	return failed;
}
