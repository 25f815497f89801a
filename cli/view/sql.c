/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a query of the page in SQLite, within bounds of time and memory. Queries run on one
 * read-only connection with everything in memory, one at a time. A progress callback ends a query
 * when its time is over or nobody waits for it any more.
 */
#include "view/sql.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/sql.h"

enum {
	SECONDS_MOST = 30,
	HEAP_MOST = 96 << 20, /* all that SQLite holds: the server has 256 MiB */
	VALUE_MOST = 4 << 20,
	STEPS = 1 << 14, /* instructions of SQLite between two looks at the clock */
	LOOK_MS = 50,	 /* between two looks at who asks */
	NOTES_MOST = 8,
	NOTE_LEN = 300
};

struct cli_view_sql {
	pthread_mutex_t lock;
	struct sql_trace *tables;
	sqlite3 *db;
	struct sql_queries *queries;
	bool stop;
	/*
	 * The query that runs: who asks, when the client was last checked, and when it is given up.
	 */
	const struct view_asker *asker;
	bool gone;
	int64_t looked_ms, end_ms;
	/* Damage that the running query met, each sentence once. */
	char notes[NOTES_MOST][NOTE_LEN];
	size_t note_count;
};

/*
 * True if the query is to end. Only the thread that runs the query calls it: it notes the time of
 * its last check.
 */
static bool is_cancelled(void *ctx)
{
	struct cli_view_sql *s = ctx;
	const int64_t now = view_now_ms();

	if (s->asker && !s->gone && now - s->looked_ms >= LOOK_MS) {
		s->looked_ms = now;
		s->gone = s->asker->is_gone(s->asker->ctx);
	}
	return s->gone || now > s->end_ms || __atomic_load_n(&s->stop, __ATOMIC_RELAXED);
}

static int on_progress(void *ctx)
{
	return is_cancelled(ctx);
}

/* ---- what was not read ---- */

/* Notes beyond NOTES_MOST are dropped: they are shown under the result. */
static void add_note(struct cli_view_sql *s, const char *text)
{
	for (size_t i = 0; i < s->note_count; i++)
		if (!strcmp(s->notes[i], text))
			return;
	if (s->note_count < NOTES_MOST)
		snprintf(s->notes[s->note_count++], NOTE_LEN, "%s", text);
}

static void take_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char text[NOTE_LEN];

		snprintf(text, sizeof(text), "damage of CPU %u: offset %llu: %.200s", damage[i].cpu,
			 (unsigned long long)damage[i].off, damage[i].message);
		add_note(ctx, text);
	}
}

static void take_note(void *ctx, const struct tdat_table *table, const char *what, uint64_t count)
{
	char text[NOTE_LEN];

	snprintf(text, sizeof(text), "%.60s: omitted %llu times: %.150s", table->name,
		 (unsigned long long)count, what);
	add_note(ctx, text);
}

static void put_notes(const struct cli_view_sql *s, struct tdat_json *j)
{
	tdat_json_array(j, "notes");
	for (size_t i = 0; i < s->note_count; i++)
		tdat_json_str(j, NULL, s->notes[i]);
	tdat_json_array_end(j);
}

/* ---- rows ---- */

static void put_value(struct tdat_json *j, sqlite3_stmt *stmt, int i)
{
	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_INTEGER:
		view_json_exact_i64(j, NULL, sqlite3_column_int64(stmt, i));
		break;
	case SQLITE_FLOAT:
		view_json_real(j, NULL, sqlite3_column_double(stmt, i));
		break;
	case SQLITE_TEXT: {
		const void *text = sqlite3_column_text(stmt, i);

		tdat_json_strn(j, NULL, text ? text : "",
			       text ? (size_t)sqlite3_column_bytes(stmt, i) : 0);
		break;
	}
	case SQLITE_BLOB: {
		const void *blob = sqlite3_column_blob(stmt, i);

		tdat_json_object(j, NULL);
		tdat_json_hex(j, "hex", blob, blob ? (size_t)sqlite3_column_bytes(stmt, i) : 0);
		tdat_json_object_end(j);
		break;
	}
	default:
		tdat_json_null(j, NULL);
		break;
	}
}

/*
 * Finds why a query ended: memory, the end of the program, its client, its time, or a mistake in
 * it.
 */
static enum tdat_status failed(struct cli_view_sql *s, int rc, struct tdat_error *err)
{
	if (rc == SQLITE_NOMEM)
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
				      "SQL: the query needs more than %d MiB", HEAP_MOST >> 20);
	if (__atomic_load_n(&s->stop, __ATOMIC_RELAXED))
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
				      "SQL: the query was canceled because tdat view ends");
	if (s->gone)
		return tdat_error_set(
			err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
			"SQL: the query was canceled because the client disconnected");
	if (is_cancelled(s))
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
				      "SQL: the query was canceled after %d s", SECONDS_MOST);
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "SQL: %.400s",
			      sql_prepare_message(s->queries));
}

