/* SPDX-License-Identifier: Apache-2.0
 *
 * What oracles and summaries share: files in a directory given to them, and
 * little-endian words.  One that cannot read or write ends with status 2.
 */
#ifndef KERNELS_ORACLE_H
#define KERNELS_ORACLE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one argument of an oracle. */
static inline const char *oracle_directory(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: oracle DIRECTORY\n");
		exit(2);
	}
	return argv[1];
}

static inline FILE *oracle_create(const char *dir, const char *name)
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

static inline FILE *oracle_open(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "rb");
	if (!f) {
		perror(path);
		exit(2);
	}
	return f;
}

static inline void oracle_put32(FILE *f, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		fputc((int)(v >> (8 * i) & 0xFF), f);
}

static inline void oracle_putf(FILE *f, float v)
{
	uint32_t word;

	memcpy(&word, &v, sizeof(word));
	oracle_put32(f, word);
}

static inline void oracle_close(FILE *f)
{
	if (fclose(f) != 0) {
		perror("oracle");
		exit(2);
	}
}

#endif
