/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the events of a trace, or of pieces of it, once, and makes rows of the tables that are
 * wanted: each event goes to the tables it belongs to, and the rows of a table are given out as
 * a batch when there are enough. It belongs to one thread.
 */
#ifndef TDAT_TABLE_READER_H
#define TDAT_TABLE_READER_H

#include <stdatomic.h>

#include "read/iter.h"
#include "trace.h"

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
/* *missing is a column of opts that none of the tables has, or NULL. */
enum tdat_status reader_missing(const char **missing, const struct tdat_trace *trace,
				const struct reader_choice *c, size_t count,
				const struct tdat_table_opts *opts, struct tdat_error *err);
void reader_choice_fini(struct reader_choice *c);

/* One table that is read. */
struct reader_table {
	const struct reader_choice *choice;
	struct reader_choice *own; /* made by this reader, where the choice was left for later */
	struct table_builder *builders;	 /* of each column; NULL: no row came yet */
	size_t rows, len;		 /* bytes of the rows */
	size_t size;			 /* bytes of memory */
	size_t first_route, route_count; /* of an event type */
	bool last;			 /* its builders are not used behind this batch */
	bool resolved;			 /* its routes know how events are decoded */
};

/* Gives a table its builders. False: no memory. */
bool reader_start_table(struct reader_table *t);
/* Frees them. */
void reader_end_table(struct reader_table *t);
/* Bytes of the rows, and in *size those of memory with the builders. */
size_t reader_table_len(const struct reader_table *t, size_t *size);
enum tdat_status reader_no_memory(const struct reader_table *t, struct tdat_error *err);

/* What of a trace is read. */
struct reader_span {
	const struct tdat_table_opts *opts;
	const struct read_cuts *cuts; /* where pieces begin and end; NULL: all is read */
	uint32_t first, end;	      /* the pieces */
	bool metas;		      /* tables of kind META and DERIVED, too */
	/*
	 * By choice: rows of the last batch that some reader had of it, so that others make room
	 * for about as many at once. NULL: not wanted.
	 */
	_Atomic(uint32_t) *expected;
	/*
	 * Called between events with the bytes of memory that the rows of all tables take, about;
	 * it may wait until others have given back some. NULL: not wanted.
	 */
	void (*holds)(void *ctx, size_t size);
	void *holds_ctx;
};

struct reader;

/* Everything given must outlive the reader. */
enum tdat_status reader_new(struct reader **out, const struct tdat_trace *trace,
			    const struct reader_choice *choices, size_t count,
			    const struct reader_span *span, struct tdat_error *err);
void reader_free(struct reader *r);

/*
 * Reads on until a table has a batch; *full is that table, or NULL at the end of all events and
 * rows. Its rows are gone at the next call.
 */
enum tdat_status reader_next(struct reader *r, const struct reader_table **full,
			     struct tdat_error *err);

/* The rows of a full table as a struct array; with move it owns its memory. */
enum tdat_status reader_array(const struct reader_table *t, struct ArrowArray *out, bool move,
			      struct tdat_error *err);

/* Tells what derived tables left out, to the function of the options. */
void reader_notes(const struct reader *r, const struct tdat_table_opts *opts);

/* Damage of a CPU; the last counts. False: no memory. */
bool reader_add_damage(struct reader *r, const struct tdat_stream_damage *d);
/* The damage so far: the iterator's, and of further CPUs that which tables of facts met; borrowed.
 */
const struct tdat_stream_damage *reader_damage(struct reader *r, size_t *count);

#endif
