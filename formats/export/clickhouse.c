/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The exporter of tables to ClickHouse's format Native, a block for each batch, or of the
 * statements that create the tables.
 *
 * Source: "Native" in ClickHouse's documentation of formats: a block is the number of columns
 * and of rows, then of each column its name, its type and its values, in the order of memory
 * that the type has. Numbers are little-endian, those of counts and lengths are LEB128.
 *
 * Batches are turned column by column into one buffer, which is handed over when it is full. A
 * nullable column has its nulls before its values; dictionaries become LowCardinality.
 */
#include <stdlib.h>

#include "columns/table_columns.h"
#include "core/build.h"
#include "exporters.h"
#include "state.h"

/* Bytes that are written at once. */
enum { FLUSH_LEN = 1 << 18 };

/* Options of an export. */
struct clickhouse_export {
	bool ddl;
};

/* One table. */
struct clickhouse_table {
	const struct clickhouse_export *export;
	struct table_columns columns;
	bool any; /* a block was written */
	tdat_write_fn write;
	void *write_ctx;
};

/* ---- bytes ---- */

/* Writes out what is in the buffer, and empties it. */
static enum tdat_status flush(const struct clickhouse_table *t, struct tdat_build *out,
			      struct tdat_error *err)
{
	const size_t len = out->len;

	if (out->failed)
		return tdat_error_no_memory(err, "a block of a table");
	out->len = 0;
	return len ? t->write(t->write_ctx, out->ptr, len, err) : TDAT_OK;
}

/* Flushes a long buffer, so that a block of any size takes bounded memory. */
static enum tdat_status flush_full(const struct clickhouse_table *t, struct tdat_build *out,
				   struct tdat_error *err)
{
	return out->len >= FLUSH_LEN || out->failed ? flush(t, out, err) : TDAT_OK;
}

static void put_leb128(struct tdat_build *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		tdat_build_u8(out, (uint8_t)(v | 0x80));
	tdat_build_u8(out, (uint8_t)v);
}

static void put_string(struct tdat_build *out, const void *p, size_t len)
{
	put_leb128(out, len);
	tdat_build_bytes(out, p, len);
}

/* Appends the low width bytes of a number, little-endian. */
static void put_number(struct tdat_build *out, uint64_t v, uint8_t width)
{
	switch (width) {
	case 1:
		tdat_build_u8(out, (uint8_t)v);
		break;
	case 2:
		tdat_build_u16(out, (uint16_t)v);
		break;
	case 4:
		tdat_build_u32(out, (uint32_t)v);
		break;
	default:
		tdat_build_u64(out, v);
	}
}

/* ---- types ---- */

/* Name of the type of a value that is not a list. Durations have no type of their own. */
static void put_flat_type(struct tdat_build *out, const struct column_type *type)
{
	switch (type->kind) {
	case COLUMN_BOOL:
		tdat_build_str(out, "Bool");
		break;
	case COLUMN_INT:
		tdat_build_printf(out, "%s%d", type->is_signed ? "Int" : "UInt", type->width * 8);
		break;
	case COLUMN_DOUBLE:
		tdat_build_str(out, "Float64");
		break;
	case COLUMN_TEXT:
	case COLUMN_BYTES:
		tdat_build_str(out, "String");
		break;
	case COLUMN_TIMESTAMP:
		tdat_build_str(out, "DateTime64(9, 'UTC')");
		break;
	case COLUMN_DURATION:
		tdat_build_str(out, "Int64");
		break;
	}
}

/* True if values may be NULL. ClickHouse's arrays cannot be Nullable, but their items can. */
static bool is_nullable(const struct column_type *type)
{
	return type->is_list ? type->item_nullable : type->nullable;
}

/* Name of a column's type, as in the block and in the statement. */
static void put_type(struct tdat_build *out, const struct column_type *type)
{
	const bool nullable = is_nullable(type);

	tdat_build_str(out, type->is_list ? "Array(" : "");
	tdat_build_str(out, nullable ? "Nullable(" : "");
	put_flat_type(out, type);
	tdat_build_str(out, nullable ? ")" : "");
	tdat_build_str(out, type->is_list ? ")" : "");
}

/* ---- values ---- */

/*
 * Writes a value. value NULL: the type's zero, which stands where NULL is not possible and behind
 * the mark of a NULL.
 */
static void put_value(struct tdat_build *out, const struct column_type *type,
		      const struct cell *value)
{
	struct tdat_span s = {NULL, 0};

	switch (type->kind) {
	case COLUMN_BOOL:
		tdat_build_u8(out, value && cell_bool(value));
		break;
	case COLUMN_TEXT:
	case COLUMN_BYTES:
		if (value)
			s = cell_bytes(value);
		put_string(out, s.ptr, s.len);
		break;
	default:
		put_number(out, value ? cell_number(value, type) : 0, type->width);
	}
}

