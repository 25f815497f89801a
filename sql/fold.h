/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what the reader counts and adds up (fold_query.c, group.c). SQLite asks a virtual table
 * for rows only; so a query such as SELECT event, count(*), max(ts) FROM events GROUP BY 1 is
 * prepared as one of a table whose rows are combinations of values, with hidden columns for their
 * numbers, sums and bounds.
 */
#ifndef SQL_FOLD_H
#define SQL_FOLD_H

#include <stdbool.h>

#include "sqlite_api.h"
#include "trace.h"

/* What a hidden column has of the rows of a combination. */
enum fold_kind {
	FOLD_ROWS,  /* their number */
	FOLD_PART,  /* ts / divisor, a part of the combination itself */
	FOLD_WHEN,  /* no value: conditions on ts, which the reader meets exactly */
	FOLD_COUNT, /* of values of a column that are not null; from here on there is a sum */
	FOLD_SUM,
	FOLD_HIGH, /* the sum without its low 32 bits, divided by 2^32 */
	FOLD_LOW,  /* these bits */
	FOLD_LEAST,
	FOLD_GREATEST
};

enum { FOLD_VALUES = 24 };

struct sql_fold {
	const struct tdat_table *table;
	struct fold_value {
		enum fold_kind kind;
		size_t column; /* of the table, where there is a sum */
	} values[FOLD_VALUES];
	size_t count;
	uint64_t divisor; /* 0: none */
};

static inline bool sql_fold_is_sum(enum fold_kind kind)
{
	return kind >= FOLD_COUNT;
}

#endif
