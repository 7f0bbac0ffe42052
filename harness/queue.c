/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a DMA queue stands; see queue.h.
 */
#include "harness/queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a descriptor: the semaphore that it posts to, and how much. */
enum { DESC_SEM = 0x0D, DESC_ADD = 0x0E };

static uint32_t word_at(const uint8_t *record, int at)
{
	uint32_t w;

	memcpy(&w, record + at, 4);
	return w;
}

static bool known(const struct image *img, int q)
{
	return q >= 0 && q < img->nqueues && (uint32_t)q < img->dma.nqueues;
}

const char *queue_name(const struct image *img, int q)
{
	return known(img, q) ? img->queue[q].name : "?";
}

int queue_owner(const struct image *img, int q)
{
	return known(img, q) ? img->queue[q].owner : -1;
}

bool queue_block(const struct image *img, uint64_t i, struct queue_block *b)
{
	const uint8_t *r;

	if (i >= img->dma.nblocks)
		return false;
	r = img->dma.block[i];
	b->first = word_at(r, 0);
	b->n = word_at(r, 4);
	b->mode = r[8];
	b->id = r[9];
	return b->first <= img->dma.ndescriptors &&
	       b->n <= img->dma.ndescriptors - b->first;
}

uint32_t queue_blocks(const struct image *img, int q, uint32_t *first)
{
	uint32_t i, n, end;

	if (!known(img, q))
		return 0;
	i = word_at(img->dma.queue[q], 0);
	n = word_at(img->dma.queue[q], 4);
	if (!n || i >= img->dma.ninstances || n > img->dma.ninstances - i)
		return 0;
	*first = word_at(img->dma.instance[i], 0);
	end = word_at(img->dma.instance[i + n - 1], 0) +
	      word_at(img->dma.instance[i + n - 1], 4);
	return end - *first;
}

int queue_desc_post(const struct image *img, uint32_t descriptor)
{
	const uint8_t *d;

	if (descriptor >= img->dma.ndescriptors)
		return -1;
	d = img->dma.descriptor[descriptor];
	return d[DESC_ADD] ? d[DESC_SEM] : -1;
}

/* The oldest unfinished block. */
static bool oldest(const struct image *img, const struct tpb_state *s, int q,
                   struct queue_block *b)
{
	return s->q_known[q] && s->q_busy[q] &&
	       queue_block(img, (uint64_t)s->q_first[q] + s->q_oldest[q], b);
}

int64_t queue_descriptor(const struct image *img, const struct tpb_state *s,
                         int q)
{
	struct queue_block b;

	if (!oldest(img, s, q, &b) || s->q_desc[q] >= b.n)
		return -1;
	return (int64_t)b.first + s->q_desc[q];
}

const char *queue_place(const struct image *img, const struct tpb_state *s,
                        int q, char *buf, size_t size)
{
	struct queue_block b;
	char why[32] = "";

	if (!s->q_known[q] || !s->q_busy[q]) {
		snprintf(buf, size, "idle%s%s",
		         s->q_known[q] ? "" : ", never used",
		         s->q_stop[q] ? ", stopped" : "");
		return buf;
	}
	if (!oldest(img, s, q, &b))
		b.n = 0;
	if (s->q_stop[q] && s->dma_fault && s->dma_fault_q == q)
		snprintf(why, sizeof(why), " (%s)",
		         isa_enum_text("fault", s->dma_fault));
	snprintf(buf, size,
	         "%s block %d of %d, descriptor %d of %" PRIu32
	         "%s; %d unfinished",
	         s->q_stop[q] ? "stopped in" : "at", s->q_oldest[q],
	         s->q_blocks[q], s->q_desc[q], b.n, why, s->q_busy[q]);
	return buf;
}
