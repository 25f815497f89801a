/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says for "tdat FILE" in a few lines what a trace is, and which commands answer more. */
#ifndef CLI_OVERVIEW_H
#define CLI_OVERVIEW_H

#include "args/command.h"

/* overview_run reads the files and options behind argv[0]. Returns the exit status. */
/* Of a line without a command. */
extern const struct cli_cmd overview_cmd;

int overview_run(int argc, char **argv);

#endif
