/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares how events are found by their number, of which the first is 0, and their fields as
 * Perfetto has arguments of events. If numbers rise, the reader only moves forward.
 */
#ifndef SQL_EVENT_ARGS_H
#define SQL_EVENT_ARGS_H

#include "core/build.h"
#include "trace.h"

struct event_reader {
	const struct sql_trace *trace; /* borrowed */
	struct tdat_iter *iter;
	const struct tdat_event *event; /* the last one read; NULL: none, or the end */
	int64_t number;			/* of it */
};

/* Moves to an event, or begins anew; *event is NULL if there is no event of that number. */
enum tdat_status event_reader_find(struct event_reader *r, int64_t number,
				   const struct tdat_event **event, struct tdat_error *err);
void event_reader_end(struct event_reader *r);

/* Returns the fields of an event that are its own, and their number. */
const struct tdat_field *event_fields(const struct event_reader *r, const struct tdat_event *event,
				      size_t *count);

/* The value of a field: a number, or a text in text, whose contents are replaced; else a null. */
enum event_value_kind { EVENT_V_NULL, EVENT_V_INT, EVENT_V_TEXT };
enum event_value_kind event_value(const struct tdat_field *field, const struct tdat_event *event,
				  int64_t *number, struct tdat_build *text);

/* Makes EXTRACT_ARG known; once for a connection, as it follows the current trace by itself. */
int sql_extract_arg_register(struct sql_current *current, sqlite3 *db);
/* Makes the table args and the function EXTRACT_ARG known to a connection. */
int sql_event_args_register(struct sql_current *current, sqlite3 *db);

#endif
