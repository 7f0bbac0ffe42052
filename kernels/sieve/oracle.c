/* SPDX-License-Identifier: Apache-2.0
 *
 * Expected outputs of sieve: primes below 100,000 by trial division, which
 * shares nothing with the kernel's method.  Writes primes.bin and count.bin
 * into the directory argv[1].
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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
	uint32_t count = 0;
	FILE *f;

	if (argc != 2) {
		fprintf(stderr, "usage: oracle DIRECTORY\n");
		return 2;
	}
	f = create(argv[1], "primes.bin");
	for (uint32_t n = 0; n < LIMIT; n++) {
		if (is_prime(n)) {
			put32(f, n);
			count++;
		}
	}
	if (fclose(f) != 0)
		return 2;
	f = create(argv[1], "count.bin");
	put32(f, count);
	return fclose(f) == 0 ? 0 : 2;
}
