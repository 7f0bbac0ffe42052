/* SPDX-License-Identifier: Apache-2.0
 *
 * The vector units of the model against a serial loop.
 *
 * Random jobs (vec_job.h) run alone, in rows so that accumulators and slots
 * live on, and on both units at once beside loads and stores; memory must be
 * what the loop leaves, and the cycles what docs/reference/vector.md says.
 *
 * Run alone: test_model_vec.  TPB_VEC_JOBS=n sets the random jobs (default
 * 4000).
 */
#include "tests/unit/vec_job.h"

#include <stdio.h>

/* ------------------------------------------------------------------ *
 * Random jobs.                                                       *
 * ------------------------------------------------------------------ */

static uint8_t pick(const char *tags)
{
	static const char hex[] = "0123456789ABCDEF";
	char c = tags[below((int)strlen(tags))];

	return (uint8_t)(strchr(hex, c) - hex);
}

/* Counts with this product, in at most x dims. */
static void factor(struct pattern *w, int x, int n)
{
	w->dims = 1 + below(x);
	for (int d = 0; d < w->dims; d++) {
		int f = 1;

		w->step[d] = below(7) - 3;
		if (d + 1 == w->dims) {
			w->count[d] = n;
			break;
		}
		for (int k = 2; k <= n; k++)
			if (n % k == 0 && below(2)) {
				f = k;
				break;
			}
		w->count[d] = f;
		n /= f;
	}
}

/* A start at which the pattern stays within the first `room` bytes. */
static void settle(struct pattern *w, int room)
{
	int size = size_of(w->tag), lo = 0, hi = 0;

	for (int d = 0; d < w->dims; d++) {
		int span = w->step[d] * (w->count[d] - 1);

		lo += span < 0 ? span : 0;
		hi += span > 0 ? span : 0;
	}
	room = room / size - (hi - lo);
	if (room < 1) { /* too far apart: all at one place */
		memset(w->step, 0, sizeof(w->step));
		lo = 0;
		room = 64;
	}
	w->start = (below(room) - lo) * size;
}

static int channels(void)
{
	static const int odd[] = {1, 5, 31, 32, 33, 64, 65, 96, 100, 127, 128};

	return odd[below(11)];
}

static int start_of(int n)
{
	return n <= 32 ? 32 * below(4) : n <= 64 ? 64 * below(2) : 0;
}

static int count_of(uint8_t op, int walk)
{
	static const int some[] = {1, 2, 3, 4, 6, 8, 12, 24, 36};

	if (op == 0x6D || (walk == 2 && (op == 0x6C || op == 0x6E)))
		return 8;
	if (op >= 0x6C && op <= 0x6F)
		return 8 + below(20);
	return op == 0x9B ? 1 : some[below(9)];
}

static void random_tags(struct job *j)
{
	uint8_t same = pick("234589");

	for (int i = 0; i < 3; i++)
		j->w[i].tag = pick(i == 2 ? "23456789ABDEF" : "23456789ADEF");
	switch (j->op) {
	case 0x41:
		for (int i = 0; i < 3 && below(3) == 0; i++)
			j->w[i].tag = pick("89");
		break;
	case 0x53: j->w[0].tag = j->w[2].tag = same; break;
	case 0x51:
	case 0x52:
		for (int i = 0; i < 3; i++)
			j->w[i].tag = same ^ (same > 3 && same < 6 && below(2));
		break;
	case 0x46: j->w[2].tag = j->w[0].tag; break;
	case 0x42:
		if (below(3) == 0)
			j->w[0].tag = j->w[2].tag = pick("89");
		break;
	case 0x72: j->w[2].tag = j->w[1].tag; /* fallthrough */
	case 0x99: j->w[0].tag = pick("234589"); break;
	case 0xE8:
		j->w[0].tag = pick("234589");
		j->w[2].tag = pick("23456789ADEF");
		break;
	case 0x9A:
	case 0xE6:
	case 0x6C:
	case 0x6D:
		j->w[0].tag = pick("234567ADEF");
		j->w[2].tag = pick("234567ABDEF");
		break;
	case 0x6E:
		j->w[0].tag = pick("234567ADEF");
		j->w[2].tag = pick("59");
		break;
	case 0x6F: j->w[0].tag = j->w[2].tag = pick("234567ADEF"); break;
	case 0x9B: j->w[2].tag = pick("67ABDEF"); break;
	default: break;
	}
	if (j->op == 0x99)
		j->w[2].tag = pick("23456789ADEF");
}

