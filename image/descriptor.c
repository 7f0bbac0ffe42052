/* SPDX-License-Identifier: Apache-2.0
 *
 * The loader, continued: addresses of DMA descriptors, and what the DMA unit
 * is given.
 *
 * A descriptor of a queue is static, so all that the unit would refuse is
 * refused here, where there is a name for it, and the overlap of its sides
 * that the unit does not look for is too.  Runs are looked at one by one only
 * while the loader's budget lasts; past it the unit's own check of addresses
 * stands, and sides whose ranges overlap are refused unseen.  Facts: the
 * memory sheet's DIRECT2D and DMA unit; PSUM is a side like SBUF, as the
 * copies between all three memories need it.
 */
#include "image/internal.h"
#include "image/side.h"

#include <stdlib.h>

/* ---- addresses ---- */

static const struct isa_field *field(const char *name)
{
	return isa_field_named(TPB_OP_DMA_DIRECT, ISA_LOADED, name,
	                       strlen(name));
}

/* Where a variable, 0: the core's memories, and an offset lead. */
static bool static_address(const struct image_loader *l, uint32_t id,
                           uint32_t offset, int at, uint64_t *addr)
{
	const struct image_tensor *t;

	if (id == 0) {
		*addr = IMAGE_CHIP_BASE + offset;
		if (offset < IMAGE_CHIP_SIZE)
			return true;
		return image_load_fail(l, IMG_OFFSET, at,
		                       "on-chip address 0x%X has more than 29 "
		                       "bits; name a place in SBUF or PSUM",
		                       offset);
	}
	t = image_variable(l, id);
	if (!t)
		return image_load_fail(l, IMG_NO_VARIABLE, at + 4,
		                       "no tensor has id %u; declare it", id);
	*addr = t->addr + offset;
	if (offset < t->size)
		return true;
	return image_load_fail(l, IMG_OFFSET, at,
	                       "offset 0x%X is outside of tensor '%.40s' of "
	                       "0x%llX bytes; stay inside",
	                       offset, t->name, (unsigned long long)t->size);
}

/* One side; every other mode is that of the machine. */
static bool resolve_side(const struct image_loader *l, uint8_t *b, int at)
{
	uint32_t offset = image_get32(b + at);
	uint32_t id = image_get32(b + at + 4) & 0xFFFFFF;
	uint64_t addr = 0;

	switch (b[at + 7]) {
	case TPB_ADDR8_STATIC:
		if (!static_address(l, id, offset, at, &addr))
			return false;
		break;
	case TPB_ADDR8_TABLE:
		if (id >= (uint32_t)l->img->ndge)
			return image_load_fail(l, IMG_DGE, at + 4,
			                       "the DGE table has no entry %u; "
			                       "add it",
			                       id);
		if (offset >= l->img->dge[id].size)
			return image_load_fail(
			    l, IMG_OFFSET, at,
			    "offset 0x%X is outside of entry %u of the DGE "
			    "table; stay inside",
			    offset, id);
		addr = l->img->dge[id].base + offset;
		break;
	default: return true;
	}
	image_put(b + at, addr, 7);
	b[at + 7] = TPB_ADDR8_UNIFIED;
	return true;
}

static bool resolve_sides(const struct image_loader *l, uint8_t *b)
{
	return resolve_side(l, b, field("src")->off) &&
	       resolve_side(l, b, field("dst")->off);
}

static bool is_static(const uint8_t *b)
{
	return b[field("src")->off + 7] == TPB_ADDR8_UNIFIED &&
	       b[field("dst")->off + 7] == TPB_ADDR8_UNIFIED;
}

/* ---- one descriptor ---- */

static bool check_alias(struct image_loader *l, const struct image_side *src,
                        const struct image_side *dst)
{
	if (!image_sides_overlap(src, dst, &l->budget))
		return true;
	return image_load_fail(l, IMG_ALIAS, 0,
	                       "source and destination share bytes; copy "
	                       "through another place");
}

bool image_resolve_dma(struct image_loader *l, uint8_t *b)
{
	struct isa_verdict v;
	struct image_side src, dst;

	if (!resolve_sides(l, b))
		return false;
	if (!isa_check(b, ISA_LOADED, l->img->gen, &v) || !is_static(b))
		return true;
	image_side_get(&src, b, "src");
	image_side_get(&dst, b, "dst");
	return check_alias(l, &src, &dst);
}

static bool check_side(struct image_loader *l, const struct image_side *s,
                       const uint8_t *b, const char *name)
{
	int at = field(name)->off;
	unsigned size = (unsigned)isa_dtype_size(s->dtype);

	if (b[field("src_dtype")->off] != b[field("dst_dtype")->off] &&
	    (s->base % size || (uint64_t)s->step[0] % size ||
	     (uint64_t)s->step[1] % size || s->bytes % size))
		return image_load_fail(l, IMG_DESC, at,
		                       "%s converts elements of %u bytes, its "
		                       "address, steps and size must be "
		                       "multiples; align them",
		                       name, size);
	if (!image_side_backed(s, l->img->gen, &l->budget))
		return image_load_fail(l, IMG_UNBACKED, at,
		                       "%s leaves its memory or its partition; "
		                       "correct address, steps or counts",
		                       name);
	return true;
}

