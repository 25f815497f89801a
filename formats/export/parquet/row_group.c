/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a row group: its column chunks one behind the other. What the footer will say of each
 * chunk, and its two indexes, are made here and kept as bytes.
 *
 * Source: apache/parquet-format, parquet.thrift (ColumnMetaData, ColumnIndex, OffsetIndex)
 */
#include "table.h"

#include "core/grow.h"
#include "thrift.h"

/* A column chunk that is being written. */
struct chunk {
	struct column *column;
	uint64_t dictionary_off, data_off; /* in the file */
	uint64_t raw_len, len;
	bool has_dictionary;
};

/* ---- metadata of a chunk ---- */

static void put_statistics(struct thrift *t, const struct column *c)
{
	const struct value_range *r = &c->range;
	const bool any = c->chunk_slots > c->chunk_nulls;

	thrift_struct(t, 12);
	thrift_i64(t, 3, (int64_t)c->chunk_nulls);
	if (any && r->has_max)
		thrift_binary(t, 5, r->max.bytes, r->max.len);
	if (any && r->has_min)
		thrift_binary(t, 6, r->min.bytes, r->min.len);
	if (any && r->has_max)
		thrift_bool(t, 7, r->max.exact);
	if (any && r->has_min)
		thrift_bool(t, 8, r->min.exact);
	thrift_end(t);
}

static void put_encodings(struct thrift *t, const struct chunk *k)
{
	uint32_t all = k->column->encodings | 1u << PARQUET_RLE;

	if (k->has_dictionary)
		all |= 1u << PARQUET_PLAIN;
	thrift_list(t, 2, THRIFT_I32, (size_t)__builtin_popcount(all));
	for (int e = 0; e < 32; e++)
		if (all >> e & 1)
			thrift_put_i32(t, e);
}

static void put_path(struct thrift *t, const struct column_type *type)
{
	thrift_list(t, 3, THRIFT_BINARY, type->is_list ? 3 : 1);
	thrift_put_binary(t, type->name, strlen(type->name));
	if (type->is_list) {
		thrift_put_binary(t, "list", 4);
		thrift_put_binary(t, "element", 7);
	}
}

static void put_meta(struct tdat_build *out, const struct chunk *k)
{
	const struct column *c = k->column;
	struct thrift t = thrift_open(out);

	thrift_i32(&t, 1, (int32_t)c->physical);
	put_encodings(&t, k);
	put_path(&t, c->type);
	thrift_i32(&t, 4, (int32_t)c->codec);
	thrift_i64(&t, 5, (int64_t)c->chunk_slots);
	thrift_i64(&t, 6, (int64_t)k->raw_len);
	thrift_i64(&t, 7, (int64_t)k->len);
	thrift_i64(&t, 9, (int64_t)k->data_off);
	if (k->has_dictionary)
		thrift_i64(&t, 11, (int64_t)k->dictionary_off);
	put_statistics(&t, c);
	thrift_end(&t);
}

/* ---- indexes ---- */

static bool is_null(const struct page_record *r)
{
	return r->nulls == r->slots;
}

/* The order of the pages' ranges: 1 ascending, 2 descending, 0 neither. */
static int32_t boundary_order(const struct column *c)
{
	const struct page_record *before = NULL;
	bool up = true, down = true;

	for (size_t i = 0; i < c->record_count; i++) {
		const struct page_record *r = &c->records[i];
		int min, max;

		if (is_null(r))
			continue;
		if (before) {
			min = bound_compare(&before->range.min, &r->range.min, c->range.is_text);
			max = bound_compare(&before->range.max, &r->range.max, c->range.is_text);
			up = up && min <= 0 && max <= 0;
			down = down && min >= 0 && max >= 0;
		}
		before = r;
	}
	return up ? 1 : down ? 2 : 0;
}

/* Readers skip pages by it, so each page that has values must have both bounds. */
static bool has_column_index(const struct column *c)
{
	for (size_t i = 0; i < c->record_count; i++)
		if (!is_null(&c->records[i]) &&
		    !(c->records[i].range.has_min && c->records[i].range.has_max))
			return false;
	return true;
}

static void put_bounds(struct thrift *t, int16_t id, const struct column *c, bool max)
{
	thrift_list(t, id, THRIFT_BINARY, c->record_count);
	for (size_t i = 0; i < c->record_count; i++) {
		const struct page_record *r = &c->records[i];
		const struct bound *b = max ? &r->range.max : &r->range.min;

		thrift_put_binary(t, b->bytes, is_null(r) ? 0 : b->len);
	}
}

