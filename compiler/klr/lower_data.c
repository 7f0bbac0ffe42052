/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of inputs and constants, read from the files that a kernel names.
 *
 * A relative name is looked for in the data directory, then beside the kernel.
 * A file is a regular one and has exactly the bytes of its tensor: row-major,
 * little-endian.
 */
#include "compiler/klr/lower.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_DATA ((int64_t)1 << 30)

/* Open dir/name; dir may be empty. */
static FILE *open_in(const char *dir, size_t len, const char *name)
{
	char path[4096];
	int n;

	n = snprintf(path, sizeof(path), "%.*s%s%s", (int)len, dir,
	             len && dir[len - 1] != '/' ? "/" : "", name);
	if (n < 0 || (size_t)n >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return fopen(path, "rb");
}

static FILE *open_data(struct klr_lowerer *l, const char *name)
{
	const char *dir = l->opts->data_dir;
	const char *slash = strrchr(l->k->path, '/');
	FILE *f = NULL;

	if (*name == '/')
		return open_in("", 0, name);
	if (dir)
		f = open_in(dir, strlen(dir), name);
	if (!f)
		f = open_in(l->k->path,
		            slash ? (size_t)(slash - l->k->path) : 0, name);
	return f;
}

void klr_lower_data(struct klr_lowerer *l, const struct klr_tensor *t,
                    struct bir_loc *loc)
{
	int64_t size = loc->partitions * loc->row_bytes;
	struct stat st;
	uint8_t *bytes;
	FILE *f;

	loc->file = arena_strdup(l->m->arena, t->file);
	if (l->opts->no_data)
		return;
	f = open_data(l, t->file);
	if (!f) {
		klr_error_at(&l->rep, t->pos, KLR_E_FILE,
		             "%.80s: %s; name the directory of the inputs",
		             t->file, strerror(errno));
		return;
	}
	if (fstat(fileno(f), &st) || !S_ISREG(st.st_mode)) {
		klr_error_at(
		    &l->rep, t->pos, KLR_E_FILE,
		    "%.80s: is no regular file; name a file of its bytes",
		    t->file);
	} else if (st.st_size != size || size > MAX_DATA) {
		klr_error_at(&l->rep, t->pos, KLR_E_FILE,
		             "%.80s: has %lld bytes, '%.40s' has %" PRId64 "%s",
		             t->file, (long long)st.st_size, t->name, size,
		             size > MAX_DATA ? "; 1 GiB is the limit"
		                             : "; make it anew");
	} else {
		bytes = arena_alloc(l->m->arena, (size_t)size);
		if (fread(bytes, 1, (size_t)size, f) != (size_t)size)
			klr_error_at(&l->rep, t->pos, KLR_E_FILE,
			             "%.80s: cannot be read; make it anew",
			             t->file);
		loc->init = bytes;
	}
	fclose(f);
}
