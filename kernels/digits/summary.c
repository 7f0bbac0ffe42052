/* SPDX-License-Identifier: Apache-2.0
 *
 * How good were the labels of digits?  argv[1] is the directory of the oracle,
 * argv[2] the one with the tensors that the machine made.
 */
#include "../oracle.h"

#define ROWS 1797
#define TRAINED 1000

static void read_bytes(const char *dir, const char *name, uint8_t *to, int n)
{
	FILE *f = oracle_open(dir, name);

	if (fread(to, 1, (size_t)n, f) != (size_t)n) {
		fprintf(stderr, "%s/%s: too short\n", dir, name);
		exit(2);
	}
	fclose(f);
}

static int right(const uint8_t *made, const uint8_t *truth, int from, int to)
{
	int n = 0;

	for (int r = from; r < to; r++)
		n += made[r] == truth[r];
	return n;
}

int main(int argc, char **argv)
{
	static uint8_t made[ROWS], truth[ROWS];
	int seen, unseen;

	if (argc != 3) {
		fprintf(stderr, "usage: summary DIRECTORY PRODUCED\n");
		return 2;
	}
	read_bytes(argv[1], "truth.bin", truth, ROWS);
	read_bytes(argv[2], "label.bin", made, ROWS);
	seen = right(made, truth, 0, TRAINED);
	unseen = right(made, truth, TRAINED, ROWS);
	printf("digits: %d of the last %d rows right (%.1f %%), %d of the "
	       "first %d\n",
	       unseen, ROWS - TRAINED, 100.0 * unseen / (ROWS - TRAINED), seen,
	       TRAINED);
	return 0;
}
