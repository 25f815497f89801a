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

/* Temporary files go where the user wants them. */
const char *tdat_temp_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

/* For file systems without O_TMPFILE: a name that is unlinked at once. */
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

/* Opens a file without a name; -1 with errno on failure. */
int tdat_temp_open(const char *dir)
{
	int fd = -1;

	errno = EOPNOTSUPP;
#ifdef O_TMPFILE
	do {
		fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	} while (fd < 0 && errno == EINTR);
#endif
	/*
	 * These errors mean that O_TMPFILE is not known here; others, such as a missing folder,
	 * are final.
	 */
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	return open_named(dir);
}

enum way { WRITE, WRITE_AT, READ_AT };

/*
 * Repeats a call until all bytes are moved. Returns how many were; fewer: errno says why, 0 at the
 * end of a file.
 */
static size_t move(enum way way, int fd, uint64_t off, void *p, size_t n)
{
	size_t done = 0;

	while (done < n) {
		char *at = (char *)p + done;
		const off_t to = (off_t)(off + done);
		const ssize_t got = way == WRITE      ? write(fd, at, n - done)
				    : way == WRITE_AT ? pwrite(fd, at, n - done, to)
						      : pread(fd, at, n - done, to);

		if (got < 0 && errno == EINTR)
			continue;
		if (!got)
			errno = way == READ_AT ? 0 : ENOSPC;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

size_t tdat_fd_write(int fd, const void *p, size_t n)
{
	return move(WRITE, fd, 0, (void *)p, n);
}

size_t tdat_fd_write_at(int fd, uint64_t off, const void *p, size_t n)
{
	return move(WRITE_AT, fd, off, (void *)p, n);
}

size_t tdat_fd_read(int fd, uint64_t off, void *p, size_t n)
{
	return move(READ_AT, fd, off, p, n);
}
