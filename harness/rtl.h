/* SPDX-License-Identifier: Apache-2.0
 *
 * The verilated core behind a C interface.  rtl.cpp, its implementation, is
 * the only C++ of the project besides the SystemC platform.
 */
#ifndef HARNESS_RTL_H
#define HARNESS_RTL_H

#include "isa/state.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rtl;

/* The static inputs of a run. */
struct rtl_program {
	uint32_t len[TPB_ENGINES]; /* bundles of the streams */
	uint32_t rank;
	uint8_t fp8;    /* bit 0 OCP, 1 saturate, 2 suppress NaN */
	uint8_t queues; /* DMA queues */
};

/* A write of 8 bytes on chip that takes effect at the end of the cycle. */
struct rtl_mon {
	bool valid;
	uint8_t mask;
	uint64_t addr, data; /* unified byte address */
};

/* What the core drives, valid between two edges. */
struct rtl_out {
	uint8_t fetch_en;      /* a bit an engine */
	uint8_t grant, retire; /* likewise, for reports and waves */
	uint32_t fetch_pc[TPB_ENGINES];
	bool dram_valid, dram_we;
	uint8_t dram_id, dram_mask;
	uint64_t dram_addr, dram_data; /* 8-byte word address */
	bool dprog_en;                 /* asks for a DMA record */
	uint8_t dprog_sel;             /* queue, instance, block, descriptor */
	uint32_t dprog_idx;
	struct rtl_mon mon[2]; /* SBUF, PSUM */
	uint8_t row;           /* row writes of the units, a bit a unit */
};

/* What it sees at the next edge. */
struct rtl_in {
	const uint8_t *fetch_data[TPB_ENGINES]; /* new answer, NULL: hold */
	const uint8_t *dprog_data;              /* new answer, NULL: hold */
	uint32_t dprog_bytes;                   /* at most 96 */
	bool dram_ready, dram_rvalid;
	uint8_t dram_rid;
	uint64_t dram_rdata;
};

/* NULL when out of memory. */
struct rtl *rtl_new(const struct rtl_program *program);
void rtl_free(struct rtl *r);

/* Change the program of an existing core; a reset must follow. */
void rtl_load(struct rtl *r, const struct rtl_program *program);
/* One clock with reset asserted, then released.  Registers without reset
 * keep what they have. */
void rtl_reset(struct rtl *r);

/* Stand in the middle of a run: after the caller has written all fields and
 * memories, and with the answers that the ports hold, let the logic behind
 * them settle.  No clock edge. */
void rtl_settle(struct rtl *r, const struct rtl_in *in);
/* Put a word at the output of the RAM of SBUF or PSUM, in a lane. */
void rtl_ram_word(struct rtl *r, bool psum, unsigned lane, uint64_t word);

/* Outputs of the present cycle. */
void rtl_outputs(struct rtl *r, struct rtl_out *out);
/* The closing edge of the present cycle. */
void rtl_edge(struct rtl *r, const struct rtl_in *in);

/* Storage of a field of the state table; elements lie contiguous. */
void *rtl_field(struct rtl *r, int field);
/* 0 when every field equals the model's: the fast check of each cycle. */
uint64_t rtl_differs(const struct rtl *r, const struct tpb_state *s);
/* Elements that rtl_differs looks at, counted from the core's own storage
 * and not from the table's count column. */
int rtl_nelements(void);

/* Words of SBUF and PSUM, row-major as in the model (tpb_sbuf_word). */
uint64_t *rtl_sbuf(struct rtl *r);
uint64_t *rtl_psum(struct rtl *r);
/* Accumulators and match slots of DVE, by partition as in the model. */
uint32_t *rtl_vacc(struct rtl *r);
uint32_t *rtl_vmatch(struct rtl *r);
/* Build parameters of the core. */
uint32_t rtl_sbuf_part_bytes(void);
int rtl_gen(void);

#ifdef __cplusplus
}
#endif
#endif
