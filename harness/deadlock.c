/* SPDX-License-Identifier: Apache-2.0
 *
 * Who waits for whom: the explanation of a deadlock.
 *
 * Works on the state of one side and the program.  What an engine waits for
 * is in its issue stage, the bank and its queues (waits.h); who could have
 * helped is every bundle, block and descriptor of the program that changes
 * that semaphore or event in the right direction.  That search is static: it
 * names places, and what their engines and queues are doing now, not whether
 * they would have been reached.
 */
#include "harness/lockstep_priv.h"

#include "harness/queue.h"
#include "harness/waits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PLACES 2 /* signalling places named for each engine or queue */

/* The chain goes over engines and, behind them, queues. */
#define NODES (TPB_ENGINES + TPB_QUEUES)
#define NODE_QUEUE(q) (TPB_ENGINES + (q))

const char *lockstep_waits(const struct image *img, const struct tpb_state *s,
                           int engine, char *buf, size_t size)
{
	struct waits w[2];
	int n = waits_why(s, engine, w);

	buf[0] = '\0';
	for (int i = 0; i < n; i++) {
		size_t at = strlen(buf);
		char one[80];

		/* It may be granted in this very cycle. */
		if (w[i].kind == WAITS_CHECK || w[i].kind == WAITS_CLAIM)
			continue;
		waits_text(img, &w[i], true, one, sizeof(one));
		snprintf(buf + at, size - at, "%s%s", at ? " and " : "", one);
	}
	return buf;
}

/* ------------------------------------------------------------------ *
 * Who could have helped.                                             *
 * ------------------------------------------------------------------ */

/* Can an update of this mode make the wait hold? */
static bool update_helps(const struct waits *l, uint8_t mode, uint8_t id)
{
	int kind = mode & 0x0F; /* without phase and register bits */

	if (!mode || id != l->id)
		return false;
	if (l->kind == WAITS_EVENT)
		return kind ==
		       (l->need ? TPB_UPDATE_EVT_SET : TPB_UPDATE_EVT_CLR);
	return kind >= TPB_UPDATE_INC;
}

/* Can a wait of this mode, by consuming its event? */
static bool wait_helps(const struct waits *l, uint8_t mode, uint8_t id)
{
	return l->kind == WAITS_EVENT && id == l->id &&
	       mode == (l->need ? TPB_WAIT_EVT_CLR_SET : TPB_WAIT_EVT_SET_CLR);
}

static bool clear_helps(const struct waits *l, const uint8_t *b)
{
	if (l->kind == WAITS_EVENT || !waits_compare(l->mode, 0, l->need))
		return false;
	if (b[0] == TPB_OP_RETURN)
		return b[0x0C] == 0;
	if (b[0] != TPB_OP_GROUP_RESET)
		return false;
	if (b[0x0C] == TPB_CLEAR_RANGE)
		return b[0x0D] <= l->id && l->id <= b[0x0E];
	return b[0x20 + l->id / 8] >> (l->id % 8) & 1;
}

static bool helps(const struct waits *l, const uint8_t *b)
{
	if (update_helps(l, b[6], b[7]) || wait_helps(l, b[4], b[5]) ||
	    clear_helps(l, b))
		return true;
	return b[0] == TPB_OP_EVENT_SEMAPHORE &&
	       (update_helps(l, b[0x22], b[0x23]) ||
	        wait_helps(l, b[0x20], b[0x21]));
}

static void place(const struct image *img, int engine, uint32_t pc, FILE *out)
{
	char p[96], src[160];

	image_source(img, engine, pc, src, sizeof(src));
	fprintf(out, "%s%s%s%s", image_place(img, engine, pc, p, sizeof(p)),
	        *src ? " (" : "", src, *src ? ")" : "");
}

/* "itself waits at ...", "is EXITED", ... */
static void situation(const struct image *img, const struct tpb_state *s,
                      int engine, FILE *out)
{
	const struct tpb_engine_state *e = &s->engine[engine];

	if (waits_held(e)) {
		fprintf(out, "itself waits at ");
		place(img, engine, e->pc, out);
	} else if (e->state == TPB_RUN_EXITED) {
		fprintf(out, "is EXITED");
	} else if (e->state == TPB_RUN_HALTED) {
		fprintf(out, "is HALTED before ");
		place(img, engine, e->pc, out);
	} else if (e->state == TPB_RUN_FAULTED) {
		fprintf(out, "is FAULTED (%s) at ",
		        isa_enum_text("fault", e->fault));
		place(img, engine, e->pc, out);
	} else {
		fprintf(out, "runs at ");
		place(img, engine, e->pc, out);
	}
}

