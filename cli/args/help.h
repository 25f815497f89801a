/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the help of a command from its table of options. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "args/command.h"

/* cli_opt_help prints the help of a command with its options on stdout. */
void cli_opt_help(const struct cli_cmd *cmd, const struct cli_opt *opts, bool all);

#endif
