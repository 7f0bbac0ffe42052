/* SPDX-License-Identifier: Apache-2.0
 *
 * A case: its bundles, and what memory holds before it.
 *
 *   [RegisterMove]   addresses that are in registers
 *   [MatchValueLoad or a load of the accumulator]
 *   the op
 *   [FindIndex8]     shows what a MatchValueLoad loaded
 *
 * Each walk has a room of its own in the window of the case, the scalars
 * and what the additional bundles touch have the last one.
 */
#include "harness/conform_making.h"

#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* ------------------------------------------------------------------ *
 * Engine and configuration.                                          *
 * ------------------------------------------------------------------ */

static bool on_pool(uint8_t op)
{
	static const uint8_t ops[] = {TPB_OP_TT_ARITH,  TPB_OP_TT_BITVEC,
	                              TPB_OP_COPY,      TPB_OP_CAST,
	                              TPB_OP_TR_BITVEC, TPB_OP_MEMSET};

	return memchr(ops, op, sizeof(ops)) != NULL;
}

static bool is_fp8(uint8_t tag)
{
	return tag == TPB_DTYPE_FP8E3 || tag == TPB_DTYPE_FP8E4 ||
	       tag == TPB_DTYPE_FP8E5;
}

static uint64_t hash_of(const struct conform_case *c)
{
	uint64_t place = (uint64_t)c->combo << 32 | (uint64_t)c->class << 24;

	return fill_hash(c->seed, place + (uint64_t)c->index);
}

void conform_setup(struct conform_case *c, uint64_t seed, int combo,
                   enum conform_class class, int index)
{
	int n;
	const struct conform_combo *k = &conform_combos(&n)[combo];
	bool psum = class == CLASS_PSUM_SRC || class == CLASS_PSUM_DST;
	uint8_t free;

	memset(c, 0, sizeof(*c));
	c->seed = seed;
	c->combo = combo;
	c->class = class;
	c->index = index;
	c->engine = TPB_ENGINE_DVE;
	if (k->op == TPB_OP_IOTA || (on_pool(k->op) && !psum && index % 3 == 1))
		c->engine = TPB_ENGINE_POOL;
	c->fp8 = CONFORM_SATURATE;
	free = (uint8_t)(hash_of(c) >> 40);
	if (!is_fp8(k->in0) && !is_fp8(k->in1) && !is_fp8(k->out))
		return;
	switch (index % 4) {
	case 1: c->fp8 |= CONFORM_OCP; break;
	case 2: c->fp8 = free & CONFORM_OCP; break;
	case 3:
		c->fp8 = CONFORM_SUPPRESS |
		         (free & (CONFORM_OCP | CONFORM_SATURATE));
		break;
	default: break;
	}
}

/* ------------------------------------------------------------------ *
 * Sizes.                                                             *
 * ------------------------------------------------------------------ */

static void choose_counts(struct making *v)
{
	static const uint8_t usual[] = {4, 6, 8, 12, 12, 16, 18, 24};
	struct rng *rng = &v->rng;

	v->n = rng_chance(rng, 60) ? usual[rng_below(rng, COUNT(usual))]
	                           : rng_range(rng, 1, 24);
	if (rng_chance(rng, 6))
		v->n = rng_range(rng, 25, 48);
	v->m = v->n;
	switch (v->k->op) {
	case TPB_OP_READ_ACC: v->n = v->m = 1; break;
	case TPB_OP_MATCH_LOAD: v->n = 8; break;
	case TPB_OP_MAX8:
	case TPB_OP_FIND_INDEX8:
	case TPB_OP_MATCH_REPLACE8:
		if (v->n < 8)
			v->n += 8;
		v->m = v->k->op == TPB_OP_MATCH_REPLACE8 ? v->n : 8;
		break;
	case TPB_OP_TS_REDUCE:
		if (rng_chance(rng, 60))
			v->m = 1;
		break;
	case TPB_OP_TR_ARITH:
	case TPB_OP_TR_BITVEC:
		v->m = rng_range(rng, 1, 6);
		v->n = v->m * rng_range(rng, 1, 8);
		break;
	default: break;
	}
}

static int choose_channels(struct making *v)
{
	static const uint8_t usual[] = {1, 2, 5, 8, 17, 32, 32, 33, 64, 128};

	if (v->c->class == CLASS_PARTIAL)
		return rng_range(&v->rng, 1, TPB_PARTITIONS);
	return usual[rng_below(&v->rng,
	                       rng_chance(&v->rng, 85) ? 7 : COUNT(usual))];
}

