/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the objects of the modules (sql/perfetto/NAME.sql) by their names, and makes each when a
 * statement of the user first names it. Its module need not
 * be included. Four of its names are tables of tdat, too: these are made, and dropped, as
 * sql_shape() says.
 */
#include "queries.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"
#include "perfetto_modules.h"

static const char *const shaped[] = {"counter", "sched", "slice", "thread_state"};

static bool is_shaped(const char *name)
{
	for (size_t i = 0; i < sizeof(shaped) / sizeof(shaped[0]); i++)
		if (!sqlite3_stricmp(name, shaped[i]))
			return true;
	return false;
}

/* ---- reading the modules ---- */

/* What a statement of a module makes. Modules are part of tdat: they are as they should be. */
static struct sql_token made_name(const char *p, const char *end, bool *index)
{
	struct sql_token t = sql_token_skip(p, end);
	bool behind_on = false;

	*index = false;
	while (t.kind != SQL_END &&
	       (sql_token_is(t, "CREATE") || sql_token_is(t, "PERFETTO") ||
		sql_token_is(t, "TABLE") || sql_token_is(t, "VIEW") || sql_token_is(t, "VIRTUAL") ||
		sql_token_is(t, "FUNCTION") || sql_token_is(t, "MACRO") ||
		sql_token_is(t, "INDEX") || (*index && !behind_on))) {
		behind_on = sql_token_is(t, "ON");
		*index |= sql_token_is(t, "INDEX");
		t = sql_token_skip(sql_token_end(t), end);
	}
	return t;
}

static int by_name(const void *a, const void *b)
{
	const struct sql_object *x = a, *y = b;
	const int rc = sqlite3_stricmp(x->name, y->name);

	/* A table comes before its indexes. */
	return rc ? rc : (x->text > y->text) - (x->text < y->text);
}

static int read_module(struct sql_queries *q, size_t module)
{
	const char *p = sql_module_texts[module].text, *end = p + sql_module_texts[module].len;

	while (sql_token_skip(p, end).kind != SQL_END) {
		struct sql_object o = {.name = NULL};
		struct sql_token t = sql_token_skip(p, end), name;

		o.text = t.p;
		while (t.kind != SQL_END && !sql_token_is(t, ";"))
			t = sql_token_at(sql_token_end(t), end);
		o.len = (size_t)(t.p - o.text);
		p = sql_token_end(t);
		name = made_name(o.text, t.p, &o.is_index);
		sql_token_name(name, &o.name);
		if (!o.name || !TDAT_GROW(q->objects, &q->object_room, q->object_count + 1)) {
			sqlite3_free(o.name);
			return SQLITE_NOMEM;
		}
		q->objects[q->object_count++] = o;
	}
	return SQLITE_OK;
}

int sql_objects_read(struct sql_queries *q)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < sql_module_count; i++)
		rc = read_module(q, i);
	qsort(q->objects, q->object_count, sizeof(*q->objects), by_name);
	return rc;
}

void sql_objects_free(struct sql_queries *q)
{
	for (size_t i = 0; i < q->object_count; i++)
		sqlite3_free(q->objects[i].name);
	free(q->objects);
}

/* ---- INCLUDE ---- */