static bool resolve_descriptor(struct image_loader *l, uint8_t *b)
{
	static const uint8_t head[12] = {TPB_OP_DMA_DIRECT, 0x10};
	struct image_side src, dst;
	struct isa_verdict v;

	if (memcmp(b, head, sizeof(head)))
		return image_load_fail(
		    l, IMG_DESC, 0,
		    "a descriptor is a dma bundle without "
		    "wait and update; correct bytes 0 to 11");
	if (!resolve_sides(l, b))
		return false;
	if (!isa_check(b, ISA_LOADED, l->img->gen, &v))
		return image_load_fail(l, IMG_DESC, v.off < 0 ? 0 : v.off,
		                       "%.96s; correct the descriptor",
		                       v.reason);
	if (!is_static(b) || isa_get(b, field("src_limit_on")) ||
	    isa_get(b, field("dst_limit_on")))
		return image_load_fail(l, IMG_DESC, 0,
		                       "a descriptor of a queue reads no "
		                       "registers; use a dma instruction");
	image_side_get(&src, b, "src");
	image_side_get(&dst, b, "dst");
	return check_side(l, &src, b, "src") && check_side(l, &dst, b, "dst") &&
	       check_alias(l, &src, &dst);
}

bool image_resolve_dge(struct image_loader *l, struct image *img)
{
	for (int i = 0; i < img->ndge; i++) {
		struct image_dge *d = &img->dge[i];
		const struct image_tensor *t;

		if (d->id == 0)
			continue;
		t = image_variable(l, d->id);
		if (!t)
			return image_fail(
			    l->err, IMG_NO_VARIABLE, img->name,
			    image_section_name[SEC_DGE], (int64_t)i * DGE_SIZE,
			    "no tensor has id %u; declare it", d->id);
		*d = (struct image_dge){.base = t->addr, .size = t->size};
	}
	return true;
}

/* ---- what the unit is given ---- */

static void pack_queues(const struct image *img, struct image_dma *d)
{
	uint32_t first = 0;

	for (int i = 0; i < img->nqueues; i++) {
		const struct image_queue *q = &img->queue[i];
		uint8_t *p = d->queue[i];

		memset(p, 0, IMAGE_QUEUE_SIZE);
		image_put(p, first, 4);
		image_put(p + 0x04, q->instances, 4);
		p[0x08] = q->type;
		p[0x09] = q->owner;
		memcpy(p + 0x20, q->special, sizeof(q->special));
		memcpy(p + 0x40, q->normal, sizeof(q->normal));
		first += q->instances;
	}
	first = 0;
	for (int i = 0; i < img->ninstances; i++) {
		image_put(d->instance[i], first, 4);
		image_put(d->instance[i] + 4, img->instance[i].blocks, 4);
		first += img->instance[i].blocks;
	}
}

static void pack_blocks(const struct image *img, struct image_dma *d)
{
	uint32_t first = 0;

	for (int i = 0; i < img->nblocks; i++) {
		const struct image_block *b = &img->block[i];
		uint8_t *p = d->block[i];

		image_put(p, first, 4);
		image_put(p + 0x04, b->descriptors, 4);
		image_put(p + 0x08, b->mode, 1);
		image_put(p + 0x09, b->id, 1);
		image_put(p + 0x0A, 0, 2);
		image_put(p + 0x0C, b->operand, 4);
		first += b->descriptors;
	}
	for (int i = 0; i < img->ndge; i++) {
		image_put(d->dge[i], img->dge[i].base, 8);
		image_put(d->dge[i] + 8, img->dge[i].size, 8);
	}
}

static void pack(struct image *img)
{
	struct image_dma *d = &img->dma;

	d->nqueues = (uint32_t)img->nqueues;
	d->ninstances = (uint32_t)img->ninstances;
	d->nblocks = (uint32_t)img->nblocks;
	d->ndescriptors = (uint32_t)img->ndescriptors;
	d->ndge = (uint32_t)img->ndge;
	d->queue = image_alloc(d->queue, d->nqueues, sizeof(*d->queue));
	d->instance =
	    image_alloc(d->instance, d->ninstances, sizeof(*d->instance));
	d->block = image_alloc(d->block, d->nblocks, sizeof(*d->block));
	d->descriptor =
	    image_alloc(d->descriptor, d->ndescriptors, sizeof(*d->descriptor));
	d->dge = image_alloc(d->dge, d->ndge, sizeof(*d->dge));
	pack_queues(img, d);
	pack_blocks(img, d);
	if (d->ndescriptors)
		memcpy(d->descriptor, img->descriptor,
		       (size_t)d->ndescriptors * IMAGE_DESC_SIZE);
}

bool image_resolve_queues(struct image_loader *l, struct image *img)
{
	l->engine = -1;
	for (int i = 0; i < img->ndescriptors && !img->loaded; i++) {
		l->pc = (uint32_t)i;
		if (!resolve_descriptor(l, img->descriptor[i]))
			return false;
	}
	pack(img);
	return true;
}
