/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One Parquet file while it is written: its columns, the row group that is open, and what the
 * footer must say of the row groups that are written.
 */
#ifndef PARQUET_TABLE_H
#define PARQUET_TABLE_H

#include <stdatomic.h>

#include <tdat/sink.h>

#include "column.h"
#include "export/columns/table_columns.h"
#include "group_facts.h"

/* What the options of an export say, and what its tables share. */
struct parquet_export {
	struct scratch_pool pool; /* of column_scratch, which a table has while it works */
	uint64_t group_rows;	  /* most rows of a row group */
	bool group_rows_told;	  /* by an option: its bytes do not end it */
	size_t memory;		  /* bytes that a table keeps */
	bool as_signed;		  /* integers without a sign are written as such with one */
	size_t budget;		  /* bytes that all tables keep; 0: no limit */
	atomic_size_t held;	  /* bytes that all tables keep, as they told */
};

enum { PARQUET_HEAD_LEN = 4 }; /* of the file: row groups begin behind it */

struct parquet_table {
	struct parquet_export *export;
	struct table_columns input;
	struct column_setup setup;
	size_t most;		/* bytes that it may keep */
	struct column *columns; /* one for each type */
	tdat_write_fn write;
	void *write_ctx;
	uint64_t off;		   /* bytes written */
	uint64_t rows;		   /* of all row groups */
	uint64_t group_rows;	   /* of the row group that is open */
	uint64_t group_bits;	   /* of its rows, as they were given */
	size_t sorted;		   /* the column that rows come in order of; SIZE_MAX: none */
	bool in_order;		   /* its values never fell in the open row group */
	int64_t last;		   /* the last one of these */
	size_t told;		   /* bytes of export->held that are this table's */
	struct group_facts groups; /* those that are written */
};

static inline enum tdat_status table_write(struct parquet_table *t, const void *p, size_t len,
					   struct tdat_error *err)
{
	t->off += len;
	return len ? t->write(t->write_ctx, p, len, err) : TDAT_OK;
}

/* Begins a row group: it has no rows, which are in order. */
static inline void row_group_begin(struct parquet_table *t)
{
	t->group_rows = 0;
	t->group_bits = 0;
	t->in_order = t->sorted != SIZE_MAX;
	t->last = INT64_MIN;
}

/* Writes the open row group, if it has rows (row_group.c). */
enum tdat_status row_group_write(struct parquet_table *t, struct tdat_error *err);

/* Writes what is behind the row groups (footer.c). */
enum tdat_status footer_write(struct parquet_table *t, struct tdat_error *err);

#endif
