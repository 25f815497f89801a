/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Joins Parquet files of one table that tdat wrote. The bytes of column chunks and column indexes
 * are copied, those of offset indexes and footers are read by a cursor and written anew with other
 * places (join_group.c), so that no value is decoded. Fields that tdat does not write are refused,
 * since they could hold places, too. What is kept in memory is the new footer and one of a part.
 * Callers have it by parquet_join.
 *
 * Source: apache/parquet-format, README.md ("File format") and parquet.thrift
 */
#include "join.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "column.h"
#include "core/grow.h"
#include "join_state.h"
#include "table.h"

enum {
	/*
	 * A file ends before it has more bytes, its footer before it has more. A part of half of
	 * either is large enough: so what was joined is not joined again.
	 */
	FILE_LEN = 128 << 20,
	FOOTER_LEN = 16 << 20,
	TAIL_LEN = 8, /* of a file: the length of its footer, and the magic number */
};

static const char magic[] = "PAR1";

/* ---- bytes ---- */

enum tdat_status join_flush(struct joined *j, struct tdat_error *err)
{
	enum tdat_status st = j->piece.failed ? column_no_memory(err) : TDAT_OK;

	if (st == TDAT_OK && j->piece.len)
		st = j->write(j->write_ctx, j->piece.ptr, j->piece.len, err);
	j->piece.len = 0;
	return st;
}

static enum tdat_status put(struct joined *j, const void *p, size_t len, struct tdat_error *err)
{
	tdat_build_bytes(&j->piece, p, len);
	j->off += len;
	return j->piece.len < JOIN_PIECE_LEN && !j->piece.failed ? TDAT_OK : join_flush(j, err);
}

enum tdat_status join_damaged(const struct tdat_cursor *c, const char *what, struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_FORMAT, tdat_cursor_off(c),
			      "%s is damaged at offset %" PRIu64 ", or was not written by tdat",
			      what, tdat_cursor_off(c));
}

/* ---- the footer of a part ---- */

/* Reads the tail of a part. TDAT_E_LIMIT: see tdat_join_ops. */
static enum tdat_status read_tail(const struct joined *j, struct part *p, struct tdat_error *err)
{
	const uint64_t len = p->in->len;
	uint8_t tail[TAIL_LEN] = {0};
	enum tdat_status st = TDAT_OK;

	if (len >= PARQUET_HEAD_LEN + TAIL_LEN)
		st = p->in->read(p->in->read_ctx, len - TAIL_LEN, tail, TAIL_LEN, err);
	if (st != TDAT_OK)
		return st;
	if (memcmp(tail + 4, magic, 4) != 0)
		return tdat_error_set(err, TDAT_E_FORMAT, len < TAIL_LEN ? 0 : len - 4,
				      "the file of %" PRIu64
				      " bytes is not a Parquet file: it does not end with PAR1",
				      len);
	p->footer_len = tdat_load32(tail, false);
	if (p->footer_len > len - PARQUET_HEAD_LEN - TAIL_LEN)
		return tdat_error_set(err, TDAT_E_FORMAT, len - TAIL_LEN,
				      "the footer claims %" PRIu64 " bytes, more than the file has",
				      p->footer_len);
	p->data_len = p->left = len - TAIL_LEN - p->footer_len;
	if (len >= FILE_LEN / 2 || p->footer_len >= FOOTER_LEN / 2 ||
	    (j->group_count &&
	     (j->off + len > FILE_LEN || j->groups.len + p->footer_len > FOOTER_LEN)))
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET, "large enough");
	return TDAT_OK;
}

/* Reads a part's footer to the scratch, and finds what it has. */
static enum tdat_status read_footer(struct joined *j, struct part *p, struct tdat_error *err)
{
	struct tdat_cursor c;
	enum thrift_type type;
	enum tdat_status st;
	int16_t id = 0;

	j->footer.len = 0;
	if (!tdat_build_room(&j->footer, (size_t)p->footer_len))
		return column_no_memory(err);
	st = p->in->read(p->in->read_ctx, p->data_len, j->footer.ptr, (size_t)p->footer_len, err);
	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(j->footer.ptr, (size_t)p->footer_len, p->data_len, false);
	while (thrift_field(&c, &id, &type)) {
		const uint64_t off = tdat_cursor_off(&c);
		const struct tdat_span raw = thrift_get_raw(&c, type);
		struct tdat_cursor value = tdat_cursor_init(raw.ptr, raw.len, off, false);

		if (id == 2 && type == THRIFT_LIST) {
			p->schema = raw;
		} else if (id == 3 && type == THRIFT_I64) {
			p->rows = thrift_get_int(&value);
		} else if (id == 4 && type == THRIFT_LIST) {
			p->groups = raw;
			p->groups_off = off;
		} else if (id == 5 && type == THRIFT_LIST) {
			p->pairs = raw;
			p->pairs_off = off;
		} else if (id == 6 && type == THRIFT_BINARY) {
			p->creator = thrift_get_binary(&value);
		} else if (id == 7 && type == THRIFT_LIST) {
			p->orders = raw;
		} else if (id != 1) {
			thrift_bad(&c);
		}
	}
	if (!tdat_cursor_ok(&c) || !p->schema.ptr || !p->groups.ptr || !p->pairs.ptr ||
	    !p->orders.ptr)
		return join_damaged(&c, "the footer", err);
	return TDAT_OK;
}

