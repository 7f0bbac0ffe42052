/* SPDX-License-Identifier: Apache-2.0
 *
 * Expected outputs of sieve: primes below 100,000 by trial division, which
 * shares nothing with the kernel's method.  Writes primes.bin and count.bin
 * into the directory argv[1].
 */
#include "../oracle.h"

#define LIMIT 100000u

static int is_prime(uint32_t n)
{
	if (n < 2)
		return 0;
	for (uint32_t d = 2; d * d <= n; d++)
		if (n % d == 0)
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	const char *dir = oracle_directory(argc, argv);
	uint32_t count = 0;
	FILE *f;

	f = oracle_create(dir, "primes.bin");
	for (uint32_t n = 0; n < LIMIT; n++) {
		if (is_prime(n)) {
			oracle_put32(f, n);
			count++;
		}
	}
	oracle_close(f);
	f = oracle_create(dir, "count.bin");
	oracle_put32(f, count);
	oracle_close(f);
	return 0;
}
