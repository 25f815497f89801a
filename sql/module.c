/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the virtual tables: each when a query first names it, and reads its rows in queries.
 * The columns are those of the tdat_table, with types as SQLite has them. A cursor reads rows
 * (rows.c), combinations (group.c) or kept rows (kept.c), as the plan says. Tables are
 * registered as modules, so no statement contains a name of a trace.
 */
#include "module.h"

#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "group.h"
#include "kept.h"
#include "plan.h"
#include "rows.h"

/* A scan of one table. Rows come from rows, group or kept. */
struct cursor {
	sqlite3_vtab_cursor base;
	struct sql_rows rows;
	struct sql_group *group; /* rows are counted; NULL: they are not */
	struct sql_kept *kept;	 /* rows are kept; NULL: they are not */
	const struct sql_plan *plan;
	size_t at;	/* the combination, or the kept row */
	size_t key;	/* column by which kept rows are found, or SQL_NO_COLUMN */
	uint64_t left;	/* rows of the combination, with this one */
	int64_t number; /* of the row in this scan */
	int64_t ts;	/* of the row before, where the order of ts was promised */
	bool ended;
	struct tdat_build json; /* of one list */
};

/* SQLite's structs are the first members of ours. */
static struct sql_table *table_of(sqlite3_vtab_cursor *base)
{
	return (struct sql_table *)(void *)base->pVtab;
}

static int fail(struct sql_table *t, const struct tdat_error *err)
{
	return sql_failure(&t->base.zErrMsg, err);
}

/* ---- making a table ---- */

/* Reads the types of all columns, and of the column text if the table can have it. */
static enum tdat_status read_types(struct sql_table *t, struct tdat_error *err)
{
	const char *const text[] = {"text"};
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct ArrowSchema schema;
	enum tdat_status st = tdat_trace_schema(t->trace->def.trace, t->table, NULL, &schema, err);

	if (st != TDAT_OK)
		return st;
	st = column_types_init(&t->types, &schema, "SQL", err);
	schema.release(&schema);
	opts.columns = text;
	opts.column_count = 1;
	/* Tables without lines of text have no such column. */
	if (st != TDAT_OK ||
	    tdat_trace_schema(t->trace->def.trace, t->table, &opts, &schema, NULL) != TDAT_OK)
		return st;
	/* An event may have a field "text": then there is not a second column of that name. */
	for (size_t i = 0; i < t->types.count; i++)
		if (!sqlite3_stricmp(t->types.v[i].name, "text")) {
			schema.release(&schema);
			return TDAT_OK;
		}
	st = column_types_init(&t->text, &schema, "SQL", err);
	schema.release(&schema);
	return st;
}

/* Names of columns are compared exactly: they are those of the schema. */
static size_t find_column(const struct sql_table *t, const char *name)
{
	for (size_t i = 0; i < t->types.count; i++)
		if (!strcmp(t->types.v[i].name, name))
			return i;
	return SQL_NO_COLUMN;
}

/*
 * Appends the statement that declares the columns. All names of the trace in it are quoted. Columns
 * of a fold have the names #0, #1 and so on.
 */
static bool put_declaration(struct tdat_build *sql, const struct sql_table *t)
{
	tdat_build_str(sql, "CREATE TABLE t (");
	for (size_t i = 0; i < t->column_count; i++) {
		const struct column_type *type = sql_table_column(t, i);

		tdat_build_str(sql, i ? ", " : "");
		sqlite_put_name(sql, type->name);
		tdat_build_str(sql, " ");
		tdat_build_str(sql, sqlite_type_name(type));
		tdat_build_str(sql, i < t->types.count ? "" : " HIDDEN");
	}
	for (size_t i = 0; t->fold && i < t->fold->count; i++)
		tdat_build_printf(sql, ", \"#%zu\" INTEGER HIDDEN", i);
	tdat_build_cstr(sql, ")");
	return !sql->failed;
}

/* A column that SQLite refuses makes the table unusable: the message names the table. */
static int declare(sqlite3 *db, struct sql_table *t, char **message)
{
	struct tdat_build sql;
	int rc = SQLITE_NOMEM;

	tdat_build_init(&sql, false);
	if (put_declaration(&sql, t)) {
		t->trace->declaring = true;
		rc = sqlite3_declare_vtab(db, (const char *)sql.ptr);
		t->trace->declaring = false;
	}
	tdat_build_fini(&sql);
	if (rc != SQLITE_OK && rc != SQLITE_NOMEM)
		*message = sqlite3_mprintf("table %s: %s", t->table->name, sqlite3_errmsg(db));
	return rc;
}

