/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat split: writes chosen events of a trace.dat to a file, or to several. It takes
 * options, opens the input, and asks the library for one piece after the other (tdat_split_next),
 * each with a writer and a name of its own. Damage is reported once at the end. Options are those
 * of trace-cmd split where that has them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "args/filter_opts.h"
#include "args/limits.h"
#include "commands/commands.h"
#include "core/grow.h"
#include "core/text.h"
#include "input/damage.h"
#include "input/trace_files.h"
#include "output/output_file.h"
#include "output/selection.h"
#include "safety/own_input.h"
#include "safety/sandbox_output.h"

struct split_args {
	struct cli_output_file out;
	struct tdat_limits limits;
	const char *input;
	struct cli_filter filter;
	struct cli_cpus cpus;
	struct tdat_split_opts split;
	struct tdat_split_buffer *buffers;
	size_t buffer_room;
	char after; /* 'B' or 'T' when -B or --top was the option before, else 0 */
	bool repeat;
	bool exact;
	int times; /* plain arguments so far */
};

#define OUT(field) out.field

/* ---- options ---- */

static int bad_number(const char *what, const char *value)
{
	cli_error(NULL, "%s needs a whole number of at least 1, not '%s'", what, value);
	return CLI_USAGE;
}

/* Takes -s, -m, -u, -e or -p with its number; they exclude each other. */
static int opt_unit(void *values, const struct cli_opt *opt, const char *value)
{
	static const struct {
		char name;
		enum tdat_split_unit unit;
		uint64_t each;
		const char *what;
	} units[] = {
		{'s', TDAT_SPLIT_NS, 1000000000, "-s"},
		{'m', TDAT_SPLIT_NS, 1000000, "-m"},
		{'u', TDAT_SPLIT_NS, 1000, "-u"},
		{'e', TDAT_SPLIT_EVENTS, 1, "-e (--event selects events by name)"},
		{'p', TDAT_SPLIT_PAGES, 1, "-p"},
	};
	struct split_args *a = values;
	const char *end = value;
	uint64_t n;
	size_t i = 0;

	a->after = 0;
	while (units[i].name != opt->short_name)
		i++;
	if (a->split.unit != TDAT_SPLIT_ALL) {
		cli_error(NULL, "-s, -m, -u, -e and -p cannot be combined");
		return CLI_USAGE;
	}
	if (!tdat_read_u64(&end, NULL, 10, &n) || *end || !n ||
	    __builtin_mul_overflow(n, units[i].each, &a->split.count))
		return bad_number(units[i].what, value);
	a->split.unit = units[i].unit;
	return CLI_OK;
}

/* Adds a buffer to keep; `as` is the name that it gets in the output. */
static int add_buffer(struct split_args *a, const char *name, char option)
{
	if (!TDAT_GROW(a->buffers, &a->buffer_room, a->split.buffer_count + 1))
		return cli_nomem();
	a->buffers[a->split.buffer_count++] = (struct tdat_split_buffer){name, name};
	a->after = option;
	return CLI_OK;
}

/* -B NAME may be followed by -t. */
static int opt_instance(void *values, const struct cli_opt *opt, const char *value)
{
	(void)opt;
	return add_buffer(values, value, 'B');
}

static int opt_top(void *values, const struct cli_opt *opt, const char *value)
{
	(void)opt;
	(void)value;
	return add_buffer(values, "", 'T');
}

/*
 * -t makes the instance of the -B before it the top buffer; -b NAME makes the top buffer of the
 * --top before it an instance.
 */
static int opt_rename(void *values, const struct cli_opt *opt, const char *value)
{
	struct split_args *a = values;
	bool to_top = opt->short_name == 't';

	if (a->after != (to_top ? 'B' : 'T')) {
		cli_error(NULL, to_top ? "-t must follow the -B of the buffer that becomes the "
					 "top-level buffer"
				       : "-b must follow --top");
		return CLI_USAGE;
	}
	a->after = 0;
	a->buffers[a->split.buffer_count - 1].as = to_top ? "" : value;
	return CLI_OK;
}

/* Any other option ends the pair of -B and -t. */
static int opt_expr(void *values, const struct cli_opt *opt, const char *value)
{
	struct split_args *a = values;

	a->after = 0;
	return cli_filter_expr(values, opt, value);
}

