/* SPDX-License-Identifier: Apache-2.0
 *
 * The DMA unit, as the model's other files see it.
 *
 * dma.c has the queues, the look-up of a queue at its first use and the
 * bundles that drive queues; mover.c has the mover, which takes one
 * descriptor after the other.  Both work on the fields q_*, dl_* and dm_* of
 * the state; nothing else is kept but the request at the program port.
 * Facts: docs/reference/dma.md, whose names are used.
 *
 * As everywhere, a planted fault may have put any value into any field.
 */
#ifndef CMODEL_DMA_H
#define CMODEL_DMA_H

#include "cmodel/cycle.h"

#include <string.h>

#define DMA_CLIENT TPB_ENGINES /* requester of memories, poster: after SP */
#define DMA_QUEUE_MASK (TPB_QUEUES - 1)

/* The unit has no block unfinished, stopped ones included, and looks nothing
 * up: without a queue bundle at an engine it does nothing in this cycle. */
static inline bool dma_rests(const struct tpb_state *s)
{
	uint64_t busy[TPB_QUEUES / 8];

	_Static_assert(sizeof(busy) == sizeof(s->q_busy), "a byte a queue");
	memcpy(busy, s->q_busy, sizeof(busy));
	return (busy[0] | busy[1] | s->dm_state | s->dl_state) == 0;
}

/* Does the unit have a say in when a bundle with this opcode is granted?
 * 0xA1, 0xA2 and 0xC1 to 0xDF; few of them are loop bodies. */
static inline bool dma_gates(uint8_t op)
{
	return (uint8_t)(op - TPB_OP_HALT) < 2 ||
	       (uint8_t)(op - TPB_OP_DMA_TRIGGER) < 0x1F;
}

enum { DMA_READY = 1, DMA_LOOKUP = 4 };

/* DMA_READY: as far as the unit is concerned the bundle can be granted.
 * DMA_LOOKUP: its queue must be looked up first. */
unsigned dma_ready(const struct tpb *t, const struct tpb_engine_state *g);
/* Run-time fault of a granted queue bundle. */
int dma_fault(const struct tpb *t, const struct tpb_engine_state *g);
/* Grant of one without fault; true when it retires in this cycle. */
bool dma_grant(struct tpb *t, struct tpb_engine_state *g);

/* Bit q: queue q has a block for the mover. */
unsigned dma_pending(const struct tpb_state *s);

/* The unit's cycle, except what depends on memories: engines in phase DMA,
 * look-up, mover.  mover: dm_state at the start of the cycle. */
void dma_cycle(struct tpb *t, struct cycle *c, uint8_t mover);

/* ------------------------------------------------------------------ *
 * The program port.                                                  *
 * ------------------------------------------------------------------ */

enum dma_array { DMA_QUEUES, DMA_INSTANCES, DMA_BLOCKS, DMA_DESCRIPTORS };

/* The record that the port delivers in this cycle; zeros when another array,
 * or an index past the end, was asked for. */
const uint8_t *dma_record(const struct tpb *t, enum dma_array sel);
/* Ask for a record; false when somebody before has the port. */
bool dma_ask(struct tpb_dprog *next, enum dma_array sel, uint32_t index);

static inline uint32_t dma_word(const uint8_t *record, unsigned off)
{
	const uint8_t *b = record + off;

	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
	       (uint32_t)b[3] << 24;
}

/* The block after block i of n. */
static inline uint16_t dma_next_block(uint16_t i, uint16_t n)
{
	return i + 1u == n ? 0 : (uint16_t)(i + 1u);
}

/* ------------------------------------------------------------------ *
 * The mover, mover.c.                                                *
 * ------------------------------------------------------------------ */

/* One step of it in a state other than MOVE. */
void mover_cycle(struct tpb *t, struct cycle *c, uint8_t state,
                 struct tpb_dprog *next);

/* What the mover asks of a memory: addr lies in the word, data and mask are
 * in byte lanes, both 0 for a read. */
struct mover_access {
	uint64_t addr, data;
	uint8_t mask;
	bool write;
};

/* Fill ask[m] for each memory m (enum lsu_memory) that the mover asks in this
 * cycle; returns these m as a mask.  Call it before anything of the cycle
 * changes; answers and grants may then come in any order. */
unsigned mover_asks(const struct tpb *t, struct mover_access ask[LSU_NOWHERE]);
/* The access was granted. */
void mover_grant(struct tpb *t, const struct mover_access *a);
/* The word of the oldest read is there. */
void mover_answer(struct tpb *t, uint64_t word);

#endif
