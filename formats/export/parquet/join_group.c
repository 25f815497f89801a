/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies a row group of a part to the file that is joined. Its footer gives the places; each is
 * checked, and no byte is copied twice. The new row group is laid out as row_group.c lays out one:
 * the chunks, then their column indexes, then their offset indexes. Offset indexes name pages by
 * their places, and are written anew. join.c calls it for each row group.
 *
 * Source: apache/parquet-format, parquet.thrift (RowGroup, ColumnChunk, OffsetIndex)
 */
#include "column.h"
#include "core/checked.h"
#include "join_state.h"

enum { INDEX_LEN = 16 << 20 }; /* of an offset index, at most */

/* Copies a range of the part to the end of the new file. */
static enum tdat_status copy(struct joined *j, const struct part *p, struct range *r,
			     struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	r->to = j->off;
	for (uint64_t done = 0, n; st == TDAT_OK && done < r->len; done += n) {
		uint8_t *room;

		n = JOIN_PIECE_LEN - j->piece.len;
		n = n < r->len - done ? n : r->len - done;
		room = tdat_build_room(&j->piece, (size_t)n);
		if (!room)
			return column_no_memory(err);
		st = p->in->read(p->in->read_ctx, r->off + done, room, (size_t)n, err);
		j->piece.len += (size_t)n;
		j->off += n;
		if (st == TDAT_OK && j->piece.len == JOIN_PIECE_LEN)
			st = join_flush(j, err);
	}
	return st;
}

/* ---- a row group of a part ---- */

static uint64_t get_place(struct tdat_cursor *c)
{
	const int64_t v = thrift_get_int(c);

	if (v < 0)
		thrift_bad(c);
	return v < 0 ? 0 : (uint64_t)v;
}

/* ColumnMetaData: the places in it. */
static void get_meta(struct tdat_cursor *c, struct chunk *k)
{
	enum thrift_type type;
	int16_t id = 0;

	while (thrift_field(c, &id, &type))
		if (id == 7 && type == THRIFT_I64)
			k->data.len = get_place(c);
		else if (id == 9 && type == THRIFT_I64)
			k->data.off = k->data_page = get_place(c);
		else if (id == 11 && type == THRIFT_I64) {
			k->data.off = get_place(c);
		} else if (id <= 6 || id == 12)
			thrift_get_raw(c, type);
		else
			thrift_bad(c);
}

/* Whether a range lies in the data of the part, and was not named so far. */
static bool is_inside(struct part *p, const struct range *r)
{
	if (!tdat_range_ok(r->off, r->len, p->data_len) || r->len > p->left)
		return false;
	p->left -= r->len;
	return true;
}

/* ColumnChunk: the places in it. */
static void get_chunk(struct tdat_cursor *c, struct part *p, struct chunk *k)
{
	enum thrift_type type;
	int16_t id = 0;

	*k = (struct chunk){.data_page = 0};
	while (thrift_field(c, &id, &type))
		if (id == 3 && type == THRIFT_STRUCT)
			get_meta(c, k);
		else if (id == 4 && type == THRIFT_I64)
			k->offset_index.off = get_place(c);
		else if (id == 5 && type == THRIFT_I32)
			k->offset_index.len = get_place(c);
		else if (id == 6 && type == THRIFT_I64)
			k->column_index.off = get_place(c);
		else if (id == 7 && type == THRIFT_I32)
			k->column_index.len = get_place(c);
		else if (id == 2)
			thrift_get_raw(c, type);
		else
			thrift_bad(c);
	if (k->data_page < k->data.off || k->data_page - k->data.off > k->data.len ||
	    !k->offset_index.len || k->offset_index.len > INDEX_LEN || !is_inside(p, &k->data) ||
	    !is_inside(p, &k->column_index) || !is_inside(p, &k->offset_index))
		thrift_bad(c);
}

/* RowGroup: reads the places of its chunks, and adds its rows. */
static void get_group(struct joined *j, struct part *p, struct tdat_cursor *c)
{
	enum thrift_type type;
	bool has_chunks = false;
	int64_t rows = -1;
	int16_t id = 0;

	while (thrift_field(c, &id, &type))
		if (id == 1 && type == THRIFT_LIST) {
			has_chunks = thrift_get_list(c, THRIFT_STRUCT) == j->columns;
			for (size_t i = 0; has_chunks && i < j->columns; i++)
				get_chunk(c, p, &j->chunks[i]);
		} else if (id == 3 && type == THRIFT_I64) {
			rows = thrift_get_int(c);
		} else if (id <= 7) {
			thrift_get_raw(c, type);
		} else {
			thrift_bad(c);
		}
	if (!has_chunks || rows < 0 || rows > p->rows ||
	    __builtin_add_overflow(j->rows, rows, &j->rows))
		thrift_bad(c);
	else
		p->rows -= rows; /* those of row groups that follow */
}

