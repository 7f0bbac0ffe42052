/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of image/ share: the numbers of the file format, the error
 * numbers, and the rules every image obeys.  docs/reference/image.md is the
 * format in words, docs/reference/errors.md the list of errors.
 */
#ifndef IMAGE_INTERNAL_H
#define IMAGE_INTERNAL_H

#include "image/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ELF structures are copied as they stand. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the host must be little-endian");

/* ---- the file format ---- */

#define IMAGE_MAGIC "TPBIMAGE"
#define IMAGE_VERSION 2u

/* .tpb.meta, one record. */
enum {
	META_MAGIC = 0x00,   /* 8 bytes */
	META_VERSION = 0x08, /* u32 */
	META_GEN = 0x0C,     /* u32 */
	META_RANK = 0x10,    /* u32 */
	META_MASK = 0x14,    /* u32, bit e: engine e has bundles */
	META_FLAGS = 0x18,   /* u32 */
	META_NAME = 0x1C,    /* u32, offset in .strtab */
	META_SIZE = 0x20
};

enum {
	META_LOADED = 1u,
	META_FP8_OCP = 2u,
	META_FP8_SATURATE = 4u,
	META_FP8_NAN_SUPPRESS = 8u,
	META_FLAG_BITS = 15u
};

/* .tpb.tensors, one record a tensor. */
enum {
	TENSOR_NAME = 0x00,  /* u32, offset in .strtab */
	TENSOR_ID = 0x04,    /* u32 */
	TENSOR_ADDR = 0x08,  /* u64 */
	TENSOR_BYTES = 0x10, /* u64 */
	TENSOR_FLAGS = 0x18, /* u32 */
	TENSOR_ZERO = 0x1C,  /* u32 */
	TENSOR_INIT = 0x20,  /* u64, offset in .tpb.data */
	TENSOR_SIZE = 0x28
};

#define TENSOR_OUTPUT 1u
#define TENSOR_HAS_INIT 2u

/* .tpb.ranks: this head, then iterations * channels words. */
enum {
	RANK_CORE = 0x00,
	RANK_GROUP = 0x04,
	RANK_ITERATIONS = 0x08,
	RANK_CHANNELS = 0x0C,
	RANK_SIZE = 0x10
};

/* .tpb.files: u32 offsets in .strtab. */
#define FILE_SIZE 4u

/* .tpb.lines, one record a bundle, engine after engine. */
enum {
	LINE_LINE = 0x00, /* u32 */
	LINE_FILE = 0x04, /* u16 */
	LINE_ZERO = 0x06, /* u16 */
	LINE_SIZE = 0x08
};

/* .tpb.queues */
enum {
	QUEUE_NAME = 0x00,      /* u32, offset in .strtab */
	QUEUE_TYPE = 0x04,      /* u8 */
	QUEUE_OWNER = 0x05,     /* u8 */
	QUEUE_ZERO = 0x06,      /* u16 */
	QUEUE_INSTANCES = 0x08, /* u32 */
	QUEUE_SPECIAL = 0x0C,   /* 32 bytes */
	QUEUE_NORMAL = 0x2C,    /* 32 bytes */
	QUEUE_SIZE = 0x4C
};

/* .tpb.instances */
enum {
	INSTANCE_NAME = 0x00,   /* u32, offset in .strtab */
	INSTANCE_BLOCKS = 0x04, /* u32 */
	INSTANCE_SIZE = 0x08
};

/* .tpb.blocks */
enum {
	BLOCK_DESCRIPTORS = 0x00, /* u32 */
	BLOCK_MODE = 0x04,        /* u8 */
	BLOCK_ID = 0x05,          /* u8 */
	BLOCK_ZERO = 0x06,        /* u16 */
	BLOCK_OPERAND = 0x08,     /* u32 */
	BLOCK_SIZE = 0x0C
};

/* .tpb.dge; .tpb.descriptors are bundles. */
enum {
	DGE_ID = 0x00,    /* u32 */
	DGE_ZERO = 0x04,  /* u32 */
	DGE_BASE = 0x08,  /* u64 */
	DGE_BYTES = 0x10, /* u64 */
	DGE_SIZE = 0x18
};

/* st_other of a function that keeps the semaphores. */
#define SYMBOL_KEEP 0x80u

/* ---- limits ---- */

#define IMAGE_DRAM_END (1ull << 36)
#define IMAGE_DRAM_BASE 0x1000ull
#define IMAGE_TENSOR_MAX (1ull << 32)
#define IMAGE_FILE_MAX (1ull << 32)
#define IMAGE_NAME_MAX 255u  /* symbols, tensors */
#define IMAGE_PATH_MAX 4095u /* files, the image itself */
#define IMAGE_CALLEE_MAX 35u
#define IMAGE_QUEUE_MAX 31u /* queues, instances */
#define IMAGE_QUEUE_TYPES 9u
#define IMAGE_INSTANCES_MAX 255u
/* Unified addresses: DRAM, then this core's on-chip window of 29 bits. */
#define IMAGE_CHIP_BASE IMAGE_DRAM_END
#define IMAGE_CHIP_SIZE (1ull << 29)

/* ---- sections ---- */

