/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes values out of record batches of the Arrow C data interface, as lib/table makes them. */
#include "arrow_read.h"

#include <string.h>

struct column {
	char kind; /* the first letter of the format of numbers; '#': texts of a dictionary; 'u' */
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

static struct view_value value_at(const struct ArrowArray *a, const struct column *c, char index,
				  int64_t row)
{
	struct view_value v = {.is_null = true};

	row += a->offset;
	if (!is_valid(a, row))
		return v;
	v.is_null = false;
	if (c->kind == 'u')
		v.text = text_at(a, row);
	else if (c->kind == '#')
		v.text = text_at(a->dictionary, number_at(a, index, row) + a->dictionary->offset);
	else
		v.number = number_at(a, c->kind, row);
	return v;
}

static bool take_batch(const struct view_rows_def *def, const struct ArrowArray *batch,
		       const struct column *columns, const char *index, view_row_fn take, void *ctx)
{
	struct view_value values[VIEW_COLUMNS];

	for (int64_t row = 0; row < batch->length; row++) {
		for (size_t i = 0; i < def->column_count; i++)
			values[i] = value_at(batch->children[i], &columns[i], index[i],
					     row + batch->offset);
		if (!take(ctx, values))
			return false;
	}
	return true;
}

static enum tdat_status read_all(const struct view_rows_def *def, struct ArrowArrayStream *stream,
				 view_row_fn take, void *ctx, struct tdat_error *err)
{
	struct column columns[VIEW_COLUMNS];
	char index[VIEW_COLUMNS];
	struct ArrowSchema schema;
	struct ArrowArray batch;
	bool more = true;

	if (stream->get_schema(stream, &schema))
		return tdat_error_no_memory(err, "columns");
	for (size_t i = 0; i < def->column_count; i++) {
		const struct ArrowSchema *s = schema.children[i];

		columns[i].kind = s->dictionary ? '#' : *s->format;
		index[i] = *s->format;
	}
	schema.release(&schema);
	while (more) {
		if (stream->get_next(stream, &batch)) {
			const char *why = stream->get_last_error(stream);

			return tdat_error_set(err, TDAT_E_DAMAGED, TDAT_NO_OFFSET, "%s",
					      why ? why : "the table cannot be read");
		}
		if (!batch.release)
			break;
		more = take_batch(def, &batch, columns, index, take, ctx) &&
		       !(def->stop && __atomic_load_n(def->stop, __ATOMIC_RELAXED));
		batch.release(&batch);
	}
	return TDAT_OK;
}

enum tdat_status view_rows_read(const struct view_rows_def *def, view_row_fn take, void *ctx,
				struct tdat_error *err)
{
	const struct tdat_table *table = tdat_trace_find(def->trace, def->table);
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct ArrowArrayStream stream;
	enum tdat_status st;

	if (!table)
		return TDAT_OK;
	opts.columns = def->columns;
	opts.column_count = def->column_count;
	opts.filter = def->filter;
	opts.cpus = def->cpus;
	opts.cpu_count = def->cpu_count;
	opts.batch_rows = 4096;
	st = tdat_trace_stream(def->trace, table, &opts, &stream, err);
	if (st != TDAT_OK)
		return st;
	st = read_all(def, &stream, take, ctx, err);
	stream.release(&stream);
	return st;
}
