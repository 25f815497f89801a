/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command tdat export: writes a trace in formats that other programs read. */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tdat/export.h>
#include <tdat/table.h>

#include "args/filter_opts.h"
#include "args/limits.h"
#include "args/nearest.h"
#include "commands/commands.h"
#include "commands/export_events.h"
#include "commands/export_lake.h"
#include "core/grow.h"
#include "input/damage.h"
#include "input/trace_files.h"
#include "output/output_folder.h"
#include "output/own_input.h"
#include "output/selection.h"
#include "output/table_file.h"
#include "safety/descriptors.h"
#include "safety/sandbox_output.h"

struct export_args {
	const char *to, *output, *partition;
	struct cli_list tables, columns, pairs;
	struct cli_filter filter;
	struct cli_cpus cpus;
	struct tdat_limits limits;
	struct tdat_keyed_option *options;
	char **option_texts;
	size_t option_count, option_room, text_room;
	bool force, quiet, raw_ts, no_date, perfetto_compat, tracks;
	uint64_t threads;
};

static int opt_expr(void *values, const struct cli_opt *opt, const char *value)
{
	struct export_args *a = values;

	(void)opt;
	return cli_filter_expr(&a->filter, value);
}

static int opt_negate(void *values, const struct cli_opt *opt, const char *value)
{
	struct export_args *a = values;

	(void)opt;
	(void)value;
	return cli_filter_negate(&a->filter);
}

/* Takes -O NAME=VALUE, or NAME alone for a flag. */
static int opt_option(void *values, const struct cli_opt *opt, const char *value)
{
	struct export_args *a = values;
	struct tdat_keyed_option *v =
		tdat_grown(a->options, &a->option_room, a->option_count + 1, sizeof(*v));
	char **texts, *text, *eq;

	(void)opt;
	if (!v)
		return cli_nomem();
	a->options = v;
	texts = tdat_grown(a->option_texts, &a->text_room, a->option_count + 1, sizeof(*texts));
	if (!texts)
		return cli_nomem();
	a->option_texts = texts;
	text = strdup(value);
	if (!text)
		return cli_nomem();
	eq = strchr(text, '=');
	if (eq)
		*eq = '\0';
	texts[a->option_count] = text;
	v[a->option_count++] = (struct tdat_keyed_option){text, eq ? eq + 1 : ""};
	return CLI_OK;
}

/* --ctf-names NAMES is -O names=NAMES. */
static int opt_ctf_names(void *values, const struct cli_opt *opt, const char *value)
{
	char text[64];

	snprintf(text, sizeof(text), "names=%s", value);
	return opt_option(values, opt, text);
}

static const struct cli_opt export_opts[] = {
	CLI_STRING(0, "to", "FORMAT", struct export_args, to,
		   "what to write: parquet, arrow, or another name of 'tdat list --formats'"),
	CLI_STRING('o', "output", "OUT", struct export_args, output,
		   "a folder for a file of each table, or the file of a single one; - is standard "
		   "output"),
	CLI_LIST(0, "table", "GLOB", struct export_args, tables,
		 "only these tables: 'sched/*', tasks, wakeup (default: all but events and "
		 "derived ones)"),
	CLI_LIST(0, "column", "NAME", struct export_args, columns,
		 "only these columns, in this order; text, the line of dump, is given out only so"),
	CLI_LIST(0, "pair", "PAIR", struct export_args, pairs,
		 "one more table, of pairs of events: see tdat-latency(1)"),
	CLI_CALL('O', NULL, "NAME=VALUE", opt_option,
		 "option of the format: 'tdat list --formats' lists them"),
	CLI_CALL(0, "ctf-names", "NAMES", opt_ctf_names,
		 "ctf: names of events and fields, lttng (the default) or ftrace"),
	CLI_STRING(0, "partition", "KEYS", struct export_args, partition,
		   "a data set of all files, each by itself, in folders KEY=VALUE (default of "
		   "several files: event,file; none: they are one trace)"),
	CLI_CPUS(0, "cpu", "LIST", struct export_args, cpus, "only these CPUs, such as 2 or 0,2-3"),
	CLI_FILTER_OPTS(struct export_args, filter, opt_expr, opt_negate),
	CLI_FLAG(0, "raw-ts", struct export_args, raw_ts, "times as the ring buffer has them"),
	CLI_FLAG(0, "nodate", struct export_args, no_date, "ignore the offset of record --date"),
	CLI_FLAG(0, "perfetto-compat", struct export_args, perfetto_compat,
		 "perfetto: events as readers before Perfetto 50 know them"),
	CLI_FLAG(0, "tracks", struct export_args, tracks,
		 "perfetto: calls of function_graph as slices of track events"),
	CLI_FLAG('f', "force", struct export_args, force, "replace existing files"),
	CLI_U64(0, "threads", "N", 0, 64, struct export_args, threads,
		"work on N threads; 0, the default: one per CPU"),
	CLI_FLAG('q', "quiet", struct export_args, quiet, "no summary at the end"),
	CLI_LIMITS(struct export_args, limits),
	CLI_OPT_END,
};

