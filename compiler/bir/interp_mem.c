/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the interpreter: a view for each location, into bytes of its own
 * or into the flat memory it is placed in; registers; operands as walks over
 * their elements.  Every address is checked against the operand's tensor, so
 * no other code here can reach outside.
 */
#include "compiler/bir/bir_build.h"
#include "compiler/bir/interp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAM_MAX ((int64_t)1 << 31) /* bytes of flat DRAM we would hold */

bool interp_fail(struct bir_interp *t, const struct bir_inst *i, const char *id,
                 const char *format, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	return bir_fail(t->m, i->pos, t->err, id, "%s %.48s: %s",
	                bir_it_text(i->it), i->name, text);
}

size_t bir_loc_bytes(const struct bir_loc *l)
{
	return (size_t)(l->partitions * l->row_bytes);
}

/* ------------------------------------------------------------ views */

static bool placed_view(struct bir_interp *t, const struct bir_loc *l,
                        struct interp_view *v)
{
	int64_t pitch = l->mem == BIR_PSUM ? t->psum_pitch : t->sbuf_pitch;
	uint8_t *flat = l->mem == BIR_PSUM ? t->psum : t->sbuf;

	if (l->mem == BIR_DRAM) {
		/* dram_bytes covers it: that is how it was made */
		v->base = t->dram + l->addr;
		v->pitch = l->row_bytes;
		return true;
	}
	if (l->part < 0 || l->byte < 0 || l->part + l->partitions > 128 ||
	    l->byte + l->row_bytes > pitch)
		return bir_fail(t->m, l->pos, t->err, "BIR030",
		                "tensor %s is placed outside of its memory",
		                l->name);
	v->base = flat + l->part * pitch + l->byte;
	v->pitch = pitch;
	return true;
}

static bool make_view(struct bir_interp *t, const struct bir_loc *l)
{
	struct interp_view *v = &t->view[l->id];
	int64_t r;

	if (l->row_bytes < 1 || l->partitions < 1 || l->partitions > 128 ||
	    l->row_bytes > DRAM_MAX)
		return bir_fail(t->m, l->pos, t->err, "BIR030",
		                "tensor %s has no size we could hold", l->name);
	if (l->placed) {
		if (!placed_view(t, l, v))
			return false;
	} else {
		v->base = calloc(bir_loc_bytes(l), 1);
		v->pitch = l->row_bytes;
		v->own = true;
		if (!v->base)
			return bir_fail(t->m, l->pos, t->err, "BIR001",
			                "out of memory for %s", l->name);
	}
	for (r = 0; l->init && r < l->partitions; r++)
		memcpy(v->base + r * v->pitch, l->init + r * l->row_bytes,
		       (size_t)l->row_bytes);
	return true;
}

static bool flat_dram(struct bir_interp *t)
{
	const struct bir_loc *l;

	for (l = t->m->loc; l; l = l->next) {
		if (l->mem != BIR_DRAM || !l->placed)
			continue;
		if (l->addr < 0 || l->row_bytes > DRAM_MAX ||
		    l->addr > DRAM_MAX - l->row_bytes)
			return bir_fail(t->m, l->pos, t->err, "BIR030",
			                "tensor %s ends past the DRAM that is "
			                "interpreted",
			                l->name);
		if (l->addr + l->row_bytes > t->dram_bytes)
			t->dram_bytes = l->addr + l->row_bytes;
	}
	return true;
}

bool interp_memory_new(struct bir_interp *t)
{
	const struct bir_pos none = {0, 0};
	const struct bir_loc *l;

	t->sbuf_pitch = t->m->gen == 2   ? TPB_SBUF_BYTES_GEN2
	                : t->m->gen == 4 ? TPB_SBUF_BYTES_GEN4
	                                 : TPB_SBUF_BYTES_GEN3;
	t->psum_pitch = TPB_PSUM_BYTES_GEN3;
	if (!flat_dram(t))
		return false;
	t->nview = t->m->nloc;
	t->view = calloc((size_t)t->nview + 1, sizeof *t->view);
	t->sbuf = calloc(128, (size_t)t->sbuf_pitch);
	t->psum = calloc(128, (size_t)t->psum_pitch);
	t->dram = calloc((size_t)t->dram_bytes + 1, 1);
	if (!t->view || !t->sbuf || !t->psum || !t->dram)
		return bir_fail(t->m, none, t->err, "BIR001", "out of memory");
	for (l = t->m->loc; l; l = l->next)
		if (!make_view(t, l))
			return false;
	return true;
}

void interp_memory_free(struct bir_interp *t)
{
	int k;

	for (k = 0; k < t->nview; k++)
		if (t->view && t->view[k].own)
			free(t->view[k].base);
	free(t->view);
	free(t->sbuf);
	free(t->psum);
	free(t->dram);
}

static const struct bir_loc *tensor(const struct bir_interp *t,
                                    const char *name, size_t n,
                                    struct bir_error *err)
{
	const struct bir_loc *l = bir_loc_find(t->m, name);
	const struct bir_pos none = {0, 0};