/* Why tdat has no module of a name, by how it begins. */
static const char *missing_reason(const char *name)
{
	static const char *const reasons[][2] = {
		{"android.", "it reads data that Android records in addition to ftrace; query "
			     "slice, counter and ftrace_event instead"},
		{"chrome.", "it reads track events of Chrome, which a trace.dat does not have"},
		{"wattson.", "it needs power models of devices; use linux.cpu.frequency and "
			     "linux.cpu.idle instead"},
		{"stacks.", "stacks are in the tables \"ftrace/kernel_stack\" and "
			    "\"ftrace/user_stack\""},
		{"stack_trace.", "stacks are in the tables \"ftrace/kernel_stack\" and "
				 "\"ftrace/user_stack\""},
		{"callstacks.", "stacks are in the tables \"ftrace/kernel_stack\" and "
				"\"ftrace/user_stack\""},
		{"linux.perf.", "stacks are in the tables \"ftrace/kernel_stack\" and "
				"\"ftrace/user_stack\""},
		{"pixel.", "it reads data that Android records in addition to ftrace"},
		{"export.", "use tdat export instead"},
		{"sched.thread_executing", "use the table critical_path, or tdat why, instead"},
		{"sched.runqueue",
		 "Perfetto does not have it either; use sched.thread_level_parallelism"},
		{"graphs.", "use WITH RECURSIVE instead"},
		{"intervals.fill_gaps", "use SPAN_OUTER_JOIN instead"},
		{"slices.flow", "a trace.dat has no flows"},
		{"viz.", "it draws for ui.perfetto.dev; use slices.with_context and "
			 "sched.with_context instead"},
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (!sqlite3_strnicmp(name, reasons[i][0], (int)strlen(reasons[i][0])))
			return reasons[i][1];
	return "docs/sql.md lists the modules that tdat has";
}

/* True if a name is that of the module, or it ends with * and the module begins so. */
static bool fits(const char *name, size_t len, const char *module)
{
	if (len && name[len - 1] == '*')
		return !sqlite3_strnicmp(name, module, (int)len - 1);
	return strlen(module) == len && !sqlite3_strnicmp(name, module, (int)len);
}

/*
 * p is behind MODULE: a name with points, which may end with *. Objects of all modules are made
 * when they are named, so that there is nothing to do but to look for the module.
 */
int sql_include(struct sql_queries *q, const char *p, const char *end)
{
	struct sql_token t = sql_token_skip(p, end), last = t;
	char *name;
	bool any = false;
	int rc = SQLITE_OK;

	p = t.p;
	for (; t.kind != SQL_END; t = sql_token_skip(sql_token_end(t), end))
		last = t;
	name = sqlite3_mprintf("%.*s", (int)(sql_token_end(last) - p), p);
	if (!name)
		return SQLITE_NOMEM;
	q->always = true;
	rc = sql_shape(q, true);
	for (size_t i = 0; !any && i < sql_module_count; i++)
		any = fits(name, strlen(name), sql_module_texts[i].name);
	if (rc == SQLITE_OK && !any)
		rc = sql_refuse(q, "INCLUDE PERFETTO MODULE %.60s: tdat has no such module: %s",
				name, missing_reason(name));
	sqlite3_free(name);
	return rc;
}

/* ---- objects ---- */

/* The first object of a name, of modules that are included or not. */
static size_t first_of(const struct sql_queries *q, const char *name, size_t len)
{
	size_t i;

	TDAT_SEARCH(i, q->object_count,
		    sqlite3_strnicmp(q->objects[i].name, name, (int)len) < 0 ||
			    (!sqlite3_strnicmp(q->objects[i].name, name, (int)len) &&
			     strlen(q->objects[i].name) < len));
	return i;
}

struct sql_object *sql_object_find(const struct sql_queries *q, const char *name, size_t len)
{
	const size_t i = first_of(q, name, len);

	return i < q->object_count && strlen(q->objects[i].name) == len &&
			       !sqlite3_strnicmp(q->objects[i].name, name, (int)len)
		       ? &q->objects[i]
		       : NULL;
}

/* A name of the trace comes first, but where tdat and Perfetto both have the name. */
static bool is_of_trace(const struct sql_queries *q, const char *name)
{
	if (is_shaped(name))
		return !q->perfetto;
	for (size_t i = 0; i < q->trace->name_count; i++)
		if (!q->trace->names[i].is_short && !sqlite3_stricmp(q->trace->names[i].name, name))
			return true;
	return false;
}

static int make_one(struct sql_queries *q, struct sql_object *o)
{
	bool done;
	int rc;

	if (o->made || o->making)
		return SQLITE_OK;
	if (q->nesting >= SQL_NESTING_MOST)
		return sql_refuse(q, "objects are nested more than %d levels deep",
				  SQL_NESTING_MOST);
	q->nesting++;
	o->making = true;
	q->own++;
	rc = sql_make(q, o->text, o->text + o->len, &done);
	q->own--;
	o->making = false;
	o->made = rc == SQLITE_OK;
	q->nesting--;
	return rc;
}

/* Makes an object that is included, with the indexes that follow it. *any: there is one. */
static int make_named(struct sql_queries *q, const char *name, size_t len, bool *any)
{
	struct sql_object *o = sql_object_find(q, name, len);
	const char *const found = o ? o->name : "";
	int rc = SQLITE_OK;

	*any = o && !o->made && !o->making && !is_of_trace(q, found);
	for (; *any && rc == SQLITE_OK && o < q->objects + q->object_count &&
	       !sqlite3_stricmp(o->name, found);
	     o++)
		rc = make_one(q, o);
	return rc;
}

int sql_objects_need(struct sql_queries *q, const char *text, const char *end)
{
	struct sql_token t = sql_token_at(text, end);
	int rc = SQLITE_OK;
	bool any;

	for (; rc == SQLITE_OK && t.kind != SQL_END; t = sql_token_at(sql_token_end(t), end))
		if (t.kind == SQL_WORD)
			rc = make_named(q, t.p, t.len, &any);
	return rc;
}

/* The name that SQLite did not find, in its message; NULL: it is another message. */
static const char *missing_name(const char *message)
{
	static const char *const starts[] = {"no such table: ", "no such function: "};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		const size_t n = strlen(starts[i]);

		if (strncmp(message, starts[i], n) != 0)
			continue;
		message += n;
		return message +
		       5 * (!strncmp(message, "temp.", 5) || !strncmp(message, "main.", 5));
	}
	return NULL;
}

