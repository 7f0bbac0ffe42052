/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler's driver: a BIR module in, a program image out.
 *
 * compile.c is the pipeline, one line a pass; docs/reference/compiler.md says
 * what each pass does, its options and the error ids.
 */
#ifndef COMPILER_COMPILE_H
#define COMPILER_COMPILE_H

#include <stdbool.h>
#include <stdio.h>

struct bir_module;
struct image;

/* Printed as "tpb: error[<id>]: <place>: <text>"; the text is "<what>; <what
 * to do>".  Place is "file:line", or the kernel's name. */
struct compile_error {
	char id[16];
	char place[160];
	char text[240];
};

/* A zeroed struct compiles for gen3, verifies between passes, dumps and
 * prints nothing.  Lists of passes are names with commas, or "all". */
struct compile_opts {
	int gen;                 /* 2, 3 or 4; 0 is 3 */
	int cores;               /* 1 or 2; 0 is 1 */
	int sbuf_bytes;          /* of a partition; 0: the generation's */
	bool no_verify;          /* leave the verifier out */
	bool stats;              /* a line a pass to log */
	const char *dump_before; /* text dumps to log */
	const char *dump_after;
	const char *skip;       /* passes left out: tests and searches only */
	const char *stop_after; /* compile_lower only: the last pass to run */
	FILE *log;              /* NULL: standard error */
};

/* Every pass, without code generation.  The module is changed in place; after
 * an error it must only be freed. */
bool compile_lower(struct bir_module *m, const struct compile_opts *opts,
                   struct compile_error *err);

/* The whole way into an empty image, in file form. */
bool tpb_compile(struct bir_module *m, const struct compile_opts *opts,
                 struct image *out, struct compile_error *err);

/* The name of the nth pass in order, NULL past the last. */
const char *compile_pass_name(int n);

#endif
