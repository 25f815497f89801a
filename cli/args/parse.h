/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a command line by a table of options. */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include <stdbool.h>

#include "args/command.h"

/*
 * cli_opt_parse reads argv[1..*argc-1] by the table. On true argv[0..*argc-1]
 * holds the plain arguments (none when the table has CLI_ARG) and the command
 * goes on. On false the command returns *status: the help was printed, or
 * something was wrong and has been said.
 */
bool cli_opt_parse(const struct cli_cmd *cmd, const struct cli_opt *opts, int *argc, char **argv,
		   void *values, int *status);

#endif
