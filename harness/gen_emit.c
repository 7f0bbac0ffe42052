/* SPDX-License-Identifier: Apache-2.0
 *
 * A bundle with its waits and its update.
 *
 * A bundle that carries less than it could often gets a wait that holds
 * already, and an update that nobody waits for: on private ids of the
 * engine, whose values are known along its program, on semaphores that are
 * always 0, or on scratch ids.  So every op meets every mode.
 */
#include "harness/gen_priv.h"

/* A bundle being completed. */
struct put {
	struct gen *g;
	int e;
	uint8_t *b;
	struct sync s;
	uint8_t wait_reg, wait2_reg, update_reg; /* of the REG modes */
	bool any_operand; /* the update's operand may be any */
	int take[2];      /* private events that the waits consume, -1 */
};

void gen_begin(uint8_t b[TPB_BUNDLE], uint8_t op)
{
	memset(b, 0, TPB_BUNDLE);
	b[0] = op;
	b[1] = 0x10;
}

/* Rough time of a bundle. */
static int64_t cost(const struct gen *g, const uint8_t *b)
{
	int n = b[0x0E] * b[0x0F];

	switch (b[0]) {
	case TPB_OP_BRANCH:
	case TPB_OP_CALL:
	case TPB_OP_RETURN: return 2;
	case TPB_OP_REGISTER_ALU:
		if (b[0x0C] == TPB_ALU_DIVIDE || b[0x0C] == TPB_ALU_MOD ||
		    b[0x0C] == TPB_ALU_POW)
			return b[0x0E] & 1 ? 50 : 26;
		return b[0x0C] == TPB_ALU_MULT ? 2 : 1;
	case TPB_OP_TENSOR_LOAD:
	case TPB_OP_TENSOR_SAVE: return 1 + n * (b[0x14] & 0x10 ? 4 : 9);
	case TPB_OP_DMA_TRIGGER: return 2 + g->trigger_time;
	default: return gen_is_vector(b[0]) ? gen_vector_cost(b) : 1;
	}
}

static uint32_t append(struct gen *g, int e, const uint8_t *b)
{
	g->est[e] += g->mult * cost(g, b);
	return image_emit(g->img, e, b, 0, 0);
}

static bool is_join(uint8_t op)
{
	return op == TPB_OP_BARRIER || op == TPB_OP_RETURN ||
	       op == TPB_OP_CORE_BARRIER || op == TPB_OP_EXIT;
}

/* ------------------------------------------------------------------ *
 * Waits and updates that harm nobody.                                *
 * ------------------------------------------------------------------ */

static uint8_t private_id(struct gen *g, int e)
{
	int i = rng_below(&g->rng, NPRIVATE);

	return gen_id(g, IDS_PRIVATE + (g->frame * TPB_ENGINES + e) * NPRIVATE +
	                     i);
}

static uint8_t still_id(struct gen *g, int first, int n)
{
	return gen_id(g, IDS_STILL + first + rng_below(&g->rng, n));
}

/* A few scratch ids are hot, so that engines meet on them. */
static uint8_t scratch_id(struct gen *g)
{
	int hot = g->bias.crowd > 0 ? 2 : 4;

	if (rng_chance(&g->rng, 70))
		return gen_id(g, IDS_SCRATCH + rng_below(&g->rng, hot));
	if (rng_chance(&g->rng, 20))
		return (uint8_t)rng_range(&g->rng, IDS_END, 255);
	return gen_id(g, IDS_SCRATCH +
	                     rng_below(&g->rng, IDS_PRIVATE - IDS_SCRATCH));
}

/* A wait on an event that holds now; *mode may change to its opposite. */
static bool event_wait(struct put *p, uint8_t *mode, uint8_t *id)
{
	struct gen *g = p->g;
	bool set = *mode == TPB_WAIT_EVT_SET || *mode == TPB_WAIT_EVT_SET_CLR;
	bool take =
	    *mode == TPB_WAIT_EVT_SET_CLR || *mode == TPB_WAIT_EVT_CLR_SET;

	if (take && (g->stateless || is_join(p->b[0])))
		return false;
	if (!take && (g->stateless || rng_chance(&g->rng, 40))) {
		*id = still_id(g, set ? 4 : 0, 4);
		return true;
	}
	*id = private_id(g, p->e);
	if (g->evt[*id] != set)
		*id = private_id(g, p->e);
	if (g->evt[*id] != set)
		*mode ^= TPB_WAIT_EVT_SET ^ TPB_WAIT_EVT_CLR;
	if (take)
		p->take[p->take[0] >= 0] = *id;
	return true;
}

