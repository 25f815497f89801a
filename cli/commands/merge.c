/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat merge: makes one trace.dat from several. Files are opened and times aligned by
 * options; tdat_writer_merge() does the rest. The output is checked against all inputs first.
 * Version, compression and byte order that the user does not choose come from the inputs. Warnings
 * of the library are printed as they come.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/merge.h>

#include "args/limits.h"
#include "args/ts_offset.h"
#include "commands/commands.h"
#include "core/grow.h"
#include "core/text.h"
#include "input/damage.h"
#include "input/trace_files.h"
#include "output/output_file.h"
#include "safety/own_input.h"
#include "safety/sandbox_output.h"

/* An input, and the offset that is added to its times, in nanoseconds or ticks. */
struct merge_input {
	const char *path;
	int64_t ts_offset;
};

struct merge_args {
	struct cli_output_file out;
	struct tdat_limits limits;
	struct merge_input *inputs;
	size_t input_count, input_room;
	int as, endian; /* -1: not given: CPUs, and the order of the first input */
	bool align;
};

/* Adds an input; options that follow belong to it. */
static int add_input(struct merge_args *a, const char *path)
{
	if (!TDAT_GROW(a->inputs, &a->input_room, a->input_count + 1))
		return cli_nomem();
	a->inputs[a->input_count++] = (struct merge_input){path, 0};
	return CLI_OK;
}

static int opt_input(void *values, const struct cli_opt *opt, const char *value)
{
	(void)opt;
	return add_input(values, value);
}

/* --ts-offset belongs to the input before it, as in tdat dump. */
static int opt_ts_offset(void *values, const struct cli_opt *opt, const char *value)
{
	struct merge_args *a = values;

	(void)opt;
	if (!a->input_count) {
		cli_error(NULL, "--ts-offset must follow the input that it applies to");
		return CLI_USAGE;
	}
	return cli_ts_offset(value, &a->inputs[a->input_count - 1].ts_offset);
}

static const char *const as_names[] = {"cpus", "instances", "parts", NULL};
static const char *const endian_names[] = {"little", "big", NULL};

static const struct cli_opt merge_opts[] = {
	CLI_INPUT,
	CLI_STRING('o', "output", "FILE", struct merge_args, out.path,
		   "write FILE (default: trace.dat)"),
	CLI_FLAG('f', "force", struct merge_args, out.force, "replace an existing file"),
	CLI_CHOICE(0, "as", "WHAT", as_names, struct merge_args, as,
		   "cpus: further inputs get the next free CPU numbers (default); instances: each "
		   "input becomes a buffer instance; parts: CPUs and buffers stay the same, for "
		   "parts of one recording"),
	CLI_CALL(0, "ts-offset", "NS", opt_ts_offset,
		 "add NS to the timestamps of the preceding input"),
	CLI_FLAG(0, "align", struct merge_args, align,
		 "shift every input to begin when the first one begins"),
	CLI_CHOICE(0, "endian", "ORDER", endian_names, struct merge_args, endian,
		   "byte order to write, little or big (default: as the first input)"),
	CLI_U64(0, "file-version", "6|7", 6, 7, struct merge_args, out.file_version,
		"output version (default: the highest of the inputs)"),
	CLI_CHOICE(0, "compression", "NAME", cli_compressions, struct merge_args, out.compression,
		   "none, zlib, zstd, or any: the best available (default: as the first input of "
		   "version 7)"),
	CLI_OUT_LEVEL(struct merge_args, out.level),
	CLI_FLAG(0, "strict", struct merge_args, out.strict,
		 "stop at the first warning, and write nothing"),
	CLI_OUT_THREADS(struct merge_args, out.threads),
	CLI_OUT_TMPDIR(struct merge_args, out.tmpdir),
	CLI_LIMITS(struct merge_args, limits),
	CLI_FLAG('q', "quiet", struct merge_args, out.quiet, "print no summary"),
	CLI_ARG(opt_input),
	CLI_OPT_END,
};

/* ---- the work ---- */

/* One run of the command. A function that returns false has set status. */
struct merge {
	const struct merge_args *args;
	struct tdat_iter_input *inputs;
	struct cli_writing to;
	int status;
};

static bool fail(struct merge *m, const char *path, const struct tdat_error *err)
{
	m->status = cli_fail(path, err);
	return false;
}

