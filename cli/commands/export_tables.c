/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes tables of a trace, each to a file of its own or all to one. The library reads all tables
 * in one pass (tdat_trace_read) and calls back with batches; here each table has a file that gets
 * its name when it is whole. A table without rows gets no file, unless it is the only one.
 */
#include "commands/export_tables.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output/selection.h"
#include "terminal/message.h"

/* The part of one table that is being written. */
struct export_part {
	void *state; /* of the exporter; NULL: no row came yet */
	char *path;
	struct cli_table_file file;
	uint64_t rows;
	uint32_t sharers; /* tables that have rows, when its next batch comes */
};

/*
 * Opens the file of a table and begins it in the exporter. Exporters with a file of their own
 * (SQLite) get no file from here.
 */
static enum tdat_status begin_part(struct exporting *x, const struct tdat_table *table,
				   struct export_part *p, struct tdat_error *err)
{
	const struct tdat_columns_ops *ops = x->exporter->columns;
	const char *output = x->args->output ? x->args->output : "-";
	struct ArrowSchema schema;
	enum tdat_status st;

	if (!ops->own_file) {
		p->path = x->folder ? cli_table_file_name(output, table->name, ops->suffix)
				    : strdup(output);
		st = p->path ? cli_table_file_open(&p->file, p->path, x->args->force, err)
			     : tdat_error_no_memory(err, table->name);
		if (st != TDAT_OK)
			return st;
	}
	st = tdat_trace_schema(x->trace, table, &x->opts, &schema, err);
	if (st != TDAT_OK)
		return st;
	st = ops->table_begin(tdat_export_ctx(x->export), table->name, &schema,
			      cli_table_file_write, &p->file, &p->state, err);
	if (st == TDAT_OK && TDAT_HAS(ops, reads_back) && p->file.made)
		ops->reads_back(p->state, cli_table_file_read, &p->file);
	schema.release(&schema);
	return st;
}

/* Called with each batch of a table. The part begins with the first one. */
static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct exporting *x = ctx;
	struct export_part *p = &x->parts[table->index];
	enum tdat_status st = p->state ? TDAT_OK : begin_part(x, table, p, err);

	p->rows += (uint64_t)rows->length;
	if (st == TDAT_OK && TDAT_HAS(x->exporter->columns, share))
		x->exporter->columns->share(p->state, p->sharers);
	return st == TDAT_OK ? x->exporter->columns->batch(p->state, rows, err) : st;
}

/*
 * The reader's estimate of how many tables share memory with this one; exporters use it to bound
 * their buffers.
 */
static void take_sharers(void *ctx, const struct tdat_table *table, uint32_t count)
{
	struct exporting *x = ctx;

	x->parts[table->index].sharers = count;
}

/*
 * Ends the part of a table. The only table that was asked for gets its file also without rows, so a
 * script finds it.
 */
static enum tdat_status end_part(struct exporting *x, const struct tdat_table *table, bool give_up,
				 struct tdat_error *err)
{
	struct export_part *p = &x->parts[table->index];
	enum tdat_status st = TDAT_OK, closed;

	if (!p->state && !give_up && x->table_count == 1)
		st = begin_part(x, table, p, err);
	if (p->state) {
		const enum tdat_status ended = x->exporter->columns->table_end(
			p->state, give_up || st != TDAT_OK, st == TDAT_OK ? err : NULL);

		st = st == TDAT_OK ? ended : st;
	}
	p->state = NULL;
	closed = p->file.path ? cli_table_file_close(&p->file, give_up || st != TDAT_OK,
						     st == TDAT_OK ? err : NULL)
			      : TDAT_OK;
	free(p->path);
	p->path = NULL;
	return st == TDAT_OK ? closed : st;
}

/* Reports what a derived table left out, unless --quiet is given. */
static void take_note(void *ctx, const struct tdat_table *table, const char *what, uint64_t count)
{
	const struct exporting *x = ctx;

	if (!x->args->quiet)
		cli_left_out(table->name, count, what);
}

/* Tables of the kind META describe the file; they have rows even if no event was chosen. */
static void print_summary(const struct exporting *x)
{
	uint64_t rows = 0, chosen = 0;
	size_t tables = 0, choosing = 0;

	for (size_t i = 0; i < x->table_count; i++) {
		const uint64_t n = x->parts[x->tables[i]->index].rows;
		/* Tables about the file itself have all their rows, whatever is chosen. */
		const bool is_chosen = x->tables[i]->kind != TDAT_TABLE_META;

		rows += n;
		tables += n != 0;
		chosen += is_chosen ? n : 0;
		choosing += is_chosen;
	}
	if (!rows || (choosing && !chosen))
		cli_selection_warn(NULL, &x->args->filter, &x->args->cpus, x->inputs,
				   x->input_count);
	if (!x->args->quiet && x->args->output && strcmp(x->args->output, "-") != 0)
		cli_error(x->args->output, "%" PRIu64 " row%s in %zu table%s", rows,
			  rows == 1 ? "" : "s", tables, tables == 1 ? "" : "s");
}

