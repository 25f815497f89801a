/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command tdat dump: prints the events of trace.dat files as trace-cmd report does. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "args/filter_opts.h"
#include "args/limits.h"
#include "args/ts_offset.h"
#include "commands/commands.h"
#include "commands/dump_csv.h"
#include "core/grow.h"
#include "input/damage.h"
#include "input/import_temp.h"
#include "input/plugins.h"
#include "input/trace_files.h"
#include "output/out.h"
#include "output/reverse.h"
#include "output/selection.h"
#include "safety/descriptors.h"
#include "safety/sandbox.h"
#include "terminal/safe_text.h"
#include "output/own_input.h"

struct dump_input {
	const char *path;
	int64_t ts_offset;
	uint64_t ts2secs;
};

struct dump_args {
	struct cli_import_opts import; /* first: see import_opts.h */
	struct dump_input *inputs;
	size_t input_count, input_room;
	bool by_option;	  /* inputs were named by -i */
	uint64_t ts2secs; /* given before any -i */
	bool no_plugins, raw_fields, latency_format, nanoseconds, ts_diff;
	struct tdat_iter_opts iter;
	struct cli_cpus cpus;
	bool align_ts;
	int compat;
	struct cli_list plugin_dirs, plugin_options;
	uint64_t threads;
	uint64_t limit;
	bool json, csv, text;
	bool json_hex, json_strings;
	bool reverse;
	bool raw_bytes;
	struct cli_filter filter;
	struct tdat_limits limits;
};

static int add_input(struct dump_args *a, const char *path)
{
	struct dump_input *p =
		tdat_grown(a->inputs, &a->input_room, a->input_count + 1, sizeof(*p));

	if (!p)
		return cli_nomem();
	a->inputs = p;
	p[a->input_count++] = (struct dump_input){.path = path, .ts2secs = a->ts2secs};
	return CLI_OK;
}

static int opt_input(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;

	(void)opt;
	a->by_option = true;
	return add_input(a, value);
}

static int arg_input(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;

	(void)opt;
	if (a->by_option) {
		cli_error(NULL, "'%s' after -i: name every input by -i, or none", value);
		return CLI_USAGE;
	}
	return add_input(a, value);
}

static bool parse_number(const char *text, long long *v)
{
	char *end;

	errno = 0;
	*v = strtoll(text, &end, 0);
	return *text && !*end && !errno;
}

/* --ts-offset is that of the file of the -i before it, as in trace-cmd report. */
static int opt_ts_offset(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;

	(void)opt;
	if (!a->input_count) {
		cli_error(NULL, "--ts-offset must come after the -i it belongs to");
		return CLI_USAGE;
	}
	return cli_ts_offset(value, &a->inputs[a->input_count - 1].ts_offset);
}

