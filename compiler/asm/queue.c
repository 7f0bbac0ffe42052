/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler: DMA queues, the DGE table, the configuration bits.
 *
 * All of it acts in pass 2, when ids and addresses are known.  The directives
 * nest by order: .queue, .instance, .block, .desc; each belongs to the last
 * of the level above.  A .block right behind its .queue gets an instance that
 * has the queue's name.
 */
#include "compiler/asm/internal.h"

#include <string.h>

enum { QUEUE_NAME_MAX = 31 };

/* The name of a queue or an instance: a name, or quoted text. */
static void queue_name(struct asm_state *a, char name[QUEUE_NAME_MAX + 1])
{
	struct asm_tok t = a->pos.tok;
	size_t i = 0, n = 0;
	char buf[48];
	int c;

	memset(name, 0, QUEUE_NAME_MAX + 1);
	if (t.kind != TOK_NAME && t.kind != TOK_STR) {
		asm_error(a, &t, ASM_SYNTAX, "unexpected %s; a name goes here",
		          asm_show(&t, buf));
		return;
	}
	for (;;) {
		if (t.kind == TOK_STR)
			c = asm_char(a, &t, &i);
		else
			c = i < t.len ? (unsigned char)t.text[i++] : -1;
		if (c < 0)
			break;
		if (n == QUEUE_NAME_MAX || c <= ' ' || c > '~') {
			asm_error(a, &t, ASM_RANGE,
			          "a queue name has at most %d bytes, all of "
			          "them printable; change it",
			          QUEUE_NAME_MAX);
			return;
		}
		name[n++] = (char)c;
	}
	if (n == 0)
		asm_error(a, &t, ASM_RANGE, "the name is empty; write one");
	asm_next(a);
}

static uint8_t one_semaphore(struct asm_state *a)
{
	struct asm_tok t = a->pos.tok;
	bool event = false;
	uint8_t id = asm_sync_ref(a, &event);

	if (event)
		asm_error(a, &t, ASM_KIND,
		          "an event is in no group; name a semaphore");
	return id;
}

/* {s1, s4..s9}, or {} */
static void group(struct asm_state *a, uint8_t mask[TPB_SEMS / 8])
{
	asm_expect(a, '{', "write {s1, s4..s9}");
	if (asm_accept(a, '}'))
		return;
	do {
		struct asm_tok t = a->pos.tok;
		unsigned first = one_semaphore(a), last = first;

		if (asm_accept(a, P_RANGE))
			last = one_semaphore(a);
		if (last < first)
			asm_error(a, &t, ASM_RANGE,
			          "the range ends before it begins; swap it");
		for (unsigned s = first; s <= last; s++)
			mask[s / 8] |= (uint8_t)(1u << s % 8);
	} while (asm_accept(a, ','));
	asm_expect(a, '}', "close the list with }");
}

static uint64_t enum_or_number(struct asm_state *a, const char *name, int max)
{
	struct asm_tok t = a->pos.tok;
	int64_t v = -1;

	if (t.kind == TOK_NAME)
		v = isa_enum_value(name, t.text, t.len);
	if (v < 0)
		return asm_uint(a, (uint64_t)max, name);
	asm_next(a);
	return (uint64_t)v;
}

struct queue {
	char name[QUEUE_NAME_MAX + 1];
	uint8_t special[TPB_SEMS / 8], normal[TPB_SEMS / 8];
	int owner;
	uint8_t type;
};

static void queue_key(struct asm_state *a, struct queue *q)
{
	struct asm_tok k = a->pos.tok;
	char buf[48];

	asm_next(a);
	asm_expect(a, '=', "write KEY=VALUE");
	if (asm_is(&k, "engine"))
		q->owner = (int)enum_or_number(a, "engine", TPB_ENGINES - 1);
	else if (asm_is(&k, "type"))
		q->type = (uint8_t)asm_uint(a, 8, "type");
	else if (asm_is(&k, "special"))
		group(a, q->special);
	else if (asm_is(&k, "group"))
		group(a, q->normal);
	else
		asm_error(a, &k, ASM_UNKNOWN,
		          "unknown key %s; known: engine type special group",
		          asm_show(&k, buf));
}

static void dir_queue(struct asm_state *a, const struct asm_tok *d)
{
	/* By default the owner is the engine of this place, the type data. */
	struct queue q = {.owner = a->engine, .type = 2};

	(void)d;
	queue_name(a, q.name);
	while (asm_accept(a, ','))
		queue_key(a, &q);
	if (!a->failed)
		image_add_queue(a->img, q.name, q.type, q.owner, q.special,
		                q.normal);
}

static void dir_instance(struct asm_state *a, const struct asm_tok *d)
{
	char name[QUEUE_NAME_MAX + 1];

	queue_name(a, name);
	if (a->failed)
		return;
	if (a->img->nqueues == 0)
		asm_error(a, d, ASM_ORDER,
		          "an instance without a queue; write .queue before");
	else
		image_add_instance(a->img, name);
}

