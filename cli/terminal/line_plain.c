/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lines as they come, where tdat was built without readline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/line_edit.h"

void cli_line_start(struct cli_line_edit *e)
{
	e->history = -1;
}

char *cli_line_read(struct cli_line_edit *e, const char *prompt)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	for (;;) {
		fputs(prompt, stdout);
		fflush(stdout);
		len = getline(&line, &room, stdin);
		if (len >= 0 || !*e->interrupted)
			break;
		/* A signal has interrupted reading: the line is dropped. */
		*e->interrupted = 0;
		clearerr(stdin);
		putchar('\n');
	}
	if (len < 0) {
		free(line);
		return NULL;
	}
	line[strcspn(line, "\n")] = '\0';
	return line;
}

void cli_line_end(struct cli_line_edit *e)
{
	(void)e;
}