static void put_column_index(struct tdat_build *out, const struct column *c)
{
	struct thrift t = thrift_open(out);

	if (!has_column_index(c))
		return;
	thrift_list(&t, 1, THRIFT_TRUE, c->record_count);
	for (size_t i = 0; i < c->record_count; i++)
		thrift_put_bool(&t, is_null(&c->records[i]));
	put_bounds(&t, 2, c, false);
	put_bounds(&t, 3, c, true);
	thrift_i32(&t, 4, boundary_order(c));
	thrift_list(&t, 5, THRIFT_I64, c->record_count);
	for (size_t i = 0; i < c->record_count; i++)
		thrift_put_i64(&t, c->records[i].nulls);
	thrift_end(&t);
}

static void put_offset_index(struct tdat_build *out, const struct chunk *k)
{
	const struct column *c = k->column;
	struct thrift t = thrift_open(out);

	thrift_list(&t, 1, THRIFT_STRUCT, c->record_count);
	for (size_t i = 0; i < c->record_count; i++) {
		thrift_put_struct(&t);
		thrift_i64(&t, 1, (int64_t)(k->data_off + c->records[i].off));
		thrift_i32(&t, 2, (int32_t)c->records[i].len);
		thrift_i64(&t, 3, (int64_t)c->records[i].first_row);
		thrift_end(&t);
	}
	thrift_end(&t);
}

/* ---- writing ---- */

static enum tdat_status keep_chunk(struct parquet_table *t, const struct chunk *k,
				   struct tdat_error *err)
{
	const size_t meta = t->metas.len, column_index = t->column_indexes.len;
	const size_t offset_index = t->offset_indexes.len;
	struct chunk_lens *v = tdat_grown(t->chunks, &t->chunk_cap, t->chunk_count + 1, sizeof(*v));

	if (!v)
		return column_no_memory(err);
	t->chunks = v;
	put_meta(&t->metas, k);
	put_column_index(&t->column_indexes, k->column);
	put_offset_index(&t->offset_indexes, k);
	if (t->metas.failed || t->column_indexes.failed || t->offset_indexes.failed)
		return column_no_memory(err);
	v[t->chunk_count++] = (struct chunk_lens){(uint32_t)(t->metas.len - meta),
						  (uint32_t)(t->column_indexes.len - column_index),
						  (uint32_t)(t->offset_indexes.len - offset_index)};
	return TDAT_OK;
}

static enum tdat_status write_dictionary(struct parquet_table *t, struct chunk *k,
					 struct tdat_error *err)
{
	struct tdat_build *out = &t->setup.entries;
	size_t raw_len;
	enum tdat_status st;

	out->len = 0;
	st = page_dictionary(k->column, out, &raw_len, err);
	if (st != TDAT_OK)
		return st;
	k->has_dictionary = true;
	k->dictionary_off = t->off;
	k->raw_len += raw_len;
	return table_write(t, out->ptr, out->len, err);
}

static enum tdat_status write_chunk(struct parquet_table *t, struct column *c, struct row_group *g,
				    struct tdat_error *err)
{
	struct chunk k = {.column = c, .raw_len = c->raw_len};
	const uint64_t start = t->off;
	enum tdat_status st = TDAT_OK;

	if (c->dictionary_used)
		st = write_dictionary(t, &k, err);
	k.data_off = t->off;
	if (st == TDAT_OK)
		st = table_write(t, c->pages.ptr, c->pages.len, err);
	k.len = t->off - start;
	if (st == TDAT_OK)
		st = keep_chunk(t, &k, err);
	g->raw_len += k.raw_len;
	g->len += k.len;
	column_reset(c);
	return st;
}

enum tdat_status row_group_write(struct parquet_table *t, struct tdat_error *err)
{
	struct row_group g = {.rows = t->group_rows, .off = t->off};
	struct row_group *groups;
	enum tdat_status st = TDAT_OK;
	size_t i;

	if (!t->group_rows)
		return TDAT_OK;
	groups = tdat_grown(t->groups, &t->group_cap, t->group_count + 1, sizeof(g));
	if (!groups)
		return column_no_memory(err);
	t->groups = groups;
	for (i = 0; st == TDAT_OK && i < t->types.count; i++)
		st = column_end_page(&t->columns[i], err);
	for (i = 0; st == TDAT_OK && i < t->types.count; i++)
		st = write_chunk(t, &t->columns[i], &g, err);
	if (st != TDAT_OK)
		return st;
	groups[t->group_count++] = g;
	t->rows += t->group_rows;
	t->group_rows = 0;
	return TDAT_OK;
}
