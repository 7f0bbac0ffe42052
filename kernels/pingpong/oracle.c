/* SPDX-License-Identifier: Apache-2.0
 *
 * Expected outputs of pingpong, in the directory argv[1]: the same rounds, one
 * after the other.
 */
#include "../oracle.h"

#define ROUNDS 10000
#define SLOTS 8
#define ROWS 8
#define WORDS 2

static uint32_t ring[SLOTS][ROWS][WORDS];

static uint32_t key(int row, int word)
{
	return (uint32_t)-5 + (uint32_t)row * 0x01010101u +
	       (uint32_t)word * 0x1234u;
}

static void turn(uint32_t tile[ROWS][WORDS])
{
	for (int p = 0; p < ROWS; p++)
		for (int w = 0; w < WORDS; w++) {
			uint32_t m = tile[p][w] + key(p, w);

			tile[p][w] = m ^ m << 5;
		}
}

int main(int argc, char **argv)
{
	const char *dir = oracle_directory(argc, argv);
	FILE *f = oracle_create(dir, "trace.bin");
	uint32_t sum = 0;

	for (uint32_t i = 0; i < SLOTS * ROWS * WORDS; i++)
		ring[i / (ROWS * WORDS)][i / WORDS % ROWS][i % WORDS] =
		    1u + i * 0x9E3779B9u;
	for (int r = 0; r < ROUNDS; r++) {
		turn(ring[r % SLOTS]);
		sum = sum * 31 + ring[r % SLOTS][r % 8][r / 8 % 2];
		if (r % 16 == 15)
			oracle_put32(f, sum);
	}
	oracle_close(f);
	f = oracle_create(dir, "check.bin");
	oracle_put32(f, ROUNDS);
	oracle_put32(f, sum);
	oracle_close(f);
	f = oracle_create(dir, "ring.bin");
	for (int s = 0; s < SLOTS; s++)
		for (int p = 0; p < ROWS; p++)
			for (int w = 0; w < WORDS; w++)
				oracle_put32(f, ring[s][p][w]);
	oracle_close(f);
	return 0;
}
