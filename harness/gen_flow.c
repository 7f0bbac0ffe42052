/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions: what a set of engines does together, one item after the other.
 *
 * A loop or function body leaves every value as it was and ends with a fence
 * if it used any id, so that it can begin again at once.  A region takes
 * the upper half of the free ids of its parent; what it used belongs to the
 * parent until the parent's next fence.
 */
#include "harness/gen_priv.h"

static void local(struct gen *g, struct region *r)
{
	int e = gen_any(g, r->engines);

	for (int i = 0; i < TPB_ENGINES && rng_chance(&g->rng, 80); i++)
		if (gen_has(r->engines, i) && g->est[i] < g->est[e])
			e = i;
	gen_straight(g, e, rng_range(&g->rng, 2, 9));
}

int64_t gen_time(const struct gen *g, uint8_t engines)
{
	int64_t t = INT64_MAX;

	for (int e = 0; e < TPB_ENGINES; e++)
		if (gen_has(engines, e) && g->est[e] < t)
			t = g->est[e];
	return t;
}

struct region gen_open(struct gen *g, struct region *r, uint8_t engines)
{
	struct region c = *r;

	(void)g;
	c.parent = r;
	c.engines = engines;
	c.wipe_ok = false;
	c.dirty = false;
	memset(c.used_sem, 0, sizeof(c.used_sem));
	memset(c.used_evt, 0, sizeof(c.used_evt));
	c.first = gen_count(engines) > 1 ? r->first + (r->end - r->first) / 2
	                                 : r->end;
	r->end = c.first;
	return c;
}

void gen_close(struct gen *g, struct region *c)
{
	struct region *r = c->parent;

	for (int i = 0; i < TPB_SEMS; i++) {
		if (c->used_sem[i >> 5] >> (i & 31) & 1)
			g->sem_user[i] = r;
		if (c->used_evt[i >> 5] >> (i & 31) & 1)
			g->evt_user[i] = r;
	}
	for (int i = 0; i < 8; i++) {
		r->used_sem[i] |= c->used_sem[i];
		r->used_evt[i] |= c->used_evt[i];
		r->dirty |= c->used_sem[i] || c->used_evt[i];
	}
	r->end = c->end;
}

/* ------------------------------------------------------------------ *
 * Loops.                                                             *
 * ------------------------------------------------------------------ */

/* How a loop counts. */
struct count {
	int reg, trips;
	int32_t from, step, stop; /* runs while counter `cmp` stop */
	uint8_t cmp, dtype;
};

static struct count choose_count(struct gen *g, int reg, int trips)
{
	static const uint8_t tag[] = {TPB_DTYPE_INT8,   TPB_DTYPE_UINT8,
	                              TPB_DTYPE_INT16,  TPB_DTYPE_UINT16,
	                              TPB_DTYPE_INT32,  TPB_DTYPE_UINT32,
	                              TPB_DTYPE_FLOAT32};
	struct count c = {.reg = reg, .trips = trips, .step = 1};

	/* Small whole numbers are in the same order in every type, as bits of
	 * an f32 too. */
	c.dtype = tag[rng_below(&g->rng, 7)];
	if (rng_chance(&g->rng, 50)) { /* up */
		c.from = rng_range(&g->rng, 0, 9);
		c.stop = c.from + trips;
		switch (rng_below(&g->rng, 3)) {
		case 0: c.cmp = TPB_CMP_LT_IMM; break;
		case 1: c.cmp = TPB_CMP_NE_IMM; break;
		default: c.cmp = TPB_CMP_LE_IMM; c.stop--;
		}
	} else { /* down */
		c.step = -1;
		c.stop = rng_range(&g->rng, 0, 9);
		c.from = c.stop + trips;
		switch (rng_below(&g->rng, 3)) {
		case 0: c.cmp = TPB_CMP_GT_IMM; break;
		case 1: c.cmp = TPB_CMP_NE_IMM; break;
		default: c.cmp = TPB_CMP_GE_IMM; c.stop++;
		}
	}
	if (rng_chance(&g->rng, 40))
		c.cmp |= 8;
	return c;
}

