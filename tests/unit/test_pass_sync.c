/* SPDX-License-Identifier: Apache-2.0
 *
 * synchronizer, alloc_semaphores, lower_sync: no race and no deadlock at any
 * speeds of the parts, and the rules of each pass on small modules.
 *
 * The oracle of order is tests/unit/pass_machine.h; that it can tell a race is
 * shown by taking waits away.
 *
 * Run alone: build/default/test_pass_sync
 */
#include "tests/unit/pass_machine.h"

#define F32 TPB_BIR_DTYPE_FLOAT32
#define I32 TPB_BIR_DTYPE_INT32
#define SEEDS 60

struct tensors {
	struct bir_loc *da, *db, *out, *sa, *sb, *sc;
};

static struct bir_module *begin(struct bir_block **b, struct tensors *t)
{
	struct bir_module *m = module_new(b);

	t->da = tensor(m, "a", BIR_DRAM, BIR_INPUT, F32, 64, 16);
	t->db = tensor(m, "bb", BIR_DRAM, BIR_INPUT, F32, 64, 16);
	t->out = tensor(m, "out", BIR_DRAM, BIR_OUTPUT_T, F32, 64, 16);
	t->sa = tensor(m, "sa", BIR_SBUF, BIR_INTERNAL, F32, 64, 16);
	t->sb = tensor(m, "sb", BIR_SBUF, BIR_INTERNAL, F32, 64, 16);
	t->sc = tensor(m, "sc", BIR_SBUF, BIR_INTERNAL, F32, 64, 16);
	return m;
}

static void tt(struct bir_module *m, struct bir_block *b, enum bir_engine e,
               struct bir_loc *x, struct bir_loc *y, struct bir_loc *d)
{
	op2(m, b, BIR_IT_TENSOR_TENSOR, NULL, e, bir_whole(m, x),
	    bir_whole(m, y), bir_whole(m, d))
	    ->u.alu.op0 = TPB_BIR_ALU_ADD;
}

static void copy(struct bir_module *m, struct bir_block *b, struct bir_loc *d,
                 struct bir_loc *s)
{
	bir_dma_copy(m, b, bir_whole(m, d), bir_whole(m, s));
}

/* A random program over three tiles: compute on two engines, copies bound to
 * three, in blocks, loops and loops of loops. */
static unsigned pick(uint64_t *x, unsigned n)
{
	*x = *x * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*x >> 33) % n;
}

static void body(struct bir_module *m, struct bir_block *b, struct tensors *t,
                 uint64_t *x, int depth)
{
	static const enum bir_engine vec[] = {BIR_ENG_DVE, BIR_ENG_POOL};
	static const enum bir_engine dma[] = {BIR_ENG_DMA, BIR_ENG_ACT,
	                                      BIR_ENG_POOL, BIR_ENG_DVE};
	struct bir_loc *s[] = {t->sa, t->sb, t->sc};
	struct bir_loc *d[] = {t->da, t->db, t->out};
	int n = 2 + (int)pick(x, 5);

	while (n-- > 0) {
		unsigned what = pick(x, depth < 2 ? 7 : 6);

		if (what < 3) {
			tt(m, b, vec[pick(x, 2)], s[pick(x, 3)], s[pick(x, 3)],
			   s[pick(x, 3)]);
		} else if (what < 5) {
			copy(m, b, s[pick(x, 3)], d[pick(x, 2)]);
			b->last->engine = dma[pick(x, 4)];
		} else if (what < 6) {
			copy(m, b, t->out, s[pick(x, 3)]);
			b->last->engine = dma[pick(x, 4)];
		} else {
			struct bir_reg *iv =
			    bir_reg_new(m, NULL, BIR_ENG_ALL, 32);
			struct bir_inst *l =
			    bir_loop(m, b, iv, 0, 1 + pick(x, 3), 1);

			body(m, bir_block_new(m, &l->u.loop.body, NULL), t, x,
			     depth + 1);
		}
	}
}

static struct bir_module *random_module(uint64_t seed)
{
	struct bir_block *b;
	struct tensors t;
	struct bir_module *m = begin(&b, &t);
	uint64_t x = seed * 2654435761u + 99;
	int blocks = 1 + (int)pick(&x, 2);

