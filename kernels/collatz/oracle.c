/* SPDX-License-Identifier: Apache-2.0
 *
 * Expected outputs of collatz: the longest chain of each residue class of
 * starts 1..3000 modulo 5 (best.bin) and over all starts (longest.bin).
 * Steps are counted by recursion, the kernel uses a loop.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LAST 3000u
#define ENGINES 5u

static uint32_t steps(uint64_t n)
{
	if (n == 1)
		return 0;
	return 1 + steps(n % 2 ? 3 * n + 1 : n / 2);
}

static FILE *create(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "wb");
	if (!f) {
		perror(path);
		exit(2);
	}
	return f;
}

static void put32(FILE *f, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		fputc((int)(v >> (8 * i) & 0xFF), f);
}

/* Longest chain among first, first + stride, ...; ties to the smallest. */
static void longest(FILE *f, uint32_t first, uint32_t stride)
{
	uint32_t best = first, most = steps(first);

	for (uint32_t n = first; n <= LAST; n += stride) {
		if (steps(n) > most) {
			most = steps(n);
			best = n;
		}
	}
	put32(f, best);
	put32(f, most);
}

int main(int argc, char **argv)
{
	FILE *f;

	if (argc != 2) {
		fprintf(stderr, "usage: oracle DIRECTORY\n");
		return 2;
	}
	f = create(argv[1], "best.bin");
	for (uint32_t e = 0; e < ENGINES; e++)
		longest(f, e + 1, ENGINES);
	if (fclose(f) != 0)
		return 2;
	f = create(argv[1], "longest.bin");
	longest(f, 1, 1);
	return fclose(f) == 0 ? 0 : 2;
}