/* Better to follow: one that waits itself. */
static int follow(const struct tpb_state *s, int next, int engine, int e)
{
	if (next < 0 || next == engine ||
	    (!waits_held(&s->engine[next]) && waits_held(&s->engine[e])))
		return e;
	return next;
}

/* Behind the first PLACES places only their number counts. */
static void separate(uint32_t n, const char *first, FILE *out)
{
	if (n == 0)
		fprintf(out, "    could be signalled by %s at ", first);
	else if (n < PLACES)
		fprintf(out, ", ");
}

static void more(uint32_t n, FILE *out)
{
	if (n > PLACES)
		fprintf(out, " and %" PRIu32 " more", n - PLACES);
	fprintf(out, ";\n      ");
}

static bool engine_helps(const struct image *img, const struct tpb_state *s,
                         int e, const struct waits *l, FILE *out)
{
	const struct image_stream *st = &img->stream[e];
	uint32_t n = 0;

	for (uint32_t pc = 0; pc < st->len; pc++) {
		if (!helps(l, st->bundle[pc]))
			continue;
		separate(n, lockstep_engine[e], out);
		if (n++ < PLACES)
			place(img, e, pc, out);
	}
	if (!n)
		return false;
	more(n, out);
	fprintf(out, "%s ", lockstep_engine[e]);
	situation(img, s, e, out);
	fputc('\n', out);
	return true;
}

/* What a queue is doing; the engine that it would need, or -1. */
static int queue_situation(const struct image *img, const struct tpb_state *s,
                           int q, FILE *out)
{
	int owner = queue_owner(img, q);
	int64_t d = queue_descriptor(img, s, q);
	char text[512];

	fprintf(out, "queue %s is %s", queue_name(img, q),
	        queue_place(img, s, q, text, sizeof(text)));
	if (d >= 0)
		fprintf(out, "\n        %.160s",
		        isa_dis(img->dma.descriptor[d], ISA_LOADED, NULL, text,
		                sizeof(text)));
	else if (owner >= 0) {
		fprintf(out, "; its engine %s ", lockstep_engine[owner]);
		situation(img, s, owner, out);
	}
	fputc('\n', out);
	return s->q_stop[q] || s->q_busy[q] ? -1 : owner;
}

static bool queue_helps(const struct image *img, const struct tpb_state *s,
                        int q, const struct waits *l, int *owner, FILE *out)
{
	uint32_t first = 0, blocks = queue_blocks(img, q, &first), n = 0;
	struct queue_block b;
	char name[64];

	snprintf(name, sizeof(name), "queue %s", queue_name(img, q));
	for (uint32_t i = 0; i < blocks; i++) {
		if (!queue_block(img, (uint64_t)first + i, &b))
			break;
		for (uint32_t d = 0; d < b.n && l->kind == WAITS_SEM; d++) {
			if (queue_desc_post(img, b.first + d) != l->id)
				continue;
			separate(n, name, out);
			if (n++ < PLACES)
				fprintf(out,
				        "block %" PRIu32
				        ", descriptor %" PRIu32,
				        i, d);
		}
		if (!update_helps(l, b.mode, b.id))
			continue;
		separate(n, name, out);
		if (n++ < PLACES)
			fprintf(out, "block %" PRIu32, i);
	}
	if (!n)
		return false;
	more(n, out);
	*owner = queue_situation(img, s, q, out);
	return true;
}

/* The engine or queue to follow; -1: none.  next is the chain so far. */
static int print_helpers(const struct image *img, const struct tpb_state *s,
                         int engine, const struct waits *l, int next[NODES],
                         FILE *out)
{
	int found = -1;

	for (int e = 0; e < TPB_ENGINES; e++)
		if (engine_helps(img, s, e, l, out))
			found = follow(s, found, engine, e);
	for (int q = 0; q < TPB_QUEUES; q++)
		if (queue_helps(img, s, q, l, &next[NODE_QUEUE(q)], out) &&
		    (found < 0 || found == engine ||
		     (found < TPB_ENGINES && !waits_held(&s->engine[found]))))
			found = NODE_QUEUE(q);
	if (found < 0)
		fprintf(out, "    nobody in the program could signal it\n");
	return found;
}

