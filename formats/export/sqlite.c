/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The exporter of tables to one SQLite database, by libsqlite3: a table for each table, filled in
 * one transaction, and an index of its times.
 *
 * The database is only whole when the export has ended well: it is written without a journal,
 * as a file that somebody makes anew and renames needs none.
 */
#include <inttypes.h>
#include <stdlib.h>

#include <sqlite3.h>

#include "columns/sqlite_value.h"
#include "core/on_demand.h"
#include "exporters.h"
#include "state.h"

/* The functions of libsqlite3 that are called. */
/* clang-format off */
#define CALLS(X) \
	X(sqlite3_bind_blob64) X(sqlite3_bind_double) X(sqlite3_bind_int64) \
	X(sqlite3_bind_null) X(sqlite3_bind_text) X(sqlite3_bind_text64) \
	X(sqlite3_changes) X(sqlite3_close) X(sqlite3_column_int64) X(sqlite3_errcode) \
	X(sqlite3_errmsg) X(sqlite3_exec) X(sqlite3_finalize) X(sqlite3_open_v2) \
	X(sqlite3_prepare_v3) X(sqlite3_reset) X(sqlite3_step) X(sqlite3_stricmp) \
	X(sqlite3_strnicmp)
/* clang-format on */
TDAT_CALLS(sqlite_calls, CALLS, "libsqlite3.so.0", false)

/* Statements: take_name and next_number make unique names, add_metadata fills tdat_metadata. */
struct sqlite_export {
	struct sqlite_calls lib;
	sqlite3 *db;
	sqlite3_stmt *take_name, *next_number, *add_metadata;
};

/* One table; insert has a parameter for each column. */
struct sqlite_table {
	struct sqlite_export *export;
	struct table_columns columns;
	struct tdat_build name; /* in the database, with its NUL */
	sqlite3_stmt *insert;
	struct tdat_build json; /* of one list */
};

/*
 * Reports the failure of the last call of SQLite. Values that are too long for SQLite count as a
 * limit.
 */
static enum tdat_status sqlite_failed(struct sqlite_export *x, struct tdat_error *err)
{
	const int rc = x->db ? x->lib.sqlite3_errcode(x->db) & 0xff : SQLITE_NOMEM;

	if (rc == SQLITE_NOMEM)
		return tdat_error_no_memory(err, "a table of the database");
	return tdat_error_set(err, rc == SQLITE_TOOBIG ? TDAT_E_LIMIT : TDAT_E_SYSTEM,
			      TDAT_NO_OFFSET, "SQLite: %s", x->lib.sqlite3_errmsg(x->db));
}

static enum tdat_status run(struct sqlite_export *x, const char *sql, struct tdat_error *err)
{
	return x->lib.sqlite3_exec(x->db, sql, NULL, NULL, NULL) ? sqlite_failed(x, err) : TDAT_OK;
}

/* Runs the statements in sql, and frees it. */
static enum tdat_status run_build(struct sqlite_export *x, struct tdat_build *sql,
				  struct tdat_error *err)
{
	enum tdat_status st;

	tdat_build_u8(sql, 0);
	st = sql->failed ? tdat_error_no_memory(err, "a table of the database")
			 : run(x, (const char *)sql->ptr, err);
	tdat_build_fini(sql);
	return st;
}

/* Prepares a statement that is used many times. */
static enum tdat_status prepare(struct sqlite_export *x, const char *sql, sqlite3_stmt **statement,
				struct tdat_error *err)
{
	return x->lib.sqlite3_prepare_v3(x->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL)
		       ? sqlite_failed(x, err)
		       : TDAT_OK;
}

/* Runs a statement that returns no rows, and makes it ready for the next use. */
static enum tdat_status step(struct sqlite_export *x, sqlite3_stmt *statement,
			     struct tdat_error *err)
{
	const int rc = x->lib.sqlite3_step(statement);
	enum tdat_status st = rc == SQLITE_DONE ? TDAT_OK : sqlite_failed(x, err);