static bool same(const struct tdat_build *b, struct tdat_span s)
{
	return b->len == s.len && !memcmp(b->ptr, s.ptr, s.len);
}

/* Compares a part with the first one, and makes room for its chunks. */
static enum tdat_status check_part(struct joined *j, const struct part *p, struct tdat_error *err)
{
	static const char creator[] = "tdat version ";
	struct tdat_cursor c = tdat_cursor_init(p->orders.ptr, p->orders.len, p->data_len, false);

	if (p->creator.len < sizeof(creator) - 1 ||
	    memcmp(p->creator.ptr, creator, sizeof(creator) - 1) != 0)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, p->data_len,
				      "the footer at offset %" PRIu64
				      " shows that tdat did not write this file",
				      p->data_len);
	if (!j->schema.len) {
		tdat_build_bytes(&j->schema, p->schema.ptr, p->schema.len);
		tdat_build_bytes(&j->orders, p->orders.ptr, p->orders.len);
		/* Each column has an order. */
		j->columns = thrift_get_list(&c, THRIFT_STRUCT);
		if (j->schema.failed || j->orders.failed ||
		    !TDAT_GROW(j->chunks, &j->chunk_cap, j->columns))
			return column_no_memory(err);
	}
	if (!same(&j->schema, p->schema) || !same(&j->orders, p->orders))
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, p->data_len,
				      "the columns in the footer at offset %" PRIu64
				      " differ from those of earlier parts",
				      p->data_len);
	return join_pairs_take(&j->pairs, p->pairs, p->pairs_off, err);
}

/* ---- the operations ---- */

static enum tdat_status join_begin(void **joined, tdat_write_fn write, void *write_ctx,
				   struct tdat_error *err)
{
	struct joined *j = calloc(1, sizeof(*j));

	*joined = j;
	if (!j)
		return column_no_memory(err);
	j->write = write;
	j->write_ctx = write_ctx;
	return put(j, magic, PARQUET_HEAD_LEN, err);
}

static enum tdat_status join_add(void *joined, const struct tdat_join_part *in,
				 struct tdat_error *err)
{
	struct joined *j = joined;
	struct part p = {.in = in};
	struct tdat_cursor c;
	enum tdat_status st = read_tail(j, &p, err);

	if (st == TDAT_OK)
		st = read_footer(j, &p, err);
	if (st == TDAT_OK)
		st = check_part(j, &p, err);
	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(p.groups.ptr, p.groups.len, p.groups_off, false);
	for (size_t left = thrift_get_list(&c, THRIFT_STRUCT); st == TDAT_OK && left; left--)
		st = join_group_add(j, &p, &c, err);
	if (st == TDAT_OK && (p.rows || !tdat_cursor_ok(&c)))
		st = join_damaged(&c, "the number of rows in the footer", err);
	return st == TDAT_OK && j->groups.failed ? column_no_memory(err) : st;
}

/* Writes the new footer, in the order of footer.c. */
static enum tdat_status put_footer(struct joined *j, struct tdat_error *err)
{
	struct tdat_build *out = &j->footer;
	struct thrift t = thrift_open(out);
	char creator[64];
	enum tdat_status st;

	out->len = 0;
	thrift_i32(&t, 1, 2);
	thrift_raw(&t, 2, THRIFT_LIST, (struct tdat_span){j->schema.ptr, j->schema.len});
	thrift_i64(&t, 3, j->rows);
	thrift_list(&t, 4, THRIFT_STRUCT, j->group_count);
	tdat_build_bytes(out, j->groups.ptr, j->groups.len);
	st = join_pairs_put(&j->pairs, &t, err);
	snprintf(creator, sizeof(creator), "tdat version %s", tdat_version());
	thrift_string(&t, 6, creator);
	thrift_raw(&t, 7, THRIFT_LIST, (struct tdat_span){j->orders.ptr, j->orders.len});
	thrift_end(&t);
	tdat_build_u32(out, (uint32_t)out->len);
	tdat_build_bytes(out, magic, 4);
	if (st == TDAT_OK)
		st = out->failed ? column_no_memory(err) : put(j, out->ptr, out->len, err);
	return st == TDAT_OK ? join_flush(j, err) : st;
}

static enum tdat_status join_end(void *joined, bool give_up, struct tdat_error *err)
{
	struct joined *j = joined;
	enum tdat_status st = TDAT_OK;

	if (!j)
		return TDAT_OK;
	if (!give_up)
		st = put_footer(j, err);
	tdat_build_fini(&j->piece);
	tdat_build_fini(&j->groups);
	tdat_build_fini(&j->schema);
	tdat_build_fini(&j->orders);
	tdat_build_fini(&j->pairs.first);
	tdat_build_fini(&j->footer);
	tdat_build_fini(&j->index);
	free(j->chunks);
	free(j);
	return st;
}

const struct tdat_join_ops parquet_join = {
	.size = sizeof(struct tdat_join_ops),
	.begin = join_begin,
	.add = join_add,
	.end = join_end,
};
