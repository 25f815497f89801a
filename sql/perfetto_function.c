/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes functions of statements: CREATE PERFETTO FUNCTION name(param TYPE, ...) RETURNS TYPE, or
 * TABLE(...), AS SELECT. A function of a value runs its statement with $param bound, and returns
 * the first column of the first row. A function of a table is a virtual table whose hidden columns
 * are the parameters. A function that calls itself gets a statement more for each call.
 */
#include <stdlib.h>
#include <string.h>

#include "queries.h"

/* Belongs to the connection, which frees it when it closes or the function is replaced. */
struct sql_function {
	struct sql_queries *q;
	struct sql_function *next;
	char *name, *body;
	struct sql_columns params, columns;
	bool is_table;
	sqlite3_stmt *stmt; /* kept for the next call; NULL: in use, or not prepared */
	unsigned int depth;
};

struct function_table {
	sqlite3_vtab base;
	struct sql_function *f;
};

struct function_cursor {
	sqlite3_vtab_cursor base;
	sqlite3_stmt *stmt;
	bool ended;
	int64_t number;
};

/* ---- statements ---- */

/* Takes the statement of a function, or prepares another one. The call ends with give_back(). */
static int take(struct sql_function *f, sqlite3_stmt **stmt)
{
	*stmt = f->stmt;
	f->stmt = NULL;
	return *stmt ? SQLITE_OK : sqlite3_prepare_v2(f->q->db, f->body, -1, stmt, NULL);
}

static void give_back(struct sql_function *f, sqlite3_stmt *stmt)
{
	sqlite3_reset(stmt);
	sqlite3_clear_bindings(stmt);
	if (f->stmt)
		sqlite3_finalize(stmt);
	else
		f->stmt = stmt;
}

static void bind(const struct sql_function *f, sqlite3_stmt *stmt, sqlite3_value **values,
		 int count)
{
	char name[256];

	for (size_t i = 0; i < f->params.count && i < (size_t)count; i++) {
		int place;

		sqlite3_snprintf(sizeof(name), name, "$%s", f->params.names[i]);
		place = sqlite3_bind_parameter_index(stmt, name);
		if (place)
			sqlite3_bind_value(stmt, place, values[i]);
	}
}

static void function_free(void *ctx)
{
	struct sql_function *f = ctx, **at = &f->q->functions;

	while (*at && *at != f)
		at = &(*at)->next;
	if (*at)
		*at = f->next;
	sqlite3_finalize(f->stmt);
	sqlite3_free(f->name);
	sqlite3_free(f->body);
	sql_columns_fini(&f->params);
	sql_columns_fini(&f->columns);
	free(f);
}

void sql_functions_end(struct sql_queries *q)
{
	for (struct sql_function *f = q->functions; f; f = f->next) {
		sqlite3_finalize(f->stmt);
		f->stmt = NULL;
	}
}

static char *too_deep(const struct sql_function *f)
{
	return sqlite3_mprintf("the function %s calls itself more than %d levels deep", f->name,
			       SQL_NESTING_MOST);
}

/* ---- functions of a value ---- */

static void call(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	struct sql_function *f = sqlite3_user_data(c);
	sqlite3_stmt *stmt = NULL;
	char *message;
	int rc = SQLITE_ERROR;

	if (f->depth >= SQL_NESTING_MOST) {
		message = too_deep(f);
		sqlite3_result_error(c, message ? message : "", -1);
		sqlite3_free(message);
		return;
	}
	f->depth++;
	if (take(f, &stmt) == SQLITE_OK) {
		bind(f, stmt, argv, argc);
		rc = sqlite3_step(stmt);
	}
	if (rc == SQLITE_ROW)
		sqlite3_result_value(c, sqlite3_column_value(stmt, 0));
	else if (rc != SQLITE_DONE)
		sqlite3_result_error(c, sqlite3_errmsg(f->q->db), -1);
	f->depth--;
	if (stmt)
		give_back(f, stmt);
}

/* ---- functions of a table ---- */

static int table_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
			 sqlite3_vtab **out, char **message)
{
	struct sql_function *f = aux;
	struct function_table *t = calloc(1, sizeof(*t));
	struct tdat_build sql;
	int rc = SQLITE_NOMEM;

	(void)argc;
	(void)argv;
	tdat_build_init(&sql, false);
	tdat_build_str(&sql, "CREATE TABLE t (");
	for (size_t i = 0; i < f->columns.count + f->params.count; i++) {
		const bool hidden = i >= f->columns.count;
		const char *name =
			hidden ? f->params.names[i - f->columns.count] : f->columns.names[i];
		char *column = sqlite3_mprintf("%s\"%s%w\"%s", i ? ", " : "", hidden ? "$" : "",
					       name, hidden ? " HIDDEN" : "");

		tdat_build_str(&sql, column ? column : "");
		sqlite3_free(column);
	}
	tdat_build_cstr(&sql, ")");
	if (t && !sql.failed) {
		f->q->trace->declaring = true;
		rc = sqlite3_declare_vtab(db, (const char *)sql.ptr);
		f->q->trace->declaring = false;
	}
	tdat_build_fini(&sql);
	if (rc == SQLITE_OK)
		rc = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
	if (rc != SQLITE_OK) {
		*message = sqlite3_mprintf("function %s: %s", f->name, sqlite3_errmsg(db));
		free(t);
		return rc;
	}
	t->f = f;
	*out = &t->base;
	return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *base)
{
	free(base);
	return SQLITE_OK;
}