	x->lib.sqlite3_reset(statement);
	return st;
}

/* ---- names ---- */

/* Takes a name; *taken false: a table or an index has it. */
static enum tdat_status take(struct sqlite_export *x, const struct tdat_build *name, bool *taken,
			     struct tdat_error *err)
{
	enum tdat_status st;

	if (name->failed)
		return tdat_error_no_memory(err, "a table of the database");
	/* Lengths of names include the NUL. */
	if (x->lib.sqlite3_bind_text64(x->take_name, 1, (const char *)name->ptr, name->len - 1,
				       SQLITE_STATIC, SQLITE_UTF8))
		return sqlite_failed(x, err);
	st = step(x, x->take_name, err);
	*taken = st == TDAT_OK && x->lib.sqlite3_changes(x->db) == 1;
	return st;
}

/*
 * Returns the number to try next behind a taken name: 2, 3 and so on. Each is tried once, so that
 * thousands of equal names stay fast.
 */
static enum tdat_status next_number(struct sqlite_export *x, const struct tdat_build *name,
				    int64_t *number, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (x->lib.sqlite3_bind_text64(x->next_number, 1, (const char *)name->ptr, name->len - 1,
				       SQLITE_STATIC, SQLITE_UTF8) ||
	    x->lib.sqlite3_step(x->next_number) != SQLITE_ROW)
		st = sqlite_failed(x, err);
	else
		*number = x->lib.sqlite3_column_int64(x->next_number, 0);
	x->lib.sqlite3_reset(x->next_number);
	return st;
}

/*
 * Makes name + suffix unique among tables and indexes. SQLite ignores case in names, and reserves
 * those that start with sqlite_.
 */
static enum tdat_status free_name(struct sqlite_export *x, const char *name, const char *suffix,
				  struct tdat_build *out, struct tdat_error *err)
{
	struct tdat_build base;
	enum tdat_status st;
	bool taken = false;

	tdat_build_init(&base, false);
	tdat_build_str(&base, x->lib.sqlite3_strnicmp(name, "sqlite_", 7) ? "" : "_");
	tdat_build_str(&base, name);
	tdat_build_cstr(&base, suffix);
	out->len = 0;
	tdat_build_bytes(out, base.ptr, base.len);
	st = take(x, out, &taken, err);
	while (st == TDAT_OK && !taken) {
		int64_t number = 0;

		st = next_number(x, &base, &number, err);
		out->len = 0;
		tdat_build_bytes(out, base.ptr, base.len - 1);
		tdat_build_printf(out, "_%" PRId64, number);
		tdat_build_u8(out, 0);
		if (st == TDAT_OK)
			st = take(x, out, &taken, err);
	}
	tdat_build_fini(&base);
	return st;
}

/* ---- tables ---- */

/* Creates the table with the columns' types. */
static enum tdat_status create(struct sqlite_table *t, struct tdat_error *err)
{
	const struct column_types *types = &t->columns.types;
	struct tdat_build sql;

	tdat_build_init(&sql, false);
	tdat_build_str(&sql, "CREATE TABLE ");
	sqlite_put_name(&sql, (const char *)t->name.ptr);
	for (size_t i = 0; i < types->count; i++) {
		const struct column_type *type = &types->v[i];

		tdat_build_str(&sql, i ? ", " : " (");
		sqlite_put_name(&sql, type->name);
		/* SQLite stores a NaN as NULL. */
		tdat_build_printf(&sql, " %s%s", sqlite_type_name(type),
				  type->nullable || type->kind == COLUMN_DOUBLE ? "" : " NOT NULL");
	}
	tdat_build_str(&sql, ")");
	return run_build(t->export, &sql, err);
}

/* Prepares the INSERT of a row. */
static enum tdat_status prepare_insert(struct sqlite_table *t, struct tdat_error *err)
{
	struct tdat_build sql;
	enum tdat_status st;

