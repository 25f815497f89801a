/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat stat: counts events by type, task, CPU and time. One pass of tdat_stat counts
 * everything; stat_text.c and stat_json.c print it. With --by events are grouped by columns instead
 * (stat_by.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "commands/each_file.h"
#include "input/damage.h"
#include "input/trace_files.h"
#include "output/selection.h"
#include "terminal/columns.h"
#include "commands/kmem_sums.h"
#include "commands/stat_facts.h"

static const struct cli_opt stat_opts[] = {
	CLI_INPUT,
	CLI_CPUS(0, "cpu", "LIST", struct stat_args, table.cpus,
		 "only these CPUs, such as 2 or 0,2-3"),
	CLI_FILTER_OPTS(struct stat_args, table.filter),
	CLI_FILTER_TO(struct stat_args, table.filter),
	CLI_U64(0, "top", "N", 0, 0, struct stat_args, top,
		"print at most N rows per table (default: 20; 0: all)"),
	CLI_FLAG(0, "json", struct stat_args, json, "print the result, with all rows, as JSON"),
	CLI_FLAG(0, "kmem", struct stat_args, kmem,
		 "also count memory allocations (always on for kmemtrace)"),
	CLI_U64(0, "kmem-live", "N", 1, UINT64_MAX, struct stat_args, kmem_live,
		"track at most N pointers that are not yet freed (default: 1572864)"),
	CLI_U64(0, "threads", "N", 0, 64, struct stat_args, table.threads,
		"use N threads (default: 0, one per CPU)"),
	CLI_LIST(0, "by", "COLUMN[,COLUMN]", struct stat_args, by,
		 "count events by these columns or fields, instead of printing the default tables"),
	CLI_STRING(0, "sum", "COLUMN", struct stat_args, sum,
		   "with --by: also add up this numeric column"),
	CLI_FLAG(0, "csv", struct stat_args, csv, "with --by: print all groups as CSV"),
	CLI_EXACT(struct stat_args, exact),
	CLI_LIMITS(struct stat_args, table.limits),
	CLI_OPT_END,
};

/* The default of --kmem-live, which the library has as well: it is named in a message. */
enum { LIVE_MOST = 1572864 };

/*
 * True if allocations are to be summed up: the user asks for it, or the file was imported from
 * kmemtrace and holds little else.
 */
static bool wants_kmem(const struct stat_args *a, const struct tdat_file *file)
{
	return a->kmem || a->kmem_live ||
	       tdat_file_format_by_name(file, "kmemtrace", "pages_alloc");
}

/*
 * Reads the file a second time, for the table kmem. Allocations that could not be followed make the
 * sums incomplete, hence exit status 1.
 */
static int make_kmem(const struct stat_args *a, const struct tdat_stat_opts *stat,
		     struct tdat_file *file, const char *path, struct kmem_sums *kmem)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	if (kmem_sums_init(kmem, file, stat->iter, a->kmem_live, &err))
		return cli_fail(path, &err);
	if (!kmem->total.not_followed)
		return a->kmem && kmem->lacks ? CLI_FAILED : CLI_OK;
	cli_error(path,
		  "%llu allocations were not tracked to their frees: more than %llu were live at a "
		  "time; raise --kmem-live",
		  (unsigned long long)kmem->total.not_followed,
		  (unsigned long long)(a->kmem_live ? a->kmem_live : LIVE_MOST));
	return CLI_FAILED;
}

/* Counts one file. Called by cli_each_file() for each input. */
static int stat_file(const void *args, struct tdat_json *j, struct cli_files *files, size_t index)
{
	const struct stat_args *a = args;
	const char *path = files->v[index].path;
	struct tdat_stat_opts opts = TDAT_STAT_OPTS_INIT;
	struct tdat_iter_opts iter = TDAT_ITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter_input in = {NULL, 0, 0};
	int status;
	struct kmem_sums kmem;
	struct tdat_stat *st;
	struct stat_facts f;

	if (cli_files_parse(files, index, &a->table.limits, &in.file, &err))
		return cli_fail(path, &err);
	status = cli_file_damage(path, in.file);
	opts.threads = (uint32_t)a->table.threads;
	opts.iter = &iter;
	iter.filter = a->made;
	if (a->table.cpus.count) {
		iter.cpus = a->table.cpus.v;
		iter.cpu_count = a->table.cpus.count;
	}
	if (tdat_stat_new(&st, &in, 1, &opts, &err)) {
		tdat_file_close(in.file);
		return cli_fail(path, &err);
	}
	stat_facts_init(&f, a, in.file, st);
	if (wants_kmem(a, in.file)) {
		f.kmem = &kmem;
		if (make_kmem(a, &opts, in.file, path, &kmem) != CLI_OK)
			status = CLI_FAILED;
	}
	if (a->json)
		stat_json(j, &f);
	else if (!stat_text(&f, !index))
		status = cli_nomem();
	if (!f.total.events)
		cli_selection_warn(path, &a->table.filter, &a->table.cpus, &in, 1);
	if (f.total.bad_pages) {
		cli_error(path, "%llu damaged pages were read up to the damage",
			  (unsigned long long)f.total.bad_pages);
		status = CLI_FAILED;
	}
	/*
	 * Asking for the format of each id that occurs lets cli_undescribed() report those without
	 * one.
	 */
	for (size_t i = 0; i < f.event_count; i++)
		tdat_file_format_by_id(in.file, f.events[i].id);
	if (cli_undescribed(path, in.file) != CLI_OK)
		status = CLI_FAILED;
	if (f.kmem)
		kmem_sums_fini(&kmem);
	tdat_stat_free(st);
	tdat_file_close(in.file);
	return status;
}

/* The filter is made once for all files. */
static int stat_files(struct stat_args *a, int argc, char **argv)
{
	const struct cli_each each = {"stat", &a->table.limits, a->json, false, stat_file, a};
	int status = cli_filter_make(&a->table.filter, &a->made);

	if (status == CLI_OK)
		status = cli_each_file(&each, argv + 1, argc - 1);
	tdat_filter_free(a->made);
	return status;
}

static int stat_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct stat_args a = {.table = CLI_TABLE_ARGS_INIT, .top = 20};
	int status;

	if (cli_opt_parse(cmd, stat_opts, &argc, argv, &a, &status))
		status = a.by.count || a.sum || a.csv ? stat_by(&a, argc, argv)
						      : stat_files(&a, argc, argv);
	cli_list_fini(&a.by);
	cli_table_args_fini(&a.table);
	return status;
}

static const char *const stat_synopsis[] = {"[OPTION]... [FILE]...", NULL};
static const char *const stat_notes[] = {"The default FILE is trace.dat; - is standard input.",
					 NULL};

const struct cli_cmd cli_cmd_stat = {
	"stat",	  "Count events by type, task, CPU and time", stat_synopsis, stat_opts, stat_notes,
	stat_run,
};
