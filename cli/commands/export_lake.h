/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of tdat export that writes a data set of many files: each input is exported by itself
 * into Hive partitions, several at once, and is left out when it was exported before.
 */
#ifndef CLI_EXPORT_LAKE_H
#define CLI_EXPORT_LAKE_H

#include "commands/export_lake_facts.h"

/* An exit status. */
int export_lake_run(const struct export_lake *lake, char *const *paths, size_t count);

#endif
