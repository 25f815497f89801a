/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of tdat, each one file with one const struct cli_cmd. Adding one:
 * write commands/NAME.c, declare it here, put it in the table of main.c and in
 * CMakeLists.txt, write man/tdat-NAME.1.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <limits.h>

#include "args/parse.h"

extern const struct cli_cmd cli_cmd_check;
extern const struct cli_cmd cli_cmd_convert;
extern const struct cli_cmd cli_cmd_diff;
extern const struct cli_cmd cli_cmd_dump;
extern const struct cli_cmd cli_cmd_export;
extern const struct cli_cmd cli_cmd_hist;
extern const struct cli_cmd cli_cmd_flame;
extern const struct cli_cmd cli_cmd_why;
extern const struct cli_cmd cli_cmd_info;
extern const struct cli_cmd cli_cmd_latency;
extern const struct cli_cmd cli_cmd_list;
extern const struct cli_cmd cli_cmd_merge;
extern const struct cli_cmd cli_cmd_profile;
extern const struct cli_cmd cli_cmd_repair;
extern const struct cli_cmd cli_cmd_report;
extern const struct cli_cmd cli_cmd_split;
extern const struct cli_cmd cli_cmd_sql;
extern const struct cli_cmd cli_cmd_stat;
extern const struct cli_cmd cli_cmd_view;

/* cli_view_program finds the program tdat-view. False: it is not installed. */
enum { VIEW_PROGRAM_LEN = PATH_MAX + 128 };
bool cli_view_program(char path[VIEW_PROGRAM_LEN]);

#endif