/* What is being written of one table. */
struct part {
	void *state; /* of the exporter; NULL: no row came yet */
	char *path;
	struct cli_table_file file;
	uint64_t rows;
	uint32_t sharers; /* tables that have rows, when its next batch comes */
};

struct exporting {
	const struct export_args *args;
	const struct tdat_exporter *exporter;
	struct cli_files files;
	struct tdat_iter_input *inputs;
	size_t input_count;
	struct tdat_filter *filter;
	struct tdat_trace *trace;
	struct tdat_table_opts opts;
	struct tdat_export *export;
	const struct tdat_table **tables;
	size_t table_count;
	struct part *parts;	   /* by index of the table */
	struct cli_table_file own; /* of an exporter that writes one file itself */
	struct cli_folder made;	   /* of an exporter whose output is a folder */
	char *made_path;	   /* its name, without slashes at its end */
	struct tdat_keyed_option *options;
	bool folder; /* the output is one */
	int status;
};

/* ---- what to write ---- */

/* Text, JSON and CSV of events are what tdat dump prints. */
static bool is_offered(const struct tdat_exporter *exporter)
{
	return exporter->columns || exporter->pack;
}

static const struct tdat_exporter *find_exporter(const char *name)
{
	size_t count, n = 0;
	const struct tdat_exporter *const *all = tdat_exporters(&count);
	const char **names;

	for (size_t i = 0; i < count; i++)
		if (is_offered(all[i]) && !strcmp(all[i]->name, name))
			return all[i];
	names = calloc(count + 1, sizeof(*names));
	for (size_t i = 0; names && i < count; i++)
		if (is_offered(all[i]))
			names[n++] = all[i]->name;
	if (names)
		cli_error(NULL, "no format '%s' to export to; the nearest is '%s'", name,
			  cli_nearest(name, names, n));
	free(names);
	return NULL;
}

static bool is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[\\") != NULL;
}

static bool is_wanted(const struct export_args *a, const struct tdat_table *table)
{
	if (!a->tables.count)
		return table->kind != TDAT_TABLE_EVENTS && table->kind != TDAT_TABLE_DERIVED;
	for (size_t i = 0; i < a->tables.count; i++)
		if (!fnmatch(a->tables.v[i], table->name, 0))
			return true;
	return false;
}

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
		if (is_wanted(a, &all[i]))
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

/* ---- the output ---- */

/* One table that is named as it is goes to a file; otherwise the output is a folder. */
static bool wants_folder(const struct export_args *a)
{
	struct stat sb;

	if (a->tables.count != 1 || is_glob(a->tables.v[0]))
		return true;
	return a->output && strcmp(a->output, "-") != 0 && !stat(a->output, &sb) &&
	       S_ISDIR(sb.st_mode);
}

static int check_output(struct exporting *x)
{
	const struct export_args *a = x->args;

	if (x->exporter->folder && (!a->output || !strcmp(a->output, "-"))) {
		cli_error(NULL, "export needs -o, the folder to make");
		return CLI_USAGE;
	}
	if (!x->exporter->columns)
		return CLI_OK;
	x->folder = wants_folder(a) && !x->exporter->columns->own_file;
	if ((!a->output || !strcmp(a->output, "-")) &&
	    (x->folder || x->exporter->columns->own_file)) {
		cli_error(NULL, "export needs -o, %s",
			  x->folder ? "a folder for the files of several tables"
				    : "the file to write");
		return CLI_USAGE;
	}
	if (!x->folder || !mkdir(a->output, 0777) || errno == EEXIST)
		return CLI_OK;
	cli_error(a->output, "cannot be made: %s", strerror(errno));
	return CLI_FAILED;
}

