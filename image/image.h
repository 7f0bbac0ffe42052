/* SPDX-License-Identifier: Apache-2.0
 *
 * A program image: what the assembler and the compiler write, what the
 * loader hands to both sides.
 *
 * On disk it is an ELF64 file (docs/reference/image.md).  In memory the
 * bundles are in file form until image_resolve() has turned names and
 * variable ids into numbers, once, for both sides (loaded form).
 */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include "isa/isa.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An error: id, place and text, printed as
 * "tpb: error[<id>]: <place>: <text>". */
struct image_error {
	char id[16];     /* "IMG007" */
	char place[160]; /* "sieve.tpb:.text.SP+0x40" */
	char text[240];
};

/* A named place in one engine's stream. */
struct image_symbol {
	char *name;
	uint8_t engine; /* 0..4 */
	bool function;  /* callable by Call; else a block label */
	bool keep_sems; /* its Returns keep the semaphores */
	uint32_t pc;    /* bundle index */
	uint32_t len;   /* bundles, functions only; 0 unknown */
};

/* A tensor in DRAM. */
struct image_tensor {
	char *name;
	uint32_t id;   /* variable id, unique */
	uint64_t addr; /* byte address, multiple of 8, below 2^36 */
	uint64_t size; /* bytes, at least 1 */
	uint8_t *init; /* size bytes, or NULL: left to the fill */
	bool output;   /* compared with an expected file at the end */
};

/* Source line of a bundle. */
struct image_line {
	uint32_t line; /* 1-based, 0 unknown */
	uint16_t file; /* index into files[] */
};

/* A rank record (sheet of GetCurProcessingRankID). */
struct image_rank {
	uint32_t core, group, iterations, channels;
	uint32_t *ranks; /* iterations * channels */
};

struct image_stream {
	uint8_t (*bundle)[TPB_BUNDLE];
	struct image_line *line; /* one a bundle, or NULL */
	uint32_t len, cap;
};

struct image {
	char *name;
	int gen;       /* 2, 3 or 4 */
	uint32_t rank; /* global rank of core 0 */
	bool loaded;   /* bundles are in loaded form */
	struct image_stream stream[TPB_ENGINES];
	struct image_symbol *symbol;
	int nsymbols;
	struct image_tensor *tensor;
	int ntensors;
	struct image_rank *rank_table;
	int nranks;
	char **file; /* source file names */
	int nfiles;
	struct image_index *index; /* of the look-ups below, private */
};

struct image *image_new(const char *name);
void image_free(struct image *img);

/* Append a bundle (copied) with its source line; returns its index. */
uint32_t image_emit(struct image *img, int engine, const uint8_t *bundle,
                    uint16_t file, uint32_t line);
int image_add_file(struct image *img, const char *name);
void image_add_symbol(struct image *img, const char *name, int engine,
                      uint32_t pc, bool function, bool keep_sems);
/* Address 0 lets the image place it (8-byte granule, from 0x1000 up);
 * init may be NULL.  Returns the tensor's index. */
int image_add_tensor(struct image *img, const char *name, uint32_t id,
                     uint64_t addr, uint64_t size, const void *init,
                     bool output);

/* iterations * channels words are copied. */
void image_add_rank(struct image *img, uint32_t core, uint32_t group,
                    uint32_t iterations, uint32_t channels,
                    const uint32_t *ranks);

/* Write and read ELF.  Nothing is written on an error. false on error. */
bool image_write(const struct image *img, const char *path,
                 struct image_error *err);
struct image *image_read(const char *path, struct image_error *err);
/* The same from memory: used by the mutation tests. */
struct image *image_parse(const void *data, size_t size, const char *place,
                          struct image_error *err);

/* Turn file form into loaded form in place: CALL names to PCs, load.var /
 * save.var to addresses, Return's keep flag, current rank values.
 * Already loaded images pass unchanged. */
bool image_resolve(struct image *img, struct image_error *err);

/* "label+3" or "12" for a pc; NUL-terminated in buf. */
const char *image_place(const struct image *img, int engine, uint32_t pc,
                        char *buf, size_t size);
/* "sieve.s:41" or "" when unknown. */
const char *image_source(const struct image *img, int engine, uint32_t pc,
                         char *buf, size_t size);

#endif
