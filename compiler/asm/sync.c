/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler: the sync clauses after `|`.
 *
 * The standard lane (+0x04..+0x0B) has one dword for its wait and its
 * update; the extended lane of evsem (+0x20..+0x2C) has one for each.
 */
#include "compiler/asm/internal.h"

#include <string.h>

/* A dword of the bundle and what a clause has put there. */
struct dword {
	bool set;
	uint32_t value;
};

struct lanes {
	bool evsem;
	bool wait[2], post[2]; /* taken: standard, extended */
	struct dword std, ext_wait, ext_post;
};

/* Options after the keyword: wait.std, post.early.ext. */
struct clause {
	struct asm_tok t;
	size_t base;
	bool std, ext, early;
};

static void options(struct asm_state *a, struct clause *c)
{
	const char *s = c->t.text;
	size_t i, n = c->t.len;
	char buf[48];

	for (c->base = 0; c->base < n && s[c->base] != '.'; c->base++)
		;
	for (i = c->base; i < n;) {
		size_t from = ++i;

		while (i < n && s[i] != '.')
			i++;
		if (i - from == 3 && !memcmp(s + from, "std", 3))
			c->std = true;
		else if (i - from == 3 && !memcmp(s + from, "ext", 3))
			c->ext = true;
		else if (i - from == 5 && !memcmp(s + from, "early", 5))
			c->early = true;
		else
			asm_error(a, &c->t, ASM_SYNC,
			          "unknown option in %s; known: .std .ext "
			          "and, for post, .early",
			          asm_show(&c->t, buf));
	}
}

static bool is_base(const struct clause *c, const char *word)
{
	return c->base == strlen(word) && !memcmp(c->t.text, word, c->base);
}

/* 0 standard, 1 extended; the lane is then taken. */
static int lane(struct asm_state *a, struct lanes *l, const struct clause *c,
                bool taken[2], bool dflt_ext)
{
	int n = c->ext || (!c->std && l->evsem && dflt_ext);

	if (c->std && c->ext)
		asm_error(a, &c->t, ASM_SYNC,
		          ".std and .ext exclude one another; keep one");
	if (n == 1 && !l->evsem)
		asm_error(a, &c->t, ASM_SYNC,
		          "only evsem has an extended lane; remove .ext");
	if (taken[n])
		asm_error(a, &c->t, ASM_SYNC,
		          "this lane has a %.*s already; use %s",
		          (int)(c->base < 8 ? c->base : 8), c->t.text,
		          l->evsem ? "another bundle" : "evsem");
	taken[n] = true;
	return n;
}

static void set_dword(struct asm_state *a, struct lanes *l,
                      const struct asm_tok *t, struct dword *d, uint32_t v)
{
	if (d->set && d->value != v)
		asm_error(a, t, ASM_SYNC,
		          "this block has one value for its wait and its "
		          "post, and they differ (%u, %u); use %s",
		          d->value, v, l->evsem ? "the other lane" : "evsem");
	d->set = true;
	d->value = v;
}

/* Right side: a register (*reg) or a number. */
static uint32_t operand(struct asm_state *a, bool *reg)
{
	*reg = asm_at_reg(a);
	if (*reg)
		return asm_reg(a);
	return (uint32_t)asm_value(a, 32, "value");
}

static int compare(struct asm_state *a)
{
	static const int punct[] = {P_EQ, '<', P_LE, '>', P_GE};
	static const int mode[] = {TPB_WAIT_EQ_IMM, TPB_WAIT_LT_IMM,
	                           TPB_WAIT_LE_IMM, TPB_WAIT_GT_IMM,
	                           TPB_WAIT_GE_IMM};

	for (int i = 0; i < 5; i++)
		if (asm_accept(a, punct[i]))
			return mode[i];
	asm_error(a, &a->pos.tok, ASM_SYNC,
	          "a semaphore is compared by == < <= > or >=; write one");
	return 0;
}

static void wait_clause(struct asm_state *a, struct asm_inst *in,
                        struct lanes *l, const struct clause *c)
{
	int n = lane(a, l, c, l->wait, l->wait[0]);
	uint8_t *p = in->b + (n ? 0x20 : 0x04);
	struct asm_tok at = a->pos.tok;
	bool inverted = asm_accept(a, '!');
	bool event, reg;
	uint32_t v;

	p[1] = asm_sync_ref(a, &event);
	if (!event && (inverted || !is_base(c, "wait"))) {
		asm_error(a, &at, ASM_SYNC,
		          "only an event can be inverted, taken or claimed; "
		          "name one");
	} else if (is_base(c, "take")) {
		p[0] = TPB_WAIT_EVT_SET_CLR;
	} else if (is_base(c, "claim")) {
		p[0] = TPB_WAIT_EVT_CLR_SET;
	} else if (event) {
		p[0] = inverted ? TPB_WAIT_EVT_CLR : TPB_WAIT_EVT_SET;
	} else {
		p[0] = (uint8_t)compare(a);
		v = operand(a, &reg);
		if (reg)
			p[0] |= 0x80;
		set_dword(a, l, &at, n ? &l->ext_wait : &l->std, v);
	}
	if (inverted && !is_base(c, "wait"))
		asm_error(a, &at, ASM_SYNC,
		          "take and claim have no inverse; remove the !");
}