/* Makes the folder of an exporter that has one, which the sandbox does not allow. */
static int make_folder(struct exporting *x)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	size_t len;

	x->made_path = strdup(x->args->output);
	if (!x->made_path)
		return cli_nomem();
	for (len = strlen(x->made_path); len > 1 && x->made_path[len - 1] == '/';)
		x->made_path[--len] = '\0';
	if (cli_folder_open(&x->made, x->made_path, x->args->force, &err))
		return cli_fail(NULL, &err);
	cli_sandbox_for_folder(x->made_path);
	return CLI_OK;
}

static int open_inputs(struct exporting *x, char *const *paths, size_t count)
{
	const struct export_args *a = x->args;
	const char *output = a->output ? a->output : "-";
	char *inside = x->folder ? cli_table_file_name(output, "x", "") : strdup(output);
	const bool folder = x->folder || x->exporter->folder;
	int rc = inside ? CLI_OK : cli_nomem();

	for (size_t i = 0; i < count && rc == CLI_OK; i++) {
		rc = folder ? CLI_OK
			    : cli_output_check("export", output, a->force,
					       (const char *const *)&paths[i], 1);
		if (rc == CLI_OK)
			rc = cli_files_add_read(&x->files, paths[i]);
		if (rc == CLI_OK && !x->files.v[i].source)
			rc = cli_fail(paths[i], &x->files.v[i].err);
	}
	if (rc == CLI_OK && x->exporter->folder)
		rc = make_folder(x);
	else if (rc == CLI_OK)
		cli_sandbox_for_output(inside, NULL, NULL, 0);
	free(inside);
	return rc;
}

/* ---- rows ---- */

static enum tdat_status begin_part(struct exporting *x, const struct tdat_table *table,
				   struct part *p, struct tdat_error *err)
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
	schema.release(&schema);
	return st;
}

static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct exporting *x = ctx;
	struct part *p = &x->parts[table->index];
	enum tdat_status st = p->state ? TDAT_OK : begin_part(x, table, p, err);

	p->rows += (uint64_t)rows->length;
	if (st == TDAT_OK && x->exporter->columns->share)
		x->exporter->columns->share(p->state, p->sharers);
	return st == TDAT_OK ? x->exporter->columns->batch(p->state, rows, err) : st;
}

static void take_sharers(void *ctx, const struct tdat_table *table, uint32_t count)
{
	struct exporting *x = ctx;

	x->parts[table->index].sharers = count;
}

/* Ends the part of a table. The file of a single table is made also without rows. */
static enum tdat_status end_part(struct exporting *x, const struct tdat_table *table, bool give_up,
				 struct tdat_error *err)
{
	struct part *p = &x->parts[table->index];
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

static void take_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	struct exporting *x = ctx;

	if (cli_damage_all(x->inputs, damage, count) != CLI_OK)
		x->status = CLI_FAILED;
}

/* Reports what a derived table left out, unless --quiet is given. */
static void take_note(void *ctx, const struct tdat_table *table, const char *what, uint64_t count)
{
	const struct exporting *x = ctx;

	if (!x->args->quiet)
		cli_error(NULL, "%s: left out: %" PRIu64 " of: %s", table->name, count, what);
}

/* Reports ids that no file describes; their events are in the output as bytes, or not at all. */
static void report_undescribed(struct exporting *x)
{
	if (cli_undescribed_all(x->inputs, x->input_count) != CLI_OK)
		x->status = CLI_FAILED;
}

static void print_summary(const struct exporting *x)
{
	uint64_t rows = 0;
	size_t tables = 0;

	for (size_t i = 0; i < x->table_count; i++) {
		const uint64_t n = x->parts[x->tables[i]->index].rows;

		rows += n;
		tables += n != 0;
	}
	if (!rows)
		cli_selection_warn(NULL, &x->args->filter, &x->args->cpus, x->inputs,
				   x->input_count);
	if (!x->args->quiet && x->args->output && strcmp(x->args->output, "-") != 0)
		cli_error(x->args->output, "%" PRIu64 " row%s in %zu table%s", rows,
			  rows == 1 ? "" : "s", tables, tables == 1 ? "" : "s");
}

