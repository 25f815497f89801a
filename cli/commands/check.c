/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat check: finds everything that is wrong with trace.dat files. Each file is checked
 * alone by tdat_check(), whose findings are printed as they come. The exit status is 1 after
 * damage, 0 with notes or doubts only. Files are read, never mapped.
 */
#include <stdio.h>
#include <string.h>

#include <tdat/tdat.h>

#include "args/limits.h"
#include "commands/commands.h"
#include "commands/each_file.h"
#include "input/trace_files.h"
#include "output/finding.h"
#include "output/json_out.h"
#include "terminal/columns.h"
#include "terminal/safe_text.h"
#include "terminal/units.h"

struct check_args {
	bool json;
	bool quiet;
	bool verbose, exact;
	struct tdat_limits limits;
};

static const struct cli_opt check_opts[] = {
	CLI_INPUT,
	CLI_FLAG('q', "quiet", struct check_args, quiet, "print nothing; only set the exit status"),
	CLI_FLAG(0, "verbose", struct check_args, verbose,
		 "also print notes: unusual but valid data"),
	CLI_FLAG('v', NULL, struct check_args, verbose, NULL),
	CLI_FLAG(0, "json", struct check_args, json, "print the findings as JSON"),
	CLI_EXACT(struct check_args, exact),
	CLI_LIMITS(struct check_args, limits),
	CLI_OPT_END,
};

/* The context of on_finding: one file that is being checked. */
struct check_job {
	const struct check_args *args;
	struct tdat_json *j;
	const char *path;
};

/* Notes are printed only with -v; damage and doubts always. */
static void put_finding(const struct check_job *job, const struct tdat_finding *f)
{
	if (!job->args->quiet && (f->severity != TDAT_NOTE || job->args->verbose))
		cli_put_finding(stdout, job->args->json ? job->j : NULL, job->path, f);
}

static enum tdat_status on_finding(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	(void)err;
	put_finding(ctx, f);
	return TDAT_OK;
}

/* With JSON the findings of a file are an array, hence the object begins before them. */
static void begin_file(const struct check_job *job)
{
	if (!job->args->json || job->args->quiet)
		return;
	tdat_json_object(job->j, NULL);
	tdat_json_str(job->j, "file", job->path);
	tdat_json_array(job->j, "findings");
}

/* The last line of a file: "clean" has neither damage nor doubts, "whole" no damage. */
static void end_file(const struct check_job *job, const struct tdat_check_result *r, bool whole)
{
	char events[CLI_UNIT_ROOM], pages[CLI_UNIT_ROOM];

	if (job->args->quiet)
		return;
	if (!job->args->json) {
		cli_put_str(stdout, job->path);
		printf(": %s, %s events in %s pages\n",
		       !whole	   ? "not clean"
		       : r->doubts ? "whole, but not clean"
				   : "clean",
		       cli_unit_count(events, r->events, job->args->exact),
		       cli_unit_count(pages, r->pages, job->args->exact));
		return;
	}
	tdat_json_array_end(job->j);
	tdat_json_bool(job->j, "whole", whole);
	tdat_json_bool(job->j, "clean", whole && !r->doubts);
	tdat_json_u64(job->j, "events", r->events);
	tdat_json_u64(job->j, "pages", r->pages);
	tdat_json_u64(job->j, "damaged_pages", r->bad_pages);
	tdat_json_u64(job->j, "formats", r->formats);
	tdat_json_u64(job->j, "formats_broken", r->formats_broken);
	tdat_json_object_end(job->j);
}

/*
 * A file that cannot be opened as a trace.dat is one finding: damage of the whole file. A failure
 * of the system is not a fact about the file.
 */
static int check_file(const void *args, struct tdat_json *j, struct cli_files *files, size_t i)
{
	const struct check_args *a = args;
	const char *path = files->v[i].path;
	static const struct tdat_finding part = {
		TDAT_DAMAGE, TDAT_NO_OFFSET,
		"only a part of the input was read; stderr has the reason", "the rest"};
	struct check_job job = {a, j, path};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_check_result r;
	struct tdat_file *file;
	bool whole = false;

	memset(&r, 0, sizeof(r));
	if (cli_files_parse(files, i, &a->limits, &file, &err)) {
		const struct tdat_finding all = {TDAT_DAMAGE, err.off, err.message,
						 "the whole file"};

		if (err.status == TDAT_E_SYSTEM || err.status == TDAT_E_NOMEM)
			return cli_fail(path, &err);
		begin_file(&job);
		put_finding(&job, &all);
		end_file(&job, &r, false);
		return CLI_FAILED;
	}
	begin_file(&job);
	if (files->v[i].doubted)
		put_finding(&job, &part);
	if (tdat_check(file, on_finding, &job, &r, &err))
		cli_fail(path, &err);
	else
		whole = !r.damages && !files->v[i].doubted;
	end_file(&job, &r, whole);
	tdat_file_close(file);
	return whole ? CLI_OK : CLI_FAILED;
}

static int check_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct check_args a = {.limits = TDAT_LIMITS_INIT};
	/* Each page is read once, hence a copy takes less time than a mapping. */
	struct cli_each each = {"check", &a.limits, false, true, check_file, &a};
	int status;

	if (!cli_opt_parse(cmd, check_opts, &argc, argv, &a, &status))
		return status;
	each.json = a.json && !a.quiet;
	return cli_each_file(&each, argv + 1, argc - 1);
}

static const char *const check_synopsis[] = {"[-q] [--verbose] [--json] [FILE]...", NULL};
static const char *const check_notes[] = {
	"Exit status: 0 all files are intact (doubts and notes do not count), 1 a file is damaged "
	"or cannot be read, 2 wrong usage.",
	NULL};

const struct cli_cmd cli_cmd_check = {
	"check",	"Find damage and doubtful data in a trace.dat",
	check_synopsis, check_opts,
	check_notes,	check_run,
};
