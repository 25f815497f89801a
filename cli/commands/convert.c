/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat convert: makes a trace.dat from a foreign capture, or from another trace.dat.
 * Inputs are opened before the sandbox is entered, then an importer is picked by --from or by
 * probing; a trace.dat among the inputs goes to convert_copy.c. cli/input/import_run.c joins
 * importer and writer.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args/limits.h"
#include "commands/commands.h"
#include "core/nearest.h"
#include "input/import_run.h"
#include "input/inputs.h"
#include "input/packed.h"
#include "safety/own_input.h"
#include "safety/sandbox_output.h"
#include "commands/convert_copy.h"
#include "output/output_name.h"

static const struct cli_opt convert_opts[] = {
	CLI_STRING(0, "from", "FORMAT", struct convert_args, from,
		   "input format: a name from 'tdat list --formats', or auto (default)"),
	CLI_STRING(0, "format", "FORMAT", struct convert_args, from, NULL), /* as dump has it */
	CLI_STRING(0, "to", "FORMAT", struct convert_args, to,
		   "output format: trace.dat (default)"),
	CLI_LIST('i', "input", "FILE", struct convert_args, inputs,
		 "read FILE; the argument then names the output, as in trace-cmd convert"),
	CLI_STRING('o', "output", "FILE", struct convert_args, out.path,
		   "write FILE (default: trace.dat)"),
	CLI_FLAG('f', "force", struct convert_args, out.force, "replace an existing file"),
	CLI_U64(0, "file-version", "6|7", 6, 7, struct convert_args, out.file_version,
		"output version (default: 7, or the version of a trace.dat input)"),
	CLI_CHOICE(0, "compression", "NAME", cli_compressions, struct convert_args, out.compression,
		   "none, zlib, zstd, or any: the best available (default); a trace.dat that keeps "
		   "its version keeps its compression; version 6 is never compressed"),
	CLI_OUT_LEVEL(struct convert_args, out.level),
	CLI_CALL(0, "endian", "ORDER", cli_import_opts_note,
		 "little or big: the byte order to write for a trace.dat, or the byte order of a "
		 "capture"),
	CLI_FLAG(0, "strict", struct convert_args, out.strict,
		 "stop at the first warning and write nothing"),
	CLI_U64(0, "threads", "N", 1, 1024, struct convert_args, out.threads,
		"use N threads to compress, and to read captures (default: one per CPU)"),
	CLI_OUT_TMPDIR(struct convert_args, out.tmpdir),
	CLI_FLAG('q', "quiet", struct convert_args, out.quiet, "print no summary"),
	CLI_LIMITS(struct convert_args, limits),
	CLI_OPT_END,
};

/* Without --from importers are asked whether the inputs are of their format. */
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

/* The summary goes to stderr, as stdout may be the output. */
static void print_summary(const struct convert_args *args, const struct cli_import *run,
			  const struct tdat_writer *writer, const struct tdat_importer *importer)
{
	const uint64_t events = tdat_writer_events(writer);
	const uint32_t cpus = tdat_writer_cpus(writer);

	if (args->out.quiet)
		return;
	cli_error(args->out.path,
		  "%" PRIu64 " event%s on %" PRIu32 " CPU%s from %s, %" PRIu64 " warning%s%s%s%s",
		  events, events == 1 ? "" : "s", cpus, cpus == 1 ? "" : "s", importer->name,
		  run->warnings, run->warnings == 1 ? "" : "s", run->facts[0] ? " (" : "",
		  run->facts, run->facts[0] ? ")" : "");
}

/*
 * Runs the importer into the writer. The exit status is 1 after warnings, also if the file was
 * written.
 */
static int run_import(const struct convert_args *args, const struct cli_inputs *in,
		      const struct tdat_importer *importer, struct tdat_writer *writer)
{
	struct tdat_import_request request = {sizeof(request),
					      in->v,
					      in->count,
					      args->import.v,
					      args->import.count,
					      args->out.strict,
					      (uint32_t)args->out.threads};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct cli_import run;
	int rc;

	if (cli_import_run(&run, importer, &request, in, writer, &err)) {
		/* Options and the output are no fault of the input. */
		rc = cli_fail(in->count == 1 && err.off != TDAT_NO_OFFSET ? in->v[0].path : NULL,
			      &err);
	} else {
		print_summary(args, &run, writer, importer);
		rc = run.warnings ? CLI_FAILED : CLI_OK;
	}
	cli_import_fini(&run);
	return rc;
}

/* Checks importer and options before the output is created. */
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
	cli_output_opts(&args->out, &opts);
	if (tdat_writer_new(&writer, args->out.path, &opts, &err))
		return cli_output_refused(&args->out, &err);
	rc = run_import(args, in, importer, writer);
	tdat_writer_free(writer);
	return rc;
}

static void refuse_target(const char *name)
{
	size_t count;
	const struct tdat_exporter *const *all = tdat_exporters(&count);
	struct tdat_near near = {.word = name};

	tdat_near_try(&near, "trace.dat");
	for (size_t i = 0; i < count; i++)
		if (all[i]->kind != TDAT_EXPORT_EVENTS)
			tdat_near_try(&near, all[i]->name);
	cli_error(
		NULL, "option '--to' does not accept '%s'%s", name,
		tdat_near_hint(&near,
			       "; convert writes trace.dat, \"tdat export\" writes other formats"));
}