static uint8_t any_wait(struct gen *g, int bias)
{
	static const uint8_t event[] = {TPB_WAIT_EVT_SET, TPB_WAIT_EVT_SET_CLR,
	                                TPB_WAIT_EVT_CLR, TPB_WAIT_EVT_CLR_SET};
	int want = gen_wanted(g, bias);
	uint8_t mode;

	if (want > 0)
		return (uint8_t)want;
	if (rng_chance(&g->rng, 30))
		return event[rng_below(&g->rng, 4)];
	mode = (uint8_t)rng_range(&g->rng, TPB_WAIT_EQ_IMM, TPB_WAIT_GE_IMM);
	return rng_chance(&g->rng, 50) ? mode | 0x80 : mode;
}

/* A wait that holds now. */
static void free_wait(struct put *p, int bias, uint8_t *mode, uint8_t *id,
                      uint32_t *t)
{
	struct gen *g = p->g;
	uint8_t m = any_wait(g, bias);

	if (!gen_wait_needs(m)) {
		if (event_wait(p, &m, id))
			*mode = m;
		return;
	}
	*id = g->stateless || rng_chance(&g->rng, 40) ? still_id(g, 0, 8)
	                                              : private_id(g, p->e);
	if (gen_threshold(g, m, g->val[*id], rng_chance(&g->rng, 40), t))
		*mode = m;
}

/* An update that nobody waits for. */
static void free_update(struct put *p)
{
	struct gen *g = p->g;
	struct sync *s = &p->s;
	bool mine = !g->stateless && rng_chance(&g->rng, 40);

	s->update = gen_random_update(g);
	s->update_id = mine ? private_id(g, p->e) : scratch_id(g);
	s->update_v = gen_value(g);
	p->any_operand = !mine;
}

/* A chance in percent, for what the coverage wants nearly always. */
static int chance(const struct put *p, int bias, int percent)
{
	const struct gen_bias *want = &p->g->bias;

	if (bias > 0 && (want->op < 0 || want->op == p->b[0]))
		return 85;
	return percent;
}

static void decorate(struct put *p)
{
	struct gen *g = p->g;
	struct sync *s = &p->s;

	if (g->plain)
		return;
	if (!s->wait && rng_chance(&g->rng, chance(p, g->bias.wait, 20)))
		free_wait(p, g->bias.wait, &s->wait, &s->wait_id, &s->wait_v);
	if (p->b[0] == TPB_OP_EVENT_SEMAPHORE && !s->wait2 &&
	    rng_chance(&g->rng, chance(p, g->bias.wait2, 40)))
		free_wait(p, g->bias.wait2, &s->wait2, &s->wait2_id,
		          &s->wait2_v);
	if (!s->update && rng_chance(&g->rng, chance(p, g->bias.update, 30)))
		free_update(p);
	/* Both lanes look before either takes. */
	if (p->take[0] >= 0)
		g->evt[p->take[0]] = !g->evt[p->take[0]];
	if (p->take[1] >= 0 && p->take[1] != p->take[0])
		g->evt[p->take[1]] = !g->evt[p->take[1]];
}

/* Only now, behind the waits: what the update leaves in a private id. */
static void note_update(struct put *p)
{
	struct gen *g = p->g;
	const struct sync *s = &p->s;
	uint8_t m = s->update & 0xF;

	if (m == TPB_UPDATE_EVT_SET || m == TPB_UPDATE_EVT_CLR)
		g->evt[s->update_id] = m == TPB_UPDATE_EVT_SET;
	else
		g->val[s->update_id] =
		    gen_updated(s->update, g->val[s->update_id], s->update_v);
}

/* ------------------------------------------------------------------ *
 * Registers and lanes.                                               *
 * ------------------------------------------------------------------ */

