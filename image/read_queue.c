/* SPDX-License-Identifier: Apache-2.0
 *
 * ELF to image, continued: queues, instances, blocks, descriptors, DGE table.
 *
 * The arrays nest by order, so the records are added level by level with
 * counts of their own; whether they add up is image_check()'s to say.
 */
#include "image/elf.h"

#define FAIL(r, id, section, off, ...)                                        \
	image_fail((r)->f.err, id, (r)->f.place, image_section_name[section], \
	           (int64_t)(off), __VA_ARGS__)

/* A section of whole records; a file of 4 GiB has fewer than 2^31 of them. */
static bool whole(struct image_reader *r, enum image_errno id, int section,
                  uint64_t size)
{
	const struct image_bytes *s = &r->f.sec[section];

	if (s->size % size != 0)
		return FAIL(r, id, section, -1,
		            "0x%llX bytes are no records of %llu; write the "
		            "image again",
		            (unsigned long long)s->size,
		            (unsigned long long)size);
	return true;
}

static bool read_queues(struct image_reader *r)
{
	const struct image_bytes *s = &r->f.sec[SEC_QUEUES];

	for (uint64_t at = 0; at < s->size; at += QUEUE_SIZE) {
		const uint8_t *p = s->data + at;
		const char *name;
		int i;

		if (p[QUEUE_ZERO] || p[QUEUE_ZERO + 1])
			return FAIL(r, IMG_QUEUE, SEC_QUEUES, at + QUEUE_ZERO,
			            "reserved bytes are not 0; write the image "
			            "again");
		name = image_name_at(r, image_get32(p + QUEUE_NAME), SEC_QUEUES,
		                     at);
		if (!name)
			return false;
		i = image_add_queue(r->img, name, p[QUEUE_TYPE], p[QUEUE_OWNER],
		                    p + QUEUE_SPECIAL, p + QUEUE_NORMAL);
		r->img->queue[i].instances = image_get32(p + QUEUE_INSTANCES);
	}
	return true;
}

static bool read_instances(struct image_reader *r)
{
	const struct image_bytes *s = &r->f.sec[SEC_INSTANCES];
	struct image *img = r->img;

	for (uint64_t at = 0; at < s->size; at += INSTANCE_SIZE) {
		const uint8_t *p = s->data + at;
		const char *name = image_name_at(
		    r, image_get32(p + INSTANCE_NAME), SEC_INSTANCES, at);

		if (!name)
			return false;
		img->instance = image_grow(img->instance, img->ninstances,
		                           sizeof(*img->instance));
		img->instance[img->ninstances++] = (struct image_instance){
		    .name = image_copy_name(name),
		    .blocks = image_get32(p + INSTANCE_BLOCKS),
		};
	}
	return true;
}

static bool read_blocks(struct image_reader *r)
{
	const struct image_bytes *s = &r->f.sec[SEC_BLOCKS];
	struct image *img = r->img;

	for (uint64_t at = 0; at < s->size; at += BLOCK_SIZE) {
		const uint8_t *p = s->data + at;

		if (p[BLOCK_ZERO] || p[BLOCK_ZERO + 1])
			return FAIL(r, IMG_BLOCK, SEC_BLOCKS, at + BLOCK_ZERO,
			            "reserved bytes are not 0; write the image "
			            "again");
		img->block =
		    image_grow(img->block, img->nblocks, sizeof(*img->block));
		img->block[img->nblocks++] = (struct image_block){
		    .descriptors = image_get32(p + BLOCK_DESCRIPTORS),
		    .mode = p[BLOCK_MODE],
		    .id = p[BLOCK_ID],
		    .operand = image_get32(p + BLOCK_OPERAND),
		};
	}
	return true;
}

static void read_descriptors(struct image_reader *r)
{
	const struct image_bytes *s = &r->f.sec[SEC_DESCRIPTORS];
	struct image *img = r->img;

	for (uint64_t at = 0; at < s->size; at += TPB_BUNDLE) {
		img->descriptor =
		    image_grow(img->descriptor, img->ndescriptors, TPB_BUNDLE);
		memcpy(img->descriptor[img->ndescriptors++], s->data + at,
		       TPB_BUNDLE);
	}
}

static bool read_dge(struct image_reader *r)
{
	const struct image_bytes *s = &r->f.sec[SEC_DGE];

	for (uint64_t at = 0; at < s->size; at += DGE_SIZE) {
		const uint8_t *p = s->data + at;

		if (image_get32(p + DGE_ZERO))
			return FAIL(r, IMG_DGE, SEC_DGE, at + DGE_ZERO,
			            "reserved bytes are not 0; write the image "
			            "again");
		image_add_dge(r->img, image_get32(p + DGE_ID),
		              image_get64(p + DGE_BASE),
		              image_get64(p + DGE_BYTES));
	}
	return true;
}

bool image_read_queues(struct image_reader *r)
{
	if (!whole(r, IMG_QUEUE, SEC_QUEUES, QUEUE_SIZE) ||
	    !whole(r, IMG_QUEUE, SEC_INSTANCES, INSTANCE_SIZE) ||
	    !whole(r, IMG_BLOCK, SEC_BLOCKS, BLOCK_SIZE) ||
	    !whole(r, IMG_BLOCK, SEC_DESCRIPTORS, TPB_BUNDLE) ||
	    !whole(r, IMG_DGE, SEC_DGE, DGE_SIZE))
		return false;
	if (!read_queues(r) || !read_instances(r) || !read_blocks(r))
		return false;
	read_descriptors(r);
	return read_dge(r);
}
