/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs and expected outputs of top8: x*.bin, v*.bin, i*.bin in the directory
 * argv[1].
 *
 * The expectation is a stable descending sort, not the machine's insertion.
 * It is corrected for two things.  A NaN among the first eight elements keeps
 * its own place among the eight results and is found nowhere, a later one is
 * passed over.  And zeros, the only equal values whose bits can differ, come
 * out in another order than they arrive: see zeros().
 */
#include "../oracle.h"

#include <stdbool.h>
#include <string.h>

#define MOST 16384
#define NOWHERE 0xFFFFFFFFu

struct item {
	float value;
	uint32_t place;
};

static uint64_t seed = 88172645463325252u;

static uint32_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32);
}

static float float_of(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static uint32_t bits_of(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

static bool is_nan(uint32_t bits)
{
	return (bits & 0x7FFFFFFF) > 0x7F800000;
}

/* ------------------------------------------------------------ inputs */

static const uint32_t specials[] = {
    0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x00000001, 0x80000001,
    0x7F7FFFFF, 0xFF7FFFFF, 0x7FC00000, 0xFFC01234, 0x3F800000, 0xBF800000,
};

/* An element of row `row`: kinds of rows take turns. */
static uint32_t element(int row, int k)
{
	switch (row % 8) {
	case 0: return bits_of((float)(int32_t)draw() / 65536.0f);
	case 1: return bits_of((float)(int)(draw() % 9) - 4.0f); /* ties */
	case 2: return specials[draw() % 12];
	case 3: return specials[draw() % 2]; /* zeros of both signs */
	case 4:
		return k < 8 && draw() % 3 == 0 ? 0x7FC00000 + (uint32_t)k
		                                : bits_of((float)(k % 11));
	case 5: return specials[2 + draw() % 2]; /* infinities */
	case 6: return bits_of(row % 16 == 6 ? (float)k : -(float)k);
	default: return row % 16 == 7 ? 0xFFC00000u : bits_of(1.5f);
	}
}

/* ------------------------------------------------------------ sort */

static int before(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->value > y->value || x->value < y->value)
		return x->value > y->value ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* The zeros among the results, in their order.  The machine moves equal values
 * down by letting the first of them jump over the others, so what enters above
 * turns their queue by one; when they are the least of a full house, the first
 * is the one who leaves. */
static int zeros(const uint32_t *row, int n, uint32_t queue[8])
{
	float held[8];
	int count = 0, room = 8, waiting = 0;

	for (int k = 0; k < n; k++) {
		float x = float_of(row[k]), gone = -1.0f;
		uint32_t first = queue[0];
		int least = 0;

		if (is_nan(row[k])) {
			room -= k < 8;
			continue;
		}
		for (int i = 1; i < count; i++)
			if (held[i] < held[least])
				least = i;
		if (count < room) {
			held[count++] = x;
		} else if (count > 0 && x > held[least]) {
			gone = held[least];
			held[least] = x;
		} else {
			continue;
		}
		if (x > 0.0f && waiting > 0) {
			memmove(queue, queue + 1, 7 * sizeof(*queue));
			queue[waiting - 1] = first;
			waiting -= gone == 0.0f;
		} else if (x == 0.0f) {
			queue[waiting++] = row[k];
		}
	}
	return waiting;
}

/* The eight results of a row of n elements. */
static void top(const uint32_t *row, int n, uint32_t *v, uint32_t *at)
{
	static struct item item[MOST];
	uint32_t queue[8] = {0};
	int count = 0, next = 0, zero = 0;
	int nzero = zeros(row, n, queue);

	for (int k = 0; k < n; k++)
		if (!is_nan(row[k])) {
			item[count].value = float_of(row[k]);
			item[count++].place = (uint32_t)k;
		}
	qsort(item, (size_t)count, sizeof(item[0]), before);
	for (int j = 0; j < 8; j++) {
		at[j] = NOWHERE;
		if (is_nan(row[j])) {
			v[j] = row[j];
			continue;
		}
		at[j] = item[next].place;
		v[j] = row[item[next++].place];
		if (v[j] << 1 == 0)
			v[j] = queue[zero++];
	}
	if (zero != nzero)
		exit(2); /* the two methods disagree */
}

static void put_index(FILE *f, uint32_t place, int bytes)
{
	for (int i = 0; i < bytes; i++)
		fputc((int)(place >> 8 * i & 0xFF), f);
}

/* One tensor: `rounds` times eight of each of `rows` rows of n elements. */
static void tensor(const char *dir, int rows, int n, int rounds, int bytes)
{
	static uint32_t row[MOST];
	char name[32];
	FILE *x, *vf, *pf;

	snprintf(name, sizeof(name), "x%d.bin", n);
	x = oracle_create(dir, name);
	snprintf(name, sizeof(name), "v%d.bin", n);
	vf = oracle_create(dir, name);
	snprintf(name, sizeof(name), "i%d.bin", n);
	pf = oracle_create(dir, name);
	for (int r = 0; r < rows; r++) {
		for (int k = 0; k < n; k++) {
			row[k] = element(r + n / 6, k);
			oracle_put32(x, row[k]);
		}
		for (int round = 0; round < rounds; round++) {
			uint32_t v[8], at[8];

			top(row, n, v, at);
			for (int j = 0; j < 8; j++) {
				oracle_put32(vf, v[j]);
				put_index(pf, at[j], bytes);
				if (at[j] != NOWHERE)
					row[at[j]] = 0xFF800000;
			}
		}
	}
	oracle_close(x);
	oracle_close(vf);
	oracle_close(pf);
}

int main(int argc, char **argv)
{
	const char *dir = oracle_directory(argc, argv);

	tensor(dir, 128, 8, 1, 4);
	tensor(dir, 1, 13, 1, 2);
	tensor(dir, 96, 64, 2, 4);
	tensor(dir, 64, 1000, 1, 4);
	tensor(dir, 32, 16384, 1, 4);
	return 0;
}
