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

/* What the core drives, valid between two edges. */
struct rtl_out {
	uint8_t fetch_en;      /* a bit an engine */
	uint8_t grant, retire; /* likewise, for reports and waves */
	uint32_t fetch_pc[TPB_ENGINES];
	bool dram_valid, dram_we;
	uint8_t dram_id, dram_mask;
	uint64_t dram_addr, dram_data; /* 8-byte word address */
	bool mon_valid;                /* an on-chip write takes effect */
	uint8_t mon_mask;
	uint64_t mon_addr, mon_data; /* unified byte address */
};

/* What it sees at the next edge. */
struct rtl_in {
	const uint8_t *fetch_data[TPB_ENGINES]; /* new answer, NULL: hold */
	bool dram_ready, dram_rvalid;
	uint8_t dram_rid;
	uint64_t dram_rdata;
	bool post_valid;
	uint8_t post_mode, post_id;
	uint32_t post_value;
};

/* Stream lengths and rank are static inputs. NULL when out of memory. */
struct rtl *rtl_new(const uint32_t len[TPB_ENGINES], uint32_t rank);
void rtl_free(struct rtl *r);

/* Change the program of an existing core; a reset must follow. */
void rtl_program(struct rtl *r, const uint32_t len[TPB_ENGINES], uint32_t rank);
/* One clock with reset asserted, then released.  Registers without reset
 * keep what rtl_set gave them. */
void rtl_reset(struct rtl *r);

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

/* Words of an SBUF or PSUM lane bank (0..31), lane-major as in the model. */
uint64_t *rtl_sbuf(struct rtl *r, int lane);
uint64_t *rtl_psum(struct rtl *r, int lane);
/* Build parameters of the core. */
uint32_t rtl_sbuf_part_bytes(void);
int rtl_gen(void);

#ifdef __cplusplus
}
#endif
#endif
