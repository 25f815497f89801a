/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat dump: prints the events of trace.dat files as trace-cmd report does. It takes
 * options (dump_args.c), opens files, makes an iterator and an exporter (text, json or csv), and
 * lets tdat_pump() join them with standard output. Latency text and raw parts are printed as they
 * are stored. Damage is reported on stderr at the end, with exit status 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "commands/commands.h"
#include "commands/dump_args.h"
#include "commands/dump_csv.h"
#include "commands/info_parts.h"
#include "input/damage.h"
#include "input/inputs.h"
#include "input/trace_files.h"
#include "output/out.h"
#include "output/reverse.h"
#include "output/selection.h"
#include "safety/descriptors.h"
#include "safety/own_input.h"
#include "safety/sandbox.h"
#include "terminal/color.h"
#include "terminal/pager.h"
#include "terminal/safe_text.h"

/*
 * One run of the command. status is the exit status so far; a function that returns false has set
 * it.
 */
struct dump {
	const struct dump_args *args;
	struct cli_files files;
	struct tdat_spill reverse;    /* the temporary file of --reverse */
	struct tdat_error no_reverse; /* why there is no temporary file */
	bool made_first; /* --reverse: all lines are made, and printed from the last one on */
	struct tdat_iter_input *inputs;
	size_t input_count; /* files that are open */
	struct tdat_iter *iter;
	struct cli_out out;
	bool printed; /* text of an event */
	bool safe;    /* stdout is a terminal, which no byte of a trace may drive */
	bool color;
	int status;
};

/* With --format all inputs are one capture. */
static int add_capture(struct dump *d)
{
	const struct dump_args *a = d->args;
	char **words = calloc(a->input_count, sizeof(*words));
	int rc = words ? cli_import_opts_check(&a->import, d->files.importer) : cli_nomem();

	for (size_t i = 0; words && i < a->input_count; i++)
		words[i] = (char *)(uintptr_t)a->inputs[i].path;
	if (rc == CLI_OK)
		rc = cli_inputs_check_options("dump", "-", &a->import);
	if (rc == CLI_OK)
		rc = cli_files_add_capture(&d->files, &a->import, words, a->input_count);
	if (rc == CLI_OK && !d->files.v[0].source)
		rc = cli_fail(a->inputs[0].path, &d->files.v[0].err);
	free(words);
	return rc;
}

/* Opens all that will be read or written, then enters the sandbox. */
static bool open_all(struct dump *d)
{
	/* Plugins are code of the user's choice: they may read what they like. */
	static const struct cli_sandbox_path anywhere = {"/", false, false};
	const struct dump_args *a = d->args;
	size_t i;

	/* Standard output may be redirected into an input; each is compared with it. */
	for (i = 0; i < a->input_count && d->status == CLI_OK; i++)
		d->status = cli_output_check("dump", "-", true, &a->inputs[i].path, 1);
	if (d->status != CLI_OK)
		return false;
	cli_raise_file_limit();
	d->files.spool_len = a->limits.spool_len;
	/*
	 * The temporary file is opened before the sandbox forbids it. Whether it is needed is known
	 * only later, hence a failure is kept.
	 */
	if (a->reverse)
		tdat_spill_open(&d->reverse, &d->no_reverse);
	if (d->files.importer)
		d->status = add_capture(d);
	for (i = 0; d->status == CLI_OK && !d->files.importer && i < a->input_count; i++) {
		d->status = cli_files_add(&d->files, a->inputs[i].path, true);
		if (d->status == CLI_OK && !d->files.v[i].source)
			d->status = cli_fail(a->inputs[i].path, &d->files.v[i].err);
	}
	cli_sandbox_enter(&anywhere, a->plugin_dirs.count ? 1 : 0, CLI_SANDBOX_READING);
	return d->status == CLI_OK;
}

