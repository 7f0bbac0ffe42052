/* SPDX-License-Identifier: Apache-2.0
 *
 * The C reference model: one struct, one step.
 *
 * Built from docs/reference/decode.md and docs/reference/timing.md.  It is
 * bit exact and cycle exact: after n calls of tpb_step() every field of
 * `s` equals the verilated core after n clock edges.
 */
#ifndef CMODEL_TPB_H
#define CMODEL_TPB_H

#include "isa/isa.h"
#include "isa/state.h"

#include <stdbool.h>
#include <stdint.h>

/* Loaded form of one engine's stream; not owned by the model. */
struct tpb_stream {
	const uint8_t (*bundle)[TPB_BUNDLE]; /* len bundles of 64 bytes */
	uint32_t len;                        /* 0: engine is absent */
};

/* What the DMA unit is given: packed little-endian records as
 * docs/reference/image.md has them; not owned by the model. */
enum {
	TPB_DMA_QUEUE_SIZE = 96,
	TPB_DMA_INSTANCE_SIZE = 8,
	TPB_DMA_BLOCK_SIZE = 16
};

struct tpb_dma_program {
	const uint8_t (*queue)[TPB_DMA_QUEUE_SIZE];
	const uint8_t (*instance)[TPB_DMA_INSTANCE_SIZE];
	const uint8_t (*block)[TPB_DMA_BLOCK_SIZE];
	const uint8_t (*descriptor)[TPB_BUNDLE];
	uint32_t nqueues, ninstances, nblocks, ndescriptors;
};

struct tpb_config {
	int gen;                  /* 2, 3 or 4 */
	uint32_t sbuf_part_bytes; /* backed bytes a partition, multiple of 8 */
	uint32_t rank;            /* what GetGlobalRankId delivers */
	/* Configuration of the datapaths (docs/reference/numerics.md). */
	bool fp8_ocp, fp8_saturate, fp8_nan_suppress;
	struct tpb_stream stream[TPB_ENGINES];
	struct tpb_dma_program dma;
};

/* DRAM bytes live behind these; addr counts 8-byte words.  Never fail:
 * unallocated storage reads as the fill.  mask bit i enables byte i. */
struct tpb_dram {
	void *ctx;
	uint64_t (*read)(void *ctx, uint64_t word);
	void (*write)(void *ctx, uint64_t word, uint64_t data, uint8_t mask);
};

/* A write to memory that took effect at the end of the last step. */
struct tpb_write {
	uint64_t addr; /* unified byte address, multiple of 8 */
	uint64_t data; /* bytes outside the mask are 0 */
	uint8_t mask;
};

/* A row write of a vector unit that took effect at the end of the last step:
 * lane j writes `size` bytes of data[j] at addr + j partitions. */
struct tpb_row_write {
	bool valid;
	uint64_t addr;  /* unified byte address of lane 0 of the pass */
	uint8_t size;   /* 1, 2 or 4 */
	uint32_t en[4]; /* lanes, bit (j & 31) of word j >> 5 */
	uint32_t data[TPB_LANES];
};

/* A request at the program port of the DMA unit, answered in the next step. */
struct tpb_dprog {
	uint32_t index;
	uint8_t sel; /* array: 0 queue, 1 instance, 2 block, 3 descriptor */
	bool valid;
};

/* Answers of DRAM reads on their way: slot i arrives i + 1 steps later. */
struct tpb_answer {
	uint64_t data;
	uint8_t id;
	bool valid;
};

struct tpb {
	struct tpb_state s;
	struct tpb_config cfg;
	struct tpb_dram dram;
	bool dram_ready; /* the port's ready in the coming step */

	uint64_t *sbuf; /* [row][lane], see tpb_sbuf_word */
	uint64_t *psum; /* likewise, 2048 words a partition */

	/* RAMs of DVE by partition: accumulators, match slots. */
	uint32_t vacc[TPB_PARTITIONS];
	uint32_t vmatch[TPB_PARTITIONS][8];
	/* What the vector units derive from their bundles: speed only. */
	struct vec_unit *unit;
	/* Words on their way out of SBUF and PSUM to a load. */
	uint64_t ram_word[2];

	struct tpb_answer answer[TPB_DRAM_LATENCY]; /* not compared: the port */
	int nanswers;                               /* valid ones of them */
	struct tpb_dprog dprog; /* of the last step; not compared: the port */

	/* Decode verdicts of the streams, filled at first use: speed only.
	 * tpb_reset() empties them, so cfg.stream may change before a reset
	 * and never between two. */
	struct tpb_verdicts {
		uint8_t *code;
		uint32_t len; /* entries of code, 0 when there is none */
	} verdicts[TPB_ENGINES];

	/* What the last step did, for the harness; not machine state. */
	uint64_t cycle;           /* steps since reset */
	uint8_t granted, retired; /* a bit an engine */
	int nwrites;
	struct tpb_write write[4];
	struct tpb_row_write row[TPB_VECS];
};

/* Make a model; memories and state zero.  NULL when out of memory. */
struct tpb *tpb_new(const struct tpb_config *cfg);
void tpb_free(struct tpb *t);

/* Give every field its reset value (KEEP fields stay) and restart the
 * cycle count.  Memories are left alone. */
void tpb_reset(struct tpb *t);

/* Advance one clock. */
void tpb_step(struct tpb *t);

/* True when the run has ended (timing.md, "End of a run"). */
bool tpb_done(const struct tpb *t);

/* Decode verdict (group fault) of a loaded bundle in the stream of an engine;
 * eos: index past the end. */
int tpb_decode(const struct tpb_config *cfg, int engine, const uint8_t *bundle,
               bool eos);

/* The scalar ALU as a function of values, w = 32 or 64: result modulo 2^w,
 * flag bits (group of alu_flags) OR-ed into *flags. */
uint64_t tpb_alu(uint8_t op, bool is_signed, int w, uint64_t a, uint64_t b,
                 uint8_t *flags);

/* Index into sbuf[] of partition 0..127 and byte of partition (rounded down
 * to a word); row-major as the RAM of the RTL, so that the lanes of a row lie
 * side by side: lane = partition % TPB_LANES,
 * row = (partition / TPB_LANES) * words_per_partition + byte / 8,
 * index = row * TPB_LANES + lane. */
size_t tpb_sbuf_word(const struct tpb *t, int partition, uint32_t byte);
size_t tpb_psum_word(int partition, uint32_t byte);
/* Words in each array. */
size_t tpb_sbuf_words(const struct tpb *t);
size_t tpb_psum_words(void);

#endif
