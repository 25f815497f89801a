/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of tdat view. Two programs have them: tdat for its help, and tdat-view, which it
 * runs, for the work.
 */
#ifndef CLI_VIEW_OPTIONS_H
#define CLI_VIEW_OPTIONS_H

#include "args/command.h"
#include "args/limits.h"

struct cli_view_input {
	const char *path;
	int64_t ts_offset;
};

struct cli_view_args {
	struct cli_view_input *inputs;
	size_t input_count, input_room;
	uint64_t port, threads, read_always;
	const char *host, *output, *from, *until, *view;
	uint64_t events, width;
	struct cli_list rows;
	bool no_browser, in_frame, force, svg;
	struct tdat_limits limits;
};

/* cli_view_input_add appends a file, whose path must outlive a; CLI_OK, or a complaint was made. */
int cli_view_input_add(struct cli_view_args *a, const char *path);

extern const struct cli_opt cli_view_opts[];
extern const char *const cli_view_synopsis[];
extern const char *const cli_view_notes[];
extern const char cli_view_summary[];

#endif
