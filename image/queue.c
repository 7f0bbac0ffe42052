/* SPDX-License-Identifier: Apache-2.0
 *
 * DMA queues of an image in memory: add, find, free.
 *
 * An addition goes to the last queue, instance or block; what has none to go
 * to is a defect of the caller.  image_check() judges what was added.
 */
#include "image/internal.h"

#include <assert.h>
#include <stdlib.h>

int image_add_queue(struct image *img, const char *name, uint8_t type,
                    int owner, const uint8_t *special, const uint8_t *normal)
{
	struct image_queue *q;

	img->queue = image_grow(img->queue, img->nqueues, sizeof(*img->queue));
	q = &img->queue[img->nqueues];
	*q = (struct image_queue){
	    .name = image_copy_name(name),
	    .type = type,
	    .owner = (uint8_t)owner,
	};
	if (special)
		memcpy(q->special, special, sizeof(q->special));
	if (normal)
		memcpy(q->normal, normal, sizeof(q->normal));
	return img->nqueues++;
}

int image_add_instance(struct image *img, const char *name)
{
	assert(img->nqueues > 0);
	img->queue[img->nqueues - 1].instances++;
	img->instance =
	    image_grow(img->instance, img->ninstances, sizeof(*img->instance));
	img->instance[img->ninstances] =
	    (struct image_instance){.name = image_copy_name(name)};
	return img->ninstances++;
}

int image_add_block(struct image *img, uint8_t mode, uint8_t id,
                    uint32_t operand)
{
	assert(img->ninstances > 0);
	img->instance[img->ninstances - 1].blocks++;
	img->block = image_grow(img->block, img->nblocks, sizeof(*img->block));
	img->block[img->nblocks] = (struct image_block){
	    .mode = mode,
	    .id = id,
	    .operand = operand,
	};
	return img->nblocks++;
}

int image_add_descriptor(struct image *img, const uint8_t *bundle)
{
	assert(img->nblocks > 0);
	img->block[img->nblocks - 1].descriptors++;
	img->descriptor = image_grow(img->descriptor, img->ndescriptors,
	                             sizeof(*img->descriptor));
	memcpy(img->descriptor[img->ndescriptors], bundle, TPB_BUNDLE);
	return img->ndescriptors++;
}

int image_add_dge(struct image *img, uint32_t id, uint64_t base, uint64_t size)
{
	img->dge = image_grow(img->dge, img->ndge, sizeof(*img->dge));
	img->dge[img->ndge] = (struct image_dge){
	    .id = id,
	    .base = base,
	    .size = size,
	};
	return img->ndge++;
}

void image_queues_free(struct image *img)
{
	for (int i = 0; i < img->nqueues; i++)
		free(img->queue[i].name);
	for (int i = 0; i < img->ninstances; i++)
		free(img->instance[i].name);
	free(img->queue);
	free(img->instance);
	free(img->block);
	free(img->descriptor);
	free(img->dge);
	free(img->dma.queue);
	free(img->dma.instance);
	free(img->dma.block);
	free(img->dma.descriptor);
	free(img->dma.dge);
}

/* ---- names ---- */

static int by_name(const void *a, const void *b)
{
	const struct image_queue_name *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct image_queue_name *image_queue_names(const struct image *img)
{
	struct image_queue_name *n =
	    image_alloc(NULL, (size_t)img->ninstances, sizeof(*n));
	int k = 0;

	for (int q = 0; q < img->nqueues; q++)
		for (uint32_t i = 0; i < img->queue[q].instances; i++, k++)
			n[k] = (struct image_queue_name){
			    .name = img->instance[k].name,
			    .queue = (uint8_t)q,
			    .instance = (uint8_t)i,
			};
	qsort(n, (size_t)k, sizeof(*n), by_name);
	return n;
}

bool image_find_queue(const struct image_loader *l, const char *name,
                      bool must_be_instance, uint8_t number[2])
{
	struct image_queue_name key = {.name = name}, *hit;

	hit = bsearch(&key, l->names, (size_t)l->img->ninstances, sizeof(key),
	              by_name);
	if (hit) {
		number[0] = hit->queue;
		number[1] = hit->instance;
		return true;
	}
	for (int q = 0; q < l->img->nqueues && !must_be_instance; q++)
		if (!strcmp(l->img->queue[q].name, name)) {
			number[0] = (uint8_t)q;
			number[1] = 0xFF;
			return true;
		}
	return false;
}
