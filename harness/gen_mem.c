/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and saves: addresses that are backed, and addresses that are not.
 *
 * Engines meet on a few hot words of each memory; races between them are
 * welcome, since both sides of the lockstep run the same one.  Which
 * addresses are backed: docs/reference/timing.md, "Load and store".
 */
#include "harness/gen_priv.h"

#define SBUF (1ull << 36)
#define PSUM (SBUF + 0x2000000)
#define PSUM_WINDOW 0x400000u
#define PARTITIONS 128

enum memory { SBUF_MEM, PSUM_MEM, DRAM_MEM };

struct access {
	uint64_t base;
	int32_t step0, step1; /* in elements */
	int n0, n1, size;
	bool save;
};

static bool backed(const struct gen *g, uint64_t a, bool save)
{
	if (a < SBUF)
		return true;
	if (a >= PSUM)
		return !save && a - PSUM < PSUM_WINDOW &&
		       !((a - PSUM) & 0x4000);
	return (a - SBUF) >> 25 == 0 &&
	       (a & 0x3FFFF) < g->opt->sbuf_part_bytes &&
	       !(save && g->opt->gen == 2);
}

/* Verdict of all elements: bit 0 misaligned, bit 1 not backed. */
static int verdict(const struct gen *g, const struct access *a)
{
	int bad = 0;

	for (int i1 = 0; i1 < a->n1; i1++)
		for (int i0 = 0; i0 < a->n0; i0++) {
			int64_t i =
			    (int64_t)i0 * a->step0 + (int64_t)i1 * a->step1;
			uint64_t at = a->base + (uint64_t)i * (uint64_t)a->size;
			bad |= at % (uint64_t)a->size ? 1 : 0;
			bad |= backed(g, at, a->save) ? 0 : 2;
		}
	return bad;
}

/* Every element in memory that programs may touch: of DRAM, a save must
 * leave the pointers alone. */
static bool fine(const struct gen *g, const struct access *a)
{
	int64_t low = (int64_t)a->base;

	if (verdict(g, a))
		return false;
	if (!a->save || a->base >= SBUF)
		return true;
	for (int i = 0; i < 2; i++) {
		int n = i ? a->n1 : a->n0;
		int64_t s = i ? a->step1 : a->step0;
		low += s < 0 ? s * (n - 1) * a->size : 0;
	}
	return low >= GEN_DRAM;
}

static uint64_t aligned(uint64_t a, int size)
{
	return a & ~((uint64_t)size - 1);
}

static uint64_t random_base(struct gen *g, enum memory m, int size)
{
	struct rng *rng = &g->rng;
	bool hot = rng_chance(rng, g->bias.crowd > 0 ? 90 : 50);
	uint64_t p = (uint64_t)(hot ? rng_below(rng, 2) * 33
	                            : rng_below(rng, PARTITIONS));
	uint32_t part = g->opt->sbuf_part_bytes;
	uint32_t off = hot ? (uint32_t)rng_below(rng, 64) : rng_u32(rng);
	uint64_t a;

	switch (m) {
	case SBUF_MEM: a = SBUF + (p << 18) + off % part; break;
	case PSUM_MEM: a = PSUM + (p << 15) + (off & 0x3FFF); break;
	default:
		a = GEN_DRAM + (uint64_t)off % 4096;
		if (!hot)
			a = GEN_DRAM + rng_u64(rng) % (SBUF - GEN_DRAM);
		if (rng_chance(rng, 5))
			a = SBUF - 8; /* the last word */
	}
	return aligned(a, size);
}

static int32_t random_step(struct gen *g, enum memory m, int size)
{
	switch (rng_below(&g->rng, 8)) {
	case 0: return 0;
	case 1: return -1;
	case 2: return rng_range(&g->rng, -64, 64);
	case 3: /* the next partition */
		if (m != DRAM_MEM)
			return (m == SBUF_MEM ? 1 << 18 : 1 << 15) / size *
			       (rng_chance(&g->rng, 50) ? 1 : -1);
		return (int32_t)rng_u32(&g->rng) >> 8;
	default: return rng_range(&g->rng, -2, 3);
	}
}

/* Number of elements: mostly few, a DRAM load takes ten cycles each. */
static void random_count(struct gen *g, struct access *a, enum memory m)
{
	int most = rng_chance(&g->rng, 12) ? 32 : m == DRAM_MEM ? 3 : 6;
	int want = gen_wanted(g, g->bias.ls_count);

	a->n1 = rng_chance(&g->rng, 30) ? rng_range(&g->rng, 1, most) : 1;
	a->n0 = rng_range(&g->rng, 1, most / a->n1);
	if (want > 0) {
		a->n0 = want;
		a->n1 = 1;
	}
	if (rng_chance(&g->rng, 10)) {
		int n = a->n0;
		a->n0 = a->n1;
		a->n1 = n;
	}
}

