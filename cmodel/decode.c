/* SPDX-License-Identifier: Apache-2.0
 *
 * The decode verdict of a loaded bundle: docs/reference/decode.md.
 *
 * Here are the rules of the sequencer's ops and those of every bundle.
 */
#include "cmodel/decode.h"
#include "cmodel/vec.h"

#include <endian.h>
#include <string.h>

#define DECODE_CORES 1u

/* Bytes first..last as a map; empty when last < first. */
static uint64_t decode_bytes(unsigned first, unsigned last)
{
	uint64_t upto = last >= 63 ? UINT64_MAX : (1ull << (last + 1)) - 1;

	return first > 63 ? 0 : upto & ~((1ull << first) - 1);
}

#define B(x) DECODE_BYTE(x)
#define R(first, last) DECODE_RANGE(first, last)

/* Payload bytes that an op names, by opcode - 0xA0; bit 0 marks a built op
 * (byte 0 is never payload). */
static const uint64_t decode_named[64] = {
    [0x00] = 1 | R(0x20, 0x2C),
    [0x01] = 1,
    [0x02] = 1 | B(0x28),
    [0x04] = 1,
    [0x07] = 1 | R(0x0C, 0x0E) | R(0x10, 0x1F) | R(0x20, 0x3F),
    [0x08] = 1 | R(0x0C, 0x15) | R(0x18, 0x1F),
    [0x09] = 1 | R(0x0C, 0x0E) | R(0x10, 0x13) | R(0x20, 0x21) | R(0x30, 0x37),
    [0x0A] = 1 | R(0x0C, 0x3F),
    [0x0B] = 1 | R(0x0C, 0x3F),
    [0x10] = 1 | R(0x0C, 0x0E) | R(0x20, 0x3F),
    [0x21] = 1 | R(0x0C, 0x0D) | B(0x2F) | R(0x30, 0x33),
    [0x22] = 1 | R(0x0C, 0x0D) | B(0x2F),
    [0x2F] = 1 | R(0x0C, 0x0D) | B(0x2F) | B(0x3B) | R(0x3C, 0x3F),
    [0x32] = 1 | B(0x0C),
    [0x33] = 1 | R(0x2F, 0x3B),
    [0x35] = 1,
    [0x38] = 1 | R(0x0C, 0x13) | R(0x20, 0x33),
    [0x3B] = 1 | B(0x0C) | B(0x0E) | B(0x10) | B(0x12) | R(0x14, 0x15) |
             R(0x18, 0x1B) | B(0x2F),
    [0x3C] = 1 | B(0x0C) | B(0x17),
    [0x3D] = 1 | B(0x0C) | R(0x30, 0x37),
    [0x3E] = 1 | R(0x0C, 0x10),
    [0x3F] = 1 | B(0x0C),
};
#undef B
#undef R

/* ------------------------------------------------------------------ *
 * Rules.                                                             *
 * ------------------------------------------------------------------ */

static void decode_zero(struct decode *d, unsigned first, unsigned last)
{
	decode_if(d, (d->nonzero & decode_bytes(first, last)) != 0,
	          TPB_FAULT_RESERVED);
}

static void decode_reg(struct decode *d, unsigned off)
{
	decode_if(d, d->b[off] >= TPB_REGS, TPB_FAULT_BAD_REG);
}

static void decode_pair(struct decode *d, unsigned off)
{
	decode_if(d, d->b[off] >= TPB_REGS || (d->b[off] & 1) != 0,
	          TPB_FAULT_BAD_REG);
}

/* Value is not one of the bits of `set`. */
static bool decode_outside(unsigned value, uint32_t set)
{
	return value >= 32 || !(set >> value & 1);
}

/* 00, 01..07, 0E, 0F, 81..85 */
static bool decode_bad_wait(uint8_t mode)
{
	if (mode & 0x80)
		return decode_outside(mode & 0x7Fu, 0x0000003E);
	return decode_outside(mode, 0x0000C0FF);
}

/* 00; 01..05, 07, 09 and with bit 4; 85, 87, 89 and with bit 4 */
static bool decode_bad_update(uint8_t mode)
{
	if (mode & 0x80)
		return decode_outside(mode & 0x7Fu, 0x02A002A0);
	return decode_outside(mode, 0x02BE02BF);
}

/* A legal mode that takes its value from a register. */
static bool decode_wait_reg(uint8_t mode)
{
	return (mode & 0x80) && !decode_bad_wait(mode);
}

