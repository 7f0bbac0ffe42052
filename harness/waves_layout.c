/* SPDX-License-Identifier: Apache-2.0
 *
 * GTKWave save file and value filters, generated from the state table.
 *
 * RTL and model stand side by side, one row under the other, an engine a
 * group with its vector unit in it, a unit of the core a group.  Enumerations
 * are decoded by file filters: they neither block the viewer nor need a
 * program, as process filters would.  One-bit signals get none, since GTKWave
 * ignores them there.
 */
#include "harness/waves_layout.h"

#include "isa/isa.h"
#include "isa/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Trace flags of the viewer: radix and justification, file filter, group. */
enum {
	SHOW_HEX = 0x22,
	SHOW_DEC = 0x24,
	SHOW_BIN = 0x28,
	SHOW_TEXT = 0x820,
	SHOW_BLANK = 0x200,
	FILTERED = 0x2000,
	GROUP_BEGIN = 0x800000,
	GROUP_END = 0x1000000,
	GROUP_CLOSED = 0x400000
};

struct layout {
	FILE *out;
	char dir[1024]; /* of the filters */
	bool ok;
};

static const char *const sides[] = {"rtl", "model"};

/* A signal under the name "<side> <what>", the model in another colour. */
static void signal_row(struct layout *l, int side, int flags,
                       const char *filter, const char *scope, const char *what)
{
	fprintf(l->out, "@%x\n", (unsigned)flags);
	if (filter)
		fprintf(l->out, "^1 %s/%s.txt\n", l->dir, filter);
	if (side == 1)
		fprintf(l->out, "[color] 3\n");
	fprintf(l->out, "+{%s %s} %s.%s.%s\n", sides[side], what, sides[side],
	        scope, what);
}

/* Write the filter of an enumeration: the value as the viewer prints it in
 * hex, then its text. */
static void write_filter(struct layout *l, const char *group, int width)
{
	char path[1100];
	int digits = (width + 3) / 4;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.txt", l->dir, group);
	f = fopen(path, "w");
	if (!f) {
		l->ok = false;
		return;
	}
	for (unsigned v = 0; v < 1u << width; v++) {
		const char *text = isa_enum_text(group, v);
		if (text)
			fprintf(f, "%0*X %s\n", digits, v, text);
	}
	l->ok &= fclose(f) == 0;
}

static void group(struct layout *l, const char *name, bool begin, bool closed)
{
	int flags = (begin ? GROUP_BEGIN : GROUP_END) | SHOW_BLANK |
	            (closed ? GROUP_CLOSED : 0);

	fprintf(l->out, "@%x\n-%s\n", (unsigned)flags, name);
}

/* One element of one field on both sides. */
static void element(struct layout *l, const struct state_field *d, int i)
{
	static const char *const names[] = {"PE", "ACT", "POOL", "DVE", "SP"};
	const char *filter = NULL;
	char index[16] = "", range[16] = "", scope[16], what[64];
	int show = SHOW_HEX;

	snprintf(scope, sizeof(scope), "%s%s",
	         d->engine < 0 ? "core" : names[d->engine],
	         d->vec < 0 ? "" : ".vec");
	if (!strcmp(d->show, "DEC"))
		show = SHOW_DEC;
	if (d->width == 1)
		show = SHOW_BIN;
	if (!strncmp(d->show, "ENUM_", 5) && d->width > 1)
		filter = d->show + 5;
	if (d->count > 1)
		snprintf(index, sizeof(index), "_%d", i);
	if (d->width > 1)
		snprintf(range, sizeof(range), "[%d:0]", d->width - 1);
	if (filter)
		write_filter(l, filter, d->width);
	snprintf(what, sizeof(what), "%s%s%s", d->row, index, range);
	for (int s = 0; s < 2; s++)
		signal_row(l, s, filter ? show | FILTERED : show, filter, scope,
		           what);
}

/* Where a row belongs: the instance that holds its register. */
static const struct unit {
	const char *path, *name; /* start of the RTL path, group */
} core_units[] = {
    {"u_sem__DOT__", "semaphore bank"},
    {"u_mem__DOT__", "memory ports"},
    {"u_dma__DOT__u_mover__DOT__", "DMA mover"},
    {"u_dma__DOT__", "DMA queues"},
    {"", "core"},
};

static const struct unit *unit_of(const struct state_field *d)
{
	const struct unit *u = core_units;

	while (strncmp(d->rtl, u->path, strlen(u->path)) != 0)
		u++;
	return u;
}

