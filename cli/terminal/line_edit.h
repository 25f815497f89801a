/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that a user types: with editing, history and completion where readline was there when
 * tdat was built, else as they come.
 */
#ifndef CLI_LINE_EDIT_H
#define CLI_LINE_EDIT_H

#include <signal.h>
#include <stdbool.h>

/* Gives completion number n of word in line, in memory of malloc; NULL: there are no more. */
typedef char *(*cli_complete_fn)(void *ctx, const char *line, const char *word, int n);

struct cli_line_edit {
	cli_complete_fn complete;
	void *ctx;
	volatile sig_atomic_t *interrupted; /* set by a handler of SIGINT; a line is dropped then */
	int history;			    /* a file that lines are appended to; -1: none */
};

/*
 * cli_line_start reads what editing needs of files (terminfo, inputrc, the history), before
 * the sandbox is entered. e must live as long as lines are read.
 */
void cli_line_start(struct cli_line_edit *e);
/* cli_line_read gives a line without its end, in memory of malloc; NULL at the end of input. */
char *cli_line_read(struct cli_line_edit *e, const char *prompt);
void cli_line_end(struct cli_line_edit *e);

#endif
