/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a data set that a record names, each with a NUL (output/export_record.h). */
#ifndef CLI_EXPORT_LAKE_PARTS_H
#define CLI_EXPORT_LAKE_PARTS_H

#include "core/build.h"

/* The first of the parts that is there; NULL: none is. */
const char *lake_parts_find(const char *output, const struct tdat_build *names);

/*
 * Removes parts of an earlier export that this one has not written again, such as those of a table
 * that --table excludes now. given: says so, as a command has put them elsewhere.
 */
void lake_parts_remove(const char *output, const struct tdat_build *had,
		       const struct tdat_build *made, bool given);

#endif