/* True if all of a word is a time. */
static bool is_time(const char *word)
{
	char *end;

	(void)strtod(word, &end);
	return end != word && !*end;
}

/*
 * Takes START and END; 0 is not a bound, as in trace-cmd split. Another word that names an existing
 * file is the input.
 */
static int arg_time(void *values, const struct cli_opt *opt, const char *value)
{
	struct split_args *a = values;
	const char **to = a->times ? &a->filter.until : &a->filter.from;
	char *end;

	(void)opt;
	if (!a->input && !is_time(value) && (!strcmp(value, "-") || !access(value, F_OK))) {
		a->input = value;
		return CLI_OK;
	}
	if (a->times++ == 2) {
		cli_error(NULL, "'%s' follows the end time; name the input with -i", value);
		return CLI_USAGE;
	}
	if (*value != '+' && *value != '-' && (*value < '0' || *value > '9')) {
		cli_error(NULL, "'%s' is not a time; name the input with -i", value);
		return CLI_USAGE;
	}
	if (*to) {
		cli_error(NULL, "a time is given twice, as '%s' and by --%s", value,
			  a->times == 2 ? "until" : "from");
		return CLI_USAGE;
	}
	/* "0" and "0.0" are not bounds; "+0" is a time, the first event's. */
	if (strtod(value, &end) != 0 || *end || *value == '+' || *value == '-')
		*to = value;
	return CLI_OK;
}

static const struct cli_opt split_opts[] = {
	CLI_STRING('i', "input", "FILE", struct split_args, input,
		   "read FILE (default: trace.dat)"),
	CLI_STRING('o', "output", "FILE", struct split_args, OUT(path),
		   "write FILE.1, or with -r FILE.0001, FILE.0002 ... (default: the input's name)"),
	CLI_FLAG(0, "exact", struct split_args, exact, "write FILE, without adding a number"),
	CLI_CALL('s', "seconds", "N", opt_unit, "end the file N seconds after its first event"),
	CLI_CALL('m', "milliseconds", "N", opt_unit, "end the file after N milliseconds"),
	CLI_CALL('u', "microseconds", "N", opt_unit, "end the file after N microseconds"),
	CLI_CALL('e', "events", "N", opt_unit, "end the file after N events of each buffer"),
	CLI_CALL('p', "pages", "N", opt_unit, "end the file after N input pages of each CPU"),
	CLI_FLAG('r', "repeat", struct split_args, repeat,
		 "write further files until all events are written"),
	CLI_FLAG('c', "per-cpu", struct split_args, split.per_cpu,
		 "apply the count to each CPU, not to each buffer"),
	CLI_CPUS('C', "cpu", "LIST", struct split_args, cpus,
		 "only these CPUs, such as 2 or 0,2-3"),
	CLI_CALL('B', "instance", "NAME", opt_instance,
		 "only this buffer instance; may be repeated"),
	CLI_CALL('t', "as-top", NULL, opt_rename,
		 "make the instance of the preceding -B top-level"),
	CLI_CALL(0, "top", NULL, opt_top,
		 "only the top-level buffer; with -B: in addition to the instances of -B"),
	CLI_CALL('b', "top-as", "NAME", opt_rename,
		 "after --top: store the top-level buffer as an instance called NAME"),
	CLI_FILTER_OPTS_SHORT(0, struct split_args, filter, opt_expr),
	CLI_FILTER_TO(struct split_args, filter),
	CLI_FLAG(0, "shrink", struct split_args, split.shrink,
		 "omit formats, symbols and names that no event uses"),
	CLI_FLAG('f', "force", struct split_args, OUT(force), "replace existing files"),
	CLI_U64(0, "file-version", "6|7", 6, 7, struct split_args, OUT(file_version),
		"output version (default: as the input)"),
	CLI_CHOICE(0, "compression", "NAME", cli_compressions, struct split_args, OUT(compression),
		   "none, zlib, zstd, or any (default: as the input)"),
	CLI_OUT_LEVEL(struct split_args, OUT(level)),
	CLI_OUT_THREADS(struct split_args, OUT(threads)),
	CLI_OUT_TMPDIR(struct split_args, OUT(tmpdir)),
	CLI_LIMITS(struct split_args, limits),
	CLI_FLAG('q', "quiet", struct split_args, OUT(quiet), "print no summary"),
	CLI_ARG(arg_time),
	CLI_OPT_END,
};

