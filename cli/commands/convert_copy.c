/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat convert for a trace.dat: copies its parts, options and pages unchanged. It sets
 * version, byte order and compression of the writer and lets the library copy (lib/copy). Options
 * that make no sense for a copy are refused.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/convert_copy.h"
#include "terminal/message.h"

/* The sizes tell what a compression saved. A device or pipe has no size to print. */
static void print_summary(const struct convert_args *args, const struct tdat_file_info *info,
			  const struct tdat_writer_opts *opts)
{
	struct stat sb;

	if (args->out.quiet)
		return;
	if (stat(args->out.path, &sb) || !S_ISREG(sb.st_mode))
		cli_error(args->out.path,
			  "copied %" PRIu64 " bytes of version %" PRIu32 " to version "
			  "%" PRIu32,
			  info->len, info->version, opts->version);
	else
		cli_error(args->out.path,
			  "version %" PRIu32 " of %" PRIu64 " bytes to version %" PRIu32
			  " of %jd bytes",
			  info->version, info->len, opts->version, (intmax_t)sb.st_size);
}

/* Returns the byte order that --endian asks for, "little" or "big"; NULL: that of the input. */
static const char *asked_order(const struct convert_args *args)
{
	const char *order = NULL;

	for (size_t i = 0; i < args->import.count; i++)
		if (!strcmp(args->import.v[i].key, "endian"))
			order = args->import.v[i].value;
	return order;
}

/* Refuses the options of importers: a copy has only --endian. */
static int check_options(const struct convert_args *args, const char *path)
{
	const char *order = asked_order(args);

	for (size_t i = 0; i < args->import.count; i++) {
		if (!strcmp(args->import.v[i].key, "endian"))
			continue;
		cli_error(path, "is a trace.dat, which does not have the option --%s",
			  args->import.v[i].key);
		return CLI_USAGE;
	}
	if (!order || !strcmp(order, "little") || !strcmp(order, "big"))
		return CLI_OK;
	cli_error(NULL, "--endian must be little or big, not '%s'", order);
	return CLI_USAGE;
}

static int fail_whole(const char *path, const struct tdat_error *err)
{
	const int rc = cli_fail(path, err);

	if (err->status == TDAT_E_DAMAGED)
		cli_error(path, "nothing was written, because convert copies only intact files; "
				"\"tdat repair\" saves readable data");
	return rc;
}

/* The exit status is 1 after warnings, too: the copy then lacks something. */
static int copy(const struct convert_args *args, const char *path, struct tdat_file *file)
{
	const char *order = asked_order(args);
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct cli_writing to = {.path = path, .strict = args->out.strict};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;
	int rc;

	cli_output_opts_like(&args->out, tdat_file_info(file), &opts);
	rc = cli_writing_open(&to, &args->out, &opts);
	if (rc != CLI_OK)
		return rc;
	/* Another byte order means that each record is written anew; otherwise pages are copied. */
	st = order ? tdat_writer_copy_endian(to.writer, file, !strcmp(order, "big"), &err)
		   : tdat_writer_copy(to.writer, file, &err);
	st = cli_writing_finish(&to, "copying", st, &err);
	if (st != TDAT_OK)
		rc = cli_fail(path, &err);
	else
		print_summary(args, tdat_file_info(file), &opts);
	if (rc == CLI_OK && tdat_writer_warnings(to.writer))
		rc = CLI_FAILED;
	tdat_writer_free(to.writer);
	return rc;
}

/* Takes the input's source, which the opened file owns from then on. */
int convert_copy(const struct convert_args *args, struct cli_inputs *in)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const char *path = in->v[0].path;
	struct tdat_file *file;
	int rc;

	if (strcmp(args->from, "auto") != 0) {
		cli_error(path, "is a trace.dat, not a %s capture", args->from);
		return CLI_USAGE;
	}
	if (in->count > 1) {
		cli_error(in->v[1].path, "convert accepts only one trace.dat at a time");
		return CLI_USAGE;
	}
	rc = check_options(args, path);
	if (rc)
		return rc;
	opts.limits = &args->limits;
	if (tdat_file_open_source(&file, (struct tdat_source *)in->v[0].source, &opts, &err))
		return fail_whole(path, &err);
	in->v[0].source = NULL; /* the file owns it now */
	rc = copy(args, path, file);
	tdat_file_close(file);
	return rc;
}
