/* SPDX-License-Identifier: Apache-2.0
 *
 * Code generation: the walks, the PC map, streams, tensors, symbols.
 *
 * Every walk runs the same encoders over the same instructions in layout
 * order; what a bundle is for in this walk is codegen_flush()'s to know.  So
 * the number of bundles cannot differ, and the pcs of the first walk hold in
 * the others; that they do is checked all the same.
 */
#include "compiler/codegen/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- one instruction ---- */

static void reset(struct codegen *c, struct bir_inst *i)
{
	c->inst = i;
	c->nb = c->npre = 0;
}

/* Call and Return have a bundle on every engine with code. */
static void broadcast(struct codegen *c)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		if (c->streams >> e & 1)
			codegen_flush(c, e);
}

static void instruction(struct codegen *c, struct bir_inst *i)
{
	int stream = bir_engine_stream(i->engine);
	bool all = i->it == BIR_IT_CALL || i->it == BIR_IT_RETURN;

	reset(c, i);
	if (!codegen_vec(c, i) && !codegen_seq(c, i) && !codegen_dma(c, i)) {
		codegen_fail(c, CGN_STATE,
		             "has no bundle; an earlier pass must lower it");
		return;
	}
	if (all) {
		broadcast(c);
	} else if (stream < 0) {
		codegen_fail(c, CGN_ENGINE,
		             "is on %s, no engine with a stream; assign it or "
		             "run expand_all",
		             bir_engine_text(i->engine));
	} else {
		if (c->mode == CODEGEN_COLLECT && c->inst_pc)
			c->inst_pc[i->id] = c->pc[stream];
		codegen_flush(c, stream);
	}
}

/* ---- a walk ---- */

static void block(struct codegen *c, struct bir_block *b)
{
	uint32_t *pc = c->block_pc[b->id];

	c->inst = b->first;
	if (c->mode == CODEGEN_COLLECT)
		memcpy(pc, c->pc, sizeof(c->pc));
	else if (memcmp(pc, c->pc, sizeof(c->pc)))
		codegen_fail(c, CGN_WALK,
		             "block %.60s has moved since the first walk; a "
		             "defect of tpb, please report it",
		             b->name);
	for (struct bir_inst *i = b->first; i && !c->failed; i = i->next)
		instruction(c, i);
}

static bool walk(struct codegen *c, enum codegen_mode mode)
{
	c->mode = mode;
	c->no_rearm = c->m->feature_no_rearm;
	memset(c->pc, 0, sizeof(c->pc));
	for (struct bir_queue *q = c->m->queue; q; q = q->next)
		c->current[q->id] = q->instance;
	for (struct bir_func *f = c->m->first; f; f = f->next)
		for (struct bir_block *b = f->body.first; b && !c->failed;
		     b = b->next)
			block(c, b);
	if (mode == CODEGEN_COLLECT)
		memcpy(c->end, c->pc, sizeof(c->end));
	return !c->failed;
}

/* ---- what surrounds the code ---- */

/* Streams with code: those the module says, or those that occur. */
static unsigned streams_of(const struct bir_module *m)
{
	unsigned engines = m->engines, streams = 0;

	for (struct bir_func *f = m->first; f && !m->engines; f = f->next)
		for (struct bir_block *b = f->body.first; b; b = b->next)
			for (struct bir_inst *i = b->first; i; i = i->next)
				engines |= 1u << i->engine;
	for (int e = 0; e < BIR_NENGINES; e++) {
		int s = bir_engine_stream((enum bir_engine)e);

		if (engines >> e & 1 && s >= 0)
			streams |= 1u << s;
	}
	return streams;
}

/* Variable ids for DRAM tensors that have none, above those in use. */
static void number_variables(struct bir_module *m)
{
	int next = 1;

	for (struct bir_loc *l = m->loc; l; l = l->next)
		if (l->mem == BIR_DRAM && l->var >= next)
			next = l->var + 1;
	for (struct bir_loc *l = m->loc; l; l = l->next)
		if (l->mem == BIR_DRAM && l->var == 0)
			l->var = next++;
}

