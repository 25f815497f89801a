/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs statements that make or drop something: CREATE PERFETTO ..., the CREATE of SQLite, DROP,
 * INCLUDE. All objects are temporary, so that nothing but the memory of the connection changes.
 * A column list of PerfettoSQL chooses the columns of the statement behind it by their names.
 */
#include "queries.h"

#include <stdlib.h>

#include "core/grow.h"

/* A statement while it is read: t is the next token that is not blank. */
struct reading {
	struct sql_queries *q;
	const char *end;
	struct sql_token t;
	bool replace;
};

static void advance(struct reading *r)
{
	r->t = sql_token_skip(sql_token_end(r->t), r->end);
}

static bool accept(struct reading *r, const char *word)
{
	if (!sql_token_is(r->t, word))
		return false;
	advance(r);
	return true;
}

static int expected(struct reading *r, const char *what)
{
	return sql_refuse(r->q, "%s is missing before '%.*s'", what, sql_shown(r->t.len), r->t.p);
}

/* ---- lists of columns ---- */

static bool add_column(struct sql_columns *c, struct sql_token name)
{
	size_t room = c->room;

	if (!TDAT_GROW(c->names, &room, c->count + 1))
		return false;
	if (!TDAT_GROW(c->types, &c->room, c->count + 1))
		return false;
	c->types[c->count] = NULL;
	return sql_token_name(name, &c->names[c->count]) && c->names[c->count] && ++c->count;
}

/* Moves behind a type: TYPE, or TYPE(anything). */
static void skip_type(struct reading *r)
{
	size_t open = 0;

	while (r->t.kind != SQL_END &&
	       (open || !(sql_token_is(r->t, ",") || sql_token_is(r->t, ")")))) {
		open += sql_token_is(r->t, "(");
		open -= open && sql_token_is(r->t, ")");
		advance(r);
	}
}

bool sql_columns_read(struct sql_queries *q, struct sql_columns *c, const char **p, const char *end)
{
	struct reading r = {q, end, sql_token_skip(*p, end), false};

	*c = (struct sql_columns){.count = 0};
	if (!accept(&r, "(")) {
		expected(&r, "(");
		return false;
	}
	while (!sql_token_is(r.t, ")")) {
		if (!add_column(c, r.t)) {
			expected(&r, "a name");
			return false;
		}
		advance(&r);
		if (r.t.kind == SQL_WORD)
			c->types[c->count - 1] = sqlite3_mprintf("%.*s", (int)r.t.len, r.t.p);
		skip_type(&r);
		if (!accept(&r, ",") && !sql_token_is(r.t, ")")) {
			expected(&r, ")");
			return false;
		}
	}
	*p = sql_token_end(r.t);
	return true;
}

void sql_columns_fini(struct sql_columns *c)
{
	for (size_t i = 0; i < c->count; i++) {
		sqlite3_free(c->names[i]);
		sqlite3_free(c->types[i]);
	}
	free(c->names);
	free(c->types);
}

/* The type that SQLite has for one of Perfetto's. */
static const char *sqlite_type(const char *type)
{
	static const char *const types[][2] = {{"STRING", " TEXT"},
					       {"DOUBLE", " REAL"},
					       {"FLOAT", " REAL"},
					       {"BYTES", " BLOB"},
					       {"ID", " INTEGER PRIMARY KEY"},
					       {"ANY", ""}};

	for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++)
		if (!sqlite3_stricmp(type, types[i][0]))
			return types[i][1];
	return type ? " INTEGER" : "";
}

void sql_put_column(struct tdat_build *sql, const char *name)
{
	tdat_build_str(sql, "`");
	for (; *name; name++) {
		tdat_build_str(sql, *name == '`' ? "`" : "");
		tdat_build_bytes(sql, name, 1);
	}
	tdat_build_str(sql, "`");
}

/* Appends the names, with the types of SQLite where they are wanted. */
static void put_columns(struct tdat_build *sql, const struct sql_columns *c, bool types)
{
	for (size_t i = 0; i < c->count; i++) {
		tdat_build_str(sql, i ? ", " : "");
		sql_put_column(sql, c->names[i]);
		tdat_build_str(sql, types ? sqlite_type(c->types[i]) : "");
	}
}

/* ---- CREATE PERFETTO TABLE and VIEW ---- */

/* Drops the table or view of a name, if it is one that was made. */
static int drop(struct sql_queries *q, const char *name)
{
	sqlite3_stmt *stmt;
	char *sql = NULL;
	int rc = sqlite3_prepare_v2(q->db,
				    "SELECT type FROM sqlite_temp_master WHERE name = ? COLLATE "
				    "NOCASE AND type IN ('table', 'view')",
				    -1, &stmt, NULL);

	if (rc != SQLITE_OK)
		return rc;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		sql = sqlite3_mprintf("DROP %s temp.\"%w\"", sqlite3_column_text(stmt, 0), name);
	sqlite3_finalize(stmt);
	return sql ? sql_run_own(q, sql) : SQLITE_OK;
}

