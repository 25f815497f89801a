/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes an empty database by the exporter sqlite, for which libtdat.so loads libsqlite3. */
#include <stdio.h>
#include <tdat/tdat.h>

int main(int argc, char **argv)
{
	const struct tdat_keyed_option path = {"path", argc > 1 ? argv[1] : ""};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_export *e = NULL;
	struct tdat_span tail;
	enum tdat_status st;

	request.options = &path;
	request.option_count = 1;
	st = tdat_export_new(&e, tdat_exporter_find("sqlite"), &request, &err);
	if (st == TDAT_OK)
		st = tdat_export_end(e, &tail, &err);
	puts(st == TDAT_OK ? "made" : err.message);
	tdat_export_free(e);
	return st != TDAT_OK;
}