/* "more" tells that rows were left out, by the limit or by the size of the answer. */
static enum tdat_status put_rows(struct cli_view_sql *s, sqlite3_stmt *stmt, uint64_t limit,
				 struct tdat_json *j, struct tdat_error *err)
{
	const int columns = sqlite3_column_count(stmt);
	uint64_t count = 0;
	int rc;

	tdat_json_array(j, "columns");
	for (int i = 0; i < columns; i++) {
		const char *name = sqlite3_column_name(stmt, i);

		tdat_json_str(j, NULL, name ? name : "");
	}
	tdat_json_array_end(j);
	tdat_json_array(j, "rows");
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW && count++ < limit &&
	       j->out->len <= VIEW_SQL_LEN) {
		tdat_json_array(j, NULL);
		for (int i = 0; i < columns; i++)
			put_value(j, stmt, i);
		tdat_json_array_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_bool(j, "more", rc == SQLITE_ROW);
	put_notes(s, j);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? TDAT_OK : failed(s, rc, err);
}

/* Prepares one statement, behind which only a comment may follow. */
static enum tdat_status prepare(struct cli_view_sql *s, const char *query, sqlite3_stmt **out,
				struct tdat_error *err)
{
	sqlite3_stmt *next = NULL;
	const char *rest = query;
	int rc = SQLITE_OK;

	/* Statements that make something may come before. */
	while (rc == SQLITE_OK && !*out && *rest)
		rc = sql_prepare(s->queries, rest, out, &rest);
	if (rc)
		return failed(s, rc, err);
	rc = sql_prepare(s->queries, rest, &next, &rest);
	sqlite3_finalize(next);
	if (*out && !next && !rc)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "SQL: a query is one statement, this is %s", *out ? "more" : "none");
}

/* Called by the API on the thread of a connection; the lock lets one query run at a time. */
static enum tdat_status answer(void *ctx, const char *query, uint64_t limit,
			       const struct view_asker *asker, struct tdat_json *j,
			       struct tdat_error *err)
{
	struct cli_view_sql *s = ctx;
	sqlite3_stmt *stmt = NULL;
	enum tdat_status st;

	pthread_mutex_lock(&s->lock);
	s->asker = asker;
	s->gone = false;
	s->looked_ms = 0;
	s->end_ms = view_now_ms() + SECONDS_MOST * 1000;
	s->note_count = 0;
	/* The client may have gone while this query waited for others. */
	st = is_cancelled(s) ? failed(s, SQLITE_INTERRUPT, err) : prepare(s, query, &stmt, err);
	if (st == TDAT_OK)
		st = put_rows(s, stmt, limit, j, err);
	sqlite3_finalize(stmt);
	s->asker = NULL;
	pthread_mutex_unlock(&s->lock);
	return st;
}

/* ---- the database ---- */

void cli_view_sql_prepare(void)
{
	if (sqlite3_initialize() == SQLITE_OK)
		sqlite3_randomness(0, NULL);
}

static enum tdat_status open_database(struct cli_view_sql *s, struct tdat_error *err)
{
	/* Sorting stays in memory, because the sandbox allows no file for it. */
	const enum tdat_status st =
		sql_open(s->tables, "PRAGMA temp_store = MEMORY", &s->db, &s->queries, err);

	if (st != TDAT_OK)
		return st;
	sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, VALUE_MOST);
	/* The bound is that of the whole process: SQLite is used for nothing else here. */
	sqlite3_hard_heap_limit64(HEAP_MOST);
	sqlite3_progress_handler(s->db, STEPS, on_progress, s);
	return TDAT_OK;
}

/* The API gets the function for questions; without SQLite it has none (sql_absent.c). */
enum tdat_status cli_view_sql_new(struct cli_view_sql **out, struct view_api *api,
				  const struct view_trace *trace, struct tdat_error *err)
{
	struct cli_view_sql *s = calloc(1, sizeof(*s));
	const struct sql_trace_def def = {.trace = trace->tables,
					  .inputs = trace->inputs,
					  .input_count = trace->input_count,
					  .damage = take_damage,
					  .note = take_note,
					  .is_cancelled = is_cancelled,
					  .ctx = s};
	enum tdat_status st;

	*out = s;
	if (!s)
		return tdat_error_no_memory(err, "queries");
	pthread_mutex_init(&s->lock, NULL);
	s->end_ms = view_now_ms() + SECONDS_MOST * 1000;
	st = sql_trace_new(&s->tables, &def, err);
	if (st == TDAT_OK)
		st = open_database(s, err);
	if (st == TDAT_OK)
		view_api_set_sql(api, answer, s);
	return st;
}

/* Ends the running query; called before the server waits for its answers. */
void cli_view_sql_stop(struct cli_view_sql *s)
{
	if (s)
		__atomic_store_n(&s->stop, true, __ATOMIC_RELAXED);
}

void cli_view_sql_free(struct cli_view_sql *s)
{
	if (!s)
		return;
	sql_close(s->db, s->queries);
	if (s->tables)
		sql_trace_put(s->tables);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