/* Participants that are not at the join; the one to follow, or -1. */
static int print_absentees(const struct image *img, const struct tpb_state *s,
                           uint8_t join, FILE *out)
{
	int next = -1;

	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct tpb_engine_state *q = &s->engine[e];
		struct waits w[2];

		if (q->state == TPB_RUN_ABSENT ||
		    (waits_why(s, e, w) == 1 && w->kind == WAITS_JOIN &&
		     w->id == join))
			continue;
		if (join == TPB_OP_EXIT && !waits_held(q) &&
		    q->state != TPB_RUN_RUN)
			continue;
		fprintf(out, "    %s is not there: it ", lockstep_engine[e]);
		situation(img, s, e, out);
		fputc('\n', out);
		next = follow(s, next, -1, e);
	}
	return next;
}

/* One reason; whom it leads to, or -1. */
static int print_reason(const struct image *img, const struct tpb_state *s,
                        int engine, const struct waits *w, int next[NODES],
                        FILE *out)
{
	switch (w->kind) {
	case WAITS_SEM:
	case WAITS_EVENT: return print_helpers(img, s, engine, w, next, out);
	case WAITS_JOIN: return print_absentees(img, s, w->id, out);
	case WAITS_LOOKUP:
	case WAITS_IDLE:
	case WAITS_FULL:
	case WAITS_DRAIN:
		fprintf(out, "    ");
		next[NODE_QUEUE(w->id)] = queue_situation(img, s, w->id, out);
		return NODE_QUEUE(w->id);
	default: return -1;
	}
}

/* What one engine waits for, and in next whom. */
static void print_engine(const struct image *img, const struct tpb_state *s,
                         int engine, int next[NODES], FILE *out)
{
	char text[160];
	struct waits w[2];
	int n = waits_why(s, engine, w);

	lockstep_waits(img, s, engine, text, sizeof(text));
	fprintf(out, "  %s waits for %s, at ", lockstep_engine[engine],
	        *text ? text : "its grant");
	place(img, engine, s->engine[engine].pc, out);
	fputc('\n', out);
	for (int i = 0; i < n; i++) {
		int to = print_reason(img, s, engine, &w[i], next, out);

		if (next[engine] < 0)
			next[engine] = to;
	}
}

static void print_node(const struct image *img, int node, FILE *out)
{
	if (node < TPB_ENGINES)
		fprintf(out, "%s", lockstep_engine[node]);
	else
		fprintf(out, "queue %s", queue_name(img, node - TPB_ENGINES));
}

/* From one to the next until one comes again or waits for nobody. */
static void print_chain(const struct image *img, const struct tpb_state *s,
                        const int next[NODES], int from, FILE *out)
{
	bool seen[NODES] = {false};
	int n = from;
	char text[160];

	fprintf(out, "  chain: %s", lockstep_engine[n]);
	while (next[n] >= 0 && !seen[n]) {
		seen[n] = true;
		n = next[n];
		fprintf(out, " -> ");
		print_node(img, n, out);
	}
	if (seen[n])
		fprintf(out, " (a circle)\n");
	else if (n >= TPB_ENGINES)
		fprintf(
		    out, " (%s)\n",
		    queue_place(img, s, n - TPB_ENGINES, text, sizeof(text)));
	else if (waits_held(&s->engine[n]))
		fprintf(out, " -> nobody\n");
	else
		fprintf(out, " (%s)\n",
		        isa_enum_text("run", s->engine[n].state));
}

static void print_side(const struct image *img, const struct tpb_state *s,
                       FILE *out)
{
	bool named[NODES] = {false};
	int next[NODES];

	for (int n = 0; n < NODES; n++)
		next[n] = -1;
	for (int e = 0; e < TPB_ENGINES; e++)
		if (waits_held(&s->engine[e]))
			print_engine(img, s, e, next, out);
	for (int e = 0; e < TPB_ENGINES; e++) {
		if (!waits_held(&s->engine[e]) || named[e])
			continue;
		print_chain(img, s, next, e, out);
		for (int q = e, n = 0; q >= 0 && n < NODES; n++) {
			named[q] = true;
			q = next[q];
		}
	}
}

void lockstep_wait_chain(struct lockstep *ls, const struct image *img,
                         FILE *out)
{
	struct tpb_state s;

	lockstep_state(ls, SIDE_RTL, &s);
	fprintf(out, "wait chain, from the RTL's state:\n");
	print_side(img, &s, out);
	lockstep_state(ls, SIDE_MODEL, &s);
	fprintf(out, "wait chain, from the model's state:\n");
	print_side(img, &s, out);
}
