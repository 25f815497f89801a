/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes tables of a trace, each to a file of its own or all to one. The library reads all tables
 * in one pass (tdat_trace_read) and calls back with batches; here each table has a file that gets
 * its name when it is whole. A table without rows gets no file, unless it is the only one.
 */
#include "commands/export_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "output/selection.h"
#include "tables/table_list.h"
#include "terminal/message.h"

/* The file of a table. Exporters with a file of their own (SQLite) get no file from here. */
static enum tdat_status open_part(void *ctx, const struct tdat_table *table,
				  const struct ArrowSchema *schema, struct export_part *p,
				  struct tdat_error *err)
{
	const struct exporting *x = ctx;
	const char *output = x->args->output ? x->args->output : "-";

	(void)schema;
	if (x->exporter->columns->own_file)
		return TDAT_OK;
	p->path = x->folder ? cli_table_file_name(output, table->name, x->exporter->columns->suffix)
			    : strdup(output);
	return p->path ? cli_table_file_open(&p->file, p->path, x->args->force, err)
		       : tdat_error_no_memory(err, table->name);
}

/* Reports what a derived table left out, unless --quiet is given. */
static void take_note(void *ctx, const struct tdat_table *table, const char *what, uint64_t count)
{
	const struct exporting *x = ctx;

	if (!x->args->quiet)
		cli_left_out(table->name, count, what);
}

/*
 * Says of a derived table that was named and has no rows which events the trace lacks. That is a
 * failure.
 */
static void check_needs(struct exporting *x)
{
	for (size_t i = 0; i < x->args->tables.count; i++) {
		const struct tdat_table *t = tdat_trace_find(x->parts.trace, x->args->tables.v[i]);

		if (t && !x->parts.parts[t->index].rows &&
		    cli_table_lacks(t->name, &t->about, x->inputs, x->input_count,
				    &x->args->filter))
			x->status = CLI_FAILED;
	}
}

/* Tables of the kind META describe the file; they have rows even if no event was chosen. */
static void print_summary(const struct exporting *x)
{
	uint64_t rows = 0, chosen = 0;
	size_t tables = 0, choosing = 0;

	for (size_t i = 0; i < x->parts.table_count; i++) {
		const uint64_t n = x->parts.parts[x->parts.tables[i]->index].rows;
		/* Tables about the file itself have all their rows, whatever is chosen. */
		const bool is_chosen = x->parts.tables[i]->kind != TDAT_TABLE_META;

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
static int check_patterns(const struct exporting *x)
{
	const struct export_args *a = x->args;
	size_t count;
	const struct tdat_table *all = tdat_trace_tables(x->parts.trace, &count);

	for (size_t k = 0; k < a->tables.count; k++) {
		bool found = false;

		for (size_t i = 0; i < count && !found; i++)
			found = export_pattern_has(a->tables.v[k], x->parts.trace, &all[i]);
		if (!found) {
			struct tdat_near near = {.word = a->tables.v[k]};

			for (size_t i = 0; i < count; i++)
				tdat_near_try(&near, all[i].name);
			cli_error(
				NULL, "there is no table '%s'%s", a->tables.v[k],
				tdat_near_hint(&near, "; \"tdat list --tables\" lists the tables"));
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
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_trace_opts trace = TDAT_TRACE_OPTS_INIT;
	const struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;

	x->parts = (struct export_parts){.exporter = x->exporter,
					 .open = open_part,
					 .ctx = x,
					 /* Those with a file of their own take one by one. */
					 .in_order = x->exporter->columns->own_file,
					 .empty_if_only = true,
					 .opts = opts};
	export_args_opts(x->args, x->filter, &trace, &x->parts.opts);
	x->parts.opts.damage = exporting_damage;
	x->parts.opts.damage_ctx = x;
	x->parts.opts.note = take_note;
	x->parts.opts.note_ctx = x;
	request.inputs = x->inputs;
	request.input_count = x->input_count;
	if (make_options(x, &request) != CLI_OK)
		return CLI_FAILED;
	if (export_parts_begin(&x->parts, &request, &trace, export_wants_table, x->args, &err))
		return cli_fail(NULL, &err);
	return check_patterns(x);
}

/* After the first failure every part is given up, so no half of an export appears. */
static int write_tables(struct exporting *x)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st = export_parts_write(&x->parts, &err);

	if (st == TDAT_OK && x->own.made)
		st = cli_table_file_close(&x->own, false, &err);
	if (st != TDAT_OK)
		return cli_fail(NULL, &err);
	exporting_undescribed(x);
	print_summary(x);
	check_needs(x);
	return CLI_OK;
}

int export_tables(struct exporting *x)
{
	const int rc = begin_export(x);

	return rc == CLI_OK ? write_tables(x) : rc;
}
