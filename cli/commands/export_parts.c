/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes tables of a trace, each to a part. The library reads all tables in one pass
 * (tdat_trace_read) and calls back with batches; a part is begun with its first one, and its file
 * gets its name when it is whole. export_tables.c and export_lake_file.c say where files lie.
 */
#include "commands/export_parts.h"

#include <stdlib.h>

/* Exporters with a file of their own (SQLite) get none from here. */
static enum tdat_status begin_part(struct export_parts *x, const struct tdat_table *table,
				   struct export_part *p, struct tdat_error *err)
{
	const struct tdat_columns_ops *ops = x->exporter->columns;
	const struct ArrowSchema *full;
	struct ArrowSchema schema;
	enum tdat_status st = tdat_trace_schema(x->trace, table, &x->opts, &schema, err);

	if (st != TDAT_OK)
		return st;
	st = x->open(x->ctx, table, &schema, p, err);
	if (st == TDAT_OK) {
		full = p->shape ? lake_shape_schema(p->shape, &schema) : &schema;
		full = p->constants.count ? cli_constants_schema(&p->constants, full) : full;
		st = full ? ops->table_begin(tdat_export_ctx(x->export), table->name, full,
					     cli_table_file_write, &p->file, &p->state, err)
			  : tdat_error_no_memory(err, table->name);
	}
	if (st == TDAT_OK && TDAT_HAS(ops, reads_back) && p->file.made)
		ops->reads_back(p->state, cli_table_file_read, &p->file);
	schema.release(&schema);
	return st;
}

/* Called with each batch of a table, on one thread at a time. */
static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct export_parts *x = ctx;
	struct export_part *p = &x->parts[table->index];
	enum tdat_status st = p->state ? TDAT_OK : begin_part(x, table, p, err);

	if (st != TDAT_OK)
		return st;
	p->rows += (uint64_t)rows->length;
	/* Exporters bound their buffers by the number of tables that are written at once. */
	if (TDAT_HAS(x->exporter->columns, share))
		x->exporter->columns->share(p->state, p->sharers);
	if (p->shape)
		rows = lake_shape_rows(p->shape, rows);
	if (rows && p->constants.count)
		rows = cli_constants_rows(&p->constants, rows);
	return rows ? x->exporter->columns->batch(p->state, rows, err)
		    : tdat_error_no_memory(err, table->name);
}

static void take_sharers(void *ctx, const struct tdat_table *table, uint32_t count)
{
	struct export_parts *x = ctx;

	x->parts[table->index].sharers = count;
}

/* Ends a part, whole or given up. Its path stays, for lists of what was written. */
static enum tdat_status end_part(struct export_parts *x, const struct tdat_table *table,
				 bool give_up, struct tdat_error *err)
{
	struct export_part *p = &x->parts[table->index];
	enum tdat_status st = TDAT_OK, closed = TDAT_OK;

	if (!p->state && !give_up && x->empty_if_only && x->table_count == 1)
		st = begin_part(x, table, p, err);
	if (p->state) {
		const enum tdat_status ended = x->exporter->columns->table_end(
			p->state, give_up || st != TDAT_OK, st == TDAT_OK ? err : NULL);

		st = st == TDAT_OK ? ended : st;
	}
	p->state = NULL;
	if (p->file.path)
		closed = cli_table_file_close(&p->file, give_up || st != TDAT_OK,
					      st == TDAT_OK ? err : NULL);
	cli_constants_fini(&p->constants);
	lake_shape_free(p->shape);
	p->shape = NULL;
	return st == TDAT_OK ? closed : st;
}

enum tdat_status export_parts_begin(struct export_parts *x,
				    const struct tdat_export_request *request,
				    const struct tdat_trace_opts *trace,
				    bool (*wanted)(const void *ctx, const struct tdat_trace *trace,
						   const struct tdat_table *table),
				    const void *wanted_ctx, struct tdat_error *err)
{
	const struct tdat_table *all;
	enum tdat_status st =
		tdat_trace_new(&x->trace, request->inputs, request->input_count, trace, err);
	size_t count;

	x->opts.sharers = take_sharers;
	x->opts.sharers_ctx = x;
	if (st == TDAT_OK)
		st = tdat_export_new(&x->export, x->exporter, request, err);
	if (st != TDAT_OK)
		return st;
	all = tdat_trace_tables(x->trace, &count);
	x->tables = calloc(count + 1, sizeof(*x->tables));
	x->parts = calloc(count + 1, sizeof(*x->parts));
	if (!x->tables || !x->parts)
		return tdat_error_no_memory(err, "an export");
	for (size_t i = 0; i < count; i++)
		if (wanted(wanted_ctx, x->trace, &all[i]))
			x->tables[x->table_count++] = &all[i];
	return TDAT_OK;
}

enum tdat_status export_parts_write(struct export_parts *x, struct tdat_error *err)
{
	struct tdat_span tail;
	enum tdat_status st = tdat_trace_read(x->trace, x->tables, x->table_count, &x->opts,
					      x->in_order, take_rows, x, err);

	for (size_t i = 0; i < x->table_count; i++) {
		const enum tdat_status one =
			end_part(x, x->tables[i], st != TDAT_OK, st == TDAT_OK ? err : NULL);

		st = st == TDAT_OK ? one : st;
	}
	return st == TDAT_OK ? tdat_export_end(x->export, &tail, err) : st;
}

void export_parts_fini(struct export_parts *x)
{
	for (size_t i = 0; i < x->table_count; i++)
		free(x->parts[x->tables[i]->index].path);
	tdat_export_free(x->export);
	tdat_trace_free(x->trace);
	free(x->tables);
	free(x->parts);
	x->export = NULL;
	x->trace = NULL;
	x->tables = NULL;
	x->parts = NULL;
	x->table_count = 0;
}
