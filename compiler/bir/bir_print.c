/* SPDX-License-Identifier: Apache-2.0
 *
 * The dump: a line for each location, register, queue and instruction, with
 * named operands and fields.  Stable: it depends on the module only, so two
 * dumps can be compared with diff.
 *
 *   name @Engine Op dst=out{[128,64][1,8]}:float32 src=... op=add ; 12:5
 */
#include "compiler/bir/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_expr(FILE *f, const struct bir_expr *e);

static void put_arg(FILE *f, const struct bir_arg *a)
{
	static const char *const half[] = {"", ".lo", ".hi"};
	int d;

	if (!a) {
		fputs("none", f);
		return;
	}
	switch (a->kind) {
	case BIR_ARG_IMM:
		if (a->dtype == TPB_BIR_DTYPE_FLOAT32)
			fprintf(f, "0x%08" PRIX64, a->imm);
		else
			fprintf(f, "%" PRId64, (int64_t)a->imm);
		break;
	case BIR_ARG_SYMIMM: put_expr(f, a->expr); break;
	case BIR_ARG_REG:
		fprintf(f, "%%%s%s", a->reg->name, half[a->half]);
		return;
	case BIR_ARG_ADDR:
		fprintf(f, "&%s+%" PRId64, a->loc->name, a->offset);
		return;
	default:
		fputs(a->loc ? a->loc->name : "?", f);
		if (a->offset)
			fprintf(f, "+%" PRId64, a->offset);
		if (a->kind == BIR_ARG_SYM)
			put_expr(f, a->expr);
		if (a->kind == BIR_ARG_REGAP)
			fprintf(f, "@%%%s", a->reg ? a->reg->name : "?");
		fputc('{', f);
		for (d = 0; d < a->npair; d++)
			fprintf(f, "[%" PRId64 ",%" PRId64 "]", a->pair[d].step,
			        a->pair[d].num);
		fputc('}', f);
	}
	fprintf(f, ":%s", bir_dtype_text(a->dtype));
}

static void put_expr(FILE *f, const struct bir_expr *e)
{
	int k;

	fprintf(f, "(%" PRId64, e ? e->c : 0);
	for (k = 0; e && k < e->nterm; k++) {
		fprintf(f, " + %" PRId64 "*", e->term[k].coef);
		if (e->term[k].reg)
			fprintf(f, "%%%s", e->term[k].reg->name);
		else
			put_arg(f, e->term[k].index);
	}
	fputc(')', f);
}

/* "src" of the k-th entry of "src:a scalar0:air ?scalar1:air". */
static void put_role(FILE *f, const char *roles, int k)
{
	size_t n;

	while (k-- > 0 && *roles) {
		roles += strcspn(roles, " ");
		roles += *roles == ' ';
	}
	roles += *roles == '?';
	n = strcspn(roles, ":");
	if (n)
		fprintf(f, " %.*s=", (int)n, roles);
	else
		fputs(" extra=", f);
}

/* Bound: the bank's entry; unbound: the synchronizer's number. */
static void put_sem(FILE *f, bool event, int vid, int id)
{
	fprintf(f, "%s", event ? "evt" : "sem");
	if (id >= 0)
		fprintf(f, "%d", id);
	else
		fprintf(f, "?%d", vid);
}

static void put_sync(FILE *f, const struct bir_inst *i)
{
	static const char *const mode[] = {"set", "add", "sub",    "inc",
	                                   "dec", "wr",  "invalid"};
	const struct bir_wait *w;
	const struct bir_update *u;
	const struct bir_pred *p;

	for (p = i->pred; p; p = p->next) {
		fputs(" if", f);
		put_expr(f, p->expr);
		fprintf(f, ":\"%s\"", bir_cmp_text(p->cmp));
	}
	for (w = i->wait; w; w = w->next) {
		fputs(" wait(", f);
		put_sem(f, w->event, w->vid, w->id);
		if (w->reg)
			fprintf(f, " >= %%%s", w->reg->name);
		else if (!w->event)
			fprintf(f, " >= %" PRId64, w->value);
		if (w->from)
			fprintf(f, " from %s", w->from->name);
		fputc(')', f);
	}
	for (u = i->update; u; u = u->next) {
		fputs(" post(", f);
		put_sem(f, u->event, u->vid, u->id);
		fprintf(f, " %s",
		        u->mode >= 0 && u->mode < 7 ? mode[u->mode] : "?");
		if (u->mode != TPB_BIR_UPDATE_INC &&
		    u->mode != TPB_BIR_UPDATE_DEC && !u->event)
			fprintf(f, " %" PRId64, u->value);
		if (u->core >= 0)
			fprintf(f, " core %d", u->core);
		fputc(')', f);
	}
}

/* Predecessors by creation, so that the order of adding does not show. */
static int by_id(const void *a, const void *b)
{
	const struct bir_dep *x = *(struct bir_dep *const *)a;
	const struct bir_dep *y = *(struct bir_dep *const *)b;

	return (x->pred->id > y->pred->id) - (x->pred->id < y->pred->id);
}