/* The block's update, as a sync clause. */
static void dir_block(struct asm_state *a, const struct asm_tok *d)
{
	struct image *img = a->img;
	struct asm_inst in = {.name = *d, .b = {TPB_OP_NOOP, 0x10}};
	const struct image_queue *q;

	asm_sync_clauses(a, &in);
	if (a->failed)
		return;
	if (img->nqueues == 0) {
		asm_error(a, d, ASM_ORDER,
		          "a block without a queue; write .queue before");
		return;
	}
	if (in.b[4] || in.b[6] & 0x80) {
		asm_error(a, d, ASM_SYNC,
		          "a block has no wait and no register; give its "
		          "trigger the wait, and a number");
		return;
	}
	q = &img->queue[img->nqueues - 1];
	if (q->instances == 0)
		image_add_instance(img, q->name);
	image_add_block(img, in.b[6], in.b[7],
	                (uint32_t)in.b[8] | (uint32_t)in.b[9] << 8 |
	                    (uint32_t)in.b[10] << 16 |
	                    (uint32_t)in.b[11] << 24);
}

/* A dma line, or .bundle. */
static void dir_desc(struct asm_state *a, const struct asm_tok *d)
{
	struct asm_inst in = {.name = a->pos.tok};

	asm_bundle(a, &in);
	if (a->failed)
		return;
	if (a->img->nqueues == 0 ||
	    a->img->queue[a->img->nqueues - 1].instances == 0 ||
	    a->img->instance[a->img->ninstances - 1].blocks == 0) {
		asm_error(a, d, ASM_ORDER,
		          "a descriptor without a block; write .block before");
		return;
	}
	if (!a->unchecked && in.b[0] != TPB_OP_DMA_DIRECT) {
		asm_error(a, &in.name, ASM_KIND,
		          "a descriptor is a dma; write .desc dma src=...");
		return;
	}
	if (!a->unchecked && (in.b[4] || in.b[6])) {
		asm_error(a, &in.name, ASM_SYNC,
		          "a descriptor has no wait and no update; use sem= "
		          "and increment=, or the block's");
		return;
	}
	image_add_descriptor(a->img, in.b);
}

/* .dge TENSOR, .dge var(V), or .dge base=E, size=E */
static void dir_dge(struct asm_state *a, const struct asm_tok *d)
{
	struct asm_tok t = a->pos.tok;
	uint64_t base = 0, size = 0;
	int64_t id = asm_variable_id(a);

	(void)d;
	if (id < 0) {
		id = 0;
		if (!asm_accept_name(a, "base"))
			asm_error(a, &t, ASM_SYNTAX,
			          "write .dge TENSOR or .dge base=ADDRESS, "
			          "size=BYTES");
		asm_expect(a, '=', "write base=ADDRESS");
		base = asm_uint(a, (1ull << 56) - 1, "address");
		asm_expect(a, ',', "write base=ADDRESS, size=BYTES");
		if (!asm_accept_name(a, "size"))
			asm_error(a, &a->pos.tok, ASM_SYNTAX,
			          "write base=ADDRESS, size=BYTES");
		asm_expect(a, '=', "write size=BYTES");
		size = asm_uint(a, 1ull << 56, "size");
	}
	if (!a->failed)
		image_add_dge(a->img, (uint32_t)id, base, size);
}

static void dir_config(struct asm_state *a, const struct asm_tok *d)
{
	const struct {
		const char *name;
		bool *bit;
	} bits[] = {{"fp8_ocp", &a->img->fp8_ocp},
	            {"fp8_saturate", &a->img->fp8_saturate},
	            {"fp8_nan_suppress", &a->img->fp8_nan_suppress}};
	char buf[48];
	size_t i;

	(void)d;
	do {
		struct asm_tok t = a->pos.tok;

		for (i = 0; i < 3; i++)
			if (asm_is(&t, bits[i].name))
				break;
		if (i == 3) {
			asm_error(a, &t, ASM_UNKNOWN,
			          "unknown %s; known: fp8_ocp fp8_saturate "
			          "fp8_nan_suppress",
			          asm_show(&t, buf));
			return;
		}
		asm_next(a);
		*bits[i].bit =
		    !asm_accept(a, '=') || asm_uint(a, 1, bits[i].name);
	} while (asm_accept(a, ','));
}

bool asm_queue_directive(struct asm_state *a, const struct asm_tok *d)
{
	static const struct {
		const char *name;
		void (*act)(struct asm_state *a, const struct asm_tok *d);
	} table[] = {
	    {".queue", dir_queue}, {".instance", dir_instance},
	    {".block", dir_block}, {".desc", dir_desc},
	    {".dge", dir_dge},     {".config", dir_config},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (!asm_is(d, table[i].name))
			continue;
		if (a->pass == 1)
			asm_skip_line(a);
		else
			table[i].act(a, d);
		return true;
	}
	return false;
}
