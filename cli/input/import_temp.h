/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Imports a foreign capture into a temporary trace.dat, for commands that read those. */
#ifndef CLI_IMPORT_TEMP_H
#define CLI_IMPORT_TEMP_H

#include "args/import_opts.h"
#include "input/input_list.h"

struct cli_import_job {
	const struct tdat_importer *importer; /* NULL: that of the format which the inputs have */
	const struct cli_import_opts *given;  /* its options; NULL: none */
	const struct cli_inputs *in;	      /* one capture */
	const char *tmpdir;		      /* NULL: TMPDIR */
};

/*
 * cli_import_temp imports the inputs, in a process that enters the sandbox before it reads a byte
 * of them, and opens the result, which has no name on disk and is called name. Warnings are
 * printed, and make the program fail at its end (cli_input_doubted). *used is the importer. *out
 * and *used are NULL with TDAT_OK when no importer knows the inputs.
 */
enum tdat_status cli_import_temp(struct tdat_source **out, const struct tdat_importer **used,
				 const struct cli_import_job *job, const char *name,
				 struct tdat_error *err);

#endif
