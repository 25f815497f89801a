/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the inputs of a capture as the user named them: files, "-" and directories.
 * A directory stands for the regular files in it, by name, and for those deeper
 * that an importer wants; names starting with a dot are left out.
 */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "input/input_list.h"
#include "input/tree.h"

/*
 * cli_inputs_open opens everything the words stand for. Returns CLI_OK, or
 * complains and returns an exit status; the caller calls cli_inputs_fini either way.
 */
int cli_inputs_open(struct cli_inputs *in, char *const *words, size_t count,
		    const struct cli_inputs_wants *wants);

#endif
