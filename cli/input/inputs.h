/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the inputs of a capture as the user named them: files, "-" and directories.
 * A directory stands for the regular files in it, by name, and for those deeper
 * that an importer wants; names starting with a dot are left out.
 */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "args/import_opts.h"
#include "input/input_list.h"
#include "input/packed.h"
#include "input/tree.h"

/*
 * cli_inputs_open opens everything the words stand for. Returns CLI_OK, or
 * complains and returns an exit status; the caller calls cli_inputs_fini either way.
 */
int cli_inputs_open(struct cli_inputs *in, char *const *words, size_t count,
		    const struct cli_inputs_wants *wants);

/*
 * cli_inputs_add_members adds the members of an archive as the files of a folder are added: all of
 * it, and the deeper ones that wants asks for. Their sources are the list's then.
 */
int cli_inputs_add_members(struct cli_inputs *in, const char *path, struct cli_packed *packed,
			   const struct cli_inputs_wants *wants);

/* Refuses an output that an importer's option names, because importers read those files. */
int cli_inputs_check_options(const char *command, const char *output,
			     const struct cli_import_opts *given);

/* Refuses an output that is one of the inputs, such as a file of a folder. */
int cli_inputs_check_output(const char *command, const char *output, const struct cli_inputs *in);

/*
 * cli_inputs_are_several is true, with an error that names them, if the files of a folder or
 * archive are several traces, each whole by itself, and no capture.
 */
bool cli_inputs_are_several(const struct cli_inputs *in, struct tdat_error *err);

#endif