	if (!l || l->id >= t->nview)
		bir_fail(t->m, none, err, "BIR031", "no tensor %s", name);
	else if (n != bir_loc_bytes(l))
		bir_fail(t->m, l->pos, err, "BIR031",
		         "tensor %s has %zu bytes, not %zu", name,
		         bir_loc_bytes(l), n);
	else
		return l;
	return NULL;
}

bool bir_interp_load(struct bir_interp *t, const char *name, const void *bytes,
                     size_t n, struct bir_error *err)
{
	const struct bir_loc *l = tensor(t, name, n, err);
	const uint8_t *from = bytes;
	int64_t r;

	if (!l)
		return false;
	for (r = 0; r < l->partitions; r++)
		memcpy(t->view[l->id].base + r * t->view[l->id].pitch,
		       from + r * l->row_bytes, (size_t)l->row_bytes);
	return true;
}

bool bir_interp_read(const struct bir_interp *t, const char *name, void *bytes,
                     size_t n, struct bir_error *err)
{
	const struct bir_loc *l = tensor(t, name, n, err);
	uint8_t *to = bytes;
	int64_t r;

	if (!l)
		return false;
	for (r = 0; r < l->partitions; r++)
		memcpy(to + r * l->row_bytes,
		       t->view[l->id].base + r * t->view[l->id].pitch,
		       (size_t)l->row_bytes);
	return true;
}

/* ------------------------------------------------------------ registers */

uint64_t interp_reg(const struct bir_interp *t, const struct bir_reg *r,
                    enum bir_half half)
{
	const uint32_t *file = t->file[r->engine];
	uint64_t v = t->reg[r->id];

	if (r->phys >= 0 && r->phys < 63) {
		v = file[r->phys];
		if (r->bits == 64)
			v |= (uint64_t)file[r->phys + 1] << 32;
	}
	if (half == BIR_HI)
		return v >> 32;
	if (half == BIR_LO || r->bits == 32)
		return v & 0xFFFFFFFFu;
	return v;
}

void interp_set(struct bir_interp *t, const struct bir_reg *r,
                enum bir_half half, uint64_t v)
{
	uint64_t old = interp_reg(t, r, BIR_WHOLE);

	if (half == BIR_LO)
		v = (old & ~(uint64_t)0xFFFFFFFFu) | (v & 0xFFFFFFFFu);
	else if (half == BIR_HI)
		v = (old & 0xFFFFFFFFu) | v << 32;
	if (r->bits == 32)
		v &= 0xFFFFFFFFu;
	if (r->phys >= 0 && r->phys < 63) {
		t->file[r->engine][r->phys] = (uint32_t)v;
		if (r->bits == 64)
			t->file[r->engine][r->phys + 1] = (uint32_t)(v >> 32);
	} else {
		t->reg[r->id] = v;
	}
}

int64_t interp_signed(int dtype, uint64_t bits)
{
	switch (dtype) {
	case TPB_BIR_DTYPE_INT8: return (int8_t)bits;
	case TPB_BIR_DTYPE_UINT8: return (uint8_t)bits;
	case TPB_BIR_DTYPE_INT16: return (int16_t)bits;
	case TPB_BIR_DTYPE_UINT16: return (uint16_t)bits;
	case TPB_BIR_DTYPE_INT32: return (int32_t)bits;
	case TPB_BIR_DTYPE_UINT32: return (uint32_t)bits;
	default: return (int64_t)bits;
	}
}

bool interp_expr(struct bir_interp *t, const struct bir_inst *i,
                 const struct bir_expr *e, int64_t *v)
{
	const struct bir_term *term;
	struct interp_walk w;
	int64_t x, sum = e->c;
	int k;

	for (k = 0; k < e->nterm; k++) {
		term = &e->term[k];
		if (term->reg) {
			x = (int64_t)interp_reg(t, term->reg, BIR_WHOLE);
			if (term->reg->bits == 32)
				x = (int32_t)x;
		} else {
			if (!interp_open(t, i, term->index, &w, NULL))
				return false;
			x = interp_signed(w.dtype, interp_get(&w));
		}
		if (__builtin_mul_overflow(x, term->coef, &x) ||
		    __builtin_add_overflow(sum, x, &sum))
			return interp_fail(t, i, "BIR032",
			                   "expression overflows");
	}
	*v = sum;
	return true;
}

/* ------------------------------------------------------------ operands */