/* PageLocation: the page moves with its chunk. */
static void move_page(struct tdat_cursor *c, const struct range *data, struct thrift *t)
{
	enum thrift_type type;
	int16_t id = 0;

	thrift_put_struct(t);
	while (thrift_field(c, &id, &type))
		if (id == 1 && type == THRIFT_I64) {
			const uint64_t off = get_place(c);

			if (off < data->off || off - data->off > data->len)
				thrift_bad(c);
			thrift_i64(t, 1, (int64_t)(off - data->off + data->to));
		} else if (id <= 3) {
			thrift_raw(t, id, type, thrift_get_raw(c, type));
		} else {
			thrift_bad(c);
		}
	thrift_end(t);
}

/* Writes the offset index of a chunk, whose pages are in other places now. */
static enum tdat_status move_index(struct joined *j, const struct part *p, struct chunk *k,
				   struct tdat_error *err)
{
	const size_t len = (size_t)k->offset_index.len, had = j->piece.len;
	struct thrift t = thrift_open(&j->piece);
	struct tdat_cursor c;
	enum thrift_type type;
	enum tdat_status st;
	int16_t id = 0;

	if (!tdat_build_room(&j->index, len))
		return column_no_memory(err);
	st = p->in->read(p->in->read_ctx, k->offset_index.off, j->index.ptr, len, err);
	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(j->index.ptr, len, k->offset_index.off, false);
	while (thrift_field(&c, &id, &type)) {
		size_t pages =
			id == 1 && type == THRIFT_LIST ? thrift_get_list(&c, THRIFT_STRUCT) : 0;

		if (!pages)
			thrift_bad(&c);
		thrift_list(&t, 1, THRIFT_STRUCT, pages);
		for (; pages && tdat_cursor_ok(&c); pages--)
			move_page(&c, &k->data, &t);
	}
	thrift_end(&t);
	if (!tdat_cursor_ok(&c))
		return join_damaged(&c, "the offset index", err);
	k->offset_index.to = j->off;
	k->offset_index.len = j->piece.len - had;
	j->off += k->offset_index.len;
	return j->piece.len < JOIN_PIECE_LEN ? TDAT_OK : join_flush(j, err);
}

/* ---- a row group of the new footer ---- */

static void put_meta(struct tdat_cursor *c, const struct chunk *k, struct thrift *t)
{
	enum thrift_type type;
	int16_t id = 0;

	thrift_struct(t, 3);
	while (thrift_field(c, &id, &type)) {
		const struct tdat_span raw = thrift_get_raw(c, type);

		if (id == 9)
			thrift_i64(t, id, (int64_t)(k->data_page - k->data.off + k->data.to));
		else if (id == 11)
			thrift_i64(t, id, (int64_t)k->data.to);
		else
			thrift_raw(t, id, type, raw);
	}
	thrift_end(t);
}

static void put_chunk(struct tdat_cursor *c, const struct chunk *k, struct thrift *t)
{
	enum thrift_type type;
	int16_t id = 0;

	thrift_put_struct(t);
	while (thrift_field(c, &id, &type)) {
		if (id == 3) {
			put_meta(c, k, t);
			continue;
		}
		const struct tdat_span raw = thrift_get_raw(c, type);

		if (id == 4)
			thrift_i64(t, id, (int64_t)k->offset_index.to);
		else if (id == 5)
			thrift_i32(t, id, (int32_t)k->offset_index.len);
		else if (id == 6)
			thrift_i64(t, id, (int64_t)k->column_index.to);
		else
			thrift_raw(t, id, type, raw);
	}
	thrift_end(t);
}

/* Writes a row group, whose fields get_group() has checked, with its new places. */
static void put_group(struct joined *j, struct tdat_cursor *c, uint64_t start)
{
	struct thrift t = thrift_open(&j->groups);
	enum thrift_type type;
	int16_t id = 0;

	while (thrift_field(c, &id, &type))
		if (id == 1) {
			thrift_list(&t, 1, THRIFT_STRUCT, thrift_get_list(c, THRIFT_STRUCT));
			for (size_t i = 0; i < j->columns; i++)
				put_chunk(c, &j->chunks[i], &t);
		} else {
			const struct tdat_span raw = thrift_get_raw(c, type);

			if (id == 5)
				thrift_i64(&t, id, (int64_t)start);
			else if (id != 7)
				thrift_raw(&t, id, type, raw);
		}
	/* The ordinal is 16 bits wide, and optional. */
	if (j->group_count <= INT16_MAX)
		thrift_i16(&t, 7, (int16_t)j->group_count);
	thrift_end(&t);
	j->group_count++;
}

/* Copies a row group. The cursor goes behind it. */
enum tdat_status join_group_add(struct joined *j, struct part *p, struct tdat_cursor *c,
				struct tdat_error *err)
{
	struct tdat_cursor again = *c;
	const uint64_t start = j->off;
	enum tdat_status st = TDAT_OK;

	get_group(j, p, c);
	if (!tdat_cursor_ok(c))
		return join_damaged(c, "a row group of the footer", err);
	for (size_t i = 0; st == TDAT_OK && i < j->columns; i++)
		st = copy(j, p, &j->chunks[i].data, err);
	for (size_t i = 0; st == TDAT_OK && i < j->columns; i++)
		st = copy(j, p, &j->chunks[i].column_index, err);
	for (size_t i = 0; st == TDAT_OK && i < j->columns; i++)
		st = move_index(j, p, &j->chunks[i], err);
	if (st == TDAT_OK)
		put_group(j, &again, start);
	return st;
}
