/* SPDX-License-Identifier: Apache-2.0
 *
 * FST writer of the compared state.  The file format comes from the writer
 * library that Verilator ships; which signals there are comes from the state
 * table, so that nothing can be compared without being visible.
 *
 * A value is written only when it changed; a sample of an idle machine costs
 * one memcmp a side.
 */
#include "harness/waves.h"

#include "harness/waves_layout.h"
#include "isa/isa.h"

#include "fstapi.h"

#include <stdlib.h>
#include <string.h>

enum { RTL, MODEL, SIDES };

struct text_vars {
	fstHandle bundle, place, grant, retire;
};

struct side_vars {
	fstHandle *element; /* state_nelements handles, table order */
	struct text_vars engine[TPB_ENGINES];
	struct tpb_state last;
	uint8_t grant, retire;
};

struct waves {
	void *fst;
	const struct image *img;
	char *path;
	struct side_vars side[SIDES];
	fstHandle mismatch, field;
	bool started, differs;
	char bad_field[64]; /* first differing element ever, or "" */
	uint64_t last_cycle, bad_cycle;
};

static const char *const side_name[SIDES] = {"rtl", "model"};

static const char *engine_name(int e)
{
	return isa_enum_text("engine", (uint64_t)e);
}

static void push_scope(struct waves *w, const char *name)
{
	fstWriterSetScope(w->fst, FST_ST_VCD_MODULE, name, NULL);
}

static fstHandle make_var(struct waves *w, const char *name, int width)
{
	return fstWriterCreateVar(w->fst, FST_VT_VCD_REG, FST_VD_IMPLICIT,
	                          (uint32_t)width, name, 0);
}

static fstHandle make_text(struct waves *w, const char *name)
{
	return fstWriterCreateVar(w->fst, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0,
	                          name, 0);
}

/* Variables of one table field; at is its first element's slot. */
static void make_field(struct waves *w, fstHandle *at,
                       const struct state_field *d)
{
	char name[48];

	for (int i = 0; i < d->count; i++) {
		if (d->count == 1)
			snprintf(name, sizeof(name), "%s", d->row);
		else
			snprintf(name, sizeof(name), "%s_%d", d->row, i);
		at[i] = make_var(w, name, d->width);
	}
}

static void make_engine_text(struct waves *w, struct text_vars *v)
{
	v->bundle = make_text(w, "bundle_text");
	v->place = make_text(w, "place");
	v->grant = make_var(w, "grant", 1);
	v->retire = make_var(w, "retire", 1);
}

/* Variables of the rows of one owner: an engine's sequencer (vec false), its
 * vector unit, or with engine -1 the core. */
static void make_fields(struct waves *w, struct side_vars *v, int engine,
                        bool vec)
{
	int slot = 0;

	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];
		if (d->engine == engine && (d->vec >= 0) == vec)
			make_field(w, v->element + slot, d);
		slot += d->count;
	}
}

static bool make_side(struct waves *w, int side)
{
	struct side_vars *v = &w->side[side];

	v->element = calloc((size_t)state_nelements, sizeof(*v->element));
	if (!v->element)
		return false;
	push_scope(w, side_name[side]);
	for (int e = 0; e < TPB_ENGINES; e++) {
		push_scope(w, engine_name(e));
		make_engine_text(w, &v->engine[e]);
		make_fields(w, v, e, false);
		if (waves_has_vec(e)) {
			push_scope(w, "vec");
			make_fields(w, v, e, true);
			fstWriterSetUpscope(w->fst);
		}
		fstWriterSetUpscope(w->fst);
	}
	push_scope(w, "core");
	make_fields(w, v, -1, false);
	fstWriterSetUpscope(w->fst);
	fstWriterSetUpscope(w->fst);
	return true;
}

struct waves *waves_open(const char *path, const struct image *img)
{
	struct waves *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->img = img;
	w->path = strdup(path);
	w->fst = w->path ? fstWriterCreate(path, 1) : NULL;
	if (!w->fst) {
		fprintf(stderr,
		        "tpb: error[WAV001]: %s: cannot write waves; "
		        "check the directory\n",
		        path);
		free(w->path);
		free(w);
		return NULL;
	}
	fstWriterSetTimescaleFromString(w->fst, "1ns");
	fstWriterSetVersion(w->fst, "tpb");
	push_scope(w, "cosim");
	w->mismatch = make_var(w, "mismatch", 1);
	w->field = make_text(w, "first_field");
	fstWriterSetUpscope(w->fst);
	if (!make_side(w, RTL) || !make_side(w, MODEL)) {
		fstWriterClose(w->fst);
		free(w->side[RTL].element);
		free(w->path);
		free(w);
		return NULL;
	}
	return w;
}

