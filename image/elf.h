/* SPDX-License-Identifier: Apache-2.0
 *
 * The ELF container of an image, between elf.c and read.c.
 */
#ifndef IMAGE_ELF_H
#define IMAGE_ELF_H

#include "image/internal.h"

#include <libelf.h>

/* A section: its header and its bytes, which lie inside of the file. */
struct image_bytes {
	bool present;
	size_t number;
	const uint8_t *data;
	uint64_t size;
	Elf64_Shdr head;
};

struct image_elf {
	/* Set by the caller; the bytes are libelf's to change. */
	const uint8_t *bytes;
	size_t size;
	const char *place;
	struct image_error *err;
	/* Set by image_elf_open(). */
	Elf *elf;
	size_t nsections;
	struct image_bytes names; /* of the sections */
	struct image_bytes sec[SEC_COUNT];
};

/* Fill sec[]; false with *err filled.  Close in both cases: what sec[] points
 * to are the caller's bytes. */
bool image_elf_open(struct image_elf *f);
void image_elf_close(struct image_elf *f);

/* NUL-terminated text at an offset of a section, or NULL. */
const char *image_text_at(const struct image_bytes *s, uint64_t off);

struct image_reader {
	struct image_elf f;
	uint64_t budget; /* bytes of names that may still be read */
	struct image *img;
};

/* Name in .strtab, which counts against the budget; NULL with an error at
 * section+at. */
const char *image_name_at(struct image_reader *r, uint32_t off, int section,
                          uint64_t at);
/* The sections of queues, blocks, descriptors and the DGE table. */
bool image_read_queues(struct image_reader *r);

#endif
