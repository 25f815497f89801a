/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the files of captures that are a tree of directories, copied or a mounted tracefs. */
#ifndef CLI_TREE_H
#define CLI_TREE_H

#include "input/input_list.h"

/* The importer that is asked which files of a tree it wants, and its options. */
struct cli_inputs_wants {
	const struct tdat_importer *importer; /* NULL: any of them */
	const struct tdat_keyed_option *options;
	size_t option_count;
};

/* cli_tree_wanted: does an importer ask for this name of a copied tree? Folders end with "/". */
bool cli_tree_wanted(const struct cli_inputs_wants *wants, const char *name, bool live);

/*
 * cli_tree_add adds the files below root that wants asks for, named relative to
 * it, folders before "/". No link is followed. In a live tree files right in
 * root are among them, else not. CLI_OK, or an exit status after a complaint.
 */
int cli_tree_add(struct cli_inputs *in, int fd, const char *root,
		 const struct cli_inputs_wants *wants, bool live);

#endif
