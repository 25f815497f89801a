/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat export: writes a trace in formats that other programs read. It finds the
 * exporter, checks the output against the inputs, opens everything before the sandbox is entered,
 * and leaves the work to export_events.c, export_tables.c or export_data_set.c. Options are in
 * export_args.c.
 */
#include <errno.h>
#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/commands.h"
#include "commands/export_compact.h"
#include "commands/export_events.h"
#include "commands/export_data_set.h"
#include "commands/export_tables.h"
#include "core/nearest.h"
#include "output/output_name.h"
#include "output/selection.h"
#include "safety/descriptors.h"
#include "safety/own_input.h"
#include "safety/sandbox_output.h"

/* Returns an exporter of tables or packets, or complains with the nearest name. */
static const struct tdat_exporter *find_exporter(const char *name)
{
	size_t count;
	const struct tdat_exporter *const *all = tdat_exporters(&count);
	const struct tdat_exporter *found = tdat_exporter_find(name);
	struct tdat_near near = {.word = name};

	/* Exporters of events belong to tdat dump. */
	if (found && found->kind != TDAT_EXPORT_EVENTS)
		return found;
	for (size_t i = 0; i < count; i++)
		if (all[i]->kind != TDAT_EXPORT_EVENTS)
			tdat_near_try(&near, all[i]->name);
	cli_error(NULL, "unknown export format '%s'%s", name,
		  tdat_near_hint(&near, "; \"tdat list --formats\" lists the formats"));
	return NULL;
}

/* ---- the output ---- */

/* The characters that fnmatch(3) gives a meaning. */
static bool is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[\\") != NULL;
}

static bool is_one_table(const struct export_args *a)
{
	return a->tables.count == 1 && !is_glob(a->tables.v[0]);
}

/* Refuses a name that says no format, with the ends that do. */
static void refuse_name(const char *path)
{
	size_t count, used = 0;
	const struct tdat_exporter *const *all = tdat_exporters(&count);
	const char *picture = cli_picture_of_name(path);
	char ends[256] = "";

	if (picture) {
		cli_error(path, "export writes tables and traces; %s", picture);
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (all[i]->suffixes && used < sizeof(ends))
			used += (size_t)snprintf(ends + used, sizeof(ends) - used, " %s",
						 all[i]->suffixes);
	cli_error(path,
		  "the suffix does not select a format; known suffixes:%s; --to FORMAT accepts any "
		  "name",
		  ends);
}

/* Sets the format by the end of the output's name. False: it says none, or not enough. */
static bool name_format(struct export_args *a)
{
	const struct tdat_exporter *x = cli_exporter_of_name(a->output);

	if (!x && cli_name_has_end(a->output)) {
		refuse_name(a->output);
	} else if (!x) {
		cli_error(NULL, "export needs --to, the output format");
	} else if (x->columns && !x->columns->own_file && !is_one_table(a)) {
		cli_error(a->output,
			  "this names a single file: select its table with --table NAME, or give "
			  "--to %s and a folder",
			  x->name);
		return false;
	} else {
		a->to = x->name;
	}
	return x;
}

/* True if the output is a folder: several tables, or one that goes to an existing folder. */
static bool wants_folder(const struct export_args *a)
{
	struct stat sb;

	if (!is_one_table(a))
		return true;
	return a->output && strcmp(a->output, "-") != 0 && !stat(a->output, &sb) &&
	       S_ISDIR(sb.st_mode);
}

/* Sets x->folder, and makes that folder. Refuses outputs that cannot hold the export. */
static int check_output(struct exporting *x)
{
	const struct export_args *a = x->args;

	if (x->exporter->folder && (!a->output || !strcmp(a->output, "-"))) {
		cli_error(NULL, "export needs -o, the folder to create");
		return CLI_USAGE;
	}
	if (!x->exporter->columns)
		return CLI_OK;
	x->folder = wants_folder(a) && !x->exporter->columns->own_file;
	if ((!a->output || !strcmp(a->output, "-")) &&
	    (x->folder || x->exporter->columns->own_file)) {
		cli_error(NULL, "export needs -o, %s",
			  x->folder ? "the output folder" : "the output file");
		return CLI_USAGE;
	}
	if (!x->folder || !mkdir(a->output, 0777) || errno == EEXIST)
		return CLI_OK;
	cli_error(a->output, "cannot create: %s", strerror(errno));
	return CLI_FAILED;
}

/* Makes the folder of an exporter that has one (CTF). The sandbox would forbid it later. */
static int make_folder(struct exporting *x)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	size_t len;

	x->made_path = strdup(x->args->output);
	if (!x->made_path)
		return cli_nomem();
	/* Slashes at the end would make the folder's own name empty. */
	for (len = strlen(x->made_path); len > 1 && x->made_path[len - 1] == '/';)
		x->made_path[--len] = '\0';
	if (cli_folder_open(&x->made, x->made_path, x->args->force, &err))
		return cli_fail(NULL, &err);
	cli_sandbox_for_folder(x->made_path, CLI_SANDBOX_READING);
	return CLI_OK;
}

