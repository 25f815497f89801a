/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes tables as lines of text, and values as JSON. It walks a batch row by row and asks a
 * function of the format for each value, so CSV and JSON lines differ only in these. Text is
 * escaped, doubles are the shortest that read back alike. Output is flushed by whole rows.
 */
#include "row_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/json_text.h"
#include "core/number.h"
#include "export/state.h"

/* Bytes of text that are written at once. */
enum { FLUSH_LEN = 1 << 18 };

/* A table that is written as lines. */
struct row_table {
	const struct row_style *style;
	/* Passed to the style's value function. */
	const void *ctx;
	struct table_columns columns;
	/* Text before the values of each column; ends[i] is where that of column i ends. */
	struct tdat_build before;
	size_t *ends;
	tdat_write_fn write;
	void *write_ctx;
};

/* Writes out what is in the buffer, and empties it. */
static enum tdat_status flush(const struct row_table *t, struct tdat_build *out,
			      struct tdat_error *err)
{
	const size_t len = out->len;

	if (out->failed)
		return tdat_error_no_memory(err, "the text of a table");
	out->len = 0;
	return len ? t->write(t->write_ctx, out->ptr, len, err) : TDAT_OK;
}

/* Makes the texts that all rows share, and writes the style's head. */
static enum tdat_status start(struct row_table *t, struct tdat_error *err)
{
	const struct column_types *types = &t->columns.types;
	struct tdat_build out;
	enum tdat_status st;

	t->ends = calloc(types->count, sizeof(*t->ends));
	for (size_t i = 0; t->ends && i < types->count; i++) {
		t->style->before(&t->before, &types->v[i], i);
		t->ends[i] = t->before.len;
	}
	if (!t->ends || t->before.failed)
		return tdat_error_no_memory(err, "the columns of a table");
	tdat_build_init(&out, false);
	if (t->style->head)
		t->style->head(&out, types);
	st = flush(t, &out, err);
	tdat_build_fini(&out);
	return st;
}

/* Begins a table in a style; ctx and write must stay valid until row_table_end(). */
enum tdat_status row_table_begin(void **part, const struct row_style *style, const void *ctx,
				 const struct ArrowSchema *schema, tdat_write_fn write,
				 void *write_ctx, struct tdat_error *err)
{
	struct row_table *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	*part = NULL;
	if (!t)
		return tdat_error_no_memory(err, "a table");
	t->style = style;
	t->ctx = ctx;
	t->write = write;
	t->write_ctx = write_ctx;
	st = table_columns_init(&t->columns, schema, style->what, err);
	if (st == TDAT_OK)
		st = start(t, err);
	if (st == TDAT_OK)
		*part = t;
	else
		row_table_end(t, true, NULL);
	return st;
}

/* Appends one row. */
static void put_row(const struct row_table *t, struct tdat_build *out, size_t row)
{
	const struct table_columns *c = &t->columns;
	struct cell value;
	size_t at = 0;

	for (size_t i = 0; i < c->types.count; i++) {
		if (t->ends[i] > at)
			tdat_build_bytes(out, t->before.ptr + at, t->ends[i] - at);
		at = t->ends[i];
		if (cell_of_row(&value, &c->types.v[i], &c->views[i], row))
			t->style->value(out, t->ctx, &c->types.v[i], &c->views[i], &value);
		else
			tdat_build_str(out, t->style->null);
	}
	tdat_build_str(out, t->style->row_end);
}

/* Writes the rows of a batch, flushed between rows. */
enum tdat_status row_table_batch(void *part, const struct ArrowArray *rows, struct tdat_error *err)
{
	struct row_table *t = part;
	enum tdat_status st = table_columns_batch(&t->columns, rows, err);
	struct tdat_build out;

	tdat_build_init(&out, false);
	for (size_t i = 0; st == TDAT_OK && i < (size_t)rows->length; i++) {
		put_row(t, &out, i);
		if (out.len >= FLUSH_LEN || out.failed)
			st = flush(t, &out, err);
	}
	if (st == TDAT_OK)
		st = flush(t, &out, err);
	tdat_build_fini(&out);
	return st;
}

/* Nothing is left to be written: each batch was flushed. */
enum tdat_status row_table_end(void *part, bool give_up, struct tdat_error *err)
{
	struct row_table *t = part;

	(void)give_up;
	(void)err;
	table_columns_fini(&t->columns);
	tdat_build_fini(&t->before);
	free(t->ends);
	free(t);
	return TDAT_OK;
}

/* Takes the options; no format has others. */
enum tdat_status row_export_begin(void **state, const struct tdat_export_request *request,
				  struct tdat_build *head, struct tdat_error *err)
{
	struct row_export *x = calloc(1, sizeof(*x));

	(void)head;
	*state = x;
	if (!x)
		return tdat_error_no_memory(err, "an export");
	x->hex = export_option(request, "hex");
	x->strings = export_option(request, "strings");
	return TDAT_OK;
}

/* ---- values ---- */

/* Writes a double, with the style's names for NaN and the infinities. */
void row_text_double(struct tdat_build *out, uint64_t bits, const char *const names[3])
{
	double v;

	memcpy(&v, &bits, sizeof(v));
	if (isnan(v) || isinf(v)) {
		tdat_build_str(out, names[isnan(v) ? 0 : v > 0 ? 1 : 2]);
		return;
	}
	/* Without a point, readers would take it for an integer, which has no -0. */
	tdat_number_real(out, v, false, true);
}

/* Writes a value that is not a list, as JSON. NaN and infinities become strings. */
void row_text_json_value(struct tdat_build *out, const struct column_type *type,
			 const struct cell *value)
{
	static const char *const names[3] = {"\"NaN\"", "\"Infinity\"", "\"-Infinity\""};
	struct tdat_span s;

	switch (type->kind) {
	case COLUMN_BOOL:
		tdat_build_str(out, cell_bool(value) ? "true" : "false");
		break;
	case COLUMN_INT:
	case COLUMN_TIMESTAMP:
	case COLUMN_DURATION:
		tdat_number_int(out, cell_number(value, type), type->is_signed);
		break;
	case COLUMN_DOUBLE:
		row_text_double(out, cell_number(value, type), names);
		break;
	case COLUMN_TEXT:
		s = cell_bytes(value);
		tdat_json_quoted(out, s.ptr, s.len);
		break;
	case COLUMN_BYTES:
		s = cell_bytes(value);
		tdat_build_u8(out, '"');
		tdat_build_hex(out, s.ptr, s.len);
		tdat_build_u8(out, '"');
		break;
	}
}

/* Writes a list as a JSON array. */
void row_text_json_list(struct tdat_build *out, const struct column_type *type,
			const struct array_view *view, const struct cell *list)
{
	struct cell item;

	tdat_build_u8(out, '[');
	for (int32_t k = cell_first(list); k < cell_end(list); k++) {
		if (k > cell_first(list))
			tdat_build_u8(out, ',');
		if (cell_of_item(&item, view, k))
			row_text_json_value(out, type, &item);
		else
			tdat_build_str(out, "null");
	}
	tdat_build_u8(out, ']');
}
