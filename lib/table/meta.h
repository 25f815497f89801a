/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables of what files say of themselves: each is a list of columns and a function. */
#ifndef TDAT_TABLE_META_H
#define TDAT_TABLE_META_H

#include "builder.h"
#include "reader.h"

/* One column of such a table. */
struct meta_column {
	const char *name; /* NULL ends the list */
	enum table_type type;
	uint8_t len;
	bool is_signed;
};

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
 * The rows so far. A function of a table puts the values of a row in the order of the columns,
 * and then calls meta_row.
 */
struct meta_rows {
	const struct tdat_trace *trace;
	const struct table_meta *meta;
	struct table_builder **builders; /* of all columns, in order; NULL: not wanted */
	bool with_file;			 /* the first column is the input's name */
	size_t at;			 /* the next column */
	size_t count;			 /* of rows */
	struct reader *reader;		 /* is told of damage */
	bool failed;
	struct tdat_error error; /* why rows are missing, where it is not memory */
};

struct table_meta {
	const char *name;
	const struct meta_column *columns;
	/* Adds the rows of one input. False: no memory, or error says why. */
	bool (*rows)(struct meta_rows *r, const struct table_input *in);
};

extern const struct meta_column meta_tasks_columns[];
bool meta_tasks_rows(struct meta_rows *r, const struct table_input *in);

/* The table of these tables, and their number. */
const struct table_meta *table_metas(size_t *count);

/* The columns of a table of kind META, in memory of malloc; NULL: none. */
struct table_column *meta_columns(const struct tdat_trace *trace, const struct tdat_table *table,
				  size_t *count);
/* Adds all rows to builders of the chosen columns. */
enum tdat_status meta_fill(struct reader *reader, const struct tdat_trace *trace,
			   const struct reader_choice *choice, struct table_builder *builders,
			   size_t *rows, struct tdat_error *err);

void meta_int(struct meta_rows *r, int64_t v);
void meta_u64(struct meta_rows *r, uint64_t v);
void meta_bool(struct meta_rows *r, bool v);
void meta_text(struct meta_rows *r, struct tdat_span text); /* ptr NULL: null */
void meta_str(struct meta_rows *r, const char *text);	    /* NULL: null */
/* A null in a column of numbers. */
void meta_no_number(struct meta_rows *r);
/* Begins a row of an input. */
void meta_begin(struct meta_rows *r, const struct table_input *in);
/* Ends a row. False: memory ran out. */
bool meta_row(struct meta_rows *r);

#endif