	tdat_build_init(&sql, false);
	tdat_build_str(&sql, "INSERT INTO ");
	sqlite_put_name(&sql, (const char *)t->name.ptr);
	for (size_t i = 0; i < t->columns.types.count; i++)
		tdat_build_str(&sql, i ? ", ?" : " VALUES (?");
	tdat_build_cstr(&sql, ")");
	st = sql.failed ? tdat_error_no_memory(err, "a table of the database")
			: prepare(t->export, (const char *)sql.ptr, &t->insert, err);
	tdat_build_fini(&sql);
	return st;
}

static int bind_span(const struct sqlite_export *x, sqlite3_stmt *statement, int at,
		     struct tdat_span s)
{
	return x->lib.sqlite3_bind_text64(statement, at, s.len ? (const char *)s.ptr : "", s.len,
					  SQLITE_STATIC, SQLITE_UTF8);
}

/* Adds the metadata pairs of a column, or of the table if column is NULL. */
static enum tdat_status add_metadata(struct sqlite_table *t, const char *column,
				     const struct column_metadata *m, struct tdat_error *err)
{
	struct metadata_reader r = metadata_read(m);
	struct sqlite_export *x = t->export;
	sqlite3_stmt *s = x->add_metadata;
	enum tdat_status st = TDAT_OK;
	struct tdat_span key, value;

	while (st == TDAT_OK && metadata_next(&r, &key, &value)) {
		const int rc = x->lib.sqlite3_bind_text(s, 1, (const char *)t->name.ptr, -1,
							SQLITE_STATIC) |
			       x->lib.sqlite3_bind_text(s, 2, column, -1, SQLITE_STATIC) |
			       bind_span(x, s, 3, key) | bind_span(x, s, 4, value);

		st = rc ? sqlite_failed(t->export, err) : step(t->export, s, err);
	}
	return st;
}

/*
 * Makes the index before the rows: these come by time, so each goes to the index's end. To index
 * finished rows, SQLite would sort all of them in a temporary file or in memory.
 */
static enum tdat_status make_index(struct sqlite_table *t, struct tdat_error *err)
{
	struct tdat_build name, sql;
	enum tdat_status st;

	tdat_build_init(&name, false);
	tdat_build_init(&sql, false);
	st = free_name(t->export, (const char *)t->name.ptr, ".ts", &name, err);
	if (st == TDAT_OK) {
		tdat_build_str(&sql, "CREATE INDEX ");
		sqlite_put_name(&sql, (const char *)name.ptr);
		tdat_build_str(&sql, " ON ");
		sqlite_put_name(&sql, (const char *)t->name.ptr);
		tdat_build_str(&sql, " (\"ts\")");
		st = run_build(t->export, &sql, err);
	}
	tdat_build_fini(&name);
	return st;
}

/* Creates everything that belongs to a table before its first row. */
static enum tdat_status start(struct sqlite_table *t, const char *name, struct tdat_error *err)
{
	const struct column_types *types = &t->columns.types;
	enum tdat_status st = free_name(t->export, name, "", &t->name, err);

	if (st == TDAT_OK)
		st = create(t, err);
	for (size_t i = 0; st == TDAT_OK && i < types->count; i++)
		/* A table has at most one column of that name. */
		if (!t->export->lib.sqlite3_stricmp(types->v[i].name, "ts")) {
			st = make_index(t, err);
			break;
		}
	if (st == TDAT_OK)
		st = prepare_insert(t, err);
	if (st == TDAT_OK)
		st = add_metadata(t, NULL, &types->metadata, err);
	for (size_t i = 0; st == TDAT_OK && i < types->count; i++)
		st = add_metadata(t, types->v[i].name, &types->v[i].metadata, err);
	return st;
}

static void table_free(struct sqlite_table *t)
{
	t->export->lib.sqlite3_finalize(t->insert);
	tdat_build_fini(&t->name);
	tdat_build_fini(&t->json);
	table_columns_fini(&t->columns);
	free(t);
}

