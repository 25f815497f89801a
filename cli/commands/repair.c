/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat repair: writes a clean trace.dat with everything that is readable of a broken
 * one. The library reads the broken file and fills a writer (tdat_repair). Findings are printed as
 * text or JSON; the exit status is 1 if something was lost.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "args/limits.h"
#include "commands/commands.h"
#include "input/cpu_files.h"
#include "input/damage.h"
#include "input/trace_files.h"
#include "output/finding.h"
#include "output/json_out.h"
#include "output/output_file.h"
#include "safety/own_input.h"
#include "safety/sandbox_output.h"
#include "terminal/safe_text.h"

struct repair_args {
	struct cli_output_file out;
	const char *formats_from;
	bool json;
	struct tdat_limits limits;
};

#define OUT(field) out.field

static const struct cli_opt repair_opts[] = {
	CLI_INPUT,
	CLI_STRING('o', "output", "FILE", struct repair_args, OUT(path),
		   "write FILE, which must not be the input"),
	CLI_FLAG('f', "force", struct repair_args, OUT(force), "replace an existing file"),
	CLI_STRING(0, "formats-from", "FILE", struct repair_args, formats_from,
		   "take missing event formats and symbols from this trace.dat"),
	CLI_U64(0, "file-version", "6|7", 6, 7, struct repair_args, OUT(file_version),
		"output version (default: as the input)"),
	CLI_CHOICE(0, "compression", "NAME", cli_compressions, struct repair_args, OUT(compression),
		   "none, zlib, zstd, or any (default: as the input)"),
	CLI_OUT_LEVEL(struct repair_args, OUT(level)),
	CLI_OUT_THREADS(struct repair_args, OUT(threads)),
	CLI_OUT_TMPDIR(struct repair_args, OUT(tmpdir)),
	CLI_FLAG('q', "quiet", struct repair_args, OUT(quiet),
		 "print nothing; only set the exit status"),
	CLI_FLAG(0, "json", struct repair_args, json, "print the report as JSON"),
	CLI_LIMITS(struct repair_args, limits),
	CLI_OPT_END,
};

/*
 * One run of the command. The file that is read is `file`, or without one the metadata of `other`
 * with pages of CPU files.
 */
struct repair_job {
	const struct repair_args *args;
	const char *path; /* of the broken file, or of the first CPU file */
	struct cli_files files;
	struct tdat_file *file, *other;
	struct cli_cpu_files cpus;
	FILE *to; /* the report; stdout, unless the output goes there */
	struct tdat_json j;
};

/* Called for each finding, before the output is complete. */
static enum tdat_status on_finding(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	struct repair_job *job = ctx;

	(void)err;
	if (!job->args->out.quiet)
		cli_put_finding(job->to, job->args->json ? &job->j : NULL, job->path, f);
	return TDAT_OK;
}

/* ---- the report ---- */

/* Mended lengths of chunks lose nothing, hence they are subtracted from the damage. */
static bool lost_something(const struct tdat_repair_result *r)
{
	return r->damages > r->chunks_mended || r->pages_mended || r->pages_lost || r->lost_len ||
	       r->missing_len || r->formats_lost || r->unknown_events || r->options_lost ||
	       r->options_cut || cli_input_doubts();
}

/*
 * True if missing_len is a lower bound. It counts CPU data whose length is known, and one finding
 * is about all of it; others may be about parts beyond the end, whose length is unknown.
 */
static bool may_lack_more(const struct tdat_file *file)
{
	size_t count;

	tdat_file_damage(file, &count);
	return count > 1;
}

/* One item of the list "lost 3 pages, 1 format". Zeros are left out. */
static void put_lost(FILE *to, uint64_t n, const char *one, const char *many, bool *first)
{
	if (!n)
		return;
	fprintf(to, "%s%" PRIu64 " %s", *first ? "" : ", ", n, n == 1 ? one : many);
	*first = false;
}

