/* SPDX-License-Identifier: Apache-2.0
 *
 * The written list of bins at run time: names, counting, printing.
 */
#include "harness/coverage.h"

#include <inttypes.h>
#include <string.h>

struct item {
	uint8_t value;
	const char *text;
};

#define COVER_DIM(dim) static const struct item items_##dim[] = {
#define COVER_ITEM(dim, value, text) {value, text},
#define COVER_DIM_END(dim) \
	}                  \
	;
#define COVER(NAME, prefix, d0, d1, d2, text)
#include "isa/coverage.def"
#undef COVER_DIM
#undef COVER_ITEM
#undef COVER_DIM_END
#undef COVER

enum dim {
#define COVER_DIM(dim) DIM_##dim,
#define COVER_ITEM(dim, value, text)
#define COVER_DIM_END(dim)
#define COVER(NAME, prefix, d0, d1, d2, text)
#include "isa/coverage.def"
#undef COVER_DIM
	DIMS
};

static const struct dimension {
	const struct item *item;
	int n;
} dims[DIMS] = {
#define COVER_DIM(dim) {items_##dim, COVER_N_##dim},
#include "isa/coverage.def"
#undef COVER_DIM
};
#undef COVER

static const struct row {
	const char *prefix, *text;
	int at, to;
	uint8_t dim[3];
} rows[COVER_ROWS] = {
#define COVER_DIM(dim)
#define COVER(NAME, prefix, d0, d1, d2, text) \
	{prefix,                              \
	 text,                                \
	 COVER_AT_##NAME,                     \
	 COVER_TO_##NAME,                     \
	 {DIM_##d0, DIM_##d1, DIM_##d2}},
#include "isa/coverage.def"
#undef COVER_DIM
#undef COVER
};

/* Item number + 1 of a value, 0: none.  Filled at the first use. */
static uint8_t place[DIMS][256];

static void fill_places(void)
{
	for (int d = 0; d < DIMS; d++)
		for (int i = 0; i < dims[d].n; i++)
			place[d][dims[d].item[i].value] = (uint8_t)(i + 1);
}

void coverage_hit(struct coverage *cov, enum cover_row row, int v0, int v1,
                  int v2)
{
	const struct row *r = &rows[row];
	int i0, i1, i2;

	if (!place[0][0])
		fill_places();
	i0 = place[r->dim[0]][v0 & 0xFF];
	i1 = place[r->dim[1]][v1 & 0xFF];
	i2 = place[r->dim[2]][v2 & 0xFF];
	if (i0 && i1 && i2)
		cov->hits[r->at +
		          ((i0 - 1) * dims[r->dim[1]].n + i1 - 1) *
		              dims[r->dim[2]].n +
		          i2 - 1]++;
}

/* Item numbers of a bin. */
static enum cover_row locate(int bin, int item[3])
{
	int row = 0;

	while (rows[row].to < bin)
		row++;
	bin -= rows[row].at;
	for (int i = 2; i >= 0; i--) {
		int n = dims[rows[row].dim[i]].n;
		item[i] = bin % n;
		bin /= n;
	}
	return (enum cover_row)row;
}

enum cover_row coverage_bin(int bin, uint8_t value[3])
{
	int item[3];
	enum cover_row row = locate(bin, item);

	for (int i = 0; i < 3; i++)
		value[i] = dims[rows[row].dim[i]].item[item[i]].value;
	return row;
}

const char *coverage_name(int bin, char *buf, size_t size)
{
	int item[3];
	const struct row *r = &rows[locate(bin, item)];
	size_t len = (size_t)snprintf(buf, size, "%s", r->prefix);

	for (int i = 0; i < 3 && len < size; i++) {
		const char *t = dims[r->dim[i]].item[item[i]].text;
		if (*t)
			len +=
			    (size_t)snprintf(buf + len, size - len, ".%s", t);
	}
	return buf;
}

int coverage_count(const struct coverage *cov)
{
	int n = 0;

	for (int i = 0; i < COVERAGE_BINS; i++)
		n += cov->hits[i] != 0;
	return n;
}

static void print_row(const struct coverage *cov, const struct row *r,
                      FILE *out)
{
	uint64_t sum = 0, least = UINT64_MAX;
	int met = 0;

	for (int i = r->at; i <= r->to; i++) {
		sum += cov->hits[i];
		met += cov->hits[i] != 0;
		if (cov->hits[i] < least)
			least = cov->hits[i];
	}
	fprintf(out,
	        "%-16s %4d of %4d  hits %10" PRIu64 "  least %8" PRIu64
	        "  %s\n",
	        r->prefix, met, r->to - r->at + 1, sum, least, r->text);
}

void coverage_print(const struct coverage *cov, FILE *out)
{
	char name[96];

	for (int i = 0; i < COVER_ROWS; i++)
		print_row(cov, &rows[i], out);
	for (int i = 0; i < COVERAGE_BINS; i++)
		if (!cov->hits[i])
			fprintf(out, "missing: %s\n",
			        coverage_name(i, name, sizeof(name)));
	fprintf(out, "coverage: %d of %d bins\n", coverage_count(cov),
	        COVERAGE_BINS);
}
