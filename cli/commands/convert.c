/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "args/cmd.h"
#include "commands/convert.h"
#include "args/limits.h"
#include "safety/sandbox_output.h"
#include "input/import_run.h"

const char *const cli_compressions[] = {"any", "none", "zlib", "zstd", NULL};
static const char *const targets[] = {"trace.dat", NULL};

static const struct cli_opt convert_opts[] = {
	CLI_STRING(0, "from", "FORMAT", struct convert_args, from,
		   "what the inputs are: a name of 'tdat list --formats', or auto (default)"),
	CLI_CHOICE(0, "to", "FORMAT", targets, struct convert_args, to,
		   "what to write: trace.dat (default)"),
	CLI_STRING('o', "output", "FILE", struct convert_args, output,
		   "where to write (default: trace.dat)"),
	CLI_FLAG('f', "force", struct convert_args, force, "replace an existing file"),
	CLI_U64(0, "file-version", "6|7", 6, 7, struct convert_args, file_version,
		"version of the trace.dat (default: 7, or that of a trace.dat read)"),
	CLI_CHOICE(0, "compression", "NAME", cli_compressions, struct convert_args, compression,
		   "none, zlib, zstd, or any: the best there is (default; version 6 has none; a "
		   "trace.dat that keeps its version keeps its compression)"),
	CLI_OUT_LEVEL(struct convert_args, level),
	CLI_CALL(0, "endian", "ORDER", cli_import_opts_note,
		 "byte order, little or big: to write, of a trace.dat that is copied; "
		 "of a capture, what it is"),
	CLI_FLAG(0, "strict", struct convert_args, strict,
		 "stop at the first doubt and write nothing"),
	CLI_OUT_THREADS(struct convert_args, threads),
	CLI_OUT_TMPDIR(struct convert_args, tmpdir),
	CLI_FLAG('q', "quiet", struct convert_args, quiet, "no summary at the end"),
	CLI_LIMITS(struct convert_args, limits),
	CLI_OPT_END,
};

static int pick_importer(const struct convert_args *args, const struct cli_inputs *in,
			 const struct tdat_importer **out)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	if (strcmp(args->from, "auto") != 0) {
		*out = cli_importer_named(args->from);
		return *out ? CLI_OK : CLI_USAGE;
	}
	if (tdat_importer_probe(in->v, in->count, out, &err))
		return cli_fail(in->v[0].path, &err);
	return CLI_OK;
}

static void tell_summary(const struct convert_args *args, const struct cli_watch *watch,
			 const struct tdat_writer *writer, const struct tdat_importer *importer)
{
	uint64_t events = tdat_writer_events(writer);

	if (args->quiet)
		return;
	cli_error(args->output,
		  "%" PRIu64 " event%s on %" PRIu32 " CPU%s from %s, %" PRIu64 " warning%s%s%s%s",
		  events, events == 1 ? "" : "s", watch->cpu_count,
		  watch->cpu_count == 1 ? "" : "s", importer->name, watch->warnings,
		  watch->warnings == 1 ? "" : "s", watch->facts[0] ? " (" : "", watch->facts,
		  watch->facts[0] ? ")" : "");
}

static int run_import(const struct convert_args *args, const struct cli_inputs *in,
		      const struct tdat_importer *importer, struct tdat_writer *writer)
{
	struct tdat_import_request request = {in->v, in->count, args->import.v, args->import.count,
					      args->strict};
	struct cli_watch watch;
	bool done;
	int rc = cli_watch_import(&watch, importer, &request, in, writer, &done);

	if (done)
		tell_summary(args, &watch, writer, importer);
	cli_watch_fini(&watch);
	return rc;
}

/* What the writer said, and the option that would have made it go on. */
int cli_convert_no_writer(const struct convert_args *args, const struct tdat_error *err)
{
	struct stat sb;

	if (err->status != TDAT_E_USAGE || args->force || lstat(args->output, &sb))
		return cli_fail(args->output, err);
	cli_error(args->output, "exists already; --force replaces it");
	return CLI_FAILED;
}