/* Two lines on the report: the events that were saved, and what was lost. */
static void put_text(const struct repair_job *job, const struct tdat_repair_result *r)
{
	const char *out = job->args->out.path;
	FILE *to = job->to;
	bool first = true;

	cli_put_str(to, out);
	fprintf(to, ": saved ");
	put_lost(to, r->events, "event", "events", &first);
	if (first)
		fprintf(to, "no events");
	fprintf(to, " in %" PRIu64 " page%s of %" PRIu64 " CPU%s, %" PRIu64 " format%s", r->pages,
		r->pages == 1 ? "" : "s", r->cpus, r->cpus == 1 ? "" : "s", r->formats,
		r->formats == 1 ? "" : "s");
	if (r->formats_taken)
		fprintf(to, " (%" PRIu64 " from --formats-from)", r->formats_taken);
	fprintf(to, "\n");
	if (r->chunks_mended) {
		cli_put_str(to, out);
		fprintf(to, ": corrected %" PRIu64 " wrong chunk length%s\n", r->chunks_mended,
			r->chunks_mended == 1 ? "" : "s");
	}
	cli_put_str(to, out);
	if (!lost_something(r)) {
		fprintf(to, ": lost nothing\n");
		return;
	}
	fprintf(to, ": lost ");
	first = true;
	put_lost(to, cli_input_doubts(), "unread rest of a packed input",
		 "unread rests of packed inputs", &first);
	if (r->missing_len && may_lack_more(job->file)) {
		fprintf(to, "%sat least ", first ? "" : ", ");
		first = true;
	}
	put_lost(to, r->missing_len, "byte missing at the end", "bytes missing at the end", &first);
	put_lost(to, r->lost_len, "byte in damaged chunks", "bytes in damaged chunks", &first);
	put_lost(to, r->pages_mended, "last part of a page", "last parts of pages", &first);
	put_lost(to, r->pages_lost, "whole page", "whole pages", &first);
	put_lost(to, r->formats_lost, "invalid format", "invalid formats", &first);
	put_lost(to, r->options_lost, "option", "options", &first);
	put_lost(to, r->options_cut, "unreadable part of an option", "unreadable parts of options",
		 &first);
	put_lost(to, r->texts_mended, "table with unreadable lines", "tables with unreadable lines",
		 &first);
	put_lost(to, r->unknown_events, "event without its fields (the format is missing)",
		 "events without their fields (the formats are missing)", &first);
	if (r->hiding)
		fprintf(to, "%spossibly an unknown number of events", first ? "" : ", ");
	fprintf(to, "\n");
}

/* Ends the object that write_repaired() began with the findings. */
static void put_json(struct repair_job *job, const struct tdat_repair_result *r)
{
	struct tdat_json *j = &job->j;

	tdat_json_array_end(j);
	tdat_json_str(j, "output", job->args->out.path);
	tdat_json_object(j, "saved");
	tdat_json_u64(j, "events", r->events);
	tdat_json_u64(j, "pages", r->pages);
	tdat_json_u64(j, "cpus", r->cpus);
	tdat_json_u64(j, "formats", r->formats);
	tdat_json_u64(j, "formats_taken", r->formats_taken);
	tdat_json_u64(j, "chunks_mended", r->chunks_mended);
	tdat_json_object_end(j);
	tdat_json_object(j, "lost");
	tdat_json_u64(j, "missing_bytes", r->missing_len);
	tdat_json_u64(j, "chunk_bytes", r->lost_len);
	tdat_json_u64(j, "pages_cut", r->pages_mended);
	tdat_json_u64(j, "pages", r->pages_lost);
	tdat_json_u64(j, "marks", r->loss_marks);
	tdat_json_u64(j, "formats", r->formats_lost);
	tdat_json_u64(j, "options", r->options_lost);
	tdat_json_u64(j, "options_cut", r->options_cut);
	tdat_json_u64(j, "texts_mended", r->texts_mended);
	tdat_json_u64(j, "events_without_format", r->unknown_events);
	tdat_json_bool(j, "events_unknown", r->hiding != 0);
	tdat_json_object_end(j);
	tdat_json_bool(j, "complete", !lost_something(r));
	tdat_json_object_end(j);
	cli_json_end(j);
}

/* ---- inputs ---- */

/* Parses input i; CLI_OK or the exit status. */
static int parse(struct repair_job *job, size_t i, struct tdat_file **out)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	return cli_files_parse(&job->files, i, &job->args->limits, out, &err)
		       ? cli_fail(job->files.v[i].path, &err)
		       : CLI_OK;
}

/* Refuses an output that is an input or a terminal. */
static int check_output(const struct repair_args *a, char *const *words, size_t count)
{
	const char *formats = a->formats_from;
	int rc = cli_output_check("repair", a->out.path, a->out.force, (const char *const *)words,
				  count);

	if (rc == CLI_OK && formats)
		rc = cli_output_check("repair", a->out.path, a->out.force, &formats, 1);
	return rc;
}

/*
 * Opens the inputs. The first word is a trace.dat, or all words are CPU data and --formats-from
 * names a trace.dat.
 */
