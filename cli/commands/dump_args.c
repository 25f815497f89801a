/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of tdat dump: their table, and the checks that need several of them. Values go into
 * struct dump_args; nothing is opened here. Several options belong to the -i before them, as in
 * trace-cmd report. The manual page is checked against this table.
 */
#include "commands/dump_args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "args/ts_offset.h"
#include "core/grow.h"
#include "input/plugins.h"
#include "terminal/message.h"

/* Adds an input with the options that hold for all inputs so far. */
int dump_add_input(struct dump_args *a, const char *path)
{
	if (!TDAT_GROW(a->inputs, &a->input_room, a->input_count + 1))
		return cli_nomem();
	a->inputs[a->input_count++] = (struct dump_input){.path = path, .ts2secs = a->ts2secs};
	return CLI_OK;
}

/* -i FILE. From now on plain arguments are refused: the order of -i and its options counts. */
int dump_opt_input(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;

	(void)opt;
	a->by_option = true;
	return dump_add_input(a, value);
}

int dump_arg_input(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;

	(void)opt;
	if (a->by_option) {
		cli_error(NULL, "'%s' after -i: name all inputs with -i, or none", value);
		return CLI_USAGE;
	}
	return dump_add_input(a, value);
}

/* --ts-offset belongs to the file of the -i before it, as in trace-cmd report. */
int dump_opt_ts_offset(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;

	(void)opt;
	if (!a->input_count) {
		cli_error(NULL, "--ts-offset must follow the -i that it applies to");
		return CLI_USAGE;
	}
	return cli_ts_offset(value, &a->inputs[a->input_count - 1].ts_offset);
}

/* --ts2secs after several -i belongs to the last one, otherwise to all files. */
int dump_opt_ts2secs(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;
	int64_t v;
	size_t i;

	(void)opt;
	if (!cli_number(value, &v) || v <= 0) {
		cli_error(NULL, "--ts2secs needs ticks per second, not '%s'", value);
		return CLI_USAGE;
	}
	if (a->input_count > 1) {
		a->inputs[a->input_count - 1].ts2secs = (uint64_t)v;
		return CLI_OK;
	}
	a->ts2secs = (uint64_t)v;
	for (i = 0; i < a->input_count; i++)
		a->inputs[i].ts2secs = (uint64_t)v;
	return CLI_OK;
}

const char *const dump_compat_names[] = {"kernel", "3.1", "3.3", "debian12", NULL};

static int dump_opt_utc(void *values, const struct cli_opt *opt, const char *value);
static int dump_opt_time(void *values, const struct cli_opt *opt, const char *value);

static const char *const time_names[] = {"boot", "wall", "relative", "delta", NULL};

const struct cli_opt dump_opts[] = {
	CLI_CALL('i', "input", "FILE", dump_opt_input, "read FILE; may be repeated"),
	CLI_STRING(0, "format", "NAME", struct dump_args, format,
		   "input format: a name from 'tdat list --formats'"),
	CLI_CPUS(0, "cpu", "LIST", struct dump_args, cpus, "only these CPUs, such as 2 or 0,2-3"),
	CLI_FILTER_OPTS(struct dump_args, filter),
	CLI_FILTER_TO(struct dump_args, filter),
	CLI_U64(0, "head", "N", 1, 0, struct dump_args, limit, "only the first N events"),
	CLI_U64(0, "tail", "N", 1, 0, struct dump_args, tail, "only the last N events"),
	CLI_U64(0, "limit", "N", 1, 0, struct dump_args, limit, NULL),
	CLI_FLAG(0, "reverse", struct dump_args, reverse,
		 "print the newest event first; may use TMPDIR"),
	CLI_FLAG(0, "json", struct dump_args, json,
		 "print each event as a JSON object on its own line"),
	CLI_FLAG(0, "json-hex", struct dump_args, json_hex,
		 "with --json: print unsigned 64-bit fields as \"0xff\""),
	CLI_FLAG(0, "json-strings", struct dump_args, json_strings,
		 "with --json: print 64-bit numbers as strings, for readers that round them"),
	CLI_FLAG(0, "csv", struct dump_args, csv, "print events of one type as CSV"),
	CLI_FLAG(0, "text", struct dump_args, text,
		 "with --json or --csv: add the text that dump prints after the event's name"),
	CLI_FLAG(0, "raw-bytes", struct dump_args, raw_bytes,
		 "print all bytes to a terminal unchanged, without \\xNN"),
	CLI_FLAG('N', "no-plugins", struct dump_args, no_plugins,
		 "format events without event plugins"),
	CLI_FLAG('R', "raw", struct dump_args, raw_fields,
		 "print fields as name=value instead of using the print fmt"),
	CLI_FLAG('l', "latency", struct dump_args, latency_format, "print the latency columns"),
	CLI_FLAG('t', "nanoseconds", struct dump_args, nanoseconds,
		 "print timestamps in nanoseconds"),
	CLI_FLAG(0, "raw-ts", struct dump_args, iter.raw_ts,
		 "print timestamps as stored in the ring buffer"),
	{0, "time", CLI_OPT_CALL, "WHICH",
	 "boot (since the clock started), wall (time of day), relative (to the first event) or "
	 "delta (also since the previous event)",
	 0, 0, 0, time_names, dump_opt_time},
	CLI_CALL(0, "utc", NULL, dump_opt_utc, "print and read times of day in UTC"),
	CLI_FLAG(0, "ts-diff", struct dump_args, ts_diff,
		 "also print the time since the previous event"),
	CLI_FLAG(0, "nodate", struct dump_args, iter.no_date,
		 "do not add the offset of trace-cmd record --date"),
	CLI_CALL(0, "ts-offset", "NS", dump_opt_ts_offset,
		 "add NS nanoseconds to timestamps of the preceding -i"),
	CLI_CALL(0, "ts2secs", "HZ", dump_opt_ts2secs, "assume HZ clock ticks per second"),
	CLI_FLAG(0, "align-ts", struct dump_args, align_ts,
		 "subtract the time of the first event in top-level buffers"),
	CLI_LIST('O', "option", "OPTION", struct dump_args, plugin_options,
		 "set an option of an event plugin, such as parent, fgraph:tailprint or indent=0"),
	CLI_LIST(0, "plugin-dir", "DIR", struct dump_args, plugin_dirs,
		 "load libtraceevent plugins from DIR (run as code)"),
	CLI_CHOICE(0, "compat", "WHOSE", dump_compat_names, struct dump_args, compat,
		   "print events as the kernel does (kernel, default), or the bytes of trace-cmd "
		   "3.1, 3.3 or debian12"),
	CLI_U64(0, "hz", "N", 1, 100000, struct dump_args, hz,
		"jiffies per second of the recorded kernel, which files do not record"),
	CLI_U64(0, "threads", "N", 0, 64, struct dump_args, threads,
		"use N threads (default: 0, one per CPU)"),
	CLI_LIMITS(struct dump_args, limits),
	CLI_ARG(dump_arg_input),
	CLI_OPT_END,
};

