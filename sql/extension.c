/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the loadable extension of SQLite: CREATE VIRTUAL TABLE ... USING tdat('FILE', 'TABLE'),
 * and tdat_attach('FILE'), which makes all tables of a file in the schema temp. A file is
 * opened once for a connection and shared by its tables. Statements contain only quoted names
 * of a trace. It is compiled against the table of functions that the loading program hands
 * over.
 */
#include <stdlib.h>
#include <string.h>

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "core/build.h"
#include "module.h"

/*
 * A file that a connection has opened. All of its tables share it; the last one frees it
 * (free_files()).
 */
struct attached {
	struct attached *next;
	char *path;
	struct tdat_file *file;
	struct tdat_iter_input input;
	struct tdat_trace *trace;
	struct sql_trace *tables; /* counted */
};

/* The state of one connection: the files and tables that it has opened. */
struct extension {
	struct attached *files;
	struct sql_current *current;
	const struct attached *last; /* of tdat_attach() */
	struct tdat_build made;	     /* names of tables that it has made, each with a NUL */
	sqlite3_module module;
	size_t references; /* of the module and the function */
};

/* ---- files ---- */

/* The free function of sql_trace_def: a is the ctx. */
static void free_files(void *ctx)
{
	struct attached *a = ctx;

	tdat_trace_free(a->trace);
	tdat_file_close(a->file);
	free(a->path);
	free(a);
}

/* SQLite has no other place for warnings than its log. */
static void log_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	const struct attached *a = ctx;

	for (size_t i = 0; i < count; i++)
		sqlite3_log(SQLITE_WARNING, "tdat: %s: CPU %u: %llu damaged pages; the first: %s",
			    a->path, damage[i].cpu, (unsigned long long)damage[i].bad_pages,
			    damage[i].message);
}

/* Opens tolerantly: an extension cannot ask what to do with damage. */
static enum tdat_status open_file(struct attached *a, struct tdat_error *err)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct sql_trace_def def = {.damage = log_damage, .ctx = a, .free = free_files};
	enum tdat_status st;

	opts.tolerate_damage = true;
	st = tdat_file_open(&a->file, a->path, &opts, err);
	if (st != TDAT_OK)
		return st;
	a->input = (struct tdat_iter_input){.file = a->file};
	st = tdat_trace_new(&a->trace, &a->input, 1, NULL, err);
	if (st != TDAT_OK)
		return st;
	def.trace = a->trace;
	def.inputs = &a->input;
	def.input_count = 1;
	return sql_trace_new(&a->tables, &def, err);
}

/* Finds the tables of a file, which is opened once for a connection. */
static enum tdat_status find_file(struct extension *x, const char *path, struct attached **out,
				  struct tdat_error *err)
{
	enum tdat_status st;
	struct attached *a;

	/* Few files are attached to one connection: a linear search suffices. */
	for (a = x->files; a; a = a->next)
		if (!strcmp(a->path, path)) {
			*out = a;
			return TDAT_OK;
		}
	a = calloc(1, sizeof(*a));
	if (!a)
		return tdat_error_no_memory(err, path);
	a->path = strdup(path);
	st = a->path ? open_file(a, err) : tdat_error_no_memory(err, path);
	if (st != TDAT_OK) {
		free_files(a);
		return st;
	}
	a->next = x->files;
	x->files = *out = a;
	return TDAT_OK;
}

/*
 * Drops one reference. With the last one the extension's own hold on its files ends; a file stays
 * open while a table of it is.
 */
static void put_extension(void *ctx)
{
	struct extension *x = ctx;
	struct attached *next;

	if (--x->references)
		return;
	for (struct attached *a = x->files; a; a = next) {
		next = a->next;
		sql_trace_put(a->tables);
	}
	sql_current_put(x->current);
	tdat_build_fini(&x->made);
	free(x);
}

/* ---- CREATE VIRTUAL TABLE ... USING tdat(...) ---- */

/*
 * Returns an argument of the module without quotes, to be freed; NULL: no memory. In the statement
 * it is a name, or a text in quotes.
 */
static char *unquoted(const char *arg)
{
	const size_t len = strlen(arg);
	const char quote = *arg;
	char *out = malloc(len + 1), *to = out;

	/* A name without quotes is copied. */
	if (!out || !len || !strchr("'\"`", quote) || len < 2 || arg[len - 1] != quote) {
		if (out)
			memcpy(out, arg, len + 1);
		return out;
	}
	/* A doubled quote is one character. */
	for (const char *p = arg + 1; p < arg + len - 1; p++) {
		*to++ = *p;
		p += *p == quote && p[1] == quote && p + 1 < arg + len - 1;
	}
	*to = '\0';
	return out;
}

/* Fills *module for a table of a file. An error sets *message, which SQLite frees. */
static int find_table(struct extension *x, const char *path, const char *name,
		      struct sql_module *module, char **message)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct sql_name *names;
	struct attached *a;
	size_t count;

	if (find_file(x, path, &a, &err) != TDAT_OK)
		return sql_failure(message, &err);
	names = sql_trace_names(a->tables, &count);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i].name, name) != 0)
			continue;
		*module = (struct sql_module){a->tables, names[i].table, false, NULL};
		return SQLITE_OK;
	}
	*message = sqlite3_mprintf("%s has no table %s", path, name);
	return SQLITE_ERROR;
}

