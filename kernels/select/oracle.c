/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs and expected outputs of select, in the directory argv[1].  Words of
 * 32 bits all the way: a choice computes nothing.
 */
#include "../oracle.h"

#include <string.h>

#define ROWS 128
#define COLS 192
#define N (ROWS * COLS)
#define WORDS (64 * 32)

static uint64_t seed = 1442695040888963407u;

static uint32_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32);
}

/* fp32 words: half of them zeros, infinities, NaN with payloads, denormals. */
static uint32_t word(void)
{
	static const uint32_t specials[] = {
	    0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
	    0xFFC54321, 0x7F801234, 0x00000001, 0x807FFFFF, 0x3F800000,
	};

	return draw() % 2 ? specials[draw() % 10] : draw();
}

static void put(const char *dir, const char *name, const uint32_t *w, int n)
{
	FILE *f = oracle_create(dir, name);

	for (int i = 0; i < n; i++)
		oracle_put32(f, w[i]);
	oracle_close(f);
}

static uint32_t left[N], right[N], result[N], words[WORDS], wide[WORDS];
static unsigned char mask[N];

static void inputs(const char *dir)
{
	FILE *f = oracle_create(dir, "mask.bin");

	for (int i = 0; i < N; i++) {
		/* rows of all ones, of all zeros, and mixed ones */
		int row = i / COLS;

		mask[i] = row % 16 == 0   ? 1
		          : row % 16 == 1 ? 0
		                          : (unsigned char)(draw() & 1);
		fputc(mask[i], f);
		left[i] = word();
		right[i] = word();
	}
	oracle_close(f);
	for (int i = 0; i < WORDS; i++) {
		wide[i] = draw() & 1;
		words[i] = draw();
	}
	put(dir, "wmask.bin", wide, WORDS);
	put(dir, "a.bin", left, N);
	put(dir, "b.bin", right, N);
	put(dir, "n.bin", words, WORDS);
}

int main(int argc, char **argv)
{
	const char *dir = oracle_directory(argc, argv);

	inputs(dir);
	for (int i = 0; i < N; i++)
		result[i] = mask[i] ? left[i] : right[i];
	put(dir, "tensors.bin", result, N);
	for (int i = 0; i < N; i++)
		result[i] = mask[i] ? 0x40200000 : right[i];
	put(dir, "number.bin", result, N);
	for (int i = 0; i < N; i++)
		result[i] = mask[i] ? left[i] : 0xFF800000;
	put(dir, "other.bin", result, N);
	for (int i = 0; i < N; i++)
		result[i] = mask[i] ? 0x3F800000 : 0x80000000;
	put(dir, "numbers.bin", result, N);
	for (int i = 0; i < WORDS; i++)
		result[i] = wide[i] ? 0xFFFFFFF9 : words[i];
	put(dir, "words.bin", result, WORDS);
	for (int r = 0; r < 32; r++)
		for (int c = 0; c < 64; c++)
			result[64 * r + c] = mask[COLS * r + c]
			                         ? left[COLS * r + 64 + c]
			                         : left[COLS * r + 128 + c];
	put(dir, "shifted.bin", result, 32 * 64);
	return 0;
}
