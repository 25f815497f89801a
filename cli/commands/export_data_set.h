/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the export of files to a data set. */
#ifndef CLI_EXPORT_DATA_SET_H
#define CLI_EXPORT_DATA_SET_H

#include "commands/export_args.h"

/*
 * Sets a->partition, the keys by which files become partitions: those of the data set that the
 * output is, else those of --partition, else event and file if several files go to a folder of
 * tables. NULL: the files are one trace. *kept is to be freed. An exit status.
 */
int export_data_set_keys(struct export_args *a, const struct tdat_exporter *exporter, size_t count,
			 char **kept);

/*
 * Writes each file by itself as a part of a data set, in folders of the keys that a->partition
 * names.
 */
int export_data_set(const struct export_args *a, const struct tdat_exporter *exporter,
		    const struct tdat_filter *filter, char *const *paths, size_t count);

#endif