/* A pattern of --table that matches nothing is a failure, since it is probably misspelled. */
static int choose_tables(struct exporting *x)
{
	const struct export_args *a = x->args;
	size_t count;
	const struct tdat_table *all = tdat_trace_tables(x->trace, &count);

	x->tables = calloc(count + 1, sizeof(*x->tables));
	x->parts = calloc(count + 1, sizeof(*x->parts));
	if (!x->tables || !x->parts)
		return cli_nomem();
	for (size_t i = 0; i < count; i++)
		if (export_wants_table(a, &all[i]))
			x->tables[x->table_count++] = &all[i];
	for (size_t k = 0; k < a->tables.count; k++) {
		bool found = false;

		for (size_t i = 0; i < count && !found; i++)
			found = !fnmatch(a->tables.v[k], all[i].name, 0);
		if (!found) {
			cli_error(NULL, "no table is called '%s'", a->tables.v[k]);
			return CLI_FAILED;
		}
	}
	return CLI_OK;
}

/* ---- the export ---- */

static bool has_option(const struct export_args *a, const char *key)
{
	for (size_t i = 0; i < a->option_count; i++)
		if (!strcmp(a->options[i].key, key))
			return true;
	return false;
}

/*
 * Collects the options for the exporter: those of the user, and those that the output implies. An
 * exporter that writes its file itself gets a temporary name for it.
 */
static int make_options(struct exporting *x, struct tdat_export_request *request)
{
	const struct export_args *a = x->args;
	struct tdat_error err = TDAT_ERROR_INIT;

	/* Room for the options that are added below. */
	x->options = calloc(a->option_count + 8, sizeof(*x->options));
	if (!x->options)
		return cli_nomem();
	for (size_t i = 0; i < a->option_count; i++)
		x->options[i] = a->options[i];
	request->options = x->options;
	request->option_count = a->option_count;
	/* A file of Arrow is read from its end, which a reader of a pipe cannot do. */
	if (!strcmp(x->exporter->name, "arrow") &&
	    cli_table_file_is_stream(a->output ? a->output : "-") && !has_option(a, "container"))
		x->options[request->option_count++] =
			(struct tdat_keyed_option){"container", "stream"};
	if (!x->exporter->columns->own_file)
		return CLI_OK;
	if (cli_table_file_reserve(&x->own, a->output, a->force, &err))
		return cli_fail(NULL, &err);
	x->options[request->option_count++] =
		(struct tdat_keyed_option){"path", cli_unfinished_name(x->own.made)};
	return CLI_OK;
}

/* Makes the trace and the exporter, and chooses tables. Nothing is read yet. */
static int begin_export(struct exporting *x)
{
	const struct export_args *a = x->args;
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_trace_opts trace = TDAT_TRACE_OPTS_INIT;
	const struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;

	trace.raw_ts = a->raw_ts;
	trace.no_date = a->no_date;
	trace.pairs = a->pairs.v;
	trace.pair_count = a->pairs.count;
	if (tdat_trace_new(&x->trace, x->inputs, x->input_count, &trace, &err))
		return cli_fail(NULL, &err);
	x->opts = opts;
	x->opts.columns = a->columns.count ? a->columns.v : NULL;
	x->opts.column_count = a->columns.count;
	x->opts.filter = x->filter;
	x->opts.cpus = a->cpus.count ? a->cpus.v : NULL;
	x->opts.cpu_count = a->cpus.count;
	x->opts.threads = (uint32_t)a->threads;
	x->opts.damage = exporting_damage;
	x->opts.damage_ctx = x;
	x->opts.note = take_note;
	x->opts.note_ctx = x;
	x->opts.sharers = take_sharers;
	x->opts.sharers_ctx = x;
	request.inputs = x->inputs;
	request.input_count = x->input_count;
	if (make_options(x, &request) != CLI_OK)
		return CLI_FAILED;
	if (tdat_export_new(&x->export, x->exporter, &request, &err))
		return cli_fail(NULL, &err);
	return choose_tables(x);
}

/*
 * Reads and writes all tables. After the first failure every part is given up, so no half of an
 * export appears.
 */
static int write_tables(struct exporting *x)
{
	/* Exporters with a file of their own take tables one after the other. */
	const bool in_order = x->exporter->columns->own_file;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_span tail;
	enum tdat_status st = tdat_trace_read(x->trace, x->tables, x->table_count, &x->opts,
					      in_order, take_rows, x, &err);

	for (size_t i = 0; i < x->table_count; i++) {
		struct tdat_error mine = TDAT_ERROR_INIT;
		const enum tdat_status one = end_part(x, x->tables[i], st != TDAT_OK, &mine);

		if (one == TDAT_OK || st != TDAT_OK)
			continue;
		st = one;
		err = mine;
	}
	if (st == TDAT_OK)
		st = tdat_export_end(x->export, &tail, &err);
	if (st == TDAT_OK && x->own.made)
		st = cli_table_file_close(&x->own, false, &err);
	if (st != TDAT_OK)
		return cli_fail(NULL, &err);
	exporting_undescribed(x);
	print_summary(x);
	return CLI_OK;
}

int export_tables(struct exporting *x)
{
	const int rc = begin_export(x);

	return rc == CLI_OK ? write_tables(x) : rc;
}