/* --ts2secs behind several -i is that of the last one, otherwise that of all files. */
static int opt_ts2secs(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;
	long long v;
	size_t i;

	(void)opt;
	if (!parse_number(value, &v) || v <= 0) {
		cli_error(NULL, "--ts2secs takes ticks per second, not '%s'", value);
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

static int opt_expr(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;

	(void)opt;
	return cli_filter_expr(&a->filter, value);
}

static int opt_negate(void *values, const struct cli_opt *opt, const char *value)
{
	struct dump_args *a = values;

	(void)opt;
	(void)value;
	return cli_filter_negate(&a->filter);
}

/* In the order of enum tdat_compat. */
static const char *const compat_names[] = {"3.1", "3.3", "debian12", NULL};

static const struct cli_opt dump_opts[] = {
	CLI_CALL('i', "input", "FILE", opt_input, "read FILE; repeat for several at once"),
	CLI_CPUS(0, "cpu", "LIST", struct dump_args, cpus, "only these CPUs, such as 2 or 0,2-3"),
	CLI_FILTER_OPTS(struct dump_args, filter, opt_expr, opt_negate),
	CLI_U64(0, "limit", "N", 1, 0, struct dump_args, limit, "stop after N events"),
	CLI_FLAG(0, "reverse", struct dump_args, reverse,
		 "print the last event first; needs room for the text in TMPDIR"),
	CLI_FLAG(0, "json", struct dump_args, json, "print each event as a JSON object on a line"),
	CLI_FLAG(0, "json-hex", struct dump_args, json_hex,
		 "with --json: unsigned 64-bit numbers of fields as \"0xff\""),
	CLI_FLAG(0, "json-strings", struct dump_args, json_strings,
		 "with --json: 64-bit numbers as strings, for readers that round them"),
	CLI_FLAG(0, "csv", struct dump_args, csv, "print events of one type as CSV"),
	CLI_FLAG(0, "text", struct dump_args, text, "with --json or --csv: also the event's text"),
	CLI_FLAG(0, "raw-bytes", struct dump_args, raw_bytes,
		 "on a terminal: control bytes and broken UTF-8 as they are, not as \\xNN"),
	CLI_FLAG('N', NULL, struct dump_args, no_plugins, "print without event plugins"),
	CLI_FLAG('R', NULL, struct dump_args, raw_fields,
		 "print the fields as they are, name=value"),
	CLI_FLAG('l', NULL, struct dump_args, latency_format, "print the latency columns"),
	CLI_FLAG('t', NULL, struct dump_args, nanoseconds, "print times in nanoseconds"),
	CLI_FLAG(0, "raw-ts", struct dump_args, iter.raw_ts,
		 "print time stamps as the ring buffer holds them"),
	CLI_FLAG(0, "ts-diff", struct dump_args, ts_diff, "print the time since the event before"),
	CLI_FLAG(0, "nodate", struct dump_args, iter.no_date, "ignore the date stored in the file"),
	CLI_CALL(0, "ts-offset", "NS", opt_ts_offset, "add NS to the times of the -i before"),
	CLI_CALL(0, "ts2secs", "HZ", opt_ts2secs, "the clock ticks HZ times a second"),
	CLI_FLAG(0, "align-ts", struct dump_args, align_ts,
		 "let the first event of the inputs' top buffers be at time 0"),
	CLI_LIST('O', NULL, "OPTION", struct dump_args, plugin_options,
		 "an option of an event plugin, such as parent, fgraph:tailprint or indent=0"),
	CLI_LIST(0, "plugin-dir", "DIR", struct dump_args, plugin_dirs,
		 "load the plugins of libtraceevent in DIR (they run as code)"),
	CLI_CHOICE(0, "compat", "VERSION", compat_names, struct dump_args, compat,
		   "print as this trace-cmd: 3.1 (default), 3.3 or debian12"),
	CLI_U64(0, "threads", "N", 0, 64, struct dump_args, threads,
		"format on N threads; 0, the default: one per CPU"),
	CLI_LIMITS(struct dump_args, limits),
	CLI_ARG(arg_input),
	CLI_OPT_END,
};

/* ---- the work ---- */

struct dump {
	const struct dump_args *args;
	struct cli_files files;
	struct cli_reverse reverse;
	const struct tdat_importer *importer; /* NULL: inputs are trace.dat files */
	struct tdat_iter_input *inputs;
	size_t input_count; /* files that are open */
	struct tdat_iter *iter;
	struct cli_out out;
	bool printed; /* text of an event */
	bool safe;    /* stdout is a terminal, which no byte of a trace may drive */
	int status;
};

/* Opens all that will be read or written, then enters the sandbox. */
static bool open_all(struct dump *d)
{
	/* Plugins are code of the user's choice: they may read what they like. */
	static const struct cli_sandbox_path anywhere = {"/", false, false};
	const struct dump_args *a = d->args;
	struct tdat_error err = TDAT_ERROR_INIT;
	size_t i;

	for (i = 0; i < a->input_count && d->status == CLI_OK; i++)
		d->status = cli_output_check("dump", "-", true, &a->inputs[i].path, 1);
	if (d->status != CLI_OK)
		return false;
	cli_raise_file_limit();
	d->files.spool_len = a->limits.spool_len;
	if (a->reverse && cli_reverse_open(&d->reverse, &err))
		d->status = cli_fail(NULL, &err);
	if (d->importer)
		return d->status == CLI_OK; /* cli_import_temp enters the sandbox itself */
	for (i = 0; d->status == CLI_OK && i < a->input_count; i++) {
		d->status = cli_files_add(&d->files, a->inputs[i].path);
		if (d->status == CLI_OK && !d->files.v[i].source)
			d->status = cli_fail(a->inputs[i].path, &d->files.v[i].err);
	}
	cli_sandbox_enter(&anywhere, a->plugin_dirs.count ? 1 : 0);
	return d->status == CLI_OK;
}

/* Imports the foreign capture that the words name, as one input. */
static bool parse_import(struct dump *d)
{
	const struct dump_args *a = d->args;
	char **words = calloc(a->input_count, sizeof(*words));

	d->inputs = calloc(1, sizeof(*d->inputs));
	if (!d->inputs || !words) {
		free(words);
		d->status = cli_nomem();
		return false;
	}
	for (size_t i = 0; i < a->input_count; i++)
		words[i] = (char *)a->inputs[i].path;
	d->status = cli_import_temp(d->importer, &a->import, words, a->input_count,
				    a->plugin_dirs.count != 0, &a->limits, &d->inputs[0].file);
	free(words);
	d->inputs[0].ts_offset = a->inputs[0].ts_offset;
	d->inputs[0].ts2secs = a->inputs[0].ts2secs;
	return d->inputs[0].file != NULL;
}

/* Parses the inputs; a damaged one is read as far as it goes. */
static bool parse_inputs(struct dump *d)
{
	const struct dump_args *a = d->args;
	int rc;

	if (d->importer)
		return parse_import(d);
	rc = cli_files_parse_all(&d->files, &a->limits, &d->inputs, &d->input_count, &d->status);
	if (rc != CLI_OK)
		d->status = rc;
	for (size_t i = 0; i < d->input_count; i++) {
		d->inputs[i].ts_offset = a->inputs[i].ts_offset;
		d->inputs[i].ts2secs = a->inputs[i].ts2secs;
	}
	return rc == CLI_OK;
}

static bool fail(struct dump *d, const struct tdat_error *err)
{
	d->status = cli_fail(NULL, err);
	return false;
}

static bool put(struct dump *d, struct tdat_span text)
{
	if (d->safe) {
		cli_put_lines(stdout, (const char *)text.ptr, text.len);
		return !ferror(stdout);
	}
	if (cli_out_write(&d->out, text.ptr, text.len))
		return true;
	d->status = CLI_FAILED;
	return false;
}

/*
 * A latency trace is text; report ends it with an empty line. Converters are
 * known to have stored more than the text behind it: it ends before a NUL.
 */
static bool print_latency(struct dump *d, struct tdat_span text)
{
	if (text.len)
		text.len = strnlen((const char *)text.ptr, text.len);
	return put(d, text) && put(d, (struct tdat_span){(const uint8_t *)"\n", 1});
}

/*
 * The latency trace among the inputs, which is text and no events. It must be the only input,
 * and is printed as text only.
 */
static bool find_latency(struct dump *d, const struct tdat_file **latency)
{
	const struct dump_args *a = d->args;
	size_t i;

	*latency = NULL;
	for (i = 0; i < d->input_count; i++) {
		if (!tdat_file_info(d->inputs[i].file)->latency)
			continue;
		*latency = d->inputs[i].file;
		if (d->input_count == 1 && !a->json && !a->csv)
			continue;
		cli_error(a->inputs[i].path, "%s",
			  a->json || a->csv
				  ? "a latency trace is text: it has no events for --json or --csv"
				  : "a latency trace cannot be dumped together with other files");
		d->status = CLI_FAILED;
		return false;
	}
	return true;
}

static enum tdat_status write_stdout(void *ctx, const void *data, size_t len,
				     struct tdat_error *err)
{
	struct dump *d = ctx;

	d->printed |= len != 0;
	if (put(d, (struct tdat_span){data, len}))
		return TDAT_OK;
	/* The failure is reported already, or will be when stdout is closed. */
	return tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET, "cannot write");
}

static bool pump(struct dump *d, const struct tdat_sink_ops *sink, void *ctx)
{
	struct tdat_pump_opts opts = TDAT_PUMP_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	opts.threads = (uint32_t)d->args->threads;
	opts.limit = d->args->limit;
	if (d->args->reverse)
		st = cli_reverse_pump(&d->reverse, d->iter, sink, ctx, &opts, write_stdout, d,
				      &err);
	else
		st = tdat_pump(d->iter, sink, ctx, &opts, write_stdout, d, &err);
	if (st == TDAT_E_CANCELLED)
		return false;
	return st == TDAT_OK || fail(d, &err);
}

/* ---- the output format ---- */

/* Options of an exporter; the array has room for all that there can be. */
struct export_options {
	struct tdat_keyed_option *v;
	size_t count;
};

static void add_option(struct export_options *o, const char *key, const char *value)
{
	o->v[o->count++] = (struct tdat_keyed_option){key, value};
}

static void add_flag(struct export_options *o, const char *key, bool given)
{
	if (given)
		add_option(o, key, "");
}

enum { FIXED_OPTIONS = 8 };

static void add_text_options(struct export_options *o, const struct dump_args *a)
{
	size_t i;

	add_flag(o, "N", a->no_plugins);
	add_flag(o, "R", a->raw_fields);
	add_flag(o, "l", a->latency_format);
	add_flag(o, "t", a->nanoseconds);
	add_flag(o, "raw-ts", a->iter.raw_ts);
	add_flag(o, "ts-diff", a->ts_diff);
	add_option(o, "compat", compat_names[a->compat]);
	for (i = 0; i < a->plugin_dirs.count; i++)
		add_option(o, "plugin-dir", a->plugin_dirs.v[i]);
	for (i = 0; i < a->plugin_options.count; i++)
		add_option(o, "O", a->plugin_options.v[i]);
}

/* Adds the options that JSON and CSV have. */
static void add_field_options(struct export_options *o, const struct dump_args *a)
{
	add_flag(o, "text", a->text);
	add_flag(o, "hex", a->json && a->json_hex);
	add_flag(o, "strings", a->json && a->json_strings);
}

/*
 * Adds the event type that CSV is of, that of the first event. False: there is no event, or one of
 * another type.
 */
static bool add_csv_type(struct dump *d, struct export_options *o)
{
	const struct dump_csv csv = {d->inputs, d->input_count, &d->args->iter, d->args->limit,
				     (uint32_t)d->args->threads};
	const struct tdat_format *f;
	const int rc = dump_csv_type(&csv, &f);

	if (rc != CLI_OK)
		d->status = rc;
	if (rc != CLI_OK || !f)
		return false;
	add_option(o, "system", tdat_format_system(f));
	add_option(o, "event", tdat_format_name(f));
	return true;
}

/* Writes what comes before the events, the events, and what comes behind them. */
static bool write_export(struct dump *d, struct tdat_export *e, const struct tdat_file *latency)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_span tail;

	if (!put(d, tdat_export_head(e)) ||
	    (latency && !print_latency(d, tdat_file_part(latency, TDAT_PART_LATENCY))) ||
	    !pump(d, tdat_export_ops(e), tdat_export_ctx(e)))
		return false;
	if (tdat_export_end(e, &tail, &err))
		return fail(d, &err);
	return put(d, tail);
}

