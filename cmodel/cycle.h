/* SPDX-License-Identifier: Apache-2.0
 *
 * One cycle of the model, shared by its files.
 *
 * struct cycle lives for one tpb_step().  It says which engines do what in
 * this cycle; every decision in it is taken on the state at the start of
 * the cycle.  An engine's own registers are seen by that engine only, so
 * they change in place; what several engines see (bank, memories, fetch)
 * changes after all decisions, in the order of docs/reference/timing.md.
 *
 * Nothing here trusts the state: a planted fault may have put any value
 * into any field, so every index is masked or tested where it is used.
 */
#ifndef CMODEL_CYCLE_H
#define CMODEL_CYCLE_H

#include "cmodel/tpb.h"
#include "cmodel/vnum.h"

/* Entry of tpb.verdicts that has not been asked for yet. */
#define TPB_VERDICT_UNKNOWN 0xFF

/* Masks have one bit an engine, in port order, unless they say otherwise. */
struct cycle {
	uint8_t run;    /* in RUN at the start of the cycle */
	uint8_t bad;    /* bundle with a decode fault */
	uint8_t empty;  /* nothing in the issue stage */
	uint8_t alu;    /* in phase ALU */
	uint8_t req;    /* in phase REQ */
	uint8_t resp;   /* in phase RESP */
	uint8_t dma;    /* in phase DMA */
	uint8_t look;   /* waits for the look-up of its DMA queue */
	uint8_t vec;    /* in phase VEC; a bit a vector unit */
	uint8_t grant;  /* granted in this cycle */
	uint8_t retire; /* retires in this cycle */
	uint8_t jump;   /* ... to target[] */
	uint8_t exit;   /* ... and fetches no more */
	uint8_t post;   /* ... with the update in update[]; then the DMA unit */
	bool moved;     /* a memory granted a request or answered */
	uint32_t target[TPB_ENGINES];
	struct cycle_update {
		uint8_t mode, id;
		uint32_t value;
	} update[TPB_ENGINES + 1];
};

/* Byte and word +off of the bundle in the issue stage. */
static inline uint8_t cycle_byte(const struct tpb_engine_state *g, unsigned off)
{
	return (uint8_t)(g->bundle[off >> 2 & 15] >> (off & 3) * 8);
}

static inline uint32_t cycle_word(const struct tpb_engine_state *g,
                                  unsigned off)
{
	return g->bundle[off >> 2 & 15];
}

/* Register named by byte +off. */
static inline uint32_t *cycle_reg(struct tpb_engine_state *g, unsigned off)
{
	return &g->rf[cycle_byte(g, off) & (TPB_REGS - 1)];
}

/* Pair whose low register is id. */
static inline uint64_t cycle_pair(const struct tpb_engine_state *g, unsigned id)
{
	return g->rf[id & 63] | (uint64_t)g->rf[(id + 1) & 63] << 32;
}

static inline void cycle_set_pair(struct tpb_engine_state *g, unsigned id,
                                  uint64_t v)
{
	g->rf[id & 63] = (uint32_t)v;
	g->rf[(id + 1) & 63] = (uint32_t)(v >> 32);
}

/* The configuration of the 8-bit float formats as vnum.h takes it. */
static inline unsigned cycle_fp8(const struct tpb *t)
{
	return (t->cfg.fp8_ocp ? VNUM_FP8_OCP : 0) |
	       (t->cfg.fp8_saturate ? VNUM_FP8_SATURATE : 0) |
	       (t->cfg.fp8_nan_suppress ? VNUM_FP8_NAN_SUPPRESS : 0);
}

/* Number of the lowest engine of a mask that is not 0. */
static inline int cycle_first(unsigned mask)
{
	return __builtin_ctz(mask);
}

/* Something in the memory subsystem moves, or may move, in this cycle. */
static inline bool cycle_memory_busy(const struct tpb *t)
{
	const struct tpb_state *s = &t->s;

	return (s->sbuf_s1_valid | s->sbuf_rsp_valid | s->psum_s1_valid |
	        s->psum_rsp_valid | s->dreq_valid | s->dram_rsp_valid |
	        t->nanswers) != 0;
}

static inline void cycle_retire(struct cycle *c, int e)
{
	c->retire |= (uint8_t)(1u << e);
}

static inline void cycle_jump(struct cycle *c, int e, uint32_t target)
{
	c->jump |= (uint8_t)(1u << e);
	c->target[e] = target;
}

static inline void cycle_post(struct cycle *c, int e, uint8_t mode, uint8_t id,
                              uint32_t value)
{
	c->post |= (uint8_t)(1u << e);
	c->update[e] = (struct cycle_update){mode, id, value};
}

/* step.c, also for the fast path (run.c). */

/* The bundle at the fetch port enters the issue stage. */
void step_enter(struct tpb *t, int e);
/* The updates of the cycle. */
void step_bank(struct tpb *t, const struct cycle *c);

/* sync.c: which of the ready bundles that may join or claim are granted. */
unsigned sync_special(const struct tpb *t, unsigned ready);

/* seq.c: the grant cycle of a bundle. */
void seq_grant(struct tpb *t, struct cycle *c, int e);
/* The last cycle of a bundle that stayed longer than one. */
void seq_retire(const struct tpb *t, struct cycle *c, int e);

/* alu.c: both return true when the bundle retires in this cycle. */
bool alu_grant(struct tpb_engine_state *g);
bool alu_cycle(struct tpb_engine_state *g);

/* lsu.c */
enum lsu_memory { LSU_SBUF, LSU_PSUM, LSU_DRAM, LSU_NOWHERE };

/* Check one element; true when it is the last, so that the unit is ready. */
bool lsu_check(const struct tpb_config *cfg, struct tpb_engine_state *g);
/* Fault of the granted access, 0: none and the access has begun. */
int lsu_grant(const struct tpb_config *cfg, struct tpb_engine_state *g);
/* Address of the element that the engine is at, from lsu_base. */
uint64_t lsu_address(const struct tpb_engine_state *g);
/* Memory behind an address. */
enum lsu_memory lsu_memory(const struct tpb_config *cfg, uint64_t addr);
/* The element's write in the byte lanes of its word, and byte enables. */
uint64_t lsu_data(const struct tpb_engine_state *g, uint64_t addr,
                  uint8_t *mask);
/* The element's register(s) := its bytes of the answered word. */
void lsu_answer(struct tpb_engine_state *g, uint64_t word);
/* Done with an element; true when it was the last. */
bool lsu_next(struct tpb_engine_state *g);

/* memory.c: answers, pipelines, arbiters and the DRAM port. */
void memory_cycle(struct tpb *t, struct cycle *c);

/* bank.c: all on the running value of the bank. */
void bank_consume(struct tpb_state *s, uint8_t mode, uint8_t id);
void bank_wipe(struct tpb_state *s);
void bank_reset(struct tpb_state *s, const struct tpb_engine_state *g);
void bank_update(struct tpb_state *s, uint8_t mode, uint8_t id, uint32_t value);

#endif