static void random_alu(struct job *j)
{
	static const uint8_t arith[] = {0x00, 0x04, 0x05, 0x06, 0x07, 0x08,
	                                0x09, 0x0D, 0x0E, 0x0F, 0x12, 0x13,
	                                0x14, 0x15, 0x16, 0x18, 0x19, 0x1B};
	static const uint8_t bit[] = {0x0A, 0x0B, 0x0C, 0x01, 0x02, 0x10};
	static const uint8_t fold[] = {0x04, 0x05, 0x06, 0x08, 0x09};

	j->alu[0] = arith[below(18)];
	j->alu[1] = arith[below(18)];
	if (j->op == 0x43 && j->alu[0] == 0)
		j->alu[1] = 0;
	if (j->op == 0x51 || j->op == 0x53) {
		j->alu[0] = bit[below(6)];
		j->alu[1] = bit[below(6)];
	} else if (j->op == 0x52) {
		j->alu[0] = bit[below(3)];
	} else if (j->op == 0x42 || j->op == 0x9A || j->op == 0xE6) {
		j->alu[0] = fold[below(5)];
		j->alu[1] = fold[below(5)];
	} else if (j->op == 0x72 || j->op == 0x99) {
		j->alu[0] = 0;
	}
}

static void random_scalars(struct job *j)
{
	for (int i = 0; i < 2; i++) {
		struct pattern *s = &j->s[i];

		j->word[i] = draw() & 1 ? draw() : 0x40400000;
		j->kind[i] = 0;
		s->tag = j->op == 0x53   ? j->w[0].tag
		         : j->op == 0xE8 ? j->w[2].tag
		                         : 10;
		s->part = start_of(j->n);
		s->dims = 1;
		s->count[0] = 1;
		s->step[0] = 0;
		s->reg = 20 + i;
		settle(s, SBUF_PART);
		if (has_scalars(j->op) || (j->op == 0xE8 && i == 0))
			j->kind[i] = (uint8_t)below(3);
	}
	if ((j->op == 0x9A || j->op == 0xE6) && j->command != 4) {
		j->kind[1] = 0;
		j->word[1] = 0;
	}
}

static struct job random_job(uint8_t op)
{
	struct job j = {.op = op, .engine = op == 0x7E ? POOL : DVE};
	const struct layout *l = layout_of(op);
	int room = below(2) ? 64 : SBUF_PART, group = 1;

	if (j.engine == DVE && (op == 0x46 || op == 0x41) && below(2))
		j.engine = POOL;
	j.n = channels();
	j.reverse = has_scalars(op) ? (uint8_t)below(4) : 0;
	j.command = op == 0x9A || op == 0xE6 ? (uint8_t)(2 + below(3)) : 0;
	j.polarity = below(2);
	j.negate = op != 0x52 && below(2);
	j.base = draw();
	j.multiplier = draw() >> below(32);
	random_tags(&j);
	random_alu(&j);
	random_scalars(&j);
	int n = count_of(op, 0), out = count_of(op, 2), sbuf = start_of(j.n);

