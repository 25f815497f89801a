/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the export of files to a data set. */
#ifndef CLI_EXPORT_DATA_SET_H
#define CLI_EXPORT_DATA_SET_H

#include "commands/export_args.h"

/*
 * Writes each file by itself as a part of a data set, in folders of the keys that a->partition
 * names.
 */
int export_data_set(const struct export_args *a, const struct tdat_exporter *exporter,
		    const struct tdat_filter *filter, char *const *paths, size_t count);

#endif
