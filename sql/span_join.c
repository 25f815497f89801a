/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the tables of CREATE VIRTUAL TABLE name USING SPAN_JOIN(a PARTITIONED c, b PARTITIONED c),
 * SPAN_LEFT_JOIN and SPAN_OUTER_JOIN: each moment of intervals of a and b, cut where either of them
 * begins or ends. Both are read side by side (span_pieces.c), so that
 * no more than a row of each is kept. A side without PARTITIONED meets each partition of the other.
 */
#include "span_join.h"

#include <stdlib.h>
#include <string.h>

/* A module, by the kind of join. */
struct join_module {
	struct sql_queries *q;
	enum join_kind kind;
};

/* ---- the definition ---- */

static void def_fini(struct join_def *d)
{
	sqlite3_free(d->table);
	sqlite3_free(d->partition);
	for (size_t i = 0; i < d->count; i++)
		sqlite3_free(d->columns[i]);
	free(d->columns);
}

static void join_free(struct join_table *t)
{
	def_fini(&t->sides[0]);
	def_fini(&t->sides[1]);
	sqlite3_free(t->partition);
	free(t);
}

/* Reads "table [PARTITIONED column]". */
static bool read_def(struct join_def *d, const char *text)
{
	const char *end = text + strlen(text);
	struct sql_token t = sql_token_skip(text, end);

	if (!sql_token_name(t, &d->table))
		return false;
	t = sql_token_skip(sql_token_end(t), end);
	if (t.kind == SQL_END)
		return true;
	return sql_token_is(t, "PARTITIONED") &&
	       sql_token_name(sql_token_skip(sql_token_end(t), end), &d->partition);
}

/* Asks SQLite for the columns of a side; ts and dur must be there. */
static int read_columns(struct sql_queries *q, struct join_def *d, char **message)
{
	char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", d->table);
	sqlite3_stmt *stmt = NULL;
	bool ts = false, dur = false, partition = !d->partition;
	int rc = sql ? sqlite3_prepare_v2(q->db, sql, -1, &stmt, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	if (rc != SQLITE_OK) {
		*message = sqlite3_mprintf("%s", sqlite3_errmsg(q->db));
		return rc;
	}
	d->columns = calloc((size_t)sqlite3_column_count(stmt) + 1, sizeof(*d->columns));
	for (int i = 0; d->columns && i < sqlite3_column_count(stmt); i++) {
		const char *name = sqlite3_column_name(stmt, i);

		if (!sqlite3_stricmp(name, "ts"))
			ts = true;
		else if (!sqlite3_stricmp(name, "dur"))
			dur = true;
		else if (d->partition && !sqlite3_stricmp(name, d->partition))
			partition = true;
		else if ((d->columns[d->count] = sqlite3_mprintf("%s", name)))
			d->count++;
	}
	sqlite3_finalize(stmt);
	if (!d->columns)
		return SQLITE_NOMEM;
	if (ts && dur && partition)
		return SQLITE_OK;
	*message = sqlite3_mprintf("the table %s of a SPAN_JOIN has no column %s", d->table,
				   !ts	  ? "ts"
				   : !dur ? "dur"
					  : d->partition);
	return SQLITE_ERROR;
}

/* ts, dur, the partition, and the columns of both. */
static int declare(sqlite3 *db, struct join_table *t)
{
	struct tdat_build sql;
	char *column;
	int rc = SQLITE_NOMEM;

	tdat_build_init(&sql, false);
	tdat_build_str(&sql, "CREATE TABLE t (ts INTEGER, dur INTEGER");
	for (size_t s = 0; s < 2; s++) {
		const struct join_def *d = &t->sides[s];
		const bool partition = !s && t->partition;

		for (size_t i = 0; i < d->count + partition; i++) {
			column = sqlite3_mprintf(", \"%w\"", partition && !i
								     ? t->partition
								     : d->columns[i - partition]);
			tdat_build_str(&sql, column ? column : "");
			sqlite3_free(column);
		}
	}
	tdat_build_cstr(&sql, ")");
	if (!sql.failed) {
		t->q->trace->declaring = true;
		rc = sqlite3_declare_vtab(db, (const char *)sql.ptr);
		t->q->trace->declaring = false;
	}
	tdat_build_fini(&sql);
	return rc;
}

/* argv: module, database, table, and the two arguments. */
static int join_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
			sqlite3_vtab **out, char **message)
{
	const struct join_module *m = aux;
	struct join_table *t = calloc(1, sizeof(*t));
	int rc = SQLITE_OK;

	if (!t)
		return SQLITE_NOMEM;
	t->q = m->q;
	t->kind = m->kind;
	if (argc != 5 || !read_def(&t->sides[0], argv[3]) || !read_def(&t->sides[1], argv[4])) {
		*message = sqlite3_mprintf("%s needs two tables: a PARTITIONED c, b PARTITIONED c",
					   argv[0]);
		rc = SQLITE_ERROR;
	}
	for (size_t i = 0; rc == SQLITE_OK && i < 2; i++)
		rc = read_columns(t->q, &t->sides[i], message);
	if (rc == SQLITE_OK && t->sides[0].partition && t->sides[1].partition &&
	    sqlite3_stricmp(t->sides[0].partition, t->sides[1].partition)) {
		*message = sqlite3_mprintf("both tables of a SPAN_JOIN need the same partition");
		rc = SQLITE_ERROR;
	}
	if (rc == SQLITE_OK && (t->sides[0].partition || t->sides[1].partition))
		t->partition = sqlite3_mprintf("%s", t->sides[0].partition ? t->sides[0].partition
									   : t->sides[1].partition);
	if (rc == SQLITE_OK && (rc = declare(db, t)) != SQLITE_OK)
		*message = sqlite3_mprintf("SPAN_JOIN: %s", sqlite3_errmsg(db));
	if (rc != SQLITE_OK)
		join_free(t);
	else
		*out = &t->base;
	return rc;
}

