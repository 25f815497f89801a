/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Imports a foreign capture into a temporary trace.dat, for commands that read those. */
#ifndef CLI_IMPORT_TEMP_H
#define CLI_IMPORT_TEMP_H

#include <tdat/file.h>

#include "args/import_opts.h"

/*
 * cli_import_temp imports what the words name and opens the result, which has no name
 * on disk any more. Returns an exit status, CLI_FAILED also after warnings, which are
 * printed; *out is NULL when there is nothing to read. The sandbox is entered before
 * bytes are parsed; with plugins, which are loaded later, all files stay readable. limits
 * hold for what is stored of inputs and for the file that is opened.
 */
int cli_import_temp(const struct tdat_importer *importer, const struct cli_import_opts *given,
		    char *const *words, size_t count, bool plugins,
		    const struct tdat_limits *limits, struct tdat_file **out);

#endif
