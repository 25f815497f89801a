/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of tdat export that writes a data set of many files: each input is exported by itself
 * into Hive partitions, several at once, and is left out when it was exported before.
 */
#ifndef CLI_EXPORT_LAKE_H
#define CLI_EXPORT_LAKE_H

#include "commands/export_lake_facts.h"
#include "safety/sandbox.h"

/*
 * Makes the folder of a data set unless it is there, locks it for this process until *lock_fd is
 * closed, and enters the sandbox, in which it stays usable. An exit status, after a complaint.
 */
int export_lake_open(const char *output, enum cli_sandbox_use use, int *lock_fd);

/* An exit status. */
int export_lake_run(const struct export_lake *lake, char *const *paths, size_t count);

#endif
