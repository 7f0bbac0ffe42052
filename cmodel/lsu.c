/* SPDX-License-Identifier: Apache-2.0
 *
 * TensorLoad and TensorSave: the elements, their addresses and bytes.
 *
 * An access walks its elements twice: once while it waits for its grant,
 * checking each address, and once for the transfer.  Both walks use the
 * indices lsu_i0 (fast) and lsu_i1.  Facts: docs/reference/timing.md, "Load
 * and store".
 */
#include "cmodel/cycle.h"

#define LSU_ONCHIP (1ull << 36)    /* DRAM ends, the window begins */
#define LSU_SBUF_SIZE (1ull << 25) /* 128 partitions of 2^18 bytes */
#define LSU_SBUF_BYTE 0x3FFFFu     /* byte of a partition */
#define LSU_PSUM_SIZE 0x400000u    /* 128 partitions of 2^15 bytes */
#define LSU_PSUM_HOLE (1u << 14)   /* upper half has no RAM */

static bool lsu_is_save(const struct tpb_engine_state *g)
{
	return cycle_byte(g, 0) == TPB_OP_TENSOR_SAVE;
}

/* log2 of the bytes of an element; a tag that decode refuses counts as 1. */
static unsigned lsu_shift(const struct tpb_engine_state *g)
{
	static const uint8_t shift[16] = {
	    [TPB_DTYPE_INT16] = 1,   [TPB_DTYPE_UINT16] = 1,
	    [TPB_DTYPE_INT32] = 2,   [TPB_DTYPE_UINT32] = 2,
	    [TPB_DTYPE_FLOAT32] = 2, [TPB_DTYPE_UINT64] = 3,
	};

	return shift[cycle_byte(g, 0x0C) & 15];
}

/* Distance of the present element from the base. */
static uint64_t lsu_offset(const struct tpb_engine_state *g)
{
	uint64_t step0 = (uint64_t)(int64_t)(int32_t)cycle_word(g, 0x18);
	uint64_t step1 = (uint64_t)(int64_t)(int32_t)cycle_word(g, 0x1C);

	return (g->lsu_i0 * step0 + g->lsu_i1 * step1) << lsu_shift(g);
}

uint64_t lsu_address(const struct tpb_engine_state *g)
{
	return g->lsu_base + lsu_offset(g);
}

/* The base as the bundle gives it in this cycle. */
static uint64_t lsu_base(const struct tpb_engine_state *g)
{
	if (cycle_byte(g, 0x17) == TPB_MARKER_REG)
		return cycle_pair(g, cycle_byte(g, 0x10));
	return cycle_word(g, 0x10) | (uint64_t)(cycle_word(g, 0x14) & 0xFFFFFF)
	                                 << 32;
}

enum lsu_memory lsu_memory(const struct tpb_config *cfg, uint64_t addr)
{
	uint64_t off = addr - LSU_ONCHIP;

	if (addr < LSU_ONCHIP)
		return LSU_DRAM;
	if (off < LSU_SBUF_SIZE)
		return (off & LSU_SBUF_BYTE) < cfg->sbuf_part_bytes
		           ? LSU_SBUF
		           : LSU_NOWHERE;
	if (off - LSU_SBUF_SIZE < LSU_PSUM_SIZE && !(off & LSU_PSUM_HOLE))
		return LSU_PSUM;
	return LSU_NOWHERE;
}

/* Bit 0: misaligned, bit 1: no memory that this access may use. */
static uint8_t lsu_verdict(const struct tpb_config *cfg,
                           const struct tpb_engine_state *g)
{
	uint64_t addr = lsu_base(g) + lsu_offset(g);
	enum lsu_memory m = lsu_memory(cfg, addr);
	bool bad = m == LSU_NOWHERE;

	if (lsu_is_save(g))
		bad |= m == LSU_PSUM || (m == LSU_SBUF && cfg->gen == 2);
	return (uint8_t)((addr & ((1u << lsu_shift(g)) - 1)) != 0) |
	       (uint8_t)(bad << 1);
}

static bool lsu_at_last(const struct tpb_engine_state *g)
{
	return g->lsu_i0 + 1u >= cycle_byte(g, 0x0E) &&
	       g->lsu_i1 + 1u >= cycle_byte(g, 0x0F);
}

/* Next element, the fast index first. */
static void lsu_advance(struct tpb_engine_state *g)
{
	if (g->lsu_i0 + 1u < cycle_byte(g, 0x0E)) {
		g->lsu_i0 = (g->lsu_i0 + 1) & 31;
		return;
	}
	g->lsu_i0 = 0;
	g->lsu_i1 = (g->lsu_i1 + 1) & 31;
}

bool lsu_check(const struct tpb_config *cfg, struct tpb_engine_state *g)
{
	if (lsu_at_last(g))
		return true;
	g->lsu_bad |= lsu_verdict(cfg, g);
	lsu_advance(g);
	return false;
}

int lsu_grant(const struct tpb_config *cfg, struct tpb_engine_state *g)
{
	unsigned bad = g->lsu_bad | lsu_verdict(cfg, g);

	if (bad & 1)
		return TPB_FAULT_MISALIGNED;
	if (bad & 2)
		return TPB_FAULT_BAD_ADDR;
	g->lsu_base = lsu_base(g);
	g->lsu_i0 = 0;
	g->lsu_i1 = 0;
	g->lsu_bad = 0;
	g->phase = TPB_PHASE_REQ;
	return TPB_FAULT_NONE;
}

/* Register of the present element. */
static unsigned lsu_reg(const struct tpb_engine_state *g)
{
	unsigned n0 = cycle_byte(g, 0x0E);
	unsigned k = g->lsu_i1 * n0 + g->lsu_i0;

	return cycle_byte(g, 0x20 + (k & 31)) & 63;
}

uint64_t lsu_data(const struct tpb_engine_state *g, uint64_t addr,
                  uint8_t *mask)
{
	unsigned bytes = 1u << lsu_shift(g), lane = addr & 7;
	unsigned id = lsu_reg(g);
	uint64_t v = bytes == 8 ? cycle_pair(g, id) : g->rf[id];

	*mask = (uint8_t)(((1u << bytes) - 1) << lane);
	if (bytes < 8)
		v &= (1ull << 8 * bytes) - 1;
	return v << 8 * lane;
}

void lsu_answer(struct tpb_engine_state *g, uint64_t word)
{
	unsigned id = lsu_reg(g);
	uint64_t v = word >> 8 * (lsu_address(g) & 7);

	switch (cycle_byte(g, 0x0C)) {
	case TPB_DTYPE_UINT64: cycle_set_pair(g, id, v); break;
	case TPB_DTYPE_INT8: g->rf[id] = (uint32_t)(int8_t)v; break;
	case TPB_DTYPE_UINT8: g->rf[id] = (uint8_t)v; break;
	case TPB_DTYPE_INT16: g->rf[id] = (uint32_t)(int16_t)v; break;
	case TPB_DTYPE_UINT16: g->rf[id] = (uint16_t)v; break;
	default: g->rf[id] = (uint32_t)v; break;
	}
}

bool lsu_next(struct tpb_engine_state *g)
{
	if (!lsu_at_last(g)) {
		lsu_advance(g);
		g->phase = TPB_PHASE_REQ;
		return false;
	}
	g->lsu_i0 = 0;
	g->lsu_i1 = 0;
	g->phase = TPB_PHASE_ISSUE;
	return true;
}