/* False, after a hint, if --to or the name of the output is another format's than trace.dat. */
static bool writes_this(const struct convert_args *args)
{
	const bool dat = args->to && !strcmp(args->to, "trace.dat");
	const struct tdat_exporter *other =
		args->to ? tdat_exporter_find(args->to) : cli_exporter_of_name(args->out.path);
	const char *picture = args->to ? NULL : cli_picture_of_name(args->out.path);

	if (dat)
		return true;
	if (other && other->kind != TDAT_EXPORT_EVENTS)
		cli_error(args->to ? NULL : args->out.path,
			  "convert writes trace.dat; \"tdat export --to %s\" writes this format",
			  other->name);
	else if (picture)
		cli_error(args->out.path, "convert writes trace.dat; %s", picture);
	else if (args->to)
		refuse_target(args->to);
	return !args->to && !other && !picture;
}

/*
 * Options are checked first, then the output, then inputs are opened, then the sandbox is entered:
 * each step can still refuse before the next one has effects.
 */
static int convert(struct convert_args *args, char *const *words, size_t count)
{
	struct cli_inputs_wants wants = {NULL, args->import.v, args->import.count};
	struct cli_inputs in = {.spool_len = args->limits.spool_len, .tmpdir = args->out.tmpdir};
	struct tdat_error err = TDAT_ERROR_INIT;
	int rc;

	if (!args->out.path && count > 1 && strcmp(words[count - 1], "-") != 0 &&
	    access(words[count - 1], F_OK) != 0) {
		cli_error(words[count - 1], "is not an existing file; name the output with -o: "
					    "tdat convert -o OUTPUT INPUT...");
		return CLI_USAGE;
	}
	if (!args->out.path)
		args->out.path = "trace.dat";
	if (!writes_this(args))
		return CLI_USAGE;
	if (!count) {
		cli_error(NULL, "convert needs an input: a file or a directory");
		return CLI_USAGE;
	}
	if (strcmp(args->from, "auto") != 0) {
		wants.importer = cli_importer_named(args->from);
		if (!wants.importer)
			return CLI_USAGE;
	}
	rc = cli_output_check("convert", args->out.path, args->out.force,
			      (const char *const *)words, count);
	if (rc == CLI_OK)
		rc = cli_inputs_check_options("convert", args->out.path, &args->import);
	if (rc)
		return rc;
	/* The output is checked first, because reading a live buffer removes its events. */
	rc = cli_output_taken(args->out.path, args->out.force);
	if (rc)
		return rc;
	rc = cli_inputs_open(&in, words, count, &wants);
	if (rc == CLI_OK)
		rc = cli_inputs_check_output("convert", args->out.path, &in);
	/* The sandbox is entered also after a failure: what follows only cleans up. */
	cli_sandbox_for_import(args->out.path, args->out.tmpdir, &args->import, false);
	if (rc == CLI_OK && !wants.importer && count == 1 && cli_inputs_are_several(&in, &err))
		rc = cli_fail(words[0], &err);
	if (rc == CLI_OK && cli_is_trace_dat(in.v[0].source))
		rc = convert_copy(args, &in);
	else if (rc == CLI_OK)
		rc = import(args, &in);
	/* An input that was left out was reported already; the result is not whole. */
	if (rc == CLI_OK && in.left_out)
		rc = CLI_FAILED;
	cli_inputs_fini(&in);
	return rc;
}

/* With -i, words are no inputs: trace-cmd takes the last one for the output. */
static int convert_words(struct convert_args *args, char **words, size_t count)
{
	if (!args->inputs.count)
		return convert(args, words, count);
	if (count > 1 || (count && args->out.path)) {
		cli_error(NULL, "'%s' after -i: name all inputs with -i, or none",
			  words[args->out.path ? 0 : 1]);
		return CLI_USAGE;
	}
	if (count)
		args->out.path = words[0];
	return convert(args, (char *const *)args->inputs.v, args->inputs.count);
}

/* The table of options depends on --from, which is therefore found first. */
static int convert_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct convert_args args = {
		.from = "auto", .out = {.compression = -1}, .limits = TDAT_LIMITS_INIT};
	struct cli_opt *table =
		cli_import_opts_table(convert_opts, cli_import_opts_named("from", argc, argv));
	int rc;

	if (!table)
		return cli_nomem();
	if (cli_opt_parse(cmd, table, &argc, argv, &args, &rc))
		rc = convert_words(&args, argv + 1, (size_t)argc - 1);
	cli_list_fini(&args.inputs);
	cli_import_opts_fini(&args.import);
	free(table);
	return rc;
}

static const char *const convert_synopsis[] = {"[--from FORMAT] [OPTIONS] [-o FILE] INPUT...",
					       NULL};
static const char *const convert_notes[] = {
	"A trace.dat is copied to another version or compression; its events stay unchanged.",
	"INPUT is a file, a directory that contains the files of a capture, or - for standard "
	"input.",
	"'tdat convert --from FORMAT --help' shows the options of a format.",
	"Exit status: 0 success, 1 warnings or failure, 2 wrong usage.",
	NULL,
};

const struct cli_cmd cli_cmd_convert = {
	.name = "convert",
	.summary = "Convert a foreign capture, or a trace.dat, to a trace.dat",
	.synopsis = convert_synopsis,
	.opts = convert_opts,
	.notes = convert_notes,
	.run = convert_run,
};
