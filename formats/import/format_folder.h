/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Event formats that an option --formats-from names. */
#ifndef TDAT_IMPORT_FORMAT_FOLDER_H
#define TDAT_IMPORT_FORMAT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include <tdat/base.h>
#include <tdat/error.h>

/* Takes the text of a format file. */
typedef enum tdat_status (*import_format_fn)(void *ctx, const char *system, const char *text,
					     size_t len, struct tdat_error *err);

bool import_is_folder(const char *path);

/*
 * Gives fn the files FOLDER/SYSTEM/EVENT/format, or those of FOLDER/events, in order of their
 * names. Files that cannot be opened, or are empty or far too long, are none.
 */
enum tdat_status import_format_folder(const char *folder, import_format_fn fn, void *ctx,
				      struct tdat_error *err);

#endif