static void loop_tail(struct gen *g, int e, const struct count *c,
                      uint32_t head)
{
	bool add = rng_chance(&g->rng, 50), stateless = g->stateless;
	uint8_t b[TPB_BUNDLE];
	int64_t mult = g->mult;

	g->stateless = true;
	gen_begin(b, TPB_OP_REGISTER_ALU);
	b[0x0C] = add ? TPB_ALU_ADD : TPB_ALU_SUBTRACT;
	b[0x0D] = 1;
	b[0x0E] = 2;
	b[0x0F] = rng_chance(&g->rng, 50) ? TPB_DTYPE_UINT32 : 0;
	b[0x10] = b[0x11] = (uint8_t)c->reg;
	gen_word(b, 0x18, (uint32_t)(add ? c->step : -c->step));
	gen_put(g, e, b, NULL);
	gen_begin(b, TPB_OP_BRANCH);
	b[0x0C] = c->cmp;
	b[0x0D] = c->dtype;
	b[0x0E] = 3;
	b[0x20] = (uint8_t)c->reg;
	if (c->cmp & 8) {
		gen_set_reg(g, e, R_LIMIT, (uint32_t)c->stop);
		b[0x21] = R_LIMIT;
	} else {
		gen_word(b, 0x10, (uint32_t)c->stop);
	}
	gen_word(b, 0x30, head);
	gen_put(g, e, b, NULL);
	g->mult = mult;
	g->stateless = stateless;
}

/* Make every semaphore 0, so that something in the loop may do so too. */
static void normalize(struct gen *g, struct region *r)
{
	uint8_t b[TPB_BUNDLE];
	bool stateless = g->stateless;

	/* Of a fence without barrier some are behind while others are still
	 * in it: there, nobody may look at what is cleared. */
	g->stateless = true;
	gen_fence(g, r);
	gen_begin(b, TPB_OP_GROUP_RESET);
	b[0x0C] = TPB_CLEAR_MASK;
	for (int i = 0; i < TPB_SEMS; i++)
		if (g->val[i])
			b[0x20 + i / 8] |= (uint8_t)(1 << i % 8);
	gen_put(g, gen_any(g, r->engines), b, NULL);
	gen_wiped(g);
	gen_fence(g, r);
	g->stateless = stateless;
}

static int choose_trips(struct gen *g, int64_t room, int engines)
{
	int most = engines > 1 ? 8 : rng_chance(&g->rng, 20) ? 60 : 16;
	int64_t least = 12 * engines; /* time of a short body */

	if (g->mult * least * most > room)
		most = (int)(room / (g->mult * least));
	return most < 1 ? 0 : rng_range(&g->rng, 1, most);
}

static void loop(struct gen *g, struct region *r, uint8_t engines,
                 int64_t until)
{
	int64_t now = gen_time(g, engines), room = until - now;
	int trips = choose_trips(g, room, gen_count(engines));
	int reg = R_COUNTER + g->frame * GEN_LOOPS + r->loops;
	struct region c;
	struct count count[TPB_ENGINES];
	uint32_t head[TPB_ENGINES], val[TPB_SEMS];
	bool evt[TPB_EVENTS];

	if (!trips || r->loops == GEN_LOOPS) {
		local(g, r);
		return;
	}
	c = gen_open(g, r, engines);
	gen_fence_ids(g, &c);
	c.loops = r->loops + 1;
	if (r->wipe_ok && engines == g->all && c.can_fence &&
	    rng_chance(&g->rng, 40)) {
		normalize(g, &c);
		c.wipe_ok = true;
	}
	for (int e = 0; e < TPB_ENGINES; e++) {
		if (!gen_has(engines, e))
			continue;
		count[e] = choose_count(g, reg, trips);
		gen_set_reg(g, e, reg, (uint32_t)count[e].from);
		head[e] = gen_pc(g, e);
	}
	memcpy(val, g->val, sizeof(val));
	memcpy(evt, g->evt, sizeof(evt));
	g->mult *= trips;
	gen_straight(g, gen_any(g, engines), 1);
	gen_region(g, &c, now + room * rng_range(&g->rng, 5, 50) / 100);
	gen_restore(g, &c, val, evt, true);
	for (int e = 0; e < TPB_ENGINES; e++)
		if (gen_has(engines, e))
			loop_tail(g, e, &count[e], head[e]);
	g->mult /= trips;
	gen_close(g, &c);
}

/* ------------------------------------------------------------------ *
 * Functions.                                                         *
 * ------------------------------------------------------------------ */

static void call(struct gen *g, struct region *r)
{
	int n = g->nfuncs - r->callee;
	const struct gen_function *f;
	uint8_t b[TPB_BUNDLE];
	int i;

	if (n < 1) {
		local(g, r);
		return;
	}
	i = r->callee;
	if (gen_wanted(g, g->bias.calls) < 0)
		i += rng_below(&g->rng, n);
	f = &g->func[i];
	if (f->engines & ~r->engines || (f->wipes && !r->wipe_ok)) {
		local(g, r);
		return;
	}
	for (int e = 0; e < TPB_ENGINES; e++) {
		if (!gen_has(f->engines, e))
			continue;
		gen_payload(g, e, TPB_OP_CALL, b);
		gen_word(b, 0x30, f->pc[e]);
		gen_put(g, e, b, NULL);
		g->est[e] += g->mult * f->cost[e];
	}
	if (f->wipes) {
		gen_wiped(g);
		g->wiped = true;
	}
}