/* "CREATE TEMP KIND name": takes the bytes behind it, and runs it. */
static int run_create(struct sql_queries *q, const char *kind, const char *name,
		      const struct tdat_build *rest)
{
	if (rest->failed)
		return SQLITE_NOMEM;
	return sql_run_own(q, sqlite3_mprintf("CREATE TEMP %s \"%w\" %.*s", kind, name,
					      (int)rest->len, rest->ptr));
}

/* Makes a table: its columns first, if they are listed, then its rows. */
static int make_table(struct reading *r, const char *name, const struct sql_columns *c,
		      const char *body)
{
	struct tdat_build rest;
	int rc;

	tdat_build_init(&rest, false);
	if (c->count) {
		tdat_build_str(&rest, "(");
		put_columns(&rest, c, true);
		tdat_build_str(&rest, ")");
	} else {
		tdat_build_str(&rest, "AS ");
		tdat_build_bytes(&rest, body, (size_t)(r->end - body));
	}
	rc = run_create(r->q, "TABLE", name, &rest);
	rest.len = 0;
	if (rc == SQLITE_OK && c->count && body) {
		put_columns(&rest, c, false);
		rc = rest.failed
			     ? SQLITE_NOMEM
			     : sql_run_own(
				       r->q,
				       sqlite3_mprintf(
					       "INSERT INTO temp.\"%w\" SELECT %.*s FROM (%.*s)",
					       name, (int)rest.len, rest.ptr, (int)(r->end - body),
					       body));
		if (rc != SQLITE_OK)
			drop(r->q, name);
	}
	tdat_build_fini(&rest);
	return rc;
}

/* Makes a view, and lets SQLite look at it: without that a fault shows in its first use only. */
static int make_view(struct reading *r, const char *name, const struct sql_columns *c,
		     const char *body)
{
	struct tdat_build rest;
	int rc;

	tdat_build_init(&rest, false);
	tdat_build_str(&rest, "AS ");
	if (c->count) {
		tdat_build_str(&rest, "SELECT ");
		put_columns(&rest, c, false);
		tdat_build_str(&rest, " FROM (");
	}
	tdat_build_bytes(&rest, body, (size_t)(r->end - body));
	tdat_build_str(&rest, c->count ? "\n)" : "");
	rc = run_create(r->q, "VIEW", name, &rest);
	tdat_build_fini(&rest);
	/* Statements of modules are as they should be, and make what they need when they are used.
	 */
	if (rc == SQLITE_OK && !r->q->own) {
		rc = sql_run_own(r->q, sqlite3_mprintf("SELECT 1 FROM temp.\"%w\" LIMIT 0", name));
		if (rc != SQLITE_OK)
			drop(r->q, name);
	}
	return rc;
}

static int create_table_or_view(struct reading *r, bool view)
{
	struct sql_columns c = {.count = 0};
	const char *p = r->t.p, *body = NULL;
	char *name;
	int rc = SQLITE_OK;

	if (!sql_token_name(r->t, &name))
		return expected(r, "a name");
	advance(r);
	if (accept(r, "USING"))
		advance(r);
	p = r->t.p;
	if (sql_token_is(r->t, "(")) {
		rc = sql_columns_read(r->q, &c, &p, r->end) ? SQLITE_OK : SQLITE_ERROR;
		r->t = sql_token_skip(p, r->end);
	}
	if (rc == SQLITE_OK && sql_token_is(r->t, "AS"))
		body = sql_token_end(r->t);
	/* A table without a statement is one without rows: Perfetto has no such form. */
	else if (rc == SQLITE_OK && (view || !c.count || r->t.kind != SQL_END))
		rc = expected(r, "AS");
	if (rc == SQLITE_OK && r->replace)
		rc = drop(r->q, name);
	if (rc == SQLITE_OK)
		rc = (view ? make_view : make_table)(r, name, &c, body);
	sql_columns_fini(&c);
	sqlite3_free(name);
	return rc;
}

/* CREATE [OR REPLACE] PERFETTO INDEX name ON table(columns). */
static int create_index(struct reading *r)
{
	char *name;
	int rc = SQLITE_OK;

	if (!sql_token_name(r->t, &name))
		return expected(r, "a name");
	advance(r);
	rc = sql_objects_need(r->q, r->t.p, r->end);
	if (rc == SQLITE_OK && r->replace)
		rc = sql_run_own(r->q, sqlite3_mprintf("DROP INDEX IF EXISTS temp.\"%w\"", name));
	if (rc == SQLITE_OK)
		rc = sql_run_own(r->q, sqlite3_mprintf("CREATE INDEX \"%w\" %.*s", name,
						       (int)(r->end - r->t.p), r->t.p));
	sqlite3_free(name);
	return rc;
}

