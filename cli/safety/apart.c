/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a piece of work in a process of its own and reads its report through a pipe. */
#include "safety/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum tdat_status cli_apart(void (*work)(void *ctx, FILE *to),
			   enum tdat_status (*take)(void *ctx, FILE *from, struct tdat_error *err),
			   void *ctx, const char *what, struct tdat_error *err)
{
	enum tdat_status st;
	int ends[2];
	FILE *stream;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return tdat_error_set_errno(err, errno, "%s", what);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ends[0]);
		stream = fdopen(ends[1], "w");
		if (stream)
			work(ctx, stream);
		_exit(!stream || fclose(stream));
	}
	close(ends[1]);
	stream = pid > 0 ? fdopen(ends[0], "r") : NULL;
	if (stream) {
		st = take(ctx, stream, err);
		fclose(stream);
	} else {
		st = tdat_error_set_errno(err, errno, "%s", what);
		close(ends[0]);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return st;
}
