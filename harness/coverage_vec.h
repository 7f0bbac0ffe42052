/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside coverage: a vector bundle as its operands, read off the issue stage
 * and the addresses that the unit's check left behind.
 */
#ifndef HARNESS_COVERAGE_VEC_H
#define HARNESS_COVERAGE_VEC_H

#include "harness/coverage_priv.h"

enum { COVER_WALKS = 3, COVER_ADDRESSES = 5 };

/* A walk; dims 0: the op has none.  Iota's index has dims but no memory. */
struct cover_walk {
	uint8_t at, dims, tag;
	bool memory;
};

struct cover_vec {
	engine_t *q;
	const struct tpb_vec_state *v;
	uint8_t op, ch;
	struct cover_walk walk[COVER_WALKS];
};

/* false: no vector bundle. */
bool cover_vec_of(const struct tpb_state *s, int e, struct cover_vec *c);
/* Kind byte of scalar k, -1: the op has no such scalar. */
int cover_scalar(const struct cover_vec *c, int k);
int cover_step(const struct cover_vec *c, int k, int d);
int cover_count(const struct cover_vec *c, int k, int d);
uint64_t cover_elements(const struct cover_vec *c, int k);
/* Of an address of 29 bits. */
static inline bool cover_psum(uint32_t a)
{
	return a - 0x2000000u < PSUM_WINDOW;
}
static inline int cover_part(uint32_t a)
{
	return (int)(cover_psum(a) ? a >> 15 : a >> 18) & 127;
}
static inline uint32_t cover_byte(uint32_t a)
{
	return cover_psum(a) ? a & 0x7FFF : a & 0x3FFFF;
}

#endif