/* Flat byte of an address in a register. */
static bool from_register(struct bir_interp *t, const struct bir_inst *i,
                          const struct bir_arg *a, int64_t *flat)
{
	const struct bir_loc *l = a->loc;
	uint64_t v = interp_reg(t, a->reg, BIR_WHOLE), row;
	bool scalar =
	    i->it == BIR_IT_TENSOR_LOAD || i->it == BIR_IT_TENSOR_SAVE;
	int64_t part, byte;

	if (!bir_on_chip(l)) {
		*flat = (int64_t)v + a->offset - (scalar ? l->addr : 0);
		return true;
	}
	if (!l->placed)
		return interp_fail(t, i, "BIR032",
		                   "%s has a register address but no place",
		                   l->name);
	if (a->reg->bits == 64)
		v -= (uint64_t)1 << 36;
	v += (uint64_t)a->offset;
	if (v >> 29 || (v >> 25 & 1) != (l->mem == BIR_PSUM))
		return interp_fail(t, i, "BIR032",
		                   "0x%" PRIX64 " is no address of %s", v,
		                   bir_mem_text(l->mem));
	row = l->mem == BIR_PSUM ? 15 : 18;
	part = (int64_t)((v & 0x1FFFFFF) >> row) - l->part;
	byte = (int64_t)(v & (((uint64_t)1 << row) - 1)) - l->byte;
	if (byte < 0 || byte >= l->row_bytes)
		part = -1;
	*flat = part < 0 ? -1 : part * l->row_bytes + byte;
	return true;
}

/* Is every element inside the tensor, and on chip inside its row? */
static bool contained(const struct bir_arg *a, int64_t flat0)
{
	const struct bir_loc *l = a->loc;
	struct bir_arg copy = *a;
	int64_t lo, hi, all = l->partitions * l->row_bytes;

	copy.offset = flat0;
	bir_ap_span(&copy, &lo, &hi);
	if (flat0 < 0 || lo < 0 || hi > all)
		return false;
	if (!bir_on_chip(l))
		return true;
	copy.pair[0].num = 1;
	copy.offset = flat0 % l->row_bytes;
	bir_ap_span(&copy, &lo, &hi);
	return lo >= 0 && hi <= l->row_bytes;
}

bool interp_open(struct bir_interp *t, const struct bir_inst *i,
                 const struct bir_arg *a, struct interp_walk *w, bool *inside)
{
	int64_t flat = a->offset, v = 0;
	bool in;
	int d;

	memset(w, 0, sizeof *w);
	w->size = bir_dtype_size(a->dtype);
	w->dtype = a->dtype;
	w->row = a->loc->row_bytes;
	w->view = &t->view[a->loc->id];
	if (a->kind == BIR_ARG_SYM) {
		if (!interp_expr(t, i, a->expr, &v))
			return false;
		if (v > INT32_MAX * (int64_t)16 || v < -INT32_MAX * (int64_t)16)
			flat = -1;
		else
			flat += v * w->size;
	} else if (a->kind == BIR_ARG_REGAP && !from_register(t, i, a, &flat)) {
		return false;
	}
	in = w->size && contained(a, flat);
	if (inside)
		*inside = in;
	else if (!in)
		return interp_fail(t, i, "BIR032",
		                   "byte %" PRId64 " on: the pattern leaves %s",
		                   flat, a->loc->name);
	w->flat0 = w->flat = flat;
	w->n = a->npair;
	for (d = 0; d < w->n; d++) {
		w->step[d] = a->pair[d].step * w->size;
		w->num[d] = a->pair[d].num;
	}
	return true;
}

struct interp_walk interp_channel(const struct interp_walk *w, int64_t p)
{
	struct interp_walk c = *w;

	c.flat = c.flat0 = w->flat0 + p * w->step[0];
	c.num[0] = 1;
	memset(c.at, 0, sizeof c.at);
	return c;
}

static uint8_t *byte_at(const struct interp_walk *w)
{
	return w->view->base + w->flat / w->row * w->view->pitch +
	       w->flat % w->row;
}

uint64_t interp_get(const struct interp_walk *w)
{
	const uint8_t *p = byte_at(w);
	uint64_t v = 0;
	int k;

	for (k = w->size - 1; k >= 0; k--)
		v = v << 8 | p[k];
	return v;
}

void interp_put(const struct interp_walk *w, uint64_t bits)
{
	uint8_t *p = byte_at(w);
	int k;

	for (k = 0; k < w->size; k++, bits >>= 8)
		p[k] = (uint8_t)bits;
}

void interp_next(struct interp_walk *w)
{
	int d;

	for (d = w->n - 1; d >= 0; d--) {
		w->flat += w->step[d];
		if (++w->at[d] < w->num[d])
			return;
		w->flat -= w->step[d] * w->num[d];
		w->at[d] = 0;
	}
}

/* ------------------------------------------------------------ values */

uint64_t interp_move(struct bir_interp *t, int from, int to, uint64_t bits)
{
	if (from == to)
		return bits;
	return num_narrow(&t->num, to, num_widen(from, bits));
}

uint64_t interp_store(struct bir_interp *t, const struct interp_walk *w,
                      uint32_t f)
{
	return num_narrow(&t->num, w->dtype, f);
}

uint64_t interp_imm(struct bir_interp *t, const struct bir_arg *a, int dtype)
{
	if (bir_dtype_float(a->dtype) || bir_dtype_float(dtype))
		return interp_move(t, a->dtype, dtype, a->imm);
	return num_clamp(dtype, interp_signed(a->dtype, a->imm));
}