/* Each parameter needs a value: without one that is known yet there is no plan. */
/* The number of a plan that fails. */
enum { FEW_ARGUMENTS = 1 };

static int table_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct sql_function *f = ((struct function_table *)(void *)base)->f;
	const int first = (int)f->columns.count;
	size_t given = 0, usable = 0;

	for (int i = 0; i < info->nConstraint; i++) {
		const int column = info->aConstraint[i].iColumn;

		if (column < first || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
			continue;
		given++;
		if (!info->aConstraint[i].usable)
			continue;
		usable++;
		info->aConstraintUsage[i].argvIndex = column - first + 1;
		info->aConstraintUsage[i].omit = 1;
	}
	info->estimatedCost = 100;
	info->estimatedRows = 25;
	/* Terms of an OR come without the arguments: only a scan without them is an error. */
	if (given < f->params.count) {
		info->idxNum = FEW_ARGUMENTS;
		info->estimatedCost = 1e99;
		return SQLITE_OK;
	}
	return usable < f->params.count ? SQLITE_CONSTRAINT : SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
	struct function_cursor *c = calloc(1, sizeof(*c));

	(void)base;
	if (!c)
		return SQLITE_NOMEM;
	*out = &c->base;
	return SQLITE_OK;
}

static struct sql_function *function_of(sqlite3_vtab_cursor *base)
{
	return ((struct function_table *)(void *)base->pVtab)->f;
}

static int cursor_close(sqlite3_vtab_cursor *base)
{
	struct function_cursor *c = (struct function_cursor *)(void *)base;

	if (c->stmt)
		give_back(function_of(base), c->stmt);
	free(c);
	return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *base)
{
	struct function_cursor *c = (struct function_cursor *)(void *)base;
	struct sql_function *f = function_of(base);
	int rc;

	if (f->depth >= SQL_NESTING_MOST) {
		sqlite3_free(base->pVtab->zErrMsg);
		base->pVtab->zErrMsg = too_deep(f);
		return SQLITE_ERROR;
	}
	f->depth++;
	rc = sqlite3_step(c->stmt);
	f->depth--;
	c->number++;
	c->ended = rc != SQLITE_ROW;
	if (rc == SQLITE_ROW || rc == SQLITE_DONE)
		return SQLITE_OK;
	sqlite3_free(base->pVtab->zErrMsg);
	base->pVtab->zErrMsg = sqlite3_mprintf("%s", sqlite3_errmsg(f->q->db));
	return rc;
}

static int cursor_filter(sqlite3_vtab_cursor *base, int number, const char *text, int count,
			 sqlite3_value **values)
{
	struct function_cursor *c = (struct function_cursor *)(void *)base;
	struct sql_function *f = function_of(base);
	int rc = SQLITE_OK;

	(void)text;
	if (number == FEW_ARGUMENTS) {
		sqlite3_free(base->pVtab->zErrMsg);
		base->pVtab->zErrMsg =
			sqlite3_mprintf("the function %s takes %d argument%s", f->name,
					(int)f->params.count, f->params.count == 1 ? "" : "s");
		return SQLITE_ERROR;
	}
	if (!c->stmt)
		rc = take(f, &c->stmt);
	if (rc != SQLITE_OK)
		return rc;
	sqlite3_reset(c->stmt);
	bind(f, c->stmt, values, count);
	c->number = -1;
	return cursor_next(base);
}

static int cursor_eof(sqlite3_vtab_cursor *base)
{
	return ((struct function_cursor *)(void *)base)->ended;
}

static int cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
	const struct function_cursor *c = (struct function_cursor *)(void *)base;

	if (column < sqlite3_column_count(c->stmt))
		sqlite3_result_value(to, sqlite3_column_value(c->stmt, column));
	return SQLITE_OK;
}

static int cursor_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	*out = ((struct function_cursor *)(void *)base)->number;
	return SQLITE_OK;
}

static const sqlite3_module table_module = {
	.iVersion = 1,
	.xConnect = table_connect,
	.xBestIndex = table_best_index,
	.xDisconnect = table_disconnect,
	.xOpen = cursor_open,
	.xClose = cursor_close,
	.xFilter = cursor_filter,
	.xNext = cursor_next,
	.xEof = cursor_eof,
	.xColumn = cursor_column,
	.xRowid = cursor_rowid,
};

/* ---- making ---- */