enum image_section {
	SEC_TEXT, /* + engine */
	SEC_META = SEC_TEXT + TPB_ENGINES,
	SEC_TENSORS,
	SEC_DATA,
	SEC_RANKS,
	SEC_FILES,
	SEC_LINES,
	SEC_QUEUES,
	SEC_INSTANCES,
	SEC_BLOCKS,
	SEC_DESCRIPTORS,
	SEC_DGE,
	SEC_SYMTAB,
	SEC_STRTAB,
	SEC_COUNT
};

extern const char *const image_section_name[SEC_COUNT];

/* ---- errors ---- */

enum image_errno {
	IMG_IO = 1,
	IMG_NOT_ELF = 2,
	IMG_TABLE = 3,
	IMG_SECTION = 4,
	IMG_SECTION_NAME = 5,
	IMG_MISSING = 6,
	IMG_TWICE = 7,
	IMG_UNKNOWN = 8,
	IMG_MAGIC = 9,
	IMG_VERSION = 10,
	IMG_META = 11,
	IMG_TEXT = 12,
	IMG_STRING = 13,
	IMG_SYMBOL = 14,
	IMG_TENSOR = 15,
	IMG_RANGE = 16,
	IMG_SAME = 17,
	IMG_OVERLAP = 18,
	IMG_DATA = 19,
	IMG_RANKS = 20,
	IMG_FILES = 21,
	IMG_LINES = 22,
	IMG_QUEUE = 23,
	IMG_BLOCK = 24,
	IMG_DGE = 25,
	IMG_NO_FUNCTION = 30,
	IMG_AMBIGUOUS = 31,
	IMG_CALLEE = 32,
	IMG_NO_VARIABLE = 33,
	IMG_OFFSET = 34,
	IMG_NO_QUEUE = 35,
	IMG_MARKER = 36,
	IMG_DESC = 37,
	IMG_UNBACKED = 38,
	IMG_ALIAS = 39,
	IMG_WRITE = 40
};

/* Fill *err; always false.  The place is "file", "file:section" (off < 0)
 * or "file:section+0x40". */
bool image_fail(struct image_error *err, enum image_errno id, const char *file,
                const char *section, int64_t off, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/* Where a check reports to. */
struct where {
	const char *file;
	struct image_error *err;
};

#define IMAGE_FAIL(w, id, section, off, ...)                             \
	image_fail((w)->err, id, (w)->file, image_section_name[section], \
	           (int64_t)(off), __VA_ARGS__)

/* ---- parts ---- */

/* realloc that ends the program when memory is gone. */
void *image_alloc(void *old, size_t count, size_t size);

/* Room for one more element after n, in an array that grows by one. */
void *image_grow(void *array, int n, size_t size);

char *image_copy_name(const char *s);
void image_queues_free(struct image *img);

/* All rules that hold for an image wherever it came from. */
bool image_check(const struct image *img, const char *file,
                 struct image_error *err);

/* The part of image_check() that is about queues. */
bool image_check_queues(const struct image *img, const char *file,
                        struct image_error *err);
/* Printable, without blanks, 1 to max bytes. */
bool image_good_name(const char *s, size_t max);

/* An instance by its name, with its queue and its place in it. */
struct image_queue_name {
	const char *name;
	uint8_t queue, instance;
};

/* What the loader of bundles and that of descriptors share. */
struct image_loader {
	const struct image *img;
	const struct image_tensor **by_id; /* sorted */
	struct image_queue_name *names;    /* of all instances, sorted */
	struct image_error *err;
	/* Runs of bytes that may still be looked at one by one. */
	uint64_t budget;
	/* The bundle at hand: of an engine, or a descriptor (-1). */
	int engine;
	uint32_t pc;
};

/* Always false; the place is that of the bundle, with its source line where
 * it is known. */
bool image_load_fail(const struct image_loader *l, enum image_errno id, int off,
                     const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
const struct image_tensor *image_variable(const struct image_loader *l,
                                          uint32_t id);
/* A `dma` of a stream: both addresses; the machine judges the rest but for
 * sides that overlap. */
bool image_resolve_dma(struct image_loader *l, uint8_t *b);
/* All instances by name; to be freed. */
struct image_queue_name *image_queue_names(const struct image *img);
/* Numbers of queue and instance that a name means: an instance, or unless it
 * must be one, a queue with whichever instance is current (0xFF). */
bool image_find_queue(const struct image_loader *l, const char *name,
                      bool must_be_instance, uint8_t number[2]);
/* Tensors of the DGE table to addresses. */
bool image_resolve_dge(struct image_loader *l, struct image *img);
/* Descriptors to loaded form, then img->dma. */
bool image_resolve_queues(struct image_loader *l, struct image *img);

/* Last function that starts at or before pc and reaches it, or NULL. */
const struct image_symbol *image_function_at(const struct image *img,
                                             int engine, uint32_t pc);
/* Functions of that name on an engine: how many, and the first. */
int image_function_named(const struct image *img, int engine, const char *name,
                         const struct image_symbol **first);
void image_index_free(struct image *img);

/* ---- little-endian words of a byte array ---- */

static inline uint32_t image_get32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static inline uint64_t image_get64(const uint8_t *p)
{
	return image_get32(p) | (uint64_t)image_get32(p + 4) << 32;
}

static inline void image_put(uint8_t *p, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

#endif
