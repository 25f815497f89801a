/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds library and program, and starts the program. The library is preloaded by the
 * environment of the child alone. A program that cannot be reached (setuid, another machine) is
 * refused with the reason.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "preload/reach.h"
#include "notify_filter.h"
#include "recorder.h"
#include "safety/own_folder.h"
#include "terminal/message.h"

#define LIBRARY "libtdat-user-events.so"

int record_library(char *path, size_t cap)
{
	/* Where the library is, from the folder of the program: in a build, and installed. */
	static const char *const places[] = {"../user-events/preload/" LIBRARY,
					     TDAT_PRELOAD_PLACE "/" LIBRARY};
	char folder[PATH_MAX];
	const bool is_known = cli_own_folder(folder);

	for (size_t i = 0; is_known && i < sizeof(places) / sizeof(places[0]); i++) {
		char full[2 * PATH_MAX], real[PATH_MAX];

		snprintf(full, sizeof(full), "%s/%s", folder, places[i]);
		if (!realpath(full, real) || strlen(real) >= cap)
			continue;
		/* The dynamic linker takes blanks and colons for ends of a name. */
		if (strpbrk(real, " :")) {
			cli_error(real,
				  "LD_PRELOAD does not accept a path with a space or a colon");
			return CLI_FAILED;
		}
		strcpy(path, real);
		return CLI_OK;
	}
	cli_error("user-events record",
		  "%s is neither in the build folder nor in the install folder: "
		  "%s/" TDAT_PRELOAD_PLACE,
		  LIBRARY, folder);
	return CLI_FAILED;
}

/* As a shell does: a regular file that may be executed. */
static bool is_program(const char *path)
{
	struct stat sb;

	return !stat(path, &sb) && S_ISREG(sb.st_mode) && !access(path, X_OK);
}

/* Searches PATH. An empty part is the current folder; without PATH the usual places count. */
static bool find_in_path(const char *name, char *path, size_t cap)
{
	const char *at = getenv("PATH");

	for (at = at ? at : "/usr/bin:/bin"; *at;) {
		size_t len = strcspn(at, ":");
		int n = snprintf(path, cap, "%.*s/%s", (int)len, len ? at : ".", name);

		if (n > 0 && (size_t)n < cap && is_program(path))
			return true;
		at += len + (at[len] == ':');
	}
	return false;
}

/* Called before the output file is made, so a wrong name leaves none behind. */
int record_program_find(const char *name, char *path, size_t cap, bool *is_static)
{
	const char *why;

	if (strchr(name, '/') ? strlen(name) >= cap : !find_in_path(name, path, cap)) {
		cli_error("user-events record", "program %s is not in PATH", name);
		return CLI_FAILED;
	}
	if (strchr(name, '/'))
		strcpy(path, name);
	if (!is_program(path)) {
		cli_error(path, "is not an executable program");
		return CLI_FAILED;
	}
	why = ue_unreachable(path);
	*is_static = why && !strcmp(why, UE_IS_STATIC);
	if (why && !*is_static) {
		cli_error(path, "cannot be recorded: %s", why);
		return CLI_FAILED;
	}
	return CLI_OK;
}

/* Adds the library to those that the user preloads already, and names the memory for it. */
static bool set_environment(const struct record_session *s, const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	char text[2 * PATH_MAX], place[64];

	/* A descriptor of the recorder: programs open it by /proc, so none is inherited. */
	snprintf(place, sizeof(place), "/proc/%d/fd/%d", (int)s->shared->recorder_pid,
		 s->shared_fd);
	snprintf(text, sizeof(text), "%s%s%s", library, old && *old ? ":" : "", old ? old : "");
	return !setenv("LD_PRELOAD", text, 1) && !setenv(UE_VARIABLE, place, 1);
}

/* In the new process. */
static void run_program(const struct record_session *s, const char *library, const char *path,
			char *const argv[], int socket)
{
	/* Until exec a signal would call the recorder's handlers. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	if (s->notify)
		notify_install(s->first_fd, socket);
	if (s->notify || set_environment(s, library))
		execv(path, argv);
	cli_error(path, "cannot run: %s", strerror(errno));
	_exit(127);
}

/* The recorder keeps a descriptor of each file that its programs have open; theirs are not more. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)!setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Names of files and events lie in the memory of the program. Where settings of the kernel do not
 * let it be read, all calls would go on, and nothing be recorded.
 */
static int check_memory(pid_t pid, const char *path)
{
	char byte = 0;
	struct iovec own = {&byte, 1}, there = {&byte, 1};

	if (process_vm_readv(pid, &own, 1, &there, 1, 0) == 1 ||
	    (errno != EPERM && errno != EACCES && errno != ENOSYS))
		return CLI_OK;
	cli_error(path,
		  "cannot be recorded through seccomp notifications: its memory cannot be read: %s",
		  strerror(errno));
	kill(pid, SIGKILL);
	return CLI_FAILED;
}

int record_program_start(struct record_session *s, const char *library, const char *path,
			 char *const argv[], pid_t *pid)
{
	int pair[2] = {-1, -1}, rc = CLI_OK;

	/*
	 * Children whose parent ended become children of the recorder: see reap() in user_record.c.
	 */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* Text in buffers would be written twice, by both processes. */
	fflush(NULL);
	*pid = s->notify && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) ? -1 : fork();
	if (*pid < 0) {
		cli_error("user-events record", "cannot create a process: %s", strerror(errno));
		rc = CLI_FAILED;
	} else if (!*pid) {
		run_program(s, library, path, argv, pair[1]);
	}
	/* Only the child keeps this end, so the wait below ends when the child does. */
	if (pair[1] >= 0)
		close(pair[1]);
	/* After fork(), so that the program keeps its own limit. */
	if (s->notify)
		raise_limit();
	if (s->notify && !rc)
		rc = notify_receive(pair[0], path, &s->listener);
	if (s->notify && !rc)
		rc = check_memory(*pid, path);
	if (pair[0] >= 0)
		close(pair[0]);
	return rc;
}