void cli_convert_opts(const struct convert_args *args, struct tdat_writer_opts *opts)
{
	opts->version = (uint32_t)args->file_version;
	opts->compression = args->compression < 0 ? NULL : cli_compressions[args->compression];
	opts->level = (int)args->level;
	opts->force = args->force;
	opts->threads = (uint32_t)args->threads;
	opts->tmpdir = args->tmpdir;
}

void cli_convert_opts_like(const struct convert_args *args, const struct tdat_file_info *info,
			   struct tdat_writer_opts *opts)
{
	cli_convert_opts(args, opts);
	if (!opts->version)
		opts->version = info->version;
	if (!opts->compression && opts->version == info->version && info->version >= 7)
		opts->compression = info->compression;
}

static int import(const struct convert_args *args, const struct cli_inputs *in)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_importer *importer;
	struct tdat_writer *writer;
	int rc;

	rc = pick_importer(args, in, &importer);
	if (rc == CLI_OK)
		rc = cli_import_opts_check(&args->import, importer);
	if (rc)
		return rc;
	cli_convert_opts(args, &opts);
	if (tdat_writer_new(&writer, args->output, &opts, &err))
		return cli_convert_no_writer(args, &err);
	rc = run_import(args, in, importer, writer);
	tdat_writer_free(writer);
	return rc;
}

static int convert(const struct convert_args *args, char *const *words, size_t count)
{
	struct cli_inputs_wants wants = {NULL, args->import.v, args->import.count};
	struct cli_inputs in = {NULL, 0, 0, NULL};
	struct stat sb;
	int rc;

	if (!count) {
		cli_error(NULL, "convert needs a file or a directory to read");
		return CLI_USAGE;
	}
	if (strcmp(args->from, "auto") != 0) {
		wants.importer = cli_importer_named(args->from);
		if (!wants.importer)
			return CLI_USAGE;
	}
	/* Known before reading: reading takes the events out of a live buffer. */
	if (!args->force && !stat(args->output, &sb) && S_ISREG(sb.st_mode)) {
		cli_error(args->output, "exists already; --force replaces it");
		return CLI_FAILED;
	}
	rc = cli_inputs_open(&in, words, count, &wants);
	cli_rights_of_import(args->output, args->tmpdir, &args->import, false);
	if (rc == CLI_OK && cli_inputs_is_trace_dat(in.v[0].source))
		rc = cli_convert_copy(args, &in);
	else if (rc == CLI_OK)
		rc = import(args, &in);
	cli_inputs_fini(&in);
	return rc;
}

static int convert_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct convert_args args = {
		.from = "auto", .output = "trace.dat", .compression = -1,
		.limits = TDAT_LIMITS_INIT};
	struct cli_opt *table = cli_import_opts_table(convert_opts, argc, argv);
	int rc;

	if (!table)
		return cli_nomem();
	if (cli_opt_parse(cmd, table, &argc, argv, &args, &rc))
		rc = convert(&args, argv + 1, (size_t)argc - 1);
	cli_import_opts_fini(&args.import);
	free(table);
	return rc;
}

static const char *const convert_synopsis[] = {"[--from FORMAT] [OPTIONS] [-o FILE] INPUT...",
					       NULL};
static const char *const convert_notes[] = {
	"A trace.dat is copied into another version or compression, events as they are.",
	"An INPUT is a file, a directory that stands for its files, or - for standard input.",
	"Formats have options of their own: 'tdat convert --from FORMAT --help' shows them.",
	"Exit status: 0 done, 1 done with warnings or failed, 2 wrong usage.",
	NULL,
};

const struct cli_cmd cli_cmd_convert = {
	.name = "convert",
	.summary = "Make a trace.dat of a foreign capture, or of another trace.dat.",
	.synopsis = convert_synopsis,
	.opts = convert_opts,
	.notes = convert_notes,
	.run = convert_run,
};
