/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares joins of spans, for span_join.c and span_pieces.c. */
#ifndef SQL_SPAN_JOIN_H
#define SQL_SPAN_JOIN_H

#include "queries.h"

enum join_kind { JOIN_INNER, JOIN_LEFT, JOIN_OUTER };

/* One of the two tables: its columns behind ts, dur and the partition, by name. */
struct join_def {
	char *table, *partition; /* partition NULL: none */
	char **columns;
	size_t count;
};

struct join_table {
	sqlite3_vtab base;
	struct sql_queries *q;
	enum join_kind kind;
	struct join_def sides[2];
	char *partition; /* of the result; NULL: none */
};

/*
 * A side while it is read. Its rows are pieces of time, and so are the gaps around them where the
 * join shows the other side alone. A row without a length is a moment.
 */
struct join_side {
	sqlite3_stmt *stmt;
	bool row; /* the statement is at a row that is a piece, or the one behind the gap */
	int64_t partition;
	enum { PIECE_NONE, PIECE_ROW, PIECE_GAP } kind;
	int64_t ts, end; /* of the piece */
	bool is_open;	 /* dur was -1: the end is not known */
};

struct join_cursor {
	sqlite3_vtab_cursor base;
	struct join_side sides[2];
	int64_t partition;
	bool in_partition, shown, ended;
	int64_t number;
};

/* Begins to read a side, and reads its first row. */
int span_start(struct join_table *t, struct join_cursor *c, size_t side);
/* xNext: moves to the next pieces of both sides that share a moment. */
int span_next(sqlite3_vtab_cursor *base);

#endif
