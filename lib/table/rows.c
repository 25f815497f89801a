/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes rows of tables out of record batches, as plain numbers and texts (include/tdat/rows.h).
 * Columns are asked for by name; batches of all tables have the columns that any of them is asked
 * for, as far as they have them. Types are the few that lib/table makes: integers, times, truth
 * values, texts and dictionaries.
 */
#include <tdat/rows.h>

#include <string.h>

#include "core/arrow_value.h"
#include "core/opts.h"

/* Where a column lies in a batch, and how its values are stored. */
struct column {
	size_t child; /* its place in a batch */
	char kind;  /* the first letter of the format of numbers; '#': texts of a dictionary; 'u' */
	char index; /* of a dictionary: the first letter of the format of its indexes */
};

/* The columns of a table that are read. */
struct reading {
	const struct tdat_table *table;
	struct column columns[TDAT_ROWS_COLUMNS];
	size_t column_count;
};

/* One call of tdat_trace_rows(). */
struct pass {
	struct reading readings[TDAT_ROWS_TABLES];
	tdat_row_fn take;
	void *ctx;
	bool enough;
};

/* Reads one value. Offsets of arrays are added, since the interface allows them. */
static struct tdat_value value_at(const struct ArrowArray *a, const struct column *c, int64_t row)
{
	struct tdat_value v = {.is_null = true};

	row += a->offset;
	if (tdat_arrow_is_null(a, row))
		return v;
	v.is_null = false;
	if (c->kind == 'u')
		v.text = tdat_arrow_text(a, row);
	else if (c->kind == '#')
		v.text = tdat_arrow_text(a->dictionary,
					 tdat_arrow_number(c->index, a->buffers[1], row) +
						 a->dictionary->offset);
	else
		v.number = tdat_arrow_number(c->kind, a->buffers[1], row);
	return v;
}

/* Calls the function for each row, in order; it ends the pass by returning false. */
static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *batch, struct tdat_error *err)
{
	struct tdat_value values[TDAT_ROWS_COLUMNS];
	struct pass *p = ctx;
	size_t at = 0;

	while (p->readings[at].table != table)
		at++;
	for (int64_t row = 0; row < batch->length && !p->enough; row++) {
		const struct reading *r = &p->readings[at];

		for (size_t i = 0; i < r->column_count; i++)
			values[i] = value_at(batch->children[r->columns[i].child], &r->columns[i],
					     row + batch->offset);
		p->enough = !p->take(p->ctx, at, values);
	}
	return p->enough ? tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET, "enough")
			 : TDAT_OK;
}

static const struct ArrowSchema *find_column(const struct ArrowSchema *schema, const char *name)
{
	for (int64_t i = 0; i < schema->n_children; i++)
		if (!strcmp(schema->children[i]->name, name))
			return schema->children[i];
	return NULL;
}

/*
 * Finds the columns of a table in its batches, which have the columns of all tables that this one
 * has, in the order of all.
 */
static enum tdat_status place_columns(struct reading *r, const struct tdat_trace *trace,
				      const char *const *names, const char *const *all,
				      size_t count, struct tdat_error *err)
{
	struct ArrowSchema schema;
	enum tdat_status st = tdat_trace_schema(trace, r->table, NULL, &schema, err);

	if (st != TDAT_OK)
		return st;
	for (; st == TDAT_OK && names[r->column_count]; r->column_count++) {
		const char *name = names[r->column_count];
		const struct ArrowSchema *s = find_column(&schema, name);
		size_t child = 0;

		for (size_t i = 0; i < count && strcmp(all[i], name); i++)
			child += find_column(&schema, all[i]) != NULL;
		if (s)
			r->columns[r->column_count] = (struct column){
				child, s->dictionary ? '#' : *s->format, *s->format};
		else
			st = tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
					    "the table %s has no column %s", r->table->name, name);
	}
	schema.release(&schema);
	return st;
}

/* Adds a table's columns to the list of all that are read, each name once. False: too many. */
static bool add_columns(const char **all, size_t *count, const char *const *columns)
{
	for (size_t i = 0; columns[i]; i++) {
		size_t at = 0;

		if (i == TDAT_ROWS_COLUMNS)
			return false;
		while (at < *count && strcmp(all[at], columns[i]))
			at++;
		if (at == *count)
			all[(*count)++] = columns[i];
	}
	return true;
}

/*
 * Reads rows of several tables as plain values. Rows come in the order of the trace; tables whose
 * pointer is NULL are left out.
 */
enum tdat_status tdat_trace_rows(const struct tdat_trace *trace,
				 const struct tdat_rows_table *tables, size_t count,
				 const struct tdat_table_opts *opts, tdat_row_fn take, void *ctx,
				 struct tdat_error *err)
{
	struct pass p = {.take = take, .ctx = ctx};
	struct tdat_table_opts own = TDAT_TABLE_OPTS_INIT;
	const struct tdat_table *read[TDAT_ROWS_TABLES];
	const char *columns[TDAT_ROWS_TABLES * TDAT_ROWS_COLUMNS];
	bool fits = count <= TDAT_ROWS_TABLES;
	enum tdat_status st = TDAT_OK;
	size_t n = 0;

	tdat_opts_copy(&own, sizeof(own), opts);
	own.columns = columns;
	own.column_count = 0;
	for (size_t i = 0; i < count && fits; i++) {
		if (!tables[i].table)
			continue;
		p.readings[i].table = read[n++] = tables[i].table;
		fits = add_columns(columns, &own.column_count, tables[i].columns);
	}
	if (!fits)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "at most %d tables with %d columns each can be read at once",
				      TDAT_ROWS_TABLES, TDAT_ROWS_COLUMNS);
	/* The columns of a table are found when those of all tables are known. */
	for (size_t i = 0; i < count && st == TDAT_OK; i++)
		if (tables[i].table)
			st = place_columns(&p.readings[i], trace, tables[i].columns, columns,
					   own.column_count, err);
	if (st == TDAT_OK && n)
		st = tdat_trace_read(trace, read, n, &own, true, take_rows, &p, err);
	if (st != TDAT_E_CANCELLED || !p.enough)
		return st;
	/* Stopping because there was enough is not a failure, and leaves no sentence. */
	if (err)
		*err = (struct tdat_error)TDAT_ERROR_INIT;
	return TDAT_OK;
}
