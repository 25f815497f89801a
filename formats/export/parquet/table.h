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

/* What the options of an export say, and what its tables share. */
struct parquet_export {
	struct zstd_pool zstd;
	bool compress;
	uint64_t group_rows; /* rows of a row group */
	size_t memory;	     /* bytes that a table keeps */
	size_t budget;	     /* bytes that all tables keep; 0: no limit */
	atomic_size_t held;  /* bytes that all tables keep, as they told */
};

/* Lengths of what is kept of a column chunk that is written. */
struct chunk_lens {
	uint32_t meta, column_index, offset_index;
};

struct row_group {
	uint64_t rows, off, raw_len, len;
};

struct parquet_table {
	struct parquet_export *export;
	struct column_types types;
	struct column_setup setup;
	size_t most;		/* bytes that it may keep */
	struct column *columns; /* one for each type */
	struct array_view *views;
	tdat_write_fn write;
	void *write_ctx;
	uint64_t off;	     /* bytes written */
	uint64_t rows;	     /* of all row groups */
	uint64_t group_rows; /* of the row group that is open */
	size_t told;	     /* bytes of export->held that are this table's */
	/* Of each row group that is written, and of each of its column chunks. */
	struct row_group *groups;
	size_t group_count, group_cap;
	struct chunk_lens *chunks;
	size_t chunk_count, chunk_cap;
	struct tdat_build metas, column_indexes, offset_indexes;
};

enum tdat_status table_write(struct parquet_table *t, const void *p, size_t len,
			     struct tdat_error *err);

/* Writes the open row group, if it has rows (row_group.c). */
enum tdat_status row_group_write(struct parquet_table *t, struct tdat_error *err);

/* Writes what is behind the row groups (footer.c). */
enum tdat_status footer_write(struct parquet_table *t, struct tdat_error *err);

#endif
