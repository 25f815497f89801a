/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interposes the calls that open files. A path that is not one of tracefs's user_events goes to
 * libc at once (paths.c). Streams (fopen()) are made with functions of their own. The result is a
 * descriptor that the program may use like any other; files.c knows which of them are ours.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

/* Programs find the functions that are defined here. */
#pragma GCC visibility push(default)

/* The argument with permission bits is there only where the flags say so. */
#define MODE_OF(flags)                                                                             \
	({                                                                                         \
		mode_t mode_ = 0;                                                                  \
		if ((flags) & (O_CREAT | O_TMPFILE)) {                                             \
			va_list args_;                                                             \
			va_start(args_, flags);                                                    \
			mode_ = va_arg(args_, mode_t);                                             \
			va_end(args_);                                                             \
		}                                                                                  \
		mode_;                                                                             \
	})

#define OPEN_OF(name)                                                                              \
	int name(const char *path, int flags, ...)                                                 \
	{                                                                                          \
		mode_t mode = MODE_OF(flags);                                                      \
		int fd;                                                                            \
		return ue_open_path(AT_FDCWD, path, flags, &fd)                                    \
			       ? fd                                                                \
			       : UE_NEXT(name)(path, flags, mode);                                 \
	}

OPEN_OF(open)
OPEN_OF(open64)

#define OPENAT_OF(name)                                                                            \
	int name(int dirfd, const char *path, int flags, ...)                                      \
	{                                                                                          \
		mode_t mode = MODE_OF(flags);                                                      \
		int fd;                                                                            \
		return ue_open_path(dirfd, path, flags, &fd)                                       \
			       ? fd                                                                \
			       : UE_NEXT(name)(dirfd, path, flags, mode);                          \
	}

OPENAT_OF(openat)
OPENAT_OF(openat64)

/* Programs that were compiled with _FORTIFY_SOURCE call these, whose flags ask for no mode. */
#define OPEN_2_OF(name, of)                                                                        \
	int name(const char *path, int flags);                                                     \
	int name(const char *path, int flags)                                                      \
	{                                                                                          \
		return of(path, flags);                                                            \
	}

OPEN_2_OF(__open_2, open)
OPEN_2_OF(__open64_2, open64)

#define OPENAT_2_OF(name, of)                                                                      \
	int name(int dirfd, const char *path, int flags);                                          \
	int name(int dirfd, const char *path, int flags)                                           \
	{                                                                                          \
		return of(dirfd, path, flags);                                                     \
	}

OPENAT_2_OF(__openat_2, openat)
OPENAT_2_OF(__openat64_2, openat64)

/* ---- streams ---- */

/* The cookie of a stream: its descriptor, on the heap, freed by stream_close(). */
static int *kept_fd(int fd)
{
	int *p = malloc(sizeof(*p));

	if (p)
		*p = fd;
	return p;
}

static ssize_t stream_read(void *cookie, char *buf, size_t len)
{
	return read(*(int *)cookie, buf, len);
}

/* fopencookie() wants 0 for a failure, not -1. */
static ssize_t stream_write(void *cookie, const char *buf, size_t len)
{
	ssize_t n = write(*(int *)cookie, buf, len);

	return n < 0 ? 0 : n;
}

static int stream_close(void *cookie)
{
	int rc = close(*(int *)cookie);

	free(cookie);
	return rc;
}

/*
 * A stream that only reads is one of the C library. One that writes gets functions of this library,
 * because the C library would write past it.
 */
static FILE *stream_of(struct ue_target t, const char *mode)
{
	bool plus = strchr(mode, '+') != NULL, cloexec = strchr(mode, 'e') != NULL;
	int access = plus ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
	cookie_io_functions_t io = {stream_read, stream_write, NULL, stream_close};
	int fd = ue_open(t, access | (*mode == 'w' ? O_TRUNC : 0) | (cloexec ? O_CLOEXEC : 0));
	int *kept;
	FILE *f = NULL;

	if (fd < 0)
		return NULL;
	if (access == O_RDONLY) {
		f = fdopen(fd, mode);
		if (!f)
			close(fd);
		return f;
	}
	kept = kept_fd(fd);
	if (kept)
		f = fopencookie(kept, mode, io);
#ifdef __GLIBC__
	/* C++'s streams take the descriptor out of the stream, and write to that. */
	if (f)
		f->_fileno = fd;
#endif
	if (!f) {
		free(kept);
		close(fd);
	}
	return f;
}

#define FOPEN_OF(name)                                                                             \
	FILE *name(const char *path, const char *mode)                                             \
	{                                                                                          \
		struct ue_target t = ue_path(AT_FDCWD, path);                                      \
		return t.kind == UE_NONE ? UE_NEXT(name)(path, mode) : stream_of(t, mode);         \
	}

FOPEN_OF(fopen)
FOPEN_OF(fopen64)
