/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Swaps a folder of a data set with another one. */
#ifndef CLI_EXPORT_LAKE_SWAP_H
#define CLI_EXPORT_LAKE_SWAP_H

#include "safety/unfinished.h"

/* Gives the unfinished folder the name of OUTPUT/FOLDER, which is removed. */
enum tdat_status lake_swap(const char *output, const char *folder, struct cli_unfinished *made,
			   struct tdat_error *err);

/*
 * Brings back the folder that a killed run had renamed, for whoever holds the lock of the data set.
 * An exit status, after a complaint.
 */
int lake_swap_restore(const char *output);

#endif
