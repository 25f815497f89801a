/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the export of tables of a trace. */
#ifndef CLI_EXPORT_TABLES_H
#define CLI_EXPORT_TABLES_H

#include "commands/exporting.h"

/* Writes the tables that are wanted, each to a file or all to that of the exporter. */
int export_tables(struct exporting *x);

#endif