static uint8_t random_dtype(struct gen *g)
{
	static const uint8_t tag[] = {TPB_DTYPE_UINT64, TPB_DTYPE_INT8,
	                              TPB_DTYPE_UINT8,  TPB_DTYPE_INT16,
	                              TPB_DTYPE_UINT16, TPB_DTYPE_INT32,
	                              TPB_DTYPE_UINT32, TPB_DTYPE_FLOAT32};
	int want = gen_wanted(g, g->bias.ls_dtype);

	return want > 0 ? (uint8_t)want : tag[rng_below(&g->rng, 8)];
}

static enum memory random_memory(struct gen *g, bool save)
{
	int want = gen_wanted(g, g->bias.ls_mem);
	int k = rng_below(&g->rng, 100);

	if (save &&
	    (want == PSUM_MEM || (want == SBUF_MEM && g->opt->gen == 2)))
		want = -1;
	if (want >= 0)
		return (enum memory)want;
	if (save)
		return k < 65 && g->opt->gen > 2 ? SBUF_MEM : DRAM_MEM;
	return k < 50 ? SBUF_MEM : k < 80 ? PSUM_MEM : DRAM_MEM;
}

/* Registers, counts and steps; the address is the caller's. */
static void put_access(struct gen *g, uint8_t op, uint8_t dtype,
                       const struct access *a, uint8_t *b)
{
	gen_begin(b, op);
	b[0x0C] = dtype;
	b[0x0E] = (uint8_t)a->n0;
	b[0x0F] = (uint8_t)a->n1;
	gen_word(b, 0x18, (uint32_t)a->step0);
	gen_word(b, 0x1C, (uint32_t)a->step1);
	for (int i = 0; i < a->n0 * a->n1; i++)
		b[0x20 + i] =
		    (uint8_t)(a->size == 8 ? 2 * rng_below(&g->rng, NDATA / 2)
		                           : rng_below(&g->rng, NDATA));
}

static void put_immediate(uint8_t *b, uint64_t base)
{
	for (int i = 0; i < 7; i++)
		b[0x10 + i] = (uint8_t)(base >> 8 * i);
	b[0x17] = TPB_MARKER_IMM;
}

/* r, r + 1 := what they hold `op` v. */
static void put_alu64(struct gen *g, int e, int r, uint8_t op, uint64_t v)
{
	uint8_t b[TPB_BUNDLE];

	gen_begin(b, TPB_OP_REGISTER_ALU);
	b[0x0C] = op;
	b[0x0D] = 1;
	b[0x0E] = 3;
	b[0x0F] = TPB_DTYPE_UINT64;
	b[0x10] = b[0x11] = b[0x14] = (uint8_t)r;
	b[0x15] = (uint8_t)(r + 1);
	gen_quad(b, 0x18, v);
	gen_put(g, e, b, NULL);
}

/* Half of a pair comes from a rank op. */
static void put_rank(struct gen *g, int e, int r, uint64_t base)
{
	bool global = base == g->img->rank;
	uint8_t b[TPB_BUNDLE];

	gen_set_pair(g, e, r, base ^ rng_u32(&g->rng));
	gen_payload(g, e, global ? TPB_OP_GLOBAL_RANK : TPB_OP_CUR_RANK, b);
	b[global ? 0x17 : 0x12] = (uint8_t)r;
	if (!global)
		gen_word(b, 0x18, (uint32_t)base);
	gen_put(g, e, b, NULL);
}

/* The base into a pair of registers, one way or another. */
static void put_pair(struct gen *g, int e, uint8_t *b, uint64_t base)
{
	int r = 2 * rng_below(&g->rng, NDATA / 2);
	uint64_t k = rng_u64(&g->rng) | 1, inverse = k;

	b[0x10] = (uint8_t)r;
	b[0x11] = (uint8_t)(r + 1);
	b[0x17] = TPB_MARKER_REG;
	switch (base == g->img->rank ? 0 : rng_below(&g->rng, 8)) {
	case 0: put_rank(g, e, r, base); break;
	case 1: /* base = (base / k) * k modulo 2^64, by Newton */
		for (int i = 0; i < 6; i++)
			inverse *= 2 - k * inverse;
		gen_set_pair(g, e, r, base * inverse);
		put_alu64(g, e, r, TPB_ALU_MULT, k);
		break;
	case 2:
	case 3:
		gen_set_pair(g, e, r, base - k);
		put_alu64(g, e, r, TPB_ALU_ADD, k);
		break;
	default: gen_set_pair(g, e, r, base); break;
	}
}

/* Load an address from memory and use it. */
static bool put_pointer(struct gen *g, int e, uint8_t *b,
                        const struct access *a)
{
	struct access one = {.n0 = 1, .n1 = 1, .size = 8};
	int i = rng_below(&g->rng, GEN_NPOINTERS);
	struct access moved = *a;
	uint8_t load[TPB_BUNDLE];

	moved.base = g->pointer[i];
	if (!fine(g, &moved))
		return false;
	put_access(g, TPB_OP_TENSOR_LOAD, TPB_DTYPE_UINT64, &one, load);
	put_immediate(load, GEN_POINTERS + 8 * (uint64_t)i);
	gen_put(g, e, load, NULL);
	b[0x10] = load[0x20];
	b[0x11] = load[0x20] + 1;
	b[0x17] = TPB_MARKER_REG;
	return true;
}

