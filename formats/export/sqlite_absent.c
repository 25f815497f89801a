/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stands for the exporter of SQLite databases where libsqlite3 was left out: it refuses. The
 * row in the table of exporters stays, so that a user is told what is missing.
 */
#include "exporters.h"

/* Begins an export: always fails. */
static enum tdat_status refuse(void **state, const struct tdat_export_request *request,
			       struct tdat_build *head, struct tdat_error *err)
{
	(void)request;
	(void)head;
	*state = NULL;
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
			      "SQLite needs libsqlite3, and this libtdat was built without it "
			      "(TDAT_SQLITE=OFF)");
}

static const struct tdat_keyed_option_desc sqlite_options[] = {
	{"path", "FILE", "the database, which must not contain tables"},
	{NULL, NULL, NULL},
};

static enum tdat_status end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	(void)state;
	(void)tail;
	(void)err;
	return TDAT_OK;
}

/* Nothing is called behind a begin that has failed. */
static const struct tdat_columns_ops sqlite_columns = {
	.size = sizeof(struct tdat_columns_ops), .suffix = ".sqlite", .own_file = true};

const struct tdat_exporter export_sqlite = {
	.size = sizeof(struct tdat_exporter),
	.name = "sqlite",
	.summary = "an SQLite database with all tables (not built in)",
	.kind = TDAT_EXPORT_TABLES,
	.options = sqlite_options,
	.begin = refuse,
	.columns = &sqlite_columns,
	.end = end,
	.suffixes = ".sqlite .sqlite3 .db",
};
