/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rights of the commands that write a file. */
#ifndef CLI_RIGHTS_H
#define CLI_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include "args/import_opts.h"

/*
 * cli_rights_of_writer gives up all rights but those to make output (and temporary
 * files beside it, in tmpdir and in TMPDIR) and to read the named files, which may
 * be missing or no files at all. tmpdir may be NULL.
 */
void cli_rights_of_writer(const char *output, const char *tmpdir, const char *const *reads,
			size_t count);

/*
 * The same for an importer, whose options may name files that it opens; anywhere:
 * all files may be read.
 */
void cli_rights_of_import(const char *output, const char *tmpdir,
			  const struct cli_import_opts *given, bool anywhere);

#endif
