/* SPDX-License-Identifier: Apache-2.0
 *
 * alloc_mem (67): a place for every tensor that came without one.
 *
 * On chip, first fit from partition 0, the largest rows first: SBUF at
 * multiples of 64 bytes, PSUM by whole banks.  Bytes are shared only by
 * tensors whose live ranges do not meet.  A live range is
 *
 *   first to last toucher    all touchers in one block, first a full write
 *   the whole carrier        all touchers inside one structured loop
 *   everything               all other cases
 *
 * DRAM is never reused: inputs, outputs, constants, internal tensors, in this
 * order, 64-byte aligned, one variable id each.
 *
 * After: every location has a place.  Tensors placed by the source keep
 * theirs, checked against the memory.
 * Cost: n log n in instructions; tensors times placed tensors for the search,
 * because any of them can be in the way.
 */
#include "compiler/passes/alloc_mem.h"
#include "compiler/passes/footprint.h"
#include "compiler/passes/pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ACCESS 64
#define UNIT 64
#define DRAM_FIRST 0x1000

/* What is known of a location's use; index by id. */
struct use {
	struct bir_loc *l;
	int first, last;          /* touchers, in linear order; -1 none */
	struct bir_block *top;    /* the one block that touches it */
	struct bir_inst *carrier; /* the one outermost carrier, or NULL */
	bool spread;              /* several blocks, or in and out of a loop */
	bool written;             /* the first access writes all of it */
};

struct alloc {
	struct bir_module *m;
	struct pass_ctx *c;
	struct use *use;
	int clock;
	int *carrier_end; /* by instruction id */
	int64_t sbuf, psum;
};

static struct bir_inst *outermost(const struct bir_inst *i)
{
	struct bir_inst *carrier = NULL;

	for (struct bir_block *b = i->block; b->region->owner;
	     b = carrier->block)
		carrier = b->region->owner;
	return carrier;
}

static bool full_write(const struct bir_inst *i, const struct bir_access *x)
{
	const struct bir_loc *l = x->arg->loc;
	struct pass_rect r, whole = {0, 0, l->partitions, 0, l->row_bytes};

	if (!x->write || i->pred || x->arg->kind != BIR_ARG_AP ||
	    i->block != i->block->region->first)
		return false;
	pass_footprint(x->arg, &r);
	if (!l->placed)
		whole.space = r.space;
	return pass_rect_holds(&r, &whole) &&
	       bir_ap_count(x->arg) * bir_dtype_size(x->arg->dtype) >=
	           l->partitions * l->row_bytes;
}

static bool touch(struct bir_inst *i, void *ctx)
{
	struct alloc *s = ctx;
	struct bir_access x[MAX_ACCESS];
	int n = bir_accesses(i, x, MAX_ACCESS);
	struct bir_inst *carrier = outermost(i);
	struct bir_block *top = pass_top(i->block);

	s->clock++;
	if (carrier)
		s->carrier_end[carrier->id] = s->clock;
	if (bir_is_body(i))
		i->order = s->clock;
	for (int k = 0; k < n && k < MAX_ACCESS; k++) {
		struct use *u = &s->use[x[k].arg->loc->id];

		if (u->first < 0) {
			u->first = s->clock;
			u->top = top;
			u->carrier = carrier;
			u->written = full_write(i, &x[k]);
		}
		u->spread |= u->top != top || u->carrier != carrier;
		u->last = s->clock;
	}
	return true;
}

static void live_ranges(struct alloc *s)
{
	for (struct bir_loc *l = s->m->loc; l; l = l->next) {
		struct use *u = &s->use[l->id];

		u->l = l;
		if (u->first < 0)
			u->first = u->last = 0;
		else if (u->spread || l->placed || l->kind != BIR_INTERNAL ||
		         (!u->written && !u->carrier)) {
			u->first = 0;
			u->last = s->clock;
		} else if (u->carrier) {
			u->first = u->carrier->order;
			u->last = s->carrier_end[u->carrier->id];
			if (!u->written) {
				u->first = 0;
				u->last = s->clock;
			}
		}
	}
}

/* ---- on chip ---- */

