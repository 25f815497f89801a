/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captures that are a tree of folders, copied or a mounted tracefs. */
#ifndef CLI_TREE_H
#define CLI_TREE_H

#include "input/inputs.h"

/* Whether path lies in a mounted tracefs: opening files there may change things. */
bool cli_tree_is_live(const char *path);

/*
 * cli_tree_add adds the files below root that wants asks for, named relative to
 * it, folders before "/". No link is followed. In a live tree files right in
 * root are among them, else not. CLI_OK, or an exit status after a complaint.
 */
int cli_tree_add(struct cli_inputs *in, const char *root, const struct cli_inputs_wants *wants,
		 bool live);

/* "dir/name" of malloc, or NULL. */
char *cli_join_path(const char *dir, const char *name);

/* Names of the entries of path in order of bytes, without those of a dot. */
int cli_read_names(const char *path, char ***out, size_t *count);
void cli_free_names(char **names, size_t count);

#endif
