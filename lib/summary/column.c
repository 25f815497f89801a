/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads values of the columns that lib/table makes. A column of a batch is an Arrow array; these
 * functions read single values of any type for summaries, which use few columns. Formats of
 * columns are read once (summary_column_init), arrays once for each batch.
 */
#include "column.h"

#include <inttypes.h>

#include "core/build.h"

void summary_column_init(struct summary_column *c, const struct ArrowSchema *schema)
{
	*c = (struct summary_column){.kind = schema->dictionary ? '#' : *schema->format};
	/* Timestamps with a zone are int64 as well. */
	if (*schema->format == 't')
		c->kind = 'l';
	if (*schema->format == '+')
		c->item = *schema->children[0]->format;
}

bool summary_column_is_number(const struct summary_column *c)
{
	return c->kind && strchr("bcCsSiIlL", c->kind);
}

/* Names in a dictionary are int32 indices. */
struct tdat_span summary_column_text(const struct summary_column *c, int64_t row)
{
	if (c->kind == '#')
		return tdat_arrow_text(c->array->dictionary,
				       ((const int32_t *)c->array->buffers[1])[row]);
	if (c->kind == 'u' || c->kind == 'z')
		return tdat_arrow_text(c->array, row);
	return (struct tdat_span){NULL, 0};
}

/* Unsigned numbers of 64 bits would become negative. */
static void put_number(struct tdat_build *out, char kind, int64_t v)
{
	if (kind == 'L')
		tdat_build_printf(out, "%" PRIu64, (uint64_t)v);
	else
		tdat_build_printf(out, "%" PRId64, v);
}

/* Joins the items with ';', as folded stacks have them. */
static void put_list(const struct summary_column *c, int64_t row, struct tdat_build *out)
{
	const int32_t *ends = c->array->buffers[1];
	const struct ArrowArray *items = c->array->children[0];

	for (int32_t i = ends[row]; i < ends[row + 1]; i++) {
		if (i > ends[row])
			tdat_build_u8(out, ';');
		if (c->item == 'u') {
			const struct tdat_span text = tdat_arrow_text(items, i);

			tdat_build_bytes(out, text.ptr, text.len);
		} else {
			put_number(out, c->item, tdat_arrow_number(c->item, items->buffers[1], i));
		}
	}
}

/* Puts any value as text; nothing for null, which callers tell from an empty text. */
void summary_column_put(const struct summary_column *c, int64_t row, struct tdat_build *out)
{
	const struct tdat_span text = summary_column_text(c, row);

	if (summary_column_is_null(c, row))
		return;
	if (c->kind == '+')
		put_list(c, row, out);
	else if (c->kind == 'z')
		tdat_build_hex(out, text.ptr, text.len);
	else if (text.ptr)
		tdat_build_bytes(out, text.ptr, text.len);
	else
		put_number(out, c->kind, summary_column_int(c, row));
}
