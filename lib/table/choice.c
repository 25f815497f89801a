/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the columns that are wanted of a table. */
#include "reader.h"

#include <string.h>

#include "derived_pass.h"
#include "meta.h"

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

enum tdat_status reader_choose(struct reader_choice *c, const struct tdat_trace *trace,
			       const struct tdat_table *table, const struct tdat_table_opts *opts,
			       struct tdat_error *err)
{
	const bool named = opts->columns;
	const size_t most = named ? opts->column_count : 0;

	*c = (struct reader_choice){.table = table};
	if (table->kind == TDAT_TABLE_META) {
		c->own = meta_columns(trace, table, &c->all_count);
		c->all = c->own;
	} else if (table->kind == TDAT_TABLE_DERIVED) {
		c->derived = trace->facts[table->index].derived;
		c->own = derived_columns(trace, c->derived, &c->all_count);
		c->all = c->own;
	} else {
		c->schema = trace_schema(trace, table, err);
		if (!c->schema)
			return TDAT_E_NOMEM;
		c->all = c->schema->columns;
		c->all_count = c->schema->count;
	}
	c->columns = c->all ? calloc((most > c->all_count ? most : c->all_count) + 1,
				     sizeof(*c->columns))
			    : NULL;
	if (!c->columns)
		return tdat_error_no_memory(err, table->name);
	c->column_count = named ? choose_named(c, opts) : choose_all(c);
	for (size_t i = 0; i < c->column_count; i++)
		c->lines |= c->schema && c->all[c->columns[i]].on_demand;
	return TDAT_OK;
}

const char *reader_missing(const struct reader_choice *c, size_t count,
			   const struct tdat_table_opts *opts)
{
	for (size_t i = 0; opts->columns && i < opts->column_count; i++) {
		bool found = false;
		size_t at;

		for (size_t k = 0; k < count && !found; k++)
			found = find_column(c[k].all, c[k].all_count, opts->columns[i], &at);
		if (!found)
			return opts->columns[i];
	}
	return NULL;
}

void reader_choice_fini(struct reader_choice *c)
{
	free(c->columns);
	free(c->own);
	memset(c, 0, sizeof(*c));
}