static int join_disconnect(sqlite3_vtab *base)
{
	join_free((struct join_table *)(void *)base);
	return SQLITE_OK;
}

/* All is read: conditions are SQLite's. */
static int join_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	(void)base;
	info->estimatedCost = 1e7;
	info->estimatedRows = 1000000;
	return SQLITE_OK;
}

static int join_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
	struct join_cursor *c = calloc(1, sizeof(*c));

	(void)base;
	if (!c)
		return SQLITE_NOMEM;
	*out = &c->base;
	return SQLITE_OK;
}

static int join_close(sqlite3_vtab_cursor *base)
{
	struct join_cursor *c = (struct join_cursor *)(void *)base;

	sqlite3_finalize(c->sides[0].stmt);
	sqlite3_finalize(c->sides[1].stmt);
	free(c);
	return SQLITE_OK;
}

static int join_filter(sqlite3_vtab_cursor *base, int number, const char *text, int count,
		       sqlite3_value **values)
{
	struct join_cursor *c = (struct join_cursor *)(void *)base;
	struct join_table *t = (struct join_table *)(void *)base->pVtab;
	int rc = SQLITE_OK;

	(void)number;
	(void)text;
	(void)count;
	(void)values;
	c->in_partition = c->shown = c->ended = false;
	c->number = -1;
	for (size_t s = 0; rc == SQLITE_OK && s < 2; s++)
		rc = span_start(t, c, s);
	return rc == SQLITE_OK ? span_next(base) : rc;
}

static int join_eof(sqlite3_vtab_cursor *base)
{
	return ((struct join_cursor *)(void *)base)->ended;
}

static int join_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
	const struct join_cursor *c = (struct join_cursor *)(void *)base;
	const struct join_table *t = (struct join_table *)(void *)base->pVtab;
	const struct join_side *a = &c->sides[0], *b = &c->sides[1];
	const int64_t from = a->ts > b->ts ? a->ts : b->ts,
		      until = a->end < b->end ? a->end : b->end;
	int at = column - 2 - !!t->partition;

	if (column == 0)
		sqlite3_result_int64(to, from);
	else if (column == 1)
		sqlite3_result_int64(to, a->is_open || b->is_open ? -1 : until - from);
	else if (at < 0)
		sqlite3_result_int64(to, c->partition);
	else
		for (size_t s = 0; s < 2; at -= (int)t->sides[s++].count)
			if (at >= 0 && at < (int)t->sides[s].count && c->sides[s].kind == PIECE_ROW)
				sqlite3_result_value(
					to, sqlite3_column_value(c->sides[s].stmt, at + 3));
	return SQLITE_OK;
}

static int join_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	*out = ((struct join_cursor *)(void *)base)->number;
	return SQLITE_OK;
}

static const sqlite3_module join_module_calls = {
	.iVersion = 1,
	.xCreate = join_connect,
	.xConnect = join_connect,
	.xBestIndex = join_best_index,
	.xDisconnect = join_disconnect,
	.xDestroy = join_disconnect,
	.xOpen = join_open,
	.xClose = join_close,
	.xFilter = join_filter,
	.xNext = span_next,
	.xEof = join_eof,
	.xColumn = join_column,
	.xRowid = join_rowid,
};

int sql_span_join_register(struct sql_queries *q)
{
	static const char *const names[] = {"span_join", "span_left_join", "span_outer_join"};
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < 3; i++) {
		struct join_module *m = malloc(sizeof(*m));

		if (!m)
			return SQLITE_NOMEM;
		*m = (struct join_module){q, (enum join_kind)i};
		/* A failure frees m. */
		rc = sqlite3_create_module_v2(q->db, names[i], &join_module_calls, m, free);
	}
	return rc;
}
