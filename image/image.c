/* SPDX-License-Identifier: Apache-2.0
 *
 * An image in memory: make, grow, free.
 *
 * Nothing is judged here; image_check() states what must hold before an
 * image is written or after it was read.  Arrays without a stored capacity
 * grow when their length is a power of two.
 */
#include "image/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *const image_section_name[SEC_COUNT] = {
    ".text.PE",       ".text.ACT",   ".text.POOL",       ".text.DVE",
    ".text.SP",       ".tpb.meta",   ".tpb.tensors",     ".tpb.data",
    ".tpb.ranks",     ".tpb.files",  ".tpb.lines",       ".tpb.queues",
    ".tpb.instances", ".tpb.blocks", ".tpb.descriptors", ".tpb.dge",
    ".symtab",        ".strtab"};

bool image_fail(struct image_error *err, enum image_errno id, const char *file,
                const char *section, int64_t off, const char *fmt, ...)
{
	va_list ap;

	snprintf(err->id, sizeof(err->id), "IMG%03u", (unsigned)id % 1000u);
	if (!section)
		snprintf(err->place, sizeof(err->place), "%.150s", file);
	else if (off < 0)
		snprintf(err->place, sizeof(err->place), "%.120s:%.32s", file,
		         section);
	else
		snprintf(err->place, sizeof(err->place), "%.100s:%.32s+0x%llX",
		         file, section, (unsigned long long)off);
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return false;
}

/* Sizes are bounded by the file that asked for them, so a refusal means a
 * machine without memory, not a bad image. */
void *image_alloc(void *old, size_t count, size_t size)
{
	void *p = reallocarray(old, count ? count : 1, size);

	if (!p) {
		fprintf(stderr, "tpb: error[IMG050]: image: out of memory; "
		                "free some and try again\n");
		exit(2);
	}
	return p;
}

char *image_copy_name(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(image_alloc(NULL, n, 1), s, n);
}

void *image_grow(void *array, int n, size_t size)
{
	size_t count = (size_t)n;

	if (count & (count - 1))
		return array;
	return image_alloc(array, count ? 2 * count : 1, size);
}

struct image *image_new(const char *name)
{
	struct image *img = image_alloc(NULL, 1, sizeof(*img));

	*img = (struct image){
	    .name = image_copy_name(name), .gen = 3, .fp8_saturate = true};
	return img;
}

void image_free(struct image *img)
{
	if (!img)
		return;
	for (int e = 0; e < TPB_ENGINES; e++) {
		free(img->stream[e].bundle);
		free(img->stream[e].line);
	}
	for (int i = 0; i < img->nsymbols; i++)
		free(img->symbol[i].name);
	for (int i = 0; i < img->ntensors; i++) {
		free(img->tensor[i].name);
		free(img->tensor[i].init);
	}
	for (int i = 0; i < img->nranks; i++)
		free(img->rank_table[i].ranks);
	for (int i = 0; i < img->nfiles; i++)
		free(img->file[i]);
	image_index_free(img);
	image_queues_free(img);
	free(img->symbol);
	free(img->tensor);
	free(img->rank_table);
	free(img->file);
	free(img->name);
	free(img);
}

uint32_t image_emit(struct image *img, int engine, const uint8_t *bundle,
                    uint16_t file, uint32_t line)
{
	struct image_stream *s = &img->stream[engine];

	if (s->len == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 16;
		s->bundle = image_alloc(s->bundle, s->cap, TPB_BUNDLE);
		if (s->line || !s->len)
			s->line =
			    image_alloc(s->line, s->cap, sizeof(*s->line));
	}
	memcpy(s->bundle[s->len], bundle, TPB_BUNDLE);
	if (s->line)
		s->line[s->len] =
		    (struct image_line){.line = line, .file = file};
	return s->len++;
}

int image_add_file(struct image *img, const char *name)
{
	img->file = image_grow(img->file, img->nfiles, sizeof(*img->file));
	img->file[img->nfiles] = image_copy_name(name);
	return img->nfiles++;
}

void image_add_symbol(struct image *img, const char *name, int engine,
                      uint32_t pc, bool function, bool keep_sems)
{
	img->symbol =
	    image_grow(img->symbol, img->nsymbols, sizeof(*img->symbol));
	img->symbol[img->nsymbols++] = (struct image_symbol){
	    .name = image_copy_name(name),
	    .engine = (uint8_t)engine,
	    .function = function,
	    .keep_sems = keep_sems,
	    .pc = pc,
	};
}

/* Lowest multiple of 8 from IMAGE_DRAM_BASE up where size bytes are free.
 * Tensors usually come in rising order: one round finds the place. */
static uint64_t free_place(const struct image *img, uint64_t size)
{
	uint64_t at = IMAGE_DRAM_BASE;
	bool moved = true;

	while (moved) {
		moved = false;
		for (int i = 0; i < img->ntensors; i++) {
			const struct image_tensor *t = &img->tensor[i];
			uint64_t end = t->addr + t->size;

			if (t->addr < at + size && at < end) {
				at = (end + 7) & ~7ull;
				moved = true;
			}
		}
	}
	return at;
}

int image_add_tensor(struct image *img, const char *name, uint32_t id,
                     uint64_t addr, uint64_t size, const void *init,
                     bool output)
{
	struct image_tensor *t;

	img->tensor =
	    image_grow(img->tensor, img->ntensors, sizeof(*img->tensor));
	t = &img->tensor[img->ntensors];
	*t = (struct image_tensor){
	    .name = image_copy_name(name),
	    .id = id,
	    .addr = addr ? addr : free_place(img, size),
	    .size = size,
	    .output = output,
	};
	if (init) {
		t->init = image_alloc(NULL, size, 1);
		memcpy(t->init, init, size);
	}
	return img->ntensors++;
}

/* Grown by one each time: also the assembler may have grown it so. */
void image_add_rank(struct image *img, uint32_t core, uint32_t group,
                    uint32_t iterations, uint32_t channels,
                    const uint32_t *ranks)
{
	size_t n = (size_t)iterations * channels;
	uint32_t *copy = image_alloc(NULL, n, sizeof(*ranks));

	if (n)
		memcpy(copy, ranks, n * sizeof(*ranks));
	img->rank_table = image_alloc(img->rank_table, (size_t)img->nranks + 1,
	                              sizeof(*img->rank_table));
	img->rank_table[img->nranks++] = (struct image_rank){
	    .core = core,
	    .group = group,
	    .iterations = iterations,
	    .channels = channels,
	    .ranks = copy,
	};
}
