/* SPDX-License-Identifier: Apache-2.0
 *
 * Input and expected outputs of histogram, in the directory argv[1].
 */
#include "../oracle.h"

#define N 2000

static uint32_t seed = 2463534242u;

static uint32_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

/* Every byte at least once, small ones often, and a run of equal ones, in
 * which each counter is read right behind its write. */
static uint8_t element(int i)
{
	uint32_t a = draw() >> 16 & 0xFF, b = draw() >> 16 & 0xFF;

	if (i < 256)
		return (uint8_t)(i * 167);
	if (i < 320)
		return 0xFF;
	return (uint8_t)(a * b >> 8);
}

int main(int argc, char **argv)
{
	static uint32_t bytes[256], follows[16][16];
	const char *dir = oracle_directory(argc, argv);
	FILE *f = oracle_create(dir, "x.bin");
	int first = 0;

	for (int i = 0; i < N; i++) {
		uint8_t v = element(i);

		fputc(v, f);
		bytes[v]++;
		follows[first][v % 16]++;
		first = v % 16;
	}
	oracle_close(f);
	f = oracle_create(dir, "bytes.bin");
	for (int v = 0; v < 256; v++) {
		fputc((int)(bytes[v] & 0xFF), f);
		fputc((int)(bytes[v] >> 8), f);
	}
	oracle_close(f);
	f = oracle_create(dir, "follows.bin");
	for (int a = 0; a < 16; a++)
		for (int b = 0; b < 16; b++)
			oracle_put32(f, follows[a][b]);
	oracle_close(f);
	return 0;
}
