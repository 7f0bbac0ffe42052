/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector bundles: shapes of patterns, places of operands, forms of addresses.
 *
 * Operands crowd in the first bytes of a partition, so that bundles meet what
 * others wrote, destinations overlap sources, and the two units and the narrow
 * accesses meet.  Where an operand may lie: docs/reference/vector.md, "Check
 * and grant".
 */
#include "harness/gen_vec.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

/* ------------------------------------------------------------------ *
 * Shapes.                                                            *
 * ------------------------------------------------------------------ */

/* n as a product of counts: its prime factors over some of the dims. */
static void split(struct gen *g, int n, int dims, uint16_t count[4])
{
	int used = rng_range(&g->rng, 1, dims);
	int first = rng_below(&g->rng, dims - used + 1);

	if (g->bias.vec_dims > 0 && g->bias.vec_dims <= dims &&
	    rng_chance(&g->rng, 60)) {
		used = g->bias.vec_dims;
		first = dims - used;
	}
	for (int d = 0; d < 4; d++)
		count[d] = 1;
	for (int f = 2; n > 1; f++) {
		if (f * f > n)
			f = n;
		for (; n % f == 0; n /= f) {
			int d = first + rng_below(&g->rng, used);
			/* An empty one first: then all of them are used. */
			for (int i = 0; i < used && count[d] > 1 &&
			                rng_chance(&g->rng, 80);
			     i++)
				d = first + i;
			count[d] = (uint16_t)(count[d] * f);
		}
	}
}

void vec_extent(const struct vec_operand *o, int64_t *low, int64_t *high)
{
	*low = *high = 0;
	for (int d = 0; d < o->dims; d++) {
		int64_t far = (int64_t)o->step[d] * (o->count[d] - 1);

		if (far < 0)
			*low += far;
		else
			*high += far;
	}
}

/* Steps of the plain row-major order, times k. */
static void dense(struct vec_operand *o, int k)
{
	int64_t step = k;

	for (int d = 0; d < o->dims; d++) {
		o->step[d] =
		    step > INT16_MAX || step < INT16_MIN ? 0 : (int16_t)step;
		step *= o->count[d];
	}
}

/* Rows between each other: the outer dims take the small steps. */
static void interleave(struct vec_operand *o)
{
	int64_t step = 1;

	for (int d = o->dims - 1; d >= 0; d--) {
		o->step[d] = step > INT16_MAX ? 1 : (int16_t)step;
		step *= o->count[d];
	}
}

static void choose_steps(struct gen *g, struct vec_operand *o)
{
	struct rng *rng = &g->rng;
	int k = rng_below(rng, 12);

	if (gen_wanted(g, g->bias.vec_step) >= 0)
		k = g->bias.vec_step == 0   ? 6
		    : g->bias.vec_step == 1 ? 0
		    : g->bias.vec_step == 2 ? 5
		                            : 9;
	dense(o, 1);
	switch (k) {
	case 3: dense(o, rng_range(rng, 2, 5)); break;
	case 4: interleave(o); break;
	case 5: dense(o, -rng_range(rng, 1, 3)); break;
	case 6: /* broadcast in one dim, or all */
		if (rng_chance(rng, 40))
			dense(o, 0);
		o->step[rng_below(rng, o->dims)] = 0;
		break;
	case 7: /* turned round in one dim */
		o->step[rng_below(rng, o->dims)] *= -1;
		break;
	case 8:
	case 9:
		for (int d = 0; d < o->dims; d++)
			o->step[d] = (int16_t)rng_range(rng, -6, 6);
		break;
	case 10:
		for (int d = 0; d < o->dims; d++)
			o->step[d] = (int16_t)(rng_u32(rng) >> 16);
		break;
	default: break;
	}
	/* What a dim of one element does is nobody's matter. */
	for (int d = 0; d < o->dims; d++)
		if (o->count[d] == 1 && rng_chance(rng, 30))
			o->step[d] = (int16_t)(rng_u32(rng) >> 16);
}

static int64_t room(const struct vec *v, const struct vec_operand *o)
{
	return o->psum ? VEC_PSUM_BYTES : (int64_t)v->g->opt->sbuf_part_bytes;
}

