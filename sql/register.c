/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers all that SQL sees of a trace with a database. Functions stay for as long as the
 * connection and ask for the current trace; tables belong to one trace.
 */
#include <stdlib.h>

#include "module.h"
#include "trace.h"

/* One reference, for the caller. */
struct sql_current *sql_current_new(void)
{
	struct sql_current *current = calloc(1, sizeof(*current));

	if (current)
		current->references = 1;
	return current;
}

void sql_current_put(struct sql_current *current)
{
	if (!current || --current->references)
		return;
	sql_trace_put(current->trace);
	free(current);
}

/* A connection has one current trace. The tables of the one before go with their names. */
enum tdat_status sql_register(struct sql_current *current, struct sql_trace *t, sqlite3 *db,
			      struct tdat_error *err)
{
	int rc = SQLITE_OK;

	if (current->trace != t) {
		/* Functions stay: they find the new trace through current. */
		if (current->trace)
			sql_tables_forget(current->trace, db);
		sql_trace_put(current->trace);
		current->trace = t;
		t->references++;
		rc = sql_tables_register(t, db);
	}
	if (rc == SQLITE_OK)
		rc = sql_functions_register(current, db);
	if (rc == SQLITE_OK)
		rc = sql_perfetto_register(current, db);
	if (rc == SQLITE_OK)
		return TDAT_OK;
	if (rc == SQLITE_NOMEM)
		return tdat_error_no_memory(err, "the tables of a trace");
	return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET, "SQLite: %s", sqlite3_errmsg(db));
}
