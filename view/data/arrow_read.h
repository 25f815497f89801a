/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads rows of tables of a trace by names of columns: numbers, and texts.
 *
 * Threads: a struct view_rows_reader belongs to one thread.
 */
#ifndef VIEW_DATA_ARROW_READ_H
#define VIEW_DATA_ARROW_READ_H

#include <tdat/table.h>

enum { VIEW_COLUMNS = 16 };

/* A value of a row. */
struct view_value {
	bool is_null;
	int64_t number;	       /* of a column of numbers */
	struct tdat_span text; /* of a column of texts */
};

/* Takes a row; returns false when it wants no more. */
typedef bool (*view_row_fn)(void *ctx, const struct view_value *values);

struct view_rows_def {
	const struct tdat_trace *trace;
	const char *table;
	const char *const *columns; /* at most VIEW_COLUMNS */
	size_t column_count;
	const struct tdat_filter *filter; /* may be NULL */
	const uint32_t *cpus;		  /* the same */
	size_t cpu_count;
	const bool *stop; /* give up when it is set; may be NULL */
};

/* Reads all rows of a table. A trace without that table has no rows, which is no failure. */
enum tdat_status view_rows_read(const struct view_rows_def *def, view_row_fn take, void *ctx,
				struct tdat_error *err);

#endif