bool sql_make_missing(struct sql_queries *q)
{
	const char *name = missing_name(sqlite3_errmsg(q->db));
	bool any = false;

	return name && make_named(q, name, strlen(name), &any) == SQLITE_OK && any;
}

int sql_prepare_made(struct sql_queries *q, const char *sql, size_t len, sqlite3_stmt **stmt)
{
	int rc;

	*stmt = NULL;
	/* Each turn makes one object more. */
	do
		rc = sqlite3_prepare_v2(q->db, sql, (int)len, stmt, NULL);
	while (rc == SQLITE_ERROR && sql_make_missing(q));
	return rc;
}

int sql_shape(struct sql_queries *q, bool perfetto)
{
	int rc = SQLITE_OK;
	bool any;

	if (!perfetto && q->shaped)
		for (size_t i = 0; rc == SQLITE_OK && i < sizeof(shaped) / sizeof(shaped[0]); i++) {
			sql_object_find(q, shaped[i], strlen(shaped[i]))->made = false;
			rc = sql_run_own(q,
					 sqlite3_mprintf("DROP VIEW IF EXISTS temp.%s", shaped[i]));
		}
	q->perfetto = perfetto;
	if (perfetto && !q->shaped)
		for (size_t i = 0; rc == SQLITE_OK && i < sizeof(shaped) / sizeof(shaped[0]); i++)
			rc = make_named(q, shaped[i], strlen(shaped[i]), &any);
	q->shaped = perfetto;
	return rc;
}

/* True if a name is an object that tdat has no other meaning for. */
static bool is_only_perfetto(const struct sql_queries *q, struct sql_token t)
{
	const struct sql_object *o = sql_object_find(q, t.p, t.len);

	return t.kind == SQL_WORD && o && !is_shaped(o->name) && !is_of_trace(q, o->name);
}

/* True if the table of tdat has a row. */
static bool has_row(struct sql_queries *q, const char *name)
{
	char *sql = sqlite3_mprintf("SELECT 1 FROM \"tdat.%w\" LIMIT 1", name);
	sqlite3_stmt *stmt = NULL;
	bool yes = true;

	if (sql && sqlite3_prepare_v2(q->db, sql, -1, &stmt, NULL) == SQLITE_OK)
		yes = sqlite3_step(stmt) != SQLITE_DONE;
	sqlite3_finalize(stmt);
	sqlite3_free(sql);
	return yes;
}

bool sql_is_left_to_perfetto(struct sql_queries *q, const char *text, const char *end)
{
	static const char *const names[] = {"slice", "counter"};
	struct sql_token t = sql_token_skip(text, end);
	bool table = false;

	for (; t.kind != SQL_END; t = sql_token_skip(sql_token_end(t), end)) {
		for (size_t i = 0; table && i < 2; i++)
			if (sql_token_is(t, names[i]) && !has_row(q, names[i])) {
				q->note = names[i];
				return true;
			}
		table = sql_token_is(t, "FROM") || sql_token_is(t, "JOIN");
	}
	return false;
}

bool sql_is_perfetto(const struct sql_queries *q, const char *text, const char *end)
{
	static const char *const words[] = {"perfetto", "utid",	    "upid",
					    "ucpu",	"track_id", "arg_set_id"};
	struct sql_token t = sql_token_skip(text, end);
	bool table = false;

	for (; t.kind != SQL_END; t = sql_token_skip(sql_token_end(t), end)) {
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (sql_token_is(t, words[i]))
				return true;
		/* Names of tables are names of columns elsewhere, as cpu. */
		if (table && is_only_perfetto(q, t))
			return true;
		table = sql_token_is(t, "FROM") || sql_token_is(t, "JOIN");
	}
	return false;
}

/* ---- what is missing ---- */

char *sql_explain(const char *message)
{
	static const char *const constructs[][2] = {
		{"RUN_METRIC", "metrics are replaced by modules: INCLUDE PERFETTO MODULE"},
		{"EXPERIMENTAL_PROFILE", "tdat flame folds stacks"},
		{"STACK_FROM_STACK_PROFILE_CALLSITE", "tdat flame folds stacks"},
		{"CAT_STACKS", "tdat flame folds stacks"},
		{"experimental_flamegraph", "tdat flame folds stacks"},
	};
	const char *name = strstr(message, ": ");

	if (strncmp(message, "no such ", 8) != 0 || !name)
		return NULL;
	name += 2;
	for (size_t i = 0; i < sizeof(constructs) / sizeof(constructs[0]); i++)
		if (!sqlite3_stricmp(name, constructs[i][0]))
			return sqlite3_mprintf("; %s", constructs[i][1]);
	if (!sqlite3_strnicmp(name, "android_", 8) || !sqlite3_strnicmp(name, "chrome_", 7))
		return sqlite3_mprintf("; it needs more than ftrace records: query slice, counter "
				       "and ftrace_event instead");
	return NULL;
}
