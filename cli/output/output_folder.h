/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A folder of exported files: it is made beside its name, and gets that name when all of them are
 * whole, so that nobody ever sees half of it.
 */
#ifndef CLI_OUTPUT_FOLDER_H
#define CLI_OUTPUT_FOLDER_H

#include <stdbool.h>

#include <tdat/error.h>

#include "safety/unfinished.h"

struct cli_folder {
	const char *path;
	struct cli_unfinished *made;
	bool replace; /* there is an older export, which goes when this one is whole */
	char **names; /* files in it */
	size_t count, room;
};

/*
 * cli_folder_open makes the folder; path must outlive it. What is there already must be an empty
 * folder, or with force one that an export of CTF made. Call it before the sandbox is entered.
 */
enum tdat_status cli_folder_open(struct cli_folder *f, const char *path, bool force,
				 struct tdat_error *err);
/* A tdat_export_output_fn: appends to the file of that name; ctx is the struct cli_folder. */
enum tdat_status cli_folder_write(void *ctx, const char *name, const void *data, size_t len,
				  struct tdat_error *err);
/* cli_folder_close gives it its name. After a failure, and with give_up, nothing is left. */
enum tdat_status cli_folder_close(struct cli_folder *f, bool give_up, struct tdat_error *err);

#endif
