/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes values out of record batches of the Arrow C data interface, as lib/table makes them. It
 * reads few columns of derived tables and hands rows to a function as plain numbers and texts.
 * Types are the few that lib/table makes: integers, times, truth values, texts and
 * dictionaries. Used by track_read.c.
 */
#include "arrow_read.h"

#include <string.h>

struct column {
	size_t child; /* its place in a batch */
	char kind;  /* the first letter of the format of numbers; '#': texts of a dictionary; 'u' */
	char index; /* of a dictionary: the first letter of the format of its indexes */
};

/* The columns of a table that are read. */
struct reading {
	const struct tdat_table *table; /* NULL: the trace has none */
	struct column columns[VIEW_COLUMNS];
	size_t column_count;
};

struct pass {
	const struct view_rows_def *def;
	struct reading readings[VIEW_TABLES];
	view_row_fn take;
	void *ctx;
	bool enough;
};

static bool is_valid(const struct ArrowArray *a, int64_t row)
{
	const uint8_t *bits = a->null_count ? a->buffers[0] : NULL;

	return !bits || (bits[row / 8] >> (row & 7) & 1);
}

static int64_t number_at(const struct ArrowArray *a, char kind, int64_t row)
{
	const void *p = a->buffers[1];

	switch (kind) {
	case 'c':
		return ((const int8_t *)p)[row];
	case 'C':
		return ((const uint8_t *)p)[row];
	case 's':
		return ((const int16_t *)p)[row];
	case 'S':
		return ((const uint16_t *)p)[row];
	case 'i':
		return ((const int32_t *)p)[row];
	case 'I':
		return ((const uint32_t *)p)[row];
	case 'b':
		return ((const uint8_t *)p)[row / 8] >> (row & 7) & 1;
	default: /* l, L, and times */
		return ((const int64_t *)p)[row];
	}
}

static struct tdat_span text_at(const struct ArrowArray *a, int64_t row)
{
	const int32_t *offsets = a->buffers[1];

	return (struct tdat_span){(const uint8_t *)a->buffers[2] + offsets[row],
				  (size_t)(offsets[row + 1] - offsets[row])};
}

static struct view_value value_at(const struct ArrowArray *a, const struct column *c, int64_t row)
{
	struct view_value v = {.is_null = true};

	row += a->offset;
	if (!is_valid(a, row))
		return v;
	v.is_null = false;
	if (c->kind == 'u')
		v.text = text_at(a, row);
	else if (c->kind == '#')
		v.text =
			text_at(a->dictionary, number_at(a, c->index, row) + a->dictionary->offset);
	else
		v.number = number_at(a, c->kind, row);
	return v;
}

static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *batch, struct tdat_error *err)
{
	struct view_value values[VIEW_COLUMNS];
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
	if (p->def->stop && __atomic_load_n(p->def->stop, __ATOMIC_RELAXED))
		p->enough = true;
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
 * Finds the columns of a table in its batches: these have all columns that are read for any table,
 * in that order, as far as the table has them.
 */
static enum tdat_status place_columns(struct pass *p, size_t at, const char *const *all,
				      size_t count, struct tdat_error *err)
{
	const char *const *names = p->def->tables[at].columns;
	struct reading *r = &p->readings[at];
	struct ArrowSchema schema;
	enum tdat_status st = tdat_trace_schema(p->def->trace, r->table, NULL, &schema, err);

	if (st != TDAT_OK)
		return st;
	for (; r->column_count < VIEW_COLUMNS && names[r->column_count]; r->column_count++) {
		const char *name = names[r->column_count];
		const struct ArrowSchema *s = find_column(&schema, name);
		size_t child = 0;

		if (!s) {
			st = tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
					    "the table %s has no column %s",
					    p->def->tables[at].name, name);
			break;
		}
		for (size_t i = 0; i < count && strcmp(all[i], name); i++)
			child += find_column(&schema, all[i]) != NULL;
		r->columns[r->column_count] =
			(struct column){child, s->dictionary ? '#' : *s->format, *s->format};
	}
	schema.release(&schema);
	return st;
}

/* Adds those columns of a table to all that are read, which others have not asked for. */
static void add_columns(const char **all, size_t *count, const char *const *columns)
{
	for (size_t i = 0; i < VIEW_COLUMNS && columns[i]; i++) {
		size_t at = 0;

		while (at < *count && strcmp(all[at], columns[i]))
			at++;
		if (at == *count)
			all[(*count)++] = columns[i];
	}
}

enum tdat_status view_rows_read(const struct view_rows_def *def, view_row_fn take, void *ctx,
				struct tdat_error *err)
{
	struct pass p = {.def = def, .take = take, .ctx = ctx};
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	const struct tdat_table *tables[VIEW_TABLES];
	const char *columns[VIEW_TABLES * VIEW_COLUMNS];
	enum tdat_status st = TDAT_OK;
	size_t count = 0;

	opts.columns = columns;
	opts.filter = def->filter;
	opts.cpus = def->cpus;
	opts.cpu_count = def->cpu_count;
	opts.batch_rows = 4096;
	opts.threads = 1;
	for (size_t i = 0; i < def->table_count; i++) {
		p.readings[i].table = tdat_trace_find(def->trace, def->tables[i].name);
		if (!p.readings[i].table)
			continue;
		tables[count++] = p.readings[i].table;
		add_columns(columns, &opts.column_count, def->tables[i].columns);
	}
	/* The columns of a table are found when those of all tables are known. */
	for (size_t i = 0; i < def->table_count && st == TDAT_OK; i++)
		if (p.readings[i].table)
			st = place_columns(&p, i, columns, opts.column_count, err);
	if (st == TDAT_OK && count)
		st = tdat_trace_read(def->trace, tables, count, &opts, false, take_rows, &p, err);
	if (st != TDAT_E_CANCELLED || !p.enough)
		return st;
	/* Stopping because there was enough is not a failure, and leaves no sentence. */
	if (err)
		*err = (struct tdat_error)TDAT_ERROR_INIT;
	return TDAT_OK;
}
