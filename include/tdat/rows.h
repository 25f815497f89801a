/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Rows of tables (tdat/table.h) as plain numbers and texts, for those who do not read Arrow.
 *
 * Threads: as tdat_trace_read with in_order: rows come on one thread at a time.
 *
 * Owners: values, texts included, are borrowed until the function returns that got them.
 */
#ifndef TDAT_ROWS_H
#define TDAT_ROWS_H

#include <tdat/table.h>

TDAT_BEGIN_DECLS

/* A value of a row: a number, a time or a truth value, or a text. Of lists it has nothing. */
struct tdat_value {
	bool is_null;
	int64_t number;
	struct tdat_span text;
};

/* A table, and the columns that are read of it, by name: NULL ends them. */
struct tdat_rows_table {
	const struct tdat_table *table; /* NULL: it has no rows */
	const char *const *columns;
};

/* At most so many tables are read at once, and so many columns of each. */
enum { TDAT_ROWS_TABLES = 4, TDAT_ROWS_COLUMNS = 16 };

/*
 * Takes a row of a table, by the table's place in the list, with the values of its columns; returns
 * false when it wants no more rows of any table.
 */
typedef bool (*tdat_row_fn)(void *ctx, size_t table, const struct tdat_value *values);

/*
 * tdat_trace_rows reads all rows of some tables, of each in its order, in one pass over the events.
 * opts may be NULL; its columns are not looked at. A column that its table does not have is
 * TDAT_E_NOT_FOUND, more tables or columns than are read at once TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_trace_rows(const struct tdat_trace *trace,
					  const struct tdat_rows_table *tables, size_t count,
					  const struct tdat_table_opts *opts, tdat_row_fn take,
					  void *ctx, struct tdat_error *err);

TDAT_END_DECLS
#endif