/* Operator after a semaphore; the mode in its completion phase. */
static uint8_t post_mode(struct asm_state *a, bool *value)
{
	*value = false;
	if (asm_accept(a, P_INC))
		return TPB_UPDATE_INC_C;
	if (asm_accept(a, P_DEC))
		return TPB_UPDATE_DEC_C;
	*value = true;
	if (asm_accept(a, P_ADDEQ))
		return TPB_UPDATE_ADD_IMM_C;
	if (asm_accept(a, P_SUBEQ))
		return TPB_UPDATE_SUB_IMM_C;
	if (asm_accept(a, '='))
		return TPB_UPDATE_WR_IMM_C;
	asm_error(a, &a->pos.tok, ASM_SYNC,
	          "a semaphore is posted by ++ -- += -= or =; write one");
	return 0;
}

static void post_clause(struct asm_state *a, struct asm_inst *in,
                        struct lanes *l, const struct clause *c)
{
	int n = lane(a, l, c, l->post, true);
	uint8_t *p = in->b + (n ? 0x22 : 0x06);
	struct asm_tok at = a->pos.tok;
	bool inverted = asm_accept(a, '!');
	bool event, value = false, reg = false;
	uint32_t v;

	p[1] = asm_sync_ref(a, &event);
	if (inverted && !event)
		asm_error(a, &at, ASM_SYNC,
		          "only an event can be inverted; remove the !");
	if (event)
		p[0] = inverted ? TPB_UPDATE_EVT_CLR_C : TPB_UPDATE_EVT_SET_C;
	else
		p[0] = post_mode(a, &value);
	if (value) {
		v = operand(a, &reg);
		set_dword(a, l, &at, n ? &l->ext_post : &l->std, v);
	}
	if (reg)
		p[0] |= 0x80;
	if (c->early)
		p[0] &= 0xEF;
	at = a->pos.tok;
	if (!asm_accept(a, '@'))
		return;
	if (n == 0)
		asm_error(a, &at, ASM_SYNC,
		          "only the extended lane of evsem reaches another "
		          "core; use evsem");
	in->b[0x2C] = (uint8_t)(0x80 | asm_uint(a, 127, "core"));
}

static void val_clause(struct asm_state *a, struct lanes *l,
                       const struct clause *c)
{
	struct asm_tok at = c->t;
	struct dword *d = &l->std;
	uint32_t v;

	if (asm_is(&c->t, "val.wait"))
		d = &l->ext_wait;
	else if (asm_is(&c->t, "val.post"))
		d = &l->ext_post;
	else if (!asm_is(&c->t, "val"))
		asm_error(a, &at, ASM_SYNC,
		          "unknown option; write val, val.wait or val.post");
	if (d != &l->std && !l->evsem)
		asm_error(a, &at, ASM_SYNC,
		          "only evsem has an extended lane; write val");
	v = (uint32_t)asm_value(a, 32, "value");
	set_dword(a, l, &at, d, v);
}

static void clause(struct asm_state *a, struct asm_inst *in, struct lanes *l)
{
	struct clause c = {.t = a->pos.tok};
	bool val, post;

	for (c.base = 0; c.base < c.t.len && c.t.text[c.base] != '.'; c.base++)
		;
	val = is_base(&c, "val");
	post = is_base(&c, "post");
	if (c.t.kind != TOK_NAME ||
	    (!val && !post && !is_base(&c, "wait") && !is_base(&c, "take") &&
	     !is_base(&c, "claim"))) {
		asm_error(a, &c.t, ASM_SYNC,
		          "unknown sync clause; "
		          "known: wait take claim post val");
		return;
	}
	if (!val)
		options(a, &c);
	if (c.early && !post)
		asm_error(a, &c.t, ASM_SYNC,
		          "only a post has an early phase; remove .early");
	asm_next(a);
	if (val)
		val_clause(a, l, &c);
	else if (post)
		post_clause(a, in, l, &c);
	else
		wait_clause(a, in, l, &c);
}

void asm_sync_clauses(struct asm_state *a, struct asm_inst *in)
{
	struct lanes l = {.evsem = in->b[0] == TPB_OP_EVENT_SEMAPHORE};

	while (asm_accept(a, '|'))
		clause(a, in, &l);
	if (l.std.set)
		asm_put32(in->b + 0x08, l.std.value);
	if (l.ext_wait.set)
		asm_put32(in->b + 0x24, l.ext_wait.value);
	if (l.ext_post.set)
		asm_put32(in->b + 0x28, l.ext_post.value);
}
