/* SPDX-License-Identifier: Apache-2.0
 *
 * Patterns of a class, places of operands, values of elements.
 */
#include "harness/conform.h"

/* ------------------------------------------------------------------ *
 * Patterns.                                                          *
 * ------------------------------------------------------------------ */

static void clear(struct rng *rng, struct conform_operand *o)
{
	for (int d = 0; d < 4; d++) {
		o->count[d] = 1;
		/* The step of a dim of one element must not matter. */
		o->step[d] =
		    rng_chance(rng, 30) ? (int16_t)(rng_u32(rng) >> 16) : 0;
	}
}

static void line(struct conform_operand *o, int n, int step)
{
	o->count[0] = (uint16_t)n;
	o->step[0] = (int16_t)step;
}

/* A divisor of n, not 1 or n if there is another. */
static int divisor(struct rng *rng, int n)
{
	int d[16], k = 0;

	for (int i = 2; i < n && k < 16; i++)
		if (n % i == 0)
			d[k++] = i;
	return k ? d[rng_below(rng, k)] : n;
}

static void rows(struct rng *rng, struct conform_operand *o, int n, int inner,
                 int pitch)
{
	int a = o->dims > 1 ? divisor(rng, n) : n;

	line(o, a, inner);
	if (o->dims < 2)
		return;
	o->count[1] = (uint16_t)(n / a);
	o->step[1] = (int16_t)(pitch < 0 ? a + rng_below(rng, 4) : pitch);
}

/* One dim, or all of them, stands still. */
static void broadcast(struct rng *rng, struct conform_operand *o, int n)
{
	int k = rng_below(rng, 3);

	rows(rng, o, n, k == 0 ? 1 : 0, k == 1 ? 1 : 0);
	if (o->count[1] == 1)
		o->step[0] = 0;
}

/* n over all dims; the dims get their steps in a random order. */
static void transpose(struct rng *rng, struct conform_operand *o, int n)
{
	int order[4] = {0, 1, 2, 3}, step = rng_range(rng, 1, 2), left = n;

	for (int d = 0; d < o->dims - 1; d++) {
		int a = left > 1 ? divisor(rng, left) : 1;
		o->count[d] = (uint16_t)a;
		left /= a;
	}
	o->count[o->dims - 1] = (uint16_t)left;
	for (int d = o->dims - 1; d > 0; d--) {
		int k = rng_below(rng, d + 1), t = order[d];
		order[d] = order[k];
		order[k] = t;
	}
	for (int i = 0; i < o->dims; i++) {
		int d = order[i];
		o->step[d] = (int16_t)(rng_chance(rng, 25) ? -step : step);
		step *= o->count[d];
	}
}

void conform_shape(struct rng *rng, struct conform_operand *o, int n,
                   enum conform_class class)
{
	clear(rng, o);
	switch (class) {
	case CLASS_STRIDED: line(o, n, rng_range(rng, 2, 5)); break;
	case CLASS_NEGATIVE: line(o, n, -rng_range(rng, 1, 3)); break;
	case CLASS_BROADCAST: broadcast(rng, o, n); break;
	case CLASS_2D: rows(rng, o, n, 1, -1); break;
	case CLASS_TRANSPOSE: transpose(rng, o, n); break;
	default: line(o, n, 1); break;
	}
}

void conform_extent(const struct conform_operand *o, int64_t *low,
                    int64_t *high)
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

/* ------------------------------------------------------------------ *
 * Places.                                                            *
 * ------------------------------------------------------------------ */

int conform_start(struct rng *rng, int ch)
{
	if (ch <= 32)
		return 32 * rng_below(rng, 4);
	return ch <= 64 ? 64 * rng_below(rng, 2) : 0;
}

uint32_t conform_addr(const struct conform_operand *o)
{
	uint32_t byte = (uint32_t)o->byte, part = (uint32_t)o->part;

	return o->psum ? CONFORM_PSUM + (part << 15) + byte
	               : (part << 18) + byte;
}

void conform_write(uint8_t *b, const struct conform_operand *o, uint32_t word)
{
	conform_put(b + o->at, 4, word);
	for (int d = 0; d < o->dims; d++) {
		conform_put(b + o->at + 4 + 2 * d, 2, (uint16_t)o->step[d]);
		conform_put(b + o->at + 4 + 2 * (o->dims + d), 2, o->count[d]);
	}
}

/* ------------------------------------------------------------------ *
 * Values.                                                            *
 * ------------------------------------------------------------------ */

enum { ANY_BITS, NEAR, SPECIAL, SMALL, MIXED, MODES };