static bool export_events(struct dump *d, struct export_options *o)
{
	const struct dump_args *a = d->args;
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_file *latency;
	struct tdat_export *e;
	bool ok;

	if (!find_latency(d, &latency))
		return false;
	if (a->json || a->csv)
		add_field_options(o, a);
	else
		add_text_options(o, a);
	if (a->csv && !add_csv_type(d, o))
		return d->status == CLI_OK;
	request.inputs = d->inputs;
	request.input_count = d->input_count;
	request.options = o->v;
	request.option_count = o->count;
	if (tdat_export_new(&e,
			    tdat_exporter_find(a->json	? "json"
					       : a->csv ? "csv"
							: "text"),
			    &request, &err))
		return fail(d, &err);
	ok = write_export(d, e, latency);
	tdat_export_free(e);
	return ok;
}

static bool write_events(struct dump *d)
{
	const struct dump_args *a = d->args;
	struct export_options o = {.count = 0};
	bool ok;

	o.v = calloc(FIXED_OPTIONS + a->plugin_dirs.count + a->plugin_options.count, sizeof(*o.v));
	if (!o.v) {
		d->status = cli_nomem();
		return false;
	}
	ok = export_events(d, &o);
	free(o.v);
	return ok;
}

/* Reports the pages that could not be read, once for each stream. */
static void report_damage(struct dump *d)
{
	const struct tdat_stream_damage *s;
	size_t i, count;

	s = tdat_iter_damage(d->iter, &count);
	for (i = 0; i < count; i++) {
		d->status = CLI_FAILED;
		cli_damage(d->args->inputs[s[i].input].path, d->inputs[s[i].input].file, &s[i]);
	}
	for (i = 0; i < d->input_count; i++)
		if (cli_undescribed(d->args->inputs[i].path, d->inputs[i].file) != CLI_OK)
			d->status = CLI_FAILED;
}