/* report --ts-check: says of each input where time goes back. */
static void check_times(struct dump *d)
{
	for (size_t i = 0; i < d->input_count; i++) {
		const int rc =
			info_parts(d->inputs[i].file, d->args->inputs[i].path, INFO_TS_CHECK);

		d->status = rc != CLI_OK ? rc : d->status;
	}
}

/* Prints the error and sets the exit status; returns false for the caller to return. */
static bool fail(struct dump *d, const struct tdat_error *err)
{
	d->status = cli_fail(NULL, err);
	return false;
}

/*
 * Writes text of events. A terminal gets control bytes escaped; a file or pipe gets them unchanged,
 * as other programs parse them.
 */
static bool put(struct dump *d, struct tdat_span text)
{
	if (d->safe || d->color) {
		if (d->color)
			cli_put_events((const char *)text.ptr, text.len);
		else
			cli_put_lines(stdout, (const char *)text.ptr, text.len);
		return !ferror(stdout);
	}
	if (cli_out_write(&d->out, text.ptr, text.len))
		return true;
	d->status = CLI_FAILED;
	return false;
}

/*
 * Prints a latency trace, which is text; trace-cmd report ends it with an empty line. Some
 * converters stored more behind the text: it ends before a NUL.
 */
static bool print_latency(struct dump *d, struct tdat_span text)
{
	if (text.len)
		text.len = strnlen((const char *)text.ptr, text.len);
	return put(d, text) && put(d, (struct tdat_span){(const uint8_t *)"\n", 1});
}

/*
 * Finds the latency trace among the inputs, which is text without events. It must be the only
 * input, and can be printed as text only.
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
				  : "a latency trace cannot be printed together with other files");
		d->status = CLI_FAILED;
		return false;
	}
	return true;
}

/* The sink of the pump. printed remembers whether any event was shown. */
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

/*
 * Runs iterator and exporter on the threads of --threads. False after a failure that was reported.
 */
static bool pump(struct dump *d, const struct tdat_sink_ops *sink, void *ctx)
{
	struct tdat_pump_opts opts = TDAT_PUMP_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	opts.threads = (uint32_t)d->args->threads;
	opts.limit = d->args->limit;
	if (d->made_first)
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
	char hz[24]; /* the text of that option */
};

static void add_option(struct export_options *o, const char *key, const char *value)
{
	o->v[o->count++] = (struct tdat_keyed_option){key, value};
}

/* A flag is an option with an empty value, present or not. */
static void add_flag(struct export_options *o, const char *key, bool given)
{
	if (given)
		add_option(o, key, "");
}

static void add_options(struct export_options *o, const char *key, const struct cli_list *values)
{
	for (size_t i = 0; i < values->count; i++)
		add_option(o, key, values->v[i]);
}

/* The options that add_text_options, add_field_options and add_csv_type can add. */
enum { FIXED_OPTIONS = 10 };

static size_t option_room(const struct dump_args *a)
{
	return FIXED_OPTIONS + a->plugin_dirs.count + a->plugin_options.count +
	       a->raw_events.count + a->no_plugin_events.count;
}

/* The options that only the text has; names are those of the exporter "text". */
static void add_text_options(struct export_options *o, const struct dump_args *a)
{
	add_flag(o, "N", a->no_plugins);
	add_flag(o, "R", a->raw_fields);
	add_flag(o, "l", a->latency_format);
	add_flag(o, "t", a->nanoseconds);
	add_flag(o, "raw-ts", a->iter.raw_ts);
	add_flag(o, "ts-diff", a->ts_diff);
	add_flag(o, "wall", a->wall);
	add_option(o, "compat", dump_compat_names[a->compat]);
	if (a->hz) {
		snprintf(o->hz, sizeof(o->hz), "%llu", (unsigned long long)a->hz);
		add_option(o, "hz", o->hz);
	}
	add_options(o, "plugin-dir", &a->plugin_dirs);
	add_options(o, "O", &a->plugin_options);
	add_options(o, "r", &a->raw_events);
	add_options(o, "n", &a->no_plugin_events);
}