/* r := v by two ALU bundles. */
static void set_by_alu(struct gen *g, int e, int r, uint32_t v)
{
	uint32_t k = rng_u32(&g->rng) | 1, inverse = k;
	bool mult = rng_chance(&g->rng, 30);
	uint8_t b[TPB_BUNDLE];

	for (int i = 0; i < 5; i++)
		inverse *= 2 - k * inverse;
	gen_set_reg(g, e, r, mult ? v * inverse : v - k);
	gen_begin(b, TPB_OP_REGISTER_ALU);
	b[0x0C] = mult ? TPB_ALU_MULT : TPB_ALU_ADD;
	b[0x0D] = 1;
	b[0x0E] = 2;
	b[0x10] = b[0x11] = (uint8_t)r;
	gen_word(b, 0x18, k);
	append(g, e, b);
}

static bool set_by_load(struct gen *g, int e, int r, uint32_t v)
{
	uint8_t b[TPB_BUNDLE];
	int i = 0;

	while (i < GEN_NCONSTANTS && g->constant[i] != v)
		i++;
	if (i == GEN_NCONSTANTS)
		return false;
	gen_begin(b, TPB_OP_TENSOR_LOAD);
	b[0x0C] = TPB_DTYPE_UINT32;
	b[0x0E] = b[0x0F] = 1;
	gen_word(b, 0x10, GEN_CONSTANTS + 4 * (uint32_t)i);
	b[0x20] = (uint8_t)r;
	append(g, e, b);
	return true;
}

/* r := v by the op of a rank. */
static void set_by_rank(struct gen *g, int e, int r, uint32_t v)
{
	bool global = v == g->img->rank;
	uint8_t b[TPB_BUNDLE];

	gen_payload(g, e, global ? TPB_OP_GLOBAL_RANK : TPB_OP_CUR_RANK, b);
	b[global ? 0x17 : 0x12] = (uint8_t)r;
	if (!global)
		gen_word(b, 0x18, v);
	append(g, e, b);
}

/* A register that holds v: a constant, or one loaded for it. */
static uint8_t find_reg(struct gen *g, int e, uint32_t v)
{
	int r = R_TEMP + g->temp % NTEMP;

	for (int i = 0; i < NKNOWN; i++)
		if (g->known[e][i] == v)
			return (uint8_t)(R_KNOWN + i);
	g->temp++;
	if (v == g->img->rank || rng_chance(&g->rng, 8))
		set_by_rank(g, e, r, v);
	else if (rng_chance(&g->rng, 60) && set_by_load(g, e, r, v))
		return (uint8_t)r;
	else if (rng_chance(&g->rng, 10))
		set_by_alu(g, e, r, v);
	else
		gen_set_reg(g, e, r, v);
	return (uint8_t)r;
}

static void find_regs(struct put *p)
{
	struct sync *s = &p->s;

	if (s->wait & 0x80)
		p->wait_reg = find_reg(p->g, p->e, s->wait_v);
	if (s->wait2 & 0x80)
		p->wait2_reg = find_reg(p->g, p->e, s->wait2_v);
	if (!(s->update & 0x80))
		return;
	if (p->any_operand)
		p->update_reg = (uint8_t)rng_below(&p->g->rng, 64);
	else if (s->wait & 0x80 && s->wait_v == s->update_v)
		p->update_reg = p->wait_reg; /* they may share a dword */
	else
		p->update_reg = find_reg(p->g, p->e, s->update_v);
}

/* The dword of a wait or an update. */
static uint32_t wait_word(const struct put *p, int lane)
{
	const struct sync *s = &p->s;

	if (lane)
		return s->wait2 & 0x80 ? p->wait2_reg : s->wait2_v;
	return s->wait & 0x80 ? p->wait_reg : s->wait_v;
}

static uint32_t update_word(const struct put *p)
{
	return p->s.update & 0x80 ? p->update_reg : p->s.update_v;
}

/* Make an update go with the wait in one dword: a free one takes what is
 * there; another one was asked for only if it fits. */
static bool share_word(struct put *p)
{
	struct sync *s = &p->s;

	if (!gen_wait_needs(s->wait) || !gen_update_needs(s->update) ||
	    wait_word(p, 0) == update_word(p))
		return true;
	if (!p->any_operand)
		return false;
	if (wait_word(p, 0) >= TPB_REGS)
		s->update &= 0x7F;
	s->update_v = wait_word(p, 0);
	p->update_reg = (uint8_t)s->update_v;
	return true;
}

