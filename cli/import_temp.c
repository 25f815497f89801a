/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import_temp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/writer.h>

#include "common.h"
#include "inputs.h"
#include "rights.h"
#include "watch.h"

enum { PATH_CAP = 4096 };

static int make_folder(char *dir)
{
	const char *tmp = getenv("TMPDIR");
	int n = snprintf(dir, PATH_CAP, "%s/tdat-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (n > 0 && n < PATH_CAP - 16 && mkdtemp(dir))
		return CLI_OK;
	cli_error(NULL, "cannot make a temporary folder %s: %s", dir, strerror(errno));
	return CLI_FAILED;
}

static int run(const struct tdat_importer *importer, const struct cli_import_opts *given,
	       const struct cli_inputs *in, struct tdat_writer *writer)
{
	struct tdat_import_request request = {in->v, in->count, given->v, given->count, false};
	struct cli_watch watch;
	bool done;
	int rc = cli_watch_import(&watch, importer, &request, in, writer, &done);

	cli_watch_fini(&watch);
	return rc;
}

/* The file at path, which is gone from its folder afterwards; NULL: none was written. */
static int open_gone(const char *path, int rc, struct tdat_file **out)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;

	opts.access = TDAT_ACCESS_READ;
	if (access(path, F_OK))
		return rc;
	if (tdat_file_open(out, path, &opts, &err))
		rc = cli_fail(path, &err);
	unlink(path);
	return rc;
}

static int import(const struct tdat_importer *importer, const struct cli_import_opts *given,
		  const struct cli_inputs *in, struct tdat_file **out)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *writer;
	char dir[PATH_CAP], path[PATH_CAP + 16];
	int rc = make_folder(dir);

	if (rc != CLI_OK)
		return rc;
	snprintf(path, sizeof(path), "%s/trace.dat", dir);
	opts.compression = "none";
	if (tdat_writer_new(&writer, path, &opts, &err)) {
		rc = cli_fail(NULL, &err);
	} else {
		rc = run(importer, given, in, writer);
		tdat_writer_free(writer);
		rc = open_gone(path, rc, out);
	}
	rmdir(dir);
	return rc;
}

int cli_import_temp(const struct tdat_importer *importer, const struct cli_import_opts *given,
		    char *const *words, size_t count, bool plugins, struct tdat_file **out)
{
	struct cli_inputs_wants wants = {importer, given->v, given->count};
	struct cli_inputs in = {NULL, 0, 0, NULL};
	int rc = cli_import_opts_check(given, importer);

	*out = NULL;
	if (rc != CLI_OK)
		return rc;
	rc = cli_inputs_open(&in, words, count, &wants);
	cli_rights_of_import("-", NULL, given, plugins);
	if (rc == CLI_OK)
		rc = import(importer, given, &in, out);
	cli_inputs_fini(&in);
	return rc;
}