/* A scalar as it is, the elements of an array in a closed group. */
static void field(struct layout *l, const struct state_field *d)
{
	bool closed = d->count > 1;

	if (closed)
		group(l, d->row, true, true);
	for (int i = 0; i < d->count; i++)
		element(l, d, i);
	if (closed)
		group(l, d->row, false, true);
}

bool waves_has_vec(int engine)
{
	for (int f = 0; f < state_nfields; f++)
		if (state_fields[f].vec >= 0 &&
		    state_fields[f].engine == engine)
			return true;
	return false;
}

/* The rows of a sequencer or of a vector unit. */
static void engine_fields(struct layout *l, int engine, bool vec)
{
	for (int f = 0; f < state_nfields; f++)
		if (state_fields[f].engine == engine &&
		    (state_fields[f].vec >= 0) == vec)
			field(l, &state_fields[f]);
}

static void unit_group(struct layout *l, const struct unit *u)
{
	group(l, u->name, true, false);
	for (int f = 0; f < state_nfields; f++)
		if (state_fields[f].engine < 0 &&
		    unit_of(&state_fields[f]) == u)
			field(l, &state_fields[f]);
	group(l, u->name, false, false);
}

static void engine_group(struct layout *l, int e)
{
	static const char *const bits[] = {"grant", "retire"};
	static const char *const texts[] = {"bundle_text", "place"};
	const char *name = isa_enum_text("engine", (uint64_t)e);

	group(l, name, true, false);
	for (int t = 0; t < 2; t++)
		for (int s = 0; s < 2; s++)
			signal_row(l, s, SHOW_TEXT, NULL, name, texts[t]);
	for (int b = 0; b < 2; b++)
		for (int s = 0; s < 2; s++)
			signal_row(l, s, SHOW_BIN, NULL, name, bits[b]);
	engine_fields(l, e, false);
	if (waves_has_vec(e)) {
		group(l, "vector unit", true, false);
		engine_fields(l, e, true);
		group(l, "vector unit", false, false);
	}
	group(l, name, false, false);
}

static bool stem(const char *fst, char *buf, size_t size)
{
	size_t n = strlen(fst);

	if (n > 4 && !strcmp(fst + n - 4, ".fst"))
		n -= 4;
	if (n + 16 > size)
		return false;
	memcpy(buf, fst, n);
	buf[n] = 0;
	return true;
}

bool waves_layout(const char *fst, uint64_t cycle, const char *field)
{
	struct layout l = {.ok = true};
	int index, f = state_find(field, &index);
	int first = f < 0 ? -1 : state_fields[f].engine;
	char base[1000], path[1024], *real;
	uint64_t from = cycle > 8 ? cycle - 8 : 0;

	if (!stem(fst, base, sizeof(base)))
		return false;
	snprintf(path, sizeof(path), "%s.filters", base);
	mkdir(path, 0777);
	real = realpath(path, NULL);
	if (!real || strlen(real) >= sizeof(l.dir)) {
		free(real);
		return false;
	}
	snprintf(l.dir, sizeof(l.dir), "%s", real);
	free(real);
	snprintf(path, sizeof(path), "%s.gtkw", base);
	l.out = fopen(path, "w");
	if (!l.out)
		return false;
	fprintf(l.out, "[*] cycle %llu under the marker\n",
	        (unsigned long long)cycle);
	fprintf(l.out, "[timestart] %llu\n[size] 1600 900\n[pos] -1 -1\n",
	        (unsigned long long)from);
	fprintf(l.out, "*-1.0 %llu", (unsigned long long)cycle);
	for (int i = 0; i < 26; i++)
		fprintf(l.out, " -1");
	fprintf(l.out, "\n[sst_expanded] 0\n[signals_width] 320\n");
	fprintf(l.out, "@%x\ncosim.mismatch\n@%x\ncosim.first_field\n",
	        (unsigned)SHOW_BIN, (unsigned)SHOW_TEXT);
	if (f >= 0)
		element(&l, &state_fields[f], index);
	if (first >= 0)
		engine_group(&l, first);
	for (int e = TPB_ENGINES - 1; e >= 0; e--)
		if (e != first)
			engine_group(&l, e);
	for (size_t u = 0; u < sizeof(core_units) / sizeof(*core_units); u++)
		unit_group(&l, &core_units[u]);
	l.ok &= fclose(l.out) == 0;
	return l.ok;
}
