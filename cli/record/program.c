/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds library and program, and starts the program. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/reach.h"
#include "record/program.h"
#include "safety/own_folder.h"
#include "terminal/message.h"

#define LIBRARY "libtdat-user-events.so"

int record_library(char *path, size_t cap)
{
	/* Where the library is, from the folder of the program: in a build, and installed. */
	static const char *const places[] = {"../preload/" LIBRARY, TDAT_PRELOAD_PLACE "/" LIBRARY};
	char folder[PATH_MAX];
	const bool is_known = cli_own_folder(folder);

	for (size_t i = 0; is_known && i < sizeof(places) / sizeof(places[0]); i++) {
		char full[2 * PATH_MAX], real[PATH_MAX];

		snprintf(full, sizeof(full), "%s/%s", folder, places[i]);
		if (!realpath(full, real) || strlen(real) >= cap)
			continue;
		/* The dynamic linker takes blanks and colons for ends of a name. */
		if (strpbrk(real, " :")) {
			cli_error(real, "LD_PRELOAD takes no path with a space or a colon");
			return CLI_FAILED;
		}
		strcpy(path, real);
		return CLI_OK;
	}
	cli_error("user-events record",
		  "%s is neither where tdat was built nor where it was "
		  "installed: %s/" TDAT_PRELOAD_PLACE,
		  LIBRARY, folder);
	return CLI_FAILED;
}

static bool is_program(const char *path)
{
	struct stat sb;

	return !stat(path, &sb) && S_ISREG(sb.st_mode) && !access(path, X_OK);
}

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

int record_program_find(const char *name, char *path, size_t cap)
{
	const char *why;

	if (strchr(name, '/') ? strlen(name) >= cap : !find_in_path(name, path, cap)) {
		cli_error("user-events record", "there is no program %s in PATH", name);
		return CLI_FAILED;
	}
	if (strchr(name, '/'))
		strcpy(path, name);
	if (!is_program(path)) {
		cli_error(path, "is no program that can be run");
		return CLI_FAILED;
	}
	why = ue_unreachable(path);
	if (why) {
		cli_error(path, "cannot be recorded: %s, so that no library can be loaded into it",
			  why);
		return CLI_FAILED;
	}
	return CLI_OK;
}

static bool set_environment(const struct record_session *s, const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	char text[2 * PATH_MAX], place[64];

	snprintf(place, sizeof(place), "/proc/%d/fd/%d", (int)s->shared->recorder_pid,
		 s->shared_fd);
	snprintf(text, sizeof(text), "%s%s%s", library, old && *old ? ":" : "", old ? old : "");
	return !setenv("LD_PRELOAD", text, 1) && !setenv(UE_VARIABLE, place, 1);
}

int record_program_start(const struct record_session *s, const char *library, const char *path,
			 char *const argv[], pid_t *pid)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	fflush(NULL);
	*pid = fork();
	if (*pid < 0) {
		cli_error("user-events record", "cannot make a process: %s", strerror(errno));
		return CLI_FAILED;
	}
	if (*pid)
		return CLI_OK;
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	if (set_environment(s, library))
		execv(path, argv);
	cli_error(path, "cannot be run: %s", strerror(errno));
	_exit(127);
}