static int create_perfetto(struct reading *r)
{
	struct sql_queries *q = r->q;

	if (accept(r, "TABLE"))
		return create_table_or_view(r, false);
	if (accept(r, "VIEW"))
		return create_table_or_view(r, true);
	if (accept(r, "INDEX"))
		return create_index(r);
	if (accept(r, "FUNCTION"))
		return sql_function_create(q, r->t.p, r->end, r->replace);
	if (accept(r, "MACRO"))
		return sql_macro_create(q, r->t.p, r->end, r->replace);
	return expected(r, "TABLE, VIEW, INDEX, FUNCTION or MACRO");
}

/* ---- the statements of SQLite ---- */

/* Runs CREATE VIEW, TABLE, INDEX or VIRTUAL TABLE, of a temporary object. *done false: others. */
static int create_plain(struct reading *r, bool *done)
{
	const char *form = NULL;
	bool there;

	if (accept(r, "VIEW"))
		form = "CREATE TEMP VIEW%s %.*s";
	else if (accept(r, "TABLE"))
		form = "CREATE TEMP TABLE%s %.*s";
	else if (accept(r, "VIRTUAL") && accept(r, "TABLE"))
		form = "CREATE VIRTUAL TABLE%s temp.%.*s";
	else if (accept(r, "INDEX"))
		form = "CREATE INDEX%s %.*s";
	*done = form;
	if (!form)
		return SQLITE_OK;
	there = accept(r, "IF") && accept(r, "NOT") && accept(r, "EXISTS");
	r->q->always |= !r->q->own && sql_is_perfetto(r->q, r->t.p, r->end);
	if (!r->q->own && sql_shape(r->q, r->q->always) != SQLITE_OK)
		return SQLITE_ERROR;
	return sql_run_own(r->q, sqlite3_mprintf(form, there ? " IF NOT EXISTS" : "",
						 (int)(r->end - r->t.p), r->t.p));
}

/* DROP [PERFETTO] TABLE, VIEW or INDEX name [ON table]. */
static int run_drop(struct reading *r, bool *done)
{
	const char *kind = NULL;
	struct sql_token name;

	accept(r, "PERFETTO");
	kind = accept(r, "TABLE") ? "TABLE" : accept(r, "VIEW") ? "VIEW" : NULL;
	if (!kind && accept(r, "INDEX"))
		kind = "INDEX";
	*done = kind;
	if (!kind)
		return SQLITE_OK;
	name = r->t;
	while (r->t.kind != SQL_END && !sql_token_is(r->t, "ON"))
		advance(r);
	return sql_run_own(r->q,
			   sqlite3_mprintf("DROP %s %.*s", kind, (int)(r->t.p - name.p), name.p));
}

/* r is behind CREATE [OR REPLACE] [TEMP]; macros of all but macros are replaced first. */
static int create(struct reading *r, bool *done)
{
	struct tdat_build expanded;
	const bool perfetto = accept(r, "PERFETTO");
	int rc = SQLITE_OK;

	*done = true;
	r->q->always |= perfetto && !r->q->own;
	if (perfetto && sql_shape(r->q, true) != SQLITE_OK)
		return SQLITE_ERROR;
	if (sql_token_is(r->t, "MACRO"))
		return create_perfetto(r);
	tdat_build_init(&expanded, false);
	rc = sql_macros_expand(r->q, r->t.p, r->end, &expanded);
	if (rc == SQLITE_OK && expanded.failed)
		rc = SQLITE_NOMEM;
	if (rc == SQLITE_OK && expanded.len) {
		r->end = (const char *)expanded.ptr + expanded.len;
		r->t = sql_token_skip((const char *)expanded.ptr, r->end);
	}
	if (rc == SQLITE_OK)
		rc = perfetto ? create_perfetto(r) : create_plain(r, done);
	tdat_build_fini(&expanded);
	return rc;
}

int sql_make(struct sql_queries *q, const char *text, const char *end, bool *done)
{
	struct reading r = {q, end, sql_token_skip(text, end), false};

	*done = false;
	if (accept(&r, "INCLUDE")) {
		*done = true;
		if (!accept(&r, "PERFETTO") || !accept(&r, "MODULE"))
			return expected(&r, "PERFETTO MODULE");
		return sql_include(q, r.t.p, end);
	}
	if (accept(&r, "DROP"))
		return run_drop(&r, done);
	if (!accept(&r, "CREATE"))
		return SQLITE_OK;
	r.replace = accept(&r, "OR") && accept(&r, "REPLACE");
	if (!accept(&r, "TEMP"))
		accept(&r, "TEMPORARY");
	return create(&r, done);
}
