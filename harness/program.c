/* SPDX-License-Identifier: Apache-2.0
 *
 * A loaded image as the two sides take it; see program.h.
 */
#include "harness/program.h"

static struct tpb_dma_program dma_program(const struct image_dma *d)
{
	return (struct tpb_dma_program){
	    .queue = (const uint8_t(*)[TPB_DMA_QUEUE_SIZE])d->queue,
	    .instance = (const uint8_t(*)[TPB_DMA_INSTANCE_SIZE])d->instance,
	    .block = (const uint8_t(*)[TPB_DMA_BLOCK_SIZE])d->block,
	    .descriptor = (const uint8_t(*)[TPB_BUNDLE])d->descriptor,
	    .nqueues = d->nqueues,
	    .ninstances = d->ninstances,
	    .nblocks = d->nblocks,
	    .ndescriptors = d->ndescriptors};
}

void program_model(struct tpb_config *cfg, const struct image *img)
{
	cfg->gen = img->gen;
	cfg->rank = img->rank;
	cfg->fp8_ocp = img->fp8_ocp;
	cfg->fp8_saturate = img->fp8_saturate;
	cfg->fp8_nan_suppress = img->fp8_nan_suppress;
	cfg->dma = dma_program(&img->dma);
	for (int e = 0; e < TPB_ENGINES; e++)
		cfg->stream[e] = (struct tpb_stream){
		    .bundle =
		        (const uint8_t(*)[TPB_BUNDLE])img->stream[e].bundle,
		    .len = img->stream[e].len};
}

struct rtl_program program_rtl(const struct image *img)
{
	struct rtl_program p = {.rank = img->rank,
	                        .fp8 = (uint8_t)(img->fp8_ocp |
	                                         img->fp8_saturate << 1 |
	                                         img->fp8_nan_suppress << 2),
	                        .queues = (uint8_t)img->dma.nqueues};

	for (int e = 0; e < TPB_ENGINES; e++)
		p.len[e] = img->stream[e].len;
	return p;
}

void program_tensors(struct dram *d, const struct image *img)
{
	for (int i = 0; i < img->ntensors; i++) {
		const struct image_tensor *t = &img->tensor[i];

		if (t->init)
			dram_put(d, t->addr, t->init, t->size);
	}
}

static uint64_t port_read(void *ctx, uint64_t word)
{
	return dram_read(ctx, word);
}

static void port_write(void *ctx, uint64_t word, uint64_t data, uint8_t mask)
{
	dram_write(ctx, word, data, mask);
}

struct tpb_dram program_port(struct dram *d)
{
	return (struct tpb_dram){d, port_read, port_write};
}