	body(m, b, &t, &x, 0);
	while (blocks-- > 0)
		body(m, bir_block_new(m, &m->first->body, NULL), &t, &x, 0);
	return m;
}

/* S001-12 and the proofs of the synchronizer: random programs at random
 * speeds. */
static void no_race_no_deadlock(void **state)
{
	const char *where;

	(void)state;
	for (uint64_t p = 0; p < 150; p++) {
		struct bir_module *m = random_module(p);

		pass_until(m, "expand_all_final");
		for (uint64_t seed = 0; seed < 12; seed++) {
			enum verdict v = machine_run(m, seed, &where);

			if (v != CLEAN)
				fail_msg("program %d seed %d: %s at %s", (int)p,
				         (int)seed,
				         v == RACE ? "race" : "deadlock",
				         where);
		}
		bir_module_free(m);
	}
}

/* A diamond inside a loop body: posts on one path only, so pads. */
static struct bir_module *diamond(void)
{
	struct bir_block *b;
	struct tensors t;
	struct bir_module *m = begin(&b, &t);
	struct bir_reg *iv = bir_reg_new(m, "i", BIR_ENG_ALL, 32);
	struct bir_inst *l = bir_loop(m, b, iv, 0, 4, 1);
	struct bir_block *r = bir_block_new(m, &l->u.loop.body, "head");
	struct bir_block *yes = bir_block_new(m, &l->u.loop.body, "yes");
	struct bir_block *end = bir_block_new(m, &l->u.loop.body, "end");

	copy(m, r, t.sa, t.da);
	bir_branch(m, r, BIR_ENG_NONE, TPB_BIR_CMP_LT_IMM, iv, bir_int(m, 2),
	           yes, end);
	copy(m, yes, t.sb, t.db);
	tt(m, yes, BIR_ENG_POOL, t.sa, t.sb, t.sb);
	tt(m, end, BIR_ENG_DVE, t.sa, t.sb, t.sc);
	copy(m, end, t.out, t.sc);
	tt(m, end, BIR_ENG_POOL, t.sc, t.sb, t.sa);
	return m;
}

/* The loop only on one path: the other needs a sync point at the join. */
static struct bir_module *loop_in_branch(void)
{
	struct bir_block *b;
	struct tensors t;
	struct bir_module *m = begin(&b, &t);
	struct bir_reg *i = bir_reg_new(m, "i", BIR_ENG_ALL, 32);
	struct bir_reg *j = bir_reg_new(m, "j", BIR_ENG_ALL, 32);
	struct bir_inst *l = bir_loop(m, b, i, 0, 4, 1);
	struct bir_block *r = bir_block_new(m, &l->u.loop.body, "head");
	struct bir_block *yes = bir_block_new(m, &l->u.loop.body, "yes");
	struct bir_block *end = bir_block_new(m, &l->u.loop.body, "end");

	tt(m, r, BIR_ENG_POOL, t.sa, t.sb, t.sc);
	tt(m, r, BIR_ENG_DVE, t.sc, t.sb, t.sa);
	bir_branch(m, r, BIR_ENG_NONE, TPB_BIR_CMP_LT_IMM, i, bir_int(m, 2),
	           yes, end);
	struct bir_inst *in = bir_loop(m, yes, j, 0, 3, 1);
	struct bir_block *q = bir_block_new(m, &in->u.loop.body, "inner");

	tt(m, q, BIR_ENG_POOL, t.sa, t.sb, t.sb);
	tt(m, q, BIR_ENG_DVE, t.sa, t.sb, t.sc);
	tt(m, end, BIR_ENG_POOL, t.sa, t.sc, t.sb);
	copy(m, end, t.out, t.sb);
	tt(m, end, BIR_ENG_DVE, t.sa, t.sa, t.sb);
	return m;
}

/* Leaving by Break, and a predicated group. */
static struct bir_module *breaks(void)
{
	struct bir_block *b;
	struct tensors t;
	struct bir_module *m = begin(&b, &t);
	struct bir_reg *iv = bir_reg_new(m, "i", BIR_ENG_ALL, 32);
	struct bir_inst *l = bir_loop(m, b, iv, 0, 6, 1);
	struct bir_block *r = bir_block_new(m, &l->u.loop.body, "head");
	struct bir_block *leave = bir_block_new(m, &l->u.loop.body, "leave");
	struct bir_block *rest = bir_block_new(m, &l->u.loop.body, "rest");
	struct bir_expr *y = bir_expr_new(m, 1);

