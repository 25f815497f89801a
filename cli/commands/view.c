/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command tdat view: runs the program tdat-view, so no other command loads an HTTP server. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands/commands.h"
#include "safety/own_folder.h"
#include "view/options.h"

/* Where tdat-view is, from the folder of tdat: in a build, and installed. */
static const char *const places[] = {"tdat-view", TDAT_VIEW_PROGRAM, NULL};

/* Looks beside tdat, not in PATH: the two must be of one build. */
bool cli_view_program(char path[VIEW_PROGRAM_LEN])
{
	char folder[PATH_MAX];
	const bool is_known = cli_own_folder(folder);

	for (size_t i = 0; is_known && places[i]; i++) {
		snprintf(path, VIEW_PROGRAM_LEN, "%s/%s", folder, places[i]);
		if (!access(path, X_OK))
			return true;
	}
	return false;
}

static int view_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	char path[VIEW_PROGRAM_LEN];

	(void)cmd;
	(void)argc;
	if (cli_view_program(path)) {
		execv(path, argv);
		cli_error(path, "cannot run: %s", strerror(errno));
		return CLI_FAILED;
	}
	cli_error(NULL, "view needs the program tdat-view next to tdat; building it needs "
			"libmicrohttpd (TDAT_VIEW=ON)");
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