static int by_need(const void *a, const void *b)
{
	const struct use *x = *(struct use *const *)a;
	const struct use *y = *(struct use *const *)b;

	if (x->l->row_bytes != y->l->row_bytes)
		return x->l->row_bytes < y->l->row_bytes ? 1 : -1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return strcmp(x->l->name, y->l->name);
}

static int by_byte(const void *a, const void *b)
{
	const struct bir_loc *x = *(struct bir_loc *const *)a;
	const struct bir_loc *y = *(struct bir_loc *const *)b;

	return x->byte < y->byte ? -1 : x->byte > y->byte;
}

/* Lowest place in the memory for u, or -1. */
static int64_t first_fit(const struct use *u, const struct use *all,
                         struct bir_loc **placed, int nplaced, int64_t unit,
                         int64_t limit)
{
	int64_t at = 0;

	for (int k = 0; k < nplaced; k++) {
		const struct bir_loc *p = placed[k];
		const struct use *v = &all[p->id];
		int64_t end = p->byte + p->row_bytes;

		if (v->last < u->first || u->last < v->first ||
		    p->part >= u->l->partitions || end <= at)
			continue;
		if (p->byte >= at + u->l->row_bytes)
			break;
		at = (end + unit - 1) / unit * unit;
	}
	return at + u->l->row_bytes <= limit ? at : -1;
}

static bool no_room(struct alloc *s, const struct use *u,
                    struct bir_loc **placed, int nplaced, int64_t limit)
{
	char list[120] = "";
	const struct bir_loc *big[5] = {NULL};

	for (int k = 0; k < nplaced; k++) {
		const struct bir_loc *p = placed[k];

		if (s->use[p->id].last < u->first ||
		    u->last < s->use[p->id].first)
			continue;
		for (int j = 0; j < 5; j++)
			if (!big[j] || p->row_bytes > big[j]->row_bytes) {
				memmove(&big[j + 1], &big[j],
				        (size_t)(4 - j) * sizeof *big);
				big[j] = p;
				break;
			}
	}
	for (int j = 0; j < 5 && big[j]; j++) {
		size_t n = strlen(list);

		snprintf(list + n, sizeof list - n, "%s%.16s %lld",
		         j ? ", " : "", big[j]->name,
		         (long long)big[j]->row_bytes);
	}
	struct bir_inst at = {.pos = u->l->pos};

	return pass_fail(s->c, s->m, &at, "CMP006",
	                 "tensor %.40s: no room for %lld bytes a partition, "
	                 "limit %lld; live beside it: %s; split it or reuse "
	                 "one",
	                 u->l->name, (long long)u->l->row_bytes,
	                 (long long)limit, nplaced ? list : "nothing");
}

static bool check_placed(struct alloc *s, const struct bir_loc *l,
                         int64_t limit)
{
	struct bir_inst at = {.pos = l->pos};

	if (l->part >= 0 && l->byte >= 0 && l->part + l->partitions <= 128 &&
	    l->byte + l->row_bytes <= limit &&
	    l->byte % bir_dtype_size(l->dtype) == 0)
		return true;
	return pass_fail(
	    s->c, s->m, &at, "CMP007",
	    "tensor %.60s: partitions %d..%lld, bytes %lld..%lld "
	    "are outside of memory or not aligned to %s; limit "
	    "128 partitions of %lld bytes",
	    l->name, l->part, (long long)(l->part + l->partitions - 1),
	    (long long)l->byte, (long long)(l->byte + l->row_bytes - 1),
	    bir_dtype_text(l->dtype), (long long)limit);
}

static bool on_chip(struct alloc *s, enum bir_mem mem, int64_t unit,
                    int64_t limit, int *made)
{
	size_t n = (size_t)s->m->nloc;
	struct bir_loc **placed = arena_array(s->c->scratch, n, sizeof *placed);
	struct use **need = arena_array(s->c->scratch, n, sizeof *need);
	int np = 0, nn = 0;

	for (struct bir_loc *l = s->m->loc; l; l = l->next) {
		if (l->mem != mem)
			continue;
		if (l->placed && !check_placed(s, l, limit))
			return false;
		if (l->placed)
			placed[np++] = l;
		else
			need[nn++] = &s->use[l->id];
	}
	qsort(need, (size_t)nn, sizeof *need, by_need);
	qsort(placed, (size_t)np, sizeof *placed, by_byte);
	for (int k = 0; k < nn; k++) {
		struct bir_loc *l = need[k]->l;
		int64_t at =
		    l->partitions > 128
		        ? -1
		        : first_fit(need[k], s->use, placed, np, unit, limit);

		if (at < 0)
			return no_room(s, need[k], placed, np, limit);
		bir_loc_place(l, 0, at);
		int j = np++;

		for (; j > 0 && placed[j - 1]->byte > at; j--)
			placed[j] = placed[j - 1];
		placed[j] = l;
	}
	*made += nn;
	return true;
}

