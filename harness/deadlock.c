/* SPDX-License-Identifier: Apache-2.0
 *
 * Who waits for whom: the explanation of a deadlock.
 *
 * Works on the state of one side and the program.  What an engine waits for
 * is in its issue stage and the bank; who could have helped is every bundle
 * of the program that changes that semaphore or event in the right
 * direction.  That search is static: it names bundles, and what their
 * engines are doing now, not whether they would have been reached.
 */
#include "harness/lockstep_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PLACES 2 /* signalling bundles named for each engine */

/* One wait of a bundle. */
struct lane {
	uint8_t mode, id;
	int32_t need, now;
	bool holds;
};

static uint32_t word_at(const uint8_t *b, int at)
{
	uint32_t w;

	memcpy(&w, b + at, 4);
	return w;
}

static bool on_event(uint8_t mode)
{
	return (mode & 0x7F) > TPB_WAIT_GE_IMM;
}

static bool compare(uint8_t mode, int32_t now, int32_t need)
{
	switch (mode & 0x7F) {
	case TPB_WAIT_EQ_IMM: return now == need;
	case TPB_WAIT_LT_IMM: return now < need;
	case TPB_WAIT_LE_IMM: return now <= need;
	case TPB_WAIT_GT_IMM: return now > need;
	case TPB_WAIT_GE_IMM: return now >= need;
	default: return now == need;
	}
}

static struct lane lane_at(const struct tpb_state *s, int engine,
                           const uint8_t *b, int sync, uint32_t value)
{
	struct lane l = {.mode = b[sync], .id = b[sync + 1]};

	if (on_event(l.mode)) {
		l.now = (int32_t)(s->evt[l.id >> 5] >> (l.id & 31) & 1);
		l.need = l.mode == TPB_WAIT_EVT_SET ||
		         l.mode == TPB_WAIT_EVT_SET_CLR;
	} else if (l.mode) {
		l.now = (int32_t)s->sem[l.id];
		l.need =
		    (int32_t)(l.mode & 0x80 ? s->engine[engine].rf[value & 63]
		                            : value);
	}
	l.holds = !l.mode || compare(l.mode, l.now, l.need);
	return l;
}

/* Both waits of a bundle; those of mode 0 hold. */
static void lanes(const struct tpb_state *s, int engine, struct lane l[2])
{
	const uint8_t *b = (const uint8_t *)s->engine[engine].bundle;

	l[0] = lane_at(s, engine, b, 4, word_at(b, 8));
	l[1] = (struct lane){.holds = true};
	if (b[0] == TPB_OP_EVENT_SEMAPHORE)
		l[1] = lane_at(s, engine, b, 0x20, word_at(b, 0x24));
}

/* The join that a bundle is: its opcode, or 0. */
static uint8_t join_of(const struct tpb_engine_state *e)
{
	const uint8_t *b = (const uint8_t *)e->bundle;

	if (b[0] == TPB_OP_BARRIER || b[0] == TPB_OP_EXIT)
		return b[0];
	return b[0] == TPB_OP_RETURN && !b[0x0C] && e->depth ? b[0] : 0;
}

static const char *join_name(uint8_t op)
{
	return op == TPB_OP_BARRIER  ? "barrier"
	       : op == TPB_OP_RETURN ? "return"
	                             : "exit";
}

/* Does the engine hold a bundle that waits, or did until the watchdog? */
static bool waiting(const struct tpb_engine_state *e)
{
	return e->x_valid && !e->x_fault && e->phase == TPB_PHASE_ISSUE &&
	       (e->state == TPB_RUN_RUN || (e->state == TPB_RUN_FAULTED &&
	                                    e->fault == TPB_FAULT_DEADLOCK));
}

static void print_lane(const struct lane *l, char *buf, size_t size)
{
	static const char *const sign[] = {"", "==", "<", "<=", ">", ">="};

	if (on_event(l->mode))
		snprintf(buf, size, "e%d %s (is %" PRId32 ")", l->id,
		         l->need ? "set" : "clear", l->now);
	else
		snprintf(buf, size, "s%d %s %" PRId32 " (is %" PRId32 ")",
		         l->id, sign[l->mode & 7], l->need, l->now);
}

const char *lockstep_waits(const struct tpb_state *s, int engine, char *buf,
                           size_t size)
{
	const struct tpb_engine_state *e = &s->engine[engine];
	struct lane l[2];
	size_t n = 0;

	buf[0] = '\0';
	if (!waiting(e))
		return buf;
	lanes(s, engine, l);
	for (int i = 0; i < 2; i++) {
		char one[80];

		if (l[i].holds)
			continue;
		print_lane(&l[i], one, sizeof(one));
		snprintf(buf + n, size - n, "%s%s", n ? " and " : "", one);
		n = strlen(buf);
	}
	if (!n && join_of(e))
		snprintf(buf, size, "the %s join", join_name(join_of(e)));
	return buf;
}

/* ------------------------------------------------------------------ *
 * Who could have helped.                                             *
 * ------------------------------------------------------------------ */

/* Can an update of this mode make the wait hold? */
static bool update_helps(const struct lane *l, uint8_t mode, uint8_t id)
{
	int kind = mode & 0x0F; /* without phase and register bits */

	if (!mode || id != l->id)
		return false;
	if (on_event(l->mode))
		return kind ==
		       (l->need ? TPB_UPDATE_EVT_SET : TPB_UPDATE_EVT_CLR);
	return kind >= TPB_UPDATE_INC;
}

