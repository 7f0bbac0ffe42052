/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside coverage: how its files read a bundle in the issue stage.
 *
 *   coverage.c       a watched cycle: waits, grants, edges, transfers
 *   coverage_ops.c   what a retiring bundle is, and the one before it
 *   coverage_vec.c   what a retiring vector bundle is
 *   coverage_unit.c  hazards and ports of the vector units
 *   coverage_dma.c   queues and descriptors
 *   coverage_end.c   how a run ended
 *   coverage_list.c  the list of bins
 */
#ifndef HARNESS_COVERAGE_PRIV_H
#define HARNESS_COVERAGE_PRIV_H

#include "harness/coverage.h"

#define SBUF (1ull << 36)
#define PSUM (SBUF + 0x2000000)
#define PSUM_WINDOW 0x400000u

typedef const struct tpb_engine_state engine_t;

static inline uint8_t byte(engine_t *q, int off)
{
	return (uint8_t)(q->bundle[off >> 2] >> (off & 3) * 8);
}

static inline uint32_t word(engine_t *q, int off)
{
	return q->bundle[off >> 2];
}

static inline int memory_of(uint64_t addr)
{
	return addr < SBUF ? 2 : addr < PSUM ? 0 : 1;
}

static inline uint64_t operand(engine_t *q, int off, bool wide)
{
	int r = byte(q, off) & 63;

	return q->rf[r] | (wide ? (uint64_t)q->rf[(r + 1) & 63] << 32 : 0);
}

struct wait {
	uint8_t mode, id;
	uint32_t value;
};

static inline struct wait wait_of(engine_t *q, int lane)
{
	int at = lane ? 0x20 : 4, value = lane ? 0x24 : 8;

	if (lane && byte(q, 0) != TPB_OP_EVENT_SEMAPHORE)
		return (struct wait){0, 0, 0};
	return (struct wait){byte(q, at), byte(q, at + 1), word(q, value)};
}

static inline struct wait update_of(engine_t *q)
{
	if (byte(q, 0) == TPB_OP_EVENT_SEMAPHORE && byte(q, 0x22))
		return (struct wait){byte(q, 0x22), byte(q, 0x23),
		                     word(q, 0x28)};
	return (struct wait){byte(q, 6), byte(q, 7), word(q, 8)};
}

/* coverage.c */

/* Does a wait lane hold? */
bool coverage_holds(const struct tpb_state *s, engine_t *q, struct wait w);

/* coverage_ops.c */

void coverage_payload(struct coverage_watch *w, engine_t *q, int e);
/* Registers that it reads and the bundle before wrote; then its own. */
void coverage_registers(struct coverage_watch *w, engine_t *q, int e);

/* coverage_vec.c: a bundle of POOL or DVE that retires. */
void coverage_vector(struct coverage_watch *w, const struct tpb_state *s,
                     int e);

/* coverage_unit.c: the units in the state in which a cycle begins. */
void coverage_units(struct coverage_watch *w, const struct tpb_state *s);

/* coverage_dma.c */

/* The DMA unit in that state. */
void coverage_dma(struct coverage_watch *w, const struct tpb_state *s);
/* A bundle that retires, and one that is not granted. */
void coverage_queue_op(struct coverage_watch *w, const struct tpb_state *s,
                       int e);
void coverage_queue_wait(struct coverage_watch *w, const struct tpb_state *s,
                         int e);
/* Has the engine a queue with unfinished blocks? */
bool coverage_undrained(const struct tpb_state *s, int e);

#endif