/* ------------------------------------------------------------------ *
 * Shapes and places.                                                 *
 * ------------------------------------------------------------------ */

/* Somewhere in a room; pad: bytes that stay free on both sides. */
static int64_t somewhere(struct making *v, const struct conform_operand *o,
                         int64_t low, int64_t high, int room, int pad)
{
	int64_t first = (pad - low + 3) & ~(int64_t)3; /* lowest start */
	int64_t slack = CONFORM_ROOM - pad - high - first;

	slack = slack / 4 > 16 ? 16 : slack / 4;
	return (int64_t)v->c->window[o->psum] + room * CONFORM_ROOM + first +
	       4 * rng_below(&v->rng, (int)slack + 1);
}

static void place(struct making *v, struct conform_operand *o, int room)
{
	int64_t low, high;

	conform_extent(o, &low, &high);
	o->byte =
	    somewhere(v, o, low * o->size, (high + 1) * o->size + 3, room, 0);
	o->byte += o->size * rng_below(&v->rng, 4 / o->size);
}

/* The destination on source i; in elements off it when shifted. */
static void overlap(struct making *v, int i)
{
	struct conform_operand *s = &v->o[i], *d = &v->o[2];
	int64_t low, high, low2, high2;
	int shift = rng_range(&v->rng, 1, 3);

	if (v->n == v->m && s->dims == d->dims) {
		memcpy(d->step, s->step, sizeof(d->step));
		memcpy(d->count, s->count, sizeof(d->count));
	}
	conform_extent(s, &low, &high);
	conform_extent(d, &low2, &high2);
	low = low * s->size < low2 * d->size ? low * s->size : low2 * d->size;
	high = (high + 1) * s->size;
	high2 = (high2 + 1) * d->size;
	d->part = s->part;
	s->byte = somewhere(v, s, low, high > high2 ? high : high2, i, 12);
	d->byte = s->byte;
	if (v->c->class == CLASS_SHIFTED)
		d->byte += d->size * (rng_chance(&v->rng, 50) ? shift : -shift);
	v->c->hazards = true;
	v->c->dst = conform_addr(d);
}

static void choose_memories(struct making *v)
{
	struct conform_operand *o = v->o;

	if (v->c->class == CLASS_PSUM_SRC)
		o[o[1].on && rng_chance(&v->rng, 50)].psum = true;
	if (v->c->class == CLASS_PSUM_DST)
		o[2].psum = true;
	for (int i = 0; i < WALKS; i++)
		o[i].part = conform_start(&v->rng, v->c->ch);
	if (!o[0].psum && !o[1].psum)
		o[1].part = o[0].part;
}

static void shapes(struct making *v)
{
	static const enum conform_class shape[] = {
	    CLASS_CONTIGUOUS, CLASS_CONTIGUOUS, CLASS_STRIDED,
	    CLASS_NEGATIVE,   CLASS_2D,         CLASS_TRANSPOSE};
	enum conform_class class = v->c->class, c = class;
	bool source = v->o[0].on;

	for (int i = 0; i < WALKS; i++) {
		struct conform_operand *o = &v->o[i];
		if (!o->on)
			continue;
		if (class >= CLASS_IN_PLACE)
			c = shape[rng_below(&v->rng, COUNT(shape))];
		/* A destination that stands still keeps one element. */
		if (class == CLASS_BROADCAST && i == 2 && source &&
		    rng_chance(&v->rng, 80))
			c = CLASS_CONTIGUOUS;
		if ((class == CLASS_IN_PLACE || class == CLASS_SHIFTED) &&
		    i == 2)
			c = CLASS_CONTIGUOUS;
		conform_shape(&v->rng, o, i == 2 ? v->m : v->n, c);
	}
}