static int dump_opt_utc(void *values, const struct cli_opt *opt, const char *value)
{
	(void)values;
	(void)opt;
	(void)value;
	return setenv("TZ", "UTC0", 1) ? cli_nomem() : CLI_OK;
}

/* --time: the names of what older options do, and the wall clock. The last one counts. */
static int dump_opt_time(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;
	bool *const flags[] = {&a->iter.no_date, &a->wall, &a->align_ts, &a->ts_diff};
	bool known = false;

	(void)opt;
	for (size_t i = 0; i < 4; i++) {
		*flags[i] = !strcmp(value, time_names[i]);
		known |= *flags[i];
	}
	if (known)
		return CLI_OK;
	cli_error(NULL, "option '--time' must be boot, wall, relative or delta, not '%s'", value);
	return CLI_USAGE;
}

static int refuse(const char *what)
{
	cli_error(NULL, "%s", what);
	return CLI_USAGE;
}

/*
 * Checks combinations, and derives the options of iterator and filter. Called once, after parsing.
 */
int dump_args_check(struct dump_args *a)
{
	const int rc = cli_plugins_check(&a->plugin_dirs);

	if (rc != CLI_OK)
		return rc;
	if (a->json && a->csv)
		return refuse("--json and --csv cannot be combined");
	if (a->tail && (a->limit || a->reverse))
		return refuse("--tail cannot be combined with --head or --reverse");
	if (a->wall && (a->iter.raw_ts || a->iter.no_date || a->align_ts))
		return refuse(
			"--time wall cannot be combined with --raw-ts, --nodate or --align-ts");
	if (a->wall && (a->json || a->csv || a->latency_format || a->compat == TDAT_COMPAT_3_3))
		return refuse(
			"--time wall applies only to text without latency columns; in JSON and "
			"CSV, ts is already wall-clock time if the file records the date");
	if (a->wall)
		tzset(); /* the sandbox has no files of zones */
	if (a->json_hex && !a->json)
		return refuse("--json-hex needs --json");
	if (a->json_strings && !a->json)
		return refuse("--json-strings needs --json");
	/*
	 * Plugins keep state from line to line, such as the depth of function calls; only text
	 * printed by them needs it.
	 */
	a->iter.plugin_state = !a->raw_fields && !a->no_plugins && !a->json && !a->csv;
	/*
	 * trace-cmd differs from the kernel in names of tasks and in the clock uptime; --compat
	 * follows it.
	 */
	a->iter.trace_cmd = a->compat != TDAT_COMPAT_KERNEL && !a->json && !a->csv;
	if (a->cpus.count) {
		a->iter.cpus = a->cpus.v;
		a->iter.cpu_count = a->cpus.count;
		/* trace-cmd report --cpu reads the top buffer only; --buffer asks for others. */
		a->iter.top_only = !a->filter.buffers.count;
	}
	/* Stacks that follow their event would be events of another type. */
	if (a->csv)
		a->filter.stacks = TDAT_STACKS_NONE;
	else if (a->compat == TDAT_COMPAT_3_3)
		a->filter.stacks = TDAT_STACKS_3_2;
	else if (a->compat != TDAT_COMPAT_KERNEL)
		a->filter.stacks = TDAT_STACKS_3_1;
	return CLI_OK;
}

void dump_args_fini(struct dump_args *a)
{
	cli_import_opts_fini(&a->import);
	cli_filter_fini(&a->filter);
	cli_cpus_fini(&a->cpus);
	cli_list_fini(&a->plugin_dirs);
	cli_list_fini(&a->plugin_options);
	cli_list_fini(&a->raw_events);
	cli_list_fini(&a->no_plugin_events);
	free(a->inputs);
}
