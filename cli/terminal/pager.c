/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts the pager, as git does. The process that was started waits, and is in no sandbox: one
 * child is the program, which enters its own, another one the pager. When the reader leaves the
 * pager early, the program ends by SIGPIPE, which is no failure. Warnings on the same terminal go
 * through the pager, too, so that they do not write over its screen.
 */
#include "terminal/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t width; /* of the terminal; 0: there is no pager */

bool cli_is_terminal(void)
{
	return width || isatty(STDOUT_FILENO);
}

size_t cli_pager_width(void)
{
	return width;
}

static bool has_less(void)
{
	const char *path = getenv("PATH");
	char name[4096];

	for (size_t n; path && *path; path += n + (path[n] == ':')) {
		n = strcspn(path, ":");
		if (n + sizeof("/less") > sizeof(name))
			continue;
		memcpy(name, path, n);
		strcpy(name + n, "/less");
		if (!access(name, X_OK))
			return true;
	}
	return false;
}

/* The command line of the pager; NULL: none. */
static const char *pager(void)
{
	const char *term = getenv("TERM"), *asked = getenv("TDAT_PAGER");

	if (!isatty(STDOUT_FILENO) || !term || !strcmp(term, "dumb"))
		return NULL;
	if (!asked)
		asked = getenv("PAGER");
	if (!asked)
		return has_less() ? "less" : NULL;
	return *asked && strcmp(asked, "cat") != 0 ? asked : NULL;
}

static _Noreturn void show(const char *command, int from)
{
	dup2(from, STDIN_FILENO);
	/* Leave at once if one screen is enough, show colors, keep what was shown. */
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Waits for a child and returns its status. */
static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Ends as the program did. */
static _Noreturn void end(pid_t program, pid_t shown)
{
	int status;

	/* The keys are for the program and the pager. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	status = wait_for(program);
	(void)wait_for(shown);
	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	if (WTERMSIG(status) == SIGPIPE)
		_exit(0);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	_exit(128 + WTERMSIG(status));
}

void cli_pager_start(size_t columns)
{
	const char *command = pager();
	int ends[2];
	pid_t program, shown = -1;

	if (!command || pipe(ends))
		return;
	program = fork();
	if (program > 0)
		shown = fork();
	if (!shown) {
		close(ends[1]);
		show(command, ends[0]);
	}
	close(ends[0]);
	if (program > 0) {
		close(ends[1]);
		end(program, shown);
	}
	if (!program) {
		/* Whoever started us may ignore it: leaving the pager is no failure. */
		signal(SIGPIPE, SIG_DFL);
		if (isatty(STDERR_FILENO))
			dup2(ends[1], STDERR_FILENO);
		dup2(ends[1], STDOUT_FILENO);
		width = columns;
	}
	close(ends[1]);
}