static void one_tensor(struct codegen *c, struct bir_loc *l)
{
	uint64_t size = (uint64_t)(l->partitions * l->row_bytes);
	uint8_t *zero = NULL;
	int k;

	if (l->partitions < 1 || l->row_bytes < 1 || l->var < 1) {
		codegen_fail(c, CGN_TENSOR,
		             "tensor %.60s has no bytes or no variable id; "
		             "give it a shape",
		             l->name);
		return;
	}
	/* An input without bytes is zeros, as for the interpreter. */
	if (l->kind == BIR_INPUT && !l->init) {
		zero = calloc(1, size);
		if (!zero)
			codegen_fail(c, CGN_TENSOR,
			             "no memory for tensor %.60s; make it "
			             "smaller",
			             l->name);
	}
	if (c->failed)
		return;
	k = image_add_tensor(c->img, l->name, (uint32_t)l->var,
	                     l->placed ? (uint64_t)l->addr : 0, size,
	                     zero ? zero : l->init, l->kind == BIR_OUTPUT_T);
	free(zero);
	if (!l->placed) {
		l->addr = (int64_t)c->img->tensor[k].addr;
		l->placed = true;
	}
}

static void tensors(struct codegen *c)
{
	c->inst = NULL;
	number_variables(c->m);
	for (struct bir_loc *l = c->m->loc; l && !c->failed; l = l->next) {
		if (l->mem == BIR_DRAM)
			one_tensor(c, l);
		else if (l->init)
			codegen_fail(c, CGN_TENSOR,
			             "tensor %.60s has bytes but is on chip; "
			             "copy it from DRAM",
			             l->name);
	}
}

/* A function's name is a label too: a block of that name needs none. */
static void label(struct codegen *c, const struct bir_func *f,
                  const struct bir_block *b, int e)
{
	if (strcmp(b->name, f->name))
		image_add_symbol(c->img, b->name, e, c->block_pc[b->id][e],
		                 false, false);
}

static void symbols(struct codegen *c)
{
	for (struct bir_func *f = c->m->first; f; f = f->next) {
		const struct bir_block *first = f->body.first;
		const struct bir_func *n = f->next;

		for (int e = 0; e < TPB_ENGINES; e++) {
			uint32_t from, to;

			if (!(c->streams >> e & 1) || !first)
				continue;
			from = c->block_pc[first->id][e];
			to = n && n->body.first
			         ? c->block_pc[n->body.first->id][e]
			         : c->end[e];
			image_add_symbol(c->img, f->name, e, from, true, false);
			c->img->symbol[c->img->nsymbols - 1].len = to - from;
			for (const struct bir_block *b = first; b; b = b->next)
				label(c, f, b, e);
		}
	}
}

/* ---- entry points ---- */

static void *array(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		abort();
	return p;
}

static void begin(struct codegen *c)
{
	c->block_pc = array((size_t)c->m->nblock + 1, sizeof(*c->block_pc));
	c->inst_pc = array((size_t)c->m->ninst + 1, sizeof(*c->inst_pc));
	c->current = array((size_t)c->m->nqueue + 1, sizeof(*c->current));
	c->streams = streams_of(c->m);
}

static void finish(struct codegen *c)
{
	free(c->block_pc);
	free(c->inst_pc);
	free(c->current);
}

bool codegen_module(struct bir_module *m, int gen, struct image *img,
                    struct compile_error *err)
{
	struct codegen_count count = {0};
	struct codegen c = {
	    .m = m, .gen = gen, .img = img, .err = err, .count = &count};

	begin(&c);
	img->gen = gen;
	img->fp8_ocp = m->fp8_ocp;
	img->fp8_saturate = m->fp8_saturate;
	img->fp8_nan_suppress = m->fp8_nan_suppress;
	c.file = image_add_file(img, m->path);
	tensors(&c);
	if (!c.failed && walk(&c, CODEGEN_COLLECT) &&
	    walk(&c, CODEGEN_GENERATE) && walk(&c, CODEGEN_CHECK)) {
		symbols(&c);
		codegen_queues(&c);
		codegen_dge(&c);
		m->feature_no_rearm = c.no_rearm;
	}
	finish(&c);
	return !c.failed;
}

static void collect(struct bir_inst *i, void *ctx)
{
	struct codegen *c = ctx;
	const struct bir_opinfo *op = bir_op(i->it);
	int stream = bir_engine_stream(i->engine);

	if (c->failed || !op || op->klass != BIR_CLASS_VEC || stream < 0)
		return;
	reset(c, i);
	if (codegen_vec(c, i))
		codegen_flush(c, stream);
}

bool codegen_collect(struct bir_module *m, int gen, struct codegen_count *count,
                     struct compile_error *err)
{
	struct codegen c = {.m = m,
	                    .gen = gen,
	                    .mode = CODEGEN_COLLECT,
	                    .lenient = true,
	                    .err = err,
	                    .count = count};

	memset(count, 0, sizeof(*count));
	for (struct bir_func *f = m->first; f; f = f->next)
		bir_walk(&f->body, collect, &c);
	return !c.failed;
}
