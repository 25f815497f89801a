/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single facts of "tdat info", as trace-cmd's options of the same names print them. */
#ifndef CLI_INFO_PARTS_H
#define CLI_INFO_PARTS_H

#include "commands/info_facts.h"

/* info_parts prints the facts of a file that have options; returns an exit status. */
int info_parts(const struct tdat_file *file, const char *path, const struct info_args *a);

/* info_section prints a stored part as it is, with raw also to a terminal. */
int info_section(const struct tdat_file *file, const char *path, const char *name, bool raw);

#endif
