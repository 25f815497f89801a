/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads rows of tables of a trace by names of columns: numbers, and texts. Several tables that are
 * made of the same events are read in one pass over these.
 *
 * Threads: each call reads on the calling thread.
 */
#ifndef VIEW_DATA_ARROW_READ_H
#define VIEW_DATA_ARROW_READ_H

#include <tdat/table.h>

enum { VIEW_COLUMNS = 16, VIEW_TABLES = 2 };

/* A value of a row. */
struct view_value {
	bool is_null;
	int64_t number;	       /* of a column of numbers */
	struct tdat_span text; /* of a column of texts */
};

/*
 * Takes a row of a table, by the table's place in the definition, with the values of the columns
 * that were asked for; returns false when it wants no more rows of any table.
 */
typedef bool (*view_row_fn)(void *ctx, size_t table, const struct view_value *values);

struct view_rows_table {
	const char *name;
	const char *const *columns; /* VIEW_COLUMNS, or fewer and NULL */
};

struct view_rows_def {
	const struct tdat_trace *trace;
	struct view_rows_table tables[VIEW_TABLES];
	size_t table_count;
	const struct tdat_filter *filter; /* may be NULL */
	const uint32_t *cpus;		  /* the same */
	size_t cpu_count;
	const bool *stop; /* give up when it is set; may be NULL */
};

/*
 * Reads all rows of the tables, of each in its order. A trace without a table has no rows of it,
 * which is no failure. Filter and CPUs hold for all of them.
 */
enum tdat_status view_rows_read(const struct view_rows_def *def, view_row_fn take, void *ctx,
				struct tdat_error *err);

#endif
