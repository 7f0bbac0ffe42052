/* SPDX-License-Identifier: Apache-2.0
 *
 * The compared-state table at run time: names, offsets, access by field.
 */
#include "isa/state.h"

#include <stdlib.h>
#include <string.h>

/* Row strings are stringised token paths; "__DOT__" becomes "." once. */
#define ROW(e, v, full, name, width, count, reset, rtl, show, text, at) \
	{full,  #name,                                                  \
	 #rtl,  #show,                                                  \
	 text,  e,                                                      \
	 v,     width,                                                  \
	 count, (int)sizeof(STATE_T##width),                            \
	 at,    STATE_##reset},
#define E(e, E_NAME, name, width, count, reset, rtl, show, text)           \
	ROW(e, -1, E_NAME "." #name, name, width, count, reset, rtl, show, \
	    text,                                                          \
	    offsetof(struct tpb_state, engine) +                           \
	        (e) * sizeof(struct tpb_engine_state) +                    \
	        offsetof(struct tpb_engine_state, name))
#define V(v, e, E_NAME, name, width, count, reset, rtl, show, text)       \
	ROW(e, v, E_NAME "." #name, name, width, count, reset, rtl, show, \
	    text,                                                         \
	    offsetof(struct tpb_state, vec) +                             \
	        (v) * sizeof(struct tpb_vec_state) +                      \
	        offsetof(struct tpb_vec_state, name))

const struct state_field state_fields[] = {
#define STATE_ENGINE(name, width, count, reset, rtl, show, text) \
	E(0, "PE", name, width, count, reset, rtl, show, text)
#include "isa/state.def"
#define STATE_ENGINE(name, width, count, reset, rtl, show, text) \
	E(1, "ACT", name, width, count, reset, rtl, show, text)
#include "isa/state.def"
#define STATE_ENGINE(name, width, count, reset, rtl, show, text) \
	E(2, "POOL", name, width, count, reset, rtl, show, text)
#include "isa/state.def"
#define STATE_ENGINE(name, width, count, reset, rtl, show, text) \
	E(3, "DVE", name, width, count, reset, rtl, show, text)
#include "isa/state.def"
#define STATE_ENGINE(name, width, count, reset, rtl, show, text) \
	E(4, "SP", name, width, count, reset, rtl, show, text)
#include "isa/state.def"
#define STATE_VEC(name, width, count, reset, rtl, show, text) \
	V(0, 2, "POOL", name, width, count, reset, rtl, show, text)
#include "isa/state.def"
#define STATE_VEC(name, width, count, reset, rtl, show, text) \
	V(1, 3, "DVE", name, width, count, reset, rtl, show, text)
#include "isa/state.def"
#define STATE_DVE(name, width, count, reset, rtl, show, text)               \
	ROW(3, 1, "DVE." #name, name, width, count, reset, rtl, show, text, \
	    offsetof(struct tpb_state, dve) +                               \
	        offsetof(struct tpb_dve_state, name))
#include "isa/state.def"
#define STATE_CORE(name, width, count, reset, rtl, show, text)         \
	ROW(-1, -1, #name, name, width, count, reset, rtl, show, text, \
	    offsetof(struct tpb_state, name))
#include "isa/state.def"
};

const int state_nfields = (int)(sizeof(state_fields) / sizeof(*state_fields));

const int state_nelements = 0
#define STATE_ENGINE(name, width, count, reset, rtl, show, text) \
	+TPB_ENGINES *(count)
#define STATE_VEC(name, width, count, reset, rtl, show, text) +TPB_VECS *(count)
#define STATE_DVE(name, width, count, reset, rtl, show, text) +(count)
#define STATE_CORE(name, width, count, reset, rtl, show, text) +(count)
#include "isa/state.def"
    ;

uint64_t state_get(const struct tpb_state *s, int f, int i)
{
	const struct state_field *d = &state_fields[f];
	const char *p = (const char *)s + d->offset + (size_t)(i * d->bytes);
	uint64_t v = 0;

	memcpy(&v, p, (size_t)d->bytes);
	return v;
}

void state_set(struct tpb_state *s, int f, int i, uint64_t v)
{
	const struct state_field *d = &state_fields[f];
	char *p = (char *)s + d->offset + (size_t)(i * d->bytes);

	if (d->width < 64)
		v &= (1ull << d->width) - 1;
	memcpy(p, &v, (size_t)d->bytes);
}

int state_find(const char *name, int *index)
{
	size_t len = strcspn(name, "[");
	long i = 0;

	if (name[len] == '[') {
		char *end;
		i = strtol(name + len + 1, &end, 10);
		if (end == name + len + 1 || strcmp(end, "]") != 0)
			return -1;
	}
	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];
		if (strlen(d->name) == len && !strncmp(d->name, name, len)) {
			if (i < 0 || i >= d->count)
				return -1;
			*index = (int)i;
			return f;
		}
	}
	return -1;
}

void state_reset(struct tpb_state *s)
{
	for (int f = 0; f < state_nfields; f++) {
		const struct state_field *d = &state_fields[f];
		if (d->reset == STATE_KEEP)
			continue;
		for (int i = 0; i < d->count; i++)
			state_set(s, f, i, d->reset == STATE_ONES ? ~0ull : 0);
	}
}
