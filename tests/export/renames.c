/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into tdat by compact.py: a file system without RENAME_EXCHANGE (NO_EXCHANGE), and an
 * end before or after the rename of number KILL_AT, as if it were killed.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KILLED = 99 };

static void count(void)
{
	static int done;
	const char *at = getenv("KILL_AT");

	done++;
	if (at && done == atoi(at))
		_exit(KILLED); /* the sandbox has no kill(2) */
}

/* ISO C has no conversion from what dlsym(3) returns to a function. */
static void find(void *function, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, sizeof(found));
}

/* tdat calls renameat2(2) by its number. */
__attribute__((visibility("default"))) long syscall(long number, ...)
{
	long (*next)(long, ...), v[6], rc;
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		v[i] = va_arg(args, long);
	va_end(args);
	find(&next, "syscall");
	if (number == SYS_renameat2 && v[4] == RENAME_EXCHANGE && getenv("NO_EXCHANGE")) {
		errno = EINVAL;
		return -1;
	}
	if (number == SYS_renameat2)
		count();
	rc = next(number, v[0], v[1], v[2], v[3], v[4], v[5]);
	if (number == SYS_renameat2)
		count();
	return rc;
}

__attribute__((visibility("default"))) int rename(const char *from, const char *to)
{
	int (*next)(const char *, const char *);
	int rc;

	find(&next, "rename");
	count();
	rc = next(from, to);
	count();
	return rc;
}