static void put_wait(struct put *p, int lane, int at, int word)
{
	const struct sync *s = &p->s;
	uint8_t mode = lane ? s->wait2 : s->wait;

	p->b[at] = mode;
	p->b[at + 1] = mode ? (lane ? s->wait2_id : s->wait_id) : 0;
	if (gen_wait_needs(mode))
		gen_word(p->b, word, wait_word(p, lane));
	else if (mode && rng_chance(&p->g->rng, 20))
		gen_word(p->b, word, rng_u32(&p->g->rng));
}

static void put_update(struct put *p, int at, int word)
{
	const struct sync *s = &p->s;

	p->b[at] = s->update;
	p->b[at + 1] = s->update ? s->update_id : 0;
	if (gen_update_needs(s->update))
		gen_word(p->b, word, update_word(p));
}

/* 0xA0: waits and update spread over both lanes. */
static void put_lanes(struct put *p)
{
	struct sync *s = &p->s;
	struct rng *rng = &p->g->rng;
	bool crossed = rng_chance(rng, 40);
	bool ext;

	if (crossed) {
		put_wait(p, 1, 4, 8);
		put_wait(p, 0, 0x20, 0x24);
	} else {
		put_wait(p, 0, 4, 8);
		put_wait(p, 1, 0x20, 0x24);
	}
	ext = rng_chance(rng, 50) ||
	      (gen_wait_needs(p->b[4]) && gen_update_needs(s->update));
	if (!s->update)
		return;
	if (ext)
		put_update(p, 0x22, 0x28);
	else
		put_update(p, 6, 8);
	if (ext && rng_chance(rng, 20))
		p->b[0x2C] = 0x80; /* "the other core" is core 0: this one */
}

bool gen_fits(const struct sync *s)
{
	if (s->wait2)
		return false;
	if (!gen_wait_needs(s->wait) || !gen_update_needs(s->update))
		return true;
	return s->wait_v == s->update_v && !((s->wait ^ s->update) & 0x80);
}

/* ------------------------------------------------------------------ *
 * Emission.                                                          *
 * ------------------------------------------------------------------ */

uint32_t gen_put(struct gen *g, int e, uint8_t b[TPB_BUNDLE],
                 const struct sync *s)
{
	struct put p = {.g = g, .e = e, .b = b, .take = {-1, -1}};
	bool asked = s && s->update;

	if (s)
		p.s = *s;
	decorate(&p);
	find_regs(&p);
	if (b[0] != TPB_OP_EVENT_SEMAPHORE && !share_word(&p)) {
		/* What was asked for fits: gen_fits(). */
		if (asked)
			p.s.wait = 0;
		else
			p.s.update = 0;
	}
	if (p.s.update && !p.any_operand && !asked)
		note_update(&p);
	if (b[0] == TPB_OP_EVENT_SEMAPHORE) {
		put_lanes(&p);
	} else {
		put_wait(&p, 0, 4, 8);
		put_update(&p, 6, 8);
	}
	return append(g, e, b);
}

void gen_land(struct gen *g, int e, uint32_t pc)
{
	gen_word(g->img->stream[e].bundle[pc], 0x30, gen_pc(g, e));
}

static void move(struct gen *g, int e, int reg, const uint32_t *v, int n)
{
	uint8_t b[TPB_BUNDLE];

	gen_begin(b, TPB_OP_REGISTER_MOVE);
	b[0x0C] = (uint8_t)n;
	b[0x0D] =
	    (uint8_t)rng_range(&g->rng, TPB_DTYPE_INT32, TPB_DTYPE_FLOAT32);
	b[0x0E] = TPB_SOURCE_IMM;
	for (int i = 0; i < n; i++) {
		b[0x18 + i] = (uint8_t)(reg + i);
		gen_word(b, 0x20 + 4 * i, v[i]);
	}
	append(g, e, b);
}

void gen_set_reg(struct gen *g, int e, int reg, uint32_t v)
{
	move(g, e, reg, &v, 1);
}

void gen_set_pair(struct gen *g, int e, int reg, uint64_t v)
{
	uint32_t w[2] = {(uint32_t)v, (uint32_t)(v >> 32)};

	move(g, e, reg, w, 2);
}
