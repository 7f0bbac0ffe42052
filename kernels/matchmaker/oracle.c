/* SPDX-License-Identifier: Apache-2.0
 *
 * Expected outputs of matchmaker: the matches {a, b, gcd} of 16 rounds
 * (matches.bin) and the ledger {sum of divisors, rounds, closed}
 * (ledger.bin).  The divisor is found by search, not by Euclid.
 */
#include "../oracle.h"

#define ROUNDS 16u

static uint32_t divisor(uint32_t a, uint32_t b)
{
	uint32_t d = a < b ? a : b;

	while (a % d != 0 || b % d != 0)
		d--;
	return d;
}

int main(int argc, char **argv)
{
	const char *dir = oracle_directory(argc, argv);
	uint32_t x = 12345, y = 777, sum = 0;
	FILE *f;

	f = oracle_create(dir, "matches.bin");
	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t a, b, d;
		x = x * 1103515245u + 12345u;
		y = y * 214013u + 2531011u;
		a = (x >> 16 & 1023u) + 1;
		b = (y >> 18 & 511u) + 1;
		d = divisor(a, b);
		oracle_put32(f, a);
		oracle_put32(f, b);
		oracle_put32(f, d);
		sum += d;
	}
	oracle_close(f);
	f = oracle_create(dir, "ledger.bin");
	oracle_put32(f, sum);
	oracle_put32(f, ROUNDS);
	oracle_put32(f, 1);
	oracle_close(f);
	return 0;
}