/* Can a wait of this mode, by consuming its event? */
static bool wait_helps(const struct lane *l, uint8_t mode, uint8_t id)
{
	return on_event(l->mode) && id == l->id &&
	       mode == (l->need ? TPB_WAIT_EVT_CLR_SET : TPB_WAIT_EVT_SET_CLR);
}

static bool clear_helps(const struct lane *l, const uint8_t *b)
{
	if (on_event(l->mode) || !compare(l->mode, 0, l->need))
		return false;
	if (b[0] == TPB_OP_RETURN)
		return b[0x0C] == 0;
	if (b[0] != TPB_OP_GROUP_RESET)
		return false;
	if (b[0x0C] == TPB_CLEAR_RANGE)
		return b[0x0D] <= l->id && l->id <= b[0x0E];
	return b[0x20 + l->id / 8] >> (l->id % 8) & 1;
}

static bool helps(const struct lane *l, const uint8_t *b)
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

	if (waiting(e)) {
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

/* The engine to follow: one that could help, better one that waits itself;
 * -1: none. */
static int print_helpers(const struct image *img, const struct tpb_state *s,
                         int engine, const struct lane *l, FILE *out)
{
	int next = -1, found = 0;

	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct image_stream *st = &img->stream[e];
		uint32_t n = 0;

		for (uint32_t pc = 0; pc < st->len; pc++) {
			if (!helps(l, st->bundle[pc]))
				continue;
			if (!n++)
				fprintf(out, "    could be signalled by %s at ",
				        lockstep_engine[e]);
			else if (n <= PLACES)
				fprintf(out, ", ");
			if (n <= PLACES)
				place(img, e, pc, out);
		}
		if (!n)
			continue;
		if (n > PLACES)
			fprintf(out, " and %" PRIu32 " more", n - PLACES);
		fprintf(out, ";\n      %s ", lockstep_engine[e]);
		situation(img, s, e, out);
		fputc('\n', out);
		found++;
		if (next < 0 || next == engine ||
		    (!waiting(&s->engine[next]) && waiting(&s->engine[e])))
			next = e;
	}
	if (!found)
		fprintf(out, "    nobody in the program could signal it\n");
	return next;
}

/* Participants that are not at the join; the one to follow, or -1. */
static int print_absentees(const struct image *img, const struct tpb_state *s,
                           uint8_t join, FILE *out)
{
	int next = -1;

	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct tpb_engine_state *q = &s->engine[e];
		char w[160];

		if (q->state == TPB_RUN_ABSENT ||
		    (waiting(q) && join_of(q) == join &&
		     !strncmp(lockstep_waits(s, e, w, sizeof(w)), "the ", 4)))
			continue;
		if (join == TPB_OP_EXIT && !waiting(q) &&
		    q->state != TPB_RUN_RUN)
			continue;
		fprintf(out, "    %s is not there: it ", lockstep_engine[e]);
		situation(img, s, e, out);
		fputc('\n', out);
		if (next < 0 || (!waiting(&s->engine[next]) && waiting(q)))
			next = e;
	}
	return next;
}

/* What one engine waits for; returns whom it waits for, or -1. */
static int print_engine(const struct image *img, const struct tpb_state *s,
                        int engine, FILE *out)
{
	char text[160];
	struct lane l[2];
	int next = -1;
	bool held = false;

	lockstep_waits(s, engine, text, sizeof(text));
	fprintf(out, "  %s waits for %s, at ", lockstep_engine[engine],
	        *text ? text : "its grant");
	place(img, engine, s->engine[engine].pc, out);
	fputc('\n', out);
	lanes(s, engine, l);
	for (int i = 0; i < 2; i++)
		if (!l[i].holds) {
			int n = print_helpers(img, s, engine, &l[i], out);
			next = next < 0 ? n : next;
			held = true;
		}
	if (!held && join_of(&s->engine[engine]))
		next =
		    print_absentees(img, s, join_of(&s->engine[engine]), out);
	return next;
}

/* From one engine to the next until one comes again or waits for nobody. */
static void print_chain(const struct tpb_state *s, const int next[TPB_ENGINES],
                        int from, FILE *out)
{
	bool seen[TPB_ENGINES] = {false};
	int e = from;

	fprintf(out, "  chain: %s", lockstep_engine[e]);
	while (next[e] >= 0 && !seen[e]) {
		seen[e] = true;
		e = next[e];
		fprintf(out, " -> %s", lockstep_engine[e]);
	}
	if (seen[e])
		fprintf(out, " (a circle)\n");
	else if (waiting(&s->engine[e]))
		fprintf(out, " -> nobody\n");
	else
		fprintf(out, " (%s)\n",
		        isa_enum_text("run", s->engine[e].state));
}

static void print_side(const struct image *img, const struct tpb_state *s,
                       FILE *out)
{
	int next[TPB_ENGINES] = {-1, -1, -1, -1, -1};
	bool named[TPB_ENGINES] = {false};

	for (int e = 0; e < TPB_ENGINES; e++)
		if (waiting(&s->engine[e]))
			next[e] = print_engine(img, s, e, out);
	for (int e = 0; e < TPB_ENGINES; e++) {
		if (!waiting(&s->engine[e]) || named[e])
			continue;
		print_chain(s, next, e, out);
		for (int q = e, n = 0; q >= 0 && n < TPB_ENGINES; n++) {
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
