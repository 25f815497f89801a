/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements that a user types on a terminal. */
#ifndef CLI_SQL_SHELL_H
#define CLI_SQL_SHELL_H

#include "commands/sql_session.h"
#include "terminal/line_edit.h"

struct cli_sql_shell {
	struct cli_sql *session;
	struct cli_line_edit lines;
};

/* cli_sql_shell_start is called before the sandbox is entered, _run with the open session. */
void cli_sql_shell_start(struct cli_sql_shell *shell, struct cli_sql *session);
int cli_sql_shell_run(struct cli_sql_shell *shell);

#endif
