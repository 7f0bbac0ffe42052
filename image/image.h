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

/* DMA queues, in file form.  The arrays nest by order: the instances of queue
 * 0, then those of queue 1, and so on; likewise blocks and descriptors.  So
 * `count` alone says which are whose, and an addition always goes to the last
 * of the level above. */
struct image_queue {
	char *name;         /* 1 to 31 bytes, unique among queues */
	uint8_t type;       /* 0..8 */
	uint8_t owner;      /* engine 0..4 whose queue ops may name it */
	uint32_t instances; /* 1..255 */
	/* Semaphores that a switch clears; bit (id & 7) of byte id / 8. */
	uint8_t special[TPB_SEMS / 8], normal[TPB_SEMS / 8];
};

struct image_instance {
	char *name; /* 1 to 31 bytes, unique among instances */
	uint32_t blocks;
};

struct image_block {
	uint32_t descriptors;
	/* Fires after the last descriptor; mode 0: nothing does. */
	uint8_t mode, id; /* wire update mode, semaphore or event */
	uint32_t operand;
};

/* Entry of the DGE table: a tensor, or with id 0 a range of addresses. */
struct image_dge {
	uint32_t id;         /* variable id */
	uint64_t base, size; /* unified address, bytes; both 0 with an id */
};

enum {
	IMAGE_QUEUE_SIZE = 96,
	IMAGE_INSTANCE_SIZE = 8,
	IMAGE_BLOCK_SIZE = 16,
	IMAGE_DESC_SIZE = TPB_BUNDLE,
	IMAGE_DGE_SIZE = 16
};

/* What the DMA unit is given: packed little-endian records, read-only for
 * the machine, indices from 0.  Made by image_resolve().
 *
 *   queue       +00 u32 first instance  +04 u32 instances  +08 u8 type
 *               +09 u8 owner engine  +20 special[32]  +40 normal[32]
 *   instance    +0 u32 first block  +4 u32 blocks
 *   block       +0 u32 first descriptor  +4 u32 descriptors
 *               +8 u8 update mode  +9 u8 update id  +C u32 operand
 *   descriptor  a `dma` bundle in loaded form, header D4 10 00 00, no sync
 *   dge         +0 u64 base  +8 u64 size
 *
 * All other bytes are 0.  Facts: the memory sheet's DMA unit. */
struct image_dma {
	uint8_t (*queue)[IMAGE_QUEUE_SIZE];
	uint8_t (*instance)[IMAGE_INSTANCE_SIZE];
	uint8_t (*block)[IMAGE_BLOCK_SIZE];
	uint8_t (*descriptor)[IMAGE_DESC_SIZE];
	uint8_t (*dge)[IMAGE_DGE_SIZE];
	uint32_t nqueues, ninstances, nblocks, ndescriptors, ndge;
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
	/* Configuration of the datapaths: the OCP form of fp8 e4m3, saturation
	 * of fp8 overflow (on by default), suppression of fp8 NaN. */
	bool fp8_ocp, fp8_saturate, fp8_nan_suppress;
	struct image_stream stream[TPB_ENGINES];
	struct image_symbol *symbol;
	int nsymbols;
	struct image_tensor *tensor;
	int ntensors;
	struct image_rank *rank_table;
	int nranks;
	char **file; /* source file names */
	int nfiles;
	struct image_queue *queue;
	struct image_instance *instance;
	struct image_block *block;
	uint8_t (*descriptor)[TPB_BUNDLE]; /* `dma` bundles in file form */
	struct image_dge *dge;
	int nqueues, ninstances, nblocks, ndescriptors, ndge;
	struct image_dma dma; /* of the above; empty before image_resolve() */
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

/* Append a queue, an instance of the last queue, a block of the last
 * instance, a descriptor of the last block; each returns its index.  The
 * groups may be NULL: no semaphores. */
int image_add_queue(struct image *img, const char *name, uint8_t type,
                    int owner, const uint8_t *special, const uint8_t *normal);
int image_add_instance(struct image *img, const char *name);
int image_add_block(struct image *img, uint8_t mode, uint8_t id,
                    uint32_t operand);
int image_add_descriptor(struct image *img, const uint8_t *bundle);
/* id 0: the range base, size. */
int image_add_dge(struct image *img, uint32_t id, uint64_t base, uint64_t size);

/* Write and read ELF.  Nothing is written on an error. false on error. */
bool image_write(const struct image *img, const char *path,
                 struct image_error *err);
struct image *image_read(const char *path, struct image_error *err);
/* The same from memory: used by the mutation tests. */
struct image *image_parse(const void *data, size_t size, const char *place,
                          struct image_error *err);

/* Turn file form into loaded form in place: CALL names to PCs, queue names to
 * numbers, load.var / save.var and both sides of a dma to addresses, Return's
 * keep flag, current rank values.  The bundles of an already loaded image pass
 * unchanged.  img->dma is made in any case. */
bool image_resolve(struct image *img, struct image_error *err);

/* "label+3" or "12" for a pc; NUL-terminated in buf. */
const char *image_place(const struct image *img, int engine, uint32_t pc,
                        char *buf, size_t size);
/* "sieve.s:41" or "" when unknown. */
const char *image_source(const struct image *img, int engine, uint32_t pc,
                         char *buf, size_t size);

#endif
