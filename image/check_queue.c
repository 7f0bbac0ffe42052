/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of an image, continued: queues, instances, blocks, DGE table.
 *
 * What a descriptor says is judged by the loader, which knows addresses.
 * Facts: the memory sheet's queues and DMA unit, and the names and numbers of
 * the sequencer sheet's loaded forms.
 */
#include "image/internal.h"

#include <stdlib.h>

/* ---- names ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* No two of n names are the same. */
static bool check_unique(const char **name, int n, int section,
                         const struct where *w)
{
	qsort(name, (size_t)n, sizeof(*name), by_text);
	for (int i = 1; i < n; i++)
		if (!strcmp(name[i - 1], name[i]))
			return IMAGE_FAIL(
			    w, IMG_SAME, section, -1,
			    "two records are named '%.40s'; rename one",
			    name[i]);
	return true;
}

static bool check_names(const struct image *img, const struct where *w)
{
	int n = img->ninstances > img->nqueues ? img->ninstances : img->nqueues;
	const char **name = image_alloc(NULL, (size_t)n, sizeof(*name));
	bool ok;

	for (int i = 0; i < img->nqueues; i++)
		name[i] = img->queue[i].name;
	ok = check_unique(name, img->nqueues, SEC_QUEUES, w);
	for (int i = 0; i < img->ninstances; i++)
		name[i] = img->instance[i].name;
	ok = ok && check_unique(name, img->ninstances, SEC_INSTANCES, w);
	free(name);
	return ok;
}

/* ---- records ---- */

static bool check_queue(const struct image_queue *q, uint64_t off,
                        const struct where *w)
{
	if (!image_good_name(q->name, IMAGE_QUEUE_MAX))
		return IMAGE_FAIL(w, IMG_STRING, SEC_QUEUES, off + QUEUE_NAME,
		                  "queue name is empty, longer than %u or not "
		                  "printable; rename it",
		                  IMAGE_QUEUE_MAX);
	if (q->type >= IMAGE_QUEUE_TYPES)
		return IMAGE_FAIL(w, IMG_QUEUE, SEC_QUEUES, off + QUEUE_TYPE,
		                  "queue '%.31s' has type %u; 0 to %u exist",
		                  q->name, q->type, IMAGE_QUEUE_TYPES - 1);
	if (q->owner >= TPB_ENGINES)
		return IMAGE_FAIL(
		    w, IMG_QUEUE, SEC_QUEUES, off + QUEUE_OWNER,
		    "queue '%.31s' belongs to engine %u; name one of "
		    "0 to %d",
		    q->name, q->owner, TPB_ENGINES - 1);
	if (q->instances < 1 || q->instances > IMAGE_INSTANCES_MAX)
		return IMAGE_FAIL(w, IMG_QUEUE, SEC_QUEUES,
		                  off + QUEUE_INSTANCES,
		                  "queue '%.31s' has %u instances; 1 to %u are "
		                  "allowed",
		                  q->name, q->instances, IMAGE_INSTANCES_MAX);
	return true;
}

/* A block posts once, with a value in its own record: no register form. */
static bool check_block(const struct image_block *b, uint64_t off,
                        const struct where *w)
{
	bool value = (b->mode & 0x0F) >= TPB_UPDATE_ADD_IMM;

	if (!isa_enum_text("update", b->mode) || b->mode & 0x80)
		return IMAGE_FAIL(
		    w, IMG_BLOCK, SEC_BLOCKS, off + BLOCK_MODE,
		    "update mode 0x%02X is not one of a block; use one "
		    "without a register",
		    b->mode);
	if (b->mode == TPB_UPDATE_NONE && b->id)
		return IMAGE_FAIL(
		    w, IMG_BLOCK, SEC_BLOCKS, off + BLOCK_ID,
		    "a block without an update names number %u; write "
		    "0",
		    b->id);
	if (!value && b->operand)
		return IMAGE_FAIL(
		    w, IMG_BLOCK, SEC_BLOCKS, off + BLOCK_OPERAND,
		    "update mode 0x%02X takes no operand, 0x%X is "
		    "given; write 0",
		    b->mode, b->operand);
	return true;
}

