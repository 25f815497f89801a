/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths and names of the entries of directories. */
#ifndef CLI_DIRECTORY_H
#define CLI_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

/* Whether path lies in a mounted tracefs: opening files there may change things. */
bool cli_directory_is_tracefs(const char *path);

/* cli_join_path makes "dir/name"; the caller frees it. NULL: memory ran out. */
char *cli_join_path(const char *dir, const char *name);

/*
 * cli_read_names reads the names of the entries of the directory fd, which it closes and
 * complains of as path, in order of their bytes,
 * without those that begin with a dot; cli_free_names frees them. CLI_OK, or an exit
 * status after a complaint; then there is nothing to free.
 */
int cli_read_names(int fd, const char *path, char ***out, size_t *count);
void cli_free_names(char **names, size_t count);

#endif