static bool decode_update_reg(uint8_t mode)
{
	return (mode & 0x80) && !decode_bad_update(mode);
}

static void decode_sync(struct decode *d)
{
	uint8_t wait = d->b[4], update = d->b[6], op = d->b[0];
	uint32_t dword = decode_word(d, 8);
	bool join = op == TPB_OP_BARRIER || op == TPB_OP_RETURN ||
	            op == TPB_OP_CORE_BARRIER || op == TPB_OP_EXIT;
	bool consumes =
	    wait == TPB_WAIT_EVT_SET_CLR || wait == TPB_WAIT_EVT_CLR_SET;

	decode_if(d, decode_bad_wait(wait), TPB_FAULT_BAD_FIELD);
	decode_if(d, decode_bad_update(update), TPB_FAULT_BAD_FIELD);
	if (wait == 0)
		decode_zero(d, 5, 5);
	if (update == 0)
		decode_zero(d, 7, 7);
	if (wait == 0 && update == 0)
		decode_zero(d, 8, 11);
	decode_if(d,
	          dword >= TPB_REGS &&
	              (decode_wait_reg(wait) || decode_update_reg(update)),
	          TPB_FAULT_BAD_REG);
	decode_if(d, join && consumes, TPB_FAULT_BAD_FIELD);
}

/* ------------------------------------------------------------------ *
 * Per opcode.                                                        *
 * ------------------------------------------------------------------ */

static void decode_event_semaphore(struct decode *d)
{
	uint8_t wait = d->b[0x20], update = d->b[0x22], core = d->b[0x2C];

	decode_if(d, decode_bad_wait(wait), TPB_FAULT_BAD_FIELD);
	decode_if(d, decode_bad_update(update), TPB_FAULT_BAD_FIELD);
	if (wait == 0) {
		decode_zero(d, 0x21, 0x21);
		decode_zero(d, 0x24, 0x27);
	}
	if (update == 0) {
		decode_zero(d, 0x23, 0x23);
		decode_zero(d, 0x28, 0x2B);
	}
	decode_if(d, decode_wait_reg(wait) && decode_word(d, 0x24) >= TPB_REGS,
	          TPB_FAULT_BAD_REG);
	decode_if(d,
	          decode_update_reg(update) && decode_word(d, 0x28) >= TPB_REGS,
	          TPB_FAULT_BAD_REG);
	decode_if(d, d->b[6] != 0 && update != 0, TPB_FAULT_BAD_FIELD);
	decode_if(d,
	          core != 0 && (!(core & 0x80) || update == 0 ||
	                        (core & 0x7Fu) >= DECODE_CORES),
	          TPB_FAULT_BAD_FIELD);
}

static void decode_move(struct decode *d)
{
	unsigned n = d->b[0x0C], source = d->b[0x0E];

	decode_if(d, n < 1 || n > 8, TPB_FAULT_BAD_FIELD);
	if (n < 1 || n > 8)
		n = 1;
	decode_if(d, decode_outside(d->b[0x0D], 0x00000700),
	          TPB_FAULT_BAD_DTYPE);
	decode_if(d, source > 1, TPB_FAULT_BAD_FIELD);
	decode_if(d, n == 2 && source != TPB_SOURCE_IMM, TPB_FAULT_BAD_FIELD);
	for (unsigned i = 0; i < n; i++)
		decode_reg(d, 0x18 + i);
	if (n == 2) {
		decode_pair(d, 0x18);
		decode_if(d, d->b[0x19] != d->b[0x18] + 1, TPB_FAULT_BAD_REG);
	}
	decode_zero(d, 0x18 + n, 0x1F);
	if (source == TPB_SOURCE_REG) {
		for (unsigned i = 0; i < n; i++)
			decode_reg(d, 0x10 + i);
		decode_zero(d, 0x10 + n, 0x17);
		decode_zero(d, 0x20, 0x3F);
	} else if (source == TPB_SOURCE_IMM) {
		decode_zero(d, 0x10, 0x17);
		decode_zero(d, 0x20 + 4 * n, 0x3F);
	}
}