static void emit(struct waves *w, fstHandle h, int width, uint64_t v)
{
	char bits[65];

	for (int i = 0; i < width; i++)
		bits[i] = (v >> (width - 1 - i)) & 1 ? '1' : '0';
	bits[width] = 0;
	fstWriterEmitValueChange(w->fst, h, bits);
}

static void emit_text(struct waves *w, fstHandle h, const char *text)
{
	fstWriterEmitVariableLengthValueChange(w->fst, h, text,
	                                       (uint32_t)strlen(text));
}

static void emit_bundle(struct waves *w, int side, int e,
                        const struct tpb_engine_state *s)
{
	struct text_vars *v = &w->side[side].engine[e];
	uint8_t bytes[TPB_BUNDLE];
	char text[512], place[128], source[128];

	if (!s->x_valid) {
		emit_text(w, v->bundle, "-");
	} else {
		memcpy(bytes, s->bundle, sizeof(bytes));
		emit_text(w, v->bundle,
		          isa_dis(bytes, ISA_LOADED, NULL, text, sizeof(text)));
	}
	image_place(w->img, e, s->pc, place, sizeof(place));
	image_source(w->img, e, s->pc, source, sizeof(source));
	if (source[0]) {
		snprintf(text, sizeof(text), "%s %s", place, source);
		emit_text(w, v->place, text);
	} else {
		emit_text(w, v->place, place);
	}
}

static void emit_engine(struct waves *w, int side, int e,
                        const struct waves_side *now)
{
	struct side_vars *v = &w->side[side];
	const struct tpb_engine_state *a = &now->s->engine[e];
	const struct tpb_engine_state *b = &v->last.engine[e];
	uint8_t bit = (uint8_t)(1u << e);

	if (!w->started || a->x_valid != b->x_valid || a->pc != b->pc ||
	    memcmp(a->bundle, b->bundle, sizeof(a->bundle)) != 0)
		emit_bundle(w, side, e, a);
	if (!w->started || ((now->grant ^ v->grant) & bit))
		emit(w, v->engine[e].grant, 1, (now->grant & bit) != 0);
	if (!w->started || ((now->retire ^ v->retire) & bit))
		emit(w, v->engine[e].retire, 1, (now->retire & bit) != 0);
}

static void emit_side(struct waves *w, int side, const struct waves_side *now)
{
	struct side_vars *v = &w->side[side];
	int slot = 0;

	for (int e = 0; e < TPB_ENGINES; e++)
		emit_engine(w, side, e, now);
	v->grant = now->grant;
	v->retire = now->retire;
	if (w->started && !memcmp(&v->last, now->s, sizeof(v->last)))
		return;
	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];
		for (int i = 0; i < d->count; i++, slot++) {
			uint64_t x = state_get(now->s, f, i);
			if (!w->started || x != state_get(&v->last, f, i))
				emit(w, v->element[slot], d->width, x);
		}
	}
	v->last = *now->s;
}

/* Name of the first differing element; "" when the sides are equal. */
static void first_difference(const struct tpb_state *a,
                             const struct tpb_state *b, char *buf, size_t size)
{
	buf[0] = 0;
	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];
		for (int i = 0; i < d->count; i++) {
			if (state_get(a, f, i) == state_get(b, f, i))
				continue;
			if (d->count == 1)
				snprintf(buf, size, "%s", d->name);
			else
				snprintf(buf, size, "%s[%d]", d->name, i);
			return;
		}
	}
}

void waves_sample(struct waves *w, uint64_t cycle, const struct waves_side *rtl,
                  const struct waves_side *model)
{
	char name[64];

	fstWriterEmitTimeChange(w->fst, cycle);
	first_difference(rtl->s, model->s, name, sizeof(name));
	if (!w->started || (name[0] != 0) != w->differs) {
		emit(w, w->mismatch, 1, name[0] != 0);
		emit_text(w, w->field, name[0] ? name : "-");
	}
	if (name[0] && !w->bad_field[0]) {
		w->bad_cycle = cycle;
		memcpy(w->bad_field, name, sizeof(name));
	}
	w->differs = name[0] != 0;
	emit_side(w, RTL, rtl);
	emit_side(w, MODEL, model);
	w->started = true;
	w->last_cycle = cycle;
}

bool waves_close(struct waves *w)
{
	uint64_t at = w->bad_field[0] ? w->bad_cycle : w->last_cycle;
	bool ok;

	/* One more unit, so that the last cycle has a width on screen. */
	fstWriterEmitTimeChange(w->fst, w->last_cycle + 1);
	fstWriterClose(w->fst);
	ok = waves_layout(w->path, at, w->bad_field);
	free(w->side[RTL].element);
	free(w->side[MODEL].element);
	free(w->path);
	free(w);
	return ok;
}
