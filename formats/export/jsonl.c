/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The exporter of tables as JSON lines: an object for each row. Rows come from tables
 * (row_text.c walks them), so values are typed by the schema: numbers, booleans, strings,
 * lists. Keys are escaped once for each table.
 */
#include "columns/row_text.h"
#include "core/json_text.h"
#include "core/number.h"
#include "exporters.h"
#include "state.h"

/*
 * True if values of the column are written in hexadecimal: unsigned ones of 64 bits, as addresses
 * are.
 */
static bool is_hex(const struct row_export *x, const struct column_type *type)
{
	return x->hex && type->kind == COLUMN_INT && type->width == 8 && !type->is_signed;
}

/* True if values of the column are written as strings. */
static bool is_string(const struct row_export *x, const struct column_type *type)
{
	return x->strings && type->width == 8 && type->kind != COLUMN_DOUBLE;
}

/* Writes a value that is not a list. */
static void put_flat(struct tdat_build *out, const struct row_export *x,
		     const struct column_type *type, const struct cell *value)
{
	if (is_hex(x, type)) {
		tdat_build_str(out, "\"0x");
		tdat_number_x64(out, cell_number(value, type), 0);
		tdat_build_u8(out, '"');
	} else if (is_string(x, type)) {
		tdat_build_u8(out, '"');
		row_text_json_value(out, type, value);
		tdat_build_u8(out, '"');
	} else {
		row_text_json_value(out, type, value);
	}
}

/* Writes a value for row_text.c; lists become arrays. */
static void jsonl_value(struct tdat_build *out, const void *ctx, const struct column_type *type,
			const struct array_view *view, const struct cell *value)
{
	struct cell item;

	if (!type->is_list) {
		put_flat(out, ctx, type, value);
		return;
	}
	tdat_build_u8(out, '[');
	for (int32_t k = cell_first(value); k < cell_end(value); k++) {
		if (k > cell_first(value))
			tdat_build_u8(out, ',');
		if (cell_of_item(&item, view, k))
			put_flat(out, ctx, type, &item);
		else
			tdat_build_str(out, "null");
	}
	tdat_build_u8(out, ']');
}

/* Text before the value of column i: the brace or comma, and the key. */
static void jsonl_before(struct tdat_build *out, const struct column_type *type, size_t i)
{
	tdat_build_u8(out, i ? ',' : '{');
	tdat_json_quoted(out, type->name, strlen(type->name));
	tdat_build_u8(out, ':');
}

static const struct row_style jsonl_style = {
	.what = "JSON",
	.before = jsonl_before,
	.value = jsonl_value,
	.null = "null",
	.row_end = "}\n",
};

static enum tdat_status jsonl_table_begin(void *state, const char *name,
					  const struct ArrowSchema *schema, tdat_write_fn write,
					  void *write_ctx, void **part, struct tdat_error *err)
{
	(void)name;
	return row_table_begin(part, &jsonl_style, state, schema, write, write_ctx, err);
}

static const struct tdat_keyed_option_desc jsonl_options[] = {
	{"hex", NULL, "write unsigned 64-bit numbers as hexadecimal strings, \"0xff\""},
	{"strings", NULL, "write 64-bit numbers as strings, for readers that round them"},
	{NULL, NULL, NULL},
};

static const struct tdat_columns_ops jsonl_columns = {
	.size = sizeof(struct tdat_columns_ops),
	.suffix = ".jsonl",
	.table_begin = jsonl_table_begin,
	.batch = row_table_batch,
	.table_end = row_table_end,
};

const struct tdat_exporter export_jsonl = {
	.size = sizeof(struct tdat_exporter),
	.name = "jsonl",
	.summary = "JSON lines, one object per table row",
	.kind = TDAT_EXPORT_TABLES,
	.options = jsonl_options,
	.begin = row_export_begin,
	.columns = &jsonl_columns,
	.end = export_end_free,
	.suffixes = ".jsonl .ndjson",
};
