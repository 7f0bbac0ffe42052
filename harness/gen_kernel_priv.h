/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the kernel generator: what its files share.
 *
 *   gen_kernel.c      tensors, first values, blocks, loops, branches
 *   gen_kernel_ref.c  references: which tensor, which pattern
 *   gen_kernel_vec.c  statements of the vector engines
 *   gen_kernel_seq.c  statements of registers and DMA
 */
#ifndef HARNESS_GEN_KERNEL_PRIV_H
#define HARNESS_GEN_KERNEL_PRIV_H

#include "harness/gen_kernel.h"
#include "harness/gen_rng.h"

#define GK_TENSORS 32
#define GK_REGS 6
#define GK_VARS 8
#define GK_AXES 4

enum gk_memory { GK_HBM, GK_SBUF, GK_PSUM };

/* Dtypes, as bits of a set. */
enum gk_dtype {
	GK_F32,
	GK_F32R,
	GK_BF16,
	GK_F16,
	GK_F8E3,
	GK_F8E4,
	GK_F8E5,
	GK_I8,
	GK_U8,
	GK_I16,
	GK_U16,
	GK_I32,
	GK_U32,
	GK_DTYPES
};

#define GK(x) (1u << GK_##x)
#define GK_FLOATS \
	(GK(F32) | GK(BF16) | GK(F16) | GK(F8E3) | GK(F8E4) | GK(F8E5))
/* No number becomes one of these but 0. */
#define GK_FP8 (GK(F8E3) | GK(F8E4) | GK(F8E5))
#define GK_WORDS (GK(I32) | GK(U32))
#define GK_INTS (GK(I8) | GK(U8) | GK(I16) | GK(U16) | GK_WORDS)
#define GK_DATA (GK_FLOATS | GK_INTS)
#define GK_NARROW (GK_DATA & ~GK_WORDS)

struct gk_tensor {
	char name[8];
	enum gk_memory memory;
	enum gk_dtype dtype;
	bool input, output;
	int parts, row; /* first dimension, elements of the others */
	int dims, dim[3];
	int base; /* partition it is placed at, 0 where it is not */
};

/* A register whose value is known to lie in 0..max. */
struct gk_var {
	char name[8];
	int max;
};

/* A reference that was made. */
struct gk_ref {
	int tensor, start, parts, n;
	enum gk_dtype dtype;
	bool dynamic;
	char text[120];
};

/* What a reference may be. */
struct gk_wish {
	unsigned dtypes, memories; /* sets */
	int parts, n;              /* exactly; n elements a partition */
	int start;                 /* first partition, -1: any legal one */
	bool dst;                  /* written: no element twice */
	bool plain;                /* no run-time address */
	bool four;                 /* four axes fit, not three only */
	int naxes, axis[GK_AXES];  /* exactly these axes, 0: any */
	const struct gk_ref *other, *same; /* another tensor than; may be as */
};

struct gk {
	struct rng r;
	struct kernel_text *k;
	struct gk_tensor tensor[GK_TENSORS];
	int ntensors;
	struct gk_var var[GK_VARS]; /* counters of the loops around */
	int nvars, depth, turns;
	bool streams; /* DMA at run-time addresses: CGN010 in this version */
	int nlabels, nloops, naddrs, left;
};

/* gen_kernel.c */
int gk_emit(struct gk *g, bool fixed, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* gen_kernel_ref.c */
extern const char *const gk_dtype_name[GK_DTYPES];
extern const int gk_dtype_size[GK_DTYPES];
/* A random member of a set. */
int gk_member(struct gk *g, unsigned set);
/* False when no tensor does. */
bool gk_make(struct gk *g, const struct gk_wish *w, struct gk_ref *r);
/* All elements of a side of a DMA. */
bool gk_make_dma(struct gk *g, int tensor, int count, bool dst,
                 struct gk_ref *r);
/* One element, for loads and stores. */
void gk_make_one(struct gk *g, int tensor, struct gk_ref *r);
/* The most that a legal pattern of so many partitions can begin at. */
int gk_unit(int parts);

/* gen_kernel_vec.c, gen_kernel_seq.c: one statement, false when none was
 * made. */
bool gk_vector(struct gk *g);
bool gk_scalar(struct gk *g);
bool gk_dma(struct gk *g);
/* A register in 0..max for an address, made in front; max is 1, 3 or 7. */
void gk_address(struct gk *g, struct gk_var *v);

#endif
