/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat view: runs the program tdat-view, so that no other command loads an HTTP
 * server.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"
#include "view/options.h"

/* Where tdat-view is, from the folder of tdat: in a build, and installed. */
static const char *const places[] = {"tdat-view", TDAT_VIEW_PROGRAM, NULL};

static int view_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	char self[PATH_MAX], path[PATH_MAX + 128];
	const ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	(void)cmd;
	(void)argc;
	self[len > 0 ? len : 0] = 0;
	slash = strrchr(self, '/');
	for (size_t i = 0; slash && places[i]; i++) {
		snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - self), self, places[i]);
		if (!access(path, X_OK)) {
			execv(path, argv);
			cli_error(path, "cannot be run: %s", strerror(errno));
			return CLI_FAILED;
		}
	}
	cli_error(NULL, "view needs the program tdat-view, which is not installed beside tdat: it "
			"is built where libmicrohttpd is (TDAT_VIEW=ON)");
	return CLI_FAILED;
}

const struct cli_cmd cli_cmd_view = {
	.name = "view",
	.summary = cli_view_summary,
	.synopsis = cli_view_synopsis,
	.opts = cli_view_opts,
	.notes = cli_view_notes,
	.run = view_run,
};