/* table_begin. The database is this exporter's own file, so write is not used. */
static enum tdat_status sqlite_table_begin(void *state, const char *name,
					   const struct ArrowSchema *schema, tdat_write_fn write,
					   void *write_ctx, void **part, struct tdat_error *err)
{
	struct sqlite_table *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	(void)write;
	(void)write_ctx;
	*part = NULL;
	if (!t)
		return tdat_error_no_memory(err, "a table of the database");
	t->export = state;
	st = table_columns_init(&t->columns, schema, "SQLite", err);
	if (st == TDAT_OK)
		st = start(t, name, err);
	if (st == TDAT_OK)
		*part = t;
	else
		table_free(t);
	return st;
}

/* ---- rows ---- */

/* Binds a value of a row to the INSERT; returns SQLite's code. */
static int bind_value(struct sqlite_table *t, size_t column, size_t row)
{
	const int at = (int)column + 1;
	struct sqlite_value v;

	sqlite_value_of(&v, &t->columns.types.v[column], &t->columns.views[column], row, &t->json);
	switch (v.kind) {
	case SQLITE_V_INT:
		return t->export->lib.sqlite3_bind_int64(t->insert, at, v.number);
	case SQLITE_V_DOUBLE:
		return t->export->lib.sqlite3_bind_double(t->insert, at, v.real);
	case SQLITE_V_TEXT:
		if (t->json.failed)
			return SQLITE_NOMEM;
		/*
		 * The JSON of a list is overwritten by the next list, so SQLite must copy it; other
		 * bytes live as long as the batch.
		 */
		return t->export->lib.sqlite3_bind_text64(
			t->insert, at, (const char *)v.bytes.ptr, v.bytes.len,
			v.bytes.ptr == t->json.ptr ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
	case SQLITE_V_BLOB:
		return t->export->lib.sqlite3_bind_blob64(t->insert, at, v.bytes.ptr, v.bytes.len,
							  SQLITE_STATIC);
	default:
		return t->export->lib.sqlite3_bind_null(t->insert, at);
	}
}

/* Takes a batch: inserts its rows. */
static enum tdat_status sqlite_batch(void *part, const struct ArrowArray *rows,
				     struct tdat_error *err)
{
	struct sqlite_table *t = part;
	enum tdat_status st = table_columns_batch(&t->columns, rows, err);

	for (size_t i = 0; st == TDAT_OK && i < (size_t)rows->length; i++) {
		int rc = SQLITE_OK;

		for (size_t k = 0; !rc && k < t->columns.types.count; k++)
			rc = bind_value(t, k, i);
		if (rc)
			st = t->json.failed ? tdat_error_no_memory(err, "a table of the database")
					    : sqlite_failed(t->export, err);
		else
			st = step(t->export, t->insert, err);
	}
	return st;
}

static enum tdat_status sqlite_table_end(void *part, bool give_up, struct tdat_error *err)
{
	(void)give_up;
	(void)err;
	table_free(part);
	return TDAT_OK;
}

/* ---- the exporter ---- */

static void close_database(struct sqlite_export *x)
{
	x->lib.sqlite3_finalize(x->take_name);
	x->lib.sqlite3_finalize(x->next_number);
	x->lib.sqlite3_finalize(x->add_metadata);
	x->lib.sqlite3_close(x->db);
	free(x);
}

/* Refuses a database that has tables: its transaction is not protected by a journal. */
static enum tdat_status refuse_used(struct sqlite_export *x, const char *path,
				    struct tdat_error *err)
{
	sqlite3_stmt *s;
	enum tdat_status st = prepare(x, "SELECT 1 FROM sqlite_master LIMIT 1", &s, err);
	int rc;

	if (st != TDAT_OK)
		return st;
	rc = x->lib.sqlite3_step(s);
	if (rc == SQLITE_ROW)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "%s is a database that already has tables", path);
	else if (rc != SQLITE_DONE)
		st = sqlite_failed(x, err);
	x->lib.sqlite3_finalize(s);
	return st;
}

