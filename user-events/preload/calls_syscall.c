/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interposes syscall(), by which programs make calls that have another wrapper or none. Some
 * programs and languages call the kernel without wrappers. A thread that confines itself by
 * seccomp gets its ring before.
 */
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "state.h"

/* Programs find the functions that are defined here. */
#pragma GCC visibility push(default)

/* As in calls_open.c, for calls by number. */
static bool open_ours(int dirfd, const char *path, int flags, long *rc)
{
	int fd;

	if (!ue_open_path(dirfd, path, flags, &fd))
		return false;
	*rc = fd;
	return true;
}

int prctl(int option, ...)
{
	/* Only a confinement matters; all other options pass unchanged. */
	const bool confines = ue.shared && option == PR_SET_SECCOMP;
	unsigned long a[4];
	va_list args;
	int rc;

	va_start(args, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(args, unsigned long);
	va_end(args);
	/* The ring is taken now: afterwards system calls may end the program. */
	if (confines)
		ue_before_seccomp();
	rc = UE_NEXT(prctl)(option, a[0], a[1], a[2], a[3]);
	if (confines && !rc)
		ue_after_seccomp(a[0] == SECCOMP_MODE_STRICT ? UE_STRICT : UE_FILTERED);
	return rc;
}

/* The call by number; libc has no wrapper for it. */
static long seccomp(long operation, long flags, long arg)
{
	const bool strict = operation == SECCOMP_SET_MODE_STRICT;
	const bool confines = strict || operation == SECCOMP_SET_MODE_FILTER;
	long rc;

	if (confines)
		ue_before_seccomp();
	rc = UE_NEXT(syscall)(SYS_seccomp, operation, flags, arg);
	if (confines && rc >= 0)
		ue_after_seccomp(strict ? UE_STRICT : UE_FILTERED);
	return rc;
}

/* Makes a call that this library interposes under another name; false for all others. */
static bool make_own_call(long number, const long a[6], long *rc)
{
	switch (number) {
#ifdef SYS_open
	case SYS_open:
		return open_ours(AT_FDCWD, (const char *)a[0], (int)a[1], rc);
#endif
	case SYS_openat:
		return open_ours((int)a[0], (const char *)a[1], (int)a[2], rc);
	case SYS_openat2: {
		const struct open_how *how = (const struct open_how *)a[2];

		/* A pointer that cannot be read is left to the kernel, which answers EFAULT. */
		if ((size_t)a[3] < sizeof(*how) || !ue_readable(how, sizeof(*how)))
			return false;
		return open_ours((int)a[0], (const char *)a[1], (int)how->flags, rc);
	}
	case SYS_write:
		*rc = write((int)a[0], (const void *)a[1], (size_t)a[2]);
		return true;
	case SYS_writev:
		*rc = writev((int)a[0], (const struct iovec *)a[1], (int)a[2]);
		return true;
	case SYS_ioctl:
		*rc = ioctl((int)a[0], (unsigned long)a[1], (void *)a[2]);
		return true;
	case SYS_close:
		*rc = close((int)a[0]);
		return true;
	case SYS_dup:
		*rc = dup((int)a[0]);
		return true;
	case SYS_dup3:
		*rc = dup3((int)a[0], (int)a[1], (int)a[2]);
		return true;
	case SYS_prctl:
		if (a[0] != PR_SET_SECCOMP)
			return false;
		*rc = prctl((int)a[0], a[1], a[2], a[3], a[4]);
		return true;
	case SYS_seccomp:
		*rc = seccomp(a[0], a[1], a[2]);
		return true;
	default:
		return false;
	}
}

long syscall(long number, ...)
{
	long a[6], rc;
	va_list args;

	/* All six arguments are passed on; the kernel ignores those that a call does not have. */
	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (ue.shared && make_own_call(number, a, &rc))
		return rc;
	return UE_NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
