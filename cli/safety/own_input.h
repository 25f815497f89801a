/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refuses outputs that would replace what the command reads, or be shown on a terminal. */
#ifndef CLI_OWN_INPUT_H
#define CLI_OWN_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether what is written to path arrives where standard output does, as with "-" and /dev/stdout:
 * a report does not belong there. In a device such as /dev/null nothing mixes. path need not exist.
 */
bool cli_output_is_stdout(const char *path);

/*
 * cli_output_check looks at an output before anything is made, "-" being standard output: it must
 * be none of the inputs, by device and inode, so that links do not hide them, nor a terminal,
 * unless force is set. "-" among the inputs is standard input; missing inputs are reported by what
 * opens them. CLI_OK, or CLI_USAGE after a complaint that names the command.
 */
int cli_output_check(const char *command, const char *output, bool force, const char *const *inputs,
		     size_t count);

/*
 * cli_output_check_text looks at standard output before a command prints what it reads: a
 * regular file that is one of the inputs would grow while it is read. Without any path
 * "trace.dat" is meant. CLI_OK, or CLI_USAGE after a complaint.
 */
int cli_output_check_text(const char *command, char *const *paths, size_t count);

/*
 * cli_output_check_series does the same for all files OUTPUT.NUMBER of four digits or more that
 * there are, of which the command may replace any. A terminal is not looked for.
 */
int cli_output_check_series(const char *command, const char *output, const char *const *inputs,
			    size_t count);

/* Does it for all files of a folder whose names end with suffix. */
int cli_output_check_folder(const char *command, const char *folder, const char *suffix,
			    const char *const *inputs, size_t count);

/* The same for the folder and all below it. */
int cli_output_check_tree(const char *command, const char *folder, const char *suffix,
			  const char *const *inputs, size_t count);

/* Does it for a value of an importer's option, which may be a file, or FILE@ADDRESS. */
int cli_output_check_option(const char *command, const char *output, const char *value);

#endif
