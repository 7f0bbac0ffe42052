/* SPDX-License-Identifier: Apache-2.0
 *
 * Expected outputs of collatz: the longest chain of each residue class of
 * starts 1..3000 modulo 5 (best.bin) and over all starts (longest.bin).
 * Steps are counted by recursion, the kernel uses a loop.
 */
#include "../oracle.h"

#define LAST 3000u
#define ENGINES 5u

static uint32_t steps(uint64_t n)
{
	if (n == 1)
		return 0;
	return 1 + steps(n % 2 ? 3 * n + 1 : n / 2);
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
	oracle_put32(f, best);
	oracle_put32(f, most);
}

int main(int argc, char **argv)
{
	const char *dir = oracle_directory(argc, argv);
	FILE *f;

	f = oracle_create(dir, "best.bin");
	for (uint32_t e = 0; e < ENGINES; e++)
		longest(f, e + 1, ENGINES);
	oracle_close(f);
	f = oracle_create(dir, "longest.bin");
	longest(f, 1, 1);
	oracle_close(f);
	return 0;
}