static bool fits(const struct vec *v, const struct vec_operand *o)
{
	int64_t low, high;

	vec_extent(o, &low, &high);
	return o->byte + low * o->size >= 0 &&
	       o->byte + (high + 1) * o->size <= room(v, o);
}

void vec_walk(struct vec *v, int k, int at, int dims, uint8_t tag, int n)
{
	struct vec_operand *o = &v->o[k];

	o->on = true;
	o->at = (uint8_t)at;
	o->dims = (uint8_t)dims;
	o->size = (uint8_t)isa_dtype_size(tag);
	split(v->g, n, dims, o->count);
	choose_steps(v->g, o);
}

void vec_generator(struct vec *v, int n)
{
	struct vec_operand *o = &v->o[0];

	o->gen = true;
	o->at = 0x0C;
	o->dims = 4;
	split(v->g, n, 4, o->count);
	choose_steps(v->g, o);
	o->word = gen_value(v->g);
}

uint8_t vec_scalar(struct vec *v, int k, int kind_at, int word_at, int size,
                   int want)
{
	struct vec_operand *o = &v->o[VEC_WALKS + k];
	int kind = want >= 0 ? want : rng_below(&v->g->rng, 4) % 3;

	o->at = (uint8_t)word_at;
	o->word = gen_value(v->g);
	v->b[kind_at] = (uint8_t)kind;
	if (kind == TPB_IMM_INLINE)
		return 0;
	o->on = o->scalar = true;
	o->size = (uint8_t)size;
	o->dims = 0;
	o->reg = kind == TPB_IMM_REG;
	return (uint8_t)kind;
}

/* ------------------------------------------------------------------ *
 * Places.                                                            *
 * ------------------------------------------------------------------ */

bool vec_start_ok(int part, int ch)
{
	if (ch <= 32)
		return part % 32 == 0;
	return ch <= 64 ? part % 64 == 0 : part == 0;
}

static int choose_part(struct vec *v)
{
	int part, want = gen_wanted(v->g, v->g->bias.vec_start);

	if (want >= 0 && vec_start_ok(want, v->ch))
		return want;
	do {
		part = 32 * rng_below(&v->g->rng, 4);
	} while (!vec_start_ok(part, v->ch));
	return part;
}

/* Steps that fit anywhere, if those chosen do not. */
static void calm(struct vec *v, struct vec_operand *o)
{
	int64_t low, high;

	for (int i = 0; i < 2; i++) {
		vec_extent(o, &low, &high);
		if ((high - low + 1) * o->size <= room(v, o))
			return;
		dense(o, 1 - i);
	}
}

static void choose_byte(struct vec *v, struct vec_operand *o)
{
	struct rng *rng = &v->g->rng;
	int64_t low, high, from, to;
	int k = rng_below(rng, 10);

	calm(v, o);
	vec_extent(o, &low, &high);
	from = -low * o->size; /* lowest and highest start */
	to = room(v, o) - (high + 1) * o->size;
	to -= to % o->size;
	if (k < 7)
		o->byte = from + rng_below(rng, 24) * o->size;
	else if (k < 9)
		o->byte = from + rng_u32(rng) % (uint32_t)(to - from + 1);
	else
		o->byte = rng_chance(rng, 50) ? from : to;
	if (o->byte > to)
		o->byte = to;
	o->byte -= o->byte % o->size;
}

/* A destination on its source, or a little off it. */
static void overlap(struct vec *v, const struct vec_operand *src,
                    struct vec_operand *dst)
{
	struct rng *rng = &v->g->rng;
	struct vec_operand was = *dst;

	if (src->psum && dst->size != 4)
		return;
	dst->psum = src->psum;
	dst->part = src->part;
	dst->byte = src->byte - src->byte % dst->size;
	if (rng_chance(rng, 60))
		dst->byte += rng_range(rng, -2, 2) * dst->size;
	if (src->dims == dst->dims && rng_chance(rng, 60) &&
	    !memcmp(src->count, dst->count, sizeof(src->count)))
		memcpy(dst->step, src->step, sizeof(src->step));
	if (!fits(v, dst))
		*dst = was;
}