static bool check_dge(const struct image *img, int i, const struct where *w)
{
	const struct image_dge *d = &img->dge[i];
	uint64_t off = (uint64_t)i * DGE_SIZE;
	uint64_t end = d->base < IMAGE_DRAM_END
	                   ? IMAGE_DRAM_END
	                   : IMAGE_CHIP_BASE + IMAGE_CHIP_SIZE;

	if (d->id && (d->base || d->size))
		return IMAGE_FAIL(
		    w, IMG_DGE, SEC_DGE, off + DGE_BASE,
		    "entry %d names variable %u and a range; give one", i,
		    d->id);
	if (!d->id &&
	    (d->size == 0 || d->base >= end || d->size > end - d->base))
		return IMAGE_FAIL(
		    w, IMG_DGE, SEC_DGE, off + DGE_BASE,
		    "entry %d is 0x%llX bytes at 0x%llX; give a range "
		    "inside of DRAM or of the core's memories",
		    i, (unsigned long long)d->size,
		    (unsigned long long)d->base);
	return true;
}

/* The machine counts blocks and descriptors with 16 bits. */
static bool check_counts(const struct image *img, const struct where *w)
{
	for (int i = 0; i < img->ninstances; i++)
		if (img->instance[i].blocks > UINT16_MAX)
			return IMAGE_FAIL(w, IMG_QUEUE, SEC_INSTANCES,
			                  (uint64_t)i * INSTANCE_SIZE +
			                      INSTANCE_BLOCKS,
			                  "%u blocks in an instance, 65535 are "
			                  "possible; use another",
			                  img->instance[i].blocks);
	for (int i = 0; i < img->nblocks; i++)
		if (img->block[i].descriptors > UINT16_MAX)
			return IMAGE_FAIL(
			    w, IMG_BLOCK, SEC_BLOCKS,
			    (uint64_t)i * BLOCK_SIZE + BLOCK_DESCRIPTORS,
			    "%u descriptors in a block, 65535 are "
			    "possible; use another",
			    img->block[i].descriptors);
	return true;
}

/* The counts of each level are those of the level below. */
static bool check_nesting(const struct image *img, const struct where *w)
{
	uint64_t instances = 0, blocks = 0, descriptors = 0;

	for (int i = 0; i < img->nqueues; i++)
		instances += img->queue[i].instances;
	for (int i = 0; i < img->ninstances; i++)
		blocks += img->instance[i].blocks;
	for (int i = 0; i < img->nblocks; i++)
		descriptors += img->block[i].descriptors;
	if (instances != (uint64_t)img->ninstances)
		return IMAGE_FAIL(
		    w, IMG_QUEUE, SEC_QUEUES, -1,
		    "queues have %llu instances, there are %d; write "
		    "the image again",
		    (unsigned long long)instances, img->ninstances);
	if (blocks != (uint64_t)img->nblocks)
		return IMAGE_FAIL(
		    w, IMG_QUEUE, SEC_INSTANCES, -1,
		    "instances have %llu blocks, there are %d; write "
		    "the image again",
		    (unsigned long long)blocks, img->nblocks);
	if (descriptors != (uint64_t)img->ndescriptors)
		return IMAGE_FAIL(w, IMG_BLOCK, SEC_BLOCKS, -1,
		                  "blocks have %llu descriptors, there are %d; "
		                  "write the image again",
		                  (unsigned long long)descriptors,
		                  img->ndescriptors);
	return true;
}

bool image_check_queues(const struct image *img, const char *file,
                        struct image_error *err)
{
	struct where w = {.file = file, .err = err};

	if (img->nqueues > TPB_DMA_QUEUES_GEN3)
		return IMAGE_FAIL(&w, IMG_QUEUE, SEC_QUEUES, -1,
		                  "%d queues, the machine has %d; merge some",
		                  img->nqueues, TPB_DMA_QUEUES_GEN3);
	if (img->ndge > TPB_DGE_ENTRIES_GEN3)
		return IMAGE_FAIL(&w, IMG_DGE, SEC_DGE, -1,
		                  "%d entries, the table has %d; remove some",
		                  img->ndge, TPB_DGE_ENTRIES_GEN3);
	for (int i = 0; i < img->nqueues; i++)
		if (!check_queue(&img->queue[i], (uint64_t)i * QUEUE_SIZE, &w))
			return false;
	for (int i = 0; i < img->ninstances; i++)
		if (!image_good_name(img->instance[i].name, IMAGE_QUEUE_MAX))
			return IMAGE_FAIL(
			    &w, IMG_STRING, SEC_INSTANCES,
			    (uint64_t)i * INSTANCE_SIZE,
			    "instance name is empty, longer than %u or "
			    "not printable; rename it",
			    IMAGE_QUEUE_MAX);
	for (int i = 0; i < img->nblocks; i++)
		if (!check_block(&img->block[i], (uint64_t)i * BLOCK_SIZE, &w))
			return false;
	for (int i = 0; i < img->ndge; i++)
		if (!check_dge(img, i, &w))
			return false;
	return check_counts(img, &w) && check_nesting(img, &w) &&
	       check_names(img, &w);
}
