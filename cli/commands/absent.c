/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the place of the commands that were left out of this build: they refuse, and name the CMake
 * option. They stay in the table of main.c, so users learn what is missing.
 */
#include "commands/commands.h"
#include "user-events/commands/user_events.h"

static const struct cli_opt no_opts[] = {CLI_OPT_END};
static const char *const no_synopsis[] = {"", NULL};

/* Fails with status 1: the command line is right, but this build cannot do it. */
static int refuse(const struct cli_cmd *cmd, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	cli_error(NULL, "this tdat was built without the command %s (%s=OFF)", cmd->name,
		  cmd->notes[0]);
	return CLI_FAILED;
}

/* The option is the note of the command. */
#define ABSENT(symbol, word, option)                                                               \
	static const char *const symbol##_notes[] = {option, NULL};                                \
	const struct cli_cmd cli_cmd_##symbol = {.name = (word),                                   \
						 .summary = "(not built in)",                      \
						 .synopsis = no_synopsis,                          \
						 .opts = no_opts,                                  \
						 .notes = symbol##_notes,                          \
						 .run = refuse};

#ifndef TDAT_HAVE_HIST
ABSENT(hist, "hist", "TDAT_HIST")
#endif
#ifndef TDAT_HAVE_SQLITE
ABSENT(sql, "sql", "TDAT_SQLITE")
#endif
#ifndef TDAT_HAVE_USER_EVENTS
ABSENT(user_events, "user-events", "TDAT_USER_EVENTS")
#endif
