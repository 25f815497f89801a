/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The schema of a table in the structs of the Arrow C data interface. */
#ifndef TDAT_TABLE_ARROW_SCHEMA_H
#define TDAT_TABLE_ARROW_SCHEMA_H

#include "column.h"
#include "trace_data.h"

/*
 * Makes the schema of the columns that list numbers, in that order, of all columns of a table.
 */
enum tdat_status table_arrow_schema(struct ArrowSchema *out, const struct tdat_trace *trace,
				    const struct tdat_table *table,
				    const struct table_column *columns, const size_t *list,
				    size_t count, struct tdat_error *err);

#endif
