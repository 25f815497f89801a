/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Plans which conditions of a query go into the reader, which columns are decoded, and in what
 * order rows come. SQLite asks for a plan before a query runs, and hands it back with the values of
 * the conditions when it does. It still checks each condition itself for each row, so that a plan
 * may let rows through but must never leave one out.
 */
#ifndef SQL_PLAN_H
#define SQL_PLAN_H

#include "table.h"

/* The subject of a condition. */
enum plan_role {
	PLAN_TS,
	PLAN_CPU,
	PLAN_PID,
	PLAN_SYSTEM,
	PLAN_EVENT,
	PLAN_KEY,  /* a column of a table that is kept, equal to a value */
	PLAN_LIMIT /* or OFFSET: bounds the rows of a batch */
};

/* The comparisons that the reader has something for, by SQLite's numbers, and IN. */
enum plan_compare {
	PLAN_IN = 0,
	PLAN_EQ = SQLITE_INDEX_CONSTRAINT_EQ,
	PLAN_GT = SQLITE_INDEX_CONSTRAINT_GT,
	PLAN_LE = SQLITE_INDEX_CONSTRAINT_LE,
	PLAN_LT = SQLITE_INDEX_CONSTRAINT_LT,
	PLAN_GE = SQLITE_INDEX_CONSTRAINT_GE
};

enum { PLAN_CONDITIONS = 8 };

struct sql_plan {
	uint64_t used; /* columns, by bit; bit 63 is for that one and all behind it */
	struct plan_condition {
		enum plan_role role;
		enum plan_compare compare;
		size_t column;
	} conditions[PLAN_CONDITIONS]; /* values come in this order */
	size_t condition_count;
	bool by_time;	   /* rows must come in the order of ts */
	uint64_t together; /* columns: rows with the same values come one after the other; 0: any */
	bool once;	   /* and only one of each */
	/*
	 * The columns of together in the order in which groups come. SQLite before 3.46 does not
	 * say when a query has ORDER BY beside GROUP BY, and then takes groups to be sorted.
	 */
	struct plan_order {
		uint8_t column;
		bool desc;
	} order[63];
	size_t order_count;
};

/*
 * True if rows with the same values in these columns, by bit, can be
 * counted instead of returned one by one.
 */
bool sql_can_group(const struct sql_table *t, uint64_t columns);

/* xBestIndex of a table. */
int sql_plan_make(sqlite3_vtab *table, sqlite3_index_info *info);

/* True if rows are read by conditions; LIMIT is none. */
static inline bool sql_plan_chooses(const struct sql_plan *p)
{
	for (size_t i = 0; i < p->condition_count; i++)
		if (p->conditions[i].role != PLAN_LIMIT)
			return true;
	return false;
}

static inline bool sql_plan_uses(const struct sql_plan *p, size_t column)
{
	return p->used >> (column < 63 ? column : 63) & 1;
}

#endif