/* Adds the options that JSON and CSV have. */
static void add_field_options(struct export_options *o, const struct dump_args *a)
{
	add_flag(o, "text", a->text);
	add_flag(o, "hex", a->json && a->json_hex);
	add_flag(o, "strings", a->json && a->json_strings);
}

/*
 * Adds the event type of the CSV, which is that of the first event. False: no event passes, or one
 * of another type, which was refused.
 */
static bool add_csv_type(struct dump *d, struct export_options *o)
{
	const struct dump_csv csv = {d->inputs, d->input_count, &d->args->iter, d->args->limit,
				     (uint32_t)d->args->threads};
	const struct tdat_event_format *f;
	const int rc = dump_csv_type(&csv, &f);

	if (rc != CLI_OK)
		d->status = rc;
	if (rc != CLI_OK || !f)
		return false;
	add_option(o, "system", tdat_event_format_system(f));
	add_option(o, "event", tdat_event_format_name(f));
	return true;
}

/* Writes the head, the latency text or the events, and the tail. */
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

static void print_note(void *ctx, const char *sentence)
{
	(void)ctx;
	cli_error(NULL, "%s", sentence);
}

/* Picks the exporter by --json or --csv; text otherwise. */
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
	request.note = print_note;
	if (tdat_export_new(&e,
			    tdat_exporter_find(a->json	? "json"
					       : a->csv ? "event_csv"
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

	o.v = calloc(option_room(a), sizeof(*o.v));
	if (!o.v) {
		d->status = cli_nomem();
		return false;
	}
	ok = export_events(d, &o);
	free(o.v);
	return ok;
}

/* Parses the inputs. A damaged one is read as far as possible. */
static bool parse_inputs(struct dump *d)
{
	const struct dump_args *a = d->args;
	int rc;

	rc = cli_files_parse_all(&d->files, &a->limits, &d->inputs, &d->input_count, &d->status);
	if (rc != CLI_OK)
		d->status = rc;
	for (size_t i = 0; i < d->input_count; i++) {
		d->inputs[i].ts_offset = a->inputs[i].ts_offset;
		d->inputs[i].ts2secs = a->inputs[i].ts2secs;
	}
	return rc == CLI_OK;
}

/*
 * Reports the pages that could not be read, once for each CPU of a buffer, and event types without
 * a format.
 */
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

/*
 * Finds the time of the first event of all CPUs of all inputs, whatever is chosen; *found is false
 * if there is none.
 */
static bool first_time(struct dump *d, bool top_only, uint64_t *ts, bool *found)
{
	struct tdat_iter_opts opts = d->args->iter;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev = NULL;
	struct tdat_iter *iter;
	bool ok;

	/* Selections must not move the origin: two dumps of one file keep the same times. */
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

/* Where the last events begin: at this time, behind the first skipped events of it. */
struct tail_start {
	uint64_t ts, skipped;
};

/* True if the line of an event is indented or folded by what came before. */
static bool is_call(const struct tdat_event *ev)
{
	static const char *const names[] = {"function", "func_repeats", "funcgraph_entry",
					    "funcgraph_exit"};
	const struct tdat_event_format *f = tdat_event_format_of(ev);

	for (size_t i = 0; f && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(tdat_event_format_name(f), names[i]))
			return true;
	return false;
}

/*
 * Walks back over the last events, and counts those that have the time of the first of them.
 * TDAT_E_UNSUPPORTED: one of them depends on all before.
 */
static enum tdat_status find_tail(const struct dump *d, struct tail_start *start, bool *found,
				  struct tdat_error *err)
{
	struct tdat_iter_opts opts = d->args->iter;
	const struct tdat_event *ev = NULL;
	uint64_t left = d->args->tail, kept = 0, all = 0;
	struct tdat_iter *iter;
	enum tdat_status st;

	opts.reverse = true;
	opts.plugin_state = false;
	*found = false;
	st = tdat_iter_new(&iter, d->inputs, d->input_count, &opts, err);
	if (st != TDAT_OK)
		return st;
	while (st == TDAT_OK && (left || (ev && ev->ts == start->ts))) {
		st = tdat_iter_next(iter, &ev, err);
		if (st != TDAT_OK || !ev)
			break;
		if (d->args->iter.plugin_state && is_call(ev)) {
			st = TDAT_E_UNSUPPORTED;
			break;
		}
		if (left && (!*found || ev->ts != start->ts)) {
			start->ts = ev->ts;
			kept = all = 0;
			*found = true;
		}
		if (ev->ts != start->ts)
			break;
		all++;
		kept += left != 0;
		left -= left != 0;
	}
	start->skipped = all - kept;
	tdat_iter_free(iter);
	return st;
}

/* Moves the iterator to the last events. Where walking back is not enough, it counts all. */
static bool seek_tail(struct dump *d)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tail_start start = {0, 0};
	const struct tdat_event *ev = NULL;
	bool found;
	enum tdat_status st = find_tail(d, &start, &found, &err);

	if (st == TDAT_E_UNSUPPORTED) {
		uint64_t count = 0;

		do
			st = tdat_iter_next(d->iter, &ev, &err);
		while (st == TDAT_OK && ev && ++count);
		start = (struct tail_start){0, count > d->args->tail ? count - d->args->tail : 0};
		found = true;
	}
	if (st == TDAT_OK && found)
		st = tdat_iter_seek(d->iter, start.ts, &err);
	for (; st == TDAT_OK && start.skipped; start.skipped--)
		st = tdat_iter_next(d->iter, &ev, &err);
	return st == TDAT_OK || fail(d, &err);
}

/*
 * Makes the iterator. In reverse the events come from the end of the files. If a line depends on
 * those before it, all lines are made first and kept in the temporary file.
 */
static bool make_readers(struct dump *d)
{
	const struct dump_args *a = d->args;
	struct tdat_iter_opts opts = a->iter;
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	if (a->align_ts && !align_inputs(d))
		return false;
	/* A time difference depends on the event before. */
	opts.reverse = a->reverse && !a->ts_diff;
	st = tdat_iter_new(&d->iter, d->inputs, d->input_count, &opts, &err);
	d->made_first = a->reverse && (a->ts_diff || st == TDAT_E_UNSUPPORTED);
	if (opts.reverse && d->made_first)
		st = tdat_iter_new(&d->iter, d->inputs, d->input_count, &a->iter, &err);
	if (st == TDAT_OK && d->made_first && d->reverse.fd < 0)
		return fail(d, &d->no_reverse);
	return (st == TDAT_OK || fail(d, &err)) && (!a->tail || seek_tail(d));
}

/* Names the options that let no event pass. A latency trace has no events to choose from. */
static void warn_empty(const struct dump *d)
{
	const struct dump_args *a = d->args;

	if (!d->printed && !(d->input_count == 1 && tdat_file_info(d->inputs[0].file)->latency))
		cli_selection_warn(d->input_count == 1 ? a->inputs[0].path : NULL, &a->filter,
				   &a->cpus, d->inputs, d->input_count);
}

/* A CPU without data does not count. */
static bool has_chosen_cpu(const struct dump_args *a, const struct tdat_buffer *b)
{
	for (uint32_t i = 0; i < b->cpu_count; i++)
		if (b->cpus[i].len && cli_cpus_has(&a->cpus, b->cpus[i].cpu))
			return true;
	return false;
}

/*
 * Warns that events of instances are left out, which is trace-cmd's rule for --cpu and surprises
 * users.
 */
static void warn_instances(const struct dump *d)
{
	const struct dump_args *a = d->args;

	/* top_only is set only if --cpu is given without --buffer. */
	for (size_t i = 0; a->iter.top_only && i < d->input_count; i++) {
		size_t count;
		const struct tdat_buffer *b = tdat_file_buffers(d->inputs[i].file, &count);

		while (count && (!*b->name || b->latency || !has_chosen_cpu(a, b))) {
			b++;
			count--;
		}
		if (count)
			cli_error(tdat_file_info(d->inputs[i].file)->name,
				  "--cpu selects only the top-level buffer, as in trace-cmd "
				  "report; buffer \"%.64s\" also has data of these CPUs: select it "
				  "with --buffer",
				  b->name);
	}
}

/* Runs the whole command; everything is freed on each path. */
static int dump(struct dump_args *a, const struct tdat_importer *importer)
{
	struct dump d = {.args = a,
			 .reverse = {.fd = -1},
			 .files.importer = importer,
			 .input_count = 1,
			 .safe = !a->raw_bytes && cli_is_terminal(),
			 .color = cli_color(stdout) && !a->json && !a->csv && !a->raw_bytes};

	if (!importer)
		d.input_count = a->input_count =
			cli_files_join(&d.files, a->inputs, a->input_count, sizeof(*a->inputs));
	cli_out_init(&d.out);
	if (open_all(&d) && parse_inputs(&d) && make_readers(&d)) {
		const bool done = write_events(&d);

		/* A failed write ends the run: damage of the rest is not known then. */
		if (!cli_out_flush(&d.out))
			d.status = CLI_FAILED;
		else if (done)
			report_damage(&d);
		if (done && a->ts_check)
			check_times(&d);
		if (done && d.status == CLI_OK)
			warn_empty(&d);
		if (done)
			warn_instances(&d);
	}
	tdat_iter_free(d.iter);
	cli_files_free_inputs(d.inputs, d.inputs ? d.input_count : 0);
	cli_files_close(&d.files);
	tdat_spill_fini(&d.reverse);
	return d.status;
}

/* Checks the arguments, makes their filter and prints; the arguments stay the caller's. */
int dump_events(struct dump_args *a, const struct tdat_importer *importer)
{
	struct tdat_filter *filter = NULL;
	int status = a->input_count ? CLI_OK : dump_add_input(a, "trace.dat");

	if (status == CLI_OK)
		status = dump_args_check(a);
	if (status == CLI_OK)
		status = cli_filter_make(&a->filter, &filter);
	a->iter.filter = filter;
	if (status == CLI_OK)
		status = dump(a, importer);
	tdat_filter_free(filter);
	return status;
}

/* --format is found before parsing, as it adds the options of its importer. */
static int dump_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct dump_args a = {.iter = TDAT_ITER_OPTS_INIT, .limits = TDAT_LIMITS_INIT};
	const struct tdat_importer *importer = cli_import_opts_named("format", argc, argv);
	struct cli_opt *table = importer ? cli_import_opts_table(dump_opts, importer) : NULL;
	int status = CLI_OK;

	if (importer && !table)
		return cli_nomem();
	if (cli_opt_parse(cmd, table ? table : dump_opts, &argc, argv, &a, &status)) {
		if (a.format && !cli_importer_named(a.format))
			status = CLI_USAGE;
		if (status == CLI_OK)
			status = dump_events(&a, importer);
	}
	free(table);
	dump_args_fini(&a);
	return status;
}

static const char *const dump_synopsis[] = {"[OPTION]... [FILE]...",
					    "--format NAME [OPTION]... INPUT...", NULL};
static const char *const dump_notes[] = {
	"The default FILE is trace.dat; - is standard input.",
	"Foreign captures are recognized; --format NAME reads all INPUTs as one capture.",
	NULL,
};

const struct cli_cmd cli_cmd_dump = {
	"dump",	       "Print events as the kernel does, or as JSON or CSV",
	dump_synopsis, dump_opts,
	dump_notes,    dump_run,
};