/* "SELECT the listed columns FROM (body)": a function of a table returns them in their order. */
static char *table_body(const struct sql_columns *c, const char *body, size_t len)
{
	struct tdat_build sql;
	char *text;

	tdat_build_init(&sql, false);
	tdat_build_str(&sql, "SELECT ");
	for (size_t i = 0; i < c->count; i++) {
		tdat_build_str(&sql, i ? ", " : "");
		sql_put_column(&sql, c->names[i]);
	}
	tdat_build_str(&sql, " FROM (");
	tdat_build_bytes(&sql, body, len);
	tdat_build_cstr(&sql, "\n)");
	text = sql.failed ? NULL : sqlite3_mprintf("%s", sql.ptr);
	tdat_build_fini(&sql);
	return text;
}

/* Reads "name(...) RETURNS ... AS body". */
static int read_function(struct sql_function *f, const char *p, const char *end)
{
	struct sql_token t = sql_token_skip(p, end);

	if (!sql_token_name(t, &f->name) || !f->name)
		return sql_refuse(f->q, "CREATE PERFETTO FUNCTION needs a name");
	p = sql_token_end(t);
	if (!sql_columns_read(f->q, &f->params, &p, end))
		return SQLITE_ERROR;
	t = sql_token_skip(p, end);
	if (!sql_token_is(t, "RETURNS"))
		return sql_refuse(f->q, "RETURNS is missing in the function %s", f->name);
	t = sql_token_skip(sql_token_end(t), end);
	p = sql_token_end(t);
	f->is_table = sql_token_is(t, "TABLE");
	if (f->is_table && !sql_columns_read(f->q, &f->columns, &p, end))
		return SQLITE_ERROR;
	/* A type may have a bracket: JOINID(thread.id). */
	for (t = sql_token_skip(p, end); t.kind != SQL_END && !sql_token_is(t, "AS");
	     t = sql_token_skip(sql_token_end(t), end))
		if (sql_token_is(t, "DELEGATES"))
			return sql_refuse(f->q,
					  "CREATE PERFETTO FUNCTION %s DELEGATES TO calls code of "
					  "Perfetto; write it AS SELECT",
					  f->name);
	if (t.kind == SQL_END)
		return sql_refuse(f->q, "AS is missing in the function %s", f->name);
	p = sql_token_end(t);
	f->body = f->is_table ? table_body(&f->columns, p, (size_t)(end - p))
			      : sqlite3_mprintf("%.*s", (int)(end - p), p);
	return f->body ? SQLITE_OK : SQLITE_NOMEM;
}

/* True if there is a function of this name that a statement has made. */
static bool exists(const struct sql_function *f)
{
	for (const struct sql_function *other = f->q->functions; other; other = other->next)
		if (!sqlite3_stricmp(other->name, f->name) && other->is_table == f->is_table &&
		    (f->is_table || other->params.count == f->params.count))
			return true;
	return false;
}

/* SQLite has f from here on, also when it fails. */
static int enter(struct sql_function *f)
{
	f->next = f->q->functions;
	f->q->functions = f;
	return f->is_table ? sqlite3_create_module_v2(f->q->db, f->name, &table_module, f,
						      function_free)
			   : sqlite3_create_function_v2(f->q->db, f->name, (int)f->params.count,
							SQLITE_UTF8 | SQLITE_INNOCUOUS, f, call,
							NULL, NULL, function_free);
}

/* Takes a function away whose statement SQLite does not take. */
static void forget(struct sql_queries *q, struct sql_function *f)
{
	char *name = sqlite3_mprintf("%s", f->name);

	if (f->is_table)
		sqlite3_create_module_v2(q->db, name, NULL, NULL, NULL);
	else
		sqlite3_create_function_v2(q->db, name, (int)f->params.count, SQLITE_UTF8, NULL,
					   NULL, NULL, NULL, NULL);
	sqlite3_free(name);
}

int sql_function_create(struct sql_queries *q, const char *p, const char *end, bool replace)
{
	struct sql_function *f = calloc(1, sizeof(*f));
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (!f)
		return SQLITE_NOMEM;
	f->q = q;
	rc = read_function(f, p, end);
	if (rc == SQLITE_OK && !replace && exists(f))
		rc = sql_refuse(q, "the function %s already exists", f->name);
	if (rc != SQLITE_OK) {
		function_free(f);
		return rc;
	}
	rc = enter(f);
	if (rc != SQLITE_OK)
		return rc;
	/* The function may call itself, so it is there before its statement is. */
	rc = sql_prepare_made(q, f->body, strlen(f->body), &stmt);
	if (rc == SQLITE_OK) {
		f->stmt = stmt;
		return SQLITE_OK;
	}
	if (!q->message) {
		char *more = sql_explain(sqlite3_errmsg(q->db));

		sql_refuse(q, "function %s: %s%s", f->name, sqlite3_errmsg(q->db),
			   more ? more : "");
		sqlite3_free(more);
	}
	forget(q, f);
	return rc;
}
