/* SPDX-License-Identifier: Apache-2.0
 *
 * `tpb reglist RTLDIR`: RTL registers that nobody compares.
 *
 * Every register below tpb_core must be a row of isa/state.def or a line of
 * RTLDIR/exclusions.txt, "path  reason"; each row and each line must name a
 * register.  Prints what breaks that, and nothing when all is well.
 */
#include "harness/cmd.h"
#include "harness/vscan.h"

#include "isa/state.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TOP "tpb_core"
#define ENGINE_PATH "gen_engine.u_seq."
#define VEC_PATH "gen_vec.u_vec."

struct exclusion {
	char path[VSCAN_PATH];
	int line;
	bool used;
};

struct reglist {
	const char *dir;
	struct vscan scan;
	struct exclusion *excluded;
	int nexcluded;
	bool *row_used; /* a field of the state table */
	int findings, registers;
};

/* "gen_engine.u_seq.pc_q" for field f; the instances of a generate loop are
 * one path. */
static void row_path(int f, char *buf, size_t size)
{
	const struct state_field *d = &state_fields[f];
	const char *p = d->rtl;
	size_t n = 0;

	n = (size_t)snprintf(buf, size, "%s",
	                     d->vec >= 0      ? VEC_PATH
	                     : d->engine >= 0 ? ENGINE_PATH
	                                      : "");
	while (*p && n + 1 < size) {
		if (!strncmp(p, "__DOT__", 7)) {
			buf[n++] = '.';
			p += 7;
		} else {
			buf[n++] = *p++;
		}
	}
	buf[n] = '\0';
}

static void check(void *ctx, const char *path, const struct vscan_reg *r)
{
	struct reglist *l = ctx;
	bool row = false, excluded = false;
	char p[VSCAN_PATH];

	l->registers++;
	for (int f = 0; f < state_nfields; f++) {
		row_path(f, p, sizeof(p));
		if (!strcmp(p, path))
			row = l->row_used[f] = true;
	}
	for (int i = 0; i < l->nexcluded; i++)
		if (!strcmp(l->excluded[i].path, path))
			excluded = l->excluded[i].used = true;
	if (r->misnamed)
		printf("%s:%d: register %s has no name in _q\n", r->file,
		       r->line, path);
	else if (!row && !excluded)
		printf("%s:%d: register %s is neither compared nor excluded\n",
		       r->file, r->line, path);
	else if (row && excluded)
		printf("%s:%d: register %s is compared and excluded\n", r->file,
		       r->line, path);
	else
		return;
	l->findings++;
}

/* One field of each row: of the first engine; of DVE, which has all rows of
 * the vector units. */
static bool first_of_row(const struct state_field *d)
{
	return d->vec >= 0 ? d->vec == TPB_VECS - 1 : d->engine <= 0;
}

static void check_unused(struct reglist *l)
{
	char p[VSCAN_PATH];

	for (int f = 0; f < state_nfields; f++)
		if (!l->row_used[f] && first_of_row(&state_fields[f])) {
			row_path(f, p, sizeof(p));
			printf("isa/state.def: %s names no register: %s\n",
			       state_fields[f].row, p);
			l->findings++;
		}
	for (int i = 0; i < l->nexcluded; i++)
		if (!l->excluded[i].used) {
			printf("%s/exclusions.txt:%d: %s names no register\n",
			       l->dir, l->excluded[i].line,
			       l->excluded[i].path);
			l->findings++;
		}
}

