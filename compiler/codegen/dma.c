/* SPDX-License-Identifier: Apache-2.0
 *
 * Code generation: triggers, queues, descriptors.
 *
 * A side of a transfer is runs of bytes with two steps and two counts.  The
 * free dimensions that follow one another in memory become the run; what is
 * left over must be two dimensions at most (lower_dma cuts accordingly).
 * Facts: the memory sheet's DIRECT2D, queues and DMA unit.
 */
#include "compiler/codegen/internal.h"

#include <string.h>

struct side {
	int64_t step[2], num[2], bytes;
	int n;
};

static void side_dim(struct codegen *c, struct side *s, int64_t step,
                     int64_t num)
{
	if (s->n == 2) {
		codegen_fail(c, CGN_DMA,
		             "a side of the transfer has more than two "
		             "dimensions besides its run of bytes; cut it");
		return;
	}
	s->step[s->n] = step;
	s->num[s->n++] = num;
}

/* A run above 64 KiB becomes equal parts of the largest size that fits. */
static void cut_run(struct codegen *c, struct side *s)
{
	int64_t part = TPB_DMA_MAX_TRANSFER_GEN3;

	if (s->bytes <= part)
		return;
	if (s->n == 2) {
		codegen_fail(c, CGN_DMA,
		             "a run of %lld bytes, 65536 are possible; cut it",
		             (long long)s->bytes);
		return;
	}
	while (s->bytes % part)
		part--;
	s->step[1] = s->step[0];
	s->num[1] = s->num[0];
	s->step[0] = part;
	s->num[0] = s->bytes / part;
	s->bytes = part;
	s->n++;
}

/* Bytes from one index of dimension d to the next. */
static int64_t stride(const struct bir_arg *a, int d)
{
	int64_t bytes = a->pair[d].step * bir_dtype_size(a->dtype);
	int64_t row = a->loc->row_bytes;

	if (!bir_on_chip(a->loc) || row <= 0 || bytes % row != 0)
		return bytes;
	/* Whole partition rows: the address step of the memory. */
	return bytes / row *
	       (a->loc->mem == BIR_PSUM ? TPB_PSUM_STRIDE_GEN3
	                                : TPB_SBUF_STRIDE_GEN3);
}

static struct side side_of(struct codegen *c, const struct bir_arg *a)
{
	struct side s = {
	    .step = {0, 0}, .num = {1, 1}, .bytes = bir_dtype_size(a->dtype)};

	for (int d = a->npair - 1; d >= 0; d--) {
		int64_t step = stride(a, d), num = a->pair[d].num;

		if (num == 1)
			continue;
		if (s.n == 0 && step == s.bytes)
			s.bytes *= num;
		else
			side_dim(c, &s, step, num);
	}
	cut_run(c, &s);
	return s;
}

/* ---- addresses ---- */

/* Entry of the DGE table for a tensor, or for all on-chip memory. */
static int dge_entry(struct codegen *c, const struct bir_loc *l)
{
	int k = 0;

	while (k < c->ndge && c->dge[k] != l)
		k++;
	if (k == TPB_DGE_ENTRIES_GEN3) {
		codegen_fail(c, CGN_DMA,
		             "more than %d tensors with run-time addresses; "
		             "merge some",
		             TPB_DGE_ENTRIES_GEN3);
		return 0;
	}
	if (k == c->ndge)
		c->dge[c->ndge++] = l;
	return k;
}

static void dynamic_address(struct codegen *c, uint8_t *p,
                            const struct bir_arg *a)
{
	bool chip = bir_on_chip(a->loc);

	if (!chip && (a->reg->bits != 64 || a->offset))
		codegen_fail(c, CGN_DMA,
		             "the DRAM side has no pair with the whole offset; "
		             "compute it in a 64-bit register");
	codegen_put(p,
	            (uint64_t)(chip ? codegen_addr_reg(c, a, 0)
	                            : codegen_phys(c, a->reg)),
	            4);
	codegen_put(p + 4, (uint64_t)dge_entry(c, chip ? NULL : a->loc), 2);
	p[7] = chip ? TPB_ADDR8_REG : TPB_ADDR8_PAIR;
}

static void address(struct codegen *c, uint8_t *p, const struct bir_arg *a)
{
	bool chip = bir_on_chip(a->loc);
	int64_t offset;

	if (a->kind == BIR_ARG_REGAP) {
		dynamic_address(c, p, a);
		return;
	}
	if (a->kind != BIR_ARG_AP || !a->loc->placed) {
		codegen_fail(c, CGN_STATE,
		             "tensor %.60s has no place or a symbolic address; "
		             "run alloc_mem and lower_ap",
		             a->loc->name);
		return;
	}
	offset = chip ? (int64_t)bir_addr29(a->loc, a->offset) : a->offset;
	if (offset < 0 || offset > UINT32_MAX ||
	    (!chip && (a->loc->var < 1 || a->loc->var > 0xFFFFFF)))
		codegen_fail(c, CGN_DMA,
		             "offset 0x%llX of variable %d: 32 bits and ids of "
		             "1 to 0xFFFFFF are possible; use a smaller tensor",
		             (unsigned long long)offset, a->loc->var);
	codegen_put(p, (uint64_t)offset, 4);
	codegen_put(p + 4, chip ? 0 : (uint64_t)a->loc->var, 3);
	p[7] = TPB_ADDR8_STATIC;
}