	if (op == 0x42 || op == 0x52)
		group = 1 + below(5);
	if (op != 0x6C && op != 0x6E)
		out = op == 0x9A && below(2) ? 1 : n;
	for (int i = 0; i < 3; i++) {
		struct pattern *w = &j.w[i];

		w->there = l->dims[i] != 0;
		if (!w->there)
			continue;
		factor(w, l->dims[i], i == 2 ? out : n * group);
		w->psum = j.engine == DVE && size_of(w->tag) == 4 &&
		          below(3) == 0 && !(i == 1 && j.w[0].psum);
		w->part = w->psum || i == 2 ? start_of(j.n) : sbuf;
		w->reg = below(3) ? -1 : 10 + i;
		settle(w, room);
		if (op == 0x7E && i == 0)
			w->reg = -1;
	}
	return j;
}

/* ------------------------------------------------------------------ *
 * Both.                                                              *
 * ------------------------------------------------------------------ */

/* Values that meet each other often, in any dtype. */
static void fill(void)
{
	static const uint8_t some[] = {0x00, 0x00, 0x80, 0x3F, 0x40,
	                               0x01, 0xFF, 0x7F, 0xC0, 0x42};

	for (int p = 0; p < 128; p++) {
		for (int i = 0; i < SBUF_PART; i++)
			sb[p][i] = below(3) ? some[below(10)] : (uint8_t)draw();
		for (int i = 0; i < SBUF_PART; i++)
			ps[p][i] = below(3) ? some[below(10)] : (uint8_t)draw();
	}
}

static void load(void)
{
	t->cfg.fp8_ocp = FP8 & VNUM_FP8_OCP;
	t->cfg.fp8_saturate = FP8 & VNUM_FP8_SATURATE;
	for (int p = 0; p < 128; p++) {
		for (uint32_t i = 0; i < PART; i += 8)
			memcpy(&t->sbuf[tpb_sbuf_word(t, p, i)], &sb[p][i], 8);
		for (uint32_t i = 0; i < PSUM_PART; i += 8)
			memcpy(&t->psum[tpb_psum_word(p, i)], &ps[p][i], 8);
	}
}

static void same_memory(const char *what)
{
	for (int p = 0; p < 128; p++) {
		for (uint32_t i = 0; i < PART; i += 8)
			if (memcmp(&t->sbuf[tpb_sbuf_word(t, p, i)], &sb[p][i],
			           8))
				fail_msg("%s: SBUF partition %d byte %u", what,
				         p, i);
		for (uint32_t i = 0; i < PSUM_PART; i += 8)
			if (memcmp(&t->psum[tpb_psum_word(p, i)], &ps[p][i], 8))
				fail_msg("%s: PSUM partition %d byte %u", what,
				         p, i);
	}
}

static int beats(const struct job *j)
{
	int passes = (j->n + TPB_LANES - 1) / TPB_LANES;
	int elements = total(j->w[0].there ? &j->w[0] : &j->w[2]);

	if (j->op == 0x6C || j->op == 0x6E)
		elements += 8;
	return passes * (elements + (j->kind[0] || j->kind[1]));
}

static int njobs(void)
{
	const char *s = getenv("TPB_VEC_JOBS");

	return s ? atoi(s) : 4000;
}

/* Three jobs in a row, so that accumulators and slots live on. */
static void random_jobs(void **state)
{
	(void)state;
	fill();
	for (int k = 0; k < njobs(); k += 3) {
		struct job j[3];
		char what[80];

		memset(acc, 0, sizeof(acc));
		memset(slots, 0, sizeof(slots));
		program();
		for (int i = 0; i < 3; i++)
			do
				j[i] = random_job(layouts[below(NLAYOUTS)].op);
			while (j[i].engine != j[0].engine);
		for (int i = 0; i < 3; i++)
			put_job(&j[i]);
		quit(j[0].engine);
		start();
		load();
		until_done();
		for (int i = 0; i < 3; i++)
			oracle(&j[i]);
		snprintf(what, sizeof(what), "jobs %d: %02X %02X %02X", k,
		         j[0].op, j[1].op, j[2].op);
		if (eng(j[0].engine)->state != TPB_RUN_EXITED)
			fail_msg("%s: fault %d at %u", what,
			         eng(j[0].engine)->fault, eng(j[0].engine)->pc);
		same_memory(what);
		if (k % 60 == 0)
			fill();
	}
}

