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

/* What is asked of the columns of each table: first the names that it has, then near ones. */
struct search {
	const struct tdat_table_opts *opts;
	bool *found;		/* by name */
	size_t count;		/* of those found */
	struct tdat_near *near; /* of a name that none has; its word is NULL before */
};

static void search_columns(struct search *s, const struct table_column *columns, size_t count)
{
	size_t at;

	for (size_t i = 0; s->near->word && i < count; i++)
		tdat_near_try(s->near, columns[i].name);
	for (size_t i = 0; !s->near->word && i < s->opts->column_count; i++)
		if (!s->found[i] && find_column(columns, count, s->opts->columns[i], &at)) {
			s->found[i] = true;
			s->count++;
		}
}

/*
 * Event types whose columns are found later: their schema is made, searched and freed at once,
 * which bounds the memory.
 */
static enum tdat_status search_table(struct search *s, const struct tdat_trace *trace,
				     const struct reader_choice *c, struct tdat_error *err)
{
	struct table_schema *schema;

	if (!c->later) {
		search_columns(s, c->all, c->all_count);
		return TDAT_OK;
	}
	schema = trace_schema_new(trace, c->table, err);
	if (!schema)
		return TDAT_E_NOMEM;
	search_columns(s, schema->columns, schema->count);
	trace_schema_free(schema);
	return TDAT_OK;
}

/*
 * Checks names before any event is read, so that a misspelled column fails at once. Stops as soon
 * as every name is found.
 */
enum tdat_status reader_missing(struct tdat_near *missing, const struct tdat_trace *trace,
				const struct reader_choice *c, size_t count,
				const struct tdat_table_opts *opts, struct tdat_error *err)
{
	struct search s = {opts, NULL, 0, missing};
	enum tdat_status st = TDAT_OK;

	*missing = (struct tdat_near){.word = NULL};
	if (!opts->columns)
		return TDAT_OK;
	s.found = calloc(opts->column_count + 1, sizeof(*s.found));
	if (!s.found)
		return tdat_error_no_memory(err, "names of columns");
	for (size_t k = 0; k < count && s.count < opts->column_count && st == TDAT_OK; k++)
		st = search_table(&s, trace, &c[k], err);
	for (size_t i = 0; i < opts->column_count && st == TDAT_OK && !missing->word; i++)
		if (!s.found[i])
			missing->word = opts->columns[i];
	for (size_t k = 0; k < count && missing->word && st == TDAT_OK; k++)
		st = search_table(&s, trace, &c[k], err);
	free(s.found);
	return st;
}

bool reader_offers(const struct tdat_trace *trace, const struct tdat_table *table,
		   struct tdat_near *near)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct reader_choice c;
	bool known = false;

	opts.columns = &near->word;
	opts.column_count = 1;
	if (reader_choose(&c, trace, table, &opts, NULL) == TDAT_OK) {
		known = c.column_count;
		for (size_t i = 0; i < c.all_count; i++)
			tdat_near_try(near, c.all[i].name);
	}
	reader_choice_fini(&c);
	return known;
}

void reader_choice_fini(struct reader_choice *c)
{
	free(c->columns);
	free(c->own);
	memset(c, 0, sizeof(*c));
}