void sql_table_free(struct sql_table *t)
{
	sql_kept_free(t->kept);
	column_types_fini(&t->types);
	column_types_fini(&t->text);
	for (size_t i = 0; i < t->plan_count; i++)
		free(t->plans[i]);
	free(t->plans);
	sql_trace_put(t->trace);
	free(t);
}

enum tdat_status sql_table_new(struct sql_table **out, const struct sql_module *module,
			       struct tdat_error *err)
{
	const struct tdat_table *table = module->table;
	struct sql_table *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	*out = NULL;
	if (!t)
		return tdat_error_no_memory(err, "a table");
	t->trace = module->trace;
	t->trace->references++;
	t->table = table;
	t->fold = module->fold;
	/* A numbered table reads all rows, so that row n is always the same. */
	t->plain = t->trace->def.plain || module->numbered;
	t->quiet = module->numbered;
	st = read_types(t, err);
	if (st != TDAT_OK) {
		sql_table_free(t);
		return st;
	}
	t->column_count = t->types.count + t->text.count;
	/* These tables come in the order of ts; derived tables may not. */
	t->ordered = table->kind == TDAT_TABLE_EVENTS || table->kind == TDAT_TABLE_EVENT ||
		     table->kind == TDAT_TABLE_LOST;
	t->ts = find_column(t, "ts");
	t->cpu = find_column(t, "cpu");
	/* The reader does not select rows of table lost by pid. */
	t->pid = table->kind == TDAT_TABLE_LOST ? SQL_NO_COLUMN : find_column(t, "pid");
	t->system = t->event = SQL_NO_COLUMN;
	if (table->kind == TDAT_TABLE_EVENTS) {
		t->system = find_column(t, "system");
		t->event = find_column(t, "event");
	}
	*out = t;
	return TDAT_OK;
}

/* Also called by extension.c, for CREATE VIRTUAL TABLE. */
int sql_table_open(sqlite3 *db, const struct sql_module *module, sqlite3_vtab **out, char **message)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct sql_table *t;
	int rc;

	if (sql_table_new(&t, module, &err) != TDAT_OK)
		return sql_failure(message, &err);
	rc = declare(db, t, message);
	/* Innocuous: views and triggers may use the table, as reading it has no side effect. */
	if (rc == SQLITE_OK)
		rc = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
	if (rc == SQLITE_OK)
		*out = &t->base;
	else
		sql_table_free(t);
	return rc;
}

static int table_close(sqlite3_vtab *table)
{
	sql_table_free((struct sql_table *)(void *)table);
	return SQLITE_OK;
}

/* ---- rows ---- */

/* A cursor may be filtered several times: in a join, once for each row of the other table. */
static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
	struct cursor *c = calloc(1, sizeof(*c));

	(void)table;
	if (!c)
		return SQLITE_NOMEM;
	tdat_build_init(&c->json, false);
	*out = &c->base;
	return SQLITE_OK;
}

/* Kept rows belong to the table and stay. */
static void end_rows(struct cursor *c)
{
	sql_rows_end(&c->rows);
	sql_group_free(c->group);
	c->group = NULL;
	c->kept = NULL;
}

static int cursor_close(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)(void *)base;

	end_rows(c);
	tdat_build_fini(&c->json);
	free(c);
	return SQLITE_OK;
}

/*
 * Fails if time goes back. SQLite relies on the promised order of ts. A clock that goes back is
 * damage of the file. Rows before it were returned already, so only another query can sort them.
 */
static int check_order(struct cursor *c)
{
	struct sql_table *t = table_of(&c->base);
	struct sqlite_value v;

	sqlite_value_of(&v, &c->rows.columns.types.v[c->rows.places[t->ts]],
			&c->rows.columns.views[c->rows.places[t->ts]], c->rows.row, NULL);
	if (v.kind == SQLITE_V_INT && v.number < c->ts) {
		struct tdat_error err = TDAT_ERROR_INIT;

		tdat_error_set(&err, TDAT_E_DAMAGED, TDAT_NO_OFFSET,
			       "time goes backward in table %s, from %lld to %lld: ORDER BY +ts "
			       "sorts its rows",
			       t->table->name, (long long)c->ts, (long long)v.number);
		return fail(t, &err);
	}
	c->ts = v.number;
	return SQLITE_OK;
}

