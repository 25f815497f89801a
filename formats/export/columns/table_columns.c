/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the columns of a table, and finds them in each of its record batches. */
#include "table_columns.h"

#include <stdlib.h>

/* Reads the columns of a table. On failure nothing need be freed. */
enum tdat_status table_columns_init(struct table_columns *c, const struct ArrowSchema *schema,
				    const char *what, struct tdat_error *err)
{
	enum tdat_status st = column_types_init(&c->types, schema, what, err);

	c->views = NULL;
	if (st != TDAT_OK)
		return st;
	c->views = calloc(c->types.count, sizeof(*c->views));
	if (c->views)
		return TDAT_OK;
	column_types_fini(&c->types);
	return tdat_error_no_memory(err, "the columns of a table");
}

void table_columns_fini(struct table_columns *c)
{
	free(c->views);
	column_types_fini(&c->types);
}

/* Checks the indices of rows that are not null, so that later code need not. */
static enum tdat_status check_indices(const struct column_type *type, const struct array_view *v,
				      struct tdat_error *err)
{
	const uint64_t count = (uint64_t)v->dictionary->length;

	for (size_t i = v->off; i < v->off + v->len; i++) {
		uint64_t index;

		if (v->valid && !array_bit(v->valid, i))
			continue;
		index = array_index(v->array->buffers[1], i, type->index_width, type->index_signed);
		if (index >= count)
			return array_bad_index(type, index, v->dictionary, err);
	}
	return TDAT_OK;
}

/* Looks at the columns of a batch, but not at the indices into dictionaries. */
enum tdat_status table_columns_views(struct table_columns *c, const struct ArrowArray *rows,
				     struct tdat_error *err)
{
	enum tdat_status st = array_batch_check(rows, c->types.count, err);

	for (size_t i = 0; st == TDAT_OK && i < c->types.count; i++)
		st = array_column(&c->views[i], rows, i, &c->types.v[i], err);
	return st;
}

enum tdat_status table_columns_batch(struct table_columns *c, const struct ArrowArray *rows,
				     struct tdat_error *err)
{
	enum tdat_status st = table_columns_views(c, rows, err);

	for (size_t i = 0; st == TDAT_OK && i < c->types.count; i++)
		if (c->types.v[i].index_width)
			st = check_indices(&c->types.v[i], &c->views[i], err);
	return st;
}
