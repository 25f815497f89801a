/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares an attempt to fold a query, for fold_query.c, which understands it, and fold_text.c. */
#ifndef SQL_FOLD_QUERY_H
#define SQL_FOLD_QUERY_H

#include "fold.h"
#include "queries.h"
#include "table.h"

/* One attempt. Tokens are those of the first statement, and one SQL_END. */
struct fold {
	struct sql_trace *trace;
	sqlite3 *db;
	struct sql_token *v;
	size_t count;
	size_t from, after;	    /* FROM, and what is behind its table */
	const struct sql_token *as; /* the name that the table has in the query */
	const struct tdat_table *named;
	struct sql_table *table;
	struct sql_fold spec;
	bool *when; /* by token: a ts that is only compared */
	struct tdat_build out;
	const char *copied; /* until there the text is in out */
	size_t item;	    /* the first token of a column of the result */
	bool changed;	    /* there is an aggregate in it */
	bool any;	    /* or in any */
};

/* Compares a token with a name, in quotes or not. */
bool fold_names(const struct sql_token *t, const char *name);

/* Returns the column that token number i names, or SQL_NO_COLUMN. */
size_t fold_column(const struct fold *f, size_t i);

/*
 * fold_text.c: writes the query as one of the table of this name, and sets which columns the fold
 * has. False: the query cannot be folded.
 */
bool fold_text(struct fold *f, const char *table);

#endif