/* ---- the work ---- */

/* One run of the command: the pieces so far. */
struct split_job {
	const struct split_args *args;
	struct tdat_file *file;
	struct tdat_split *split;
	struct cli_writing to;
	char *path, *first; /* of the file being written, and of the first one */
	uint64_t files, events;
	bool more;
	bool warned;
};

/*
 * Makes the name of the next file: FILE.1, FILE.0001 and further with -r, or FILE with --exact. The
 * first name is kept for the summary.
 */
static int next_path(struct split_job *job)
{
	const struct split_args *a = job->args;
	const char *base = a->out.path;
	char *path = NULL;
	int n;

	job->files++;
	if (a->exact || !strcmp(base, "-"))
		n = asprintf(&path, "%s", base);
	else if (a->repeat)
		n = asprintf(&path, "%s.%04" PRIu64, base, job->files);
	else
		n = asprintf(&path, "%s.1", base);
	if (n < 0)
		return cli_nomem();
	if (!job->first)
		job->first = path;
	else if (job->path != job->first)
		free(job->path);
	job->path = path;
	return CLI_OK;
}

/* Fills one file with the next piece and gives it its name. job->more: another one follows. */
static int fill(struct split_job *job)
{
	struct cli_writing *to = &job->to;
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	cli_progress_init(&to->progress, "reading");
	st = tdat_split_next(job->split, to->writer, &job->more, &err);
	cli_progress_clear(&to->progress);
	st = cli_writing_finish(to, "writing", st, &err);
	job->events += tdat_writer_events(to->writer);
	/* Warnings make the exit status 1, since a piece lacks something then. */
	job->warned |= tdat_writer_warnings(to->writer) != 0;
	return st == TDAT_OK ? CLI_OK : cli_fail(job->args->input, &err);
}

/* Writes one piece. Its name is compared with the input, because FILE.1 may be the input. */
static int write_one(struct split_job *job)
{
	struct cli_output_file out = job->args->out;
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	int rc = next_path(job);

	if (rc)
		return rc;
	out.path = job->path;
	rc = cli_output_check("split", job->path, out.force, &job->args->input, 1);
	if (rc)
		return rc;
	/* Version and compression that the user did not choose are those of the input. */
	cli_output_opts_like(&out, tdat_file_info(job->file), &opts);
	rc = cli_writing_open(&job->to, &out, &opts);
	if (rc != CLI_OK)
		return rc;
	rc = fill(job);
	tdat_writer_free(job->to.writer);
	return rc;
}

static void print_summary(const struct split_job *job)
{
	const char *s = job->events == 1 ? "" : "s";
	struct stat sb;

	if (job->args->out.quiet)
		return;
	if (job->files > 1)
		cli_error(NULL, "%s to %s: %" PRIu64 " files, %" PRIu64 " event%s", job->first,
			  job->path, job->files, job->events, s);
	else if (stat(job->path, &sb) || !S_ISREG(sb.st_mode))
		cli_error(job->path, "%" PRIu64 " event%s", job->events, s);
	else
		cli_error(job->path, "%" PRIu64 " event%s, %jd bytes", job->events, s,
			  (intmax_t)sb.st_size);
}

/* Names the options that let no event pass, if nothing was written. */
static void warn_empty(const struct split_job *job)
{
	const struct tdat_iter_input in = {job->file, 0, 0};

	cli_selection_warn(job->args->input, &job->args->filter, &job->args->cpus, &in, 1);
}

/* Reports damage of the input, at its end: the same pages may have been read for several pieces. */
static int report_damage(const struct split_job *job)
{
	const struct tdat_stream_damage *list;
	int status = cli_file_damage(job->args->input, job->file);
	size_t pages;

	list = tdat_split_damage(job->split, &pages);
	for (size_t i = 0; i < pages; i++)
		cli_damage(job->args->input, job->file, &list[i]);
	if (cli_undescribed(job->args->input, job->file) != CLI_OK)
		status = CLI_FAILED;
	return pages || job->warned ? CLI_FAILED : status;
}