/* One line of exclusions.txt.  false after a message. */
static bool exclude(struct reglist *l, const char *line, size_t len, int number)
{
	size_t path = 0, reason;
	struct exclusion *p;
	char place[512];

	while (path < len && line[path] != ' ' && line[path] != '\t')
		path++;
	reason = path;
	while (reason < len && (line[reason] == ' ' || line[reason] == '\t'))
		reason++;
	if (len == 0 || line[0] == '#')
		return true;
	snprintf(place, sizeof(place), "%s/exclusions.txt:%d", l->dir, number);
	if (path == 0 || path >= VSCAN_PATH || reason == len) {
		cmd_error("REG002", place,
		          "no path or no reason; write 'path  reason'");
		return false;
	}
	p = realloc(l->excluded, (size_t)(l->nexcluded + 1) * sizeof(*p));
	if (!p) {
		cmd_error("MEM004", place, "out of memory; free some");
		return false;
	}
	l->excluded = p;
	p += l->nexcluded++;
	memset(p, 0, sizeof(*p));
	memcpy(p->path, line, path);
	p->line = number;
	return true;
}

static bool read_exclusions(struct reglist *l)
{
	char path[512];
	size_t size, at = 0;
	char *text;
	bool ok = true;

	snprintf(path, sizeof(path), "%s/exclusions.txt", l->dir);
	text = cmd_read_file(path, &size);
	if (!text)
		return false;
	for (int number = 1; ok && at < size; number++) {
		size_t len = strcspn(text + at, "\n");
		ok = exclude(l, text + at, len, number);
		at += len + 1;
	}
	free(text);
	return ok;
}

static bool read_source(struct reglist *l, const char *name)
{
	char path[512];
	size_t size;
	char *text;
	bool ok;

	snprintf(path, sizeof(path), "%s/%s", l->dir, name);
	text = cmd_read_file(path, &size);
	if (!text)
		return false;
	ok = vscan_text(&l->scan, text, path);
	if (!ok)
		cmd_error("MEM004", path, "out of memory; free some");
	free(text);
	return ok;
}

static bool read_sources(struct reglist *l)
{
	struct dirent **entry;
	int n = scandir(l->dir, &entry, NULL, alphasort);
	bool ok = n >= 0;

	if (n < 0) {
		cmd_error("REG001", l->dir, "%s; give the folder of the RTL",
		          strerror(errno));
		return false;
	}
	for (int i = 0; i < n; i++) {
		size_t len = strlen(entry[i]->d_name);
		if (ok && len > 3 && !strcmp(entry[i]->d_name + len - 3, ".sv"))
			ok = read_source(l, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return ok;
}

static int run(struct reglist *l)
{
	l->row_used = calloc((size_t)state_nfields, sizeof(*l->row_used));
	if (!l->row_used)
		return cmd_error("MEM004", l->dir, "out of memory; free some");
	if (!read_sources(l) || !read_exclusions(l))
		return CMD_BAD;
	vscan_walk(&l->scan, TOP, check, l);
	if (!l->registers)
		return cmd_error("REG003", l->dir,
		                 "no registers below " TOP
		                 "; give the folder of the RTL");
	check_unused(l);
	return l->findings ? CMD_NEGATIVE : CMD_OK;
}

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct reglist *l = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (l->dir)
			return ARGP_ERR_UNKNOWN;
		l->dir = arg;
		return 0;
	case ARGP_KEY_END:
		if (l->dir)
			return 0;
		cmd_error("USE013", "reglist",
		          "no folder; write tpb reglist rtl");
		return ECANCELED;
	default: return ARGP_ERR_UNKNOWN;
	}
}

int cmd_reglist(int argc, char **argv)
{
	static const struct argp argp = {
	    NULL,
	    take,
	    "RTLDIR",
	    "List RTL registers that are neither compared (isa/state.def) nor "
	    "excluded with a reason (RTLDIR/exclusions.txt), and rows and "
	    "exclusions that name no register.  Prints nothing when all is "
	    "well.",
	    NULL,
	    NULL,
	    NULL};
	struct reglist l = {0};
	int status = cmd_parse(&argp, argc, argv, &l);

	if (status == CMD_OK)
		status = run(&l);
	vscan_free(&l.scan);
	free(l.excluded);
	free(l.row_used);
	return status;
}
