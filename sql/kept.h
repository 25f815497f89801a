/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the rows of a small table from its first use on, and finds them by the value of a column:
 * joins ask for one of its rows for each row of another table.
 */
#ifndef SQL_KEPT_H
#define SQL_KEPT_H

#include "plan.h"

struct sql_kept;

/* Reads all rows of the table, unless it has them; they are freed with sql_kept_free. */
enum tdat_status sql_kept_read(struct sql_table *t, struct tdat_error *err);
void sql_kept_free(struct sql_kept *kept);

size_t sql_kept_count(const struct sql_kept *kept);

#define SQL_KEPT_NONE SIZE_MAX

/*
 * Finds the first row that may have a value in a column, or the next one behind row. *any: the
 * value cannot be looked up, and all rows may have it. SQL_KEPT_NONE: there is none.
 */
size_t sql_kept_find(struct sql_kept *kept, const struct sql_table *t, size_t column,
		     sqlite3_value *value, bool *any);
size_t sql_kept_next(const struct sql_kept *kept, size_t column, size_t row);

/* Gives the value of a row; the text of a list goes to json. */
void sql_kept_value(const struct sql_kept *kept, size_t row, size_t column, struct sqlite_value *v,
		    struct tdat_build *json);

#endif