static void places(struct making *v)
{
	struct conform_operand *o = v->o;

	choose_memories(v);
	for (int i = 0; i < WALKS; i++)
		if (o[i].on)
			place(v, &o[i], i);
	v->c->dst = conform_addr(&o[2]);
	if (v->c->class == CLASS_IN_PLACE || v->c->class == CLASS_SHIFTED)
		overlap(v, o[1].on && rng_chance(&v->rng, 50) ? 1 : 0);
	for (int i = 0; i < SCALARS; i++) {
		if (!v->s[i].scalar)
			continue;
		v->s[i].psum = rng_chance(&v->rng, 20);
		v->s[i].part = conform_start(&v->rng, v->c->ch);
		v->s[i].byte = (int64_t)v->c->window[v->s[i].psum] +
		               LAST_ROOM * CONFORM_ROOM + 64 * i +
		               v->s[i].size * rng_below(&v->rng, 8);
	}
}

/* ------------------------------------------------------------------ *
 * Bundles.                                                           *
 * ------------------------------------------------------------------ */

static void put(struct making *v, const uint8_t *b)
{
	memcpy(v->c->bundle[v->c->nbundles++], b, TPB_BUNDLE);
}

static void begin(uint8_t *b, uint8_t op)
{
	memset(b, 0, TPB_BUNDLE);
	b[0] = op;
	b[1] = 0x10;
}

static void fill(struct making *v, const struct conform_operand *o, bool mask)
{
	struct conform_fill *f = &v->c->fill[v->c->nfills++];

	f->addr = conform_addr(o);
	f->tag = o->tag;
	f->ch = (uint8_t)v->c->ch;
	f->dims = (uint8_t)o->dims;
	f->mask = mask;
	memcpy(f->step, o->step, sizeof(f->step));
	memcpy(f->count, o->count, sizeof(f->count));
}

static uint8_t reg_for(struct making *v, uint32_t addr)
{
	v->reg[v->nregs++] = addr;
	return (uint8_t)v->nregs; /* from register 1 on */
}

static void operands(struct making *v)
{
	bool some = v->c->class == CLASS_REGISTER;
	bool mask = v->k->op == TPB_OP_COPY_PRED ||
	            v->k->op == TPB_OP_CAST_PRED ||
	            v->k->op == TPB_OP_COPY_PRED_SCALAR;

	for (int i = WALKS - 1; i >= 0; i--) {
		const struct conform_operand *o = &v->o[i];
		uint32_t addr = conform_addr(o);

		if (!o->on)
			continue;
		if (i < 2)
			fill(v, o, mask && i == 0);
		if (some && (v->nregs == 0 || rng_chance(&v->rng, 70)))
			addr = 0x80000000u | reg_for(v, addr);
		conform_write(v->b, o, addr);
	}
	for (int i = 0; i < SCALARS; i++) {
		const struct conform_operand *s = &v->s[i];
		bool in_reg = rng_chance(&v->rng, 50);
		uint32_t word = v->word[i];

		if (!s->on)
			continue;
		if (s->scalar) {
			fill(v, s, false);
			word = conform_addr(s);
			v->b[v->kind_at[i]] =
			    in_reg ? TPB_IMM_REG : TPB_IMM_POINTER;
			if (in_reg)
				word = reg_for(v, word);
		}
		conform_put(v->b + s->at, 4, word);
	}
}

/* Two registers would be the 64-bit form: one more does no harm. */
static void put_registers(struct making *v)
{
	uint8_t b[TPB_BUNDLE];
	int n = v->nregs < 3 ? 3 : v->nregs;

	if (v->nregs == 0)
		return;
	begin(b, TPB_OP_REGISTER_MOVE);
	b[0x0C] = (uint8_t)n;
	b[0x0D] = TPB_DTYPE_INT32;
	b[0x0E] = TPB_SOURCE_IMM;
	for (int i = 0; i < n; i++) {
		b[0x18 + i] = (uint8_t)(i + 1);
		conform_put(b + 0x20 + 4 * i, 4, v->reg[i]);
	}
	put(v, b);
}

/* A plain operand in the last room. */
static struct conform_operand aside(const struct making *v, int at, int dims,
                                    uint8_t tag, int n, int part, int byte)
{
	struct conform_operand o = {
	    .on = true, .tag = tag, .at = at, .dims = dims, .part = part};

	o.size = (uint8_t)isa_dtype_size(tag);
	for (int d = 0; d < dims; d++)
		o.count[d] = 1;
	o.count[0] = (uint16_t)n;
	o.step[0] = 1;
	o.byte = (int64_t)v->c->window[0] + LAST_ROOM * CONFORM_ROOM + byte;
	return o;
}