/* ---- events ---- */

static void add_flag(struct export_events *e, struct tdat_keyed_option *v, const char *key,
		     bool given)
{
	if (given)
		v[e->option_count++] = (struct tdat_keyed_option){key, ""};
}

/* Refuses options of tables for an exporter of events. */
static bool asks_for_tables(const struct export_args *a)
{
	if (!a->tables.count && !a->columns.count)
		return false;
	cli_error(NULL, "--table and --column choose from tables; --to %s writes events", a->to);
	return true;
}

/* Whether the name of the output is one of a compressed file, and the exporter can compress. */
static bool is_gzip(const struct exporting *x, const char *output)
{
	const struct tdat_keyed_option_desc *o = x->exporter->options;
	const size_t len = strlen(output);

	if (len < 3 || strcmp(output + len - 3, ".gz") != 0)
		return false;
	while (o && o->key && strcmp(o->key, "gzip") != 0)
		o++;
	return o && o->key;
}

static int write_events(struct exporting *x)
{
	const struct export_args *a = x->args;
	struct tdat_iter_opts iter = TDAT_ITER_OPTS_INIT;
	struct export_events e = {.exporter = x->exporter,
				  .inputs = x->inputs,
				  .input_count = x->input_count,
				  .iter = &iter,
				  .output = a->output ? a->output : "-",
				  .folder = x->exporter->folder ? &x->made : NULL,
				  .force = a->force,
				  .quiet = a->quiet,
				  .threads = (uint32_t)a->threads,
				  .damage = take_damage,
				  .damage_ctx = x};
	uint64_t events;
	int rc;

	iter.raw_ts = a->raw_ts;
	iter.no_date = a->no_date;
	iter.filter = x->filter;
	iter.cpus = a->cpus.count ? a->cpus.v : NULL;
	iter.cpu_count = a->cpus.count;
	x->options = calloc(a->option_count + 8, sizeof(*x->options));
	if (!x->options)
		return cli_nomem();
	for (; e.option_count < a->option_count; e.option_count++)
		x->options[e.option_count] = a->options[e.option_count];
	add_flag(&e, x->options, "raw-ts", a->raw_ts);
	add_flag(&e, x->options, "nodate", a->no_date);
	add_flag(&e, x->options, "compat", a->perfetto_compat);
	add_flag(&e, x->options, "tracks", a->tracks);
	add_flag(&e, x->options, "gzip", is_gzip(x, e.output));
	e.options = x->options;
	rc = export_events_run(&e, &events);
	if (rc != CLI_OK)
		return rc;
	report_undescribed(x);
	if (!events)
		cli_selection_warn(NULL, &a->filter, &a->cpus, x->inputs, x->input_count);
	if (!a->quiet && strcmp(e.output, "-") != 0)
		cli_error(e.output, "%" PRIu64 " event%s", events, events == 1 ? "" : "s");
	return CLI_OK;
}

static bool has_option(const struct export_args *a, const char *key)
{
	for (size_t i = 0; i < a->option_count; i++)
		if (!strcmp(a->options[i].key, key))
			return true;
	return false;
}

/*
 * Collects the options of the user. An exporter that writes its file itself gets a temporary name
 * for it.
 */
static int make_options(struct exporting *x, struct tdat_export_request *request)
{
	const struct export_args *a = x->args;
	struct tdat_error err = TDAT_ERROR_INIT;

	x->options = calloc(a->option_count + 8, sizeof(*x->options));
	if (!x->options)
		return cli_nomem();
	for (size_t i = 0; i < a->option_count; i++)
		x->options[i] = a->options[i];
	request->options = x->options;
	request->option_count = a->option_count;
	/* A file of Arrow is read from its end, which a reader of a pipe cannot do. */
	if (!strcmp(x->exporter->name, "arrow") && (!a->output || !strcmp(a->output, "-")) &&
	    !has_option(a, "container"))
		x->options[request->option_count++] =
			(struct tdat_keyed_option){"container", "stream"};
	if (!x->exporter->columns->own_file)
		return CLI_OK;
	if (cli_table_file_reserve(&x->own, a->output, a->force, &err))
		return cli_fail(NULL, &err);
	x->options[request->option_count++] = (struct tdat_keyed_option){"path", x->own.temp};
	return CLI_OK;
}

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
	x->opts.damage = take_damage;
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

