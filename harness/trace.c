/* SPDX-License-Identifier: Apache-2.0
 *
 * The writer of trace files; see trace.h.
 */
#include "harness/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trace {
	FILE *out;
	bool started;
};

struct trace *trace_open(const char *path)
{
	struct trace *t = calloc(1, sizeof(*t));

	if (t)
		t->out = fopen(path, "w");
	if (t && t->out) {
		fputc('[', t->out);
		return t;
	}
	fprintf(stderr,
	        "tpb: error[TRC001]: %s: cannot write the timeline; check the "
	        "directory\n",
	        path);
	free(t);
	return NULL;
}

/* The text as the inside of a JSON string; cut so that it stays whole.
 * Bytes that JSON or UTF-8 could mind are replaced. */
static void escape(const char *text, char *buf, size_t size)
{
	size_t n = 0;

	for (; *text && n + 3 < size; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			buf[n++] = '\\';
		buf[n++] = c < 0x20 || c > 0x7E ? '?' : (char)c;
	}
	buf[n] = '\0';
}

/* The start of an event, up to and with its track. */
static void event(struct trace *t, char phase, int pid, int tid,
                  const char *name)
{
	char text[256];

	escape(name, text, sizeof(text));
	fprintf(t->out,
	        "%s\n{\"name\":\"%s\",\"ph\":\"%c\",\"pid\":%d,\"tid\":%d",
	        t->started ? "," : "", text, phase, pid, tid);
	t->started = true;
}

static void name_event(struct trace *t, const char *what, int pid, int tid,
                       const char *name)
{
	char text[256];

	escape(name, text, sizeof(text));
	event(t, 'M', pid, tid, what);
	fprintf(t->out, ",\"args\":{\"name\":\"%s\"}}", text);
}

static void sort_event(struct trace *t, const char *what, int pid, int tid,
                       int place)
{
	event(t, 'M', pid, tid, what);
	fprintf(t->out, ",\"args\":{\"sort_index\":%d}}", place);
}

void trace_process(struct trace *t, int pid, const char *name)
{
	name_event(t, "process_name", pid, 0, name);
	sort_event(t, "process_sort_index", pid, 0, pid);
}

void trace_track(struct trace *t, int pid, int tid, const char *name)
{
	name_event(t, "thread_name", pid, tid, name);
	sort_event(t, "thread_sort_index", pid, tid, tid);
}

void trace_slice(struct trace *t, int pid, int tid, const char *name,
                 uint64_t from, uint64_t to, const char *args)
{
	event(t, 'X', pid, tid, name);
	fprintf(t->out,
	        ",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 ",\"args\":{%s}}", from,
	        to - from, args);
}

void trace_mark(struct trace *t, int pid, const char *name, uint64_t at)
{
	event(t, 'i', pid, 0, name);
	fprintf(t->out, ",\"ts\":%" PRIu64 ",\"s\":\"g\"}", at);
}

void trace_counter(struct trace *t, int pid, const char *name, uint64_t at,
                   int64_t value)
{
	event(t, 'C', pid, 0, name);
	fprintf(t->out, ",\"ts\":%" PRIu64 ",\"args\":{\"value\":%" PRId64 "}}",
	        at, value);
}

void trace_text(char *args, size_t size, const char *key, const char *value)
{
	size_t n = strlen(args);
	char text[512];

	escape(value, text, sizeof(text));
	/* All of it or nothing: half a member is no JSON. */
	if (n + strlen(key) + strlen(text) + 8 <= size)
		snprintf(args + n, size - n, "%s\"%s\":\"%s\"", n ? "," : "",
		         key, text);
}

void trace_number(char *args, size_t size, const char *key, uint64_t value)
{
	size_t n = strlen(args);

	if (n + strlen(key) + 28 <= size)
		snprintf(args + n, size - n, "%s\"%s\":%" PRIu64, n ? "," : "",
		         key, value);
}

bool trace_close(struct trace *t)
{
	bool ok;

	fputs("\n]\n", t->out);
	ok = !ferror(t->out);
	ok = fclose(t->out) == 0 && ok;
	if (!ok)
		fprintf(stderr, "tpb: error[TRC001]: timeline: cannot be "
		                "written; check the room on the disk\n");
	free(t);
	return ok;
}
