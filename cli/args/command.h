/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a command is: its name, its options, its help and the function that runs it. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "args/opt.h"
#include "terminal/message.h"

struct cli_cmd {
	const char *name;
	const char *summary;	     /* one line for "tdat --help" */
	const char *const *synopsis; /* what follows "tdat NAME", a string per form; NULL ends */
	const struct cli_opt *opts;  /* ended by CLI_OPT_END; --help is always there */
	const char *const
		*notes; /* after the options in the help, paragraphs; NULL ends; or NULL */
	/* argv[0] is the command's name. Returns the exit status. */
	int (*run)(const struct cli_cmd *cmd, int argc, char **argv);
};

#endif