static void put_base(struct gen *g, int e, uint8_t *b, const struct access *a,
                     bool pointers)
{
	int want = gen_wanted(g, g->bias.ls_reg);
	bool reg = want >= 0 ? want : rng_chance(&g->rng, 35);

	if (!reg)
		put_immediate(b, a->base);
	else if (!pointers || !rng_chance(&g->rng, 10) ||
	         !put_pointer(g, e, b, a))
		put_pair(g, e, b, a->base);
}

void gen_access(struct gen *g, int e, uint8_t op, uint8_t b[TPB_BUNDLE])
{
	bool save = op == TPB_OP_TENSOR_SAVE;
	enum memory m = random_memory(g, save);
	uint8_t dtype = random_dtype(g);
	struct access a = {.save = save, .size = isa_dtype_size(dtype)};

	random_count(g, &a, m);
	a.base = random_base(g, m, a.size);
	a.step0 = random_step(g, m, a.size);
	a.step1 = random_step(g, m, a.size);
	for (int i = 0; i < 8 && !fine(g, &a); i++) {
		a.base = random_base(g, m, a.size);
		a.step0 = random_step(g, m, a.size);
		a.step1 = random_step(g, m, a.size);
	}
	if (!fine(g, &a))
		a.step0 = a.step1 = 0;
	if (m == DRAM_MEM && rng_chance(&g->rng, 10)) {
		struct access ranked = a;
		ranked.base = g->img->rank;
		if (fine(g, &ranked))
			a = ranked;
	}
	put_access(g, op, dtype, &a, b);
	put_base(g, e, b, &a, true);
}

/* An address that nothing backs, for this op. */
static uint64_t unbacked(struct gen *g, bool save)
{
	struct rng *rng = &g->rng;
	uint64_t row = (uint64_t)rng_below(rng, PARTITIONS);
	uint32_t gap = 0x40000 - g->opt->sbuf_part_bytes;

	switch (rng_below(rng, 4)) {
	case 0:
		if (gap >= 8)
			return SBUF + (row << 18) + g->opt->sbuf_part_bytes +
			       rng_u32(rng) % gap;
		break;
	case 1: /* a hole of PSUM, or all of it */
		return PSUM + (row << 15) +
		       (save ? rng_u32(rng) & 0x3FFF
		             : 0x4000 | (rng_u32(rng) & 0x3FFF));
	case 2: return PSUM + PSUM_WINDOW + rng_u64(rng) % (1ull << 30);
	default: break;
	}
	return (rng_u64(rng) >> 8) | 1ull << 40;
}

void gen_bad_access(struct gen *g, int e, uint8_t op, int code,
                    uint8_t b[TPB_BUNDLE])
{
	bool save = op == TPB_OP_TENSOR_SAVE;
	int want = code == TPB_FAULT_MISALIGNED ? 1 : 2;
	struct access a = {.save = save};
	uint8_t dtype;
	int bad;

	do {
		enum memory m = random_memory(g, save);

		if (save && rng_chance(&g->rng, 20))
			m = PSUM_MEM;
		dtype = random_dtype(g);
		a.size = isa_dtype_size(dtype);
		random_count(g, &a, m);
		a.base = random_base(g, m, a.size);
		a.step0 = random_step(g, m, a.size);
		a.step1 = random_step(g, m, a.size);
		if (want == 1)
			a.base += (uint64_t)rng_below(&g->rng, a.size);
		else if (rng_chance(&g->rng, 70))
			a.base = aligned(unbacked(g, save), a.size);
		else /* only a later element leaves the memory */
			a.step0 = (int32_t)rng_u32(&g->rng);
		bad = verdict(g, &a);
	} while (want == 1 ? !(bad & 1) : bad != 2);
	put_access(g, op, dtype, &a, b);
	put_base(g, e, b, &a, false);
}

void gen_pointers(struct gen *g)
{
	uint8_t bytes[GEN_NPOINTERS * 8 + GEN_NCONSTANTS * 4];

	for (int i = 0; i < GEN_NPOINTERS; i++) {
		enum memory m = i % 4 == 3   ? PSUM_MEM
		                : i % 4 == 2 ? DRAM_MEM
		                             : SBUF_MEM;
		g->pointer[i] = random_base(g, m, 8);
		gen_quad(bytes, 8 * i, g->pointer[i]);
	}
	for (int i = 0; i < GEN_NCONSTANTS; i++) {
		g->constant[i] = gen_value(g);
		gen_word(bytes, 8 * GEN_NPOINTERS + 4 * i, g->constant[i]);
	}
	image_add_tensor(g->img, "pointers", 1, GEN_POINTERS, sizeof(bytes),
	                 bytes, false);
}
