/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is told of files that are read although they are broken. */
#ifndef CLI_DAMAGE_H
#define CLI_DAMAGE_H

#include <tdat/iter.h>

/* Complains of all that is wrong with its header and metadata: CLI_FAILED, or CLI_OK. */
int cli_file_damage(const char *path, const struct tdat_file *file);

/* Complains of the pages of one CPU that could not be read. */
void cli_damage(const char *path, const struct tdat_file *file,
		const struct tdat_stream_damage *damage);

#endif
