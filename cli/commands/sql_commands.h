/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of tdat sql that start with a point. */
#ifndef CLI_SQL_COMMANDS_H
#define CLI_SQL_COMMANDS_H

#include "commands/sql_session.h"

/* Runs ".tables" and the like; *quit is set by .quit. CLI_OK, or an exit status. */
int cli_sql_command(struct cli_sql *s, const char *line, bool *quit);

#endif