void conform_values(struct rng *rng, uint8_t op, struct conform_values *v)
{
	bool search = op == TPB_OP_MAX8 || op == TPB_OP_MATCH_LOAD ||
	              op == TPB_OP_FIND_INDEX8 || op == TPB_OP_MATCH_REPLACE8;

	v->mode = rng_below(rng, MODES);
	v->centre = rng_chance(rng, 60) ? rng_range(rng, -20, 20)
	                                : rng_range(rng, -140, 120);
	v->alphabet = rng_chance(rng, search ? 75 : 5) ? rng_u64(rng) | 1 : 0;
}

/* Bits that a dtype has its reasons about: ends, halves, infinities, NaN. */
static uint32_t special(struct rng *rng, uint8_t tag)
{
	static const uint32_t word[] = {
	    0,          1,          0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
	    0x7F800000, 0x7F7FFFFF, 0x7FC00000, 0x7F800001, 0x7FFFFFFF,
	    0x3F800000, 0x3F000000, 0x3FC00000, 0x00800000, 0x007FFFFF,
	    0x00000002, 0x4F000000, 0x4EFFFFFF, 0x4F800000, 0x4B800000,
	    0x437F8000, 0x42FF0000, 0x477FE000, 0x477FF000, 0x43700000,
	    0x43780000, 0x43E00000, 0x43E80000, 0x41780000, 0x417C0000,
	    0x47600000, 0x47700000, 0x33800000, 0x33000000, 0x38800000,
	    0x7F7F0000, 0x7F7F7FFF, 0x7F7F8000, 0x7F7FF000, 0x7F7FF7FF,
	    0x7F7FF800, 0x387FE000, 0x387FF000};
	static const uint16_t half[] = {0,      1,      0x7FFF, 0x8000, 0xFFFF,
	                                0x7C00, 0x7BFF, 0x7E00, 0x7C01, 0x3C00,
	                                0x0400, 0x03FF, 0x7F80, 0x7F7F, 0x7FC0,
	                                0x7F81, 0x3F80, 0x0080, 0x007F};
	static const uint8_t byte[] = {
	    0,    1,    0x7F, 0x80, 0xFF, 0x77, 0x78, 0x7C, 0x7B, 0x7E, 0x6F,
	    0x70, 0x71, 0x7D, 0x38, 0x30, 0x3C, 0x08, 0x07, 0x04, 0x03};
	int size = isa_dtype_size(tag), n;
	uint32_t sign = rng_u32(rng) & 1;

	if (size == 4) {
		n = (int)(sizeof(word) / sizeof(*word));
		return word[rng_below(rng, n)] ^ sign << 31;
	}
	if (size == 2) {
		n = (int)(sizeof(half) / sizeof(*half));
		return half[rng_below(rng, n)] ^ sign << 15;
	}
	n = (int)(sizeof(byte) / sizeof(*byte));
	return byte[rng_below(rng, n)] ^ sign << 7;
}

/* An fp32 number of about 2^centre, often with few bits. */
static uint32_t near_value(struct rng *rng, int centre)
{
	int e = centre + rng_range(rng, -6, 6) + 127;
	uint32_t f = rng_u32(rng) & 0x7FFFFF;

	if (rng_chance(rng, 50))
		f &= ~0u << rng_range(rng, 8, 22);
	e = e < 0 ? 0 : e > 254 ? 254 : e;
	return (rng_u32(rng) & 1) << 31 | (uint32_t)e << 23 | f;
}

static bool is_int(uint8_t tag)
{
	return tag >= TPB_DTYPE_INT8 && tag <= TPB_DTYPE_UINT32 &&
	       tag != TPB_DTYPE_BFLOAT16 && tag != TPB_DTYPE_FLOAT16;
}

/* By a mode, in the bits of a dtype. */
static uint32_t draw(struct rng *rng, uint8_t tag, int mode, int centre)
{
	uint32_t small = (uint32_t)rng_range(rng, -9, 9);
	float x = (float)rng_range(rng, -18, 18) / 2;
	uint8_t narrowest = CONFORM_SATURATE;

	switch (mode) {
	case ANY_BITS: return rng_u32(rng);
	case SPECIAL: return special(rng, tag);
	case SMALL:
		if (is_int(tag))
			return small;
		__builtin_memcpy(&small, &x, sizeof(small));
		return conform_narrow(tag, small, narrowest);
	default:
		if (is_int(tag))
			return rng_u32(rng) >> rng_below(rng, 32);
		return conform_narrow(tag, near_value(rng, centre), narrowest);
	}
}

uint32_t conform_value(struct rng *rng, uint8_t tag,
                       const struct conform_values *v)
{
	struct rng few;
	int mode = v->mode == MIXED ? rng_below(rng, MIXED) : v->mode;

	if (!v->alphabet)
		return draw(rng, tag, mode, v->centre);
	rng_seed(&few, v->alphabet + (uint64_t)rng_below(rng, 10));
	mode = v->mode == MIXED ? rng_below(&few, MIXED) : v->mode;
	return draw(&few, tag, mode, v->centre);
}