/* Opens the input before entering the sandbox, and parses it in it. */
static int open_input(struct split_job *job, const struct tdat_filter *filter)
{
	const struct split_args *a = job->args;
	struct cli_files files = {.spool_len = a->limits.spool_len, .tmpdir = a->out.tmpdir};
	struct tdat_split_opts split = a->split;
	struct tdat_error err = TDAT_ERROR_INIT;
	int rc = CLI_OK;

	/*
	 * All files that pieces may replace are compared with the input before the first one is
	 * written.
	 */
	if (a->repeat)
		rc = cli_output_check_series("split", a->out.path, &a->input, 1);
	if (rc)
		return rc;
	split.filter = filter;
	split.buffers = a->buffers;
	if (a->cpus.count) {
		split.cpus = a->cpus.v;
		split.cpu_count = a->cpus.count;
	}
	rc = cli_files_add(&files, a->input, false);
	cli_sandbox_for_output(a->out.path, a->out.tmpdir, &a->input, 1);
	if (rc == CLI_OK && (cli_files_parse(&files, 0, &a->limits, &job->file, &err) ||
			     tdat_split_new(&job->split, job->file, &split, &err)))
		rc = cli_fail(a->input, &err);
	cli_files_close(&files);
	if (rc)
		return rc;
	tdat_split_on_progress(job->split, cli_progress_bytes, &job->to.progress);
	return CLI_OK;
}

/* Writes pieces until the input ends, or only one without -r. */
static int split(const struct split_args *a, const struct tdat_filter *filter)
{
	struct split_job job = {.args = a, .to = {.path = a->input}};
	int rc = open_input(&job, filter);

	if (rc == CLI_OK) {
		do {
			rc = write_one(&job);
		} while (rc == CLI_OK && a->repeat && job.more);
		if (rc == CLI_OK)
			print_summary(&job);
		if (rc == CLI_OK && !job.events)
			warn_empty(&job);
		if (report_damage(&job) != CLI_OK && rc == CLI_OK)
			rc = CLI_FAILED;
	}
	if (job.path != job.first)
		free(job.path);
	free(job.first);
	tdat_split_free(job.split);
	tdat_file_close(job.file);
	return rc;
}

/*
 * Fills defaults, and refuses combinations. START and END are compared only if both are plain
 * numbers; other times are known when the file is open.
 */
static int check_args(struct split_args *a)
{
	double from, to;
	char *end;

	if (!a->input)
		a->input = "trace.dat";
	if (!a->out.path)
		a->out.path = a->input;
	if (a->repeat && (a->exact || !strcmp(a->out.path, "-"))) {
		cli_error(NULL,
			  "-r cannot be combined with --exact: it writes several numbered files");
		return CLI_USAGE;
	}
	if (!a->times || !a->filter.from || !a->filter.until)
		return CLI_OK;
	from = strtod(a->filter.from, &end);
	if (*end || *a->filter.from == '+' || *a->filter.from == '-')
		return CLI_OK;
	to = strtod(a->filter.until, &end);
	if (*end || *a->filter.until == '+' || *a->filter.until == '-' || to >= from)
		return CLI_OK;
	cli_error(NULL, "the end %s is before the start %s", a->filter.until, a->filter.from);
	return CLI_USAGE;
}

static int split_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct split_args a = {.out = {.compression = -1},
			       .limits = TDAT_LIMITS_INIT,
			       .split = TDAT_SPLIT_OPTS_INIT};
	struct tdat_filter *filter = NULL;
	int rc = CLI_OK;

	if (cli_opt_parse(cmd, split_opts, &argc, argv, &a, &rc)) {
		rc = check_args(&a);
		if (rc == CLI_OK)
			rc = cli_filter_make(&a.filter, &filter);
		if (rc == CLI_OK)
			rc = split(&a, filter);
	}
	tdat_filter_free(filter);
	cli_filter_fini(&a.filter);
	cli_cpus_fini(&a.cpus);
	free(a.buffers);
	return rc;
}

static const char *const split_synopsis[] = {"[OPTION]... [START [END]] [FILE]", NULL};
static const char *const split_notes[] = {
	"START and END are times as dump prints them; 0 means no bound.",
	"Exit status: 0 success, 1 damaged input or failure, 2 wrong usage.",
	NULL,
};

const struct cli_cmd cli_cmd_split = {
	.name = "split",
	.summary = "Write selected events to one or several files",
	.synopsis = split_synopsis,
	.opts = split_opts,
	.notes = split_notes,
	.run = split_run,
};
