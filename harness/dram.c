/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse DRAM as a two-level table of 4 KiB pages; see dram.h.
 */
#include "harness/dram.h"

#include "harness/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_WORDS 512u
#define LEAF_PAGES 4096u
#define ROOT_LEAVES 4096u /* 2^12 * 2^12 pages of 2^9 words: 2^33 words */

struct page {
	uint64_t w[PAGE_WORDS];
	uint32_t number;
	struct page *next; /* of the used or of the free pages */
};

struct dram {
	struct page **leaf[ROOT_LEAVES];
	struct page *used, *spare;
	enum fill kind;
	uint64_t seed;
};

static void *need(void *p)
{
	if (!p) {
		fprintf(stderr, "tpb: error[MEM001]: DRAM: out of memory; "
		                "run a program that touches less\n");
		exit(2);
	}
	return p;
}

struct dram *dram_new(void)
{
	return calloc(1, sizeof(struct dram));
}

static void free_list(struct page *p)
{
	while (p) {
		struct page *next = p->next;
		free(p);
		p = next;
	}
}

void dram_free(struct dram *d)
{
	if (!d)
		return;
	for (unsigned i = 0; i < ROOT_LEAVES; i++)
		free(d->leaf[i]);
	free_list(d->used);
	free_list(d->spare);
	free(d);
}

void dram_clear(struct dram *d, enum fill kind, uint64_t seed)
{
	while (d->used) {
		struct page *p = d->used;
		d->leaf[p->number / LEAF_PAGES][p->number % LEAF_PAGES] = NULL;
		d->used = p->next;
		p->next = d->spare;
		d->spare = p;
	}
	d->kind = kind;
	d->seed = seed;
}

static struct page *find(const struct dram *d, uint64_t word)
{
	uint32_t n =
	    (uint32_t)(word / PAGE_WORDS) & (ROOT_LEAVES * LEAF_PAGES - 1);
	struct page **leaf = d->leaf[n / LEAF_PAGES];

	return leaf ? leaf[n % LEAF_PAGES] : NULL;
}

static struct page *find_or_make(struct dram *d, uint64_t word)
{
	uint32_t n =
	    (uint32_t)(word / PAGE_WORDS) & (ROOT_LEAVES * LEAF_PAGES - 1);
	struct page ***leaf = &d->leaf[n / LEAF_PAGES];
	struct page *p;

	if (!*leaf)
		*leaf = need(calloc(LEAF_PAGES, sizeof(**leaf)));
	p = (*leaf)[n % LEAF_PAGES];
	if (p)
		return p;
	p = d->spare;
	if (p)
		d->spare = p->next;
	else
		p = need(malloc(sizeof(*p)));
	fill_words(p->w, PAGE_WORDS, d->kind, d->seed,
	           (uint64_t)n * PAGE_WORDS * 8);
	p->number = n;
	p->next = d->used;
	d->used = p;
	(*leaf)[n % LEAF_PAGES] = p;
	return p;
}

void dram_copy(struct dram *to, const struct dram *from)
{
	dram_clear(to, from->kind, from->seed);
	for (const struct page *p = from->used; p; p = p->next)
		memcpy(find_or_make(to, (uint64_t)p->number * PAGE_WORDS)->w,
		       p->w, sizeof(p->w));
}

uint64_t dram_read(const struct dram *d, uint64_t word)
{
	const struct page *p = find(d, word);

	word &= (1ull << 33) - 1;
	return p ? p->w[word % PAGE_WORDS]
	         : fill_word(d->kind, d->seed, word * 8);
}

uint64_t dram_mask_bits(uint8_t mask)
{
	const uint64_t ones = 0x0101010101010101;
	/* Bit i of the mask in byte i, then in the lowest bit of that byte. */
	uint64_t apart = mask * ones & 0x8040201008040201;

	return ((apart + 0x7F * ones) >> 7 & ones) * 0xFF;
}

void dram_write(struct dram *d, uint64_t word, uint64_t data, uint8_t mask)
{
	uint64_t *w = &find_or_make(d, word)->w[word % PAGE_WORDS];
	uint64_t bits = dram_mask_bits(mask);

	*w = (*w & ~bits) | (data & bits);
}

void dram_put(struct dram *d, uint64_t addr, const void *buf, uint64_t size)
{
	const uint8_t *from = buf;

	while (size) {
		struct page *p = find_or_make(d, addr / 8);
		uint64_t at = addr % (PAGE_WORDS * 8);
		uint64_t n = PAGE_WORDS * 8 - at;

		n = n < size ? n : size;
		memcpy((uint8_t *)p->w + at, from, n);
		addr += n;
		from += n;
		size -= n;
	}
}

void dram_get(const struct dram *d, uint64_t addr, void *buf, uint64_t size)
{
	uint8_t *to = buf;

	while (size) {
		uint64_t w = dram_read(d, addr / 8);
		uint64_t n = 8 - addr % 8;

		n = n < size ? n : size;
		memcpy(to, (const uint8_t *)&w + addr % 8, n);
		addr += n;
		to += n;
		size -= n;
	}
}

static bool covered(const struct dram *a, const struct dram *b, uint64_t *word)
{
	for (const struct page *p = a->used; p; p = p->next) {
		uint64_t first = (uint64_t)p->number * PAGE_WORDS;

		for (uint64_t i = 0; i < PAGE_WORDS; i++)
			if (p->w[i] != dram_read(b, first + i)) {
				*word = first + i;
				return false;
			}
	}
	return true;
}

bool dram_equal(const struct dram *a, const struct dram *b, uint64_t *word)
{
	return covered(a, b, word) && covered(b, a, word);
}