static int write_tables(struct exporting *x)
{
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
	if (st == TDAT_OK && x->own.temp)
		st = cli_table_file_close(&x->own, false, &err);
	if (st != TDAT_OK)
		return cli_fail(NULL, &err);
	report_undescribed(x);
	print_summary(x);
	return CLI_OK;
}

static int export_tables(struct exporting *x)
{
	const int rc = begin_export(x);

	return rc == CLI_OK ? write_tables(x) : rc;
}

static void exporting_fini(struct exporting *x)
{
	tdat_export_free(x->export);
	cli_table_file_close(&x->own, true, NULL);
	cli_folder_close(&x->made, true, NULL);
	free(x->made_path);
	free(x->options);
	tdat_trace_free(x->trace);
	cli_files_free_inputs(x->inputs, x->input_count);
	cli_files_close(&x->files);
	tdat_filter_free(x->filter);
	free(x->tables);
	free(x->parts);
}

/* ---- data sets ---- */

static void put_word(struct tdat_build *b, const char *key, const char *value)
{
	tdat_build_str(b, key);
	tdat_build_u8(b, '=');
	cli_partition_value(b, value);
	tdat_build_u8(b, ' ');
}

static void put_words(struct tdat_build *b, const char *key, const struct cli_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		put_word(b, key, list->v[i]);
}

/* The options that decide what is written, on one line. */
static bool make_recipe(struct tdat_build *b, const struct export_args *a)
{
	const struct cli_filter *f = &a->filter;

	put_word(b, "to", a->to);
	put_word(b, "partition", a->partition);
	put_words(b, "table", &a->tables);
	put_words(b, "column", &a->columns);
	put_words(b, "pair", &a->pairs);
	for (size_t i = 0; i < a->option_count; i++) {
		put_word(b, "option", a->options[i].key);
		put_word(b, "value", a->options[i].value);
	}
	for (size_t i = 0; i < a->cpus.count; i++)
		tdat_build_printf(b, "cpu=%u ", a->cpus.v[i]);
	for (size_t i = 0; i < f->expr_count; i++)
		put_word(b, f->exprs[i].negative ? "not" : "filter", f->exprs[i].text);
	put_words(b, "event", &f->events);
	put_words(b, "pid", &f->pids);
	put_words(b, "comm", &f->comms);
	put_words(b, "buffer", &f->buffers);
	if (f->from)
		put_word(b, "from", f->from);
	if (f->to)
		put_word(b, "until", f->to);
	tdat_build_str(b, a->raw_ts ? "raw-ts " : "");
	tdat_build_str(b, a->no_date ? "nodate " : "");
	tdat_build_u8(b, '\0');
	return !b->failed;
}

static bool is_wanted_of(const void *ctx, const struct tdat_table *table)
{
	return is_wanted(ctx, table);
}

static int export_data_set(const struct export_args *a, const struct tdat_exporter *exporter,
			   const struct tdat_filter *filter, char *const *paths, size_t count)
{
	struct export_lake lake = {.exporter = exporter,
				   .options = a->options,
				   .option_count = a->option_count,
				   .output = a->output,
				   .trace = TDAT_TRACE_OPTS_INIT,
				   .table = TDAT_TABLE_OPTS_INIT,
				   .limits = a->limits,
				   .force = a->force,
				   .quiet = a->quiet,
				   .wanted = is_wanted_of,
				   .wanted_ctx = a};
	struct tdat_build recipe;
	int rc = cli_partition_parse(a->partition, &lake.partition);

	if (rc != CLI_OK)
		return rc;
	if (!exporter->columns || exporter->columns->own_file || !a->output ||
	    !strcmp(a->output, "-")) {
		cli_error(NULL,
			  "--partition needs -o, the folder of the data set, and a format with "
			  "a file for each table");
		return CLI_USAGE;
	}
	lake.trace.raw_ts = a->raw_ts;
	lake.trace.no_date = a->no_date;
	lake.trace.pairs = a->pairs.v;
	lake.trace.pair_count = a->pairs.count;
	lake.table.columns = a->columns.count ? a->columns.v : NULL;
	lake.table.column_count = a->columns.count;
	lake.table.filter = filter;
	lake.table.cpus = a->cpus.count ? a->cpus.v : NULL;
	lake.table.cpu_count = a->cpus.count;
	lake.table.threads = (uint32_t)a->threads;
	tdat_build_init(&recipe, false);
	if (make_recipe(&recipe, a)) {
		lake.recipe = (const char *)recipe.ptr;
		rc = export_lake_run(&lake, paths, count);
	} else {
		rc = cli_nomem();
	}
	tdat_build_fini(&recipe);
	return rc;
}