	copy(m, r, t.sa, t.da);
	tt(m, r, BIR_ENG_POOL, t.sa, t.sa, t.sb);
	bir_branch(m, r, BIR_ENG_NONE, TPB_BIR_CMP_EQ_IMM, iv, bir_int(m, 3),
	           leave, rest);
	tt(m, leave, BIR_ENG_DVE, t.sb, t.sb, t.sb);
	bir_emit(m, leave, BIR_IT_BREAK, NULL, BIR_ENG_ALL);
	bir_expr_add(m, y, -2, iv);
	tt(m, rest, BIR_ENG_DVE, t.sb, t.sb, t.sc);
	bir_predicate(m, rest->last, y, TPB_BIR_CMP_LT_IMM);
	copy(m, rest, t.out, t.sc);
	tt(m, rest, BIR_ENG_DVE, t.sc, t.sb, t.sa);
	tt(m, b, BIR_ENG_DVE, t.sb, t.sa, t.sc);
	copy(m, b, t.out, t.sc);
	tt(m, b, BIR_ENG_POOL, t.sb, t.sb, t.sc);
	return m;
}

typedef struct bir_module *build_fn(void);

static build_fn *const path_builds[] = {diamond, loop_in_branch, breaks};

static void paths(void **state)
{
	const char *where;

	(void)state;
	for (size_t k = 0; k < sizeof path_builds / sizeof *path_builds; k++) {
		struct bir_module *m = path_builds[k]();
		uint64_t want = outcome(m);

		pass_until(m, "expand_all_final");
		assert_true(outcome(m) == want);
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			enum verdict v = machine_run(m, seed, &where);

			if (v != CLEAN)
				fail_msg("module %d seed %d: %s at %s", (int)k,
				         (int)seed,
				         v == RACE ? "race" : "deadlock",
				         where);
		}
		bir_module_free(m);
	}
}

static struct bir_wait *nth_wait(struct bir_module *m, int n,
                                 struct bir_inst **at)
{
	for (struct bir_block *b = m->first->body.first; b; b = b->next)
		for (struct bir_inst *i = b->first; i; i = i->next)
			for (struct bir_wait *w = i->wait; w; w = w->next)
				if (n-- == 0) {
					*at = i;
					return w;
				}
	return NULL;
}

/* The machine must see what a wait is for: in a straight line nearly all that
 * the reduction leaves are needed. */
static void a_wait_less_is_a_race(void **state)
{
	int all = 0, seen = 0;
	const char *where;

	(void)state;
	for (uint64_t p = 0; p < 12; p++)
		for (int n = 0;; n++) {
			struct bir_block *b;
			struct tensors t;
			struct bir_module *m = begin(&b, &t);
			struct bir_inst *at = NULL;
			struct bir_wait *w;
			uint64_t x = p * 77 + 5;
			bool found = false;

			body(m, b, &t, &x, 2);
			body(m, b, &t, &x, 2);
			pass_until(m, "expand_all_final");
			w = nth_wait(m, n, &at);
			if (w)
				bir_wait_remove(at, w);
			for (uint64_t s = 0; w && s < 400 && !found; s++)
				found = machine_run(m, s, &where) == RACE;
			bir_module_free(m);
			if (!w)
				break;
			all++;
			seen += found;
		}
	print_message("waits=%d needed=%d\n", all, seen);
	assert_true(all > 30);
	assert_true(seen * 10 >= all * 8);
}

/* ---- thresholds ---- */

