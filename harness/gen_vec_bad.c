/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector bundles that no unit runs: one thing about the address of an operand
 * is wrong, and which fault follows.
 *
 * The verdict is stated once more here, from docs/reference/vector.md, "Check
 * and grant", on the words of the bundle and the values of the registers that
 * they name; neither side of the lockstep is asked.
 */
#include "harness/gen_vec.h"

enum { MISALIGNED = 1, BAD = 2 };

/* ------------------------------------------------------------------ *
 * The rules.                                                         *
 * ------------------------------------------------------------------ */

struct place {
	bool psum, nowhere;
	int part;
	int64_t byte, room;
};

static struct place place_of(const struct vec *v, uint32_t address)
{
	uint32_t a = address & 0x1FFFFFFF;
	struct place p = {.psum =
	                      a >= VEC_PSUM && a < VEC_PSUM + VEC_PSUM_WINDOW};

	p.nowhere = !p.psum && a >= VEC_PSUM;
	p.part = (int)(p.psum ? a >> 15 : a >> 18) & 127;
	p.byte = p.psum ? a & 0x7FFF : a & 0x3FFFF;
	p.room = p.psum ? VEC_PSUM_BYTES : (int64_t)v->g->opt->sbuf_part_bytes;
	return p;
}

static uint32_t address_of(const struct vec_operand *o)
{
	return o->reg ? o->value : o->word;
}

/* Are the bits above the address as they must be? */
static bool high_bits(const struct vec_operand *o)
{
	if (!o->reg)
		return !(o->word >> 29);
	if (o->value >> 29)
		return false;
	return o->scalar || !(o->word >> 8 & 0x7FFFFF);
}

static int operand_verdict(const struct vec *v, const struct vec_operand *o)
{
	struct place p = place_of(v, address_of(o));
	int64_t low, high;
	int bad = address_of(o) % o->size ? MISALIGNED : 0;

	vec_extent(o, &low, &high);
	if (!high_bits(o) || p.nowhere || !vec_start_ok(p.part, v->ch) ||
	    p.byte + low * o->size < 0 ||
	    p.byte + (high + 1) * o->size > p.room ||
	    (p.psum && v->e == TPB_ENGINE_POOL))
		bad |= BAD;
	return bad;
}

static int verdict(const struct vec *v)
{
	const struct vec_operand *o = v->o;
	int bad = 0;

	for (int k = 0; k < VEC_OPERANDS; k++)
		if (o[k].on)
			bad |= operand_verdict(v, &o[k]);
	if (o[2].on && o[2].size != 4 && place_of(v, address_of(&o[2])).psum)
		bad |= BAD;
	if (o[0].on && o[1].on) {
		struct place a = place_of(v, address_of(&o[0]));
		struct place b = place_of(v, address_of(&o[1]));

		if (a.psum == b.psum && (a.psum || a.part != b.part))
			bad |= BAD;
	}
	return bad;
}

/* ------------------------------------------------------------------ *
 * What can be wrong.                                                 *
 * ------------------------------------------------------------------ */

static struct vec_operand *any_operand(struct vec *v)
{
	int k;

	do {
		k = rng_below(&v->g->rng, VEC_OPERANDS);
	} while (!v->o[k].on);
	return &v->o[k];
}

/* The address, wherever it is said. */
static void move_to(struct vec_operand *o, uint32_t address)
{
	*(o->reg ? &o->value : &o->word) = address;
}

static void beyond(struct vec *v, struct vec_operand *o)
{
	struct rng *rng = &v->g->rng;
	struct place p = place_of(v, address_of(o));
	uint32_t base = address_of(o) - (uint32_t)p.byte;
	int64_t low, high, to = p.room;

	vec_extent(o, &low, &high);
	if (low < 0 && rng_chance(rng, 40)) /* the first one below */
		to = -low * o->size - o->size;
	else if (rng_chance(rng, 80)) /* the last one past it */
		to = p.room - high * o->size;
	else
		to += (int64_t)rng_below(rng, 64) * o->size;
	if (to >= 0)
		move_to(o, base + (uint32_t)to);
}

static void high_bit(struct vec *v, struct vec_operand *o)
{
	struct rng *rng = &v->g->rng;

	if (!o->reg)
		o->word |= rng_chance(rng, 50) ? 1u << 30 : 1u << 29;
	else if (o->scalar || rng_chance(rng, 50))
		o->value |= 1u << rng_range(rng, 29, 31);
	else
		o->word |= 1u << rng_range(rng, 8, 30);
}

/* Both sources into one memory, or apart in it. */
static void sources(struct vec *v)
{
	struct vec_operand *a = &v->o[0], *b = &v->o[1];
	uint32_t step = 32u << 18;

	if (!b->on || !a->on)
		return;
	if (v->e == TPB_ENGINE_DVE && rng_chance(&v->g->rng, 50)) {
		move_to(a, VEC_PSUM);
		move_to(b, VEC_PSUM + 64);
		return;
	}
	if (v->ch > 32)
		step *= 2;
	move_to(b, (address_of(a) + step) & 0x1FFFFFF);
}

static void misplace(struct vec *v)
{
	struct rng *rng = &v->g->rng;
	struct vec_operand *o = any_operand(v);
	static const uint8_t of[] = {0, 1, 2, 6, 7, 3, 5, 4, 4}; /* badvec */
	uint32_t a = address_of(o);
	int k = rng_below(rng, 8);

	if (gen_wanted(v->g, v->g->bias.bad_place) >= 0)
		k = of[v->g->bias.bad_place];
	switch (k) {
	case 0: high_bit(v, o); break;
	case 1: /* neither memory */
		move_to(o, VEC_PSUM + VEC_PSUM_WINDOW +
		               (rng_u32(rng) & 0x1BFFFFC));
		break;
	case 2: /* a start between the allowed ones, or too high */
		if (v->g->bias.bad_start > 0)
			k = 32 * v->g->bias.bad_start;
		else
			k = rng_chance(rng, 70) ? 32 * rng_range(rng, 1, 3)
			                        : rng_range(rng, 1, 127);
		move_to(o, a + ((uint32_t)k << (o->psum ? 15 : 18)));
		break;
	case 3: move_to(o, VEC_PSUM + (a & 0xFC)); break;
	case 4: sources(v); break;
	case 5:
		move_to(v->o[2].on ? &v->o[2] : o, VEC_PSUM + (a & 0xFC));
		break;
	default: beyond(v, o); break;
	}
}

static void misalign(struct vec *v)
{
	struct vec_operand *o = any_operand(v);

	move_to(o, address_of(o) ^ (uint32_t)rng_range(&v->g->rng, 1, o->size));
}

void gen_bad_vector(struct gen *g, int e, uint8_t op, int code,
                    uint8_t b[TPB_BUNDLE])
{
	int want = code == TPB_FAULT_MISALIGNED ? MISALIGNED : BAD, bad;
	struct vec v;

	do {
		vec_new(&v, g, e, op, b);
		if (want == BAD || rng_chance(&g->rng, 20))
			misplace(&v);
		if (want == MISALIGNED)
			misalign(&v);
		bad = verdict(&v);
		/* Misaligned goes first, whatever else is wrong. */
	} while (want == BAD ? bad != BAD : !(bad & MISALIGNED));
	vec_write(&v);
}