/* Without hazards the cycles are known. */
static void cycles(void **state)
{
	(void)state;
	for (int k = 0; k < 600; k++) {
		struct job j = random_job(layouts[below(NLAYOUTS)].op);
		int issued, e = j.engine;
		bool apart = true;

		for (int i = 0; i < 2; i++)
			apart &= !j.w[i].there || j.w[i].psum != j.w[2].psum ||
			         !j.w[2].there || j.op == 0x7E;
		program();
		put_job(&j);
		quit(e);
		start();
		load();
		/* registers are set by movs, one a cycle, from cycle 2 on */
		issued = 2 + (int)len[e] - 2;
		int end = until_retire(e);

		while ((int)eng(e)->pc < (int)len[e] - 1)
			end = until_retire(e);
		if (apart)
			assert_int_equal(end - issued + 1, 7 + beats(&j));
		else
			assert_true(end - issued + 1 >= 7 + beats(&j));
	}
}

/* ------------------------------------------------------------------ *
 * Contention.                                                        *
 * ------------------------------------------------------------------ */

#define HALF (SBUF_PART / 2)
#define KEPT 32 /* bytes at the end of the first half, for SP */

/* A job whose bytes in SBUF all lie in one half of the partitions. */
static struct job half_job(int engine, int half)
{
	static const uint8_t ops[] = {0x41, 0x46, 0x47, 0x49, 0x51, 0x52};

	for (;;) {
		struct job j = random_job(ops[below(6)]);
		bool fits = true;

		j.engine = engine;
		for (int i = 0; i < 3; i++) {
			struct pattern *w = &j.w[i];
			int size = size_of(w->tag);

			if (!w->there)
				continue;
			fits &= !(engine == POOL && w->psum);
			for (int k = 0; k < total(w); k++) {
				int at = w->start + offset(w, k) * size;

				fits &= at + size <= HALF - KEPT;
			}
			if (!w->psum)
				w->start += half * HALF;
		}
		if (fits)
			return j;
	}
}

/* Eight words of partition p, in the bytes that SP has for itself. */
static uint64_t kept(int p)
{
	return SBUF + ((uint64_t)p << 18) + HALF - KEPT;
}

/* Both units at once, each in its half, while SP copies words in a corner of
 * its own and ACT loads: everyone's results are as if alone. */
static void contention(void **state)
{
	(void)state;
	fill();
	for (int k = 0; k < njobs() / 8; k++) {
		struct job j[2][6];
		char what[40];

		snprintf(what, sizeof(what), "contention %d", k);
		program();
		for (int i = 0; i < 6; i++)
			for (int u = 0; u < 2; u++) {
				j[u][i] = half_job(u ? DVE : POOL, u);
				put_job(&j[u][i]);
			}
		tensor(SP, 0xAA, 9, 8, kept(3), 0);
		for (int i = 0; i < 12; i++)
			tensor(SP, 0xAB, 9, 8, kept(4 + 10 * i), 0);
		for (int i = 0; i < 12; i++)
			tensor(ACT, 0xAA, 9, 8, i & 1 ? PSUM + 64 : kept(1), 0);
		for (int e = ACT; e <= SP; e++)
			quit(e);
		start();
		load();
		until_done();
		for (int e = ACT; e <= SP; e++)
			assert_int_equal(eng(e)->state, TPB_RUN_EXITED);
		for (int i = 0; i < 6; i++)
			for (int u = 0; u < 2; u++)
				oracle(&j[u][i]);
		for (int i = 0; i < 12; i++)
			memcpy(&sb[4 + 10 * i][HALF - KEPT],
			       &sb[3][HALF - KEPT], KEPT);
		same_memory(what);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_jobs),
	    cmocka_unit_test(cycles),
	    cmocka_unit_test(contention),
	};

	return cmocka_run_group_tests_name("model_vec", tests, NULL, NULL);
}
