/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the columns that are wanted of a table. Names are searched in the schema as they are
 * written. For event types, of which there may be thousands, columns are chosen only when the
 * first event comes. A column that no table has is an error; one that only some have is left out
 * of the others.
 */
#include "choice.h"

#include <stdlib.h>
#include <string.h>

#include "derived.h"
#include "meta.h"
#include "schema.h"
#include "trace.h"

static bool find_column(const struct table_column *columns, size_t count, const char *name,
			size_t *at)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(columns[i].name, name)) {
			*at = i;
			return true;
		}
	return false;
}

/* Without names: all columns but those made on demand, such as the printed line. */
static size_t choose_all(struct reader_choice *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->all_count; i++)
		if (!c->all[i].on_demand)
			c->columns[n++] = i;
	return n;
}

static bool is_chosen(const struct reader_choice *c, size_t count, size_t column)
{
	for (size_t i = 0; i < count; i++)
		if (c->columns[i] == column)
			return true;
	return false;
}

/* A name that is given twice is one column. */
static size_t choose_named(struct reader_choice *c, const struct tdat_table_opts *opts)
{
	size_t n = 0;

	for (size_t i = 0; i < opts->column_count; i++)
		if (find_column(c->all, c->all_count, opts->columns[i], &c->columns[n]) &&
		    !is_chosen(c, n, c->columns[n]))
			n++;
	return n;
}

/*
 * Finds the table's columns and those that opts name. Columns of kinds META and DERIVED are made
 * here and owned by the choice; a schema belongs to the trace.
 */
enum tdat_status reader_choose(struct reader_choice *c, const struct tdat_trace *trace,
			       const struct tdat_table *table, const struct tdat_table_opts *opts,
			       struct tdat_error *err)
{
	const bool named = opts->columns, with_file = trace->input_count > 1;
	const size_t most = named ? opts->column_count : 0;

	*c = (struct reader_choice){.table = table};
	if (table->kind == TDAT_TABLE_META) {
		c->own = meta_columns(trace->facts[table->index].meta, with_file, trace->wall,
				      &c->all_count);
		c->all = c->own;
	} else if (table->kind == TDAT_TABLE_DERIVED) {
		c->derived = trace->facts[table->index].derived;
		c->own = derived_columns(c->derived, with_file, trace->wall, &c->all_count);
		c->all = c->own;
	} else {
		c->schema = trace_schema(trace, table, err);
		if (!c->schema)
			return TDAT_E_NOMEM;
		c->all = c->schema->columns;
		c->all_count = c->schema->count;
	}
	/* choose_named() writes a candidate behind the last chosen column: one element more. */
	c->columns = c->all ? calloc((most > c->all_count ? most : c->all_count) + 1,
				     sizeof(*c->columns))
			    : NULL;
	if (!c->columns)
		return tdat_error_no_memory(err, table->name);
	c->column_count = named ? choose_named(c, opts) : choose_all(c);
	/* Printing lines is slow: readers make a printer only if a column needs it. */
	for (size_t i = 0; i < c->column_count; i++)
		c->lines |= c->schema && c->all[c->columns[i]].on_demand;
	return TDAT_OK;
}

void reader_choose_later(struct reader_choice *c, const struct tdat_table *table,
			 const struct tdat_table_opts *opts)
{
	*c = (struct reader_choice){.table = table, .later = true};
	/* "text" is returned only if it is named; no field's column has that name. */
	for (size_t i = 0; opts->columns && i < opts->column_count; i++)
		c->lines |= !strcmp(opts->columns[i], "text");
}

/* Marks the names that a table has, and returns how many were not marked before. */
static size_t mark_names(bool *found, const struct table_column *columns, size_t count,
			 const struct tdat_table_opts *opts)
{
	size_t n = 0, at;

	for (size_t i = 0; i < opts->column_count; i++)
		if (!found[i] && find_column(columns, count, opts->columns[i], &at)) {
			found[i] = true;
			n++;
		}
	return n;
}

/*
 * Event types whose columns are found later: their schema is made, searched and freed at once,
 * which bounds the memory.
 */
static enum tdat_status mark_later(size_t *n, bool *found, const struct tdat_trace *trace,
				   const struct reader_choice *c,
				   const struct tdat_table_opts *opts, struct tdat_error *err)
{
	struct table_schema *s = trace_schema_new(trace, c->table, err);

	if (!s)
		return TDAT_E_NOMEM;
	*n += mark_names(found, s->columns, s->count, opts);
	trace_schema_free(s);
	return TDAT_OK;
}

/*
 * Checks names before any event is read, so that a misspelled column fails at once. Stops as soon
 * as every name is found.
 */
enum tdat_status reader_missing(const char **missing, const struct tdat_trace *trace,
				const struct reader_choice *c, size_t count,
				const struct tdat_table_opts *opts, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t n = 0;
	bool *found;

	*missing = NULL;
	if (!opts->columns)
		return TDAT_OK;
	found = calloc(opts->column_count + 1, sizeof(*found));
	if (!found)
		return tdat_error_no_memory(err, "names of columns");
	for (size_t k = 0; k < count && n < opts->column_count && st == TDAT_OK; k++)
		if (c[k].later)
			st = mark_later(&n, found, trace, &c[k], opts, err);
		else
			n += mark_names(found, c[k].all, c[k].all_count, opts);
	for (size_t i = 0; i < opts->column_count && st == TDAT_OK && !*missing; i++)
		if (!found[i])
			*missing = opts->columns[i];
	free(found);
	return st;
}

void reader_choice_fini(struct reader_choice *c)
{
	free(c->columns);
	free(c->own);
	memset(c, 0, sizeof(*c));
}
