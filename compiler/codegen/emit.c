/* SPDX-License-Identifier: Apache-2.0
 *
 * Code generation: bundles by field name, sync records, streams.
 */
#include "compiler/codegen/internal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool codegen_fail(struct codegen *c, enum codegen_errno id, const char *fmt,
                  ...)
{
	struct compile_error *e = c->err;
	const struct bir_inst *i = c->inst;
	size_t n = 0;
	va_list ap;

	if (c->failed)
		return false;
	c->failed = true;
	snprintf(e->id, sizeof(e->id), "CGN%03u", (unsigned)id % 1000u);
	if (i && i->pos.line)
		snprintf(e->place, sizeof(e->place), "%.140s:%d", c->m->path,
		         i->pos.line);
	else
		snprintf(e->place, sizeof(e->place), "%.150s", c->m->path);
	if (i)
		n = (size_t)snprintf(e->text, sizeof(e->text),
		                     "%.60s (%s): ", i->name,
		                     bir_it_text(i->it));
	va_start(ap, fmt);
	vsnprintf(e->text + n, sizeof(e->text) - n, fmt, ap);
	va_end(ap);
	return false;
}

/* ---- fields ---- */

static const struct isa_field *field(const uint8_t *b, const char *name)
{
	const struct isa_field *f =
	    isa_field_named(b[0], ISA_FILE, name, strlen(name));

	/* Names in the encoders and rows of the table go together. */
	assert(f);
	return f;
}

static uint8_t *header(uint8_t *b, uint8_t op)
{
	const struct isa_opinfo *o = isa_op(op);

	assert(o);
	memset(b, 0, TPB_BUNDLE);
	b[0] = op;
	b[1] = TPB_BUNDLE / 4;
	for (int i = 0; i < o->nfields; i++)
		if (o->field[i].kind == ISA_CONST &&
		    o->field[i].forms >> ISA_FILE & 1)
			isa_set(b, &o->field[i], (uint64_t)o->field[i].arg);
	return b;
}

uint8_t *codegen_begin(struct codegen *c, uint8_t op)
{
	assert(c->nb < CODEGEN_BUNDLES);
	return header(c->b[c->nb++], op);
}

void codegen_set(struct codegen *c, uint8_t *b, const char *name, int64_t v)
{
	const struct isa_field *f = field(b, name);
	int64_t top = f->bits < 63 ? (int64_t)1 << f->bits : 0;

	if (top && (f->kind == ISA_SINT ? v < -(top / 2) || v >= top / 2
	                                : v < 0 || v >= top))
		codegen_fail(c, CGN_RANGE,
		             "%s is %lld, the field has %u bits; use a smaller "
		             "value",
		             name, (long long)v, f->bits);
	isa_set(b, f, (uint64_t)v);
}

uint8_t *codegen_at(uint8_t *b, const char *name)
{
	return b + field(b, name)->off;
}

void codegen_text(struct codegen *c, uint8_t *b, const char *name,
                  const char *text)
{
	const struct isa_field *f = field(b, name);
	size_t n = strlen(text), room = f->bits / 8u;

	if (n == 0 || n >= room)
		codegen_fail(c, CGN_RANGE,
		             "name '%.80s' has %zu bytes, 1 to %zu fit; "
		             "rename it",
		             text, n, room - 1);
	else
		memcpy(b + f->off, text, n);
}

