/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs and expected outputs of digits, in the directory argv[1], which holds
 * the unpacked digits.csv: 64 pixels of 0..16 and a label a row.
 *
 * Centroids are the means of the first 1,000 rows of each label, rounded to
 * fp32 once.  Distances are made as the machine makes them: difference, square
 * and sum in fp32, each rounded to nearest even, the sum from the first pixel
 * to the last.  So the scores must agree in every bit.  That the rounding
 * decides no label is shown beside: the same in double has the same labels.
 */
#include "../oracle.h"

#define ROWS 1797
#define PADDED 1920
#define TRAINED 1000
#define PIXELS 64
#define LABELS 10

static uint8_t x[PADDED][PIXELS], label[ROWS];
static float c[LABELS][PIXELS];

static void bad(int row, const char *what)
{
	fprintf(stderr, "digits.csv:%d: %s\n", row + 1, what);
	exit(2);
}

static void read_rows(const char *dir)
{
	FILE *f = oracle_open(dir, "digits.csv");
	int value;

	for (int r = 0; r < ROWS; r++) {
		for (int k = 0; k < PIXELS; k++) {
			if (fscanf(f, "%d,", &value) != 1 || value < 0 ||
			    value > 16)
				bad(r, "not 64 pixels of 0..16");
			x[r][k] = (uint8_t)value;
		}
		if (fscanf(f, "%d", &value) != 1 || value < 0 ||
		    value >= LABELS)
			bad(r, "not a label of 0..9");
		label[r] = (uint8_t)value;
	}
	if (fscanf(f, "%d", &value) == 1)
		bad(ROWS, "a row too many");
	fclose(f);
}

static void centroids(void)
{
	for (int l = 0; l < LABELS; l++) {
		int count = 0;

		for (int r = 0; r < TRAINED; r++)
			count += label[r] == l;
		for (int k = 0; k < PIXELS; k++) {
			int sum = 0;

			for (int r = 0; r < TRAINED; r++)
				sum += label[r] == l ? x[r][k] : 0;
			/* both are exact, so this rounds once */
			c[l][k] = (float)sum / (float)count;
		}
	}
}

/* One statement an operation: nothing is fused. */
static float distance(const uint8_t *row, const float *to)
{
	float sum = 0.0f;

	for (int k = 0; k < PIXELS; k++) {
		float d = (float)row[k] - to[k];
		float square = d * d;

		sum = sum + square;
	}
	return sum;
}

static double distance_wide(const uint8_t *row, const float *to)
{
	double sum = 0.0;

	for (int k = 0; k < PIXELS; k++) {
		double d = row[k] - (double)to[k];

		sum += d * d;
	}
	return sum;
}

/* The first of the least distances. */
static int nearest(int r, float *least)
{
	double wide = distance_wide(x[r], c[0]);
	int at = 0, at_wide = 0;

	*least = distance(x[r], c[0]);
	for (int l = 1; l < LABELS; l++) {
		float d = distance(x[r], c[l]);
		double w = distance_wide(x[r], c[l]);

		if (d < *least) {
			*least = d;
			at = l;
		}
		if (w < wide) {
			wide = w;
			at_wide = l;
		}
	}
	if (at != at_wide)
		bad(r, "rounding decides the label");
	return at;
}

static void inputs(const char *dir)
{
	FILE *f = oracle_create(dir, "x.bin");

	for (int r = 0; r < PADDED; r++)
		for (int k = 0; k < PIXELS; k++)
			fputc(x[r][k], f);
	oracle_close(f);
	f = oracle_create(dir, "c.bin");
	for (int l = 0; l < LABELS; l++)
		for (int k = 0; k < PIXELS; k++)
			oracle_putf(f, c[l][k]);
	oracle_close(f);
	/* for the summary, the kernel does not see it */
	f = oracle_create(dir, "truth.bin");
	for (int r = 0; r < ROWS; r++)
		fputc(label[r], f);
	oracle_close(f);
}

int main(int argc, char **argv)
{
	const char *dir = oracle_directory(argc, argv);
	FILE *labels, *scores;

	read_rows(dir);
	centroids();
	inputs(dir);
	labels = oracle_create(dir, "label.bin");
	scores = oracle_create(dir, "score.bin");
	for (int r = 0; r < PADDED; r++) {
		float least;

		fputc(nearest(r, &least), labels);
		oracle_putf(scores, -least);
	}
	oracle_close(labels);
	oracle_close(scores);
	return 0;
}
