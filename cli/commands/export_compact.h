/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares export --compact. */
#ifndef CLI_EXPORT_COMPACT_H
#define CLI_EXPORT_COMPACT_H

#include <stdbool.h>

#include <tdat/export.h>

/* Joins the small parts in the folders of a data set. An exit status. */
int export_compact(const char *lake, const struct tdat_exporter *exporter, bool quiet);

#endif