/* Time of the first event of all CPUs of all inputs; *found is false when there is none. */
static bool first_time(struct dump *d, bool top_only, uint64_t *ts, bool *found)
{
	struct tdat_iter_opts opts = d->args->iter;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev = NULL;
	struct tdat_iter *iter;
	bool ok;

	opts.filter = NULL;
	opts.cpus = NULL;
	opts.cpu_count = 0;
	opts.top_only = top_only;
	if (tdat_iter_new(&iter, d->inputs, d->input_count, &opts, &err))
		return fail(d, &err);
	ok = tdat_iter_next(iter, &ev, &err) == TDAT_OK || fail(d, &err);
	*found = ok && ev;
	*ts = *found ? ev->ts : 0;
	tdat_iter_free(iter);
	return ok;
}

/*
 * --align-ts: the earliest event of the inputs' top buffers becomes time 0, as for report;
 * without any event there, where report aligns nothing, that of the instances.
 */
static bool align_inputs(struct dump *d)
{
	bool found;
	uint64_t ts;
	size_t i;

	if (!first_time(d, true, &ts, &found) || (!found && !first_time(d, false, &ts, &found)))
		return false;
	for (i = 0; found && i < d->input_count; i++)
		d->inputs[i].ts_offset = (int64_t)((uint64_t)d->inputs[i].ts_offset - ts);
	return true;
}

