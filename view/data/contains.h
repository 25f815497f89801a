/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches the lines of events for a text, without regard to case: "TIME CPU TASK-PID SYSTEM/EVENT:
 * TEXT", the columns of the list of events; the time is that of the trace's clock.
 *
 * Threads: a search belongs to one thread.
 */
#ifndef VIEW_DATA_CONTAINS_H
#define VIEW_DATA_CONTAINS_H

#include "core/build.h"
#include "trace.h"

/* Takes the events whose lines contain a text, and passes them on. */
struct view_contains {
	const struct view_trace *trace;
	const char *text;
	size_t len;
	struct tdat_printer *printer;
	struct tdat_build line;
	view_take_fn take;
	void *ctx;
};

/* Prepares a search, whose first members are set, all others 0; text is borrowed. */
enum tdat_status view_contains_init(struct view_contains *c, const char *text, view_take_fn take,
				    void *ctx, struct tdat_error *err);
/* Ends it, prepared or not. */
void view_contains_fini(struct view_contains *c);

/* A view_take_fn, whose ctx is a struct view_contains. */
size_t view_contains_take(void *ctx, const struct tdat_event *events, size_t count);

#endif
