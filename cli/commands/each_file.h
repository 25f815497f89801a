/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does for each file of a command what it does for one. */
#ifndef CLI_EACH_FILE_H
#define CLI_EACH_FILE_H

#include "input/trace_files.h"
#include "output/json_out.h"

struct cli_each {
	const char *command;
	const struct tdat_limits *limits;
	bool json;     /* the results are members of one array on stdout */
	bool unmapped; /* no file is mapped */
	/* Returns CLI_OK, or an exit status after a complaint; file index is not parsed yet. */
	int (*file)(const void *args, struct tdat_json *j, struct cli_files *files, size_t index);
	const void *args;
};

/* Returns the exit status: that of the last file with a complaint. */
int cli_each_file(const struct cli_each *e, char *const *paths, int count);

#endif
