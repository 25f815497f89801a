/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lines with GNU readline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "terminal/line_edit.h"
#include "terminal/line_history.h"

/* Lines of the history that are kept in memory. */
enum { HISTORY_LINES = 1000 };

/* readline's functions are called without a context. */
static struct cli_line_edit *editing;

/* readline asks for words one by one until it gets NULL. */
static char *next_word(const char *word, int n)
{
	static int at;

	/* n is 0 for the first word, and anything else for those that follow. */
	at = n ? at + 1 : 0;
	return editing->complete(editing->ctx, rl_line_buffer, word, at);
}

/* The words that complete the one before the cursor. */
static char **complete(const char *word, int start, int end)
{
	(void)start;
	(void)end;
	/* Without a match no names of files are offered. */
	rl_attempted_completion_over = 1;
	/* A point, a comma or a bracket may follow as well as a blank, which readline would add. */
	rl_completion_append_character = '\0';
	return rl_completion_matches(word, next_word);
}

/* Called when a signal has interrupted reading: the line is dropped, as in a shell. */
static int on_signal(void)
{
	if (!*editing->interrupted)
		return 0;
	*editing->interrupted = 0;
	rl_replace_line("", 0);
	rl_crlf();
	rl_on_new_line();
	rl_redisplay();
	return 0;
}

/* Prepares readline before the sandbox is entered: it reads terminfo and the history. */
void cli_line_start(struct cli_line_edit *e)
{
	char *path = cli_history_path();

	editing = e;
	rl_readline_name = "tdat";
	rl_catch_signals = 0;
	rl_signal_event_hook = on_signal;
	/*
	 * readline calls this several times a second, because a signal that comes right before a
	 * read does not interrupt it.
	 */
	rl_event_hook = on_signal;
	rl_attempted_completion_function = complete;
	rl_completer_word_break_characters = (char *)" \t\n,;()=<>+-*%|&~!'";
	rl_completer_quote_characters = "";
	using_history();
	stifle_history(HISTORY_LINES);
	rl_initialize();
	e->history = -1;
	if (path) {
		read_history(path);
		e->history = cli_history_open(path);
	}
	free(path);
}

char *cli_line_read(struct cli_line_edit *e, const char *prompt)
{
	char *line = readline(prompt);

	if (line && *line) {
		add_history(line);
		cli_history_add(e->history, line);
	}
	return line;
}

void cli_line_end(struct cli_line_edit *e)
{
	if (e->history >= 0)
		close(e->history);
	e->history = -1;
}
