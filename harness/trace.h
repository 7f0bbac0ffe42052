/* SPDX-License-Identifier: Apache-2.0
 *
 * A writer of trace files as Chrome's tracing and Perfetto read them: one JSON
 * array of events.  Times are cycles, which the viewers take for
 * microseconds.  Facts: the public "Trace Event Format" (phases X, C, i, M).
 *
 * A track is a pair of process and thread.  The writer puts down what it is
 * told: that slices of a track nest is its caller's affair.
 */
#ifndef HARNESS_TRACE_H
#define HARNESS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace;

/* NULL when the file cannot be made; text on stderr. */
struct trace *trace_open(const char *path);

/* Names and order of a process and of a track in it. */
void trace_process(struct trace *t, int pid, const char *name);
void trace_track(struct trace *t, int pid, int tid, const char *name);

/* A slice of the cycles from .. to - 1.  args: members of a JSON object made
 * with trace_text() and its like, or "". */
void trace_slice(struct trace *t, int pid, int tid, const char *name,
                 uint64_t from, uint64_t to, const char *args);
/* A point in time, across all tracks. */
void trace_mark(struct trace *t, int pid, const char *name, uint64_t at);
/* The value of a counter from a cycle on. */
void trace_counter(struct trace *t, int pid, const char *name, uint64_t at,
                   int64_t value);

/* Append a member to a text of members: "key":"value", escaped and cut to the
 * room; "key":value. */
void trace_text(char *args, size_t size, const char *key, const char *value);
void trace_number(char *args, size_t size, const char *key, uint64_t value);

/* Finish the file; false when it could not be written.  Frees t. */
bool trace_close(struct trace *t);

#endif
