/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a trace for queries, runs statements and prints their rows. It makes a trace and its
 * database (sql/), runs statements one by one and passes rows to cli/output/result.c. A query can
 * be interrupted, and shows its progress. The connection can only read.
 */
#include "commands/sql_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/damage.h"
#include "tables/table_list.h"
#include "terminal/message.h"

/* ---- opening ---- */

/* The first damage is reported, and makes the exit status of all later statements 1. */
static void take_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	struct cli_sql *s = ctx;

	/* A query that reads a table twice meets the same damage twice, which is reported once. */
	if (!count || s->damage_reported)
		return;
	cli_progress_clear(&s->progress);
	s->status = cli_damage_all(s->inputs, damage, count);
	s->damage_reported = true;
}

/* A join may read a table for each row of another one: what is said of it is said once. */
static bool is_new(struct cli_sql *s, const struct tdat_table *table, const char *what)
{
	for (size_t i = 0; i < s->note_count; i++)
		if (s->notes[i].table == table && !strcmp(s->notes[i].what, what))
			return false;
	if (s->note_count < CLI_SQL_NOTES)
		s->notes[s->note_count++] = (struct cli_sql_note){table, what};
	cli_progress_clear(&s->progress);
	return true;
}

static void take_note(void *ctx, const struct tdat_table *table, const char *what, uint64_t count)
{
	if (is_new(ctx, table, what))
		cli_left_out(table->name, count, what);
}

/* A table without rows may need events that the trace lacks: the answer is none then. */
static void take_empty(void *ctx, const struct tdat_table *table)
{
	struct cli_sql *s = ctx;

	if (table->about.needs && is_new(s, table, table->about.needs) &&
	    cli_table_lacks(table->name, &table->about, s->inputs, s->input_count, NULL))
		s->status = CLI_FAILED;
}

/* Asked by SQLite and by the readers of tables. */
static bool is_interrupted(void *ctx)
{
	const struct cli_sql *s = ctx;

	return s->interrupted && *s->interrupted;
}

/* SQLite calls it every 65,536 instructions of a query. Not 0 ends the query. */
static int show_progress(void *ctx)
{
	struct cli_sql *s = ctx;

	cli_progress_update(&s->progress, sql_trace_rows(s->tables), 0, "rows");
	return is_interrupted(s);
}

/* A failure while rows are read; a mistake in the text is found by complain(). */
static int sqlite_failed(const struct cli_sql *s)
{
	cli_error(NULL, "SQL: %s", s->db ? sqlite3_errmsg(s->db) : "no memory");
	return CLI_FAILED;
}

/* Opens the database in memory; files are used for sorting only. */
static int open_database(struct cli_sql *s)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	/*
	 * Up to 64 MiB of what is sorted stay in memory. The rest goes to files without a name, or
	 * stays in memory where no file can be made.
	 */
	const bool to_files =
		sqlite3_temp_directory && !access(sqlite3_temp_directory, W_OK | X_OK);

	if (sql_open(s->tables,
		     to_files ? "PRAGMA temp_store = FILE; PRAGMA cache_size = -65536"
			      : "PRAGMA temp_store = MEMORY",
		     &s->db, &s->queries, &err))
		return cli_fail(NULL, &err);
	sqlite3_progress_handler(s->db, 1 << 16, show_progress, s);
	return CLI_OK;
}

/* Parses the files within the sandbox, and makes trace, tables and database. */
int cli_sql_open(struct cli_sql *s, const struct cli_sql_def *def)
{
	struct tdat_trace_opts opts = TDAT_TRACE_OPTS_INIT;
	struct sql_trace_def tables = {.damage = take_damage,
				       .note = take_note,
				       .empty = take_empty,
				       .is_cancelled = is_interrupted,
				       .ctx = s,
				       .raw_ts = def->raw_ts,
				       .no_date = def->no_date,
				       .perfetto = def->perfetto,
				       .plain = def->plain};
	struct tdat_error err = TDAT_ERROR_INIT;
	int rc;

	cli_progress_init(&s->progress, "reading");
	rc = cli_files_parse_all(&s->files, def->limits, &s->inputs, &s->input_count, &s->status);
	if (rc != CLI_OK)
		return rc;
	opts.raw_ts = def->raw_ts;
	opts.no_date = def->no_date;
	if (tdat_trace_new(&s->trace, s->inputs, s->input_count, &opts, &err))
		return cli_fail(NULL, &err);
	tables.trace = s->trace;
	tables.inputs = s->inputs;
	tables.input_count = s->input_count;
	if (sql_trace_new(&s->tables, &tables, &err))
		return cli_fail(NULL, &err);
	return open_database(s);
}

