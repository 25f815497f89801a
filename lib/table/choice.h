/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which columns of a table are wanted. */
#ifndef TDAT_TABLE_CHOICE_H
#define TDAT_TABLE_CHOICE_H

#include "core/nearest.h"
#include "trace_data.h"

/*
 * The columns that are wanted of a table, found once and shared by readers. Those of an event type
 * may be found later, by each reader when the first event of that type comes: of ten thousands of
 * types most have none, and their schemas would take hundreds of MiB.
 */
struct reader_choice {
	const struct tdat_table *table;
	bool later;			     /* only table and lines are set */
	const struct table_schema *schema;   /* NULL: of kind META or DERIVED */
	const struct table_derived *derived; /* NULL: not of that kind */
	const struct table_column *all;	     /* its columns */
	size_t all_count;
	struct table_column *own; /* all, where it is of kind META or DERIVED */
	size_t *columns;	  /* those wanted, in that order */
	size_t column_count;
	bool lines; /* one of them is the event's text */
};

/* After a failure reader_choice_fini is needed, too. */
enum tdat_status reader_choose(struct reader_choice *c, const struct tdat_trace *trace,
			       const struct tdat_table *table, const struct tdat_table_opts *opts,
			       struct tdat_error *err);
/* The same for an event type, whose columns are found when they are needed. */
void reader_choose_later(struct reader_choice *c, const struct tdat_table *table,
			 const struct tdat_table_opts *opts);
/* missing->word is a column of opts that none of the tables has, or NULL; the best is near it. */
enum tdat_status reader_missing(struct tdat_near *missing, const struct tdat_trace *trace,
				const struct reader_choice *c, size_t count,
				const struct tdat_table_opts *opts, struct tdat_error *err);
/* Offers the columns of a table to a search. True: the word itself is one. */
bool reader_offers(const struct tdat_trace *trace, const struct tdat_table *table,
		   struct tdat_near *near);
void reader_choice_fini(struct reader_choice *c);

#endif