/* Sets ended at the end, and after a failure. */
static int next_batch(struct cursor *c)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	if (sql_rows_batch(&c->rows, &err))
		return c->plan->by_time ? check_order(c) : SQLITE_OK;
	c->ended = true;
	return err.status == TDAT_OK ? SQLITE_OK : fail(table_of(&c->base), &err);
}

/*
 * Each combination comes as often as its rows, or once for DISTINCT and in a fold. The next ones
 * are read where the group did not hold them all.
 */
static int start_combination(struct cursor *c)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	c->ended = false;
	if (c->at >= sql_group_count(c->group)) {
		c->at = 0;
		if (sql_group_read(c->group, &c->rows, &err) != TDAT_OK) {
			c->ended = true;
			return fail(table_of(&c->base), &err);
		}
		c->ended = !sql_group_count(c->group);
	}
	if (!c->ended)
		c->left = c->plan->once ? 1 : sql_group_rows(c->group, c->at);
	return SQLITE_OK;
}

/* Starts with the rows that may match. The first condition that an index can answer is used. */
static int start_kept(struct cursor *c, sqlite3_value **values)
{
	struct sql_table *t = table_of(&c->base);
	struct tdat_error err = TDAT_ERROR_INIT;
	bool any = true;

	if (sql_kept_read(t, &err) != TDAT_OK)
		return fail(t, &err);
	c->kept = t->kept;
	c->key = SQL_NO_COLUMN;
	c->at = 0;
	for (size_t i = 0; any && i < c->plan->condition_count; i++) {
		if (c->plan->conditions[i].role != PLAN_KEY)
			continue;
		c->at = sql_kept_find(c->kept, t, c->plan->conditions[i].column, values[i], &any);
		c->key = any ? SQL_NO_COLUMN : c->plan->conditions[i].column;
	}
	c->ended = c->at >= sql_kept_count(c->kept);
	return SQLITE_OK;
}

/* xFilter: starts the scan of plan number. values: those of its conditions. */
static int cursor_filter(sqlite3_vtab_cursor *base, int number, const char *text, int count,
			 sqlite3_value **values)
{
	struct cursor *c = (struct cursor *)(void *)base;
	struct sql_table *t = table_of(base);
	struct tdat_error err = TDAT_ERROR_INIT;
	bool empty = false;

	(void)text;
	(void)count;
	end_rows(c);
	c->plan = t->plans[number];
	c->number = 0;
	c->ts = INT64_MIN;
	c->ended = false;
	if (t->table->kind == TDAT_TABLE_META)
		return start_kept(c, values);
	if (sql_rows_start(&c->rows, t, c->plan, values, &empty, &err) != TDAT_OK)
		return fail(t, &err);
	c->ended = empty;
	if (empty)
		return SQLITE_OK;
	/* Grouping reads all rows now; otherwise they are read as SQLite asks. */
	if (!c->plan->together && !t->fold)
		return next_batch(c);
	if (sql_group_new(&c->group, &c->rows, c->plan, &err) != TDAT_OK)
		return fail(t, &err);
	c->at = 0;
	return start_combination(c);
}

/* xNext. */
static int cursor_next(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)(void *)base;

	c->number++;
	if (c->group) {
		if (--c->left)
			return SQLITE_OK;
		c->at++;
		return start_combination(c);
	}
	if (c->kept) {
		c->at = c->key == SQL_NO_COLUMN ? c->at + 1 : sql_kept_next(c->kept, c->key, c->at);
		c->ended = c->at >= sql_kept_count(c->kept);
		return SQLITE_OK;
	}
	if (++c->rows.row < c->rows.count)
		return c->plan->by_time ? check_order(c) : SQLITE_OK;
	return next_batch(c);
}

static int cursor_eof(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)(void *)base)->ended;
}

/*
 * xRowid. SQLite would join several scans of an OR by rowid: see set_price() in plan.c. A scan of
 * some rows does not know their numbers in the table.
 */
static int cursor_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	struct cursor *c = (struct cursor *)(void *)base;
	struct sql_table *t = table_of(base);
	struct tdat_error err = TDAT_ERROR_INIT;

	*out = c->kept ? (sqlite3_int64)c->at : c->number;
	if (c->kept || !sql_plan_chooses(c->plan))
		return SQLITE_OK;
	tdat_error_set(&err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
		       "table %s: a rowid is known only in a query that reads all rows; write a + "
		       "before the columns of its conditions, or use ts",
		       t->table->name);
	return fail(t, &err);
}