static void decode_alu(struct decode *d)
{
	bool wide = d->b[0x0E] & 1, imm = d->b[0x0E] & 2;

	/* 00..16, 18..1B, 1D */
	decode_if(d, decode_outside(d->b[0x0C], 0x2F7FFFFF),
	          TPB_FAULT_BAD_FIELD);
	decode_if(d, d->b[0x0D] != 1 || d->b[0x0E] > 3, TPB_FAULT_BAD_FIELD);
	decode_if(d, decode_outside(d->b[0x0F], wide ? 0x00000002 : 0x00001303),
	          TPB_FAULT_BAD_DTYPE);
	decode_reg(d, 0x10);
	decode_reg(d, 0x11);
	if (imm) {
		decode_zero(d, 0x12, 0x12);
		if (!wide)
			decode_zero(d, 0x1C, 0x1F);
	} else {
		decode_reg(d, 0x12);
		decode_zero(d, 0x18, 0x1F);
	}
	decode_zero(d, 0x13, 0x13);
	if (!wide) {
		decode_zero(d, 0x14, 0x15);
		return;
	}
	decode_pair(d, 0x10);
	decode_pair(d, 0x11);
	if (!imm)
		decode_pair(d, 0x12);
	decode_if(d, d->b[0x14] != d->b[0x10] || d->b[0x15] != d->b[0x14] + 1,
	          TPB_FAULT_BAD_REG);
}

static void decode_branch(struct decode *d)
{
	uint8_t cmp = d->b[0x0C];

	/* 00..06, 09..0E */
	decode_if(d, decode_outside(cmp, 0x00007E7F), TPB_FAULT_BAD_FIELD);
	decode_if(d, d->b[0x0E] != 3, TPB_FAULT_BAD_FIELD);
	decode_if(d, decode_word(d, 0x34) != 0, TPB_FAULT_BAD_FIELD);
	if (cmp == TPB_CMP_ALWAYS) {
		decode_zero(d, 0x0D, 0x0D);
		decode_zero(d, 0x10, 0x13);
		decode_zero(d, 0x20, 0x21);
		return;
	}
	decode_if(d, decode_outside(d->b[0x0D], 0x0000073C),
	          TPB_FAULT_BAD_DTYPE);
	decode_reg(d, 0x20);
	if (cmp & 8) {
		decode_reg(d, 0x21);
		decode_zero(d, 0x10, 0x13);
	} else {
		decode_zero(d, 0x21, 0x21);
	}
}

static void decode_tensor(struct decode *d)
{
	unsigned n = (unsigned)d->b[0x0E] * d->b[0x0F];
	uint8_t tag = d->b[0x0C], marker = d->b[0x17];

	decode_if(d, decode_outside(tag, 0x0000073E), TPB_FAULT_BAD_DTYPE);
	decode_if(d, d->b[0x0D] != 0, TPB_FAULT_BAD_FIELD);
	decode_if(d, n == 0 || n > 32, TPB_FAULT_BAD_FIELD);
	if (n > 32)
		n = 0;
	if (marker == TPB_MARKER_REG) {
		decode_pair(d, 0x10);
		decode_if(d, d->b[0x11] != d->b[0x10] + 1, TPB_FAULT_BAD_REG);
		decode_zero(d, 0x12, 0x16);
	} else {
		decode_if(d, marker != TPB_MARKER_IMM, TPB_FAULT_BAD_FIELD);
	}
	for (unsigned k = 0; k < n; k++) {
		decode_reg(d, 0x20 + k);
		if (tag == TPB_DTYPE_UINT64)
			decode_pair(d, 0x20 + k);
	}
	decode_zero(d, 0x20 + n, 0x3F);
}

static void decode_group_reset(struct decode *d)
{
	switch (d->b[0x0C]) {
	case TPB_CLEAR_RANGE:
		decode_if(d, d->b[0x0D] > d->b[0x0E], TPB_FAULT_BAD_FIELD);
		decode_zero(d, 0x20, 0x3F);
		break;
	case TPB_CLEAR_MASK: decode_zero(d, 0x0D, 0x0E); break;
	default: decode_if(d, true, TPB_FAULT_BAD_FIELD); break;
	}
}

