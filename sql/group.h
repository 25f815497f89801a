/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Groups the rows of a query: only the different combinations of their values are kept, with the
 * number of each, and in a fold sums. SQLite then gets the rows of a group one after the other, and
 * need not sort them all.
 */
#ifndef SQL_GROUP_H
#define SQL_GROUP_H

#include "rows.h"

struct sql_group;

/* r has been started, and outlives the group. */
enum tdat_status sql_group_new(struct sql_group **out, struct sql_rows *r, const struct sql_plan *p,
			       struct tdat_error *err);
void sql_group_free(struct sql_group *g);

/*
 * Reads rows in place of those that the group had: all, or, where no order was promised, until
 * there are many combinations.
 */
enum tdat_status sql_group_read(struct sql_group *g, struct sql_rows *r, struct tdat_error *err);

/* These return the number of combinations, and how many rows have one. */
size_t sql_group_count(const struct sql_group *g);
uint64_t sql_group_rows(const struct sql_group *g, size_t combination);
/* Gives the value of a column in a combination; texts are valid until the next are read. */
void sql_group_value(const struct sql_group *g, size_t combination, size_t column,
		     struct sqlite_value *v);
/* Gives the value of a column of the fold. False: the sum does not fit into 64 bits. */
bool sql_group_fold(const struct sql_group *g, size_t combination, size_t column,
		    struct sqlite_value *v);

#endif
