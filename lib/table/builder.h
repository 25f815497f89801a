/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Builds the rows of one column in Arrow's layout: a bitmap of the rows that are not null (none
 * while all are), and the values. Source: "Physical memory layout" of the Arrow columnar
 * format. It belongs to one thread; when memory runs out it sets failed and stays as it is.
 */
#ifndef TDAT_TABLE_BUILDER_H
#define TDAT_TABLE_BUILDER_H

#include <tdat/arrow.h>

#include "dict.h"
#include "schema.h"

struct table_builder {
	const struct table_column *column;
	size_t rows, nulls;
	size_t expected;	  /* rows that a batch will have, about; 0: unknown */
	struct table_mem valid;	  /* a bit for each row; empty: all are valid */
	struct table_mem data;	  /* numbers, bits, characters, or numbers of lists */
	struct table_mem offsets; /* int32: where a text or list ends; TEXT, BYTES, LIST */
	struct table_dict *dict;  /* NAME, LIST_NAME */
	size_t dict_len;	  /* characters that it had when the batch began */
	size_t names_len;	  /* LIST_NAME: characters of the items' names */
	bool failed;
	uint8_t width; /* bytes of a value, or of an item of a list; texts: 1; BOOL: 0 */
	bool has_ends; /* TEXT, BYTES, LIST, LIST_NAME: offsets are used */
};

bool table_builder_init(struct table_builder *b, const struct table_column *column);
void table_builder_fini(struct table_builder *b);
/* Begins a new batch: no rows; the dictionary stays, unless it has grown large. */
void table_builder_clear(struct table_builder *b);
/* Bytes of the rows, with the names that came into the dictionary since the batch began. */
size_t table_builder_len(const struct table_builder *b);
/* Bytes of memory held. */
size_t table_builder_size(const struct table_builder *b);

/* Makes the bitmap so long that it has a bit for each of so many rows. */
bool table_builder_extend(struct table_builder *b, size_t rows);

/* Makes a row null; rows are numbered in the batch, and come in order. */
static inline void table_builder_null(struct table_builder *b, size_t row)
{
	b->nulls++;
	if (row / 8 < b->valid.len || table_builder_extend(b, row + 1))
		b->valid.ptr[row / 8] &= (uint8_t) ~(1u << (row & 7));
}

/* The same for n rows from row on. */
void table_builder_nulls(struct table_builder *b, size_t row, size_t n);
/* Ends adding n rows. */
static inline void table_builder_added(struct table_builder *b, size_t n)
{
	b->rows += n;
	if (b->nulls && (b->rows + 7) / 8 > b->valid.len)
		table_builder_extend(b, b->rows);
}

/* Adds an item to the list that is under way, a name of the dictionary; false: no memory. */
static inline bool table_builder_put_name(struct table_builder *b, int32_t index)
{
	b->names_len += table_dict_at(b->dict, (size_t)index).len;
	return table_mem_put(&b->data, &index, sizeof(index));
}

/* What of a builder's memory an array owns. */
enum table_give {
	TABLE_LEND,    /* none: it is borrowed until the builder is changed */
	TABLE_MOVE,    /* the rows; of the dictionary it has a copy, since that goes on growing */
	TABLE_MOVE_ALL /* the dictionary, too: the builder is only good for table_builder_fini */
};

/* The array of the rows. False: no memory; unless all is moved the builder is as it was. */
bool table_builder_array(struct table_builder *b, struct ArrowArray *out, enum table_give give);

#endif
