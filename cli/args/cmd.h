/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command is one file with one const struct cli_cmd; main.c holds the table.
 * Adding one: write commands/NAME.c, declare it here, put it in the table and in
 * CMakeLists.txt, write man/tdat-NAME.1.
 */
#ifndef CLI_CMD_H
#define CLI_CMD_H

#include "terminal/common.h"
#include "args/opt.h"

struct cli_cmd {
	const char *name;
	const char *summary;         /* one line for "tdat --help" */
	const char *const *synopsis; /* what follows "tdat NAME", a string per form; NULL ends */
	const struct cli_opt *opts;  /* ended by CLI_OPT_END; --help is always there */
	const char *const *notes;    /* lines after the options in the help, NULL ends; or NULL */
	/* argv[0] is the command's name. Returns the exit status. */
	int (*run)(const struct cli_cmd *cmd, int argc, char **argv);
};

extern const struct cli_cmd cli_cmd_check;
extern const struct cli_cmd cli_cmd_convert;
extern const struct cli_cmd cli_cmd_dump;
extern const struct cli_cmd cli_cmd_info;
extern const struct cli_cmd cli_cmd_list;
extern const struct cli_cmd cli_cmd_merge;
extern const struct cli_cmd cli_cmd_repair;
extern const struct cli_cmd cli_cmd_split;
extern const struct cli_cmd cli_cmd_stat;
extern const struct cli_cmd cli_cmd_user_events;

#endif
