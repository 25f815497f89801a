/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat report: takes the options of trace-cmd report and prints the same bytes. Events
 * are printed by what tdat dump is made of (dump_events), facts by what tdat info is made of
 * (info_parts), lists by report_lists.c. An option that another command of tdat answers is refused
 * with the name of that command. docs/from-trace-cmd.md has a row for each option.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "commands/commands.h"
#include "commands/dump_args.h"
#include "commands/each_file.h"
#include "commands/info_parts.h"
#include "commands/report_lists.h"
#include "core/endian.h"
#include "input/damage.h"
#include "terminal/message.h"
#include "terminal/safe_text.h"

struct report_args {
	struct dump_args dump; /* first: its options store into it */
	bool endian, page_size, functions, printks, event_names, formats;
	const char *event; /* formats that this matches */
	unsigned parts;	   /* of enum info_part */
};

/* -I and -S leave out events of interrupts, as filters that negate. */
static int opt_no_context(void *values, const struct cli_opt *opt, const char *value)
{
	struct report_args *a = values;
	const bool negate = a->dump.filter.negate;
	struct cli_opt filter = *opt;
	int rc;

	(void)value;
	filter.off = offsetof(struct report_args, dump.filter);
	a->dump.filter.negate = true;
	rc = cli_filter_expr(values, &filter,
			     opt->short_name == 'I' ? ".*: common_flags & 8"
						    : ".*: common_flags & 16");
	a->dump.filter.negate = negate;
	return rc;
}

/* Levels of messages change nothing: all are sentences on stderr. */
static int opt_ignored(void *values, const struct cli_opt *opt, const char *value)
{
	(void)values;
	(void)opt;
	(void)value;
	return CLI_OK;
}