/* Opens the inputs, after comparing each with the output, and enters the sandbox. */
static int open_inputs(struct exporting *x, char *const *paths, size_t count)
{
	const struct export_args *a = x->args;
	const char *output = a->output ? a->output : "-";
	/*
	 * The sandbox allows the folder of a path, hence a name inside stands in for all files of
	 * the folder.
	 */
	char *inside = x->folder ? cli_table_file_name(output, "x", "") : strdup(output);
	const bool folder = x->folder || x->exporter->folder;
	int rc = inside ? CLI_OK : cli_nomem();

	count = cli_files_join(&x->files, (void *)(uintptr_t)paths, count, sizeof(*paths));
	for (size_t i = 0; i < count && rc == CLI_OK; i++) {
		const char *const *path = (const char *const *)&paths[i];

		if (!folder)
			rc = cli_output_check("export", output, a->force, path, 1);
		else if (x->folder)
			rc = cli_output_check_folder("export", output, x->exporter->columns->suffix,
						     path, 1);
		if (rc == CLI_OK)
			rc = cli_files_add(&x->files, paths[i], false);
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
	cli_error(NULL, "--table and --column select from tables, but --to %s writes events",
		  a->to);
	return true;
}

/* True if the output's name ends with ".gz" and the exporter has an option "gzip". */
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

/* Options of the command line are followed by those that flags of the command mean. */
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
				  .damage = exporting_damage,
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
	exporting_undescribed(x);
	if (!events)
		cli_selection_warn(NULL, &a->filter, &a->cpus, x->inputs, x->input_count);
	if (!a->quiet && strcmp(e.output, "-") != 0)
		cli_error(e.output, "%" PRIu64 " event%s", events, events == 1 ? "" : "s");
	return CLI_OK;
}

/*
 * Uses one heap of malloc(3) for all threads. Rows of a table are freed by another thread than the
 * one that made them; with a heap for each thread, thousands of tables leave holes in all of them:
 * 2,600 tables of 5,000 rows took 240 MiB with two heaps and 189 MiB with one. One heap takes no
 * measurable time, as most memory is requested once in thousands of rows.
 */
static void use_one_heap(void)
{
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, 1);
#endif
}

/* Joins the parts of a data set. Other options say what to export, which this does not. */
static int compact(const struct export_args *a, size_t file_count)
{
	const struct tdat_exporter *exporter = find_exporter(a->to ? a->to : "parquet");

	if (!exporter)
		return CLI_USAGE;
	if (!exporter->columns || !TDAT_HAS(exporter->columns, join)) {
		cli_error(NULL, "--compact joins Parquet files, not %s", a->to);
		return CLI_USAGE;
	}
	if (file_count || export_args_choose(a)) {
		cli_error(NULL, "--compact accepts only --to and --quiet, and no files");
		return CLI_USAGE;
	}
	return export_compact(a->compact, exporter, a->quiet);
}

/* Refuses wrong usage first, then takes one of three ways: a data set, events, or tables. */
static int export_files(struct export_args *a, char *const *paths, size_t count)
{
	struct exporting x = {
		.args = a, .files = {.spool_len = a->limits.spool_len}, .own = {.fd = -1}};
	char *const standard[] = {(char *)"trace.dat"};
	char *keys = NULL;
	int rc;

	if (a->compact)
		return compact(a, count);
	if (!a->to && !name_format(a))
		return CLI_USAGE;
	if (a->output && !*a->output) {
		cli_error(NULL, "the name of the output is empty");
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
	if (x.exporter->columns)
		use_one_heap();
	rc = cli_filter_make(&a->filter, &x.filter);
	if (rc == CLI_OK)
		rc = export_data_set_keys(a, x.exporter, count, &keys);
	if (rc == CLI_OK && a->part_pipe && !a->partition) {
		cli_error(NULL, "--part-pipe needs a data set: several files, or --partition");
		rc = CLI_USAGE;
	}
	if (rc == CLI_OK && a->partition) {
		rc = export_data_set(a, x.exporter, x.filter, paths, count);
		exporting_fini(&x);
		free(keys);
		return rc;
	}
	free(keys);
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

/* Everything that options allocated is freed here. */
static int export_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct export_args a = {.limits = TDAT_LIMITS_INIT};
	int rc;

	if (cli_opt_parse(cmd, export_opts, &argc, argv, &a, &rc))
		rc = export_files(&a, argv + 1, (size_t)argc - 1);
	export_args_fini(&a);
	return rc;
}

static const char *const export_synopsis[] = {"--to FORMAT [OPTION]... [-o OUT] [FILE]...", NULL};
static const char *const export_notes[] = {
	"The default FILE is trace.dat; - is standard input.",
	"Several files are exported as a data set, or as one trace to a single file.",
	"Tables without rows are omitted. docs/tables.md describes tables and columns.",
	"Exit status: 0 success, 1 damaged input or failure, 2 wrong usage.",
	NULL,
};

const struct cli_cmd cli_cmd_export = {
	.name = "export",
	.summary = "Write a trace as Parquet, Arrow, Perfetto, CTF and other formats",
	.synopsis = export_synopsis,
	.opts = export_opts,
	.notes = export_notes,
	.run = export_run,
};
