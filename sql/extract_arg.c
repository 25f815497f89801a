/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds EXTRACT_ARG(arg_set_id, key), as Perfetto has it: the value of a field of an event, or of an
 * argument of a track, whose number is negative. The function keeps the reader of events
 * (event_args.c) from call to call, and reads on: numbers that rise are read once. Used by queries,
 * and by the modules of perfetto/.
 */
#include <stdlib.h>
#include <string.h>

#include "event_args.h"

/* The state of EXTRACT_ARG on one connection: it reads forward from call to call. */
struct extract {
	struct event_reader reader;
	struct sql_current *current; /* counted */
	struct sql_trace *trace;     /* of the reader; counted */
	struct tdat_build text;
};

/*
 * Lets the reader follow the connection's current trace, which may have changed since the last
 * call.
 */
static void follow_current(struct extract *x)
{
	struct sql_trace *trace = x->current->trace;

	if (x->trace == trace)
		return;
	event_reader_end(&x->reader);
	sql_trace_put(x->trace);
	x->trace = trace;
	trace->references++;
	x->reader.trace = trace;
}

/* The same of a track: its arguments are numbers. */
static void extract_of_track(sqlite3_context *c, sqlite3_value **argv)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(
		    sqlite3_context_db_handle(c),
		    "SELECT int_value FROM temp._tdat_track_arg WHERE arg_set_id = ? AND "
		    "key = ?",
		    -1, &stmt, NULL) != SQLITE_OK)
		return;
	sqlite3_bind_value(stmt, 1, argv[0]);
	sqlite3_bind_value(stmt, 2, argv[1]);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		sqlite3_result_value(c, sqlite3_column_value(stmt, 0));
	sqlite3_finalize(stmt);
}

/* EXTRACT_ARG(arg_set_id, key): the value of a field, or NULL if the event has no such field. */
static void extract_arg(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	struct extract *x = sqlite3_user_data(c);
	const char *key = (const char *)sqlite3_value_text(argv[1]);
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *event;
	const struct tdat_field *fields;
	size_t count;
	int64_t number;

	(void)argc;
	/* A NULL argument gives NULL. */
	if (!key || sqlite3_value_type(argv[0]) == SQLITE_NULL)
		return;
	if (sqlite3_value_int64(argv[0]) < 0) {
		extract_of_track(c, argv);
		return;
	}
	follow_current(x);
	if (event_reader_find(&x->reader, sqlite3_value_int64(argv[0]), &event, &err) != TDAT_OK) {
		sqlite3_result_error(c, err.message, -1);
		return;
	}
	fields = event ? event_fields(&x->reader, event, &count) : NULL;
	for (size_t i = 0; fields && i < count; i++) {
		enum event_value_kind kind;

		if (strcmp(fields[i].name, key) != 0)
			continue;
		kind = event_value(&fields[i], event, &number, &x->text);
		if (kind == EVENT_V_INT)
			sqlite3_result_int64(c, number);
		else if (kind == EVENT_V_TEXT)
			sql_result_build(c, &x->text);
		return;
	}
}

/* Called by SQLite when the connection closes or the function is replaced. */
static void extract_free(void *ctx)
{
	struct extract *x = ctx;

	event_reader_end(&x->reader);
	tdat_build_fini(&x->text);
	sql_trace_put(x->trace);
	sql_current_put(x->current);
	free(x);
}

int sql_extract_arg_register(struct sql_current *current, sqlite3 *db)
{
	struct extract *x = calloc(1, sizeof(*x));

	if (!x)
		return SQLITE_NOMEM;
	x->reader.number = -1;
	x->current = current;
	current->references++;
	tdat_build_init(&x->text, false);
	/* A failure frees x. */
	return sqlite3_create_function_v2(db, "EXTRACT_ARG", 2, SQLITE_UTF8 | SQLITE_INNOCUOUS, x,
					  extract_arg, NULL, NULL, extract_free);
}
