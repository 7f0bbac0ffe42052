/* SPDX-License-Identifier: Apache-2.0
 *
 * The dump of an instruction's own fields, by its type.
 */
#include "compiler/bir/print.h"

#include <inttypes.h>

static void put_block(FILE *f, const char *key, const struct bir_block *b)
{
	if (b)
		fprintf(f, " %s=%s", key, b->name);
}

static void put_alu(FILE *f, const struct bir_inst *i)
{
	const struct bir_alu *u = &i->u.alu;

	fprintf(f, " op=%s", bir_alu_text(u->op0));
	if (i->it == BIR_IT_TENSOR_SCALAR || i->it == BIR_IT_TENSOR_SCALAR_PTR)
		fprintf(f, " op1=%s", bir_alu_text(u->op1));
	if (i->it == BIR_IT_TENSOR_REDUCE)
		fprintf(f, " axis=%d", u->axis);
	fputs(u->rev0 ? " reverse0" : "", f);
	fputs(u->rev1 ? " reverse1" : "", f);
	fputs(u->negate ? " negate" : "", f);
	fputs(u->transpose ? " transpose" : "", f);
	if (u->acc)
		fprintf(f, " acc=%d", u->acc);
}

static void put_pairs(FILE *f, const struct bir_iota *u)
{
	int d;

	fprintf(f, " base=%" PRId32 " mult=%" PRId32 " ramp={", u->base,
	        u->mult);
	for (d = 0; d < u->npair; d++)
		fprintf(f, "[%" PRId64 ",%" PRId64 "]", u->pair[d].step,
		        u->pair[d].num);
	fputc('}', f);
}

static void put_reset(FILE *f, const struct bir_greset *u)
{
	int k;

	if (u->range) {
		fprintf(f, " range=%d..%d", u->first, u->last);
		return;
	}
	fputs(" mask=", f);
	for (k = 31; k >= 0; k--)
		fprintf(f, "%02X", u->mask[k]);
}

static void put_dma(FILE *f, const struct bir_inst *i)
{
	const struct bir_trigger *t = &i->u.trigger;
	const struct bir_dmablock *b = &i->u.dmablock;

	switch (i->it) {
	case BIR_IT_DMA_TRIGGER:
		if (t->queue)
			fprintf(f, " queue=%s", t->queue->name);
		if (t->block)
			fprintf(f, " block=%s", t->block->name);
		fprintf(f, " count=%d", t->count);
		break;
	case BIR_IT_DMA_BLOCK:
		if (b->trigger)
			fprintf(f, " trigger=%s", b->trigger->name);
		if (b->queue)
			fprintf(f, " queue=%s instance=%d", b->queue->name,
			        b->instance);
		fprintf(f, " id=%d", b->id);
		break;
	case BIR_IT_SWITCH_QUEUE:
	case BIR_IT_RESET_QUEUE:
		fprintf(f, " queue=%s instance=%d%s",
		        i->u.sqi.queue ? i->u.sqi.queue->name : "?",
		        i->u.sqi.instance,
		        i->u.sqi.no_rearm ? " no_rearm" : "");
		break;
	default:
		if (i->u.dma.queue)
			fprintf(f, " queue=%s", i->u.dma.queue);
		if (i->u.dma.qos)
			fprintf(f, " qos=%d", i->u.dma.qos);
		fputs(i->u.dma.oob_skip ? " oob_skip" : "", f);
	}
}

static void put_loop(FILE *f, const struct bir_inst *i)
{
	const struct bir_loop *l = &i->u.loop;

	if (i->it == BIR_IT_DO_WHILE) {
		fprintf(f, " cond=%%%s", l->cond ? l->cond->name : "?");
		return;
	}
	fprintf(f, " iv=%%%s lb=%" PRId64 " ub=%" PRId64,
	        l->iv ? l->iv->name : "?", l->lb, l->ub);
	if (l->ubreg)
		fprintf(f, "+%" PRId64 "*%%%s", l->coef, l->ubreg->name);
	fprintf(f, " step=%" PRId64, l->step);
}

static void put_control(FILE *f, const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_BRANCH:
		fprintf(f, " cmp=\"%s\"", bir_cmp_text(i->u.branch.cmp));
		put_block(f, "on_true", i->u.branch.on_true);
		put_block(f, "on_false", i->u.branch.on_false);
		break;
	case BIR_IT_JUMP: put_block(f, "target", i->u.branch.on_true); break;
	case BIR_IT_BRANCH_HINT:
		fprintf(f, " hint=%d branch=%s", i->u.hint.hint,
		        i->u.hint.branch ? i->u.hint.branch->name : "?");
		break;
	case BIR_IT_CALL:
		fprintf(f, " callee=%s", i->u.callee ? i->u.callee->name : "?");
		break;
	case BIR_IT_GROUP_RESET: put_reset(f, &i->u.greset); break;
	case BIR_IT_DRAIN: fprintf(f, " count=%d", i->u.drain); break;
	case BIR_IT_CORE_BARRIER:
		fprintf(f, " id=%d cores=%d", i->u.cbar.id, i->u.cbar.ncore);
		break;
	case BIR_IT_PROC_RANK:
	case BIR_IT_GLOBAL_RANK:
		fprintf(f, " world=%d iter=%d channel=%d", i->u.rank.world,
		        i->u.rank.iter, i->u.rank.channel);
		break;
	case BIR_IT_LOOP:
	case BIR_IT_DYN_LOOP:
	case BIR_IT_DO_WHILE: put_loop(f, i); break;
	default: break;
	}
}

void print_payload(FILE *f, const struct bir_inst *i)
{
	switch (i->it) {
	case BIR_IT_TENSOR_TENSOR:
	case BIR_IT_TENSOR_REDUCE:
	case BIR_IT_TENSOR_SCALAR:
	case BIR_IT_TENSOR_SCALAR_PTR:
	case BIR_IT_REG_ALU: put_alu(f, i); break;
	case BIR_IT_MEMSET:
		if (i->u.memset.random)
			fputs(" random", f);
		else
			fprintf(f, " fill=0x%08" PRIX32, i->u.memset.fill);
		break;
	case BIR_IT_IOTA: put_pairs(f, &i->u.iota); break;
	case BIR_IT_MATCH_REPLACE:
		fprintf(f, " replace=0x%08" PRIX32, i->u.replace);
		break;
	case BIR_IT_COPY_PREDICATED:
		fputs(i->u.cpred.reverse ? " reverse" : "", f);
		fputs(i->u.cpred.false_fill ? " false_fill" : "", f);
		fputs(i->u.cpred.can_read_uninit ? " can_read_uninit" : "", f);
		fputs(i->u.cpred.reduce ? " reduce" : "", f);
		break;
	case BIR_IT_GENERIC_COPY:
	case BIR_IT_TENSOR_COPY:
		fputs(i->u.can_read_uninit ? " can_read_uninit" : "", f);
		break;
	case BIR_IT_DVE_READ_ACC:
		fputs(i->u.negated ? " negated" : "", f);
		break;
	case BIR_IT_DMA_TRIGGER:
	case BIR_IT_DMA_BLOCK:
	case BIR_IT_SWITCH_QUEUE:
	case BIR_IT_RESET_QUEUE:
	case BIR_IT_DMA_COPY:
	case BIR_IT_LOAD:
	case BIR_IT_SAVE: put_dma(f, i); break;
	default: put_control(f, i);
	}
}
