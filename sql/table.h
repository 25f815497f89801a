/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares one table of a trace in SQL, for the files of this folder. */
#ifndef SQL_TABLE_H
#define SQL_TABLE_H

#include "export/columns/sqlite_value.h"
#include "trace.h"

struct sql_plan;
struct sql_kept;
struct sql_fold;

/* A column that has no place in a table. */
#define SQL_NO_COLUMN SIZE_MAX

struct sql_table {
	sqlite3_vtab base;
	struct sql_trace *trace;
	const struct tdat_table *table;
	struct column_types types; /* of all columns but text */
	struct column_types text;  /* the column text, hidden; none where count is 0 */
	size_t column_count;	   /* of both */
	bool quiet;		   /* that it has no row is not reported */
	bool plain;		   /* nothing goes into the reader */
	bool ordered;		   /* rows come by ts, and its conditions can go into the reader */
	size_t ts, cpu, pid, system, event; /* columns, or SQL_NO_COLUMN */
	struct sql_plan **plans;	    /* by the number that SQLite has */
	size_t plan_count, plan_room;
	struct sql_kept *kept;	     /* all rows, of a table of kind META; NULL: not read yet */
	const struct sql_fold *fold; /* rows are folded: hidden columns of it follow; NULL: no */
};

static inline const struct column_type *sql_table_column(const struct sql_table *t, size_t column)
{
	return column < t->types.count ? &t->types.v[column] : &t->text.v[column - t->types.count];
}

#endif