static void put_side(struct codegen *c, uint8_t *b, bool dst,
                     const struct bir_arg *a)
{
	static const char *const name[2][7] = {
	    {"src", "src_step0", "src_step1", "src_num0", "src_num1",
	     "src_bytes", "src_dtype"},
	    {"dst", "dst_step0", "dst_step1", "dst_num0", "dst_num1",
	     "dst_bytes", "dst_dtype"},
	};
	const char *const *n = name[dst];
	struct side s = side_of(c, a);

	address(c, codegen_at(b, n[0]), a);
	codegen_set(c, b, n[1], s.step[0]);
	codegen_set(c, b, n[2], s.step[1]);
	codegen_set(c, b, n[3], s.num[0]);
	codegen_set(c, b, n[4], s.num[1]);
	/* 64 KiB are written as 0. */
	codegen_set(c, b, n[5], s.bytes % TPB_DMA_MAX_TRANSFER_GEN3);
	codegen_set(c, b, n[6], codegen_dtype(c, a->dtype));
}

static uint8_t *descriptor(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b = codegen_begin(c, TPB_OP_DMA_DIRECT);

	codegen_set(c, b, "qos", i->u.dma.qos);
	put_side(c, b, false, i->in[0]);
	put_side(c, b, true, i->out[0]);
	return b;
}

/* ---- instructions ---- */

static void trigger(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b = codegen_begin(c, TPB_OP_DMA_TRIGGER);
	const struct bir_queue *q = i->u.trigger.queue;

	if (!q || !c->current[q->id]) {
		codegen_fail(c, CGN_QUEUE,
		             "a trigger without a queue or instance; run "
		             "alloc_queues");
		return;
	}
	codegen_text(c, b, "name", c->current[q->id]->name);
	codegen_set(c, b, "count", i->u.trigger.count);
}

static const struct bir_instance *instance_of(struct codegen *c,
                                              const struct bir_sqi *u)
{
	const struct bir_instance *n = u->queue ? u->queue->instance : NULL;

	for (int k = 0; n && k < u->instance; k++)
		n = n->next;
	if (!n)
		codegen_fail(c, CGN_QUEUE,
		             "no such instance of a queue; name one that it "
		             "has");
	else
		c->current[u->queue->id] = n;
	return n;
}

static void switch_queue(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b = codegen_begin(c, TPB_OP_SWITCH_QUEUE);
	const struct bir_instance *n = instance_of(c, &i->u.sqi);

	if (n)
		codegen_text(c, b, "name", n->name);
	codegen_set(c, b, "no_rearm", i->u.sqi.no_rearm);
}

/* The feature allows one reset and is used up by it. */
static void reset_queue(struct codegen *c, const struct bir_inst *i)
{
	uint8_t *b = codegen_begin(c, TPB_OP_RESET_QUEUE);
	const struct bir_instance *n = instance_of(c, &i->u.sqi);

	if (!c->no_rearm)
		codegen_fail(c, CGN_QUEUE,
		             "a queue is reset in a module without "
		             "neff_feature_SQI_no_rearm; set the feature");
	c->no_rearm = false;
	if (n)
		codegen_text(c, b, "name", n->name);
}

bool codegen_dma(struct codegen *c, const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_DMA_TRIGGER: trigger(c, i); return true;
	case BIR_IT_SWITCH_QUEUE: switch_queue(c, i); return true;
	case BIR_IT_RESET_QUEUE: reset_queue(c, i); return true;
	case BIR_IT_DMA_COPY:
	case BIR_IT_LOAD:
	case BIR_IT_SAVE: descriptor(c, i); return true;
	default: return false;
	}
}

/* ---- queues of the image ---- */

static void block(struct codegen *c, struct bir_inst *block)
{
	uint8_t mode = 0, id = 0;
	uint32_t operand = 0;

	c->inst = block;
	if (block->wait || (block->update && block->update->next))
		codegen_fail(c, CGN_SYNC,
		             "a block has waits, or more than one update; give "
		             "the waits to its trigger");
	if (block->update)
		codegen_update(c, block->update, &mode, &id, &operand);
	image_add_block(c->img, mode, id, operand);
	for (struct bir_inst *d = block->u.dmablock.first; d && !c->failed;
	     d = d->next) {
		struct isa_verdict v;
		uint8_t *b;

		c->inst = d;
		c->nb = c->npre = 0;
		b = descriptor(c, d);
		if (!isa_check(b, ISA_FILE, c->gen, &v) || c->npre)
			codegen_fail(c, CGN_ILLEGAL,
			             "illegal descriptor: %s; correct the "
			             "transfer",
			             c->npre ? "run-time address" : v.reason);
		image_add_descriptor(c->img, b);
	}
}

void codegen_queues(struct codegen *c)
{
	for (struct bir_queue *q = c->m->queue; q && !c->failed; q = q->next) {
		int owner = bir_engine_stream(q->engine);

		c->inst = NULL;
		if (owner < 0 || !q->instance)
			codegen_fail(
			    c, CGN_QUEUE,
			    "queue %.31s has no engine or no instance; "
			    "give it both",
			    q->name);
		image_add_queue(c->img, q->name, (uint8_t)q->type, owner,
		                q->special, q->group);
		for (struct bir_instance *n = q->instance; n && !c->failed;
		     n = n->next) {
			image_add_instance(c->img, n->name);
			for (int k = 0; k < n->nblock && !c->failed; k++)
				block(c, n->block[k]);
		}
	}
}

void codegen_dge(struct codegen *c)
{
	for (int k = 0; k < c->ndge; k++) {
		if (c->dge[k])
			image_add_dge(c->img, (uint32_t)c->dge[k]->var, 0, 0);
		else
			image_add_dge(c->img, 0, 1ull << 36, 1ull << 29);
	}
}