/* Writes a column: the marks of NULLs if it is nullable, then all values. */
static enum tdat_status put_flat(struct clickhouse_table *t, size_t column, size_t rows,
				 struct tdat_build *out, struct tdat_error *err)
{
	const struct column_type *type = &t->columns.types.v[column];
	const struct array_view *view = &t->columns.views[column];
	enum tdat_status st = TDAT_OK;
	struct cell c;

	for (size_t i = 0; type->nullable && i < rows; i++)
		tdat_build_u8(out, !cell_of_row(&c, type, view, i));
	for (size_t i = 0; st == TDAT_OK && i < rows; i++) {
		put_value(out, type, cell_of_row(&c, type, view, i) ? &c : NULL);
		st = flush_full(t, out, err);
	}
	return st;
}

/* Calls put for each item of all lists of the batch, in order. */
static enum tdat_status each_item(struct clickhouse_table *t, size_t column, size_t rows,
				  void (*put)(struct tdat_build *out,
					      const struct column_type *type,
					      const struct cell *value),
				  struct tdat_build *out, struct tdat_error *err)
{
	const struct column_type *type = &t->columns.types.v[column];
	const struct array_view *view = &t->columns.views[column];
	enum tdat_status st = TDAT_OK;
	struct cell list, item;

	for (size_t i = 0; st == TDAT_OK && i < rows; i++) {
		if (!cell_of_row(&list, type, view, i))
			continue;
		for (int32_t k = cell_first(&list); k < cell_end(&list); k++)
			put(out, type, cell_of_item(&item, view, k) ? &item : NULL);
		st = flush_full(t, out, err);
	}
	return st;
}

/* Mark of an item: 1 is NULL. */
static void put_mark(struct tdat_build *out, const struct column_type *type,
		     const struct cell *value)
{
	(void)type;
	tdat_build_u8(out, !value);
}

/*
 * Writes a column of lists: the end of each list, counted in items, then the items. A null list is
 * written as an empty one.
 */
static enum tdat_status put_lists(struct clickhouse_table *t, size_t column, size_t rows,
				  struct tdat_build *out, struct tdat_error *err)
{
	const struct column_type *type = &t->columns.types.v[column];
	enum tdat_status st = TDAT_OK;
	uint64_t end = 0;
	struct cell list;

	for (size_t i = 0; i < rows; i++) {
		if (cell_of_row(&list, type, &t->columns.views[column], i))
			end += (uint64_t)(cell_end(&list) - cell_first(&list));
		tdat_build_u64(out, end);
	}
	if (type->item_nullable)
		st = each_item(t, column, rows, put_mark, out, err);
	return st == TDAT_OK ? each_item(t, column, rows, put_value, out, err) : st;
}

/* Writes a block with the rows of the batch: for each column its name, type and values. */
static enum tdat_status put_block(struct clickhouse_table *t, size_t rows, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct tdat_build out;

	tdat_build_init(&out, false);
	put_leb128(&out, t->columns.types.count);
	put_leb128(&out, rows);
	for (size_t i = 0; st == TDAT_OK && i < t->columns.types.count; i++) {
		const struct column_type *type = &t->columns.types.v[i];
		struct tdat_build text;

		put_string(&out, type->name, strlen(type->name));
		tdat_build_init(&text, false);
		put_type(&text, type);
		put_string(&out, text.ptr, text.len);
		out.failed |= text.failed;
		tdat_build_fini(&text);
		st = type->is_list ? put_lists(t, i, rows, &out, err)
				   : put_flat(t, i, rows, &out, err);
	}
	if (st == TDAT_OK)
		st = flush(t, &out, err);
	tdat_build_fini(&out);
	t->any = true;
	return st;
}

/* ---- the statement ---- */

/* Writes a quoted identifier. Control bytes are escaped, as names come from traces. */
static void put_identifier(struct tdat_build *out, const char *name)
{
	tdat_build_u8(out, '`');
	for (; *name; name++) {
		const uint8_t c = (uint8_t)*name;

		if (c < 0x20 || c == 0x7f) {
			tdat_build_printf(out, "\\x%02x", c);
			continue;
		}
		if (c == '`' || c == '\\')
			tdat_build_u8(out, '\\');
		tdat_build_u8(out, c);
	}
	tdat_build_u8(out, '`');
}