/*
 * Opens the database, makes it fast and unprotected, and starts the transaction of the whole
 * export.
 */
static enum tdat_status open_database(struct sqlite_export *x, const char *path,
				      struct tdat_error *err)
{
	const int rc = x->lib.sqlite3_open_v2(
		path, &x->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
		NULL);
	enum tdat_status st = TDAT_OK;

	if (rc && x->db)
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET, "cannot write %s: %s",
				      path, x->lib.sqlite3_errmsg(x->db));
	if (rc)
		return tdat_error_no_memory(err, "a table of the database");
	st = refuse_used(x, path, err);
	if (st == TDAT_OK)
		st = run(x,
			 "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
			 "PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY; "
			 "PRAGMA cache_size = -16384; BEGIN; "
			 "CREATE TABLE tdat_metadata (\"table\" TEXT NOT NULL, \"column\" TEXT, "
			 "\"key\" TEXT NOT NULL, \"value\" TEXT NOT NULL); "
			 /* Names of tables and indexes, found by a tree, not by reading all. */
			 "CREATE TEMP TABLE names (name TEXT PRIMARY KEY COLLATE NOCASE, "
			 "next INTEGER NOT NULL) WITHOUT ROWID; "
			 "INSERT INTO names VALUES ('tdat_metadata', 2)",
			 err);
	if (st == TDAT_OK)
		st = prepare(x, "INSERT OR IGNORE INTO temp.names VALUES (?, 2)", &x->take_name,
			     err);
	if (st == TDAT_OK)
		st = prepare(x,
			     "UPDATE temp.names SET next = next + 1 WHERE name = ? "
			     "RETURNING next - 1",
			     &x->next_number, err);
	if (st == TDAT_OK)
		st = prepare(x, "INSERT INTO tdat_metadata VALUES (?, ?, ?, ?)", &x->add_metadata,
			     err);
	return st;
}

static enum tdat_status sqlite_begin(void **state, const struct tdat_export_request *request,
				     struct tdat_build *head, struct tdat_error *err)
{
	const char *path = export_option(request, "path");
	struct sqlite_export *x;
	enum tdat_status st;

	(void)head;
	*state = NULL;
	if (!path || !*path)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "SQLite needs a file for its database: set the option path");
	x = calloc(1, sizeof(*x));
	if (!x)
		return tdat_error_no_memory(err, "a table of the database");
	st = sqlite_calls_load(&x->lib, err);
	if (st != TDAT_OK) {
		free(x);
		return st;
	}
	st = open_database(x, path, err);
	if (st == TDAT_OK)
		*state = x;
	else
		close_database(x);
	return st;
}

/* Ends an export. Without a tail it gives up, and the transaction is never committed. */
static enum tdat_status sqlite_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	struct sqlite_export *x = state;
	enum tdat_status st = tail ? run(x, "COMMIT", err) : TDAT_OK;

	close_database(x);
	return st;
}

static const struct tdat_keyed_option_desc sqlite_options[] = {
	{"path", "FILE", "the database, which must not contain tables"},
	{NULL, NULL, NULL},
};

static const struct tdat_columns_ops sqlite_columns = {
	.size = sizeof(struct tdat_columns_ops),
	.suffix = ".sqlite",
	.own_file = true,
	.table_begin = sqlite_table_begin,
	.batch = sqlite_batch,
	.table_end = sqlite_table_end,
};

const struct tdat_exporter export_sqlite = {
	.size = sizeof(struct tdat_exporter),
	.name = "sqlite",
	.summary = "an SQLite database with all tables",
	.kind = TDAT_EXPORT_TABLES,
	.options = sqlite_options,
	.begin = sqlite_begin,
	.columns = &sqlite_columns,
	.end = sqlite_end,
	.suffixes = ".sqlite .sqlite3 .db",
};
