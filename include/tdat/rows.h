/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Rows of tables (tdat/table.h) as plain numbers and strings, for callers that do not read Arrow.
 *
 * Threads: rows arrive on one thread at a time, as from tdat_trace_read with in_order.
 *
 * Owners: values, including strings, are borrowed until the function that receives them returns.
 */
#ifndef TDAT_ROWS_H
#define TDAT_ROWS_H

#include <tdat/table.h>

TDAT_BEGIN_DECLS

/*
 * A value of a row. The member number contains a number, a time or a boolean; the member text
 * contains a string. Lists are not supported.
 */
struct tdat_value {
	bool is_null;
	int64_t number;
	struct tdat_span text;
};

/* A table, and the names of the columns to read, a list that ends with NULL. */
struct tdat_rows_table {
	const struct tdat_table *table; /* NULL: no rows */
	const char *const *columns;
};

/* Maximum number of tables read at once, and of columns of each. */
enum { TDAT_ROWS_TABLES = 4, TDAT_ROWS_COLUMNS = 16 };

/*
 * Receives a row: the index of its table in the list, and the values of the table's columns. It
 * returns false to end the reading of all tables.
 */
typedef bool (*tdat_row_fn)(void *ctx, size_t table, const struct tdat_value *values);

/*
 * tdat_trace_rows reads all rows of several tables in one pass over the events; rows of each table
 * are in order. opts may be NULL; its columns are ignored. A column that the table lacks is
 * TDAT_E_NOT_FOUND; too many tables or columns are TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_trace_rows(const struct tdat_trace *trace,
					  const struct tdat_rows_table *tables, size_t count,
					  const struct tdat_table_opts *opts, tdat_row_fn take,
					  void *ctx, struct tdat_error *err);

TDAT_END_DECLS
#endif
