/* SPDX-License-Identifier: Apache-2.0
 *
 * isa_check: queue bundles and DMA descriptors, by the memory fact sheet.
 * Faults that the machine finds at issue or in the DMA unit are reported
 * only where the bundle alone shows them.
 */
#include "isa/check.h"

static void queue(struct check *c)
{
	/* The machine finds it at issue, not at decode. */
	if (!c->machine && c->form == ISA_LOADED &&
	    c->b[0x0C] >= TPB_DMA_QUEUES_GEN3)
		check_bad(c, TPB_FAULT_DMA_QUEUE, 0x0C,
		          "queue %d, there are %d", c->b[0x0C],
		          TPB_DMA_QUEUES_GEN3);
}

/* Register id in a dword, table entry, byte 6 free. */
static void register_address(struct check *c, int off, bool pair)
{
	if (pair)
		check_pair(c, off);
	else
		check_reg(c, off);
	if (check_word(c, off) >> 8)
		check_bad(c, TPB_FAULT_BAD_REG, off,
		          "high bytes of the register id are not 0");
	if (c->b[off + 5] || c->b[off + 4] >= TPB_DGE_ENTRIES_GEN3)
		check_bad(c, TPB_FAULT_BAD_FIELD, off + 4,
		          "no such entry of the DGE table");
	check_zero(c, off + 6, off + 6);
}

static void address8(struct check *c, const char *name)
{
	int off = check_off(c, name);
	uint8_t mode = c->b[off + 7];

	switch (mode) {
	case TPB_ADDR8_REG:
	case TPB_ADDR8_PAIR:
		register_address(c, off, mode == TPB_ADDR8_PAIR);
		return;
	case TPB_ADDR8_STATIC:
	case TPB_ADDR8_TABLE:
		if (c->form == ISA_LOADED)
			check_bad(c, TPB_FAULT_UNRESOLVED, off + 7,
			          "%s has the file form mode 0x%02X", name,
			          mode);
		else if (mode == TPB_ADDR8_TABLE)
			check_zero(c, off + 6, off + 6);
		return;
	case TPB_ADDR8_UNIFIED:
		if (c->form == ISA_LOADED)
			return;
		break;
	default: break;
	}
	check_bad(c, TPB_FAULT_BAD_FIELD, off + 7,
	          "%s has the mode 0x%02X, not legal here", name, mode);
}

static void bound(struct check *c, int off)
{
	uint8_t b = c->b[off];

	if (b && !(b & 0x80))
		check_bad(c, TPB_FAULT_DMA_DESC, off,
		          "bound check 0x%02X is not armed and not 0", b);
}

/* Bytes that one side moves; 0 stands for 64 KiB. */
static uint64_t side_bytes(struct check *c, const char *num0, const char *num1,
                           const char *bytes)
{
	uint64_t n0 = check_get(c, num0), n1 = check_get(c, num1);
	uint64_t size = check_get(c, bytes);

	if (!n0 || !n1)
		check_bad(c, TPB_FAULT_DMA_DESC, check_off(c, num0),
		          "a count of the descriptor is 0");
	return n0 * n1 * (size ? size : 0x10000);
}

static void descriptor(struct check *c)
{
	uint64_t src = side_bytes(c, "src_num0", "src_num1", "src_bytes");
	uint64_t dst = side_bytes(c, "dst_num0", "dst_num1", "dst_bytes");

	address8(c, "src");
	address8(c, "dst");
	bound(c, 0x26);
	bound(c, 0x27);
	if (c->b[0x0F] != TPB_DGE_PLAIN)
		check_bad(c, TPB_FAULT_DMA_DESC, 0x0F,
		          "kind %d of transfer is not built", c->b[0x0F]);
	if (!c->b[0x0E] && c->b[0x0D])
		check_bad(c, TPB_FAULT_DMA_DESC, 0x0D,
		          "a semaphore without an increment");
	int ssize = isa_dtype_size(c->b[0x3E]);
	int dsize = isa_dtype_size(c->b[0x3F]);

	if (c->b[0x3E] == c->b[0x3F])
		ssize = dsize = 1;
	if (!ssize || !dsize || src * (unsigned)dsize != dst * (unsigned)ssize)
		check_bad(c, TPB_FAULT_DMA_DESC, 0x24,
		          "the two sides move different numbers of elements");
}

void check_dma(struct check *c)
{
	switch (c->op->code) {
	case TPB_OP_DMA_TRIGGER:
	case TPB_OP_RESET_QUEUE:
	case TPB_OP_SWITCH_QUEUE: queue(c); break;
	case TPB_OP_DMA_DIRECT: descriptor(c); break;
	default: break;
	}
}
