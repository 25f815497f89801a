/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Wraps the system calls on files that are written, and words their failures. All writes of the
 * library to files go through it: short writes and interrupts are continued, a full disk says
 * how much did not fit.
 */
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/temp_file.h"

#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

/* Sets the error of a write. A full disk is reported with the bytes that are missing. */
enum tdat_status write_disk_put_error(int errnum, const char *name, uint64_t off, uint64_t left,
				      uint64_t expected, struct tdat_error *err)
{
	uint64_t missing = expected > off ? expected - off : left;

	/* Disk full, quota reached, file size limit reached: all mean room. */
	if (errnum != ENOSPC && errnum != EDQUOT && errnum != EFBIG)
		return tdat_error_set_errno(err, errnum, "cannot write %s", name);
	return tdat_error_set_errno(err, errnum, "cannot write %s: %s%llu more bytes are needed",
				    name, expected > off ? "" : "at least ",
				    (unsigned long long)missing);
}

enum tdat_status write_disk_put(int fd, const char *name, uint64_t off, const void *p, size_t n,
				uint64_t expected, struct tdat_error *err)
{
	const size_t done = tdat_fd_write_at(fd, off, p, n);

	return done == n ? TDAT_OK
			 : write_disk_put_error(errno, name, off + done, n - done, expected, err);
}

enum tdat_status write_disk_get(int fd, const char *name, uint64_t off, void *p, size_t n,
				struct tdat_error *err)
{
	const size_t done = tdat_fd_read(fd, off, p, n);

	if (done == n)
		return TDAT_OK;
	if (errno)
		return tdat_error_set_errno(err, errno, "cannot read back %s", name);
	/* Another process cut the file: no retry helps. */
	return tdat_error_set(err, TDAT_E_DAMAGED, off + done, "%s shrank while it was used", name);
}

/* True for tmpfs. Other systems than Linux count as a disk. */
bool write_disk_in_memory(int fd)
{
#ifdef __linux__
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == TMPFS_MAGIC;
#else
	(void)fd;
	return false;
#endif
}

void write_disk_give_back(int fd, uint64_t off, uint64_t len)
{
#ifdef FALLOC_FL_PUNCH_HOLE
	/* Where it fails the bytes are there until the file is closed. */
	(void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)off, (off_t)len);
#else
	(void)fd, (void)off, (void)len;
#endif
}

/* The folder of a path in the root is "/". */
char *write_disk_dir(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}
