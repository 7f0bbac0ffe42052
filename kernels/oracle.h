/* SPDX-License-Identifier: Apache-2.0
 *
 * What oracles share: a file <tensor>.bin in the directory given to them, and
 * little-endian words.  An oracle that cannot write ends with status 2.
 */
#ifndef KERNELS_ORACLE_H
#define KERNELS_ORACLE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The one argument of an oracle. */
static const char *oracle_directory(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: oracle DIRECTORY\n");
		exit(2);
	}
	return argv[1];
}

static FILE *oracle_create(const char *dir, const char *name)
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

static void oracle_put32(FILE *f, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		fputc((int)(v >> (8 * i) & 0xFF), f);
}

static void oracle_close(FILE *f)
{
	if (fclose(f) != 0) {
		perror("oracle");
		exit(2);
	}
}

#endif