/*
 * Frees everything, also of a session that failed to open. SQLite's connection uses the tables
 * until it is closed.
 */
void cli_sql_close(struct cli_sql *s)
{
	sql_close(s->db, s->queries);
	sqlite3_free(sqlite3_temp_directory);
	sqlite3_temp_directory = NULL;
	sql_trace_put(s->tables);
	tdat_trace_free(s->trace);
	cli_files_free_inputs(s->inputs, s->input_count);
	cli_files_close(&s->files);
}

/* ---- statements ---- */

/* Values point into the statement: they are valid until its next step. */
static void take_value(struct cli_value *v, sqlite3_stmt *stmt, int i)
{
	*v = (struct cli_value){.kind = CLI_V_NULL};
	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_INTEGER:
		v->kind = CLI_V_INT;
		v->number = sqlite3_column_int64(stmt, i);
		break;
	case SQLITE_FLOAT:
		v->kind = CLI_V_REAL;
		v->real = sqlite3_column_double(stmt, i);
		break;
	case SQLITE_TEXT:
		v->kind = CLI_V_TEXT;
		v->bytes = sqlite3_column_text(stmt, i);
		v->len = v->bytes ? (size_t)sqlite3_column_bytes(stmt, i) : 0;
		break;
	case SQLITE_BLOB:
		v->kind = CLI_V_BYTES;
		v->bytes = sqlite3_column_blob(stmt, i);
		v->len = v->bytes ? (size_t)sqlite3_column_bytes(stmt, i) : 0;
		break;
	default:
		break;
	}
}

/* Prints all rows of a statement; names and values have room for all columns. */
static int print_rows(struct cli_sql *s, sqlite3_stmt *stmt, const char **names,
		      struct cli_value *values, size_t columns)
{
	struct cli_result *result;
	/* A query that fails before its first row prints nothing. */
	int rc = sqlite3_step(stmt);
	bool ok = true;

	if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
		cli_progress_clear(&s->progress);
		return sqlite_failed(s);
	}
	for (size_t i = 0; i < columns; i++) {
		names[i] = sqlite3_column_name(stmt, (int)i);
		names[i] = names[i] ? names[i] : "";
	}
	result = cli_result_new(s->form, names, columns);
	if (!result)
		return cli_nomem();
	/* A closed pipe ends the query: nobody reads its rows. */
	for (; ok && !ferror(stdout) && rc == SQLITE_ROW; rc = sqlite3_step(stmt)) {
		for (size_t i = 0; i < columns; i++)
			take_value(&values[i], stmt, (int)i);
		ok = cli_result_row(result, values);
	}
	cli_progress_clear(&s->progress);
	ok = cli_result_end(result) && ok;
	if (!ok)
		return cli_nomem();
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? CLI_OK : sqlite_failed(s);
}

/* A statement without columns has no rows to print, and is run anyway. */
static int run_statement(struct cli_sql *s, sqlite3_stmt *stmt)
{
	const size_t columns = (size_t)sqlite3_column_count(stmt);
	const char **names = calloc(columns + 1, sizeof(*names));
	struct cli_value *values = calloc(columns + 1, sizeof(*values));
	int rc = CLI_OK;

	if (!names || !values)
		rc = cli_nomem();
	else if (columns)
		rc = print_rows(s, stmt, names, values, columns);
	else if (sqlite3_step(stmt) != SQLITE_DONE)
		rc = sqlite_failed(s);
	free(names);
	free(values);
	return rc;
}

