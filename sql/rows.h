/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the rows of a table for a query: a stream of record batches, of the columns that the plan
 * names, with the values of its conditions.
 */
#ifndef SQL_ROWS_H
#define SQL_ROWS_H

#include "plan.h"

struct sql_rows {
	struct sql_table *table;
	struct ArrowArrayStream stream; /* release NULL: none */
	struct ArrowArray batch;	/* the same */
	struct table_columns columns;	/* those that are read */
	bool has_columns;
	size_t *places; /* by column of the table: among those that are read */
	struct tdat_filter *filter;
	size_t row, count; /* in the batch */
	bool any;	   /* there was a row in some batch */
};

/*
 * Starts to read. *empty is set where no row can meet the conditions. After a failure, and
 * before it starts anew, the rows need sql_rows_end.
 */
enum tdat_status sql_rows_start(struct sql_rows *r, struct sql_table *t, const struct sql_plan *p,
				sqlite3_value **values, bool *empty, struct tdat_error *err);
void sql_rows_end(struct sql_rows *r);

/* Reads the next batch with rows; false at the end, and after a failure, which sets err. */
bool sql_rows_batch(struct sql_rows *r, struct tdat_error *err);

#endif
