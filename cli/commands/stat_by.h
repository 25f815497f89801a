/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts events by the values of columns. */
#ifndef CLI_STAT_BY_H
#define CLI_STAT_BY_H

#include "commands/stat_facts.h"

/* Does what "tdat stat --by" asks for; the files are one trace. */
int stat_by(struct stat_args *a, int argc, char **argv);

#endif
