/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a row group: its column chunks one behind the other, then their column indexes, then their
 * offset indexes. These are right behind the row group, not at the end of the file, so that nothing
 * of them is kept.
 *
 * Source: apache/parquet-format, parquet.thrift (ColumnIndex, OffsetIndex) and PageIndex.md
 */
#include "chunk_facts.h"
#include "table.h"

/* ---- indexes ---- */

/* True if a page has no values; bounds of it are empty then. */
static bool is_null(const struct page_record *r)
{
	return r->nulls == r->slots;
}

/* BoundaryOrder of the pages' ranges: 1 ascending, 2 descending, 0 neither. */
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
			min = bound_compare(&before->range.min, &r->range.min,
					    before->range.is_text);
			max = bound_compare(&before->range.max, &r->range.max,
					    before->range.is_text);
			up = up && min <= 0 && max <= 0;
			down = down && min >= 0 && max >= 0;
		}
		before = r;
	}
	return up ? 1 : down ? 2 : 0;
}

/*
 * True if every page with values has both bounds: readers skip pages by the index, so it must be
 * complete.
 */
static bool has_column_index(const struct column *c)
{
	for (size_t i = 0; i < c->record_count; i++)
		if (!is_null(&c->records[i]) &&
		    !(c->records[i].range.has_min && c->records[i].range.has_max))
			return false;
	return true;
}

/* Writes the list of the pages' lower or upper bounds. */
static void put_bounds(struct thrift *t, int16_t id, const struct column *c, bool max)
{
	thrift_list(t, id, THRIFT_BINARY, c->record_count);
	for (size_t i = 0; i < c->record_count; i++) {
		const struct page_record *r = &c->records[i];
		const struct bound *b = max ? &r->range.max : &r->range.min;

		thrift_put_binary(t, b->bytes, is_null(r) ? 0 : b->len);
	}
}

/* ColumnIndex: 1 null_pages, 2 min_values, 3 max_values, 4 boundary_order, 5 null_counts. */
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

/*
 * OffsetIndex: offset, length and first row of each page. data_off: where the data pages begin in
 * the file.
 */
static void put_offset_index(struct tdat_build *out, const struct column *c, uint64_t data_off)
{
	struct thrift t = thrift_open(out);

	thrift_list(&t, 1, THRIFT_STRUCT, c->record_count);
	for (size_t i = 0; i < c->record_count; i++) {
		thrift_put_struct(&t);
		thrift_i64(&t, 1, (int64_t)(data_off + c->records[i].off));
		thrift_i32(&t, 2, (int32_t)c->records[i].len);
		thrift_i64(&t, 3, (int64_t)c->records[i].first_row);
		thrift_end(&t);
	}
	thrift_end(&t);
}

/* ---- writing ---- */

/* Writes the dictionary page of a chunk, which precedes its data pages. */
static enum tdat_status write_dictionary(struct parquet_table *t, struct column *c,
					 struct chunk_facts *f, struct tdat_error *err)
{
	struct tdat_build *out = &t->setup.scratch->entries;
	size_t raw_len;
	enum tdat_status st;

	out->len = 0;
	st = page_dictionary(c, out, &raw_len, err);
	if (st != TDAT_OK)
		return st;
	f->dictionary_len = out->len;
	f->raw_len += raw_len;
	return table_write(t, out->ptr, out->len, err);
}

/*
 * Writes the pages of a chunk. Its indexes are gathered in the scratch, its facts kept for the
 * footer.
 */
static enum tdat_status write_chunk(struct parquet_table *t, struct column *c,
				    struct tdat_error *err)
{
	struct column_scratch *s = t->setup.scratch;
	const size_t column_index = s->column_indexes.len, offset_index = s->offset_indexes.len;
	enum tdat_status st = TDAT_OK;
	struct chunk_facts f;

	chunk_facts_of(&f, c);
	if (c->dictionary_used)
		st = write_dictionary(t, c, &f, err);
	if (st != TDAT_OK)
		return st;
	put_column_index(&s->column_indexes, c);
	put_offset_index(&s->offset_indexes, c, t->off);
	/* Lengths only: the places follow from the order of chunks. */
	f.column_index = (uint32_t)(s->column_indexes.len - column_index);
	f.offset_index = (uint32_t)(s->offset_indexes.len - offset_index);
	chunk_facts_keep(&t->groups.kept, &f);
	st = table_write(t, c->pages.ptr, c->pages.len, err);
	column_reset(c);
	return st;
}

/* Writes the open row group, if it has rows, and empties the columns. */
enum tdat_status row_group_write(struct parquet_table *t, struct tdat_error *err)
{
	struct column_scratch *s = t->setup.scratch;
	enum tdat_status st = TDAT_OK;
	size_t i;

	if (!t->group_rows)
		return TDAT_OK;
	for (i = 0; st == TDAT_OK && i < t->input.types.count; i++)
		st = column_end_page(&t->columns[i], err);
	s->column_indexes.len = s->offset_indexes.len = 0;
	varint_put(&t->groups.kept, t->group_rows << 1 | t->in_order);
	for (i = 0; st == TDAT_OK && i < t->input.types.count; i++)
		st = write_chunk(t, &t->columns[i], err);
	if (st == TDAT_OK &&
	    (s->column_indexes.failed || s->offset_indexes.failed || t->groups.kept.failed))
		st = column_no_memory(err);
	if (st == TDAT_OK)
		st = table_write(t, s->column_indexes.ptr, s->column_indexes.len, err);
	if (st == TDAT_OK)
		st = table_write(t, s->offset_indexes.ptr, s->offset_indexes.len, err);
	/* Counted even after a failure: the table is not used any more then. */
	t->groups.group_count++;
	t->rows += t->group_rows;
	row_group_begin(t);
	return st == TDAT_OK ? group_facts_spill(&t->groups, t->write, t->write_ctx, &t->off, err)
			     : st;
}
