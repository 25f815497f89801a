/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The columns of a table with the record batch that is being written, value by value, for
 * exporters that write one value after the other. (Those of whole columns have array_view.h.)
 */
#ifndef EXPORT_TABLE_COLUMNS_H
#define EXPORT_TABLE_COLUMNS_H

#include "array_view.h"

struct table_columns {
	struct column_types types;
	struct array_view *views; /* of each column in the batch */
};

/* As column_types_init. After a failure there is nothing to free. */
enum tdat_status table_columns_init(struct table_columns *c, const struct ArrowSchema *schema,
				    const char *what, struct tdat_error *err);
void table_columns_fini(struct table_columns *c);

/* Takes a batch: views are those of its columns. All indices of dictionaries are checked. */
enum tdat_status table_columns_views(struct table_columns *c, const struct ArrowArray *rows,
				     struct tdat_error *err);
enum tdat_status table_columns_batch(struct table_columns *c, const struct ArrowArray *rows,
				     struct tdat_error *err);

/* One value that is not null: element i of the buffers of an array. */
struct cell {
	const struct ArrowArray *a;
	size_t i;
};

/* The value of a row; false: it is null. A text in a dictionary is that of the dictionary. */
static inline bool cell_of_row(struct cell *c, const struct column_type *type,
			       const struct array_view *view, size_t row)
{
	const uint8_t *valid = view->valid;

	*c = (struct cell){view->array, view->off + row};
	if (valid && !array_bit(valid, c->i))
		return false;
	if (!type->index_width)
		return true;
	c->i = (size_t)view->dictionary->offset + (size_t)array_index(view->array->buffers[1], c->i,
								      type->index_width,
								      type->index_signed);
	c->a = view->dictionary;
	valid = array_validity(c->a);
	return !valid || array_bit(valid, c->i);
}

/* Item number k of all items of a column of lists; false: it is null. */
static inline bool cell_of_item(struct cell *c, const struct array_view *view, int32_t k)
{
	const uint8_t *valid = array_validity(view->items);

	*c = (struct cell){view->items, (size_t)view->items->offset + (size_t)k};
	return !valid || array_bit(valid, c->i);
}

/* The items of a value that is a list are those from cell_first to before cell_end. */
static inline int32_t cell_first(const struct cell *c)
{
	return array_offsets(c->a)[c->i];
}

static inline int32_t cell_end(const struct cell *c)
{
	return array_offsets(c->a)[c->i + 1];
}

/* A number, or time, with its sign extended; of a double its bits. */
static inline uint64_t cell_number(const struct cell *c, const struct column_type *type)
{
	return array_index(c->a->buffers[1], c->i, type->width, type->is_signed);
}

static inline bool cell_bool(const struct cell *c)
{
	return array_bit(c->a->buffers[1], c->i);
}

/* A text or bytes. */
static inline struct tdat_span cell_bytes(const struct cell *c)
{
	const int32_t *offsets = array_offsets(c->a);
	const uint8_t *bytes = c->a->buffers[2];
	const size_t len = (size_t)(offsets[c->i + 1] - offsets[c->i]);

	return (struct tdat_span){len ? bytes + offsets[c->i] : NULL, len};
}

#endif
