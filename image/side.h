/* SPDX-License-Identifier: Apache-2.0
 *
 * One side of a DMA descriptor: num[1] * num[0] runs of bytes at
 * base + i * step[0] + j * step[1], unified addresses.
 */
#ifndef IMAGE_SIDE_H
#define IMAGE_SIDE_H

#include <stdbool.h>
#include <stdint.h>

struct image_side {
	int64_t base, step[2];
	uint32_t num[2], bytes;
	uint8_t dtype;
};

/* From a legal descriptor in loaded form with a static address; name is
 * "src" or "dst". */
void image_side_get(struct image_side *s, const uint8_t *bundle,
                    const char *name);

/* Is every run inside of DRAM, or of one partition's bytes of SBUF or PSUM?
 * *budget is what may still be looked at run by run; true when it is used
 * up. */
bool image_side_backed(const struct image_side *s, int gen, uint64_t *budget);

/* Do two sides share a byte?  true for ranges that overlap when the budget
 * is used up. */
bool image_sides_overlap(const struct image_side *a, const struct image_side *b,
                         uint64_t *budget);

#endif
