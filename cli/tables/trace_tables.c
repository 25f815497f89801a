/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the files of a command as one trace, and makes summaries of it. latency, profile, flame and
 * stat --by share it: opening, options, reading, and reports of damage and of rows that were left
 * out.
 */
#include "input/damage.h"
#include "tables/trace_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "output/selection.h"
#include "safety/own_input.h"
#include "tables/table_list.h"
#include "terminal/message.h"
#include "terminal/safe_text.h"

void cli_table_args_fini(struct cli_table_args *a)
{
	cli_cpus_fini(&a->cpus);
	cli_list_fini(&a->pairs);
	cli_filter_fini(&a->filter);
}

/* ---- opening ---- */

int cli_trace_make(struct cli_trace *t)
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

/*
 * Opens all files within the command's limits, and enters the sandbox. cli_trace_close() is called
 * also after a failure.
 */
int cli_trace_open(struct cli_trace *t, const char *command, const struct cli_table_args *a,
		   char *const *paths, int count)
{
	int rc = cli_output_check_text(command, paths, (size_t)count);

	*t = (struct cli_trace){.args = a,
				.files = {.spool_len = a->limits.spool_len, .output = a->output}};
	if (rc == CLI_OK)
		rc = cli_filter_make(&a->filter, &t->filter);
	if (rc == CLI_OK)
		rc = cli_files_open(&t->files, paths, count, false);
	if (rc == CLI_OK)
		rc = cli_files_parse_all(&t->files, &a->limits, &t->inputs, &t->input_count,
					 &t->status);
	return rc == CLI_OK ? cli_trace_make(t) : rc;
}

void cli_trace_close(struct cli_trace *t)
{
	tdat_trace_free(t->trace);
	cli_files_free_inputs(t->inputs, t->input_count);
	cli_files_close(&t->files);
	tdat_filter_free(t->filter);
}

/* ---- reading ---- */

static void take_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	struct cli_trace *t = ctx;

	if (cli_damage_all(t->inputs, damage, count) != CLI_OK)
		t->status = CLI_FAILED;
}

struct tdat_table_opts cli_trace_opts(struct cli_trace *t)
{
	struct tdat_table_opts opts = TDAT_TABLE_OPTS_INIT;

	opts.filter = t->filter;
	opts.cpus = t->args->cpus.count ? t->args->cpus.v : NULL;
	opts.cpu_count = t->args->cpus.count;
	opts.threads = (uint32_t)t->args->threads;
	opts.damage = take_damage;
	opts.damage_ctx = t;
	return opts;
}

/*
 * Reads the trace once for a summary. Damage is reported and sets t->status; it is not a failure of
 * the run.
 */
int cli_trace_run(struct cli_trace *t, struct tdat_summary *s)
{
	const struct tdat_table_opts opts = cli_trace_opts(t);
	struct tdat_error err = TDAT_ERROR_INIT;

	if (tdat_summary_run(s, &opts, &err))
		return cli_fail(NULL, &err);
	if (cli_undescribed_all(t->inputs, t->input_count) != CLI_OK)
		t->status = CLI_FAILED;
	return CLI_OK;
}

/* Reports rows that have no group of their own: the result is not complete then. */
static void complete(struct cli_trace *t, const struct tdat_summary *s, const char *what)
{
	const struct tdat_summary_others *o;

	for (size_t i = 0; (o = tdat_summary_others(s, i)); i++) {
		t->status = CLI_FAILED;
		cli_error(NULL,
			  "%s: %" PRIu64 " rows are counted as (others): only the first %zu groups "
			  "are separate, because groups are limited to %zu MiB and "
			  "to %zu; GROUP BY in 'tdat sql' has no such limit",
			  o->what ? o->what : what, o->rows, o->group_count, o->key_len_most >> 20,
			  o->group_most);
	}
}

/* Makes, reads, prints and reports one summary. Nothing is printed if reading failed. */
int cli_trace_sum_up(struct cli_trace *t, const struct cli_summary *def)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_summary *s = NULL;
	int rc = def->make(def->args, t->trace, &s, &err) ? cli_fail(NULL, &err)
							  : cli_trace_run(t, s);

	if (rc == CLI_OK)
		rc = def->print(def->args, t, s);
	if (rc == CLI_OK)
		complete(t, s, def->what);
	tdat_summary_free(s);
	return rc;
}

/* The whole of a command with one summary. */
int cli_sum_up(const char *command, const struct cli_table_args *a, int argc, char **argv,
	       const struct cli_summary *def)
{
	struct cli_trace t;
	int rc = cli_trace_open(&t, command, a, argv + 1, argc - 1);

	if (rc == CLI_OK)
		rc = cli_trace_sum_up(&t, def);
	rc = rc == CLI_OK ? t.status : rc;
	cli_trace_close(&t);
	return rc;
}

/* ---- reports ---- */

void cli_trace_warn_empty(const struct cli_trace *t, const char *name)
{
	if (!cli_selection_warn(NULL, &t->args->filter, &t->args->cpus, t->inputs, t->input_count))
		cli_error(NULL, "%s: no rows", name);
}

void cli_trace_tell_notes(const struct tdat_summary *s)
{
	size_t count;
	const struct tdat_summary_note *notes = tdat_summary_notes(s, &count);

	for (size_t i = 0; i < count; i++)
		cli_left_out(notes[i].table, notes[i].count, notes[i].what);
}

enum tdat_status cli_trace_put(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)ctx;
	(void)err;
	fwrite_unlocked(data, 1, len, stdout);
	return TDAT_OK;
}

int cli_trace_json(const struct tdat_summary *s, int level)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	return tdat_summary_json(s, level, cli_trace_put, NULL, &err) ? cli_fail(NULL, &err)
								      : CLI_OK;
}

static void put_name(const char *name)
{
	cli_put_str(stdout, name);
}

int cli_trace_list(struct cli_trace *t, bool derived, bool json)
{
	const struct tdat_table_opts opts = cli_trace_opts(t);
	const struct cli_table_list def = {.derived = derived,
					   .put = put_name,
					   .inputs = t->inputs,
					   .input_count = t->input_count,
					   .opts = &opts};
	struct tdat_json j;
	int rc;

	if (!json)
		return cli_table_list(t->trace, &def, NULL);
	cli_json_init(&j, stdout, true);
	tdat_json_array(&j, NULL);
	rc = cli_table_list(t->trace, &def, &j);
	tdat_json_array_end(&j);
	cli_json_end(&j);
	return rc;
}