static void decode_payload(struct decode *d)
{
	const uint8_t *b = d->b;

	switch (b[0]) {
	case TPB_OP_EVENT_SEMAPHORE: decode_event_semaphore(d); break;
	case TPB_OP_REGISTER_MOVE: decode_move(d); break;
	case TPB_OP_REGISTER_ALU: decode_alu(d); break;
	case TPB_OP_BRANCH: decode_branch(d); break;
	case TPB_OP_TENSOR_LOAD:
	case TPB_OP_TENSOR_SAVE: decode_tensor(d); break;
	case TPB_OP_GROUP_RESET: decode_group_reset(d); break;
	case TPB_OP_DMA_TRIGGER:
	case TPB_OP_RESET_QUEUE:
		decode_if(d, b[0x2F] != 1, TPB_FAULT_UNRESOLVED);
		break;
	case TPB_OP_SWITCH_QUEUE:
		decode_if(d, b[0x2F] != 1, TPB_FAULT_UNRESOLVED);
		decode_if(d, b[0x3B] > 1, TPB_FAULT_BAD_FIELD);
		decode_if(d, decode_word(d, 0x3C) != 1, TPB_FAULT_BAD_FIELD);
		break;
	case TPB_OP_CORE_BARRIER:
		decode_if(d, (d->nonzero & decode_bytes(0x0D, 0x0F)) != 0,
		          TPB_FAULT_BAD_FIELD);
		break;
	case TPB_OP_CALL:
		decode_if(d, b[0x2F] != 1, TPB_FAULT_UNRESOLVED);
		decode_if(d, decode_word(d, 0x34) != 0, TPB_FAULT_BAD_FIELD);
		break;
	case TPB_OP_CUR_RANK:
		decode_if(d, b[0x2F] != 1, TPB_FAULT_UNRESOLVED);
		decode_reg(d, 0x12);
		break;
	case TPB_OP_GLOBAL_RANK:
		decode_if(d, b[0x0C] != 1, TPB_FAULT_BAD_FIELD);
		decode_reg(d, 0x17);
		break;
	case TPB_OP_BRANCH_HINT:
		decode_if(d, b[0x0C] > 1, TPB_FAULT_BAD_FIELD);
		decode_if(d, decode_word(d, 0x34) != 0, TPB_FAULT_BAD_FIELD);
		break;
	case TPB_OP_RETURN:
		decode_if(d, b[0x0C] > 1, TPB_FAULT_BAD_FIELD);
		break;
	case TPB_OP_EXIT:
		decode_if(d, b[0x0C] != 1, TPB_FAULT_BAD_FIELD);
		break;
	default: break; /* nothing besides the sync block */
	}
}

/* ------------------------------------------------------------------ *
 * Verdict.                                                           *
 * ------------------------------------------------------------------ */

/* Bit i: byte i is not 0.  Eight bytes at a time: bit 7 of each byte of x
 * becomes "not 0", and the multiplication gathers those bits. */
static uint64_t decode_nonzero(const uint8_t *b)
{
	const uint64_t low = 0x7F7F7F7F7F7F7F7F;
	uint64_t map = 0;

	for (unsigned i = 0; i < TPB_BUNDLE / 8; i++) {
		uint64_t x;

		memcpy(&x, b + 8 * i, sizeof(x));
		x = le64toh(x);
		x = (((x & low) + low) | x) >> 7 & 0x0101010101010101;
		map |= (x * 0x0102040810204080 >> 56) << 8 * i;
	}
	return map;
}

/* Payload bytes that the op names, 0 when the engine cannot execute it. */
static uint64_t decode_names(const struct tpb_config *cfg, int engine,
                             uint8_t op)
{
	if (vec_is_op(op))
		return decode_vec_named(cfg->gen, engine, op);
	if (op == TPB_OP_CORE_BARRIER && cfg->gen == 2)
		return 0;
	return decode_named[op - TPB_OP_EVENT_SEMAPHORE];
}

int tpb_decode(const struct tpb_config *cfg, int engine, const uint8_t *bundle,
               bool eos)
{
	struct decode d = {.b = bundle};
	uint8_t op = bundle[0];
	bool header = bundle[1] == 0x10 && bundle[2] == 0 && bundle[3] == 0;
	uint64_t named;

	if (eos)
		return TPB_FAULT_END_OF_STREAM;
	if (op == TPB_OP_TENSOR_SAVE_VAR || op == TPB_OP_TENSOR_LOAD_VAR)
		return header ? TPB_FAULT_UNRESOLVED : TPB_FAULT_BAD_HEADER;
	named = decode_names(cfg, engine, op);
	if (named == 0)
		return TPB_FAULT_ILLEGAL_OPCODE;
	if (!header)
		return TPB_FAULT_BAD_HEADER;
	d.nonzero = decode_nonzero(bundle);
	decode_if(&d, (d.nonzero & ~named & decode_bytes(0x0C, 0x3F)) != 0,
	          TPB_FAULT_RESERVED);
	decode_sync(&d);
	if (vec_is_op(op))
		decode_vec(&d, cfg->gen);
	else
		decode_payload(&d);
	return d.faults ? __builtin_ctz(d.faults) : TPB_FAULT_NONE;
}
