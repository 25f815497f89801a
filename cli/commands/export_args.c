/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of tdat export. Values go into struct export_args; exporter options (-O NAME=VALUE)
 * are kept as words, as only the exporter knows them. --table patterns are matched here, so all
 * users of the struct agree on which tables are wanted.
 */
#include "commands/export_args.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "terminal/message.h"

/* -O NAME=VALUE, or NAME alone for a flag. The text is copied, because "=" is replaced in it. */
static int opt_option(void *values, const struct cli_opt *opt, const char *value)
{
	struct export_args *a = values;
	char *text, *eq;

	(void)opt;
	if (!TDAT_GROW(a->options, &a->option_room, a->option_count + 1))
		return cli_nomem();
	if (!TDAT_GROW(a->option_texts, &a->text_room, a->option_count + 1))
		return cli_nomem();
	text = strdup(value);
	if (!text)
		return cli_nomem();
	eq = strchr(text, '=');
	if (eq)
		*eq = '\0';
	a->option_texts[a->option_count] = text;
	a->options[a->option_count++] = (struct tdat_keyed_option){text, eq ? eq + 1 : ""};
	return CLI_OK;
}

/* --ctf-names NAMES is -O names=NAMES. */
static int opt_ctf_names(void *values, const struct cli_opt *opt, const char *value)
{
	char text[64];

	snprintf(text, sizeof(text), "names=%s", value);
	return opt_option(values, opt, text);
}

const struct cli_opt export_opts[] = {
	CLI_INPUT,
	CLI_STRING(0, "to", "FORMAT", struct export_args, to,
		   "output format: a name from 'tdat list --formats' (default: by the suffix of "
		   "-o: .parquet, .sqlite, .pftrace and others)"),
	CLI_STRING('o', "output", "OUT", struct export_args, output,
		   "output folder, or output file for a single table; - is standard output"),
	CLI_LIST(0, "table", "GLOB", struct export_args, tables,
		 "only these tables: 'sched/*', tasks, wakeup (default: all except events and "
		 "derived tables)"),
	CLI_LIST(
		0, "column", "NAME", struct export_args, columns,
		"only these columns, in this order; the column text, the line that dump prints, is "
		"written only if named"),
	CLI_LIST(0, "pair", "PAIR", struct export_args, pairs,
		 "add a table of intervals; see tdat-latency(1)"),
	CLI_CALL('O', "option", "NAME=VALUE", opt_option,
		 "set an option listed by 'tdat list --formats'"),
	CLI_CALL(0, "ctf-names", "NAMES", opt_ctf_names,
		 "ctf: event and field names, lttng (default) or ftrace"),
	CLI_STRING(0, "partition", "KEYS", struct export_args, partition,
		   "write a data set in folders KEY=VALUE, each FILE separately (default for "
		   "several files: event,file; none: one trace)"),
	CLI_STRING(0, "part-pipe", "COMMAND", struct export_args, part_pipe,
		   "pipe each part of a data set, named $TDAT_PART, to this shell command; store "
		   "only records of the export"),
	CLI_STRING(0, "compact", "LAKE", struct export_args, compact,
		   "instead of exporting, join the small parts in each folder of a data set"),
	CLI_CPUS(0, "cpu", "LIST", struct export_args, cpus, "only these CPUs, such as 2 or 0,2-3"),
	CLI_FILTER_OPTS(struct export_args, filter),
	CLI_FLAG(0, "raw-ts", struct export_args, raw_ts,
		 "write timestamps as stored in the ring buffer"),
	CLI_FLAG(0, "nodate", struct export_args, no_date,
		 "do not add the offset of trace-cmd record --date"),
	CLI_FLAG(0, "perfetto-compat", struct export_args, perfetto_compat,
		 "perfetto: write fields as name and value pairs, for readers before Perfetto 50"),
	CLI_FLAG(0, "tracks", struct export_args, tracks,
		 "perfetto: write function_graph calls as track event slices"),
	CLI_FLAG('f', "force", struct export_args, force, "replace existing files"),
	CLI_U64(0, "threads", "N", 0, 64, struct export_args, threads,
		"use N threads (default: 0, one per CPU)"),
	CLI_FLAG('q', "quiet", struct export_args, quiet, "print no summary"),
	CLI_LIMITS(struct export_args, limits),
	CLI_OPT_END,
};

void export_args_fini(struct export_args *a)
{
	for (size_t i = 0; i < a->option_count; i++)
		free(a->option_texts[i]);
	free(a->option_texts);
	free(a->options);
	cli_cpus_fini(&a->cpus);
	cli_filter_fini(&a->filter);
	cli_list_fini(&a->tables);
	cli_list_fini(&a->columns);
	cli_list_fini(&a->pairs);
}

bool export_args_choose(const struct export_args *a)
{
	const struct cli_filter *f = &a->filter;

	return a->output || a->partition || a->part_pipe || a->force || a->raw_ts || a->no_date ||
	       a->perfetto_compat || a->tracks || a->option_count || a->tables.count ||
	       a->columns.count || a->pairs.count || a->cpus.count || f->expr_count ||
	       f->events.count || f->pids.count || f->comms.count || f->buffers.count || f->from ||
	       f->until;
}

/* True if the name is that of the table's event, which no other system has, and of no table. */
static bool is_short_name(const char *name, const struct tdat_trace *trace,
			  const struct tdat_table *table)
{
	size_t count;
	const struct tdat_table *all = tdat_trace_tables(trace, &count);

	if (table->kind != TDAT_TABLE_EVENT || strcmp(table->event, name) != 0 ||
	    tdat_trace_find(trace, name))
		return false;
	for (size_t i = 0; i < count; i++)
		if (&all[i] != table && all[i].kind == TDAT_TABLE_EVENT &&
		    !strcmp(all[i].event, name))
			return false;
	return true;
}

bool export_pattern_has(const char *pattern, const struct tdat_trace *trace,
			const struct tdat_table *table)
{
	return !fnmatch(pattern, table->name, 0) || is_short_name(pattern, trace, table);
}

/*
 * Without --table all tables are written but the ones that repeat others: events, and derived
 * tables.
 */
bool export_wants_table(const void *args, const struct tdat_trace *trace,
			const struct tdat_table *table)
{
	const struct export_args *a = args;

	if (!a->tables.count)
		return table->kind != TDAT_TABLE_EVENTS && table->kind != TDAT_TABLE_DERIVED;
	for (size_t i = 0; i < a->tables.count; i++)
		if (export_pattern_has(a->tables.v[i], trace, table))
			return true;
	return false;
}

void export_args_opts(const struct export_args *a, const struct tdat_filter *filter,
		      struct tdat_trace_opts *trace, struct tdat_table_opts *table)
{
	trace->raw_ts = a->raw_ts;
	trace->no_date = a->no_date;
	trace->pairs = a->pairs.v;
	trace->pair_count = a->pairs.count;
	table->columns = a->columns.count ? a->columns.v : NULL;
	table->column_count = a->columns.count;
	table->filter = filter;
	table->cpus = a->cpus.count ? a->cpus.v : NULL;
	table->cpu_count = a->cpus.count;
	table->threads = (uint32_t)a->threads;
}
