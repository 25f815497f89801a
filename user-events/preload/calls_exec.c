/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interposes the calls that start programs. Each new program gets this library whatever environment
 * it is given. A program into which the library cannot be loaded is noted for the recorder. A child
 * of vfork() calls these functions, too, so they allocate memory on the stack only.
 */
#include <alloca.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reach.h"
#include "state.h"

/* Programs find the functions that are defined here. */
#pragma GCC visibility push(default)

/* ADDED: LD_PRELOAD and TDAT_USER_EVENTS. TEXT_MAX: two lists of 4096 bytes and a name. */
enum { ADDED = 2, TEXT_MAX = 2 * 4096 + 32 };

static size_t count_of(char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static bool begins(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* The library is the first of the list, since the recorder named it first. */
static size_t library_len(void)
{
	return strcspn(ue.preload, ": ");
}

/* True if a list of LD_PRELOAD names the library already. */
static bool has_library(const char *list)
{
	const char *at = strstr(list, ue.preload[0] ? ue.preload : ":");

	return at || !strncmp(list, ue.preload, library_len());
}

/* Fills out, which has room for ADDED more than env has, and the two texts. */
static void complete(char **out, char *const *env, char *preload, char *path)
{
	bool have_preload = false, have_path = false;
	size_t n = 0;

	for (size_t i = 0; env && env[i]; i++) {
		out[n] = env[i];
		if (begins(env[i], "LD_PRELOAD=")) {
			have_preload = true;
			/* Longer lists are passed on unchanged. */
			if (!has_library(env[i] + 11) && strlen(env[i]) < 4096) {
				snprintf(preload, TEXT_MAX, "LD_PRELOAD=%.*s:%s",
					 (int)library_len(), ue.preload, env[i] + 11);
				out[n] = preload;
			}
		}
		have_path |= begins(env[i], UE_VARIABLE "=");
		n++;
	}
	if (!have_preload) {
		snprintf(preload, TEXT_MAX, "LD_PRELOAD=%s", ue.preload);
		out[n++] = preload;
	}
	if (!have_path) {
		snprintf(path, 96, UE_VARIABLE "=%s", ue.path);
		out[n++] = path;
	}
	out[n] = NULL;
}

/*
 * Declares name: env, or a completed copy on the stack of the caller, which must outlive the call.
 */
#define COMPLETE(name, env)                                                                        \
	char **name = (char **)(env);                                                              \
	if (ue.shared && ue.preload[0]) {                                                          \
		name = alloca((count_of(env) + ADDED + 1) * sizeof(char *));                       \
		complete(name, (env), alloca(TEXT_MAX), alloca(96));                               \
	}

/* Notes a program that the library cannot be loaded into. */
static void note(const char *path)
{
	const char *why = ue_unreachable(path);
	struct ue_shared *s = ue.shared;

	/*
	 * Only the first program is named: its process sets the count from 0 to 1, and writes the
	 * path.
	 */
	if (!why)
		return;
	if (!atomic_fetch_add(&s->unreached, 1)) {
		snprintf(s->unreached_path, sizeof(s->unreached_path), "%s", path);
		snprintf(s->unreached_why, sizeof(s->unreached_why), "%s", why);
	}
}

/* Looks a name up as execvp() does, as far as a note needs it. */
static void note_if_unreachable(const char *name)
{
	const char *path = getenv("PATH");
	char full[PATH_MAX];
	int old = errno;

	if (!ue.shared || !name)
		return;
	/*
	 * A name with a slash is not looked up; without PATH libc has a default, which a note can
	 * miss.
	 */
	if (strchr(name, '/') || !path) {
		note(name);
	} else {
		while (*path) {
			size_t len = strcspn(path, ":");

			if (len && len + strlen(name) + 2 < sizeof(full)) {
				snprintf(full, sizeof(full), "%.*s/%s", (int)len, path, name);
				if (!UE_NEXT(access)(full, X_OK)) {
					note(full);
					break;
				}
			}
			path += len + (path[len] == ':');
		}
	}
	errno = old;
}

int execve(const char *path, char *const argv[], char *const env[])
{
	COMPLETE(all, env);
	note_if_unreachable(path);
	return UE_NEXT(execve)(path, argv, all);
}

int execvpe(const char *name, char *const argv[], char *const env[])
{
	COMPLETE(all, env);
	note_if_unreachable(name);
	return UE_NEXT(execvpe)(name, argv, all);
}

/* glibc's own execv() would call its internal execve(), not this one. */
int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

int execvp(const char *name, char *const argv[])
{
	return execvpe(name, argv, environ);
}

int fexecve(int fd, char *const argv[], char *const env[])
{
	char path[64];

	COMPLETE(all, env);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	note_if_unreachable(path);
	return UE_NEXT(fexecve)(fd, argv, all);
}

/* Collects the arguments of execl() and the like on the stack of the caller. */
#define GATHER(argv, last, args)                                                                   \
	size_t count_ = 1;                                                                         \
	va_list args;                                                                              \
	char **argv;                                                                               \
	va_start(args, last);                                                                      \
	while (va_arg(args, char *))                                                               \
		count_++;                                                                          \
	va_end(args);                                                                              \
	argv = alloca((count_ + 1) * sizeof(*argv));                                               \
	argv[0] = (char *)(uintptr_t)last;                                                         \
	va_start(args, last);                                                                      \
	for (size_t i_ = 1; i_ <= count_; i_++)                                                    \
	argv[i_] = va_arg(args, char *)

/* The execl() family is resolved here for the same reason. */
int execl(const char *path, const char *arg, ...)
{
	GATHER(argv, arg, args);
	va_end(args);
	return execve(path, argv, environ);
}

int execlp(const char *name, const char *arg, ...)
{
	GATHER(argv, arg, args);
	va_end(args);
	return execvpe(name, argv, environ);
}

int execle(const char *path, const char *arg, ...)
{
	char *const *env;

	GATHER(argv, arg, args);
	env = va_arg(args, char *const *);
	va_end(args);
	return execve(path, argv, env);
}

#define SPAWN_OF(name)                                                                             \
	int name(pid_t *restrict pid, const char *restrict path,                                   \
		 const posix_spawn_file_actions_t *restrict actions,                               \
		 const posix_spawnattr_t *restrict attr, char *const argv[restrict],               \
		 char *const env[restrict])                                                        \
	{                                                                                          \
		COMPLETE(all, env);                                                                \
		note_if_unreachable(path);                                                         \
		return UE_NEXT(name)(pid, path, actions, attr, argv, all);                         \
	}

SPAWN_OF(posix_spawn)
SPAWN_OF(posix_spawnp)
