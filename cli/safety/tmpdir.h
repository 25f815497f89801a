/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder for temporary files. */
#ifndef TDAT_CLI_TMPDIR_H
#define TDAT_CLI_TMPDIR_H

#include <stdlib.h>

/* cli_tmpdir returns what TMPDIR names, or /tmp. The text is the environment's. */
static inline const char *cli_tmpdir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

#endif