void codegen_put(uint8_t *p, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

/* ---- sync ---- */

/* Where one wait or one update goes. */
struct lane {
	uint8_t *mode, *id, *value;
};

/* The value field of the standard lane belongs to whoever comes first; a
 * second one must agree. */
static void put_value(struct codegen *c, uint8_t *p, bool used, uint32_t v)
{
	uint8_t word[4];

	codegen_put(word, v, 4);
	if (used && memcmp(p, word, 4))
		codegen_fail(c, CGN_SYNC,
		             "wait and update have different values in one "
		             "field; use an EventSemaphore");
	memcpy(p, word, 4);
}

static void put_wait(struct codegen *c, struct lane l, const struct bir_wait *w)
{
	int mode = codegen_wire(c, "WAIT", w->mode, "wait mode");

	if (w->id < 0 || w->id >= TPB_SEMS) {
		codegen_fail(c, CGN_SYNC,
		             "a wait on number %d is not bound to the bank; "
		             "run alloc_semaphores",
		             w->id);
		return;
	}
	*l.mode = (uint8_t)mode;
	*l.id = (uint8_t)w->id;
	if (mode == TPB_WAIT_GE_REG && w->reg)
		put_value(c, l.value, false, (uint32_t)codegen_phys(c, w->reg));
	else if (mode != TPB_WAIT_EVT_SET_CLR)
		put_value(c, l.value, false, (uint32_t)w->value);
}

void codegen_update(struct codegen *c, const struct bir_update *u,
                    uint8_t *mode, uint8_t *id, uint32_t *operand)
{
	*mode = (uint8_t)codegen_wire(c, "UPDATE", u->mode, "update mode");
	*id = (uint8_t)u->id;
	*operand = 0;
	if (u->id < 0 || u->id >= TPB_SEMS)
		codegen_fail(c, CGN_SYNC,
		             "an update of number %d is not bound to the bank; "
		             "run alloc_semaphores",
		             u->id);
	/* An increment or decrement is by one and has no value. */
	if (*mode != TPB_UPDATE_EVT_SET_C && *mode != TPB_UPDATE_INC_C &&
	    *mode != TPB_UPDATE_DEC_C)
		*operand = (uint32_t)u->value;
	else if (u->value != 1 && *mode != TPB_UPDATE_EVT_SET_C)
		codegen_fail(c, CGN_SYNC,
		             "an increment by %lld; use an addition",
		             (long long)u->value);
}

static void put_update(struct codegen *c, struct lane l, bool waits,
                       const struct bir_update *u)
{
	uint32_t v;

	codegen_update(c, u, l.mode, l.id, &v);
	if (*l.mode != TPB_UPDATE_EVT_SET_C && *l.mode != TPB_UPDATE_INC_C &&
	    *l.mode != TPB_UPDATE_DEC_C)
		put_value(c, l.value, waits, v);
}

/* The sync block of every bundle: its fields are the header's, not in the
 * table. */
enum { SYNC_WAIT = 4, SYNC_WAIT_ID, SYNC_UPDATE, SYNC_UPDATE_ID, SYNC_VALUE };

static struct lane wait_lane(uint8_t *b)
{
	return (struct lane){b + SYNC_WAIT, b + SYNC_WAIT_ID, b + SYNC_VALUE};
}

static struct lane update_lane(uint8_t *b)
{
	return (struct lane){b + SYNC_UPDATE, b + SYNC_UPDATE_ID,
	                     b + SYNC_VALUE};
}

/* Two waits, one update in the extended lanes, perhaps to another core. */
static void event_semaphore(struct codegen *c, uint8_t *b)
{
	const struct bir_inst *i = c->inst;
	const struct bir_update *u = i->update;
	struct lane wait2 = {codegen_at(b, "ext_wait"),
	                     codegen_at(b, "ext_wait_id"),
	                     codegen_at(b, "ext_wait_value")};
	struct lane post = {codegen_at(b, "ext_update"),
	                    codegen_at(b, "ext_update_id"),
	                    codegen_at(b, "ext_update_value")};

	if (!i->wait && !u)
		codegen_fail(c, CGN_SYNC, "neither wait nor update; remove it");
	if (i->wait)
		put_wait(c, wait_lane(b), i->wait);
	if (i->wait && i->wait->next)
		put_wait(c, wait2, i->wait->next);
	if (!u)
		return;
	put_update(c, post, false, u);
	if (u->core >= 0) {
		codegen_set(c, b, "remote", 1);
		codegen_set(c, b, "core", u->core);
	}
}

static void sync(struct codegen *c)
{
	const struct bir_inst *i = c->inst;
	bool event = i->it == BIR_IT_EVENT_SEM;
	uint8_t *first = c->npre ? c->pre[0] : c->b[0];
	uint8_t *last = c->b[c->nb - 1];

	if ((i->wait && i->wait->next && (!event || i->wait->next->next)) ||
	    (i->update && i->update->next))
		codegen_fail(c, CGN_SYNC,
		             "too many waits or updates in one instruction; "
		             "run lower_sync");
	if (event) {
		event_semaphore(c, c->b[0]);
		return;
	}
	if (i->wait)
		put_wait(c, wait_lane(first), i->wait);
	if (!i->update)
		return;
	if (i->update->core >= 0)
		codegen_fail(c, CGN_SYNC,
		             "only an EventSemaphore can update another core; "
		             "run lower_sync");
	put_update(c, update_lane(last), i->wait && first == last, i->update);
}

/* ---- streams ---- */

static bool may_run_on(const struct isa_opinfo *op, int stream)
{
	static const char letter[TPB_ENGINES] = {'P', 'A', 'G', 'D', 'S'};

	return strchr(op->engines, letter[stream]) != NULL;
}

/* The loader turns the variable forms into others. */
static bool machine_has(const struct isa_opinfo *op)
{
	return op->built || op->code == TPB_OP_TENSOR_LOAD_VAR ||
	       op->code == TPB_OP_TENSOR_SAVE_VAR;
}

/* Mode 2: the bytes again, equal to those in the stream and legal. */
static void check(struct codegen *c, int stream, const uint8_t *b)
{
	const struct image_stream *s = &c->img->stream[stream];
	struct isa_verdict v;

	if (c->pc[stream] >= s->len ||
	    memcmp(s->bundle[c->pc[stream]], b, TPB_BUNDLE))
		codegen_fail(c, CGN_WALK,
		             "another bundle than in the walk before; a defect "
		             "of tpb, please report it");
	if (!isa_check(b, ISA_FILE, c->gen, &v))
		codegen_fail(c, CGN_ILLEGAL,
		             "illegal bundle: %s; see "
		             "docs/reference/decode.md",
		             v.reason);
}

static void hand_over(struct codegen *c, int stream, const uint8_t *b)
{
	const struct isa_opinfo *op = isa_op(b[0]);

	if (!may_run_on(op, stream))
		codegen_fail(
		    c, CGN_ENGINE, "engine %s has no %s; choose another",
		    isa_enum_text("engine", (uint64_t)stream), op->mnemonic);
	else if (!machine_has(op) && !c->lenient)
		codegen_fail(c, CGN_ENGINE,
		             "the machine of this version has no %s; %s",
		             op->mnemonic,
		             op->code == TPB_OP_DMA_DIRECT
		                 ? "give the transfer a fixed address"
		                 : "use another instruction");
	if (c->failed)
		return;
	if (c->mode == CODEGEN_COLLECT)
		c->count->n[stream][b[0]]++;
	else if (c->mode == CODEGEN_GENERATE)
		image_emit(c->img, stream, b, (uint16_t)c->file,
		           (uint32_t)c->inst->pos.line);
	else
		check(c, stream, b);
	c->pc[stream]++;
}

void codegen_flush(struct codegen *c, int stream)
{
	if (c->nb && !c->lenient)
		sync(c);
	for (int k = 0; k < c->npre; k++)
		hand_over(c, stream, c->pre[k]);
	for (int k = 0; k < c->nb; k++)
		hand_over(c, stream, c->b[k]);
}
