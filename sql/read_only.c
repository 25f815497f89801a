/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens a connection that can only read: SQLite asks the authorizer about each step of a statement.
 * It allows reading, functions and temporary sorting alone. So a query cannot attach or write a
 * file. Statements that queries_make.c runs may also make objects, which are temporary.
 */
#include <string.h>

#include "trace.h"

/* These pragmas only return facts, and change nothing whatever their argument. */
static const char *const pragmas[] = {
	"collation_list", "compile_options", "database_list", "function_list",
	"index_info",	  "index_list",	     "index_xinfo",   "module_list",
	"pragma_list",	  "table_info",	     "table_list",    "table_xinfo",
};

/* What making a table, view or index consists of: rows of the schema, and of tables that are made.
 */
static bool is_making(int action, const char *a, const char *b, const char *database)
{
	switch (action) {
	case SQLITE_CREATE_TEMP_TABLE:
	case SQLITE_CREATE_TEMP_VIEW:
	case SQLITE_CREATE_TEMP_INDEX:
	case SQLITE_DROP_TEMP_TABLE:
	case SQLITE_DROP_TEMP_VIEW:
	case SQLITE_DROP_TEMP_INDEX:
	case SQLITE_REINDEX:
		return true;
	case SQLITE_CREATE_VTABLE:
	case SQLITE_DROP_VTABLE:
		return !sqlite3_strnicmp(b ? b : "", "span_", 5);
	case SQLITE_INSERT:
	case SQLITE_UPDATE:
	case SQLITE_DELETE:
		return a && database && !strcmp(database, "temp");
	default:
		return false;
	}
}

/* The authorizer. a and b depend on the action: b is the name of a function, a that of a pragma. */
static int is_allowed(void *ctx, int action, const char *a, const char *b, const char *database,
		      const char *view)
{
	const struct sql_trace *t = ctx;

	(void)view;
	/*
	 * A table of the trace declares its columns by a statement: xConnect sets this meanwhile.
	 */
	if (t->declaring || (t->making && is_making(action, a, b, database)))
		return SQLITE_OK;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	/* load_extension() would run code from a file. */
	case SQLITE_FUNCTION:
		return sqlite3_stricmp(b ? b : "", "load_extension") ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_PRAGMA:
		for (size_t i = 0; i < sizeof(pragmas) / sizeof(pragmas[0]); i++)
			if (!sqlite3_stricmp(a ? a : "", pragmas[i]))
				return SQLITE_OK;
		return SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

/*
 * Uses SQLite's own virtual tables once, before the connection is restricted. Like those of the
 * trace, they declare their columns by a statement on first use.
 */
static void use_own_tables(sqlite3 *db)
{
	static const char *const queries[] = {"SELECT 1 FROM json_each('')",
					      "SELECT 1 FROM json_tree('')"};
	sqlite3_stmt *stmt;
	char text[64];

	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		sqlite3_prepare_v2(db, queries[i], -1, &stmt, NULL);
		sqlite3_finalize(stmt);
	}
	for (size_t i = 0; i < sizeof(pragmas) / sizeof(pragmas[0]); i++) {
		sqlite3_snprintf(sizeof(text), text, "SELECT 1 FROM pragma_%s", pragmas[i]);
		sqlite3_prepare_v2(db, text, -1, &stmt, NULL);
		sqlite3_finalize(stmt);
	}
}

/* From here on the authorizer decides. */
static void allow_reading(const struct sql_trace *t, sqlite3 *db)
{
	use_own_tables(db);
	sqlite3_set_authorizer(db, is_allowed, (void *)t);
}

/*
 * The longest text or blob. Functions such as printf() could make one of any length, and no
 * callback interrupts the making of one value.
 */
enum { VALUE_MOST = 64 << 20 };

enum tdat_status sql_open(struct sql_trace *t, const char *settings, sqlite3 **db,
			  struct sql_queries **q, struct tdat_error *err)
{
	/*
	 * No file: temporary tables and sorting stay in memory, or in SQLite's own temporary files.
	 */
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
	struct sql_current *current = sql_current_new();
	enum tdat_status st;

	*db = NULL;
	*q = NULL;
	if (!current || sqlite3_open_v2(":memory:", db, flags, NULL) ||
	    (settings && sqlite3_exec(*db, settings, NULL, NULL, NULL)))
		st = tdat_error_no_memory(err, "queries");
	else
		st = sql_register(current, t, *db, err);
	if (st == TDAT_OK)
		sqlite3_limit(*db, SQLITE_LIMIT_LENGTH, VALUE_MOST);
	sql_current_put(current);
	if (st == TDAT_OK && sql_queries_new(q, t, *db) != SQLITE_OK)
		st = tdat_error_no_memory(err, "queries");
	/* After the tables are registered, which the authorizer would refuse. */
	if (st == TDAT_OK)
		allow_reading(t, *db);
	return st;
}
