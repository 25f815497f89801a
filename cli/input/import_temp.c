/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imports a foreign capture into a temporary trace.dat and opens that, for dump --format. The file
 * has no name and disappears with the process. Warnings of the import are printed before the first
 * event.
 */
#include "input/import_temp.h"

#include <tdat/writer.h>

#include "input/import_run.h"
#include "input/inputs.h"
#include "safety/sandbox_output.h"
#include "terminal/message.h"

/* Opens the finished file of the writer, which may be freed afterwards. */
static enum tdat_status open_finished(const struct tdat_writer *writer,
				      const struct tdat_limits *limits, struct tdat_file **out,
				      struct tdat_error *err)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_source *source;
	enum tdat_status st = tdat_writer_source(writer, &source, err);

	if (st != TDAT_OK)
		return st;
	opts.limits = limits;
	st = tdat_file_open_source(out, source, &opts, err);
	if (st != TDAT_OK)
		tdat_source_close(source);
	return st;
}

static int import(const struct tdat_importer *importer, const struct cli_import_opts *given,
		  const struct cli_inputs *in, const struct tdat_limits *limits,
		  struct tdat_file **out)
{
	struct tdat_import_request request = {sizeof(request), in->v, in->count, given->v,
					      given->count,    false, 0};
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *writer;
	struct cli_import run;
	bool done;
	int rc;

	/* Compression would be undone at once. */
	opts.compression = "none";
	opts.temporary = true;
	if (tdat_writer_new(&writer, "the temporary trace.dat", &opts, &err))
		return cli_fail(NULL, &err);
	rc = cli_import_run(&run, importer, &request, in, writer, &done);
	cli_import_fini(&run);
	if (done && open_finished(writer, limits, out, &err))
		rc = cli_fail(NULL, &err);
	tdat_writer_free(writer);
	return rc;
}

/*
 * Opens the inputs, enters the sandbox, and imports. *out is set if the import came to its end,
 * also after warnings.
 */
int cli_import_temp(const struct tdat_importer *importer, const struct cli_import_opts *given,
		    char *const *words, size_t count, bool plugins,
		    const struct tdat_limits *limits, struct tdat_file **out)
{
	struct cli_inputs_wants wants = {importer, given->v, given->count};
	struct cli_inputs in = {.spool_len = limits->spool_len};
	int rc = cli_import_opts_check(given, importer);

	*out = NULL;
	if (rc != CLI_OK)
		return rc;
	rc = cli_inputs_check_options("dump", "-", given);
	if (rc == CLI_OK)
		rc = cli_inputs_open(&in, words, count, &wants);
	if (rc == CLI_OK)
		rc = cli_inputs_check_output("dump", "-", &in);
	cli_sandbox_for_import("-", NULL, given, plugins);
	if (rc == CLI_OK)
		rc = import(importer, given, &in, limits, out);
	if (rc == CLI_OK && in.left_out)
		rc = CLI_FAILED;
	cli_inputs_fini(&in);
	return rc;
}
