/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps typed lines in a file of the user. */
#include "terminal/line_history.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

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

int cli_history_open(const char *path)
{
	return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

void cli_history_add(int fd, const char *line)
{
	struct iovec parts[2] = {{(void *)line, strlen(line)}, {(void *)"\n", 1}};

	if (fd >= 0 && writev(fd, parts, 2) < 0)
		return;
}