/* clang-format off */
static const struct cli_opt report_opts[] = {
	CLI_CALL('i', "input", "FILE", dump_opt_input, "read FILE; may be repeated"),
	CLI_CPUS(0, "cpu", "LIST", struct report_args, dump.cpus, "only these CPUs, such as 2 or 0,2-3"),
	CLI_CALL_AT('F', "filter", "FILTER", cli_filter_expr, struct report_args, dump.filter,
		    "only events that match FILTER, 'event: expression'; if repeated, one FILTER must match"),
	CLI_CALL_AT('v', "invert", NULL, cli_filter_negate, struct report_args, dump.filter,
		    "invert the -F filters that follow"),
	CLI_WORDS(0, "pid", "LIST", struct report_args, dump.filter.pids,
		 "only events of these pids, or with one of them in the field pid or next_pid"),
	CLI_WORDS(0, "comm", "LIST", struct report_args, dump.filter.comms,
		 "same as --pid, but by task name"),
	CLI_CALL('I', "no-irq", NULL, opt_no_context, "omit events in hard interrupts"),
	CLI_CALL('S', "no-softirq", NULL, opt_no_context, "omit events in soft interrupts"),
	CLI_FLAG('N', "no-plugins", struct report_args, dump.no_plugins, "format events without event plugins"),
	CLI_FLAG('L', "local-plugins", struct report_args, dump.no_plugins,
		 "same as -N; only --plugin-dir loads plugins"),
	CLI_FLAG('R', "raw", struct report_args, dump.raw_fields,
		 "print fields as name=value instead of using the print fmt"),
	CLI_LIST('r', "raw-event", "EVENT", struct report_args, dump.raw_events,
		 "same as -R, for events or systems that this regular expression matches"),
	CLI_LIST('n', "no-plugin-event", "EVENT", struct report_args, dump.no_plugin_events,
		 "same as -N, for events or systems that this regular expression matches"),
	CLI_FLAG('l', "latency", struct report_args, dump.latency_format, "print the latency columns"),
	CLI_FLAG('t', "nanoseconds", struct report_args, dump.nanoseconds, "print timestamps in nanoseconds"),
	CLI_LIST('O', "option", "OPTION", struct report_args, dump.plugin_options,
		 "set an option of an event plugin, such as parent or fgraph:tailprint"),
	CLI_FLAG(0, "raw-ts", struct report_args, dump.iter.raw_ts,
		 "print timestamps as stored in the ring buffer"),
	CLI_FLAG(0, "ts-diff", struct report_args, dump.ts_diff, "also print the time since the previous event"),
	CLI_FLAG(0, "align-ts", struct report_args, dump.align_ts, "subtract the first event's timestamp"),
	CLI_FLAG(0, "nodate", struct report_args, dump.iter.no_date, "do not add the date offset stored in the file"),
	CLI_CALL(0, "ts-offset", "NS", dump_opt_ts_offset, "add NS nanoseconds to timestamps of the preceding -i"),
	CLI_CALL(0, "ts2secs", "HZ", dump_opt_ts2secs, "assume HZ clock ticks per second"),
	CLI_FLAG(0, "ts-check", struct report_args, dump.ts_check,
		 "also report where a CPU's timestamps go backward"),
	CLI_FLAG('e', "endian", struct report_args, endian, "print the byte order of the file and this machine"),
	CLI_FLAG('p', "page-size", struct report_args, page_size, "print the page size of the file and this machine"),
	CLI_FLAG('f', "functions", struct report_args, functions, "list the stored kernel functions"),
	CLI_FLAG('P', "printk", struct report_args, printks, "list the stored trace_printk strings"),
	CLI_FLAG('E', "event-names", struct report_args, event_names, "list the events that the file describes"),
	CLI_FLAG(0, "events", struct report_args, formats, "print the stored format files of all events"),
	CLI_STRING(0, "event", "EVENT", struct report_args, event,
		   "print the format files that this regular expression matches: event, system or system:event"),
	CLI_BIT(0, "check-events", INFO_CHECK_EVENTS, struct report_args, parts,
		"exit 1 if a stored format file cannot be parsed"),
	INFO_PART_OPTS(struct report_args),
	CLI_BIT(0, "version", INFO_VERSION, struct report_args, parts,
		"print the version of the program that wrote the file"),
	CLI_CHOICE(0, "compat", "WHOSE", dump_compat_names, struct report_args, dump.compat,
		   "print as trace-cmd 3.1, 3.3 (default) or debian12, or as kernel; also set by TDAT_COMPAT"),
	CLI_LIST(0, "plugin-dir", "DIR", struct report_args, dump.plugin_dirs,
		 "load libtraceevent plugins from DIR (run as code)"),
	CLI_U64(0, "threads", "N", 0, 64, struct report_args, dump.threads,
		"use N threads (default: 0, one per CPU)"),
	CLI_LIMITS(struct report_args, dump.limits),
	CLI_CALL('q', "quiet", NULL, opt_ignored, NULL),
	CLI_CALL('V', "verbose", "[LEVEL]", opt_ignored, NULL),
	CLI_ARG(dump_arg_input),
	CLI_OPT_END,
};
/* clang-format on */

/* The facts that trace-cmd prints of the first file alone. False: none is asked for. */
static bool print_first(const struct report_args *a, const struct tdat_file *file, int *status)
{
	const struct tdat_file_info *info = tdat_file_info(file);
	bool ok = true;

	if (a->page_size)
		printf("file page size is %u, and host page size is %ld\n", info->page_size,
		       sysconf(_SC_PAGESIZE));
	else if (a->endian)
		printf("file is %s endian and host is %s endian\n",
		       info->big_endian ? "big" : "little", TDAT_HOST_BIG ? "big" : "little");
	else if (a->formats || a->event)
		*status = report_formats(file, a->formats ? ".*" : a->event);
	else if (a->functions)
		ok = report_functions(file);
	else if (a->printks)
		ok = report_printks(file);
	else if (a->event_names)
		ok = report_event_names(file);
	else
		return false;
	if (!ok)
		*status = cli_nomem();
	return true;
}

static unsigned wanted_parts(const struct report_args *a)
{
	const unsigned times = a->parts & (INFO_FIRST | INFO_LAST);

	if (a->parts & INFO_CHECK_EVENTS)
		return INFO_CHECK_EVENTS;
	if (a->parts & INFO_CPUS || times)
		return INFO_CPUS | times;
	/* Of these three, trace-cmd prints one. */
	if (a->parts & INFO_VERSION)
		return INFO_VERSION;
	if (a->parts & INFO_UNAME)
		return INFO_UNAME | INFO_VERSION;
	return a->parts & INFO_STAT;
}

