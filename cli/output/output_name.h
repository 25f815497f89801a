/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the end of an output's name says of its format. */
#ifndef CLI_OUTPUT_NAME_H
#define CLI_OUTPUT_NAME_H

#include <stdbool.h>

#include <tdat/export.h>

/* Whether a name, which may be NULL, ends with one of "END END...". */
bool cli_name_ends(const char *path, const char *ends);

/* Whether the last part of a name has an extension; a pipe or a device has none. */
bool cli_name_has_end(const char *path);

/* The exporter of tables or packets whose outputs end as path does; NULL: none. */
const struct tdat_exporter *cli_exporter_of_name(const char *path);

/* The command that makes a picture or page whose name ends as path does; NULL: it is none. */
const char *cli_picture_of_name(const char *path);

#endif
