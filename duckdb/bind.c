/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Binds a call of read_tdat: takes its parameters, opens its files, and tells DuckDB the columns
 * and about how many rows there are. Times, CPUs, pids and buffers come as named parameters, as the
 * C API passes on no conditions of a query (duckdb/duckdb #25163). The result is a source for
 * read.c.
 */
#include "bind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	duckdb_type type;
	bool of_events; /* tables of what files say of themselves do not have it */
} named[] = {
	{"since", DUCKDB_TYPE_ANY, true},	{"until", DUCKDB_TYPE_ANY, true},
	{"cpu", DUCKDB_TYPE_ANY, true},		{"pid", DUCKDB_TYPE_ANY, true},
	{"buffer", DUCKDB_TYPE_ANY, true},	{"filename", DUCKDB_TYPE_BOOLEAN, false},
	{"text", DUCKDB_TYPE_BOOLEAN, true},	{"damage", DUCKDB_TYPE_VARCHAR, false},
	{"raw_ts", DUCKDB_TYPE_BOOLEAN, false}, {"no_date", DUCKDB_TYPE_BOOLEAN, false},
};

/* A named parameter that is there and not NULL; the caller destroys it. */
static duckdb_value given(duckdb_bind_info info, const char *name)
{
	duckdb_value value = duckdb_bind_get_named_parameter(info, name);

	if (value && duckdb_is_null_value(value))
		duckdb_destroy_value(&value);
	return value;
}

static bool flag(duckdb_bind_info info, const char *name, bool without)
{
	duckdb_value value = given(info, name);
	const bool is_set = value ? duckdb_get_bool(value) : without;

	duckdb_destroy_value(&value);
	return is_set;
}

/* Takes what is asked before files are opened. */
static enum tdat_status take_how(duckdb_bind_info info, struct duck_source *s,
				 struct tdat_error *err)
{
	duckdb_value value = given(info, "damage");
	char *text = value ? duckdb_get_varchar(value) : NULL;
	enum tdat_status st = TDAT_OK;

	s->raw_ts = flag(info, "raw_ts", false);
	s->no_date = flag(info, "no_date", false);
	if (text && strcmp(text, "keep") != 0 && strcmp(text, "error") != 0)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "damage must be 'error' or 'keep', not '%s'", text);
	s->strict = !text || strcmp(text, "keep") != 0;
	duckdb_free(text);
	duckdb_destroy_value(&value);
	return st;
}

/* ---- which rows ---- */

/* Takes since or until as the bound of the times. */
static enum tdat_status take_bound(duckdb_bind_info info, struct duck_source *s, const char *name,
				   int64_t *bound, struct tdat_error *err)
{
	duckdb_value value = given(info, name);
	enum tdat_status st = TDAT_OK;

	if (value) {
		st = duck_take_time(s, value, name, bound, err);
		s->opts.has_span = true;
	}
	duckdb_destroy_value(&value);
	return st;
}

static enum tdat_status take_numbers(duckdb_bind_info info, const char *name, int64_t least,
				     int64_t most, uint32_t **out, size_t *count,
				     struct tdat_error *err)
{
	duckdb_value value = given(info, name);
	enum tdat_status st = TDAT_OK;

	if (value)
		st = duck_take_numbers(value, name, least, most, out, count, err);
	duckdb_destroy_value(&value);
	return st;
}

static enum tdat_status take_buffers(duckdb_bind_info info, struct duck_source *s,
				     struct tdat_error *err)
{
	struct tdat_filter_opts opts = TDAT_FILTER_OPTS_INIT;
	duckdb_value value = given(info, "buffer");
	struct duck_texts names = {.v = NULL};
	enum tdat_status st;

	if (!value)
		return TDAT_OK;
	st = duck_take_texts(value, "buffer", &names, err);
	duckdb_destroy_value(&value);
	if (st == TDAT_OK && !names.count)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "buffer needs a name");
	opts.buffers = (const char *const *)names.v;
	opts.buffer_count = names.count;
	/* Stacks are rows of their own here. */
	opts.stacks = TDAT_STACKS_NONE;
	if (st == TDAT_OK)
		st = tdat_filter_new(&s->filter, &opts, err);
	s->opts.filter = s->filter;
	duck_texts_fini(&names);
	return st;
}

/* Refuses a parameter that has no meaning for the table. */
static enum tdat_status check_named(duckdb_bind_info info, const struct duck_source *s,
				    struct tdat_error *err)
{
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
		duckdb_value value = named[i].of_events && s->table->kind == TDAT_TABLE_META
					     ? given(info, named[i].name)
					     : NULL;

		if (value) {
			duckdb_destroy_value(&value);
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "%s is not a table of events, so %s cannot be used",
					      s->table->name, named[i].name);
		}
	}
	return TDAT_OK;
}

static enum tdat_status take_choice(duckdb_bind_info info, struct duck_source *s,
				    struct tdat_error *err)
{
	uint32_t *cpus = NULL, *pids = NULL;
	enum tdat_status st = check_named(info, s, err);

