/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guards the standard descriptors at the start and the end of the program, and raises the number of
 * open files. A closed standard descriptor is replaced by /dev/null that fails on use, so no opened
 * file takes its number. stdout is flushed and checked at the end.
 */
#include "safety/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "terminal/message.h"

/* Without it a message for stderr could be written into a trace. */
void cli_stdio_guard(void)
{
	/* Input is opened for writing and output for reading: using either stays an error. */
	static const int flags[3] = {O_WRONLY, O_RDONLY, O_WRONLY};

	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", flags[fd]) != fd)
			_exit(CLI_FAILED);
}

/* Returns the exit status of the program: CLI_FAILED if anything could not be written. */
int cli_stdout_close(int status)
{
	/* The errno of a write that failed earlier is not known any more. */
	bool earlier = ferror(stdout) != 0;

	errno = 0;
	if (fclose(stdout) == 0 && !earlier)
		return status;
	if (errno)
		cli_error(NULL, "cannot write to standard output: %s", strerror(errno));
	else
		cli_error(NULL, "cannot write to standard output");
	return CLI_FAILED;
}

/*
 * Inputs stay open until they are parsed, and a capture may have thousands. The hard limit is left
 * alone.
 */
void cli_raise_file_limit(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur == lim.rlim_max)
		return;
	lim.rlim_cur = lim.rlim_max;
	setrlimit(RLIMIT_NOFILE, &lim);
}