/* The xCreate and xConnect of tdat. argv[3] and argv[4] are the arguments in parentheses. */
static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out,
		   char **message)
{
	struct sql_module module;
	char *path, *name;
	int rc = SQLITE_NOMEM;

	if (argc != 5 && argc != 4) {
		*message = sqlite3_mprintf(
			"tdat needs a file and a table: tdat('trace.dat', 'sched/sched_switch')");
		return SQLITE_ERROR;
	}
	path = unquoted(argv[3]);
	name = unquoted(argc == 5 ? argv[4] : "events");
	if (path && name)
		rc = find_table(aux, path, name, &module, message);
	/* The table holds its own reference, so the module can go. */
	if (rc == SQLITE_OK)
		rc = sql_table_open(db, &module, out, message);
	free(path);
	free(name);
	return rc;
}

/* ---- tdat_attach(file) ---- */

/* Runs a statement and frees it. NULL: there was no memory for it. */
static int run(sqlite3 *db, char *sql)
{
	const int rc = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	return rc;
}

/* Drops the tables of the file that was attached before; those that the user made stay. */
static int drop_tables(struct extension *x, sqlite3 *db)
{
	int rc = SQLITE_OK;

	for (size_t at = 0; at < x->made.len && rc == SQLITE_OK;) {
		const char *name = (const char *)x->made.ptr + at;

		at += strlen(name) + 1;
		rc = run(db, sqlite3_mprintf("DROP TABLE IF EXISTS temp.\"%w\"", name));
	}
	if (rc == SQLITE_OK)
		x->made.len = 0;
	return rc;
}

/* True if the schema temp has a table of that name: one of the user is not replaced. */
static bool is_there(sqlite3 *db, const char *name)
{
	return !sqlite3_table_column_metadata(db, "temp", name, NULL, NULL, NULL, NULL, NULL, NULL);
}

/* Makes a table for each full name of the file. *count: how many the file has. */
static int make_tables(struct extension *x, sqlite3 *db, const struct attached *a, int64_t *count)
{
	size_t name_count;
	const struct sql_name *names = sql_trace_names(a->tables, &name_count);
	int rc = SQLITE_OK;

	for (size_t i = 0; i < name_count && rc == SQLITE_OK; i++) {
		if (names[i].is_short)
			continue;
		*count += 1;
		if (is_there(db, names[i].name))
			continue;
		/* Only quoted names of the trace are in the statement. */
		rc = run(db, sqlite3_mprintf("CREATE VIRTUAL TABLE temp.\"%w\" USING tdat(%Q, %Q)",
					     names[i].name, a->path, names[i].name));
		/* Remembered, so that the next attach drops these alone. */
		if (rc == SQLITE_OK)
			tdat_build_cstr(&x->made, names[i].name);
	}
	return x->made.failed ? SQLITE_NOMEM : rc;
}

/*
 * tdat_attach(FILE): the number of tables. Attaching another file replaces the tables of the last
 * one.
 */
static void attach(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	struct extension *x = sqlite3_user_data(c);
	sqlite3 *db = sqlite3_context_db_handle(c);
	const char *path = (const char *)sqlite3_value_text(argv[0]);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct attached *a;
	int64_t count = 0;

	(void)argc;
	if (!path) {
		sqlite3_result_error(c, "tdat_attach() needs the name of a file", -1);
		return;
	}
	if (find_file(x, path, &a, &err) != TDAT_OK) {
		sqlite3_result_error(c, err.message, -1);
		return;
	}
	/* Tables of two files may have one name, so those of the last file go first. */
	if (a != x->last && drop_tables(x, db) != SQLITE_OK) {
		sqlite3_result_error(c, sqlite3_errmsg(db), -1);
		return;
	}
	x->last = a;
	/*
	 * Names, views and functions are made first, because no view is made where a table has its
	 * name.
	 */
	if (sql_register(x->current, a->tables, db, &err) != TDAT_OK) {
		sqlite3_result_error(c, err.message, -1);
		return;
	}
	if (sql_perfetto_views(x->current, db) != SQLITE_OK ||
	    make_tables(x, db, a, &count) != SQLITE_OK)
		sqlite3_result_error(c, sqlite3_errmsg(db), -1);
	else
		sqlite3_result_int64(c, count);
}

/* ---- loading ---- */

/* Registers the module and the function. Both share one struct extension. */
static int load(sqlite3 *db, char **message)
{
	struct extension *x = calloc(1, sizeof(*x));
	int rc;

	if (!x)
		return SQLITE_NOMEM;
	/*
	 * sqlite3_vtab_in() and sqlite3_vtab_distinct(), which plan.c calls, came with SQLite 3.38.
	 */
	if (sqlite3_libversion_number() < 3038000) {
		*message = sqlite3_mprintf("tdat needs SQLite 3.38 or later, but this is %s",
					   sqlite3_libversion());
		free(x);
		return SQLITE_ERROR;
	}
	/* One for the module, one for the function. */
	x->references = 2;
	tdat_build_init(&x->made, false);
	x->current = sql_current_new();
	if (!x->current) {
		free(x);
		return SQLITE_NOMEM;
	}
	sql_module_made(&x->module);
	x->module.xCreate = x->module.xConnect = connect;
	/* Each gives its reference back, also when it fails. */
	rc = sqlite3_create_module_v2(db, "tdat", &x->module, x, put_extension);
	if (rc != SQLITE_OK) {
		put_extension(x);
		return rc;
	}
	return sqlite3_create_function_v2(db, "tdat_attach", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, x,
					  attach, NULL, NULL, put_extension);
}

#define ENTRY __attribute__((visibility("default")))

/* The name that sqlite3_load_extension looks for first, and the one that it makes of the file's. */
ENTRY int sqlite3_extension_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);
ENTRY int sqlite3_tdatsqlite_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);

int sqlite3_extension_init(sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
	SQLITE_EXTENSION_INIT2(api);
	return load(db, message);
}

int sqlite3_tdatsqlite_init(sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
	return sqlite3_extension_init(db, message, api);
}
