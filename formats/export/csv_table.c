/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The exporter of tables as CSV (RFC 4180). That of events, which dump --csv uses, is in csv.c and
 * has the same name.
 */
#include "columns/row_text.h"
#include "exporters.h"
#include "put_text.h"
#include "state.h"

/* Writes a text; an empty one gets quotes, since an empty value is a null. */
static void put_text(struct tdat_build *out, const void *p, size_t len)
{
	if (len)
		export_csv_str(out, p, len);
	else
		tdat_build_str(out, "\"\"");
}

/* Writes a value that is not a list. */
static void put_flat(struct tdat_build *out, const struct column_type *type,
		     const struct cell *value)
{
	static const char *const names[3] = {"nan", "inf", "-inf"};
	struct tdat_span s;

	switch (type->kind) {
	case COLUMN_TEXT:
		s = cell_bytes(value);
		put_text(out, s.ptr, s.len);
		break;
	case COLUMN_BYTES:
		s = cell_bytes(value);
		tdat_build_hex(out, s.ptr, s.len);
		if (!s.len)
			tdat_build_str(out, "\"\"");
		break;
	case COLUMN_DOUBLE:
		row_text_double(out, cell_number(value, type), names);
		break;
	default:
		row_text_json_value(out, type, value);
	}
}

/*
 * Writes a list: numbers with blanks between, as dump --csv prints arrays; lists of texts as JSON
 * in a text.
 */
static void put_list(struct tdat_build *out, const struct column_type *type,
		     const struct array_view *view, const struct cell *list)
{
	const int32_t first = cell_first(list), end = cell_end(list);
	struct cell item;

	if (type->kind == COLUMN_TEXT || type->kind == COLUMN_BYTES) {
		struct tdat_build json;

		tdat_build_init(&json, false);
		row_text_json_list(&json, type, view, list);
		out->failed |= json.failed;
		export_csv_str(out, json.ptr, json.len);
		tdat_build_fini(&json);
		return;
	}
	if (first == end)
		tdat_build_str(out, "\"\"");
	for (int32_t k = first; k < end; k++) {
		if (k > first)
			tdat_build_u8(out, ' ');
		if (cell_of_item(&item, view, k))
			put_flat(out, type, &item);
		else
			tdat_build_str(out, "null");
	}
}

static void csv_value(struct tdat_build *out, const void *ctx, const struct column_type *type,
		      const struct array_view *view, const struct cell *value)
{
	(void)ctx;
	if (type->is_list)
		put_list(out, type, view, value);
	else
		put_flat(out, type, value);
}

static void csv_before(struct tdat_build *out, const struct column_type *type, size_t i)
{
	(void)type;
	if (i)
		tdat_build_u8(out, ',');
}

static void csv_head(struct tdat_build *out, const struct column_types *types)
{
	for (size_t i = 0; i < types->count; i++) {
		csv_before(out, &types->v[i], i);
		put_text(out, types->v[i].name, strlen(types->v[i].name));
	}
	tdat_build_bytes(out, "\r\n", 2);
}

static const struct row_style csv_style = {
	.what = "CSV",
	.head = csv_head,
	.before = csv_before,
	.value = csv_value,
	.null = "",
	.row_end = "\r\n",
};

static enum tdat_status csv_table_begin(void *state, const char *name,
					const struct ArrowSchema *schema, tdat_write_fn write,
					void *write_ctx, void **part, struct tdat_error *err)
{
	(void)name;
	return row_table_begin(part, &csv_style, state, schema, write, write_ctx, err);
}

static const struct tdat_columns_ops csv_columns = {
	.size = sizeof(struct tdat_columns_ops),
	.suffix = ".csv",
	.table_begin = csv_table_begin,
	.batch = row_table_batch,
	.table_end = row_table_end,
};

const struct tdat_exporter export_csv = {
	.size = sizeof(struct tdat_exporter),
	.name = "csv",
	.summary = "CSV, one line per table row (RFC 4180)",
	.kind = TDAT_EXPORT_TABLES,
	.begin = row_export_begin,
	.columns = &csv_columns,
	.end = export_end_free,
	.suffixes = ".csv",
};
