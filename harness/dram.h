/* SPDX-License-Identifier: Apache-2.0
 *
 * One side's DRAM: 2^36 bytes, of which only touched pages exist.
 *
 * A byte that nothing has written reads as the fill.  Addresses of words
 * count 8-byte words and are taken modulo 2^33; byte ranges must lie below
 * 2^36.
 */
#ifndef HARNESS_DRAM_H
#define HARNESS_DRAM_H

#include "harness/lockstep.h"

#include <stdbool.h>
#include <stdint.h>

struct dram;

struct dram *dram_new(void);
void dram_free(struct dram *d);

/* Forget everything and set the fill. */
void dram_clear(struct dram *d, enum fill kind, uint64_t seed);

/* Make the one equal to the other. */
void dram_copy(struct dram *to, const struct dram *from);

uint64_t dram_read(const struct dram *d, uint64_t word);
/* Mask bit i enables byte i.  Out of memory ends the program. */
void dram_write(struct dram *d, uint64_t word, uint64_t data, uint8_t mask);

/* Bytes, at any address. */
void dram_put(struct dram *d, uint64_t addr, const void *buf, uint64_t size);
void dram_get(const struct dram *d, uint64_t addr, void *buf, uint64_t size);

/* True when equal everywhere; else *word is a word that differs: the lowest
 * of the first page found. */
bool dram_equal(const struct dram *a, const struct dram *b, uint64_t *word);

/* Spread a byte mask over the bits of a word. */
uint64_t dram_mask_bits(uint8_t mask);

#endif
