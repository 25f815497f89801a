/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps typed lines in a file of the user. */
#include "terminal/line_history.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* TDAT_HISTORY names the file; empty: no history. NULL: none, or no memory. */
char *cli_history_path(void)
{
	const char *named = getenv("TDAT_HISTORY"), *home = getenv("HOME");
	char *path = NULL;

	if (named)
		return *named ? strdup(named) : NULL;
	if (home && *home && asprintf(&path, "%s/.tdat_history", home) < 0)
		path = NULL;
	return path;
}

/* Only the user can read it: queries may hold names from traces. */
int cli_history_open(const char *path)
{
	return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* One write for the line and its end: two shells may append to the file. */
void cli_history_add(int fd, const char *line)
{
	struct iovec parts[2] = {{(void *)line, strlen(line)}, {(void *)"\n", 1}};

	if (fd >= 0 && writev(fd, parts, 2) < 0)
		return;
}
