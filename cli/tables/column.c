/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads values of the columns that lib/table makes. A column of a batch is an Arrow array;
 * these functions read single values of any type for commands that look at few columns.
 */
#include "tables/column.h"

#include <inttypes.h>

#include "core/build.h"

void cli_column_init(struct cli_column *c, const struct ArrowSchema *schema)
{
	*c = (struct cli_column){.kind = schema->dictionary ? '#' : *schema->format};
	if (*schema->format == 't')
		c->kind = 'l';
	if (*schema->format == '+')
		c->item = *schema->children[0]->format;
}

bool cli_column_is_number(const struct cli_column *c)
{
	return c->kind && strchr("bcCsSiIlL", c->kind);
}

static struct tdat_span text_at(const struct ArrowArray *a, int64_t i)
{
	const int32_t *ends = a->buffers[1];
	const uint8_t *chars = a->buffers[2];

	return (struct tdat_span){chars + ends[i], (size_t)(ends[i + 1] - ends[i])};
}

struct tdat_span cli_column_text(const struct cli_column *c, int64_t row)
{
	if (c->kind == '#')
		return text_at(c->array->dictionary, ((const int32_t *)c->array->buffers[1])[row]);
	if (c->kind == 'u' || c->kind == 'z')
		return text_at(c->array, row);
	return (struct tdat_span){NULL, 0};
}

static void put_number(struct tdat_build *out, char kind, int64_t v)
{
	if (kind == 'L')
		tdat_build_printf(out, "%" PRIu64, (uint64_t)v);
	else
		tdat_build_printf(out, "%" PRId64, v);
}

static void put_list(const struct cli_column *c, int64_t row, struct tdat_build *out)
{
	const int32_t *ends = c->array->buffers[1];
	const struct ArrowArray *items = c->array->children[0];

	for (int32_t i = ends[row]; i < ends[row + 1]; i++) {
		if (i > ends[row])
			tdat_build_u8(out, ';');
		if (c->item == 'u') {
			const struct tdat_span text = text_at(items, i);

			tdat_build_bytes(out, text.ptr, text.len);
		} else {
			put_number(out, c->item, cli_column_number(c->item, items->buffers[1], i));
		}
	}
}

void cli_column_put(const struct cli_column *c, int64_t row, struct tdat_build *out)
{
	const struct tdat_span text = cli_column_text(c, row);

	if (cli_column_is_null(c, row))
		return;
	if (c->kind == '+')
		put_list(c, row, out);
	else if (c->kind == 'z')
		tdat_build_hex(out, text.ptr, text.len);
	else if (text.ptr)
		tdat_build_bytes(out, text.ptr, text.len);
	else
		put_number(out, c->kind, cli_column_int(c, row));
}
