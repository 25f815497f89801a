/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sandbox of commands that write a file: which paths stay usable. */
#ifndef CLI_SANDBOX_OUTPUT_H
#define CLI_SANDBOX_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "args/import_opts.h"
#include "safety/sandbox.h"

/*
 * cli_sandbox_for_output enters the sandbox; usable stay output (and temporary files
 * beside it, in tmpdir and in TMPDIR), and for reading the named files, which may be
 * missing or no files at all. tmpdir may be NULL.
 */
void cli_sandbox_for_output(const char *output, const char *tmpdir, const char *const *reads,
			    size_t count);

/*
 * cli_sandbox_for_folder does the same for a folder that is renamed to output, and for a file:
 * folders beside it can be made and removed.
 */
void cli_sandbox_for_folder(const char *output, enum cli_sandbox_use use);

/*
 * cli_sandbox_for_import does the same for an importer, whose options may name files
 * that it opens; with anywhere, all files can be read.
 */
void cli_sandbox_for_import(const char *output, const char *tmpdir,
			    const struct cli_import_opts *given, bool anywhere);

#endif
