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

static uint64_t state = 1442695040888963407u;

static uint32_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32);
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

static uint32_t a[N], b[N], out[N], n[WORDS], wide[WORDS];
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
		a[i] = word();
		b[i] = word();
	}
	oracle_close(f);
	for (int i = 0; i < WORDS; i++) {
		wide[i] = draw() & 1;
		n[i] = draw();
	}
	put(dir, "wmask.bin", wide, WORDS);
	put(dir, "a.bin", a, N);
	put(dir, "b.bin", b, N);
	put(dir, "n.bin", n, WORDS);
}

int main(int argc, char **argv)
{
	const char *dir = oracle_directory(argc, argv);

	inputs(dir);
	for (int i = 0; i < N; i++)
		out[i] = mask[i] ? a[i] : b[i];
	put(dir, "tensors.bin", out, N);
	for (int i = 0; i < N; i++)
		out[i] = mask[i] ? 0x40200000 : b[i];
	put(dir, "number.bin", out, N);
	for (int i = 0; i < N; i++)
		out[i] = mask[i] ? a[i] : 0xFF800000;
	put(dir, "other.bin", out, N);
	for (int i = 0; i < N; i++)
		out[i] = mask[i] ? 0x3F800000 : 0x80000000;
	put(dir, "numbers.bin", out, N);
	for (int i = 0; i < WORDS; i++)
		out[i] = wide[i] ? 0xFFFFFFF9 : n[i];
	put(dir, "words.bin", out, WORDS);
	for (int r = 0; r < 32; r++)
		for (int c = 0; c < 64; c++)
			out[64 * r + c] = mask[COLS * r + c]
			                      ? a[COLS * r + 64 + c]
			                      : a[COLS * r + 128 + c];
	put(dir, "shifted.bin", out, 32 * 64);
	return 0;
}
