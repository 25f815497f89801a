/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace.dat files that a command reads: all are opened first, rights are
 * dropped, then they are parsed, one by one. Damaged ones as far as they go.
 */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <tdat/file.h>

struct cli_file {
	const char *path;
	struct tdat_source *source; /* NULL: could not be opened, or parsed already */
	struct tdat_error err;      /* why not */
};

struct cli_files {
	struct cli_file *v;
	size_t count;
};

/* Opens one more; what fails is told by cli_files_parse. CLI_OK, or out of memory. */
int cli_files_add(struct cli_files *files, const char *path);

/* The same, never mapped: for commands that write a file, which SIGBUS would leave half made. */
int cli_files_add_read(struct cli_files *files, const char *path);

/* All of these, or trace.dat when count is 0, opened; and no right to open more. */
int cli_files_open(struct cli_files *files, char *const *paths, int count);

enum tdat_status cli_files_parse(struct cli_files *files, size_t i,
				 const struct tdat_limits *limits, struct tdat_file **out,
				 struct tdat_error *err);

void cli_files_close(struct cli_files *files);

#endif
