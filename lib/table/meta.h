/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables of what files say of themselves: each is a list of columns and a function. */
#ifndef TDAT_TABLE_META_H
#define TDAT_TABLE_META_H

#include "row.h"
#include "trace_data.h"

#define INT(NAME, LEN)                                                                             \
	{                                                                                          \
		.name = NAME, .type = TABLE_INT, .len = LEN, .is_signed = true                     \
	}
#define UINT(NAME, LEN)                                                                            \
	{                                                                                          \
		.name = NAME, .type = TABLE_INT, .len = LEN                                        \
	}
#define TEXT(NAME)                                                                                 \
	{                                                                                          \
		.name = NAME, .type = TABLE_TEXT                                                   \
	}
#define NAMED(NAME)                                                                                \
	{                                                                                          \
		.name = NAME, .type = TABLE_NAME                                                   \
	}
#define BOOL(NAME)                                                                                 \
	{                                                                                          \
		.name = NAME, .type = TABLE_BOOL                                                   \
	}
#define TIME(NAME)                                                                                 \
	{                                                                                          \
		.name = NAME, .type = TABLE_TIME                                                   \
	}

/*
 * The rows so far. A function of a table begins a row, puts its values in the order of the columns
 * (row.h), and ends it.
 */
struct meta_rows {
	struct table_row row; /* the builders of all columns */
	const struct tdat_trace *trace;
	size_t count; /* of rows */
	/* Is told of damage of a CPU. False: no memory. */
	bool (*damaged)(void *ctx, const struct tdat_stream_damage *d);
	void *ctx;
	struct tdat_error error; /* why rows are missing, where it is not memory */
};

struct table_meta {
	const char *name, *summary;
	const struct meta_column *columns;
	/* Adds the rows of one input. False: no memory, or error says why. */
	bool (*rows)(struct meta_rows *r, const struct table_input *in);
};

extern const struct meta_column meta_tasks_columns[];
bool meta_tasks_rows(struct meta_rows *r, const struct table_input *in);

/* The table of these tables, and their number. */
const struct table_meta *table_metas(size_t *count);

/* The columns of a table, in memory of malloc; NULL: none. */
struct table_column *meta_columns(const struct table_meta *meta, bool with_file, bool wall,
				  size_t *count);
/* Adds the rows of all inputs to r, which has builders, a trace, and who is told of damage. */
enum tdat_status meta_fill(struct meta_rows *r, const struct table_meta *meta,
			   struct tdat_error *err);

/* Begins a row of an input. */
void meta_begin(struct meta_rows *r, const struct table_input *in);
/* Ends a row. False: memory ran out. */
bool meta_row(struct meta_rows *r);

#endif