/* ---- DRAM ---- */

void alloc_mem_dram(struct bir_module *m, struct bir_loc *loc)
{
	int64_t at = DRAM_FIRST;
	int var = loc->var;

	for (const struct bir_loc *l = m->loc; l; l = l->next)
		if (l->mem == BIR_DRAM && l->placed) {
			int64_t end = l->addr + l->row_bytes;

			at = end > at ? end : at;
			if (!loc->var && l->var >= var)
				var = l->var + 1;
		}
	bir_loc_place_dram(loc, (at + UNIT - 1) / UNIT * UNIT, var ? var : 1);
}

/* Next address from *at on where size bytes meet no tensor with a fixed
 * place. */
static int64_t dram_next(const struct bir_module *m, int64_t at, int64_t size)
{
	for (bool again = true; again;) {
		again = false;
		for (const struct bir_loc *l = m->loc; l; l = l->next)
			if (l->mem == BIR_DRAM && l->placed && l->fixed &&
			    at < l->addr + l->row_bytes &&
			    l->addr < at + size) {
				at = l->addr + l->row_bytes;
				at = (at + UNIT - 1) / UNIT * UNIT;
				again = true;
			}
	}
	return at;
}

static bool dram(struct alloc *s, int *made)
{
	static const enum bir_kind order[] = {BIR_INPUT, BIR_OUTPUT_T,
	                                      BIR_CONST, BIR_INTERNAL};
	int64_t at = DRAM_FIRST;
	int var = 1;

	for (struct bir_loc *l = s->m->loc; l; l = l->next)
		if (l->mem == BIR_DRAM && l->var >= var)
			var = l->var + 1;
	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (struct bir_loc *l = s->m->loc; l; l = l->next) {
			struct bir_inst pos = {.pos = l->pos};

			if (l->mem != BIR_DRAM || l->kind != order[k] ||
			    (l->placed && l->var))
				continue;
			if (!l->placed)
				at = dram_next(s->m, at, l->row_bytes);
			int64_t addr = l->placed ? l->addr : at;

			if (addr < 0 ||
			    addr > pass_dram_bytes(s->m) - l->row_bytes)
				return pass_fail(
				    s->c, s->m, &pos, "CMP006",
				    "tensor %.60s: no room for %lld bytes of "
				    "DRAM, limit %lld; make it smaller",
				    l->name, (long long)l->row_bytes,
				    (long long)pass_dram_bytes(s->m));
			if (!l->placed)
				at += (l->row_bytes + UNIT - 1) / UNIT * UNIT;
			bir_loc_place_dram(l, addr, l->var ? l->var : var++);
			(*made)++;
		}
	return true;
}

bool pass_alloc_mem(struct bir_module *m, struct pass_ctx *c)
{
	struct alloc s = {.m = m, .c = c};
	int sb = 0, ps = 0, dr = 0;

	s.use = arena_array(c->scratch, (size_t)m->nloc + 1, sizeof *s.use);
	s.carrier_end =
	    arena_array(c->scratch, (size_t)m->ninst + 1, sizeof(int));
	for (int k = 0; k < m->nloc; k++)
		s.use[k].first = -1;
	for (struct bir_func *f = m->first; f; f = f->next)
		if (!pass_each(&f->body, touch, &s))
			return false;
	live_ranges(&s);
	if (!on_chip(&s, BIR_SBUF, UNIT, pass_sbuf_bytes(m, c), &sb) ||
	    !on_chip(&s, BIR_PSUM, TPB_PSUM_BANK_BYTES_GEN3, pass_psum_bytes(m),
	             &ps) ||
	    !dram(&s, &dr))
		return false;
	pass_stat(c, "placed sbuf=%d psum=%d dram=%d", sb, ps, dr);
	return true;
}