/* Two copies and an add: the add waits for the second block of the queue. */
static void straight_thresholds(void **state)
{
	struct bir_block *b;
	struct tensors t;
	struct bir_module *m = begin(&b, &t);
	struct bir_inst *add;

	(void)state;
	copy(m, b, t.sa, t.da);
	copy(m, b, t.sb, t.db);
	tt(m, b, BIR_ENG_DVE, t.sa, t.sb, t.sc);
	add = b->last;
	copy(m, b, t.out, t.sc);
	pass_until(m, "alloc_semaphores");
	assert_int_equal(m->nqueue, 1);
	assert_int_equal(m->queue->sem_id, 8);
	int n = 0, most = 0;

	for (const struct bir_wait *w = add->wait; w; w = w->next, n++) {
		assert_int_equal(w->id, 8);
		assert_int_equal(w->mode, TPB_BIR_WAIT_GE_IMM);
		most = (int)w->value > most ? (int)w->value : most;
	}
	assert_int_equal(n, 2);
	assert_int_equal(most, 2);
	assert_int_equal(add->update->id, 3); /* DVE */
	assert_int_equal(add->update->mode, TPB_BIR_UPDATE_INC);
	assert_null(add->update->next);
	bir_module_free(m);
}

/* In a loop the threshold is a register (S003-05). */
static void loop_thresholds(void **state)
{
	struct bir_block *b;
	struct tensors t;
	struct bir_module *m = begin(&b, &t);
	struct bir_reg *iv = bir_reg_new(m, "i", BIR_ENG_ALL, 32);
	struct bir_inst *l = bir_loop(m, b, iv, 0, 5, 1), *add;
	struct bir_block *r = bir_block_new(m, &l->u.loop.body, "body");

	(void)state;
	copy(m, r, t.sa, t.da);
	tt(m, r, BIR_ENG_DVE, t.sa, t.sa, t.sc);
	add = r->last;
	pass_until(m, "alloc_semaphores");
	assert_non_null(add->wait);
	assert_int_equal(add->wait->mode, TPB_BIR_WAIT_GE_REG);
	assert_int_equal(add->wait->reg->engine, BIR_ENG_DVE);
	/* T + 1, right in front */
	assert_int_equal(add->prev->it, BIR_IT_REG_ALU);
	assert_ptr_equal(add->prev->out[0]->reg, add->wait->reg);
	assert_int_equal(add->prev->in[1]->imm, 1);
	bir_module_free(m);
}

static void resets_name_all(void **state)
{
	struct bir_module *m = random_module(3);
	bool posted[256] = {false};
	int used = 0;

	(void)state;
	pass_until(m, "alloc_semaphores");
	for (const struct bir_queue *q = m->queue; q; q = q->next)
		for (int k = 0; k < q->instance->nblock; k++)
			if (q->instance->block[k]->update)
				posted[q->instance->block[k]->update->id] =
				    true;
	for (struct bir_block *b = m->first->body.first; b; b = b->next)
		for (struct bir_inst *i = b->first; i; i = i->next) {
			if (i->it != BIR_IT_GROUP_RESET)
				continue;
			assert_int_equal(i->u.greset.mask[0] & 0x1F, 0x1F);
			for (int k = 0; k < 256; k++)
				if (posted[k])
					assert_true(i->u.greset.mask[k / 8] >>
					                k % 8 &
					            1);
			used++;
		}
	assert_true(used > 0);
	bir_module_free(m);
}

/* Paths that post differently are padded; a counter that a loop moves is
 * followed at its entry, its latch and where it is left. */
static void pads_and_points(void **state)
{
	struct bir_module *m = diamond();

	(void)state;
	pass_until(m, "alloc_queues");
	pass_run(m, pass_synchronizer);
	assert_null(strstr(pass_stats, "pads=0"));
	assert_null(strstr(pass_stats, "points=0"));
	assert_true(count_of(&m->first->body, BIR_IT_EVENT_SEM) > 0);
	bir_module_free(m);
	m = random_module(1);
	pass_until(m, "alloc_queues");
	pass_run(m, pass_synchronizer);
	assert_non_null(strstr(pass_stats, "pads=0"));
	bir_module_free(m);
}

