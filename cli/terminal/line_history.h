/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file that keeps typed lines from one session to the next. */
#ifndef CLI_LINE_HISTORY_H
#define CLI_LINE_HISTORY_H

/*
 * cli_history_path gives the name of the file, in memory of malloc: TDAT_HISTORY, else
 * .tdat_history in HOME; NULL: there is none, as when TDAT_HISTORY is empty.
 */
char *cli_history_path(void);
/* cli_history_open opens it to append lines, readable for its owner only; -1: it cannot be. */
int cli_history_open(const char *path);
/* cli_history_add appends a line; failures are ignored. */
void cli_history_add(int fd, const char *line);

#endif
