/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector unit and DMA queue in the report of a difference; see report_priv.h.
 *
 * A line tells the RTL's state, and the next one the model's where it says
 * something else.  Names: docs/reference/vector.md, docs/reference/dma.md.
 */
#include "harness/report_priv.h"

#include "harness/queue.h"
#include "isa/isa.h"

#include <inttypes.h>
#include <string.h>

#define TEXT 200

/* One thing of one side in words. */
typedef void tell_fn(const struct image *img, const struct tpb_state *s,
                     int which, char *buf, size_t size);

static void both(const struct image *img, const struct tpb_state s[2],
                 int which, tell_fn *tell, FILE *out)
{
	char text[2][TEXT] = {"", ""};

	for (int i = 0; i < 2; i++)
		tell(img, &s[i], which, text[i], sizeof(text[i]));
	report_line(out, "  %s", text[0]);
	if (strcmp(text[0], text[1]))
		report_line(out, "  model: %s", text[1]);
}

static const char *name_of(const char *group, uint64_t v)
{
	const char *text = isa_enum_text(group, v);

	return text ? text : "?";
}

/* ------------------------------------------------------------------ *
 * Vector units.                                                      *
 * ------------------------------------------------------------------ */

static const uint8_t unit_engine[TPB_VECS] = {TPB_ENGINE_POOL, TPB_ENGINE_DVE};

static void tell_step(const struct image *img, const struct tpb_state *s, int v,
                      char *buf, size_t size)
{
	const struct tpb_vec_state *q = &s->vec[v];
	uint8_t op = (uint8_t)s->engine[unit_engine[v]].bundle[0];
	char group[64] = "";

	(void)img;
	if (q->vuop == TPB_VUOP_IDLE) {
		snprintf(buf, size, "next check step %d, found 0x%X", q->vchk,
		         q->vbad);
		return;
	}
	if (op == TPB_OP_TR_ARITH || op == TPB_OP_TR_BITVEC)
		snprintf(group, sizeof(group),
		         ", %" PRIu32 " of its group of %" PRIu32, q->vr,
		         q->vlen);
	snprintf(buf, size,
	         "next %s, pass %d, element %" PRIu32 "%s, result %d",
	         name_of("vuop", q->vuop), q->vpass, q->vk, group, q->ve);
}

static void tell_walks(const struct image *img, const struct tpb_state *s,
                       int v, char *buf, size_t size)
{
	const struct tpb_vec_state *q = &s->vec[v];
	size_t n = 0;

	(void)img;
	for (int w = 0; w < 3 && n < size; w++) {
		const uint16_t *i = &q->vi[4 * w];

		n += (size_t)snprintf(
		    buf + n, size - n,
		    "%swalk %d (%d, %d, %d, %d) at 0x%" PRIX32, w ? "; " : "",
		    w, i[0], i[1], i[2], i[3], q->vb[4 * w]);
	}
}

static void tell_beat(bool valid, int kind, uint32_t idx, int pass, char *buf,
                      size_t size)
{
	if (valid)
		snprintf(buf, size, "%s %" PRIu32 " of pass %d",
		         name_of("vbeat", (uint64_t)kind), idx, pass);
	else
		snprintf(buf, size, "empty");
}

static void tell_pipe(const struct image *img, const struct tpb_state *s, int v,
                      char *buf, size_t size)
{
	const struct tpb_vec_state *q = &s->vec[v];
	char x0[48], x1[48], w[64] = "empty";

	(void)img;
	tell_beat(q->vx0_valid, q->vx0_kind, q->vx0_idx, q->vx0_pass, x0,
	          sizeof(x0));
	tell_beat(q->vx1_valid, q->vx1_kind, q->vx1_idx, q->vx1_pass, x1,
	          sizeof(x1));
	if (q->vw_valid)
		snprintf(w, sizeof(w), "pass %d at byte 0x%" PRIX32, q->vw_pass,
		         q->vw_addr);
	snprintf(buf, size, "X0 %s; X1 %s; W %s", x0, x1, w);
}