/* Refuses an output that is also an input, opens the inputs, and enters the sandbox. */
static int open_inputs(const struct merge_args *a, struct cli_files *files)
{
	const char **reads = calloc(a->input_count, sizeof(*reads));
	int rc;

	if (!reads)
		return cli_nomem();
	for (size_t i = 0; i < a->input_count; i++)
		reads[i] = a->inputs[i].path;
	rc = cli_output_check("merge", a->out.path, a->out.force, reads, a->input_count);
	for (size_t i = 0; i < a->input_count && rc == CLI_OK; i++)
		rc = cli_files_add(files, reads[i], false);
	if (rc == CLI_OK)
		cli_sandbox_for_output(a->out.path, a->out.tmpdir, reads, a->input_count);
	free(reads);
	return rc;
}

/* Parses the inputs. A damaged one is read as far as possible, unless --strict is given. */
static bool parse_inputs(struct merge *m)
{
	const struct merge_args *a = m->args;
	struct cli_files files = {
		.spool_len = a->limits.spool_len, .tmpdir = a->out.tmpdir, .strict = a->out.strict};
	bool ok;

	m->status = open_inputs(a, &files);
	ok = m->status == CLI_OK;
	for (size_t i = 0; i < files.count && ok; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;

		if (cli_files_parse(&files, i, &a->limits, &m->inputs[i].file, &err)) {
			ok = fail(m, files.v[i].path, &err);
			break;
		}
		m->inputs[i].ts_offset = a->inputs[i].ts_offset;
		if (cli_file_damage(files.v[i].path, m->inputs[i].file) != CLI_OK)
			m->status = CLI_FAILED;
	}
	cli_files_close(&files);
	return ok;
}

/* Finds the time of the first event of an input; *found is false if it has no event. */
static bool first_time(struct merge *m, size_t i, bool *found, uint64_t *ts)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev = NULL;
	struct tdat_iter *iter;
	enum tdat_status st = tdat_iter_new(&iter, &m->inputs[i], 1, NULL, &err);

	if (st == TDAT_OK)
		st = tdat_iter_next(iter, &ev, &err);
	*found = st == TDAT_OK && ev;
	if (*found)
		*ts = ev->ts;
	tdat_iter_free(iter);
	return st == TDAT_OK || fail(m, m->args->inputs[i].path, &err);
}

/*
 * Sets the offsets of --align: all inputs begin at the time of the first one, plus their
 * --ts-offset. An input without events keeps its own offset.
 */
static bool align_inputs(struct merge *m)
{
	bool have = false, found = false;
	uint64_t begin = 0, ts = 0;

	for (size_t i = 0; i < m->args->input_count; i++) {
		int64_t extra = m->inputs[i].ts_offset;

		/* first_time() must see the times of the file. */
		m->inputs[i].ts_offset = 0;
		if (!first_time(m, i, &found, &ts))
			return false;
		if (found && !have)
			begin = ts;
		have |= found;
		/* Unsigned arithmetic: an offset may be negative, and times use all 64 bits. */
		m->inputs[i].ts_offset = (int64_t)((found ? begin - ts : 0) + (uint64_t)extra);
	}
	return true;
}

/*
 * Chooses the version and compression that the user did not ask for: the highest version of the
 * inputs, and the compression of the first input of that version.
 */
static void fill_opts(const struct merge *m, struct tdat_writer_opts *opts)
{
	const struct tdat_file_info *info;

	cli_output_opts(&m->args->out, opts);
	for (size_t i = 0; !m->args->out.file_version && i < m->args->input_count; i++) {
		info = tdat_file_info(m->inputs[i].file);
		if (info->version > opts->version)
			opts->version = info->version;
	}
	for (size_t i = 0; !opts->compression && opts->version > 6 && i < m->args->input_count;
	     i++) {
		info = tdat_file_info(m->inputs[i].file);
		if (info->version == opts->version)
			opts->compression = info->compression;
	}
}

/* The output gets its name at the end only; an existing file is refused here. */
static bool open_writer(struct merge *m)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	int rc;

	fill_opts(m, &opts);
	m->to.strict = m->args->out.strict;
	rc = cli_writing_open(&m->to, &m->args->out, &opts);
	if (rc != CLI_OK)
		m->status = rc;
	return rc == CLI_OK;
}

