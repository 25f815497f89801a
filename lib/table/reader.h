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
#include "reader_table.h"

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

/* Tells what derived tables left out, to the function of the options. */
void reader_notes(const struct reader *r, const struct tdat_table_opts *opts);

/* The damage so far: the iterator's, and of further CPUs that which tables of facts met; borrowed.
 */
const struct tdat_stream_damage *reader_damage(struct reader *r, size_t *count);

#endif
