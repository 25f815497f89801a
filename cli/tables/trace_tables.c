/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the files of a command as one trace, and reads tables of it. latency, profile, flame
 * and stat --by share it: opening, options, one pass over some tables with some columns, and
 * reporting of damage and notes.
 */
#include "input/damage.h"
#include "tables/trace_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "args/nearest.h"
#include "core/grow.h"
#include "safety/own_input.h"
#include "terminal/message.h"

int cli_table_expr(void *values, const struct cli_opt *opt, const char *value)
{
	struct cli_table_args *a = values;

	(void)opt;
	return cli_filter_expr(&a->filter, value);
}

int cli_table_negate(void *values, const struct cli_opt *opt, const char *value)
{
	struct cli_table_args *a = values;

	(void)opt;
	(void)value;
	return cli_filter_negate(&a->filter);
}

void cli_table_args_fini(struct cli_table_args *a)
{
	cli_cpus_fini(&a->cpus);
	cli_list_fini(&a->pairs);
	cli_filter_fini(&a->filter);
}

/* ---- opening ---- */

static int parse_files(struct cli_trace *t)
{
	const int rc = cli_files_parse_all(&t->files, &t->args->limits, &t->inputs, &t->input_count,
					   &t->status);

	t->seconds = !t->args->raw_ts;
	for (size_t i = 0; i < t->input_count; i++)
		t->seconds &= tdat_file_shows_seconds(t->inputs[i].file);
	return rc;
}

static int make_trace(struct cli_trace *t)
{
	struct tdat_trace_opts opts = TDAT_TRACE_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;

	opts.raw_ts = t->args->raw_ts;
	opts.no_date = t->args->no_date;
	opts.pairs = t->args->pairs.v;
	opts.pair_count = t->args->pairs.count;
	return tdat_trace_new(&t->trace, t->inputs, t->input_count, &opts, &err)
		       ? cli_fail(NULL, &err)
		       : CLI_OK;
}

int cli_trace_open(struct cli_trace *t, const char *command, const struct cli_table_args *a,
		   char *const *paths, int count)
{
	int rc = cli_output_check_text(command, paths, (size_t)count);

	*t = (struct cli_trace){.args = a, .files = {.spool_len = a->limits.spool_len}};
	if (rc == CLI_OK)
		rc = cli_filter_make(&a->filter, &t->filter);
	if (rc == CLI_OK)
		rc = cli_files_open_read(&t->files, paths, count);
	if (rc == CLI_OK)
		rc = parse_files(t);
	return rc == CLI_OK ? make_trace(t) : rc;
}

void cli_trace_close(struct cli_trace *t)
{
	tdat_trace_free(t->trace);
	cli_files_free_inputs(t->inputs, t->input_count);
	cli_files_close(&t->files);
	tdat_filter_free(t->filter);
	free(t->notes);
}

void cli_trace_tell_notes(const struct cli_trace *t)
{
	for (size_t i = 0; i < t->note_count; i++)
		cli_left_out(t->notes[i].table, t->notes[i].count, t->notes[i].what);
}

const struct tdat_table *cli_trace_table(const struct cli_trace *t, const char *name)
{
	const struct tdat_table *table = tdat_trace_find(t->trace, name), *all;
	const char **names;
	size_t count;

	if (table)
		return table;
	all = tdat_trace_tables(t->trace, &count);
	names = calloc(count + 1, sizeof(*names));
	for (size_t i = 0; names && i < count; i++)
		names[i] = all[i].name;
	if (names)
		cli_error(NULL, "no table is called '%s'; the nearest is '%s'", name,
			  cli_nearest(name, names, count));
	free(names);
	return NULL;
}

/* ---- reading ---- */

/* Rows of a batch: so few that the second cache of a CPU has them still when they are counted. */
enum { BATCH_ROWS = 4096 };

static void take_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	struct cli_trace *t = ctx;

	if (cli_damage_all(t->inputs, damage, count) != CLI_OK)
		t->status = CLI_FAILED;
}

static void take_note(void *ctx, const struct tdat_table *table, const char *what, uint64_t count)
{
	struct cli_trace *t = ctx;
	struct cli_note *grown =
		tdat_grown(t->notes, &t->note_room, t->note_count + 1, sizeof(*grown));

	if (!grown)
		return;
	t->notes = grown;
	t->notes[t->note_count++] = (struct cli_note){table->name, what, count};
}

int cli_trace_read(struct cli_trace *t, const struct tdat_table *const *tables, size_t table_count,
		   const char *const *columns, size_t column_count, tdat_rows_fn rows, void *ctx)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;

	opts.columns = columns;
	opts.column_count = column_count;
	opts.filter = t->filter;
	opts.cpus = t->args->cpus.count ? t->args->cpus.v : NULL;
	opts.cpu_count = t->args->cpus.count;
	opts.threads = (uint32_t)t->args->threads;
	opts.batch_rows = BATCH_ROWS;
	opts.damage = take_damage;
	opts.damage_ctx = t;
	opts.note = take_note;
	opts.note_ctx = t;
	if (tdat_trace_read(t->trace, tables, table_count, &opts, true, rows, ctx, &err))
		return cli_fail(NULL, &err);
	if (cli_undescribed_all(t->inputs, t->input_count) != CLI_OK)
		t->status = CLI_FAILED;
	return CLI_OK;
}

int cli_trace_columns(const struct cli_trace *t, const struct tdat_table *table,
		      const char *const *names, size_t count, struct cli_column *columns)
{
	memset(columns, 0, count * sizeof(*columns));
	/* Each column is asked for by its name, because some are in the schema only then. */
	for (size_t i = 0; i < count; i++) {
		struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;
		struct tdat_error err = TDAT_ERROR_INIT;
		struct ArrowSchema schema;
		enum tdat_status st;

		opts.columns = &names[i];
		opts.column_count = 1;
		st = tdat_trace_schema(t->trace, table, &opts, &schema, &err);
		if (st == TDAT_E_NOT_FOUND)
			continue;
		if (st != TDAT_OK)
			return cli_fail(NULL, &err);
		cli_column_init(&columns[i], schema.children[0]);
		schema.release(&schema);
	}
	return CLI_OK;
}

void cli_trace_batch(struct cli_column *columns, size_t count, const struct ArrowArray *rows)
{
	int64_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (columns[i].kind)
			columns[i].array = rows->children[n++];
}

void cli_trace_time(const struct cli_trace *t, uint64_t ts, char out[32])
{
	if (t->seconds)
		snprintf(out, 32, "%" PRIu64 ".%09" PRIu64, ts / 1000000000, ts % 1000000000);
	else
		snprintf(out, 32, "%" PRIu64, ts);
}
