/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interposes the calls that close and duplicate descriptors. A descriptor of ours that is
 * closed or duplicated must be known, as its number is how later calls are recognised. A child
 * of vfork() has descriptors of its own but its parent's memory: it forgets nothing.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "state.h"

/* Programs find the functions that are defined here. */
#pragma GCC visibility push(default)

/* A child of vfork() has descriptors of its own, but the memory of its parent. */
static void forget(int fd)
{
	if (ue_fd(fd) && !ue_is_borrowed())
		ue_fd_set(fd, 0);
}

static void forget_from(unsigned int first, unsigned int last)
{
	for (unsigned int fd = first; fd <= last && fd < UE_FD_MAX; fd++)
		forget((int)fd);
}

/* A duplicate is the same open file, so it gets the same entry. */
static int same_as(int fd, int old)
{
	if (fd >= 0 && ue_fd(fd) != ue_fd(old) && !ue_is_borrowed())
		ue_fd_set(fd, ue_fd(old));
	return fd;
}

/* Forgotten first: once it is closed, another thread may get the number. */
int close(int fd)
{
	forget(fd);
	return UE_NEXT(close)(fd);
}

int close_range(unsigned int first, unsigned int last, int flags)
{
	/* With CLOSE_RANGE_CLOEXEC (4) the descriptors are only marked to be closed by exec. */
	if (!(flags & 4))
		forget_from(first, last);
	return UE_NEXT(close_range)(first, last, flags);
}

void closefrom(int first)
{
	forget_from(first > 0 ? (unsigned int)first : 0, UE_FD_MAX - 1);
	UE_NEXT(closefrom)(first);
}

/* Flushed first: the buffer is written while the descriptor is still known. */
int fclose(FILE *f)
{
	int fd = fileno(f);

	if (fd >= 0 && ue_fd(fd)) {
		fflush(f);
		forget(fd);
	}
	return UE_NEXT(fclose)(f);
}

int dup(int old)
{
	return same_as(UE_NEXT(dup)(old), old);
}

int dup2(int old, int fd)
{
	return same_as(UE_NEXT(dup2)(old, fd), old);
}

int dup3(int old, int fd, int flags)
{
	return same_as(UE_NEXT(dup3)(old, fd, flags), old);
}

static int after_fcntl(int rc, int fd, int command)
{
	return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? same_as(rc, fd) : rc;
}

#define FCNTL_OF(name)                                                                             \
	int name(int fd, int command, ...)                                                         \
	{                                                                                          \
		va_list args;                                                                      \
		void *arg;                                                                         \
		va_start(args, command);                                                           \
		arg = va_arg(args, void *);                                                        \
		va_end(args);                                                                      \
		return after_fcntl(UE_NEXT(name)(fd, command, arg), fd, command);                  \
	}

FCNTL_OF(fcntl)
FCNTL_OF(fcntl64)
