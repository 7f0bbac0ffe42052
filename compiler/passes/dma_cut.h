/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting a copy into descriptors.
 */
#ifndef PASSES_DMA_CUT_H
#define PASSES_DMA_CUT_H

#include "compiler/bir/bir_build.h"

/* What one DIRECT2D descriptor can say: on each side at most three pairs, the
 * last contiguous (step 1) and at most 64 KiB, the others at most 65535
 * times; every pair moves by whole partitions or inside one. */
struct dma_piece {
	struct bir_arg *src, *dst;
};

/* Pieces of a copy in stream order; both sides have the same number of
 * elements.  Returns how many, *out in the scratch arena. */
int dma_cut(struct bir_module *m, struct arena *scratch,
            const struct bir_arg *src, const struct bir_arg *dst,
            struct dma_piece **out);

#endif
