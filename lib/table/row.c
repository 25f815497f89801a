/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts rows of tables of facts (meta.c) and of derived tables (derived_rows.c). Each value goes to
 * the builder of its column, in Arrow's layout; a column that is not wanted has none. A failure is
 * a flag, which is asked at the end.
 */
#include "row.h"

#include <stdlib.h>

#include "utf8_put.h"

/*
 * Joins the shared and the own columns of a table. "file" is left out with one input; the first
 * time column is never null, others may be.
 */
struct table_column *row_columns(const struct meta_column *head, const struct meta_column *own,
				 bool with_file, bool wall, size_t *count)
{
	const struct meta_column *const lists[] = {head, own};
	struct table_column *to;
	size_t n = 0;

	for (size_t i = 0; i < 2; i++)
		for (const struct meta_column *m = lists[i]; m->name; m++)
			n++;
	to = calloc(n + 1, sizeof(*to));
	*count = 0;
	/* Round 0: the shared columns; round 1: those of the table. */
	for (size_t i = 0; i < 2 && to; i++)
		for (const struct meta_column *m = lists[i]; m->name; m++)
			if (i || with_file || strcmp(m->name, "file") != 0)
				to[(*count)++] = (struct table_column){
					.name = m->name,
					.type = m->type,
					.len = m->len,
					.is_signed = m->is_signed,
					.may_be_null = i || m->type != TABLE_TIME,
					.wall = m->type == TABLE_TIME && wall};
	return to;
}

void row_add_int(struct table_row *r, int64_t v)
{
	row_put_fixed(r, row_next(r), (uint64_t)v);
}

/* Bytes of bits are added as rows reach them. */
static void put_bit(struct table_row *r, struct table_builder *b, bool v)
{
	if (b->rows % 8 == 0)
		r->failed |= !table_mem_put(&b->data, &(uint8_t){0}, 1);
	if (!r->failed)
		b->data.ptr[b->rows / 8] |= (uint8_t)((unsigned)v << (b->rows & 7));
	row_added(r, b);
}

void row_add_bool(struct table_row *r, bool v)
{
	put_bit(r, row_next(r), v);
}

/* Ends a text or a list at size: bytes of text, items of a list. */
void row_put_end(struct table_row *r, struct table_builder *b, size_t size)
{
	const int32_t end = (int32_t)size, zero = 0;

	if (!b->offsets.len)
		r->failed |= !table_mem_put(&b->offsets, &zero, sizeof(zero));
	/* Metadata is below option_len and its like; a text beyond 2 GiB cannot be returned. */
	r->failed |= size > INT32_MAX || !table_mem_put(&b->offsets, &end, sizeof(end));
	row_added(r, b);
}

/* Adds a null to the column: its value is nothing, of no length in texts and lists. */
void row_add_null(struct table_row *r)
{
	struct table_builder *b = row_next(r);

	table_builder_null(b, b->rows);
	if (b->has_ends)
		row_put_end(r, b, b->data.len / b->width);
	else if (b->width)
		row_put_fixed(r, b, 0);
	else
		put_bit(r, b, false);
}

/* Adds a text in the way of its column: an index, bytes, or UTF-8; null without a pointer. */
void row_add_text(struct table_row *r, struct tdat_span text)
{
	struct table_builder *b = r->builders[r->at];
	int32_t index = 0;

	if (!text.ptr) {
		row_add_null(r);
		return;
	}
	r->at++;
	if (b->column->type == TABLE_NAME) {
		r->failed |= !table_dict_text(b->dict, text.ptr, text.len, &index);
		if (!r->failed)
			row_put_fixed(r, b, (uint64_t)index);
		return;
	}
	if (b->column->type == TABLE_BYTES)
		r->failed |= !table_mem_put(&b->data, text.ptr, text.len);
	else
		r->failed |= !table_put_utf8(&b->data, text.ptr, text.len);
	row_put_end(r, b, b->data.len);
}
