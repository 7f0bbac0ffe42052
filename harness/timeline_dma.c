/* SPDX-License-Identifier: Apache-2.0
 *
 * The DMA unit on the timeline; see timeline.h.
 *
 * Blocks of a queue end in the order of their pushes but overlap, and slices
 * of a track must nest: a block takes the first track of its queue that is
 * free.
 */
#include "harness/timeline_priv.h"

#include "harness/queue.h"

#include <stdio.h>
#include <string.h>

#define TID_QUEUE(q, lane) (1 + (q)*TPB_QUEUE_DEPTH + (lane))

static int free_track(struct dma_lane *l, struct trace *out,
                      const struct image *img, int q)
{
	int lane = 0;
	char name[64];

	while (lane < TPB_QUEUE_DEPTH - 1 && l->busy >> lane & 1)
		lane++;
	l->busy |= 1u << lane;
	if (!(l->named >> lane & 1)) {
		snprintf(name, sizeof(name), "queue %s", queue_name(img, q));
		if (lane)
			snprintf(name + strlen(name),
			         sizeof(name) - strlen(name), " (%d)",
			         lane + 1);
		trace_track(out, PID_DMA, TID_QUEUE(q, lane), name);
		l->named |= 1u << lane;
	}
	return lane;
}

static void add_block(struct dma_lane *l, struct trace *out,
                      const struct image *img, int q, struct dma_block b)
{
	if (l->n == TPB_QUEUE_DEPTH)
		return;
	b.lane = (uint8_t)free_track(l, out, img, q);
	l->block[l->n++] = b;
}

/* Blocks that were pushed before the first sampled cycle begin in it. */
static void start(struct timeline_dma *d, struct trace *out,
                  const struct image *img, uint64_t cycle,
                  const struct tpb_state *s)
{
	d->started = true;
	for (int q = 0; q < TPB_QUEUES; q++)
		for (uint32_t i = 0; i < s->q_busy[q] && s->q_blocks[q]; i++)
			add_block(
			    &d->queue[q], out, img, q,
			    (struct dma_block){.from = cycle,
			                       .index = (s->q_oldest[q] + i) %
			                                s->q_blocks[q],
			                       .inst = s->q_inst[q],
			                       .engine = s->q_owner[q]});
}

/* Triggers that have room push in this cycle. */
static void pushes(struct timeline_dma *d, struct trace *out,
                   const struct image *img, uint64_t cycle,
                   const struct tpb_state *s)
{
	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct tpb_engine_state *g = &s->engine[e];
		const uint8_t *b = (const uint8_t *)g->bundle;
		int q = b[0x0C];

		if (g->state != TPB_RUN_RUN || !g->x_valid ||
		    g->phase != TPB_PHASE_DMA || b[0] != TPB_OP_DMA_TRIGGER ||
		    q >= TPB_QUEUES || s->q_busy[q] >= TPB_QUEUE_DEPTH)
			continue;
		add_block(&d->queue[q], out, img, q,
		          (struct dma_block){.from = cycle,
		                             .index = s->q_cursor[q],
		                             .inst = s->q_inst[q],
		                             .engine = (uint8_t)e});
	}
}

/* The oldest block of a queue ends before `to`. */
static void end_block(struct timeline_dma *d, struct trace *out,
                      const struct image *img, int q, uint64_t to,
                      const char *end)
{
	struct dma_lane *l = &d->queue[q];
	struct dma_block *b = &l->block[0];
	char name[64], args[256] = "";

	if (!l->n)
		return;
	snprintf(name, sizeof(name), "%s block %u", queue_name(img, q),
	         (unsigned)b->index);
	trace_number(args, sizeof(args), "block", b->index);
	trace_number(args, sizeof(args), "instance", b->inst);
	trace_text(args, sizeof(args), "pushed_by",
	           isa_enum_text("engine", b->engine));
	if (*end)
		trace_text(args, sizeof(args), "end", end);
	trace_slice(out, PID_DMA, TID_QUEUE(q, b->lane), name, b->from, to,
	            args);
	l->busy &= ~(1u << b->lane);
	memmove(b, b + 1, (size_t)--l->n * sizeof(*b));
}

/* The descriptor at the mover is done with before `to`. */
static void end_descriptor(struct timeline_dma *d, struct trace *out,
                           const struct image *img, uint64_t to,
                           const struct tpb_state *s, const char *end)
{
	struct dma_lane *l = &d->queue[d->q];
	char name[64], text[512], args[640] = "";

	d->open = false;
	snprintf(name, sizeof(name), "%s descriptor %u", queue_name(img, d->q),
	         (unsigned)d->descriptor);
	trace_number(args, sizeof(args), "descriptor", d->descriptor);
	if (s->dm_state > TPB_MOVER_DESC)
		trace_text(args, sizeof(args), "text",
		           isa_dis((const uint8_t *)s->dm_desc, ISA_LOADED,
		                   NULL, text, sizeof(text)));
	if (*end)
		trace_text(args, sizeof(args), "end", end);
	trace_slice(out, PID_DMA, 0, name, d->from, to, args);
	/* Its block may have begun before the first sampled cycle. */
	if (l->n && l->block[0].from <= d->from)
		trace_slice(out, PID_DMA, TID_QUEUE(d->q, l->block[0].lane),
		            name, d->from, to, args);
}

void timeline_dma(struct timeline_dma *d, struct trace *out,
                  const struct image *img, uint64_t cycle,
                  const struct tpb_state *s)
{
	if (!d->started)
		start(d, out, img, cycle, s);
	pushes(d, out, img, cycle, s);
	if (s->dm_state == TPB_MOVER_BLOCK || s->dm_state == TPB_MOVER_FETCH) {
		if (!d->open) {
			d->open = true;
			d->from = cycle;
			d->q = s->dm_q & (TPB_QUEUES - 1);
			d->descriptor = s->q_desc[d->q];
		}
	} else if (d->open && s->dm_state == TPB_MOVER_CHECK && s->dm_bad) {
		end_descriptor(d, out, img, cycle + 1, s, "bad descriptor");
	} else if (d->open && s->dm_state == TPB_MOVER_POST) {
		end_descriptor(d, out, img, cycle + 1, s, "");
	} else if (s->dm_state == TPB_MOVER_DONE) {
		d->open = false; /* a block without descriptors */
		end_block(d, out, img, s->dm_q & (TPB_QUEUES - 1), cycle + 1,
		          "");
	}
}

void timeline_dma_end(struct timeline_dma *d, struct trace *out,
                      const struct image *img, uint64_t cycle,
                      const struct tpb_state *s)
{
	if (d->open)
		end_descriptor(d, out, img, cycle, s, "end of the timeline");
	for (int q = 0; q < TPB_QUEUES; q++)
		while (d->queue[q].n)
			end_block(d, out, img, q, cycle,
			          s->q_stop[q] ? "queue stopped"
			                       : "end of the timeline");
}
