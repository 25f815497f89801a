/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A foreign capture for a command that reads trace.dat files: by way of a temporary one. */
#ifndef CLI_IMPORT_TEMP_H
#define CLI_IMPORT_TEMP_H

#include <tdat/file.h>

#include "args/import_opts.h"

/*
 * Imports what the words name and opens it; nothing stays behind on disk but what
 * *out holds open. Returns an exit status, CLI_FAILED also after doubts, which are
 * told; *out is NULL when there is nothing to read. Rights are given up before bytes
 * are parsed: plugins tells that some will be loaded, which may read what they like.
 */
int cli_import_temp(const struct tdat_importer *importer, const struct cli_import_opts *given,
		    char *const *words, size_t count, bool plugins, struct tdat_file **out);

#endif