static bool make_readers(struct dump *d)
{
	const struct dump_args *a = d->args;
	struct tdat_error err = TDAT_ERROR_INIT;

	if (a->align_ts && !align_inputs(d))
		return false;
	if (tdat_iter_new(&d->iter, d->inputs, d->input_count, &a->iter, &err))
		return fail(d, &err);
	return true;
}

/* Says which options let no event pass. A latency trace has no events to choose from. */
static void warn_empty(const struct dump *d)
{
	const struct dump_args *a = d->args;

	if (!d->printed && !(d->input_count == 1 && tdat_file_info(d->inputs[0].file)->latency))
		cli_selection_warn(d->input_count == 1 ? a->inputs[0].path : NULL, &a->filter,
				   &a->cpus, d->inputs, d->input_count);
}

static int dump(const struct dump_args *a, const struct tdat_importer *importer)
{
	struct dump d = {.args = a,
			 .reverse = CLI_REVERSE_INIT,
			 .importer = importer,
			 .input_count = importer ? 1 : a->input_count,
			 .safe = !a->raw_bytes && isatty(STDOUT_FILENO)};

	cli_out_init(&d.out);
	if (open_all(&d) && parse_inputs(&d) && make_readers(&d)) {
		const bool done = write_events(&d);

		if (!cli_out_flush(&d.out))
			d.status = CLI_FAILED;
		else if (done)
			report_damage(&d);
		if (done && d.status == CLI_OK)
			warn_empty(&d);
	}
	tdat_iter_free(d.iter);
	cli_files_free_inputs(d.inputs, d.inputs ? d.input_count : 0);
	cli_files_close(&d.files);
	cli_reverse_close(&d.reverse);
	return d.status;
}