/* A block that branches to itself leaves its region through the fence. */
static void self_loop(void **state)
{
	struct bir_block *b;
	struct tensors t;
	struct bir_module *m = begin(&b, &t);
	struct bir_block *r = bir_block_new(m, &m->first->body, "again");
	struct bir_block *end = bir_block_new(m, &m->first->body, "end");
	struct bir_reg *n = bir_reg_new(m, "n", BIR_ENG_ALL, 32);
	const char *where;

	(void)state;
	bir_reg_move(m, b, BIR_ENG_ALL, n, bir_int(m, 0));
	copy(m, r, t.sa, t.da);
	tt(m, r, BIR_ENG_POOL, t.sa, t.sa, t.sb);
	tt(m, r, BIR_ENG_DVE, t.sb, t.sa, t.sc);
	bir_reg_alu(m, r, BIR_ENG_ALL, TPB_BIR_ALU_ADD, n, n, bir_int(m, 1));
	bir_branch(m, r, BIR_ENG_NONE, TPB_BIR_CMP_LT_IMM, n, bir_int(m, 4), r,
	           end);
	copy(m, end, t.out, t.sc);
	pass_until(m, "expand_all_final");
	for (uint64_t seed = 0; seed < SEEDS; seed++)
		if (machine_run(m, seed, &where) != CLEAN)
			fail_msg("seed %d: %s", (int)seed, where);
	bir_module_free(m);
}

/* ---- a kernel's own semaphores ---- */

static struct bir_module *own_wait(int wait_id, int post_id)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);

	bir_wait_add(m, bir_emit(m, b, BIR_IT_EVENT_SEM, "wait", BIR_ENG_SP),
	             -1, wait_id, TPB_BIR_WAIT_GE_IMM, 1, NULL, NULL);
	bir_update_add(m, bir_emit(m, b, BIR_IT_EVENT_SEM, "post", BIR_ENG_ACT),
	               -1, post_id, TPB_BIR_UPDATE_INC, 1);
	return m;
}

static void never_signalled(void **state)
{
	struct bir_module *m = own_wait(240, 241);

	(void)state;
	pass_refuses(m, pass_alloc_semaphores, "CMP025", "240, which is never");
	bir_module_free(m);
	m = own_wait(240, 240);
	pass_run(m, pass_alloc_semaphores);
	bir_module_free(m);
	m = own_wait(3, 3);
	pass_refuses(m, pass_alloc_semaphores, "CMP024", "the compiler's");
	bir_module_free(m);
}

/* ---- lower_sync ---- */

static struct bir_inst *block_of(struct bir_module *m, struct bir_queue *q,
                                 struct bir_block *b, struct tensors *t)
{
	struct bir_inst *k =
	    bir_inst_new(m, BIR_IT_DMA_BLOCK, NULL, BIR_ENG_NONE);
	struct bir_inst *g =
	    bir_emit(m, b, BIR_IT_DMA_TRIGGER, NULL, BIR_ENG_SP);

	bir_desc(m, k, bir_whole(m, t->da), bir_whole(m, t->sa));
	bir_instance_add(m, q, 0, k);
	k->u.dmablock.trigger = g;
	g->u.trigger.block = k;
	g->u.trigger.queue = q;
	return k;
}

static int waits_of(const struct bir_block *b, const char *prefix)
{
	int n = 0;

	for (const struct bir_inst *i = b->first; i; i = i->next)
		if (!strncmp(i->name, prefix, strlen(prefix)))
			for (const struct bir_wait *w = i->wait; w; w = w->next)
				n++;
	return n;
}

