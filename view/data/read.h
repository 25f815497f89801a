/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the events of one CPU, or of the whole trace in order, that lie in a span of time and that
 * a selection chooses.
 *
 * Threads: each call reads on the calling thread with an iterator of its own.
 */
#ifndef VIEW_DATA_READ_H
#define VIEW_DATA_READ_H

#include "trace.h"

/* Which events are chosen; all members are borrowed. A list that is empty chooses all. */
struct view_selection {
	/* Expressions, events, pids, comms and buffers; times only where it is not kept. */
	struct tdat_filter_opts filter;
	const uint32_t *cpus;
	size_t cpu_count;
	bool has_cpus;	      /* else all CPUs */
	const char *contains; /* what the line of an event contains (contains.h); NULL: anything */
};

bool view_selection_is_all(const struct view_selection *s);
/* The CPUs of a selection, cpu_count of them, for options of the library: NULL chooses all. */
const uint32_t *view_selection_cpus(const struct view_selection *s);
bool view_selection_same(const struct view_selection *a, const struct view_selection *b);

/*
 * Copies a selection with all that it points to, in one block of memory that is freed with
 * free(); NULL without memory.
 */
struct view_selection *view_selection_copy(const struct view_selection *s);

/* A span of time, both ends included. */
struct view_span {
	uint64_t from, to;
};

/*
 * view_read_lane reads the events of a lane; span and selection may be NULL.
 * *damage (may be NULL) becomes what was damaged; its bad_pages is 0 if nothing was.
 */
enum tdat_status view_read_lane(const struct view_trace *t, const struct view_lane *lane,
				const struct view_span *span, const struct view_selection *s,
				view_take_fn take, void *ctx, struct tdat_stream_damage *damage,
				struct tdat_error *err);

/* view_read_all reads the events of all lanes in the order of tdat dump. */
enum tdat_status view_read_all(const struct view_trace *t, const struct view_span *span,
			       const struct view_selection *s, view_take_fn take, void *ctx,
			       struct tdat_error *err);

/* view_read_check fails where a selection makes no sense, or names what no file has. */
enum tdat_status view_read_check(const struct view_trace *t, const struct view_selection *s,
				 struct tdat_error *err);

/*
 * view_read_filter makes the filter of a selection, a span and the pattern of a buffer, which may
 * be NULL; NULL where all events pass. It is the caller's to free.
 */
enum tdat_status view_read_filter(const struct view_trace *t, const struct view_span *span,
				  const struct view_selection *s, const char *buffer,
				  struct tdat_filter **out, struct tdat_error *err);

#endif