static void put_return(struct gen *g, struct gen_function *f)
{
	uint8_t b[TPB_BUNDLE];

	g->stateless = true;
	for (int e = 0; e < TPB_ENGINES; e++) {
		if (!gen_has(f->engines, e))
			continue;
		gen_payload(g, e, TPB_OP_RETURN, b);
		b[0x0C] = f->keep;
		gen_put(g, e, b, NULL);
	}
	g->stateless = false;
}

static void function(struct gen *g, int i)
{
	struct gen_function *f = &g->func[i];
	struct region r = {.frame = i + 1, .callee = i + 1};
	uint32_t val[TPB_SEMS] = {0};
	bool evt[TPB_EVENTS] = {false};
	char name[8];

	f->engines = rng_chance(&g->rng, 60)
	                 ? g->all
	                 : (uint8_t)(g->all & rng_u32(&g->rng));
	if (!f->engines)
		f->engines = g->all;
	if (g->bias.calls > 0)
		f->engines = g->all;
	f->keep = f->engines != g->all || rng_chance(&g->rng, 50);
	r.engines = f->engines;
	r.first = IDS_POOL + i * FUNC_POOL;
	r.end = r.first + FUNC_POOL;
	r.wipe_ok = f->engines == g->all;
	snprintf(name, sizeof(name), "f%d", i);
	for (int e = 0; e < TPB_ENGINES; e++) {
		g->est[e] = 0;
		f->pc[e] = gen_pc(g, e);
		if (gen_has(f->engines, e))
			image_add_symbol(g->img, name, e, f->pc[e], true,
			                 f->keep);
	}
	g->frame = r.frame;
	g->wiped = false;
	gen_fence_ids(g, &r);
	memcpy(evt, g->evt, sizeof(evt));
	if (rng_chance(&g->rng, 90)) /* else nothing but the Return */
		gen_region(g, &r, rng_range(&g->rng, 4, 120));
	gen_restore(g, &r, val, evt, f->keep);
	put_return(g, f);
	f->wipes = !f->keep || g->wiped;
	gen_wiped(g);
	for (int e = 0; e < TPB_ENGINES; e++)
		f->cost[e] = gen_has(f->engines, e) ? g->est[e] : 0;
	for (int id = 0; id < TPB_SEMS; id++)
		g->sem_user[id] = g->evt_user[id] = NULL;
}

void gen_functions(struct gen *g)
{
	g->nfuncs = g->bias.calls > 0 ? NFUNCS : rng_below(&g->rng, NFUNCS + 1);
	for (int i = g->nfuncs - 1; i >= 0; i--)
		function(g, i);
	g->frame = 0;
	for (int e = 0; e < TPB_ENGINES; e++)
		g->est[e] = 0;
}

/* ------------------------------------------------------------------ *
 * Regions.                                                           *
 * ------------------------------------------------------------------ */

static uint8_t subset(struct gen *g, uint8_t engines)
{
	uint8_t m;

	if (rng_chance(&g->rng, 50))
		return engines;
	do {
		m = engines & (uint8_t)rng_u32(&g->rng);
	} while (!m);
	return m;
}

static void part(struct gen *g, struct region *r, int64_t until)
{
	uint8_t engines = subset(g, r->engines);
	int64_t now = gen_time(g, engines);
	struct region c;

	if (until - now < 20 * g->mult) {
		local(g, r);
		return;
	}
	c = gen_open(g, r, engines);
	gen_fence_ids(g, &c);
	gen_region(g, &c, now + (until - now) / 4);
	gen_close(g, &c);
}

void gen_region(struct gen *g, struct region *r, int64_t until)
{
	while (gen_time(g, r->engines) < until) {
		int k = rng_below(&g->rng, 100);

		if (g->bias.calls > 0 && rng_chance(&g->rng, 20))
			k = 90;
		if (k < 38)
			local(g, r);
		else if (k < 62)
			gen_talk(g, r);
		else if (k < 68)
			gen_fence(g, r);
		else if (k < 76)
			loop(g, r, (uint8_t)(1u << gen_any(g, r->engines)),
			     until);
		else if (k < 84)
			loop(g, r, subset(g, r->engines), until);
		else if (k < 95)
			call(g, r);
		else
			part(g, r, until);
	}
}