/* ---- values ---- */

/* Texts and bytes are copied: they lie in a batch, which the next rows replace. */
static void give(struct cursor *c, sqlite3_context *to, const struct sqlite_value *v)
{
	switch (v->kind) {
	case SQLITE_V_INT:
		sqlite3_result_int64(to, v->number);
		break;
	case SQLITE_V_DOUBLE:
		sqlite3_result_double(to, v->real);
		break;
	case SQLITE_V_TEXT:
		if (c->json.failed)
			sqlite3_result_error_nomem(to);
		else
			sqlite3_result_text64(to, (const char *)v->bytes.ptr, v->bytes.len,
					      SQLITE_TRANSIENT, SQLITE_UTF8);
		break;
	case SQLITE_V_BLOB:
		sqlite3_result_blob64(to, v->bytes.ptr, v->bytes.len, SQLITE_TRANSIENT);
		break;
	default:
		sqlite3_result_null(to);
		break;
	}
}

/* SQLite asks only for columns in colUsed, so others have no place. */
static int cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
	struct cursor *c = (struct cursor *)(void *)base;
	const size_t at = (size_t)column;
	struct sqlite_value v = {.kind = SQLITE_V_NULL};

	if (c->group && at >= table_of(base)->column_count) {
		if (!sql_group_fold(c->group, c->at, at, &v))
			sqlite3_result_error(to, "integer overflow", -1);
		else
			give(c, to, &v);
		return SQLITE_OK;
	}
	if (c->group) {
		sql_group_value(c->group, c->at, at, &v);
	} else if (c->kept) {
		sql_kept_value(c->kept, c->at, at, &v, &c->json);
	} else if (c->rows.places[at] != SQL_NO_COLUMN) {
		const size_t place = c->rows.places[at];

		sqlite_value_of(&v, &c->rows.columns.types.v[place], &c->rows.columns.views[place],
				c->rows.row, &c->json);
	}
	give(c, to, &v);
	return SQLITE_OK;
}

/* ---- modules: how SQLite makes tables ---- */

/* xConnect of a module that has the table's name: the arguments are not used. */
static int connect_named(sqlite3 *db, void *aux, int argc, const char *const *argv,
			 sqlite3_vtab **out, char **message)
{
	(void)argc;
	(void)argv;
	return sql_table_open(db, aux, out, message);
}

/* Without xCreate the module's name is itself a table, and no other can be made of it. */
static const sqlite3_module named = {
	.iVersion = 1,
	.xConnect = connect_named,
	.xBestIndex = sql_plan_make,
	.xDisconnect = table_close,
	.xOpen = cursor_open,
	.xClose = cursor_close,
	.xFilter = cursor_filter,
	.xNext = cursor_next,
	.xEof = cursor_eof,
	.xColumn = cursor_column,
	.xRowid = cursor_rowid,
};

/* With xCreate set by the caller, CREATE VIRTUAL TABLE and DROP TABLE work. */
void sql_module_made(sqlite3_module *m)
{
	*m = named;
	m->xDestroy = table_close;
}

static void free_module(void *aux)
{
	struct sql_module *m = aux;

	sql_trace_put(m->trace);
	free(m);
}

/* The module holds a reference to the trace until it is replaced or the connection closes. */
int sql_module_register(sqlite3 *db, const struct sql_module *module, const char *name)
{
	struct sql_module *m = malloc(sizeof(*m));

	if (!m)
		return SQLITE_NOMEM;
	*m = *module;
	m->trace->references++;
	/* A failure has freed m. */
	return sqlite3_create_module_v2(db, name, &named, m, free_module);
}

/* A module of NULL removes the name. */
void sql_tables_forget(const struct sql_trace *t, sqlite3 *db)
{
	for (size_t i = 0; i < t->name_count; i++)
		sqlite3_create_module_v2(db, t->names[i].name, NULL, NULL, NULL);
}

int sql_tables_register(struct sql_trace *t, sqlite3 *db)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < t->name_count; i++)
		rc = sql_module_register(db,
					 &(struct sql_module){t, t->names[i].table, false, NULL},
					 t->names[i].name);
	return rc;
}
