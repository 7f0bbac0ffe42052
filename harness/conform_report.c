/* SPDX-License-Identifier: Apache-2.0
 *
 * What a conformance run found: a table for the screen, a JUnit file for
 * machines.
 */
#include "harness/conform.h"

#include <inttypes.h>
#include <string.h>

static const char *mnemonic(uint8_t op)
{
	return isa_op(op)->mnemonic;
}

/* Sums of the combinations of an op, from the first of them on. */
struct sum {
	int dtypes;
	uint32_t cases[CLASSES], all, failures;
};

static int sum_op(const struct conform_cell *cell, int from, struct sum *s)
{
	int n, i = from;
	const struct conform_combo *c = conform_combos(&n);

	memset(s, 0, sizeof(*s));
	for (; i < n && c[i].op == c[from].op; i++) {
		uint32_t any = 0;
		for (int k = 0; k < CLASSES; k++) {
			s->cases[k] += cell[i * CLASSES + k].cases;
			s->failures += cell[i * CLASSES + k].failures;
			any += cell[i * CLASSES + k].cases;
		}
		s->all += any;
		s->dtypes += any != 0;
	}
	return i;
}

void conform_table(const struct conform_cell *cell, FILE *out)
{
	static const char *const head[CLASSES] = {
	    "contig", "stride",  "neg",    "bcast",  "2d",
	    "transp", "inplace", "shift",  "psum-s", "psum-d",
	    "regist", "partial", "pointer"};
	int n;
	const struct conform_combo *c = conform_combos(&n);
	struct sum s;

	fprintf(out, "%-9s %6s", "op", "dtypes");
	for (int k = 0; k < CLASSES; k++)
		fprintf(out, " %7s", head[k]);
	fprintf(out, " %8s %8s\n", "cases", "failures");
	for (int i = 0, next; i < n; i = next) {
		next = sum_op(cell, i, &s);
		if (s.all == 0)
			continue;
		fprintf(out, "%-9s %6d", mnemonic(c[i].op), s.dtypes);
		for (int k = 0; k < CLASSES; k++)
			if (s.cases[k])
				fprintf(out, " %7" PRIu32, s.cases[k]);
			else
				fprintf(out, " %7s", "-");
		fprintf(out, " %8" PRIu32 " %8" PRIu32 "\n", s.all, s.failures);
	}
}

/* Texts are ours, but dtypes and comparisons have characters of XML. */
static void put_escaped(const char *text, FILE *out)
{
	for (; *text; text++)
		switch (*text) {
		case '<': fputs("&lt;", out); break;
		case '>': fputs("&gt;", out); break;
		case '&': fputs("&amp;", out); break;
		case '"': fputs("&quot;", out); break;
		default: fputc(*text, out); break;
		}
}

static void put_cell(const struct conform_combo *c, int class,
                     const struct conform_cell *cell, FILE *out)
{
	char dtypes[48];

	fprintf(out, "    <testcase classname=\"%s\" name=\"%s %s\"",
	        mnemonic(c->op), conform_dtypes(c, dtypes, sizeof(dtypes)),
	        conform_class_name[class]);
	fprintf(out, " assertions=\"%" PRIu32 "\"", cell->cases);
	if (cell->failures == 0) {
		fputs("/>\n", out);
		return;
	}
	fprintf(out,
	        ">\n      <failure message=\"%" PRIu32 " of %" PRIu32
	        " cases failed\">",
	        cell->failures, cell->cases);
	put_escaped(cell->text, out);
	fputs("</failure>\n    </testcase>\n", out);
}

/* The suite of an op; returns where the next begins. */
static int put_suite(const struct conform_cell *cell, int from, FILE *out)
{
	int n, next, tests = 0, failures = 0;
	const struct conform_combo *c = conform_combos(&n);
	struct sum s;

	next = sum_op(cell, from, &s);
	for (int i = from * CLASSES; i < next * CLASSES; i++) {
		tests += cell[i].cases != 0;
		failures += cell[i].failures != 0;
	}
	if (tests == 0)
		return next;
	fprintf(out, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\">\n",
	        mnemonic(c[from].op), tests, failures);
	for (int i = from; i < next; i++)
		for (int k = 0; k < CLASSES; k++)
			if (cell[i * CLASSES + k].cases)
				put_cell(&c[i], k, &cell[i * CLASSES + k], out);
	fputs("  </testsuite>\n", out);
	return next;
}

bool conform_junit(const struct conform_cell *cell, uint64_t seed,
                   const char *path)
{
	FILE *out = fopen(path, "w");
	bool good;
	int n;

	if (!out)
		return false;
	conform_combos(&n);
	fprintf(out,
	        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	        "<testsuites name=\"conform lanes=%d seed=%" PRIu64 "\">\n",
	        TPB_LANES, seed);
	for (int i = 0; i < n;)
		i = put_suite(cell, i, out);
	fputs("</testsuites>\n", out);
	good = !ferror(out);
	return fclose(out) == 0 && good;
}
