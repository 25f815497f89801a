/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prepares statements of users, in SQL and in PerfettoSQL. A statement that makes something runs
 * here; any other one is handed to SQLite once its macros are replaced and all objects that it
 * names are made. tdat and Perfetto both have tables sched, thread_state, slice and counter: a
 * statement that names something that only Perfetto has, or else fails, gets Perfetto's.
 */
#include "queries.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int sql_refuse(struct sql_queries *q, const char *fmt, ...)
{
	va_list ap;

	sqlite3_free(q->message);
	va_start(ap, fmt);
	q->message = sqlite3_vmprintf(fmt, ap);
	va_end(ap);
	return q->message ? SQLITE_ERROR : SQLITE_NOMEM;
}

int sql_run_own(struct sql_queries *q, char *sql)
{
	const unsigned int was = q->trace->making;
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (!sql)
		return SQLITE_NOMEM;
	q->trace->making = was + 1;
	do {
		sqlite3_finalize(stmt);
		rc = sql_prepare_made(q, sql, strlen(sql), &stmt);
		while (rc == SQLITE_OK || rc == SQLITE_ROW)
			rc = sqlite3_step(stmt);
		/* A virtual table asks for others when it is made. */
	} while (rc == SQLITE_ERROR && sql_make_missing(q));
	if (rc == SQLITE_DONE)
		rc = SQLITE_OK;
	/* What SQLite says of it is gone with the next statement. */
	if (rc != SQLITE_OK && !q->message) {
		char *more = sql_explain(sqlite3_errmsg(q->db));

		sql_refuse(q, "%s%s", sqlite3_errmsg(q->db), more ? more : "");
		sqlite3_free(more);
	}
	sqlite3_finalize(stmt);
	q->trace->making = was;
	sqlite3_free(sql);
	return rc;
}

/* The end of the first statement of a text, before its semicolon. */
static const char *statement_end(const char *text, const char *end)
{
	struct sql_token t = sql_token_at(text, end);

	while (t.kind != SQL_END && !sql_token_is(t, ";"))
		t = sql_token_at(sql_token_end(t), end);
	return t.p;
}

/* Makes what a statement names, and hands it to SQLite. */
static int prepare_as(struct sql_queries *q, const char *text, size_t len, bool perfetto,
		      sqlite3_stmt **stmt)
{
	int rc = sql_shape(q, perfetto);

	if (rc == SQLITE_OK)
		rc = sql_prepare_made(q, text, len, stmt);
	if (rc == SQLITE_OK)
		sql_fold_query(q, text, len, stmt);
	return rc;
}

/* True: the other shape may have the name that SQLite did not find. */
static bool is_missing(const struct sql_queries *q)
{
	const char *message = sqlite3_errmsg(q->db);

	return !q->message &&
	       (!strncmp(message, "no such column", 14) || !strncmp(message, "no such table", 13));
}

/* Prepares a query in the shape that its names ask for, else in the other one. */
static int prepare_query(struct sql_queries *q, const char *text, size_t len, sqlite3_stmt **stmt)
{
	const bool wanted = q->always || sql_is_perfetto(q, text, text + len) ||
			    sql_is_left_to_perfetto(q, text, text + len);
	int rc = prepare_as(q, text, len, wanted, stmt);

	if (rc != SQLITE_ERROR || !is_missing(q))
		return rc;
	if (prepare_as(q, text, len, !wanted, stmt) == SQLITE_OK)
		return SQLITE_OK;
	/* The message is that of the first try. */
	sqlite3_free(q->message);
	q->message = NULL;
	return prepare_as(q, text, len, wanted, stmt);
}

int sql_prepare(struct sql_queries *q, const char *text, sqlite3_stmt **stmt, const char **tail)
{
	const char *end = text + strlen(text), *stop = statement_end(text, end);
	struct tdat_build expanded;
	bool done = false;
	int rc;

	*stmt = NULL;
	*tail = stop + (*stop == ';');
	sqlite3_free(q->message);
	q->message = NULL;
	q->rewritten = false;
	q->note = NULL;
	if (stop - text > SQL_EXPANDED_MOST)
		return sql_refuse(q, "a statement has more than %d bytes", SQL_EXPANDED_MOST);
	rc = sql_make(q, text, stop, &done);
	if (rc != SQLITE_OK || done)
		return rc;
	tdat_build_init(&expanded, false);
	rc = sql_macros_expand(q, text, stop, &expanded);
	if (rc == SQLITE_OK && expanded.failed)
		rc = SQLITE_NOMEM;
	q->rewritten = expanded.len != (size_t)(stop - text) ||
		       (expanded.len && memcmp(expanded.ptr, text, expanded.len) != 0);
	if (rc == SQLITE_OK && expanded.len)
		rc = prepare_query(q, (const char *)expanded.ptr, expanded.len, stmt);
	tdat_build_fini(&expanded);
	return rc;
}

int sql_need(struct sql_queries *q, const char *name)
{
	const int rc = sql_shape(q, q->always);

	return rc == SQLITE_OK ? sql_objects_need(q, name, name + strlen(name)) : rc;
}

const char *sql_prepare_message(const struct sql_queries *q)
{
	return q->message ? q->message : sqlite3_errmsg(q->db);
}

const char *sql_prepare_note(const struct sql_queries *q)
{
	return q->note;
}

char *sql_prepare_hint(const struct sql_queries *q)
{
	return q->message ? NULL : sql_explain(sqlite3_errmsg(q->db));
}

int sql_prepare_offset(const struct sql_queries *q)
{
	return q->message || q->rewritten ? -1 : sqlite3_error_offset(q->db);
}

/* ---- the connection ---- */

int sql_queries_new(struct sql_queries **out, struct sql_trace *t, sqlite3 *db)
{
	struct sql_queries *q = calloc(1, sizeof(*q));
	int rc;

	*out = q;
	if (!q)
		return SQLITE_NOMEM;
	q->db = db;
	q->trace = t;
	q->always = t->def.perfetto;
	rc = sql_objects_read(q);
	if (rc == SQLITE_OK)
		rc = sql_span_join_register(q);
	if (rc == SQLITE_OK)
		rc = sql_nest_register(db);
	return rc == SQLITE_OK ? sql_calls_register(db) : rc;
}

void sql_close(sqlite3 *db, struct sql_queries *q)
{
	if (q)
		sql_functions_end(q);
	sqlite3_close(db);
	if (!q)
		return;
	sql_objects_free(q);
	sql_macros_free(q);
	sqlite3_free(q->message);
	free(q);
}