/* A latency trace is printed in place of its facts. */
static void print_latency(const struct tdat_file *file)
{
	struct tdat_span s = tdat_file_part(file, TDAT_PART_LATENCY);

	/* Some converters stored more behind a NUL. */
	s.len = s.len ? strnlen((const char *)s.ptr, s.len) : 0;
	printf("cpus=%u\n", tdat_file_info(file)->cpu_count);
	cli_put_stored((const char *)s.ptr, s.len, false);
	putchar('\n');
}

static int print_facts(const void *args, struct tdat_json *j, struct cli_files *files, size_t i)
{
	const struct report_args *a = args;
	const char *path = files->v[i].path;
	const unsigned parts = wanted_parts(a);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;
	int status = CLI_OK, damage;

	(void)j;
	if (cli_files_parse(files, i, &a->dump.limits, &file, &err))
		return cli_fail(path, &err);
	if (!i && print_first(a, file, &status)) {
		/* trace-cmd ends here, whatever else is asked for. */
	} else if ((parts & (INFO_STAT | INFO_UNAME | INFO_VERSION)) &&
		   tdat_file_info(file)->latency) {
		print_latency(file);
	} else {
		if (parts & (INFO_UNAME | INFO_VERSION))
			printf("cpus=%u\n", tdat_file_info(file)->cpu_count);
		status = info_parts(file, path, parts);
	}
	damage = cli_file_damage(path, file);
	tdat_file_close(file);
	return status == CLI_OK ? damage : status;
}

static bool wants_facts(const struct report_args *a)
{
	return a->page_size || a->endian || a->formats || a->event || a->functions || a->printks ||
	       a->event_names || wanted_parts(a);
}

/* Does for each input what print_facts does. */
static int each_input(const struct report_args *a)
{
	const struct cli_each each = {"report", &a->dump.limits, false, false, print_facts, a};
	char **paths = calloc(a->dump.input_count, sizeof(*paths));
	int status;

	if (!paths)
		return cli_nomem();
	for (size_t i = 0; i < a->dump.input_count; i++)
		paths[i] = (char *)a->dump.inputs[i].path;
	status = cli_each_file(&each, paths, (int)a->dump.input_count);
	free(paths);
	return status;
}

/* TDAT_COMPAT names the default of --compat. */
static int default_compat(struct dump_args *a)
{
	const char *name = getenv("TDAT_COMPAT");
	int i = 0;

	a->compat = TDAT_COMPAT_3_3;
	if (!name || !*name)
		return CLI_OK;
	while (dump_compat_names[i] && strcmp(dump_compat_names[i], name))
		i++;
	if (!dump_compat_names[i]) {
		cli_error("TDAT_COMPAT",
			  "'%s' is not a value of --compat: kernel, 3.1, 3.3, debian12", name);
		return CLI_USAGE;
	}
	a->compat = i;
	return CLI_OK;
}

static int report_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct report_args a = {.dump = {.iter = TDAT_ITER_OPTS_INIT, .limits = TDAT_LIMITS_INIT}};
	int status = default_compat(&a.dump);

	if (status == CLI_OK && cli_opt_parse(cmd, report_opts, &argc, argv, &a, &status)) {
		if (!a.dump.input_count)
			status = dump_add_input(&a.dump, "trace.dat");
		if (status == CLI_OK)
			status = wants_facts(&a) ? each_input(&a) : dump_events(&a.dump, NULL);
	}
	dump_args_fini(&a.dump);
	return status;
}

static const char *const report_synopsis[] = {"[OPTION]... [FILE]...", NULL};
static const char *const report_notes[] = {
	"Options and output are the same as those of trace-cmd report. The default FILE is "
	"trace.dat. \"tdat dump\" prints events as the kernel does, or as JSON or CSV.",
	NULL,
};

const struct cli_cmd cli_cmd_report = {
	"report",	 "Print events byte for byte as trace-cmd report does",
	report_synopsis, report_opts,
	report_notes,	 report_run,
};