/*
 * Returns the keys by which files become partitions: those that were asked for, else event and file
 * for several files whose tables go to a folder. NULL: the files are one trace.
 */
static const char *partition_of(const struct export_args *a, const struct tdat_exporter *exporter,
				size_t count)
{
	if (a->partition)
		return strcmp(a->partition, "none") ? a->partition : NULL;
	if (count < 2 || !exporter->columns || exporter->columns->own_file || !a->output ||
	    !strcmp(a->output, "-"))
		return NULL;
	return "event,file";
}

static int export_files(struct export_args *a, char *const *paths, size_t count)
{
	struct exporting x = {
		.args = a, .files = {.spool_len = a->limits.spool_len}, .own = {.fd = -1}};
	char *const standard[] = {(char *)"trace.dat"};
	int rc;

	if (!a->to) {
		cli_error(NULL, "export needs --to, the format to write");
		return CLI_USAGE;
	}
	x.exporter = find_exporter(a->to);
	if (!x.exporter || (!x.exporter->columns && asks_for_tables(a)))
		return CLI_USAGE;
	if (!count) {
		paths = standard;
		count = 1;
	}
	cli_raise_file_limit();
	rc = cli_filter_make(&a->filter, &x.filter);
	a->partition = partition_of(a, x.exporter, count);
	if (rc == CLI_OK && a->partition) {
		rc = export_data_set(a, x.exporter, x.filter, paths, count);
		exporting_fini(&x);
		return rc;
	}
	if (rc == CLI_OK)
		rc = check_output(&x);
	if (rc == CLI_OK)
		rc = open_inputs(&x, paths, count);
	if (rc == CLI_OK)
		rc = cli_files_parse_all(&x.files, &a->limits, &x.inputs, &x.input_count,
					 &x.status);
	if (rc == CLI_OK && !x.exporter->columns)
		rc = write_events(&x);
	else if (rc == CLI_OK)
		rc = export_tables(&x);
	exporting_fini(&x);
	return rc == CLI_OK ? x.status : rc;
}

static int export_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct export_args a = {.limits = TDAT_LIMITS_INIT};
	int rc;

	if (cli_opt_parse(cmd, export_opts, &argc, argv, &a, &rc))
		rc = export_files(&a, argv + 1, (size_t)argc - 1);
	for (size_t i = 0; i < a.option_count; i++)
		free(a.option_texts[i]);
	free(a.option_texts);
	free(a.options);
	cli_cpus_fini(&a.cpus);
	cli_filter_fini(&a.filter);
	cli_list_fini(&a.tables);
	cli_list_fini(&a.columns);
	cli_list_fini(&a.pairs);
	return rc;
}

static const char *const export_synopsis[] = {"--to FORMAT [OPTION]... [-o OUT] [FILE]...", NULL};
static const char *const export_notes[] = {
	"FILE is trace.dat when none is named; - is standard input. Several are one trace.",
	"Tables without rows get no file. docs/tables.md lists tables and columns.",
	"Exit status: 0 done, 1 damage or failed, 2 wrong usage.",
	NULL,
};

const struct cli_cmd cli_cmd_export = {
	.name = "export",
	.summary = "Write a trace as Parquet, Arrow, Perfetto's packets, CTF and other formats.",
	.synopsis = export_synopsis,
	.opts = export_opts,
	.notes = export_notes,
	.run = export_run,
};