/* The match slots, from the values that the elements are drawn from. */
static void put_match_load(struct making *v)
{
	struct conform_operand o =
	    aside(v, 0x10, 2, v->k->in0, 8, v->o[2].part, 256);
	uint8_t b[TPB_BUNDLE];

	begin(b, TPB_OP_MATCH_LOAD);
	b[0x20] = v->k->in0;
	b[0x22] = (uint8_t)v->c->ch;
	conform_write(b, &o, conform_addr(&o));
	fill(v, &o, false);
	put(v, b);
}

/* What a MatchValueLoad loaded is seen by a search. */
static void put_find(struct making *v)
{
	struct conform_operand o =
	    aside(v, 0x0C, 4, v->k->in0, 24, v->o[0].part, 256);
	struct conform_operand d =
	    aside(v, 0x30, 2, TPB_DTYPE_UINT32, 8, v->o[0].part, 512);
	uint8_t b[TPB_BUNDLE];

	begin(b, TPB_OP_FIND_INDEX8);
	b[0x20] = v->k->in0;
	b[0x21] = TPB_DTYPE_UINT32;
	b[0x22] = (uint8_t)v->c->ch;
	conform_write(b, &o, conform_addr(&o));
	conform_write(b, &d, conform_addr(&d));
	fill(v, &o, false);
	put(v, b);
	v->c->dst = conform_addr(&d);
}

/* Accumulators: an element plus a word. */
static void put_acc_load(struct making *v)
{
	struct conform_operand o =
	    aside(v, 0x10, 3, TPB_DTYPE_FLOAT32, 1, v->o[2].part, 256);
	struct conform_operand d =
	    aside(v, 0x30, 3, TPB_DTYPE_FLOAT32, 1, v->o[2].part, 512);
	uint8_t b[TPB_BUNDLE];

	begin(b, TPB_OP_TS_REDUCE);
	b[0x0C] = TPB_ACC_LOAD_ACC;
	b[0x20] = b[0x21] = TPB_DTYPE_FLOAT32;
	b[0x22] = (uint8_t)v->c->ch;
	b[0x24] = TPB_ALU_BYPASS;
	b[0x25] = making_fold(v);
	conform_put(b + 0x2C, 4,
	            conform_value(&v->rng, TPB_DTYPE_FLOAT32, &v->c->values));
	conform_write(b, &o, conform_addr(&o));
	conform_write(b, &d, conform_addr(&d));
	fill(v, &o, false);
	put(v, b);
}

/* What the op needs to find in its unit. */
static void put_before(struct making *v)
{
	bool continues = v->b[0x0C] == TPB_ACC_ACCUMULATE;

	switch (v->k->op) {
	case TPB_OP_FIND_INDEX8:
	case TPB_OP_MATCH_REPLACE8: put_match_load(v); break;
	case TPB_OP_READ_ACC: put_acc_load(v); break;
	case TPB_OP_TS_REDUCE:
	case TPB_OP_TS_CUMULATIVE:
		if (continues)
			put_acc_load(v);
		break;
	default: break;
	}
}

/* Low, high or somewhere between: three windows a memory, by the seed. */
uint32_t conform_window(uint64_t seed, int i, uint32_t bytes)
{
	uint32_t last = bytes - CONFORM_WINDOW;

	if (i == 2)
		return (uint32_t)(fill_hash(seed, bytes) % last) & ~7u;
	return i == 1 ? last : 0;
}

void conform_make(struct conform_case *c, uint32_t part_bytes)
{
	struct making v = {.c = c};
	int n;
	uint8_t op;

	v.k = &conform_combos(&n)[c->combo];
	op = v.k->op;
	rng_seed(&v.rng, hash_of(c));
	c->window[0] =
	    conform_window(c->seed, rng_below(&v.rng, 3), part_bytes);
	c->window[1] =
	    conform_window(c->seed, rng_below(&v.rng, 3), CONFORM_PSUM_BYTES);
	c->nbundles = c->nfills = 0;
	c->hazards = false;
	conform_values(&v.rng, op, &c->values);
	choose_counts(&v);
	c->ch = choose_channels(&v);
	begin(v.b, op);
	making_payload(&v);
	shapes(&v);
	places(&v);
	operands(&v);
	put_registers(&v);
	put_before(&v);
	put(&v, v.b);
	if (op == TPB_OP_MATCH_LOAD)
		put_find(&v);
}