/* ------------------------------------------------------------------ *
 * Queues and the mover.                                              *
 * ------------------------------------------------------------------ */

static void tell_queue(const struct image *img, const struct tpb_state *s,
                       int q, char *buf, size_t size)
{
	char text[160];

	snprintf(buf, size, "%s: %s; next push block %d", queue_name(img, q),
	         queue_place(img, s, q, text, sizeof(text)), s->q_cursor[q]);
}

static void tell_mover(const struct image *img, const struct tpb_state *s,
                       int q, char *buf, size_t size)
{
	(void)q;
	snprintf(buf, size,
	         "mover %s for %s: from 0x%" PRIX64 "+%" PRIu32 " to 0x%" PRIX64
	         "+%" PRIu32 ", %d bytes held, %d reads out",
	         name_of("mover", s->dm_state), queue_name(img, s->dm_q),
	         s->dm_a[0], s->dm_o[0], s->dm_a[1], s->dm_o[1], s->dm_cnt,
	         s->dm_rqn);
}

static void queue_report(const struct image *img, const struct tpb_state s[2],
                         int q, FILE *out)
{
	int64_t d = queue_descriptor(img, &s[0], q);
	char text[512];

	if (d < 0) /* the difference may have led away from it */
		d = queue_descriptor(img, &s[1], q);
	report_line(out, "DMA queue %d:", q);
	both(img, s, q, tell_queue, out);
	both(img, s, q, tell_mover, out);
	if (d >= 0)
		report_line(out, "  descriptor  %s",
		            isa_dis(img->dma.descriptor[d], ISA_LOADED, NULL,
		                    text, sizeof(text)));
}

bool report_of_dma(int field)
{
	return field >= 0 && !strncmp(state_fields[field].rtl, "u_dma", 5);
}

/* Vector unit of the engine or the field, -1: not involved. */
static int vector_unit(const struct tpb_state s[2], int field, int engine)
{
	int v = TPB_VECS - 1;

	while (v >= 0 && unit_engine[v] != engine)
		v--;
	if (field >= 0 && state_fields[field].vec >= 0)
		return state_fields[field].vec;
	if (v >= 0 && (s[0].engine[engine].phase == TPB_PHASE_VEC ||
	               s[1].engine[engine].phase == TPB_PHASE_VEC))
		return v;
	return -1;
}

bool report_queue_bundle(const uint8_t *b)
{
	return b[0] == TPB_OP_DMA_TRIGGER || b[0] == TPB_OP_RESET_QUEUE ||
	       b[0] == TPB_OP_SWITCH_QUEUE;
}

/* Queue that a bundle names, -1: none. */
static int bundle_queue(const struct tpb_engine_state *e)
{
	const uint8_t *b = (const uint8_t *)e->bundle;

	if (e->x_valid && b[0x0C] < TPB_QUEUES && report_queue_bundle(b))
		return b[0x0C];
	return -1;
}

void report_unit(const struct image *img, const struct tpb_state s[2],
                 int field, int index, int engine, FILE *out)
{
	int v = vector_unit(s, field, engine), q = -1;

	if (report_of_dma(field))
		q = state_fields[field].count == TPB_QUEUES &&
		            !strncmp(state_fields[field].row, "q_", 2)
		        ? index
		        : s[1].dm_q & (TPB_QUEUES - 1);
	else if (v < 0 && engine >= 0)
		q = bundle_queue(&s[1].engine[engine]);
	if (q >= 0) {
		queue_report(img, s, q, out);
	} else if (v >= 0) {
		report_line(out, "vector unit of %s:",
		            name_of("engine", unit_engine[v]));
		both(img, s, v, tell_step, out);
		both(img, s, v, tell_walks, out);
		both(img, s, v, tell_pipe, out);
	}
}