void cli_sql_near_table(const struct cli_sql *s, struct tdat_near *near)
{
	size_t count;
	const struct sql_name *names = sql_trace_names(s->tables, &count);

	for (size_t i = 0; i < count; i++)
		tdat_near_try(near, names[i].name);
	for (const char *const *view = sql_views(); *view; view++)
		tdat_near_try(near, *view);
}

void cli_sql_columns(const struct cli_sql *s, const char *text,
		     bool (*fn)(void *ctx, const char *column), void *ctx)
{
	size_t count;
	const struct sql_name *names = sql_trace_names(s->tables, &count);
	sqlite3_stmt *stmt;
	bool more = true;

	if (sqlite3_prepare_v2(s->db, "SELECT name FROM pragma_table_xinfo(?)", -1, &stmt, NULL))
		return;
	for (size_t i = 0; i < count && more; i++) {
		if (!strstr(text, names[i].name))
			continue;
		sqlite3_bind_text(stmt, 1, names[i].name, -1, SQLITE_STATIC);
		while (more && sqlite3_step(stmt) == SQLITE_ROW)
			more = fn(ctx, (const char *)sqlite3_column_text(stmt, 0));
		sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
}

static bool offer_column(void *near, const char *column)
{
	tdat_near_try(near, column);
	return true;
}

/* The name that SQLite does not know ends its message: "no such column: t.prev_pdi". */
static const char *hint(const struct cli_sql *s, struct tdat_near *near, const char *message,
			const char *statement)
{
	static const char *const table = "no such table: ", *const column = "no such column: ";

	if (!strncmp(message, table, strlen(table))) {
		near->word = message + strlen(table);
		cli_sql_near_table(s, near);
	} else if (!strncmp(message, column, strlen(column))) {
		const char *dot = strrchr(message, '.');

		near->word = dot ? dot + 1 : message + strlen(column);
		cli_sql_columns(s, statement, offer_column, near);
	}
	return tdat_near_hint(near, "");
}

/* Reports what is wrong with a statement, and at which byte of the whole text, counted from 1. */
static int complain(const struct cli_sql *s, const char *text, const char *statement)
{
	const int at = sql_prepare_offset(s->queries);
	char *message = sqlite3_mprintf("%s", sql_prepare_message(s->queries));
	char *more = sql_prepare_hint(s->queries);
	struct tdat_near near = {.word = ""};

	if (!message)
		return cli_nomem();
	/* A hint makes queries of its own: it comes after all that the database knows. */
	if (more)
		cli_error(NULL, "SQL: %s%s", message, more);
	else if (sqlite3_errcode(s->db) == SQLITE_AUTH)
		cli_error(NULL, "SQL: %s: queries can only read", message);
	else if (at >= 0)
		cli_error(NULL, "SQL: %s, at byte %zu of the query%s", message,
			  (size_t)(statement - text) + (size_t)at + 1,
			  hint(s, &near, message, statement));
	else
		cli_error(NULL, "SQL: %s%s", message, hint(s, &near, message, statement));
	sqlite3_free(message);
	sqlite3_free(more);
	return CLI_USAGE;
}

/*
 * Runs all statements of a text, until one fails. Returns the exit status, which stays 1 after
 * damage.
 */
int cli_sql_run(struct cli_sql *s, const char *text)
{
	const char *statement = text, *rest = text;
	int rc = CLI_OK;

	while (rc == CLI_OK && *statement) {
		sqlite3_stmt *stmt = NULL;

		cli_progress_init(&s->progress, "reading");
		if (sql_prepare(s->queries, statement, &stmt, &rest))
			return complain(s, text, statement);
		if (sql_prepare_note(s->queries))
			cli_error(NULL,
				  "%s: tdat's own table has no rows in this trace; this is "
				  "Perfetto's table, as with --perfetto",
				  sql_prepare_note(s->queries));
		/* Blanks and comments alone make no statement. */
		if (stmt)
			rc = run_statement(s, stmt);
		sqlite3_finalize(stmt);
		statement = rest;
	}
	if (cli_undescribed_all(s->inputs, s->input_count) != CLI_OK)
		s->status = CLI_FAILED;
	return rc == CLI_OK ? s->status : rc;
}
