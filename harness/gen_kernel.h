/* SPDX-License-Identifier: Apache-2.0
 *
 * Random kernels, and what must hold of each.
 *
 * gen_kernel() makes the text of a valid kernel from a seed: tensors in all
 * memories, the operators that the compiler builds, access patterns, loops,
 * branches, addresses made at run time.  Every byte that is read was written
 * before, every address stays inside of its tensor whatever the data say, and
 * every loop ends; so whatever differs between two ways of running it is a
 * defect.  The language is docs/reference/klr.md.
 *
 * kernel_judge() runs one in the interpreter of the compiler's IR as the front
 * end leaves it, and compares all outputs with the interpreter behind a pass
 * and with the reference model on the compiled image.
 */
#ifndef HARNESS_GEN_KERNEL_H
#define HARNESS_GEN_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line of a kernel.  `span` lines from here on stand or fall together: a
 * loop with its body, a branch with both ways. */
struct kernel_line {
	char text[240];
	int span;
	bool fixed; /* a declaration or a first value: nothing goes without */
	bool off;   /* left out */
};

struct kernel_text {
	struct kernel_line *line;
	int n, cap;
	uint64_t seed;
};

void gen_kernel(struct kernel_text *k, uint64_t seed);
void kernel_text_free(struct kernel_text *k);
/* The lines that are on, to be freed by the caller. */
char *kernel_text_join(const struct kernel_text *k);

/* Where a kernel went wrong.  KERNEL_LIMIT: refused for a limit that
 * docs/reference/compiler.md names; that is no failure. */
enum kernel_end {
	KERNEL_PASS,
	KERNEL_LIMIT,
	KERNEL_REFUSED, /* by the front end */
	KERNEL_PRINTED, /* its print reads to another tree */
	KERNEL_COMPILE, /* refused by a pass, the verifier or codegen */
	KERNEL_INTERP,  /* the interpreter gives up */
	KERNEL_PASSES,  /* a pass changed an output */
	KERNEL_ENDS,    /* the model faults or does not end */
	KERNEL_MODEL,   /* the model's output is another */
	KERNEL_RTL      /* lockstep */
};

struct kernel_verdict {
	enum kernel_end end;
	char id[16];    /* of a refusal */
	char what[320]; /* one line */
	uint64_t steps, cycles, bytes;
	int outputs;
};

struct lockstep;

struct kernel_bench; /* one model and its memories, for many kernels */
struct kernel_bench *kernel_bench_new(struct lockstep *ls);
void kernel_bench_free(struct kernel_bench *b);
/* Flip one bit of an input on the model's side: must be noticed. */
void kernel_bench_plant(struct kernel_bench *b, bool on);

/* Judge a text.  The seed gives the inputs and the pass that is tried. */
void kernel_judge(struct kernel_bench *b, const char *text, uint64_t seed,
                  struct kernel_verdict *v);

/* Leave out lines as long as the kernel ends as before; *v is the verdict on
 * what is left. */
void kernel_shrink(struct kernel_bench *b, struct kernel_text *k,
                   struct kernel_verdict *v);

#endif
