/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes temporary files that have no name: where the file system can make none, one is left if
 * the process is killed in the moment between two calls. Spools of writers, sorted runs of
 * importers and copies of pipes are such files. They need no clean-up and leave nothing behind
 * when a program is killed.
 */
#include "temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *tdat_temp_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

static int open_named(const char *dir)
{
	char path[4096];
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/.tdat-XXXXXX", dir) >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkstemp(path);
	if (fd >= 0) {
		unlink(path);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	return fd;
}

int tdat_temp_open(const char *dir)
{
	int fd = -1;

	errno = EOPNOTSUPP;
#ifdef O_TMPFILE
	do {
		fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	} while (fd < 0 && errno == EINTR);
#endif
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	return open_named(dir);
}
