/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Registers all that SQL sees of a trace with a database. */
#include "trace.h"

enum tdat_status sql_register(struct sql_trace *t, sqlite3 *db, struct tdat_error *err)
{
	int rc = sql_tables_register(t, db);

	if (rc == SQLITE_OK)
		rc = sql_functions_register(t, db);
	if (rc == SQLITE_OK)
		rc = sql_perfetto_register(t, db);
	if (rc == SQLITE_OK)
		return TDAT_OK;
	if (rc == SQLITE_NOMEM)
		return tdat_error_no_memory(err, "the tables of a trace");
	return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET, "SQLite: %s", sqlite3_errmsg(db));
}
