/* SPDX-License-Identifier: Apache-2.0
 *
 * Expected outputs of matchmaker: the matches {a, b, gcd} of 16 rounds
 * (matches.bin) and the ledger {sum of divisors, rounds, closed}
 * (ledger.bin).  The divisor is found by search, not by Euclid.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 16u

static uint32_t divisor(uint32_t a, uint32_t b)
{
	uint32_t d = a < b ? a : b;

	while (a % d != 0 || b % d != 0)
		d--;
	return d;
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

int main(int argc, char **argv)
{
	uint32_t x = 12345, y = 777, sum = 0;
	FILE *f;

	if (argc != 2) {
		fprintf(stderr, "usage: oracle DIRECTORY\n");
		return 2;
	}
	f = create(argv[1], "matches.bin");
	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t a, b, d;
		x = x * 1103515245u + 12345u;
		y = y * 214013u + 2531011u;
		a = (x >> 16 & 1023u) + 1;
		b = (y >> 18 & 511u) + 1;
		d = divisor(a, b);
		put32(f, a);
		put32(f, b);
		put32(f, d);
		sum += d;
	}
	if (fclose(f) != 0)
		return 2;
	f = create(argv[1], "ledger.bin");
	put32(f, sum);
	put32(f, ROUNDS);
	put32(f, 1);
	return fclose(f) == 0 ? 0 : 2;
}
