/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands for the command tdat sql where libsqlite3 was left out: it refuses. The command stays
 * in the table, so that users are told what is missing.
 */
#include "commands/commands.h"

static const struct cli_opt no_opts[] = {CLI_OPT_END};

static int refuse(const struct cli_cmd *cmd, int argc, char **argv)
{
	(void)cmd;
	(void)argc;
	(void)argv;
	cli_error(NULL, "sql needs libsqlite3, and this tdat was built without it "
			"(TDAT_SQLITE=OFF)");
	return CLI_FAILED;
}

static const char *const sql_synopsis[] = {"[OPTION]... [FILE]... QUERY", NULL};

const struct cli_cmd cli_cmd_sql = {
	.name = "sql",
	.summary = "Answer queries of the tables of a trace in SQL (not built in).",
	.synopsis = sql_synopsis,
	.opts = no_opts,
	.run = refuse,
};