/* S001-06 to S001-10: what goes, in which order. */
static void elimination(void **state)
{
	struct bir_block *b;
	struct tensors t;
	struct bir_module *m = begin(&b, &t);
	struct bir_queue *q = bir_queue_new(m, "q0", BIR_ENG_SP);
	struct bir_queue *p = bir_queue_new(m, "q1", BIR_ENG_SP);
	struct bir_inst *k0, *k1, *k2, *i;

	(void)state;
	bir_instance_new(m, q, "q0");
	bir_instance_new(m, p, "q1");
	k0 = block_of(m, q, b, &t);
	k1 = block_of(m, q, b, &t);
	k2 = block_of(m, p, b, &t);
	tt(m, b, BIR_ENG_DVE, t.sa, t.sa, t.sb);
	i = b->last;
	bir_inst_rename(m, i, "use");
	/* queue rule first: of k0 and k1 the later block stays, though its
	 * value is the smaller one */
	bir_wait_add(m, i, 8, 8, TPB_BIR_WAIT_GE_IMM, 9, NULL, k0);
	bir_wait_add(m, i, 8, 8, TPB_BIR_WAIT_GE_IMM, 2, NULL, k1);
	bir_wait_add(m, i, 9, 9, TPB_BIR_WAIT_GE_IMM, 1, NULL, k2);
	/* value rule: 5 over 3, one of two equal, events apart */
	bir_wait_add(m, i, 1, 1, TPB_BIR_WAIT_GE_IMM, 3, NULL, NULL);
	bir_wait_add(m, i, 1, 1, TPB_BIR_WAIT_GE_IMM, 5, NULL, NULL);
	bir_wait_add(m, i, 2, 2, TPB_BIR_WAIT_GE_IMM, 4, NULL, NULL);
	bir_wait_add(m, i, 2, 2, TPB_BIR_WAIT_GE_IMM, 4, NULL, NULL);
	bir_wait_add(m, i, -1, 2, TPB_BIR_WAIT_EVT_SET_CLR, 0, NULL, NULL);
	bir_update_add(m, i, 3, 3, TPB_BIR_UPDATE_INC, 1);
	pass_run(m, pass_lower_sync);
	assert_string_equal(pass_stats,
	                    "waits=8 dropped b=1 a=2 c=0 carriers=4");
	assert_int_equal(waits_of(b, "use-wait"), 5);
	const struct bir_inst *c = named(m, "use-wait0");

	assert_int_equal(c->it, BIR_IT_EVENT_SEM);
	assert_int_equal(c->engine, BIR_ENG_DVE);
	assert_int_equal(c->wait->value, 2);
	assert_int_equal(c->wait->id, 8);
	/* S001-13: the op is bare, its post stands right behind */
	assert_null(i->wait);
	assert_null(i->update);
	assert_string_equal(i->next->name, "use-post");
	assert_int_equal(i->next->update->id, 3);
	assert_string_equal(i->prev->name, "use-wait2");
	bir_module_free(m);
}

/* A wait that an earlier one of the engine covers goes, but not after a
 * reset, and inline ops keep one. */
static void history(void **state)
{
	struct bir_block *b;
	struct bir_module *m = module_new(&b);
	struct bir_inst *x = bir_emit(m, b, BIR_IT_NOOP, "x", BIR_ENG_SP);
	struct bir_inst *y = bir_emit(m, b, BIR_IT_NOOP, "y", BIR_ENG_SP);
	struct bir_inst *r =
	    bir_emit(m, b, BIR_IT_GROUP_RESET, "r", BIR_ENG_SP);
	struct bir_inst *z = bir_emit(m, b, BIR_IT_NOOP, "z", BIR_ENG_SP);

	(void)state;
	r->u.greset.mask[0] = 1;
	bir_wait_add(m, x, 0, 0, TPB_BIR_WAIT_GE_IMM, 4, NULL, NULL);
	bir_wait_add(m, x, 1, 1, TPB_BIR_WAIT_GE_IMM, 1, NULL, NULL);
	bir_wait_add(m, y, 0, 0, TPB_BIR_WAIT_GE_IMM, 4, NULL, NULL);
	bir_wait_add(m, z, 0, 0, TPB_BIR_WAIT_GE_IMM, 2, NULL, NULL);
	pass_run(m, pass_lower_sync);
	assert_string_equal(pass_stats,
	                    "waits=4 dropped b=0 a=0 c=1 carriers=1");
	assert_int_equal(waits_of(b, "x"), 2);
	assert_non_null(x->wait);
	assert_null(x->wait->next);
	assert_null(y->wait);
	assert_non_null(z->wait);
	bir_module_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_race_no_deadlock),
	    cmocka_unit_test(paths),
	    cmocka_unit_test(a_wait_less_is_a_race),
	    cmocka_unit_test(straight_thresholds),
	    cmocka_unit_test(loop_thresholds),
	    cmocka_unit_test(resets_name_all),
	    cmocka_unit_test(pads_and_points),
	    cmocka_unit_test(self_loop),
	    cmocka_unit_test(never_signalled),
	    cmocka_unit_test(elimination),
	    cmocka_unit_test(history),
	};

	return cmocka_run_group_tests_name("pass_sync", tests, NULL, NULL);
}
