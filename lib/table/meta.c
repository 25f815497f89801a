/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fills the tables of what files say of themselves. Tables such as tasks, formats, buffers,
 * options and symbols have rows from the file's metadata, without reading an event. A table is
 * a list of columns and a function that puts rows (meta_tables.c); this file puts the values
 * into builders.
 */
#include "meta.h"

#include <stdlib.h>
#include <string.h>

#include "utf8_put.h"

/* ---- columns ---- */

struct table_column *meta_columns(const struct tdat_trace *trace, const struct tdat_table *table,
				  size_t *count)
{
	const struct table_meta *meta = trace->facts[table->index].meta;
	const bool with_file = trace->input_count > 1;
	struct table_column *list;
	size_t i, n = 0;

	while (meta->columns[n].name)
		n++;
	*count = n + with_file;
	list = calloc(*count + 1, sizeof(*list));
	if (!list)
		return NULL;
	if (with_file)
		list[0] = (struct table_column){.name = "file", .type = TABLE_NAME};
	for (i = 0; i < n; i++)
		list[with_file + i] = (struct table_column){
			.name = meta->columns[i].name,
			.type = meta->columns[i].type,
			.len = meta->columns[i].len,
			.is_signed = meta->columns[i].is_signed,
			.wall = meta->columns[i].type == TABLE_TIME && trace->wall,
			.may_be_null = true};
	return list;
}

/* ---- values ---- */

static struct table_builder *next_column(struct meta_rows *r)
{
	return r->builders[r->at++];
}

static void put_number(struct meta_rows *r, uint64_t v, bool valid)
{
	struct table_builder *b = next_column(r);
	const size_t len = !b ? 0 : b->column->type == TABLE_TIME ? 8 : b->column->len;

	if (!b)
		return;
	if (!valid)
		table_builder_null(b, b->rows);
	/* Numbers are little-endian in memory or not, as the host is: their low bytes. */
	if (len == 8)
		r->failed |= !table_mem_put(&b->data, &v, 8);
	else if (len == 4)
		r->failed |= !table_mem_put(&b->data, &(uint32_t){(uint32_t)v}, 4);
	else if (len == 2)
		r->failed |= !table_mem_put(&b->data, &(uint16_t){(uint16_t)v}, 2);
	else
		r->failed |= !table_mem_put(&b->data, &(uint8_t){(uint8_t)v}, 1);
	table_builder_added(b, 1);
}

void meta_int(struct meta_rows *r, int64_t v)
{
	put_number(r, (uint64_t)v, true);
}

void meta_u64(struct meta_rows *r, uint64_t v)
{
	put_number(r, v, true);
}

void meta_no_number(struct meta_rows *r)
{
	put_number(r, 0, false);
}

void meta_bool(struct meta_rows *r, bool v)
{
	struct table_builder *b = next_column(r);

	if (!b)
		return;
	if (b->rows % 8 == 0)
		r->failed |= !table_mem_put(&b->data, &(uint8_t){0}, 1);
	if (!r->failed)
		b->data.ptr[b->rows / 8] |= (uint8_t)((unsigned)v << (b->rows & 7));
	table_builder_added(b, 1);
}

static void put_end(struct meta_rows *r, struct table_builder *b)
{
	const int32_t end = (int32_t)b->data.len;

	/* Metadata is below option_len and its like; a text beyond 2 GiB cannot be returned. */
	r->failed |= b->data.len > INT32_MAX || !table_mem_put(&b->offsets, &end, sizeof(end));
}

static void put_text(struct meta_rows *r, struct table_builder *b, struct tdat_span text)
{
	int32_t index = 0;

	if (!text.ptr)
		table_builder_null(b, b->rows);
	if (b->column->type == TABLE_NAME) {
		if (text.ptr)
			r->failed |= !table_dict_text(b->dict, text.ptr, text.len, &index);
		r->failed |= !table_mem_put(&b->data, &index, sizeof(index));
		return;
	}
	if (!b->offsets.len)
		r->failed |= !table_mem_put(&b->offsets, &index, sizeof(index));
	if (text.ptr && b->column->type == TABLE_BYTES)
		r->failed |= !table_mem_put(&b->data, text.ptr, text.len);
	else if (text.ptr)
		r->failed |= !table_put_utf8(&b->data, text.ptr, text.len);
	put_end(r, b);
}

void meta_text(struct meta_rows *r, struct tdat_span text)
{
	struct table_builder *b = next_column(r);

	if (!b)
		return;
	put_text(r, b, text);
	table_builder_added(b, 1);
}

void meta_str(struct meta_rows *r, const char *text)
{
	meta_text(r, (struct tdat_span){(const uint8_t *)text, text ? strlen(text) : 0});
}

bool meta_row(struct meta_rows *r)
{
	r->at = 0;
	r->count++;
	return !r->failed;
}

void meta_begin(struct meta_rows *r, const struct table_input *in)
{
	r->at = 0;
	if (r->with_file)
		meta_str(r, tdat_file_info(in->file)->name);
}

enum tdat_status meta_fill(struct reader *reader, const struct tdat_trace *trace,
			   const struct reader_choice *choice, struct table_builder *builders,
			   size_t *rows, struct tdat_error *err)
{
	struct meta_rows r = {.trace = trace,
			      .reader = reader,
			      .meta = trace->facts[choice->table->index].meta,
			      .with_file = trace->input_count > 1,
			      .error = TDAT_ERROR_INIT};
	bool ok;

	r.builders = calloc(choice->all_count + 1, sizeof(struct table_builder *));
	ok = r.builders;
	for (size_t i = 0; ok && i < choice->column_count; i++)
		r.builders[choice->columns[i]] = &builders[i];
	for (size_t i = 0; ok && i < trace->input_count; i++)
		ok = r.meta->rows(&r, &trace->inputs[i]);
	free(r.builders);
	*rows = r.count;
	if (ok)
		return TDAT_OK;
	if (r.error.status == TDAT_OK)
		return tdat_error_no_memory(err, r.meta->name);
	if (err)
		*err = r.error;
	return r.error.status;
}