/* True if the table can be ordered by ts: it has the column, and a key cannot be NULL. */
static bool has_time(const struct column_types *types)
{
	for (size_t i = 0; i < types->count; i++)
		if (!strcmp(types->v[i].name, "ts"))
			return !types->v[i].nullable && !types->v[i].is_list;
	return false;
}

/*
 * Writes CREATE TABLE with the columns' types. Dictionaries become LowCardinality here, as blocks
 * carry plain values.
 */
static enum tdat_status put_statement(struct clickhouse_table *t, const char *name,
				      struct tdat_error *err)
{
	const struct column_types *types = &t->columns.types;
	struct tdat_build out;
	enum tdat_status st;

	tdat_build_init(&out, false);
	tdat_build_str(&out, "CREATE TABLE ");
	put_identifier(&out, name);
	tdat_build_str(&out, "\n(\n");
	for (size_t i = 0; i < types->count; i++) {
		tdat_build_str(&out, i ? ",\n    " : "    ");
		put_identifier(&out, types->v[i].name);
		tdat_build_u8(&out, ' ');
		tdat_build_str(&out, types->v[i].index_width ? "LowCardinality(" : "");
		put_type(&out, &types->v[i]);
		tdat_build_str(&out, types->v[i].index_width ? ")" : "");
	}
	tdat_build_printf(&out, "\n)\nENGINE = MergeTree\nORDER BY %s;\n",
			  has_time(types) ? "ts" : "tuple()");
	st = flush(t, &out, err);
	tdat_build_fini(&out);
	return st;
}

/* ---- tables ---- */

static void table_free(struct clickhouse_table *t)
{
	table_columns_fini(&t->columns);
	free(t);
}

/* table_begin; with the option ddl it writes the statement, and batches are ignored. */
static enum tdat_status clickhouse_table_begin(void *state, const char *name,
					       const struct ArrowSchema *schema,
					       tdat_write_fn write, void *write_ctx, void **part,
					       struct tdat_error *err)
{
	struct clickhouse_table *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	*part = NULL;
	if (!t)
		return tdat_error_no_memory(err, "a table");
	t->export = state;
	t->write = write;
	t->write_ctx = write_ctx;
	st = table_columns_init(&t->columns, schema, "ClickHouse", err);
	if (st == TDAT_OK && t->export->ddl)
		st = put_statement(t, name, err);
	if (st == TDAT_OK)
		*part = t;
	else
		table_free(t);
	return st;
}

static enum tdat_status clickhouse_batch(void *part, const struct ArrowArray *rows,
					 struct tdat_error *err)
{
	struct clickhouse_table *t = part;
	enum tdat_status st;

	if (t->export->ddl)
		return TDAT_OK;
	st = table_columns_batch(&t->columns, rows, err);
	/* Some readers take a block without rows for the end. */
	return st == TDAT_OK && rows->length ? put_block(t, (size_t)rows->length, err) : st;
}

/* table_end. A table without rows is one block without rows, so that readers learn the columns. */
static enum tdat_status clickhouse_table_end(void *part, bool give_up, struct tdat_error *err)
{
	struct clickhouse_table *t = part;
	enum tdat_status st = TDAT_OK;

	if (!give_up && !t->any && !t->export->ddl)
		st = put_block(t, 0, err);
	table_free(t);
	return st;
}

/* ---- the exporter ---- */

static enum tdat_status clickhouse_begin(void **state, const struct tdat_export_request *request,
					 struct tdat_build *head, struct tdat_error *err)
{
	struct clickhouse_export *x = calloc(1, sizeof(*x));

	(void)head;
	*state = x;
	if (!x)
		return tdat_error_no_memory(err, "an export");
	x->ddl = export_option(request, "ddl");
	return TDAT_OK;
}

static const struct tdat_keyed_option_desc clickhouse_options[] = {
	{"ddl", NULL, "write only the CREATE TABLE statements"},
	{NULL, NULL, NULL},
};

static const struct tdat_columns_ops clickhouse_columns = {
	.size = sizeof(struct tdat_columns_ops),
	.suffix = ".native",
	.table_begin = clickhouse_table_begin,
	.batch = clickhouse_batch,
	.table_end = clickhouse_table_end,
};

const struct tdat_exporter export_clickhouse = {
	.size = sizeof(struct tdat_exporter),
	.name = "clickhouse",
	.summary = "ClickHouse's Native format, blocks of each table",
	.kind = TDAT_EXPORT_TABLES,
	.options = clickhouse_options,
	.begin = clickhouse_begin,
	.columns = &clickhouse_columns,
	.end = export_end_free,
	.suffixes = ".native",
};