static int dump_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct dump_args a = {.iter = TDAT_ITER_OPTS_INIT, .limits = TDAT_LIMITS_INIT};
	const struct tdat_importer *importer = cli_import_opts_from(argc, argv);
	struct cli_opt *table = importer ? cli_import_opts_table(dump_opts, argc, argv) : NULL;
	struct tdat_filter *filter = NULL;
	int status = CLI_OK;

	if (importer && !table)
		return cli_nomem();
	if (cli_opt_parse(cmd, table ? table : dump_opts, &argc, argv, &a, &status)) {
		if (importer)
			a.filter.from = NULL; /* --from named a format, not a time */
		if (!a.input_count)
			status = add_input(&a, "trace.dat");
		if (status == CLI_OK)
			status = cli_plugins_check(&a.plugin_dirs);
		a.iter.plugin_state = !a.raw_fields && !a.no_plugins && !a.json && !a.csv;
		if (status == CLI_OK && a.json && a.csv) {
			cli_error(NULL, "--json and --csv exclude each other");
			status = CLI_USAGE;
		}
		if (status == CLI_OK && (a.json_hex || a.json_strings) && !a.json) {
			cli_error(NULL, "%s goes with --json",
				  a.json_hex ? "--json-hex" : "--json-strings");
			status = CLI_USAGE;
		}
		if (a.cpus.count) {
			a.iter.cpus = a.cpus.v;
			a.iter.cpu_count = a.cpus.count;
			a.iter.top_only = !a.filter.buffers.count;
		}
		if (a.csv)
			a.filter.stacks = TDAT_STACKS_NONE;
		else if (a.compat == TDAT_COMPAT_3_3)
			a.filter.stacks = TDAT_STACKS_3_2;
		if (status == CLI_OK)
			status = cli_filter_make(&a.filter, &filter);
		a.iter.filter = filter;
		if (status == CLI_OK)
			status = dump(&a, importer);
	}
	tdat_filter_free(filter);
	cli_import_opts_fini(&a.import);
	free(table);
	cli_filter_fini(&a.filter);
	cli_cpus_fini(&a.cpus);
	cli_list_fini(&a.plugin_dirs);
	cli_list_fini(&a.plugin_options);
	free(a.inputs);
	return status;
}

static const char *const dump_synopsis[] = {"[OPTION]... [FILE]...",
					    "--from FORMAT [OPTION]... INPUT...", NULL};
static const char *const dump_notes[] = {
	"FILE is trace.dat when none is named; - is standard input.",
	"INPUT is a foreign capture of a FORMAT of 'tdat list --formats', as convert takes it.",
	NULL,
};

const struct cli_cmd cli_cmd_dump = {
	"dump",	       "Print the events of trace.dat files as text.",
	dump_synopsis, dump_opts,
	dump_notes,    dump_run,
};