static bool choose_memory(struct vec *v, int k)
{
	const struct vec_operand *o = &v->o[k];
	int want = v->g->bias.vec_mem;
	bool psum = rng_chance(&v->g->rng, 30);

	/* A bit a walk. */
	if (gen_wanted(v->g, want) >= 0)
		psum = want >> k & 1;
	if (v->e != TPB_ENGINE_DVE || (k == 2 && o->size != 4) ||
	    (k == 1 && v->o[0].on && v->o[0].psum))
		return false;
	return psum;
}

void vec_say(struct vec *v, struct vec_operand *o)
{
	uint32_t a = o->psum ? VEC_PSUM + ((uint32_t)o->part << 15)
	                     : (uint32_t)o->part << 18;

	a += (uint32_t)o->byte;
	if (!o->scalar) {
		int want = gen_wanted(v->g, v->g->bias.vec_reg);
		o->reg = want >= 0 ? want : rng_chance(&v->g->rng, 25);
	}
	o->word = o->value = a;
	if (!o->reg)
		return;
	o->number = (uint8_t)((v->first + v->nregs++) % NDATA);
	o->word = o->number;
	if (!o->scalar)
		o->word |= 0x80000000u;
}

void vec_place(struct vec *v)
{
	struct vec_operand *o = v->o;

	for (int k = 0; k < VEC_OPERANDS; k++) {
		if (!o[k].on)
			continue;
		o[k].psum = choose_memory(v, k);
		o[k].part = choose_part(v);
		if (k == 1 && o[0].on && !o[0].psum && !o[1].psum)
			o[1].part = o[0].part;
		choose_byte(v, &o[k]);
	}
	if (o[2].on && rng_chance(&v->g->rng, 45)) {
		int k = o[1].on && rng_chance(&v->g->rng, 40) ? 1 : 0;
		if (o[k].on)
			overlap(v, &o[k], &o[2]);
	}
	for (int k = 0; k < VEC_OPERANDS; k++)
		if (o[k].on)
			vec_say(v, &o[k]);
}

/* ------------------------------------------------------------------ *
 * Bytes.                                                             *
 * ------------------------------------------------------------------ */

static void half(uint8_t *b, int off, uint16_t v)
{
	b[off] = (uint8_t)v;
	b[off + 1] = (uint8_t)(v >> 8);
}

void vec_write(struct vec *v)
{
	for (int k = 0; k < VEC_OPERANDS; k++) {
		const struct vec_operand *o = &v->o[k];

		if (!o->at)
			continue;
		gen_word(v->b, o->at, o->word);
		if (o->on && o->reg)
			gen_set_reg(v->g, v->e, o->number, o->value);
		for (int d = 0; d < o->dims; d++) {
			half(v->b, o->at + 4 + 2 * d, (uint16_t)o->step[d]);
			half(v->b, o->at + 4 + 2 * (o->dims + d), o->count[d]);
		}
	}
}

static int choose_channels(struct gen *g)
{
	static const uint8_t ch[] = {1, 31, 32, 33, 64, 65, 96, 127, 128};
	int want = gen_wanted(g, g->bias.vec_ch);

	if (want > 0)
		return want;
	if (rng_chance(&g->rng, 12))
		return rng_range(&g->rng, 1, TPB_PARTITIONS);
	return ch[rng_below(&g->rng, rng_chance(&g->rng, 65) ? 3 : COUNT(ch))];
}

void vec_new(struct vec *v, struct gen *g, int e, uint8_t op,
             uint8_t b[TPB_BUNDLE])
{
	memset(v, 0, sizeof(*v));
	v->g = g;
	v->e = e;
	v->b = b;
	v->ch = choose_channels(g);
	v->first = rng_below(&g->rng, NDATA);
	v->brief = g->mult * 500 > g->opt->cycles || !rng_chance(&g->rng, 4);
	gen_begin(b, op);
	vec_payload(v, op);
	vec_place(v);
}

void gen_vector(struct gen *g, int e, uint8_t op, uint8_t b[TPB_BUNDLE])
{
	struct vec v;

	vec_new(&v, g, e, op, b);
	vec_write(&v);
}