	s->opts.from_ts = INT64_MIN;
	s->opts.to_ts = INT64_MAX;
	if (st == TDAT_OK)
		st = take_bound(info, s, "since", &s->opts.from_ts, err);
	if (st == TDAT_OK)
		st = take_bound(info, s, "until", &s->opts.to_ts, err);
	if (st == TDAT_OK && s->opts.from_ts > s->opts.to_ts)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "until, %lld, is earlier than since, %lld",
				    (long long)s->opts.to_ts, (long long)s->opts.from_ts);
	if (st == TDAT_OK)
		st = take_numbers(info, "cpu", 0, UINT32_MAX, &cpus, &s->opts.cpu_count, err);
	s->opts.cpus = cpus;
	if (st == TDAT_OK)
		st = take_numbers(info, "pid", INT32_MIN, INT32_MAX, &pids, &s->opts.pid_count,
				  err);
	s->opts.pids = (const int32_t *)pids;
	if (st == TDAT_OK)
		st = take_buffers(info, s, err);
	return st;
}

/* ---- columns ---- */

/* Remembers a column by its place, and tells DuckDB of it. */
static enum tdat_status add_column(duckdb_bind_info info, struct duck_source *s, const char *name,
				   duckdb_logical_type type, struct tdat_error *err)
{
	char *copy = type ? strdup(name) : NULL;

	if (!copy) {
		duckdb_destroy_logical_type(&type);
		return tdat_error_no_memory(err, "columns");
	}
	s->columns[s->column_count++] = copy;
	duckdb_bind_add_result_column(info, name, type);
	duckdb_destroy_logical_type(&type);
	return TDAT_OK;
}

static bool has_column(const struct duck_source *s, const char *name)
{
	for (size_t i = 0; i < s->column_count; i++)
		if (!strcasecmp(s->columns[i], name))
			return true;
	return false;
}

/* Adds the column of file names, under the first name that is free. */
static enum tdat_status add_path_column(duckdb_bind_info info, struct duck_source *s,
					struct tdat_error *err)
{
	char name[32] = "filename";

	/* There are at most as many names as columns. */
	for (unsigned int n = 2; has_column(s, name); n++)
		snprintf(name, sizeof(name), "filename_%u", n);
	s->path_column = s->column_count;
	return add_column(info, s, name, duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR), err);
}

/* Adds the columns of the schema. The column `file` of several files gives way to that of their
 * names. */
static enum tdat_status add_columns(duckdb_bind_info info, struct duck_source *s, bool has_path,
				    const struct ArrowSchema *schema, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	s->columns = calloc((size_t)schema->n_children + 2, sizeof(*s->columns));
	if (!s->columns)
		return tdat_error_no_memory(err, "columns");
	for (int64_t i = 0; i < schema->n_children && st == TDAT_OK; i++) {
		const struct ArrowSchema *c = schema->children[i];

		if (!has_path || s->input_count == 1 || strcmp(c->name, "file") != 0)
			st = add_column(info, s, c->name, duck_type(c), err);
	}
	if (st == TDAT_OK && flag(info, "text", false) && !has_column(s, "text"))
		st = add_column(info, s, "text", duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR),
				err);
	return st == TDAT_OK && has_path ? add_path_column(info, s, err) : st;
}

/* Files by a list or a pattern have a column with their names, unless it is not wanted. */
static enum tdat_status bind_all(duckdb_bind_info info, struct duck_source *s,
				 struct tdat_error *err)
{
	duckdb_value paths = duckdb_bind_get_parameter(info, 0);
	duckdb_value table = duckdb_bind_get_parameter(info, 1);
	char *name = table && !duckdb_is_null_value(table) ? duckdb_get_varchar(table) : NULL;
	enum tdat_status st = take_how(info, s, err);
	struct ArrowSchema schema = {.release = NULL};
	bool has_path = false;

	if (st == TDAT_OK && !name)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "the second parameter must be the name of a table");
	if (st == TDAT_OK)
		st = duck_source_open(s, paths, err);
	if (st == TDAT_OK)
		st = duck_source_find(s, name, err);
	if (st == TDAT_OK)
		st = take_choice(info, s, err);
	if (st == TDAT_OK)
		st = tdat_trace_schema(s->trace, s->table, NULL, &schema, err);
	if (st == TDAT_OK)
		has_path = flag(info, "filename", duck_is_several(paths));
	if (st == TDAT_OK)
		st = add_columns(info, s, has_path, &schema, err);
	if (schema.release)
		schema.release(&schema);
	duckdb_free(name);
	duckdb_destroy_value(&table);
	duckdb_destroy_value(&paths);
	return st;
}

void duck_bind(duckdb_bind_info info)
{
	struct duck_source *s = duck_source_new();
	struct tdat_error err = TDAT_ERROR_INIT;

	if (!s) {
		duckdb_bind_set_error(info, "read_tdat: no memory for a source");
		return;
	}
	if (bind_all(info, s, &err) != TDAT_OK) {
		tdat_error_prefix(&err, "read_tdat");
		duckdb_bind_set_error(info, err.message);
		duck_source_put(s);
		return;
	}
	duckdb_bind_set_cardinality(info, duck_source_rows(s), false);
	duckdb_bind_set_bind_data(info, s, duck_source_put);
}

void duck_bind_parameters(duckdb_table_function f)
{
	duckdb_logical_type any = duckdb_create_logical_type(DUCKDB_TYPE_ANY);
	duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);

	duckdb_table_function_add_parameter(f, any);
	duckdb_table_function_add_parameter(f, text);
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		duck_add_named(f, named[i].name, named[i].type);
	duckdb_destroy_logical_type(&any);
	duckdb_destroy_logical_type(&text);
}