/*
 * Whether all inputs may be parts of one recording: their symbols show one boot of one machine,
 * which a guest does not share with its host, and no trace id, which trace-cmd split leaves out,
 * contradicts.
 */
static bool may_be_parts(const struct merge *m)
{
	const struct tdat_file *first = m->inputs[0].file;
	const struct tdat_file_option *id = tdat_file_option_by_id(first, TDAT_OPTION_TRACEID);
	const struct tdat_span symbols = tdat_file_part(first, TDAT_PART_KALLSYMS);

	for (size_t i = 1; i < m->args->input_count; i++) {
		const struct tdat_file *file = m->inputs[i].file;
		const struct tdat_file_option *other =
			tdat_file_option_by_id(file, TDAT_OPTION_TRACEID);

		if ((id && other && !tdat_span_same(id->data, other->data)) ||
		    !tdat_span_same(symbols, tdat_file_part(file, TDAT_PART_KALLSYMS)))
			return false;
	}
	return symbols.len && m->args->input_count > 1;
}

/* Merges and finishes. Damage of an input makes the exit status 1, but the file is written. */
static bool write_file(struct merge *m)
{
	static const enum tdat_merge_order orders[] = {
		TDAT_MERGE_ORDER_FIRST, TDAT_MERGE_ORDER_LITTLE, TDAT_MERGE_ORDER_BIG};
	const struct merge_args *a = m->args;
	struct tdat_merge_opts opts = TDAT_MERGE_OPTS_INIT;
	struct tdat_merge_result result = {0, 0, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	opts.as = a->as < 0 ? TDAT_MERGE_CPUS : (enum tdat_merge_as)a->as;
	if (a->as < 0 && may_be_parts(m))
		cli_error(NULL, "the inputs have the same kernel symbols; if they are parts of one "
				"recording, use --as parts, or CPUs get new numbers");
	/* endian is -1 for the order of the first input, hence the offset. */
	opts.order = orders[a->endian + 1];
	st = tdat_writer_merge(m->to.writer, m->inputs, a->input_count, &opts, &result, &err);
	st = cli_writing_finish(&m->to, "writing", st, &err);
	if (st != TDAT_OK)
		return fail(m, NULL, &err);
	if (result.bad_pages || result.bad_formats)
		m->status = CLI_FAILED;
	if (!a->out.quiet)
		cli_error(a->out.path, "%" PRIu64 " event%s of %zu files", result.events,
			  result.events == 1 ? "" : "s", a->input_count);
	return true;
}

/* Runs the whole command; everything is freed on each path. */
static int merge(const struct merge_args *a)
{
	struct merge m = {.args = a};

	m.inputs = calloc(a->input_count, sizeof(*m.inputs));
	if (!m.inputs)
		return cli_nomem();
	if (parse_inputs(&m) && (!a->align || align_inputs(&m)) && open_writer(&m))
		write_file(&m);
	tdat_writer_free(m.to.writer);
	for (size_t i = 0; i < a->input_count; i++)
		tdat_file_close(m.inputs[i].file);
	free(m.inputs);
	return m.status;
}

static int merge_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct merge_args a = {.out = {.path = "trace.dat", .compression = -1},
			       .limits = TDAT_LIMITS_INIT,
			       .as = -1,
			       .endian = -1};
	int status = CLI_OK;

	if (cli_opt_parse(cmd, merge_opts, &argc, argv, &a, &status)) {
		if (a.input_count < 2) {
			cli_error(NULL, "merge needs at least two files");
			status = CLI_USAGE;
		} else {
			status = merge(&a);
		}
	}
	free(a.inputs);
	return status;
}

static const char *const merge_synopsis[] = {"[OPTION]... [-o FILE] FILE FILE...", NULL};
static const char *const merge_notes[] = {
	"The output has the times that 'tdat dump FILE FILE...' prints.",
	"Messages report data of an input that one file cannot store.",
	"Exit status: 0 success, 1 damaged input or failure, 2 wrong usage.",
	NULL,
};

const struct cli_cmd cli_cmd_merge = {
	"merge",	"Merge several trace.dat files into one",
	merge_synopsis, merge_opts,
	merge_notes,	merge_run,
};