static void put_deps(FILE *f, const struct bir_inst *i)
{
	struct bir_dep **list, *d;
	size_t n = 0, k;

	for (d = i->preds; d; d = d->in_next)
		n++;
	list = n ? malloc(n * sizeof(struct bir_dep *)) : NULL;
	if (!list)
		return;
	for (n = 0, d = i->preds; d; d = d->in_next)
		list[n++] = d;
	qsort(list, n, sizeof *list, by_id);
	fputs(" after(", f);
	for (k = 0; k < n; k++)
		fprintf(f, "%s%s:%s%s", k ? " " : "", list[k]->pred->name,
		        bir_edge_text(list[k]->kind),
		        list[k]->carried ? ":carried" : "");
	fputc(')', f);
	free(list);
}

static void put_inst(FILE *f, const struct bir_inst *i, int indent)
{
	const struct bir_opinfo *op = bir_op(i->it);
	int k;

	fprintf(f, "%*s%s @%s %s", indent, "", i->name,
	        bir_engine_text(i->engine), bir_it_text(i->it));
	for (k = 0; k < i->nout && k < BIR_OUTS; k++) {
		put_role(f, op ? op->outs : "", k);
		put_arg(f, i->out[k]);
	}
	for (k = 0; k < i->nin && k < BIR_INS; k++) {
		put_role(f, op ? op->ins : "", k);
		put_arg(f, i->in[k]);
	}
	print_payload(f, i);
	put_sync(f, i);
	put_deps(f, i);
	if (i->pos.line)
		fprintf(f, " ; %d:%d", i->pos.line, i->pos.col);
	fputc('\n', f);
}

static void put_region(FILE *f, const struct bir_region *r, int indent)
{
	const struct bir_block *b;
	const struct bir_inst *i;

	for (b = r->first; b; b = b->next) {
		fprintf(f, "%*s%s:", indent, "", b->name);
		if (b->origin != b)
			fprintf(f, " ; of %s", b->origin->name);
		fputc('\n', f);
		for (i = b->first; i; i = i->next) {
			put_inst(f, i, indent + 2);
			if (bir_is_body(i))
				put_region(f, &i->u.loop.body, indent + 4);
		}
	}
}

static void put_loc(FILE *f, const struct bir_loc *l)
{
	static const char *const kind[] = {"internal", "input", "output",
	                                   "const"};
	int d;

	fprintf(f, "loc %s %s %s %s[", l->name, bir_mem_text(l->mem),
	        kind[l->kind], bir_dtype_text(l->dtype));
	for (d = 0; d < l->rank; d++)
		fprintf(f, "%s%" PRId64, d ? "," : "", l->shape[d]);
	fputc(']', f);
	if (l->placed && bir_on_chip(l))
		fprintf(f, " part=%d byte=%" PRId64, l->part, l->byte);
	else if (l->placed)
		fprintf(f, " addr=0x%" PRIX64 " var=%d", (uint64_t)l->addr,
		        l->var);
	fputs(l->fixed ? " fixed\n" : "\n", f);
}

static void put_reg(FILE *f, const struct bir_reg *r)
{
	fprintf(f, "reg %s %s %d", r->name, bir_engine_text(r->engine),
	        r->bits);
	if (r->phys >= 0)
		fprintf(f, " R%d", r->phys);
	if (r->origin)
		fprintf(f, " of %s", r->origin->name);
	fputc('\n', f);
}

static void put_queue(FILE *f, const struct bir_queue *q)
{
	const struct bir_instance *n;
	const struct bir_inst *d;
	int k;

	fprintf(f, "queue %s %s type=%d", q->name, bir_engine_text(q->engine),
	        q->type);
	if (q->sem_id >= 0 || q->sem_vid >= 0) {
		fputc(' ', f);
		put_sem(f, false, q->sem_vid, q->sem_id);
	}
	fputc('\n', f);
	for (n = q->instance; n; n = n->next) {
		fprintf(f, "  instance %s\n", n->name);
		for (k = 0; k < n->nblock; k++) {
			put_inst(f, n->block[k], 4);
			for (d = n->block[k]->u.dmablock.first; d; d = d->next)
				put_inst(f, d, 6);
		}
	}
}

char *bir_print(const struct bir_module *m)
{
	const struct bir_func *fn;
	const struct bir_loc *l;
	const struct bir_reg *r;
	const struct bir_queue *q;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	fprintf(f, "module %s gen%d cores=%d\n", m->path, m->gen, m->cores);
	for (l = m->loc; l; l = l->next)
		put_loc(f, l);
	for (r = m->reg; r; r = r->next)
		put_reg(f, r);
	for (q = m->queue; q; q = q->next)
		put_queue(f, q);
	for (fn = m->first; fn; fn = fn->next) {
		fprintf(f, "func %s\n", fn->name);
		put_region(f, &fn->body, 0);
	}
	fclose(f);
	return text;
}

char *bir_print_inst(const struct bir_module *m, const struct bir_inst *i)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	(void)m;
	if (!f)
		return NULL;
	put_inst(f, i, 0);
	fclose(f);
	if (text && n && text[n - 1] == '\n')
		text[n - 1] = '\0';
	return text;
}

char *bir_print_arg(const struct bir_arg *a)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	put_arg(f, a);
	fclose(f);
	return text;
}
