/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Imports a foreign capture into a temporary trace.dat and opens that. */
#include "input/import_temp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tdat/writer.h>

#include "core/temp_file.h"
#include "input/import_run.h"
#include "input/inputs.h"
#include "safety/unfinished.h"
#include "safety/sandbox_output.h"
#include "terminal/message.h"

static int run_import(const struct tdat_importer *importer, const struct cli_import_opts *given,
		      const struct cli_inputs *in, struct tdat_writer *writer)
{
	struct tdat_import_request request = {in->v, in->count, given->v, given->count,
					      false, 0,		false};
	struct cli_import run;
	bool done;
	int rc = cli_import_run(&run, importer, &request, in, writer, &done);

	cli_import_fini(&run);
	return rc;
}

/* Opens the file at path if the writer has replaced the empty one. */
static int open_written(const char *path, int rc, const struct tdat_limits *limits,
			struct tdat_file **out)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct stat sb;

	opts.access = TDAT_ACCESS_READ;
	opts.limits = *limits;
	if (stat(path, &sb) || !sb.st_size)
		return rc;
	if (tdat_file_open(out, path, &opts, &err))
		rc = cli_fail(path, &err);
	return rc;
}

static int import(const struct tdat_importer *importer, const struct cli_import_opts *given,
		  const struct cli_inputs *in, const char *path, const struct tdat_limits *limits,
		  struct tdat_file **out)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *writer;
	int rc;

	opts.compression = "none";
	opts.force = true;
	if (tdat_writer_new(&writer, path, &opts, &err))
		return cli_fail(NULL, &err);
	rc = run_import(importer, given, in, writer);
	tdat_writer_free(writer);
	return open_written(path, rc, limits, out);
}

/* Imports into a temporary file: an empty one that the writer replaces. */
static int import_file(const struct tdat_importer *importer, const struct cli_import_opts *given,
		       const struct cli_inputs *in, const struct tdat_limits *limits,
		       struct tdat_file **out)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct cli_unfinished *temp;
	int rc;

	if (cli_unfinished_temp(&temp, tdat_temp_dir(), &err))
		return cli_fail(NULL, &err);
	rc = import(importer, given, in, cli_unfinished_name(temp), limits, out);
	cli_unfinished_free(temp);
	return rc;
}

int cli_import_temp(const struct tdat_importer *importer, const struct cli_import_opts *given,
		    char *const *words, size_t count, bool plugins,
		    const struct tdat_limits *limits, const struct cli_feed_to *feed, bool *fed,
		    struct tdat_file **out)
{
	struct cli_inputs_wants wants = {importer, given->v, given->count};
	struct cli_inputs in = {.spool_len = limits->spool_len};
	const struct cli_feed_request request = {importer, given, &in, limits, feed};
	int rc = cli_import_opts_check(given, importer);

	*out = NULL;
	if (fed)
		*fed = false;
	if (rc != CLI_OK)
		return rc;
	rc = cli_inputs_check_options("dump", "-", given);
	if (rc == CLI_OK)
		rc = cli_inputs_open(&in, words, count, &wants);
	if (rc == CLI_OK)
		rc = cli_inputs_check_output("dump", "-", &in);
	cli_sandbox_for_import("-", NULL, given, plugins);
	if (rc == CLI_OK && feed)
		rc = cli_import_feed(&request, fed);
	if (rc == CLI_OK && !(feed && *fed))
		rc = import_file(importer, given, &in, limits, out);
	if (rc == CLI_OK && in.left_out)
		rc = CLI_FAILED;
	cli_inputs_fini(&in);
	return rc;
}
