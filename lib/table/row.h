/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Puts the values of rows that are made one by one, of tables whose columns are a list in the code.
 */
#ifndef TDAT_TABLE_ROW_H
#define TDAT_TABLE_ROW_H

#include "builder.h"

/* One column of such a table. */
struct meta_column {
	const char *name; /* NULL ends the list */
	enum table_type type;
	uint8_t len;
	bool is_signed;
};

/*
 * The columns of two lists, in memory of malloc; NULL: none. Of the first list "file" is left out
 * unless there are several inputs, and all but ts may be null.
 */
struct table_column *row_columns(const struct meta_column *head, const struct meta_column *own,
				 bool with_file, bool wall, size_t *count);

/* A row that is under way. Values are put for each column of the table, in order. */
struct table_row {
	struct table_builder **builders; /* of all columns; NULL: not wanted */
	size_t at;			 /* the next column */
	bool failed;			 /* memory ran out */
};

/* Goes over the next column if it is not wanted. */
static inline bool row_skip(struct table_row *r)
{
	if (r->builders[r->at])
		return false;
	r->at++;
	return true;
}

static inline struct table_builder *row_next(struct table_row *r)
{
	return r->builders[r->at++];
}

/* Ends a value, which may have been the one that there was no memory for. */
static inline void row_added(struct table_row *r, struct table_builder *b)
{
	table_builder_added(b, 1);
	r->failed |= b->failed;
}

/* A number of a column's own width. */
static inline void row_put_fixed(struct table_row *r, struct table_builder *b, uint64_t v)
{
	const size_t len = b->width;
	uint8_t *room = table_mem_room(&b->data, len);

	if (!room) {
		r->failed = true;
		return;
	}
	table_put_wide(room, v, len);
	b->data.len += len;
	row_added(r, b);
}

/* Ends a text or a list of size bytes or elements. */
void row_put_end(struct table_row *r, struct table_builder *b, size_t size);

/* As the functions below, of a column that is wanted. */
void row_add_int(struct table_row *r, int64_t v);
void row_add_null(struct table_row *r);
void row_add_bool(struct table_row *r, bool v);
void row_add_text(struct table_row *r, struct tdat_span text);

static inline void row_put_int(struct table_row *r, int64_t v)
{
	if (!row_skip(r))
		row_add_int(r, v);
}

/* Any column. */
static inline void row_put_null(struct table_row *r)
{
	if (!row_skip(r))
		row_add_null(r);
}

static inline void row_put_known(struct table_row *r, bool known, uint64_t v)
{
	if (known)
		row_put_int(r, (int64_t)v);
	else
		row_put_null(r);
}

static inline void row_put_bool(struct table_row *r, bool v)
{
	if (!row_skip(r))
		row_add_bool(r, v);
}

/* A text, a name or bytes; ptr NULL is null. */
static inline void row_put_text(struct table_row *r, struct tdat_span text)
{
	if (!row_skip(r))
		row_add_text(r, text);
}

static inline void row_put_str(struct table_row *r, const char *text)
{
	row_put_text(r, (struct tdat_span){(const uint8_t *)text, text ? strlen(text) : 0});
}

#endif