static int open_inputs(struct repair_job *job, char *const *words, size_t count)
{
	const struct repair_args *a = job->args;
	size_t first = cli_cpu_files_is_dat(words[0]) ? 1 : 0;
	int rc = check_output(a, words, count);

	if (rc)
		return rc;
	/* Raw pages do not describe their events. */
	if (!first && !a->formats_from) {
		cli_error(words[0], "is not a trace.dat; for a CPU file, name a trace.dat of the "
				    "same kernel with --formats-from");
		return CLI_FAILED;
	}
	job->files.spool_len = a->limits.spool_len;
	job->files.as_is = true;
	job->files.tmpdir = a->out.tmpdir;
	if (a->formats_from)
		rc = cli_files_add(&job->files, a->formats_from, false);
	if (rc == CLI_OK && first)
		rc = cli_files_add(&job->files, words[0], false);
	if (rc == CLI_OK)
		rc = cli_cpu_files_open(&job->cpus, words + first, count - first);
	/* All inputs are open; only the output's folder stays usable. */
	cli_sandbox_for_output(a->out.path, a->out.tmpdir, NULL, 0);
	if (rc == CLI_OK && a->formats_from)
		rc = parse(job, 0, &job->other);
	if (rc == CLI_OK && first)
		rc = parse(job, a->formats_from ? 1 : 0, &job->file);
	return rc;
}

/* Repairs, finishes the file, and reports. The report is complete also if writing failed. */
static int write_repaired(struct repair_job *job, struct cli_writing *to)
{
	struct tdat_repair_opts opts = TDAT_REPAIR_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_repair_result result;
	bool json = job->args->json && !job->args->out.quiet;
	enum tdat_status st;

	opts.formats_from = job->other;
	opts.pages = job->cpus.v;
	opts.page_source_count = job->cpus.count;
	/* Without a broken trace.dat only the metadata of the other one is used, not its events. */
	opts.metadata_only = !job->file;
	if (json) {
		cli_json_init(&job->j, job->to, true);
		tdat_json_object(&job->j, NULL);
		tdat_json_str(&job->j, "file", job->path);
		tdat_json_array(&job->j, "findings");
	}
	st = tdat_repair(to->writer, job->file ? job->file : job->other, &opts, on_finding, job,
			 &result, &err);
	st = cli_writing_finish(to, "writing", st, &err);
	if (json)
		put_json(job, &result);
	if (st != TDAT_OK)
		return cli_fail(job->path, &err);
	if (!json && !job->args->out.quiet)
		put_text(job, &result);
	return lost_something(&result) || tdat_writer_warnings(to->writer) ? CLI_FAILED : CLI_OK;
}

/* The report goes to stderr if the output is standard output. */
static int repair(struct repair_job *job, char *const *words, size_t count)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	/* Warnings are not findings: they concern the new file. */
	struct cli_writing to = {.path = words[0]};
	int rc;

	job->path = words[0];
	job->to = cli_output_is_stdout(job->args->out.path) ? stderr : stdout;
	rc = open_inputs(job, words, count);
	if (rc)
		return rc;
	cli_output_opts_like(&job->args->out, tdat_file_info(job->file ? job->file : job->other),
			     &opts);
	rc = cli_writing_open(&to, &job->args->out, &opts);
	if (rc == CLI_OK)
		rc = write_repaired(job, &to);
	tdat_writer_free(to.writer);
	return rc;
}

/* Inputs are closed after the writer: it reads them until it has finished. */
static int repair_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct repair_args args = {.out = {.compression = -1}, .limits = TDAT_LIMITS_INIT};
	struct repair_job job = {.args = &args};
	int rc;

	if (!cli_opt_parse(cmd, repair_opts, &argc, argv, &args, &rc))
		return rc;
	if (argc < 2 || !args.out.path) {
		cli_error(NULL, argc < 2 ? "repair needs an input file"
					 : "repair needs --output, the output file");
		return CLI_USAGE;
	}
	rc = repair(&job, argv + 1, (size_t)argc - 1);
	cli_cpu_files_close(&job.cpus);
	tdat_file_close(job.file);
	tdat_file_close(job.other);
	cli_files_close(&job.files);
	return rc;
}

static const char *const repair_synopsis[] = {
	"[OPTIONS] -o FILE INPUT", "[OPTIONS] -o FILE HEAD CPUFILE...",
	"[OPTIONS] -o FILE --formats-from OTHER CPUFILE...", NULL};
static const char *const repair_notes[] = {
	"CPUFILEs are the files that a killed recorder leaves: NAME.cpuN or NAME.BUFFER.cpuN.",
	"Exit status: 0 nothing was lost, 1 data was lost or repair failed, 2 wrong usage.", NULL};

const struct cli_cmd cli_cmd_repair = {
	.name = "repair",
	.summary = "Write all readable data of a damaged file to a clean one",
	.synopsis = repair_synopsis,
	.opts = repair_opts,
	.notes = repair_notes,
	.run = repair_run,
};
