/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes that a side of a DMA descriptor names.
 *
 * Counts are up to 65,535 squared, so what can be told from the shape is not
 * enumerated: neighbouring runs are joined, steps of whole partitions do not
 * change the place inside of one.
 */
#include "image/side.h"
#include "image/internal.h"

#include <stdio.h>
#include <stdlib.h>

/* The shape without what does not matter: steps are positive, dimensions of
 * one run or of the same run again are gone; joined, runs that touch are
 * one. */
struct shape {
	int64_t base, step[2], bytes;
	uint64_t num[2];
};

static uint64_t get(const uint8_t *bundle, const char *side, const char *what)
{
	char name[24];
	int n = snprintf(name, sizeof(name), "%s%s", side, what);
	const struct isa_field *f =
	    isa_field_named(TPB_OP_DMA_DIRECT, ISA_LOADED, name, (size_t)n);

	return isa_get(bundle, f);
}

void image_side_get(struct image_side *s, const uint8_t *bundle,
                    const char *name)
{
	uint64_t bytes = get(bundle, name, "_bytes");

	s->base = (int64_t)(get(bundle, name, "") & 0xFFFFFFFFFFFFFFull);
	s->step[0] = (int64_t)get(bundle, name, "_step0");
	s->step[1] = (int64_t)get(bundle, name, "_step1");
	s->num[0] = (uint32_t)get(bundle, name, "_num0");
	s->num[1] = (uint32_t)get(bundle, name, "_num1");
	s->bytes = bytes ? (uint32_t)bytes : TPB_DMA_MAX_TRANSFER_GEN3;
	s->dtype = (uint8_t)get(bundle, name, "_dtype");
}

static struct shape shape_of(const struct image_side *s, bool join)
{
	struct shape h = {.base = s->base, .bytes = s->bytes, .num = {1, 1}};
	int n = 0;

	for (int d = 0; d < 2; d++) {
		int64_t step = s->step[d];
		uint64_t num = step ? s->num[d] : 1;

		if (num == 1)
			continue;
		if (step < 0) {
			h.base += step * (int64_t)(num - 1);
			step = -step;
		}
		if (join && n == 0 && step <= h.bytes) {
			h.bytes += step * (int64_t)(num - 1);
			continue;
		}
		h.step[n] = step;
		h.num[n++] = num;
	}
	return h;
}

static int64_t end_of(const struct shape *h)
{
	return h->base + h->step[0] * (int64_t)(h->num[0] - 1) +
	       h->step[1] * (int64_t)(h->num[1] - 1) + h->bytes;
}

static bool spend(uint64_t *budget, uint64_t n)
{
	if (n > *budget) {
		*budget = 0;
		return false;
	}
	*budget -= n;
	return true;
}

/* ---- backed ---- */

static uint64_t sbuf_bytes(int gen)
{
	return gen == 2   ? TPB_SBUF_BYTES_GEN2
	       : gen == 4 ? TPB_SBUF_BYTES_GEN4
	                  : TPB_SBUF_BYTES_GEN3;
}

/* Is a run inside of the first bytes of one partition? */
static bool run_on_chip(uint64_t at, uint64_t bytes, int gen)
{
	if (at >= TPB_PSUM_BASE_GEN3)
		return (at & (TPB_PSUM_STRIDE_GEN3 - 1)) + bytes <=
		       TPB_PSUM_BYTES_GEN3;
	return (at & (TPB_SBUF_STRIDE_GEN3 - 1)) + bytes <= sbuf_bytes(gen);
}

/* Runs of a shape that lies in the window of the on-chip memories; offsets
 * from its begin.  Steps of whole partitions need no second look, unless the
 * shape reaches from one memory into the other. */
static bool runs_on_chip(struct shape h, int64_t end, int gen, uint64_t *budget)
{
	const int64_t psum = TPB_PSUM_BASE_GEN3;
	bool both = h.base < psum && end > psum;
	int64_t low =
	    (h.base < psum ? TPB_SBUF_STRIDE_GEN3 : TPB_PSUM_STRIDE_GEN3) - 1;

	for (int d = 0; d < 2 && !both; d++)
		if ((h.step[d] & low) == 0)
			h.num[d] = 1;
	if (!spend(budget, h.num[0] * h.num[1]))
		return true;
	for (uint64_t j = 0; j < h.num[1]; j++)
		for (uint64_t i = 0; i < h.num[0]; i++) {
			uint64_t at = (uint64_t)h.base +
			              i * (uint64_t)h.step[0] +
			              j * (uint64_t)h.step[1];

			if (!run_on_chip(at, (uint64_t)h.bytes, gen))
				return false;
		}
	return true;
}

bool image_side_backed(const struct image_side *s, int gen, uint64_t *budget)
{
	const int64_t dram = (int64_t)IMAGE_DRAM_END;
	const int64_t chip = (int64_t)IMAGE_CHIP_BASE;
	const int64_t top = TPB_PSUM_BASE_GEN3 + TPB_PSUM_WINDOW_GEN3;
	struct shape h = shape_of(s, false);
	int64_t end = end_of(&h);

	if (h.base < 0)
		return false;
	if (end <= dram)
		return true;
	if (h.base < chip || end > chip + top)
		return false;
	h.base -= chip;
	return runs_on_chip(h, end - chip, gen, budget);
}

/* ---- overlap ---- */

static int by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* First of n sorted places above x. */
static uint64_t above(const int64_t *place, uint64_t n, int64_t x)
{
	uint64_t lo = 0, hi = n;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (place[mid] > x)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static int64_t place_of(const struct shape *h, uint64_t k)
{
	return h->base + (int64_t)(k % h->num[0]) * h->step[0] +
	       (int64_t)(k / h->num[0]) * h->step[1];
}

bool image_sides_overlap(const struct image_side *a, const struct image_side *b,
                         uint64_t *budget)
{
	struct shape x = shape_of(a, true), y = shape_of(b, true);
	uint64_t nx = x.num[0] * x.num[1], ny = y.num[0] * y.num[1];
	int64_t *place;
	bool hit = false;

	if (end_of(&x) <= y.base || end_of(&y) <= x.base)
		return false;
	if (!spend(budget, nx) || !spend(budget, ny))
		return true;
	place = image_alloc(NULL, nx, sizeof(*place));
	for (uint64_t k = 0; k < nx; k++)
		place[k] = place_of(&x, k);
	qsort(place, nx, sizeof(*place), by_value);
	for (uint64_t k = 0; k < ny && !hit; k++) {
		int64_t at = place_of(&y, k);
		uint64_t i = above(place, nx, at - x.bytes);

		hit = i < nx && place[i] < at + y.bytes;
	}
	free(place);
	return hit;
}
